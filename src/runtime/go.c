// SPDX-License-Identifier: Apache-2.0
/* From a container that is ready to a program that runs: for run, start and exec. */
#include "launch.h"

#include <errno.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../sys/hook.h"
#include "../sys/sync.h"
#include "container.h"
#include "../base/banned.h"

bool launch_waits_for_hooks(const struct plan *p)
{
	return p->n_hooks[HOOK_PRESTART] || p->n_hooks[HOOK_CREATE_RUNTIME] ||
	       p->n_hooks[HOOK_CREATE_CONTAINER];
}

/* Hooks that run in the container see the process ids of the container. */
static bool runs_inside(enum hook_kind kind)
{
	return kind == HOOK_CREATE_CONTAINER || kind == HOOK_START_CONTAINER;
}

/* startContainer's programs come from the image: without an environment of their own they get the program's,
 * HOME included. It is made by now.
 */
static const struct plan_hook *with_env(struct launch *l, const struct plan_hook *hooks, size_t n)
{
	struct plan_hook *all = arena_array(&l->job.arena, n, sizeof *all);
	const char **env;
	size_t i, n_env;

	for (n_env = 0; l->envp[n_env]; n_env++)
		;
	env = arena_array(&l->job.arena, n_env + 1, sizeof *env);
	for (i = 0; i < n_env; i++)
		env[i] = l->envp[i];
	for (i = 0; i < n; i++) {
		all[i] = hooks[i];
		if (!all[i].n_env) {
			all[i].env = env;
			all[i].n_env = n_env;
		}
	}
	return all;
}

/* Hooks of the container's side find its files by relative paths; the others find the bundle's. */
static const char *directory(const struct launch *l, enum hook_kind kind)
{
	if (kind == HOOK_START_CONTAINER)
		return "/";
	return kind == HOOK_CREATE_CONTAINER ? l->root : l->bundle;
}

int launch_poststart(const char *oci_version, const struct plan_hook *hooks, size_t n,
		     const char *state, const char *cwd, struct err *e)
{
	if (!oci_version_before(oci_version, 3))
		return hooks_run(HOOK_POSTSTART, hooks, n, state, cwd, e);
	hooks_run_each(HOOK_POSTSTART, hooks, n, state, cwd);
	return 0;
}

int launch_hooks(struct launch *l, enum hook_kind kind, enum status status, struct err *e)
{
	const struct plan_hook *hooks = l->job.plan.hooks[kind];
	size_t n = l->job.plan.n_hooks[kind];
	const char *state;

	if (!n)
		return 0;
	if (kind == HOOK_START_CONTAINER)
		hooks = with_env(l, hooks, n);
	state = container_state_json(&l->job.arena, &l->state, status,
				     runs_inside(kind) ? getpid() : l->clone.pid, false);
	if (kind == HOOK_POSTSTART)
		return launch_poststart(l->state.oci_version, hooks, n, state, directory(l, kind),
					e);
	return hooks_run(kind, hooks, n, state, directory(l, kind), e);
}

void launch_poststop(struct launch *l)
{
	const char *state;

	if (!l->job.plan.n_hooks[HOOK_POSTSTOP])
		return;
	state = container_state_json(&l->job.arena, &l->state, STATUS_STOPPED, 0, false);
	hooks_run_each(HOOK_POSTSTOP, l->job.plan.hooks[HOOK_POSTSTOP],
		       l->job.plan.n_hooks[HOOK_POSTSTOP], state, directory(l, HOOK_POSTSTOP));
}

/* Hands one listener over and lets the process go on. */
static int hand_over(struct launch *l, int sock, pid_t pid, int listener, struct err *e)
{
	const char *state =
		container_state_json(&l->job.arena, &l->state, STATUS_CREATING, pid, false);

	if (seccomp_hand_over(&l->job.arena, l->seccomp_conf, state, pid, listener, e))
		return -1;
	return sync_send(sock, STAGE_GO, NULL, -1) ? fail(e, errno, "seccomp: the process is gone")
						   : 0;
}

int launch_listener(struct launch *l, int sock, pid_t pid, struct err *e)
{
	autofd int listener = -1;

	if (sync_expect(sock, STAGE_LISTENER, "the process died before its filter was loaded",
			&listener, e))
		return -1;
	return hand_over(l, sock, pid, listener, e);
}

int launch_go(struct launch *l, int sock, pid_t pid, struct err *e)
{
	autofd int listener = -1;
	int rc;

	log_debug("%s: process %d is ready for its program", l->command, pid);
	if (sync_send(sock, STAGE_GO, NULL, -1))
		return fail(e, errno, "the container's first process is gone");
	/* Its startContainer hooks may take long. */
	if (launch_wait(l, sock, -1, e))
		return -1;
	rc = sync_end(sock, &listener, e);
	if (rc != 1)
		return rc;
	if (hand_over(l, sock, pid, listener, e) || launch_wait(l, sock, -1, e))
		return -1;
	return sync_end(sock, NULL, e);
}

/* The record said that it was about to start; this one says that it did not, and why. */
static void record_unsafe(struct launch *l, const struct err *why)
{
	struct job *j = &l->job;
	struct err e;

	/* start has no plan of its own. */
	if (!j->plan.policy && job_policy(j, l->global->policy, &e)) {
		log_warn("%s", e.text);
		return;
	}
	j->plan.policy = &j->policy;
	j->plan.unsafe = why->text;
	if (job_record(j, l->state.id, l->command, &e))
		log_warn("%s", e.text);
}

int launch_exit_code(struct launch *l, const struct err *e)
{
	if (e->errnum != SYNC_UNSAFE)
		return l->exit_code;
	record_unsafe(l, e);
	return EXIT_REFUSED;
}
