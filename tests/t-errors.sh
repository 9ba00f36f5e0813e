#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bad input, as root and as an ordinary user: one clear line, the right exit code, nothing left.
# shellcheck source=tests/cli.sh disable=SC2016,SC2086 # scripts for other shells; lists of words
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

# bad REGEX SENTENCE: create of the bundle "bad" fails in one line, and leaves nothing
bad() {
	box create -b "$work/bad" "$tag-bad"
	[ "$rc" -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE -- "^credsbox: create: .*($1)" err &&
		[ ! -e "$state/$tag-bad" ]
	ok "$who: $2" $?
	[ ! -e "$state/$tag-bad" ] || box delete -f "$tag-bad"
}

# edit SED-SCRIPT: the text of a good config.json, changed
edit() {
	bundle bad .
	jq -c . "$work/bad/config.json" | sed "$1" >"$work/bad/c"
	cmp -s "$work/bad/c" "$work/bad/config.json" && echo "# nothing was changed by $1"
	mv "$work/bad/c" "$work/bad/config.json"
	chmod 644 "$work/bad/config.json"
}

# with JQ-FILTER
with() {
	bundle bad "$1"
}

files() {
	bundle bad .
	truncate -s 1T "$work/bad/config.json" 2>/dev/null || truncate -s 1G "$work/bad/config.json"
	bad 'config.json: .*(large|big|bytes|MiB)' "a config.json of a terabyte is refused"
	: >"$work/bad/config.json"
	bad 'config.json' "an empty one is refused"
	rm "$work/bad/config.json"
	bad 'config.json: no such file or directory' "a missing one is named"
	mkdir "$work/bad/config.json"
	bad 'config.json' "a directory of that name is refused"
	rmdir "$work/bad/config.json"
	mkfifo "$work/bad/config.json"
	bad 'config.json' "a pipe is not waited for"
	rm -r "$work/bad"
	bad 'bundle: no such file or directory' "a missing bundle is named"
}

texts() {
	bundle bad .
	{
		head -c 100000 /dev/zero | tr '\0' '['
		head -c 100000 /dev/zero | tr '\0' ']'
	} >"$work/bad/config.json"
	bad 'config.json: .*(nest|deep|depth)' "a hundred thousand brackets are too deep"
	edit 's/"ociVersion"/"ociVersion":"1.0.0","ociVersion"/'
	bad "config.json: .*duplicate|twice" "a key that is there twice is refused"
	edit 's/"noNewPrivileges"/"env":["X=1"],"noNewPrivileges"/'
	bad 'process.*(duplicate|twice)' "also deep inside"
	edit 's/"env"/"ENV"/'
	bad 'ENV' "a key in other letters than the known one's is refused"
	edit 's/"process"/"Process"/'
	bad 'Process' "also at the top"
	edit 's/"cwd":"\/"/"cwd":"\/a\\u0000b"/'
	bad 'config.json' "a zero in a text is refused"
	edit 's/"cwd":"\/"/"cwd":"\/\\ud800"/'
	bad 'config.json' "half a character is refused"
	edit "s/\"cwd\":\"\\/\"/\"cwd\":\"\\/$(printf '\377')\"/"
	bad 'config.json' "what is no UTF-8 is refused"
	edit "s/\"cwd\":\"\\/\"/\"cwd\":\"\\/$(printf '\300\257')\"/"
	bad 'config.json' "neither is a longer form than needed"
	edit 's/$/x/'
	bad 'config.json' "something behind the end is refused"
	edit 's/$/{}/'
	bad 'config.json' "so is a second document"
	edit "s/^/$(printf '\357\273\277')/"
	bad 'config.json' "so is a mark of byte order"
	edit 's/^{/{ \/* x *\/ /'
	bad 'config.json' "so are comments"
	edit "s/\"cwd\":\"\\/\"/\"cwd\":'\\/'/"
	bad 'config.json' "and other quotes"
	edit 's/"cwd":"\/"/"cwd":NaN/'
	bad 'config.json' "and what is no number"
	edit 's/"uid":0/"uid":1e400/'
	bad 'config.json|uid' "a number without measure is refused"
	edit 's/"uid":0/"uid":0x10/'
	bad 'config.json' "so is one in hexadecimal"
	edit 's/"uid":0/"uid":-0/'
	bad 'uid' "so is less than nothing"
	edit 's/"uid":0/"uid":12345678901234567890/'
	bad 'uid' "and more than there is"
}

values() {
	for each in -1 4294967295 4294967296 1e3 0.9 '"0"' null; do
		edit "s/\"uid\":0/\"uid\":$each/"
		bad 'process[.]user[.]uid' "$each is no user"
	done
	with '.process.env = "A=1"'
	bad 'process[.]env: ' "variables are a list"
	with '.process.env = [null, 7]'
	bad 'process[.]env\[0\]' "of texts"
	with '.process.env = ["NAME"]'
	bad 'process[.]env\[0\]' "a variable has a value"
	with '.process.env = ["=value"]'
	bad 'process[.]env\[0\]' "and a name"
	with '.process.args = []'
	bad 'process[.]args' "no arguments are no program"
	with 'del(.process.args)'
	bad "process: required property 'args' is missing" "nor are missing ones"
	with '.process.args = "sh"'
	bad 'process[.]args' "nor is a text"
	with 'del(.process)'
	bad 'process: missing' "a bundle without a process is not created"
	with 'del(.root)'
	bad "required property 'root' is missing" "nor one without a root"
	with 'del(.ociVersion)'
	bad 'ociVersion' "nor one without a version"
	with '.linux = []'
	bad 'linux: ' "an object is an object"
	with '.mounts[0].destination = ""'
	bad 'mounts\[0\][.]destination' "a mount has a place"
	with '.mounts[0].destination = ("/" + ("x" * 5000))'
	bad 'mounts\[0\]' "of a length that there can be"
	with '.process.env += [range(70000) | "V\(.)=x"]'
	bad 'config.json|env' "there is an end to variables"
	with '.annotations = {"credsbox.io/bogus": "x"}'
	bad 'credsbox[.]io/bogus' "an annotation of ours that we do not know is refused"
	with '.process.args = ["/bin/true", "x\ny"] | .hostname = ("h" * 65)'
	bad 'hostname' "a name of the host has a length that there can be"
}

names() {
	bundle bad .
	for id in .. . a/b '' 'a b' 'a
b' "$(printf 'x%.0s' $(seq 1025))" 'ä' 'a:b' '@a' '/'; do
		box create -b "$work/bad" -- "$id"
		[ "$rc" -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'invalid container ID format\|container ID' err
		ok "$who: '$(printf %.20s "$id" | tr '\n' ' ')' is no id" $?
		for command in state kill delete; do
			box $command -- "$id"
			[ "$rc" -ne 1 ] || [ "$(wc -l <err)" -ne 1 ] || echo "$command"
		done >refusing
		[ "$(tr '\n' ' ' <refusing)" = "state kill delete " ]
		ok "$who: nor for other commands" $?
	done
	for id in a+b_c.d-e "$(printf 'x%.0s' $(seq 64))" 0; do
		box create -b "$work/bad" "$tag-$id"
		[ "$rc" -eq 0 ]
		ok "$who: '$(printf %.20s "$id")' can be one" $?
		box delete -f "$tag-$id"
	done
}

races() {
	bundle bad '.process.args = ["/bin/sleep", "100"]'
	for i in 1 2 3 4 5 6 7 8; do
		call create -b "$work/bad" "$tag-race" >/dev/null 2>"race.$i" </dev/null &
	done
	wait
	[ "$(grep -l 'container with given ID already exists' race.* | wc -l)" -eq 7 ] && [ "$(find . -maxdepth 1 -name 'race.*' -size 0 | wc -l)" -eq 1 ]
	ok "$who: of eight who want one id, one gets it and seven are told" $?
	is_status "$tag-race" created
	ok "$who: and that one is whole" $?
	for i in 1 2 3 4; do
		call state "$tag-race" >"race.$i" 2>&1 </dev/null &
		call delete -f "$tag-race" >"race.del$i" 2>&1 </dev/null &
	done
	wait
	! grep -qv -e '^[{} ]' -e 'container does not exist' race.1 race.2 race.3 race.4 && ! [ -s race.del1 ]
	ok "$who: who looks while it is deleted sees it whole or not at all" $?
	rm -f race.*
	nothing_of "$tag-race" "and it is gone"
}

# What is on the disk is not believed.
damaged() {
	bundle bad '.process.args = ["/bin/sleep", "100"]'
	for each in truncate empty foreign; do
		box run -d --pid-file "$own/pid" -b "$work/bad" "$tag-dam"
		file=$(find "$state/$tag-dam" -type f -size +200c | head -n 1)
		case $each in
		truncate) truncate -s 100 "$file" ;;
		empty) : >"$file" ;;
		foreign) echo '{"pid": 1, "id": "x"}' >"$file" ;;
		esac
		box state "$tag-dam"
		[ "$rc" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'corrupt state (credsbox delete --force removes it)' err
		ok "$who: a state file that is $each is told of" $?
		box kill "$tag-dam" KILL
		[ "$rc" -eq 1 ]
		ok "$who: no signal is sent because of it" $?
		box delete -f "$tag-dam"
		[ "$rc" -eq 0 ] && [ ! -e "$state/$tag-dam" ]
		ok "$who: delete --force removes it all the same" $?
		kill -KILL "$(cat "$own/pid")" 2>/dev/null
	done
}

