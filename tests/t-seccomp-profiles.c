// SPDX-License-Identifier: Apache-2.0
/* The profiles that were compiled with the program, against what they say in JSON. */
#include <stdio.h>

#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <seccomp.h>

#include "../src/base/fd.h"
#include "seccomp_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { X32_BIT = 0x40000000, LAST_CALL = 470, TRIED = 600, TRIES = 80 };
enum { MISSING = SECCOMP_RET_ERRNO | ENOSYS };

struct profile {
	const char *name;
	struct seccomp section;
	struct seccomp_program program, listens;
};
static struct profile all[] = { { .name = "floor" },
				{ .name = "debug" },
				{ .name = "nested" },
				{ .name = "default" },
				{ .name = "strict" } };
enum { FLOORS = 3 };

static void read_profile(struct arena *a, struct profile *p)
{
	const char *dir = getenv("top_srcdir"), *text;
	const struct json *top;
	struct err e;
	size_t len;

	if (file_read(a, arena_printf(a, "%s/seccomp-profiles/%s.json", dir ? dir : ".", p->name),
		      false, JSON_MAX_SIZE, &text, &len, &e) ||
	    json_parse(a, text, len, &top, &e) || bundle_read_seccomp(a, top, &p->section, &e))
		bail_out("%s", e.text);
	if (seccomp_profile(p->name, false, &p->program, &e) ||
	    (p < all + FLOORS && seccomp_profile(p->name, true, &p->listens, &e)))
		bail_out("%s", e.text);
}

/* On this machine; libraries know less than the profiles. */
static int number(const char *name)
{
	static const struct {
		const char *name;
		int nr;
	} newer[] = {
		{ "cachestat", 451 },         { "fchmodat2", 452 },
		{ "map_shadow_stack", 453 },  { "futex_wake", 454 },
		{ "futex_wait", 455 },        { "futex_requeue", 456 },
		{ "statmount", 457 },         { "listmount", 458 },
		{ "lsm_get_self_attr", 459 }, { "lsm_set_self_attr", 460 },
		{ "lsm_list_modules", 461 },  { "mseal", 462 },
		{ "setxattrat", 463 },        { "getxattrat", 464 },
		{ "listxattrat", 465 },       { "removexattrat", 466 },
		{ "open_tree_attr", 467 },    { "file_getattr", 468 },
		{ "file_setattr", 469 },      { "listns", LAST_CALL },
#ifdef __x86_64__
		{ "uretprobe", 335 },         { "uprobe", 336 },
#endif
	};
	size_t i;

	for (i = 0; i < COUNT(newer); i++)
		if (!strcmp(newer[i].name, name))
			return newer[i].nr;
	return seccomp_syscall_resolve_name(name);
}

static bool names_call(const struct seccomp_rule *r, int nr)
{
	size_t i;

	for (i = 0; i < r->names.n; i++)
		if (number(r->names.v[i]) == nr)
			return true;
	return false;
}

/* By number: whether some profile has it, and the rules of the one at hand. */
static bool is_call[TRIED];
static const struct seccomp_rule *rules[TRIED][64];
static size_t n_rules[TRIED];

static void find_rules(const struct seccomp *s)
{
	size_t i;
	int nr;

	for (nr = 0; nr < TRIED; nr++) {
		n_rules[nr] = 0;
		for (i = 0; i < s->n_rules; i++)
			if (names_call(&s->rules[i], nr)) {
				is_call[nr] = true;
				if (n_rules[nr] == COUNT(rules[0]))
					bail_out("more rules for call %d than there is room", nr);
				rules[nr][n_rules[nr]++] = &s->rules[i];
			}
	}
}

static uint32_t expected(const struct seccomp *s, int nr, const uint64_t *args)
{
	uint32_t best = seccomp_return(s->default_action, s->default_errno), value;
	bool found = false;
	size_t i;

	if (nr > LAST_CALL || (best != SECCOMP_RET_ALLOW && !is_call[nr]))
		return MISSING;
	for (i = 0; i < n_rules[nr]; i++) {
		if (!rule_holds(rules[nr][i], args, true))
			continue;
		value = seccomp_return(rules[nr][i]->action, rules[nr][i]->errno_ret);
		if (!found || seccomp_is_stricter(value, best))
			best = value;
		found = true;
	}
	return best;
}

