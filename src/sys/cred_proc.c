// SPDX-License-Identifier: Apache-2.0
/* What the program is given of the machine: limits, schedule, CPUs, memory policy. */
#include "cred.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/ioprio.h>
#include <linux/mempolicy.h>

#include "../base/banned.h"

enum { LIST_LONGS = LIST_BITS / (sizeof(unsigned long) * CHAR_BIT) };

/* As the kernel reads it since 3.14; C libraries differ in whether they have it. */
struct schedule {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static const char *limit_text(uint64_t v, char buf[24])
{
	if (v == RLIM_INFINITY)
		return "unlimited";
	snprintf(buf, 24, "%llu", (unsigned long long)v);
	return buf;
}

int cred_rlimits(const struct process *p, struct err *e)
{
	const struct resource_limit *l;
	char soft[24], hard[24];
	struct rlimit limit;
	size_t i;

	for (i = 0; i < p->n_rlimits; i++) {
		l = &p->rlimits[i];
		limit.rlim_cur = l->soft;
		limit.rlim_max = l->hard;
		if (!setrlimit((__rlimit_resource_t)l->resource, &limit))
			continue;
		return fail(e, l->soft > l->hard ? 0 : errno,
			    "process.rlimits[%zu]: %s: cannot set soft %s, hard %s%s", i,
			    name_of(names_rlimits, l->resource), limit_text(l->soft, soft),
			    limit_text(l->hard, hard),
			    l->soft > l->hard ? " (soft is above hard)" : "");
	}
	return 0;
}

int cred_no_core(struct err *e)
{
	static const struct rlimit none = { 0, 0 };

	return setrlimit(RLIMIT_CORE, &none) ? fail(e, errno, "RLIMIT_CORE") : 0;
}

/* The kernel's own answer to what does not fit is EINVAL for everything. */
static int check_schedule(const struct scheduler *s, struct err *e)
{
	bool is_realtime = s->policy == SCHED_FIFO || s->policy == SCHED_RR;
	bool is_deadline = s->policy == SCHED_DEADLINE;

	if (s->priority.set && s->priority.v && !is_realtime)
		return fail(e, 0, "process.scheduler.priority: only for SCHED_FIFO and SCHED_RR");
	if (is_realtime && (!s->priority.set || !s->priority.v))
		return fail(e, 0, "process.scheduler.priority: 1 to 99 is needed with %s",
			    name_of(names_sched_policies, s->policy));
	if (!is_deadline && ((s->runtime.set && s->runtime.v) ||
			     (s->deadline.set && s->deadline.v) || (s->period.set && s->period.v)))
		return fail(e, 0,
			    "process.scheduler: runtime, deadline and period are only for "
			    "SCHED_DEADLINE");
	return 0;
}

int cred_scheduler(const struct process *p, struct err *e)
{
	const struct scheduler *s = &p->scheduler;
	struct schedule want = {
		.size = sizeof want,
		.policy = (uint32_t)s->policy,
		.flags = s->flags,
		.nice = s->nice.set ? (int32_t)s->nice.v : 0,
		.priority = s->priority.set ? (uint32_t)s->priority.v : 0,
		.runtime = s->runtime.set ? s->runtime.v : 0,
		.deadline = s->deadline.set ? s->deadline.v : 0,
		.period = s->period.set ? s->period.v : 0,
	};

	if (!s->set)
		return 0;
	if (check_schedule(s, e))
		return -1;
	if (syscall(SYS_sched_setattr, 0, &want, 0))
		return fail(
			e, errno, "process.scheduler: cannot set %s%s",
			name_of(names_sched_policies, s->policy),
			errno == EPERM
				? " (it takes CAP_SYS_NICE on the host, and time of the control "
				  "group: linux.resources.cpu.realtimeRuntime)"
				: "");
	return 0;
}

int cred_io_priority(const struct process *p, struct err *e)
{
	const struct io_priority *io = &p->io_priority;
	/* A group that another process leads is the caller's: not ours to slow down. */
	int who = getpgrp() == getpid() ? IOPRIO_WHO_PGRP : IOPRIO_WHO_PROCESS;

	if (!io->set)
		return 0;
	if (syscall(SYS_ioprio_set, who, 0, IOPRIO_PRIO_VALUE(io->class, io->priority)))
		return fail(e, errno, "process.ioPriority: cannot set %s",
			    name_of(names_io_classes, io->class));
	return 0;
}

int cred_personality(int domain, struct err *e)
{
	if (personality((unsigned long)domain) < 0)
		return fail(e, errno, "linux.personality.domain");
	return 0;
}

static size_t count_bits(const unsigned long bits[LIST_LONGS])
{
	size_t i, n = 0;

	for (i = 0; i < LIST_LONGS; i++)
		n += (size_t)__builtin_popcountl(bits[i]);
	return n;
}

int cred_memory_policy(const struct memory_policy *m, struct err *e)
{
	unsigned long nodes[LIST_LONGS] = { 0 };
	bool has_nodes = m->nodes && *m->nodes;
	const char *mode = name_of(names_memory_modes, m->mode);

	if (!m->set)
		return 0;
	if (has_nodes && !parse_list(m->nodes, nodes, LIST_BITS))
		return fail(e, 0,
			    "linux.memoryPolicy.nodes: invalid memory policy nodes (expected a "
			    "list such as 0-3,7 of numbers below %d)",
			    LIST_BITS);
	if (has_nodes && (m->mode == MPOL_DEFAULT || m->mode == MPOL_LOCAL))
		return fail(e, 0, "linux.memoryPolicy.nodes: %s mode requires 0 nodes but got %zu",
			    mode, count_bits(nodes));
	/* The kernel looks at one bit less than it is told of. */
	if (!syscall(SYS_set_mempolicy, m->mode | (int)m->flags, has_nodes ? nodes : NULL,
		     has_nodes ? LIST_BITS + 1ul : 0ul))
		return 0;
	if (errno == ENOSYS)
		return fail(e, 0, "linux.memoryPolicy: this kernel has none (CONFIG_NUMA)");
	return fail(e, errno, "linux.memoryPolicy: cannot set %s", mode);
}

static int set_affinity(const unsigned long cpus[LIST_LONGS])
{
	return (int)syscall(SYS_sched_setaffinity, 0, LIST_BITS / CHAR_BIT, cpus);
}

int cred_affinity(const char *cpus, struct err *e)
{
	unsigned long bits[LIST_LONGS];

	if (!cpus || !*cpus)
		return 0;
	if (!parse_list(cpus, bits, LIST_BITS))
		return fail(e, 0, "process.execCPUAffinity: expected a list such as 0-3,7");
	if (set_affinity(bits))
		return fail(e, errno, "process.execCPUAffinity: cannot be set");
	return 0;
}

int cred_affinity_all(struct err *e)
{
	unsigned long bits[LIST_LONGS];

	memset(bits, 0xff, sizeof bits);
	if (set_affinity(bits))
		return fail(e, errno, "cannot take back the CPU affinity");
	return 0;
}
