// SPDX-License-Identifier: Apache-2.0
/* Tests of the JSON reader and of the value tree. */
#include "../src/base/json.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/base/str.h"
#include "json_cases.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

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
	ret = json_parse(a, copy, len, v, e);
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

static void test_cases(void)
{
	const struct json *v;
	struct err e;
	size_t i;

	for (i = 0; i < COUNT(accepted); i++) {
		struct arena a = { 0 };

		ok(!parse(&a, accepted[i].text, accepted[i].len, &v, &e) && v, "%s: read",
		   accepted[i].what);
		arena_release(&a);
	}
	for (i = 0; i < COUNT(refused); i++) {
		struct arena a = { 0 };

		ok(parse(&a, refused[i].text, refused[i].len, &v, &e) == -1 && !v, "%s: refused",
		   refused[i].what);
		is(e.text, refused[i].error, "%s: the error says where and why", refused[i].what);
		arena_release(&a);
	}
}

static char *repeat(struct arena *a, const char *head, const char *unit, size_t times,
		    const char *middle, const char *closing)
{
	struct str s;
	size_t i;

	str_init(&s, a, 64 * 1024 * 1024);
	str_add(&s, head);
	for (i = 0; i < times; i++)
		str_add(&s, unit);
	str_add(&s, middle);
	for (i = 0; i < times; i++)
		str_add(&s, closing);
	return s.s;
}

static void test_depth(struct arena *a)
{
	char *text;

	text = repeat(a, "", "[", 32, "1", "]");
	is(error_of(a, text, strlen(text)), "", "32 arrays in each other are read");
	text = repeat(a, "", "[", 33, "1", "]");
	is(error_of(a, text, strlen(text)),
	   "line 1, column 33: [0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]"
	   "[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: nested too deeply (limit 32)",
	   "the 33rd is refused");
	text = repeat(a, "", "{\"a\":", 32, "1", "}");
	is(error_of(a, text, strlen(text)), "", "32 objects in each other are read");
	text = repeat(a, "", "{\"a\":", 33, "1", "}");
	like(error_of(a, text, strlen(text)), "a\\.a: nested too deeply", "the 33rd is refused");
	text = repeat(a, "", "[", 1000000, "", "");
	like(error_of(a, text, strlen(text)), "nested too deeply",
	     "a million brackets are refused");
	text = repeat(a, "[", "[],", 1000, "[]]", "");
	is(error_of(a, text, strlen(text)), "", "depth goes back when arrays close");
}

static void test_values(struct arena *a)
{
	char *text = repeat(a, "[", "0,", JSON_MAX_VALUES - 2, "0]", "");

	is(error_of(a, text, strlen(text)), "", "65536 values are read");
	text = repeat(a, "[", "0,", JSON_MAX_VALUES - 1, "0]", "");
	is(error_of(a, text, strlen(text)),
	   "line 1, column 131072: [65535]: too many values (limit 65536)",
	   "the 65537th is refused, with its place");
	text = repeat(a, "[", "{\"k\":0},", JSON_MAX_VALUES / 2 - 1, "0]", "");
	is(error_of(a, text, strlen(text)), "", "keys do not count as values");
	text = repeat(a, "[", "{},", JSON_MAX_VALUES, "0]", "");
	like(error_of(a, text, strlen(text)), "too many values", "objects count as values");
}

static void test_size(struct arena *a)
{
	char *text = arena_alloc(a, JSON_MAX_SIZE + 1);

	memset(text, ' ', JSON_MAX_SIZE + 1);
	memcpy(text, "[1]", 3);
	is(error_of(a, text, JSON_MAX_SIZE), "", "4 MiB are read");
	is(error_of(a, text, JSON_MAX_SIZE + 1), "larger than 4194304 bytes",
	   "a byte more is refused");
	memset(text, 'x', JSON_MAX_SIZE);
	text[0] = text[JSON_MAX_SIZE - 1] = '"';
	is(error_of(a, text, JSON_MAX_SIZE), "", "a string may be as long as that");
	memset(text + 1, '7', JSON_MAX_SIZE - 1);
	text[0] = '1';
	is(error_of(a, text, JSON_MAX_SIZE), "", "so may a number");
}

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void test_cost(struct arena *a)
{
	double begin = cpu_seconds();
	const struct json *v;
	struct str s;
	struct err e;
	size_t i;

	str_init(&s, a, JSON_MAX_SIZE);
	str_add(&s, "{");
	for (i = 0; i < 60000; i++)
		str_printf(&s, "\"key-with-a-long-name-in-common-%zu\":%zu,", i * 7919 % 60000, i);
	str_add(&s, "\"z\":0}");
	ok(!parse(a, s.s, s.len, &v, &e) && v->count == 60001, "an object of 60000 keys is read");
	s.len -= 6;
	str_add(&s, "\"key-with-a-long-name-in-common-59999\":0}");
	ok(parse(a, s.s, s.len, &v, &e), "a duplicate among 60000 keys is refused");
	like(e.text, "common-59999: duplicate key", "and named");
	ok(cpu_seconds() - begin < 5, "both take no time to speak of");

	begin = cpu_seconds();
	str_init(&s, a, JSON_MAX_SIZE);
	str_add(&s, "[");
	for (i = 0; i < 60000; i++)
		str_add(&s, "\"0123456789012345678901234567890123456789012345678901234567890\",");
	str_add(&s, "0]");
	ok(!parse(a, s.s, s.len, &v, &e) && v->count == 60001,
	   "a line of 4 MB with 60000 values is read");
	ok(cpu_seconds() - begin < 5, "places on long lines take no time to speak of");
}

