/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a policy's keys, by which it is read, shown, locked and annotated. */
#ifndef CORE_POLICY_KEYS_H
#define CORE_POLICY_KEYS_H

#include "policy.h"

enum key_kind {
	KIND_WORD,     /* an enum */
	KIND_SWITCH,   /* a bool */
	KIND_COUNT,    /* a uint32_t */
	KIND_PROFILE,  /* a const char *: the name of a profile or an absolute path */
	KIND_FILE,     /* a const char *: an absolute path */
	KIND_NAMES,    /* rules for variables */
	KIND_PATHS,    /* rules for paths */
	KIND_ANNOTATED /* keys of annotations */
};

struct key_info {
	const char *section; /* NULL: the key stands at the top */
	const char *name;
	enum key_kind kind;
	size_t offset;             /* of the member of struct policy */
	const struct name *words;  /* loosest first, ends with NULL; a switch: as it is shown */
	const struct range *range; /* of a count */
	enum policy_rule_action action; /* of a list of rules */
};
extern const struct key_info policy_keys[KEY_COUNT];

/* The key of that name in that section (NULL: at the top), or KEY_COUNT. */
enum policy_key policy_key_find(const char *section, const char *name);
bool policy_has_section(const char *section);

/* What is stored for a word or a switch, and the other way round. */
int policy_get(const struct policy *p, enum policy_key key);
void policy_set(struct policy *p, enum policy_key key, int value);
struct policy_rules *policy_rules_of(struct policy *p, enum policy_key key);

/* Gives the policy lists of its own, so that what is added to it is in no copy of it. */
void policy_unshare(struct arena *a, struct policy *p);

/* Position of a stored value or of a text among the key's words, loosest first; -1: it is none.
 * A switch may be written on, yes, true or off, no, false in either case.
 */
int policy_word_rank(enum policy_key key, int value);
int policy_word_find(enum policy_key key, const char *text, size_t len);

/* "observe, strip or enforce" */
const char *policy_words(struct arena *a, enum policy_key key);

/* What is wrong with a pattern, with the remedy; NULL: nothing. */
const char *policy_pattern_problem(const char *text, size_t len, bool is_path);

/* Which of two rules takes more from the workload: the greater one. */
int policy_strength(enum policy_rule_action action);

/* An annotation that a bundle may carry. */
struct annotation_info {
	const char *name; /* after credsbox.io/ */
	enum policy_key key;
	bool adds_allow; /* a list that can only loosen */
};
extern const struct annotation_info policy_annotations[];
const struct annotation_info *policy_annotation_find(const char *key);

#endif
