/* SPDX-License-Identifier: Apache-2.0 */
/* An existing container, as the commands find it. */
#ifndef RUNTIME_CONTAINER_H
#define RUNTIME_CONTAINER_H

#include "../core/plan.h"
#include "../sys/cgroup.h"
#include "../sys/state.h"
#include "cmd.h"

struct container {
	int root; /* the directory of all containers */
	struct state state;
	bool has_cgroup; /* the state knows one */
	struct cgroup cgroup;
	enum status status; /* when it was found */
};

/* The directory of all containers, opened; errnum ENOENT: there is none. */
int container_root(const struct global *g, bool make, struct err *e);

/* container_find - look, change nothing
 * "container does not exist" has errnum ENOENT, also when there is no directory of containers.
 */
int container_find(struct arena *a, const struct global *g, const char *id, struct container *c,
		   struct err *e);

/* container_look - for a list: damaged ones as well, with what is known of them
 * root stays the caller's.
 */
int container_look(struct arena *a, int root, const char *id, struct container *c, struct err *e);

/* container_take - the same, locked, for whoever changes it; damaged ones as well with any_state */
int container_take(struct arena *a, const struct global *g, const char *id, bool any_state,
		   struct container *c, struct err *e);
void container_close(struct container *c); /* any that was found, taken, or neither */

/* Paused included. */
enum status container_status(struct arena *a, struct container *c);

/* A namespace of its own, new or joined; the names are those of the bundle. */
bool container_has_namespace(const struct state *s, enum ns_type t);

/* Its first process is the first of a pid namespace: with it, all others in there die. */
bool container_is_first(struct arena *a, const struct state *s);

/* Hooks as the state file has them; those of other kinds than poststart and poststop are not in it. */
int container_hooks(struct arena *a, const struct state *s, enum hook_kind kind,
		    struct plan_hook **hooks, size_t *n, struct err *e);

/* What `state` prints, and hooks and seccomp listeners are told; pid 0 when it has none. */
const char *container_state_json(struct arena *a, const struct state *s, enum status status,
				 pid_t pid, bool pretty);

/* container_delete - all of it: processes, control groups, poststop hooks, the directory
 * One that runs is refused unless force is set. If the lock is not held, it is taken and the state
 * read again; with force, one that is gone by then is fine.
 */
int container_delete(struct arena *a, struct container *c, bool force, struct err *e);

/* The user's name, else the number. */
const char *container_owner(struct arena *a, uint32_t uid);

#endif
