// SPDX-License-Identifier: Apache-2.0
/* Laws that hold for every plan, tried on random bundles: nothing is lost or kept twice, filtering
 * twice changes nothing, no text shows a value, modes differ in nothing but what they do.
 */
#include <stdlib.h>

#include "../src/base/jsonw.h"
#include "../src/base/str.h"
#include "../src/core/explain.h"
#include "../src/core/filter.h"
#include "../src/core/record.h"
#include "plan_case.h"

enum { BUNDLES = 400, CANARIES = 24, CANARY = 20 };

struct canary {
	char text[CANARY + 1];
	bool may_stay; /* it is where a plan only records it */
};

struct maker {
	uint64_t state;
	struct jsonw *w;
	struct canary canaries[CANARIES];
	size_t n_canaries;
};

/* xorshift: the same bundles on every machine. */
static unsigned pick(struct maker *m, unsigned below)
{
	m->state ^= m->state << 13;
	m->state ^= m->state >> 7;
	m->state ^= m->state << 17;
	return (unsigned)(m->state >> 33) % below;
}

#define PICK(m, list) (list)[pick(m, sizeof(list) / sizeof(list)[0])]

/* A value that stands nowhere else in the bundle, or one that does already. */
static const char *canary(struct maker *m, bool may_stay)
{
	static const char chars[] = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
	struct canary *c;
	size_t i;

	if (m->n_canaries == CANARIES || (m->n_canaries && !pick(m, 4))) {
		c = &m->canaries[pick(m, (unsigned)m->n_canaries)];
	} else {
		c = &m->canaries[m->n_canaries++];
		*c = (struct canary){ 0 };
		for (i = 0; i < CANARY; i++)
			c->text[i] = chars[pick(m, sizeof chars - 1)];
	}
	c->may_stay |= may_stay;
	return c->text;
}

static void put(struct maker *m, const char *fmt, const char *a, const char *b)
{
	char text[512];
	struct str s;
	struct arena arena = { 0 };

	/* One argument or two, at the places of '$'. */
	str_init(&s, &arena, sizeof text);
	for (; *fmt; fmt++) {
		if (*fmt != '$') {
			str_addn(&s, fmt, 1);
			continue;
		}
		str_add(&s, a);
		a = b;
	}
	jsonw_stringn(m->w, s.s, s.len);
	arena_release(&arena);
}

static const char *const plain_names[] = { "LANG",  "EDITOR",     "NODE_ENV", "HOME_PAGE",
					   "COLOR", "MAX_TOKENS", "A",        "SETTING" };
static const char *const secret_names[] = { "DB_PASSWORD", "API_TOKEN", "AWS_SECRET_ACCESS_KEY",
					    "STRIPE_API_KEY", "SESSION_SECRET" };
static const char *const pointer_names[] = { "SSH_AUTH_SOCK", "KUBECONFIG", "DB_PASSWORD_FILE" };
static const char *const plain_values[] = { "",         "1",         "on",       "C.UTF-8",
					    "/usr/bin", "vim",       "a b c",    "x=y",
					    "postgres", "4096",      "\xc3\xa9", "\"quoted\"",
					    "a\\b",     "line\nline" };
static const char *const paths[] = { "/home/alice/.aws", "/srv/data",    "/home/alice",
				     "/run/docker.sock", "/srv/app.key", "/root/.ssh",
				     "/var/lib/x",       "/mnt/one",     "/etc/app/token" };

static void put_variable(struct maker *m, bool may_stay)
{
	/* One after the other: compilers differ in the order of arguments. */
	const char *plain = PICK(m, plain_names), *secret = PICK(m, secret_names);
	const char *value = PICK(m, plain_values), *pointer = PICK(m, pointer_names);

	switch (pick(m, 9)) {
	case 0:
	case 1: put(m, "$=$", plain, value); break;
	case 2: put(m, "$=$", secret, value); break;
	case 3: put(m, "$=$", secret, canary(m, may_stay)); break;
	case 4: put(m, "$=$", plain, canary(m, may_stay)); break;
	case 5: put(m, "$=postgres://app:$@db.internal/x", plain, canary(m, may_stay)); break;
	case 6: put(m, "$=--seed $ -v", plain, canary(m, may_stay)); break;
	case 7: put(m, "$=$", pointer, PICK(m, paths)); break;
	case 8: put(m, "$=$", canary(m, true), "on"); break;
	}
}

