// SPDX-License-Identifier: Apache-2.0
/* Tests of roots in user namespaces, of an ordinary user too, of mapped ids, and of control groups. */
#include "rootfs_case.h"

#define OPTIONS(place) "awk '$2 == \"" place "\" { print $4 }' /proc/mounts"

static void test_mapped(void)
{
	case_fresh();
	sh("echo secret >rootfs/f; chown -R 100000:100000 rootfs; mkdir -m 700 closed && mkdir "
	   "closed/dir && echo hi >closed/dir/f && chown -R 1000:1000 closed; chmod 711 ..");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV "," PTS "," SYSFS,
	       .script = "id -u; cut -d' ' -f3 /proc/mounts | tail -n +2 | tr '\\n' ' '"),
	   "0\nproc tmpfs devpts sysfs devtmpfs devtmpfs devtmpfs devtmpfs devtmpfs devtmpfs ",
	   "in a user namespace devices are the host's, bound");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV "," PTS,
	       .script = "cd /dev; stat -c '%n %t:%T' null zero full random urandom tty; readlink "
			 "ptmx; echo x >null; chmod 600 null"),
	   "null 1:3\nzero 1:5\nfull 1:7\nrandom 1:8\nurandom 1:9\ntty 5:0\npts/ptmx\nchmod: null: "
	   "Operation not permitted",
	   "all six of them, and nobody inside owns them");
	is(BOX(.user_ns = true,
	       .mounts = "{'destination':'/x','source':'closed/dir','options':['bind']}",
	       .script = "cat /x/f"),
	   "hi", "sources that the mapped root cannot reach are opened before");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV,
	       .lin = "'devices':[{'path':'/dev/fuse','type':'c','major':10,'minor':229},{'path':'/"
		      "opt/p','type':'p'}]",
	       .script = "stat -c '%n %t:%T' /dev/fuse; stat -c %A /opt/p"),
	   "/dev/fuse a:e5\nprw-rw-rw-", "the bundle's devices are there, pipes too");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV,
	       .lin = "'devices':[{'path':'/dev/"
		      "nonesuch','type':'c','major':250,'minor':250,'uid':7,"
		      "'gid':8,'fileMode':416}]",
	       .script = "stat -c '%n %t:%T %u:%g %a' /dev/nonesuch"),
	   "/dev/nonesuch fa:fa 7:8 640", "a device that the host has not is made");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV,
	       .lin = "'devices':[{'path':'/dev/nonesuch','type':'c','major':250,'minor':250,'uid':"
		      "4000000}]"),
	   "error: device /dev/nonesuch: the host has no such device: no such file or directory",
	   "but not for an owner who is not mapped");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV,
	       .lin = "'devices':[{'path':'/dev/mine','type':'c','major':1,'minor':5}]",
	       .script = "stat -c '%n %t:%T' /dev/mine"),
	   "/dev/mine 1:5", "one that has another name there is found by its numbers");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV "," SYSFS,
	       .lin = "'maskedPaths':['/etc','/f','/sys/firmware'],'readonlyPaths':['/proc/sys']",
	       .root = "'readonly':true",
	       .script = "ls /etc; stat -c %t:%T /f; touch /x; touch /etc/x; echo x "
			 ">/proc/sys/kernel/domainname"),
	   "1:3\ntouch: /x: Read-only file system\ntouch: /etc/x: Read-only file system\nsh: can't "
	   "create /proc/sys/kernel/domainname: Read-only file system",
	   "masks and a read-only root work");
	is(BOX(.user_ns = true, .mounts = PROC "," DEV "," PTS, .terminal = true,
	       .script = "stat -c %t:%T /dev/console"),
	   "88:0", "so does the console");
	is(BOX(.user_ns = true, .host_net = true, .mounts = PROC "," SYSFS,
	       .script = "stat -f -c %T /sys; touch /sys/x; awk '$2 ~ \"^/sys\" { print substr($4, "
			 "1, 2) }' /proc/mounts | sort -u"),
	   "sysfs\ntouch: /sys/x: Read-only file system\nro",
	   "without a network of its own, the host's sysfs is shown, all read-only");
	is(BOX(.user_ns = true, .host_net = true,
	       .mounts = "{'destination':'/sys','type':'sysfs'}"),
	   "error: mounts[0]: error mounting /sys: fsopen: operation not permitted",
	   "but not when it is to be writable");
}

