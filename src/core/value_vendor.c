// SPDX-License-Identifier: Apache-2.0
/* Finds the tokens of vendors in a text, by the format tables. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "value_check.h"
#include "value_formats.h"
#include "../base/banned.h"

/* After an escaped line end: "\n" in JSON. */
static bool is_after_escape(const char *s, size_t at)
{
	return at >= 2 && s[at - 2] == '\\' &&
	       (s[at - 1] == 'n' || s[at - 1] == 'r' || s[at - 1] == 't');
}

/* Where a token may begin: not inside a word, so that "task-..." holds no "sk-...". */
static bool is_token_start(const char *s, size_t at)
{
	char before;

	if (at == 0)
		return true;
	before = s[at - 1];
	if (is_alnum(before))
		return is_after_escape(s, at);
	return before != '_' && before != '-' && before != '.' && before != '+';
}

/* "my-long-name-v2": words and short numbers between separators, as names have and keys have not. */
static bool is_wordy(const char *s, size_t len)
{
	size_t i, letters = 0, digits = 0, parts = 0;

	for (i = 0; i < len; i++) {
		if (is_upper(s[i]))
			return false;
		if (is_lower(s[i])) {
			if (digits > 0)
				return false;
			letters++;
		} else if (is_digit(s[i])) {
			if (++digits > 2 && letters > 0)
				return false;
		} else {
			parts += letters > 0;
			letters = digits = 0;
		}
	}
	return parts > 0 || letters == len;
}

static bool is_plausible(const char *body, size_t len)
{
	return !value_is_dull(body, len) && !is_wordy(body, len);
}