static void put_argument(struct maker *m)
{
	static const char *const options[] = { "--token", "--listen", "-v", "--api-key", "--name" };
	const char *option = PICK(m, options);

	switch (pick(m, 6)) {
	case 0: put(m, "$", option, ""); break;
	case 1: put(m, "$=$", option, canary(m, true)); break;
	case 2: put(m, "$", canary(m, true), ""); break;
	case 3: put(m, "$==", canary(m, true), ""); break;
	case 4: put(m, "https://bob:$@h/", canary(m, true), ""); break;
	case 5: put(m, "$", PICK(m, plain_values), ""); break;
	}
}

static void put_list(struct maker *m, const char *key, unsigned most, bool is_env, bool may_stay)
{
	unsigned n = pick(m, most + 1);

	jsonw_key(m->w, key);
	jsonw_array(m->w);
	if (!is_env)
		jsonw_string(m->w, "program");
	for (; n; n--) {
		if (is_env)
			put_variable(m, may_stay);
		else
			put_argument(m);
	}
	jsonw_end(m->w);
}

/* One in four is named as a value that may be cut elsewhere. */
static void put_path(struct maker *m, const char *path)
{
	if (pick(m, 4))
		jsonw_string(m->w, path);
	else
		put(m, "/srv/$", canary(m, true), "");
}

static void put_hooks(struct maker *m)
{
	static const char *const kinds[] = { "prestart",       "createRuntime", "createContainer",
					     "startContainer", "poststart",     "poststop" };
	unsigned k, n;

	jsonw_key(m->w, "hooks");
	jsonw_object(m->w);
	for (k = 0; k < 6; k++) {
		if (pick(m, 3))
			continue;
		jsonw_key(m->w, kinds[k]);
		jsonw_array(m->w);
		for (n = pick(m, 3); n; n--) {
			jsonw_object(m->w);
			jsonw_key(m->w, "path");
			put_path(m, "/usr/bin/hook");
			put_list(m, "args", 2, false, true);
			put_list(m, "env", 4, true,
				 k != HOOK_CREATE_CONTAINER && k != HOOK_START_CONTAINER);
			jsonw_end(m->w);
		}
		jsonw_end(m->w);
	}
	jsonw_end(m->w);
}

static void put_mounts(struct maker *m)
{
	static const char *const types[] = { "bind", "bind", "tmpfs", "overlay", "cifs" };
	unsigned n;

	jsonw_key(m->w, "mounts");
	jsonw_array(m->w);
	for (n = pick(m, 8); n; n--) {
		const char *type = PICK(m, types);

		jsonw_object(m->w);
		jsonw_key(m->w, "destination");
		put_path(m, PICK(m, paths));
		jsonw_kv(m->w, "type", type);
		jsonw_kv(m->w, "source", strcmp(type, "bind") ? type : PICK(m, paths));
		jsonw_key(m->w, "options");
		jsonw_array(m->w);
		jsonw_string(m->w, "rw");
		if (!strcmp(type, "cifs"))
			put(m, "password=$", canary(m, false), "");
		if (!strcmp(type, "overlay"))
			put(m, "lowerdir=/l:$", PICK(m, paths), "");
		jsonw_end(m->w);
		jsonw_end(m->w);
	}
	jsonw_end(m->w);
}

