// SPDX-License-Identifier: Apache-2.0
/* Any two documents (a NUL between them) as two layers: what is shown of them reads as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/base/yaml.h"
#include "../../src/core/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct policy_layer lower = { .name = "lower" }, upper = { .name = "upper" };

static void check(bool holds)
{
	if (!holds)
		abort();
}

static int merge(struct arena *a, struct policy *p, const char *text, size_t len,
		 const struct policy_layer *layer)
{
	const struct json *doc = NULL;
	struct err e = { 0 };

	if ((len && text[0] == '{' ? json_parse : yaml_parse)(a, text, len, &doc, &e) ||
	    policy_merge(a, p, doc, layer, &e)) {
		check(*e.text);
		return -1;
	}
	return 0;
}

/* The policy again, from what is shown of it. */
static const char *reread(struct arena *a, const char *text, struct policy *p)
{
	policy_builtin(a, p);
	check(!merge(a, p, text, strlen(text), &lower));
	return policy_show(a, p);
}

static void same_settings(const struct policy *p, const struct policy *q)
{
	enum policy_key k;

	for (k = 0; k < KEY_COUNT; k++) {
		check(policy_word(p, k) == policy_word(q, k));
		check(!p->locked_by[k] == !q->locked_by[k]);
	}
	check(p->scan_max_files == q->scan_max_files && p->loosen.n == q->loosen.n);
	check(!strcmp(p->seccomp_profile, q->seccomp_profile));
	check(!strcmp(p->audit_file, q->audit_file));
}

/* Each pattern is also a text that it matches, or nearly so. */
static void decide_alike(const struct policy *p, const struct policy *q)
{
	const struct policy_rule *r, *s;
	size_t i;

	for (i = 0; i < p->env.n && i < 200; i++) {
		r = policy_env_rule(p, p->env.v[i].pattern);
		s = policy_env_rule(q, p->env.v[i].pattern);
		check(r && s && r->action == s->action);
	}
	for (i = 0; i < p->paths.n && i < 200; i++) {
		r = policy_path_rule(p, p->paths.v[i].pattern);
		s = policy_path_rule(q, p->paths.v[i].pattern);
		check(r && s && r->action == s->action);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t len = strnlen(text, size), after = len < size ? len + 1 : len;
	struct policy p, again, thrice;
	struct arena a = { 0 };
	const char *shown;

	policy_builtin(&a, &p);
	if (!merge(&a, &p, text, len, &lower)) {
		merge(&a, &p, text + after, size - after, &upper);
		shown = reread(&a, policy_show(&a, &p), &again);
		check(!strcmp(shown, reread(&a, shown, &thrice)));
		same_settings(&p, &again);
		decide_alike(&p, &again);
		if (p.env.n + p.paths.n < 500)
			policy_check(&a, &p, &lower);
	}
	arena_release(&a);
	return 0;
}
