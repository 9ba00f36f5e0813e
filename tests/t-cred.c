// SPDX-License-Identifier: Apache-2.0
/* Ids and capabilities: what the kernel says of a process that was given them. */
#include <grp.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../src/sys/cred.h"
#include "cred_child.h"

enum { ALL_BITS = 64 };

#define BIT(cap) (UINT64_C(1) << (cap))
#define KILL     BIT(CAP_KILL)
#define CHOWN    BIT(CAP_CHOWN)
#define RAW      BIT(CAP_NET_RAW)
#define BPF      BIT(CAP_BPF)

struct wish {
	const char *name;
	struct capabilities caps;
	struct user user;
	bool no_new_privs, in_user_ns, exec;
	bool deny_groups;
	uint64_t drop; /* from the bounding and permitted sets before anything else */
};

static bool is_root; /* with all ids to give away */
static bool has_user_ns;

static void drop_first(uint64_t caps)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct now[2];
	unsigned cap;

	syscall(SYS_capget, &header, now);
	for (cap = 0; cap < ALL_BITS; cap++) {
		if (!(caps & BIT(cap)))
			continue;
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
		now[cap / 32].permitted &= ~(1u << cap % 32);
		now[cap / 32].effective &= ~(1u << cap % 32);
	}
	syscall(SYS_capset, &header, now);
}

/* The steps in their order; what /proc says of the process goes to the words. */
static int become(struct last_words *w, const void *arg)
{
	static const gid_t of_the_caller[] = { 27, 999 };
	const struct wish *wish = arg;
	int out[2];
	ssize_t n;

	if (is_root && !wish->in_user_ns && setgroups(2, of_the_caller))
		return fail(&w->e, errno, "test: setgroups");
	if (wish->in_user_ns && !enter_user_ns())
		return fail(&w->e, errno, "test: no user namespace");
	drop_first(wish->drop);
	if (cred_bounding(&wish->caps, &w->e) ||
	    cred_ids(&wish->user, !wish->in_user_ns && !wish->deny_groups, &w->e) ||
	    cred_caps(&wish->caps, &w->e))
		return -1;
	if (wish->no_new_privs && cred_no_new_privs(&w->e))
		return -1;
	w->number[0] = umask(0);
	w->number[1] = prctl(PR_GET_KEEPCAPS, 0, 0, 0, 0);
	if (!wish->exec) {
		read_text("/proc/self/status", w->text, sizeof w->text);
		return 0;
	}
	if (pipe(out))
		return fail(&w->e, errno, "test: pipe");
	if (!fork()) {
		dup2(out[1], 1);
		execlp("cat", "cat", "/proc/self/status", NULL);
		_exit(1);
	}
	close(out[1]);
	for (size_t at = 0; (n = read(out[0], w->text + at, sizeof w->text - 1 - at)) > 0;)
		at += (size_t)n;
	return 0;
}

/* The words after a field of /proc/self/status, single blanks between them. */
static const char *status(const char *field)
{
	static char line[256];
	char key[32];
	const char *at;
	size_t n = 0;

	snprintf(key, sizeof key, "\n%s:", field);
	at = strstr(words->text, key);
	if (!at)
		return "?";
	for (at += strlen(key); *at && *at != '\n' && n < sizeof line - 1; at++)
		if ((*at != '\t' && *at != ' ') || (n && line[n - 1] != ' '))
			line[n++] = *at == '\t' ? ' ' : *at;
	while (n && line[n - 1] == ' ')
		n--;
	line[n] = '\0';
	return line;
}

static uint64_t status_caps(const char *field)
{
	return strtoull(status(field), NULL, 16);
}

static void check_sets(const struct wish *w)
{
	const uint64_t *sets = w->caps.sets;
	uint64_t ambient = sets[CAPS_AMBIENT] & sets[CAPS_PERMITTED] & sets[CAPS_INHERITABLE];

	ok(status_caps("CapBnd") == sets[CAPS_BOUNDING], "%s: bounding is what was asked for",
	   w->name);
	ok(status_caps("CapPrm") == sets[CAPS_PERMITTED], "%s: permitted is", w->name);
	ok(status_caps("CapEff") == sets[CAPS_EFFECTIVE], "%s: effective is", w->name);
	ok(status_caps("CapInh") == sets[CAPS_INHERITABLE], "%s: inheritable is", w->name);
	ok(status_caps("CapAmb") == ambient, "%s: ambient is, as far as it can be raised", w->name);
	cmp_ok(words->number[1], "==", 0, "%s: capabilities are no longer kept over changes of ids",
	       w->name);
}

