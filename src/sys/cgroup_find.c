// SPDX-License-Identifier: Apache-2.0
/* Control groups: which hierarchies are mounted, where the caller is, where a container goes. */
#include "cgroup_impl.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cgroup_find.h"
#include "cgroup_systemd.h"
#include "../base/fd.h"
#include "../base/str.h"
#include "../core/chars.h"
#include "../base/banned.h"

enum { CGROUP_PATH_MAX = 4096 };

/* Without "//", "/./" and "/.."; what would lead above the top stays at the top. */
const char *cg_clean(struct arena *a, const char *path)
{
	char *out = arena_alloc(a, strlen(path) + 2);
	size_t len = 0, n;

	for (; *path; path += n) {
		n = strspn(path, "/");
		path += n;
		n = (size_t)(strchrnul(path, '/') - path);
		if (!n || text_is(path, n, "."))
			continue;
		if (text_is(path, n, "..")) {
			while (len && out[--len] != '/')
				;
			continue;
		}
		out[len++] = '/';
		memcpy(out + len, path, n);
		len += n;
	}
	if (!len)
		out[len++] = '/';
	out[len] = '\0';
	return out;
}

const char *cg_join(struct arena *a, const char *above, const char *below)
{
	return cg_clean(a, arena_printf(a, "%s/%s", above, below));
}

/* Mountinfo writes blanks and the like as \040. */
static const char *unescape(struct arena *a, const char *s)
{
	char *out = arena_strdup(a, s), *to = out;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
	return out;
}

static char *next_word(char **rest)
{
	return strsep(rest, " ");
}

/* "36 31 0:32 /root /mount/point rw,opts shared:1 - cgroup cgroup rw,memory" */
static void read_mount(struct arena *a, char *line, struct cg_mounts *out)
{
	char *rest = strstr(line, " - "), *type, *options;
	struct cg_mount *m;
	bool is_v2;
	int skip;

	if (!rest)
		return;
	*rest = '\0';
	rest += 3;
	type = next_word(&rest);
	is_v2 = !strcmp(type, "cgroup2");
	if (!is_v2 && strcmp(type, "cgroup"))
		return;
	if (!next_word(&rest) || !(options = next_word(&rest)))
		return;
	m = arena_push(a, out->v, out->n);
	m->is_v2 = is_v2;
	m->options = options;
	rest = line;
	for (skip = 0; skip < 3; skip++)
		next_word(&rest);
	m->root = next_word(&rest);
	m->at = next_word(&rest);
	if (!m->root || !m->at) {
		out->n--;
		return;
	}
	m->root = unescape(a, m->root);
	m->at = unescape(a, m->at);
}

void cg_read_mounts(struct arena *a, const char *text, struct cg_mounts *out)
{
	const char *line, *end;

	/* Thousands of mounts are not copied for the few that matter. */
	for (line = text; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (memmem(line, (size_t)(end - line), " - cgroup", 9))
			read_mount(a, arena_strndup(a, line, (size_t)(end - line)), out);
	}
}

/* "4:memory:/a/b" or "0::/": one for each hierarchy. */
void cg_read_own(struct arena *a, const char *text, struct cg_owns *out)
{
	char *line, *controllers, *path;
	struct cg_own *o;

	while ((line = cg_line(a, &text))) {
		if (!(controllers = strchr(line, ':')) || !(path = strchr(controllers + 1, ':')))
			continue;
		*path++ = '\0';
		if (*path != '/')
			continue;
		o = arena_push(a, out->v, out->n);
		o->controllers = controllers + 1;
		o->path = path;
	}
}

static const struct cg_mount *find_mount(const struct cg_mounts *mounts, const char *controllers)
{
	size_t len = strcspn(controllers, ",");
	char first[64];
	size_t i;

	if (len >= sizeof first)
		return NULL;
	memcpy(first, controllers, len);
	first[len] = '\0';
	for (i = 0; i < mounts->n; i++)
		if (*first ? !mounts->v[i].is_v2 && cg_list_has(mounts->v[i].options, ',', first)
			   : mounts->v[i].is_v2)
			return &mounts->v[i];
	return NULL;
}

/* Where the caller is, from the mount point on. In a container without a cgroup namespace, the
 * mount begins further down than the paths of /proc do; in one with a namespace, what lies above
 * it reads "/..": neither can be reached through this mount, whose own top is taken then.
 */
const char *cg_own_below(struct arena *a, const char *root, const char *own)
{
	size_t len = strlen(root);

	if (strstr(own, "/..") == own || strstr(root, "/..") == root)
		return "/";
	if (!strcmp(root, "/"))
		return cg_clean(a, own);
	if (!strncmp(own, root, len) && (own[len] == '/' || !own[len]))
		return cg_clean(a, own + len);
	return "/";
}

static enum cgroup_mode mode_of(const struct cg_mounts *mounts)
{
	bool v1 = false, v2 = false;
	size_t i;

