// SPDX-License-Identifier: Apache-2.0
/* The command lines of create and run. */
#include "launch.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "../base/banned.h"

enum {
	OPT_CONSOLE = 256,
	OPT_KEEP,
	OPT_NO_KEYRING,
	OPT_NO_PIVOT,
	OPT_NO_SUBREAPER,
	OPT_PIDFD,
	OPT_PID_FILE,
	OPT_PRESERVE,
};

/* The options of run come first: create's begin behind them. */
static const struct option options[] = {
	{ "detach", no_argument, NULL, 'd' },
	{ "keep", no_argument, NULL, OPT_KEEP },
	{ "no-subreaper", no_argument, NULL, OPT_NO_SUBREAPER },
	{ "bundle", required_argument, NULL, 'b' },
	{ "config", required_argument, NULL, 'f' },
	{ "console-socket", required_argument, NULL, OPT_CONSOLE },
	{ "help", no_argument, NULL, 'h' },
	{ "no-new-keyring", no_argument, NULL, OPT_NO_KEYRING },
	{ "no-pivot", no_argument, NULL, OPT_NO_PIVOT },
	{ "pid-file", required_argument, NULL, OPT_PID_FILE },
	{ "pidfd-socket", required_argument, NULL, OPT_PIDFD },
	{ "preserve-fds", required_argument, NULL, OPT_PRESERVE },
	{ 0 },
};
enum { OF_RUN_ONLY = 3, FDS_MAX = 1024 };

int launch_count(const char *command, const char *text, uint32_t *n)
{
	uint64_t value;

	if (!parse_u64(text, strlen(text), &value) || value > FDS_MAX)
		return cmd_usage(command, "--preserve-fds: a number up to %d", FDS_MAX);
	*n = (uint32_t)value;
	return 0;
}

static int take(const char *command, int c, char **argv, struct launch_args *o)
{
	switch (c) {
	case 'b': o->bundle = optarg; return 0;
	case 'd': o->detach = true; return 0;
	case 'f': o->config = optarg; return 0;
	case 'h': o->help = true; return 0;
	case OPT_CONSOLE: o->console_socket = optarg; return 0;
	case OPT_KEEP: o->keep = true; return 0;
	case OPT_NO_KEYRING: o->no_new_keyring = true; return 0;
	case OPT_NO_PIVOT:
		return cmd_usage(command, "--no-pivot is not offered: without pivot_root(2) the "
					  "host's files stay within reach");
	case OPT_NO_SUBREAPER: o->no_subreaper = true; return 0;
	case OPT_PIDFD: o->pidfd_socket = optarg; return 0;
	case OPT_PID_FILE: o->pid_file = optarg; return 0;
	case OPT_PRESERVE: return launch_count(command, optarg, &o->preserve_fds);
	default: return cmd_bad_option(command, c, argv);
	}
}

int launch_parse(int argc, char **argv, struct launch_args *o)
{
	bool is_run = !strcmp(argv[0], "run");
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, is_run ? ":b:df:h" : ":b:f:h",
				is_run ? options : options + OF_RUN_ONLY, NULL)) != -1)
		if (take(argv[0], c, argv, o))
			return 1;
	if (o->help)
		return 0;
	if (argc - optind != 1)
		return cmd_usage(argv[0], argc == optind ? "which id is the container to have?"
							 : "one id, and nothing else");
	o->id = argv[optind];
	return 0;
}
