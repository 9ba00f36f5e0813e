// SPDX-License-Identifier: Apache-2.0
/* credsbox policy: show what applies here, check a file before it does. */
#include "cmd.h"

#include <getopt.h>
#include <string.h>

#include "../base/str.h"
#include "../sys/policy_load.h"
#include "../base/banned.h"

#define SHOW  "policy show"
#define CHECK "policy check"

enum { MAX_OUTPUT = 64 * 1024 * 1024, OPT_POLICY = 256 };

static const char usage[] =
	"NAME:\n"
	"   credsbox policy - show or check the policy\n"
	"\n"
	"USAGE:\n"
	"   credsbox policy show [--policy FILE]\n"
	"   credsbox policy check FILE...\n"
	"\n"
	"  show   print the policy that applies here, each line with where it came from\n"
	"  check  read policy files; report errors, and rules that can never decide anything\n"
	"\n"
	"credsbox-policy(5) tells what a policy can say.\n";

static const char usage_show[] =
	"NAME:\n"
	"   credsbox policy show - print the policy that applies here\n"
	"\n"
	"USAGE:\n"
	"   credsbox policy show [--policy FILE]\n"
	"\n"
	"Prints the policy that applies here, as a policy file, each line with where it came "
	"from.\n"
	"\n"
	"      --policy FILE  a policy over those of the system and the user\n"
	"  -h, --help         print this and exit\n";

static const char usage_check[] = "NAME:\n"
				  "   credsbox policy check - read policy files and report errors\n"
				  "\n"
				  "USAGE:\n"
				  "   credsbox policy check FILE...\n"
				  "\n"
				  "Reads policy files, each by itself, over the built-in policy. "
				  "Errors and warnings begin with\n"
				  "FILE:LINE:COLUMN.\n"
				  "\n"
				  "  -h, --help  print this and exit\n"
				  "\n"
				  "Exit code: 0 no errors (there may be warnings), 1 error.\n";

static const struct option show_options[] = { { "help", no_argument, NULL, 'h' },
					      { "policy", required_argument, NULL, OPT_POLICY },
					      { 0 } };
static const struct option check_options[] = { { "help", no_argument, NULL, 'h' }, { 0 } };

static int print(const char *command, const char *text)
{
	return cmd_print(command, text, strlen(text));
}

static int show(const char *file)
{
	struct arena a = { 0 };
	struct policy p;
	struct err e;
	int rc;

	rc = policy_load(&a, file, &p, &e) ? cmd_fail(SHOW, &e) : print(SHOW, policy_show(&a, &p));
	arena_release(&a);
	return rc;
}

static int cmd_show(const struct global *g, int argc, char **argv)
{
	const char *file = g->policy;
	int c;

	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, "+:h", show_options, NULL)) != -1) {
		switch (c) {
		case 'h': return print(SHOW, usage_show);
		case OPT_POLICY: file = optarg; break;
		case ':': return cmd_usage(SHOW, "--policy: which file?");
		default: return cmd_bad_option(SHOW, c, argv);
		}
	}
	if (optind < argc)
		return cmd_usage(SHOW, "too many arguments");
	return show(file);
}

static int check_in(struct arena *a, const char *path)
{
	const char *shown = printable(a, path, strlen(path));
	const struct policy_layer *layer;
	struct policy_warnings w;
	struct policy p;
	struct str out;
	struct err e;
	size_t i;

	policy_builtin(a, &p);
	if (policy_load_file(a, path, &p, &layer, &e))
		return cmd_fail(CHECK, &e);
	w = policy_check(a, &p, layer);
	str_init(&out, a, MAX_OUTPUT);
	for (i = 0; i < w.n; i++)
		str_printf(&out, "%s:%u:%u: warning: %s\n", shown, w.v[i].line, w.v[i].column,
			   w.v[i].text);
	str_printf(&out, "%s: ok\n", shown);
	return print(CHECK, out.s);
}

static int check(const char *path)
{
	struct arena a = { 0 };
	int rc = check_in(&a, path);

	arena_release(&a);
	return rc;
}

static int cmd_check(int argc, char **argv)
{
	int rc = 0, c;

	opterr = 0;
	optind = 0;
	c = getopt_long(argc, argv, "+h", check_options, NULL);
	if (c == 'h')
		return print(CHECK, usage_check);
	if (c != -1)
		return cmd_bad_option(CHECK, c, argv);
	if (optind == argc)
		return cmd_usage(CHECK, "which file?");
	for (; optind < argc; optind++)
		rc |= check(argv[optind]);
	return rc;
}

int cmd_policy(const struct global *g, int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "show"))
		return cmd_show(g, argc - 1, argv + 1);
	if (!strcmp(what, "check"))
		return cmd_check(argc - 1, argv + 1);
	if (!strcmp(what, "--help") || !strcmp(what, "-h"))
		return print("policy", usage);
	return cmd_usage("policy", "show or check?");
}
