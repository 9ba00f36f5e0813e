/* SPDX-License-Identifier: Apache-2.0 */
/* Units of systemd for containers: names, places and properties; no bus is needed for these. */
#ifndef SYS_CGROUP_SYSTEMD_H
#define SYS_CGROUP_SYSTEMD_H

#include "cgroup.h"
#include "cgroup_bus.h"

/* "slice:prefix:name" -> unit "prefix-name.scope" in the slice; NULL: one made of the id. */
int cg_unit_names(struct arena *a, const struct cgroup_wish *w, bool user, const char **slice,
		  const char **unit, struct err *e);

/* "a-b.slice" -> "/a.slice/a-b.slice", "-.slice" -> "/". */
int cg_slice_path(struct arena *a, const char *slice, const char **path, struct err *e);

/* "0-3,7" -> bytes with these bits, the lowest first. */
int cg_cpu_bits(struct arena *a, const char *list, const uint8_t **bytes, size_t *n, struct err *e);

/* Limits, as far as systemd knows them; version is systemd's. r->cpu.quota may be rounded up to what
 * systemd can express, so that the same value can be written to the cgroup.
 */
int cg_limit_props(struct arena *a, enum cgroup_mode mode, unsigned version, struct resources *r,
		   struct cg_props *out, struct err *e);
int cg_device_props(struct arena *a, const struct resources *r, struct cg_props *out,
		    struct err *e);

/* What a scope is started with, limits aside. */
void cg_scope_props(struct arena *a, const struct cgroup *cg, const char *id, pid_t pid,
		    struct cg_props *out);

/* With a bus. */
int cg_systemd_find(struct arena *a, const struct cgroup_wish *w, struct cgroup *cg,
		    const char **path, struct err *e);
int cg_systemd_add(struct arena *a, const struct cgroup *cg, pid_t pid, struct err *e);
int cg_systemd_update(struct arena *a, const struct cgroup *cg, const struct resources *r,
		      struct err *e);
int cg_systemd_stop(struct arena *a, const struct cgroup *cg, struct err *e);

#endif
