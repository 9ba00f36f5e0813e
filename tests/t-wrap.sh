#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox wrap: what a command of this host sees in its box, what it may write, and how it ends.
# shellcheck disable=SC2016,SC2154 # scripts for the shells inside; variables of cli.sh and box.sh
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "${top_srcdir:-.}/tests/box.sh"
: "${helpers:=tests}"
canary=canary-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')

# wrap ARGUMENT...: in the project of whoever calls, with the home and a key in the environment
wrap() {
	wrap_call "$@" >out 2>err </dev/null
	rc=$?
}

wrap_call() {
	(
		cd "$place" || exit
		HOME=$own/home AWS_SECRET_ACCESS_KEY=$canary SSH_AUTH_SOCK=$own/home/agent.sock \
			NOTE=plain SERVICE_PASSWORD=guess-$$ BROKEN=$(printf '\377') LISTENER_ADDRESS="https://ada:$canary@example.org/" \
			call wrap "$@"
	)
}

# A home with keys and a project with an .env in it.
make_home() {
	rm -rf "${own:?}/home"
	mkdir -p "$own/home/.ssh" "$own/home/.aws" "$own/home/.cache/pip" "$own/home/project" "$own/other"
	echo "$canary" | tee "$own/home/.ssh/id_rsa" "$own/home/.aws/credentials" \
		"$own/home/project/.env" "$own/home/.netrc" >"$own/other/.npmrc"
	echo kept >"$own/home/notes"
	echo kept >"$own/other/file"
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown -R "$user_id:$user_id" "$own"
	place=$own/home/project
}

has_no_canary() { # SENTENCE
	! grep -qF "$canary" out && ! grep -qF "$canary" err
	ok "$who: $1" $?
}

sees() {
	wrap -q -- sh -c 'env; find ~ . /run /tmp -xdev -type f 2>/dev/null | head -n 500 | while read -r f; do
			head -c 4096 "$f"; done
		cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; echo end of it'
	has_no_canary "neither files, nor variables, nor processes show a credential"
	says "end of it" "all of them were looked through"
	says "NOTE=plain" "other variables are there"
	says kept "so are other files"
	wrap -q -- sh -c 'cat ~/.ssh/id_rsa ~/.aws/credentials; cat .env ~/.netrc; ls -A ~/.ssh | wc -l'
	says 0 "a directory of keys is empty"
	has_no_canary "what is known by its name is empty or gone"
	wrap -q -- sh -c 'ls -A /run /home /root 2>/dev/null | grep -vE "^(/.*:|)$"'
	! grep -vE '^(credsbox|linuxbrew|current-system)$' out | grep -q .
	ok "$who: /run and other homes are empty" $?
	wrap -q -- sh -c 'ls /sys/class/net; test -S "$SSH_AUTH_SOCK" || echo no agent'
	says lo "there is a network of its own"
	says "no agent" "there is no agent"
	[ "$(grep -c . out)" = 2 ]
	ok "$who: with nothing but the loopback device" $?
	wrap -q --env AWS_SECRET_ACCESS_KEY="$canary-x" -- sh -c 'tr "\0" " " </proc/1/cmdline'
	has_no_canary "the first process shows nothing of the command line"
}

# Somebody else's socket in /tmp, and what the caller has open.
leaks() {
	dir=$(mktemp -d /tmp/wrap-agent-XXXXXX)
	chmod 755 "$dir"
	echo "$canary" >"$dir/agent.1"
	wrap -q -- sh -c "ls -A /tmp | grep -c wrap-agent; cat $dir/agent.1"
	says 0 "what is in /tmp is not there"
	has_no_canary "nor can it be read"
	(
		exec 9<"$dir/agent.1"
		wrap_call -q -- sh -c 'cat <&9; ls /proc/self/fd | tr "\n" " "'
	) >out 2>err </dev/null
	says "0 1 2 3 " "descriptors stay outside"
	has_no_canary "and cannot be read"
	rm -rf "$dir"
}

