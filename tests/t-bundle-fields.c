// SPDX-License-Identifier: Apache-2.0
/* One bundle with every field of the specification, and where each of them is found again. */
#include "../src/core/bundle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/resource.h>

#include <linux/ioprio.h>
#include <linux/mempolicy.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

#include "../src/base/fd.h"
#include "tap.h"

#define CAP(n) (UINT64_C(1) << (n))

static bool same(const char *a, const char *b)
{
	return a && !strcmp(a, b);
}

static bool is_i64(struct opt_i64 o, int64_t v)
{
	return o.set && o.v == v;
}

static bool is_u64(struct opt_u64 o, uint64_t v)
{
	return o.set && o.v == v;
}

static bool is_u32(struct opt_u32 o, uint32_t v)
{
	return o.set && o.v == v;
}

static bool is_bool(struct opt_bool o, bool v)
{
	return o.set && o.v == v;
}

static bool is_place(struct arena *a, const struct json *at, const char *path)
{
	return at && same(json_path(a, at), path);
}

static bool is_map(const struct id_map *m, uint32_t container, uint32_t host, uint32_t size)
{
	return m->container_id == container && m->host_id == host && m->size == size;
}

static void test_top(struct arena *a, const struct bundle *b)
{
	const struct mount *m = b->mounts.v;

	ok(same(b->oci_version, "1.3.0"), "ociVersion is read");
	ok(same(b->root.path, "rootfs") && b->root.readonly, "root is read");
	ok(same(b->hostname, "host") && is_place(a, b->hostname_at, "hostname"), "so is hostname");
	ok(same(b->domainname, "domain") && is_place(a, b->domainname_at, "domainname"),
	   "so is domainname");
	ok(b->annotations.n == 2 && same(b->annotations.v[0].key, "com.example.key") &&
		   same(b->annotations.v[0].value, "value") &&
		   is_place(a, b->annotations.v[1].at, "annotations.empty"),
	   "so are the annotations, in order");
	ok(!b->unknown.n && b->top->type == JSON_OBJECT, "no property is unknown");

	cmp_ok((long long)b->mounts.n, "==", 3, "all mounts are there");
	ok(same(m[0].destination, "/proc") && same(m[0].type, "proc") &&
		   same(m[0].source, "proc") && m[0].options.n == 2 &&
		   same(m[0].options.v[1], "noexec") && !m[0].is_bind,
	   "the first is no bind");
	ok(same(m[1].destination, "data") && m[1].is_bind, "one with the option rbind is");
	ok(m[1].uid_maps.n == 2 && is_map(&m[1].uid_maps.v[1], 1, 2000, 10) &&
		   m[1].gid_maps.n == 1 && is_map(m[1].gid_maps.v, 0, 3000, 2),
	   "its mappings are read");
	ok(m[2].is_bind && !m[2].options.n && is_place(a, m[2].at, "mounts[2]"),
	   "one of type bind is one, too");
}

static void test_hooks(struct arena *a, const struct bundle *b)
{
	enum hook_kind k;

	for (k = HOOK_PRESTART; k < HOOK_COUNT; k++) {
		const struct hook *h = b->hooks[k].v;
		const char *name = hook_name(k);

		ok(b->hooks[k].n == 1 && same(h->path, arena_printf(a, "/hooks/%s", name)) &&
			   h->args.n == 2 && same(h->args.v[0].text, name) && h->env.n == 1 &&
			   same(h->env.v[0].name, "HOOK") && same(h->env.v[0].value, name) &&
			   is_u32(h->timeout, 7),
		   "%s hooks are read", name);
		ok(is_place(a, h->at, arena_printf(a, "hooks.%s[0]", name)) &&
			   is_place(a, h->env.v[0].at, arena_printf(a, "hooks.%s[0].env[0]", name)),
		   "and know their places");
	}
}

