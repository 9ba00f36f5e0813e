// SPDX-License-Identifier: Apache-2.0
/* credsbox audit report: what was stripped, where and how often, as a page. */
#include "audit_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fd.h"
#include "../base/str.h"
#include "../core/audit_report.h"
#include "../base/banned.h"

#define REPORT "audit report"

enum { OPT_CONTAINER = 256, OPT_FILE, OPT_SINCE, SHOWN = 200 };

static const char usage[] =
	"NAME:\n"
	"   credsbox audit report - write the audit as a page of HTML\n"
	"\n"
	"USAGE:\n"
	"   credsbox audit report [--container ID] [--since T] [--file FILE] [--output FILE]\n"
	"\n"
	"Writes a page of HTML: what was stripped, where and how often, by rule, by container and\n"
	"over time. It is whole in itself, loads nothing and has no script.\n"
	"\n"
	"      --container ID  of this container alone, as `audit show` takes it\n"
	"      --since T       since a date, a time (2026-11-18T09:30:00Z), or so long ago (1h, "
	"2d)\n"
	"      --file FILE     of another audit than the policy's\n"
	"  -o, --output FILE   write it there, for nobody else to read (default: standard output)\n"
	"\n"
	"Exit code: 0, or 1 when there is an error or a line that is no record.\n";

static const struct option options[] = {
	{ "container", required_argument, NULL, OPT_CONTAINER },
	{ "file", required_argument, NULL, OPT_FILE },
	{ "help", no_argument, NULL, 'h' },
	{ "output", required_argument, NULL, 'o' },
	{ "since", required_argument, NULL, OPT_SINCE },
	{ 0 },
};

struct report_args {
	const char *file, *output, *since;
	bool help;
};

static int parse(int argc, char **argv, struct report_args *o, struct audit_select *s)
{
	struct timespec now = { 0 };
	int c;

	optind = 0;
	opterr = 0;
	clock_gettime(CLOCK_REALTIME, &now);
	while ((c = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
		switch (c) {
		case 'h': o->help = true; return 0;
		case 'o': o->output = optarg; break;
		case OPT_CONTAINER:
			s->container = optarg;
			if (!*optarg)
				return cmd_usage(REPORT, "--container: which?");
			break;
		case OPT_FILE: o->file = optarg; break;
		case OPT_SINCE:
			o->since = optarg;
			if (!audit_select_since(s, optarg, &now))
				return audit_bad_since(REPORT);
			break;
		default: return cmd_bad_option(REPORT, c, argv);
		}
	}
	return optind < argc ? cmd_usage(REPORT, "too many arguments") : 0;
}

/* The audit itself must not become its report. */
static bool is_source(const struct audit_walk *w, const struct stat *st)
{
	size_t i;

	for (i = 0; i < w->files.n; i++)
		if (w->files.v[i].dev == st->st_dev && w->files.v[i].ino == st->st_ino)
			return true;
	return false;
}

static int write_to(struct audit_walk *w, const char *path, const char *text, size_t len,
		    struct err *e)
{
	const char *shown = printable(&w->arena, path, SHOWN);
	autofd int fd = -1;
	struct stat st;

	if (!strcmp(path, "-"))
		return fd_write_all(STDOUT_FILENO, "standard output", text, len, e);
	fd = open(path, O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC, 0600);
	if (fd < 0 || fstat(fd, &st))
		return fail(e, errno, "--output: %s", shown);
	if (is_source(w, &st))
		return fail(e, 0, "--output: %s: that is the audit", shown);
	if (S_ISREG(st.st_mode) && ftruncate(fd, 0))
		return fail(e, errno, "--output: %s", shown);
	return fd_write_all(fd, shown, text, len, e);
}

/* All lines are in the chain, whether they are counted or not. */
static int read_all(struct audit_walk *w, struct audit_report *r, struct audit_chain *chain,
		    const char **wrong, struct err *e)
{
	struct audit_line l;
	struct audit_text t;
	uint64_t broken = 0;
	struct err why;
	int rc;

	while ((rc = audit_walk_next(w, true, &t, &l, e)) > 0) {
		if (w->broken != broken)
			audit_chain_lose(chain);
		broken = w->broken;
		if (audit_chain_follow(chain, &l, t.text, t.len, &why) && !*wrong)
			*wrong = arena_printf(&w->arena,
					      "The chain is broken: %s: line %" PRIu64 ": %s",
					      t.source->shown, t.number, why.text);
		if (audit_select_takes(&w->select, &l))
			audit_report_add(r, &l);
	}
	return rc;
}

static int make(struct audit_walk *w, const struct report_args *o, struct err *e)
{
	struct audit_chain chain = { 0 };
	const char *wrong = NULL, *page;
	struct audit_report r;
	char now[CLOCK_TEXT], since[CLOCK_TEXT];
	size_t len;

	if (audit_walk_settle(w, e))
		return -1;
	audit_report_init(&r, &w->arena);
	if (read_all(w, &r, &chain, &wrong, e))
		return -1;
	r.source = w->files.v[w->files.n - 1].shown;
	r.broken = w->broken;
	r.chain_is_whole = !wrong && !w->broken;
	r.chain = wrong         ? wrong
		  : w->broken   ? "Some lines of the file are no records"
		  : chain.first ? "The chain is whole, from what is left of it on"
				: "The chain is whole";
	r.made = clock_now(false, now);
	r.since = o->since ? clock_text(&w->select.since, false, since) : NULL;
	page = audit_report_html(&w->arena, &r, &len);
	if (!page)
		return fail(e, 0, "the page would be too long (--since makes it shorter)");
	return write_to(w, o->output ? o->output : "-", page, len, e) ? -1 : audit_walk_end(w);
}

int cmd_audit_report(const struct global *g, int argc, char **argv)
{
	struct audit_walk w = { .command = REPORT };
	struct report_args o = { 0 };
	struct audit_select s = { 0 };
	struct err e;
	int rc;

	if (parse(argc, argv, &o, &s))
		return 1;
	if (o.help)
		return cmd_print(REPORT, usage, sizeof usage - 1);
	w.select = s;
	rc = audit_walk_open(&w, g->policy, o.file, &e) ? -1 : make(&w, &o, &e);
	if (rc < 0)
		rc = cmd_fail(REPORT, &e);
	audit_walk_close(&w);
	return rc;
}
