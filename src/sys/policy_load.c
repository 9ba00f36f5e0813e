// SPDX-License-Identifier: Apache-2.0
/* Policy files: where they are, in which order, and whether they can be trusted. */
#include "policy_load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../base/yaml.h"
#include "../base/banned.h"

/* What fits into an error together with a place and a reason. */
enum { SHOWN_PATH = 200, MAX_POLICY_D = 1024 };

/* The number after a word of a parser's message; NULL when it is something else. */
static const char *number_after(const char *text, const char *word, unsigned long *n)
{
	size_t len = strlen(word);
	char *end;

	if (strncmp(text, word, len) != 0)
		return NULL;
	*n = strtoul(text + len, &end, 10);
	return end == text + len ? NULL : end;
}

/* "line 7, column 3: what" of the parsers and "7:3: what" of the policy both become
 * "FILE:7:3: what", which editors can jump to.
 */
static int fail_in_file(struct arena *a, const char *path, struct err *e)
{
	const char *shown = printable(a, path, SHOWN_PATH), *rest, *what;
	unsigned long line, column;

	what = arena_strdup(a, e->text);
	rest = number_after(what, "line ", &line);
	if (rest)
		rest = number_after(rest, ", column ", &column);
	if (rest)
		return fail(e, 0, "%s:%lu:%lu%s", shown, line, column, rest);
	rest = number_after(what, "", &line);
	return fail(e, 0, "%s:%s%s", shown, rest && *rest == ':' ? "" : " ", what);
}

/* The first thing that is no blank and no comment. */
static size_t begin_of(const char *text)
{
	size_t i = 0;

	for (;;) {
		i += strspn(text + i, " \t\r\n");
		if (text[i] != '#')
			return i;
		i += strcspn(text + i, "\n");
	}
}

/* JSON when that is a brace: no policy in YAML has to begin with one. The comments before it, which
 * JSON does not know, become blanks, so that lines and columns stay.
 */
static int parse(struct arena *a, const char *text, size_t len, const struct json **doc,
		 struct err *e)
{
	size_t begin = begin_of(text), i;
	char *copy;

	if (text[begin] != '{')
		return yaml_parse(a, text, len, doc, e);
	copy = arena_strndup(a, text, len);
	for (i = 0; i < begin; i++)
		if (copy[i] != '\n')
			copy[i] = ' ';
	return json_parse(a, copy, len, doc, e);
}

static int merge_text(struct arena *a, const char *path, const char *text, size_t len,
		      struct policy *p, const struct policy_layer **layer, struct err *e)
{
	struct policy_layer *l = arena_alloc(a, sizeof *l);
	const struct json *doc;

	l->name = arena_strdup(a, path);
	if (parse(a, text, len, &doc, e) || policy_merge(a, p, doc, l, e))
		return fail_in_file(a, path, e);
	if (layer)
		*layer = l;
	return 0;
}

int policy_load_file(struct arena *a, const char *path, struct policy *p,
		     const struct policy_layer **layer, struct err *e)
{
	const char *text;
	size_t len;

	if (!strcmp(path, "-"))
		return fail(e, 0, "'-': a policy is not read from standard input (a file: ./-)");
	if (file_read(a, path, true, POLICY_MAX_SIZE, &text, &len, e))
		return -1;
	return merge_text(a, path, text, len, p, layer, e);
}

/* Root of the host, as seen from here. An engine without privileges calls us in a user namespace
 * that has no id for root, whose files then seem to belong to nobody.
 */
static uid_t host_root(void)
{
	struct stat st;

	return stat("/proc/sys", &st) ? 0 : st.st_uid;
}

/* Nobody but root and the caller can have written what the descriptor stands for. */
static int trust(int fd, const char *shown, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return fail(e, errno, "%s", shown);
	if (st.st_uid != 0 && st.st_uid != geteuid() && st.st_uid != host_root())
		return fail(e, 0,
			    "%s: belongs to user %u, not to root or the caller (remedy: chown)",
			    shown, st.st_uid);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return fail(e, 0, "%s: others than its owner can write it (remedy: chmod go-w)",
			    shown);
	return 0;
}

/* A file or directory that is read unasked. *fd stays -1 when it is missing. */
static int open_trusted(struct arena *a, int dir_fd, const char *name, const char *path, int flags,
			int *fd, struct err *e)
{
	const char *shown = printable(a, path, SHOWN_PATH);
	struct stat st;

	*fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
	if (*fd >= 0)
		return trust(*fd, shown, e);
	if (errno != ENOENT)
		return fail(e, errno, "%s", shown);
	/* Somebody meant a policy to be here: going on without it would be looser. */
	if (!fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW))
		return fail(e, 0, "%s: a link to a file that is missing", shown);
	return 0;
}

static int load_trusted(struct arena *a, int dir_fd, const char *name, const char *path,
			struct policy *p, struct err *e)
{
	autofd int fd = -1;
	const char *text;
	struct stat st;
	size_t len;

