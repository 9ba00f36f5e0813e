#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# From create to delete, as root and as an ordinary user: what each command does, says and leaves.
# shellcheck source=tests/cli.sh disable=SC2016,SC2086 # scripts for other shells; lists of words
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

pid_of() {
	call state "$1" </dev/null 2>/dev/null | jq .pid
}

# Somebody else may be slow to reap it.
is_dead() {
	! grep -q '^State:.[^XZ]' "/proc/$1/status" 2>/dev/null
}

create_and_start() {
	bundle life '.process.args = ["/bin/sh", "-c",
		"trap \"exit 9\" TERM; echo begun; while :; do sleep 0.1; done"]
		| .annotations = {"org.example.who": "ada"}'
	(cd "$own" && call create --bundle "$work/life" --pid-file pid "$tag-a") >told 2>err </dev/null
	rc=$?
	cp told out
	expect 0 "" "" "$who: create says nothing, and the program has not begun"
	pid=$(cat "$own/pid")
	[ "$(wc -l <"$own/pid")" -eq 0 ] && [ -d "/proc/$pid" ]
	ok "$who: a pid file's path is the caller's, and holds the number of a process, without a newline" $?
	box state "$tag-a"
	expect_json 0 ".[0] | (.ociVersion | test(\"^1[.]\")) and .id == \"$tag-a\" and .pid == $pid
		and .status == \"created\" and .bundle == \"$work/life\" and .rootfs == \"$work/base\"
		and .annotations == {\"org.example.who\": \"ada\"}
		and (.created | test(\"^[0-9-]+T[0-9:]+[.][0-9]+Z$\"))" "$who: state tells all of a created container"
	[ "$(jq -r 'keys_unsorted | join(" ")' out)" = \
		"ociVersion id pid status bundle rootfs created annotations owner" ]
	ok "$who: the keys of a state are in runc's order" $?
	! grep -qx program "/proc/$(awk '/^PPid/ {print $2}' "/proc/$pid/status")/comm"
	ok "$who: no process of the runtime stays behind create" $?
	box create -b "$work/life" "$tag-a"
	fails 'container with given ID already exists' "an id that is taken is refused"
	is_status "$tag-a" created
	ok "$who: the container that has the id is still there" $?
	box start "$tag-a"
	expect 0 "" "" "$who: start says nothing"
	is_status "$tag-a" running && [ "$(pid_of "$tag-a")" = "$pid" ]
	ok "$who: it runs as the process that was created" $?
	box start "$tag-a"
	fails 'cannot start an already running container' "it is not started twice"
	box delete "$tag-a"
	fails "cannot delete container $tag-a that is not stopped: running" "it is not deleted while it runs"
	is_status "$tag-a" running
	ok "$who: it still runs after that" $?
}

signals() {
	box kill "$tag-a" 0
	expect 0 "" "" "$who: signal 0 finds it"
	box kill "$tag-a" BOGUS
	fails "unknown signal 'BOGUS'" "a signal that is none is refused"
	box kill "$tag-a" 15
	wait_for 5 is_status "$tag-a" stopped
	ok "$who: a signal by number reaches the program" $?
	[ "$(pid_of "$tag-a")" = 0 ]
	ok "$who: a stopped container has pid 0" $?
	box kill "$tag-a" KILL
	fails 'container not running' "kill of a stopped container says so"
	box kill --all "$tag-a" 9
	expect 0 "" "" "$who: kill --all of a stopped container is no error"
	box start "$tag-a"
	fails 'cannot start a container that has stopped' "a stopped container is not started"
	box exec "$tag-a" /bin/true
	expect_like 255 '' 'cannot exec in a stopped container' "$who: exec in a stopped container gives 255"
	box delete "$tag-a"
	expect 0 "" "" "$who: delete of a stopped container says nothing"
	nothing_of "$tag-a" "delete leaves nothing"
	for word in "" TERM SIGTERM sigterm Term 15 -sTERM --signal=15; do
		box run -d -b "$work/life" "$tag-s"
		wait_for 5 grep -q begun out
		case $word in
		-*) box kill "$word" "$tag-s" ;;
		*) box kill "$tag-s" $word ;;
		esac
		[ $rc -eq 0 ] && wait_for 5 is_status "$tag-s" stopped
		ok "$who: kill takes '$word' for TERM" $?
		box delete -f "$tag-s"
	done
}

