// SPDX-License-Identifier: Apache-2.0
/* Arguments, annotations and host name: strings that are no variables but may hold a credential. */
#include "plan_work.h"

#include <string.h>

#include "chars.h"
#include "dummy.h"
#include "value.h"
#include "../base/banned.h"

enum { NAME_LONGEST = 64 };

/* Finds in text[off..], moves the spans to offsets in the whole text. */
static bool found_in(const char *name, size_t name_len, const char *text, size_t off,
		     struct finding *f)
{
	size_t len = strlen(text + off);
	unsigned k;

	if (name_len)
		detect_env(name, name_len, text + off, len, true, f);
	else
		detect_value(text + off, len, f);
	if (f->verdict != VERDICT_CREDENTIAL || dummy_is(text + off, len, f))
		return false; /* of a stand-in, f->verdict tells */
	if (!f->n_secret) {
		f->n_secret = 1;
		f->secret[0] = (struct span){ 0, len };
	}
	for (k = 0; k < f->n_secret; k++)
		f->secret[k].off += off;
	return true;
}

/* The word of an option, "api-key" of "--api-key=x" and "-Dapi-key=x"; 0: it is none. A single letter
 * says nothing.
 */
static size_t option_word(const char *arg, size_t *from)
{
	size_t n;

	*from = strspn(arg, "-");
	if (*from == 1 && is_upper(arg[1]) && is_lower(arg[2]))
		++*from;
	for (n = 0; is_alnum(arg[*from + n]) || (arg[*from + n] && strchr("_.-", arg[*from + n]));)
		n++;
	return n >= 2 && n <= NAME_LONGEST ? n : 0;
}

/* Arguments, and what only the program among them tells: "-u" is a password to curl alone. */
struct command {
	const struct args *args;
	size_t *start; /* of each argument in the whole line */
	struct finding f;
};

/* What would part an argument in a line of text becomes an underscore, so that it stays one word. */
static void read_command(struct plan_work *w, const struct args *args, struct command *c)
{
	size_t i, k, len = 0;
	char *line;

	*c = (struct command){ .args = args,
			       .start = arena_array(w->arena, args->n, sizeof *c->start) };
	for (i = 0; i < args->n; i++) {
		c->start[i] = len;
		len += strlen(args->v[i].text) + 1;
	}
	line = arena_alloc(w->arena, len + 1);
	for (i = 0; i < args->n; i++) {
		const char *text = args->v[i].text;

		for (k = 0; text[k]; k++)
			line[c->start[i] + k] =
				(char)(is_space(text[k]) || strchr("|;&()", text[k]) ? '_'
										     : text[k]);
		line[c->start[i] + k] = ' ';
	}
	value_command(line, len, &c->f);
}

static bool found_by_program(const struct command *c, size_t i, struct finding *f)
{
	const char *text = c->args->v[i].text;
	size_t len = strlen(text);
	unsigned k;

	*f = (struct finding){ .verdict = c->f.verdict, .rule = c->f.rule, .why = c->f.why };
	for (k = 0; k < c->f.n_secret; k++) {
		struct span s = c->f.secret[k];

		if (s.off < c->start[i] || s.off + s.len > c->start[i] + len)
			continue;
		s.off -= c->start[i];
		f->secret[f->n_secret++] = s;
	}
	return f->n_secret && !dummy_is(text, len, f);
}

static bool judge_arg(struct plan_work *w, const struct command *c, size_t i, struct finding *f)
{
	const struct args *args = c->args;
	const char *text = args->v[i].text, *before = i ? args->v[i - 1].text : "";
	size_t from, n = option_word(text, &from);
	struct span at;

	/* "==" is the padding of base64. What is a stand-in as a whole is judged no further. */
	if (n && text[from + n] == '=' && text[from + n + 1] != '=') {
		if (found_in(text + from, n, text, from + n + 1, f))
			return true;
		if (f->verdict == VERDICT_CREDENTIAL)
			return false;
	}
	n = option_word(before, &from);
	if (n && before[0] == '-' && !before[from + n] && text[0] != '-') {
		if (found_in(before + from, n, text, 0, f))
			return true;
		if (f->verdict == VERDICT_CREDENTIAL)
			return false;
	}
	if (found_in(NULL, 0, text, 0, f) || found_by_program(c, i, f))
		return true;
	if (!secrets_find(&w->secrets, text, strlen(text), &at))
		return false;
	*f = (struct finding){ .verdict = VERDICT_CREDENTIAL,
			       .rule = "same-value",
			       .why = "it holds a value that was cut elsewhere",
			       .secret = { at },
			       .n_secret = 1 };
	return true;
}

static bool holds_cut_value(struct plan_work *w, const char *text, size_t len)
{
	struct span at;

	return secrets_find(&w->secrets, text, len, &at);
}

/* Only an option's word is fit to be shown of an argument, and only when the secret lies behind its
 * '=': base64 with padding looks like an option too.
 */
static const char *arg_name(struct plan_work *w, const struct args *args, size_t i,
			    const struct finding *f)
{
	const char *text = args->v[i].text;
	size_t from, n = option_word(text, &from);

	if (n && text[from + n] == '=' && f->secret[0].off > from + n &&
	    !holds_cut_value(w, text + from, n))
		return arena_strndup(w->arena, text, from + n);
	if (i) {
		text = args->v[i - 1].text;
		n = option_word(text, &from);
		if (n && text[0] == '-' && !text[from + n] && !holds_cut_value(w, text + from, n))
			return text;
	}
	return arena_printf(w->arena, "argument %zu", i);
}

