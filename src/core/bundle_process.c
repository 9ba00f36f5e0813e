// SPDX-License-Identifier: Apache-2.0
/* config.json -> struct bundle: the process object, which `exec --process` has alone. */
#include "bundle_read.h"

#include <limits.h>
#include <string.h>

#include <linux/ioprio.h>

#include "../base/banned.h"

/* Unknown capabilities are warned of by name; nobody reads more warnings than this. */
enum { MAX_UNKNOWN_CAPS = 64 };

static const struct range range_umask = { 0, 0777 };
static const struct range range_console = { 0, UINT16_MAX };
static const struct range range_oom = { -1000, 1000 };
static const struct range range_nice = { -20, 19 };
static const struct range range_priority = { 0, 99 };
static const struct range range_io_priority = { 0, 7 };

int read_cpu_list(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	unsigned long bits[LIST_BITS / CHAR_BIT / sizeof(unsigned long)];

	if (*v->text && !parse_list(v->text, bits, LIST_BITS))
		return fields_fail(r, v, "%s%s (expected a list such as 0-3,7)",
				   f->why ? "invalid " : "no list of processors",
				   f->why ? f->why : "");
	return field_string(r, v, f, out);
}

static int read_groups(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct user *user = out;
	const struct json *item;
	int64_t id;

	(void)f;
	user->groups = arena_array(r->arena, v->count, sizeof *user->groups);
	for (item = v->first; item; item = item->next) {
		if (read_i64(r, item, &range_ids, &id))
			return -1;
		user->groups[user->n_groups++] = (uint32_t)id;
	}
	return 0;
}

static void note_unknown_cap(struct arena *a, struct strings *unknown, const char *name)
{
	size_t i;

	if (unknown->n == MAX_UNKNOWN_CAPS)
		return;
	for (i = 0; i < unknown->n; i++)
		if (!strcmp(unknown->v[i], name))
			return;
	*arena_push(a, unknown->v, unknown->n) = name;
}

/* Engines ask for all that their own tables have, so that a new kernel's names arrive here first. */
static int read_caps(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct capabilities *caps = out;
	const enum cap_set *which = f->arg;
	const struct name *cap;
	const struct json *item;

	for (item = v->first; item; item = item->next) {
		if (fields_expect(r, item, JSON_STRING))
			return -1;
		cap = name_find(names_capabilities, item->text);
		if (cap)
			caps->sets[*which] |= UINT64_C(1) << cap->value;
		else
			note_unknown_cap(r->arena, &caps->unknown, item->text);
	}
	return 0;
}

static int read_rlimits(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct process *p = out;
	const struct json *item = v->first;
	unsigned seen = 0, bit;
	size_t i;

	if (field_list(r, v, f, &p->rlimits))
		return -1;
	for (i = 0; i < p->n_rlimits; i++, item = item->next) {
		bit = 1u << p->rlimits[i].resource;
		if (seen & bit)
			return fields_fail(r, item, "%s is listed twice",
					   name_of(names_rlimits, p->rlimits[i].resource));
		seen |= bit;
	}
	return 0;
}

static int read_sched_flags(struct reader *r, const struct json *v, const struct field *f,
			    void *out)
{
	unsigned flags = 0;

	(void)f;
	if (read_word_set(r, v, names_sched_flags, "scheduler flag", &flags))
		return -1;
	*(uint64_t *)out = flags;
	return 0;
}

static const enum cap_set bounding = CAPS_BOUNDING, effective = CAPS_EFFECTIVE,
			  inheritable = CAPS_INHERITABLE, permitted = CAPS_PERMITTED,
			  ambient = CAPS_AMBIENT;

// clang-format off
static const struct field console_fields[] = {
	{ "height", JSON_NUMBER, field_u32, offsetof(struct process, console_height), FIELD_REQUIRED, &range_console, NULL },
	{ "width", JSON_NUMBER, field_u32, offsetof(struct process, console_width), FIELD_REQUIRED, &range_console, NULL },
	{ .key = NULL }
};

/* Without ids it is root, as in every other runtime: bundles written by hand leave them out. */
static const struct field user_fields[] = {
	{ "uid", JSON_NUMBER, field_u32, offsetof(struct user, uid), 0, &range_ids, NULL },
	{ "gid", JSON_NUMBER, field_u32, offsetof(struct user, gid), 0, &range_ids, NULL },
	{ "umask", JSON_NUMBER, field_opt_u32, offsetof(struct user, umask), 0, &range_umask, NULL },
	{ "additionalGids", JSON_ARRAY, read_groups, 0, 0, NULL, NULL },
	{ .key = "username", .flags = FIELD_IGNORED },
	{ .key = NULL }
};

static const struct field caps_fields[] = {
	{ "bounding", JSON_ARRAY, read_caps, 0, 0, &bounding, NULL },
	{ "effective", JSON_ARRAY, read_caps, 0, 0, &effective, NULL },
	{ "inheritable", JSON_ARRAY, read_caps, 0, 0, &inheritable, NULL },
	{ "permitted", JSON_ARRAY, read_caps, 0, 0, &permitted, NULL },
	{ "ambient", JSON_ARRAY, read_caps, 0, 0, &ambient, NULL },
	{ .key = NULL }
};

