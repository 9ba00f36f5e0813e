// SPDX-License-Identifier: Apache-2.0
/* Tests of the small modules: arena, err, str, utf8, hash and glob. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "../src/base/arena.h"
#include "../src/base/err.h"
#include "../src/base/hash.h"
#include "../src/base/str.h"
#include "../src/base/utf8.h"
#include "../src/core/glob.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_zero(const unsigned char *p, size_t len)
{
	while (len && !*p) {
		p++;
		len--;
	}
	return !len;
}

static void test_arena(void)
{
	static const size_t sizes[] = {
		0, 1, 15, 16, 17, 1000, 32 * 1024, 32 * 1024 + 1, 5, 1 << 20
	};
	struct arena a = { 0 };
	bool aligned = true, zeroed = true;
	unsigned char *p, *first;
	int *list = NULL;
	size_t count = 0, i;

	for (i = 0; i < COUNT(sizes); i++) {
		p = arena_alloc(&a, sizes[i]);
		aligned = aligned && (uintptr_t)p % 16 == 0;
		zeroed = zeroed && is_zero(p, sizes[i]);
		memset(p, 0xff, sizes[i]);
	}
	ok(aligned, "memory of an arena is aligned for any type");
	ok(zeroed, "memory of an arena comes zeroed");

	first = arena_alloc(&a, 16);
	arena_alloc(&a, 100 * 1024);
	p = arena_alloc(&a, 16);
	ok(p == first + 16, "a large block does not end the use of the current one");

	for (i = 0; i < 1000; i++)
		*arena_push(&a, list, count) = (int)i;
	for (i = 0; i < 1000 && list[i] == (int)i; i++)
		;
	ok(count == 1000 && i == 1000, "a list keeps its elements while it grows");
	is(arena_strdup(&a, "abc"), "abc", "a string is copied");
	is(arena_strndup(&a, "abc", 2), "ab", "a part of a string is copied and terminated");
	is(arena_strndup(&a, NULL, 0), "", "a part of nothing is empty");
	is(arena_printf(&a, "%s-%d", "x", 7), "x-7", "text is formatted");
	cmp_ok(strlen(arena_printf(&a, "%100000d", 1)), "==", 100000,
	       "long text is formatted whole");
	p = arena_grow(&a, "abcd", 4, 8);
	ok(!memcmp(p, "abcd\0\0\0\0", 8), "growing keeps the old bytes and zeroes the new ones");
	arena_release(&a);
	ok(!a.blocks, "an arena is empty after its release");
	ok(arena_array(&a, 3, 5), "and can be used again");
	arena_release(&a);
	arena_release(&a);
	pass("releasing an empty arena does nothing");
}

static void test_err(void)
{
	char wide[1000];
	struct err e;

	cmp_ok(fail(&e, 0, "%s: bad", "x"), "==", -1, "fail returns -1");
	is(e.text, "x: bad", "fail formats the text");
	cmp_ok(e.errnum, "==", 0, "without errno there is none");
	fail(&e, ENOENT, "open");
	is(e.text, "open: no such file or directory", "with errno its text follows");
	cmp_ok(e.errnum, "==", ENOENT, "and errno is kept");
	cmp_ok(fail_in(&e, "config %d", 1), "==", -1, "fail_in returns -1");
	is(e.text, "config 1: open: no such file or directory", "fail_in puts the place in front");
	memset(wide, 'x', sizeof wide);
	wide[sizeof wide - 1] = '\0';
	fail(&e, ENOENT, "%s", wide);
	cmp_ok(strlen(e.text), "==", sizeof e.text - 1, "a text that is too long is cut");
	fail_in(&e, "%s", wide);
	cmp_ok(strlen(e.text), "==", sizeof e.text - 1, "a place that is too long is cut");
}

static void test_str(void)
{
	struct arena a = { 0 };
	struct str s;
	size_t i;

	str_init(&s, &a, 10);
	is(s.s, "", "a new string is empty");
	str_add(&s, "abc");
	str_addn(&s, "defgh", 2);
	str_printf(&s, "%d", 12);
	is(s.s, "abcde12", "a string grows by text, parts and formats");
	str_add(&s, "345");
	ok(!s.overflow && s.len == 10, "a string may reach its bound");
	str_add(&s, "6");
	ok(s.overflow, "a byte more is remembered as overflow");
	str_init(&s, &a, 10);
	str_printf(&s, "%s", "01234567890");
	ok(s.overflow && !s.len, "a format that does not fit adds nothing");
	str_add(&s, "a");
	ok(s.overflow && !s.len, "what fits after an overflow is not added either");
	str_init(&s, &a, 100000);
	for (i = 0; i < 10000; i++)
		str_add(&s, "0123456789");
	ok(!s.overflow && s.len == 100000 && !s.s[s.len], "a long string stays terminated");
	str_addn(&s, "x", (size_t)-1);
	ok(s.overflow, "a length past all bounds is an overflow");
	arena_release(&a);
}

static void test_printable(void)
{
	static const struct {
		const char *text;
		size_t max;
		const char *shown, *what;
	} cases[] = {
		// clang-format off
		{ "", 10, "", "nothing is shown as nothing" },
		{ "plain text", 10, "plain text", "plain text stays, up to the bound" },
		{ "plain text!", 10, "plain text...", "longer text is cut" },
		{ "a\nb\t\x1b[0m", 20, "a\\x0ab\\x09\\x1b[0m", "control characters are escaped" },
		{ "\x7f", 20, "\\x7f", "DEL is escaped" },
		{ "\xc2\x9b" "1m\xc2\xa0", 20, "\\xc2\\x9b1m\xc2\xa0", "C1 control characters are escaped" },
		{ "a'b\"c\\d", 20, "a\\x27b\\x22c\\x5cd", "quotes and backslashes are escaped" },
		{ "\xff\xc3\xa4\xc3", 20, "\\xff\xc3\xa4\\xc3", "bytes that are no UTF-8 are escaped" },
		{ "a\xe2\x82\xac", 4, "a\xe2\x82\xac", "a character that just fits stays" },
		{ "a\xe2\x82\xac", 3, "a...", "a character is not cut in two" },
		{ "abc", 0, "...", "a bound of nothing leaves the dots" },
		{ "\1\1\1\1", 4, "\\x01\\x01\\x01\\x01", "escapes do not count against the bound" },
		// clang-format on
	};
	struct arena a = { 0 };
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		is(printable(&a, cases[i].text, cases[i].max), cases[i].shown, "%s", cases[i].what);
	arena_release(&a);
}

static void test_cmpn(void)
{
	cmp_ok(str_cmpn("abc", 3, "abc"), "==", 0, "equal bytes are equal");
	cmp_ok(str_cmpn("abcd", 3, "abc"), "==", 0, "bytes behind the length do not matter");
	cmp_ok(str_cmpn("ab", 2, "abc"), "<", 0, "a beginning comes before the whole");
	cmp_ok(str_cmpn("abc", 3, "ab"), ">", 0, "the whole comes behind a beginning");
	cmp_ok(str_cmpn("b", 1, "abc"), ">", 0, "letters decide before lengths");
	cmp_ok(str_cmpn("", 0, ""), "==", 0, "nothing is equal to nothing");
	cmp_ok(str_cmpn("\xff", 1, "a"), ">", 0, "bytes compare as unsigned");
	cmp_ok(str_cmpn("ab\0cd", 5, "ab"), ">", 0, "a NUL within the bytes does not end them");
}

static void test_utf8(void)
{
	static const struct {
		const char *text;
		size_t good;
		const char *what;
	} cases[] = {
		// clang-format off
		{ "abc", 3, "ASCII is UTF-8" },
		{ "\xc2\x80\xdf\xbf", 4, "the first and last character of two bytes are" },
		{ "\xe0\xa0\x80\xef\xbf\xbf", 6, "the first and last character of three bytes are" },
		{ "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8, "the first and last character of four bytes are" },
		{ "\xed\x9f\xbf\xee\x80\x80", 6, "the neighbours of the surrogates are" },
		{ "a\x80", 1, "a continuation byte alone is not" },
		{ "a\xc1\x80", 1, "an overlong form of two bytes is not" },
		{ "a\xe0\x9f\xbf", 1, "an overlong form of three bytes is not" },
		{ "a\xf0\x8f\xbf\xbf", 1, "an overlong form of four bytes is not" },
		{ "a\xed\xa0\x80", 1, "a surrogate is not" },
		{ "a\xf4\x90\x80\x80", 1, "what is past U+10FFFF is not" },
		{ "a\xf5\x80\x80\x80", 1, "the byte f5 is not" },
		{ "\xe2\x82", 0, "a cut character is not" },
		{ "\xe2\x82" "a", 0, "nor one that a letter interrupts" },
		{ "\xf0\x9f\x98\x28", 0, "nor one whose last byte is wrong" },
		// clang-format on
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		cmp_ok(utf8_check(cases[i].text, strlen(cases[i].text)), "==", cases[i].good, "%s",
		       cases[i].what);
	cmp_ok(utf8_check("", 0), "==", 0, "nothing is UTF-8");
	cmp_ok(utf8_check("a\0b", 3), "==", 3, "NUL is a character");
	cmp_ok(utf8_char("", 0), "==", 0, "there is no character in nothing");
	cmp_ok(utf8_char("\xe2\x82\xac", 2), "==", 0, "no byte behind the length is looked at");
}

static void test_hash(void)
{
	uint8_t sum[HASH_SIZE], key[131];
	char hex[2 * HASH_SIZE + 1];

	hash_sha256("", 0, sum);
	hash_hex(sum, sizeof sum, hex);
	is(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	   "SHA-256 of nothing is known");
	hash_sha256("abc", 3, sum);
	hash_hex(sum, sizeof sum, hex);
	is(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	   "SHA-256 of FIPS 180-4's example is right");
	hash_hmac("Jefe", 4, "what do ya want for nothing?", 28, sum);
	hash_hex(sum, sizeof sum, hex);
	is(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
	   "HMAC-SHA-256 of RFC 4231's case 2 is right");
	memset(key, 0xaa, sizeof key);
	hash_hmac(key, sizeof key, "Test Using Larger Than Block-Size Key - Hash Key First", 54,
		  sum);
	hash_hex(sum, sizeof sum, hex);
	is(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
	   "HMAC-SHA-256 of RFC 4231's case 6 is right");
	hash_hex((const uint8_t *)"\x00\x0f\xf0\xff", 4, hex);
	is(hex, "000ff0ff", "hexadecimal digits are lower case and keep zeros");
	hash_hex(sum, 0, hex);
	is(hex, "", "no bytes have no digits");
}

struct glob_case {
	const char *pattern, *text;
	bool matches;
};

static void check_globs(const char *name, bool (*match)(const char *, const char *),
			const struct glob_case *c, size_t count)
{
	for (; count--; c++)
		ok(match(c->pattern, c->text) == c->matches, "%s: '%s' %s '%s'", name, c->pattern,
		   c->matches ? "takes" : "does not take", c->text);
}

static void test_glob_name(void)
{
	static const struct glob_case cases[] = {
		// clang-format off
		{ "", "", true }, { "", "a", false }, { "a", "", false }, { "*", "", true }, { "*", "abc", true },
		{ "**", "abc", true }, { "?", "a", true }, { "?", "", false }, { "?", "ab", false },
		{ "abc", "abc", true }, { "abc", "ABC", true }, { "ABC", "abc", true }, { "abc", "abd", false },
		{ "a*", "a", true }, { "a*c", "abc", true }, { "a*c", "ac", true }, { "a*c", "abcd", false },
		{ "*_TOKEN", "GH_TOKEN", true }, { "*_TOKEN", "TOKEN", false }, { "*_TOKEN", "_TOKEN_TOKEN", true },
		{ "*_TOKEN", "GH_TOKEN_X", false }, { "CORP_*_PASS", "CORP_A_B_PASS", true }, { "a*b*c", "a1b2b3c", true },
		{ "a*b*c", "a1c2b", false }, { "*a*", "bab", true }, { "*a*", "bbb", false }, { "a?c", "a*c", true },
		{ "a*?", "a", false }, { "a*?", "ab", true }, { "[a]", "a", false }, { "[a]", "[a]", true }, { "a\\*", "a*", false },
		{ "@", "`", false }, { "[", "{", false }, { "*/x", "a/b/x", true },
		// clang-format on
	};

	check_globs("names", glob_name, cases, COUNT(cases));
}

