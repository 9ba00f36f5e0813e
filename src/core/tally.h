/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted by name: a table of a bounded number of items. */
#ifndef CORE_TALLY_H
#define CORE_TALLY_H

#include <stdint.h>

#include "../base/arena.h"

/* What every item begins with. */
struct tally_item {
	const char *key;
	uint64_t hash, count;
};

struct tally {
	struct arena *arena;
	size_t item_size, max; /* items beyond max are not kept */
	struct tally_item **slots;
	size_t n, n_slots;
	uint64_t others; /* how often an item was asked for that is not kept */
};

void tally_init(struct tally *t, struct arena *a, size_t item_size, size_t max);

/* The item of that key, new and all zero the first time; NULL: there are too many. */
void *tally_at(struct tally *t, const char *key);
void *tally_find(const struct tally *t, const char *key); /* NULL: there is none */

/* All items in the order of their counts, the largest first; those of one count by their keys. */
struct tally_item **tally_sorted(const struct tally *t);

#endif
