#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same bundle gives the same view from inside under credsbox that observes, crun and runc.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
! is_sanitized || skip_all "limits of memory are not for a program that watches itself"
[ "$(id -u)" = 0 ] || skip_all "only root can give crun and runc a machine to spare"
# What is known of others is known of these.
PATH=$PATH:/usr/sbin:/sbin
runtimes='' others=''
for peer in crun runc; do
	case $($peer --version 2>/dev/null | head -n 1) in
	'crun version 1.8.'* | 'runc version 1.1.'*) runtimes="$runtimes $peer" ;;
	?*) others="$others, $peer is of another version" ;;
	esac
done
[ -n "$runtimes" ] || skip_all "neither crun 1.8 nor runc 1.1 here (packages crun, runc)$others"
[ "$(stat -f -c %T /sys/fs/cgroup)" = tmpfs ] ||
	skip_all "what crun and runc show of control groups is known for version 1 alone"
id=$tag-view

# The view: lines that begin with the name of their section.
cat >"$work/base/bin/view" <<'END'
PATH=/bin
say() { # SECTION FILE...
	section=$1
	shift
	sed "s|^|$section: |" "$@" 2>&1
}
mounts() {
	cut -d' ' -f5 /proc/self/mountinfo | sort -u
}
tr '\0' '\n' </proc/$$/environ | sort | say env
pwd -P | say cwd
id | say id
say mount /proc/$$/mountinfo
say status /proc/$$/status
say limits /proc/$$/limits
say cgroup /proc/$$/cgroup
for file in uid_map gid_map setgroups oom_score_adj personality coredump_filter timerslack_ns \
	timens_offsets attr/current; do
	say $file /proc/$$/$file
done
cut -d' ' -f5-8,18-20,40,41 /proc/$$/stat | say stat
ls -l /proc/$$/ns | sed -n 's/.* \([a-z_]*\) -> \(.*\)/ns: \1 \2/p'
for file in kernel/hostname kernel/domainname kernel/shm_rmid_forced kernel/sem fs/mqueue/msg_max \
	net/ipv4/ip_unprivileged_port_start; do
	say $file /proc/sys/$file
done
ip link | sed -n 's/^[0-9]*: /link: /p'
find /dev | sort | xargs stat -c 'dev: %A %u %g %t:%T %N'
mounts | xargs stat -c 'place: %A %u %g %n'
stat -c 'cwd: %A %u %g %n' .
for file in memory/memory.limit_in_bytes memory/memory.soft_limit_in_bytes pids/pids.max cpu/cpu.shares \
	cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us cpuset/cpuset.cpus devices/devices.list; do
	[ ! -f /sys/fs/cgroup/$file ] || sort /sys/fs/cgroup/$file | say "$file"
done
for place in $(mounts); do
	case $place in
	/proc* | /sys* | /dev/*) ;;
	*) touch "$place/.try" 2>&1 && rm -f "$place/.try" && echo "try: $place is writable" ;;
	esac
done | say try
for try in 'chroot / true' 'unshare -u true' 'mknod /dev/.try c 1 3' 'chgrp 1000 /dev/.try' \
	'mknod /dev/.other c 10 1' 'head -c 0 /dev/.other' 'umount /proc/keys' 'touch /proc/sys/kernel/sem'; do
	$try </dev/null 2>&1 | say "$try"
done
head -c 20 /proc/keys 2>&1 | wc -c | say keys
[ ! -t 0 ] || { tty; stty -a | tr -s " ;" "\n\n"; stat -c '%A %u %g' "$(tty)"; } | say tty
exit 7
END
# First of all its descriptors, before a script is read from one.
view='for f in /proc/$$/fd/*; do [ ! -h $f ] || { printf "fd: ${f##*/} "; readlink $f; }; done; . /bin/view'

