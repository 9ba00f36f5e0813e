// SPDX-License-Identifier: Apache-2.0
/* File descriptors that close themselves, and reading whole files within a bound. */
#include "fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "str.h"
#include "banned.h"

/* What fits into an error together with a place and a reason. */
enum { PATH_SHOWN = 200 };

void fd_cleanup(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int fd_steal(int *fd)
{
	int kept = *fd;

	*fd = -1;
	return kept;
}

static size_t size_hint(int fd, size_t max)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return 16 * 1024;
	return (size_t)st.st_size < max ? (size_t)st.st_size + 1 : max + 1;
}

int fd_read_all(struct arena *a, int fd, const char *name, size_t max, const char **text,
		size_t *len, struct err *e)
{
	size_t cap = size_hint(fd, max), n = 0;
	char *buf = arena_alloc(a, cap + 1);
	ssize_t got;

	while ((got = read(fd, buf + n, cap - n)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(e, errno, "%s: cannot read", name);
		n += (size_t)got;
		if (n > max)
			return fail(e, 0, "%s: larger than %zu bytes", name, max);
		if (n < cap)
			continue;
		buf = arena_grow(a, buf, n, cap * 2 + 1);
		cap *= 2;
	}
	buf[n] = '\0';
	*text = buf;
	*len = n;
	return 0;
}

int file_read(struct arena *a, const char *path, bool any_type, size_t max, const char **text,
	      size_t *len, struct err *e)
{
	const char *shown = printable(a, path, PATH_SHOWN);
	autofd int fd = -1;
	struct stat st;

	if (any_type && !strcmp(path, "-"))
		return fd_read_all(a, STDIN_FILENO, "standard input", max, text, len, e);

	/* O_NONBLOCK: a FIFO in the place of a file must not make us wait for a writer. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (any_type ? 0 : O_NONBLOCK));
	if (fd < 0)
		return fail(e, errno, "%s", shown);
	if (fstat(fd, &st))
		return fail(e, errno, "%s", shown);
	if (S_ISDIR(st.st_mode))
		return fail(e, EISDIR, "%s", shown);
	if (!any_type && !S_ISREG(st.st_mode))
		return fail(e, 0, "%s: not a regular file", shown);
	if (S_ISREG(st.st_mode) && (unsigned long long)st.st_size > max)
		return fail(e, 0, "%s: larger than %zu bytes", shown, max);
	return fd_read_all(a, fd, shown, max, text, len, e);
}

int fd_write_all(int fd, const char *name, const char *text, size_t len, struct err *e)
{
	ssize_t n;

	while (len) {
		n = write(fd, text, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(e, errno, "%s: cannot write", name);
		text += n;
		len -= (size_t)n;
	}
	return 0;
}
