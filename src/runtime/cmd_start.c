// SPDX-License-Identifier: Apache-2.0
/* credsbox start: run the program of a container that was created. */
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../sys/hook.h"
#include "container.h"
#include "../base/banned.h"

static const char usage[] = "NAME:\n"
			    "   credsbox start - run the program of a container that was created\n"
			    "\n"
			    "USAGE:\n"
			    "   credsbox start ID\n"
			    "\n"
			    "Runs the program of a container that credsbox create made.\n";

static int check(const struct container *c, struct err *e)
{
	switch (c->status) {
	case STATUS_CREATED: return 0;
	case STATUS_CREATING: return fail(e, 0, "the container is still being created");
	case STATUS_PAUSED:
	case STATUS_RUNNING: return fail(e, 0, "cannot start an already running container");
	case STATUS_STOPPED: return fail(e, 0, "cannot start a container that has stopped");
	}
	return -1;
}

/* A listener needs the section that asks for it. */
static int read_config(struct launch *l, struct err *e)
{
	const struct json *config = json_get(l->state.doc, "config");

	if (!config || bundle_read(&l->job.arena, config, &l->job.bundle, e))
		return fail(e, 0,
			    "the container's state file is damaged (delete --force removes it)");
	l->seccomp_conf = &l->job.bundle.lin.seccomp;
	return 0;
}

static int run_hooks(struct launch *l, struct err *e)
{
	struct plan_hook *hooks;
	const char *state;
	size_t n;

	if (container_hooks(&l->job.arena, &l->state, HOOK_POSTSTART, &hooks, &n, e))
		return -1;
	if (!n)
		return 0;
	state = container_state_json(&l->job.arena, &l->state, STATUS_RUNNING, l->state.pid, false);
	return launch_poststart(l->state.oci_version, hooks, n, state, l->state.bundle, e);
}

static int start(struct launch *l, struct container *c, struct err *e)
{
	autofd int sock = -1, pidfd = -1;

	l->state = c->state;
	if (check(c, e) || read_config(l, e))
		return -1;
	pidfd = state_pidfd(&c->state);
	sock = state_connect(&c->state);
	if (pidfd < 0 || sock < 0)
		return fail(e, errno, "the container's first process is gone");
	if (launch_go(l, sock, c->state.pid, e))
		return -1;
	state_unlisten(&c->state);
	if (!run_hooks(l, e))
		return 0;
	syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	return -1;
}

int cmd_start(const struct global *g, int argc, char **argv)
{
	struct launch l = { .global = g, .command = "start", .signals = -1, .exit_code = 1 };
	struct container c;
	struct err e;
	int rc;

	if (argc == 2 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")))
		return cmd_print("start", usage, sizeof usage - 1);
	if (argc != 2 || argv[1][0] == '-')
		return cmd_usage("start", "one id, and nothing else");
	rc = 0;
	if (container_take(&l.job.arena, g, argv[1], false, &c, &e) || start(&l, &c, &e)) {
		cmd_fail("start", &e);
		rc = launch_exit_code(&l, &e);
	}
	container_close(&c);
	arena_release(&l.job.arena);
	return rc;
}
