// SPDX-License-Identifier: Apache-2.0
/* Tests of the JSON writer. */
#include "../src/base/jsonw.h"

#include <stdint.h>
#include <string.h>

#include "../src/base/json.h"
#include "tap.h"

static const char *written_string(struct arena *a, const char *s, size_t len)
{
	struct jsonw *w = jsonw_new(a, false);

	jsonw_stringn(w, s, len);
	return jsonw_text(w, NULL);
}

static void write_sample(struct jsonw *w)
{
	jsonw_object(w);
	jsonw_kv(w, "name", "a/b \"c\"");
	jsonw_kv_int(w, "n", -7);
	jsonw_kv_bool(w, "yes", true);
	jsonw_key(w, "none");
	jsonw_null(w);
	jsonw_key(w, "empty");
	jsonw_array(w);
	jsonw_end(w);
	jsonw_key(w, "list");
	jsonw_array(w);
	jsonw_int(w, 1);
	jsonw_object(w);
	jsonw_end(w);
	jsonw_bool(w, false);
	jsonw_end(w);
	jsonw_end(w);
}

static void test_layout(struct arena *a)
{
	struct jsonw *w = jsonw_new(a, false);
	size_t len = 0;

	write_sample(w);
	is(jsonw_text(w, &len),
	   "{\"name\":\"a/b \\\"c\\\"\",\"n\":-7,\"yes\":true,\"none\":null,\"empty\":[],"
	   "\"list\":[1,{},false]}",
	   "a document without indentation is one line, with slashes as they are");
	cmp_ok(len, "==", strlen(jsonw_text(w, NULL)), "the length is that of the text");

	w = jsonw_new(a, true);
	write_sample(w);
	is(jsonw_text(w, NULL),
	   "{\n"
	   "  \"name\": \"a/b \\\"c\\\"\",\n"
	   "  \"n\": -7,\n"
	   "  \"yes\": true,\n"
	   "  \"none\": null,\n"
	   "  \"empty\": [],\n"
	   "  \"list\": [\n"
	   "    1,\n"
	   "    {},\n"
	   "    false\n"
	   "  ]\n"
	   "}",
	   "a pretty document has two blanks per level, no newline at its end, and short empties");
	is(jsonw_text(w, NULL), jsonw_text(w, NULL), "asking twice gives the same text");

	w = jsonw_new(a, true);
	jsonw_object(w);
	jsonw_end(w);
	is(jsonw_text(w, NULL), "{}", "an empty pretty document is {}");
	w = jsonw_new(a, true);
	jsonw_array(w);
	jsonw_end(w);
	is(jsonw_text(w, NULL), "[]", "an empty pretty array is []");
}

static void test_values(struct arena *a)
{
	struct jsonw *w = jsonw_new(a, false);

	jsonw_array(w);
	jsonw_int(w, INT64_MIN);
	jsonw_int(w, INT64_MAX);
	jsonw_int(w, 0);
	jsonw_end(w);
	is(jsonw_text(w, NULL), "[-9223372036854775808,9223372036854775807,0]",
	   "integers have the whole range of 64 bits");
}

static void test_escapes(struct arena *a)
{
	static const struct {
		const char *in;
		size_t len;
		const char *out, *what;
	} cases[] = {
		// clang-format off
		{ "", 0, "\"\"", "an empty string is written" },
		{ "a\"b\\c", 5, "\"a\\\"b\\\\c\"", "quotes and backslashes are escaped" },
		{ "\n\r\t\b\f", 5, "\"\\n\\r\\t\\b\\f\"", "usual control characters have short forms" },
		{ "a\0b", 3, "\"a\\u0000b\"", "a NUL is escaped" },
		{ "\x1b[2J", 4, "\"\\u001B[2J\"", "an escape sequence of a terminal is escaped" },
		{ "a\x7f", 2, "\"a\\u007f\"", "DEL is escaped" },
		{ "\xc2\x9b" "2J", 4, "\"\\u009b2J\"", "a C1 control character is escaped" },
		{ "\xc2\x80\xc2\x9f\xc2\xa0", 6, "\"\\u0080\\u009f\xc2\xa0\"", "U+0080 to U+009F are escaped, U+00A0 is not" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"", "other UTF-8 stays" },
		{ "a\xff" "b", 3, "\"a\xef\xbf\xbd" "b\"", "a byte that is no UTF-8 becomes U+FFFD" },
		{ "\xc2", 1, "\"\xef\xbf\xbd\"", "so does a character that is cut" },
		{ "\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "so does each byte of a surrogate" },
		{ "\xc2\"", 2, "\"\xef\xbf\xbd\\\"\"", "a cut character does not swallow the quote behind it" },
		{ "\xff\xff\xff\xff", 4, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "nothing but bad bytes fits" },
		{ "</script>", 9, "\"</script>\"", "a slash is not escaped" },
		// clang-format on
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		is(written_string(a, cases[i].in, cases[i].len), cases[i].out, "%s", cases[i].what);
}

static void test_key_is_safe(struct arena *a)
{
	struct jsonw *w = jsonw_new(a, false);

	jsonw_object(w);
	jsonw_kv(w, "\x7f\xff\n\"", "v");
	jsonw_end(w);
	is(jsonw_text(w, NULL), "{\"\\u007f\xef\xbf\xbd\\n\\\"\":\"v\"}",
	   "keys are escaped as strings are");
}

static void test_round_trip(struct arena *a)
{
	char bytes[127], *p = bytes;
	const struct json *v = NULL;
	struct err e = { 0 };
	const char *text;
	size_t len;
	int c;

	for (c = 1; c < 128; c++)
		*p++ = (char)c;
	text = written_string(a, bytes, sizeof bytes);
	len = strlen(text);
	ok(!json_parse(a, text, len, &v, &e), "the reader reads what the writer wrote");
	ok(v && v->len == sizeof bytes && !memcmp(v->text, bytes, sizeof bytes),
	   "every ASCII character but NUL survives writing and reading");
}

static void test_size(struct arena *a)
{
	struct jsonw *w = jsonw_new(a, true);
	const struct json *v = NULL;
	struct err e = { 0 };
	const char *text;
	size_t len, i;

	jsonw_array(w);
	for (i = 0; i < 50000; i++)
		jsonw_string(w, "0123456789");
	jsonw_end(w);
	text = jsonw_text(w, &len);
	ok(!json_parse(a, text, len, &v, &e) && v->count == 50000, "a long list is written whole");

	w = jsonw_new(a, true);
	for (i = 0; i < 40; i++)
		jsonw_array(w);
	for (i = 0; i < 40; i++)
		jsonw_end(w);
	like(jsonw_text(w, NULL), "\\[\\]", "40 levels can be written");
}

static void test_restart(struct arena *a)
{
	struct jsonw *w = jsonw_new(a, true);

	jsonw_object(w);
	jsonw_kv(w, "a", "b");
	jsonw_restart(w);
	jsonw_array(w);
	jsonw_int(w, 1);
	jsonw_end(w);
	is(jsonw_text(w, NULL), "[\n  1\n]", "a restart forgets even an open document");
	jsonw_restart(w);
	jsonw_string(w, "x");
	is(jsonw_text(w, NULL), "\"x\"", "and a finished one");
}

int main(void)
{
	struct arena a = { 0 };

	plan(NO_PLAN);
	test_layout(&a);
	test_values(&a);
	test_escapes(&a);
	test_key_is_safe(&a);
	test_round_trip(&a);
	test_size(&a);
	test_restart(&a);
	arena_release(&a);
	done_testing();
}