	for (i = 0; i < mounts->n; i++) {
		/* A lone v1 hierarchy somewhere beside a full v2 does not make it hybrid. */
		if (mounts->v[i].is_v2 && !strcmp(mounts->v[i].at, "/sys/fs/cgroup"))
			return CGROUP_V2;
		if (mounts->v[i].is_v2)
			v2 = true;
		else
			v1 = true;
	}
	if (v1)
		return v2 ? CGROUP_HYBRID : CGROUP_V1;
	return v2 ? CGROUP_V2 : CGROUP_NONE;
}

/* On v2, the caller's own cgroup has a process in it and thus cannot give controllers to cgroups
 * below it: the container goes beside it.
 */
const char *cg_place(struct arena *a, enum cgroup_mode mode, const char *own, const char *id,
		     const char *path)
{
	if (path && path[0] == '/')
		return cg_clean(a, path);
	if (mode == CGROUP_V2)
		own = arena_strndup(a, own, (size_t)(strrchr(own, '/') - own));
	return cg_join(a, own, cg_clean(a, path ? path : id));
}

int cg_find_dirs(struct arena *a, const struct cg_mounts *mounts, const struct cg_owns *owns,
		 const struct cgroup_wish *w, const char *unit_path, struct cgroup *cg,
		 struct err *e)
{
	const struct cg_mount *m;
	struct cgroup_dir *d;
	size_t i;

	cg->mode = mode_of(mounts);
	for (i = 0; i < owns->n; i++) {
		if (cg->mode == CGROUP_V2 && *owns->v[i].controllers)
			continue;
		m = find_mount(mounts, owns->v[i].controllers);
		if (!m)
			continue;
		if (cg->n_dirs == CGROUP_CONTROLLERS)
			return fail(e, 0, "cgroup: more than %d hierarchies", CGROUP_CONTROLLERS);
		d = &cg->dirs[cg->n_dirs++];
		d->controllers = owns->v[i].controllers;
		d->mount = m->at;
		d->own = cg_own_below(a, m->root, owns->v[i].path);
		d->path = unit_path ? cg_own_below(a, m->root, unit_path)
				    : cg_place(a, cg->mode, d->own, w->id, w->path);
		if (!strcmp(d->path, "/"))
			return fail(e, 0, "linux.cgroupsPath: leads to the root of all cgroups");
		if (strlen(d->mount) + strlen(d->path) > CGROUP_PATH_MAX - 256)
			return fail(e, ENAMETOOLONG, "linux.cgroupsPath");
	}
	return 0;
}

/* Root of a user namespace has no more rights over the host's cgroups than its owner. */
static bool is_unprivileged(struct arena *a)
{
	struct cgroup_dir self = { .mount = "/proc/self", .path = "/" };
	const char *text;
	struct err e;
	char *line, *word;
	uint64_t n[3];
	size_t i;

	if (geteuid())
		return true;
	if (cg_read(a, &self, "uid_map", &text, &e))
		return false;
	line = cg_line(a, &text);
	for (i = 0; i < 3; i++) {
		while ((word = strsep(&line, " ")) && !*word)
			;
		if (!word || !parse_u64(word, strlen(word), &n[i]))
			return true;
	}
	return n[0] || n[1] || n[2] != UINT32_MAX;
}

int cgroup_find(struct arena *a, const struct cgroup_wish *w, struct cgroup *cg, struct err *e)
{
	struct cg_mounts mounts = { 0 };
	struct cg_owns owns = { 0 };
	const char *text, *unit_path = NULL;
	size_t len, i;

	*cg = (struct cgroup){ .mode = CGROUP_NONE };
	for (i = 0; i < CGROUP_CONTROLLERS; i++)
		cg->fds[i] = -1;
	if (w->disabled)
		return 0;
	cg->unprivileged = is_unprivileged(a);
	if (w->path && strlen(w->path) >= CGROUP_PATH_MAX)
		return fail(e, ENAMETOOLONG, "linux.cgroupsPath");
	if (file_read(a, "/proc/self/mountinfo", true, CGROUP_PROC_MAX, &text, &len, e))
		return fail_in(e, "cgroup");
	cg_read_mounts(a, text, &mounts);
	if (file_read(a, "/proc/self/cgroup", true, CGROUP_PROC_MAX, &text, &len, e))
		return fail_in(e, "cgroup");
	cg_read_own(a, text, &owns);
	if (w->systemd && cg_systemd_find(a, w, cg, &unit_path, e))
		return -1;
	if (cg_find_dirs(a, &mounts, &owns, w, unit_path, cg, e))
		return -1;
	if (!cg->n_dirs)
		cg->mode = CGROUP_NONE;
	if (!cg->n_dirs && !cg->unprivileged)
		return fail(e, 0, "cgroup: no cgroup file system is mounted");
	return 0;
}
