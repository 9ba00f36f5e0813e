// SPDX-License-Identifier: Apache-2.0
/* A plan applied to the text of config.json, for runtimes that know nothing of it. */
#include "filter.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jsonw.h"
#include "../base/str.h"
#include "../base/banned.h"

enum edit_kind { EDIT_DELETE, EDIT_REPLACE, EDIT_APPEND };

struct edit {
	const struct json *at;
	enum edit_kind kind;
	const char *text; /* JSON, with EDIT_REPLACE and EDIT_APPEND */
};

struct filter {
	struct arena *arena;
	const char *source;
	struct edit *edits; /* by place in the source */
	size_t n_edits;
	struct str out;
};

static void add_edit(struct filter *f, const struct json *at, enum edit_kind kind, const char *text)
{
	*arena_push(f->arena, f->edits, f->n_edits) = (struct edit){ at, kind, text };
}

/* An item of an object begins at its name. */
static size_t item_start(const struct json *v)
{
	return v->key ? v->key_start : v->start;
}

static int by_place(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	return x->at->start < y->at->start ? -1 : x->at->start > y->at->start;
}

/* The first edit at or behind an offset of the source. */
static size_t edit_from(const struct filter *f, size_t offset)
{
	size_t low = 0, high = f->n_edits, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (f->edits[mid].at->start < offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool has_edits(const struct filter *f, const struct json *v)
{
	size_t i = edit_from(f, v->start);

	return i < f->n_edits && f->edits[i].at->start < v->end;
}

static const struct edit *edit_of(const struct filter *f, const struct json *v, enum edit_kind kind)
{
	size_t i;

	for (i = edit_from(f, v->start); i < f->n_edits && f->edits[i].at->start == v->start; i++)
		if (f->edits[i].at == v && f->edits[i].kind == kind)
			return &f->edits[i];
	return NULL;
}

static void copy(struct filter *f, size_t from, size_t to)
{
	str_addn(&f->out, f->source + from, to - from);
}

static void write_value(struct filter *f, const struct json *v);

/* A kept item brings along the text between the item before it and itself, its comma and line
 * break; the first kept one takes the place, and the leading blanks, of the first.
 */
static void write_items(struct filter *f, const struct json *v)
{
	const struct edit *more = edit_of(f, v, EDIT_APPEND);
	size_t end = v->start + 1, first_start = v->first ? item_start(v->first) : end;
	const struct json *item;
	bool any = false;

	str_addn(&f->out, f->source + v->start, 1);
	for (item = v->first; item; item = item->next) {
		if (!edit_of(f, item, EDIT_DELETE)) {
			if (any)
				copy(f, end, item_start(item));
			else
				copy(f, v->start + 1, first_start);
			copy(f, item_start(item), item->start);
			write_value(f, item);
			any = true;
		}
		end = item->end;
	}
	if (more) {
		if (any)
			str_add(&f->out, ",");
		str_add(&f->out, more->text);
	}
	if (any || !v->first)
		copy(f, end, v->end);
	else
		copy(f, v->end - 1, v->end);
}

/* Depth is bounded by the parser. */
static void write_value(struct filter *f, const struct json *v)
{
	const struct edit *instead = edit_of(f, v, EDIT_REPLACE);

	if (instead)
		str_add(&f->out, instead->text);
	else if (!has_edits(f, v))
		copy(f, v->start, v->end);
	else
		write_items(f, v);
}

static const char *quoted(struct arena *a, const char *text)
{
	struct jsonw *w = jsonw_new(a, false);

	jsonw_string(w, text);
	return jsonw_text(w, NULL);
}

static void add_cut_edits(struct filter *f, const struct plan *p)
{
	size_t i;

	for (i = 0; i < p->n_cuts; i++) {
		const struct cut *c = &p->cuts[i];

		if (c->at && c->action == ACTION_REMOVE)
			add_edit(f, c->at, EDIT_DELETE, NULL);
		else if (c->at && c->action == ACTION_DUMMY)
			add_edit(f, c->at, EDIT_REPLACE, quoted(f->arena, c->instead));
	}
}

/* What goes into linux.maskedPaths and linux.namespaces: into the array where there is one, else
 * as a new member of "linux", or with a "linux" of its own.
 */
static void add_array_edits(struct filter *f, const struct plan *p)
{
	const struct json *top = p->bundle->top, *lin = json_get(top, "linux"), *at;
	struct str masks, spaces, members;
	size_t i;

	str_init(&masks, f->arena, f->out.max);
	for (i = 0; i < p->n_masks; i++)
		str_printf(&masks, "%s%s", i ? "," : "", quoted(f->arena, p->masks[i].path));
	str_init(&spaces, f->arena, 64);
	for (i = 0; i < p->n_cuts; i++)
		if (p->cuts[i].action == ACTION_ISOLATE)
			str_printf(&spaces, "%s{\"type\":\"%s\"}", spaces.len ? "," : "",
				   p->cuts[i].name);

	str_init(&members, f->arena, f->out.max);
	at = json_get(lin, "maskedPaths");
	if (masks.len && at)
		add_edit(f, at, EDIT_APPEND, masks.s);
	else if (masks.len)
		str_printf(&members, "\"maskedPaths\":[%s]", masks.s);
	at = json_get(lin, "namespaces");
	if (spaces.len && at)
		add_edit(f, at, EDIT_APPEND, spaces.s);
	else if (spaces.len)
		str_printf(&members, "%s\"namespaces\":[%s]", members.len ? "," : "", spaces.s);
	if (members.len && lin)
		add_edit(f, lin, EDIT_APPEND, members.s);
	else if (members.len)
		add_edit(f, top, EDIT_APPEND, arena_printf(f->arena, "\"linux\":{%s}", members.s));
}

int filter_text(struct arena *a, const struct plan *p, const char *source, size_t len,
		const char **out, size_t *out_len, struct err *e)
{
	struct filter f = { .arena = a, .source = source };

	if (p->refused)
		return fail(e, 0, "refused by the policy: %zu item%s would be stripped",
			    plan_stripped(p), plan_stripped(p) == 1 ? "" : "s");
	str_init(&f.out, a, len + 2 * (size_t)JSON_MAX_SIZE);
	add_cut_edits(&f, p);
	add_array_edits(&f, p);
	if (f.n_edits)
		qsort(f.edits, f.n_edits, sizeof *f.edits, by_place);

	copy(&f, 0, p->bundle->top->start);
	write_value(&f, p->bundle->top);
	copy(&f, p->bundle->top->end, len);
	if (f.out.overflow)
		return fail(e, 0, "the filtered text would be too large");
	*out = f.out.s;
	*out_len = f.out.len;
	return 0;
}
