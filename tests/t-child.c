// SPDX-License-Identifier: Apache-2.0
/* The order of the steps that the container's first process takes: most of them are safe in one order only. */
#include <string.h>

#include "../src/base/str.h"
#include "../src/runtime/launch.h"
#include "tap.h"

static const char *const *steps;
static size_t n_steps;

/* Where a step is, counted from 1; 0: there is none. */
static size_t place(const char *name)
{
	size_t i;

	for (i = 0; i < n_steps; i++)
		if (!strcmp(steps[i], name))
			return i + 1;
	return 0;
}

static bool comes_before(const char *first, const char *second)
{
	return place(first) && place(second) && place(first) < place(second);
}

static void test_reasons(void)
{
	static const struct {
		const char *first, *second, *why;
	} pairs[] = {
		{ "wait until mapped", "become root", "who has no ids yet cannot be root" },
		{ "session", "adopt terminal", "a terminal belongs to a session" },
		{ "become root", "late namespaces", "namespaces belong to who makes them" },
		{ "cgroup", "late namespaces", "a cgroup namespace begins where the process is" },
		{ "cgroup", "mounts", "what is mounted counts for the container" },
		{ "clock offsets", "become root",
		  "one's own files in /proc are lost with the ids" },
		{ "hide", "mounts", "nothing of the image may look into the process" },
		{ "hide", "createContainer hooks", "nor any hook" },
		{ "loopback", "sysctl", "settings are of the container's network" },
		{ "host name", "ids", "a name is set by root" },
		{ "root", "mounts", "mounts go into the root" },
		{ "mounts", "devices", "devices go onto mounts" },
		{ "devices", "terminal", "a terminal needs /dev" },
		{ "terminal", "hooks outside", "hooks see all that is mounted" },
		{ "mounts", "enter root", "sources are outside of the root" },
		{ "hooks outside", "createContainer hooks", "hooks have an order" },
		{ "createContainer hooks", "enter root", "they are files of the host" },
		{ "enter root", "sysctl", "nothing of the host is in reach" },
		{ "sysctl", "masks", "masks make settings read-only" },
		{ "enter root", "masks", "masks cannot be led out of the root" },
		{ "masks", "ids", "masks need privileges" },
		{ "limits", "ids", "so do limits" },
		{ "adopt terminal", "ids", "a terminal is opened by root" },
		{ "give pipes", "seccomp before ids", "a filter may forbid fchown" },
		{ "give pipes", "ids", "only root gives things away" },
		{ "seccomp before ids", "ids", "without no_new_privs a filter needs a privilege" },
		{ "directory", "ids", "root enters the directory first" },
		{ "ids", "directory as the user", "where it may not, the user does" },
		{ "ids", "capabilities", "new ids take capabilities away" },
		{ "capabilities", "no new privileges", "privileges are as they shall be" },
		{ "no new privileges", "landlock", "Landlock asks for it" },
		{ "masks", "landlock", "nothing can be mounted behind Landlock" },
		{ "capabilities", "check process", "what is looked at is there" },
		{ "no new privileges", "check process", "all of it" },
		{ "close descriptors", "check process", "open ones included" },
		{ "check process", "landlock", "the look needs /proc of the host" },
		{ "landlock", "check landlock", "which must be out of reach then" },
		{ "check landlock", "ready", "create tells of what is wrong" },
		{ "wait for start", "check all", "the last look is the last" },
		{ "check all", "seccomp", "a filter may forbid it" },
		{ "label", "landlock", "nor can /proc of the host be written" },
		{ "landlock", "find program", "a program that may not be read is none" },
		{ "find program", "ready", "a missing program is create's error" },
		{ "capabilities", "ready", "who waits for start has no privilege left" },
		{ "no new privileges", "ready", "nor a way to any" },
		{ "ready", "wait for start", "created means ready" },
		{ "close descriptors", "seccomp before ids", "a filter may forbid close_range" },
		{ "close descriptors", "seccomp", "so may a later one" },
		{ "close descriptors", "startContainer hooks", "hooks inside get no descriptors" },
		{ "seccomp", "startContainer hooks", "hooks inside are filtered" },
		{ "startContainer hooks", "program", "hooks come before the program" },
	};
	size_t i;

	for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		ok(comes_before(pairs[i].first, pairs[i].second), "%s: %s before %s", pairs[i].why,
		   pairs[i].first, pairs[i].second);
}

static void test_all(void)
{
	struct arena a = { 0 };
	struct str s;
	size_t i, k, twice = 0;

	str_init(&s, &a, 64 * 1024);
	for (i = 0; i < n_steps; i++) {
		str_printf(&s, "%s\n", steps[i]);
		for (k = 0; k < i; k++)
			twice += !strcmp(steps[i], steps[k]);
	}
	ok(!twice, "no step has the name of another");
	is(s.s,
	   "wait until mapped\nsession\nclock offsets\nbecome root\ncgroup\nlate "
	   "namespaces\nhide\nkeyring\n"
	   "loopback\nhost name\nroot\nmounts\ndevices\nterminal\nhooks outside\n"
	   "createContainer hooks\nenter root\nsysctl\nmasks\nlimits\nadopt terminal\n"
	   "give pipes\ndirectory\nclose descriptors\nseccomp before ids\nids\ndirectory as the "
	   "user\ncapabilities\n"
	   "no new privileges\nlabel\ncheck process\nlandlock\ncheck landlock\nfind program\n"
	   "ready\nwait for start\ncheck all\nseccomp\nstartContainer hooks\nprogram\n",
	   "all the steps, and no others, are those that were thought about here");
	arena_release(&a);
}

int main(void)
{
	plan(NO_PLAN);
	steps = child_steps(&n_steps);
	test_reasons();
	test_all();
	done_testing();
}
