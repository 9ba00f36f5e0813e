/* SPDX-License-Identifier: Apache-2.0 */
/* The bundle's seccomp section: compiled, cached, loaded. */
#ifndef SYS_SECCOMP_H
#define SYS_SECCOMP_H

#include <sys/types.h>

#include <linux/filter.h>

#include "../core/bundle.h"

struct seccomp_program {
	const struct sock_filter *code; /* NULL: there is none */
	unsigned short n;
	unsigned flags; /* SECCOMP_FILTER_FLAG_*, for the kernel */
	bool listens;   /* a rule notifies: loading gives a listener */
};

/* seccomp_build - in the runtime, before anything is made
 * cache_dir may be NULL. A cached program is used only when its file is the caller's own, mode 0600,
 * whole, and made from the same section by the same library for the same kernel.
 */
int seccomp_build(struct arena *a, const struct seccomp *s, const char *cache_dir,
		  struct seccomp_program *p, struct err *e);

/* seccomp_profile - a profile of seccomp-profiles/, as it was compiled with this program
 * Before a filter that asks an agent (listens) goes a floor that lets such a one be loaded; the
 * kernel takes no second. An error says that there is none for this kind of machine.
 */
int seccomp_profile(const char *name, bool listens, struct seccomp_program *p, struct err *e);

/* In the child, as late as can be. *listener: the descriptor when it listens, else -1.
 * (libseccomp has a seccomp_load() already.) Without no_new_privs it needs CAP_SYS_ADMIN.
 */
int seccomp_install(const struct seccomp_program *p, int *listener, struct err *e);

bool seccomp_has_flag(unsigned flag);          /* the kernel has that SECCOMP_FILTER_FLAG_* */
bool seccomp_has_arch(enum seccomp_arch arch); /* libseccomp has */
const char *seccomp_library(struct arena *a);  /* its version, "2.5.4" */

/* seccomp_hand_over - the listener to the agent at listenerPath
 * One message: the container process state of the specification, and the descriptor. state is the container's
 * state as JSON.
 */
int seccomp_hand_over(struct arena *a, const struct seccomp *s, const char *state, pid_t pid,
		      int listener, struct err *e);

#endif
