// SPDX-License-Identifier: Apache-2.0
/* Limits, schedule, memory policy, labels, keyrings: what the kernel says afterwards. */
#include <linux/capability.h>
#include <linux/ioprio.h>
#include <linux/keyctl.h>
#include <linux/mempolicy.h>
#include <linux/sched.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "../src/sys/cred.h"
#include "cred_child.h"

static int proc = -1;

static int run_rlimits(struct last_words *w, const void *arg)
{
	struct rlimit files, core;

	if (cred_rlimits(arg, &w->e))
		return -1;
	getrlimit(RLIMIT_NOFILE, &files);
	getrlimit(RLIMIT_CORE, &core);
	w->number[0] = (long)files.rlim_cur;
	w->number[1] = (long)files.rlim_max;
	w->number[2] = core.rlim_cur == 0 && core.rlim_max == 0;
	return 0;
}

/* Nobody is above the hard limit without CAP_SYS_RESOURCE. */
static int run_rlimits_nobody(struct last_words *w, const void *arg)
{
	static const struct rlimit low = { 64, 64 };

	setrlimit(RLIMIT_NOFILE, &low);
	if (!geteuid() && setresuid(NOBODY, NOBODY, NOBODY))
		return fail(&w->e, errno, "test: cannot become another user");
	return cred_rlimits(arg, &w->e);
}

static void test_rlimits(void)
{
	struct resource_limit two[] = { { RLIMIT_NOFILE, 100, 200 }, { RLIMIT_CORE, 0, 0 } };
	struct resource_limit wrong[] = { { RLIMIT_CORE, 0, 0 }, { RLIMIT_NOFILE, 200, 100 } };
	struct resource_limit high[] = { { RLIMIT_NOFILE, 65, 1048576 } };
	struct resource_limit most[] = { { RLIMIT_NOFILE, RLIM_INFINITY, RLIM_INFINITY } };
	struct process p = { .rlimits = two, .n_rlimits = 2 };

	is(in_child(run_rlimits, &p), "", "limits can be set");
	cmp_ok(words->number[0], "==", 100, "the soft one is as asked for");
	cmp_ok(words->number[1], "==", 200, "the hard one is");
	ok(words->number[2], "each limit is its own");
	p.rlimits = wrong;
	is(in_child(run_rlimits, &p),
	   "process.rlimits[1]: RLIMIT_NOFILE: cannot set soft 200, hard 100 (soft is above hard)",
	   "a soft limit above the hard one is an error");
	p = (struct process){ .rlimits = high, .n_rlimits = 1 };
	is(in_child(run_rlimits_nobody, &p),
	   "process.rlimits[0]: RLIMIT_NOFILE: cannot set soft 65, hard 1048576: "
	   "operation not permitted",
	   "a limit that one may not raise is an error with its name and values");
	p.rlimits = most;
	is(in_child(run_rlimits_nobody, &p),
	   "process.rlimits[0]: RLIMIT_NOFILE: cannot set soft unlimited, hard unlimited: "
	   "operation not permitted",
	   "no limit is said in a word");
}

static int run_scheduler(struct last_words *w, const void *arg)
{
	struct sched_param param = { 0 };

	if (cred_scheduler(arg, &w->e))
		return -1;
	w->number[0] = sched_getscheduler(0);
	w->number[1] = getpriority(PRIO_PROCESS, 0);
	sched_getparam(0, &param);
	w->number[2] = param.sched_priority;
	return 0;
}

static void test_scheduler_rules(void)
{
	// clang-format off
	static const struct { struct scheduler s; const char *error; } cases[] = {
		{ { .policy = SCHED_OTHER, .priority = { true, 5 } },
		  "process.scheduler.priority: only for SCHED_FIFO and SCHED_RR" },
		{ { .policy = SCHED_RR },
		  "process.scheduler.priority: 1 to 99 is needed with SCHED_RR" },
		{ { .policy = SCHED_BATCH, .period = { true, 1000 } },
		  "process.scheduler: runtime, deadline and period are only for SCHED_DEADLINE" },
		{ { .policy = SCHED_DEADLINE, .runtime = { true, 9 }, .deadline = { true, 8 } },
		  "process.scheduler: cannot set SCHED_DEADLINE: invalid argument" },
		{ { .policy = 4 }, "process.scheduler: cannot set SCHED_ISO: invalid argument" },
	};
	// clang-format on
	struct process p = { 0 };
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		p.scheduler = cases[i].s;
		p.scheduler.set = true;
		is(in_child(run_scheduler, &p), cases[i].error, "refused: %s", cases[i].error);
	}
}

