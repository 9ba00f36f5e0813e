/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of ASCII bytes and comparing without case; no locale, any byte is a valid argument. */
#ifndef CORE_CHARS_H
#define CORE_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum char_class {
	CHAR_UPPER = 1 << 0,
	CHAR_LOWER = 1 << 1,
	CHAR_DIGIT = 1 << 2,
	CHAR_HEX = 1 << 3,
	CHAR_SPACE = 1 << 4,
	CHAR_GRAPH = 1 << 5,
	CHAR_JOIN = 1 << 6, /* what names have between words: '_', '-', '.' */
	CHAR_PART =
		1 << 7, /* what ends a part of a path, URL or list: '/', ',', ';', '&', '?', '=' */
};

/* One look and no branches: in random text a processor guesses wrong what the next byte is. */
// clang-format off
static const unsigned char char_classes[256] = {
	['\t' ... '\r'] = CHAR_SPACE, [' '] = CHAR_SPACE,
	['!' ... '%'] = CHAR_GRAPH, ['&'] = CHAR_GRAPH | CHAR_PART, ['\'' ... '+'] = CHAR_GRAPH,
	[','] = CHAR_GRAPH | CHAR_PART, ['-' ... '.'] = CHAR_GRAPH | CHAR_JOIN,
	['/'] = CHAR_GRAPH | CHAR_PART, [':'] = CHAR_GRAPH, [';'] = CHAR_GRAPH | CHAR_PART,
	['<'] = CHAR_GRAPH, ['='] = CHAR_GRAPH | CHAR_PART, ['>'] = CHAR_GRAPH,
	['?'] = CHAR_GRAPH | CHAR_PART, ['@'] = CHAR_GRAPH,
	['[' ... '^'] = CHAR_GRAPH, ['_'] = CHAR_GRAPH | CHAR_JOIN,
	['`'] = CHAR_GRAPH, ['{' ... '~'] = CHAR_GRAPH,
	['0' ... '9'] = CHAR_DIGIT | CHAR_HEX | CHAR_GRAPH,
	['A' ... 'F'] = CHAR_UPPER | CHAR_HEX | CHAR_GRAPH, ['G' ... 'Z'] = CHAR_UPPER | CHAR_GRAPH,
	['a' ... 'f'] = CHAR_LOWER | CHAR_HEX | CHAR_GRAPH, ['g' ... 'z'] = CHAR_LOWER | CHAR_GRAPH,
};
// clang-format on

static inline bool char_is(char c, int classes)
{
	return char_classes[(unsigned char)c] & classes;
}

static inline bool is_upper(char c)
{
	return char_is(c, CHAR_UPPER);
}

static inline bool is_lower(char c)
{
	return char_is(c, CHAR_LOWER);
}

static inline bool is_alpha(char c)
{
	return char_is(c, CHAR_UPPER | CHAR_LOWER);
}

static inline bool is_digit(char c)
{
	return char_is(c, CHAR_DIGIT);
}

static inline bool is_alnum(char c)
{
	return char_is(c, CHAR_UPPER | CHAR_LOWER | CHAR_DIGIT);
}

/* What the names of settings are made of. */
static inline bool is_name_char(char c)
{
	return char_is(c, CHAR_UPPER | CHAR_LOWER | CHAR_DIGIT | CHAR_JOIN);
}

static inline bool is_hex(char c)
{
	return char_is(c, CHAR_HEX);
}

static inline bool is_space(char c)
{
	return char_is(c, CHAR_SPACE);
}

/* Visible ASCII, the blank not among it. */
static inline bool is_graph(char c)
{
	return char_is(c, CHAR_GRAPH);
}

static inline char to_upper(char c)
{
	return (char)(c - (is_lower(c) ? 0x20 : 0));
}

static inline char to_lower(char c)
{
	return (char)(c + (is_upper(c) ? 0x20 : 0));
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
