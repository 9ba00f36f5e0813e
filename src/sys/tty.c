// SPDX-License-Identifier: Apache-2.0
/* The container's pty, and the sockets that descriptors are given to. */
#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <termios.h>
#include <unistd.h>

#include <linux/magic.h>

#include "../base/fd.h"
#include "path.h"
#include "../base/banned.h"

enum { PTMX_MAJOR = 5, PTMX_MINOR = 2, PATIENCE = 10 /* seconds */, TEXT_MAX = 256 };

static bool is_devpts(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == DEVPTS_SUPER_MAGIC;
}

/* Out of a directory that was checked: what an image has under that name is never opened. */
static int open_ptmx(int root, struct err *e)
{
	autofd int dir = path_open(root, "dev/pts", O_PATH | O_DIRECTORY), fd = -1;
	struct stat st;

	if (dir < 0)
		return fail(e, errno, "terminal: /dev/pts (remedy: mount a devpts there)");
	if (!is_devpts(dir))
		return fail(e, 0, "terminal: /dev/pts is no devpts (remedy: mount a devpts there)");
	fd = openat(dir, "ptmx", O_RDWR | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fail(e, errno, "terminal: /dev/pts/ptmx");
	if (fstat(fd, &st) || !S_ISCHR(st.st_mode) || !is_devpts(fd) ||
	    st.st_rdev != makedev(PTMX_MAJOR, PTMX_MINOR))
		return fail(e, 0, "terminal: /dev/pts/ptmx: something else lies over it");
	return fd_steal(&fd);
}

/* What the program sees of it from the beginning. */
static int set_up(int slave, const struct process *p, struct err *e)
{
	struct winsize size = { 0 };
	struct termios t;
	struct stat st;

	if (tcgetattr(slave, &t))
		return fail(e, errno, "terminal: cannot read its settings");
	t.c_oflag &= ~(tcflag_t)ONLCR;
	if (tcsetattr(slave, TCSANOW, &t))
		return fail(e, errno, "terminal: cannot change its settings");
	if (p->console_height || p->console_width) {
		size.ws_row = (unsigned short)p->console_height;
		size.ws_col = (unsigned short)p->console_width;
		if (ioctl(slave, TIOCSWINSZ, &size))
			return fail(e, errno, "terminal: cannot set its size");
	}
	/* The group stays as the devpts has it: its own of terminals. */
	if (fstat(slave, &st) ||
	    (st.st_uid != p->user.uid && fchown(slave, p->user.uid, (gid_t)-1)))
		return fail(e, errno, "terminal: cannot give it to user %u", p->user.uid);
	return 0;
}

int tty_make(int root, const struct process *p, int *master, int *slave, struct err *e)
{
	autofd int m = open_ptmx(root, e), s = -1;
	int unlocked = 0;

	if (m < 0)
		return -1;
	if (ioctl(m, TIOCSPTLCK, &unlocked))
		return fail(e, errno, "terminal: cannot unlock it");
	/* By the master, not by name: names in there belong to everybody who has the devpts. */
	s = ioctl(m, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (s < 0)
		return fail(e, errno, "terminal: cannot open its other end");
	if (set_up(s, p, e))
		return -1;
	*master = fd_steal(&m);
	*slave = fd_steal(&s);
	return 0;
}

const char *tty_name(int master, char buf[TTY_NAME_SIZE])
{
	unsigned n = 0;

	ioctl(master, TIOCGPTN, &n);
	snprintf(buf, TTY_NAME_SIZE, "/dev/pts/%u", n);
	return buf;
}

int tty_adopt(int slave, bool only_terminals, struct err *e)
{
	int fd;

	if (ioctl(slave, TIOCSCTTY, 0))
		return fail(e, errno, "terminal: cannot become its session");
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if ((!only_terminals || isatty(fd)) && dup2(slave, fd) < 0)
			return fail(e, errno, "terminal: cannot become descriptor %d", fd);
	return 0;
}

/* Who could have put a socket there in place of the engine's own. */
static int check_peer(int sock, struct err *e)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return fail(e, errno, "cannot tell who listens");
	if (peer.uid != 0 && peer.uid != geteuid())
		return fail(e, 0, "user %u listens there, not root or the caller", peer.uid);
	return 0;
}

int tty_connect(const char *path, struct err *e)
{
	autofd int at = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), sock = -1;
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct timeval patience = { .tv_sec = PATIENCE };
	struct stat st;

	if (at < 0 || fstat(at, &st))
		return fail(e, errno, "cannot open it");
	if (!S_ISSOCK(st.st_mode))
		return fail(e, 0, "not a socket");
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return fail(e, errno, "socket");
	/* Of connect(), too: one that nobody accepts on has a full queue some day. */
	if (setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience))
		return fail(e, errno, "socket");
	/* By descriptor: paths are longer than the 107 bytes that an address has room for. */
	fd_path(at, addr.sun_path);
	if (connect(sock, (const struct sockaddr *)&addr, sizeof addr)) {
		if (errno == EAGAIN)
			errno = ETIMEDOUT;
		return fail(e, errno, "cannot connect");
	}
	if (check_peer(sock, e))
		return -1;
	return fd_steal(&sock);
}

/* Room for one descriptor. */
union control {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

int tty_send(int sock, const char *name, int fd, struct err *e)
{
	union control control = { { 0 } };
	char copy[TEXT_MAX];
	struct iovec text = { .iov_base = copy };
	struct msghdr msg = { .msg_iov = &text,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof control.buf };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	ssize_t n;

	snprintf(copy, sizeof copy, "%s", name);
	text.iov_len = strlen(copy);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	do
		n = sendmsg(sock, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail(e, errno == EAGAIN ? ETIMEDOUT : errno, "cannot send");
	if ((size_t)n < text.iov_len)
		return fail(e, 0, "cannot send: the other side does not read");
	return 0;
}

int tty_receive(int sock, struct err *e)
{
	union control control = { { 0 } };
	struct pollfd p = { .fd = sock, .events = POLLIN };
	char name[TEXT_MAX];
	struct iovec text = { .iov_base = name, .iov_len = sizeof name };
	struct msghdr msg = { .msg_iov = &text,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof control.buf };
	const struct cmsghdr *c;
	int fd;

	if (poll(&p, 1, PATIENCE * 1000) < 1 ||
	    recvmsg(sock, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) < 0)
		return fail(e, errno, "terminal: it was not handed over");
	c = CMSG_FIRSTHDR(&msg);
	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(sizeof fd))
		return fail(e, 0, "terminal: it was not handed over");
	memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}
