// SPDX-License-Identifier: Apache-2.0
/* Foreground: signals, window sizes and the bytes of a terminal, until the process ends. */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../base/fd.h"
#include "path.h"
#include "../base/banned.h"

enum {
	FLOW_SIZE = 4096,        /* what a pipe takes at once when poll() says that it takes some */
	DRAIN_MAX = 1024 * 1024, /* bytes after the end: others may have the terminal open */
	SIGNAL_BASE = 128,       /* of exit codes */
};

/* Bytes on their way in one direction. */
struct flow {
	char buf[FLOW_SIZE];
	size_t at, len;
	bool ended; /* nothing more is read */
};

struct relay {
	pid_t pid;
	int pidfd, signals;
	int master,
		slave; /* ours of the slave: the last close in there is not the terminal's end */
	int in, out, host;
	struct termios saved; /* of host */
	bool is_raw;
	bool ignores_hangup;
	struct flow to_master, to_out;
	size_t drained;
	bool has_ended, must_stop;
	int code;
};

int tty_host(struct err *e)
{
	static const int order[] = { STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO };
	size_t i;
	int fd;

	for (i = 0; i < sizeof order / sizeof order[0]; i++)
		if (isatty(order[i])) {
			fd = fcntl(order[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
			return fd < 0 ? fail(e, errno, "terminal") : fd;
		}
	fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? fail(e, errno, "terminal: the caller has none: /dev/tty") : fd;
}

static void all_signals(sigset_t *set)
{
	sigfillset(set);
	sigdelset(set, SIGSEGV);
	sigdelset(set, SIGBUS);
	sigdelset(set, SIGFPE);
	sigdelset(set, SIGILL);
}

void tty_block_signals(void)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };
	sigset_t set;

	all_signals(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	/* Where it is ignored, children vanish with their exit codes. */
	sigaction(SIGCHLD, &sa, NULL);
}

/* A shell may have put us into the background: the terminal is another's then. */
static bool is_background(const struct relay *r)
{
	pid_t group = tcgetpgrp(r->host);

	return group >= 0 && group != getpgrp();
}

static void make_raw(struct relay *r)
{
	struct termios t;

	if (r->host < 0 || is_background(r))
		return;
	if (!r->is_raw && tcgetattr(r->host, &r->saved))
		return;
	t = r->saved;
	cfmakeraw(&t);
	t.c_oflag = r->saved.c_oflag;
	r->is_raw = !tcsetattr(r->host, TCSANOW, &t);
}

static void restore(struct relay *r)
{
	if (r->is_raw && !is_background(r))
		tcsetattr(r->host, TCSANOW, &r->saved);
}

static void copy_size(const struct relay *r)
{
	struct winsize size;

	if (r->host >= 0 && !ioctl(r->host, TIOCGWINSZ, &size) && (size.ws_row || size.ws_col))
		ioctl(r->master, TIOCSWINSZ, &size);
}

static void take_end(struct relay *r, int status)
{
	r->has_ended = true;
	r->code = WIFSIGNALED(status) ? SIGNAL_BASE + WTERMSIG(status) : WEXITSTATUS(status);
}

/* We are the parent of all that lost theirs: none of them stays a zombie. */
static void reap(struct relay *r)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == r->pid)
			take_end(r, status);
}

/* Its end is certain, but whoever traces it is told first. */
static int reap_first(struct relay *r, struct err *e)
{
	pid_t pid;
	int status;

	do
		pid = waitpid(r->pid, &status, 0);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return fail(e, 0, "process %d has ended, and is not ours to wait for", r->pid);
	take_end(r, status);
	return 0;
}

static void forward(struct relay *r, int sig)
{
	/* Nothing to forward to, but output that nobody takes: who asks us to go now gets that. */
	if (r->has_ended)
		r->must_stop |= sig == SIGINT || sig == SIGTERM || sig == SIGHUP || sig == SIGQUIT;
	else
		syscall(SYS_pidfd_send_signal, r->pidfd, sig, NULL, 0);
}

static void take_signal(struct relay *r)
{
	struct signalfd_siginfo s;
	int sig;

	if (read(r->signals, &s, sizeof s) != sizeof s)
		return;
	sig = (int)s.ssi_signo;
	if (sig == SIGCHLD) {
		reap(r);
	} else if (sig == SIGWINCH && r->master >= 0) {
		copy_size(r);
	} else if (sig == SIGCONT) {
		/* Back from a stop, or into the foreground: the shell has changed the terminal. */
		make_raw(r);
		r->to_master.ended = false;
		forward(r, sig);
	} else if (sig == SIGPIPE && s.ssi_pid == (uint32_t)getpid()) {
		/* Our own, of a write: its EPIPE says it all. */
	} else if (sig != SIGHUP || !r->ignores_hangup) {
		forward(r, sig);
	}
}

