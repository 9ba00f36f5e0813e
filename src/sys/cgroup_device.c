// SPDX-License-Identifier: Apache-2.0
/* Control groups: the rules for devices, as an eBPF program for v2 and as a list for v1. */
#include "cgroup_device.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroup_impl.h"
#include "../base/fd.h"
#include "../base/banned.h"

enum {
	ACCESS_M = BPF_DEVCG_ACC_MKNOD,
	ACCESS_ALL = BPF_DEVCG_ACC_MKNOD | BPF_DEVCG_ACC_READ | BPF_DEVCG_ACC_WRITE,
	ATTACHED_MAX = 64, /* the kernel's own bound */
};

/* What a container gets whatever its bundle says, as with runc: nodes may be made, and these used. */
// clang-format off
static const struct cg_device_rule always[] = {
	{ true, 'c', -1, -1, ACCESS_M },
	{ true, 'b', -1, -1, ACCESS_M },
	{ true, 'c', 1, 3, ACCESS_ALL },    /* null */
	{ true, 'c', 1, 8, ACCESS_ALL },    /* random */
	{ true, 'c', 1, 7, ACCESS_ALL },    /* full */
	{ true, 'c', 5, 0, ACCESS_ALL },    /* tty */
	{ true, 'c', 1, 5, ACCESS_ALL },    /* zero */
	{ true, 'c', 1, 9, ACCESS_ALL },    /* urandom */
	{ true, 'c', 136, -1, ACCESS_ALL }, /* pts */
	{ true, 'c', 5, 2, ACCESS_ALL },    /* ptmx */
	{ true, 'c', 10, 200, ACCESS_ALL }, /* net/tun */
};
// clang-format on

static unsigned access_bits(const char *text)
{
	unsigned bits = 0;

	for (; *text; text++)
		bits |= *text == 'r'   ? BPF_DEVCG_ACC_READ
			: *text == 'w' ? BPF_DEVCG_ACC_WRITE
				       : BPF_DEVCG_ACC_MKNOD;
	return bits;
}

int cg_device_rules(struct arena *a, const struct resources *r, struct cg_device_rules *out,
		    struct err *e)
{
	const struct device_rule *from;
	struct cg_device_rule *to;
	size_t i;

	*out = (struct cg_device_rules){ 0 };
	for (i = 0; r && i < r->n_devices; i++) {
		from = &r->devices[i];
		if (!from->access || !*from->access)
			return fail(e, 0,
				    "linux.resources.devices[%zu].access: device access cannot be "
				    "empty",
				    i);
		to = arena_push(a, out->v, out->n);
		to->allow = from->allow;
		to->type = from->type;
		to->major = from->major.set ? from->major.v : -1;
		to->minor = from->minor.set ? from->minor.v : -1;
		to->access = access_bits(from->access);
	}
	for (i = 0; i < sizeof always / sizeof always[0]; i++)
		*arena_push(a, out->v, out->n) = always[i];
	return 0;
}

static bool is_everything(const struct cg_device_rule *r)
{
	return r->type == 'a' && r->major < 0 && r->minor < 0 && r->access == ACCESS_ALL;
}

/* Registers: r2 the kind of device, r3 the accesses that no rule has decided on yet, r4 and r5 the
 * numbers; r1 is free once they are loaded. Jumps are counted from the instruction after them.
 */
static void emit(struct arena *a, struct cg_program *p, unsigned code, unsigned dst, unsigned src,
		 int off, int32_t imm)
{
	struct bpf_insn *i = arena_push(a, p->v, p->n);

	i->code = (uint8_t)code;
	i->dst_reg = (uint8_t)(dst & 15);
	i->src_reg = (uint8_t)(src & 15);
	i->off = (int16_t)off;
	i->imm = imm;
}

