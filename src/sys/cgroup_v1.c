// SPDX-License-Identifier: Apache-2.0
/* Control groups: limits of the hierarchies of version 1. */
#include "cgroup_limits.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cgroup_impl.h"
#include "../base/str.h"
#include "../base/banned.h"

/* A level of the hierarchy: what it has not got, the one above gives. */
static int fill_level(struct arena *a, const struct cgroup_dir *d, const char *file,
		      const char *wanted, const char **value, struct err *e)
{
	const char *text;

	if (wanted && *wanted) {
		*value = wanted;
		return cg_write(a, d, file, wanted, e);
	}
	if (cg_read(a, d, file, &text, e))
		return -1;
	if (*text) {
		*value = text;
		return 0;
	}
	return cg_write(a, d, file, *value, e);
}

int cg_v1_fill_cpuset(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		      struct err *e)
{
	struct cgroup_dir level = { .mount = d->mount, .path = "/" };
	const char *cpus, *mems, *end = d->path;
	bool is_leaf;

	if (cg_read(a, &level, "cpuset.cpus", &cpus, e) ||
	    cg_read(a, &level, "cpuset.mems", &mems, e))
		return -1;
	do {
		end = strchrnul(end + 1, '/');
		is_leaf = !*end;
		level.path = arena_strndup(a, d->path, (size_t)(end - d->path));
		if (fill_level(a, &level, "cpuset.cpus", is_leaf && r ? r->cpu.cpus : NULL, &cpus,
			       e) ||
		    fill_level(a, &level, "cpuset.mems", is_leaf && r ? r->cpu.mems : NULL, &mems,
			       e))
			return -1;
	} while (!is_leaf);
	return 0;
}

int cg_v1_cpuset(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		 struct err *e)
{
	if (r->cpu.cpus && *r->cpu.cpus && cg_write(a, d, "cpuset.cpus", r->cpu.cpus, e))
		return -1;
	if (r->cpu.mems && *r->cpu.mems && cg_write(a, d, "cpuset.mems", r->cpu.mems, e))
		return -1;
	return 0;
}

static int set_memory(struct arena *a, const struct cgroup_dir *d, int64_t limit, struct err *e)
{
	uint64_t usage, peak;
	struct err ignored;

	if (!limit || cg_write_i64(a, d, "memory.limit_in_bytes", limit, e) == 0)
		return 0;
	if (e->errnum != EBUSY || cg_read_u64(a, d, "memory.usage_in_bytes", &usage, &ignored) ||
	    cg_read_u64(a, d, "memory.max_usage_in_bytes", &peak, &ignored))
		return -1;
	return fail(e, EBUSY,
		    "cgroup: memory.limit_in_bytes: unable to set memory limit to %" PRId64
		    " (current usage: %" PRIu64 ", peak usage: %" PRIu64 ")",
		    limit, usage, peak);
}

static int set_swap(struct arena *a, const struct cgroup_dir *d, int64_t limit, struct err *e)
{
	return limit ? cg_write_i64(a, d, "memory.memsw.limit_in_bytes", limit, e) : 0;
}

/* The kernel wants memory <= memory + swap at every moment: what grows comes first in the right
 * order, what shrinks in the other.
 */
static int set_memory_and_swap(struct arena *a, const struct cgroup_dir *d,
			       const struct resources *r, struct err *e)
{
	int64_t memory = r->memory.limit.v, swap = r->memory.swap.v;
	uint64_t now;

	if (memory == -1 && !swap && cg_exists(a, d, "memory.memsw.limit_in_bytes"))
		swap = -1;
	if (memory && swap) {
		if (cg_read_u64(a, d, "memory.limit_in_bytes", &now, e))
			return -1;
		if (swap == -1 || now < (uint64_t)swap)
			return set_swap(a, d, swap, e) || set_memory(a, d, memory, e) ? -1 : 0;
	}
	return set_memory(a, d, memory, e) || set_swap(a, d, swap, e) ? -1 : 0;
}

