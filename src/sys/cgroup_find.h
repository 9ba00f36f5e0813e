/* SPDX-License-Identifier: Apache-2.0 */
/* Where the caller's and a container's cgroups are: texts of /proc in, paths out. */
#ifndef SYS_CGROUP_FIND_H
#define SYS_CGROUP_FIND_H

#include "cgroup.h"

struct cg_mount {
	bool is_v2;
	const char *root, *at, *options;
};
struct cg_mounts {
	struct cg_mount *v;
	size_t n;
};
struct cg_own {
	const char *controllers, *path;
};
struct cg_owns {
	struct cg_own *v;
	size_t n;
};

void cg_read_mounts(struct arena *a, const char *text, struct cg_mounts *out);
void cg_read_own(struct arena *a, const char *text, struct cg_owns *out);
const char *cg_clean(struct arena *a, const char *path);
const char *cg_join(struct arena *a, const char *above, const char *below);
const char *cg_own_below(struct arena *a, const char *root, const char *own);
const char *cg_place(struct arena *a, enum cgroup_mode mode, const char *own, const char *id,
		     const char *path);
int cg_find_dirs(struct arena *a, const struct cg_mounts *mounts, const struct cg_owns *owns,
		 const struct cgroup_wish *w, const char *unit_path, struct cgroup *cg,
		 struct err *e);

#endif
