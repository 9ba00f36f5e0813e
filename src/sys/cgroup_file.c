// SPDX-License-Identifier: Apache-2.0
/* Control groups: reading and writing their files, making and removing their directories. */
#include "cgroup_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/names.h"
#include "../base/banned.h"

enum { DEPTH_MAX = 64, REMOVE_MS = 2000, PATH_SHOWN = 200 };

bool cg_list_has(const char *list, char sep, const char *word)
{
	size_t len = strlen(word), n;

	for (;; list += n + 1) {
		n = (size_t)(strchrnul(list, sep) - list);
		if (n == len && !memcmp(list, word, len))
			return true;
		if (!list[n])
			return false;
	}
}

const struct cgroup_dir *cg_dir(const struct cgroup *cg, const char *controller)
{
	size_t i;

	for (i = 0; i < cg->n_dirs; i++)
		if (cg_list_has(cg->dirs[i].controllers, ',', controller))
			return &cg->dirs[i];
	return NULL;
}

/* What an ordinary user could not make is in the state file all the same. */
static bool is_usable(struct arena *a, const struct cgroup *cg, const struct cgroup_dir *d)
{
	return !cg->unprivileged || cg_exists(a, d, "cgroup.procs");
}

const struct cgroup_dir *cg_main_dir(struct arena *a, const struct cgroup *cg)
{
	static const char *const best[] = { "devices", "pids", "memory", "" };
	const struct cgroup_dir *d;
	size_t i;

	for (i = 0; i < sizeof best / sizeof best[0]; i++)
		if ((d = cg_dir(cg, best[i])) && is_usable(a, cg, d))
			return d;
	for (i = 0; i < cg->n_dirs; i++)
		if (is_usable(a, cg, &cg->dirs[i]))
			return &cg->dirs[i];
	return NULL;
}

const char *cg_path(struct arena *a, const struct cgroup_dir *d, const char *file)
{
	const char *path = strcmp(d->path, "/") ? d->path : "";

	return arena_printf(a, "%s%s%s%s", d->mount, path, file ? "/" : "", file ? file : "");
}

int cg_write(struct arena *a, const struct cgroup_dir *d, const char *file, const char *text,
	     struct err *e)
{
	autofd int fd = open(cg_path(a, d, file), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);

	/* One write: the kernel takes each as a whole. */
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		return fail(e, errno, "cgroup: %s", printable(a, file, PATH_SHOWN));
	return 0;
}

int cg_write_u64(struct arena *a, const struct cgroup_dir *d, const char *file, uint64_t n,
		 struct err *e)
{
	return cg_write(a, d, file, arena_printf(a, "%" PRIu64, n), e);
}

int cg_write_i64(struct arena *a, const struct cgroup_dir *d, const char *file, int64_t n,
		 struct err *e)
{
	return cg_write(a, d, file, arena_printf(a, "%" PRId64, n), e);
}

int cg_read(struct arena *a, const struct cgroup_dir *d, const char *file, const char **text,
	    struct err *e)
{
	autofd int fd = open(cg_path(a, d, file), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	size_t cap = 1024, n = 0;
	char *buf = arena_alloc(a, cap + 1);
	ssize_t got;

	if (fd < 0)
		return fail(e, errno, "cgroup: %s", file);
	while ((got = read(fd, buf + n, cap - n))) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(e, errno, "cgroup: %s", file);
		n += (size_t)got;
		if (n > CGROUP_FILE_MAX)
			return fail(e, EFBIG, "cgroup: %s", file);
		if (n < cap)
			continue;
		buf = arena_grow(a, buf, n, cap * 2 + 1);
		cap *= 2;
	}
	while (n && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	*text = buf;
	return 0;
}

bool cg_exists(struct arena *a, const struct cgroup_dir *d, const char *file)
{
	return faccessat(AT_FDCWD, cg_path(a, d, file), F_OK, AT_EACCESS) == 0;
}

int cg_read_u64(struct arena *a, const struct cgroup_dir *d, const char *file, uint64_t *n,
		struct err *e)
{
	const char *text;

