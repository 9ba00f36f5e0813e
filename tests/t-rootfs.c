// SPDX-License-Identifier: Apache-2.0
/* Tests of the container's root: mounts and their options, devices, masks, the way in. */
#include "rootfs_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The options of a mount, as /proc/mounts has them. */
#define OPTIONS(place) "awk '$2 == \"" place "\" { print $4 }' /proc/mounts"
/* The fields of mountinfo that say how mounts propagate. */
#define SHARING(place) \
	"awk '$5 == \"" place "\" { s = \"\"; for (i = 7; $i != \"-\"; i++) { sub(/:.*/, \"\", $i); s = s $i \" \" } print s }' /proc/self/mountinfo"

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
	is(BOX(.mounts = PROC "," DEV, .root = "'readonly':true", .script = "touch /dev/x && echo yes"),
	   "yes", "what is mounted in a read-only root is not read-only by that");
	is(BOX(.cwd = "/bin/busybox"), "error: process.cwd: not a directory",
	   "a working directory that is a file is an error");
}

static void test_tmpfs(void)
{
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
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		struct arena a = { 0 };

		case_fresh();
		sh(cases[i].prepare);
		is(BOX(.mounts = arena_printf(&a, PROC ",{'destination':'/t','type':'tmpfs','source':'tmpfs','options':[%s]}",
					      cases[i].options),
		       .script = cases[i].script),
		   cases[i].want, "%s", cases[i].sentence);
		arena_release(&a);
	}
}

static void test_places(void)
{
	case_fresh();
	sh("mkdir rootfs/s && chmod 7755 rootfs/s && echo hi >file && mkdir dir && echo there >dir/f");
	BOX(.mounts = "{'destination':'/s/a/b','type':'tmpfs','source':'tmpfs'}");
	is(BOX(.script = "stat -c %a /s /s/a /s/a/b"), "7755\n2755\n2755",
	   "directories that are made inherit the group bit, and have mode 755");
	is(BOX(.mounts = "{'destination':'rel/ative','source':'dir','options':['bind']}",
	       .script = "cat /rel/ative/f"),
	   "there", "relative destinations count from the root, relative sources from the bundle");
	is(BOX(.mounts = "{'destination':'/etc/hosts','source':'@/file','options':['bind']}",
	       .script = "cat /etc/hosts; stat -c %a /etc/hosts"),
	   "hi\n644", "a file is bound on a file that is made");
	sh("rm -f rootfs/etc/hosts; ln -s /tmp/foo/bar rootfs/jump; ln -s /jump/baz/hosts rootfs/etc/hosts");
	is(BOX(.mounts = PROC ",{'destination':'/etc/hosts','source':'file','options':['bind']}",
	       .script = "cat /tmp/foo/bar/baz/hosts; grep -c '/tmp/foo/bar/baz/hosts' /proc/mounts"),
	   "hi\n1", "dangling links are followed in the root, and what they lead to is made");
	sh("rm -rf rootfs/tmp/foo");
	is(BOX(.mounts = "{'destination':'/etc/hosts','source':'dir','options':['bind']}",
	       .script = "cat /tmp/foo/bar/baz/hosts/f"),
	   "there", "directories too");
	sh("ln -s l1 rootfs/l2; ln -s l2 rootfs/l1");
	is(BOX(.mounts = "{'destination':'/l1/x','type':'tmpfs'}"),
	   "error: mounts[0]: error mounting /l1/x: cannot make its place: too many levels of symbolic links",
	   "links in a circle are an error");
	is(BOX(.mounts = "{'destination':'/bin/busybox/x','type':'tmpfs'}"),
	   "error: mounts[0]: error mounting /bin/busybox/x: cannot make its place: not a directory",
	   "a file on the way is an error");
	is(BOX(.mounts = "{'destination':'/../../..//x/./y/../z','type':'tmpfs'}",
	       .script = "stat -f -c %T /x/z"),
	   "tmpfs", "dots do not lead out of the root");
	is(BOX(.mounts = "{'destination':'@/rootfs/strip','type':'tmpfs'}",
	       .script = "stat -f -c %T /strip"),
	   "tmpfs", "a destination that begins with the host's path of the root is taken from there");
	is(BOX(.mounts = PROC ",{'destination':'/','source':'@/dir','options':['bind']},{'destination':'/f','source':'@/file','options':['bind']}",
	       .before = "cp -a rootfs/bin dir/", .script = "cat /f"),
	   "hi", "a mount over the root itself is the root from then on");
	is(BOX(.mounts = "{'destination':'/bin/busybox','source':'dir','options':['bind']}"),
	   "error: mounts[0]: error mounting /bin/busybox: a directory on something else: not a directory", "a directory on a file is an error");
	is(BOX(.mounts = "{'destination':'/bin','source':'file','options':['bind']}"),
	   "error: mounts[0]: error mounting /bin: a file on a directory: is a directory", "so is a file on a directory");
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
	struct arena a = { 0 };
	size_t i;

	case_fresh();
	sh("mkdir m && chown -R 100000:100000 rootfs");
	for (i = 0; i < COUNT(cases); i++) {
		struct box b = { .script = OPTIONS("/m") " | sed 's/,size=.*//'" };

		b.before = arena_printf(&a, "mount -t tmpfs -o size=1m,strictatime t m && mount -o remount,bind,diratime,strictatime m && mount -o remount,bind,%s m",
					cases[i].host);
		b.mounts = arena_printf(&a, PROC ",{'destination':'/m','source':'m','options':['bind'%s]}",
					cases[i].options);
		is(box(&b), cases[i].want, "bind: %s", cases[i].sentence);
		b.user_ns = true;
		if (cases[i].want_mapped)
			is(box(&b), cases[i].want_mapped, "in a user namespace: %s", cases[i].sentence);
		else
			like(box(&b), "^error: mounts.1.: error mounting /m: .*locked.*: operation not permitted$",
			     "not in a user namespace: %s", cases[i].sentence);
	}
	arena_release(&a);
}

