// SPDX-License-Identifier: Apache-2.0
/* The table of a policy's keys, by which it is read, shown, locked and annotated. */
#include "policy_keys.h"

#include <string.h>

#include "chars.h"
#include "../base/str.h"
#include "../base/banned.h"

/* Loosest first: an annotation may only move on to the right. */
static const struct name modes[] = {
	{ "observe", MODE_OBSERVE }, { "strip", MODE_STRIP }, { "enforce", MODE_ENFORCE }, { 0 }
};
static const struct name scans[] = { { "off", SCAN_OFF }, { "known", SCAN_KNOWN }, { 0 } };
static const struct name args[] = {
	{ "record", ARGS_RECORD }, { "dummy", ARGS_DUMMY }, { "refuse", ARGS_REFUSE }, { 0 }
};
static const struct name user_namespaces[] = {
	{ "bundle", USERNS_BUNDLE }, { "auto", USERNS_AUTO }, { "always", USERNS_ALWAYS }, { 0 }
};
static const struct name sharings[] = { { "bundle", SHARING_BUNDLE },
					{ "private", SHARING_PRIVATE },
					{ 0 } };
static const struct name landlocks[] = { { "off", LANDLOCK_OFF },
					 { "best-effort", LANDLOCK_BEST_EFFORT },
					 { "require", LANDLOCK_REQUIRE },
					 { 0 } };
static const struct name also[] = {
	{ "none", ALSO_NONE }, { "syslog", ALSO_SYSLOG }, { "journald", ALSO_JOURNALD }, { 0 }
};
/* Each denies all that the ones before it deny. */
static const struct name floors[] = { { "off", FLOOR_OFF },
				      { "nested", FLOOR_NESTED },
				      { "debug", FLOOR_DEBUG },
				      { "on", FLOOR_ON },
				      { 0 } };
static const struct name on_off[] = { { "off", false }, { "on", true }, { 0 } };
static const struct name true_false[] = { { "false", false }, { "true", true }, { 0 } };
static const struct range files = { 1, POLICY_MAX_FILES };

#define AT(member) .offset = offsetof(struct policy, member)
// clang-format off
const struct key_info policy_keys[KEY_COUNT] = {
	[KEY_MODE] = { NULL, "mode", KIND_WORD, AT(mode), .words = modes },
	[KEY_ENV_ALLOW] = { "env", "allow", KIND_NAMES, AT(env), .action = RULE_ALLOW },
	[KEY_ENV_REMOVE] = { "env", "remove", KIND_NAMES, AT(env), .action = RULE_REMOVE },
	[KEY_ENV_DUMMY] = { "env", "dummy", KIND_NAMES, AT(env), .action = RULE_DUMMY },
	[KEY_ENV_VALUES] = { "env", "values", KIND_SWITCH, AT(env_values), .words = on_off },
	[KEY_PATHS_ALLOW] = { "paths", "allow", KIND_PATHS, AT(paths), .action = RULE_ALLOW },
	[KEY_PATHS_MASK] = { "paths", "mask", KIND_PATHS, AT(paths), .action = RULE_MASK },
	[KEY_SCAN_IMAGE] = { "scan", "image", KIND_WORD, AT(scan_image), .words = scans },
	[KEY_SCAN_MOUNTS] = { "scan", "mounts", KIND_WORD, AT(scan_mounts), .words = scans },
	[KEY_SCAN_DEEP] = { "scan", "deep", KIND_SWITCH, AT(scan_deep), .words = on_off },
	[KEY_SCAN_MAX_FILES] = { "scan", "max_files", KIND_COUNT, AT(scan_max_files), .range = &files },
	[KEY_ARGS] = { NULL, "args", KIND_WORD, AT(args), .words = args },
	[KEY_NS_USER] = { "namespaces", "user", KIND_WORD, AT(user_ns), .words = user_namespaces },
	[KEY_NS_NETWORK] = { "namespaces", "network", KIND_WORD, AT(network), .words = sharings },
	[KEY_NS_PID] = { "namespaces", "pid", KIND_WORD, AT(pid), .words = sharings },
	[KEY_NS_IPC] = { "namespaces", "ipc", KIND_WORD, AT(ipc), .words = sharings },
	[KEY_LANDLOCK] = { NULL, "landlock", KIND_WORD, AT(landlock), .words = landlocks },
	[KEY_SECCOMP_PROFILE] = { "seccomp", "profile", KIND_PROFILE, AT(seccomp_profile) },
	[KEY_SECCOMP_FLOOR] = { "seccomp", "floor", KIND_WORD, AT(seccomp_floor), .words = floors },
	[KEY_AUDIT_FILE] = { "audit", "file", KIND_FILE, AT(audit_file) },
	[KEY_AUDIT_REQUIRED] = { "audit", "required", KIND_SWITCH, AT(audit_required), .words = true_false },
	[KEY_AUDIT_ALSO] = { "audit", "also", KIND_WORD, AT(audit_also), .words = also },
	[KEY_ANNOTATIONS_LOOSEN] = { "annotations", "loosen", KIND_ANNOTATED, AT(loosen) },
};

