// SPDX-License-Identifier: Apache-2.0
/* The directories of containers: made by one winner, locked, written whole, removed. */
#include "state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fd.h"
#include "../base/str.h"
#include "../core/chars.h"
#include "state_files.h"
#include "../base/banned.h"

enum { PATH_SHOWN = 200, TREE_DEPTH = 8, ENTRIES_SIZE = 8192 };

const char *state_bad_id(const char *id)
{
	size_t i;

	for (i = 0; id[i]; i++)
		if (!is_alnum(id[i]) && !strchr("_+.-", id[i]))
			return "invalid container ID format (letters, digits and _ + . - may be in "
			       "it)";
	if (!i || id[0] == '-' || !strcmp(id, ".") || !strcmp(id, ".."))
		return "invalid container ID format (it is empty, '.', '..' or begins with '-')";
	if (i > STATE_ID_MAX)
		return "invalid container ID format (it has more than 255 letters)";
	return NULL;
}

static int fail_path(struct err *e, int errnum, const char *path, const char *what)
{
	struct arena a = { 0 };

	fail(e, errnum, "%s: %s", printable(&a, path, PATH_SHOWN), what);
	arena_release(&a);
	return -1;
}

/* The directories above it, too; those that are there stay as they are. */
static int make_path(const char *path)
{
	char made[PATH_MAX];
	size_t len = strlen(path), i;

	if (len >= sizeof made) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(made, path, len + 1);
	for (i = 1; i <= len; i++) {
		if (made[i] != '/' && made[i] != '\0')
			continue;
		made[i] = '\0';
		if (mkdir(made, 0700) && errno != EEXIST)
			return -1;
		made[i] = path[i];
	}
	return 0;
}

static bool is_root_directory(const struct stat *st)
{
	struct stat top;

	return !stat("/", &top) && top.st_dev == st->st_dev && top.st_ino == st->st_ino;
}

int state_root(const char *path, bool make, struct err *e)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	autofd int fd = -1;
	char name[PATH_MAX];
	size_t len = strlen(path);
	struct stat st;

	/* "dir/" would be followed if dir were a link. */
	while (len > 1 && path[len - 1] == '/')
		len--;
	if (!len || len >= sizeof name)
		return fail_path(e, len ? ENAMETOOLONG : ENOENT, path, "state directory (--root)");
	memcpy(name, path, len);
	name[len] = '\0';

	fd = open(name, flags);
	if (fd < 0 && errno == ENOENT && make) {
		if (make_path(name))
			return fail_path(e, errno, name, "cannot make the state directory");
		fd = open(name, flags);
	}
	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return fail_path(e, 0, name, "the state directory is a link or no directory");
	if (fd < 0)
		return fail_path(e, errno, name, "state directory");
	if (fstat(fd, &st))
		return fail_path(e, errno, name, "state directory");
	if (is_root_directory(&st))
		return fail_path(e, 0, name, "cannot be the state directory");
	if (st.st_uid != geteuid())
		return fail_path(e, 0, name, "the state directory belongs to another user");
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return fail_path(e, 0, name,
				 "others may write to the state directory (chmod go-w it)");
	return fd_steal(&fd);
}

int state_gone(struct err *e)
{
	fail(e, 0, "container does not exist");
	e->errnum = ENOENT;
	return -1;
}

