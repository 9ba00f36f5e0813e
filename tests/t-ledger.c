// SPDX-License-Identifier: Apache-2.0
/* The audit file: the chain over many writers, what it refuses to be, and disks that are full. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "../src/sys/ledger.h"
#include "plan_case.h"

static struct plan_case c;
static struct err e;
static struct ledger_text lines;
static char top[] = "/tmp/credsbox-ledger.XXXXXX";

static const char *in(const char *name)
{
	return arena_printf(&c.arena, "%s/%s", top, name);
}

static const char *text_of(const char *path)
{
	const char *text;
	size_t len;

	return file_read(&c.arena, path, false, 1 << 24, &text, &len, &e) ? "(none)" : text;
}

static void write_file(const char *path, const char *text, mode_t mode)
{
	autofd int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	if (fd < 0 || fchmod(fd, mode) || fd_write_all(fd, path, text, strlen(text), &e))
		BAIL_OUT("cannot write %s", path);
}

/* The error without the temporary directory in it, or nothing. */
static const char *append_to(const char *path)
{
	char *at;

	c.policy.audit_file = path;
	if (!ledger_append(&c.arena, &c.plan, "c1", "run", &lines, &e))
		return "";
	at = strstr(e.text, top);
	if (at)
		memmove(at, at + strlen(top), strlen(at + strlen(top)) + 1);
	return e.text;
}

static const char *append(const char *name)
{
	return append_to(in(name));
}

struct chain {
	char prev[2 * HASH_SIZE + 1];
	long long seq;
};

static const struct chain from_nothing = {
	"0000000000000000000000000000000000000000000000000000000000000000", 0
};

/* The number of lines of a file that continues the chain; -1: it does not. */
static int verify(const char *path, struct chain *k)
{
	const char *line = text_of(path), *end;
	uint8_t digest[HASH_SIZE];
	const struct json *v;
	int n = 0;

	for (; *line; line = end + 1, n++) {
		end = strchr(line, '\n');
		if (!end || json_parse(&c.arena, line, (size_t)(end - line), &v, &e) ||
		    strcmp(json_get(v, "prev")->text, k->prev) != 0 ||
		    strtoll(json_get(v, "seq")->text, NULL, 10) != k->seq)
			return -1;
		hash_sha256(line, (size_t)(end - line), digest);
		hash_hex(digest, sizeof digest, k->prev);
		k->seq++;
	}
	return n;
}

static int lines_of(const char *path)
{
	struct chain k = from_nothing;

	return verify(path, &k);
}

static void test_append(void)
{
	const char *path = in("a/b/audit.jsonl");
	struct stat st;

	is(append_to(path), "", "records are written");
	cmp_ok(lines_of(path), "==", 3, "one for each cut and one for the start");
	ok(!stat(path, &st) && (st.st_mode & 07777) == 0600, "the file is its owner's");
	ok(!stat(in("a"), &st) && (st.st_mode & 07777) == 0700, "so are the directories");
	ok(!stat(in("a/b"), &st) && (st.st_mode & 07777) == 0700, "all that were made");
	is(append_to(path), "", "more are written");
	cmp_ok(lines_of(path), "==", 6, "and continue the chain");
	like(text_of(path),
	     "^\\{\"time\":\"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[.0-9]*Z\",\"seq\":0,",
	     "lines have the time");
	like(text_of(path), "\"container\":\"c1\".*\"command\":\"run\"", "and what was asked for");
	unlike(text_of(path), "kd8[0-9]Mwq2zz", "but no value");
	c.policy.audit_file = NULL;
	cmp_ok(ledger_append(&c.arena, &c.plan, "c1", "run", &lines, &e), "==", 0,
	       "without a file nothing is written");
}

