/* SPDX-License-Identifier: Apache-2.0 */
/* What state.c and state_read.c share: names of files, and small questions. */
#ifndef SYS_STATE_FILES_H
#define SYS_STATE_FILES_H

#include "state.h"

#define STATE_FILE   "state"
#define STATE_NEW    "state.new"
#define PID_FILE     "pid"
#define PID_NEW      "pid.new"
#define START_SOCKET "start.sock"

enum { PID_FILE_MAX = 64 };

int state_gone(struct err *e);               /* "container does not exist" */
bool state_is_linked(const struct state *s); /* nobody has removed the directory */
void state_read_pid(struct state *s);        /* 0 when there is none to be trusted */

#endif
