/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the audit: a line as a record, and whether it follows the line before. */
#ifndef CORE_AUDIT_LINE_H
#define CORE_AUDIT_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "../base/err.h"
#include "../base/hash.h"
#include "record.h"

/* What a line has not is NULL. Texts are as the line has them: not fit for a terminal. */
struct audit_line {
	const char *time, *event, *container, *prev;
	struct timespec at;
	uint64_t seq;
	const char *kind, *where, *name, *rule, *action; /* of a cut; a start has a name, too */
	const char *command, *mode, *pod, *image;        /* of a start or a refusal */
	uint64_t cuts;
};

/* audit_line_read - one line, without its newline
 * Members and events that this version does not know are no errors; they come with later ones. An error never has
 * what the line holds in it.
 */
int audit_line_read(struct arena *a, const char *text, size_t len, struct audit_line *l,
		    struct err *e);

bool audit_is_cut(const struct audit_line *l);
bool audit_is_start(const struct audit_line *l); /* or a refusal of one */

struct audit_chain {
	bool has_begun;
	uint64_t first, seq; /* of the first line that was seen; of the next */
	char last[2 * HASH_SIZE + 1];
};

/* audit_chain_follow - is the line the next one?
 * The first line may be any: what was before it may be in a file that is gone. After an error the chain goes on from
 * this line.
 */
int audit_chain_follow(struct audit_chain *c, const struct audit_line *l, const char *text,
		       size_t len, struct err *e);

/* The chain goes on behind a line that cannot be read, which is an error of its own. */
void audit_chain_lose(struct audit_chain *c);

#endif
