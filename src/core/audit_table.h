/* SPDX-License-Identifier: Apache-2.0 */
/* Records of an audit as a table for people. */
#ifndef CORE_AUDIT_TABLE_H
#define CORE_AUDIT_TABLE_H

#include "../base/str.h"
#include "audit_line.h"

/* A row with its newline. Columns are cut for a terminal that is that many columns wide; 0: it is none. Whatever
 * a name holds, it moves no cursor.
 */
void audit_table_head(struct str *out, unsigned width);
void audit_table_row(struct str *out, const struct audit_line *l, unsigned width);

/* The same text for a line of JSON: characters that a terminal obeys, and JSON permits, are escaped. */
void audit_json_row(struct str *out, const char *text, size_t len);

enum { AUDIT_SHORT_ID = 12 };

/* Engines' ids are numbers of 64 digits, of which people know twelve; other ids stay as they are. */
const char *audit_short_id(const char *id, char buf[AUDIT_SHORT_ID + 1]);

/* Text with what a terminal obeys, or turns around, as \u{...}; at most max characters, 0: all of them. Returns how
 * many columns it takes.
 */
unsigned audit_add_safe(struct str *out, const char *text, unsigned max);

#endif
