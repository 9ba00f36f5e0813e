// SPDX-License-Identifier: Apache-2.0
/* Is this value a credential, whatever the name it has? */
#include "detect.h"

#include <string.h>

#include "chars.h"
#include "value.h"
#include "value_decode.h"
#include "../base/utf8.h"
#include "../base/banned.h"

enum {
	SHORTEST = 6,
	ENCODED_SHORTEST = 16,
	ENCODED_MOST = 64 * 1024,
	DECODED_MOST = ENCODED_MOST / 4 * 3,
	PART_SHORTEST = 24,
	WORD_LONGEST = 24, /* no mark within a word makes a token of one so short */
	DEPTH_MOST = 2,
	UTF8_LONGEST = 4, /* bytes of a character */
};

static bool has(const struct value_marks *m, char c)
{
	return value_has(m, c);
}

static bool has_all(const struct value_marks *m, const char *chars)
{
	while (*chars && has(m, *chars))
		chars++;
	return !*chars;
}

static bool has_any(const struct value_marks *m, const char *chars)
{
	while (*chars && !has(m, *chars))
		chars++;
	return *chars;
}

static bool has_word(const struct value_marks *m, const char *s, size_t len, const char *word)
{
	return value_may_have(m, word) && memmem(s, len, word, strlen(word));
}

/* The order decides whose rule is named when several match: the most telling first. What a family
 * cannot do without is asked for before it looks.
 */
static bool look_for_all(const char *s, size_t len, const struct value_marks *m, struct finding *f)
{
	if (has_all(m, "- ") && (value_may_have(m, "BEGIN ") || value_may_have(m, "PuTTY")))
		value_pem(s, len, f);
	if (has_word(m, s, len, "eyJ") || has_word(m, s, len, ".local.") ||
	    has_word(m, s, len, ".public.") || has_word(m, s, len, ".secret."))
		value_jwt(s, len, f);
	value_vendor(s, len, m, f);
	if (has_all(m, "/:"))
		value_url(s, len, f);
	if (has(m, '$') || has(m, '{') || has(m, '*') || len == 35 ||
	    has_word(m, s, len, "pbkdf2") || has_word(m, s, len, "scrypt:"))
		value_hash(s, len, f);
	if (has(m, ' '))
		value_header(s, len, f);
	if (has(m, '=') || has(m, ':') || has(m, ','))
		value_pairs(s, len, f);
	if (has_all(m, "</>"))
		value_xml(s, len, f);
	if (has(m, ' '))
		value_words(s, len, f);
	if (has(m, ' ') && (has(m, '-') || has(m, '/') || has(m, '|')))
		value_command(s, len, f);
	if (has(m, ':') || has(m, ' ') || has(m, '@'))
		value_lines(s, len, f);
	return f->verdict == VERDICT_CREDENTIAL;
}

static bool look_into(const char *s, size_t len, int depth, struct finding *f);

/* What was decoded has no place of its own in the value: the part [off, off + encoded) counts. */
static bool look_at_decoded(const char *s, size_t len, int depth, struct span encoded,
			    struct finding *f)
{
	struct finding in = { .verdict = VERDICT_KEEP };

	if (len < SHORTEST)
		return false;
	if (is_text(s, len))
		look_into(s, len, depth + 1, &in);
	else if (is_binary_key(s, len))
		value_found(&in, 0, len, "env-value:binary-private-key", "a private key, encoded");
	if (in.verdict == VERDICT_KEEP)
		return false;
	value_found(f, encoded.off, encoded.len, in.rule, in.why);
	return true;
}

/* Does it hide anything? The '/' of a path, encoded in a parameter, does not. */
static bool has_telling_percent(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i + 2 < len; i++) {
		if (s[i] != '%' || !is_hex(s[i + 1]) || !is_hex(s[i + 2]))
			continue;
		if (!memchr("/,+&", hex_value(s[i + 1]) * 16 + hex_value(s[i + 2]), 4) ||
		    (i && s[i - 1] == ':'))
			return true;
	}
	return false;
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 && !is_space(c);
}

/* The first bytes tell most of what only looks like base64: they are neither text nor a key. */
static bool starts_well(const char *s)
{
	char start[12];
	size_t i, n = decode_base64(s, 16, start, sizeof start);

	if (!n || start[0] == 0x30 || start[0] == (char)0xfe)
		return n > 0;
	for (i = 0; i < n; i++)
		if (is_control(start[i]))
			return false;
	return n - utf8_check(start, n) < UTF8_LONGEST; /* the last one may be cut */
}

