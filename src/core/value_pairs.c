// SPDX-License-Identifier: Apache-2.0
/* Secrets with their names beside them: key=value, JSON, YAML, ini, connection strings. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

/* NEAR: so far may the value be from its name in {"name": "X", "value": "..."}. */
enum {
	KEY_LONGEST = 96,
	BRACED_LONGEST = 128,
	ESCAPES_MOST = 8,
	NEAR = 256,
	JWK_SHORTEST = 20,
	VALUE_SHORTEST = 3
};

struct text {
	const char *s;
	size_t len;
	size_t bare_end; /* of the bare value that was read last: pairs within it end there too */
	bool is_jwk, is_jwk_known;
	enum value_key named; /* what a "name" said of the "value" to come */
	size_t named_at;
};

struct pair {
	size_t key, key_len, value, value_len;
	char separator;
	bool is_tight;  /* no blank between the separator and the value */
	bool is_quoted; /* the value */
	bool is_key_quoted;
};

static size_t skip_blanks(const char *s, size_t at, size_t len)
{
	while (at < len && (s[at] == ' ' || s[at] == '\t'))
		at++;
	return at;
}

static size_t skip_escapes(const char *s, size_t at, size_t len)
{
	size_t n = 0;

	while (at < len && s[at] == '\\' && n++ < ESCAPES_MOST)
		at++;
	return at;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* A key and its separator are here: "Encrypt=", "User ID=". Before it ended a value. */
static bool begins_pair(const char *s, size_t at, size_t len)
{
	size_t end;

	at = skip_blanks(s, at, len);
	if (len - at > KEY_LONGEST)
		len = at + KEY_LONGEST;
	for (end = at; end < len && (is_name_char(s[end]) || s[end] == ' '); end++)
		;
	return end > at && end < len && (s[end] == '=' || s[end] == ':');
}

/* Punctuation ends a value only where it means something: a password may have any of it. */
static bool ends_bare(const char *s, size_t at, size_t len)
{
	char c = s[at], next;

	if (is_name_char(c))
		return false;
	next = at + 1 < len ? s[at + 1] : ' ';
	switch (c) {
	case '"':
	case '\'':
	case '`': return true;
	case '\\': return is_quote(next) || strchr("nrt\\", next);
	case '<': return next == '/';
	case ')':
	case '}':
	case ']': return is_space(next) || strchr(":;,)]}\"'<", next);
	case '&':
	case ';':
	case ',':
		return is_space(next) || is_quote(next) || begins_pair(s, at + 1, len) ||
		       text_starts(s + at, len - at, "&amp;");
	default: return is_space(c);
	}
}

/* The end of a quoted text, from behind its opening quote. */
static size_t quoted_end(const char *s, size_t at, size_t len, char quote)
{
	while (at < len && s[at] != quote)
		at += s[at] == '\\' ? 2 : 1;
	return at < len ? at : len;
}

static void read_bare(struct text *t, size_t at, struct pair *p)
{
	p->value = at;
	if (t->bare_end < at)
		t->bare_end = at;
	while (t->bare_end < t->len && !ends_bare(t->s, t->bare_end, t->len))
		t->bare_end++;
	p->value_len = t->bare_end - at;
}

/* YAML's "key: |" has its text on the next line. */
static size_t skip_block_mark(const char *s, size_t at, size_t len)
{
	size_t i = at;

	if (i < len && (s[i] == '|' || s[i] == '>'))
		i++;
	if (i > at && i < len && (s[i] == '-' || s[i] == '+'))
		i++;
	return i > at && i < len && s[i] == '\n' ? skip_blanks(s, i + 1, len) : at;
}

/* Pwd={a;b}: what is in braces is taken as it is; "{name}" is a template and stays in them. */
static bool read_braced(const struct text *t, size_t at, struct pair *p)
{
	size_t left = t->len - at, i;
	bool is_name = true;
	const char *end;

	if (p->separator != '=' || !p->is_tight || t->s[at] != '{' || left < 3)
		return false;
	end = memchr(t->s + at, '}', left < BRACED_LONGEST ? left : BRACED_LONGEST);
	if (!end)
		return false;
	p->value = at + 1;
	p->value_len = (size_t)(end - t->s) - p->value;
	for (i = p->value; i < p->value + p->value_len; i++) {
		if (is_space(t->s[i]) || is_quote(t->s[i]) || t->s[i] == '{')
			return false;
		is_name &= is_alpha(t->s[i]) || t->s[i] == '_';
	}
	return !is_name;
}

/* The value behind the separator: quoted, or up to what ends a bare one. In YAML a bare value goes
 * to the end of the line, but its first word will do.
 */
static bool read_value(struct text *t, size_t at, struct pair *p)
{
	size_t open = skip_escapes(t->s, at, t->len), end;

	if (open < t->len && is_quote(t->s[open])) {
		p->is_quoted = true;
		p->value = open + 1;
		/* Text within a quoted text ends at the next escape: {\"password\":\"x\"} */
		if (open > at)
			for (end = open + 1; end < t->len && t->s[end] != '\\'; end++)
				;
		else
			end = quoted_end(t->s, open + 1, t->len, t->s[open]);
		p->value_len = end - p->value;
		return true;
	}
	if (at >= t->len || read_braced(t, at, p))
		return at < t->len;
	read_bare(t, p->separator == ':' ? skip_block_mark(t->s, at, t->len) : at, p);
	return p->value_len > 0;
}

/* {password, "x"} and define('DB_PASSWORD', 'x') */
static bool is_comma_pair(const struct text *t, const struct pair *p, size_t behind)
{
	static const char define[] = "define(";
	size_t before = p->key - (p->key && p->is_key_quoted);

	if (behind >= t->len || !is_quote(t->s[behind]))
		return false;
	return p->is_key_quoted ? text_ends_nocase(t->s, before, define)
				: before && t->s[before - 1] == '{';
}

/* What the key is followed by: '=', ':', or what stands for them in programs. Sets *at to what is
 * behind it.
 */
static bool read_separator(const struct text *t, struct pair *p, size_t *at)
{
	const char *s = t->s;
	size_t i = skip_escapes(s, *at, t->len), behind;

	if (i < t->len && is_quote(s[i])) {
		p->is_key_quoted = true;
		i++;
	}
	if (p->is_key_quoted && i < t->len && s[i] == ']')
		i++;
	i = skip_blanks(s, i, t->len);
	if (i >= t->len || (s[i] != '=' && s[i] != ':' && s[i] != ','))
		return false;
	p->separator = s[i++];
	behind = skip_blanks(s, i, t->len);
	if (behind >= t->len || (p->separator == ',' && !is_comma_pair(t, p, behind)))
		return false;
	if ((p->separator == '=' && s[behind] == '>') || (p->separator == ':' && s[behind] == '='))
		behind = skip_blanks(s, ++behind, t->len);
	else if (behind < t->len && s[behind] == '=')
		return false; /* a comparison */
	p->is_tight = behind == i;
	*at = behind;
	return behind < t->len;
}

/* What may stand behind a key for there to be a separator: most words have something else there. */
static bool may_separate(char c)
{
	switch (c) {
	case '=':
	case ':':
	case ',':
	case '"':
	case '\'':
	case '\\':
	case ' ':
	case '\t': return true;
	default: return false;
	}
}

/* "auth:v1.2" is an image and "secret:x" a reference: without a blank, a colon makes a pair of
 * what can be nothing else.
 */
static bool is_tight_colon_key(const char *key, size_t len)
{
	size_t i;
	int c;

	if (value_key_is_password(key, len) || text_starts_nocase(key, len, "x-") ||
	    text_starts_nocase(key, len, "access") || text_starts_nocase(key, len, "private"))
		return true;
	/* "api": a byte tells how far behind it the word's last letter may be. */
	for (i = 2; i < len; i += c == 'p' ? 1 : c == 'a' ? 2 : 3) {
		c = key[i] | 0x20;
		if (c == 'i' && text_is_nocase(key + i - 2, 3, "api"))
			return true;
	}
	return false;
}

/* {"name": "DB_PASSWORD", "value": "x"}, <add key="ApiKey" value="x"/>, ParameterKey=a,ParameterValue=b */
static bool is_name_key(const char *key, size_t len)
{
	return text_is_nocase(key, len, "name") || text_is_nocase(key, len, "key") ||
	       text_is_nocase(key, len, "parameterkey") || text_is_nocase(key, len, "optionname");
}

static bool is_value_key(const char *key, size_t len)
{
	return text_is_nocase(key, len, "value") || text_is_nocase(key, len, "parametervalue") ||
	       text_is_nocase(key, len, "default");
}

/* Whatever the value is, the pair says nothing: paths, addresses and times have such colons, and their
 * values need not be looked through.
 */
static bool is_idle_colon(const struct text *t, const struct pair *p)
{
	const char *key = t->s + p->key;

	return p->separator == ':' && p->is_tight && !p->is_key_quoted &&
	       !is_tight_colon_key(key, p->key_len) && !is_name_key(key, p->key_len) &&
	       !(t->named && is_value_key(key, p->key_len));
}

/* What is known without a look at the tables of names, which is what costs. */
static bool is_out_of_question(const struct text *t, const struct pair *p)
{
	const char *key = t->s + p->key, *value = t->s + p->value;

	if (p->separator == ':' && p->is_tight && !p->is_key_quoted)
		return !value_is_random(value, p->value_len);
	return !value_key_is_password(key, p->key_len) && !value_is_random(value, p->value_len);
}

static bool ends_with_nocase(const char *s, size_t len, const char *end, size_t n)
{
	size_t i;

	for (i = 0; i < n && n <= len && to_lower(s[len - n + i]) == to_lower(end[i]); i++)
		;
	return i == n;
}

/* "password: must not be empty": a word that more words follow. "Password": "Password" is a label. */
static bool is_about(const struct text *t, const struct pair *p)
{
	const char *key = t->s + p->key, *value = t->s + p->value;
	size_t end = p->value + p->value_len, i;

	/* prompt('Password: ', x): the quote closes what the key stands in */
	if (p->is_quoted && !p->is_key_quoted && (*value == ',' || *value == ')'))
		return true;
	if (p->is_quoted)
		return p->value_len <= p->key_len && is_upper(*value) &&
		       text_ends_nocase(key, p->key_len, "password") &&
		       text_is_nocase(value, p->value_len, "password");
	/* "self.password = password" hands it on, "password=password" in a DSN is a bad one */
	if (ends_with_nocase(key, p->key_len, value, p->value_len) &&
	    (!p->is_tight || p->key_len > strlen("password")))
		return true;
	for (i = 0; i < p->value_len && is_alpha(value[i]); i++)
		;
	return p->separator == ':' && i == p->value_len && end + 1 < t->len && t->s[end] == ' ' &&
	       is_alpha(t->s[end + 1]);
}

/* The private members of a JSON web key. */
static bool is_jwk_key(const char *key, size_t len)
{
	static const char *const members[] = { "d", "p", "q", "dp", "dq", "qi", "k" };
	size_t i;

	for (i = 0; i < sizeof members / sizeof members[0]; i++)
		if (text_is(key, len, members[i]))
			return true;
	return false;
}

/* Asked for at most once per text, or many such pairs would make time quadratic. */
static bool is_jwk(struct text *t)
{
	if (!t->is_jwk_known)
		t->is_jwk = memmem(t->s, t->len, "\"kty\"", 5) != NULL;
	t->is_jwk_known = true;
	return t->is_jwk;
}

/* Set-Cookie: session=x */
static bool is_session(const struct text *t, const struct pair *p)
{
	const char *key = t->s + p->key;

	return text_is_nocase(key, p->key_len, "session") &&
	       (text_starts_nocase(t->s, t->len, "cookie:") ||
		text_starts_nocase(t->s, t->len, "set-cookie:"));
}

/* A URL's signature is its password; those of other things are public. */
static bool is_signature(const struct text *t, const struct pair *p)
{
	const char *key = t->s + p->key;

	return p->key && (key[-1] == '&' || key[-1] == '?') && p->value_len >= 20 &&
	       (text_is_nocase(key, p->key_len, "sig") ||
		text_is_nocase(key, p->key_len, "signature"));
}

static enum value_key kind_of(struct text *t, const struct pair *p)
{
	const char *key = t->s + p->key;

	if (is_name_key(key, p->key_len)) {
		t->named = value_key(t->s + p->value, p->value_len);
		t->named_at = p->key;
		return VALUE_KEY_NONE;
	}
	if (t->named && is_value_key(key, p->key_len)) {
		enum value_key kind = p->key - t->named_at < NEAR ? t->named : VALUE_KEY_NONE;

		t->named = VALUE_KEY_NONE;
		return kind;
	}
	if (p->is_key_quoted && p->key_len < 3 && p->value_len >= JWK_SHORTEST &&
	    is_jwk_key(key, p->key_len))
		return is_jwk(t) ? VALUE_KEY_TOKEN : VALUE_KEY_NONE;
	if (p->key_len < 2 || p->value_len < VALUE_SHORTEST || is_out_of_question(t, p))
		return VALUE_KEY_NONE;
	if (is_signature(t, p) || is_session(t, p))
		return VALUE_KEY_TOKEN;
	return value_key(key, p->key_len);
}

/* "Bearer%20x", as headers are written in OTEL_EXPORTER_OTLP_HEADERS. */
static void skip_scheme(const struct text *t, struct pair *p)
{
	static const char *const schemes[] = { "bearer%20", "basic%20", "token%20" };
	size_t i, n;

	for (i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
		n = strlen(schemes[i]);
		if (text_starts_nocase(t->s + p->value, p->value_len, schemes[i])) {
			p->value += n;
			p->value_len -= n;
			return;
		}
	}
}

static void judge_pair(struct text *t, struct pair *p, struct finding *f)
{
	enum value_key kind = kind_of(t, p);
	const char *value;

	if (!kind)
		return;
	skip_scheme(t, p);
	value = t->s + p->value;
	if (value_is_found(f, p->value, p->value_len) ||
	    !value_fits(kind, value, p->value_len, p->is_quoted) || is_about(t, p))
		return;
	value_found(f, p->value, p->value_len, "env-value:named-secret",
		    "a text with a secret and its name");
}

/* Terraform: variable "db_password" { default = "x" } */
static void note_variable(struct text *t, const struct pair *p)
{
	static const char variable[] = "variable \"";

	if (p->key && t->s[p->key - 1] == '"' && text_ends(t->s, p->key, variable)) {
		t->named = value_key(t->s + p->key, p->key_len);
		t->named_at = p->key;
	}
}

bool value_pairs(const char *s, size_t len, struct finding *f)
{
	struct text t = { .s = s, .len = len };
	enum verdict before = f->verdict;
	size_t i = 0, at;

	while (i < len) {
		struct pair p = { .key = i };

		while (i < len && is_name_char(s[i]))
			i++;
		p.key_len = i - p.key;
		if (!p.key_len) {
			i++;
			continue;
		}
		note_variable(&t, &p);
		at = i;
		if (i == len || !may_separate(s[i]) || p.key_len > KEY_LONGEST ||
		    !read_separator(&t, &p, &at) || is_idle_colon(&t, &p) ||
		    !read_value(&t, at, &p))
			continue;
		judge_pair(&t, &p, f);
		/* Go on inside the value: it may be a text with pairs of its own. */
		i = p.value;
	}
	return f->verdict != before;
}
