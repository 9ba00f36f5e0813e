// SPDX-License-Identifier: Apache-2.0
/* Files that others wrote or that others could have put there: sysctls, and HOME from a passwd. */
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>

#include "../src/base/fd.h"
#include "../src/sys/cred.h"
#include "cred_child.h"

static struct arena arena;
static struct err e;

/* Every namespace is the container's own, but for those named. */
static const char *check(const char *key, int missing)
{
	struct pair pairs[] = { { .key = "net.ipv4.ip_forward", .value = "1" },
				{ .key = key, .value = "SECRET" } };
	struct pairs sysctl = { pairs, 2 };
	struct ns ns[NS_COUNT];
	int i;

	for (i = 0; i < NS_COUNT; i++)
		ns[i] = (struct ns){ .listed = i != missing };
	if (missing == NS_NETWORK)
		sysctl = (struct pairs){ pairs + 1, 1 };
	if (!cred_check_sysctl(&sysctl, ns, NULL, &e))
		return "";
	return strstr(e.text, "SECRET") ? "the value is in the error" : e.text;
}

static void test_allowed(void)
{
	static const char *const keys[] = {
		"kernel.msgmax",
		"kernel.sem",
		"kernel.shmall",
		"kernel.shm_rmid_forced",
		"kernel/shmmax",
		"fs.mqueue.msg_max",
		"fs/mqueue/queues_max",
		"net.core.somaxconn",
		"net.ipv4.ping_group_range",
		"net/ipv4/conf/eth0.100/forwarding",
		"net.ipv4.conf.eth0/100.forwarding",
		"net.ipv6.conf.all.disable_ipv6",
		"kernel.domainname",
		"user.max_net_namespaces",
	};
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++)
		is(check(keys[i], NS_COUNT), "", "%s may be set", keys[i]);
}

static void test_of_the_host(void)
{
	static const char *const keys[] = {
		"kernel.core_pattern",
		"kernel/core_pattern",
		"kernel.shmallx",
		"kernel.sh",
		"kernel.domainname+x",
		"kernel.domainname.x",
		"kernel.semx",
		"kernel.msgmax/x",
		"vm.overcommit_memory",
		"fs.mqueue",
		"fs.mqueuex.a",
		"fs.file-max",
		"net",
		"network.x",
		"Net.ipv4.ip_forward",
		"kernel.pid_max",
		"kernel.sysrq",
		"userx.a",
		"debug.exception-trace",
	};
	char want[256];
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		snprintf(want, sizeof want,
			 "linux.sysctl: %s: belongs to no namespace but to the host", keys[i]);
		is(check(keys[i], NS_COUNT), want, "%s may not be set", keys[i]);
	}
	is(check("kernel.hostname", NS_COUNT),
	   "linux.sysctl: kernel.hostname: not to be set (use hostname)",
	   "the host name has a property of its own");
}

static void test_without_namespace(void)
{
	is(check("net.ipv4.ip_forward", NS_NETWORK),
	   "linux.sysctl: net.ipv4.ip_forward: the host's, as the container has no network "
	   "namespace of its own",
	   "net.* needs a network namespace");
	like(check("kernel.sem", NS_IPC), "no ipc namespace", "kernel.sem needs an IPC namespace");
	like(check("fs.mqueue.msg_max", NS_IPC), "no ipc namespace", "fs.mqueue.* does");
	like(check("kernel.domainname", NS_UTS), "no uts namespace",
	     "kernel.domainname needs a UTS namespace");
	like(check("user.max_pid_namespaces", NS_USER), "no user namespace",
	     "user.* needs a user namespace");
}

static void test_no_names(void)
{
	static const char *const keys[] = {
		"",
		"/",
		".",
		"..",
		"net..core",
		"net//core",
		"net/../kernel/core_pattern",
		"net/./core",
		"net.",
		"/net/core",
		".net.core",
		"net.//.kernel.core_pattern",
		"net/core/",
		"net.ipv4\n",
		"net.a b",
		"net.\x7f",
		"net.\xc3\xa4",
		"net.ipv4./",
		"../../etc/passwd",
	};
	char longest[300];
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++)
		is(check(keys[i], NS_COUNT), "linux.sysctl: key 2 is no name of a sysctl",
		   "case %zu is no name", i);
	memset(longest, 'a', sizeof longest - 1);
	memcpy(longest, "net.", 4);
	longest[sizeof longest - 1] = '\0';
	is(check(longest, NS_COUNT), "linux.sysctl: key 2 is no name of a sysctl",
	   "neither is one of 299 bytes");
}

