/* SPDX-License-Identifier: Apache-2.0 */
/* An audit in numbers, and as a page for people. */
#ifndef CORE_AUDIT_REPORT_H
#define CORE_AUDIT_REPORT_H

#include "audit_line.h"
#include "tally.h"

/* What became of items, as one sees it from afar. */
enum audit_fate { FATE_KEPT_OUT, FATE_LET_PASS, FATE_REFUSED, FATE_COUNT };

enum { AUDIT_BUCKETS = 96 };

/* Equal spans of time, wider as more time is to be covered. */
struct audit_times {
	bool has_begun;
	size_t step; /* which width they have, of a list of them */
	int64_t start;
	uint64_t v[AUDIT_BUCKETS][FATE_COUNT];
};

struct audit_by_container {
	struct tally_item item; /* its count: cuts */
	const char *name, *pod, *image;
	uint64_t starts, refusals;
	struct timespec last;
};

struct audit_by_item {
	struct tally_item item;
	const char *kind, *name, *rule, *action, *where; /* where it was first */
	struct timespec last;
};

struct audit_report {
	struct arena *arena;
	uint64_t lines, cuts, starts, refusals;
	uint64_t fates[FATE_COUNT];
	struct timespec first, last;
	struct audit_times times;
	struct tally rules, containers, items;

	/* What the page says of the file it was made from. */
	const char *source, *chain;
	bool chain_is_whole;
	uint64_t broken;
	const char *since, *made; /* or NULL */
};

void audit_report_init(struct audit_report *r, struct arena *a);
void audit_report_add(struct audit_report *r, const struct audit_line *l);

/* How many seconds a bucket has. */
int64_t audit_times_width(const struct audit_times *t);

/* audit_report_html - the whole page
 * It loads nothing and runs nothing, and a policy in it holds browsers to that; whatever a name has in it, it is text
 * there. NULL: it would be too long.
 */
const char *audit_report_html(struct arena *a, const struct audit_report *r, size_t *len);

#endif
