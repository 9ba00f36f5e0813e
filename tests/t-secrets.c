// SPDX-License-Identifier: Apache-2.0
/* Cut values found again, and the paths that pointers name. */
#include <string.h>

#include "../src/core/pointer.h"
#include "../src/core/secrets.h"
#include "tap.h"

static struct arena arena;

static struct secrets set_of(const char *const *values, size_t n)
{
	struct secrets s;
	size_t i;

	secrets_init(&s, &arena, 7);
	for (i = 0; i < n; i++)
		secrets_add(&s, values[i], strlen(values[i]));
	return s;
}

/* Where the value is found, as text; "-" when it is not. */
static const char *found(const char *value, const char *text)
{
	struct secrets s = set_of(&value, 1);
	struct span at;

	if (!secrets_find(&s, text, strlen(text), &at))
		return "-";
	return arena_strndup(&arena, text + at.off, at.len);
}

static void test_find(void)
{
	static const char v[] = "kd83Mwq2zz", b[] = "ab/cd+ef==", u[] = "redis://:pw12@h:1/0";
	static const struct {
		const char *value, *text, *at, *sentence;
	} cases[] = {
		{ v, "kd83Mwq2zz", v, "a value is found as the whole text" },
		{ v, "--seed=kd83Mwq2zz", v, "behind an '='" },
		{ v, "a b kd83Mwq2zz c", v, "as a word" },
		{ v, "x:\"kd83Mwq2zz\"", v, "in quotes" },
		{ v, "['kd83Mwq2zz','y']", v, "in a list" },
		{ v, "https://u:kd83Mwq2zz@h/", v, "in a URL" },
		{ v, "/v1/kd83Mwq2zz/x", v, "in a path" },
		{ v, "?a=1&k=kd83Mwq2zz&b", v, "in a query" },
		{ v, "{\"k\":\"kd83Mwq2zz\"}", v, "in JSON" },
		{ v, "a\nkd83Mwq2zz\nb", v, "as a line" },
		{ v, "kd83Mwq2zz2", "-", "not as the beginning of a longer word" },
		{ v, "akd83Mwq2zz", "-", "not as the end of one" },
		{ v, "KD83MWQ2ZZ", "-", "not in another case" },
		{ v, "kd83Mwq2z", "-", "not in part" },
		{ v, "", "-", "not in an empty text" },
		{ b, "ab/cd+ef==", b, "a value with separators is found as the whole text" },
		{ b, "x ab/cd+ef== y", b, "as a word" },
		{ b, "k=ab/cd+ef==", b, "behind an '='" },
		{ b, "x --k=ab/cd+ef== y", b, "behind the '=' of a word" },
		{ b, "\"ab/cd+ef==\"", b, "in quotes" },
		{ b, "x ab/cd+ef y", "ab/cd+ef", "and without its padding" },
		{ v, "k=kd83Mwq2zz==", v, "a value is found with padding, too" },
		{ u, "--url=redis://:pw12@h:1/0 -v", u, "a URL is found in a command" },
		{ "open sesame now", "open sesame now", "open sesame now",
		  "a value with blanks is found as the whole text" },
		{ "open sesame now", "--pass=open sesame now", "open sesame now",
		  "and behind the first '='" },
		{ "postgres", "postgres", "-", "a plain word is not searched for" },
		{ "12345678", "12345678", "-", "nor is a short number" },
		{ "postgres1", "postgres1", "postgres1", "a word with a digit is" },
		{ "abcdefghijklmnop", "abcdefghijklmnop", "abcdefghijklmnop", "so is a long one" },
		{ "aB3$xyz", "aB3$xyz", "-", "but not what is shorter than eight characters" },
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
		is(found(cases[i].value, cases[i].text), cases[i].at, "%s", cases[i].sentence);
}

static void test_set(void)
{
	enum { MANY = 3000 };
	const char **values = arena_array(&arena, MANY, sizeof *values);
	struct secrets s;
	struct span at;
	size_t i, hits = 0;

	for (i = 0; i < MANY; i++)
		values[i] = arena_printf(&arena, "secret-%zu", i * 7919);
	s = set_of(values, MANY);
	for (i = 0; i < MANY; i++)
		hits += secrets_find(&s, values[i], strlen(values[i]), &at) != NULL;
	cmp_ok((long long)hits, "==", MANY, "every one of thousands of values is found");
	secrets_add(&s, values[0], strlen(values[0]));
	cmp_ok((long long)s.n, "==", MANY, "a value that is there is not added again");
	secrets_init(&s, &arena, 7);
	ok(!secrets_find(&s, "kd83Mwq2zz", 10, &at), "an empty set finds nothing");
}

static const char *paths(const char *value)
{
	const char *rest = value, *all = "";
	char path[64];

	while (pointer_next(&rest, path, sizeof path))
		all = arena_printf(&arena, "%s%s%s", all, *all ? " " : "", path);
	return all;
}

static void test_pointer(void)
{
	is(paths("/opt/x"), "/opt/x", "a path is a path");
	is(paths("/a/b:/c/d:/e/f"), "/a/b /c/d /e/f", "a list has many");
	is(paths("unix:///run/x.sock"), "/run/x.sock", "a socket's address has one");
	is(paths("unix:/run/x.sock"), "/run/x.sock", "with fewer slashes too");
	is(paths("unix:path=/run/user/1000/bus,guid=abc"), "/run/user/1000/bus",
	   "and a bus address");
	is(paths("tcp://10.0.0.1:2375"), "", "a network address has none");
	is(paths("relative/path"), "", "nor has a relative path");
	is(paths(""), "", "nor has nothing");
	is(paths("/usr/lib/x:/bin/sh:/dev/null:/etc/ssl/certs/x"), "",
	   "what a workload cannot do without is left out");
	is(paths("/tmp"), "", "so is a directory at the top");
	is(paths("cat /srv/notes.txt"), "", "a command names paths that are no credentials");
	is(paths("cat /home/alice/.aws/credentials"), "/home/alice/.aws/credentials",
	   "and those that are");
	is(paths("/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/b:/c/d"),
	   "/c/d", "a path that is too long is passed over");
	is(paths("/a//b/./c/../d/:/a/../../e/f"), "/a/b/d /e/f", "paths are folded");
	is(paths("/opt/../usr/x"), "", "and judged so");
	is(paths("::/a/b::"), "/a/b", "empty parts are passed over");
}

int main(void)
{
	test_find();
	test_set();
	test_pointer();
	arena_release(&arena);
	done_testing();
}
