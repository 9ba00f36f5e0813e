// SPDX-License-Identifier: Apache-2.0
/* Checksums and inner forms of vendors' tokens. */
#include "value_check.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

uint32_t check_crc32(const char *s, size_t len)
{
	uint32_t crc = 0xffffffff;
	size_t i;
	int bit;

	for (i = 0; i < len; i++) {
		crc ^= (unsigned char)s[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

/* Do the digits end in the number, written in the base of the alphabet's length and padded? */
static bool is_number(const char *digits, size_t len, uint32_t number, const char *alphabet)
{
	uint32_t base = (uint32_t)strlen(alphabet);

	while (len-- > 0) {
		if (digits[len] != alphabet[number % base])
			return false;
		number /= base;
	}
	return number == 0;
}

static const char base62[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
static const char base36[] = "0123456789abcdefghijklmnopqrstuvwxyz";

bool check_github(const char *token, size_t len)
{
	enum { PREFIX = 4, SUM = 6 };
	const char *body = token + PREFIX;

	if (len != PREFIX + 36 && len != PREFIX + 76)
		return true;
	len -= PREFIX + SUM;
	return is_number(body + len, SUM, check_crc32(body, len), base62);
}

bool check_gitlab(const char *token, size_t len)
{
	enum { SUM = 7, TAIL = 13 }; /* ".01." and two digits of length come before the sum */

	if (len <= TAIL || memcmp(token + len - TAIL, ".01.", 4) != 0)
		return true;
	return is_number(token + len - SUM, SUM, check_crc32(token, len - SUM), base36);
}

bool check_grafana(const char *token, size_t len)
{
	enum { BODY = 37 }; /* "glsa_" and 32 */
	uint32_t crc;
	size_t i;

	if (len != BODY + 1 + 8)
		return true;
	crc = check_crc32(token, BODY);
	for (i = 0; i < 8; i++) {
		uint32_t byte = crc >> (8 * (i / 2)) & 0xff;
		uint32_t nibble = i % 2 ? byte & 15 : byte >> 4;

		if (hex_value(token[BODY + 1 + i]) != (int)nibble)
			return false;
	}
	return true;
}

static uint32_t bech32_step(uint32_t sum, uint32_t value)
{
	static const uint32_t generator[] = { 0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd,
					      0x2a1462b3 };
	uint32_t top = sum >> 25;
	int i;

	sum = (sum & 0x1ffffff) << 5 ^ value;
	for (i = 0; i < 5; i++)
		if (top >> i & 1)
			sum ^= generator[i];
	return sum;
}

bool check_age(const char *token, size_t len)
{
	static const char alphabet[] = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
	enum { NAME = 15 }; /* "AGE-SECRET-KEY-", then the separating 1 */
	uint32_t sum = 1;
	size_t i;

	if (len != NAME + 1 + 58)
		return true;
	for (i = 0; i < NAME; i++)
		sum = bech32_step(sum, (uint32_t)to_lower(token[i]) >> 5);
	sum = bech32_step(sum, 0);
	for (i = 0; i < NAME; i++)
		sum = bech32_step(sum, (uint32_t)to_lower(token[i]) & 31);
	for (i = NAME + 1; i < len; i++) {
		const char *at = strchr(alphabet, to_lower(token[i]));

		if (!at || !*at)
			return false;
		sum = bech32_step(sum, (uint32_t)(at - alphabet));
	}
	return sum == 1;
}

static int base64_value(char c)
{
	if (is_upper(c))
		return c - 'A';
	if (is_lower(c))
		return c - 'a' + 26;
	if (is_digit(c))
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	if (c == '/' || c == '_')
		return 63;
	return -1;
}

/* The byte at index i of what the base64 text stands for; -1 past its end. */
static int base64_byte(const char *s, size_t len, size_t i)
{
	size_t at = i / 3 * 4 + i % 3;
	int high, low;

	if (at + 1 >= len)
		return -1;
	high = base64_value(s[at]);
	low = base64_value(s[at + 1]);
	if (high < 0 || low < 0)
		return -1;
	switch (i % 3) {
	case 0: return high << 2 | low >> 4;
	case 1: return (high & 15) << 4 | low >> 2;
	default: return (high & 3) << 6 | low;
	}
}

bool check_mixed(const char *token, size_t len)
{
	bool has_upper = false, has_lower = false, has_digit = false;
	size_t i;

	for (i = 0; i < len; i++) {
		has_upper |= is_upper(token[i]);
		has_lower |= is_lower(token[i]);
		has_digit |= is_digit(token[i]);
	}
	return has_upper && has_lower && has_digit;
}

bool check_letters(const char *token, size_t len)
{
	bool has_upper = false, has_lower = false;
	size_t i;

	for (i = 0; i < len; i++) {
		has_upper |= is_upper(token[i]);
		has_lower |= is_lower(token[i]);
	}
	return has_upper && has_lower;
}

bool check_digits(const char *token, size_t len)
{
	size_t i, digits = 0;

	for (i = 0; i < len; i++)
		digits += is_digit(token[i]);
	return digits >= 1;
}

bool check_discord(const char *token, size_t len)
{
	const char *dot = memchr(token, '.', len);
	size_t i, digits;

	if (!dot)
		return false;
	len = (size_t)(dot - token);
	digits = len * 3 / 4;
	for (i = 0; i < digits; i++)
		if (!is_digit((char)base64_byte(token, len, i)))
			return false;
	return digits >= 17 && digits <= 20;
}

bool check_base64_json(const char *token, size_t len)
{
	enum { START = 6, LENGTH = 32 }; /* after {"x":" */
	size_t i;

	for (i = START; i < START + LENGTH; i++)
		if (!is_alnum((char)base64_byte(token, len, i)))
			return false;
	return true;
}

static bool is_base64_text(const char *s, size_t len)
{
	size_t i, bytes = len / 4 * 3;
	int c;

	for (i = 0; i < bytes; i++) {
		c = base64_byte(s, len, i);
		if (c != '\n' && (c < ' ' || c > '~'))
			return false;
	}
	return true;
}

/* Letters in runs of three or more small ones, as words have them. */
static size_t count_in_words(const char *s, size_t len)
{
	size_t i, run = 0, n = 0;

	for (i = 0; i < len; i++) {
		run = is_lower(s[i]) ? run + 1 : 0;
		n += run == 3 ? 3 : run > 3;
	}
	return n;
}

/* Amazon's secrets have no mark. Of 40 characters by chance, 16 are capitals, 16 small letters,
 * 6 digits, and the kind changes 25 times; paths and encoded texts are far from that. Names in
 * the manner of C++ are nearer, but have words and no signs.
 */
bool check_aws_secret(const char *token, size_t len)
{
	size_t upper = 0, lower = 0, digits = 0, slashes = 0, changes = 0, signs = 0, i;
	char kind, last = 0;

	for (i = 0; i < len; i++) {
		kind = is_upper(token[i]) ? 'A' : is_lower(token[i]) ? 'a' : '0';
		upper += kind == 'A';
		lower += kind == 'a';
		digits += is_digit(token[i]);
		slashes += token[i] == '/';
		signs += !is_alnum(token[i]);
		changes += i > 0 && kind != last;
		last = kind;
	}
	return len == 40 && upper >= 6 && lower >= 6 && digits >= 1 && digits <= 16 &&
	       slashes <= 5 && changes >= 16 &&
	       count_in_words(token, len) < (signs > 0 ? 20 : 14) && !is_base64_text(token, len);
}

/* The checksum of NATS keys and Stellar's: CRC-16 of what precedes it, least byte first. */
bool check_nkey(const char *token, size_t len)
{
	unsigned char bytes[48];
	unsigned bits = 0, n_bits = 0, crc = 0, k;
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		bits = bits << 5 |
		       (unsigned)(is_digit(token[i]) ? token[i] - '2' + 26 : token[i] - 'A');
		n_bits += 5;
		if (n_bits < 8 || n == sizeof bytes)
			continue;
		n_bits -= 8;
		bytes[n++] = (unsigned char)(bits >> n_bits);
	}
	if (n < 3 || bits & ((1U << n_bits) - 1)) /* what is left over is zero */
		return false;
	for (i = 0; i < n - 2; i++) {
		crc ^= (unsigned)bytes[i] << 8;
		for (k = 0; k < 8; k++)
			crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
	}
	return (crc & 0xffff) == (bytes[n - 2] | (unsigned)bytes[n - 1] << 8);
}
