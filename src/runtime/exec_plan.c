// SPDX-License-Identifier: Apache-2.0
/* The plan of a process that exec brings in: judged like the container's own. */
#include "exec.h"
#include "seal.h"

#include <stddef.h>
#include <string.h>

#include "../base/fd.h"
#include "../base/jsonw.h"
#include "../base/utf8.h"
#include "../core/policy_keys.h"
#include "../sys/facts.h"
#include "../sys/ledger.h"
#include "../base/banned.h"

static int check_text(const char *what, const char *text, struct err *e)
{
	size_t len = strlen(text), at;

	for (at = 0; at < len;) {
		size_t n = utf8_char(text + at, len - at);

		if (!n)
			return fail(e, 0, "%s: not valid UTF-8", what);
		at += n;
	}
	return 0;
}

/* The environment is the container's with --env behind it; the arguments are the command line's. */
static int compose(struct launch *l, const struct exec_args *o, const struct process *base,
		   struct err *e)
{
	struct jsonw *w = jsonw_new(&l->job.scratch, false);
	size_t i;

	jsonw_object(w);
	jsonw_key(w, "process");
	jsonw_object(w);
	jsonw_kv(w, "cwd", o->cwd ? o->cwd : base->cwd);
	jsonw_key(w, "user");
	jsonw_object(w);
	jsonw_kv_int(w, "uid", base->user.uid);
	jsonw_kv_int(w, "gid", base->user.gid);
	jsonw_end(w);
	jsonw_key(w, "args");
	jsonw_array(w);
	for (i = 0; i < o->n_args; i++) {
		if (check_text("argument", o->args[i], e))
			return -1;
		jsonw_string(w, o->args[i]);
	}
	jsonw_end(w);
	jsonw_key(w, "env");
	jsonw_array(w);
	for (i = 0; i < base->env.n; i++)
		jsonw_string(w, base->env.v[i].text);
	for (i = 0; i < o->env.n; i++) {
		if (check_text("--env", o->env.v[i], e))
			return -1;
		jsonw_string(w, o->env.v[i]);
	}
	jsonw_end(w);
	jsonw_end(w);
	jsonw_end(w);
	l->job.text = jsonw_text(w, &l->job.len);
	return 0;
}

/* As conmon and containerd give it: a whole process object. */
static int read_file(struct launch *l, const char *path, struct err *e)
{
	struct jsonw *w = jsonw_new(&l->job.scratch, false);
	const struct json *checked;
	const char *text;
	size_t len;

	if (file_read(&l->job.scratch, path, true, JSON_MAX_SIZE, &text, &len, e) ||
	    json_parse(&l->job.scratch, text, len, &checked, e))
		return fail_in(e, "--process");
	jsonw_object(w);
	jsonw_key(w, "process");
	jsonw_raw(w, text, len);
	jsonw_end(w);
	l->job.text = jsonw_text(w, &l->job.len);
	return 0;
}

static void add_caps(struct capabilities *c, uint64_t more)
{
	c->set = c->set || more;
	c->sets[CAPS_BOUNDING] |= more;
	c->sets[CAPS_EFFECTIVE] |= more;
	c->sets[CAPS_PERMITTED] |= more;
	if (c->sets[CAPS_AMBIENT]) {
		c->sets[CAPS_INHERITABLE] |= more;
		c->sets[CAPS_AMBIENT] |= more;
	}
}

/* What the command line says over what the container's own process has. */
static void override(struct launch *l, const struct exec_args *o, struct process *p)
{
	size_t i;

	if (o->has_user)
		p->user.uid = o->uid;
	if (o->has_group)
		p->user.gid = o->gid;
	if (o->n_groups) {
		uint32_t *all =
			arena_array(&l->job.arena, p->user.n_groups + o->n_groups, sizeof *all);

		for (i = 0; i < p->user.n_groups; i++)
			all[i] = p->user.groups[i];
		for (i = 0; i < o->n_groups; i++)
			all[p->user.n_groups + i] = o->groups[i];
		p->user.groups = all;
		p->user.n_groups += o->n_groups;
	}
	if (o->cwd)
		p->cwd = o->cwd;
	if (o->apparmor)
		p->apparmor_profile = o->apparmor;
	if (o->label)
		p->selinux_label = o->label;
	p->no_new_privileges |= o->no_new_privs;
	add_caps(&p->caps, o->caps);
	p->terminal = o->tty;
}

static int read_process(struct launch *l, const struct exec_args *o, struct err *e)
{
	struct process *base = &l->job.bundle.process, p = { 0 };
	const struct json *top;

	if (o->process ? read_file(l, o->process, e) : compose(l, o, base, e))
		return -1;
	if (json_parse(&l->job.arena, l->job.text, l->job.len, &top, e) ||
	    bundle_read_process(&l->job.arena, json_get(top, "process"), &p, e))
		return -1;
	if (!o->process) {
		base->args = p.args;
		base->env = p.env;
		override(l, o, base);
		return 0;
	}
	p.terminal |= o->tty;
	*base = p;
	return 0;
}