static void test_process(struct arena *a, const struct process *p)
{
	const struct env_entry *v = p->env.v;

	ok(p->set && p->terminal && p->console_height == 25 && p->console_width == 80,
	   "terminal and consoleSize are read");
	ok(p->user.uid == 1 && p->user.gid == 4294967294 && is_u32(p->user.umask, 63) &&
		   p->user.n_groups == 2 && p->user.groups[0] == 5 && p->user.groups[1] == 6,
	   "user is read");
	ok(p->args.n == 3 && same(p->args.v[0].text, "agent") && same(p->args.v[2].text, "") &&
		   is_place(a, p->args.v[1].at, "process.args[1]"),
	   "args is read");
	ok(p->env.n == 3 && same(v[0].name, "PATH") && v[0].name_len == 4 &&
		   same(v[0].value, "/bin") && v[0].value_len == 4 && same(v[0].text, "PATH=/bin"),
	   "env is read");
	ok(same(v[1].value, "") && !v[1].value_len, "a value may be empty");
	ok(same(v[2].name, "EQ") && same(v[2].value, "a=b") && v[2].value_len == 3,
	   "a value may have a '='");
	ok(is_place(a, v[2].at, "process.env[2]"), "a variable knows its place");
	ok(same(p->cwd, "/root") && p->no_new_privileges && is_i64(p->oom_score_adj, -500),
	   "cwd, noNewPrivileges and oomScoreAdj are read");
	ok(same(p->apparmor_profile, "acme") &&
		   same(p->selinux_label, "system_u:system_r:svirt_lxc_net_t:s0"),
	   "the labels are read");
	ok(p->caps.set && p->caps.sets[CAPS_BOUNDING] == (CAP(0) | CAP(40)) &&
		   p->caps.sets[CAPS_EFFECTIVE] == CAP(0) &&
		   p->caps.sets[CAPS_INHERITABLE] == CAP(5) &&
		   p->caps.sets[CAPS_PERMITTED] == CAP(0) && p->caps.sets[CAPS_AMBIENT] == CAP(13),
	   "capabilities are sets of bits");
	ok(p->caps.unknown.n == 1 && same(p->caps.unknown.v[0], "CAP_UNHEARD_OF"),
	   "an unknown capability is listed once");
	ok(p->n_rlimits == 2 && p->rlimits[0].resource == RLIMIT_NOFILE &&
		   p->rlimits[0].soft == 1024 && p->rlimits[0].hard == 4096 &&
		   p->rlimits[1].resource == RLIMIT_CORE && p->rlimits[1].hard == UINT64_MAX,
	   "rlimits is read");
	ok(p->scheduler.set && p->scheduler.policy == SCHED_DEADLINE &&
		   is_i64(p->scheduler.nice, -5) && is_i64(p->scheduler.priority, 3) &&
		   p->scheduler.flags == (SCHED_FLAG_RESET_ON_FORK | SCHED_FLAG_DL_OVERRUN) &&
		   is_u64(p->scheduler.runtime, 1000000) &&
		   is_u64(p->scheduler.deadline, 2000000) && is_u64(p->scheduler.period, 3000000),
	   "scheduler is read");
	ok(p->io_priority.set && p->io_priority.class == IOPRIO_CLASS_IDLE &&
		   p->io_priority.priority == 4,
	   "ioPriority is read");
	ok(same(p->cpu_affinity_initial, "0-3,7") && same(p->cpu_affinity_final, "1"),
	   "execCPUAffinity is read");
}

