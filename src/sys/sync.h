/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime and the container's first process tell each other while it is made. */
#ifndef SYS_SYNC_H
#define SYS_SYNC_H

#include <errno.h>
#include <stdint.h>

#include "../base/err.h"

enum stage {
	STAGE_MAPPED, /* to the child: its ids are mapped, it may go on */
	STAGE_MOUNTED, /* from the child: mounts are made, the root is not entered; only with hooks */
	STAGE_HOOKED,   /* to the child: hooks of the runtime's side have run */
	STAGE_READY,    /* from the child: all is done but the program's start */
	STAGE_GO,       /* to the child: start the program */
	STAGE_LISTENER, /* from the child: a seccomp listener comes with this note */
	STAGE_FAILED,   /* from the child: the error is why, and it is gone */
	STAGE_UNSAFE,   /* the same, when it found itself without a layer that was made */
};

/* What the number of an error is that came with STAGE_UNSAFE. */
#define SYNC_UNSAFE ENOTRECOVERABLE

/* The one kind of message. */
struct note {
	uint32_t stage; /* enum stage */
	struct err err;
};

/* A pair of SOCK_SEQPACKET sockets, close-on-exec. */
int sync_pair(int fds[2], struct err *e);

/* fd is sent along unless it is -1. */
int sync_send(int sock, enum stage stage, const struct err *what, int fd);

/* sync_expect - the next note must be of that stage
 * STAGE_FAILED gives the child's own error; an end of the connection says that the other side is
 * gone, in the words of gone ("the container's first process died"). *fd, unless NULL, gets what
 * came along or -1.
 */
int sync_expect(int sock, enum stage stage, const char *gone, int *fd, struct err *e);

/* sync_end - wait for the end of the connection, which says that the program was started
 * 0: it was. 1: a seccomp listener came first and is in *listener: hand it over, say STAGE_GO, and ask again.
 * -1: the child failed.
 */
int sync_end(int sock, int *listener, struct err *e);

/* A descriptor that comes with a message of any kind, over any kind of socket. */
int sync_receive_fd(int sock, struct err *e);

#endif
