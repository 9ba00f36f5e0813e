// SPDX-License-Identifier: Apache-2.0
/* Hooks: what they are given, what their end means, and those that misbehave. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "../src/sys/hook.h"
#include "tap.h"

static struct arena arena;
static struct err e;
static char top[] = "/tmp/credsbox-hook.XXXXXX";

/* What the hooks wrote to our standard error. */
static const char *output;
static size_t output_len;

static struct plan_hook shell(const char *script)
{
	struct hook *h = arena_alloc(&arena, sizeof *h);

	h->path = "/bin/sh";
	*arena_push(&arena, h->args.v, h->args.n) = (struct arg){ "my-sh", NULL };
	*arena_push(&arena, h->args.v, h->args.n) = (struct arg){ "-c", NULL };
	*arena_push(&arena, h->args.v, h->args.n) = (struct arg){ script, NULL };
	return (struct plan_hook){ .hook = h };
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The error's text, or nothing. Standard error is a file meanwhile. */
static const char *run_in(enum hook_kind kind, const struct plan_hook *hooks, size_t n,
			  const char *state, const char *cwd)
{
	autofd int file = open(top, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	autofd int old = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	int result;

	if (file < 0 || old < 0 || dup2(file, STDERR_FILENO) < 0)
		BAIL_OUT("cannot redirect standard error");
	result = hooks_run(kind, hooks, n, state, cwd, &e);
	dup2(old, STDERR_FILENO);
	lseek(file, 0, SEEK_SET);
	if (fd_read_all(&arena, file, "output", 1 << 20, &output, &output_len, &e))
		BAIL_OUT("cannot read the output");
	return result ? e.text : "";
}

static const char *run(const char *script)
{
	struct plan_hook h = shell(script);

	return run_in(HOOK_PRESTART, &h, 1, "{\"id\":\"c1\"}", top);
}

static const char *run_for(const char *script, uint32_t timeout)
{
	struct plan_hook h = shell(script);
	struct hook with = *h.hook;

	with.timeout.set = true;
	with.timeout.v = timeout;
	h.hook = &with;
	return run_in(HOOK_POSTSTART, &h, 1, "{}", "/");
}

static void test_given(void)
{
	const char *env[] = { "A=b", "LAST=x y" };
	struct plan_hook h = shell("env");
	struct hook bare = { .path = "/proc/self/exe" };
	autofd int extra = open("/dev/null", O_RDONLY);

	setenv("CALLER_SECRET", "canary", 1);
	is(run("cat"), "", "a hook may succeed");
	is(output, "{\"id\":\"c1\"}", "it has the state on its standard input");
	is(run("cat /dev/stdin"), "", "also by name");
	is(output, "{\"id\":\"c1\"}", "with the same in it");
	run("echo \"$0\"; pwd");
	is(output, arena_printf(&arena, "my-sh\n%s\n", top),
	   "argv[0] and the directory are as given");
	run("echo out; echo err >&2");
	is(output, "out\nerr\n", "both of its outputs go to our standard error");
	run("exec /usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ env");
	is(output, "", "nothing of the caller's environment is in a hook's");
	h.env = env;
	h.n_env = 2;
	run_in(HOOK_PRESTART, &h, 1, "", "/");
	like(output, "A=b\n", "what the plan has for it is");
	like(output, "LAST=x y\n", "all of it");
	unlike(output, "canary", "and the caller's is not, then, either");
	run("ls /proc/self/fd");
	is(output, "0\n1\n2\n3\n", "no descriptor of ours is open in it (3 is ls's own)");
	h = (struct plan_hook){ .hook = &bare };
	bare.path = "/bin/true";
	is(run_in(HOOK_PRESTART, &h, 1, "", "/"), "", "a hook without arguments runs");
	bare.path = "/bin/pwd";
	is(run_in(HOOK_PRESTART, &h, 1, "", "/"), "", "under its path as name");
	is(output, "/\n", "and works");
	ok(extra > 2, "(there was a descriptor that could have been inherited)");
}

static void test_signals(void)
{
	/* No shell: it would clear the mask by itself. */
	struct arg args[] = { { "grep", NULL },
			      { "-E", NULL },
			      { "^Sig(Blk|Ign)", NULL },
			      { "/proc/self/status", NULL } };
	struct hook grep = { .path = "/bin/grep", .args = { args, 4 } };
	struct plan_hook h = { .hook = &grep };
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	signal(SIGUSR1, SIG_IGN);
	run_in(HOOK_PRESTART, &h, 1, "", "/");
	signal(SIGUSR1, SIG_DFL);
	/* libc leaves the two signals that it keeps for itself ignored. */
	like(output, "^SigBlk:\t0{16}\nSigIgn:\t0{7}(18|00)0{7}\n$",
	     "no signal is blocked or ignored in a hook");
	sigprocmask(SIG_SETMASK, &old, NULL);
	run("read -r a b c d e f rest < /proc/self/stat; test \"$a\" = \"$e\" -a \"$a\" = \"$f\" "
	    "&& echo leads");
	is(output, "leads\n", "a hook leads a group and a session");
}

static void test_ends(void)
{
	struct plan_hook two[2] = { shell("echo first"), shell("exit 7") };
	struct hook none = { .path = "/nonexistent/hook" };
	struct plan_hook missing = { .hook = &none };

	is(run("exit 3"), "error running prestart hook #0: exit status 3", "an exit code is told");
	is(run("kill -KILL $$"), "error running prestart hook #0: signal: killed", "a signal, too");
	is(run("ulimit -c 0; kill -SYS $$"),
	   "error running prestart hook #0: signal: bad system call",
	   "in the words that tests look for");
	is(run_in(HOOK_CREATE_RUNTIME, two, 2, "", "/"),
	   "error running createRuntime hook #1: exit status 7", "with the number of the hook");
	is(output, "first\n", "the ones before it have run");
	two[0] = shell("exit 1");
	two[1] = shell("echo second");
	is(run_in(HOOK_POSTSTOP, two, 2, "", "/"), "error running poststop hook #0: exit status 1",
	   "the first failure counts");
	is(output, "", "and the ones after it have not run");
	is(run_in(HOOK_PRESTART, &missing, 1, "", "/"),
	   "error running prestart hook #0: cannot start it: no such file or directory",
	   "a program that is missing is told");
	none.path = top;
	is(run_in(HOOK_PRESTART, &missing, 1, "", "/"),
	   "error running prestart hook #0: cannot start it: permission denied",
	   "as is one that is none");
	is(run_in(HOOK_PRESTART, two, 2, "", "/nonexistent"),
	   "prestart hooks: their working directory: no such file or directory",
	   "as is a directory that is missing");
	is(run_in(HOOK_PRESTART, NULL, 0, "", "/nonexistent"), "", "no hooks are no work");
}

static void test_time(void)
{
	double begin = seconds();
	int left;

	is(run_for("sleep 60 & echo $! >pid; wait", 1),
	   "error running poststart hook #0: hook ran past specified timeout",
	   "a hook that hangs is stopped at its timeout");
	ok(seconds() - begin < 5, "soon");
	begin = seconds();
	is(run_for("exec yes", 1),
	   "error running poststart hook #0: hook ran past specified timeout",
	   "also one that is busy talking");
	ok(seconds() - begin < 5, "soon");
	is(run_for("trap '' TERM INT; (sleep 61; echo late) & sleep 61", 1),
	   "error running poststart hook #0: hook ran past specified timeout",
	   "also one that ignores signals");
	left = system("ps -e -o args | grep -qx 'sleep 6[01]'"); /* NOLINT(cert-env33-c) */
	ok(WEXITSTATUS(left) == 1, "nothing of their groups is left");
	is(run_for("exit 0", 4294967295U), "", "the longest timeout is no problem");
	begin = seconds();
	is(run("sleep 62 & echo $!"), "", "a hook that leaves a daemon behind has ended");
	ok(seconds() - begin < 5, "we don't wait for the daemon, which holds the pipe");
	left = (int)strtol(output, NULL, 10);
	ok(left > 1 && !kill(left, 0), "the daemon is alive");
	if (left > 1)
		kill(left, SIGKILL);
	begin = seconds();
	is(run("setsid sh -c 'trap \"\" PIPE; while :; do echo x; done' & echo $!"), "",
	   "a daemon that never stops talking does not keep us either");
	ok(seconds() - begin < 5, "soon");
	left = (int)strtol(strpbrk(output, "0123456789") ? strpbrk(output, "0123456789") : "0",
			   NULL, 10);
	if (left > 1)
		kill(left, SIGKILL);
}

static void test_much(void)
{
	size_t n = 4 * 1024 * 1024, i;
	char *state = arena_alloc(&arena, n + 1);
	struct plan_hook h = shell("wc -c");
	double begin = seconds();

	for (i = 0; i < n; i++)
		state[i] = 'x';
	is(run_in(HOOK_PRESTART, &h, 1, state, "/"), "", "a long state can be read");
	is(output, "4194304\n", "to its end");
	h = shell("exit 0");
	is(run_in(HOOK_PRESTART, &h, 1, state, "/"), "", "or be left unread");
	h = shell("exec <&-; sleep 0.2; exit 0");
	is(run_in(HOOK_PRESTART, &h, 1, state, "/"), "", "or be refused");
	is(run("head -c 1073741824 /dev/zero; echo end"), "", "a hook may write a gigabyte");
	cmp_ok((long long)output_len, "==", 64 * 1024, "of which the beginning is passed on");
	ok(seconds() - begin < 60, "in time");
}

/* The signal that a caller blocked for its relay ends the hook, and is still there afterwards. */
static void test_interrupted(void)
{
	sigset_t term, old, pending;
	struct timespec none = { 0, 0 };
	double begin = seconds();
	pid_t child;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &old);
	child = fork();
	if (!child) {
		usleep(200 * 1000);
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	is(run("sleep 30"), "error running prestart hook #0: interrupted by a signal",
	   "a signal that would end us ends the hook");
	ok(seconds() - begin < 10, "at once");
	sigpending(&pending);
	ok(sigismember(&pending, SIGTERM), "it is still pending");
	waitpid(child, NULL, 0);
	is(run_in(HOOK_POSTSTOP, (struct plan_hook[]){ shell("sleep 0.1; echo done") }, 1, "", "/"),
	   "", "a poststop hook is not ended by a signal from before");
	is(output, "done\n", "it does its work");
	sigtimedwait(&term, NULL, &none);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void test_our_stderr(void)
{
	struct plan_hook h = shell("echo lost");
	int fds[2], old = dup(STDERR_FILENO), result;

	if (pipe(fds))
		BAIL_OUT("pipe");
	close(fds[0]);
	dup2(fds[1], STDERR_FILENO);
	result = hooks_run(HOOK_PRESTART, &h, 1, "", "/", &e);
	dup2(old, STDERR_FILENO);
	close(fds[1]);
	close(old);
	ok(!result, "a standard error that nobody reads is no failure, and no death");
}

int main(void)
{
	plan(NO_PLAN);
	if (!mkdtemp(top))
		BAIL_OUT("cannot make a temporary directory");
	test_given();
	test_signals();
	test_ends();
	test_time();
	test_much();
	test_interrupted();
	test_our_stderr();
	if (rmdir(top))
		diag("%s is left", top);
	arena_release(&arena);
	done_testing();
}
