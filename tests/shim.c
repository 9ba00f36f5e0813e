// SPDX-License-Identifier: Apache-2.0
/* Loaded into credsbox by t-selfcheck.sh: one call, named by $SHIM, says that it succeeded and does nothing. */
#define _GNU_SOURCE
#include <cap-ng.h>
#include <dlfcn.h>
#include <linux/keyctl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int close_range(unsigned first, unsigned last, int flags);

static char broken[32];

__attribute__((constructor)) static void read_name(void)
{
	const char *name = getenv("SHIM");

	if (name)
		strncpy(broken, name, sizeof broken - 1);
}

static int is(const char *name)
{
	return !strcmp(broken, name);
}

static void *sleeper(void *nothing)
{
	pause();
	return nothing;
}

int prctl(int option, ...)
{
	unsigned long a[4];
	pthread_t t;
	va_list ap;
	int i;

	va_start(ap, option);
	for (i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (option == PR_SET_NO_NEW_PRIVS && is("no_new_privs"))
		return 0;
	if (option == PR_SET_NO_NEW_PRIVS && is("thread"))
		pthread_create(&t, NULL, sleeper, NULL);
	return (int)syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}

int setresuid(uid_t r, uid_t e, uid_t s)
{
	return is("ids") ? 0 : (int)syscall(SYS_setresuid, r, e, s);
}

int capng_apply(capng_select_t set)
{
	int (*next)(capng_select_t) = (int (*)(capng_select_t))dlsym(RTLD_NEXT, "capng_apply");

	return is("capabilities") ? 0 : next(set);
}

int close_range(unsigned first, unsigned last, int flags)
{
	return is("descriptors") ? 0 : (int)syscall(SYS_close_range, first, last, flags);
}

int statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
	int rc = (int)syscall(SYS_statx, dir, path, flags, mask, st);

	if (is("root"))
		st->stx_mnt_id = 1;
	return rc;
}

long syscall(long number, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list ap;
	int i;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_landlock_restrict_self && is("landlock"))
		return 0;
	/* Without a program it is only asked for its flags. */
	if (number == SYS_seccomp && a[2] && is("floor"))
		return 0;
	/* The caller's own is what is joined then; nothing is to be done to it. */
	if (number == SYS_keyctl && a[0] == KEYCTL_JOIN_SESSION_KEYRING && is("keyring"))
		return next(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
	if (number == SYS_keyctl && a[0] == KEYCTL_SETPERM && is("keyring"))
		return 0;
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
