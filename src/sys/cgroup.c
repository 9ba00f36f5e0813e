// SPDX-License-Identifier: Apache-2.0
/* Control groups: making, entering, emptying and removing those of a container. */
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroup_impl.h"
#include "cgroup_systemd.h"
#include "../base/fd.h"
#include "../base/str.h"
#include "../base/banned.h"

enum { FREEZE_TRIES = 1000, FREEZE_MS = 10000, KILL_MS = 10000, ADD_TRIES = 5 };

static bool is_denied(int errnum)
{
	return errnum == EPERM || errnum == EACCES || errnum == EROFS;
}

/* Takes back what cgroup_make() made, parents included, as far as they are empty. */
static void unmake(struct arena *a, struct cgroup *cg, size_t i)
{
	const struct cgroup_dir *d = &cg->dirs[i];
	char *path = arena_strdup(a, cg_path(a, d, NULL));
	size_t keep = strlen(d->mount) + cg->made[i] - 1;

	if (!cg->made[i])
		return;
	while (strlen(path) > keep && rmdir(path) == 0)
		*strrchr(path, '/') = '\0';
	cg->made[i] = 0;
}

static int no_permission(struct err *e)
{
	return fail_in(e, "unable to apply cgroup configuration: rootless needs no limits + no "
			  "cgrouppath when no permission is granted for cgroups");
}

static void drop_dir(struct cgroup *cg, size_t i)
{
	cg->n_dirs--;
	memmove(&cg->dirs[i], &cg->dirs[i + 1], (cg->n_dirs - i) * sizeof cg->dirs[0]);
	memmove(&cg->made[i], &cg->made[i + 1], (cg->n_dirs - i) * sizeof cg->made[0]);
}

static bool state_is_frozen(struct arena *a, const struct cgroup_dir *d, bool own_only)
{
	const char *text;
	struct err e;

	if (!*d->controllers)
		return !cg_read(a, d, own_only ? "cgroup.freeze" : "cgroup.events", &text, &e) &&
		       (own_only ? !strcmp(text, "1") : cg_value_of(text, "frozen") != 0);
	if (cg_read(a, d, "freezer.state", &text, &e) || !strcmp(text, "THAWED"))
		return false;
	return !own_only || cg_read(a, d, "freezer.self_freezing", &text, &e) || !strcmp(text, "1");
}

static const struct cgroup_dir *freezer_dir(const struct cgroup *cg)
{
	const struct cgroup_dir *d = cg_dir(cg, "freezer");

	return d ? d : cg_dir(cg, "");
}

/* Who enters a frozen cgroup stops there: create would wait for ever. */
static int check_fit(struct arena *a, const struct cgroup *cg, size_t i, struct err *e)
{
	const struct cgroup_dir *d = &cg->dirs[i];
	struct cg_pids pids;

	if (d == freezer_dir(cg) && (state_is_frozen(a, d, false) || state_is_frozen(a, d, true)))
		return fail(e, 0, "cgroup: %s: container's cgroup unexpectedly frozen", d->path);
	if (cg->made[i])
		return 0;
	if (cg_pids(a, cg_path(a, d, NULL), &pids, e))
		return -1;
	if (pids.n)
		return fail(e, 0,
			    "cgroup: %s: container's cgroup is not empty: %zu process(es) found",
			    d->path, pids.n);
	return 0;
}

static int make_dir(struct arena *a, struct cgroup *cg, const struct cgroup_wish *w, size_t i,
		    struct err *e)
{
	const struct cgroup_dir *d = &cg->dirs[i];

	if (cg_mkdir(a, d, &cg->made[i], e) || check_fit(a, cg, i, e))
		return -1;
	if (!*d->controllers) {
		if (cg->unprivileged && !cg_v2_may_enter(a, d))
			return fail(e, EACCES, "cgroup: %s: cannot enter", d->path);
		if (!cg_needs_v2(cg, w->resources))
			return 0;
		return cg_v2_prepare(a, d, cg_has_domain_limits(w->resources), e);
	}
	if (cg_list_has(d->controllers, ',', "cpuset"))
		return cg_v1_fill_cpuset(a, d, w->resources, e);
	return 0;
}

