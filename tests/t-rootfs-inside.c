// SPDX-License-Identifier: Apache-2.0
/* Tests of what else is in the container's root: /proc, devices, masks, file systems. */
#include "rootfs_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The options of a mount, as /proc/mounts has them. */
#define OPTIONS(place) "awk '$2 == \"" place "\" { print $4 }' /proc/mounts"
static void test_proc(void)
{
	// clang-format off
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
	// clang-format on
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		case_fresh();
		sh(cases[i].prepare);
		is(BOX(.mounts = cases[i].mounts, .script = cases[i].script), cases[i].want, "%s",
		   cases[i].sentence);
	}
}

static void test_devices(void)
{
	case_fresh();
	is(BOX(.mounts = PROC "," DEV "," PTS,
	       .script = "cd /dev; stat -c '%n %A %t:%T %u' null zero full random urandom tty; for "
			 "i in fd stdin stdout stderr ptmx; do readlink $i; done"),
	   "null crw-rw-rw- 1:3 0\nzero crw-rw-rw- 1:5 0\nfull crw-rw-rw- 1:7 0\nrandom crw-rw-rw- "
	   "1:8 0\nurandom crw-rw-rw- 1:9 0\ntty crw-rw-rw- 5:0 0\n"
	   "/proc/self/fd\n/proc/self/fd/0\n/proc/self/fd/1\n/proc/self/fd/2\npts/ptmx",
	   "the six devices and the links are there");
	is(BOX(.mounts = DEV, .script = "ls /dev | tr '\\n' ' '"),
	   "full null ptmx random tty urandom zero ", "without /proc there are no links to it");
	is(BOX(.mounts = DEV,
	       .lin = "'devices':[{'path':'/dev/"
		      "fuse','type':'c','major':10,'minor':229,'fileMode':432,'uid':5,'gid':6},{'"
		      "path':'/opt/x/pipe','type':'p','fileMode':33188},"
		      "{'path':'/dev/tty','type':'c','major':5,'minor':0},{'path':'/dev/"
		      "ptmx','type':'c','major':5,'minor':2},{'path':'/dev/"
		      "null','type':'c','major':1,'minor':3,'fileMode':384}]",
	       .script = "stat -c '%n %A %t:%T %u:%g' /dev/fuse /opt/x/pipe /dev/tty /dev/null; "
			 "readlink /dev/ptmx"),
	   "/dev/fuse crw-rw---- a:e5 5:6\n/opt/x/pipe prw-r--r-- 0:0 0:0\n/dev/tty crw-rw-rw- 5:0 "
	   "0:0\n/dev/null crw------- 1:3 0:0\npts/ptmx",
	   "devices of the bundle have the mode and owner that it says, anywhere");
	sh("touch rootfs/dev/fuse");
	is(BOX(.lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229}]"),
	   "error: device /dev/fuse: another file is there",
	   "another file in its place is an error");
	sh("rm rootfs/dev/fuse && mknod rootfs/dev/fuse c 10 228");
	is(BOX(.lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229}]"),
	   "error: device /dev/fuse: another file is there", "so is another device");
	sh("rm rootfs/dev/* && mknod -m 640 rootfs/dev/fuse c 10 229");
	is(BOX(.lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229}]",
	       .script = "stat -c %a /dev/fuse"),
	   "640", "the same device stays as it is");
	case_fresh();
	sh("mkdir d && touch d/ptmx");
	is(BOX(.mounts = "{'destination':'/dev','source':'d','options':['bind']}",
	       .script = "ls /dev"),
	   "ptmx", "nothing is made in a /dev that is bound");
	is(BOX(.mounts = PROC
	       ",{'destination':'/dev','type':'tmpfs','source':'tmpfs','options':['ro']}," PTS,
	       .script = OPTIONS("/dev") "; stat -c %t:%T /dev/null"),
	   "ro,relatime,mode=755\n1:3", "a read-only /dev has everything in it");
	is(BOX(.mounts = PROC "," DEV "," PTS, .terminal = true,
	       .script = "stat -c %t:%T /dev/console; awk '$2 == \"/dev/console\" { print $3 }' "
			 "/proc/mounts"),
	   "88:0\ndevpts", "the terminal is the console, too");
}

