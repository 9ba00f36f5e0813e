/* SPDX-License-Identifier: Apache-2.0 */
/* Policy files: where they are, in which order, and whether they can be trusted. */
#ifndef SYS_POLICY_LOAD_H
#define SYS_POLICY_LOAD_H

#include "../core/policy.h"

#ifndef SYSCONFDIR
#define SYSCONFDIR "/etc"
#endif

/* The administrator's directory. No variable of the environment leads elsewhere: who may set the
 * environment would choose the policy.
 */
#define POLICY_DIR SYSCONFDIR "/credsbox"

/* policy_load - the built-in policy and over it all files that there are, lowest first
 * policy.yaml of that directory; what ends in .yaml in its policy.d, in the order of strcmp(); for
 * anyone but root $XDG_CONFIG_HOME/credsbox/policy.yaml; and file unless it is NULL, which must
 * exist. What is read without being asked for must belong to root or to the caller, and nobody
 * else may be able to write it. Where no file sets audit.file, a person has one below $XDG_STATE_HOME
 * or ~/.local/state. The second form is for tests.
 */
int policy_load(struct arena *a, const char *file, struct policy *p, struct err *e);
int policy_load_from(struct arena *a, const char *dir, const char *file, struct policy *p,
		     struct err *e);

/* One file over what is there; *layer tells its rules from others. Errors begin with its name:
 * "policy.yaml:7:3: env.alow: unknown key (did you mean 'allow'?)".
 */
int policy_load_file(struct arena *a, const char *path, struct policy *p,
		     const struct policy_layer **layer, struct err *e);

#endif
