// SPDX-License-Identifier: Apache-2.0
/* The plan's mounts, in the listed order, each on a place that was opened in the root. */
#include "rootfs_work.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/glob.h"
#include "path.h"
#include "../base/banned.h"

enum { ATIME_FLAGS = MS_NOATIME | MS_RELATIME | MS_STRICTATIME | MS_NODIRATIME };

/* Flags that a user namespace cannot take from a mount of its parent. */
static const uint64_t lockable =
	MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
static const uint64_t all_atime = MOUNT_ATTR__ATIME | MOUNT_ATTR_NODIRATIME;

static bool is_type(const struct mount *m, const char *type)
{
	return !m->is_bind && !strcmp(m->type, type);
}

const char *rootfs_inside(const struct rootfs *r, const char *path)
{
	char folded[PATH_MAX];
	const char *below = NULL;

	if (r->path[1] && path_fold(path, folded, sizeof folded))
		below = path_below(folded, r->path);
	return below ? arena_printf(r->arena, "/%s", below) : path;
}

/* What programs and this runtime itself believe of /proc must come from the kernel. Single files may be replaced
 * by those of lxcfs.
 */
static int check_proc(const struct mount *m, const char *real, int tree, struct err *e)
{
	static const char *const replaceable[] = {
		"cpuinfo",
		"diskstats",
		"loadavg",
		"meminfo",
		"slabinfo",
		"stat",
		"swaps",
		"uptime",
		"sys/kernel/ns_last_pid",
		"sys/crypto/fips_enabled",
	};
	const char *below = path_below(real, "/proc");
	struct statfs fs;
	size_t i;

	if (!below)
		return 0;
	if (!*below) {
		if (is_type(m, "proc") || (m->is_bind && tree >= 0 && !fstatfs(tree, &fs) &&
					   fs.f_type == PROC_SUPER_MAGIC))
			return 0;
		return fail(e, 0, "cannot be mounted because it is not of type proc");
	}
	for (i = 0; i < sizeof replaceable / sizeof replaceable[0]; i++)
		if (m->is_bind && !strcmp(below, replaceable[i]))
			return 0;
	return fail(e, 0, "cannot be mounted because it is inside /proc");
}

static void place_close(struct place *p)
{
	fd_cleanup(&p->fd);
}
#define autoplace __attribute__((cleanup(place_close)))

/* A link in place of /proc or /sys would leave the masks on something else. */
static int open_ordinary(struct rootfs *r, const struct mount *m, struct place *p, struct err *e)
{
	const char *where = is_type(m, "proc") ? "/proc" : "/sys";
	const char *dest = rootfs_inside(r, m->destination);

	if (dest[0] != '/')
		dest = arena_printf(r->arena, "/%s", dest);
	if (!path_fold(dest, p->real, sizeof p->real) || strcmp(p->real, where) != 0)
		return fail(e, 0, "%s must be mounted on ordinary directory %s", m->type, where);
	p->fd = path_open_real(r->fd, where, O_PATH | O_DIRECTORY);
	if (p->fd < 0 && errno == ENOENT)
		p->fd = path_make(r->fd, where, PATH_DIR, 0755, p->real);
	if ((p->fd < 0 && (errno == ELOOP || errno == ENOTDIR)) || strcmp(p->real, where) != 0)
		return fail(e, 0, "%s must be mounted on ordinary directory %s", m->type, where);
	return p->fd < 0 ? fail(e, errno, "cannot make its place") : 0;
}

/* The kernel would only say that an argument is invalid. */
static int check_kinds(bool is_dir, const struct place *p, struct err *e)
{
	struct stat st;

	if (fstat(p->fd, &st))
		return fail(e, errno, "cannot look at its place");
	if (is_dir && !S_ISDIR(st.st_mode))
		return fail(e, ENOTDIR, "a directory on something else");
	if (!is_dir && S_ISDIR(st.st_mode))
		return fail(e, EISDIR, "a file on a directory");
	return 0;
}

static int open_place(struct rootfs *r, const struct mount *m, int tree, struct place *p,
		      struct err *e)
{
	const char *dest = rootfs_inside(r, m->destination);
	bool is_dir = true;
	struct stat st;
	int there;

	if (is_type(m, "proc") || is_type(m, "sysfs"))
		return open_ordinary(r, m, p, e);
	if (tree >= 0) {
		if (fstat(tree, &st))
			return fail(e, errno, "source");
		is_dir = S_ISDIR(st.st_mode);
	}
	there = path_open(r->fd, dest, O_PATH);
	p->is_new = there < 0;
	if (there >= 0)
		close(there);
	p->fd = path_make(r->fd, dest, p->is_new && is_dir ? PATH_DIR : PATH_FILE,
			  is_dir ? 0755 : 0644, p->real);
	if (p->fd < 0)
		return fail(e, errno, "cannot make its place");
	return check_proc(m, p->real, tree, e) || check_kinds(is_dir, p, e) ? -1 : 0;
}

