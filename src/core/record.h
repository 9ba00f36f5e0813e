/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as audit records: JSON lines, each with the hash of the line before it. */
#ifndef CORE_RECORD_H
#define CORE_RECORD_H

#include "../base/hash.h"
#include "plan.h"

/* Bytes of a line, with its newline: no bundle, whatever is in it, makes a longer one. */
enum { RECORD_LINE_MAX = 64 * 1024 };

/* Where the file stands: the number of the next line and the hash of the last. */
struct record_chain {
	uint64_t seq;
	uint8_t last[HASH_SIZE];
};

struct record_context {
	const char *time;    /* RFC 3339, UTC */
	const char *id;      /* of the container */
	const char *command; /* "run", "create", "exec" ... */
};

/* record_lines - one line for each cut and one for the start, each with its newline
 * Of a plan that turned out to be unsafe when it was carried out, one line that says why.
 * No line holds a value: struct cut has none, and the names that engines give are left out
 * when they look like credentials. NULL: there would be more than 64 MiB of them.
 */
const char *record_lines(struct arena *a, const struct plan *p, const struct record_context *ctx,
			 struct record_chain *chain, size_t *len);

#endif
