// SPDX-License-Identifier: Apache-2.0
/* Device nodes, their links, and the console: made in the root, through no link of the image. */
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

// clang-format off
static const struct device defaults[] = {
	{ .type = 'c', .path = "/dev/null", .major = 1, .minor = 3 },
	{ .type = 'c', .path = "/dev/zero", .major = 1, .minor = 5 },
	{ .type = 'c', .path = "/dev/full", .major = 1, .minor = 7 },
	{ .type = 'c', .path = "/dev/random", .major = 1, .minor = 8 },
	{ .type = 'c', .path = "/dev/urandom", .major = 1, .minor = 9 },
	{ .type = 'c', .path = "/dev/tty", .major = 5, .minor = 0 },
};
// clang-format on

static mode_t type_bits(const struct device *d)
{
	if (d->type == 'p')
		return S_IFIFO;
	return d->type == 'b' ? S_IFBLK : S_IFCHR;
}

static bool is_device(const struct stat *st, const struct device *d)
{
	if ((st->st_mode & S_IFMT) != type_bits(d))
		return false;
	return d->type == 'p' || st->st_rdev == makedev((unsigned)d->major, (unsigned)d->minor);
}

/* As the kernel calls it, for hosts without udev; NULL: it knows none. */
static const char *kernel_name(const struct rootfs *r, const char *kind, const struct device *d)
{
	static const char key[] = "DEVNAME=";
	const char *path = arena_printf(r->arena, "/sys/dev/%s/%lld:%lld/uevent", kind,
					(long long)d->major, (long long)d->minor);
	const char *text, *name;
	struct err ignored;
	size_t len;

	if (file_read(r->arena, path, false, PATH_MAX, &text, &len, &ignored))
		return NULL;
	name = strstr(text, key);
	if (!name)
		return NULL;
	name += sizeof key - 1;
	return arena_printf(r->arena, "/dev/%.*s", (int)strcspn(name, "\n"), name);
}

/* The node of the host that is this device: under the same name, or one that udev or the kernel gives it. */
static int open_host_node(const struct rootfs *r, const struct device *d, struct err *e)
{
	const char *kind = d->type == 'b' ? "block" : "char";
	const char *by_number = arena_printf(r->arena, "/dev/%s/%lld:%lld", kind,
					     (long long)d->major, (long long)d->minor);
	const char *const names[] = { d->path, by_number, kernel_name(r, kind, d) };
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof names / sizeof names[0] && names[i]; i++) {
		const char *below = path_below(names[i], "/dev");
		autofd int fd = below ? openat(r->devices, below, O_PATH | O_CLOEXEC)
				      : open(names[i], O_PATH | O_CLOEXEC);

		if (fd >= 0 && !fstat(fd, &st) && is_device(&st, d))
			return fd_steal(&fd);
	}
	return fail(e, ENOENT, "the host has no such device");
}

/* A file to mount something on: made here, or an empty one that was there. */
static int open_mount_point(int dir, const char *name, mode_t mode, struct err *e)
{
	autofd int made =
		openat(dir, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_WRONLY, mode);
	autofd int fd = -1;
	struct stat st;

	if (made < 0 && errno != EEXIST)
		return fail(e, errno, "cannot be made");
	fd = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return fail(e, errno, "cannot be opened");
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		return fail(e, 0, "a file of another type is there");
	if (S_ISREG(st.st_mode) && st.st_size)
		return fail(e, 0, "another file is there");
	return fd_steal(&fd);
}

static int attach_node(int tree, int dir, const char *name, struct err *e)
{
	autofd int place = open_mount_point(dir, name, 0, e);

	if (place < 0)
		return -1;
	return mnt_attach(tree, place) ? fail(e, errno, "cannot be mounted") : 0;
}

/* Read-only, which devices can be written to all the same: mode and owner are the host's, and whoever has its
 * owner's number in a user namespace could change them for all of it. A policy that observes changes nothing.
 */
static int protect(const struct rootfs *r, int tree)
{
	if (r->plan->policy && r->plan->policy->mode == MODE_OBSERVE)
		return 0;
	return mnt_set(tree, MOUNT_ATTR_RDONLY, 0, false);
}

static int bind_node(struct rootfs *r, const struct device *d, int dir, const char *name,
		     struct err *e)
{
	autofd int node = open_host_node(r, d, e);
	autofd int tree = node < 0 ? -1 : mnt_bind(node, "", false);

	if (node < 0)
		return -1;
	if (tree < 0 || protect(r, tree))
		return fail(e, errno, "cannot bind the host's device");
	return attach_node(tree, dir, name, e);
}

static int own_node(const struct device *d, int dir, const char *name, struct err *e)
{
	uid_t uid = d->uid.set ? d->uid.v : (uid_t)-1;
	gid_t gid = d->gid.set ? d->gid.v : (gid_t)-1;

	if (!d->uid.set && !d->gid.set)
		return 0;
	return fchownat(dir, name, uid, gid, AT_SYMLINK_NOFOLLOW) ? fail(e, errno, "owner") : 0;
}

/* What bind_node() left in a root that has no /dev of its own, when it was used before. */
static bool is_left_behind(int dir, const char *name)
{
	struct stat st;

	return !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) &&
	       !st.st_size && !(st.st_mode & 07777);
}