static void test_masks(void)
{
	case_fresh();
	sh("mkdir rootfs/d1 rootfs/d2 rootfs/d3; echo secret | tee rootfs/f rootfs/g rootfs/d1/h "
	   ">rootfs/d2/i");
	is(BOX(.mounts = PROC "," DEV,
	       .lin = "'maskedPaths':['/f','/g','/d1','/d2','/missing','/f/below','/f','/d1','/d1/"
		      "h']",
	       .script = "cat /f /g; ls /d1 /d2; stat -c %t:%T /f; touch /d1/x; chmod 600 /f; set "
			 "-- $(stat -c %d /d1 /d2); [ $1 = $2 ] && echo same; grep -c ' /f ' "
			 "/proc/mounts; grep -c ' /d1 ' /proc/mounts"),
	   "/d1:\n\n/d2:\n1:3\ntouch: /d1/x: Read-only file system\nchmod: /f: Read-only file "
	   "system\nsame\n1\n1",
	   "masked files are null, masked directories are one empty tmpfs, each once, and the "
	   "host's null device cannot be changed through them");
	is(BOX(.mounts = PROC "," DEV,
	       .lin = "'maskedPaths':['/f','/d1'],'readonlyPaths':['/d3','/missing']",
	       .root = "'readonly':true", .script = "cat /f; ls /d1; echo end"),
	   "end", "in a read-only root, too");
	sh("ln -s /f rootfs/l; ln -s ../../../../g rootfs/m");
	is(BOX(.mounts = PROC "," DEV, .lin = "'maskedPaths':['/l','/m']",
	       .script = "cat /f /g; stat -c %t:%T /f /g"),
	   "1:3\n1:3", "links are followed in the root");
	is(BOX(.mounts = PROC "," SYSFS "," DEV,
	       .lin = "'maskedPaths':['/proc/kcore','/proc/keys','/proc/timer_list','/sys/"
		      "firmware','/proc/acpi','/proc/scsi'],'readonlyPaths':['/proc/sys','/proc/"
		      "bus','/proc/irq','/proc/fs','/proc/sysrq-trigger']",
	       .script = "stat -c %t:%T /proc/keys; ls /sys/firmware; echo x "
			 ">/proc/sys/kernel/domainname"),
	   "1:3\nsh: can't create /proc/sys/kernel/domainname: Read-only file system",
	   "the usual paths are masked and read-only");
	sh("mkdir m; rm rootfs/m");
	is(BOX(.before = "mount -t tmpfs -o nosuid,noexec t m && mkdir m/sub && mount -t tmpfs -o "
			 "nodev s m/sub",
	       .mounts = PROC ",{'destination':'/m','source':'m','options':['rbind']}",
	       .lin = "'readonlyPaths':['/m']",
	       .script = OPTIONS("/m") " | tail -n 1;" OPTIONS("/m/sub") "| tail -n 1"),
	   "ro,nosuid,noexec,relatime\nro,nodev,relatime",
	   "read-only paths are so with all below, and keep their flags");
}

static void test_policy_masks(void)
{
	case_fresh();
	sh("mkdir -p home/.aws home/proj rootfs/mnt rootfs/again rootfs/third && echo secret "
	   ">home/.aws/credentials && echo code >home/proj/f");
	is(BOX(.policy = "mode: strip",
	       .mounts =
		       PROC "," DEV ",{'destination':'/mnt','source':'@/home','options':['rbind']}",
	       .script = "cat /mnt/proj/f; find /mnt -type f | xargs cat; ls -A /mnt/.aws"),
	   "code\ncode", "what the policy found below a bind is masked");
	is(BOX(.policy = "mode: strip",
	       .mounts = PROC
	       "," DEV
	       ",{'destination':'/mnt','source':'@/home','options':['rbind']},{'destination':'/"
	       "again','source':'@/rootfs/mnt','options':['rbind']},{'destination':'/"
	       "third','source':'@/rootfs/again','options':['rbind']}",
	       .script = "cat /again/proj/f; ls -A /again/.aws /third/.aws /mnt/.aws"),
	   "code\n/again/.aws:\n\n/mnt/.aws:\n\n/third/.aws:",
	   "also where a bind of the root shows it again");
}

