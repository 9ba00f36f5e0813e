/* SPDX-License-Identifier: Apache-2.0 */
/* The words that names of environment variables are made of, and what each contributes. */
#ifndef CORE_DETECT_WORDS_H
#define CORE_DETECT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "detect.h"

/* What a word does in a name. Names are put together as English is: the thing itself last, what
 * qualifies it before it. TOKEN_TTL is a duration; a TTL_TOKEN would be a token.
 */
enum word_flags {
	W_SECRET = 1 << 0,    /* a credential wherever it stands: PASSWORD */
	W_FINAL = 1 << 1,     /* a credential when nothing of weight follows: SALT, JWT */
	W_KEY = 1 << 2,       /* what is before it decides: API_KEY, SORT_KEY */
	W_PLURAL = 1 << 3,    /* more often a number of them: MAX_TOKENS, but API_TOKENS */
	W_QUALIFIES = 1 << 4, /* makes a key that follows a credential: API, ACCESS, SIGNING */
	W_INDEX = 1 << 5,     /* makes it one of data: PARTITION, CACHE */
	W_PUBLIC = 1 << 6,    /* makes a key or token that follows one for everybody */
	W_TLS = 1 << 7,       /* makes a key that follows a file, by custom: SSL_KEY */
	W_LEAD = 1 << 8,      /* before a credential: a setting about it: ALLOW, MAX */
	W_VERB = 1 << 9,      /* the same, but right before some only: RESET_PASSWORD */
	W_ABOUT = 1 << 10,    /* after a credential: a property of it: TTL, NAME */
	W_POINTER = 1 << 11,  /* after a credential: where to get it: FILE, COMMAND */
	W_PLACE = 1 << 12,    /* the same, but used for URLs too: PATH, DIR */
	W_NEUTRAL = 1 << 13,  /* after a credential: changes nothing: PROD, OLD */
	W_CONTENT = 1 << 14,  /* after a holder: the thing itself: KEYSTORE_BASE64 */
	W_BESIDE = 1 << 15,   /* what follows is beside the point: FOR */
	W_HOLDER = 1 << 16,   /* a pointer when a place follows, or nothing: KEYSTORE */
	W_GUARDED = 1 << 17,  /* a pointer when FILE and the like follow: AUTH_FILE */
	W_STORE = 1 << 18,    /* its URL customarily has a password in it: DATABASE, AMQP */
	W_LINK = 1 << 19,     /* may stand between such a word and URL: REDIS_TLS_URL */
	W_URL = 1 << 20,      /* URL, URI */
	W_HINT = 1 << 21,     /* too vague by itself: a random-looking value tips it */
	W_WEAK = 1 << 22,     /* names settings too: the value may speak against it */
	W_JOINS = 1 << 23,    /* the end of a set phrase of the table: CONNECTION_STRING */
};

/* What kind of credential a name speaks of; the order is that of name_groups. */
enum name_group {
	NG_NONE,
	NG_PASSWORD,
	NG_TOKEN,
	NG_SECRET,
	NG_KEY,
	NG_CREDENTIALS,
	NG_URL,
	NG_WEBHOOK,
	NG_HEADER,
	NG_COOKIE,
	NG_SESSION,
	NG_SALT,
	NG_SEED,
	NG_PIN,
	NG_CODE,
	NG_LICENSE,
	NG_SIGNATURE,
	NG_AUTH,
	NG_FILE, /* and below: kinds of pointers */
	NG_COMMAND,
	NG_SOCKET,
	NG_COUNT,
};

/* Upper case, with its length: look-ups are many. */
struct name_text {
	const char *s;
	size_t len;
};

struct name_word {
	struct name_text text; /* two or three words joined by '_' for a set phrase */
	unsigned flags;        /* none: known, and of no weight; it is not taken apart */
	enum name_group group;
};

struct name_rule {
	const char *rule, *why;
};

/* A name known as a whole. */
struct name_known {
	struct name_text text;
	enum verdict verdict;
	enum name_group group;
	bool is_hint; /* kept, but a random-looking value tips it */
	struct name_rule as;
};

struct name_vendor {
	struct name_text text; /* what the name begins with */
	struct name_rule as;
};

extern const struct name_rule name_groups[NG_COUNT];

/* The words by their first letter, and within one sorted as by strcmp. */
enum { NAME_LETTERS = 26 };
extern const struct name_letter {
	const struct name_word *words;
	size_t n;
} name_letters[NAME_LETTERS];

/* Sorted as by strcmp. */
extern const struct name_known name_knowns[];
extern const size_t n_name_knowns;

/* Beginnings of names: whose rest is free; of what a build tool hands to browsers; of vendors. */
extern const struct name_known name_prefixes[];
extern const size_t n_name_prefixes;
extern const struct name_text name_clients[];
extern const size_t n_name_clients;
extern const struct name_vendor name_vendors[];
extern const size_t n_name_vendors;

/* Words that others end with, written without a separator: PGPASSWORD, KEYFILE. Sorted by their
 * last letter.
 */
extern const struct name_text name_glued[];
extern const size_t n_name_glued;

/* What a name says, with what judging it together with a value needs to know. */
struct name_sense {
	enum verdict verdict;
	enum name_group group;
	bool is_known;        /* by its vendor or as a whole */
	bool is_weak;         /* names settings too: the value may speak against it */
	bool is_hint;         /* VERDICT_KEEP, but a random-looking value tips it */
	bool is_path_or_text; /* VERDICT_POINTER by custom, but the key itself is met too */
	struct name_rule as;
};
void name_judge(const char *name, size_t len, struct name_sense *sense);

#endif
