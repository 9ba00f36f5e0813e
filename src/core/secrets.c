// SPDX-License-Identifier: Apache-2.0
/* A set of cut values, to find the same value again in other places. */
#include "secrets.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { SHORTEST = 8, LONG_ENOUGH = 16 };

void secrets_init(struct secrets *s, struct arena *a, uint64_t seed)
{
	*s = (struct secrets){ .arena = a, .n_slots = 16, .seed = seed };
	s->slots = arena_array(a, s->n_slots, sizeof *s->slots);
}

/* Seeded, so that nobody can make a bundle whose values all meet in one slot. */
static size_t slot_of(const struct secrets *s, const char *text, size_t len)
{
	uint64_t h = s->seed ^ len;
	size_t i;

	for (i = 0; i < len; i++) {
		h ^= (unsigned char)text[i];
		h *= 0x9e3779b97f4a7c15;
		h ^= h >> 29;
	}
	return (size_t)h & (s->n_slots - 1);
}

/* Which of the bits in "seen" a text of that length, beginning and end has. */
static unsigned glance(const char *text, size_t len)
{
	return (unsigned)(len * 67 + (unsigned char)text[0] * 131 + (unsigned char)text[len - 1]) %
	       SEEN_BITS;
}

static const struct secret *look_up(const struct secrets *s, const char *text, size_t len)
{
	size_t i;

	if (len < SHORTEST || !(s->seen[glance(text, len) / 64] >> glance(text, len) % 64 & 1))
		return NULL;
	for (i = slot_of(s, text, len); s->slots[i].text; i = (i + 1) & (s->n_slots - 1))
		if (s->slots[i].len == len && !memcmp(s->slots[i].text, text, len))
			return &s->slots[i];
	return NULL;
}

/* "postgres" as a password must not take every mention of postgres along. */
static bool is_telling(const char *text, size_t len)
{
	bool lower = false, upper = false, digit = false, other = false;
	size_t i;

	if (len < SHORTEST)
		return false;
	for (i = 0; i < len; i++) {
		lower |= is_lower(text[i]);
		upper |= is_upper(text[i]);
		digit |= is_digit(text[i]);
		other |= !is_alnum(text[i]);
	}
	return len >= LONG_ENOUGH || lower + upper + digit + other >= 2;
}

static void put(struct secrets *s, const struct secret *secret)
{
	size_t i = slot_of(s, secret->text, secret->len);

	while (s->slots[i].text)
		i = (i + 1) & (s->n_slots - 1);
	s->slots[i] = *secret;
}

static void grow(struct secrets *s)
{
	const struct secret *old = s->slots;
	size_t i, n = s->n_slots;

	s->n_slots *= 2;
	s->slots = arena_array(s->arena, s->n_slots, sizeof *s->slots);
	for (i = 0; i < n; i++)
		if (old[i].text)
			put(s, &old[i]);
}

static void add(struct secrets *s, const char *text, size_t len)
{
	if (!is_telling(text, len) || look_up(s, text, len))
		return;
	if ((s->n + 1) * 2 > s->n_slots)
		grow(s);
	put(s, &(struct secret){ text, len });
	s->seen[glance(text, len) / 64] |= 1ULL << glance(text, len) % 64;
	s->n++;
}

/* The padding of base64 is left out as often as not. */
void secrets_add(struct secrets *s, const char *text, size_t len)
{
	add(s, text, len);
	while (len && text[len - 1] == '=')
		len--;
	add(s, text, len);
}

enum { COARSE = 1, FINE = 2 };

static const unsigned char ends_word[256] = {
	[' '] = COARSE | FINE,  ['\t'] = COARSE | FINE, ['\r'] = COARSE | FINE,
	['\n'] = COARSE | FINE, ['"'] = COARSE | FINE,  ['\''] = COARSE | FINE,
	['`'] = COARSE | FINE,  [','] = COARSE | FINE,  [';'] = COARSE | FINE,
	['='] = FINE,           [':'] = FINE,           ['@'] = FINE,
	['/'] = FINE,           ['?'] = FINE,           ['&'] = FINE,
	['('] = FINE,           [')'] = FINE,           ['['] = FINE,
	[']'] = FINE,           ['{'] = FINE,           ['}'] = FINE,
	['|'] = FINE,           ['<'] = FINE,           ['>'] = FINE,
};

/* Words between blanks, quotes and commas are tried whole and from behind their first '='; the
 * fine cut takes them apart further. What holds separators itself (a base64 text with '/', a
 * URL) is found by the coarse one, a password inside a URL by the fine one.
 */
static const struct secret *find_word(const struct secrets *s, const char *text, size_t len,
				      unsigned char cut, struct span *at)
{
	const struct secret *hit = NULL;
	size_t begin = 0, end, value;

	for (; begin < len && !hit; begin = end + 1) {
		for (end = begin; end < len && !(ends_word[(unsigned char)text[end]] & cut); end++)
			;
		*at = (struct span){ begin, end - begin };
		hit = look_up(s, text + begin, end - begin);
		if (hit || cut == FINE)
			continue;
		for (value = begin; value < end && text[value] != '='; value++)
			;
		if (value == end)
			continue;
		*at = (struct span){ value + 1, end - value - 1 };
		hit = look_up(s, text + value + 1, end - value - 1);
	}
	return hit;
}

const struct secret *secrets_find(const struct secrets *s, const char *text, size_t len,
				  struct span *at)
{
	const struct secret *hit;
	const char *value;

	if (!s->n || len < SHORTEST)
		return NULL;
	*at = (struct span){ 0, len };
	hit = look_up(s, text, len);
	if (hit)
		return hit;
	value = memchr(text, '=', len);
	if (value) {
		value++;
		*at = (struct span){ (size_t)(value - text), len - (size_t)(value - text) };
		hit = look_up(s, value, at->len);
		if (hit)
			return hit;
	}
	hit = find_word(s, text, len, COARSE, at);
	return hit ? hit : find_word(s, text, len, FINE, at);
}