unknown_ids() {
	for command in state start kill delete pause resume ps "update --memory 1M" "events --stats"; do
		box $command "$tag-none"
		fails 'container does not exist' "$command of an unknown id says so"
	done
	box exec "$tag-none" /bin/true
	expect_like 255 '' 'container does not exist' "$who: exec in an unknown id gives 255"
	box delete --force "$tag-none"
	expect 0 "" "" "$who: delete --force of an unknown id is no error"
	box --root "$own/nowhere" delete --force "$tag-none"
	[ $rc -eq 0 ] && [ ! -s err ] && [ ! -e "$own/nowhere" ]
	ok "$who: nor is it without a state directory, which is not made for it" $?
}

created_ones() {
	box create -b "$work/life" "$tag-b"
	pid=$(pid_of "$tag-b")
	box delete "$tag-b"
	expect 0 "" "" "$who: a created container can be deleted"
	wait_for 5 is_dead "$pid"
	ok "$who: its process is gone with it" $?
	nothing_of "$tag-b" "and it leaves nothing"
	box create -b "$work/life" "$tag-b"
	box kill "$tag-b" KILL
	wait_for 5 is_status "$tag-b" stopped
	ok "$who: a created container can be killed" $?
	box start "$tag-b"
	fails 'cannot start a container that has stopped' "and is not started then"
	for sig in HUP INT QUIT TERM; do
		box delete -f "$tag-b"
		box create -b "$work/life" "$tag-b"
		box kill "$tag-b" $sig
		wait_for 5 is_status "$tag-b" stopped
		ok "$who: $sig ends one that waits, although it is the first of its namespace" $?
	done
	box delete "$tag-b" --force
	expect 0 "" "" "$who: --force may follow the id"
	box run -d -b "$work/life" "$tag-b"
	pid=$(pid_of "$tag-b")
	box delete -f "$tag-b"
	[ $rc -eq 0 ] && [ ! -s err ] && is_dead "$pid"
	ok "$who: delete -f kills what runs" $?
	nothing_of "$tag-b" "and leaves nothing"
	bundle life '.process.args = ["/bin/sh", "-c", "echo one"]'
	box create -b "$work/life" "$tag-b"
	echo nonsense >"$work/life/config.json"
	call start "$tag-b" </dev/null
	wait_for 5 is_status "$tag-b" stopped
	[ "$(cat out)" = one ]
	ok "$who: what becomes of config.json after create makes no difference, and output goes where create's went" $?
	box delete "$tag-b"
}

running_ones() {
	bundle life '.process.args = ["/bin/sh", "-c", "exit 5"]'
	box run --keep -b "$work/life" "$tag-k"
	expect 5 "" "" "$who: run --keep gives the program's exit code"
	is_status "$tag-k" stopped
	ok "$who: and keeps the container" $?
	box delete "$tag-k"
	(cd "$work/life" && call run "$tag-k" >"$work/out" 2>"$work/err" </dev/null)
	rc=$?
	expect 5 "" "" "$who: without --bundle it is the current directory"
	nothing_of "$tag-k" "run without --keep leaves nothing"
	with_policy 'namespaces: {pid: bundle}'
	bundle life '.process.args = ["/bin/sh", "-c", "kill -9 $$"] | .linux.namespaces |= map(select(.type != "pid"))'
	if [ "$who" = root ]; then
		box run -b "$work/life" "$tag-k"
	as "$who"
		expect 137 "" "" "$who: a program that is killed gives 128 and the signal"
	fi
	bundle life '.process.args = ["/bin/sh", "-c", "trap \"exit 9\" TERM; echo begun; while :; do sleep 0.1; done"]'
	call run --no-subreaper --pid-file "$own/pid" -b "$work/life" "$tag-k" >out 2>err </dev/null &
	wait_for 5 grep -q begun out
	kill -TERM "$(awk '/^PPid/ {print $2}' "/proc/$(cat "$own/pid")/status")"
	wait $!
	rc=$?
	expect 9 begun "" "$who: run passes a signal on, and waits for what the program makes of it"
	bundle life '.process.args = ["/bin/cat"]'
	printf 'one\ntwo' | call run -b "$work/life" "$tag-k" >out 2>err
	rc=$?
	expect 0 "one
two" "" "$who: standard input is the caller's"
	box run --detach --pid-file="$own/pid" --bundle="$work/life" "$tag-k"
	expect 0 "" "" "$who: run --detach returns"
	call delete -f "$tag-k"
	bundle life '.process.args = ["/bin/sleep", "30"]'
	box run -d --pid-file "$own/no/such/pid" -b "$work/life" "$tag-k"
	fails '^credsbox: run: --pid-file: no such file or directory' "a pid file that cannot be written is an error"
	nothing_of "$tag-k" "which leaves nothing"
}

