// SPDX-License-Identifier: Apache-2.0
/* Policy files: their order, and which are not trusted. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/fd.h"
#include "../src/sys/policy_load.h"
#include "tap.h"

static struct arena arena;
static struct err e;
static char top[] = "/tmp/credsbox-policy.XXXXXX";
static const char *dir; /* the administrator's */
static bool is_root;    /* with ids to give away: in a user namespace there may be none */

static const char *in(const char *base, const char *name)
{
	return arena_printf(&arena, "%s/%s", base, name);
}

static void write_file(const char *path, const char *text)
{
	autofd int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || fchmod(fd, 0644) || fd_write_all(fd, path, text, strlen(text), &e))
		BAIL_OUT("cannot write %s", path);
}

static void make_dir(const char *path)
{
	if (mkdir(path, 0755) || chmod(path, 0755))
		BAIL_OUT("cannot make %s", path);
}

/* Errors without the temporary directory in them. */
static const char *load(const char *file, struct policy *p)
{
	const char *text = e.text, *at;
	char *out, *o;

	if (!policy_load_from(&arena, dir, file, p, &e))
		return "";
	o = out = arena_alloc(&arena, sizeof e.text);
	while ((at = strstr(text, top))) {
		memcpy(o, text, (size_t)(at - text));
		o += at - text;
		text = at + strlen(top);
	}
	memcpy(o, text, strlen(text));
	return out;
}

static void test_order(void)
{
	struct policy p;

	is(load(NULL, &p), "", "no directory is fine");
	ok(p.mode == MODE_STRIP, "the built-in policy applies then");
	make_dir(dir);
	is(load(NULL, &p), "", "an empty directory is fine");
	write_file(in(dir, "policy.yaml"), "mode: observe\nargs: refuse\nlandlock: off\n");
	make_dir(in(dir, "policy.d"));
	write_file(in(dir, "policy.d/20-b.yaml"), "args: dummy\n");
	write_file(in(dir, "policy.d/10-a.yaml"), "args: record\nscan: { deep: on }\n");
	write_file(in(dir, "policy.d/B.yaml"), "landlock: best-effort\n");
	write_file(in(dir, "policy.d/30.yaml~"), "no: policy\n");
	write_file(in(dir, "policy.d/.yaml"), "no: policy\n");
	write_file(in(dir, "policy.d/.hidden.yaml"), "no: policy\n");
	is(load(NULL, &p), "", "files that do not end in .yaml, and hidden ones, are left out");
	ok(p.mode == MODE_OBSERVE, "policy.yaml counts");
	ok(p.args == ARGS_DUMMY, "files of policy.d go over it, in the order of their names");
	ok(p.landlock == LANDLOCK_BEST_EFFORT && p.scan_deep, "all of them");
	is(p.from[KEY_ARGS]->name, in(dir, "policy.d/20-b.yaml"), "a layer has its file's name");

	write_file(in(top, "mine"), "{\"mode\": \"enforce\"}\n");
	is(load(in(top, "mine"), &p), "", "--policy goes over them");
	ok(p.mode == MODE_ENFORCE, "and may be JSON");
	write_file(in(top, "mine"), "# a comment\n\n \t{ mode: enforce }\n");
	is(load(in(top, "mine"), &p), "/mine:3:5: invalid character",
	   "what begins with a brace is JSON, after comments too");
	write_file(in(top, "mine"), "# a comment\n{\"mode\": \"enforce\"}\n");
	is(load(in(top, "mine"), &p), "", "which may stand before JSON");
	is(load(in(top, "none"), &p), "/none: no such file or directory", "--policy must be there");
	is(load("-", &p), "'-': a policy is not read from standard input (a file: ./-)",
	   "standard input is no policy");
	is(load(top, &p), ": is a directory", "nor is a directory");
}

static void test_errors(void)
{
	struct policy p;

	write_file(in(dir, "policy.d/30.yaml"), "env:\n  alow: [A]\n");
	is(load(NULL, &p),
	   "/etc/policy.d/30.yaml:2:3: env.alow: unknown key (did you mean 'allow'?)",
	   "an error has file, line and column");
	write_file(in(dir, "policy.d/30.yaml"), "env: {\n");
	like(load(NULL, &p), "^/etc/policy.d/30.yaml:2:1: ", "so has one of YAML");
	write_file(in(dir, "policy.d/30.yaml"), "{\"mode\": \"strip\",}\n");
	like(load(NULL, &p), "^/etc/policy.d/30.yaml:1:[0-9]+: ", "and one of JSON");
	write_file(in(dir, "policy.d/30.yaml"), "locked: [mode]\n");
	write_file(in(top, "mine"), "mode: strip\n");
	is(load(in(top, "mine"), &p), "/mine:1:1: mode: locked by /etc/policy.d/30.yaml",
	   "a lock names its file");
	if (truncate(in(dir, "policy.d/30.yaml"), POLICY_MAX_SIZE + 1))
		BAIL_OUT("cannot make a large file");
	is(load(NULL, &p), "/etc/policy.d/30.yaml: larger than 1048576 bytes",
	   "a file has 1 MiB at most");
	unlink(in(dir, "policy.d/30.yaml"));
}

