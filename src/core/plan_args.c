// SPDX-License-Identifier: Apache-2.0
/* Arguments and annotations: strings that are no variables but may hold a credential. */
#include "plan_work.h"

#include <string.h>

#include "chars.h"
#include "dummy.h"
#include "value.h"
#include "../base/banned.h"

enum { NAME_LONGEST = 64, TRIES_OF_PARTS = 4, ROUNDS = 16 };

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
	explicit_bzero(line, len);
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
	return plan_same_value(w, text, strlen(text), f);
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

static enum cut_action cut_arg(struct plan_work *w, const struct args *args, size_t i,
			       const struct finding *f, enum cut_kind kind, enum cut_action action,
			       const char *instead)
{
	return plan_cut(w, &(struct item){
				   .kind = kind,
				   .action = action,
				   .at = args->v[i].at,
				   .name = arg_name(w, args, i, f),
				   .rule = f->rule,
				   .why = f->why,
				   .value = args->v[i].text,
				   .length = strlen(args->v[i].text),
				   .instead = instead,
			   });
}

static void judge_and_cut(struct plan_work *w, const struct args *args, enum cut_kind kind,
			  enum cut_action action)
{
	struct command c;
	struct finding f;
	size_t i;

	read_command(w, args, &c);
	for (i = 0; i < args->n; i++)
		if (judge_arg(w, &c, i, &f))
			cut_arg(w, args, i, &f, kind, action, NULL);
}

/* An argument that gets a stand-in: what was found in it first, and how often something was. */
struct replaced {
	struct finding f;
	unsigned tries;
};

/* What is found is replaced; if that does not help, all that stands behind the option's '='; at last
 * the argument becomes a plain word.
 */
static const char *stand_in(struct plan_work *w, const char *text, const struct finding *f,
			    unsigned tries)
{
	static const struct finding whole;
	size_t from, n = option_word(text, &from), len = strlen(text);
	struct finding value = { .n_secret = 1 };

	if (tries < TRIES_OF_PARTS)
		return dummy_make(w->arena, text, len, f, w->facts->seed, w->n_dummies++);
	if (tries > TRIES_OF_PARTS || !n || text[from + n] != '=')
		return dummy_make(w->arena, "", 0, &whole, w->facts->seed, w->n_dummies++);
	value.secret[0] = (struct span){ from + n + 1, len - from - n - 1 };
	return dummy_make(w->arena, text, len, &value, w->facts->seed, w->n_dummies++);
}

/* Puts stand-ins for all that is found now. Returns whether there was anything. */
static bool replace_found(struct plan_work *w, const struct args *now, bool is_late,
			  struct replaced *rs, struct arg *next)
{
	struct command c;
	struct finding f;
	bool any = false;
	size_t i;

	read_command(w, now, &c);
	for (i = 0; i < now->n; i++) {
		next[i] = now->v[i];
		if (!judge_arg(w, &c, i, &f))
			continue;
		any = true;
		if (!rs[i].tries)
			rs[i].f = f;
		next[i].text =
			stand_in(w, now->v[i].text, &f, is_late ? TRIES_OF_PARTS + 1 : rs[i].tries);
		rs[i].tries++;
	}
	return any;
}

/* What an argument is depends on those beside it and on the program, and each of them may be
 * replaced: so all are judged again until nothing is found. Returns the arguments as they are then;
 * *is_settled is false should it never end, as nobody has seen it do.
 */
static struct args replace_all(struct plan_work *w, struct replaced *rs, bool *is_settled)
{
	const struct args *args = &w->b->process.args;
	struct args now = { arena_array(w->arena, args->n, sizeof *now.v), args->n };
	struct arg *next = arena_array(w->arena, args->n, sizeof *next), *old;
	unsigned round;

	if (args->n)
		memcpy(now.v, args->v, args->n * sizeof *now.v);
	for (round = 0; round < ROUNDS; round++) {
		*is_settled = !replace_found(w, &now, round >= ROUNDS / 2, rs, next);
		if (*is_settled)
			break;
		old = now.v;
		now.v = next;
		next = old;
	}
	return now;
}

static void plan_replaced_args(struct plan_work *w)
{
	const struct args *args = &w->b->process.args;
	struct replaced *rs = arena_array(w->arena, args->n, sizeof *rs);
	enum cut_action action;
	bool is_settled;
	struct args now = replace_all(w, rs, &is_settled);
	size_t i;

	action = is_settled ? ACTION_DUMMY : ACTION_REFUSE;
	for (i = 0; i < args->n; i++)
		if (rs[i].tries &&
		    cut_arg(w, args, i, &rs[i].f, CUT_ARG, action, now.v[i].text) == ACTION_DUMMY)
			w->plan->args[i] = now.v[i].text;
}

static void plan_process_args(struct plan_work *w)
{
	const struct args *args = &w->b->process.args;
	size_t i;

	w->plan->args = arena_array(w->arena, args->n, sizeof *w->plan->args);
	w->plan->n_args = args->n;
	for (i = 0; i < args->n; i++)
		w->plan->args[i] = args->v[i].text;
	switch (w->policy->args) {
	case ARGS_RECORD: judge_and_cut(w, args, CUT_ARG, ACTION_RECORD); break;
	case ARGS_DUMMY: plan_replaced_args(w); break;
	case ARGS_REFUSE: judge_and_cut(w, args, CUT_ARG, ACTION_REFUSE); break;
	}
}

static void plan_hook_args(struct plan_work *w)
{
	size_t k, i;

	for (k = 0; k < HOOK_COUNT; k++)
		for (i = 0; i < w->b->hooks[k].n; i++)
			judge_and_cut(w, &w->b->hooks[k].v[i].args, CUT_HOOK, ACTION_RECORD);
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

	return found_in(word, strlen(word), a->value, 0, f) ||
	       plan_same_value(w, a->value, strlen(a->value), f) ||
	       detect_strong(a->key, strlen(a->key), f) == VERDICT_CREDENTIAL ||
	       plan_same_value(w, a->key, strlen(a->key), f);
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

void plan_args(struct plan_work *w)
{
	plan_process_args(w);
	plan_hook_args(w);
	plan_annotations(w);
}