static uint32_t random_state = 1;

static unsigned chance(unsigned n)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 16) % n;
}

/* Numbers of interest: those that rules compare with, single bits, and with something in the upper half. */
static uint64_t interesting(int nr)
{
	static const uint64_t plain[] = { 0,    1,          2,          3,  8,  10, 16, 17,
					  0xff, 0x7fffffff, 0xffffffff, 38, 40, 9,  6,  262 };
	const struct seccomp_rule *r =
		n_rules[nr] ? rules[nr][chance((unsigned)n_rules[nr])] : NULL;
	uint64_t v = plain[chance(COUNT(plain))];

	if (r && r->n_args && chance(2)) {
		const struct seccomp_arg *arg = &r->args[chance((unsigned)r->n_args)];

		v = arg->op == SECCOMP_OP_MASKED_EQ ? arg->value_two : arg->value;
		v += chance(3) ? 0 : 1;
	}
	if (!chance(3))
		v |= UINT64_C(1) << chance(32);
	switch (chance(4)) {
	case 0: return v | UINT64_C(0xdeadbeef) << 32;
	case 1: return v | UINT64_C(1) << (32 + chance(32));
	default: return v;
	}
}

static struct seccomp_data some_call(int nr)
{
	struct seccomp_data d = { .nr = nr, .arch = seccomp_native() };
	size_t k;

	for (k = 0; k < SECCOMP_ARGS; k++)
		d.args[k] = interesting(nr);
	return d;
}

static void args_of(const struct seccomp_data *d, uint64_t *args)
{
	memcpy(args, (const char *)d + offsetof(struct seccomp_data, args),
	       SECCOMP_ARGS * sizeof *args);
}

static void test_meaning(struct profile *p)
{
	size_t wrong = 0, foreign = 0, x32 = 0, i;
	uint64_t args[SECCOMP_ARGS];
	int nr;

	find_rules(&p->section);
	for (nr = 0; nr < TRIED; nr++)
		for (i = 0; i < TRIES; i++) {
			struct seccomp_data d = some_call(nr);
			uint32_t want;

			args_of(&d, args);
			want = expected(&p->section, nr, args);
			if (verdict(&p->program, &d) != want && !wrong++)
				diag("call %d (%llx, %llx, %llx): %x where %x is right", nr,
				     (unsigned long long)args[0], (unsigned long long)args[1],
				     (unsigned long long)args[2], verdict(&p->program, &d), want);
			d.nr |= X32_BIT;
			x32 += verdict(&p->program, &d) != MISSING;
			d.nr = nr;
			d.arch = seccomp_native() == AUDIT_ARCH_I386 ? AUDIT_ARCH_ARM
								     : AUDIT_ARCH_I386;
			foreign += verdict(&p->program, &d) != MISSING;
		}
	cmp_ok(wrong, "==", 0, "%s: the program says what the JSON says (%u instructions)", p->name,
	       p->program.n);
	cmp_ok(foreign, "==", 0, "%s: calls of other architectures are missing", p->name);
	cmp_ok(x32, "==", 0, "%s: so are those of x32", p->name);
}

