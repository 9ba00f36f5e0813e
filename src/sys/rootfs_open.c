// SPDX-License-Identifier: Apache-2.0
/* Sources of mounts, opened in the runtime's own namespaces as detached trees. */
#include "rootfs_work.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/glob.h"
#include "idmap.h"
#include "path.h"
#include "scan.h"
#include "../base/banned.h"

/* The canonical path of what is open, as the facts have it; NULL: it is on no file system. */
static const char *canonical(struct arena *a, int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t n = readlink(fd_path(fd, link), path, sizeof path - 1);

	return n > 0 && path[0] == '/' ? arena_strndup(a, path, (size_t)n) : NULL;
}

static int changed(struct err *e)
{
	return fail(e, 0, "the source changed while it was looked at");
}

/* Opens what the plan was made for: that path, with no link on the way, and that type of file. */
static int open_judged(struct rootfs *r, const struct mount *m, const struct mount_facts *mf,
		       struct err *e)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
				.resolve = RESOLVE_NO_SYMLINKS };
	autofd int bundle = -1;
	autofd int fd = -1;
	const char *path;
	struct stat st;

	if (mf->source) {
		fd = (int)syscall(SYS_openat2, AT_FDCWD, mf->source, &how, sizeof how);
	} else {
		bundle = open(r->bundle, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (bundle < 0)
			return fail(e, errno, "bundle");
		fd = openat(bundle, m->source, O_PATH | O_CLOEXEC);
	}
	if (fd < 0 && (errno == ELOOP || (errno == ENOENT && mf->type != FILE_MISSING)))
		return changed(e);
	if (fd < 0 || fstat(fd, &st))
		return fail(e, errno, "source");
	path = canonical(r->arena, fd);
	if (scan_type(st.st_mode) != mf->type || !path != !mf->source ||
	    (path && strcmp(path, mf->source) != 0))
		return changed(e);
	return fd_steal(&fd);
}

/* What a container mounts below it is to be seen by the host, as storage drivers do: the bundle says so
 * twice, of the mount and of the root, and nobody else is in between.
 */
static bool goes_back(const struct rootfs *r, size_t i)
{
	const struct mount_opts *o = &r->mounts[i].opts;
	unsigned k;

	for (k = 0; k < o->n_propagation; k++)
		if (o->propagation[k] & MS_SHARED)
			return !r->has_user_ns &&
			       (unsigned long)r->plan->bundle->lin.rootfs_propagation & MS_SHARED;
	return false;
}

/* What the host mounts there later has been judged by nobody: it is seen only if the bundle asks for that, and
 * nothing goes the other way. A copy of a shared mount would be shared with the host.
 */
static unsigned long propagation(const struct rootfs *r, size_t i)
{
	const struct mount_opts *o = &r->mounts[i].opts;
	unsigned long asked = (unsigned long)r->plan->bundle->lin.rootfs_propagation;
	unsigned k;

	for (k = 0; k < o->n_propagation; k++)
		asked |= o->propagation[k];
	if (asked & (MS_SLAVE | MS_SHARED))
		return MS_SLAVE | MS_REC;
	return (r->plan->private_mounts ? MS_PRIVATE : MS_SLAVE) | MS_REC;
}

int rootfs_open_source(struct rootfs *r, size_t i, struct err *e)
{
	const struct mount *m = r->plan->mounts[i];
	const struct mount_facts *mf = &r->plan->facts->mounts[m - r->plan->bundle->mounts.v];
	autofd int fd = open_judged(r, m, mf, e);
	autofd int tree = -1;

	if (fd < 0)
		return -1;
	tree = mnt_bind(fd, "", r->mounts[i].opts.flags & MS_REC);
	if (tree < 0)
		return fail(e, errno, "cannot copy the source");
	if (!goes_back(r, i) && mnt_propagate(tree, propagation(r, i)))
		return fail(e, errno, "propagation");
	return fd_steal(&tree);
}

/* The namespace of a mount's own mappings, else of the container's. */
static int open_mappings(struct rootfs *r, size_t i, int user_ns, struct err *e)
{
	const struct plan *p = r->plan;
	const struct mount *m = p->mounts[i], *before = i ? p->mounts[i - 1] : NULL;
	const struct id_maps *uids = &m->uid_maps, *gids = &m->gid_maps;

	if (!m->uid_maps.n) {
		if (user_ns >= 0)
			return fcntl(user_ns, F_DUPFD_CLOEXEC, 3);
		uids = &p->uid_maps;
		gids = &p->gid_maps;
		if (!uids->n || !gids->n)
			return fail(e, 0,
				    "idmap needs mappings (give uidMappings and gidMappings, or a "
				    "user namespace)");
	} else if (before && r->mounts[i - 1].user_ns >= 0 && idmap_same(&before->uid_maps, uids) &&
		   idmap_same(&before->gid_maps, gids)) {
		return fcntl(r->mounts[i - 1].user_ns, F_DUPFD_CLOEXEC, 3);
	}
	return idmap_make(r->arena, uids, gids, e);
}

