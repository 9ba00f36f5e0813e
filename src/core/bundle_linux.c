// SPDX-License-Identifier: Apache-2.0
/* config.json -> struct bundle: the linux object, but for its resources and seccomp. */
#include "bundle_read.h"

#include <string.h>

#include "../base/str.h"
#include "chars.h"
#include "../base/banned.h"

/* Longest name of a network device, IFNAMSIZ without its NUL. */
enum { MAX_DEVICE_NAME = 15 };

static const struct range range_map_size = { 1, UINT32_MAX };
static const struct range range_device_number = { 0, UINT32_MAX };
static const struct range range_nanosecs = { 0, 999999999 };

// clang-format off
static const struct name device_types[] = { { "c", 'c' }, { "b", 'b' }, { "u", 'u' }, { "p", 'p' }, { NULL, 0 } };
static const struct name personality_flags[] = { { NULL, 0 } };
// clang-format on

struct namespace
{
	int type;
	const char *path;
};

/* Programs in Go hold no path in an empty string, and some write it down. */
static int read_ns_path(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	return v->text[0] ? read_absolute(r, v, f, out) : 0;
}

// clang-format off
static const struct field namespace_fields[] = {
	{ "type", JSON_STRING, field_enum, offsetof(struct namespace, type), FIELD_REQUIRED, names_namespaces, "namespace" },
	{ "path", JSON_STRING, read_ns_path, offsetof(struct namespace, path), 0, NULL, NULL },
	{ .key = NULL }
};
// clang-format on

static int read_namespaces(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct ns *ns = out;
	const struct json *item;

	(void)f;
	for (item = v->first; item; item = item->next) {
		struct namespace n = { 0 };

		if (fields_read(r, item, namespace_fields, &n))
			return -1;
		if (ns[n.type].listed)
			return fields_fail(r, item, "namespace '%s' is listed twice",
					   ns_name((enum ns_type)n.type));
		ns[n.type] = (struct ns){ .listed = true, .path = n.path };
	}
	return 0;
}

static int check_id_map(struct reader *r, const struct json *v, void *item)
{
	const struct id_map *m = item;

	if (m->container_id > UINT32_MAX - m->size || m->host_id > UINT32_MAX - m->size)
		return fields_fail(r, v, "the mapping goes past the last id, 4294967294");
	return 0;
}

static int read_device_type(struct reader *r, const struct json *v, const struct field *f,
			    void *out)
{
	int type = 0;

	(void)f;
	if (read_word(r, v, device_types, "device type", &type))
		return -1;
	*(char *)out = (char)type;
	return 0;
}

static int check_device(struct reader *r, const struct json *v, void *item)
{
	struct device *d = item;

	d->at = v;
	if (d->type != 'p' && (!json_get(v, "major") || !json_get(v, "minor")))
		return fields_fail(r, v, "a device needs 'major' and 'minor'");
	return 0;
}

static bool is_device_name(const char *s)
{
	size_t len = strlen(s), i;

	if (!len || len > MAX_DEVICE_NAME || !strcmp(s, ".") || !strcmp(s, ".."))
		return false;
	for (i = 0; i < len; i++)
		if (s[i] == '/' || s[i] == ':' || is_space(s[i]))
			return false;
	return true;
}

// clang-format off
static const struct field net_device_fields[] = {
	{ "name", JSON_STRING, field_string, offsetof(struct net_device, name), 0, NULL, NULL },
	{ .key = NULL }
};
// clang-format on

static int read_net_devices(struct reader *r, const struct json *v, const struct field *f,
			    void *out)
{
	struct linux_conf *lin = out;
	struct net_device *d;
	const struct json *m;

	(void)f;
	lin->net_devices = arena_array(r->arena, v->count, sizeof *lin->net_devices);
	for (m = v->first; m; m = m->next) {
		d = &lin->net_devices[lin->n_net_devices++];
		d->host_name = m->key;
		d->name = m->key;
		if (fields_read(r, m, net_device_fields, d))
			return -1;
		if (!is_device_name(d->host_name) || !is_device_name(d->name))
			return fields_fail(r, *fields_quoted(r->arena, m->key) ? m : v,
					   "no name for a network device (1 to %d bytes "
					   "without blanks, '/' and ':')",
					   MAX_DEVICE_NAME);
	}
	return 0;
}

/* Names a directory of the resctrl file system. */
static int read_clos_id(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	if (strchr(v->text, '/') || !strcmp(v->text, ".") || !strcmp(v->text, ".."))
		return fields_fail(r, v, "must be the name of a directory, without '/'");
	return field_string(r, v, f, out);
}

