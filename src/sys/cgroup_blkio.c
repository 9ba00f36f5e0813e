// SPDX-License-Identifier: Apache-2.0
/* Control groups: what a container reads from and writes to block devices. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cgroup_impl.h"
#include "../base/banned.h"

struct entry {
	uint64_t major, minor, value;
	const char *op;
};
struct entries {
	struct entry *v;
	size_t n;
};

/* The kernel's schedulers each have files of their own; the first set that says anything is it. */
static const struct file_set {
	const char *prefix, *suffix;
	bool all; /* the six others beside bytes and operations */
} file_sets[] = {
	{ "blkio.bfq.", "_recursive", true }, { "blkio.bfq.", "_recursive", false },
	{ "blkio.", "_recursive", true },     { "blkio.throttle.", "_recursive", false },
	{ "blkio.throttle.", "", false },
};

enum { TABLES = 8, BASIC_TABLES = 2 };

static const struct {
	const char *key, *file;
} tables[TABLES] = {
	{ "ioServiceBytesRecursive", "io_service_bytes" },
	{ "ioServicedRecursive", "io_serviced" },
	{ "ioQueueRecursive", "io_queued" },
	{ "ioServiceTimeRecursive", "io_service_time" },
	{ "ioWaitTimeRecursive", "io_wait_time" },
	{ "ioMergedRecursive", "io_merged" },
	{ "ioTimeRecursive", "time" },
	{ "sectorsRecursive", "sectors" },
};

/* "8:0" */
static bool read_device(char *word, struct entry *out)
{
	char *colon = word ? strchr(word, ':') : NULL;

	if (!colon)
		return false;
	*colon++ = '\0';
	return parse_u64(word, strlen(word), &out->major) &&
	       parse_u64(colon, strlen(colon), &out->minor);
}

/* "8:0 Read 1282048", "8:0 6792"; a line of totals has no device. */
static void read_v1(struct arena *a, const struct cgroup_dir *d, const char *file,
		    struct entries *out)
{
	const char *text;
	char *line, *word;
	struct entry x;
	struct err e;

	if (cg_read(a, d, file, &text, &e))
		return;
	while ((line = cg_line(a, &text))) {
		word = strsep(&line, " ");
		if (!line || !read_device(word, &x))
			continue;
		word = strsep(&line, " ");
		x.op = line ? word : "";
		word = line ? line : word;
		if (parse_u64(word, strlen(word), &x.value))
			*arena_push(a, out->v, out->n) = x;
	}
}

static void gather_v1(struct arena *a, const struct cgroup_dir *d, struct entries *out)
{
	const struct file_set *s;
	size_t i, t;

	for (i = 0; i < sizeof file_sets / sizeof file_sets[0]; i++) {
		s = &file_sets[i];
		for (t = 0; t < (size_t)(s->all ? TABLES : BASIC_TABLES); t++)
			read_v1(a, d,
				arena_printf(a, "%s%s%s", s->prefix, tables[t].file, s->suffix),
				&out[t]);
		if (out[0].n)
			return;
	}
}

/* "8:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0" */
static void gather_v2(struct arena *a, const struct cgroup_dir *d, struct entries *out)
{
	static const struct {
		const char *key, *op;
		size_t table;
	} names[] = { { "rbytes=", "Read", 0 },
		      { "wbytes=", "Write", 0 },
		      { "rios=", "Read", 1 },
		      { "wios=", "Write", 1 } };
	const char *text;
	char *line, *word;
	struct entry x;
	struct err e;
	size_t i, len;

	if (cg_read(a, d, "io.stat", &text, &e))
		return;
	while ((line = cg_line(a, &text))) {
		if (!read_device(strsep(&line, " "), &x))
			continue;
		while ((word = strsep(&line, " "))) {
			for (i = 0; i < sizeof names / sizeof names[0]; i++) {
				len = strlen(names[i].key);
				x.op = names[i].op;
				if (!strncmp(word, names[i].key, len) &&
				    parse_u64(word + len, strlen(word + len), &x.value))
					*arena_push(a, out[names[i].table].v,
						    out[names[i].table].n) = x;
			}
		}
	}
}

static void put_number(struct jsonw *w, const char *key, uint64_t n)
{
	char text[24];
	int len;

	if (!n)
		return;
	len = snprintf(text, sizeof text, "%" PRIu64, n);
	jsonw_key(w, key);
	jsonw_raw(w, text, (size_t)len);
}

void cg_put_blkio(struct arena *a, struct jsonw *w, const struct cgroup *cg)
{
	const struct cgroup_dir *v1 = cg_dir(cg, "blkio"), *v2 = cg_dir(cg, "");
	struct entries all[TABLES] = { 0 };
	size_t t, i;

	if (v1)
		gather_v1(a, v1, all);
	else if (v2)
		gather_v2(a, v2, all);
	jsonw_key(w, "blkio");
	jsonw_object(w);
	for (t = 0; t < TABLES; t++) {
		if (!all[t].n)
			continue;
		jsonw_key(w, tables[t].key);
		jsonw_array(w);
		for (i = 0; i < all[t].n; i++) {
			jsonw_object(w);
			put_number(w, "major", all[t].v[i].major);
			put_number(w, "minor", all[t].v[i].minor);
			if (*all[t].v[i].op)
				jsonw_kv(w, "op", all[t].v[i].op);
			put_number(w, "value", all[t].v[i].value);
			jsonw_end(w);
		}
		jsonw_end(w);
	}
	if (cg->mode == CGROUP_V2)
		cg_put_pressure(a, w, v2, "io.pressure");
	jsonw_end(w);
}
