// SPDX-License-Identifier: Apache-2.0
/* Control groups: limits of version 2, and the conversions to what it counts in. */
#include "cgroup_v2.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cgroup_impl.h"
#include "cgroup_limits.h"
#include "../base/str.h"
#include "../core/chars.h"
#include "../base/banned.h"

/* Bit by bit, from the squares: as exact as a double, and no reason to load libm at every start. */
static double log_2(double x)
{
	enum { BITS = 53 };
	double l = 0, bit = 0.5;
	unsigned i;

	while (x >= 2) {
		x /= 2;
		l++;
	}
	for (i = 0; i < BITS; i++) {
		x *= x;
		if (x >= 2) {
			x /= 2;
			l += bit;
		}
		bit /= 2;
	}
	return l;
}

static double exp_10(double x)
{
	const double ln_10 = 2.302585092994045684;
	double term = 1, sum = 1;
	unsigned i;

	x *= ln_10;
	for (i = 1; i < 60; i++) {
		term *= x / i;
		sum += term;
	}
	return sum;
}

/* The curve through (2, 1), (1024, 100) and (262144, 10000), over logarithms, rounded up. */
uint64_t cg_cpu_weight(uint64_t shares)
{
	double l, weight;

	if (!shares)
		return 0;
	if (shares <= 2)
		return 1;
	if (shares >= 262144)
		return 10000;
	l = log_2((double)shares);
	weight = exp_10((l * l + 125 * l) / 612.0 - 7.0 / 34.0);
	return (uint64_t)(weight + 1 - 1e-9);
}

uint64_t cg_io_weight(uint64_t weight)
{
	if (weight < 10)
		return weight ? 1 : 0;
	return weight > 1000 ? 10000 : 1 + (weight - 10) * 9999 / 990;
}

/* The bundle counts memory and swap together, v2 counts swap alone. */
int cg_swap_max(int64_t memory, int64_t swap, int64_t *out, struct err *e)
{
	*out = swap;
	if (memory == -1 && !swap)
		*out = -1;
	if (swap <= 0 || memory == -1)
		return 0;
	if (!memory)
		return fail(e, 0, "cgroup: unable to set swap limit without memory limit");
	if (swap < memory)
		return fail(e, 0, "cgroup: memory+swap limit should be >= memory limit");
	*out = swap - memory;
	return 0;
}

static const char *number_or_max(struct arena *a, int64_t n)
{
	return n < 0 ? "max" : arena_printf(a, "%" PRId64, n);
}

int cg_v2_check_memory(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		       struct err *e)
{
	int64_t memory = r->memory.limit.v, swap = r->memory.swap.v;
	uint64_t usage;

	if (!r->memory.check_before_update.v || cg_read_u64(a, d, "memory.current", &usage, e))
		return 0;
	if (swap > 0 && (uint64_t)swap <= usage)
		return fail(e, 0,
			    "cgroup: memory.swap.max: rejecting memory+swap limit %" PRId64
			    " <= usage %" PRIu64,
			    swap, usage);
	if (memory > 0 && (uint64_t)memory <= usage)
		return fail(e, 0,
			    "cgroup: memory.max: rejecting memory limit %" PRId64
			    " <= usage %" PRIu64,
			    memory, usage);
	return 0;
}

/* An update may name the one alone: then the other stays as it is. */
static int64_t current_memory(struct arena *a, const struct cgroup_dir *d)
{
	uint64_t n;
	struct err e;

	return cg_read_u64(a, d, "memory.max", &n, &e) || n > INT64_MAX ? -1 : (int64_t)n;
}

int cg_v2_memory(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		 struct err *e)
{
	int64_t memory = r->memory.limit.v, swap;

	if (cg_v2_check_memory(a, d, r, e))
		return -1;
	if (cg_swap_max(!memory && r->memory.swap.v > 0 ? current_memory(a, d) : memory,
			r->memory.swap.v, &swap, e))
		return -1;
	/* Without swap in the kernel, no swap and any amount of it are the same. */
	if ((swap || r->memory.swap.v > 0) &&
	    cg_write(a, d, "memory.swap.max", number_or_max(a, swap), e) &&
	    (e->errnum != ENOENT || swap > 0))
		return -1;
	if (memory && cg_write(a, d, "memory.max", number_or_max(a, memory), e))
		return -1;
	if (r->memory.reservation.v &&
	    cg_write(a, d, "memory.low", number_or_max(a, r->memory.reservation.v), e))
		return -1;
	return 0;
}

/* Both stand in one file, "50000 100000": what is not asked for stays as it is. */
static int set_cpu_max(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		       struct err *e)
{
	const char *now, *blank, *quota, *period;

	if (!r->cpu.quota.v && !r->cpu.period.v)
		return 0;
	if (cg_read(a, d, "cpu.max", &now, e))
		return -1;
	blank = strchrnul(now, ' ');
	quota = r->cpu.quota.v ? number_or_max(a, r->cpu.quota.v)
			       : arena_strndup(a, now, (size_t)(blank - now));
	period = r->cpu.period.v ? arena_printf(a, "%" PRIu64, r->cpu.period.v)
		 : *blank        ? blank + 1
				 : "100000";
	return cg_write(a, d, "cpu.max", arena_printf(a, "%s %s", quota, period), e);
}

