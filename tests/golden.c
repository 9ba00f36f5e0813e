// SPDX-License-Identifier: Apache-2.0
/* Golden plans: config.json + policy.yaml + facts.json -> plan.txt, audit.json, filtered.json.
 *
 * GOLDEN_UPDATE=1 writes the results in place of comparing them; read the diff before committing it.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "../src/base/fd.h"
#include "../src/base/yaml.h"
#include "../src/core/explain.h"
#include "../src/core/filter.h"
#include "../src/core/record.h"
#include "tap.h"

struct golden {
	struct arena arena;
	const char *dir, *name;
	const char *text;
	size_t len;
	struct bundle bundle;
	struct policy policy;
	struct facts facts;
	struct plan plan;
};

static const char *in(struct golden *g, const char *file)
{
	return arena_printf(&g->arena, "%s/%s/%s", g->dir, g->name, file);
}

static const char *string_of(const struct json *obj, const char *key, const char *otherwise)
{
	const struct json *v = json_get(obj, key);

	return v && v->type == JSON_STRING ? v->text : otherwise;
}

static enum file_type type_of(const char *word)
{
	static const char *const words[] = {
		[FILE_MISSING] = "missing",     [FILE_REGULAR] = "file",
		[FILE_DIRECTORY] = "directory", [FILE_SOCKET] = "socket",
		[FILE_DEVICE] = "device",       [FILE_FIFO] = "fifo",
		[FILE_OTHER] = "other",
	};
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (!strcmp(word, words[i]))
			return (enum file_type)i;
	bail_out("facts.json: no file type '%s'", word);
}

/* A file that a scan would have found; its rule is the detector's own unless facts.json has one. */
static size_t read_found(struct golden *g, const struct json *list, const char *host,
			 const char *inside, struct found **out)
{
	const struct json *v;
	struct finding f;
	size_t n = 0;

	for (v = list ? list->first : NULL; v; v = v->next) {
		const char *path = string_of(v, "path", v->text);
		struct found *found = arena_push(&g->arena, *out, n);

		found->path = arena_printf(&g->arena, "%s%s%s", strcmp(host, "/") ? host : "",
					   *path == '/' ? "" : "/", path);
		found->inside = arena_printf(&g->arena, "%s%s%s", strcmp(inside, "/") ? inside : "",
					     *path == '/' ? "" : "/", path);
		found->type = type_of(string_of(v, "type", "file"));
		detect_path(found->path, strlen(found->path), &f);
		found->rule = string_of(v, "rule", f.rule);
		found->why = string_of(v, "why", f.why);
		if (!found->rule)
			bail_out("%s: facts.json: '%s' is no credential", g->name, found->path);
	}
	return n;
}

static void read_facts(struct golden *g)
{
	struct facts *f = &g->facts;
	const struct json *top = NULL, *mounts, *m, *n;
	const char *text;
	struct err e;
	size_t len, i;

	if (file_read(&g->arena, in(g, "facts.json"), false, JSON_MAX_SIZE, &text, &len, &e) ||
	    json_parse(&g->arena, text, len, &top, &e))
		bail_out("%s: facts.json: %s", g->name, e.text);
	*f = (struct facts){
		.kernel = string_of(top, "kernel", "6.1.0"),
		.landlock_abi = 2,
		.has_seccomp = true,
		.has_user_ns = true,
		.cgroup = string_of(top, "cgroup", "v2"),
	};
	n = json_get(top, "uid");
	f->uid = n ? (uint32_t)strtoul(n->text, NULL, 10) : 0;
	n = json_get(top, "landlock");
	if (n)
		f->landlock_abi = (int)strtol(n->text, NULL, 10);
	n = json_get(top, "scanIncomplete");
	f->scan_incomplete = n && !strcmp(n->text, "true");
	memset(f->seed, 0x5e, sizeof f->seed);
	memset(f->key, 0x4b, sizeof f->key);

	f->n_mounts = g->bundle.mounts.n;
	f->mounts = arena_array(&g->arena, f->n_mounts, sizeof *f->mounts);
	mounts = json_get(top, "mounts");
	for (i = 0; i < f->n_mounts; i++) {
		const struct mount *b = &g->bundle.mounts.v[i];
		struct mount_facts *mf = &f->mounts[i];

		m = json_get(mounts, b->destination);
		if (!b->is_bind)
			continue;
		mf->source = string_of(m, "source", b->source);
		mf->type = type_of(string_of(m, "type", "directory"));
		mf->rule = string_of(m, "rule", NULL);
		mf->why = mf->rule ? "it is the same file as a known one" : NULL;
		mf->n_found =
			read_found(g, json_get(m, "found"), mf->source, b->destination, &mf->found);
	}
	f->n_root = read_found(g, json_get(top, "root"), "/", "/", &f->root);
}

