// SPDX-License-Identifier: Apache-2.0
/* Tests of paths in a hostile root, and of files of a procfs; most of it as anyone. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "../src/sys/path.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct arena arena;
static struct err e;
static char top[] = "/tmp/credsbox-path.XXXXXX";
static int root = -1;

static void sh(const char *commands)
{
	if (system(commands))
		BAIL_OUT("the shell failed: %s", commands);
}

/* What a descriptor is, as a path below the top: "root/a"; "" when there is none. */
static const char *where(int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t n = fd < 0 ? -1 : readlink(fd_path(fd, link), path, sizeof path - 1);

	if (fd >= 0)
		close(fd);
	if (n < (ssize_t)strlen(top))
		return "";
	path[n] = '\0';
	return arena_strdup(&arena, path + strlen(top));
}

static void test_open(void)
{
	static const struct {
		const char *path, *want;
		int error;
	} cases[] = {
		{ "/", "/root", 0 },
		{ "", "/root", 0 },
		{ "/a/f", "/root/a/f", 0 },
		{ "a//./f", "/root/a/f", 0 },
		{ "/../../../a/f", "/root/a/f", 0 },
		{ "/a/../../../a", "/root/a", 0 },
		{ "/abs", "/root/a/f", 0 },
		{ "/rel/f", "/root/a/f", 0 },
		{ "/up/a/f", "/root/a/f", 0 },
		{ "/outside", "", ENOENT },
		{ "/outside/secret", "", ENOENT },
		{ "/loop", "", ELOOP },
		{ "/a/f/x", "", ENOTDIR },
		{ "/none", "", ENOENT },
	};
	size_t i;
	int fd;

	for (i = 0; i < COUNT(cases); i++) {
		errno = 0;
		fd = path_open(root, cases[i].path, O_PATH);
		cmp_ok(fd < 0 ? errno : 0, "==", cases[i].error, "'%s' opens, or says why not",
		       cases[i].path);
		is(where(fd), cases[i].want, "'%s' is where it should be", cases[i].path);
	}
	fd = path_open(root, "/a/f", O_RDONLY);
	ok(fd >= 0 && (fcntl(fd, F_GETFD) & FD_CLOEXEC), "what is opened closes on exec");
	close(fd);
	ok(path_open_real(root, "/abs", O_PATH) < 0 && errno == ELOOP,
	   "path_open_real() follows no link");
	is(where(path_open_real(root, "/a/f", O_PATH)), "/root/a/f", "but opens what is real");
}

static void test_make(void)
{
	static const struct {
		const char *path, *want;
	} cases[] = {
		{ "/a", "/root/a" },
		{ "/new/deep/er", "/root/new/deep/er" },
		{ "x/../y", "/root/y" },
		{ "/../../z", "/root/z" },
		{ "/dangling/d", "/root/made/by/link/d" },
		{ "/dangles", "/root/made/by/rel" },
		{ "/up/up/q", "/root/q" },
		{ "/outside/d", NULL }, /* in the root, under the host's name */
		{ "/chain/d", "/root/c3/d" },
	};
	char real[PATH_MAX];
	struct stat st;
	size_t i;
	int fd;

	for (i = 0; i < COUNT(cases); i++) {
		const char *want =
			cases[i].want ? cases[i].want : arena_printf(&arena, "/root%s/out/d", top);

		fd = path_make_dir(root, cases[i].path, 0755, &e);
		is(where(fd), want, "'%s' is made in the root", cases[i].path);
		fd = path_make(root, cases[i].path, PATH_DIR, 0755, real);
		is(arena_printf(&arena, "/root%s", real), want, "and '%s' says where that is",
		   cases[i].path);
		close(fd);
	}
	ok(stat("root/new/deep", &st) == 0 && (st.st_mode & 07777) == 0755,
	   "directories have the mode that was asked for, whatever the umask");
	ok(access("out/d", F_OK), "nothing is made outside");
	is(where(path_make_file(root, "/p/q/file", 0640, &e)), "/root/p/q/file",
	   "a file is made, with its directories");
	ok(stat("root/p/q/file", &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 07777) == 0640,
	   "it has its mode");
	is(where(path_make_file(root, "/dfile", 0644, &e)), "/root/made/file",
	   "a dangling link to a file is followed");
	is(where(path_make_file(root, "/a", 0644, &e)), "/root/a",
	   "what is there is opened, be it a directory");
	ok(path_make_dir(root, "/a/f", 0755, &e) < 0, "a file is no directory");
	is(e.text, "cannot make a directory in the root: not a directory", "and the error says so");
	ok(path_make_dir(root, "/loop/x", 0755, &e) < 0 && e.errnum == ELOOP,
	   "links in a circle are an error");
	ok(path_make_dir(root, "/a/f/g", 0755, &e) < 0 && e.errnum == ENOTDIR,
	   "a file on the way is one, too");
}

