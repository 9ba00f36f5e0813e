// SPDX-License-Identifier: Apache-2.0
/* Tests which values count as credentials, and which part of them is secret. */
#include "../src/core/detect.h"
#include "../src/core/value.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/core/value_decode.h"
#include "tap.h"
#include "value_cases.h"

enum { LONGEST = 4096, ROUNDS = 20, EXCESS_MOST = 8 };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char digits[] = "0123456789";
static const char hexdigits[] = "0123456789abcdef";
static const char base32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static uint64_t state;

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

/* A value that was made of a template, and which of its bytes are secret. */
struct made {
	char text[LONGEST];
	bool is_secret[LONGEST];
	size_t len;
};

static void add(struct made *m, const char *s, size_t len, bool is_secret)
{
	if (m->len + len >= sizeof m->text)
		bail_out("a case is too long");
	memcpy(m->text + m->len, s, len);
	memset(m->is_secret + m->len, is_secret, len);
	m->len += len;
	m->text[m->len] = '\0';
}

static void add_random(struct made *m, const char *from, unsigned n_from, unsigned n,
		       bool is_secret)
{
	char c;

	while (n--) {
		c = from[below(n_from)];
		add(m, &c, 1, is_secret);
	}
}

static void add_key_lines(struct made *m, const char *line_end, bool is_secret)
{
	unsigned i;

	for (i = 0; i < 4; i++) {
		if (i)
			add(m, line_end, strlen(line_end), is_secret);
		add_random(m, base64, 64, 64, is_secret);
	}
}

static void add_uuid(struct made *m, bool is_secret)
{
	static const unsigned parts[] = { 8, 4, 4, 4, 12 };
	unsigned i;

	for (i = 0; i < 5; i++) {
		if (i)
			add(m, "-", 1, is_secret);
		add_random(m, hexdigits, 16, parts[i], is_secret);
	}
}

/* No vendor's mark in front, and random to look at, so that no round is about luck. */
static void add_password(struct made *m, unsigned len)
{
	size_t start = m->len;

	do {
		m->len = start;
		add(m, "q", 1, true);
		add_random(m, base64, 52, len / 2 - 1, true);
		add_random(m, digits, 10, 1, true);
		add_random(m, base64, 62, len - len / 2 - 1, true);
	} while (len >= 12 && !value_is_random(m->text + start, m->len - start));
}

/* False: it is no place for anything. */
static bool add_place(struct made *m, char place)
{
	static const char punctuation[] = "*!-_.~^+%=";
	bool is_secret = place >= 'A' && place <= 'Z';

	switch (place) {
	case 'P': add_password(m, 18); break;
	case 'S':
		add_password(m, 9);
		add_random(m, punctuation, 8, 1, true);
		add_password(m, 8);
		break;
	case 'T': add_password(m, 40); break;
	case 'O': add_random(m, base32, 32, 32, true); break;
	case 'B':
	case 'b':
		add_random(m, base64, 64, 43, is_secret);
		add(m, "=", 1, is_secret);
		break;
	case 'X':
	case 'x': add_random(m, hexdigits, 16, 40, is_secret); break;
	case 'U':
	case 'u': add_uuid(m, is_secret); break;
	case 'K':
	case 'k': add_key_lines(m, "\n", is_secret); break;
	case 'E': add_key_lines(m, "\\n", true); break;
	case 'J':
		add_random(m, base64, 62, 60, true);
		add(m, ".", 1, true);
		add_random(m, base64, 62, 43, true);
		break;
	case 'h':
		add_random(m, base64, 64, 27, false);
		add(m, "=", 1, false);
		break;
	case 'd': add_random(m, digits, 10, 6, false); break;
	default: return false;
	}
	return true;
}

static void make(const char *template, struct made *m)
{
	m->len = 0;
	for (; *template; template ++)
		if (*template == '~' && template[1] && add_place(m, template[1]))
			template ++;
		else
			add(m, template, 1, false);
}

/* All that is secret is in a part that was found, and little else is. */
static bool covers(const struct made *m, const struct finding *f)
{
	bool is_found[LONGEST] = { false };
	size_t i, excess = 0;
	unsigned k;

	if (!f->n_secret)
		return true;
	for (k = 0; k < f->n_secret; k++)
		memset(is_found + f->secret[k].off, 1, f->secret[k].len);
	for (i = 0; i < m->len; i++) {
		if (m->is_secret[i] && !is_found[i])
			return false;
		excess += is_found[i] && !m->is_secret[i];
	}
	return excess <= EXCESS_MOST * f->n_secret;
}