int cg_v2_cpu(struct arena *a, const struct cgroup_dir *d, const struct resources *r, struct err *e)
{
	int64_t quota = r->cpu.quota.v;
	bool again = false;

	if (r->cpu.realtime_period.v || r->cpu.realtime_runtime.v)
		return fail(e, 0, "cgroup: cpu: realtime limits are not supported on cgroup v2");
	if (r->cpu.idle.set && cg_write_i64(a, d, "cpu.idle", r->cpu.idle.v, e))
		return -1;
	if (r->cpu.shares.v && r->cpu.idle.v != 1 &&
	    cg_write_u64(a, d, "cpu.weight", cg_cpu_weight(r->cpu.shares.v), e))
		return -1;
	/* A burst that does not go with the old quota is tried again after the new one. */
	if (r->cpu.burst.set && cg_write_u64(a, d, "cpu.max.burst", r->cpu.burst.v, e)) {
		if (e->errnum != EINVAL || !quota)
			return -1;
		again = true;
	}
	if (set_cpu_max(a, d, r, e))
		return -1;
	return again ? cg_write_u64(a, d, "cpu.max.burst", r->cpu.burst.v, e) : 0;
}

int cg_v2_cpuset(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		 struct err *e)
{
	return cg_v1_cpuset(a, d, r, e);
}

static int set_io_max(struct arena *a, const struct cgroup_dir *d, const char *key,
		      const struct block_throttles *list, struct err *e)
{
	const char *rate;
	size_t i;

	for (i = 0; i < list->n; i++) {
		rate = list->v[i].rate ? arena_printf(a, "%" PRIu64, list->v[i].rate) : "max";
		if (cg_write(a, d, "io.max",
			     arena_printf(a, "%" PRId64 ":%" PRId64 " %s=%s", list->v[i].major,
					  list->v[i].minor, key, rate),
			     e))
			return -1;
	}
	return 0;
}

/* BFQ has a file of its own, with the range of v1. */
static int set_io_weights(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
			  struct err *e)
{
	bool bfq = cg_exists(a, d, "io.bfq.weight");
	const char *file = bfq ? "io.bfq.weight" : "io.weight";
	const struct block_weight *w;
	uint64_t n;
	size_t i;

	n = r->block_io.weight.v;
	if (n && cg_write_u64(a, d, file, bfq ? n : cg_io_weight(n), e))
		return -1;
	for (i = 0; i < r->block_io.n_devices; i++) {
		w = &r->block_io.devices[i];
		n = bfq ? w->weight.v : cg_io_weight(w->weight.v);
		if (n && cg_write(a, d, file,
				  arena_printf(a, "%" PRId64 ":%" PRId64 " %" PRIu64, w->major,
					       w->minor, n),
				  e))
			return -1;
	}
	return 0;
}

int cg_v2_io(struct arena *a, const struct cgroup_dir *d, const struct resources *r, struct err *e)
{
	if (set_io_weights(a, d, r, e) || set_io_max(a, d, "rbps", &r->block_io.read_bps, e) ||
	    set_io_max(a, d, "wbps", &r->block_io.write_bps, e) ||
	    set_io_max(a, d, "riops", &r->block_io.read_iops, e) ||
	    set_io_max(a, d, "wiops", &r->block_io.write_iops, e))
		return -1;
	return 0;
}

/* Some files take one line for each write. */
static int write_lines(struct arena *a, const struct cgroup_dir *d, const char *file,
		       const char *text, struct err *e)
{
	char *line;

	if (!strchr(text, '\n'))
		return cg_write(a, d, file, text, e);
	while ((line = cg_line(a, &text)))
		if (*line && cg_write(a, d, file, line, e))
			return -1;
	return 0;
}

/* Who is idle has no weight: the kernel would refuse one. */
bool cg_unified_idle(const struct resources *r)
{
	const char *value;
	size_t i;

	for (i = 0; i < r->unified.n; i++) {
		value = r->unified.v[i].value + strspn(r->unified.v[i].value, " \n");
		if (!strcmp(r->unified.v[i].key, "cpu.idle") &&
		    text_is(value, strcspn(value, " \n"), "1"))
			return true;
	}
	return false;
}

int cg_v2_unified(struct arena *a, const struct cgroup_dir *d, const char *controllers,
		  const struct resources *r, struct err *e)
{
	const char *key, *dot, *name;
	size_t i;

	for (i = 0; i < r->unified.n; i++) {
		key = r->unified.v[i].key;
		if (!d)
			return fail(e, 0, "cgroup: unified resources: there is no cgroup");
		if (strchr(key, '/'))
			return fail(e, 0, "cgroup: unified resource must be a file name");
		if (!strcmp(key, "cpu.weight") && cg_unified_idle(r))
			continue;
		if (write_lines(a, d, key, r->unified.v[i].value, e) == 0)
			continue;
		dot = strchr(key, '.');
		if (!dot)
			return fail(e, 0,
				    "cgroup: unified resource \"%s\" must be in the form "
				    "CONTROLLER.PARAMETER",
				    printable(a, key, 100));
		name = arena_strndup(a, key, (size_t)(dot - key));
		if ((e->errnum == ENOENT || e->errnum == EACCES || e->errnum == EPERM) &&
		    strcmp(name, "cgroup") && !cg_list_has(controllers, ' ', name))
			return fail(e, 0,
				    "cgroup: unified resource \"%s\" can't be set: controller "
				    "\"%s\" not available",
				    printable(a, key, 100), printable(a, name, 100));
		return fail_in(e, "unable to set unified resource");
	}
	return 0;
}
