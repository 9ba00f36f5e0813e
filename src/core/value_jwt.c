// SPDX-License-Identifier: Apache-2.0
/* Tokens that say what they are in their first part: JWT, JWE, PASETO. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "value_decode.h"
#include "../base/banned.h"

enum { HEADER_LONGEST = 4096 };

static bool is_token_char(char c)
{
	return is_alnum(c) || c == '-' || c == '_' || c == '.' || c == '=' || c == '+' || c == '/';
}

static bool is_header(const char *s, size_t len)
{
	char text[HEADER_LONGEST * 3 / 4 + 4];
	size_t n;

	n = len <= HEADER_LONGEST ? decode_base64(s, len, text, sizeof text) : 0;
	return n > 2 && text[0] == '{' && is_text(text, n) &&
	       (memmem(text, n, "\"alg\"", 5) || memmem(text, n, "\"typ\"", 5));
}

/* The header stays in a stand-in: it tells the algorithm and nothing else. */
static void judge_token(const char *s, size_t from, size_t end, struct finding *f)
{
	const char *dot = memchr(s + from, '.', end - from);
	size_t payload;

	if (!dot)
		return;
	payload = (size_t)(dot - s) + 1;
	if (end - payload < 20 || !memchr(dot + 1, '.', end - payload) ||
	    !is_header(s + from, payload - 1 - from))
		return;
	value_found(f, payload, end - payload, "env-value:jwt", "a JSON web token");
}

/* v4.local.<payload>, v2.public.<payload>.<footer> */
static bool is_paseto(const char *s, size_t len)
{
	return len > 48 && s[0] == 'v' && is_digit(s[1]) && s[2] == '.';
}

static void judge_paseto(const char *s, size_t from, size_t end, struct finding *f)
{
	static const char *const purposes[] = { "local.", "public.", "secret." };
	size_t i, body;

	for (i = 0; i < 3; i++) {
		body = from + 3 + strlen(purposes[i]);
		if (text_starts(s + from + 3, end - from - 3, purposes[i]))
			value_found(f, body, end - body, "env-value:paseto", "a PASETO token");
	}
}

bool value_jwt(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	size_t i, end;

	for (i = 0; i < len; i = end + 1) {
		for (end = i; end < len && is_token_char(s[end]); end++)
			;
		if (end - i < 36)
			continue;
		/* "token=eyJ..." and "a/eyJ...": the token begins behind the sign */
		while (i < end && !text_starts(s + i, end - i, "eyJ") &&
		       !is_paseto(s + i, end - i)) {
			while (i < end && s[i] != '=' && s[i] != '/')
				i++;
			i++;
		}
		if (i >= end)
			continue;
		if (s[i] == 'e')
			judge_token(s, i, end, f);
		else
			judge_paseto(s, i, end, f);
	}
	return f->verdict != before;
}
