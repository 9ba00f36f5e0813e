/* SPDX-License-Identifier: Apache-2.0 */
/* Terminals: the container's pty, the console socket, and a person's terminal in between. */
#ifndef SYS_TTY_H
#define SYS_TTY_H

#include <stdbool.h>
#include <sys/types.h>

#include "../core/bundle.h"

/* tty_make - a pty out of the devpts in root (an O_PATH directory)
 * ONLCR is off, the size is set when there is one, the slave belongs to the user. Both descriptors close on exec.
 */
int tty_make(int root, const struct process *p, int *master, int *slave, struct err *e);

/* The slave becomes the controlling terminal and 0, 1, 2. The caller leads a session. */
int tty_adopt(int slave, struct err *e);

/* The other end of --console-socket or --pidfd-socket: connect, and one message with one descriptor. */
int tty_connect(const char *path, struct err *e);
int tty_send(int sock, const char *name, int fd, struct err *e);

/* tty_relay - foreground: until the process behind pidfd ends
 * Copies between 0, 1 and master (-1: none, the program has 0-2 itself), forwards signals to the process,
 * window sizes too, and returns its exit code: 128+n for a signal. The caller's terminal is raw meanwhile and always
 * restored. The caller must have blocked all signals before it made the process (tty_block_signals()).
 */
void tty_block_signals(void);
int tty_relay(int master, pid_t pid, int pidfd, int *status, struct err *e);

#endif
