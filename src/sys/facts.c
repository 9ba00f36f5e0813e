// SPDX-License-Identifier: Apache-2.0
/* Gathering what the outside world contributes to a plan. */
#include "facts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/glob.h"
#include "../core/plan.h"
#include "../core/pointer.h"
#include "mounts.h"
#include "scan.h"
#include "../base/banned.h"

enum { PATH_LONGEST = 4096, PATH_SHOWN = 200 };

static const char *cgroup_layout(void)
{
	if (!access("/sys/fs/cgroup/cgroup.controllers", F_OK))
		return "v2";
	if (!access("/sys/fs/cgroup/unified/cgroup.controllers", F_OK))
		return "hybrid";
	return access("/sys/fs/cgroup/memory", F_OK) ? "none" : "v1";
}

static bool next_number(const char **text, uint32_t *n)
{
	size_t len;
	uint64_t v;

	*text += strspn(*text, " \n");
	len = strcspn(*text, " \n");
	if (!parse_u64(*text, len, &v) || v > UINT32_MAX)
		return false;
	*text += len;
	*n = (uint32_t)v;
	return true;
}

/* The ids that there are in our own user namespace: lines of "inside outside count". */
static struct id_maps read_ids(struct arena *a, const char *path)
{
	struct id_maps maps = { 0 };
	struct err ignored;
	struct id_map m;
	const char *text;
	size_t len;

	if (file_read(a, path, true, PATH_LONGEST, &text, &len, &ignored))
		return maps;
	while (next_number(&text, &m.container_id) && next_number(&text, &m.host_id) &&
	       next_number(&text, &m.size))
		*(struct id_map *)arena_push(a, maps.v, maps.n) = m;
	return maps;
}

int facts_host(struct arena *a, struct facts *f, struct err *e)
{
	struct utsname uts;
	long abi;

	*f = (struct facts){ .uid = geteuid(), .gid = getegid(), .cgroup = cgroup_layout() };
	if (uname(&uts))
		return fail(e, errno, "uname");
	f->kernel = arena_strdup(a, uts.release);
	f->uids = read_ids(a, "/proc/self/uid_map");
	f->gids = read_ids(a, "/proc/self/gid_map");
	abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	f->landlock_abi = abi > 0 ? (int)abi : 0;
	f->has_seccomp = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
	f->has_user_ns = !access("/proc/self/ns/user", F_OK);

	/* Until a host has a ledger, and a key that goes with it, fingerprints are for this run. */
	if (getrandom(f->seed, sizeof f->seed, 0) != sizeof f->seed ||
	    getrandom(f->key, sizeof f->key, 0) != sizeof f->key)
		return fail(e, errno, "no random numbers");
	return 0;
}

/* What the parts of gathering share. */
struct gather {
	struct arena *arena;
	const struct bundle *b;
	const struct policy *policy;
	int bundle_fd;
	struct facts *facts;
	size_t budget; /* of all scans together */
	struct strings pointed;
	struct mounts_here mounts; /* of this namespace */
	struct many_names *many;   /* files that were found and have other names */
	size_t n_many;
};

static const char *resolved(struct arena *a, int fd)
{
	char link[64], path[PATH_LONGEST];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	return n > 0 && path[0] == '/' ? arena_strndup(a, path, (size_t)n) : NULL;
}

/* Is it what is at that path, or in the directory that is there? */
static bool is_same(int dir, const char *path, const struct stat *st, bool is_deep)
{
	autofd int fd = -1;
	struct dirent *ent;
	struct stat known;
	bool same = false;
	DIR *d;

	if (fstatat(dir, path, &known, 0))
		return false;
	if (!is_deep || !S_ISDIR(known.st_mode))
		return known.st_dev == st->st_dev && known.st_ino == st->st_ino;
	fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	if (!d)
		return false;
	fd_steal(&fd);
	while (!same && (ent = readdir(d)))
		same = ent->d_ino == st->st_ino && is_same(dirfd(d), ent->d_name, st, false);
	closedir(d);
	return same;
}

