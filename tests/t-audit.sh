#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The record of containers: it is on the disk before any program or hook runs, or nothing runs.
# What is mounted here is nobody else's.
if [ "$(id -u)" = 0 ] && [ -z "${AUDIT_NAMESPACE-}" ] && unshare -m true 2>/dev/null; then
	AUDIT_NAMESPACE=1 exec unshare -m --propagation private sh "$0"
fi
# shellcheck source=tests/cli.sh disable=SC2016 # scripts for other shells
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

# traced ARGUMENT...: like box, with the system calls of all processes in $work/calls
traced() {
	is=$1
	: >"$work/calls"
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		set -- setpriv --reuid=$user_id --regid=$user_id --clear-groups "$work/program" \
			--root "$state" --policy "$policy" "$@"
	else
		set -- "$work/program" --root "$state" --policy "$policy" "$@"
	fi
	strace -f -e trace=write,fdatasync,sendmsg,execve,clone3,exit_group -o "$work/calls" "$@" \
		>out 2>err </dev/null &
	tracer=$!
	# A container that waits is looked at until it is gone.
	[ "$is" != create ] || {
		wait_for 10 grep -q 'exit_group(0)' "$work/calls"
		box delete -f "$tag-o"
	}
	wait $tracer
	rc=$?
}

# line_of REGEX: the number of the first call that matches, or 0
line_of() {
	grep -nE -m 1 -- "$1" "$work/calls" | cut -d : -f 1 | grep . || echo 0
}

# beside COMMAND: the record is written after the first process was made, and durable before its program
beside() {
	synced=$(line_of 'fdatasync(\(| resumed).*= 0')
	cloned=$(line_of 'clone3\(')
	ran=$(line_of "execve\\(\"/bin/echo")
	{
		echo "clone3 $cloned, fdatasync $synced, execve $ran"
		cat "$work/calls"
	} >out
	[ "$cloned" -gt 0 ] && [ "$cloned" -lt "$synced" ]
	ok "$who: $1 writes the record beside what its first process does" $?
	[ "$1" != create ] || [ "$ran" -gt 0 ] || ran=$(line_of 'exit_group\(0\)')
	[ "$synced" -gt 0 ] && [ "$synced" -lt "$ran" ]
	ok "$who: and has it on the disk before the program runs, or create returns" $?
}

order() {
	bundle order '.process.args = ["/bin/echo", "ran"]'
	bundle wait '.process.args = ["/bin/sleep", "60"]'
	if ! strace -f -o /dev/null true 2>/dev/null || is_sanitized; then
		skip "$who: the order of system calls" "they cannot be traced here"
		return
	fi
	traced run -b "$work/order" "$tag-o"
	expect_like 0 '^ran$' '' "$who: a program runs while it is looked at"
	beside run
	traced create -b "$work/order" "$tag-o"
	beside create
	box run -d -b "$work/wait" "$tag-o"
	traced exec "$tag-o" /bin/echo ran
	expect_like 0 '^ran$' '' "$who: so does one that comes in"
	beside exec
	box delete -f "$tag-o"
}

# Each kind of hook looks for the record of its own container.
hooks() {
	# shellcheck disable=SC2089 # words for jq
	look="{path: \"/bin/sh\", args: [\"sh\", \"-c\", \"grep -c '\\\"container\\\":\\\"$tag-h\\\"' $state/audit.jsonl >>$own/seen\"]}"
	for kind in prestart createRuntime createContainer; do
		rm -f "$own/seen" "$state/audit.jsonl"
		bundle hooked ".hooks = {$kind: [$look], poststop: [{path: \"/bin/sh\", args: [\"sh\", \"-c\", \"echo poststop >>$own/seen\"]}]}"
		box create -b "$work/hooked" "$tag-h"
		[ $rc -eq 0 ] && [ "$(head -n 1 "$own/seen")" -gt 0 ]
		ok "$who: when a $kind hook runs the record is there" $?
		box delete -f "$tag-h"
		rm -rf "$own/seen" "$state/audit.jsonl"
		mkdir "$state/audit.jsonl"
		box create -b "$work/hooked" "$tag-h"
		fails 'audit: .*/audit\.jsonl: is a directory' "and where it cannot be written"
		[ ! -e "$own/seen" ]
		ok "$who: no $kind hook runs, nor a poststop hook" $?
		rmdir "$state/audit.jsonl"
	done
	nothing_of "$tag-h" "which leaves nothing"
}

