// SPDX-License-Identifier: Apache-2.0
/* Names that stand beside values inside a text, and whether a value may be what its name says. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

/* INSPECTED: of a value so much is looked at; a text that nests pairs in pairs must not make us
 * look at its end again and again.
 */
enum {
	KEY_LONGEST = 96,
	PASSWORD_SHORTEST = 3,
	TOKEN_SHORTEST = 8,
	RANDOM_KEY = 16,
	RANDOM_INSPECTED = 64,
	INSPECTED = 256
};

static bool is_one_of(const char *s, size_t len, const char *const *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (text_is_nocase(s, len, words[i]))
			return true;
	return false;
}
#define IS_ONE_OF(s, len, words) is_one_of((s), (len), (words), sizeof(words) / sizeof((words)[0]))

/* Keys of formats that name their secret in a way that no variable would; sorted. */
static bool is_format_key(const char *key, size_t len)
{
	enum { LONGEST = 26 };
	// clang-format off
	static const char keys[][LONGEST + 1] = {
		"_auth", "_authtoken", "_password", "access-token", "access_token", "accesskey",
		"accountkey", "api-key", "api_key", "apikey", "asp.net_sessionid", "auth",
		"authorization", "client-key-data", "clientsecret", "community", "connect.sid",
		"dd-api-key", "encrypt", "encryptedpassword", "gossip_key", "id-token", "id_token",
		"identitytoken", "job-token", "jsessionid", "laravel_session",
		"lightstep-access-token", "masterauth", "ocp-apim-subscription-key", "phpsessid",
		"presharedkey", "private-token", "private_key", "privatekey", "proxy-authorization",
		"psk", "refresh-token", "refresh_token", "registrytoken", "secret", "secretkey",
		"sessionid", "sharedaccesskey", "sharedaccesssignature", "sharedsecret",
		"signoz-access-token", "sonar.login", "subscription-key", "uptrace-dsn", "x-amz-security-token",
		"x-api-key", "x-auth-token", "x-functions-key", "x-honeycomb-team",
		"x-scope-orgkey", "x-vault-token",
	};
	// clang-format on
	size_t low = 0, high = sizeof keys / sizeof keys[0], i;
	char lower[LONGEST + 1] = "";

	if (len > LONGEST)
		return false;
	for (i = 0; i < len; i++)
		lower[i] = to_lower(key[i]);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int c = strcmp(lower, keys[middle]);

		if (!c)
			return true;
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

bool value_key_is_password(const char *key, size_t len)
{
	/* By how they end, because most names are done with there. */
	static const struct {
		char last, before;
		const char *word;
	} words[] = {
		{ 's', 's', "pass" },       { 'd', 'w', "passwd" },   { 'd', 'r', "password" },
		{ 'd', 'w', "pwd" },        { 't', 'r', "passwort" }, { 'e', 'd', "passcode" },
		{ 'e', 's', "passphrase" }, { 'w', 'p', "bindpw" },   { 'w', 'p', "rootpw" },
		{ 'w', 'p', "userpw" },     { 't', 'r', "kennwort" },
	};
	char last, before;
	size_t i;

	if (len < 3)
		return false;
	last = to_lower(key[len - 1]);
	before = to_lower(key[len - 2]);
	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i].last == last && words[i].before == before &&
		    text_ends_nocase(key, len, words[i].word))
			return true;
	return false;
}

/* Applications report by an instrumentation key, lists go on by a token of a page, and "key" is the
 * key of anything; licences are MIT more often than codes.
 */
static bool is_public_key(const char *key, size_t len)
{
	static const char *const ends[] = {
		"pagetoken",  "page_token",        "nexttoken",
		"next_token", "continuationtoken", "continuation_token"
	};
	size_t i;

	if (text_is_nocase(key, len, "instrumentationkey") || text_is_nocase(key, len, "key") ||
	    text_is_nocase(key, len, "license") || text_starts_nocase(key, len, "recv-key"))
		return true;
	for (i = 0; to_lower(key[len - 1]) == 'n' && i < sizeof ends / sizeof ends[0]; i++)
		if (text_ends_nocase(key, len, ends[i]))
			return true;
	return false;
}