writes() {
	wrap -q -- sh -c 'echo new >made; echo new >~/made; echo new >/made; echo new >/etc/made; echo new >/tmp/made
		echo new >/usr/made; cat /tmp/made; echo new >~/.cache/made && cat ~/.cache/made; ls ~/.cache' 2>/dev/null
	[ "$(cat "$own/home/project/made")" = new ] && [ ! -e "$own/home/made" ] && [ ! -e /made ] &&
		[ ! -e /etc/made ] && [ ! -e /usr/made ] && [ ! -e /tmp/made ] && [ ! -e "$own/home/.cache/made" ]
	ok "$who: the current directory alone is written" $?
	[ "$(grep -c '^new$' out)" = 2 ]
	ok "$who: /tmp and caches are the box's own" $?
	! grep -qx pip out
	ok "$who: and empty" $?
	wrap -q -- sh -c 'rm -f .env; mv .env x; echo x >.env'
	[ "$(cat "$own/home/project/.env")" = "$canary" ]
	ok "$who: what is masked in it stays as it was" $?

	wrap -q --rw "$own/other" -- sh -c "echo new >$own/other/made; cat $own/other/.npmrc"
	[ "$(cat "$own/other/made")" = new ]
	ok "$who: --rw opens another directory" $?
	has_no_canary "without the credentials in it"
	wrap -q --rw "$own/other" --ro . -- sh -c "echo new >$own/other/made2; echo new >made2"
	[ -e "$own/other/made2" ] && [ ! -e "$own/home/project/made2" ]
	ok "$who: --ro closes the current one" $?
	wrap -q --rw "$own/home/project" --ro "$own/home" -- sh -c 'echo new >made3; echo new >../made3'
	[ -e "$own/home/project/made3" ] && [ ! -e "$own/home/made3" ]
	ok "$who: of two that overlap the inner one counts, whatever the order" $?
	wrap --ro "$own/home/.ssh" -- cat "$own/home/.ssh/id_rsa"
	has_no_canary "a directory of keys cannot be asked for"
	grep -qF "credsbox: wrap: $own/home/.ssh was not shown" err
	ok "$who: and that is said" $?
	wrap -q --rw / -- true
	expect_like 125 '' '^credsbox: wrap: --rw /: not the whole host' "$who: the whole host cannot be opened"
	wrap -q --rw "$own/nothing" -- true
	expect_like 125 '' "^credsbox: wrap: --rw $own/nothing: no such file" "$who: nor what is not there"
}

homes() {
	place=$own/home
	wrap -- sh -c 'echo new >made4; pwd'
	[ ! -e "$own/home/made4" ] && grep -qx "$own/home" out
	ok "$who: the home is not writable when it is the current directory" $?
	grep -q '^credsbox: wrap: the current directory stays as it is: .*(--rw DIR opens one)$' err
	ok "$who: with the reason and the remedy" $?
	wrap --rw . -- sh -c 'echo new >made4'
	[ -e "$own/home/made4" ] && ! grep -q 'stays as it is' err
	ok "$who: unless somebody says so" $?
	place=/
	wrap -- pwd
	grep -q 'stays as it is' err && grep -qx / out
	ok "$who: nor is the root" $?
	place=/tmp
	wrap -q -- sh -c 'echo new >made5; pwd; ls'
	[ "$(tr '\n' ' ' <out)" = "/tmp made5 ${work#/tmp/} " ] && [ ! -e /tmp/made5 ]
	ok "$who: /tmp is the box's own there, too" $?
	place=$own/home/project
}

variables() {
	wrap -q --env NOTE=changed --env ADDED=yes -- env
	! grep -q "guess-$$" out
	ok "$who: a variable is kept by its name" $?
	wrap -q --env SERVICE_PASSWORD --env NOTE=changed --env ADDED=yes -- env
	says "SERVICE_PASSWORD=guess-$$" "--env lets it pass"
	says NOTE=changed "and sets one"
	says ADDED=yes "or a new one"
	! grep -q NOTE=plain out
	ok "$who: which is there once" $?
	wrap -q --env LISTENER_ADDRESS -- env
	has_no_canary "a value that is a credential is none the less kept"
	wrap -- true
	grep -q '^credsbox: wrap: 1 variable of the environment is not valid UTF-8: left out$' err ||
		grep -q 'not valid UTF-8' err
	ok "$who: a variable that is no text is left out, and that is said" $?
	wrap -q --env =x -- true
	expect_like 125 '' '^credsbox: wrap: --env: NAME or NAME=VALUE' "$who: --env needs a name"
}

