// SPDX-License-Identifier: Apache-2.0
/* What the kernel is told of the program: its OOM score, its labels, its keyring. */
#include "cred.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/keyctl.h>

#include "../base/fd.h"
#include "path.h"
#include "../base/banned.h"

enum {
	LABEL_MOST = 4095, /* security modules take a page */
	KEYRING_NAME_MOST = 1200,

	/* What a new session keyring has, and searching: to join it by name needs that. */
	KEY_POSSESSOR_ALL = 0x3f000000,
	KEY_USER_VIEW_READ_SEARCH_LINK = 0x001b0000,
};

int cred_oom_score(int proc, pid_t pid, const struct process *p, struct err *e)
{
	autofd int fd = -1;
	char path[40] = "self/oom_score_adj", text[24];
	int n;

	if (!p->oom_score_adj.set)
		return 0;
	if (pid)
		snprintf(path, sizeof path, "%d/oom_score_adj", pid);
	fd = proc_open(proc, path, O_WRONLY, e);
	if (fd < 0)
		return fail_in(e, "process.oomScoreAdj");
	n = snprintf(text, sizeof text, "%lld", (long long)p->oom_score_adj.v);
	if (write(fd, text, (size_t)n) != n)
		return fail(e, errno, "process.oomScoreAdj: cannot set %s", text);
	return 0;
}

/* One write, as the modules want it. EINVAL is also the answer of a kernel without the module. */
static int write_label(int fd, const char *key, const char *text, const char *refused,
		       struct err *e)
{
	if (write(fd, text, strlen(text)) >= 0)
		return 0;
	if (errno == EINVAL)
		return fail(e, 0, "process.%s: %s", key, refused);
	return fail(e, errno, "process.%s: cannot be set", key);
}

/* Since 5.8 the module has a directory of its own: nothing meant for it can reach another one. */
static int set_apparmor(int proc, const char *profile, struct err *e)
{
	static const char key[] = "apparmorProfile";
	char text[sizeof "exec " + LABEL_MOST];
	autofd int fd = -1;

	if (strlen(profile) > LABEL_MOST)
		return fail(e, 0, "process.%s: too long", key);
	fd = proc_open(proc, "self/attr/apparmor/exec", O_WRONLY, e);
	if (fd < 0 && e->errnum == ENOENT) {
		/* Nothing confines: that is what was asked for. */
		if (!strcmp(profile, "unconfined"))
			return 0;
		return fail(e, 0, "process.%s: this kernel has no AppArmor", key);
	}
	if (fd < 0)
		return fail_in(e, "process.%s", key);
	snprintf(text, sizeof text, "exec %s", profile);
	return write_label(fd, key, text, "AppArmor is off, or refuses the profile", e);
}

/* A kernel with the module has its file system, mounted or not. */
static bool has_selinux(int proc)
{
	autofd int fd = -1;
	struct err ignored;
	char text[4096];
	ssize_t n;

	fd = proc_open(proc, "filesystems", O_RDONLY, &ignored);
	n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (n < 0)
		return true; /* a procfs of processes only: the write will tell */
	text[n] = '\0';
	return strstr(text, "\tselinuxfs\n");
}

static int set_selinux(int proc, const char *label, struct err *e)
{
	static const char key[] = "selinuxLabel";
	autofd int fd = -1;

	if (strlen(label) > LABEL_MOST)
		return fail(e, 0, "process.%s: too long", key);
	if (!has_selinux(proc))
		return fail(e, 0, "process.%s: this kernel has no SELinux", key);
	fd = proc_open(proc, "self/attr/exec", O_WRONLY, e);
	if (fd < 0)
		return fail_in(e, "process.%s", key);
	return write_label(fd, key, label, "SELinux is off, or does not know the label", e);
}

int cred_labels(int proc, const struct process *p, struct err *e)
{
	if (p->apparmor_profile && *p->apparmor_profile &&
	    set_apparmor(proc, p->apparmor_profile, e))
		return -1;
	if (p->selinux_label && *p->selinux_label && set_selinux(proc, p->selinux_label, e))
		return -1;
	return 0;
}

/* Whether a keyring is the caller's own. Descriptions read "keyring;UID;GID;PERMISSIONS;NAME". */
static bool is_own_keyring(long ring)
{
	char text[128], own[24];
	long n = syscall(SYS_keyctl, KEYCTL_DESCRIBE, ring, text, sizeof text);
	int len = snprintf(own, sizeof own, "keyring;%u;", geteuid());

	/* A text that is too long for the buffer is not written at all. */
	return n > 0 && n <= (long)sizeof text && !strncmp(text, own, (size_t)len);
}

/* Joining by name takes whatever keyring of that name lets itself be searched, another user's too,
 * who would then see what the container puts there: in its place comes one without a name.
 */
static long join_keyring(const char *name)
{
	long ring = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, name);

	if (!ring) /* one is in it already */
		ring = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
	if (ring < 0 || is_own_keyring(ring))
		return ring;
	return syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
}

int cred_keyring(const char *id, struct err *e)
{
	char name[KEYRING_NAME_MOST];
	long ring;

	if (snprintf(name, sizeof name, "_ses.%s", id) >= (int)sizeof name)
		return fail(e, 0, "session keyring: the container's name is too long");
	ring = join_keyring(name);
	if (ring < 0 && errno == ENOSYS)
		return 0;
	if (ring < 0 && errno == EDQUOT)
		return fail(e, 0,
			    "session keyring: the user's quota of keys is used up (see the sysctls "
			    "kernel.keys.maxkeys and kernel.keys.maxbytes)");
	if (ring < 0)
		return fail(e, errno,
			    "session keyring: cannot be made (--no-new-keyring leaves the "
			    "caller's)");
	if (syscall(SYS_keyctl, KEYCTL_SETPERM, ring,
		    KEY_POSSESSOR_ALL | KEY_USER_VIEW_READ_SEARCH_LINK))
		return fail(e, errno, "session keyring: cannot be made searchable");
	return 0;
}
