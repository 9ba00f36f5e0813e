#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What of the caller and of the runtime can be seen from a container that waits, and while exec comes in.
# shellcheck source=tests/cli.sh disable=SC2016 # scripts for other shells
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
canary=CANARY-$$-$tag

pid_of() {
	call state "$1" </dev/null 2>/dev/null | jq .pid
}

# descriptors PID: beyond 0-2, what each is
descriptors() {
	for fd in "/proc/$1/fd"/*; do
		case ${fd##*/} in
		0 | 1 | 2) ;;
		*) readlink "$fd" ;;
		esac
	done
}

waiting() {
	bundle wait '.process.args = ["/bin/sleep", "60"] | .process.env += ["AWS_SECRET_ACCESS_KEY=abc"]'
	mkfifo "$own/fifo"
	# A reader that must see the end of the pipe when the caller is done, not when the container is.
	(
		timeout 20 cat "$own/fifo" >/dev/null
		echo $? >"$own/reader"
	) &
	CANARY=$canary call create -b "$work/wait" "$tag-w" >out 2>err </dev/null \
		7<"$work/policy-$who.yaml" 8>"$own/fifo" 9<"$work/base/etc"
	rc=$?
	expect 0 "" "" "$who: a container is created by a caller who has files open"
	wait
	[ "$(cat "$own/reader")" = 0 ]
	ok "$who: pipes of the caller are not held open by a container that waits" $?
	pid=$(pid_of "$tag-w")
	descriptors "$pid" >out
	[ "$(wc -l <out)" -eq 1 ] && grep -q '^socket:' out
	ok "$who: a container that waits has its socket open, and nothing else of the host" $?
	tr '\0' '\n' <"/proc/$pid/environ" >out
	! grep -q . out
	ok "$who: the caller's environment is not in its process" $?
	rm -f "$own/fifo" "$own/reader"
	jq -r 'select(.kind == "fd" and (.where | test(" [789]$"))) | "\(.where) \(.name) \(.rule) \(.action)"' "$state/audit.jsonl" >out
	[ "$(cat out)" = "descriptor 7 file fd:inherited remove
descriptor 8 pipe fd:inherited remove
descriptor 9 directory fd:inherited remove" ]
	ok "$who: all that was closed is on record" $?
	box delete -f "$tag-w"
	exec 7<"$work/base/etc/passwd"
	box create --preserve-fds 5 -b "$work/wait" "$tag-w" 3<&- 4<&-
	fails 'descriptor 3 is not open' "descriptors that are to be preserved must be there"
	exec 7<&-
	nothing_of "$tag-w" "which leaves nothing"
	call create --preserve-fds 2 -b "$work/wait" "$tag-w" >out 2>err </dev/null \
		3<"$work/base/etc/passwd" 4<"$work/base/etc/group" 5<"$work/policy-$who.yaml"
	descriptors "$(pid_of "$tag-w")" | grep -v '^socket:' >out
	[ "$(cat out)" = "$work/base/etc/passwd
$work/base/etc/group" ]
	ok "$who: those that it gets by request stay open, those behind them do not" $?
	box delete -f "$tag-w"
	rm -f "$state/audit.jsonl"
	call create --preserve-fds 2 -b "$work/wait" "$tag-w" >out 2>err </dev/null \
		3<"$work/base/etc/passwd" 4<"$work/base/etc"
	jq -r 'select(.kind == "fd" and (.where | test(" [34]$"))) | "\(.where) \(.name) \(.rule) \(.action)"' "$state/audit.jsonl" >out
	[ "$(cat out)" = "descriptor 4 directory fd:preserved record" ]
	ok "$who: a directory that it gets by request is on record" $?
	box delete -f "$tag-w"
}

# Whoever has all capabilities in the container may look into processes that are as dumpable as it is; command
# lines can be read by everybody.
snooping() {
	bundle snoop '.process.args = ["/bin/sh", "-c", "
		while :; do cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr \"\\0\" \"\\n\" |
			grep -o -e \"CANARY-[^ ]*\" -e \"hidden[0-9]\"; done"] |
		(.process.capabilities | .bounding, .effective, .permitted) += ["CAP_SYS_PTRACE"]'
	call run -d -b "$work/snoop" "$tag-s" >seen 2>err </dev/null
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		CANARY=$canary call exec -e "AWS_SECRET_ACCESS_KEY=$canary" --env="GITHUB_TOKEN=$canary" \
			"$tag-s" /bin/sh -c true "hidden$((i % 10))" >out 2>err </dev/null
		rc=$?
		[ $rc -eq 0 ] || break
	done
	[ $rc -eq 0 ]
	ok "$who: programs come into a container that looks at them" $?
	# One that stays until it is seen: that the look finds anything must not be up to chance.
	call exec -d "$tag-s" /bin/sh -c 'sleep 60; true' hidden0 >out 2>err </dev/null
	wait_for 20 grep -q hidden seen
	ok "$who: it sees them once they are themselves" $?
	cp seen out
	! grep -q "$canary" seen
	ok "$who: neither the caller's environment nor a variable that is cut is ever seen" $?
	box delete -f "$tag-s"
}

# The kernel lets nobody into a time namespace who shares memory with another.
# Where neither a user namespace nor Landlock keeps a container from it, what it can open is a copy.
own_file() {
	[ "$who" = root ] || return
	with_policy 'landlock: off
namespaces: {user: bundle}'
	bundle exe '.process.args = ["/bin/sh", "-c", "
		while :; do for f in /proc/[0-9]*/exe; do
			readlink $f 2>/dev/null; (echo x >>$f) 2>/dev/null; done; done"]
		| (.process.capabilities | .bounding, .effective, .permitted) += ["CAP_SYS_PTRACE"]'
	before=$(sha256sum <"$work/program")
	call run -d -b "$work/exe" "$tag-exe" >seen 2>err </dev/null
	tries=200
	until grep -q memfd seen || [ $tries = 0 ]; do
		tries=$((tries - 1))
		call exec "$tag-exe" /bin/true >out 2>err </dev/null
		rc=$?
	done
	[ $rc -eq 0 ] && grep -q '^/memfd:credsbox' seen
	ok "$who: a container without user namespace sees the file of a program that comes in" $?
	! grep -qF "$work" seen && [ "$(sha256sum <"$work/program")" = "$before" ]
	ok "$who: which is a copy and not the file of the host" $?
	box delete -f "$tag-exe"
	as "$who"
}

time_namespace() {
	bundle time '.process.args = ["/bin/sleep", "60"] | .linux.namespaces += [{"type": "time"}] |
		.linux.timeOffsets.boottime = {"secs": 1000000, "nanosecs": 0}'
	box run -d -b "$work/time" "$tag-t"
	expect 0 "" "" "$who: a container has a clock of its own"
	pid=$(pid_of "$tag-t")
	box exec "$tag-t" /bin/readlink /proc/self/ns/time
	expect 0 "$(readlink "/proc/$pid/ns/time")" "" "$who: exec joins its time namespace"
	[ "$who" = root ] || return
	bundle join ".process.args = [\"/bin/readlink\", \"/proc/self/ns/time\"] |
		.linux.namespaces += [{\"type\": \"time\", \"path\": \"/proc/$pid/ns/time\"}]"
	box run -b "$work/join" "$tag-j"
	expect 0 "$(readlink "/proc/$pid/ns/time")" "" "$who: a time namespace is joined by its path"
}

# As many variables as a bundle may have: the first process once compared each with each.
many_variables() {
	bundle many '.process.env = ["PATH=/bin", "A7=0", "B=1"] + [range(32000) | "A\(.)="] + ["B=2"] |
		.process.args = ["/bin/env"]'
	began=$(date +%s)
	box run -b "$work/many" "$tag-v"
	[ $rc -eq 0 ] && [ "$(grep -c ^A out)" -eq 32000 ] && [ "$(grep -e ^A7= -e ^B= out)" = "A7=
B=2" ]
	ok "$who: of 32,000 variables each that comes twice is there once" $?
	[ $(($(date +%s) - began)) -lt 4 ]
	ok "$who: which takes little time" $?
}

for person in $(everyone); do
	as "$person"
	waiting
	snooping
	own_file
	time_namespace
	many_variables
	box delete -f "$tag-t"
done
finish_boxes
