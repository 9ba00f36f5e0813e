/* SPDX-License-Identifier: Apache-2.0 */
/* Policy files: the plain part of YAML, read into the same tree as JSON. */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include "json.h"

/* yaml_parse - read one YAML document of mappings, lists and scalars
 * Refuses anchors, aliases, tags, directives, merge keys, several documents, duplicate keys, and
 * keys that are no strings, with line and column (in characters); the limits are those of JSON.
 * Plain null, ~, nothing, true, false, and numbers as JSON writes them, are what they look like;
 * every other scalar is a string: on/off, yes/no, True and 0x10 too, for the field tables to
 * read. An empty document is an empty object.
 */
int yaml_parse(struct arena *a, const char *text, size_t len, const struct json **out,
	       struct err *e);

#endif
