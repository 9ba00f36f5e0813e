// SPDX-License-Identifier: Apache-2.0
/* From a bundle to a container: the runtime's side of it. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../base/str.h"
#include "../core/mount_opts.h"
#include "../sys/cred.h"
#include "../sys/hook.h"
#include "../sys/net.h"
#include "../sys/sync.h"
#include "../sys/tty.h"
#include "container.h"
#include "program.h"
#include "seal.h"
#include "selfcheck.h"
#include "../base/banned.h"

enum {
	SIGNAL_BASE = 128, /* of exit codes, as shells have it */
	NAME_SHOWN = 160
};

static const char child_gone[] = "the container's first process died while it was being made";

static int read_bundle(struct launch *l, struct err *e)
{
	const char *config = l->args->config ? l->args->config : "config.json";
	struct job *j = &l->job;
	char path[PATH_MAX];

	if (!realpath(l->args->bundle ? l->args->bundle : ".", path))
		return fail(e, errno, "--bundle");
	l->bundle = arena_strdup(&j->arena, path);
	/* A text that is there already is that of a command without a bundle, and has a name. */
	if (!j->text) {
		j->name = printable(&j->arena, config, NAME_SHOWN);
		if (config[0] != '/')
			config = arena_printf(&j->arena, "%s/%s", l->bundle, config);
		if (file_read(&j->scratch, config, false, JSON_MAX_SIZE, &j->text, &j->len, e))
			return -1;
	}
	if (job_plan(j, l->bundle, l->global->policy, e))
		return -1;
	if (!j->bundle.root.path)
		return fail(e, 0, "%s: root: missing", j->name);
	snprintf(path, sizeof path, "%s",
		 j->bundle.root.path[0] == '/'
			 ? j->bundle.root.path
			 : arena_printf(&j->arena, "%s/%s", l->bundle, j->bundle.root.path));
	l->root = realpath(path, arena_alloc(&j->arena, PATH_MAX));
	return l->root ? 0 : fail(e, errno, "%s: root.path", j->name);
}

/* Every item, not just the first: people fix them all at once. */
int launch_refuse(struct launch *l, struct err *e)
{
	const struct plan *p = &l->job.plan;
	size_t i, n = 0;

	if (!p->refused)
		return p->lacks ? fail(e, 0, "%s", p->lacks) : 0;

	for (i = 0; i < p->n_cuts; i++) {
		if (p->cuts[i].action != ACTION_REFUSE)
			continue;
		fprintf(stderr, "credsbox: %s: refused: %s: %s (%s)\n", l->command,
			p->cuts[i].where, p->cuts[i].name, p->cuts[i].rule);
		n++;
	}
	l->exit_code = EXIT_REFUSED;

	/* Somebody will want to know who tried; that it cannot be written changes nothing here. */
	if (job_record(&l->job, l->args->id, l->command, e))
		log_warn("%s", e->text);
	return fail(e, 0, "refused by the policy: %zu item%s of the bundle hold%s credentials", n,
		    n == 1 ? "" : "s", n == 1 ? "s" : "");
}

int launch_check_console(const struct launch *l, struct err *e)
{
	bool terminal = l->job.bundle.process.terminal;
	autofd int host = -1;

	if (terminal && l->args->detach && !l->args->console_socket)
		return fail(e, 0,
			    "cannot allocate tty if credsbox will detach without setting console "
			    "socket");
	if (l->args->console_socket && (!terminal || !l->args->detach))
		return fail(
			e, 0,
			"cannot use console socket if credsbox will not detach or allocate tty");
	if (!terminal || l->args->detach)
		return 0;
	host = tty_host(e);
	return host < 0 ? -1 : 0;
}

/* What is left out of the bundle's wishes, and does no harm by that. */
static void warn(const struct bundle *b)
{
	const char *text = cgroup_warning(&b->lin.resources);
	uint64_t lost = cred_ambient_lost(&b->process.caps);
	const struct name *cap;
	size_t i;

	if (text)
		log_warn("%s", text);
	for (cap = names_capabilities; cap->name; cap++)
		if (lost & UINT64_C(1) << cap->value)
			log_warn("can't raise ambient capability %s: it must be permitted and "
				 "inheritable too",
				 cap->name);
	for (i = 0; i < b->process.caps.unknown.n; i++)
		log_warn("process.capabilities: unknown capability '%s' is left out",
			 b->process.caps.unknown.v[i]);
}

