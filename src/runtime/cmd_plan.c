// SPDX-License-Identifier: Apache-2.0
/* credsbox plan: what would be stripped, by which rule and why. */
#include "cmd.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/explain.h"
#include "judge_list.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox plan - show what would be stripped from a bundle\n"
	"\n"
	"USAGE:\n"
	"   credsbox plan [--bundle DIR] [--policy FILE] [--format text|json]\n"
	"   credsbox plan --env-file FILE | --paths-from FILE [-0] [--policy FILE] [--format "
	"...]\n"
	"\n"
	"Shows what would be stripped from a bundle, masked or replaced, and by which rule.\n"
	"Nothing is started or changed.\n"
	"\n"
	"  -b, --bundle DIR       the directory with config.json (default: the current one)\n"
	"      --env-file FILE    judge NAME=VALUE lines in place of a bundle; - is standard "
	"input\n"
	"      --paths-from FILE  judge paths, one a line; they need not exist\n"
	"  -0, --null             entries end with a NUL, as in /proc/PID/environ\n"
	"      --policy FILE      a policy over those of the system and the user\n"
	"  -f, --format FORMAT    text (default) or json\n"
	"\n"
	"Exit code: 0 nothing to strip, 3 something to strip, 1 error.\n";

enum { OPT_ENV_FILE = 256, OPT_PATHS_FROM, OPT_POLICY };

static const struct option options[] = {
	{ "bundle", required_argument, NULL, 'b' },
	{ "env-file", required_argument, NULL, OPT_ENV_FILE },
	{ "format", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ "null", no_argument, NULL, '0' },
	{ "paths-from", required_argument, NULL, OPT_PATHS_FROM },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ 0 },
};

struct plan_args {
	const char *bundle, *policy, *list;
	bool lists_paths, null, json, help;
};

static int parse(int argc, char **argv, struct plan_args *o)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:0b:f:h", options, NULL)) != -1) {
		switch (c) {
		case 'b': o->bundle = optarg; break;
		case OPT_ENV_FILE:
		case OPT_PATHS_FROM:
			if (o->list)
				return cmd_usage("plan", "only one list at a time");
			o->list = optarg;
			o->lists_paths = c == OPT_PATHS_FROM;
			break;
		case '0': o->null = true; break;
		case OPT_POLICY: o->policy = optarg; break;
		case 'f':
			o->json = !strcmp(optarg, "json");
			if (!o->json && strcmp(optarg, "text"))
				return cmd_usage("plan", "--format: text or json");
			break;
		case 'h': o->help = true; break;
		default: return cmd_bad_option("plan", c, argv);
		}
	}
	if (optind < argc)
		return cmd_usage("plan", "too many arguments");
	if (o->list && o->bundle)
		return cmd_usage("plan", "--bundle and a list exclude each other");
	if (o->null && !o->list)
		return cmd_usage("plan", "-0 goes with --env-file or --paths-from");
	return 0;
}

static int plan_bundle(struct job *j, const struct plan_args *o)
{
	const char *dir = o->bundle ? o->bundle : ".", *path, *text;
	struct err e;

	path = arena_printf(&j->arena, "%s/config.json", dir);
	if (file_read(&j->arena, path, false, JSON_MAX_SIZE, &j->text, &j->len, &e) ||
	    job_plan(j, dir, o->policy, &e))
		return cmd_fail("plan", &e);
	text = o->json ? arena_printf(&j->arena, "%s\n", explain_json(&j->arena, &j->plan))
		       : explain_text(&j->arena, &j->plan, cmd_wants_colour());
	if (cmd_print("plan", text, strlen(text)))
		return 1;
	return plan_stripped(&j->plan) ? EXIT_STRIPPED : 0;
}

int cmd_plan(const struct global *g, int argc, char **argv)
{
	struct plan_args o = { .policy = g->policy };
	struct job j = { 0 };
	int rc = parse(argc, argv, &o);

	if (rc)
		return rc;
	if (o.help)
		return cmd_print("plan", usage, sizeof usage - 1);
	if (o.list)
		rc = judge_list(&j,
				&(struct list){ o.list, o.policy, o.lists_paths, o.null, o.json });
	else
		rc = plan_bundle(&j, &o);
	arena_release(&j.arena);
	return rc;
}
