// SPDX-License-Identifier: Apache-2.0
/* A seccomp section as a program for the kernel, with libseccomp. */
#include "seccomp_work.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <seccomp.h>

#include "../base/fd.h"
#include "../base/banned.h"

enum { X32_BIT = 0x40000000 };

/* No number is higher; no program is as long. */
enum { NO_LIMIT = UINT32_MAX, TO_FILTER = UINT32_MAX };

uint32_t seccomp_return(int action, struct opt_u32 data)
{
	uint32_t value = seccomp_action_value(action);

	if (action == SECCOMP_ERRNO || action == SECCOMP_TRACE)
		value |= data.set ? data.v & SECCOMP_RET_DATA : EPERM;
	return value;
}

const char *seccomp_library(struct arena *a)
{
	const struct scmp_version *v = seccomp_version();

	return arena_printf(a, "%u.%u.%u", v->major, v->minor, v->micro);
}

/* Every architecture has that call. */
bool seccomp_has_arch(enum seccomp_arch arch)
{
	return seccomp_syscall_resolve_name_arch(seccomp_arch_token(arch), "read") !=
	       __NR_SCMP_ERROR;
}

uint32_t seccomp_native(void)
{
	return seccomp_arch_native();
}

bool seccomp_is_stricter(uint32_t a, uint32_t b)
{
	return (int32_t)(a & SECCOMP_RET_ACTION_FULL) < (int32_t)(b & SECCOMP_RET_ACTION_FULL);
}

/* add_rules - what libseccomp has to know
 * Rules with conditions have been decided before (seccomp_exact.c), but for calls that 32-bit
 * programs make through another one, with arguments that no filter sees: socketcall(). What denies
 * is then for all of those, what allows for none. Names of which it has never heard are skipped:
 * profiles name calls of newer kernels.
 */
static int add_rules(scmp_filter_ctx ctx, const struct seccomp *s, struct err *e)
{
	uint32_t otherwise = seccomp_return(s->default_action, s->default_errno);
	size_t i, j;
	int nr, rc;

	for (i = 0; i < s->n_rules; i++) {
		const struct seccomp_rule *rule = &s->rules[i];
		uint32_t action = seccomp_return(rule->action, rule->errno_ret);

		if (action == otherwise) /* says nothing new, and libseccomp refuses it */
			continue;
		if (rule->n_args && !seccomp_is_stricter(action, otherwise))
			continue;
		for (j = 0; j < rule->names.n; j++) {
			nr = seccomp_syscall_resolve_name(rule->names.v[j]);
			if (nr == __NR_SCMP_ERROR)
				continue;
			rc = seccomp_rule_add_array(ctx, action, nr, 0, NULL);
			if (rc)
				return fail(
					e, -rc,
					"linux.seccomp.syscalls[%zu]: cannot add the rule for %s",
					i, rule->names.v[j]);
		}
	}
	return 0;
}

/* Of the filter: the native one and those that are listed. */
struct archs {
	bool in[ARCH_COUNT];
};

static int add_archs(struct arena *a, scmp_filter_ctx ctx, const struct seccomp *s,
		     struct archs *archs, struct err *e)
{
	size_t i;
	int rc;

	for (i = 0; i < ARCH_COUNT; i++)
		archs->in[i] = seccomp_arch_token(i) == seccomp_arch_native();
	for (i = 0; i < s->n_architectures; i++) {
		archs->in[s->architectures[i]] = true;
		rc = seccomp_arch_add(ctx, seccomp_arch_token(s->architectures[i]));
		if (rc && rc != -EEXIST)
			return fail(e, 0,
				    "linux.seccomp.architectures[%zu]: libseccomp %s cannot add %s "
				    "to a "
				    "filter of this machine",
				    i, seccomp_library(a),
				    name_of(names_seccomp_archs, s->architectures[i]));
	}
	return 0;
}

/* The highest number that the section names for an architecture of the filter. */
static uint32_t highest_call(const struct seccomp *s, enum seccomp_arch arch)
{
	int nr, highest = 0;
	size_t i, j;

	for (i = 0; i < s->n_rules; i++)
		for (j = 0; j < s->rules[i].names.n; j++) {
			nr = seccomp_number(s->rules[i].names.v[j], arch);
			if (nr > highest)
				highest = nr;
		}
	return highest ? (uint32_t)highest : NO_LIMIT;
}

/* Where the filter proper begins is filled into the last one when the stub is whole. */
static void emit_limit(struct seccomp_code *c, uint32_t highest)
{
	seccomp_emit(c, BPF_JMP | BPF_JGT | BPF_K, 0, 1, highest);
	seccomp_emit(c, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS);
	seccomp_emit(c, BPF_JMP | BPF_JA, 0, 0, TO_FILTER);
}
enum { LIMIT_SIZE = 3 };

/* One architecture: a call of another falls to what follows, with its architecture still loaded.
 * x32 is told from x86_64 by a bit of the number alone.
 */
