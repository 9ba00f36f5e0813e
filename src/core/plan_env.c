// SPDX-License-Identifier: Apache-2.0
/* process.env and the environments of hooks: what goes, what stays, what is replaced. */
#include "plan_work.h"

#include <string.h>

#include "dummy.h"
#include "../base/banned.h"

enum { STAND_IN_TRIES = 4 };

/* Hooks that run in the container's namespaces; the others belong to the engine's side. */
static bool runs_inside(enum hook_kind k)
{
	return k == HOOK_CREATE_CONTAINER || k == HOOK_START_CONTAINER;
}

static struct judgement *judge_all(struct plan_work *w, const struct env *env)
{
	struct judgement *js = arena_array(w->arena, env->n, sizeof *js);
	size_t i;

	for (i = 0; i < env->n; i++)
		plan_judge_env(w->policy, env->v[i].name, env->v[i].value, env->v[i].value_len,
			       &js[i]);
	plan_near(w, env, js);
	return js;
}

static bool is_cut(const struct judgement *j)
{
	return j->f.verdict != VERDICT_KEEP && j->action != ACTION_ALLOW;
}

/* A pointer's value is a path, which is no secret and may well stand elsewhere. */
static void remember(struct plan_work *w, const struct env *env, const struct judgement *js)
{
	size_t i;
	unsigned k;

	for (i = 0; i < env->n; i++) {
		const struct env_entry *v = &env->v[i];

		if (!is_cut(&js[i]) || js[i].f.verdict != VERDICT_CREDENTIAL)
			continue;
		secrets_add(&w->secrets, v->value, v->value_len);
		for (k = 0; k < js[i].f.n_secret; k++)
			secrets_add(&w->secrets, v->value + js[i].f.secret[k].off,
				    js[i].f.secret[k].len);
	}
}

static void judge_again(struct plan_work *w, const struct env *env, struct judgement *js)
{
	struct finding f;
	size_t i;

	for (i = 0; i < env->n; i++) {
		if (js[i].f.verdict != VERDICT_KEEP || js[i].action == ACTION_ALLOW)
			continue;
		if (plan_same_value(w, env->v[i].value, env->v[i].value_len, &f))
			js[i] = (struct judgement){ .f = f, .action = ACTION_REMOVE };
	}
}

/* Allowing the name is enough unless the value shows a credential by itself: that takes force. */
static const char *how_to_keep(struct plan_work *w, const struct env_entry *v,
			       const struct finding *f)
{
	const char *name = plan_name(w->arena, &w->secrets, v->name, v->name_len);
	struct finding value;

	if (!strncmp(f->rule, "policy:", 7))
		return NULL;
	if (strcmp(f->rule, "same-value") != 0 &&
	    detect_value(v->value, v->value_len, &value) == VERDICT_KEEP)
		return arena_printf(w->arena, "env: {allow: [%s]}", name);
	return arena_printf(w->arena, "env: {allow: [{name: %s, force: true}]}", name);
}

/* Would this value be cut? Then *f says for what. */
static bool would_be_cut(struct plan_work *w, const char *name, const char *value,
			 struct finding *f)
{
	struct judgement j;

	plan_judge_env(w->policy, name, value, strlen(value), &j);
	*f = j.f;
	return f->verdict != VERDICT_KEEP || plan_same_value(w, value, strlen(value), f);
}

/* A stand-in must not be cut again where it is met next, nor hold a secret that is known from
 * elsewhere: what is found in it still is replaced as well; should the form of the value always make
 * it look like a secret, all of it is, and at last by a plain word. NULL: not even that is left alone.
 */
