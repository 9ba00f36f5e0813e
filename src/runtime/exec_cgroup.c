// SPDX-License-Identifier: Apache-2.0
/* Which control group a process of exec goes to. */
#include "exec.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../base/str.h"
#include "../base/banned.h"

enum { PATH_SHOWN = 200 };

/* ".." as a component leads out of the container's group, or nowhere good. */
static bool leads_up(const char *path)
{
	size_t len;

	for (; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		if (len == 2 && !strncmp(path, "..", 2))
			return true;
	}
	return false;
}

static bool has_controller(const struct cgroup_dir *d, const char *name, size_t len)
{
	const char *at = d->controllers;
	size_t n;

	if (!strncmp(at, "name=", 5))
		at += 5;
	for (;; at += n + 1) {
		n = strcspn(at, ",");
		if (n == len && !strncmp(at, name, n))
			return true;
		if (!at[n])
			return false;
	}
}

static int move(struct launch *l, struct cgroup_dir *d, const char *path, struct err *e)
{
	struct arena *a = &l->job.arena;
	const char *sub = arena_printf(a, "%s/%s", d->path, path + strspn(path, "/"));

	if (access(arena_printf(a, "%s%s/cgroup.procs", d->mount, sub), F_OK))
		return fail(e, errno, "--cgroup: error adding pid to %s%s/cgroup.procs", d->mount,
			    printable(a, sub, PATH_SHOWN));
	d->path = sub;
	return 0;
}

static int move_controller(struct launch *l, const char *name, size_t len, const char *path,
			   struct err *e)
{
	size_t i;

	for (i = 0; i < l->cgroup.n_dirs; i++)
		if (has_controller(&l->cgroup.dirs[i], name, len))
			return move(l, &l->cgroup.dirs[i], path, e);
	return fail(e, 0, "--cgroup: unknown controller %s",
		    printable(&l->job.arena, arena_strndup(&l->job.arena, name, len), PATH_SHOWN));
}

static int obey(struct launch *l, const char *wish, struct err *e)
{
	const char *path = strchr(wish, ':'), *name;
	size_t i, len;

	path = path ? path + 1 : wish;
	if (leads_up(path))
		return fail(e, 0, "--cgroup: %s is not a sub cgroup path",
			    printable(&l->job.arena, path, PATH_SHOWN));
	if (path == wish) {
		for (i = 0; i < l->cgroup.n_dirs; i++)
			if (move(l, &l->cgroup.dirs[i], path, e))
				return -1;
		return 0;
	}
	for (name = wish; name < path; name += len + 1) {
		len = strcspn(name, ",:");
		if (move_controller(l, name, len, path, e))
			return -1;
	}
	return 0;
}

int exec_cgroup(struct launch *l, const struct strings *wishes, struct err *e)
{
	size_t i;

	for (i = 0; i < wishes->n; i++)
		if (obey(l, wishes->v[i], e))
			return -1;
	return 0;
}
