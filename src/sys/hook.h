/* SPDX-License-Identifier: Apache-2.0 */
/* Running hooks. */
#ifndef SYS_HOOK_H
#define SYS_HOOK_H

#include "../core/plan.h"

/* hooks_run - one after the other, each with the state on its standard input and its own environment only
 * Stops at the first that fails: "error running prestart hook #0: exit status 1". A hook that
 * outlives its timeout is killed with its process group; so is one that is running when a signal
 * comes that would end us (SIGHUP, SIGINT, SIGQUIT, SIGTERM), if the caller has it blocked: it stays
 * pending. Each hook leads a session, starts in cwd, and has no descriptor but 0, 1 and 2.
 * What it writes goes to the runtime's standard error when it has ended, as much as a person would read.
 */
int hooks_run(enum hook_kind kind, const struct plan_hook *hooks, size_t n, const char *state,
	      const char *cwd, struct err *e);

/* hooks_run_each - the same, but one that fails is only warned of, and the next are run all the same */
void hooks_run_each(enum hook_kind kind, const struct plan_hook *hooks, size_t n, const char *state,
		    const char *cwd);

#endif
