// SPDX-License-Identifier: Apache-2.0
/* Any bundle, planned, explained and recorded: every item is accounted for, no value is shown. */
#include "plan_input.h"

#include "../../src/core/explain.h"
#include "../../src/core/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count(const struct plan *p, enum cut_kind kind, enum cut_action action)
{
	size_t i, n = 0;

	for (i = 0; i < p->n_cuts; i++)
		n += p->cuts[i].kind == kind && p->cuts[i].action == action;
	return n;
}

/* A value that could be told from everything else in the output. */
static bool is_canary(const char *value)
{
	return strstr(value, "CANARY-") && strlen(value) > 12;
}

static bool occurs_twice(const char *text, const char *word)
{
	const char *hit = strstr(text, word);

	return hit && strstr(hit + 1, word);
}

static void check_silence(const struct plan *p, const char *source, const char *output)
{
	const struct env *env = &p->bundle->process.env;
	size_t i, k;

	for (i = 0; i < p->n_cuts; i++)
		for (k = 0; k < env->n; k++)
			if (p->cuts[i].at == env->v[k].at && is_canary(env->v[k].value) &&
			    !occurs_twice(source, env->v[k].value))
				check(!strstr(output, env->v[k].value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct record_context ctx = { "2026-01-02T03:04:05Z", "fuzz", "create" };
	struct record_chain chain = { 0 };
	struct arena a = { 0 };
	struct policy policy;
	const char *source;
	struct input in;
	struct plan *p = &in.plan;

	input_policy(&a, &policy, size);
	source = arena_strndup(&a, (const char *)data, size);
	if (input_plan(&a, source, size, &policy, &in)) {
		check(p->n_env + count(p, CUT_ENV, ACTION_REMOVE) == in.bundle.process.env.n);
		check(p->n_mounts + count(p, CUT_MOUNT, ACTION_REMOVE) == in.bundle.mounts.n);
		check(p->n_annotations + count(p, CUT_ANNOTATION, ACTION_REMOVE) ==
		      in.bundle.annotations.n);
		check(p->n_args == in.bundle.process.args.n);
		check(policy.mode == MODE_ENFORCE || !p->refused);
		check_silence(p, source, explain_text(&a, p, true));
		check_silence(p, source, explain_json(&a, p));
		check_silence(p, source, record_lines(&a, p, &ctx, &chain, NULL));
	}
	arena_release(&a);
	return 0;
}
