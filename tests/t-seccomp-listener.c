// SPDX-License-Identifier: Apache-2.0
/* Tests of filters that notify: the agent gets one message, and then decides. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <linux/seccomp.h>

#include "../src/base/fd.h"
#include "../src/base/json.h"
#include "seccomp_case.h"

#define NOTIFY                                                                                \
	"{'defaultAction':'SCMP_ACT_ALLOW','listenerPath':'%s','listenerMetadata':"           \
	"'hello \\\"you\\\"','syscalls':[{'names':['mkdir','mkdirat','close','read','fcntl'," \
	"'execve'],'action':'SCMP_ACT_NOTIFY'}]}"
#define STATE "{\"ociVersion\":\"1.3.0\",\"id\":\"c1\",\"status\":\"creating\",\"pid\":7}"

enum { MESSAGE_MAX = 1 << 20, WAIT = 10000 };

static char *scratch;

static int listen_at(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1))
		BAIL_OUT("cannot listen at %s", path);
	return fd;
}

static bool ready(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, WAIT) == 1;
}

struct message {
	char *text;
	size_t len;
	int fd, n_fds;
};

/* Everything up to the end of the connection. */
static void receive(struct arena *a, int sock, struct message *m)
{
	char control[CMSG_SPACE(4 * sizeof(int))];
	struct iovec io;
	struct msghdr h;
	struct cmsghdr *c;
	ssize_t got;

	*m = (struct message){ arena_alloc(a, MESSAGE_MAX), 0, -1, 0 };
	do {
		io = (struct iovec){ m->text + m->len, MESSAGE_MAX - 1 - m->len };
		h = (struct msghdr){ .msg_iov = &io,
				     .msg_iovlen = 1,
				     .msg_control = control,
				     .msg_controllen = sizeof control };
		got = ready(sock) ? recvmsg(sock, &h, MSG_CMSG_CLOEXEC) : -1;
		for (c = CMSG_FIRSTHDR(&h); got > 0 && c; c = CMSG_NXTHDR(&h, c)) {
			m->n_fds += (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
			memcpy(&m->fd, CMSG_DATA(c), sizeof m->fd);
		}
		m->len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
}

static const char *text_at(const struct json *v, const char *key)
{
	v = json_get(v, key);
	return v ? v->text : NULL;
}

static void check_message(struct arena *a, const struct message *m, pid_t pid)
{
	const struct json *top = NULL, *fds;
	struct err e;

	cmp_ok(m->n_fds, "==", 1, "the agent gets one descriptor");
	ok(!json_parse(a, m->text, m->len, &top, &e), "and one JSON document");
	is(text_at(top, "ociVersion"), "1.3.0", "of this version of the specification");
	is(text_at(top, "pid"), arena_printf(a, "%d", pid), "with the process");
	is(text_at(top, "metadata"), "hello \"you\"", "with the metadata of the section");
	is(text_at(json_get(top, "state"), "id"), "c1", "and with the container's state");
	fds = json_get(top, "fds");
	ok(fds && fds->count == 1 && !strcmp(fds->first->text, "seccompFd"),
	   "the descriptor is called seccompFd");
}

/* Lets all calls go on, but gives mkdir an error that no kernel would. */
static int serve(int listener)
{
	struct seccomp_notif request;
	struct seccomp_notif_resp answer;
	int served = 0;

	for (;;) {
		struct pollfd p = { .fd = listener, .events = POLLIN };

		if (poll(&p, 1, WAIT) != 1 || !(p.revents & POLLIN))
			return served;
		memset(&request, 0, sizeof request);
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request))
			return served;
		answer = (struct seccomp_notif_resp){ .id = request.id,
						      .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
		if (request.data.nr == SYS_mkdir) {
			answer.flags = 0;
			answer.error = -ENOMEDIUM;
			served++;
		}
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
}

/* The container's part: loads, sends the listener as its one act under the filter, and then tells
 * errno of mkdir.
 */
static int notified(struct arena *a, const struct seccomp *s, int sock)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec io = { &byte, 1 };
	struct msghdr h = { .msg_iov = &io,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof control };
	struct seccomp_program p;
	int listener = -1;
	struct err e;

	if (seccomp_build(a, s, NULL, &p, &e) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    seccomp_install(&p, &listener, &e) || listener < 0)
		return 1;
	*CMSG_FIRSTHDR(&h) = (struct cmsghdr){ CMSG_LEN(sizeof listener), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(CMSG_FIRSTHDR(&h)), &listener, sizeof listener);
	if (sendmsg(sock, &h, 0) != 1)
		return 1;
	syscall(SYS_close, sock);
	syscall(SYS_close, listener);
	return syscall(SYS_mkdir, "/", 0700) ? errno : 0;
}

static int receive_fd(int sock)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec io = { &byte, 1 };
	struct msghdr h = { .msg_iov = &io,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof control };
	int fd = -1;

	if (ready(sock) && recvmsg(sock, &h, MSG_CMSG_CLOEXEC) == 1 && CMSG_FIRSTHDR(&h))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&h)), sizeof fd);
	return fd;
}

