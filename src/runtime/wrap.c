// SPDX-License-Identifier: Apache-2.0
/* A bundle for a command of this host: its root is the host's, read-only, with what is nobody's business covered. */
#include "wrap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/jsonw.h"
#include "../base/utf8.h"
#include "../core/glob.h"
#include "../base/banned.h"

/* As far as a mount's options go. */
// clang-format off
#define LOCKED "nosuid", "nodev"
static const char *const of_root[] = { "remount", "rro", "rnosuid", "rnodev", NULL };
static const char *const of_proc[] = { LOCKED, "noexec", NULL };
static const char *const of_dev[] = { "nosuid", "strictatime", "mode=755", "size=65536k", NULL };
static const char *const of_pts[] = { "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5", NULL };
static const char *const of_shm[] = { LOCKED, "mode=1777", NULL };
static const char *const of_queue[] = { LOCKED, "noexec", NULL };
static const char *const of_sys[] = { LOCKED, "noexec", "ro", NULL };
static const char *const of_temporary[] = { LOCKED, "mode=1777", NULL };
static const char *const of_covered[] = { LOCKED, "ro", "mode=755", NULL };
static const char *const of_run[] = { LOCKED, "mode=755", NULL };
static const char *const of_private[] = { LOCKED, "mode=700", NULL };
static const char *const of_nothing[] = { LOCKED, "ro", "mode=555", "nr_inodes=2", NULL };
static const char *const of_readonly[] = { "rbind", "rnosuid", "rnodev", "rro", NULL };
static const char *const of_writable[] = { "rbind", "rnosuid", "rnodev", NULL };

static const struct {
	const char *path, *type;
	const char *const *options;
} kernel_mounts[] = {
	{ "/proc", "proc", of_proc },
	{ "/dev", "tmpfs", of_dev },
	{ "/dev/pts", "devpts", of_pts },
	{ "/dev/shm", "tmpfs", of_shm },
	{ "/dev/mqueue", "mqueue", of_queue },
	{ "/sys", "sysfs", of_sys },
}, covers[] = {
	{ "/tmp", "tmpfs", of_temporary },
	{ "/var/tmp", "tmpfs", of_temporary },
	{ "/run", "tmpfs", of_run },
	{ "/var/run", "tmpfs", of_run },
	{ "/home", "tmpfs", of_covered },
	{ "/root", "tmpfs", of_covered },
};
enum { KERNEL_MOUNTS = sizeof kernel_mounts / sizeof *kernel_mounts, COVERS = sizeof covers / sizeof *covers };

/* Where some systems keep their programs, below what is covered. */
static const char *const programs[] = { "/run/current-system", "/home/linuxbrew/.linuxbrew" };

/* What programs fill for themselves and can do without. */
static const char *const caches[] = { ".cache", ".npm", ".local/state" };

static const char *const masked[] = {
	"/proc/acpi", "/proc/asound", "/proc/cmdline", "/proc/kcore", "/proc/key-users", "/proc/keys",
	"/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi",
	"/sys/firmware", "/sys/kernel/debug", "/sys/kernel/security", "/sys/kernel/tracing",
};
static const char *const readonly[] = {
	"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger",
};

/* What root of a container needs to work on its own files, and nothing beyond. */
static const char *const capabilities[] = {
	"CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL", "CAP_NET_BIND_SERVICE",
	"CAP_SETGID", "CAP_SETUID",
};
// clang-format on

static mode_t type_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? 0 : st.st_mode & S_IFMT;
}

static void strings(struct jsonw *j, const char *key, const char *const *v, size_t n)
{
	size_t i;

	jsonw_key(j, key);
	jsonw_array(j);
	for (i = 0; i < n; i++)
		jsonw_string(j, v[i]);
	jsonw_end(j);
}

static void mount(struct jsonw *j, const char *type, const char *source, const char *path,
		  const char *const *options)
{
	size_t n = 0;

	while (options[n])
		n++;
	jsonw_object(j);
	jsonw_kv(j, "destination", path);
	if (type)
		jsonw_kv(j, "type", type);
	if (source)
		jsonw_kv(j, "source", source);
	strings(j, "options", options, n);
	jsonw_end(j);
}

static void show(struct jsonw *j, const char *path, bool writable)
{
	mount(j, "bind", path, path, writable ? of_writable : of_readonly);
}

bool wrap_has_tree(const struct wrap *w, const char *path)
{
	size_t i;

	for (i = 0; i < w->n_trees; i++)
		if (!strcmp(w->trees[i].path, path))
			return true;
	return false;
}