# Without what differs from one run to the next: numbers of mounts, processes, namespaces and pipes.
cat >"$work/plain.awk" <<'AWK'
function sorted(list, n, i, j, part, swap) {
	sub(/,inode64/, "", list)
	n = split(list, part, ",")
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && part[j] < part[j - 1]; j--) {
			swap = part[j]; part[j] = part[j - 1]; part[j - 1] = swap
		}
	list = part[1]
	for (i = 2; i <= n; i++)
		list = list "," part[i]
	return list
}
FILENAME != ARGV[ARGC - 1] { known[$1] = $2; next }
{ sub(/\r$/, "") }
$1 == "place:" { looks[$5] = $2 " " $3 " " $4; next }
$1 == "mount:" { place[$2] = $6; line[++n] = $0; next }
/^status: (Name|FDSize|State|SigQ|Vm|Rss|HugetlbPages|(non)?voluntary|Mems_allowed:)/ { next }
/^status: (Tgid|Pid|PPid|NS)/ || $1 == "stat:" {
	for (i = 2; i <= NF; i++)
		if ($i > 99 && ($1 != "stat:" || i < 4 || i == 5))
			$i = "N"
}
$1 == "ns:" { $3 = ($3 in known) ? known[$3] : "new" }
$1 == "fd:" { gsub(/[0-9]+\]/, "]") }
{ gsub(/[ \t]+/, " "); print }
END {
	for (i = 1; i <= n; i++) {
		split(line[i], f, " ")
		tags = ""
		for (j = 8; f[j] != "-"; j++) {
			sub(/:[0-9]+/, "", f[j])
			tags = tags " " f[j]
		}
		print "mount:", f[6], "in", (f[3] in place) ? place[f[3]] : "-", "from", f[5], \
			sorted(f[7]) tags, f[j + 1], f[j + 2], sorted(f[j + 3]), "as", looks[f[6]]
	}
}
AWK

host_namespaces() { # WORD PID
	find "/proc/$2/ns" -type l | while read -r link; do
		printf '%s %s\n' "$(readlink "$link")" "$1"
	done
}
host_namespaces host $$ >"$work/namespaces"

# What is different, one by one: a rule for their view and one for ours, each of exactly what is known
# to be shown.
known() { # PEER SED-OF-THEIRS [SED-OF-OURS]
	printf '%s\n' "$2" >>"$work/$1.sed"
	printf '%s\n' "${3:-}" >>"$work/ours-$1.sed"
}
for peer in crun runc; do
	: >"$work/$peer.sed"
	: >"$work/$peer-default.sed"
	: >"$work/ours-$peer.sed"
	: >"$work/ours-$peer-default.sed"
done
# Parts of mounts: places, groups they propagate in, options, owners.
at='s#^(mount: [^ ]* in [^ ]*) from '
masked='\#^mount: /dev/#!s#^(mount: [^ ]* in [^ ]*) from '
dev='s#^(mount: /dev/[a-z]* in /dev) from '
groups='( shared)?( master)?'
no='nodev,noexec,nosuid,relatime'
owner='(gid=[0-9]*,)?'
owned='(,uid=[0-9]*)?'
root='(0 0|65534 65534)'
# Directories are masked by one small file system that nobody can write to or run anything of.
to='#\1 MASKED#'
ours="$at/ $no,ro$groups tmpfs tmpfs ${owner}mode=755,nr_inodes=2,ro,size=4k$owned as drwxr-xr-x 0 0$to"
known crun "$at/ relatime,ro$groups tmpfs tmpfs ${owner}rw,size=0k$owned as drwxrwxrwt 0 0$to" "$ours"
known runc "$at/ relatime,ro tmpfs tmpfs ${owner}ro$owned as drwxrwxrwt 0 0$to" "$ours"
# Files are masked by the machine's null device, read-only. runc takes the container's own.
ours="$masked/null noexec,nosuid,relatime,ro$groups tmpfs spare rw as crw-rw-rw- $root$to"
known crun "$masked/null relatime,ro$groups tmpfs spare rw as crw-rw-rw- [0-9]* [0-9]*$to" "$ours"
known runc "$at/null nosuid,rw tmpfs tmpfs mode=755,rw,size=65536k as crw-rw-rw- 0 0$to" "$ours"
known runc "\\#^mount: /(proc|etc)/#${at}[^ ]*/null relatime,rw master ([^ ]* ){3}as crw-rw-rw- $root$to"
# crun gives /dev/null to the program's user.
known crun 's#^(dev: crw-rw-rw-) [0-9]+ [0-9]+ (1:3 /dev/null)$#\1 \2#' \
	's/^(dev: crw-rw-rw-) (0 0|65534 65534) (1:3 .dev.null)$/\1 \3/'