static void test_glob_path(void)
{
	static const struct glob_case cases[] = {
		// clang-format off
		{ "/", "/", true }, { "/a", "/a", true }, { "/a", "/A", false }, { "/a", "/a/", true }, { "//a", "/a", true },
		{ "/a", "/b", false }, { "/a", "/a/b", false }, { "/a/b", "/a", false }, { "/*", "/a", true }, { "/*", "/a/b", false },
		{ "/*", "/", false }, { "/a*", "/abc", true }, { "/a*c/d", "/abbc/d", true }, { "/a?", "/ab", true }, { "/a?b", "/a/b", false },
		{ "**", "/", true }, { "**", "/a/b/c", true }, { "/**", "/a", true }, { "/a/**", "/a", true }, { "/a/**", "/a/b/c", true },
		{ "/a/**", "/ab", false }, { "**/c", "/c", true }, { "**/c", "/a/b/c", true }, { "**/c", "/a/c/b", false },
		{ "**/.env*", "/x/.envrc", true }, { "/a/**/z", "/a/z", true }, { "/a/**/z", "/a/b/c/z", true }, { "/a/**/z", "/a/b/zz", false },
		{ "**/a/**/b", "/x/a/y/a/b", true }, { "**/a/**/b", "/x/b/a", false }, { "**/a/b", "/a/a/b", true }, { "**/a/b", "/a/b/a/b", true },
		{ "/home/*/.npmrc", "/home/u/.npmrc", true }, { "/home/*/.npmrc", "/home/u/x/.npmrc", false }, { "**/**", "/a", true },
		{ "/a**b", "/axxb", true }, { "/a**b", "/a/b", false }, { "**/x/**", "/x", true }, { "**/x/**", "/a/x/b", true }, { "", "", true },
		{ "/***", "/a", true }, { "/***", "/a/b", false },
		// clang-format on
	};

	check_globs("paths", glob_path, cases, COUNT(cases));
}

