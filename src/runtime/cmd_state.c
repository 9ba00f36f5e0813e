// SPDX-License-Identifier: Apache-2.0
/* credsbox state: a container's state, as JSON. */
#include "cmd.h"

#include <getopt.h>
#include <string.h>

#include "container.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox state - print the state of a container\n"
	"\n"
	"USAGE:\n"
	"   credsbox state ID\n"
	"\n"
	"Prints a JSON object: ociVersion, id, pid (0 when it is stopped), status (creating, "
	"created,\n"
	"running, paused or stopped), bundle, rootfs, created, annotations, owner.\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int show(struct arena *a, const struct global *g, const char *id)
{
	struct container c;
	const char *text;
	struct err e;

	if (container_find(a, g, id, &c, &e))
		return cmd_fail("state", &e);
	text = container_state_json(a, &c.state, c.status,
				    c.status == STATUS_STOPPED ? 0 : c.state.pid, true);
	text = arena_printf(a, "%s\n", text);
	container_close(&c);
	return cmd_print("state", text, strlen(text));
}

int cmd_state(const struct global *g, int argc, char **argv)
{
	struct arena a = { 0 };
	int c, rc;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (c == 'h')
			return cmd_print("state", usage, sizeof usage - 1);
		return cmd_bad_option("state", c, argv);
	}
	if (optind + 1 != argc)
		return cmd_usage("state", "one container is wanted");
	rc = show(&a, g, argv[optind]);
	arena_release(&a);
	return rc;
}
