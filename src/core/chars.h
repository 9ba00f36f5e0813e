/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of ASCII bytes and comparing without case; no locale, any byte is a valid argument. */
#ifndef CORE_CHARS_H
#define CORE_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool is_alpha(char c)
{
	return is_upper(c) || is_lower(c);
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_alnum(char c)
{
	return is_alpha(c) || is_digit(c);
}

static inline bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Visible ASCII, the blank not among it. */
static inline bool is_graph(char c)
{
	return c > ' ' && c < 0x7f;
}

static inline char to_upper(char c)
{
	return is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

static inline char to_lower(char c)
{
	return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

/* What a hexadecimal digit stands for; -1 when it is none. */
static inline int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (!is_hex(c))
		return -1;
	return to_lower(c) - 'a' + 10;
}

/* The len bytes at s are the word; the second form takes either case of letters. */
static inline bool text_is(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(s, word, len) == 0;
}

static inline bool text_is_nocase(const char *s, size_t len, const char *word)
{
	size_t i;

	/* Most comparisons are over with the first byte; it is looked at before any length. */
	if (len && to_upper(*s) != to_upper(*word))
		return false;
	if (len != strlen(word))
		return false;
	for (i = 0; i < len; i++)
		if (to_upper(s[i]) != to_upper(word[i]))
			return false;
	return true;
}

/* The len bytes at s begin or end with the word. */
static inline bool text_starts(const char *s, size_t len, const char *word)
{
	size_t n;

	if (len && *word && *s != *word)
		return false;
	n = strlen(word);
	return len >= n && memcmp(s, word, n) == 0;
}

static inline bool text_starts_nocase(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && text_is_nocase(s, n, word);
}

static inline bool text_ends(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(s + len - n, word, n) == 0;
}

static inline bool text_ends_nocase(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && text_is_nocase(s + len - n, n, word);
}

#endif
