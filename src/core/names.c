// SPDX-License-Identifier: Apache-2.0
/* Tables of the words that bundles and commands use, and what they mean to the kernel. */
#include "names.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/mount.h>

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/ioprio.h>
#include <linux/mempolicy.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

#include "bundle.h"
#include "chars.h"
#include "../base/banned.h"

_Static_assert(CAP_NUMBER_MAX == CAP_CHECKPOINT_RESTORE, "the table ends with this capability");

/* In Linux since 6.9, but not in every header. */
enum { MEMORY_WEIGHTED_INTERLEAVE = 6 };

/* Reserved by the kernel's headers, carried out by no kernel: sched_setattr() will say so. */
enum { SCHEDULER_ISO = 4 };

// clang-format off
const struct name names_namespaces[] = {
	{ "user", NS_USER },
	{ "pid", NS_PID },
	{ "network", NS_NETWORK },
	{ "mount", NS_MOUNT },
	{ "ipc", NS_IPC },
	{ "uts", NS_UTS },
	{ "cgroup", NS_CGROUP },
	{ "time", NS_TIME },
	{ NULL, 0 }
};

const struct name names_hooks[] = {
	{ "prestart", HOOK_PRESTART },
	{ "createRuntime", HOOK_CREATE_RUNTIME },
	{ "createContainer", HOOK_CREATE_CONTAINER },
	{ "startContainer", HOOK_START_CONTAINER },
	{ "poststart", HOOK_POSTSTART },
	{ "poststop", HOOK_POSTSTOP },
	{ NULL, 0 }
};

const struct name names_capabilities[] = {
	{ "CAP_CHOWN", CAP_CHOWN },
	{ "CAP_DAC_OVERRIDE", CAP_DAC_OVERRIDE },
	{ "CAP_DAC_READ_SEARCH", CAP_DAC_READ_SEARCH },
	{ "CAP_FOWNER", CAP_FOWNER },
	{ "CAP_FSETID", CAP_FSETID },
	{ "CAP_KILL", CAP_KILL },
	{ "CAP_SETGID", CAP_SETGID },
	{ "CAP_SETUID", CAP_SETUID },
	{ "CAP_SETPCAP", CAP_SETPCAP },
	{ "CAP_LINUX_IMMUTABLE", CAP_LINUX_IMMUTABLE },
	{ "CAP_NET_BIND_SERVICE", CAP_NET_BIND_SERVICE },
	{ "CAP_NET_BROADCAST", CAP_NET_BROADCAST },
	{ "CAP_NET_ADMIN", CAP_NET_ADMIN },
	{ "CAP_NET_RAW", CAP_NET_RAW },
	{ "CAP_IPC_LOCK", CAP_IPC_LOCK },
	{ "CAP_IPC_OWNER", CAP_IPC_OWNER },
	{ "CAP_SYS_MODULE", CAP_SYS_MODULE },
	{ "CAP_SYS_RAWIO", CAP_SYS_RAWIO },
	{ "CAP_SYS_CHROOT", CAP_SYS_CHROOT },
	{ "CAP_SYS_PTRACE", CAP_SYS_PTRACE },
	{ "CAP_SYS_PACCT", CAP_SYS_PACCT },
	{ "CAP_SYS_ADMIN", CAP_SYS_ADMIN },
	{ "CAP_SYS_BOOT", CAP_SYS_BOOT },
	{ "CAP_SYS_NICE", CAP_SYS_NICE },
	{ "CAP_SYS_RESOURCE", CAP_SYS_RESOURCE },
	{ "CAP_SYS_TIME", CAP_SYS_TIME },
	{ "CAP_SYS_TTY_CONFIG", CAP_SYS_TTY_CONFIG },
	{ "CAP_MKNOD", CAP_MKNOD },
	{ "CAP_LEASE", CAP_LEASE },
	{ "CAP_AUDIT_WRITE", CAP_AUDIT_WRITE },
	{ "CAP_AUDIT_CONTROL", CAP_AUDIT_CONTROL },
	{ "CAP_SETFCAP", CAP_SETFCAP },
	{ "CAP_MAC_OVERRIDE", CAP_MAC_OVERRIDE },
	{ "CAP_MAC_ADMIN", CAP_MAC_ADMIN },
	{ "CAP_SYSLOG", CAP_SYSLOG },
	{ "CAP_WAKE_ALARM", CAP_WAKE_ALARM },
	{ "CAP_BLOCK_SUSPEND", CAP_BLOCK_SUSPEND },
	{ "CAP_AUDIT_READ", CAP_AUDIT_READ },
	{ "CAP_PERFMON", CAP_PERFMON },
	{ "CAP_BPF", CAP_BPF },
	{ "CAP_CHECKPOINT_RESTORE", CAP_CHECKPOINT_RESTORE },
	{ NULL, 0 }
};

