/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the cgroup module share. */
#ifndef SYS_CGROUP_IMPL_H
#define SYS_CGROUP_IMPL_H

#include "cgroup.h"

enum { CGROUP_FILE_MAX = 1024 * 1024, CGROUP_PROC_MAX = 64 * 1024 * 1024 };

/* The directory of a hierarchy that has this controller, "" for the unified one; NULL: none. */
const struct cgroup_dir *cg_dir(const struct cgroup *cg, const char *controller);

/* The directory that says which processes there are. */
const struct cgroup_dir *cg_main_dir(struct arena *a, const struct cgroup *cg);

/* The same word in a list of words that sep separates. */
bool cg_list_has(const char *list, char sep, const char *word);

const char *cg_path(struct arena *a, const struct cgroup_dir *d, const char *file);

/* Errors read "cgroup: memory.max: no space left on device", and have their errno in e->errnum. */
int cg_write(struct arena *a, const struct cgroup_dir *d, const char *file, const char *text,
	     struct err *e);
int cg_write_u64(struct arena *a, const struct cgroup_dir *d, const char *file, uint64_t n,
		 struct err *e);
int cg_write_i64(struct arena *a, const struct cgroup_dir *d, const char *file, int64_t n,
		 struct err *e);
int cg_read(struct arena *a, const struct cgroup_dir *d, const char *file, const char **text,
	    struct err *e); /* without the newline at its end */
bool cg_exists(struct arena *a, const struct cgroup_dir *d, const char *file);

/* A number, or "max", which is UINT64_MAX. */
int cg_read_u64(struct arena *a, const struct cgroup_dir *d, const char *file, uint64_t *n,
		struct err *e);

/* The number that follows a key, "oom_kill 3"; 0 when the key is not there. */
uint64_t cg_value_of(const char *text, const char *key);

/* *text moves on to the next line; NULL at the end. The line is a copy. */
char *cg_line(struct arena *a, const char **text);

/* Makes the directory with what is missing above it; *made as in struct cgroup. */
int cg_mkdir(struct arena *a, const struct cgroup_dir *d, size_t *made, struct err *e);
int cg_rmdir(struct arena *a, const char *path, struct err *e);

/* The processes in a directory and below it. */
struct cg_pids {
	pid_t *v;
	size_t n;
};
int cg_pids(struct arena *a, const char *path, struct cg_pids *out, struct err *e);

/* Limits: r->devices only with devices set. */
int cg_apply(struct arena *a, const struct cgroup *cg, const struct resources *r, bool devices,
	     struct err *e);
bool cg_has_limits(const struct resources *r); /* device rules do not count */
bool cg_has_domain_limits(const struct resources *r);
bool cg_needs_v2(const struct cgroup *cg, const struct resources *r);

int cg_check_unified(const struct cgroup *cg, const struct resources *r, struct err *e);
int cg_add_to(struct arena *a, const struct cgroup_dir *d, pid_t pid, struct err *e);

/* v1's cpuset is empty at first, and nothing can enter it then. */
int cg_v1_fill_cpuset(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		      struct err *e);

/* v2: controllers for a directory that was just made; domain: others than those of threads. */
int cg_v2_prepare(struct arena *a, const struct cgroup_dir *d, bool domain, struct err *e);
bool cg_v2_may_enter(struct arena *a, const struct cgroup_dir *d);
int cg_v2_delegate(struct arena *a, const struct cgroup_dir *d, uint32_t uid, struct err *e);

int cg_set_devices(struct arena *a, const struct cgroup *cg, const struct resources *r,
		   struct err *e);

/* linux.resources.unified; controllers is what cgroup.controllers says. */
int cg_v2_unified(struct arena *a, const struct cgroup_dir *d, const char *controllers,
		  const struct resources *r, struct err *e);

/* Parts of the statistics: "blkio", and "psi" in any of them. */
void cg_put_blkio(struct arena *a, struct jsonw *w, const struct cgroup *cg);
void cg_put_pressure(struct arena *a, struct jsonw *w, const struct cgroup_dir *d,
		     const char *file);

/* Monotonic milliseconds, and a wait of some. */
int64_t cg_now_ms(void);
void cg_sleep_us(unsigned us);

#endif
