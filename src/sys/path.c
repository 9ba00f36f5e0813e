// SPDX-License-Identifier: Apache-2.0
/* Paths in a root that somebody hostile made: opened in it, made in it, used by descriptor. */
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

/* A rename somewhere makes the kernel give up with EAGAIN; who renames for ever gets an error. */
enum { TRIES_MOST = 128, LINKS_MOST = 40 };

static int open_how(int dir, const char *path, int flags, uint64_t resolve)
{
	struct open_how how = { .flags = (uint64_t)(unsigned)flags | O_CLOEXEC,
				.resolve = resolve };
	int fd = -1, tries;

	for (tries = 0; tries < TRIES_MOST; tries++) {
		fd = (int)syscall(SYS_openat2, dir, *path ? path : ".", &how, sizeof how);
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return fd;
}

int path_open(int root, const char *path, int flags)
{
	return open_how(root, path, flags, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
}

int path_open_real(int root, const char *path, int flags)
{
	return open_how(root, path, flags,
			RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS);
}

/* A path on its way: what is resolved has no links in it, the rest is text yet. */
struct walk {
	int root;
	char done[PATH_MAX], rest[PATH_MAX];
	unsigned links, races;
};

static bool is_last(const struct walk *w)
{
	return !w->rest[strspn(w->rest, "/")];
}

/* Takes the next component off the rest; false at the end. */
static bool next_name(struct walk *w, char name[NAME_MAX + 1], int *error)
{
	size_t skip = strspn(w->rest, "/"), len = strcspn(w->rest + skip, "/");

	*error = len > NAME_MAX ? ENAMETOOLONG : 0;
	if (!len || *error)
		return false;
	memcpy(name, w->rest + skip, len);
	name[len] = '\0';
	memmove(w->rest, w->rest + skip + len, strlen(w->rest + skip + len) + 1);
	return true;
}

static int push_name(char *to, const char *name)
{
	size_t len = strlen(to);

	if (len + strlen(name) + 2 > PATH_MAX)
		return ENAMETOOLONG;
	snprintf(to + len, PATH_MAX - len, "%s%s", len ? "/" : "", name);
	return 0;
}

static void pop_name(char *from)
{
	char *slash = strrchr(from, '/');

	*(slash ? slash : from) = '\0';
}

/* What a link says comes before the rest; from the root when it begins there. */
static int follow(struct walk *w, int link)
{
	char rest[PATH_MAX], target[PATH_MAX];
	ssize_t n = readlinkat(link, "", target, sizeof target - 1);

	if (n < 0)
		return errno;
	if (++w->links > LINKS_MOST)
		return ELOOP;
	target[n] = '\0';
	memcpy(rest, w->rest, sizeof rest);
	n = snprintf(w->rest, sizeof w->rest, "%s/%s", target, rest);
	if ((size_t)n >= sizeof w->rest)
		return ENAMETOOLONG;
	if (target[0] == '/')
		w->done[0] = '\0';
	return 0;
}

static int make_one(const struct walk *w, const char *name, bool dir, mode_t mode)
{
	autofd int parent = path_open_real(w->root, w->done, O_PATH | O_DIRECTORY);
	autofd int file = -1;
	int error = 0;
	mode_t mask;

	if (parent < 0)
		return errno;
	mask = umask(0);
	if (dir) {
		if (mkdirat(parent, name, mode))
			error = errno;
	} else {
		file = openat(parent, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_WRONLY,
			      mode);
		if (file < 0)
			error = errno;
	}
	umask(mask);
	return error;
}

/* One step; a name that appears or goes meanwhile is looked at again. */
static int step(struct walk *w, const char *name, bool dir, mode_t mode)
{
	char path[PATH_MAX];
	autofd int fd = -1;
	struct stat st;
	int error;

	memcpy(path, w->done, sizeof path);
	error = push_name(path, name);
	if (error)
		return error;
	fd = path_open_real(w->root, path, O_PATH | O_NOFOLLOW);
	if (fd < 0 && errno != ENOENT)
		return errno;
	if (fd < 0) {
		bool last = is_last(w);

		error = make_one(w, name, dir || !last, last ? mode : 0755);
		if (error && error != EEXIST)
			return error;
		return ++w->races > TRIES_MOST ? EAGAIN : step(w, name, dir, mode);
	}
	if (fstat(fd, &st))
		return errno;
	if (S_ISLNK(st.st_mode))
		return follow(w, fd);
	if (!S_ISDIR(st.st_mode) && !is_last(w))
		return ENOTDIR;
	memcpy(w->done, path, sizeof path);
	return 0;
}

static int make(int root, const char *path, bool dir, mode_t mode, char *real)
{
	struct walk w = { .root = root };
	char name[NAME_MAX + 1];
	int error = 0;

	if (strlen(path) >= sizeof w.rest) {
		errno = ENAMETOOLONG;
		return -1;
	}
	snprintf(w.rest, sizeof w.rest, "%s", path);
	while (!error && next_name(&w, name, &error)) {
		if (!strcmp(name, ".."))
			pop_name(w.done);
		else if (strcmp(name, "."))
			error = step(&w, name, dir, mode);
	}
	if (error) {
		errno = error;
		return -1;
	}
	if (real && snprintf(real, PATH_MAX, "/%s", w.done) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return path_open_real(root, w.done, O_PATH | (dir ? O_DIRECTORY : 0));
}

int path_make(int root, const char *path, enum path_kind kind, mode_t mode, char *real)
{
	return make(root, path, kind == PATH_DIR, mode, real);
}

int path_make_dir(int root, const char *path, mode_t mode, struct err *e)
{
	int fd = path_open(root, path, O_PATH | O_DIRECTORY);

	if (fd < 0 && errno == ENOENT)
		fd = make(root, path, true, mode, NULL);
	return fd < 0 ? fail(e, errno, "cannot make a directory in the root") : fd;
}

int path_make_file(int root, const char *path, mode_t mode, struct err *e)
{
	int fd = path_open(root, path, O_PATH);

	if (fd < 0 && errno == ENOENT)
		fd = make(root, path, false, mode, NULL);
	return fd < 0 ? fail(e, errno, "cannot make a file in the root") : fd;
}

int path_parent(struct arena *a, int root, const char *path, const char **name, struct err *e)
{
	size_t len = strlen(path), start;
	const char *last;

	while (len && path[len - 1] == '/')
		len--;
	for (start = len; start && path[start - 1] != '/';)
		start--;
	last = arena_strndup(a, path + start, len - start);
	if (!*last || !strcmp(last, ".") || !strcmp(last, ".."))
		return fail(e, EINVAL, "not the name of a file");
	*name = last;
	return path_make_dir(root, arena_strndup(a, path, start), 0755, e);
}

/* "self/..." with the number in its place: no link is followed, not even procfs's own. */
static int without_self(int proc, const char *path, char out[PATH_MAX])
{
	static const char *const links[] = { "self", "thread-self" };
	char target[64];
	ssize_t n;
	size_t i, len;

	snprintf(out, PATH_MAX, "%s", path);
	for (i = 0; i < sizeof links / sizeof links[0]; i++) {
		len = strlen(links[i]);
		if (strncmp(path, links[i], len) || (path[len] && path[len] != '/'))
			continue;
		n = readlinkat(proc, links[i], target, sizeof target - 1);
		if (n < 0)
			return -1;
		target[n] = '\0';
		snprintf(out, PATH_MAX, "%s%s", target, path + len);
	}
	return 0;
}

int proc_open(int proc, const char *path, int flags, struct err *e)
{
	char real[PATH_MAX];
	struct statfs fs;
	int fd;

	if (fstatfs(proc, &fs))
		return fail(e, errno, "proc: cannot be looked at");
	if (fs.f_type != PROC_SUPER_MAGIC)
		return fail(e, 0, "proc: not a proc file system");
	if (without_self(proc, path, real))
		return fail(e, errno, "proc: cannot find this process");
	fd = open_how(proc, real, flags,
		      RESOLVE_BENEATH | RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS |
			      RESOLVE_NO_SYMLINKS);
	if (fd < 0 && errno == EXDEV)
		return fail(e, 0, "proc: something is mounted over '%s'", path);
	return fd < 0 ? fail(e, errno, "proc: '%s'", path) : fd;
}

const char *fd_path(int fd, char *buf)
{
	snprintf(buf, 32, "/proc/self/fd/%d", fd);
	return buf;
}