/* The first row of the table whose prefix does not come before the two bytes. */
static size_t first_row(const struct value_table *t, unsigned char first, unsigned char second)
{
	size_t low = 0, high = t->count, middle;

	while (low < high) {
		const char *p;

		middle = low + (high - low) / 2;
		p = t->row[middle].prefix;
		if ((unsigned char)p[0] < first ||
		    ((unsigned char)p[0] == first && (unsigned char)p[1] < second))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool covers(const struct value_table *t, char c)
{
	unsigned char first = (unsigned char)t->row[0].prefix[0];
	unsigned char last = (unsigned char)t->row[t->count - 1].prefix[0];

	return (unsigned char)c >= first && (unsigned char)c <= last;
}

/* In base64 a slash is a letter: what has no sign in its prefix and no end in its shape could be a
 * piece of any longer data.
 */
static bool is_inside_base64(const struct value_format *row, const char *s, size_t at)
{
	const char *p = row->prefix;

	if (at < 2 || s[at - 1] != '/' || !is_alnum(s[at - 2]) ||
	    row->shape[strlen(row->shape) - 1] != '+')
		return false;
	while (is_alnum(*p))
		p++;
	return !*p;
}

/* Tries the rows at the start of a token whose second byte is the given one, or which have
 * but one byte (0); *done is how much of the text need not be looked at again: what has the form of a
 * token but is none is passed over as a whole, or time would not be linear.
 */
static bool match_rows(const struct value_table *t, char second, const char *s, size_t len,
		       size_t at, struct finding *f, size_t *done)
{
	const char *token = s + at;
	size_t i, prefix, body;

	for (i = first_row(t, (unsigned char)*token, (unsigned char)second);
	     i < t->count && t->row[i].prefix[0] == *token && t->row[i].prefix[1] == second; i++) {
		const struct value_format *row = &t->row[i];

		/* Where two bytes fit, the third one seldom does. */
		if ((row->prefix[1] && row->prefix[2] && row->prefix[2] != token[2]) ||
		    !text_starts(token, len - at, row->prefix) || is_inside_base64(row, s, at))
			continue;
		prefix = strlen(row->prefix);
		body = value_shape_take(row->shape, token + prefix, len - at - prefix);
		if (body == 0)
			continue;
		*done = prefix + body;
		if (!is_plausible(token + prefix, body) ||
		    (row->check && !row->check(token, *done)))
			return false;
		value_found(f, at + prefix, body, row->rule, row->why);
		return true;
	}
	return false;
}

static const struct value_table *table_of(char c)
{
	size_t i;

	for (i = 0; i < VALUE_TABLES; i++)
		if (covers(value_tables[i], c))
			return value_tables[i];
	return NULL;
}

static bool has_rows(char first, char second)
{
	return (unsigned char)first < VALUE_FIRSTS &&
	       value_seconds[(unsigned char)first] & VALUE_SECOND(second);
}

/* Of tokens that have but one byte for a prefix, and of those that are known by a mark. */
enum { LONE_SHORTEST = 40, SIGNATURE_SHORTEST = 30 };

/* At the start of a token. */
static bool match_token(const char *s, size_t len, size_t at, struct finding *f, size_t *done)
{
	const struct value_table *t = NULL;

	if (has_rows(s[at], s[at + 1])) {
		t = table_of(s[at]);
		if (match_rows(t, s[at + 1], s, len, at, f, done))
			return true;
	}
	return *done == 0 && len - at >= LONE_SHORTEST && has_rows(s[at], ' ') &&
	       match_rows(t ? t : table_of(s[at]), '\0', s, len, at, f, done);
}

/* No token has a blank or a quote in it. */
static size_t word_end(const char *s, size_t at, size_t len, const struct value_marks *m)
{
	if (!m->has_blank)
		return len;
	while (at < len && (unsigned char)s[at] > ' ' && s[at] != '"')
		at++;
	return at;
}

/* The letters and digits at the place, and whether they are a plain word with what ends one behind
 * it: paths, URLs and sentences are made of these.
 */
static size_t read_run(const char *s, size_t at, size_t end, bool *is_plain)
{
	size_t n = at;

	while (n < end && is_lower(s[n]))
		n++;
	*is_plain = n == end || char_is(s[n], CHAR_PART);
	while (n < end && is_alnum(s[n]))
		n++;
	return n - at;
}

/* Looks for a token at the place, and says how much of the text is done with: inside a word no token
 * begins, unless it is the "n" of an escaped line end.
 */
static size_t find_format(const char *s, size_t len, size_t at, size_t end, struct finding *f,
			  bool *has_found)
{
	bool is_plain, is_start = is_token_start(s, at);
	size_t run = read_run(s, at, end, &is_plain), done = 0;

	if (is_start && !(run && is_plain))
		*has_found |= match_token(s, len, at, f, &done);
	if (done)
		return done;
	if (!run || (is_start && is_after_escape(s, at + 1)))
		return 1;
	return run + !is_after_escape(s, at + run);
}

static bool find_formats(const char *s, size_t len, const struct value_marks *m, struct finding *f)
{
	enum { SHORTEST = 12 }; /* of all formats: most words of a text are shorter */
	bool has_found = false;
	size_t at, done, end = 0;

	for (at = 0; at + SHORTEST <= len; at += done) {
		if (at >= end)
			end = word_end(s, at, len, m);
		if (end - at < SHORTEST)
			done = end - at + 1;
		else
			done = find_format(s, len, at, end, f, &has_found);
	}
	return has_found;
}

static bool is_found(const struct finding *f, size_t at)
{
	unsigned i;

	for (i = 0; i < f->n_secret; i++)
		if (at >= f->secret[i].off && at < f->secret[i].off + f->secret[i].len)
			return true;
	return f->verdict != VERDICT_KEEP && f->n_secret == 0;
}

/* What of a class ends at the place that was looked at last; longer than max is as good as max + 1. */
struct run {
	size_t start, end;
};

/* Places come in order, so that no byte is looked at twice. */
static size_t run_before(struct run *r, const struct value_signature *sig, const char *s, size_t at)
{
	size_t i;

	if (at - r->end > sig->max + 1u)
		r->start = r->end = at - sig->max - 1u;
	for (i = at; i > r->end && value_class_has(sig->class, s[i - 1]); i--)
		if (is_after_escape(s, i - 1))
			break;
	if (i > r->end)
		r->start = value_class_has(sig->class, s[i - 1]) ? i - 1 : i;
	r->end = at;
	return at - r->start;
}

/* A mark was met at s[at]: is there a token around it? */
static bool match_signature(const struct value_signature *sig, const char *s, size_t len, size_t at,
			    struct run *r, struct finding *f)
{
	enum { SHORT = 16 }; /* too short to be judged */
	size_t mark, before, after = 0, start;

	if (at < sig->min || !value_class_has(sig->class, s[at - sig->min]) ||
	    !value_class_has(sig->class, s[at - 1]))
		return false;
	mark = strlen(sig->mark);
	before = run_before(r, sig, s, at);
	if (before < sig->min || before > sig->max || is_found(f, at))
		return false;
	start = at - before;

	/* Digits may stand next to letters: ".../bot123456:AA..." */
	if (start > 0 && is_alnum(s[start - 1]) && sig->class != 'd' && !is_after_escape(s, start))
		return false;
	if (*sig->shape) {
		after = value_shape_take(sig->shape, s + at + mark, len - at - mark);
		if (after == 0)
			return false;
	} else if (at + mark < len && (is_alnum(s[at + mark]) || s[at + mark] == '_')) {
		return false;
	}
	if ((before >= SHORT && !is_plausible(s + start, before)) ||
	    (after >= SHORT && !is_plausible(s + at + mark, after)))
		return false;
	value_found(f, start, before + mark + after, sig->rule, sig->why);
	return true;
}

static bool find_signatures(const char *s, size_t len, const struct value_marks *m,
			    struct finding *f)
{
	bool has_found = false;
	const char *hit;
	size_t i, at;

	for (i = 0; len >= SIGNATURE_SHORTEST && i < value_signature_count; i++) {
		const struct value_signature *sig = &value_signatures[i];
		struct run r = { 0, 0 };

		if (!value_may_have(m, sig->mark))
			continue;
		for (at = 0; at < len; at++) {
			hit = memchr(s + at, sig->mark[0], len - at);
			if (!hit)
				break;
			at = (size_t)(hit - s);
			if (text_starts(hit, len - at, sig->mark))
				has_found |= match_signature(sig, s, len, at, &r, f);
		}
	}
	return has_found;
}

/* Amazon's secret keys have no mark, so that chance could make one in any longer text: they count
 * when they are all of the value, or stand next to the id of a key.
 */
static bool find_aws_secrets(const char *s, size_t len, bool has_id, struct finding *f)
{
	enum { SECRET = 40 };
	size_t at, run;
	bool has_found = false;

	if (len < SECRET || (!has_id && len > SECRET + 2))
		return false;
	for (at = 0; at < len; at += run + 1) {
		for (run = 0; at + run < len && value_class_has('B', s[at + run]); run++)
			;
		if (run != SECRET || is_found(f, at) ||
		    (at + run < len && (s[at + run] == '=' || s[at + run] == '-')) ||
		    (at > 0 && (s[at - 1] == '-' || s[at - 1] == '_')) ||
		    !check_aws_secret(s + at, run) || !is_plausible(s + at, run))
			continue;
		value_found(f, at, run, "env-value:aws-secret-key", "an AWS secret access key");
		has_found = true;
	}
	return has_found;
}

bool value_vendor(const char *s, size_t len, const struct value_marks *m, struct finding *f)
{
	bool has_format = find_formats(s, len, m, f);
	bool has_signature = find_signatures(s, len, m, f);
	bool has_id =
		has_format && f->rule && text_is(f->rule, strlen(f->rule), "env-value:aws-key-id");

	return find_aws_secrets(s, len, has_id, f) || has_format || has_signature;
}

size_t value_prefix(const char *s, size_t len)
{
	const struct value_table *t = len > 1 ? table_of(s[0]) : NULL;
	size_t i, n, longest = 0;

	if (!t)
		return 0;
	for (i = first_row(t, (unsigned char)s[0], (unsigned char)s[1]);
	     i < t->count && t->row[i].prefix[0] == s[0] && t->row[i].prefix[1] == s[1]; i++) {
		n = strlen(t->row[i].prefix);
		if (n > longest && !is_alnum(t->row[i].prefix[n - 1]) &&
		    text_starts(s, len, t->row[i].prefix))
			longest = n;
	}
	return longest;
}
