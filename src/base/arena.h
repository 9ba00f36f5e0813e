/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one run: allocated piecemeal, wiped and released at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
};

/* All memory comes zeroed and aligned for any type. Running out of memory ends
 * the program: at that point nothing has been started, and no caller could do better.
 */
void *arena_alloc(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size);
void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t new_size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Overwrites every block before it gives it back: arenas hold parsed configurations. */
void arena_release(struct arena *a);

/* Appends one zeroed element to an array that lives in the arena, doubling it when full. */
#define arena_push(a, array, count)                                                          \
	(((count) & ((count)-1)) == 0                                                        \
		 ? (void)((array) = arena_grow((a), (array), (count) * sizeof *(array),      \
					       ((count) ? (count)*2 : 1) * sizeof *(array))) \
		 : (void)0,                                                                  \
	 &(array)[(count)++])

#endif