/* Names of variables are judged by the same rules here; what holds a URL is judged as a URL. */
enum value_key value_key(const char *key, size_t len)
{
	struct finding f;

	/* java -Dname=value, gradle -Pname=value */
	if (len > 3 && *key == '-' && (key[1] == 'D' || key[1] == 'P')) {
		key += 2;
		len -= 2;
	}
	while (len && (*key == '-' || *key == '.')) {
		key++;
		len--;
	}
	/* Base64 before its padding has the form of a key and ends in any word. */
	if (len < 2 || len > KEY_LONGEST || (len >= RANDOM_KEY && value_is_random(key, len)))
		return VALUE_KEY_NONE;
	if (text_is_nocase(key, len, "pass") || text_is_nocase(key, len, "pwd"))
		return VALUE_KEY_PASSWORD;
	if (is_format_key(key, len))
		return VALUE_KEY_TOKEN;
	if (is_public_key(key, len))
		return VALUE_KEY_NONE;
	if (detect_name(key, len, &f) != VERDICT_CREDENTIAL ||
	    !strcmp(f.rule, "env-name:connection-url"))
		return VALUE_KEY_NONE;
	return value_key_is_password(key, len) ? VALUE_KEY_PASSWORD : VALUE_KEY_TOKEN;
}

/* How often the kind of character changes within the words of a text: hardly ever in names that people
 * give ("my-app2", "RootManageKey"), every other time in what a machine made up.
 */
bool value_is_random(const char *s, size_t len)
{
	enum { LETTER = CHAR_UPPER | CHAR_LOWER, ALNUM = LETTER | CHAR_DIGIT };
	size_t i, changes = 0, chars = 0, digits = 0, letters = 0, capitals = 0;
	int class, last = 0; /* of a byte, and the one before; 0: neither letter nor digit */

	if (len > RANDOM_INSPECTED)
		len = RANDOM_INSPECTED;
	for (i = 0; i < len; i++, last = class) {
		class = char_classes[(unsigned char)s[i]] & ALNUM;
		chars += class != 0;
		digits += class == CHAR_DIGIT;
		capitals += class == CHAR_UPPER && last == CHAR_UPPER;
		/* not from a capital to a small letter, which is how names begin */
		changes += class && last && class != last &&
			   !(class == CHAR_LOWER && last == CHAR_UPPER);
	}
	letters = chars - digits;
	if (chars < TOKEN_SHORTEST || chars * 5 < len * 3)
		return false;
	/* "getKeyOf2Things" has few digits and no two capitals in a row; letters alone need more */
	if (!letters || (digits < 2 && !capitals && changes * 3 < chars))
		return false;
	if (!digits)
		return chars >= 16 && changes * 6 >= chars && capitals * 10 >= chars;
	return changes >= 3 && (changes * 6 >= chars || (chars >= 20 && changes * 9 >= chars));
}

static bool is_number(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len && is_digit(s[i]); i++)
		;
	return i == len;
}

/* "1.2.3", "^7.1.0", ">=2", "~> 1.0" */
static bool is_version(const char *s, size_t len)
{
	size_t i = 0, from;
	bool has_dot = false;

	while (i < len && memchr("^~<>=v ", s[i], 7))
		i++;
	for (from = i; i < len && (is_digit(s[i]) || s[i] == '.'); i++)
		has_dot |= s[i] == '.';
	return i == len && i > from && (has_dot || from);
}

/* What settings about a secret are set to. */
static bool is_setting(const char *s, size_t len)
{
	// clang-format off
	static const char *const words[] = {
		"true", "false", "yes", "no", "on", "off", "none", "null", "nil", "auto", "ask", "enabled",
		"disabled", "required", "optional", "prompt", "interactive", "stdin", "undefined",
		"string", "str", "bytes", "bool", "any", "object", "integrated", "empty", "unset", "hidden", "redacted", "masked",
	};
	// clang-format on

	return len <= 12 && IS_ONE_OF(s, len, words);
}

