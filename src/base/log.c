// SPDX-License-Identifier: Apache-2.0
/* What callers and people are told: errors on standard error and in the log, the rest where asked for. */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "fd.h"
#include "jsonw.h"
#include "str.h"
#include "utf8.h"
#include "banned.h"

enum { TEXT_MAX = 2048, LINE_MAX = 16 * 1024, PATH_SHOWN = 200 };

/* The one thing that the whole program shares: where it speaks. */
static struct {
	int fd; /* 0: no log, which is also how it begins */
	bool json, debug;
} the_log;

int log_open(const char *path, bool json, bool debug, struct err *e)
{
	struct arena a = { 0 };
	int fd;

	the_log.json = json;
	the_log.debug = debug;
	if (!path)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC, 0644);
	if (fd < 0) {
		fail(e, errno, "--log: %s", printable(&a, path, PATH_SHOWN));
		arena_release(&a);
		return -1;
	}
	if (the_log.fd > 0)
		close(the_log.fd);
	the_log.fd = fd;
	return 0;
}

/* A line goes out with one write(), so that those of several runtimes stay apart. */
static void put(int fd, const struct str *line)
{
	struct err nobody_to_tell;

	fd_write_all(fd, "log", line->s, line->len, &nobody_to_tell);
}

/* As Go quotes: that is what readers of such logs take apart again. */
static void add_quoted(struct str *s, const char *text)
{
	static const char special[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
	size_t len = strlen(text), i = 0, n;
	const char *found;

	str_add(s, "\"");
	while (i < len) {
		n = utf8_char(text + i, len - i);
		found = strchr(special, text[i]);
		if (found)
			str_printf(s, "\\%c", letters[found - special]);
		else if (!n || (unsigned char)text[i] < ' ' || text[i] == 0x7f)
			str_printf(s, "\\x%02x", (unsigned char)text[i]);
		else
			str_addn(s, text + i, n);
		i += n ? n : 1;
	}
	str_add(s, "\"");
}

static void add_json(struct str *line, const char *level, const char *text, const char *time)
{
	struct jsonw *w = jsonw_new(line->arena, false);

	jsonw_object(w);
	jsonw_kv(w, "level", level);
	jsonw_kv(w, "msg", text);
	jsonw_kv(w, "time", time);
	jsonw_end(w);
	str_add(line, jsonw_text(w, NULL));
}

static void put_line(const char *level, const char *text)
{
	struct arena a = { 0 };
	char time[CLOCK_TEXT];
	struct str line;

	clock_now(false, time);
	str_init(&line, &a, LINE_MAX);
	if (the_log.json) {
		add_json(&line, level, text, time);
	} else {
		str_printf(&line, "time=\"%s\" level=%s msg=", time, level);
		add_quoted(&line, text);
	}
	str_add(&line, "\n");
	put(the_log.fd > 0 ? the_log.fd : STDERR_FILENO, &line);
	arena_release(&a);
}

void log_error(const char *command, const char *text)
{
	char both[TEXT_MAX];
	struct arena a = { 0 };
	struct str line;

	snprintf(both, sizeof both, "%s: %s", command, text);
	str_init(&line, &a, LINE_MAX);
	str_printf(&line, "credsbox: %s\n", both);
	put(STDERR_FILENO, &line);
	arena_release(&a);
	if (the_log.fd > 0)
		put_line("error", both);
}

void log_warn(const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list ap;

	if (the_log.fd > 0 && the_log.json && !the_log.debug)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	put_line("warning", text);
}

void log_debug(const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list ap;

	if (!the_log.debug)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	put_line("debug", text);
}
