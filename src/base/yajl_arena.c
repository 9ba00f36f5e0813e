// SPDX-License-Identifier: Apache-2.0
/* Memory of an arena for yajl, which wants to resize and to free. */
#include "yajl_arena.h"

#include <string.h>

#include "banned.h"

/* An arena must be told the old size of what it resizes; yajl does not know it any more. */
struct sized {
	_Alignas(16) size_t size;
	unsigned char data[];
};

static void *sized_malloc(void *arena, size_t size)
{
	struct sized *b = arena_alloc(arena, sizeof *b + size);

	b->size = size;
	return b->data;
}

static void *sized_realloc(void *arena, void *old, size_t size)
{
	unsigned char *data = old, *grown = sized_malloc(arena, size);
	size_t had;

	if (data) {
		had = ((struct sized *)(void *)(data - offsetof(struct sized, data)))->size;
		memcpy(grown, data, had < size ? had : size);
	}
	return grown;
}

static void sized_free(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

yajl_alloc_funcs yajl_arena_funcs(struct arena *a)
{
	return (yajl_alloc_funcs){ sized_malloc, sized_realloc, sized_free, a };
}