static void test_scheduler(void)
{
	struct process p = { 0 };

	in_child(run_scheduler, &p);
	cmp_ok(words->number[0], "==", sched_getscheduler(0), "no scheduler changes nothing");
	p.scheduler = (struct scheduler){ .set = true, .policy = SCHED_BATCH, .nice = { true, 7 } };
	is(in_child(run_scheduler, &p), "", "SCHED_BATCH with nice 7 can be set");
	cmp_ok(words->number[0], "==", SCHED_BATCH, "the policy is");
	cmp_ok(words->number[1], "==", 7, "nice is");
	p.scheduler = (struct scheduler){ .set = true, .policy = SCHED_IDLE };
	is(in_child(run_scheduler, &p), "", "SCHED_IDLE can be set");
	cmp_ok(words->number[0], "==", SCHED_IDLE, "and is");
	test_scheduler_rules();
	skip(geteuid(), 3, "not root");
	p.scheduler = (struct scheduler){ .set = true,
					  .policy = SCHED_FIFO,
					  .flags = SCHED_FLAG_RESET_ON_FORK,
					  .priority = { true, 12 } };
	is(in_child(run_scheduler, &p), "", "SCHED_FIFO with a priority and a flag can be set");
	cmp_ok(words->number[0], "==", SCHED_FIFO | SCHED_RESET_ON_FORK, "policy and flag are");
	cmp_ok(words->number[2], "==", 12, "the priority is");
	p.scheduler = (struct scheduler){ .set = true,
					  .policy = SCHED_DEADLINE,
					  .runtime = { true, 1000000 },
					  .deadline = { true, 5000000 },
					  .period = { true, 10000000 } };
	is(in_child(run_scheduler, &p), "", "SCHED_DEADLINE can be set");
	cmp_ok(words->number[0], "==", SCHED_DEADLINE, "and is");
	end_skip;
}

/* number[0]: one's own; number[1]: that of another process in the same group. */
static int io_priorities(struct last_words *w, const void *arg, bool leads)
{
	pid_t other;

	if (leads)
		setsid();
	other = fork();
	if (!other) {
		pause();
		_exit(0);
	}
	w->rc = cred_io_priority(arg, &w->e);
	w->number[0] = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
	w->number[1] = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, other);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	return w->rc;
}

static int run_io_leader(struct last_words *w, const void *arg)
{
	return io_priorities(w, arg, true);
}

static int run_io_member(struct last_words *w, const void *arg)
{
	return io_priorities(w, arg, false);
}

static void test_io_priority(void)
{
	struct process p = { .io_priority = { true, IOPRIO_CLASS_BE, 6 } };
	long want = IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 6);

	is(in_child(run_io_leader, &p), "", "an I/O priority can be set");
	cmp_ok(words->number[0], "==", want, "it is one's own");
	cmp_ok(words->number[1], "==", want, "and the group's, of which one is the leader");
	is(in_child(run_io_member, &p), "", "in a group of others it can be set");
	cmp_ok(words->number[0], "==", want, "for oneself");
	cmp_ok(words->number[1], "!=", want, "but not for the others");
	p.io_priority.set = false;
	in_child(run_io_leader, &p);
	cmp_ok(words->number[0], "!=", want, "none changes nothing");
}

static int run_personality(struct last_words *w, const void *arg)
{
	if (cred_personality(*(const int *)arg, &w->e))
		return -1;
	w->number[0] = personality(0xffffffff);
	return 0;
}

static void test_personality(void)
{
	static const int domains[] = { PER_LINUX32, PER_LINUX };

	is(in_child(run_personality, &domains[0]), "", "LINUX32 can be set");
	cmp_ok(words->number[0], "==", PER_LINUX32, "and is");
	is(in_child(run_personality, &domains[1]), "", "LINUX can be set");
	cmp_ok(words->number[0], "==", PER_LINUX, "and is");
}

