// SPDX-License-Identifier: Apache-2.0
/* Tests of the YAML reader. */
#include "../src/base/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/base/str.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define S(literal)   literal, sizeof literal - 1

/* From memory that ends where the text ends, so that a sanitizer sees a byte read too many. */
static int parse(struct arena *a, const char *text, size_t len, const struct json **v,
		 struct err *e)
{
	char *copy = malloc(len ? len : 1);
	int ret;

	if (!copy)
		BAIL_OUT("out of memory");
	memcpy(copy, text, len);
	*v = NULL;
	*e = (struct err){ 0 };
	ret = yaml_parse(a, copy, len, v, e);
	free(copy);
	return ret;
}

static const struct json *must_parse(struct arena *a, const char *text)
{
	const struct json *v;
	struct err e;

	if (parse(a, text, strlen(text), &v, &e))
		BAIL_OUT("a test's own text does not parse: %s", e.text);
	return v;
}

static const char *error_of(struct arena *a, const char *text, size_t len)
{
	const struct json *v;
	struct err e;

	return parse(a, text, len, &v, &e) ? arena_strdup(a, e.text) : "";
}

/* A tree in one line: null, true, 12 as they are, strings in quotes. */
static void flatten(struct str *s, const struct json *v)
{
	const char *quote = v->type == JSON_STRING ? "'" : "";
	const struct json *c;

	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT) {
		str_printf(s, "%s%s%s", quote, v->type == JSON_NULL ? "null" : v->text, quote);
		return;
	}
	str_add(s, v->type == JSON_ARRAY ? "[" : "{");
	for (c = v->first; c; c = c->next) {
		if (c->key)
			str_printf(s, "%s:", c->key);
		flatten(s, c);
		str_add(s, c->next ? " " : "");
	}
	str_add(s, v->type == JSON_ARRAY ? "]" : "}");
}

