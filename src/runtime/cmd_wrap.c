// SPDX-License-Identifier: Apache-2.0
/* credsbox wrap: a command of this host in a box, with no bundle and no privilege. */
#include "launch.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/jsonw.h"
#include "../base/str.h"
#include "../base/utf8.h"
#include "../core/explain.h"
#include "../core/glob.h"
#include "../sys/cred.h"
#include "environ.h"
#include "wrap.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox wrap - run a command of this host without its credentials\n"
	"\n"
	"USAGE:\n"
	"   credsbox wrap [OPTION...] [--] COMMAND [ARGUMENT...]\n"
	"\n"
	"Runs a command of this host without its credentials: the host's files are read-only, "
	"those "
	"with\n"
	"credentials covered, the current directory writable, /tmp its own, the network away. Its "
	"exit\n"
	"code is the command's; 125 when the box could not be made.\n"
	"\n"
	"      --rw DIR       another directory or file that may be written\n"
	"      --ro DIR       one that is shown where it would be covered, or not writable\n"
	"      --env NAME     let a variable pass whose name looks like a credential's; NAME=VALUE "
	"sets it\n"
	"      --policy FILE  a policy over those of the system and the user\n"
	"      --dry-run      show what would be kept from the command, and run nothing\n"
	"  -q, --quiet        do not say at the end how much was kept from it\n"
	"\n"
	"Exit code of --dry-run: 0 nothing to keep from it, 3 something to keep, 125 error.\n";

enum { OPT_DRY_RUN = 256, OPT_ENV, OPT_POLICY, OPT_RO, OPT_RW };
enum {
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
	PATH_SHOWN = 200,
	PASSWD_MOST = 1024 * 1024,
};

static const struct option options[] = {
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "env", required_argument, NULL, OPT_ENV },
	{ "help", no_argument, NULL, 'h' },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "quiet", no_argument, NULL, 'q' },
	{ "ro", required_argument, NULL, OPT_RO },
	{ "rw", required_argument, NULL, OPT_RW },
	{ 0 },
};

struct wrap_args {
	const char *policy;
	struct strings env; /* of --env, as given */
	struct wrap_tree *trees;
	size_t n_trees;
	char **command;
	bool dry_run, quiet, help;
};

static int parse(struct arena *a, int argc, char **argv, struct wrap_args *o)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:hq", options, NULL)) != -1) {
		switch (c) {
		case OPT_DRY_RUN: o->dry_run = true; break;
		case OPT_ENV:
			if (!*optarg || *optarg == '=')
				return cmd_usage("wrap", "--env: NAME or NAME=VALUE");
			*arena_push(a, o->env.v, o->env.n) = optarg;
			break;
		case 'h': o->help = true; break;
		case OPT_POLICY: o->policy = optarg; break;
		case 'q': o->quiet = true; break;
		case OPT_RO:
		case OPT_RW:
			*(struct wrap_tree *)arena_push(a, o->trees, o->n_trees) =
				(struct wrap_tree){ optarg, c == OPT_RW, true };
			break;
		default: return cmd_bad_option("wrap", c, argv);
		}
	}
	o->command = argv + optind;
	if (!o->help && !*o->command)
		return cmd_usage("wrap", "which command is to be run?");
	return 0;
}

