// SPDX-License-Identifier: Apache-2.0
/* The decision: bundle + policy + facts -> plan. Nothing is decided anywhere else. */
#include "plan.h"

#include <string.h>

#include "chars.h"
#include "plan_work.h"
#include "policy_keys.h"
#include "../base/hash.h"
#include "../base/str.h"
#include "../base/banned.h"

enum { NAME_SHOWN = 128 };

const char *cut_kind_name(enum cut_kind k)
{
	static const char *const names[] = {
		[CUT_ENV] = "env",   [CUT_MOUNT] = "mount",           [CUT_PATH] = "path",
		[CUT_ARG] = "arg",   [CUT_ANNOTATION] = "annotation", [CUT_FD] = "fd",
		[CUT_HOOK] = "hook", [CUT_NAMESPACE] = "namespace",   [CUT_TEXT] = "annotation",
	};

	return names[k];
}

const char *cut_action_name(enum cut_action a)
{
	static const char *const names[] = {
		[ACTION_REMOVE] = "remove",   [ACTION_DUMMY] = "dummy",   [ACTION_MASK] = "mask",
		[ACTION_ISOLATE] = "isolate", [ACTION_RECORD] = "record", [ACTION_ALLOW] = "allow",
		[ACTION_REFUSE] = "refuse",
	};

	return names[a];
}

static bool is_dot(char c)
{
	return c == '.';
}

static bool parts_words(char c)
{
	return !is_alnum(c);
}

static bool has_part_in(const struct secrets *s, const char *name, size_t len, bool (*parts)(char))
{
	size_t begin, end;
	struct span at;

	for (begin = 0; begin < len; begin = end + 1) {
		for (end = begin; end < len && !parts(name[end]); end++)
			;
		if (secrets_find(s, name + begin, end - begin, &at))
			return true;
	}
	return false;
}

/* Names are made of parts in more ways than text is: a.b, A_B, a-b. */
static bool holds_cut_value(const struct secrets *s, const char *name, size_t len)
{
	struct span at;

	return s && s->n &&
	       (secrets_find(s, name, len, &at) || has_part_in(s, name, len, is_dot) ||
		has_part_in(s, name, len, parts_words));
}

/* A line of a key that was taken for NAME=VALUE, or a trick: not ours to repeat. */
bool plan_may_show(const struct secrets *s, const char *name, size_t len)
{
	struct finding f;

	return detect_value(name, len, &f) == VERDICT_KEEP && !holds_cut_value(s, name, len);
}

const char *plan_name(struct arena *a, const struct secrets *s, const char *name, size_t len)
{
	if (len > NAME_SHOWN || !plan_may_show(s, name, len))
		return "(withheld)";
	return printable_n(a, name, len, NAME_SHOWN);
}

static bool has_fit_key(struct plan_work *w, const struct json *at)
{
	size_t len = at->key ? strlen(at->key) : 0;

	return len <= NAME_SHOWN && (!len || plan_may_show(&w->secrets, at->key, len));
}

/* The place of a member has its key in it, and those of all that it is in. */
static const char *place_of(struct plan_work *w, const struct json *at)
{
	const struct json *up, *unfit = NULL;

	for (up = at; up; up = up->parent)
		if (!has_fit_key(w, up))
			unfit = up;
	if (unfit)
		return arena_printf(w->arena, "%s[%zu]", json_path(w->arena, unfit->parent),
				    unfit->index);
	return json_path(w->arena, at);
}

/* The line has the path or the name in it, which may be another than the one that is shown. */
static const char *keep_of(struct plan_work *w, const char *keep)
{
	return keep && !holds_cut_value(&w->secrets, keep, strlen(keep)) ? keep : NULL;
}

enum cut_action plan_action(const struct policy *p, enum cut_action asked)
{
	if (asked == ACTION_ALLOW)
		return asked;
	switch (p->mode) {
	case MODE_OBSERVE: return ACTION_RECORD;
	case MODE_STRIP: return asked;
	case MODE_ENFORCE: return asked == ACTION_ISOLATE ? asked : ACTION_REFUSE;
	}
	return ACTION_REFUSE;
}

enum cut_action plan_cut(struct plan_work *w, const struct item *item)
{
	struct plan *p = w->plan;
	struct cut *c = arena_push(w->arena, p->cuts, p->n_cuts);
	uint8_t digest[HASH_SIZE];

	*c = (struct cut){
		.kind = item->kind,
		/* Those are closed in any case, and are no fault of the bundle's. */
		.action =
			item->kind == CUT_FD ? item->action : plan_action(w->policy, item->action),
		.where = item->where ? item->where : place_of(w, item->at),
		.name = plan_name(w->arena, &w->secrets, item->name, strlen(item->name)),
		.rule = item->rule,
		.why = item->why,
		.keep = keep_of(w, item->keep),
		.length = item->length,
		.at = item->at,
		.instead = item->instead,
	};
	if (item->value) {
		hash_hmac(w->facts->key, sizeof w->facts->key, item->value, item->length, digest);
		memcpy(c->fingerprint, digest, sizeof c->fingerprint);
	}
	p->refused |= c->action == ACTION_REFUSE;
	return c->action;
}

