/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of seccomp share: sections from text, calls under a filter, and what filters say. */
#ifndef TESTS_SECCOMP_CASE_H
#define TESTS_SECCOMP_CASE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/seccomp.h>

#include "../src/sys/seccomp_work.h"
#include "tap.h"

/* The section in JSON, with single quotes for double ones; the reader's error bails out. */
static inline const struct seccomp *section(struct arena *a, const char *text)
{
	struct bundle *b = arena_alloc(a, sizeof *b);
	const struct json *top;
	struct err e = { 0 };
	char *doc, *p;

	doc = arena_printf(a, "{'ociVersion':'1.2.0','root':{'path':'r'},'linux':{'seccomp':%s}}",
			   text);
	for (p = doc; *p; p++)
		if (*p == '\'')
			*p = '"';
	if (json_parse(a, doc, strlen(doc), &top, &e) || bundle_read(a, top, b, &e))
		BAIL_OUT("%s in %s", e.text, text);
	return &b->lin.seccomp;
}

/* seccomp_build() without a cache; its error, or "". */
static inline const char *build(struct arena *a, const char *text, struct seccomp_program *p)
{
	struct err e = { 0 };

	return seccomp_build(a, section(a, text), NULL, p, &e) ? arena_strdup(a, e.text) : "";
}

/* Without what sanitizers do at an exit: the filter may not let them. */
static inline _Noreturn void leave(int code)
{
	for (;;)
		syscall(SYS_exit_group, code);
}

/* What fn returns in a process under the filter, 0 to 250; minus a signal that ended it. */
static inline int under(const struct seccomp_program *p, int (*fn)(const void *), const void *arg)
{
	int status, listener, pid = fork();
	struct err e;

	if (!pid) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || seccomp_install(p, &listener, &e))
			leave(254);
		leave(fn(arg));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		BAIL_OUT("cannot fork");
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

struct call {
	long nr, args[3];
};

/* errno of the call; 0: none */
static inline int do_call(const void *arg)
{
	const struct call *c = arg;

	return syscall(c->nr, c->args[0], c->args[1], c->args[2], 0, 0, 0) < 0 ? errno : 0;
}

/* What the kernel would make of it. */
static inline uint32_t verdict(const struct seccomp_program *p, const struct seccomp_data *d)
{
	uint32_t a = 0;
	size_t pc = 0;

	while (pc < p->n) {
		const struct sock_filter *f = &p->code[pc++];

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS: memcpy(&a, (const char *)d + f->k, sizeof a); break;
		case BPF_ALU | BPF_AND | BPF_K: a &= f->k; break;
		case BPF_RET | BPF_K: return f->k;
		case BPF_JMP | BPF_JA: pc += f->k; break;
		case BPF_JMP | BPF_JEQ | BPF_K: pc += a == f->k ? f->jt : f->jf; break;
		case BPF_JMP | BPF_JGT | BPF_K: pc += a > f->k ? f->jt : f->jf; break;
		case BPF_JMP | BPF_JGE | BPF_K: pc += a >= f->k ? f->jt : f->jf; break;
		case BPF_JMP | BPF_JSET | BPF_K: pc += a & f->k ? f->jt : f->jf; break;
		default: BAIL_OUT("instruction %x", f->code);
		}
	}
	BAIL_OUT("the program has no end");
}

/* The same from the section, word for word. */
static inline bool condition_holds(const struct seccomp_arg *arg, const uint64_t *args, bool wide)
{
	uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
	uint64_t x = args[arg->index] & mask, value = arg->value & mask;

	switch ((enum seccomp_op)arg->op) {
	case SECCOMP_OP_NE: return x != value;
	case SECCOMP_OP_LT: return x < value;
	case SECCOMP_OP_LE: return x <= value;
	case SECCOMP_OP_EQ: return x == value;
	case SECCOMP_OP_GE: return x >= value;
	case SECCOMP_OP_GT: return x > value;
	case SECCOMP_OP_MASKED_EQ: return (x & value) == (arg->value_two & value);
	}
	return false;
}

static inline bool rule_holds(const struct seccomp_rule *r, const uint64_t *args, bool wide)
{
	bool all = true, any = false, twice = false;
	unsigned seen[SECCOMP_ARGS] = { 0 };
	size_t i;

	for (i = 0; i < r->n_args; i++) {
		bool holds = condition_holds(&r->args[i], args, wide);

		twice |= seen[r->args[i].index]++;
		all &= holds;
		any |= holds;
	}
	return r->n_args ? (twice ? any : all) : true;
}

#endif
