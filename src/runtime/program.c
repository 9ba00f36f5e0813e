// SPDX-License-Identifier: Apache-2.0
/* The last steps before the program: where it is, what it gets, and its start. */
#include "init.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../sys/cred.h"
#include "../sys/sync.h"
#include "selfcheck.h"
#include "../base/banned.h"

enum { PATH_SHOWN = 256 };

/* What is searched when the bundle sets no PATH, as execvp(3) would. */
static const char default_path[] = "/bin:/usr/bin";

int program_chdir(struct launch *l, struct err *e)
{
	if (!rootfs_chdir(l->process->cwd, e))
		return 0;
	l->chdir_late = e->errnum == EACCES;
	return l->chdir_late ? 0 : -1;
}

int program_chdir_late(struct launch *l, struct err *e)
{
	return l->chdir_late ? rootfs_chdir(l->process->cwd, e) : 0;
}

static const char *env_get(const struct launch *l, const char *name)
{
	size_t i, len = strlen(name);

	for (i = l->n_env; i > 0; i--)
		if (!strncmp(l->env[i - 1], name, len) && l->env[i - 1][len] == '=')
			return l->env[i - 1] + len + 1;
	return NULL;
}

/* A variable, by its name and where it stands. */
struct variable {
	const char *text;
	size_t len, at;
};

static int compare_names(const void *a, const void *b)
{
	const struct variable *x = a, *y = b;
	size_t len = x->len < y->len ? x->len : y->len;
	int order = memcmp(x->text, y->text, len);

	if (order)
		return order;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

/* For each, whether its name comes once more; bundles may have very many. */
static const bool *find_repeated(struct launch *l)
{
	struct variable *v = arena_array(&l->job.arena, l->n_env + 1, sizeof *v);
	bool *repeated = arena_array(&l->job.arena, l->n_env + 1, sizeof *repeated);
	size_t i;

	for (i = 0; i < l->n_env; i++)
		v[i] = (struct variable){ l->env[i], strcspn(l->env[i], "="), i };
	if (l->n_env)
		qsort(v, l->n_env, sizeof *v, compare_names);
	for (i = 1; i < l->n_env; i++)
		if (v[i].len == v[i - 1].len && !memcmp(v[i].text, v[i - 1].text, v[i].len))
			repeated[v[i - 1].at] = true;
	return repeated;
}

/* Of a name that is there twice, the last counts, and is passed on alone. */
static void make_environment(struct launch *l)
{
	const char *home = env_get(l, "HOME");
	const bool *repeated = find_repeated(l);
	struct arena *a = &l->job.arena;
	autofd int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	size_t i, n = 0;

	l->envp = arena_array(a, l->n_env + 4, sizeof *l->envp);
	for (i = 0; i < l->n_env; i++)
		if (!repeated[i] && strcmp(l->env[i], "HOME="))
			l->envp[n++] = arena_strdup(a, l->env[i]);
	if (!home || !*home)
		l->envp[n++] = arena_printf(a, "HOME=%s", cred_home(a, root, l->process->user.uid));
	if (l->listen_fds) {
		l->envp[n++] = arena_printf(a, "LISTEN_FDS=%d", l->listen_fds);
		l->envp[n++] = arena_printf(a, "LISTEN_PID=%d", getpid());
	}
}

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (!faccessat(AT_FDCWD, path, X_OK, AT_EACCESS))
		return 0;
	/* A filter that is older than faccessat2(2) may be loaded by now. */
	return errno == EPERM && !access(path, X_OK) ? 0 : errno;
}

static int search(struct launch *l, const char *name, struct err *e)
{
	struct arena *a = &l->job.arena;
	const char *path = env_get(l, "PATH"), *end;
	int error, seen = ENOENT;

	for (path = path ? path : default_path;; path = end + 1) {
		end = path + strcspn(path, ":");
		l->program = end == path
				     ? arena_printf(a, "./%s", name)
				     : arena_printf(a, "%.*s/%s", (int)(end - path), path, name);
		error = check_file(l->program);
		if (!error)
			return 0;
		if (error == EACCES)
			seen = error;
		if (!*end)
			break;
	}
	name = l->shown;
	if (seen == EACCES)
		return fail(e, EACCES, "exec: \"%s\"", name);
	return fail(e, 0, "exec: \"%s\": executable file not found in $PATH", name);
}

/* Files of the host and terminals stay whose they are. Who may not give a pipe away goes on: then it is theirs
 * already, or of ids that are not mapped here.
 */
void program_pipes(const struct user *u)
{
	struct stat st;
	int fd;

	for (fd = 0; fd <= 2; fd++)
		if (!fstat(fd, &st) && S_ISFIFO(st.st_mode) && st.st_uid != u->uid &&
		    fchown(fd, u->uid, u->gid))
			continue;
}

int program_find(struct launch *l, struct err *e)
{
	const char *name = l->argv[0];
	int error;

	make_environment(l);
	if (!*name)
		return fail(e, 0, "exec: \"\": executable file not found in $PATH");
	if (!strchr(name, '/'))
		return search(l, name, e);
	l->program = name;
	error = check_file(name);
	if (!error)
		return 0;
	name = l->shown;
	if (error == ENOENT || error == ENOTDIR)
		return fail(e, error, "exec: \"%s\": stat %s", name, name);
	return fail(e, error, "exec: \"%s\"", name);
}

int program_seccomp(struct launch *l, struct err *e)
{
	autofd int listener = -1;

	/* The floor first: what is loaded later may forbid that anything else is. */
	if (seccomp_install(&l->floor, &listener, e) || selfcheck_floor(l, e) ||
	    seccomp_install(&l->seccomp, &listener, e))
		return -1;
	if (listener < 0)
		return 0;
	if (sync_send(l->sync, STAGE_LISTENER, NULL, listener))
		return fail(e, errno, "the runtime is gone");
	return sync_expect(l->sync, STAGE_GO, "the runtime is gone", NULL, e);
}

int program_exec(struct launch *l, struct err *e)
{
	if (l->args->has_init && init_fork(l, e))
		return -1;
	execve(l->program, l->argv, l->envp);
	return fail(e, errno, "exec %s",
		    strcmp(l->shown, l->argv[0])
			    ? l->shown
			    : printable(&l->job.arena, l->program, PATH_SHOWN));
}

/* Systemd's protocol: so many, from 3 on, if it is us who are meant. */
static int listen_fds(void)
{
	const char *fds = getenv("LISTEN_FDS"), *pid = getenv("LISTEN_PID");
	int64_t n, of = 0;

	if (!fds || !parse_i64(fds, strlen(fds), &n) || n < 1 || n > 1024)
		return 0;
	if (pid && *pid && (!parse_i64(pid, strlen(pid), &of) || of != getpid()))
		return 0;
	return (int)n;
}

int program_fds(struct launch *l, struct err *e)
{
	int fd, flags;

	l->listen_fds = listen_fds();
	l->n_fds = l->job.n_fds = l->listen_fds + (int)l->args->preserve_fds;
	for (fd = 3; fd < 3 + l->n_fds; fd++) {
		/* What closes on exec is none that the caller gave us, but our own. */
		flags = fcntl(fd, F_GETFD);
		if (flags < 0 || (flags & FD_CLOEXEC))
			return fail(e, 0, "--preserve-fds: descriptor %d is not open", fd);
	}
	return 0;
}