static int run_memory_policy(struct last_words *w, const void *arg)
{
	unsigned long nodes[16] = { 0 };
	int mode = -1;

	if (cred_memory_policy(arg, &w->e))
		return -1;
	if (syscall(SYS_get_mempolicy, &mode, nodes, sizeof nodes * 8, NULL, 0))
		return fail(&w->e, errno, "test: get_mempolicy");
	w->number[0] = mode;
	w->number[1] = (long)nodes[0];
	return 0;
}

static void test_memory_policy(void)
{
	struct memory_policy m = { .set = true, .mode = MPOL_BIND, .nodes = "0" };

	is(in_child(run_memory_policy, &m), "", "MPOL_BIND to node 0 can be set");
	cmp_ok(words->number[0], "==", MPOL_BIND, "the mode is");
	cmp_ok(words->number[1], "==", 1, "the node is");
	m.flags = MPOL_F_STATIC_NODES;
	is(in_child(run_memory_policy, &m), "", "with a flag too");
	cmp_ok(words->number[0], "==", MPOL_BIND | MPOL_F_STATIC_NODES, "which is there");
	m = (struct memory_policy){ .set = true, .mode = MPOL_LOCAL };
	is(in_child(run_memory_policy, &m), "", "MPOL_LOCAL can be set without nodes");
	cmp_ok(words->number[0], "==", MPOL_LOCAL, "and is");
	m.mode = MPOL_DEFAULT;
	m.nodes = "";
	is(in_child(run_memory_policy, &m), "", "MPOL_DEFAULT can be set with no nodes named");
	m.nodes = "0";
	is(in_child(run_memory_policy, &m),
	   "linux.memoryPolicy.nodes: MPOL_DEFAULT mode requires 0 nodes but got 1",
	   "nodes where none belong are an error");
	m = (struct memory_policy){ .set = true, .mode = MPOL_INTERLEAVE, .nodes = "1-0" };
	is(in_child(run_memory_policy, &m),
	   "linux.memoryPolicy.nodes: invalid memory policy nodes (expected a list such as 0-3,7 "
	   "of "
	   "numbers below 8192)",
	   "a list that runs backwards is an error");
	m.nodes = "1023";
	is(in_child(run_memory_policy, &m),
	   "linux.memoryPolicy: cannot set MPOL_INTERLEAVE: invalid argument",
	   "nodes that the machine has not are an error");
	m.nodes = NULL;
	is(in_child(run_memory_policy, &m),
	   "linux.memoryPolicy: cannot set MPOL_INTERLEAVE: invalid argument",
	   "no nodes where some belong are an error");
	m.set = false;
	is(in_child(run_memory_policy, &m), "", "none changes nothing");
	cmp_ok(words->number[0], "==", MPOL_DEFAULT, "indeed");
}

static void test_lists(void)
{
	static const char *const wrong[] = {
		"",     ",",   "0,",    ",0",  "-",    "0-",    "-1",
		"1-0",  "a",   "0x1",   "0 1", "0--1", "0-1-2", "00",
		"0 -1", "128", "0-128", "1;2", "+1",   "0,,1",  "99999999999999999999999"
	};
	unsigned long bits[2];
	size_t i;

	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ok(!parse_list(wrong[i], bits, 128), "'%s' is no list of 0 to 127", wrong[i]);
	ok(parse_list("0-3,7", bits, 128) && bits[0] == 0x8f && !bits[1], "0-3,7 is five numbers");
	ok(parse_list(" 64 , 127,5-5,5", bits, 128) && bits[0] == 0x20 &&
		   bits[1] == (1ul | 1ul << 63),
	   "order, blanks and repetition do not matter");
	ok(parse_list("0-127", bits, 128) && bits[0] == ~0ul && bits[1] == ~0ul,
	   "a range may be all there is");
}

