// SPDX-License-Identifier: Apache-2.0
/* The audit file: lines are appended whole, in order, and are on the disk before anything starts. */
#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fd.h"
#include "../base/json.h"
#include "../base/str.h"
#include "../base/banned.h"

enum {
	SHOWN = 200,            /* of a path: what fits into an error together with a reason */
	TAIL_FIRST = 16 * 1024, /* bytes that are read for the last line, at first and at most */
	TAIL_LAST = 4 * 1024 * 1024,
	ROTATIONS = 100, /* that may come between opening the file and its lock */
	KEY_SIZE = 32,
};

static const char key_name[] = "audit.key";
static const int open_flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

/* A file of the directory, by descriptor from the first look at it to the last. */
struct ledger {
	struct arena *arena;
	const char *dir_path, *name;
	const char *shown; /* the whole path */
	int dir, fd;
	off_t size; /* what of it counts: up to the end of the last whole line */
	bool is_new;
	struct record_chain chain;
};

/* All of it 0700: what is in there is nobody else's business. */
static void make_dirs(struct arena *a, const char *path)
{
	char *copy = arena_strdup(a, path), *slash = copy;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(copy, 0700);
		*slash = '/';
	}
	mkdir(copy, 0700);
}

static int open_dir(struct arena *a, const char *file, struct ledger *l, struct err *e)
{
	const char *slash = strrchr(file, '/');

	*l = (struct ledger){ .arena = a, .dir = -1, .fd = -1 };
	l->shown = printable(a, file, SHOWN);
	if (file[0] != '/' || !slash[1])
		return fail(e, 0, "audit: %s: not the absolute path of a file", l->shown);
	l->name = slash + 1;
	l->dir_path = slash == file ? "/" : arena_strndup(a, file, (size_t)(slash - file));
	l->dir = open(l->dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->dir < 0 && errno == ENOENT) {
		make_dirs(a, l->dir_path);
		l->dir = open(l->dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (l->dir < 0)
		return fail(e, errno,
			    "audit: %s: its directory (remedy: audit.file of a policy names a "
			    "place that can be written)",
			    l->shown);
	return 0;
}

/* Nobody else can have written it, and nobody else can. */
static int check(int fd, const char *shown, mode_t forbidden, struct stat *st, struct err *e)
{
	if (fstat(fd, st))
		return fail(e, errno, "audit: %s", shown);
	if (!S_ISREG(st->st_mode))
		return fail(e, 0, "audit: %s: not a regular file", shown);
	if (st->st_uid != geteuid())
		return fail(e, 0, "audit: %s: belongs to user %u (remedy: move it away)", shown,
			    st->st_uid);
	if (st->st_mode & forbidden)
		return fail(e, 0, "audit: %s: open to others (remedy: chmod 600)", shown);
	return 0;
}

static int take_lock(int fd, int how)
{
	int failed;

	do
		failed = flock(fd, how);
	while (failed && errno == EINTR);
	return failed;
}

/* The file under its name, locked. While we wait for the lock it may get another name: the records
 * after that belong into the next file.
 */
static int open_file(struct ledger *l, struct err *e)
{
	struct stat st, named;
	int i;

	for (i = 0; i < ROTATIONS; i++) {
		fd_cleanup(&l->fd);
		l->fd = openat(l->dir, l->name, O_RDWR | O_APPEND | O_CREAT | open_flags, 0600);
		if (l->fd < 0)
			return errno == ELOOP ? fail(e, 0, "audit: %s: a symbolic link", l->shown)
					      : fail(e, errno, "audit: %s", l->shown);
		if (check(l->fd, l->shown, S_IWGRP | S_IWOTH, &st, e))
			return -1;
		if (take_lock(l->fd, LOCK_EX) || fstat(l->fd, &st))
			return fail(e, errno, "audit: %s: cannot lock it", l->shown);
		l->size = st.st_size;
		l->is_new = !st.st_size;
		if (!fstatat(l->dir, l->name, &named, AT_SYMLINK_NOFOLLOW) &&
		    named.st_dev == st.st_dev && named.st_ino == st.st_ino)
			return 0;
	}
	return fail(e, 0, "audit: %s: renamed again and again", l->shown);
}

/* The number of the line after it, and its hash. */
static int read_line(struct ledger *l, const char *line, size_t len, struct err *e)
{
	const struct json *top, *seq, *prev;
	char *end = NULL;

	if (!json_parse(l->arena, line, len, &top, e)) {
		seq = json_get(top, "seq");
		prev = json_get(top, "prev");
		if (seq && seq->type == JSON_NUMBER && prev && prev->type == JSON_STRING &&
		    prev->len == 2 * (size_t)HASH_SIZE) {
			errno = 0;
			l->chain.seq = strtoull(seq->text, &end, 10) + 1;
			if (!errno && !*end && seq->text[0] != '-' && l->chain.seq <= INT64_MAX) {
				hash_sha256(line, len, l->chain.last);
				return 0;
			}
		}
	}
	return fail(e, 0,
		    "audit: %s: its last line is no record (remedy: see to it, then move the file "
		    "away)",
		    l->shown);
}

/* Where a chain stands that this file ends with. *size becomes the end of its last whole line: what follows is from a
 * writer that was killed, whose container never started.
 */
static int read_tail(struct ledger *l, int fd, off_t *size, struct err *e)
{
	size_t want = TAIL_FIRST, n;
	const char *end, *begin;
	char *text;

	for (; *size; want *= 16) {
		n = (off_t)want < *size ? want : (size_t)*size;
		text = arena_alloc(l->arena, n);
		if (pread(fd, text, n, *size - (off_t)n) != (ssize_t)n)
			return fail(e, errno, "audit: %s: cannot read its end", l->shown);
		end = memrchr(text, '\n', n);
		begin = end ? memrchr(text, '\n', (size_t)(end - text)) : NULL;
		if (begin || (end && (off_t)n == *size)) {
			begin = begin ? begin + 1 : text;
			*size -= text + n - (end + 1);
			return read_line(l, begin, (size_t)(end - begin), e);
		}
		if ((off_t)n == *size)
			*size = 0;
		else if (want >= TAIL_LAST)
			return fail(e, 0, "audit: %s: its last line does not end", l->shown);
	}
	return 0;
}

/* The old file's last writer may still be at work: we come after it. */
static int read_rotated(struct ledger *l, struct err *e)
{
	const char *name = arena_printf(l->arena, "%s.1", l->name);
	autofd int fd = openat(l->dir, name, O_RDONLY | open_flags);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 0;
	l->shown = arena_printf(l->arena, "%s.1", l->shown);
	if (fd < 0)
		return fail(e, errno, "audit: %s", l->shown);
	if (check(fd, l->shown, S_IWGRP | S_IWOTH, &st, e))
		return -1;
	if (take_lock(fd, LOCK_SH) || fstat(fd, &st))
		return fail(e, errno, "audit: %s: cannot lock it", l->shown);
	return read_tail(l, fd, &st.st_size, e);
}

static int write_lines(const struct ledger *l, const char *text, size_t len)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		n = write(l->fd, text + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		done += (size_t)n;
	}
	if (fdatasync(l->fd) || (l->is_new && fsync(l->dir)))
		return errno;
	return 0;
}

/* All of it, or nothing. */
static int append(struct ledger *l, const char *text, size_t len, struct err *e)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t too_large, old;
	int error;

	/* The caller's limit on the size of files comes as a signal that would kill us. */
	sigemptyset(&too_large);
	sigaddset(&too_large, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &too_large, &old);
	error = write_lines(l, text, len);
	sigtimedwait(&too_large, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!error)
		return 0;
	if (ftruncate(l->fd, l->size))
		return fail(e, error, "audit: %s: cannot write, nor take back a part of it",
			    l->shown);
	return fail(e, error, "audit: %s: cannot write", l->shown);
}

