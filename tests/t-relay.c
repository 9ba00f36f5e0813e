// SPDX-License-Identifier: Apache-2.0
/* The foreground: a person's terminal on one side, a program with its own on the other. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../src/base/arena.h"
#include "../src/base/fd.h"
#include "../src/sys/relay.h"
#include "tap.h"

enum { PATIENCE = 10 * 1000, FAILED = 99 };

static struct arena arena;
static struct err e;

/* How the runtime is called; 0: as by a shell, in the foreground of a terminal. */
enum {
	NO_TERMINAL = 1, /* the program has none of its own */
	IGNORE_HUP = 2,  /* nohup */
	IGNORE_CHLD = 4,
	BACKGROUND = 8, /* the terminal is another's */
};

/* One run. in, out: instead of the terminal, unless -1. */
struct session {
	int master;
	pid_t runner;
	int in, out;
	struct termios before;
	char *seen; /* what came out so far */
	size_t n_seen;
};

static int open_pty(int *slave)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (master < 0 || grantpt(master) || unlockpt(master))
		BAIL_OUT("cannot make a pty");
	*slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	return master;
}

static void adopt(int slave)
{
	if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0))
		_exit(FAILED);
	dup2(slave, 0);
	dup2(slave, 1);
	dup2(slave, 2);
}

static void program(const char *script, int slave)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGHUP, SIG_DFL);
	if (slave >= 0)
		adopt(slave);
	else
		setsid();
	execl("/bin/sh", "sh", "-c", script, (char *)NULL);
	_exit(FAILED);
}

/* The runtime's part. */
static void runner(const char *script, int how)
{
	int master = -1, slave = -1, pidfd, status;
	struct termios t;
	pid_t pid;

	if (how & IGNORE_HUP)
		signal(SIGHUP, SIG_IGN);
	if (how & IGNORE_CHLD)
		signal(SIGCHLD, SIG_IGN);
	tty_block_signals();
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (!(how & NO_TERMINAL)) {
		master = open_pty(&slave);
		tcgetattr(slave, &t);
		t.c_oflag &= ~(tcflag_t)ONLCR;
		tcsetattr(slave, TCSANOW, &t);
	}
	pid = fork();
	if (!pid)
		program(script, slave);
	close(slave);
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	_exit(tty_relay(master, pid, pidfd, &status, &e) ? FAILED : status);
}

static void in_background(const char *script, int how)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		setpgid(0, 0);
		runner(script, how);
	}
	waitpid(pid, &status, 0);
	_exit(WEXITSTATUS(status));
}

static struct session begin_with(const char *script, int how, int in, int out)
{
	struct session s = { .in = in, .out = out };
	struct winsize size = { .ws_row = 31, .ws_col = 71 };
	int slave;

	s.master = open_pty(&slave);
	ioctl(slave, TIOCSWINSZ, &size);
	tcgetattr(slave, &s.before);
	s.runner = fork();
	if (!s.runner) {
		adopt(slave);
		if (in >= 0)
			dup2(in, 0);
		if (out >= 0)
			dup2(out, 1);
		if (how & BACKGROUND)
			in_background(script, how);
		runner(script, how);
	}
	close(slave);
	return s;
}