/* Compares with what is known below a directory; a known directory stands for the files in it. */
static void judge_by_known(int dir, enum known_base base, const struct stat *st,
			   struct mount_facts *mf)
{
	const struct known_path *all;
	size_t n, i;

	all = detect_known_paths(&n);
	for (i = 0; i < n && !mf->rule; i++) {
		if (all[i].base != base ||
		    (S_ISSOCK(st->st_mode) && !strstr(all[i].rule, "-socket")) ||
		    !is_same(dir, all[i].path, st, true))
			continue;
		mf->rule = all[i].rule;
		mf->why = "it is the same file as one that holds or gives credentials";
	}
}

static void judge_by_home(int homes, const char *name, const struct stat *st,
			  struct mount_facts *mf)
{
	autofd int home = openat(homes, name, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (home >= 0 && !mf->rule)
		judge_by_known(home, KNOWN_HOME, st, mf);
}

/* Sockets and hard links can have any name: their identity is compared with what is known. */
static void judge_identity(const struct stat *st, struct mount_facts *mf)
{
	autofd int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	DIR *homes;
	struct dirent *ent;

	if (!S_ISSOCK(st->st_mode) && !(S_ISREG(st->st_mode) && st->st_nlink > 1))
		return;
	judge_by_known(root, KNOWN_ROOT, st, mf);
	if (S_ISSOCK(st->st_mode))
		return;
	judge_by_home(root, "root", st, mf);
	homes = opendir("/home");
	while (homes && (ent = readdir(homes)))
		if (ent->d_name[0] != '.')
			judge_by_home(dirfd(homes), ent->d_name, st, mf);
	if (homes)
		closedir(homes);
}

/* A single file that somebody mounts by itself is worth a look at its beginning. */
static void judge_content(struct gather *g, int path_fd, const struct stat *st,
			  struct mount_facts *mf)
{
	char link[64];
	autofd int fd = -1;

	if (!S_ISREG(st->st_mode) || !st->st_size || mf->rule || !mf->source ||
	    !g->policy->env_values || g->policy->scan_mounts == SCAN_OFF)
		return;
	snprintf(link, sizeof link, "/proc/self/fd/%d", path_fd);
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		mf->rule = scan_content(g->arena, fd, mf->source, &mf->why);
	else
		g->facts->scan_incomplete = true;
}

/* What the cut variables point to, when it is in this tree. */
static void scan_pointed(struct scan *s, const struct strings *paths)
{
	const char *below;
	size_t i;

	for (i = 0; i < paths->n; i++) {
		/* In an image /var/run is what it is there: links in it are followed. */
		below = s->is_image ? path_below(paths->v[i], "/")
				    : pointer_below(paths->v[i], s->inside);
		if (below && *below)
			scan_add(s, below, "pointer", "a variable that was cut points to it");
	}
}

/* As the masks below it have it: runtimes take a relative one from the root, too. */
static const char *mount_point(struct arena *a, const struct mount *m)
{
	char folded[PATH_LONGEST];
	const char *path =
		m->destination[0] == '/' ? m->destination : arena_printf(a, "/%s", m->destination);

	return path_fold(path, folded, sizeof folded) ? arena_strdup(a, folded) : path;
}

/* Looks in one directory and adds to what was found of the mount or the root. */
static void search(struct gather *g, struct scan *s, struct found **found, size_t *n)
{
	s->arena = g->arena;
	s->policy = g->policy;
	s->budget = g->budget;
	s->found = *found;
	s->n_found = *n;
	s->many = g->many;
	s->n_many = g->n_many;
	if (g->policy->scan_deep)
		scan_deep(s);
	else
		scan_known(s);
	if (s->is_image && !g->policy->scan_deep && g->b->process.cwd &&
	    strcmp(g->b->process.cwd, "/"))
		scan_names(s, g->b->process.cwd + 1);
	scan_pointed(s, &g->pointed);
	scan_finish(s);
	g->budget = s->budget;
	g->many = s->many;
	g->n_many = s->n_many;
	g->facts->scan_incomplete |= s->incomplete;
	*found = s->found;
	*n = s->n_found;
}

/* What is not there cannot be mounted either; of all else nobody knows what is in it. */
static void note_unopened(struct gather *g)
{
	g->facts->scan_incomplete |= errno != ENOENT;
}

/* The same file or directory may have been mounted a second time, under a name that says nothing. */
static void judge_names(struct gather *g, const struct strings *names, struct mount_facts *mf)
{
	const struct policy_rule *rule;
	struct finding f;
	size_t i;

	for (i = 0; i < names->n && !mf->rule; i++) {
		rule = policy_path_rule(g->policy, names->v[i]);
		if (rule && rule->action == RULE_ALLOW)
			continue;
		if (rule)
			mf->rule = "policy:paths.mask";
		else if (detect_path(names->v[i], strlen(names->v[i]), &f) != VERDICT_KEEP &&
			 !f.is_ancestor)
			mf->rule = f.rule;
		mf->why = "the host has it at a place of credentials, too";
	}
}

static void search_names(struct gather *g, int fd, const struct strings *names, const char *inside,
			 struct found **found, size_t *n)
{
	size_t i;

