// SPDX-License-Identifier: Apache-2.0
/* A policy as a policy file, each line with where it came from. */
#include "policy.h"

#include <string.h>

#include "policy_keys.h"
#include "../base/str.h"
#include "../base/utf8.h"
#include "../base/banned.h"

enum { COMMENT_COLUMN = 40, MAX_TEXT = 256 * 1024 * 1024 };

struct show {
	struct arena *arena;
	const struct policy *p;
	struct str out;
	size_t line_start;
};

static void add_quoted(struct str *out, const char *text)
{
	size_t len = strlen(text), i, n;
	unsigned long c;

	str_add(out, "\"");
	for (i = 0; i < len; i += n) {
		n = utf8_char(text + i, len - i);
		c = n ? utf8_code(text + i, n) : 0;
		if (!n) { /* only a file's name can be such */
			n = 1;
			str_printf(out, "\\x%02x", (unsigned char)text[i]);
		} else if (utf8_is_hidden(c)) {
			str_printf(out, "\\u%04lx", c);
		} else if (c == '"' || c == '\\') {
			str_printf(out, "\\%c", (int)c);
		} else {
			str_addn(out, text + i, n);
		}
	}
	str_add(out, "\"");
}

static bool is_plain(const char *name)
{
	for (; *name; name++)
		if (*name < 0x20 || *name > 0x7e)
			return false;
	return true;
}

/* The end of a line, with where it came from. */
static void end_line(struct show *s, const struct policy_layer *from, unsigned line)
{
	size_t width = s->out.len - s->line_start;

	str_printf(&s->out, "%*s # ", width < COMMENT_COLUMN ? (int)(COMMENT_COLUMN - width) : 0,
		   "");
	if (is_plain(from->name))
		str_add(&s->out, from->name);
	else
		add_quoted(&s->out, from->name);
	if (line)
		str_printf(&s->out, ":%u", line);
	str_add(&s->out, "\n");
	s->line_start = s->out.len;
}

/* The rules of one level. */
struct group {
	uint64_t level;
	int weakest, strongest;
	unsigned priority;
};

static struct group *find_group(struct arena *a, struct group **groups, size_t *n, uint64_t level)
{
	struct group *g;
	size_t i = *n;

	while (i && (*groups)[i - 1].level > level)
		i--;
	if (i && (*groups)[i - 1].level == level)
		return &(*groups)[i - 1];
	(void)arena_push(a, *groups, *n);
	g = &(*groups)[i];
	memmove(g + 1, g, (*n - 1 - i) * sizeof *g);
	*g = (struct group){ .level = level, .weakest = 99, .strongest = -1 };
	return g;
}

/* rule_priorities - one number for each rule that orders them in one file as their layers do
 * Levels share a number as long as their order does not matter: when the rules of the upper one are at
 * least as strong as those below, they decide without a priority too.
 */
static unsigned *rule_priorities(struct arena *a, const struct policy_rules *rules)
{
	unsigned *priorities = arena_array(a, rules->n + 1, sizeof *priorities);
	struct group *groups = NULL, *g;
	size_t n = 0, i;
	int strength, strongest = -1;
	unsigned priority = 0;

	for (i = 0; i < rules->n; i++) {
		g = find_group(a, &groups, &n, rules->v[i].level);
		strength = policy_strength(rules->v[i].action);
		g->weakest = strength < g->weakest ? strength : g->weakest;
		g->strongest = strength > g->strongest ? strength : g->strongest;
	}
	for (i = 0; i < n; i++) {
		if (groups[i].weakest < strongest) {
			priority++;
			strongest = -1;
		}
		strongest = groups[i].strongest > strongest ? groups[i].strongest : strongest;
		groups[i].priority = priority;
	}
	for (i = 0; i < rules->n; i++)
		priorities[i] = find_group(a, &groups, &n, rules->v[i].level)->priority;
	return priorities;
}

static void show_rule(struct show *s, const struct policy_rule *r, const char *pattern_key,
		      unsigned priority)
{
	bool force = r->action == RULE_ALLOW_FORCE;

	str_add(&s->out, "    - ");
	if (force || priority)
		str_printf(&s->out, "{ %s: ", pattern_key);
	add_quoted(&s->out, r->pattern);
	if (force)
		str_add(&s->out, ", force: true");
	if (priority)
		str_printf(&s->out, ", priority: %u", priority);
	if (force || priority)
		str_add(&s->out, " }");
	end_line(s, r->layer, r->line);
}

static bool belongs(const struct policy_rule *r, const struct key_info *i)
{
	return r->action == i->action || (r->action == RULE_ALLOW_FORCE && i->action == RULE_ALLOW);
}

static void show_rules(struct show *s, enum policy_key key)
{
	const struct key_info *info = &policy_keys[key];
	const struct policy_rules *rules = (const void *)((const char *)s->p + info->offset);
	const unsigned *priorities = rule_priorities(s->arena, rules);
	bool any = false;
	size_t i;

	for (i = 0; i < rules->n; i++) {
		if (!belongs(&rules->v[i], info))
			continue;
		if (!any)
			str_add(&s->out, "\n");
		any = true;
		s->line_start = s->out.len;
		show_rule(s, &rules->v[i], info->kind == KIND_PATHS ? "path" : "name",
			  info->kind == KIND_ANNOTATED ? 0 : priorities[i]);
	}
	if (any)
		return;
	str_add(&s->out, " []");
	end_line(s, s->p->from[key], s->p->from_line[key]);
}

static void show_value(struct show *s, enum policy_key key)
{
	const struct key_info *i = &policy_keys[key];
	const void *at = (const char *)s->p + i->offset;

	switch (i->kind) {
	case KIND_WORD:
	case KIND_SWITCH: str_printf(&s->out, " %s", policy_word(s->p, key)); break;
	case KIND_COUNT: str_printf(&s->out, " %u", *(const uint32_t *)at); break;
	case KIND_PROFILE:
	case KIND_FILE:
		str_add(&s->out, " ");
		add_quoted(&s->out, *(const char *const *)at);
		break;
	case KIND_NAMES:
	case KIND_PATHS:
	case KIND_ANNOTATED: show_rules(s, key); return;
	}
	end_line(s, s->p->from[key], s->p->from_line[key]);
}

static void show_locked(struct show *s)
{
	enum policy_key k;
	bool any = false;

	for (k = 0; k < KEY_COUNT; k++) {
		if (!s->p->locked_by[k])
			continue;
		if (!any)
			str_add(&s->out, "locked:\n");
		any = true;
		s->line_start = s->out.len;
		str_printf(&s->out, "  - %s", policy_key_name(s->arena, k));
		end_line(s, s->p->locked_by[k], 0);
	}
	if (!any)
		str_add(&s->out, "locked: []\n");
}

const char *policy_show(struct arena *a, const struct policy *p)
{
	struct show s = { .arena = a, .p = p };
	const char *section = NULL;
	enum policy_key k;

	str_init(&s.out, a, MAX_TEXT);
	for (k = 0; k < KEY_COUNT; k++) {
		if (policy_keys[k].section &&
		    (!section || strcmp(section, policy_keys[k].section) != 0))
			str_printf(&s.out, "%s:\n", policy_keys[k].section);
		section = policy_keys[k].section;
		s.line_start = s.out.len;
		str_printf(&s.out, "%s%s:", section ? "  " : "", policy_keys[k].name);
		show_value(&s, k);
	}
	show_locked(&s);
	return s.out.s;
}
