// SPDX-License-Identifier: Apache-2.0
/* The log, as engines read it, and the clock that its lines carry. */
#include "../src/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/clock.h"
#include "../src/base/fd.h"
#include "../src/base/json.h"
#include "tap.h"

#define TIME "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"

static struct arena arena;
static struct err e;
static char top[] = "/tmp/credsbox-log.XXXXXX";
static const char *file, *spoken;
static int real_stderr;

static const char *text_of(const char *path)
{
	const char *text;
	size_t len;

	return file_read(&arena, path, false, 1 << 20, &text, &len, &e) ? e.text : text;
}

/* Standard error is a file between these two. */
static void listen_in(void)
{
	int fd = open(spoken, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0600);

	real_stderr = dup(STDERR_FILENO);
	if (fd < 0 || real_stderr < 0 || dup2(fd, STDERR_FILENO) < 0)
		BAIL_OUT("cannot redirect standard error");
	close(fd);
}

static const char *heard(void)
{
	dup2(real_stderr, STDERR_FILENO);
	close(real_stderr);
	return text_of(spoken);
}

static size_t lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void test_no_file(void)
{
	const char *text;

	listen_in();
	log_error("start", "container does not exist");
	log_debug("nobody asked for this");
	text = heard();
	is(text, "credsbox: start: container does not exist\n",
	   "without a log, an error is one plain line on standard error");

	listen_in();
	log_warn("a %s thing", "strange");
	like(heard(), "^time=\"" TIME "\" level=warning msg=\"a strange thing\"\n$",
	     "a warning has its level with it");

	ok(!log_open(NULL, false, true, &e), "--debug needs no file");
	listen_in();
	log_debug("step %d", 3);
	like(heard(), "^time=\"" TIME "\" level=debug msg=\"step 3\"\n$",
	     "and goes to standard error then");
}

static void test_text(void)
{
	const char *text;
	struct stat st;

	umask(0);
	ok(!log_open(file, false, false, &e), "a log is opened");
	ok(!stat(file, &st) && (st.st_mode & 07777) == 0644, "and made with mode 0644");
	listen_in();
	log_error("run", "exec \"x\": tab\there, back\\slash, \x01, \xff and \xc3\xa9\nend");
	text = heard();
	is(text,
	   "credsbox: run: exec \"x\": tab\there, back\\slash, \x01, \xff and \xc3\xa9\nend\n",
	   "the error goes to standard error as well");
	text = text_of(file);
	like(text, "^time=\"" TIME "\" level=error msg=\"", "the log says when and what it is");
	ok(strstr(text, "msg=\"run: exec \\\"x\\\": tab\\there, back\\\\slash, \\x01, \\xff and "
			"\xc3\xa9\\nend\"\n"),
	   "text is quoted as Go does it");
	cmp_ok(lines(text), "==", 1, "so that it stays one line");

	listen_in();
	log_warn("w");
	log_debug("d");
	is(heard(), "", "with a log, standard error has errors only");
	cmp_ok(lines(text_of(file)), "==", 2, "the warning was appended, the debug line left out");

	ok(!log_open(file, false, true, &e), "it is opened once more");
	listen_in();
	log_debug("d");
	is(heard(), "", "with --debug and a log, standard error stays quiet");
	like(text_of(file), "level=debug msg=\"d\"\n$", "and the log has the line");
}

static const char *member(const struct json *obj, const char *key)
{
	const struct json *v = json_get(obj, key);

	return v && v->type == JSON_STRING ? v->text : NULL;
}