	if (cg_read(a, d, file, &text, e))
		return -1;
	*n = UINT64_MAX;
	if (strcmp(text, "max") && !parse_u64(text, strlen(text), n))
		return fail(e, 0, "cgroup: %s: not a number", file);
	return 0;
}

uint64_t cg_value_of(const char *text, const char *key)
{
	size_t len = strlen(key);
	const char *line, *end;
	uint64_t n = 0;

	for (line = text; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if ((size_t)(end - line) > len && !memcmp(line, key, len) && line[len] == ' ' &&
		    parse_u64(line + len + 1, (size_t)(end - line) - len - 1, &n))
			return n;
	}
	return 0;
}

char *cg_line(struct arena *a, const char **text)
{
	const char *begin = *text, *end;

	if (!begin || !*begin)
		return NULL;
	end = strchrnul(begin, '\n');
	*text = *end ? end + 1 : end;
	return arena_strndup(a, begin, (size_t)(end - begin));
}

int64_t cg_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void cg_sleep_us(unsigned us)
{
	struct timespec t = { us / 1000000, (long)(us % 1000000) * 1000 };

	nanosleep(&t, NULL);
}

/* Most paths have one component more than what is there: it is tried at once. */
int cg_mkdir(struct arena *a, const struct cgroup_dir *d, size_t *made, struct err *e)
{
	char *path = arena_strdup(a, cg_path(a, d, NULL));
	size_t root = strlen(d->mount), i;

	*made = 0;
	if (mkdir(path, 0755) == 0) {
		*made = (size_t)(strrchr(path, '/') - path) - root + 1;
		return 0;
	}
	if (errno == EEXIST)
		return 0;
	if (errno != ENOENT)
		return fail(e, errno, "cgroup: %s", printable(a, path, PATH_SHOWN));
	for (i = root + 1;; i++) {
		char c = path[i];

		if (c && c != '/')
			continue;
		path[i] = '\0';
		if (mkdir(path, 0755) == 0) {
			if (!*made)
				*made = (size_t)(strrchr(path, '/') - path) - root + 1;
		} else if (errno != EEXIST) {
			return fail(e, errno, "cgroup: %s", printable(a, path, PATH_SHOWN));
		}
		path[i] = c;
		if (!c)
			return 0;
	}
}

/* Calls back for each sub-cgroup; 0 when the directory is gone, too. */
static int each_child(struct arena *a, const char *path, unsigned depth,
		      int (*fn)(struct arena *a, const char *path, unsigned depth, void *arg,
				struct err *e),
		      void *arg, struct err *e)
{
	struct dirent *entry;
	DIR *dir;
	int rc = 0;

	if (depth > DEPTH_MAX)
		return fail(e, ELOOP, "cgroup: %s", printable(a, path, PATH_SHOWN));
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT
			       ? 0
			       : fail(e, errno, "cgroup: %s", printable(a, path, PATH_SHOWN));
	while (!rc && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
		    strcmp(entry->d_name, ".."))
			rc = fn(a, arena_printf(a, "%s/%s", path, entry->d_name), depth + 1, arg,
				e);
	closedir(dir);
	return rc;
}

/* A process that was just killed is in its cgroup for a little while yet: EBUSY is tried again
 * until the time is over.
 */
static int remove_tree(struct arena *a, const char *path, unsigned depth, void *arg, struct err *e)
{
	const int64_t *until = arg;
	unsigned wait_us = 100;

	for (;;) {
		if (rmdir(path) == 0 || errno == ENOENT)
			return 0;
		/* EROFS: the kernel says so even when nothing is there. */
		if (errno != EBUSY && errno != ENOTEMPTY &&
		    (errno != EROFS || access(path, F_OK) == 0))
			return fail(e, errno, "cgroup: %s", printable(a, path, PATH_SHOWN));
		if (errno == EROFS || errno == ENOENT)
			return 0;
		if (each_child(a, path, depth, remove_tree, arg, e))
			return -1;
		if (rmdir(path) == 0 || errno == ENOENT)
			return 0;
		if (cg_now_ms() >= *until)
			return fail(e, errno, "cgroup: %s: cannot remove",
				    printable(a, path, PATH_SHOWN));
		cg_sleep_us(wait_us);
		if (wait_us < 20000)
			wait_us *= 2;
	}
}

int cg_rmdir(struct arena *a, const char *path, struct err *e)
{
	int64_t until = cg_now_ms() + REMOVE_MS;

	return remove_tree(a, path, 0, &until, e);
}

static int collect_pids(struct arena *a, const char *path, unsigned depth, void *arg, struct err *e)
{
	struct cgroup_dir d = { .mount = path, .path = "/" };
	struct cg_pids *out = arg;
	const char *text;
	char *line;
	uint64_t pid;

	/* In a threaded cgroup of v2, only the threads can be told. */
	if (cg_read(a, &d, "cgroup.procs", &text, e) &&
	    (e->errnum != EOPNOTSUPP || cg_read(a, &d, "cgroup.threads", &text, e)))
		return e->errnum == ENOENT || e->errnum == ENODEV ? 0 : -1;
	while ((line = cg_line(a, &text)))
		if (parse_u64(line, strlen(line), &pid) && pid && pid <= INT32_MAX)
			*arena_push(a, out->v, out->n) = (pid_t)pid;
	return each_child(a, path, depth, collect_pids, arg, e);
}

int cg_pids(struct arena *a, const char *path, struct cg_pids *out, struct err *e)
{
	out->v = NULL;
	out->n = 0;
	return collect_pids(a, path, 0, out, e);
}