/* A root with no /dev of its own keeps the files that devices are bound on. */
static void test_again(void)
{
	static const char script[] = "stat -c %t:%T /dev/null /dev/tty";

	case_fresh();
	sh("chown -R 100000:100000 rootfs; chmod 711 ..");
	is(BOX(.user_ns = true, .script = script), "1:3\n5:0", "devices are bound in a bare root");
	is(BOX(.user_ns = true, .script = script), "1:3\n5:0", "and in the same root again");
	is(BOX(.script = script), "1:3\n5:0", "without a user namespace, too");
	sh("chmod 644 rootfs/dev/null");
	is(BOX(.script = script), "error: device /dev/null: another file is there",
	   "but not on a file that could be somebody's");
}

static void test_ordinary(void)
{
	case_fresh();
	sh("echo secret >rootfs/f; mkdir -m 700 closed && mkdir dir closed/d && echo hi >dir/f");
	if (!geteuid())
		sh("chown -R 65534:65534 rootfs closed");
	is(BOX(.user_ns = true, .ordinary = true,
	       .mounts = PROC
	       "," DEV "," PTS "," SYSFS
	       ",{'destination':'/x','source':'dir','options':['rbind','ro','nosuid']}",
	       .script = "id -u; cat /x/f; touch /x/g; stat -c %t:%T /dev/null; stat -f -c %T "
			 "/sys; touch /new && stat -c %u /new"),
	   "0\nhi\ntouch: /x/g: Read-only file system\n1:3\nsysfs\n0",
	   "an ordinary user has mounts, devices and a root");
	is(BOX(.user_ns = true, .ordinary = true, .mounts = PROC "," DEV,
	       .lin = "'maskedPaths':['/etc','/f'],'readonlyPaths':['/tmp']",
	       .root = "'readonly':true", .cwd = "/made/cwd",
	       .script = "busybox pwd; ls /etc; stat -c %t:%T /f; touch /tmp/x; touch /y"),
	   "/made/cwd\n1:3\ntouch: /tmp/x: Read-only file system\ntouch: /y: Read-only file system",
	   "and masks");
	is(BOX(.user_ns = true, .ordinary = true,
	       .mounts = "{'destination':'/x','source':'closed/d','options':['rbind']}",
	       .script = "ls /x && echo yes"),
	   "yes", "what is its own can be bound");
	if (geteuid())
		return;
	sh("chown 0 closed");
	is(BOX(.user_ns = true, .ordinary = true,
	       .mounts = "{'destination':'/x','source':'closed/d','options':['rbind']}"),
	   "error: mounts[0]: error mounting /x: source: permission denied",
	   "what it cannot reach cannot");
}