static void test_trust(void)
{
	const char *file = in(dir, "policy.yaml"), *link = in(dir, "policy.d/40.yaml");
	struct policy p;

	chmod(file, 0664);
	is(load(NULL, &p),
	   "/etc/policy.yaml: others than its owner can write it (remedy: chmod go-w)",
	   "a file that its group can write is not trusted");
	chmod(file, 0646);
	like(load(NULL, &p), "remedy: chmod", "nor one that everybody can write");
	chmod(file, 0600);
	is(load(NULL, &p), "", "a file that only its owner can read is");
	chmod(in(dir, "policy.d"), 0777);
	is(load(NULL, &p), "/etc/policy.d: others than its owner can write it (remedy: chmod go-w)",
	   "a directory is held to the same");
	chmod(in(dir, "policy.d"), 0755);
	if (symlink("missing", link))
		BAIL_OUT("cannot make a link");
	is(load(NULL, &p), "/etc/policy.d/40.yaml: a link to a file that is missing",
	   "a link that leads nowhere is no missing policy");
	unlink(link);
	if (symlink(in(top, "mine"), link))
		BAIL_OUT("cannot make a link");
	is(load(NULL, &p), "", "a link to a file is fine");
	chmod(in(top, "mine"), 0666);
	like(load(NULL, &p), "40.yaml: others than", "if the file is");
	chmod(in(top, "mine"), 0644);
	unlink(link);
	if (mkfifo(link, 0600))
		BAIL_OUT("cannot make a FIFO");
	is(load(NULL, &p), "/etc/policy.d/40.yaml: not a regular file", "a FIFO is no policy");
	unlink(link);
	skip(!is_root, 1, "only root can give files away");
	if (chown(file, 12345, 0))
		BAIL_OUT("cannot give a file away");
	is(load(NULL, &p),
	   "/etc/policy.yaml: belongs to user 12345, not to root or the caller (remedy: chown)",
	   "a file of somebody else is not trusted");
	if (chown(file, 0, 0))
		BAIL_OUT("cannot take a file back");
	end_skip;
}

/* As root we are somebody else here, who may not write the files. */
static void be_root(void)
{
	if (is_root && seteuid(0))
		BAIL_OUT("cannot become root");
}

static const char *load_as_user(struct policy *p)
{
	const char *text;

	if (is_root && seteuid(12345))
		BAIL_OUT("cannot become somebody else");
	text = load(NULL, p);
	be_root();
	return text;
}

static void test_user_trust(const char *config, const char *own)
{
	struct policy p;

	setenv("XDG_CONFIG_HOME", config, 1);
	skip(geteuid() == 0, 3, "root has no file of its own");
	be_root();
	chmod(own, 0664);
	is(load_as_user(&p),
	   "/config/credsbox/policy.yaml: others than its owner can write it (remedy: chmod go-w)",
	   "a person's file that others can write is not trusted");
	unlink(own);
	if (mkfifo(own, 0644))
		BAIL_OUT("cannot make a FIFO");
	is(load_as_user(&p), "/config/credsbox/policy.yaml: not a regular file",
	   "a FIFO in its place is an error, and nobody waits for it");
	unlink(own);
	write_file(own, "args: refuse\n");
	if (is_root && chown(own, 12346, 0))
		BAIL_OUT("cannot give a file away");
	is(load_as_user(&p),
	   is_root ? "/config/credsbox/policy.yaml: belongs to user 12346, not to root or the "
		     "caller (remedy: chown)"
		   : "",
	   "whose it is counts, too");
	if (is_root && (chown(own, 0, 0) || seteuid(12345)))
		BAIL_OUT("cannot take a file back");
	end_skip;
}