static struct session begin(const char *script, int how)
{
	return begin_with(script, how, -1, -1);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Reads on until the text is in what came; false: it never came. */
static bool expect(struct session *s, const char *text)
{
	struct pollfd p = { .fd = s->master, .events = POLLIN };
	char buf[4096];
	ssize_t n;

	while (!s->n_seen || !strstr(s->seen, text)) {
		if (poll(&p, 1, PATIENCE) < 1 || (n = read(s->master, buf, sizeof buf)) <= 0)
			return false;
		char *seen = arena_grow(&arena, s->seen, s->n_seen, s->n_seen + (size_t)n + 1);

		memcpy(seen + s->n_seen, buf, (size_t)n);
		s->n_seen += (size_t)n;
		seen[s->n_seen] = '\0';
		s->seen = seen;
	}
	return true;
}

static void type(const struct session *s, const char *text)
{
	if (write(s->master, text, strlen(text)) != (ssize_t)strlen(text))
		BAIL_OUT("cannot type");
}

/* The exit code, or -1 when it does not end; the terminal must be what it was. */
static int end(struct session *s, const char *what)
{
	double begun = seconds();
	struct termios after;
	int status = -1, code = -1;

	expect(s, "(the end)");
	while (seconds() - begun < PATIENCE / 1000.0) {
		if (waitpid(s->runner, &status, WNOHANG) == s->runner) {
			code = WIFEXITED(status) ? WEXITSTATUS(status) : -2;
			break;
		}
		usleep(10 * 1000);
	}
	if (code == -1)
		kill(s->runner, SIGKILL);
	if (what)
		ok(!tcgetattr(s->master, &after) && after.c_lflag == s->before.c_lflag &&
			   after.c_iflag == s->before.c_iflag && after.c_oflag == s->before.c_oflag,
		   "the terminal is as before after %s", what);
	close(s->master);
	return code;
}

static void test_terminal(void)
{
	struct session s = begin("echo hello; exit 7", 0);
	struct termios t;

	ok(expect(&s, "hello\r\n"), "what the program writes arrives, a line as a line");
	cmp_ok(end(&s, "a program's end"), "==", 7, "its exit code is ours");

	s = begin("stty size; echo ready; read -r x; echo \"got $x\"", 0);
	ok(expect(&s, "31 71\r\n"), "its terminal has the size of ours");
	ok(expect(&s, "ready") && !tcgetattr(s.master, &t) &&
		   !(t.c_lflag & (ECHO | ICANON | ISIG)) && (t.c_oflag & OPOST),
	   "ours is raw meanwhile, but for its output");
	type(&s, "abc\n");
	ok(expect(&s, "got abc"), "what is typed arrives");
	cmp_ok(end(&s, NULL), "==", 0, "and it ends");

	s = begin("trap 'echo int; exit 3' INT; echo ready; while :; do sleep 0.1; done", 0);
	ok(expect(&s, "ready"), "(ready)");
	type(&s, "\003");
	cmp_ok(end(&s, "an interrupt"), "==", 3, "ctrl-c is the program's");

	s = begin("trap 'stty size' WINCH; echo ready; for i in 1 2 3 4 5 6 7 8 9 10; do sleep "
		  "0.1; done",
		  0);
	ok(expect(&s, "ready"), "(ready)");
	ioctl(s.master, TIOCSWINSZ, &(struct winsize){ .ws_row = 44, .ws_col = 99 });
	ok(expect(&s, "44 99"), "a new size is passed on");
	end(&s, NULL);

	s = begin("exec 0<&- 1>&- 2>&-; sleep 0.3; exec 0<>/dev/tty 1>/dev/tty; echo again; "
		  "read -r x; exit 3",
		  0);
	ok(expect(&s, "again"), "a program may close its terminal and open it again");
	type(&s, "\n");
	cmp_ok(end(&s, NULL), "==", 3, "in both directions");
}

static void test_signals(void)
{
	static const char script[] = "trap 'exit 5' TERM; trap 'exit 6' HUP; trap 'exit 8' USR1; "
				     "trap 'exit 10' ABRT; echo ready; "
				     "while :; do sleep 0.05; done";
	static const struct {
		int signal, how, code;
		const char *what;
	} cases[] = {
		{ SIGTERM, 0, 5, "SIGTERM" },
		{ SIGTERM, NO_TERMINAL, 5, "SIGTERM without a terminal" },
		{ SIGHUP, 0, 6, "SIGHUP" },
		{ SIGUSR1, NO_TERMINAL, 8, "SIGUSR1" },
		{ SIGABRT, NO_TERMINAL, 10, "SIGABRT" },
		{ SIGTERM, IGNORE_CHLD, 5, "a signal, where SIGCHLD was ignored," },
	};
	struct session s;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		s = begin(script, cases[i].how);
		ok(expect(&s, "ready"), "(ready)");
		kill(s.runner, cases[i].signal);
		cmp_ok(end(&s, cases[i].what), "==", cases[i].code, "%s is forwarded",
		       cases[i].what);
	}
	s = begin("kill -KILL $$", 0);
	cmp_ok(end(&s, "a death"), "==", 128 + SIGKILL, "a signal's number is in the exit code");
	s = begin("kill -KILL $$", IGNORE_CHLD | NO_TERMINAL);
	cmp_ok(end(&s, NULL), "==", 128 + SIGKILL, "without a terminal, too");
	s = begin("trap 'exit 6' HUP; echo ready; sleep 0.5; exit 2", IGNORE_HUP);
	ok(expect(&s, "ready"), "(ready)");
	kill(s.runner, SIGHUP);
	cmp_ok(end(&s, NULL), "==", 2, "under nohup a hangup is not forwarded");
}