static void read_policy(struct golden *g)
{
	static const struct policy_layer layer = { .name = "policy.yaml" };
	const struct json *doc;
	const char *text;
	struct err e;
	size_t len;

	policy_builtin(&g->arena, &g->policy);
	if (file_read(&g->arena, in(g, "policy.yaml"), false, JSON_MAX_SIZE, &text, &len, &e))
		return;
	if (yaml_parse(&g->arena, text, len, &doc, &e) ||
	    policy_merge(&g->arena, &g->policy, doc, &layer, &e))
		bail_out("%s: policy.yaml: %s", g->name, e.text);
}

static void check(struct golden *g, const char *file, const char *got)
{
	const char *want = NULL;
	struct err e;
	size_t len;
	FILE *out;

	if (getenv("GOLDEN_UPDATE")) {
		out = fopen(in(g, file), "w");
		if (!out || fputs(got, out) < 0 || fclose(out))
			bail_out("%s: cannot write", in(g, file));
	}
	if (file_read(&g->arena, in(g, file), false, JSON_MAX_SIZE, &want, &len, &e))
		want = e.text;
	is(got, want, "%s: %s is as expected", g->name, file);
}

/* The plan of what the filter wrote; its facts are those of the original, less the cut mounts. */
static const char *filter_again(struct golden *g, const char *text, size_t len)
{
	struct facts f = g->facts;
	const struct json *top;
	struct bundle b;
	struct plan p;
	const char *out;
	struct err e;
	size_t i, k;

	if (json_parse(&g->arena, text, len, &top, &e) || bundle_read(&g->arena, top, &b, &e))
		return arena_strdup(&g->arena, e.text);
	f.n_mounts = b.mounts.n;
	f.mounts = arena_array(&g->arena, f.n_mounts, sizeof *f.mounts);
	for (i = k = 0; i < g->bundle.mounts.n && k < f.n_mounts; i++)
		if (!strcmp(g->bundle.mounts.v[i].destination, b.mounts.v[k].destination))
			f.mounts[k++] = g->facts.mounts[i];
	if (plan_make(&g->arena, &b, &g->policy, &f, &p, &e) ||
	    filter_text(&g->arena, &p, text, len, &out, &len, &e))
		return arena_strdup(&g->arena, e.text);
	return out;
}

static void run(const char *dir, const char *name)
{
	static const struct record_context ctx = { "2026-01-02T03:04:05Z", "golden", "create" };
	struct golden g = { .dir = dir, .name = name };
	struct record_chain chain = { 0 };
	const struct json *top;
	const char *filtered;
	struct err e;
	size_t len;

	if (file_read(&g.arena, in(&g, "config.json"), false, JSON_MAX_SIZE, &g.text, &g.len, &e) ||
	    json_parse(&g.arena, g.text, g.len, &top, &e) ||
	    bundle_read(&g.arena, top, &g.bundle, &e))
		bail_out("%s: config.json: %s", name, e.text);
	read_policy(&g);
	read_facts(&g);
	if (policy_annotate(&g.arena, &g.policy, &g.bundle.annotations, &e) ||
	    plan_make(&g.arena, &g.bundle, &g.policy, &g.facts, &g.plan, &e)) {
		check(&g, "plan.txt", arena_printf(&g.arena, "error: %s\n", e.text));
		arena_release(&g.arena);
		return;
	}
	check(&g, "plan.txt", explain_text(&g.arena, &g.plan, false));
	check(&g, "audit.json", record_lines(&g.arena, &g.plan, &ctx, &chain, NULL));
	if (filter_text(&g.arena, &g.plan, g.text, g.len, &filtered, &len, &e)) {
		check(&g, "filtered.json", arena_printf(&g.arena, "error: %s\n", e.text));
	} else {
		check(&g, "filtered.json", filtered);
		is(filter_again(&g, filtered, len), filtered, "%s: filtering twice changes nothing",
		   name);
	}
	arena_release(&g.arena);
}

static int is_case(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

int main(void)
{
	const char *srcdir = getenv("srcdir");
	char dir[4096];
	struct dirent **names;
	int n, i;

	snprintf(dir, sizeof dir, "%s/tests/golden", srcdir ? srcdir : ".");
	n = scandir(dir, &names, is_case, alphasort);
	cmp_ok(n, ">=", 25, "there are at least 25 golden bundles");
	for (i = 0; i < n; i++) {
		run(dir, names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	done_testing();
}
