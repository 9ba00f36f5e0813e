#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ways by which what others hold could reach a workload through its process: descriptors, keyrings, sockets, other
# processes. Each is tried under a policy that only observes as well, where it must lead to what is hidden otherwise:
# so none of these tests can hold by accident.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
command -v python3 >/dev/null || skip_all "no python3 here, to make a session keyring"
${CC:-cc} -static -w -o "$work/base/bin/probe" "$top_srcdir/tests/probe.c" 2>err ||
	skip_all "the probe cannot be linked statically: $(head -n 1 err)"
probe=$work/base/bin/probe
chmod 755 "$probe"

# Nothing here is large: a loop that goes wrong must not fill the disk.
ulimit -f 100000

canary() {
	canary=CANARY-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
}

# as_caller COMMAND...: as who calls; in the background, so that $! is the process itself
as_caller() {
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		exec setpriv --reuid=$user_id --regid=$user_id --clear-groups "$@"
	fi
	exec "$@"
}

hidden() {
	[ "$rc" -lt 125 ] && ! grep -qF "$canary" out err
	ok "$who: $1" $?
}

seen() {
	grep -qF "$canary" out
	ok "$who: observed only, $1" $?
}

# both SENTENCE COUNTER-SENTENCE FUNCTION...: under the built-in policy, and under one that observes
both() {
	yes=$1 no=$2
	shift 2
	canary
	"$@"
	hidden "$yes"
	with_policy 'mode: observe
namespaces: {network: bundle}'
	"$@"
	seen "$no"
	as "$who"
}

# share NAMESPACE: the filter that leaves it out of a bundle
share() {
	echo ".linux.namespaces |= map(select(.type != \"$1\"))"
}

# boxed FILTER COMMAND...: in the container, leaves out, err and rc
boxed() {
	bundle channel "$1"
	shift
	args=$(printf '%s\n' "$@" | jq -Rn '[inputs]')
	jq ".process.args = $args" "$work/channel/config.json" >c && cat c >"$work/channel/config.json"
	box run -b "$work/channel" "$tag-channel"
}

# A log of the host that holds a secret is the standard output.
standard_output() {
	echo "$canary" >"$own/log"
	chmod 666 "$own/log"
	bundle channel '.process.args = ["/bin/sh", "-c", "read -r line </proc/$$/fd/1; echo $line >&2"]'
	call run -b "$work/channel" "$tag-channel" >>"$own/log" 2>out </dev/null
	rc=$?
}

# by_exec SCRIPT: the same, for a program that exec brings in
standard_output_of_exec() {
	echo "$canary" >"$own/log"
	chmod 666 "$own/log"
	bundle channel '.process.args = ["/bin/sleep", "100"]'
	box run -d -b "$work/channel" "$tag-channel"
	call exec "$tag-channel" /bin/sh -c 'read -r line </proc/$$/fd/1; echo $line >&2' >>"$own/log" 2>out </dev/null
	rc=$?
	call delete -f "$tag-channel" </dev/null
}

# Somebody else's process, in a pid namespace that is shared; it has no more capabilities than the container.
environment() {
	AWS_SECRET_ACCESS_KEY=$canary as_caller setpriv --bounding-set=-all --inh-caps=-all sleep 100 &
	victim=$!
	wait_for 10 grep -qx sleep "/proc/$victim/comm"
	boxed "$(share pid) | .process.capabilities |= map_values(. + $1)" /bin/cat "/proc/$victim/environ"
	kill $victim
	wait $victim 2>/dev/null
}

command_lines() {
	as_caller sh -c 'sleep 100; :' "--token=$canary" &
	victim=$!
	wait_for 10 grep -qx sh "/proc/$victim/comm"
	boxed "$1" /bin/cat "/proc/$victim/cmdline"
	kill $victim
	wait $victim 2>/dev/null
}

other_processes() {
	as_caller sleep 100 &
	victim=$!
	wait_for 10 grep -qx sleep "/proc/$victim/comm"
	boxed "$(share pid)" /bin/probe look $victim
	[ "$(grep -c 'Operation not permitted' out)" -ge 3 ] && ! grep -q -e 'ptrace: done' -e 'readv: done' -e 'getfd: done' out
	ok "$who: processes of others cannot be looked into" $?
	kill $victim
	wait $victim 2>/dev/null
	with_policy 'mode: observe'
	sleep 100 &
	victim=$!
	boxed "$(share pid) | (.process.capabilities | .bounding, .effective, .permitted) += [\"CAP_SYS_PTRACE\"]" \
		/bin/probe look $victim
	grep -q 'ptrace: done' out
	ok "$who: observed only, they can" $?
	kill $victim
	wait $victim 2>/dev/null
	as "$who"
}

