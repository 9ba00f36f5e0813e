// SPDX-License-Identifier: Apache-2.0
/* Tests of mount options: which call of the kernel gets each, and what a later one takes back. */
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

#include "../src/base/json.h"
#include "../src/core/mount_opts.h"
#include "../src/core/names.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct arena arena;
static struct err e;

/* Options with blanks between them. */
static struct mount_opts read_opts(const char *type, const char *words)
{
	struct mount m = { .destination = "/x", .type = type };
	struct mount_opts o;
	size_t n;

	for (; *words; words += n, words += *words == ' ') {
		n = strcspn(words, " ");
		*arena_push(&arena, m.options.v, m.options.n) = arena_strndup(&arena, words, n);
		if (!strncmp(words, "bind", n) || !strncmp(words, "rbind", n))
			m.is_bind = true;
	}
	m.is_bind |= type && !strcmp(type, "bind");
	if (mount_opts_read(&arena, &m, &o, &e))
		return (struct mount_opts){ .n_propagation = 99 };
	return o;
}

static const char *joined(const struct strings *list)
{
	char *all = arena_strdup(&arena, "");
	size_t i;

	for (i = 0; i < list->n; i++)
		all = arena_printf(&arena, "%s%s%s", all, i ? " " : "", list->v[i]);
	return all;
}

static void test_flags(void)
{
	enum {
		RO = MOUNT_ATTR_RDONLY,
		NS = MOUNT_ATTR_NOSUID,
		ND = MOUNT_ATTR_NODEV,
		NX = MOUNT_ATTR_NOEXEC
	};
	static const struct {
		const char *words;
		unsigned long flags;
		uint64_t set, clear, rec_set, rec_clear;
	} cases[] = {
		{ "", 0, 0, 0, 0, 0 },
		{ "defaults", 0, 0, 0, 0, 0 },
		{ "ro", MS_RDONLY, RO, 0, 0, 0 },
		{ "rw", 0, 0, RO, 0, 0 },
		{ "ro rw", 0, 0, RO, 0, 0 },
		{ "rw ro", MS_RDONLY, RO, 0, 0, 0 },
		{ "nosuid nodev noexec", MS_NOSUID | MS_NODEV | MS_NOEXEC, NS | ND | NX, 0, 0, 0 },
		{ "nosuid suid", 0, 0, NS, 0, 0 },
		{ "suid nosuid", MS_NOSUID, NS, 0, 0, 0 },
		{ "bind", MS_BIND, 0, 0, 0, 0 },
		{ "rbind ro", MS_BIND | MS_REC | MS_RDONLY, RO, 0, 0, 0 },
		{ "bind remount ro", MS_BIND | MS_REMOUNT | MS_RDONLY, RO, 0, 0, 0 },
		{ "noatime", MS_NOATIME, MOUNT_ATTR_NOATIME, MOUNT_ATTR__ATIME, 0, 0 },
		{ "relatime", MS_RELATIME, 0, MOUNT_ATTR__ATIME, 0, 0 },
		{ "noatime relatime", MS_RELATIME, 0, MOUNT_ATTR__ATIME, 0, 0 },
		{ "noatime strictatime", MS_STRICTATIME, MOUNT_ATTR_STRICTATIME, MOUNT_ATTR__ATIME,
		  0, 0 },
		{ "noatime atime", 0, 0, MOUNT_ATTR__ATIME, 0, 0 },
		{ "nodiratime", MS_NODIRATIME, MOUNT_ATTR_NODIRATIME, 0, 0, 0 },
		{ "nosymfollow", MS_NOSYMFOLLOW, MOUNT_ATTR_NOSYMFOLLOW, 0, 0, 0 },
		{ "rro", 0, 0, 0, RO, 0 },
		{ "rro rrw", 0, 0, 0, 0, RO },
		{ "ro rrw", MS_RDONLY, RO, 0, 0, RO },
		{ "rnoatime rnoexec", 0, 0, 0, MOUNT_ATTR_NOATIME | NX, MOUNT_ATTR__ATIME },
		{ "rnoatime rrelatime", 0, 0, 0, 0, MOUNT_ATTR__ATIME },
		{ "silent iversion", MS_SILENT | MS_I_VERSION, 0, 0, 0, 0 },
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		struct mount_opts o = read_opts("tmpfs", cases[i].words);

		ok(o.flags == cases[i].flags && o.attr_set == cases[i].set &&
			   o.attr_clear == cases[i].clear && o.rec_set == cases[i].rec_set &&
			   o.rec_clear == cases[i].rec_clear,
		   "'%s' is %#lx, +%#llx -%#llx, below +%#llx -%#llx", cases[i].words, o.flags,
		   (unsigned long long)o.attr_set, (unsigned long long)o.attr_clear,
		   (unsigned long long)o.rec_set, (unsigned long long)o.rec_clear);
	}
	cmp_ok(read_opts("bind", "").flags, "==", MS_BIND,
	       "the type 'bind' is a bind, of one mount");
}

