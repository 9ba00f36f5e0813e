// SPDX-License-Identifier: Apache-2.0
/* What systemd is told of a container, and how its answers are understood; no systemd is needed. */
#include "tap.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/str.h"
#include "../src/sys/cgroup_find.h"
#include "../src/sys/cgroup_systemd.h"
#include "../src/sys/cgroup_v2.h"

static struct arena arena;
static struct err err;

static const char *names(const char *path, const char *id, bool user)
{
	struct cgroup_wish w = { .id = id, .path = path };
	const char *slice, *unit;

	if (cg_unit_names(&arena, &w, user, &slice, &unit, &err))
		return NULL;
	return arena_printf(&arena, "%s %s", slice, unit);
}

static void test_names(void)
{
	is(names(NULL, "abc", false), "system.slice credsbox-abc.scope", "a scope of its own");
	is(names(NULL, "abc", true), "user.slice credsbox-abc.scope", "for a user, too");
	is(names(NULL, "a+b", false), "system.slice credsbox-a\\x2bb.scope", "a plus is escaped");
	is(names("machine.slice:libpod:77", "x", false), "machine.slice libpod-77.scope",
	   "slice:prefix:name is podman's form");
	is(names(":crio:1", "x", false), "system.slice crio-1.scope", "no slice: the usual one");
	is(names("a.slice::1", "x", false), "a.slice 1.scope", "no prefix: the name alone");
	ok(!names("/a/b", "x", false), "a path is not that form");
	like(err.text, "expected cgroupsPath to be of format \"slice:prefix:name\"", "it is said");
	ok(!names("a.slice:b", "x", false) && !names("a.slice:b:c:d", "x", false) &&
		   !names("a.slice:b:", "x", false),
	   "nor two parts, four, or no name");
	ok(!names("a:b:c", "x", false), "a slice has to be called one");
	ok(!names("../x.slice:b:c", "x", false), "a slice is no path");
	ok(!names("a.slice:b:c/d", "x", false), "a name is no path");
	ok(!names("a.slice:b:c.slice", "x", false), "a container is no slice");
}

static const char *slice_path(const char *slice)
{
	const char *path;

	return cg_slice_path(&arena, slice, &path, &err) ? NULL : path;
}

static void test_slices(void)
{
	is(slice_path("a.slice"), "/a.slice", "a slice");
	is(slice_path("a-b-c.slice"), "/a.slice/a-b.slice/a-b-c.slice", "one in others");
	is(slice_path("-.slice"), "/", "the root of them");
	ok(!slice_path(".slice") && !slice_path("a--b.slice") && !slice_path("-a.slice") &&
		   !slice_path("a-.slice") && !slice_path("a/b.slice") && !slice_path("a"),
	   "what is none");
}

static const char *bits(const char *list)
{
	const uint8_t *bytes;
	struct str s;
	size_t n, i;

	if (cg_cpu_bits(&arena, list, &bytes, &n, &err))
		return NULL;
	str_init(&s, &arena, 4096);
	for (i = 0; i < n; i++)
		str_printf(&s, "%02x", bytes[i]);
	return s.s;
}

static void test_bits(void)
{
	is(bits("0"), "01", "the first CPU");
	is(bits("0-3,7"), "8f", "a range and one");
	is(bits("8"), "0001", "the ninth is in the second byte");
	is(bits("1,1-2"), "06", "one may be named twice");
	ok(!bits("3-1") && !bits("x") && !bits("1-") && !bits("99999"), "what is no list");
}

static const char *show(const struct cg_props *p)
{
	const struct cg_prop *v;
	struct str s;
	size_t i, k;

	str_init(&s, &arena, 8192);
	for (i = 0; i < p->n; i++) {
		v = &p->v[i];
		str_printf(&s, "%s%s=", i ? " " : "", v->name);
		if (v->type == 's')
			str_add(&s, v->text);
		else if (v->type == 'y')
			str_printf(&s, "#%zu:%02x", v->n, v->bytes[0]);
		else if (v->type == 'd')
			for (k = 0; k < v->n; k++)
				str_printf(&s, "[%s %s]", v->devices[k].path, v->devices[k].access);
		else if (v->number == UINT64_MAX)
			str_add(&s, "inf");
		else
			str_printf(&s, "%" PRIu64, v->number);
	}
	return s.s;
}

