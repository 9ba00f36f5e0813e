// SPDX-License-Identifier: Apache-2.0
/* The container's first process: a table of steps, and one check for all of them. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../sys/cred.h"
#include "../sys/hook.h"
#include "../sys/landlock.h"
#include "../sys/net.h"
#include "../sys/sync.h"
#include "../sys/tty.h"
#include "container.h"
#include "environ.h"
#include "program.h"
#include "selfcheck.h"
#include "../base/banned.h"

static const char runtime_gone[] = "the runtime is gone";

static int wait_until_mapped(struct launch *l, struct err *e)
{
	return sync_expect(l->sync, STAGE_MAPPED, runtime_gone, NULL, e);
}

/* A session of its own: no terminal of the caller's can be reached, and it leads a process group
 * that callers kill as one.
 */
static int lead_session(struct launch *l, struct err *e)
{
	/* The kernel's own struct: libc keeps two signals to itself, and callers ignore those too. */
	static const unsigned long by_default[4];
	sigset_t none;
	int sig;

	(void)l;
	for (sig = 1; sig < NSIG; sig++)
		syscall(SYS_rt_sigaction, sig, by_default, NULL, NSIG / 8);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (setsid() < 0)
		return fail(e, errno, "setsid");
	return 0;
}

static bool has_user_ns(const struct launch *l)
{
	return l->job.plan.ns[NS_USER].listed;
}

static bool maps_root(const struct id_maps *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (m->v[i].container_id == 0)
			return true;
	return false;
}

/* With other ids its own files in /proc are no longer its own. */
static int open_offsets(struct launch *l, struct err *e)
{
	return ns_open_offsets(l->proc, &l->job.plan, &l->offsets, e);
}

/* What is made from here on belongs to the root of the user namespace, if it has one. */
static int become_root(struct launch *l, struct err *e)
{
	const struct plan *p = &l->job.plan;

	if (!has_user_ns(l))
		return 0;
	/* Of one that was joined only those who are in it can tell. */
	if (p->ns[NS_USER].path)
		l->can_set_groups = launch_may_set_groups();
	if ((p->ns[NS_USER].path || maps_root(&p->gid_maps)) && setresgid(0, 0, 0))
		return fail(e, errno, "cannot become group 0 of the user namespace");
	if (l->can_set_groups && setgroups(0, NULL) && errno != EPERM)
		return fail(e, errno, "setgroups");
	if ((p->ns[NS_USER].path || maps_root(&p->uid_maps)) && setresuid(0, 0, 0))
		return fail(e, errno, "cannot become user 0 of the user namespace");
	return 0;
}

/* The caller may run on few processors; the container has those of its group. */
static int enter_cgroup(struct launch *l, struct err *e)
{
	return cgroup_enter(&l->cgroup, e) || cred_affinity_all(e) ? -1 : 0;
}

static int enter_cgroup_again(struct launch *l, struct err *e)
{
	const struct process *p = l->process;

	if (cgroup_enter(&l->cgroup, e))
		return -1;
	if (p->cpu_affinity_final)
		return cred_affinity(p->cpu_affinity_final, e);
	return p->cpu_affinity_initial ? 0 : cred_affinity_all(e);
}

static int make_namespaces(struct launch *l, struct err *e)
{
	return ns_make_late(l->proc, &l->offsets, &l->job.plan, e);
}

/* Until it is another program, nothing in the container may look into this one. */
static int hide(struct launch *l, struct err *e)
{
	(void)l;
	return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ? fail(e, errno, "PR_SET_DUMPABLE") : 0;
}

static int join_keyring(struct launch *l, struct err *e)
{
	return l->args->no_new_keyring ? 0 : cred_keyring(l->args->id, e);
}

static int set_loopback_up(struct launch *l, struct err *e)
{
	const struct ns *net = &l->job.plan.ns[NS_NETWORK];

	return net->listed && !net->path ? net_loopback_up(e) : 0;
}