static void test_glob_covers(void)
{
	static const struct glob_case names[] = {
		// clang-format off
		{ "*", "a", true }, { "*", "a*", true }, { "A*", "AB*", true }, { "AB*", "A*", false }, { "*", "**", true },
		{ "a?", "a*", false }, { "a?", "ab", true }, { "a*", "a?", false }, { "a?", "a?", true }, { "*_TOKEN", "*", false },
		{ "*A*", "*BAB*", true }, { "a", "A", true }, { "?*", "*", false }, { "?", "*", false },
		// clang-format on
	};
	static const struct glob_case paths[] = {
		// clang-format off
		{ "/home/*", "/home/a", true }, { "/home/*", "/home/a/b", false }, { "/home/**", "/home/a/b", true },
		{ "/home/**", "/home/*/x", true }, { "/home/*", "/home/**", false }, { "**", "/a/**", true }, { "/a", "/A", false },
		{ "**/x", "/a/**/x", true }, { "**/x", "/a/**", false }, { "/a/*", "/a/*", true }, { "/a/?", "/a/*", false },
		{ "/a/*/*", "/a/**", false }, { "/*/**", "/**", false }, { "/**/*", "/**", false },
		// clang-format on
	};

	check_globs("covering names", glob_covers, names, COUNT(names));
	check_globs("covering paths", glob_covers_path, paths, COUNT(paths));
}

