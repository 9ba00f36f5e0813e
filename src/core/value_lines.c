// SPDX-License-Identifier: Apache-2.0
/* Formats of one line that need no names: netrc, pgpass, data source names of Go and Oracle. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

static size_t word_end(const char *s, size_t at, size_t len)
{
	while (at < len && !is_space(s[at]))
		at++;
	return at;
}

static size_t word_start(const char *s, size_t at, size_t len)
{
	while (at < len && is_space(s[at]))
		at++;
	return at;
}

/* machine HOST login NAME password SECRET */
static void judge_netrc(const char *s, size_t len, struct finding *f)
{
	size_t at = word_start(s, 0, len), end;
	bool is_next = false;

	if (!text_starts(s + at, len - at, "machine ") &&
	    !text_starts(s + at, len - at, "default "))
		return;
	for (; at < len; at = word_start(s, end, len)) {
		end = word_end(s, at, len);
		if (is_next && !value_is_template(s + at, end - at))
			value_found(f, at, end - at, "env-value:netrc", "a line of a netrc file");
		is_next = text_is(s + at, end - at, "password");
	}
}

/* HOST:PORT:DATABASE:USER:SECRET; nothing else has a port in its second of five fields. A locked
 * account in shadow(5) has a '*' there, and four fields more.
 */
static void judge_pgpass(const char *s, size_t from, size_t end, struct finding *f)
{
	size_t field[5] = { from }, i, n = 1;

	for (i = from; i < end; i++) {
		if (is_space(s[i]) || s[i] == '/' || s[i] == '@')
			return;
		if (s[i] == '\\')
			i++;
		else if (s[i] == ':' && n == 5)
			return;
		else if (s[i] == ':')
			field[n++] = i + 1;
	}
	if (n < 5 || field[1] - field[0] < 2 || field[3] - field[2] < 2 ||
	    field[4] - field[3] < 2 || end - field[4] < 3)
		return;
	for (i = field[1]; i < field[2] - 1; i++)
		if (!is_digit(s[i]) && !(s[i] == '*' && field[2] - field[1] == 2))
			return;
	if (i - field[1] < 1 || i - field[1] > 5 || (i - field[1] < 3 && s[field[1]] != '*') ||
	    value_is_template(s + field[4], end - field[4]))
		return;
	value_found(f, field[4], end - field[4], "env-value:pgpass", "a line of a pgpass file");
}

/* user:secret@tcp(host:port)/db, user:secret@unix(/path)/db */
static void judge_go_dsn(const char *s, size_t len, struct finding *f)
{
	static const char *const marks[] = { "@tcp(", "@tcp4(", "@tcp6(", "@unix(", "@cloudsql(" };
	const char *at, *colon;
	size_t i, begin, end;

	for (i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		at = memmem(s, len, marks[i], strlen(marks[i]));
		if (!at)
			continue;
		end = (size_t)(at - s);
		for (begin = end; begin > 0 && !is_space(s[begin - 1]) && s[begin - 1] != '"';)
			begin--;
		colon = memchr(s + begin, ':', end - begin);
		if (!colon)
			continue;
		begin = (size_t)(colon - s) + 1;
		if (!value_is_template(s + begin, end - begin))
			value_found(f, begin, end - begin, "env-value:data-source-name",
				    "a data source name with a password");
	}
}

/* jdbc:oracle:thin:user/secret@host */
static void judge_oracle(const char *s, size_t len, struct finding *f)
{
	const char *jdbc = memmem(s, len, "jdbc:oracle:", 12), *slash, *at;
	size_t begin;

	if (!jdbc)
		return;
	begin = (size_t)(jdbc - s) + 12;
	slash = memchr(s + begin, '/', len - begin);
	at = memchr(s + begin, '@', len - begin);
	if (!slash || !at || slash > at || at == slash + 1 ||
	    value_is_template(slash + 1, (size_t)(at - slash) - 1))
		return;
	value_found(f, (size_t)(slash - s) + 1, (size_t)(at - slash) - 1,
		    "env-value:data-source-name", "a data source name with a password");
}

bool value_lines(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	size_t from, end;

	judge_netrc(s, len, f);
	judge_go_dsn(s, len, f);
	judge_oracle(s, len, f);
	for (from = 0; from < len; from = end + 1) {
		const char *line = memchr(s + from, '\n', len - from);

		end = line ? (size_t)(line - s) : len;
		judge_pgpass(s, from, end, f);
	}
	return f->verdict != before;
}
