/* SPDX-License-Identifier: Apache-2.0 */
/* One mount: made detached, given its attributes, then put in its place by descriptor. */
#ifndef SYS_MNT_H
#define SYS_MNT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/err.h"
#include "../core/fields.h"

/* A file system to be made: fsopen(2), fsconfig(2), fsmount(2). */
struct mnt_fs {
	const char *type, *source;
	struct strings super, data; /* flags of the superblock; "name=value" and "name" */
	uint64_t attr;              /* MOUNT_ATTR_* */
};

/* mnt_fs - a detached mount of it
 * The kernel's own words are in the error, unless they repeat what an option is set to. Values
 * of more than MNT_VALUE_MOST bytes do not go through fsconfig(2): mnt_is_long().
 */
enum { MNT_VALUE_MOST = 255 };
int mnt_fs(const struct mnt_fs *fs, struct err *e);
bool mnt_is_long(const struct mnt_fs *fs);

/* What is at path below dir ("": dir itself) as a detached copy. -1 with errno, as all that follow. */
int mnt_bind(int dir, const char *path, bool recursive);
int mnt_attach(int mnt, int place);
int mnt_set(int mnt, uint64_t set, uint64_t clear, bool recursive);
int mnt_propagate(int mnt, unsigned long how); /* MS_SHARED ..., with MS_REC: all below too */
int mnt_idmap(int mnt, int user_ns, bool recursive);

/* The superblock of what is mounted there gets other flags and options. */
int mnt_reconfigure(int mnt, const struct mnt_fs *fs, struct err *e);

/* MOUNT_ATTR_* of the mount that fd is on. */
int mnt_attr(int fd, uint64_t *attr);

#endif
