/* SPDX-License-Identifier: Apache-2.0 */
/* Running hooks. */
#ifndef SYS_HOOK_H
#define SYS_HOOK_H

#include "../core/plan.h"

/* hooks_run - one after the other, each with the state on its standard input and its own environment only
 * Stops at the first that fails: "error running prestart hook #0: exit status 1". A hook that
 * outlives its timeout is killed with its process group. What hooks write to standard output and standard error goes to
 * the runtime's standard error, as much as a person would read.
 */
int hooks_run(enum hook_kind kind, const struct plan_hook *hooks, size_t n, const char *state,
	      const char *cwd, struct err *e);

#endif
