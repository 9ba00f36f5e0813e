// SPDX-License-Identifier: Apache-2.0
/* Finding credential files below a directory: known paths directly, or everything within a budget. */
#include "scan_work.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../core/detect.h"
#include "../core/glob.h"
#include "../base/banned.h"

enum { PATH_LONGEST = 4096, DEPTH_MOST = 64, FIRST_READ = 4096, CONTENT_MOST = 64 * 1024 };

enum file_type scan_type(unsigned mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG: return FILE_REGULAR;
	case S_IFDIR: return FILE_DIRECTORY;
	case S_IFSOCK: return FILE_SOCKET;
	case S_IFCHR:
	case S_IFBLK: return FILE_DEVICE;
	case S_IFIFO: return FILE_FIFO;
	}
	return FILE_OTHER;
}

/* Links stay in the image, or lead nowhere in a mount: there, a link out of it would be resolved
 * in the container's root and not in ours.
 */
int scan_open(const struct scan *s, const char *path, unsigned flags)
{
	struct open_how how = { .flags = flags | O_CLOEXEC };

	how.resolve = (s->is_image ? RESOLVE_IN_ROOT : RESOLVE_BENEATH) | RESOLVE_NO_MAGICLINKS;
	return (int)syscall(SYS_openat2, s->fd, *path ? path : ".", &how, sizeof how);
}

static const char *between(const char *dir, const char *name)
{
	size_t n = strlen(dir);

	return !n || dir[n - 1] == '/' || !*name ? "" : "/";
}

static const char *join(struct arena *a, const char *dir, const char *name)
{
	return arena_printf(a, "%s%s%s", dir, between(dir, name), name);
}

/* Without the arena, for paths that are looked at once and forgotten. */
bool scan_join(char *buf, size_t size, const char *dir, const char *name)
{
	int n = snprintf(buf, size, "%s%s%s", dir, between(dir, name), name);

	return n >= 0 && (size_t)n < size;
}

/* What cannot be read here may well be readable to the workload; what is gone, or is a link that
 * leads nowhere, is not.
 */
static bool is_unseen(int error)
{
	return error != ENOENT && error != ENOTDIR && error != ELOOP && error != EXDEV;
}

DIR *scan_open_dir(struct scan *s, const char *path, unsigned flags)
{
	int fd = scan_open(s, path, flags | O_RDONLY | O_DIRECTORY);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d)
		s->incomplete |= is_unseen(errno);
	return d;
}

static bool is_empty_dir(const struct scan *s, const char *path)
{
	int fd = scan_open(s, path, O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int n = 0;

	if (!dir)
		return false;
	while (n < 3 && readdir(dir))
		n++;
	closedir(dir);
	return n < 3;
}

/* What people write settings into, also without a name that says so. */
static bool is_settings(const char *name)
{
	static const char *const endings[] = { ".cfg",        ".cnf",        ".conf", ".config",
					       ".env",        ".hcl",        ".ini",  ".json",
					       ".plist",      ".properties", ".tf",   ".tfvars",
					       ".toml",       ".xml",        ".yaml", ".yml",
					       ".credentials" };
	const char *base = strrchr(name, '/'), *dot;
	size_t i;

	base = base ? base + 1 : name;
	dot = strrchr(base, '.');
	if (!dot || dot == base)
		return true;
	for (i = 0; i < sizeof endings / sizeof endings[0]; i++)
		if (!strcmp(dot, endings[i]))
			return true;
	return false;
}

/* The beginning of a text. A NUL early on: a program or an image, not a file that people keep keys
 * in; of those, and they are most, little is read.
 */
static size_t read_text(int fd, char *buf, size_t size)
{
	ssize_t n = read(fd, buf, FIRST_READ), more;

	if (n <= 0 || memchr(buf, '\0', n < 512 ? (size_t)n : 512))
		return 0;
	more = n < FIRST_READ ? 0 : read(fd, buf + n, size - FIRST_READ);
	return (size_t)(more > 0 ? n + more : n);
}

const char *scan_content(struct arena *a, int fd, const char *name, const char **why)
{
	char buf[CONTENT_MOST];
	size_t n = read_text(fd, buf, sizeof buf);
	const char *rule = NULL;
	struct finding f;

	if (n && (is_settings(name) ? detect_value(buf, n, &f) : detect_strong(buf, n, &f)) ==
			 VERDICT_CREDENTIAL) {
		rule = arena_printf(a, "content:%s", strchr(f.rule, ':') + 1);
		*why = arena_printf(a, "in the file: %s", f.why);
	}
	explicit_bzero(buf, n ? n : FIRST_READ);
	return rule;
}

static const char *content_rule(const struct scan *s, const char *path, const char **why,
				bool *unseen)
{
	autofd int fd = scan_open(s, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);

	*unseen = fd < 0 && is_unseen(errno);
	return fd < 0 ? NULL : scan_content(s->arena, fd, path, why);
}

/* Every image has /etc/shadow, and most of them no password in it; and empty files hold nothing. */
static bool is_hollow(const struct scan *s, const char *path, const struct stat *st)
{
	const char *why;
	bool unseen;

	if (!s->is_image)
		return false;
	if (S_ISREG(st->st_mode) && !st->st_size)
		return true;
	if (S_ISDIR(st->st_mode))
		return is_empty_dir(s, path);
	if (!strncmp(path, "etc/shadow", 10) || !strncmp(path, "etc/gshadow", 11))
		return !content_rule(s, path, &why, &unseen) && !unseen;
	return false;
}

/* The path without links, as the descriptor has it, relative to the scan's directory. */
static const char *canonical(const struct scan *s, int fd, const char *path)
{
	char link[64], root[PATH_LONGEST], real[PATH_LONGEST];
	ssize_t n, m;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, real, sizeof real - 1);
	snprintf(link, sizeof link, "/proc/self/fd/%d", s->fd);
	m = readlink(link, root, sizeof root - 1);
	if (n <= 0 || m <= 0 || n >= (ssize_t)sizeof real - 1)
		return path;
	real[n] = root[m] = '\0';
	if (m == 1)
		m = 0;
	if (n <= m || strncmp(real, root, (size_t)m) || real[m] != '/')
		return path;
	return arena_strdup(s->arena, real + m + 1);
}