lists() {
	bundle life '.process.args = ["/bin/sleep", "30"]'
	box list -f json
	expect 0 null "" "$who: of no containers the list is null"
	box list --quiet
	expect 0 "" "" "$who: and has no ids"
	box create -b "$work/life" "$tag-2"
	box run -d -b "$work/life" "$tag-1"
	box list
	[ "$(head -n 1 out | tr -s ' ')" = "ID PID STATUS BUNDLE CREATED OWNER" ] &&
		[ "$(sed 1d out | awk '{print $1, ($2 > 0), $3, $4}')" = "$tag-1 1 running $work/life
$tag-2 1 created $work/life" ]
	ok "$who: list has a table, sorted by id" $?
	box list -q
	expect 0 "$tag-1
$tag-2" "" "$who: list -q has ids"
	box list --format=json
	[ "$(wc -l <out)" -eq 1 ] && jq -e "map([.id, .status]) ==
		[[\"$tag-1\", \"running\"], [\"$tag-2\", \"created\"]]" out >/dev/null
	ok "$who: list -f json is one line" $?
	box list -f yaml
	fails '^credsbox: list: --format: table or json' "a format that there is not is refused"
	box --root "$own/nowhere" list
	fails 'nowhere: state directory: no such file or directory' "a state directory that is named and missing is an error"
	box delete -f "$tag-1"
	box delete -f "$tag-2"
}

logs() {
	box --log "$own/log" --log-format json state "$tag-none"
	expect 1 "" "credsbox: state: container does not exist" "$who: with a log the error is on standard error too"
	jq -es 'length == 1 and (.[0] | .level == "error" and .msg == "state: container does not exist"
		and (.time | test("^[0-9-]+T[0-9:]+Z$")))' "$own/log" >/dev/null
	ok "$who: the log of JSON holds one object" $?
	box --log="$own/text" --debug state "$tag-none"
	[ "$(cat err)" = "credsbox: state: container does not exist" ] &&
		grep -qE '^time="[^"]+Z" level=error msg="state: container does not exist"$' "$own/text"
	ok "$who: the log of text is logrus's, and --debug is not seen on standard error" $?
	bundle life '.process.args = ["/bin/true"]'
	box --debug run -b "$work/life" "$tag-l"
	[ "$rc" -eq 0 ] && grep -q 'level=debug' err && ! grep -qv 'level=debug' err
	ok "$who: --debug without a log speaks on standard error" $?
	rm -f "$own/text"
	box --log "$own/text" --debug run -b "$work/life" "$tag-l"
	[ "$rc" -eq 0 ] && [ ! -s err ] && grep -q 'level=debug' "$own/text"
	ok "$who: and with one in there only" $?
	bundle life '.process.capabilities.bounding += ["CAP_BOGUS"] | .process.args = ["/nope"]'
	rm -f "$own/log"
	box --log "$own/log" --log-format json create -b "$work/life" "$tag-l"
	jq -es 'length == 1' "$own/log" >/dev/null
	ok "$who: a create that fails writes one object, and no warning beside it" $?
	box --log "$own/no/log" state "$tag-none"
	fails '^credsbox: state: --log: ' "a log that cannot be opened is an error"
	rm -f "$own/log" "$own/text"
}

wrong_lines() {
	for command in create delete events exec features kill list pause ps resume run spec start state update; do
		box $command --help
		[ $rc -eq 0 ] && [ ! -s err ] && grep -q "credsbox $command" out
		ok "$who: $command --help tells of it" $?
	done
	for command in create delete events exec kill pause ps resume run start state update; do
		box $command
		fails "^credsbox: $command: " "$command without an id is refused"
	done
	for command in create delete events kill list pause resume run spec start state update; do
		box $command a b c
		fails "^credsbox: $command: " "$command with too many words is refused"
		box $command --bogus a
		fails "^credsbox: $command: " "$command with an unknown option is refused"
	done
	box --bogus state a
	fails "unknown option '--bogus'" "an unknown global option is refused"
	box frobnicate
	fails "no command 'frobnicate'" "an unknown command is refused"
	box checkpoint "$tag-a"
	fails '^credsbox: checkpoint: not offered' "checkpoint is not offered"
	box create --no-pivot -b "$work/life" "$tag-a"
	fails 'no-pivot is not offered' "--no-pivot is not offered"
	box
	expect_like 0 '^NAME:' '' "$who: no command at all shows the help"
	box --version
	[ $rc -eq 0 ] && sed -n 1p out | grep -qE '^credsbox version [0-9]+[.][0-9]+[.][0-9]+' && grep -qE '^spec: 1[.]' out
	ok "$who: the version begins with the name, as engines show it" $?
	box --root / list
	fails '^credsbox: list: --root: ' "the root directory is no state directory"
	(cd "$own" && "$CREDSBOX" --rootless auto --criu x --root=./relative list -q) >out 2>err
	rc=$?
	expect_like 1 '' "own-$who/./relative: state directory: no such file or directory" "$who: the state directory may be relative; old options are taken"
}

# Engines leave dirt of their own: ignored signals, open files, an environment.
dirt() {
	bundle life '.process.args = ["/bin/sh", "-c",
		"grep Sig /proc/self/status; ls /proc/self/fd | tr -d \"\\n\"; echo; env; cat /proc/self/oom_score_adj"]'
	(
		trap '' PIPE INT USR1
		CANARY=yes LISTEN_PID=1 LISTEN_FDS=2 call run -b "$work/life" "$tag-d" >out 2>err </dev/null 7<"$work/policy-$who.yaml"
	)
	grep -q '^SigIgn:.0000000000000000$' out && grep -q '^SigBlk:.0000000000000000$' out
	ok "$who: signals that the caller ignores or blocks are the program's again" $?
	says 0123 "open files of the caller are not the program's"
	! grep -q -e CANARY -e LISTEN_ out
	ok "$who: nor is the caller's environment" $?
	box run -d -b "$work/life" "$tag-d"
	box delete -f "$tag-d"
	bundle life '.process.args = ["/bin/sleep", "30"]'
	box run -d -b "$work/life" "$tag-d"
	pid=$(pid_of "$tag-d")
	[ "$(awk '{print $5, $6}' "/proc/$pid/stat")" = "$pid $pid" ]
	ok "$who: it leads a session and a process group" $?
	awk '$1 == "Groups:" {exit NF > 1}' "/proc/$pid/status"
	left=$?
	if [ $left -ne 0 ] && [ "$(id -u)" != 0 ] && grep -q deny "/proc/$pid/setgroups"; then
		skip "$who: it is in none of the caller's groups" "who calls has some, and may not leave them"
	else
		ok "$who: it is in none of the caller's groups" $left
	fi
	! tr '\0' '\n' <"/proc/$pid/environ" | grep -q -e CANARY -e XDG
	ok "$who: /proc shows no environment of the runtime's" $?
	box delete -f "$tag-d"
}

for person in $(everyone); do
	as "$person"
	create_and_start
	signals
	unknown_ids
	created_ones
	running_ones
	lists
	logs
	wrong_lines
	dirt
done
finish_boxes
