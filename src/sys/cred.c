// SPDX-License-Identifier: Apache-2.0
/* Who the program is and what it may: ids and capabilities. */
#include "cred.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cap-ng.h>

#include "../base/banned.h"

enum { CAP_BITS = 64 };

static const char *const set_names[CAPS_COUNT] = {
	[CAPS_BOUNDING] = "bounding",       [CAPS_EFFECTIVE] = "effective",
	[CAPS_INHERITABLE] = "inheritable", [CAPS_PERMITTED] = "permitted",
	[CAPS_AMBIENT] = "ambient",
};

static uint64_t bit(unsigned cap)
{
	return UINT64_C(1) << cap;
}

/* Names the first capability of those that are missing. */
static int fail_missing(struct err *e, enum cap_set set, uint64_t missing, const char *why)
{
	const char *name = name_of(names_capabilities, __builtin_ctzll(missing));

	return fail(e, 0, "process.capabilities.%s: %s: %s", set_names[set], name ? name : "?",
		    why);
}

/* libcap-ng would open /proc/PID/status for this, in a root that may have a FIFO there. */
static int bounding_now(uint64_t *now, struct err *e)
{
	unsigned cap;
	int has;

	*now = 0;
	for (cap = 0; cap < CAP_BITS; cap++) {
		has = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);
		/* The last one that the kernel knows was before it. */
		if (has < 0 && errno == EINVAL && cap)
			break;
		if (has < 0)
			return fail(e, errno, "process.capabilities.bounding: cannot be read");
		if (has)
			*now |= bit(cap);
	}
	return 0;
}

int cred_bounding(const struct capabilities *c, struct err *e)
{
	uint64_t wanted = c->sets[CAPS_BOUNDING], now;
	unsigned cap;

	if (bounding_now(&now, e))
		return -1;
	if (wanted & ~now)
		return fail_missing(e, CAPS_BOUNDING, wanted & ~now, "not to be had here");
	for (cap = 0; cap < CAP_BITS; cap++) {
		if (!(now & ~wanted & bit(cap)))
			continue;
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
			return fail(e, errno, "process.capabilities.bounding: cannot be lowered");
	}
	return 0;
}

static int set_groups(const struct user *u, bool can_set_groups, struct err *e)
{
	if (!can_set_groups && u->n_groups)
		return fail(e, 0,
			    "process.user.additionalGids: this user namespace denies setgroups "
			    "(leave them out, or map ids with privilege)");
	if (can_set_groups && setgroups(u->n_groups, u->groups))
		return fail(e, errno, "process.user.additionalGids");
	return 0;
}

static int fail_id(struct err *e, const char *which, uint32_t id)
{
	if (errno == EINVAL)
		return fail(e, 0, "process.user.%s: %u is not mapped in the user namespace", which,
			    id);
	return fail(e, errno, "process.user.%s", which);
}

int cred_ids(const struct user *u, bool can_set_groups, struct err *e)
{
	/* To the kernel that is no id but "leave it": the program would stay root. */
	if (u->uid == UINT32_MAX || u->gid == UINT32_MAX)
		return fail(e, 0, "process.user: %u is no id", UINT32_MAX);
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
		return fail(e, errno, "process.user: cannot keep capabilities over the change");
	if (set_groups(u, can_set_groups, e))
		return -1;
	if (setresgid(u->gid, u->gid, u->gid))
		return fail_id(e, "gid", u->gid);
	if (setresuid(u->uid, u->uid, u->uid))
		return fail_id(e, "uid", u->uid);
	if (u->umask.set)
		umask(u->umask.v);
	return 0;
}

uint64_t cred_ambient_lost(const struct capabilities *c)
{
	return c->sets[CAPS_AMBIENT] & ~(c->sets[CAPS_PERMITTED] & c->sets[CAPS_INHERITABLE]);
}

/* What capset(2) would refuse without a word about which. */
static int check_caps(const struct capabilities *c, struct err *e)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct now[2] = { { 0 } };
	const uint64_t *sets = c->sets;
	uint64_t permitted, inheritable, missing;

	if (syscall(SYS_capget, &header, now))
		return fail(e, errno, "process.capabilities: cannot read one's own");
	permitted = now[0].permitted | (uint64_t)now[1].permitted << 32;
	inheritable = now[0].inheritable | (uint64_t)now[1].inheritable << 32;

	missing = sets[CAPS_PERMITTED] & ~permitted;
	if (missing)
		return fail_missing(e, CAPS_PERMITTED, missing, "not to be had here");
	missing = sets[CAPS_EFFECTIVE] & ~sets[CAPS_PERMITTED];
	if (missing)
		return fail_missing(e, CAPS_EFFECTIVE, missing, "not among the permitted ones");
	missing = sets[CAPS_INHERITABLE] & ~(inheritable | permitted);
	if (missing)
		return fail_missing(e, CAPS_INHERITABLE, missing, "not to be had here");
	missing = sets[CAPS_INHERITABLE] & ~(inheritable | sets[CAPS_BOUNDING]);
	if (missing)
		return fail_missing(e, CAPS_INHERITABLE, missing, "not in the bounding set");
	return 0;
}

static int apply_caps(const struct capabilities *c, struct err *e)
{
	static const struct {
		enum cap_set set;
		capng_type_t type;
	} types[] = {
		{ CAPS_EFFECTIVE, CAPNG_EFFECTIVE },
		{ CAPS_PERMITTED, CAPNG_PERMITTED },
		{ CAPS_INHERITABLE, CAPNG_INHERITABLE },
		{ CAPS_AMBIENT, CAPNG_AMBIENT },
	};
	uint64_t wanted;
	unsigned cap;
	size_t i;

	capng_clear(CAPNG_SELECT_ALL);
	capng_setpid(0); /* the library remembers who it was before clone3() */
	for (i = 0; i < sizeof types / sizeof *types; i++) {
		wanted = c->sets[types[i].set];
		if (types[i].set == CAPS_AMBIENT)
			wanted &= ~cred_ambient_lost(c);
		for (cap = 0; cap < CAP_BITS; cap++)
			if (wanted & bit(cap) && capng_update(CAPNG_ADD, types[i].type, cap))
				return fail_missing(e, types[i].set, bit(cap),
						    "not known to this kernel");
	}
	if (capng_apply(CAPNG_SELECT_CAPS))
		return fail(e, errno, "process.capabilities: cannot be set");
	if (capng_apply(CAPNG_SELECT_AMBIENT)) /* all others are cleared */
		return fail(e, errno, "process.capabilities.ambient: cannot be raised");
	return 0;
}

int cred_caps(const struct capabilities *c, struct err *e)
{
	if (check_caps(c, e) || apply_caps(c, e))
		return -1;
	if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0))
		return fail(e, errno, "process.capabilities: cannot stop keeping them");
	return 0;
}

int cred_no_new_privs(struct err *e)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return fail(e, errno, "process.noNewPrivileges");
	return 0;
}
