// SPDX-License-Identifier: Apache-2.0
/* tmpcopyup: what a new tmpfs covers is in it from the start. */
#include "rootfs_work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fd.h"
#include "path.h"
#include "../base/banned.h"

enum { DEPTH_MOST = 64, CHUNK = 1024 * 1024 };

static int copy_tree(unsigned depth, int from, int to, struct err *e);

static int copy_data(int from, int to, struct err *e)
{
	ssize_t n;

	do {
		n = sendfile(to, from, NULL, CHUNK);
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n < 0 ? fail(e, errno, "tmpcopyup: cannot copy a file") : 0;
}

static int copy_file(int from, int to, const char *name, struct err *e)
{
	autofd int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	autofd int out =
		openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (in < 0 || out < 0)
		return fail(e, errno, "tmpcopyup: cannot copy a file");
	return copy_data(in, out, e);
}

static int copy_link(int from, int to, const char *name, struct err *e)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(from, name, target, sizeof target - 1);

	if (n >= 0)
		target[n] = '\0';
	if (n < 0 || symlinkat(target, to, name))
		return fail(e, errno, "tmpcopyup: cannot copy a link");
	return 0;
}

static int copy_dir(unsigned depth, int from, int to, const char *name, struct err *e)
{
	autofd int in = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	autofd int out = -1;

	if (in < 0 || mkdirat(to, name, 0700))
		return fail(e, errno, "tmpcopyup: cannot copy a directory");
	out = openat(to, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (out < 0)
		return fail(e, errno, "tmpcopyup: cannot copy a directory");
	if (depth == DEPTH_MOST)
		return fail(e, ELOOP, "tmpcopyup: directories are too deep");
	return copy_tree(depth + 1, in, out, e);
}

/* Owner first: a change of owner takes special bits of the mode away. */
static int copy_attributes(int to, const char *name, const struct stat *st, struct err *e)
{
	struct timespec times[2] = { st->st_atim, st->st_mtim };

	if (fchownat(to, name, st->st_uid, st->st_gid, AT_SYMLINK_NOFOLLOW) ||
	    (!S_ISLNK(st->st_mode) && fchmodat(to, name, st->st_mode & 07777, 0)) ||
	    utimensat(to, name, times, AT_SYMLINK_NOFOLLOW))
		return fail(e, errno, "tmpcopyup: cannot set attributes");
	return 0;
}

static int copy_entry(unsigned depth, int from, int to, const char *name, struct err *e)
{
	struct stat st;
	int ret = 0;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW))
		return fail(e, errno, "tmpcopyup");
	switch (st.st_mode & S_IFMT) {
	case S_IFREG: ret = copy_file(from, to, name, e); break;
	case S_IFDIR: ret = copy_dir(depth, from, to, name, e); break;
	case S_IFLNK: ret = copy_link(from, to, name, e); break;
	case S_IFSOCK: return 0; /* nobody listens to a copy */
	default:
		if (mknodat(to, name, st.st_mode, st.st_rdev))
			ret = fail(e, errno, "tmpcopyup: cannot copy a special file");
	}
	return ret ? -1 : copy_attributes(to, name, &st, e);
}

/* Below the new file system nobody else writes: names in it are ours. */
static int copy_tree(unsigned depth, int from, int to, struct err *e)
{
	int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;
	int ret = 0;

	if (!dir) {
		ret = fail(e, errno, "tmpcopyup");
		fd_cleanup(&fd);
		return ret;
	}
	while (!ret && (errno = 0, d = readdir(dir)))
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
			ret = copy_entry(depth, from, to, d->d_name, e);
	if (!ret && errno)
		ret = fail(e, errno, "tmpcopyup");
	closedir(dir);
	return ret;
}

int rootfs_copy(int from, int to, struct err *e)
{
	return copy_tree(0, from, to, e);
}
