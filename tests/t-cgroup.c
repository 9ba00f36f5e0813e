// SPDX-License-Identifier: Apache-2.0
/* Control groups: the real ones of this machine, in directories of the test's own. */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/sched.h>

#include "../src/sys/cgroup.h"
#include "../src/sys/cgroup_impl.h"
#include "../src/base/fd.h"

static struct arena arena;
static struct err err;
static char test_id[64];

static const char *new_id(void)
{
	static unsigned n;

	snprintf(test_id, sizeof test_id, "credsbox-test-%d-%u", (int)getpid(), ++n);
	return arena_strdup(&arena, test_id);
}

static const char *read_file(const struct cgroup *cg, const char *controller, const char *file)
{
	const struct cgroup_dir *d = cg_dir(cg, controller);
	const char *text = NULL;

	if (!d || cg_read(&arena, d, file, &text, &err))
		return NULL;
	return text;
}

static bool is_there(const struct cgroup *cg)
{
	size_t i;

	for (i = 0; i < cg->n_dirs; i++)
		if (access(cg_path(&arena, &cg->dirs[i], NULL), F_OK) == 0)
			return true;
	return false;
}

static bool is_everywhere(const struct cgroup *cg)
{
	size_t i;

	for (i = 0; i < cg->n_dirs; i++)
		if (access(cg_path(&arena, &cg->dirs[i], NULL), F_OK))
			return false;
	return true;
}

/* A process that sits in the cgroups until it is killed; it entered as a container does. */
static pid_t start_inside(struct cgroup *cg, int children)
{
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
	int into = -1, pipes[2];
	bool is_first = true;
	pid_t pid;
	char c;

	if (cgroup_open(cg, &into, &err) || pipe2(pipes, O_CLOEXEC))
		return -1;
	args.cgroup = (uint64_t)into;
	if (into < 0)
		args.flags = 0;
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
	if (pid == 0) {
		close(pipes[0]);
		if (cgroup_enter(cg, &err))
			_exit(3);
		while (is_first && children-- > 0)
			is_first = fork() != 0;
		if (is_first && write(pipes[1], "x", 1) != 1)
			_exit(4);
		for (;;)
			pause();
	}
	cgroup_close(cg);
	close(pipes[1]);
	if (read(pipes[0], &c, 1) != 1)
		diag("the process did not enter");
	close(pipes[0]);
	return pid;
}

static int make(const struct cgroup_wish *w, struct cgroup *cg)
{
	return cgroup_find(&arena, w, cg, &err) || cgroup_make(&arena, cg, w, &err) ? -1 : 0;
}

static void test_lifecycle(void)
{
	struct resources none = { 0 };
	struct cgroup_wish w = { .id = new_id(), .resources = &none };
	struct cgroup cg, same;
	pid_t pid, *pids;
	size_t n;

	err.text[0] = '\0';
	make(&w, &cg);
	is(err.text, "", "the cgroups of a container are made");
	ok(is_everywhere(&cg), "in every hierarchy there is a directory");
	pid = start_inside(&cg, 0);
	ok(pid > 0, "a process enters them");
	ok(cgroup_pids(&arena, &cg, &pids, &n, &err) == 0 && n == 1 && pids[0] == pid,
	   "and it is the only one there");
	ok(make(&w, &same) < 0, "a second container cannot have the same cgroup");
	like(err.text, "container's cgroup is not empty", "because it is not empty");
	ok(is_everywhere(&cg), "which leaves the first one's where they are");
	ok(cgroup_kill(&arena, &cg, SIGKILL, &err) == 0, "all processes are killed");
	waitpid(pid, NULL, 0);
	ok(cgroup_remove(&arena, &cg, &err) == 0, "the cgroups are removed");
	ok(!is_there(&cg), "and nothing is left of them");
	ok(cgroup_remove(&arena, &cg, &err) == 0, "removing what is gone is fine");
}

