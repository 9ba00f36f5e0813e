// SPDX-License-Identifier: Apache-2.0
/* SHA-256 and HMAC-SHA-256, from nettle. */
#include "hash.h"

#include <string.h>

#include <nettle/hmac.h>
#include <nettle/sha2.h>

#include "banned.h"

void hash_sha256(const void *data, size_t len, uint8_t out[HASH_SIZE])
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, len, data);
	sha256_digest(&ctx, HASH_SIZE, out);
	explicit_bzero(&ctx, sizeof ctx);
}

void hash_hmac(const void *key, size_t key_len, const void *data, size_t len,
	       uint8_t out[HASH_SIZE])
{
	struct hmac_sha256_ctx ctx;

	hmac_sha256_set_key(&ctx, key_len, key);
	hmac_sha256_update(&ctx, len, data);
	hmac_sha256_digest(&ctx, HASH_SIZE, out);
	explicit_bzero(&ctx, sizeof ctx);
}

void hash_hex(const uint8_t *data, size_t len, char *out)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < len; i++) {
		*out++ = digits[data[i] >> 4];
		*out++ = digits[data[i] & 15];
	}
	*out = '\0';
}
