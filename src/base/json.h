/* SPDX-License-Identifier: Apache-2.0 */
/* The value tree that JSON and YAML are read into, and the strict JSON reader. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "err.h"

enum {
	JSON_MAX_DEPTH = 32,
	JSON_MAX_VALUES = 65536,
	JSON_MAX_SIZE = 4 * 1024 * 1024,
};

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_type type;
	unsigned line, column;         /* where the value begins, from 1; columns count bytes */
	size_t start, end;             /* bytes [start, end) of the source; not set by YAML */
	const char *key;               /* name in the object above; NULL for an item of an array */
	size_t key_start;              /* where that name begins in the source */
	unsigned key_line, key_column; /* the same; set by YAML only */
	size_t index;                  /* position among its siblings, from 0 */
	const char *text;              /* string: decoded; number, true, false: as written */
	size_t len;                    /* of text */
	size_t count;                  /* items or members */
	const struct json *parent, *first, *next;
};

/* json_parse - read one document, as strictly as anything that follows could wish
 * Refuses, with line and path: malformed UTF-8, a byte order mark, duplicate keys, NULs,
 * lone surrogates, comments, trailing data, and whatever is over the limits above.
 * The text is only read; every string of the tree is a copy in the arena.
 */
int json_parse(struct arena *a, const char *text, size_t len, const struct json **out,
	       struct err *e);

/* The member of that name, or NULL; NULL too when obj is NULL or no object. */
const struct json *json_get(const struct json *obj, const char *key);

/* "linux.namespaces[2].type" or "annotations["a.b/c"]"; the top itself is "". */
const char *json_path(struct arena *a, const struct json *v);

/* "a string", "an object": for messages of the form "expected X, found Y". */
const char *json_type_name(enum json_type t);

#endif
