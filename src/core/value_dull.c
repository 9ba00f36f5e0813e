// SPDX-License-Identifier: Apache-2.0
/* Tells what people write in place of a secret from secrets. */
#include "value.h"

#include <stdint.h>

#include "chars.h"
#include "../base/banned.h"

/* What is long enough is judged by its beginning: dull texts are dull from the start. */
enum { LOOK_MAX = 256 };

static size_t count_distinct(const char *s, size_t len)
{
	uint64_t seen[4] = { 0 };
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		n += !(seen[c / 64] >> c % 64 & 1);
		seen[c / 64] |= (uint64_t)1 << c % 64;
	}
	return n;
}

/* The longest part in which each character follows from the one before: "aaaa", "1234", "fedc". */
static size_t longest_series(const char *s, size_t len)
{
	size_t i, run = 1, longest = len > 0;
	int step = 2, last_step = 2;

	for (i = 1; i < len; i++, last_step = step) {
		char a = to_lower(s[i - 1]), b = to_lower(s[i]);

		step = a == '9' && b == 'a' ? 1 : b - a;
		if (!is_alnum(b) || step > 1 || step < -1)
			step = 2;
		if (step == 2)
			run = 1;
		else
			run = step == last_step ? run + 1 : 2;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/* One short piece over and over: "deadbeefdeadbeef". */
static bool is_periodic(const char *s, size_t len)
{
	size_t period, i;

	for (period = 1; period <= 12 && period * 2 <= len; period++) {
		for (i = period; i < len && s[i] == s[i - period]; i++)
			;
		if (i == len)
			return true;
	}
	return false;
}

/* In small letters, in capitals, or with one capital in front; chance rarely writes words so. */
static bool has_word(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word), i, j;

	for (i = 0; i + n <= len; i++) {
		if (to_lower(s[i]) != word[0] || !text_is_nocase(s + i, n, word))
			continue;
		for (j = 2; j < n && is_upper(s[i + j]) == is_upper(s[i + 1]); j++)
			;
		if (j == n)
			return true;
	}
	return false;
}

static bool has_telling_word(const char *s, size_t len)
{
	// clang-format off
	static const char *const words[] = {
		"example",  "placeholder", "changeme",	"change-me", "change_me", "replace",
		"redacted", "your-",	   "your_",	"yourapi",   "yourtoken", "yourkey",
		"yoursec",  "insert",	   "notreal",	"not-real",  "not_real",  "not_a_",
		"dummy",    "sample",	   "foobar",	"-here",     "_here",	  "keyhere",
		"mytoken",  "tokenhere",   "secrethere", "obfuscated", "censored", "xxxx",
		"qwertyui", "asdfghjk",	   "lorem",	"invalid",   "****",	  "....",
	};
	// clang-format on
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++)
		if ((len <= 64 || strlen(words[i]) >= 7) && has_word(s, len, words[i]))
			return true;
	return false;
}

bool value_is_dull(const char *s, size_t len)
{
	size_t distinct, series;

	if (len > LOOK_MAX)
		len = LOOK_MAX;
	if (len == 0)
		return true;
	distinct = count_distinct(s, len);
	series = longest_series(s, len);
	if (len >= 8 && (distinct <= 3 || distinct * 8 < (len < 64 ? len : 64)))
		return true;
	return series >= 9 || (series >= 5 && series * 3 >= len) || is_periodic(s, len) ||
	       has_telling_word(s, len);
}

static bool is_name(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_alnum(s[i]) && !strchr("_-. ", s[i]))
			return false;
	return len > 0;
}

/* Between the marks of templates is what someone else was to fill in. A name has to be
 * there where data could have the marks as well.
 */
static bool is_template(const char *s, size_t len)
{
	// clang-format off
	static const struct {
		const char *open, *close;
		bool needs_name;
	} marks[] = {
		{ "${", "}", false }, { "$(", ")", false }, { "{{", "}}", false }, { "#{", "}", false },
		{ "<", ">", true },   { "%", "%", true },   { "@@", "@@", true },  { "__", "__", true },
		{ "{", "}", true },   { "[", "]", true },   { "$", "", true },	   { "@", "@", true },
	};
	// clang-format on
	size_t i, open, close;

	for (i = 0; i < sizeof marks / sizeof *marks; i++) {
		open = strlen(marks[i].open);
		close = strlen(marks[i].close);
		if (len > open + close && text_starts(s, len, marks[i].open) &&
		    text_ends(s, len, marks[i].close) &&
		    (!marks[i].needs_name || is_name(s + open, len - open - close)))
			return true;
	}
	return false;
}

static bool is_one_char(const char *s, size_t len)
{
	size_t i;

	for (i = 1; i < len && s[i] == s[0]; i++)
		;
	return i == len && (len >= 3 || !is_alnum(s[0])) && !is_digit(s[0]);
}

/* As text_is_nocase, but "-", "_", "." and blanks of the text do not count. */
static bool is_word(const char *s, size_t len, const char *word, bool is_start)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (s[i] == '-' || s[i] == '_' || s[i] == '.' || s[i] == ' ')
			continue;
		if (!*word)
			return is_start;
		if (to_lower(s[i]) != *word++)
			return false;
	}
	return !*word;
}

bool value_is_placeholder(const char *s, size_t len)
{
	// clang-format off
	static const char *const whole[] = {
		"changeme",     "changethis",    "changeit", "replaceme",    "replacethis",
		"placeholder",  "redacted",      "removed",  "masked",       "hidden",
		"none",         "null",          "nil",      "undefined",    "unset",
		"todo",         "tbd",           "fixme",    "na",           "n/a",
		"example",      "userprovided",  "dummy",    "notset",       "empty",
		"xxx",          "insertkeyhere", "censored", "filtered",     "secrethere",
		"passwordhere", "tokenhere",     "keyhere",  "yourpassword", "setme",
	};
	// clang-format on
	static const char *const start[] = { "yourapi",     "yourtoken",  "yourkey",   "yoursecret",
					     "yourpass",    "insertyour", "enteryour", "putyour",
					     "replacewith", "replaceyour" };
	size_t i;

	while (len > 0 && is_space(s[0]))
		s++, len--;
	while (len > 0 && is_space(s[len - 1]))
		len--;
	if (len == 0 || is_one_char(s, len) || is_template(s, len))
		return true;
	for (i = 0; i < sizeof whole / sizeof *whole; i++)
		if (is_word(s, len, whole[i], false))
			return true;
	for (i = 0; i < sizeof start / sizeof *start; i++)
		if (is_word(s, len, start[i], true))
			return true;
	return text_starts_nocase(s, len, "your_") || text_starts_nocase(s, len, "your-") ||
	       text_starts_nocase(s, len, "your ") ||
	       (len <= 64 && (has_word(s, len, "placeholder") || has_word(s, len, "changeme") ||
			      has_word(s, len, "_here") || has_word(s, len, "-here")));
}