static void test_user(void)
{
	const char *config = in(top, "config"), *own = in(config, "credsbox/policy.yaml");
	struct policy p;

	make_dir(config);
	make_dir(in(config, "credsbox"));
	write_file(own, "args: refuse\n");
	setenv("XDG_CONFIG_HOME", config, 1);
	skip(!is_root, 2, "not root");
	is(load(NULL, &p), "", "root has no file of its own");
	ok(p.args == ARGS_DUMMY, "only the administrator's count");
	chmod(in(dir, "policy.yaml"), 0644);
	chmod(top, 0755);
	if (setegid(12345) || seteuid(12345))
		BAIL_OUT("cannot become somebody else");
	end_skip;
	skip(geteuid() == 0, 5, "root has no file of its own");
	is(load(NULL, &p), "", "a person has one");
	ok(p.args == ARGS_REFUSE, "in $XDG_CONFIG_HOME");
	setenv("XDG_CONFIG_HOME", "config", 1);
	setenv("HOME", top, 1);
	is(load(NULL, &p), "", "which is ignored when it is relative");
	ok(p.args == ARGS_DUMMY, "in favour of $HOME");
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", in(own, "x"), 1);
	is(load(NULL, &p), "", "where nothing needs to be");
	end_skip;
	test_user_trust(config, own);
	skip(!is_root, 3, "not root");
	setenv("XDG_CONFIG_HOME", config, 1);
	if (seteuid(0) || chmod(own, 0600) || chmod(in(dir, "policy.yaml"), 0600) || seteuid(12345))
		BAIL_OUT("cannot change the mode");
	is(load(NULL, &p), "/etc/policy.yaml: permission denied",
	   "a policy of the administrator that cannot be read is an error");
	if (seteuid(0) || chmod(in(dir, "policy.yaml"), 0644) || seteuid(12345))
		BAIL_OUT("cannot change the mode");
	is(load(NULL, &p),
	   "/config/credsbox/policy.yaml: cannot be read (remedy: set HOME or XDG_CONFIG_HOME to a "
	   "directory of your own)",
	   "and so is a person's own, with what can be done about it");
	ok(!seteuid(0), "back to root");
	end_skip;
}

static void test_audit_file(void)
{
	struct policy p;

	setenv("XDG_STATE_HOME", "/state", 1);
	setenv("HOME", "/home/alice", 1);
	setenv("XDG_CONFIG_HOME", in(top, "none"), 1);
	skip(!is_root, 2, "not root");
	is(load(NULL, &p), "", "(a policy)");
	is(p.audit_file, "/var/log/credsbox/audit.jsonl", "root's audit is the host's");
	end_skip;
	skip(!is_root && geteuid() == 0, 6, "root, but of what?");
	is(load_as_user(&p), "", "(a policy)");
	is(p.audit_file, "/state/credsbox/audit.jsonl", "a person's audit is in $XDG_STATE_HOME");
	setenv("XDG_STATE_HOME", "state", 1);
	load_as_user(&p);
	is(p.audit_file, "/home/alice/.local/state/credsbox/audit.jsonl",
	   "or, when that is relative, below $HOME");
	unsetenv("HOME");
	load_as_user(&p);
	is(p.audit_file, "/var/log/credsbox/audit.jsonl", "or else the host's");
	setenv("XDG_STATE_HOME", "/state", 1);
	write_file(in(dir, "policy.yaml"), "audit: { file: /var/a.jsonl }\n");
	is(load_as_user(&p), "", "(a policy)");
	is(p.audit_file, "/var/a.jsonl", "but where the administrator says");
	end_skip;
}

static void clean_up(void)
{
	static const char *const names[] = { "etc/policy.d/20-b.yaml",
					     "etc/policy.d/10-a.yaml",
					     "etc/policy.d/B.yaml",
					     "etc/policy.d/30.yaml~",
					     "etc/policy.d/.yaml",
					     "etc/policy.d/.hidden.yaml",
					     "etc/policy.d",
					     "etc/policy.yaml",
					     "etc",
					     "mine",
					     "config/credsbox/policy.yaml",
					     "config/credsbox",
					     "config" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		remove(in(top, names[i]));
	ok(!rmdir(top), "nothing is left behind");
}

int main(void)
{
	plan(NO_PLAN);
	if (!mkdtemp(top))
		BAIL_OUT("no temporary directory");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	dir = in(top, "etc");
	is_root = !geteuid() && !chown(top, 12345, 0) && !chown(top, 0, 0);
	test_order();
	test_errors();
	test_trust();
	test_user();
	test_audit_file();
	clean_up();
	arena_release(&arena);
	done_testing();
}