#define CAPS(b, e, i, p, a)                                                                       \
	{                                                                                         \
		.set = true,                                                                      \
		.sets = {                                                                         \
			[CAPS_BOUNDING] = (b),  [CAPS_EFFECTIVE] = (e), [CAPS_INHERITABLE] = (i), \
			[CAPS_PERMITTED] = (p), [CAPS_AMBIENT] = (a),                             \
		},                                                                                \
	}

// clang-format off
static const struct wish set_cases[] = {
	{ .name = "no capabilities in the bundle" },
	{ .name = "empty sets", .caps = CAPS(0, 0, 0, 0, 0) },
	{ .name = "three alike", .caps = CAPS(KILL | RAW, KILL | RAW, 0, KILL | RAW, 0) },
	{ .name = "bounding alone", .caps = CAPS(KILL | BPF, 0, 0, 0, 0) },
	{ .name = "permitted, not effective", .caps = CAPS(KILL, 0, 0, KILL | CHOWN, 0) },
	{ .name = "inheritable", .caps = CAPS(KILL | BPF, KILL, KILL | BPF, KILL, 0) },
	{ .name = "ambient", .caps = CAPS(KILL | BPF, KILL | BPF, KILL | BPF, KILL | BPF, KILL | BPF) },
	{ .name = "ambient that is not inheritable", .caps = CAPS(KILL | CHOWN, KILL | CHOWN, KILL, KILL | CHOWN, KILL | CHOWN) },
	{ .name = "CAP_SETPCAP itself is dropped", .caps = CAPS(BIT(CAP_SETPCAP), 0, 0, 0, 0) },
};
// clang-format on

static void test_sets_as(const char *who, struct user user, bool in_user_ns)
{
	struct wish w;
	char name[128];
	size_t i;

	for (i = 0; i < sizeof set_cases / sizeof *set_cases; i++) {
		w = set_cases[i];
		snprintf(name, sizeof name, "%s: %s", who, w.name);
		w.name = name;
		w.user = user;
		w.in_user_ns = in_user_ns;
		is(in_child(become, &w), "", "%s: no error", name);
		check_sets(&w);
	}
}

static void test_sets(void)
{
	skip(!has_user_ns, 1, "no user namespaces for ordinary users");
	test_sets_as("in a user namespace", (struct user){ 0 }, true);
	end_skip;
	skip(!is_root, 1, "not root");
	test_sets_as("root", (struct user){ 0 }, false);
	test_sets_as("another user", (struct user){ .uid = 1000, .gid = 1001 }, false);
	end_skip;
}

static void test_after_exec(void)
{
	static const struct user user = { .uid = 1000, .gid = 1000 };
	struct wish w = { .name = "ambient", .exec = true, .no_new_privs = true, .user = user };

	w.caps = (struct capabilities)CAPS(KILL | RAW, KILL | RAW, KILL, KILL | RAW, KILL);
	is(in_child(become, &w), "", "ambient capabilities are given to another user's program");
	ok(status_caps("CapEff") == KILL && status_caps("CapPrm") == KILL,
	   "a program of another user has the ambient ones");
	ok(status_caps("CapBnd") == (KILL | RAW), "and the bounding set");
	is(status("NoNewPrivs"), "1", "and cannot gain any");

	w.caps = (struct capabilities)CAPS(KILL | RAW, KILL | RAW, 0, KILL | RAW, 0);
	w.no_new_privs = false;
	in_child(become, &w);
	ok(!status_caps("CapEff") && !status_caps("CapPrm"),
	   "a program of another user has none without ambient ones");
	is(status("NoNewPrivs"), "0", "no_new_privs is only set when asked for");

	w.user = (struct user){ 0 };
	in_child(become, &w);
	ok(status_caps("CapEff") == (KILL | RAW), "a program of root has the bounding set");
}

