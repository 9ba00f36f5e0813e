// SPDX-License-Identifier: Apache-2.0
/* All other text of a bundle: host names, sysctls, and strings in which nobody would look for a credential. */
#include "plan_work.h"

#include <string.h>

#include "dummy.h"
#include "../base/banned.h"

/* In place of a host name: without one the workload would get the runtime's own. */
static const char withheld[] = "withheld";

static bool is_secret(struct plan_work *w, const char *text, size_t len, struct finding *f)
{
	if (detect_value(text, len, f) == VERDICT_CREDENTIAL && !dummy_is(text, len, f))
		return true;
	return plan_same_value(w, text, len, f);
}

static const char *plan_host_name(struct plan_work *w, const char *name, const struct json *at)
{
	struct finding f;

	if (!name || !is_secret(w, name, strlen(name), &f))
		return name;
	return plan_cut(w,
			&(struct item){
				.kind = CUT_NAMESPACE,
				.action = ACTION_DUMMY,
				.at = at,
				.name = "uts",
				.rule = f.rule,
				.why = f.why,
				.value = name,
				.length = strlen(name),
				.instead = withheld,
			}) == ACTION_DUMMY
		       ? withheld
		       : name;
}

/* The domain name is one, too. */
static void plan_sysctl(struct plan_work *w)
{
	const struct pairs *all = &w->b->lin.sysctl;
	struct pairs *kept = &w->plan->sysctl;
	struct finding f;
	size_t i;

	kept->v = arena_array(w->arena, all->n, sizeof *kept->v);
	for (i = 0; i < all->n; i++) {
		const struct pair *s = &all->v[i];

		if (is_secret(w, s->value, strlen(s->value), &f) &&
		    plan_cut(w, &(struct item){
					.kind = CUT_TEXT,
					.action = ACTION_REMOVE,
					.at = s->at,
					.name = s->key,
					.rule = f.rule,
					.why = f.why,
					.value = s->value,
					.length = strlen(s->value),
				}) == ACTION_REMOVE)
			continue;
		kept->v[kept->n++] = *s;
	}
}

static void record(struct plan_work *w, const struct json *at, const char *text, size_t len)
{
	struct finding f;

	if ((detect_strong(text, len, &f) != VERDICT_CREDENTIAL || dummy_is(text, len, &f)) &&
	    !plan_same_value(w, text, len, &f))
		return;
	plan_cut(w, &(struct item){
			    .kind = CUT_TEXT,
			    .action = ACTION_RECORD,
			    .at = at,
			    .name = at->key ? at->key : "text",
			    .rule = f.rule,
			    .why = f.why,
			    .value = text,
			    .length = len,
		    });
}

/* Is it judged elsewhere, with what is known of its kind? */
static bool has_judge(const struct plan_work *w, const struct json *at)
{
	const struct json *top = w->b->top, *process = json_get(top, "process"), *hooks;
	const char *key = at->key;
	size_t i;

	if (key && at->parent == top &&
	    (!strcmp(key, "annotations") || !strcmp(key, "hostname") || !strcmp(key, "domainname")))
		return true;
	if (key && at->parent == json_get(top, "linux") && !strcmp(key, "sysctl"))
		return true;
	hooks = at->parent && at->parent->parent ? at->parent->parent->parent : NULL;
	if (key && (!strcmp(key, "env") || !strcmp(key, "args")) &&
	    ((process && at->parent == process) || (hooks && hooks == json_get(top, "hooks"))))
		return true;
	for (i = 0; at->parent && at->parent == json_get(top, "mounts") && i < w->b->mounts.n; i++)
		if (w->mount_goes[i] && w->b->mounts.v[i].at == at)
			return true;
	return false;
}

/* Without such a string a bundle means something else, so one with a token or a known secret in it is on record and
 * stays. Depth is bounded by the parser.
 */
static void walk(struct plan_work *w, const struct json *at)
{
	const struct json *v;

	if (has_judge(w, at))
		return;
	if (at->key)
		record(w, at, at->key, strlen(at->key));
	if (at->type == JSON_STRING)
		record(w, at, at->text, at->len);
	for (v = at->first; v; v = v->next)
		walk(w, v);
}

void plan_texts(struct plan_work *w)
{
	struct plan *p = w->plan;

	p->hostname = plan_host_name(w, w->b->hostname, w->b->hostname_at);
	p->domainname = plan_host_name(w, w->b->domainname, w->b->domainname_at);
	plan_sysctl(w);
	walk(w, w->b->top);
}
