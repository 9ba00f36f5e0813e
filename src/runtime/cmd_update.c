// SPDX-License-Identifier: Apache-2.0
/* credsbox update: other limits for a container that is there. */
#include "cmd.h"

#include <getopt.h>
#include <string.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "container.h"
#include "units.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox update - change the limits of a container\n"
	"\n"
	"USAGE:\n"
	"   credsbox update [OPTION...] ID\n"
	"\n"
	"Sizes take units (50M, 1.5G), -1 is no limit. What is not named stays as it is.\n"
	"\n"
	"  -r, --resources FILE      all from FILE, or - for standard input, as linux.resources "
	"has\n"
	"                            it in config.json; other options are ignored then\n"
	"      --blkio-weight N      weight among others at block devices, 10 to 1000\n"
	"      --cpu-burst N         microseconds beyond the quota that may have been saved up\n"
	"      --cpu-idle N          1: only when nobody else wants to run; 0: as others\n"
	"      --cpu-period N        microseconds that the quota is counted in\n"
	"      --cpu-quota N         microseconds of CPU time in each period\n"
	"      --cpu-rt-period N     the same for processes of a realtime class\n"
	"      --cpu-rt-runtime N\n"
	"      --cpu-share N         weight among others at the CPUs\n"
	"      --cpuset-cpus LIST    CPUs to use\n"
	"      --cpuset-mems LIST    memory nodes to use\n"
	"      --memory SIZE         limit of memory\n"
	"      --memory-reservation SIZE\n"
	"                            what it should get by with when memory is short\n"
	"      --memory-swap SIZE    limit of memory and swap together\n"
	"      --pids-limit N        limit of processes\n"
	"      --l3-cache-schema S   not supported\n"
	"      --mem-bw-schema S     not supported\n";

enum { OPT_TEXT = 256 };

/* How a value is read, and where it goes. */
enum value_type { VALUE_SIZE, VALUE_I64, VALUE_U64, VALUE_U32, VALUE_TEXT, VALUE_REFUSED };

static const struct {
	const char *name;
	enum value_type type;
	size_t offset;
} values[] = {
	{ "blkio-weight", VALUE_U32, offsetof(struct resources, block_io.weight) },
	{ "cpu-burst", VALUE_U64, offsetof(struct resources, cpu.burst) },
	{ "cpu-idle", VALUE_I64, offsetof(struct resources, cpu.idle) },
	{ "cpu-period", VALUE_U64, offsetof(struct resources, cpu.period) },
	{ "cpu-quota", VALUE_I64, offsetof(struct resources, cpu.quota) },
	{ "cpu-rt-period", VALUE_U64, offsetof(struct resources, cpu.realtime_period) },
	{ "cpu-rt-runtime", VALUE_I64, offsetof(struct resources, cpu.realtime_runtime) },
	{ "cpu-share", VALUE_U64, offsetof(struct resources, cpu.shares) },
	{ "cpuset-cpus", VALUE_TEXT, offsetof(struct resources, cpu.cpus) },
	{ "cpuset-mems", VALUE_TEXT, offsetof(struct resources, cpu.mems) },
	{ "kernel-memory", VALUE_SIZE, offsetof(struct resources, memory.kernel) },
	{ "kernel-memory-tcp", VALUE_SIZE, offsetof(struct resources, memory.kernel_tcp) },
	{ "l3-cache-schema", VALUE_REFUSED, 0 },
	{ "mem-bw-schema", VALUE_REFUSED, 0 },
	{ "memory", VALUE_SIZE, offsetof(struct resources, memory.limit) },
	{ "memory-reservation", VALUE_SIZE, offsetof(struct resources, memory.reservation) },
	{ "memory-swap", VALUE_SIZE, offsetof(struct resources, memory.swap) },
	{ "pids-limit", VALUE_I64, offsetof(struct resources, pids_limit) },
};
enum { VALUES = sizeof values / sizeof values[0] };

