// SPDX-License-Identifier: Apache-2.0
/* config.json -> struct bundle: the seccomp object. */
#include "bundle_read.h"

#include "../base/banned.h"

/* What a filter can return beside the action; of an errno the kernel cuts what is over 4095. */
enum { MAX_ERRNO = 4095 };

static const struct range range_return_data = { 0, UINT16_MAX };
static const struct range range_arg_index = { 0, 5 };

static int check_errno(struct reader *r, const struct json *v, const char *key, int action,
		       struct opt_u32 ret)
{
	if (!ret.set)
		return 0;
	v = json_get(v, key);
	if (action != SECCOMP_ERRNO && action != SECCOMP_TRACE)
		return fields_fail(r, v, "action %s takes no errno",
				   name_of(names_seccomp_actions, action));
	if (action == SECCOMP_ERRNO && ret.v > MAX_ERRNO)
		return fields_fail(r, v, "expected an integer from 0 to %d", MAX_ERRNO);
	return 0;
}

static int check_rule(struct reader *r, const struct json *v, void *item)
{
	const struct seccomp_rule *rule = item;

	return check_errno(r, v, "errnoRet", rule->action, rule->errno_ret);
}

static int read_architectures(struct reader *r, const struct json *v, const struct field *f,
			      void *out)
{
	struct seccomp *s = out;
	const struct json *item;

	(void)f;
	s->architectures = arena_array(r->arena, v->count, sizeof *s->architectures);
	for (item = v->first; item; item = item->next)
		if (read_word(r, item, names_seccomp_archs, "architecture",
			      &s->architectures[s->n_architectures++]))
			return -1;
	return 0;
}

static int read_flags(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct seccomp *s = out;

	(void)f;
	s->flags_given = true;
	return read_word_set(r, v, names_seccomp_flags, "seccomp flag", &s->flags);
}

// clang-format off
static const struct field arg_fields[] = {
	{ "index", JSON_NUMBER, field_u32, offsetof(struct seccomp_arg, index), FIELD_REQUIRED, &range_arg_index, NULL },
	{ "value", JSON_NUMBER, field_u64, offsetof(struct seccomp_arg, value), FIELD_REQUIRED, NULL, NULL },
	{ "valueTwo", JSON_NUMBER, field_u64, offsetof(struct seccomp_arg, value_two), 0, NULL, NULL },
	{ "op", JSON_STRING, field_enum, offsetof(struct seccomp_arg, op), FIELD_REQUIRED, names_seccomp_ops, "operator" },
	{ .key = NULL }
};
static const struct list_of list_args = { arg_fields, sizeof(struct seccomp_arg), 0, NULL };

static const struct field rule_fields[] = {
	{ "names", JSON_ARRAY, field_strings, offsetof(struct seccomp_rule, names), FIELD_REQUIRED | FIELD_NONEMPTY, NULL, NULL },
	{ "action", JSON_STRING, field_enum, offsetof(struct seccomp_rule, action), FIELD_REQUIRED, names_seccomp_actions, "action" },
	{ "errnoRet", JSON_NUMBER, field_opt_u32, offsetof(struct seccomp_rule, errno_ret), 0, &range_return_data, NULL },
	{ "args", JSON_ARRAY, field_list, offsetof(struct seccomp_rule, args), 0, &list_args, NULL },
	{ .key = NULL }
};
static const struct list_of list_rules = { rule_fields, sizeof(struct seccomp_rule), 0, check_rule };

static const struct field seccomp_fields[] = {
	{ "defaultAction", JSON_STRING, field_enum, offsetof(struct seccomp, default_action), FIELD_REQUIRED, names_seccomp_actions, "action" },
	{ "defaultErrnoRet", JSON_NUMBER, field_opt_u32, offsetof(struct seccomp, default_errno), 0, &range_return_data, NULL },
	{ "architectures", JSON_ARRAY, read_architectures, 0, 0, NULL, NULL },
	{ "flags", JSON_ARRAY, read_flags, 0, 0, NULL, NULL },
	{ "listenerPath", JSON_STRING, field_string, offsetof(struct seccomp, listener_path), 0, NULL, NULL },
	{ "listenerMetadata", JSON_STRING, field_string, offsetof(struct seccomp, listener_metadata), 0, NULL, NULL },
	{ "syscalls", JSON_ARRAY, field_list, offsetof(struct seccomp, rules), 0, &list_rules, NULL },
	{ .key = NULL }
};
// clang-format on

int read_seccomp(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct seccomp *s = out;

	(void)f;
	s->set = true;
	if (fields_read(r, v, seccomp_fields, s))
		return -1;
	if (check_errno(r, v, "defaultErrnoRet", s->default_action, s->default_errno))
		return -1;
	if (s->listener_metadata && !(s->listener_path && *s->listener_path))
		return fields_fail(r, json_get(v, "listenerMetadata"), "needs listenerPath");
	return 0;
}
