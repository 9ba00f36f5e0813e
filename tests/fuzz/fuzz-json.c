// SPDX-License-Identifier: Apache-2.0
/* Fuzzes the JSON reader, its tree, and the writer with what was read. */
#include "../../src/base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/base/jsonw.h"
#include "../../src/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static const struct json *parse(struct arena *a, const char *text, size_t len)
{
	const struct json *v = NULL;
	struct err e = { 0 };

	if (!json_parse(a, text, len, &v, &e))
		return v;
	must(!v && *e.text && !strchr(e.text, '\n') &&
	     utf8_check(e.text, strlen(e.text)) == strlen(e.text));
	return NULL;
}

/* A span alone is the same scalar again, and so is what the writer makes of a string. */
static void check_scalar(struct arena *a, const char *text, const struct json *v)
{
	const struct json *again = parse(a, text + v->start, v->end - v->start);
	struct jsonw *w = jsonw_new(a, false);

	must(again && again->type == v->type && again->len == v->len);
	must(!memcmp(again->text, v->text, v->len + 1) && strlen(v->text) == v->len);
	if (v->type != JSON_STRING)
		return;
	jsonw_stringn(w, v->text, v->len);
	again = parse(a, jsonw_text(w, NULL), strlen(jsonw_text(w, NULL)));
	must(again && again->len == v->len && !memcmp(again->text, v->text, v->len));
}

static void check_tree(struct arena *a, const char *text, const struct json *v)
{
	size_t n = 0, end = v->start + 1;
	const struct json *c;

	must(v->line && v->column && v->start < v->end && json_path(a, v));
	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT) {
		check_scalar(a, text, v);
		return;
	}
	must(strchr("[{", text[v->start]) && strchr("]}", text[v->end - 1]));
	for (c = v->first; c; c = c->next, n++) {
		must(c->parent == v && c->index == n && !c->key == (v->type == JSON_ARRAY));
		must(!c->key || (c->key_start >= end && text[c->key_start] == '"' &&
				 json_get(v, c->key) == c));
		must(c->start >= end && c->end < v->end);
		check_tree(a, text, c);
		end = c->end;
	}
	must(n == v->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);
	struct arena a = { 0 };
	const struct json *v;

	must(text != NULL);
	if (size)
		memcpy(text, data, size);
	v = parse(&a, text, size);
	if (v)
		check_tree(&a, text, v);
	arena_release(&a);
	free(text);
	return 0;
}
