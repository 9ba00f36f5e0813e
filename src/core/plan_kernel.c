// SPDX-License-Identifier: Apache-2.0
/* The kernel's own files that tell of others than the container: masked whatever the bundle says. */
#include "plan_work.h"

#include <string.h>

#include "../base/banned.h"

/* Keys and their descriptions, memory and addresses, what the machine was booted with. The directories are empty
 * but where the host's /sys is bound.
 */
static const char *const telling[] = {
	"/proc/cmdline",     "/proc/config.gz",      "/proc/kallsyms",     "/proc/kcore",
	"/proc/key-users",   "/proc/keys",           "/proc/kmsg",         "/proc/latency_stats",
	"/proc/sched_debug", "/proc/timer_list",     "/proc/timer_stats",  "/sys/firmware",
	"/sys/kernel/debug", "/sys/kernel/security", "/sys/kernel/tracing"
};

static bool is_masked(const struct strings *masked, const char *path)
{
	size_t i;

	for (i = 0; i < masked->n; i++)
		if (!strcmp(masked->v[i], path))
			return true;
	return false;
}

void plan_kernel(struct plan_work *w)
{
	const struct policy_rule *rule;
	struct plan *p = w->plan;
	size_t i;

	if (w->policy->mode == MODE_OBSERVE)
		return;
	for (i = 0; i < sizeof telling / sizeof telling[0]; i++) {
		rule = policy_path_rule(w->policy, telling[i]);
		if ((!rule || rule->action != RULE_ALLOW) &&
		    !is_masked(&w->b->lin.masked_paths, telling[i]))
			*arena_push(w->arena, p->kernel_masks.v, p->kernel_masks.n) = telling[i];
	}
}
