/* SPDX-License-Identifier: Apache-2.0 */
/* Any document, planned: what the fuzzers of plan and filter begin with. */
#ifndef FUZZ_PLAN_INPUT_H
#define FUZZ_PLAN_INPUT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/base/yaml.h"
#include "../../src/core/plan.h"

struct input {
	struct bundle bundle;
	struct facts facts;
	struct plan plan;
};

static inline void check(bool holds)
{
	if (!holds)
		abort();
}

/* Stand-ins for some, so that they are met; mode and args come from the input's length. */
static inline void input_policy(struct arena *a, struct policy *p, size_t size)
{
	static const struct policy_layer layer = { .name = "fuzz" };
	static const char text[] = "env: {dummy: ['*TOKEN*', '*URL*'], allow: [A*]}\n";
	const struct json *doc;
	struct err e;

	policy_builtin(a, p);
	check(!yaml_parse(a, text, sizeof text - 1, &doc, &e) &&
	      !policy_merge(a, p, doc, &layer, &e));
	p->mode = size % 16 == 0 ? MODE_OBSERVE : size % 16 == 1 ? MODE_ENFORCE : MODE_STRIP;
	p->args = size % 3 == 0 ? ARGS_RECORD : ARGS_DUMMY;
}

/* Something is found below every other mount, and in the root. */
static inline void input_facts(struct arena *a, const struct bundle *b, struct facts *f)
{
	static struct found root = { "/root/.aws/credentials", "/root/.aws/credentials",
				     FILE_REGULAR, "path:aws", "test" };
	size_t i;

	*f = (struct facts){ .kernel = "6.1.0",
			     .landlock_abi = 2,
			     .cgroup = "v2",
			     .n_mounts = b->mounts.n,
			     .root = &root,
			     .n_root = 1 };
	f->mounts = arena_array(a, b->mounts.n, sizeof *f->mounts);
	for (i = 0; i < b->mounts.n; i++) {
		const struct mount *m = &b->mounts.v[i];
		struct found *found;

		if (!m->is_bind)
			continue;
		f->mounts[i].source = m->source;
		if (strlen(m->destination) % 2)
			continue;
		found = arena_alloc(a, sizeof *found);
		*found = root;
		found->inside = arena_printf(a, "%s/.aws", m->destination);
		f->mounts[i].found = found;
		f->mounts[i].n_found = 1;
	}
}

static inline bool input_plan(struct arena *a, const char *text, size_t size,
			      const struct policy *p, struct input *in)
{
	const struct json *top;
	struct err e;

	if (json_parse(a, text, size, &top, &e) || bundle_read(a, top, &in->bundle, &e))
		return false;
	input_facts(a, &in->bundle, &in->facts);
	return !plan_make(a, &in->bundle, p, &in->facts, &in->plan, &e);
}

#endif
