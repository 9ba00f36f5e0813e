/* SPDX-License-Identifier: Apache-2.0 */
/* Terminals: the container's pty, the console socket, and a person's terminal in between. */
#ifndef SYS_TTY_H
#define SYS_TTY_H

#include "../core/bundle.h"
#include "relay.h"

/* tty_make - a pty out of the devpts at dev/pts in root (an O_PATH directory)
 * ONLCR is off, the size is set when there is one, the slave belongs to the user. Both descriptors close on exec.
 * Needs no procfs and follows no link outside of the root.
 */
int tty_make(int root, const struct process *p, int *master, int *slave, struct err *e);

/* The name that goes with the master: "/dev/pts/0". */
enum { TTY_NAME_SIZE = 32 };
const char *tty_name(int master, char buf[TTY_NAME_SIZE]);

/* The slave becomes the controlling terminal and 0, 1, 2; the descriptor itself stays open until exec.
 * The caller leads a session (setsid()) that has no terminal.
 */
int tty_adopt(int slave, bool only_terminals, struct err *e);

/* The other end of --console-socket or --pidfd-socket: connect, and one message with one descriptor.
 * The path may have any length but must not end in a link; whoever listens must be root or the caller.
 * Neither waits longer than ten seconds. Errors don't have the option's name: put it in front.
 */
int tty_connect(const char *path, struct err *e);
int tty_send(int sock, const char *name, int fd, struct err *e);

/* What tty_send() sent, for a foreground: the descriptor, which closes on exec. Not more than ten seconds either. */
int tty_receive(int sock, struct err *e);

#endif
