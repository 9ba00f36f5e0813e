/* SPDX-License-Identifier: Apache-2.0 */
/* Who the program is and what it may: ids, capabilities, limits, labels, schedule. */
#ifndef SYS_CRED_H
#define SYS_CRED_H

#include <sys/types.h>

#include "../core/bundle.h"

/* cred_keyring - a session keyring of the container's own, named after it
 * `exec` gets the one that is there by the same call, as the same user. A kernel without keyrings
 * has nothing to hide: that is no error.
 */
int cred_keyring(const char *id, struct err *e);

/* Of pid, or of the caller if that is 0. proc: a procfs of the caller's pid namespace. By somebody outside the
 * user namespace: the file is not its root's, whom the kernel does not let lower a score either.
 */
int cred_oom_score(int proc, pid_t pid, const struct process *p, struct err *e);
int cred_rlimits(const struct process *p, struct err *e);
int cred_no_core(struct err *e); /* a core would hold all of our memory, and lie about */
int cred_scheduler(const struct process *p, struct err *e);
int cred_io_priority(const struct process *p, struct err *e); /* after setsid(): for the group */
int cred_personality(int domain, struct err *e);
int cred_memory_policy(const struct memory_policy *m, struct err *e);
int cred_affinity(const char *cpus, struct err *e); /* "0-3,7"; NULL: leave it */
int cred_affinity_all(struct err *e);               /* whatever the cpuset allows */

/* For the next exec; an error where the kernel has no such module. proc: a procfs of the pid namespace that the
 * caller is in, or of one above.
 */
int cred_labels(int proc, const struct process *p, struct err *e);

/* cred_bounding, cred_ids, cred_caps - the last privileged steps, in this order
 * cred_bounding() while there is CAP_SETPCAP, cred_ids() with capabilities kept over the change of
 * ids, then cred_caps(), which sets all others exactly. A capability that the bundle names and that
 * is not to be had is an error. No capabilities in the bundle: none at all.
 */
int cred_bounding(const struct capabilities *c, struct err *e);
int cred_ids(const struct user *u, bool can_set_groups, struct err *e);
int cred_caps(const struct capabilities *c, struct err *e);
int cred_no_new_privs(struct err *e);

/* Ambient ones that the kernel will not raise, as they are not both permitted and inheritable: they
 * are left out, and the caller warns of them. Pure; bits as in struct capabilities.
 */
uint64_t cred_ambient_lost(const struct capabilities *c);

/* sysctl: only what is namespaced, and only when that namespace is not the host's; nothing that contradicts
 * domainname, which may be NULL. Pure.
 */
int cred_check_sysctl(const struct pairs *sysctl, const struct ns ns[NS_COUNT],
		      const char *domainname, struct err *e);
int cred_sysctl(int proc, const struct pairs *sysctl, struct err *e);

/* HOME out of root's /etc/passwd, "/" when it does not say; the file is bounded and must be a
 * regular one. The second takes the file's text.
 */
const char *cred_home(struct arena *a, int root, uint32_t uid);
const char *cred_home_in(struct arena *a, const char *text, size_t len, uint32_t uid);

#endif