static int read_line(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	if (strchr(v->text, '\n'))
		return fields_fail(r, v, "must be one line");
	return field_string(r, v, f, out);
}

static int read_lines(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	const struct json *item;
	const char *line;

	if (field_strings(r, v, f, out))
		return -1;
	for (item = v->first; item; item = item->next)
		if (read_line(r, item, f, &line))
			return -1;
	return 0;
}

/* Two switches of versions 1.1 and 1.2; since 1.3 there is one for both. */
static int read_old_monitoring(struct reader *r, const struct json *v, const struct field *f,
			       void *out)
{
	struct opt_bool *monitoring = out;
	bool wanted = false;

	if (field_bool(r, v, f, &wanted))
		return -1;
	if (wanted)
		*monitoring = (struct opt_bool){ .set = true, .v = true };
	return 0;
}

static int read_memory_flags(struct reader *r, const struct json *v, const struct field *f,
			     void *out)
{
	(void)f;
	return read_word_set(r, v, names_memory_flags, "invalid memory policy flag", out);
}

static int read_masked(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct linux_conf *lin = out;

	lin->masked_at = v;
	return field_strings(r, v, f, &lin->masked_paths);
}

/* The specification has no flags yet. */
static int read_personality_flags(struct reader *r, const struct json *v, const struct field *f,
				  void *out)
{
	unsigned none = 0;

	(void)f;
	(void)out;
	return read_word_set(r, v, personality_flags, "personality flag", &none);
}

// clang-format off
static const struct field offset_fields[] = {
	{ "secs", JSON_NUMBER, field_i64, offsetof(struct time_offset, secs), 0, NULL, NULL },
	{ "nanosecs", JSON_NUMBER, field_u32, offsetof(struct time_offset, nanosecs), 0, &range_nanosecs, NULL },
	{ .key = NULL }
};
// clang-format on

/* Keyed by clock. One that has no offset in a time namespace can never be obeyed. */
static int read_time_offsets(struct reader *r, const struct json *v, const struct field *f,
			     void *out)
{
	struct linux_conf *lin = out;
	struct time_offset *t;
	const struct json *m;

	(void)f;
	for (m = v->first; m; m = m->next) {
		if (!strcmp(m->key, "monotonic"))
			t = &lin->monotonic;
		else if (!strcmp(m->key, "boottime"))
			t = &lin->boottime;
		else
			return fields_fail(r, v, "unknown clock%s (one of monotonic, boottime)",
					   fields_quoted(r->arena, m->key));
		t->set = true;
		if (fields_read(r, m, offset_fields, t))
			return -1;
	}
	return 0;
}

// clang-format off
static const struct field id_map_fields[] = {
	{ "containerID", JSON_NUMBER, field_u32, offsetof(struct id_map, container_id), FIELD_REQUIRED, &range_ids, NULL },
	{ "hostID", JSON_NUMBER, field_u32, offsetof(struct id_map, host_id), FIELD_REQUIRED, &range_ids, NULL },
	{ "size", JSON_NUMBER, field_u32, offsetof(struct id_map, size), FIELD_REQUIRED, &range_map_size, NULL },
	{ .key = NULL }
};
const struct list_of list_id_maps = { id_map_fields, sizeof(struct id_map), 0, check_id_map };

static const struct field device_fields[] = {
	{ "type", JSON_STRING, read_device_type, offsetof(struct device, type), FIELD_REQUIRED, NULL, NULL },
	{ "path", JSON_STRING, read_absolute, offsetof(struct device, path), FIELD_REQUIRED, NULL, NULL },
	{ "major", JSON_NUMBER, field_i64, offsetof(struct device, major), 0, &range_device_number, NULL },
	{ "minor", JSON_NUMBER, field_i64, offsetof(struct device, minor), 0, &range_device_number, NULL },
	{ "fileMode", JSON_NUMBER, field_opt_u32, offsetof(struct device, mode), 0, NULL, NULL },
	{ "uid", JSON_NUMBER, field_opt_u32, offsetof(struct device, uid), 0, &range_ids, NULL },
	{ "gid", JSON_NUMBER, field_opt_u32, offsetof(struct device, gid), 0, &range_ids, NULL },
	{ .key = NULL }
};
static const struct list_of list_devices = { device_fields, sizeof(struct device), 0, check_device };

