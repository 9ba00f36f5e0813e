#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Control groups as containers get them: limits, update, pause, events, ps, and what becomes of the groups.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

pid_of() {
	call state "$1" </dev/null 2>/dev/null | jq .pid
}

# group CONTROLLER [ID]: its directory of the container, of version 1 or 2
group() {
	in=$(pid_of "${2:-$tag-g}")
	path=$(awk -F: -v c="$1" '{ n = split($2, a, ","); for (i = 1; i <= n; i++) if (a[i] == c) print $3 }' "/proc/$in/cgroup")
	if [ -n "$path" ]; then
		echo "/sys/fs/cgroup/$1$path"
	else
		echo "/sys/fs/cgroup$(awk -F: '$1 == "0" {print $3}' "/proc/$in/cgroup")"
	fi
}

# holds CONTROLLER FILE1=VALUE1 FILE2=VALUE2 SENTENCE: of version 1, else of version 2
holds() {
	dir=$(group "$1")
	for each in "$2" "$3"; do
		file=$dir/${each%%=*}
		[ -e "$file" ] || continue
		cat "$file" >out
		[ "$(cat out)" = "${each#*=}" ]
		ok "$who: $4" $?
		return
	done
	skip "$who: $4" "no such controller here"
}

sleeper() { # ID [FILTER]
	bundle g ".process.args = [\"/bin/sleep\", \"100\"] | ${2:-.}"
	box run -d -b "$work/g" "$1"
}