/* "/run/secrets/x" and "C:\\keys", but not base64 that happens to begin with a slash. */
static bool is_path(const char *s, size_t len)
{
	if (len > 3 && is_alpha(s[0]) && s[1] == ':' && (s[2] == '\\' || s[2] == '/'))
		return true;
	return s[0] == '/' && (!value_is_random(s, len) || memchr(s + 1, '.', len - 1));
}

/* What a label, a message or a manual says about passwords: blanks between words of letters. */
static bool is_prose(const char *s, size_t len)
{
	// clang-format off
	static const char *const words[] = {
		"and", "are", "be", "can", "cannot", "enter", "expired", "field", "for", "forgot", "have", "in",
		"incorrect", "invalid", "is", "least", "missing", "must", "new", "not", "of", "or", "password",
		"please", "required", "reset", "should", "the", "this", "to", "too", "wrong", "your",
	};
	// clang-format on
	size_t i, from = 0, n = 0, known = 0;

	for (i = 0; i <= len; i++) {
		if (i < len && is_alpha(s[i]))
			continue;
		if (i > from) {
			n++;
			known += i - from <= 9 && IS_ONE_OF(s + from, i - from, words);
		}
		from = i + 1;
	}
	return n > 1 && known && memchr(s, ' ', len);
}

/* Code that gets the secret: process.env.X, var.db_password, getenv("X"), !Ref X. */
static bool is_code(const char *s, size_t len)
{
	// clang-format off
	static const char *const roots[] = {
		"args", "config", "context", "ctx", "data", "each", "env", "environ", "form", "github", "input",
		"inputs", "local", "module", "needs", "opts", "options", "os", "params", "process", "props",
		"random_password", "req", "request", "secrets", "self", "settings", "steps", "system", "this",
		"values", "var", "vars",
	};
	// clang-format on
	size_t i = 0, from = 0, root;

	if (s[0] == '!' && len > 2) {
		for (i = 1; i < len && is_alpha(s[i]); i++)
			;
		return i == len;
	}
	if (text_is(s, len, "new") || text_is(s, len, "await") || s[len - 1] == '(')
		return true;
	while (i < len && (is_alpha(s[i]) || s[i] == '_'))
		i++;
	root = i;
	while (i + 1 < len && (s[i] == '.' || s[i] == ':' || s[i] == '-')) {
		from = i + 1 + (s[i + 1] == ':' || s[i + 1] == '>'); /* a.b, a::b, a->b */
		for (i = from; i < len && (is_alpha(s[i]) || s[i] == '_'); i++)
			;
	}
	if (!root)
		return false;
	if (i < len)
		return s[i] == '(' || s[i] == '[';
	return from && (IS_ONE_OF(s, root, roots) || value_key(s + from, len - from));
}

bool value_fits(enum value_key key, const char *s, size_t len, bool is_quoted)
{
	bool is_password = key == VALUE_KEY_PASSWORD;

	if (len > INSPECTED)
		len = INSPECTED;
	if (len < (is_password ? PASSWORD_SHORTEST : TOKEN_SHORTEST) || value_is_template(s, len) ||
	    value_is_reference(s, len) || is_setting(s, len) || is_path(s, len) ||
	    memmem(s, len, "://", 3) || (!is_quoted && is_code(s, len)))
		return false;
	if (is_version(s, len))
		return false;
	if (is_number(s, len))
		return is_password && len > 3;
	if (!is_password && (text_starts(s, len, "sha256:") || text_starts(s, len, "sha512:")))
		return false; /* --discovery-token-ca-cert-hash */
	if (is_password)
		return !is_prose(s, len);
	return !memchr(s, ' ', len) && value_is_random(s, len) && !value_is_placeholder(s, len);
}
