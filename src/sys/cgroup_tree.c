// SPDX-License-Identifier: Apache-2.0
/* Control groups: what the tree of v2 needs beyond directories, and the place of a new process. */
#include "cgroup_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup_find.h"
#include "../base/fd.h"
#include "../base/str.h"
#include "../core/chars.h"
#include "../base/banned.h"

enum { WORD_SHOWN = 100 };

/* The words of list that are not in among, each after "+"; "" when there is none. */
static const char *missing(struct arena *a, const char *list, const char *among)
{
	const char *word;
	struct str s;
	size_t n;

	str_init(&s, a, 4096);
	for (; *list; list += n + (list[n] == ' ')) {
		n = (size_t)(strchrnul(list, ' ') - list);
		word = arena_strndup(a, list, n);
		if (*word && !cg_list_has(among, ' ', word))
			str_printf(&s, "%s+%s", s.len ? " " : "", word);
	}
	return s.s;
}

/* All at once, else one by one: what cannot be had here is missed only by who asks for it. */
static void enable_at(struct arena *a, const struct cgroup_dir *level)
{
	const char *have, *given, *want, *word;
	struct err e;
	size_t n;

	if (cg_read(a, level, "cgroup.controllers", &have, &e) ||
	    cg_read(a, level, "cgroup.subtree_control", &given, &e))
		return;
	want = missing(a, have, given);
	if (!*want || cg_write(a, level, "cgroup.subtree_control", want, &e) == 0)
		return;
	for (; *want; want += n + (want[n] == ' ')) {
		n = (size_t)(strchrnul(want, ' ') - want);
		word = arena_strndup(a, want, n);
		cg_write(a, level, "cgroup.subtree_control", word, &e);
	}
}

static void enable_down_to(struct arena *a, const struct cgroup_dir *d)
{
	struct cgroup_dir level = { .controllers = "", .mount = d->mount };
	const char *end;

	for (end = d->path; *end; end = strchrnul(end + 1, '/')) {
		level.path =
			end == d->path ? "/" : arena_strndup(a, d->path, (size_t)(end - d->path));
		enable_at(a, &level);
	}
}

/* Below a cgroup with threads of its own, only controllers of threads can be had. */
static int check_type(struct arena *a, const struct cgroup_dir *d, bool domain, struct err *e)
{
	const char *type;

	if (cg_read(a, d, "cgroup.type", &type, e) || !strcmp(type, "domain"))
		return 0;
	if (domain)
		return fail(e, 0,
			    "cgroup: %s: cannot enter cgroupv2 with domain controllers -- it is "
			    "in %s mode",
			    d->path, type);
	if (!strcmp(type, "domain invalid"))
		cg_write(a, d, "cgroup.type", "threaded", e);
	return 0;
}

int cg_v2_prepare(struct arena *a, const struct cgroup_dir *d, bool domain, struct err *e)
{
	struct cgroup_dir top = { .controllers = "", .mount = d->mount, .path = "/" };
	const char *all, *mine;

	if (cg_read(a, d, "cgroup.controllers", &mine, e))
		return -1;
	if (cg_read(a, &top, "cgroup.controllers", &all, e) || *missing(a, all, mine))
		enable_down_to(a, d);
	return check_type(a, d, domain, e);
}

/* Moving takes the right to write cgroup.procs of the nearest cgroup that both places are in. */
bool cg_v2_may_enter(struct arena *a, const struct cgroup_dir *d)
{
	struct cgroup_dir common = { .controllers = "", .mount = d->mount };
	size_t i, slash = 0;

	if (!d->own)
		return true;
	for (i = 0; d->own[i] == d->path[i] && d->own[i]; i++)
		if (d->own[i] == '/')
			slash = i;
	if ((!d->own[i] || d->own[i] == '/') && (!d->path[i] || d->path[i] == '/'))
		slash = i;
	common.path = slash ? arena_strndup(a, d->path, slash) : "/";
	return faccessat(AT_FDCWD, cg_path(a, &common, "cgroup.procs"), W_OK, AT_EACCESS) == 0;
}

/* The kernel says which files may be given away with a cgroup; kernels before that list had
 * these three.
 */
int cg_v2_delegate(struct arena *a, const struct cgroup_dir *d, uint32_t uid, struct err *e)
{
	struct cgroup_dir list = { .mount = "/sys/kernel/cgroup", .path = "/" };
	const char *files;
	char *file;

	if (cg_read(a, &list, "delegate", &files, e))
		files = "cgroup.procs\ncgroup.subtree_control\ncgroup.threads";
	if (chown(cg_path(a, d, NULL), uid, (gid_t)-1))
		return fail(e, errno, "cgroup: %s: cannot give it to its owner", d->path);
	while ((file = cg_line(a, &files)))
		if (!strchr(file, '/') &&
		    fchownat(AT_FDCWD, cg_path(a, d, file), uid, (gid_t)-1, AT_SYMLINK_NOFOLLOW) &&
		    errno != ENOENT)
			return fail(e, errno, "cgroup: %s: cannot give it to its owner", file);
	return 0;
}

