/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of an arena for yajl, which wants to resize and to free. */
#ifndef BASE_YAJL_ARENA_H
#define BASE_YAJL_ARENA_H

#include <yajl/yajl_common.h>

#include "arena.h"

/* What yajl frees stays in the arena, where it is wiped with the rest. */
yajl_alloc_funcs yajl_arena_funcs(struct arena *a);

#endif
