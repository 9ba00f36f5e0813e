/* SPDX-License-Identifier: Apache-2.0 */
/* Gathering what the outside world contributes to a plan. */
#ifndef SYS_FACTS_H
#define SYS_FACTS_H

#include "../base/err.h"
#include "../core/bundle.h"
#include "../core/facts.h"
#include "../core/policy.h"

/* The caller, the kernel, and fresh random numbers: all that needs no bundle. */
int facts_host(struct arena *a, struct facts *f, struct err *e);

/* facts_gather - facts_host() and all that the bundle's paths lead to
 * Sources of bind mounts are resolved from the bundle's directory; a source or a root that is missing is no
 * error here: a dry run may happen on another machine.
 */
int facts_gather(struct arena *a, const struct bundle *b, const struct policy *p,
		 const char *bundle_dir, struct facts *f, struct err *e);

/* facts_fds - what is open beyond 0-2 and not ours; the first ones were asked for
 * Before anything is opened that does not close on exec.
 */
int facts_fds(struct arena *a, int asked_for, struct facts *f, struct err *e);

#endif