static void test_refused(void)
{
	int before;

	write_file(in("target"), "", 0600);
	if (symlink("target", in("link")) || mkfifo(in("fifo"), 0600) || mkdir(in("dir"), 0700))
		BAIL_OUT("cannot make what is to be refused");
	is(append("link"), "audit: /link: a symbolic link", "a link is refused");
	is(text_of(in("target")), "", "and not followed");
	is(append("fifo"), "audit: /fifo: not a regular file", "a FIFO is, without waiting");
	is(append("dir"), "audit: /dir: is a directory", "a directory is");
	is(append("target/x"),
	   "audit: /target/x: its directory (remedy: audit.file of a policy names a place that can "
	   "be written): not a directory",
	   "a directory that is a file is");
	write_file(in("open"), "", 0620);
	is(append("open"), "audit: /open: open to others (remedy: chmod 600)",
	   "a file that a group may write is");
	write_file(in("open"), "", 0602);
	is(append("open"), "audit: /open: open to others (remedy: chmod 600)", "or everybody");
	write_file(in("open"), "", 0644);
	is(append("open"), "", "but others may read it");
	before = lines_of(in("open"));
	c.policy.audit_required = false;
	c.policy.audit_file = in("fifo");
	cmp_ok(ledger_append(&c.arena, &c.plan, "c1", "run", &lines, &e), "==", 1,
	       "where the policy does not require it, that is told apart");
	like(e.text, "not a regular file", "with the error");
	like(lines.text, "^\\{\"time\":[^\n]*\"seq\":0,", "and what was to be written");
	c.policy.audit_required = true;
	cmp_ok(before, "==", 3, "(the file has the records of one start)");
}

static void test_foreign(void)
{
	write_file(in("theirs"), "", 0600);
	if (chown(in("theirs"), 12345, 12345))
		BAIL_OUT("chown");
	is(append("theirs"), "audit: /theirs: belongs to user 12345 (remedy: move it away)",
	   "a file of another user is refused");
}

static void test_tail(void)
{
	const char *path = in("tail"), *whole, *cut;
	struct chain k = from_nothing;
	char *big;

	append_to(path);
	whole = text_of(path);
	cut = arena_printf(&c.arena, "%s%s", whole, "{\"time\":\"2026-0");
	write_file(path, cut, 0600);
	is(append_to(path), "", "half a line at the end, of one who was killed, is no obstacle");
	cmp_ok(lines_of(path), "==", 6, "it is cut off");
	write_file(path, "{\"time\":", 0600);
	is(append_to(path), "", "nor is it when there is no other");
	cmp_ok(lines_of(path), "==", 3, "the chain begins then");
	write_file(path, "hello\n", 0600);
	is(append_to(path),
	   "audit: /tail: its last line is no record (remedy: see to it, then move the file away)",
	   "a line that is no record is refused");
	write_file(path, "{\"seq\":-1,\"prev\":\"\"}\n", 0600);
	like(append_to(path), "no record", "as is one without a hash");
	write_file(path,
		   arena_printf(&c.arena, "{\"seq\":9223372036854775807,\"prev\":\"%s\"}\n",
				k.prev),
		   0600);
	like(append_to(path), "no record", "as is a number that none can follow");
	write_file(path, arena_printf(&c.arena, "%s\n", whole), 0600);
	like(append_to(path), "no record", "as is an empty line");

	big = arena_alloc(&c.arena, 300001);
	memset(big, 'x', 300000);
	write_file(path,
		   arena_printf(&c.arena, "%s{\"seq\":3,\"x\":\"%s\",\"prev\":\"%s\"}\n", whole,
				big, k.prev),
		   0600);
	is(append_to(path), "", "a long line is read to its beginning");
	like(strrchr(text_of(path), '{') ? text_of(path) + 300000 : "", "\"seq\":4,.*\"seq\":6,",
	     "and its number is followed");
	big = arena_alloc(&c.arena, 5 * 1024 * 1024 + 1);
	memset(big, 'x', 5 * 1024 * 1024);
	write_file(path, big, 0600);
	is(append_to(path), "audit: /tail: its last line does not end", "an endless one is not");
}

static void test_rotation(void)
{
	const char *path = in("rot"), *old = in("rot.1");
	struct chain k = from_nothing;

	append_to(path);
	append_to(path);
	if (rename(path, old))
		BAIL_OUT("rename");
	is(append_to(path), "", "after a rotation there is a new file");
	cmp_ok(verify(old, &k), "==", 6, "the old one is whole");
	cmp_ok(verify(path, &k), "==", 3, "and the new one continues its chain");
	if (truncate(path, 0))
		BAIL_OUT("truncate");
	k = from_nothing;
	is(append_to(path), "", "so it is when it was emptied");
	ok(verify(old, &k) == 6 && verify(path, &k) == 3, "the chain goes on");
	unlink(path);
	unlink(old);
	if (symlink("rot.2", old))
		BAIL_OUT("symlink");
	like(append_to(path), "^audit: /rot\\.1: ", "an old file that is a link is refused");
	unlink(old);
}

