// SPDX-License-Identifier: Apache-2.0
/* Secrets that stand behind a word: directives of configurations, options, SQL. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { WORD_LONGEST = 96, WORD_SHORTEST = 3 };

struct word {
	const char *s;
	size_t off, len;
	bool is_quoted, is_first, is_last; /* of its line or statement */
};

static bool ends_statement(char c)
{
	return c == '\n' || c == ';' || c == '|';
}

static bool parts_words(char c)
{
	return !is_alnum(c) && (is_space(c) || ends_statement(c));
}

/* Words are apart by blanks; a quoted text is one. Says false at the end. */
static bool next_word(const char *s, size_t len, size_t *at, struct word *w)
{
	const char *close;
	size_t i = *at;

	w->is_first = !i;
	for (; i < len && parts_words(s[i]); i++)
		w->is_first |= ends_statement(s[i]);
	w->is_quoted = i < len && (s[i] == '"' || s[i] == '\'');
	w->off = i + w->is_quoted;
	w->s = s + w->off;
	if (w->is_quoted) {
		close = w->off < len ? memchr(w->s, w->s[-1], len - w->off) : NULL;
		w->len = close ? (size_t)(close - w->s) : 0;
		i = close ? w->off + w->len + 1 : w->off;
	} else {
		while (i < len && !parts_words(s[i]))
			i++;
		w->len = i - w->off;
	}
	w->is_last = i == len || ends_statement(s[i]);
	*at = i;
	return w->off < len;
}

static void found(const struct word *w, size_t skip, struct finding *f)
{
	if (w->len >= skip + WORD_SHORTEST && !value_is_template(w->s + skip, w->len - skip) &&
	    !value_is_reference(w->s + skip, w->len - skip) &&
	    !value_is_found(f, w->off + skip, w->len - skip))
		value_found(f, w->off + skip, w->len - skip, "env-value:named-secret",
			    "a text with a secret and its name");
}

/* What follows these is secret whatever it looks like. */
static bool is_directive(const struct word *w)
{
	static const char *const words[] = {
		"requirepass",  "masterauth", "rocommunity", "rwcommunity",
		"rocommunity6", "bindpw",     "rootpw",
	};
	size_t i;

	if (w->s[0] != 'r' && w->s[0] != 'm' && w->s[0] != 'b')
		return false;
	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i][0] == w->s[0] && text_is(w->s, w->len, words[i]))
			return true;
	return false;
}

/* ipsec.secrets: "host : PSK "x"", "bob : EAP 0sYWJj" */
static bool is_ipsec(const struct word *before, const struct word *w, const struct word *next)
{
	return before->len && before->s[before->len - 1] == ':' &&
	       (text_is(w->s, w->len, "PSK") || text_is(w->s, w->len, "EAP") ||
		text_is(w->s, w->len, "XAUTH")) &&
	       (next->is_quoted || text_starts(next->s, next->len, "0s") ||
		text_starts(next->s, next->len, "0x"));
}

/* "id=npmrc,src=x": an argument with names in it. */
static bool has_names(const struct word *w)
{
	size_t i;

	for (i = 0; i < w->len && is_lower(w->s[i]); i++)
		;
	return i && i + 1 < w->len && w->s[i] == '=';
}

static bool has_digit(const struct word *w)
{
	size_t i;

	for (i = 0; i < w->len && !is_digit(w->s[i]); i++)
		;
	return i < w->len;
}

/* npm has the registry in the name: //npm.example.com/:_authToken */
static struct word without_place(const struct word *k)
{
	const char *colon = memrchr(k->s, ':', k->len);
	struct word w = *k;

	if (colon && colon[-1] == '/') {
		w.s = colon + 1;
		w.len -= (size_t)(w.s - k->s);
	}
	return w;
}

/* In prose any word may follow "password": the value has to look like one, or to be quoted, or to be
 * an option's.
 */
static void judge_named(const struct word *name, const struct word *v, struct finding *f)
{
	bool is_option, is_line, is_number;
	enum value_key kind;
	struct word k;

	if (name->len < 4 || v->len < WORD_SHORTEST)
		return;
	k = name->s[0] == '/' ? without_place(name) : *name;
	is_option = k.s[0] == '-';
	if (k.len < 4 || k.len > WORD_LONGEST || k.is_quoted || v->s[0] == '-' ||
	    !is_alnum(k.s[k.len - 1]))
		return;
	is_number = has_digit(v);
	is_line = k.is_first && v->is_last && is_number;
	if (!(v->is_quoted || is_option || is_line) &&
	    !((is_number || v->is_last) && value_is_random(v->s, v->len)))
		return;
	if (memchr(k.s, '=', k.len) || has_names(v))
		return;
	if (!is_option && !is_line && text_is_nocase(k.s, k.len, "pass"))
		return; /* a verb */
	kind = value_key(k.s, k.len);
	if (kind && value_fits(kind, v->s, v->len, v->is_quoted))
		found(v, 0, f);
}

/* What a statement is about decides about words further on. */
struct statement {
	bool is_sql;
	bool is_identified;   /* SQL: IDENTIFIED ... BY 'x' */
	bool is_snmp_user;    /* createUser bob SHA "x" AES "y" */
	bool is_redis_user;   /* user bob on >x */
	bool is_set_password; /* SQL: SET PASSWORD FOR bob = 'x' */
	struct word before;
};

static bool is_snmp_method(const struct word *w)
{
	return text_starts(w->s, w->len, "SHA") || text_starts(w->s, w->len, "AES") ||
	       text_is(w->s, w->len, "MD5") || text_is(w->s, w->len, "DES");
}

static void judge_word(struct statement *st, const struct word *w, const struct word *next,
		       struct finding *f)
{
	if (w->is_first)
		*st = (struct statement){ 0 };
	if (w->is_quoted)
		return;
	st->is_sql |= text_is_nocase(w->s, w->len, "create") ||
		      text_is_nocase(w->s, w->len, "alter") ||
		      text_is_nocase(w->s, w->len, "grant");
	st->is_identified |= st->is_sql && text_is_nocase(w->s, w->len, "identified");
	st->is_snmp_user |= text_is(w->s, w->len, "createUser");
	st->is_redis_user |= w->is_first && text_is(w->s, w->len, "user");
	if (st->is_redis_user && w->s[0] == '>')
		found(w, 1, f);
	if (!next->len)
		return;
	st->is_set_password |= text_is_nocase(w->s, w->len, "password") &&
			       text_is_nocase(st->before.s, st->before.len, "set");
	if (is_directive(w) || is_ipsec(&st->before, w, next) ||
	    (st->is_set_password && text_is(w->s, w->len, "=")) ||
	    (st->is_snmp_user && is_snmp_method(w)) ||
	    (st->is_identified && text_is_nocase(w->s, w->len, "by") && next->s[0] != ':'))
		found(next, 0, f);
	else if (w->len == 1 && is_digit(w->s[0]) && st->before.len)
		judge_named(&st->before, next, f); /* Cisco: password 7 x */
	else
		judge_named(w, next, f);
	st->before = *w;
}

bool value_words(const char *s, size_t len, struct finding *f)
{
	struct word w = { 0 }, next = { 0 };
	enum verdict before = f->verdict;
	struct statement st = { 0 };
	bool is_more;
	size_t at = 0;

	for (is_more = next_word(s, len, &at, &w); is_more; w = next) {
		is_more = next_word(s, len, &at, &next);
		if (!is_more)
			next.len = 0;
		if (w.len)
			judge_word(&st, &w, &next, f);
	}
	return f->verdict != before;
}
