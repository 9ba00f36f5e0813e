/* SPDX-License-Identifier: Apache-2.0 */
/* A set of cut values, to find the same value again in other places. */
#ifndef CORE_SECRETS_H
#define CORE_SECRETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"
#include "detect.h"

struct secret {
	const char *text;
	size_t len;
};

enum { SEEN_BITS = 4096 };

struct secrets {
	struct arena *arena;
	struct secret *slots;
	size_t n_slots, n; /* n_slots is a power of two, at least twice n */
	uint64_t seed;
	uint64_t seen[SEEN_BITS / 64]; /* spares most words the look at the slots */
};

void secrets_init(struct secrets *s, struct arena *a, uint64_t seed);

/* Values that are too short or too plain to be recognised ("postgres") are left out. */
void secrets_add(struct secrets *s, const char *text, size_t len);

/* The first cut value that stands whole in the text: as all of it, as one of its words, or behind
 * an '='; *at says where. Linear in the length of the text, whatever the number of values.
 */
const struct secret *secrets_find(const struct secrets *s, const char *text, size_t len,
				  struct span *at);

#endif
