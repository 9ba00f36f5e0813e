#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The seccomp floor and the profiles, as containers meet them: what each denies and leaves, that no bundle
# undoes the floor, and that what the policy takes out is gone.
# shellcheck source=tests/cli.sh disable=SC2016,SC2034,SC2154
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
: "${helpers:=$top_srcdir/tests}"
[ -x "$helpers/helper-calls" ] || skip_all "no helper-calls here (make check builds it)"
machine=$(uname -m)
export machine
case $machine in
x86_64 | aarch64 | riscv64) ;;
*) skip_all "no profiles for this kind of machine" ;;
esac
cp "$helpers/helper-calls" "$work/base/bin/calls"
ldd "$helpers/helper-calls" 2>/dev/null | grep -o '/[^ ]*' | while read -r lib; do
	mkdir -p "$work/base${lib%/*}" && cp -L "$lib" "$work/base$lib"
done

# What the kernel says when nothing is between: the other answers below are then the filters'.
"$helpers/helper-calls" >native
echo "# without any filter: $(tr "\n" " " <native)"

# libseccomp kills what is of no architecture that the bundle names.
foreign=
[ "$machine" != x86_64 ] || foreign='int80 signal 31
x32 signal 31'
floor_on='add_key EPERM
clone EPERM
clone3 ENOSYS
family-high EAFNOSUPPORT
generic-netlink EAFNOSUPPORT
int80 ENOSYS
kcmp EPERM
keyctl EPERM
listener ENOSYS
mount EPERM
mount_setattr EPERM
open_tree EPERM
perf_event_open EPERM
personality-compat EPERM
personality-no-random EPERM
pidfd_getfd EPERM
process_madvise EPERM
process_vm_readv EPERM
ptrace EPERM
setns EPERM
tiocsti EPERM
tiocsti-high EPERM
umount2 EPERM
unshare EPERM
unshare-high EPERM
x32 ENOSYS'
floor_debug=$(echo "$floor_on" | grep -vE '^(ptrace|process_vm_readv|personality-no-random) ')
floor_nested=$(echo "$floor_debug" |
	grep -vE '^(clone|clone3|mount|mount_setattr|open_tree|setns|umount2|unshare|unshare-high) ')
profile_default='clock_settime EPERM'
profile_strict="$profile_default
chroot EPERM
generic-netlink EPERM
personality-no-random EPERM
process_vm_readv EPERM
ptrace EPERM
shmget EPERM"

# denied LIST...: what should be printed: the kernel's own answers, but for these; the last of two counts
denied() {
	printf '%s\n' "$@" | awk 'NR == FNR { if (NF) answer[$1] = $0; next }
		{ print ($1 in answer) ? answer[$1] : $0 }' - native
}

# answers SENTENCE LIST...: the last run was of the calls, and these were denied
answers() {
	sentence=$1
	shift
	denied "$@" >want
	diff -u want out >err
	ok "$who: $sentence" $?
}

# with YAML: the policy for what follows
with() {
	printf 'audit: {file: %s/audit.jsonl}\n%s\n' "$state" "$1" >"$policy"
}

# calls [JQ-FILTER]: run them in a bundle of their own, without a filter but for JQ-FILTER's
calls() {
	bundle calls "del(.linux.seccomp) | .process.args = [\"/bin/calls\"] | ${1:-.}"
	box run -b "$work/calls" "$tag-calls"
}

recorded() { # FLOOR PROFILE SENTENCE
	tail -n 1 "$state/audit.jsonl" | jq -e --arg f "$1" --arg p "$2" \
		'.event == "start" and .seccomp == {floor: $f, profile: $p}' >/dev/null
	ok "$who: $3" $?
}

