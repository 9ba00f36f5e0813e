// SPDX-License-Identifier: Apache-2.0
/* A plan for people to read and for programs to parse; never with a value in it. */
#include "explain.h"

#include <string.h>

#include "../base/jsonw.h"
#include "../base/str.h"
#include "../base/banned.h"

enum { TEXT_MAX = 64 * 1024 * 1024, WIDTH_MAX = 40, PATH_SHOWN = 128, CAP_SHOWN = 40 };

/* Up to the '=' of an entry: names may be shown, values may not. */
static const char *entry_name(struct arena *a, const struct plan *p, const char *entry)
{
	return plan_name(a, &p->secrets, entry, strcspn(entry, "="));
}

/* Paths are names; but what looks like a credential is not shown, wherever it stands. */
static const char *shown_path(const struct plan *p, const char *path)
{
	return plan_may_show(&p->secrets, path, strlen(path)) ? path : "(withheld)";
}

/* A long key is shown by its beginning, and that of a value nobody would know again. Each key stands for itself:
 * what is before it does not make it harmless.
 */
static const char *shown_place(const struct plan *p, const char *place)
{
	const char *key;
	size_t n;

	if (strstr(place, "..."))
		return "(withheld)";
	for (key = place; *key; key += n + (key[n] != '\0')) {
		n = strcspn(key, ".[]\"");
		if (!plan_may_show(&p->secrets, key, n))
			return "(withheld)";
	}
	return shown_path(p, place);
}

/* Capabilities that are unknown here come from newer kernels, and look like the others. */
static const char *shown_cap(const struct plan *p, const char *name)
{
	size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return name[n] || n > CAP_SHOWN ? "(withheld)" : shown_path(p, name);
}

static const char *ns_state(const struct ns *ns)
{
	return !ns->listed ? "shared with the host" : ns->path ? "joined" : "new";
}

const char *explain_summary(struct arena *a, const struct plan *p)
{
	static const struct {
		enum cut_action action;
		const char *verb;
	} verbs[] = {
		{ ACTION_REFUSE, "refuses" },   { ACTION_REMOVE, "removes" },
		{ ACTION_DUMMY, "replaces" },   { ACTION_MASK, "masks" },
		{ ACTION_ISOLATE, "isolates" }, { ACTION_RECORD, "records" },
		{ ACTION_ALLOW, "allows" },
	};
	struct str s;
	size_t i, k, n;

	str_init(&s, a, 1024);
	for (i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
		bool first = true;

		for (k = CUT_ENV; k < CUT_COUNT; k++) {
			size_t c;

			for (c = n = 0; c < p->n_cuts; c++)
				n += p->cuts[c].action == verbs[i].action &&
				     p->cuts[c].kind == (enum cut_kind)k;
			if (!n)
				continue;
			if (first)
				str_printf(&s, "%s%s ", s.len ? "; " : "", verbs[i].verb);
			str_printf(&s, "%s%zu %s", first ? "" : ", ", n,
				   cut_kind_name((enum cut_kind)k));
			first = false;
		}
	}
	if (!s.len)
		str_add(&s, "nothing to strip");
	return s.s;
}

static void pad(struct str *s, const char *text, size_t width)
{
	str_printf(s, "%-*s  ", (int)width, text);
}

static size_t widest(const struct plan *p, bool names)
{
	size_t i, n, max = 4;

	for (i = 0; i < p->n_cuts; i++) {
		n = strlen(names ? p->cuts[i].name : p->cuts[i].where);
		if (n > max && n <= WIDTH_MAX)
			max = n;
	}
	return max;
}

static const char *action_colour(enum cut_action a)
{
	switch (a) {
	case ACTION_REMOVE:
	case ACTION_REFUSE: return "\033[31m";
	case ACTION_DUMMY:
	case ACTION_MASK:
	case ACTION_ISOLATE: return "\033[33m";
	case ACTION_RECORD:
	case ACTION_ALLOW: return "\033[36m";
	}
	return "";
}

