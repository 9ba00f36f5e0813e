/* SPDX-License-Identifier: Apache-2.0 */
/* From the numbers of a bundle, which are v1's, to those of v2. */
#ifndef SYS_CGROUP_V2_H
#define SYS_CGROUP_V2_H

#include "cgroup.h"

uint64_t cg_cpu_weight(uint64_t shares); /* 2..262144 -> 1..10000; 0 stays 0 */
uint64_t cg_io_weight(uint64_t weight);  /* 10..1000 -> 1..10000; 0 stays 0 */

/* memory.swap.max from a limit of memory and one of memory and swap: -1 is none, 0 not given. */
int cg_swap_max(int64_t memory, int64_t swap, int64_t *out, struct err *e);

bool cg_unified_idle(const struct resources *r); /* unified has cpu.idle of 1 */

/* memory.checkBeforeUpdate: a limit below what is used now is refused. */
int cg_v2_check_memory(struct arena *a, const struct cgroup_dir *d, const struct resources *r,
		       struct err *e);

#endif