static void put_annotations(struct maker *m)
{
	static const char *const keys[] = { "io.kubernetes.pod.name", "com.example/token",
					    "com.example/note",
					    "org.opencontainers.image.ref.name" };
	unsigned k;

	jsonw_key(m->w, "annotations");
	jsonw_object(m->w);
	for (k = 0; k < 4; k++) {
		if (pick(m, 2))
			continue;
		jsonw_key(m->w, keys[k]);
		if (k == 1)
			put(m, "$", canary(m, false), "");
		else if (pick(m, 2))
			put(m, "{\"a\": \"$\"}", canary(m, false), "");
		else
			put(m, "$", PICK(m, plain_values), "");
	}
	if (!pick(m, 4)) {
		jsonw_key(m->w, canary(m, true));
		put(m, "{\"password\": \"$\"}", canary(m, false), "");
	}
	jsonw_end(m->w);
}

static void make_bundle(struct maker *m, struct arena *a, uint64_t number)
{
	*m = (struct maker){ .state = 0x9e3779b97f4a7c15 * (number + 1) };
	m->w = jsonw_new(a, pick(m, 2));
	jsonw_object(m->w);
	jsonw_kv(m->w, "ociVersion", "1.0.2");
	jsonw_key(m->w, "process");
	jsonw_object(m->w);
	jsonw_kv(m->w, "cwd", "/");
	put_list(m, "args", 6, false, true);
	put_list(m, "env", 12, true, false);
	jsonw_end(m->w);
	jsonw_key(m->w, "root");
	jsonw_object(m->w);
	jsonw_kv(m->w, "path", "rootfs");
	jsonw_end(m->w);
	if (!pick(m, 4))
		jsonw_kv(m->w, "hostname", canary(m, true));
	if (!pick(m, 4))
		jsonw_kv(m->w, canary(m, true), "unknown");
	put_mounts(m);
	put_hooks(m);
	put_annotations(m);
	jsonw_end(m->w);
}

/* Some of the paths, as found below each bind and in the root. */
static void make_found(struct maker *m, struct plan_case *c)
{
	static const char *const names[] = { ".netrc", ".aws/credentials", ".env", "id_rsa" };
	size_t i;

	for (i = 0; i <= c->bundle.mounts.n; i++) {
		const char *at =
			i < c->bundle.mounts.n ? c->bundle.mounts.v[i].destination : "/root";
		struct found *found = NULL, *f;
		size_t n = 0, k;

		for (k = pick(m, 3); k; k--) {
			f = arena_push(&c->arena, found, n);
			f->inside = arena_printf(&c->arena, "%s/%s", at, PICK(m, names));
			f->path = f->inside;
			f->type = pick(m, 2) ? FILE_REGULAR : FILE_DIRECTORY;
			f->rule = "path:test";
			f->why = "it was found";
		}
		if (i == c->bundle.mounts.n) {
			c->facts.root = found;
			c->facts.n_root = n;
		} else if (c->bundle.mounts.v[i].is_bind) {
			c->facts.mounts[i].found = found;
			c->facts.mounts[i].n_found = n;
		}
	}
}

/* How many of some bundles break a law, and the first that did. */
struct law {
	const char *sentence;
	unsigned broken;
	int first;
};

enum {
	LAW_ENV,
	LAW_HOOKS,
	LAW_MOUNTS,
	LAW_TWICE,
	LAW_SHOWN,
	LAW_GONE,
	LAW_OBSERVE,
	LAW_SAME_CUTS,
	LAW_REFUSED,
	LAW_COUNT
};

static struct law laws[] = {
	[LAW_ENV] = { .sentence = "every variable is in the plan or among the cuts, once" },
	[LAW_HOOKS] = { .sentence = "every variable of a hook is, too" },
	[LAW_MOUNTS] = { .sentence = "every mount is, too" },
	[LAW_TWICE] = { .sentence = "filtering twice changes nothing" },
	[LAW_SHOWN] = { .sentence = "no text for people or for the audit shows a value" },
	[LAW_GONE] = { .sentence = "what was cut is nowhere in the filtered text" },
	[LAW_OBSERVE] = { .sentence = "mode observe changes nothing" },
	[LAW_SAME_CUTS] = { .sentence = "every mode lists the same items" },
	[LAW_REFUSED] = { .sentence = "mode enforce refuses when mode strip would strip" },
};

static void hold(int law, bool holds, int number)
{
	if (!holds && !laws[law].broken++)
		laws[law].first = number;
}

