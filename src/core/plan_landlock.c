// SPDX-License-Identifier: Apache-2.0
/* Landlock's rules, from the mounts of the plan: what is mounted to be written may be written. */
#include "plan_work.h"

#include <string.h>
#include <sys/mount.h>

#include "mount_opts.h"
#include "../base/banned.h"

enum { LANDLOCK_NEWEST = 7 };

static void allow(struct plan_work *w, const char *path, uint32_t what)
{
	struct landlock_rules *r = &w->plan->landlock;

	*(struct landlock_rule *)arena_push(w->arena, r->v, r->n) =
		(struct landlock_rule){ path, what };
}

static bool is_read_only(const struct mount_opts *o)
{
	size_t i;

	for (i = 0; i < o->super.n; i++)
		if (!strcmp(o->super.v[i], "ro"))
			return true;
	return (o->attr_set | o->rec_set) & MOUNT_ATTR_RDONLY;
}

/* A rule only grants; what is masked or read-only below it is so by its mount. */
static void allow_mount(struct plan_work *w, const struct mount *m)
{
	struct mount_opts o;
	struct err ignored;

	if (mount_opts_read(w->arena, m, &o, &ignored) || is_read_only(&o))
		return;
	allow(w,
	      m->destination[0] == '/' ? m->destination
				       : arena_printf(w->arena, "/%s", m->destination),
	      LL_WRITE);
}

/* Terminals take ioctls; other devices are read and written, but for those that the bundle gives. */
static void allow_devices(struct plan_work *w)
{
	static const char *const terminals[] = { "/dev/pts", "/dev/tty", "/dev/console",
						 "/dev/ptmx" };
	static const char *const plain[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
					     "/dev/urandom" };
	size_t i;

	for (i = 0; i < sizeof terminals / sizeof terminals[0]; i++)
		allow(w, terminals[i], LL_DEVICE);
	for (i = 0; i < sizeof plain / sizeof plain[0]; i++)
		allow(w, plain[i], LL_READ_FILE | LL_WRITE_FILE);
	for (i = 0; i < w->plan->n_devices; i++)
		allow(w, w->plan->devices[i]->path, LL_DEVICE);
}

/* Who is outside must not be reached where a namespace is shared; where it is not, scopes would only
 * keep a container's own processes from each other.
 */
static uint32_t scopes(const struct plan *p)
{
	uint32_t scoped = 0;

	if (!p->ns[NS_NETWORK].listed || p->ns[NS_NETWORK].path)
		scoped |= LL_SCOPE_ABSTRACT;
	if (!p->ns[NS_PID].listed || p->ns[NS_PID].path)
		scoped |= LL_SCOPE_SIGNAL;
	return scoped;
}

void plan_landlock(struct plan_work *w)
{
	const struct policy *policy = w->policy;
	struct plan *p = w->plan;
	int abi = w->facts->landlock_abi;
	size_t i;

	if (policy->landlock == LANDLOCK_REQUIRE && !abi)
		p->lacks = "landlock: the kernel has none (need Linux 5.13 with landlock in lsm=; "
			   "or set landlock: best-effort)";
	if (policy->landlock == LANDLOCK_OFF || policy->mode == MODE_OBSERVE || !abi)
		return;
	p->landlock.abi = abi < LANDLOCK_NEWEST ? abi : LANDLOCK_NEWEST;
	p->landlock.scoped = scopes(p);
	allow(w, "/", LL_EXECUTE | LL_READ | (w->b->root.readonly ? 0 : LL_WRITE));
	for (i = 0; i < p->n_mounts; i++)
		allow_mount(w, p->mounts[i]);
	allow_devices(w);
}