enum { WORD_LEN = 4, WORDS = 1 << (2 * WORD_LEN) };

/* The end of each word is a text too, so that short ones are among them. */
static size_t count_wrong(const char words[][WORD_LEN + 1], const char *wide, const char *narrow,
			  bool (*match)(const char *, const char *))
{
	size_t i, wrong = 0;
	const char *text;

	for (i = 0; i < WORDS; i++)
		for (text = words[i]; *text; text++)
			if (!strpbrk(text, "*?") && match(narrow, text) && !match(wide, text))
				wrong++;
	return wrong;
}

static void check_cover_law(const char *name, const char *alphabet,
			    bool (*covers)(const char *, const char *),
			    bool (*match)(const char *, const char *))
{
	static char words[WORDS][WORD_LEN + 1];
	size_t w, n, i, wrong = 0;

	for (w = 0; w < WORDS; w++)
		for (i = 0; i < WORD_LEN; i++)
			words[w][i] = alphabet[w >> (2 * i) & 3];
	for (w = 0; w < WORDS; w++)
		for (n = 0; n < WORDS; n++)
			if (covers(words[w], words[n]))
				wrong += count_wrong(words, words[w], words[n], match);
	cmp_ok(wrong, "==", 0, "%s: a pattern that covers another takes whatever that takes", name);
}

static void test_glob_cost(void)
{
	static char pattern[4001], text[4001], path[8001], path_pattern[8001];
	clock_t begin = clock();
	size_t i;

	for (i = 0; i < 2000; i++)
		memcpy(pattern + 2 * i, "*a", 2);
	memset(text, 'a', 4000);
	text[3999] = 'b';
	ok(!glob_name(pattern, text), "a name with thousands of stars is judged");
	for (i = 0; i < 2000; i++)
		memcpy(path_pattern + 4 * i, i % 2 ? "/*a*" : "/**/", 4);
	for (i = 0; i < 4000; i++)
		memcpy(path + 2 * i, "/a", 2);
	path[7999] = 'b';
	ok(!glob_path(path_pattern, path), "a path with thousands of stars is judged");
	ok(clock() - begin < 5 * CLOCKS_PER_SEC, "neither takes long");
}

int main(void)
{
	plan(NO_PLAN);
	test_arena();
	test_err();
	test_str();
	test_printable();
	test_cmpn();
	test_utf8();
	test_hash();
	test_glob_name();
	test_glob_path();
	test_glob_covers();
	check_cover_law("names", "ab*?", glob_covers, glob_name);
	check_cover_law("paths", "/a*?", glob_covers_path, glob_path);
	test_glob_cost();
	done_testing();
}