const struct name names_rlimits[] = {
	{ "RLIMIT_AS", RLIMIT_AS },
	{ "RLIMIT_CORE", RLIMIT_CORE },
	{ "RLIMIT_CPU", RLIMIT_CPU },
	{ "RLIMIT_DATA", RLIMIT_DATA },
	{ "RLIMIT_FSIZE", RLIMIT_FSIZE },
	{ "RLIMIT_LOCKS", RLIMIT_LOCKS },
	{ "RLIMIT_MEMLOCK", RLIMIT_MEMLOCK },
	{ "RLIMIT_MSGQUEUE", RLIMIT_MSGQUEUE },
	{ "RLIMIT_NICE", RLIMIT_NICE },
	{ "RLIMIT_NOFILE", RLIMIT_NOFILE },
	{ "RLIMIT_NPROC", RLIMIT_NPROC },
	{ "RLIMIT_RSS", RLIMIT_RSS },
	{ "RLIMIT_RTPRIO", RLIMIT_RTPRIO },
	{ "RLIMIT_RTTIME", RLIMIT_RTTIME },
	{ "RLIMIT_SIGPENDING", RLIMIT_SIGPENDING },
	{ "RLIMIT_STACK", RLIMIT_STACK },
	{ NULL, 0 }
};

const struct name names_seccomp_actions[] = {
	{ "SCMP_ACT_KILL", SECCOMP_KILL_THREAD },
	{ "SCMP_ACT_KILL_PROCESS", SECCOMP_KILL_PROCESS },
	{ "SCMP_ACT_KILL_THREAD", SECCOMP_KILL_THREAD },
	{ "SCMP_ACT_TRAP", SECCOMP_TRAP },
	{ "SCMP_ACT_ERRNO", SECCOMP_ERRNO },
	{ "SCMP_ACT_TRACE", SECCOMP_TRACE },
	{ "SCMP_ACT_ALLOW", SECCOMP_ALLOW },
	{ "SCMP_ACT_LOG", SECCOMP_LOG },
	{ "SCMP_ACT_NOTIFY", SECCOMP_NOTIFY },
	{ NULL, 0 }
};

const struct name names_seccomp_ops[] = {
	{ "SCMP_CMP_NE", SECCOMP_OP_NE },
	{ "SCMP_CMP_LT", SECCOMP_OP_LT },
	{ "SCMP_CMP_LE", SECCOMP_OP_LE },
	{ "SCMP_CMP_EQ", SECCOMP_OP_EQ },
	{ "SCMP_CMP_GE", SECCOMP_OP_GE },
	{ "SCMP_CMP_GT", SECCOMP_OP_GT },
	{ "SCMP_CMP_MASKED_EQ", SECCOMP_OP_MASKED_EQ },
	{ NULL, 0 }
};

