// SPDX-License-Identifier: Apache-2.0
/* state, list, kill and delete, on containers of processes and control groups alone. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/sched.h>

#include "../src/base/fd.h"
#include "../src/base/jsonw.h"
#include "../src/runtime/container.h"
#include "tap.h"

static struct arena arena;
static struct err e;
static char top[] = "/tmp/credsbox-cmd.XXXXXX";
static struct global global;
static const char *said; /* on standard error, by the last command */

static const char *in(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

static const char *text_of(const char *path)
{
	const char *text;
	size_t len;

	return file_read(&arena, path, false, 1 << 20, &text, &len, &e) ? e.text : text;
}

static int redirect(int fd, const char *path)
{
	int old = dup(fd), to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (old < 0 || to < 0 || dup2(to, fd) < 0)
		BAIL_OUT("cannot redirect %d", fd);
	close(to);
	return old;
}

static void restore(int fd, int old)
{
	dup2(old, fd);
	close(old);
}

/* Runs a command; *out, unless NULL, is what it printed. */
#define call(cmd, out, ...) call_with(cmd, out, (const char *const[]){ "cmd", __VA_ARGS__, NULL })

static int call_with(cmd_fn *cmd, const char **out, const char *const *words)
{
	int argc = 0, rc, old_out, old_err;
	char *argv[8] = { 0 };

	for (; argc < 7 && words[argc]; argc++)
		argv[argc] = arena_strdup(&arena, words[argc]);
	fflush(stdout);
	old_out = redirect(STDOUT_FILENO, in("out"));
	old_err = redirect(STDERR_FILENO, in("err"));
	rc = cmd(&global, argc, argv);
	restore(STDOUT_FILENO, old_out);
	restore(STDERR_FILENO, old_err);
	said = text_of(in("err"));
	if (out)
		*out = text_of(in("out"));
	return rc;
}

/* A container of this test: what create leaves behind it. */
struct box {
	const char *id, *hook; /* the hook writes its input there */
	bool has_cgroup, in_pid_ns;
	struct cgroup cgroup;
	struct state state;
	pid_t pid;
};

static void add_hook(struct jsonw *w, const char *script)
{
	jsonw_object(w);
	jsonw_kv(w, "path", "/bin/sh");
	jsonw_key(w, "args");
	jsonw_array(w);
	jsonw_string(w, "sh");
	jsonw_string(w, "-c");
	jsonw_string(w, script);
	jsonw_end(w);
	jsonw_key(w, "env");
	jsonw_array(w);
	jsonw_string(w, "PATH=/bin:/usr/bin");
	jsonw_end(w);
	jsonw_kv_int(w, "timeout", 10);
	jsonw_end(w);
}

static const char *document(const struct box *b, size_t *len)
{
	struct jsonw *w = jsonw_new(&arena, false);

	jsonw_object(w);
	jsonw_kv_int(w, "version", STATE_VERSION);
	jsonw_kv(w, "id", b->id);
	jsonw_kv(w, "ociVersion", "1.2.0");
	jsonw_kv(w, "bundle", top);
	jsonw_kv(w, "rootfs", "/the/root");
	jsonw_kv(w, "created", "2026-11-18T06:26:51.123456789Z");
	jsonw_kv_int(w, "owner", 0);
	jsonw_key(w, "annotations");
	jsonw_object(w);
	jsonw_kv(w, "a.b/c", "d");
	jsonw_end(w);
	if (b->has_cgroup) {
		jsonw_key(w, "cgroup");
		cgroup_write(w, &b->cgroup);
	}
	jsonw_key(w, "namespaces");
	jsonw_array(w);
	if (b->in_pid_ns)
		jsonw_string(w, "pid");
	jsonw_end(w);
	jsonw_key(w, "hooks");
	jsonw_object(w);
	jsonw_key(w, "poststop");
	jsonw_array(w);
	if (b->hook) {
		add_hook(w, "exit 7");
		add_hook(w, arena_printf(&arena, "cat > %s; pwd >> %s", b->hook, b->hook));
	}
	jsonw_end(w);
	jsonw_end(w);
	jsonw_end(w);
	return jsonw_text(w, len);
}

/* What runs in it: one process and, where somebody will find it, another that outlives it. */
static _Noreturn void live(struct box *b, int ready)
{
	bool two = b->has_cgroup || b->in_pid_ns;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(b->state.dir);
	if (b->has_cgroup && cgroup_enter(&b->cgroup, &e))
		_exit(1);
	signal(SIGUSR1, SIG_IGN);
	if ((two && fork() < 0) || write(ready, "xx", two ? 1 : 2) < 1)
		_exit(1);
	close(ready);
	for (;;)
		pause();
}

static void start(struct box *b)
{
	struct clone_args args = { .exit_signal = SIGCHLD,
				   .flags = b->in_pid_ns ? CLONE_NEWPID : 0 };
	int into = -1, ready[2];
	char two[2];

	if (pipe2(ready, O_CLOEXEC) || (b->has_cgroup && cgroup_open(&b->cgroup, &into, &e)))
		BAIL_OUT("cannot start: %s", e.text);
	if (into >= 0) {
		args.flags |= CLONE_INTO_CGROUP;
		args.cgroup = (uint64_t)into;
	}
	b->pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
	if (!b->pid)
		live(b, ready[1]);
	close(ready[1]);
	if (b->pid < 0 || read(ready[0], two, 1) != 1 || read(ready[0], two, 1) != 1)
		BAIL_OUT("the first process is gone");
	close(ready[0]);
	if (into >= 0)
		close(into);
}

/* up: with its processes. The caller is its parent, as an engine is. */
static void make(struct box *b, bool up)
{
	struct resources none = { 0 };
	struct pairs no_pairs = { 0 };
	struct cgroup_wish wish = { .id = arena_printf(&arena, "credsbox-test-%d-%s", (int)getpid(),
						       b->id),
				    .resources = &none,
				    .annotations = &no_pairs };
	autofd int root = container_root(&global, true, &e);
	const char *text;
	size_t len;

	if (b->has_cgroup && (cgroup_find(&arena, &wish, &b->cgroup, &e) ||
			      cgroup_make(&arena, &b->cgroup, &wish, &e)))
		BAIL_OUT("cannot make a cgroup: %s", e.text);
	if (root < 0 || state_make(root, b->id, &b->state, &e))
		BAIL_OUT("cannot make a container: %s", e.text);
	text = document(b, &len);
	if (state_save(&b->state, text, len, &e))
		BAIL_OUT("cannot save: %s", e.text);
	if (up) {
		start(b);
		if (state_save_pid(&b->state, b->pid, &e))
			BAIL_OUT("cannot save the pid: %s", e.text);
	}
	state_close(&b->state);
}

/* How its first process ended: the signal, or -1 while it is alive. */
static int end_of(const struct box *b, int ms)
{
	int status;

	for (; ms >= 0; ms -= 5) {
		if (waitpid(b->pid, &status, WNOHANG) == b->pid)
			return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	}
	return -1;
}

static bool is_listed(const char *id)
{
	const char *out;

	return !call(cmd_list, &out, "-q") &&
	       strstr(arena_printf(&arena, "\n%s", out), arena_printf(&arena, "\n%s\n", id));
}

static size_t pids_in(const struct box *b)
{
	pid_t *pids;
	size_t n;

	return cgroup_pids(&arena, &b->cgroup, &pids, &n, &e) ? 999 : n;
}

static bool group_is_there(const struct box *b)
{
	size_t i;

	for (i = 0; i < b->cgroup.n_dirs; i++)
		if (!access(arena_printf(&arena, "%s%s", b->cgroup.dirs[i].mount,
					 b->cgroup.dirs[i].path),
			    F_OK))
			return true;
	return false;
}

static void test_nothing(void)
{
	const char *out;

	ok(call(cmd_state, &out, "x") == 1 && !*out, "state of no container fails");
	is(said, "credsbox: state: container does not exist\n", "in the words that callers know");
	ok(call(cmd_kill, NULL, "x", "9") == 1, "kill of no container fails");
	is(said, "credsbox: kill: container does not exist\n", "likewise");
	ok(call(cmd_delete, NULL, "x") == 1, "delete of no container fails");
	is(said, "credsbox: delete: container does not exist\n", "likewise");
	ok(call(cmd_delete, NULL, "--force", "x") == 0 && !*said, "delete --force does not");
	ok(call(cmd_delete, NULL, "x", "-f") == 0, "nor with the option behind the id");
	ok(access(global.root, F_OK), "and none of them has made a directory");
	ok(call(cmd_delete, NULL, "-f", "a/b") == 1 && strstr(said, "invalid container ID format"),
	   "what can be no id is an error all the same");
	ok(!call(cmd_list, &out, "-q") && !*out, "without a directory there is nothing to list");
	ok(!call(cmd_list, &out, "-f", "json"), "in JSON neither");
	is(out, "null\n", "which is null");
	global.named_root = true;
	ok(call(cmd_list, &out, "-q") == 1, "but one that was named should be there");
	global.named_root = false;
}

static void test_usage(void)
{
	static const struct {
		const char *name;
		cmd_fn *cmd;
	} all[] = { { "state", cmd_state },
		    { "list", cmd_list },
		    { "kill", cmd_kill },
		    { "delete", cmd_delete } };
	const char *out;
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		ok(!call(all[i].cmd, &out, "--help") &&
			   strstr(out, arena_printf(&arena, "NAME:\n   credsbox %s - ",
						    all[i].name)) == out,
		   "%s --help tells what it is", all[i].name);
		ok(call(all[i].cmd, NULL, "--bogus") == 1 && strstr(said, "unknown option"),
		   "%s refuses an unknown option", all[i].name);
		ok(call(all[i].cmd, NULL, "a", "b", "c") == 1 && strstr(said, all[i].name),
		   "%s refuses what is too much", all[i].name);
	}
	ok(call(cmd_state, NULL, NULL) == 1 && call(cmd_kill, NULL, NULL) == 1 &&
		   call(cmd_delete, NULL, NULL) == 1,
	   "an id is needed");
	ok(call(cmd_list, NULL, "-f", "xml") == 1 && strstr(said, "table or json"),
	   "list knows two formats");
	ok(call(cmd_kill, NULL, "x", "SIGFOO") == 1 && strstr(said, "unknown signal 'SIGFOO'"),
	   "kill refuses what is no signal");
	ok(call(cmd_kill, NULL, "x", "9", "-s", "9") == 1, "and two of them");
}

