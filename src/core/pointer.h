/* SPDX-License-Identifier: Apache-2.0 */
/* The paths that a pointer variable names: KUBECONFIG=a:b, DOCKER_HOST=unix:///run/x. */
#ifndef CORE_POINTER_H
#define CORE_POINTER_H

#include <stdbool.h>
#include <stddef.h>

/* pointer_next - walk the absolute paths of a pointer's value
 * *rest begins as the value. Copies the next path to buf and returns true, or false at the end. Left out: what a workload
 * cannot do without (/usr, /bin, /dev/null ...), in case a variable only seems to be a
 * pointer; and, where the value is a command, everything that is no credential by its own path.
 */
bool pointer_next(const char **rest, char *buf, size_t size);

#endif
