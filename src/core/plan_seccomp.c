// SPDX-License-Identifier: Apache-2.0
/* System call filters: the floor, and above it the bundle's own or what a bundle without one gets. */
#include "plan_work.h"

#include <string.h>

#include "../base/banned.h"

const struct name plan_profiles[] = {
	{ "none", PROFILE_NONE },     { "bundle", PROFILE_BUNDLE }, { "default", PROFILE_DEFAULT },
	{ "strict", PROFILE_STRICT }, { "file", PROFILE_FILE },     { 0 },
};

const char *plan_profile_name(enum plan_profile p)
{
	return name_of(plan_profiles, (int)p);
}

static enum plan_profile profile_of(const struct policy *policy)
{
	static const enum plan_profile words[] = { PROFILE_DEFAULT, PROFILE_STRICT };
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (!strcmp(policy->seccomp_profile, plan_profile_name(words[i])))
			return words[i];
	return policy->seccomp_profile[0] == '/' ? PROFILE_FILE : PROFILE_NONE;
}

/* An engine leaves the section out when somebody tells it "unconfined": that is no reason here. */
void plan_seccomp(struct plan_work *w)
{
	struct plan *p = w->plan;

	p->floor = FLOOR_OFF;
	if (w->b->lin.seccomp.set) {
		p->profile = PROFILE_BUNDLE;
		p->seccomp = &w->b->lin.seccomp;
	}
	if (w->policy->mode == MODE_OBSERVE)
		return;
	p->floor = w->policy->seccomp_floor;
	if (p->profile == PROFILE_NONE)
		p->profile = profile_of(w->policy);
	if (p->profile == PROFILE_FILE)
		p->seccomp = w->facts->profile;
	if (!p->lacks && !w->facts->has_seccomp &&
	    (p->floor != FLOOR_OFF || p->profile > PROFILE_BUNDLE))
		p->lacks = "seccomp: the kernel has none (need CONFIG_SECCOMP_FILTER; or set "
			   "seccomp: {floor: off, profile: off})";
}
