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

/* "machine HOST login NAME" or "default login NAME", but not "machine learning is fun" */
static bool is_netrc(const char *s, size_t at, size_t len)
{
	size_t end;

	if (text_starts(s + at, len - at, "machine "))
		at = word_start(s, word_end(s, at + 8, len), len);
	else if (text_starts(s + at, len - at, "default "))
		at = word_start(s, at + 8, len);
	else
		return false;
	end = word_end(s, at, len);
	return text_is(s + at, end - at, "login") || text_is(s + at, end - at, "password");
}

static void found_in_netrc(const char *s, size_t from, size_t end, struct finding *f)
{
	if (s[from] == '"' && end > from + 2 && s[end - 1] == '"') {
		from++;
		end--;
	}
	if (!value_is_template(s + from, end - from) && !value_is_found(f, from, end - from))
		value_found(f, from, end - from, "env-value:netrc", "a line of a netrc file");
}

/* machine HOST login NAME password SECRET */
static void judge_netrc(const char *s, size_t len, struct finding *f)
{
	size_t at = word_start(s, 0, len), end;
	bool is_next = false;

	if (!is_netrc(s, at, len))
		return;
	for (; at < len; at = word_start(s, end, len)) {
		end = word_end(s, at, len);
		if (is_next)
			found_in_netrc(s, at, end, f);
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
	for (i = field[3]; i < field[4] && !is_alpha(s[i]) && s[i] != '*'; i++)
		;
	if (i == field[4]) /* a list of numbers; users have letters */
		return;
	i = field[2] - 1;
	if (i - field[1] < 1 || i - field[1] > 5 || (i - field[1] < 3 && s[field[1]] != '*') ||
	    value_is_template(s + field[4], end - field[4]))
		return;
	value_found(f, field[4], end - field[4], "env-value:pgpass", "a line of a pgpass file");
}

static void found_in_name(const char *s, size_t from, size_t end, struct finding *f)
{
	if (from < end && !value_is_template(s + from, end - from) &&
	    !value_is_found(f, from, end - from))
		value_found(f, from, end - from, "env-value:data-source-name",
			    "a data source name with a password");
}

/* user:secret@tcp(host:port)/db, user:secret@unix(/path)/db, user:secret@(host)/db */
static void judge_go_dsn(const char *s, size_t len, struct finding *f)
{
	static const char *const marks[] = { "@tcp(",  "@tcp4(",     "@tcp6(",
					     "@unix(", "@cloudsql(", "@(" };
	const char *at, *colon;
	size_t i, begin, end;

	if (!memchr(s, '(', len))
		return;
	for (i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		at = memmem(s, len, marks[i], strlen(marks[i]));
		if (!at)
			continue;
		end = (size_t)(at - s);
		for (begin = end; begin > 0 && !is_space(s[begin - 1]) && s[begin - 1] != '"';)
			begin--;
		colon = memchr(s + begin, ':', end - begin);
		if (colon && colon > s + begin && is_alnum(colon[-1]) &&
		    (end + strlen(marks[i]) < len && !memchr(")*", s[end + strlen(marks[i])], 2)))
			found_in_name(s, (size_t)(colon - s) + 1, end, f);
	}
}

/* user:secret@host, without a scheme before it: only as the whole value, and when the secret looks
 * like one. What else has this form: mailto:a@b, npm:x@1.2, image:tag@digest, user@host:path.
 */
static void judge_bare_userinfo(const char *s, size_t len, struct finding *f)
{
	const char *at = memrchr(s, '@', len), *colon = memchr(s, ':', len), *host, *p;
	size_t n;

	if (!at || !colon || !is_alpha(*s) || colon > at || at + 1 == s + len || len > 512)
		return;
	for (p = s; p < colon; p++)
		if (!is_alnum(*p) && !memchr("_.-", *p, 3))
			return;
	n = (size_t)(at - colon) - 1;
	host = at + 1;
	for (p = host; p < s + len && (is_alnum(*p) || memchr("-._", *p, 3)); p++)
		;
	if (p == host || !is_alpha(*host) || (p < s + len && *p != ':' && *p != '/') ||
	    text_starts(host, len - (size_t)(host - s), "sha256:") || memchr(colon, '/', n) ||
	    n < 8 || !value_is_random(colon + 1, n))
		return;
	found_in_name(s, (size_t)(colon - s) + 1, (size_t)(at - s), f);
}

/* jdbc:oracle:thin:user/secret@host, user/secret@//host, user/secret@(DESCRIPTION=...) */
static void judge_oracle(const char *s, size_t len, struct finding *f)
{
	const char *jdbc = memmem(s, len, "jdbc:oracle:", 12), *slash, *at;
	size_t begin = jdbc ? (size_t)(jdbc - s) + 12 : 0;

	slash = memchr(s + begin, '/', len - begin);
	at = memchr(s + begin, '@', len - begin);
	if (!slash || !at || slash > at || slash == s || is_space(slash[-1]))
		return;
	if (!jdbc && !text_starts(at, len - (size_t)(at - s), "@//") &&
	    !text_starts_nocase(at, len - (size_t)(at - s), "@(description"))
		return;
	if (!memchr(slash + 1, '/', (size_t)(at - slash) - 1))
		found_in_name(s, (size_t)(slash - s) + 1, (size_t)(at - s), f);
}

/* WIFI:T:WPA;S:network;P:secret;; as in the picture on the router */
static void judge_wifi(const char *s, size_t len, struct finding *f)
{
	const char *secret, *end;

	if (!text_starts(s, len, "WIFI:"))
		return;
	secret = memmem(s + 4, len - 4, ";P:", 3);
	if (!secret)
		secret = memmem(s + 4, len - 4, ":P:", 3);
	end = secret ? memchr(secret + 1, ';', len - (size_t)(secret + 1 - s)) : NULL;
	if (end && end > secret + 3)
		value_found(f, (size_t)(secret - s) + 3, (size_t)(end - secret) - 3,
			    "env-value:wifi", "the password of a wireless network");
}

bool value_lines(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	size_t from, end;

	judge_netrc(s, len, f);
	if (memchr(s, '@', len)) {
		judge_go_dsn(s, len, f);
		judge_bare_userinfo(s, len, f);
		judge_oracle(s, len, f);
	}
	judge_wifi(s, len, f);
	for (from = 0; from < len; from = end + 1) {
		const char *line = memchr(s + from, '\n', len - from);

		end = line ? (size_t)(line - s) : len;
		judge_pgpass(s, from, end, f);
	}
	return f->verdict != before;
}