// clang-format off
static const struct {
	struct wish wish;
	const char *error;
} missing_cases[] = {
	{ { .drop = KILL, .caps = CAPS(KILL | RAW, 0, 0, 0, 0) },
	  "process.capabilities.bounding: CAP_KILL: not to be had here" },
	{ { .drop = RAW, .caps = CAPS(0, 0, 0, RAW, 0) },
	  "process.capabilities.permitted: CAP_NET_RAW: not to be had here" },
	{ { .drop = RAW, .caps = CAPS(0, 0, RAW, 0, 0) },
	  "process.capabilities.inheritable: CAP_NET_RAW: not to be had here" },
	{ { .caps = CAPS(KILL, KILL | RAW, 0, KILL, 0) },
	  "process.capabilities.effective: CAP_NET_RAW: not among the permitted ones" },
	{ { .caps = CAPS(KILL, KILL, KILL | CHOWN, KILL, 0) },
	  "process.capabilities.inheritable: CAP_CHOWN: not in the bounding set" },
};
// clang-format on

static void test_missing(void)
{
	struct wish w;
	size_t i;

	for (i = 0; i < sizeof missing_cases / sizeof *missing_cases; i++) {
		w = missing_cases[i].wish;
		w.in_user_ns = !is_root;
		is(in_child(become, &w), missing_cases[i].error, "refused: %s",
		   missing_cases[i].error);
	}
}

static void test_ambient_lost(void)
{
	struct capabilities c = CAPS(KILL | CHOWN, 0, KILL | RAW, KILL | CHOWN, KILL | CHOWN | RAW);

	ok(cred_ambient_lost(&c) == (CHOWN | RAW),
	   "an ambient capability needs to be permitted and inheritable");
	c = (struct capabilities)CAPS(0, 0, KILL, KILL, KILL);
	ok(!cred_ambient_lost(&c), "one that is both is not lost");
}

/* As one who may not lower the bounding set. */
static int without_setpcap(struct last_words *w, const void *arg)
{
	drop_first(BIT(CAP_SETPCAP));
	return cred_bounding(arg, &w->e);
}

/* One to whom the caller has given ambient capabilities of its own. */
static int with_ambient(struct last_words *w, const void *arg)
{
	struct capabilities all = CAPS(0, KILL | RAW, KILL | RAW, KILL | RAW, KILL | RAW);

	all.sets[CAPS_EFFECTIVE] = all.sets[CAPS_PERMITTED] |= BIT(CAP_SETPCAP);
	all.sets[CAPS_BOUNDING] = ~UINT64_C(0);
	if (cred_caps(&all, &w->e))
		return -1;
	w->number[2] = prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_NET_RAW, 0, 0);
	if (cred_caps(arg, &w->e))
		return -1;
	read_text("/proc/self/status", w->text, sizeof w->text);
	return 0;
}

static void test_ambient_before(void)
{
	struct wish w = { .name = "ambient ones from before" };

	w.caps = (struct capabilities)CAPS(KILL | RAW, 0, KILL | RAW, KILL | RAW, KILL);
	is(in_child(with_ambient, &w.caps), "", "the caller may have ambient capabilities");
	cmp_ok(words->number[2], "==", 1, "there was one more");
	ok(status_caps("CapAmb") == KILL, "of which only those asked for are left");
}

/* The runtime makes the first process with a bare system call, of which the library hears nothing. */
static int after_clone(struct last_words *w, const void *arg)
{
	struct capabilities all = CAPS(0, 0, 0, 0, 0);
	pid_t pid;

	all.sets[CAPS_EFFECTIVE] = all.sets[CAPS_PERMITTED] = KILL | BIT(CAP_SETPCAP);
	if (cred_caps(&all, &w->e))
		return -1;
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		w->rc = cred_caps(arg, &w->e);
		w->number[2] = 1;
		read_text("/proc/self/status", w->text, sizeof w->text);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return w->rc;
}

static void test_after_clone(void)
{
	struct capabilities c = CAPS(0, KILL, 0, KILL, 0);

	is(in_child(after_clone, &c), "", "a process that was cloned sets its own capabilities");
	ok(words->number[2] && status_caps("CapPrm") == KILL, "and has them");
}