int cg_v1_memory(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		 struct err *e)
{
	if (set_memory_and_swap(a, d, r, e))
		return -1;
	if (r->memory.reservation.v &&
	    cg_write_i64(a, d, "memory.soft_limit_in_bytes", r->memory.reservation.v, e))
		return -1;
	if (r->memory.disable_oom_killer.v && cg_write(a, d, "memory.oom_control", "1", e))
		return -1;
	if (r->memory.swappiness.set &&
	    cg_write_u64(a, d, "memory.swappiness", r->memory.swappiness.v, e))
		return -1;
	return 0;
}

/* Realtime first: a process of a realtime class cannot enter without. Runtime and period depend
 * on each other: a period that the old runtime does not fit is tried again with the new one.
 */
static int set_realtime(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
			struct err *e)
{
	uint64_t period = r->cpu.realtime_period.v;
	int64_t runtime = r->cpu.realtime_runtime.v;
	bool again = false;

	if (period && cg_write_u64(a, d, "cpu.rt_period_us", period, e)) {
		if (e->errnum != EINVAL || !runtime)
			return -1;
		again = true;
	}
	if (runtime && cg_write_i64(a, d, "cpu.rt_runtime_us", runtime, e))
		return -1;
	return again ? cg_write_u64(a, d, "cpu.rt_period_us", period, e) : 0;
}

static int set_shares(struct arena *a, const struct cgroup_dir *d, uint64_t shares, struct err *e)
{
	uint64_t got;

	if (!shares)
		return 0;
	if (cg_write_u64(a, d, "cpu.shares", shares, e) || cg_read_u64(a, d, "cpu.shares", &got, e))
		return -1;
	if (got == shares)
		return 0;
	return fail(e, 0, "cgroup: cpu.shares: the %s allowed cpu-shares is %" PRIu64,
		    got < shares ? "maximum" : "minimum", got);
}

/* A period or burst that does not go with the old quota is tried again after the new one. */
static int set_quota(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		     struct err *e)
{
	bool period_again = false, burst_again = false;
	uint64_t period = r->cpu.period.v;
	int64_t quota = r->cpu.quota.v;

	if (period && cg_write_u64(a, d, "cpu.cfs_period_us", period, e)) {
		if (e->errnum != EINVAL || !quota)
			return -1;
		period_again = true;
	}
	if (r->cpu.burst.set && cg_write_u64(a, d, "cpu.cfs_burst_us", r->cpu.burst.v, e)) {
		if (e->errnum != EINVAL || !quota)
			return -1;
		burst_again = true;
	}
	if (quota && cg_write_i64(a, d, "cpu.cfs_quota_us", quota, e))
		return -1;
	if (period_again && cg_write_u64(a, d, "cpu.cfs_period_us", period, e))
		return -1;
	return burst_again ? cg_write_u64(a, d, "cpu.cfs_burst_us", r->cpu.burst.v, e) : 0;
}

int cg_v1_cpu(struct arena *a, const struct cgroup_dir *d, const struct resources *r, struct err *e)
{
	/* Who is idle has no weight: the kernel would refuse one. */
	if (r->cpu.idle.set && cg_write_i64(a, d, "cpu.idle", r->cpu.idle.v, e))
		return -1;
	if (r->cpu.idle.v != 1 && set_shares(a, d, r->cpu.shares.v, e))
		return -1;
	return set_quota(a, d, r, e) || set_realtime(a, d, r, e) ? -1 : 0;
}

int cg_set_pids(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		struct err *e)
{
	int64_t limit = r->pids_limit.v;

	if (limit < 0)
		return cg_write(a, d, "pids.max", "max", e);
	return cg_write_i64(a, d, "pids.max", limit ? limit : 1, e);
}

static int set_throttle(struct arena *a, const struct cgroup_dir *d, const char *file,
			const struct block_throttles *list, struct err *e)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (cg_write(a, d, file,
			     arena_printf(a, "%" PRId64 ":%" PRId64 " %" PRIu64, list->v[i].major,
					  list->v[i].minor, list->v[i].rate),
			     e))
			return -1;
	return 0;
}

