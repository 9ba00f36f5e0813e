// SPDX-License-Identifier: Apache-2.0
/* A bundle's own wishes about the policy: annotations that may tighten it. */
#include "policy.h"

#include <string.h>

#include "chars.h"
#include "policy_keys.h"
#include "../base/str.h"
#include "../base/banned.h"

static const struct policy_layer layer_of_annotations = { .name = "annotations" };

struct annotate {
	struct arena *arena;
	struct policy *p;
	struct err *err;
	const char *key; /* of the annotation at hand */
};

static bool may_loosen(const struct annotate *w)
{
	size_t i;

	for (i = 0; i < w->p->loosen.n; i++)
		if (!strcmp(w->p->loosen.v[i].pattern, w->key))
			return true;
	return false;
}

/* Puts the place in front of what is wrong. It never has the annotation's value in it, but for
 * words of ours: people write anything into annotations.
 */
static int fail_here(struct annotate *w)
{
	return fail_in(w->err, "annotations[\"%s\"]", printable(w->arena, w->key, 64));
}

/* 0 when this bundle may have something looser than what is there. */
static int permit(struct annotate *w, enum policy_key key, const char *what)
{
	const struct policy_layer *lock = w->p->locked_by[key];

	if (lock)
		fail(w->err, 0, "%s, and %s is locked by %s", what, policy_key_name(w->arena, key),
		     printable(w->arena, lock->name, 200));
	else if (!may_loosen(w))
		fail(w->err, 0, "%s; the administrator can permit it with annotations.loosen",
		     what);
	else
		return 0;
	return fail_here(w);
}

static void set_from(struct annotate *w, enum policy_key key)
{
	w->p->from[key] = &layer_of_annotations;
	w->p->from_line[key] = 0;
}

static int annotate_word(struct annotate *w, enum policy_key key, const char *value)
{
	const struct name *words = policy_keys[key].words;
	int now = policy_word_rank(key, policy_get(w->p, key));
	int wanted = policy_word_find(key, value, strlen(value));

	if (wanted < 0) {
		fail(w->err, 0, "expected %s", policy_words(w->arena, key));
		return fail_here(w);
	}
	if (wanted == now)
		return 0;
	if (wanted < now &&
	    permit(w, key,
		   arena_printf(w->arena, "'%s' would loosen the policy (it is '%s')",
				words[wanted].name, words[now].name)))
		return -1;
	policy_set(w->p, key, words[wanted].value);
	set_from(w, key);
	return 0;
}

static int add_pattern(struct annotate *w, const struct annotation_info *info, const char *text,
		       size_t len)
{
	struct policy_rules *rules = policy_rules_of(w->p, info->key);
	const char *problem =
		policy_pattern_problem(text, len, policy_keys[info->key].kind == KIND_PATHS);

	if (!problem && rules->n >= POLICY_MAX_RULES)
		problem = "too many rules in all";
	if (problem) {
		fail(w->err, 0, "pattern: %s", problem);
		return fail_here(w);
	}
	*arena_push(w->arena, rules->v, rules->n) =
		(struct policy_rule){ .pattern = arena_strndup(w->arena, text, len),
				      .action = policy_keys[info->key].action,
				      .layer = &layer_of_annotations,
				      .level = w->p->next_level,
				      .only_tightens = !info->adds_allow };
	return 0;
}

/* Patterns with commas between them; blanks around them do not count. */
static int annotate_list(struct annotate *w, const struct annotation_info *info, const char *value)
{
	const char *end, *next;

	if (info->adds_allow && permit(w, info->key, "this would loosen the policy"))
		return -1;
	for (; value; value = next) {
		end = value + strcspn(value, ",");
		next = *end ? end + 1 : NULL;
		while (value < end && is_space(*value))
			value++;
		while (value < end && is_space(end[-1]))
			end--;
		if (add_pattern(w, info, value, (size_t)(end - value)))
			return -1;
	}
	set_from(w, info->key);
	return 0;
}

static int annotate_one(struct annotate *w, const struct annotation_info *info, const char *value)
{
	switch (policy_keys[info->key].kind) {
	case KIND_WORD:
	case KIND_SWITCH: return annotate_word(w, info->key, value);
	case KIND_NAMES:
	case KIND_PATHS: return annotate_list(w, info, value);
	case KIND_COUNT:
	case KIND_PROFILE:
	case KIND_FILE:
	case KIND_ANNOTATED: break; /* the table has none of these */
	}
	return 0;
}

static int refuse_unknown(struct annotate *w, const struct pairs *annotations)
{
	const struct annotation_info *i;
	struct str known;
	size_t n;

	for (n = 0; n < annotations->n; n++) {
		w->key = annotations->v[n].key;
		if (strncmp(w->key, POLICY_ANNOTATION_PREFIX, strlen(POLICY_ANNOTATION_PREFIX)) !=
			    0 ||
		    policy_annotation_find(w->key))
			continue;
		str_init(&known, w->arena, 512);
		for (i = policy_annotations; i->name; i++)
			str_printf(&known, "%s%s", i == policy_annotations ? "" : ", ", i->name);
		fail(w->err, 0, "unknown annotation of credsbox (known are %s)", known.s);
		return fail_here(w);
	}
	return 0;
}

int policy_annotate(struct arena *a, struct policy *p, const struct pairs *annotations,
		    struct err *e)
{
	struct policy changed = *p;
	struct annotate w = { .arena = a, .p = &changed, .err = e };
	const struct annotation_info *info;
	size_t n;

	policy_unshare(a, &changed);
	if (refuse_unknown(&w, annotations))
		return -1;
	for (info = policy_annotations; info->name; info++) {
		for (n = 0; n < annotations->n; n++) {
			w.key = annotations->v[n].key;
			if (policy_annotation_find(w.key) == info &&
			    annotate_one(&w, info, annotations->v[n].value))
				return -1;
		}
	}
	changed.next_level += POLICY_MAX_PRIORITY + 1;
	*p = changed;
	return 0;
}
