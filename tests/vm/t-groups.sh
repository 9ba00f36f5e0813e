#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Control groups of version 2 as who calls it, made by hand or by systemd ($DRIVER): limits, devices,
# the freezer, memory that runs out, what a container sees of it, and what is left in the end.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
as "$([ "$(id -u)" = 0 ] && echo root || echo user)"
manager=$([ "$who" = root ] || echo --user)
id=$tag-v

# look: pid and dir, the container's first process and its group
look() {
	pid=$(call state "$id" </dev/null | sed -n 's/.*"pid": *\([0-9]*\).*/\1/p')
	dir=/sys/fs/cgroup$(sed -n 's/^0:://p' "/proc/$pid/cgroup")
}

# holds FILE VALUE SENTENCE: the file of the group, word for word
holds() {
	if [ -e "$dir/$1" ]; then
		cat "$dir/$1" >out
		[ "$(cat out)" = "$2" ]
		ok "$3" $?
	else
		skip "$3" "this kernel has no $1"
	fi
}

# unit PROPERTY VALUE SENTENCE: what systemd knows of it
unit() {
	[ "$DRIVER" = systemd ] || return 0
	# shellcheck disable=SC2086 # none or one word
	systemctl $manager show -P "$1" "$scope" >out 2>err
	[ "$(cat out)" = "$2" ]
	ok "systemd: $3" $?
}

# gone SENTENCE: neither a directory nor a unit
gone() {
	[ ! -e "$dir" ]
	ok "$1: no group is left" $?
	[ "$DRIVER" = systemd ] || return 0
	# shellcheck disable=SC2086 # none or one word
	systemctl $manager list-units --all --plain --no-legend "$scope" >out 2>err
	[ ! -s out ]
	ok "$1: no unit is left" $?
}

lifecycle() {
	bundle v '.process.args = ["/bin/sleep", "1000"]
		| .mounts |= map(select(.destination != "/sys/fs/cgroup")) + [{destination: "/sys/fs/cgroup",
			type: "cgroup", source: "cgroup", options: ["nosuid", "noexec", "nodev", "ro"]}]
		| .linux.namespaces += [{type: "cgroup"}] | .linux.namespaces |= unique
		| .linux.resources = ((.linux.resources // {}) + {
			memory: {limit: 67108864, reservation: 16777216, swap: 100663296}, pids: {limit: 50},
			cpu: {shares: 512, quota: 50000, period: 100000, cpus: "0", mems: "0"},
			blockIO: {weight: 500}, unified: {"memory.high": "50331648", "cpu.max.burst": "1000"}})'
	box create -b "$work/v" "$id"
	expect 0 "" "" "create makes a group with limits"
	look
	scope=credsbox-$id.scope
	is_status "$id" created
	ok "state says created" $?
	case $dir in
	*/"$scope") [ "$DRIVER" = systemd ] ;;
	*/"$id") [ "$DRIVER" = cgroupfs ] ;;
	*) false ;;
	esac
	ok "the group is where the driver puts it: $dir" $?
	holds memory.max 67108864 "memory.max is the limit"
	holds memory.swap.max 33554432 "memory.swap.max is what goes beyond it"
	holds memory.low 16777216 "memory.low is the reservation"
	holds memory.high 50331648 "memory.high comes from the unified map"
	holds pids.max 50 "pids.max is the limit"
	holds cpu.max "50000 100000" "cpu.max is quota and period"
	holds cpu.max.burst 1000 "cpu.max.burst comes from the unified map"
	holds cpu.weight 59 "cpu.weight is made of the shares"
	holds cpuset.cpus 0 "cpuset.cpus is the set"
	holds io.weight "default 4950" "io.weight is made of the weight"
	unit MemoryMax 67108864 "it knows the limit"
	unit TasksMax 50 "and of processes"
	unit Delegate yes "the scope is delegated"
	box start "$id"
	expect 0 "" "" "start starts it"
	box exec "$id" /bin/sh -c 'cat /proc/self/cgroup; ls -d /sys/fs/cgroup/memory.max; cat /sys/fs/cgroup/pids.max
		echo 1 >/sys/fs/cgroup/pids.max'
	expect_like 1 '^0::/$' 'Read-only file system' "what exec runs sees its group as the top, and cannot write there"
	grep -qx 50 out
	ok "the mount shows the container's own group" $?
	mkdir "$dir/sub"
	box exec --cgroup sub "$id" /bin/cat /proc/self/cgroup
	expect 0 "0::/sub" "" "--cgroup leads to a group below"
	box exec --cgroup ../.. "$id" /bin/true
	[ "$rc" -eq 255 ] && grep -q 'not a sub cgroup path' err
	ok "and to no other" $?
	box exec -d "$id" /bin/sleep 1001
	[ "$(wc -l <"$dir/cgroup.procs")" -eq 2 ]
	ok "a guest is in the same group" $?
	box ps -f json "$id"
	[ "$(tr -cd , <out)" = , ]
	ok "ps knows both" $?
}