static void test_recursive(void)
{
	static const char tree[] = "mount -t tmpfs t m && echo top >m/f && mkdir m/sub && mount -t tmpfs s m/sub && echo sub >m/sub/g";

	case_fresh();
	sh("mkdir m rootfs/m");
	is(BOX(.before = tree, .mounts = "{'destination':'/m','source':'m','options':['bind']}", .script = "ls /m /m/sub"),
	   "/m:\nf\nsub\n\n/m/sub:", "bind takes one mount");
	is(BOX(.before = tree, .mounts = "{'destination':'/m','source':'m','options':['rbind']}", .script = "cat /m/f /m/sub/g"),
	   "top\nsub", "rbind takes all below");
	is(BOX(.before = tree, .mounts = "{'destination':'/m','source':'m','options':['rbind','ro']}",
	       .script = "touch /m/x; touch /m/sub/x && echo yes"),
	   "touch: /m/x: Read-only file system\nyes", "ro is for the top alone");
	is(BOX(.before = tree, .mounts = "{'destination':'/m','source':'m','options':['rbind','rro']}",
	       .script = "touch /m/x; touch /m/sub/x"),
	   "touch: /m/x: Read-only file system\ntouch: /m/sub/x: Read-only file system", "rro is for all");
	is(BOX(.before = tree, .mounts = PROC ",{'destination':'/m','source':'m','options':['rbind','rnosuid','rnoexec','rnodev','rnoatime','rnosymfollow']}",
	       .script = OPTIONS("/m") ";" OPTIONS("/m/sub")),
	   "rw,nosuid,nodev,noexec,noatime,nosymfollow\nrw,nosuid,nodev,noexec,noatime,nosymfollow", "so are other flags");
	is(BOX(.before = "mount -t tmpfs -o ro,noexec t m && mount -o remount,bind,ro,noexec m", .mounts = PROC ",{'destination':'/m','source':'m','options':['rbind','rexec','rstrictatime']}",
	       .script = OPTIONS("/m")),
	   "ro", "recursive options take flags away, too");
}