static int set_names(struct launch *l, struct err *e)
{
	const struct plan *p = &l->job.plan;

	if ((p->hostname || p->domainname) && !p->ns[NS_UTS].listed)
		return fail(e, 0,
			    "%s: unable to set it without a private UTS namespace (add one to "
			    "linux.namespaces)",
			    p->hostname ? "hostname" : "domainname");
	if (p->hostname && sethostname(p->hostname, strlen(p->hostname)))
		return fail(e, errno, "hostname");
	if (p->domainname && setdomainname(p->domainname, strlen(p->domainname)))
		return fail(e, errno, "domainname");
	return 0;
}

static int begin_root(struct launch *l, struct err *e)
{
	return rootfs_begin(&l->rootfs, e);
}

static int make_mounts(struct launch *l, struct err *e)
{
	return rootfs_mounts(&l->rootfs, e);
}

static int make_devices(struct launch *l, struct err *e)
{
	return rootfs_devices(&l->rootfs, e);
}

static int make_terminal(struct launch *l, struct err *e)
{
	autofd int master = -1;

	if (!l->process->terminal)
		return 0;
	if (tty_make(l->rootfs.fd, l->process, &master, &l->terminal, e) ||
	    rootfs_console(&l->rootfs, l->terminal, e))
		return -1;
	return tty_send(l->console, "/dev/ptmx", master, e);
}

/* The container's own devpts, of which exec is a guest: /dev/console stays the first program's. */
static int make_terminal_inside(struct launch *l, struct err *e)
{
	autofd int master = -1, root = -1;

	if (!l->process->terminal)
		return 0;
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return fail(e, errno, "terminal: /");
	if (tty_make(root, l->process, &master, &l->terminal, e))
		return -1;
	return tty_send(l->console, "/dev/ptmx", master, e);
}

static int wait_for_hooks(struct launch *l, struct err *e)
{
	if (!launch_waits_for_hooks(&l->job.plan))
		return 0;
	if (sync_send(l->sync, STAGE_MOUNTED, NULL, -1))
		return fail(e, errno, "%s", runtime_gone);
	return sync_expect(l->sync, STAGE_HOOKED, runtime_gone, NULL, e);
}

/* In the container's namespaces, but the path is still the host's. */
static int run_create_hooks(struct launch *l, struct err *e)
{
	return launch_hooks(l, HOOK_CREATE_CONTAINER, STATUS_CREATED, e);
}

static int enter_root(struct launch *l, struct err *e)
{
	return rootfs_pivot(&l->rootfs, e);
}

static int set_sysctl(struct launch *l, struct err *e)
{
	return cred_sysctl(l->proc, &l->job.plan.sysctl, e);
}

static int mask(struct launch *l, struct err *e)
{
	return rootfs_masks(&l->rootfs, e);
}

/* Then nothing changes but what is on record. */
static bool observes(const struct launch *l)
{
	return l->job.policy.mode == MODE_OBSERVE;
}

static int set_limits(struct launch *l, struct err *e)
{
	const struct linux_conf *lin = &l->job.bundle.lin;

	setrlimit(RLIMIT_CORE, &l->global->core);
	if (cred_rlimits(l->process, e) || cred_scheduler(l->process, e) ||
	    cred_io_priority(l->process, e) ||
	    (lin->memory_policy.set && cred_memory_policy(&lin->memory_policy, e)))
		return -1;
	if (!observes(l) && cred_no_core(e))
		return -1;
	return lin->personality.set ? cred_personality(lin->personality.domain, e) : 0;
}

/* The terminal becomes ours while it can still be opened and owned. */
static int adopt_terminal(struct launch *l, struct err *e)
{
	return l->process->terminal ? tty_adopt(l->terminal, l->args->keeps_files, e) : 0;
}

/* Without no_new_privs a filter takes a privilege that is about to go. */
static int load_seccomp_early(struct launch *l, struct err *e)
{
	return l->no_new_privs ? 0 : program_seccomp(l, e);
}

static int give_pipes(struct launch *l, struct err *e)
{
	(void)e;
	program_pipes(&l->process->user);
	return 0;
}

static int enter_directory(struct launch *l, struct err *e)
{
	return program_chdir(l, e);
}

