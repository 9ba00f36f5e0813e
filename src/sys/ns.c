// SPDX-License-Identifier: Apache-2.0
/* Namespaces: made with the first process, joined by path, or joined from another process. */
#include "ns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "path.h"
#include "../base/banned.h"

enum { MAP_TEXT_MAX = 16 * 1024 };

int ns_flag(enum ns_type t)
{
	static const int flags[NS_COUNT] = {
		[NS_USER] = CLONE_NEWUSER,   [NS_PID] = CLONE_NEWPID,
		[NS_NETWORK] = CLONE_NEWNET, [NS_MOUNT] = CLONE_NEWNS,
		[NS_IPC] = CLONE_NEWIPC,     [NS_UTS] = CLONE_NEWUTS,
		[NS_TIME] = CLONE_NEWTIME,   [NS_CGROUP] = CLONE_NEWCGROUP,
	};

	return flags[t];
}

/* The file system of message queues belongs to whoever makes its namespace: that must be somebody in
 * the user namespace, not the caller outside.
 */
static bool is_late(const struct ns ns[NS_COUNT], enum ns_type t)
{
	return t == NS_CGROUP || t == NS_TIME || (t == NS_IPC && ns[NS_USER].listed);
}

int ns_new_flags(const struct ns ns[NS_COUNT])
{
	int t, flags = 0;

	for (t = 0; t < NS_COUNT; t++)
		if (ns[t].listed && !ns[t].path && !is_late(ns, t))
			flags |= ns_flag(t);
	return flags;
}

static int write_offset(int fd, const char *clock, const struct time_offset *o, struct err *e)
{
	if (o->set && dprintf(fd, "%s %lld %u\n", clock, (long long)o->secs, o->nanosecs) < 0)
		return fail(e, errno, "linux.timeOffsets.%s", clock);
	return 0;
}

int ns_open_offsets(int proc, const struct plan *p, int *offsets, struct err *e)
{
	const struct linux_conf *l = &p->bundle->lin;

	*offsets = -1;
	if (!p->ns[NS_TIME].listed || p->ns[NS_TIME].path ||
	    (!l->monotonic.set && !l->boottime.set))
		return 0;
	*offsets = proc_open(proc, "self/timens_offsets", O_WRONLY, e);
	return *offsets < 0 ? -1 : 0;
}

