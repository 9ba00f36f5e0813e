// SPDX-License-Identifier: Apache-2.0
/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing past U+10FFFF. */
#include "utf8.h"

#include "banned.h"

size_t utf8_char(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	size_t need, i;

	if (!len)
		return 0;
	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	need = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (len < need)
		return 0;

	/* The second byte's range is what rules out overlong forms, surrogates and the end. */
	switch (s[0]) {
	case 0xe0: low = 0xa0; break;
	case 0xed: high = 0x9f; break;
	case 0xf0: low = 0x90; break;
	case 0xf4: high = 0x8f; break;
	}
	if (s[1] < low || s[1] > high)
		return 0;
	for (i = 2; i < need; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return need;
}

size_t utf8_check(const char *s, size_t len)
{
	size_t i = 0, n;

	while (i < len) {
		n = utf8_char(s + i, len - i);
		if (!n)
			break;
		i += n;
	}
	return i;
}

unsigned long utf8_code(const char *s, size_t n)
{
	static const unsigned char lead_mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	unsigned long c = (unsigned char)s[0] & lead_mask[n];
	size_t i;

	for (i = 1; i < n; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return c;
}

bool utf8_is_hidden(unsigned long c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0xa0) || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	       (c >= 0xfff0 && c <= 0xffff);
}