# In a user namespace, its devices have other options than runc's and ours.
to='#\1 from \2 \3#'
known crun "$dev(/[a-z]*) noexec,nosuid,relatime,rw (([^ ]* ){3}as crw-rw-rw-) [0-9]* [0-9]*$to" \
	"$dev(/[a-z]*) relatime,rw master (([^ ]* ){3}as crw-rw-rw-) 65534 65534$to"
# Its console can be run.
known crun "$dev/0 relatime,rw devpts#\\1 from /0 noexec,nosuid,relatime,rw devpts#"
# It leaves the terminal's ends of lines alone. runc and we do not add carriage returns.
known crun 's/^tty: onlcr$/tty: -onlcr/'
# It links /dev/core to what does not exist.
[ -e /proc/kcore ] || known crun '/^dev: .*\/dev\/core. ->/d; /^root: .*\.\/dev\/core$/d'
# It allows the device /dev/console, which is a pts, and not /dev/net/tun, as runc and we do.
known crun 's/^(devices.devices.list: c) 5:1 rwm/\1 10:200 rwm/'
# It sets no HOME for users that /etc/passwd does not know.
known crun '/^env: HOME=\/$/d' '/^env: HOME=\/$/d'
# It asks setuid programs for ids, which do not know users without a name.
known crun '/^new[ug]idmap: Cannot determine your user name.$/d'
# Signals that the caller ignores are not ignored inside, with us not even 32 and 33, which the C library
# keeps for itself.
known crun 's/^(status: SigIgn: 0{7})[01][08]/\100/'
known runc 's/^(status: SigIgn: 0{7})08/\100/'
# A new sysfs that is to be read-only is so itself with runc and ours, crun's is by its mount.
known crun "s#^(mount: /sys in / .*,ro$groups) sysfs sysfs rw as#\\1 sysfs sysfs READ-ONLY as#" \
	"s#^(mount: /sys in / .*,ro$groups) sysfs sysfs r[ow] as#\\1 sysfs sysfs READ-ONLY as#"
# The tmpfs that the controllers of version 1 are mounted in is read-only, too, if they are.
to='#\1 CONTROLLERS#'
ours="$at/ $no,ro$groups tmpfs tmpfs ${owner}mode=755,rw$owned as drwxr-xr-x 0 0$to"
known crun "$at/ $no,rw$groups tmpfs cgroup ${owner}rw,size=1024k$owned as drwxrwxrwt 0 0$to" "$ours"
known runc "$at/ $no,rw tmpfs tmpfs ${owner}mode=755,rw$owned as drw?-?x?r-xr-x 0 0$to" "$ours"
# They themselves keep to themselves in ours, and follow or share the machine's in others'.
rule="s#^(mount: /sys/fs/cgroup/[^ ]* .*,ro)$groups cgroup #\\1 cgroup #"
known runc "$rule"
known crun "$rule" "$rule"
# crun calls them by their paths, runc has another name for one.
known crun 's#^(mount: /sys/fs/cgroup/[^ ]* .* cgroup) /sys/fs/cgroup/[^ ]* #\1 cgroup #'
known runc 's#^(mount: /sys/fs/cgroup/systemd .* cgroup) systemd #\1 cgroup #'
# Groups are below that of the caller, as with runc. crun makes them at the top.
sed -n 's/^[0-9]*:[^:]*:\(\/..*\)/\1/p' /proc/self/cgroup | sort -u | while read -r path; do
	known crun '' "s, $path/(${tag}[^ ]*) , /\\1 ,; s,:$path/(${tag}[^ ]*)\$,:/\\1,"
