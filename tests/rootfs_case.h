/* SPDX-License-Identifier: Apache-2.0 */
/* A root made from a few lines of a bundle, in namespaces of its own, and a script that runs in it. */
#ifndef TESTS_ROOTFS_CASE_H
#define TESTS_ROOTFS_CASE_H

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "../src/base/yaml.h"
#include "../src/sys/facts.h"
#include "../src/sys/path.h"
#include "../src/sys/rootfs.h"
#include "tap.h"

enum { OUT_MOST = 64 * 1024, NOBODY = 65534 };

#define PROC "{'destination':'/proc','type':'proc','source':'proc'}"
#define SYSFS               \
	"{'destination':'/" \
	"sys','type':'sysfs','source':'sysfs','options':['nosuid','noexec','nodev','ro']}"
#define DEV                                                                                        \
	"{'destination':'/"                                                                        \
	"dev','type':'tmpfs','source':'tmpfs','options':['nosuid','strictatime','mode=755','size=" \
	"65536k']}"
#define PTS                                                                                   \
	"{'destination':'/dev/"                                                               \
	"pts','type':'devpts','source':'devpts','options':['nosuid','noexec','newinstance','" \
	"ptmxmode=0666','mode=0620']}"

struct box {
	const char *mounts;     /* the list, "'" for '"'; @ is the case's directory */
	const char *lin, *root; /* further members of "linux" and of "root" */
	const char *cwd;
	const char *path;       /* of the root; NULL: rootfs */
	const char *policy;     /* YAML; NULL: observe, which takes nothing away */
	const char *before;     /* run by sh in the case's directory, in its mount namespace */
	const char *judged;     /* the same, when the plan is made */
	const char *after;      /* the same, when the script has ended */
	const char *between;    /* the same, when sources are open */
	const char *script;     /* in the box, by busybox sh */
	bool user_ns, ordinary; /* ordinary: not root, alone in the user namespace */
	bool host_net, cgroup_ns, terminal;
	const struct cgroup *cgroup;
};

static char case_top[] = "/tmp/credsbox-rootfs.XXXXXX";
static char case_out[OUT_MOST];

static inline void sh(const char *commands)
{
	if (system(commands))
		BAIL_OUT("the host's shell failed: %s", commands);
}

/* A new directory with a root of busybox: rootfs, and a decoy that must never change. */
static inline void case_fresh(void)
{
	static bool made;

	if (!made && (!mkdtemp(case_top) || chmod(case_top, 0755)))
		BAIL_OUT("cannot make %s", case_top);
	if (chdir(case_top))
		BAIL_OUT("chdir");
	if (!made)
		sh("mkdir base base/bin base/tmp base/etc base/proc base/dev base/sys &&"
		   "cp /bin/busybox base/bin/ && cd base/bin &&"
		   "for i in sh cat ls stat mount umount grep mkdir touch readlink id awk cut sort "
		   "head"
		   " tail chmod chown rm ln find wc tr sed sleep tty; do ln -s busybox $i; done");
	made = true;
	sh("chmod -R u+rwX case 2>/dev/null; rm -rf case && mkdir case && cp -al base case/rootfs "
	   "&&"
	   "mkdir case/decoy && echo kept >case/decoy/f && mkdir case/decoy/d");
	if (chdir("case"))
		BAIL_OUT("chdir");
}

static inline void case_end(void)
{
	char command[64];

	snprintf(command, sizeof command, "cd / && rm -rf %s", case_top);
	sh(command);
}

/* Whom an ordinary box belongs to. */
static inline unsigned case_uid(void)
{
	return geteuid() ? geteuid() : NOBODY;
}

static inline const char *case_maps(struct arena *a, const struct box *b)
{
	unsigned id = b->ordinary ? case_uid() : 100000, size = b->ordinary ? 1 : 65536;

	return arena_printf(a,
			    ",'uidMappings':[{'containerID':0,'hostID':%u,'size':%u}],"
			    "'gidMappings':[{'containerID':0,'hostID':%u,'size':%u}]",
			    id, size, id, size);
}