/* node: a tree with nothing but it, or -1 */
static int make_node(struct rootfs *r, const struct device *d, int node, int dir, const char *name,
		     struct err *e)
{
	mode_t mode = (d->mode.set ? d->mode.v & 07777 : 0666) | type_bits(d), mask;
	int error = 0;
	struct stat st;

	if (!fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) && is_device(&st, d))
		return 0;
	if (node >= 0)
		return attach_node(node, dir, name, e);
	if (r->has_user_ns && d->type != 'p')
		return bind_node(r, d, dir, name, e);
	mask = umask(0);
	if (mknodat(dir, name, mode, makedev((unsigned)d->major, (unsigned)d->minor)))
		error = errno;
	umask(mask);
	if (d->type != 'p' && (error == EPERM || (error == EEXIST && is_left_behind(dir, name))))
		return bind_node(r, d, dir, name, e);
	if (error == EEXIST)
		return fail(e, 0, "another file is there");
	return error ? fail(e, error, "cannot be made") : own_node(d, dir, name, e);
}

static int add_device(struct rootfs *r, const struct device *d, int node, struct err *e)
{
	const char *path = rootfs_inside(r, d->path), *name;
	autofd int dir = -1;
	char folded[PATH_MAX];

	/* It is a link into the container's own devpts. */
	if (path_fold(path, folded, sizeof folded) && !strcmp(folded, "/dev/ptmx"))
		return 0;
	dir = path_parent(r->arena, r->fd, path, &name, e);
	if (dir >= 0 && !make_node(r, d, node, dir, name, e))
		return 0;
	return fail_in(e, "device %s", printable(r->arena, d->path, PATH_SHOWN));
}

static bool is_there(const struct rootfs *r, const char *path)
{
	autofd int fd = path_open(r->fd, path, O_PATH);

	return fd >= 0;
}

static int add_links(const struct rootfs *r, int dir, struct err *e)
{
	static const struct {
		const char *name, *target, *needs;
	} links[] = {
		{ "fd", "/proc/self/fd", "/proc/self/fd" },
		{ "stdin", "/proc/self/fd/0", "/proc/self/fd" },
		{ "stdout", "/proc/self/fd/1", "/proc/self/fd" },
		{ "stderr", "/proc/self/fd/2", "/proc/self/fd" },
		{ "core", "/proc/kcore", "/proc/kcore" },
	};
	static const char ptmx[] = "pts/ptmx";
	char target[sizeof ptmx + 1];
	size_t i;

	for (i = 0; i < sizeof links / sizeof links[0]; i++)
		if (is_there(r, links[i].needs) && symlinkat(links[i].target, dir, links[i].name) &&
		    errno != EEXIST)
			return fail(e, errno, "link /dev/%s", links[i].name);
	if (readlinkat(dir, "ptmx", target, sizeof target) == sizeof ptmx - 1 &&
	    !memcmp(target, ptmx, sizeof ptmx - 1))
		return 0;
	if ((unlinkat(dir, "ptmx", 0) && errno != ENOENT) || symlinkat(ptmx, dir, "ptmx"))
		return fail(e, errno, "link /dev/ptmx");
	return 0;
}

/* Then it is the host's, or somebody's who knows: nothing is to be made in there. */
static bool is_dev_bound(const struct rootfs *r)
{
	char folded[PATH_MAX];
	size_t i;

	for (i = 0; i < r->plan->n_mounts; i++) {
		const struct mount *m = r->plan->mounts[i];

		if (m->is_bind &&
		    path_fold(rootfs_inside(r, m->destination), folded, sizeof folded) &&
		    !strcmp(folded, "/dev"))
			return true;
	}
	return false;
}

/* The same for a root that is the host's own, /dev included. */
static bool is_dev_of_host(const struct rootfs *r)
{
	autofd int dir = path_open(r->fd, "/dev", O_PATH | O_DIRECTORY);
	struct stat ours, theirs;

	return dir >= 0 && !fstat(dir, &ours) && !fstat(r->devices, &theirs) &&
	       ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

int rootfs_devices(struct rootfs *r, struct err *e)
{
	autofd int dir = -1;
	size_t i;

	if (rootfs_shares_mounts(r) || is_dev_bound(r) || is_dev_of_host(r))
		return 0;
	for (i = 0; i < r->plan->n_devices; i++)
		if (add_device(r, r->plan->devices[i], r->nodes ? r->nodes[i] : -1, e))
			return -1;
	for (i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
		if (add_device(r, &defaults[i], -1, e))
			return -1;
	dir = path_make_dir(r->fd, "/dev", 0755, e);
	return dir < 0 ? fail_in(e, "/dev") : add_links(r, dir, e);
}

int rootfs_console(struct rootfs *r, int slave, struct err *e)
{
	const char *name;
	autofd int dir = path_parent(r->arena, r->fd, "/dev/console", &name, e);
	autofd int place = -1;
	autofd int tree = -1;

	if (rootfs_shares_mounts(r))
		return 0;
	if (dir < 0)
		return fail_in(e, "/dev/console");
	place = open_mount_point(dir, name, 0600, e);
	if (place < 0)
		return fail_in(e, "/dev/console");
	tree = mnt_bind(slave, "", false);
	if (tree < 0 || mnt_attach(tree, place))
		return fail(e, errno, "/dev/console: cannot bind the terminal");
	return 0;
}
