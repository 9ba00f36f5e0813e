/* SPDX-License-Identifier: Apache-2.0 */
/* The audit file: lines are appended whole, in order, and are on the disk before anything starts. */
#ifndef SYS_LEDGER_H
#define SYS_LEDGER_H

#include "../core/record.h"

/* The lines of one start, each with its newline. */
struct ledger_text {
	const char *text; /* NULL: there are none */
	size_t len;
};

/* ledger_append - all records of one plan
 * The file and its directory are made when missing; a link, a FIFO, another owner, a full disk: an error,
 * with the file as it was. Waits for the lock of another writer. A new file continues the chain of
 * FILE.1, which is where a rotation leaves the old one. Nothing is done when the policy names no file.
 * Returns 1, with the error, when it failed and the policy does not require the audit: to be warned of.
 * Then, too, lines has what was to be written, as a chain of its own.
 */
int ledger_append(struct arena *a, const struct plan *p, const char *id, const char *command,
		  struct ledger_text *lines, struct err *e);

/* The host's key of fingerprints, audit.key beside the file, mode 0600; made when it is missing. */
int ledger_key(const char *audit_file, uint8_t key[32], struct err *e);

/* ledger_facts - the key into the facts, for the commands that write records
 * Without a file, and where it cannot be had and the policy does not require the audit, fingerprints stay those of
 * this run.
 */
int ledger_facts(const struct policy *p, struct facts *f, struct err *e);

#endif