const struct name names_seccomp_archs[] = {
	{ "SCMP_ARCH_X86", ARCH_X86 },
	{ "SCMP_ARCH_X86_64", ARCH_X86_64 },
	{ "SCMP_ARCH_X32", ARCH_X32 },
	{ "SCMP_ARCH_ARM", ARCH_ARM },
	{ "SCMP_ARCH_AARCH64", ARCH_AARCH64 },
	{ "SCMP_ARCH_MIPS", ARCH_MIPS },
	{ "SCMP_ARCH_MIPS64", ARCH_MIPS64 },
	{ "SCMP_ARCH_MIPS64N32", ARCH_MIPS64N32 },
	{ "SCMP_ARCH_MIPSEL", ARCH_MIPSEL },
	{ "SCMP_ARCH_MIPSEL64", ARCH_MIPSEL64 },
	{ "SCMP_ARCH_MIPSEL64N32", ARCH_MIPSEL64N32 },
	{ "SCMP_ARCH_PPC", ARCH_PPC },
	{ "SCMP_ARCH_PPC64", ARCH_PPC64 },
	{ "SCMP_ARCH_PPC64LE", ARCH_PPC64LE },
	{ "SCMP_ARCH_S390", ARCH_S390 },
	{ "SCMP_ARCH_S390X", ARCH_S390X },
	{ "SCMP_ARCH_PARISC", ARCH_PARISC },
	{ "SCMP_ARCH_PARISC64", ARCH_PARISC64 },
	{ "SCMP_ARCH_RISCV64", ARCH_RISCV64 },
	{ "SCMP_ARCH_LOONGARCH64", ARCH_LOONGARCH64 },
	{ "SCMP_ARCH_M68K", ARCH_M68K },
	{ "SCMP_ARCH_SH", ARCH_SH },
	{ "SCMP_ARCH_SHEB", ARCH_SHEB },
	{ NULL, 0 }
};

const struct name names_seccomp_flags[] = {
	{ "SECCOMP_FILTER_FLAG_TSYNC", SECCOMP_FILTER_FLAG_TSYNC },
	{ "SECCOMP_FILTER_FLAG_LOG", SECCOMP_FILTER_FLAG_LOG },
	{ "SECCOMP_FILTER_FLAG_SPEC_ALLOW", SECCOMP_FILTER_FLAG_SPEC_ALLOW },
	{ "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV", SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV },
	{ NULL, 0 }
};

const struct name names_sched_policies[] = {
	{ "SCHED_OTHER", SCHED_NORMAL },
	{ "SCHED_FIFO", SCHED_FIFO },
	{ "SCHED_RR", SCHED_RR },
	{ "SCHED_BATCH", SCHED_BATCH },
	{ "SCHED_ISO", SCHEDULER_ISO },
	{ "SCHED_IDLE", SCHED_IDLE },
	{ "SCHED_DEADLINE", SCHED_DEADLINE },
	{ NULL, 0 }
};

const struct name names_sched_flags[] = {
	{ "SCHED_FLAG_RESET_ON_FORK", SCHED_FLAG_RESET_ON_FORK },
	{ "SCHED_FLAG_RECLAIM", SCHED_FLAG_RECLAIM },
	{ "SCHED_FLAG_DL_OVERRUN", SCHED_FLAG_DL_OVERRUN },
	{ "SCHED_FLAG_KEEP_POLICY", SCHED_FLAG_KEEP_POLICY },
	{ "SCHED_FLAG_KEEP_PARAMS", SCHED_FLAG_KEEP_PARAMS },
	{ "SCHED_FLAG_UTIL_CLAMP_MIN", SCHED_FLAG_UTIL_CLAMP_MIN },
	{ "SCHED_FLAG_UTIL_CLAMP_MAX", SCHED_FLAG_UTIL_CLAMP_MAX },
	{ NULL, 0 }
};

const struct name names_io_classes[] = {
	{ "IOPRIO_CLASS_RT", IOPRIO_CLASS_RT },
	{ "IOPRIO_CLASS_BE", IOPRIO_CLASS_BE },
	{ "IOPRIO_CLASS_IDLE", IOPRIO_CLASS_IDLE },
	{ NULL, 0 }
};

const struct name names_memory_modes[] = {
	{ "MPOL_DEFAULT", MPOL_DEFAULT },
	{ "MPOL_BIND", MPOL_BIND },
	{ "MPOL_INTERLEAVE", MPOL_INTERLEAVE },
	{ "MPOL_WEIGHTED_INTERLEAVE", MEMORY_WEIGHTED_INTERLEAVE },
	{ "MPOL_PREFERRED", MPOL_PREFERRED },
	{ "MPOL_PREFERRED_MANY", MPOL_PREFERRED_MANY },
	{ "MPOL_LOCAL", MPOL_LOCAL },
	{ NULL, 0 }
};

