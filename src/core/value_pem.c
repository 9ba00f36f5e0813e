// SPDX-License-Identifier: Apache-2.0
/* Private keys as text: PEM, OpenSSH, PGP, PuTTY; with line breaks or with "\n" for them. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { LABEL_LONGEST = 64, BODY_SHORTEST = 32 };

static const char *find(const char *s, size_t len, const char *word)
{
	return len ? memmem(s, len, word, strlen(word)) : NULL;
}

/* Dots, names and words in angle brackets are how people write "here goes the key". */
static bool holds_key(const char *body, size_t len)
{
	size_t i, n = 0;

	for (i = 0; i < len; i++)
		n += is_alnum(body[i]) || body[i] == '+' || body[i] == '/';
	return n >= BODY_SHORTEST && !memchr(body, '<', len) && !memchr(body, '$', len) &&
	       !memchr(body, '_', len < 64 ? len : 64) && !find(body, len, "...");
}

/* Certificates, requests, parameters and encrypted messages have labels without these. */
static bool is_private_label(const char *label, size_t len)
{
	return find(label, len, "PRIVATE") || find(label, len, "OpenVPN Static key") ||
	       find(label, len, "OpenVPN tls-crypt-v2 client key");
}

static size_t skip_breaks(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && (is_space(s[i]) || s[i] == '-' ||
			   (s[i] == '\\' && i + 1 < len && strchr("nr", s[i + 1]))))
		i += s[i] == '\\' ? 2 : 1;
	return i;
}

/* From behind "BEGIN " to where the search goes on. */
static size_t judge_block(const char *s, size_t from, size_t len, struct finding *f)
{
	size_t left = len - from, label, body, end;
	const char *stop = find(s + from, left < LABEL_LONGEST ? left : LABEL_LONGEST, "--");
	const char *last;

	if (!stop)
		return from;
	label = (size_t)(stop - s) - from;
	body = from + label;
	if (!is_private_label(s + from, label))
		return body;
	body += skip_breaks(s + body, len - body);
	last = find(s + body, len - body, "--");
	end = last ? (size_t)(last - s) : len;
	if (holds_key(s + body, end - body))
		value_found(f, body, end - body, "env-value:pem-private-key",
			    "a private key as text");
	return end;
}

static bool find_putty(const char *s, size_t len, struct finding *f)
{
	const char *lines = find(s, len, "Private-Lines:"), *body, *end;

	if (!lines || !find(s, len, "PuTTY-User-Key-File"))
		return false;
	body = memchr(lines, '\n', len - (size_t)(lines - s));
	if (!body)
		return false;
	body++;
	end = find(body, len - (size_t)(body - s), "Private-MAC:");
	if (!end)
		end = s + len;
	if (!holds_key(body, (size_t)(end - body)))
		return false;
	value_found(f, (size_t)(body - s), (size_t)(end - body), "env-value:putty-private-key",
		    "a private key of PuTTY");
	return true;
}

bool value_pem(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	const char *hit;
	size_t at = 0;

	while ((hit = find(s + at, len - at, "BEGIN "))) {
		at = (size_t)(hit - s) + 6;
		if (hit > s &&
		    (hit[-1] == '-' || (hit[-1] == ' ' && hit > s + 1 && hit[-2] == '-')))
			at = judge_block(s, at, len, f);
	}
	return find_putty(s, len, f) || f->verdict != before;
}
