// SPDX-License-Identifier: Apache-2.0
/* The value tree: building it within its limits, and finding one's way in it. */
#include "jsontree.h"

#include <stdlib.h>
#include <string.h>

#include "str.h"
#include "banned.h"

/* Paths stand in front of error texts, which they must leave room for. */
enum { PATH_KEY_MAX = 64, PATH_MAX_LEN = 320 };

struct json *json_tree_around(const struct json_tree *t)
{
	return t->depth ? t->open[t->depth - 1] : NULL;
}

static void link_below(struct json_tree *t, struct json *around, struct json *v)
{
	struct json *prev = t->last[t->depth - 1];

	v->parent = around;
	v->key = t->key;
	v->key_start = t->key_start;
	v->index = around->count++;
	if (prev)
		prev->next = v;
	else
		around->first = v;
	t->last[t->depth - 1] = v;
	t->key = NULL;
	t->key_start = 0;
}

const char *json_tree_add(struct json_tree *t, struct json *v)
{
	struct json *around = json_tree_around(t);

	if (around)
		link_below(t, around, v);
	else
		t->top = v;
	if (++t->values > JSON_MAX_VALUES)
		return "too many values (limit 65536)";
	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
		return NULL;
	if (t->depth == JSON_MAX_DEPTH)
		return "nested too deeply (limit 32)";
	t->open[t->depth] = v;
	t->last[t->depth] = NULL;
	t->depth++;
	return NULL;
}

static int by_key(const void *one, const void *two)
{
	const struct json *a = *(const struct json *const *)one;
	const struct json *b = *(const struct json *const *)two;
	int c = strcmp(a->key, b->key);

	return c ? c : a->index < b->index ? -1 : 1;
}

/* Sorted, because comparing each key with each would let 60,000 of them take minutes. */
static const struct json *find_duplicate(struct json_tree *t, const struct json *obj)
{
	const struct json *v, *found = NULL;
	size_t i = 0;

	if (obj->count > t->sorted_cap) {
		t->sorted_cap = obj->count * 2;
		t->sorted = arena_array(t->arena, t->sorted_cap, sizeof *t->sorted);
	}
	for (v = obj->first; v; v = v->next)
		t->sorted[i++] = v;
	qsort(t->sorted, obj->count, sizeof *t->sorted, by_key);
	for (i = 1; i < obj->count; i++) {
		v = t->sorted[i];
		if (!strcmp(t->sorted[i - 1]->key, v->key) && (!found || v->index < found->index))
			found = v;
	}
	return found;
}

const struct json *json_tree_close(struct json_tree *t)
{
	const struct json *v = t->open[--t->depth];

	return v->type == JSON_OBJECT && v->count > 1 ? find_duplicate(t, v) : NULL;
}

const struct json *json_get(const struct json *obj, const char *key)
{
	const struct json *v;

	if (!obj || obj->type != JSON_OBJECT)
		return NULL;
	for (v = obj->first; v; v = v->next)
		if (!strcmp(v->key, key))
			return v;
	return NULL;
}

static bool is_plain_key(const char *key)
{
	size_t n = strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");

	return n && n <= PATH_KEY_MAX && !key[n];
}

static void add_step(struct str *s, const struct json *v)
{
	if (!v->key) {
		str_printf(s, "[%zu]", v->index);
	} else if (is_plain_key(v->key)) {
		str_add(s, s->len ? "." : "");
		str_add(s, v->key);
	} else {
		str_add(s, "[\"");
		str_add_printable(s, v->key, PATH_KEY_MAX);
		str_add(s, "\"]");
	}
}

const char *json_path(struct arena *a, const struct json *v)
{
	const struct json *steps[JSON_MAX_DEPTH + 1];
	const char *tail;
	struct str s;
	size_t n = 0;

	for (; v->parent && n < sizeof steps / sizeof *steps; v = v->parent)
		steps[n++] = v;
	str_init(&s, a, 16 * 1024);
	while (n)
		add_step(&s, steps[--n]);
	if (s.len <= PATH_MAX_LEN)
		return s.s;

	/* The end says more than the beginning; it starts with a whole character. */
	tail = s.s + s.len - PATH_MAX_LEN;
	while ((*tail & 0xc0) == 0x80)
		tail++;
	return arena_printf(a, "...%s", tail);
}

const char *json_type_name(enum json_type t)
{
	switch (t) {
	case JSON_NULL: return "null";
	case JSON_BOOL: return "a boolean";
	case JSON_NUMBER: return "a number";
	case JSON_STRING: return "a string";
	case JSON_ARRAY: return "an array";
	case JSON_OBJECT: return "an object";
	}
	return "nothing";
}