/* In the order in which they are applied, whatever order the bundle has: an allowance first, so
 * that of one layer the stronger rule is the later one.
 */
const struct annotation_info policy_annotations[] = {
	{ "allow-env", KEY_ENV_ALLOW, true },
	{ "allow-path", KEY_PATHS_ALLOW, true },
	{ "args", KEY_ARGS, false },
	{ "env-dummy", KEY_ENV_DUMMY, false },
	{ "env-remove", KEY_ENV_REMOVE, false },
	{ "ipc", KEY_NS_IPC, false },
	{ "landlock", KEY_LANDLOCK, false },
	{ "mode", KEY_MODE, false },
	{ "network", KEY_NS_NETWORK, false },
	{ "paths-mask", KEY_PATHS_MASK, false },
	{ "pid", KEY_NS_PID, false },
	{ "scan-deep", KEY_SCAN_DEEP, false },
	{ "seccomp-floor", KEY_SECCOMP_FLOOR, false },
	{ "user-namespace", KEY_NS_USER, false },
	{ "values", KEY_ENV_VALUES, false },
	{ 0 }
};
// clang-format on

const struct annotation_info *policy_annotation_find(const char *key)
{
	const struct annotation_info *i;
	size_t prefix = strlen(POLICY_ANNOTATION_PREFIX);

	if (strncmp(key, POLICY_ANNOTATION_PREFIX, prefix))
		return NULL;
	for (i = policy_annotations; i->name; i++)
		if (!strcmp(key + prefix, i->name))
			return i;
	return NULL;
}

