/* SPDX-License-Identifier: Apache-2.0 */
/* The paths that a pointer variable names: KUBECONFIG=a:b, DOCKER_HOST=unix:///run/x. */
#ifndef CORE_POINTER_H
#define CORE_POINTER_H

#include <stdbool.h>
#include <stddef.h>

#include "policy.h"

/* pointer_next - walk the absolute paths of a pointer's value
 * *rest begins as the value. Copies the next path, folded, to buf and returns true, or false at the
 * end. Left out: what a workload cannot do without (/usr, /bin, /dev/null ...), in case a variable
 * only seems to be a pointer; and, where the value is a command, everything that is no credential
 * by its own path.
 */
bool pointer_next(const char **rest, char *buf, size_t size);

/* What the cut variables of the workload, and of hooks that run inside, point to. */
struct strings pointer_paths(struct arena *a, const struct bundle *b, const struct policy *p);

/* path_below() for which /var/run is /run, as it is on most systems. */
const char *pointer_below(const char *path, const char *dir);

#endif
