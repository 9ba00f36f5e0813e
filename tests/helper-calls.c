// SPDX-License-Identifier: Apache-2.0
/* Makes system calls that containers should not be able to make, and some that they should, each in a process
 * of its own, and prints what came of it: "NAME ok" or "NAME ERRNO". Their arguments are such that the kernel
 * refuses them with another error, whoever asks, before it looks at privileges: only a filter says EPERM.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

#define HIGH (0xdeadbeefL << 32)
enum { BAD = -1, X32_BIT = 0x40000000, NEW_LISTENER = 8 };

static const struct call {
	const char *name;
	long nr, args[6];
} calls[] = {
	{ "keyctl", SYS_keyctl, { 9999 } },
	{ "add_key", SYS_add_key, { 0 } },
	{ "mount", SYS_mount, { BAD, BAD, BAD } },
	{ "umount2", SYS_umount2, { 0, 0xffff } },
	{ "open_tree", SYS_open_tree, { BAD, 0, 0xffffffff } },
	{ "mount_setattr", SYS_mount_setattr, { BAD, 0, 0xffffffff } },
	{ "setns", SYS_setns, { BAD } },
	{ "unshare", SYS_unshare, { CLONE_NEWUSER | 1 } },
	{ "unshare-high", SYS_unshare, { HIGH | CLONE_NEWUSER | 1 } },
	{ "clone", SYS_clone, { CLONE_NEWUSER | CLONE_FS | SIGCHLD } },
	{ "clone3", SYS_clone3, { 0 } },
	{ "perf_event_open", SYS_perf_event_open, { 0, 0, 0, BAD, 0xffffffff } },
	{ "ptrace", SYS_ptrace, { 9999, BAD } },
	{ "process_vm_readv", SYS_process_vm_readv, { 1, 0, 0, 0, 0, 1 } },
	{ "process_madvise", SYS_process_madvise, { BAD, 0, 0, 0, 1 } },
	{ "pidfd_getfd", SYS_pidfd_getfd, { BAD, 0, 1 } },
	{ "kcmp", SYS_kcmp, { 0x7fffffff, 0x7fffffff, 0, 0, 0 } },
	{ "tiocsti", SYS_ioctl, { BAD, TIOCSTI } },
	{ "tiocsti-high", SYS_ioctl, { BAD, HIGH | TIOCSTI } },
	{ "tcgets", SYS_ioctl, { BAD, TCGETS } },
	{ "personality", SYS_personality, { 0xffffffff } },
	{ "personality-compat", SYS_personality, { 0x200000 } },
	{ "personality-no-random", SYS_personality, { 0x40000 } },
	{ "generic-netlink", SYS_socket, { AF_NETLINK, SOCK_RAW, NETLINK_GENERIC } },
	{ "route-netlink", SYS_socket, { AF_NETLINK, SOCK_RAW, 0 } },
	{ "family-high", SYS_socket, { HIGH | AF_UNIX, 9999 } },
	{ "unix", SYS_socket, { AF_UNIX, SOCK_STREAM } },
	{ "listener", SYS_seccomp, { 1, NEW_LISTENER, 0 } },
	{ "clock_settime", SYS_clock_settime, { 9999, 0 } },
	{ "shmget", SYS_shmget, { 0, 0, 0 } },
	{ "chroot", SYS_chroot, { BAD } },
	{ "new", 5000, { 0 } },
	{ "x32", X32_BIT + SYS_getpid, { 0 } },
	{ "getppid", SYS_getppid, { 0 } },
};

/* 32-bit programs make their calls like this, and any other may. */
static long int80(void)
{
#ifdef __x86_64__
	enum { GETPID_32 = 20 };
	long rc;

	__asm__ volatile("int $0x80"
			 : "=a"(rc)
			 : "a"(GETPID_32)
			 : "memory", "r8", "r9", "r10", "r11");
	rc = (int)rc;
	errno = rc < 0 ? (int)-rc : 0;
	return rc < 0 ? -1 : rc;
#else
	errno = ENOSYS;
	return -1;
#endif
}

static int report(const char *name, long rc)
{
	const char *text = rc < 0 ? strerrorname_np(errno) : "ok";

	printf("%s %s\n", name, text ? text : "unknown");
	return fflush(stdout) ? 1 : 0;
}

static int make(const struct call *c)
{
	const long *a = c->args;
	long rc;

	alarm(2);
	if (!c->name)
		return report("int80", int80());
	rc = syscall(c->nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	return report(c->name, rc);
}

int main(void)
{
	static const struct call foreign = { .name = NULL };
	size_t i, n = sizeof calls / sizeof calls[0];
	int status;
	pid_t pid;

	for (i = 0; i <= n; i++) {
		const struct call *c = i < n ? &calls[i] : &foreign;

		pid = fork();
		if (!pid)
			_exit(make(c));
		if (pid < 0 || waitpid(pid, &status, 0) != pid) {
			printf("%s cannot fork\n", c->name ? c->name : "int80");
			return 1;
		}
		if (WIFSIGNALED(status))
			printf("%s signal %d\n", c->name ? c->name : "int80", WTERMSIG(status));
		fflush(stdout);
	}
	return 0;
}
