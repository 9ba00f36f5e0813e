// SPDX-License-Identifier: Apache-2.0
/* Reading one policy file over the layers below it. */
#include "policy.h"

#include <string.h>

#include "chars.h"
#include "policy_keys.h"
#include "../base/str.h"
#include "../base/banned.h"

struct merge {
	struct reader r;
	struct policy *p;
	const struct policy_layer *layer;
};

/* Words that could stand in a place, to find the one that was meant. */
struct guesses {
	const char *v[3 * KEY_COUNT];
	size_t n;
};
enum { GUESS_MAX_LEN = 32, GUESS_MAX_DISTANCE = 2 };

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to add, drop, change or swap with their neighbour to make one word of the other. */
static size_t distance(const char *a, const char *b)
{
	size_t d[GUESS_MAX_LEN + 1][GUESS_MAX_LEN + 1];
	size_t a_len = strlen(a), b_len = strlen(b), i, j;

	if (a_len > GUESS_MAX_LEN || b_len > GUESS_MAX_LEN)
		return GUESS_MAX_LEN;
	for (i = 0; i <= a_len; i++) {
		for (j = 0; j <= b_len; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = d[i - 1][j - 1] + (to_lower(a[i - 1]) != to_lower(b[j - 1]));
			d[i][j] = smaller(d[i][j], smaller(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[a_len][b_len];
}

static void guess(struct guesses *g, const char *word)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (!strcmp(g->v[i], word))
			return;
	g->v[g->n++] = word;
}

/* An error about a key and not about its value, at the key where its place is known. */
static int fail_at_key(struct merge *m, const struct json *v, const char *what)
{
	struct json at = *v;

	if (v->key_line) {
		at.line = v->key_line;
		at.column = v->key_column;
	}
	return fields_fail(&m->r, &at, "%s", what);
}

static int fail_unknown(struct merge *m, const struct json *v, const char *text,
			const struct guesses *g)
{
	const char *best = NULL;
	size_t i, d, best_distance = smaller(GUESS_MAX_DISTANCE + 1, strlen(text));

	for (i = 0; i < g->n; i++) {
		d = distance(text, g->v[i]);
		if (d >= best_distance)
			continue;
		best_distance = d;
		best = g->v[i];
	}
	if (!best)
		return fail_at_key(m, v, "unknown key (credsbox-policy(5) lists them)");
	return fail_at_key(m, v,
			   arena_printf(m->r.arena, "unknown key (did you mean '%s'?)", best));
}

static int fail_unknown_key(struct merge *m, const struct json *v, const char *section)
{
	struct guesses g = { .n = 0 };
	enum policy_key k;

	for (k = 0; k < KEY_COUNT; k++) {
		if (section && policy_keys[k].section && !strcmp(section, policy_keys[k].section))
			guess(&g, policy_keys[k].name);
		if (!section)
			guess(&g, policy_keys[k].section ? policy_keys[k].section
							 : policy_keys[k].name);
	}
	if (!section)
		guess(&g, "locked");
	return fail_unknown(m, v, v->key, &g);
}

/* A scalar of a file as text: YAML reads `off` as a string and `no` or 5 as what they look like. */
static int read_word_of(struct merge *m, const struct json *v, enum policy_key key)
{
	int rank = -1;

	if (v->type == JSON_STRING || v->type == JSON_BOOL)
		rank = policy_word_find(key, v->text, v->len);
	if (rank < 0)
		return fields_fail(&m->r, v, "expected %s", policy_words(m->r.arena, key));
	policy_set(m->p, key, policy_keys[key].words[rank].value);
	return 0;
}

static int read_count(struct merge *m, const struct json *v, enum policy_key key)
{
	int64_t n;

	if (read_i64(&m->r, v, policy_keys[key].range, &n))
		return -1;
	*(uint32_t *)(void *)((char *)m->p + policy_keys[key].offset) = (uint32_t)n;
	return 0;
}

/* A text fit for matching, for messages and for a line of `policy show`. */
static int read_text(struct merge *m, const struct json *v, bool is_pattern_of_path,
		     const char **out)
{
	const char *problem;

	if (fields_expect(&m->r, v, JSON_STRING))
		return -1;
	problem = policy_pattern_problem(v->text, v->len, is_pattern_of_path);
	if (problem)
		return fields_fail(&m->r, v, "%s", problem);
	*out = v->text;
	return 0;
}

static bool is_plain_path(const char *s)
{
	size_t len = strlen(s);

	return s[0] == '/' && s[len - 1] != '/' && !strstr(s, "//") && !strstr(s, "/./") &&
	       !strstr(s, "/../") && !text_ends(s, len, "/.") && !text_ends(s, len, "/..");
}

static bool is_profile_name(const char *s)
{
	return !strcmp(s, "default") || !strcmp(s, "strict") || !strcmp(s, "off");
}

static int read_file(struct merge *m, const struct json *v, enum policy_key key)
{
	bool may_be_name = policy_keys[key].kind == KIND_PROFILE;
	const char *text;

	if (read_text(m, v, false, &text))
		return -1;
	if (!is_plain_path(text) && !(may_be_name && is_profile_name(text)))
		return fields_fail(&m->r, v,
				   "expected %san absolute path without '.', '..' or '//'",
				   may_be_name ? "default, strict, off or " : "");
	*(const char **)(void *)((char *)m->p + policy_keys[key].offset) = text;
	return 0;
}

static struct policy_rule *add_rule(struct merge *m, const struct json *v, enum policy_key key)
{
	struct policy_rules *rules = policy_rules_of(m->p, key);
	struct policy_rule *r;

	if (rules->n >= POLICY_MAX_RULES) {
		fields_fail(&m->r, v, "more than %d rules in all", POLICY_MAX_RULES);
		return NULL;
	}
	r = arena_push(m->r.arena, rules->v, rules->n);
	*r = (struct policy_rule){ .action = policy_keys[key].action,
				   .layer = m->layer,
				   .line = v->line,
				   .column = v->column,
				   .level = m->p->next_level };
	return r;
}

/* { name: GLOB, force: true, priority: 1 } */
static int read_rule_member(struct merge *m, const struct json *v, enum policy_key key,
			    struct policy_rule *rule)
{
	static const struct range priorities = { 0, POLICY_MAX_PRIORITY };
	bool is_path = policy_keys[key].kind == KIND_PATHS;
	const char *pattern_key = is_path ? "path" : "name";
	struct guesses g = { .v = { pattern_key, "priority", "force" },
			     .n = key == KEY_ENV_ALLOW ? 3 : 2 };
	int64_t n;
	int on;

	if (!strcmp(v->key, pattern_key))
		return read_text(m, v, is_path, &rule->pattern);
	if (!strcmp(v->key, "priority")) {
		if (read_i64(&m->r, v, &priorities, &n))
			return -1;
		rule->level += (uint64_t)n;
		return 0;
	}
	if (key != KEY_ENV_ALLOW || strcmp(v->key, "force"))
		return fail_unknown(m, v, v->key, &g);
	on = v->type == JSON_STRING || v->type == JSON_BOOL
		     ? policy_word_find(KEY_AUDIT_REQUIRED, v->text, v->len)
		     : -1;
	if (on < 0)
		return fields_fail(&m->r, v, "expected false or true");
	rule->action = on ? RULE_ALLOW_FORCE : RULE_ALLOW;
	return 0;
}

static int read_rule(struct merge *m, const struct json *v, enum policy_key key)
{
	bool is_path = policy_keys[key].kind == KIND_PATHS;
	struct policy_rule *rule = add_rule(m, v, key);
	const struct json *member;

	if (!rule)
		return -1;
	if (v->type != JSON_OBJECT)
		return read_text(m, v, is_path, &rule->pattern);
	for (member = v->first; member; member = member->next)
		if (read_rule_member(m, member, key, rule))
			return -1;
	if (!rule->pattern)
		return fields_fail(&m->r, v, "'%s' is missing", is_path ? "path" : "name");
	return 0;
}

static int read_loosen(struct merge *m, const struct json *v, enum policy_key key)
{
	struct policy_rule *rule = add_rule(m, v, key);

	return rule ? read_text(m, v, false, &rule->pattern) : -1;
}

static int read_list(struct merge *m, const struct json *list, enum policy_key key)
{
	const struct json *v;
	bool is_rules = policy_keys[key].kind != KIND_ANNOTATED;

	if (fields_expect(&m->r, list, JSON_ARRAY))
		return -1;
	for (v = list->first; v; v = v->next)
		if (is_rules ? read_rule(m, v, key) : read_loosen(m, v, key))
			return -1;
	return 0;
}

static int read_kind(struct merge *m, const struct json *v, enum policy_key key)
{
	switch (policy_keys[key].kind) {
	case KIND_WORD:
	case KIND_SWITCH: return read_word_of(m, v, key);
	case KIND_COUNT: return read_count(m, v, key);
	case KIND_PROFILE:
	case KIND_FILE: return read_file(m, v, key);
	case KIND_NAMES:
	case KIND_PATHS:
	case KIND_ANNOTATED: return read_list(m, v, key);
	}
	return 0;
}

static int read_key(struct merge *m, const struct json *v, const char *section)
{
	enum policy_key key = policy_key_find(section, v->key);

	if (key == KEY_COUNT)
		return fail_unknown_key(m, v, section);
	if (m->p->locked_by[key])
		return fail_at_key(
			m, v,
			arena_printf(m->r.arena, "locked by %s",
				     printable(m->r.arena, m->p->locked_by[key]->name, 200)));
	if (read_kind(m, v, key))
		return -1;
	m->p->from[key] = m->layer;
	m->p->from_line[key] = v->key_line ? v->key_line : v->line;
	return 0;
}

static int read_top(struct merge *m, const struct json *v)
{
	const struct json *child;

	if (!policy_has_section(v->key))
		return read_key(m, v, NULL);
	if (fields_expect(&m->r, v, JSON_OBJECT))
		return -1;
	for (child = v->first; child; child = child->next)
		if (read_key(m, child, v->key))
			return -1;
	return 0;
}

/* What is removed for good must stay removed: weaker rules about the same things are locked with it. */
static void lock(struct merge *m, enum policy_key key)
{
	const struct key_info *i = &policy_keys[key], *other;
	enum policy_key k;

	for (k = 0; k < KEY_COUNT; k++) {
		other = &policy_keys[k];
		if (k != key &&
		    (i->kind != other->kind || (i->kind != KIND_NAMES && i->kind != KIND_PATHS) ||
		     policy_strength(other->action) > policy_strength(i->action)))
			continue;
		if (!m->p->locked_by[k])
			m->p->locked_by[k] = m->layer;
	}
}

static bool is_named(enum policy_key key, const char *text)
{
	const struct key_info *i = &policy_keys[key];
	size_t n;

	if (!strcmp(text, "all"))
		return true;
	if (!i->section)
		return !strcmp(text, i->name);
	n = strlen(i->section);
	if (strncmp(text, i->section, n))
		return false;
	return !text[n] || (text[n] == '.' && !strcmp(text + n + 1, i->name));
}

static int read_lock(struct merge *m, const struct json *v)
{
	struct guesses g = { .n = 0 };
	enum policy_key k;
	bool known = false;

	if (fields_expect(&m->r, v, JSON_STRING))
		return -1;
	for (k = 0; k < KEY_COUNT; k++) {
		guess(&g, policy_key_name(m->r.arena, k));
		if (policy_keys[k].section)
			guess(&g, policy_keys[k].section);
		if (!is_named(k, v->text))
			continue;
		lock(m, k);
		known = true;
	}
	guess(&g, "all");
	return known ? 0 : fail_unknown(m, v, v->text, &g);
}

static int read_locked(struct merge *m, const struct json *list)
{
	const struct json *v;

	if (!list)
		return 0;
	if (fields_expect(&m->r, list, JSON_ARRAY))
		return -1;
	for (v = list->first; v; v = v->next)
		if (read_lock(m, v))
			return -1;
	return 0;
}

int policy_merge(struct arena *a, struct policy *p, const struct json *doc,
		 const struct policy_layer *layer, struct err *e)
{
	struct policy merged = *p;
	struct merge m = { .r = { .arena = a, .err = e, .by_line = true },
			   .p = &merged,
			   .layer = layer };
	const struct json *v;

	policy_unshare(a, &merged);
	if (fields_expect(&m.r, doc, JSON_OBJECT))
		return -1;
	for (v = doc->first; v; v = v->next)
		if (strcmp(v->key, "locked") && read_top(&m, v))
			return -1;
	/* Last: a file may set what it locks. */
	if (read_locked(&m, json_get(doc, "locked")))
		return -1;
	merged.next_level += POLICY_MAX_PRIORITY + 1;
	*p = merged;
	return 0;
}
