/* SPDX-License-Identifier: Apache-2.0 */
/* The program's own file, out of the workload's reach. */
#ifndef RUNTIME_SEAL_H
#define RUNTIME_SEAL_H

#include "cmd.h"

/* seal_self - go on as a copy of the program in memory that nobody can write to
 * Whoever has CAP_SYS_PTRACE in a container can open /proc/PID/exe of a process of ours that is on its way in, and
 * write to the host's file once that process has become another program. A user namespace keeps them from it, and so
 * does Landlock: it is for containers that have neither. Before anything is made or read that cannot be again;
 * returns only in the copy, or to fail.
 */
int seal_self(const struct global *g, struct err *e);

#endif
