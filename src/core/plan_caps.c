// SPDX-License-Identifier: Apache-2.0
/* Privileges: what of the bundle's capabilities a workload gets, and that it gets no new ones. */
#include "plan_work.h"

#include <linux/capability.h>

#include "../base/banned.h"

static uint64_t bit(int cap)
{
	return UINT64_C(1) << cap;
}

static bool is_shared(const struct ns *ns)
{
	return !ns->listed || ns->path;
}

/* What lets its holder look into processes, or change the kernel, that are not the workload's own. In a user
 * namespace of its own it counts for that namespace alone. A user namespace that is joined is an engine's, and no
 * more than what the engine gave.
 */
static uint64_t too_much(const struct plan *p)
{
	uint64_t caps = 0;

	if (!p->ns[NS_USER].listed)
		caps |= bit(CAP_PERFMON) | bit(CAP_SYS_ADMIN);
	if (is_shared(&p->ns[NS_PID]))
		caps |= bit(CAP_PERFMON) | bit(CAP_SYS_ADMIN) | bit(CAP_SYS_PTRACE);
	return caps;
}

void plan_deny_caps(struct plan *p, uint64_t denied)
{
	int set;

	p->caps_denied = denied;
	for (set = 0; set < CAPS_COUNT; set++)
		p->caps.sets[set] &= ~denied;
}

/* Inheritable and ambient ones would pass to programs that were not meant to have them. */
void plan_caps(struct plan_work *w)
{
	struct plan *p = w->plan;

	p->caps = w->b->process.caps;
	p->no_new_privs = w->b->process.no_new_privileges || w->policy->mode != MODE_OBSERVE;
	if (w->policy->mode == MODE_OBSERVE)
		return;
	p->caps.sets[CAPS_INHERITABLE] = p->caps.sets[CAPS_AMBIENT] = 0;
	plan_deny_caps(p, too_much(p));
}

uint64_t plan_caps_withheld(const struct plan *p)
{
	const uint64_t *sets = p->bundle->process.caps.sets;

	return (sets[CAPS_BOUNDING] | sets[CAPS_EFFECTIVE] | sets[CAPS_PERMITTED]) & p->caps_denied;
}