static void test_state(void)
{
	struct box b = { .id = "box-1" };
	const char *out, *want;

	make(&b, true);
	ok(!call(cmd_state, &out, "box-1"), "the state of a container is printed");
	want = arena_printf(&arena,
			    "{\n  \"ociVersion\": \"1.2.0\",\n  \"id\": \"box-1\",\n"
			    "  \"pid\": %d,\n  \"status\": \"running\",\n  \"bundle\": \"%s\",\n"
			    "  \"rootfs\": \"/the/root\",\n"
			    "  \"created\": \"2026-11-18T06:26:51.123456789Z\",\n"
			    "  \"annotations\": {\n    \"a.b/c\": \"d\"\n  },\n"
			    "  \"owner\": \"root\"\n}\n",
			    (int)b.pid, top);
	is(out, want, "as the specification and runc have it");
	ok(!call(cmd_list, &out, "-f", "json"), "a list is printed in JSON");
	want = arena_printf(&arena,
			    "[{\"ociVersion\":\"1.2.0\",\"id\":\"box-1\",\"pid\":%d,"
			    "\"status\":\"running\",\"bundle\":\"%s\",\"rootfs\":\"/the/root\","
			    "\"created\":\"2026-11-18T06:26:51.123456789Z\","
			    "\"annotations\":{\"a.b/c\":\"d\"},\"owner\":\"root\"}]\n",
			    (int)b.pid, top);
	is(out, want, "in one line");
	ok(!call(cmd_list, &out, "-f", "table"), "and as a table");
	want = arena_printf(
		&arena,
		"ID          PID         STATUS      %-*s   %-*s   OWNER\n"
		"box-1       %-12drunning     %s   2026-11-18T06:26:51.123456789Z   root\n",
		(int)strlen(top), "BUNDLE", 30, "CREATED", (int)b.pid, top);
	is(out, want, "with columns of twelve, or three more than they need");
	ok(call(cmd_delete, NULL, "box-1") == 1, "while it runs it is not deleted");
	is(said, "credsbox: delete: cannot delete container box-1 that is not stopped: running\n",
	   "and that is said in runc's words");
	ok(!call(cmd_kill, NULL, "box-1", "0") && end_of(&b, 0) == -1, "signal 0 does nothing");
	ok(!call(cmd_kill, NULL, "box-1", "usr1") && end_of(&b, 50) == -1,
	   "a signal that it ignores is sent");
	ok(!call(cmd_kill, NULL, "box-1") && end_of(&b, 5000) == SIGTERM, "TERM is the default");
	ok(!call(cmd_state, &out, "box-1") && strstr(out, "\"pid\": 0,\n  \"status\": \"stopped\""),
	   "then it is stopped and has no pid");
	ok(call(cmd_kill, NULL, "box-1", "KILL") == 1, "it cannot be killed twice");
	is(said, "credsbox: kill: container not running\n", "in the words that engines look for");
	ok(!call(cmd_kill, NULL, "--all", "box-1", "9"), "kill --all does not mind");
	ok(!call(cmd_delete, NULL, "box-1") && !is_listed("box-1"), "now it is deleted");
}