static void test_linux(struct arena *a, const struct linux_conf *l)
{
	const struct device *d = l->devices;
	enum ns_type t;
	size_t listed = 0;

	ok(l->set && is_place(a, l->at, "linux"), "the linux object is read");
	for (t = NS_USER; t < NS_COUNT; t++)
		listed += l->ns[t].listed;
	cmp_ok((long long)listed, "==", NS_COUNT, "all namespaces are listed");
	ok(same(l->ns[NS_PID].path, "/proc/1234/ns/pid") &&
		   same(l->ns[NS_NETWORK].path, "/var/run/netns/neta") && !l->ns[NS_MOUNT].path,
	   "those with a path have it");
	ok(l->uid_maps.n == 1 && is_map(l->uid_maps.v, 0, 0, UINT32_MAX) && l->gid_maps.n == 1 &&
		   is_map(l->gid_maps.v, 0, 100000, 65536),
	   "the user namespace's mappings are read");
	ok(l->n_devices == 2 && d[0].type == 'c' && same(d[0].path, "/dev/fuse") &&
		   d[0].major == 10 && d[0].minor == 229 && is_u32(d[0].mode, 438) &&
		   is_u32(d[0].uid, 1) && is_u32(d[0].gid, 2),
	   "devices is read");
	ok(d[1].type == 'p' && !d[1].mode.set && is_place(a, d[1].at, "linux.devices[1]"),
	   "a pipe needs no numbers");
	ok(l->n_net_devices == 2 && same(l->net_devices[0].host_name, "eth0") &&
		   same(l->net_devices[0].name, "container%d") &&
		   same(l->net_devices[1].name, "eth1"),
	   "netDevices is read; a device keeps its name unless it gets one");
	ok(same(l->cgroups_path, "/mine/box"), "cgroupsPath is read");
	ok(l->intel_rdt.set && same(l->intel_rdt.clos_id, "guaranteed") &&
		   l->intel_rdt.schemata.n == 2 && same(l->intel_rdt.schemata.v[1], "MB:0=20;1=70"),
	   "intelRdt is read");
	ok(same(l->intel_rdt.l3_cache_schema, "L3:0=7f0") &&
		   same(l->intel_rdt.mem_bw_schema, "MB:0=20") &&
		   is_bool(l->intel_rdt.enable_monitoring, true),
	   "with its older forms and its switch");
	ok(l->memory_policy.set && l->memory_policy.mode == 6 &&
		   same(l->memory_policy.nodes, "2-3") &&
		   l->memory_policy.flags == MPOL_F_STATIC_NODES,
	   "memoryPolicy is read");
	ok(l->sysctl.n == 2 && same(l->sysctl.v[1].key, "net.core.somaxconn") &&
		   same(l->sysctl.v[1].value, "256"),
	   "sysctl is read");
	ok(l->rootfs_propagation == (MS_SLAVE | MS_REC), "rootfsPropagation is read");
	ok(l->masked_paths.n == 2 && same(l->masked_paths.v[1], "relative") &&
		   is_place(a, l->masked_at, "linux.maskedPaths"),
	   "maskedPaths is read");
	ok(l->readonly_paths.n == 1 && same(l->readonly_paths.v[0], "/proc/sys"),
	   "readonlyPaths is read");
	ok(same(l->mount_label, "system_u:object_r:svirt_sandbox_file_t:s0"), "mountLabel is read");
	ok(l->personality.set && l->personality.domain == PER_LINUX32, "personality is read");
	ok(l->monotonic.set && l->monotonic.secs == 172800 && l->monotonic.nanosecs == 999999999 &&
		   l->boottime.set && l->boottime.secs == -604800 && !l->boottime.nanosecs,
	   "timeOffsets is read");
}

static void test_seccomp(const struct seccomp *s)
{
	const struct seccomp_rule *rule = s->rules;

	ok(s->set && s->default_action == SECCOMP_ERRNO && is_u32(s->default_errno, 38),
	   "seccomp's default is read");
	ok(s->n_architectures == 2 && s->architectures[0] == ARCH_X86 &&
		   s->architectures[1] == ARCH_SHEB,
	   "architectures is read");
	ok(s->flags == (SECCOMP_FILTER_FLAG_LOG | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV),
	   "flags is read");
	ok(same(s->listener_path, "/run/listener.sock") && same(s->listener_metadata, "meta"),
	   "the listener is read");
	ok(s->n_rules == 2 && rule[0].names.n == 2 && same(rule[0].names.v[1], "chmod") &&
		   rule[0].action == SECCOMP_TRACE && is_u32(rule[0].errno_ret, 65535),
	   "syscalls is read");
	ok(rule[0].n_args == 1 && rule[0].args[0].index == 5 &&
		   rule[0].args[0].value == UINT64_MAX && rule[0].args[0].value_two == 4 &&
		   rule[0].args[0].op == SECCOMP_OP_MASKED_EQ,
	   "with arguments");
	ok(rule[1].action == SECCOMP_ALLOW && !rule[1].errno_ret.set && !rule[1].n_args,
	   "or without");
}

static bool is_throttle(const struct block_throttles *t, int64_t minor, uint64_t rate)
{
	return t->n == 1 && t->v[0].major == 8 && t->v[0].minor == minor && t->v[0].rate == rate;
}