static void test_long(void)
{
	char *name = arena_alloc(&arena, 300), *path = arena_alloc(&arena, 3 * PATH_MAX);
	size_t i;

	memset(name, 'n', 256);
	ok(path_make_dir(root, name, 0755, &e) < 0 && e.errnum == ENAMETOOLONG,
	   "a name of 256 bytes is too long");
	name[255] = '\0';
	for (i = 0; i < 15; i++)
		snprintf(path + strlen(path), 3 * PATH_MAX - strlen(path), "/%s", name);
	ok(path_make_dir(root, path, 0755, &e) >= 0, "a path of nearly 4096 bytes is not");
	snprintf(path + strlen(path), 3 * PATH_MAX - strlen(path), "/%s", name);
	ok(path_make_dir(root, path, 0755, &e) < 0 && e.errnum == ENAMETOOLONG, "one of 4096 is");
	for (i = 0; i < 20; i++)
		snprintf(path + strlen(path), 3 * PATH_MAX - strlen(path), "/%s", name);
	ok(path_make_dir(root, path, 0755, &e) < 0 && e.errnum == ENAMETOOLONG, "and a longer one");
}

static void test_parent(void)
{
	const char *name = NULL;

	is(where(path_parent(&arena, root, "/dev/sub/null", &name, &e)), "/root/dev/sub",
	   "the parent is made");
	is(name, "null", "the name is the last part");
	is(where(path_parent(&arena, root, "top//", &name, &e)), "/root",
	   "slashes at the end do not count");
	is(name, "top", "for the name either");
	ok(path_parent(&arena, root, "/", &name, &e) < 0 && e.errnum == EINVAL,
	   "the root has no name");
	ok(path_parent(&arena, root, "/a/..", &name, &e) < 0 && e.errnum == EINVAL,
	   "nor has what is above");
	ok(path_parent(&arena, root, "/a/.", &name, &e) < 0 && e.errnum == EINVAL,
	   "nor what is here");
}

static void test_proc(void)
{
	autofd int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	autofd int tmp = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = proc_open(proc, "self/oom_score_adj", O_RDWR, &e);

	ok(fd >= 0, "a file of our own process is opened");
	close(fd);
	fd = proc_open(proc, "thread-self/attr/current", O_RDONLY, &e);
	ok(fd >= 0, "so is one of our thread");
	close(fd);
	ok(proc_open(tmp, "self/oom_score_adj", O_RDONLY, &e) < 0, "what is no procfs is refused");
	is(e.text, "proc: not a proc file system", "and called so");
	ok(proc_open(proc, "self/root/etc/passwd", O_RDONLY, &e) < 0 && e.errnum == ELOOP,
	   "magic links are not followed");
	ok(proc_open(proc, "self/../../etc/passwd", O_RDONLY, &e) < 0, "nor are dots, out of it");
	ok(proc_open(proc, "mounts", O_RDONLY, &e) < 0 && e.errnum == ELOOP, "nor other links");
	ok(proc_open(proc, "self/none", O_RDONLY, &e) < 0 && e.errnum == ENOENT,
	   "what is not there is an error");
	is(e.text, "proc: 'self/none': no such file or directory", "with its name");
	is(fd_path(7, (char[32]){ 0 }), "/proc/self/fd/7", "a descriptor's path");
}

/* With something mounted over a file of /proc, in a mount namespace of our own. */
static int covered(const char *what, const char *path)
{
	autofd int proc = -1;

	if (unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS) ||
	    mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(what, path, NULL, MS_BIND, NULL))
		return 2;
	proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return proc_open(proc, path + strlen("/proc/"), O_RDONLY, &e) < 0 &&
			       strstr(e.text, "something is mounted over")
		       ? 0
		       : 1;
}

static void test_covered(void)
{
	static const struct {
		const char *what, *path;
	} cases[] = {
		{ "/proc/version", "/proc/sys/kernel/domainname" },
		{ "/etc/passwd", "/proc/sys/kernel/domainname" },
	};
	int status;
	size_t i;
	pid_t pid;

	for (i = 0; i < COUNT(cases); i++) {
		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(covered(cases[i].what, cases[i].path));
		waitpid(pid, &status, 0);
		skip(WEXITSTATUS(status) == 2, 1, "nothing can be mounted here");
		ok(WIFEXITED(status) && !WEXITSTATUS(status),
		   "a file that %s is mounted over is refused", cases[i].what);
		end_skip;
	}
}

int main(void)
{
	plan(NO_PLAN);
	if (!mkdtemp(top) || chdir(top))
		BAIL_OUT("cannot make %s", top);
	umask(027);
	sh("mkdir -p root/a out && echo s >out/secret && echo x >root/a/f && cd root && ln -s /a/f "
	   "abs && ln -s a rel &&"
	   "ln -s ../../../.. up && ln -s ${PWD%/root}/out outside && ln -s loop loop &&"
	   "ln -s /made/by/link dangling && ln -s made/by/rel dangles && ln -s made/file dfile && "
	   "ln -s c2 chain && ln -s /c3 c2");
	root = open("root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	test_open();
	test_make();
	test_parent();
	test_long();
	test_proc();
	test_covered();
	sh(arena_printf(&arena, "cd / && rm -rf %s", top));
	arena_release(&arena);
	done_testing();
}
