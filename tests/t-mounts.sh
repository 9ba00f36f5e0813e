#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is mounted in a container, as root and as an ordinary user: options, places, masks, devices.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

# mounts JSON SCRIPT [FILTER]: run SCRIPT in a root of its own with these mounts behind those of `spec`
mounts() {
	bundle m "${3:-.} | .mounts += $1 | .process.args = [\"/bin/sh\", \"-c\", $(printf %s "$2" | jq -Rs .)]"
	own_root m
	mkdir "$work/m/rootfs/new" "$work/m/rootfs/old" "$work/m/data"
	echo in >"$work/m/data/file"
	echo copied >"$work/m/rootfs/old/file"
	chmod 1750 "$work/m/rootfs/old"
	ln -s /new/target "$work/m/rootfs/dangling"
	ln -s ../../../../new "$work/m/rootfs/up"
	ln -s new/none/file "$work/m/rootfs/dangling-file"
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown -Rh $user_id:$user_id "$work/m/rootfs" "$work/m/data"
	box run -b "$work/m" "$tag-m"
}

# at PLACE REGEX SENTENCE: the last mount there has such a line: "OPTIONS [TAG...] - TYPE SOURCE SUPER"
at() {
	awk -v place="$1" '$5 == place { $1 = $2 = $3 = $4 = $5 = ""; line = $0 } END { print line }' out |
		sed 's/^ *//' >line
	grep -qE -- "$2" line
	ok "$who: $3" $?
}

options() {
	t='destination: "/new/X", type: "tmpfs", source: "tmpfs", options:'
	list=
	for each in ro nosuid nodev noexec noatime nodiratime strictatime relatime nosymfollow sync size=64k mode=0710 \
		defaults rw,suid,dev,exec,atime,diratime silent,loud lazytime private shared slave unbindable \
		rshared rprivate nolazytime,norelatime,nostrictatime async; do
		list="$list,{$(echo "$t" | sed "s/X/$each/") [\"$(echo "$each" | sed 's/,/","/g')\"]}"
	done
	mounts "[${list#,}]" 'cat /proc/self/mountinfo; ls -ld /new/mode=0710'
	at /new/ro '^ro,' "ro is read-only"
	at /new/nosuid '^rw,nosuid,' "nosuid is set"
	at /new/nodev '^rw,nodev,' "nodev is set"
	at /new/noexec '^rw,noexec,' "noexec is set"
	at /new/noatime '^rw,noatime ' "noatime is set"
	at /new/nodiratime '^rw,(nodiratime,relatime|relatime,nodiratime|nodiratime) ' "nodiratime is set"
	at /new/strictatime '^rw - ' "strictatime leaves no mark"
	at /new/relatime '^rw,relatime - ' "relatime is set"
	at /new/nosymfollow '^rw,.*nosymfollow' "nosymfollow is set"
	at /new/sync ' rw,sync' "sync belongs to the file system"
	at /new/size=64k 'size=64k' "a size is given to the file system"
	at /new/mode=0710 'mode=710' "so is a mode"
	says_like '^drwx--x--- .*mode=0710' "which the directory then has"
	at /new/defaults '^rw,relatime ' "defaults changes nothing"
	at /new/rw,suid,dev,exec,atime,diratime '^rw,relatime ' "nor do the opposites of what is not set"
	at /new/silent,loud '^rw,relatime ' "silent and loud are taken"
	at /new/lazytime '.' "lazytime is taken"
	at /new/private '^rw,relatime - ' "a private mount has no peers"
	at /new/shared ' shared:' "a shared one has"
	at /new/slave '^rw,relatime - |master:' "slave is taken"
	at /new/unbindable ' unbindable' "unbindable is set"
	at /new/rshared ' shared:' "rshared is recursive"
	at /new/rprivate '^rw,relatime - ' "so is rprivate"
}

