/* SPDX-License-Identifier: Apache-2.0 */
/* A bundle, a policy and facts from short texts, and the plan of them, for the tests of plans. */
#ifndef TESTS_PLAN_CASE_H
#define TESTS_PLAN_CASE_H

#include <string.h>

#include "../src/base/yaml.h"
#include "../src/core/plan.h"
#include "tap.h"

struct plan_case {
	struct arena arena;
	const char *text; /* of the bundle */
	size_t len;
	struct bundle bundle;
	struct policy policy;
	struct facts facts;
	struct plan plan;
	struct err err;
};

/* Single quotes stand for double ones, so that JSON needs no escapes in C. */
static inline const char *case_json(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text), *c;

	for (c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	return copy;
}

/* What src/sys would say of a host where every bind's source is a directory with nothing in it. */
static inline void case_facts(struct arena *a, const struct bundle *b, struct facts *f)
{
	size_t i;

	*f = (struct facts){ .kernel = "6.1.0",
			     .landlock_abi = 2,
			     .has_seccomp = true,
			     .has_user_ns = true,
			     .cgroup = "v2",
			     .n_mounts = b->mounts.n };
	memset(f->seed, 1, sizeof f->seed);
	memset(f->key, 2, sizeof f->key);
	f->mounts = arena_array(a, b->mounts.n, sizeof *f->mounts);
	for (i = 0; i < b->mounts.n; i++)
		if (b->mounts.v[i].is_bind)
			f->mounts[i] = (struct mount_facts){ .source = b->mounts.v[i].source,
							     .type = FILE_DIRECTORY };
}

static inline void case_policy(struct plan_case *c, const char *yaml)
{
	static const struct policy_layer layer = { .name = "test" };
	const struct json *doc;

	policy_builtin(&c->arena, &c->policy);
	if (yaml && (yaml_parse(&c->arena, yaml, strlen(yaml), &doc, &c->err) ||
		     policy_merge(&c->arena, &c->policy, doc, &layer, &c->err)))
		bail_out("policy: %s", c->err.text);
}

/* Reads a whole document, as it is. The policy is YAML; NULL: the built-in one. */
static inline void case_read(struct plan_case *c, const char *text, const char *policy)
{
	const struct json *top;

	*c = (struct plan_case){ .text = text, .len = strlen(text) };
	if (json_parse(&c->arena, text, c->len, &top, &c->err) ||
	    bundle_read(&c->arena, top, &c->bundle, &c->err))
		bail_out("bundle: %s in %s", c->err.text, text);
	case_policy(c, policy);
	case_facts(&c->arena, &c->bundle, &c->facts);
}

/* A bundle with these further members of "process" and of the document: "'env':['A=b']" and
 * "'hostname':'x'"; NULL: none. It has arguments, and a network and processes of its own unless these say otherwise.
 */
static inline void case_bundle(struct plan_case *c, const char *process, const char *top,
			       const char *policy)
{
	struct arena a = { 0 };
	bool has_args = process && strstr(process, "'args'");
	bool has_linux = top && strstr(top, "'linux'");
	char *text = arena_printf(
		&a, "{'ociVersion':'1.0.2','process':{'cwd':'/'%s%s%s},'root':{'path':'r'}%s%s%s}",
		has_args ? "" : ",'args':['sh']", process ? "," : "", process ? process : "",
		has_linux ? ""
			  : ",'linux':{'namespaces':[{'type':'network'},"
			    "{'type':'pid'},{'type':'ipc'}]}",
		top ? "," : "", top ? top : "");
	const char *json = case_json(&a, text);

	case_read(c, json, policy);
	c->text = arena_strdup(&c->arena, json);
	arena_release(&a);
}

static inline void case_plan(struct plan_case *c)
{
	if (plan_make(&c->arena, &c->bundle, &c->policy, &c->facts, &c->plan, &c->err))
		bail_out("plan: %s", c->err.text);
}

static inline void case_make(struct plan_case *c, const char *process, const char *top,
			     const char *policy)
{
	case_bundle(c, process, top, policy);
	case_plan(c);
}

/* The cut of the item at that place, or the one of that name; none: all empty. */
static inline const struct cut *case_cut(const struct plan_case *c, const char *where_or_name)
{
	static const struct cut none = { .where = "", .name = "", .rule = "", .why = "" };
	size_t i;

	for (i = 0; i < c->plan.n_cuts; i++)
		if (!strcmp(c->plan.cuts[i].where, where_or_name) ||
		    !strcmp(c->plan.cuts[i].name, where_or_name))
			return &c->plan.cuts[i];
	return &none;
}

/* "env remove process.env[0] NAME rule", one a line: what a plan does, to compare at once. */
static inline const char *case_cuts(struct plan_case *c)
{
	const char *all = "";
	size_t i;

	for (i = 0; i < c->plan.n_cuts; i++) {
		const struct cut *k = &c->plan.cuts[i];

		all = arena_printf(&c->arena, "%s%s%s %s %s %s", all, i ? "\n" : "",
				   cut_action_name(k->action), cut_kind_name(k->kind), k->where,
				   k->name);
	}
	return all;
}

/* The entries that stay, with a blank between them. */
static inline const char *case_env(struct plan_case *c)
{
	const char *all = "";
	size_t i;

	for (i = 0; i < c->plan.n_env; i++)
		all = arena_printf(&c->arena, "%s%s%s", all, i ? " " : "", c->plan.env[i]);
	return all;
}

static inline const char *case_mounts(struct plan_case *c)
{
	const char *all = "";
	size_t i;

	for (i = 0; i < c->plan.n_mounts; i++)
		all = arena_printf(&c->arena, "%s%s%s", all, i ? " " : "",
				   c->plan.mounts[i]->destination);
	return all;
}

static inline const char *case_masks(struct plan_case *c)
{
	const char *all = "";
	size_t i;

	for (i = 0; i < c->plan.n_masks; i++)
		all = arena_printf(&c->arena, "%s%s%s%s", all, i ? " " : "", c->plan.masks[i].path,
				   c->plan.masks[i].is_dir ? "/" : "");
	return all;
}

static inline void case_end(struct plan_case *c)
{
	arena_release(&c->arena);
}

#endif