const struct name names_memory_flags[] = {
	{ "MPOL_F_NUMA_BALANCING", MPOL_F_NUMA_BALANCING },
	{ "MPOL_F_RELATIVE_NODES", MPOL_F_RELATIVE_NODES },
	{ "MPOL_F_STATIC_NODES", MPOL_F_STATIC_NODES },
	{ NULL, 0 }
};

const struct name names_propagation[] = {
	{ "shared", MS_SHARED },
	{ "rshared", MS_SHARED | MS_REC },
	{ "slave", MS_SLAVE },
	{ "rslave", MS_SLAVE | MS_REC },
	{ "private", MS_PRIVATE },
	{ "rprivate", MS_PRIVATE | MS_REC },
	{ "unbindable", MS_UNBINDABLE },
	{ "runbindable", MS_UNBINDABLE | MS_REC },
	{ NULL, 0 }
};

const struct name names_personalities[] = {
	{ "LINUX", PER_LINUX },
	{ "LINUX32", PER_LINUX32 },
	{ NULL, 0 }
};

const struct name names_signals[] = {
	{ "HUP", SIGHUP },
	{ "INT", SIGINT },
	{ "QUIT", SIGQUIT },
	{ "ILL", SIGILL },
	{ "TRAP", SIGTRAP },
	{ "ABRT", SIGABRT },
	{ "IOT", SIGIOT },
	{ "BUS", SIGBUS },
	{ "FPE", SIGFPE },
	{ "KILL", SIGKILL },
	{ "USR1", SIGUSR1 },
	{ "SEGV", SIGSEGV },
	{ "USR2", SIGUSR2 },
	{ "PIPE", SIGPIPE },
	{ "ALRM", SIGALRM },
	{ "TERM", SIGTERM },
#ifdef SIGSTKFLT
	{ "STKFLT", SIGSTKFLT },
#endif
	{ "CHLD", SIGCHLD },
	{ "CLD", SIGCLD },
	{ "CONT", SIGCONT },
	{ "STOP", SIGSTOP },
	{ "TSTP", SIGTSTP },
	{ "TTIN", SIGTTIN },
	{ "TTOU", SIGTTOU },
	{ "URG", SIGURG },
	{ "XCPU", SIGXCPU },
	{ "XFSZ", SIGXFSZ },
	{ "VTALRM", SIGVTALRM },
	{ "PROF", SIGPROF },
	{ "WINCH", SIGWINCH },
	{ "IO", SIGIO },
	{ "POLL", SIGPOLL },
	{ "PWR", SIGPWR },
	{ "SYS", SIGSYS },
	{ NULL, 0 }
};
// clang-format on

const struct name *name_find(const struct name *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

const char *name_of(const struct name *table, int value)
{
	for (; table->name; table++)
		if (table->value == value)
			return table->name;
	return NULL;
}

bool parse_u64(const char *s, size_t len, uint64_t *out)
{
	uint64_t n = 0;
	size_t i;

	if (!len || (s[0] == '0' && len > 1))
		return false;
	for (i = 0; i < len; i++)
		if (!is_digit(s[i]) || __builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(s[i] - '0'), &n))
			return false;
	*out = n;
	return true;
}

static bool read_number(const char **at, size_t n_bits, size_t *out)
{
	size_t len = strspn(*at, "0123456789");
	uint64_t v;

	if (!parse_u64(*at, len, &v) || v >= n_bits)
		return false;
	*at += len;
	*out = (size_t)v;
	return true;
}

bool parse_list(const char *list, unsigned long *bits, size_t n_bits)
{
	const size_t long_bits = sizeof *bits * CHAR_BIT;
	size_t first, last;

	memset(bits, 0, n_bits / CHAR_BIT);
	for (;;) {
		list += strspn(list, " ");
		if (!read_number(&list, n_bits, &first))
			return false;
		last = first;
		if (*list == '-') {
			list++;
			if (!read_number(&list, n_bits, &last) || last < first)
				return false;
		}
		for (; first <= last; first++)
			bits[first / long_bits] |= 1ul << first % long_bits;
		list += strspn(list, " ");
		if (!*list)
			return true;
		if (*list++ != ',')
			return false;
	}
}

