// SPDX-License-Identifier: Apache-2.0
/* The listener of a filter that notifies, handed to the agent that the bundle names. */
#include "seccomp.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/jsonw.h"
#include "../base/str.h"
#include "../base/banned.h"

enum {
	PATH_SHOWN = 200,
	PATIENCE = 10, /* seconds for an agent that neither accepts nor reads */
};

static const char no_agent[] = "failed to connect with seccomp agent";

/* An agent decides what calls of the container do: it must be root's, or the caller's own. */
static int check_peer(int fd, const char *shown, struct err *e)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return fail(e, errno, "%s at %s", no_agent, shown);
	if (peer.uid && peer.uid != geteuid())
		return fail(e, 0, "%s at %s: user %u listens there (only root and user %u may)",
			    no_agent, shown, peer.uid, geteuid());
	return 0;
}

static int connect_agent(const char *path, const char *shown, struct err *e)
{
	autofd int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct timeval patience = { .tv_sec = PATIENCE };
	size_t len = strlen(path);

	if (len >= sizeof to.sun_path)
		return fail(e, 0, "%s at %s: the path is longer than %zu bytes", no_agent, shown,
			    sizeof to.sun_path - 1);
	memcpy(to.sun_path, path, len);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) ||
	    connect(fd, (const struct sockaddr *)&to,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + 1)))
		return fail(e, errno, "%s at %s", no_agent, shown);
	if (check_peer(fd, shown, e))
		return -1;
	return fd_steal(&fd);
}

static const char *process_state(struct arena *a, const struct seccomp *s, const char *state,
				 pid_t pid, size_t *len)
{
	struct jsonw *w = jsonw_new(a, false);

	jsonw_object(w);
	jsonw_kv(w, "ociVersion", "1.3.0");
	jsonw_key(w, "fds");
	jsonw_array(w);
	jsonw_string(w, "seccompFd");
	jsonw_end(w);
	jsonw_kv_int(w, "pid", pid);
	if (s->listener_metadata)
		jsonw_kv(w, "metadata", s->listener_metadata);
	jsonw_key(w, "state");
	jsonw_raw(w, state, strlen(state));
	jsonw_end(w);
	return jsonw_text(w, len);
}

/* The descriptor goes with the first bytes; a signal or a full buffer may leave some for later. */
static int send_all(int fd, const char *text, size_t len, int listener)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof listener)];
	} control = { 0 };
	struct iovec part;
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *c;
	ssize_t sent;

	m.msg_control = control.space;
	m.msg_controllen = sizeof control.space;
	c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof listener);
	memcpy(CMSG_DATA(c), &listener, sizeof listener);
	while (len) {
		memcpy(&part.iov_base, &text, sizeof text); /* not const there, but not written */
		part.iov_len = len;
		sent = sendmsg(fd, &m, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -1;
		text += sent;
		len -= (size_t)sent;
		m.msg_control = NULL;
		m.msg_controllen = 0;
	}
	return 0;
}

int seccomp_hand_over(struct arena *a, const struct seccomp *s, const char *state, pid_t pid,
		      int listener, struct err *e)
{
	const char *path = s->listener_path ? s->listener_path : "";
	const char *shown = printable(a, path, PATH_SHOWN), *text;
	autofd int fd = connect_agent(path, shown, e);
	size_t len;

	if (fd < 0)
		return -1;
	text = process_state(a, s, state, pid, &len);
	if (send_all(fd, text, len, listener))
		return fail(e, errno, "cannot send the listener to the seccomp agent at %s", shown);
	return 0;
}
