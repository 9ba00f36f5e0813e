// SPDX-License-Identifier: Apache-2.0
/* credsbox run: a container, its program, and the way back of its exit code. */
#include "launch.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../sys/sync.h"
#include "../sys/tty.h"
#include "container.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox run - make a container from a bundle and run its program\n"
	"\n"
	"USAGE:\n"
	"   credsbox run [OPTION...] ID\n"
	"\n"
	"Makes a container from a bundle and runs its program; the exit code is the program's.\n"
	"\n"
	"  -b, --bundle DIR           the directory with config.json (default: the current one)\n"
	"  -f, --config FILE          read this in place of config.json; relative to the bundle\n"
	"  -d, --detach               do not wait for the program\n"
	"      --keep                 leave the container there when its program has ended\n"
	"      --pid-file FILE        write the process id of the container's first process there\n"
	"      --console-socket PATH  send the terminal's other end to this socket\n"
	"      --pidfd-socket PATH    send a pidfd of the first process to this socket\n"
	"      --preserve-fds N       let the program have N descriptors beyond 0, 1, 2\n"
	"      --no-new-keyring       share the caller's session keyring\n"
	"      --no-subreaper         do not take care of the container's orphans\n";

static int start(struct launch *l, struct err *e)
{
	if (l->console_here >= 0)
		l->master = sync_receive_fd(l->console_here, e);
	if ((l->console_here >= 0 && l->master < 0) || launch_go(l, l->sync, l->clone.pid, e) ||
	    launch_hooks(l, HOOK_POSTSTART, STATUS_RUNNING, e)) {
		launch_drain(l);
		launch_undo(l);
		return -1;
	}
	return 0;
}

/* The program may have started others that outlive it; the container ends with its first process. */
static void clean_up(struct launch *l)
{
	struct container c = {
		.state = l->state,
		.has_cgroup = l->made_cgroup,
		.cgroup = l->cgroup,
		.status = STATUS_STOPPED,
	};
	struct err e;

	if (l->args->keep)
		return;
	if (container_delete(&l->job.arena, &c, true, &e))
		log_warn("%s: %s", l->command, e.text);
}

static int wait_for_it(struct launch *l, struct err *e)
{
	int status = 0;

	return tty_relay(l->master, l->clone.pid, l->clone.pidfd, &status, e) ? -1 : status;
}

int launch_run(struct launch *l, struct err *e)
{
	int status;

	if (!l->args->detach) {
		tty_block_signals();
		if (!l->args->no_subreaper && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
			return fail(e, errno, "PR_SET_CHILD_SUBREAPER");
	}
	if (launch_container(l, e) || start(l, e))
		return -1;
	state_unlock(&l->state);
	if (l->args->detach)
		return 0;
	status = wait_for_it(l, e);
	clean_up(l);
	return status;
}

int cmd_run(const struct global *g, int argc, char **argv)
{
	struct launch_args o = { 0 };
	struct launch l = { .global = g, .args = &o, .command = "run", .goes_on = true };
	struct err e;
	int rc;

	if (launch_parse(argc, argv, &o))
		return 1;
	if (o.help)
		return cmd_print("run", usage, sizeof usage - 1);
	launch_init(&l);
	rc = launch_run(&l, &e);
	if (rc < 0) {
		cmd_fail("run", &e);
		rc = launch_exit_code(&l, &e);
	}
	launch_close(&l);
	job_release(&l.job);
	return rc;
}
