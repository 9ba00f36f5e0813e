// SPDX-License-Identifier: Apache-2.0
/* Undoing the encodings in which people hand on secrets. */
#include "value_decode.h"

#include <stdint.h>
#include <string.h>

#include "chars.h"
#include "../base/utf8.h"
#include "../base/banned.h"

// clang-format off
const unsigned char base64_values[256] = {
	['A'] =  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13,
		14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
	['a'] = 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
		40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52,
	['0'] = 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
	['+'] = 63, ['-'] = 63, ['/'] = 64, ['_'] = 64,
};
// clang-format on

size_t decode_base64(const char *s, size_t len, char *out, size_t size)
{
	uint32_t bits = 0;
	unsigned n_bits = 0;
	size_t i, n = 0, chars = 0;
	unsigned v;

	while (len && (s[len - 1] == '=' || is_space(s[len - 1])))
		len--;
	for (i = 0; i < len; i++) {
		v = base64_values[(unsigned char)s[i]];
		if (!v && is_space(s[i]))
			continue;
		if (!v || n == size)
			return 0;
		chars++;
		bits = bits << 6 | (v - 1U);
		n_bits += 6;
		if (n_bits < 8)
			continue;
		n_bits -= 8;
		out[n++] = (char)(bits >> n_bits);
	}
	return chars % 4 == 1 ? 0 : n;
}

size_t decode_percent(const char *s, size_t len, char *out, size_t size)
{
	bool any = false;
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		if (n == size)
			return 0;
		if (s[i] == '%' && i + 2 < len && is_hex(s[i + 1]) && is_hex(s[i + 2])) {
			out[n++] = (char)(hex_value(s[i + 1]) * 16 + hex_value(s[i + 2]));
			i += 2;
			any = true;
		} else {
			out[n++] = s[i];
		}
	}
	return any ? n : 0;
}

size_t decode_hex(const char *s, size_t len, char *out, size_t size)
{
	size_t i;

	if (len % 2 || len / 2 > size)
		return 0;
	for (i = 0; i < len; i += 2) {
		if (!is_hex(s[i]) || !is_hex(s[i + 1]))
			return 0;
		out[i / 2] = (char)(hex_value(s[i]) * 16 + hex_value(s[i + 1]));
	}
	return len / 2;
}

bool is_text(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (((unsigned char)s[i] < 0x20 && !is_space(s[i])) || s[i] == 0x7f)
			return false;
	return utf8_check(s, len) == len;
}

/* One DER element: its tag, and where its content is. */
static bool der(const unsigned char **p, const unsigned char *end, int tag,
		const unsigned char **in)
{
	size_t n, k;

	if (end - *p < 2 || (*p)[0] != tag)
		return false;
	n = (*p)[1];
	*p += 2;
	if (n & 0x80) {
		k = n & 0x7f;
		if (!k || k > 3 || (size_t)(end - *p) < k)
			return false;
		for (n = 0; k; k--)
			n = n << 8 | *(*p)++;
	}
	*in = *p;

	/* The end may be cut off: a few bytes decide. */
	*p = (size_t)(end - *p) < n ? end : *p + n;
	return true;
}

bool is_binary_key(const char *s, size_t len)
{
	enum { SEQUENCE = 0x30, INTEGER = 0x02, OCTETS = 0x04 };
	const unsigned char *p = (const unsigned char *)s, *end = p + len, *in, *number;

	if (text_starts(s, len, "openssh-key-v1") || (len > 4 && !memcmp(s, "\xfe\xed\xfe\xed", 4)))
		return true;
	if (len < 32 || !der(&p, end, SEQUENCE, &in))
		return false;
	p = in;
	if (!der(&p, end, INTEGER, &number) || p - number != 1)
		return false;
	switch (*number) {
	case 0: /* PKCS #8, or RSA: an algorithm or the modulus follows; a CSR has no octets */
		if (der(&p, end, SEQUENCE, &in))
			return p < end && *p == OCTETS;
		return der(&p, end, INTEGER, &in) && p - in > 16;
	case 1: /* EC: the number itself */ return der(&p, end, OCTETS, &in) && p - in >= 20;
	case 3: /* PKCS #12: contents of type "data" */
		return der(&p, end, SEQUENCE, &in) && end - in > 11 &&
		       !memcmp(in, "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07", 10);
	}
	return false;
}
