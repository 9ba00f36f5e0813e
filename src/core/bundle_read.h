/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of config.json that its parts share; for bundle*.c alone. */
#ifndef CORE_BUNDLE_READ_H
#define CORE_BUNDLE_READ_H

#include "bundle.h"

enum { MAX_ENV = 32768, MAX_MOUNTS = 4096 };

/* Ids of users and groups, 0 to 2^32-2: the last number means "none" to the kernel. */
extern const struct range range_ids;

extern const struct field process_fields[];   /* struct process */
extern const struct field linux_fields[];     /* struct linux_conf */
extern const struct field resources_fields[]; /* struct resources */
extern const struct list_of list_id_maps;     /* struct id_map */

field_fn read_absolute; /* const char *: a path that begins with '/' */
field_fn read_cpu_list; /* const char *: numbers and ranges, of CPUs or memory nodes */
field_fn read_args;     /* struct args */
field_fn read_env;      /* struct env */
field_fn read_pairs;    /* struct pairs: an object of strings, no key empty */
field_fn read_seccomp;  /* struct seccomp */

#endif