static void test_signals(void)
{
	static const char *const forms[][3] = {
		{ "15" },       { "SIGTERM" },     { "term" },       { "--signal", "TERM" },
		{ "-s", "15" }, { "--signal=15" }, { "-a", "TERM" },
	};
	size_t i;

	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct box b = { .id = "sig" };

		make(&b, true);
		ok(!call(cmd_kill, NULL, "sig", forms[i][0], forms[i][1]) &&
			   end_of(&b, 5000) == SIGTERM,
		   "kill ID %s %s", forms[i][0], forms[i][1] ? forms[i][1] : "");
		call(cmd_delete, NULL, "sig", "--force");
	}
}

/* What is killed is what was made, never who has its number now. */
static void test_stranger(void)
{
	struct box b = { .id = "gone" };
	int fd;

	make(&b, true);
	fd = open(arena_printf(&arena, "%s/gone/pid", global.root), O_WRONLY | O_TRUNC | O_CLOEXEC);
	dprintf(fd, "%d 1\n", (int)b.pid);
	close(fd);
	ok(call(cmd_kill, NULL, "gone", "KILL") == 1 && strstr(said, "container not running"),
	   "a process that began at another time is not killed by kill");
	ok(!call(cmd_kill, NULL, "-a", "gone", "KILL"), "nor by kill --all");
	ok(!call(cmd_delete, NULL, "-f", "gone"), "nor by delete --force");
	cmp_ok(end_of(&b, 50), "==", -1, "it is still alive");
	kill(b.pid, SIGKILL);
	end_of(&b, 5000);
}

