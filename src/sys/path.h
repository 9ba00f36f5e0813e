/* SPDX-License-Identifier: Apache-2.0 */
/* Paths in a root that somebody hostile made: opened in it, made in it, used by descriptor. */
#ifndef SYS_PATH_H
#define SYS_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../base/arena.h"
#include "../base/err.h"

/* openat2(2) with RESOLVE_IN_ROOT and no magic links; O_CLOEXEC is added. -1 with errno. */
int path_open(int root, const char *path, int flags);

/* The same, but no link at all may be on the way. */
int path_open_real(int root, const char *path, int flags);

/* path_make_dir, path_make_file - the place of a mount, made where it is missing
 * Missing components are made one by one below a descriptor, so that a link put there meanwhile leads
 * nowhere; a dangling link in the root is followed in the root. Returns an O_PATH descriptor.
 */
int path_make_dir(int root, const char *path, mode_t mode, struct err *e);
int path_make_file(int root, const char *path, mode_t mode, struct err *e);

/* The same, and where that is: a path from the root with no link in it, of at most PATH_MAX bytes; or NULL.
 * -1 with errno.
 */
enum path_kind { PATH_DIR, PATH_FILE };
int path_make(int root, const char *path, enum path_kind kind, mode_t mode, char *real);

/* The directory of path, made where it is missing, and its last component: for mknodat(), symlinkat(). */
int path_parent(struct arena *a, int root, const char *path, const char **name, struct err *e);

/* proc_open - a file of a procfs that was checked to be one, for reading or writing
 * proc: an open directory that must be on procfs; nothing may be mounted over what is on the way,
 * no link is followed but "self" and "thread-self" at its beginning.
 */
int proc_open(int proc, const char *path, int flags, struct err *e);

/* "/proc/self/fd/N", for calls that take paths only; buf holds 32 bytes. */
const char *fd_path(int fd, char *buf);

#endif