static int enter_directory_late(struct launch *l, struct err *e)
{
	return program_chdir_late(l, e);
}

static int set_ids(struct launch *l, struct err *e)
{
	if (cred_bounding(&l->job.plan.caps, e) ||
	    cred_ids(&l->process->user, l->can_set_groups, e))
		return -1;
	return 0;
}

static int set_capabilities(struct launch *l, struct err *e)
{
	return cred_caps(&l->job.plan.caps, e);
}

static int set_no_new_privs(struct launch *l, struct err *e)
{
	return l->no_new_privs ? cred_no_new_privs(e) : 0;
}

/* From here on nothing can be mounted, and no file be opened that has no rule. */
static int apply_landlock(struct launch *l, struct err *e)
{
	return landlock_apply(&l->landlock, e);
}

static int find_program(struct launch *l, struct err *e)
{
	return program_find(l, e);
}

/* The first process of a pid namespace gets no signal that it does not handle: whoever asks a container to end
 * that is not started yet would wait for ever. With the program the handlers go.
 */
static void heed_signals(void)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct sigaction sa = { .sa_handler = launch_end_by };
	size_t i;

	for (i = 0; getpid() == 1 && i < sizeof ending / sizeof ending[0]; i++)
		sigaction(ending[i], &sa, NULL);
}

static int say_ready(struct launch *l, struct err *e)
{
	if (!l->goes_on)
		heed_signals();
	return sync_send(l->sync, STAGE_READY, NULL, -1) ? fail(e, errno, "%s", runtime_gone) : 0;
}