static void emit_return(struct arena *a, struct cg_program *p, bool allow)
{
	emit(a, p, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, allow);
	emit(a, p, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* Unless the register has this value, on to the next rule: where that is, is known later. */
static void emit_unless_next(struct arena *a, struct cg_program *p, unsigned reg, int64_t value)
{
	emit(a, p, BPF_JMP32 | BPF_JNE | BPF_K, reg, 0, -1, (int32_t)(uint32_t)value);
}

static void emit_rule(struct arena *a, struct cg_program *p, const struct cg_device_rule *r)
{
	size_t start = p->n, i;

	if (r->type != 'a')
		emit_unless_next(a, p, BPF_REG_2,
				 r->type == 'b' ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR);
	if (r->major >= 0)
		emit_unless_next(a, p, BPF_REG_4, r->major);
	if (r->minor >= 0)
		emit_unless_next(a, p, BPF_REG_5, r->minor);
	if (r->allow) {
		emit(a, p, BPF_ALU | BPF_AND | BPF_K, BPF_REG_3, 0, 0,
		     (int32_t)(ACCESS_ALL & ~r->access));
		emit_unless_next(a, p, BPF_REG_3, 0);
	} else {
		emit(a, p, BPF_ALU | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_3, 0, 0);
		emit(a, p, BPF_ALU | BPF_AND | BPF_K, BPF_REG_1, 0, 0, (int32_t)r->access);
		emit(a, p, BPF_JMP32 | BPF_JEQ | BPF_K, BPF_REG_1, 0, -1, 0);
	}
	emit_return(a, p, r->allow);
	for (i = start; i < p->n; i++)
		if (p->v[i].off == -1)
			p->v[i].off = (int16_t)(p->n - i - 1);
}

void cg_device_program(struct arena *a, const struct cg_device_rules *rules, struct cg_program *out)
{
	const int word = BPF_LDX | BPF_MEM | BPF_W;
	const struct cg_device_rule *r;
	size_t i;

	*out = (struct cg_program){ 0 };
	emit(a, out, word, BPF_REG_2, BPF_REG_1, offsetof(struct bpf_cgroup_dev_ctx, access_type),
	     0);
	emit(a, out, BPF_ALU | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_2, 0, 0);
	emit(a, out, BPF_ALU | BPF_RSH | BPF_K, BPF_REG_3, 0, 0, 16);
	emit(a, out, BPF_ALU | BPF_AND | BPF_K, BPF_REG_2, 0, 0, 0xffff);
	emit(a, out, word, BPF_REG_4, BPF_REG_1, offsetof(struct bpf_cgroup_dev_ctx, major), 0);
	emit(a, out, word, BPF_REG_5, BPF_REG_1, offsetof(struct bpf_cgroup_dev_ctx, minor), 0);
	for (i = rules->n; i--;) {
		r = &rules->v[i];
		emit_rule(a, out, r);
		/* Nothing gets past such a rule, and the kernel refuses dead code. */
		if (is_everything(r))
			break;
	}
	emit_return(a, out, false);
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof *attr);
}

static int load(const struct cg_program *p)
{
	static const char license[] = "Apache-2.0";
	union bpf_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
	attr.insns = (uintptr_t)p->v;
	attr.insn_cnt = (uint32_t)p->n;
	attr.license = (uintptr_t)license;
	memcpy(attr.prog_name, "credsbox_dev", sizeof "credsbox_dev");
	return bpf(BPF_PROG_LOAD, &attr);
}

/* The programs that the directory has of its own; what is attached above stays in force. */
// NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there
static int attached(int dir, uint32_t *ids, uint32_t *n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.query.target_fd = (uint32_t)dir;
	attr.query.attach_type = BPF_CGROUP_DEVICE;
	attr.query.prog_ids = (uintptr_t)ids;
	attr.query.prog_cnt = ATTACHED_MAX;
	if (bpf(BPF_PROG_QUERY, &attr))
		return -1;
	*n = attr.query.prog_cnt;
	return 0;
}

static int open_program(uint32_t id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.prog_id = id;
	return bpf(BPF_PROG_GET_FD_BY_ID, &attr);
}

static int attach(int dir, int prog, int instead)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.target_fd = (uint32_t)dir;
	attr.attach_bpf_fd = (uint32_t)prog;
	attr.attach_type = BPF_CGROUP_DEVICE;
	attr.attach_flags = BPF_F_ALLOW_MULTI | (instead >= 0 ? BPF_F_REPLACE : 0);
	attr.replace_bpf_fd = instead >= 0 ? (uint32_t)instead : 0;
	return bpf(BPF_PROG_ATTACH, &attr);
}