static void add_cuts(struct str *s, const struct plan *p, bool colour)
{
	size_t i, where = widest(p, false), name = widest(p, true);

	for (i = 0; i < p->n_cuts; i++) {
		const struct cut *c = &p->cuts[i];

		str_printf(s, "%s%-7s%s  ", colour ? action_colour(c->action) : "",
			   cut_action_name(c->action), colour ? "\033[0m" : "");
		pad(s, cut_kind_name(c->kind), 10);
		pad(s, c->where, where);
		pad(s, c->name, name);
		str_printf(s, "%s: %s\n", c->rule, c->why);
		if (c->keep && c->action != ACTION_ALLOW)
			str_printf(s, "         to keep it: %s\n", c->keep);
	}
	if (p->n_cuts)
		str_add(s, "\n");
}

static void add_list(struct str *s, const char *title, const char *item, size_t *column)
{
	size_t n = strlen(item);

	if (!*column) {
		str_printf(s, "%-12s", title);
		*column = 12;
	} else if (*column + n + 2 > 96) {
		str_printf(s, ",\n%12s", "");
		*column = 12;
	} else {
		str_add(s, ", ");
		*column += 2;
	}
	str_add(s, item);
	*column += n;
}

static void end_list(struct str *s, size_t *column)
{
	if (*column)
		str_add(s, "\n");
	*column = 0;
}

static void add_kept(struct arena *a, struct str *s, const struct plan *p)
{
	size_t i, k, column = 0;

	for (i = 0; i < p->n_env; i++)
		add_list(s, "keeps env", entry_name(a, p, p->env[i]), &column);
	end_list(s, &column);
	for (i = 0; i < p->n_mounts; i++)
		add_list(s, "mounts",
			 printable(a, shown_path(p, p->mounts[i]->destination), PATH_SHOWN),
			 &column);
	end_list(s, &column);
	for (k = 0; k < HOOK_COUNT; k++)
		for (i = 0; i < p->n_hooks[k]; i++)
			add_list(s, "hooks",
				 arena_printf(a, "%s %s", hook_name((enum hook_kind)k),
					      printable(a, shown_path(p, p->hooks[k][i].hook->path),
							PATH_SHOWN)),
				 &column);
	end_list(s, &column);
	for (k = 0; k < NS_COUNT; k++)
		add_list(s, "namespaces",
			 arena_printf(a, "%s %s", ns_name((enum ns_type)k), ns_state(&p->ns[k])),
			 &column);
	end_list(s, &column);
	for (i = 0; i < p->bundle->unknown.n; i++)
		add_list(s, "unknown", shown_place(p, p->bundle->unknown.v[i]), &column);
	end_list(s, &column);
	for (i = 0; i < p->bundle->process.caps.unknown.n; i++)
		add_list(s, "unknown cap", shown_cap(p, p->bundle->process.caps.unknown.v[i]),
			 &column);
	end_list(s, &column);
}

const char *explain_text(struct arena *a, const struct plan *p, bool colour)
{
	const struct facts *f = p->facts;
	struct str s;

	str_init(&s, a, TEXT_MAX);
	add_cuts(&s, p, colour);
	add_kept(a, &s, p);
	str_printf(&s,
		   "kernel      Linux %s, Landlock %s%.0d, seccomp %s, user namespaces %s, cgroup "
		   "%s\n",
		   f->kernel, f->landlock_abi ? "ABI " : "none", f->landlock_abi,
		   f->has_seccomp ? "yes" : "no", f->has_user_ns ? "yes" : "no", f->cgroup);
	str_printf(&s, "seccomp     floor %s, profile %s\n", policy_floor_name(p->floor),
		   plan_profile_name(p->profile));
	if (p->lacks)
		str_printf(&s, "warning     nothing could be started here: %s\n", p->lacks);
	if (f->scan_incomplete)
		str_add(&s,
			"warning     the scan could not look everywhere: more credentials may be "
			"there\n");
	str_printf(&s, "\nmode %s: %s\n", policy_mode_name(p->policy->mode), explain_summary(a, p));
	return s.s;
}