/* Of a repository that may be written, what git takes commands from stays as it is: the caller would run them
 * later, outside. The directory is a mount of its own, so that it cannot be moved away and made anew. What the
 * caller names is left alone: not even what lies under a mount could be replaced.
 */
static void protect_repository(struct arena *a, struct jsonw *j, const struct wrap *w,
			       const char *tree)
{
	static const char *const parts[] = { "config", "config.worktree", "hooks", "modules" };
	const char *git = arena_printf(a, "%s/.git", tree), *path;
	mode_t type = type_of(git);
	size_t i;

	if (wrap_has_tree(w, git))
		return;
	if (type == S_IFREG)
		show(j, git, false);
	if (type != S_IFDIR)
		return;
	show(j, git, true);
	for (i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		path = arena_printf(a, "%s/%s", git, parts[i]);
		type = type_of(path);
		if (wrap_has_tree(w, path))
			continue;
		if (type == S_IFREG || type == S_IFDIR)
			show(j, path, false);
		else if (!type && !strcmp(parts[i], "hooks"))
			mount(j, "tmpfs", "tmpfs", path, of_nothing);
	}
}

static void add_home(struct arena *a, struct jsonw *j, const char *home)
{
	const char *path;
	size_t i;

	if (!home)
		return;
	show(j, home, false);
	for (i = 0; i < sizeof caches / sizeof caches[0]; i++) {
		path = arena_printf(a, "%s/%s", home, caches[i]);
		if (type_of(path) == S_IFDIR)
			mount(j, "tmpfs", "tmpfs", path, of_private);
	}
}

/* In this order, for a later mount lies over an earlier one. */
static void add_mounts(struct arena *a, struct jsonw *j, const struct wrap *w)
{
	size_t i;

	jsonw_key(j, "mounts");
	jsonw_array(j);
	mount(j, NULL, NULL, "/", of_root);
	for (i = 0; i < KERNEL_MOUNTS; i++)
		mount(j, kernel_mounts[i].type, kernel_mounts[i].type, kernel_mounts[i].path,
		      kernel_mounts[i].options);
	for (i = 0; i < COVERS; i++)
		if (type_of(covers[i].path) == S_IFDIR &&
		    !(w->home && !strcmp(w->home, covers[i].path)))
			mount(j, covers[i].type, covers[i].type, covers[i].path, covers[i].options);
	for (i = 0; i < sizeof programs / sizeof programs[0]; i++)
		if (!access(programs[i], F_OK))
			show(j, programs[i], false);
	if (w->other_home)
		show(j, w->other_home, false);
	add_home(a, j, w->home);
	if (w->runtime_dir && path_below(w->runtime_dir, "/run"))
		mount(j, "tmpfs", "tmpfs", w->runtime_dir, of_private);
	for (i = 0; i < w->n_trees; i++) {
		show(j, w->trees[i].path, w->trees[i].writable);
		if (w->trees[i].writable)
			protect_repository(a, j, w, w->trees[i].path);
	}
	jsonw_end(j);
}

static void add_capabilities(struct jsonw *j)
{
	static const char *const sets[] = { "bounding", "effective", "permitted" };
	size_t i, n = geteuid() ? 0 : sizeof capabilities / sizeof capabilities[0];

	jsonw_key(j, "capabilities");
	jsonw_object(j);
	for (i = 0; i < sizeof sets / sizeof sets[0]; i++)
		strings(j, sets[i], capabilities, n);
	jsonw_end(j);
}

static void add_process(struct jsonw *j, const struct wrap *w)
{
	size_t n = 0;

	while (w->args[n])
		n++;
	jsonw_key(j, "process");
	jsonw_object(j);
	jsonw_kv_bool(j, "terminal", w->terminal);
	jsonw_key(j, "user");
	jsonw_object(j);
	jsonw_kv_int(j, "uid", geteuid());
	jsonw_kv_int(j, "gid", getegid());
	jsonw_kv_int(j, "umask", w->umask);
	jsonw_end(j);
	strings(j, "args", (const char *const *)w->args, n);
	strings(j, "env", (const char *const *)w->env.v, w->env.n);
	jsonw_kv(j, "cwd", w->cwd);
	add_capabilities(j);
	jsonw_kv_bool(j, "noNewPrivileges", true);
	jsonw_end(j);
}

