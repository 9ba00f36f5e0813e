#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A runtime that is killed, or whose child is, at any system call: delete --force removes what is left, and
# what nobody knows of dies by itself. Some points of each command, all of them with CREDSBOX_FULL=1.
# shellcheck source=tests/cli.sh disable=SC2046,SC2086 # lists of words
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
: "${helpers:=$top_srcdir/tests}"
strike=$helpers/helper-strike
[ -x "$strike" ] || skip_all "no helper-strike here (make check builds it)"
[ "$(id -u)" = 0 ] || skip_all "processes of other users are to be traced: needs root"
case $("$strike" 0 /bin/true >/dev/null 2>&1 && echo yes) in
yes) ;;
*) skip_all "processes cannot be traced here" ;;
esac
# Who is traced cannot look for leaks itself.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
as root
id=$tag-k
# Each command is struck so often, but for those who want all of it.
strikes=16

# struck N [-c] ARGUMENT...: the program, struck; leaves rc, and log with what happened
struck() {
	at=$1 side=
	shift
	[ "$1" != -c ] || { side=-c && shift; }
	"$strike" $side -o "$work/log" "$at" "$work/program" --root "$state" --policy "$policy" "$@" \
		>out 2>err </dev/null
	rc=$?
}

no_process() {
	! leftovers | grep -qF program
}

nothing_left() {
	[ -z "$(leftovers)" ]
}

# Whom the state knows, delete finds; all others have to see for themselves that the runtime is gone.
is_known_or_gone() {
	[ -e "$state/$id/pid" ] || [ -e "$state/$id/pid.new" ] || no_process
}

# prepare COMMAND: what has to be there before it
prepare() {
	case $1 in
	start) call create -b "$work/sleeps" "$id" ;;
	exec | delete) call run -d -b "$work/sleeps" "$id" ;;
	esac >/dev/null 2>&1 </dev/null
}

# line COMMAND: its arguments
line() {
	case $1 in
	create) echo "create -b $work/sleeps $id" ;;
	"run -d") echo "run -d -b $work/sleeps $id" ;;
	run) echo "run -b $work/ends $id" ;;
	exec) echo "exec $id /bin/true" ;;
	delete) echo "delete -f $id" ;;
	*) echo "$1 $id" ;;
	esac
}

complain() { # SENTENCE
	echo "# at $n_at: $1 (exit code $rc, $(cat "$work/log")): $(cat err)" | head -n 3
	bad=$((bad + 1))
}

# one N SIDE COMMAND
one() {
	n_at=$1
	prepare "$3"
	struck "$1" $2 $(line "$3")
	wait_for 5 is_known_or_gone || complain "a process lives on that nobody knows of"
	# Who saw its child die has cleaned up; who cleans up is not to need help.
	case $2$3 in
	-ccreate | -crun*)
		[ $rc -eq 0 ] || [ ! -e "$state/$id" ] || complain "the runtime left something"
		[ $rc -eq 0 ] || [ "$(grep -c '^credsbox: ' err)" -eq 1 ] || [ "$3" = run ] ||
			complain "no line says why"
		;;
	esac
	box delete -f "$id"
	if [ $rc -ne 0 ] || [ -s err ]; then
		complain "delete --force does not work"
	fi
	wait_for 5 nothing_left || {
		complain "something is left"
		leftovers | sed 's/^/# /'
	}
}

# all_of COMMAND SIDE SENTENCE
all_of() {
	bad=0
	prepare "$1"
	struck 0 $2 $(line "$1")
	count=$(awk '{print $2}' "$work/log")
	box delete -f "$id"
	step=1
	[ -n "${CREDSBOX_FULL:-}" ] || step=$((count / strikes))
	at=$(((step + 1) / 2))
	while [ $at -le "$count" ]; do
		last=$at
		one $at "$2" "$1"
		at=$((last + step))
	done
	: >out
	: >err
	[ $bad -eq 0 ] && [ "$count" -gt 20 ]
	ok "$3 ($count points, every ${step})" $?
}

no_keyrings() {
	! grep -q "$tag" /proc/keys
}

bundle sleeps ".process.args = [\"/bin/sh\", \"-c\", \"sleep 60; : $tag\"] |
	.hooks = {createRuntime: [{path: \"/bin/true\"}], poststop: [{path: \"/bin/true\"}]}"
bundle ends ".process.args = [\"/bin/sh\", \"-c\", \": $tag; true\"]"
for command in create start "run -d" run exec delete; do
	all_of "$command" "" "$command: its own process may be killed at any point"
done
for command in create "run -d" run exec; do
	all_of "$command" -c "$command: its child may be killed at any point"
done
rc=0
wait_for 10 no_keyrings
ok "no session keyring is left" $?
finish_boxes