/* A writer that waits for the lock while the file is renamed writes to the new one. */
static void test_rotation_meanwhile(void)
{
	const char *path = in("held"), *old = in("held.1");
	struct chain k = from_nothing;
	autofd int fd = -1;
	int status;
	pid_t child;

	append_to(path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX))
		BAIL_OUT("flock");
	child = fork();
	if (!child) {
		fd_cleanup(&fd);
		_exit(*append_to(path) != '\0');
	}
	usleep(200 * 1000);
	ok(!waitpid(child, &status, WNOHANG), "a writer waits for another");
	if (rename(path, old))
		BAIL_OUT("rename");
	write_file(path, "", 0600);
	flock(fd, LOCK_UN);
	waitpid(child, &status, 0);
	cmp_ok(status, "==", 0, "and goes on then");
	cmp_ok(verify(old, &k), "==", 3, "the file that was renamed meanwhile is left alone");
	cmp_ok(verify(path, &k), "==", 3, "the new one has its records, in the same chain");
}

/* Who begins the new file comes after the last writer of the old one. */
static void test_rotation_unfinished(void)
{
	const char *path = in("last"), *old = in("last.1");
	struct chain k = from_nothing;
	autofd int fd = -1;
	int status;
	pid_t child;

	append_to(path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX) || rename(path, old))
		BAIL_OUT("flock");
	child = fork();
	if (!child) {
		fd_cleanup(&fd);
		_exit(*append_to(path) != '\0');
	}
	usleep(200 * 1000);
	ok(!waitpid(child, &status, WNOHANG), "the old file's writer is waited for");
	flock(fd, LOCK_UN);
	waitpid(child, &status, 0);
	ok(!status && verify(old, &k) == 3 && verify(path, &k) == 3, "and then the chain goes on");
}

/* 200 starts at once, and rotations in between. */
static void test_many(bool rotate)
{
	enum { WRITERS = 200 };
	const char *path = in(rotate ? "many2" : "many");
	struct chain k = from_nothing;
	int i, status, bad = 0, n = 0, files = 0;

	for (i = 0; i < WRITERS; i++) {
		if (!fork())
			_exit(*append_to(path) != '\0');
		if (rotate && i % 50 == 49)
			rename(path, arena_printf(&c.arena, "%s.old%d", path, ++files));
	}
	while (wait(&status) > 0)
		bad += status != 0;
	cmp_ok(bad, "==", 0, "%d writers at once all succeed%s", WRITERS,
	       rotate ? ", whatever becomes of the file's name" : "");
	if (!rotate)
		cmp_ok(verify(path, &k), "==", WRITERS * 3, "every line is whole and in order");
	for (i = 1; rotate && i <= files; i++) {
		int found = lines_of(arena_printf(&c.arena, "%s.old%d", path, i));

		bad |= found < 0;
		n += found;
	}
	if (rotate) {
		status = access(path, F_OK) ? 0 : lines_of(path);
		cmp_ok(bad || status < 0, "==", 0, "every file is a chain");
		cmp_ok(n + status, "==", WRITERS * 3, "and no record is lost");
	}
}

static void test_full_disk(void)
{
	const char *mounted = in("disk"), *path = in("disk/audit.jsonl"), *before;
	struct stat st;
	int n = 0;

	if (mkdir(mounted, 0700) || mount("tmpfs", mounted, "tmpfs", 0, "size=8k,mode=0700"))
		BAIL_OUT("cannot mount a tmpfs");
	before = "";
	while (!*append_to(path) && n++ < 100)
		before = text_of(path);
	is(e.text, "audit: /disk/audit.jsonl: cannot write: no space left on device",
	   "a full disk is an error");
	ok(n > 0 && n < 100, "(some fitted)");
	is(text_of(path), before, "the file is as it was");
	cmp_ok(lines_of(path), "==", n * 3, "with no half line");
	unlink(path);
	write_file(in("disk/fill"), "", 0600);
	if (!truncate(in("disk/fill"), 0)) {
		autofd int fd = open(in("disk/fill"), O_WRONLY | O_CLOEXEC);

		n = posix_fallocate(fd, 0, 8192);
	}
	ok(ledger_key(path, (uint8_t[32]){ 0 }, &e), "nor is there a key then");
	ok(stat(in("disk/audit.key"), &st) && errno == ENOENT, "not even half a one");
	mount(NULL, mounted, NULL, MS_REMOUNT | MS_RDONLY, NULL);
	like(append_to(path), "read-only file system", "a read-only disk is an error");
	umount2(mounted, MNT_DETACH);
}