/* In namespaces of its own, with a procfs of its own. */
static int enter_own(struct last_words *w)
{
	if (geteuid() && !enter_user_ns())
		return fail(&w->e, errno, "test: no user namespace");
	if (unshare(CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return fail(&w->e, errno, "test: no namespaces");
	return 0;
}

static int write_all(struct last_words *w, struct pair *pairs, size_t n)
{
	const struct pairs sysctl = { pairs, n };
	autofd int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return cred_sysctl(proc, &sysctl, &w->e);
}

static int run_write(struct last_words *w, const void *arg)
{
	struct pair pairs[] = { { .key = "net.ipv4.ping_group_range", .value = "0 0" },
				{ .key = "net/ipv4/conf/lo/forwarding", .value = "1" },
				{ .key = "kernel.msgmax", .value = "4321" },
				{ .key = "kernel.domainname", .value = "first" },
				{ .key = "kernel.domainname", .value = "" } };
	struct utsname uts;

	(void)arg;
	if (enter_own(w) || write_all(w, pairs, 4))
		return -1;
	uname(&uts);
	w->number[0] = !strcmp(uts.domainname, "first");
	read_text("/proc/sys/net/ipv4/ping_group_range", w->text, 100);
	read_text("/proc/sys/net/ipv4/conf/lo/forwarding", w->text + strlen(w->text), 100);
	read_text("/proc/sys/kernel/msgmax", w->text + strlen(w->text), 100);
	if (write_all(w, pairs + 4, 1))
		return -1;
	uname(&uts);
	w->number[1] = !*uts.domainname;
	return 0;
}

static int run_write_one(struct last_words *w, const void *arg)
{
	struct pair pair = *(const struct pair *)arg;

	return enter_own(w) ? -1 : write_all(w, &pair, 1);
}

/* Another file of the same procfs over the one that is to be written. */
static int run_write_covered(struct last_words *w, const void *arg)
{
	struct pair pair = { .key = "net.ipv4.ping_group_range", .value = "5 6" };
	struct utsname before, after;
	int rc;

	(void)arg;
	uname(&before);
	if (enter_own(w))
		return -1;
	if (mount("/proc/sys/kernel/domainname", "/proc/sys/net/ipv4/ping_group_range", NULL,
		  MS_BIND, NULL))
		return fail(&w->e, errno, "test: no bind");
	rc = write_all(w, &pair, 1);
	uname(&after);
	w->number[0] = !strcmp(before.domainname, after.domainname);
	return rc;
}

static int run_write_elsewhere(struct last_words *w, const void *arg)
{
	struct pair pair = { .key = "net.ipv4.ip_forward", .value = "1" };
	const struct pairs sysctl = { &pair, 1 };
	autofd int dir = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)arg;
	return cred_sysctl(dir, &sysctl, &w->e);
}

static void test_write(void)
{
	static const struct pair no_such = { .key = "net.ipv4.no_such", .value = "SECRET" };
	static const struct pair wrong = { .key = "net.ipv4.ip_forward", .value = "SECRET" };
	static const struct pair evil = { .key = "net/../kernel/domainname", .value = "SECRET" };

	is(in_child(run_write, NULL), "", "sysctls of one's own namespaces can be set");
	is(words->text, "0\t0\n1\n4321\n", "and are, in either spelling");
	ok(words->number[0], "the domain name is");
	ok(words->number[1], "an empty value is a value");
	is(in_child(run_write_one, &no_such),
	   "linux.sysctl: net.ipv4.no_such: proc: 'sys/net/ipv4/no_such': no such file or "
	   "directory",
	   "one that there is not is an error");
	is(in_child(run_write_one, &wrong),
	   "linux.sysctl: net.ipv4.ip_forward: cannot be set: invalid argument",
	   "a value that the kernel refuses is an error without the value");
	is(in_child(run_write_one, &evil), "linux.sysctl: key 1 is no name of a sysctl",
	   "a way out is refused when writing, too");
	like(in_child(run_write_covered, NULL),
	     "^linux.sysctl: net.ipv4.ping_group_range: proc: something is mounted over",
	     "one that is covered by another is refused");
	ok(words->number[0], "and the other is not written");
	is(in_child(run_write_elsewhere, NULL),
	   "linux.sysctl: net.ipv4.ip_forward: proc: not a proc file system",
	   "nothing is written but to a procfs");
}

static const char *home_in(const char *text, uint32_t uid)
{
	return cred_home_in(&arena, text, strlen(text), uid);
}

static void test_home_text(void)
{
	static const char usual[] = "root:x:0:0:root:/root:/bin/sh\n"
				    "daemon:x:1:1::/usr/sbin:/bin/false\n"
				    "# a comment: with:1000:colons:in:/it:\n"
				    "\n"
				    "short:x:1000:1000\n"
				    "user:x:1000:1000:Some One:/home/user:/bin/sh\n"
				    "again:x:1000:1000::/home/again:\n"
				    "empty:x:7:7:::/bin/sh\n"
				    "relative:x:8:8::home:/bin/sh\n"
				    "zeros:x:0009:9::/zeros:/bin/sh\n"
				    "huge:x:4294967306:10::/huge:/bin/sh\n"
				    "six:x:11:11::/six\n"
				    "last:x:4294967294:1::/last:/bin/sh";

	is(home_in(usual, 0), "/root", "root's home");
	is(home_in(usual, 1000), "/home/user", "the first whole line of a user counts");
	is(home_in(usual, 7), "/", "an empty home is /");
	is(home_in(usual, 8), "/", "a relative home is /");
	is(home_in(usual, 9), "/", "a number with leading zeros is none");
	is(home_in(usual, 10), "/", "a number does not wrap around");
	is(home_in(usual, 11), "/six", "the shell may be missing");
	is(home_in(usual, 4294967294u), "/last", "the last line needs no end");
	is(home_in(usual, 12345), "/", "a user that is not there has /");
	is(home_in("", 0), "/", "so has everybody in an empty file");
	is(cred_home_in(&arena, "a:x:0:0::/a\0b:\n", 15, 0), "/", "a NUL in it is /");
}

static int root = -1;
static char top[] = "/tmp/credsbox-home.XXXXXX";

/* The home of root, and that it took no time. */
static const char *timed_home(void)
{
	struct timespec from, to;
	struct arena a = { 0 };
	const char *home;

	clock_gettime(CLOCK_MONOTONIC, &from);
	home = arena_strdup(&arena, cred_home(&a, root, 0));
	clock_gettime(CLOCK_MONOTONIC, &to);
	arena_release(&a);
	if (to.tv_sec - from.tv_sec > 1)
		return "too late";
	return home;
}

static void put(const char *name, const char *text)
{
	autofd int fd = openat(root, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || fd_write_all(fd, name, text, strlen(text), &e))
		BAIL_OUT("cannot write %s", name);
}

static void cut(const char *name, off_t size)
{
	autofd int fd = openat(root, name, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || ftruncate(fd, size))
		BAIL_OUT("cannot cut %s", name);
}

static void test_home_sizes(void)
{
	is(timed_home(), "/", "without a file it is /");
	put("etc/passwd", "root:x:0:0::/root:\n");
	is(timed_home(), "/root", "a regular file is read");
	cut("etc/passwd", 1024 * 1024);
	is(timed_home(), "/root", "up to a size of 1 MiB");
	cut("etc/passwd", 1024 * 1024 + 1);
	is(timed_home(), "/", "and not above it");
	cut("etc/passwd", (off_t)4 << 30);
	is(timed_home(), "/", "nor at 4 GiB");
	unlinkat(root, "etc/passwd", 0);
}

static void link_to(const char *target)
{
	unlinkat(root, "etc/passwd", 0);
	if (symlinkat(target, root, "etc/passwd"))
		BAIL_OUT("cannot link");
}

static void test_home_links(void)
{
	put("passwd", "root:x:0:0::/linked:\n");
	link_to("../passwd");
	is(timed_home(), "/linked", "a link in the root is followed");
	link_to("/passwd");
	is(timed_home(), "/linked", "an absolute one too, in the root");
	link_to("../../../../../passwd");
	is(timed_home(), "/linked", "one that climbs stays in the root");
	link_to("/etc/passwd");
	is(timed_home(), "/", "a loop is /");
	link_to("/proc/self/root/etc/passwd");
	is(timed_home(), "/", "nothing leads to the host's own");
	unlinkat(root, "etc/passwd", 0);
}

static void test_home_types(void)
{
	if (mkfifoat(root, "etc/passwd", 0666))
		BAIL_OUT("cannot make a FIFO");
	is(timed_home(), "/", "a FIFO is /");
	unlinkat(root, "etc/passwd", 0);
	mkdirat(root, "etc/passwd", 0755);
	is(timed_home(), "/", "a directory is /");
	unlinkat(root, "etc/passwd", AT_REMOVEDIR);
	skip(mknodat(root, "zero", S_IFCHR | 0666, makedev(1, 5)), 1, "no device nodes");
	link_to("/zero");
	is(timed_home(), "/", "an endless device is /");
	unlinkat(root, "zero", 0);
	end_skip;
	unlinkat(root, "etc/passwd", 0);
}

static int probe(struct last_words *w, const void *arg)
{
	(void)arg;
	return enter_own(w);
}

int main(void)
{
	plan(NO_PLAN);
	test_allowed();
	test_of_the_host();
	test_without_namespace();
	test_no_names();
	in_child(probe, NULL);
	skip(words->rc, 1, "no namespaces");
	test_write();
	end_skip;
	test_home_text();
	if (!mkdtemp(top) || (root = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0 ||
	    mkdirat(root, "etc", 0755))
		BAIL_OUT("no temporary directory");
	test_home_sizes();
	test_home_links();
	test_home_types();
	unlinkat(root, "passwd", 0);
	unlinkat(root, "etc", AT_REMOVEDIR);
	rmdir(top);
	arena_release(&arena);
	done_testing();
}
