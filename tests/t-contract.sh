#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the suites of other runtimes look at, and no other test here does.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

# hook KIND: a bundle whose hook of that kind writes down what it is given
hook() {
	bundle hooked ".hooks.$1 = [{path: \"/bin/sh\", args: [\"sh\", \"-c\", \"cat >$work/given\"]}]"
	rm -f "$work/given"
	box run -b "$work/hooked" "$tag-hooked"
	jq -r .status "$work/given" >out 2>err
}

for person in $(everyone); do
	as "$person"
	inside 'true'
	[ ! -s err ]
	ok "$who: a run that goes well says nothing" $?
	box --debug run -b "$work/inside" "$tag-inside"
	expect_like 0 "" 'level=debug msg="run: process [0-9]+ is in its namespaces"' \
		"$who: --debug tells of the stages"
	box --debug=true --systemd-cgroup=false run -b "$work/inside" "$tag-inside"
	expect_like 0 "" 'level=debug msg="run: process' "$who: switches may have a word behind them"
	box --debug=maybe list
	expect 1 "" "credsbox: --debug: true or false (credsbox --help tells more)" \
		"$who: which is true or false"
	for format in text json; do
		rm -f "$work/state/log" "$work/state-user/log"
		box --debug --log "$state/log" --log-format $format run -b "$work/inside" "$tag-inside"
		[ $rc -eq 0 ] && ! [ -s err ] &&
			case $format in
			text) grep -q '^time="[^"]*" level=debug msg="' "$state/log" ;;
			json) [ "$(jq -r .level "$state/log" | sort -u)" = debug ] ;;
			esac
		ok "$who: with a log in $format they go there, and only there" $?
	done
done

# Suites read the second line; engines look for an error in their log, and nowhere else.
run --help
commands=$(sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p' out)
for command in $commands; do
	for help in -h --help; do
		run "$command" $help
		[ $rc -eq 0 ] && ! [ -s err ] && [ "$(sed -n 1p out)" = NAME: ] &&
			sed -n 2p out | grep -qE "^   credsbox $command - [a-z]"
		ok "$command $help says what it is" $?
	done
	rm -f log
	run --log "$work/log" --log-format json "$command" --nonsense
	[ $rc -ne 0 ] && [ "$(wc -l <log)" -eq 1 ] &&
		[ "$(jq -r 'select(.level == "error") | "credsbox: " + .msg' log)" = "$(cat err)" ]
	ok "the log has what is wrong with the arguments of $command" $?
done

as root
if [ "$(id -u)" = 0 ]; then
	for kind in prestart createRuntime; do
		hook $kind
		expect 0 created "" "$kind hooks are told that the container is created"
	done
	hook poststart
	expect 0 running "" "poststart hooks are told that it runs"
	hook poststop
	expect 0 stopped "" "poststop hooks are told that it has stopped"

	for kind in createRuntime createContainer; do
		bundle hooked ".hooks.$kind = [{path: \"/bin/sh\", args: [\"sh\", \"-c\", \"pwd -P >$work/given\"]}]"
		own_root hooked
		box run -b "$work/hooked" "$tag-hooked"
		cp "$work/given" out
		if [ $kind = createRuntime ]; then
			expect 0 "$work/hooked" "" "$kind hooks start in the bundle"
		else
			expect 0 "$work/hooked/rootfs" "" "$kind hooks start in the root"
		fi
	done

	printf 'mode: observe\nlandlock: off\nnamespaces: {user: bundle, network: bundle}\n' >>"$policy"
	inside 'sed -n "s|.* \(/tmp/[a-z]*\) .*|\1|p" /proc/self/mountinfo' '.mounts += [
		{destination: "/tmp", type: "tmpfs", source: "tmpfs"},
		{destination: "/tmp/a", type: "bind", source: "/etc", options: ["bind", "ro"]},
		{destination: "/tmp/b", type: "tmpfs", source: "tmpfs"},
		{destination: "/tmp/c", type: "bind", source: "/etc", options: ["rbind", "ro"]}]'
	expect 0 "/tmp/a
/tmp/b
/tmp/c" "" "the kernel lists mounts in the order of the bundle"
fi
finish_boxes
