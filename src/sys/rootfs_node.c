// SPDX-License-Identifier: Apache-2.0
/* The bundle's devices, made by the runtime for a child that may not: nodes work only on a file system that was
 * mounted outside of user namespaces, and there they have the mode and the owner that the bundle gives.
 */
#include "rootfs_work.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

enum { STACK_SIZE = 64 * 1024, NUMBER_MOST = 24 };

static bool to_host(const struct id_maps *maps, const struct opt_u32 *id, uint32_t *host)
{
	uint32_t inside = id->set ? id->v : 0;
	size_t i;

	for (i = 0; i < maps->n; i++) {
		const struct id_map *m = &maps->v[i];

		if (inside < m->container_id || inside - m->container_id >= m->size)
			continue;
		*host = m->host_id + (inside - m->container_id);
		return true;
	}
	return false;
}

/* -1: it is bound from the host's, if there is one. */
static int make_one(const struct rootfs *r, const struct device *d, int fs, const char *name)
{
	mode_t mode =
		(d->mode.set ? d->mode.v & 07777 : 0666) | (d->type == 'b' ? S_IFBLK : S_IFCHR);
	uint32_t uid, gid;

	if (d->type == 'p' || !to_host(&r->plan->uid_maps, &d->uid, &uid) ||
	    !to_host(&r->plan->gid_maps, &d->gid, &gid) ||
	    mknodat(fs, name, mode, makedev((unsigned)d->major, (unsigned)d->minor)) ||
	    fchownat(fs, name, uid, gid, AT_SYMLINK_NOFOLLOW) ||
	    fchmodat(fs, name, mode & 07777, 0))
		return -1;
	return mnt_bind(fs, name, false);
}

/* In a mount namespace that ends with us: what is to be copied must be mounted somewhere. The descriptors are the
 * runtime's, too.
 */
static int make_all(void *arg)
{
	const struct rootfs *r = arg;
	const struct mnt_fs tmpfs = { .type = "tmpfs", .source = "tmpfs" };
	autofd int place = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	autofd int fs = -1;
	char name[NUMBER_MOST];
	struct err ignored;
	size_t i;

	if (place < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return 0;
	fs = mnt_fs(&tmpfs, &ignored);
	if (fs < 0 || mnt_attach(fs, place))
		return 0;
	umask(0);
	for (i = 0; i < r->plan->n_devices; i++) {
		snprintf(name, sizeof name, "%zu", i);
		r->nodes[i] = make_one(r, r->plan->devices[i], fs, name);
	}
	return 0;
}

void rootfs_make_nodes(struct rootfs *r)
{
	char stack[STACK_SIZE] __attribute__((aligned(16)));
	size_t i;
	pid_t pid;

	r->nodes = arena_array(r->arena, r->plan->n_devices + 1, sizeof *r->nodes);
	for (i = 0; i < r->plan->n_devices; i++)
		r->nodes[i] = -1;
	if (!r->has_user_ns || !r->plan->n_devices)
		return;
	pid = clone(make_all, stack + sizeof stack,
		    CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_NEWNS | SIGCHLD, r);
	while (pid > 0 && waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
}
