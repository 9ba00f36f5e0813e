/* SPDX-License-Identifier: Apache-2.0 */
/* User namespaces that exist for their mappings only: mounts are shown through them. */
#ifndef SYS_IDMAP_H
#define SYS_IDMAP_H

#include "../core/bundle.h"

/* An open user namespace with these mappings; whoever was in it is gone. */
int idmap_make(struct arena *a, const struct id_maps *uids, const struct id_maps *gids,
	       struct err *e);

bool idmap_same(const struct id_maps *x, const struct id_maps *y);

#endif