static uint64_t atime_attr(unsigned long flags)
{
	uint64_t attr = flags & MS_NODIRATIME ? MOUNT_ATTR_NODIRATIME : 0;

	if (flags & MS_NOATIME)
		return attr | MOUNT_ATTR_NOATIME;
	return flags & MS_STRICTATIME ? attr | MOUNT_ATTR_STRICTATIME : attr;
}

/* A user namespace that the bundle does not ask for is not to be noticed: how access times are kept gives no
 * power over the host, and the kernel allows it for trees that the runtime opened.
 */
static bool may_set_atime(const struct rootfs *r, int tree, uint64_t atime)
{
	return !r->plan->bundle->lin.ns[NS_USER].listed && !mnt_set(tree, atime, all_atime, false);
}

/* set_flags - flags of a bind, as runc has them
 * Without any option all stay as the source's are. With any, those that are not asked for go, but for
 * access times, which stay unless one is set. In a user namespace what the source has is locked: it stays, and
 * to ask for its opposite is an error. Trees that the runtime opened have no locks yet, hence the check here.
 */
static int set_flags(const struct rootfs *r, const struct mount_opts *o, int tree, struct err *e)
{
	const uint64_t plain = lockable | MOUNT_ATTR_NOSYMFOLLOW;
	const bool asks_atime = o->flags & ATIME_FLAGS;
	uint64_t want = o->attr_set & plain, clear = plain & ~want, has, atime = 0;

	if (!o->attr_set && !o->attr_clear)
		return 0;
	if (asks_atime) {
		atime = atime_attr(o->flags);
		clear |= all_atime;
	}
	if (mnt_attr(tree, &has))
		return fail(e, errno, "flags");
	if (!r->has_user_ns && !mnt_set(tree, want | atime, clear, false))
		return 0;
	if (!r->has_user_ns && errno != EPERM)
		return fail(e, errno, "flags");
	if (asks_atime && atime != (has & all_atime) && !may_set_atime(r, tree, atime))
		return fail(e, EPERM, "cannot change locked access times");
	if (has & lockable & ~want & o->attr_clear)
		return fail(e, EPERM, "cannot clear locked flags");
	if (mnt_set(tree, want, MOUNT_ATTR_NOSYMFOLLOW & ~want, false))
		return fail(e, errno, "flags");
	return 0;
}

/* Read-only comes last where devices and places of other mounts are still to be made. */
static bool is_filled_later(const struct mount *m, const struct place *p)
{
	return is_type(m, "tmpfs") || !strcmp(p->real, "/dev");
}

static int finish(struct rootfs *r, const struct mount *m, const struct rootfs_mount *w,
		  bool is_attached, int tree, const struct place *p, struct err *e)
{
	const struct mount_opts *o = &w->opts;
	unsigned i;

	if (mnt_set(tree, o->rec_set, o->rec_clear, true))
		return fail(e, errno, "recursive flags");
	for (i = 0; i < o->n_propagation; i++)
		if (mnt_propagate(tree, o->propagation[i]))
			return fail(e, errno, "propagation");
	if (!is_attached && mnt_attach(tree, p->fd))
		return fail(e, errno, "cannot attach");
	if ((o->attr_set & MOUNT_ATTR_RDONLY) && is_filled_later(m, p) &&
	    rootfs_readonly_later(r, tree, e))
		return -1;
	/* Over the root itself: what follows goes into what is seen. */
	if (!p->real[1]) {
		fd_cleanup(&r->fd);
		r->fd = fcntl(tree, F_DUPFD_CLOEXEC, 3);
		if (r->fd < 0)
			return fail(e, errno, "root");
	}
	return 0;
}

/* Where in the root an open file is, as the host names it. */
static const char *real_inside(const struct rootfs *r, int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t n = readlink(fd_path(fd, link), path, sizeof path - 1);
	const char *below;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	below = path_below(path, r->path);
	return below ? arena_printf(r->arena, "/%s", below) : NULL;
}

