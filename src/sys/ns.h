/* SPDX-License-Identifier: Apache-2.0 */
/* Namespaces: made with the first process, joined by path, or joined from another process. */
#ifndef SYS_NS_H
#define SYS_NS_H

#include <sys/types.h>

#include "../core/plan.h"

/* CLONE_NEW* of a type. */
int ns_flag(enum ns_type t);

/* What clone3() is asked to make. The cgroup and time namespaces are left to ns_make_late(): the
 * first must be made from inside the cgroup, the second needs its offsets first. So is the ipc
 * namespace of a container with a user namespace.
 */
int ns_new_flags(const struct ns ns[NS_COUNT]);
int ns_make_late(int proc, int *offsets, const struct plan *p, struct err *e); /* closes offsets */

/* Where the offsets of a time namespace are to be written, or -1 if there are none: while the file in /proc is
 * the caller's own, before it takes other ids.
 */
int ns_open_offsets(int proc, const struct plan *p, int *offsets, struct err *e);

/* ns_open - the namespaces that are joined by path
 * fds[t] is -1 for all others. A file that is no namespace of its type is an error.
 */
int ns_open(const struct ns ns[NS_COUNT], int fds[NS_COUNT], struct err *e);

struct ns_clone {
	int flags;          /* CLONE_NEW* */
	int into_cgroup;    /* -1: none */
	int join[NS_COUNT]; /* descriptors to join first; -1: none */
	int join_pidfd;     /* a process whose namespaces join_flags are joined; -1: none */
	int join_flags;
	pid_t pid; /* results, in the caller */
	int pidfd;
};

/* ns_clone - the first process
 * Returns 1 in the child, 0 in the caller, -1. When something is joined, a short-lived process
 * joins and clones in its place: the caller stays where it is, and the child is
 * its own child all the same.
 */
int ns_clone(struct ns_clone *c, struct err *e);

/* ns_map_ids - write the mappings of the user namespace that pid is in
 * As an ordinary user only ids of one's own can be mapped, and setgroups() is off for good.
 */
int ns_map_ids(pid_t pid, const struct id_maps *uids, const struct id_maps *gids,
	       bool deny_setgroups, struct err *e);

#endif
