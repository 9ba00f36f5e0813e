// SPDX-License-Identifier: Apache-2.0
/* config.json -> struct bundle: the document as a whole, root, mounts, hooks, annotations. */
#include "bundle.h"

#include <limits.h>
#include <string.h>

#include "bundle_read.h"
#include "chars.h"
#include "../base/banned.h"

static const struct range range_timeout = { 1, INT_MAX };

const struct range range_ids = { 0, (int64_t)UINT32_MAX - 1 };

const char *ns_name(enum ns_type t)
{
	return name_of(names_namespaces, (int)t);
}

const char *hook_name(enum hook_kind k)
{
	return name_of(names_hooks, (int)k);
}

int read_absolute(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	if (v->text[0] != '/')
		return fields_fail(r, v, "must be an absolute path");
	return field_string(r, v, f, out);
}

int read_args(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct args *args = out;
	const struct json *item;

	(void)f;
	args->v = arena_array(r->arena, v->count, sizeof *args->v);
	for (item = v->first; item; item = item->next) {
		if (fields_expect(r, item, JSON_STRING))
			return -1;
		args->v[args->n++] = (struct arg){ .text = item->text, .at = item };
	}
	return 0;
}

/* Says where and never what: an entry that is no NAME=VALUE may well be a value. */
static int read_env_entry(struct reader *r, const struct json *v, struct env_entry *entry)
{
	const char *equals;

	if (fields_expect(r, v, JSON_STRING))
		return -1;
	equals = strchr(v->text, '=');
	if (!equals)
		return fields_fail(r, v, "no '=' in the entry (write NAME=VALUE)");
	if (equals == v->text)
		return fields_fail(r, v, "no name before the '=' (write NAME=VALUE)");
	entry->text = v->text;
	entry->name_len = (size_t)(equals - v->text);
	entry->name = arena_strndup(r->arena, v->text, entry->name_len);
	entry->value = equals + 1;
	entry->value_len = v->len - entry->name_len - 1;
	entry->at = v;
	return 0;
}

int read_env(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct env *env = out;
	const struct json *item;

	(void)f;
	if (v->count > MAX_ENV)
		return fields_fail(r, v, "more than %d entries", MAX_ENV);
	env->v = arena_array(r->arena, v->count, sizeof *env->v);
	for (item = v->first; item; item = item->next)
		if (read_env_entry(r, item, &env->v[env->n++]))
			return -1;
	return 0;
}

int read_pairs(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct pairs *pairs = out;
	const struct json *m;

	(void)f;
	pairs->v = arena_array(r->arena, v->count, sizeof *pairs->v);
	for (m = v->first; m; m = m->next) {
		if (!*m->key)
			return fields_fail(r, v, "a key must not be empty");
		if (fields_expect(r, m, JSON_STRING))
			return -1;
		pairs->v[pairs->n++] = (struct pair){ .key = m->key, .value = m->text, .at = m };
	}
	return 0;
}

static size_t number_length(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n == 1 || s[0] != '0' ? n : 0;
}

static bool is_version(const char *s)
{
	size_t n;

	if (strncmp(s, "1.", 2))
		return false;
	s += 2;
	n = number_length(s);
	if (!n || s[n] != '.')
		return false;
	s += n + 1;
	n = number_length(s);
	if (!n)
		return false;
	s += n;
	if (!*s)
		return true;
	if ((*s != '-' && *s != '+') || !s[1])
		return false;
	for (s++; is_alnum(*s) || *s == '-' || *s == '+' || *s == '.'; s++)
		;
	return !*s;
}

/* Peers check nothing here, and engines write versions ahead of anybody's: any 1.x.y will do. */
static int read_version(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	if (!is_version(v->text))
		return fields_fail(r, v, "expected version 1.x.y of the runtime specification");
	return field_string(r, v, f, out);
}

static int read_host_name(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct bundle *b = out;

	(void)r;
	if (f->key[0] == 'h') {
		b->hostname = v->text;
		b->hostname_at = v;
	} else {
		b->domainname = v->text;
		b->domainname_at = v;
	}
	return 0;
}

static int read_linux(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct linux_conf *lin = out;

	lin->at = v;
	return field_part(r, v, f, lin);
}

static int check_mount(struct reader *r, const struct json *v, void *item)
{
	struct mount *m = item;
	size_t i;

	m->at = v;
	m->is_bind = m->type && !strcmp(m->type, "bind");
	for (i = 0; i < m->options.n; i++)
		if (!strcmp(m->options.v[i], "bind") || !strcmp(m->options.v[i], "rbind"))
			m->is_bind = true;
	if (!m->uid_maps.n != !m->gid_maps.n)
		return fields_fail(r, v, "uidMappings and gidMappings need each other");
	return 0;
}

static int check_hook(struct reader *r, const struct json *v, void *item)
{
	(void)r;
	((struct hook *)item)->at = v;
	return 0;
}

// clang-format off
static const struct field root_fields[] = {
	{ "path", JSON_STRING, field_string, offsetof(struct bundle, root.path), FIELD_REQUIRED | FIELD_NONEMPTY, NULL, NULL },
	{ "readonly", JSON_BOOL, field_bool, offsetof(struct bundle, root.readonly), 0, NULL, NULL },
	{ .key = NULL }
};