# never REGEX WHAT: nothing is started whatever command asks for it, and the error says why
never() {
	for command in run create; do
		box $command -b "$work/marks" "$tag-n"
		fails "$1" "$command, $2: refused"
		nothing_of "$tag-n" "$command, $2: nothing is left"
	done
	box exec "$tag-a" /bin/sh -c 'echo ran >/own/mark'
	[ $rc -eq 255 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "$1" err
	ok "$who: exec, $2: refused" $?
	[ ! -e "$own/mark" ]
	ok "$who: $2: nothing ran" $?
	[ "$(processes)" = "$alone" ]
	ok "$who: $2: no process stays in the container" $?
}

processes() {
	call ps -f json "$tag-a" </dev/null | jq length
}

refusals() {
	own_bind=".mounts += [{destination: \"/own\", source: \"$own\", type: \"bind\", options: [\"rbind\", \"rw\"]}]"
	bundle marks "$own_bind | .process.args = [\"/bin/sh\", \"-c\", \"echo ran >/own/mark\"]"
	bundle alive "$own_bind | .process.args = [\"/bin/sleep\", \"60\"]"
	box run -d -b "$work/alive" "$tag-a"
	expect 0 "" "" "$who: a container is there to come into"
	alone=$(processes)
	cp -p "$state/audit.jsonl" "$own/kept"
	rm "$state/audit.jsonl"
	mkdir "$state/audit.jsonl"
	never 'audit: .*/audit\.jsonl: is a directory' "a directory"
	rmdir "$state/audit.jsonl"
	ln -s "$own/elsewhere" "$state/audit.jsonl"
	never 'audit: .*/audit\.jsonl: a symbolic link' "a link"
	[ ! -e "$own/elsewhere" ]
	ok "$who: which is not followed" $?
	rm "$state/audit.jsonl"
	mkfifo "$state/audit.jsonl"
	own_it "$state/audit.jsonl"
	never 'audit: .*/audit\.jsonl: not a regular file' "a FIFO"
	rm "$state/audit.jsonl"
	cp -p "$own/kept" "$state/audit.jsonl"
	chmod 666 "$state/audit.jsonl"
	never 'audit: .*/audit\.jsonl: open to others \(remedy: chmod 600\)' "a file that others may write"
	chmod 600 "$state/audit.jsonl"
	echo 'no record' >>"$state/audit.jsonl"
	never 'audit: .*/audit\.jsonl: its last line is no record' "a last line that is none"
	cmp "$own/kept" "$state/audit.jsonl" 2>&1 | grep -q EOF
	ok "$who: the file is as it was" $?
	cp -p "$own/kept" "$state/audit.jsonl"
	if [ "$(id -u)" = 0 ]; then
		chown 12345 "$state/audit.jsonl"
		[ "$who" = root ] && why='belongs to user 12345 \(remedy: move it away\)' ||
			why='permission denied'
		never "audit: .*/audit\\.jsonl: $why" "a file of somebody else"
		chown --reference="$own/kept" "$state/audit.jsonl"
	fi
	printf '{"time":"half a line' >>"$state/audit.jsonl"
	box run -b "$work/order" "$tag-n"
	[ $rc -eq 0 ] && jq -es 'map(.seq) == [range(length)]' "$state/audit.jsonl" >/dev/null
	ok "$who: half a line of a writer that was killed is no obstacle" $?
	box delete -f "$tag-a"
}

own_it() { # FILE: it belongs to who makes containers
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown $user_id:$user_id "$1"
}

# A small disk of the record's own. The key of fingerprints is made first: it is not what is tested.
disks() {
	[ "$(id -u)" = 0 ] || return
	mkdir -p "$work/disk"
	mount -t tmpfs -o size=32k,mode=777 tmpfs "$work/disk" 2>/dev/null || {
		skip "$who: full and read-only disks" "nothing can be mounted here"
		return
	}
	as "$who"
	sed -i "s|file: .*|file: $work/disk/log/audit.jsonl}|" "$policy"
	bundle marks '.process.args = ["/bin/sh", "-c", "echo ran"]'
	box run -b "$work/marks" "$tag-d"
	expect 0 ran "" "$who: the record may be on a disk of its own"
	cp "$work/disk/log/audit.jsonl" "$own/before"
	head -c 100k /dev/zero >"$work/disk/fill" 2>/dev/null
	# What is left of the last page is used up first.
	tries=0
	while [ $rc -eq 0 ] && [ $tries -lt 50 ]; do
		cp "$work/disk/log/audit.jsonl" "$own/before"
		box run -b "$work/marks" "$tag-d"
		tries=$((tries + 1))
	done
	fails 'audit: .*/audit\.jsonl: cannot write: no space left on device' "a full disk refuses"
	cmp -s "$own/before" "$work/disk/log/audit.jsonl"
	ok "$who: and nothing half-written stays" $?
	box create -b "$work/marks" "$tag-d"
	fails 'no space left on device' "create, too"
	rm "$work/disk/fill"
	mount -o remount,ro "$work/disk"
	box run -b "$work/marks" "$tag-d"
	fails 'audit: .*/audit\.jsonl: read-only file system' "a disk that can only be read refuses"
	printf 'audit: {file: %s/disk/log/audit.jsonl, required: false}\n' "$work" >"$policy"
	box run -b "$work/marks" "$tag-d"
	expect_like 0 '^ran$' 'level=warning .*read-only file system' \
		"$who: unless the record is not required: then it is a warning"
	umount "$work/disk"
	nothing_of "$tag-d" "a disk leaves nothing behind"
}

# A log of our own in the place of the system's: /dev and /run become others, with what containers need of them.
cat >"$work/sink.py" <<'PY'
import json, os, socket, sys, time
path, out = sys.argv[1], sys.argv[2]
sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
sock.bind(path)
os.chmod(path, 0o666)
open(out, "w").close()
while out != "/dev/null":
    data = sock.recv(1 << 20).decode("utf-8", "strict")
    with open(out, "a") as f:
        f.write(json.dumps(data) + "\n")
time.sleep(100)
PY
make_places() {
	mkdir -p "$work/newdev"
	mount -t tmpfs -o mode=755 tmpfs "$work/newdev" || return
	mkdir "$work/newdev/pts"
	for name in null zero full random urandom tty; do
		: >"$work/newdev/$name"
		mount --bind "/dev/$name" "$work/newdev/$name" || return
	done
	mount --rbind /dev/pts "$work/newdev/pts" && ln -s pts/ptmx "$work/newdev/ptmx" &&
		ln -s /proc/self/fd "$work/newdev/fd" && mount --rbind "$work/newdev" /dev &&
		mount -t tmpfs -o mode=755 tmpfs /run && mkdir -p /run/systemd/journal
}

end_places() {
	umount -R /run
	umount -R /dev
	umount -R "$work/newdev"
}

listen() { # PATH OUT
	rm -f "$1"
	python3 "$work/sink.py" "$1" "$2" 2>"$work/sink.err" &
	sink=$!
	wait_for 10 test -S "$1"
}

deaf() {
	kill "$sink"
	wait "$sink" 2>/dev/null
}

records() {
	grep -c '' "$state/audit.jsonl" 2>/dev/null
}

# sent COMMAND...: as many messages as records, which one of the command's containers has
sent() {
	lines=$(records)
	: >"$work/heard"
	"$@"
	lines=$(($(records) - lines))
	wait_for 5 test "$(wc -l <"$work/heard")" -eq "$lines"
}

# A random value in every place of a bundle that can have one.
everywhere() { # VALUE
	printf '%s' ".process.env += [\"AWS_SECRET_ACCESS_KEY=$1\", \"DATABASE_URL=postgres://u:$1@h/d\",
		\"PLAIN=$1\", \"A_$1=x\", \"X_TOKEN=$1-more\"] |
		.process.args = [\"/bin/echo\", \"ran\", \"--password=$1\", \"-H\", \"Authorization: Bearer $1\"] |
		.hostname = \"h\" | .annotations = {\"io.kubernetes.pod.name\": \"shop\", \"io.kubernetes.container.name\": \"$1\",
			\"org.example/token\": \"$1\", \"org.example/$1\": \"x\"} |
		.hooks = {createContainer: [{path: \"/bin/true\", args: [\"true\", \"--token=$1\"], env: [\"API_TOKEN=$1\"]}]} |
		.mounts += [{destination: \"/t\", type: \"tmpfs\", source: \"$1\", options: [\"mode=755\"]}]"
}

# no_canary FILE...: and it is there to be looked for
no_canary() {
	[ -s "$1" ] && ! grep -qF "$canary" "$@"
}

canaries() {
	canary=cAnArY$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	for mode in strip observe enforce; do
		as "$who" >/dev/null
		with_policy "mode: $mode"
		bundle all "$(everywhere "$canary")"
		box run -b "$work/all" "$tag-c"
		cp err "$own/run-err"
		no_canary "$state/audit.jsonl" "$own/run-err"
		ok "$who: no record of run has a value, mode $mode" $?
		box create -b "$work/all" "$tag-c"
		cat out err >"$own/run-err"
		box delete -f "$tag-c"
		no_canary "$state/audit.jsonl" "$own/run-err"
		ok "$who: nor of create" $?
	done
	as "$who" >/dev/null
	bundle alive '.process.args = ["/bin/sleep", "60"]'
	box run -d -b "$work/alive" "$tag-c"
	box exec -e "AWS_SECRET_ACCESS_KEY=$canary" -e "NOTE=see $canary" "$tag-c" /bin/true "--password=$canary"
	[ $rc -eq 0 ] && no_canary "$state/audit.jsonl" err && grep -q '"command":"exec"' "$state/audit.jsonl"
	ok "$who: nor of exec" $?
	printf '{"cwd": "/", "args": ["/bin/true"], "env": ["GITHUB_TOKEN=%s"]}' "$canary" >"$work/process.json"
	box exec --process "$work/process.json" "$tag-c"
	[ $rc -eq 0 ] && no_canary "$state/audit.jsonl" err && grep -q GITHUB_TOKEN "$state/audit.jsonl"
	ok "$who: nor with --process" $?
	box delete -f "$tag-c"
	! grep -rqF "$canary" "$state"
	ok "$who: nor anything beside it" $?
	for words in 'show' 'show --format json' 'show --container shop' 'verify' 'report'; do
		# shellcheck disable=SC2086 # the arguments of each case are words
		box audit $words
		[ $rc -eq 0 ] && no_canary out && [ ! -s err ]
		ok "$who: audit $words reads the policy's own file, and shows no value" $?
	done
	grep -q '<!DOCTYPE html>' out && grep -q AWS_SECRET_ACCESS_KEY out
	ok "$who: (the page has what was cut)" $?
}

sinks() {
	if [ "$(id -u)" != 0 ] || [ -z "${AUDIT_NAMESPACE-}" ] || ! command -v python3 >/dev/null; then
		skip "$who: copies for the system's log" "needs root, a mount namespace and python3"
		return
	fi
	make_places || {
		end_places 2>/dev/null
		skip "$who: copies for the system's log" "/dev cannot be replaced here"
		return
	}
	as "$who"
	secret=Kd83Mwq2zz$$
	bundle tells "$(everywhere "$secret")"
	printf 'audit: {file: %s/audit.jsonl, also: journald}\n' "$state" >"$policy"
	box run -b "$work/tells" "$tag-s"
	expect_like 0 '^ran' 'level=warning msg="audit.also: journald: /run/systemd/journal/socket: no such file or directory"' \
		"$who: without a journal a program runs, and that is told"
	listen /run/systemd/journal/socket "$work/heard"
	sent box run -b "$work/tells" "$tag-s"
	[ $rc -eq 0 ] && [ ! -s err ] && [ "$lines" -ge 2 ] && [ "$(wc -l <"$work/heard")" -eq "$lines" ]
	ok "$who: the journal gets a message for each record" $?
	jq -r . "$work/heard" >out
	grep -qx "MESSAGE=$tag-s: env AWS_SECRET_ACCESS_KEY at process.env\[[0-9]*\]: remove (env-name:aws)" out &&
		grep -qx "CREDSBOX_CONTAINER=$tag-s" out && grep -qx 'CREDSBOX_RULE=env-name:aws' out &&
		grep -qx 'CREDSBOX_EVENT=start' out && grep -qx 'CREDSBOX_POD=shop' out && grep -qx 'PRIORITY=5' out
	ok "$who: with its members as fields, and a sentence" $?
	sed -n 's/^CREDSBOX_RECORD=//p' out >records
	tail -n "$lines" "$state/audit.jsonl" | cmp -s - records
	ok "$who: and the record as it stands in the file" $?
	! grep -q "$secret" out
	ok "$who: no message has a value" $?
	printf 'audit: {file: /proc/audit.jsonl, also: journald, required: false}\n' >"$policy"
	: >"$work/heard"
	box run -b "$work/tells" "$tag-s"
	[ $rc -eq 0 ] && [ "$(wc -l <"$work/heard")" -eq "$lines" ]
	ok "$who: where the file may fail, the journal gets the records all the same" $?
	printf 'audit: {file: %s/audit.jsonl, also: journald}\nmode: enforce\n' "$state" >"$policy"
	sent box run -b "$work/tells" "$tag-s"
	[ $rc -eq 125 ] && [ "$(wc -l <"$work/heard")" -eq "$lines" ] && grep -q 'PRIORITY=4' "$work/heard"
	ok "$who: a refusal is a warning there" $?
	deaf

	printf 'audit: {file: %s/audit.jsonl, also: syslog}\n' "$state" >"$policy"
	box run -b "$work/tells" "$tag-s"
	expect_like 0 '^ran' 'level=warning msg="audit.also: syslog: /dev/log: no such file or directory"' \
		"$who: nor does a program need a syslog"
	listen /dev/log "$work/heard"
	sent box run -b "$work/tells" "$tag-s"
	jq -r . "$work/heard" >out
	[ $rc -eq 0 ] && [ "$(grep -cE "^<85>(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 123][0-9] [0-9:]{8} credsbox\[[0-9]+\]: $tag-s: (env|start|namespace|[a-z]*)" out)" -eq "$lines" ] &&
		grep -q ': start: run, mode strip, [0-9]* items* \[[0-9]*\]$' out && ! grep -q "$secret" out
	ok "$who: syslog gets a line for each record, without a value" $?
	box run -d -b "$work/alive" "$tag-s"
	sent box exec -e "GITHUB_TOKEN=$secret" "$tag-s" /bin/true
	[ $rc -eq 0 ] && [ "$lines" -ge 2 ] && [ "$(wc -l <"$work/heard")" -eq "$lines" ] &&
		grep -q GITHUB_TOKEN "$work/heard" && ! grep -q "$secret" "$work/heard"
	ok "$who: so it does of programs that come in" $?
	box delete -f "$tag-s"
	deaf

	listen /dev/log /dev/null
	jq '.process.env += [range(2000) | "N\(.)_TOKEN=Kd83Mwq2zz"]' "$work/tells/config.json" >"$work/tells/c" &&
		mv "$work/tells/c" "$work/tells/config.json"
	chmod a+r "$work/tells/config.json"
	began=$(date +%s)
	box run -b "$work/tells" "$tag-s"
	expect_like 0 '^ran' 'level=warning msg="audit.also: syslog: /dev/log: not all records could be sent' \
		"$who: one that does not listen keeps nobody waiting"
	[ $(($(date +%s) - began)) -le 8 ]
	ok "$who: for long" $?
	deaf
	end_places
	as "$who"
}

for person in $(everyone); do
	as "$person"
	order
	hooks
	refusals
	disks
	canaries
	sinks
done
finish_boxes
