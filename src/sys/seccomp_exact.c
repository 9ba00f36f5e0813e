// SPDX-License-Identifier: Apache-2.0
/* Rules with conditions on arguments, compiled by ourselves.
 *
 * What libseccomp makes of several conditions on one argument, or of several such rules for one
 * call, is not what they say: up to 2.6.0 it merges comparisons, and of "a <= 7" and "a >= 2^32" a
 * filter remains that lets 0xffffffff pass. Such calls are therefore decided before its filter is
 * asked.
 */
#include "seccomp_work.h"

#include <stddef.h>
#include <stdlib.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

#include "../base/banned.h"

/* Targets of jumps within a rule, until it is known where they are. */
enum { FAILS = 255, HOLDS = 254 };

/* What one call can meet: a rule of one condition, or of all that must hold together. */
struct branch {
	const struct seccomp_arg *args;
	size_t n_args;
	uint32_t action;
	size_t order; /* in the section */
};

/* Arguments of 32-bit programs have nothing in their upper halves that the kernel would heed. */
static bool is_wide(enum seccomp_arch arch)
{
	return seccomp_arch_token(arch) & __AUDIT_ARCH_64BIT && arch != ARCH_MIPS64N32 &&
	       arch != ARCH_MIPSEL64N32;
}

static void load(struct seccomp_code *c, unsigned index, bool high)
{
	bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	size_t at = offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);

	seccomp_emit(c, BPF_LD | BPF_W | BPF_ABS, 0, 0,
		     (uint32_t)at + (high != big_endian ? sizeof(uint32_t) : 0));
}

static void jump(struct seccomp_code *c, unsigned op, unsigned yes, unsigned no, uint64_t k)
{
	seccomp_emit(c, BPF_JMP | BPF_K | op, (unsigned char)yes, (unsigned char)no, (uint32_t)k);
}

/* The upper half decides unless it is equal; above and below are what it decides. */
static void compare(struct seccomp_code *c, bool wide, const struct seccomp_arg *arg,
		    unsigned above, unsigned below)
{
	if (wide) {
		load(c, arg->index, true);
		if (above != below)
			jump(c, BPF_JGT, above, 0, arg->value >> 32);
		jump(c, BPF_JEQ, 0, below, arg->value >> 32);
	}
	load(c, arg->index, false);
}

/* Of the second value, too, only what is in the mask counts. */
static void compare_masked(struct seccomp_code *c, bool high, const struct seccomp_arg *arg)
{
	unsigned shift = high ? 32 : 0;

	load(c, arg->index, high);
	seccomp_emit(c, BPF_ALU | BPF_AND | BPF_K, 0, 0, (uint32_t)(arg->value >> shift));
	jump(c, BPF_JEQ, 0, FAILS, (arg->value & arg->value_two) >> shift);
}

static void emit_condition(struct seccomp_code *c, bool wide, const struct seccomp_arg *arg)
{
	switch ((enum seccomp_op)arg->op) {
	case SECCOMP_OP_EQ:
		compare(c, wide, arg, FAILS, FAILS);
		jump(c, BPF_JEQ, 0, FAILS, arg->value);
		break;
	case SECCOMP_OP_NE:
		compare(c, wide, arg, HOLDS, HOLDS);
		jump(c, BPF_JEQ, FAILS, 0, arg->value);
		break;
	case SECCOMP_OP_GT:
		compare(c, wide, arg, HOLDS, FAILS);
		jump(c, BPF_JGT, 0, FAILS, arg->value);
		break;
	case SECCOMP_OP_GE:
		compare(c, wide, arg, HOLDS, FAILS);
		jump(c, BPF_JGE, 0, FAILS, arg->value);
		break;
	case SECCOMP_OP_LT:
		compare(c, wide, arg, FAILS, HOLDS);
		jump(c, BPF_JGE, FAILS, 0, arg->value);
		break;
	case SECCOMP_OP_LE:
		compare(c, wide, arg, FAILS, HOLDS);
		jump(c, BPF_JGT, FAILS, 0, arg->value);
		break;
	case SECCOMP_OP_MASKED_EQ:
		if (wide && arg->value >> 32)
			compare_masked(c, true, arg);
		compare_masked(c, false, arg);
		break;
	}
}

/* One branch: falls to what follows when it does not hold. */
static void emit_branch(struct seccomp_code *c, bool wide, const struct branch *b)
{
	unsigned ends[SECCOMP_ARGS], start = c->n, at, i;

	for (i = 0; i < b->n_args; i++) {
		emit_condition(c, wide, &b->args[i]);
		ends[i] = c->n;
	}
	seccomp_emit(c, BPF_RET | BPF_K, 0, 0, b->action);
	if (c->n > BPF_MAXINSNS)
		return;
	for (at = start, i = 0; at < c->n - 1; at++) {
		struct sock_filter *f = &c->v[at];

		i += at == ends[i];
		if (f->jt >= HOLDS)
			f->jt = (unsigned char)((f->jt == HOLDS ? ends[i] : c->n) - at - 1);
		if (f->jf >= HOLDS)
			f->jf = (unsigned char)((f->jf == HOLDS ? ends[i] : c->n) - at - 1);
	}
}

