// SPDX-License-Identifier: Apache-2.0
/* A process with the runtime's privileges that maps ids of mounts for a child that lost them.
 * Needed only where a bind of what is in the root itself has mappings and the container has a user namespace: what
 * is to be bound is there when the child has made it, and by then the child may map nothing.
 */
#include "rootfs_work.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

enum { STACK_SIZE = 64 * 1024 };

struct helper {
	const struct rootfs *r;
	int sock, peer;
};

union rights {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static ssize_t receive(int sock, uint32_t *mount, int *tree)
{
	union rights control = { 0 };
	uint32_t number = 0;
	struct iovec iov = { &number, sizeof number };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof control.buf };
	ssize_t n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;

	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof *tree))
		memcpy(tree, CMSG_DATA(c), sizeof *tree);
	*mount = number;
	return n;
}

/* Until nobody is left to ask. */
static int serve(void *arg)
{
	const struct helper *h = arg;
	uint32_t mount;
	int32_t error;

	close(h->peer);
	for (;;) {
		autofd int tree = -1;
		const struct rootfs_mount *w;

		if (receive(h->sock, &mount, &tree) != sizeof mount)
			return 0;
		error = EINVAL;
		if (tree >= 0 && mount < h->r->plan->n_mounts) {
			w = &h->r->mounts[mount];
			error = mnt_idmap(tree, w->user_ns, w->opts.idmap_recursive) ? errno : 0;
		}
		if (write(h->sock, &error, sizeof error) != sizeof error)
			return 0;
	}
}

/* The one who serves is nobody's child that somebody would have to wait for. */
static int start(void *arg)
{
	char stack[STACK_SIZE / 2] __attribute__((aligned(16)));

	return clone(serve, stack + sizeof stack, 0, arg) < 0 ? errno : 0;
}

int rootfs_helper_start(struct rootfs *r, struct err *e)
{
	char stack[STACK_SIZE] __attribute__((aligned(16)));
	struct helper h = { .r = r };
	int pair[2], status = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return fail(e, errno, "socketpair");
	h.sock = pair[1];
	h.peer = pair[0];
	pid = clone(start, stack + sizeof stack, 0, &h);
	if (pid < 0)
		status = -1;
	while (pid > 0 && waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	close(pair[1]);
	if (status) {
		close(pair[0]);
		return fail(e, WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN,
			    "cannot start a helper for mappings");
	}
	r->helper = pair[0];
	return 0;
}

int rootfs_helper_idmap(struct rootfs *r, size_t mount, int tree, struct err *e)
{
	uint32_t number = (uint32_t)mount;
	int32_t error = EPIPE;
	union rights control = { 0 };
	struct iovec iov = { &number, sizeof number };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof control.buf };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof tree);
	memcpy(CMSG_DATA(c), &tree, sizeof tree);
	if (sendmsg(r->helper, &msg, MSG_NOSIGNAL) < 0 ||
	    read(r->helper, &error, sizeof error) != sizeof error)
		return fail(e, errno, "the helper for mappings is gone");
	return error ? fail(e, error, "cannot map its ids") : 0;
}