places() {
	mounts '[{destination: "/old", type: "tmpfs", source: "x"},
		{destination: "/new/made", type: "tmpfs", source: "x"},
		{destination: "/new/copy", type: "bind", source: "data", options: ["bind"]},
		{destination: "/new/one", type: "bind", source: "data/file", options: ["bind", "ro"]},
		{destination: "/new/deep/er/dir", type: "bind", source: "data", options: ["rbind", "ro"]},
		{destination: "/dangling", type: "bind", source: "data", options: ["bind"]},
		{destination: "/up/x", type: "bind", source: "data", options: ["bind"]},
		{destination: "/dangling-file", type: "bind", source: "data/file", options: ["bind"]},
		{destination: "/../../new/dots", type: "bind", source: "./data/../data", options: ["bind"]},
		{destination: "new/relative", type: "bind", source: "data", options: ["bind"]},
		{destination: "/new/copyup", type: "tmpfs", source: "x"},
		{destination: "/home", type: "tmpfs", source: "x", options: ["mode=0701"]}]' '
		stat -c "%a %n" /old /new/made /new/copy /home /new/deep /new/one
		cat /new/copy/file /new/one /new/deep/er/dir/file; cat /new/target/file >/dev/null && echo dangling
		cat /new/x/file >/dev/null && echo up; cat /new/none/file >/dev/null && echo link to a file
		cat /new/dots/file >/dev/null && echo dots; cat /new/relative/file >/dev/null && echo relative
		echo more >/new/copy/written && echo written
		echo x >/new/one || echo one is read-only; echo x >/new/deep/er/dir/x || echo dir is read-only'
	says '1750 /old' "a tmpfs has the mode of the directory that it covers"
	says '1777 /new/made' "a tmpfs in a new place has mode 1777"
	says '701 /home' "a mode that is given wins"
	says '755 /new/deep' "directories on the way have mode 755"
	[ "$(grep -cx in out)" -eq 3 ]
	ok "$who: a bind's source is relative to the bundle, and may be a directory or a file" $?
	says dangling "a place may be a link that leads nowhere yet"
	says up "a link that leads up stays in the root"
	says "link to a file" "a link to a file that is not there is made too"
	says dots "a place with dots stays in the root"
	says relative "a relative place begins at the root"
	says written "a bind can be written to"
	[ "$(cat "$work/m/data/written")" = more ] && [ ! -e "$work/new" ] && [ ! -e "/new" ]
	ok "$who: what is written is in the source, and nothing was made outside" $?
	says "one is read-only" "a read-only bind of a file is read-only"
	says "dir is read-only" "a read-only bind of a directory is read-only"
	grep -q 'Read-only file system' err
	ok "$who: and that is what the kernel says" $?
}

orders() {
	mounts "$(printf '[{destination: "/new/a", type: "tmpfs", source: "x", options: ["mode=755"]},
		{destination: "/new/a/b", type: "tmpfs", source: "x", options: ["mode=755"]},
		{destination: "/new/ro", type: "bind", source: "%s", options: ["rbind", "ro"]},
		{destination: "/new/rro", type: "bind", source: "%s", options: ["rbind", "rro"]},
		{destination: "/new/flat", type: "bind", source: "%s", options: ["bind"]},
		{destination: "/new/noexec", type: "bind", source: "%s", options: ["rbind", "rnoexec", "rnosuid", "rnodev"]},
		{destination: "/new/over", type: "tmpfs", source: "one"}, {destination: "/new/over", type: "tmpfs", source: "two"},
		{destination: "/new/again", type: "tmpfs", source: "x"},
		{destination: "/new/again", type: "bind", source: "none", options: ["remount", "bind", "ro", "nosuid"]},
		{destination: "/old", type: "tmpfs", source: "x", options: ["tmpcopyup", "ro"]}]' \
		"$work/m/rootfs/new/a" "$work/m/rootfs/new/a" "$work/m/rootfs/new/a" "$work/m/rootfs/new/a")" \
		'cat /proc/self/mountinfo; cat /old/file; stat -c "%a %n" /old'
	at /new/ro '^ro,' "a source may be inside an earlier mount"
	at /new/ro/b '^rw,' "ro is not recursive"
	at /new/rro/b '^ro,' "rro is"
	[ -z "$(awk '$5 == "/new/flat/b"' out)" ]
	ok "$who: bind takes no mounts below, rbind does" $?
	at /new/noexec/b 'nosuid,nodev,noexec' "other recursive options are recursive too"
	at /new/over ' - tmpfs two' "mounts are made in their order"
	at /new/again '^ro,nosuid' "remount changes flags"
	says copied "tmpcopyup copies what is covered"
	at /old '^ro,' "also where the copy is read-only"
	says '1750 /old' "and the directory's mode"
}