static inline const char *case_text(struct arena *a, const struct box *b)
{
	char *text = arena_printf(
		a,
		"{'ociVersion':'1.0.2','process':{'cwd':'%s','args':['sh']},"
		"'root':{'path':'rootfs'%s%s},'mounts':[%s],"
		"'linux':{'namespaces':[{'type':'mount'}%s%s%s]%s%s%s}}",
		b->cwd ? b->cwd : "/", b->root ? "," : "", b->root ? b->root : "",
		b->mounts ? b->mounts : "", b->host_net ? "" : ",{'type':'network'}",
		b->cgroup_ns ? ",{'type':'cgroup'}" : "", b->user_ns ? ",{'type':'user'}" : "",
		b->user_ns ? case_maps(a, b) : "", b->lin ? "," : "", b->lin ? b->lin : "");
	char *out = arena_alloc(a, strlen(text) * 40 + 1), *o = out;
	const char *c;

	for (c = text; *c; c++) {
		if (*c == '\'')
			*o++ = '"';
		else if (*c == '@')
			o += snprintf(o, 40, "%s/case", case_top);
		else
			*o++ = *c;
	}
	return out;
}

struct case_job {
	struct arena arena;
	struct bundle bundle;
	struct policy policy;
	struct facts facts;
	struct plan plan;
	struct rootfs rootfs;
	struct err err;
};

static inline int case_plan_of(struct case_job *j, const struct box *b)
{
	static const struct policy_layer layer = { .name = "test" };
	const char *text = case_text(&j->arena, b);
	const char *yaml = b->policy ? b->policy : "mode: observe";
	const struct json *top, *doc;

	policy_builtin(&j->arena, &j->policy);
	if (yaml_parse(&j->arena, yaml, strlen(yaml), &doc, &j->err) ||
	    policy_merge(&j->arena, &j->policy, doc, &layer, &j->err) ||
	    json_parse(&j->arena, text, strlen(text), &top, &j->err) ||
	    bundle_read(&j->arena, top, &j->bundle, &j->err) ||
	    facts_gather(&j->arena, &j->bundle, &j->policy, ".", &j->facts, &j->err) ||
	    plan_make(&j->arena, &j->bundle, &j->policy, &j->facts, &j->plan, &j->err))
		return -1;
	/* As every policy has it but one that observes. */
	j->plan.cgroup_readonly = !b->cgroup_ns;
	return 0;
}

static inline void case_terminal(struct case_job *j)
{
	int master = path_open(j->rootfs.fd, "/dev/pts/ptmx", O_RDWR | O_NOCTTY), slave, zero = 0;

	if (master < 0 || ioctl(master, TIOCSPTLCK, &zero))
		BAIL_OUT("no pty: %s", strerror(errno));
	slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0 || rootfs_console(&j->rootfs, slave, &j->err)) {
		printf("error: %s\n", j->err.text);
		fflush(stdout);
		_exit(1);
	}
}

/* The child's steps in their order, then the script. Its standard output is the pipe. */
static inline void case_child(struct case_job *j, const struct box *b, int mapped)
{
	char go;

	if (read(mapped, &go, 1) != 1)
		_exit(1);
	if (b->user_ns && (setresgid(0, 0, 0) || setresuid(0, 0, 0)))
		_exit(2);
	if ((b->cgroup_ns && unshare(CLONE_NEWCGROUP)) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		_exit(3);
	if (rootfs_begin(&j->rootfs, &j->err) || rootfs_mounts(&j->rootfs, &j->err) ||
	    rootfs_devices(&j->rootfs, &j->err)) {
		printf("error: %s\n", j->err.text);
		fflush(stdout);
		_exit(1);
	}
	if (b->terminal)
		case_terminal(j);
	if (rootfs_pivot(&j->rootfs, &j->err) || rootfs_masks(&j->rootfs, &j->err) ||
	    rootfs_chdir(j->bundle.process.cwd, &j->err)) {
		printf("error: %s\n", j->err.text);
		fflush(stdout);
		_exit(1);
	}
	fflush(stdout);
	dup2(STDOUT_FILENO, STDERR_FILENO);
	execle("/bin/busybox", "sh", "-c", b->script ? b->script : ":", NULL,
	       (char *[]){ (char[]){ "PATH=/bin" }, NULL });
	_exit(127);
}

static inline void case_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fprintf(stderr, "# %s: %s\n", path, strerror(errno));
	close(fd);
}

