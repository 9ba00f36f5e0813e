// SPDX-License-Identifier: Apache-2.0
/* What the runtime and the container's first process tell each other while it is made. */
#include "sync.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../base/banned.h"

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

int sync_pair(int fds[2], struct err *e)
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return fail(e, errno, "socketpair");
	return 0;
}

int sync_send(int sock, enum stage stage, const struct err *what, int fd)
{
	struct note note = { .stage = stage };
	struct iovec iov = { &note, sizeof note };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union control control = { 0 };
	ssize_t n;

	if (what)
		note.err = *what;
	if (fd >= 0) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof control;
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
	}
	do
		n = sendmsg(sock, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == sizeof note ? 0 : -1;
}

/* 1: a note; 0: the end; -1: errno. *fd is what came along, or -1. */
static int receive(int sock, struct note *note, int *fd)
{
	struct iovec iov = { note, sizeof *note };
	union control control = { 0 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof control };
	const struct cmsghdr *c;
	ssize_t n;

	*fd = -1;
	do
		n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == ECONNRESET ? 0 : -1;
	c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof *fd);
	if (n && n != sizeof *note) {
		errno = EPROTO;
		return -1;
	}
	note->err.text[sizeof note->err.text - 1] = '\0';
	return n > 0;
}

static bool is_failure(const struct note *note, struct err *e)
{
	if (note->stage != STAGE_FAILED && note->stage != STAGE_UNSAFE)
		return false;
	*e = note->err;
	if (note->stage == STAGE_UNSAFE)
		e->errnum = SYNC_UNSAFE;
	return true;
}

int sync_expect(int sock, enum stage stage, const char *gone, int *fd, struct err *e)
{
	struct note note;
	int got, came = -1;

	got = receive(sock, &note, &came);
	if (came >= 0 && (got < 1 || note.stage != stage || !fd)) {
		close(came);
		came = -1;
	}
	if (fd)
		*fd = came;
	if (got < 0)
		return fail(e, errno, "cannot read from the container's first process");
	if (!got)
		return fail(e, 0, "%s", gone);
	if (is_failure(&note, e))
		return -1;
	if (note.stage != stage)
		return fail(e, 0, "note %u where %u was due", note.stage, stage);
	return 0;
}

int sync_end(int sock, int *listener, struct err *e)
{
	struct note note;
	int got, came = -1;

	if (listener)
		*listener = -1;
	got = receive(sock, &note, &came);
	if (got == 1 && note.stage == STAGE_LISTENER && listener) {
		*listener = came;
		return 1;
	}
	if (came >= 0)
		close(came);
	if (got < 0)
		return fail(e, errno, "cannot read from the container's first process");
	if (!got)
		return 0;
	if (is_failure(&note, e))
		return -1;
	return fail(e, 0, "note %u where the end was due", note.stage);
}

int sync_receive_fd(int sock, struct err *e)
{
	struct note ignored;
	int fd = -1;

	if (receive(sock, &ignored, &fd) < 0 && fd < 0)
		return fail(e, errno, "cannot receive a descriptor");
	return fd < 0 ? fail(e, 0, "no descriptor came") : fd;
}