// clang-format off
static void test_idmap(void)
{
#define MAPS(at) "'uidMappings':[{'containerID':0,'hostID':" at ",'size':1000}],'gidMappings':[{'containerID':0,'hostID':" at ",'size':1000}]"
	case_fresh();
	sh("chown -R 100000:100000 rootfs; mkdir -p m/sub s; touch m/f s/g; chown 7:8 m/f s/g; chmod 711 ..");
	is(BOX(.mounts = "{'destination':'/m','source':'m','options':['bind']," MAPS("100000") "}", .script = "stat -c %u:%g /m/f"),
	   "100007:100008", "ids are mapped by a mount's own mappings");
	is(BOX(.user_ns = true, .mounts = "{'destination':'/m','source':'m','options':['bind']," MAPS("100000") "}", .script = "stat -c %u:%g /m/f; touch /m/new && stat -c %u /m/new"),
	   "7:8\n0", "in a user namespace too, and files are made by them");
	is(BOX(.user_ns = true, .mounts = "{'destination':'/m','source':'m','options':['bind','idmap']}", .script = "stat -c %u:%g /m/f"),
	   "7:8", "without any, by the namespace's");
	is(BOX(.mounts = "{'destination':'/m','source':'m','options':['bind','idmap']}"),
	   "error: mounts[0]: error mounting /m: idmap needs mappings (give uidMappings and gidMappings, or a user namespace)", "without either it is an error");
	is(BOX(.mounts = "{'destination':'/m','type':'tmpfs','options':['idmap']}"),
	   "error: mounts[0]: error mounting /m: only binds can have mappings", "so it is for what is no bind");
	is(BOX(.mounts = "{'destination':'/m','source':'m','options':['bind','idmap=uids=0-1-2']}"),
	   "error: mounts[0]: error mounting /m: option 'idmap' takes no value (give uidMappings, gidMappings)", "mappings in the option are not taken for something else");
	is(BOX(.before = "mount --bind s m/sub", .mounts = "{'destination':'/m','source':'m','options':['rbind','idmap']," MAPS("2000") "}", .script = "stat -c %u:%g /m/f /m/sub/g"),
	   "2007:2008\n7:8", "idmap is for the top alone");
	is(BOX(.before = "mount --bind s m/sub", .mounts = "{'destination':'/m','source':'m','options':['rbind','ridmap']," MAPS("2000") "}", .script = "stat -c %u:%g /m/f /m/sub/g"),
	   "2007:2008\n2007:2008", "ridmap for all below");
	is(BOX(.mounts = "{'destination':'/m','source':'m','options':['bind']," MAPS("1000") "},{'destination':'/n','source':'m','options':['bind']," MAPS("1000") "},{'destination':'/o','source':'m','options':['bind']," MAPS("3000") "}", .script = "stat -c %u:%g /m/f /n/f /o/f"),
	   "1007:1008\n1007:1008\n3007:3008", "each mount has its own, be they the same or not");
	is(BOX(.mounts = "{'destination':'/m','source':'m','options':['bind']},{'destination':'/n','source':'@/rootfs/m','options':['bind']," MAPS("1000") "}", .script = "stat -c %u:%g /m/f /n/f"),
	   "7:8\n1007:1008", "a source in the root can be mapped");
	is(BOX(.user_ns = true, .mounts = "{'destination':'/m','source':'m','options':['bind']},{'destination':'/n','source':'@/rootfs/m','options':['bind']," MAPS("100000") "}", .script = "stat -c %u:%g /m/f /n/f"),
	   "65534:65534\n7:8", "in a user namespace, too");
	is(BOX(.before = "mount --bind s m/sub", .user_ns = true, .mounts = "{'destination':'/m','source':'m','options':['rbind']},{'destination':'/n','source':'@/rootfs/m','options':['rbind','ridmap']}", .script = "stat -c %u:%g /n/f /n/sub/g"),
	   "7:8\n7:8", "and with all below");
}
// clang-format on

/* Groups of our own in two of the machine's hierarchies; they are removed again. */
static struct cgroup cgroups = { .mode = CGROUP_HYBRID };

static bool make_groups(void)
{
	static const char *const names[] = { "memory", "pids", "systemd", "cpu" };
	static char paths[4][64], mounts[4][64];
	char dir[160];
	size_t i;

	for (i = 0; i < 4; i++) {
		snprintf(mounts[i], sizeof mounts[i], "/sys/fs/cgroup/%s", names[i]);
		snprintf(paths[i], sizeof paths[i], "/credsbox-t-rootfs-%d", getpid());
		snprintf(dir, sizeof dir, "%s%s", mounts[i], paths[i]);
		if (mkdir(dir, 0755))
			return false;
		cgroups.dirs[i] =
			(struct cgroup_dir){ .controllers = i == 2 ? "name=systemd" : names[i],
					     .mount = mounts[i],
					     .path = paths[i] };
		cgroups.n_dirs = i + 1;
	}
	return true;
}

