/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON. */
#ifndef BASE_JSONW_H
#define BASE_JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

struct jsonw;

/* Text goes out escaped, so that a line stays a line; bytes that are not UTF-8 become U+FFFD.
 * With pretty, indented by two blanks; otherwise all in one line.
 */
struct jsonw *jsonw_new(struct arena *a, bool pretty);
void jsonw_object(struct jsonw *w);
void jsonw_array(struct jsonw *w);
void jsonw_end(struct jsonw *w); /* closes the innermost object or array */
void jsonw_key(struct jsonw *w, const char *key);
void jsonw_string(struct jsonw *w, const char *s);
void jsonw_stringn(struct jsonw *w, const char *s, size_t len);
void jsonw_int(struct jsonw *w, int64_t n);
void jsonw_bool(struct jsonw *w, bool b);
void jsonw_null(struct jsonw *w);
void jsonw_raw(struct jsonw *w, const char *json,
	       size_t len); /* a whole value that is JSON already */

/* key and value in one call, for the common cases */
void jsonw_kv(struct jsonw *w, const char *key, const char *value);
void jsonw_kv_int(struct jsonw *w, const char *key, int64_t n);
void jsonw_kv_bool(struct jsonw *w, const char *key, bool b);

/* The document, NUL-terminated, without a newline at its end; it lives in the arena. */
const char *jsonw_text(struct jsonw *w, size_t *len);

/* Forgets the document and begins another in the same memory: text from before is overwritten. */
void jsonw_restart(struct jsonw *w);

#endif
