/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that change who a process is, run in a child whose last words the test reads. */
#ifndef TESTS_CRED_CHILD_H
#define TESTS_CRED_CHILD_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/base/err.h"
#include "tap.h"

enum { NOBODY = 65534 };

/* What the child leaves behind. */
struct last_words {
	int rc;
	struct err e;
	char text[16384]; /* whatever it was to look at, /proc/self/status say */
	long number[8];
};

typedef int child_fn(struct last_words *w, const void *arg);

static struct last_words *words; /* shared with the child */

/* The error's text, "" when there was none, "died" when it did not come so far. */
static const char *in_child(child_fn *fn, const void *arg)
{
	int status = -1;
	pid_t pid;

	if (!words)
		words = mmap(NULL, sizeof *words, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (words == MAP_FAILED)
		BAIL_OUT("no shared memory");
	memset(words, 0, sizeof *words);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		words->rc = fn(words, arg);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		BAIL_OUT("cannot fork");
	if (status)
		return "died";
	return words->rc ? words->e.text : "";
}

static inline void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);

	text[n < 0 ? 0 : n] = '\0';
	if (fd >= 0)
		close(fd);
}

static inline bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* An ordinary user in a user namespace of its own, with that one id mapped to root. */
static inline bool enter_user_ns(void)
{
	uid_t uid = getuid() ? getuid() : NOBODY;
	gid_t gid = getuid() ? getgid() : NOBODY;
	char map[64];

	if (!getuid() && (setresgid(gid, gid, gid) || setresuid(uid, uid, uid)))
		return false;
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* or the maps are not ours to write */
	if (unshare(CLONE_NEWUSER) || !write_text("/proc/self/setgroups", "deny"))
		return false;
	snprintf(map, sizeof map, "0 %u 1", uid);
	if (!write_text("/proc/self/uid_map", map))
		return false;
	snprintf(map, sizeof map, "0 %u 1", gid);
	return write_text("/proc/self/gid_map", map);
}

#endif
