/* SPDX-License-Identifier: Apache-2.0 */
/* Landlock: the last restriction of the file system before the workload. */
#ifndef SYS_LANDLOCK_H
#define SYS_LANDLOCK_H

#include "../base/err.h"
#include "../core/landlock_rules.h"

/* landlock_apply - restrict this process and all that it starts
 * Must come after the root is entered (mounting fails once it is on; paths are the container's) and after
 * no_new_privs. A path that is not there has no rule. Nothing is done for abi 0.
 */
int landlock_apply(const struct landlock_rules *r, struct err *e);

#endif
