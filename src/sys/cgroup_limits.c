// SPDX-License-Identifier: Apache-2.0
/* Control groups: which part of linux.resources goes to which controller. */
#include "cgroup_limits.h"

#include <errno.h>
#include <string.h>

#include "cgroup_impl.h"
#include "cgroup_systemd.h"
#include "cgroup_v2.h"
#include "../base/banned.h"

static bool wants_cpuset(const struct resources *r)
{
	return (r->cpu.cpus && *r->cpu.cpus) || (r->cpu.mems && *r->cpu.mems);
}

static bool wants_memory(const struct resources *r)
{
	return r->memory.limit.v || r->memory.reservation.v || r->memory.swap.v ||
	       r->memory.swappiness.set || r->memory.disable_oom_killer.v;
}

static bool wants_cpu(const struct resources *r)
{
	return r->cpu.shares.v || r->cpu.quota.v || r->cpu.period.v || r->cpu.burst.set ||
	       r->cpu.idle.set || r->cpu.realtime_period.v || r->cpu.realtime_runtime.v;
}

static bool wants_pids(const struct resources *r)
{
	return r->pids_limit.set;
}

static bool wants_io(const struct resources *r)
{
	return r->block_io.weight.v || r->block_io.leaf_weight.v || r->block_io.n_devices ||
	       r->block_io.read_bps.n || r->block_io.write_bps.n || r->block_io.read_iops.n ||
	       r->block_io.write_iops.n;
}

static bool wants_hugetlb(const struct resources *r)
{
	return r->n_hugepages;
}

static bool wants_net_cls(const struct resources *r)
{
	return r->net_class_id.v;
}

static bool wants_net_prio(const struct resources *r)
{
	return r->n_net_priorities;
}

static bool wants_rdma(const struct resources *r)
{
	return r->n_rdma;
}

static const struct {
	const char *v1, *v2; /* what the controller is called; NULL: that version has none */
	bool (*is_wanted)(const struct resources *r);
	cg_set_fn *set_v1, *set_v2;
} limits[] = {
	{ "cpuset", "cpuset", wants_cpuset, cg_v1_cpuset, cg_v2_cpuset },
	{ "memory", "memory", wants_memory, cg_v1_memory, cg_v2_memory },
	{ "cpu", "cpu", wants_cpu, cg_v1_cpu, cg_v2_cpu },
	{ "pids", "pids", wants_pids, cg_set_pids, cg_set_pids },
	{ "blkio", "io", wants_io, cg_v1_blkio, cg_v2_io },
	{ "hugetlb", "hugetlb", wants_hugetlb, cg_v1_hugetlb, cg_v2_hugetlb },
	{ "net_cls", NULL, wants_net_cls, cg_v1_net_cls, NULL },
	{ "net_prio", NULL, wants_net_prio, cg_v1_net_prio, NULL },
	{ "rdma", "rdma", wants_rdma, cg_set_rdma, cg_set_rdma },
};
enum { LIMITS = sizeof limits / sizeof limits[0] };

bool cg_has_limits(const struct resources *r)
{
	size_t i;

	for (i = 0; r && i < LIMITS; i++)
		if (limits[i].is_wanted(r))
			return true;
	return r && r->unified.n;
}

bool cg_has_domain_limits(const struct resources *r)
{
	return r && (wants_memory(r) || wants_io(r) || wants_hugetlb(r));
}

/* A hybrid machine's unified tree is left as it is unless a limit can be had nowhere else. */
bool cg_needs_v2(const struct cgroup *cg, const struct resources *r)
{
	size_t i;

	if (cg->mode == CGROUP_V2)
		return true;
	for (i = 0; r && i < LIMITS; i++)
		if (limits[i].v2 && limits[i].is_wanted(r) && !cg_dir(cg, limits[i].v1))
			return true;
	return false;
}

static int no_controller(const struct cgroup *cg, const char *name, struct err *e)
{
	if (cg->unprivileged)
		return fail(e, EACCES,
			    "rootless needs no limits + no cgrouppath when no permission is "
			    "granted for cgroups: cannot set %s limit",
			    name);
	return fail(e, 0, "cgroup: cannot set %s limit: the controller is not available", name);
}

/* A hybrid set-up may have some controllers on the unified hierarchy: there they are set. */
static int apply_one(struct arena *a, const struct cgroup *cg, size_t i, const char *on_v2,
		     const struct resources *r, struct err *e)
{
	const struct cgroup_dir *d = cg_dir(cg, limits[i].v1);

	if (d)
		return limits[i].set_v1(a, d, r, e);
	if (limits[i].v2 && cg_list_has(on_v2, ' ', limits[i].v2))
		return limits[i].set_v2(a, cg_dir(cg, ""), r, e);
	return no_controller(cg, limits[i].v1, e);
}

int cg_check_unified(const struct cgroup *cg, const struct resources *r, struct err *e)
{
	if (r->unified.n && cg->mode != CGROUP_V2)
		return fail(e, 0, "invalid configuration: cannot use unified on cgroup v1");
	return 0;
}

int cg_apply(struct arena *a, const struct cgroup *cg, const struct resources *r, bool devices,
	     struct err *e)
{
	const struct cgroup_dir *unified = cg_dir(cg, "");
	const char *on_v2 = "";
	size_t i;

	if (!r)
		return 0;
	if (cg_check_unified(cg, r, e))
		return -1;
	if (unified && cg_has_limits(r) && cg_read(a, unified, "cgroup.controllers", &on_v2, e))
		return -1;
	for (i = 0; i < LIMITS; i++)
		if (limits[i].is_wanted(r) && apply_one(a, cg, i, on_v2, r, e))
			return -1;
	if (devices && cg_set_devices(a, cg, r, e))
		return -1;
	return cg->mode == CGROUP_V2 ? cg_v2_unified(a, unified, on_v2, r, e) : 0;
}

int cgroup_update(struct arena *a, const struct cgroup *cg, const struct resources *r,
		  struct err *e)
{
	if (cg->systemd)
		return cg_systemd_update(a, cg, r, e);
	return cg_apply(a, cg, r, false, e);
}

const char *cgroup_warning(const struct resources *r)
{
	size_t i;

	if (r->memory.kernel.set || r->memory.kernel_tcp.set)
		return "kernel memory settings are ignored and will be removed";
	if (r->cpu.idle.v == 1 && r->cpu.shares.v)
		return "unable to apply both cpu shares and cpu idle: the shares are ignored";
	for (i = 0; i < r->unified.n; i++)
		if (!strcmp(r->unified.v[i].key, "cpu.weight") && cg_unified_idle(r))
			return "unable to apply both cpu.weight and cpu.idle: the weight is "
			       "ignored";
	return NULL;
}