static const char sample[] =
	"\n  {\"a\" : [1, -2.5e3,\t\"x\\u0041\\n\\\"\\\\\", {\"b.c\":true} ,[]],\r\n"
	"\"\\u00e4\":null , \"deep\":{\"er\":{\"est\":[[[{}]]]}},\n"
	" \"\":\"\xc3\xa4\\ud83d\\ude00\", \"f\":false}\n ";

static bool same_scalar(const struct json *v, const struct json *w)
{
	if (v->type != w->type || v->count != w->count || v->len != w->len)
		return false;
	return !v->text || !memcmp(v->text, w->text, v->len + 1);
}

/* The span of each value, parsed alone, must give that value again. */
static void check_spans(struct arena *a, const struct json *v)
{
	const char *path = *json_path(a, v) ? json_path(a, v) : "the top";
	unsigned line = 1, column = 1;
	const struct json *again, *c;
	size_t i, n = 0;
	struct err e;

	ok(!parse(a, sample + v->start, v->end - v->start, &again, &e) && same_scalar(v, again) &&
		   !strchr(" \t\r\n", sample[v->start]) && !strchr(" \t\r\n", sample[v->end - 1]),
	   "%s: its span in the source is the value", path);
	for (i = 0; i < v->start; i++) {
		column = sample[i] == '\n' ? 1 : column + 1;
		line += sample[i] == '\n';
	}
	ok(v->line == line && v->column == column, "%s: line and column are those of its start",
	   path);
	ok(!v->key || (sample[v->key_start] == '"' && v->key_start < v->start),
	   "%s: its key begins with a quote before it", path);
	for (c = v->first; c; c = c->next, n++)
		if (c->parent != v || c->index != n || !c->key != (v->type == JSON_ARRAY))
			break;
	ok(!c && n == v->count, "%s: children know parent, position and key", path);
	for (c = v->first; c; c = c->next)
		check_spans(a, c);
}

static void test_tree(struct arena *a)
{
	const struct json *top = must_parse(a, sample), *v;

	check_spans(a, top);
	v = json_get(top, "a");
	is(v->first->text, "1", "a number keeps its text");
	is(v->first->next->text, "-2.5e3", "exponents too");
	is(v->first->next->next->text, "xA\n\"\\", "a string is decoded");
	is(json_get(top, "")->text, "\xc3\xa4\xf0\x9f\x98\x80", "so is a surrogate pair");
	is(json_get(top, "f")->text, "false", "false keeps its text");
	ok(json_get(top, "\xc3\xa4"), "a member is found by its decoded key");
	ok(!json_get(top, "A") && !json_get(top, "nope"), "a key that is not there is not found");
	ok(!json_get(NULL, "a") && !json_get(v, "a"), "nothing is found in nothing or in an array");
	ok(!top->parent && !top->key, "the top has neither parent nor key");
	cmp_ok(top->count, "==", 5, "members are counted");
	is(must_parse(a, "12")->text, "12", "a number that ends with the text is whole");
	cmp_ok(must_parse(a, "12")->end, "==", 2, "and its span, too");
	cmp_ok(must_parse(a, " 12 \n")->end, "==", 3, "without the blanks that follow");
}

static const struct json *descend(const struct json *v, size_t levels)
{
	while (levels--)
		v = v->first;
	return v;
}