static void json_cuts(struct jsonw *w, const struct plan *p)
{
	size_t i;

	jsonw_key(w, "cuts");
	jsonw_array(w);
	for (i = 0; i < p->n_cuts; i++) {
		const struct cut *c = &p->cuts[i];

		jsonw_object(w);
		jsonw_kv(w, "kind", cut_kind_name(c->kind));
		jsonw_kv(w, "where", c->where);
		jsonw_kv(w, "name", c->name);
		jsonw_kv(w, "rule", c->rule);
		jsonw_kv(w, "action", cut_action_name(c->action));
		jsonw_kv(w, "why", c->why);
		if (c->keep)
			jsonw_kv(w, "keep", c->keep);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void json_kept(struct arena *a, struct jsonw *w, const struct plan *p)
{
	size_t i, k;

	jsonw_key(w, "env");
	jsonw_array(w);
	for (i = 0; i < p->n_env; i++)
		jsonw_string(w, entry_name(a, p, p->env[i]));
	jsonw_end(w);
	jsonw_key(w, "mounts");
	jsonw_array(w);
	for (i = 0; i < p->n_mounts; i++)
		jsonw_string(w, shown_path(p, p->mounts[i]->destination));
	jsonw_end(w);
	jsonw_key(w, "masks");
	jsonw_array(w);
	for (i = 0; i < p->n_masks; i++)
		jsonw_string(w, shown_path(p, p->masks[i].path));
	jsonw_end(w);
	jsonw_key(w, "namespaces");
	jsonw_object(w);
	for (k = 0; k < NS_COUNT; k++)
		jsonw_kv(w, ns_name((enum ns_type)k),
			 !p->ns[k].listed ? "shared"
			 : p->ns[k].path  ? "joined"
					  : "new");
	jsonw_end(w);
}

static void json_hooks(struct jsonw *w, const struct plan *p)
{
	size_t i, k;

	jsonw_key(w, "hooks");
	jsonw_array(w);
	for (k = 0; k < HOOK_COUNT; k++)
		for (i = 0; i < p->n_hooks[k]; i++) {
			jsonw_object(w);
			jsonw_kv(w, "kind", hook_name((enum hook_kind)k));
			jsonw_kv(w, "path", shown_path(p, p->hooks[k][i].hook->path));
			jsonw_end(w);
		}
	jsonw_end(w);
}

static void json_unknown(struct jsonw *w, const struct plan *p)
{
	const struct strings *caps = &p->bundle->process.caps.unknown;
	size_t i;

	jsonw_key(w, "unknown");
	jsonw_array(w);
	for (i = 0; i < p->bundle->unknown.n; i++)
		jsonw_string(w, shown_place(p, p->bundle->unknown.v[i]));
	jsonw_end(w);
	jsonw_key(w, "unknownCapabilities");
	jsonw_array(w);
	for (i = 0; i < caps->n; i++)
		jsonw_string(w, shown_cap(p, caps->v[i]));
	jsonw_end(w);
}

const char *explain_json(struct arena *a, const struct plan *p)
{
	const struct facts *f = p->facts;
	struct jsonw *w = jsonw_new(a, true);

	jsonw_object(w);
	jsonw_kv_int(w, "version", 1);
	jsonw_kv(w, "mode", policy_mode_name(p->policy->mode));
	jsonw_kv_bool(w, "refused", p->refused);
	jsonw_kv_int(w, "stripped", (int64_t)plan_stripped(p));
	json_cuts(w, p);
	json_kept(a, w, p);
	json_hooks(w, p);
	json_unknown(w, p);
	jsonw_key(w, "kernel");
	jsonw_object(w);
	jsonw_kv(w, "release", f->kernel);
	jsonw_kv_int(w, "landlock", f->landlock_abi);
	jsonw_kv_bool(w, "seccomp", f->has_seccomp);
	jsonw_kv_bool(w, "userNamespaces", f->has_user_ns);
	jsonw_kv(w, "cgroup", f->cgroup);
	jsonw_end(w);
	jsonw_key(w, "seccomp");
	jsonw_object(w);
	jsonw_kv(w, "floor", policy_floor_name(p->floor));
	jsonw_kv(w, "profile", plan_profile_name(p->profile));
	jsonw_end(w);
	jsonw_kv_bool(w, "scanIncomplete", f->scan_incomplete);
	jsonw_key(w, "lacks");
	if (p->lacks)
		jsonw_string(w, p->lacks);
	else
		jsonw_null(w);
	jsonw_end(w);
	return jsonw_text(w, NULL);
}
