// SPDX-License-Identifier: Apache-2.0
/* Is this value a credential, whatever the name it has? */
#include "detect.h"

#include <string.h>

#include "chars.h"
#include "value.h"
#include "value_decode.h"
#include "../base/banned.h"

enum { SHORTEST = 6, ENCODED_SHORTEST = 16, DECODED_MOST = 48 * 1024, DEPTH_MOST = 2 };

/* Which bytes occur: most values have none of the marks that a family needs. */
struct marks {
	bool has[256];
	size_t tokens; /* bytes that are letters, digits or of an encoding */
};

static void look(const char *s, size_t len, struct marks *m)
{
	size_t i;

	memset(m, 0, sizeof *m);
	for (i = 0; i < len; i++) {
		m->has[(unsigned char)s[i]] = true;
		m->tokens += is_alnum(s[i]);
	}
}

static bool has(const struct marks *m, char c)
{
	return m->has[(unsigned char)c];
}

/* The order decides whose rule is named when several match: the most telling first. */
static bool look_for_all(const char *s, size_t len, const struct marks *m, struct finding *f)
{
	if (has(m, '-') && has(m, ' '))
		value_pem(s, len, f);
	if (has(m, '.'))
		value_jwt(s, len, f);
	value_vendor(s, len, f);
	if (has(m, '/') && has(m, ':'))
		value_url(s, len, f);
	if (has(m, '$') || has(m, '{') || has(m, '*') || has(m, ':') || len == 35)
		value_hash(s, len, f);
	if (has(m, ' '))
		value_header(s, len, f);
	if (has(m, '=') || has(m, ':') || has(m, ','))
		value_pairs(s, len, f);
	if (has(m, '<') && has(m, '>'))
		value_xml(s, len, f);
	if (has(m, ' '))
		value_words(s, len, f);
	if (has(m, ' '))
		value_command(s, len, f);
	if (has(m, ':') || has(m, ' ') || has(m, '@'))
		value_lines(s, len, f);
	return f->verdict == VERDICT_CREDENTIAL;
}

static bool look_into(const char *s, size_t len, int depth, struct finding *f);

/* What was decoded has no place of its own in the value: all of it counts. */
static bool look_at_decoded(const char *s, size_t len, int depth, struct finding *f)
{
	bool hit = false;

	if (len < SHORTEST)
		return false;
	if (is_text(s, len)) {
		hit = look_into(s, len, depth + 1, f);
	} else if (is_binary_key(s, len)) {
		value_found(f, 0, len, "env-value:binary-private-key", "a private key, encoded");
		hit = true;
	}
	f->n_secret = 0;
	return hit;
}

static bool look_into(const char *s, size_t len, int depth, struct finding *f)
{
	char decoded[DECODED_MOST];
	struct marks m;
	size_t n = 0;
	bool hit;

	look(s, len, &m);
	if (look_for_all(s, len, &m, f))
		return true;
	if (depth == DEPTH_MOST || len < ENCODED_SHORTEST)
		return false;
	if (has(&m, '%'))
		n = decode_percent(s, len, decoded, sizeof decoded);
	if (!n && m.tokens * 8 >= len * 7) {
		n = decode_hex(s, len, decoded, sizeof decoded);
		if (!n || !is_text(decoded, n))
			n = decode_base64(s, len, decoded, sizeof decoded);
	}
	hit = n && look_at_decoded(decoded, n, depth, f);
	explicit_bzero(decoded, n);
	return hit;
}

enum verdict detect_value(const char *value, size_t len, struct finding *f)
{
	*f = (struct finding){ .verdict = VERDICT_KEEP };
	if (len >= SHORTEST)
		look_into(value, len, 0, f);
	return f->verdict;
}
