// SPDX-License-Identifier: Apache-2.0
/* Tests of seccomp filters: what sections do to real calls, and which are refused. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

#include "../src/base/fd.h"
#include "seccomp_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The exit is always allowed: a test must end. */
// clang-format off
#define DENY "{'defaultAction':'SCMP_ACT_ERRNO','syscalls':[{'names':['exit_group'],'action':'SCMP_ACT_ALLOW'},"
#define ALLOW "{'defaultAction':'SCMP_ACT_ALLOW','syscalls':["
#define DENY_TAIL "'defaultAction':'SCMP_ACT_ERRNO','syscalls':[{'names':['exit_group','getppid'],'action':'SCMP_ACT_ALLOW'}]}"
#define ARG(index, op, value, two) "{'index':" #index ",'op':'SCMP_CMP_" #op "','value':" #value ",'valueTwo':" #two "}"

enum { NEVER = -100 }; /* no descriptor */

static const struct {
	const char *sentence, *section;
	struct call call;
	int want;
} calls[] = {
	{ "a default of ALLOW allows", ALLOW "]}", { SYS_getppid, { 0 } }, 0 },
	{ "a default of ERRNO gives EPERM", DENY "{'names':['read'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getppid, { 0 } }, EPERM },
	{ "a listed call is allowed", DENY "{'names':['getppid'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getppid, { 0 } }, 0 },
	{ "every name of a rule counts", DENY "{'names':['read','getppid'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getppid, { 0 } }, 0 },
	{ "ERRNO without errnoRet is EPERM", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_ERRNO'}]}", { SYS_getppid, { 0 } }, EPERM },
	{ "errnoRet is what the call gives", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_ERRNO','errnoRet':100}]}", { SYS_getppid, { 0 } }, 100 },
	{ "LOG lets the call pass", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_LOG'}]}", { SYS_getppid, { 0 } }, 0 },
	{ "TRACE without a tracer is ENOSYS", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_TRACE'}]}", { SYS_getppid, { 0 } }, ENOSYS },
	{ "KILL_PROCESS kills", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_KILL_PROCESS'}]}", { SYS_getppid, { 0 } }, -SIGSYS },
	{ "KILL_THREAD kills the only thread", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_KILL_THREAD'}]}", { SYS_getppid, { 0 } }, -SIGSYS },
	{ "KILL does, too", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_KILL'}]}", { SYS_getppid, { 0 } }, -SIGSYS },
	{ "TRAP without a handler kills", ALLOW "{'names':['getppid'],'action':'SCMP_ACT_TRAP'}]}", { SYS_getppid, { 0 } }, -SIGSYS },
	{ "a default of KILL_PROCESS kills", "{'defaultAction':'SCMP_ACT_KILL_PROCESS','syscalls':[{'names':['exit_group'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getppid, { 0 } }, -SIGSYS },
	{ "an unknown name is skipped, its neighbours count", DENY "{'names':['no_such_call','getppid'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getppid, { 0 } }, 0 },
	{ "a rule with the default's action is no error", DENY "{'names':['getppid'],'action':'SCMP_ACT_ERRNO'}]}", { SYS_getppid, { 0 } }, EPERM },

	/* Calls that are newer than the section. */
	{ "a number over all that the section names gives ENOSYS", DENY "{'names':['getppid'],'action':'SCMP_ACT_ALLOW'}]}", { 1000, { 0 } }, ENOSYS },
	{ "so does a call that exists, if no newer one is named", "{'defaultAction':'SCMP_ACT_ERRNO','syscalls':[{'names':['exit_group'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getrandom, { 0 } }, ENOSYS },
	{ "one under a newer call that is named gives the default", DENY "{'names':['openat2'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getrandom, { 0 } }, EPERM },
	{ "a newer call that is named with the default's own action counts", DENY "{'names':['openat2'],'action':'SCMP_ACT_ERRNO'}]}", { SYS_getrandom, { 0 } }, EPERM },
	{ "with a default errno of its own, ENOSYS too", "{'defaultAction':'SCMP_ACT_ERRNO','defaultErrnoRet':6,'syscalls':[{'names':['exit_group'],'action':'SCMP_ACT_ALLOW'}]}", { 1000, { 0 } }, ENOSYS },
	{ "which known calls get", "{'defaultAction':'SCMP_ACT_ERRNO','defaultErrnoRet':6,'syscalls':[{'names':['exit_group'],'action':'SCMP_ACT_ALLOW'}]}", { SYS_getppid, { 0 } }, ENXIO },
	{ "a default of KILL is for newer calls too", "{'defaultAction':'SCMP_ACT_KILL','syscalls':[{'names':['exit_group'],'action':'SCMP_ACT_ALLOW'}]}", { 1000, { 0 } }, -SIGSYS },
	{ "an x32 call is no newer call: it is killed", DENY "{'names':['getppid'],'action':'SCMP_ACT_ALLOW'}]}", { 0x40000000 + SYS_getppid, { 0 } }, -SIGSYS },

	/* Arguments. */
#define DUP3(args) DENY "{'names':['dup3'],'action':'SCMP_ACT_ALLOW','args':[" args "]}]}"
	{ "EQ holds", DUP3(ARG(0, EQ, 7, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EINVAL },
	{ "EQ does not hold", DUP3(ARG(0, EQ, 7, 0)), { SYS_dup3, { 8, NEVER, 0xffff } }, EPERM },
	{ "NE holds", DUP3(ARG(0, NE, 7, 0)), { SYS_dup3, { 8, NEVER, 0xffff } }, EINVAL },
	{ "NE does not hold", DUP3(ARG(0, NE, 7, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EPERM },
	{ "LT holds", DUP3(ARG(0, LT, 7, 0)), { SYS_dup3, { 6, NEVER, 0xffff } }, EINVAL },
	{ "LT does not hold", DUP3(ARG(0, LT, 7, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EPERM },
	{ "LE holds", DUP3(ARG(0, LE, 7, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EINVAL },
	{ "LE does not hold", DUP3(ARG(0, LE, 7, 0)), { SYS_dup3, { 8, NEVER, 0xffff } }, EPERM },
	{ "GE holds", DUP3(ARG(0, GE, 7, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EINVAL },
	{ "GE does not hold", DUP3(ARG(0, GE, 7, 0)), { SYS_dup3, { 6, NEVER, 0xffff } }, EPERM },
	{ "GT holds", DUP3(ARG(0, GT, 7, 0)), { SYS_dup3, { 8, NEVER, 0xffff } }, EINVAL },
	{ "GT does not hold", DUP3(ARG(0, GT, 7, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EPERM },
	{ "MASKED_EQ holds", DUP3(ARG(2, MASKED_EQ, 61440, 61440)), { SYS_dup3, { 8, NEVER, 0xffff } }, EINVAL },
	{ "MASKED_EQ does not hold", DUP3(ARG(2, MASKED_EQ, 61440, 4096)), { SYS_dup3, { 8, NEVER, 0xffff } }, EPERM },
	{ "the upper half of an argument counts", DUP3(ARG(0, EQ, 7, 0)), { SYS_dup3, { 0x100000007, NEVER, 0xffff } }, EPERM },
	{ "a value over 32 bits is compared in whole", DUP3(ARG(0, GT, 4294967296, 0)), { SYS_dup3, { 0x100000001, NEVER, 0xffff } }, EINVAL },
	{ "what is greater in its lower half alone is not greater", DUP3(ARG(0, GT, 4294967296, 0)), { SYS_dup3, { 0xfffffff0, NEVER, 0xffff } }, EPERM },
	{ "conditions on two arguments must both hold", DUP3(ARG(0, EQ, 7, 0) "," ARG(2, EQ, 65535, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EINVAL },
	{ "one of them is not enough", DUP3(ARG(0, EQ, 7, 0) "," ARG(2, EQ, 65535, 0)), { SYS_dup3, { 7, NEVER, 0xfffe } }, EPERM },
	{ "the other neither", DUP3(ARG(0, EQ, 7, 0) "," ARG(2, EQ, 65535, 0)), { SYS_dup3, { 8, NEVER, 0xffff } }, EPERM },
	{ "of two on one argument the first is enough", DUP3(ARG(0, EQ, 7, 0) "," ARG(0, EQ, 9, 0)), { SYS_dup3, { 7, NEVER, 0xffff } }, EINVAL },
	{ "the second is, too", DUP3(ARG(0, EQ, 7, 0) "," ARG(0, EQ, 9, 0)), { SYS_dup3, { 9, NEVER, 0xffff } }, EINVAL },
	{ "neither is not", DUP3(ARG(0, EQ, 7, 0) "," ARG(0, EQ, 9, 0)), { SYS_dup3, { 8, NEVER, 0xffff } }, EPERM },
	{ "with seven conditions the last is enough", DUP3(ARG(0, EQ, 1, 0) "," ARG(0, EQ, 2, 0) "," ARG(0, EQ, 3, 0) "," ARG(0, EQ, 4, 0) "," ARG(0, EQ, 5, 0) "," ARG(0, EQ, 6, 0) "," ARG(0, EQ, 9, 0)), { SYS_dup3, { 9, NEVER, 0xffff } }, EINVAL },
	{ "several rules for one call are alternatives", DENY "{'names':['dup3'],'action':'SCMP_ACT_ALLOW','args':[" ARG(0, EQ, 1, 0) "]},{'names':['dup3'],'action':'SCMP_ACT_ALLOW','args':[" ARG(0, GT, 2, 0) "]}]}", { SYS_dup3, { 3, NEVER, 0xffff } }, EINVAL },
	{ "what is between them is denied", DENY "{'names':['dup3'],'action':'SCMP_ACT_ALLOW','args':[" ARG(0, EQ, 1, 0) "]},{'names':['dup3'],'action':'SCMP_ACT_ALLOW','args':[" ARG(0, GT, 2, 0) "]}]}", { SYS_dup3, { 2, NEVER, 0xffff } }, EPERM },
};
// clang-format on

static void test_calls(struct arena *a)
{
	struct seccomp_program p;
	size_t i;

	for (i = 0; i < COUNT(calls); i++) {
		is(build(a, calls[i].section, &p), "", "builds: %s", calls[i].sentence);
		cmp_ok(under(&p, do_call, &calls[i].call), "==", calls[i].want, "%s",
		       calls[i].sentence);
	}
}

static void *thread_calls(void *arg)
{
	do_call(arg);
	return NULL;
}

/* 7: the process outlives its thread */
static int call_in_thread(const void *arg)
{
	struct call c = *(const struct call *)arg;
	pthread_t t;

	if (pthread_create(&t, NULL, thread_calls, &c) || pthread_join(t, NULL))
		return 1;
	return 7;
}

static void test_threads(struct arena *a)
{
	static const struct call call = { SYS_getppid, { 0 } };
	struct seccomp_program p;

	build(a, ALLOW "{'names':['getppid'],'action':'SCMP_ACT_KILL_THREAD'}]}", &p);
	cmp_ok(under(&p, call_in_thread, &call), "==", 7, "KILL_THREAD kills the thread alone");
	build(a, ALLOW "{'names':['getppid'],'action':'SCMP_ACT_KILL_PROCESS'}]}", &p);
	cmp_ok(under(&p, call_in_thread, &call), "==", -SIGSYS, "KILL_PROCESS kills all threads");
}

static volatile int trapped;

static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	trapped = info->si_syscall;
}

static int call_with_handler(const void *arg)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	if (sigaction(SIGSYS, &action, NULL))
		return 1;
	do_call(arg);
	return trapped == ((const struct call *)arg)->nr ? 7 : 1;
}

static void test_trap(struct arena *a)
{
	static const struct call call = { SYS_getppid, { 0 } };
	struct seccomp_program p;

	build(a, ALLOW "{'names':['getppid'],'action':'SCMP_ACT_TRAP'}]}", &p);
	cmp_ok(under(&p, call_with_handler, &call), "==", 7,
	       "TRAP tells a handler which call it was");
}

/* What the tracer of a TRACE rule is told; -1 without an event. */
static long trace_message(const struct seccomp_program *p)
{
	unsigned long message = 0;
	int status, listener, pid = fork();
	struct err e;

	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) || raise(SIGSTOP) ||
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || seccomp_install(p, &listener, &e))
			_exit(1);
		getppid();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL);
	ptrace(PTRACE_CONT, pid, 0, 0);
	waitpid(pid, &status, 0);
	if (!WIFSTOPPED(status) || status >> 8 != (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
		return -1;
	ptrace(PTRACE_GETEVENTMSG, pid, 0, &message);
	ptrace(PTRACE_CONT, pid, 0, 0);
	waitpid(pid, &status, 0);
	return (long)message;
}

static void test_trace(struct arena *a)
{
	struct seccomp_program p;

	build(a, ALLOW "{'names':['getppid'],'action':'SCMP_ACT_TRACE','errnoRet':4321}]}", &p);
	cmp_ok(trace_message(&p), "==", 4321, "TRACE tells a tracer its errnoRet");
	build(a, ALLOW "{'names':['getppid'],'action':'SCMP_ACT_TRACE'}]}", &p);
	cmp_ok(trace_message(&p), "==", EPERM, "which is EPERM unless given");
}

#ifdef __x86_64__
/* The same machine's 32-bit calls; a kernel without them ends the process. */
static int do_call_i386(const void *arg)
{
	const struct call *c = arg;
	long rc;

	__asm__ volatile("int $0x80"
			 : "=a"(rc)
			 : "a"(c->nr), "b"(c->args[0]), "c"(c->args[1]), "d"(c->args[2])
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)rc < 0 ? -(int)rc : 0;
}

static void test_i386(struct arena *a)
{
	static const struct call getppid_i386 = { 64, { 0 } }, none = { 1000, { 0 } };
	static const struct seccomp_program nothing = { 0 };
	struct seccomp_program p;

	skip(under(&nothing, do_call_i386, &getppid_i386), 7, "this kernel has no 32-bit calls");
	build(a, DENY "{'names':['getppid'],'action':'SCMP_ACT_ALLOW'}]}", &p);
	cmp_ok(under(&p, do_call_i386, &getppid_i386), "==", -SIGSYS,
	       "a call of an architecture that is not listed kills");
	build(a, "{'architectures':['SCMP_ARCH_X86','SCMP_ARCH_X86','SCMP_ARCH_X86_64']," DENY_TAIL,
	      &p);
	cmp_ok(under(&p, do_call_i386, &getppid_i386), "==", 0,
	       "a listed one has the same rules under its own numbers");
	cmp_ok(under(&p, do_call_i386, &none), "==", ENOSYS, "newer calls of it are ENOSYS");
	cmp_ok(under(&p, do_call, &none), "==", ENOSYS, "and those of the native one");
	build(a, "{'architectures':['SCMP_ARCH_X86']," DENY_TAIL, &p);
	cmp_ok(under(&p, do_call, &calls[2].call), "==", 0, "the native one is always there");
	build(a, "{'architectures':['SCMP_ARCH_X86','SCMP_ARCH_X32']," DENY_TAIL, &p);
	cmp_ok(under(&p, do_call, &(struct call){ 0x40000000 + 1000, { 0 } }), "==", ENOSYS,
	       "newer calls of x32 are ENOSYS when it is listed");
	cmp_ok(under(&p, do_call, &(struct call){ 0x40000000 + SYS_read, { 0 } }), "==", EPERM,
	       "its known calls get the default");
	end_skip;
}
#else
static void test_i386(struct arena *a)
{
	(void)a;
}
#endif

// clang-format off
static void test_refused(struct arena *a)
{
	static const struct {
		const char *section, *error;
	} cases[] = {
#define NOTIFY(name) "{'names':['getppid'," name "],'action':'SCMP_ACT_NOTIFY'}],'listenerPath':'/x'}"
		{ ALLOW NOTIFY("'write'"), "linux.seccomp.syscalls.0.: SCMP_ACT_NOTIFY cannot be used for the write syscall" },
		{ ALLOW NOTIFY("'sendmsg'"), "linux.seccomp.syscalls.0.: SCMP_ACT_NOTIFY cannot be used for the sendmsg syscall" },
		{ "{'defaultAction':'SCMP_ACT_NOTIFY','listenerPath':'/x'}", "linux.seccomp.defaultAction: SCMP_ACT_NOTIFY cannot be used as default action" },
		{ ALLOW "{'names':['mkdir'],'action':'SCMP_ACT_NOTIFY'}]}", "linux.seccomp: SCMP_ACT_NOTIFY needs listenerPath" },
		{ ALLOW "{'names':['mkdir'],'action':'SCMP_ACT_NOTIFY'}],'listenerPath':''}", "linux.seccomp: SCMP_ACT_NOTIFY needs listenerPath" },
		{ "{'architectures':['SCMP_ARCH_PARISC']," DENY_TAIL, "linux.seccomp.architectures.0.: libseccomp [0-9.]+ cannot add SCMP_ARCH_PARISC to a filter of this machine" },
	};
	struct seccomp_program p;
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		like(build(a, cases[i].section, &p), arena_printf(a, "^%s$", cases[i].error),
		     "refused: %s", cases[i].error);
}

static void test_flags(struct arena *a)
{
	enum { LOG = 2, SPEC_ALLOW = 4, NEW_LISTENER = 8, WAIT_KILLABLE = 32 };
#define FLAGS(list) "{'defaultAction':'SCMP_ACT_ALLOW','flags':[" list "]}"
#define FLAG(name) "'SECCOMP_FILTER_FLAG_" name "'"
#define AGENT "'listenerPath':'/x','syscalls':[{'names':['mkdir'],'action':'SCMP_ACT_NOTIFY'}]}"
	static const struct {
		const char *sentence, *section;
		unsigned flags;
	} cases[] = {
		{ "without flags it is SPEC_ALLOW", ALLOW "]}", SPEC_ALLOW },
		{ "an empty list is none", FLAGS(""), 0 },
		{ "LOG alone is alone", FLAGS(FLAG("LOG")), LOG },
		{ "TSYNC is of no use to us", FLAGS(FLAG("TSYNC")), 0 },
		{ "SPEC_ALLOW and LOG are both", FLAGS(FLAG("LOG") "," FLAG("SPEC_ALLOW")), LOG | SPEC_ALLOW },
		{ "WAIT_KILLABLE_RECV means nothing without a listener", FLAGS(FLAG("WAIT_KILLABLE_RECV")), 0 },
		{ "a rule that notifies makes a listener", "{'defaultAction':'SCMP_ACT_ALLOW','flags':[]," AGENT, NEW_LISTENER },
		{ "which may wait killably", "{'defaultAction':'SCMP_ACT_ALLOW','flags':[" FLAG("WAIT_KILLABLE_RECV") "]," AGENT, NEW_LISTENER | WAIT_KILLABLE },
	};
	struct seccomp_program p;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		build(a, cases[i].section, &p);
		cmp_ok(p.flags, "==", cases[i].flags, "%s", cases[i].sentence);
		cmp_ok(under(&p, do_call, &calls[0].call), "==", 0, "the kernel takes it: %s",
		       cases[i].sentence);
	}
	ok(!seccomp_has_flag(1u << 20), "an unknown flag is not one that the kernel has");
	ok(seccomp_has_flag(SECCOMP_FILTER_FLAG_LOG), "LOG is");
}
// clang-format on

static void test_nothing(struct arena *a)
{
	static const struct seccomp none = { 0 };
	struct seccomp_program p = { .n = 7 };
	int listener = 7;
	struct err e;

	ok(!seccomp_build(a, &none, NULL, &p, &e) && !p.code && !p.n,
	   "no section makes no program");
	ok(!seccomp_install(&p, &listener, &e) && listener == -1, "which is nothing to load");
}

int main(void)
{
	struct arena a = { 0 };
	struct rlimit no_core = { 0, 0 };

	plan(NO_PLAN);
	setrlimit(RLIMIT_CORE, &no_core);
	test_nothing(&a);
	test_calls(&a);
	test_threads(&a);
	test_trap(&a);
	test_trace(&a);
	test_i386(&a);
	test_refused(&a);
	test_flags(&a);
	arena_release(&a);
	done_testing();
}