static void test_background(void)
{
	struct session s = begin("echo ready; sleep 0.5; exit 2", BACKGROUND);
	struct termios t;

	ok(expect(&s, "ready") && !tcgetattr(s.master, &t) && t.c_lflag == s.before.c_lflag,
	   "in the background the terminal is left alone");
	cmp_ok(end(&s, "that"), "==", 2, "and the program runs");
}

static void test_bytes(void)
{
	enum { MUCH = 200 * 1000 };
	char *data = arena_alloc(&arena, MUCH);
	struct session s;
	size_t i, done = 0;
	int fds[2], file;
	char name[] = "/tmp/credsbox-relay.XXXXXX";
	const char *text;

	for (i = 0; i < MUCH; i++)
		data[i] = (char)('a' + i % 26);
	if (pipe2(fds, O_CLOEXEC))
		BAIL_OUT("pipe");
	s = begin_with("stty raw -echo; echo ready; head -c 200000 | md5sum", 0, fds[0], -1);
	close(fds[0]);
	ok(expect(&s, "ready"), "(ready)");
	while (done < MUCH) {
		ssize_t n = write(fds[1], data + done, MUCH - done);

		if (n <= 0)
			BAIL_OUT("cannot write");
		done += (size_t)n;
	}
	/* (python3 -c 'print("".join(chr(97+i%26) for i in range(200000)),end="")' | md5sum) */
	ok(expect(&s, "0aebc4956b224732"), "all that is written to a pipe arrives");
	close(fds[1]);
	cmp_ok(end(&s, NULL), "==", 0, "(the end)");

	s = begin("head -c 300000 /dev/zero | tr '\\0' x; exit 4", 0);
	usleep(300 * 1000);
	cmp_ok(end(&s, NULL), "==", 4, "(the end)");
	for (done = 0, i = 0; i < s.n_seen; i++)
		done += s.seen[i] == 'x';
	cmp_ok((long long)done, "==", 300000, "all of a program's last words arrive");

	file = mkstemp(name);
	unlink(name);
	if (write(file, "first\n", 6) != 6)
		BAIL_OUT("write");
	s = begin_with("echo second", 0, -1, file);
	cmp_ok(end(&s, NULL), "==", 0, "output may go to a file");
	lseek(file, 0, SEEK_SET);
	if (fd_read_all(&arena, file, "", 100, &text, &done, &e))
		BAIL_OUT("read");
	is(text, "first\nsecond\n", "after what is in it");
	close(file);
}

static void fill(int fd)
{
	static const char block[4096];

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, block, sizeof block) > 0)
		;
	fcntl(fd, F_SETFL, 0);
}

