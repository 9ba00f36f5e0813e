// SPDX-License-Identifier: Apache-2.0
/* credsbox filter: config.json in, config.json without credentials out. */
#include "cmd.h"

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../core/explain.h"
#include "../core/filter.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox filter - take credentials out of a config.json\n"
	"\n"
	"USAGE:\n"
	"   credsbox filter [--bundle DIR] [--policy FILE] [--quiet] < config.json\n"
	"\n"
	"Writes the configuration to standard output with everything taken out that the policy "
	"strips;\n"
	"the rest stays as it is. For runtimes other than credsbox, and as a precreate hook of\n"
	"podman and CRI-O.\n"
	"\n"
	"  -b, --bundle DIR   where relative paths begin (default: the current directory)\n"
	"      --policy FILE  a policy over those of the system and the user\n"
	"  -q, --quiet        no line on standard error that says what was taken out\n"
	"\n"
	"Exit code: 0 written, 125 refused by a policy of mode enforce, 1 error.\n";

static const struct option options[] = {
	{ "bundle", required_argument, NULL, 'b' },
	{ "help", no_argument, NULL, 'h' },
	{ "policy", required_argument, NULL, 'p' },
	{ "quiet", no_argument, NULL, 'q' },
	{ 0 },
};

struct filter_args {
	const char *bundle, *policy;
	bool quiet, help;
};

static int parse(int argc, char **argv, struct filter_args *o)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:b:hq", options, NULL)) != -1) {
		switch (c) {
		case 'b': o->bundle = optarg; break;
		case 'p': o->policy = optarg; break;
		case 'q': o->quiet = true; break;
		case 'h': o->help = true; break;
		default: return cmd_bad_option("filter", c, argv);
		}
	}
	return optind < argc ? cmd_usage("filter", "too many arguments") : 0;
}

/* Mode enforce names every item, not just the first: people fix them all at once. */
static int refused(const struct plan *p)
{
	size_t i;

	for (i = 0; i < p->n_cuts; i++)
		if (p->cuts[i].action == ACTION_REFUSE)
			fprintf(stderr, "credsbox: filter: refused: %s: %s (%s)\n",
				p->cuts[i].where, p->cuts[i].name, p->cuts[i].rule);
	return EXIT_REFUSED;
}

static int filter(struct job *j, const struct filter_args *o)
{
	const char *out;
	struct err e;
	size_t len;

	if (fd_read_all(&j->arena, STDIN_FILENO, "standard input", JSON_MAX_SIZE, &j->text, &j->len,
			&e) ||
	    job_plan(j, o->bundle, o->policy, &e))
		return cmd_fail("filter", &e);
	if (j->plan.refused)
		return refused(&j->plan);
	if (filter_text(&j->arena, &j->plan, j->text, j->len, &out, &len, &e))
		return cmd_fail("filter", &e);
	if (cmd_print("filter", out, len))
		return 1;
	if (!o->quiet && j->plan.n_cuts)
		fprintf(stderr, "credsbox: filter: %s\n", explain_summary(&j->arena, &j->plan));
	if (j->facts.scan_incomplete)
		fprintf(stderr,
			"credsbox: filter: warning: the scan could not look everywhere: more "
			"credentials may be there (scan.max_files, or permissions)\n");
	return 0;
}

int cmd_filter(const struct global *g, int argc, char **argv)
{
	struct filter_args o = { .bundle = ".", .policy = g->policy };
	struct job j = { 0 };
	int rc = parse(argc, argv, &o);

	if (rc)
		return rc;
	if (o.help)
		return cmd_print("filter", usage, sizeof usage - 1);
	rc = filter(&j, &o);
	arena_release(&j.arena);
	return rc;
}
