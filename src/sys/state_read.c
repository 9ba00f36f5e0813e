// SPDX-License-Identifier: Apache-2.0
/* Reading what is kept of a container, believing none of it blindly, and what follows: its status. */
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../core/names.h"
#include "state_files.h"
#include "../base/banned.h"

/* Of /proc/PID/stat, counted from the one behind the name, which is field 3. */
enum { STAT_THREADS = 20 - 3, STAT_START_TIME = 22 - 3, STAT_SIZE = 1024 };

enum { LISTEN_BACKLOG = 16 };

/* The name of a process may have blanks and brackets, so fields are counted from the last one. */
bool process_stat_parse(const char *text, size_t len, struct process_stat *st)
{
	const char *end = text + len, *p = memrchr(text, ')', len), *next;
	int field;

	if (!p || end - p < 3 || p[1] != ' ')
		return false;
	p += 2;
	st->state = *p;
	for (field = 0; field <= STAT_START_TIME; field++, p = next + 1) {
		next = memchr(p, ' ', (size_t)(end - p));
		if (!next)
			return false;
		if (field == STAT_THREADS && !parse_u64(p, (size_t)(next - p), &st->threads))
			return false;
		if (field == STAT_START_TIME && !parse_u64(p, (size_t)(next - p), &st->start_time))
			return false;
	}
	return true;
}

bool process_stat(pid_t pid, struct process_stat *st)
{
	autofd int fd = -1;
	char path[32], text[STAT_SIZE];
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text);
	return n > 0 && process_stat_parse(text, (size_t)n, st);
}

bool state_parse_pid(const char *text, size_t len, pid_t *pid, uint64_t *start_time)
{
	const char *blank = memchr(text, ' ', len);
	size_t first = blank ? (size_t)(blank - text) : 0;
	uint64_t number, time;

	if (!blank || text[len - 1] != '\n' || first + 2 > len)
		return false;
	if (!parse_u64(text, first, &number) || !number || number > INT32_MAX)
		return false;
	if (!parse_u64(blank + 1, len - first - 2, &time))
		return false;
	*pid = (pid_t)number;
	*start_time = time;
	return true;
}

static const char *distrust(const struct stat *st)
{
	if (st->st_uid != geteuid())
		return "it belongs to another user";
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return "others may write to it";
	return NULL;
}

/* A file of ours; -1 with an error or, when it is not there, with errnum ENOENT. */
static int open_file(const struct state *s, const char *name, struct err *e)
{
	autofd int fd = -1;
	const char *why;
	struct stat st;

	/* O_NONBLOCK: nothing waits for the writer of a FIFO. */
	fd = openat(s->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return fail(e, errno, "%s file", name);
	if (!S_ISREG(st.st_mode))
		return fail(e, 0, "%s file: not a regular file", name);
	why = distrust(&st);
	if (why)
		return fail(e, 0, "%s file: %s", name, why);
	return fd_steal(&fd);
}

static int check_dir(const struct state *s, struct err *e)
{
	const char *why;
	struct stat st;

	if (fstat(s->dir, &st))
		return fail(e, errno, "its directory");
	why = distrust(&st);
	return why ? fail(e, 0, "its directory: %s", why) : 0;
}

static bool read_pid_file(struct state *s, const char *name)
{
	autofd int fd = -1;
	char text[PID_FILE_MAX];
	struct err ignored;
	ssize_t n;

	fd = open_file(s, name, &ignored);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text);
	return n > 0 && state_parse_pid(text, (size_t)n, &s->pid, &s->start_time);
}

void state_read_pid(struct state *s)
{
	struct err ignored;

	s->pid = 0;
	s->start_time = 0;
	s->ready = false;
	if (check_dir(s, &ignored))
		return;
	s->ready = read_pid_file(s, PID_FILE);
	if (!s->ready)
		read_pid_file(s, PID_NEW);
}

static int want_string(const struct json *doc, const char *key, const char **out, struct err *e)
{
	const struct json *v = json_get(doc, key);

	if (!v || v->type != JSON_STRING)
		return fail(e, 0, "%s: expected a string", key);
	*out = v->text;
	return 0;
}

static int want_u32(const struct json *doc, const char *key, uint32_t *out, struct err *e)
{
	const struct json *v = json_get(doc, key);
	uint64_t n;

	if (!v || v->type != JSON_NUMBER || !parse_u64(v->text, v->len, &n) || n > UINT32_MAX)
		return fail(e, 0, "%s: expected a number", key);
	*out = (uint32_t)n;
	return 0;
}

static int want_annotations(struct arena *a, const struct json *doc, struct pairs *out,
			    struct err *e)
{
	const struct json *v = json_get(doc, "annotations"), *m;

	*out = (struct pairs){ 0 };
	if (!v)
		return 0;
	if (v->type != JSON_OBJECT)
		return fail(e, 0, "annotations: expected an object");
	for (m = v->first; m; m = m->next) {
		if (m->type != JSON_STRING)
			return fail(e, 0, "annotations: expected strings");
		*arena_push(a, out->v, out->n) =
			(struct pair){ .key = m->key, .value = m->text, .at = m };
	}
	return 0;
}