/* The source is in the root, with what earlier mounts put there. */
static void test_inside(void)
{
	case_fresh();
	sh("mkdir -p src/a/x src/b/y src/c/z rootfs/mnt rootfs/final; for i in a/x b/y c/z; do echo $i >src/$i/file; done");
	is(BOX(.mounts = "{'destination':'/mnt','source':'@/src/a','options':['rbind','rprivate']},"
			 "{'destination':'/mnt/x','source':'@/src/b','options':['rbind','rprivate']},"
			 "{'destination':'/mnt/x/y','source':'@/src/c','options':['rbind','rprivate']},"
			 "{'destination':'/mnt/x/y/z','source':'@/src/a','options':['rbind','rprivate']},"
			 "{'destination':'@/rootfs/mnt/x/y/z/x','source':'@/rootfs/mnt/x','options':['rbind','rprivate']},"
			 "{'destination':'@/rootfs/mnt/x/y/z','source':'@/rootfs/mnt/x/y','options':['rbind','rprivate']},"
			 "{'destination':'/final','source':'@/rootfs/mnt','options':['rbind','rprivate']}",
	       .script = "cat /final/x/y/z/z/x/y/z/x/file"),
	   "a/x", "sources in the root are seen with what is mounted there");
}

static void test_propagation(void)
{
	static const char shared[] = "mount -t tmpfs t m && mount --make-shared m";
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
	struct arena a = { 0 };
	size_t i;

	case_fresh();
	sh("mkdir m");
	for (i = 0; i < COUNT(cases); i++)
		is(BOX(.before = shared, .script = SHARING("/m"),
		       .mounts = arena_printf(&a, PROC ",{'destination':'/m','source':'m','options':['bind'%s]}", cases[i].options)),
		   cases[i].want, "propagation: %s", cases[i].sentence);
	arena_release(&a);
	is(BOX(.before = "mount --make-rshared /", .mounts = PROC, .script = SHARING("/")), "", "the root is private");
	is(BOX(.before = "mount --make-rshared /", .mounts = PROC, .lin = "'rootfsPropagation':'slave'", .script = SHARING("/")), "master ", "or a slave");
	is(BOX(.before = "mount --make-rshared /", .mounts = PROC, .lin = "'rootfsPropagation':'shared'", .script = SHARING("/") ";" SHARING("/proc")), "shared ", "or shared, but not with the host");
	is(BOX(.mounts = PROC, .lin = "'rootfsPropagation':'rshared'", .script = SHARING("/") ";" SHARING("/proc")), "shared \nshared ", "with all that is in it, if that was asked for");
	is(BOX(.mounts = PROC, .lin = "'rootfsPropagation':'unbindable','readonlyPaths':['/proc/sys']", .script = SHARING("/") ";" OPTIONS("/proc/sys")), "unbindable \nro,relatime", "or unbindable, when all is made");
}

static void test_remount(void)
{
	case_fresh();
	sh("mkdir m && echo x >m/f");
	is(BOX(.mounts = PROC ",{'destination':'/m','source':'m','options':['bind']},{'destination':'/m','source':'m','options':['bind','remount','ro','nosuid']}",
	       .script = OPTIONS("/m") "| cut -d, -f1-3"),
	   "ro,nosuid,relatime", "bind,remount changes the flags of a mount");
	is(BOX(.mounts = PROC ",{'destination':'/t','type':'tmpfs','source':'t','options':['size=64k']},{'destination':'/t','type':'tmpfs','options':['remount','size=128k','noexec']}",
	       .script = OPTIONS("/t")),
	   "rw,noexec,relatime,size=128k", "remount changes options of the file system");
	like(BOX(.mounts = "{'destination':'/bin','type':'tmpfs','options':['remount','ro']}"),
	     "^error: mounts.0.: error mounting /bin: .*invalid argument$", "where nothing is mounted it is an error");
	like(BOX(.mounts = "{'destination':'/none','type':'tmpfs','options':['remount','ro']}"),
	     "^error: mounts.0.: error mounting /none: .*no such file or directory$", "where nothing is at all, too");
}