static void test_paths(struct arena *a)
{
	static const struct {
		const char *text;
		size_t levels;
		const char *path;
	} cases[] = {
		// clang-format off
		{ "1", 0, "" },
		{ "[1]", 1, "[0]" },
		{ "{\"linux\":{\"namespaces\":[{\"type\":1}]}}", 4, "linux.namespaces[0].type" },
		{ "{\"annotations\":{\"a.b/c\":1}}", 2, "annotations[\"a.b/c\"]" },
		{ "{\"a b\":[1]}", 2, "[\"a b\"][0]" },
		{ "{\"A-z_9\":1}", 1, "A-z_9" },
		{ "{\"\":{\"\":1}}", 2, "[\"\"][\"\"]" },
		{ "[[{\"x\":1}]]", 3, "[0][0].x" },
		{ "{\"a\\u001b[0m\":1}", 1, "[\"a\\x1b[0m\"]" },
		{ "{\"a\\\"]\":1}", 1, "[\"a\\x22]\"]" },
		{ "{\"\xc3\xa4\":1}", 1, "[\"\xc3\xa4\"]" },
		{ "{\"0123456789012345678901234567890123456789012345678901234567890123\":1}", 1,
		  "0123456789012345678901234567890123456789012345678901234567890123" },
		{ "{\"0123456789012345678901234567890123456789012345678901234567890123x\":1}", 1,
		  "[\"0123456789012345678901234567890123456789012345678901234567890123...\"]" },
		// clang-format on
	};
	const struct json *v;
	const char *path;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		v = descend(must_parse(a, cases[i].text), cases[i].levels);
		is(json_path(a, v), cases[i].path, "a value has the path \"%s\"", cases[i].path);
	}
	v = must_parse(a, repeat(a, "", "{\"\xc3\xa4 67890123456789012345678901234567890\":", 32,
				 "1", "}"));
	path = json_path(a, descend(v, 32));
	ok(strlen(path) <= 323 && !strncmp(path, "...", 3),
	   "a path that is too long loses its front");
	like(path, "567890\"\\]$", "and keeps its end");
}

static void test_type_names(void)
{
	is(json_type_name(JSON_NULL), "null", "null has a name");
	is(json_type_name(JSON_BOOL), "a boolean", "a boolean has a name");
	is(json_type_name(JSON_NUMBER), "a number", "a number has a name");
	is(json_type_name(JSON_STRING), "a string", "a string has a name");
	is(json_type_name(JSON_ARRAY), "an array", "an array has a name");
	is(json_type_name(JSON_OBJECT), "an object", "an object has a name");
}

static bool shows_canary(const char *error, const char *canary)
{
	char part[5] = "";
	size_t i;

	for (i = 0; i + 4 <= strlen(canary); i++) {
		memcpy(part, canary + i, 4);
		if (strstr(error, part))
			return true;
	}
	return false;
}

/* Every end and every change of a byte makes another error; none may tell four bytes of a value. */
static void test_canary(void)
{
	static const char canary[] = "Zq7xVw9KpLm3Rt5Y";
	static const char text[] =
		"{\"process\":{\"env\":[\"Zq7xVw9KpLm3Rt5Y\",\"Zq7xVw9KpLm3Rt5Y\"],"
		"\"args\":{\"k\":\"Zq7xVw9KpLm3Rt5Y\"}},"
		"\"top\":\"\\u005aZq7xVw9KpLm3Rt5Y\"}";
	static const char changes[] = "\"\\{}[],:/x0 \n\1\377";
	size_t len = strlen(text), i, c, errors = 0, shown = 0;
	char copy[sizeof text];
	const char *error;

	for (i = 0; i < len; i++) {
		struct arena a = { 0 };

		error = error_of(&a, text, i);
		errors += *error != '\0';
		shown += shows_canary(error, canary);
		for (c = 0; c < strlen(changes); c++) {
			memcpy(copy, text, sizeof text);
			copy[i] = changes[c];
			error = error_of(&a, copy, len);
			errors += *error != '\0';
			shown += shows_canary(error, canary);
		}
		arena_release(&a);
	}
	cmp_ok(errors, ">", 1000, "spoiling a document in each place makes errors");
	cmp_ok(shown, "==", 0, "none of them shows part of a string value");
}

static void test_long_errors(struct arena *a)
{
	char *text =
		repeat(a, "", "{\"0123456789012345678901234567890123456789\":", 32, "[1 2]", "}");

	like(error_of(a, text, strlen(text)),
	     "^line 1, column [0-9]+: \\.\\.\\..*nested too deeply",
	     "an error behind a long path is whole");
}

int main(void)
{
	struct arena a = { 0 };

	plan(NO_PLAN);
	test_cases();
	test_depth(&a);
	test_values(&a);
	test_size(&a);
	test_cost(&a);
	test_tree(&a);
	test_paths(&a);
	test_type_names();
	test_canary();
	test_long_errors(&a);
	arena_release(&a);
	done_testing();
}
