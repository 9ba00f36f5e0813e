// SPDX-License-Identifier: Apache-2.0
/* The directories of containers: who may use them, who wins, what is believed. */
#include "../src/sys/state.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "tap.h"

#define DOC(id, more)                                                                  \
	"{\"version\":1,\"id\":\"" id "\",\"ociVersion\":\"1.2.0\",\"bundle\":\"/b\"," \
	"\"rootfs\":\"/b/r\",\"created\":\"2026-11-18T06:26:51.123456789Z\",\"owner\":7" more "}"

static struct arena arena;
static struct err e;
static char top[] = "/tmp/credsbox-state.XXXXXX";
static const char *base;
static int root = -1;

static const char *in(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

static const char *below(const char *id, const char *name)
{
	return arena_printf(&arena, "%s/%s/%s", base, id, name);
}

static void put(const char *path, const char *text, mode_t mode)
{
	autofd int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	if (fd < 0 || fchmod(fd, mode) || fd_write_all(fd, path, text, strlen(text), &e))
		BAIL_OUT("cannot write %s", path);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void forget(const char *id)
{
	struct state s;

	if (state_open(root, id, &s, &e) || state_lock(&s, &e) || state_remove(&s, &e))
		diag("%s: %s", id, e.text);
	state_close(&s);
}

/* A container with a state file and, if pid is not 0, a process. */
static struct state make(const char *id, pid_t pid)
{
	struct state s;
	const char *text = arena_printf(&arena, DOC("%s", ""), id);

	if (state_make(root, id, &s, &e) || state_save(&s, text, strlen(text), &e) ||
	    (pid && state_save_pid(&s, pid, &e)))
		BAIL_OUT("cannot make %s: %s", id, e.text);
	return s;
}

static void test_ids(void)
{
	static const char *const good[] = { "a", "A_b+c.d-9", ".hidden", "...", "0", "+", "_" };
	static const char *const bad[] = { "",         ".",   "..", "a/b", "-x",   "a b", "a\n",
					   "\xc3\xa9", "a\\", "~",  "a:b", "../a", "/",   "a%" };
	char longest[STATE_ID_MAX + 2];
	struct state s;
	size_t i;

	for (i = 0; i < sizeof good / sizeof *good; i++)
		ok(!state_bad_id(good[i]), "'%s' may be an id", good[i]);
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		like(state_bad_id(bad[i]), "^invalid container ID format", "bad id %zu may be none",
		     i);
	memset(longest, 'x', sizeof longest);
	longest[STATE_ID_MAX + 1] = '\0';
	ok(state_bad_id(longest), "an id of 256 bytes is too long");
	ok(state_make(root, longest, &s, &e), "and none is made");
	longest[STATE_ID_MAX] = '\0';
	ok(!state_make(root, longest, &s, &e), "one of 255 bytes is made");
	ok(!state_remove(&s, &e), "and removed");
	state_close(&s);
	ok(state_make(root, "../x", &s, &e) && state_open(root, "..", &s, &e),
	   "nothing outside of the directory is made or opened");
}

static bool root_is(const char *path, bool make_it, const char *said)
{
	autofd int fd = state_root(path, make_it, &e);

	if (fd >= 0)
		return !said;
	if (!said || !strstr(e.text, said))
		diag("%s", e.text);
	return said && strstr(e.text, said);
}

static void test_root(void)
{
	const char *far = in("p/q/r/"), *link = in("link"), *wide = in("wide");
	struct stat st;

	ok(state_root(in("none"), false, &e) < 0 && e.errnum == ENOENT,
	   "a directory that is not there is told by its errno");
	ok(root_is(far, true, NULL), "it is made with those above it");
	ok(!stat(far, &st) && (st.st_mode & 07777) == 0700, "with mode 0700");
	ok(root_is(far, true, NULL), "and used the next time");
	ok(!symlink(far, link) && root_is(link, true, "link"), "a link to one is refused");
	ok(root_is(in("link/"), true, "link"), "with a slash behind it as well");
	ok(root_is(in("link/s"), true, NULL), "a link further up is not");
	put(in("file"), "", 0600);
	ok(root_is(in("file"), true, "no directory"), "a file is refused");
	ok(root_is(in("file/x"), true, "irectory"), "and what would be below one");
	ok(root_is("/", true, "cannot be") && root_is("//", true, "cannot be") &&
		   root_is("/proc/..", true, "cannot be"),
	   "the root directory is refused in every spelling");
	ok(root_is("", true, "no such file") || root_is("", true, "No such file"),
	   "so is no name at all");
	mkdir(wide, 0700);
	chmod(wide, 0770);
	ok(root_is(wide, false, "others may write"), "one that the group may write is refused");
	chmod(wide, 01777);
	ok(root_is(wide, false, "others may write"), "and one that everybody may write");
	chmod(wide, 0755);
	ok(root_is(wide, false, NULL), "one that others may read is not");
	skip(geteuid(), 1, "only root has directories to give away");
	ok(!chown(wide, 1001, 1001) && root_is(wide, true, "belongs to another"),
	   "one that belongs to another is refused");
	end_skip;
	skip(!geteuid(), 1, "root may write everywhere");
	ok(root_is("/proc/1/credsbox", true, "cannot make"), "one that cannot be made is an error");
	end_skip;
}

static void test_make(void)
{
	struct state s, again, seen;
	struct stat st;

	ok(!state_make(root, "one", &s, &e) && s.locked, "a container is made and locked");
	ok(!fstat(s.dir, &st) && (st.st_mode & 07777) == 0700, "with a directory of mode 0700");
	ok(state_make(root, "one", &again, &e), "there is no second one");
	is(e.text, "container with given ID already exists", "with that id");
	ok(state_load(&arena, root, "one", false, &seen, &e), "it cannot be read yet");
	is(e.text, "one: the container is being created", "because it is being created");
	ok(!state_load(&arena, root, "one", true, &seen, &e) && !seen.doc && !seen.pid,
	   "whoever takes any state gets nothing of it");
	cmp_ok(state_status(&seen), "==", STATUS_CREATING, "but its status");
	state_close(&seen);
	state_close(&s);
	ok(state_load(&arena, root, "one", false, &seen, &e), "when its maker is gone");
	like(e.text, "^one: corrupt state \\(.*--force.*\\): state file: ",
	     "it is damaged, and the way out is told");
	ok(!state_load(&arena, root, "one", true, &seen, &e), "it is opened all the same");
	cmp_ok(state_status(&seen), "==", STATUS_STOPPED, "and is stopped then");
	state_close(&seen);
	forget("one");
	ok(state_load(&arena, root, "one", true, &seen, &e) && e.errnum == ENOENT,
	   "when it is removed, its errno tells");
	is(e.text, "container does not exist", "and its text");
}

static void test_save(void)
{
	static const char text[] = DOC("doc", ",\"annotations\":{\"k\":\"v\",\"l\":\"\"},\"x\":[]");
	struct state s, r;
	struct stat st;

	ok(!state_make(root, "doc", &s, &e), "a container is made");
	put(below("doc", "state.new"), "left by one that was killed", 0644);
	ok(!state_save(&s, text, strlen(text), &e), "its state is saved");
	ok(!stat(below("doc", "state"), &st) && (st.st_mode & 07777) == 0600, "for us alone");
	ok(access(below("doc", "state.new"), F_OK), "nothing else is there");
	ok(!state_load(&arena, root, "doc", false, &r, &e), "it is read");
	is(r.bundle, "/b", "with its bundle");
	is(r.rootfs, "/b/r", "its root");
	is(r.oci_version, "1.2.0", "its version");
	is(r.created, "2026-11-18T06:26:51.123456789Z", "its time");
	cmp_ok(r.owner, "==", 7, "its owner");
	ok(r.annotations.n == 2 && !strcmp(r.annotations.v[0].value, "v") &&
		   !strcmp(r.annotations.v[1].key, "l"),
	   "and its annotations");
	ok(json_get(r.doc, "x") && r.pid == 0 && !r.locked, "the rest is in the document");
	state_close(&r);
	ok(!state_save_pid(&s, getpid(), &e) && s.ready, "its process is saved");
	ok(!state_load(&arena, root, "doc", false, &r, &e) && r.pid == getpid() &&
		   r.start_time == s.start_time && r.ready,
	   "and read");
	state_close(&r);
	ok(state_save_pid(&s, INT_MAX, &e), "a process that is not there is an error");
	state_close(&s);
	forget("doc");
}

static void test_damaged(void)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "", "unexpected end" },
		{ "{", "unexpected end" },
		{ "[]", "expected an object" },
		{ "7", "expected an object" },
		{ "{}", "version" },
		{ "{\"version\":2}", "another version" },
		{ "{\"version\":\"1\"}", "version" },
		{ "{\"version\":1}", "id" },
		{ DOC("other", ""), "another container's" },
		{ DOC("dam", ",\"annotations\":[]"), "annotations" },
		{ DOC("dam", ",\"annotations\":{\"k\":1}"), "annotations" },
		{ DOC("dam", ",\"owner\":7"), "duplicate" },
		{ "{\"version\":1,\"id\":\"dam\",\"ociVersion\":\"1\",\"bundle\":null}", "bundle" },
		{ "\xff", "UTF-8" },
		{ "{\"pid\":1,\"ociVersion\":\"1.0.2\",\"id\":\"dam\"}", "version" },
	};
	struct state s, r;
	size_t i;

	s = make("dam", 0);
	state_close(&s);
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		put(below("dam", "state"), cases[i].text, 0600);
		ok(state_load(&arena, root, "dam", false, &r, &e) &&
			   strstr(e.text, cases[i].said) && strstr(e.text, "corrupt state"),
		   "damaged state %zu is refused with its reason", i);
		ok(!state_load(&arena, root, "dam", true, &r, &e) && !r.doc && !r.bundle,
		   "and nothing of it is believed");
		state_close(&r);
	}
	forget("dam");
}

