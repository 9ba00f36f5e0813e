// SPDX-License-Identifier: Apache-2.0
/* The container's view of its control groups: its own, and nothing above them. */
#include "rootfs_work.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

static const char unified[] = "/sys/fs/cgroup";

/* With no namespace of its own, a container that may write could write to what is not its own. */
static uint64_t attributes(const struct rootfs *r, const struct mount_opts *o)
{
	uint64_t attr = o->attr_set | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;

	return r->plan->cgroup_readonly ? attr | MOUNT_ATTR_RDONLY : attr;
}

static bool is_unified(const struct cgroup *cg)
{
	struct statfs fs;

	if (cg->mode != CGROUP_NONE)
		return cg->mode == CGROUP_V2;
	return !statfs(unified, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}

static int bind_dir(const char *path, uint64_t attr, struct err *e)
{
	autofd int tree = mnt_bind(AT_FDCWD, path, false);

	if (tree < 0)
		return fail(e, errno, "cannot bind its control group");
	if (mnt_propagate(tree, MS_PRIVATE) ||
	    mnt_set(tree, attr, attr & MOUNT_ATTR__ATIME ? MOUNT_ATTR__ATIME : 0, false))
		return fail(e, errno, "control group");
	return fd_steal(&tree);
}

static const char *own_path(const struct rootfs *r, const struct cgroup_dir *d)
{
	return arena_printf(r->arena, "%s%s", d->mount, d->path);
}

/* A hierarchy as the cgroup namespace shows it: its top is the container's own group. */
static int mount_hierarchy(struct rootfs *r, const struct cgroup_dir *d, uint64_t attr,
			   struct err *e)
{
	struct mnt_fs fs = { .type = *d->controllers ? "cgroup" : "cgroup2", .attr = attr };
	const char *s;
	size_t n;
	int tree = -1;

	for (s = d->controllers; *s; s += n, s += *s == ',') {
		n = strcspn(s, ",");
		*arena_push(r->arena, fs.data.v, fs.data.n) = arena_strndup(r->arena, s, n);
	}
	if (r->plan->ns[NS_CGROUP].listed)
		tree = mnt_fs(&fs, e);
	return tree >= 0 ? tree : bind_dir(own_path(r, d), attr, e);
}

/* Other names of a hierarchy that several controllers share: "cpu" for "cpu,cpuacct". */
static int add_links(struct rootfs *r, const struct cgroup_dir *d, int dir, const char *name,
		     struct err *e)
{
	const char *s;
	size_t n;

	for (s = d->controllers; *s; s += n, s += *s == ',') {
		n = strcspn(s, ",");
		if (n > 5 && !strncmp(s, "name=", 5))
			continue;
		if (symlinkat(name, dir, arena_strndup(r->arena, s, n)) && errno != EEXIST)
			return fail(e, errno, "link of a controller");
	}
	return 0;
}

static int add_hierarchy(struct rootfs *r, const struct cgroup_dir *d, int dir, uint64_t attr,
			 struct err *e)
{
	const char *name = strrchr(d->mount, '/');
	autofd int tree = mount_hierarchy(r, d, attr, e);
	autofd int place = -1;

	/* What an ordinary user could not make is not there to be seen. */
	if (tree < 0)
		return e->errnum == ENOENT || e->errnum == EACCES ? 0 : -1;
	if (!name || !*++name || (mkdirat(dir, name, 0755) && errno != EEXIST))
		return fail(e, errno, "place of a controller");
	place = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (place < 0 || mnt_attach(tree, place))
		return fail(e, errno, "place of a controller");
	return add_links(r, d, dir, name, e);
}

static int mount_v1(struct rootfs *r, const struct rootfs_mount *w, int place, struct err *e)
{
	uint64_t attr = attributes(r, &w->opts);
	const char *mode = "mode=755";
	struct mnt_fs fs = { .type = "tmpfs",
			     .data = { &mode, 1 },
			     .attr = attr & ~(uint64_t)MOUNT_ATTR_RDONLY };
	autofd int dir = mnt_fs(&fs, e);
	size_t i;

	if (dir < 0)
		return -1;
	for (i = 0; i < w->opts.n_propagation; i++)
		if (mnt_propagate(dir, w->opts.propagation[i]))
			return fail(e, errno, "propagation");
	if (mnt_attach(dir, place))
		return fail(e, errno, "cannot attach");
	for (i = 0; i < r->cgroup->n_dirs; i++)
		if (add_hierarchy(r, &r->cgroup->dirs[i], dir, attr, e))
			return -1;
	return attr & MOUNT_ATTR_RDONLY ? rootfs_readonly_later(r, dir, e) : 0;
}

static int open_v2(struct rootfs *r, const struct rootfs_mount *w, struct err *e)
{
	const struct mnt_fs fs = { .type = "cgroup2",
				   .source = "cgroup",
				   .data = w->opts.data,
				   .attr = attributes(r, &w->opts) };
	const struct cgroup_dir all = { "", unified, "", NULL };
	const struct cgroup_dir *d = r->cgroup->n_dirs ? &r->cgroup->dirs[0] : &all;
	int tree = -1;

	if (r->plan->ns[NS_CGROUP].listed) {
		tree = mnt_fs(&fs, e);
		if (tree < 0 && e->errnum != EPERM && e->errnum != EBUSY)
			return -1;
	}
	/* Of all groups, nothing is writable. */
	if (tree < 0)
		tree = bind_dir(own_path(r, d), d == &all ? fs.attr | MOUNT_ATTR_RDONLY : fs.attr,
				e);
	return tree;
}

/* The one hierarchy of v2, also where it stands beside those of v1. */
static int open_unified(struct rootfs *r, const struct rootfs_mount *w, struct err *e)
{
	size_t i;

	if (is_unified(r->cgroup))
		return open_v2(r, w, e);
	for (i = 0; i < r->cgroup->n_dirs; i++)
		if (!*r->cgroup->dirs[i].controllers)
			return mount_hierarchy(r, &r->cgroup->dirs[i], attributes(r, &w->opts), e);
	return fail(e, 0, "the container has no group of version 2 here");
}

int rootfs_mount_cgroup(struct rootfs *r, size_t mount, int place, struct err *e)
{
	const struct rootfs_mount *w = &r->mounts[mount];
	autofd int tree = -1;
	size_t i;

	if (!is_unified(r->cgroup) && strcmp(r->plan->mounts[mount]->type, "cgroup2") != 0)
		return mount_v1(r, w, place, e);
	tree = open_unified(r, w, e);
	if (tree < 0)
		return -1;
	for (i = 0; i < w->opts.n_propagation; i++)
		if (mnt_propagate(tree, w->opts.propagation[i]))
			return fail(e, errno, "propagation");
	return mnt_attach(tree, place) ? fail(e, errno, "cannot attach") : 0;
}
