#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a program is given, as root and as an ordinary user: ids, limits, capabilities, filters, names, variables.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

ids() {
	inside 'id -u; id -g; umask; grep ^Groups /proc/self/status; echo $HOME; pwd' \
		'.process.user.umask = 63 | .process.cwd = "/etc" | .process.env |= map(select(startswith("HOME=") | not))'
	says 0077 "the umask is the bundle's"
	says_like '^Groups:[[:space:]]*$' "without groups there are none"
	says /root "HOME is from /etc/passwd"
	says /etc "the directory is the bundle's"
	inside 'echo "$HOME"' '.process.env += ["HOME="]'
	says /root "so is an empty HOME"
	inside 'echo "$HOME"' '.process.env += ["HOME=/elsewhere"]'
	says /elsewhere "a HOME that is given stays"
	inside true '.process.cwd = "relative"'
	fails 'process[.]cwd' "a relative directory is refused"
	if [ "$who" = user ]; then
		inside true '.process.user.uid = 7'
		fails '^credsbox: run: ' "a user that is not mapped is an error"
		return
	fi
	inside 'id -u; id -g; grep -e ^Groups -e ^Uid -e ^Gid /proc/self/status; echo $HOME; touch /tmp/x' \
		'.process.user = {uid: 1000, gid: 2000, additionalGids: [10, 20, 30]}'
	says_like '^Uid:.1000.1000.1000.1000$' "all user ids are the bundle's"
	says_like '^Gid:.2000.2000.2000.2000$' "so are all group ids"
	says_like '^Groups:.10 20 30 ?$' "and the groups"
	says /home/ada "HOME is that user's"
	inside 'id -u; echo $HOME' '.process.user = {uid: 4242, gid: 1}'
	expect 0 "4242
/" "" "$who: a user that is not in /etc/passwd lives in /"
	bundle pipe '.process.user = {uid: 1000, gid: 2000} | .process.args =
		["/bin/sh", "-c", "read -r line </dev/stdin && echo $line >/dev/stdout; stat -Lc %u:%g /dev/stdout"]'
	echo hello | call run -b "$work/pipe" "$tag-pipe" 2>err | cat >out
	grep -qx hello out && grep -qx 1000:2000 out
	ok "$who: another user can open the pipes again that it is given" $?
	: >"$work/file"
	call run -b "$work/pipe" "$tag-pipe" <"$work/policy-root.yaml" >"$work/file" 2>err
	[ "$(stat -c %u "$work/file" "$work/policy-root.yaml" | sort -u)" = 0 ]
	ok "$who: a file of the host stays whose it is" $?
	bundle cwd '.process.user = {uid: 1000, gid: 1000} | .process.cwd = "/home/only" | .process.args = ["/bin/pwd"]'
	own_root cwd
	mkdir "$work/cwd/rootfs/home/only"
	chmod 700 "$work/cwd/rootfs/home/only"
	chown 1000:1000 "$work/cwd/rootfs/home/only"
	box run -b "$work/cwd" "$tag-cwd"
	expect 0 /home/only "" "$who: a directory that only the user can enter is entered"
	bundle cwd '.process.cwd = "/home/made/here" | .process.args = ["/bin/pwd"]'
	own_root cwd
	box run -b "$work/cwd" "$tag-cwd"
	expect 0 /home/made/here "" "$who: a directory that is not there is made"
}