/* As a stand-in would: other letters and digits, the same punctuation. */
static void replace(struct made *m, const struct finding *f)
{
	size_t i;
	unsigned k;

	for (k = 0; k < f->n_secret; k++)
		for (i = f->secret[k].off; i < f->secret[k].off + f->secret[k].len; i++)
			if (strchr(base64, m->text[i]) && (!i || m->text[i - 1] != '\\'))
				m->text[i] = base64[below(62)];
}

/* A stand-in is known by its end, so that is what must not move. */
static bool ends_alike(const struct finding *a, const struct finding *b)
{
	unsigned i, k;

	for (k = 0; k < b->n_secret; k++) {
		for (i = 0; i < a->n_secret; i++)
			if (a->secret[i].off + a->secret[i].len ==
			    b->secret[k].off + b->secret[k].len)
				break;
		if (i == a->n_secret)
			return false;
	}
	return b->n_secret > 0;
}

/* Says what is wrong with the detection of a secret, or NULL. */
static const char *judge_secret(struct made *m)
{
	struct finding f, again;

	if (detect_value(m->text, m->len, &f) != VERDICT_CREDENTIAL)
		return "not found";
	if (!covers(m, &f))
		return "found in other places";
	if (!f.n_secret)
		return NULL;
	replace(m, &f);
	detect_value(m->text, m->len, &again);

	/* A few families ask for something that looks random, and chance may not give it: what is
	 * not found at all stays, which is what a stand-in should do.
	 */
	if (again.verdict == VERDICT_KEEP || ends_alike(&f, &again))
		return NULL;
	return "found in other places after a replacement";
}

static void test_secrets(const struct value_case *cases, size_t n, const char *what)
{
	static struct made m;
	const char *wrong;
	size_t i, bad = 0;
	unsigned k;

	for (i = 0; i < n; i++)
		for (k = 0; k < ROUNDS; k++) {
			make(cases[i].text, &m);
			wrong = judge_secret(&m);
			if (!wrong)
				continue;
			diag("%s: %s: %s", cases[i].family, wrong, cases[i].text);
			bad++;
			break;
		}
	cmp_ok((long long)bad, "==", 0, "%s: each secret is found, and no more than it", what);
}

static void test_kept(const struct value_case *cases, size_t n, const char *what)
{
	static struct made m;
	struct finding f;
	size_t i, bad = 0;
	unsigned k;

	for (i = 0; i < n; i++)
		for (k = 0; k < ROUNDS; k++) {
			make(cases[i].text, &m);
			if (detect_value(m.text, m.len, &f) == VERDICT_KEEP)
				continue;
			diag("%s: kept by mistake not (%s): %s", cases[i].family, f.rule,
			     cases[i].text);
			bad++;
			break;
		}
	cmp_ok((long long)bad, "==", 0, "%s: nothing is taken for a secret", what);
}

static size_t to_base64(const char *s, size_t len, const char *alphabet, char *out)
{
	size_t i, n = 0;
	uint32_t v;

	for (i = 0; i < len; i += 3) {
		v = (uint32_t)(unsigned char)s[i] << 16;
		v |= i + 1 < len ? (uint32_t)(unsigned char)s[i + 1] << 8 : 0;
		v |= i + 2 < len ? (uint32_t)(unsigned char)s[i + 2] : 0;
		out[n++] = alphabet[v >> 18];
		out[n++] = alphabet[v >> 12 & 63];
		out[n++] = i + 1 < len ? alphabet[v >> 6 & 63] : '=';
		out[n++] = i + 2 < len ? alphabet[v & 63] : '=';
	}
	return n;
}

static size_t standard(const char *s, size_t len, char *out)
{
	return to_base64(s, len, base64, out);
}

static size_t twice(const char *s, size_t len, char *out)
{
	static char once[2 * LONGEST];

	return standard(once, standard(s, len, once), out);
}

static size_t url_safe(const char *s, size_t len, char *out)
{
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	size_t n = to_base64(s, len, alphabet, out);

	while (n && out[n - 1] == '=')
		n--;
	return n;
}

static size_t on_lines(const char *s, size_t len, char *out)
{
	static char once[2 * LONGEST];
	size_t i, n = 0, total = standard(s, len, once);

	for (i = 0; i < total; i++) {
		out[n++] = once[i];
		if (i % 64 == 63)
			out[n++] = '\n';
	}
	return n;
}