bool parse_i64(const char *s, size_t len, int64_t *out)
{
	bool negative = len && s[0] == '-';
	uint64_t n;

	if (!parse_u64(s + negative, len - negative, &n))
		return false;
	if (negative ? !n || n > (uint64_t)INT64_MAX + 1 : n > INT64_MAX)
		return false;
	*out = negative ? -(int64_t)(n - 1) - 1 : (int64_t)n;
	return true;
}

uint32_t seccomp_action_value(enum seccomp_action a)
{
	switch (a) {
	case SECCOMP_KILL_PROCESS: return SECCOMP_RET_KILL_PROCESS;
	case SECCOMP_KILL_THREAD: return SECCOMP_RET_KILL_THREAD;
	case SECCOMP_TRAP: return SECCOMP_RET_TRAP;
	case SECCOMP_ERRNO: return SECCOMP_RET_ERRNO;
	case SECCOMP_TRACE: return SECCOMP_RET_TRACE;
	case SECCOMP_NOTIFY: return SECCOMP_RET_USER_NOTIF;
	case SECCOMP_LOG: return SECCOMP_RET_LOG;
	case SECCOMP_ALLOW: return SECCOMP_RET_ALLOW;
	}
	return SECCOMP_RET_KILL_PROCESS;
}

uint32_t seccomp_arch_token(enum seccomp_arch a)
{
	static const uint32_t tokens[ARCH_COUNT] = {
		[ARCH_X86] = AUDIT_ARCH_I386,
		[ARCH_X86_64] = AUDIT_ARCH_X86_64,
		[ARCH_X32] = EM_X86_64 | __AUDIT_ARCH_LE,
		[ARCH_ARM] = AUDIT_ARCH_ARM,
		[ARCH_AARCH64] = AUDIT_ARCH_AARCH64,
		[ARCH_MIPS] = AUDIT_ARCH_MIPS,
		[ARCH_MIPS64] = AUDIT_ARCH_MIPS64,
		[ARCH_MIPS64N32] = AUDIT_ARCH_MIPS64N32,
		[ARCH_MIPSEL] = AUDIT_ARCH_MIPSEL,
		[ARCH_MIPSEL64] = AUDIT_ARCH_MIPSEL64,
		[ARCH_MIPSEL64N32] = AUDIT_ARCH_MIPSEL64N32,
		[ARCH_PPC] = AUDIT_ARCH_PPC,
		[ARCH_PPC64] = AUDIT_ARCH_PPC64,
		[ARCH_PPC64LE] = AUDIT_ARCH_PPC64LE,
		[ARCH_S390] = AUDIT_ARCH_S390,
		[ARCH_S390X] = AUDIT_ARCH_S390X,
		[ARCH_PARISC] = AUDIT_ARCH_PARISC,
		[ARCH_PARISC64] = AUDIT_ARCH_PARISC64,
		[ARCH_RISCV64] = AUDIT_ARCH_RISCV64,
		[ARCH_LOONGARCH64] = AUDIT_ARCH_LOONGARCH64,
		[ARCH_M68K] = AUDIT_ARCH_M68K,
		[ARCH_SH] = AUDIT_ARCH_SHEL,
		[ARCH_SHEB] = AUDIT_ARCH_SH,
	};

	return tokens[a];
}

/* The C library keeps the first two real-time signals for itself; everybody counts from 34. */
enum { RTMIN = 34, RTMAX = 64 };

static int realtime_signal(const char *s, size_t len)
{
	bool from_max = text_starts_nocase(s, len, "RTMAX");
	uint64_t n = 0;

	if (!from_max && !text_starts_nocase(s, len, "RTMIN"))
		return -1;
	if (len > 5 &&
	    (s[5] != (from_max ? '-' : '+') || !parse_u64(s + 6, len - 6, &n) || n > RTMAX - RTMIN))
		return -1;
	return from_max ? RTMAX - (int)n : RTMIN + (int)n;
}

int signal_number(const char *text)
{
	size_t len = strlen(text);
	const struct name *n;
	uint64_t number;

	if (parse_u64(text, len, &number))
		return number >= 1 && number <= RTMAX ? (int)number : -1;
	if (text_starts_nocase(text, len, "SIG")) {
		text += 3;
		len -= 3;
	}
	for (n = names_signals; n->name; n++)
		if (text_is_nocase(text, len, n->name))
			return n->value;
	return realtime_signal(text, len);
}
