// SPDX-License-Identifier: Apache-2.0
/* Containers with processes: status, signals that never reach a stranger, and races. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "../src/sys/state.h"
#include "tap.h"

enum { CREATORS = 50, RACERS = 8, RACE_MS = 1500, LONG_NAME = 200 };

static struct arena arena;
static struct err e;
static char top[] = "/tmp/credsbox-live.XXXXXX";
static const char *base;
static int root = -1;

static const char *below(const char *id, const char *name)
{
	return arena_printf(&arena, "%s/%s/%s", base, id, name);
}

static void put(const char *path, const char *text)
{
	autofd int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || fd_write_all(fd, path, text, strlen(text), &e))
		BAIL_OUT("cannot write %s", path);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

static void nap(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* A child that goes with us. */
static pid_t split(void)
{
	pid_t pid = fork();

	if (pid < 0)
		BAIL_OUT("cannot fork");
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static pid_t start_sleeper(void)
{
	pid_t pid = split();

	while (!pid)
		pause();
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static const char *doc_of(const char *id)
{
	return arena_printf(
		&arena,
		"{\"version\":1,\"id\":\"%s\",\"ociVersion\":\"1.2.0\",\"bundle\":\"/b\""
		",\"rootfs\":\"/b/r\",\"created\":\"x\",\"owner\":0}",
		id);
}

static struct state make(const char *id, pid_t pid)
{
	const char *text = doc_of(id);
	struct state s;

	if (state_make(root, id, &s, &e) || state_save(&s, text, strlen(text), &e) ||
	    (pid && state_save_pid(&s, pid, &e)))
		BAIL_OUT("cannot make %s: %s", id, e.text);
	return s;
}

static void forget(struct state *s)
{
	if ((!s->locked && state_lock(s, &e)) || state_remove(s, &e))
		diag("%s", e.text);
	state_close(s);
}

/* As somebody else sees it. */
static const char *status_of(const char *id)
{
	struct state s;
	const char *name;

	if (state_load(&arena, root, id, true, &s, &e))
		return e.text;
	name = status_name(state_status(&s));
	state_close(&s);
	return name;
}

static void test_status(void)
{
	pid_t pid = start_sleeper();
	struct state s = make("st", 0), r;

	is(status_of("st"), "creating", "without a process, while it is made, it is creating");
	ok(!state_note_pid(&s, pid, &e), "its process is noted");
	is(status_of("st"), "creating", "it still is while that is not ready");
	ok(!state_load(&arena, root, "st", false, &r, &e) && r.pid == pid && !r.ready,
	   "but the process is known");
	ok(!state_save_pid(&s, pid, &e), "the process is ready");
	is(status_of("st"), "running", "without a socket it is running");
	cmp_ok(state_status(&r), "==", STATUS_RUNNING, "who looked before learns of it");
	ok(r.pid == pid && r.ready, "with the pid");
	state_close(&r);
	state_close(&s);
	is(status_of("st"), "running", "and so it stays");
	kill(pid, SIGSTOP);
	is(status_of("st"), "running", "also when it is stopped by a signal");
	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	is(status_of("st"), "stopped", "a zombie is a stopped container");
	ok(!state_load(&arena, root, "st", false, &r, &e), "its state can be read");
	ok(state_pidfd(&r) < 0 && errno == ESRCH, "it cannot be signalled");
	waitpid(pid, NULL, 0);
	is(status_of("st"), "stopped", "and what is gone is stopped too");
	ok(state_pidfd(&r) < 0 && errno == ESRCH, "and cannot be signalled");
	forget(&r);
}

static void test_killed_create(void)
{
	pid_t pid = start_sleeper();
	struct state s = make("kc", 0), r;

	state_note_pid(&s, pid, &e);
	state_close(&s);
	is(status_of("kc"), "creating", "when create was killed, its child is not a container yet");
	ok(!state_load(&arena, root, "kc", false, &r, &e) && r.pid == pid, "but is known");
	end(pid);
	is(status_of("kc"), "stopped", "when that has died, it is stopped");
	forget(&r);
}

/* The first process of a container: it listens until it is told to go. */
static pid_t start_waiter(const struct state *s)
{
	int sock = state_listen(s, &e), conn;
	char byte;
	pid_t pid;

	if (sock < 0)
		BAIL_OUT("%s", e.text);
	pid = split();
	if (pid) {
		close(sock);
		return pid;
	}
	close(s->dir);
	for (;;) {
		conn = accept4(sock, NULL, NULL, SOCK_CLOEXEC);
		if (conn >= 0 && recv(conn, &byte, 1, 0) == 1)
			break;
		close(conn);
	}
	close(sock);
	close(conn);
	for (;;)
		pause();
}

static void test_socket(const char *what)
{
	struct state s = make("so", 0), r;
	pid_t pid = start_waiter(&s);
	int conn, i;
	char byte;

	state_save_pid(&s, pid, &e);
	state_close(&s);
	for (i = 0; i < 100; i++)
		if (strcmp(status_of("so"), "created"))
			break;
	cmp_ok(i, "==", 100, "%s: it is created, whoever asks and how often", what);
	kill(pid, SIGSTOP);
	for (i = 0; i < 100; i++)
		if (strcmp(status_of("so"), "created"))
			break;
	cmp_ok(i, "==", 100, "%s: also when nobody answers any more", what);
	kill(pid, SIGCONT);
	state_load(&arena, root, "so", false, &r, &e);
	conn = state_connect(&r);
	ok(conn >= 0 && send(conn, "g", 1, 0) == 1, "%s: it can be told to go", what);
	ok(recv(conn, &byte, 1, 0) == 0, "%s: and has heard it", what);
	close(conn);
	is(status_of("so"), "running", "%s: it runs, though the socket's name is still there",
	   what);
	ok(state_connect(&r) < 0 && errno == ECONNREFUSED, "%s: nobody listens on it", what);
	state_unlisten(&r);
	is(status_of("so"), "running", "%s: and when that has gone", what);
	ok(state_connect(&r) < 0 && errno == ENOENT, "%s: there is none", what);
	end(pid);
	forget(&r);
	s = make("so", 0);
	pid = start_waiter(&s);
	state_save_pid(&s, pid, &e);
	state_close(&s);
	end(pid);
	is(status_of("so"), "stopped", "%s: one that died before its start is stopped", what);
	state_open(root, "so", &r, &e);
	forget(&r);
}

static void test_long_path(void)
{
	char name[LONG_NAME + 1];
	const char *old = base;
	int old_root = root;

	memset(name, 'l', LONG_NAME);
	name[LONG_NAME] = '\0';
	base = arena_printf(&arena, "%s/%s/%s", top, name, name);
	root = state_root(base, true, &e);
	ok(root >= 0, "a directory with a path of more than 400 bytes is used");
	test_socket("long path");
	close(root);
	base = old;
	root = old_root;
}

/* The same number, another process: nothing that is kept of the first may reach the second. */
static void test_reuse(void)
{
	pid_t pid = start_sleeper();
	struct state s = make("re", pid), r;
	const char *text =
		arena_printf(&arena, "%d %llu\n", (int)pid, (unsigned long long)s.start_time + 1);
	autofd int fd = -1;
	struct pollfd p;

	state_close(&s);
	put(below("re", "pid"), text);
	ok(!state_load(&arena, root, "re", false, &r, &e) && r.pid == pid, "a pid is read");
	cmp_ok(state_status(&r), "==", STATUS_STOPPED,
	       "a process that began at another time is not the container");
	ok(state_pidfd(&r) < 0 && errno == ESRCH, "and cannot be signalled through it");
	r.start_time--;
	fd = state_pidfd(&r);
	ok(fd >= 0, "the right one can");
	p = (struct pollfd){ .fd = fd, .events = POLLIN };
	ok(poll(&p, 1, 0) == 0, "and was left alone until now");
	ok(!pidfd_send_signal(fd, SIGKILL, NULL, 0) && poll(&p, 1, 5000) == 1, "now it dies");
	end(pid);
	forget(&r);
}

static void *linger(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void test_threads(void)
{
	pid_t pid = split();
	struct state s;
	pthread_t t;

	if (!pid) {
		if (pthread_create(&t, NULL, linger, NULL))
			_exit(1);
		pthread_exit(NULL);
	}
	s = make("th", pid);
	nap(100);
	is(status_of("th"), "running", "a process whose first thread has ended goes on");
	end(pid);
	is(status_of("th"), "stopped", "until the last one has");
	forget(&s);
}

static void test_lock(void)
{
	struct state s = make("lo", 0), r;
	int ready[2];
	char byte;
	pid_t pid;

	state_close(&s);
	if (state_open(root, "lo", &r, &e) || pipe(ready))
		BAIL_OUT("cannot open what was made");
	pid = split();
	if (!pid) {
		if (state_open(root, "lo", &s, &e) || state_lock(&s, &e) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		nap(100);
		_exit(state_remove(&s, &e) ? 1 : 0);
	}
	ok(read(ready[0], &byte, 1) == 1, "another has the lock");
	ok(state_lock(&r, &e) && e.errnum == ENOENT,
	   "who waits for it while the container is removed is told");
	ok(!r.locked, "and has no lock");
	state_close(&r);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);

	s = make("lo", 0);
	pid = start_sleeper();
	state_unlock(&s);
	ok(!state_open(root, "lo", &r, &e) && !state_lock(&r, &e),
	   "the lock is free though a child still has the descriptor");
	end(pid);
	state_close(&s);
	forget(&r);
}

static void test_creators(void)
{
	pid_t pids[CREATORS];
	int go[2], i, status, won = 0, lost = 0;
	struct strings ids;
	struct state s;
	char byte;

	if (pipe(go))
		BAIL_OUT("cannot make a pipe");
	for (i = 0; i < CREATORS; i++) {
		pids[i] = split();
		if (pids[i])
			continue;
		close(go[1]);
		if (read(go[0], &byte, 1))
			_exit(3);
		if (!state_make(root, "race", &s, &e))
			_exit(state_save(&s, doc_of("race"), strlen(doc_of("race")), &e) ? 3 : 0);
		_exit(strcmp(e.text, "container with given ID already exists") ? 3 : 1);
	}
	close(go[0]);
	close(go[1]);
	for (i = 0; i < CREATORS; i++) {
		waitpid(pids[i], &status, 0);
		won += WIFEXITED(status) && WEXITSTATUS(status) == 0;
		lost += WIFEXITED(status) && WEXITSTATUS(status) == 1;
	}
	cmp_ok(won, "==", 1, "of %d creates of one id, one wins", CREATORS);
	cmp_ok(lost, "==", CREATORS - 1, "and the others are told that it exists");
	ok(!state_list(&arena, root, &ids, &e) && ids.n == 1 && !strcmp(ids.v[0], "race"),
	   "nothing of the losers is left");
	ok(!state_load(&arena, root, "race", false, &s, &e), "the winner's is whole");
	forget(&s);
}

/* Makes, keeps a token that nobody else may have at the same time, and removes again. */
static int race_create(struct arena *a)
{
	const char *token = arena_printf(a, "%s/token", top), *text = doc_of("r");
	struct state s;
	int fd;

	if (state_make(root, "r", &s, &e))
		return strcmp(e.text, "container with given ID already exists") ? 1 : 0;
	if (!faccessat(s.dir, "state", F_OK, 0))
		return 7;
	fd = open(token, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || state_save(&s, text, strlen(text), &e) || state_save_pid(&s, getpid(), &e))
		return 2;
	close(fd);
	unlink(token);
	state_close(&s);
	return 0;
}

static int race_delete(struct arena *a)
{
	struct state s;

	if (state_open(root, "r", &s, &e))
		return e.errnum == ENOENT ? 0 : 3;
	if (state_lock(&s, &e)) {
		state_close(&s);
		return e.errnum == ENOENT ? 0 : 4;
	}
	if (state_read(a, &s, true, &e) || state_remove(&s, &e))
		return 5;
	state_close(&s);
	return 0;
}

static int race_read(struct arena *a)
{
	struct state s;
	const char *t;

	if (!state_load(a, root, "r", false, &s, &e)) {
		state_status(&s);
		state_close(&s);
		return 0;
	}
	/* Absent or whole, never a part of it. */
	t = e.text;
	if (e.errnum == ENOENT || strstr(t, "being created"))
		return 0;
	return strstr(t, "state file: ") && strcasestr(t, "no such file") ? 0 : 6;
}

static void test_race(void)
{
	static int (*const acts[])(struct arena *) = { race_create, race_delete, race_read };
	int i, status, failed = 0;
	pid_t pids[RACERS];
	struct state s;

	for (i = 0; i < RACERS; i++) {
		long long until = now_ms() + RACE_MS;
		int rc = 0, n;

		pids[i] = split();
		if (pids[i])
			continue;
		root = state_root(base, false, &e);
		for (n = i; !rc && now_ms() < until; n++) {
			struct arena a = { 0 };

			rc = acts[(i < 3 ? i : n * 7 + i) % 3](&a);
			arena_release(&a);
			if (n % 64 == 0)
				arena_release(&arena);
			base = "";
		}
		if (rc)
			diag("racer %d: %d: %s", i, rc, e.text);
		_exit(rc);
	}
	for (i = 0; i < RACERS; i++) {
		waitpid(pids[i], &status, 0);
		failed += status != 0;
	}
	cmp_ok(failed, "==", 0, "create, delete and state in a race see whole containers or none");
	if (!state_open(root, "r", &s, &e))
		forget(&s);
	ok(access(arena_printf(&arena, "%s/token", top), F_OK), "and no two had the same one");
}

static void test_remove(void)
{
	struct state s = make("rm", 0);
	struct strings ids;

	mkdir(below("rm", "d"), 0700);
	mkdir(below("rm", "d/e"), 0700);
	put(below("rm", "d/e/f"), "x");
	put(below("rm", "x"), "x");
	ok(!symlink("/etc", below("rm", "link")), "there is a link in a container's directory");
	ok(!state_remove(&s, &e), "all of it is removed");
	ok(access("/etc/passwd", F_OK) == 0, "but not what the link leads to");
	ok(state_read(&arena, &s, true, &e) && e.errnum == ENOENT,
	   "who still has it open is told that it is gone");
	ok(!state_remove(&s, &e), "twice is fine");
	state_close(&s);
	s = make("b", 0);
	state_close(&s);
	s = make("a", 0);
	state_close(&s);
	mkdir(below("-bad", ""), 0700);
	mkdir(below("b~d", ""), 0700);
	put(below(".", "file"), "x");
	ok(!state_list(&arena, root, &ids, &e), "containers are listed");
	ok(ids.n == 2 && !strcmp(ids.v[0], "a") && !strcmp(ids.v[1], "b"),
	   "sorted, and nothing else with them");
	like(state_now(&arena),
	     "^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{9}Z$",
	     "the time is as the specification wants it");
}

int main(void)
{
	plan(NO_PLAN);
	umask(022);
	if (!mkdtemp(top))
		BAIL_OUT("cannot make a directory");
	base = arena_printf(&arena, "%s/root", top);
	root = state_root(base, true, &e);
	if (root < 0)
		BAIL_OUT("%s", e.text);
	test_status();
	test_killed_create();
	test_socket("short path");
	test_reuse();
	test_threads();
	test_lock();
	test_creators();
	test_race();
	test_long_path();
	test_remove();
	close(root);
	nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena_release(&arena);
	done_testing();
}
