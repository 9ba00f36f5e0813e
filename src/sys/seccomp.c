// SPDX-License-Identifier: Apache-2.0
/* The bundle's seccomp section, from what it says to a loaded filter. */
#include "seccomp_work.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/seccomp.h>

#include "../base/banned.h"

static long sys_seccomp(unsigned op, unsigned flags, const void *arg)
{
	return syscall(SYS_seccomp, op, flags, arg);
}

/* Asked with a program that is not there: EFAULT says that all flags are known. */
bool seccomp_has_flag(unsigned flag)
{
	if (flag == SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
		flag |= SECCOMP_FILTER_FLAG_NEW_LISTENER;
	return sys_seccomp(SECCOMP_SET_MODE_FILTER, flag, NULL) < 0 && errno == EFAULT;
}

/* Between the filter and its agent stands one sendmsg() of ours: it would wait for the agent that
 * is only told by it. Peers use write(), and so may whoever takes the error from the agent.
 */
static int check_notify(const struct seccomp *s, bool *listens, struct err *e)
{
	static const char *const never[] = { "write", "sendmsg" };
	size_t i, j, k;

	*listens = false;
	if (s->default_action == SECCOMP_NOTIFY)
		return fail(e, 0,
			    "linux.seccomp.defaultAction: SCMP_ACT_NOTIFY cannot be used as "
			    "default action");
	for (i = 0; i < s->n_rules; i++) {
		if (s->rules[i].action != SECCOMP_NOTIFY)
			continue;
		*listens = true;
		for (j = 0; j < s->rules[i].names.n; j++)
			for (k = 0; k < sizeof never / sizeof *never; k++)
				if (!strcmp(s->rules[i].names.v[j], never[k]))
					return fail(e, 0,
						    "linux.seccomp.syscalls[%zu]: SCMP_ACT_NOTIFY "
						    "cannot be used for the %s syscall",
						    i, never[k]);
	}
	if (*listens && !(s->listener_path && *s->listener_path))
		return fail(e, 0, "linux.seccomp: SCMP_ACT_NOTIFY needs listenerPath");
	return 0;
}

/* TSYNC is of no use to a process of one thread, and the wait for an agent of none without one. */
static int choose_flags(const struct seccomp *s, bool listens, unsigned *flags, struct err *e)
{
	static const unsigned asked[] = { SECCOMP_FILTER_FLAG_LOG, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
					  SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV };
	size_t i;

	*flags = listens ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
	if (!s->flags_given && seccomp_has_flag(SECCOMP_FILTER_FLAG_SPEC_ALLOW))
		*flags |= SECCOMP_FILTER_FLAG_SPEC_ALLOW;
	for (i = 0; i < sizeof asked / sizeof *asked; i++) {
		if (!(s->flags & asked[i]))
			continue;
		if (!seccomp_has_flag(asked[i]))
			return fail(e, 0, "linux.seccomp.flags: the kernel has no %s",
				    name_of(names_seccomp_flags, (int)asked[i]));
		if (asked[i] != SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV || listens)
			*flags |= asked[i];
	}
	return 0;
}

int seccomp_build(struct arena *a, const struct seccomp *s, const char *cache_dir,
		  struct seccomp_program *p, struct err *e)
{
	uint8_t key[HASH_SIZE];
	struct utsname uts;

	*p = (struct seccomp_program){ 0 };
	if (!s->set)
		return 0;
	if (check_notify(s, &p->listens, e) || choose_flags(s, p->listens, &p->flags, e))
		return -1;
	if (!cache_dir || uname(&uts) || !seccomp_key(a, s, uts.release, key))
		return seccomp_compile(a, s, p, e);
	if (seccomp_cache_get(a, cache_dir, key, p))
		return 0;
	if (seccomp_compile(a, s, p, e))
		return -1;
	seccomp_cache_put(a, cache_dir, key, p);
	return 0;
}

int seccomp_profile(const char *name, bool listens, struct seccomp_program *p, struct err *e)
{
	const struct seccomp_shipped *s = seccomp_shipped;

	*p = (struct seccomp_program){ 0 };
	while (s->name && (strcmp(s->name, name) != 0 || s->listens != listens))
		s++;
	if (!s->name)
		return fail(e, 0,
			    "the profile '%s' is not there for this kind of machine (set seccomp: "
			    "{floor: off, profile: off}, or give a file as the profile)",
			    name);
	p->code = s->code;
	p->n = (unsigned short)s->n;
	if (seccomp_has_flag(SECCOMP_FILTER_FLAG_SPEC_ALLOW))
		p->flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
	return 0;
}

int seccomp_install(const struct seccomp_program *p, int *listener, struct err *e)
{
	struct sock_fprog program = { .len = p->n };
	long rc;

	*listener = -1;
	if (!p->code)
		return 0;
	memcpy(&program.filter, &p->code, sizeof p->code); /* not const there, but not written */
	rc = sys_seccomp(SECCOMP_SET_MODE_FILTER, p->flags, &program);
	if (rc < 0)
		return fail(e, errno, "linux.seccomp: cannot load the filter");
	if (p->listens)
		*listener = (int)rc;
	return 0;
}
