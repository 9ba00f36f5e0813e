/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 and HMAC-SHA-256, from nettle. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_SIZE = 32 };

void hash_sha256(const void *data, size_t len, uint8_t out[HASH_SIZE]);
void hash_hmac(const void *key, size_t key_len, const void *data, size_t len,
	       uint8_t out[HASH_SIZE]);

/* Lower-case hexadecimal digits of len bytes and a NUL: out has room for 2 * len + 1. */
void hash_hex(const uint8_t *data, size_t len, char *out);

#endif