static void make_lines(struct ledger *l, const struct plan *p, struct record_context ctx,
		       struct ledger_text *lines)
{
	char now[CLOCK_TEXT];

	ctx.time = clock_now(true, now);
	lines->text = record_lines(l->arena, p, &ctx, &l->chain, &lines->len);
}

static int append_plan(struct ledger *l, const struct plan *p, struct record_context ctx,
		       struct ledger_text *lines, struct err *e)
{
	const char *shown = l->shown;
	off_t whole;

	if (open_file(l, e))
		return -1;
	whole = l->size;
	if (read_tail(l, l->fd, &whole, e) || (!whole && read_rotated(l, e)))
		return -1;
	l->shown = shown;
	if (whole != l->size && ftruncate(l->fd, whole))
		return fail(e, errno, "audit: %s: cannot cut off half a line", l->shown);
	l->size = whole;
	make_lines(l, p, ctx, lines);
	if (!lines->text)
		return fail(e, 0, "audit: %s: one start has more records than 64 MiB", l->shown);
	return append(l, lines->text, lines->len, e);
}

int ledger_append(struct arena *a, const struct plan *p, const char *id, const char *command,
		  struct ledger_text *lines, struct err *e)
{
	const struct record_context ctx = { .id = id, .command = command };
	struct ledger l;
	int failed;