static void test_file_systems(void)
{
	struct arena a = { 0 };
	char deep[200] = "";
	size_t i;

	case_fresh();
	sh("mkdir low up work && echo low >low/f");
	is(BOX(.mounts = PROC
	       ",{'destination':'/o','type':'overlay','source':'overlay','options':['lowerdir=@/"
	       "low','upperdir=@/up','workdir=@/work','ro']}",
	       .script = "cat /o/f; touch /o/x; awk '$2 == \"/o\" { print $3, substr($4, 1, 3) }' "
			 "/proc/mounts"),
	   "low\ntouch: /o/x: Read-only file system\noverlay ro,", "overlay");
	for (i = 0; i < sizeof deep - 1; i++)
		deep[i] = 'd';
	sh(arena_printf(&a, "mkdir -p %s/%s/low && echo long >%s/%s/low/f", deep, deep, deep,
			deep));
	is(BOX(.mounts = arena_printf(&a,
				      PROC ",{'destination':'/"
					   "o','type':'overlay','source':'overlay','options':['"
					   "lowerdir=@/low:@/%s/%s/low','nosuid','rprivate']}",
				      deep, deep),
	       .script =
		       "cat /o/f; awk '$2 == \"/o\" { print $3, substr($4, 1, 9) }' /proc/mounts"),
	   "low\noverlay ro,nosuid", "options that are longer than fsconfig(2) takes");
	is(BOX(.mounts = arena_printf(&a,
				      "{'destination':'/"
				      "o','type':'overlay','source':'overlay','options':['lowerdir="
				      "@/%s/%s/none']}",
				      deep, deep)),
	   "error: mounts[0]: error mounting /o: cannot mount the file system: no such file or "
	   "directory",
	   "an error of those");
	like(BOX(.mounts = "{'destination':'/"
			   "o','type':'overlay','source':'overlay','options':['lowerdir=@/"
			   "hunter2','upperdir=@/up','workdir=@/work']}"),
	     "^error: mounts.0.: error mounting /o: [^/]*: no such file or directory$",
	     "the kernel's words are left out when they repeat a value");
	is(BOX(.mounts = PROC
	       "," DEV ",{'destination':'/dev/"
	       "mqueue','type':'mqueue','source':'mqueue','options':['nosuid']},{'destination':'/"
	       "dev/shm','type':'tmpfs','source':'shm','options':['mode=1777','size=64k']}",
	       .script =
		       "awk '$2 ~ \"^/dev/\" { print $1, $3 }' /proc/mounts; stat -c %a /dev/shm"),
	   "mqueue mqueue\nshm tmpfs\n1777", "mqueue and shm");
	if (access("/sys/fs/selinux/enforce", F_OK))
		is(BOX(.lin = "'mountLabel':'system_u:object_r:x:s0'", .script = "echo yes"), "yes",
		   "a label has no effect without SELinux");
	is(BOX(.lin = "'mountLabel':''", .script = "echo yes"), "yes", "an empty one is none");
	arena_release(&a);
}

/* A box around a command on this very host. */
static void test_host_root(void)
{
	case_fresh();
	sh("mkdir secret work && echo s >secret/f");
	is(BOX(.path = "/", .root = "'readonly':true",
	       .mounts = PROC "," DEV
			      ",{'destination':'@/work','source':'@/work','options':['bind','rw']}",
	       .lin = "'maskedPaths':['@/secret']", .cwd = "@/work",
	       .script = "ls ../secret; touch x && echo made; touch ../y; busybox pwd | sed "
			 "'s,.*/,,'"),
	   "made\ntouch: ../y: Read-only file system\nwork", "the host's own root can be the root");
	is(BOX(.path = "/", .user_ns = true, .ordinary = true, .root = "'readonly':true",
	       .mounts = PROC
	       "," DEV ",{'destination':'@/work','source':'@/work','options':['rbind','rw']}",
	       .before = "chown 65534 work", .lin = "'maskedPaths':['@/secret']", .cwd = "@/work",
	       .script = "ls ../secret; touch y && echo made; touch ../y"),
	   "made\ntouch: ../y: Read-only file system", "for an ordinary user, too");
}

int main(void)
{
	if (geteuid()) {
		printf("1..0 # SKIP needs root\n");
		return 0;
	}
	plan(NO_PLAN);
	test_proc();
	test_devices();
	test_masks();
	test_policy_masks();
	test_file_systems();
	test_host_root();
	case_end();
	done_testing();
}