static int run_affinity(struct last_words *w, const void *arg)
{
	cpu_set_t set;

	if (cred_affinity(arg, &w->e))
		return -1;
	sched_getaffinity(0, sizeof set, &set);
	w->number[0] = CPU_COUNT(&set);
	w->number[1] = CPU_ISSET(0, &set);
	if (cred_affinity_all(&w->e))
		return -1;
	sched_getaffinity(0, sizeof set, &set);
	w->number[2] = CPU_COUNT(&set);
	return 0;
}

static void test_affinity(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof set, &set);
	is(in_child(run_affinity, "0,1000-1023"), "", "an affinity can be set");
	ok(words->number[0] == 1 && words->number[1], "it is CPU 0; what there is not is left out");
	cmp_ok(words->number[2], "==", CPU_COUNT(&set), "and can be taken back");
	in_child(run_affinity, NULL);
	cmp_ok(words->number[0], "==", CPU_COUNT(&set), "none changes nothing");
	is(in_child(run_affinity, "8000-8191"),
	   "process.execCPUAffinity: cannot be set: invalid argument",
	   "only CPUs that there are not are an error");
	is(in_child(run_affinity, "1,"), "process.execCPUAffinity: expected a list such as 0-3,7",
	   "so is what is no list");
}

static int run_oom(struct last_words *w, const void *arg)
{
	if (cred_oom_score(proc, 0, arg, &w->e))
		return -1;
	read_text("/proc/self/oom_score_adj", w->text, sizeof w->text);
	return 0;
}

static int run_oom_of_another(struct last_words *w, const void *arg)
{
	pid_t pid = fork();
	char path[64];
	int rc;

	if (!pid)
		pause();
	if (pid < 0)
		return fail(&w->e, errno, "test: fork");
	rc = cred_oom_score(proc, pid, arg, &w->e);
	snprintf(path, sizeof path, "/proc/%d/oom_score_adj", pid);
	read_text(path, w->text, sizeof w->text);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return rc;
}

static int run_oom_elsewhere(struct last_words *w, const void *arg)
{
	proc = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return cred_oom_score(proc, 0, arg, &w->e);
}

static int run_oom_lower(struct last_words *w, const void *arg)
{
	if (!geteuid() && setresuid(NOBODY, NOBODY, NOBODY))
		return fail(&w->e, errno, "test: cannot become another user");
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return cred_oom_score(proc, 0, arg, &w->e);
}

static void test_oom(void)
{
	struct process p = { .oom_score_adj = { true, 777 } };
	char before[64];

	read_text("/proc/self/oom_score_adj", before, sizeof before);
	is(in_child(run_oom, &p), "", "the OOM score can be set");
	is(words->text, "777\n", "and is");
	is(in_child(run_oom_of_another, &p), "", "so can that of another process");
	is(words->text, "777\n", "and is");
	is(in_child(run_oom_elsewhere, &p), "process.oomScoreAdj: proc: not a proc file system",
	   "it is written to nothing but a procfs");
	p.oom_score_adj.v = -998;
	is(in_child(run_oom_lower, &p), "process.oomScoreAdj: cannot set -998: permission denied",
	   "one that may not be lowered is an error");
	p.oom_score_adj.set = false;
	in_child(run_oom, &p);
	is(words->text, before, "none changes nothing");
}

static int run_labels(struct last_words *w, const void *arg)
{
	return cred_labels(proc, arg, &w->e);
}

static void test_labels(void)
{
	bool has_apparmor = !access("/proc/self/attr/apparmor", F_OK);
	struct process p = { .apparmor_profile = "", .selinux_label = "" };
	char filesystems[8192];

	read_text("/proc/filesystems", filesystems, sizeof filesystems);
	is(in_child(run_labels, &p), "", "empty labels are none");
	p.apparmor_profile = "credsbox-no-such-profile";
	is(in_child(run_labels, &p),
	   has_apparmor ? "process.apparmorProfile: cannot be set: no such file or directory"
			: "process.apparmorProfile: this kernel has no AppArmor",
	   "a profile that cannot be had is an error");
	p.apparmor_profile = "unconfined";
	is(in_child(run_labels, &p), "", "unconfined can be had everywhere");
	p.apparmor_profile = NULL;
	p.selinux_label = "system_u:system_r:no_such_t:s0";
	is(in_child(run_labels, &p),
	   strstr(filesystems, "selinuxfs")
		   ? "process.selinuxLabel: SELinux is off, or does not know the label"
		   : "process.selinuxLabel: this kernel has no SELinux",
	   "a label that cannot be had is an error");
}

