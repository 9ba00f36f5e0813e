/* SPDX-License-Identifier: Apache-2.0 */
/* Talking to systemd over D-Bus, through a libsystemd that is loaded only when it is asked for. */
#ifndef SYS_CGROUP_BUS_H
#define SYS_CGROUP_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../base/arena.h"
#include "../base/err.h"

/* A property of a unit; type is D-Bus's: s t b, and "ay", "au", "a(ss)" as the letters y, u, d. */
struct cg_device_allow {
	const char *path, *access;
};
struct cg_prop {
	const char *name;
	char type;
	const char *text;                      /* s */
	uint64_t number;                       /* t, b, u (one process) */
	const uint8_t *bytes;                  /* y */
	const struct cg_device_allow *devices; /* d */
	size_t n;                              /* of bytes or devices */
};
struct cg_props {
	struct cg_prop *v;
	size_t n;
};

struct cg_bus;

/* The system's manager, or the user's own. Errors begin with "systemd cgroups asked for, but". */
int cg_bus_open(struct arena *a, bool user, struct cg_bus **out, struct err *e);
void cg_bus_close(struct cg_bus *b);

/* A property of the manager: "ControlGroup", "Version". */
int cg_bus_manager(struct arena *a, struct cg_bus *b, const char *name, const char **value,
		   struct err *e);

/* Each waits until systemd is done, at most for some time. A unit that is not there is stopped. */
int cg_bus_start(struct arena *a, struct cg_bus *b, const char *unit, const struct cg_props *props,
		 struct err *e);
int cg_bus_stop(struct arena *a, struct cg_bus *b, const char *unit, struct err *e);
int cg_bus_set(struct cg_bus *b, const char *unit, const struct cg_props *props, struct err *e);

#endif
