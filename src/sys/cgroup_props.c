// SPDX-License-Identifier: Apache-2.0
/* Control groups: limits and devices as properties of a unit of systemd. */
#include "cgroup_systemd.h"

#include <inttypes.h>
#include <string.h>

#include "cgroup_device.h"
#include "cgroup_impl.h"
#include "cgroup_v2.h"
#include "../base/str.h"
#include "../core/chars.h"
#include "../base/banned.h"

enum {
	CPU_MAX = 8191,           /* what systemd takes */
	VERSION_IDLE = 252,       /* a weight of 0 means idle */
	VERSION_OOM_POLICY = 253, /* of scopes */
	QUOTA_STEP = 10000,       /* systemd counts in hundredths of a CPU */
	DEFAULT_PERIOD = 100000,
	USEC_PER_S = 1000000,
	KEY_SHOWN = 100,
};

static struct cg_prop *add(struct arena *a, struct cg_props *out, const char *name, char type)
{
	struct cg_prop *p = arena_push(a, out->v, out->n);

	p->name = name;
	p->type = type;
	return p;
}

static void add_text(struct arena *a, struct cg_props *out, const char *name, const char *text)
{
	add(a, out, name, 's')->text = text;
}

/* UINT64_MAX is "infinity" to systemd. */
static void add_number(struct arena *a, struct cg_props *out, const char *name, uint64_t n)
{
	add(a, out, name, 't')->number = n;
}

static void add_bool(struct arena *a, struct cg_props *out, const char *name, bool b)
{
	add(a, out, name, 'b')->number = b;
}

/* -1, no limit, becomes infinity by itself; 0 is not given. */
static void add_limit(struct arena *a, struct cg_props *out, const char *name, int64_t n)
{
	if (n)
		add_number(a, out, name, (uint64_t)n);
}

int cg_cpu_bits(struct arena *a, const char *list, const uint8_t **bytes, size_t *n, struct err *e)
{
	uint8_t *out = arena_alloc(a, CPU_MAX / 8 + 1);
	char *words = arena_strdup(a, list), *word, *dash;
	uint64_t from, to;

	*n = 0;
	while ((word = strsep(&words, ","))) {
		if (!*word)
			continue;
		dash = strchr(word, '-');
		if (dash)
			*dash++ = '\0';
		if (!parse_u64(word, strlen(word), &from) ||
		    !parse_u64(dash ? dash : word, strlen(dash ? dash : word), &to) || from > to ||
		    to > CPU_MAX)
			return fail(e, 0, "cgroup: '%s' is no list of CPUs or memory nodes",
				    printable(a, list, KEY_SHOWN));
		for (; from <= to; from++)
			out[from / 8] = (uint8_t)(out[from / 8] | 1u << from % 8);
		if (to / 8 + 1 > *n)
			*n = to / 8 + 1;
	}
	*bytes = out;
	return 0;
}

static int add_bits(struct arena *a, struct cg_props *out, const char *name, const char *list,
		    struct err *e)
{
	struct cg_prop *p;

	if (!list || !*list)
		return 0;
	p = add(a, out, name, 'y');
	return cg_cpu_bits(a, list, &p->bytes, &p->n, e);
}

static void add_quota(struct arena *a, struct cg_props *out, int64_t *quota, uint64_t period)
{
	uint64_t per_s = UINT64_MAX;

	if (period)
		add_number(a, out, "CPUQuotaPeriodUSec", period);
	if (!*quota && !period)
		return;
	if (!period)
		period = DEFAULT_PERIOD;
	if (*quota > 0 && *quota < INT64_MAX / USEC_PER_S) {
		per_s = (uint64_t)*quota * USEC_PER_S / period;
		if (per_s % QUOTA_STEP) {
			per_s += QUOTA_STEP - per_s % QUOTA_STEP;
			*quota = (int64_t)(per_s * period / USEC_PER_S);
		}
	}
	add_number(a, out, "CPUQuotaPerSecUSec", per_s);
}

static void add_tasks(struct arena *a, struct cg_props *out, uint64_t n)
{
	add_number(a, out, "TasksMax", n ? n : 1); /* it takes no 0 */
}

