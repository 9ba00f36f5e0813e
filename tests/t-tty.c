// SPDX-License-Identifier: Apache-2.0
/* Terminals: the pty out of a root's devpts, and the sockets that descriptors are given to. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "../src/sys/tty.h"
#include "tap.h"

static struct arena arena;
static struct err e;
static bool is_root; /* outside of all namespaces */
static char top[] = "/tmp/credsbox-tty.XXXXXX";

static const char *in(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

static void make_dir(const char *path)
{
	if (mkdir(path, 0755) && errno != EEXIST)
		BAIL_OUT("cannot make %s", path);
}

static void write_file(const char *path, const char *text)
{
	autofd int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || fd_write_all(fd, path, text, strlen(text), &e))
		BAIL_OUT("cannot write %s", path);
}

/* A mount namespace of our own; for those who are not root with a user namespace around it. */
static bool enter_namespace(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (unshare(uid ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS))
		return false;
	if (uid) {
		write_file("/proc/self/setgroups", "deny");
		write_file("/proc/self/uid_map", arena_printf(&arena, "0 %u 1", uid));
		write_file("/proc/self/gid_map", arena_printf(&arena, "0 %u 1", gid));
	}
	return !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static const char *make(int root, const struct process *p)
{
	autofd int master = -1, slave = -1;

	return tty_make(root, p, &master, &slave, &e) ? e.text : "";
}

static void test_hostile(int root, const struct process *p)
{
	is(make(root, p),
	   "terminal: /dev/pts (remedy: mount a devpts there): no such file or directory",
	   "without /dev/pts there is no terminal");
	if (symlink("/dev/pts", in("r/dev/pts")))
		BAIL_OUT("symlink");
	is(make(root, p),
	   "terminal: /dev/pts (remedy: mount a devpts there): too many levels of symbolic links",
	   "a link leads nowhere out of the root");
	unlink(in("r/dev/pts"));
	make_dir(in("r/dev/pts"));
	is(make(root, p), "terminal: /dev/pts is no devpts (remedy: mount a devpts there)",
	   "an image's own directory is not trusted");
	if (mkfifo(in("r/dev/pts/ptmx"), 0666))
		BAIL_OUT("mkfifo");
	is(make(root, p), "terminal: /dev/pts is no devpts (remedy: mount a devpts there)",
	   "nor is what it has in it opened");
}

static void test_pty(int master, int slave, uid_t uid)
{
	char name[TTY_NAME_SIZE], buf[16];
	struct winsize size;
	struct termios t;
	struct stat st;

	ok(!tcgetattr(slave, &t) && !(t.c_oflag & ONLCR) && (t.c_oflag & OPOST),
	   "a newline is a newline");
	ok(!ioctl(slave, TIOCGWINSZ, &size) && size.ws_row == 33 && size.ws_col == 77,
	   "it has the size of the bundle");
	ok(!fstat(slave, &st) && st.st_uid == uid, "it belongs to the user");
	cmp_ok((long long)st.st_gid, "==", is_root ? 5 : 0, "its group is the devpts's");
	ok(fcntl(master, F_GETFD) == FD_CLOEXEC && fcntl(slave, F_GETFD) == FD_CLOEXEC,
	   "both ends close on exec");
	is(tty_name(master, name), "/dev/pts/0", "it is the first of its devpts");
	ok(write(slave, "a\n", 2) == 2 && read(master, buf, sizeof buf) == 2 &&
		   !memcmp(buf, "a\n", 2),
	   "and they are connected");
}

static void test_adopt(int slave)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		int fd, bad = 0;

		if (setsid() < 0 || tty_adopt(slave, false, &e))
			_exit(1);
		for (fd = 0; fd < 3; fd++)
			bad += !isatty(fd) || fcntl(fd, F_GETFD);
		/* The host's node, but it means the terminal of who opens it. */
		bad += open("/dev/tty", O_RDWR) < 0 || tcgetsid(0) != getpid();
		_exit(bad);
	}
	waitpid(child, &status, 0);
	cmp_ok(WEXITSTATUS(status), "==", 0, "it becomes the terminal of a session, and 0 to 2");
	child = fork();
	if (!child)
		_exit(!tty_adopt(slave, false, &e));
	waitpid(child, &status, 0);
	cmp_ok(WEXITSTATUS(status), "==", 0, "but not of one that somebody else leads");
}

