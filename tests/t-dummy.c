// SPDX-License-Identifier: Apache-2.0
/* Stand-ins: their form, that they are known again, and that nothing of the secret is in them. */
#include <stdio.h>
#include <stdlib.h>

#include "../src/core/chars.h"
#include "../src/core/dummy.h"
#include "plan_case.h"

enum { SHORT = 20 }; /* characters that a mark of any alphabet fits into */

static struct arena arena;
static const uint8_t seed[32] = { 42 };

static const char *made(const char *value)
{
	const struct finding f = { .verdict = VERDICT_CREDENTIAL };

	return dummy_make(&arena, value, strlen(value), &f, seed, 0);
}

static bool known(const char *value)
{
	const struct finding f = { .verdict = VERDICT_CREDENTIAL };

	return dummy_is(value, strlen(value), &f);
}

static void test_form(void)
{
	static const struct {
		const char *value, *form, *what;
	} cases[] = {
		{ "01234567890123456789", "^[0-9]{20}$", "digits" },
		{ "0123456789abcdef0123456789abcdef", "^[0-9a-f]{32}$", "hexadecimal digits" },
		{ "0123456789ABCDEF0123456789ABCDEF", "^[0-9A-F]{32}$", "upper case ones" },
		{ "MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK", "^[A-Z2-7]{32}$", "base32" },
		{ "abcdefghij0123456789xyz", "^[0-9a-z]{23}$", "lower case" },
		{ "ABCDEFGHIJ0123456789XYZ", "^[0-9A-Z]{23}$", "upper case" },
		{ "aBcDeFgHiJ0123456789xyz", "^[0-9A-Za-z]{23}$", "letters and digits" },
		{ "aBcDe-FgHiJ_01234.56789",
		  "^[0-9A-Za-z]{5}-[0-9A-Za-z]{5}_[0-9A-Za-z]{5}\\."
		  "[0-9A-Za-z]{5}$",
		  "separators at their places" },
		{ "aB+DeFgHiJ0123/56789xyz==", "^[0-9A-Za-z]{23}==$", "the padding of base64" },
		{ "01234567-89ab-4cde-8f01-23456789abcd",
		  "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
		  "the form of a UUID" },
		{ "xoxb-123456789012-1234567890123-aBcDeFgHiJ0123456789xyzw",
		  "^xoxb-[0-9]{12}-[0-9]{13}-[0-9A-Za-z]{24}$",
		  "the prefix of a vendor, and which parts are numbers" },
		{ "npm_aBcDeFgHiJ0123456789aBcDeFgHiJ012345", "^npm_[0-9A-Za-z]{36}$",
		  "the prefix even where the checksum is wrong" },
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *d = made(cases[i].value);

		like(d, cases[i].form, "a stand-in keeps %s", cases[i].what);
		isnt(d, cases[i].value, "and is another value");
		ok(known(d), "and is known again");
		ok(!known(cases[i].value), "which the original is not");
	}
	like(made("short"), "^[0-9A-Za-z]{24}$", "what is too short for a mark becomes longer");
	like(made(""), "^[0-9A-Za-z]{24}$", "so does nothing at all");
	like(made("1234567"), "^[0-9A-Za-z]{24}$", "a PIN cannot stay one");
}