static void test_proc(void)
{
	static const struct {
		const char *prepare, *mounts, *script, *want, *sentence;
	} cases[] = {
		{ "rmdir rootfs/proc && ln -s /bad rootfs/proc && mkdir rootfs/bad", PROC, "", "error: mounts[0]: error mounting /proc: proc must be mounted on ordinary directory /proc", "/proc that is a link is refused" },
		{ "rmdir rootfs/proc && ln -s /nowhere rootfs/proc", PROC, "", "error: mounts[0]: error mounting /proc: proc must be mounted on ordinary directory /proc", "one that leads nowhere, too" },
		{ "rmdir rootfs/proc && touch rootfs/proc", PROC, "", "error: mounts[0]: error mounting /proc: proc must be mounted on ordinary directory /proc", "so is a file" },
		{ "rmdir rootfs/sys && ln -s bad rootfs/sys && mkdir rootfs/bad", SYSFS, "", "error: mounts[0]: error mounting /sys: sysfs must be mounted on ordinary directory /sys", "/sys that is a link is refused" },
		{ "rmdir rootfs/proc rootfs/sys", PROC "," SYSFS, "stat -f -c %T /proc /sys", "proc\nsysfs", "both are made when they are not there" },
		{ ":", "{'destination':'/other','type':'proc'}", "", "error: mounts[0]: error mounting /other: proc must be mounted on ordinary directory /proc", "proc belongs on /proc, where the masks are" },
		{ ":", "{'destination':'/sys/../proc/./','type':'proc'}", "stat -f -c %T /proc", "proc", "however that is spelled" },
		{ ":", "{'destination':'/proc','type':'tmpfs'}", "", "error: mounts[0]: error mounting /proc: cannot be mounted because it is not of type proc", "nothing else is mounted on /proc" },
		{ "ln -s proc rootfs/p", "{'destination':'/p','type':'tmpfs'}", "", "error: mounts[0]: error mounting /p: cannot be mounted because it is not of type proc", "not through a link either" },
		{ "mkdir d", "{'destination':'/proc','source':'d','options':['bind']}", "", "error: mounts[0]: error mounting /proc: cannot be mounted because it is not of type proc", "nor by a bind" },
		{ ":", "{'destination':'/proc','source':'/proc','options':['rbind']}", "stat -f -c %T /proc", "proc", "but a proc of the host may be bound there" },
		{ ":", PROC ",{'destination':'/proc/self/attr','type':'tmpfs'}", "", "error: mounts[1]: error mounting /proc/self/attr: cannot be mounted because it is inside /proc", "nothing is mounted below /proc" },
		{ "echo lie >f", PROC ",{'destination':'/proc/sys/kernel/domainname','source':'f','options':['bind']}", "", "error: mounts[1]: error mounting /proc/sys/kernel/domainname: cannot be mounted because it is inside /proc", "no file over a file either" },
		{ "echo lie >f; ln -s proc/version rootfs/l", PROC ",{'destination':'/l','source':'f','options':['bind']}", "", "error: mounts[1]: error mounting /l: cannot be mounted because it is inside /proc", "nor through a link" },
		{ "echo lie >f", PROC ",{'destination':'/proc/cpuinfo','source':'f','options':['bind']},{'destination':'/proc/uptime','source':'f','options':['bind']}", "cat /proc/cpuinfo /proc/uptime", "lie\nlie", "but for what lxcfs replaces" },
		{ "mkdir -p rootfs/proc/early", "{'destination':'/proc/early','type':'tmpfs'}", "", "error: mounts[0]: error mounting /proc/early: cannot be mounted because it is inside /proc", "also when /proc is not there yet" },
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		case_fresh();
		sh(cases[i].prepare);
		is(BOX(.mounts = cases[i].mounts, .script = cases[i].script), cases[i].want, "%s", cases[i].sentence);
	}
}

