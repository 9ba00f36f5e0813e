// SPDX-License-Identifier: Apache-2.0
/* Strikes a command, or what it starts, at a system call: kills it there, or lets the call fail.
 *
 *   helper-strike [-c] [-e ERRNO] [-o FILE] [-f FILE] N COMMAND...
 *
 * N counts the system calls of the command itself, with -c those of all processes that it starts, until they
 * become other programs; 0 strikes nobody. The file of -o gets "struck CALL" or "spared COUNT", that of -f a
 * line for each descriptor beyond 0-2 that closes on exec and that the command has open when it ends. The exit
 * code is the command's, 128 and the signal, or 77 when processes cannot be traced here.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT = 77, SIGNAL_BASE = 128 };

struct strike {
	bool children;
	int error; /* 0: kill */
	unsigned long at, seen;
	const char *file, *open_file;
	pid_t first;
	pid_t fails;         /* who is in the call that is to fail */
	bool began;          /* the command runs, not the one who starts it */
	struct stat program; /* the command's own file */
	long call;           /* which was struck; -1: none yet */
};

static void usage(void)
{
	fprintf(stderr, "usage: helper-strike [-c] [-e ERRNO] [-o FILE] [-f FILE] N COMMAND...\n");
	exit(2);
}

#ifdef __x86_64__
static void skip_call(pid_t pid)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, pid, 0, &regs);
	regs.orig_rax = (unsigned long long)-1;
	ptrace(PTRACE_SETREGS, pid, 0, &regs);
}

static void set_result(pid_t pid, long result)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, pid, 0, &regs);
	regs.rax = (unsigned long long)result;
	ptrace(PTRACE_SETREGS, pid, 0, &regs);
}
#else
static void skip_call(pid_t pid)
{
	(void)pid;
	exit(CANNOT);
}

static void set_result(pid_t pid, long result)
{
	(void)pid, (void)result;
}
#endif

static bool get_program(pid_t pid, struct stat *st)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	return !stat(path, st);
}

static bool is_other(const struct strike *s, pid_t pid)
{
	struct stat st;

	return !get_program(pid, &st) || st.st_dev != s->program.st_dev ||
	       st.st_ino != s->program.st_ino;
}

/* One answers with an address, one has closed the file whatever it says, and a number is a number. */
static bool never_fails(unsigned long long call)
{
	switch (call) {
	case SYS_brk:
	case SYS_close:
	case SYS_umask:
	case SYS_getpid:
	case SYS_gettid:
	case SYS_getuid:
	case SYS_geteuid:
	case SYS_getgid:
	case SYS_getegid: return true;
	}
	return false;
}

static bool closes_on_exec(pid_t pid, int fd)
{
	char path[64], line[128];
	unsigned flags = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)pid, fd);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	if (f)
		fclose(f);
	return flags & O_CLOEXEC;
}

/* What the caller left open does not close on exec; all of ours does. */
static void list_open(const struct strike *s, pid_t pid)
{
	FILE *f = fopen(s->open_file, "we");
	char path[64], target[256];
	ssize_t n;
	int fd;

	for (fd = 3; f && fd < 1024; fd++) {
		snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, fd);
		n = readlink(path, target, sizeof target);
		if (n > 0 && closes_on_exec(pid, fd))
			fprintf(f, "%d %.*s\n", fd, (int)n, target);
	}
	if (f)
		fclose(f);
}

/* Before and behind each system call. */
static void look(struct strike *s, pid_t pid)
{
	struct __ptrace_syscall_info info = { 0 };

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_EXIT && s->fails == pid) {
		set_result(pid, -s->error);
		s->fails = 0;
	}
	if (!s->began || info.op != PTRACE_SYSCALL_INFO_ENTRY || (pid != s->first) != s->children ||
	    (s->children && is_other(s, pid)))
		return;
	if (s->open_file && pid == s->first && info.entry.nr == SYS_exit_group)
		list_open(s, pid);
	if (s->error && never_fails(info.entry.nr))
		return;
	if (++s->seen != s->at)
		return;
	s->call = (long)info.entry.nr;
	if (!s->error) {
		kill(pid, SIGKILL);
		return;
	}
	s->fails = pid;
	skip_call(pid);
}

static int follow(struct strike *s)
{
	int status, sig;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &status, __WALL);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return 1;
		if (pid == s->first && WIFEXITED(status))
			return WEXITSTATUS(status);
		if (pid == s->first && WIFSIGNALED(status))
			return SIGNAL_BASE + WTERMSIG(status);
		if (!WIFSTOPPED(status))
			continue;
		sig = WSTOPSIG(status);
		if (sig == (SIGTRAP | 0x80))
			look(s, pid);
		if (pid == s->first && status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			s->began = get_program(pid, &s->program);
		/* Births, and stops that the tracing itself makes, are no signals. */
		if (sig == (SIGTRAP | 0x80) || status >> 16)
			sig = 0;
		ptrace(PTRACE_SYSCALL, pid, 0, sig);
	}
}

/* Seized, not attached to: whoever is let go when we end must not stay behind with a SIGSTOP. */
static pid_t begin(char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			     PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
	int gate[2];
	char word;
	pid_t pid;

	if (pipe2(gate, O_CLOEXEC))
		exit(CANNOT);
	pid = fork();
	if (!pid) {
		close(gate[1]);
		if (read(gate[0], &word, 1) == 1)
			execvp(argv[0], argv);
		_exit(CANNOT);
	}
	close(gate[0]);
	if (pid < 0 || ptrace(PTRACE_SEIZE, pid, 0, options) ||
	    ptrace(PTRACE_INTERRUPT, pid, 0, 0) || write(gate[1], "", 1) != 1)
		exit(CANNOT);
	close(gate[1]);
	return pid;
}

static void tell(const struct strike *s)
{
	FILE *f = s->file ? fopen(s->file, "w") : NULL;

	if (!f)
		return;
	if (s->call >= 0)
		fprintf(f, "struck %ld\n", s->call);
	else
		fprintf(f, "spared %lu\n", s->seen);
	fclose(f);
}

int main(int argc, char **argv)
{
	struct strike s = { .call = -1 };
	int c, code;

	while ((c = getopt(argc, argv, "+ce:f:o:")) != -1) {
		switch (c) {
		case 'c': s.children = true; break;
		case 'e': s.error = atoi(optarg); break;
		case 'f': s.open_file = optarg; break;
		case 'o': s.file = optarg; break;
		default: usage();
		}
	}
	if (argc - optind < 2)
		usage();
	s.at = strtoul(argv[optind], NULL, 10);
	s.first = begin(argv + optind + 1);
	code = follow(&s);
	tell(&s);
	return code; /* who is still there is let go */
}
