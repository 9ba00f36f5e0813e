// SPDX-License-Identifier: Apache-2.0
/* Gathering what the outside world contributes to a plan. */
#include "facts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
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
};

static const char *resolved(struct arena *a, int fd)
{
	char link[64], path[PATH_LONGEST];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	return n > 0 && path[0] == '/' ? arena_strndup(a, path, (size_t)n) : NULL;
}

/* Sockets and hard links can have any name: their identity is compared with what is known. */
static void judge_identity(const struct stat *st, struct mount_facts *mf)
{
	const struct known_path *all;
	char path[PATH_LONGEST];
	struct finding f;
	struct stat known;
	size_t n, i;

	if (!S_ISSOCK(st->st_mode) && !(S_ISREG(st->st_mode) && st->st_nlink > 1))
		return;
	all = detect_known_paths(&n);
	for (i = 0; i < n; i++) {
		if (all[i].base != KNOWN_ROOT ||
		    (S_ISSOCK(st->st_mode) && !strstr(all[i].rule, "-socket")))
			continue;
		snprintf(path, sizeof path, "/%s", all[i].path);
		if (stat(path, &known) || known.st_dev != st->st_dev || known.st_ino != st->st_ino)
			continue;
		if (detect_path(path, strlen(path), &f) == VERDICT_KEEP)
			continue;
		mf->rule = f.rule;
		mf->why = "it is the same file as one that holds or gives credentials";
		return;
	}
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
	g->facts->scan_incomplete |= s->incomplete;
	*found = s->found;
	*n = s->n_found;
}

/* What is not there cannot be mounted either; of all else nobody knows what is in it. */
static void note_unopened(struct gather *g)
{
	g->facts->scan_incomplete |= errno != ENOENT;
}

static void gather_bind(struct gather *g, const struct mount *m, struct mount_facts *mf)
{
	autofd int fd = openat(g->bundle_fd, m->source, O_PATH | O_CLOEXEC);
	struct scan s = { .fd = fd, .inside = mount_point(g->arena, m) };
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		note_unopened(g);
		return;
	}
	mf->source = resolved(g->arena, fd);
	mf->type = scan_type(st.st_mode);
	judge_identity(&st, mf);
	judge_content(g, fd, &st, mf);
	if (!S_ISDIR(st.st_mode) || g->policy->scan_mounts == SCAN_OFF || !mf->source)
		return;
	s.host = mf->source;
	search(g, &s, &mf->found, &mf->n_found);
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

static void gather_root(struct gather *g)
{
	autofd int fd = openat(g->bundle_fd, g->b->root.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct scan s = { .fd = fd, .host = "/", .inside = "/", .is_image = true };

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

int facts_gather(struct arena *a, const struct bundle *b, const struct policy *p,
		 const char *bundle_dir, struct facts *f, struct err *e)
{
	autofd int dir = open(bundle_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct gather g = { a, b, p, dir, f, p->scan_max_files, pointer_paths(a, b, p) };
	size_t i;

	if (dir < 0)
		return fail(e, errno, "%s", printable(a, bundle_dir, PATH_SHOWN));
	if (facts_host(a, f, e))
		return -1;
	f->n_mounts = b->mounts.n;
	f->mounts = arena_array(a, b->mounts.n, sizeof *f->mounts);
	for (i = 0; i < b->mounts.n; i++) {
		if (!b->mounts.v[i].is_bind)
			gather_layers(&g, &b->mounts.v[i], &f->mounts[i]);
		else if (b->mounts.v[i].source)
			gather_bind(&g, &b->mounts.v[i], &f->mounts[i]);
	}
	gather_root(&g);
	return 0;
}