/* Where several rules hold, the one that takes most comes first, as among filters in the kernel. */
static int by_strength(const void *va, const void *vb)
{
	const struct branch *a = va, *b = vb;

	if (seccomp_is_stricter(a->action, b->action))
		return -1;
	if (seccomp_is_stricter(b->action, a->action))
		return 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Conditions on different arguments must all hold. As soon as two are on the same argument, each
 * of the list is a rule of its own, and one that holds is enough: profiles count on what peers do
 * here, for libseccomp cannot say it another way.
 */
static bool are_alternatives(const struct seccomp_rule *rule)
{
	unsigned seen = 0;
	size_t i;

	for (i = 0; i < rule->n_args; i++) {
		if (seen & 1u << rule->args[i].index)
			return true;
		seen |= 1u << rule->args[i].index;
	}
	return false;
}

struct branches {
	struct branch *v;
	size_t n;
};

static void add_branch(struct arena *a, struct branches *list, uint32_t action,
		       const struct seccomp_arg *args, size_t n)
{
	size_t order = list->n;

	*arena_push(a, list->v, list->n) = (struct branch){ args, n, action, order };
}

static void add_rule(struct arena *a, struct branches *list, const struct seccomp_rule *rule)
{
	uint32_t action = seccomp_return(rule->action, rule->errno_ret);
	size_t i;

	if (!are_alternatives(rule)) {
		add_branch(a, list, action, rule->args, rule->n_args);
		return;
	}
	for (i = 0; i < rule->n_args; i++)
		add_branch(a, list, action, &rule->args[i], 1);
}

/* A section, and the number of every name in it, rule after rule. */
struct numbered {
	const struct seccomp *s;
	const int *numbers;
	enum seccomp_arch arch;
};

int seccomp_decide(struct arena *a, struct seccomp_code *c, enum seccomp_arch arch,
		   const struct seccomp_rule *const *rules, size_t n, uint32_t otherwise)
{
	struct branches list = { 0 };
	bool wide = is_wide(arch);
	size_t i;

	for (i = 0; i < n; i++) {
		add_rule(a, &list, rules[i]);
		if (list.n > BPF_MAXINSNS)
			return -1;
	}
	if (list.n)
		qsort(list.v, list.n, sizeof *list.v, by_strength);
	for (i = 0; i < list.n; i++) {
		emit_branch(c, wide, &list.v[i]);
		if (!list.v[i].n_args)
			break; /* the rest is out of reach */
	}
	if (i == list.n)
		seccomp_emit(c, BPF_RET | BPF_K, 0, 0, otherwise);
	return c->n > BPF_MAXINSNS ? -1 : 0;
}

static int emit_call(struct arena *a, struct seccomp_code *c, const struct numbered *in, int nr)
{
	const struct seccomp_rule **rules = NULL;
	const struct seccomp *s = in->s;
	unsigned start = c->n;
	size_t i, j, k = 0, n = 0;

	for (i = 0; i < s->n_rules; i++)
		for (j = 0; j < s->rules[i].names.n; j++)
			if (in->numbers[k++] == nr)
				*arena_push(a, rules, n) = &s->rules[i];
	seccomp_emit(c, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (uint32_t)nr);
	seccomp_emit(c, BPF_JMP | BPF_JA, 0, 0, 0);
	if (seccomp_decide(a, c, in->arch, rules, n,
			   seccomp_return(s->default_action, s->default_errno)))
		return -1;
	c->v[start + 1].k = c->n - start - 2;
	return 0;
}

static const int *number_names(struct arena *a, const struct seccomp *s, enum seccomp_arch arch)
{
	size_t i, j, n = 0;
	int *numbers = NULL;

	for (i = 0; i < s->n_rules; i++)
		for (j = 0; j < s->rules[i].names.n; j++)
			*arena_push(a, numbers, n) = seccomp_number(s->rules[i].names.v[j], arch);
	return numbers;
}

static bool has(const int *list, size_t n, int nr)
{
	while (n--)
		if (list[n] == nr)
			return true;
	return false;
}

int seccomp_exact(struct arena *a, const struct seccomp *s, enum seccomp_arch arch,
		  struct seccomp_code *c)
{
	struct numbered in = { s, number_names(a, s, arch), arch };
	enum seccomp_arch seen_as =
		arch == ARCH_X32 ? ARCH_X86_64 : arch; /* numbers tell them apart */
	unsigned start = c->n;
	int *done = NULL;
	size_t i, j, k = 0, n_done = 0;

	seccomp_emit(c, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
	seccomp_emit(c, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, seccomp_arch_token(seen_as));
	seccomp_emit(c, BPF_JMP | BPF_JA, 0, 0, 0);
	seccomp_emit(c, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
	for (i = 0; i < s->n_rules; i++)
		for (j = 0; j < s->rules[i].names.n; j++, k++) {
			int nr = in.numbers[k];

			if (nr < 0 || !s->rules[i].n_args || has(done, n_done, nr))
				continue;
			*arena_push(a, done, n_done) = nr;
			if (emit_call(a, c, &in, nr))
				return -1;
		}
	if (!n_done)
		c->n = start;
	else
		c->v[start + 2].k = c->n - start - 3;
	return 0;
}
