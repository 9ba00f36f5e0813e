// SPDX-License-Identifier: Apache-2.0
/* Tests of the container's root: the way in, mounts and their options. */
#include "rootfs_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The options of a mount, as /proc/mounts has them. */
#define OPTIONS(place) "awk '$2 == \"" place "\" { print $4 }' /proc/mounts"
/* The fields of mountinfo that say how mounts propagate. */
#define SHARING(place)                                                                           \
	"awk '$5 == \"" place "\" { s = \"\"; for (i = 7; $i != \"-\"; i++) { sub(/:.*/, \"\", " \
	"$i); s = s $i \" \" } print s }' /proc/self/mountinfo"

static void test_plain(void)
{
	case_fresh();
	is(BOX(.script = "echo hello"), "hello", "a root without mounts is entered");
	is(BOX(.mounts = PROC "," DEV "," PTS "," SYSFS,
	       .script = "cut -d' ' -f3 /proc/mounts | tail -n +2 | tr '\\n' ' '"),
	   "proc tmpfs devpts sysfs ", "mounts are made in the listed order");
	is(BOX(.mounts = PROC, .script = "cut -d' ' -f2 /proc/mounts | sort | tr '\\n' ' '"),
	   "/ /proc ", "nothing of the old root remains");
	is(BOX(.mounts = PROC, .cwd = "/made/here", .script = "busybox pwd; stat -c %a /made"),
	   "/made/here\n755", "a missing working directory is made");
	is(BOX(.mounts = PROC, .cwd = "/made2/here", .root = "'readonly':true",
	       .script = "busybox pwd; touch /x; touch /made2/y"),
	   "/made2/here\ntouch: /x: Read-only file system\ntouch: /made2/y: Read-only file system",
	   "also in a read-only root, which is read-only then");
	is(BOX(.mounts = PROC "," DEV, .root = "'readonly':true",
	       .script = "touch /dev/x && echo yes"),
	   "yes", "what is mounted in a read-only root is not read-only by that");
	is(BOX(.cwd = "/bin/busybox"), "error: process.cwd: not a directory",
	   "a working directory that is a file is an error");
}

static void test_tmpfs(void)
{
	// clang-format off
	static const struct {
		const char *prepare, *options, *script, *want, *sentence;
	} cases[] = {
		{ "mkdir -m 710 rootfs/t", "'rw'", "stat -c %a /t", "710", "a tmpfs has the mode of what it covers" },
		{ "mkdir -m 4711 rootfs/t", "'rw'", "stat -c %a /t", "4711", "special bits of it too" },
		{ "mkdir -m 710 rootfs/t", "'mode=1500'", "stat -c %a /t", "1500", "mode= wins" },
		{ ":", "'rw'", "stat -c %a /t", "1777", "on a new directory it is 1777" },
		{ ":", "'mode=700,size=64k'", "stat -c %a /t; " OPTIONS("/t"), "700\nrw,relatime,size=64k,mode=700", "one entry may hold several options" },
		{ ":", "'nosuid','nodev','noexec','size=64k'", OPTIONS("/t"), "rw,nosuid,nodev,noexec,relatime,size=64k", "flags are the mount's, options the file system's" },
		{ ":", "'ro','mode=755'", OPTIONS("/t") "; touch /t/x", "ro,relatime,mode=755\ntouch: /t/x: Read-only file system", "ro makes it read-only" },
		{ ":", "'noatime'", OPTIONS("/t"), "rw,noatime", "noatime" },
		{ ":", "'strictatime'", OPTIONS("/t"), "rw", "strictatime" },
		{ ":", "'nodiratime'", OPTIONS("/t"), "rw,nodiratime,relatime", "nodiratime" },
		{ ":", "'noatime','relatime'", OPTIONS("/t"), "rw,relatime", "of access times the last one counts" },
		{ ":", "'nosymfollow'", OPTIONS("/t"), "rw,relatime,nosymfollow", "nosymfollow" },
		{ ":", "'sync'", OPTIONS("/t"), "rw,sync,relatime", "sync" },
		{ ":", "'dirsync','lazytime'", OPTIONS("/t"), "rw,dirsync,lazytime,relatime", "dirsync and lazytime" },
		{ ":", "'ro','rw'", OPTIONS("/t"), "rw,relatime", "rw takes ro back" },
		{ ":", "'defaults','async','iversion','noiversion','loud','silent','nolazytime','nomand'", OPTIONS("/t"), "rw,relatime", "what the kernel does not need to be told is no error" },
		{ ":", "'bogus'", "", "error: mounts[1]: error mounting /t: option 'bogus': tmpfs: Unknown parameter 'bogus': invalid argument", "an unknown option fails in the kernel's words" },
		{ ":", "'size=hunter2'", "", "error: mounts[1]: error mounting /t: option 'size': tmpfs: Bad value for 'size': invalid argument", "a bad value is not repeated" },
		{ ":", "'Hunter2 x'", "", "error: mounts[1]: error mounting /t: an option: invalid argument", "nor is what does not look like a name" },
		{ "mkdir -m 777 -p rootfs/t/d && echo x >rootfs/t/d/f && ln -s d rootfs/t/l && chown 5:6 rootfs/t/d/f && chmod 4755 rootfs/t/d/f && mkfifo rootfs/t/p",
		  "'tmpcopyup'", "cd /t; stat -c '%A %u:%g %n' d d/f p; readlink l; cat d/f; stat -f -c %T .", "drwxrwxrwx 0:0 d\n-rwsr-xr-x 5:6 d/f\nprw-r--r-- 0:0 p\nd\nx\ntmpfs", "tmpcopyup copies what is there" },
		{ "ln -s /real/conf rootfs/t && mkdir -p rootfs/real/conf", "'ro'", "stat -f -c %T /real/conf", "tmpfs", "a place behind a link is in the root" },
		{ "ln -s ../../../../elsewhere/x rootfs/t", "'rw'", "stat -f -c %T /elsewhere/x", "tmpfs", "a link that leads out of the root leads to its top, and what is missing there is made" },
	};
	// clang-format on
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		struct arena a = { 0 };

		case_fresh();
		sh(cases[i].prepare);
		is(BOX(.mounts = arena_printf(&a,
					      PROC
					      ",{'destination':'/"
					      "t','type':'tmpfs','source':'tmpfs','options':[%s]}",
					      cases[i].options),
		       .script = cases[i].script),
		   cases[i].want, "%s", cases[i].sentence);
		arena_release(&a);
	}
}