done
# The group of runc's message queues is the caller's.
known runc 's/^(dev: drwxrwxrwt 0) 65534 (0:0 .dev.mqueue)$/\1 0 \2/
s/^(mount: .dev.mqueue .* as drwxrwxrwt 0) 65534$/\1 0/'
# Its programs in the foreground get pipes that it copies to and from; others get what the caller has.
known runc 's/^fd: ([012]) pipe:\[\]$/fd: \1 PASSED/' "s#^fd: 0 /dev/null\$#fd: 0 PASSED#
s#^fd: 1 $work/view\$#fd: 1 PASSED#
s#^fd: 2 $work/err\$#fd: 2 PASSED#"
# It changes the mode of a tmpfs after mounting it, even one that was asked for; we mount it with one.
known runc 's#^(mount: .* tmpfs a .* as) drwxrwxrwt #\1 #' \
	's#^(mount: .* tmpfs [b-d] .*)mode=755,(.* as drwxr-xr-x) #\1\2 #
s#^(mount: /tmp in / .* tmpfs a .*mode=1770,.* as) drwxrwx--T #\1 #'
# crun does not look at what a tmpfs covers.
known crun 's#^(mount: .* tmpfs [b-d] .* as) drwxrwxrwt #\1 #' \
	's#^(mount: .* tmpfs [b-d] .*)mode=755,(.* as) drwxr-xr-x #\1\2 #'
# What it makes read-only loses its other options.
known crun "s#^(mount: /dev/shm in /dev/shm from /) relatime,ro #\\1 $no,ro #"
# Files that are made for mounts cannot be run in ours, directories are not sticky.
known runc 's#^root: -rwxr-xr-x ([0-9]* [0-9]* 0 ./new/file)#root: -rw-r--r-- \1#'
known crun 's#^root: -rwx------ ([0-9]* [0-9]* 0 ./new/file)#root: -rw-r--r-- \1#
s#^root: drwxr-xr-t ([0-9]* [0-9]* [0-9]* ./[a-z])#root: drwxr-xr-x \1#'
# Without being told, runc makes a root a slave of the machine's, crun and we make it private.
known runc-default "s,^(mount: [^ ]* in [^ ]* from $work/[bs][^ ]* .*) master (([^ ]* ){3}as),\\1 \\2,"
# With crun all binds are.
known crun-default '' 's#^(mount: .*,r[ow]) master (([^ ]* ){3}as)#\1 \2#'

# host COMMAND...: with the machine's mounts shared, as systemd leaves them; without version 2 beside
# version 1, which crun refuses and runc does not show; and with a null device to spare, for crun
# gives that of its user namespaces, which is the machine's own, to the program's user
host() {
	unshare -m --propagation private sh -c '
		if grep -q " /sys/fs/cgroup/unified " /proc/self/mountinfo; then
			umount /sys/fs/cgroup/unified || exit
		fi
		mount -t tmpfs spare /mnt && mknod -m 666 /mnt/null c 1 3 && mount --bind /mnt/null /dev/null &&
		umount -l /mnt && mount --make-rshared / && exec "$@" <>"$input"' sh "$@"
}

# launch RUNTIME: run the bundle with it; leaves view, err and rc
launch() {
	case $1 in
	credsbox) set -- "$work/program" --policy "$work/observe-$who.yaml" ;;
	esac
	set -- "$@" --root "$state/${1##*/}" run -b "$work/same" "$id"
	if [ "$who" = user ]; then
		set -- setpriv --reuid="$user_id" --regid="$user_id" --clear-groups "$@"
	fi
	[ -z "$writable" ] || own_root same
	input=/dev/null
	export input
	if [ -n "$terminal" ]; then
		input=$work/keyboard
		echo "exec $*" >terminal.sh
		set -- script -qec "sh terminal.sh" /dev/null
	fi
	(
		[ -z "$ignored" ] || trap '' "$ignored"
		host "$@" >view 2>err
	)
	rc=$?
	if [ -n "$writable" ]; then
		(cd "$work/same/rootfs" && find . | sort | xargs stat -c 'root: %A %u %g %s %n')
		rm -rf "${work:?}/same/rootfs"
	fi >made
	{
		awk -f "$work/plain.awk" "$work/namespaces" view
		cat made
		echo "exit: $rc"
	} | sort
}