/* ulimit -f: a signal that would kill us before anything could be taken back. */
static void test_file_limit(void)
{
	const char *path = in("limit");
	struct rlimit old, small;
	struct stat st;

	append_to(path);
	if (stat(path, &st) || getrlimit(RLIMIT_FSIZE, &old))
		BAIL_OUT("getrlimit");
	small = old;
	small.rlim_cur = (rlim_t)st.st_size + 100;
	setrlimit(RLIMIT_FSIZE, &small);
	append_to(path);
	setrlimit(RLIMIT_FSIZE, &old);
	is(e.text, "audit: /limit: cannot write: file too large",
	   "the caller's limit is an error, not a death");
	cmp_ok(lines_of(path), "==", 3, "and the file is as it was");
}

static void test_key(void)
{
	const char *file = in("k/audit.jsonl"), *path = in("k/audit.key");
	uint8_t one[32] = { 0 }, two[32] = { 0 };
	struct facts f = { 0 };
	struct stat st;

	ok(!ledger_key(file, one, &e), "a key is made");
	ok(!stat(path, &st) && (st.st_mode & 07777) == 0600 && st.st_size == 32,
	   "it is its owner's");
	ok(!ledger_key(file, two, &e) && !memcmp(one, two, sizeof one), "and stays the same");
	ok(memcmp(one, (uint8_t[32]){ 0 }, sizeof one) != 0, "it is not nothing");
	c.policy.audit_file = file;
	ok(!ledger_facts(&c.policy, &f, &e) && !memcmp(f.key, one, sizeof one),
	   "facts may have it");
	chmod(path, 0640);
	ok(ledger_key(file, two, &e), "one that others may read is refused");
	like(e.text, "/k/audit.key: open to others \\(remedy: chmod 600\\)$", "with the remedy");
	c.policy.audit_required = false;
	memset(f.key, 7, sizeof f.key);
	ok(!ledger_facts(&c.policy, &f, &e) && f.key[0] == 7,
	   "where the audit is not required the facts keep theirs");
	c.policy.audit_required = true;
	write_file(path, "short", 0600);
	chmod(path, 0600);
	ok(ledger_key(file, two, &e), "half a key is refused");
	unlink(path);
	if (symlink("elsewhere", path))
		BAIL_OUT("symlink");
	ok(ledger_key(file, two, &e), "a link is, too");
	ok(access(in("k/elsewhere"), F_OK), "and nothing is made at its end");
	unlink(path);
}

static void test_key_race(void)
{
	const char *file = in("race/audit.jsonl");
	uint8_t mine[32], theirs[32];
	int fds[2], i, same = 0, n = 0;

	if (pipe(fds))
		BAIL_OUT("pipe");
	for (i = 0; i < 50; i++)
		if (!fork()) {
			if (ledger_key(file, mine, &e))
				_exit(1);
			_exit(write(fds[1], mine, sizeof mine) != sizeof mine);
		}
	close(fds[1]);
	if (ledger_key(file, mine, &e))
		BAIL_OUT("%s", e.text);
	for (; read(fds[0], theirs, sizeof theirs) == sizeof theirs; n++)
		same += !memcmp(mine, theirs, sizeof mine);
	close(fds[0]);
	while (wait(NULL) > 0)
		;
	ok(n == 50 && same == 50, "fifty who make the key at once have the same one");
}

int main(void)
{
	bool is_root = !geteuid();

	plan(NO_PLAN);
	if (!mkdtemp(top))
		BAIL_OUT("cannot make a temporary directory");
	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz','B_TOKEN=kd84Mwq2zz']", NULL, NULL);
	test_append();
	test_refused();
	test_tail();
	test_rotation();
	test_rotation_meanwhile();
	test_rotation_unfinished();
	test_many(false);
	test_many(true);
	test_file_limit();
	test_key();
	test_key_race();
	skip(!is_root, 2, "needs root");
	test_foreign();
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		BAIL_OUT("no mount namespace");
	test_full_disk();
	end_skip;
	if (system(arena_printf(&c.arena, "rm -rf %s", top))) /* NOLINT(cert-env33-c) */
		diag("%s is left", top);
	case_end(&c);
	done_testing();
}
