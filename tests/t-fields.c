// SPDX-License-Identifier: Apache-2.0
/* Tests of the field tables. */
#include "../src/core/fields.h"

#include <string.h>

#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct inner {
	bool set;
	uint32_t n;
};

struct item {
	int kind;
	uint64_t size;
};

struct all {
	bool b;
	struct opt_bool ob;
	const char *s;
	struct strings list;
	uint32_t u32, small;
	struct opt_u32 ou32;
	int i;
	int64_t i64;
	struct opt_i64 oi64;
	uint64_t u64;
	struct opt_u64 ou64, percent;
	int word, colour;
	unsigned set;
	struct inner object, part;
	struct item *items;
	size_t n_items;
};

static const struct range small_range = { -5, 5 }, percent_range = { 0, 100 };
static const struct range small_u32_range = { 1, 10 };
static const struct name words[] = { { "one", 1 }, { "two", 2 }, { "four", 4 }, { NULL, 0 } };
static const struct name colours[] = { { "red", 1 },    { "green", 2 }, { "blue", 3 },
				       { "cyan", 4 },   { "white", 5 }, { "black", 6 },
				       { "yellow", 7 }, { NULL, 0 } };

static int read_set(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	return read_word_set(r, v, f->arg, "flag", out);
}

static int check_item(struct reader *r, const struct json *v, void *item)
{
	return ((struct item *)item)->size == 13 ? fields_fail(r, v, "bad luck") : 0;
}

// clang-format off
static const struct field inner_table[] = {
	{ "n", JSON_NUMBER, field_u32, offsetof(struct inner, n), FIELD_REQUIRED, NULL, NULL },
	{ .key = NULL }
};
static const struct field item_table[] = {
	{ "kind", JSON_STRING, field_enum, offsetof(struct item, kind), 0, words, "kind" },
	{ "size", JSON_NUMBER, field_u64, offsetof(struct item, size), 0, NULL, NULL },
	{ .key = NULL }
};
static const struct list_of list_items = { item_table, sizeof(struct item), 3, check_item };

static const struct field table[] = {
	{ "b", JSON_BOOL, field_bool, offsetof(struct all, b), 0, NULL, NULL },
	{ "ob", JSON_BOOL, field_opt_bool, offsetof(struct all, ob), 0, NULL, NULL },
	{ "s", JSON_STRING, field_string, offsetof(struct all, s), FIELD_NONEMPTY, NULL, NULL },
	{ "list", JSON_ARRAY, field_strings, offsetof(struct all, list), FIELD_NONEMPTY, NULL, NULL },
	{ "u32", JSON_NUMBER, field_u32, offsetof(struct all, u32), 0, NULL, NULL },
	{ "small", JSON_NUMBER, field_u32, offsetof(struct all, small), 0, &small_u32_range, NULL },
	{ "ou32", JSON_NUMBER, field_opt_u32, offsetof(struct all, ou32), 0, NULL, NULL },
	{ "int", JSON_NUMBER, field_int, offsetof(struct all, i), 0, NULL, NULL },
	{ "i64", JSON_NUMBER, field_i64, offsetof(struct all, i64), 0, NULL, NULL },
	{ "oi64", JSON_NUMBER, field_opt_i64, offsetof(struct all, oi64), 0, &small_range, NULL },
	{ "u64", JSON_NUMBER, field_u64, offsetof(struct all, u64), 0, NULL, NULL },
	{ "ou64", JSON_NUMBER, field_opt_u64, offsetof(struct all, ou64), 0, NULL, NULL },
	{ "percent", JSON_NUMBER, field_opt_u64, offsetof(struct all, percent), 0, &percent_range, NULL },
	{ "word", JSON_STRING, field_enum, offsetof(struct all, word), 0, words, NULL },
	{ "colour", JSON_STRING, field_enum, offsetof(struct all, colour), 0, colours, "colour" },
	{ "set", JSON_ARRAY, read_set, offsetof(struct all, set), 0, words, NULL },
	{ "object", JSON_OBJECT, field_object, offsetof(struct all, object), 0, inner_table, NULL },
	{ "part", JSON_OBJECT, field_part, offsetof(struct all, part), 0, inner_table, NULL },
	{ "items", JSON_ARRAY, field_list, offsetof(struct all, items), 0, &list_items, NULL },
	{ "old", JSON_NULL, NULL, 0, FIELD_REFUSED, NULL, "it left with version 2 (use s)" },
	{ .key = "alien", .flags = FIELD_IGNORED },
	{ .key = "askFor", .flags = FIELD_IGNORED },
	{ .key = NULL }
};
// clang-format on

