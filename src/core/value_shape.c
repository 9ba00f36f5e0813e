// SPDX-License-Identifier: Apache-2.0
/* Matches a text with the shapes of the format tables, without going back. */
#include "value_formats.h"

#include <stdint.h>

#include "chars.h"
#include "../base/banned.h"

/* Longer runs than this are not looked through before the rest of the shape is known to fit. */
enum { RUN_MAX = 1024 };

bool value_class_has(char class, char c)
{
	switch (class) {
	case 'd': return is_digit(c);
	case 'x': return is_digit(c) || (c >= 'a' && c <= 'f');
	case 'X': return is_hex(c);
	case 'l': return is_lower(c);
	case 'u': return is_upper(c);
	case 'A': return is_alpha(c);
	case 'k': return is_lower(c) || is_digit(c);
	case 'K': return is_upper(c) || is_digit(c);
	case 't': return is_upper(c) || (c >= '2' && c <= '7');
	case 'T': return is_lower(c) || (c >= '2' && c <= '7');
	case 'b': return is_alnum(c);
	case 'v': return is_alnum(c) || c == '_';
	case 'w': return is_alnum(c) || c == '_' || c == '-';
	case 'p': return is_alnum(c) || c == '_' || c == '-' || c == '.';
	case 'e': return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '=';
	case 'z': return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '~';
	case 'c': return is_alnum(c) || c == '%';
	case 'B': return is_alnum(c) || c == '+' || c == '/';
	case 'W': return is_alnum(c) || c == '_' || c == '-' || c == '+' || c == '/' || c == '=';
	case 'q': return c == '=';
	default: return false;
	}
}

struct item {
	char class; /* 0 for a literal */
	size_t min, max;
	const char *text; /* of a literal */
	size_t text_len;
};

static size_t read_count(const char **shape)
{
	size_t n = 0;

	while (is_digit(**shape))
		n = n * 10 + (size_t)(*(*shape)++ - '0');
	return n;
}

static struct item next_item(const char **shape)
{
	struct item it = { 0 };
	const char *p = *shape;

	if (*p == '\'') {
		it.text = ++p;
		while (*p != '\'')
			p++;
		it.text_len = (size_t)(p - it.text);
		p++;
	} else if (*p == 'U') {
		it.class = *p++;
	} else if (is_alpha(*p)) {
		it.class = *p++;
		it.min = it.max = read_count(&p);
		if (*p == '+') {
			it.max = SIZE_MAX;
			p++;
		} else if (*p == '~') {
			p++;
			it.max = read_count(&p);
		}
	} else {
		it.text = p++;
		it.text_len = 1;
	}
	*shape = p;
	return it;
}

static bool is_uuid(const char *s, size_t len)
{
	size_t i;

	if (len < 36)
		return false;
	for (i = 0; i < 36; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-' : !is_hex(s[i]))
			return false;
	return true;
}

static size_t run_of(char class, const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && value_class_has(class, s[n]))
		n++;
	return n;
}

/* A token ends where neither its last class nor a word goes on: "sk_live_<24>" is none when a
 * 25th letter follows.
 */
static bool ends_at(const struct item *last, const char *s, size_t len)
{
	if (len == 0 || last->max == SIZE_MAX)
		return true;
	if (is_alnum(*s) || *s == '_')
		return false;
	return last->class == 0 || last->class == 'U' || !value_class_has(last->class, *s);
}

size_t value_shape_take(const char *shape, const char *s, size_t len)
{
	struct item it = { 0 };
	size_t pos = 0, n, most;

	while (*shape) {
		it = next_item(&shape);
		if (it.class == 'U') {
			if (!is_uuid(s + pos, len - pos))
				return 0;
			pos += 36;
		} else if (it.class == 0) {
			if (len - pos < it.text_len || memcmp(s + pos, it.text, it.text_len) != 0)
				return 0;
			pos += it.text_len;
		} else {
			most = it.max == SIZE_MAX ? RUN_MAX : it.max;
			n = run_of(it.class, s + pos, len - pos < most ? len - pos : most);
			if (n < it.min)
				return 0;
			pos += n;
		}
	}
	if (!ends_at(&it, s + pos, len - pos))
		return 0;
	if (it.max == SIZE_MAX)
		pos += run_of(it.class, s + pos, len - pos);
	return pos;
}
