#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Terminals, as root and as an ordinary user: console sockets, foregrounds, and pidfd sockets.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
: "${helpers:=$top_srcdir/tests}"
[ -x "$helpers/helper-console" ] || skip_all "no helper-console here (make check builds it)"

# await NAME [TYPED]: somebody waits at the socket $own/NAME; what comes goes to the file NAME
await() {
	rm -f "$own/$1"
	"$helpers/helper-console" "$own/$1" ${2:+"$2"} >"$work/$1" 2>&1 &
	helper=$!
	wait_for 5 test -S "$own/$1"
}

# arrived NAME: the helper has told everything
arrived() {
	wait "$helper"
	tr '\r' '?' <"$work/$1" >out
}

sockets() {
	bundle t '.process.terminal = true | .process.consoleSize = {height: 33, width: 44}
		| .process.args = ["/bin/sh", "-c", "echo first; tty; stty size; test -t 0 && test -t 1 && test -t 2 && echo all;
		stty size </dev/tty; echo console >/dev/console; stat -c \"%u %a %t:%T\" $(tty) /dev/console; read line; echo got $line;
		ls /proc/self/fd | tr -d \"\\n\"; echo; cut -d\" \" -f7 /proc/self/stat"]'
	await sock 'typed
'
	box create --console-socket "$own/sock" -b "$work/t" "$tag-t"
	expect 0 "" "" "$who: create gives a terminal away"
	call start "$tag-t"
	arrived sock
	says_like '^name .' "the message has a name in it"
	says 'fds 1' "and one descriptor"
	says 'then nothing' "and there is one message only"
	says 'onlcr off' "lines end as the program ends them"
	says first "so what it writes comes as it is"
	says 'size 33 44' "the size is the bundle's"
	says /dev/pts/0 "the terminal is the container's first"
	[ "$(grep -cx '33 44' out)" -eq 2 ]
	ok "$who: the program sees the size, on /dev/tty too" $?
	says all "all three descriptors are the terminal"
	says console "so is /dev/console"
	[ "$(grep -cE '^0 6[0-9]0 88:0$' out)" -eq 2 ]
	ok "$who: it belongs to the user" $?
	says 'got typed' "what is typed reaches the program"
	says 0123 "the program has no more descriptors than without"
	! grep -q '^0$' out
	ok "$who: it is the controlling terminal" $?
	box delete -f "$tag-t"
	await sock
	box run -d --console-socket "$own/sock" -b "$work/t" "$tag-t"
	expect 0 "" "" "$who: so does run --detach"
	box delete -f "$tag-t"
	arrived sock
	says first "which starts the program at once"
	await sock
	(cd "$own" && call run -d --console-socket sock -b "$work/t" "$tag-t") >out 2>err </dev/null
	rc=$?
	expect 0 "" "" "$who: the socket's path may be relative"
	box delete -f "$tag-t"
	arrived sock
}

signals() {
	bundle t '.process.terminal = true | .process.args = ["/bin/sh", "-c", "trap \"echo interrupted; exit\" INT; echo waiting; while :; do sleep 0.1; done"]'
	await sock "$(printf '\003')"
	box run -d --console-socket "$own/sock" -b "$work/t" "$tag-t"
	wait_for 5 is_status "$tag-t" stopped
	arrived sock
	says_like 'interrupted' "what is typed can be a signal"
	box delete -f "$tag-t"
}

refusals() {
	bundle t '.process.terminal = true'
	box create -b "$work/t" "$tag-t"
	fails 'cannot allocate tty if credsbox will detach without setting console socket' "a terminal without a socket is refused"
	box run -d -b "$work/t" "$tag-t"
	fails 'cannot allocate tty if credsbox will detach without setting console socket' "by run --detach too"
	box run --console-socket "$own/sock" -b "$work/t" "$tag-t"
	fails 'cannot use console socket if credsbox will not detach or allocate tty' "a socket is for those who detach"
	alone run -b "$work/t" "$tag-t"
	fails '^credsbox: run: .*(tty|terminal)' "a foreground needs a terminal of the caller's"
	box create --console-socket "$own/none" -b "$work/t" "$tag-t"
	fails '^credsbox: create: --console-socket: .*no such file or directory' "a socket that is not there is an error"
	touch "$own/file"
	box create --console-socket "$own/file" -b "$work/t" "$tag-t"
	fails '^credsbox: create: --console-socket: ' "so is a file that is none"
	long=$own/$(printf 'x%.0s' $(seq 120))
	box create --console-socket "$long" -b "$work/t" "$tag-t"
	fails '^credsbox: create: --console-socket: .*no such file' "a long path is no other error"
	await sock
	ln -sf sock "$own/link"
	box create --console-socket "$own/link" -b "$work/t" "$tag-t"
	fails '^credsbox: create: --console-socket: ' "a link is not followed"
	kill "$helper"
	wait "$helper"
	nothing_of "$tag-t" "and nothing is left"
	bundle t '.process.terminal = false | .process.consoleSize = {height: 33, width: 44}'
	box create --console-socket "$own/sock" -b "$work/t" "$tag-t"
	fails 'cannot use console socket if credsbox will not detach or allocate tty' "a socket without a terminal is refused"
	box run -b "$work/t" "$tag-t"
	expect 0 "" "" "$who: a size without a terminal is ignored"
}

