// SPDX-License-Identifier: Apache-2.0
/* The caller's end of --console-socket and --pidfd-socket: takes one message, and tells of it and of what it brings. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE_MS = 10 * 1000, FDS_MAX = 4 };

static int give_up(const char *what)
{
	fprintf(stderr, "helper-console: %s: %s\n", what, strerror(errno));
	return 1;
}

static int listen_at(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) + sizeof ".new" > sizeof a.sun_path)
		return -1;
	/* It appears under its name when it is ready. Anyone may connect: the runtime may be somebody else's. */
	snprintf(a.sun_path, sizeof a.sun_path, "%s.new", path);
	if (bind(fd, (struct sockaddr *)&a, sizeof a) || chmod(a.sun_path, 0777) || listen(fd, 1) ||
	    rename(a.sun_path, path))
		return -1;
	return fd;
}

/* The descriptor of one message; what else there is to say of it is printed. */
static int receive(int conn)
{
	char text[4096], room[CMSG_SPACE(FDS_MAX * sizeof(int))];
	struct iovec iov = { text, sizeof text };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room
	};
	ssize_t n = recvmsg(conn, &m, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	int fds[FDS_MAX] = { -1 };

	if (!c || c->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	printf("name %.*s\nfds %zu\n", (int)n, text, (c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	return fds[0];
}

static int tell_process(int fd)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "Pid:", 4))
			printf("pidfd %d\n", atoi(line + 4));
	if (f)
		fclose(f);
	return 0;
}

/* All that the terminal says, until its last other end is closed. */
static int tell_terminal(int fd, const char *typed)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct winsize size = { 0 };
	struct termios t;
	char text[4096];
	ssize_t n;

	if (tcgetattr(fd, &t) || ioctl(fd, TIOCGWINSZ, &size))
		return give_up("terminal");
	printf("onlcr %s\nsize %u %u\n", t.c_oflag & ONLCR ? "on" : "off", size.ws_row,
	       size.ws_col);
	fflush(stdout);
	while (poll(&p, 1, PATIENCE_MS) > 0 && (n = read(fd, text, sizeof text)) > 0) {
		fwrite(text, 1, (size_t)n, stdout);
		/* Who has said something can be spoken to. */
		if (typed && write(fd, typed, strlen(typed)) < 0)
			return give_up("write");
		typed = NULL;
	}
	return 0;
}

/* helper-console SOCKET [WHAT TO TYPE] */
int main(int argc, char **argv)
{
	struct pollfd p = { .events = POLLIN };
	char rest;
	int fd;

	if (argc < 2)
		return 2;
	p.fd = listen_at(argv[1]);
	if (p.fd < 0)
		return give_up(argv[1]);
	if (poll(&p, 1, PATIENCE_MS) != 1)
		return give_up("nobody came");
	p.fd = accept(p.fd, NULL, NULL);
	fd = p.fd < 0 ? -1 : receive(p.fd);
	if (fd < 0)
		return give_up("no descriptor");
	/* One message, then the end: conmon reads no more. */
	if (poll(&p, 1, PATIENCE_MS) == 1)
		printf("then %s\n", recv(p.fd, &rest, 1, MSG_DONTWAIT) ? "more" : "nothing");
	return isatty(fd) ? tell_terminal(fd, argc > 2 ? argv[2] : NULL) : tell_process(fd);
}