static void test_accepted(void)
{
	static const struct {
		const char *text, *tree, *what;
	} cases[] = {
		// clang-format off
		{ "", "{}", "an empty text is an empty object" },
		{ "# only a comment\n", "{}", "so is a comment" },
		{ "---\n", "{}", "so is an empty document" },
		{ "---\n...\n", "{}", "so is one with an end" },
		{ "\n\n \n", "{}", "so are blanks" },
		{ "a: 1\n", "{a:1}", "a mapping is an object" },
		{ "- 1\n- b\n", "[1 'b']", "a sequence is an array" },
		{ "a", "'a'", "a scalar may be a document" },
		{ "---\na: 1\n...\n", "{a:1}", "a document may have a start and an end" },
		{ "a:\n  b:\n    - c\n    - d: 1\n", "{a:{b:['c' {d:1}]}}", "blocks nest" },
		{ "a:\n- 1\n- 2\n", "{a:[1 2]}", "a sequence need not be indented" },
		{ "- - 1\n  - 2\n- - 3\n", "[[1 2] [3]]", "sequences nest on one line" },
		{ "a: {b: [1, 2], c: {}}\n", "{a:{b:[1 2] c:{}}}", "flow style is read" },
		{ "{\"a\": [1, \"b\", null, true]}", "{a:[1 'b' null true]}", "JSON is read" },
		{ "a: [1, 2,]\n", "{a:[1 2]}", "a flow sequence may end with a comma" },
		{ "? a\n: 1\n", "{a:1}", "a key may have a question mark" },
		{ "a: # comment\n  1 # another\n", "{a:1}", "comments are ignored" },
		{ "a: b#c\n", "{a:'b#c'}", "a hash sign within a word is no comment" },
		{ "a: null\nb: ~\nc:\n", "{a:null b:null c:null}", "null has three forms" },
		{ "a: Null\nb: NULL\n", "{a:'Null' b:'NULL'}", "null in capitals is a string" },
		{ "a: true\nb: false\n", "{a:true b:false}", "true and false are booleans" },
		{ "a: True\nb: FALSE\n", "{a:'True' b:'FALSE'}", "in capitals they are strings" },
		{ "a: yes\nb: no\nc: on\nd: off\ne: y\nf: n\n", "{a:'yes' b:'no' c:'on' d:'off' e:'y' f:'n'}", "yes, no, on and off are strings" },
		{ "[0, -0, 12, -7, 1.5, -1.5e3, 1E+2, 1e-2]", "[0 -0 12 -7 1.5 -1.5e3 1E+2 1e-2]", "numbers as in JSON are numbers" },
		{ "[010, 0x10, 0o7, +1, .5, 1., 1_000, .inf, -.inf, .nan, 1:30, 0b1, -, 1e, 1.e1, --1]", "['010' '0x10' '0o7' '+1' '.5' '1.' '1_000' '.inf' '-.inf' '.nan' '1:30' '0b1' '-' '1e' '1.e1' '--1']", "other numbers are strings" },
		{ "[2001-12-14, 12e03, 1.2.3]", "['2001-12-14' 12e03 '1.2.3']", "dates and versions are strings" },
		{ "a: '1'\nb: \"true\"\nc: 'null'\nd: \"\"\n", "{a:'1' b:'true' c:'null' d:''}", "quoted scalars are strings" },
		{ "a: 'it''s'\n", "{a:'it's'}", "single quotes are doubled" },
		{ "a: \"\\x41\\u00e4\\n\\t\\\"\"\n", "{a:'A\xc3\xa4\n\t\"'}", "double quotes have escapes" },
		{ "a: |\n  1\n  2\n", "{a:'1\n2\n'}", "a literal block is a string" },
		{ "a: |-\n  12\n", "{a:'12'}", "so is one that looks like a number" },
		{ "a: >\n  b\n  c\n", "{a:'b c\n'}", "a folded block is folded" },
		{ "a: b\n  c\n", "{a:'b c'}", "a plain scalar may take two lines" },
		{ "a: 'b\n  c'\n", "{a:'b c'}", "so may a quoted one" },
		{ "'1': a\n\"true\": b\n'': c\n", "{1:'a' true:'b' :'c'}", "quoted keys may look like anything" },
		{ "a b: c d\n", "{a b:'c d'}", "keys and values may have blanks" },
		{ "\xc3\xa4: \xe2\x82\xac\n", "{\xc3\xa4:'\xe2\x82\xac'}", "UTF-8 is read" },
		{ "a: 1\r\nb: 2\r\n", "{a:1 b:2}", "lines may end as on Windows" },
		{ "a: 1", "{a:1}", "the last line need not end" },
		{ "a: {b, c: 1}\n", "{a:{b:null c:1}}", "a key alone in flow style has null" },
		{ "a: [b: 1]\n", "{a:[{b:1}]}", "a pair in a flow sequence is an object" },
		{ "a: {A: 1, a: 2}\n", "{a:{A:1 a:2}}", "keys that differ in case are two" },
		{ "a: <<\n", "{a:'<<'}", "<< as a value is a string" },
		{ "a: \"*\"\nb: \"!x\"\nc: '&y'\n", "{a:'*' b:'!x' c:'&y'}", "special characters in quotes are harmless" },
		{ "a: x*y&z!\n", "{a:'x*y&z!'}", "so are they within a word" },
		{ "a: http://x/y?z=1\n", "{a:'http://x/y?z=1'}", "a colon within a word is harmless" },
		{ "a: x%y\n", "{a:'x%y'}", "so is a percent sign" },
		{ "env:\n  allow: [CI_A, \"CI_*\"]\n  values: on\n", "{env:{allow:['CI_A' 'CI_*'] values:'on'}}", "a policy is read" },
		// clang-format on
	};
	const struct json *v;
	struct err e;
	struct str s;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		struct arena a = { 0 };

		str_init(&s, &a, 4096);
		if (parse(&a, cases[i].text, strlen(cases[i].text), &v, &e))
			str_add(&s, e.text);
		else
			flatten(&s, v);
		is(s.s, cases[i].tree, "%s", cases[i].what);
		arena_release(&a);
	}
}