static void test_paths(void)
{
	struct resources none = { 0 };
	const char *id = new_id();
	struct cgroup_wish w = { .id = id, .resources = &none };
	struct cgroup cg;
	size_t i;

	w.path = arena_printf(&arena, "/%s-a/b/c", id);
	ok(make(&w, &cg) == 0 && is_everywhere(&cg), "missing directories above are made too");
	for (i = 0; i < cg.n_dirs; i++)
		if (strcmp(cg.dirs[i].path, w.path))
			break;
	ok(i == cg.n_dirs, "an absolute path begins at the mount point");
	none.unified.n = 1;
	none.unified.v = &(struct pair){ .key = "memory.max", .value = "1" };
	cgroup_remove(&arena, &cg, &err);
	for (i = 0; i < cg.n_dirs; i++) {
		rmdir(arena_printf(&arena, "%s/%s-a/b", cg.dirs[i].mount, id));
		rmdir(arena_printf(&arena, "%s/%s-a", cg.dirs[i].mount, id));
	}
	if (cg.mode != CGROUP_V2) {
		ok(make(&w, &cg) < 0, "v1 has no unified resources");
		is(err.text, "invalid configuration: cannot use unified on cgroup v1",
		   "and that is said");
		for (i = 0; i < cg.n_dirs; i++)
			if (access(arena_printf(&arena, "%s/%s-a", cg.dirs[i].mount, id), F_OK) ==
			    0)
				break;
		ok(i == cg.n_dirs, "a failure leaves no directory, parents included");
	}
	none.unified.n = 0;
	w.path = arena_printf(&arena, "/../../%s", id);
	ok(cgroup_find(&arena, &w, &cg, &err) == 0 && !strcmp(cg.dirs[0].path + 1, id),
	   "no path leads above the mount point");
	w.path = "/../..";
	ok(cgroup_find(&arena, &w, &cg, &err) < 0, "the root of all cgroups is no container's");
}

static void test_frozen(void)
{
	struct resources none = { 0 };
	struct cgroup_wish w = { .id = new_id(), .resources = &none };
	struct cgroup cg, same;
	pid_t pid;

	if (make(&w, &cg))
		BAIL_OUT("%s", err.text);
	pid = start_inside(&cg, 5);
	ok(!cgroup_is_frozen(&arena, &cg), "a container runs at first");
	ok(cgroup_freeze(&arena, &cg, true, &err) == 0, "it is frozen");
	ok(cgroup_is_frozen(&arena, &cg), "which can be seen");
	ok(cgroup_freeze(&arena, &cg, false, &err) == 0 && !cgroup_is_frozen(&arena, &cg),
	   "it is thawed");
	cgroup_freeze(&arena, &cg, true, &err);
	ok(cgroup_kill(&arena, &cg, SIGKILL, &err) == 0, "a frozen one can be killed");
	waitpid(pid, NULL, 0);
	cgroup_freeze(&arena, &cg, true, &err);
	ok(make(&w, &same) < 0, "a frozen cgroup is refused");
	like(err.text, "container's cgroup unexpectedly frozen", "with runc's words");
	ok(cgroup_remove(&arena, &cg, &err) == 0 && !is_there(&cg), "it can be removed");
}

static void test_below(void)
{
	struct resources none = { 0 };
	struct cgroup_wish w = { .id = new_id(), .resources = &none };
	struct cgroup cg;
	size_t i, n;
	pid_t *pids;
	int status;

	if (make(&w, &cg))
		BAIL_OUT("%s", err.text);
	for (i = 0; i < cg.n_dirs; i++) {
		mkdir(cg_path(&arena, &cg.dirs[i], "x"), 0755);
		mkdir(cg_path(&arena, &cg.dirs[i], "x/y"), 0755);
	}
	start_inside(&cg, 20);
	ok(cgroup_pids(&arena, &cg, &pids, &n, &err) == 0 && n >= 20, "a container of many");
	cg_write_i64(&arena, cg_main_dir(&arena, &cg), "x/y/cgroup.procs", pids[n - 1], &err);
	cgroup_pids(&arena, &cg, &pids, &i, &err);
	ok(i == n, "processes in cgroups of its own are found as well");
	ok(cgroup_kill(&arena, &cg, SIGTERM, &err) == 0, "any signal can be sent to all");
	while (waitpid(-1, &status, 0) > 0)
		ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "it ended a process");
	ok(cgroup_remove(&arena, &cg, &err) == 0 && !is_there(&cg),
	   "cgroups below are removed with it");
}

