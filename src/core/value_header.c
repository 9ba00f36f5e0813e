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

static const struct scheme *find_scheme(const char *s, size_t len)
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
	const char first = to_lower(s[0]);
	size_t k;

	for (k = 0; k < sizeof schemes / sizeof schemes[0]; k++)
		if (schemes[k].name[0] == first && text_is_nocase(s, len, schemes[k].name))
			return &schemes[k];
	return NULL;
}

static size_t word_end(const char *s, size_t at, size_t len)
{
	while (at < len && (is_alnum(s[at]) || s[at] == '-'))
		at++;
	return at;
}

bool value_header(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	const struct scheme *scheme;
	size_t i, next, from, end;

	for (i = 0; i + 12 < len; i = next) {
		next = word_end(s, i, len);
		if (next == i) {
			next++;
			continue;
		}
		/* In prose another word stands before each, which is seen before any name is. */
		if (next == len || !is_space(s[next]) ||
		    (i > 1 && s[i - 1] == ' ' && is_alnum(s[i - 2])) ||
		    (i && word_end(s, i - 1, i) == i) || !may_begin(s, i, true))
			continue;
		scheme = find_scheme(s + i, next - i);
		if (!scheme || !may_begin(s, i, scheme->is_telling))
			continue;
		for (from = next; from < len && is_space(s[from]); from++)
			;
		for (end = from; end < len && is_token_char(s[end]); end++)
			;
		if (scheme->is(s + from, end - from) && !value_is_found(f, from, end - from))
			value_found(f, from, end - from, "env-value:auth-header",
				    "the value of an Authorization header");
		next = end > next ? end : next + 1;
	}
	return f->verdict != before;
}
