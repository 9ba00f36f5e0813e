// SPDX-License-Identifier: Apache-2.0
/* Variables that look random beside a credential of the same stem: ACME_BOX next to ACME_SECRET. */
#include "plan_work.h"

#include <stdlib.h>
#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { STEM_SHORTEST = 3 };

struct stem {
	const char *s;
	size_t len;
};

static int by_text(const void *a, const void *b)
{
	const struct stem *x = a, *y = b;
	int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	return order ? order : x->len < y->len ? -1 : x->len > y->len;
}

static struct stem stem_of(const struct env_entry *v)
{
	const char *last = memrchr(v->name, '_', v->name_len);

	return (struct stem){ v->name, last ? (size_t)(last - v->name) : 0 };
}

/* Ids, names and digests are random too, and public: their last word says so. */
static bool says_public(const struct env_entry *v)
{
	static const char *const words[] = {
		"ACCOUNT",  "APP",     "BUCKET",    "CHECKSUM", "CLIENT", "COMMIT",   "DIGEST",
		"ENDPOINT", "ETAG",    "HASH",      "HOST",     "ID",     "IDS",      "IMAGE",
		"NAME",     "ORG",     "PROJECT",   "REF",      "REGION", "REVISION", "SHA",
		"SHA256",   "TAG",     "TENANT",    "URI",      "URL",    "USER",     "USERNAME",
		"UUID",     "VERSION", "WORKSPACE", "ZONE",
	};
	struct stem stem = stem_of(v);
	const char *last = v->name + stem.len + 1;
	size_t i, len = v->name_len - stem.len - 1;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (text_is_nocase(last, len, words[i]))
			return true;
	return memmem(v->name, v->name_len, "PUBLIC", 6) ||
	       memmem(v->name, v->name_len, "public", 6);
}

void plan_near(struct plan_work *w, const struct env *env, struct judgement *js)
{
	struct stem *stems = arena_array(w->arena, env->n, sizeof *stems), stem;
	size_t i, n = 0;

	if (!w->policy->env_values)
		return;
	for (i = 0; i < env->n; i++) {
		stem = stem_of(&env->v[i]);
		if (js[i].f.verdict == VERDICT_CREDENTIAL && js[i].action != ACTION_ALLOW &&
		    !strncmp(js[i].f.rule, "env-name:", 9) && stem.len >= STEM_SHORTEST)
			stems[n++] = stem;
	}
	if (!n)
		return;
	qsort(stems, n, sizeof *stems, by_text);
	for (i = 0; i < env->n; i++) {
		const struct env_entry *v = &env->v[i];

		stem = stem_of(v);
		if (js[i].f.verdict != VERDICT_KEEP || js[i].is_settled ||
		    stem.len < STEM_SHORTEST || !bsearch(&stem, stems, n, sizeof *stems, by_text) ||
		    says_public(v) || !detect_is_random(v->value, v->value_len))
			continue;
		js[i].f = (struct finding){
			.verdict = VERDICT_CREDENTIAL,
			.rule = "env-value:neighbour",
			.why = "random-looking, beside a credential of the same stem"
		};
		js[i].action = ACTION_REMOVE;
	}
}
