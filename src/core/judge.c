// SPDX-License-Identifier: Apache-2.0
/* Policy and detection together, on one variable or one path. */
#include "plan.h"

#include <string.h>

#include "chars.h"
#include "dummy.h"
#include "../base/banned.h"

enum { WORD_LONG = 8 };

static void set(struct judgement *j, enum verdict verdict, const char *rule, const char *why)
{
	j->f.verdict = verdict;
	j->f.rule = rule;
	j->f.why = why;
}

/* Is everything between these parts a stand-in, too, or too plain to be a secret? */
static bool is_plain_or_dummy(const char *s, size_t len)
{
	static const struct finding whole;
	size_t i, start = 0;
	bool has_digit = false;

	for (i = 0; i <= len; i++) {
		if (i < len && (is_alnum(s[i]) || s[i] == '_' || s[i] == '-')) {
			has_digit |= is_digit(s[i]);
			continue;
		}
		if (has_digit && i - start >= WORD_LONG && !dummy_is(s + start, i - start, &whole))
			return false;
		has_digit = false;
		start = i + 1;
	}
	return true;
}

/* A name may say of a value with several secrets that all of it is one. With stand-ins for the
 * secrets it says so still: then the value is judged part by part. It has parts only if they were found,
 * or not looked for.
 */
static bool is_stand_in(const struct policy *p, const char *value, size_t len,
			const struct finding *f)
{
	struct finding parts;
	size_t from = 0;
	unsigned k;

	if (dummy_is(value, len, f))
		return true;
	if (f->n_secret || (p->env_values && !f->is_whole))
		return false;
	if (detect_value(value, len, &parts) == VERDICT_KEEP || !parts.n_secret ||
	    !dummy_is(value, len, &parts))
		return false;
	for (k = 0; k < parts.n_secret; k++) {
		if (!is_plain_or_dummy(value + from, parts.secret[k].off - from))
			return false;
		from = parts.secret[k].off + parts.secret[k].len;
	}
	return is_plain_or_dummy(value + from, len - from);
}

void plan_judge_env(const struct policy *p, const char *name, const char *value, size_t len,
		    struct judgement *j)
{
	static const struct finding whole;
	const struct policy_rule *rule = policy_env_rule(p, name);
	size_t name_len = strlen(name);
	bool is_dummy = false;

	*j = (struct judgement){ .action = ACTION_REMOVE };
	if (rule && rule->action == RULE_ALLOW) {
		/* Allowing a name says nothing of what somebody puts into it. */
		if (p->env_values)
			detect_value(value, len, &j->f);
	} else {
		detect_env(name, name_len, value, len, p->env_values, &j->f);
	}
	if (j->f.verdict == VERDICT_CREDENTIAL && is_stand_in(p, value, len, &j->f)) {
		*j = (struct judgement){ .action = ACTION_REMOVE, .is_settled = true };
		is_dummy = true;
	}
	if (!rule)
		return;

	switch (rule->action) {
	case RULE_MASK: break;
	case RULE_ALLOW: j->is_settled = true; break;
	case RULE_ALLOW_FORCE:
		j->action = ACTION_ALLOW;
		j->is_settled = true;
		break;
	case RULE_REMOVE:
		set(j, VERDICT_CREDENTIAL, "policy:env.remove", "a policy says so");
		break;
	case RULE_DUMMY:
		/* Nothing to hide: it is empty, a stand-in already, or a URL without a secret. */
		if (!len || is_dummy || dummy_is(value, len, &whole) ||
		    (j->f.verdict == VERDICT_KEEP && memmem(value, len, "://", 3)))
			break;
		if (j->f.verdict == VERDICT_KEEP)
			set(j, VERDICT_CREDENTIAL, "policy:env.dummy", "a policy says so");
		j->action = ACTION_DUMMY;
		break;
	}
}

void plan_judge_path(const struct policy *p, const char *path, struct judgement *j)
{
	const struct policy_rule *rule = policy_path_rule(p, path);

	*j = (struct judgement){ .action = ACTION_REMOVE };
	if (rule && rule->action == RULE_MASK) {
		set(j, VERDICT_CREDENTIAL, "policy:paths.mask", "a policy says so");
		return;
	}
	detect_path(path, strlen(path), &j->f);
	if (j->f.is_ancestor)
		j->action = ACTION_MASK;
	if (rule && j->f.verdict != VERDICT_KEEP)
		j->action = ACTION_ALLOW;
}
