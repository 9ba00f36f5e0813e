// SPDX-License-Identifier: Apache-2.0
/* Fuzzes the YAML reader and its tree. */
#include "../../src/base/yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_tree(struct arena *a, const struct json *v)
{
	bool is_scalar = v->type != JSON_ARRAY && v->type != JSON_OBJECT;
	const struct json *c;
	size_t n = 0;

	must(v->line && v->column && json_path(a, v));
	must(is_scalar ? v->text && strlen(v->text) == v->len && !v->first : !v->text);
	must(!is_scalar || utf8_check(v->text, v->len) == v->len);
	for (c = v->first; c; c = c->next, n++) {
		must(c->parent == v && c->index == n && !c->key == (v->type == JSON_ARRAY));
		must(!c->key || (c->key_line && c->key_column && json_get(v, c->key) == c));
		check_tree(a, c);
	}
	must(n == v->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);
	const struct json *v = NULL;
	struct arena a = { 0 };
	struct err e = { 0 };

	must(text != NULL);
	if (size)
		memcpy(text, data, size);
	if (!yaml_parse(&a, text, size, &v, &e))
		check_tree(&a, v);
	else
		must(*e.text && !strchr(e.text, '\n') &&
		     utf8_check(e.text, strlen(e.text)) == strlen(e.text));
	arena_release(&a);
	free(text);
	return 0;
}
