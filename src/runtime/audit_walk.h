/* SPDX-License-Identifier: Apache-2.0 */
/* Going through an audit, line by line: what the commands that read it share. */
#ifndef RUNTIME_AUDIT_WALK_H
#define RUNTIME_AUDIT_WALK_H

#include "../core/audit_select.h"
#include "../sys/audit_file.h"
#include "cmd.h"

struct audit_walk {
	const char *command;
	struct arena arena;
	bool stops; /* at the first line that is no record */
	struct audit_files files;
	struct audit_select select;
	struct arena lines; /* the last few */
	unsigned unreleased;
	uint64_t broken; /* lines that are no records; the first few were told */
	uint64_t halves;
};

/* Opens file, or by default the one that the policy names. */
int audit_walk_open(struct audit_walk *w, const char *policy, const char *file, struct err *e);
void audit_walk_close(struct audit_walk *w);

/* The next line that is a record: 1, 0 at the end, or -1. What is none is told on standard error if is_told, and
 * counted. l lives until the next call.
 */
int audit_walk_next(struct audit_walk *w, bool is_told, struct audit_text *t, struct audit_line *l,
		    struct err *e);

/* What --container means, which takes a look at all lines; then from the beginning again. */
int audit_walk_settle(struct audit_walk *w, struct err *e);

/* 0, or 1 after a word on the lines that are no records. */
int audit_walk_end(const struct audit_walk *w);

int audit_bad_since(const char *command); /* says how --since is to be written */

/* The commands of `audit`, but for show. */
cmd_fn cmd_audit_verify, cmd_audit_report;

#endif