/* Under a name that says token, what is random to look at in the header must not count. */
static void test_web_token(void)
{
	static const char header[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.";
	const char *token = arena_printf(&arena, "%s%s.%s", header, "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
					 "dozjgNryP4J3jVmNHl0w5N0XgL0n3I9PlFUP0THsR8U");
	struct finding f;

	detect_env("A_TOKEN", 7, token, strlen(token), true, &f);
	like(dummy_make(&arena, token, strlen(token), &f, seed, 0),
	     arena_printf(&arena, "^%.*s\\.[0-9A-Za-z]{27}\\.[0-9A-Za-z]{43}$",
			  (int)sizeof header - 2, header),
	     "a web token keeps its header and the lengths of its parts");
}

static void test_spans(void)
{
	static const char url[] = "https://bob:kd83Mwq2zzkd83Mwq2zz@h/?key=kd84Mwq2zz&x=1";
	const struct finding f = { .verdict = VERDICT_CREDENTIAL,
				   .secret = { { 12, 20 }, { 40, 10 } },
				   .n_secret = 2 };
	struct finding one = f;
	const char *d = dummy_make(&arena, url, sizeof url - 1, &f, seed, 3);

	like(d, "^https://bob:[0-9A-Za-z]{20}@h/\\?key=[0-9A-Za-z]{24}&x=1$",
	     "only the secret parts are replaced");
	one.secret[1].len = 24;
	ok(dummy_is(d, strlen(d), &one), "a value whose secret parts are stand-ins is one");
	ok(!dummy_is(url, sizeof url - 1, &f), "the original is none");
	one.n_secret = 1;
	one.secret[0] = (struct span){ 12, 20 };
	d = dummy_make(&arena, url, sizeof url - 1, &one, seed, 3);
	ok(!dummy_is(d, strlen(d), &f), "nor is one with a secret left");
}

static void test_chance(void)
{
	const struct finding f = { .verdict = VERDICT_CREDENTIAL };
	static const char value[] = "kd83Mwq2zzkd83Mwq2zzkd83";
	uint8_t other[32] = { 43 };
	const char *d = made(value);
	char *changed;
	size_t i, n = 0;

	is(made(value), d, "the same seed and index give the same stand-in");
	isnt(dummy_make(&arena, value, 24, &f, seed, 1), d, "another index gives another");
	isnt(dummy_make(&arena, value, 24, &f, other, 0), d, "and so does another seed");
	is(made("zzzzzzzzzzzzzzzzzzzzzzAA"), made("AAAAAAAAAAAAAAAAAAAAAAzz"),
	   "nothing of a stand-in follows from the secret but its form");
	for (i = 8; i < 24; i++) {
		changed = arena_strdup(&arena, d);
		changed[i] = changed[i] == 'a' ? 'b' : 'a';
		n += known(changed);
	}
	cmp_ok((long long)n, "==", 0, "a stand-in with one character changed is none");
}

static const char *policy_value(struct plan_case *c, const char *name)
{
	size_t i, n = strlen(name);

	for (i = 0; i < c->plan.n_env; i++)
		if (!strncmp(c->plan.env[i], name, n) && c->plan.env[i][n] == '=')
			return c->plan.env[i] + n + 1;
	return "";
}

static void test_again(void)
{
	static const char *const values[] = { "kd83Mwq2zzkd83Mwq2zz", "hello world",
					      "postgres://bob:kd83Mwq2zz@h/d?sslmode=require",
					      "host=h password=kd83Mwq2zz dbname=d" };
	struct plan_case c, again;
	struct arena a = { 0 };
	size_t i;

	for (i = 0; i < sizeof values / sizeof values[0]; i++) {
		case_make(&c, arena_printf(&a, "'env':['X_DSN=%s']", values[i]), NULL,
			  "env: {dummy: ['*']}");
		isnt(policy_value(&c, "X_DSN"), values[i], "a policy replaces '%s'", values[i]);
		case_make(&again, arena_printf(&a, "'env':['X_DSN=%s']", policy_value(&c, "X_DSN")),
			  NULL, "env: {dummy: ['*']}");
		is(policy_value(&again, "X_DSN"), policy_value(&c, "X_DSN"), "but only once");
		cmp_ok((long long)again.plan.n_cuts, "==", 0, "and says nothing of its stand-in");
		case_end(&again);
		case_end(&c);
	}
	arena_release(&a);
}

static void test_mixed(void)
{
	static const char *const others[] = { "secret", "x", "key" };
	struct plan_case c;
	struct judgement j;
	const char *v;
	size_t i;

	case_bundle(&c, NULL, NULL, NULL);
	for (i = 0; i < 3; i++) {
		v = arena_printf(
			&arena,
			"{\"password\": \"%s\", \"%s\": \"uu83kddMwq2oizzQ4vT7pLx2rGs9Yh1\"}",
			made("kd83Mwq2zzkd83Mwq2zz"), others[i]);
		plan_judge_env(&c.policy, "APP_SECRET_KEY", v, strlen(v), &j);
		ok(j.f.verdict == VERDICT_CREDENTIAL,
		   "a stand-in beside a secret does not cover it");
	}
	case_end(&c);
}

static size_t decode(const char *base64, size_t len, char *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, n = 0;
	size_t i, o = 0;

	for (i = 0; i < len; i++) {
		const char *d = base64[i] ? strchr(digits, base64[i]) : NULL;

		if (!d)
			continue;
		bits = bits << 6 | (unsigned)(d - digits);
		n += 6;
		if (n >= 8) {
			n -= 8;
			out[o++] = (char)(bits >> n);
		}
	}
	out[o] = '\0';
	return o;
}

/* A run of eight or more letters and digits of a secret that the stand-in has too; NULL: none. */
static const char *left_over(struct arena *a, const char *secret, size_t len, const char *dummy)
{
	size_t i = 0, n;

	for (; i < len; i += n + 1) {
		for (n = 0; i + n < len && is_alnum(secret[i + n]);)
			n++;
		if (n >= 8 && memmem(dummy, strlen(dummy), secret + i, n))
			return arena_strndup(a, secret + i, n);
	}
	return NULL;
}

static size_t count_alnum(const char *s, size_t len)
{
	size_t i, n = 0;

	for (i = 0; i < len; i++)
		n += is_alnum(s[i]);
	return n;
}

struct tally {
	unsigned values, same, length, again, rest;
};

static void report(const char *kind, const char *what, unsigned *count)
{
	if (++*count <= 5)
		diag("%s: %s", kind, what);
}

static void try_value(struct plan_case *c, const char *kind, const char *name, const char *value,
		      size_t len, struct tally *t)
{
	struct judgement j;
	bool is_short = false;
	const char *d;
	unsigned k;

	t->values++;
	plan_judge_env(&c->policy, name, value, len, &j);
	d = dummy_make(&c->arena, value, len, &j.f, seed, t->values);
	if (!strcmp(d, value))
		report(kind, "the same value", &t->same);
	for (k = 0; k < j.f.n_secret || !k; k++) {
		struct span s = j.f.n_secret ? j.f.secret[k] : (struct span){ 0, len };

		is_short |= count_alnum(value + s.off, s.len) < SHORT;
		if (left_over(&c->arena, value + s.off, s.len, d))
			report(kind, "part of the secret is left", &t->rest);
	}
	if (strlen(d) < len || (strlen(d) > len && !is_short))
		report(kind, "another length", &t->length);
	plan_judge_env(&c->policy, name, d, strlen(d), &j);
	if (j.f.verdict != VERDICT_KEEP)
		report(kind, j.f.rule, &t->again);
}

static void test_corpus(const char *name, const char *policy)
{
	const char *srcdir = getenv("srcdir");
	char path[4096], *line = NULL, *kind, *base64;
	struct tally t = { 0 };
	struct plan_case c;
	size_t cap = 0;
	FILE *in;

	snprintf(path, sizeof path, "%s/tests/corpus/values.tsv", srcdir ? srcdir : ".");
	in = fopen(path, "r");
	if (!in)
		bail_out("%s: cannot read", path);
	case_bundle(&c, NULL, NULL, policy);
	while (getline(&line, &cap, in) > 0) {
		char *value;

		if (strncmp(line, "true\t", 5))
			continue;
		kind = line + 5;
		base64 = strchr(kind, '\t');
		*base64++ = '\0';
		value = arena_alloc(&c.arena, strlen(base64) + 1);
		try_value(&c, kind, name, value, decode(base64, strlen(base64), value), &t);
	}
	free(line);
	fclose(in);
	case_end(&c);
	cmp_ok(t.values, ">", 300, "the corpus has values to replace under %s", name);
	cmp_ok(t.same, "==", 0, "each gets another value");
	cmp_ok(t.length, "==", 0, "of the same length unless it is short");
	cmp_ok(t.rest, "==", 0, "with nothing of the secret in it");
	cmp_ok(t.again, "==", 0, "that is not cut again");
}

int main(void)
{
	test_form();
	test_web_token();
	test_spans();
	test_chance();
	test_again();
	test_mixed();
	test_corpus("APP_SECRET_KEY", "env: {values: on}");
	test_corpus("CFG_001", "env: {values: on}");
	test_corpus("CFG_001", "env: {dummy: ['*']}");
	arena_release(&arena);
	done_testing();
}
