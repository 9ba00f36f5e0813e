// SPDX-License-Identifier: Apache-2.0
/* Values of Authorization headers: "Basic ...", "Bearer ...", alone or within a longer text. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "value_decode.h"
#include "../base/banned.h"

enum { BASIC_LONGEST = 1024 };

static bool is_token_char(char c)
{
	return is_alnum(c) || (c && strchr("-._~+/=:|", c));
}

static bool is_basic(const char *s, size_t len)
{
	char text[BASIC_LONGEST];
	size_t n = len >= 6 ? decode_base64(s, len, text, sizeof text) : 0;
	bool is = n >= 4 && is_text(text, n) && memchr(text, ':', n);

	explicit_bzero(text, sizeof text);
	return is;
}

/* "bearer tokens are": words of English have no digit in them and are short. */
static bool is_bearer(const char *s, size_t len)
{
	bool digit = false;
	size_t i;

	for (i = 0; i < len; i++)
		digit |= is_digit(s[i]);
	return len >= 12 && (digit || len >= 32) && !value_is_placeholder(s, len) &&
	       !value_is_dull(s, len);
}

/* Before a scheme stands the beginning, or what separates a header's name or a quoted text. */
static bool may_begin(const char *s, size_t at)
{
	while (at > 0 && is_space(s[at - 1]))
		at--;
	return !at || strchr(":=\"'`,;(%", s[at - 1]);
}

bool value_header(const char *s, size_t len, struct finding *f)
{
	static const struct {
		const char *scheme;
		bool (*is)(const char *s, size_t len);
	} schemes[] = { { "basic", is_basic },   { "bearer", is_bearer },
			{ "token", is_bearer },  { "apikey", is_bearer },
			{ "splunk", is_bearer }, { "genie-key", is_bearer },
			{ "ssws", is_bearer },   { "klaviyo-api-key", is_bearer } };
	enum verdict before = f->verdict;
	size_t i, k, n, from, end;

	for (i = 0; i + 12 < len; i++) {
		if (!memchr("bBtTaAsSgGkK", s[i], 12) || (i && is_alnum(s[i - 1])))
			continue;
		for (k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
			n = strlen(schemes[k].scheme);
			if (i + n + 1 >= len || !is_space(s[i + n]) ||
			    !text_is_nocase(s + i, n, schemes[k].scheme) || !may_begin(s, i))
				continue;
			for (from = i + n; from < len && is_space(s[from]); from++)
				;
			for (end = from; end < len && is_token_char(s[end]); end++)
				;
			if (schemes[k].is(s + from, end - from))
				value_found(f, from, end - from, "env-value:auth-header",
					    "the value of an Authorization header");
			i = end > i + n ? end - 1 : i + n;
			break;
		}
	}
	return f->verdict != before;
}
