/* SPDX-License-Identifier: Apache-2.0 */
/* The caller's environment: what credsbox itself goes by is kept, the rest is overwritten where it lies. */
#ifndef RUNTIME_ENVIRON_H
#define RUNTIME_ENVIRON_H

/* environ_forget - before any namespace is made or joined, and before anything is parsed
 * The caller's secrets are in it more often than not, and /proc/PID/environ shows them to whoever shares a pid
 * namespace with us.
 */
void environ_forget(void);

/* All of it, in the container's first process. */
void environ_wipe(void);

#endif