static void test_errno(const struct profile *p)
{
	size_t i, others = 0;

	for (i = 0; i < p->program.n; i++) {
		uint32_t k = p->program.code[i].k;

		if (p->program.code[i].code == (BPF_RET | BPF_K) && k != SECCOMP_RET_ALLOW)
			others += (k & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO ||
				  !(k & SECCOMP_RET_DATA);
	}
	cmp_ok(others, "==", 0, "%s: what is denied fails, and nobody is killed", p->name);
}

/* A bundle may ask for a word that is further to the right in off, nested, debug, on: it must not
 * gain anything by that.
 */
static void test_order(struct profile *tighter, struct profile *looser)
{
	size_t gained = 0, taken = 0, i;
	int nr;

	find_rules(&tighter->section);
	for (nr = 0; nr < TRIED; nr++)
		for (i = 0; i < TRIES; i++) {
			struct seccomp_data d = some_call(nr);
			uint32_t a = verdict(&tighter->program, &d);
			uint32_t b = verdict(&looser->program, &d);

			gained += seccomp_is_stricter(b, a);
			taken += seccomp_is_stricter(a, b);
		}
	cmp_ok(gained, "==", 0, "%s denies all that %s denies", tighter->name, looser->name);
	ok(taken, "and more");
}

static void test_listens(struct profile *p)
{
	struct seccomp_data ask = { .nr = SYS_seccomp, .arch = seccomp_native() };
	size_t differ = 0, i;
	int nr;

	find_rules(&p->section);
	for (nr = 0; nr < TRIED; nr++)
		for (i = 0; i < TRIES && nr != SYS_seccomp; i++) {
			struct seccomp_data d = some_call(nr);

			differ += verdict(&p->program, &d) != verdict(&p->listens, &d);
		}
	ask.args[0] = SECCOMP_SET_MODE_FILTER;
	ask.args[1] = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	cmp_ok(verdict(&p->program, &ask), "==", MISSING, "%s: no filter may ask", p->name);
	cmp_ok(verdict(&p->listens, &ask), "==", SECCOMP_RET_ALLOW, "%s: but for the bundle's own",
	       p->name);
	cmp_ok(differ, "==", 0, "%s: else the two are the same", p->name);
}

/* By hand, without any JSON. */
enum { P = EPERM, F = EAFNOSUPPORT, S = ENOSYS };
#define HIGH (UINT64_C(0xdeadbeef) << 32)
// clang-format off
static const struct {
	int nr;
	uint64_t args[3];
	int errors[COUNT(all)]; /* in the order of all; 0: it is allowed */
} known[] = {
	{ SYS_read, { 0 }, { 0, 0, 0, 0, 0 } },
	{ SYS_execve, { 0 }, { 0, 0, 0, 0, 0 } },
	{ SYS_openat2, { 0 }, { 0, 0, 0, 0, 0 } },
	{ SYS_clone, { 0x3d0f00 }, { 0, 0, 0, 0, 0 } },
	{ SYS_clone, { 0x11 }, { 0, 0, 0, 0, 0 } },
	{ SYS_clone, { CLONE_NEWUSER | 0x11 }, { P, P, 0, P, P } },
	{ SYS_clone, { HIGH | CLONE_NEWUSER }, { P, P, 0, P, P } },
	{ SYS_clone3, { 0 }, { S, S, 0, S, S } },
	{ SYS_unshare, { CLONE_FILES }, { 0, 0, 0, 0, 0 } },
	{ SYS_unshare, { CLONE_NEWUSER }, { P, P, 0, P, P } },
	{ SYS_unshare, { HIGH | CLONE_NEWNS }, { P, P, 0, P, P } },
	{ SYS_unshare, { CLONE_NEWTIME }, { P, P, 0, P, P } },
	{ SYS_setns, { 3 }, { P, P, 0, P, P } },
	{ SYS_mount, { 0 }, { P, P, 0, P, P } },
	{ 467 /* open_tree_attr */, { 0 }, { P, P, 0, P, P } },
	{ 458 /* listmount */, { 0 }, { S, S, 0, S, S } },
	{ 470 /* listns */, { 0 }, { P, P, 0, P, P } },
	{ SYS_keyctl, { 0 }, { P, P, P, P, P } },
	{ SYS_bpf, { 0 }, { P, P, P, P, P } },
	{ SYS_io_uring_setup, { 0 }, { P, P, P, P, P } },
	{ SYS_userfaultfd, { 0 }, { P, P, P, P, P } },
	{ SYS_open_by_handle_at, { 0 }, { P, P, P, P, P } },
	{ SYS_ptrace, { 0 }, { P, 0, 0, 0, P } },
	{ SYS_process_vm_readv, { 0 }, { P, 0, 0, 0, P } },
	{ SYS_pidfd_getfd, { 0 }, { P, P, P, P, P } },
	{ SYS_personality, { 0xffffffff }, { 0, 0, 0, 0, 0 } },
	{ SYS_personality, { 0 }, { 0, 0, 0, 0, 0 } },
	{ SYS_personality, { 8 }, { 0, 0, 0, 0, P } },
	{ SYS_personality, { 0x40000 }, { P, 0, 0, 0, P } },
	{ SYS_personality, { HIGH | 0x400000 }, { P, P, P, P, P } },
	{ SYS_ioctl, { 0, TCGETS }, { 0, 0, 0, 0, 0 } },
	{ SYS_ioctl, { 0, TIOCSTI }, { P, P, P, 0, P } },
	{ SYS_ioctl, { 0, HIGH | TIOCSTI }, { P, P, P, 0, P } },
	{ SYS_ioctl, { 0, TIOCLINUX }, { P, P, P, 0, P } },
	{ SYS_socket, { AF_UNIX, SOCK_STREAM, 0 }, { 0, 0, 0, 0, 0 } },
	{ SYS_socket, { AF_INET6, SOCK_STREAM, 6 }, { 0, 0, 0, 0, 0 } },
	{ SYS_socket, { AF_INET, SOCK_STREAM, 262 }, { 93, 93, 93, 0, 0 } },
	{ SYS_socket, { AF_NETLINK, SOCK_RAW, 0 }, { 0, 0, 0, 0, 0 } },
	{ SYS_socket, { AF_NETLINK, SOCK_RAW, 6 }, { F, F, F, 0, P } },
	{ SYS_socket, { AF_PACKET, SOCK_RAW, 0 }, { F, F, F, 0, P } },
	{ SYS_socket, { AF_ALG, SOCK_SEQPACKET, 0 }, { F, F, F, F, P } },
	{ SYS_socket, { HIGH | AF_VSOCK }, { F, F, F, F, P } },
	{ SYS_chroot, { 0 }, { 0, 0, 0, 0, P } },
	{ SYS_mknodat, { 0, 0, 0x11a4 }, { 0, 0, 0, 0, 0 } },
	{ SYS_mknodat, { 0, 0, 0x21a4 }, { 0, 0, 0, 0, P } },
	{ SYS_sethostname, { 0 }, { 0, 0, 0, P, P } },
	{ 471, { 0 }, { S, S, S, S, S } },
	{ 600, { 0 }, { S, S, S, S, S } },
	{ -1, { 0 }, { S, S, S, S, S } },
};
// clang-format on

static void test_known(void)
{
	size_t i, k;

	for (k = 0; k < COUNT(all); k++) {
		size_t wrong = 0;

		for (i = 0; i < COUNT(known); i++) {
			struct seccomp_data d = { .nr = known[i].nr, .arch = seccomp_native() };
			int error = known[i].errors[k];
			uint32_t got;

			memcpy((char *)&d + offsetof(struct seccomp_data, args), known[i].args,
			       sizeof known[i].args);
			got = verdict(&all[k].program, &d);
			if (got ==
			    (error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW))
				continue;
			diag("%s: call %d (%llx, %llx): %x", all[k].name, known[i].nr,
			     (unsigned long long)known[i].args[0],
			     (unsigned long long)known[i].args[1], got);
			wrong++;
		}
		cmp_ok(wrong, "==", 0, "%s: calls with known answers", all[k].name);
	}
}

static void test_names(void)
{
	struct seccomp_program p;
	struct err e;

	ok(seccomp_profile("none", false, &p, &e), "there is no other profile");
	like(e.text, "^the profile 'none' is not there for this kind of machine", "it says so");
	ok(seccomp_profile("default", true, &p, &e), "nor one before a filter that asks");
}

int main(void)
{
	struct arena a = { 0 };
	size_t i;

	plan(NO_PLAN);
	if (!seccomp_shipped[0].name) {
		plan(SKIP_ALL, "no profiles for this kind of machine");
		return 0;
	}
	for (i = 0; i < COUNT(all); i++)
		read_profile(&a, &all[i]);
	for (i = 0; i < COUNT(all); i++)
		find_rules(&all[i].section); /* all calls that there are */
	for (i = 0; i < COUNT(all); i++) {
		test_meaning(&all[i]);
		test_errno(&all[i]);
	}
	test_order(&all[0], &all[1]);
	test_order(&all[1], &all[2]);
	for (i = 0; i < FLOORS; i++)
		test_listens(&all[i]);
	test_known();
	test_names();
	arena_release(&a);
	done_testing();
}