static const struct field intel_rdt_fields[] = {
	{ "closID", JSON_STRING, read_clos_id, offsetof(struct intel_rdt, clos_id), 0, NULL, NULL },
	{ "schemata", JSON_ARRAY, read_lines, offsetof(struct intel_rdt, schemata), 0, NULL, NULL },
	{ "l3CacheSchema", JSON_STRING, read_line, offsetof(struct intel_rdt, l3_cache_schema), 0, NULL, NULL },
	{ "memBwSchema", JSON_STRING, read_line, offsetof(struct intel_rdt, mem_bw_schema), 0, NULL, NULL },
	{ "enableMonitoring", JSON_BOOL, field_opt_bool, offsetof(struct intel_rdt, enable_monitoring), 0, NULL, NULL },
	{ "enableCMT", JSON_BOOL, read_old_monitoring, offsetof(struct intel_rdt, enable_monitoring), 0, NULL, NULL },
	{ "enableMBM", JSON_BOOL, read_old_monitoring, offsetof(struct intel_rdt, enable_monitoring), 0, NULL, NULL },
	{ .key = NULL }
};

static const struct field memory_policy_fields[] = {
	{ "mode", JSON_STRING, field_enum, offsetof(struct memory_policy, mode), 0, names_memory_modes, "invalid memory policy mode" },
	{ "nodes", JSON_STRING, read_cpu_list, offsetof(struct memory_policy, nodes), 0, NULL, "memory policy nodes" },
	{ "flags", JSON_ARRAY, read_memory_flags, offsetof(struct memory_policy, flags), 0, NULL, NULL },
	{ .key = NULL }
};

// clang-format on
static int read_memory_policy(struct reader *r, const struct json *v, const struct field *f,
			      void *out)
{
	struct memory_policy *m = out;

	(void)f;
	m->set = true;
	if (fields_read(r, v, memory_policy_fields, m))
		return -1;
	if (!json_get(v, "mode"))
		return fields_fail(r, v,
				   "invalid memory policy mode: required property 'mode' is "
				   "missing");
	return 0;
}

// clang-format off
static const struct field personality_fields[] = {
	{ "domain", JSON_STRING, field_enum, offsetof(struct linux_conf, personality.domain) - offsetof(struct linux_conf, personality),
	  FIELD_REQUIRED, names_personalities, "personality" },
	{ "flags", JSON_ARRAY, read_personality_flags, 0, 0, NULL, NULL },
	{ .key = NULL }
};

const struct field linux_fields[] = {
	{ "namespaces", JSON_ARRAY, read_namespaces, offsetof(struct linux_conf, ns), 0, NULL, NULL },
	{ "uidMappings", JSON_ARRAY, field_list, offsetof(struct linux_conf, uid_maps), 0, &list_id_maps, NULL },
	{ "gidMappings", JSON_ARRAY, field_list, offsetof(struct linux_conf, gid_maps), 0, &list_id_maps, NULL },
	{ "devices", JSON_ARRAY, field_list, offsetof(struct linux_conf, devices), 0, &list_devices, NULL },
	{ "netDevices", JSON_OBJECT, read_net_devices, 0, 0, NULL, NULL },
	{ "cgroupsPath", JSON_STRING, field_string, offsetof(struct linux_conf, cgroups_path), 0, NULL, NULL },
	{ "resources", JSON_OBJECT, field_object, offsetof(struct linux_conf, resources), 0, resources_fields, NULL },
	{ "intelRdt", JSON_OBJECT, field_part, offsetof(struct linux_conf, intel_rdt), 0, intel_rdt_fields, NULL },
	{ "memoryPolicy", JSON_OBJECT, read_memory_policy, offsetof(struct linux_conf, memory_policy), 0, NULL, NULL },
	{ "sysctl", JSON_OBJECT, read_pairs, offsetof(struct linux_conf, sysctl), 0, NULL, NULL },
	{ "seccomp", JSON_OBJECT, read_seccomp, offsetof(struct linux_conf, seccomp), 0, NULL, NULL },
	{ "rootfsPropagation", JSON_STRING, field_enum, offsetof(struct linux_conf, rootfs_propagation), 0, names_propagation, "propagation" },
	{ "maskedPaths", JSON_ARRAY, read_masked, 0, 0, NULL, NULL },
	{ "readonlyPaths", JSON_ARRAY, field_strings, offsetof(struct linux_conf, readonly_paths), 0, NULL, NULL },
	{ "mountLabel", JSON_STRING, field_string, offsetof(struct linux_conf, mount_label), 0, NULL, NULL },
	{ "personality", JSON_OBJECT, field_part, offsetof(struct linux_conf, personality), 0, personality_fields, NULL },
	{ "timeOffsets", JSON_OBJECT, read_time_offsets, 0, FIELD_OR_NULL, NULL, NULL },
	{ .key = NULL }
};
// clang-format on
