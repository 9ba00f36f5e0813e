// SPDX-License-Identifier: Apache-2.0
/* Memory of one run: allocated piecemeal, wiped and released at once. */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "banned.h"

enum { BLOCK_SIZE = 32 * 1024, ALIGN = 16 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(16) unsigned char data[];
};

static _Noreturn void out_of_memory(void)
{
	static const char text[] = "credsbox: out of memory\n";

	(void)!write(STDERR_FILENO, text, sizeof text - 1);
	_exit(1);
}

static struct arena_block *block_new(struct arena *a, size_t need)
{
	size_t size = need > BLOCK_SIZE ? need : BLOCK_SIZE;
	struct arena_block *b;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	b = calloc(1, sizeof *b + size);
	if (!b)
		out_of_memory();
	b->size = size;

	/* A large block of its own goes behind the current one, which still has room. */
	if (a->blocks && need > BLOCK_SIZE) {
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		b->next = a->blocks;
		a->blocks = b;
	}
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->blocks;
	void *p;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!b || b->size - b->used < size)
		b = block_new(a, size);
	p = b->data + b->used;
	b->used += size;
	return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		out_of_memory();
	return arena_alloc(a, total);
}

void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t new_size)
{
	void *p = arena_alloc(a, new_size);

	if (old_size)
		memcpy(p, old, old_size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1);

	if (len)
		memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *p;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory();
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

void arena_release(struct arena *a)
{
	struct arena_block *b = a->blocks, *next;

	for (; b; b = next) {
		next = b->next;
		explicit_bzero(b->data, b->used);
		free(b);
	}
	a->blocks = NULL;
}
