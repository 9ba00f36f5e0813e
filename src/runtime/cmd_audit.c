// SPDX-License-Identifier: Apache-2.0
/* credsbox audit: what was kept from workloads, for people to read. */
#include "audit_walk.h"

#include <getopt.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../core/audit_table.h"
#include "../base/banned.h"

#define SHOW "audit show"

enum {
	OPT_CONTAINER = 256,
	OPT_FILE,
	OPT_KIND,
	OPT_SINCE,
	OUTPUT_MAX = 512 * 1024,
	OUTPUT_FULL = 64 * 1024
};

static const char usage[] =
	"NAME:\n"
	"   credsbox audit - show, verify or report what was kept from workloads\n"
	"\n"
	"USAGE:\n"
	"   credsbox audit show [OPTION...]\n"
	"   credsbox audit verify [FILE...]\n"
	"   credsbox audit report [OPTION...]\n"
	"\n"
	"  show    print the records as a table\n"
	"  verify  see whether each record follows the one before\n"
	"  report  write a page of what was stripped, where and how often, as HTML\n"
	"\n"
	"credsbox audit COMMAND --help tells more; credsbox-audit(5) tells what a record has.\n";

static const char usage_show[] =
	"NAME:\n"
	"   credsbox audit show - print the records of the audit\n"
	"\n"
	"USAGE:\n"
	"   credsbox audit show [--container ID] [--since T] [--kind K] [--format table|json]\n"
	"                       [--file FILE]\n"
	"\n"
	"Prints the records of the audit, oldest first, those of FILE.1, FILE.2 ... before "
	"FILE's.\n"
	"\n"
	"      --container ID   of this container alone: its id, the beginning of its id, or the\n"
	"                       name that the engine gave it or its pod\n"
	"      --since T        since a date, a time (2026-11-18T09:30:00Z), or so long ago (1h,\n"
	"                       2d)\n"
	"      --kind K         of one kind: env, mount, path, arg, annotation, fd, hook,\n"
	"                       namespace, text; start, refuse\n"
	"  -f, --format FORMAT  table (default) or json, one object a line\n"
	"      --file FILE      another audit than the policy's\n"
	"\n"
	"Exit code: 0, or 1 when there is an error or a line that is no record.\n";

static const struct option options[] = {
	{ "container", required_argument, NULL, OPT_CONTAINER },
	{ "file", required_argument, NULL, OPT_FILE },
	{ "format", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ "kind", required_argument, NULL, OPT_KIND },
	{ "since", required_argument, NULL, OPT_SINCE },
	{ 0 },
};

struct show_args {
	const char *file;
	bool json, help;
};

static int parse_one(int c, char **argv, struct show_args *o, struct audit_select *s)
{
	struct timespec now = { 0 };

	switch (c) {
	case 'f':
		o->json = !strcmp(optarg, "json");
		if (!o->json && strcmp(optarg, "table"))
			return cmd_usage(SHOW, "--format: table or json");
		return 0;
	case 'h': o->help = true; return 0;
	case OPT_CONTAINER:
		s->container = optarg;
		return *optarg ? 0 : cmd_usage(SHOW, "--container: which?");
	case OPT_FILE: o->file = optarg; return 0;
	case OPT_KIND:
		s->kind = optarg;
		if (audit_select_kind(optarg))
			return 0;
		return cmd_usage(SHOW, "--kind: env, mount, path, arg, annotation, fd, hook, "
				       "namespace, text, start or refuse");
	case OPT_SINCE:
		clock_gettime(CLOCK_REALTIME, &now);
		return audit_select_since(s, optarg, &now) ? 0 : audit_bad_since(SHOW);
	default: return cmd_bad_option(SHOW, c, argv);
	}
}

static int parse(int argc, char **argv, struct show_args *o, struct audit_select *s)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:h", options, NULL)) != -1)
		if (parse_one(c, argv, o, s))
			return 1;
	if (optind < argc)
		return cmd_usage(SHOW, "too many arguments");
	return 0;
}

static unsigned width_of_terminal(void)
{
	struct winsize size = { 0 };

	if (!isatty(STDOUT_FILENO))
		return 0;
	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

static int flush(struct str *out, size_t limit, struct err *e)
{
	if (out->len < limit)
		return 0;
	if (fd_write_all(STDOUT_FILENO, "standard output", out->s, out->len, e))
		return -1;
	out->len = 0;
	return 0;
}

static int show(struct audit_walk *w, const struct show_args *o, struct err *e)
{
	unsigned width = width_of_terminal();
	struct audit_line l;
	struct audit_text t;
	struct str out;
	int rc;

	if (audit_walk_settle(w, e))
		return -1;
	str_init(&out, &w->arena, OUTPUT_MAX);
	if (!o->json)
		audit_table_head(&out, width);
	while ((rc = audit_walk_next(w, true, &t, &l, e)) > 0) {
		if (!audit_select_takes(&w->select, &l))
			continue;
		if (o->json)
			audit_json_row(&out, t.text, t.len);
		else
			audit_table_row(&out, &l, width);
		if (flush(&out, OUTPUT_FULL, e))
			return -1;
	}
	return rc || flush(&out, 1, e) ? -1 : audit_walk_end(w);
}

static int cmd_show(const struct global *g, int argc, char **argv)
{
	struct audit_walk w = { .command = SHOW };
	struct show_args o = { 0 };
	struct audit_select s = { 0 };
	struct err e;
	int rc;

	if (parse(argc, argv, &o, &s))
		return 1;
	if (o.help)
		return cmd_print(SHOW, usage_show, sizeof usage_show - 1);
	w.select = s;
	rc = audit_walk_open(&w, g->policy, o.file, &e) ? -1 : show(&w, &o, &e);
	if (rc < 0)
		rc = cmd_fail(SHOW, &e);
	audit_walk_close(&w);
	return rc;
}

int cmd_audit(const struct global *g, int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "show"))
		return cmd_show(g, argc - 1, argv + 1);
	if (!strcmp(what, "verify"))
		return cmd_audit_verify(g, argc - 1, argv + 1);
	if (!strcmp(what, "report"))
		return cmd_audit_report(g, argc - 1, argv + 1);
	if (!strcmp(what, "--help") || !strcmp(what, "-h"))
		return cmd_print("audit", usage, sizeof usage - 1);
	return cmd_usage("audit", "show, verify or report?");
}