bool plan_same_value(const struct plan_work *w, const char *text, size_t len, struct finding *f)
{
	struct span at;

	if (!secrets_find(&w->secrets, text, len, &at))
		return false;
	*f = (struct finding){
		.verdict = VERDICT_CREDENTIAL,
		.rule = "same-value",
		.why = "it holds a value that was cut elsewhere",
		.secret = { at },
		.n_secret = 1,
	};
	return true;
}

void plan_remember(struct plan_work *w, const char *text, const struct finding *f)
{
	unsigned k;

	for (k = 0; k < f->n_secret; k++)
		secrets_add(&w->secrets, text + f->secret[k].off, f->secret[k].len);
}

/* A user namespace of its own where nothing that the bundle shares would be lost by it. */
static bool wants_user_ns(const struct plan_work *w)
{
	int t;

	switch (w->policy->user_ns) {
	case USERNS_BUNDLE: return false;
	case USERNS_ALWAYS: return true;
	case USERNS_AUTO: break;
	}
	if (w->facts->uid)
		return true;
	for (t = 0; t < NS_COUNT; t++)
		if (t != NS_USER && t != NS_TIME && t != NS_CGROUP &&
		    (!w->plan->ns[t].listed || w->plan->ns[t].path))
			return false;
	return true;
}

/* What a container must not share with the host, and what there is to be seen. */
struct shared_ns {
	enum ns_type type;
	enum policy_key key;
	const char *rule, *why;
};
static const struct shared_ns shared[] = {
	{ NS_NETWORK, KEY_NS_NETWORK, "namespace:network",
	  "the host's network has metadata services and abstract sockets" },
	{ NS_PID, KEY_NS_PID, "namespace:pid",
	  "command lines of the host's processes hold passwords, and some their environment" },
	{ NS_IPC, KEY_NS_IPC, "namespace:ipc",
	  "memory that the host's processes share is open to others" },
};

static void isolate(struct plan_work *w, const struct shared_ns *s)
{
	struct ns *ns = &w->plan->ns[s->type];

	if (ns->listed || policy_get(w->policy, s->key) != SHARING_PRIVATE)
		return;
	ns->listed = plan_cut(w, &(struct item){
					 .kind = CUT_NAMESPACE,
					 .action = ACTION_ISOLATE,
					 .at = w->b->lin.at,
					 .where = "linux.namespaces",
					 .name = ns_name(s->type),
					 .rule = s->rule,
					 .why = s->why,
					 .keep = arena_printf(w->arena, "namespaces: {%s: bundle}",
							      ns_name(s->type)),
				 }) == ACTION_ISOLATE;
}

static void plan_namespaces(struct plan_work *w)
{
	struct ns *ns = w->plan->ns;
	size_t i;

	memcpy(ns, w->b->lin.ns, sizeof w->plan->ns);
	for (i = 0; i < sizeof shared / sizeof shared[0]; i++)
		isolate(w, &shared[i]);

	if (w->policy->mode != MODE_OBSERVE && !ns[NS_USER].listed && wants_user_ns(w))
		ns[NS_USER].listed = true;

	w->plan->cgroup_readonly =
		!ns[NS_CGROUP].listed && (w->policy->mode != MODE_OBSERVE || w->facts->uid);

	/* Without one of its own a root could not be made that hides anything. */
	if (w->policy->mode != MODE_OBSERVE)
		ns[NS_MOUNT].listed = true;
}

int plan_make(struct arena *a, const struct bundle *b, const struct policy *p,
	      const struct facts *f, struct plan *plan, struct err *e)
{
	struct plan_work w = { .arena = a, .b = b, .policy = p, .facts = f, .plan = plan };

	if (f->n_mounts != b->mounts.n)
		return fail(e, 0, "facts: %zu mounts where the bundle has %zu", f->n_mounts,
			    b->mounts.n);

	*plan = (struct plan){ .bundle = b, .policy = p, .facts = f };
	plan_env(&w);
	plan_args(&w);
	plan_mounts(&w);
	plan_fds(&w);
	plan_texts(&w);
	plan_kernel(&w);
	plan_namespaces(&w);
	plan_ids(&w);
	plan->secrets = w.secrets;
	if (b->lin.intel_rdt.set)
		plan->lacks = "linux.intelRdt: not carried out here (remove it)";
	plan_landlock(&w);
	plan_caps(&w);
	plan_seccomp(&w);
	return 0;
}

/* A host name is of that kind too, but it has a value. */
static bool is_shared_namespace(const struct cut *c)
{
	return c->kind == CUT_NAMESPACE && !c->length;
}

/* What people are to know of, and takes nothing from the bundle. */
static bool is_note(const struct cut *c)
{
	return c->action == ACTION_RECORD &&
	       (!strcmp(c->rule, "scan:incomplete") || !strcmp(c->rule, "path:writable-home"));
}

size_t plan_stripped(const struct plan *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->n_cuts; i++)
		n += p->cuts[i].action == ACTION_REFUSE ||
		     (p->cuts[i].action != ACTION_ALLOW && !is_shared_namespace(&p->cuts[i]) &&
		      !is_note(&p->cuts[i]));
	return n;
}
