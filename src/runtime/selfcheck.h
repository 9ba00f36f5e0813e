/* SPDX-License-Identifier: Apache-2.0 */
/* The last look before the program: does the kernel agree that every layer is there?
 *
 * Each of the layers was made by a call that succeeded. Kernels, libraries and we have been wrong before, and what
 * is missing then is not missed by anybody: so the first process looks at itself as others would. What is found
 * wrong is no error of a bundle; the exit code is that of a refusal, and it goes on record.
 */
#ifndef RUNTIME_SELFCHECK_H
#define RUNTIME_SELFCHECK_H

#include "launch.h"

/* In the runtime: what of the host must not be the container's. */
void selfcheck_note_host(struct launch *l);

/* One thread, the ids and capabilities of the plan, no new privileges, and no descriptor that would stay open.
 * Needs the host's /proc, hence before Landlock.
 */
int selfcheck_process(struct launch *l, struct err *e);

/* What has no rule cannot be opened. */
int selfcheck_landlock(struct launch *l, struct err *e);

/* Another root and another session keyring than the host's; arguments and variables as planned. Needs no
 * descriptor, and comes when nothing is left but the filters and the program.
 */
int selfcheck_last(struct launch *l, struct err *e);

/* A call that every floor denies, and that without one is merely wrong. Comes right after the floor. */
int selfcheck_floor(struct launch *l, struct err *e);

#endif
