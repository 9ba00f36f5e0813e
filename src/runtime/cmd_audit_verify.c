// SPDX-License-Identifier: Apache-2.0
/* credsbox audit verify: does each record follow the one before? */
#include "audit_walk.h"

#include <getopt.h>
#include <inttypes.h>

#include "../base/str.h"
#include "../base/banned.h"

#define VERIFY "audit verify"

static const char usage[] =
	"NAME:\n"
	"   credsbox audit verify - see whether each record follows the one before\n"
	"\n"
	"USAGE:\n"
	"   credsbox audit verify [FILE...]\n"
	"\n"
	"Sees whether each record has the number and the hash that follow from the one before, "
	"from\n"
	"FILE's oldest predecessor that is left (FILE.1, FILE.2 ...) to its end. Without FILE: "
	"the\n"
	"audit that the policy names.\n"
	"\n"
	"  -h, --help  print this and exit\n"
	"\n"
	"Exit code: 0 they do; 1 they do not, and the first line that is wrong is named.\n";

static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { 0 } };

static int next(struct audit_walk *w, struct audit_chain *chain, struct err *e)
{
	struct audit_line l;
	struct audit_text t = { 0 };
	int rc = audit_walk_next(w, true, &t, &l, e);

	if (rc <= 0 || w->broken)
		return w->broken ? 1 : rc;
	if (!audit_chain_follow(chain, &l, t.text, t.len, e))
		return 2;
	fail_in(e, "%s: line %" PRIu64, t.source->shown, t.number);
	cmd_fail(VERIFY, e);
	return 1;
}

static int sum_up(struct audit_walk *w, const struct audit_chain *c)
{
	uint64_t n = c->has_begun ? c->seq - c->first : 0;
	struct str out;

	str_init(&out, &w->arena, 4096);
	str_printf(&out, "%s: %" PRIu64 " record%s", w->files.v[w->files.n - 1].shown, n,
		   n == 1 ? "" : "s");
	if (w->files.n > 1)
		str_printf(&out, " in %zu files", w->files.n);
	if (n)
		str_printf(&out, ", %" PRIu64 " to %" PRIu64 ", each follows the one before",
			   c->first, c->seq - 1);
	if (n && c->first)
		str_add(&out, "; those before are not here");
	if (w->halves)
		str_add(&out, "; half a line at an end, of a writer that was killed");
	str_add(&out, "\n");
	return cmd_print(VERIFY, out.s, out.len);
}

static int verify(const struct global *g, const char *file)
{
	struct audit_walk w = { .command = VERIFY, .stops = true };
	struct audit_chain chain = { 0 };
	struct err e;
	int rc = audit_walk_open(&w, g->policy, file, &e);

	while (!rc && (rc = next(&w, &chain, &e)) == 2)
		rc = 0;
	if (rc < 0)
		rc = cmd_fail(VERIFY, &e);
	else if (!rc)
		rc = sum_up(&w, &chain);
	audit_walk_close(&w);
	return rc;
}

int cmd_audit_verify(const struct global *g, int argc, char **argv)
{
	int rc = 0, c;

	opterr = 0;
	optind = 0;
	c = getopt_long(argc, argv, "+:h", options, NULL);
	if (c == 'h')
		return cmd_print(VERIFY, usage, sizeof usage - 1);
	if (c != -1)
		return cmd_bad_option(VERIFY, c, argv);
	if (optind == argc)
		return verify(g, NULL);
	for (; optind < argc; optind++)
		rc |= verify(g, argv[optind]);
	return rc;
}