from_spec() {
	mounts '[]' 'cat /proc/self/mountinfo; stat -c "%a %n" /dev /dev/shm /dev/mqueue /dev/pts/ptmx; ls /dev/shm'
	at /proc ' - proc proc' "/proc is mounted"
	at /sys '^ro,' "/sys is read-only"
	at /dev ' - tmpfs ' "/dev is a tmpfs"
	at /dev/pts ' - devpts ' "/dev/pts is mounted"
	at /dev/shm '^rw,nosuid,nodev,noexec' "/dev/shm has its flags"
	at /dev/mqueue ' - mqueue ' "/dev/mqueue is mounted"
	says '1777 /dev/shm' "/dev/shm is for all"
	says '666 /dev/pts/ptmx' "terminals can be opened"
	[ "$who" = root ] || return
	at /dev/pts 'gid=5' "terminals belong to group 5"
	at /sys/fs/cgroup '^ro,' "the control groups are read-only"
	[ -z "$(awk '$5 ~ "^/sys/fs/cgroup/" && $6 !~ "^ro,"' out)" ]
	ok "$who: each of them" $?
}

# A bundle for root in the hands of somebody else: the policy makes a user namespace.
of_root() {
	who=root bundle m '.process.args = ["/bin/cat", "/proc/self/mountinfo"]'
	box run -b "$work/m" "$tag-m"
	[ $rc -eq 0 ] && awk '$5 == "/dev/pts"' out | grep -q devpts && ! awk '$5 == "/dev/pts"' out | grep -q gid=5
	ok "$who: a bundle for root runs, without the terminals' group that is not mapped" $?
}

masks() {
	mounts '[]' 'cat /new/file && echo shown; ls -A /old; echo x >/new/file || echo not written; echo x >/old/x || echo not made
		umount /new/file 2>/dev/null || echo stays; cat /proc/self/mountinfo; echo x >/home/ada/x || echo home is read-only
		cat /proc/kcore | wc -c; echo 1 >/proc/sys/vm/swappiness || echo sys is read-only; cat /etc/group >/dev/null && echo on' \
		'.linux.maskedPaths += ["/new/file", "/old", "/none", "/new/file"] | .linux.readonlyPaths += ["/home/ada", "/none"]
		| .process.capabilities |= map_values(. + ["CAP_SYS_ADMIN"])
		| .mounts += [{destination: "/new", type: "bind", source: "data", options: ["bind"]}]'
	! grep -qx -e in -e file out
	ok "$who: a masked file is empty, and so is a masked directory" $?
	says shown "it can be read all the same"
	says "not made" "nothing can be made in a masked directory"
	says stays "a mask cannot be taken away"
	says "home is read-only" "a read-only path is read-only"
	says 0 "/proc/kcore is masked"
	says "sys is read-only" "/proc/sys is read-only"
	at /old '^ro,.* tmpfs' "the mask of a directory is a read-only tmpfs"
	says on "what is not masked is there"
	mounts '[]' 'touch /x || echo no; touch /new/x || echo no; touch /dev/x && echo dev' '.'
	grep -qx dev out && ! grep -qx no out
	ok "$who: a root that is not read-only can be written to" $?
	bundle m '.process.args = ["/bin/sh", "-c", "touch /x; touch /dev/shm/x && echo shm; cat /proc/self/mountinfo"]'
	box run -b "$work/m" "$tag-m"
	at / '^ro,' "a read-only root is read-only"
	says shm "but not what is mounted in it"
	grep -q 'Read-only file system' err
	ok "$who: as the kernel says" $?
}

