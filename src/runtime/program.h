/* SPDX-License-Identifier: Apache-2.0 */
/* The last steps before the program: where it is, what it gets, and its start. */
#ifndef RUNTIME_PROGRAM_H
#define RUNTIME_PROGRAM_H

#include "launch.h"

/* The working directory; the first call may leave it to the second, after the change of ids. */
int program_chdir(struct launch *l, struct err *e);
int program_chdir_late(struct launch *l, struct err *e);

/* program_pipes - pipes on 0-2 become the user's: through /dev/stdout and its like they are opened as files are */
void program_pipes(const struct user *u);

/* program_find - look the program up while the runtime can still be told that it is missing */
int program_find(struct launch *l, struct err *e);

/* The floor and the bundle's filter; its listener, if it has one, goes to the other side, and its word is waited for. */
int program_seccomp(struct launch *l, struct err *e);

int program_exec(struct launch *l, struct err *e);

/* program_fds - how many descriptors beyond 0-2 the program gets: LISTEN_FDS and --preserve-fds */
int program_fds(struct launch *l, struct err *e);

#endif
