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

/* "bearer tokens are": words of English have no digit in them and are short. */
static bool is_bearer(const char *s, size_t len)
{
	bool digit = false;
	size_t i;

	for (i = 0; i < len; i++)
		digit |= is_digit(s[i]);
	return len >= 12 && (digit || value_is_random(s, len)) && !value_is_template(s, len) &&
	       !value_is_placeholder(s, len) && !value_is_dull(s, len);
}

/* User and password in base64; stand-ins for them decode to anything. */
static bool is_basic(const char *s, size_t len)
{
	char text[BASIC_LONGEST];
	size_t n = len >= 6 ? decode_base64(s, len, text, sizeof text) : 0;
	bool is = n >= 4 && is_text(text, n) && memchr(text, ':', n);

	explicit_bzero(text, sizeof text);
	return is || (n && len >= 16 && value_is_random(s, len) && !value_is_dull(s, len));
}

struct scheme {
	const char *name;
	bool (*is)(const char *s, size_t len);
	bool is_telling; /* without the header's name before it, too */
};

/* Before a scheme stands the beginning, or what separates a header's name or a quoted text. */
static bool may_begin(const char *s, size_t at, bool is_telling)
{
	while (at > 0 && is_space(s[at - 1]))
		at--;
	return !at ? is_telling : strchr(":=\"'`,;(%", s[at - 1]) != NULL;
}

/* The length of the scheme at the place, and what its credentials look like. */
static size_t read_scheme(const char *s, size_t len, const struct scheme **scheme)
{
	// clang-format off
	static const struct scheme schemes[] = {
		{ "basic", is_basic, true },	 { "bearer", is_bearer, true },
		{ "token", is_bearer, true },	 { "apikey", is_bearer, true },
		{ "splunk", is_bearer, true },	 { "ssws", is_bearer, true },
		{ "genie-key", is_bearer, true }, { "klaviyo-api-key", is_bearer, true },
		{ "api-key", is_bearer, false }, { "api-token", is_bearer, false },
		{ "apitoken", is_bearer, false }, { "bot", is_bearer, false },
		{ "jwt", is_bearer, false },	 { "key", is_bearer, false },
		{ "negotiate", is_bearer, false }, { "ntlm", is_bearer, false },
		{ "oauth", is_bearer, false },	 { "sso-key", is_bearer, false },
		{ "zoho-oauthtoken", is_bearer, false },
	};
	// clang-format on
	size_t k, n = 0;

	while (n < len && (is_alnum(s[n]) || s[n] == '-'))
		n++;
	if (n == len || !is_space(s[n]))
		return 0;
	for (k = 0; k < sizeof schemes / sizeof schemes[0]; k++)
		if (schemes[k].name[0] == to_lower(s[0]) && text_is_nocase(s, n, schemes[k].name)) {
			*scheme = &schemes[k];
			return n;
		}
	return 0;
}

bool value_header(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	const struct scheme *scheme;
	size_t i, n, from, end;

	for (i = 0; i + 12 < len; i++) {
		if ((i && (is_alnum(s[i - 1]) || s[i - 1] == '-')) ||
		    !memchr("bBtTaAkKsSgGzZoOjJnN", s[i], 20))
			continue;
		n = read_scheme(s + i, len - i, &scheme);
		if (!n || !may_begin(s, i, scheme->is_telling))
			continue;
		for (from = i + n; from < len && is_space(s[from]); from++)
			;
		for (end = from; end < len && is_token_char(s[end]); end++)
			;
		if (scheme->is(s + from, end - from) && !value_is_found(f, from, end - from))
			value_found(f, from, end - from, "env-value:auth-header",
				    "the value of an Authorization header");
		i = end > i + n ? end - 1 : i + n;
	}
	return f->verdict != before;
}
