// SPDX-License-Identifier: Apache-2.0
/* Tokens of vendors: each format is found, and what only looks like one is not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/core/value.h"
#include "../src/core/value_check.h"
#include "../src/core/value_formats.h"
#include "tap.h"

/* Sanitizers make everything slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWDOWN 20
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SLOWDOWN 20
#endif
#endif
#ifndef SLOWDOWN
#define SLOWDOWN 1
#endif

/* Tokens are made here and not stored: those with a valid checksum would trip the scanners
 * of the hosts that the tests are published on.
 */
static uint64_t state = 0x9e3779b97f4a7c15;

static unsigned random_below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

static char random_of(char class)
{
	char c;

	do
		c = (char)random_below(128);
	while (!value_class_has(class, c));
	return c;
}

struct text {
	char s[4096];
	size_t len;
};

static void add(struct text *t, const char *s)
{
	size_t n = strlen(s);

	memcpy(t->s + t->len, s, n + 1);
	t->len += n;
}

static void add_class(struct text *t, char class, unsigned n)
{
	while (n-- > 0)
		t->s[t->len++] = random_of(class);
	t->s[t->len] = 0;
}

static unsigned long read_count(const char **p)
{
	char *end;
	unsigned long n = strtoul(*p, &end, 10);

	*p = end;
	return n;
}

/* Something that fits the shape. */
static void add_shape(struct text *t, const char *p)
{
	while (*p) {
		char class = *p++;
		unsigned long min, max;

		if (class == '\'') {
			while (*p != '\'')
				t->s[t->len++] = *p++;
			t->s[t->len] = 0;
			p++;
		} else if (class == 'U') {
			add_shape(t, "x8-x4-x4-x4-x12");
		} else if (strchr("dxXluAkKtTbcvwpezBWq", class)) {
			min = max = read_count(&p);
			if (*p == '+' && p++)
				max = min + 40;
			else if (*p == '~' && p++)
				max = read_count(&p);
			add_class(t, class,
				  (unsigned)min + random_below((unsigned)(max - min + 1)));
		} else {
			t->s[t->len++] = class;
			t->s[t->len] = 0;
		}
	}
}

/* The number in digits of the base, padded, in place of what is at s. */
static void put_number(char *s, size_t len, uint32_t n, const char *alphabet)
{
	uint32_t base = (uint32_t)strlen(alphabet);

	while (len-- > 0) {
		s[len] = alphabet[n % base];
		n /= base;
	}
}