/* What the kernel would refuse later, or carry out in part. */
static int check_bundle(const struct bundle *b, const struct plan *p, struct err *e)
{
	const struct linux_conf *lin = &b->lin;

	if (!b->process.set)
		return fail(e, 0, "process: missing, there is nothing to run");
	if (p->ns[NS_USER].listed && !p->ns[NS_USER].path && !p->uid_maps.n)
		return fail(e, 0, "linux.uidMappings: none for the user namespace");
	if ((lin->monotonic.set || lin->boottime.set) &&
	    (!p->ns[NS_TIME].listed || p->ns[NS_TIME].path))
		return fail(e, 0, "linux.timeOffsets: there is no new time namespace");
	if (lin->intel_rdt.set)
		return fail(e, 0, "linux.intelRdt: not carried out here (remove it)");
	if (b->process.scheduler.set && lin->resources.cpu.cpus)
		return fail(e, 0,
			    "process scheduler can't be used together with AllowedCPUs "
			    "(linux.resources.cpu.cpus)");
	return cred_check_sysctl(&lin->sysctl, p->ns, b->domainname, e);
}

static int check(struct launch *l, struct err *e)
{
	if (check_bundle(&l->job.bundle, &l->job.plan, e))
		return fail_in(e, "%s", l->job.name);
	if (launch_check_console(l, e))
		return -1;
	warn(&l->job.bundle);
	return launch_refuse(l, e);
}

bool launch_may_set_groups(void)
{
	autofd int fd = open("/proc/self/setgroups", O_RDONLY | O_CLOEXEC);
	char text[8] = "";

	return fd < 0 || read(fd, text, sizeof text - 1) < 0 || strncmp(text, "deny", 4) != 0;
}

static void fill_in(struct launch *l)
{
	struct plan *p = &l->job.plan;
	size_t i;

	l->process = &l->job.bundle.process;
	l->seccomp_conf = p->seccomp;
	l->landlock = p->landlock;
	l->no_new_privs = p->no_new_privs;
	l->env = p->env;
	l->n_env = p->n_env;
	l->argv = arena_array(&l->job.arena, p->n_args + 1, sizeof *l->argv);
	for (i = 0; i < p->n_args; i++)
		l->argv[i] = arena_strdup(&l->job.arena, p->args[i]);
	l->shown = plan_name(&l->job.arena, &p->secrets, l->argv[0], strlen(l->argv[0]));
	l->can_set_groups = !p->deny_setgroups && launch_may_set_groups();

	l->state.bundle = l->bundle;
	l->state.rootfs = l->root;
	l->state.created = state_now(&l->job.arena);
	l->state.oci_version = l->job.bundle.oci_version;
	l->state.owner = geteuid();
	l->state.annotations.v =
		arena_array(&l->job.arena, p->n_annotations + 1, sizeof *l->state.annotations.v);
	for (i = 0; i < p->n_annotations; i++)
		l->state.annotations.v[l->state.annotations.n++] = *p->annotations[i];
}

static bool is_own(const struct ns *ns)
{
	return ns->listed && !ns->path;
}

/* A group that the container can write to belongs to its program's user. */
static bool mounts_cgroups_rw(struct arena *a, const struct plan *p)
{
	const struct mount *m;
	struct mount_opts o;
	struct err ignored;
	bool rw = false;
	size_t i;

	for (i = 0; i < p->n_mounts; i++) {
		m = p->mounts[i];
		if (m->type && !strncmp(m->type, "cgroup", 6) &&
		    !mount_opts_read(a, m, &o, &ignored))
			rw = !(o.attr_set & MOUNT_ATTR_RDONLY);
	}
	return rw;
}

static uint32_t host_uid(const struct id_maps *maps, uint32_t uid)
{
	size_t i;

	for (i = 0; i < maps->n; i++)
		if (uid >= maps->v[i].container_id &&
		    uid - maps->v[i].container_id < maps->v[i].size)
			return maps->v[i].host_id + (uid - maps->v[i].container_id);
	return maps->n ? geteuid() : uid;
}

static struct cgroup_wish cgroup_wish(struct launch *l)
{
	const struct plan *p = &l->job.plan;
	const struct ns *user = &p->ns[NS_USER];
	uint32_t uid = l->job.bundle.process.user.uid;
	const char *path = l->job.bundle.lin.cgroups_path;

	return (struct cgroup_wish){
		.id = l->args->id,
		.path = path && *path ? path : NULL,
		.systemd = l->global->systemd_cgroup,
		.disabled = l->global->no_cgroup,
		.resources = &l->job.bundle.lin.resources,
		.annotations = &l->job.bundle.annotations,
		.new_namespace = is_own(&p->ns[NS_CGROUP]),
		.mounts_rw = mounts_cgroups_rw(&l->job.arena, p),
		/* Of a user namespace that is joined, nobody here knows the ids. */
		.owner_uid = user->listed && user->path ? geteuid() : host_uid(&p->uid_maps, uid),
	};
}

