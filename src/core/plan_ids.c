// SPDX-License-Identifier: Apache-2.0
/* Which ids a new user namespace has. */
#include "plan_work.h"

#include "../base/banned.h"

/* Every id that there is here, under its own number: files keep their owners. */
static struct id_maps identity(struct plan_work *w, const struct id_maps *own)
{
	struct id_maps m = { .v = arena_array(w->arena, own->n + 1, sizeof *m.v), .n = own->n };
	size_t i;

	for (i = 0; i < own->n; i++)
		m.v[i] = (struct id_map){ own->v[i].container_id, own->v[i].container_id,
					  own->v[i].size };
	return m;
}

static struct id_maps single(struct plan_work *w, uint32_t inside, uint32_t outside)
{
	struct id_maps m = { .v = arena_alloc(w->arena, sizeof *m.v), .n = 1 };

	m.v[0] = (struct id_map){ inside, outside, 1 };
	return m;
}

/* The bundle's mappings, and where it has none: everything for root; for an ordinary user, the one id
 * that needs no helper, as the id that the program is to have.
 */
void plan_ids(struct plan_work *w)
{
	const struct linux_conf *l = &w->b->lin;
	const struct user *u = &w->b->process.user;
	const struct facts *f = w->facts;
	struct plan *p = w->plan;

	if (!p->ns[NS_USER].listed || p->ns[NS_USER].path)
		return;
	p->deny_setgroups = f->uid != 0;
	if (l->uid_maps.n || l->gid_maps.n) {
		p->uid_maps = l->uid_maps;
		p->gid_maps = l->gid_maps;
	} else if (f->uid) {
		p->uid_maps = single(w, u->uid, f->uid);
		p->gid_maps = single(w, u->gid, f->gid);
	} else {
		p->uid_maps = identity(w, &f->uids);
		p->gid_maps = identity(w, &f->gids);
	}
}
