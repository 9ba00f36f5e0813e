/* SPDX-License-Identifier: Apache-2.0 */
/* Control groups: v1, hybrid and v2, by hand or through systemd. */
#ifndef SYS_CGROUP_H
#define SYS_CGROUP_H

#include <stdbool.h>
#include <sys/types.h>

#include "../base/json.h"
#include "../base/jsonw.h"
#include "../core/bundle.h"

enum cgroup_mode { CGROUP_NONE, CGROUP_V1, CGROUP_HYBRID, CGROUP_V2 };

enum { CGROUP_CONTROLLERS = 32 };

/* One hierarchy that the container has a directory in. */
struct cgroup_dir {
	/* "memory", "cpu,cpuacct", "name=systemd"; "" for the unified one */
	const char *controllers;
	const char *mount; /* "/sys/fs/cgroup/memory" */
	/* below it: "/ID" or what the bundle says, with the caller's own in front */
	const char *path;
	const char *own; /* below it: where the caller is; only known to who made it */
};

struct cgroup_wish {
	const char *id, *path; /* path: linux.cgroupsPath, or NULL */
	bool systemd, disabled;
	const struct resources *resources;
	const struct pairs *annotations; /* org.systemd.property.*: recorded, not obeyed */
	bool new_namespace, mounts_rw;   /* of the cgroup namespace: whether to delegate (v2) */
	uint32_t owner_uid;              /* the host's id of the container's program */
};

struct cgroup {
	enum cgroup_mode mode;
	bool systemd;
	bool unprivileged;        /* not root of the host: what cannot be written is left out */
	const char *unit, *slice; /* with systemd */
	struct cgroup_dir dirs[CGROUP_CONTROLLERS];
	size_t n_dirs;
	/* of each path, how much was there before cgroup_make() plus 1; 0: all of it */
	size_t made[CGROUP_CONTROLLERS];
	/* of cgroup_open(): files to write "0" to, or v2's directory */
	int fds[CGROUP_CONTROLLERS];
	/* with systemd, after cgroup_make(): the first cgroup_add() is what makes it */
	bool is_pending;
	struct cgroup_wish wish;
};

/* Where the container's groups are; nothing is touched. */
int cgroup_find(struct arena *a, const struct cgroup_wish *w, struct cgroup *cg, struct err *e);

/* cgroup_make - the directories with their limits
 * A directory that is there already must be empty of processes and not frozen. On failure, what was made is removed.
 * What an ordinary user may not make is left out when no limit was asked for.
 */
int cgroup_make(struct arena *a, struct cgroup *cg, const struct cgroup_wish *w, struct err *e);

/* For the child: descriptors through which it enters. *into is v2's directory for
 * CLONE_INTO_CGROUP, or -1.
 */
int cgroup_open(struct cgroup *cg, int *into, struct err *e);
void cgroup_close(struct cgroup *cg);               /* in the parent, when the child is there */
int cgroup_enter(struct cgroup *cg, struct err *e); /* in the child: writes "0", closes */

/* cgroup_add - another process's way in
 * With systemd, after cgroup_make(), this makes the scope around the process and sets the limits:
 * the process must not have unshared its cgroup namespace, nor begun to work.
 */
int cgroup_add(struct arena *a, const struct cgroup *cg, pid_t pid, struct err *e);

/* cgroup_place - before cgroup_open(), for a process that `exec` adds
 * subs: what --cgroup says, [CONTROLLER,...:]PATH, all below the container's own. Without, on v2,
 * the place of the first process where the container's own takes none any more.
 */
int cgroup_place(struct arena *a, struct cgroup *cg, pid_t init, const struct strings *subs,
		 struct err *e);

/* What of the limits is not obeyed, for a warning; NULL: all is. */
const char *cgroup_warning(const struct resources *r);

int cgroup_update(struct arena *a, const struct cgroup *cg, const struct resources *r,
		  struct err *e);
int cgroup_freeze(struct arena *a, const struct cgroup *cg, bool frozen, struct err *e);
bool cgroup_is_frozen(struct arena *a, const struct cgroup *cg);
int cgroup_pids(struct arena *a, const struct cgroup *cg, pid_t **pids, size_t *n, struct err *e);

/* To every process in it; with SIGKILL until there is none, frozen ones included, or time is up. */
int cgroup_kill(struct arena *a, const struct cgroup *cg, int sig, struct err *e);

/* And what is below; gone is fine. */
int cgroup_remove(struct arena *a, const struct cgroup *cg, struct err *e);

/* data of `events`, as runc has it */
int cgroup_stats(struct arena *a, const struct cgroup *cg, struct jsonw *w, struct err *e);

/* Notices that there was no memory left: fd becomes readable, cgroup_oom_read() says how often since
 * the last time. fd is -1 where nothing counts it.
 */
struct cgroup_oom {
	int fd;
	const struct cgroup_dir *dir;
	uint64_t seen;
};
int cgroup_oom_open(struct arena *a, const struct cgroup *cg, struct cgroup_oom *o, struct err *e);
uint64_t cgroup_oom_read(struct arena *a, struct cgroup_oom *o);

/* As the state file has it. */
void cgroup_write(struct jsonw *w, const struct cgroup *cg);
int cgroup_read(struct arena *a, const struct json *obj, struct cgroup *cg, struct err *e);

#endif
