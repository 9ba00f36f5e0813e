// SPDX-License-Identifier: Apache-2.0
/* Control groups: being told when a container has no memory left. */
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "cgroup_impl.h"
#include "../base/fd.h"
#include "../base/banned.h"

static int open_v1(struct arena *a, const struct cgroup_dir *d, struct cgroup_oom *o, struct err *e)
{
	autofd int control = open(cg_path(a, d, "memory.oom_control"), O_RDONLY | O_CLOEXEC);
	autofd int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (control < 0 || event < 0)
		return fail(e, errno, "cgroup: memory.oom_control");
	/* The kernel holds on to what it needs of the file. */
	if (cg_write(a, d, "cgroup.event_control", arena_printf(a, "%d %d", event, control), e))
		return -1;
	o->fd = fd_steal(&event);
	return 0;
}

static uint64_t kills(struct arena *a, const struct cgroup_dir *d)
{
	const char *text;
	struct err e;

	return cg_read(a, d, "memory.events", &text, &e) ? 0 : cg_value_of(text, "oom_kill");
}

static int open_v2(struct arena *a, const struct cgroup_dir *d, struct cgroup_oom *o, struct err *e)
{
	autofd int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd < 0 || inotify_add_watch(fd, cg_path(a, d, "memory.events"), IN_MODIFY) < 0)
		return fail(e, errno, "cgroup: memory.events");
	o->seen = kills(a, d);
	o->fd = fd_steal(&fd);
	return 0;
}

int cgroup_oom_open(struct arena *a, const struct cgroup *cg, struct cgroup_oom *o, struct err *e)
{
	*o = (struct cgroup_oom){ .fd = -1, .dir = cg_dir(cg, "memory") };
	if (o->dir)
		return open_v1(a, o->dir, o, e);
	o->dir = cg_dir(cg, "");
	if (!o->dir || !cg_exists(a, o->dir, "memory.events"))
		return 0;
	return open_v2(a, o->dir, o, e);
}

uint64_t cgroup_oom_read(struct arena *a, struct cgroup_oom *o)
{
	uint64_t n = 0, before = o->seen;
	char notes[4096];

	if (*o->dir->controllers) {
		/* The end of the cgroup is a notice, too. */
		if (read(o->fd, &n, sizeof n) != sizeof n ||
		    !cg_exists(a, o->dir, "memory.oom_control"))
			return 0;
		return n;
	}
	while (read(o->fd, notes, sizeof notes) > 0)
		;
	n = kills(a, o->dir);
	if (n <= before)
		return 0;
	o->seen = n;
	return n - before;
}
