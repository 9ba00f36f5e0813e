// SPDX-License-Identifier: Apache-2.0
/* The files of an audit, from the oldest that is left to the newest, line by line in memory that does not grow. */
#include "audit_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/record.h"
#include "../base/banned.h"

enum {
	BUFFER = 4 * RECORD_LINE_MAX,
	FILES_MAX = 512,
	TRIES = 100, /* a rotation may come while they are opened */
	SHOWN = 200,
};

/* 0, 1 when there is none, or -1. What stands in it up to its size is whole: writers come with all of their lines
 * under a lock.
 */
static int open_one(struct arena *a, const char *path, struct audit_source *s, struct err *e)
{
	struct stat st;
	int rc;

	s->shown = printable(a, path, SHOWN);
	s->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (s->fd < 0)
		return errno == ENOENT ? 1 : fail(e, errno, "%s", s->shown);
	do
		rc = flock(s->fd, LOCK_SH);
	while (rc && errno == EINTR);
	rc = fstat(s->fd, &st);
	flock(s->fd, LOCK_UN);
	if (!rc && !S_ISREG(st.st_mode))
		fail(e, 0, "%s: not a regular file", s->shown);
	else if (rc)
		fail(e, errno, "%s", s->shown);
	if (rc || !S_ISREG(st.st_mode)) {
		fd_cleanup(&s->fd);
		return -1;
	}
	s->size = st.st_size;
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	return 0;
}

static bool is_same(const struct audit_source *a, const struct audit_source *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

/* Newest first; 1: they were renamed meanwhile. */
static int open_all(struct arena *a, const char *path, struct audit_files *f, struct err *e)
{
	struct audit_source s;
	int i, rc;

	f->n = 0;
	for (i = 0; i < FILES_MAX; i++) {
		rc = open_one(a, i ? arena_printf(a, "%s.%d", path, i) : path, &s, e);
		if (rc < 0)
			return -1;
		if (rc && i)
			break;
		if (rc)
			continue;
		f->v[f->n++] = s;
		if (f->n > 1 && is_same(&f->v[f->n - 2], &s))
			return 1;
	}
	return 0;
}

int audit_open(struct arena *a, const char *path, struct audit_files *f, struct err *e)
{
	struct audit_source s;
	int i, rc = 1;
	size_t k;

	*f = (struct audit_files){ .buffer = arena_alloc(a, BUFFER) };
	f->v = arena_array(a, FILES_MAX, sizeof *f->v);
	for (i = 0; rc > 0 && i < TRIES; i++) {
		audit_close(f);
		rc = open_all(a, path, f, e);
	}
	if (rc > 0)
		fail(e, 0, "%s: renamed again and again", printable(a, path, SHOWN));
	if (!rc && !f->n)
		rc = fail(e, ENOENT, "%s", printable(a, path, SHOWN));
	if (rc) {
		audit_close(f);
		return -1;
	}
	for (k = 0; k < f->n / 2; k++) {
		s = f->v[k];
		f->v[k] = f->v[f->n - 1 - k];
		f->v[f->n - 1 - k] = s;
	}
	audit_rewind(f);
	return 0;
}

void audit_close(struct audit_files *f)
{
	while (f->n)
		fd_cleanup(&f->v[--f->n].fd);
}

void audit_rewind(struct audit_files *f)
{
	f->begin = f->end = f->current = 0;
	f->at = 0;
	f->line = 0;
}

/* More of the current file behind what is there; 0 at its end. */
static ssize_t fill(struct audit_files *f, struct err *e)
{
	const struct audit_source *s = &f->v[f->current];
	size_t want = BUFFER - (f->end - f->begin);
	ssize_t n;

	memmove(f->buffer, f->buffer + f->begin, f->end - f->begin);
	f->end -= f->begin;
	f->begin = 0;
	if ((off_t)want > s->size - f->at)
		want = (size_t)(s->size - f->at);
	do
		n = pread(s->fd, f->buffer + f->end, want, f->at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail(e, errno, "%s: cannot read", s->shown);
	f->end += (size_t)n;
	f->at += n;
	return n;
}

static void next_file(struct audit_files *f)
{
	f->begin = f->end = 0;
	f->at = 0;
	f->line = 0;
	f->current++;
}

/* All of an endless line but its beginning is read over. */
static int skip_rest(struct audit_files *f, struct audit_text *t, struct err *e)
{
	const char *end = NULL;
	ssize_t n = 1;

	t->text = "";
	t->len = 0;
	while (!end && n > 0) {
		f->begin = f->end;
		n = fill(f, e);
		end = n > 0 ? memchr(f->buffer, '\n', f->end) : NULL;
	}
	if (n < 0)
		return -1;
	f->begin = end ? (size_t)(end + 1 - f->buffer) : f->end;
	return AUDIT_TOO_LONG;
}

int audit_next(struct audit_files *f, struct audit_text *t, struct err *e)
{
	const char *end;
	ssize_t n;

	for (; f->current < f->n; next_file(f)) {
		*t = (struct audit_text){ .source = &f->v[f->current] };
		do {
			end = memchr(f->buffer + f->begin, '\n', f->end - f->begin);
			n = 0;
			if (!end && f->end - f->begin < RECORD_LINE_MAX)
				n = fill(f, e);
		} while (n > 0);
		if (n < 0)
			return -1;
		if (!end && f->begin == f->end)
			continue;
		t->number = ++f->line;
		t->text = f->buffer + f->begin;
		t->len = end ? (size_t)(end - t->text) : f->end - f->begin;
		if (!end && t->len >= RECORD_LINE_MAX)
			return skip_rest(f, t, e);
		f->begin += t->len + (end != NULL);
		if (!end)
			return AUDIT_HALF;
		return t->len < RECORD_LINE_MAX ? AUDIT_LINE : AUDIT_TOO_LONG;
	}
	return AUDIT_END;
}