/* What outlives us is on the disk before it is made: whatever happens, delete finds it. */
static int make_state(struct launch *l, struct err *e)
{
	struct cgroup_wish wish = cgroup_wish(l);
	const char *text;
	size_t len;
	int root;

	root = container_root(l->global, true, e);
	if (root < 0 || state_make(root, l->args->id, &l->state, e))
		return -1;
	l->made_state = true;
	fill_in(l);
	if (cgroup_find(&l->job.arena, &wish, &l->cgroup, e))
		return -1;
	text = save_text(l, &len);
	return state_save(&l->state, text, len, e);
}

static int open_sources(struct launch *l, struct err *e)
{
	const struct ns *user = &l->job.plan.ns[NS_USER];

	l->rootfs = (struct rootfs){
		.arena = &l->job.arena,
		.plan = &l->job.plan,
		.path = l->root,
		.bundle = l->bundle,
		.cgroup = &l->cgroup,
		.has_user_ns = user->listed,
		.devices = -1,
		.null = -1,
		.fd = -1,
	};
	if (rootfs_open(&l->rootfs, l->clone.join[NS_USER], e))
		return -1;
	if (l->job.bundle.lin.mount_label && !l->rootfs.label)
		log_warn("linux.mountLabel has no effect: the kernel has no SELinux");
	return 0;
}

/* The program may ask for the size before the relay has set it. */
static void use_size_of_host(struct process *p)
{
	struct winsize size = { 0 };
	struct err ignored;
	autofd int host = tty_host(&ignored);

	if (host < 0 || ioctl(host, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return;
	p->console_height = size.ws_row;
	p->console_width = size.ws_col;
}

/* Where the terminal's other end goes: to the caller's socket, or to us. */
int launch_console(struct launch *l, struct err *e)
{
	int pair[2];

	if (!l->process->terminal)
		return 0;
	if (l->args->console_socket) {
		l->console = tty_connect(l->args->console_socket, e);
		return l->console < 0 ? fail_in(e, "--console-socket") : 0;
	}
	use_size_of_host(&l->job.bundle.process);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return fail(e, errno, "socketpair");
	l->console = pair[0];
	l->console_here = pair[1];
	return 0;
}

static int load_floor(struct launch *l, struct err *e)
{
	enum policy_floor floor = l->job.plan.floor;
	const char *name = floor == FLOOR_ON ? "floor" : policy_floor_name(floor);

	return floor == FLOOR_OFF ? 0 : seccomp_profile(name, l->seccomp.listens, &l->floor, e);
}

/* Compiled filters lie beside the containers, under a name that none of them can have. */
int launch_seccomp(struct launch *l, struct err *e)
{
	const char *cache = arena_printf(&l->job.arena, "%s/@seccomp", l->global->root);
	enum plan_profile profile = l->job.plan.profile;

	if (l->seccomp_conf && seccomp_build(&l->job.arena, l->seccomp_conf, cache, &l->seccomp, e))
		return profile == PROFILE_FILE ? fail_in(e, "seccomp.profile") : -1;
	if ((profile == PROFILE_DEFAULT || profile == PROFILE_STRICT) &&
	    seccomp_profile(plan_profile_name(profile), false, &l->seccomp, e))
		return -1;
	return load_floor(l, e);
}

static int make_parts(struct launch *l, struct err *e)
{
	struct cgroup_wish wish = cgroup_wish(l);

	if (ns_open(l->job.plan.ns, l->clone.join, e))
		return -1;
	if (!l->goes_on) {
		l->listener = state_listen(&l->state, e);
		if (l->listener < 0)
			return -1;
	}
	if (launch_seccomp(l, e) || open_sources(l, e) || launch_console(l, e))
		return -1;
	if (cgroup_make(&l->job.arena, &l->cgroup, &wish, e))
		return -1;
	l->made_cgroup = true;
	l->proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (l->proc < 0)
		return fail(e, errno, "/proc");
	return cgroup_open(&l->cgroup, &l->clone.into_cgroup, e);
}

static void close_fd(int *fd)
{
	fd_cleanup(fd);
	*fd = -1;
}

void launch_end_by(int sig)
{
	_exit(SIGNAL_BASE + sig);
}

/* The child's own end closes when it becomes the program. */
int launch_clone(struct launch *l, int (*child)(struct launch *), struct err *e)
{
	int pair[2], rc;

	if (sync_pair(pair, e))
		return -1;
	l->sync = pair[1];
	rc = ns_clone(&l->clone, e);
	if (rc == 1) {
		/* The lock on the state is the runtime's alone. */
		close(pair[0]);
		close_fd(&l->state.dir);
		close_fd(&l->state.root);
		close_fd(&l->console_here);
		_exit(child(l));
	}
	close(pair[1]);
	l->sync = pair[0];
	close_fd(&l->listener);
	close_fd(&l->console);
	cgroup_close(&l->cgroup);
	if (rc < 0)
		l->clone.pid = 0;
	else
		log_debug("%s: process %d is in its namespaces", l->command, l->clone.pid);
	return rc;
}

static int move_devices(struct launch *l, struct err *e)
{
	char path[64];
	autofd int ns = -1;

	if (!l->job.bundle.lin.n_net_devices)
		return 0;
	snprintf(path, sizeof path, "/proc/%d/ns/net", l->clone.pid);
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0)
		return fail(e, errno, "linux.netDevices: the container's network namespace");
	return net_move_devices(&l->job.bundle.lin, ns, e);
}

/* Signals that would end us wait until what was made is there, or gone. Those that the caller ignores are nothing
 * to us; when they are blocked, the kernel keeps them all the same.
 */
static int hold_signals(struct launch *l, struct err *e)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct sigaction sa;
	sigset_t set, pipes;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < sizeof ending / sizeof ending[0]; i++)
		if (!sigaction(ending[i], NULL, &sa) && sa.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	pipes = set;
	sigaddset(&pipes, SIGPIPE); /* of a standard error that nobody reads */
	pthread_sigmask(SIG_BLOCK, &pipes, NULL);
	l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return l->signals < 0 ? fail(e, errno, "signalfd") : 0;
}

