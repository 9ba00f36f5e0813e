// SPDX-License-Identifier: Apache-2.0
/* The device filter of cgroup v2: what the program decides, and that the kernel takes it. */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/magic.h>

#include "../src/sys/cgroup_device.h"
#include "../src/sys/cgroup_impl.h"
#include "../src/base/fd.h"

enum { R = BPF_DEVCG_ACC_READ, W = BPF_DEVCG_ACC_WRITE, M = BPF_DEVCG_ACC_MKNOD };

static struct arena arena;
static struct err err;

/* The few instructions that the program is made of; -1: one that it is not. */
static int run_program(const struct cg_program *p, const struct bpf_cgroup_dev_ctx *ctx)
{
	uint64_t r[11] = { 0 };
	const struct bpf_insn *i;
	size_t pc, steps;

	for (pc = 0, steps = 0; pc < p->n && steps < 100000; pc++, steps++) {
		i = &p->v[pc];
		switch (i->code) {
		case BPF_LDX | BPF_MEM | BPF_W:
			memcpy(&r[i->dst_reg], (const char *)ctx + i->off, 4);
			break;
		case BPF_ALU | BPF_MOV | BPF_X: r[i->dst_reg] = (uint32_t)r[i->src_reg]; break;
		case BPF_ALU | BPF_AND | BPF_K: r[i->dst_reg] &= (uint32_t)i->imm; break;
		case BPF_ALU | BPF_RSH | BPF_K: r[i->dst_reg] >>= i->imm; break;
		case BPF_ALU64 | BPF_MOV | BPF_K: r[i->dst_reg] = (uint64_t)i->imm; break;
		case BPF_JMP32 | BPF_JNE | BPF_K:
			pc += (uint32_t)r[i->dst_reg] != (uint32_t)i->imm ? (size_t)i->off : 0;
			break;
		case BPF_JMP32 | BPF_JEQ | BPF_K:
			pc += (uint32_t)r[i->dst_reg] == (uint32_t)i->imm ? (size_t)i->off : 0;
			break;
		case BPF_JMP | BPF_EXIT: return (int)r[0];
		default: return -1;
		}
	}
	return -1;
}

static int ask(const struct cg_program *p, char type, uint32_t major, uint32_t minor,
	       unsigned access)
{
	uint32_t kind = type == 'b' ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR;
	struct bpf_cgroup_dev_ctx ctx = { kind | access << 16, major, minor };

	return run_program(p, &ctx);
}

/* The meaning of the list, said another way: each kind of access on its own, the last word wins. */
static bool model(const struct cg_device_rules *rules, char type, uint32_t major, uint32_t minor,
		  unsigned access)
{
	const struct cg_device_rule *r;
	bool may_bit, any = true;
	unsigned bit;
	size_t i;

	for (bit = 1; bit <= 4; bit <<= 1) {
		may_bit = false;
		for (i = 0; i < rules->n; i++) {
			r = &rules->v[i];
			if ((r->type == 'a' || r->type == type) &&
			    (r->major < 0 || r->major == major) &&
			    (r->minor < 0 || r->minor == minor) && (r->access & bit))
				may_bit = r->allow;
		}
		if ((access & bit) && !may_bit)
			any = false;
	}
	return any;
}

static void test_against_model(void)
{
	struct cg_device_rule v[12];
	struct cg_device_rules rules = { v, 0 };
	unsigned round, access, wrong = 0;
	struct cg_program p;
	uint32_t major, minor;
	size_t i;
	char type;

	srandom(7);
	for (round = 0; round < 400; round++) {
		rules.n = (size_t)random() % 12;
		for (i = 0; i < rules.n; i++)
			v[i] = (struct cg_device_rule){ random() & 1, "abc"[random() % 3],
							random() % 4 - 1, random() % 4 - 1,
							1 + (unsigned)random() % 7 };
		cg_device_program(&arena, &rules, &p);
		for (type = 'b'; type <= 'c'; type++)
			for (major = 0; major < 4; major++)
				for (minor = 0; minor < 4; minor++)
					for (access = 1; access < 8; access++)
						wrong += ask(&p, type, major, minor, access) !=
							 model(&rules, type, major, minor, access);
	}
	cmp_ok(wrong, "==", 0, "the program decides as the list of rules does");
}

static void test_rules(void)
{
	struct device_rule v[] = {
		{ .allow = false, .type = 'a', .access = "rwm" },
		{ .allow = true, .type = 'b', .major = { true, 8 }, .access = "r" },
		{ .allow = true,
		  .type = 'c',
		  .major = { true, 4294967295 },
		  .minor = { true, -1 },
		  .access = "rw" },
	};
	struct resources r = { .devices = v, .n_devices = 3 };
	struct cg_device_rules rules;
	struct cg_program p;

	ok(cg_device_rules(&arena, &r, &rules, &err) == 0, "the rules of a bundle are taken");
	cg_device_program(&arena, &rules, &p);
	ok(ask(&p, 'c', 1, 3, R | W) == 1, "null can be used");
	ok(ask(&p, 'c', 136, 17, R | W) == 1, "terminals can be used");
	ok(ask(&p, 'c', 10, 229, R) == 0, "fuse cannot");
	ok(ask(&p, 'b', 8, 1, R) == 1, "a disk that the bundle allows can be read");
	ok(ask(&p, 'b', 8, 1, R | W) == 0, "but not written");
	ok(ask(&p, 'b', 8, 1, M) == 1, "any node can be made");
	ok(ask(&p, 'c', 4294967295, 5, R | W) == 1, "the largest number is a number");
	ok(ask(&p, 'c', 4294967294, 5, R | W) == 0, "and no other");
	is(cg_device_text(&arena, &rules.v[1]), "b 8:* r", "v1 has its own form");
	is(cg_device_text(&arena, &rules.v[0]), "a", "for everything, too");
	v[0].access = "";
	ok(cg_device_rules(&arena, &r, &rules, &err) < 0, "a rule without access is refused");
}