static inline void case_map(pid_t pid, const struct box *b)
{
	char path[64], map[64] = "0 100000 65536";

	if (b->ordinary) {
		snprintf(map, sizeof map, "0 %u 1", case_uid());
		snprintf(path, sizeof path, "/proc/%d/setgroups", pid);
		case_write(path, "deny");
	}
	snprintf(path, sizeof path, "/proc/%d/uid_map", pid);
	case_write(path, map);
	snprintf(path, sizeof path, "/proc/%d/gid_map", pid);
	case_write(path, map);
}

/* In a mount namespace that stands for the host: opens, clones, waits. */
static inline void case_host(const struct box *b)
{
	static const struct cgroup none = { .mode = CGROUP_NONE };
	struct case_job j = { 0 };
	unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | SIGCHLD;
	char path[PATH_MAX + 16];
	int pair[2], status;
	pid_t pid;

	if (!b->ordinary &&
	    (unshare(CLONE_NEWNS) || mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL)))
		_exit(4);
	if (b->before && system(b->before))
		_exit(5);
	if (b->ordinary && !geteuid() &&
	    (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	     setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)))
		_exit(6);
	if (case_plan_of(&j, b)) {
		printf("error: %s\n", j.err.text);
		fflush(stdout);
		_exit(1);
	}
	if (b->judged && system(b->judged))
		_exit(12);
	snprintf(path, sizeof path, "%s/case/rootfs", case_top);
	if (b->path)
		snprintf(path, sizeof path, "%s", b->path);
	j.rootfs = (struct rootfs){ .arena = &j.arena,
				    .plan = &j.plan,
				    .path = path,
				    .bundle = arena_printf(&j.arena, "%s/case", case_top),
				    .cgroup = b->cgroup ? b->cgroup : &none,
				    .has_user_ns = b->user_ns };
	if (!b->host_net)
		flags |= CLONE_NEWNET;
	if (b->user_ns)
		flags |= CLONE_NEWUSER;
	if (rootfs_open(&j.rootfs, -1, &j.err)) {
		printf("error: %s\n", j.err.text);
		fflush(stdout);
		_exit(1);
	}
	if (b->between && system(b->between))
		_exit(7);
	if (pipe(pair))
		_exit(8);
	fflush(stdout);
	pid = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
	if (!pid) {
		close(pair[1]);
		case_child(&j, b, pair[0]);
	}
	if (pid < 0)
		_exit(9);
	rootfs_close(&j.rootfs);
	if (b->user_ns)
		case_map(pid, b);
	if (write(pair[1], "g", 1) != 1 || waitpid(pid, &status, 0) != pid)
		_exit(10);
	if (b->after && system(b->after))
		_exit(11);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

/* What the script wrote, without a newline at its end, or "error: ...". */
static inline const char *box(const struct box *b)
{
	size_t n = 0;
	ssize_t got;
	int pair[2], status;
	pid_t pid;

	fflush(stdout);
	if (pipe(pair) || (pid = fork()) < 0)
		BAIL_OUT("fork");
	if (!pid) {
		dup2(pair[1], STDOUT_FILENO);
		close(pair[0]);
		close(pair[1]);
		case_host(b);
	}
	close(pair[1]);
	while (n < OUT_MOST - 1 && (got = read(pair[0], case_out + n, OUT_MOST - 1 - n)) > 0)
		n += (size_t)got;
	close(pair[0]);
	waitpid(pid, &status, 0);
	while (n && case_out[n - 1] == '\n')
		n--;
	case_out[n] = '\0';
	if (!n && status)
		snprintf(case_out, OUT_MOST, "ended with %#x", status);
	return case_out;
}

#define BOX(...) box(&(struct box){ __VA_ARGS__ })

#endif