static const struct field rlimit_fields[] = {
	{ "type", JSON_STRING, field_enum, offsetof(struct resource_limit, resource), FIELD_REQUIRED, names_rlimits, "limit" },
	{ "soft", JSON_NUMBER, field_u64, offsetof(struct resource_limit, soft), FIELD_REQUIRED, NULL, NULL },
	{ "hard", JSON_NUMBER, field_u64, offsetof(struct resource_limit, hard), FIELD_REQUIRED, NULL, NULL },
	{ .key = NULL }
};
static const struct list_of list_rlimits = { rlimit_fields, sizeof(struct resource_limit), 0, NULL };

static const struct field scheduler_fields[] = {
	{ "policy", JSON_STRING, field_enum, offsetof(struct scheduler, policy), FIELD_REQUIRED, names_sched_policies, "scheduler policy" },
	{ "nice", JSON_NUMBER, field_opt_i64, offsetof(struct scheduler, nice), 0, &range_nice, NULL },
	{ "priority", JSON_NUMBER, field_opt_i64, offsetof(struct scheduler, priority), 0, &range_priority, NULL },
	{ "flags", JSON_ARRAY, read_sched_flags, offsetof(struct scheduler, flags), 0, NULL, NULL },
	{ "runtime", JSON_NUMBER, field_opt_u64, offsetof(struct scheduler, runtime), 0, NULL, NULL },
	{ "deadline", JSON_NUMBER, field_opt_u64, offsetof(struct scheduler, deadline), 0, NULL, NULL },
	{ "period", JSON_NUMBER, field_opt_u64, offsetof(struct scheduler, period), 0, NULL, NULL },
	{ .key = NULL }
};

static const struct field io_priority_fields[] = {
	{ "class", JSON_STRING, field_enum, offsetof(struct io_priority, class), FIELD_REQUIRED, names_io_classes, "class" },
	{ "priority", JSON_NUMBER, field_int, offsetof(struct io_priority, priority), 0, &range_io_priority, NULL },
	{ .key = NULL }
};

// clang-format on
/* The idle class has no priorities, and callers give none. */
static int read_io_priority(struct reader *r, const struct json *v, const struct field *f,
			    void *out)
{
	struct io_priority *io = out;

	(void)f;
	io->set = true;
	if (fields_read(r, v, io_priority_fields, io))
		return -1;
	if (!json_get(v, "priority") && io->class != IOPRIO_CLASS_IDLE)
		return fields_fail(r, v, "required property 'priority' is missing");
	return 0;
}
// clang-format off

static const struct field affinity_fields[] = {
	{ "initial", JSON_STRING, read_cpu_list, offsetof(struct process, cpu_affinity_initial), 0, NULL, NULL },
	{ "final", JSON_STRING, read_cpu_list, offsetof(struct process, cpu_affinity_final), 0, NULL, NULL },
	{ .key = NULL }
};

const struct field process_fields[] = {
	{ "terminal", JSON_BOOL, field_bool, offsetof(struct process, terminal), 0, NULL, NULL },
	{ "consoleSize", JSON_OBJECT, field_object, 0, 0, console_fields, NULL },
	{ "user", JSON_OBJECT, field_object, offsetof(struct process, user), 0, user_fields, NULL },
	{ "args", JSON_ARRAY, read_args, offsetof(struct process, args), FIELD_REQUIRED | FIELD_NONEMPTY, NULL, NULL },
	{ "env", JSON_ARRAY, read_env, offsetof(struct process, env), 0, NULL, NULL },
	{ "cwd", JSON_STRING, read_absolute, offsetof(struct process, cwd), FIELD_REQUIRED, NULL, NULL },
	{ "capabilities", JSON_OBJECT, field_part, offsetof(struct process, caps), 0, caps_fields, NULL },
	{ "rlimits", JSON_ARRAY, read_rlimits, 0, 0, &list_rlimits, NULL },
	{ "noNewPrivileges", JSON_BOOL, field_bool, offsetof(struct process, no_new_privileges), 0, NULL, NULL },
	{ "oomScoreAdj", JSON_NUMBER, field_opt_i64, offsetof(struct process, oom_score_adj), 0, &range_oom, NULL },
	{ "apparmorProfile", JSON_STRING, field_string, offsetof(struct process, apparmor_profile), 0, NULL, NULL },
	{ "selinuxLabel", JSON_STRING, field_string, offsetof(struct process, selinux_label), 0, NULL, NULL },
	{ "scheduler", JSON_OBJECT, field_part, offsetof(struct process, scheduler), 0, scheduler_fields, NULL },
	{ "ioPriority", JSON_OBJECT, read_io_priority, offsetof(struct process, io_priority), 0, NULL, NULL },
	{ "execCPUAffinity", JSON_OBJECT, field_object, 0, 0, affinity_fields, NULL },
	{ .key = "commandLine", .flags = FIELD_IGNORED },
	{ .key = NULL }
};
// clang-format on