static void test_delete(void)
{
	struct box b = { .id = "del", .hook = in("hook") };
	const char *out;

	make(&b, true);
	ok(!call(cmd_delete, NULL, "--force", "del"), "delete --force takes one that runs");
	cmp_ok(end_of(&b, 0), "==", SIGKILL, "it is dead when that returns");
	like(said,
	     "^time=[^\n]* level=warning msg=\"error running poststop hook #0: exit status 7 "
	     "[^\n]*\n$",
	     "a hook that fails is a warning only");
	out = text_of(b.hook);
	like(out, "^\\{\"ociVersion\":\"1.2.0\",\"id\":\"del\",\"pid\":0,\"status\":\"stopped\",",
	     "the next one is run, and told the state");
	ok(strstr(out, arena_printf(&arena, "}%s\n", top)), "in the bundle's directory");
	ok(!is_listed("del"), "and nothing of the container is left");
}

static void test_damage(void)
{
	static const char *const texts[] = { "", "{", "[]", "{\"id\":\"dam\"}",
					     "{\"version\":1,\"id\":\"other\"}" };
	const char *file = arena_printf(&arena, "%s/dam/state", global.root), *out;
	size_t i;

	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct box b = { .id = "dam" };
		int fd;

		make(&b, true);
		fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
		dprintf(fd, "%s", texts[i]);
		close(fd);
		ok(call(cmd_state, NULL, "dam") == 1 && strstr(said, "corrupt state"),
		   "a damaged state is told, case %zu", i);
		ok(call(cmd_kill, NULL, "dam") == 1 && call(cmd_delete, NULL, "dam") == 1 &&
			   strstr(said, "delete --force removes it"),
		   "and so is what helps");
		ok(!call(cmd_list, &out, "-f", "json") && strstr(out, "\"id\":\"dam\""),
		   "it is listed");
		ok(!call(cmd_list, &out, "-f", "table") && strstr(out, "dam "), "in each form");
		ok(!call(cmd_delete, NULL, "-f", "dam") && !is_listed("dam"), "and that does help");
		cmp_ok(end_of(&b, 0), "==", SIGKILL, "its process goes with it");
	}
}

