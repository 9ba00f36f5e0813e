// SPDX-License-Identifier: Apache-2.0
/* Findings in a value: the secret parts, in order and without overlap. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

static size_t end_of(const struct span *s)
{
	return s->off + s->len;
}

static void insert(struct finding *f, unsigned at, struct span s)
{
	/* More than there is room for: the whole value counts, from here on. */
	if (f->n_secret == DETECT_SPANS) {
		f->n_secret = 0;
		f->is_whole = true;
		return;
	}
	memmove(&f->secret[at + 1], &f->secret[at], (f->n_secret - at) * sizeof s);
	f->secret[at] = s;
	f->n_secret++;
}

void value_found(struct finding *f, size_t off, size_t len, const char *rule, const char *why)
{
	struct span s = { off, len };
	unsigned i, last;

	if (f->verdict == VERDICT_KEEP) {
		f->verdict = VERDICT_CREDENTIAL;
		f->rule = rule;
		f->why = why;
	}
	if (f->is_whole)
		return;

	for (i = 0; i < f->n_secret && end_of(&f->secret[i]) <= s.off; i++)
		;
	for (last = i; last < f->n_secret && f->secret[last].off < end_of(&s); last++)
		;
	if (i == last) {
		insert(f, i, s);
		return;
	}

	/* It overlaps secret[i..last): one span takes the place of all of them. */
	if (f->secret[i].off < s.off) {
		s.len += s.off - f->secret[i].off;
		s.off = f->secret[i].off;
	}
	if (end_of(&f->secret[last - 1]) > end_of(&s))
		s.len = end_of(&f->secret[last - 1]) - s.off;
	f->secret[i] = s;
	memmove(&f->secret[i + 1], &f->secret[last], (f->n_secret - last) * sizeof s);
	f->n_secret -= last - i - 1;
}

bool value_is_template(const char *s, size_t len)
{
	size_t i;
	char c;

	if (!len)
		return true;
	if (s[0] == '$' || s[0] == '<' || s[0] == '{' || (s[0] == '%' && len > 1 && !is_hex(s[1])))
		return true;
	for (i = 0; i + 1 < len; i++)
		if ((s[i] == '$' && (s[i + 1] == '{' || s[i + 1] == '(')) ||
		    (s[i] == '{' && s[i + 1] == '{') || (s[i] == '@' && s[i + 1] == '@'))
			return true;

	/* "xxxx", "****", "....", "____" */
	c = to_lower(s[0]);
	if (c != 'x' && c != '*' && c != '.' && c != '_' && c != '#' && c != '-')
		return false;
	for (i = 1; i < len && to_lower(s[i]) == c; i++)
		;
	return i == len;
}

bool value_is_reference(const char *s, size_t len)
{
	static const char *const prefixes[] = {
		"@microsoft.keyvault",
		"akv:",
		"arn:",
		"aws:",
		"awssm:",
		"awsssm:",
		"azurekeyvault:",
		"bws:",
		"doppler:",
		"enc[",
		"env.",
		"env:",
		"file:",
		"gcp:",
		"gcpsm:",
		"gcp-sm:",
		"gsm:",
		"infisical:",
		"keychain:",
		"keyring:",
		"keyvault:",
		"op://",
		"pass:",
		"projects/",
		"ref+",
		"secret:",
		"secretref:",
		"secrets.",
		"sm://",
		"ssm:",
		"vault:",
		"!vault",
		"~/",
		"./",
		"../",
	};
	size_t i;

	for (i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (text_starts_nocase(s, len, prefixes[i]))
			return true;
	return false;
}