/* What startContainer hooks write to the terminal before the program runs. False: nothing more comes. */
static bool pass_on(int master)
{
	char buf[4096];
	struct err ignored;
	ssize_t n = read(master, buf, sizeof buf);

	if (n > 0)
		fd_write_all(STDOUT_FILENO, "", buf, (size_t)n, &ignored);
	return n > 0;
}

int launch_wait(const struct launch *l, int sock, int patience, struct err *e)
{
	enum { SOCK, SIGNALS, MASTER, COUNT };
	struct pollfd p[COUNT] = { { .fd = sock, .events = POLLIN },
				   { .fd = l->signals, .events = POLLIN },
				   { .fd = l->master, .events = POLLIN } };
	int n;

	for (;;) {
		n = poll(p, COUNT, patience);
		if (n < 0 && errno != EINTR)
			return fail(e, errno, "poll");
		if (n > 0 && p[SIGNALS].revents)
			return fail(e, 0, "interrupted by a signal");
		if (!n || (n > 0 && p[SOCK].revents))
			return 0;
		if (n > 0 && p[MASTER].revents && !pass_on(l->master))
			p[MASTER].fd = -1;
	}
}

void launch_drain(const struct launch *l)
{
	struct pollfd p = { .fd = l->master, .events = POLLIN };

	while (poll(&p, 1, 0) > 0 && pass_on(l->master))
		;
}

static int expect(struct launch *l, enum stage stage, struct err *e)
{
	if (launch_wait(l, l->sync, -1, e))
		return -1;
	return sync_expect(l->sync, stage, child_gone, NULL, e);
}

static int see_through(struct launch *l, struct err *e)
{
	const struct plan *p = &l->job.plan;

	if (is_own(&p->ns[NS_USER]) &&
	    ns_map_ids(l->clone.pid, &p->uid_maps, &p->gid_maps, p->deny_setgroups, e))
		return -1;
	if (l->cgroup.systemd && cgroup_add(&l->job.arena, &l->cgroup, l->clone.pid, e))
		return -1;
	if (cred_oom_score(l->proc, l->clone.pid, l->process, e) || move_devices(l, e))
		return -1;
	log_debug("%s: ids are mapped, devices moved", l->command);
	if (sync_send(l->sync, STAGE_MAPPED, NULL, -1))
		return fail(e, errno, "%s", child_gone);
	/* A disk takes its time, and the child does not need it: but before any program or hook runs. */
	if (job_record(&l->job, l->args->id, l->command, e))
		return -1;
	l->is_recorded = true;
	if (launch_waits_for_hooks(p)) {
		if (expect(l, STAGE_MOUNTED, e) ||
		    launch_hooks(l, HOOK_PRESTART, STATUS_CREATED, e) ||
		    launch_hooks(l, HOOK_CREATE_RUNTIME, STATUS_CREATED, e))
			return -1;
		if (sync_send(l->sync, STAGE_HOOKED, NULL, -1))
			return fail(e, errno, "%s", child_gone);
	}
	if (l->seccomp.listens && !l->no_new_privs &&
	    (launch_wait(l, l->sync, -1, e) || launch_listener(l, l->sync, l->clone.pid, e)))
		return -1;
	return expect(l, STAGE_READY, e);
}