ends() {
	wrap -q -- sh -c 'exit 7'
	[ $rc = 7 ]
	ok "$who: the exit code is the command's" $?
	wrap -q -- sh -c 'kill -TERM $$'
	[ $rc = 143 ]
	ok "$who: of one that a signal ended it is 128 more" $?
	wrap -q -- sh -c 'sh -c "kill -9 \$\$"; echo $?'
	says 137 "signals work among its processes"
	wrap -q -- /nonexistent/command
	expect_like 127 '' '^credsbox: wrap: exec: "/nonexistent/command"' "$who: 127 when there is none"
	wrap -q -- nonexistent-command
	expect_like 127 '' '^credsbox: wrap: exec: "nonexistent-command": executable file not found' \
		"$who: be it by name"
	wrap -q -- /etc/passwd
	expect_like 126 '' '^credsbox: wrap: exec: "/etc/passwd": permission denied' "$who: 126 when it is no program"
	wrap -q
	expect_like 125 '' '^credsbox: wrap: which command' "$who: 125 when it is not to blame"
	for signal in TERM INT HUP USR1; do
		(
			cd "$place" && HOME=$own/home
			export HOME
			call wrap -q -- sh -c "trap 'echo got $signal; exit 3' $signal; echo ready >ready
				while :; do sleep 0.1; done"
		) >out 2>err </dev/null &
		rm -f "$place/ready"
		shell=$!
		wait_for 10 test -e "$place/ready"
		pid=$(pgrep -P $shell 2>/dev/null | head -n 1)
		kill -$signal "${pid:-$shell}"
		wait $shell
		rc=$?
		[ $rc = 3 ] && grep -qx "got $signal" out
		ok "$who: $signal goes to the command" $?
	done
	# What a terminal sends, its children get, too: a shell waits for them.
	rm -f "$place/ready"
	(
		cd "$place" && HOME=$own/home
		export HOME
		call wrap -q -- sh -c 'echo ready >ready; sleep 300; echo on'
	) >out 2>err </dev/null &
	shell=$!
	wait_for 10 test -e "$place/ready"
	pid=$(pgrep -P $shell 2>/dev/null | head -n 1)
	begin=$(date +%s)
	kill -INT "${pid:-$shell}"
	wait $shell
	[ $(($(date +%s) - begin)) -lt 60 ]
	ok "$who: an interrupt ends what the command waits for" $?
	wrap -q -- sh -c "sleep 301.$$ & echo"
	[ $rc = 0 ] && ! pgrep -f "^sleep 301\.$$\$" >/dev/null
	ok "$who: what it leaves running ends with it" $?
	rm -f "$place/ready"
	(
		cd "$place" && HOME=$own/home
		export HOME
		call wrap -q -- sh -c "echo ready >ready; sleep 302.$$"
	) >out 2>err </dev/null &
	shell=$!
	wait_for 10 test -e "$place/ready"
	pid=$(pgrep -P $shell 2>/dev/null | head -n 1)
	kill -KILL "${pid:-$shell}"
	wait $shell
	rc=$?
	no_sleeper() { ! pgrep -f "^sleep 302\.$$\$"; }
	wait_for 10 no_sleeper
	ok "$who: when the caller's side is killed, so is the box" $?
	call list -q >ids
	grep -q '^wrap-' ids
	ok "$who: whose state can be seen" $?
	while read -r id; do
		call delete "$id" </dev/null
	done <ids
	echo from a pipe | wrap_call -q -- cat >out 2>err
	grep -qx "from a pipe" out
	ok "$who: pipes stay pipes" $?
	ps_of=$(wrap_call -q -- sh -c '(sleep 0.1 & ) ; sleep 0.5; ls -d /proc/[0-9]* | wc -l' 2>&1)
	[ "$ps_of" -le 5 ]
	ok "$who: orphans are buried" $?
}

reports() {
	wrap -- true
	expect_like 0 '' \
		'^credsbox: wrap: kept [0-9]+ variables and [0-9]+ paths from the command; see: credsbox audit show --container wrap-[0-9a-f]{8}$' \
		"$who: one line says at the end what was kept"
	id=$(grep -o 'wrap-[0-9a-f]*' err)
	grep -F "\"$id\"" "$state/audit.jsonl" | grep -q AWS_SECRET_ACCESS_KEY &&
		grep -F "\"$id\"" "$state/audit.jsonl" | grep -qF "$own/home/.ssh"
	ok "$who: the record is under that name" $?
	! grep -qF "$canary" "$state/audit.jsonl"
	ok "$who: without a value" $?
	wrap -q -- true
	expect 0 '' '' "$who: and nothing with -q"
	wrap -q --dry-run -- touch made6
	expect_like 3 '^remove +env +process\.env\[[0-9]+\] +AWS_SECRET_ACCESS_KEY' '' "$who: --dry-run tells beforehand"
	[ ! -e "$own/home/project/made6" ]
	ok "$who: and runs nothing" $?
	has_no_canary "nor shows a value"
	with_policy 'mode: observe'
	wrap -- sh -c 'env; touch ~/made7'
	! grep -q 'kept' err
	ok "$who: nothing is said where nothing was kept" $?
	says "AWS_SECRET_ACCESS_KEY=$canary" "a policy that observes lets the command have all"
	[ ! -e "$own/home/made7" ]
	ok "$who: and no more to write than others do" $?
	as "$who"
	with_policy 'mode: enforce'
	wrap -- true
	[ $rc = 125 ] && grep -q 'refused: process.env\[[0-9]*\]: AWS_SECRET_ACCESS_KEY' err && ! grep -q 'kept' err
	ok "$who: a policy that enforces refuses" $?
	as "$who"
	run wrap --help
	expect_like 0 '^   credsbox wrap -' '' "$who: --help"
}

