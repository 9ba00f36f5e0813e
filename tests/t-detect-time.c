// SPDX-License-Identifier: Apache-2.0
/* Tests what it costs to judge values. */
#include "../src/core/detect.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "tap.h"

enum {
	TRIES = 30,
	BIG = 128 * 1024,
	RATIO_MOST = 4, /* where yardstick() takes 5 ms, that is 20 ms */
};

/* What sanitizers, and compilers that do not optimise, make of time. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_UNDEFINED__) || !defined(__OPTIMIZE__) || \
	__has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
enum { SLOWER = 10 };
#else
enum { SLOWER = 1 };
#endif

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static uint64_t state = 20240229;

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The best of some, of values side by side: what else the machine does is not our cost. */
static double cost(const char *values, size_t len, size_t count)
{
	double best = 1e9, start, ms;
	struct finding f;
	size_t k, i;

	for (k = 0; k < (count > 1 ? TRIES : 3); k++) {
		start = now_ms();
		for (i = 0; i < count; i++)
			detect_env("SERVICE_0_URL", 13, values + i * len, len, true, &f);
		ms = now_ms() - start;
		best = ms < best ? ms : best;
	}
	return best;
}

static volatile unsigned char end_of_walk;

/*
 * What this machine needs, with other work beside it as now, for a step of some plain automata on each byte: enough of
 * them that a processor that is shared shows. Times are compared with it, as a busy machine is no fault of the code.
 */
static double yardstick(const char *text, size_t len)
{
	enum { AUTOMATA = 12 };
	static unsigned char next[256];
	double best = 1e9, start, ms;
	unsigned char at[AUTOMATA] = { 0 };
	size_t k, i, a;

	for (i = 0; i < sizeof next; i++)
		next[i] = (unsigned char)(i * 167 + 13);
	for (k = 0; k < TRIES; k++) {
		start = now_ms();
		for (i = 0; i < len; i++)
			for (a = 0; a < AUTOMATA; a++)
				at[a] = next[(at[a] + a + (unsigned char)text[i]) & 255];
		for (a = 0; a < AUTOMATA; a++)
			end_of_walk = at[a];
		ms = now_ms() - start;
		best = ms < best ? ms : best;
	}
	return best;
}

static double cost_of_repeated(const char *piece)
{
	static char big[BIG];
	size_t i, n = strlen(piece);

	for (i = 0; i < sizeof big; i++)
		big[i] = piece[i % n];
	return cost(big, sizeof big, 1);
}

/* Time has to be linear in what an attacker may write into one variable. */
static void test_worst(void)
{
	// clang-format off
	static const char *const pieces[] = {
		"@", ":", "=", "/", "{", "\"", "'", "\\", "$", "<", "%", "-", ".", " ", "\n", "a", "A0", "://", "a://",
		"a=", "ab=", "a: ", "a=\"", "a=\\\"", "a='b=\"", "password=", "password: ", "password ", "password='",
		"token=a;", "a,", ";a=", "&a", "eyJ", "eyJ.", "eyJhbGciOiJIUzI1NiJ9.", ".eyJhbGciOiJub25lIn0", "v4.local.",
		"-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "BEGIN PRIVATE--", "$6$", ".$6$", "{SSHA}", "sha1$", "token ", "basic ",
		"basic YTpi ", "bearer  ", "%41", "%2541", "YTpi", "a:b:c:d:e:", "a:1:b:c:d\n", "a:b@", "a:b@c/", "http://a:b@",
		"http://a:b/", "http://a:b/c@", "a:\\/\\/", "http://a?b=c&d=e;", "<a>", "<a", "<a></a>", "<password>", "<a b=\"",
		"a@tcp(", "@(", "mysql -p ", "curl -u ", "echo |", "machine a login b ", "\"name\":\"password\",",
		"variable \"", "define('", "{password,", "sk-", "AKIA", "ghp_", "xoxb-", "x-", "9a", "aA1", "LS0tLS1CRUdJTiB",
		"identified by ", "key value ", "--password ", "JQQJ99", "+ASt", "hooks.slack.com/", "https://hooks.slack.com/services/",
	};
	// clang-format on
	double worst = 0, ms;
	const char *what = "";
	size_t i;

	for (i = 0; i < COUNT(pieces); i++) {
		ms = cost_of_repeated(pieces[i]);
		if (ms > 20 * SLOWER)
			diag("%.1f ms for 128 KiB of %s", ms, pieces[i]);
		if (ms > worst) {
			worst = ms;
			what = pieces[i];
		}
	}
	diag("figure: values: 128 KiB in %.1f ms at the worst (%s)", worst, what);
	ok(worst < 100 * SLOWER, "the longest value takes no time to speak of, whatever it is");
}

/* What containers have in their environment, filled up to a hundred bytes by chance. */
static void test_variables(void)
{
	enum { VARIABLES = 10000, LENGTH = 100 };
	// clang-format off
	static const struct { const char *name, *text; } kinds[] = {
		{ "random text", "" },
		{ "paths", "/usr/local/lib/python3.11/site-packages/some/module/dir:/usr/bin:/usr/local/bin:/opt/lib64/" },
		{ "words", "the quick brown fox jumps over the lazy dog and runs away from the hunter in the woods " },
		{ "URLs", "https://service-0.prod.svc.cluster.local:8443/api/v1/things?limit=10&offset=20&sort=asc&from=" },
	};
	// clang-format on
	static char values[VARIABLES * LENGTH];
	size_t i, k;
	double ms, plain;

	for (k = 0; k < COUNT(kinds); k++) {
		for (i = 0; i < sizeof values; i++)
			values[i] = alphabet[below(62)];
		for (i = 0; i < VARIABLES; i++)
			memcpy(values + i * LENGTH, kinds[k].text, strlen(kinds[k].text));
		ms = cost(values, LENGTH, VARIABLES);
		plain = yardstick(values, sizeof values);
		diag("figure: values: 10000 of 100 bytes in %.1f ms, %.1f times the yardstick (%s)",
		     ms, ms / plain, kinds[k].name);
		skip(SLOWER > 1, 1, "time says nothing with sanitizers or without optimising");
		ok(ms < 20 || ms < RATIO_MOST * plain,
		   "ten thousand variables of %s take less than 20 ms, or than this machine needs "
		   "for so much",
		   kinds[k].name);
		end_skip;
	}
}

int main(void)
{
	plan(NO_PLAN);
	test_worst();
	test_variables();
	done_testing();
}