static bool is_empty(const struct flow *f)
{
	return f->at == f->len;
}

static bool is_later(void)
{
	return errno == EAGAIN || errno == EINTR;
}

/* The result of read(). */
static ssize_t fill(struct flow *f, int fd)
{
	ssize_t n = read(fd, f->buf, sizeof f->buf);

	f->at = 0;
	f->len = n > 0 ? (size_t)n : 0;
	if (!n || (n < 0 && !is_later()))
		f->ended = true;
	return n;
}

/* What cannot be written to anybody any more is dropped: the program must not wait for it. */
static void flush(struct flow *f, int fd)
{
	ssize_t n = send(fd, f->buf + f->at, f->len - f->at, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n < 0 && errno == ENOTSOCK)
		n = write(fd, f->buf + f->at, f->len - f->at);
	if (n >= 0)
		f->at += (size_t)n;
	else if (!is_later())
		f->at = f->len;
}

/* The process is gone: what it wrote is still in the terminal. False: that was all. */
static bool drain(struct relay *r)
{
	ssize_t n;

	if (r->master < 0 || r->must_stop)
		return false;
	if (!is_empty(&r->to_out))
		return true;
	if (r->drained >= DRAIN_MAX)
		return false;
	n = fill(&r->to_out, r->master);
	if (n > 0)
		r->drained += (size_t)n;
	return n > 0;
}

static int wait_and_copy(struct relay *r, struct err *e)
{
	enum { SIGNALS, END, MASTER, IN, OUT, COUNT };
	struct pollfd p[COUNT] = {
		[SIGNALS] = { .fd = r->signals, .events = POLLIN },
		[END] = { .fd = r->has_ended ? -1 : r->pidfd, .events = POLLIN },
		[MASTER] = { .fd = -1 },
		[IN] = { .fd = -1, .events = POLLIN },
		[OUT] = { .fd = -1, .events = POLLOUT },
	};

	if (r->master >= 0 && !r->has_ended) {
		if (is_empty(&r->to_out) && !r->to_out.ended)
			p[MASTER].events |= POLLIN;
		if (!is_empty(&r->to_master))
			p[MASTER].events |= POLLOUT;
		else if (!r->to_master.ended)
			p[IN].fd = r->in;
		/* Without events it would still tell of hang-ups, for ever. */
		p[MASTER].fd = p[MASTER].events ? r->master : -1;
	}
	if (!is_empty(&r->to_out))
		p[OUT].fd = r->out;
	if (poll(p, COUNT, -1) < 0)
		return errno == EINTR ? 0 : fail(e, errno, "poll");
	if (p[SIGNALS].revents)
		take_signal(r);
	if (p[END].revents && !r->has_ended && reap_first(r, e))
		return -1;
	if (p[MASTER].revents && !is_empty(&r->to_master))
		flush(&r->to_master, r->master);
	if (p[MASTER].revents && is_empty(&r->to_out) && !r->to_out.ended)
		fill(&r->to_out, r->master);
	if (p[IN].revents)
		fill(&r->to_master, r->in);
	if (!is_empty(&r->to_out))
		flush(&r->to_out, r->out);
	return 0;
}

/* Our own opening of what others share with us: that it does not block is nobody else's business.
 * Not of files: there it would write at the beginning.
 */
static int reopen_out(void)
{
	struct stat st;
	char buf[32];
	int fd = -1;

	if (!fstat(STDOUT_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)))
		fd = open(fd_path(STDOUT_FILENO, buf),
			  O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? STDOUT_FILENO : fd;
}

static void open_terminal(struct relay *r)
{
	struct err none;

	r->host = tty_host(&none);
	r->out = reopen_out();
	r->slave = ioctl(r->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	fcntl(r->master, F_SETFL, fcntl(r->master, F_GETFL) | O_NONBLOCK);
	copy_size(r);
	make_raw(r);
}

int tty_relay(int master, pid_t pid, int pidfd, int *status, struct err *e)
{
	struct relay r = { .pid = pid,
			   .pidfd = pidfd,
			   .master = master,
			   .slave = -1,
			   .in = STDIN_FILENO,
			   .out = -1,
			   .host = -1 };
	struct sigaction sa;
	sigset_t set;
	int failed = 0;

	all_signals(&set);
	r.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r.signals < 0)
		return fail(e, errno, "signalfd");
	/* Whoever started us with nohup means it. */
	r.ignores_hangup = !sigaction(SIGHUP, NULL, &sa) && sa.sa_handler == SIG_IGN;
	if (master >= 0)
		open_terminal(&r);
	while (!failed && (!r.has_ended || drain(&r)))
		failed = wait_and_copy(&r, e);
	restore(&r);
	fd_cleanup(&r.host);
	if (r.out > STDERR_FILENO)
		close(r.out);
	fd_cleanup(&r.slave);
	fd_cleanup(&r.signals);
	*status = r.code;
	return failed;
}