static void test_refused(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *error, *what;
	} cases[] = {
		// clang-format off
		{ S("a: &x 1\n"), "line 1, column 4: anchors are not allowed (a text that begins with '&' needs quotes)", "an anchor is refused" },
		{ S("&x a: 1\n"), "line 1, column 1: anchors are not allowed (a text that begins with '&' needs quotes)", "an anchor of a key is refused" },
		{ S("a: &x [1]\n"), "line 1, column 4: anchors are not allowed (a text that begins with '&' needs quotes)", "an anchor of a sequence is refused" },
		{ S("a: *x\n"), "line 1, column 4: aliases are not allowed (a text that begins with '*' needs quotes)", "an alias is refused" },
		{ S("a: [*_TOKEN]\n"), "line 1, column 5: aliases are not allowed (a text that begins with '*' needs quotes)", "a pattern without quotes is refused, with the remedy" },
		{ S("a: **/.envrc\n"), "line 1, column 4: aliases are not allowed (a text that begins with '*' needs quotes)", "so is one of a path" },
		{ S("a: *\n"), "line 1, column 4: aliases are not allowed (a text that begins with '*' needs quotes)", "so is a star alone" },
		{ S("*x : 1\n"), "line 1, column 1: aliases are not allowed (a text that begins with '*' needs quotes)", "an alias as key is refused" },
		{ S("a: !!str 1\n"), "line 1, column 4: tags are not allowed (a text that begins with '!' needs quotes)", "a tag is refused" },
		{ S("a: !x 1\n"), "line 1, column 4: tags are not allowed (a text that begins with '!' needs quotes)", "a local tag is refused" },
		{ S("a: ! 1\n"), "line 1, column 4: tags are not allowed (a text that begins with '!' needs quotes)", "the empty tag is refused" },
		{ S("a: !<tag:yaml.org,2002:int> 1\n"), "line 1, column 4: tags are not allowed (a text that begins with '!' needs quotes)", "a verbatim tag is refused" },
		{ S("!!map\na: 1\n"), "line 1, column 1: tags are not allowed (a text that begins with '!' needs quotes)", "a tag of the document is refused" },
		{ S("a: !\n"), "line 1, column 4: tags are not allowed (a text that begins with '!' needs quotes)", "an exclamation mark alone is refused" },
		{ S("%YAML 1.1\n---\na: 1\n"), "line 1, column 1: directives are not allowed", "a version directive is refused" },
		{ S("%TAG ! tag:x,2000:\n---\na: 1\n"), "line 1, column 1: directives are not allowed", "a tag directive is refused" },
		{ S("a: 1\n...\n%YAML 1.1\n---\n"), "line 3, column 1: directives are not allowed", "a directive behind the document is refused" },
		{ S("a: 1\n---\nb: 2\n"), "line 2, column 1: more than one document", "a second document is refused" },
		{ S("---\n---\n"), "line 2, column 1: more than one document", "a second empty document is refused" },
		{ S("a: 1\n...\nb: 2\n"), "line 3, column 1: did not find expected <document start>", "a second document behind an end is refused" },
		{ S("<<: {a: 1}\n"), "line 1, column 1: merge keys are not allowed", "a merge key is refused" },
		{ S("a:\n  \"<<\": {a: 1}\n"), "line 2, column 3: a: merge keys are not allowed", "so is one in quotes" },
		{ S("a: 1\na: 2\n"), "line 2, column 1: a: duplicate key", "a duplicate key is refused" },
		{ S("a: 1\nb: 2\n\"a\": 3\n"), "line 3, column 1: a: duplicate key", "so is one in quotes" },
		{ S("x:\n  - k: 1\n    k:\n      z: 1\n"), "line 3, column 5: x[0].k: duplicate key", "so is one deep inside, at the place of the key" },
		{ S("{a: 1, \"\\x61\": 2}"), "line 1, column 8: a: duplicate key", "so is one with an escape" },
		{ S("1: a\n"), "line 1, column 1: key is no string (put it in quotes)", "a number as key is refused" },
		{ S("x: {true: a}\n"), "line 1, column 5: x: key is no string (put it in quotes)", "a boolean as key is refused" },
		{ S("~: a\n"), "line 1, column 1: key is no string (put it in quotes)", "null as key is refused" },
		{ S("? \n: a\n"), "line 1, column 2: key is no string (put it in quotes)", "an empty key is refused" },
		{ S("? [a]\n: 1\n"), "line 1, column 3: key is no string", "a sequence as key is refused" },
		{ S("{{a: 1}: 2}\n"), "line 1, column 2: key is no string", "a mapping as key is refused" },
		{ S("x:\n  [a]: 1\n"), "line 2, column 3: x: key is no string", "a sequence as key without a question mark is refused" },
		{ S("a: \"\\0\"\n"), "line 1, column 4: a: NUL in a string", "an escaped NUL is refused" },
		{ S("a: [\"x\\u0000\"]\n"), "line 1, column 5: a[0]: NUL in a string", "so is one of four digits" },
		{ S("\"\\0\": 1\n"), "line 1, column 1: NUL in a key", "so is one in a key" },
		{ S("a: b\0c\n"), "line 1, column 5: NUL byte", "a NUL byte is refused" },
		{ S("\0"), "line 1, column 1: NUL byte", "so is one alone" },
		{ S("a: \xff\n"), "line 1, column 4: invalid UTF-8", "invalid UTF-8 is refused" },
		{ S("# \xc3\n"), "line 1, column 3: invalid UTF-8", "so it is in a comment" },
		{ S("\xc3\xa4: \xed\xa0\x80\n"), "line 1, column 4: invalid UTF-8", "an encoded surrogate is refused" },
		{ S("a: \"\\ud800\"\n"), "line 1, column 7: found invalid Unicode character escape code", "an escaped surrogate is refused" },
		{ S("\xef\xbb\xbf" "a: 1\n"), "line 1, column 1: byte order mark", "a byte order mark is refused" },
		{ S("\xff\xfe" "a\0"), "line 1, column 1: invalid UTF-8", "UTF-16 is refused" },
		{ S("a: \1\n"), "line 1, column 4: control characters are not allowed", "a control character is refused" },
		{ S("x: 1\na: \x1b[0m\n"), "line 2, column 4: control characters are not allowed", "so is an escape sequence, with its line" },
		{ S("a: [1\n"), "line 2, column 1: did not find expected ',' or ']'", "an open sequence is refused" },
		{ S("a: {b: 1\n"), "line 2, column 1: did not find expected ',' or '}'", "an open mapping is refused" },
		{ S("a: 'b\n"), "line 2, column 1: found unexpected end of stream", "an open quote is refused" },
		{ S("a: b: c\n"), "line 1, column 5: mapping values are not allowed in this context", "two colons are refused" },
		{ S("a: 1\n b: 2\n"), "line 2, column 3: mapping values are not allowed in this context", "wrong indentation is refused" },
		{ S("a:\n\tb: 1\n"), "line 2, column 1: found character that cannot start any token", "a tab for indentation is refused" },
		{ S("a: 1\n- b\n"), "line 2, column 1: did not find expected key", "a sequence within a mapping is refused" },
		{ S("a: ]\n"), "line 1, column 4: did not find expected node content", "a bracket too many is refused" },
		{ S("a: @b\n"), "line 1, column 4: found character that cannot start any token", "a reserved character is refused" },
		{ S("a: `b`\n"), "line 1, column 4: found character that cannot start any token", "so is a backquote" },
		{ S("a: \"\\q\"\n"), "line 1, column 5: found unknown escape character", "an unknown escape is refused" },
		{ S("a\nb: 1\n"), "line 2, column 2: mapping values are not allowed in this context", "a line without a colon is refused" },
		{ S("a: |x\n"), "line 1, column 5: did not find expected comment or line break", "a block with a wrong indicator is refused" },
		{ S("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), "line 1, column 33: nested too deeply (limit 32)", "33 levels are refused" },
		{ S("- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 1"), "line 1, column 65: nested too deeply (limit 32)", "so are 33 levels of blocks" },
		// clang-format on
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		struct arena a = { 0 };

		is(error_of(&a, cases[i].text, cases[i].len), cases[i].error, "%s", cases[i].what);
		arena_release(&a);
	}
}

static const char *repeat(struct arena *a, const char *head, const char *unit, size_t times,
			  const char *tail)
{
	struct str s;

	str_init(&s, a, 64 * 1024 * 1024);
	str_add(&s, head);
	while (times--)
		str_add(&s, unit);
	str_add(&s, tail);
	return s.s;
}

static void test_limits(struct arena *a)
{
	const char *text;
	char *big;

	text = repeat(a, repeat(a, "", "[", 32, "1"), "]", 32, "");
	is(error_of(a, text, strlen(text)), "", "32 levels are read");
	text = repeat(a, "", "- 0\n", JSON_MAX_VALUES - 1, "");
	is(error_of(a, text, strlen(text)), "", "65536 values are read");
	text = repeat(a, "", "- 0\n", JSON_MAX_VALUES, "");
	is(error_of(a, text, strlen(text)),
	   "line 65536, column 3: [65535]: too many values (limit 65536)", "one more is refused");
	big = arena_alloc(a, JSON_MAX_SIZE + 1);
	memset(big, '\n', JSON_MAX_SIZE + 1);
	memcpy(big, "a: 1", 4);
	is(error_of(a, big, JSON_MAX_SIZE), "", "4 MiB are read");
	is(error_of(a, big, JSON_MAX_SIZE + 1), "larger than 4194304 bytes",
	   "a byte more is refused");
}

/* Each makes some YAML reader or other take quadratic time. */
static void test_cost(struct arena *a)
{
	static const struct {
		const char *head, *unit, *tail, *what;
		size_t times;
	} cases[] = {
		// clang-format off
		{ "", "[", "", "brackets", 1000000 },
		{ "", "{", "", "braces", 1000000 },
		{ "", "- ", "", "dashes on one line", 500000 },
		{ "", "? ", "", "question marks on one line", 500000 },
		{ "", "[\n", "", "brackets on lines of their own", 500000 },
		{ "", "%TAG !a! b\n", "", "directives", 200000 },
		{ "a\n...\n", "%TAG !a! b\n", "", "directives behind a document", 200000 },
		{ "", "---\n", "", "documents", 500000 },
		{ "a: \"", "\\n", "\"", "escapes", 1000000 },
		{ "a: ", "b\n ", "", "lines of a plain scalar", 500000 },
		{ "a: 'b", "\n", "'", "empty lines in quotes", 2000000 },
		{ "a: |\n", " b\n", "", "lines of a block", 500000 },
		{ "a: |\n", " \n", "", "empty lines of a block", 1000000 },
		{ "a: b", " ", "", "blanks", 2000000 },
		{ "", "#\n", "", "comments", 1000000 },
		{ "[", "a: b,", "]", "pairs", 30000 },
		{ "{", "? a,", "}", "keys alone", 500000 },
		{ "[", "\"a\",", "]", "items on one line", 65000 },
		{ "", "a", ": 1", "letters of a key", 2000000 },
		{ "", "!", "", "exclamation marks", 1000000 },
		{ "", ": ", "", "colons", 1000000 },
		// clang-format on
	};
	clock_t begin;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		const char *text =
			repeat(a, cases[i].head, cases[i].unit, cases[i].times, cases[i].tail);

		begin = clock();
		error_of(a, text, strlen(text));
		ok(clock() - begin < 5 * CLOCKS_PER_SEC, "%zu %s take no time to speak of",
		   cases[i].times, cases[i].what);
	}
}

