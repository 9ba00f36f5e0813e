// SPDX-License-Identifier: Apache-2.0
/* User namespaces that exist for their mappings only: mounts are shown through them. */
#include "idmap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "path.h"
#include "../base/banned.h"

enum { STACK_SIZE = 16 * 1024, MAP_TEXT_MOST = 4096 };

/* It shares our memory, so it does nothing at all: it waits to be killed. */
static int wait_in_namespace(void *arg)
{
	const pid_t *parent = arg;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* Who died before that sends no signal, and a lock of ours would be held for ever. */
	while (getppid() == *parent)
		pause();
	return 0;
}

static int write_map(struct arena *a, int proc, pid_t pid, const char *file,
		     const struct id_maps *maps, struct err *e)
{
	const char *path = arena_printf(a, "%d/%s", (int)pid, file);
	autofd int fd = proc_open(proc, path, O_WRONLY, e);
	struct str text;
	size_t i;

	if (fd < 0)
		return -1;
	str_init(&text, a, MAP_TEXT_MOST);
	for (i = 0; i < maps->n; i++)
		str_printf(&text, "%u %u %u\n", maps->v[i].container_id, maps->v[i].host_id,
			   maps->v[i].size);
	if (text.overflow)
		return fail(e, 0, "too many mappings");
	if (write(fd, text.s, text.len) != (ssize_t)text.len)
		return fail(e, errno, "%s", file);
	return 0;
}

static int map_and_open(struct arena *a, pid_t pid, const struct id_maps *uids,
			const struct id_maps *gids, struct err *e)
{
	autofd int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (proc < 0)
		return fail(e, errno, "/proc");
	if (write_map(a, proc, pid, "uid_map", uids, e) ||
	    write_map(a, proc, pid, "gid_map", gids, e))
		return -1;
	/* The last part is a magic link, of our own process in a procfs that was checked just now. */
	fd = openat(proc, arena_printf(a, "%d/ns/user", (int)pid), O_RDONLY | O_CLOEXEC);
	return fd < 0 ? fail(e, errno, "cannot open the user namespace") : fd;
}

int idmap_make(struct arena *a, const struct id_maps *uids, const struct id_maps *gids,
	       struct err *e)
{
	char stack[STACK_SIZE] __attribute__((aligned(16)));
	pid_t us = getpid(), pid;
	int fd;

	pid = clone(wait_in_namespace, stack + sizeof stack, CLONE_VM | CLONE_NEWUSER, &us);
	if (pid < 0)
		return fail(e, errno, "cannot make a user namespace for the mappings");
	fd = map_and_open(a, pid, uids, gids, e);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	return fd;
}

bool idmap_same(const struct id_maps *x, const struct id_maps *y)
{
	return x->n == y->n && (!x->n || !memcmp(x->v, y->v, x->n * sizeof *x->v));
}