static long session(void)
{
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
}

/* number[0]: the caller's; number[1]: a new one; number[2]: what another process gets by the name. */
static int run_keyring(struct last_words *w, const void *arg)
{
	pid_t other;

	w->number[0] = session();
	if (cred_keyring(arg, &w->e))
		return -1;
	w->number[1] = session();
	if (cred_keyring(arg, &w->e))
		return -1;
	w->number[4] = session();
	syscall(SYS_keyctl, KEYCTL_DESCRIBE, w->number[1], w->text, sizeof w->text);
	other = fork();
	if (!other) {
		syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
		w->number[3] = session();
		w->rc = cred_keyring(arg, &w->e);
		w->number[2] = session();
		_exit(w->rc ? 1 : 0);
	}
	waitpid(other, NULL, 0);
	return w->rc;
}

/* Another user has made a keyring of that name, which anybody may search and join. */
static int run_keyring_taken(struct last_words *w, const void *arg)
{
	char name[80], byte;
	int ready[2], rc;
	pid_t other;

	if (pipe(ready))
		return fail(&w->e, errno, "test: pipe");
	snprintf(name, sizeof name, "_ses.%s", (const char *)arg);
	other = fork();
	if (!other) {
		if (setresuid(61235, 61235, 61235))
			_exit(1);
		w->number[0] = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, name);
		syscall(SYS_keyctl, KEYCTL_SETPERM, w->number[0], 0x3f3f3f3f);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		return fail(&w->e, 0, "test: no other user");
	rc = cred_keyring(arg, &w->e);
	w->number[1] = session();
	w->number[2] = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, name);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	return rc;
}

/* A user whom nobody else is, with as many keys as one may have. */
static int run_keyring_quota(struct last_words *w, const void *arg)
{
	char name[32];
	int i;

	if (setresuid(61234, 61234, 61234))
		return fail(&w->e, errno, "test: cannot become another user");
	for (i = 0; i < 100000; i++) {
		snprintf(name, sizeof name, "key-%d", i);
		if (syscall(SYS_add_key, "user", name, "x", 1, KEY_SPEC_PROCESS_KEYRING) < 0)
			break;
	}
	return cred_keyring(arg, &w->e);
}

static void test_keyring(void)
{
	char id[64], want[128];

	snprintf(id, sizeof id, "t-cred-%d", getpid());
	snprintf(want, sizeof want, ";3f1b0000;_ses\\.%s$", id);
	is(in_child(run_keyring, id), "", "a session keyring can be made");
	cmp_ok(words->number[1], "!=", words->number[0], "it is not the caller's");
	cmp_ok(words->number[4], "==", words->number[1], "asked for again, it stays");
	like(words->text, want, "it has the container's name and can be searched by its user only");
	cmp_ok(words->number[2], "==", words->number[1],
	       "another process gets the same by the name");
	cmp_ok(words->number[3], "!=", words->number[2], "and had another one before");
	skip(geteuid(), 1, "not root");
	snprintf(id, sizeof id, "t-cred-%d-taken",
		 getpid()); /* the other may be there for a while */
	is(in_child(run_keyring_taken, id), "", "a name that another user has taken is no error");
	cmp_ok(words->number[2], "==", words->number[0],
	       "the kernel would have joined that keyring");
	ok(words->number[1] > 0 && words->number[1] != words->number[0],
	   "but the container has one of its own");
	like(in_child(run_keyring_quota, id),
	     "^session keyring: the user's quota of keys is used up",
	     "a quota that is used up is said");
	end_skip;
}

int main(void)
{
	plan(NO_PLAN);
	proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	test_rlimits();
	test_scheduler();
	test_io_priority();
	test_personality();
	skip(syscall(SYS_get_mempolicy, NULL, NULL, 0, NULL, 0) && errno == ENOSYS, 1,
	     "a kernel without NUMA");
	test_memory_policy();
	end_skip;
	test_lists();
	test_affinity();
	test_oom();
	test_labels();
	test_keyring();
	done_testing();
}