static void test_places(struct arena *a)
{
	const struct json *top = must_parse(a, "# policy\nenv:\n  allow: [A, \"B\"]\nx: 1\n"), *v;

	ok(top->line == 2 && top->column == 1, "the top is where its first key is");
	v = json_get(json_get(top, "env"), "allow");
	ok(v->line == 3 && v->column == 10, "a sequence is where its bracket is");
	ok(v->key_line == 3 && v->key_column == 3, "and its key is where that begins");
	ok(v->first->next->line == 3 && v->first->next->column == 14, "a string is at its quote");
	is(json_path(a, v->first->next), "env.allow[1]", "a path is that of JSON");
	v = json_get(top, "env");
	ok(v->line == 3 && v->key_line == 2, "a block may begin on another line than its key");
	ok(v->parent == top && v->index == 0 && json_get(top, "x")->index == 1,
	   "members are in order");
	ok(!top->start && !top->end && !v->start && !v->end, "there are no spans");
	ok(!must_parse(a, "- a\n")->first->key, "an item has no key");
}

static void test_canary(void)
{
	static const char canary[] = "Zq7xVw9KpLm3Rt5Y";
	static const char text[] = "env:\n  allow: [Zq7xVw9KpLm3Rt5Y, \"Zq7xVw9KpLm3Rt5Y\"]\n"
				   "  deny: 'Zq7xVw9KpLm3Rt5Y'\n  more: |\n    Zq7xVw9KpLm3Rt5Y\n";
	static const char changes[] = "\"'{}[],:&*!|%\n\t\\#\1\377";
	size_t len = strlen(text), i, c, k, errors = 0, shown = 0;
	char copy[sizeof text], part[5] = "";
	const char *error;

	for (i = 0; i < len; i++) {
		struct arena a = { 0 };

		for (c = 0; c < strlen(changes); c++) {
			memcpy(copy, text, sizeof text);
			copy[i] = changes[c];
			error = error_of(&a, copy, len);
			errors += *error != '\0';
			for (k = 0; k + 4 < sizeof canary; k++) {
				memcpy(part, canary + k, 4);
				shown += strstr(error, part) != NULL;
			}
		}
		arena_release(&a);
	}
	cmp_ok(errors, ">", 500, "spoiling a document in each place makes errors");
	cmp_ok(shown, "==", 0, "none of them shows part of a value");
}

int main(void)
{
	struct arena a = { 0 };

	plan(NO_PLAN);
	test_accepted();
	test_refused();
	test_limits(&a);
	test_cost(&a);
	test_places(&a);
	test_canary();
	arena_release(&a);
	done_testing();
}
