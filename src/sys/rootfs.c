// SPDX-License-Identifier: Apache-2.0
/* The way into the container's root: its propagation, the root itself, and out of the old one. */
#include "rootfs_work.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "path.h"
#include "../base/banned.h"

/* Masks bind it over credentials: it has to be the null device and nothing else. */
static int open_null(struct rootfs *r, struct err *e)
{
	autofd int fd = openat(r->devices, "null", O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return fail(e, errno, "/dev/null of the host");
	if (!S_ISCHR(st.st_mode) || st.st_rdev != makedev(1, 3))
		return fail(e, 0, "/dev/null of the host: not the null device");
	r->null = mnt_bind(fd, "", false);
	/* Read-only, or the workload could give the host's own node another mode and owner. */
	if (r->null < 0 ||
	    mnt_set(r->null, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC, 0, false))
		return fail(e, errno, "/dev/null of the host");
	return 0;
}

/* Nothing that happens here may reach the host: a slave sees what the host mounts, and that is all. */
static int leave_host(const struct rootfs *r, struct err *e)
{
	unsigned long asked = (unsigned long)r->plan->bundle->lin.rootfs_propagation;
	autofd int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || mnt_propagate(fd, (asked & MS_PRIVATE ? MS_PRIVATE : MS_SLAVE) | MS_REC))
		return fail(e, errno, "cannot leave the host's mounts alone");
	return 0;
}

int rootfs_begin(struct rootfs *r, struct err *e)
{
	unsigned long asked = (unsigned long)r->plan->bundle->lin.rootfs_propagation;
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
				.resolve = RESOLVE_NO_SYMLINKS };
	autofd int dir = -1;
	autofd int tree = -1;

	if (rootfs_shares_mounts(r)) {
		r->fd = (int)syscall(SYS_openat2, AT_FDCWD, r->path, &how, sizeof how);
		return r->fd < 0 ? fail(e, errno, "root") : 0;
	}
	if (leave_host(r, e))
		return -1;
	/* Who makes nodes and masks nothing needs none. */
	r->devices = open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if ((r->plan->n_masks || r->plan->kernel_masks.n || r->plan->bundle->lin.masked_paths.n) &&
	    open_null(r, e))
		return -1;
	dir = (int)syscall(SYS_openat2, AT_FDCWD, r->path, &how, sizeof how);
	if (dir < 0)
		return fail(e, errno, "root %s", printable(r->arena, r->path, PATH_SHOWN));
	tree = mnt_bind(dir, "", true);
	if (tree < 0 ||
	    (!(asked & MS_SLAVE) &&
	     mnt_propagate(tree, MS_PRIVATE | (r->plan->private_mounts ? MS_REC : 0))) ||
	    mnt_attach(tree, dir))
		return fail(e, errno, "cannot bind the root");
	r->fd = fd_steal(&tree);
	return 0;
}

int rootfs_readonly_later(struct rootfs *r, int mnt, struct err *e)
{
	int fd = fcntl(mnt, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return fail(e, errno, "descriptor");
	r->readonly[r->n_readonly++] = fd;
	return 0;
}

int rootfs_pivot(struct rootfs *r, struct err *e)
{
	autofd int old = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (old < 0 || fchdir(r->fd))
		return fail(e, errno, "cannot enter the root");
	if (rootfs_shares_mounts(r))
		return chroot(".") ? fail(e, errno, "chroot") : 0;
	/* The old root ends up on top of the new one: no directory is needed for it. */
	if (syscall(SYS_pivot_root, ".", "."))
		return fail(e, errno, "pivot_root");
	/* Hooks may have shared something: taking it away here must not take it from the host. */
	if (mnt_propagate(old, MS_SLAVE | MS_REC) || umount2(".", MNT_DETACH) || chdir("/"))
		return fail(e, errno, "cannot leave the old root");
	fd_cleanup(&r->devices);
	fd_cleanup(&r->helper);
	return 0;
}

/* Nothing that the working directory's name says may lead out of the root, as /proc/self/fd/9 would. */
int rootfs_chdir(const char *cwd, struct err *e)
{
	autofd int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	autofd int fd = -1;
	char path[PATH_MAX];

	if (root < 0)
		return fail(e, errno, "process.cwd");
	fd = path_open(root, cwd, O_PATH | O_DIRECTORY);
	if (fd < 0 && errno == ENOENT)
		fd = path_make(root, cwd, PATH_DIR, 0755, NULL);
	/* A filter that is older than openat2(2) may be loaded by now; what follows checks the outcome. */
	if (fd < 0 && (errno == EPERM || errno == ENOSYS))
		fd = open(cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fchdir(fd))
		return fail(e, errno, "process.cwd");
	/* libc would hide from us that it is not reachable. */
	if (syscall(SYS_getcwd, path, sizeof path) < 0 || path[0] != '/')
		return fail(e, 0, "process.cwd: not in the root");
	return 0;
}
