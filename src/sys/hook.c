// SPDX-License-Identifier: Apache-2.0
/* Running hooks: programs of the administrator or of the image, of which any may misbehave. */
#include "hook.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../base/banned.h"

enum {
	OUTPUT_MAX = 64 * 1024, /* that is passed on */
	DRAIN_MAX = 64,         /* reads after the end: whoever is still writing goes on for ever */
	FEED_MAX = 64 * 1024,
};

/* Where the one that runs stands. */
struct run {
	pid_t pid;
	int pidfd, in, out; /* our ends of its standard input, and of its output */
	int signals;
	const char *state; /* what it has not been told yet */
	size_t left;
	char *text; /* what it wrote */
	size_t len;
	int64_t deadline; /* in milliseconds of the monotonic clock; -1: none */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The signals that would end us and that wait because the caller blocked them. */
static int open_signals(enum hook_kind kind, struct err *e)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct signalfd_siginfo old;
	sigset_t blocked, set;
	struct sigaction sa;
	size_t i;
	int fd;

	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	sigemptyset(&set);
	for (i = 0; i < sizeof ending / sizeof ending[0]; i++)
		if (sigismember(&blocked, ending[i]) && !sigaction(ending[i], NULL, &sa) &&
		    sa.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return fail(e, errno, "signalfd");
	/* What was meant for the container comes too late for it, and must not stop the cleaning. */
	while (kind == HOOK_POSTSTOP && read(fd, &old, sizeof old) > 0)
		;
	return fd;
}

static char **argv_of(struct arena *a, const struct hook *h)
{
	char **argv = arena_array(a, h->args.n + 2, sizeof *argv);
	size_t i;

	for (i = 0; i < h->args.n; i++)
		argv[i] = arena_strdup(a, h->args.v[i].text);
	if (!h->args.n)
		argv[0] = arena_strdup(a, h->path);
	return argv;
}

static char **envp_of(struct arena *a, const struct plan_hook *h)
{
	char **envp = arena_array(a, h->n_env + 1, sizeof *envp);
	size_t i;

	for (i = 0; i < h->n_env; i++)
		envp[i] = arena_strdup(a, h->env[i]);
	return envp;
}

/* A session of its own: the caller's terminal is out of its reach, and all that it starts can be
 * killed at once.
 */
static int set_up(posix_spawn_file_actions_t *fa, posix_spawnattr_t *at, int in, int out, int dir)
{
	sigset_t none, all;
	int error = 0;

	sigemptyset(&none);
	sigfillset(&all);
	if (!error)
		error = posix_spawnattr_setflags(at, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
							     POSIX_SPAWN_SETSIGDEF);
	if (!error)
		error = posix_spawnattr_setsigmask(at, &none);
	if (!error)
		error = posix_spawnattr_setsigdefault(at, &all);
	if (!error)
		error = posix_spawn_file_actions_addfchdir_np(fa, dir);
	if (!error)
		error = posix_spawn_file_actions_adddup2(fa, in, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(fa, out, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(fa, out, STDERR_FILENO);
	if (!error)
		error = posix_spawn_file_actions_addclosefrom_np(fa, STDERR_FILENO + 1);
	return error;
}

static int spawn(struct arena *a, const struct plan_hook *h, int in, int out, int dir, pid_t *pid)
{
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	int error;

	error = posix_spawn_file_actions_init(&fa);
	if (error)
		return error;
	error = posix_spawnattr_init(&at);
	if (!error) {
		error = set_up(&fa, &at, in, out, dir);
		if (!error)
			error = posix_spawn(pid, h->hook->path, &fa, &at, argv_of(a, h->hook),
					    envp_of(a, h));
		posix_spawnattr_destroy(&at);
	}
	posix_spawn_file_actions_destroy(&fa);
	return error;
}

static void feed(struct run *r)
{
	ssize_t n = write(r->in, r->state, r->left < FEED_MAX ? r->left : FEED_MAX);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* A hook need not read: that it has closed its input is no failure. */
	if (n < 0)
		r->left = 0;
	else
		r->state += n, r->left -= (size_t)n;
	if (!r->left)
		fd_cleanup(&r->in);
}

/* False: there is nothing now, or there will never be. */
static bool take(struct run *r)
{
	char rest[16 * 1024];
	bool fits = r->len < OUTPUT_MAX;
	ssize_t n = read(r->out, fits ? r->text + r->len : rest,
			 fits ? OUTPUT_MAX - r->len : sizeof rest);

	if (n > 0 && fits)
		r->len += (size_t)n;
	if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
		fd_cleanup(&r->out);
	return n > 0;
}

/* How long poll() may wait. */
static int patience(int64_t deadline)
{
	int64_t left = deadline - now_ms();

	if (deadline < 0)
		return -1;
	if (left < 0)
		return 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

/* Until it ends: NULL; or why it must end. */
static const char *attend(struct run *r)
{
	enum { END, OUT, IN, SIGNALS, COUNT };
	struct pollfd p[COUNT];
	int i, n;

	for (;;) {
		p[END] = (struct pollfd){ .fd = r->pidfd, .events = POLLIN };
		p[OUT] = (struct pollfd){ .fd = r->out, .events = POLLIN };
		p[IN] = (struct pollfd){ .fd = r->in, .events = POLLOUT };
		p[SIGNALS] = (struct pollfd){ .fd = r->signals, .events = POLLIN };
		n = poll(p, COUNT, patience(r->deadline));
		if (n < 0 && errno != EINTR)
			return "poll failed";
		if (n <= 0) {
			if (r->deadline >= 0 && now_ms() >= r->deadline)
				return "hook ran past specified timeout";
			continue;
		}
		if (p[IN].revents)
			feed(r);
		if (p[OUT].revents)
			take(r);
		if (p[END].revents)
			break;
		if (p[SIGNALS].revents)
			return "interrupted by a signal";
		if (r->deadline >= 0 && now_ms() >= r->deadline)
			return "hook ran past specified timeout";
	}
	for (i = 0; i < DRAIN_MAX && r->out >= 0 && take(r); i++)
		;
	return NULL;
}

/* "bad system call", as Go has it and as tests of runtimes look for it. */
static void signal_text(int sig, char *buf, size_t size)
{
	const char *text = sigdescr_np(sig);

	if (!text) {
		snprintf(buf, size, "signal %d", sig);
		return;
	}
	snprintf(buf, size, "%s", text);
	/* Words, not abbreviations: I/O possible, CPU time limit exceeded. */
	if (buf[0] >= 'A' && buf[0] <= 'Z' && buf[1] >= 'a' && buf[1] <= 'z')
		buf[0] = (char)(buf[0] - 'A' + 'a');
}

static int judge_end(const siginfo_t *info, struct err *e)
{
	char text[64];

	if (info->si_code == CLD_EXITED && !info->si_status)
		return 0;
	if (info->si_code == CLD_EXITED)
		return fail(e, 0, "exit status %d", info->si_status);
	signal_text(info->si_status, text, sizeof text);
	return fail(e, 0, "signal: %s%s", text,
		    info->si_code == CLD_DUMPED ? " (core dumped)" : "");
}

static int reap(const struct run *r, const char *why, struct err *e)
{
	siginfo_t info = { 0 };

	if (why)
		kill(-r->pid, SIGKILL);
	while (waitid(P_PIDFD, (id_t)r->pidfd, &info, WEXITED))
		if (errno != EINTR)
			return fail(e, errno, "cannot wait for it");
	return why ? fail(e, 0, "%s", why) : judge_end(&info, e);
}

static int run_one(struct arena *a, const struct plan_hook *h, const char *state, int dir,
		   int signals, struct err *e)
{
	autofd int in = -1, out = -1, their_in = -1, their_out = -1, pidfd = -1;
	struct run r = { .state = state, .left = strlen(state), .deadline = -1 };
	int fds[2], error;

	if (pipe2(fds, O_CLOEXEC))
		return fail(e, errno, "pipe");
	their_in = fds[0], in = fds[1];
	if (pipe2(fds, O_CLOEXEC))
		return fail(e, errno, "pipe");
	out = fds[0], their_out = fds[1];
	if (fcntl(in, F_SETFL, O_NONBLOCK) || fcntl(out, F_SETFL, O_NONBLOCK))
		return fail(e, errno, "pipe");

	error = spawn(a, h, their_in, their_out, dir, &r.pid);
	if (error)
		return fail(e, error, "cannot start it");
	fd_cleanup(&their_in);
	fd_cleanup(&their_out);
	pidfd = (int)syscall(SYS_pidfd_open, r.pid, 0);
	if (pidfd < 0) {
		error = errno;
		kill(-r.pid, SIGKILL);
		waitpid(r.pid, NULL, 0);
		return fail(e, error, "pidfd_open");
	}
	if (h->hook->timeout.set)
		r.deadline = now_ms() + (int64_t)h->hook->timeout.v * 1000;
	r.pidfd = pidfd;
	r.signals = signals;
	r.in = fd_steal(&in);
	r.out = fd_steal(&out);
	r.text = arena_alloc(a, OUTPUT_MAX);
	error = reap(&r, attend(&r), e);
	fd_cleanup(&r.in);
	fd_cleanup(&r.out);
	if (r.len) {
		struct err ignored;

		fd_write_all(STDERR_FILENO, "", r.text, r.len, &ignored);
	}
	return error;
}

static int run_all(enum hook_kind kind, const struct plan_hook *hooks, size_t n, const char *state,
		   const char *cwd, struct err *e)
{
	autofd int dir = open(cwd, O_PATH | O_DIRECTORY | O_CLOEXEC), signals = -1;
	size_t i;

	if (dir < 0)
		return fail(e, errno, "%s hooks: their working directory", hook_name(kind));
	signals = open_signals(kind, e);
	if (signals < 0)
		return -1;
	for (i = 0; i < n; i++) {
		struct arena a = { 0 };
		int failed = run_one(&a, &hooks[i], state, dir, signals, e);

		arena_release(&a);
		if (failed)
			return fail_in(e, "error running %s hook #%zu", hook_name(kind), i);
	}
	return 0;
}

int hooks_run(enum hook_kind kind, const struct plan_hook *hooks, size_t n, const char *state,
	      const char *cwd, struct err *e)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t pipes, old, pending;
	int result;

	if (!n)
		return 0;
	/* A hook that does not read, or a standard error that nobody reads, must not kill us. */
	sigemptyset(&pipes);
	sigaddset(&pipes, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipes, &old);
	result = run_all(kind, hooks, n, state, cwd, e);
	if (!sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipes, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return result;
}

void hooks_run_each(enum hook_kind kind, const struct plan_hook *hooks, size_t n, const char *state,
		    const char *cwd)
{
	struct err e;
	size_t i;

	for (i = 0; i < n; i++)
		if (hooks_run(kind, hooks + i, 1, state, cwd, &e))
			log_warn("%s (hook %zu of %zu)", e.text, i + 1, n);
}