static void test_make(void)
{
	struct process p = { .console_height = 33, .console_width = 77 };
	autofd int root = -1, master = -1, slave = -1;

	make_dir(in("r"));
	make_dir(in("r/dev"));
	root = open(in("r"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	p.user.uid = is_root ? 1234 : 0;
	test_hostile(root, &p);
	if (mount("devpts", in("r/dev/pts"), "devpts", 0,
		  is_root ? "newinstance,ptmxmode=0666,mode=0620,gid=5"
			  : "newinstance,ptmxmode=0666,mode=0620"))
		BAIL_OUT("cannot mount a devpts");
	if (tty_make(root, &p, &master, &slave, &e))
		BAIL_OUT("tty_make: %s", e.text);
	test_pty(master, slave, is_root ? 1234 : 0);
	test_adopt(slave);
	if (mount("/dev/null", in("r/dev/pts/ptmx"), NULL, MS_BIND, NULL))
		BAIL_OUT("cannot bind");
	is(make(root, &p), "terminal: /dev/pts/ptmx: something else lies over it",
	   "what was mounted over its master is found out");
	umount2(in("r/dev/pts/ptmx"), MNT_DETACH);
	umount2(in("r/dev/pts"), MNT_DETACH);
}

/* In a process of its own, for the namespaces; TAP goes on with the numbers after it. */
static void in_namespace(void (*test)(void))
{
	skip(!enter_namespace(), 1, "no namespaces for this user");
	test();
	end_skip;
}

static int listen_at(const char *path, int backlog)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	autofd int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	autofd int dir = open(".", O_PATH | O_CLOEXEC);
	char *copy = arena_strdup(&arena, path), *slash = strrchr(copy, '/');

	/* From its directory: the path may be longer than an address. */
	*slash = '\0';
	if (chdir(copy))
		BAIL_OUT("chdir");
	memcpy(addr.sun_path, slash + 1, strlen(slash + 1) + 1);
	if (bind(sock, (struct sockaddr *)&addr, sizeof addr) || listen(sock, backlog))
		BAIL_OUT("cannot listen at %s", path);
	if (fchdir(dir))
		BAIL_OUT("fchdir");
	return fd_steal(&sock);
}

/* What one recvmsg() gives: the text, or why not. */
static const char *receive(int listener, int *fd)
{
	autofd int sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	_Alignas(struct cmsghdr) char control[256];
	char text[64] = "";
	struct iovec v = { text, sizeof text - 1 };
	struct msghdr m = { .msg_iov = &v,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof control };
	struct cmsghdr *c;

	if (recvmsg(sock, &m, 0) < 1)
		return "(nothing)";
	c = CMSG_FIRSTHDR(&m);
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof *fd) ||
	    CMSG_NXTHDR(&m, c))
		return "(not one descriptor)";
	memcpy(fd, CMSG_DATA(c), sizeof *fd);
	if (recv(sock, control, 1, 0) > 0)
		return "(more than one message)";
	return arena_strdup(&arena, text);
}

static const char *send_null(const char *path)
{
	autofd int sock = tty_connect(path, &e), null = open("/dev/null", O_RDWR | O_CLOEXEC);

	return sock < 0 || tty_send(sock, "/dev/pts/0", null, &e) ? e.text : "";
}

static void test_send(const char *path, const char *which)
{
	autofd int listener = listen_at(path, 5), fd = -1;
	struct stat st;

	is(send_null(path), "", "a socket is found %s", which);
	is(receive(listener, &fd), "/dev/pts/0", "it gets the name in one message");
	ok(!fstat(fd, &st) && S_ISCHR(st.st_mode), "and one descriptor");
	unlink(path);
}