devices() {
	mounts '[]' 'ls -l /dev | sed "s/  */ /g"; for d in null zero full random urandom tty; do stat -c "%a %t:%T %n" /dev/$d; done
		echo x >/dev/null && echo null; head -c 2 /dev/zero | wc -c; head -c 2 /dev/urandom | wc -c; readlink /dev/ptmx'
	for each in null=1:3 zero=1:5 full=1:7 random=1:8 urandom=1:9 tty=5:0; do
		says "666 ${each#*=} /dev/${each%=*}" "/dev/${each%=*} is there for all"
	done
	says null "/dev/null takes what is written"
	[ "$(grep -cx 2 out)" -eq 2 ]
	ok "$who: /dev/zero and /dev/urandom can be read" $?
	for each in 'fd -> /proc/self/fd' 'stdin -> /proc/self/fd/0' 'stdout -> /proc/self/fd/1' 'stderr -> /proc/self/fd/2'; do
		says_like " $each\$" "/dev/$each"
	done
	says pts/ptmx "/dev/ptmx leads to pts/ptmx"
	mounts '[]' true '.linux.devices = [{path: "/dev/x", type: "z", major: 1, minor: 3}]'
	fails 'linux[.]devices\[0\][.]type' "a device of a type that there is not is refused"
	mounts '[]' true '.linux.devices = [{path: "dev/x", type: "c", major: 1, minor: 3}]'
	fails 'linux[.]devices\[0\][.]path' "a device's path that is not absolute is refused"
	mounts '[]' 'stat -c "%a %u %F %t:%T" /dev/dir/mine; echo x >/dev/dir/mine && echo mine' \
		'.linux.devices = [{path: "/dev/dir/mine", type: "c", major: 1, minor: 3, fileMode: 416, uid: 0, gid: 0}]
		| if .linux.resources then .linux.resources.devices += [{allow: true, type: "c", major: 1, minor: 3, access: "rwm"}] else . end'
	if [ "$who" = root ]; then
		says_like 'character special file 1:3$' "a device of the bundle has its numbers"
		says mine "it can be used"
		mounts '[]' 'stat -c "%a %u:%g %t:%T" /dev/a /dev/b; echo x >/dev/a && cat /dev/b && echo null' \
			'.linux.devices = [{path: "/dev/a", type: "c", major: 1, minor: 3, fileMode: 418, uid: 10, gid: 11},
			{path: "/dev/b", type: "c", major: 1, minor: 3}, {path: "/dev/c", type: "c", major: 240, minor: 77}]'
		expect 0 "642 10:11 1:3
666 0:0 1:3
null" "" "$who: modes and owners of devices are the bundle's, and the host need not have them"
		mounts '[]' 'stat -c "%a %u:%g" /dev/a; echo x >/dev/a && echo mine' '.linux.devices = [{path: "/dev/a", type: "c",
			major: 1, minor: 3, fileMode: 384, uid: 0, gid: 6}] | .linux.namespaces += [{type: "user"}]
			| .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 1000}] | .linux.gidMappings = .linux.uidMappings'
		expect 0 "600 0:6
mine" "" "$who: also where the ids are others"
		mounts '[]' 'stat -c "%F %a" /dev/pipe' '.linux.devices = [{path: "/dev/pipe", type: "p", fileMode: 384}]'
		says 'fifo 600' "a fifo is a device too"
		mounts '[]' 'cat </dev/denied' '.linux.devices = [{path: "/dev/denied", type: "c", major: 1, minor: 11}]'
		[ $rc -ne 0 ] && grep -q 'Operation not permitted' err
		ok "$who: a device that the control group denies cannot be opened" $?
		mounts '[]' true '.linux.devices = [{path: "/etc/passwd", type: "c", major: 1, minor: 3}]'
		fails 'device /etc/passwd: another file is there' "a file that is there already is no device"
	else
		says mine "a device of the bundle is the host's"
	fi
}

