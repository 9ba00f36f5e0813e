#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Signals while a container is made, and what callers do to signals and descriptors: whoever is asked to end
# cleans up.
# shellcheck disable=SC2086 # lists of words
# Who started us may ignore signals, as nohup does, and a shell cannot take that back.
if [ -z "${SIGNALS_ARE_DEFAULT-}" ] && env --default-signal true 2>/dev/null; then
	SIGNALS_ARE_DEFAULT=1 exec env --default-signal sh "$0" "$@"
fi
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
id=$tag-g

# begin ARGUMENT...: in the background, with $begun as its number
begin() {
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		setpriv --reuid=54321 --regid=54321 --clear-groups \
			"$work/program" --root "$state" --policy "$policy" "$@" >out 2>err </dev/null &
	else
		"$work/program" --root "$state" --policy "$policy" "$@" >out 2>err </dev/null &
	fi
	begun=$!
}

# The hook makes a file, and takes its time.
is_in_hook() {
	[ -e "$own/hook" ]
}

interrupted() { # COMMAND SIGNAL
	rm -f "$own/hook" "$own/poststop"
	begin $1 -b "$work/slow" "$id"
	wait_for 10 is_in_hook
	began=$(date +%s)
	kill "-$2" $begun
	wait $begun
	rc=$?
	[ $rc -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'interrupted by a signal$' err &&
		[ $(($(date +%s) - began)) -lt 10 ]
	ok "$who: $1 is interrupted by $2, and says so" $?
	[ -e "$own/poststop" ]
	ok "$who: its poststop hooks are not" $?
	wait_for 5 nothing_left
	ok "$who: and leaves nothing" $?
	leftovers | sed 's/^/# /'
	call delete -f "$id" </dev/null
}

nothing_left() {
	[ -z "$(leftovers)" ]
}

hooks() { # KIND
	bundle slow ".hooks = {$1: [{path: \"/bin/sh\", args: [\"sh\", \"-c\", \"touch $2/hook; sleep 30; : $tag\"]}],
			poststop: [{path: \"/bin/sh\", args: [\"sh\", \"-c\", \"sleep 0.2; touch $own/poststop\"]}]} |
		.mounts += [{destination: \"/own\", type: \"bind\", source: \"$own\", options: [\"rbind\", \"rw\"]}]"
	for command in create "run -d" run; do
		[ "$1 $command" = "startContainer create" ] || interrupted "$command" TERM
	done
	[ "$1" = startContainer ] || interrupted create HUP
}

# Who ignores a signal means it.
ignored() {
	bundle quick '.hooks = {createRuntime: [{path: "/bin/sleep", args: ["sleep", "1"]}]}'
	(
		trap '' TERM
		begin run -b "$work/quick" "$id"
		sleep 0.3
		kill -TERM $begun
		wait $begun
	)
	rc=$?
	expect 0 "" "" "$who: a signal that the caller ignores does not interrupt"
	(
		trap '' CHLD
		call run -b "$work/quick" "$id" >out 2>err </dev/null
	)
	rc=$?
	expect 0 "" "" "$who: callers may ignore the ends of children"
}

# A standard error that nobody reads; standard input or output that is closed.
descriptors() {
	bundle quick ".process.capabilities.bounding += [\"CAP_BOGUS\"] | .process.args = [\"/bin/sh\", \"-c\", \": $tag\"]"
	{
		call run -b "$work/quick" "$id" >out 2>&3 </dev/null
		echo $? >"$own/rc"
	} 3>&1 | true
	rc=$(cat "$own/rc")
	: >err
	[ "$rc" -eq 0 ] || [ "$rc" -eq 141 ]
	ok "$who: a warning that nobody reads" $?
	nothing_left
	ok "$who: leaves nothing behind" $?
	call delete -f "$id" </dev/null
	bundle quick '.process.args = ["/bin/ls", "/proc/self/fd"]'
	call run -b "$work/quick" "$id" >out 2>err <&-
	rc=$?
	expect 0 "0
1
2
3" "" "$who: without a standard input there is an empty one"
	bundle quick '.process.args = ["/bin/true"]'
	call run -b "$work/quick" "$id" >&- 2>&- <&-
	rc=$?
	: >out
	[ $rc -eq 0 ]
	ok "$who: nor is any descriptor needed at all" $?
}

for person in $(everyone); do
	as "$person"
	chmod 777 "$own"
	hooks createRuntime "$own"
	hooks createContainer own
	hooks startContainer /own
	ignored
	descriptors
done
finish_boxes