	*lines = (struct ledger_text){ 0 };
	if (!p->policy->audit_file)
		return 0;
	failed = open_dir(a, p->policy->audit_file, &l, e) || append_plan(&l, p, ctx, lines, e);
	fd_cleanup(&l.fd);
	fd_cleanup(&l.dir);
	if (!failed)
		return 0;
	if (p->policy->audit_required)
		return -1;
	l.chain = (struct record_chain){ 0 };
	make_lines(&l, p, ctx, lines);
	return 1;
}

/* 0, or 1 when there is none, or -1. */
static int read_key(const struct ledger *l, const char *shown, uint8_t key[KEY_SIZE], struct err *e)
{
	autofd int fd = openat(l->dir, key_name, O_RDONLY | open_flags);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 1;
	if (fd < 0)
		return fail(e, errno, "audit: %s", shown);
	if (check(fd, shown, S_IRWXG | S_IRWXO, &st, e))
		return -1;
	if (st.st_size != KEY_SIZE || pread(fd, key, KEY_SIZE, 0) != KEY_SIZE)
		return fail(e, 0, "audit: %s: not a key of %d bytes (remedy: move it away)", shown,
			    KEY_SIZE);
	return 0;
}

/* Written under another name and then given its own: nobody ever reads half of it, and of two who
 * make one the first wins.
 */
static int make_key(const struct ledger *l, const char *shown, struct err *e)
{
	uint8_t key[KEY_SIZE], salt[8];
	char hex[2 * sizeof salt + 1];
	const char *name;
	autofd int fd = -1;
	int error = 0;

	if (getrandom(key, sizeof key, 0) != sizeof key ||
	    getrandom(salt, sizeof salt, 0) != sizeof salt)
		return fail(e, errno, "no random numbers");
	hash_hex(salt, sizeof salt, hex);
	name = arena_printf(l->arena, "%s.%s", key_name, hex);
	fd = openat(l->dir, name, O_WRONLY | O_CREAT | O_EXCL | open_flags, 0600);
	if (fd < 0)
		return fail(e, errno, "audit: %s: cannot make it", shown);
	errno = 0;
	if (fchmod(fd, 0600) || write(fd, key, sizeof key) != sizeof key || fsync(fd) ||
	    (linkat(l->dir, name, l->dir, key_name, 0) && errno != EEXIST))
		error = errno ? errno : ENOSPC;
	unlinkat(l->dir, name, 0);
	explicit_bzero(key, sizeof key);
	if (error)
		return fail(e, error, "audit: %s: cannot make it", shown);
	fsync(l->dir);
	return 0;
}

int ledger_key(const char *audit_file, uint8_t key[KEY_SIZE], struct err *e)
{
	struct arena a = { 0 };
	struct ledger l;
	const char *shown;
	int result = -1;

	if (!open_dir(&a, audit_file, &l, e)) {
		shown = printable(&a, arena_printf(&a, "%s/%s", l.dir_path, key_name), SHOWN);
		result = read_key(&l, shown, key, e);
		if (result > 0 && !make_key(&l, shown, e))
			result = read_key(&l, shown, key, e);
	}
	fd_cleanup(&l.dir);
	arena_release(&a);
	return result ? -1 : 0;
}

int ledger_facts(const struct policy *p, struct facts *f, struct err *e)
{
	uint8_t key[KEY_SIZE];

	if (!p->audit_file)
		return 0;
	if (ledger_key(p->audit_file, key, e))
		return p->audit_required ? -1 : 0;
	memcpy(f->key, key, sizeof f->key);
	explicit_bzero(key, sizeof key);
	return 0;
}