# A bundle's filter that asks an agent, and the agent: it takes the listener and is gone with its parent's end.
agent() {
	rm -f "$own/agent.sock"
	PYTHONNOUSERSITE=1 python3 -c 'import array, os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
s.listen()
s.settimeout(20)
c = s.accept()[0]
fds = socket.recv_fds(c, 65536, 1)[1]
print(len(fds), flush=True)
sys.stdin.read()' "$own/agent.sock" <"$work/hold" >agent.out 2>&1 &
	exec 7>"$work/hold"
	wait_for 10 test -S "$own/agent.sock"
	calls ".linux.seccomp = {defaultAction: \"SCMP_ACT_ALLOW\", listenerPath: \"$own/agent.sock\",
		syscalls: [{names: [\"swapon\"], action: \"SCMP_ACT_NOTIFY\"}]}"
	exec 7>&-
	wait $!
	answers "a filter that asks an agent goes over the floor, which then lets another be asked for" \
		"$(echo "$floor_on" | grep -v '^listener ')" "$foreign"
	[ "$(cat agent.out)" = 1 ]
	ok "$who: the agent has it" $?
}
mkfifo "$work/hold"

allow='.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW"}'
for person in $(everyone); do
	as "$person"

	calls
	answers "a bundle without a filter gets the floor and the default profile" "$floor_on" \
		"$profile_default"
	recorded on default "which is on record"
	for floor in debug nested on; do
		with "seccomp: {floor: $floor, profile: off}"
		eval "list=\$floor_$floor"
		calls
		answers "the floor '$floor' denies this and no more" "$list"
		recorded $floor none "which is on record"
	done
	with 'seccomp: {floor: off, profile: off}'
	calls
	answers "without floor and profile the kernel answers"
	recorded off none "which is on record"
	with 'seccomp: {floor: debug, profile: strict}'
	calls
	answers "the strict profile goes over a looser floor" "$floor_debug" "$profile_strict"
	recorded debug strict "which is on record"

	with ''
	calls "$allow"
	answers "a bundle that allows everything does not undo the floor" "$floor_on" \
		"$foreign"
	recorded on bundle "which is on record"
	calls '.linux.seccomp = {defaultAction: "SCMP_ACT_LOG"}'
	answers "nor does one that logs everything" "$floor_on" "$foreign"
	calls '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW",
		architectures: (if $ENV.machine == "x86_64" then
			["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"] else [] end), syscalls: [{names: ["keyctl", "mount"],
		action: "SCMP_ACT_ALLOW"}, {names: ["ptrace"], action: "SCMP_ACT_ERRNO", errnoRet: 22}]}'
	answers "nor one for other architectures; of two errors the bundle's is told" "$floor_on" \
		"ptrace EINVAL"
	calls "$allow | .annotations[\"credsbox.io/seccomp-floor\"] = \"debug\""
	fails "annotations.*'debug' would loosen the policy \\(it is 'on'\\)" \
		"a bundle cannot ask for a looser floor"
	with 'seccomp: {floor: debug, profile: off}
locked: [all]'
	calls '.annotations["credsbox.io/seccomp-floor"] = "on"'
	answers "but for a tighter one" "$floor_on"

	with ''
	inside 'grep -E "^Seccomp" /proc/self/status' "$allow"
	expect 0 "Seccomp:	2
Seccomp_filters:	2" "" "$who: there are two filters"
	bundle early 'del(.linux.seccomp) | .process.args = ["/bin/grep", "Seccomp", "/proc/self/status"]'
	with 'mode: observe'
	box run -b "$work/early" "$tag-early"
	says_like '^Seccomp:	0$' "a policy that observes adds none"
	recorded off none "which is on record"

	cat >"$work/profile.json" <<-JSON
		{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
			{"names": ["shmget"], "action": "SCMP_ACT_ERRNO", "errnoRet": 19}]}
	JSON
	chmod 644 "$work/profile.json"
	with "seccomp: {floor: on, profile: $work/profile.json}"
	calls
	answers "a file can be the profile" "$floor_on" "$foreign" "shmget ENODEV"
	recorded on file "which is on record"
	bundle sleeper 'del(.linux.seccomp) | .process.args = ["/bin/sleep", "60"]'
	call run -d -b "$work/sleeper" "$tag-sleeper" </dev/null >/dev/null 2>err
	ok "$who: a container of it" $?
	with 'seccomp: {floor: off, profile: off}'
	box exec "$tag-sleeper" /bin/calls
	answers "exec comes under the container's filters, and not under the policy's of today" \
		"$floor_on" "$foreign" "shmget ENODEV"
	recorded on file "which is on record"
	box exec "$tag-sleeper" grep Seccomp_filters /proc/self/status
	expect 0 "Seccomp_filters:	2" "" "$who: two again"
	box delete --force "$tag-sleeper"

	echo '{"defaultAction": "SCMP_ACT_ALLOW", "archMap": []}' >"$work/profile.json"
	with "seccomp: {profile: $work/profile.json}"
	calls
	fails '^credsbox: run: seccomp\.profile: archMap: not known' \
		"a profile with more than the format is refused"
	with "seccomp: {profile: $work/none.json}"
	calls
	fails '^credsbox: run: seccomp\.profile: .*none\.json: no such file or directory$' \
		"so is one that is not there"
	nothing_of "$tag-calls" "nothing is made then"

	with 'seccomp: {profile: strict}'
	call run -d -b "$work/sleeper" "$tag-sleeper" </dev/null >/dev/null 2>err
	box exec "$tag-sleeper" /bin/calls
	answers "exec comes under a profile that has a name" "$floor_on" "$profile_strict"
	echo '{"args": ["/bin/calls"], "cwd": "/", "user": {"uid": 0, "gid": 0}}' >process.json
	box exec --process process.json "$tag-sleeper"
	answers "a whole process too" "$floor_on" "$profile_strict"
	box delete --force "$tag-sleeper"

	with 'seccomp: {floor: nested, profile: off}
landlock: off'
	# The kernel asks for CAP_SETFCAP of who maps the root.
	inside 'unshare -r -m /bin/sh -c "mount -t tmpfs x /tmp && echo >/tmp/x && ls /tmp"' \
		'del(.linux.seccomp) | .process.capabilities |= map_values(. + ["CAP_SETFCAP"])'
	expect 0 x "" "$who: the floor 'nested' leaves namespaces and mounts"
	with 'seccomp: {profile: off}
landlock: off'
	inside 'unshare -U -m /bin/true' 'del(.linux.seccomp)'
	expect_like 1 '' 'unshare.*Operation not permitted' "$who: which the floor does not"
	with 'landlock: off'
	calls "$allow | .process.noNewPrivileges = false"
	answers "the floor needs neither Landlock nor the bundle's word" "$floor_on" "$foreign"
	with ''
	bundle hooked "$allow | .hooks.startContainer = [{path: \"/bin/sh\", args: [\"sh\", \"-c\",
		\"cat >/dev/null; grep Seccomp_filters /proc/self/status >&2\"]}]"
	box run -b "$work/hooked" "$tag-hooked"
	expect 0 "" "Seccomp_filters:	2" "$who: startContainer hooks run under both"
	if command -v python3 >/dev/null; then
		agent
	else
		skip "$who: a filter that asks an agent goes over the floor" "no python3 here"
	fi
	box plan --bundle "$work/calls"
	says 'seccomp     floor on, profile bundle' "plan tells of them"
	box plan --format json --bundle "$work/calls"
	jq -e '.seccomp == {floor: "on", profile: "bundle"}' out >/dev/null
	ok "$who: as JSON too" $?
done
finish_boxes