static void test_limits_v1(void)
{
	struct resources r = {
		.memory = { .limit = { true, 64 << 20 }, .swap = { true, 128 << 20 } },
		.cpu = { .shares = { true, 512 }, .quota = { true, 50000 } },
		.pids_limit = { true, 0 },
	};
	struct cgroup_wish w = { .id = new_id(), .resources = &r };
	struct cgroup cg;

	r.cpu.period = (struct opt_u64){ true, 100000 };
	err.text[0] = '\0';
	make(&w, &cg);
	is(err.text, "", "limits are set");
	is(read_file(&cg, "memory", "memory.limit_in_bytes"), "67108864", "memory");
	is(read_file(&cg, "memory", "memory.memsw.limit_in_bytes"), "134217728", "memory and swap");
	is(read_file(&cg, "cpu", "cpu.shares"), "512", "shares");
	is(read_file(&cg, "cpu", "cpu.cfs_quota_us"), "50000", "quota");
	is(read_file(&cg, "pids", "pids.max"), "1", "no process at all means one");
	r = (struct resources){ .memory = { .limit = { true, 256 << 20 },
					    .swap = { true, 300 << 20 } },
				.pids_limit = { true, -1 } };
	ok(cgroup_update(&arena, &cg, &r, &err) == 0, "both limits of memory can grow at once");
	is(read_file(&cg, "memory", "memory.limit_in_bytes"), "268435456", "memory grew");
	is(read_file(&cg, "pids", "pids.max"), "max", "-1 is no limit");
	r.memory.limit.v = 32 << 20;
	r.memory.swap.v = 40 << 20;
	ok(cgroup_update(&arena, &cg, &r, &err) == 0, "and shrink at once");
	is(read_file(&cg, "memory", "memory.memsw.limit_in_bytes"), "41943040", "swap shrank");
	r.memory.limit.v = -1;
	r.memory.swap.v = 0;
	ok(cgroup_update(&arena, &cg, &r, &err) == 0 &&
		   strlen(read_file(&cg, "memory", "memory.memsw.limit_in_bytes")) > 12,
	   "no limit of memory lifts that of swap");
	r = (struct resources){ .rdma = &(struct rdma_limit){ .device = "mlx5" }, .n_rdma = 1 };
	ok(cg_dir(&cg, "rdma") || cgroup_update(&arena, &cg, &r, &err) < 0,
	   "a limit without its controller is an error");
	like(err.text, "rdma", "that names it");
	cgroup_remove(&arena, &cg, &err);
}

static void test_devices_v1(void)
{
	struct device_rule rules[] = {
		{ .allow = false, .type = 'a', .access = "rwm" },
		{ .allow = true,
		  .type = 'c',
		  .major = { true, 10 },
		  .minor = { true, 229 },
		  .access = "rw" },
		{ .allow = true, .type = 'b', .major = { true, 8 }, .access = "r" },
	};
	struct resources r = { .devices = rules, .n_devices = 3 };
	struct cgroup_wish w = { .id = new_id(), .resources = &r };
	struct cgroup cg;
	const char *list;

	if (make(&w, &cg))
		BAIL_OUT("%s", err.text);
	list = read_file(&cg, "devices", "devices.list");
	unlike(list, "^a", "not all devices are allowed");
	like(list, "c 10:229 rw\n", "one that the bundle allows is");
	like(list, "b 8:\\* r\n", "all minors of a major are");
	like(list, "c 1:3 rwm", "null is, always");
	like(list, "c 136:\\* rwm", "terminals are");
	cgroup_update(&arena, &cg, &(struct resources){ .pids_limit = { true, 10 } }, &err);
	is(read_file(&cg, "devices", "devices.list"), list, "an update leaves them alone");
	cgroup_remove(&arena, &cg, &err);
	rules[1].access = NULL;
	ok(make(&w, &cg) < 0, "a rule without access is refused");
	like(err.text, "linux.resources.devices\\[1\\].access", "with its place");
	ok(!is_there(&cg), "nothing is left");
}

static void test_state(void)
{
	struct resources none = { 0 };
	struct cgroup_wish w = { .id = "abc", .resources = &none };
	struct jsonw *jw = jsonw_new(&arena, false);
	const struct json *top;
	struct cgroup cg, again;
	const char *text;
	size_t len, i;

	if (cgroup_find(&arena, &w, &cg, &err))
		BAIL_OUT("%s", err.text);
	cgroup_write(jw, &cg);
	text = jsonw_text(jw, &len);
	ok(json_parse(&arena, text, len, &top, &err) == 0 &&
		   cgroup_read(&arena, top, &again, &err) == 0,
	   "the state file's form is read again");
	for (i = 0; i < cg.n_dirs && i < again.n_dirs; i++)
		if (strcmp(cg.dirs[i].path, again.dirs[i].path) ||
		    strcmp(cg.dirs[i].mount, again.dirs[i].mount) ||
		    strcmp(cg.dirs[i].controllers, again.dirs[i].controllers))
			break;
	ok(cg.mode == again.mode && i == cg.n_dirs && i == again.n_dirs, "as it was");
	text = "{\"mode\":\"v2\",\"dirs\":[{\"controllers\":\"\",\"mount\":\"/sys/fs/cgroup\","
	       "\"path\":\"/a/..\"}]}";
	ok(json_parse(&arena, text, strlen(text), &top, &err) == 0 &&
		   cgroup_read(&arena, top, &again, &err) < 0,
	   "a path that leads out is damage");
}

static const struct json *dig(const struct json *v, const char *path)
{
	char *rest = arena_strdup(&arena, path), *key;

	while ((key = strsep(&rest, ".")))
		v = json_get(v, key);
	return v;
}