static size_t cuts_at(const struct plan *p, const struct json *at, const char **instead)
{
	size_t i, n = 0;

	for (i = 0; i < p->n_cuts; i++)
		if (p->cuts[i].at == at && p->cuts[i].action <= ACTION_DUMMY) {
			*instead = p->cuts[i].instead;
			n++;
		}
	return n;
}

static size_t count_text(const char *const *list, size_t n, const char *text)
{
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		count += list[i] == text;
	return count;
}

static bool env_is_whole(const struct plan *p, const struct env *env, const char *const *kept,
			 size_t n_kept)
{
	size_t i, n, expected = 0;

	for (i = 0; i < env->n; i++) {
		const char *instead = NULL;

		n = cuts_at(p, env->v[i].at, &instead);
		if (n + count_text(kept, n_kept, env->v[i].text) != 1)
			return false;
		if (instead && count_text(kept, n_kept, instead) != 1)
			return false;
		expected += !n || instead;
	}
	return expected == n_kept;
}

static void check_whole(const struct plan_case *c, int number)
{
	const struct plan *p = &c->plan;
	const char *instead = NULL;
	size_t k, i, m, n;
	bool hooks = true, mounts = true;

	hold(LAW_ENV, env_is_whole(p, &c->bundle.process.env, p->env, p->n_env), number);
	for (k = 0; k < HOOK_COUNT; k++) {
		hooks &= p->n_hooks[k] == c->bundle.hooks[k].n;
		for (i = 0; hooks && i < p->n_hooks[k]; i++)
			hooks &= p->hooks[k][i].hook == &c->bundle.hooks[k].v[i] &&
				 env_is_whole(p, &c->bundle.hooks[k].v[i].env, p->hooks[k][i].env,
					      p->hooks[k][i].n_env);
	}
	hold(LAW_HOOKS, hooks, number);
	for (i = 0; i < c->bundle.mounts.n; i++) {
		n = cuts_at(p, c->bundle.mounts.v[i].at, &instead);
		for (m = 0; m < p->n_mounts; m++)
			n += p->mounts[m] == &c->bundle.mounts.v[i];
		mounts &= n == 1;
	}
	hold(LAW_MOUNTS, mounts, number);
}

static const char *filter(struct plan_case *c)
{
	const char *out;
	size_t len;

	if (filter_text(&c->arena, &c->plan, c->text, c->len, &out, &len, &c->err))
		return NULL;
	return out;
}

static void check_twice(struct plan_case *c, const char *policy, const char *once, int number)
{
	struct plan_case again;
	const char *twice;
	size_t i;

	case_read(&again, once, policy);
	again.facts.root = c->facts.root;
	again.facts.n_root = c->facts.n_root;
	for (i = 0; i < c->plan.n_mounts && i < again.facts.n_mounts; i++)
		again.facts.mounts[i] = c->facts.mounts[c->plan.mounts[i] - c->bundle.mounts.v];
	case_plan(&again);
	twice = filter(&again);
	hold(LAW_TWICE, twice && !strcmp(once, twice), number);
	case_end(&again);
}

/* Something that held it went or is on record, and not because a policy named the variable, or
 * for the same value as such a one: then nobody knows which part of it is secret.
 */
static bool is_cut(const struct plan *p, const struct canary *c, enum cut_action most)
{
	size_t i;

	for (i = 0; i < p->n_cuts; i++)
		if (p->cuts[i].at && p->cuts[i].at->type == JSON_STRING &&
		    p->cuts[i].action <= most && strncmp(p->cuts[i].rule, "policy:", 7) &&
		    strcmp(p->cuts[i].rule, "same-value") && strstr(p->cuts[i].at->text, c->text))
			return true;
	return false;
}

static bool shows(const struct maker *m, const struct plan *p, const char *text)
{
	size_t i;

	for (i = 0; i < m->n_canaries; i++)
		if (is_cut(p, &m->canaries[i], ACTION_REFUSE) && strstr(text, m->canaries[i].text))
			return true;
	return false;
}

