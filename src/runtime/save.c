// SPDX-License-Identifier: Apache-2.0
/* The state file: all that later commands need of a container, and nothing that was cut. */
#include "launch.h"

#include <string.h>

#include "../base/jsonw.h"
#include "../base/banned.h"

/* Of the process as the bundle has it, these are copied as they stand there; they hold no text of the
 * user's but names of profiles. The environment is the plan's; arguments are nobody's business later.
 */
static const char *const process_keys[] = {
	"user",
	"cwd",
	"capabilities",
	"rlimits",
	"noNewPrivileges",
	"oomScoreAdj",
	"scheduler",
	"apparmorProfile",
	"selinuxLabel",
	"ioPriority",
	"execCPUAffinity",
};

static void copy(struct launch *l, struct jsonw *w, const char *key, const struct json *v)
{
	jsonw_key(w, key);
	jsonw_raw(w, l->job.text + v->start, v->end - v->start);
}

static void strings(struct jsonw *w, const char *key, const char *const *v, size_t n)
{
	size_t i;

	jsonw_key(w, key);
	jsonw_array(w);
	for (i = 0; i < n; i++)
		jsonw_string(w, v[i]);
	jsonw_end(w);
}

/* While a policy only observes, what it would take is in the environment: it stays out of the file. */
static bool is_cut(const struct plan *p, const char *entry)
{
	const struct env *env = &p->bundle->process.env;
	size_t i, k;

	for (i = 0; i < p->n_cuts; i++) {
		if (p->cuts[i].kind != CUT_ENV || p->cuts[i].action != ACTION_RECORD)
			continue;
		for (k = 0; k < env->n; k++)
			if (env->v[k].at == p->cuts[i].at && env->v[k].text == entry)
				return true;
	}
	return false;
}

static void process(struct launch *l, struct jsonw *w)
{
	const struct json *process = json_get(l->job.bundle.top, "process"), *v;
	const struct plan *p = &l->job.plan;
	size_t i;

	jsonw_key(w, "process");
	jsonw_object(w);
	for (i = 0; i < sizeof process_keys / sizeof process_keys[0]; i++) {
		v = json_get(process, process_keys[i]);
		if (v)
			copy(l, w, process_keys[i], v);
	}
	strings(w, "args", (const char *[]){ "-" }, 1);
	jsonw_key(w, "env");
	jsonw_array(w);
	for (i = 0; i < p->n_env; i++)
		if (!is_cut(p, p->env[i]))
			jsonw_string(w, p->env[i]);
	jsonw_end(w);
	jsonw_end(w);
}

static void hook(struct jsonw *w, const struct plan_hook *h)
{
	size_t i;

	jsonw_object(w);
	jsonw_kv(w, "path", h->hook->path);
	jsonw_key(w, "args");
	jsonw_array(w);
	for (i = 0; i < h->hook->args.n; i++)
		jsonw_string(w, h->hook->args.v[i].text);
	jsonw_end(w);
	strings(w, "env", h->env, h->n_env);
	if (h->hook->timeout.set)
		jsonw_kv_int(w, "timeout", h->hook->timeout.v);
	jsonw_end(w);
}

