/* SPDX-License-Identifier: Apache-2.0 */
/* A mount's options, sorted by the kernel interface that takes each. */
#ifndef CORE_MOUNT_OPTS_H
#define CORE_MOUNT_OPTS_H

#include "bundle.h"

struct mount_opts {
	unsigned long flags;           /* MS_*: MS_BIND, MS_REC, MS_REMOUNT and the superblock's */
	uint64_t attr_set, attr_clear; /* MOUNT_ATTR_* of the mount itself */
	uint64_t rec_set, rec_clear;   /* of it and all below */
	unsigned long propagation[4];  /* MS_SHARED ..., in the order in which they were given */
	unsigned n_propagation;
	bool idmap, idmap_recursive, tmpcopyup;
	struct strings super; /* flags of the file system for fsconfig(2): "ro", "sync" */
	struct strings data;  /* its own options: "size=64k", "newinstance" */
};

/* Pure; only an option that is too much (more than four propagations, say) is an error. */
int mount_opts_read(struct arena *a, const struct mount *m, struct mount_opts *o, struct err *e);

#endif
