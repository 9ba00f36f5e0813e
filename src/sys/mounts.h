/* SPDX-License-Identifier: Apache-2.0 */
/* The mounts of this namespace: what lies below a directory, and where a mount comes from. */
#ifndef SYS_MOUNTS_H
#define SYS_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../core/fields.h"

struct mounted {
	const char *point; /* where, in this namespace */
	const char *root;  /* what of its file system */
	const char *dev;   /* "8:1" */
	const char *type;
	unsigned id;
};
struct mounts_here {
	struct mounted *v;
	size_t n;
};

int mounts_read(struct arena *a, struct mounts_here *all, struct err *e);

/* The text of mountinfo, as mounts_read() has it from the kernel; lines that are none are left out. */
void mounts_parse(struct arena *a, const char *text, struct mounts_here *all);

/* The mount that an open file is on; NULL: it is not known. */
const struct mounted *mounts_of(const struct mounts_here *all, int fd);

/* Other paths of what is called "path" on that mount: a directory that is mounted a second time has the names of
 * its first place, too.
 */
struct strings mounts_names(struct arena *a, const struct mounts_here *all, const struct mounted *m,
			    const char *path);

#endif