/* The offsets must be there before anybody is in the namespace; unshare() only makes it for children. */
static int make_time(int proc, int offsets, const struct linux_conf *l, struct err *e)
{
	autofd int self = -1;

	if (unshare(CLONE_NEWTIME))
		return fail(e, errno, "linux.namespaces: time");
	if (offsets >= 0 && (write_offset(offsets, "monotonic", &l->monotonic, e) ||
			     write_offset(offsets, "boottime", &l->boottime, e)))
		return -1;
	self = openat(proc, "self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
	if (self < 0 || setns(self, CLONE_NEWTIME))
		return fail(e, errno, "linux.namespaces: cannot enter the time namespace");
	return 0;
}

int ns_make_late(int proc, int *offsets, const struct plan *p, struct err *e)
{
	const struct ns *ns = p->ns;
	int rc = 0;

	if (is_late(ns, NS_IPC) && ns[NS_IPC].listed && !ns[NS_IPC].path && unshare(CLONE_NEWIPC))
		return fail(e, errno, "linux.namespaces: ipc");
	if (ns[NS_CGROUP].listed && !ns[NS_CGROUP].path && unshare(CLONE_NEWCGROUP))
		return fail(e, errno, "linux.namespaces: cgroup");
	if (ns[NS_TIME].listed && !ns[NS_TIME].path)
		rc = make_time(proc, *offsets, &p->bundle->lin, e);
	fd_cleanup(offsets);
	return rc;
}

int ns_open(const struct ns ns[NS_COUNT], int fds[NS_COUNT], struct err *e)
{
	int t;

	for (t = 0; t < NS_COUNT; t++)
		fds[t] = -1;
	for (t = 0; t < NS_COUNT; t++) {
		if (!ns[t].listed || !ns[t].path)
			continue;
		fds[t] = open(ns[t].path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fds[t] < 0)
			return fail(e, errno, "linux.namespaces: %s: cannot open the path",
				    ns_name(t));
		if (ioctl(fds[t], NS_GET_NSTYPE) != ns_flag(t))
			return fail(e, 0,
				    "linux.namespaces: %s: what the path leads to is no such "
				    "namespace",
				    ns_name(t));
	}
	return 0;
}

/* Namespaces of the host can be joined only before its user namespace is left, those of a pod only
 * after the pod's is entered: what is refused at first is tried again.
 */
static int join_paths(const struct ns_clone *c, int *failed)
{
	bool done[NS_COUNT] = { false };
	int round, t;

	for (round = 0; round < 2; round++) {
		for (t = 0; t < NS_COUNT; t++) {
			if (c->join[t] < 0 || done[t] || t == NS_USER)
				continue;
			done[t] = !setns(c->join[t], ns_flag(t));
			if (!done[t] && (round || errno != EPERM || c->join[NS_USER] < 0)) {
				*failed = t;
				return errno;
			}
		}
		if (!round && c->join[NS_USER] >= 0 && setns(c->join[NS_USER], CLONE_NEWUSER)) {
			*failed = NS_USER;
			return errno;
		}
	}
	return 0;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there
static pid_t clone_first(const struct ns_clone *c, int more, int into_cgroup, int *pidfd)
{
	struct clone_args args = {
		.flags = (unsigned)(c->flags | more),
		.exit_signal = more & CLONE_PARENT ? 0 : SIGCHLD,
	};

	if (pidfd) {
		args.flags |= CLONE_PIDFD;
		args.pidfd = (uintptr_t)pidfd;
	}
	if (into_cgroup >= 0) {
		args.flags |= CLONE_INTO_CGROUP;
		args.cgroup = (unsigned)into_cgroup;
	}
	return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

/* From inside a cgroup namespace no process can be brought in (where the file system is mounted with
 * nsdelegate, as systemd does): the joiner is in the cgroup before it joins, and its child with it.
 */
static pid_t fork_joiner(int into_cgroup)
{
	const struct ns_clone plain = { .flags = 0 };

	return into_cgroup < 0 ? _Fork() : clone_first(&plain, 0, into_cgroup, NULL);
}

/* What the joiner has to tell, in memory that both see. */
struct joined {
	int error, failed; /* failed: the type that could not be joined, or -1 */
	pid_t pid;
};

/* In the joiner, which has namespaces and memory of its own: a time namespace wants both.
 * Returns in the new first process only.
 */
static void join_and_clone(const struct ns_clone *c, volatile struct joined *j)
{
	int type = -1;
	pid_t pid;

	if (c->join_pidfd >= 0 && setns(c->join_pidfd, c->join_flags))
		j->error = errno;
	else
		j->error = join_paths(c, &type);
	j->failed = type;
	if (j->error)
		_exit(1);
	pid = clone_first(c, CLONE_PARENT, -1, NULL);
	if (!pid)
		return;
	j->error = pid < 0 ? errno : 0;
	j->pid = pid;
	_exit(0);
}

static bool joins(const struct ns_clone *c)
{
	int t;

	for (t = 0; t < NS_COUNT; t++)
		if (c->join[t] >= 0)
			return true;
	return c->join_pidfd >= 0;
}

static int clone_failed(const struct ns_clone *c, int error, struct err *e)
{
	if (error == EPERM && c->flags & CLONE_NEWUSER)
		return fail(
			e, error,
			"cannot make a user namespace (the kernel allows none in a chroot; else "
			"see kernel.unprivileged_userns_clone, user.max_user_namespaces and "
			"kernel.apparmor_restrict_unprivileged_userns)");
	return fail(e, error, "cannot make the container's first process");
}

static int join_failed(const struct ns_clone *c, const struct joined *j, struct err *e)
{
	if (j->error && j->failed >= 0)
		return fail(e, j->error, "linux.namespaces: %s: cannot join",
			    ns_name((enum ns_type)j->failed));
	if (j->error && c->join_pidfd >= 0 && j->pid < 0)
		return fail(e, j->error, "cannot join the container's namespaces");
	return clone_failed(c, j->error, e);
}

static int clone_joined(struct ns_clone *c, struct err *e)
{
	struct joined *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct joined told;
	pid_t joiner;

	c->pid = c->pidfd = -1;
	if (shared == MAP_FAILED)
		return fail(e, errno, "mmap");
	*shared = (struct joined){ .failed = -1, .pid = -1 };
	joiner = fork_joiner(c->into_cgroup);
	if (!joiner) {
		join_and_clone(c, shared);
		return 1;
	}
	if (joiner < 0)
		fail(e, errno, "cannot make a process in the container's cgroup");
	while (joiner > 0 && waitpid(joiner, NULL, 0) < 0 && errno == EINTR)
		;
	told = *shared;
	munmap(shared, sizeof *shared);
	if (joiner < 0)
		return -1;
	if (told.error || told.pid < 0)
		return join_failed(c, &told, e);

	/* Our child, and nobody has waited for it: the number is still its own. */
	c->pid = told.pid;
	c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	if (c->pidfd >= 0)
		return 0;
	fail(e, errno, "pidfd_open");
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	return -1;
}

int ns_clone(struct ns_clone *c, struct err *e)
{
	if (joins(c))
		return clone_joined(c, e);
	c->pidfd = -1;
	c->pid = clone_first(c, 0, c->into_cgroup, &c->pidfd);
	if (c->pid < 0)
		return clone_failed(c, errno, e);
	return c->pid == 0;
}

static int write_proc(pid_t pid, const char *file, const char *text, size_t len, struct err *e)
{
	char path[64];
	autofd int fd = -1;

	snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		return fail(e, errno,
			    "%s of the user namespace (an ordinary user can map one id, its own)",
			    file);
	return 0;
}

static int write_map(pid_t pid, const char *file, const struct id_maps *maps, struct err *e)
{
	struct arena a = { 0 };
	struct str s;
	size_t i;
	int rc;

	str_init(&s, &a, MAP_TEXT_MAX);
	for (i = 0; i < maps->n; i++)
		str_printf(&s, "%u %u %u\n", maps->v[i].container_id, maps->v[i].host_id,
			   maps->v[i].size);
	rc = s.overflow ? fail(e, 0, "%s: too many mappings", file)
			: write_proc(pid, file, s.s, s.len, e);
	arena_release(&a);
	return rc;
}

int ns_map_ids(pid_t pid, const struct id_maps *uids, const struct id_maps *gids,
	       bool deny_setgroups, struct err *e)
{
	if (deny_setgroups && write_proc(pid, "setgroups", "deny", 4, e))
		return -1;
	if (write_map(pid, "uid_map", uids, e))
		return -1;
	return write_map(pid, "gid_map", gids, e);
}
