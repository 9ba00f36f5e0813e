// SPDX-License-Identifier: Apache-2.0
/* A string that grows in an arena up to a bound; past it, overflow is remembered. */
#include "str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"
#include "banned.h"

void str_init(struct str *s, struct arena *a, size_t max)
{
	*s = (struct str){ .arena = a, .cap = 128, .max = max };
	s->s = arena_alloc(a, s->cap);
}

bool str_room(struct str *s, size_t more)
{
	size_t need, cap = s->cap;

	if (s->overflow || more > s->max || s->len > s->max - more) {
		s->overflow = true;
		return false;
	}
	need = s->len + more + 1;
	if (need <= cap)
		return true;
	while (cap < need)
		cap *= 2;
	s->s = arena_grow(s->arena, s->s, s->len + 1, cap);
	s->cap = cap;
	return true;
}

void str_addn(struct str *s, const char *text, size_t len)
{
	char *more = str_extend(s, len);

	if (more)
		memcpy(more, text, len);
}

void str_add(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_printf(struct str *s, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n >= 0 && str_room(s, (size_t)n)) {
		vsnprintf(s->s + s->len, (size_t)n + 1, fmt, again);
		s->len += (size_t)n;
	}
	va_end(again);
}

/* C1 control characters count as such: terminals obey some of them. */
static bool is_printable(const char *s, size_t len)
{
	unsigned char c = (unsigned char)s[0];

	if (len == 2 && c == 0xc2)
		return (unsigned char)s[1] >= 0xa0;
	return len && c >= 0x20 && c != 0x7f && !strchr("\\\"'", c);
}

/* The length of the printable ASCII at the start: nearly all that there ever is. */
static size_t plain_length(const char *s, size_t max)
{
	size_t i;

	for (i = 0; i < max && s[i] >= ' ' && s[i] < 0x7f; i++)
		if (s[i] == '\\' || s[i] == '"' || s[i] == '\'')
			break;
	return i;
}

void str_add_printable(struct str *s, const char *text, size_t max)
{
	size_t len = strlen(text), i = 0, n;

	while (i < len && i < max) {
		n = plain_length(text + i, (len < max ? len : max) - i);
		if (n) {
			str_addn(s, text + i, n);
			i += n;
			continue;
		}
		n = utf8_char(text + i, len - i);
		if (!is_printable(text + i, n)) {
			str_printf(s, "\\x%02x", (unsigned char)text[i]);
			i++;
			continue;
		}
		if (n > max - i)
			break;
		str_addn(s, text + i, n);
		i += n;
	}
	if (i < len)
		str_add(s, "...");
}

const char *printable(struct arena *a, const char *text, size_t max)
{
	struct str s;

	str_init(&s, a, max * 4 + 8);
	str_add_printable(&s, text, max);
	return s.s;
}

const char *printable_n(struct arena *a, const char *text, size_t len, size_t max)
{
	const char *copy = arena_strndup(a, text, len);

	return len <= max && plain_length(text, len) == len ? copy : printable(a, copy, max);
}

int str_cmpn(const char *a, size_t a_len, const char *b)
{
	size_t b_len = strlen(b);
	int c = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return c ? c : a_len < b_len ? -1 : a_len > b_len;
}
