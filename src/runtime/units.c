// SPDX-License-Identifier: Apache-2.0
/* Sizes and durations as people write them on command lines. */
#include "units.h"

#include <stddef.h>
#include <string.h>

#include "../core/chars.h"
#include "../core/names.h"
#include "../base/banned.h"

/* digits[.digits], times a unit of at most 2^62: no part of a size or time needs more than nine
 * digits behind the point. Moves *text behind the number; false when it is none, or too large.
 */
struct number {
	uint64_t whole, fraction, scale; /* whole + fraction / scale */
};

static bool read_number(const char **text, struct number *n)
{
	const char *s = *text;
	unsigned digits = 0;

	*n = (struct number){ 0, 0, 1 };
	for (; is_digit(*s); s++, digits++)
		if (__builtin_mul_overflow(n->whole, 10, &n->whole) ||
		    __builtin_add_overflow(n->whole, (uint64_t)(*s - '0'), &n->whole))
			return false;
	if (!digits)
		return false;
	if (*s == '.') {
		if (!is_digit(*++s))
			return false;
		for (; is_digit(*s); s++) {
			if (n->scale >= 1000000000)
				continue;
			n->fraction = n->fraction * 10 + (uint64_t)(*s - '0');
			n->scale *= 10;
		}
	}
	*text = s;
	return true;
}

static bool times(const struct number *n, uint64_t unit, int64_t *out)
{
	unsigned __int128 sum = (unsigned __int128)n->whole * unit +
				(unsigned __int128)n->fraction * unit / n->scale;

	if (sum > INT64_MAX)
		return false;
	*out = (int64_t)sum;
	return true;
}

bool parse_size(const char *text, int64_t *bytes)
{
	static const char letters[] = "kmgtp";
	const char *letter;
	uint64_t unit = 1;
	struct number n;

	if (!strcmp(text, "-1")) {
		*bytes = -1;
		return true;
	}
	if (!read_number(&text, &n))
		return false;
	if (*text == ' ')
		text++;
	letter = *text ? strchr(letters, to_lower(*text)) : NULL;
	if (letter) {
		unit <<= 10 * (letter - letters + 1);
		text++;
		if (*text == 'i')
			text++;
	}
	if (to_lower(*text) == 'b')
		text++;
	return !*text && times(&n, unit, bytes);
}

bool parse_duration(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{ "m", 60 * 1000000000ull },
		{ "h", 3600 * 1000000000ull },
	};
	struct number n;
	int64_t part;
	size_t i, len;

	*ns = 0;
	if (!strcmp(text, "0"))
		return true;
	do {
		if (!read_number(&text, &n))
			return false;
		len = 0;
		while (is_alpha(text[len]))
			len++;
		for (i = 0; i < sizeof units / sizeof units[0]; i++)
			if (text_is(text, len, units[i].name))
				break;
		if (i == sizeof units / sizeof units[0] || !times(&n, units[i].ns, &part) ||
		    __builtin_add_overflow(*ns, part, ns))
			return false;
		text += len;
	} while (*text);
	return true;
}