static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	va_list ap;

	fputs("credsbox: wrap: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static size_t name_len(const char *entry)
{
	return strcspn(entry, "=");
}

static bool is_set_again(const struct wrap_args *o, const char *entry)
{
	size_t i, n = name_len(entry);

	for (i = 0; i < o->env.n; i++)
		if (strchr(o->env.v[i], '=') && name_len(o->env.v[i]) == n &&
		    !memcmp(o->env.v[i], entry, n))
			return true;
	return false;
}

/* The caller's, and over it what the command line sets. What is no text cannot be judged, and stays here. */
static int add_environment(struct arena *a, const struct wrap_args *o, struct wrap *w,
			   struct err *e)
{
	size_t i, skipped = 0;
	char **entry;

	for (entry = environ; *entry; entry++) {
		size_t len = strlen(*entry), n = name_len(*entry);

		if (is_set_again(o, *entry))
			continue;
		if (!n || n == len || utf8_check(*entry, len) < len)
			skipped++;
		else
			*arena_push(a, w->env.v, w->env.n) = *entry;
	}
	for (i = 0; i < o->env.n; i++) {
		if (utf8_check(o->env.v[i], strlen(o->env.v[i])) < strlen(o->env.v[i]))
			return fail(e, 0, "--env: not valid UTF-8");
		if (strchr(o->env.v[i], '='))
			*arena_push(a, w->env.v, w->env.n) = o->env.v[i];
	}
	if (skipped && !o->quiet)
		say("%zu variable%s of the environment not valid UTF-8: left out", skipped,
		    skipped == 1 ? " is" : "s are");
	return 0;
}

/* --env does what env.allow of a policy does, over all policies that do not lock it. */
static int allow_names(struct job *j, const struct wrap_args *o, struct err *e)
{
	struct jsonw *w = jsonw_new(&j->arena, false);
	const char *text;
	size_t i, len;

	if (!o->env.n)
		return 0;
	jsonw_object(w);
	jsonw_key(w, "env");
	jsonw_object(w);
	jsonw_key(w, "allow");
	jsonw_array(w);
	for (i = 0; i < o->env.n; i++)
		jsonw_stringn(w, o->env.v[i], name_len(o->env.v[i]));
	jsonw_end(w);
	jsonw_end(w);
	jsonw_end(w);
	text = jsonw_text(w, &len);
	return json_parse(&j->arena, text, len, &j->more, e);
}

static const char *real_directory(struct arena *a, const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	if (!path || path[0] != '/' || !realpath(path, real) || stat(real, &st) ||
	    !S_ISDIR(st.st_mode))
		return NULL;
	return arena_strdup(a, real);
}

/* Where the system says that the caller's home is, whatever HOME says. */
static const char *home_of_passwd(struct arena *a)
{
	const char *text;
	struct err ignored;
	size_t len;

	if (file_read(a, "/etc/passwd", false, PASSWD_MOST, &text, &len, &ignored))
		return NULL;
	return cred_home_in(a, text, len, geteuid());
}

static void add_homes(struct arena *a, struct wrap *w)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	char folded[PATH_MAX];

	w->home = real_directory(a, getenv("HOME"));
	w->other_home = real_directory(a, home_of_passwd(a));
	if (w->home && wrap_is_private(w->home))
		w->home = NULL;
	if (w->other_home && (wrap_is_private(w->other_home) || wrap_covers(w->other_home)))
		w->other_home = NULL;
	if (!w->home || (w->other_home && !strcmp(w->home, w->other_home))) {
		w->home = w->home ? w->home : w->other_home;
		w->other_home = NULL;
	}
	if (dir && dir[0] == '/' && path_fold(dir, folded, sizeof folded))
		w->runtime_dir = arena_strdup(a, folded);
}

static int add_trees(struct arena *a, const struct wrap_args *o, struct wrap *w, struct err *e)
{
	char path[PATH_MAX];
	struct wrap_tree tree;
	const char *why;
	size_t i;

	for (i = 0; i < o->n_trees; i++) {
		const char *option = o->trees[i].writable ? "--rw" : "--ro";

		if (!realpath(o->trees[i].path, path))
			return fail(e, errno, "%s %s", option,
				    printable(a, o->trees[i].path, PATH_SHOWN));
		if (!path[1])
			return fail(e, 0, "%s /: not the whole host (name what the command needs)",
				    option);
		tree = (struct wrap_tree){ arena_strdup(a, path), o->trees[i].writable, true };
		wrap_tree_add(a, w, &tree);
	}
	if (wrap_has_tree(w, w->cwd))
		return 0;
	why = wrap_keeps_readonly(w);
	if (!why)
		wrap_tree_add(a, w, &(struct wrap_tree){ w->cwd, true, false });
	else if (!o->quiet)
		say("the current directory stays as it is: %s (--rw DIR opens one)", why);
	return 0;
}

static int gather(struct job *j, const struct wrap_args *o, struct wrap *w, struct err *e)
{
	struct arena *a = &j->arena;
	char cwd[PATH_MAX];

	j->name = "the bundle of it";
	w->umask = umask(0);
	umask(w->umask);
	w->args = o->command;
	w->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (!getcwd(cwd, sizeof cwd) || cwd[0] != '/')
		return fail(e, errno, "the current directory");
	w->cwd = arena_strdup(a, cwd);
	add_homes(a, w);
	if (add_trees(a, o, w, e) || add_environment(&j->scratch, o, w, e) || allow_names(j, o, e))
		return -1;
	return wrap_bundle(&j->scratch, w, &j->text, &j->len, e);
}

static int dry_run(struct job *j, const struct wrap *w, const char *policy, struct err *e)
{
	const char *text;

	if (job_plan(j, w->cwd, policy, e))
		return -1;
	text = explain_text(&j->arena, &j->plan, cmd_wants_colour());
	if (cmd_print("wrap", text, strlen(text)))
		return EXIT_REFUSED;
	return plan_stripped(&j->plan) ? EXIT_STRIPPED : 0;
}

/* Our own first process is in the box, and everybody there can read its command line. */
static void forget_arguments(const void *of)
{
	const struct wrap_args *o = of;
	char **arg, *value;
	size_t i;

	for (i = 0; i < o->env.n; i++) {
		value = strchr(o->env.v[i], '=');
		if (value)
			explicit_bzero(value, strlen(value));
	}
	for (arg = o->command; *arg; arg++)
		explicit_bzero(*arg, strlen(*arg));
	environ_forget();
}