# plain RULES FILE: the view without what is known to be different
plain() {
	if [ "$(jq .linux.rootfsPropagation "$work/same/config.json")" = null ]; then
		sed -E -f "$work/$1.sed" -f "$work/$1-default.sed" "$2"
	else
		sed -E -f "$work/$1.sed" "$2"
	fi | sort >"$2.plain"
}

# prepare JQ-FILTER: the bundle
prepare() {
	bundle same ".ociVersion = \"1.0.2\" | $always | $1 |
		.process.args = [\"/bin/sh\", \"-c\", $(printf %s "$view" | jq -Rs .)]"
}

# same SENTENCE [JQ-FILTER]: under each of $peers
same() {
	prepare "${2:-.}"
	launch credsbox >ours
	cp err ours.err
	for peer in $peers; do
		launch "$peer" >theirs
		plain "ours-$peer" ours
		plain "$peer" theirs
		diff theirs.plain ours.plain >out
		status=$?
		{ sed 's/^/ours: /' ours.err; sed "s/^/$peer: /" err; } >err.both
		mv err.both err
		grep -q '^exit: 7$' theirs.plain && [ $status -eq 0 ]
		ok "$who: $peer: $1" $?
	done
}

# unless PEER REASON: the next bundles are not for this one
unless() {
	peers=$(echo "$peers" | sed "s/ $1//")
	echo "# not $1: $2"
}

root_bundles() {
	same "a plain bundle"
	writable=yes
	same "a bundle with next to nothing in it" \
		'del(.mounts[1:], .hostname, .linux.resources, .linux.maskedPaths, .linux.readonlyPaths,
		.process.capabilities, .process.rlimits, .process.noNewPrivileges)'
	same "mount points are made in a root that can be written to" '.mounts += [
		{destination: "/new/dir", type: "bind", source: "'"$work"'/things", options: ["bind"]},
		{destination: "/new/file", type: "bind", source: "'"$work"'/things/file", options: ["bind", "ro"]},
		{destination: "/made", type: "tmpfs", source: "made", options: ["size=1m"]}]'
	same "a working directory that is missing is made" '.process.cwd = "/not/there/yet"'
	same "a root without mounts on /dev and /sys" '.mounts |= map(select(.destination == "/proc"))'
	same "what is below a tmpfs is copied up" '.mounts += [{destination: "/etc", type: "tmpfs", source: "d",
		options: ["tmpcopyup"]}]'
	writable=''
	same "a working directory that another user owns" \
		'.process.cwd = "/home/ada" | .process.user = {uid: 1000, gid: 1000}'
	same "options of tmpfs" '.mounts += [
		{destination: "/tmp", type: "tmpfs", source: "a",
			options: ["noexec", "nosuid", "mode=1770", "size=1m"]},
		{destination: "/root", type: "tmpfs", source: "b", options: ["ro", "strictatime", "uid=7,gid=8"]},
		{destination: "/home", type: "tmpfs", source: "c", options: ["noatime", "nodev", "nr_inodes=9"]},
		{destination: "/etc", type: "tmpfs", source: "d", options: ["nodiratime", "dirsync", "sync"]}]'
	same "options of binds" '.mounts += [
		{destination: "/tmp", type: "bind", source: "'"$work"'/things", options: ["bind", "ro", "nosuid"]},
		{destination: "/root", source: "'"$work"'/things", options: ["bind", "noexec", "nodev", "noatime"]},
		{destination: "/home/ada", type: "none", source: "../things", options: ["rbind", "rw"]},
		{destination: "/etc/group", type: "bind", source: "'"$work"'/things/file", options: ["rbind", "ro"]}]'
	unless crun "its mounts are private"
	same "propagation of binds" '.mounts += [
		{destination: "/tmp", type: "bind", source: "'"$work"'/things", options: ["rbind", "rshared"]},
		{destination: "/root", type: "bind", source: "'"$work"'/things", options: ["rbind", "rslave"]},
		{destination: "/home/ada", type: "bind", source: "'"$work"'/things", options: ["bind", "private"]},
		{destination: "/etc", type: "bind", source: "'"$work"'/things", options: ["bind", "unbindable"]}]
		| .linux.rootfsPropagation = "rslave"'
	peers=$runtimes
	same "a bind with all that is mounted below it, read-only" '.mounts += [
		{destination: "/tmp", type: "bind", source: "/dev", options: ["rbind", "ro"]},
		{destination: "/root", type: "bind", source: "/dev", options: ["bind", "ro"]}]'
	for kind in private rprivate; do
		same "root propagation $kind" ".linux.rootfsPropagation = \"$kind\""
	done
	unless crun "its root is private"
	for kind in slave rslave; do
		same "root propagation $kind" ".linux.rootfsPropagation = \"$kind\""
	done
	peers=$runtimes
	unless runc "its root is private, and unbindable is not possible"
	for kind in shared rshared unbindable; do
		same "root propagation $kind" ".linux.rootfsPropagation = \"$kind\""
	done
	peers=$runtimes
	same "masked and read-only paths" '.linux.maskedPaths += ["/etc/passwd", "/home", "/none", "/proc/version"]
		| .linux.readonlyPaths = ["/proc/sys", "/dev/shm", "/tmp", "/not"]'
	same "no masked and no read-only paths" '.linux.maskedPaths = [] | .linux.readonlyPaths = []'
	same "limits" '.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 99, hard: 512},
		{type: "RLIMIT_CORE", soft: 0, hard: 0}, {type: "RLIMIT_STACK", soft: 4194304, hard: 4194304},
		{type: "RLIMIT_NPROC", soft: 500, hard: 500}, {type: "RLIMIT_CPU", soft: 100, hard: 200},
		{type: "RLIMIT_AS", soft: 1073741824, hard: 2147483648}]'
	same "no limits" 'del(.process.rlimits)'
	same "all kinds of capability sets" '.process.capabilities = {
		bounding: ["CAP_CHOWN", "CAP_KILL", "CAP_SYS_CHROOT", "CAP_MKNOD"],
		permitted: ["CAP_CHOWN", "CAP_KILL", "CAP_SYS_CHROOT"], effective: ["CAP_CHOWN", "CAP_SYS_CHROOT"],
		inheritable: ["CAP_CHOWN", "CAP_SYS_CHROOT"], ambient: ["CAP_SYS_CHROOT"]}'
	same "ambient capabilities of an ordinary user" '.process.user = {uid: 1000, gid: 1000} |
		.process.capabilities |= {bounding: .bounding, permitted: .bounding, effective: .bounding,
		inheritable: .bounding, ambient: ["CAP_NET_BIND_SERVICE"]}'
	same "an ordinary user without ambient capabilities" '.process.user = {uid: 1000, gid: 1000}'
	same "no capabilities at all" '.process.capabilities = {bounding: [], effective: [], permitted: []}'
	same "capabilities to make devices and namespaces" '.process.noNewPrivileges = false |
		.process.capabilities[] = ["CAP_MKNOD", "CAP_SYS_ADMIN", "CAP_SYS_CHROOT", "CAP_CHOWN", "CAP_NET_ADMIN"]'
	same "new privileges" '.process.noNewPrivileges = false'
	same "ids, additional groups and umask" \
		'.process.user = {uid: 1234, gid: 5678, additionalGids: [5, 10, 999], umask: 63}'
	same "additional groups of root" '.process.user = {uid: 0, gid: 0, additionalGids: [0, 1000]}'
	same "variables twice, empty and odd" '.process.env = ["PATH=/bin",
		 "A=1", "B=", "A=2", "C=a b", "D= \"", "E=\u00e9"]'
	same "HOME that is given" '.process.env += ["HOME=/somewhere"]'
	same "HOME of a user that has one" '.process.user = {uid: 1000, gid: 1000}'
	same "HOME of a user that has none" '.process.user = {uid: 77, gid: 77}'
	same "no variables" 'del(.process.env)'
	same "devices" '.linux.devices = [
		{path: "/dev/odd", type: "c", major: 1, minor: 5, fileMode: 384, uid: 7, gid: 8},
		{path: "/dev/deep/er", type: "c", major: 10, minor: 229, fileMode: 438},
		{path: "/dev/disk", type: "b", major: 7, minor: 0, fileMode: 432, gid: 6},
		{path: "/dev/pipe", type: "p", fileMode: 384, uid: 1000, gid: 1000}]'
	same "rules for devices" '.linux.resources.devices = [{allow: false, access: "rwm"},
		{allow: true, type: "c", major: 10, minor: 229, access: "rw"},
		{allow: true, type: "b", major: 7, access: "r"}]'
	same "the name of the host" '.hostname = "other"'
	unless runc "it does not know of domains"
	same "names of host and domain" '.hostname = "other" | .domainname = "example.org"'
	peers=$runtimes
	same "sysctls" '.linux.sysctl = {"kernel.shm_rmid_forced": "1", "net.ipv4.ip_unprivileged_port_start": "80",
		"fs.mqueue.msg_max": "11", "kernel.sem": "32000	1024000000	500	32000"}'
	same "a small seccomp profile" '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [
		{names: ["chroot", "unshare"], action: "SCMP_ACT_ERRNO", errnoRet: 99},
		{names: ["mknod", "mknodat"], action: "SCMP_ACT_ERRNO"}]}'
	if [ -f /usr/share/containers/seccomp.json ]; then
		jq -c '{defaultAction, defaultErrnoRet, architectures: ["SCMP_ARCH_X86_64"],
			syscalls: [.syscalls[] | select((.includes.caps | length) == 0 and
			((.includes.arches // ["amd64"]) | index("amd64"))) | {names, action} +
			(if .errnoRet then {errnoRet} else {} end) + (if .args then {args} else {} end)]}' \
			/usr/share/containers/seccomp.json >profile.json
		same "the profile of podman" ".linux.seccomp = $(cat profile.json)"
	else
		skip "the profile of podman" "it is not here (package golang-github-containers-common)"
	fi
	same "a user namespace" "$mapped"
	same "a user namespace with other ids" "$mapped"' | .process.user = {uid: 1000, gid: 1000, additionalGids: [5]}
		| .process.capabilities.ambient = ["CAP_KILL"] | .process.capabilities.inheritable = ["CAP_KILL"]'
	same "joined namespaces" ".linux.namespaces |= map(if .type == \"network\" or .type == \"ipc\" or
		.type == \"uts\" then .path = \"/proc/$holder/ns/\" + (if .type == \"network\" then \"net\" else .type end)
		else . end) | del(.hostname)"
	same "the namespaces of the host" '.linux.namespaces = [{type: "mount"}, {type: "pid"}] | del(.hostname)'
	same "all processes of the host" '.linux.namespaces |= map(select(.type != "pid"))'
	same "a control group namespace" '.linux.namespaces += [{type: "cgroup"}]'
	same "a path of control groups" ".linux.cgroupsPath = \"/$tag-groups\""
	same "limits of control groups" '.linux.resources += {memory: {limit: 67108864, reservation: 33554432},
		pids: {limit: 50}, cpu: {shares: 512, quota: 50000, period: 100000, cpus: "0"}}'
	ignored=PIPE
	same "a signal that the caller ignores"
	ignored=''
	same "a score for being killed" '.process.oomScoreAdj = 321'
	terminal=yes
	same "a terminal" '.process.terminal = true'
	unless runc "it sets the size of its own terminal"
	same "a terminal of a certain size for another user" '.process.terminal = true |
		.process.consoleSize = {height: 33, width: 111} | .process.user = {uid: 1000, gid: 1000}'
	terminal=''
	unless runc "it does not know of personalities; and neither knows of time namespaces"
	same "a personality" '.linux.personality = {domain: "LINUX32"}'
	peers=$runtimes
}

