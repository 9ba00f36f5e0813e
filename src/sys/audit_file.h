/* SPDX-License-Identifier: Apache-2.0 */
/* The files of an audit, from the oldest that is left to the newest, line by line in memory that does not grow. */
#ifndef SYS_AUDIT_FILE_H
#define SYS_AUDIT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../base/arena.h"
#include "../base/err.h"

struct audit_source {
	const char *shown; /* its path, fit for printing */
	int fd;
	off_t size; /* when it was opened: what is appended meanwhile is not read */
	dev_t dev;
	ino_t ino;
};

enum audit_got {
	AUDIT_END,
	AUDIT_LINE,
	AUDIT_TOO_LONG, /* without its text */
	AUDIT_HALF, /* the last line of a file has no end: its writer was killed, and started nothing */
};

struct audit_text {
	const struct audit_source *source;
	uint64_t number; /* of the line in its file, from 1 */
	const char *text;
	size_t len; /* without the newline */
};

struct audit_files {
	struct audit_source *v; /* oldest first */
	size_t n;
	char *buffer;
	size_t begin, end; /* of what is in it and was not yet handed out */
	size_t current;
	off_t at;
	uint64_t line;
};

/* audit_open - FILE, and FILE.1, FILE.2 and so on, as far as there are any
 * FILE itself may be missing if FILE.1 is not: it was rotated. Waits for a writer who is at it. A file that cannot
 * be read, or is none, is an error.
 */
int audit_open(struct arena *a, const char *path, struct audit_files *f, struct err *e);
void audit_close(struct audit_files *f);

/* From the beginning again. */
void audit_rewind(struct audit_files *f);

/* The next line, or -1. Its text is there until the next call. */
int audit_next(struct audit_files *f, struct audit_text *t, struct err *e);

#endif
