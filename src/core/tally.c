// SPDX-License-Identifier: Apache-2.0
/* What is counted by name: a table of a bounded number of items. */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/banned.h"

enum { SLOTS_FIRST = 64 };

/* Nobody who makes up names can make them meet in one slot. */
static uint64_t hash_of(const char *key)
{
	uint8_t digest[HASH_SIZE];
	uint64_t hash;

	hash_sha256(key, strlen(key), digest);
	memcpy(&hash, digest, sizeof hash);
	return hash;
}

static struct tally_item **slot_of(struct tally_item **slots, size_t n, const char *key,
				   uint64_t hash)
{
	size_t i = hash & (n - 1);

	while (slots[i] && (slots[i]->hash != hash || strcmp(slots[i]->key, key) != 0))
		i = (i + 1) & (n - 1);
	return &slots[i];
}

static void grow(struct tally *t)
{
	size_t n = t->n_slots * 2, i;
	struct tally_item **slots = arena_array(t->arena, n, sizeof(struct tally_item *));

	for (i = 0; i < t->n_slots; i++)
		if (t->slots[i])
			*slot_of(slots, n, t->slots[i]->key, t->slots[i]->hash) = t->slots[i];
	t->slots = slots;
	t->n_slots = n;
}

void tally_init(struct tally *t, struct arena *a, size_t item_size, size_t max)
{
	*t = (struct tally){
		.arena = a, .item_size = item_size, .max = max, .n_slots = SLOTS_FIRST
	};
	t->slots = arena_array(a, SLOTS_FIRST, sizeof(struct tally_item *));
}

void *tally_find(const struct tally *t, const char *key)
{
	return *slot_of(t->slots, t->n_slots, key, hash_of(key));
}

void *tally_at(struct tally *t, const char *key)
{
	uint64_t hash = hash_of(key);
	struct tally_item **slot = slot_of(t->slots, t->n_slots, key, hash), *item = *slot;

	if (item)
		return item;
	if (t->n >= t->max) {
		t->others++;
		return NULL;
	}
	if (2 * t->n >= t->n_slots) {
		grow(t);
		slot = slot_of(t->slots, t->n_slots, key, hash);
	}
	item = *slot = arena_alloc(t->arena, t->item_size);
	item->key = arena_strdup(t->arena, key);
	item->hash = hash;
	t->n++;
	return item;
}

static int by_count(const void *left, const void *right)
{
	const struct tally_item *a = *(const struct tally_item *const *)left;
	const struct tally_item *b = *(const struct tally_item *const *)right;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->key, b->key);
}

struct tally_item **tally_sorted(const struct tally *t)
{
	struct tally_item **all = arena_array(t->arena, t->n + 1, sizeof(struct tally_item *));
	size_t i, n = 0;

	for (i = 0; i < t->n_slots; i++)
		if (t->slots[i])
			all[n++] = t->slots[i];
	qsort(all, n, sizeof(struct tally_item *), by_count);
	return all;
}
