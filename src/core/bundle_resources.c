// SPDX-License-Identifier: Apache-2.0
/* config.json -> struct bundle: limits for the cgroup, linux.resources. */
#include "bundle_read.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

/* -1 stands for "no limit", or for "all devices". */
static const struct range range_limit = { -1, INT64_MAX };
static const struct range range_any_device = { -1, UINT32_MAX };
static const struct range range_device = { 0, UINT32_MAX };
static const struct range range_weight = { 0, UINT16_MAX };
static const struct range range_percent = { 0, 100 };
static const struct range range_switch = { 0, 1 };

// clang-format off
static const struct name rule_types[] = { { "a", 'a' }, { "b", 'b' }, { "c", 'c' }, { NULL, 0 } };
// clang-format on

static int read_rule_type(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	int type = 0;

	(void)f;
	if (read_word(r, v, rule_types, "device type", &type))
		return -1;
	*(char *)out = (char)type;
	return 0;
}

static int read_access(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	if (v->text[strspn(v->text, "rwm")])
		return fields_fail(r, v, "expected letters out of r, w, m");
	return field_string(r, v, f, out);
}

static int check_device_rule(struct reader *r, const struct json *v, void *item)
{
	struct device_rule *rule = item;

	(void)r;
	(void)v;
	if (!rule->type)
		rule->type = 'a';
	return 0;
}

static int read_page_size(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	size_t digits = strspn(v->text, "0123456789");
	const char *unit = v->text + digits;

	if (!digits || v->text[0] == '0' || !*unit || !strchr("KMG", *unit) ||
	    strcmp(unit + 1, "B"))
		return fields_fail(r, v, "expected a size such as 64KB, 2MB or 1GB");
	return field_string(r, v, f, out);
}

// clang-format off
static const struct field rdma_fields[] = {
	{ "hcaHandles", JSON_NUMBER, field_opt_u32, offsetof(struct rdma_limit, hca_handles), 0, NULL, NULL },
	{ "hcaObjects", JSON_NUMBER, field_opt_u32, offsetof(struct rdma_limit, hca_objects), 0, NULL, NULL },
	{ .key = NULL }
};
// clang-format on

static int read_rdma(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct resources *res = out;
	struct rdma_limit *limit;
	const struct json *m;

	(void)f;
	res->rdma = arena_array(r->arena, v->count, sizeof *res->rdma);
	for (m = v->first; m; m = m->next) {
		if (!*m->key)
			return fields_fail(r, v, "a key must not be empty");
		limit = &res->rdma[res->n_rdma++];
		limit->device = m->key;
		if (fields_read(r, m, rdma_fields, limit))
			return -1;
	}
	return 0;
}

/* The keys are files of the container's own cgroup: none may lead out of it. */
static int read_unified(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	const struct json *m;

	if (read_pairs(r, v, f, out))
		return -1;
	for (m = v->first; m; m = m->next)
		if (strchr(m->key, '/') || m->key[0] == '.')
			return fields_fail(r, m, "must be the name of a file in the cgroup");
	return 0;
}

#define IN(member) offsetof(struct resources, member)

// clang-format off
static const struct field device_rule_fields[] = {
	{ "allow", JSON_BOOL, field_bool, offsetof(struct device_rule, allow), FIELD_REQUIRED, NULL, NULL },
	{ "type", JSON_STRING, read_rule_type, offsetof(struct device_rule, type), 0, NULL, NULL },
	{ "major", JSON_NUMBER, field_opt_i64, offsetof(struct device_rule, major), 0, &range_any_device, NULL },
	{ "minor", JSON_NUMBER, field_opt_i64, offsetof(struct device_rule, minor), 0, &range_any_device, NULL },
	{ "access", JSON_STRING, read_access, offsetof(struct device_rule, access), 0, NULL, NULL },
	{ .key = NULL }
};
static const struct list_of list_device_rules = { device_rule_fields, sizeof(struct device_rule), 0, check_device_rule };

static const struct field memory_fields[] = {
	{ "limit", JSON_NUMBER, field_opt_i64, IN(memory.limit), 0, &range_limit, NULL },
	{ "reservation", JSON_NUMBER, field_opt_i64, IN(memory.reservation), 0, &range_limit, NULL },
	{ "swap", JSON_NUMBER, field_opt_i64, IN(memory.swap), 0, &range_limit, NULL },
	{ "kernel", JSON_NUMBER, field_opt_i64, IN(memory.kernel), 0, &range_limit, NULL },
	{ "kernelTCP", JSON_NUMBER, field_opt_i64, IN(memory.kernel_tcp), 0, &range_limit, NULL },
	{ "swappiness", JSON_NUMBER, field_opt_u64, IN(memory.swappiness), 0, &range_percent, NULL },
	{ "disableOOMKiller", JSON_BOOL, field_opt_bool, IN(memory.disable_oom_killer), 0, NULL, NULL },
	{ "useHierarchy", JSON_BOOL, field_opt_bool, IN(memory.use_hierarchy), 0, NULL, NULL },
	{ "checkBeforeUpdate", JSON_BOOL, field_opt_bool, IN(memory.check_before_update), 0, NULL, NULL },
	{ .key = NULL }
};