static size_t in_json(const char *s, size_t len, char *out)
{
	static const char before[] = "{\"config\":\"", after[] = "\"}";
	size_t n;

	memcpy(out, before, sizeof before - 1);
	n = sizeof before - 1 + standard(s, len, out + sizeof before - 1);
	memcpy(out + n, after, sizeof after - 1);
	return n + sizeof after - 1;
}

static size_t hex(const char *s, size_t len, char *out)
{
	size_t i;

	for (i = 0; i < len; i++) {
		out[2 * i] = hexdigits[(unsigned char)s[i] >> 4];
		out[2 * i + 1] = hexdigits[(unsigned char)s[i] & 15];
	}
	return 2 * len;
}

/* What encodeURIComponent() would leave stays. */
static size_t percent(const char *s, size_t len, char *out)
{
	size_t i, n = 0;

	for (i = 0; i < len; i++)
		if (strchr(base64, s[i]) && s[i] != '+' && s[i] != '/') {
			out[n++] = s[i];
		} else {
			out[n++] = '%';
			out[n++] = hexdigits[(unsigned char)s[i] >> 4];
			out[n++] = hexdigits[(unsigned char)s[i] & 15];
		}
	return n;
}

static const struct encoding {
	const char *name;
	size_t (*encode)(const char *s, size_t len, char *out);
} encodings[] = {
	{ "base64", standard },          { "base64, URL-safe", url_safe },
	{ "base64 on lines", on_lines }, { "base64 twice", twice },
	{ "base64 in JSON", in_json },   { "hexadecimal", hex },
	{ "percent", percent },
};

static size_t count_encoded(const struct encoding *e, const struct value_case *cases, size_t n,
			    enum verdict wrong)
{
	static char out[4 * LONGEST];
	static struct made m;
	struct finding f;
	size_t i, bad = 0;

	for (i = 0; i < n; i++) {
		make(cases[i].text, &m);
		if (detect_value(out, e->encode(m.text, m.len, out), &f) != wrong)
			continue;
		diag("%s: %s: %s", e->name, cases[i].family, cases[i].text);
		bad++;
	}
	return bad;
}

static void test_encodings(void)
{
	size_t i, bad;

	for (i = 0; i < COUNT(encodings); i++) {
		const struct encoding *e = &encodings[i];

		bad = count_encoded(e, secret_urls, COUNT(secret_urls), VERDICT_KEEP);
		bad += count_encoded(e, secret_texts, COUNT(secret_texts), VERDICT_KEEP);
		bad += count_encoded(e, secret_others, COUNT(secret_others), VERDICT_KEEP);
		cmp_ok((long long)bad, "==", 0, "%s: secrets are found", e->name);
		bad = count_encoded(e, kept, COUNT(kept), VERDICT_CREDENTIAL);
		bad += count_encoded(e, kept_texts, COUNT(kept_texts), VERDICT_CREDENTIAL);
		cmp_ok((long long)bad, "==", 0, "%s: the rest is kept", e->name);
	}
}

/* Which parts of a value are secret, written "[part][part]". */
static const char *parts_of(const char *value)
{
	static char text[LONGEST];
	struct finding f;
	size_t n = 0;
	unsigned k;

	if (detect_value(value, strlen(value), &f) != VERDICT_CREDENTIAL)
		return "kept";
	text[0] = '\0';
	for (k = 0; k < f.n_secret && n < sizeof text; k++)
		n += (size_t)snprintf(text + n, sizeof text - n, "[%.*s]", (int)f.secret[k].len,
				      value + f.secret[k].off);
	return f.n_secret ? text : "whole";
}