static void test_leftovers(void)
{
	struct box b = { .id = "left" };
	const char *out;
	struct state s;
	int root;

	make(&b, false);
	ok(!call(cmd_state, &out, "left") && strstr(out, "\"status\": \"stopped\""),
	   "what create left when it was killed is stopped");
	ok(call(cmd_kill, NULL, "left") == 1, "cannot be killed");
	ok(!call(cmd_delete, NULL, "left") && !is_listed("left"), "and is deleted");
	root = container_root(&global, true, &e);
	ok(!state_make(root, "left", &s, &e), "one that is being made");
	ok(call(cmd_state, NULL, "left") == 1 && strstr(said, "being created"), "has no state yet");
	ok(!call(cmd_list, &out, "-f", "table") && strstr(out, "creating"),
	   "but is listed as such");
	state_close(&s);
	ok(call(cmd_delete, NULL, "left") == 1, "if it never got any, only force removes it");
	ok(!call(cmd_delete, NULL, "-f", "left") && !is_listed("left"), "completely");
	close(root);
}

/* A process that the container's first one left behind is found in the cgroup only. */
static void test_cgroup(void)
{
	struct box b = { .id = "cg", .has_cgroup = true };

	make(&b, true);
	cmp_ok(pids_in(&b), "==", 2, "there are two processes in a cgroup");
	ok(!call(cmd_kill, NULL, "cg", "TERM") && end_of(&b, 5000) == SIGTERM,
	   "a signal goes to the first one");
	cmp_ok(pids_in(&b), "==", 1, "and to it alone");
	ok(call(cmd_kill, NULL, "cg", "TERM") == 1, "it is not sent to the other then");
	ok(!call(cmd_kill, NULL, "cg", "KILL"), "KILL is, without a pid namespace");
	cmp_ok(pids_in(&b), "==", 0, "which empties the cgroup");
	ok(call(cmd_kill, NULL, "cg", "KILL") == 1 && strstr(said, "container not running"),
	   "then there is nobody left");
	ok(!call(cmd_delete, NULL, "cg") && !group_is_there(&b), "delete removes the cgroup");

	b = (struct box){ .id = "cg", .has_cgroup = true };
	make(&b, true);
	ok(!call(cmd_kill, NULL, "-a", "cg", "TERM") && end_of(&b, 5000) == SIGTERM,
	   "kill --all reaches the first process");
	for (int i = 0; i < 200 && pids_in(&b); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	cmp_ok(pids_in(&b), "==", 0, "and the other one");
	ok(!call(cmd_delete, NULL, "cg"), "which is deleted");

	b = (struct box){ .id = "cg", .has_cgroup = true };
	make(&b, true);
	kill(b.pid, SIGKILL);
	end_of(&b, 5000);
	ok(!call(cmd_delete, NULL, "cg"), "delete without force takes a stopped one");
	ok(!group_is_there(&b), "kills who was left in its cgroup and removes that");

	b = (struct box){ .id = "cg", .has_cgroup = true };
	make(&b, true);
	ok(!call(cmd_delete, NULL, "-f", "cg") && !group_is_there(&b) && end_of(&b, 0) == SIGKILL,
	   "delete --force does all of that at once");
}

static void test_paused(void)
{
	struct box b = { .id = "pau", .has_cgroup = true };
	const char *out;

	make(&b, true);
	ok(!cgroup_freeze(&arena, &b.cgroup, true, &e), "a container is paused");
	ok(!call(cmd_state, &out, "pau") && strstr(out, "\"status\": \"paused\""), "and says so");
	ok(call(cmd_delete, NULL, "pau") == 1 && strstr(said, "not stopped: paused"),
	   "it is not deleted");
	ok(!call(cmd_kill, NULL, "pau", "KILL") && end_of(&b, 5000) == SIGKILL,
	   "KILL reaches it all the same");
	ok(!call(cmd_delete, NULL, "-f", "pau") && !group_is_there(&b), "it is deleted then");

	b = (struct box){ .id = "pau", .has_cgroup = true, .in_pid_ns = true };
	make(&b, true);
	cgroup_freeze(&arena, &b.cgroup, true, &e);
	ok(!call(cmd_kill, NULL, "pau", "KILL") && end_of(&b, 5000) == SIGKILL,
	   "likewise in a pid namespace");
	ok(!call(cmd_delete, NULL, "-f", "pau"), "it is deleted");

	b = (struct box){ .id = "pau", .has_cgroup = true, .in_pid_ns = true };
	make(&b, true);
	cgroup_freeze(&arena, &b.cgroup, true, &e);
	ok(!call(cmd_delete, NULL, "pau", "-f") && end_of(&b, 0) == SIGKILL && !group_is_there(&b),
	   "delete --force takes a paused one");
}

static void test_pid_namespace(void)
{
	struct box b = { .id = "ns", .has_cgroup = true, .in_pid_ns = true };

	make(&b, true);
	b.state.pid = b.pid;
	ok(container_is_first(&arena, &b.state), "the first of a pid namespace is known as such");
	b.state.pid = getpid();
	ok(!container_is_first(&arena, &b.state), "others are not");
	ok(!call(cmd_kill, NULL, "ns", "KILL") && end_of(&b, 5000) == SIGKILL, "it is killed");
	ok(!call(cmd_delete, NULL, "ns") && !group_is_there(&b), "and deleted");
}

/* Two with one cgroup: create refuses the second, but may be killed before it gets there. */
static void test_others_group(void)
{
	struct box a = { .id = "mine", .has_cgroup = true }, b = { .id = "other" };
	autofd int root = -1;
	const char *text;
	size_t len;

	make(&a, true);
	b.has_cgroup = true;
	b.cgroup = a.cgroup;
	root = container_root(&global, true, &e);
	text = document(&b, &len);
	ok(!state_make(root, "other", &b.state, &e) && !state_save(&b.state, text, len, &e),
	   "there is a leftover that names another's cgroup");
	state_close(&b.state);
	ok(!call(cmd_kill, NULL, "--all", "mine", "0") && !call(cmd_delete, NULL, "-f", "other"),
	   "it is deleted");
	ok(strstr(said, "its cgroup is in use and stays") && !is_listed("other"), "with a warning");
	ok(end_of(&a, 0) == -1 && pids_in(&a) == 2, "and nobody is killed");
	ok(!call(cmd_delete, NULL, "-f", "mine") && !group_is_there(&a), "but by the owner");
	end_of(&a, 1000);
}

/* run gives its lock away, and comes back to what may be another's. */
static void test_late_delete(void)
{
	struct box b = { .id = "late" }, next = { .id = "late" };
	struct container c = { .root = -1, .status = STATUS_STOPPED };
	autofd int root = container_root(&global, true, &e);

	make(&b, true);
	ok(!state_open(root, "late", &c.state, &e), "one who comes back has it open");
	call(cmd_delete, NULL, "-f", "late");
	end_of(&b, 1000);
	make(&next, true);
	ok(!container_delete(&arena, &c, true, &e), "what is gone is deleted without an error");
	ok(end_of(&next, 0) == -1 && is_listed("late"), "the next of its name is left alone");
	container_close(&c);
	call(cmd_delete, NULL, "-f", "late");
	end_of(&next, 1000);
}

static void test_owner(void)
{
	is(container_owner(&arena, 0), "root", "the owner has a name");
	is(container_owner(&arena, 4000000123u), "4000000123", "or a number");
}

int main(void)
{
	plan(NO_PLAN);
	if (!mkdtemp(top))
		BAIL_OUT("cannot make a directory");
	global.root = in("root");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	test_nothing();
	test_usage();
	test_state();
	test_signals();
	test_stranger();
	test_delete();
	test_damage();
	test_leftovers();
	test_late_delete();
	test_owner();
	skip(geteuid(), 1, "only root has cgroups to make");
	test_cgroup();
	test_paused();
	test_pid_namespace();
	test_others_group();
	end_skip;
	while (waitpid(-1, NULL, 0) > 0)
		;
	nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena_release(&arena);
	done_testing();
}