static void test_lists(void)
{
	struct mount_opts o = read_opts("tmpfs", "size=64k ro sync newinstance mode=755 nosuid rw");

	is(joined(&o.data), "size=64k newinstance mode=755",
	   "what is no flag of a mount is the file system's");
	is(joined(&o.super), "ro sync rw", "some flags are for the superblock, in their order");
	o = read_opts("overlay", "lowerdir=/a\\,b:/c,upperdir=/d index=off,,xino");
	is(joined(&o.data), "lowerdir=/a\\,b:/c upperdir=/d index=off xino",
	   "entries are split at commas, but for those behind a backslash");
	o = read_opts("tmpfs", "context=\"u:r:t:s0:c1,c2\",size=1k a\\");
	is(joined(&o.data), "context=\"u:r:t:s0:c1,c2\" size=1k a\\", "and for those in quotes");
	o = read_opts("tmpfs", "ro,nosuid");
	is(joined(&o.data), "ro nosuid", "what is not an entry of its own is the file system's");
	ok(!o.attr_set, "and no flag of the mount");
	o = read_opts("tmpfs", "RO Bind ,");
	is(joined(&o.data), "RO Bind", "names are compared exactly");
}

static void test_special(void)
{
	struct mount_opts o = read_opts(NULL, "bind private rshared slave unbindable");

	ok(o.n_propagation == 4 && o.propagation[0] == MS_PRIVATE &&
		   o.propagation[1] == (MS_SHARED | MS_REC) && o.propagation[3] == MS_UNBINDABLE,
	   "kinds of propagation stay in their order");
	o = read_opts(NULL, "private shared slave unbindable rprivate");
	cmp_ok(o.n_propagation, "==", 99, "a fifth is an error");
	is(e.text, "more than 4 kinds of propagation", "that says so");
	o = read_opts(NULL, "bind idmap");
	ok(o.idmap && !o.idmap_recursive, "idmap is for the top");
	o = read_opts(NULL, "bind ridmap");
	ok(o.idmap && o.idmap_recursive, "ridmap for all");
	o = read_opts(NULL, "bind ridmap idmap");
	ok(o.idmap && !o.idmap_recursive, "the last of them counts");
	o = read_opts(NULL, "bind idmap=uids=0-1-1");
	is(e.text, "option 'idmap' takes no value (give uidMappings, gidMappings)",
	   "mappings in it are an error");
	o = read_opts("tmpfs", "tmpcopyup");
	ok(o.tmpcopyup && !o.data.n, "tmpcopyup is not told the kernel");
}

/* Whatever the table has must go somewhere, and nowhere else. */
static void test_table(void)
{
	const struct mount_option *k;
	bool all = true;

	for (k = mount_options; k->name; k++) {
		struct mount_opts o = read_opts("tmpfs", k->name);

		if (o.data.n || o.flags != k->set || o.n_propagation != !!k->propagation ||
		    (k->recursive ? o.rec_set : o.attr_set) != k->attr_set ||
		    o.super.n != (k->of_super ? 1 : 0)) {
			diag("%s", k->name);
			all = false;
		}
	}
	ok(all, "every option of the table does what the table says");
}

int main(void)
{
	plan(NO_PLAN);
	test_flags();
	test_lists();
	test_special();
	test_table();
	arena_release(&arena);
	done_testing();
}