static void test_ends(void)
{
	struct session s = begin("trap '' HUP; sleep 5 & exit 4", 0);
	double begun = seconds();
	int fds[2];

	cmp_ok(end(&s, NULL), "==", 4, "who else has the terminal open");
	ok(seconds() - begun < 4, "does not keep us");

	if (pipe2(fds, O_CLOEXEC))
		BAIL_OUT("pipe");
	fill(fds[1]);
	s = begin_with("echo stuck; exit 6", 0, -1, fds[1]);
	usleep(500 * 1000);
	cmp_ok(waitpid(s.runner, NULL, WNOHANG), "==", 0, "output that nobody takes is waited for");
	kill(s.runner, SIGUSR1);
	usleep(100 * 1000);
	cmp_ok(waitpid(s.runner, NULL, WNOHANG), "==", 0, "still");
	kill(s.runner, SIGTERM);
	cmp_ok(end(&s, "that"), "==", 6, "until we are asked to go");
	close(fds[0]);
	close(fds[1]);

	if (pipe2(fds, O_CLOEXEC))
		BAIL_OUT("pipe");
	close(fds[0]);
	s = begin_with("trap 'exit 9' PIPE; echo x; sleep 0.3; echo y; exit 2", 0, -1, fds[1]);
	close(fds[1]);
	cmp_ok(end(&s, "that"), "==", 2,
	       "an output that is closed is the program's problem no more");

	s = begin_with("read -r x; exit $?", 0, open("/dev/null", O_RDONLY | O_CLOEXEC), -1);
	usleep(200 * 1000);
	cmp_ok(waitpid(s.runner, NULL, WNOHANG), "==", 0,
	       "the end of our input is not the program's");
	kill(s.runner, SIGKILL);
	end(&s, NULL);
	close(s.in);
}

static void test_orphans(void)
{
	struct session s = begin("(sh -c 'echo \"orphan $$\"; sleep 0.2' &); sleep 0.6; echo now; "
				 "sleep 0.5; exit 3",
				 NO_TERMINAL);
	pid_t orphan = 0;

	if (expect(&s, "now"))
		orphan = (pid_t)strtol(strstr(s.seen, "orphan") + 7, NULL, 10);
	ok(orphan > 1 && kill(orphan, 0) && errno == ESRCH, "an orphan that ends is no zombie");
	cmp_ok(end(&s, NULL), "==", 3, "and its end is not the program's");
}

static void test_strangers(void)
{
	pid_t stranger = fork(), child;
	int status = -1, pidfd;

	if (!stranger) {
		usleep(200 * 1000);
		_exit(1);
	}
	pidfd = (int)syscall(SYS_pidfd_open, stranger, 0);
	child = fork();
	if (!child) {
		int code;

		tty_block_signals();
		_exit(tty_relay(-1, stranger, pidfd, &code, &e) == -1 &&
		      strstr(e.text, "not ours to wait for"));
	}
	waitpid(child, &status, 0);
	cmp_ok(WEXITSTATUS(status), "==", 1, "a process that is no child is an error, not a hang");
	waitpid(stranger, NULL, 0);
	close(pidfd);
}

static void test_host(void)
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		int null = open("/dev/null", O_RDWR);

		setsid();
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		_exit(tty_host(&e) == -1 && strstr(e.text, "the caller has none"));
	}
	waitpid(child, &status, 0);
	cmp_ok(WEXITSTATUS(status), "==", 1, "without any terminal there is an error");
	child = fork();
	if (!child) {
		int slave, null = open("/dev/null", O_RDWR);

		open_pty(&slave);
		adopt(slave);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		_exit(isatty(tty_host(&e)));
	}
	waitpid(child, &status, 0);
	cmp_ok(WEXITSTATUS(status), "==", 1, "that of the session counts, whatever 0 to 2 are");
}

int main(void)
{
	plan(NO_PLAN);
	/* Who started us may ignore them, as nohup does. */
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	test_terminal();
	test_signals();
	test_background();
	test_bytes();
	test_ends();
	test_orphans();
	test_strangers();
	test_host();
	arena_release(&arena);
	done_testing();
}