static void test_places(void)
{
	case_fresh();
	sh("mkdir rootfs/s && chmod 7755 rootfs/s && echo hi >file && mkdir dir && echo there "
	   ">dir/f");
	BOX(.mounts = "{'destination':'/s/a/b','type':'tmpfs','source':'tmpfs'}");
	is(BOX(.script = "stat -c %a /s /s/a /s/a/b"), "7755\n2755\n2755",
	   "directories that are made inherit the group bit, and have mode 755");
	is(BOX(.mounts = "{'destination':'rel/ative','source':'dir','options':['bind']}",
	       .script = "cat /rel/ative/f"),
	   "there", "relative destinations count from the root, relative sources from the bundle");
	is(BOX(.mounts = "{'destination':'/etc/hosts','source':'@/file','options':['bind']}",
	       .script = "cat /etc/hosts; stat -c %a /etc/hosts"),
	   "hi\n644", "a file is bound on a file that is made");
	sh("rm -f rootfs/etc/hosts; ln -s /tmp/foo/bar rootfs/jump; ln -s /jump/baz/hosts "
	   "rootfs/etc/hosts");
	is(BOX(.mounts = PROC ",{'destination':'/etc/hosts','source':'file','options':['bind']}",
	       .script =
		       "cat /tmp/foo/bar/baz/hosts; grep -c '/tmp/foo/bar/baz/hosts' /proc/mounts"),
	   "hi\n1", "dangling links are followed in the root, and what they lead to is made");
	sh("rm -rf rootfs/tmp/foo");
	is(BOX(.mounts = "{'destination':'/etc/hosts','source':'dir','options':['bind']}",
	       .script = "cat /tmp/foo/bar/baz/hosts/f"),
	   "there", "directories too");
	sh("ln -s l1 rootfs/l2; ln -s l2 rootfs/l1");
	is(BOX(.mounts = "{'destination':'/l1/x','type':'tmpfs'}"),
	   "error: mounts[0]: error mounting /l1/x: cannot make its place: too many levels of "
	   "symbolic links",
	   "links in a circle are an error");
	is(BOX(.mounts = "{'destination':'/bin/busybox/x','type':'tmpfs'}"),
	   "error: mounts[0]: error mounting /bin/busybox/x: cannot make its place: not a "
	   "directory",
	   "a file on the way is an error");
	is(BOX(.mounts = "{'destination':'/../../..//x/./y/../z','type':'tmpfs'}",
	       .script = "stat -f -c %T /x/z"),
	   "tmpfs", "dots do not lead out of the root");
	is(BOX(.mounts = "{'destination':'@/rootfs/strip','type':'tmpfs'}",
	       .script = "stat -f -c %T /strip"),
	   "tmpfs",
	   "a destination that begins with the host's path of the root is taken from there");
	is(BOX(.mounts = PROC
	       ",{'destination':'/','source':'@/dir','options':['bind']},{'destination':'/"
	       "f','source':'@/file','options':['bind']}",
	       .before = "cp -a rootfs/bin dir/", .script = "cat /f"),
	   "hi", "a mount over the root itself is the root from then on");
	is(BOX(.mounts = "{'destination':'/bin/busybox','source':'dir','options':['bind']}"),
	   "error: mounts[0]: error mounting /bin/busybox: a directory on something else: not a "
	   "directory",
	   "a directory on a file is an error");
	is(BOX(.mounts = "{'destination':'/bin','source':'file','options':['bind']}"),
	   "error: mounts[0]: error mounting /bin: a file on a directory: is a directory",
	   "so is a file on a directory");
	is(BOX(.mounts = "{'destination':'/x','type':'nosuchfs'}"),
	   "error: mounts[0]: error mounting /x: unknown file system type: no such device",
	   "an unknown file system is an error");
	is(BOX(.mounts = "{'destination':'/x','source':'nowhere','options':['bind']}"),
	   "error: mounts[0]: error mounting /x: source: no such file or directory",
	   "a missing source is an error");
	is(BOX(.mounts = "{'destination':'/x','options':['bind']}"),
	   "error: mounts[0]: error mounting /x: a bind needs a source", "no source is one, too");
	is(BOX(.mounts = "{'destination':'/x'}"), "error: mounts[0]: error mounting /x: no type",
	   "so is no type");
}