/* The same, but most are done with by a group of four, and few have a blank among them. */
static bool may_decode(const char *s)
{
	unsigned bits;
	char a, b, c;
	size_t i;

	for (i = 0; i < 16; i += 4) {
		if (!is_base64(s[i]) || !is_base64(s[i + 1]) || !is_base64(s[i + 2]) ||
		    !is_base64(s[i + 3]))
			break;
		bits = base64_bits(s[i]) << 18 | base64_bits(s[i + 1]) << 12 |
		       base64_bits(s[i + 2]) << 6 | base64_bits(s[i + 3]);
		a = (char)(bits >> 16);
		b = (char)(bits >> 8);
		c = (char)bits;
		if (i == 0 && (a == 0x30 || a == (char)0xfe))
			break;
		if (is_control(a) || is_control(b) || is_control(c))
			return false;
		/* no UTF-8: behind ASCII a character begins */
		if ((unsigned char)a < 0x80 &&
		    ((unsigned char)b >> 6 == 2 || (unsigned char)b >= 0xf5))
			return false;
	}
	return starts_well(s);
}

static bool may_be_hex(const char *s)
{
	int i;

	for (i = 0; i < ENCODED_SHORTEST && is_hex(s[i]); i++)
		;
	return i == ENCODED_SHORTEST;
}

/* The whole value in one encoding. Of very long ones the beginning tells. The buffer is large: to
 * have it in the way of every value would cost more than the looking.
 */
static __attribute__((noinline)) bool look_at_whole(const char *s, size_t len, bool is_percent,
						    int depth, struct finding *f)
{
	const struct span whole = { 0, len };
	char decoded[DECODED_MOST];
	size_t n = 0;
	bool hit;

	if (len > ENCODED_MOST)
		len = ENCODED_MOST;
	if (is_percent)
		n = decode_percent(s, len < DECODED_MOST ? len : DECODED_MOST, decoded,
				   sizeof decoded);
	if (!n && may_be_hex(s))
		n = decode_hex(s, len, decoded, sizeof decoded);
	if (!n || !is_text(decoded, n))
		n = decode_base64(s, len, decoded, sizeof decoded);
	hit = n && look_at_decoded(decoded, n, depth, whole, f);
	explicit_bzero(decoded, n);
	return hit;
}

static bool look_at_encoded(const char *s, size_t len, const struct value_marks *m, int depth,
			    struct finding *f)
{
	bool is_percent = has(m, '%') && has_telling_percent(s, len);
	bool is_other = has(m, ' ') || (len <= ENCODED_MOST && has_any(m, ":.,&?@\"{"));

	if (!is_percent && (is_other || (!may_be_hex(s) && !may_decode(s))))
		return false;
	return look_at_whole(s, len, is_percent, depth, f);
}

static __attribute__((noinline)) bool look_at_part(const char *s, struct span part, int depth,
						   struct finding *f)
{
	char decoded[DECODED_MOST];
	size_t n = decode_base64(s + part.off, part.len, decoded, sizeof decoded);
	bool hit = n && look_at_decoded(decoded, n, depth, part, f);

	explicit_bzero(decoded, n);
	return hit;
}

/* Parts of a text in base64: the data of a Kubernetes secret, a file in a field of JSON. */
static bool look_at_parts(const char *s, size_t len, int depth, struct finding *f)
{
	bool hit = false;
	size_t i, end;

	for (i = 0; i + PART_SHORTEST <= len; i = end + 1) {
		/* From behind: where a part would be too short, most of it need not be looked at. */
		for (end = i + PART_SHORTEST; end > i && is_base64(s[end - 1]); end--)
			;
		if (end > i) {
			end--;
			continue;
		}
		for (end = i + PART_SHORTEST; end < len && is_base64(s[end]); end++)
			;
		if (end - i <= ENCODED_MOST && (i || end < len) && may_decode(s + i))
			hit |= look_at_part(s, (struct span){ i, end - i }, depth, f);
	}
	return hit;
}

/* Letters, digits and '_' alone, as names have: no family but that of vendors takes an interest. */
static bool is_short_word(const char *s, size_t len)
{
	size_t i;

	if (len > WORD_LONGEST)
		return false;
	for (i = 0; i < len && (is_alnum(s[i]) || s[i] == '_'); i++)
		;
	return i == len;
}

static bool look_into(const char *s, size_t len, int depth, struct finding *f)
{
	static const struct value_marks none;
	struct value_marks marks;
	const struct value_marks *m = &none;

	if (!is_short_word(s, len)) {
		value_look(s, len, &marks);
		m = &marks;
	}
	if (look_for_all(s, len, m, f))
		return true;
	if (depth == DEPTH_MOST || len < ENCODED_SHORTEST)
		return false;
	if (look_at_encoded(s, len, m, depth, f)) {
		f->n_secret = 0;
		return true;
	}
	return look_at_parts(s, len, depth, f);
}

enum verdict detect_value(const char *value, size_t len, struct finding *f)
{
	*f = (struct finding){ .verdict = VERDICT_KEEP };
	if (len >= SHORTEST)
		look_into(value, len, 0, f);
	return f->verdict;
}
