// SPDX-License-Identifier: Apache-2.0
/* Warnings about what a policy file says in vain. */
#include "policy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "detect.h"
#include "glob.h"
#include "policy_keys.h"
#include "../base/str.h"
#include "../base/banned.h"

struct check {
	struct arena *arena;
	const struct policy *p;
	const struct policy_layer *of;
	struct policy_warnings out;
};

static void warn(struct check *c, const struct policy_rule *r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void warn(struct check *c, const struct policy_rule *r, const char *fmt, ...)
{
	struct policy_warning *w;
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	w = arena_push(c->arena, c->out.v, c->out.n);
	*w = (struct policy_warning){ r->line, r->column, arena_strdup(c->arena, text) };
}

static const char *action_name(enum policy_rule_action action)
{
	switch (action) {
	case RULE_ALLOW: return "allow";
	case RULE_ALLOW_FORCE: return "allow with force";
	case RULE_REMOVE: return "remove";
	case RULE_DUMMY: return "dummy";
	case RULE_MASK: return "mask";
	}
	return "";
}

/* Whatever rule r matches, s decides it, or says the same before r does. */
static bool makes_useless(const struct policy_rule *s, const struct policy_rule *r,
			  bool (*covers)(const char *wide, const char *narrow))
{
	int more = policy_strength(s->action) - policy_strength(r->action);

	if (s == r || s->layer != r->layer || s->level < r->level)
		return false;
	if (s->level == r->level && more < 0)
		return false;
	if (!covers(s->pattern, r->pattern))
		return false;
	/* Of two that say the same, one stays: the first. */
	return s->level > r->level || more > 0 || s < r || !covers(r->pattern, s->pattern);
}

static void check_useless(struct check *c, const struct policy_rules *rules, const char *what,
			  bool (*covers)(const char *wide, const char *narrow))
{
	const struct policy_rule *r, *s;
	size_t i, j;

	for (i = 0; i < rules->n; i++) {
		r = &rules->v[i];
		if (r->layer != c->of)
			continue;
		for (j = 0; j < rules->n; j++)
			if (makes_useless(&rules->v[j], r, covers))
				break;
		if (j == rules->n)
			continue;
		s = &rules->v[j];
		if (s->action == r->action && !strcmp(s->pattern, r->pattern))
			warn(c, r, "%s: said twice, also in line %u", what, s->line);
		else
			warn(c, r, "%s: '%s' can never decide: '%s' (%s, line %u) covers it", what,
			     printable(c->arena, r->pattern, 80),
			     printable(c->arena, s->pattern, 80), action_name(s->action), s->line);
	}
}

/* Is there a rule that would take this name, were it not for r? */
static bool is_taken_otherwise(const struct policy *p, const struct policy_rule *r)
{
	const struct policy_rule *s;
	size_t i;

	for (i = 0; i < p->env.n; i++) {
		s = &p->env.v[i];
		if (policy_strength(s->action) > policy_strength(RULE_ALLOW_FORCE) &&
		    glob_name(s->pattern, r->pattern))
			return true;
	}
	return false;
}

static void check_name(struct check *c, const struct policy_rule *r)
{
	const char *shown = printable(c->arena, r->pattern, 80);
	struct finding f;

	if (strchr(r->pattern, '=')) {
		warn(c, r, "env: '%s' can never match: no variable has '=' in its name", shown);
		return;
	}
	if (r->action == RULE_ALLOW_FORCE && !r->pattern[strspn(r->pattern, "*?")]) {
		warn(c, r, "env.allow: '%s' with force keeps every credential", shown);
		return;
	}
	if (r->action != RULE_ALLOW || r->pattern[strcspn(r->pattern, "*?")] ||
	    is_taken_otherwise(c->p, r))
		return;
	if (detect_name(r->pattern, strlen(r->pattern), &f) == VERDICT_KEEP)
		warn(c, r, "env.allow: '%s' changes nothing: such a name is kept anyway", shown);
}

static bool has_star_within(const char *pattern)
{
	const char *s;

	for (s = strstr(pattern, "**"); s; s = strstr(s + 1, "**"))
		if ((s != pattern && s[-1] != '/') || (s[2] && s[2] != '/'))
			return true;
	return false;
}

static void check_path(struct check *c, const struct policy_rule *r)
{
	const char *p = r->pattern, *shown = printable(c->arena, p, 80);
	char path[POLICY_MAX_PATTERN + 1];
	size_t len = strlen(p);

	if (strstr(p, "/./") || strstr(p, "/../") || (len > 1 && !strcmp(p + len - 2, "/.")) ||
	    (len > 2 && !strcmp(p + len - 3, "/..")))
		warn(c, r, "paths: '%s' can never match: paths are resolved, without '.' and '..'",
		     shown);
	if (strstr(p, "//"))
		warn(c, r, "paths: '%s' has '//' in it: it is read as '/'", shown);
	if (len > 1 && p[len - 1] == '/')
		warn(c, r, "paths: '%s' ends with '/': for what is below it, add '**'", shown);
	if (has_star_within(p))
		warn(c, r, "paths: '%s': '**' within a component is like '*'", shown);
	if (r->action == RULE_MASK && !c->p->scan_deep &&
	    !policy_literal_path(p, path, sizeof path))
		warn(c, r,
		     "paths.mask: '%s' has wildcards: below most directories it is found only with "
		     "scan.deep, which is off",
		     shown);
}

static void check_loosen(struct check *c, const struct policy_rule *r)
{
	const struct annotation_info *info = policy_annotation_find(r->pattern);
	const char *shown = printable(c->arena, r->pattern, 80);
	enum key_kind kind = info ? policy_keys[info->key].kind : KIND_ANNOTATED;
	const struct policy_rule *s;

	if (!info)
		warn(c, r, "annotations.loosen: '%s' is no annotation of credsbox", shown);
	else if ((kind == KIND_NAMES || kind == KIND_PATHS) && !info->adds_allow)
		warn(c, r, "annotations.loosen: '%s' can only tighten, and always may", shown);
	else if (c->p->locked_by[info->key])
		warn(c, r, "annotations.loosen: '%s' can never loosen: %s is locked", shown,
		     policy_key_name(c->arena, info->key));
	for (s = c->p->loosen.v; s < r; s++) {
		if (s->layer != r->layer || strcmp(s->pattern, r->pattern) != 0)
			continue;
		warn(c, r, "annotations.loosen: said twice, also in line %u", s->line);
		break;
	}
}

static void check_each(struct check *c, const struct policy_rules *rules,
		       void (*check_rule)(struct check *c, const struct policy_rule *r))
{
	size_t i;

	for (i = 0; i < rules->n; i++)
		if (rules->v[i].layer == c->of)
			check_rule(c, &rules->v[i]);
}

static bool is_before(const struct policy_warning *a, const struct policy_warning *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* In the order of the file. */
static void sort(struct policy_warnings *w)
{
	struct policy_warning moved;
	size_t i, j;

	for (i = 1; i < w->n; i++) {
		moved = w->v[i];
		for (j = i; j && is_before(&moved, &w->v[j - 1]); j--)
			w->v[j] = w->v[j - 1];
		w->v[j] = moved;
	}
}

struct policy_warnings policy_check(struct arena *a, const struct policy *p,
				    const struct policy_layer *of)
{
	struct check c = { .arena = a, .p = p, .of = of };

	check_useless(&c, &p->env, "env", glob_covers);
	check_useless(&c, &p->paths, "paths", glob_covers_path);
	check_each(&c, &p->env, check_name);
	check_each(&c, &p->paths, check_path);
	check_each(&c, &p->loosen, check_loosen);
	sort(&c.out);
	return c.out;
}