static void test_sockets(void)
{
	const char *deep = top, *path = in("s");
	autofd int listener = -1;
	int i;

	test_send(path, "by its path");
	for (i = 0; i < 6; i++) {
		deep = arena_printf(&arena, "%s/%.60s", deep,
				    "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd");
		make_dir(deep);
	}
	test_send(arena_printf(&arena, "%s/%.100s", deep,
			       "ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"
			       "ssssssssssssssssssssssssssssssssss"),
		  "by one that is longer than an address");
	is(send_null(in("nothing")), "cannot open it: no such file or directory",
	   "a socket that is missing is told");
	is(send_null(top), "not a socket", "a directory is none");
	listener = listen_at(path, 5);
	if (symlink("s", in("link")))
		BAIL_OUT("symlink");
	is(send_null(in("link")), "not a socket", "nor is a link to one");
	fd_cleanup(&listener);
	is(send_null(path), "cannot connect: connection refused", "nobody listens: that is told");
	unlink(path);
	unlink(in("link"));
}

static void test_peer_goes(void)
{
	const char *path = in("gone");
	autofd int listener = listen_at(path, 5), sock = tty_connect(path, &e), peer = -1;

	peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	fd_cleanup(&peer);
	ok(sock >= 0 && tty_send(sock, "x", 0, &e), "a peer that has gone is an error");
	is(e.text, "cannot send: broken pipe", "and no death");
	unlink(path);
}

static void test_foreign_peer(void)
{
	const char *path = in("theirs");
	int ready[2], status;
	pid_t child;
	char c;

	if (pipe(ready) || chmod(top, 0777))
		BAIL_OUT("pipe");
	child = fork();
	if (!child) {
		int fd;

		if (setuid(12345))
			_exit(1);
		fd = listen_at(path, 5);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		accept(fd, NULL, NULL);
		_exit(0);
	}
	if (read(ready[0], &c, 1) != 1)
		BAIL_OUT("no child");
	is(send_null(path), "user 12345 listens there, not root or the caller",
	   "a socket of another user gets nothing");
	close(ready[0]);
	close(ready[1]);
	waitpid(child, &status, 0);
	unlink(path);
}

static void test_receive(void)
{
	struct stat st;
	autofd int fd = -1;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		BAIL_OUT("socketpair");
	if (tty_send(pair[0], "/dev/ptmx", STDIN_FILENO, &e))
		BAIL_OUT("tty_send: %s", e.text);
	fd = tty_receive(pair[1], &e);
	ok(!fstat(fd, &st) && fcntl(fd, F_GETFD) == FD_CLOEXEC,
	   "what was sent to ourselves arrives, and closes on exec");
	if (send(pair[0], "x", 1, 0) != 1)
		BAIL_OUT("send");
	ok(tty_receive(pair[1], &e) == -1, "a message without a descriptor is an error");
	close(pair[0]);
	ok(tty_receive(pair[1], &e) == -1, "so is the end");
	close(pair[1]);
}

static void test_never_accepts(void)
{
	const char *path = in("full");
	autofd int listener = listen_at(path, 0), first = tty_connect(path, &e);
	time_t begin = time(NULL);

	ok(listener >= 0 && first >= 0, "(the queue takes one)");
	is(send_null(path), "cannot connect: connection timed out",
	   "one who never accepts is given up");
	ok(time(NULL) - begin < 20, "within a bound");
	unlink(path);
}

int main(void)
{
	plan(NO_PLAN);
	is_root = !geteuid();
	if (!mkdtemp(top))
		BAIL_OUT("cannot make a temporary directory");
	test_sockets();
	test_peer_goes();
	skip(!is_root, 1, "needs root");
	test_foreign_peer();
	end_skip;
	test_receive();
	test_never_accepts();
	in_namespace(test_make);
	if (system(arena_printf(&arena, "rm -rf %s", top))) /* NOLINT(cert-env33-c) */
		diag("%s is left", top);
	arena_release(&arena);
	done_testing();
}
