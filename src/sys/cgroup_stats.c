// SPDX-License-Identifier: Apache-2.0
/* Control groups: what a container uses, in the fields and names that runc has for it. */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cgroup_impl.h"
#include "../core/chars.h"
#include "../base/banned.h"

enum { NS_PER_S = 1000000000, NS_PER_US = 1000, CPU_NUMBER_MAX = 65535 };

static void put_u64(struct jsonw *w, uint64_t n)
{
	char text[24];
	int len = snprintf(text, sizeof text, "%" PRIu64, n);

	jsonw_raw(w, text, (size_t)len);
}

static void put(struct jsonw *w, const char *key, uint64_t n)
{
	jsonw_key(w, key);
	put_u64(w, n);
}

static void put_nonzero(struct jsonw *w, const char *key, uint64_t n)
{
	if (n)
		put(w, key, n);
}

/* 0 for what this kernel does not count. */
static uint64_t value_in(struct arena *a, const struct cgroup_dir *d, const char *file)
{
	struct err e;
	uint64_t n;

	return d && cg_read_u64(a, d, file, &n, &e) == 0 ? n : 0;
}

static const char *text_in(struct arena *a, const struct cgroup_dir *d, const char *file)
{
	const char *text;
	struct err e;

	return d && cg_read(a, d, file, &text, &e) == 0 ? text : NULL;
}

