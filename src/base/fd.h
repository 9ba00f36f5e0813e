/* SPDX-License-Identifier: Apache-2.0 */
/* File descriptors that close themselves, and reading whole files within a bound. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stddef.h>
#include <stdbool.h>

#include "arena.h"
#include "err.h"

void fd_cleanup(int *fd);
#define autofd __attribute__((cleanup(fd_cleanup)))

/* Hands the descriptor over: the variable no longer closes it. */
int fd_steal(int *fd);

/* Reads to the end of file; more than max bytes are an error. A NUL follows the text.
 * name is what messages call it.
 */
int fd_read_all(struct arena *a, int fd, const char *name, size_t max, const char **text,
		size_t *len, struct err *e);

/* The same for a path; it must be a regular file unless any_type, "-" is standard input then. */
int file_read(struct arena *a, const char *path, bool any_type, size_t max, const char **text,
	      size_t *len, struct err *e);

int fd_write_all(int fd, const char *name, const char *text, size_t len, struct err *e);

#endif
