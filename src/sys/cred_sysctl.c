// SPDX-License-Identifier: Apache-2.0
/* sysctl: which ones belong to a namespace, and writing them. */
#include "cred.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "path.h"
#include "../base/banned.h"

enum { KEY_MOST = 200 };

struct owner {
	const char *path; /* with a slash at its end, all below it */
	enum ns_type ns;
};

// clang-format off
static const struct owner owners[] = {
	{ "fs/mqueue/", NS_IPC },
	{ "kernel/auto_msgmni", NS_IPC },
	{ "kernel/domainname", NS_UTS },
	{ "kernel/msg_next_id", NS_IPC },
	{ "kernel/msgmax", NS_IPC },
	{ "kernel/msgmnb", NS_IPC },
	{ "kernel/msgmni", NS_IPC },
	{ "kernel/sem", NS_IPC },
	{ "kernel/sem_next_id", NS_IPC },
	{ "kernel/shm_next_id", NS_IPC },
	{ "kernel/shm_rmid_forced", NS_IPC },
	{ "kernel/shmall", NS_IPC },
	{ "kernel/shmmax", NS_IPC },
	{ "kernel/shmmni", NS_IPC },
	{ "net/", NS_NETWORK },
	{ "user/", NS_USER },
};
// clang-format on

/* "net.ipv4.conf.eth0/1.mtu" and "net/ipv4/conf/eth0.1/mtu" are the same: whichever of the two
 * comes first is the separator. False when that is no path below /proc/sys.
 */
static bool key_path(const char *key, char path[KEY_MOST])
{
	size_t len = strlen(key), i, part = 0;
	bool dots = key[strcspn(key, "./")] == '.';

	if (!len || len >= KEY_MOST)
		return false;
	for (i = 0; i <= len; i++) {
		if (key[i] && (key[i] <= ' ' || key[i] > '~'))
			return false;
		path[i] = key[i];
		if (dots && (key[i] == '.' || key[i] == '/'))
			path[i] = key[i] == '.' ? '/' : '.';
		if (path[i] && path[i] != '/')
			continue;
		if (i == part || (i == part + 1 && path[part] == '.') ||
		    (i == part + 2 && path[part] == '.' && path[part + 1] == '.'))
			return false;
		part = i + 1;
	}
	return true;
}

static const struct owner *find_owner(const char *path)
{
	size_t i, len;

	for (i = 0; i < sizeof owners / sizeof *owners; i++) {
		len = strlen(owners[i].path);
		if (!strncmp(path, owners[i].path, len) &&
		    (owners[i].path[len - 1] == '/' || !path[len]))
			return &owners[i];
	}
	return NULL;
}

static int check_key(const char *key, size_t nr, const struct ns ns[NS_COUNT], struct err *e)
{
	const struct owner *owner;
	char path[KEY_MOST];

	if (!key_path(key, path))
		return fail(e, 0, "linux.sysctl: key %zu is no name of a sysctl", nr + 1);
	if (!strcmp(path, "kernel/hostname"))
		return fail(e, 0, "linux.sysctl: %s: not to be set (use hostname)", key);
	owner = find_owner(path);
	if (!owner)
		return fail(e, 0, "linux.sysctl: %s: belongs to no namespace but to the host", key);
	if (!ns[owner->ns].listed)
		return fail(e, 0,
			    "linux.sysctl: %s: the host's, as the container has no %s namespace of "
			    "its own",
			    key, ns_name(owner->ns));
	return 0;
}

/* Two names for one thing: which one a workload gets would depend on the order of our steps. */
static int check_domainname(const struct pair *s, const char *domainname, struct err *e)
{
	char path[KEY_MOST];

	if (!domainname || !key_path(s->key, path) || strcmp(path, "kernel/domainname") != 0 ||
	    !strcmp(s->value, domainname))
		return 0;
	return fail(e, 0,
		    "linux.sysctl: %s: domainname says something else (leave one of them out)",
		    s->key);
}

int cred_check_sysctl(const struct pairs *sysctl, const struct ns ns[NS_COUNT],
		      const char *domainname, struct err *e)
{
	size_t i;

	for (i = 0; i < sysctl->n; i++)
		if (check_key(sysctl->v[i].key, i, ns, e) ||
		    check_domainname(&sysctl->v[i], domainname, e))
			return -1;
	return 0;
}

/* Values are read from one write; an empty one must be seen too. The domain name's file belongs to
 * the host's root, whatever the user namespace: for it there is a system call.
 */
static int write_value(int proc, const struct pair *s, size_t nr, struct err *e)
{
	char path[sizeof "sys/" + KEY_MOST] = "sys/";
	const char *value = *s->value ? s->value : "\n";
	autofd int fd = -1;

	if (!key_path(s->key, path + strlen("sys/")))
		return fail(e, 0, "linux.sysctl: key %zu is no name of a sysctl", nr + 1);
	if (!strcmp(path, "sys/kernel/domainname")) {
		if (setdomainname(s->value, strcspn(s->value, "\n")))
			return fail(e, errno, "linux.sysctl: %s: cannot be set", s->key);
		return 0;
	}
	fd = proc_open(proc, path, O_WRONLY, e);
	if (fd < 0)
		return fail_in(e, "linux.sysctl: %s", s->key);
	if (write(fd, value, strlen(value)) < 0)
		return fail(e, errno, "linux.sysctl: %s: cannot be set", s->key);
	return 0;
}

int cred_sysctl(int proc, const struct pairs *sysctl, struct err *e)
{
	size_t i;

	for (i = 0; i < sysctl->n; i++)
		if (write_value(proc, &sysctl->v[i], i, e))
			return -1;
	return 0;
}
