// SPDX-License-Identifier: Apache-2.0
/* credsbox exec: another program in a container, judged and boxed like its first. */
#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../sys/cred.h"
#include "../sys/sync.h"
#include "../sys/tty.h"
#include "container.h"
#include "program.h"
#include "selfcheck.h"
#include "../base/banned.h"

/* Its own failures are told from the program's. */
enum { EXIT_EXEC_FAILED = 255 };

static const char usage[] =
	"NAME:\n"
	"   credsbox exec - run another program in a container\n"
	"\n"
	"USAGE:\n"
	"   credsbox exec [OPTION...] ID COMMAND [ARGUMENT...]\n"
	"   credsbox exec [OPTION...] --process FILE ID\n"
	"\n"
	"Runs another program in a container. What it is given is judged like what the\n"
	"container's own program was given.\n"
	"\n"
	"  -p, --process FILE           a process object, as config.json has one\n"
	"  -e, --env NAME=VALUE         one more variable; may be repeated\n"
	"      --cwd DIR                the working directory\n"
	"  -u, --user UID[:GID]         who it is\n"
	"  -g, --additional-gids GID    one more group; may be repeated\n"
	"  -c, --cap CAP                one more capability; may be repeated\n"
	"      --no-new-privs           it can gain no privileges\n"
	"  -t, --tty                    give it a terminal\n"
	"  -d, --detach                 do not wait for it\n"
	"      --pid-file FILE          write its process id there\n"
	"      --console-socket PATH    send the terminal's other end to this socket\n"
	"      --pidfd-socket PATH      send a pidfd of it to this socket\n"
	"      --preserve-fds N         let it have N descriptors beyond 0, 1, 2\n"
	"      --process-label LABEL    its SELinux label\n"
	"      --apparmor PROFILE       its AppArmor profile\n"
	"      --cgroup [NAME:]PATH     a control group below the container's\n"
	"      --ignore-paused          also when the container is paused\n";

static int check(const struct container *c, const struct exec_args *o, struct err *e)
{
	switch (c->status) {
	case STATUS_CREATED:
	case STATUS_RUNNING: return 0;
	case STATUS_PAUSED:
		if (o->ignore_paused)
			return 0;
		return fail(e, 0,
			    "cannot exec in a paused container (--ignore-paused waits for it to be "
			    "resumed)");
	case STATUS_CREATING: return fail(e, 0, "the container is still being created");
	case STATUS_STOPPED: return fail(e, 0, "cannot exec in a stopped container");
	}
	return -1;
}

static void fill_in(struct launch *l)
{
	const struct plan *p = &l->job.plan;
	int t;
	size_t i;

	l->process = &l->job.bundle.process;
	l->seccomp_conf = p->seccomp;
	l->env = p->env;
	l->n_env = p->n_env;
	l->argv = arena_array(&l->job.arena, p->n_args + 1, sizeof *l->argv);
	for (i = 0; i < p->n_args; i++)
		l->argv[i] = arena_strdup(&l->job.arena, p->args[i]);
	l->shown = plan_name(&l->job.arena, &p->secrets, l->argv[0], strlen(l->argv[0]));
	for (t = 0; t < NS_COUNT; t++)
		if (p->ns[t].listed)
			l->clone.join_flags |= ns_flag(t);
}