static bool same_section(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

enum policy_key policy_key_find(const char *section, const char *name)
{
	enum policy_key k;

	for (k = 0; k < KEY_COUNT; k++)
		if (same_section(policy_keys[k].section, section) &&
		    !strcmp(policy_keys[k].name, name))
			break;
	return k;
}

bool policy_has_section(const char *section)
{
	enum policy_key k;

	for (k = 0; k < KEY_COUNT; k++)
		if (policy_keys[k].section && !strcmp(policy_keys[k].section, section))
			return true;
	return false;
}

const char *policy_key_name(struct arena *a, enum policy_key key)
{
	const struct key_info *i = &policy_keys[key];

	return i->section ? arena_printf(a, "%s.%s", i->section, i->name) : i->name;
}

int policy_get(const struct policy *p, enum policy_key key)
{
	const void *at = (const char *)p + policy_keys[key].offset;
	bool is_on;
	int value;

	if (policy_keys[key].kind == KIND_SWITCH) {
		memcpy(&is_on, at, sizeof is_on);
		return is_on;
	}
	memcpy(&value, at, sizeof value);
	return value;
}

_Static_assert(sizeof(enum policy_mode) == sizeof(int), "policy_get() copies enums as int");

void policy_set(struct policy *p, enum policy_key key, int value)
{
	void *at = (char *)p + policy_keys[key].offset;
	bool is_on = value;

	if (policy_keys[key].kind == KIND_SWITCH)
		memcpy(at, &is_on, sizeof is_on);
	else
		memcpy(at, &value, sizeof value);
}

struct policy_rules *policy_rules_of(struct policy *p, enum policy_key key)
{
	return (void *)((char *)p + policy_keys[key].offset);
}

static void unshare(struct arena *a, struct policy_rules *rules)
{
	struct policy_rules own = { 0 };
	size_t i;

	for (i = 0; i < rules->n; i++)
		*arena_push(a, own.v, own.n) = rules->v[i];
	*rules = own;
}

void policy_unshare(struct arena *a, struct policy *p)
{
	unshare(a, &p->env);
	unshare(a, &p->paths);
	unshare(a, &p->loosen);
}

int policy_word_rank(enum policy_key key, int value)
{
	const struct name *words = policy_keys[key].words;
	int i;

	for (i = 0; words[i].name; i++)
		if (words[i].value == value)
			return i;
	return -1;
}

int policy_word_find(enum policy_key key, const char *text, size_t len)
{
	static const char *const switches[][3] = { { "off", "no", "false" },
						   { "on", "yes", "true" } };
	const struct name *words = policy_keys[key].words;
	int i, j;

	if (policy_keys[key].kind == KIND_SWITCH) {
		for (i = 0; i < 2; i++)
			for (j = 0; j < 3; j++)
				if (text_is_nocase(text, len, switches[i][j]))
					return i;
		return -1;
	}
	for (i = 0; words[i].name; i++)
		if (text_is(text, len, words[i].name))
			return i;
	return -1;
}

const char *policy_words(struct arena *a, enum policy_key key)
{
	const struct name *w = policy_keys[key].words;
	struct str s;

	str_init(&s, a, 256);
	for (; w->name; w++)
		str_printf(&s, "%s%s", w->name, !w[1].name ? "" : !w[2].name ? " or " : ", ");
	return s.s;
}

const char *policy_word(const struct policy *p, enum policy_key key)
{
	int rank = policy_keys[key].words ? policy_word_rank(key, policy_get(p, key)) : -1;

	return rank < 0 ? NULL : policy_keys[key].words[rank].name;
}

const char *policy_mode_name(enum policy_mode m)
{
	return modes[policy_word_rank(KEY_MODE, (int)m)].name;
}

const char *policy_floor_name(enum policy_floor f)
{
	return floors[policy_word_rank(KEY_SECCOMP_FLOOR, (int)f)].name;
}

static bool has_control(const char *s, size_t len)
{
	size_t i;
	unsigned char c, before = 0;

	for (i = 0; i < len; i++, before = c) {
		c = (unsigned char)s[i];
		if (c < 0x20 || c == 0x7f || (before == 0xc2 && c < 0xa0))
			return true;
	}
	return false;
}

const char *policy_pattern_problem(const char *text, size_t len, bool is_path)
{
	if (!len)
		return "empty";
	if (len > POLICY_MAX_PATTERN)
		return "longer than 1024 bytes";
	if (has_control(text, len))
		return "has a control character in it";
	if (!is_path || text[0] == '/' || text_starts(text, len, "**/"))
		return NULL;
	if (text[0] == '~' || text_starts(text, len, "$HOME") || text_starts(text, len, "${HOME"))
		return "homes are not filled in: write /home/*/... or **/...";
	return "must begin with '/' or '**/'";
}

int policy_strength(enum policy_rule_action action)
{
	switch (action) {
	case RULE_ALLOW: return 0;
	case RULE_ALLOW_FORCE: return 1; /* or it could never be an exception to an allow */
	case RULE_DUMMY: return 2;
	case RULE_REMOVE:
	case RULE_MASK: return 3;
	}
	return 0;
}