	for (i = 0; i < names->n; i++) {
		struct scan s = { .fd = fd, .host = names->v[i], .inside = inside };

		search(g, &s, found, n);
	}
}

/* Nobody keeps files there, and some of them have effects when they are read. */
static bool is_kernels_own(const char *type)
{
	static const char *const types[] = { "autofs",     "binfmt_misc", "bpf",        "cgroup",
					     "cgroup2",    "configfs",    "debugfs",    "devpts",
					     "efivarfs",   "fusectl",     "hugetlbfs",  "mqueue",
					     "nsfs",       "pstore",      "rpc_pipefs", "sysfs",
					     "securityfs", "tracefs" };
	size_t i;

	for (i = 0; i < sizeof types / sizeof types[0]; i++)
		if (!strcmp(type, types[i]))
			return true;
	return false;
}

/* A mount below a directory that is mounted or is the root; -1: something else lies over it. */
static int open_below(struct gather *g, int dir, const char *below, const struct mounted *m)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	autofd int fd = (int)syscall(SYS_openat2, dir, below, &how, sizeof how);

	if (fd < 0)
		note_unopened(g);
	return fd < 0 || mounts_of(&g->mounts, fd) != m ? -1 : fd_steal(&fd);
}

/* It is looked at as if it were mounted by itself. */
static void gather_mounted(struct gather *g, int fd, const struct mounted *m, const char *inside,
			   struct found **found, size_t *n)
{
	struct strings names = mounts_names(g->arena, &g->mounts, m, m->point);
	struct mount_facts mf = { .source = m->point };
	struct stat st;

	if (fstat(fd, &st))
		return;
	*arena_push(g->arena, names.v, names.n) = m->point;
	if (!strcmp(m->type, "proc")) {
		mf.rule = "path:host-process";
		mf.why = "environment, memory and files of the host's processes";
	}
	judge_names(g, &names, &mf);
	judge_content(g, fd, &st, &mf);
	if (mf.rule)
		*(struct found *)arena_push(g->arena, *found, *n) =
			(struct found){ m->point, inside, scan_type(st.st_mode), mf.rule, mf.why };
	else if (S_ISDIR(st.st_mode) && !is_kernels_own(m->type))
		search_names(g, fd, &names, inside, found, n);
}

static const char *inside_of(struct arena *a, const char *dir, const char *below)
{
	return arena_printf(a, "%s/%s", dir[1] ? dir : "", below);
}