/* An ordinary user goes on without what it has no right to, unless something was asked for. */
static int make_dirs(struct arena *a, struct cgroup *cg, const struct cgroup_wish *w, struct err *e)
{
	size_t i;

	for (i = 0; i < cg->n_dirs;) {
		if (make_dir(a, cg, w, i, e) == 0) {
			i++;
			continue;
		}
		if (!cg->unprivileged || !is_denied(e->errnum))
			return -1;
		if (w->path || (cg->mode == CGROUP_V2 && cg_has_limits(w->resources)))
			return no_permission(e);
		unmake(a, cg, i);
		drop_dir(cg, i);
	}
	return 0;
}

/* Only with a namespace of its own and a mount that it can write to has the container a use for
 * files that are its own.
 */
static int delegate(struct arena *a, const struct cgroup *cg, const struct cgroup_wish *w,
		    struct err *e)
{
	if (cg->mode != CGROUP_V2 || !cg->n_dirs || !w->new_namespace || !w->mounts_rw ||
	    w->owner_uid == geteuid())
		return 0;
	return cg_v2_delegate(a, &cg->dirs[0], w->owner_uid, e);
}

/* systemd makes a scope around a process: all else is left to cgroup_add(). */
static int wait_for_process(struct arena *a, struct cgroup *cg, const struct cgroup_wish *w,
			    struct err *e)
{
	size_t i;

	if (w->resources && cg_check_unified(cg, w->resources, e))
		return -1;
	for (i = 0; i < cg->n_dirs; i++)
		if (check_fit(a, cg, i, e))
			return -1;
	cg->wish = *w;
	cg->is_pending = true;
	return 0;
}

int cgroup_make(struct arena *a, struct cgroup *cg, const struct cgroup_wish *w, struct err *e)
{
	size_t i;

	if (w->disabled)
		return 0;
	if (cg->systemd)
		return wait_for_process(a, cg, w, e);
	if (make_dirs(a, cg, w, e) == 0 && cg_apply(a, cg, w->resources, true, e) == 0 &&
	    delegate(a, cg, w, e) == 0) {
		if (!cg->n_dirs)
			cg->mode = CGROUP_NONE;
		return 0;
	}
	for (i = 0; i < cg->n_dirs; i++)
		unmake(a, cg, i);
	return -1;
}

int cgroup_open(struct cgroup *cg, int *into, struct err *e)
{
	struct arena a = { 0 };
	bool is_v2;
	size_t i;

	*into = -1;
	if (cg->is_pending)
		return 0;
	for (i = 0; i < cg->n_dirs; i++) {
		is_v2 = !*cg->dirs[i].controllers;
		/* Anybody can open a directory: where nobody may enter, the kernel says so later. */
		if (is_v2 && cg->unprivileged &&
		    faccessat(AT_FDCWD, cg_path(&a, &cg->dirs[i], "cgroup.procs"), W_OK,
			      AT_EACCESS) &&
		    (is_denied(errno) || errno == ENOENT))
			continue;
		cg->fds[i] = open(cg_path(&a, &cg->dirs[i], is_v2 ? NULL : "tasks"),
				  (is_v2 ? O_PATH | O_DIRECTORY : O_WRONLY) | O_CLOEXEC);
		if (cg->fds[i] < 0 && cg->unprivileged && (is_denied(errno) || errno == ENOENT))
			continue;
		if (cg->fds[i] < 0) {
			fail(e, errno, "cgroup: error adding pid 0 to cgroups: %s",
			     cg_path(&a, &cg->dirs[i], "cgroup.procs"));
			break;
		}
		if (is_v2)
			*into = cg->fds[i];
	}
	arena_release(&a);
	if (i == cg->n_dirs)
		return 0;
	while (i--)
		fd_cleanup(&cg->fds[i]);
	*into = -1;
	return -1;
}