static const char *judge_and_cut(struct plan_work *w, const struct command *c, size_t i,
				 enum cut_kind kind, enum cut_action action)
{
	const struct args *args = c->args;
	const char *text = args->v[i].text, *instead = NULL;
	struct finding f;

	if (!judge_arg(w, c, i, &f))
		return text;
	if (action == ACTION_DUMMY)
		instead = dummy_make(w->arena, text, strlen(text), &f, w->facts->seed,
				     w->n_dummies++);
	action = plan_cut(w, &(struct item){
				     .kind = kind,
				     .action = action,
				     .at = args->v[i].at,
				     .name = arg_name(w, args, i, &f),
				     .rule = f.rule,
				     .why = f.why,
				     .value = text,
				     .length = strlen(text),
				     .instead = instead,
			     });
	return action == ACTION_DUMMY ? instead : text;
}

static void plan_process_args(struct plan_work *w)
{
	static const enum cut_action actions[] = {
		[ARGS_RECORD] = ACTION_RECORD,
		[ARGS_DUMMY] = ACTION_DUMMY,
		[ARGS_REFUSE] = ACTION_REFUSE,
	};
	const struct args *args = &w->b->process.args;
	struct command c;
	size_t i;

	read_command(w, args, &c);
	w->plan->args = arena_array(w->arena, args->n, sizeof *w->plan->args);
	w->plan->n_args = args->n;
	for (i = 0; i < args->n; i++)
		w->plan->args[i] = judge_and_cut(w, &c, i, CUT_ARG, actions[w->policy->args]);
}

static void plan_hook_args(struct plan_work *w)
{
	struct command c;
	size_t k, i, n;

	for (k = 0; k < HOOK_COUNT; k++)
		for (i = 0; i < w->b->hooks[k].n; i++) {
			read_command(w, &w->b->hooks[k].v[i].args, &c);
			for (n = 0; n < c.args->n; n++)
				judge_and_cut(w, &c, n, CUT_HOOK, ACTION_RECORD);
		}
}

/* Engines put names of their own making into annotations: the last part is what people chose. */
static const char *annotation_word(const char *key)
{
	const char *slash = strrchr(key, '/'), *word = slash ? slash + 1 : key, *dot;

	dot = strrchr(word, '.');
	return dot ? dot + 1 : word;
}

static bool judge_annotation(struct plan_work *w, const struct pair *a, struct finding *f)
{
	const char *word = annotation_word(a->key);
	struct span at;

	if (found_in(word, strlen(word), a->value, 0, f))
		return true;
	if (!secrets_find(&w->secrets, a->value, strlen(a->value), &at))
		return false;
	*f = (struct finding){ .rule = "same-value",
			       .why = "it holds a value that was cut elsewhere" };
	return true;
}

static void remember_all(struct plan_work *w, const struct args *args)
{
	struct command c;
	struct finding f;
	size_t i;

	read_command(w, args, &c);
	for (i = 0; i < args->n; i++)
		if (judge_arg(w, &c, i, &f))
			plan_remember(w, args->v[i].text, &f);
}

void plan_remember_args(struct plan_work *w)
{
	const struct pairs *annotations = &w->b->annotations;
	struct finding f;
	size_t k, i;

	remember_all(w, &w->b->process.args);
	for (k = 0; k < HOOK_COUNT; k++)
		for (i = 0; i < w->b->hooks[k].n; i++)
			remember_all(w, &w->b->hooks[k].v[i].args);
	for (i = 0; i < annotations->n; i++)
		if (judge_annotation(w, &annotations->v[i], &f))
			plan_remember(w, annotations->v[i].value, &f);
}

static void plan_annotations(struct plan_work *w)
{
	const struct pairs *all = &w->b->annotations;
	struct plan *p = w->plan;
	struct finding f;
	size_t i;

	p->annotations = arena_array(w->arena, all->n, sizeof *p->annotations);
	for (i = 0; i < all->n; i++) {
		const struct pair *a = &all->v[i];

		if (judge_annotation(w, a, &f) && plan_cut(w, &(struct item){
								      .kind = CUT_ANNOTATION,
								      .action = ACTION_REMOVE,
								      .at = a->at,
								      .name = a->key,
								      .rule = f.rule,
								      .why = f.why,
								      .value = a->value,
								      .length = strlen(a->value),
							      }) == ACTION_REMOVE)
			continue;
		p->annotations[p->n_annotations++] = a;
	}
}

/* Removing a host name would give the workload the runtime's own: it is put on record instead. */
static void plan_host_name(struct plan_work *w, const char *name, const struct json *at)
{
	struct finding f;
	struct span where;

	if (!name)
		return;
	if (!found_in(NULL, 0, name, 0, &f)) {
		if (!secrets_find(&w->secrets, name, strlen(name), &where))
			return;
		f.rule = "same-value";
		f.why = "it holds a value that was cut elsewhere";
	}
	plan_cut(w, &(struct item){
			    .kind = CUT_NAMESPACE,
			    .action = ACTION_RECORD,
			    .at = at,
			    .name = "uts",
			    .rule = f.rule,
			    .why = f.why,
			    .value = name,
			    .length = strlen(name),
		    });
}

void plan_args(struct plan_work *w)
{
	plan_process_args(w);
	plan_hook_args(w);
	plan_annotations(w);
	plan_host_name(w, w->b->hostname, w->b->hostname_at);
	plan_host_name(w, w->b->domainname, w->b->domainname_at);
}