/* Value of a file of the unified map: a number or "max"; blanks around it are nothing. */
static int read_unified(struct arena *a, const struct pair *p, uint64_t *n, struct err *e)
{
	const char *text = p->value + strspn(p->value, " \n");
	size_t len = strcspn(text, " \n");

	*n = UINT64_MAX;
	if (text_is(text, len, "max") || parse_u64(text, len, n))
		return 0;
	return fail(e, 0, "cgroup: unified resource \"%s\": not a number",
		    printable(a, p->key, KEY_SHOWN));
}

/* "50000 100000", "max" */
static int add_unified_quota(struct arena *a, struct cg_props *out, const struct pair *p,
			     struct err *e)
{
	const char *second = strchr(p->value, ' ');
	uint64_t quota, period = DEFAULT_PERIOD;
	int64_t rounded;

	if (read_unified(a, p, &quota, e))
		return -1;
	if (second && !parse_u64(second + 1, strcspn(second + 1, " \n"), &period))
		return fail(e, 0, "cgroup: unified resource \"cpu.max\": not a number");
	rounded = quota > INT64_MAX ? -1 : (int64_t)quota;
	add_quota(a, out, &rounded, period);
	return 0;
}

static const char *unified_value(const struct resources *r, const char *key)
{
	size_t i;

	for (i = 0; i < r->unified.n; i++)
		if (!strcmp(r->unified.v[i].key, key))
			return r->unified.v[i].value;
	return NULL;
}

static bool is_idle(const struct resources *r, unsigned version)
{
	return version >= VERSION_IDLE && (r->cpu.idle.v == 1 || cg_unified_idle(r));
}

/* What systemd does not know of it reaches the cgroup all the same, by hand. */
static int add_unified(struct arena *a, struct cg_props *out, const struct resources *r,
		       unsigned version, struct err *e)
{
	static const struct {
		const char *key, *name;
	} numbers[] = {
		{ "cpu.weight", "CPUWeight" }, { "memory.high", "MemoryHigh" },
		{ "memory.low", "MemoryLow" }, { "memory.min", "MemoryMin" },
		{ "memory.max", "MemoryMax" }, { "memory.swap.max", "MemorySwapMax" },
		{ "pids.max", "TasksMax" },
	};
	const struct pair *p;
	uint64_t n;
	size_t i, k;

	for (i = 0; i < r->unified.n; i++) {
		p = &r->unified.v[i];
		if (!strcmp(p->key, "cpu.max") && add_unified_quota(a, out, p, e))
			return -1;
		if (!strcmp(p->key, "cpuset.cpus") && add_bits(a, out, "AllowedCPUs", p->value, e))
			return -1;
		if (!strcmp(p->key, "cpuset.mems") &&
		    add_bits(a, out, "AllowedMemoryNodes", p->value, e))
			return -1;
		for (k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
			if (strcmp(p->key, numbers[k].key) || (k == 0 && is_idle(r, version)))
				continue;
			if (read_unified(a, p, &n, e))
				return -1;
			add_number(a, out, numbers[k].name,
				   n || strcmp(p->key, "pids.max") ? n : 1);
		}
	}
	return 0;
}

static int add_memory(struct arena *a, struct cg_props *out, enum cgroup_mode mode,
		      const struct resources *r, struct err *e)
{
	int64_t swap;

	if (mode != CGROUP_V2) {
		add_limit(a, out, "MemoryLimit", r->memory.limit.v);
		return 0;
	}
	add_limit(a, out, "MemoryMax", r->memory.limit.v);
	add_limit(a, out, "MemoryLow", r->memory.reservation.v);
	if (!r->memory.limit.v && r->memory.swap.v > 0)
		return 0; /* an update of it alone: by hand, where the limit of memory is known */
	if (cg_swap_max(r->memory.limit.v, r->memory.swap.v, &swap, e))
		return -1;
	if (swap || r->memory.swap.v > 0)
		add_number(a, out, "MemorySwapMax", (uint64_t)swap);
	return 0;
}