limits() {
	sleeper "$tag-g" '.linux.resources += {memory: {limit: 67108864, reservation: 33554432}, pids: {limit: 55},
		cpu: {shares: 512, quota: 50000, period: 100000, cpus: "0", mems: "0"}}'
	expect 0 "" "" "$who: a container with limits runs"
	holds memory memory.limit_in_bytes=67108864 memory.max=67108864 "memory has the bundle's limit"
	holds memory memory.soft_limit_in_bytes=33554432 memory.low=33554432 "and the bundle's reservation"
	holds pids pids.max=55 pids.max=55 "so have processes"
	holds cpu cpu.shares=512 cpu.weight=59 "shares of the CPU are the bundle's"
	holds cpu cpu.cfs_quota_us=50000 "cpu.max=50000 100000" "so is the quota"
	holds cpuset cpuset.cpus=0 cpuset.cpus=0 "and the set of CPUs"
	holds cpuset cpuset.mems=0 cpuset.mems=0 "and of memory nodes"
	box exec "$tag-g" grep Cpus_allowed_list /proc/self/status
	says_like 'Cpus_allowed_list:.0$' "a guest has the same CPUs"
	case $(group devices) in
	*/devices/*)
		! grep -qx 'a \*:\* rwm' "$(group devices)/devices.list" && grep -qx 'c 1:3 rwm' "$(group devices)/devices.list"
		ok "$who: devices are those that are allowed" $?
		;;
	*) skip "$who: devices are those that are allowed" "version 2 shows no list" ;;
	esac
}

updates() {
	box update --memory 50M --pids-limit 20 "$tag-g"
	expect 0 "" "" "$who: limits can be changed"
	holds memory memory.limit_in_bytes=52428800 memory.max=52428800 "memory to 50M"
	holds pids pids.max=20 pids.max=20 "processes to 20"
	box update "$tag-g" --memory 100M
	holds memory memory.limit_in_bytes=104857600 memory.max=104857600 "options may follow the id"
	box update --cpu-share=256 --cpu-period 200000 --cpu-quota 40000 "$tag-g"
	holds cpu cpu.shares=256 cpu.weight=35 "shares of the CPU"
	holds cpu cpu.cfs_period_us=200000 "cpu.max=40000 200000" "the period"
	box update --cpu-quota -1 "$tag-g"
	holds cpu cpu.cfs_quota_us=-1 "cpu.max=max 200000" "no quota at all"
	box update --cpuset-cpus 0 --cpuset-mems 0 "$tag-g"
	expect 0 "" "" "$who: sets of CPUs and nodes can be changed"
	echo '{"pids": {"limit": 33}, "memory": {"limit": 83886080}}' >"$own/r.json"
	box update -r "$own/r.json" --pids-limit 1 "$tag-g"
	holds pids pids.max=33 pids.max=33 "a file of limits goes over options"
	echo '{"pids": {"limit": 34}}' | call update --resources - "$tag-g" >out 2>err
	holds pids pids.max=34 pids.max=34 "which may be standard input"
	echo '{"pids": {"limit": 35}}' | call update --resources=- "$tag-g" >out 2>err
	holds pids pids.max=35 pids.max=35 "in both ways of writing"
	box update --pids-limit -1 "$tag-g"
	holds pids pids.max=max pids.max=max "-1 is no limit"
	box update --memory 12bogus "$tag-g"
	fails 'invalid value for memory' "a size that is none is refused"
	echo '{"pids": {"limit": "x"}}' >"$own/r.json"
	box update -r "$own/r.json" "$tag-g"
	fails 'pids' "so is a file with nonsense"
	box update --cpu-share 100 --cpu-idle 1 "$tag-g"
	[ "$rc" -eq 0 ] && grep -q 'level=warning.*unable to apply both' err
	ok "$who: shares and idle do not go together, which is a warning" $?
	box update --l3-cache-schema L3:0=1 "$tag-g"
	fails 'Intel RDT is not supported' "what is not supported is refused"
}

pauses() {
	box pause "$tag-g"
	expect 0 "" "" "$who: pause says nothing"
	is_status "$tag-g" paused
	ok "$who: the container is paused" $?
	box pause "$tag-g"
	fails 'container not running' "it is not paused twice"
	box delete "$tag-g"
	fails "that is not stopped: paused" "nor deleted while it is paused"
	box resume "$tag-g"
	expect 0 "" "" "$who: resume says nothing"
	is_status "$tag-g" running
	ok "$who: the container runs again" $?
	box resume "$tag-g"
	fails 'container not paused' "it is not resumed twice"
	box pause "$tag-g"
	box kill "$tag-g" KILL
	wait_for 5 is_status "$tag-g" stopped
	ok "$who: a paused container can be killed" $?
	box delete "$tag-g"
	sleeper "$tag-g"
	box pause "$tag-g"
	box delete --force "$tag-g"
	expect 0 "" "" "$who: and deleted by force"
	nothing_of "$tag-g" "which leaves nothing"
	sleeper "$tag-g"
}

reports() {
	box events --stats "$tag-g"
	expect_json 0 ".[0] | .type == \"stats\" and .id == \"$tag-g\" and (.data.pids.current >= 1)
		and (.data.cpu.usage.total >= 0) and (.data.memory.usage.usage > 0) and (.data.memory.raw | type == \"object\")" \
		"$who: events --stats is a line of JSON"
	call events --interval 100ms "$tag-g" >lines 2>err </dev/null &
	wait_for 5 grep -q stats lines
	ok "$who: events tells again and again" $?
	box ps --format json "$tag-g"
	expect 0 "[$(pid_of "$tag-g")]" "" "$who: ps -f json has process ids of the host"
	box exec -d --pid-file "$own/pid" "$tag-g" sleep 100
	box ps -f json "$tag-g"
	jq -e "sort == ([$(pid_of "$tag-g"), $(cat "$own/pid")] | sort)" out >/dev/null
	ok "$who: also of guests" $?
	if command -v ps >/dev/null; then
		box ps "$tag-g"
		[ "$(wc -l <out)" -eq 3 ] && sed -n 1p out | grep -q PID && grep -q "sleep 100" out
		ok "$who: ps has a table with a header" $?
		box ps "$tag-g" -e -o pid,comm
		[ "$(wc -l <out)" -eq 3 ] && sed -n 1p out | grep -q COMMAND
		ok "$who: what follows the id are options for ps" $?
	fi
	box ps -f yaml "$tag-g"
	fails 'invalid format option' "a format that there is not is refused"
	box kill "$tag-g" KILL
	wait_for 5 is_status "$tag-g" stopped
	wait
	ok "$who: events ends with the container" $?
	box ps "$tag-g"
	[ "$rc" -eq 0 ] && [ ! -s err ]
	ok "$who: ps of a stopped container is no error" $?
	box events --stats "$tag-g"
	fails 'is not running' "events of one is"
	box update --memory 50M "$tag-g"
	fails 'container not running' "so is update"
	box delete "$tag-g"
	box events --interval 0 "$tag-g"
	fails 'interval must be greater than 0' "an interval of nothing is refused"
}

# A tmpfs is memory of who fills it.
memory_out() {
	case $(ls -d /sys/fs/cgroup/memory /sys/fs/cgroup/memory.stat 2>/dev/null) in
	*/memory*) ;;
	*)
		skip "$who: events tells when memory is out" "no memory controller here"
		return
		;;
	esac
	sleeper "$tag-g" '.linux.resources.memory = {limit: 16777216, swap: 16777216}'
	call events --interval 1h "$tag-g" >lines 2>err </dev/null &
	wait_for 5 has_oom_watch
	box exec "$tag-g" dd if=/dev/zero of=/dev/shm/x bs=1M count=48
	[ "$rc" -eq 137 ]
	ok "$who: who takes more memory than there is gets killed" $?
	wait_for 5 grep -qx "{\"type\":\"oom\",\"id\":\"$tag-g\"}" lines
	ok "$who: events tells when memory is out" $?
	box delete -f "$tag-g"
	wait
}

