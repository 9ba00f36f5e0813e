/* SPDX-License-Identifier: Apache-2.0 */
/* The container's root: mounts, devices, links, masks, and the way into it. */
#ifndef SYS_ROOTFS_H
#define SYS_ROOTFS_H

#include "../core/plan.h"
#include "cgroup.h"

struct rootfs_mount; /* what is opened for one mount of the plan */

/* Filled in by the runtime before it clones, up to has_user_ns; the rest is zero or -1 and ours.
 * All of it happens in a mount namespace of the container's own.
 */
struct rootfs {
	struct arena *arena;
	const struct plan *plan;
	const char *path;   /* absolute and canonical, of root.path on the host */
	const char *bundle; /* absolute, of the bundle */
	const struct cgroup *cgroup;
	bool has_user_ns; /* new or joined: nodes cannot be made by the child */

	const char *label;           /* of mounts, where the kernel has SELinux; else NULL */
	struct rootfs_mount *mounts; /* one for each of the plan */
	int *nodes;                  /* devices of the plan, made already; -1: not */
	int devices;                 /* /dev of the host, O_PATH, for binds of nodes */
	int null;                    /* the host's own null device, a detached tree, for masks */
	int fd;                      /* the new root; set by rootfs_begin() */
	int helper;    /* a socket to who may map ids for a child that may not; or -1 */
	int *readonly; /* mounts that are to be read-only when all is in them */
	size_t n_readonly;
};

/* rootfs_open - in the runtime, in its own namespaces
 * Opens every source that the mapped root may not be able to reach. A source below the root's own
 * directory stays -1: what earlier mounts put there is seen from inside only. Mappings of mounts
 * are applied here, where there is the privilege for it; user_ns is the container's, or -1.
 */
int rootfs_open(struct rootfs *r, int user_ns, struct err *e);
void rootfs_close(struct rootfs *r); /* in the runtime, when the child is there or will not be */

/* All below in the child, in this order, each with its own errors. */
int rootfs_begin(struct rootfs *r, struct err *e);  /* propagation; the root bound on itself */
int rootfs_mounts(struct rootfs *r, struct err *e); /* in the listed order */
int rootfs_devices(struct rootfs *r,
		   struct err *e); /* nodes of the bundle and the six of the spec, links */
int rootfs_console(struct rootfs *r, int slave, struct err *e); /* the terminal on /dev/console */
int rootfs_pivot(struct rootfs *r, struct err *e); /* into it; nothing of the old one remains */
int rootfs_masks(struct rootfs *r,
		 struct err *e); /* masked and read-only paths, read-only root, propagation */
int rootfs_chdir(const char *cwd, struct err *e); /* made when missing; must be in the root */

#endif