static const char *limits(enum cgroup_mode mode, unsigned version, struct resources r)
{
	struct cg_props props = { 0 };

	return cg_limit_props(&arena, mode, version, &r, &props, &err) ? NULL : show(&props);
}

static void test_limits(void)
{
	struct resources r = {
		.memory = { .limit = { true, 1 << 20 }, .swap = { true, 3 << 20 } },
		.cpu = { .shares = { true, 1024 }, .cpus = "0-1" },
		.pids_limit = { true, 0 },
	};

	is(limits(CGROUP_V2, 0, r),
	   "MemoryMax=1048576 MemorySwapMax=2097152 CPUWeight=100 TasksMax=1 AllowedCPUs=#1:03",
	   "limits of v2");
	is(limits(CGROUP_V1, 0, r),
	   "MemoryLimit=1048576 CPUShares=1024 TasksMax=1 AllowedCPUs=#1:03", "limits of v1");
	r = (struct resources){ .memory = { .limit = { true, -1 } }, .pids_limit = { true, -1 } };
	is(limits(CGROUP_V2, 0, r), "MemoryMax=inf MemorySwapMax=inf TasksMax=inf", "no limits");
	r = (struct resources){ .memory = { .limit = { true, 4096 }, .swap = { true, 4096 } } };
	is(limits(CGROUP_V2, 0, r), "MemoryMax=4096 MemorySwapMax=0", "no swap at all");
	r = (struct resources){ .cpu = { .quota = { true, 5000 } } };
	is(limits(CGROUP_V2, 0, r), "CPUQuotaPerSecUSec=50000", "a quota alone");
	r.cpu.period = (struct opt_u64){ true, 1000000 };
	r.cpu.quota.v = 500001;
	is(limits(CGROUP_V2, 0, r), "CPUQuotaPeriodUSec=1000000 CPUQuotaPerSecUSec=510000",
	   "systemd counts hundredths: rounded up");
	r.cpu.quota.v = -1;
	is(limits(CGROUP_V2, 0, r), "CPUQuotaPeriodUSec=1000000 CPUQuotaPerSecUSec=inf",
	   "no quota");
	r = (struct resources){ .cpu = { .idle = { true, 1 }, .shares = { true, 200 } } };
	is(limits(CGROUP_V2, 252, r), "CPUWeight=0", "idle is a weight of 0 to new ones");
	is(limits(CGROUP_V2, 251, r), "CPUWeight=29", "and unknown to old ones");
}

static void test_unified(void)
{
	struct pair v[] = {
		{ .key = "cpu.max", .value = "max 100000" },
		{ .key = "cpu.weight", .value = "16" },
		{ .key = "pids.max", .value = "10\n" },
		{ .key = "memory.high", .value = "max" },
		{ .key = "memory.oom.group", .value = "1" },
		{ .key = "io.max", .value = "8:0 rbps=1" },
	};
	struct resources r = { .unified = { v, 6 } };

	is(limits(CGROUP_V2, 253, r),
	   "OOMPolicy=kill CPUQuotaPeriodUSec=100000 CPUQuotaPerSecUSec=inf CPUWeight=16 "
	   "TasksMax=10 MemoryHigh=inf",
	   "what systemd knows of unified");
	v[1].value = "many";
	ok(!limits(CGROUP_V2, 252, r), "what is no number is an error");
}

static void test_devices(void)
{
	struct device_rule v[] = {
		{ .allow = true,
		  .type = 'c',
		  .major = { true, 10 },
		  .minor = { true, 229 },
		  .access = "rw" },
		{ .allow = true, .type = 'b', .major = { true, 8 }, .access = "r" },
	};
	struct resources r = { .devices = v, .n_devices = 2 };
	struct cg_props props = { 0 };

	ok(cg_device_props(&arena, &r, &props, &err) == 0, "devices are told, too");
	like(show(&props),
	     "^DeviceAllow= DevicePolicy=strict DeviceAllow=\\[/dev/char/10:229 rw\\]\\[block-8 "
	     "r\\]\\[char-\\* m\\]\\[block-\\* m\\]\\[/dev/char/1:3 rwm\\]",
	     "in systemd's form");
	v[1] = (struct device_rule){ .allow = true, .type = 'a', .access = "rwm" };
	props.n = 0;
	cg_device_props(&arena, &r, &props, &err);
	is(show(&props), "DeviceAllow= DevicePolicy=auto", "all devices");
}

