// SPDX-License-Identifier: Apache-2.0
/* What the name of an environment variable says about its value: by words, never by substrings. */
#include "detect_words.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum {
	NAME_WINDOW = 255, /* of a longer name only the end is read: there the thing is named */
	NAME_TOKENS = 16,
	GLUED_DEPTH = 4, /* words taken off the end of one segment */
	PHRASE_MAX = 40,
};

struct token {
	struct name_text text;        /* of the table, if the word is there */
	const struct name_word *word; /* NULL: none that we know */
};

/* The words of a name, the last one first, because that is the one to begin with. */
struct sentence {
	struct token token[NAME_TOKENS];
	unsigned n;
	bool is_client; /* the value ends up in browsers anyway */
	char upper[NAME_WINDOW];
};

static const struct name_word number = { { "", 0 }, W_NEUTRAL, NG_NONE };

/* As strcmp; words differ early, so that a loop is quicker than a call. */
static int compare(const char *s, size_t len, const struct name_text *t)
{
	size_t i, n = len < t->len ? len : t->len;

	for (i = 0; i < n; i++)
		if (s[i] != t->s[i])
			return (unsigned char)s[i] - (unsigned char)t->s[i];
	return (len > t->len) - (len < t->len);
}

static const struct name_word *find_word(const char *s, size_t len)
{
	const struct name_letter *letter;
	size_t lo = 0, hi;

	if (!len || !is_upper(*s))
		return NULL;
	letter = &name_letters[*s - 'A'];
	for (hi = letter->n; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		int c = compare(s, len, &letter->words[mid].text);

		if (c == 0)
			return &letter->words[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* None of the texts is shorter than two. */
static bool starts_with(const char *s, size_t len, const struct name_text *t)
{
	return len > 1 && len >= t->len && s[0] == t->s[0] && s[1] == t->s[1] &&
	       !memcmp(s, t->s, t->len);
}

static const struct name_known *find_known(const char *s, size_t len)
{
	size_t lo = 0, hi = n_name_knowns, i;

	while (len && lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = compare(s, len, &name_knowns[mid].text);

		if (c == 0)
			return &name_knowns[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	for (i = 0; i < n_name_prefixes; i++)
		if (starts_with(s, len, &name_prefixes[i].text))
			return &name_prefixes[i];
	return NULL;
}

/* TOKEN2 is TOKEN, and a bare number is nothing. */
static const struct name_word *find_numbered(const char *s, size_t len)
{
	const struct name_word *w = find_word(s, len);
	size_t n = len;

	if (w)
		return w;
	while (n && is_digit(s[n - 1]))
		n--;
	if (n == len)
		return NULL;
	return n ? find_word(s, n) : &number;
}

/* Adds one word on the left; a phrase that it completes takes the place of both. */
static bool push(struct sentence *t, const char *s, size_t len, const struct name_word *w)
{
	struct token *right = t->n ? &t->token[t->n - 1] : NULL;
	struct name_text text = { s, len };
	const struct name_word *phrase;
	char joined[PHRASE_MAX];
	size_t n;

	if (w && w != &number)
		text = w->text;
	if (right && right->word && right->word->flags & W_JOINS) {
		n = text.len + 1 + right->text.len;
		if (n <= sizeof joined) {
			memcpy(joined, text.s, text.len);
			joined[text.len] = '_';
			memcpy(joined + text.len + 1, right->text.s, right->text.len);
			phrase = find_word(joined, n);
			if (phrase) {
				*right = (struct token){ phrase->text, phrase };
				return true;
			}
		}
	}
	if (t->n == NAME_TOKENS)
		return false;
	t->token[t->n++] = (struct token){ text, w };
	return true;
}

static char last_of(const struct name_text *t)
{
	return t->s[t->len - 1];
}

/* Length of the longest glued word that ends the segment without being all of it. */
static size_t glued_tail(const char *s, size_t len)
{
	size_t lo = 0, hi = n_name_glued, best = 0;
	const struct name_text *g;

	while (len && lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (last_of(&name_glued[mid]) < s[len - 1])
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; len && lo < n_name_glued; lo++) {
		g = &name_glued[lo];
		if (last_of(g) != s[len - 1])
			break;
		if (g->len > best && g->len < len && !memcmp(s + len - g->len, g->s, g->len))
			best = g->len;
	}
	return best;
}

static bool names_a_credential(const struct name_word *w)
{
	return w && w->flags & (W_SECRET | W_KEY | W_FINAL | W_PLURAL | W_HOLDER);
}

/* A word that names no credential itself comes off only where the rest does: KEYTIMEOUT is taken
 * apart, PROFILE stays whole.
 */
static bool comes_off(const char *s, size_t len, const struct name_word *tail)
{
	const struct name_word *head;
	size_t n;

	if (names_a_credential(tail))
		return true;
	head = find_word(s, len);
	if (!head) {
		n = glued_tail(s, len);
		head = find_word(s + len - n, n);
	}
	return names_a_credential(head) ||
	       (head && tail && head->flags & W_STORE && tail->flags & W_URL);
}

static bool push_segment(struct sentence *t, const char *s, size_t len)
{
	const struct name_word *w = NULL, *tail;
	unsigned depth;
	size_t n;

	for (depth = 0; len && depth < GLUED_DEPTH; depth++) {
		w = find_numbered(s, len);
		n = w ? 0 : glued_tail(s, len);
		if (!n)
			break;
		tail = find_word(s + len - n, n);
		if (!comes_off(s, len - n, tail))
			break;
		if (!push(t, s + len - n, n, tail))
			return false;
		len -= n;
	}
	return !len || push(t, s, len, w);
}

/* dbPassword, APIKey: a capital begins a word after a small letter, or before two of them. */
static bool begins_word(const char *s, size_t i, size_t len)
{
	if (!is_upper(s[i]))
		return false;
	return is_lower(s[i - 1]) || (i + 2 < len && is_lower(s[i + 1]) && is_lower(s[i + 2]));
}

static void read_sentence(const char *name, size_t len, struct sentence *t)
{
	size_t i, start, end = len;

	t->n = 0;
	for (i = 0; i < len; i++)
		t->upper[i] = to_upper(name[i]);
	for (i = 0; i < n_name_clients && !starts_with(t->upper, len, &name_clients[i]); i++)
		;
	t->is_client = i < n_name_clients;
	while (end) {
		if (!is_alnum(name[end - 1])) {
			end--;
			continue;
		}
		start = end - 1;
		while (start && is_alnum(name[start - 1]) && !begins_word(name, start, len))
			start--;
		if (!push_segment(t, t->upper + start, end - start))
			break;
		end = start;
	}
}

/* What stands after the word under judgement, as far as it matters. */
struct tail {
	const struct name_word *pointer; /* FILE, PATH, COMMAND: nothing but places after it */
	bool is_about;
	bool is_content;
	bool is_file_text; /* FILE_CONTENTS: of whatever is kept in a file */
	bool is_place_only;
	bool has_unknown;
	unsigned words; /* that are not neutral */
	unsigned links; /* of these, such as may follow URL too: READ_REPLICA */
};

static void tail_add(struct tail *tail, const struct token *k)
{
	unsigned flags = k->word ? k->word->flags : 0;

	if (flags & W_BESIDE) {
		*tail = (struct tail){ 0 };
		return;
	}
	if (flags & W_CONTENT && !tail->words) {
		tail->is_content = true;
		tail->is_file_text |= !!(flags & W_POINTER);
	}
	if (flags & W_NEUTRAL)
		return;
	tail->words++;
	tail->links += !!(flags & W_LINK);
	if (flags & (W_POINTER | W_PLACE) && !tail->is_about) {
		if (!tail->pointer) {
			tail->pointer = k->word;
			tail->is_place_only = true;
		}
		if (flags & W_POINTER)
			tail->is_place_only = false;
	} else if (flags & W_ABOUT) {
		tail->is_about = true;
	} else {
		tail->has_unknown = true;
	}
}

static unsigned flags_at(const struct sentence *t, unsigned i)
{
	return i < t->n && t->token[i].word ? t->token[i].word->flags : 0;
}

static bool has_before(const struct sentence *t, unsigned i, unsigned flags)
{
	while (++i < t->n)
		if (flags_at(t, i) & flags)
			return true;
	return false;
}

/* PUBLIC_API_KEY and NEXT_PUBLIC_MAPS_KEY are for everybody, PUBLIC_REPO_TOKEN is not. */
static bool is_published(const struct sentence *t, unsigned i)
{
	if (t->is_client)
		return true;
	while (++i < t->n) {
		if (flags_at(t, i) & W_PUBLIC)
			return true;
		if (!(flags_at(t, i) & W_QUALIFIES))
			return false;
	}
	return false;
}

static void answer(struct name_sense *sense, enum verdict v, enum name_group g)
{
	sense->verdict = v;
	sense->group = g;
	sense->as = name_groups[g];
}

static void hint(struct name_sense *sense, enum name_group g)
{
	sense->is_hint = true;
	sense->group = g;
}

/* KEY and KEYS: one of data, a public one, a file of one, or a credential? */
static void judge_key(const struct sentence *t, unsigned i, const struct tail *tail,
		      struct name_sense *sense)
{
	unsigned before = flags_at(t, i + 1);
	bool is_sure = before & (W_QUALIFIES | W_SECRET | W_FINAL);

	if (is_published(t, i))
		return;
	if (before & W_INDEX && !is_sure &&
	    !(tail->pointer && (before & W_GUARDED || has_before(t, i, W_TLS))))
		return;
	if (tail->pointer) {
		answer(sense, VERDICT_POINTER, tail->pointer->group);
		return;
	}
	if (tail->is_about || (tail->has_unknown && !is_sure))
		return;
	if (before & W_TLS && !is_sure && !tail->is_content) {
		answer(sense, VERDICT_POINTER, NG_FILE);
		sense->is_path_or_text = true;
		return;
	}
	answer(sense, VERDICT_CREDENTIAL, NG_KEY);
	sense->is_weak = !is_sure;
}

static void judge_secret(const struct sentence *t, unsigned i, const struct tail *tail,
			 struct name_sense *sense)
{
	const struct name_word *w = t->token[i].word;

	/* A password is none the less one for being handed out. */
	if (w->group != NG_PASSWORD && w->group != NG_SECRET && w->group != NG_URL &&
	    is_published(t, i))
		return;
	if (w->group == NG_PASSWORD && flags_at(t, i + 1) & W_VERB) {
		hint(sense, w->group);
	} else if (tail->pointer) {
		answer(sense, VERDICT_POINTER, tail->pointer->group);
	} else if (!tail->is_about) {
		answer(sense, VERDICT_CREDENTIAL, w->group);
		sense->is_weak = w->flags & W_WEAK;
	}
}

static void judge_final(const struct sentence *t, unsigned i, struct name_sense *sense)
{
	const struct name_word *w = t->token[i].word;
	unsigned doubts = W_VERB | W_INDEX;

	if (is_published(t, i))
		return;
	if (w->group == NG_SALT || w->group == NG_PASSWORD)
		doubts = W_VERB; /* HASH_SALT and BIND_PW are what they say */
	if (w->flags & W_HINT || flags_at(t, i + 1) & doubts) {
		hint(sense, w->group);
		return;
	}
	answer(sense, VERDICT_CREDENTIAL, w->group);
	sense->is_weak = w->flags & W_WEAK;
}

/* URL, URI: of a store that takes its password in there? */
static bool is_connection_url(const struct sentence *t, unsigned i)
{
	unsigned k;

	for (k = i + 1; k < t->n && k <= i + 3; k++) {
		if (flags_at(t, k) & W_STORE)
			return true;
		if (!(flags_at(t, k) & (W_LINK | W_NEUTRAL)))
			return false;
	}
	return false;
}

/* MONGO_URL_PRIVATE: which of the URLs, not a private thing. */
static bool links_url(const struct sentence *t, unsigned i)
{
	return flags_at(t, i) & W_LINK && flags_at(t, i + 1) & W_URL;
}

/* FILE, and not PATH, which is part of a URL as often. */
static bool is_file(const struct tail *tail)
{
	return tail->pointer && !tail->is_place_only && tail->pointer->group == NG_FILE;
}

/* Words that name no credential, or not by themselves, with a place behind them. */
static bool is_pointer(const struct name_word *w, const struct tail *tail)
{
	if (w->flags & W_HOLDER)
		return (tail->pointer && !tail->has_unknown) || !tail->words;
	if (w->flags & W_GUARDED && is_file(tail))
		return !tail->has_unknown;
	if (w->flags & W_HINT || !(w->flags & W_FINAL) || tail->is_about)
		return false;
	if (w->group == NG_COOKIE || w->group == NG_URL)
		return tail->pointer && !tail->is_place_only;
	return tail->pointer && w->group != NG_WEBHOOK;
}

/* KEYSTORE_BASE64, SIGNING_FILE_CONTENTS: not where it is, but the thing itself. */
static bool is_text_of(const struct name_word *w, const struct tail *tail)
{
	if (tail->words)
		return false;
	return w->flags & W_HOLDER ? tail->is_content : w->flags & W_GUARDED && tail->is_file_text;
}

/* Judges by one word; false: those before it may know more. */
static bool judge_word(const struct sentence *t, unsigned i, const struct tail *tail,
		       struct name_sense *sense)
{
	const struct name_word *w = t->token[i].word;

	if (w->flags & W_SECRET || (w->flags & W_PLURAL && flags_at(t, i + 1) & W_QUALIFIES))
		judge_secret(t, i, tail, sense);
	else if (w->flags & W_KEY)
		judge_key(t, i, tail, sense);
	else if (is_text_of(w, tail))
		answer(sense, VERDICT_CREDENTIAL, NG_CREDENTIALS);
	else if (is_pointer(w, tail))
		answer(sense, VERDICT_POINTER, tail->pointer ? tail->pointer->group : w->group);
	else if (w->flags & W_URL && tail->words == tail->links && is_connection_url(t, i))
		answer(sense, VERDICT_CREDENTIAL, NG_URL);
	else if (w->flags & W_URL && is_file(tail) && is_connection_url(t, i))
		answer(sense, VERDICT_POINTER, NG_FILE);
	else if (w->flags & W_FINAL && !tail->words && !links_url(t, i))
		judge_final(t, i, sense);
	else
		return false;
	return true;
}

/* BUNDLE_GEMS__EXAMPLE__COM: Bundler takes user and password for a host under its name. */
static bool is_bundler_host(const char *upper, size_t len)
{
	static const char *const ends[] = { "__COM", "__ORG", "__NET", "__IO", "__DEV", "__CO" };
	size_t i;

	if (!text_starts(upper, len, "BUNDLE_"))
		return false;
	for (i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (text_ends(upper, len, ends[i]))
			return true;
	return false;
}

static bool judge_whole(const char *upper, size_t len, struct name_sense *sense)
{
	const struct name_known *k = find_known(upper, len);

	if (k) {
		answer(sense, k->verdict, k->group);
		sense->is_hint = k->is_hint;
		sense->as = k->as;
	} else if (is_bundler_host(upper, len)) {
		answer(sense, VERDICT_CREDENTIAL, NG_AUTH);
	} else {
		return false;
	}
	sense->is_known = true;
	return true;
}

/* Connection URLs keep their own rule: which vendor's they are matters less than what they are. */
static void name_vendor(const char *upper, size_t len, struct name_sense *sense)
{
	size_t i;

	if (sense->verdict != VERDICT_CREDENTIAL || sense->group == NG_URL)
		return;
	for (i = 0; i < n_name_vendors; i++) {
		if (!starts_with(upper, len, &name_vendors[i].text))
			continue;
		sense->as = name_vendors[i].as;
		sense->is_known = true;
		return;
	}
}

void name_judge(const char *name, size_t len, struct name_sense *sense)
{
	struct sentence t;
	struct tail tail = { 0 };
	unsigned i;

	*sense = (struct name_sense){ .verdict = VERDICT_KEEP };
	if (len > NAME_WINDOW) {
		name += len - NAME_WINDOW;
		len = NAME_WINDOW;
	}
	read_sentence(name, len, &t);
	if (judge_whole(t.upper, len, sense))
		return;
	for (i = 0; i < t.n; i++) {
		if (t.token[i].word && judge_word(&t, i, &tail, sense))
			break;
		tail_add(&tail, &t.token[i]);
	}
	if (sense->verdict == VERDICT_KEEP)
		return;
	if (has_before(&t, i, W_LEAD)) {
		*sense = (struct name_sense){ .verdict = VERDICT_KEEP, .group = sense->group };
		sense->is_hint = true;
		return;
	}
	name_vendor(t.upper, len, sense);
}

enum verdict detect_name(const char *name, size_t len, struct finding *f)
{
	struct name_sense sense;

	name_judge(name, len, &sense);
	*f = (struct finding){ .verdict = sense.verdict };
	if (sense.verdict != VERDICT_KEEP) {
		f->rule = sense.as.rule;
		f->why = sense.as.why;
	}
	return f->verdict;
}
