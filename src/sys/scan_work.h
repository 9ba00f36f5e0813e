/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a scan share. */
#ifndef SYS_SCAN_WORK_H
#define SYS_SCAN_WORK_H

#include <dirent.h>
#include <sys/stat.h>

#include "scan.h"

/* Relative to the scan's directory, and never out of it. */
int scan_open(const struct scan *s, const char *path, unsigned flags);
DIR *scan_open_dir(struct scan *s, const char *path, unsigned flags);

/* DIR/NAME without the arena, for paths that are looked at once and forgotten. False: too long. */
bool scan_join(char *buf, size_t size, const char *dir, const char *name);

/* Judges a path that is there; true: it is a credential and need not be entered. */
bool scan_judge(struct scan *s, const char *path);

/* Looks for the paths that are known with wildcards in them, such as "run/user/N/bus", below the root of a
 * system or below a home. The scan's directory is taken for the one that is called "at" from there.
 */
enum wild_base { WILD_ROOT, WILD_HOME };
void scan_wild(struct scan *s, enum wild_base base, const char *at, const char *dir);

/* Remembers a file that was found by its identity, if it has more names than one. */
void scan_note_names(struct scan *s, const struct stat *st, const char *rule);

#endif
