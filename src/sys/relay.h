/* SPDX-License-Identifier: Apache-2.0 */
/* Foreground: between the caller, its terminal, and the process that runs for it. */
#ifndef SYS_RELAY_H
#define SYS_RELAY_H

#include <sys/types.h>

#include "../base/err.h"

/* The caller's terminal: standard error, output, input, or /dev/tty, the first that is one. A new
 * descriptor. For a foreground with terminal, to be asked before anything is made.
 */
int tty_host(struct err *e);

/* All signals but those that tell of our own faults; SIGCHLD is no longer ignored if it was. Children inherit
 * the mask: the program's first process must clear it before exec.
 */
void tty_block_signals(void);

/* tty_relay - foreground: until the process behind pidfd ends
 * Copies between 0, 1 and master (-1: none, the program has 0-2 itself), forwards signals to the process,
 * window sizes too, reaps every child that ends meanwhile, and gives the exit code of pid, which must be a child:
 * 128+n for a signal. The caller's terminal is raw meanwhile (its output settings stay: the pty has no ONLCR)
 * and always restored. The caller must have blocked all signals before it made the process (tty_block_signals()).
 */
int tty_relay(int master, pid_t pid, int pidfd, int *status, struct err *e);

#endif