# The one that waits has its descriptors open: it sleeps in poll().
has_oom_watch() {
	grep -lF "events" /proc/[0-9]*/cmdline 2>/dev/null | while read -r file; do
		{ tr '\0' ' ' <"$file"; } 2>/dev/null | grep -qF "interval 1h $tag-g" && grep -q poll "${file%cmdline}wchan" && echo yes
	done | grep -q yes
}

paths() {
	sleeper "$tag-g" '.linux.cgroupsPath = "/'"$tag"'-top/below"'
	dir=$(group pids)
	case $dir in
	*/$tag-top/below) true ;;
	*) false ;;
	esac
	ok "$who: an absolute cgroupsPath begins at the mount point" $?
	sleeper "$tag-h" '.linux.cgroupsPath = "/'"$tag"'-top/below"'
	fails "container's cgroup is not empty" "a group in use is refused"
	nothing_of "$tag-h" "and nothing is left of who wanted it"
	is_status "$tag-g" running
	ok "$who: who has it goes on" $?
	mkdir "$dir/sub" "$dir/sub/sub"
	box delete -f "$tag-g"
	[ ! -e "$dir" ]
	ok "$who: groups below are removed with it" $?
	find /sys/fs/cgroup -maxdepth 3 -name "$tag-top" -exec rmdir {} + 2>/dev/null
	sleeper "$tag-g" '.linux.cgroupsPath = "'"$tag"'-relative"'
	group pids | grep -q "$tag-relative"
	ok "$who: a relative one is somewhere" $?
	box delete -f "$tag-g"
	sleeper "$tag-g" '.linux.cgroupsPath = ""'
	group pids | grep -q "/$tag-g$"
	ok "$who: an empty one is none, as runc has it" $?
	box delete -f "$tag-g"
	sleeper "$tag-g" '.linux.cgroupsPath = "../../'"$tag"'-x"'
	[ "$rc" -eq 1 ] || { group pids | grep -q "^/sys/fs/cgroup/.*$tag-x$" && ! group pids | grep -q '[.][.]'; }
	ok "$who: one that leads up leads nowhere above" $?
	box delete -f "$tag-g"
	frozen=/sys/fs/cgroup/freezer/$tag-frozen
	if mkdir "$frozen" 2>/dev/null; then
		echo FROZEN >"$frozen/freezer.state"
		sleeper "$tag-g" '.linux.cgroupsPath = "/'"$tag"'-frozen"'
		fails "container's cgroup unexpectedly frozen" "a frozen group is refused"
		[ -d "$frozen" ]
		ok "$who: and stays whose it was" $?
		rmdir "$frozen"
		sleeper "$tag-g" '.linux.resources.unified = {"memory.high": "1"}'
		fails 'invalid configuration' "files of version 2 are refused where there is version 1"
	fi
	bundle g '.process.args = ["/bin/true"]'
	box run --keep -b "$work/g" "$tag-g"
	[ -n "$(find /sys/fs/cgroup -maxdepth 4 -name "$tag-g")" ]
	ok "$who: run --keep keeps the group" $?
	box delete "$tag-g"
	nothing_of "$tag-g" "which delete removes"
}

