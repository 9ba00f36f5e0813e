/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each controller; the table that they are in is cgroup_limits.c. */
#ifndef SYS_CGROUP_LIMITS_H
#define SYS_CGROUP_LIMITS_H

#include "cgroup.h"

typedef int cg_set_fn(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		      struct err *e);

cg_set_fn cg_v1_cpuset, cg_v1_memory, cg_v1_cpu, cg_v1_blkio, cg_v1_hugetlb, cg_v1_net_cls,
	cg_v1_net_prio;
cg_set_fn cg_v2_cpuset, cg_v2_memory, cg_v2_cpu, cg_v2_io, cg_v2_hugetlb;
cg_set_fn cg_set_pids, cg_set_rdma; /* both versions have the same files */

#endif