static void test_bind_flags(void)
{
	// clang-format off
	static const struct {
		const char *host, *options, *want, *want_mapped, *sentence;
	} cases[] = {
		/* As runc's own tests have them; NULL: operation not permitted */
		{ "ro,noexec,nodiratime", "", "ro,noexec,nodiratime,relatime", "ro,noexec,nodiratime,relatime", "without options all flags stay" },
		{ "ro,noexec,nosymfollow,nodiratime", ",'dev'", "rw,nodiratime,relatime", "ro,noexec,nodiratime,relatime", "with any, those that are not asked for go" },
		{ "ro", ",'nosuid','nodev','rprivate'", "rw,nosuid,nodev", "ro,nosuid,nodev", "rw is the default" },
		{ "ro", ",'rw','nosuid'", "rw,nosuid", NULL, "rw can be asked for" },
		{ "nodev,nosuid,noexec,noatime", ",'dev','suid','exec','atime'", "rw,noatime", NULL, "so can other flags" },
		{ "rw,nodev,nosuid,noexec,noatime", ",'ro'", "ro,noatime", "ro,nosuid,nodev,noexec,noatime", "ro on top of the source's" },
		{ "rw,nodev,nosymfollow", ",'ro','symfollow'", "ro", "ro,nodev", "nosymfollow is never locked" },
		{ "rw,nodev,nosymfollow", ",'rw'", "rw", "rw,nodev", "and goes when it is not asked for" },
		{ "noatime", ",'norelatime'", "rw,noatime", "rw,noatime", "access times stay when none is set" },
		{ "noatime", ",'atime'", "rw,noatime", "rw,noatime", "even if one is taken away" },
		{ "noatime", ",'relatime'", "rw,relatime", NULL, "relatime can be set" },
		{ "noatime", ",'nodiratime'", "rw,nodiratime,relatime", NULL, "nodiratime brings relatime" },
		{ "nodiratime", ",'strictatime'", "rw", NULL, "strictatime can be set" },
		{ "noatime", ",'nodiratime','strictatime'", "rw,nodiratime", NULL, "with nodiratime" },
		{ "noatime", ",'nodiratime','norelatime'", "rw,nodiratime,relatime", NULL, "norelatime is no strictatime" },
		{ "relatime", ",'noatime'", "rw,noatime", NULL, "noatime can be set" },
		{ "strictatime", ",'nostrictatime'", "rw", "rw", "nostrictatime does nothing" },
		{ "nodiratime", ",'diratime'", "rw,nodiratime,relatime", "rw,nodiratime,relatime", "nor does diratime" },
	};
	// clang-format on
	struct arena a = { 0 };
	size_t i;

	case_fresh();
	sh("mkdir m && chown -R 100000:100000 rootfs");
	for (i = 0; i < COUNT(cases); i++) {
		struct box b = { .script = OPTIONS("/m") " | sed 's/,size=.*//'" };

		b.before = arena_printf(
			&a,
			"mount -t tmpfs -o size=1m,strictatime t m && mount -o "
			"remount,bind,diratime,strictatime m && mount -o remount,bind,%s m",
			cases[i].host);
		b.mounts =
			arena_printf(&a,
				     PROC ",{'destination':'/m','source':'m','options':['bind'%s]}",
				     cases[i].options);
		is(box(&b), cases[i].want, "bind: %s", cases[i].sentence);
		b.user_ns = true;
		if (cases[i].want_mapped)
			is(box(&b), cases[i].want_mapped, "in a user namespace: %s",
			   cases[i].sentence);
		else
			like(box(&b),
			     "^error: mounts.1.: error mounting /m: .*locked.*: operation not "
			     "permitted$",
			     "not in a user namespace: %s", cases[i].sentence);
	}
	arena_release(&a);
}