void scan_add(struct scan *s, const char *path, const char *rule, const char *why)
{
	autofd int fd = scan_open(s, path, O_PATH);
	const char *real;
	struct found *found;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || is_hollow(s, path, &st))
		return;
	scan_note_names(s, &st, rule);
	real = canonical(s, fd, path);
	found = arena_push(s->arena, s->found, s->n_found);
	*found = (struct found){ join(s->arena, s->host, real), join(s->arena, s->inside, real),
				 scan_type(st.st_mode), rule, why };
}

static bool policy_masks(const struct policy *p, const char *path)
{
	const struct policy_rule *rule = path[0] == '/' ? policy_path_rule(p, path) : NULL;

	return rule && rule->action == RULE_MASK;
}

/* Adds a path that the built-in rules have nothing against, if the policy has. */
static bool judge_by_policy(struct scan *s, const char *path)
{
	char host[2 * PATH_LONGEST], inside[2 * PATH_LONGEST];

	if (!s->policy || !s->policy->paths.n || !scan_join(host, sizeof host, s->host, path) ||
	    !scan_join(inside, sizeof inside, s->inside, path) ||
	    (!policy_masks(s->policy, host) && !policy_masks(s->policy, inside)))
		return false;
	scan_add(s, path, "policy:paths.mask", "a policy says so");
	return true;
}

/* What a policy names is looked for where it says, be it in a known place or not. */
static void scan_policy(struct scan *s)
{
	char path[PATH_LONGEST];
	const char *below;
	size_t i;

	for (i = 0; s->policy && i < s->policy->paths.n; i++) {
		const struct policy_rule *rule = &s->policy->paths.v[i];

		if (rule->action != RULE_MASK ||
		    !policy_literal_path(rule->pattern, path, sizeof path))
			continue;
		below = path_below(path, s->host);
		if (below && *below)
			judge_by_policy(s, below);
		below = path_below(path, s->inside);
		if (below && *below)
			judge_by_policy(s, below);
	}
}

bool scan_judge(struct scan *s, const char *path)
{
	char host[2 * PATH_LONGEST];
	struct finding f;

	if (!scan_join(host, sizeof host, s->host, path)) {
		s->incomplete = true;
		return false;
	}
	detect_path(host, strlen(host), &f);
	if (s->is_root_tree && f.verdict == VERDICT_KEEP && scan_join(host, sizeof host, "/", path))
		detect_path(host, strlen(host), &f);
	if (f.verdict == VERDICT_KEEP || f.is_ancestor)
		return judge_by_policy(s, path);
	scan_add(s, path, f.rule, f.why);
	return true;
}

/* '/' sorts before everything else, so that a directory and what is in it stand together. */
static int path_order(const char *a, const char *b)
{
	int x, y;

	for (; *a && *a == *b; a++, b++)
		;
	x = *a == '/' ? 1 : (unsigned char)*a ? (unsigned char)*a + 1 : 0;
	y = *b == '/' ? 1 : (unsigned char)*b ? (unsigned char)*b + 1 : 0;
	return x - y;
}

