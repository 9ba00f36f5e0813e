// SPDX-License-Identifier: Apache-2.0
/* Policy and detection together, on one variable or one path. */
#include "plan.h"

#include <string.h>

#include "dummy.h"
#include "../base/banned.h"

static void set(struct judgement *j, enum verdict verdict, const char *rule, const char *why)
{
	j->f.verdict = verdict;
	j->f.rule = rule;
	j->f.why = why;
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
	if (j->f.verdict == VERDICT_CREDENTIAL && dummy_is(value, len, &j->f)) {
		*j = (struct judgement){ .action = ACTION_REMOVE };
		is_dummy = true;
	}
	if (!rule)
		return;

	switch (rule->action) {
	case RULE_ALLOW:
	case RULE_MASK: break;
	case RULE_ALLOW_FORCE: j->action = ACTION_ALLOW; break;
	case RULE_REMOVE:
		set(j, VERDICT_CREDENTIAL, "policy:env.remove", "a policy says so");
		break;
	case RULE_DUMMY:
		/* Nothing to hide: it is empty, or it is a stand-in already. */
		if (!len || is_dummy || dummy_is(value, len, &whole))
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
