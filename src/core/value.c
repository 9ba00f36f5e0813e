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

bool value_is_found(const struct finding *f, size_t off, size_t len)
{
	unsigned i;

	for (i = 0; i < f->n_secret; i++)
		if (f->secret[i].off < off + len && off < end_of(&f->secret[i]))
			return true;
	return f->is_whole;
}

void value_look(const char *s, size_t len, struct value_marks *m)
{
	char last = 0;
	size_t i;

	memset(m, 0, sizeof *m);
	for (i = 0; i + 1 < len; i += 2) {
		m->byte[(unsigned char)s[i]] = true;
		m->byte[(unsigned char)s[i + 1]] = true;
		m->pair[value_pair(last, s[i])] = true;
		last = s[i + 1];
		m->pair[value_pair(s[i], last)] = true;
	}
	if (i < len) {
		m->byte[(unsigned char)s[i]] = true;
		m->pair[value_pair(last, s[i])] = true;
	}
	m->has_blank = m->byte['"'] || memchr(m->byte, 1, ' ' + 1);
}

static size_t name_length(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len && (is_alnum(s[i]) || memchr("_-. ", s[i], 4)); i++)
		;
	return i;
}

/* x->y, x::y */
static bool is_perl(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len && (is_alnum(s[i]) || s[i] == '_'); i++)
		;
	return i && i + 1 < len &&
	       ((s[i] == '-' && s[i + 1] == '>') || (s[i] == ':' && s[i + 1] == ':'));
}

/* "$X", "<x>", "{x}", "[x]", "%X%", "%s", "%(x)s", ":x": marks around a name, or before it. */
static bool is_marked_name(const char *s, size_t len)
{
	size_t name = name_length(s + 1, len - 1);
	bool is_all = name == len - 1, is_closed = name && name == len - 2;
	char last = s[len - 1];

	switch (s[0]) {
	case '$':
		return name && (is_all || (is_closed && last == '$') || is_perl(s + 1, len - 1)) &&
		       (len == 2 || !is_digit(s[1]));
	case '<': return last == '>' || is_all;
	case '{': return is_all || (is_closed && last == '}') || s[1] == '{' || s[1] == '%';
	case '[': return is_all || (is_closed && last == ']');
	case '(': return is_all || (is_closed && last == ')');
	case '%':
		return len == 1 || s[1] == '(' || s[1] == '{' || s[1] == '%' ||
		       (len == 2 && is_lower(s[1])) || (is_closed && last == '%');
	default: return false;
	}
}

/* "YOUR_PASSWORD", "DB_PASS": capitals that name what belongs there, as manuals have it. */
static bool is_named_in_capitals(const char *s, size_t len)
{
	static const char *const words[] = { "PASS", "SECRET", "TOKEN", "KEY", "PWD", "YOUR" };
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_upper(s[i]) && s[i] != '_' && s[i] != '-')
			return false;
	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (memmem(s, len, words[i], strlen(words[i])))
			return true;
	return false;
}

bool value_is_template(const char *s, size_t len)
{
	size_t i;
	char c;

	if (!len)
		return true;
	if (is_marked_name(s, len) || (len <= 32 && is_named_in_capitals(s, len)))
		return true;
	for (i = 0; i + 1 < len; i++)
		if ((s[i] == '$' && (s[i + 1] == '{' || s[i + 1] == '(')) ||
		    (s[i] == '{' && s[i + 1] == '{') || (s[i] == '@' && s[i + 1] == '@') ||
		    (s[i] == '<' && s[i + 1] == '%') || (s[i] == '%' && s[i + 1] == 's') ||
		    (s[i] == '*' && s[i + 1] == '*' && i + 2 < len && s[i + 2] == '*'))
			return true;
	if (text_starts_nocase(s, len, "your-") || text_starts_nocase(s, len, "your_") ||
	    text_starts(s, len, "&lt;") || text_starts_nocase(s, len, "&#x3c;"))
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
		"bao:",
		"bitwarden:",
		"bws:",
		"conjur:",
		"credential:",
		"docker-secret:",
		"doppler:",
		"enc(",
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
		"kms:",
		"kubernetes:",
		"keyvault:",
		"op://",
		"pass:",
		"projects/",
		"ref+",
		"secret:",
		"secretref:",
		"secrets.",
		"sm://",
		"secretsmanager:",
		"sops:",
		"ssm:",
		"vault:",
		"!vault",
		"$ansible_vault;",
		"{cipher}",
		"{vault}",
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