int state_parse(struct arena *a, const char *text, size_t len, struct state *s, struct err *e)
{
	const struct json *doc;
	struct state r = *s;
	uint32_t version;
	const char *id;

	if (json_parse(a, text, len, &doc, e))
		return -1;
	if (doc->type != JSON_OBJECT)
		return fail(e, 0, "expected an object");
	if (want_u32(doc, "version", &version, e))
		return -1;
	if (version != STATE_VERSION)
		return fail(e, 0, "version: made by another version of credsbox");
	if (want_string(doc, "id", &id, e))
		return -1;
	if (strcmp(id, s->id))
		return fail(e, 0, "id: it is another container's");
	if (want_string(doc, "ociVersion", &r.oci_version, e) ||
	    want_string(doc, "bundle", &r.bundle, e) || want_string(doc, "rootfs", &r.rootfs, e) ||
	    want_string(doc, "created", &r.created, e) || want_u32(doc, "owner", &r.owner, e) ||
	    want_annotations(a, doc, &r.annotations, e))
		return -1;
	r.doc = doc;
	*s = r;
	return 0;
}

/* Whether somebody else has the lock. A descriptor of our own: the lock of ours would be changed. */
static bool is_locked_by_other(const struct state *s)
{
	autofd int fd = -1;

	if (s->locked)
		return false;
	fd = openat(s->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
}

static int read_doc(struct arena *a, struct state *s, struct err *e)
{
	autofd int fd = -1;
	const char *text;
	size_t len;

	if (check_dir(s, e))
		return -1;
	fd = open_file(s, STATE_FILE, e);
	if (fd < 0)
		return -1;
	e->errnum = 0;
	if (fd_read_all(a, fd, "state file", JSON_MAX_SIZE, &text, &len, e))
		return -1;
	return state_parse(a, text, len, s, e) ? fail_in(e, "state file") : 0;
}

int state_read(struct arena *a, struct state *s, bool any_state, struct err *e)
{
	const struct state bare = {
		.root = s->root, .dir = s->dir, .id = s->id, .locked = s->locked
	};
	int rc;

	*s = bare;
	e->errnum = 0;
	rc = read_doc(a, s, e);
	if (rc && !state_is_linked(s))
		return state_gone(e);
	state_read_pid(s);
	if (!rc || any_state)
		return 0;
	if (e->errnum == ENOENT && is_locked_by_other(s))
		return fail(e, 0, "%s: the container is being created", s->id);
	return fail_in(e, "%s: corrupt state (credsbox delete --force removes it)", s->id);
}

int state_load(struct arena *a, int root, const char *id, bool any_state, struct state *s,
	       struct err *e)
{
	if (state_open(root, id, s, e))
		return -1;
	if (!state_read(a, s, any_state, e))
		return 0;
	state_close(s);
	return -1;
}

/* A first thread that has ended is a zombie as well, while the others run on. */
static bool is_alive(const struct state *s)
{
	struct process_stat st;

	if (!s->pid || !process_stat(s->pid, &st) || st.start_time != s->start_time)
		return false;
	return !strchr("ZXx", st.state) || st.threads > 1;
}

/* Through the descriptor: the path of a socket may have 107 bytes only. */
static void socket_address(const struct state *s, struct sockaddr_un *un)
{
	*un = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(un->sun_path, sizeof un->sun_path, "/proc/self/fd/%d/" START_SOCKET, s->dir);
}

static int connect_to(const struct state *s, int flags)
{
	autofd int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0);
	struct sockaddr_un un;

	socket_address(s, &un);
	if (fd < 0)
		return -1;
	while (connect(fd, (const struct sockaddr *)&un, sizeof un))
		if (errno != EINTR)
			return -1;
	return fd_steal(&fd);
}

int state_connect(const struct state *s)
{
	return connect_to(s, 0);
}

int state_listen(const struct state *s, struct err *e)
{
	autofd int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un un;

	socket_address(s, &un);
	unlinkat(s->dir, START_SOCKET, 0);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&un, sizeof un) ||
	    listen(fd, LISTEN_BACKLOG))
		return fail(e, errno, "%s: " START_SOCKET, s->id);
	return fd_steal(&fd);
}

void state_unlisten(const struct state *s)
{
	unlinkat(s->dir, START_SOCKET, 0);
}

static bool waits_for_start(const struct state *s)
{
	autofd int fd = connect_to(s, SOCK_NONBLOCK);

	/* A full queue, of a frozen container say, is somebody who listens. */
	return fd >= 0 || (errno != ECONNREFUSED && errno != ENOENT);
}

enum status state_status(struct state *s)
{
	bool busy = !s->ready && is_locked_by_other(s);

	/* In this order: `create` may end between the two looks. */
	if (!s->ready)
		state_read_pid(s);
	if (!s->ready && busy)
		return STATUS_CREATING;
	if (!is_alive(s))
		return STATUS_STOPPED;
	/* `create` was killed, and its child has not noticed yet. */
	if (!s->ready)
		return STATUS_CREATING;
	if (waits_for_start(s))
		return STATUS_CREATED;
	return is_alive(s) ? STATUS_RUNNING : STATUS_STOPPED;
}

const char *status_name(enum status s)
{
	switch (s) {
	case STATUS_CREATING: return "creating";
	case STATUS_CREATED: return "created";
	case STATUS_RUNNING: return "running";
	case STATUS_PAUSED: return "paused";
	case STATUS_STOPPED: return "stopped";
	}
	return "unknown";
}

/* The number may have gone to another process before it was opened, but not afterwards. */
int state_pidfd(const struct state *s)
{
	autofd int fd = -1;

	errno = ESRCH;
	if (!s->pid)
		return -1;
	fd = pidfd_open(s->pid, 0);
	if (fd < 0 && errno != EINVAL)
		return -1;
	if (fd >= 0 && is_alive(s))
		return fd_steal(&fd);
	fd_cleanup(&fd);
	errno = ESRCH;
	return -1;
}
