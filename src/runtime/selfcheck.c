// SPDX-License-Identifier: Apache-2.0
/* The last look before the program: does the kernel agree that every layer is there? */
#include "selfcheck.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

enum { STATUS_MAX = 8192 };

/* What is wrong here is wrong with us or with the kernel: nobody can run anything that is to be safe. */
static int unsafe(struct launch *l, struct err *e, const char *what)
{
	l->is_unsafe = true;
	return fail(e, 0, "self-check: %s (nothing is started; please report this)", what);
}

static long session_keyring(void)
{
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
}

/* Of two roots that are one directory, only the mount tells which it is. */
static uint64_t root_mount(void)
{
	struct statx st;

	return statx(AT_FDCWD, "/", AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &st) ? 0 : st.stx_mnt_id;
}

void selfcheck_note_host(struct launch *l)
{
	l->host_root = root_mount();
	l->host_keyring = session_keyring();
}

/* The words behind "NAME:" in the text of a status file; NULL: there is no such line. */
static const char *status_line(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *line;

	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && line[len] == ':')
			return line + len + 1 + strspn(line + len + 1, "\t ");
	}
	return NULL;
}

static bool status_is(const char *text, const char *name, const char *want)
{
	const char *line = status_line(text, name);
	size_t len = strlen(want);

	return line && !strncmp(line, want, len) && line[len] == '\n';
}

static bool has_caps(const char *text, const char *name, uint64_t caps)
{
	char want[24];

	snprintf(want, sizeof want, "%016llx", (unsigned long long)caps);
	return status_is(text, name, want);
}

static bool has_id(const char *text, const char *name, uint32_t id)
{
	char want[64];

	snprintf(want, sizeof want, "%u\t%u\t%u\t%u", id, id, id, id);
	return status_is(text, name, want);
}

static int check_status(struct launch *l, const char *text, struct err *e)
{
	const uint64_t *sets = l->job.plan.caps.sets;

	if (!status_is(text, "Threads", "1"))
		return unsafe(l, e, "there is more than one thread");
	if (!status_is(text, "NoNewPrivs", "1"))
		return unsafe(l, e, "no_new_privs is not set");
	if (!has_id(text, "Uid", l->process->user.uid) ||
	    !has_id(text, "Gid", l->process->user.gid))
		return unsafe(l, e, "the ids are not those of the plan");
	if (!has_caps(text, "CapInh", 0) || !has_caps(text, "CapAmb", 0))
		return unsafe(l, e, "capabilities would be inherited");
	if (!has_caps(text, "CapPrm", sets[CAPS_PERMITTED]) ||
	    !has_caps(text, "CapEff", sets[CAPS_EFFECTIVE]) ||
	    !has_caps(text, "CapBnd", sets[CAPS_BOUNDING]))
		return unsafe(l, e, "the capabilities are not those of the plan");
	return 0;
}

/* All that the program is not to get must close when it starts. */
static int check_fds(struct launch *l, struct err *e)
{
	int fd = openat(l->proc, "self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), flags;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *ent;
	bool stray = false;
	int64_t n;

	if (!dir)
		return fail(e, errno, "self-check: /proc/self/fd");
	while ((ent = readdir(dir))) {
		if (!parse_i64(ent->d_name, strlen(ent->d_name), &n) ||
		    n <= STDERR_FILENO + l->n_fds)
			continue;
		flags = fcntl((int)n, F_GETFD);
		stray |= flags >= 0 && !(flags & FD_CLOEXEC);
	}
	closedir(dir);
	return stray ? unsafe(l, e, "a descriptor would stay open") : 0;
}

int selfcheck_process(struct launch *l, struct err *e)
{
	autofd int fd = openat(l->proc, "self/status", O_RDONLY | O_CLOEXEC);
	char text[STATUS_MAX];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (n < 0)
		return fail(e, errno, "self-check: /proc/self/status");
	text[n] = '\0';
	return check_status(l, text, e) || check_fds(l, e) ? -1 : 0;
}

/* Where the root is the host's own, its rule holds for the host's /proc too. Of a device that may be read and written
 * nothing else may be done, since version 5; before that there is nothing that only Landlock refuses.
 */
static bool refuses_ioctl(const struct launch *l)
{
	autofd int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct winsize size;

	return l->landlock.abi < 5 || (fd >= 0 && ioctl(fd, TIOCGWINSZ, &size) && errno == EACCES);
}

static bool is_root_of_host(const struct launch *l)
{
	const char *path = l->job.bundle.root.path;

	return path && !strcmp(path, "/");
}

/* Of the host's /proc nothing has a rule. */
int selfcheck_landlock(struct launch *l, struct err *e)
{
	autofd int fd = -1;

	if (!l->landlock.abi)
		return 0;
	fd = openat(l->proc, "version", O_RDONLY | O_CLOEXEC);
	if ((fd < 0 && errno == EACCES) || (fd >= 0 && is_root_of_host(l) && refuses_ioctl(l)))
		return 0;
	return unsafe(l, e, "Landlock does not hold");
}

static bool is_added(const char *entry)
{
	return !strncmp(entry, "HOME=", 5) || !strncmp(entry, "LISTEN_FDS=", 11) ||
	       !strncmp(entry, "LISTEN_PID=", 11);
}

/* Variables may be fewer than the plan has, of those that come twice, but none are others, or in another order. */
static bool is_planned(const struct launch *l)
{
	size_t i, k = 0;

	for (i = 0; i < l->job.plan.n_args; i++)
		if (!l->argv[i] || strcmp(l->argv[i], l->job.plan.args[i]))
			return false;
	if (l->argv[i])
		return false;
	for (i = 0; l->envp[i]; i++) {
		while (k < l->n_env && strcmp(l->envp[i], l->env[k]))
			k++;
		if (k == l->n_env)
			break;
	}
	while (l->envp[i] && is_added(l->envp[i]))
		i++;
	return !l->envp[i];
}

int selfcheck_last(struct launch *l, struct err *e)
{
	if (l->job.plan.ns[NS_MOUNT].listed && root_mount() == l->host_root)
		return unsafe(l, e, "the root is the host's");
	if (!l->args->no_new_keyring && l->host_keyring > 0 && session_keyring() == l->host_keyring)
		return unsafe(l, e, "the session keyring is the caller's");
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return unsafe(l, e, "no_new_privs is not set");
	if (!is_planned(l))
		return unsafe(l, e, "arguments or variables are not those of the plan");
	return 0;
}

int selfcheck_floor(struct launch *l, struct err *e)
{
	enum { NO_OPERATION = -1 };

	if (!l->floor.code)
		return 0;
	return syscall(SYS_keyctl, NO_OPERATION, 0, 0, 0, 0) < 0 && errno == EPERM
		       ? 0
		       : unsafe(l, e, "the seccomp floor does not hold");
}
