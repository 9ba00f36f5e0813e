// SPDX-License-Identifier: Apache-2.0
/* credsbox create: a container, all but its program. */
#include "launch.h"

#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox create - make a container from a bundle\n"
	"\n"
	"USAGE:\n"
	"   credsbox create [OPTION...] ID\n"
	"\n"
	"Makes a container from a bundle; credsbox start ID runs its program.\n"
	"\n"
	"  -b, --bundle DIR           the directory with config.json (default: the current one)\n"
	"  -f, --config FILE          read this in place of config.json; relative to the bundle\n"
	"      --pid-file FILE        write the process id of the container's first process there\n"
	"      --console-socket PATH  send the terminal's other end to this socket\n"
	"      --pidfd-socket PATH    send a pidfd of the first process to this socket\n"
	"      --preserve-fds N       let the program have N descriptors beyond 0, 1, 2\n"
	"      --no-new-keyring       share the caller's session keyring\n";

int cmd_create(const struct global *g, int argc, char **argv)
{
	struct launch_args o = { .detach = true };
	struct launch l = { .global = g, .args = &o, .command = "create" };
	struct err e;
	int rc;

	if (launch_parse(argc, argv, &o))
		return 1;
	if (o.help)
		return cmd_print("create", usage, sizeof usage - 1);
	rc = launch_container(&l, &e);
	if (rc) {
		cmd_fail("create", &e);
		rc = launch_exit_code(&l, &e);
	}
	launch_close(&l);
	job_release(&l.job);
	return rc;
}
