/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of detect_value(): each knows one family of credentials. */
#ifndef CORE_VALUE_H
#define CORE_VALUE_H

#include "detect.h"

/* Adds one secret part to a finding and makes it one. Parts may come in any order, and the first
 * rule stays; when there are more parts than fit, the whole value counts (n_secret 0, and stays so).
 */
void value_found(struct finding *f, size_t off, size_t len, const char *rule, const char *why);

/* Does a part that was found already touch these bytes? A more telling rule has had its say then. */
bool value_is_found(const struct finding *f, size_t off, size_t len);

/* Which bytes occur in a text, and which next to each other; of the latter some may be mistaken.
 * Most texts lack what a family cannot do without: to know that is cheaper than a search.
 */
enum { VALUE_PAIRS = 1024 };
struct value_marks {
	bool byte[256];
	bool pair[VALUE_PAIRS];
	bool has_blank; /* or another byte that no token has in it */
};
void value_look(const char *s, size_t len, struct value_marks *m);

static inline bool value_has(const struct value_marks *m, char c)
{
	return m->byte[(unsigned char)c];
}

static inline size_t value_pair(char first, char second)
{
	return ((size_t)(unsigned char)first << 3 ^ (unsigned char)second) % VALUE_PAIRS;
}

/* False: the word is not in the text. */
static inline bool value_may_have(const struct value_marks *m, const char *word)
{
	if (!value_has(m, word[0]))
		return false;
	for (; word[1]; word++)
		if (!value_has(m, word[1]) || !m->pair[value_pair(word[0], word[1])])
			return false;
	return true;
}

/* Each looks through the whole text, adds what it finds, and says whether it found something.
 * Linear in len.
 */
bool value_vendor(const char *s, size_t len, const struct value_marks *m,
		  struct finding *f); /* tokens of known vendors */

/* How much of the text is the prefix of some vendor's tokens, whatever follows; 0: none. */
size_t value_prefix(const char *s, size_t len);

bool value_pem(const char *s, size_t len, struct finding *f); /* private keys as text */
bool value_jwt(const char *s, size_t len, struct finding *f);
bool value_url(const char *s, size_t len, struct finding *f);   /* userinfo, query, webhooks */
bool value_pairs(const char *s, size_t len, struct finding *f); /* key=value, JSON, ini, DSN ... */
bool value_hash(const char *s, size_t len, struct finding *f); /* of passwords: crypt, argon2 ... */
bool value_header(const char *s, size_t len, struct finding *f);  /* Basic, Bearer ... */
bool value_command(const char *s, size_t len, struct finding *f); /* curl -u, mysql -p, sshpass */

bool value_lines(const char *s, size_t len, struct finding *f); /* netrc, pgpass, u:p@tcp(h) */

bool value_words(const char *s, size_t len, struct finding *f); /* "requirepass x", SQL */
bool value_xml(const char *s, size_t len, struct finding *f);   /* <password>x</password> */

/* What a name that stands beside a value within a text says of it. A password may be any text, the
 * others look random.
 */
enum value_key { VALUE_KEY_NONE, VALUE_KEY_PASSWORD, VALUE_KEY_TOKEN };
enum value_key value_key(const char *key, size_t len);
bool value_key_is_password(const char *key,
			   size_t len); /* cheap: it can be nothing but one, or none */
bool value_fits(enum value_key key, const char *s, size_t len, bool is_quoted);
bool value_is_random(const char *s, size_t len);

/* Stands for a secret without being one: "changeme", "${TOKEN}", "<your key>", "xxxx", "****". */
bool value_is_placeholder(const char *s, size_t len);

/* Filled in later: "${X}", "$X", "<x>", "{{x}}", "%(x)s", "xxxx". A subset of placeholders that even a
 * password field cannot hold by itself; "changeme" is none of them.
 */
bool value_is_template(const char *s, size_t len);

/* Names a secret that is kept elsewhere: "vault:...", "op://...", "arn:...", "file:/...". */
bool value_is_reference(const char *s, size_t len);

/* Too regular to be random: few distinct characters, one run, a sequence, a word "EXAMPLE". */
bool value_is_dull(const char *s, size_t len);

#endif