/* Single quotes stand for double ones, for the sake of the eye. */
static const struct json *parse(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text), *p;
	const struct json *v = NULL;
	struct err e;

	for (p = copy; (p = strchr(p, '\'')); p++)
		*p = '"';
	if (json_parse(a, copy, strlen(copy), &v, &e))
		BAIL_OUT("a test's own text does not parse: %s", e.text);
	return v;
}

/* The error's text, or "" when it was read. */
static const char *read_text(struct arena *a, const char *text, struct all *out)
{
	struct err e = { 0 };
	struct reader r = { .arena = a, .err = &e };

	*out = (struct all){ 0 };
	return fields_read(&r, parse(a, text), table, out) ? arena_strdup(a, e.text) : "";
}

static void test_values(struct arena *a)
{
	struct all v;

	is(read_text(a,
		     "{'b':true,'ob':false,'s':'text','list':['x',''],'u32':4294967295,'small':10,"
		     "'ou32':0,'int':-7,'i64':-9223372036854775808,'oi64':-5,"
		     "'u64':18446744073709551615,'ou64':0,'percent':100,'word':'two',"
		     "'colour':'yellow','set':['one','four','one'],'object':{'n':3},'part':{'n':4},"
		     "'items':[{'kind':'four','size':9},{}],'alien':{'B':[1,null]}}",
		     &v),
	   "", "an object of all kinds is read");
	ok(v.b, "a boolean is read");
	ok(v.ob.set && !v.ob.v, "false is not the same as absent");
	is(v.s, "text", "a string is read");
	ok(v.list.n == 2 && !strcmp(v.list.v[0], "x") && !*v.list.v[1], "a list is read in order");
	ok(v.u32 == UINT32_MAX && v.small == 10, "unsigned numbers reach their ends");
	ok(v.ou32.set && !v.ou32.v, "0 is not the same as absent");
	ok(v.i == -7 && v.i64 == INT64_MIN && v.oi64.set && v.oi64.v == -5,
	   "signed numbers reach their ends");
	ok(v.u64 == UINT64_MAX && v.ou64.set && !v.ou64.v && v.percent.v == 100,
	   "large numbers reach their ends");
	ok(v.word == 2 && v.colour == 7 && v.set == 5, "words become their values");
	ok(!v.object.set && v.object.n == 3, "an object is read into a struct");
	ok(v.part.set && v.part.n == 4, "a part says that it was there");
	ok(v.n_items == 2 && v.items[0].kind == 4 && v.items[0].size == 9 && !v.items[1].size,
	   "a list of objects is read into an array of structs");
	is(read_text(a, "{}", &v), "", "an empty object is read");
	ok(!v.ob.set && !v.s && !v.list.n && !v.oi64.set && !v.part.set && !v.items,
	   "what is absent stays unset");
}