static void hooks(struct launch *l, struct jsonw *w)
{
	static const enum hook_kind kinds[] = { HOOK_POSTSTART, HOOK_POSTSTOP };
	const struct plan *p = &l->job.plan;
	size_t i, k;

	jsonw_key(w, "hooks");
	jsonw_object(w);
	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		jsonw_key(w, hook_name(kinds[i]));
		jsonw_array(w);
		for (k = 0; k < p->n_hooks[kinds[i]]; k++)
			hook(w, &p->hooks[kinds[i]][k]);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void namespaces(struct launch *l, struct jsonw *w)
{
	int t;

	jsonw_key(w, "namespaces");
	jsonw_array(w);
	for (t = 0; t < NS_COUNT; t++) {
		if (!l->job.plan.ns[t].listed)
			continue;
		jsonw_object(w);
		jsonw_kv(w, "type", ns_name(t));
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void namespace_names(struct launch *l, struct jsonw *w)
{
	const char *names[NS_COUNT];
	size_t n = 0;
	int t;

	for (t = 0; t < NS_COUNT; t++)
		if (l->job.plan.ns[t].listed)
			names[n++] = ns_name(t);
	strings(w, "namespaces", names, n);
}

static void annotations(struct launch *l, struct jsonw *w)
{
	const struct plan *p = &l->job.plan;
	size_t i;

	jsonw_key(w, "annotations");
	jsonw_object(w);
	for (i = 0; i < p->n_annotations; i++)
		jsonw_kv(w, p->annotations[i]->key, p->annotations[i]->value);
	jsonw_end(w);
}

/* What exec comes under as well. */
static void landlock(struct launch *l, struct jsonw *w)
{
	const struct landlock_rules *r = &l->job.plan.landlock;
	size_t i;

	jsonw_key(w, "landlock");
	jsonw_object(w);
	jsonw_kv_int(w, "abi", r->abi);
	jsonw_kv_int(w, "scoped", r->scoped);
	jsonw_key(w, "rules");
	jsonw_array(w);
	for (i = 0; i < r->n; i++) {
		jsonw_object(w);
		jsonw_kv(w, "path", r->v[i].path);
		jsonw_kv_int(w, "allow", r->v[i].allow);
		jsonw_end(w);
	}
	jsonw_end(w);
	jsonw_end(w);
}

/* The filters as well; a section that a file of the policy had is among what the bundle says. */
static void seccomp(struct launch *l, struct jsonw *w)
{
	jsonw_key(w, "seccomp");
	jsonw_object(w);
	jsonw_kv(w, "floor", policy_floor_name(l->job.plan.floor));
	jsonw_kv(w, "profile", plan_profile_name(l->job.plan.profile));
	jsonw_end(w);
}

/* What exec needs, in the form of a configuration, so that one reader reads both. */
static void config(struct launch *l, struct jsonw *w)
{
	const struct json *lin = json_get(l->job.bundle.top, "linux");
	static const char *const keys[] = { "seccomp", "personality", "memoryPolicy" };
	const struct json *v;
	size_t i;

	jsonw_key(w, "config");
	jsonw_object(w);
	jsonw_kv(w, "ociVersion", l->state.oci_version);
	jsonw_key(w, "root");
	jsonw_object(w);
	jsonw_kv(w, "path", l->state.rootfs);
	jsonw_end(w);
	process(l, w);
	annotations(l, w);
	jsonw_key(w, "linux");
	jsonw_object(w);
	namespaces(l, w);
	for (i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		v = json_get(lin, keys[i]);
		if (v)
			copy(l, w, keys[i], v);
	}
	if (l->job.plan.profile == PROFILE_FILE) {
		v = l->job.facts.profile_at;
		jsonw_key(w, "seccomp");
		jsonw_raw(w, l->job.facts.profile_text + v->start, v->end - v->start);
	}
	jsonw_end(w);
	jsonw_end(w);
}

const char *save_text(struct launch *l, size_t *len)
{
	struct jsonw *w = jsonw_new(&l->job.arena, false);

	jsonw_object(w);
	jsonw_kv_int(w, "version", 1);
	jsonw_kv(w, "id", l->state.id);
	jsonw_kv(w, "ociVersion", l->state.oci_version);
	jsonw_kv(w, "bundle", l->state.bundle);
	jsonw_kv(w, "rootfs", l->state.rootfs);
	jsonw_kv(w, "created", l->state.created);
	jsonw_kv_int(w, "owner", l->state.owner);
	annotations(l, w);
	jsonw_key(w, "cgroup");
	cgroup_write(w, &l->cgroup);
	namespace_names(l, w);
	hooks(l, w);
	landlock(l, w);
	jsonw_kv_int(w, "capsDenied", (int64_t)l->job.plan.caps_denied);
	seccomp(l, w);
	config(l, w);
	jsonw_end(w);
	return jsonw_text(w, len);
}
