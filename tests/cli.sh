#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the tests of the commands share: source it, test, and call finish. It leaves the shell in
# an empty directory that goes with it. $CREDSBOX is the program, $top_srcdir the sources.
set -u
LC_ALL=C
export LC_ALL
: "${CREDSBOX:=./credsbox}" "${top_srcdir:=.}"
top_srcdir=$(cd "$top_srcdir" && pwd) || exit 1
case $CREDSBOX in
/*) ;;
*) CREDSBOX=$(pwd)/$CREDSBOX ;;
esac
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) || exit 1
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
# Nobody's own policy may have a say here.
HOME=$work/home XDG_CONFIG_HOME=$work/home/.config
export HOME XDG_CONFIG_HOME
unset NO_COLOR
mkdir home
n=0 rc=0
: >out
: >err

skip_all() { # REASON
	echo "1..0 # SKIP $1"
	exit 0
}

# run ARGUMENT...: leaves out, err and rc
run() {
	"$CREDSBOX" "$@" >out 2>err </dev/null
	rc=$?
}

# feed ARGUMENT...: the same with our standard input
feed() {
	"$CREDSBOX" "$@" >out 2>err
	rc=$?
}

# ordinary ARGUMENT...: the same as a user without privileges, which we may be already
ordinary() {
	if [ "$(id -u)" != 0 ]; then
		run "$@"
		return
	fi
	setpriv --reuid=65534 --regid=65534 --clear-groups "$work/program" "$@" >out 2>err </dev/null
	rc=$?
}

# The directory of the build may be closed to others.
can_be_ordinary() {
	[ "$(id -u)" != 0 ] ||
		{ chmod 755 "$work" && cp "$CREDSBOX" "$work/program" && ordinary --version &&
			[ $rc -eq 0 ]; }
}

ok() { # SENTENCE STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		head -c 4000 out | sed 's/^/# out: /'
		head -c 4000 err | sed 's/^/# err: /'
		echo "# exit code $rc"
	fi
}

skip() { # SENTENCE REASON
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# expect RC OUT ERR SENTENCE: all that the last run left, word for word
expect() {
	[ "$rc" -eq "$1" ] && [ "$(cat out)" = "$2" ] && [ "$(cat err)" = "$3" ]
	ok "$4" $?
}

# expect_like RC OUT-REGEX ERR-REGEX SENTENCE: a line of each matches; an empty one: no output
expect_like() {
	[ "$rc" -eq "$1" ] &&
		if [ -n "$2" ]; then grep -qE -- "$2" out; else ! [ -s out ]; fi &&
		if [ -n "$3" ]; then grep -qE -- "$3" err; else ! [ -s err ]; fi
	ok "$4" $?
}

# refused REGEX SENTENCE: exit code 1, one line on standard error that matches, nothing else
refused() {
	[ "$rc" -eq 1 ] && ! [ -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE -- "$1" err
	ok "$2" $?
}

# expect_json RC FILTER SENTENCE: jq says true of what was printed, and nothing else was
expect_json() {
	[ "$rc" -eq "$1" ] && ! [ -s err ] && jq -es "$2" out >/dev/null
	ok "$3" $?
}

finish() {
	echo "1..$n"
}

# A program that watches itself makes system calls and wants memory that are not its own.
is_sanitized() {
	grep -q __asan_init "$CREDSBOX"
}

# What is here decides whether the tests make sense at all.
command -v jq >/dev/null || skip_all "no jq here"
run policy show
! grep '#' out | grep -qv '# built-in$' || skip_all "this machine has policies of its own"
mkdir -p plain/rootfs
printf '{"ociVersion":"1.2.0","root":{"path":"rootfs"},"process":{"args":["/x"],"cwd":"/"},%s}' \
	'"linux":{"namespaces":[{"type":"network"},{"type":"pid"},{"type":"ipc"}]}' >plain/config.json