static const struct field rule_fields[] = {
	{ "path", JSON_STRING, field_string, offsetof(struct landlock_rule, path), FIELD_REQUIRED,
	  NULL, NULL },
	{ "allow", JSON_NUMBER, field_u32, offsetof(struct landlock_rule, allow), FIELD_REQUIRED,
	  NULL, NULL },
	{ 0 },
};
static const struct list_of rules_of = { .table = rule_fields,
					 .size = sizeof(struct landlock_rule) };
static const struct range abis = { 0, 1000 };
static const struct field landlock_fields[] = {
	{ "abi", JSON_NUMBER, field_int, offsetof(struct landlock_rules, abi), FIELD_REQUIRED,
	  &abis, NULL },
	{ "scoped", JSON_NUMBER, field_u32, offsetof(struct landlock_rules, scoped), FIELD_REQUIRED,
	  NULL, NULL },
	{ "rules", JSON_ARRAY, field_list, offsetof(struct landlock_rules, v), FIELD_REQUIRED,
	  &rules_of, NULL },
	{ 0 },
};

/* Its filters, by their names. */
struct filters {
	int floor, profile; /* enum policy_floor, enum plan_profile */
};

/* The container's own rules: what joins it may no more than it. */
static int read_landlock(struct launch *l, struct err *e)
{
	const struct json *doc = json_get(l->state.doc, "landlock");
	struct reader r = { .arena = &l->job.arena, .err = e };

	if (!doc)
		return fail(e, 0, "landlock: missing");
	return fields_read(&r, doc, landlock_fields, &l->landlock);
}

/* Which capabilities nobody in the container gets was decided when its namespaces were known. */
static int read_caps_denied(struct launch *l, uint64_t *denied, struct err *e)
{
	static const struct field fields[] = {
		{ "capsDenied", JSON_NUMBER, field_u64, 0, FIELD_REQUIRED, NULL, NULL },
		{ 0 },
	};
	struct reader r = { .arena = &l->job.arena, .err = e };

	return fields_read(&r, l->state.doc, fields, denied);
}

static int read_seccomp(struct launch *l, struct filters *out, struct err *e)
{
	const struct field fields[] = {
		{ "floor", JSON_STRING, field_enum, offsetof(struct filters, floor), FIELD_REQUIRED,
		  policy_keys[KEY_SECCOMP_FLOOR].words, "floor" },
		{ "profile", JSON_STRING, field_enum, offsetof(struct filters, profile),
		  FIELD_REQUIRED, plan_profiles, "profile" },
		{ 0 },
	};
	const struct json *doc = json_get(l->state.doc, "seccomp");
	struct reader r = { .arena = &l->job.arena, .err = e };

	return doc ? fields_read(&r, doc, fields, out) : fail(e, 0, "seccomp: missing");
}

/* The container's own settings, out of its state file, with the new process in place of the first. */
int exec_plan(struct launch *l, const struct exec_args *o, struct err *e)
{
	const struct json *config = json_get(l->state.doc, "config");
	struct job *j = &l->job;
	struct filters filters;
	uint64_t denied;

	if (!config || bundle_read(&j->arena, config, &j->bundle, e) || read_landlock(l, e) ||
	    read_caps_denied(l, &denied, e) || read_seccomp(l, &filters, e))
		return fail(e, 0,
			    "the container's state file is damaged (delete --force removes it)");
	if (!l->landlock.abi && !j->bundle.lin.ns[NS_USER].listed && seal_self(l->global, e))
		return -1;
	if (read_process(l, o, e) || job_policy(j, l->global->policy, e) ||
	    policy_annotate(&j->arena, &j->policy, &j->bundle.annotations, e) ||
	    facts_host(&j->arena, &j->facts, e) || facts_fds(&j->arena, l->n_fds, &j->facts, e) ||
	    ledger_facts(&j->policy, &j->facts, e) ||
	    plan_make(&j->arena, &j->bundle, &j->policy, &j->facts, &j->plan, e))
		return -1;

	/* Its namespaces are as they are; a plan may only wish for others. */
	memcpy(j->plan.ns, j->bundle.lin.ns, sizeof j->plan.ns);
	j->plan.landlock = l->landlock;
	j->plan.floor = (enum policy_floor)filters.floor;
	j->plan.profile = (enum plan_profile)filters.profile;
	j->plan.seccomp = j->bundle.lin.seccomp.set ? &j->bundle.lin.seccomp : NULL;
	plan_deny_caps(&j->plan, denied);
	j->plan.no_new_privs |=
		l->landlock.abi || j->plan.floor != FLOOR_OFF || j->plan.profile > PROFILE_BUNDLE;
	l->no_new_privs = j->plan.no_new_privs;
	return 0;
}
