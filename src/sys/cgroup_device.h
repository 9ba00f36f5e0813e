/* SPDX-License-Identifier: Apache-2.0 */
/* Which devices a container may use: the rules in order, a program for v2, a list for v1. */
#ifndef SYS_CGROUP_DEVICE_H
#define SYS_CGROUP_DEVICE_H

#include <linux/bpf.h>

#include "cgroup.h"

/* type: 'b', 'c', or 'a' for both; major and minor: -1 for all; access: BPF_DEVCG_ACC_*. */
struct cg_device_rule {
	bool allow;
	char type;
	int64_t major, minor;
	unsigned access;
};
struct cg_device_rules {
	struct cg_device_rule *v;
	size_t n;
};

/* The bundle's rules and, after them, what every container may use. */
int cg_device_rules(struct arena *a, const struct resources *r, struct cg_device_rules *out,
		    struct err *e);

/* The eBPF program: for each kind of access, the last rule that fits decides; none: refused. */
struct cg_program {
	struct bpf_insn *v;
	size_t n;
};
void cg_device_program(struct arena *a, const struct cg_device_rules *rules,
		       struct cg_program *out);

/* Loads the program and puts it in the place of those that are attached to the directory. */
int cg_device_attach(int dir, const struct cg_program *p, struct err *e);

/* What to write for v1: first for everything, then what differs from it. */
int cg_device_list(struct arena *a, const struct cg_device_rules *rules,
		   struct cg_device_rules *out, struct err *e);

/* As devices.allow and devices.deny have it: "c 1:3 rwm", "a". */
const char *cg_device_text(struct arena *a, const struct cg_device_rule *r);

#endif