static bool keeps(const struct cut *c)
{
	return c->action == ACTION_REMOVE || c->action == ACTION_MASK || c->action == ACTION_DUMMY;
}

/* "3 variables, 1 argument and 2 paths"; 0: nothing was kept. */
static size_t count_kept(const struct plan *p, char *text, size_t size)
{
	static const char *const words[] = { "variable", "argument", "path" };
	size_t n[] = { 0, 0, 0 }, i, left = 0, at = 0, all;

	for (i = 0; i < p->n_cuts; i++) {
		const struct cut *c = &p->cuts[i];

		n[0] += keeps(c) && c->kind == CUT_ENV;
		n[1] += keeps(c) && c->kind == CUT_ARG;
		n[2] += keeps(c) && (c->kind == CUT_PATH || c->kind == CUT_MOUNT);
	}
	all = n[0] + n[1] + n[2];
	for (i = 0; i < sizeof n / sizeof n[0]; i++)
		left += n[i] > 0;
	for (i = 0; i < sizeof n / sizeof n[0] && at < size; i++) {
		if (!n[i])
			continue;
		at += (size_t)snprintf(text + at, size - at, "%s%zu %s%s",
				       !at         ? ""
				       : left == 1 ? " and "
						   : ", ",
				       n[i], words[i], n[i] == 1 ? "" : "s");
		left--;
	}
	return all;
}

/* Who names a directory that is a credential wonders why it is not there. */
static void tell_of_trees(const struct plan *p, const struct wrap *w)
{
	size_t i, k;

	for (i = 0; i < p->n_cuts; i++) {
		const struct cut *c = &p->cuts[i];

		for (k = 0; k < w->n_trees && c->kind == CUT_MOUNT && keeps(c); k++)
			if (w->trees[k].is_asked_for && !strcmp(w->trees[k].path, c->name))
				say("%s was not shown: %s", c->name, c->why);
	}
}

static void tell(const struct launch *l, const struct wrap *w)
{
	char text[128];

	tell_of_trees(&l->job.plan, w);
	if (count_kept(&l->job.plan, text, sizeof text))
		say("kept %s from the command; see: credsbox audit show --container %s", text,
		    l->args->id);
}

/* As shells have it, so that scripts can tell the command's failure from ours. */
static int exit_code_of(const struct err *e)
{
	if (!strstr(e->text, "exec: \""))
		return EXIT_REFUSED;
	return e->errnum == EACCES ? EXIT_NOT_EXECUTABLE : EXIT_NOT_FOUND;
}

/* People without a login session have no directory for what lives until they log out. */
static const char *state_root_for(struct arena *a, const struct global *g)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME"), *run;

	run = getenv("XDG_RUNTIME_DIR");
	if (g->named_root || !geteuid() || (g->root && run && !access(run, W_OK)))
		return g->root;
	if (state && state[0] == '/')
		return arena_printf(a, "%s/credsbox/run", state);
	return home && home[0] == '/' ? arena_printf(a, "%s/.local/state/credsbox/run", home)
				      : g->root;
}

static int wrap(struct launch *l, struct launch_args *args, const struct wrap_args *o,
		struct err *e)
{
	struct wrap w = { 0 };
	unsigned number;
	int rc;

	if (gather(&l->job, o, &w, e))
		return -1;
	if (o->dry_run)
		return dry_run(&l->job, &w, o->policy, e);
	if (getrandom(&number, sizeof number, 0) != sizeof number)
		return fail(e, errno, "no random numbers");
	args->id = arena_printf(&l->job.arena, "wrap-%08x", number);
	l->forget = forget_arguments;
	l->forgets = o;
	rc = launch_run(l, e);
	if (rc >= 0 && !o->quiet)
		tell(l, &w);
	return rc;
}

int cmd_wrap(const struct global *g, int argc, char **argv)
{
	struct launch_args args = { .bundle = ".", .keeps_files = true, .has_init = true };
	struct global global = *g;
	struct launch l = { .global = &global, .args = &args, .command = "wrap", .goes_on = true };
	struct wrap_args o = { .policy = g->policy };
	struct err e = { 0 };
	int rc;

	launch_init(&l);
	if (parse(&l.job.arena, argc, argv, &o))
		return EXIT_REFUSED;
	if (o.help)
		return cmd_print("wrap", usage, sizeof usage - 1);
	global.policy = o.policy;
	global.root = state_root_for(&l.job.arena, g);
	rc = wrap(&l, &args, &o, &e);
	if (rc < 0) {
		cmd_fail("wrap", &e);
		rc = launch_exit_code(&l, &e) == EXIT_REFUSED ? EXIT_REFUSED : exit_code_of(&e);
	}
	launch_close(&l);
	job_release(&l.job);
	return rc;
}