// clang-format off
static const struct {
	const char *text, *error;
} refused[] = {
	{ "[]", "expected an object, found an array" },
	{ "'x'", "expected an object, found a string" },
	{ "{'b':null}", "b: expected a boolean, found null" },
	{ "{'b':'true'}", "b: expected a boolean, found a string" },
	{ "{'ob':0}", "ob: expected a boolean, found a number" },
	{ "{'s':1}", "s: expected a string, found a number" },
	{ "{'s':''}", "s: must not be empty" },
	{ "{'list':[]}", "list: must not be empty" },
	{ "{'list':'x'}", "list: expected an array, found a string" },
	{ "{'list':['x',1]}", "list[1]: expected a string, found a number" },
	{ "{'u32':-1}", "u32: expected an integer from 0 to 4294967295" },
	{ "{'u32':4294967296}", "u32: expected an integer from 0 to 4294967295" },
	{ "{'u32':1.0}", "u32: expected an integer from 0 to 4294967295" },
	{ "{'u32':1e3}", "u32: expected an integer from 0 to 4294967295" },
	{ "{'u32':-0}", "u32: expected an integer from 0 to 4294967295" },
	{ "{'small':0}", "small: expected an integer from 1 to 10" },
	{ "{'ou32':'1'}", "ou32: expected a number, found a string" },
	{ "{'int':2147483648}", "int: expected an integer from -2147483648 to 2147483647" },
	{ "{'i64':9223372036854775808}",
	  "i64: expected an integer from -9223372036854775808 to 9223372036854775807" },
	{ "{'oi64':6}", "oi64: expected an integer from -5 to 5" },
	{ "{'u64':-1}", "u64: expected an integer from 0 to 18446744073709551615" },
	{ "{'ou64':18446744073709551616}",
	  "ou64: expected an integer from 0 to 18446744073709551615" },
	{ "{'percent':101}", "percent: expected an integer from 0 to 100" },
	{ "{'word':'three'}", "word: unknown value 'three' (one of one, two, four)" },
	{ "{'word':'One'}", "word: unknown value 'One' (one of one, two, four)" },
	{ "{'word':'a\\nb'}", "word: unknown value 'a\\x0ab' (one of one, two, four)" },
	{ "{'colour':'pink'}", "colour: unknown colour 'pink'" },
	{ "{'colour':'aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee'}", "colour: unknown colour" },
	{ "{'colour':'a1b2c3d4e5f6'}", "colour: unknown colour" },
	{ "{'colour':'postgres://app:hunter@db/x'}", "colour: unknown colour" },
	{ "{'set':['one','zwei']}", "set[1]: unknown flag 'zwei' (one of one, two, four)" },
	{ "{'set':[1]}", "set[0]: expected a string, found a number" },
	{ "{'object':{}}", "object: required property 'n' is missing" },
	{ "{'object':[]}", "object: expected an object, found an array" },
	{ "{'part':{'n':'x'}}", "part.n: expected a number, found a string" },
	{ "{'items':[{},1]}", "items[1]: expected an object, found a number" },
	{ "{'items':[{},{'size':13}]}", "items[1]: bad luck" },
	{ "{'items':[{},{},{},{}]}", "items: more than 3 entries" },
	{ "{'items':[{'kind':'x'}]}",
	  "items[0].kind: unknown kind 'x' (one of one, two, four)" },
	{ "{'old':1}", "old: not supported: it left with version 2 (use s)" },
	{ "{'B':true}",
	  "unknown property 'B' differs from 'b' only in case; other programs might obey it" },
	{ "{'Alien':1}",
	  "unknown property 'Alien' differs from 'alien' only in case; other programs might obey it" },
	{ "{'OLD':1}",
	  "unknown property 'OLD' differs from 'old' only in case; other programs might obey it" },
	{ "{'part':{'n':1,'N':2}}",
	  "part: unknown property 'N' differs from 'n' only in case; other programs might obey it" },
	{ "{'a\\u017f\\u212aFOR':1}",
	  "unknown property 'a\xc5\xbf\xe2\x84\xaa" "FOR' differs from 'askFor' only in case; "
	  "other programs might obey it" },
};
// clang-format on

static void test_errors(struct arena *a)
{
	struct all v;
	size_t i;

	for (i = 0; i < COUNT(refused); i++)
		is(read_text(a, refused[i].text, &v), refused[i].error, "%s is refused",
		   refused[i].text);
}

static void test_unknown(struct arena *a)
{
	struct err e = { 0 };
	struct reader r = { .arena = a, .err = &e };
	struct all v = { 0 };

	ok(!fields_read(&r,
			parse(a, "{'zz':{'b':1},'items':[{'new':1},{}],'bb':2,'':3,'ſſ':0,"
				 "'part':{'n':1,'x.y':null}}"),
			table, &v),
	   "unknown properties are no error");
	cmp_ok((long long)r.n_unknown, "==", 6, "every unknown property is listed");
	is(r.unknown[0], "zz", "an unknown property is listed by its path");
	is(r.unknown[1], "items[0].new", "so is one within a list");
	is(r.unknown[5], "part[\"x.y\"]", "so is one whose name is no word");
}

static void test_places(struct arena *a)
{
	struct err e = { 0 };
	struct reader r = { .arena = a, .err = &e, .by_line = true };
	struct all v = { 0 };

	ok(fields_read(&r, parse(a, "{\n  'b': 1}"), table, &v), "a policy's error is an error");
	is(e.text, "2:8: b: expected a boolean, found a number",
	   "errors of policies begin with line and column");
	fields_read(&r, parse(a, " []"), table, &v);
	is(e.text, "1:2: expected an object, found an array", "the document itself has no path");
}

int main(void)
{
	struct arena a = { 0 };

	plan(NO_PLAN);
	test_values(&a);
	test_errors(&a);
	test_unknown(&a);
	test_places(&a);
	arena_release(&a);
	done_testing();
}
