// SPDX-License-Identifier: Apache-2.0
/* What the workload must not see or change, once the root is entered: masks, read-only paths. */
#include "rootfs_work.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/glob.h"
#include "path.h"
#include "../base/banned.h"

/* What lies over masked paths. Each is attached once as it is and copied from there: the kernel copies
 * only what is mounted.
 */
struct masks {
	const struct rootfs *r;
	int root, null, empty;
	bool null_used, empty_used;
	dev_t empty_dev;
};

static int make_empty(struct masks *m, struct err *e)
{
	const char *options[] = { "mode=755", "nr_blocks=1", "nr_inodes=2" };
	const char *readonly = "ro";
	struct mnt_fs fs = { .type = "tmpfs",
			     .super = { &readonly, 1 },
			     .data = { options, sizeof options / sizeof options[0] },
			     .attr = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
				     MOUNT_ATTR_NOEXEC };
	struct stat st;

	m->empty = mnt_fs(&fs, e);
	if (m->empty < 0)
		return -1;
	if (fstat(m->empty, &st))
		return fail(e, errno, "empty directory");
	m->empty_dev = st.st_dev;
	return 0;
}

static int put_over(int tree, bool *used, int place, struct err *e)
{
	autofd int copy = -1;

	if (*used) {
		copy = mnt_bind(tree, "", false);
		if (copy < 0)
			return fail(e, errno, "cannot copy the mask");
		tree = copy;
	}
	if (mnt_attach(tree, place))
		return fail(e, errno, "cannot attach the mask");
	*used = true;
	return 0;
}

static int mask_place(struct masks *m, int place, struct err *e)
{
	struct stat st;

	if (fstat(place, &st))
		return fail(e, errno, "cannot be looked at");
	if (S_ISDIR(st.st_mode)) {
		if (m->empty < 0 && make_empty(m, e))
			return -1;
		/* A mask is there already. */
		if (m->empty_used && st.st_dev == m->empty_dev)
			return 0;
		return put_over(m->empty, &m->empty_used, place, e);
	}
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
		return 0;
	return put_over(m->null, &m->null_used, place, e);
}

/* What is not there needs no mask. Of the bundle's own paths and the kernel's some may be out of the reach of a mapped root,
 * and of the workload with it.
 */
static int mask(struct masks *m, const char *path, bool may_fail, struct err *e)
{
	autofd int place = path_open(m->root, path, O_PATH);

	if (place < 0 && (errno == ENOENT || errno == ENOTDIR || (may_fail && errno == EACCES)))
		return 0;
	if (place < 0)
		fail(e, errno, "cannot be opened");
	if (place >= 0 && !mask_place(m, place, e))
		return 0;
	return fail_in(e, "mask %s", printable(m->r->arena, path, PATH_SHOWN));
}

/* The plan's masks, and where else a bind of a part of the root shows what they are to hide. */
static struct strings all_masks(const struct rootfs *r)
{
	struct strings all = { 0 };
	const char *below;
	size_t i, k, n;

	for (i = 0; i < r->plan->n_masks; i++)
		*arena_push(r->arena, all.v, all.n) = r->plan->masks[i].path;
	for (i = 0; i < r->plan->n_mounts; i++) {
		const struct rootfs_mount *w = &r->mounts[i];

		for (k = 0, n = all.n; w->inside && k < n; k++) {
			below = path_below(all.v[k], w->from);
			if (below)
				*arena_push(r->arena, all.v, all.n) =
					arena_printf(r->arena, "%s/%s", w->at, below);
		}
	}
	return all;
}

static int mask_all(struct masks *m, struct err *e)
{
	const struct strings *own = &m->r->plan->bundle->lin.masked_paths;
	const struct strings added = all_masks(m->r);
	const struct strings *kernels = &m->r->plan->kernel_masks;
	size_t i;

	for (i = 0; i < own->n; i++)
		if (mask(m, own->v[i], true, e))
			return -1;
	for (i = 0; i < kernels->n; i++)
		if (mask(m, kernels->v[i], true, e))
			return -1;
	for (i = 0; i < added.n; i++)
		if (mask(m, added.v[i], false, e))
			return -1;
	return 0;
}

/* Over itself, with all that is mounted below. */
static int make_readonly(const struct rootfs *r, int root, const char *path, struct err *e)
{
	autofd int place = path_open(root, path, O_PATH);
	autofd int tree = -1;

	if (place < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
		return 0;
	if (place >= 0)
		tree = mnt_bind(place, "", true);
	if (tree < 0 || mnt_set(tree, MOUNT_ATTR_RDONLY, 0, true) || mnt_attach(tree, place))
		return fail(e, errno, "read-only path %s", printable(r->arena, path, PATH_SHOWN));
	return 0;
}

static int make_all_readonly(struct rootfs *r, int root, struct err *e)
{
	const struct strings *paths = &r->plan->bundle->lin.readonly_paths;
	size_t i;

	for (i = 0; i < paths->n; i++)
		if (make_readonly(r, root, paths->v[i], e))
			return -1;
	for (i = 0; i < r->n_readonly; i++) {
		if (mnt_set(r->readonly[i], MOUNT_ATTR_RDONLY, 0, false))
			return fail(e, errno, "cannot make a mount read-only");
		fd_cleanup(&r->readonly[i]);
	}
	r->n_readonly = 0;
	if (r->plan->bundle->root.readonly && mnt_set(root, MOUNT_ATTR_RDONLY, 0, false))
		return fail(e, errno, "root.readonly");
	return 0;
}

/* It has to be there before the root is read-only. Whether it can be entered is another question. */
static int make_cwd(const struct rootfs *r, int root, struct err *e)
{
	const struct process *p = &r->plan->bundle->process;
	autofd int fd = -1;

	if (!p->set || !p->cwd)
		return 0;
	fd = path_open(root, p->cwd, O_PATH | O_DIRECTORY);
	if (fd < 0 && errno == ENOENT)
		fd = path_make(root, p->cwd, PATH_DIR, 0755, NULL);
	return fd < 0 && errno != EACCES ? fail(e, errno, "process.cwd") : 0;
}

int rootfs_masks(struct rootfs *r, struct err *e)
{
	unsigned long asked = (unsigned long)r->plan->bundle->lin.rootfs_propagation;
	autofd int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct masks m = { .r = r, .root = root, .null = r->null, .empty = -1 };
	int ret;

	if (root < 0)
		return fail(e, errno, "root");
	if (rootfs_shares_mounts(r))
		return make_cwd(r, root, e);
	ret = make_cwd(r, root, e) || mask_all(&m, e) || make_all_readonly(r, root, e) ? -1 : 0;
	fd_cleanup(&m.empty);
	fd_cleanup(&r->null);
	fd_cleanup(&r->fd);
	if (!ret && (asked & (MS_SHARED | MS_UNBINDABLE)) && mnt_propagate(root, asked))
		return fail(e, errno, "linux.rootfsPropagation");
	return ret;
}