static const char *list_of(const struct cg_device_rule *v, size_t n)
{
	struct cg_device_rule copy[8];
	struct cg_device_rules rules = { copy, n }, list;
	const char *text = "";
	size_t i;

	memcpy(copy, v, n * sizeof *v);
	if (cg_device_list(&arena, &rules, &list, &err))
		return NULL;
	for (i = 0; i < list.n; i++)
		text = arena_printf(&arena, "%s%s%c %s", text, i ? ", " : "",
				    list.v[i].allow ? '+' : '-',
				    cg_device_text(&arena, &list.v[i]));
	return text;
}

static void test_list_v1(void)
{
	const unsigned all = R | W | M;
	struct cg_device_rule one = { true, 'c', 10, 229, all }, any = { true, 'a', -1, -1, all };
	struct cg_device_rule none = { false, 'a', -1, -1, all };

	is(list_of(&one, 0), "- a", "without rules nothing is allowed");
	is(list_of((struct cg_device_rule[]){ one, none, one }, 3), "- a, + c 10:229 rwm",
	   "what stands before a rule for everything is forgotten");
	is(list_of((struct cg_device_rule[]){ one, { false, 'a', -1, -1, W } }, 2),
	   "- a, + c 10:229 rm", "a later rule takes writing away");
	is(list_of((struct cg_device_rule[]){ one, { false, 'c', 10, -1, all } }, 2), "- a",
	   "or everything");
	is(list_of((struct cg_device_rule[]){ { true, 'a', 8, 0, R } }, 1),
	   "- a, + b 8:0 r, + c 8:0 r", "both kinds of devices are two rules");
	is(list_of((struct cg_device_rule[]){ any, { false, 'c', 10, 229, all } }, 2),
	   "+ a, - c 10:229 rwm", "everything but one");
	ok(!list_of((struct cg_device_rule[]){ { true, 'c', -1, -1, all },
					       { false, 'c', 10, 229, R } },
		    2),
	   "everything of a kind but one cannot be said");
	like(err.text, "cannot be denied on cgroup v1", "which is an error, not silence");
}

static const char *unified_mount(void)
{
	static const char *const places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	struct statfs s;
	size_t i;

	for (i = 0; i < 2; i++)
		if (statfs(places[i], &s) == 0 && s.f_type == CGROUP2_SUPER_MAGIC)
			return places[i];
	return NULL;
}

/* What a process in the directory gets when it opens a device: 0 or an errno. */
static int open_inside(const struct cgroup_dir *d, const char *path, int flags)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (cg_write(&arena, d, "cgroup.procs", "0", &err))
			_exit(255);
		_exit(open(path, flags) < 0 ? errno : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_kernel(void)
{
	struct cg_device_rule deny_zero = { false, 'c', 1, 5, W };
	struct cgroup_dir d = { .controllers = "", .mount = unified_mount() };
	struct cg_device_rules rules = { 0 };
	struct cg_program p;
	autofd int dir = -1;

	d.path = arena_printf(&arena, "/credsbox-test-dev-%d", (int)getpid());
	if (!d.mount || mkdir(cg_path(&arena, &d, NULL), 0755)) {
		skip(1, 1, "no cgroup v2 that we can use");
		end_skip;
		return;
	}
	dir = open(cg_path(&arena, &d, NULL), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cg_device_rules(&arena, NULL, &rules, &err);
	cg_device_program(&arena, &rules, &p);
	err.text[0] = '\0';
	cg_device_attach(dir, &p, &err);
	is(err.text, "", "the kernel takes the program");
	cmp_ok(open_inside(&d, "/dev/zero", O_RDWR), "==", 0, "zero can be opened");
	cmp_ok(open_inside(&d, "/dev/kmsg", O_RDONLY), "==", EPERM, "kmsg cannot");
	*arena_push(&arena, rules.v, rules.n) = deny_zero;
	cg_device_program(&arena, &rules, &p);
	ok(cg_device_attach(dir, &p, &err) == 0, "another program takes its place");
	cmp_ok(open_inside(&d, "/dev/zero", O_RDWR), "==", EPERM, "it refuses what it is to");
	cmp_ok(open_inside(&d, "/dev/zero", O_RDONLY), "==", 0, "and nothing else");
	rules.n--;
	cg_device_program(&arena, &rules, &p);
	cg_device_attach(dir, &p, &err);
	cmp_ok(open_inside(&d, "/dev/zero", O_RDWR), "==", 0, "an old program does not stay");
	ok(cg_rmdir(&arena, cg_path(&arena, &d, NULL), &err) == 0, "the cgroup goes with it");
}

int main(void)
{
	plan(NO_PLAN);
	test_against_model();
	test_rules();
	test_list_v1();
	if (geteuid() == 0)
		test_kernel();
	arena_release(&arena);
	done_testing();
}