wrong_ones() {
	mounts '[{destination: "/new/x", type: "tmpfs", source: "x", options: ["bogus"]}]' true
	fails 'error mounting /new/x.*' "an unknown option is the file system's, which refuses it"
	mounts '[{destination: "/new/x", type: "bogusfs", source: "x"}]' true
	fails 'error mounting /new/x.*no such device' "so is an unknown file system"
	mounts '[{destination: "/new/x", type: "bind", source: "none", options: ["bind"]}]' true
	fails '/mounts?.*no such file or directory|mounts\[[0-9]+\].*no such file or directory' "a source that is not there is an error"
	mounts '[{destination: "/proc/sys", type: "bind", source: "data", options: ["bind"]}]' true
	fails 'inside /proc' "nothing is mounted in /proc"
	mounts '[{destination: "/proc", type: "bind", source: "data", options: ["bind"]}]' true
	fails 'not of type proc' "nothing but a proc is mounted on /proc"
	mounts '[{destination: "/new/x", type: "bind", source: "data", options: ["bind"]},
		{destination: "/new/x", type: "bind", source: "data/file", options: ["bind"]}]' true
	fails 'is a directory' "a file is not mounted on a directory"
	mounts '[{destination: "/etc/passwd", type: "bind", source: "data", options: ["bind"]}]' true
	fails 'not a directory' "nor a directory on a file"
	mounts '[]' true '.linux.rootfsPropagation = "bogus"'
	fails 'linux[.]rootfsPropagation' "an unknown propagation is refused"
	mounts '[{destination: "", type: "tmpfs", source: "x"}]' true
	fails 'mounts\[[0-9]+\][.]destination' "a mount without a place is refused"
	bundle m '.'
	own_root m
	rm -r "$work/m/rootfs/proc"
	ln -s /tmp "$work/m/rootfs/proc"
	box run -b "$work/m" "$tag-m"
	fails 'must be mounted on ordinary directory' "/proc as a link is refused"
	bundle m '.root.path = "none"'
	box run -b "$work/m" "$tag-m"
	fails 'root.path: no such file or directory' "a root that is not there is an error"
	for each in private slave shared unbindable rprivate rslave rshared runbindable; do
		mounts '[]' 'cat /proc/self/mountinfo' ".linux.rootfsPropagation = \"$each\""
		case $each in
		*private) want='^rw,[^-]*relatime - ' ;;
		*slave) want='^rw,[^-]*( master:[0-9]+)? - ' ;;
		*shared) want=' shared:' ;;
		*) want=' unbindable' ;;
		esac
		at / "$want" "the root can be $each"
	done
}