# Without a pid namespace nothing but the group says who belongs to the container.
shared() {
	bundle g '.process.args = ["/bin/sh", "-c", "sleep 100 & exec sleep 100"] | .linux.namespaces |= map(select(.type != "pid"))
		| .mounts |= map(select(.type != "proc")) | .linux.maskedPaths = [] | .linux.readonlyPaths = []'
	box run -d -b "$work/g" "$tag-g"
	box ps -f json "$tag-g"
	wait_for 5 test "$(jq length out)" = 2
	box kill "$tag-g" KILL
	gone() { call ps -f json "$tag-g" | grep -qx '\[\]'; }
	wait_for 5 gone
	ok "$who: KILL reaches all processes where they have no namespace of their own" $?
	box delete "$tag-g"
	box run -d -b "$work/g" "$tag-g"
	kill -KILL "$(pid_of "$tag-g")"
	wait_for 5 is_status "$tag-g" stopped
	box delete -f "$tag-g"
	expect 0 "" "" "$who: delete --force ends those who outlived the first"
	nothing_of "$tag-g" "and leaves nothing"
}

nobody() {
	sleeper "$tag-g"
	expect 0 "" "" "$who: without the right to make groups there are none"
	box pause "$tag-g"
	[ "$rc" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ]
	ok "$who: then it cannot be paused" $?
	box ps -f json "$tag-g"
	expect 0 "[$(pid_of "$tag-g")]" "" "$who: but its processes are known"
	box delete -f "$tag-g"
	sleeper "$tag-g" '.linux.resources = {memory: {limit: 67108864}}'
	[ "$rc" -eq 1 ] && grep -q 'rootless needs no limits + no cgrouppath when no permission is granted for cgroups' err
	ok "$who: a limit that cannot be set is an error" $?
	sleeper "$tag-g" '.linux.cgroupsPath = "/'"$tag"'-x"'
	[ "$rc" -eq 1 ] && grep -q 'rootless needs no limits + no cgrouppath' err
	ok "$who: so is a path" $?
	box --cgroup-manager disabled run -b "$work/inside" "$tag-g"
	nothing_of "$tag-g" "and nothing is left"
}

disabled() {
	bundle g '.process.args = ["/bin/cat", "/proc/self/cgroup"]'
	box --cgroup-manager disabled run -b "$work/g" "$tag-g"
	[ "$rc" -eq 0 ] && ! grep -q "$tag-g" out
	ok "$who: --cgroup-manager disabled makes no groups" $?
	box --cgroup-manager=cgroupfs run -b "$work/g" "$tag-g"
	[ "$rc" -eq 0 ]
	ok "$who: --cgroup-manager cgroupfs is how it is anyway" $?
	box --cgroup-manager bogus run -b "$work/g" "$tag-g"
	fails 'cgroup-manager: cgroupfs, systemd or disabled' "any other is refused"
}

for person in $(everyone); do
	as "$person"
	if [ "$who" = root ]; then
		limits
		updates
		pauses
		reports
		memory_out
		paths
		shared
	else
		[ "$(id -u)" != 0 ] || nobody
	fi
	disabled
done
finish_boxes