	if (open_trusted(a, dir_fd, name, path, 0, &fd, e))
		return -1;
	if (fd < 0)
		return 0;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return fail(e, 0, "%s: not a regular file", printable(a, path, SHOWN_PATH));
	if (fd_read_all(a, fd, printable(a, path, SHOWN_PATH), POLICY_MAX_SIZE, &text, &len, e))
		return -1;
	return merge_text(a, path, text, len, p, NULL, e);
}

static bool is_policy_name(const char *name)
{
	static const char suffix[] = ".yaml";
	size_t len = strlen(name);

	return name[0] != '.' && len >= sizeof suffix &&
	       !strcmp(name + len - (sizeof suffix - 1), suffix);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Takes the descriptor over. */
static int list_names(struct arena *a, int fd, const char *dir, struct strings *names,
		      struct err *e)
{
	const char *shown = printable(a, dir, SHOWN_PATH);
	const struct dirent *d;
	DIR *stream = fdopendir(fd);
	int error;

	if (!stream) {
		error = errno;
		close(fd);
		return fail(e, error, "%s", shown);
	}
	while ((errno = 0, d = readdir(stream)) && names->n <= MAX_POLICY_D)
		if (is_policy_name(d->d_name))
			*arena_push(a, names->v, names->n) = arena_strdup(a, d->d_name);
	error = d ? 0 : errno;
	closedir(stream);
	if (error)
		return fail(e, error, "%s", shown);
	if (names->n > MAX_POLICY_D)
		return fail(e, 0, "%s: more than %d files", shown, MAX_POLICY_D);
	if (names->n)
		qsort(names->v, names->n, sizeof *names->v, compare_names);
	return 0;
}

static int load_policy_d(struct arena *a, int dir_fd, const char *dir, struct policy *p,
			 struct err *e)
{
	const char *path = arena_printf(a, "%s/policy.d", dir);
	struct strings names = { 0 };
	autofd int fd = -1, list_fd = -1;
	size_t i;

	if (open_trusted(a, dir_fd, "policy.d", path, O_DIRECTORY, &fd, e))
		return -1;
	if (fd < 0)
		return 0;
	list_fd = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (list_fd < 0)
		return fail(e, errno, "%s", printable(a, path, SHOWN_PATH));
	if (list_names(a, fd_steal(&list_fd), path, &names, e))
		return -1;
	for (i = 0; i < names.n; i++)
		if (load_trusted(a, fd, names.v[i], arena_printf(a, "%s/%s", path, names.v[i]), p,
				 e))
			return -1;
	return 0;
}

static int load_admin(struct arena *a, const char *dir, struct policy *p, struct err *e)
{
	autofd int fd = -1;

	if (open_trusted(a, AT_FDCWD, dir, dir, O_DIRECTORY, &fd, e))
		return -1;
	if (fd < 0)
		return 0;
	if (load_trusted(a, fd, "policy.yaml", arena_printf(a, "%s/policy.yaml", dir), p, e))
		return -1;
	return load_policy_d(a, fd, dir, p, e);
}

/* A person's own file; NULL for root, for whom only the administrator's directory counts. */
static const char *users_file(struct arena *a)
{
	const char *config = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");

	if (geteuid() == 0)
		return NULL;
	/* A relative path is invalid, says the XDG specification. */
	if (config && config[0] == '/')
		return arena_printf(a, "%s/credsbox/policy.yaml", config);
	if (home && home[0] == '/')
		return arena_printf(a, "%s/.config/credsbox/policy.yaml", home);
	return NULL;
}

/* Homes that are no directory, as /dev/null, have no policy. One that is closed may have: it is
 * mostly another's, left over from a change of user.
 */
static int load_own(struct arena *a, struct policy *p, struct err *e)
{
	const char *path = users_file(a);

	if (!path || !load_trusted(a, AT_FDCWD, path, path, p, e) || e->errnum == ENOTDIR)
		return 0;
	if (e->errnum == EACCES)
		return fail(e, 0,
			    "%s: cannot be read (remedy: set HOME or XDG_CONFIG_HOME to a "
			    "directory of your own)",
			    printable(a, path, SHOWN_PATH));
	return -1;
}

/* Where only the host's root can write, nothing that a person starts could be recorded. An engine
 * without privileges calls us as root of its own user namespace: that is a person, too.
 */
static const char *own_audit_file(struct arena *a)
{
	const char *state = secure_getenv("XDG_STATE_HOME"), *home = secure_getenv("HOME");

	if (!geteuid() && !host_root())
		return NULL;
	if (state && state[0] == '/')
		return arena_printf(a, "%s/credsbox/audit.jsonl", state);
	if (home && home[0] == '/')
		return arena_printf(a, "%s/.local/state/credsbox/audit.jsonl", home);
	return NULL;
}

int policy_load_from(struct arena *a, const char *dir, const char *file, struct policy *p,
		     struct err *e)
{
	const char *audit_file = own_audit_file(a);

	policy_builtin(a, p);
	if (audit_file)
		p->audit_file = audit_file;
	if (load_admin(a, dir, p, e) || load_own(a, p, e))
		return -1;
	return file ? policy_load_file(a, file, p, NULL, e) : 0;
}

int policy_load(struct arena *a, const char *file, struct policy *p, struct err *e)
{
	return policy_load_from(a, POLICY_DIR, file, p, e);
}
