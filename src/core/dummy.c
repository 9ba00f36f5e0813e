// SPDX-License-Identifier: Apache-2.0
/* Stand-ins: what a workload gets in place of a credential when a policy says "dummy".
 *
 * A stand-in is random but for its last characters, the mark, which follow from the eight
 * characters before them. That makes it known for what it is on any host, without a list of
 * stand-ins that someone would have to keep, and no vendor's token ends in its mark but by an
 * accident of less than one in 2^39. Its vendor's checksum, where there is one, fails.
 */
#include "dummy.h"

#include <string.h>

#include "chars.h"
#include "value.h"
#include "../base/hash.h"
#include "../base/banned.h"

enum { MARKED = 8, SHORT_LENGTH = 24, MARK_MAX = 12 };

struct alphabet {
	const char *chars;
	unsigned size, mark; /* mark: how many characters carry it */
};

/* From narrow to wide: the first that holds all characters of a secret is its alphabet. */
static const struct alphabet alphabets[] = {
	{ "0123456789", 10, 12 },
	{ "0123456789abcdef", 16, 10 },
	{ "0123456789ABCDEF", 16, 10 },
	{ "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32, 8 },
	{ "0123456789abcdefghijklmnopqrstuvwxyz", 36, 8 },
	{ "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", 36, 8 },
	{ "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 62, 8 },
};
enum { ALPHABETS = sizeof alphabets / sizeof alphabets[0] };
static const struct alphabet *const widest = &alphabets[ALPHABETS - 1];

/* What gives a token its shape stays: separators, padding, line ends (also written as "\n"). */
static bool is_shape(const char *s, size_t i)
{
	if (!is_alnum(s[i]))
		return memchr("-_.:= \t\r\n\\", s[i], 10);
	return i && s[i - 1] == '\\' && (s[i] == 'n' || s[i] == 'r');
}

static bool fits(const struct alphabet *al, const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_shape(s, i) && !memchr(al->chars, s[i], al->size))
			return false;
	return true;
}

static const struct alphabet *alphabet_of(const char *s, size_t len)
{
	const struct alphabet *al = alphabets;

	while (al != widest && !fits(al, s, len))
		al++;
	return al;
}

static size_t count_replaced(const char *s, size_t len)
{
	size_t i, n = 0;

	for (i = 0; i < len; i++)
		n += !is_shape(s, i);
	return n;
}

static void mark_of(const char before[MARKED], const struct alphabet *al, char *mark)
{
	static const char purpose[] = "credsbox stand-in 1";
	uint8_t digest[HASH_SIZE];
	unsigned i;

	hash_hmac(purpose, sizeof purpose - 1, before, MARKED, digest);
	for (i = 0; i < al->mark; i++)
		mark[i] = al->chars[(digest[2 * i] << 8 | digest[2 * i + 1]) % al->size];
}

/* Random characters of one stand-in, by counter from the container's seed. */
struct stream {
	const uint8_t *seed;
	uint64_t label[3]; /* index of the value, of its secret, of the block */
	uint8_t block[HASH_SIZE];
	unsigned used;
};

static char stream_char(struct stream *s, const struct alphabet *al)
{
	unsigned n;

	if (s->used + 2 > sizeof s->block) {
		hash_hmac(s->seed, 32, s->label, sizeof s->label, s->block);
		s->label[2]++;
		s->used = 0;
	}
	n = (unsigned)(s->block[s->used] << 8 | s->block[s->used + 1]);
	s->used += 2;
	return al->chars[n % al->size];
}

/* The end of the part that begins at the place: what has a shape of its own, as "xoxb-12-34-ab" has
 * numbers and letters.
 */
static size_t part_end(const char *s, size_t at, size_t len)
{
	while (at < len && !is_shape(s, at))
		at++;
	return at;
}

static void fill(char *text, size_t len, struct stream *s)
{
	size_t i, end;

	for (i = 0; i < len; i = end + 1) {
		const struct alphabet *al;

		end = part_end(text, i, len);
		al = alphabet_of(text + i, end - i);
		for (; i < end; i++)
			text[i] = stream_char(s, al);
	}
}

/* The mark has the alphabet of the last part, if that is long enough for it. */
static const struct alphabet *mark_alphabet(const char *text, size_t len)
{
	const struct alphabet *al;
	size_t end = len, start;

	while (end && is_shape(text, end - 1))
		end--;
	for (start = end; start && !is_shape(text, start - 1); start--)
		;
	al = alphabet_of(text + start, end - start);
	return end - start >= al->mark ? al : alphabet_of(text, len);
}

/* Overwrites the last characters, which are not shape, by what follows from those before them. */
static void put_mark(char *text, size_t len, const struct alphabet *al)
{
	char before[MARKED], mark[MARK_MAX];
	size_t i = len, n = 0;

	while (i && n < al->mark)
		n += !is_shape(text, --i);
	len = i; /* the mark begins here */
	for (n = MARKED; i && n;)
		if (!is_shape(text, --i))
			before[--n] = text[i];
	mark_of(before, al, mark);
	for (i = len, n = 0; n < al->mark; i++)
		if (!is_shape(text, i))
			text[i] = mark[n++];
}

static size_t add_secret(char *out, const char *secret, size_t len, struct stream *s)
{
	const struct alphabet *al = mark_alphabet(secret, len);

	memcpy(out, secret, len);
	if (count_replaced(secret, len) < al->mark + MARKED) {
		al = widest;
		len = SHORT_LENGTH;
		memset(out, 'z', len / 2);
		memset(out + len / 2, 'Z', len - len / 2);
		out[0] = '0'; /* all of the widest alphabet */
	}
	fill(out, len, s);
	put_mark(out, len, al);
	return len;
}

char *dummy_make(struct arena *a, const char *value, size_t len, const struct finding *f,
		 const uint8_t seed[32], uint64_t index)
{
	const size_t prefix = f->n_secret ? 0 : value_prefix(value, len);
	const struct span whole = { prefix, len - prefix };
	const struct span *spans = f->n_secret ? f->secret : &whole;
	unsigned n = f->n_secret ? f->n_secret : 1, k;
	char *out = arena_alloc(a, len + (size_t)n * SHORT_LENGTH + 1);
	size_t o = 0, at = 0;

	for (k = 0; k < n; k++) {
		struct stream s = { .seed = seed, .label = { index, k }, .used = HASH_SIZE };

		memcpy(out + o, value + at, spans[k].off - at);
		o += spans[k].off - at;
		o += add_secret(out + o, value + spans[k].off, spans[k].len, &s);
		at = spans[k].off + spans[k].len;
	}
	memcpy(out + o, value + at, len - at);
	out[o + len - at] = '\0';
	return out;
}

static bool is_marked(const char *s, size_t len)
{
	char tail[MARKED + MARK_MAX], mark[MARK_MAX];
	size_t n = sizeof tail, i = len;
	unsigned k;

	/* tail[n..] fills from its end with the last characters that are not shape. */
	while (i > 0 && n > 0)
		if (!is_shape(s, --i))
			tail[--n] = s[i];

	for (k = 0; k < ALPHABETS; k++) {
		const struct alphabet *al = &alphabets[k];
		size_t start = sizeof tail - al->mark;

		/* A mark has characters of its alphabet only; to see that is cheaper than a digest. */
		if (start < n + MARKED || !fits(al, tail + start, al->mark))
			continue;
		mark_of(tail + start - MARKED, al, mark);
		if (!memcmp(tail + start, mark, al->mark))
			return true;
	}
	return false;
}

/* A stand-in may be out of its vendor's form ("glpat-x.y.z" without its checksum), and less of it
 * be taken for a secret than was replaced: the mark is at the end of the whole word then.
 */
static bool is_marked_at(const char *value, size_t len, const struct span *s)
{
	size_t end = s->off + s->len;

	if (is_marked(value + s->off, s->len))
		return true;
	while (end < len && (is_alnum(value[end]) || memchr("-_.:=", value[end], 5)))
		end++;
	return is_marked(value + s->off, end - s->off);
}

bool dummy_is(const char *value, size_t len, const struct finding *f)
{
	unsigned k;

	if (!f->n_secret)
		return is_marked(value, len);
	for (k = 0; k < f->n_secret; k++)
		if (!is_marked_at(value, len, &f->secret[k]))
			return false;
	return true;
}
