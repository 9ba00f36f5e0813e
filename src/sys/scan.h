/* SPDX-License-Identifier: Apache-2.0 */
/* Finding credential files below a directory: known paths directly, or everything within a budget. */
#ifndef SYS_SCAN_H
#define SYS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/arena.h"
#include "../core/facts.h"
#include "../core/policy.h"

/* A directory that is to be searched, and what came of it. */
struct scan {
	struct arena *arena;
	int fd;             /* of the directory; O_PATH will do */
	const char *host;   /* its canonical path, what the path rules judge; "/" for an image */
	const char *inside; /* where the workload sees it */
	bool is_image;     /* a root file system of its own, with empty files and locked accounts */
	bool is_root_tree; /* set by scan_known(): a root file system that is mounted somewhere */
	const struct policy *policy; /* its paths.mask count too; NULL: none */

	struct found *found;
	size_t n_found;
	struct many_names *many; /* files among them that have other names, too */
	size_t n_many;
	size_t budget;                 /* entries that may still be looked at */
	bool incomplete;               /* the budget or the depth was not enough */
	void (*progress)(size_t seen); /* may be NULL */
	size_t seen;
};

/* Does the directory look like the root of a system? */
bool scan_is_root_tree(int fd);

/* Looks for the known paths: costs by rules and by the few directories they are in. Paths of the
 * policy are found wherever they are, patterns with wildcards only in these directories.
 */
void scan_known(struct scan *s);

/* Looks at the directory dir (relative to the scan's) alone, by the names in it. */
void scan_names(struct scan *s, const char *dir);

/* Looks at every file, its name and the beginning of its content. */
void scan_deep(struct scan *s);

/* Adds one path (relative to the scan's directory) when it is there. */
void scan_add(struct scan *s, const char *path, const char *rule, const char *why);

/* The rule by which the beginning of an open file is a credential, and why; NULL: it is none. The
 * name tells settings from programs.
 */
const char *scan_content(struct arena *a, int fd, const char *name, const char **why);

/* Adds the other names that files which were found have in the same directory tree: costs a walk, if there are
 * such files.
 */
void scan_twins(struct scan *s);

/* To be called last: puts what was found in order, each path once, and nothing that is below
 * another one.
 */
void scan_finish(struct scan *s);

enum file_type scan_type(unsigned mode);

#endif