static void test_no_setpcap(void)
{
	static const struct capabilities none = { .set = true };

	is(in_child(without_setpcap, &none),
	   "process.capabilities.bounding: cannot be lowered: operation not permitted",
	   "a bounding set that cannot be lowered is an error");
}

static void test_ids(void)
{
	static uint32_t groups[] = { 5, 70000, 5 };
	struct wish w = { .user = { .uid = 1000, .gid = 1001, .umask = { true, 027 } } };

	is(in_child(become, &w), "", "another user without groups");
	is(status("Uid"), "1000 1000 1000 1000", "all four user ids are changed");
	is(status("Gid"), "1001 1001 1001 1001", "all four group ids are changed");
	is(status("Groups"), "", "the caller's groups are gone");
	cmp_ok(words->number[0], "==", 027, "the umask is the bundle's");

	w.user = (struct user){ .groups = groups, .n_groups = 3 };
	umask(0137);
	is(in_child(become, &w), "", "root with groups");
	umask(022);
	is(status("Uid"), "0 0 0 0", "root stays root");
	is(status("Groups"), "5 5 70000", "the groups are the bundle's, none of the caller's");
	cmp_ok(words->number[0], "==", 0137, "without a umask in the bundle it stays");

	w.user = (struct user){ .uid = UINT32_MAX - 1, .gid = UINT32_MAX - 1 };
	is(in_child(become, &w), "", "the largest ids that there are");
	is(status("Uid"), "4294967294 4294967294 4294967294 4294967294", "are taken as they are");

	w.user = (struct user){ .uid = UINT32_MAX };
	is(in_child(become, &w), "process.user: 4294967295 is no id",
	   "the id that leaves things as they are is an error");
	w.user = (struct user){ .gid = UINT32_MAX };
	is(in_child(become, &w), "process.user: 4294967295 is no id", "as a group, too");

	w = (struct wish){ .deny_groups = true };
	is(in_child(become, &w), "",
	   "where setgroups is denied and no group is asked for, it is left");
	is(status("Groups"), "27 999", "and not called at all");
}

static void test_ids_in_user_ns(void)
{
	static uint32_t groups[] = { 5 };
	struct wish w = { .in_user_ns = true };

	is(in_child(become, &w), "", "root of a user namespace without groups");
	is(status("Uid"), "0 0 0 0", "is root");
	w.user = (struct user){ .groups = groups, .n_groups = 1 };
	like(in_child(become, &w),
	     "^process.user.additionalGids: this user namespace denies setgroups \\(",
	     "groups that the user namespace denies are an error");
	w.user = (struct user){ .uid = 1 };
	is(in_child(become, &w), "process.user.uid: 1 is not mapped in the user namespace",
	   "a user that is not mapped is an error");
	w.user = (struct user){ .gid = 7 };
	is(in_child(become, &w), "process.user.gid: 7 is not mapped in the user namespace",
	   "a group that is not mapped is an error");
}

static int probe_user_ns(struct last_words *w, const void *arg)
{
	(void)w;
	(void)arg;
	return enter_user_ns() ? 0 : -1;
}

static int probe_root(struct last_words *w, const void *arg)
{
	(void)w;
	(void)arg;
	return setgroups(0, NULL) || setresuid(70000, 70000, 70000) ? -1 : 0;
}

int main(void)
{
	plan(NO_PLAN);
	in_child(probe_root, NULL);
	is_root = !geteuid() && !words->rc;
	in_child(probe_user_ns, NULL);
	has_user_ns = !words->rc;

	test_ambient_lost();
	test_sets();
	skip(!is_root && !has_user_ns, 1, "no user namespaces for ordinary users");
	test_missing();
	end_skip;
	skip(!is_root, 1, "not root");
	test_after_exec();
	test_ambient_before();
	test_after_clone();
	test_no_setpcap();
	test_ids();
	end_skip;
	skip(!has_user_ns, 1, "no user namespaces for ordinary users");
	test_ids_in_user_ns();
	end_skip;
	done_testing();
}