static void emit_block(struct seccomp_code *c, enum seccomp_arch arch, const uint32_t *highest)
{
	unsigned start = c->n;

	seccomp_emit(c, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, seccomp_arch_token(arch));
	seccomp_emit(c, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
	if (arch == ARCH_S390 || arch == ARCH_S390X) {
		/* 0 is what these are left with for a call that the kernel does not know. */
		seccomp_emit(c, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
		seccomp_emit(c, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS);
	}
	if (arch == ARCH_X86_64)
		seccomp_emit(c, BPF_JMP | BPF_JSET | BPF_K, LIMIT_SIZE, 0, X32_BIT);
	emit_limit(c, highest[arch]);
	if (arch == ARCH_X86_64)
		emit_limit(c, highest[ARCH_X32]);
	c->v[start].jf = (unsigned char)(c->n - start - 1);
}

/* add_stub - put the check for calls that are newer than the section before its filter
 * A profile that denies with EPERM what it does not allow would give that to calls of which its
 * author had not heard. Programs take EPERM for an answer; only after ENOSYS do they try the older
 * call.
 */
static void add_stub(const struct seccomp *s, const struct archs *archs, struct seccomp_code *c)
{
	uint32_t highest[ARCH_COUNT];
	unsigned pc;
	size_t i;

	for (i = 0; i < ARCH_COUNT; i++)
		highest[i] = archs->in[i] ? highest_call(s, i) : NO_LIMIT;
	seccomp_emit(c, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
	for (i = 0; i < ARCH_COUNT; i++)
		if (i == ARCH_X86_64 ? highest[i] != NO_LIMIT || highest[ARCH_X32] != NO_LIMIT
				     : i != ARCH_X32 && highest[i] != NO_LIMIT)
			emit_block(c, i, highest);
	for (pc = 0; pc < c->n; pc++)
		if (c->v[pc].code == (BPF_JMP | BPF_JA) && c->v[pc].k == TO_FILTER)
			c->v[pc].k = c->n - pc - 1;
}

static int too_long(struct err *e)
{
	return fail(
		e, 0,
		"linux.seccomp: the filter has more than %d instructions, which is what the kernel "
		"takes (shorten the list of syscalls or architectures)",
		BPF_MAXINSNS);
}

/* libseccomp before 2.6 writes its program to descriptors only. */
static int export(scmp_filter_ctx ctx, struct seccomp_code *c, struct err *e)
{
	autofd int fd = memfd_create("seccomp", MFD_CLOEXEC);
	struct stat st;
	size_t n;
	int rc;

	if (fd < 0)
		return fail(e, errno, "linux.seccomp: cannot make room for the filter");
	rc = seccomp_export_bpf(ctx, fd);
	if (rc)
		return fail(e, -rc, "linux.seccomp: cannot compile the filter");
	if (fstat(fd, &st))
		return fail(e, errno, "linux.seccomp: cannot read the filter");
	n = (size_t)st.st_size / sizeof *c->v;
	if (!n || (size_t)st.st_size % sizeof *c->v)
		return fail(e, 0, "linux.seccomp: libseccomp made no filter");
	if (n > BPF_MAXINSNS - c->n)
		return too_long(e);
	if (pread(fd, c->v + c->n, (size_t)st.st_size, 0) != st.st_size)
		return fail(e, errno, "linux.seccomp: cannot read the filter");
	c->n += (unsigned)n;
	return 0;
}

/* Our own parts, and then libseccomp's. */
static int compile(struct arena *a, scmp_filter_ctx ctx, const struct seccomp *s,
		   struct seccomp_code *c, struct err *e)
{
	struct archs archs;
	size_t i;

	if (add_archs(a, ctx, s, &archs, e) || add_rules(ctx, s, e))
		return -1;
	if (s->default_action == SECCOMP_ERRNO &&
	    seccomp_return(s->default_action, s->default_errno) != (SECCOMP_RET_ERRNO | ENOSYS))
		add_stub(s, &archs, c);
	for (i = 0; i < ARCH_COUNT; i++)
		if (archs.in[i] && seccomp_exact(a, s, i, c))
			return too_long(e);
	return export(ctx, c, e);
}

int seccomp_compile(struct arena *a, const struct seccomp *s, struct seccomp_program *p,
		    struct err *e)
{
	scmp_filter_ctx ctx = seccomp_init(seccomp_return(s->default_action, s->default_errno));
	struct seccomp_code c = { arena_array(a, BPF_MAXINSNS, sizeof *c.v), 0 };
	int rc;

	if (!ctx)
		return fail(e, 0, "linux.seccomp.defaultAction: the kernel or libseccomp has no %s",
			    name_of(names_seccomp_actions, s->default_action));
	rc = compile(a, ctx, s, &c, e);
	seccomp_release(ctx);
	p->code = c.v;
	p->n = (unsigned short)c.n;
	return rc;
}
