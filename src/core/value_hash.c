// SPDX-License-Identifier: Apache-2.0
/* Hashes of passwords: whoever has one can guess at leisure. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { TAIL_SHORTEST = 20 };

static const char why[] = "a password's hash";

/* What they begin with: crypt(3), PHC strings, frameworks, LDAP, PostgreSQL. */
static const char *const prefixes[] = {
	"$1$",
	"$2$",
	"$2a$",
	"$2b$",
	"$2x$",
	"$2y$",
	"$5$",
	"$6$",
	"$7$",
	"$y$",
	"$gy$",
	"$apr1$",
	"$argon2d$",
	"$argon2i$",
	"$argon2id$",
	"$scrypt$",
	"$s0$",
	"$pbkdf2$",
	"$pbkdf2-",
	"$sha1$",
	"$md5",
	"$P$",
	"$H$",
	"$S$",
	"$bcrypt-sha256$",
	"$A$005$",
	"$krb5",
	"$DCC2$",
	"$8$",
	"$9$",
	"{SHA}",
	"{SSHA}",
	"{SHA256}",
	"{SSHA256}",
	"{SHA512}",
	"{SSHA512}",
	"{SMD5}",
	"{CRYPT}",
	"{BLF-CRYPT}",
	"{ARGON2}",
	"{ARGON2ID}",
	"{PBKDF2",
	"{bcrypt}",
	"{pbkdf2}",
	"{scrypt}",
	"{argon2}",
	"{SHA512-CRYPT}",
	"{SHA256-CRYPT}",
	"{PLAIN-MD5}",
	"pbkdf2_sha1$",
	"pbkdf2_sha256$",
	"pbkdf2_sha512$",
	"pbkdf2:sha",
	"bcrypt_sha256$",
	"bcrypt$$2",
	"argon2$argon2",
	"scrypt:",
	"scrypt$",
	"md5$",
	"sha1$",
	"sha256$",
	"SCRAM-SHA-1$",
	"SCRAM-SHA-256$",
	"SCRAM-SHA-512$",
	"grub.pbkdf2.sha512.",
};

static bool ends_hash(char c)
{
	return is_space(c) || c == '"' || c == '\'' || c == ';' || c == '`' || c == ')';
}

/* Parameters between the mark and the salt stay: "12$", "rounds=5000$", "v=19$m=65536,t=3,p=4$". */
static size_t skip_parameters(const char *s, size_t at, size_t end)
{
	size_t i;

	for (i = at; i < end; i++) {
		if (s[i] == '$') {
			at = i + 1;
			continue;
		}
		/* letters only as names of parameters */
		if (!is_digit(s[i]) && !memchr(":=,", s[i], 3) &&
		    !(is_lower(s[i]) && memchr(s + i, '=', end - i < 7 ? end - i : 7)))
			break;
	}
	return at;
}

/* Says where to go on. "$6$" in a shell script is followed by anything but twenty characters
 * without a blank. In files of accounts a ':' follows crypt's hashes, which have none.
 */
static size_t judge_at(const char *s, size_t at, size_t len, struct finding *f)
{
	size_t i, from, end;

	if (at + 1 >= len || !is_alnum(s[at + 1]))
		return at + 1;
	for (i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (prefixes[i][0] == s[at] && text_starts(s + at, len - at, prefixes[i]))
			break;
	if (i == sizeof prefixes / sizeof prefixes[0])
		return at + 1;
	from = at + strlen(prefixes[i]);
	if (s[at] == '{' && from < len && s[from] == '$') /* {bcrypt}$2a$... */
		return from;
	for (end = from; end < len && !ends_hash(s[end]) && s[end] != '{'; end++)
		if (s[end] == ':' && s[at] == '$')
			break;
	if (end - from < TAIL_SHORTEST || value_is_dull(s + from, end - from))
		return end;
	from = skip_parameters(s, from, end);
	if (end - from >= TAIL_SHORTEST)
		value_found(f, from, end - from, "env-value:password-hash", why);
	return end;
}

static bool all(const char *s, size_t len, bool (*is)(char))
{
	size_t i;

	for (i = 0; i < len && is(s[i]); i++)
		;
	return i == len;
}

static bool is_upper_hex(char c)
{
	return is_digit(c) || (c >= 'A' && c <= 'F');
}

static bool is_lower_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Two bytes tell most places from those where a prefix could begin. */
static bool may_begin(char first, char second)
{
	switch (first) {
	case '$':
	case '{': return true;
	case 'p': return second == 'b';
	case 'b': return second == 'c';
	case 'a':
	case 'g': return second == 'r';
	case 's': return second == 'c' || second == 'h';
	case 'S': return second == 'C';
	case 'm': return second == 'd';
	default: return false;
	}
}

bool value_hash(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	size_t i;

	for (i = 0; i + 1 < len;)
		if (may_begin(s[i], s[i + 1]) && (!i || (s[i - 1] != '$' && !is_alnum(s[i - 1]))))
			i = judge_at(s, i, len, f);
		else
			i++;

	/* MySQL's "*" and 40 digits, PostgreSQL's "md5" and 32: only as the whole value. */
	if (len == 41 && s[0] == '*' && all(s + 1, 40, is_upper_hex))
		value_found(f, 1, 40, "env-value:password-hash", why);
	if (len == 35 && text_starts(s, len, "md5") && all(s + 3, 32, is_lower_hex))
		value_found(f, 3, 32, "env-value:password-hash", why);
	return f->verdict != before;
}