static const char *stand_in(struct plan_work *w, const struct env_entry *v, const struct finding *f)
{
	static const struct finding whole = { .verdict = VERDICT_CREDENTIAL };
	const uint8_t *seed = w->facts->seed;
	const char *value = v->value;
	struct finding left = *f;
	int tries;

	for (tries = 0; tries < STAND_IN_TRIES; tries++) {
		value = dummy_make(w->arena, value, strlen(value), &left, seed, w->n_dummies++);
		if (!would_be_cut(w, v->name, value, &left))
			return value;
	}
	value = dummy_make(w->arena, v->value, v->value_len, &whole, seed, w->n_dummies++);
	if (!would_be_cut(w, v->name, value, &left))
		return value;
	value = dummy_make(w->arena, "", 0, &whole, seed, w->n_dummies++);
	return would_be_cut(w, v->name, value, &left) ? NULL : value;
}

static enum cut_action cut_entry(struct plan_work *w, const struct env_entry *v,
				 const struct judgement *j, enum cut_kind kind,
				 enum cut_action action, const char **instead)
{
	const char *value = action == ACTION_DUMMY ? stand_in(w, v, &j->f) : NULL;

	if (value)
		*instead = arena_printf(w->arena, "%s=%s", v->name, value);
	else if (action == ACTION_DUMMY)
		action = ACTION_REMOVE;
	return plan_cut(w, &(struct item){
				   .kind = kind,
				   .action = action,
				   .at = v->at,
				   .name = v->name,
				   .rule = j->f.rule,
				   .why = j->f.why,
				   .keep = how_to_keep(w, v, &j->f),
				   .value = v->value,
				   .length = v->value_len,
				   .instead = *instead,
			   });
}

/* Carries the judgements out: every entry goes to out or to the cuts, or is on record in both. */
static size_t apply(struct plan_work *w, const struct env *env, const struct judgement *js,
		    enum cut_kind kind, bool inside, const char ***out)
{
	const char **kept = arena_array(w->arena, env->n, sizeof *kept);
	size_t i, n = 0;

	for (i = 0; i < env->n; i++) {
		const struct env_entry *v = &env->v[i];
		enum cut_action action = inside ? js[i].action : ACTION_RECORD;
		const char *instead = NULL;

		if (js[i].f.verdict == VERDICT_KEEP) {
			kept[n++] = v->text;
			continue;
		}
		action = cut_entry(w, v, &js[i], kind, action, &instead);
		if (action == ACTION_DUMMY)
			kept[n++] = instead;
		else if (action != ACTION_REMOVE)
			kept[n++] = v->text;
	}
	*out = kept;
	return n;
}

struct hook_work {
	const struct hook *hook;
	enum hook_kind kind;
	struct judgement *js;
};

void plan_env(struct plan_work *w)
{
	const struct env *env = &w->b->process.env;
	struct judgement *js = judge_all(w, env);
	struct hook_work *hooks = NULL, *h;
	size_t n_hooks = 0, k, i;
	struct plan_hook *ph;
	uint64_t seed;

	memcpy(&seed, w->facts->seed, sizeof seed);
	secrets_init(&w->secrets, w->arena, seed);
	for (k = 0; k < HOOK_COUNT; k++)
		for (i = 0; i < w->b->hooks[k].n; i++) {
			h = arena_push(w->arena, hooks, n_hooks);
			h->hook = &w->b->hooks[k].v[i];
			h->kind = (enum hook_kind)k;
			h->js = judge_all(w, &h->hook->env);
		}

	/* All values are known before any place is searched for them. */
	remember(w, env, js);
	for (i = 0; i < n_hooks; i++)
		remember(w, &hooks[i].hook->env, hooks[i].js);
	plan_remember_args(w);
	plan_remember_mounts(w);

	judge_again(w, env, js);
	w->plan->n_env = apply(w, env, js, CUT_ENV, true, &w->plan->env);
	for (i = 0; i < n_hooks; i++) {
		h = &hooks[i];
		judge_again(w, &h->hook->env, h->js);
		ph = arena_push(w->arena, w->plan->hooks[h->kind], w->plan->n_hooks[h->kind]);
		ph->hook = h->hook;
		ph->n_env =
			apply(w, &h->hook->env, h->js, CUT_HOOK, runs_inside(h->kind), &ph->env);
	}
}
