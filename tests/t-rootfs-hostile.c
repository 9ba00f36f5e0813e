// SPDX-License-Identifier: Apache-2.0
/* Tests of roots that were made to lead the runtime out of them: the host stays as it was. */
#include "rootfs_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* All of the decoy: names, types, modes, owners, targets, contents. */
static const char *decoy(struct arena *a)
{
	static char text[OUT_MOST];
	FILE *f = popen("cd decoy && find . -printf '%p %y %m %U:%G %l %s\\n' | sort && find . "
			"-type f -exec cat {} + ; stat -c %a:%u:%g:%t:%T /dev/null",
			"r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	if (!f || pclose(f))
		BAIL_OUT("cannot look at the decoy");
	text[n] = '\0';
	return arena_strdup(a, text);
}

struct trap {
	const char *prepare; /* D is the decoy's absolute path */
	struct box box;
	const char *want; /* a pattern */
	const char *sentence;
};

static const struct trap traps[] = {
	/* /dev and what is made in it */
	{ "rmdir rootfs/dev && ln -s $D rootfs/dev && touch decoy/ptmx",
	  { .script = "readlink /dev; ls /dev/" },
	  "",
	  "a /dev that is a link to the host's directories" },
	{ "rmdir rootfs/dev && ln -s ../../../../../../../../../../..$D rootfs/dev && touch "
	  "decoy/ptmx",
	  { .script = ":" },
	  "",
	  "one with many dots" },
	{ "rmdir rootfs/dev && ln -s $D rootfs/dev && touch decoy/ptmx",
	  { .mounts = PROC "," DEV "," PTS, .script = ":" },
	  "",
	  "one that a tmpfs is mounted on" },
	{ "rmdir rootfs/dev && ln -s $D rootfs/dev",
	  { .mounts = PROC "," DEV, .user_ns = true, .before = "chown -hR 100000:100000 rootfs" },
	  "",
	  "one in a user namespace" },
	{ "ln -s $D/ptmx rootfs/dev/ptmx && touch decoy/ptmx",
	  { .script = "readlink /dev/ptmx" },
	  "^pts/ptmx$",
	  "a ptmx that is a link is removed as a link" },
	/* the null device */
	{ "ln -s /proc/sys/kernel/domainname rootfs/dev/null && echo s >rootfs/f",
	  { .mounts = PROC,
	    .lin = "'maskedPaths':['/f','/proc/keys']",
	    .script = "stat -c %t:%T /f /proc/keys" },
	  "^error: device /dev/null: another file is there$",
	  "a null device that is a link" },
	{ "ln -s $D/f rootfs/dev/null",
	  { .script = ":" },
	  "^error: device /dev/null: another file is there$",
	  "one that leads to the host" },
	{ "touch rootfs/dev/null",
	  { .script = ":" },
	  "^error: device /dev/null: another file is there$",
	  "one that is a file" },
	/* the console */
	{ "ln -s $D/x rootfs/dev/console",
	  { .mounts = PROC "," PTS, .terminal = true },
	  "^error: /dev/console: a file of another type is there$",
	  "a console that is a link" },
	{ "ln -s $D/f rootfs/dev/console",
	  { .mounts = PROC "," PTS, .terminal = true, .root = "'readonly':true" },
	  "^error: /dev/console: a file of another type is there$",
	  "one in a read-only root" },
	{ "mkdir rootfs/dev/console",
	  { .mounts = PROC "," PTS, .terminal = true },
	  "^error: /dev/console: a file of another type is there$",
	  "one that is a directory" },
	{ "rmdir rootfs/dev && ln -s $D rootfs/dev",
	  { .mounts = PROC "," PTS, .terminal = true, .script = "ls -l /dev/console" },
	  "",
	  "a console below a link" },
	/* places that are made */
	{ "ln -s $D rootfs/deep",
	  { .mounts = "{'destination':'/deep/a/b/c','type':'tmpfs'}",
	    .script = "ls -d /deep/a/b/c" },
	  "^/deep/a/b/c$",
	  "a place of a mount behind a link" },
	{ "ln -s $D rootfs/deep",
	  { .cwd = "/deep/cwd/x", .script = "busybox pwd" },
	  "/decoy/cwd/x$",
	  "a working directory behind a link" },
	{ "ln -s $D/f rootfs/file",
	  { .mounts = "{'destination':'/file','source':'decoy/f','options':['bind']}",
	    .script = "cat /file" },
	  "^kept$",
	  "a file's place that is a link" },
	{ "mkdir -p rootfs/opt; ln -s $D rootfs/opt/dev",
	  { .lin = "'devices':[{'path':'/opt/dev/n','type':'c','major':1,'minor':3},{'path':'/opt/"
		   "dev/p','type':'p'}]",
	    .script = "stat -c %t:%T /opt/dev/n" },
	  "^1:3$",
	  "a device behind a link" },
	{ "for i in null zero full random urandom tty fd stdin stdout stderr ptmx core console; do "
	  "ln -s $D/$i rootfs/dev/$i; done",
	  { .mounts = PROC },
	  "^error: device /dev/null: another file is there$",
	  "links under every name that is made" },
	{ "for i in fd stdin stdout stderr ptmx core; do ln -s $D/f rootfs/dev/$i; done",
	  { .mounts = PROC, .script = "readlink /dev/ptmx" },
	  "^pts/ptmx$",
	  "links in place of links" },
	{ "for i in null zero full random urandom tty; do ln -s $D/f rootfs/dev/$i; done; chown "
	  "-hR 100000:100000 rootfs",
	  { .mounts = PROC, .user_ns = true },
	  "^error: device /dev/null: a file of another type is there$",
	  "links that devices would be bound on" },
	/* masks and read-only paths */
	{ "ln -s $D/f rootfs/mask; ln -s $D rootfs/ro",
	  { .mounts = DEV,
	    .lin = "'maskedPaths':['/mask','/ro'],'readonlyPaths':['/ro','/mask']",
	    .script = "echo end" },
	  "^end$",
	  "masks of links that lead out" },
	{ "ln -s /proc/self/root rootfs/magic",
	  { .mounts = PROC "," DEV, .lin = "'maskedPaths':['/magic/etc']" },
	  "^error: mask /magic/etc: cannot be opened: too many levels of symbolic links$",
	  "a mask through a magic link" },
	/* the working directory */
	{ ":",
	  { .mounts = PROC, .cwd = "/proc/self/fd/0" },
	  "^error: process.cwd: too many levels of symbolic links$",
	  "a working directory that is a descriptor" },
	{ ":",
	  { .mounts = PROC, .cwd = "/proc/self/cwd/../../.." },
	  "^error: process.cwd: too many levels of symbolic links$",
	  "or one by another magic link" },
	{ ":",
	  { .mounts = PROC, .cwd = "/proc/1/root" },
	  "^error: process.cwd: too many levels of symbolic links$",
	  "or by a root" },
	{ "mkdir rootfs/w; ln -s /proc/self/fd/3 rootfs/w/d",
	  { .mounts = PROC, .cwd = "/w/d" },
	  "^error: process.cwd: too many levels of symbolic links$",
	  "or behind a link" },
	/* tmpcopyup copies links as links */
	{ "mkdir rootfs/t && ln -s $D/f rootfs/t/l && ln -s $D rootfs/t/d",
	  { .mounts = "{'destination':'/t','type':'tmpfs','options':['tmpcopyup']}",
	    .script = "ls /t; cat /t/l" },
	  "^d\nl\ncat: can't open",
	  "links below what is copied" },
};

static void test_traps(void)
{
	struct arena a = { 0 };
	const char *before;
	size_t i;

	for (i = 0; i < COUNT(traps); i++) {
		case_fresh();
		sh(arena_printf(&a, "D=$PWD/decoy; %s", traps[i].prepare));
		before = decoy(&a);
		like(box(&traps[i].box), traps[i].want, "%s: as it should end", traps[i].sentence);
		is(decoy(&a), before, "%s: the host is as it was", traps[i].sentence);
	}
	arena_release(&a);
}

/* The source that the plan was made for is the one that is mounted. */
static void test_sources(void)
{
	static const char changed[] =
		"error: mounts[0]: error mounting /x: the source changed while it was looked at";
	struct box b = { .mounts = "{'destination':'/x','source':'link','options':['bind']}",
			 .script = "cat /x/f" };

	case_fresh();
	sh("mkdir one two && echo one >one/f && echo two >two/f && ln -s one link");
	is(box(&b), "one", "a source that is a link is what it leads to");
	b.between = "rm link && ln -s two link";
	is(box(&b), "one", "even if it leads elsewhere afterwards");
	b = (struct box){ .mounts = "{'destination':'/x','source':'one','options':['bind']}",
			  .script = "cat /x/f" };
	b.judged = "mv one other && ln -s two one";
	is(box(&b), changed, "a link that took its place meanwhile is refused");
	sh("rm one && mv other one");
	b.judged = "mv one other && echo file >one";
	is(box(&b), changed, "so is a file of another type");
	sh("rm one && mv other one");
	b.judged = "rm -r one";
	is(box(&b), changed, "so is nothing at all");
	b.mounts = "{'destination':'/x','source':'later','options':['bind']}";
	b.judged = "mkdir later";
	is(box(&b), changed, "and what was not there before");
}

/* Somebody in another container that shares a directory with this one swaps names all the time. */
static pid_t start_swapping(void)
{
	pid_t pid = fork();

	while (!pid) {
		syscall(SYS_renameat2, AT_FDCWD, "rootfs/v/a", AT_FDCWD, "rootfs/v/link", 2);
		if (getppid() == 1)
			_exit(0);
	}
	return pid;
}

static void test_races(void)
{
	static const struct {
		struct box box;
		const char *sentence;
	} races[] = {
		{ { .mounts = PROC ",{'destination':'/v/a/x','source':'decoy','options':['bind']}",
		    .script = "grep -c v/ /proc/mounts" },
		  "the place of a bind" },
		{ { .mounts = PROC ",{'destination':'/v/a/deep/b/c/d','type':'tmpfs'}",
		    .script = ":" },
		  "places that are to be made" },
		{ { .mounts = PROC, .cwd = "/v/a/deep/cwd", .script = ":" },
		  "the working directory" },
		{ { .mounts = PROC,
		    .lin = "'devices':[{'path':'/v/a/deep/p','type':'p'}]",
		    .script = ":" },
		  "a device" },
	};
	struct arena a = { 0 };
	const char *before, *out;
	size_t i, n, bad,
		rounds = getenv("CREDSBOX_RACES")
				 ? (size_t)strtoul(getenv("CREDSBOX_RACES"), NULL, 10)
				 : 40;
	pid_t pid;

	for (i = 0; i < COUNT(races); i++) {
		case_fresh();
		sh("mkdir -p rootfs/v/a && ln -s $PWD/decoy rootfs/v/link");
		before = decoy(&a);
		pid = start_swapping();
		for (n = bad = 0; n < rounds; n++) {
			out = box(&races[i].box);
			bad += strstr(out, "ended with") != NULL;
		}
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		cmp_ok(bad, "==", 0, "%s: nothing but an error or a root comes of a race",
		       races[i].sentence);
		is(decoy(&a), before, "%s: the host is as it was", races[i].sentence);
	}
	arena_release(&a);
}

static size_t count_mounts(void)
{
	FILE *f = fopen("/proc/self/mountinfo", "r");
	size_t n = 0;
	int c;

	while (f && (c = getc(f)) != EOF)
		n += c == '\n';
	if (f)
		fclose(f);
	return n;
}

/* The host's root is shared, as systemd has it: still nothing of a container reaches it. */
static void test_no_leak(void)
{
	struct box b = {
		.before = "mount --make-rshared / && mount -t tmpfs t m && mkdir m/sub && cat "
			  "/proc/self/mountinfo >before",
		.mounts = PROC
		"," DEV
		",{'destination':'/m','source':'m','options':['rbind','rshared']},{'destination':'/"
		"m/sub','type':'tmpfs'}",
		.lin = "'rootfsPropagation':'rslave','maskedPaths':['/etc'],'readonlyPaths':['/"
		       "bin']",
		.after = "cat /proc/self/mountinfo | cmp before - && ls -A m/sub && echo clean",
		.script = "mount -t tmpfs more /m/sub; mount -t tmpfs more /tmp; touch /m/sub/leak"
	};
	size_t before = count_mounts();

	case_fresh();
	sh("mkdir m");
	is(box(&b), "clean",
	   "what is mounted in a container is not seen outside, shared as it may be");
	cmp_ok(count_mounts(), "==", before, "the machine has as many mounts as before");
}

int main(void)
{
	if (geteuid()) {
		printf("1..0 # SKIP needs root\n");
		return 0;
	}
	plan(NO_PLAN);
	test_traps();
	test_sources();
	test_races();
	test_no_leak();
	case_end();
	done_testing();
}
