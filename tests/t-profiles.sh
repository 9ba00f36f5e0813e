#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The seccomp profiles that ship: they are read as part of a bundle, and say what they should.
# $CREDSBOX is the program.
set -u
: "${CREDSBOX:=./credsbox}" "${top_srcdir:=.}"
top_srcdir=$(cd "$top_srcdir" && pwd) || exit 1
case $CREDSBOX in
/*) ;;
*) CREDSBOX=$(pwd)/$CREDSBOX ;;
esac
command -v jq >/dev/null || {
	echo "1..0 # SKIP no jq here"
	exit 0
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
HOME=$work/home XDG_CONFIG_HOME=$work/home/.config
export HOME XDG_CONFIG_HOME
printf 'landlock: best-effort\n' >policy.yaml
n=0

ok() { # SENTENCE STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		for file in out err; do
			[ ! -s $file ] || sed "s/^/# $file: /" $file
		done
	fi
}

# The verdict of a profile on one call, as the kernel would have it: the number of an error, or
# "allow". jq has no operators on bits.
cat >verdict.jq <<'JQ'
def bit($n): (. / $n | floor) % 2;
def masked($mask): . as $v |
	reduce (range(0; 33) | pow(2; .)) as $b (0; . + $b * ($v | bit($b)) * ($mask | bit($b)));
def holds($args): . as $cond | ($args[.index] // 0) |
	if $cond.op == "SCMP_CMP_EQ" then . == $cond.value
	elif $cond.op == "SCMP_CMP_NE" then . != $cond.value
	elif $cond.op == "SCMP_CMP_GT" then . > $cond.value
	elif $cond.op == "SCMP_CMP_MASKED_EQ" then masked($cond.value) == $cond.valueTwo
	else error("an operator that this test does not know") end;
def verdict($name; $args):
	[.syscalls[] | select((.names | index($name)) and
		all((.args // [])[]; holds($args))) | .errnoRet] | first // "allow";
. as $profile | $calls[] | . as $call |
	[$call[0], ($call[1] | map(tostring) | join(",")), $call[2],
		($profile | verdict($call[0]; $call[1]))] |
	select(.[2] != .[3]) | "\(.[0])(\(.[1])): \(.[3]) where \(.[2]) is right"
JQ

for profile in "$top_srcdir"/seccomp-profiles/*.json; do
	name=${profile##*/}
	jq '{ociVersion: "1.2.0", root: {path: "."}, process: {args: ["/x"], cwd: "/"},
		linux: {namespaces: [{type: "network"}, {type: "pid"}, {type: "ipc"}], seccomp: .}}' "$profile" >config.json 2>err
	"$CREDSBOX" plan --policy policy.yaml --format json >out 2>err
	rc=$?
	[ $rc -eq 0 ] && jq -e '.cuts == [] and .unknown == []' out >/dev/null
	ok "$name is read as a part of a bundle, with nothing unknown in it" $?
	: >err
	jq -r '[.syscalls[] | .names[] as $n | {n: $n, a: (.args // [] | sort)}] | group_by(.)[] |
		select(length > 1) | .[0].n' "$profile" >out
	[ ! -s out ]
	ok "$name has no system call twice with the same arguments" $?
	jq -r '.syscalls[] | select((.args // [] | map(.index)) as $i | ($i | unique | length) !=
		($i | length)) | .names[0]' "$profile" >out
	[ ! -s out ]
	ok "$name has no rule that compares one argument twice, which runtimes take for either" $?
done

# calls SENTENCE: the calls, and what floor.json should say of them, are on standard input
calls() {
	cat >calls.json
	jq -r --slurpfile calls calls.json -f verdict.jq "$top_srcdir/seccomp-profiles/floor.json" \
		>out 2>err
	rc=$?
	[ $rc -eq 0 ] && [ ! -s out ]
	ok "$1" $?
}