static int detach(int dir, int prog)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.target_fd = (uint32_t)dir;
	attr.attach_bpf_fd = (uint32_t)prog;
	attr.attach_type = BPF_CGROUP_DEVICE;
	return bpf(BPF_PROG_DETACH, &attr);
}

/* All programs must agree: an old one that stays could only refuse more. The new one is there
 * before the old ones go, so that there is no moment without any.
 */
int cg_device_attach(int dir, const struct cg_program *p, struct err *e)
{
	uint32_t ids[ATTACHED_MAX], n = 0, i;
	autofd int prog = load(p);

	/* Before Linux 5.11, programs counted as locked memory. */
	if (prog < 0 && errno == EPERM) {
		setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY });
		prog = load(p);
	}
	if (prog < 0)
		return fail(e, errno, "cgroup: devices: cannot load the eBPF program");
	if (attached(dir, ids, &n))
		return fail(e, errno, "cgroup: devices: cannot list the eBPF programs");
	if (n == 1) {
		autofd int old = open_program(ids[0]);

		if (old >= 0 && attach(dir, prog, old) == 0)
			return 0;
	}
	if (attach(dir, prog, -1))
		return fail(e, errno, "cgroup: devices: cannot attach the eBPF program");
	for (i = 0; i < n; i++) {
		autofd int old = open_program(ids[i]);

		if (old >= 0 && detach(dir, old) && errno != ENOENT)
			return fail(e, errno, "cgroup: devices: cannot detach an eBPF program");
	}
	return 0;
}

const char *cg_device_text(struct arena *a, const struct cg_device_rule *r)
{
	char access[4] = "", *p = access;
	const char *major, *minor;

	if (r->type == 'a')
		return "a";
	if (r->access & BPF_DEVCG_ACC_READ)
		*p++ = 'r';
	if (r->access & BPF_DEVCG_ACC_WRITE)
		*p++ = 'w';
	if (r->access & BPF_DEVCG_ACC_MKNOD)
		*p++ = 'm';
	*p = '\0';
	major = r->major < 0 ? "*" : arena_printf(a, "%" PRId64, r->major);
	minor = r->minor < 0 ? "*" : arena_printf(a, "%" PRId64, r->minor);
	return arena_printf(a, "%c %s:%s %s", r->type, major, minor, access);
}

static bool covers(const struct cg_device_rule *wide, const struct cg_device_rule *narrow)
{
	return (wide->type == 'a' || wide->type == narrow->type) &&
	       (wide->major < 0 || wide->major == narrow->major) &&
	       (wide->minor < 0 || wide->minor == narrow->minor);
}

static bool overlaps(const struct cg_device_rule *x, const struct cg_device_rule *y)
{
	return (x->type == 'a' || y->type == 'a' || x->type == y->type) &&
	       (x->major < 0 || y->major < 0 || x->major == y->major) &&
	       (x->minor < 0 || y->minor < 0 || x->minor == y->minor);
}

/* What is left of an allowing rule after those that follow it. The list of v1 has no order: a hole
 * in what a rule allows cannot be told to the kernel.
 */
static int narrow(const struct cg_device_rules *rules, size_t i, struct cg_device_rule *r,
		  struct err *e)
{
	const struct cg_device_rule *later;

