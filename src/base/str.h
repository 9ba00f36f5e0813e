/* SPDX-License-Identifier: Apache-2.0 */
/* A string that grows in an arena up to a bound; past it, overflow is remembered. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

struct str {
	struct arena *arena;
	char *s; /* always NUL-terminated */
	size_t len, cap, max;
	bool overflow; /* sticky: something did not fit, the content is not to be used */
};

void str_init(struct str *s, struct arena *a, size_t max);
void str_add(struct str *s, const char *text);

bool str_room(struct str *s, size_t more);

/* Makes the string longer by len bytes, which the caller fills in; NULL: they do not fit. */
static inline char *str_extend(struct str *s, size_t len)
{
	char *more;

	if ((s->cap - s->len <= len || s->max - s->len < len || s->overflow) && !str_room(s, len))
		return NULL;
	more = s->s + s->len;
	s->len += len;
	s->s[s->len] = '\0';
	return more;
}

static inline void str_addc(struct str *s, char c)
{
	char *more = str_extend(s, 1);

	if (more)
		*more = c;
}

void str_addn(struct str *s, const char *text, size_t len);
void str_printf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* For text that people see: control characters, quotes, backslashes and invalid UTF-8 as \xNN,
 * cut to max bytes of the text with "..." at the end.
 */
void str_add_printable(struct str *s, const char *text, size_t max);
const char *printable(struct arena *a, const char *text, size_t max);
const char *printable_n(struct arena *a, const char *text, size_t len, size_t max);

/* Sorted-table look-up: bytes of a against the NUL-terminated b, as strcmp would say. */
int str_cmpn(const char *a, size_t a_len, const char *b);

#endif
