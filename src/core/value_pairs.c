// SPDX-License-Identifier: Apache-2.0
/* Secrets with their names beside them: key=value, JSON, YAML, ini, connection strings. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

/* INSPECTED: of a value so much is looked at; a text that nests pairs in pairs must not make us
 * look at its end again and again.
 */
enum { KEY_LONGEST = 96, PASSWORD_SHORTEST = 3, TOKEN_SHORTEST = 8, INSPECTED = 256 };

static const char rule_pair[] = "env-value:named-secret";
static const char why_pair[] = "a text with a secret and its name";

static bool is_key_char(char c)
{
	return is_alnum(c) || c == '_' || c == '-' || c == '.';
}

/* Keys of formats that name their secret in a way that no variable would. */
static bool is_format_key(const char *key, size_t len)
{
	static const char *const keys[] = {
		"_auth",
		"_authtoken",
		"_password",
		"accountkey",
		"auth",
		"client-key-data",
		"encryptedpassword",
		"identitytoken",
		"pass",
		"presharedkey",
		"private_key",
		"privatekey",
		"pwd",
		"registrytoken",
		"secret",
		"sharedaccesskey",
		"sharedaccesssignature",
		"sharedsecret",
		"x-honeycomb-team",
		"dd-api-key",
		"lightstep-access-token",
		"uptrace-dsn",
		"signoz-access-token",
		"x-scope-orgkey",
		"id-token",
		"refresh-token",
		"access-token",
		"api-key",
	};
	size_t i;

	for (i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (text_is_nocase(key, len, keys[i]))
			return true;
	return false;
}

static bool says_password(const char *key, size_t len)
{
	static const char *const words[] = { "pass", "passwd",     "password",
					     "pwd",  "passphrase", "passwort" };
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (text_ends_nocase(key, len, words[i]))
			return true;
	return false;
}

/* Names of variables are judged by the same rules here; what holds a URL is judged as a URL. */
static bool is_secret_key(const char *key, size_t len)
{
	struct finding f;

	while (len && (*key == '-' || *key == '.')) {
		key++;
		len--;
	}
	if (!len || len > KEY_LONGEST)
		return false;
	if (is_format_key(key, len))
		return true;
	return detect_name(key, len, &f) == VERDICT_CREDENTIAL &&
	       strcmp(f.rule, "env-name:connection-url") != 0;
}

static bool is_number(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len && (is_digit(s[i]) || s[i] == '.'); i++)
		;
	return i == len;
}

static bool is_word_of_settings(const char *s, size_t len)
{
	static const char *const words[] = { "true",     "false",     "yes",        "no",
					     "on",       "off",       "none",       "null",
					     "auto",     "enabled",   "disabled",   "required",
					     "optional", "prompt",    "basic",      "bearer",
					     "default",  "undefined", "integrated", "string",
					     "str",      "secret" };
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (text_is_nocase(s, len, words[i]))
			return true;
	return false;
}

static bool is_secret_value(const char *s, size_t len, bool is_password)
{
	if (len > INSPECTED)
		len = INSPECTED;
	if (len < (is_password ? PASSWORD_SHORTEST : TOKEN_SHORTEST) || value_is_template(s, len) ||
	    value_is_reference(s, len) || is_word_of_settings(s, len))
		return false;
	if (s[0] == '/' || (s[0] == '[' && !is_password) || memmem(s, len, "://", 3))
		return false;
	if (is_number(s, len) && !(is_password && len > 3))
		return false;
	return is_password || !value_is_placeholder(s, len);
}

struct pair_at {
	size_t key, key_len, value, value_len;
	bool quoted_key;
};

struct text {
	const char *s;
	size_t len;
	size_t bare_end; /* of the bare value that was read last: pairs within it end there too */
};

/* The end of a quoted text, from behind its opening quote. */
static size_t quoted_end(const char *s, size_t at, size_t len, char quote)
{
	while (at < len && s[at] != quote)
		at += s[at] == '\\' ? 2 : 1;
	return at < len ? at : len;
}

static bool ends_bare(char c)
{
	return is_space(c) || (c && strchr(";,&\"'`)}]", c));
}

/* The value behind the separator at *at: quoted, or up to what ends a bare one. In YAML a bare
 * value goes to the end of the line, but its first word will do.
 */
static bool read_value(struct text *t, size_t at, struct pair_at *p)
{
	const char *s = t->s;
	size_t len = t->len;
	/* Text within a quoted text: {\"password\":\"x\"} */
	bool escaped = at + 1 < len && s[at] == '\\' && s[at + 1] == '"';

	at += escaped ? 1 : 0;
	if (at < len && (s[at] == '"' || s[at] == '\'')) {
		p->value = at + 1;
		p->value_len = quoted_end(s, at + 1, len, s[at]) - p->value;
		if (escaped && p->value_len)
			for (p->value_len = 0;
			     p->value + p->value_len < len && s[p->value + p->value_len] != '\\';)
				p->value_len++;
		return true;
	}
	p->value = at;
	if (t->bare_end < at)
		t->bare_end = at;
	while (t->bare_end < len && !ends_bare(s[t->bare_end]) && s[t->bare_end] != '\\')
		t->bare_end++;
	p->value_len = t->bare_end - at;
	return p->value_len > 0;
}

static size_t skip_blanks(const char *s, size_t at, size_t len)
{
	while (at < len && (s[at] == ' ' || s[at] == '\t'))
		at++;
	return at;
}

/* What the key at p->key is followed by: '=' , or ':' that cannot belong to a host and port. */
static bool read_separator(struct text *t, struct pair_at *p)
{
	const char *s = t->s;
	size_t len = t->len;
	size_t at = p->key + p->key_len, behind;

	if (at < len && s[at] == '\\')
		at++;
	if (at < len && (s[at] == '"' || s[at] == '\'')) {
		at++;
		p->quoted_key = true;
	}
	at = skip_blanks(s, at, len);
	if (at >= len || (s[at] != '=' && s[at] != ':'))
		return false;
	behind = skip_blanks(s, at + 1, len);
	if (s[at] == '=' && behind < len && s[behind] == '>') /* Ruby, PHP: 'key' => 'value' */
		behind = skip_blanks(s, behind + 1, len);
	else if (s[at] == ':' && !p->quoted_key && behind == at + 1)
		return false;
	return behind < len && s[behind] != '=' && read_value(t, behind, p);
}

static void judge_pair(const char *s, const struct pair_at *p, struct finding *f)
{
	const char *key = s + p->key, *value = s + p->value;
	size_t len = p->value_len;

	/* "Bearer x" behind a name is the matter of the header's rule. */
	if (text_starts_nocase(value, len, "bearer") || text_starts_nocase(value, len, "basic "))
		return;
	if (is_secret_key(key, p->key_len) &&
	    is_secret_value(value, len, says_password(key, p->key_len)))
		value_found(f, p->value, len, rule_pair, why_pair);
}

bool value_pairs(const char *s, size_t len, struct finding *f)
{
	struct text t = { s, len, 0 };
	enum verdict before = f->verdict;
	size_t i = 0;

	while (i < len) {
		struct pair_at p = { .key = i };

		while (i < len && is_key_char(s[i]))
			i++;
		p.key_len = i - p.key;
		if (!p.key_len) {
			i++;
			continue;
		}
		if (i == len || p.key_len > KEY_LONGEST || !read_separator(&t, &p))
			continue;
		judge_pair(s, &p, f);
		/* Go on inside the value: it may be a text with pairs of its own. */
		i = p.value;
	}
	return f->verdict != before;
}