static void check_shown(const struct maker *m, struct plan_case *c, int number)
{
	static const struct record_context ctx = { "2026-01-02T03:04:05Z", "c", "run" };
	struct record_chain chain = { 0 };
	const struct plan *p = &c->plan;

	hold(LAW_SHOWN,
	     !shows(m, p, explain_text(&c->arena, p, true)) &&
		     !shows(m, p, explain_json(&c->arena, p)) &&
		     !shows(m, p, record_lines(&c->arena, p, &ctx, &chain, NULL)),
	     number);
}

static void check_gone(const struct maker *m, struct plan_case *c, const char *filtered, int number)
{
	size_t i;
	bool gone = true;

	for (i = 0; i < m->n_canaries; i++)
		gone &= m->canaries[i].may_stay || !strstr(filtered, m->canaries[i].text) ||
			!is_cut(&c->plan, &m->canaries[i], ACTION_DUMMY);
	hold(LAW_GONE, gone, number);
}

static bool same_cuts(const struct plan *a, const struct plan *b)
{
	size_t i;

	if (a->n_cuts != b->n_cuts)
		return false;
	for (i = 0; i < a->n_cuts; i++)
		if (a->cuts[i].kind != b->cuts[i].kind || a->cuts[i].rule != b->cuts[i].rule ||
		    strcmp(a->cuts[i].where, b->cuts[i].where) ||
		    strcmp(a->cuts[i].name, b->cuts[i].name))
			return false;
	return true;
}

static void check_modes(const struct maker *m, struct plan_case *c, int number)
{
	const struct plan stripped = c->plan;
	const char *out;
	size_t i;
	bool refused = true;

	c->policy.mode = MODE_OBSERVE;
	case_plan(c);
	out = filter(c);
	hold(LAW_OBSERVE, out && !strcmp(out, c->text) && !c->plan.refused, number);
	hold(LAW_SAME_CUTS, same_cuts(&stripped, &c->plan), number);
	check_shown(m, c, number);

	c->policy.mode = MODE_ENFORCE;
	case_plan(c);
	for (i = 0; i < c->plan.n_cuts; i++)
		refused &= c->plan.cuts[i].action == ACTION_REFUSE ||
			   c->plan.cuts[i].action == ACTION_ISOLATE ||
			   c->plan.cuts[i].action == ACTION_ALLOW;
	hold(LAW_REFUSED,
	     refused && (c->plan.refused || !plan_stripped(&stripped)) &&
		     !filter(c) == c->plan.refused,
	     number);
	hold(LAW_SAME_CUTS, same_cuts(&stripped, &c->plan), number);
	check_shown(m, c, number);
}

static void try_bundle(int number)
{
	static const char *const policies[] = {
		NULL,
		"args: dummy",
		"env: {dummy: ['*_TOKEN', 'A', SETTING]}\nargs: dummy",
		"env: {allow: [LANG, API_TOKEN], remove: [COLOR]}\npaths: {allow: [/root/.ssh]}",
		"scan: {mounts: off}\nnamespaces: {network: bundle}",
	};
	const char *policy = policies[number % 5], *once;
	struct arena a = { 0 };
	struct plan_case c;
	struct maker m;

	make_bundle(&m, &a, (uint64_t)number);
	case_read(&c, jsonw_text(m.w, NULL), policy);
	make_found(&m, &c);
	case_plan(&c);
	check_whole(&c, number);
	check_shown(&m, &c, number);
	once = filter(&c);
	if (once) {
		check_gone(&m, &c, once, number);
		check_twice(&c, policy, once, number);
	}
	check_modes(&m, &c, number);
	case_end(&c);
	arena_release(&a);
}

int main(void)
{
	int i;

	for (i = 0; i < BUNDLES; i++)
		try_bundle(i);
	for (i = 0; i < LAW_COUNT; i++)
		if (!ok(!laws[i].broken, "%s", laws[i].sentence))
			diag("broken by %u of %d bundles, by number %d first", laws[i].broken,
			     BUNDLES, laws[i].first);
	done_testing();
}
