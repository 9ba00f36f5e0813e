/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the words that bundles and commands use, and what they mean to the kernel. */
#ifndef CORE_NAMES_H
#define CORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The two number parsers: decimal digits and, for the first, a minus sign; all len bytes, nothing else. No
 * leading zero, no -0, no plus sign. False when it is no such number or does not fit.
 */
bool parse_i64(const char *s, size_t len, int64_t *out);
bool parse_u64(const char *s, size_t len, uint64_t *out);

/* Sets the bits of a list such as "0-3,7"; false when it is no such list or does not fit. */
enum { LIST_BITS = 8192 }; /* the most CPUs that Linux is built for; it has fewer nodes */
bool parse_list(const char *list, unsigned long *bits, size_t n_bits);

/* Every table of this type ends with a NULL name. */
struct name {
	const char *name;
	int value;
};

const struct name *name_find(const struct name *table, const char *name);
const char *name_of(const struct name *table, int value); /* NULL: none has it */

enum { CAP_NUMBER_MAX = 40 };

enum seccomp_action {
	SECCOMP_KILL_PROCESS,
	SECCOMP_KILL_THREAD,
	SECCOMP_TRAP,
	SECCOMP_ERRNO,
	SECCOMP_TRACE,
	SECCOMP_NOTIFY,
	SECCOMP_LOG,
	SECCOMP_ALLOW
};

enum seccomp_op {
	SECCOMP_OP_NE,
	SECCOMP_OP_LT,
	SECCOMP_OP_LE,
	SECCOMP_OP_EQ,
	SECCOMP_OP_GE,
	SECCOMP_OP_GT,
	SECCOMP_OP_MASKED_EQ
};

enum seccomp_arch {
	ARCH_X86,
	ARCH_X86_64,
	ARCH_X32,
	ARCH_ARM,
	ARCH_AARCH64,
	ARCH_MIPS,
	ARCH_MIPS64,
	ARCH_MIPS64N32,
	ARCH_MIPSEL,
	ARCH_MIPSEL64,
	ARCH_MIPSEL64N32,
	ARCH_PPC,
	ARCH_PPC64,
	ARCH_PPC64LE,
	ARCH_S390,
	ARCH_S390X,
	ARCH_PARISC,
	ARCH_PARISC64,
	ARCH_RISCV64,
	ARCH_LOONGARCH64,
	ARCH_M68K,
	ARCH_SH,
	ARCH_SHEB,
	ARCH_COUNT
};

extern const struct name names_namespaces[];      /* enum ns_type */
extern const struct name names_hooks[];           /* enum hook_kind */
extern const struct name names_capabilities[];    /* capability numbers */
extern const struct name names_rlimits[];         /* RLIMIT_* */
extern const struct name names_signals[];         /* without "SIG"; signal_number() knows more */
extern const struct name names_seccomp_actions[]; /* enum seccomp_action */
extern const struct name names_seccomp_ops[];     /* enum seccomp_op */
extern const struct name names_seccomp_archs[];   /* enum seccomp_arch */
extern const struct name names_seccomp_flags[];   /* SECCOMP_FILTER_FLAG_* bits */
extern const struct name names_sched_policies[];  /* SCHED_* */
extern const struct name names_sched_flags[];     /* SCHED_FLAG_* bits */
extern const struct name names_io_classes[];      /* IOPRIO_CLASS_* */
extern const struct name names_memory_modes[];    /* MPOL_* */
extern const struct name names_memory_flags[];    /* MPOL_F_* bits */
extern const struct name names_propagation[];     /* MS_SHARED ..., MS_REC with them; never 0 */
extern const struct name names_personalities[];   /* PER_* */

uint32_t seccomp_action_value(enum seccomp_action a); /* SECCOMP_RET_*, the data bits zero */
uint32_t seccomp_arch_token(enum seccomp_arch a);     /* AUDIT_ARCH_*; x32 as libseccomp has it */

/* "9", "KILL", "SIGKILL", "sigkill", "RTMIN+3", "SIGRTMAX-1"; -1 when it is no signal. */
int signal_number(const char *text);

enum mount_special {
	MOUNT_PLAIN,
	MOUNT_IDMAP,     /* the mount's own mappings, else those of the user namespace */
	MOUNT_TMPCOPYUP, /* what lies beneath is copied into the new tmpfs */
};

/* One option that is not the file system's own. A later option overrides an earlier one:
 * first take .clear and .attr_clear away from what was collected, then add .set and .attr_set.
 */
struct mount_option {
	const char *name;
	unsigned long set, clear;      /* MS_* bits, as mount(2) takes them */
	uint64_t attr_set, attr_clear; /* MOUNT_ATTR_* bits, as mount_setattr(2) takes them */
	bool recursive;                /* the attributes are for all mounts below, AT_RECURSIVE */
	bool of_super;                 /* fsconfig(2) takes its name as a flag of the file system */
	unsigned long propagation;     /* MS_SHARED ..., MS_REC with them; 0: leave it */
	enum mount_special special;
};

extern const struct mount_option mount_options[]; /* ends with a NULL name */

/* NULL: it is the file system's, and goes there as it is. */
const struct mount_option *mount_option_find(const char *name);

#endif
