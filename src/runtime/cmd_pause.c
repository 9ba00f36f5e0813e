// SPDX-License-Identifier: Apache-2.0
/* credsbox pause, credsbox resume: all processes of a container stop, and go on. */
#include "cmd.h"

#include <getopt.h>
#include <string.h>

#include "container.h"
#include "../base/banned.h"

static const char pause_usage[] =
	"NAME:\n"
	"   credsbox pause - stop all processes of a container\n"
	"\n"
	"USAGE:\n"
	"   credsbox pause ID\n"
	"\n"
	"The processes stay as they are until `credsbox resume`. The container needs a cgroup.\n";

static const char resume_usage[] =
	"NAME:\n"
	"   credsbox resume - let the processes of a paused container go on\n"
	"\n"
	"USAGE:\n"
	"   credsbox resume ID\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int set(struct arena *a, const struct container *c, bool frozen, struct err *e)
{
	if (frozen && c->status != STATUS_RUNNING && c->status != STATUS_CREATED)
		return fail(e, 0, "container not running");
	if (!frozen && c->status != STATUS_PAUSED)
		return fail(e, 0, "container not paused");
	if (!c->has_cgroup)
		return fail(e, 0, "the container's cgroup is not known");
	return cgroup_freeze(a, &c->cgroup, frozen, e);
}

static int run(const struct global *g, int argc, char **argv, bool frozen)
{
	struct container container;
	struct arena a = { 0 };
	struct err e;
	int c, rc;

	optind = 0; /* anew, and words may stand before options */
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (c != 'h')
			return cmd_bad_option(argv[0], c, argv);
		return frozen ? cmd_print(argv[0], pause_usage, sizeof pause_usage - 1)
			      : cmd_print(argv[0], resume_usage, sizeof resume_usage - 1);
	}
	if (optind + 1 != argc)
		return cmd_usage(argv[0], "one container is wanted");
	rc = container_take(&a, g, argv[optind], false, &container, &e);
	if (!rc) {
		rc = set(&a, &container, frozen, &e);
		container_close(&container);
	}
	if (rc)
		rc = cmd_fail(argv[0], &e);
	arena_release(&a);
	return rc;
}

int cmd_pause(const struct global *g, int argc, char **argv)
{
	return run(g, argc, argv, true);
}

int cmd_resume(const struct global *g, int argc, char **argv)
{
	return run(g, argc, argv, false);
}
