#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Namespaces, as root and as an ordinary user: new ones, those of others, the host's, and clocks.
# shellcheck source=tests/cli.sh disable=SC2016,SC2086 # scripts for other shells; lists of words
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

pid_of() {
	call state "$1" </dev/null 2>/dev/null | jq .pid
}

# ns NAME [PID]: which one it is
ns() {
	readlink "/proc/${2:-self}/ns/$1"
}

# only TYPE...: the filter that leaves these namespaces
only() {
	list=
	for type in "$@"; do
		list="$list${list:+, }{type: \"$type\"}"
	done
	echo ".linux.namespaces = [$list]"
}

sleeper() { # ID FILTER
	bundle n ".process.args = [\"/bin/sleep\", \"100\"] | $2"
	box run -d -b "$work/n" "$1"
}

all_types='pid network ipc uts mount cgroup time'

new_ones() {
	with_policy 'namespaces: {user: bundle, network: bundle, pid: bundle, ipc: bundle}'
	[ "$who" = root ] || all_types="user $all_types"
	sleeper "$tag-n" "$(only $all_types)"
	expect 0 "" "" "$who: a container with all namespaces runs"
	pid=$(pid_of "$tag-n")
	for each in pid=pid network=net ipc=ipc uts=uts mount=mnt cgroup=cgroup time=time; do
		[ "$(ns "${each#*=}" "$pid")" != "$(ns "${each#*=}")" ]
		ok "$who: a new ${each%=*} namespace is new" $?
	done
	box exec "$tag-n" sh -c 'hostname; cat /proc/self/cgroup; ls /sys/class/net; ip addr show lo; ls /proc | grep -c "^[0-9]"'
	! grep -q "$tag-n" out
	ok "$who: in a cgroup namespace the group is the root" $?
	says lo "a new network has a loopback and nothing else"
	says_like 'LOOPBACK,UP' "which is up"
	box delete -f "$tag-n"
}

of_the_host() {
	if [ "$who" = root ]; then
		sleeper "$tag-n" "$(only mount) | del(.hostname) | .mounts |= map(select(.type != \"sysfs\" and .type != \"mqueue\"))"
		types='pid net ipc uts cgroup user'
	else
		sleeper "$tag-n" "$(only mount user) | del(.hostname) | .mounts |= map(select(.type != \"sysfs\" and .type != \"mqueue\" and .type != \"proc\"))
			| .linux.maskedPaths = [] | .linux.readonlyPaths = []"
		types='pid net ipc uts cgroup'
	fi
	[ "$rc" -eq 0 ]
	ok "$who: a container without other namespaces runs" $?
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		grep -q 'level=warning.*Such configuration is strongly discouraged' err
		ok "$who: nobody can be sure to kill all of it, which is a warning" $?
	fi
	pid=$(pid_of "$tag-n")
	for each in $types; do
		[ "$(ns "$each" "$pid")" = "$(ns "$each")" ]
		ok "$who: $each is the host's when the bundle does not list it" $?
	done
	box delete -f "$tag-n"
	as "$who"
	sleeper "$tag-n" '.linux.namespaces |= map(select(.type != "network"))'
	pid=$(pid_of "$tag-n")
	[ "$(ns net "$pid")" != "$(ns net)" ]
	ok "$who: but the policy makes a network where there is none" $?
	[ "$(ns user "$pid")" != "$(ns user)" ]
	ok "$who: and a user namespace" $?
	awk '$1 == 0 && $3 == 1 {one = 1} END {exit !(one || NR == 1)}' "/proc/$pid/uid_map"
	ok "$who: in which there are ids" $?
	box delete -f "$tag-n"
}

joined() {
	with_policy 'namespaces: {user: bundle, network: bundle, pid: bundle, ipc: bundle}'
	sleeper "$tag-a" "$(only pid network ipc uts mount cgroup) | .hostname = \"first\""
	a=$(pid_of "$tag-a")
	for each in pid=pid network=net ipc=ipc uts=uts cgroup=cgroup; do
		sleeper "$tag-b" "$(only mount) | .linux.namespaces += ([\"pid\", \"network\", \"ipc\", \"uts\"] - [\"${each%=*}\"] | map({type: .}))
			+ [{type: \"${each%=*}\", path: \"/proc/$a/ns/${each#*=}\"}]
			| del(.hostname)"
		[ "$rc" -eq 0 ] && [ "$(ns "${each#*=}" "$(pid_of "$tag-b")")" = "$(ns "${each#*=}" "$a")" ]
		ok "$who: another container's ${each%=*} namespace can be joined" $?
		box delete -f "$tag-b"
	done
	bundle n "$(only mount pid) | .linux.namespaces += [{type: \"uts\", path: \"/proc/$a/ns/uts\"},
		{type: \"ipc\", path: \"/proc/$a/ns/ipc\"}, {type: \"network\", path: \"/proc/$a/ns/net\"}]
		| del(.hostname) | .process.args = [\"/bin/hostname\"]"
	box run -b "$work/n" "$tag-b"
	expect 0 first "" "$who: as containers of a pod do"
	bundle n "$(only mount ipc uts network) | .linux.namespaces += [{type: \"pid\", path: \"/proc/$a/ns/pid\"}]
		| .process.args = [\"/bin/sh\", \"-c\", \"echo \$\$; ps | grep -c '[s]leep 100'\"]"
	box run -b "$work/n" "$tag-b"
	[ "$rc" -eq 0 ] && [ "$(head -n 1 out)" -gt 1 ] && [ "$(tail -n 1 out)" -eq 1 ]
	ok "$who: in another's pid namespace it sees the other, and is not the first" $?
	box run -d -b "$work/n" "$tag-b"
	is_status "$tag-a" running
	ok "$who: whose end is not the other's" $?
	box delete -f "$tag-b"
	mkdir -p "$work/pinned"
	: >"$work/pinned/net"
	if mount --bind "/proc/$a/ns/net" "$work/pinned/net" 2>/dev/null; then
		sleeper "$tag-b" "$(only mount pid ipc uts) | .linux.namespaces += [{type: \"network\", path: \"$work/pinned/net\"}]"
		[ "$(ns net "$(pid_of "$tag-b")")" = "$(ns net "$a")" ]
		ok "$who: a namespace may be a file that it is bound to" $?
		box delete -f "$tag-b"
		umount "$work/pinned/net"
	fi
	box delete -f "$tag-a"
}

# A user namespace of another, with process ids of its own: what pods with shared users are.
users() {
	with_policy 'namespaces: {user: bundle, network: bundle, pid: bundle, ipc: bundle}'
	if [ "$who" = root ]; then
		maps='.linux.uidMappings = [{containerID: 0, hostID: 100000, size: 1000}] | .linux.gidMappings = [{containerID: 0, hostID: 200000, size: 1000}]'
	else
		maps=.
	fi
	sleeper "$tag-a" "$(only user pid network ipc uts mount) | $maps"
	expect 0 "" "" "$who: a container with a user namespace runs"
	a=$(pid_of "$tag-a")
	if [ "$who" = root ]; then
		[ "$(tr -s ' ' <"/proc/$a/uid_map")" = " 0 100000 1000" ] && [ "$(tr -s ' ' <"/proc/$a/gid_map")" = " 0 200000 1000" ]
		ok "$who: its ids are mapped as the bundle says" $?
		[ "$(stat -c %u "/proc/$a")" = 100000 ]
		ok "$who: and its root is that user of the host" $?
	fi
	bundle n "$(only mount pid ipc uts) | .linux.namespaces += [{type: \"user\", path: \"/proc/$a/ns/user\"}, {type: \"network\", path: \"/proc/$a/ns/net\"}]
		| del(.linux.uidMappings, .linux.gidMappings) | .process.args = [\"/bin/sh\", \"-c\", \"id -u; echo \$\$; readlink /proc/self/ns/user\"]"
	box run -b "$work/n" "$tag-b"
	expect 0 "0
1
$(ns user "$a")" "" "$who: another's user namespace can be joined, with new process ids"
	box delete -f "$tag-a"
	sleeper "$tag-a" "$(only user mount pid) | del(.hostname, .linux.uidMappings, .linux.gidMappings) | .mounts |= map(select(.type != \"mqueue\" and .type != \"sysfs\"))"
	if [ "$who" = root ]; then
		[ "$rc" -eq 0 ] || grep -q 'uidMappings' err
	else
		[ "$rc" -eq 0 ]
	fi
	ok "$who: a user namespace without mappings gets some, or is an error that says so" $?
	box delete -f "$tag-a"
}

clocks() {
	with_policy 'namespaces: {user: bundle, network: bundle, pid: bundle, ipc: bundle}'
	types='pid network ipc uts mount time'
	[ "$who" = root ] || types="user $types"
	bundle n "$(only $types) | .linux.timeOffsets = {monotonic: {secs: 7777, nanosecs: 5}, boottime: {secs: 1000000}}
		| .process.args = [\"/bin/sh\", \"-c\", \"cat /proc/self/timens_offsets | tr -s ' \\t' ' '; cut -d. -f1 /proc/uptime\"]"
	box run -b "$work/n" "$tag-n"
	says 'monotonic 7777 5' "the monotonic clock is ahead as the bundle says"
	says 'boottime 1000000 0' "so is the time since the start"
	[ "$(tail -n 1 out)" -ge 1000000 ]
	ok "$who: which programs see" $?
	if [ "$who" = root ]; then
		bundle n "$(only user $types) | .linux.timeOffsets = {monotonic: {secs: 8888}}
			| .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 1000}]
			| .linux.gidMappings = [{containerID: 0, hostID: 200000, size: 1000}]
			| .process.oomScoreAdj = 444 | .process.args = [\"/bin/cat\", \"/proc/self/timens_offsets\", \"/proc/self/oom_score_adj\"]"
		box run -b "$work/n" "$tag-n"
		says_like '^monotonic +8888 +0$' "also where the ids are those of others"
		says 444 "who can be given a score for being killed as well"
	fi
	bundle n '.linux.timeOffsets = {monotonic: {secs: 1}}'
	box run -b "$work/n" "$tag-n"
	fails 'timeOffsets' "offsets without a namespace are refused"
}

wrong_ones() {
	with_policy 'namespaces: {user: bundle, network: bundle, pid: bundle, ipc: bundle}'
	bundle n '.linux.namespaces += [{type: "pid"}]'
	box run -b "$work/n" "$tag-n"
	fails 'linux[.]namespaces\[[0-9]+\]' "a type that is there twice is refused"
	bundle n '.linux.namespaces += [{type: "bogus"}]'
	box run -b "$work/n" "$tag-n"
	fails 'linux[.]namespaces\[[0-9]+\][.]type' "an unknown type is refused"
	bundle n '.linux.namespaces |= map(select(.type != "uts")) + [{type: "uts", path: "/proc/self/ns/ipc"}]'
	box run -b "$work/n" "$tag-n"
	fails '[Nn]amespace' "a path of another type is an error"
	bundle n '.linux.namespaces |= map(select(.type != "uts")) + [{type: "uts", path: "/etc/passwd"}]'
	box run -b "$work/n" "$tag-n"
	fails '[Nn]amespace' "so is one that is no namespace"
	bundle n '.linux.namespaces |= map(select(.type != "uts")) + [{type: "uts", path: "/no/such"}]'
	box run -b "$work/n" "$tag-n"
	fails 'no such file or directory' "and one that is not there"
	bundle n '.linux.namespaces |= map(select(.type != "uts")) + [{type: "uts", path: "relative"}]'
	box run -b "$work/n" "$tag-n"
	fails 'linux[.]namespaces\[[0-9]+\][.]path' "a relative path is refused"
	bundle n '.linux.namespaces |= map(select(.type != "mount")) | .process.args = ["/bin/readlink", "/proc/self/ns/mnt"]'
	box run -b "$work/n" "$tag-n"
	[ "$rc" -eq 0 ] && [ "$(cat out)" != "$(ns mnt)" ]
	ok "$who: mounts are never made in the host's namespace" $?
	if [ "$who" = root ]; then
		bundle n '.linux.namespaces |= map(select(.type != "mount")) | .process.args = ["/bin/ls", "/proc"]'
		with_policy 'mode: observe'
		box run -b "$work/n" "$tag-n"
		expect 0 "" "" "$who: nor by a policy that observes, which only changes the root"
		as root
	fi
	bundle n '.linux.uidMappings = [{containerID: 0, hostID: 0, size: 4294967296}]'
	box run -b "$work/n" "$tag-n"
	fails 'uidMappings\[0\][.]size' "a mapping of more ids than there are is refused"
	nothing_of "$tag-n" "and nothing is left of any"
}

for person in $(everyone); do
	as "$person"
	new_ones
	as "$person"
	with_policy 'namespaces: {user: bundle, network: bundle, pid: bundle, ipc: bundle}'
	of_the_host
	as "$person"
	[ "$who" = user ] || joined
	as "$person"
	users
	as "$person"
	clocks
	as "$person"
	wrong_ones
done
finish_boxes
