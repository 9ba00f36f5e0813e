/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of vendors as data: what they begin with, what follows, and how they are checked. */
#ifndef CORE_VALUE_FORMATS_H
#define CORE_VALUE_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A shape is a row of items, matched from left to right, each taking as much as it can:
 *   a class of characters and a count: "x40" "b20~40" (from, to) "w20+" (from, without end)
 *   a literal: punctuation as it stands, letters and digits in 'quotes'
 * Classes: d digits, x X hexadecimal (lower, either case), l u A letters (lower, upper, either),
 * k K letters of one case and digits (lower, upper), t T base32 (upper, lower),
 * b letters and digits, c also %, v also _, w also _ and -, p also _ - and ., e also = (of these),
 * z also ~, B base64, W either base64 with its padding, q the padding alone. U is a UUID and has
 * no count.
 */
struct value_format {
	/* In the row itself: most are passed over by their first bytes, and quickly. */
	char prefix[32];
	char shape[24];
	/* Of the whole token, prefix included; false: it only looks like one. May be NULL. */
	bool (*check)(const char *token, size_t len);
	const char *rule, *why;
};

/* Sorted by the first two bytes of the prefix; of those with the same two the first that fits
 * decides.
 */
struct value_table {
	const struct value_format *row;
	size_t count;
};
enum { VALUE_TABLES = 6 };
extern const struct value_table *const value_tables[VALUE_TABLES];

/* The bytes that come second in a prefix, by the first one, a bit for each; a blank stands for none.
 * Some share a bit, so that it is only likely that there is a row.
 */
enum { VALUE_FIRSTS = 'z' + 1 };
#define VALUE_SECOND(c) (UINT64_C(1) << ((unsigned char)(c) % 64))
extern const uint64_t value_seconds[VALUE_FIRSTS];

/* Tokens that are known by something in their middle or at their end: min to max characters of a
 * class, the mark, and then the shape (empty: the end).
 */
struct value_signature {
	char class;
	unsigned short min, max;
	const char *mark;
	const char *shape;
	const char *rule, *why;
};
extern const struct value_signature value_signatures[];
extern const size_t value_signature_count;

bool value_class_has(char class, char c);

/* The number of bytes at s that the shape takes, the longest run of its last class included;
 * 0 when it does not fit. Looks at a bounded number of bytes past what it takes.
 */
size_t value_shape_take(const char *shape, const char *s, size_t len);

#endif