/* Somebody who only looks whether we are here connects and says nothing. */
static int wait_for_start(struct launch *l, struct err *e)
{
	int conn;

	if (l->listener < 0)
		return sync_expect(l->sync, STAGE_GO, runtime_gone, NULL, e);
	close(l->sync);
	l->sync = -1;
	for (;;) {
		conn = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
		if (conn < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (conn < 0)
			return fail(e, errno, "accept");
		if (!sync_expect(conn, STAGE_GO, "no word", NULL, e))
			break;
		close(conn);
	}
	l->sync = conn;
	return 0;
}

static void close_between(int after, int before)
{
	if (after + 1 < before)
		close_range((unsigned)after + 1, (unsigned)before - 1, 0);
}

/* close_fds - all but what the program gets and what is still to be done needs
 * Really, not on exec: until `start` comes, which may be never, somebody would wait for the end of the
 * caller's pipes, and the host's directories would be within reach of whoever can look into us.
 */
static int close_fds(struct launch *l, struct err *e)
{
	int keep[] = { l->sync, l->listener, l->proc }, last = 2 + l->n_fds, i, next;
	const int n = sizeof keep / sizeof keep[0];

	for (;; last = next) {
		next = INT_MAX;
		for (i = 0; i < n; i++)
			if (keep[i] > last && keep[i] < next)
				next = keep[i];
		close_between(last, next);
		if (next == INT_MAX)
			break;
	}
	if (close_range(3 + (unsigned)l->n_fds, ~0U, CLOSE_RANGE_CLOEXEC))
		return fail(e, errno, "close_range");
	return 0;
}

static int set_labels(struct launch *l, struct err *e)
{
	return cred_labels(l->proc, l->process, e);
}

static int check_process(struct launch *l, struct err *e)
{
	return observes(l) ? 0 : selfcheck_process(l, e);
}

static int check_landlock(struct launch *l, struct err *e)
{
	int rc = selfcheck_landlock(l, e);

	fd_cleanup(&l->proc);
	l->proc = -1;
	return rc;
}

static int check_last(struct launch *l, struct err *e)
{
	return observes(l) ? 0 : selfcheck_last(l, e);
}

static int load_seccomp(struct launch *l, struct err *e)
{
	return l->no_new_privs ? program_seccomp(l, e) : 0;
}

static int run_start_hooks(struct launch *l, struct err *e)
{
	return launch_hooks(l, HOOK_START_CONTAINER, STATUS_CREATED, e);
}

static int start_program(struct launch *l, struct err *e)
{
	return program_exec(l, e);
}

/* mount(2) needs privileges that ids and capabilities take, and paths that the new root hides; hooks of
 * the host's side want the mounts made and the old root still there; the label goes through a file of the
 * host's /proc, which Landlock closes; seccomp comes when least is left to do: what follows it makes do with old system
 * calls, since profiles forbid those that they do not know.
 */
static const struct step {
	const char *name;
	int (*run)(struct launch *l, struct err *e);
} steps[] = {
	{ "wait until mapped", wait_until_mapped },
	{ "session", lead_session },
	{ "clock offsets", open_offsets },
	{ "become root", become_root },
	{ "cgroup", enter_cgroup },
	{ "late namespaces", make_namespaces },
	{ "hide", hide },
	{ "keyring", join_keyring },
	{ "loopback", set_loopback_up },
	{ "host name", set_names },
	{ "root", begin_root },
	{ "mounts", make_mounts },
	{ "devices", make_devices },
	{ "terminal", make_terminal },
	{ "hooks outside", wait_for_hooks },
	{ "createContainer hooks", run_create_hooks },
	{ "enter root", enter_root },
	{ "sysctl", set_sysctl },
	{ "masks", mask },
	{ "limits", set_limits },
	{ "adopt terminal", adopt_terminal },
	{ "give pipes", give_pipes },
	{ "directory", enter_directory },
	{ "close descriptors", close_fds },
	{ "seccomp before ids", load_seccomp_early },
	{ "ids", set_ids },
	{ "directory as the user", enter_directory_late },
	{ "capabilities", set_capabilities },
	{ "no new privileges", set_no_new_privs },
	{ "label", set_labels },
	{ "check process", check_process },
	{ "landlock", apply_landlock },
	{ "check landlock", check_landlock },
	{ "find program", find_program },
	{ "ready", say_ready },
	{ "wait for start", wait_for_start },
	{ "check all", check_last },
	{ "seccomp", load_seccomp },
	{ "startContainer hooks", run_start_hooks },
	{ "program", start_program },
}, exec_steps[] = {
	{ "wait until mapped", wait_until_mapped },
	{ "session", lead_session },
	{ "cgroup", enter_cgroup_again },
	{ "keyring", join_keyring },
	{ "terminal", make_terminal_inside },
	{ "limits", set_limits },
	{ "adopt terminal", adopt_terminal },
	{ "give pipes", give_pipes },
	{ "directory", enter_directory },
	{ "close descriptors", close_fds },
	{ "seccomp before ids", load_seccomp_early },
	{ "ids", set_ids },
	{ "directory as the user", enter_directory_late },
	{ "capabilities", set_capabilities },
	{ "no new privileges", set_no_new_privs },
	{ "label", set_labels },
	{ "check process", check_process },
	{ "landlock", apply_landlock },
	{ "check landlock", check_landlock },
	{ "find program", find_program },
	{ "ready", say_ready },
	{ "wait for start", wait_for_start },
	{ "check all", check_last },
	{ "seccomp", load_seccomp },
	{ "program", start_program },
};
enum {
	STEPS = sizeof steps / sizeof steps[0],
	EXEC_STEPS = sizeof exec_steps / sizeof exec_steps[0],
};

const char *const *child_steps(size_t *n)
{
	static const char *names[STEPS];

	for (*n = 0; *n < STEPS; ++*n)
		names[*n] = steps[*n].name;
	return names;
}

static int run_steps(struct launch *l, const struct step *table, size_t n)
{
	struct err e = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		if (table[i].run(l, &e))
			break;
	if (l->sync >= 0)
		sync_send(l->sync, l->is_unsafe ? STAGE_UNSAFE : STAGE_FAILED, &e, -1);
	return 1;
}

int child_main(struct launch *l)
{
	environ_wipe();
	return run_steps(l, steps, STEPS);
}

int child_exec(struct launch *l)
{
	environ_wipe();
	return run_steps(l, exec_steps, EXEC_STEPS);
}
