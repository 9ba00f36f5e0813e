/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line of exec says, and what becomes of it. */
#ifndef RUNTIME_EXEC_H
#define RUNTIME_EXEC_H

#include "launch.h"

struct exec_args {
	struct launch_args launch;
	const char *cwd, *process, *label, *apparmor;
	struct strings env, cgroups;
	bool tty, no_new_privs, ignore_paused, has_user, has_group, help;
	uint32_t uid, gid, *groups;
	size_t n_groups;
	uint64_t caps; /* bits */
	char **args;
	size_t n_args;
};

int exec_parse(struct arena *a, int argc, char **argv, struct exec_args *o);

/* l->job.plan, from the container's state file and the command line */
int exec_plan(struct launch *l, const struct exec_args *o, struct err *e);

#endif