static void test_parts(void)
{
	is(parts_of("postgres://app:s3cr3t@db:5432/app"), "[s3cr3t]",
	   "of a URL the password is secret");
	is(parts_of("https://bob:a@b:c@example.com/x"), "[a@b:c]",
	   "a password goes to the last @ before the path");
	is(parts_of("amqp://a:pw-1@h1,amqp://b:pw-2@h2"), "[pw-1][pw-2]",
	   "two passwords are two parts");
	is(parts_of("{\"user\": \"bob\", \"password\": \"hunter2\", \"port\": 1}"), "[hunter2]",
	   "of JSON the value is secret, its quotes are not");
	is(parts_of("{\"password\":\"it's \\\"1\\\"\",\"x\":1}"), "[it's \\\"1\\\"]",
	   "escaped quotes do not end a value");
	is(parts_of("Server=h;Password=a;b,c&d;Encrypt=True"), "[a;b,c&d]",
	   "punctuation ends a value only where a name follows");
	is(parts_of("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49\n"
		    "-----END PRIVATE KEY-----\n"),
	   "[MIGHAgEAMBMGByqGSM49AgEGCCqGSM49\n]", "of a PEM key the body is secret");
	is(parts_of("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJlMTIzNDU2"),
	   "[eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJlMTIzNDU2]",
	   "of a JWT the payload and the signature are secret");
	is(parts_of("$6$rounds=5000$c2FsdHNhbHQ$aGFzaDEyMzQ1Njc4OTBhYmNk"),
	   "[c2FsdHNhbHQ$aGFzaDEyMzQ1Njc4OTBhYmNk]", "a hash keeps its method and its rounds");
	is(parts_of("mysql -h db -u root -phunter22 shop"), "[hunter22]",
	   "of a command line the argument is secret");
	is(parts_of("cG9zdGdyZXM6Ly9hcHA6czNjcjN0QGRiL2FwcA=="), "whole",
	   "what is encoded as a whole is secret as a whole");
	is(parts_of("a: 1\nurl: cG9zdGdyZXM6Ly9hcHA6czNjcjN0QGRiL2FwcA==\n"),
	   "[cG9zdGdyZXM6Ly9hcHA6czNjcjN0QGRiL2FwcA]", "what is encoded in part, in part");
	is(parts_of("p=1"), "kept", "a short value has no room for a secret");
}

/* Many secrets: a value that has more parts than a finding is secret as a whole. */
static void test_many_parts(void)
{
	struct made m = { .len = 0 };
	struct finding f;
	unsigned k;

	for (k = 0; k < 2 * DETECT_SPANS; k++) {
		add(&m, "password=", 9, false);
		add_password(&m, 18);
		add(&m, "\n", 1, false);
	}
	detect_value(m.text, m.len, &f);
	ok(f.verdict == VERDICT_CREDENTIAL && f.is_whole && !f.n_secret,
	   "more secrets than a finding has room for are the whole value");
}

struct figures {
	unsigned n, hits, false_hits, misses;
};

/* "label kind base64", apart by tabs. */
static void judge_line(char *line, struct figures *fig)
{
	static char value[64 * 1024];
	char *kind = strchr(line, '\t'), *code = kind ? strchr(kind + 1, '\t') : NULL;
	bool is_secret = !strncmp(line, "true\t", 5), is_hit;
	struct finding f;
	size_t len;

	if (!code)
		bail_out("values.tsv has a line that is none");
	*kind++ = *code++ = '\0';
	len = decode_base64(code, strcspn(code, "\n"), value, sizeof value);
	is_hit = detect_value(value, len, &f) == VERDICT_CREDENTIAL;
	fig->n++;
	fig->hits += is_hit && is_secret;
	fig->false_hits += is_hit && !is_secret;
	fig->misses += !is_hit && is_secret;
	if (is_hit != is_secret)
		diag("%s: %s%s%s", is_hit ? "false hit" : "miss", kind, is_hit ? " by " : "",
		     is_hit ? f.rule : "");
}

static void test_corpus(void)
{
	const char *dir = getenv("srcdir");
	struct figures fig = { 0 };
	char path[LONGEST], *line = NULL;
	double precision, recall;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof path, "%s/tests/corpus/values.tsv", dir ? dir : ".");
	file = fopen(path, "r");
	if (!file)
		bail_out("cannot open %s", path);
	while (getline(&line, &size, file) > 0)
		judge_line(line, &fig);
	fclose(file);
	free(line);
	precision = fig.hits / (double)(fig.hits + fig.false_hits);
	recall = fig.hits / (double)(fig.hits + fig.misses);
	diag("figure: values: precision %.3f recall %.3f on %u", precision, recall, fig.n);
	ok(fig.n > 600 && precision >= 0.99, "of what is taken for a secret, 99 of 100 is one");
	ok(recall >= 0.98, "of the secrets, 98 of 100 are found");
}

int main(void)
{
	plan(NO_PLAN);
	state = 20240229;
	test_secrets(secret_urls, COUNT(secret_urls), "URLs");
	test_secrets(secret_texts, COUNT(secret_texts), "texts");
	test_secrets(secret_others, COUNT(secret_others), "keys, headers, commands");
	test_kept(kept, COUNT(kept), "URLs and references");
	test_kept(kept_texts, COUNT(kept_texts), "texts");
	test_encodings();
	test_parts();
	test_many_parts();
	test_corpus();
	done_testing();
}