static void remove_groups(void)
{
	char dir[160];
	size_t i;

	for (i = 0; i < cgroups.n_dirs; i++) {
		snprintf(dir, sizeof dir, "%s%s", cgroups.dirs[i].mount, cgroups.dirs[i].path);
		rmdir(dir);
	}
}

static void test_cgroups(void)
{
#define CGROUP(options)                                                                    \
	"{'destination':'/sys/fs/"                                                         \
	"cgroup','type':'cgroup','source':'cgroup','options':['nosuid','noexec','nodev','" \
	"relatime'" options "]}"
	static const char enter[] = "for i in memory pids systemd cpu; do for d in "
				    "/sys/fs/cgroup/$i/credsbox-t-rootfs-*; do echo $PPID "
				    ">$d/cgroup.procs || exit 1; done; done";
	static const char look[] =
		"cd /sys/fs/cgroup; ls | tr '\\n' ' '; mkdir memory/below 2>/dev/null && echo made "
		"&& rmdir memory/below; awk '$2 ~ \"^/sys/fs/cgroup\" { print $3, substr($4, 1, 2) "
		"}' /proc/mounts | sort -u | tr '\\n' ' '";

	case_fresh();
	sh("chown -R 100000:100000 rootfs; chmod 711 ..");
	if (!make_groups()) {
		remove_groups();
		skip(true, 6, "no cgroup v1 here that groups can be made in");
		end_skip;
		return;
	}
	is(BOX(.cgroup = &cgroups, .mounts = PROC "," SYSFS "," CGROUP(""), .script = look),
	   "cpu memory pids systemd cgroup ro tmpfs ro ",
	   "without a namespace of its own a container sees its own groups, read-only");
	is(BOX(.cgroup = &cgroups, .cgroup_ns = true, .before = enter,
	       .mounts = PROC "," SYSFS "," CGROUP(""), .script = look),
	   "cpu memory pids systemd made\ncgroup rw tmpfs rw ",
	   "with one it may make groups in them");
	is(BOX(.cgroup = &cgroups, .cgroup_ns = true, .before = enter,
	       .mounts = PROC "," SYSFS "," CGROUP(",'ro'"), .script = look),
	   "cpu memory pids systemd cgroup ro tmpfs ro ", "unless that is read-only");
	is(BOX(.cgroup = &cgroups, .cgroup_ns = true, .user_ns = true, .before = enter,
	       .mounts = PROC "," SYSFS "," CGROUP(",'ro'"), .script = look),
	   "cpu memory pids systemd cgroup ro tmpfs ro ", "in a user namespace, too");
	is(BOX(.cgroup = &cgroups, .user_ns = true, .mounts = PROC "," SYSFS "," CGROUP(""),
	       .script = look),
	   "cpu memory pids systemd cgroup ro tmpfs ro ", "and in a user namespace alone");
	cgroups.dirs[3].controllers = "cpu,cpuacct";
	is(BOX(.cgroup = &cgroups, .mounts = PROC "," SYSFS "," CGROUP(""),
	       .script = "cd /sys/fs/cgroup; readlink cpuacct; ls cpuacct/ | grep -c tasks"),
	   "cpu\n1", "controllers that share a hierarchy have links to it");
	is(BOX(.cgroup = &(struct cgroup){ .mode = CGROUP_NONE },
	       .mounts = PROC "," SYSFS "," CGROUP(""),
	       .script = "ls -A /sys/fs/cgroup; touch /sys/fs/cgroup/x"),
	   "touch: /sys/fs/cgroup/x: Read-only file system",
	   "without any groups there is nothing to see");
	remove_groups();
}

int main(void)
{
	plan(NO_PLAN);
	case_fresh();
	if (geteuid() &&
	    strcmp(BOX(.user_ns = true, .ordinary = true, .script = "echo yes"), "yes") != 0) {
		case_end();
		printf("1..0 # SKIP no user namespaces for ordinary users\n");
		return 0;
	}
	test_ordinary();
	if (!geteuid()) {
		test_mapped();
		test_again();
		test_idmap();
		test_cgroups();
	}
	case_end();
	done_testing();
}