	*r = rules->v[i];
	while (++i < rules->n) {
		later = &rules->v[i];
		if (later->allow || !(later->access & r->access) || !overlaps(later, r))
			continue;
		if (!covers(later, r))
			return fail(e, 0,
				    "linux.resources.devices: a part of what an earlier rule "
				    "allows cannot be denied on cgroup v1");
		r->access &= ~later->access;
	}
	return 0;
}

/* "a" alone means everything to the kernel, whatever follows it: a rule for both kinds of
 * devices that means less becomes two. What stands before a rule for everything has no effect.
 */
int cg_device_list(struct arena *a, const struct cg_device_rules *rules,
		   struct cg_device_rules *out, struct err *e)
{
	static const struct cg_device_rule none = { false, 'a', -1, -1, ACCESS_ALL };
	struct cg_device_rules halves = { 0 };
	struct cg_device_rule r;
	size_t i, n;

	*out = (struct cg_device_rules){ 0 };
	*arena_push(a, out->v, out->n) = none;
	for (i = 0; i < rules->n; i++) {
		r = rules->v[i];
		if (is_everything(&r)) {
			halves.n = 0;
			out->v[0].allow = r.allow;
			continue;
		}
		for (n = r.type == 'a' ? 2 : 1; n; n--) {
			if (rules->v[i].type == 'a')
				r.type = n == 2 ? 'b' : 'c';
			*arena_push(a, halves.v, halves.n) = r;
		}
	}
	for (i = 0; i < halves.n; i++) {
		r = halves.v[i];
		if (!out->v[0].allow && !r.allow)
			continue;
		if (!out->v[0].allow && narrow(&halves, i, &r, e))
			return -1;
		if (r.access)
			*arena_push(a, out->v, out->n) = r;
	}
	return 0;
}

static int set_v1(struct arena *a, const struct cgroup_dir *d, const struct cg_device_rules *rules,
		  struct err *e)
{
	autofd int allow = open(cg_path(a, d, "devices.allow"), O_WRONLY | O_CLOEXEC);
	autofd int deny = open(cg_path(a, d, "devices.deny"), O_WRONLY | O_CLOEXEC);
	struct cg_device_rules list;
	const char *text;
	size_t i;

	if (allow < 0 || deny < 0)
		return fail(e, errno, "cgroup: devices.%s", allow < 0 ? "allow" : "deny");
	if (cg_device_list(a, rules, &list, e))
		return -1;
	for (i = 0; i < list.n; i++) {
		text = cg_device_text(a, &list.v[i]);
		if (pwrite(list.v[i].allow ? allow : deny, text, strlen(text), 0) < 0)
			return fail(e, errno, "cgroup: devices.%s: %s",
				    list.v[i].allow ? "allow" : "deny", text);
	}
	return 0;
}

static int set_v2(struct arena *a, const struct cgroup_dir *d, const struct cg_device_rules *rules,
		  struct err *e)
{
	autofd int dir = open(cg_path(a, d, NULL), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct cg_program p;

	if (dir < 0)
		return fail(e, errno, "cgroup: devices");
	cg_device_program(a, rules, &p);
	return cg_device_attach(dir, &p, e);
}

/* An ordinary user can neither make device nodes nor load the program: nothing is to be refused. */
int cg_set_devices(struct arena *a, const struct cgroup *cg, const struct resources *r,
		   struct err *e)
{
	const struct cgroup_dir *v1 = cg_dir(cg, "devices"), *v2 = cg_dir(cg, "");
	struct cg_device_rules rules;

	if (cg_device_rules(a, r, &rules, e))
		return -1;
	if (cg->unprivileged)
		return 0;
	if (v1)
		return set_v1(a, v1, &rules, e);
	if (v2)
		return set_v2(a, v2, &rules, e);
	return fail(e, 0, "cgroup: devices: the controller is not available");
}