static void test_conversions(void)
{
	int64_t out = 0;

	cmp_ok(cg_cpu_weight(0), "==", 0, "no shares, no weight");
	cmp_ok(cg_cpu_weight(2), "==", 1, "the least");
	cmp_ok(cg_cpu_weight(100), "==", 17, "100 shares");
	cmp_ok(cg_cpu_weight(1024), "==", 100, "the default");
	cmp_ok(cg_cpu_weight(262144), "==", 10000, "the most");
	cmp_ok(cg_cpu_weight(UINT64_MAX), "==", 10000, "more than the most");
	cmp_ok(cg_io_weight(0), "==", 0, "no weight");
	cmp_ok(cg_io_weight(10), "==", 1, "the least for devices");
	cmp_ok(cg_io_weight(750), "==", 7475, "750");
	cmp_ok(cg_io_weight(1000), "==", 10000, "the most for devices");
	ok(cg_swap_max(100, 300, &out, &err) == 0 && out == 200, "swap alone is the difference");
	ok(cg_swap_max(-1, 0, &out, &err) == 0 && out == -1, "no limit of memory: none of swap");
	ok(cg_swap_max(-1, 300, &out, &err) == 0 && out == 300, "unless there is one");
	ok(cg_swap_max(300, 100, &out, &err) < 0, "both cannot be less than one");
	ok(cg_swap_max(0, 100, &out, &err) < 0, "both without one cannot be");
}

static void test_places(void)
{
	static const char mountinfo[] =
		"30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
		"31 23 0:27 /a\\040b /with\\040blank rw - cgroup cgroup rw,memory\n"
		"32 23 8:1 / / rw - ext4 /dev/sda1 rw\n"
		"garbage - cgroup\n";
	struct cgroup_wish w = { .id = "id" };
	struct cg_mounts mounts = { 0 };
	struct cg_owns owns = { 0 };
	struct cgroup cg = { 0 };

	cg_read_mounts(&arena, mountinfo, &mounts);
	cmp_ok(mounts.n, "==", 2, "two of the mounts are cgroups");
	is(mounts.v[1].at, "/with blank", "escapes are undone");
	cg_read_own(&arena, "0::/user.slice/session-1.scope\n4:memory:/x\nbad\n", &owns);
	cmp_ok(owns.n, "==", 2, "two hierarchies");
	ok(cg_find_dirs(&arena, &mounts, &owns, &w, NULL, &cg, &err) == 0 && cg.mode == CGROUP_V2 &&
		   cg.n_dirs == 1,
	   "v2 at the usual place is v2");
	is(cg.dirs[0].path, "/user.slice/id", "beside the caller's own");
	is(cg_own_below(&arena, "/docker/1", "/docker/1/x"), "/x",
	   "a mount that begins further down");
	is(cg_own_below(&arena, "/docker/1", "/docker/12"), "/", "is not mistaken for another");
	is(cg_own_below(&arena, "/", "/../.."), "/", "what lies above a namespace is its top");
	is(cg_place(&arena, CGROUP_V1, "/own", "id", NULL), "/own/id",
	   "v1: below the caller's own");
	is(cg_place(&arena, CGROUP_V1, "/own", "id", "x/../../y"), "/own/y",
	   "a relative path stays below it");
	is(cg_place(&arena, CGROUP_V1, "/own", "id", "/x//./y/../z/"), "/x/z",
	   "an absolute one is from the mount");
	is(cg_place(&arena, CGROUP_V2, "/", "id", NULL), "/id", "in the root there is no beside");
}

int main(void)
{
	struct cgroup_wish w = { .id = "id", .systemd = true };
	struct cgroup cg;

	plan(NO_PLAN);
	test_names();
	test_slices();
	test_bits();
	test_limits();
	test_unified();
	test_devices();
	test_conversions();
	test_places();
	if (access("/run/systemd/system", F_OK)) {
		ok(cgroup_find(&arena, &w, &cg, &err) < 0, "without systemd it cannot be asked");
		like(err.text, "^systemd cgroups asked for, but systemd is not running",
		     "and that is said");
	}
	arena_release(&arena);
	done_testing();
}
