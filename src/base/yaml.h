/* SPDX-License-Identifier: Apache-2.0 */
/* Policy files: the plain part of YAML, read into the same tree as JSON. */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include "json.h"

/* yaml_parse - read one YAML document of mappings, lists and scalars
 * Refuses anchors, aliases, tags, merge keys, several documents, duplicate keys, and keys that
 * are no strings, with line and column; the limits are those of JSON. Plain scalars follow the YAML 1.2 core
 * schema, except that on/off are strings too, for the field tables to read. Quoted ones are
 * strings. An empty document is an empty object.
 */
int yaml_parse(struct arena *a, const char *text, size_t len, const struct json **out,
	       struct err *e);

#endif