changes() {
	box pause "$id"
	expect 0 "" "" "pause says nothing"
	[ "$(status "$id")" = paused ] && grep -q '^frozen 1' "$dir/cgroup.events"
	ok "the group is frozen, and state says so" $?
	box resume "$id"
	[ "$rc" -eq 0 ] && is_status "$id" running && grep -q '^frozen 0' "$dir/cgroup.events"
	ok "it runs again after resume" $?
	box update --memory 80M --memory-swap 90M --pids-limit 30 --cpu-quota 20000 --cpu-share 1024 --blkio-weight 100 \
		"$id"
	expect 0 "" "" "update says nothing"
	holds memory.max 83886080 "update: memory.max"
	holds memory.swap.max 10485760 "update: memory.swap.max"
	holds pids.max 30 "update: pids.max"
	holds cpu.max "20000 100000" "update: cpu.max keeps the period"
	holds cpu.weight 100 "update: cpu.weight"
	holds io.weight "default 910" "update: io.weight"
	holds memory.low 16777216 "update: what was not named stays"
	unit MemoryMax 83886080 "it knows the new limit"
	unit TasksMax 30 "and that of processes"
	box update --memory -1 "$id"
	holds memory.max max "update: -1 is no limit"
	echo '{"memory": {"limit": 4096, "checkBeforeUpdate": true}}' >"$own/r.json"
	box update -r "$own/r.json" "$id"
	refused 'rejecting memory limit' "update: a limit below what is used is refused where that is asked for"
	holds memory.max max "and changes nothing"
	box events --stats "$id"
	expect_json 0 ".[0] | .type == \"stats\" and .data.pids.current == 2 and .data.pids.limit == 30
		and .data.memory.usage.usage > 0 and .data.cpu.usage.total > 0" "events --stats counts the group"
	[ "$DRIVER" = cgroupfs ] || reloads
	box kill "$id" KILL
	wait_for 10 is_status "$id" stopped
	ok "kill ends it" $?
	box delete "$id"
	expect 0 "" "" "delete says nothing"
	gone "delete"
}

# systemd writes anew what it was told when it reads its files again.
reloads() {
	# shellcheck disable=SC2086 # none or one word
	systemctl $manager daemon-reload >out 2>err
	holds pids.max 30 "daemon-reload: pids.max stays"
	holds cpu.max "20000 100000" "daemon-reload: cpu.max stays"
	holds cpu.weight 100 "daemon-reload: cpu.weight stays"
	holds memory.max max "daemon-reload: memory.max stays"
}

