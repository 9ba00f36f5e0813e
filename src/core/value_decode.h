/* SPDX-License-Identifier: Apache-2.0 */
/* Undoing the encodings in which people hand on secrets. */
#ifndef CORE_VALUE_DECODE_H
#define CORE_VALUE_DECODE_H

#include <stdbool.h>
#include <stddef.h>

/* All of the text, white space aside, in either alphabet of base64, with or without padding. Returns the number of
 * bytes, or 0: it is not base64, or does not fit.
 */
size_t decode_base64(const char *s, size_t len, char *out, size_t size);

/* Of either alphabet, plus one; 0: not in it, as the padding. */
extern const unsigned char base64_values[256];

static inline unsigned base64_bits(char c)
{
	return base64_values[(unsigned char)c] - 1U;
}

static inline bool is_base64(char c)
{
	return base64_values[(unsigned char)c];
}

/* Returns 0 when nothing was encoded, or it does not fit. */
size_t decode_percent(const char *s, size_t len, char *out, size_t size);

/* Hexadecimal digits and nothing else. */
size_t decode_hex(const char *s, size_t len, char *out, size_t size);

/* Well-formed UTF-8 without control characters but line breaks and tabs. */
bool is_text(const char *s, size_t len);

/* A private key, or a store of them, in binary form: DER, OpenSSH, PKCS #12, JKS. */
bool is_binary_key(const char *s, size_t len);

#endif