# back ROOT MOUNT: what comes back to the host of a tmpfs that a container mounts, in a host of its own
back() {
	bundle m ".linux.rootfsPropagation = \"$1\" | .mounts += [{destination: \"/tmp\", type: \"bind\",
		source: \"$work/vol/x\", options: [\"rbind\", \"$2\"]}]
		| .process.capabilities |= map_values(. + [\"CAP_SYS_ADMIN\"])
		| .process.args = [\"/bin/sh\", \"-c\", \"mkdir /tmp/m && mount -t tmpfs t /tmp/m && sleep 100\"]"
	mkdir -p "$work/vol"
	unshare -m --propagation shared sh -c 'mount -t tmpfs tmpfs "$1/vol" && mkdir "$1/vol/x" &&
		"$1/program" --root "$2" --policy "$3" run -d -b "$1/m" "$4" </dev/null >out 2>err &&
		i=0 && until "$1/program" --root "$2" exec "$4" grep -q /tmp/m /proc/mounts 2>/dev/null ||
			[ $i = 100 ]; do sleep 0.05; i=$((i + 1)); done
		grep -c /vol/x/m /proc/self/mountinfo' back "$work" "$state" "$policy" "$tag-m"
	box delete -f "$tag-m"
}

# The nodes are the host's where the container has a user namespace, and root's there may have root's number.
host_devices() {
	before=$(stat -c '%a %u %g' /dev/full)
	inside 'chmod 600 /dev/full; chown 7:8 /dev/full; echo x >/dev/full; echo x >/dev/null && echo written'
	after=$(stat -c '%a %u %g' /dev/full)
	[ "$after" = "$before" ]
	ok "$who: nobody in a container changes a device of the host's" $?
	[ "$after" = "$before" ] || { chmod 666 /dev/full && chown 0:0 /dev/full; }
	says written "although it can be written to"
}

# Storage drivers mount for the host. Landlock would not let them, nor would they have CAP_SYS_ADMIN.
propagation() {
	with_policy 'mode: observe'
	[ "$(back rshared rshared)" = 1 ]
	ok "$who: a bundle can say twice that mounts go back to the host" $?
	[ "$(back rslave rshared)" = 0 ]
	ok "$who: they don't when the root is a slave" $?
	[ "$(back rshared rslave)" = 0 ]
	ok "$who: nor when the mount is" $?
	as root
}

# What a user namespace that the policy makes would change.
mapped() {
	mounts '[{destination: "/new/x", type: "bind", source: "data", options: ["bind"],
			uidMappings: [{containerID: 0, hostID: 1000, size: 10}], gidMappings: [{containerID: 0, hostID: 2000, size: 10}]},
		{destination: "/new/y", type: "bind", source: "data", options: ["bind", "idmap"],
			uidMappings: [{containerID: 0, hostID: 3000, size: 10}], gidMappings: [{containerID: 0, hostID: 4000, size: 10}]}]' \
		'stat -c "%u:%g" /new/x/file /new/y/file'
	expect 0 "1000:2000
3000:4000" "" "$who: a mount's ids can be mapped, each in its own way"
	mounts '[{destination: "/new/x", type: "bind", source: "data", options: ["bind"],
		uidMappings: [{containerID: 0, hostID: 1000, size: 10}]}]' true
	fails 'gidMappings|uidMappings' "mappings of users without those of groups are refused"
	with_policy 'namespaces: {user: bundle}'
	mounts '[{destination: "/new/x", type: "bind", source: "data", options: ["bind", "idmap"]}]' true
	fails 'mounts\[[0-9]+\]' "idmap without any mapping is refused"
	mounts '[]' 'stat -c "%a %u:%g %t:%T" /dev/dir/mine' \
		'.linux.devices = [{path: "/dev/dir/mine", type: "c", major: 1, minor: 3, fileMode: 416, uid: 1, gid: 2}]'
	says '640 1:2 1:3' "without a user namespace a device has the bundle's mode and owner"
}

# A user namespace that the policy makes is not to be noticed; in one that the bundle asks for, runc locks them.
access_times() {
	binds='[{destination: "/new/no", type: "bind", source: "data", options: ["bind", "noatime"]},
		{destination: "/new/strict", type: "bind", source: "data", options: ["rbind", "strictatime", "nodiratime", "nodev"]}]'
	mounts "$binds" 'cat /proc/self/mountinfo'
	at /new/no '^rw,noatime ' "a bind may have other access times than its source"
	at /new/strict '^rw,nodev,nodiratime - ' "of whatever kind"
	mounts "$binds" 'cat /proc/self/mountinfo' '.linux.namespaces += [{type: "user"}]'
	fails 'cannot change locked access times' "but not in a user namespace of the bundle's"
}

for person in $(everyone); do
	as "$person"
	host_devices
	options
	places
	orders
	from_spec
	masks
	devices
	wrong_ones
	if [ "$who" = root ]; then
		access_times
		propagation
		mapped
	elif [ "$(id -u)" = 0 ]; then
		of_root
	fi
done
finish_boxes