struct update_args {
	const char *id, *file;
	struct resources res;
	bool help;
};

static bool read_value(enum value_type type, const char *text, void *out)
{
	size_t len = strlen(text);
	struct opt_i64 *i64 = out;
	struct opt_u64 *u64 = out;
	struct opt_u32 *u32 = out;
	uint64_t n;

	switch (type) {
	case VALUE_SIZE: return i64->set = parse_size(text, &i64->v);
	case VALUE_I64: return i64->set = parse_i64(text, len, &i64->v);
	case VALUE_U64: return u64->set = parse_u64(text, len, &u64->v);
	case VALUE_U32:
		if (!parse_u64(text, len, &n) || n > UINT16_MAX)
			return false;
		*u32 = (struct opt_u32){ true, (uint32_t)n };
		return true;
	case VALUE_TEXT: *(const char **)out = text; return true;
	case VALUE_REFUSED: break;
	}
	return false;
}

/* An empty argument is as if the option were not there, as with runc. */
static int take_value(struct update_args *o, size_t i, const char *text)
{
	if (!*text)
		return 0;
	if (values[i].type == VALUE_REFUSED)
		return cmd_usage("update", "--%s: Intel RDT is not supported", values[i].name);
	if (!read_value(values[i].type, text, (char *)&o->res + values[i].offset))
		return cmd_usage("update", "invalid value for %s", values[i].name);
	return 0;
}

static int parse(int argc, char **argv, struct update_args *o)
{
	struct option options[VALUES + 3] = {
		{ "resources", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
	};
	size_t i;
	int c;

	for (i = 0; i < VALUES; i++)
		options[i + 2] = (struct option){ values[i].name, required_argument, NULL,
						  OPT_TEXT + (int)i };
	optind = 0; /* anew, and words may stand before options */
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":r:h", options, NULL)) != -1) {
		if (c == 'r')
			o->file = optarg;
		else if (c == 'h')
			return o->help = true, 0;
		else if (c < OPT_TEXT)
			return cmd_bad_option("update", c, argv);
		else if (take_value(o, (size_t)c - OPT_TEXT, optarg))
			return 1;
	}
	if (optind + 1 != argc)
		return cmd_usage("update", "one container is wanted");
	o->id = argv[optind];
	return 0;
}

static int read_file(struct arena *a, struct update_args *o, struct err *e)
{
	const char *name = strcmp(o->file, "-") ? "resources" : "standard input";
	const struct json *top;
	const char *text;
	size_t len;

	if (file_read(a, o->file, true, JSON_MAX_SIZE, &text, &len, e))
		return -1;
	if (json_parse(a, text, len, &top, e) || bundle_read_resources(a, top, &o->res, e))
		return fail_in(e, "%s", name);
	return 0;
}

static int update(struct arena *a, const struct container *c, const struct resources *r,
		  struct err *e)
{
	const char *warning = cgroup_warning(r);

	if (c->status == STATUS_STOPPED || c->status == STATUS_CREATING)
		return fail(e, 0, "container not running");
	if (!c->has_cgroup)
		return fail(e, 0, "the container's cgroup is not known");
	if (warning)
		log_warn("%s", warning);
	return cgroup_update(a, &c->cgroup, r, e);
}

int cmd_update(const struct global *g, int argc, char **argv)
{
	struct update_args o = { 0 };
	struct arena a = { 0 };
	struct container c;
	struct err e;
	int rc;

	if (parse(argc, argv, &o))
		return 1;
	if (o.help)
		return cmd_print("update", usage, sizeof usage - 1);
	rc = o.file ? read_file(&a, &o, &e) : 0;
	if (!rc && !(rc = container_take(&a, g, o.id, false, &c, &e))) {
		rc = update(&a, &c, &o.res, &e);
		container_close(&c);
	}
	if (rc)
		rc = cmd_fail("update", &e);
	arena_release(&a);
	return rc;
}
