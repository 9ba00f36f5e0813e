// SPDX-License-Identifier: Apache-2.0
/* Tests of the tables of names and of the number parsers. */
#include "../src/core/names.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

#include "../src/core/bundle.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_numbers(void)
{
	static const struct {
		const char *text;
		bool is_i64, is_u64;
		int64_t i;
		uint64_t u;
	} cases[] = {
		{ "0", true, true, 0, 0 },
		{ "7", true, true, 7, 7 },
		{ "-1", true, false, -1, 0 },
		{ "4294967295", true, true, 4294967295, 4294967295 },
		{ "9223372036854775807", true, true, INT64_MAX, INT64_MAX },
		{ "9223372036854775808", false, true, 0, UINT64_C(9223372036854775808) },
		{ "-9223372036854775808", true, false, INT64_MIN, 0 },
		{ "-9223372036854775809", false, false, 0, 0 },
		{ "10000000000000000000", false, true, 0, UINT64_C(10000000000000000000) },
		{ "18446744073709551615", false, true, 0, UINT64_MAX },
		{ "18446744073709551616", false, false, 0, 0 },
		{ "99999999999999999999", false, false, 0, 0 },
		{ "184467440737095516150", false, false, 0, 0 },
		{ "-0", false, false, 0, 0 },
		{ "-", false, false, 0, 0 },
		{ "--1", false, false, 0, 0 },
		{ "+1", false, false, 0, 0 },
		{ "00", false, false, 0, 0 },
		{ "01", false, false, 0, 0 },
		{ "-01", false, false, 0, 0 },
		{ "1.0", false, false, 0, 0 },
		{ "1e3", false, false, 0, 0 },
		{ "0x10", false, false, 0, 0 },
		{ " 1", false, false, 0, 0 },
		{ "1 ", false, false, 0, 0 },
		{ "", false, false, 0, 0 },
	};
	size_t i, len;
	uint64_t u;
	int64_t n;

	for (i = 0; i < COUNT(cases); i++) {
		len = strlen(cases[i].text);
		n = 0;
		u = 0;
		ok(parse_i64(cases[i].text, len, &n) == cases[i].is_i64 && n == cases[i].i,
		   "'%s' is %s signed number", cases[i].text, cases[i].is_i64 ? "a" : "no");
		ok(parse_u64(cases[i].text, len, &u) == cases[i].is_u64 && u == cases[i].u,
		   "'%s' is %s unsigned number", cases[i].text, cases[i].is_u64 ? "an" : "no");
	}
	ok(parse_u64("123", 2, &u) && u == 12, "only the given bytes are parsed");
}

static void test_tables(void)
{
	static const struct name *const tables[] = {
		names_namespaces,    names_hooks,           names_capabilities, names_rlimits,
		names_signals,       names_seccomp_actions, names_seccomp_ops,  names_seccomp_archs,
		names_seccomp_flags, names_sched_policies,  names_sched_flags,  names_io_classes,
		names_memory_modes,  names_memory_flags,    names_propagation,  names_personalities,
	};
	const struct name *n;
	bool once = true;
	size_t i, count;
	int k;

	for (i = 0; i < COUNT(tables); i++)
		for (n = tables[i]; n->name; n++)
			once = once && name_find(tables[i], n->name) == n;
	ok(once, "no table has a name twice");
	ok(!name_find(names_rlimits, "rlimit_cpu"), "names are found in their own case only");
	ok(!name_find(names_rlimits, ""), "the empty name is not found");

	for (k = 0; k < NS_COUNT && ns_name((enum ns_type)k); k++)
		;
	cmp_ok(k, "==", NS_COUNT, "every namespace has a name");
	is(ns_name(NS_NETWORK), "network", "the network namespace is called network");
	for (k = 0; k < HOOK_COUNT && hook_name((enum hook_kind)k); k++)
		;
	cmp_ok(k, "==", HOOK_COUNT, "every kind of hook has a name");
	is(hook_name(HOOK_POSTSTOP), "poststop", "the last hooks are called poststop");

	for (k = 0; k <= CAP_NUMBER_MAX && name_of(names_capabilities, k); k++)
		;
	cmp_ok(k, "==", 41, "every capability from 0 to 40 has a name");
	is(name_of(names_capabilities, 21), "CAP_SYS_ADMIN", "capability 21 is CAP_SYS_ADMIN");
	ok(!name_of(names_capabilities, 41), "capability 41 has no name");
	for (k = 0; k < RLIM_NLIMITS && name_of(names_rlimits, k); k++)
		;
	cmp_ok(k, "==", RLIM_NLIMITS, "every limit of the kernel has a name");
	for (n = names_propagation, count = 0; n->name; n++)
		count += n->value != 0;
	cmp_ok((long long)count, "==", 8, "no propagation is 0, which means none given");
}

