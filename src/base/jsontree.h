/* SPDX-License-Identifier: Apache-2.0 */
/* Building the value tree, for the readers of JSON and YAML. */
#ifndef BASE_JSONTREE_H
#define BASE_JSONTREE_H

#include "json.h"

struct json_tree {
	struct arena *arena;
	struct json *top;
	const char *key; /* of the next value; whoever reads a key puts it here */
	size_t key_start;
	size_t values, depth;
	struct json *open[JSON_MAX_DEPTH]; /* the objects and arrays that the next value is in */
	struct json *last[JSON_MAX_DEPTH]; /* the last child of each, so far */
	const struct json **sorted;        /* scratch space for the search of duplicate keys */
	size_t sorted_cap;
};

/* The object or array that the next value goes into; NULL at the top. */
struct json *json_tree_around(const struct json_tree *t);

/* Links v, whose type is set, into the tree; an object or array is open from then on. Returns
 * NULL, or which limit that breaks: v then has its place in the tree, for its path.
 */
const char *json_tree_add(struct json_tree *t, struct json *v);

/* Closes the innermost object or array. Returns NULL, or its first member whose key stood there
 * before.
 */
const struct json *json_tree_close(struct json_tree *t);

#endif