static bool is_refused(const char *id, const char *said)
{
	struct state r;

	if (!state_load(&arena, root, id, false, &r, &e)) {
		state_close(&r);
		return false;
	}
	if (!strstr(e.text, said))
		diag("%s", e.text);
	if (!strstr(e.text, said) || state_load(&arena, root, id, true, &r, &e))
		return false;
	state_close(&r);
	return !r.doc;
}

static void test_foreign_files(void)
{
	const char *file = below("for", "state"), *pid = below("for", "pid");
	struct state s = make("for", getpid()), r;

	state_close(&s);
	chmod(file, 0620);
	ok(is_refused("for", "others may write"), "a state that others may write is not believed");
	chmod(file, 0600);
	rename(file, in("elsewhere"));
	ok(!symlink(in("elsewhere"), file) && is_refused("for", "corrupt"), "nor is a link to one");
	unlink(file);
	ok(!mkfifo(file, 0600) && is_refused("for", "not a regular file"),
	   "nor a FIFO, and nobody waits for it");
	unlink(file);
	ok(!mkdir(file, 0700) && is_refused("for", "not a regular file"), "nor a directory");
	rmdir(file);
	rename(in("elsewhere"), file);
	skip(geteuid(), 3, "only root has files to give away");
	ok(!chown(file, 1001, -1) && is_refused("for", "another user"), "nor another's file");
	ok(!chown(file, 0, -1) && !chown(pid, 1001, -1) &&
		   !state_load(&arena, root, "for", false, &r, &e) && !r.pid,
	   "another's pid file names no process");
	state_close(&r);
	ok(!chown(pid, 0, -1), "it is given back");
	end_skip;
	chmod(pid, 0666);
	ok(!state_load(&arena, root, "for", false, &r, &e) && !r.pid,
	   "neither does one that everybody may write");
	state_close(&r);
	chmod(pid, 0600);
	chmod(below("for", "."), 0777);
	ok(is_refused("for", "others may write"), "nor what is in a directory that they may write");
	ok(!state_load(&arena, root, "for", true, &r, &e) && !r.pid, "a pid least of all");
	state_close(&r);
	chmod(below("for", "."), 0700);
	forget("for");
	put(below(".", "plain"), "", 0600);
	ok(state_open(root, "plain", &s, &e) && strstr(e.text, "corrupt state"),
	   "a file in the place of a container is no container");
	unlink(below(".", "plain"));
}