static int by_place(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int c = path_order(x->inside, y->inside);

	return c ? c : strcmp(x->rule, y->rule);
}

void scan_finish(struct scan *s)
{
	size_t i, n = 0;

	if (s->n_found)
		qsort(s->found, s->n_found, sizeof *s->found, by_place);
	for (i = 0; i < s->n_found; i++)
		if (!n || !path_below(s->found[i].inside, s->found[n - 1].inside))
			s->found[n++] = s->found[i];
	s->n_found = n;
}

/* Rows of the detector's table that begin alike: it has the order of path_order(). */
struct known {
	const struct known_path *v;
	size_t n;
};

static struct known known_of(enum known_base base)
{
	struct known k;
	size_t n;

	k.v = detect_known_paths(&n);
	while (n && k.v->base != base) {
		k.v++;
		n--;
	}
	for (k.n = 0; k.n < n && k.v[k.n].base == base; k.n++)
		;
	return k;
}

static int component_order(const char *c, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (!c[i] || c[i] == '/')
			return -1;
		if (c[i] != name[i])
			return (unsigned char)c[i] < (unsigned char)name[i] ? -1 : 1;
	}
	return c[len] && c[len] != '/';
}

/* How many rows come before the name, or before what comes after it. */
static size_t rows_before(struct known k, size_t offset, const char *name, size_t len, int order)
{
	size_t low = 0, high = k.n, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (component_order(k.v[mid].path + offset, name, len) < order)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The part of k whose component at offset is the given name. */
static struct known narrow(struct known k, size_t offset, const char *name, size_t len)
{
	size_t low = rows_before(k, offset, name, len, 0);

	return (struct known){ k.v + low, rows_before(k, offset, name, len, 1) - low };
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* One listing of a directory answers for all known paths in it. */
static void descend(struct scan *s, struct known k, size_t offset, const char *dir, int depth)
{
	DIR *d = scan_open_dir(s, dir, 0);
	struct dirent *ent;

	if (!d)
		return;
	while ((ent = readdir(d))) {
		size_t len = strlen(ent->d_name);
		struct known below = narrow(k, offset, ent->d_name, len);
		const char *path;

		if (!below.n && (!s->policy || !s->policy->paths.n || is_dots(ent->d_name)))
			continue;
		path = join(s->arena, dir, ent->d_name);
		if (judge_by_policy(s, path) || !below.n)
			continue;
		if (!below.v[0].path[offset + len]) {
			if (scan_judge(s, path))
				continue;
			below.v++;
			below.n--;
		}
		if (below.n && depth < DEPTH_MOST)
			descend(s, below, offset + len + 1, path, depth + 1);
	}
	closedir(d);
}

/* Below a directory that is itself some levels below the base of the known paths. */
static void descend_from(struct scan *s, struct known k, const char *rest)
{
	size_t offset = 0, len;

	for (rest += strspn(rest, "/"); *rest && k.n; rest += strspn(rest, "/")) {
		len = strcspn(rest, "/");
		k = narrow(k, offset, rest, len);
		rest += len;
		offset += len;
		if (k.n && !k.v[0].path[offset]) {
			k.v++;
			k.n--;
		}
		offset++;
	}
	if (k.n)
		descend(s, k, offset, "", 0);
}

static void scan_home(struct scan *s, struct known home, const char *dir)
{
	descend(s, home, 0, dir, 0);
	scan_wild(s, WILD_HOME, "", dir);
}

static void scan_homes(struct scan *s, struct known home, const char *dir)
{
	DIR *d = scan_open_dir(s, dir, 0);
	struct dirent *ent;

	if (!d)
		return;
	while ((ent = readdir(d)))
		if (ent->d_name[0] != '.')
			scan_home(s, home, join(s->arena, dir, ent->d_name));
	closedir(d);
}

static void judge_content(struct scan *s, const char *path)
{
	bool unseen;
	const char *why, *rule = content_rule(s, path, &why, &unseen);

	s->incomplete |= unseen;
	if (rule)
		scan_add(s, path, rule, why);
}

bool scan_is_root_tree(int fd)
{
	return !faccessat(fd, "etc/passwd", F_OK, 0) && !faccessat(fd, "usr", F_OK, 0);
}

/* A whole system. Some have a /var/run that is no link to /run. */
static void scan_system(struct scan *s, struct known root, struct known home)
{
	autofd int var_run = scan_open(s, "var/run", O_PATH | O_NOFOLLOW | O_DIRECTORY);

	scan_wild(s, WILD_ROOT, "/", "");
	descend(s, root, 0, "", 0);
	if (var_run >= 0) {
		descend(s, narrow(root, 0, "run", 3), 4, "var/run", 0);
		scan_wild(s, WILD_ROOT, "/run", "var/run");
	}
	scan_home(s, home, "root");
	scan_homes(s, home, "home");
}

void scan_known(struct scan *s)
{
	struct known root = known_of(KNOWN_ROOT), home = known_of(KNOWN_HOME);
	struct known project = known_of(KNOWN_PROJECT);
	const char *user;

	scan_policy(s);
	if (!strcmp(s->host, "/")) {
		scan_system(s, root, home);
		return;
	}
	scan_wild(s, WILD_ROOT, s->host, "");
	descend_from(s, root, s->host);
	descend(s, project, 0, "", 0);
	/* What a checkout needs itself may have a password for where it came from. */
	judge_content(s, ".git/config");
	if (!strcmp(s->host, "/home")) {
		scan_homes(s, home, "");
		return;
	}
	/* A whole system in a directory, such as another machine's disk or a chroot. */
	s->is_root_tree = scan_is_root_tree(s->fd);
	if (s->is_root_tree)
		scan_system(s, root, home);
	/* Inside a home the rest of the path counts; any other directory may be a home. */
	user = strncmp(s->host, "/home/", 6) ? NULL : strchr(s->host + 6, '/');
	if (!strncmp(s->host, "/root/", 6))
		user = s->host + 5;
	descend_from(s, home, user ? user : "");
	scan_wild(s, WILD_HOME, user ? user : "", "");
	scan_names(s, "");
}

void scan_names(struct scan *s, const char *dir)
{
	DIR *d = scan_open_dir(s, dir, 0);
	char path[PATH_LONGEST];
	struct dirent *ent;

	if (!d)
		return;
	while ((ent = readdir(d))) {
		if (ent->d_type == DT_DIR && (ent->d_name[0] != '.' || is_dots(ent->d_name)))
			continue;
		if (!s->budget) {
			s->incomplete = true;
			break;
		}
		s->budget--;
		if (scan_join(path, sizeof path, dir, ent->d_name))
			scan_judge(s, path);
	}
	closedir(d);
}

/* Not every file system says it in the listing. */
static unsigned char type_of(const struct scan *s, const char *path, const struct dirent *ent)
{
	autofd int fd = -1;
	struct stat st;

	if (ent->d_type != DT_UNKNOWN)
		return ent->d_type;
	fd = scan_open(s, path, O_PATH | O_NOFOLLOW);
	return fd < 0 || fstat(fd, &st) ? DT_UNKNOWN : IFTODT(st.st_mode);
}

/* /proc, /sys and their kin: nobody keeps files there, reading some of them has effects, and what
 * they tell of processes is a matter of namespaces.
 */
static bool is_kernels_own(const struct scan *s, const char *dir)
{
	static const unsigned magics[] = {
		PROC_SUPER_MAGIC,   SYSFS_MAGIC,         DEBUGFS_MAGIC,
		TRACEFS_MAGIC,      SECURITYFS_MAGIC,    BPF_FS_MAGIC,
		CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, EFIVARFS_MAGIC
	};
	autofd int fd = scan_open(s, dir, O_PATH | O_NOFOLLOW);
	struct statfs fs;
	size_t i;

	if (fd < 0 || fstatfs(fd, &fs))
		return false;
	for (i = 0; i < sizeof magics / sizeof magics[0]; i++)
		if ((unsigned)fs.f_type == magics[i])
			return true;
	return false;
}

static void walk(struct scan *s, const char *dir, int depth);

static void visit(struct scan *s, const char *dir, const struct dirent *ent, int depth)
{
	char path[PATH_LONGEST];
	unsigned char type;

	s->budget--;
	s->seen++;
	if (s->progress)
		s->progress(s->seen);
	if (!scan_join(path, sizeof path, dir, ent->d_name)) {
		s->incomplete = true;
		return;
	}
	type = type_of(s, path, ent);
	if ((type == DT_DIR && is_kernels_own(s, path)) || scan_judge(s, path))
		return;
	if (type == DT_DIR && depth < DEPTH_MOST)
		walk(s, path, depth + 1);
	else if (type == DT_DIR)
		s->incomplete = true;
	else if (type == DT_REG)
		judge_content(s, path);
}

static void walk(struct scan *s, const char *dir, int depth)
{
	DIR *d = scan_open_dir(s, dir, O_NOFOLLOW);
	struct dirent *ent;

	if (!d)
		return;
	while ((ent = readdir(d))) {
		if (is_dots(ent->d_name))
			continue;
		if (!s->budget) {
			s->incomplete = true;
			break;
		}
		visit(s, dir, ent, depth);
	}
	closedir(d);
}

void scan_deep(struct scan *s)
{
	scan_policy(s);
	walk(s, "", 0);
}
