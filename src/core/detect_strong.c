// SPDX-License-Identifier: Apache-2.0
/* Credentials in programs and documents, where most signs of one are only talk of it. */
#include "detect.h"

#include <string.h>

#include "chars.h"
#include "value.h"
#include "value_decode.h"
#include "../base/banned.h"

enum { ENCODED_SHORTEST = 24, ENCODED_MOST = 64 * 1024, PART_OF_IT = 16 };

static bool is_weak(const char *rule)
{
	static const char *const weak[] = { "auth-header",   "command-line", "data-source-name",
					    "jwt",           "named-secret", "netrc",
					    "password-hash", "pgpass",       "url-parameter",
					    "url-token",     "url-userinfo", "webhook-url" };
	const char *kind = strchr(rule, ':') + 1;
	size_t i;

	for (i = 0; i < sizeof weak / sizeof weak[0]; i++)
		if (!strcmp(kind, weak[i]))
			return true;
	return false;
}

static bool is_strong(const struct finding *f)
{
	return f->verdict == VERDICT_CREDENTIAL && !is_weak(f->rule);
}

/* Names of functions are as long, but in one case; and what is no text, nor the beginning of a binary
 * key, is nothing that somebody encoded to hide it.
 */
static bool may_be_encoded(const char *s)
{
	bool lower = false, upper = false;
	char start[PART_OF_IT / 4 * 3];
	size_t i, n;

	for (i = 0; i < ENCODED_SHORTEST; i++) {
		lower |= is_lower(s[i]);
		upper |= is_upper(s[i]);
	}
	if (!lower || !upper)
		return false;
	n = decode_base64(s, PART_OF_IT, start, sizeof start);
	return n && (start[0] == 0x30 || start[0] == (char)0xfe || is_text(start, n));
}

/* The buffer is large, and few texts need it. */
static __attribute__((noinline)) bool look_at_part(const char *s, size_t len, struct finding *f)
{
	char decoded[ENCODED_MOST / 4 * 3];
	size_t n =
		decode_base64(s, len < ENCODED_MOST ? len : ENCODED_MOST, decoded, sizeof decoded);

	if (n && is_text(decoded, n))
		detect_value(decoded, n, f);
	else if (n && is_binary_key(decoded, n))
		value_found(f, 0, len, "env-value:binary-private-key", "a private key, encoded");
	explicit_bzero(decoded, n);
	return is_strong(f);
}

static bool look_at_encoded(const char *s, size_t len, struct finding *f)
{
	size_t i, end;

	for (i = 0; i + ENCODED_SHORTEST <= len; i = end + 1) {
		/* From behind: where it would be too short, most of it need not be looked at. */
		for (end = i + ENCODED_SHORTEST; end > i && is_base64(s[end - 1]); end--)
			;
		if (end > i) {
			end--;
			continue;
		}
		for (end = i + ENCODED_SHORTEST; end < len && is_base64(s[end]); end++)
			;
		if (may_be_encoded(s + i) && look_at_part(s + i, end - i, f))
			return true;
	}
	return false;
}

static bool has_word(const struct value_marks *m, const char *s, size_t len, const char *word)
{
	return value_may_have(m, word) && memmem(s, len, word, strlen(word));
}

/* Families that have strong signs, and a word that each cannot do without; of tokens in three parts
 * only those of PASETO count. Each looks by itself, lest a weak sign of one hides what another finds.
 */
static const struct family {
	const char *word;
	bool (*look)(const char *s, size_t len, struct finding *f);
} families[] = {
	{ "BEGIN ", value_pem },   { "PuTTY", value_pem },    { ".local.", value_jwt },
	{ ".public.", value_jwt }, { ".secret.", value_jwt }, { "://", value_url },
	{ ":", value_lines },
};

enum verdict detect_strong(const char *text, size_t len, struct finding *f)
{
	static const struct finding none = { .verdict = VERDICT_KEEP };
	struct value_marks m;
	size_t i;

	value_look(text, len, &m);
	*f = none;
	if (value_vendor(text, len, &m, f) && is_strong(f))
		return f->verdict;
	for (i = 0; i < sizeof families / sizeof families[0]; i++) {
		*f = none;
		if (has_word(&m, text, len, families[i].word) && families[i].look(text, len, f) &&
		    is_strong(f))
			return f->verdict;
	}
	*f = none;
	if (!look_at_encoded(text, len, f))
		*f = none;
	f->n_secret = 0; /* what was decoded has no place in the text */
	return f->verdict;
}
