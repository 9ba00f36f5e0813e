// SPDX-License-Identifier: Apache-2.0
/* Reading the audit: lines, their chain, times, which records are chosen, and how they are shown. */
#include <stdio.h>
#include <string.h>

#include "../src/base/clock.h"
#include "../src/core/audit_report.h"
#include "../src/core/audit_select.h"
#include "../src/core/audit_table.h"
#include "plan_case.h"

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

static struct arena arena;
static struct err e;
static struct audit_line l;

static const char *cut_named(const char *name)
{
	return arena_printf(
		&arena,
		"{\"time\":\"2026-01-02T03:04:05Z\",\"seq\":0,\"event\":\"cut\","
		"\"container\":\"c1\",\"kind\":\"env\",\"where\":\"process.env[0]\","
		"\"name\":\"%s\",\"rule\":\"r:x\",\"action\":\"remove\",\"prev\":\"" ZEROS "\"}",
		name);
}

static const char *read_line(const char *text)
{
	return audit_line_read(&arena, text, strlen(text), &l, &e) ? e.text : "";
}

/* The text with one part in the place of another. */
static const char *with(const char *old, const char *new)
{
	const char *text = cut_named("A"), *at = strstr(text, old);

	return arena_printf(&arena, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

static void test_read(void)
{
	static const struct {
		const char *old, *new, *text;
	} cases[] = {
		{ "2026-01-02T", "yesterday ", "no record: time: not as RFC 3339 has it" },
		{ "\"seq\":0", "\"seq\":-1",
		  "no record: seq: expected an integer from 0 to "
		  "18446744073709551615" },
		{ "\"seq\":0", "\"seq\":\"0\"",
		  "no record: seq: expected a number, found a string" },
		{ ",\"seq\":0", "", "no record: required property 'seq' is missing" },
		{ "\"event\":\"cut\"", "\"event\":\"\"", "no record: event: must not be empty" },
		{ "\"cut\"", "\"start\"", "no record: a start without command or mode" },
		{ ",\"kind\":\"env\"", "",
		  "no record: a cut without kind, where, name, rule or action" },
		{ ZEROS, "0", "no record: prev: not a SHA-256" },
		{ "0000\"", "000G\"", "no record: prev: not a SHA-256" },
		{ "}", "", "no record: line 1, column 224: unexpected end of text" },
	};
	size_t i;

	is(read_line(cut_named("A")), "", "a record is read");
	is(l.name, "A", "with its name");
	ok(audit_is_cut(&l) && !audit_is_start(&l), "it is a cut");
	is(read_line(with("\"cut\"", "\"later\",\"new\":[1]")), "",
	   "what a later version writes is read, too");
	for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
		is(read_line(with(cases[i].old, cases[i].new)), cases[i].text, "%s", cases[i].text);
	unlike(read_line("{\"time\":\"kd83Mwq2zz\",kd83Mwq2zz}"), "kd83",
	       "an error does not repeat what is there");
	is(audit_line_read(&arena, arena_alloc(&arena, RECORD_LINE_MAX), RECORD_LINE_MAX, &l, &e)
		   ? e.text
		   : "",
	   "no record: longer than 64 KiB", "what is too long is not looked at");
}

static const char *follow(struct audit_chain *c, const char *text)
{
	if (*read_line(text))
		return e.text;
	return audit_chain_follow(c, &l, text, strlen(text), &e) ? e.text : "";
}

static const char *numbered(unsigned seq, const char *before)
{
	uint8_t digest[HASH_SIZE];
	char hex[2 * HASH_SIZE + 1] = ZEROS;

	if (before) {
		hash_sha256(before, strlen(before), digest);
		hash_hex(digest, sizeof digest, hex);
	}
	return arena_printf(&arena,
			    "{\"time\":\"2026-01-02T03:04:05Z\",\"seq\":%u,\"event\":\"x\","
			    "\"container\":\"c1\",\"prev\":\"%s\"}",
			    seq, hex);
}

static void test_chain(void)
{
	const char *first = numbered(0, NULL), *second = numbered(1, first);
	const char *third = numbered(2, second);
	struct audit_chain c = { 0 };

	is(follow(&c, first), "", "a chain begins");
	is(follow(&c, second), "", "and goes on");
	is(follow(&c, third), "", "and on");
	c = (struct audit_chain){ 0 };
	is(follow(&c, second), "", "it may begin in the middle: what was before is gone");
	cmp_ok((long long)c.first, "==", 1, "which is told");
	is(follow(&c, third), "", "and goes on");
	is(follow(&c, third), "seq is 2, expected 3: lines are missing or were moved",
	   "a line that is there twice is found");
	c = (struct audit_chain){ 0 };
	follow(&c, first);
	is(follow(&c, third), "seq is 2, expected 1: lines are missing or were moved",
	   "one that is missing is");
	is(follow(&c, numbered(3, first)),
	   "prev is not the hash of the line before: that one was changed",
	   "one that was changed is");
	is(follow(&c, first), "a chain begins anew after line 3 of another", "as is a new chain");
	is(follow(&c, numbered(1, NULL)), "prev is that of a first line, and seq is 1",
	   "a first line has the first number");
	is(follow(&c, numbered(0, first)), "prev is not that of a first line, and seq is 0",
	   "and nobody else has");
}

static void test_clock(void)
{
	static const struct {
		const char *text;
		long long secs;
		long nanos;
	} good[] = {
		{ "1970-01-01", 0, 0 },
		{ "2000-02-29T12:00:00Z", 951825600, 0 },
		{ "2026-11-18T09:30:00.5Z", 1794994200, 500000000 },
		{ "1969-12-31T23:59:59Z", -1, 0 },
		{ "1970-01-01t02:00:00+02:00", 0, 0 },
		{ "1969-12-31 19:00:00.000000001-05:00", 0, 1 },
	};
	static const char *const bad[] = {
		"",
		"2026",
		"2026-13-01",
		"2026-00-01",
		"2026-02-29",
		"2026-1-01",
		"2026-01-01T",
		"2026-01-01T24:00:00Z",
		"2026-01-01T00:60:00Z",
		"2026-01-01T00:00:00",
		"2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00+2:00",
		"2026-01-01T00:00:00Zx",
		"2026-01-01T00:00:00+24:00",
		"+026-01-01",
		" 2026-01-01",
	};
	char text[CLOCK_TEXT];
	struct timespec t;
	size_t i;
	long long day;

	for (i = 0; i < sizeof good / sizeof good[0]; i++)
		ok(clock_read(good[i].text, &t) && t.tv_sec == good[i].secs &&
			   t.tv_nsec == good[i].nanos,
		   "%s is %lld", good[i].text, good[i].secs);
	for (i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ok(!clock_read(bad[i], &t), "'%s' is no time", bad[i]);
	for (day = -719528, i = 0; day < 2932897; day += 97) {
		t = (struct timespec){ .tv_sec = day * 86400 + 86399, .tv_nsec = 7 };
		clock_text(&t, true, text);
		i += !clock_read(text, &t) || t.tv_sec != day * 86400 + 86399 || t.tv_nsec != 7;
	}
	cmp_ok((long long)i, "==", 0, "what is written is read, from year 0 to 9999");
}

static void test_since(void)
{
	static const char *const bad[] = {
		"", "h", "1", "-1h", "1.5h", "1y", "99999999999d", "18446744073709551615w", "now"
	};
	const struct timespec now = { .tv_sec = 1000000 };
	struct audit_select s = { 0 };
	size_t i;

	ok(audit_select_since(&s, "1h", &now) && s.since.tv_sec == 1000000 - 3600, "an hour ago");
	ok(audit_select_since(&s, "2d", &now) && s.since.tv_sec == 1000000 - 172800, "two days");
	ok(audit_select_since(&s, "0s", &now) && s.since.tv_sec == 1000000, "just now");
	ok(audit_select_since(&s, "1970-01-02", &now) && s.since.tv_sec == 86400, "a date");
	for (i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ok(!audit_select_since(&s, bad[i], &now), "not '%s'", bad[i]);
}

/* The error, or the ids of what is taken. */
static const char *chosen(const char *container)
{
	static const char *const lines[][3] = {
		{ "abc1", "web", "shop" },
		{ "abc2", "db", "shop" },
		{ "web2", "abc1", "other" },
		{ "xyz", "web", "late" },
	};
	struct audit_select s = { .container = container };
	const char *all = "";
	size_t i;

	audit_select_init(&s, &arena);
	for (i = 0; i < 4; i++) {
		l = (struct audit_line){ .event = "start",
					 .container = lines[i][0],
					 .name = lines[i][1],
					 .pod = lines[i][2] };
		audit_select_learn(&s, &arena, &l);
	}
	if (audit_select_settle(&s, &arena, &e))
		return e.text;
	for (i = 0; i < 4; i++) {
		l.container = lines[i][0];
		if (audit_select_takes(&s, &l))
			all = arena_printf(&arena, "%s %s", all, lines[i][0]);
	}
	return all;
}

static void test_select(void)
{
	is(chosen("abc2"), " abc2", "a container is chosen by its id");
	is(chosen("abc1"), " abc1", "which counts more than a name");
	is(chosen("web"), " abc1 xyz", "all that had a name are chosen by it");
	is(chosen("shop"), " abc1 abc2", "or by the name of their pod");
	is(chosen("x"), " xyz", "or by the beginning of an id");
	is(chosen("abc"), "--container abc: the beginning of several ids: abc1, abc2 ...",
	   "if it is that of one alone");
	is(chosen("nobody"), "--container nobody: no record of such a container",
	   "one that is not there is told");
	ok(audit_select_kind("env") && audit_select_kind("refuse") && !audit_select_kind("Env"),
	   "kinds are those of the audit");
}

static void test_table(void)
{
	struct str s;

	str_init(&s, &arena, 1 << 20);
	read_line(cut_named("A\\u001b[31m\\u202e\\u009b\\n\\\\"));
	audit_table_row(&s, &l, 0);
	like(s.s,
	     "^2026-01-02 03:04:05  c1 {12}env {9}A\\\\u\\{1b\\}\\[31m\\\\u\\{202e\\}\\\\u\\{9b\\}"
	     "\\\\u\\{a\\}\\\\  r:x {19}remove   process.env\\[0\\]\n$",
	     "a row is one line, and nothing in it is obeyed by a terminal");
	s.len = 0;
	read_line(cut_named("ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ"));
	audit_table_row(&s, &l, 100);
	like(s.s, "  ABCDEFGHIJKLMNO\xe2\x80\xa6  ", "a column is cut for a terminal");
	cmp_ok((long long)strlen(s.s), "<=", 105, "so that the row fits");
	s.len = 0;
	read_line("{\"time\":\"2026-01-02T03:04:05Z\",\"seq\":0,\"event\":\"start\",\"container\":"
		  "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\","
		  "\"command\":\"run\",\"mode\":\"strip\",\"name\":\"web\",\"cuts\":1,\"prev\":"
		  "\"" ZEROS "\"}");
	audit_table_row(&s, &l, 0);
	like(s.s, "  0123456789ab  start +web +run +strip +1 item\n$", "a start has a row, too");
	s.len = 0;
	audit_json_row(&s,
		       "{\"a\":\"\xc2\x9b\x7f\xe2\x80\xae"
		       "b\"}",
		       15);
	is(s.s, "{\"a\":\"\\u009b\\u007f\\u202eb\"}\n", "so is what JSON would let through");
}

static void add_at(struct audit_report *r, long long secs, const char *name)
{
	char text[CLOCK_TEXT];
	const struct timespec t = { .tv_sec = secs };

	read_line(cut_named(name));
	l.time = clock_text(&t, false, text);
	l.at = t;
	audit_report_add(r, &l);
}

static uint64_t in_buckets(const struct audit_report *r)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < AUDIT_BUCKETS; i++)
		n += r->times.v[i][FATE_KEPT_OUT];
	return n;
}

static void test_report(void)
{
	static const long long times[] = {
		1794994200,   1795167001,  1794994200 - 86400 * 90, 1794994200 + 86400LL * 900,
		-62167219200, 253402300799
	};
	struct audit_report r;
	const char *html;
	size_t i, len;

	audit_report_init(&r, &arena);
	html = audit_report_html(&arena, &r, &len);
	ok(html && strlen(html) == len, "nothing makes a page");
	unlike(html, "Over time", "without a chart");
	for (i = 0; i < sizeof times / sizeof times[0]; i++) {
		add_at(&r, times[i], "<script>alert('x')</script>\\\"&\\u202e");
		cmp_ok((long long)in_buckets(&r), "==", (long long)i + 1,
		       "every item is in the chart, at %lld", times[i]);
	}
	html = audit_report_html(&arena, &r, &len);
	unlike(html, "<script", "a name is text");
	like(html,
	     "&lt;script&gt;alert\\(&#39;x&#39;\\)&lt;/script&gt;&quot;&amp;\\\\u\\{202e\\}</td>",
	     "all of it");
	for (i = 0; i < 20000; i++)
		add_at(&r, 1794994200, arena_printf(&arena, "A%zu", i));
	cmp_ok((long long)r.items.n, "<", 20000, "what is told apart has a bound");
	cmp_ok((long long)r.cuts, "==", 20006, "what is counted has none");
	like(audit_report_html(&arena, &r, &len), "There are more than can be told apart",
	     "which is told");
}

int main(void)
{
	test_read();
	test_chain();
	test_clock();
	test_since();
	test_select();
	test_table();
	test_report();
	arena_release(&arena);
	done_testing();
}