static void test_recursive(void)
{
	static const char tree[] = "mount -t tmpfs t m && echo top >m/f && mkdir m/sub && mount -t "
				   "tmpfs s m/sub && echo sub >m/sub/g";

	case_fresh();
	sh("mkdir m rootfs/m");
	is(BOX(.before = tree, .mounts = "{'destination':'/m','source':'m','options':['bind']}",
	       .script = "ls /m /m/sub"),
	   "/m:\nf\nsub\n\n/m/sub:", "bind takes one mount");
	is(BOX(.before = tree, .mounts = "{'destination':'/m','source':'m','options':['rbind']}",
	       .script = "cat /m/f /m/sub/g"),
	   "top\nsub", "rbind takes all below");
	is(BOX(.before = tree,
	       .mounts = "{'destination':'/m','source':'m','options':['rbind','ro']}",
	       .script = "touch /m/x; touch /m/sub/x && echo yes"),
	   "touch: /m/x: Read-only file system\nyes", "ro is for the top alone");
	is(BOX(.before = tree,
	       .mounts = "{'destination':'/m','source':'m','options':['rbind','rro']}",
	       .script = "touch /m/x; touch /m/sub/x"),
	   "touch: /m/x: Read-only file system\ntouch: /m/sub/x: Read-only file system",
	   "rro is for all");
	is(BOX(.before = tree,
	       .mounts = PROC ",{'destination':'/"
			      "m','source':'m','options':['rbind','rnosuid','rnoexec','rnodev','"
			      "rnoatime','rnosymfollow']}",
	       .script = OPTIONS("/m") ";" OPTIONS("/m/sub")),
	   "rw,nosuid,nodev,noexec,noatime,nosymfollow\nrw,nosuid,nodev,noexec,noatime,nosymfollow",
	   "so are other flags");
	is(BOX(.before = "mount -t tmpfs -o ro,noexec t m && mount -o remount,bind,ro,noexec m",
	       .mounts = PROC
	       ",{'destination':'/m','source':'m','options':['rbind','rexec','rstrictatime']}",
	       .script = OPTIONS("/m")),
	   "ro", "recursive options take flags away, too");
}

/* The source is in the root, with what earlier mounts put there. */
static void test_inside(void)
{
	case_fresh();
	sh("mkdir -p src/a/x src/b/y src/c/z rootfs/mnt rootfs/final; for i in a/x b/y c/z; do "
	   "echo $i >src/$i/file; done");
	is(BOX(.mounts =
		       "{'destination':'/mnt','source':'@/src/a','options':['rbind','rprivate']},"
		       "{'destination':'/mnt/x','source':'@/src/b','options':['rbind','rprivate']},"
		       "{'destination':'/mnt/x/y','source':'@/src/"
		       "c','options':['rbind','rprivate']},"
		       "{'destination':'/mnt/x/y/z','source':'@/src/"
		       "a','options':['rbind','rprivate']},"
		       "{'destination':'@/rootfs/mnt/x/y/z/x','source':'@/rootfs/mnt/"
		       "x','options':['rbind','rprivate']},"
		       "{'destination':'@/rootfs/mnt/x/y/z','source':'@/rootfs/mnt/x/"
		       "y','options':['rbind','rprivate']},"
		       "{'destination':'/final','source':'@/rootfs/"
		       "mnt','options':['rbind','rprivate']}",
	       .script = "cat /final/x/y/z/z/x/y/z/x/file"),
	   "a/x", "sources in the root are seen with what is mounted there");
}