void cgroup_close(struct cgroup *cg)
{
	size_t i;

	for (i = 0; i < cg->n_dirs; i++)
		fd_cleanup(&cg->fds[i]);
}

/* A task that moves itself needs no lock over all of the machine's forks, as cgroup.procs does. */
int cgroup_enter(struct cgroup *cg, struct err *e)
{
	size_t i;

	for (i = 0; i < cg->n_dirs; i++) {
		if (*cg->dirs[i].controllers && cg->fds[i] >= 0 && write(cg->fds[i], "0", 1) < 0)
			return fail(e, errno, "cgroup: %s: cannot enter", cg->dirs[i].controllers);
		fd_cleanup(&cg->fds[i]);
	}
	return 0;
}

/* EINVAL: the kernel has not made the process fit to be moved yet. */
int cg_add_to(struct arena *a, const struct cgroup_dir *d, pid_t pid, struct err *e)
{
	unsigned tries;

	for (tries = 0; cg_write_i64(a, d, "cgroup.procs", pid, e); tries++) {
		if (e->errnum != EINVAL || tries == ADD_TRIES)
			return fail(e, e->errnum, "cgroup: error adding pid %d to cgroups: %s",
				    (int)pid, cg_path(a, d, "cgroup.procs"));
		cg_sleep_us(10000);
	}
	return 0;
}

int cgroup_add(struct arena *a, const struct cgroup *cg, pid_t pid, struct err *e)
{
	size_t i;

	if (cg->is_pending)
		return cg_systemd_add(a, cg, pid, e) || delegate(a, cg, &cg->wish, e) ? -1 : 0;
	for (i = 0; i < cg->n_dirs; i++)
		if (cg_add_to(a, &cg->dirs[i], pid, e) &&
		    !(cg->unprivileged && is_denied(e->errnum)))
			return -1;
	return 0;
}

static int freeze_v1(struct arena *a, const struct cgroup_dir *d, struct err *e)
{
	int64_t until = cg_now_ms() + FREEZE_MS;
	const char *state;
	unsigned i;

	/* While processes keep forking, the kernel may not get all of them at once: letting them
	 * go for a moment and trying again does.
	 */
	for (i = 0; i < FREEZE_TRIES && cg_now_ms() < until; i++) {
		if (cg_write(a, d, "freezer.state", "FROZEN", e) ||
		    cg_read(a, d, "freezer.state", &state, e))
			return -1;
		if (!strcmp(state, "FROZEN"))
			return 0;
		cg_sleep_us(i < 50 ? 20 : 1000);
		if (i % 50 == 49 && cg_write(a, d, "freezer.state", "THAWED", e))
			return -1;
	}
	return fail(e, EBUSY, "cgroup: freezer.state: unable to freeze");
}

static int freeze_v2(struct arena *a, const struct cgroup_dir *d, struct err *e)
{
	int64_t until = cg_now_ms() + FREEZE_MS;
	unsigned wait_us = 50;
	const char *text;

	if (cg_write(a, d, "cgroup.freeze", "1", e))
		return -1;
	for (;;) {
		if (cg_read(a, d, "cgroup.events", &text, e))
			return -1;
		if (cg_value_of(text, "frozen"))
			return 0;
		if (cg_now_ms() >= until)
			return fail(e, EBUSY, "cgroup: cgroup.freeze: unable to freeze");
		cg_sleep_us(wait_us);
		if (wait_us < 10000)
			wait_us *= 2;
	}
}

static int thaw(struct arena *a, const struct cgroup_dir *d, struct err *e)
{
	if (*d->controllers)
		return cg_write(a, d, "freezer.state", "THAWED", e);
	return cg_write(a, d, "cgroup.freeze", "0", e);
}

int cgroup_freeze(struct arena *a, const struct cgroup *cg, bool frozen, struct err *e)
{
	const struct cgroup_dir *d = freezer_dir(cg);
	struct err ignored;

	if (!d)
		return fail(e, 0, "cgroup: the container has no cgroup to freeze");
	if (!frozen)
		return thaw(a, d, e);
	if ((*d->controllers ? freeze_v1(a, d, e) : freeze_v2(a, d, e)) == 0)
		return 0;
	thaw(a, d, &ignored); /* half frozen is worse than not frozen */
	return -1;
}