# Without control groups of their own, containers of ordinary users see none with us, and those of the
# caller elsewhere: their bundles do not ask for them.
user_bundles() {
	always='del(.mounts[] | select(.type == "cgroup"))'
	same "a plain bundle"
	same "binds and tmpfs" '.mounts += [
		{destination: "/tmp", type: "tmpfs", source: "a",
			options: ["noexec", "nosuid", "mode=1770", "size=1m"]},
		{destination: "/root", source: "'"$work"'/things", options: ["bind", "noexec", "nodev", "ro"]},
		{destination: "/etc/group", type: "bind", source: "'"$work"'/things/file", options: ["rbind", "ro"]}]'
	same "a network namespace and a new sysfs" '.linux.namespaces += [{type: "network"}] | .mounts |= map(
		if .destination == "/sys" then
			.type = "sysfs" | .source = "sysfs" | .options = ["nosuid", "ro"]
		else . end)'
	same "masked and read-only paths" '.linux.maskedPaths += ["/etc/passwd", "/home", "/proc/version"] |
		.linux.readonlyPaths = ["/proc/sys", "/proc/bus"]'
	same "limits, a score, and a mask of modes" '.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 99, hard: 512},
		{type: "RLIMIT_CORE", soft: 0, hard: 0}] | .process.oomScoreAdj = 500 | .process.user.umask = 63'
	same "capabilities" '.process.capabilities[] = ["CAP_SYS_CHROOT", "CAP_SYS_ADMIN", "CAP_CHOWN"] |
		.process.noNewPrivileges = false'
	same "ambient capabilities" '.process.capabilities |= {bounding: .bounding, permitted: .bounding,
		effective: .bounding, inheritable: .bounding, ambient: ["CAP_KILL"]}'
	same "no capabilities" '.process.capabilities = {bounding: [], effective: [], permitted: []}'
	same "variables" '.process.env += ["A=1", "B=", "A=2", "HOME=/tmp"]'
	same "a seccomp profile" '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [
		{names: ["chroot", "unshare"], action: "SCMP_ACT_ERRNO", errnoRet: 99}]}'
	writable=yes
	same "a root that can be written to" '.process.cwd = "/not/there" | .mounts += [{destination: "/new/file",
		type: "bind", source: "'"$work"'/things/file", options: ["bind", "ro"]}]'
	writable=''
	terminal=yes
	same "a terminal" '.process.terminal = true'
	terminal=''
}

