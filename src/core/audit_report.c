// SPDX-License-Identifier: Apache-2.0
/* An audit in numbers: how often, by rule, by container, by item and over time. */
#include "audit_report.h"

#include <string.h>

#include "../base/banned.h"

enum { RULES_MAX = 1024, CONTAINERS_MAX = 65536, ITEMS_MAX = 16384 };

/* Each is a multiple of the one before: buckets are merged without being taken apart. */
static const int64_t widths[] = {
	60,    300,    900,        3600,          3 * 3600,       6 * 3600,        43200,
	86400, 604800, 4 * 604800, 52 * 604800LL, 520 * 604800LL, 52000 * 604800LL
};

void audit_report_init(struct audit_report *r, struct arena *a)
{
	*r = (struct audit_report){ .arena = a };
	tally_init(&r->rules, a, sizeof(struct tally_item), RULES_MAX);
	tally_init(&r->containers, a, sizeof(struct audit_by_container), CONTAINERS_MAX);
	tally_init(&r->items, a, sizeof(struct audit_by_item), ITEMS_MAX);
}

int64_t audit_times_width(const struct audit_times *t)
{
	return widths[t->step];
}

static int64_t floor_to(int64_t at, int64_t width)
{
	return at - (at % width + width) % width;
}

static void widen(struct audit_times *t)
{
	struct audit_times wider = { .has_begun = true, .step = t->step + 1 };
	int64_t width = widths[wider.step];
	size_t i, k, f;

	wider.start = floor_to(t->start, width);
	for (i = 0; i < AUDIT_BUCKETS; i++) {
		k = (size_t)((t->start + (int64_t)i * widths[t->step] - wider.start) / width);
		for (f = 0; f < FATE_COUNT; f++)
			wider.v[k][f] += t->v[i][f];
	}
	*t = wider;
}

/* To the year 9999, as it can be written, the last width covers all; clocks that are before 1970 are wrong. */
static void add_time(struct audit_times *t, int64_t at, enum audit_fate fate)
{
	at = at < 0 ? 0 : at;
	if (!t->has_begun)
		*t = (struct audit_times){ .has_begun = true, .start = floor_to(at, widths[0]) };
	while (t->step + 1 < sizeof widths / sizeof widths[0] &&
	       (at < t->start || at >= t->start + AUDIT_BUCKETS * widths[t->step]))
		widen(t);
	if (at >= t->start && at < t->start + AUDIT_BUCKETS * widths[t->step])
		t->v[(at - t->start) / widths[t->step]][fate]++;
}

static enum audit_fate fate_of(const char *action)
{
	if (!strcmp(action, "refuse"))
		return FATE_REFUSED;
	return strcmp(action, "record") && strcmp(action, "allow") ? FATE_KEPT_OUT : FATE_LET_PASS;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* The first that was there: a container that starts again and again costs nothing. */
static void keep(struct audit_report *r, const char **to, const char *text)
{
	if (text && !*to)
		*to = arena_strdup(r->arena, text);
}

static void add_item(struct audit_report *r, const struct audit_line *l)
{
	struct arena a = { 0 };
	struct audit_by_item *item = tally_at(&r->items, arena_printf(&a, "%s\n%s\n%s\n%s", l->kind,
								      l->name, l->rule, l->action));

	arena_release(&a);
	if (!item)
		return;
	item->item.count++;
	keep(r, &item->kind, l->kind);
	keep(r, &item->name, l->name);
	keep(r, &item->rule, l->rule);
	keep(r, &item->action, l->action);
	keep(r, &item->where, l->where);
	item->last = l->at;
}

static void add_cut(struct audit_report *r, const struct audit_line *l)
{
	struct audit_by_container *c = tally_at(&r->containers, l->container);
	struct tally_item *rule = tally_at(&r->rules, l->rule);
	enum audit_fate fate = fate_of(l->action);

	r->cuts++;
	r->fates[fate]++;
	add_time(&r->times, l->at.tv_sec, fate);
	if (rule)
		rule->count++;
	if (c) {
		c->item.count++;
		c->last = l->at;
	}
	add_item(r, l);
}

static void add_start(struct audit_report *r, const struct audit_line *l)
{
	struct audit_by_container *c = tally_at(&r->containers, l->container);
	bool refused = !strcmp(l->event, "refuse");

	*(refused ? &r->refusals : &r->starts) += 1;
	if (!c)
		return;
	*(refused ? &c->refusals : &c->starts) += 1;
	keep(r, &c->name, l->name);
	keep(r, &c->pod, l->pod);
	keep(r, &c->image, l->image);
	c->last = l->at;
}

void audit_report_add(struct audit_report *r, const struct audit_line *l)
{
	if (!r->lines++)
		r->first = r->last = l->at;
	if (is_before(&l->at, &r->first))
		r->first = l->at;
	if (is_before(&r->last, &l->at))
		r->last = l->at;
	if (audit_is_cut(l))
		add_cut(r, l);
	else if (audit_is_start(l))
		add_start(r, l);
}