/* What is in the root is seen with all that was mounted there before. */
static int open_inside(struct rootfs *r, size_t i, struct err *e)
{
	struct rootfs_mount *w = &r->mounts[i];
	autofd int fd = path_open(r->fd, w->inside, O_PATH);
	autofd int tree = -1;

	if (fd < 0)
		return fail(e, errno, "source");
	w->from = real_inside(r, fd);
	if (!w->from)
		return fail(e, 0, "the source is not in the root");
	tree = mnt_bind(fd, "", w->opts.flags & MS_REC);
	if (tree < 0)
		return fail(e, errno, "cannot copy the source");
	if (w->user_ns >= 0 && r->helper >= 0 && rootfs_helper_idmap(r, i, tree, e))
		return -1;
	if (w->user_ns >= 0 && r->helper < 0 &&
	    mnt_idmap(tree, w->user_ns, w->opts.idmap_recursive))
		return fail(e, errno, "cannot map its ids");
	return fd_steal(&tree);
}

static int open_tree_of(struct rootfs *r, size_t i, struct err *e)
{
	struct rootfs_mount *w = &r->mounts[i];

	if (w->inside)
		return open_inside(r, i, e);
	return w->source >= 0 ? fd_steal(&w->source) : rootfs_open_source(r, i, e);
}

static int mount_bind(struct rootfs *r, size_t i, struct err *e)
{
	const struct mount *m = r->plan->mounts[i];
	struct rootfs_mount *w = &r->mounts[i];
	autofd int tree = open_tree_of(r, i, e);
	struct mount_opts now = w->opts;
	autoplace struct place p = { .fd = -1 };

	if (tree < 0 || open_place(r, m, tree, &p, e))
		return -1;
	w->at = arena_strdup(r->arena, p.real);
	if (is_filled_later(m, &p))
		now.attr_set &= ~(uint64_t)MOUNT_ATTR_RDONLY;
	if (set_flags(r, &now, tree, e))
		return -1;
	return finish(r, m, w, false, tree, &p, e);
}

static bool has_option(const struct strings *list, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < list->n; i++)
		if (!strncmp(list->v[i], name, len) && (!list->v[i][len] || list->v[i][len] == '='))
			return true;
	return false;
}

/* A terminal's group that the user namespace does not have is none: the mount would fail for it. */
static bool is_foreign_group(const struct rootfs *r, const struct mount *m, const char *option)
{
	const struct id_maps *maps = &r->plan->gid_maps;
	uint64_t gid;
	size_t i;

	if (!is_type(m, "devpts") || !maps->n || strncmp(option, "gid=", 4) != 0 ||
	    !parse_u64(option + 4, strlen(option + 4), &gid))
		return false;
	for (i = 0; i < maps->n; i++)
		if (gid >= maps->v[i].container_id &&
		    gid - maps->v[i].container_id < maps->v[i].size)
			return false;
	return true;
}

/* What fsopen(2) and fsmount(2) take for a mount of the plan. */
static struct mnt_fs describe(const struct rootfs *r, const struct mount *m,
			      const struct rootfs_mount *w, const struct place *p)
{
	const char *label = r->label;
	struct mnt_fs fs = { m->type, m->source, { 0 }, { 0 }, w->opts.attr_set };
	struct stat st;
	size_t i;

	if (is_filled_later(m, p))
		fs.attr &= ~(uint64_t)MOUNT_ATTR_RDONLY;
	for (i = 0; i < w->opts.super.n; i++)
		if (!is_filled_later(m, p) || strcmp(w->opts.super.v[i], "ro") != 0)
			*arena_push(r->arena, fs.super.v, fs.super.n) = w->opts.super.v[i];
	if (is_type(m, "tmpfs") && !p->is_new && !has_option(&w->opts.data, "mode") &&
	    !fstat(p->fd, &st))
		*arena_push(r->arena, fs.data.v, fs.data.n) =
			arena_printf(r->arena, "mode=%04o", st.st_mode & 07777);
	for (i = 0; i < w->opts.data.n; i++)
		if (!is_foreign_group(r, m, w->opts.data.v[i]))
			*arena_push(r->arena, fs.data.v, fs.data.n) = w->opts.data.v[i];
	if (label && *label && !is_type(m, "proc") && !is_type(m, "sysfs") && !is_type(m, "mqueue"))
		*arena_push(r->arena, fs.data.v, fs.data.n) =
			arena_printf(r->arena, "context=%s", label);
	return fs;
}

/* Values that fsconfig(2) does not take, as long lists of layers: mount(2) on the place, by descriptor. */
static int mount_long(struct rootfs *r, const struct rootfs_mount *w, const struct mnt_fs *fs,
		      const struct place *p, struct err *e)
{
	unsigned long flags = w->opts.flags & ~(unsigned long)(MS_REC | MS_SILENT);
	char path[32];
	struct str data;
	size_t i;
	int fd;

	str_init(&data, r->arena, 64 * 1024);
	for (i = 0; i < fs->data.n; i++)
		str_printf(&data, "%s%s", i ? "," : "", fs->data.v[i]);
	if (data.overflow)
		return fail(e, E2BIG, "options");
	if (mount(fs->source ? fs->source : fs->type, fd_path(p->fd, path), fs->type, flags,
		  data.s))
		return fail(e, errno, "cannot mount the file system");
	fd = path_open_real(r->fd, p->real, O_PATH);
	return fd < 0 ? fail(e, errno, "cannot open the file system") : fd;
}