static void test_stats(void)
{
	struct resources r = { .memory = { .limit = { true, 64 << 20 } },
			       .pids_limit = { true, 9 } };
	struct cgroup_wish w = { .id = new_id(), .resources = &r };
	struct jsonw *jw = jsonw_new(&arena, false);
	const struct json *top = NULL;
	struct cgroup cg;
	const char *text;
	size_t len;
	pid_t pid;

	if (make(&w, &cg))
		BAIL_OUT("%s", err.text);
	pid = start_inside(&cg, 2);
	ok(cgroup_stats(&arena, &cg, jw, &err) == 0, "there are statistics");
	text = jsonw_text(jw, &len);
	ok(json_parse(&arena, text, len, &top, &err) == 0, "which are JSON");
	is(dig(top, "pids.current")->text, "3", "three processes");
	is(dig(top, "pids.limit")->text, "9", "of nine");
	is(dig(top, "memory.usage.limit")->text, "67108864", "the limit of memory");
	ok(dig(top, "memory.usage.usage"), "how much is used");
	ok(dig(top, "memory.raw.pgfault"), "what else the kernel counts");
	ok(dig(top, "cpu.usage.total"), "time");
	ok(dig(top, "cpuset.sched_load_balance"), "where it may run");
	ok(dig(top, "blkio") && dig(top, "hugetlb") && dig(top, "intel_rdt") &&
		   dig(top, "network_interfaces"),
	   "and what runc has besides");
	cgroup_kill(&arena, &cg, SIGKILL, &err);
	waitpid(pid, NULL, 0);
	cgroup_remove(&arena, &cg, &err);
	ok(cgroup_stats(&arena, &cg, jw, &err) < 0, "none of what is gone");
}

/* A process that takes more memory than there is. */
static void eat(struct cgroup *cg)
{
	size_t size = 64 << 20;
	pid_t pid = fork();
	int into;
	char *p;

	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	if (cgroup_open(cg, &into, &err) || cgroup_enter(cg, &err))
		_exit(1);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 1, size);
	_exit(0);
}

static void test_oom(void)
{
	struct resources r = {
		.memory = { .limit = { true, 8 << 20 }, .swap = { true, 8 << 20 } },
	};
	struct cgroup_wish w = { .id = new_id(), .resources = &r };
	struct cgroup_oom oom = { .fd = -1 };
	struct cgroup cg;

	if (make(&w, &cg))
		BAIL_OUT("%s", err.text);
	ok(cgroup_oom_open(&arena, &cg, &oom, &err) == 0 && oom.fd >= 0,
	   "one can be told when there is no memory left");
	ok(cgroup_oom_read(&arena, &oom) == 0, "at first there is");
	eat(&cg);
	ok(poll(&(struct pollfd){ .fd = oom.fd, .events = POLLIN }, 1, 2000) == 1,
	   "a process that eats it all is noticed");
	ok(cgroup_oom_read(&arena, &oom) > 0, "as what it is");
	cgroup_remove(&arena, &cg, &err);
	poll(&(struct pollfd){ .fd = oom.fd, .events = POLLIN }, 1, 200);
	ok(cgroup_oom_read(&arena, &oom) == 0, "the end of the container is not such a notice");
	close(oom.fd);
}

/* What somebody without any right gets; true when all of it is as it should be. */
static bool check_unprivileged(void)
{
	struct resources none = { 0 }, limits = { .pids_limit = { true, 10 } };
	struct cgroup_wish w = { .id = new_id(), .resources = &none };
	struct cgroup cg;
	int into;

	if (make(&w, &cg) || cg.n_dirs || cg.mode != CGROUP_NONE)
		return false;
	if (cgroup_open(&cg, &into, &err) || into != -1 || cgroup_enter(&cg, &err) ||
	    cgroup_kill(&arena, &cg, SIGKILL, &err) || cgroup_remove(&arena, &cg, &err))
		return false;
	w.resources = &limits;
	if (!make(&w, &cg) || !strstr(err.text, "rootless needs no limits + no cgrouppath when no "
						"permission is granted for cgroups"))
		return false;
	w.resources = &none;
	w.path = arena_printf(&arena, "/%s", w.id);
	return make(&w, &cg) && strstr(err.text, "ermission denied");
}

static void test_unprivileged(void)
{
	pid_t pid = fork();
	int status = 1;

	if (pid == 0) {
		if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
			_exit(2);
		_exit(!check_unprivileged());
	}
	waitpid(pid, &status, 0);
	ok(status == 0, "without any right, one goes on without cgroups unless they are needed");
}

int main(void)
{
	struct cgroup_wish w = { .id = "x" };
	struct cgroup cg;

	plan(NO_PLAN);
	test_state();
	if (geteuid() == 0 && cgroup_find(&arena, &w, &cg, &err) == 0) {
		test_lifecycle();
		test_paths();
		test_frozen();
		test_below();
		test_unprivileged();
		test_stats();
		if (cg_dir(&cg, "memory")) {
			test_limits_v1();
			test_oom();
		}
		if (cg_dir(&cg, "devices"))
			test_devices_v1();
	}
	arena_release(&arena);
	done_testing();
}
