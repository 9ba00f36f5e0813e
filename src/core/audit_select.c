// SPDX-License-Identifier: Apache-2.0
/* Which records of an audit somebody wants to see. */
#include "audit_select.h"

#include <string.h>

#include "../base/clock.h"
#include "../base/str.h"
#include "chars.h"
#include "names.h"
#include "../base/banned.h"

enum { NAMED_MAX = 65536, SHOWN = 64, AGO_MAX = 100 * 366 };

static bool read_ago(const char *text, const struct timespec *now, struct timespec *t)
{
	static const struct name units[] = {
		{ "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 }, { "w", 7 * 86400 }, { 0 },
	};
	size_t len = strlen(text);
	const struct name *unit = len ? name_find(units, text + len - 1) : NULL;
	uint64_t n;

	if (!unit || !parse_u64(text, len - 1, &n) ||
	    n > (uint64_t)AGO_MAX * 86400 / (uint64_t)unit->value)
		return false;
	*t = *now;
	t->tv_sec -= (time_t)(n * (uint64_t)unit->value);
	return true;
}

bool audit_select_since(struct audit_select *s, const char *text, const struct timespec *now)
{
	s->has_since = read_ago(text, now, &s->since) || clock_read(text, &s->since);
	return s->has_since;
}

bool audit_select_kind(const char *kind)
{
	enum cut_kind k;

	for (k = 0; k < CUT_COUNT; k++)
		if (!strcmp(kind, cut_kind_name(k)))
			return true;
	return !strcmp(kind, "start") || !strcmp(kind, "refuse");
}

void audit_select_init(struct audit_select *s, struct arena *a)
{
	tally_init(&s->named, a, sizeof(struct tally_item), NAMED_MAX);
}

static bool is_text(const char *a, const char *b)
{
	return a && !strcmp(a, b);
}

void audit_select_learn(struct audit_select *s, struct arena *a, const struct audit_line *l)
{
	s->is_id = s->is_id || !strcmp(l->container, s->container);
	if (audit_is_start(l) && (is_text(l->name, s->container) || is_text(l->pod, s->container)))
		tally_at(&s->named, l->container);
	if (s->begins_other || !text_starts(l->container, strlen(l->container), s->container) ||
	    is_text(s->begins, l->container))
		return;
	*(s->begins ? &s->begins_other : &s->begins) = arena_strdup(a, l->container);
}

int audit_select_settle(struct audit_select *s, struct arena *a, struct err *e)
{
	const char *shown = printable(a, s->container, SHOWN);

	if (s->is_id || s->named.n)
		return s->named.others ? fail(e, 0, "--container %s: the name of too many", shown)
				       : 0;
	if (!s->begins)
		return fail(e, 0, "--container %s: no record of such a container", shown);
	if (s->begins_other)
		return fail(e, 0, "--container %s: the beginning of several ids: %s, %s ...", shown,
			    printable(a, s->begins, SHOWN), printable(a, s->begins_other, SHOWN));
	return 0;
}

static bool takes_container(const struct audit_select *s, const char *id)
{
	if (!s->container)
		return true;
	if (s->is_id)
		return !strcmp(id, s->container);
	if (s->named.n)
		return tally_find(&s->named, id) != NULL;
	return is_text(s->begins, id);
}

bool audit_select_takes(const struct audit_select *s, const struct audit_line *l)
{
	if (s->has_since && (l->at.tv_sec < s->since.tv_sec ||
			     (l->at.tv_sec == s->since.tv_sec && l->at.tv_nsec < s->since.tv_nsec)))
		return false;
	if (s->kind && strcmp(audit_is_cut(l) ? l->kind : l->event, s->kind) != 0)
		return false;
	return takes_container(s, l->container);
}