static const struct field cpu_fields[] = {
	{ "shares", JSON_NUMBER, field_opt_u64, IN(cpu.shares), 0, NULL, NULL },
	{ "quota", JSON_NUMBER, field_opt_i64, IN(cpu.quota), 0, &range_limit, NULL },
	{ "burst", JSON_NUMBER, field_opt_u64, IN(cpu.burst), 0, NULL, NULL },
	{ "period", JSON_NUMBER, field_opt_u64, IN(cpu.period), 0, NULL, NULL },
	{ "realtimeRuntime", JSON_NUMBER, field_opt_i64, IN(cpu.realtime_runtime), 0, &range_limit, NULL },
	{ "realtimePeriod", JSON_NUMBER, field_opt_u64, IN(cpu.realtime_period), 0, NULL, NULL },
	{ "cpus", JSON_STRING, field_string, IN(cpu.cpus), 0, NULL, NULL },
	{ "mems", JSON_STRING, field_string, IN(cpu.mems), 0, NULL, NULL },
	{ "idle", JSON_NUMBER, field_opt_i64, IN(cpu.idle), 0, &range_switch, NULL },
	{ .key = NULL }
};

static const struct field block_weight_fields[] = {
	{ "major", JSON_NUMBER, field_i64, offsetof(struct block_weight, major), FIELD_REQUIRED, &range_device, NULL },
	{ "minor", JSON_NUMBER, field_i64, offsetof(struct block_weight, minor), FIELD_REQUIRED, &range_device, NULL },
	{ "weight", JSON_NUMBER, field_opt_u32, offsetof(struct block_weight, weight), 0, &range_weight, NULL },
	{ "leafWeight", JSON_NUMBER, field_opt_u32, offsetof(struct block_weight, leaf_weight), 0, &range_weight, NULL },
	{ .key = NULL }
};
static const struct list_of list_block_weights = { block_weight_fields, sizeof(struct block_weight), 0, NULL };

static const struct field block_throttle_fields[] = {
	{ "major", JSON_NUMBER, field_i64, offsetof(struct block_throttle, major), FIELD_REQUIRED, &range_device, NULL },
	{ "minor", JSON_NUMBER, field_i64, offsetof(struct block_throttle, minor), FIELD_REQUIRED, &range_device, NULL },
	{ "rate", JSON_NUMBER, field_u64, offsetof(struct block_throttle, rate), FIELD_REQUIRED, NULL, NULL },
	{ .key = NULL }
};
static const struct list_of list_block_throttles = { block_throttle_fields, sizeof(struct block_throttle), 0, NULL };

static const struct field block_io_fields[] = {
	{ "weight", JSON_NUMBER, field_opt_u32, IN(block_io.weight), 0, &range_weight, NULL },
	{ "leafWeight", JSON_NUMBER, field_opt_u32, IN(block_io.leaf_weight), 0, &range_weight, NULL },
	{ "weightDevice", JSON_ARRAY, field_list, IN(block_io.devices), 0, &list_block_weights, NULL },
	{ "throttleReadBpsDevice", JSON_ARRAY, field_list, IN(block_io.read_bps), 0, &list_block_throttles, NULL },
	{ "throttleWriteBpsDevice", JSON_ARRAY, field_list, IN(block_io.write_bps), 0, &list_block_throttles, NULL },
	{ "throttleReadIOPSDevice", JSON_ARRAY, field_list, IN(block_io.read_iops), 0, &list_block_throttles, NULL },
	{ "throttleWriteIOPSDevice", JSON_ARRAY, field_list, IN(block_io.write_iops), 0, &list_block_throttles, NULL },
	{ .key = NULL }
};

static const struct field pids_fields[] = {
	{ "limit", JSON_NUMBER, field_opt_i64, IN(pids_limit), 0, &range_limit, NULL },
	{ .key = NULL }
};

static const struct field hugepage_fields[] = {
	{ "pageSize", JSON_STRING, read_page_size, offsetof(struct hugepage_limit, page_size), FIELD_REQUIRED, NULL, NULL },
	{ "limit", JSON_NUMBER, field_u64, offsetof(struct hugepage_limit, limit), FIELD_REQUIRED, NULL, NULL },
	{ .key = NULL }
};
static const struct list_of list_hugepages = { hugepage_fields, sizeof(struct hugepage_limit), 0, NULL };

static const struct field net_priority_fields[] = {
	{ "name", JSON_STRING, field_string, offsetof(struct net_priority, name), FIELD_REQUIRED | FIELD_NONEMPTY, NULL, NULL },
	{ "priority", JSON_NUMBER, field_u32, offsetof(struct net_priority, priority), FIELD_REQUIRED, NULL, NULL },
	{ .key = NULL }
};
static const struct list_of list_net_priorities = { net_priority_fields, sizeof(struct net_priority), 0, NULL };

static const struct field network_fields[] = {
	{ "classID", JSON_NUMBER, field_opt_u32, IN(net_class_id), 0, NULL, NULL },
	{ "priorities", JSON_ARRAY, field_list, IN(net_priorities), 0, &list_net_priorities, NULL },
	{ .key = NULL }
};

/* Tables of inner objects count from struct resources too, hence the offset 0. */
const struct field resources_fields[] = {
	{ "devices", JSON_ARRAY, field_list, IN(devices), 0, &list_device_rules, NULL },
	{ "memory", JSON_OBJECT, field_object, 0, 0, memory_fields, NULL },
	{ "cpu", JSON_OBJECT, field_object, 0, 0, cpu_fields, NULL },
	{ "blockIO", JSON_OBJECT, field_object, 0, 0, block_io_fields, NULL },
	{ "pids", JSON_OBJECT, field_object, 0, 0, pids_fields, NULL },
	{ "hugepageLimits", JSON_ARRAY, field_list, IN(hugepages), 0, &list_hugepages, NULL },
	{ "network", JSON_OBJECT, field_object, 0, 0, network_fields, NULL },
	{ "rdma", JSON_OBJECT, read_rdma, 0, 0, NULL, NULL },
	{ "unified", JSON_OBJECT, read_unified, IN(unified), 0, NULL, NULL },
	{ .key = NULL }
};
// clang-format on