/* What is mounted below a directory comes along with it. */
static void gather_below(struct gather *g, int dir, const char *path, const char *inside,
			 struct found **found, size_t *n)
{
	struct scan all = { .arena = g->arena };
	size_t i;

	for (i = 0; i < g->mounts.n; i++) {
		const struct mounted *m = &g->mounts.v[i];
		const char *below = path_below(m->point, path);
		autofd int fd = below && *below ? open_below(g, dir, below, m) : -1;

		if (fd >= 0)
			gather_mounted(g, fd, m, inside_of(g->arena, inside, below), found, n);
	}
	all.found = *found;
	all.n_found = *n;
	scan_finish(&all);
	*n = all.n_found;
}

static bool is_recursive(const struct mount *m)
{
	size_t i;

	for (i = 0; i < m->options.n; i++)
		if (!strcmp(m->options.v[i], "rbind"))
			return true;
	return false;
}

static void gather_bind(struct gather *g, const struct mount *m, struct mount_facts *mf)
{
	autofd int fd = openat(g->bundle_fd, m->source, O_PATH | O_CLOEXEC);
	struct scan s = { .fd = fd, .inside = mount_point(g->arena, m) };
	const struct mounted *on;
	struct strings names = { 0 };
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		note_unopened(g);
		return;
	}
	mf->source = resolved(g->arena, fd);
	mf->type = scan_type(st.st_mode);
	judge_identity(&st, mf);
	on = mf->source ? mounts_of(&g->mounts, fd) : NULL;
	if (on)
		names = mounts_names(g->arena, &g->mounts, on, mf->source);
	judge_names(g, &names, mf);
	judge_content(g, fd, &st, mf);
	if (!S_ISDIR(st.st_mode) || g->policy->scan_mounts == SCAN_OFF || !mf->source)
		return;
	s.host = mf->source;
	search(g, &s, &mf->found, &mf->n_found);
	search_names(g, fd, &names, s.inside, &mf->found, &mf->n_found);
	if (is_recursive(m))
		gather_below(g, fd, mf->source, s.inside, &mf->found, &mf->n_found);
}