# Whose number it was is nobody's business when the process has gone.
reused() {
	bundle bad '.process.args = ["/bin/sleep", "100"]'
	sleep 100 &
	stranger=$!
	# The clock of processes ticks a hundred times in a second.
	sleep 0.1
	box run -d --pid-file "$own/pid" -b "$work/bad" "$tag-re"
	grep -q "^$(cat "$own/pid") " "$state/$tag-re/pid"
	ok "$who: the number of the process is in its file" $?
	sed -i "s/^$(cat "$own/pid") /$stranger /" "$state/$tag-re/pid"
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown $user_id "$state/$tag-re/pid"
	box kill "$tag-re" KILL
	kill -0 "$stranger" 2>/dev/null
	ok "$who: a process that has the number but not the start is not killed" $?
	box delete -f "$tag-re"
	kill -0 "$stranger" 2>/dev/null
	ok "$who: not by delete --force either" $?
	kill "$stranger"
	kill -KILL "$(cat "$own/pid")" 2>/dev/null
	wait
}

surroundings() {
	bundle bad .
	# A shell needs more than eight itself.
	(
		prefix="prlimit --nofile=8:8"
		[ "$who" = root ] || [ "$(id -u)" != 0 ] || prefix="setpriv --reuid=$user_id --regid=$user_id --clear-groups $prefix"
		$prefix "$work/program" --root "$state" --policy "$policy" create -b "$work/bad" "$tag-few" >out 2>err </dev/null
	)
	rc=$?
	[ "$rc" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'too many open files' err
	ok "$who: with eight descriptors there is a clear error" $?
	nothing_of "$tag-few" "and nothing is left"
	call --root /proc/none create -b "$work/bad" "$tag-ro" >out 2>err </dev/null
	rc=$?
	fails '/proc/none' "a state directory that cannot be made is an error"
	if [ "$who" = user ]; then
		if [ "$(id -u)" = 0 ]; then
			mkdir -p "$work/closed"
			chmod 755 "$work/closed"
			call --root "$work/closed" create -b "$work/bad" "$tag-ro" >out 2>err </dev/null
			rc=$?
			[ "$rc" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ]
			ok "$who: somebody else's state directory is refused" $?
		fi
		(
			unset XDG_RUNTIME_DIR
			if [ "$(id -u)" = 0 ]; then
				setpriv --reuid=$user_id --regid=$user_id --clear-groups "$work/program" state x
			else
				"$work/program" state x
			fi >out 2>err
		)
		rc=$?
		fails 'XDG_RUNTIME_DIR' "without a state directory nothing is made up in /tmp"
	fi
	bundle bad '.process.args = ["/bin/sh", "-c", "ls -l /proc/self/fd | grep -c config.json; echo done >&2"]'
	call run -b "$work/bad" "$tag-closed" <&- >out 2>err
	[ "$(tail -n 1 err)" = "done" ] && [ "$(cat out)" = 0 ]
	ok "$who: a closed standard input is nobody's file" $?
	call run -b "$work/bad" "$tag-closed" </dev/null 2>err >&-
	! grep -q ociVersion err && [ ! -e "$state/$tag-closed" ]
	ok "$who: nor is a closed standard output" $?
	bundle bad '.process.args = ["/bin/sh", "-c", "exit 4"]'
	(
		trap '' CHLD
		call run -b "$work/bad" "$tag-chld" >out 2>err </dev/null
		exit $?
	)
	[ $? -eq 4 ]
	ok "$who: a caller who ignores the end of children gets the exit code all the same" $?
	LC_ALL=tr_TR.UTF-8 TZ=/etc/passwd LD_BIND_NOW=1 MALLOC_PERTURB_=1 GCONV_PATH=/tmp POSIXLY_CORRECT=1 call run -b "$work/bad" "$tag-env" >out 2>err </dev/null
	rc=$?
	expect 4 "" "" "$who: variables of libraries change nothing"
	if command -v python3 >/dev/null && [ "$who" = root ]; then
		timeout 10 python3 -c "import ctypes
libc = ctypes.CDLL(None)
libc.execve(b'$work/program', (ctypes.c_char_p * 1)(None), (ctypes.c_char_p * 1)(None))" >out 2>err </dev/null
		rc=$?
		[ "$rc" -lt 126 ]
		ok "$who: without even a name it ends, and does not crash" $?
	fi
	for signal in TERM HUP; do
		bundle bad '.hooks.prestart = [{path: "/bin/sleep", args: ["sleep", "100"]}]'
		call run --pid-file "$own/pid" -b "$work/bad" "$tag-sig" >out 2>err </dev/null &
		wait_for 5 test -e "$state/$tag-sig"
		runtime=$(pgrep -f "program --root $state .*$tag-sig" | head -n 1)
		wait_for 5 pgrep -P "$runtime" sleep
		kill -"$signal" "$runtime"
		wait $!
		wait_for 5 test ! -e "$state/$tag-sig"
		ok "$who: $signal while it is made ends it, and leaves nothing" $?
		call delete -f "$tag-sig" 2>/dev/null
	done
}

for person in $(everyone); do
	as "$person"
	files
	texts
	values
	names
	races
	damaged
	reused
	surroundings
done
finish_boxes