static const char base62[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
static const char base36[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static void seal_github(struct text *t)
{
	put_number(t->s + t->len - 6, 6, check_crc32(t->s + 4, t->len - 10), base62);
}

static void seal_gitlab(struct text *t)
{
	memcpy(t->s + t->len - 13, ".01.", 4);
	put_number(t->s + t->len - 7, 7, check_crc32(t->s, t->len - 7), base36);
}

static void seal_grafana(struct text *t)
{
	uint32_t crc = check_crc32(t->s, t->len - 9);

	snprintf(t->s + t->len - 8, 9, "%08x", (unsigned)__builtin_bswap32(crc));
}

static void seal_age(struct text *t)
{
	static const char alphabet[] = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
	static const uint32_t gen[] = { 0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd,
					0x2a1462b3 };
	uint32_t sum = 1, v[128];
	size_t i, j, n = 0;

	for (i = 16; i < t->len; i++)
		t->s[i] = alphabet[random_below(32)];
	for (i = 0; i < 15; i++)
		v[n++] = (uint32_t)(t->s[i] | (t->s[i] == '-' ? 0 : 32)) >> 5;
	v[n++] = 0;
	for (i = 0; i < 15; i++)
		v[n++] = (uint32_t)t->s[i] & 31;
	for (i = 16; i < t->len - 6; i++)
		v[n++] = (uint32_t)(strchr(alphabet, t->s[i]) - alphabet);
	for (i = 0; i < 6; i++)
		v[n++] = 0;
	for (i = 0; i < n; i++) {
		uint32_t top = sum >> 25;

		sum = (sum & 0x1ffffff) << 5 ^ v[i];
		for (j = 0; j < 5; j++)
			sum ^= top >> j & 1 ? gen[j] : 0;
	}
	sum ^= 1;
	for (i = 0; i < 6; i++)
		t->s[t->len - 6 + i] = alphabet[sum >> 5 * (5 - i) & 31];
}

/* One in 65,536 ends has the right checksum. */
static void seal_nkey(struct text *t)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	size_t i;

	do
		for (i = t->len - 4; i < t->len; i++)
			t->s[i] = alphabet[random_below(32)];
	while (!check_nkey(t->s, t->len));
}

static void seal_discord(struct text *t)
{
	/* 18 digits in base64; M, N or O in front makes the first one 0, 4 or 8. */
	static const char *const ids[] = { "TDE1MjYwNzgyNTM5NzUwNTAy", "TDM5MjcxNDE3ODkwNzMyMTQz" };
	struct text made = { .len = 0 };

	add(&made, ids[random_below(2)]);
	made.s[0] = t->s[0];
	add_shape(&made, ".w6.w27");
	*t = made;
}

/* 32 letters and digits in base64, from the ninth character on: groups of three, one by one. */
static void seal_json(struct text *t)
{
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char c[3];
	size_t i, k;

	for (i = 8; i + 4 <= 8 + 44; i += 4) {
		for (k = 0; k < 3; k++)
			c[k] = (unsigned char)random_of('b');
		t->s[i] = alphabet[c[0] >> 2];
		t->s[i + 1] = alphabet[(c[0] & 3) << 4 | c[1] >> 4];
		t->s[i + 2] = alphabet[(c[1] & 15) << 2 | c[2] >> 6];
		t->s[i + 3] = alphabet[c[2] & 63];
	}
	t->len = t->len > 52 ? t->len : 52;
	t->s[t->len] = 0;
}

static void make_token(const struct value_format *row, struct text *t)
{
	int tries;

	for (tries = 0; tries < 200; tries++) {
		t->len = 0;
		add(t, row->prefix);
		add_shape(t, row->shape);
		if (row->check == check_github)
			seal_github(t);
		else if (row->check == check_gitlab)
			seal_gitlab(t);
		else if (row->check == check_grafana)
			seal_grafana(t);
		else if (row->check == check_age)
			seal_age(t);
		else if (row->check == check_nkey)
			seal_nkey(t);
		else if (row->check == check_discord)
			seal_discord(t);
		else if (row->check == check_base64_json)
			seal_json(t);
		if (row->check && !row->check(t->s, t->len))
			continue;
		/* By chance a length that another row knows, and without its checksum. */
		if (strcmp(row->shape, "v37+") == 0 && t->len == 4 + 76)
			continue;
		if (!value_is_dull(t->s + strlen(row->prefix), t->len - strlen(row->prefix)))
			return;
	}
	BAIL_OUT("cannot make a token for %s", row->rule);
}

static bool is_found(const char *s, struct finding *f)
{
	struct value_marks m;

	memset(f, 0, sizeof *f);
	value_look(s, strlen(s), &m);
	return value_vendor(s, strlen(s), &m, f);
}

/* The text holds the token at an offset; found are one or more parts, all of them in the token. */
static bool is_found_at(const char *s, size_t off, size_t len)
{
	struct finding f;
	unsigned i;

	if (!is_found(s, &f) || f.verdict != VERDICT_CREDENTIAL || !f.rule || !f.why)
		return false;
	for (i = 0; i < f.n_secret; i++)
		if (f.secret[i].off < off || f.secret[i].off + f.secret[i].len > off + len ||
		    f.secret[i].len == 0)
			return false;
	return f.n_secret > 0 && strncmp(f.rule, "env-value:", 10) == 0;
}

/* As people write tokens: %s is the token. */
// clang-format off
static const char *const around[] = {
	"%s", "\"%s\"", "'%s',", "Authorization: token %s", "{\"a\": \"%s\", \"b\": 1}",
	"A=1\nB=%s\nC=2", "one\\n%s\\ntwo", "https://%s@example.com/x", "key=%s;next=1", "(%s)",
	"<%s>", "x:%s, y",
};
// clang-format on

/* Counts what is not found as it should be, and says which. */
static unsigned try_around(const struct text *t, const char *rule, char class)
{
	char line[5000];
	unsigned i, missed = 0;

	for (i = 0; i < sizeof around / sizeof *around; i++) {
		const char *hole = strstr(around[i], "%s");

		/* What is before a mark cannot be told from the slashes of a URL. */
		if (class == 'B' && hole > around[i] && hole[-1] == '/')
			continue;

		snprintf(line, sizeof line, "%.*s%s%s", (int)(hole - around[i]), around[i], t->s,
			 hole + 2);
		if (!is_found_at(line, (size_t)(hole - around[i]), t->len)) {
			missed++;
			diag("%s is not found in: %s", rule, around[i]);
		}
	}
	return missed;
}

static void test_rows(void)
{
	enum { TRIES = 3 };
	unsigned i, n, tries, missed, formats = 0;
	size_t body, prefix;
	struct text t;

	for (i = 0; i < VALUE_TABLES; i++) {
		missed = 0;
		for (n = 0; n < value_tables[i]->count; n++) {
			const struct value_format *row = &value_tables[i]->row[n];

			prefix = strlen(row->prefix);
			for (tries = 0; tries < TRIES; tries++) {
				make_token(row, &t);
				body = value_shape_take(row->shape, t.s + prefix, t.len - prefix);
				if (body != t.len - prefix) {
					missed++;
					diag("%s: its shape takes %zu of %zu", row->rule, body,
					     t.len - prefix);
				}
				missed += try_around(&t, row->rule, 0);
			}
			formats++;
		}
		cmp_ok(missed, "==", 0, "every format of table %u is found in every place", i);
	}
	formats += (unsigned)value_signature_count;
	diag("formats: %u", formats);
	cmp_ok(formats, ">=", 250, "there are formats enough");
}

static void test_signatures(void)
{
	unsigned tries, missed = 0;
	struct text t;
	size_t i;

	for (i = 0; i < value_signature_count; i++) {
		const struct value_signature *sig = &value_signatures[i];

		for (tries = 0; tries < 3; tries++) {
			do {
				t.len = 0;
				add_class(&t, sig->class,
					  sig->min + random_below(sig->max - sig->min + 1u));
			} while (value_is_dull(t.s, t.len) || t.s[0] == '-' || t.s[0] == '=' ||
				 t.s[0] == '.');
			add(&t, sig->mark);
			add_shape(&t, sig->shape);
			missed += try_around(&t, sig->rule, sig->class);
		}
	}
	cmp_ok(missed, "==", 0, "tokens with a mark inside are found");
}

static void test_order(void)
{
	unsigned i, wrong = 0, last = 0, here;
	size_t n;

	for (i = 0; i < VALUE_TABLES; i++)
		for (n = 0; n < value_tables[i]->count; n++) {
			const char *prefix = value_tables[i]->row[n].prefix;

			here = (unsigned char)prefix[0] * 256U + (unsigned char)prefix[1];
			if (here < last || (n == 0 && here / 256 == last / 256) || !prefix[0]) {
				wrong++;
				diag("out of order: %s", prefix);
			}
			last = here;
		}
	cmp_ok(wrong, "==", 0, "the tables are sorted, and share no first byte");
}

static void test_checksums(void)
{
	static bool (*const checks[])(const char *, size_t) = { check_github, check_gitlab,
								check_grafana, check_age,
								check_nkey };
	struct finding f;
	struct text t;
	unsigned i, k, tried = 0, wrong = 0;
	size_t n;

	is_found("", &f);
	for (i = 0; i < VALUE_TABLES; i++)
		for (n = 0; n < value_tables[i]->count; n++) {
			const struct value_format *row = &value_tables[i]->row[n];
			bool has_sum = false;

			for (k = 0; k < sizeof checks / sizeof *checks; k++)
				has_sum |= row->check == checks[k];
			if (!has_sum)
				continue;
			make_token(row, &t);
			t.s[t.len - 1] = t.s[t.len - 1] == '7' ? '4' : '7';
			wrong += is_found(t.s, &f);
			tried++;
		}
	cmp_ok(tried, ">=", 20, "there are formats with a checksum");
	cmp_ok(wrong, "==", 0, "a token whose checksum is wrong is none");

	cmp_ok(check_crc32("123456789", 9), "==", 0xcbf43926, "the CRC is the usual one");
	t.len = 0;
	add(&t, "ghp_");
	add_shape(&t, "d1b20l1u1");
	add_shape(&t, "b21");
	ok(is_found(t.s, &f), "a GitHub token of an unknown length is taken for good");
}

/* None of these is a credential of its own. */
// clang-format off
static const char *const negatives[] = {
	"", "-", "sk-", "ghp_", "AKIA", "eyJ", "token", "xoxb-", "sk_live_", "SG..", "key-",
	/* publishable keys and ids */
	"pk_live_51HqLyjWDarjtT1zdp7dcXyZ", "pk_test_cml5bnl1LmNsZXJrLmFjY291bnRzLmRldiQ=",
	"phc_TzVv7OE6ZWZ5WfzAfJq98ZlZH18MIDYJxq5ibzwUOSg",
	"sb_publishable_abucnie1ftuCKKG6GJRrpShOTWekvkz",
	"pk.eyJ1IjoiYWNtZSIsImEiOiJjbG9oMTRrOHNwOGI3MGYyYm5lYmFpcTMifQ.zgKK7Emu7r1e60b02pcdS0",
	"FLWPUBK-x4qlze1hdga41fqb5ko2jdah0yox22aq-X", "FLWPUBK_TEST-x4qlze1hdga41fqb5ko2jdah-X",
	"https://0123abcd4567ef890123abcd4567ef89@o12345.ingest.sentry.io/4505",
	"AROAZ7TPAGA3IDWGZYXRM", "AIDASI3ZOCB3S77W4BT34", "AGPAP5RJUILDSLJQO5UOO",
	"AC3364880a519cc2d30de05e634d1337a6", "Iv1.8a61f9b3a7aba766", "Ov23liAbCdEfGh1jKlMn",
	"518684057983-vxrqvxqobcx7xfbege1e8j1rhpo47zgw.apps.googleusercontent.com",
	"0x4AAAAAA5Xl1YkJxieadi", "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
	"prod_ApUe4Fd1ketYmdbUE4fvOE", "price_1cpKfJBIiSOFm11A5PA3IiA", "cus_NffrFeUfNV2Hib",
	"T5WNN813NGU", "U6COC3KS5ZG", "A86I84X7SW0", "sub-c-f58b9ea7-f764-49d9-b526-01dbfacde99e",
	"age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
	"sq0idp-34FcAW68JpY-BnsS5SxN9c", "mdb_sa_id_0123456789abcdef01234567",
	"G-8K2P5XQ9ZL", "UA-12345678-1", "test_pub_ce85c38ab6f5cb0f7f3a0ee6f5a2b1d",
	/* hashes, numbers, names */
	"b8e57c4a-9d6f-4e1b-a0c3-5f2d7e8b9a01", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
	"d41d8cd98f00b204e9800998ecf8427e", "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
	"h1:VX5mJ3rGEmMQTxqGA+j5tNFrewtfcBSgfybvPPH2GSE=", "01WPBNEBMRG5P8NHY3YRGQ10C9",
	"sha512-8pHzQnMwQ0Bh2pDGpcbL1D5rpGcFq5bYxyzCgkTtcvSl5Ge1cm3KQe5f0zS0FhYXn5Z3p1lQJ8P0vPbW4wXpSQ==",
	"task-7f3a9c1e5b2d8046af13", "disk-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c", "risk_assessment_report_2024_final",
	"sk-fading-circle-twelve-with-a-long-name", "re_exports_of_the_public_module_interface",
	"hf_transfer_enabled_for_downloads_now", "npm_package_devDependencies_typescript_eslint",
	"key-value-store-of-the-control-plane-x1", "pat-of-butter", "live_streaming_service_for_the_region_eu",
	"callFunctionCheckIfDataAlreadyExistsPerpetualSubinventory", "R648-MF-DEPARTURE",
	"/usr/lib/x86_64-linux-gnu/libexec/Foo1/a", "xmlSecOpenSSLTransformHmacSha224GetKlass",
	"bW90ZCBub3RlcyB3ZWxjb21lIG5vdGVzIG1vdGQg", "N4llvm8codeview22CodeViewRecordStreamerE",
	"RWjV7t7UKmynoX4jMkt4Ly29t0r0hc5OvgnTGUcZayoDoWckeeXWYdhB",
	"eyJhIjoiYmFubmVyIiwiYiI6Im1lc3NhZ2Ugb2YgdGhlIGRheSIsImMiOiJub3RoaW5nIHRvIGhpZGUgaGVyZSIsImQiOjEyMzR9",
	/* stand-ins of documentation */
	"ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "AKIAXXXXXXXXXXXXXXXX", "AKIAIOSFODNN7EXAMPLE",
	"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	"sk-your-api-key-goes-here-0123456789", "sk_test_your_secret_key_here_1234", "xoxb-your-token-here-123456",
	"glpat-xxxxxxxxxxxxxxxxxxxx", "sk-ant-api03-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
	"dapi00000000000000000000000000000000", "key-00000000000000000000000000000000",
	"sk-1234567890abcdef1234567890abcdef", "dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	"SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	"AIzaSyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "SK00000000000000000000000000000000",
	"npm_${NPM_TOKEN}", "ghp_<your token>", "github_pat_11AAAAAAA0EXAMPLEEXAMPLEEXAMPLE_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1",
};
// clang-format on

static void test_negatives(void)
{
	struct finding f;
	unsigned i, wrong = 0;

	for (i = 0; i < sizeof negatives / sizeof *negatives; i++)
		if (is_found(negatives[i], &f)) {
			wrong++;
			diag("%s: %s", f.rule, negatives[i]);
		}
	cmp_ok(wrong, "==", 0,
	       "publishable keys, ids, hashes, names and stand-ins are not credentials");
}

static void test_places(void)
{
	struct text id = { .len = 0 }, secret = { .len = 0 }, t = { .len = 0 };
	struct finding f;
	char line[3 * sizeof t.s];

	add(&id, "AKIA");
	add_shape(&id, "K10d2K4");
	do {
		secret.len = 0;
		add_shape(&secret, "B40");
	} while (!check_aws_secret(secret.s, secret.len));

	ok(is_found(secret.s, &f), "an AWS secret is found when it is the whole value");
	is(f.rule, "env-value:aws-secret-key", "and named");
	snprintf(line, sizeof line, "one %s two", secret.s);
	ok(!is_found(line, &f), "but not by chance in the middle of a text");
	snprintf(line, sizeof line, "id %s secret %s", id.s, secret.s);
	ok(is_found(line, &f) && f.n_secret == 2, "next to a key's id it is");
	cmp_ok(f.secret[1].off, "==", 3 + id.len + 8, "where it is");
	cmp_ok(f.secret[1].len, "==", 40, "and all of it");
	is(f.rule, "env-value:aws-key-id", "the first rule stays");

	add(&t, "sk-ant-api03-");
	add_shape(&t, "w60d1u1l1w30");
	snprintf(line, sizeof line, "key=%s;", t.s);
	ok(is_found(line, &f) && f.n_secret == 1, "a token with a long prefix is found once");
	cmp_ok(f.secret[0].off, "==", 4 + 13, "the secret begins after the vendor's prefix");
	snprintf(line, sizeof line, "x%s", t.s);
	ok(!is_found(line, &f), "a prefix in the middle of a word is none");
	snprintf(line, sizeof line, "my_%s", t.s);
	ok(!is_found(line, &f), "nor one after an underscore");
	snprintf(line, sizeof line, "%sx", id.s);
	ok(!is_found(line, &f), "a token that goes on is another thing");
	snprintf(line, sizeof line, "https://api.telegram.org/bot52346718:AA");
	t.len = 0;
	add(&t, line);
	add_shape(&t, "w33");
	add(&t, "/getMe");
	ok(is_found(t.s, &f), "Telegram's tokens are found in their URLs");
}

static bool placeholder(const char *s)
{
	return value_is_placeholder(s, strlen(s));
}

static bool dull(const char *s)
{
	return value_is_dull(s, strlen(s));
}

static void test_stand_ins(void)
{
	// clang-format off
	static const char *const yes[] = {
		"", "changeme", "CHANGE_ME", "change-me", "${TOKEN}", "$TOKEN", "$(cat x)",
		"{{ secrets.X }}", "<your key>", "<redacted>", "xxxx", "****",
		"YOUR_API_KEY_HERE", "your-token", "@@SECRET@@", "none", "null", "N/A",
		"undefined", "%PASSWORD%", "ToDo", "placeholder", "__TOKEN__", " changeme ",
		"user_provided", "REDACTED", "insert-your-key", "...",
		"${{ secrets.GITHUB_TOKEN }}",
	};
	// clang-format on
	// clang-format off
	static const char *const no[] = {
		"hunter2", "password", "postgres", "s3cr3t", "0000", "{\"a\": \"b\"}",
		"yours3cretPw", "p%ssw%rd", "correct horse battery", "P@$$w0rd", "Tr0ub4dor&3",
		"admin", "1", "$2b$12$abc/def.ghi",
	};
	// clang-format on
	unsigned i, wrong = 0;

	for (i = 0; i < sizeof yes / sizeof *yes; i++)
		if (!placeholder(yes[i]) && ++wrong)
			diag("no placeholder: %s", yes[i]);
	for (i = 0; i < sizeof no / sizeof *no; i++)
		if (placeholder(no[i]) && ++wrong)
			diag("a placeholder: %s", no[i]);
	cmp_ok(wrong, "==", 0, "placeholders are told from passwords");

	ok(dull("aaaaaaaaaaaa") && dull("deadbeefdeadbeef") && dull("0123456789abcdef"),
	   "runs, repetitions and series are dull");
	ok(dull("fedcba9876543210") && dull("someEXAMPLEkey") && dull("abcabcabcabc"),
	   "in either direction, and words of documentation");
	ok(!dull("b8e57c4a9d6f4e1ba0c35f2d7e8b9a01") && !dull("Zr9mQ2xK7pLw"),
	   "what is random is not dull");
}

enum { LONG = 128 * 1024 };

static double seconds_for(const char *piece)
{
	static char text[LONG + 64];
	struct finding f = { 0 };
	struct value_marks m;
	struct timespec from, to;
	size_t n = strlen(piece), len;

	for (len = 0; len + n <= LONG; len += n)
		memcpy(text + len, piece, n);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	value_look(text, len, &m);
	value_vendor(text, len, &m, &f);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

static void test_time(void)
{
	// clang-format off
	static const char *const pieces[] = {
		"sk-", "eyJ", "A", "/", " s", ",sk-ant-api03-", "glc_/", "glc_abcd/", "T3BlbkFJ",
		"+ASt", ":AA", "|", "IQoJb3JpZ2lu/", "IQoJb3JpZ2luX2VjA/", "AAAAAAAAAA", "8Q~",
		" ops_eyJ/", " sk_live_/ ", "-us", "ATATT3/", "ya29.", "0. ", "xox-", " ghp_a",
		"\\n", "=", "sntrys_W/", "12345678:AA", ".atlasv1.",
	};
	// clang-format on
	double seconds, slowest = 0;
	unsigned i, slow = 0, k;

	for (i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		/* The best of three: the machine may be busy with other things. */
		for (k = 0, seconds = 9; k < 3; k++) {
			double s = seconds_for(pieces[i]);

			seconds = s < seconds ? s : seconds;
		}
		if (seconds > slowest)
			slowest = seconds;
		if (seconds > 0.020 * SLOWDOWN) {
			slow++;
			diag("%.1f ms for 128 KiB of \"%s\"", seconds * 1e3, pieces[i]);
		}
	}
	diag("slowest: %.1f ms", slowest * 1e3);
	cmp_ok(slow, "==", 0, "no long text takes long");
}

int main(void)
{
	plan(NO_PLAN);
	test_order();
	test_rows();
	test_signatures();
	test_checksums();
	test_negatives();
	test_places();
	test_stand_ins();
	test_time();
	done_testing();
}