/* No namespace is the host's, and of time there is nothing to hide. */
static void add_linux(struct jsonw *j)
{
	static const char *const namespaces[] = { "user", "pid", "network", "mount",
						  "ipc",  "uts", "cgroup" };
	size_t i;

	jsonw_key(j, "linux");
	jsonw_object(j);
	jsonw_key(j, "namespaces");
	jsonw_array(j);
	for (i = 0; i < sizeof namespaces / sizeof namespaces[0]; i++) {
		/* Whether root has one of its own is a matter of policy. */
		if (!i && !geteuid())
			continue;
		jsonw_object(j);
		jsonw_kv(j, "type", namespaces[i]);
		jsonw_end(j);
	}
	jsonw_end(j);
	strings(j, "maskedPaths", masked, sizeof masked / sizeof masked[0]);
	strings(j, "readonlyPaths", readonly, sizeof readonly / sizeof readonly[0]);
	jsonw_end(j);
}

static int check(const char *what, const char *text, struct err *e)
{
	size_t len = strlen(text);

	return utf8_check(text, len) == len ? 0 : fail(e, 0, "%s: not valid UTF-8", what);
}

int wrap_bundle(struct arena *a, const struct wrap *w, const char **text, size_t *len,
		struct err *e)
{
	struct jsonw *j = jsonw_new(a, false);
	size_t i;

	for (i = 0; w->args[i]; i++)
		if (check("an argument", w->args[i], e))
			return -1;
	for (i = 0; i < w->n_trees; i++)
		if (check("a path", w->trees[i].path, e))
			return -1;
	if (check("the current directory", w->cwd, e) || (w->home && check("HOME", w->home, e)) ||
	    (w->other_home && check("the home directory", w->other_home, e)) ||
	    (w->runtime_dir && check("XDG_RUNTIME_DIR", w->runtime_dir, e)))
		return -1;
	jsonw_object(j);
	jsonw_kv(j, "ociVersion", "1.3.0");
	add_process(j, w);
	jsonw_key(j, "root");
	jsonw_object(j);
	jsonw_kv(j, "path", "/");
	jsonw_kv_bool(j, "readonly", true);
	jsonw_end(j);
	add_mounts(a, j, w);
	add_linux(j);
	jsonw_end(j);
	*text = jsonw_text(j, len);
	return 0;
}

/* Sorted, what is below a directory comes after it and lies over it. */
static int by_path(const void *x, const void *y)
{
	return strcmp(((const struct wrap_tree *)x)->path, ((const struct wrap_tree *)y)->path);
}

void wrap_tree_add(struct arena *a, struct wrap *w, const struct wrap_tree *tree)
{
	size_t i;

	for (i = 0; i < w->n_trees; i++)
		if (!strcmp(w->trees[i].path, tree->path)) {
			w->trees[i] = *tree;
			return;
		}
	*(struct wrap_tree *)arena_push(a, w->trees, w->n_trees) = *tree;
	qsort(w->trees, w->n_trees, sizeof *w->trees, by_path);
}

bool wrap_is_private(const char *path)
{
	static const char *const of_kernel[] = { "/dev", "/proc", "/sys" };
	size_t i;

	for (i = 0; i < sizeof of_kernel / sizeof of_kernel[0]; i++)
		if (path_below(path, of_kernel[i]) && !path_below(path, "/dev/shm"))
			return true;
	for (i = 0; i < COVERS; i++)
		if (!strcmp(path, covers[i].path) && covers[i].options != of_covered)
			return true;
	return !path[1] || !strcmp(path, "/dev/shm");
}

bool wrap_covers(const char *path)
{
	size_t i;

	for (i = 0; i < COVERS; i++)
		if (path_below(path, covers[i].path))
			return true;
	return false;
}

const char *wrap_keeps_readonly(const struct wrap *w)
{
	static const char *const systems[] = { "/bin",   "/boot", "/etc",  "/lib", "/lib32",
					       "/lib64", "/nix",  "/sbin", "/usr" };
	size_t i;

	if (w->home && !strcmp(w->cwd, w->home))
		return "it is the home directory, and what is in there is run outside of the box, "
		       "too";
	for (i = 0; i < COVERS; i++)
		if (!strcmp(w->cwd, covers[i].path))
			return "the box has its own there";
	if (wrap_is_private(w->cwd) || (w->home && path_below(w->home, w->cwd)))
		return "it is not for one command alone";
	for (i = 0; i < sizeof systems / sizeof systems[0]; i++)
		if (path_below(w->cwd, systems[i]))
			return "it belongs to the system";
	return NULL;
}
