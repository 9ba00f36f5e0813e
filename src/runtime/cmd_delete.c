// SPDX-License-Identifier: Apache-2.0
/* credsbox delete: what a container leaves goes, whatever state it is in. */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../sys/hook.h"
#include "container.h"
#include "../base/banned.h"

static const char usage[] = "NAME:\n"
			    "   credsbox delete - remove a container\n"
			    "\n"
			    "USAGE:\n"
			    "   credsbox delete [-f] ID\n"
			    "\n"
			    "Removes a container that is stopped, or created and not started.\n"
			    "\n"
			    "  -f, --force  kill it first if it runs; remove what an interrupted "
			    "or damaged one has left;\n"
			    "               no error if there is none\n";

static const struct option options[] = {
	{ "force", no_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

enum { DEATH_MS = 10 * 1000, ORPHAN_MS = 1000 };

static long long now_ms(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* A descriptor of a process becomes readable when all of its threads have ended. */
static int wait_for_death(int pidfd, struct err *e)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };
	long long until = now_ms() + DEATH_MS, left;
	int n;

	for (;;) {
		left = until - now_ms();
		n = left > 0 ? poll(&p, 1, (int)left) : 0;
		if (n > 0)
			return 0;
		if (!n)
			return fail(e, 0, "container init still running (it was killed %d s ago)",
				    DEATH_MS / 1000);
		if (errno != EINTR)
			return fail(e, errno, "cannot wait for the container's first process");
	}
}

static int kill_first(struct arena *a, const struct container *c, struct err *e)
{
	autofd int fd = state_pidfd(&c->state);
	struct err ignored;

	if (fd < 0 && errno == ESRCH)
		return 0;
	if (fd < 0 || (pidfd_send_signal(fd, SIGKILL, NULL, 0) && errno != ESRCH))
		return fail(e, errno, "cannot kill the container's first process");
	/* With cgroup v1, who is frozen does not die. */
	if (c->has_cgroup && cgroup_is_frozen(a, &c->cgroup))
		cgroup_freeze(a, &c->cgroup, false, &ignored);
	return wait_for_death(fd, e);
}

/* Without a process on record, the group may still be somebody else's: `create` refuses to share
 * one, but was interrupted before it got there. A child of its own dies by itself very soon.
 */
static bool is_others(struct arena *a, const struct container *c)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };
	long long until = now_ms() + ORPHAN_MS;
	struct err ignored;
	pid_t *pids;
	size_t n;

	while (!cgroup_pids(a, &c->cgroup, &pids, &n, &ignored) && n) {
		if (now_ms() >= until)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static int remove_group(struct arena *a, const struct container *c, struct err *e)
{
	const struct cgroup_wish usual = { .id = c->state.id };
	struct container guess = *c;
	struct err ignored;

	/* Where a damaged state does not tell, it is most likely where it would be without a wish. */
	if (!c->has_cgroup) {
		if (c->state.doc || cgroup_find(a, &usual, &guess.cgroup, &ignored))
			return 0;
		guess.has_cgroup = true;
		guess.state.pid = 0;
		return remove_group(a, &guess, e);
	}
	if (!c->state.pid && is_others(a, c)) {
		log_warn("%s: its cgroup is in use and stays", c->state.id);
		return 0;
	}
	if (c->state.pid && cgroup_kill(a, &c->cgroup, SIGKILL, e))
		return -1;
	return cgroup_remove(a, &c->cgroup, e);
}

/* Each of them, also when one before it has failed. Engines may have removed the bundle by now. */
static void run_hooks(struct arena *a, const struct container *c)
{
	struct plan_hook *hooks;
	const char *state, *cwd;
	struct err e;
	size_t n;

	if (container_hooks(a, &c->state, HOOK_POSTSTOP, &hooks, &n, &e)) {
		log_warn("%s", e.text);
		return;
	}
	if (!n)
		return;
	state = container_state_json(a, &c->state, STATUS_STOPPED, 0, false);
	cwd = access(c->state.bundle, X_OK) ? "/" : c->state.bundle;
	hooks_run_each(HOOK_POSTSTOP, hooks, n, state, cwd);
}

/* While nobody had the lock, another may have deleted it, and a third made one of the same name. */
static int take_again(struct arena *a, struct container *c, bool force, struct err *e)
{
	if (state_lock(&c->state, e) || state_read(a, &c->state, force, e))
		return -1;
	c->status = container_status(a, c);
	return 0;
}

int container_delete(struct arena *a, struct container *c, bool force, struct err *e)
{
	bool is_up;

	if (!c->state.locked && take_again(a, c, force, e))
		return force && e->errnum == ENOENT ? 0 : -1;
	is_up = c->status == STATUS_RUNNING || c->status == STATUS_PAUSED;
	if (is_up && !force)
		return fail(e, 0, "cannot delete container %s that is not stopped: %s", c->state.id,
			    status_name(c->status));
	if (kill_first(a, c, e) || remove_group(a, c, e))
		return -1;
	run_hooks(a, c);
	return state_remove(&c->state, e);
}

static int delete_id(const struct global *g, const char *id, bool force)
{
	struct arena a = { 0 };
	struct container c;
	struct err e;
	int rc;

	rc = container_take(&a, g, id, force, &c, &e);
	if (!rc) {
		rc = container_delete(&a, &c, force, &e);
		container_close(&c);
	} else if (force && e.errnum == ENOENT) {
		rc = 0;
	}
	if (rc)
		rc = cmd_fail("delete", &e);
	arena_release(&a);
	return rc;
}

int cmd_delete(const struct global *g, int argc, char **argv)
{
	bool force = false;
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":fh", options, NULL)) != -1) {
		switch (c) {
		case 'f': force = true; break;
		case 'h': return cmd_print("delete", usage, sizeof usage - 1);
		default: return cmd_bad_option("delete", c, argv);
		}
	}
	if (optind + 1 != argc)
		return cmd_usage("delete", "one container is wanted");
	return delete_id(g, argv[optind], force);
}
