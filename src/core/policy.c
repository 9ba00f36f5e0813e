// SPDX-License-Identifier: Apache-2.0
/* The built-in policy, and which rule of a policy decides. */
#include "policy.h"

#include <string.h>

#include "glob.h"
#include "policy_keys.h"
#include "../base/banned.h"

void policy_builtin(struct arena *a, struct policy *p)
{
	struct policy_layer *builtin = arena_alloc(a, sizeof *builtin);
	enum policy_key k;

	*p = (struct policy){
		.mode = MODE_STRIP,
		.env_values = true,
		.scan_image = SCAN_KNOWN,
		.scan_mounts = SCAN_KNOWN,
		.scan_deep = false,
		.scan_max_files = 100000,
		.args = ARGS_RECORD,
		.user_ns = USERNS_AUTO,
		.network = SHARING_PRIVATE,
		.pid = SHARING_PRIVATE,
		.ipc = SHARING_PRIVATE,
		.landlock = LANDLOCK_REQUIRE,
		.seccomp_profile = "default",
		.seccomp_floor = FLOOR_ON,
		.audit_file = "/var/log/credsbox/audit.jsonl",
		.audit_required = true,
	};
	builtin->name = "built-in";
	for (k = 0; k < KEY_COUNT; k++)
		p->from[k] = builtin;
}

static bool decides_over(const struct policy_rule *r, const struct policy_rule *best)
{
	if (!best)
		return true;
	if (r->only_tightens || r->level == best->level)
		return policy_strength(r->action) > policy_strength(best->action);
	return r->level > best->level;
}

static const struct policy_rule *decide(const struct policy_rules *rules, const char *text,
					bool (*matches)(const char *pattern, const char *text))
{
	const struct policy_rule *r, *best = NULL;
	size_t i;

	for (i = 0; i < rules->n; i++) {
		r = &rules->v[i];
		if (decides_over(r, best) && matches(r->pattern, text))
			best = r;
	}
	return best;
}

const struct policy_rule *policy_env_rule(const struct policy *p, const char *name)
{
	return decide(&p->env, name, glob_name);
}

const struct policy_rule *policy_path_rule(const struct policy *p, const char *path)
{
	return decide(&p->paths, path, glob_path);
}

bool policy_literal_path(const char *pattern, char *buf, size_t size)
{
	size_t n = strlen(pattern);

	while (n > 3 && !strncmp(pattern + n - 3, "/**", 3))
		n -= 3;
	if (n >= size || memchr(pattern, '*', n) || memchr(pattern, '?', n))
		return false;
	memcpy(buf, pattern, n);
	buf[n] = '\0';
	return buf[0] == '/';
}