static void test_devices(void)
{
	case_fresh();
	is(BOX(.mounts = PROC "," DEV "," PTS,
	       .script = "cd /dev; stat -c '%n %A %t:%T %u' null zero full random urandom tty; for i in fd stdin stdout stderr ptmx; do readlink $i; done"),
	   "null crw-rw-rw- 1:3 0\nzero crw-rw-rw- 1:5 0\nfull crw-rw-rw- 1:7 0\nrandom crw-rw-rw- 1:8 0\nurandom crw-rw-rw- 1:9 0\ntty crw-rw-rw- 5:0 0\n"
	   "/proc/self/fd\n/proc/self/fd/0\n/proc/self/fd/1\n/proc/self/fd/2\npts/ptmx",
	   "the six devices and the links are there");
	is(BOX(.mounts = DEV, .script = "ls /dev | tr '\\n' ' '"), "full null ptmx random tty urandom zero ",
	   "without /proc there are no links to it");
	is(BOX(.mounts = DEV, .lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229,'fileMode':432,'uid':5,'gid':6},{'path':'/opt/x/pipe','type':'p','fileMode':33188},"
				     "{'path':'/dev/tty','type':'c','major':5,'minor':0},{'path':'/dev/ptmx','type':'c','major':5,'minor':2},{'path':'/dev/null','type':'c','major':1,'minor':3,'fileMode':384}]",
	       .script = "stat -c '%n %A %t:%T %u:%g' /dev/fuse /opt/x/pipe /dev/tty /dev/null; readlink /dev/ptmx"),
	   "/dev/fuse crw-rw---- a:e5 5:6\n/opt/x/pipe prw-r--r-- 0:0 0:0\n/dev/tty crw-rw-rw- 5:0 0:0\n/dev/null crw------- 1:3 0:0\npts/ptmx",
	   "devices of the bundle have the mode and owner that it says, anywhere");
	sh("touch rootfs/dev/fuse");
	is(BOX(.lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229}]"),
	   "error: device /dev/fuse: another file is there", "another file in its place is an error");
	sh("rm rootfs/dev/fuse && mknod rootfs/dev/fuse c 10 228");
	is(BOX(.lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229}]"),
	   "error: device /dev/fuse: another file is there", "so is another device");
	sh("rm rootfs/dev/* && mknod -m 640 rootfs/dev/fuse c 10 229");
	is(BOX(.lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229}]", .script = "stat -c %a /dev/fuse"),
	   "640", "the same device stays as it is");
	case_fresh();
	sh("mkdir d && touch d/ptmx");
	is(BOX(.mounts = "{'destination':'/dev','source':'d','options':['bind']}", .script = "ls /dev"), "ptmx",
	   "nothing is made in a /dev that is bound");
	is(BOX(.mounts = PROC ",{'destination':'/dev','type':'tmpfs','source':'tmpfs','options':['ro']}," PTS, .script = OPTIONS("/dev") "; stat -c %t:%T /dev/null"),
	   "ro,relatime,mode=755\n1:3", "a read-only /dev has everything in it");
	is(BOX(.mounts = PROC "," DEV "," PTS, .terminal = true, .script = "stat -c %t:%T /dev/console; awk '$2 == \"/dev/console\" { print $3 }' /proc/mounts"),
	   "88:0\ndevpts", "the terminal is the console, too");
}