# alone ARGUMENT...: as box, in a session without a terminal
alone() {
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		set -- setpriv --reuid=$user_id --regid=$user_id --clear-groups "$work/program" --root "$state" --policy "$policy" "$@"
	else
		set -- "$work/program" --root "$state" --policy "$policy" "$@"
	fi
	setsid -w "$@" >out 2>err </dev/null
	rc=$?
}

# with_terminal COMMAND: on a terminal of 20 lines of 50 columns, where nobody types
mkfifo "$work/silence"
with_terminal() {
	cat >"$work/tty.sh" <<-EOF
		who=$who work=$work state=$state policy=$policy user_id=$user_id tag=$tag
		$(sed -n '/^call()/,/^}/p' "$top_srcdir/tests/box.sh")
		stty rows 20 cols 50
		$1
		echo "code \$?"
	EOF
	timeout 30 script -qec "sh $work/tty.sh" /dev/null <>"$work/silence" 2>err | tr -d '\r' >out
}

foreground() {
	if ! command -v script >/dev/null; then
		skip "$who: run gives a terminal to the program" "no script here (package bsdutils)"
		return
	fi
	bundle t '.process.terminal = true | .process.args = ["/bin/sh", "-c", "tty; stty size; test -c /dev/console && echo console; exit 6"]'
	with_terminal 'call run -b "$work/t" "$tag-t"'
	says /dev/pts/0 "in the foreground the program has a terminal of its own"
	says '20 50' "as large as the caller's"
	says console "and a console"
	says 'code 6' "the exit code comes back"
	nothing_of "$tag-t" "and nothing is left"
	bundle t '.process.terminal = true | .process.args = ["/bin/echo", "program"]
		| .hooks.startContainer = [{path: "/bin/sh", args: ["sh", "-c", "yes | head -n 30000; echo last"]}]'
	with_terminal 'call run -b "$work/t" "$tag-t"'
	says last "what a startContainer hook writes, however much, comes through the terminal"
	says program "and the program runs"
	bundle t '.process.terminal = true
		| .hooks.startContainer = [{path: "/bin/sh", args: ["sh", "-c", "echo why it failed; exit 3"]}]'
	with_terminal 'call run -b "$work/t" "$tag-t"'
	says 'why it failed' "also of one that fails"
	says_like 'error running startContainer hook #0: exit status 3' "which is an error"
	nothing_of "$tag-t" "and nothing is left"
	bundle t '.process.args = ["/bin/sh", "-c", "test -t 0 && echo in; test -t 1 && echo out; echo hello"]'
	with_terminal 'call run -b "$work/t" "$tag-t"'
	says hello "without a terminal in the bundle the caller's is used as it is"
}

guests() {
	bundle t '.process.args = ["/bin/sleep", "100"]'
	await pidfd
	box run -d --pid-file "$own/pid" --pidfd-socket "$own/pidfd" -b "$work/t" "$tag-t"
	expect 0 "" "" "$who: run gives a descriptor of the process away"
	arrived pidfd
	says "pidfd $(cat "$own/pid")" "which is the container's first"
	await sock
	box exec -d -t --console-socket "$own/sock" "$tag-t" sh -c 'echo guest; tty; stty size; stat -c %u $(tty)'
	expect 0 "" "" "$who: exec --detach gives its terminal away"
	arrived sock
	says guest "its program's"
	says_like '^/dev/pts/[0-9]+$' "which is one of the container's"
	says 'onlcr off' "lines end as the program ends them there too"
	await pidfd
	box exec -d --pid-file "$own/pid" --pidfd-socket "$own/pidfd" "$tag-t" sleep 100
	arrived pidfd
	says "pidfd $(cat "$own/pid")" "exec gives a descriptor of its own process away"
	jq -n '{cwd: "/", args: ["sh", "-c", "stty size; echo file"], terminal: true, consoleSize: {height: 5, width: 6}, env: ["PATH=/bin"]}' >"$own/p.json"
	chmod 644 "$own/p.json"
	await sock
	box exec --process "$own/p.json" --detach --pid-file "$own/pid" --console-socket "$own/sock" "$tag-t"
	arrived sock
	[ "$rc" -eq 0 ] && grep -qx file out && grep -qx '5 6' out
	ok "$who: a process file may ask for a terminal, as conmon's do" $?
	box create --pidfd-socket "$own/none" -b "$work/t" "$tag-n"
	fails '^credsbox: create: --pidfd-socket: ' "a socket that is not there is an error"
	nothing_of "$tag-n" "and nothing is left"
	box delete -f "$tag-t"
}

for person in $(everyone); do
	as "$person"
	sockets
	signals
	refusals
	foreground
	guests
done
finish_boxes