static void test_json(void)
{
	const struct json *doc = NULL;
	const char *text;

	unlink(file);
	ok(!log_open(file, true, false, &e), "a log in JSON is opened");
	listen_in();
	log_warn("not beside an error");
	log_debug("neither");
	log_error("create", "a \"b\"\n\x01 \xff c");
	is(heard(), "credsbox: create: a \"b\"\n\x01 \xff c\n", "standard error is as ever");
	text = text_of(file);
	ok(!json_parse(&arena, text, strlen(text), &doc, &e), "the whole file is one JSON object");
	is(member(doc, "level"), "error", "of level error");
	is(member(doc, "msg"), "create: a \"b\"\n\x01 \xef\xbf\xbd c", "with the same message");
	like(member(doc, "time"), "^" TIME "$", "and the time");
	like(text, "^\\{\"level\":\"error\",\"msg\":\".*\",\"time\":\".*\"\\}\n$", "in one line");

	ok(!log_open(file, true, true, &e), "it is opened once more");
	log_warn("now");
	log_debug("and this");
	cmp_ok(lines(text_of(file)), "==", 3, "--debug brings warnings and debug lines");
	like(text_of(file), "\"level\":\"debug\",\"msg\":\"and this\"", "as objects too");
}

static void test_limits(void)
{
	char *huge = arena_alloc(&arena, 100000);

	memset(huge, '"', 99999);
	unlink(file);
	ok(!log_open(file, false, false, &e), "a log is opened");
	listen_in();
	log_error("run", huge);
	cmp_ok(strlen(heard()), "<", 4096, "a message without end is cut");
	cmp_ok(lines(text_of(file)), "==", 1, "to one whole line");
	ok(log_open("/nonexistent/log", false, false, &e) && e.errnum == ENOENT,
	   "a log in a directory that is not there is an error");
	like(e.text, "^--log: /nonexistent/log: [Nn]o such file or directory$",
	     "with the option's name");
}

static void test_clock(void)
{
	static const struct {
		long long secs;
		long nanos;
		const char *text;
	} cases[] = {
		{ 0, 0, "1970-01-01T00:00:00.000000000Z" },
		{ 951782399, 999999999, "2000-02-28T23:59:59.999999999Z" },
		{ 951782400, 5, "2000-02-29T00:00:00.000000005Z" },
		{ 951868800, 0, "2000-03-01T00:00:00.000000000Z" },
		{ 4107542400LL, 0, "2100-03-01T00:00:00.000000000Z" },
		{ 4107542399LL, 0, "2100-02-28T23:59:59.000000000Z" },
		{ -1, 0, "1969-12-31T23:59:59.000000000Z" },
		{ -86400, 0, "1969-12-31T00:00:00.000000000Z" },
		{ 253402300799LL, 0, "9999-12-31T23:59:59.000000000Z" },
	};
	char text[CLOCK_TEXT], theirs[CLOCK_TEXT];
	struct timespec t;
	size_t i, wrong = 0;
	struct tm tm;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		t = (struct timespec){ cases[i].secs, cases[i].nanos };
		is(clock_text(&t, true, text), cases[i].text, "%s is right", cases[i].text);
	}
	for (t = (struct timespec){ -5000000000LL, 0 }; t.tv_sec < 20000000000LL;
	     t.tv_sec += 86399 * 7) {
		gmtime_r(&t.tv_sec, &tm);
		strftime(theirs, sizeof theirs, "%Y-%m-%dT%H:%M:%SZ", &tm);
		wrong += strcmp(clock_text(&t, false, text), theirs) != 0;
	}
	cmp_ok(wrong, "==", 0, "800 years are as gmtime_r() has them");
	setenv("TZ", "Asia/Tokyo", 1);
	t = (struct timespec){ 0 };
	is(clock_text(&t, false, text), "1970-01-01T00:00:00Z", "TZ makes no difference");
}

int main(void)
{
	plan(NO_PLAN);
	if (!mkdtemp(top))
		BAIL_OUT("cannot make a directory");
	file = arena_printf(&arena, "%s/log", top);
	spoken = arena_printf(&arena, "%s/stderr", top);
	test_no_file();
	test_text();
	test_json();
	test_limits();
	test_clock();
	unlink(file);
	unlink(spoken);
	rmdir(top);
	arena_release(&arena);
	done_testing();
}