limits() {
	inside 'ulimit -n; ulimit -Hn; ulimit -c; ulimit -Hc; cat /proc/self/limits' \
		'.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 64, hard: 128}, {type: "RLIMIT_CORE", soft: 0, hard: 0},
		{type: "RLIMIT_STACK", soft: 1048576, hard: 2097152}, {type: "RLIMIT_FSIZE", soft: 4096, hard: 4096}]'
	says 64 "a soft limit is the bundle's"
	says 128 "so is a hard one"
	says_like '^Max stack size +1048576 +2097152' "limits of memory"
	says_like '^Max file size +4096 +4096' "and of files"
	says_like '^Max core file size +0 +0' "and of core files"
	inside true '.process.rlimits = [{type: "RLIMIT_BOGUS", soft: 1, hard: 1}]'
	fails 'process[.]rlimits\[0\][.]type' "an unknown limit is refused"
	inside true '.process.rlimits = [{type: "RLIMIT_CORE", soft: 0, hard: 0}, {type: "RLIMIT_CORE", soft: 0, hard: 0}]'
	fails 'process[.]rlimits\[1\]' "a limit that is there twice is refused"
	inside true '.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 128, hard: 64}]'
	fails '^credsbox: run: .*(RLIMIT_NOFILE|rlimits)' "a soft limit above the hard one is an error"
	was=$(cat /proc/self/oom_score_adj)
	inside 'cat /proc/self/oom_score_adj' '.process.oomScoreAdj = 777'
	expect 0 777 "" "$who: the OOM score is the bundle's"
	inside 'cat /proc/self/oom_score_adj' 'del(.process.oomScoreAdj)'
	expect 0 "$was" "" "$who: without one it stays as it is"
	inside true '.process.oomScoreAdj = 1001'
	fails 'process[.]oomScoreAdj' "a score that there is not is refused"
}

# caps LINE-NAME: its value
caps() {
	awk -v name="$1:" '$1 == name {print $2}' out
}

capabilities() {
	inside 'cat /proc/self/status' '.process.capabilities = {bounding: ["CAP_CHOWN", "CAP_KILL", "CAP_NET_RAW"],
		permitted: ["CAP_CHOWN", "CAP_KILL"], effective: ["CAP_KILL"], inheritable: ["CAP_KILL"], ambient: ["CAP_KILL"]}'
	# What root gets by becoming another program is the bounding set; ambient ones do not count then.
	[ "$(caps CapBnd)" = 0000000000002021 ]
	ok "$who: the bounding set is exactly the bundle's" $?
	[ "$(caps CapInh) $(caps CapAmb)" = "0000000000000000 0000000000000000" ]
	ok "$who: nothing is inherited by programs that were not meant to have it" $?
	inside 'cat /proc/self/status' '.process.capabilities = {}'
	[ "$(caps CapBnd) $(caps CapPrm) $(caps CapEff) $(caps CapInh) $(caps CapAmb)" = \
		"0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000" ]
	ok "$who: empty sets give none" $?
	inside 'cat /proc/self/status' 'del(.process.capabilities)'
	[ "$rc $(caps CapBnd) $(caps CapEff)" = "0 0000000000000000 0000000000000000" ]
	ok "$who: so does a bundle that does not speak of them" $?
	inside 'grep NoNew /proc/self/status' '.process.noNewPrivileges = true'
	says_like '^NoNewPrivs:.1' "no new privileges can be gained"
	inside 'echo runs' '.process.capabilities.bounding += ["CAP_BOGUS"]'
	[ $rc -eq 0 ] && [ "$(cat out)" = runs ] && grep -q "level=warning.*unknown capability 'CAP_BOGUS'" err
	ok "$who: an unknown capability is told of" $?
	inside 'echo runs' '.process.capabilities |= {ambient: ["CAP_CHOWN"], bounding: ["CAP_CHOWN"]}'
	[ "$rc" -eq 0 ] && grep -qi "ambient.*CAP_CHOWN" err
	ok "$who: an ambient capability that is not inheritable is a warning" $?
	[ "$who" = root ] || return
	inside 'cat /proc/self/status' '.process.user = {uid: 1000, gid: 1000} | .process.capabilities = {bounding: ["CAP_CHOWN", "CAP_KILL"],
		permitted: ["CAP_KILL"], effective: ["CAP_KILL"]}'
	[ "$(caps CapBnd) $(caps CapPrm) $(caps CapEff)" = "0000000000000021 0000000000000000 0000000000000000" ]
	ok "$who: another user keeps none" $?
}

