/* SPDX-License-Identifier: Apache-2.0 */
/* The first process of a wrapped command: it looks after the command, which is its child. */
#ifndef RUNTIME_INIT_H
#define RUNTIME_INIT_H

#include "launch.h"

/* init_fork - 0 in the child, which goes on to the program
 * Who calls it becomes what it says and does not come back. The kernel keeps signals from a first process that has
 * no handler for them, and gives it all orphans: programs expect neither.
 */
int init_fork(struct launch *l, struct err *e);

#endif