static void test_propagation(void)
{
	static const char shared[] = "mount -t tmpfs t m && mount --make-shared m";
	// clang-format off
	static const struct {
		const char *options, *want, *sentence;
	} cases[] = {
		{ "", "master ", "a bind of a shared mount is a slave: nothing goes to the host" },
		{ ",'rprivate'", "", "private" },
		{ ",'slave'", "master ", "slave" },
		{ ",'rshared'", "shared master ", "shared, but not with the host" },
		{ ",'unbindable'", "unbindable ", "unbindable" },
		{ ",'private','shared'", "shared ", "several are set in their order" },
	};
	// clang-format on
	struct arena a = { 0 };
	size_t i;

	case_fresh();
	sh("mkdir m");
	for (i = 0; i < COUNT(cases); i++)
		is(BOX(.before = shared, .script = SHARING("/m"),
		       .mounts = arena_printf(
			       &a, PROC ",{'destination':'/m','source':'m','options':['bind'%s]}",
			       cases[i].options)),
		   cases[i].want, "propagation: %s", cases[i].sentence);
	arena_release(&a);
	is(BOX(.before = "mount --make-rshared /", .mounts = PROC, .script = SHARING("/")), "",
	   "the root is private");
	is(BOX(.before = "mount --make-rshared /", .mounts = PROC,
	       .lin = "'rootfsPropagation':'slave'", .script = SHARING("/")),
	   "master ", "or a slave");
	is(BOX(.before = "mount --make-rshared /", .mounts = PROC,
	       .lin = "'rootfsPropagation':'shared'", .script = SHARING("/") ";" SHARING("/proc")),
	   "shared ", "or shared, but not with the host");
	is(BOX(.mounts = PROC, .lin = "'rootfsPropagation':'rshared'",
	       .script = SHARING("/") ";" SHARING("/proc")),
	   "shared \nshared ", "with all that is in it, if that was asked for");
	is(BOX(.mounts = PROC,
	       .lin = "'rootfsPropagation':'unbindable','readonlyPaths':['/proc/sys']",
	       .script = SHARING("/") ";" OPTIONS("/proc/sys")),
	   "unbindable \nro,relatime", "or unbindable, when all is made");
}

static void test_remount(void)
{
	case_fresh();
	sh("mkdir m && echo x >m/f");
	is(BOX(.mounts = PROC
	       ",{'destination':'/m','source':'m','options':['bind']},{'destination':'/"
	       "m','source':'m','options':['bind','remount','ro','nosuid']}",
	       .script = OPTIONS("/m") "| cut -d, -f1-3"),
	   "ro,nosuid,relatime", "bind,remount changes the flags of a mount");
	is(BOX(.mounts =
		       PROC ",{'destination':'/"
			    "t','type':'tmpfs','source':'t','options':['size=64k']},{'destination':"
			    "'/t','type':'tmpfs','options':['remount','size=128k','noexec']}",
	       .script = OPTIONS("/t")),
	   "rw,noexec,relatime,size=128k", "remount changes options of the file system");
	like(BOX(.mounts = "{'destination':'/bin','type':'tmpfs','options':['remount','ro']}"),
	     "^error: mounts.0.: error mounting /bin: .*invalid argument$",
	     "where nothing is mounted it is an error");
	like(BOX(.mounts = "{'destination':'/none','type':'tmpfs','options':['remount','ro']}"),
	     "^error: mounts.0.: error mounting /none: .*no such file or directory$",
	     "where nothing is at all, too");
}

int main(void)
{
	if (geteuid()) {
		printf("1..0 # SKIP needs root\n");
		return 0;
	}
	plan(NO_PLAN);
	test_plain();
	test_tmpfs();
	test_places();
	test_bind_flags();
	test_recursive();
	test_inside();
	test_propagation();
	test_remount();
	case_end();
	done_testing();
}