# control: what is not the same is seen, whatever the rules above take away
control() {
	prepare .
	launch credsbox >first
	prepare '.process += {env: ["PATH=/bin", "A=2"], cwd: "/tmp", oomScoreAdj: 9} | .hostname = "other" |
		.process.user = {uid: 1, gid: 1, umask: 0} | .process.rlimits = [] | .process.capabilities.bounding = []
		| .linux.namespaces |= map(select(.type != "network")) | .linux.personality = {domain: "LINUX32"} |
		.mounts[1].options += ["noexec"] | .linux.cgroupsPath = "/'"$tag-other"'" |
		.linux.devices = [{path: "/dev/x", type: "c", major: 1, minor: 3}] |
		.linux.resources.pids = {limit: 9} | .linux.readonlyPaths = [] |
		.linux.sysctl = {"kernel.shm_rmid_forced": "1"}'
	launch credsbox >second
	for peer in $runtimes; do
		plain "ours-$peer" first
		plain "ours-$peer" second
		diff first.plain second.plain | sed -n 's/^> \([^:]*\):.*/\1/p' | sort -u >out
		rc=0
		for section in cgroup cwd dev env id kernel/hostname kernel/shm_rmid_forced limits link mount ns \
			oom_score_adj personality pids/pids.max status; do
			grep -qxF $section out || rc=1
		done
		ok "the rules for $peer leave all that is to be seen" $rc
	done
}

writable='' terminal='' ignored='' always=.
mkfifo "$work/keyboard"
mkdir "$work/things"
echo thing >"$work/things/file"
chmod -R a+rX "$work/things"
mapped='.linux.namespaces += [{type: "user"}] |
	.linux.uidMappings = [{containerID: 0, hostID: 100000, size: 65536}] |
	.linux.gidMappings = .linux.uidMappings'
unshare -n -i -u sleep 120 &
holder=$!
wait_for 5 grep -q sleep "/proc/$holder/comm"
host_namespaces joined "$holder" >of-holder
grep -vFf "$work/namespaces" of-holder >new
cat new >>"$work/namespaces"
for person in root user; do
	as "$person"
	sed "s|file:.*|file: $state/audit.jsonl|" "$top_srcdir/contrib/policies/observe.yaml" \
		>"$work/observe-$who.yaml"
	peers=$runtimes
	"${who}_bundles"
	[ "$who" = user ] || control
done
kill "$holder"
finish_boxes