bool cgroup_is_frozen(struct arena *a, const struct cgroup *cg)
{
	const struct cgroup_dir *d = freezer_dir(cg);

	return d && state_is_frozen(a, d, true);
}

int cgroup_pids(struct arena *a, const struct cgroup *cg, pid_t **pids, size_t *n, struct err *e)
{
	const struct cgroup_dir *d = cg_main_dir(a, cg);
	struct cg_pids all = { 0 };

	if (d && cg_pids(a, cg_path(a, d, NULL), &all, e))
		return -1;
	*pids = all.v;
	*n = all.n;
	return 0;
}

static bool has_pid(const struct cg_pids *pids, pid_t pid)
{
	size_t i;

	for (i = 0; i < pids->n; i++)
		if (pids->v[i] == pid)
			return true;
	return false;
}

/* A number may belong to another process by the time that it is used. Once there is a descriptor,
 * the list is read again: a number that is still in it is the descriptor's process.
 */
static int signal_all(struct arena *a, const char *path, int sig, size_t *n, struct err *e)
{
	struct cg_pids pids, again;
	size_t i;
	int *fds;

	if (cg_pids(a, path, &pids, e))
		return -1;
	*n = pids.n;
	if (!pids.n)
		return 0;
	fds = arena_array(a, pids.n, sizeof *fds);
	for (i = 0; i < pids.n; i++)
		fds[i] = (int)syscall(SYS_pidfd_open, pids.v[i], 0);
	if (cg_pids(a, path, &again, e))
		again.n = 0;
	for (i = 0; i < pids.n; i++) {
		if (fds[i] >= 0 && has_pid(&again, pids.v[i]))
			syscall(SYS_pidfd_send_signal, fds[i], sig, NULL, 0);
		fd_cleanup(&fds[i]);
	}
	return 0;
}

static int kill_dir(struct arena *a, const struct cgroup *cg, const struct cgroup_dir *d,
		    struct err *e)
{
	const struct cgroup_dir *freezer = freezer_dir(cg);
	const char *path = cg_path(a, d, NULL);
	int64_t until = cg_now_ms() + KILL_MS;
	unsigned wait_us = 100;
	struct err ignored;
	size_t n;

	for (;;) {
		/* cgroup.kill is there since Linux 5.14 and gets who forks at this moment, too. */
		if (!*d->controllers)
			cg_write(a, d, "cgroup.kill", "1", &ignored);
		if (signal_all(a, path, SIGKILL, &n, e))
			return -1;
		if (!n)
			return 0;
		if (freezer && state_is_frozen(a, freezer, true))
			thaw(a, freezer, &ignored);
		if (cg_now_ms() >= until)
			return fail(e, EBUSY, "cgroup: %s: %zu process(es) would not die", d->path,
				    n);
		cg_sleep_us(wait_us);
		if (wait_us < 20000)
			wait_us *= 2;
	}
}

int cgroup_kill(struct arena *a, const struct cgroup *cg, int sig, struct err *e)
{
	const struct cgroup_dir *d = cg_main_dir(a, cg);
	size_t n;

	if (!d)
		return 0;
	if (sig == SIGKILL)
		return kill_dir(a, cg, d, e);
	return signal_all(a, cg_path(a, d, NULL), sig, &n, e);
}

int cgroup_remove(struct arena *a, const struct cgroup *cg, struct err *e)
{
	struct err first;
	int rc = 0;
	size_t i;

	/* With its processes gone, the scope may be gone as well; what cannot be asked of systemd is
	 * done by hand.
	 */
	if (cg->systemd)
		cg_systemd_stop(a, cg, &first);
	for (i = 0; i < cg->n_dirs; i++)
		if (cg_rmdir(a, cg_path(a, &cg->dirs[i], NULL), rc ? &first : e))
			rc = -1;
	return rc;
}