/* An overlay shows what is in all its directories: each is searched as a bind of it would be. */
static void gather_layers(struct gather *g, const struct mount *m, struct mount_facts *mf)
{
	const struct strings dirs = plan_layers(g->arena, m);
	size_t i;

	for (i = 0; i < dirs.n; i++) {
		autofd int fd = openat(g->bundle_fd, dirs.v[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
		const char *real = fd < 0 ? NULL : resolved(g->arena, fd);
		struct scan s = { .fd = fd, .host = real, .inside = mount_point(g->arena, m) };

		if (fd < 0)
			note_unopened(g);
		*arena_push(g->arena, mf->layers, mf->n_layers) = real ? real : dirs.v[i];
		if (real && g->policy->scan_mounts != SCAN_OFF)
			search(g, &s, &mf->found, &mf->n_found);
	}
}

/* A root brings along what the host has mounted below it, of which the bundle says nothing. */
static void gather_below_root(struct gather *g, int root)
{
	const char *path = resolved(g->arena, root), *below;
	struct facts *f = g->facts;
	struct stat st;
	size_t i;

	if (path && !path[1]) {
		gather_below(g, root, path, "/", &f->root, &f->n_root);
		return;
	}
	for (i = 0; path && i < g->mounts.n; i++) {
		const struct mounted *m = &g->mounts.v[i];
		autofd int fd = -1;

		below = path_below(m->point, path);
		fd = below && *below ? open_below(g, root, below, m) : -1;
		if (fd >= 0 && !fstat(fd, &st))
			*(struct found *)arena_push(g->arena, f->below_root, f->n_below_root) =
				(struct found){ m->point, inside_of(g->arena, "/", below),
						scan_type(st.st_mode), "mount:below-root",
						"the host has mounted it below the root" };
	}
}

static void gather_root(struct gather *g)
{
	autofd int fd = openat(g->bundle_fd, g->b->root.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct scan s = { .fd = fd, .host = "/", .inside = "/", .is_image = true };

	if (fd >= 0)
		gather_below_root(g, fd);
	if (g->policy->scan_image == SCAN_OFF)
		return;
	/* Nothing starts without a root: one that is not there is somewhere else. */
	if (fd < 0)
		g->facts->scan_incomplete = true;
	else
		search(g, &s, &g->facts->root, &g->facts->n_root);
}

static int by_number(const void *a, const void *b)
{
	return ((const struct fd_fact *)a)->fd - ((const struct fd_fact *)b)->fd;
}

/* Ours close on exec; what does not came from the caller. */
static void note_fd(struct arena *a, struct facts *f, const char *name, int asked_for)
{
	struct stat st;
	int64_t number;
	int fd, flags;

	if (!parse_i64(name, strlen(name), &number))
		return;
	fd = (int)number;
	flags = fcntl(fd, F_GETFD);
	if (fd <= STDERR_FILENO || flags < 0 || (flags & FD_CLOEXEC) || fstat(fd, &st))
		return;
	*arena_push(a, f->fds, f->n_fds) =
		(struct fd_fact){ fd, scan_type(st.st_mode), fd <= STDERR_FILENO + asked_for };
}

int facts_fds(struct arena *a, int asked_for, struct facts *f, struct err *e)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *ent;

	if (!dir)
		return fail(e, errno, "/proc/self/fd");
	while ((ent = readdir(dir)))
		note_fd(a, f, ent->d_name, asked_for);
	closedir(dir);
	if (f->n_fds)
		qsort(f->fds, f->n_fds, sizeof *f->fds, by_number);
	return 0;
}

/* Masked by one name and read by the other: all that is mounted is walked through, if there are such files. */
static void gather_twins(struct gather *g)
{
	size_t i;

	for (i = 0; g->n_many && i < g->b->mounts.n; i++) {
		const struct mount *m = &g->b->mounts.v[i];
		struct mount_facts *mf = &g->facts->mounts[i];
		autofd int fd = -1;
		struct scan s = { .arena = g->arena, .host = mf->source, .budget = g->budget };

		if (mf->type != FILE_DIRECTORY || !mf->source)
			continue;
		fd = openat(g->bundle_fd, m->source, O_PATH | O_DIRECTORY | O_CLOEXEC);
		s.fd = fd;
		s.inside = mount_point(g->arena, m);
		s.found = mf->found;
		s.n_found = mf->n_found;
		s.many = g->many;
		s.n_many = g->n_many;
		scan_twins(&s);
		scan_finish(&s);
		mf->found = s.found;
		mf->n_found = s.n_found;
		g->budget = s.budget;
		g->facts->scan_incomplete |= s.incomplete;
	}
}

int facts_gather(struct arena *a, const struct bundle *b, const struct policy *p,
		 const char *bundle_dir, struct facts *f, struct err *e)
{
	autofd int dir = open(bundle_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct gather g = { a,     b,    p, dir, f, p->scan_max_files, pointer_paths(a, b, p),
			    { 0 }, NULL, 0 };
	struct err unread;
	size_t i;

	if (dir < 0)
		return fail(e, errno, "%s", printable(a, bundle_dir, PATH_SHOWN));
	if (facts_host(a, f, e))
		return -1;
	f->scan_incomplete = mounts_read(a, &g.mounts, &unread) != 0;
	f->n_mounts = b->mounts.n;
	f->mounts = arena_array(a, b->mounts.n, sizeof *f->mounts);
	for (i = 0; i < b->mounts.n; i++) {
		if (!b->mounts.v[i].is_bind)
			gather_layers(&g, &b->mounts.v[i], &f->mounts[i]);
		else if (b->mounts.v[i].source)
			gather_bind(&g, &b->mounts.v[i], &f->mounts[i]);
	}
	gather_root(&g);
	gather_twins(&g);
	return 0;
}