static void test_resources(const struct resources *r)
{
	const struct device_rule *d = r->devices;

	ok(r->n_devices == 2 && !d[0].allow && d[0].type == 'a' && !d[0].major.set &&
		   same(d[0].access, "rwm"),
	   "a rule without a type is for all devices");
	ok(d[1].allow && d[1].type == 'b' && is_i64(d[1].major, 8) && is_i64(d[1].minor, -1),
	   "one with numbers has them");
	ok(is_i64(r->memory.limit, 536870912) && is_i64(r->memory.reservation, 268435456) &&
		   is_i64(r->memory.swap, -1) && is_i64(r->memory.kernel, 0) &&
		   is_i64(r->memory.kernel_tcp, -1) && is_u64(r->memory.swappiness, 60),
	   "limits of memory are read");
	ok(is_bool(r->memory.disable_oom_killer, false) && is_bool(r->memory.use_hierarchy, true) &&
		   is_bool(r->memory.check_before_update, true),
	   "and its switches");
	ok(is_u64(r->cpu.shares, 1024) && is_i64(r->cpu.quota, -1) && is_u64(r->cpu.burst, 1000) &&
		   is_u64(r->cpu.period, 500000) && is_i64(r->cpu.realtime_runtime, 950000) &&
		   is_u64(r->cpu.realtime_period, 1000000) && is_i64(r->cpu.idle, 1) &&
		   same(r->cpu.cpus, "2-3") && same(r->cpu.mems, "0-7"),
	   "cpu is read");
	ok(is_u32(r->block_io.weight, 10) && is_u32(r->block_io.leaf_weight, 11) &&
		   r->block_io.n_devices == 2 && is_u32(r->block_io.devices[0].weight, 500) &&
		   is_u32(r->block_io.devices[0].leaf_weight, 300) &&
		   r->block_io.devices[1].minor == 16 && !r->block_io.devices[1].weight.set,
	   "weights of blockIO are read");
	ok(is_throttle(&r->block_io.read_bps, 1, 600) &&
		   is_throttle(&r->block_io.write_bps, 2, 601) &&
		   is_throttle(&r->block_io.read_iops, 3, 602) &&
		   is_throttle(&r->block_io.write_iops, 4, UINT64_MAX),
	   "and its throttles");
	ok(is_i64(r->pids_limit, 32771), "pids is read");
	ok(r->n_hugepages == 1 && same(r->hugepages[0].page_size, "2MB") &&
		   r->hugepages[0].limit == 209715200,
	   "hugepageLimits is read");
	ok(is_u32(r->net_class_id, 1048577) && r->n_net_priorities == 1 &&
		   same(r->net_priorities[0].name, "eth0") && r->net_priorities[0].priority == 500,
	   "network is read");
	ok(r->n_rdma == 2 && same(r->rdma[0].device, "mlx5_1") &&
		   is_u32(r->rdma[0].hca_handles, 3) && is_u32(r->rdma[0].hca_objects, 10000) &&
		   is_u32(r->rdma[1].hca_handles, 0) && !r->rdma[1].hca_objects.set,
	   "rdma is read");
	ok(r->unified.n == 2 && same(r->unified.v[0].key, "io.max") &&
		   same(r->unified.v[1].value, "1073741824"),
	   "unified is read");
}

int main(void)
{
	const char *srcdir = getenv("srcdir"), *text = NULL;
	const struct json *top = NULL;
	struct arena a = { 0 };
	struct bundle b;
	struct err e;
	size_t len;

	plan(NO_PLAN);
	if (file_read(&a,
		      arena_printf(&a, "%s/tests/fuzz/seeds/bundle/every-field.json",
				   srcdir ? srcdir : "."),
		      false, JSON_MAX_SIZE, &text, &len, &e) ||
	    json_parse(&a, text, len, &top, &e) || bundle_read(&a, top, &b, &e))
		BAIL_OUT("%s", e.text);
	test_top(&a, &b);
	test_hooks(&a, &b);
	test_process(&a, &b.process);
	test_linux(&a, &b.lin);
	test_seccomp(&b.lin.seccomp);
	test_resources(&b.lin.resources);
	arena_release(&a);
	done_testing();
}