static int map_tree(const struct rootfs_mount *w, struct err *e)
{
	if (!mnt_idmap(w->source, w->user_ns, w->opts.idmap_recursive))
		return 0;
	return fail(e, errno, "cannot map its ids%s",
		    errno == EINVAL ? " (the file system may not know idmapped mounts)" : "");
}

/* Where in the root a source is, or will be once earlier mounts are made; NULL: elsewhere. */
static const char *find_inside(const struct rootfs *r, const struct mount *m,
			       const struct mount_facts *mf)
{
	const char *path = mf->source;
	char folded[PATH_MAX];

	if (!path && mf->type == FILE_MISSING) {
		path = m->source[0] == '/' ? m->source
					   : arena_printf(r->arena, "%s/%s", r->bundle, m->source);
		path = path_fold(path, folded, sizeof folded) ? folded : NULL;
	}
	/* A root that is the host's own: its files are where they were, whatever is mounted over it. */
	path = path && r->path[1] ? path_below(path, r->path) : NULL;
	return path ? arena_strdup(r->arena, path) : NULL;
}

static int open_bind(struct rootfs *r, size_t i, int user_ns, struct err *e)
{
	const struct mount *m = r->plan->mounts[i];
	const struct mount_facts *mf = &r->plan->facts->mounts[m - r->plan->bundle->mounts.v];
	struct rootfs_mount *w = &r->mounts[i];

	if (!m->source || !*m->source)
		return fail(e, 0, "a bind needs a source");
	if (w->opts.idmap) {
		w->user_ns = open_mappings(r, i, user_ns, e);
		if (w->user_ns < 0)
			return -1;
	}
	w->inside = find_inside(r, m, mf);
	/* A child with the same rights opens it in its turn: the kernel lists mounts in the order of their making. */
	if (w->inside || (!r->has_user_ns && !w->opts.idmap && !goes_back(r, i)))
		return 0;
	w->source = rootfs_open_source(r, i, e);
	/* Who may not mount here may do so in a namespace of its own: the child opens it. */
	if (w->source < 0 && e->errnum == EPERM && r->has_user_ns)
		return 0;
	if (w->source < 0)
		return -1;
	return w->user_ns >= 0 ? map_tree(w, e) : 0;
}

static int open_one(struct rootfs *r, size_t i, int user_ns, struct err *e)
{
	const struct mount *m = r->plan->mounts[i];
	struct rootfs_mount *w = &r->mounts[i];

	*w = (struct rootfs_mount){ .source = -1, .user_ns = -1 };
	if (mount_opts_read(r->arena, m, &w->opts, e))
		return -1;
	if (w->opts.flags & MS_REMOUNT)
		return 0;
	if (m->is_bind)
		return open_bind(r, i, user_ns, e);
	if (w->opts.idmap)
		return fail(e, 0, "only binds can have mappings");
	if (!m->type || !*m->type)
		return fail(e, 0, "no type");
	return 0;
}

static bool needs_helper(const struct rootfs *r)
{
	size_t i;

	for (i = 0; i < r->plan->n_mounts; i++)
		if (r->has_user_ns && r->mounts[i].inside && r->mounts[i].user_ns >= 0)
			return true;
	return false;
}

int rootfs_open(struct rootfs *r, int user_ns, struct err *e)
{
	const struct mount *m;
	size_t i;

	r->devices = r->null = r->fd = r->helper = -1;
	r->readonly = arena_array(r->arena, r->plan->n_mounts + 1, sizeof *r->readonly);
	r->n_readonly = 0;
	r->mounts = arena_array(r->arena, r->plan->n_mounts + 1, sizeof *r->mounts);
	for (i = 0; i < r->plan->n_mounts; i++)
		r->mounts[i].source = r->mounts[i].user_ns = -1;
	r->label =
		access("/sys/fs/selinux/enforce", F_OK) ? NULL : r->plan->bundle->lin.mount_label;
	if (rootfs_shares_mounts(r))
		return 0;
	for (i = 0; i < r->plan->n_mounts; i++) {
		m = r->plan->mounts[i];
		if (open_one(r, i, user_ns, e))
			return fail_in(e, "%s: error mounting %s", json_path(r->arena, m->at),
				       printable(r->arena, m->destination, PATH_SHOWN));
	}
	rootfs_make_nodes(r);
	return needs_helper(r) ? rootfs_helper_start(r, e) : 0;
}

void rootfs_close(struct rootfs *r)
{
	size_t i;

	for (i = 0; r->mounts && i < r->plan->n_mounts; i++) {
		fd_cleanup(&r->mounts[i].source);
		fd_cleanup(&r->mounts[i].user_ns);
	}
	for (i = 0; r->nodes && i < r->plan->n_devices; i++)
		fd_cleanup(&r->nodes[i]);
	fd_cleanup(&r->helper);
	fd_cleanup(&r->devices);
	fd_cleanup(&r->null);
	fd_cleanup(&r->fd);
}