static int set_device_weights(struct arena *a, const struct cgroup_dir *d,
			      const struct resources *r, const char *file, struct err *e)
{
	const struct block_weight *w;
	const char *device;
	size_t i;

	for (i = 0; i < r->block_io.n_devices; i++) {
		w = &r->block_io.devices[i];
		device = arena_printf(a, "%" PRId64 ":%" PRId64, w->major, w->minor);
		if (w->weight.v &&
		    cg_write(a, d, file, arena_printf(a, "%s %" PRIu32, device, w->weight.v), e))
			return -1;
		if (w->leaf_weight.v &&
		    cg_write(a, d, "blkio.leaf_weight_device",
			     arena_printf(a, "%s %" PRIu32, device, w->leaf_weight.v), e))
			return -1;
	}
	return 0;
}

int cg_v1_blkio(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		struct err *e)
{
	bool bfq = !cg_exists(a, d, "blkio.weight");

	if (r->block_io.weight.v &&
	    cg_write_u64(a, d, bfq ? "blkio.bfq.weight" : "blkio.weight", r->block_io.weight.v, e))
		return -1;
	if (r->block_io.leaf_weight.v &&
	    cg_write_u64(a, d, "blkio.leaf_weight", r->block_io.leaf_weight.v, e))
		return -1;
	if (set_device_weights(a, d, r, bfq ? "blkio.bfq.weight_device" : "blkio.weight_device", e))
		return -1;
	if (set_throttle(a, d, "blkio.throttle.read_bps_device", &r->block_io.read_bps, e) ||
	    set_throttle(a, d, "blkio.throttle.write_bps_device", &r->block_io.write_bps, e) ||
	    set_throttle(a, d, "blkio.throttle.read_iops_device", &r->block_io.read_iops, e) ||
	    set_throttle(a, d, "blkio.throttle.write_iops_device", &r->block_io.write_iops, e))
		return -1;
	return 0;
}

/* Reservations count too where the kernel counts them: faults alone let a program take pages
 * that it then dies of.
 */
static int set_hugetlb(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		       const char *suffix, struct err *e)
{
	const struct hugepage_limit *h;
	size_t i;

	for (i = 0; i < r->n_hugepages; i++) {
		h = &r->hugepages[i];
		if (cg_write_u64(a, d, arena_printf(a, "hugetlb.%s.%s", h->page_size, suffix),
				 h->limit, e))
			return -1;
		if (cg_write_u64(a, d, arena_printf(a, "hugetlb.%s.rsvd.%s", h->page_size, suffix),
				 h->limit, e) &&
		    e->errnum != ENOENT)
			return -1;
	}
	return 0;
}

int cg_v1_hugetlb(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		  struct err *e)
{
	return set_hugetlb(a, d, r, "limit_in_bytes", e);
}

int cg_v2_hugetlb(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		  struct err *e)
{
	return set_hugetlb(a, d, r, "max", e);
}

int cg_set_rdma(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		struct err *e)
{
	const struct rdma_limit *l;
	struct str s;
	size_t i;

	for (i = 0; i < r->n_rdma; i++) {
		l = &r->rdma[i];
		str_init(&s, a, 4096);
		str_add(&s, l->device);
		if (l->hca_handles.set)
			str_printf(&s, " hca_handle=%" PRIu32, l->hca_handles.v);
		if (l->hca_objects.set)
			str_printf(&s, " hca_object=%" PRIu32, l->hca_objects.v);
		if (cg_write(a, d, "rdma.max", s.s, e))
			return -1;
	}
	return 0;
}

int cg_v1_net_cls(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		  struct err *e)
{
	return cg_write_u64(a, d, "net_cls.classid", r->net_class_id.v, e);
}

int cg_v1_net_prio(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		   struct err *e)
{
	size_t i;

	for (i = 0; i < r->n_net_priorities; i++)
		if (cg_write(a, d, "net_prio.ifpriomap",
			     arena_printf(a, "%s %" PRIu32, r->net_priorities[i].name,
					  r->net_priorities[i].priority),
			     e))
			return -1;
	return 0;
}
