/* SPDX-License-Identifier: Apache-2.0 */
/* Which records of an audit somebody wants to see. */
#ifndef CORE_AUDIT_SELECT_H
#define CORE_AUDIT_SELECT_H

#include "audit_line.h"
#include "tally.h"

struct audit_select {
	const char *container; /* an id, the beginning of one, or an engine's name; NULL: all */
	const char *kind;      /* of a cut, "start" or "refuse"; NULL: all */
	bool has_since;
	struct timespec since;

	/* What container turned out to be, by a first look at all lines. */
	bool is_id;
	struct tally named;                /* ids of containers with that name, or of a pod's */
	const char *begins, *begins_other; /* the id that begins so; another one, if there is one */
};

/* "2026-11-18", a time of RFC 3339, or a number with s, m, h, d or w: so long before now. */
bool audit_select_since(struct audit_select *s, const char *text, const struct timespec *now);
bool audit_select_kind(const char *kind); /* is it one? */

void audit_select_init(struct audit_select *s, struct arena *a);

/* Each line of the first look; then what it came to, which may be an error. */
void audit_select_learn(struct audit_select *s, struct arena *a, const struct audit_line *l);
int audit_select_settle(struct audit_select *s, struct arena *a, struct err *e);

bool audit_select_takes(const struct audit_select *s, const struct audit_line *l);

#endif