sockets() {
	name=$tag-socket
	as_caller "$probe" listen "$name" >"$own/listening" &
	listener=$!
	wait_for 10 grep -q ready "$own/listening"
	with_policy 'namespaces: {network: bundle}'
	boxed "$(share network)" /bin/probe connect "$name"
	grep -q 'connect: Operation not permitted' out
	ok "$who: abstract sockets of others are out of reach where the network is shared" $?
	as "$who"
	boxed "$(share network)" /bin/probe connect "$name"
	grep -q 'connect: Connection refused' out
	ok "$who: and by default it is not shared" $?
	with_policy 'mode: observe
namespaces: {network: bundle}'
	boxed "$(share network)" /bin/probe connect "$name"
	grep -q 'connect: done' out
	ok "$who: observed only, they are within reach" $?
	as "$who"
	kill $listener
	wait $listener 2>/dev/null
}

# Where the network is: nowhere. A listener of this machine stands for all that could be told something.
network() {
	python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(8)
print(s.getsockname()[1], flush=True); time.sleep(60)' >"$own/port" &
	listener=$!
	wait_for 10 test -s "$own/port"
	port=$(cat "$own/port")
	for each in 169.254.169.254 169.254.170.2 192.0.2.53; do
		boxed "$(share network)" /bin/probe reach $each 53
		[ "$(cat out)" = "way: Network is unreachable" ]
		ok "$who: there is no way to $each" $?
	done
	boxed "$(share network)" /bin/probe reach 127.0.0.1 "$port"
	grep -qx 'answer: Connection refused' out
	ok "$who: nor to who listens on the host" $?
	bundle channel "$(share network) | .process.args = [\"/bin/sleep\", \"60\"]"
	box run -d -b "$work/channel" "$tag-channel"
	box exec "$tag-channel" /bin/probe reach 127.0.0.1 "$port"
	grep -qx 'answer: Connection refused' out
	ok "$who: nor for what exec brings in" $?
	box delete -f "$tag-channel"
	with_policy 'namespaces: {network: bundle}'
	boxed "$(share network)" /bin/probe reach 127.0.0.1 "$port"
	grep -qx 'answer: done' out
	ok "$who: where a policy shares the network, there is" $?
	as "$who"
	kill $listener
	wait $listener 2>/dev/null
}

# key RING FILTER OPTION...: a key that the caller has, as seen from the container
key() {
	boxed_filter=$2
	"$probe" key-add "$1" "$tag-key" "$canary"
	bundle channel "$boxed_filter | .process.args = [\"/bin/probe\", \"key-read\", \"$tag-key\"]"
	shift 2
	box run "$@" -b "$work/channel" "$tag-channel"
}

# With a session of its own, so that nothing of it is left to this machine.
keys() {
	canary
	key session .
	hidden "keys of the caller's session are out of reach"
	key session "$(share ipc)"
	hidden "without a user namespace, too"
	key user "$(share ipc)"
	hidden "and so are those of the user"
	with_policy 'mode: observe'
	key session "$(share ipc)" --no-new-keyring
	seen "with --no-new-keyring, they are not"
	key user "$(share ipc)"
	seen "nor are those of the user"
	as "$who"
}

if [ "${1-}" = keys ]; then
	as root
	keys
	exit
fi

for person in $(everyone); do
	as "$person"
	both "a log that it writes to cannot be read" "it can" standard_output
	both "nor by what exec brings in" "it can" standard_output_of_exec
	sockets
	network
	# An ordinary user cannot have a /proc of a pid namespace that is shared.
	[ "$who" = root ] || continue
	with_policy 'namespaces: {pid: bundle}'
	canary
	environment '[]'
	hidden "the variables of others are hidden where processes are shared"
	environment '["CAP_SYS_PTRACE", "CAP_DAC_READ_SEARCH"]'
	hidden "from privileged programs, too"
	with_policy 'mode: observe'
	environment '[]'
	seen "they are not"
	as "$who"
	canary
	command_lines .
	hidden "command lines of others are hidden"
	with_policy 'namespaces: {pid: bundle}'
	command_lines "$(share pid)"
	as "$who"
	seen "(or where processes are shared) they are not"
	other_processes
done

# In a session of their own: keyctl(KEYCTL_JOIN_SESSION_KEYRING) makes one, and what is in it goes with it.
if [ "$(id -u)" = 0 ]; then
	who=root
	python3 -c 'import ctypes, os, sys
ctypes.CDLL(None).syscall(250, 1, None)
os.execvp("sh", ["sh", *sys.argv[1:]])' "$top_srcdir/tests/t-channels-process.sh" keys >keys.out 2>&1
	[ "$(grep -c '^ok ' keys.out)" -eq 5 ] && ! grep '^not ok' keys.out >out
	ok "root: keyrings of the caller are out of reach" $?
fi
finish_boxes
