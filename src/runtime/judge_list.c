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
	const char *action = keep ? "keep" : cut_action_name(plan_action(p, j->action));

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
	jsonw_restart(w);
	jsonw_object(w);
	jsonw_kv(w, l->is_paths ? "path" : "name", name);
	jsonw_kv(w, "verdict", verdict_name(j->f.verdict));
	jsonw_key(w, "rule");
	if (keep)
		jsonw_null(w);
	else
		jsonw_string(w, j->f.rule);
	jsonw_kv(w, "action", action);
	jsonw_end(w);
	str_add(out, jsonw_text(w, NULL));
	str_add(out, "\n");
}

static int judge_variable(struct job *job, const struct list *l, char *entry, size_t len,
			  const char **name, struct judgement *j, struct err *e)
{
	char *equals = memchr(entry, '=', len);

	if (!equals)
		return fail(e, 0, "no '=' in it%s",
			    l->is_null_separated ? "" : " (values of several lines need -0)");
	if (equals == entry)
		return fail(e, 0, "no name before the '='");
	*equals = '\0';
	plan_judge_env(&job->policy, entry, equals + 1, len - (size_t)(equals + 1 - entry), j);
	*name = plan_name(&job->arena, NULL, entry, (size_t)(equals - entry));
	return 0;
}

static int judge_one_path(struct arena *a, const struct policy *p, const char *entry, size_t len,
			  const char **name, struct judgement *j, struct err *e)
{
	char cwd[PATH_LONGEST];

	*name = arena_strndup(a, entry, len);
	if (entry[0] != '/') {
		if (!getcwd(cwd, sizeof cwd))
			return fail(e, errno, "a relative path, and no current directory");
		entry = arena_printf(a, "%s/%s", cwd, *name);
		plan_judge_path(p, entry, j);
		return 0;
	}
	plan_judge_path(p, *name, j);
	return 0;
}

static int judge_entry(struct job *j, const struct list *l, char *entry, size_t len,
		       const char **name, struct judgement *verdict, struct err *e)
{
	if (l->is_paths)
		return judge_one_path(&j->arena, &j->policy, entry, len, name, verdict, e);
	return judge_variable(j, l, entry, len, name, verdict, e);
}

static int judge_all(struct job *j, const struct list *l, char *text, size_t len, struct str *out,
		     size_t *found, struct err *e)
{
	const char separator = l->is_null_separated ? '\0' : '\n';
	struct jsonw *w = jsonw_new(&j->arena, false);
	size_t number = 0, begin, end;

	if (!l->is_null_separated && memchr(text, '\0', len))
		return fail(e, 0, "it has NULs (use -0 for NUL-separated entries)");
	for (begin = 0; begin < len; begin = end + 1) {
		struct judgement verdict;
		const char *name;
		char *stop = memchr(text + begin, separator, len - begin);

		end = stop ? (size_t)(stop - text) : len;
		number++;
		if (end == begin || (!l->is_paths && !l->is_null_separated && text[begin] == '#'))
			continue;
		text[end] = '\0';
		if (judge_entry(j, l, text + begin, end - begin, &name, &verdict, e))
			return fail_in(e, "%s %zu", l->is_null_separated ? "entry" : "line",
				       number);
		add_line(out, w, l, &j->policy, name, &verdict);
		*found += verdict.f.verdict != VERDICT_KEEP && verdict.action != ACTION_ALLOW;
	}
	return 0;
}

int judge_list(struct job *j, const struct list *l)
{
	size_t len, found = 0;
	const char *source;
	struct str out;
	struct err e;

	if (job_policy(j, l->policy, &e) ||
	    file_read(&j->arena, l->file, true, LIST_MAX, &source, &len, &e))
		return cmd_fail("plan", &e);
	str_init(&out, &j->arena, OUTPUT_MAX);
	if (judge_all(j, l, arena_strndup(&j->arena, source, len), len, &out, &found, &e)) {
		fail_in(&e, "%s",
			strcmp(l->file, "-") ? printable(&j->arena, l->file, PATH_SHOWN)
					     : "standard input");
		return cmd_fail("plan", &e);
	}
	if (cmd_print("plan", out.s, out.len))
		return 1;
	return found ? EXIT_STRIPPED : 0;
}