# While a policy only observes, the sets are the bundle's to the last one.
inherited_capabilities() {
	with_policy 'mode: observe'
	inside 'cat /proc/self/status' '.process.capabilities = {bounding: ["CAP_CHOWN", "CAP_KILL", "CAP_NET_RAW"],
		permitted: ["CAP_CHOWN", "CAP_KILL"], effective: ["CAP_KILL"], inheritable: ["CAP_KILL"], ambient: ["CAP_KILL"]}'
	[ "$(caps CapInh) $(caps CapAmb)" = "0000000000000020 0000000000000020" ]
	ok "$who: observed, inheritable and ambient ones are the bundle's" $?
	if [ "$who" != root ]; then
		as "$who"
		return
	fi
	inside 'cat /proc/self/status' '.process.user = {uid: 1000, gid: 1000} | .process.capabilities = {bounding: ["CAP_CHOWN", "CAP_KILL"],
		permitted: ["CAP_KILL"], effective: ["CAP_KILL"], inheritable: ["CAP_KILL"], ambient: ["CAP_KILL"]}'
	[ "$(caps CapPrm) $(caps CapEff) $(caps CapInh) $(caps CapAmb)" = \
		"0000000000000020 0000000000000020 0000000000000020 0000000000000020" ]
	ok "$who: and another user keeps the ambient ones" $?
	as "$who"
}