/* "avg10=1.50": a number with a fraction, which goes out as it came. */
static void put_average(struct jsonw *w, const char *word)
{
	size_t key = strcspn(word, "="), len;
	const char *value = word + key + (word[key] == '=');
	char name[16];

	len = strlen(value);
	if (!len || key >= sizeof name || strspn(value, "0123456789.") != len ||
	    !is_digit(value[0]) || !is_digit(value[len - 1]))
		return;
	memcpy(name, word, key);
	name[key] = '\0';
	jsonw_key(w, name);
	jsonw_raw(w, value, len);
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" */
void cg_put_pressure(struct arena *a, struct jsonw *w, const struct cgroup_dir *d, const char *file)
{
	const char *text = text_in(a, d, file);
	char *line, *word;

	if (!text || !*text)
		return;
	jsonw_key(w, "psi");
	jsonw_object(w);
	while ((line = cg_line(a, &text))) {
		word = strsep(&line, " ");
		if (strcmp(word, "some") && strcmp(word, "full"))
			continue;
		jsonw_key(w, word);
		jsonw_object(w);
		while ((word = strsep(&line, " ")))
			put_average(w, word);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void put_numbers(struct jsonw *w, const char *key, const uint64_t *v, size_t n)
{
	size_t i;

	if (!n)
		return;
	jsonw_key(w, key);
	jsonw_array(w);
	for (i = 0; i < n; i++)
		put_u64(w, v[i]);
	jsonw_end(w);
}

struct numbers {
	uint64_t *v;
	size_t n;
};

static void add_word(struct arena *a, struct numbers *to, const char *word)
{
	uint64_t n;

	if (word && parse_u64(word, strlen(word), &n))
		*arena_push(a, to->v, to->n) = n;
}

/* "cpu user system\n0 6155 960\n" */
static void put_cpu_by_mode(struct arena *a, struct jsonw *w, const struct cgroup_dir *d)
{
	const char *text = text_in(a, d, "cpuacct.usage_all");
	struct numbers kernel = { 0 }, user = { 0 };
	char *line;

	if (!text || !cg_line(a, &text))
		return;
	while ((line = cg_line(a, &text))) {
		strsep(&line, " ");
		add_word(a, &user, strsep(&line, " "));
		add_word(a, &kernel, strsep(&line, " "));
	}
	put_numbers(w, "percpu_kernel", kernel.v, kernel.n);
	put_numbers(w, "percpu_user", user.v, user.n);
}

static void put_cpu_usage_v1(struct arena *a, struct jsonw *w, const struct cgroup_dir *d)
{
	const char *text = text_in(a, d, "cpuacct.usage_percpu"), *stat;
	long ticks = sysconf(_SC_CLK_TCK);
	struct numbers percpu = { 0 };
	char *words;

	put_nonzero(w, "total", value_in(a, d, "cpuacct.usage"));
	for (words = arena_strdup(a, text ? text : ""); words;)
		add_word(a, &percpu, strsep(&words, " "));
	put_numbers(w, "percpu", percpu.v, percpu.n);
	put_cpu_by_mode(a, w, d);
	stat = text_in(a, d, "cpuacct.stat");
	put(w, "kernel", stat ? cg_value_of(stat, "system") * NS_PER_S / (uint64_t)ticks : 0);
	put(w, "user", stat ? cg_value_of(stat, "user") * NS_PER_S / (uint64_t)ticks : 0);
}

static void put_cpu(struct arena *a, struct jsonw *w, const struct cgroup *cg)
{
	const struct cgroup_dir *acct = cg_dir(cg, "cpuacct"), *v1 = cg_dir(cg, "cpu");
	const struct cgroup_dir *v2 = cg_dir(cg, "");
	const char *stat = text_in(a, v1 ? v1 : v2, "cpu.stat");
	const char *usage = acct ? NULL : text_in(a, v2, "cpu.stat");

	stat = stat ? stat : "";
	usage = usage ? usage : "";
	jsonw_key(w, "cpu");
	jsonw_object(w);
	jsonw_key(w, "usage");
	jsonw_object(w);
	if (acct) {
		put_cpu_usage_v1(a, w, acct);
	} else {
		put_nonzero(w, "total", cg_value_of(usage, "usage_usec") * NS_PER_US);
		put(w, "kernel", cg_value_of(usage, "system_usec") * NS_PER_US);
		put(w, "user", cg_value_of(usage, "user_usec") * NS_PER_US);
	}
	jsonw_end(w);
	jsonw_key(w, "throttling");
	jsonw_object(w);
	put_nonzero(w, "periods", cg_value_of(stat, "nr_periods"));
	put_nonzero(w, "throttledPeriods", cg_value_of(stat, "nr_throttled"));
	put_nonzero(w, "throttledTime",
		    v1 ? cg_value_of(stat, "throttled_time")
		       : cg_value_of(stat, "throttled_usec") * NS_PER_US);
	jsonw_end(w);
	if (cg->mode == CGROUP_V2)
		cg_put_pressure(a, w, v2, "cpu.pressure");
	jsonw_end(w);
}

/* "0-3,7" */
static void put_list(struct arena *a, struct jsonw *w, const char *key, const char *text)
{
	char *words = arena_strdup(a, text ? text : ""), *word, *dash;
	struct numbers list = { 0 };
	uint64_t from, to;

	while ((word = strsep(&words, ","))) {
		dash = strchr(word, '-');
		if (dash)
			*dash++ = '\0';
		if (!parse_u64(word, strlen(word), &from))
			continue;
		to = from;
		if (dash && !parse_u64(dash, strlen(dash), &to))
			continue;
		for (; from <= to && to <= CPU_NUMBER_MAX; from++)
			*arena_push(a, list.v, list.n) = from;
	}
	put_numbers(w, key, list.v, list.n);
}

static void put_cpuset(struct arena *a, struct jsonw *w, const struct cgroup *cg)
{
	static const char *const after[] = { "mem_hardwall",       "mem_exclusive",
					     "memory_migrate",     "memory_spread_page",
					     "memory_spread_slab", "memory_pressure",
					     "sched_load_balance" };
	const struct cgroup_dir *d = cg_dir(cg, "cpuset");
	const char *level = text_in(a, d, "cpuset.sched_relax_domain_level");
	int64_t n = 0;
	size_t i;

	jsonw_key(w, "cpuset");
	jsonw_object(w);
	put_list(a, w, "cpus", text_in(a, d, "cpuset.cpus"));
	put(w, "cpu_exclusive", value_in(a, d, "cpuset.cpu_exclusive"));
	put_list(a, w, "mems", text_in(a, d, "cpuset.mems"));
	for (i = 0; i < sizeof after / sizeof after[0]; i++)
		put(w, after[i], value_in(a, d, arena_printf(a, "cpuset.%s", after[i])));
	if (level)
		parse_i64(level, strlen(level), &n);
	jsonw_kv_int(w, "sched_relax_domain_level", n);
	jsonw_end(w);
}

static void put_entry(struct jsonw *w, const char *key, uint64_t limit, uint64_t usage,
		      uint64_t max, uint64_t failcnt)
{
	jsonw_key(w, key);
	jsonw_object(w);
	put(w, "limit", limit);
	put_nonzero(w, "usage", usage);
	put_nonzero(w, "max", max);
	put(w, "failcnt", failcnt);
	jsonw_end(w);
}

static void put_memory_v1(struct arena *a, struct jsonw *w, const struct cgroup_dir *d)
{
	static const struct {
		const char *key, *prefix;
	} parts[] = { { "usage", "memory" },
		      { "swap", "memory.memsw" },
		      { "kernel", "memory.kmem" },
		      { "kernelTCP", "memory.kmem.tcp" } };
	const char *p;
	size_t i;

	for (i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		p = parts[i].prefix;
		put_entry(w, parts[i].key, value_in(a, d, arena_printf(a, "%s.limit_in_bytes", p)),
			  value_in(a, d, arena_printf(a, "%s.usage_in_bytes", p)),
			  value_in(a, d, arena_printf(a, "%s.max_usage_in_bytes", p)),
			  value_in(a, d, arena_printf(a, "%s.failcnt", p)));
	}
}

/* As v1 has it, swap means memory and swap together; a peak of both is not known. */
static void put_memory_v2(struct arena *a, struct jsonw *w, const struct cgroup_dir *d)
{
	uint64_t limit = value_in(a, d, "memory.max"),
		 swap_limit = value_in(a, d, "memory.swap.max");
	uint64_t usage = value_in(a, d, "memory.current");

	if (swap_limit != UINT64_MAX && limit != UINT64_MAX)
		swap_limit += limit;
	else
		swap_limit = UINT64_MAX;
	put_entry(w, "usage", limit, usage, value_in(a, d, "memory.peak"), 0);
	put_entry(w, "swap", swap_limit, usage + value_in(a, d, "memory.swap.current"), 0, 0);
	put_entry(w, "kernel", 0, 0, 0, 0);
	put_entry(w, "kernelTCP", 0, 0, 0, 0);
}

static void put_raw(struct arena *a, struct jsonw *w, const char *stat)
{
	char *line, *key;
	uint64_t n;

	if (!*stat)
		return;
	jsonw_key(w, "raw");
	jsonw_object(w);
	while ((line = cg_line(a, &stat))) {
		key = strsep(&line, " ");
		if (line && parse_u64(line, strlen(line), &n))
			put(w, key, n);
	}
	jsonw_end(w);
}

static void put_memory(struct arena *a, struct jsonw *w, const struct cgroup *cg)
{
	const struct cgroup_dir *v1 = cg_dir(cg, "memory"), *v2 = cg_dir(cg, "");
	const char *stat = text_in(a, v1 ? v1 : v2, "memory.stat");

	stat = stat ? stat : "";
	jsonw_key(w, "memory");
	jsonw_object(w);
	put_nonzero(w, "cache", cg_value_of(stat, v1 ? "cache" : "file"));
	if (v1)
		put_memory_v1(a, w, v1);
	else
		put_memory_v2(a, w, v2);
	put_raw(a, w, stat);
	if (cg->mode == CGROUP_V2)
		cg_put_pressure(a, w, v2, "memory.pressure");
	jsonw_end(w);
}

/* Without its controller, v2 can still count processes. */
static void put_pids(struct arena *a, struct jsonw *w, const struct cgroup *cg)
{
	const struct cgroup_dir *d = cg_dir(cg, "pids") ? cg_dir(cg, "pids") : cg_dir(cg, "");
	uint64_t now, max = value_in(a, d, "pids.max");
	pid_t *pids;
	struct err e;
	size_t n;

	now = value_in(a, d, "pids.current");
	if (!now && cgroup_pids(a, cg, &pids, &n, &e) == 0)
		now = n;
	jsonw_key(w, "pids");
	jsonw_object(w);
	put_nonzero(w, "current", now);
	put_nonzero(w, "limit", max == UINT64_MAX ? 0 : max);
	jsonw_end(w);
}

/* Sizes of pages as the files' names have them: "hugepages-2048kB" is 2MB. */
static const char *page_size(struct arena *a, const char *name)
{
	size_t len = strlen(name);
	uint64_t kb;

	if (!text_starts(name, len, "hugepages-") || !text_ends(name, len, "kB") ||
	    !parse_u64(name + 10, len - 12, &kb))
		return NULL;
	if (kb >= 1 << 20)
		return arena_printf(a, "%" PRIu64 "GB", kb >> 20);
	if (kb >= 1 << 10)
		return arena_printf(a, "%" PRIu64 "MB", kb >> 10);
	return arena_printf(a, "%" PRIu64 "KB", kb);
}

static void put_hugetlb_size(struct arena *a, struct jsonw *w, const struct cgroup *cg,
			     const char *size)
{
	const struct cgroup_dir *v1 = cg_dir(cg, "hugetlb"), *v2 = cg_dir(cg, "");
	const char *p = arena_printf(a, "hugetlb.%s.rsvd", size), *events;
	const char *usage = v1 ? "usage_in_bytes" : "current";

	if (!cg_exists(a, v1 ? v1 : v2, arena_printf(a, "%s.%s", p, usage)))
		p = arena_printf(a, "hugetlb.%s", size);
	if (!cg_exists(a, v1 ? v1 : v2, arena_printf(a, "%s.%s", p, usage)))
		return;
	jsonw_key(w, size);
	jsonw_object(w);
	put_nonzero(w, "usage", value_in(a, v1 ? v1 : v2, arena_printf(a, "%s.%s", p, usage)));
	if (v1) {
		put_nonzero(w, "max", value_in(a, v1, arena_printf(a, "%s.max_usage_in_bytes", p)));
		put(w, "failcnt", value_in(a, v1, arena_printf(a, "%s.failcnt", p)));
	} else {
		events = text_in(a, v2, arena_printf(a, "hugetlb.%s.events", size));
		put(w, "failcnt", events ? cg_value_of(events, "max") : 0);
	}
	jsonw_end(w);
}

static void put_hugetlb(struct arena *a, struct jsonw *w, const struct cgroup *cg)
{
	DIR *dir = opendir("/sys/kernel/mm/hugepages");
	struct dirent *entry;
	const char *size;

	jsonw_key(w, "hugetlb");
	jsonw_object(w);
	while (dir && cg_main_dir(a, cg) && (entry = readdir(dir)))
		if ((size = page_size(a, entry->d_name)) &&
		    (cg_dir(cg, "hugetlb") || cg_dir(cg, "")))
			put_hugetlb_size(a, w, cg, size);
	jsonw_end(w);
	if (dir)
		closedir(dir);
}

int cgroup_stats(struct arena *a, const struct cgroup *cg, struct jsonw *w, struct err *e)
{
	const struct cgroup_dir *d = cg_main_dir(a, cg);

	if (!d)
		return fail(e, 0, "cgroup: the container has none, and thus no statistics");
	if (access(cg_path(a, d, NULL), F_OK))
		return fail(e, errno, "cgroup: %s", d->path);
	jsonw_object(w);
	put_cpu(a, w, cg);
	put_cpuset(a, w, cg);
	put_memory(a, w, cg);
	put_pids(a, w, cg);
	cg_put_blkio(a, w, cg);
	put_hugetlb(a, w, cg);
	jsonw_key(w, "intel_rdt");
	jsonw_object(w);
	jsonw_end(w);
	jsonw_key(w, "network_interfaces");
	jsonw_null(w);
	jsonw_end(w);
	return 0;
}