static void test_agent(struct arena *a)
{
	const char *path = arena_printf(a, "%s/agent", scratch);
	const struct seccomp *s = section(a, arena_printf(a, NOTIFY, path));
	int agent = listen_at(path), pair[2], conn, listener, status, pid;
	struct message m;
	struct err e = { 0 };

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		BAIL_OUT("no socket");
	pid = fork();
	if (!pid)
		leave(notified(a, s, pair[1]));
	close(pair[1]);
	listener = receive_fd(pair[0]);
	ok(listener >= 0, "loading gives a listener");
	cmp_ok(seccomp_hand_over(a, s, STATE, pid, listener, &e), "==", 0,
	       "the listener is handed over (%s)", e.text);
	close(listener);
	conn = ready(agent) ? accept(agent, NULL, NULL) : -1;
	receive(a, conn, &m);
	check_message(a, &m, pid);
	cmp_ok(serve(m.fd), "==", 1, "the agent is asked for the call");
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == ENOMEDIUM, "its answer is the call's");
	close(m.fd);
	close(conn);
	close(pair[0]);
	close(agent);
	unlink(path);
}

/* More than a socket's buffer takes at once. */
static void test_large(struct arena *a)
{
	const char *path = arena_printf(a, "%s/large", scratch);
	const struct seccomp *s = section(a, arena_printf(a, NOTIFY, path));
	size_t size = MESSAGE_MAX - 4096;
	char *state = arena_alloc(a, size + 1);
	int agent = listen_at(path), conn, status, pid;
	const struct json *top;
	struct message m;
	struct err e;

	memset(state, 'x', size);
	state[0] = state[size - 1] = '"';
	pid = fork();
	if (!pid)
		leave(seccomp_hand_over(a, s, state, 1, agent, &e) ? 1 : 0);
	conn = ready(agent) ? accept(agent, NULL, NULL) : -1;
	receive(a, conn, &m);
	waitpid(pid, &status, 0);
	ok(!status && m.n_fds == 1 && m.len > size && !json_parse(a, m.text, m.len, &top, &e),
	   "a large state comes whole, and the descriptor once");
	close(m.fd);
	close(conn);
	close(agent);
}

static const char *hand_over(struct arena *a, const char *path)
{
	const struct seccomp *s = section(a, arena_printf(a, NOTIFY, path));
	struct err e = { 0 };

	return seccomp_hand_over(a, s, STATE, 1, STDIN_FILENO, &e) ? arena_strdup(a, e.text) : "";
}

static void test_no_agent(struct arena *a)
{
	const char *path = arena_printf(a, "%s/%0*d", scratch, 200, 0);
	int agent, pid;

	is(hand_over(a, "/no/such/agent"),
	   "failed to connect with seccomp agent at /no/such/agent: no such file or directory",
	   "an agent that is not there is an error");
	is(hand_over(a, "@nobody"),
	   "failed to connect with seccomp agent at @nobody: no such file or directory",
	   "so is an abstract one");
	like(hand_over(a, path), "^failed to connect .*: the path is longer than 107 bytes$",
	     "so is a path that no socket can have");
	skip(geteuid(), 1, "only root can be somebody else");
	path = arena_printf(a, "%s/foreign", scratch);
	agent = listen_at(path);
	pid = fork();
	if (!pid) {
		syscall(SYS_setresuid, 65534, 65534, 65534);
		leave(listen(agent, 1)); /* notes who listens */
	}
	waitpid(pid, NULL, 0);
	is(hand_over(a, path),
	   arena_printf(a,
			"failed to connect with seccomp agent at %s: user 65534 listens there "
			"(only root and user 0 may)",
			path),
	   "so is another user's");
	close(agent);
	end_skip;
}

int main(void)
{
	struct arena a = { 0 };
	const char *tmp = getenv("TMPDIR");

	plan(NO_PLAN);
	scratch = arena_printf(&a, "%s/t-listener.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(scratch))
		BAIL_OUT("cannot make %s", scratch);
	test_agent(&a);
	test_large(&a);
	test_no_agent(&a);
	if (system(arena_printf(&a, "rm -r %s", scratch)))
		diag("%s is left", scratch);
	arena_release(&a);
	done_testing();
}