/* The kernel tells it of the namespace that is joined, and we are not in it yet. */
static bool may_set_groups(const struct launch *l)
{
	char path[64], text[8] = "";
	autofd int fd = -1;

	snprintf(path, sizeof path, "/proc/%d/setgroups", l->state.pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 || read(fd, text, sizeof text - 1) < 0 || strncmp(text, "deny", 4) != 0;
}

static int open_parts(struct launch *l, const struct exec_args *o, struct err *e)
{
	l->can_set_groups = may_set_groups(l);
	l->clone.join_pidfd = state_pidfd(&l->state);
	if (l->clone.join_pidfd < 0)
		return fail(e, errno, "the container's first process is gone");
	l->proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (l->proc < 0)
		return fail(e, errno, "/proc");
	if (launch_seccomp(l, e) || launch_console(l, e) ||
	    cred_oom_score(l->proc, 0, l->process, e) ||
	    cred_affinity(l->process->cpu_affinity_initial, e))
		return -1;
	if (cgroup_place(&l->job.arena, &l->cgroup, l->state.pid, &o->cgroups, e) ||
	    cgroup_open(&l->cgroup, &l->clone.into_cgroup, e))
		return -1;
	return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ? fail(e, errno, "PR_SET_DUMPABLE") : 0;
}

static void stop(struct launch *l)
{
	if (l->clone.pid <= 0)
		return;
	syscall(SYS_pidfd_send_signal, l->clone.pidfd, SIGKILL, NULL, 0);
	while (waitpid(l->clone.pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Everybody in the container can read the command line of a process that comes in: what was cut of the
 * new environment and arguments would be in ours.
 */
static void forget_arguments(const struct exec_args *o)
{
	char *text;
	size_t i;

	for (i = 0; i < o->env.n; i++) {
		text = strchr(o->env.v[i], '=');
		explicit_bzero(text, strlen(text));
	}
	for (i = 0; i < o->n_args; i++)
		explicit_bzero(o->args[i], strlen(o->args[i]));
}

static int bring_in(struct launch *l, struct err *e)
{
	if (launch_clone(l, child_exec, e))
		return -1;
	fail(e, 0, "the process died while it was being made");
	if (sync_send(l->sync, STAGE_MAPPED, NULL, -1) ||
	    job_record(&l->job, l->state.id, "exec", e) ||
	    (l->seccomp.listens && !l->no_new_privs &&
	     launch_listener(l, l->sync, l->clone.pid, e)) ||
	    sync_expect(l->sync, STAGE_READY, "the process died while it was being made", NULL,
			e) ||
	    launch_report(l, e) || launch_go(l, l->sync, l->clone.pid, e)) {
		stop(l);
		return -1;
	}
	return 0;
}

static int exec(struct launch *l, const struct container *c, const struct exec_args *o,
		struct err *e)
{
	autofd int master = -1;
	int status;

	l->state = c->state;
	l->cgroup = c->cgroup;
	if (check(c, o, e) || program_fds(l, e) || exec_plan(l, o, e))
		return -1;
	fill_in(l);
	if (launch_check_console(l, e) || launch_refuse(l, e) || open_parts(l, o, e))
		return -1;
	if (!o->launch.detach)
		tty_block_signals();
	forget_arguments(o);
	job_forget(&l->job);
	selfcheck_note_host(l);
	if (bring_in(l, e))
		return -1;
	if (o->launch.detach)
		return 0;
	if (l->console_here >= 0) {
		master = sync_receive_fd(l->console_here, e);
		if (master < 0)
			return -1;
	}
	return tty_relay(master, l->clone.pid, l->clone.pidfd, &status, e) ? -1 : status;
}

int cmd_exec(const struct global *g, int argc, char **argv)
{
	struct exec_args o = { 0 };
	struct launch l = { .global = g, .args = &o.launch, .command = "exec", .goes_on = true };
	struct container c;
	struct err e;
	int rc;

	launch_init(&l);
	l.exit_code = EXIT_EXEC_FAILED;
	if (exec_parse(&l.job.arena, argc, argv, &o))
		return 1;
	if (o.help)
		return cmd_print("exec", usage, sizeof usage - 1);
	rc = container_find(&l.job.arena, g, o.launch.id, &c, &e) ? -1 : exec(&l, &c, &o, &e);
	if (rc < 0) {
		cmd_fail("exec", &e);
		rc = launch_exit_code(&l, &e);
	}
	l.state.dir = l.state.root = -1; /* are the container's */
	launch_close(&l);
	container_close(&c);
	job_release(&l.job);
	return rc;
}