/* What callers asked to be told of the process. */
int launch_report(struct launch *l, struct err *e)
{
	autofd int sock = -1, fd = -1;
	const char *path = l->args->pid_file;

	if (l->args->pidfd_socket) {
		sock = tty_connect(l->args->pidfd_socket, e);
		if (sock < 0 || tty_send(sock, "pidfd", l->clone.pidfd, e))
			return fail_in(e, "--pidfd-socket");
	}
	if (!path)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || dprintf(fd, "%d", l->clone.pid) < 0)
		return fail(e, errno, "--pid-file");
	return 0;
}

static int make(struct launch *l, struct err *e)
{
	int rc;

	if (hold_signals(l, e) || make_state(l, e) || make_parts(l, e))
		return -1;
	if (!l->cgroup.n_dirs && !l->job.plan.ns[NS_PID].listed && !l->global->no_cgroup)
		log_warn("there is no cgroup and no private pid namespace. Such configuration is "
			 "strongly "
			 "discouraged as it is impossible to properly kill all processes of the "
			 "container");
	log_debug("%s: state and control groups are made", l->command);
	job_forget(&l->job);
	selfcheck_note_host(l);
	rc = launch_clone(l, child_main, e);
	rootfs_close(&l->rootfs);
	if (rc)
		return -1;
	/* It is "created" only when all of it is there; until then others need to know whom to kill. */
	if (state_note_pid(&l->state, l->clone.pid, e) || see_through(l, e) ||
	    launch_wait(l, l->sync, 0, e) || state_save_pid(&l->state, l->clone.pid, e))
		return -1;
	return launch_report(l, e);
}

void launch_init(struct launch *l)
{
	int t;

	l->state.dir = l->state.root = -1;
	l->clone.into_cgroup = l->clone.join_pidfd = l->clone.pidfd = -1;
	for (t = 0; t < NS_COUNT; t++)
		l->clone.join[t] = -1;
	l->proc = l->offsets = l->sync = l->listener = l->console = l->console_here = l->terminal =
		-1;
	l->signals = l->master = -1;
	l->exit_code = 1;
}

void launch_close(struct launch *l)
{
	int *const fds[] = { &l->proc,         &l->sync,      &l->listener,  &l->console,
			     &l->console_here, &l->signals,   &l->master,    &l->clone.join_pidfd,
			     &l->clone.pidfd,  &l->state.dir, &l->state.root };
	size_t i;

	for (i = 0; i < sizeof fds / sizeof fds[0]; i++)
		close_fd(fds[i]);
	for (i = 0; i < NS_COUNT; i++)
		close_fd(&l->clone.join[i]);
}

int launch_container(struct launch *l, struct err *e)
{
	launch_init(l);
	l->job.records = true;
	if (state_bad_id(l->args->id))
		return fail(e, 0, "%s", state_bad_id(l->args->id));
	if (program_fds(l, e) || read_bundle(l, e) || check(l, e))
		return -1;
	if (!l->job.plan.landlock.abi && !l->job.plan.ns[NS_USER].listed && seal_self(l->global, e))
		return -1;
	if (l->forget)
		l->forget(l->forgets);
	l->clone.flags = ns_new_flags(l->job.plan.ns);
	log_debug("%s: the plan is made: %zu cuts", l->command, l->job.plan.n_cuts);
	if (!make(l, e))
		return 0;
	launch_undo(l);
	return -1;
}

void launch_undo(struct launch *l)
{
	struct err ignored;

	if (l->clone.pid > 0) {
		kill(l->clone.pid, SIGKILL);
		while (waitpid(l->clone.pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (l->made_cgroup) {
		cgroup_kill(&l->job.arena, &l->cgroup, SIGKILL, &ignored);
		cgroup_remove(&l->job.arena, &l->cgroup, &ignored);
	}
	if (l->is_recorded)
		launch_poststop(l);
	if (l->made_state)
		state_remove(&l->state, &ignored);
}