static void test_masks(void)
{
	case_fresh();
	sh("mkdir rootfs/d1 rootfs/d2 rootfs/d3; echo secret | tee rootfs/f rootfs/g rootfs/d1/h >rootfs/d2/i");
	is(BOX(.mounts = PROC "," DEV, .lin = "'maskedPaths':['/f','/g','/d1','/d2','/missing','/f/below','/f','/d1','/d1/h']",
	       .script = "cat /f /g; ls /d1 /d2; stat -c %t:%T /f; touch /d1/x; chmod 600 /f; set -- $(stat -c %d /d1 /d2); [ $1 = $2 ] && echo same; grep -c ' /f ' /proc/mounts; grep -c ' /d1 ' /proc/mounts"),
	   "/d1:\n\n/d2:\n1:3\ntouch: /d1/x: Read-only file system\nchmod: /f: Read-only file system\nsame\n1\n1",
	   "masked files are null, masked directories are one empty tmpfs, each once, and the host's null device cannot be changed through them");
	is(BOX(.mounts = PROC "," DEV, .lin = "'maskedPaths':['/f','/d1'],'readonlyPaths':['/d3','/missing']", .root = "'readonly':true", .script = "cat /f; ls /d1; echo end"),
	   "end", "in a read-only root, too");
	sh("ln -s /f rootfs/l; ln -s ../../../../g rootfs/m");
	is(BOX(.mounts = PROC "," DEV, .lin = "'maskedPaths':['/l','/m']", .script = "cat /f /g; stat -c %t:%T /f /g"), "1:3\n1:3", "links are followed in the root");
	is(BOX(.mounts = PROC "," SYSFS "," DEV, .lin = "'maskedPaths':['/proc/kcore','/proc/keys','/proc/timer_list','/sys/firmware','/proc/acpi','/proc/scsi'],'readonlyPaths':['/proc/sys','/proc/bus','/proc/irq','/proc/fs','/proc/sysrq-trigger']",
	       .script = "stat -c %t:%T /proc/keys; ls /sys/firmware; echo x >/proc/sys/kernel/domainname"),
	   "1:3\nsh: can't create /proc/sys/kernel/domainname: Read-only file system",
	   "the usual paths are masked and read-only");
	sh("mkdir m; rm rootfs/m");
	is(BOX(.before = "mount -t tmpfs -o nosuid,noexec t m && mkdir m/sub && mount -t tmpfs -o nodev s m/sub", .mounts = PROC ",{'destination':'/m','source':'m','options':['rbind']}", .lin = "'readonlyPaths':['/m']",
	       .script = OPTIONS("/m") " | tail -n 1;" OPTIONS("/m/sub") "| tail -n 1"),
	   "ro,nosuid,noexec,relatime\nro,nodev,relatime", "read-only paths are so with all below, and keep their flags");
}

static void test_policy_masks(void)
{
	case_fresh();
	sh("mkdir -p home/.aws home/proj rootfs/mnt rootfs/again rootfs/third && echo secret >home/.aws/credentials && echo code >home/proj/f");
	is(BOX(.policy = "mode: strip", .mounts = PROC "," DEV ",{'destination':'/mnt','source':'@/home','options':['rbind']}",
	       .script = "cat /mnt/proj/f; find /mnt -type f | xargs cat; ls -A /mnt/.aws"),
	   "code\ncode", "what the policy found below a bind is masked");
	is(BOX(.policy = "mode: strip", .mounts = PROC "," DEV ",{'destination':'/mnt','source':'@/home','options':['rbind']},{'destination':'/again','source':'@/rootfs/mnt','options':['rbind']},{'destination':'/third','source':'@/rootfs/again','options':['rbind']}",
	       .script = "cat /again/proj/f; ls -A /again/.aws /third/.aws /mnt/.aws"),
	   "code\n/again/.aws:\n\n/mnt/.aws:\n\n/third/.aws:", "also where a bind of the root shows it again");
}