static const struct field mount_fields[] = {
	{ "destination", JSON_STRING, field_string, offsetof(struct mount, destination), FIELD_REQUIRED | FIELD_NONEMPTY, NULL, NULL },
	{ "type", JSON_STRING, field_string, offsetof(struct mount, type), 0, NULL, NULL },
	{ "source", JSON_STRING, field_string, offsetof(struct mount, source), 0, NULL, NULL },
	{ "options", JSON_ARRAY, field_strings, offsetof(struct mount, options), 0, NULL, NULL },
	{ "uidMappings", JSON_ARRAY, field_list, offsetof(struct mount, uid_maps), 0, &list_id_maps, NULL },
	{ "gidMappings", JSON_ARRAY, field_list, offsetof(struct mount, gid_maps), 0, &list_id_maps, NULL },
	{ .key = NULL }
};
static const struct list_of list_mounts = { mount_fields, sizeof(struct mount), MAX_MOUNTS, check_mount };

static const struct field hook_fields[] = {
	{ "path", JSON_STRING, read_absolute, offsetof(struct hook, path), FIELD_REQUIRED, NULL, NULL },
	{ "args", JSON_ARRAY, read_args, offsetof(struct hook, args), 0, NULL, NULL },
	{ "env", JSON_ARRAY, read_env, offsetof(struct hook, env), 0, NULL, NULL },
	{ "timeout", JSON_NUMBER, field_opt_u32, offsetof(struct hook, timeout), 0, &range_timeout, NULL },
	{ .key = NULL }
};
static const struct list_of list_hooks = { hook_fields, sizeof(struct hook), 0, check_hook };

static const struct field hooks_fields[] = {
	{ "prestart", JSON_ARRAY, field_list, offsetof(struct bundle, hooks[HOOK_PRESTART]), 0, &list_hooks, NULL },
	{ "createRuntime", JSON_ARRAY, field_list, offsetof(struct bundle, hooks[HOOK_CREATE_RUNTIME]), 0, &list_hooks, NULL },
	{ "createContainer", JSON_ARRAY, field_list, offsetof(struct bundle, hooks[HOOK_CREATE_CONTAINER]), 0, &list_hooks, NULL },
	{ "startContainer", JSON_ARRAY, field_list, offsetof(struct bundle, hooks[HOOK_START_CONTAINER]), 0, &list_hooks, NULL },
	{ "poststart", JSON_ARRAY, field_list, offsetof(struct bundle, hooks[HOOK_POSTSTART]), 0, &list_hooks, NULL },
	{ "poststop", JSON_ARRAY, field_list, offsetof(struct bundle, hooks[HOOK_POSTSTOP]), 0, &list_hooks, NULL },
	{ .key = NULL }
};

static const struct field bundle_fields[] = {
	{ "ociVersion", JSON_STRING, read_version, offsetof(struct bundle, oci_version), FIELD_REQUIRED, NULL, NULL },
	{ "root", JSON_OBJECT, field_object, 0, FIELD_REQUIRED, root_fields, NULL },
	{ "mounts", JSON_ARRAY, field_list, offsetof(struct bundle, mounts), 0, &list_mounts, NULL },
	{ "process", JSON_OBJECT, field_part, offsetof(struct bundle, process), 0, process_fields, NULL },
	{ "hostname", JSON_STRING, read_host_name, 0, 0, NULL, NULL },
	{ "domainname", JSON_STRING, read_host_name, 0, 0, NULL, NULL },
	{ "hooks", JSON_OBJECT, field_object, 0, 0, hooks_fields, NULL },
	{ "annotations", JSON_OBJECT, read_pairs, offsetof(struct bundle, annotations), 0, NULL, NULL },
	{ "linux", JSON_OBJECT, read_linux, offsetof(struct bundle, lin), 0, linux_fields, NULL },
	{ .key = "windows", .flags = FIELD_IGNORED },
	{ .key = "solaris", .flags = FIELD_IGNORED },
	{ .key = "freebsd", .flags = FIELD_IGNORED },
	{ .key = "zos", .flags = FIELD_IGNORED },
	{ .key = "vm", .flags = FIELD_IGNORED },
	{ .key = NULL }
};
// clang-format on

int bundle_read(struct arena *a, const struct json *top, struct bundle *b, struct err *e)
{
	struct reader r = { .arena = a, .err = e };

	*b = (struct bundle){ .top = top };
	if (fields_read(&r, top, bundle_fields, b))
		return -1;
	b->unknown = (struct strings){ .v = r.unknown, .n = r.n_unknown };
	return 0;
}

int bundle_read_process(struct arena *a, const struct json *top, struct process *p, struct err *e)
{
	struct reader r = { .arena = a, .err = e };

	*p = (struct process){ .set = true };
	return fields_read(&r, top, process_fields, p);
}

int bundle_read_resources(struct arena *a, const struct json *top, struct resources *res,
			  struct err *e)
{
	struct reader r = { .arena = a, .err = e };

	*res = (struct resources){ 0 };
	return fields_read(&r, top, resources_fields, res);
}

int bundle_read_seccomp(struct arena *a, const struct json *top, struct seccomp *s, struct err *e)
{
	struct reader r = { .arena = a, .err = e };

	*s = (struct seccomp){ 0 };
	if (fields_expect(&r, top, JSON_OBJECT) || read_seccomp(&r, top, NULL, s))
		return -1;
	if (r.n_unknown)
		return fail(
			e, 0,
			"%s: not known in a linux.seccomp section (profiles with conditions for "
			"engines are none)",
			r.unknown[0]);
	return 0;
}

bool oci_version_before(const char *version, unsigned minor)
{
	const char *dot = version ? strchr(version, '.') : NULL;
	uint64_t n;

	return dot && parse_u64(dot + 1, strspn(dot + 1, "0123456789"), &n) && n < minor;
}