static bool leads_out(const char *path)
{
	for (; path; path = strchr(path, '/'), path = path ? path + 1 : NULL)
		if (text_is(path, strcspn(path, "/"), ".."))
			return true;
	return false;
}

static int go_below(struct arena *a, struct cgroup_dir *d, const char *sub, struct err *e)
{
	if (leads_out(sub))
		return fail(e, 0, "cgroup: bad sub cgroup path: %s is not a sub cgroup path",
			    printable(a, sub, WORD_SHOWN));
	d->path = cg_join(a, d->path, sub);
	if (cg_exists(a, d, "cgroup.procs"))
		return 0;
	return fail(e, errno, "cgroup: error adding pid 0 to cgroups: %s",
		    cg_path(a, d, "cgroup.procs"));
}

/* "cpu,cpuacct:sub" */
static int place_controllers(struct arena *a, struct cgroup *cg, const char *arg, bool *done,
			     struct err *e)
{
	const char *colon = strchr(arg, ':');
	char *list = arena_strndup(a, arg, (size_t)(colon - arg)), *name;
	const struct cgroup_dir *d;
	size_t i;

	while ((name = strsep(&list, ","))) {
		if (!*name)
			return fail(e, 0,
				    "invalid --cgroup argument: %s (empty <controller> prefix)",
				    printable(a, arg, WORD_SHOWN));
		d = cg_dir(cg, name);
		if (!d)
			d = cg_dir(cg, arena_printf(a, "name=%s", name));
		if (!d)
			return fail(e, 0, "cgroup: unknown controller %s",
				    printable(a, name, WORD_SHOWN));
		i = (size_t)(d - cg->dirs);
		/* Controllers that are mounted together go together. */
		if (done[i])
			continue;
		done[i] = true;
		if (go_below(a, &cg->dirs[i], colon + 1, e))
			return -1;
	}
	return 0;
}

static int place_below(struct arena *a, struct cgroup *cg, const struct strings *subs,
		       struct err *e)
{
	bool done[CGROUP_CONTROLLERS] = { false };
	size_t i;

	for (i = 0; i < subs->n; i++) {
		if (strchr(subs->v[i], ':')) {
			if (place_controllers(a, cg, subs->v[i], done, e))
				return -1;
			continue;
		}
		if (subs->n != 1)
			return fail(e, 0,
				    "invalid --cgroup argument: %s (missing <controller>: prefix)",
				    printable(a, subs->v[i], WORD_SHOWN));
		for (i = 0; i < cg->n_dirs; i++)
			if (go_below(a, &cg->dirs[i], subs->v[0], e))
				return -1;
		return 0;
	}
	return 0;
}

/* No process can be in a cgroup of v2 that gives such controllers to those below it. */
static bool is_inner(struct arena *a, const struct cgroup_dir *d)
{
	static const char threaded[] = "cpu cpuset perf_event pids";
	const char *given;
	struct err e;

	return !cg_read(a, d, "cgroup.subtree_control", &given, &e) && *missing(a, given, threaded);
}

/* The first process may have moved: into a cgroup below its own, or away, and that one is gone. */
static void follow(struct arena *a, struct cgroup_dir *d, pid_t init)
{
	struct cg_mounts mounts = { 0 };
	struct cg_owns owns = { 0 };
	const char *text;
	struct err e;
	size_t len, i, m;

	if (!init || file_read(a, arena_printf(a, "/proc/%d/cgroup", (int)init), true,
			       CGROUP_FILE_MAX, &text, &len, &e))
		return;
	cg_read_own(a, text, &owns);
	if (file_read(a, "/proc/self/mountinfo", true, CGROUP_PROC_MAX, &text, &len, &e))
		return;
	cg_read_mounts(a, text, &mounts);
	for (i = 0; i < owns.n; i++)
		for (m = 0; !*owns.v[i].controllers && m < mounts.n; m++)
			if (mounts.v[m].is_v2 && !strcmp(mounts.v[m].at, d->mount))
				d->path = cg_own_below(a, mounts.v[m].root, owns.v[i].path);
}

int cgroup_place(struct arena *a, struct cgroup *cg, pid_t init, const struct strings *subs,
		 struct err *e)
{
	size_t i;

	if (subs && subs->n && !cg->n_dirs)
		return fail(e, 0, "cgroup: the container has none");
	if (subs && place_below(a, cg, subs, e))
		return -1;
	for (i = 0; i < cg->n_dirs && cg->mode == CGROUP_V2; i++) {
		if (!is_inner(a, &cg->dirs[i]) && access(cg_path(a, &cg->dirs[i], NULL), F_OK) == 0)
			continue;
		if (subs && subs->n)
			return fail(e, EBUSY, "cgroup: error adding pid 0 to cgroups: %s",
				    cg_path(a, &cg->dirs[i], "cgroup.procs"));
		follow(a, &cg->dirs[i], init);
	}
	return 0;
}