bool state_is_linked(const struct state *s)
{
	struct stat named, opened;

	/* Who cannot look has not seen it gone. */
	if (fstatat(s->root, s->id, &named, AT_SYMLINK_NOFOLLOW) || fstat(s->dir, &opened))
		return errno != ENOENT;
	return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

static int lock(struct state *s, struct err *e)
{
	while (flock(s->dir, LOCK_EX))
		if (errno != EINTR)
			return fail(e, errno, "%s: cannot lock the state directory", s->id);
	s->locked = true;
	return 0;
}

void state_unlock(struct state *s)
{
	/* Said, not left to close(): a child may still have the descriptor. */
	if (s->locked)
		flock(s->dir, LOCK_UN);
	s->locked = false;
}

void state_close(struct state *s)
{
	state_unlock(s);
	fd_cleanup(&s->dir);
}

static int open_dir(int root, const char *id)
{
	return openat(root, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int already_exists(struct state *s, struct err *e)
{
	if (s->dir >= 0)
		state_close(s);
	return fail(e, 0, "container with given ID already exists");
}

/* state_make - one winner
 * mkdirat() lets one of many pass. Until that one has the lock, `delete` may take the directory for
 * a leftover and remove it, and a third may make it again; so whoever gets the lock first on a
 * directory that is still in its place, and has no state, has won.
 */
int state_make(int root, const char *id, struct state *s, struct err *e)
{
	const char *bad = state_bad_id(id);

	if (bad)
		return fail(e, 0, "%s", bad);
	for (;;) {
		*s = (struct state){ .root = root, .dir = -1, .id = id };
		if (mkdirat(root, id, 0700))
			return errno == EEXIST
				       ? already_exists(s, e)
				       : fail(e, errno, "%s: cannot make the state directory", id);
		s->dir = open_dir(root, id);
		if (s->dir < 0 && errno == ENOENT)
			continue;
		if (s->dir < 0) {
			fail(e, errno, "%s: state directory", id);
			unlinkat(root, id, AT_REMOVEDIR);
			return -1;
		}
		/* Only an empty one goes; should it be another's by now, that one tries again. */
		if (lock(s, e)) {
			unlinkat(root, id, AT_REMOVEDIR);
			state_close(s);
			return -1;
		}
		if (!state_is_linked(s)) {
			state_close(s);
			continue;
		}
		if (!faccessat(s->dir, STATE_FILE, F_OK, AT_SYMLINK_NOFOLLOW))
			return already_exists(s, e);
		return 0;
	}
}

/* A new file. What has its name was left behind by one that was killed: the lock is ours. */
static int write_new(const struct state *s, const char *name, const char *text, size_t len,
		     struct err *e)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	autofd int fd = openat(s->dir, name, flags, 0600);

	if (fd < 0 && errno == EEXIST && !unlinkat(s->dir, name, 0))
		fd = openat(s->dir, name, flags, 0600);
	if (fd < 0)
		return fail(e, errno, "%s: cannot make %s", s->id, name);
	if (!fd_write_all(fd, name, text, len, e))
		return 0;
	unlinkat(s->dir, name, 0);
	return fail_in(e, "%s", s->id);
}

static int put_in_place(const struct state *s, const char *from, const char *to, struct err *e)
{
	if (renameat(s->dir, from, s->dir, to))
		return fail(e, errno, "%s: cannot put %s into its place", s->id, to);
	return 0;
}

/* No fsync(): after a loss of power the container is gone as well, and a damaged file is not
 * believed.
 */
int state_save(struct state *s, const char *text, size_t len, struct err *e)
{
	if (write_new(s, STATE_NEW, text, len, e))
		return -1;
	return put_in_place(s, STATE_NEW, STATE_FILE, e);
}

int state_note_pid(struct state *s, pid_t pid, struct err *e)
{
	struct process_stat st;
	char text[PID_FILE_MAX];
	int len;

	if (!process_stat(pid, &st))
		return fail(e, 0, "%s: the container's first process is gone", s->id);
	len = snprintf(text, sizeof text, "%d %llu\n", (int)pid, (unsigned long long)st.start_time);
	if (write_new(s, PID_NEW, text, (size_t)len, e))
		return -1;
	s->pid = pid;
	s->start_time = st.start_time;
	return 0;
}

int state_save_pid(struct state *s, pid_t pid, struct err *e)
{
	if (s->pid != pid && state_note_pid(s, pid, e))
		return -1;
	if (put_in_place(s, PID_NEW, PID_FILE, e))
		return -1;
	s->ready = true;
	return 0;
}

int state_open(int root, const char *id, struct state *s, struct err *e)
{
	const char *bad = state_bad_id(id);

	*s = (struct state){ .root = root, .dir = -1, .id = id };
	if (bad)
		return fail(e, 0, "%s", bad);
	s->dir = open_dir(root, id);
	if (s->dir < 0 && errno == ENOENT)
		return state_gone(e);
	if (s->dir < 0)
		return fail(e, errno, "%s: corrupt state: cannot open its directory", id);
	return 0;
}

int state_lock(struct state *s, struct err *e)
{
	if (lock(s, e))
		return -1;
	if (!state_is_linked(s)) {
		state_unlock(s);
		return state_gone(e);
	}
	state_read_pid(s);
	return 0;
}

/* One entry after the other; NULL at the end. */
struct entries {
	_Alignas(struct dirent64) char buf[ENTRIES_SIZE];
	size_t at, len;
	int errnum; /* why it ended; 0: there are no more */
};

static const struct dirent64 *next_entry(int dir, struct entries *en)
{
	const struct dirent64 *d;
	ssize_t n;

	for (;;) {
		if (en->at >= en->len) {
			n = getdents64(dir, en->buf, sizeof en->buf);
			if (n <= 0) {
				en->errnum = n ? errno : 0;
				return NULL;
			}
			en->len = (size_t)n;
			en->at = 0;
		}
		d = (const struct dirent64 *)(const void *)(en->buf + en->at);
		en->at += d->d_reclen;
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			return d;
	}
}

/* Everything but the file that is to go last. */
static int empty_dir(int dir, int depth, const char *last)
{
	autofd int below = -1;
	struct entries en = { .at = 0 };
	const struct dirent64 *d;

	if (lseek(dir, 0, SEEK_SET) < 0)
		return -1;
	while ((d = next_entry(dir, &en))) {
		if (last && !strcmp(d->d_name, last))
			continue;
		if (!unlinkat(dir, d->d_name, 0) || errno == ENOENT)
			continue;
		if (errno != EISDIR)
			return -1;
		below = depth < TREE_DEPTH ? open_dir(dir, d->d_name) : -1;
		if (below < 0 || empty_dir(below, depth + 1, NULL) ||
		    unlinkat(dir, d->d_name, AT_REMOVEDIR))
			return -1;
		fd_cleanup(&below);
	}
	return 0;
}

/* The state goes last: whoever is killed half-way leaves a container that can still be deleted. */
int state_remove(struct state *s, struct err *e)
{
	if (empty_dir(s->dir, 0, STATE_FILE) || empty_dir(s->dir, 0, NULL) ||
	    (unlinkat(s->root, s->id, AT_REMOVEDIR) && errno != ENOENT))
		return fail(e, errno, "%s: cannot remove the state directory", s->id);
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int state_list(struct arena *a, int root, struct strings *ids, struct err *e)
{
	struct entries en = { .at = 0 };
	const struct dirent64 *d;

	*ids = (struct strings){ 0 };
	if (lseek(root, 0, SEEK_SET) < 0)
		return fail(e, errno, "cannot read the state directory");
	while ((d = next_entry(root, &en)))
		if ((d->d_type == DT_DIR || d->d_type == DT_UNKNOWN) && !state_bad_id(d->d_name))
			*arena_push(a, ids->v, ids->n) = arena_strdup(a, d->d_name);
	if (en.errnum)
		return fail(e, en.errnum, "cannot read the state directory");
	if (ids->n)
		qsort(ids->v, ids->n, sizeof *ids->v, compare_names);
	return 0;
}

const char *state_now(struct arena *a)
{
	char text[CLOCK_TEXT];

	return arena_strdup(a, clock_now(true, text));
}