# withheld FILTER: CapBnd of a bundle that asks for what looks into others, of which it has changed something
withheld() {
	inside 'cat /proc/self/status' "(.process.capabilities | .bounding, .effective, .permitted) =
		[\"CAP_CHOWN\", \"CAP_SYS_PTRACE\", \"CAP_SYS_ADMIN\", \"CAP_PERFMON\"] | $1"
	caps CapBnd
}

without() {
	echo ".linux.namespaces |= map(select(.type != \"$1\"))"
}

# Over what is not the container's own: sharing anything makes it share the user namespace, too.
withheld_capabilities() {
	[ "$(withheld .)" = 0000004000280001 ]
	ok "$who: in namespaces of its own it has what the bundle gives" $?
	jq -e 'select(.event == "start") | has("capabilitiesWithheld")' "$state/audit.jsonl" | tail -n 1 | grep -q false
	ok "$who: and the record tells of nothing" $?
	[ "$who" = root ] || return
	with_policy 'namespaces: {pid: bundle, ipc: bundle}'
	[ "$(withheld "$(without ipc)")" = 0000000000080001 ]
	ok "$who: in the host's user namespace, neither CAP_SYS_ADMIN nor CAP_PERFMON" $?
	tail -n 1 "$state/audit.jsonl" | jq -c .capabilitiesWithheld >out
	says '["CAP_SYS_ADMIN","CAP_PERFMON"]' "which is on record"
	[ "$(withheld "$(without pid)")" = 0000000000000001 ]
	ok "$who: beside the host's processes, nor CAP_SYS_PTRACE" $?
	bundle shared "(.process.capabilities | .bounding, .effective, .permitted) = [\"CAP_SYS_ADMIN\"] |
		$(without pid) | .process.args = [\"/bin/sleep\", \"60\"]"
	box run -d -b "$work/shared" "$tag-shared"
	box exec --cap CAP_SYS_PTRACE --cap CAP_CHOWN "$tag-shared" cat /proc/self/status
	[ "$(caps CapBnd)" = 0000000000000001 ]
	ok "$who: exec gives nobody more" $?
	box delete -f "$tag-shared"
	with_policy 'mode: observe'
	[ "$(withheld "$(without pid)")" = 0000004000280001 ]
	ok "$who: observed, all are the bundle's" $?
	as "$who"
}

no_core() {
	inside 'ulimit -c; ulimit -Hc' '.process.rlimits = [{type: "RLIMIT_CORE", soft: 4096, hard: 4096}]'
	expect 0 "0
0" "" "$who: no core is written, whatever the bundle says"
	with_policy 'mode: observe'
	inside 'grep core /proc/self/limits' '.process.rlimits = [{type: "RLIMIT_CORE", soft: 4096, hard: 4096}]'
	says_like ' 4096 +4096 ' "observed, the limit is the bundle's"
	inside 'grep core /proc/self/limits' '.process.rlimits = []'
	expect 0 "$(grep core /proc/self/limits)" "" "$who: or the caller's"
	as "$who"
}

settings() {
	inside 'uname -m; grep -q . /proc/self/personality && cat /proc/self/personality' '.linux.personality = {domain: "LINUX32"}'
	says_like '^i.86$' "the personality is the bundle's"
	inside true '.linux.personality = {domain: "PLAN9"}'
	fails 'linux[.]personality[.]domain' "an unknown one is refused"
	if [ -e /proc/self/numa_maps ]; then
		inside 'head -n 1 /proc/self/numa_maps | cut -d " " -f 2' '.linux.memoryPolicy = {mode: "MPOL_INTERLEAVE", nodes: "0"}'
		expect 0 interleave:0 "" "$who: the memory policy is the bundle's"
	fi
	inside true '.linux.memoryPolicy = {mode: "INTERLEAVE", nodes: "0"}'
	fails 'linux[.]memoryPolicy[.]mode' "an unknown one is refused"
	inside true '.linux.memoryPolicy = {mode: "MPOL_BIND", nodes: "3-"}'
	fails 'linux[.]memoryPolicy[.]nodes: invalid memory policy nodes' "so is what is no list of nodes"
	inside "awk '{print \$19, \$41}' /proc/self/stat" '.process.scheduler = {policy: "SCHED_BATCH", nice: 7}'
	expect 0 "7 3" "" "$who: the scheduler is the bundle's"
	inside true '.process.scheduler = {policy: "SCHED_FIFO", priority: 1}'
	fails 'SCHED_FIFO [(].*CAP_SYS_NICE on the host.*[)]: operation not permitted' "an error tells what real time needs"
	inside true '.process.scheduler = {policy: "SCHED_BOGUS"}'
	fails 'process[.]scheduler[.]policy' "an unknown one is refused"
	inside 'ionice -p $$' '.process.ioPriority = {class: "IOPRIO_CLASS_BE", priority: 6}'
	says_like '^best-effort: prio 6' "the priority of reads and writes is the bundle's"
	inside true '.process.ioPriority = {class: "IOPRIO_CLASS_BOGUS", priority: 6}'
	fails 'process[.]ioPriority[.]class' "an unknown one is refused"
	inside 'hostname; cat /proc/sys/kernel/domainname' '.hostname = "box.example" | .domainname = "example.org"'
	expect 0 "box.example
example.org" "" "$who: the names of host and domain are the bundle's"
	inside true '.domainname = "example.org" | .linux.sysctl = {"kernel/domainname": "other.org"}'
	fails 'linux[.]sysctl: kernel/domainname: .*leave one' "two domain names are refused"
	inside 'cat /proc/sys/kernel/domainname' '.domainname = "example.org" | .linux.sysctl = {"kernel.domainname": "example.org"}'
	expect 0 example.org "" "$who: the same one twice is not"
	inside true '.hostname = "box" | .linux.namespaces |= map(select(.type != "uts"))'
	[ "$rc" -eq 1 ] && grep -qi uts err
	ok "$who: a name of the host needs a namespace for it" $?
	inside 'cat /proc/sys/net/ipv4/ip_forward /proc/sys/kernel/msgmax' '.linux.sysctl = {"net.ipv4.ip_forward": "1", "kernel.msgmax": "4096"}
		| .linux.namespaces |= (map(select(.type != "network")) + [{type: "network"}])'
	expect 0 "1
4096" "" "$who: kernel settings of its namespaces are the bundle's"
	for each in kernel.core_pattern vm.swappiness kernel.hostname kernel.domainname+x ../x fs.file-max; do
		inside true ".linux.sysctl = {\"$each\": \"1\"}"
		[ "$rc" -eq 1 ] && grep -q sysctl err
		ok "$who: the setting $each is refused" $?
	done
	with_policy 'namespaces: {ipc: bundle}'
	inside true '.linux.sysctl = {"kernel.shmmax": "1"} | .linux.namespaces |= map(select(.type != "ipc"))'
	as "$who"
	[ "$rc" -eq 1 ] && grep -q sysctl err
	ok "$who: so is one of a namespace that is the host's" $?
	inside "grep Cpus_allowed_list /proc/self/status" '.'
	want=$(cat out)
	bundle aff '.process.args = ["/bin/grep", "Cpus_allowed_list", "/proc/self/status"]'
	if command -v taskset >/dev/null && [ "$(nproc)" -gt 1 ]; then
		(
			taskset -pc 0 "$(exec sh -c 'echo $PPID')" >/dev/null
			box run -b "$work/aff" "$tag-aff"
			exit $rc
		)
		[ "$(cat out)" = "$want" ]
		ok "$who: processors that the caller was bound to are not all that it gets" $?
	else
		skip "$who: processors that the caller was bound to are not all that it gets" "no taskset, or one processor"
	fi
}

filters() {
	profile='{defaultAction: "SCMP_ACT_ALLOW", architectures: ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"], syscalls: [
		{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_ERRNO", errnoRet: 28},
		{names: ["chmod", "fchmodat", "fchmod"], action: "SCMP_ACT_ERRNO"},
		{names: ["no_such_call_at_all", "sync"], action: "SCMP_ACT_ERRNO", errnoRet: 5},
		{names: ["kill"], action: "SCMP_ACT_ERRNO", args: [{index: 1, value: 10, op: "SCMP_CMP_EQ"}]}]}'
	inside 'mkdir /dev/shm/x; chmod 700 /dev/shm; kill -0 $$ && echo other; kill -USR1 $$; grep ^Seccomp: /proc/self/status' \
		".linux.seccomp = $profile"
	grep -q 'mkdir: .*No space left on device' err
	ok "$who: a call fails with the errno of the profile" $?
	grep -q 'chmod: .*Operation not permitted' err
	ok "$who: or with EPERM" $?
	says other "a call with other arguments is let through"
	grep -q "kill: .*Operation not permitted\|can't kill" err
	ok "$who: and one with these is not" $?
	says_like '^Seccomp:.2$' "a filter is loaded"
	inside 'echo on' '.linux.seccomp = {defaultAction: "SCMP_ACT_BOGUS"}'
	fails 'linux[.]seccomp[.]defaultAction' "an unknown action is refused"
	inside 'echo on' '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", flags: ["SECCOMP_FILTER_FLAG_BOGUS"]}'
	fails 'linux[.]seccomp[.]flags' "an unknown flag is refused"
	inside 'echo on' '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", architectures: ["SCMP_ARCH_BOGUS"]}'
	fails 'linux[.]seccomp[.]architectures' "an unknown architecture is refused"
	inside 'echo on' '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{names: ["read"], action: "SCMP_ACT_ALLOW", errnoRet: 1}]}'
	fails 'linux[.]seccomp[.]syscalls\[0\]' "an errno for an action that has none is refused"
	inside 'echo on' '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{names: ["write"], action: "SCMP_ACT_NOTIFY"}]}'
	[ "$rc" -eq 1 ] && grep -q 'SCMP_ACT_NOTIFY cannot be used for the write syscall' err
	ok "$who: nobody can be asked about write" $?
	inside 'echo on' '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", listenerPath: "/no/such/agent", syscalls: [{names: ["chmod"], action: "SCMP_ACT_NOTIFY"}]}'
	[ "$rc" -eq 1 ] && grep -q 'failed to connect with seccomp agent' err
	ok "$who: an agent that is not there is an error" $?
	inside 'mkdir /dev/shm/x' '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_KILL_PROCESS"}]}'
	[ "$rc" -eq 159 ]
	ok "$who: a call can be deadly" $?
}

labels() {
	if [ -z "$(ls /sys/fs/selinux 2>/dev/null)" ]; then
		inside true '.process.selinuxLabel = "system_u:system_r:container_t:s0"'
		[ "$rc" -eq 1 ] && grep -qi selinux err
		ok "$who: a label without SELinux is an error" $?
	else
		skip "$who: a label without SELinux is an error" "SELinux is here"
	fi
	if ! grep -q apparmor /sys/kernel/security/lsm 2>/dev/null; then
		inside true '.process.apparmorProfile = "some"'
		[ "$rc" -eq 1 ] && grep -qi apparmor err
		ok "$who: a profile without AppArmor is an error" $?
	else
		skip "$who: a profile without AppArmor is an error" "AppArmor is here"
	fi
	nothing_of "$tag-inside" "and nothing is left"
}

variables() {
	inside 'env | sort' '.process.env = ["PATH=/bin", "HOME=/", "A=1", "B=2", "A=3", "E=", "NL=one\ntwo", "EQ=a=b"]'
	[ "$(grep -v -e ^SHLVL -e ^PWD -e ^OLDPWD -e ^_= out)" = "A=3
B=2
E=
EQ=a=b
HOME=/
NL=one
PATH=/bin
two" ]
	ok "$who: variables are the bundle's, the last of a name, with all that is in them" $?
	inside true '.process.env = ["PATH=/bin", "NOVALUE"]'
	fails 'process[.]env\[1\]' "one without a value is refused"
	inside true '.process.env = ["=x"]'
	fails 'process[.]env\[0\]' "so is one without a name"
	bundle v '.process.args = ["true"] | .process.env = ["PATH=/nowhere:/bin"]'
	box run -b "$work/v" "$tag-v"
	expect 0 "" "" "$who: a program is looked for in the bundle's PATH"
	bundle v '.process.args = ["true"] | .process.env = ["PATH=/nowhere"]'
	box run -b "$work/v" "$tag-v"
	fails 'exec: "true": executable file not found in \$PATH' "and nowhere else"
	bundle v '.process.args = ["/etc"]'
	box create -b "$work/v" "$tag-v"
	fails 'exec: "/etc": (is a directory|permission denied)' "a directory is no program, which create tells already"
	bundle v '.process.args = ["/run.sh"]'
	own_root v
	printf '#!/no/such/shell\n' >"$work/v/rootfs/run.sh"
	chmod 755 "$work/v/rootfs/run.sh"
	box run -b "$work/v" "$tag-v"
	expect 1 "" "credsbox: run: exec /run.sh: no such file or directory" "$who: a script without its interpreter is told of in one line"
	bundle v '.process.args = ["/bin/sh", "-c", "ls /proc/self/fd | tr -d \"\\n\"; echo; cat <&4; echo \"$LISTEN_FDS $LISTEN_PID\""]'
	echo four >"$own/four"
	chmod 644 "$own/four"
	call run --preserve-fds 2 -b "$work/v" "$tag-v" 3</dev/null 4<"$own/four" 5</dev/null >out 2>err </dev/null
	says 012345 "descriptors are passed on when asked for, and no more"
	says four "and are what they were"
	# Systemd's protocol, as podman uses it, without saying whom it is meant for.
	(
		unset LISTEN_PID
		LISTEN_FDS=2 call run -b "$work/v" "$tag-v" 3</dev/null 4<"$own/four" >out 2>err </dev/null
	)
	says "2 1" "sockets of systemd's are passed on, and the program knows"
	says four "with what they were"
	call run --preserve-fds 1 -b "$work/v" "$tag-v" 3<&- >out 2>err </dev/null
	rc=$?
	fails 'preserve-fds: descriptor 3 is not open' "one that is not open is an error"
}

keys() {
	with_policy 'paths: {allow: [/proc/keys]}'
	bundle k '.process.args = ["/bin/cat", "/proc/keys"] | .linux.maskedPaths = []'
	box run -b "$work/k" "$tag-k"
	as "$who"
	# What the program has is its session's keyring, of which the container's id is the name.
	if ! [ -r /proc/keys ]; then
		skip "$who: it has a session keyring of its own" "no /proc/keys here"
		return
	fi
	grep -q "keyring *_ses\.$tag-k\|$tag-k" out
	ok "$who: it has a session keyring of its own" $?
	box run --no-new-keyring -b "$work/k" "$tag-l"
	[ "$rc" -eq 0 ] && ! grep -q "$tag-l" out
	ok "$who: unless --no-new-keyring says otherwise" $?
}

for person in $(everyone); do
	as "$person"
	ids
	limits
	capabilities
	inherited_capabilities
	withheld_capabilities
	no_core
	settings
	filters
	labels
	variables
	keys
done
finish_boxes