# What git takes commands from.
repositories() {
	command -v git >/dev/null || {
		skip "$who: repositories" "no git here"
		return
	}
	(cd "$place" && git init -q . && rm -rf .git/hooks &&
		printf '[user]\nname = n\nemail = n@example.org\n' >>.git/config)
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown -R "$user_id:$user_id" "$place"
	wrap -q -- sh -c 'git add made && git commit -qm one && git clone -q . /tmp/copy && ls /tmp/copy'
	[ $rc = 0 ] && grep -qx made out
	ok "$who: git commits and clones" $?
	wrap -q -- sh -c 'echo x >.git/hooks/pre-commit; mkdir .git/hooks/x; git config core.pager evil
		echo "[core] pager = evil" >>.git/config; mv .git moved; rm -rf .git/hooks; rm -f .git/config'
	[ -d "$place/.git" ] && ! grep -q evil "$place/.git/config" && [ -z "$(ls -A "$place/.git/hooks")" ]
	ok "$who: what git would run later cannot be changed" $?
	wrap -q --rw .git -- git config core.pager less
	grep -q less "$place/.git/config"
	ok "$who: unless somebody says so" $?
	rm -rf "$place/.git"
}

# terminal SCRIPT COMMAND...: with one, typed into
terminal() {
	script=$1
	shift
	(
		cd "$place" && HOME=$own/home TERM=dumb
		export HOME TERM
		sh -c "$script" | call_in_script "$@"
	) >out 2>err
	rc=$?
}

call_in_script() {
	line=
	for word in "$@"; do
		line="$line '$word'"
	done
	as_user=
	[ "$who" = root ] || [ "$(id -u)" != 0 ] ||
		as_user="setpriv --reuid=$user_id --regid=$user_id --clear-groups"
	timeout 30 script -qec "stty rows 33 cols 111; $as_user '$work/program' --root '$state' --policy '$policy' wrap -q -- $line ${redirect-}" /dev/null
}

terminals() {
	command -v script >/dev/null || {
		skip "$who: terminals" "no script(1) here"
		return
	}
	terminal 'sleep 1' sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size; ps -o tpgid= -p $$ | grep -q "[1-9]" && echo job control'
	grep -q '^33 111' out
	ok "$who: a terminal is one in there, of the same size" $?
	terminal 'sleep 2; printf "\003"; sleep 1' sh -c 'sleep 100; echo still here'
	[ $rc = 130 ] && ! grep -q "still here" out
	ok "$who: Ctrl-C interrupts" $?
	terminal 'sleep 1; echo "sleep 100"; sleep 1; printf "\003"; sleep 1; echo "echo code \$?"; sleep 0.5; echo exit 5' sh -i
	[ $rc = 5 ] && grep -q 'code 130' out
	ok "$who: a shell on it lives on" $?
	terminal 'sleep 1' sh -c 'ls -l /proc/self/fd/0 /dev/tty; cat /proc/self/stat | cut -d" " -f7'
	grep -q '/dev/pts/0' out
	ok "$who: it is another than the caller's" $?
	redirect="2>'$own/other/errors'"
	terminal 'sleep 1' sh -c 'test -t 1 && echo one; echo to a file >&2'
	redirect=
	grep -q one out && [ "$(cat "$own/other/errors")" = "to a file" ]
	ok "$who: standard error goes to its file all the same" $?
}

# A person without a login session has no XDG_RUNTIME_DIR.
places() {
	(
		cd "$place" && HOME=$own/home && export HOME && unset XDG_RUNTIME_DIR XDG_STATE_HOME
		if [ "$(id -u)" = 0 ]; then
			setpriv --reuid=$user_id --regid=$user_id --clear-groups "$work/program" wrap -q -- echo ran
		else
			"$work/program" wrap -q -- echo ran
		fi
	) >out 2>err </dev/null
	rc=$?
	expect 0 ran '' "$who: it works without a directory for the session"
	[ -z "$(ls -A "$own/home/.local/state/credsbox/run")" ]
	ok "$who: and leaves nothing in the one that it makes" $?
}

for person in $(everyone); do
	as "$person"
	make_home
	sees
	leaks
	writes
	homes
	variables
	ends
	reports
	repositories
	terminals
	[ "$person" = root ] || places
	[ -z "$(find "$state" -mindepth 1 -maxdepth 1 -name 'wrap-*')" ]
	ok "$who: no state is left" $?
done
finish_boxes
