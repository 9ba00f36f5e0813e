// SPDX-License-Identifier: Apache-2.0
/* Variables or paths from a file, judged one by one without a bundle. */
#include "judge_list.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/jsonw.h"
#include "../base/str.h"
#include "../base/banned.h"

enum {
	LIST_MAX = 64 * 1024 * 1024,
	PRINTED_AT_ONCE = 64 * 1024,
	OUTPUT_MAX = 1024 * 1024 * 1024,
	PATH_LONGEST = 4096,
	PATH_SHOWN = 200
};

static const char *verdict_name(enum verdict v)
{
	switch (v) {
	case VERDICT_KEEP: return "keep";
	case VERDICT_CREDENTIAL: return "credential";
	case VERDICT_POINTER: return "pointer";
	}
	return "";
}

static void add_line(struct str *out, struct jsonw *w, const struct list *l, const struct policy *p,
		     const char *name, const struct judgement *j)
{
	bool keep = j->f.verdict == VERDICT_KEEP;
	const char *action = keep ? "keep" : cut_action_name(plan_action(p, j->action)), *text;
	size_t len;

	if (!l->json) {
		str_printf(out, "%-7s  ", action);
		if (l->is_paths)
			str_add_printable(out, name, PATH_LONGEST);
		else
			str_add(out, name);
		if (!keep)
			str_printf(out, "  %s: %s", j->f.rule, j->f.why);
		str_add(out, "\n");
		return;
	}
	/* All but the name is from tables of ours and needs no look for what is to be escaped. */
	jsonw_restart(w);
	jsonw_string(w, name);
	text = jsonw_text(w, &len);
	str_add(out, l->is_paths ? "{\"path\":" : "{\"name\":");
	str_addn(out, text, len);
	if (keep) {
		str_add(out, ",\"verdict\":\"keep\",\"rule\":null,\"action\":\"keep\"}\n");
		return;
	}
	str_add(out, ",\"verdict\":\"");
	str_add(out, verdict_name(j->f.verdict));
	str_add(out, "\",\"rule\":\"");
	str_add(out, j->f.rule);
	str_add(out, "\",\"action\":\"");
	str_add(out, action);
	str_add(out, "\"}\n");
}

/* One of the list, in the text as it was read. */
struct entry {
	const char *s;
	size_t len, number;
};

static bool next_entry(const struct list *l, const char *text, size_t len, struct entry *e)
{
	const char separator = l->is_null_separated ? '\0' : '\n', *stop;
	size_t at = e->s ? (size_t)(e->s - text) + e->len + 1 : 0;

	for (; at < len; at += e->len + 1) {
		e->s = text + at;
		stop = memchr(e->s, separator, len - at);
		e->len = stop ? (size_t)(stop - e->s) : len - at;
		e->number++;
		if (e->len && (l->is_paths || l->is_null_separated || *e->s != '#'))
			return true;
	}
	return false;
}

static int check_entry(const struct list *l, const struct entry *entry, const char *cwd,
		       struct err *e)
{
	const char *equals;

	if (l->is_paths)
		return *entry->s == '/' || cwd
			       ? 0
			       : fail(e, errno, "a relative path, and no current directory");
	equals = memchr(entry->s, '=', entry->len);
	if (!equals)
		return fail(e, 0, "no '=' in it%s",
			    l->is_null_separated ? "" : " (values of several lines need -0)");
	return equals > entry->s ? 0 : fail(e, 0, "no name before the '='");
}

/* Before anything is printed: a list with a mistake in it gives an error and nothing else. */
static int check_all(const struct list *l, const char *text, size_t len, const char *cwd,
		     struct err *e)
{
	struct entry entry = { 0 };

	if (!l->is_null_separated && memchr(text, '\0', len))
		return fail(e, 0, "it has NULs (use -0 for NUL-separated entries)");
	while (next_entry(l, text, len, &entry))
		if (check_entry(l, &entry, cwd, e))
			return fail_in(e, "%s %zu", l->is_null_separated ? "entry" : "line",
				       entry.number);
	return 0;
}

/* The name to show of what was judged; *name is used again for each. */
static const char *judge_variable(struct job *j, const struct entry *entry, struct str *name,
				  struct judgement *result)
{
	const char *equals = memchr(entry->s, '=', entry->len);

	name->len = 0;
	str_addn(name, entry->s, (size_t)(equals - entry->s));
	plan_judge_env(&j->policy, name->s, equals + 1, entry->len - name->len - 1, result);
	return plan_name(&j->arena, NULL, name->s, name->len);
}

static const char *judge_path(struct job *j, const struct entry *entry, const char *cwd,
			      struct judgement *result)
{
	const char *name = arena_strndup(&j->arena, entry->s, entry->len);

	plan_judge_path(&j->policy,
			*name == '/' ? name : arena_printf(&j->arena, "%s/%s", cwd, name), result);
	return name;
}

static int print(struct str *out)
{
	int rc = cmd_print("plan", out->s, out->len);

	out->len = 0;
	return rc;
}

static int judge_all(struct job *j, const struct list *l, const char *text, size_t len,
		     const char *cwd)
{
	struct jsonw *w = jsonw_new(&j->arena, false);
	struct judgement result;
	struct entry entry = { 0 };
	struct str out, buffer;
	const char *name;
	size_t found = 0;

	str_init(&out, &j->arena, OUTPUT_MAX);
	str_init(&buffer, &j->arena, LIST_MAX);
	while (next_entry(l, text, len, &entry)) {
		name = l->is_paths ? judge_path(j, &entry, cwd, &result)
				   : judge_variable(j, &entry, &buffer, &result);
		add_line(&out, w, l, &j->policy, name, &result);
		found += result.f.verdict != VERDICT_KEEP && result.action != ACTION_ALLOW;
		if (out.len > PRINTED_AT_ONCE && print(&out))
			return 1;
	}
	if (print(&out))
		return 1;
	return found ? EXIT_STRIPPED : 0;
}

int judge_list(struct job *j, const struct list *l)
{
	char here[PATH_LONGEST];
	const char *text, *cwd = NULL;
	struct err e;
	size_t len;

	if (job_policy(j, l->policy, &e) ||
	    file_read(&j->arena, l->file, true, LIST_MAX, &text, &len, &e))
		return cmd_fail("plan", &e);
	if (l->is_paths)
		cwd = getcwd(here, sizeof here);
	if (check_all(l, text, len, cwd, &e)) {
		fail_in(&e, "%s",
			strcmp(l->file, "-") ? printable(&j->arena, l->file, PATH_SHOWN)
					     : "standard input");
		return cmd_fail("plan", &e);
	}
	return judge_all(j, l, text, len, cwd);
}