static void test_seccomp(void)
{
	const struct name *n;
	int k;

	cmp_ok(seccomp_action_value(SECCOMP_KILL_PROCESS), "==", SECCOMP_RET_KILL_PROCESS,
	       "KILL_PROCESS is the kernel's");
	cmp_ok(seccomp_action_value(SECCOMP_NOTIFY), "==", SECCOMP_RET_USER_NOTIF,
	       "NOTIFY is the kernel's USER_NOTIF");
	n = name_find(names_seccomp_actions, "SCMP_ACT_KILL");
	ok(n && n->value == SECCOMP_KILL_THREAD, "KILL kills the thread, as in libseccomp");

	cmp_ok(seccomp_arch_token(ARCH_X86_64), "==", AUDIT_ARCH_X86_64, "x86-64 has its token");
	cmp_ok(seccomp_arch_token(ARCH_AARCH64), "==", AUDIT_ARCH_AARCH64, "arm64 has its token");
	cmp_ok(seccomp_arch_token(ARCH_X32), "==", 0x4000003e, "x32 has libseccomp's token");
	cmp_ok(seccomp_arch_token(ARCH_SH), "==", AUDIT_ARCH_SHEL, "SH is the little-endian one");
	for (k = 0; k < ARCH_COUNT; k++)
		if (!name_of(names_seccomp_archs, k) || !seccomp_arch_token((enum seccomp_arch)k))
			break;
	cmp_ok(k, "==", ARCH_COUNT, "every architecture has a name and a token");
}

static void test_signals(void)
{
	static const struct {
		const char *text;
		int number;
	} cases[] = {
		{ "9", 9 },
		{ "KILL", SIGKILL },
		{ "SIGKILL", SIGKILL },
		{ "sigterm", SIGTERM },
		{ "Int", SIGINT },
		{ "CLD", SIGCHLD },
		{ "IOT", SIGABRT },
		{ "64", 64 },
		{ "RTMIN", 34 },
		{ "SIGRTMIN+3", 37 },
		{ "rtmax-1", 63 },
		{ "RTMIN+30", 64 },
		{ "RTMAX-30", 34 },
		{ "RTMIN+31", -1 },
		{ "RTMIN-1", -1 },
		{ "RTMAX+1", -1 },
		{ "RTMIN+", -1 },
		{ "RTMIN+x", -1 },
		{ "RTMIN3", -1 },
		{ "0", -1 },
		{ "65", -1 },
		{ "-9", -1 },
		{ "09", -1 },
		{ "", -1 },
		{ "SIG", -1 },
		{ "SIGSIGKILL", -1 },
		{ "KILLER", -1 },
		{ "18446744073709551625", -1 },
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		cmp_ok(signal_number(cases[i].text), "==", cases[i].number,
		       "signal '%s' is number %d", cases[i].text, cases[i].number);
}

/* As the specification lists them. */
static const char *const spec_options[] = {
	"async",          "atime",      "bind",         "defaults",    "dev",
	"diratime",       "dirsync",    "exec",         "iversion",    "lazytime",
	"loud",           "mand",       "noatime",      "nodev",       "nodiratime",
	"noexec",         "noiversion", "nolazytime",   "nomand",      "norelatime",
	"nostrictatime",  "nosuid",     "nosymfollow",  "private",     "ratime",
	"rbind",          "rdev",       "rdiratime",    "relatime",    "remount",
	"rexec",          "rnoatime",   "rnodiratime",  "rnoexec",     "rnorelatime",
	"rnostrictatime", "rnosuid",    "rnosymfollow", "ro",          "rprivate",
	"rrelatime",      "rro",        "rrw",          "rshared",     "rslave",
	"rstrictatime",   "rsuid",      "rsymfollow",   "runbindable", "rw",
	"shared",         "silent",     "slave",        "strictatime", "suid",
	"symfollow",      "sync",       "tmpcopyup",    "unbindable",  "idmap",
	"ridmap",         "rnodev",
};

static void test_mount_options(void)
{
	const struct mount_option *o;
	bool sound = true, once = true;
	size_t i, count = 0;

	for (i = 0; i < COUNT(spec_options); i++)
		ok(mount_option_find(spec_options[i]), "mount option %s is known", spec_options[i]);
	for (o = mount_options; o->name; o++, count++) {
		once = once && mount_option_find(o->name) == o;
		sound = sound && !(o->recursive && (o->set || o->clear)) &&
			!(o->propagation && (o->set || o->clear || o->attr_set));
	}
	cmp_ok((long long)count, "==", (long long)COUNT(spec_options),
	       "no other mount option is known");
	ok(once, "no mount option is listed twice");
	ok(sound, "recursive options and propagation have no flags of mount(2)");
	ok(!mount_option_find("size=64k") && !mount_option_find("") && !mount_option_find("RO"),
	   "what belongs to the file system is not known");

	o = mount_option_find("ro");
	ok(o->set == MS_RDONLY && o->attr_set == MOUNT_ATTR_RDONLY && o->of_super && !o->recursive,
	   "ro is a flag of the mount and of the file system");
	o = mount_option_find("rnoatime");
	ok(o->recursive && o->attr_set == MOUNT_ATTR_NOATIME && o->attr_clear == MOUNT_ATTR__ATIME,
	   "setting an access time mode clears the others, as mount_setattr() demands");
	o = mount_option_find("rslave");
	ok(o->propagation == (MS_SLAVE | MS_REC), "rslave is slave for the whole tree");
	o = mount_option_find("rbind");
	ok(o->set == (MS_BIND | MS_REC), "rbind is a recursive bind");
	o = mount_option_find("ridmap");
	ok(o->special == MOUNT_IDMAP && o->recursive, "ridmap maps ids of the whole tree");
}

int main(void)
{
	plan(NO_PLAN);
	test_numbers();
	test_tables();
	test_seccomp();
	test_signals();
	test_mount_options();
	done_testing();
}
