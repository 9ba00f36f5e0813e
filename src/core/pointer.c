// SPDX-License-Identifier: Apache-2.0
/* The paths that a pointer variable names: KUBECONFIG=a:b, DOCKER_HOST=unix:///run/x. */
#include "pointer.h"

#include <string.h>

#include "glob.h"
#include "plan.h"
#include "../base/banned.h"

enum { PATH_LONGEST = 4096 };

/* The directories that a root is made of, and those that a workload lives in: too much goes with them.
 * What else stands there, as /ssh-agent or /kubeconfig, is a mount for the variable's sake.
 */
static bool is_common_root(const char *path)
{
	static const char *const names[] = {
		"",     "app",  "build",   "builds", "cache", "code",      "data",       "etc",
		"home", "mnt",  "opt",     "host",   "media", "nix",       "project",    "repo",
		"root", "run",  "src",     "srv",    "snap",  "storage",   "tmp",        "usr",
		"var",  "work", "workdir", "www",    "repos", "workspace", "workspaces",
	};
	size_t i;

	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(path + 1, names[i]))
			return true;
	return false;
}

static bool is_vital(const char *path)
{
	static const char *const vital[] = { "/bin",   "/boot",  "/dev",          "/lib",
					     "/lib32", "/lib64", "/proc",         "/sbin",
					     "/sys",   "/usr",   "/etc/ssl/certs" };
	size_t i, n;

	for (i = 0; i < sizeof vital / sizeof vital[0]; i++) {
		n = strlen(vital[i]);
		if (!strncmp(path, vital[i], n) && (!path[n] || path[n] == '/'))
			return true;
	}
	return is_common_root(path);
}

static const char separators[] = ":,;= \t\n\"'";

/* "//10.0.0.1" of "tcp://10.0.0.1:2375" */
static bool is_host(const char *s, size_t n)
{
	return n > 2 && s[0] == '/' && s[1] == '/' && !memchr(s + 2, '/', n - 2);
}

bool pointer_next(const char **rest, char *buf, size_t size)
{
	const char *s = *rest;
	struct finding f;
	size_t n;

	for (; *s; s += n) {
		s += strspn(s, separators);
		n = strcspn(s, separators);
		if (s > *rest && s[-1] == ':' && is_host(s, n))
			continue;
		/* "unix:///run/x": the empty authority leaves "///run/x". */
		while (n > 1 && s[0] == '/' && s[1] == '/') {
			s++;
			n--;
		}
		if (s[0] != '/' || n >= size)
			continue;
		memcpy(buf, s, n);
		buf[n] = '\0';
		if (!path_fold(buf, buf, size) || is_vital(buf))
			continue;
		if (strpbrk(*rest, " \t") && detect_path(buf, strlen(buf), &f) == VERDICT_KEEP)
			continue;
		*rest = s + n;
		return true;
	}
	*rest = s;
	return false;
}

/* "./key.json", "conf/kc": from the working directory, which itself is never meant. */
static bool is_relative(struct arena *a, const char *value, const char *cwd, char *buf, size_t size)
{
	char dir[PATH_LONGEST];

	if (value[0] == '/' || strpbrk(value, separators) || !strpbrk(value, "./"))
		return false;
	return path_fold(cwd, dir, sizeof dir) &&
	       path_fold(arena_printf(a, "%s/%s", dir, value), buf, size) &&
	       !path_below(dir, buf) && !is_vital(buf);
}

static void add_paths(struct arena *a, const struct env *env, const char *cwd,
		      const struct policy *p, struct strings *paths)
{
	char path[PATH_LONGEST];
	struct judgement j;
	const char *rest;
	size_t i;

	for (i = 0; i < env->n; i++) {
		rest = env->v[i].value;
		if (!strpbrk(rest, "./"))
			continue;
		plan_judge_env(p, env->v[i].name, rest, env->v[i].value_len, &j);
		if (j.f.verdict != VERDICT_POINTER || j.action == ACTION_ALLOW)
			continue;
		if (cwd && is_relative(a, rest, cwd, path, sizeof path))
			*arena_push(a, paths->v, paths->n) = arena_strdup(a, path);
		while (pointer_next(&rest, path, sizeof path))
			*arena_push(a, paths->v, paths->n) = arena_strdup(a, path);
	}
}

struct strings pointer_paths(struct arena *a, const struct bundle *b, const struct policy *p)
{
	static const enum hook_kind inside[] = { HOOK_CREATE_CONTAINER, HOOK_START_CONTAINER };
	struct strings paths = { 0 };
	size_t i, k;

	add_paths(a, &b->process.env, b->process.cwd, p, &paths);
	for (i = 0; i < sizeof inside / sizeof inside[0]; i++)
		for (k = 0; k < b->hooks[inside[i]].n; k++)
			add_paths(a, &b->hooks[inside[i]].v[k].env, NULL, p, &paths);
	return paths;
}

static const char *without_var(const char *path)
{
	return path_below(path, "/var/run") ? path + strlen("/var") : path;
}

const char *pointer_below(const char *path, const char *dir)
{
	return path_below(without_var(path), without_var(dir));
}