static void add_cpu(struct arena *a, struct cg_props *out, enum cgroup_mode mode, unsigned version,
		    struct resources *r)
{
	if (mode != CGROUP_V2 && r->cpu.shares.v)
		add_number(a, out, "CPUShares", r->cpu.shares.v);
	if (mode == CGROUP_V2 && is_idle(r, version))
		add_number(a, out, "CPUWeight", 0);
	else if (mode == CGROUP_V2 && r->cpu.shares.v)
		add_number(a, out, "CPUWeight", cg_cpu_weight(r->cpu.shares.v));
	add_quota(a, out, &r->cpu.quota.v, r->cpu.period.v);
}

int cg_limit_props(struct arena *a, enum cgroup_mode mode, unsigned version, struct resources *r,
		   struct cg_props *out, struct err *e)
{
	const char *group = unified_value(r, "memory.oom.group");

	if (add_memory(a, out, mode, r, e))
		return -1;
	add_cpu(a, out, mode, version, r);
	if (mode != CGROUP_V2 && r->block_io.weight.v)
		add_number(a, out, "BlockIOWeight", r->block_io.weight.v);
	if (r->pids_limit.set)
		add_tasks(a, out, (uint64_t)r->pids_limit.v);
	if (add_bits(a, out, "AllowedCPUs", r->cpu.cpus, e) ||
	    add_bits(a, out, "AllowedMemoryNodes", r->cpu.mems, e))
		return -1;
	if (group && version >= VERSION_OOM_POLICY)
		add_text(a, out, "OOMPolicy", group[0] == '1' ? "kill" : "continue");
	return mode == CGROUP_V2 ? add_unified(a, out, r, version, e) : 0;
}

static const char *access_text(struct arena *a, const struct cg_device_rule *r)
{
	return strrchr(cg_device_text(a, r), ' ') + 1;
}

static const char *device_path(struct arena *a, const struct cg_device_rule *r)
{
	const char *kind = r->type == 'b' ? "block" : "char";

	if (r->major < 0)
		return r->minor < 0 ? arena_printf(a, "%s-*", kind) : NULL;
	if (r->minor < 0)
		return arena_printf(a, "%s-%" PRId64, kind, r->major);
	return arena_printf(a, "/dev/%s/%" PRId64 ":%" PRId64, kind, r->major, r->minor);
}

/* systemd knows lists of what is allowed only; what it cannot be told is left to the filter that we
 * set ourselves, which must agree to everything.
 */
int cg_device_props(struct arena *a, const struct resources *r, struct cg_props *out, struct err *e)
{
	struct cg_device_rules rules, list;
	struct cg_device_allow *allow = NULL, one;
	struct err ignored;
	struct cg_prop *p;
	size_t i, n = 0;
	bool whole;

	if (cg_device_rules(a, r, &rules, e))
		return -1;
	whole = cg_device_list(a, &rules, &list, &ignored) == 0 && !list.v[0].allow;
	for (i = 1; whole && i < list.n; i++) {
		one.path = device_path(a, &list.v[i]);
		one.access = access_text(a, &list.v[i]);
		if (!one.path)
			whole = false;
		else
			*arena_push(a, allow, n) = one;
	}
	add(a, out, "DeviceAllow", 'd'); /* an empty one takes away what was there */
	add_text(a, out, "DevicePolicy", whole ? "strict" : "auto");
	if (whole && n) {
		p = add(a, out, "DeviceAllow", 'd');
		p->devices = allow;
		p->n = n;
	}
	return 0;
}

void cg_scope_props(struct arena *a, const struct cgroup *cg, const char *id, pid_t pid,
		    struct cg_props *out)
{
	add_text(a, out, "Description", arena_printf(a, "credsbox container %s", id));
	add_text(a, out, "Slice", cg->slice);
	add_bool(a, out, "Delegate", true);
	add(a, out, "PIDs", 'u')->number = (uint64_t)pid;
	add_bool(a, out, "MemoryAccounting", true);
	add_bool(a, out, "CPUAccounting", true);
	add_bool(a, out, cg->mode == CGROUP_V2 ? "IOAccounting" : "BlockIOAccounting", true);
	add_bool(a, out, "TasksAccounting", true);
	add_bool(a, out, "DefaultDependencies", false);
}