# tail keeps what has no end of line: more than there is.
memory_ends() {
	bundle v '.process.args = ["/bin/sh", "-c", "while ! [ -e /tmp/go ]; do sleep 0.1; done; tail /dev/zero; sleep 100"]
		| .mounts += [{destination: "/tmp", type: "tmpfs", source: "tmpfs"}]
		| .linux.resources = ((.linux.resources // {}) + {memory: {limit: 33554432, swap: 33554432}})'
	box run -d -b "$work/v" "$id"
	look
	call events --interval 1h "$id" >told 2>err </dev/null &
	events=$!
	wait_for 10 grep -q stats told
	box exec "$id" /bin/touch /tmp/go
	wait_for 20 grep -q '"oom"' told
	ok "events tells when memory runs out" $?
	grep -q '^oom_kill [1-9]' "$dir/memory.events"
	ok "the group's limit is what stopped it" $?
	is_status "$id" running
	ok "the rest of the container goes on" $?
	box delete -f "$id"
	wait $events
	gone "delete --force"
}

# Only root can set a filter: without, the files' own rights are what there is.
devices() {
	node='{path: "/dev/serial", type: "c", major: 4, minor: 64, fileMode: 438, uid: 0, gid: 0}'
	with_policy 'mode: observe'
	with_policy 'namespaces: {user: bundle, network: bundle}'
	script='head -c 1 /dev/zero | wc -c; true </dev/serial
		rm -f /tmp/serial; mknod /tmp/serial c 4 64; true </tmp/serial'
	for allowed in false true; do
		bundle v ".process.args = [\"/bin/sleep\", \"1000\"] | .linux.devices = [$node]
			| .mounts += [{destination: \"/tmp\", type: \"tmpfs\", source: \"tmpfs\"}]
			| .process.capabilities[] |= . + [\"CAP_MKNOD\"]
			| .linux.resources.devices = [{allow: false, access: \"rwm\"},
				{allow: $allowed, type: \"c\", major: 4, minor: 64, access: \"r\"}]"
		box run -d -b "$work/v" "$id"
		look
		for when in first reloaded; do
			if [ $when = reloaded ]; then
				[ "$DRIVER" = systemd ] || continue
				systemctl daemon-reload
			fi
			box exec "$id" /bin/sh -c "$script"
			if [ $allowed = false ]; then
				grep -qx 1 out && grep -q 'dev/serial: Operation not permitted' err
				ok "$when: a device that is not allowed cannot be opened" $?
				grep -q 'tmp/serial: Operation not permitted' err
				ok "$when: nor can one that the container makes" $?
			else
				expect 0 1 "" "$when: a device that is allowed can be opened"
			fi
		done
		box update --pids-limit 100 "$id"
		box exec "$id" /bin/sh -c "$script"
		grep -q 'dev/serial: Operation' err
		[ $? -eq "$([ $allowed = true ] && echo 1 || echo 0)" ]
		ok "an update leaves the devices as they were" $?
		box delete -f "$id"
		gone "devices"
	done
	as root
}

# The tree below is the container's where it has a namespace and may write. Once it gives controllers
# to groups below, nobody can be in its own any more: guests go where the first process went.
delegates() {
	bundle v '.process.args = ["/bin/sh", "-c", "cd /sys/fs/cgroup && mkdir a b && echo 1 >a/cgroup.procs &&
			echo +memory +pids >cgroup.subtree_control && echo 7 >a/pids.max && exec sleep 1000"]
		| .mounts |= map(select(.destination != "/sys/fs/cgroup")) + [{destination: "/sys/fs/cgroup",
			type: "cgroup", source: "cgroup", options: ["nosuid", "noexec", "nodev", "rw"]}]
		| .linux.namespaces += [{type: "cgroup"}, {type: "user"}] | .linux.namespaces |= unique
		| if .linux.uidMappings then . else .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 65536}]
			| .linux.gidMappings = .linux.uidMappings end'
	box run -d -b "$work/v" "$id"
	look
	wait_for 10 grep -qx 7 "$dir/a/pids.max" || wait_for 1 grep -qx 7 "$dir/pids.max"
	ok "a container may make groups of its own below, with limits" $?
	look
	dir=${dir%/a}
	box exec "$id" /bin/cat /proc/self/cgroup
	expect 0 "0::/a" "" "a guest goes where the first process went"
	box exec --cgroup b "$id" /bin/cat /proc/self/cgroup
	expect 0 "0::/b" "" "or where exec says"
	box exec --cgroup / "$id" /bin/true
	[ "$rc" -eq 255 ] && grep -q 'cgroup' err
	ok "which is an error where nobody can be" $?
	box pause "$id"
	[ "$rc" -eq 0 ] && grep -q '^frozen 1' "$dir/a/cgroup.events"
	ok "pause reaches what is below" $?
	box resume "$id"
	box ps -f json "$id"
	expect 0 "[$pid]" "" "ps as well"
	box delete -f "$id"
	gone "groups below"
}

# place PATH WHERE SENTENCE
place() {
	bundle v ".process.args = [\"/bin/sleep\", \"1000\"] | .linux.cgroupsPath = \"$1\"
		| .linux.resources = ((.linux.resources // {}) + {pids: {limit: 40}})"
	box run -d -b "$work/v" "$id"
	look
	scope=${2##*/}
	case $dir in
	*"$2") true ;;
	*) false ;;
	esac
	ok "$3: $dir" $?
	holds pids.max 40 "limits hold there"
	kill -9 "$pid"
	wait_for 10 is_status "$id" stopped
	box delete "$id"
	expect 0 "" "" "what was killed by another can be deleted"
	gone "$3"
}

places() {
	if [ "$DRIVER" = systemd ]; then
		place "$tag-one.slice:pre:$id" "/$tag.slice/$tag-one.slice/pre-$id.scope" "the path names slice, prefix and name"
		box run -d -b "$work/v" "$id"
		look
		# shellcheck disable=SC2086 # none or one word
		systemctl $manager kill -s KILL "$scope"
		wait_for 10 is_status "$id" stopped
		ok "a scope that is killed from outside ends the container" $?
		box delete "$id"
		expect 0 "" "" "which can be deleted then"
		# shellcheck disable=SC2086 # none or one word
		systemctl $manager stop "$tag.slice"
		bundle v ".linux.cgroupsPath = \"/a/path\""
		box run -b "$work/v" "$id"
		refused 'slice:prefix:name' "a path of directories is refused with systemd"
	elif [ "$who" = root ]; then
		place "/$tag/deep/er" "/$tag/deep/er" "a path from the top is taken as it is"
		rmdir "/sys/fs/cgroup/$tag/deep" "/sys/fs/cgroup/$tag"
		place "rel/$tag" "/rel/$tag" "a relative one lies beside the caller's"
		rmdir "$(dirname "$dir")"
	else
		place "rel/$tag" "/rel/$tag" "a relative path lies beside the caller's"
		rmdir "$(dirname "$dir")"
		bundle v '.linux.cgroupsPath = "/not/mine" | .linux.resources = {pids: {limit: 40}}'
		box run -b "$work/v" "$id"
		refused 'no permission' "a path that is not the user's is refused"
	fi
}

# What cannot be set must not leave a group.
failures() {
	bundle v '.linux.resources = ((.linux.resources // {}) + {unified: {"pids.max": "many"}})'
	box run -b "$work/v" "$id"
	[ "$rc" -eq 1 ] && grep -q 'pids.max' err
	ok "a value that the kernel does not take is an error" $?
	bundle v '.process.args = ["/not/there"]'
	box run -b "$work/v" "$id"
	[ "$rc" -ne 0 ]
	ok "a program that is not there is an error" $?
	find /sys/fs/cgroup -name "*$id*" >out
	[ ! -s out ]
	ok "neither leaves a group" $?
}

lifecycle
changes
memory_ends
[ "$who" = user ] || devices
delegates
places
failures
finish_boxes