static void test_file_systems(void)
{
	struct arena a = { 0 };
	char deep[200] = "";
	size_t i;

	case_fresh();
	sh("mkdir low up work && echo low >low/f");
	is(BOX(.mounts = PROC ",{'destination':'/o','type':'overlay','source':'overlay','options':['lowerdir=@/low','upperdir=@/up','workdir=@/work','ro']}",
	       .script = "cat /o/f; touch /o/x; awk '$2 == \"/o\" { print $3, substr($4, 1, 3) }' /proc/mounts"),
	   "low\ntouch: /o/x: Read-only file system\noverlay ro,", "overlay");
	for (i = 0; i < sizeof deep - 1; i++)
		deep[i] = 'd';
	sh(arena_printf(&a, "mkdir -p %s/%s/low && echo long >%s/%s/low/f", deep, deep, deep, deep));
	is(BOX(.mounts = arena_printf(&a, PROC ",{'destination':'/o','type':'overlay','source':'overlay','options':['lowerdir=@/low:@/%s/%s/low','nosuid','rprivate']}", deep, deep),
	       .script = "cat /o/f; awk '$2 == \"/o\" { print $3, substr($4, 1, 9) }' /proc/mounts"),
	   "low\noverlay ro,nosuid", "options that are longer than fsconfig(2) takes");
	is(BOX(.mounts = arena_printf(&a, "{'destination':'/o','type':'overlay','source':'overlay','options':['lowerdir=@/%s/%s/none']}", deep, deep)),
	   "error: mounts[0]: error mounting /o: cannot mount the file system: no such file or directory", "an error of those");
	like(BOX(.mounts = "{'destination':'/o','type':'overlay','source':'overlay','options':['lowerdir=@/hunter2','upperdir=@/up','workdir=@/work']}"),
	     "^error: mounts.0.: error mounting /o: [^/]*: no such file or directory$", "the kernel's words are left out when they repeat a value");
	is(BOX(.mounts = PROC "," DEV ",{'destination':'/dev/mqueue','type':'mqueue','source':'mqueue','options':['nosuid']},{'destination':'/dev/shm','type':'tmpfs','source':'shm','options':['mode=1777','size=64k']}",
	       .script = "awk '$2 ~ \"^/dev/\" { print $1, $3 }' /proc/mounts; stat -c %a /dev/shm"),
	   "mqueue mqueue\nshm tmpfs\n1777", "mqueue and shm");
	is(BOX(.lin = "'mountLabel':'system_u:object_r:x:s0'"), access("/sys/fs/selinux/enforce", F_OK) ? "error: linux.mountLabel: the kernel has no SELinux" : "",
	   "a label without SELinux is an error");
	is(BOX(.lin = "'mountLabel':''", .script = "echo yes"), "yes", "an empty one is none");
	arena_release(&a);
}

/* A box around a command on this very host. */
static void test_host_root(void)
{
	case_fresh();
	sh("mkdir secret work && echo s >secret/f");
	is(BOX(.path = "/", .root = "'readonly':true", .mounts = PROC "," DEV ",{'destination':'@/work','source':'@/work','options':['bind','rw']}",
	       .lin = "'maskedPaths':['@/secret']", .cwd = "@/work", .script = "ls ../secret; touch x && echo made; touch ../y; busybox pwd | sed 's,.*/,,'"),
	   "made\ntouch: ../y: Read-only file system\nwork", "the host's own root can be the root");
	is(BOX(.path = "/", .user_ns = true, .ordinary = true, .root = "'readonly':true", .mounts = PROC "," DEV ",{'destination':'@/work','source':'@/work','options':['rbind','rw']}",
	       .before = "chown 65534 work", .lin = "'maskedPaths':['@/secret']", .cwd = "@/work", .script = "ls ../secret; touch y && echo made; touch ../y"),
	   "made\ntouch: ../y: Read-only file system", "for an ordinary user, too");
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
	test_proc();
	test_devices();
	test_masks();
	test_policy_masks();
	test_file_systems();
	test_host_root();
	case_end();
	done_testing();
}
