/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of making a root share. */
#ifndef SYS_ROOTFS_WORK_H
#define SYS_ROOTFS_WORK_H

#include <limits.h>

#include "../core/mount_opts.h"
#include "mnt.h"
#include "rootfs.h"

enum { PATH_SHOWN = 160 };

struct rootfs_mount {
	struct mount_opts opts;
	int source;            /* of a bind: a detached tree; -1: the child opens it */
	int user_ns;           /* whose mappings it is shown through; -1: none, or done already */
	const char *inside;    /* of a bind of what is in the root itself: where, from there */
	const char *from, *at; /* of such a bind: both places, with no link in them */
};

/* Where a mount goes: made, resolved, and never looked up again. */
struct place {
	int fd;              /* O_PATH */
	char real[PATH_MAX]; /* from the root, with no link in it */
	bool is_new;         /* it was not there before */
};

/* The source of a bind as a detached tree: what the plan was made for, or an error. */
int rootfs_open_source(struct rootfs *r, size_t mount, struct err *e);

/* The bundle has no mount namespace, and the policy leaves it at that: nothing may be mounted where
 * the host would see it, and the root is only changed.
 */
static inline bool rootfs_shares_mounts(const struct rootfs *r)
{
	return !r->plan->ns[NS_MOUNT].listed;
}

/* A destination as a path in the root; some callers give the host's. */
const char *rootfs_inside(const struct rootfs *r, const char *path);

/* A mount that is to be read-only once everything is in it. */
int rootfs_readonly_later(struct rootfs *r, int mnt, struct err *e);

/* The tree of cgroups as the container may see it, on its place. */
int rootfs_mount_cgroup(struct rootfs *r, size_t mount, int place, struct err *e);

/* Copies what is in the directory behind from into the one behind to. */
int rootfs_copy(int from, int to, struct err *e);

/* The plan's devices, where the runtime may make them and the child may not. */
void rootfs_make_nodes(struct rootfs *r);

/* Asks who may to map the ids of a detached tree. */
int rootfs_helper_start(struct rootfs *r, struct err *e);
int rootfs_helper_idmap(struct rootfs *r, size_t mount, int tree, struct err *e);

#endif