/* With a network of its owner's, a user namespace may not mount sysfs. What it could see of the host's anyway
 * is then shown, all of it read-only, and only if read-only is what was asked for.
 */
static int bind_sysfs(const struct rootfs_mount *w, struct err *e)
{
	const uint64_t safe =
		MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
	autofd int tree = -1;

	if (!(w->opts.attr_set & MOUNT_ATTR_RDONLY))
		return -1;
	tree = mnt_bind(AT_FDCWD, "/sys", true);
	if (tree < 0 || mnt_set(tree, safe, 0, true) || mnt_propagate(tree, MS_PRIVATE | MS_REC))
		return fail(e, errno, "cannot bind the host's /sys");
	return fd_steal(&tree);
}

static int label_queue(const struct rootfs *r, const struct mount *m, int tree, struct err *e)
{
	const char *label = r->label;
	char path[32];

	if (!label || !*label || !is_type(m, "mqueue"))
		return 0;
	return setxattr(fd_path(tree, path), "security.selinux", label, strlen(label) + 1, 0)
		       ? fail(e, errno, "label")
		       : 0;
}

static int mount_fs(struct rootfs *r, size_t i, const struct place *p, struct err *e)
{
	const struct mount *m = r->plan->mounts[i];
	struct rootfs_mount *w = &r->mounts[i];
	const struct mnt_fs fs = describe(r, m, w, p);
	bool is_long = mnt_is_long(&fs);
	autofd int tree = is_long ? mount_long(r, w, &fs, p, e) : mnt_fs(&fs, e);

	if (tree < 0 && e->errnum == EPERM && is_type(m, "sysfs"))
		tree = bind_sysfs(w, e);
	if (tree < 0)
		return -1;
	if (is_type(m, "tmpfs") && w->opts.tmpcopyup && !p->is_new && rootfs_copy(p->fd, tree, e))
		return -1;
	if (label_queue(r, m, tree, e))
		return -1;
	return finish(r, m, w, is_long, tree, p, e);
}

static int mount_new(struct rootfs *r, size_t i, struct err *e)
{
	const struct mount *m = r->plan->mounts[i];
	autoplace struct place p = { .fd = -1 };

	if (open_place(r, m, -1, &p, e))
		return -1;
	if (is_type(m, "cgroup") || is_type(m, "cgroup2"))
		return rootfs_mount_cgroup(r, i, p.fd, e);
	return mount_fs(r, i, &p, e);
}

/* Other flags and options for what is mounted there already. */
static int remount(struct rootfs *r, size_t i, struct err *e)
{
	const struct mount *m = r->plan->mounts[i];
	const struct mount_opts *o = &r->mounts[i].opts;
	struct mnt_fs fs = { m->type ? m->type : "", NULL, o->super, o->data, 0 };
	autofd int fd = path_open(r->fd, rootfs_inside(r, m->destination), O_PATH);
	unsigned k;

	if (fd < 0)
		return fail(e, errno, "cannot open it");
	if (set_flags(r, o, fd, e))
		return -1;
	if (!m->is_bind && (fs.super.n || fs.data.n) && mnt_reconfigure(fd, &fs, e))
		return -1;
	if (mnt_set(fd, o->rec_set, o->rec_clear, true))
		return fail(e, errno, "recursive flags");
	for (k = 0; k < o->n_propagation; k++)
		if (mnt_propagate(fd, o->propagation[k]))
			return fail(e, errno, "propagation");
	return 0;
}

static int mount_one(struct rootfs *r, size_t i, struct err *e)
{
	if (r->mounts[i].opts.flags & MS_REMOUNT)
		return remount(r, i, e);
	return r->plan->mounts[i]->is_bind ? mount_bind(r, i, e) : mount_new(r, i, e);
}

int rootfs_mounts(struct rootfs *r, struct err *e)
{
	const struct mount *m;
	size_t i;

	for (i = 0; !rootfs_shares_mounts(r) && i < r->plan->n_mounts; i++) {
		m = r->plan->mounts[i];
		if (mount_one(r, i, e))
			return fail_in(e, "%s: error mounting %s", json_path(r->arena, m->at),
				       printable(r->arena, m->destination, PATH_SHOWN));
		fd_cleanup(&r->mounts[i].user_ns);
	}
	return 0;
}
