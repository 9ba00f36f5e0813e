// SPDX-License-Identifier: Apache-2.0
/* Known paths that have wildcards in them: "tmp/ssh-*", ".config/X/Cookies". */
#include "scan_work.h"

#include <fcntl.h>
#include <string.h>

#include "../core/detect_paths.h"
#include "../core/glob.h"
#include "../base/banned.h"

enum { PATH_LONGEST = 4096 };

/* Patterns of the same directory stand together; those from begin to end are looked for in one listing. */
struct group {
	const char **v;
	size_t begin, end;
	size_t parent; /* length of the directory's part of all of them */
	size_t skip;   /* what of it is above the directory that is looked at */
};

static size_t parent_len(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');

	return slash ? (size_t)(slash - pattern) : 0;
}

/* How much of the pattern's directory the path of a host is, with the slash behind it; false: the path is
 * elsewhere, or in what the pattern stands for.
 */
static bool skip_host(const char *pattern, size_t parent, const char *host, size_t *skip)
{
	size_t at = 0, n, len;

	for (host += strspn(host, "/"); *host; host += strspn(host, "/")) {
		if (at > parent || !parent)
			return false; /* the host's path is longer */
		n = strcspn(pattern + at, "/");
		len = strcspn(host, "/");
		if (!glob_component(pattern + at, n, host, len))
			return false;
		at += n + 1;
		host += len;
	}
	*skip = at;
	return true;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static bool matches(const struct group *g, const char *name)
{
	const char *last;
	size_t i;

	for (i = g->begin; i < g->end; i++) {
		last = g->v[i] + g->parent + (g->parent > 0);
		if (glob_component(last, strlen(last), name, strlen(name)))
			return true;
	}
	return false;
}

static void list(struct scan *s, const struct group *g, const char *dir)
{
	DIR *d = scan_open_dir(s, dir, 0);
	char path[PATH_LONGEST];
	struct dirent *ent;

	if (!d)
		return;
	while ((ent = readdir(d)))
		if (!is_dots(ent->d_name) && matches(g, ent->d_name) &&
		    scan_join(path, sizeof path, dir, ent->d_name))
			scan_judge(s, path);
	closedir(d);
}

/* Goes down the rest of the pattern's directory, from the offset; its depth is that of the patterns. */
static void expand(struct scan *s, const struct group *g, size_t at, const char *dir)
{
	const char *component = g->v[g->begin] + at;
	char path[PATH_LONGEST];
	struct dirent *ent;
	size_t n, rest;
	DIR *d;

	if (at >= g->parent) {
		list(s, g, dir);
		return;
	}
	rest = g->parent - at;
	n = strcspn(component, "/");
	n = n < rest ? n : rest;
	if (!memchr(component, '*', n)) {
		char name[PATH_LONGEST];

		memcpy(name, component, n);
		name[n] = '\0';
		if (scan_join(path, sizeof path, dir, name))
			expand(s, g, at + n + 1, path);
		return;
	}
	d = scan_open_dir(s, dir, 0);
	if (!d)
		return;
	while ((ent = readdir(d)))
		if (!is_dots(ent->d_name) &&
		    glob_component(component, n, ent->d_name, strlen(ent->d_name)) &&
		    scan_join(path, sizeof path, dir, ent->d_name))
			expand(s, g, at + n + 1, path);
	closedir(d);
}

static const char **patterns(struct arena *a, enum wild_base base, size_t *n)
{
	enum path_scope scope = base == WILD_ROOT ? BELOW_ROOT : BELOW_HOME;
	const char **v = NULL;
	size_t i;

	*n = 0;
	for (i = 0; i < n_path_rules; i++)
		if (path_rules[i].scope == scope && path_rules[i].fate >= FATE_SELF &&
		    path_rules[i].fate != FATE_KEEP && strchr(path_rules[i].pattern, '*'))
			*arena_push(a, v, *n) = path_rules[i].pattern;
	return v;
}

void scan_wild(struct scan *s, enum wild_base base, const char *at, const char *dir)
{
	struct group g;
	size_t n;

	g.v = patterns(s->arena, base, &n);
	for (g.begin = 0; g.begin < n; g.begin = g.end) {
		g.parent = parent_len(g.v[g.begin]);
		for (g.end = g.begin + 1; g.end < n && parent_len(g.v[g.end]) == g.parent &&
					  !strncmp(g.v[g.end], g.v[g.begin], g.parent);
		     g.end++)
			;
		if (skip_host(g.v[g.begin], g.parent, at, &g.skip))
			expand(s, &g, g.skip, dir);
	}
}
