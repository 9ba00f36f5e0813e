// SPDX-License-Identifier: Apache-2.0
/* The first process of a wrapped command: it passes signals on, buries orphans, and ends when the command does. */
#include "init.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/banned.h"

enum { SIGNAL_BASE = 128 }; /* of exit codes */

/* What a terminal sends goes to all that run in the foreground, as it does there. */
static bool is_of_terminals(int sig)
{
	return sig == SIGINT || sig == SIGQUIT || sig == SIGHUP || sig == SIGTSTP ||
	       sig == SIGWINCH || sig == SIGCONT;
}

static void pass_on(int sig, pid_t program)
{
	if (!is_of_terminals(sig)) {
		kill(program, sig);
		return;
	}
	kill(0, sig); /* of which our own is passed over: it comes from in here */
	if (getpgid(program) != getpgrp())
		kill(program, sig);
}

/* Returns the exit code when the program has one. */
static int bury(pid_t program)
{
	int status, code = -1;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == program)
			code = WIFSIGNALED(status) ? SIGNAL_BASE + WTERMSIG(status)
						   : WEXITSTATUS(status);
	return code;
}

/* Only who is outside has no number in here: nobody in the box can have the command killed by us. */
static bool is_from_outside(const siginfo_t *info)
{
	return info->si_code <= 0 && info->si_pid == 0;
}

static _Noreturn void look_after(pid_t program, const sigset_t *all)
{
	siginfo_t info;
	int code;

	for (;;) {
		code = bury(program);
		if (code >= 0)
			_exit(code);
		if (sigwaitinfo(all, &info) > 0 && info.si_signo != SIGCHLD &&
		    is_from_outside(&info))
			pass_on(info.si_signo, program);
	}
}

int init_fork(struct launch *l, struct err *e)
{
	sigset_t all, before;
	pid_t pid;

	/* Those that are held back reach even a first process. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid < 0)
		return fail(e, errno, "fork");
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		return 0;
	}
	/* Whoever reads from a pipe waits for the last writer, and the runtime for the end of its socket. */
	syscall(SYS_close_range, 0, ~0U, 0);
	job_release(&l->job);
	prctl(PR_SET_NAME, "credsbox-init", 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	look_after(pid, &all);
}
