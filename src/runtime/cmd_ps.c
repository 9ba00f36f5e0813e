// SPDX-License-Identifier: Apache-2.0
/* credsbox ps: the processes of a container, as the host's ps shows them or as JSON. */
#include "cmd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/chars.h"
#include "container.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox ps - list the processes of a container\n"
	"\n"
	"USAGE:\n"
	"   credsbox ps [OPTION...] ID [PS-OPTION...]\n"
	"\n"
	"Runs the host's ps, with -ef unless other options follow the id, and shows what it says "
	"of\n"
	"the container's processes.\n"
	"\n"
	"  -f, --format table|json  json: an array of process ids of the host\n";

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

enum { PS_MAX = 64 * 1024 * 1024 };

struct ps_args {
	const char *id;
	char **rest; /* for ps */
	bool json, help;
};

struct pids {
	pid_t *v;
	size_t n;
};

static int parse(int argc, char **argv, struct ps_args *o)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:f:h", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			o->json = !strcmp(optarg, "json");
			if (!o->json && strcmp(optarg, "table"))
				return cmd_usage("ps", "invalid format option");
			break;
		case 'h': o->help = true; return 0;
		default: return cmd_bad_option("ps", c, argv);
		}
	}
	if (optind == argc)
		return cmd_usage("ps", "a container is wanted");
	o->id = argv[optind];
	o->rest = argv + optind + 1;
	return 0;
}

/* Without a cgroup, those of the first process's pid namespace that the caller may look at. */
static void find_by_namespace(struct arena *a, pid_t first, struct pids *out)
{
	struct stat mine, st;
	struct dirent *entry;
	uint64_t pid;
	DIR *proc;

	if (stat(arena_printf(a, "/proc/%d/ns/pid", (int)first), &mine) ||
	    stat("/proc/self/ns/pid", &st) || st.st_ino == mine.st_ino) {
		*arena_push(a, out->v, out->n) = first;
		return;
	}
	proc = opendir("/proc");
	while (proc && (entry = readdir(proc)))
		if (parse_u64(entry->d_name, strlen(entry->d_name), &pid) && pid <= INT32_MAX &&
		    stat(arena_printf(a, "/proc/%d/ns/pid", (int)pid), &st) == 0 &&
		    st.st_ino == mine.st_ino && st.st_dev == mine.st_dev)
			*arena_push(a, out->v, out->n) = (pid_t)pid;
	if (proc)
		closedir(proc);
}

static int find_pids(struct arena *a, const struct container *c, struct pids *out, struct err *e)
{
	*out = (struct pids){ 0 };
	if (c->has_cgroup && cgroup_pids(a, &c->cgroup, &out->v, &out->n, e))
		return -1;
	if (!out->n && c->status != STATUS_STOPPED && c->state.pid)
		find_by_namespace(a, c->state.pid, out);
	return 0;
}

static const char *as_json(struct arena *a, const struct pids *pids)
{
	struct jsonw *w = jsonw_new(a, false);
	size_t i;

	jsonw_array(w);
	for (i = 0; i < pids->n; i++)
		jsonw_int(w, pids->v[i]);
	jsonw_end(w);
	return arena_printf(a, "%s\n", jsonw_text(w, NULL));
}

/* Only PATH of the caller's environment: ps needs no more of it. */
static int run_ps(struct arena *a, char **rest, const char **text, struct err *e)
{
	const char *path = getenv("PATH");
	char *env[] = { arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin"), NULL };
	posix_spawn_file_actions_t actions;
	autofd int from = -1, to = -1;
	int pipes[2], rc, status;
	char **argv = NULL;
	size_t n = 0, len;
	pid_t pid;

	*arena_push(a, argv, n) = arena_strdup(a, "ps");
	if (!*rest)
		*arena_push(a, argv, n) = arena_strdup(a, "-ef");
	for (; *rest; rest++)
		*arena_push(a, argv, n) = *rest;
	*arena_push(a, argv, n) = NULL;
	if (pipe2(pipes, O_CLOEXEC))
		return fail(e, errno, "cannot make a pipe");
	from = pipes[0];
	to = pipes[1];
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	rc = posix_spawnp(&pid, "ps", &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	if (rc)
		return fail(e, rc, "cannot run ps");
	fd_cleanup(&to);
	rc = fd_read_all(a, from, "ps", PS_MAX, text, &len, e);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!rc && (!WIFEXITED(status) || WEXITSTATUS(status)))
		return fail(e, 0, "ps failed");
	return rc;
}

/* The n-th word of a line, from 0. */
static const char *word_at(const char *line, size_t n, size_t *len)
{
	for (;; line += *len) {
		line += strspn(line, " \t");
		*len = strcspn(line, " \t\n");
		if (!*len)
			return NULL;
		if (!n--)
			return line;
	}
}

static bool is_ours(const char *line, size_t column, const struct pids *pids)
{
	const char *word;
	uint64_t pid;
	size_t len, i;

	word = word_at(line, column, &len);
	if (!word || !parse_u64(word, len, &pid))
		return false;
	for (i = 0; i < pids->n; i++)
		if ((uint64_t)pids->v[i] == pid)
			return true;
	return false;
}

static int as_table(struct arena *a, const struct pids *pids, char **rest, const char **out,
		    struct err *e)
{
	const char *text, *line, *word;
	size_t column, len;
	struct str s;

	if (run_ps(a, rest, &text, e))
		return -1;
	for (column = 0; (word = word_at(text, column, &len)); column++)
		if (text_is(word, len, "PID"))
			break;
	if (!word)
		return fail(e, 0, "couldn't find PID field in ps output");
	str_init(&s, a, PS_MAX);
	for (line = text; *line; line += len) {
		len = strcspn(line, "\n");
		len += line[len] == '\n';
		if (line == text || is_ours(line, column, pids))
			str_addn(&s, line, len);
	}
	*out = s.s;
	return 0;
}

static int list(struct arena *a, const struct global *g, const struct ps_args *o)
{
	const char *text = NULL;
	struct container c;
	struct pids pids;
	struct err e;
	int rc;

	if (container_find(a, g, o->id, &c, &e))
		return cmd_fail("ps", &e);
	rc = find_pids(a, &c, &pids, &e);
	container_close(&c);
	if (!rc && o->json)
		text = as_json(a, &pids);
	else if (!rc)
		rc = as_table(a, &pids, o->rest, &text, &e);
	return rc ? cmd_fail("ps", &e) : cmd_print("ps", text, strlen(text));
}

int cmd_ps(const struct global *g, int argc, char **argv)
{
	struct ps_args o = { 0 };
	struct arena a = { 0 };
	int rc;

	if (parse(argc, argv, &o))
		return 1;
	if (o.help)
		return cmd_print("ps", usage, sizeof usage - 1);
	rc = list(&a, g, &o);
	arena_release(&a);
	return rc;
}