calls "the floor denies keyrings, mounts, namespaces and other processes' memory" <<'EOF'
["keyctl", [0], 1] ["add_key", [], 1] ["request_key", [], 1]
["mount", [], 1] ["umount2", [], 1] ["move_mount", [], 1] ["open_tree_attr", [], 1]
["mount_setattr", [], 1] ["fsopen", [], 1] ["statmount", [], 38] ["listmount", [], 38]
["setns", [3, 0], 1] ["clone3", [], 38]
["ptrace", [16], 1] ["process_vm_readv", [], 1] ["pidfd_getfd", [], 1]
["bpf", [], 1] ["io_uring_setup", [], 1] ["open_by_handle_at", [], 1] ["modify_ldt", [], 1]
EOF
calls "it leaves what programs need" <<'EOF'
["read", [], "allow"] ["execve", [], "allow"] ["futex", [], "allow"] ["memfd_create", [], "allow"]
["openat2", [], "allow"] ["landlock_create_ruleset", [], "allow"] ["pidfd_open", [], "allow"]
["name_to_handle_at", [], "allow"] ["close_range", [], "allow"] ["prctl", [], "allow"]
["seccomp", [1, 0], "allow"] ["seccomp", [1, 1], "allow"] ["seccomp", [2, 0], "allow"]
EOF
calls "sockets are unix, IPv4, IPv6 and routing" <<'EOF'
["socket", [1, 1, 0], "allow"] ["socket", [2, 1, 6], "allow"] ["socket", [10, 2, 17], "allow"]
["socketpair", [1, 524289, 0], "allow"] ["socket", [16, 524291, 0], "allow"]
["socket", [16, 3, 4], 97] ["socket", [16, 3, 6], 97] ["socket", [16, 3, 9], 97]
["socket", [0, 1, 0], 97] ["socket", [15, 3, 0], 97] ["socket", [17, 3, 0], 97]
["socket", [33, 1, 0], 97] ["socket", [38, 5, 0], 97] ["socket", [40, 1, 0], 97]
["socket", [45, 1, 0], 97] ["socket", [4294967334, 5, 0], 97]
["socket", [4294967299, 1, 0], 97] ["socket", [4294967312, 3, 6], 97]
["socket", [16, 3, 4294967296], 97]
["socket", [2, 1, 262], 93] ["socket", [10, 1, 4294967558], 93]
EOF
calls "clone makes threads and processes, and no namespaces" <<'EOF'
["clone", [4001536], "allow"] ["clone", [18874385], "allow"] ["clone", [17], "allow"]
["clone", [16657], "allow"] ["unshare", [1024], "allow"] ["unshare", [512], "allow"]
["clone", [131089], 1] ["clone", [33554449], 1] ["clone", [67108881], 1]
["clone", [134217745], 1] ["clone", [268435473], 1] ["clone", [536870929], 1]
["clone", [1073741841], 1] ["unshare", [131072], 1] ["unshare", [128], 1]
["unshare", [268435456], 1] ["unshare", [4563402752], 1] ["clone", [145], "allow"]
EOF
calls "terminals cannot be typed into, whatever the upper half of the number" <<'EOF'
["ioctl", [0, 21505], "allow"] ["ioctl", [0, 21523], "allow"] ["ioctl", [0, 21531], "allow"]
["ioctl", [0, 21522], 1] ["ioctl", [0, 21532], 1] ["ioctl", [0, 21539], 1]
["ioctl", [0, 4294988818], 1]
EOF
calls "the execution domain can be asked for, and only be Linux" <<'EOF'
["personality", [0], "allow"] ["personality", [8], "allow"] ["personality", [131072], "allow"]
["personality", [131080], "allow"] ["personality", [4294967295], "allow"]
["personality", [262144], 1] ["personality", [4194304], 1] ["personality", [1048576], 1]
["personality", [1], 1] ["personality", [4294967294], 1] ["personality", [4294967287], 1]
["personality", [4294836223], 1] ["personality", [2147483648], 1] ["personality", [3221487616], 1]
["personality", [4295229440], 1] ["personality", [393224], 1]
EOF
calls "no process answers for the calls of another" <<'EOF'
["seccomp", [1, 8], 38] ["seccomp", [1, 9], 38] ["seccomp", [1, 4294967304], 38]
EOF
echo "1..$n"