static void test_texts(void)
{
	static const char *const bad_pids[] = {
		"",        "\n",     " \n",
		"1",       "1 2",    "1  2\n",
		"1 2 \n",  "+1 2\n", "0 2\n",
		"-1 2\n",  "1 -2\n", "4294967297 2\n",
		"1 2\n\n", "01 2\n", "1 18446744073709551616\n",
		"x 2\n",
	};
	static const char stat[] = "42 (a) b) S 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 3 0 "
				   "777 0 0";
	struct process_stat st;
	uint64_t start;
	size_t i;
	pid_t pid;

	ok(state_parse_pid("42 777\n", 7, &pid, &start) && pid == 42 && start == 777,
	   "a pid file is read");
	for (i = 0; i < sizeof bad_pids / sizeof *bad_pids; i++)
		ok(!state_parse_pid(bad_pids[i], strlen(bad_pids[i]), &pid, &start),
		   "bad pid file %zu is not", i);
	ok(process_stat_parse(stat, sizeof stat - 1, &st) && st.state == 'S' && st.threads == 3 &&
		   st.start_time == 777,
	   "brackets in a process's name confuse nobody");
	for (i = 0; i < strlen(stat) - 4; i++)
		if (process_stat_parse(stat, i, &st))
			break;
	cmp_ok(i, "==", strlen(stat) - 4, "a line that was cut is not read");
}

static void test_name(void)
{
	struct process_stat st, before;
	char name[16] = "";

	prctl(PR_GET_NAME, name);
	ok(process_stat(getpid(), &before), "our own entry in /proc is read");
	prctl(PR_SET_NAME, ") Z 1 1 1 0 (\n");
	ok(process_stat(getpid(), &st) && st.start_time == before.start_time && st.state == 'R',
	   "a name that looks like fields changes nothing");
	prctl(PR_SET_NAME, name);
	ok(!process_stat(INT_MAX, &st), "a process that is not there has none");
}

int main(void)
{
	plan(NO_PLAN);
	umask(022);
	if (!mkdtemp(top))
		BAIL_OUT("cannot make a directory");
	base = in("root");
	root = state_root(base, true, &e);
	if (root < 0)
		BAIL_OUT("%s", e.text);
	test_ids();
	test_root();
	test_make();
	test_save();
	test_damaged();
	test_foreign_files();
	test_texts();
	test_name();
	close(root);
	remove_tree(top);
	arena_release(&arena);
	done_testing();
}
