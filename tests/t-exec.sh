#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox exec, as root and as an ordinary user: every option, who it is, what it gets, how it ends.
# shellcheck source=tests/cli.sh disable=SC2016,SC2086 # scripts for other shells; lists of words
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

# x ARGUMENT...: exec in the container that all cases share
x() {
	box exec "$@"
}

# A value that is shaped like a credential, put together so that nobody finds one in here.
secret=ghp_$(printf 'x%.0s' 1 2 3 4 5 6)0Aq9Zt3Lw7Rk2Vn5Bc8Md4Fs6Gj1Hp

begin() {
	bundle host '.process.args = ["/bin/sleep", "100"] | .process.user.umask = 18
		| .process.env = ["PATH=/bin", "ONE=1", "TWO=2"] | .process.cwd = "/tmp"
		| .process.rlimits = [{type: "RLIMIT_NOFILE", soft: 100, hard: 200}]'
	box run -d -b "$work/host" "$tag-x"
	expect 0 "" "" "$who: there is a container"
}

endings() {
	x "$tag-x" sh -c 'echo hello; echo there >&2; exit 7'
	expect 7 hello there "$who: output, errors and the exit code are the program's"
	x "$tag-x" sh -c 'kill -9 $$'
	expect 137 "" "" "$who: a signal gives 128 and its number"
	echo word | call exec "$tag-x" cat >out 2>err
	rc=$?
	expect 0 word "" "$who: standard input is the caller's"
	x "$tag-x" echo -e --env -t
	expect 0 "--env -t" "" "$who: what follows the command is the command's"
	x "$tag-x" nope
	expect 255 "" 'credsbox: exec: exec: "nope": executable file not found in $PATH' \
		"$who: a command that is not there gives 255, in the words that engines know"
	x "$tag-x" /nope
	expect 255 "" 'credsbox: exec: exec: "/nope": stat /nope: no such file or directory' \
		"$who: nor is a path"
	x "$tag-x" /etc/passwd
	expect 255 "" 'credsbox: exec: exec: "/etc/passwd": permission denied' "$who: what is no program is refused"
	x "$tag-x" /etc
	expect_like 255 '' '^credsbox: exec: exec: "/etc": (is a directory|permission denied)$' "$who: nor is a directory"
	x "$tag-x" ""
	expect_like 255 '' 'executable file not found in' "$who: nor an empty name"
	x "$tag-x"
	fails '^credsbox: exec: which program' "exec without a command is refused"
	x --pid-file "$own/no/pid" "$tag-x" true
	expect_like 255 '' '^credsbox: exec: --pid-file: no such file or directory' \
		"$who: a pid file that cannot be written gives 255"
}

surroundings() {
	x "$tag-x" sh -c 'pwd; umask; ulimit -n; ulimit -Hn; env | sort; cat /proc/self/cgroup; grep -e NoNew -e Cap -e Seccomp: /proc/self/status'
	says /tmp "the directory is the container's"
	says 0022 "so is the umask"
	says 100 "so are limits"
	says 200 "the hard ones too"
	says ONE=1 "and variables"
	says HOME=/root "HOME is from /etc/passwd"
	says_like '^NoNewPrivs:.1$' "it gets no new privileges"
	call exec "$tag-x" cat /proc/1/status 2>err </dev/null | grep ^Cap >want
	grep ^Cap out | diff want - >err
	ok "$who: capabilities are those of the container's own program" $?
	x --detach --pid-file "$own/pid" "$tag-x" sleep 100
	pid=$(cat "$own/pid") first=$(call state "$tag-x" | jq .pid)
	for name in cgroup ipc mnt net pid uts user; do
		readlink "/proc/$pid/ns/$name" >one && readlink "/proc/$first/ns/$name" | cmp -s - one || echo "$name"
	done >out
	kill "$pid"
	[ ! -s out ]
	ok "$who: it is in all namespaces of the container" $?
	x "$tag-x" sh -c 'ls /proc/self/fd | tr -d "\n"'
	expect 0 0123 "" "$who: it has three descriptors, and the one that ls opens"
	x --cwd /etc "$tag-x" pwd
	expect 0 /etc "" "$who: --cwd is the directory"
	x --cwd etc "$tag-x" pwd
	expect_like 255 '' 'cwd' "$who: a relative --cwd is refused"
	x --cwd /proc/1/fd/99/.. "$tag-x" pwd
	[ $rc -eq 255 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
	ok "$who: a --cwd that cannot be is an error" $?
}

variables() {
	x --env A=1 -e B="x y" -e A=2 -e NL='one
two' "$tag-x" sh -c 'echo "$A,$B,$ONE,$NL"; env | grep -c ^A='
	expect 0 "2,x y,1,one
two
1" "" "$who: --env adds, and the last of a name counts"
	x -e ONE=new -e HOME=/x "$tag-x" sh -c 'echo $ONE $HOME'
	expect 0 "new /x" "" "$who: --env goes over the container's"
	x -e HOME= "$tag-x" sh -c 'echo $HOME'
	expect 0 /root "" "$who: an empty HOME is filled in"
	x -e NOVALUE "$tag-x" env
	fails '^credsbox: exec: --env: ' "a variable without a value is refused"
	x -e =x "$tag-x" env
	fails '^credsbox: exec: --env: ' "so is one without a name"
	x -e "GITHUB_TOKEN=$secret" -e "PLAIN=$secret" -e OK=1 "$tag-x" env
	[ $rc -eq 0 ] && grep -qx OK=1 out && ! grep -q -e GITHUB -e "$secret" out err
	ok "$who: credentials in --env are cut, by name and by value" $?
	tail -n 9 "$state/audit.jsonl" | grep -q GITHUB_TOKEN && ! grep -qF "$secret" "$state/audit.jsonl"
	ok "$who: which the record tells, without the value" $?
	! grep -rqF "$secret" "$state"
	ok "$who: and no file of the state has it" $?
}

# -u: exactly these people, or nobody
users() {
	x "$tag-x" id
	says_like '^uid=0.*gid=0' "without --user it is who the container's program is"
	for word in :1 1: 01 1:2:3 +1 ' 1' '1 ' 1e1 -1 4294967295 4294967296 99999999999999999999 root 0x1 '' 1:root 1:-1 \
		1:4294967295 '1:+2'; do
		x -u "$word" "$tag-x" id
		fails '^credsbox: exec: --user: UID' "--user '$word' is refused"
	done
	if [ "$who" = user ]; then
		x -u 1 "$tag-x" id
		expect_like 255 '' '^credsbox: exec: ' "$who: a user that is not mapped is an error"
		return
	fi
	for word in 1=1:0 1:2=1:2 1000:1000=1000:1000 4294967294=4294967294:0 0=0:0; do
		x -u "${word%=*}" "$tag-x" sh -c 'echo "$(id -u):$(id -g)"'
		expect 0 "${word#*=}" "" "$who: --user ${word%=*} is ${word#*=}"
	done
	x -u 1000:1000 "$tag-x" sh -c 'echo $HOME; grep -e CapEff -e CapPrm /proc/self/status'
	says /home/ada "the home directory is that user's"
	says_like '^CapEff:.0000000000000000$' "another user than root has no effective capabilities"
	x -u 1000 -g 7 --additional-gids=8,9 "$tag-x" sh -c 'grep ^Groups /proc/self/status'
	says_like '^Groups:.7 8 9 ?$' "--additional-gids may be repeated"
	x -g 1x "$tag-x" true
	fails '^credsbox: exec: --additional-gids: ' "a group that is no number is refused"
}

capabilities() {
	x -c CAP_CHOWN "$tag-x" grep ^Cap /proc/self/status
	grep -q '^CapInh:.0000000000000000$' out && grep -q '^CapAmb:.0000000000000000$' out &&
		[ "$(grep -c '1$' out)" -eq 3 ]
	ok "$who: --cap adds to what can be used, not to what is inherited" $?
	x --cap cap_bogus "$tag-x" true
	fails '^credsbox: exec: --cap: ' "a capability that is none is refused"
	bundle other '.process.args = ["/bin/sleep", "100"] | .process.noNewPrivileges = false
		| .process.capabilities |= map_values(["CAP_KILL"]) | .process.capabilities.ambient = ["CAP_KILL"]
		| .process.capabilities.inheritable = ["CAP_KILL"]'
	box run -d -b "$work/other" "$tag-y"
	x -c CAP_CHOWN "$tag-y" grep -e ^CapInh -e ^CapAmb -e NoNew /proc/self/status
	[ "$(grep -c '^Cap.*:.0000000000000000$' out)" -eq 2 ]
	ok "$who: what the bundle would have inherited is not" $?
	says_like '^NoNewPrivs:.1$' "no new privileges can be gained"
	box delete -f "$tag-y"
	with_policy 'mode: observe'
	box run -d -b "$work/other" "$tag-y"
	x "$tag-y" grep -e ^Cap -e NoNew /proc/self/status
	says_like '^CapAmb:.0000000000000020$' "ambient capabilities are the container's"
	x --no-new-privs -c CAP_CHOWN "$tag-y" grep -e ^Cap -e NoNew /proc/self/status
	says_like '^NoNewPrivs:.1$' "--no-new-privs takes them"
	[ "$(grep -c '^Cap.*21$' out)" -eq 5 ]
	ok "$who: --cap adds to ambient capabilities where there are some" $?
	box delete -f "$tag-y"
	as "$who"
}

# What the container's first program has of the kernel, a guest has too.
inherits() {
	bundle other '.process.args = ["/bin/sleep", "100"] | .process.scheduler = {policy: "SCHED_BATCH", nice: 7}
		| .process.ioPriority = {class: "IOPRIO_CLASS_BE", priority: 6} | .linux.personality = {domain: "LINUX32"}
		| .process.oomScoreAdj = 555 | .process.execCPUAffinity = {initial: "0", final: "0"}
		| .linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_ERRNO", errnoRet: 28}]}'
	box run -d -b "$work/other" "$tag-y"
	x "$tag-y" sh -c 'cut -d" " -f19,41 /proc/self/stat; ionice -p $$; uname -m; cat /proc/self/oom_score_adj; mkdir /dev/shm/x; grep Cpus_allowed_list /proc/self/status'
	says '7 3' "a guest has the scheduler of the bundle"
	says_like '^best-effort: prio 6' "and its priority of reads and writes"
	says_like '^i.86$' "and its personality"
	says 555 "and its OOM score"
	says_like '^Cpus_allowed_list:.0$' "and the processors that are for guests"
	grep -q 'No space left on device' err
	ok "$who: and its filter" $?
	[ "$(nproc)" -lt 2 ] || ! grep -q 'Cpus_allowed_list:.0$' "/proc/$(call state "$tag-y" | jq .pid)/status"
	ok "$who: which are not the first program's" $?
	box delete -f "$tag-y"
	if [ ! -e /proc/self/numa_maps ]; then
		skip "$who: and its memory policy" "a kernel without NUMA"
		return
	fi
	bundle other '.process.args = ["/bin/sleep", "100"] | .linux.memoryPolicy = {mode: "MPOL_BIND", nodes: "0", flags: ["MPOL_F_STATIC_NODES"]}'
	box run -d -b "$work/other" "$tag-y"
	x "$tag-y" sh -c 'head -n 1 /proc/self/numa_maps | cut -d " " -f 2'
	says 'bind=static:0' "and its memory policy"
	box delete -f "$tag-y"
}

# exec --process: what engines call
files() {
	jq -n '{cwd: "/etc", args: ["sh", "-c", "pwd; id -u; ulimit -n; env; exit 3"], user: {uid: 0, gid: 0},
		env: ["PATH=/bin", "FILE=1", "AWS_SECRET_ACCESS_KEY=abc"], rlimits: [{type: "RLIMIT_NOFILE", soft: 50, hard: 60}]}' >"$own/p.json"
	chmod 644 "$own/p.json"
	x --process "$own/p.json" "$tag-x"
	[ $rc -eq 3 ] && [ "$(sed -n 1,3p out)" = "/etc
0
50" ] && grep -qx FILE=1 out
	ok "$who: --process says all of the process" $?
	! grep -q -e ONE= -e AWS out
	ok "$who: its environment is not the container's, and is judged" $?
	call exec -p /dev/fd/5 "$tag-x" 5<"$own/p.json" >out 2>err </dev/null
	[ $? -eq 3 ] && grep -qx FILE=1 out
	ok "$who: --process may be a descriptor" $?
	x --process "$own/none.json" "$tag-x"
	expect_like 255 '' '^credsbox: exec: .*no such file or directory$' "$who: a file that is not there gives 255"
	for case in 'nonsense=unknown word' '{"cwd":"/","args":["true"],"args":["id"]}=duplicate' \
		'{"cwd":"/","args":[]}=args' '{"cwd":"x","args":["true"]}=cwd' '{"args":["true"]}=cwd' \
		'{"cwd":"/","args":["true"],"env":["NOVALUE"]}=env' '{"cwd":"/","args":["true"],"env":"A=1"}=env' \
		'{"cwd":"/","args":["true"],"user":{"uid":-1}}=uid' '{"cwd":"/","args":["true"],"user":{"uid":4294967295}}=uid' \
		'{"cwd":"/","args":["true"],"user":{"uid":1e1}}=uid' '{"cwd":"/","args":["true"],"user":{"uid":0.9}}=uid' \
		'{"cwd":"/","args":["tr\u0000ue"]}=NUL|zero' '{"cwd":"/","Args":["true"]}=Args|args' '[]=object' ''; do
		printf %s "${case%=*}" >"$own/p.json"
		x --process "$own/p.json" "$tag-x"
		[ $rc -eq 255 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "${case##*=}" err
		ok "$who: --process of '${case%=*}' is refused" $?
	done
}

detached() {
	x --detach --pid-file "$own/pid" "$tag-x" sh -c 'echo begun; exec sleep 100'
	pid=$(cat "$own/pid")
	[ $rc -eq 0 ] && wait_for 5 grep -qx begun out && [ "$(wc -l <"$own/pid")" -eq 0 ] && [ -d "/proc/$pid" ]
	ok "$who: --detach leaves it running, and its number of the host in the pid file" $?
	[ "$(awk '{print $5, $6}' "/proc/$pid/stat")" = "$pid $pid" ]
	ok "$who: it leads a session and a process group" $?
	[ "$(awk '/^NSpid/ {print NF}' "/proc/$pid/status")" -ge 3 ]
	ok "$who: it is in the container's process ids" $?
	kill "$pid"
	x -d "$tag-x" nope
	expect_like 255 '' 'executable file not found in' "$who: a detached command that is not there is an error all the same"
}

descriptors() {
	echo kept >"$own/kept"
	chmod 644 "$own/kept"
	call exec --preserve-fds 1 "$tag-x" sh -c 'cat <&3; ls /proc/self/fd | tr -d "\n"' 3<"$own/kept" 4<"$own/kept" >out 2>err </dev/null
	rc=$?
	expect 0 "kept
01234" "" "$who: --preserve-fds passes so many, and no more"
	call exec --preserve-fds 2 "$tag-x" true >out 2>err </dev/null 3<&- 4<&-
	rc=$?
	expect_like 255 '' 'preserve-fds: descriptor 3 is not open' "$who: one that is not open is an error"
	x --preserve-fds x "$tag-x" true
	fails 'preserve-fds: a number' "a count that is no number is refused"
}

labels() {
	if [ ! -d /sys/fs/selinux/ ] || [ -z "$(ls /sys/fs/selinux)" ]; then
		x --process-label system_u:x:y:s0 "$tag-x" true
		expect_like 255 '' '[Ss][Ee][Ll]inux' "$who: a label without SELinux is an error"
	else
		skip "$who: a label without SELinux is an error" "SELinux is here"
	fi
	if ! grep -q apparmor /sys/kernel/security/lsm 2>/dev/null; then
		x --apparmor some "$tag-x" true
		expect_like 255 '' '[Aa]pp[Aa]rmor' "$who: a profile without AppArmor is an error"
	else
		skip "$who: a profile without AppArmor is an error" "AppArmor is here"
	fi
}

terminals() {
	x -t -d "$tag-x" true
	expect_like 255 '' 'cannot allocate tty if credsbox will detach without setting console socket' \
		"$who: a detached terminal needs a socket"
	x --console-socket "$own/none" "$tag-x" true
	expect_like 255 '' 'cannot use console socket if credsbox will not detach or allocate tty' \
		"$who: a socket without a terminal is refused"
	x -t -d --console-socket "$own/none" "$tag-x" true
	expect_like 255 '' '^credsbox: exec: --console-socket: ' "$who: a socket that is not there is an error"
	if ! command -v script >/dev/null; then
		skip "$who: --tty gives a terminal" "no script here"
		return
	fi
	cat >"$work/tty.sh" <<-EOF
		who=$who work=$work state=$state policy=$policy user_id=$user_id
		$(sed -n '/^call()/,/^}/p' "$top_srcdir/tests/box.sh")
		stty rows 33 cols 44
		call exec --tty $tag-x sh -c 'test -t 0 && test -t 1 && test -t 2 && tty; stty size; exit 6'
		echo "code \$?"
	EOF
	# Nobody types: what is typed would be shown in the midst of what is said.
	[ -p "$work/silence" ] || mkfifo "$work/silence"
	script -qec "sh $work/tty.sh" /dev/null <>"$work/silence" 2>err | tr -d '\r' >out
	says_like '^/dev/pts/[0-9]+$' "--tty gives it a terminal in the container"
	says "33 44" "which has the size of the caller's"
	says "code 6" "and the exit code comes back"
}

other_states() {
	bundle host '.process.args = ["/bin/sleep", "100"]'
	box create -b "$work/host" "$tag-c"
	if [ "$who" = user ]; then
		# What waits for start still knows what was cut, and only a privilege opens its namespaces.
		x "$tag-c" true
		expect_like 255 '' "cannot join the container's namespaces" "$who: exec in a created container needs privileges"
		box delete -f "$tag-c"
		return
	fi
	x "$tag-c" sh -c 'echo in; ls -d /proc/1'
	expect 0 "in
/proc/1" "" "$who: exec works in a container that is created"
	is_status "$tag-c" created
	ok "$who: which stays created" $?
	box delete -f "$tag-c"
	box pause "$tag-x"
	x "$tag-x" true
	expect_like 255 '' 'cannot exec in a paused container' "$who: exec in a paused container gives 255"
	(
		sleep 0.3
		call resume "$tag-x"
	) &
	x --ignore-paused "$tag-x" echo later
	wait
	expect 0 later "" "$who: --ignore-paused waits for it to go on"
}

groups() {
	x --cgroup ../.. "$tag-x" true
	expect_like 255 '' '[.][.] is not a sub cgroup path' "$who: --cgroup does not lead out of the container's"
	x --cgroup none "$tag-x" true
	expect_like 255 '' ' adding pid .*/cgroup.procs: no such file ' "$who: --cgroup needs one that is there"
	x --cgroup bogus:/ "$tag-x" true
	expect_like 255 '' 'unknown controller bogus' "$who: --cgroup needs a controller that there is"
	x "$tag-x" cat /proc/self/cgroup
	! grep -q ":memory:" out || says_like ":memory:.*$tag-x" "it is in the container's control group"
	if mkdir "/sys/fs/cgroup/pids/$tag-x/sub" 2>/dev/null; then
		x --cgroup pids:sub "$tag-x" cat /proc/self/cgroup
		says_like ":pids:.*$tag-x/sub$" "--cgroup leads to one below it"
	else
		skip "$who: --cgroup leads to one below it" "no controller of version 1"
	fi
}

debian() {
	debian_root
	bundle deb ".root.path = \"$work/debian\" | .process.args = [\"/bin/sleep\", \"100\"]
		| .mounts += $debian_mounts"
	box run -d -b "$work/deb" "$tag-d"
	x "$tag-d" bash -c 'echo ${BASH_VERSION:+bash}; ls -d /etc/passwd'
	expect 0 "bash
/etc/passwd" "" "$who: programs of this system with their libraries run too"
	if command -v python3 >/dev/null; then
		x "$tag-d" python3 -c 'import sys, threading, subprocess
t = threading.Thread(target=lambda: print("thread")); t.start(); t.join()
print(subprocess.run(["id", "-u"], capture_output=True, text=True).stdout, end=""); sys.exit(4)'
		expect 4 "thread
0" "" "$who: so does Python, with a thread and a process"
	else
		skip "$who: so does Python, with a thread and a process" "no python3 here"
	fi
	box delete -f "$tag-d"
}

for person in $(everyone); do
	as "$person"
	begin
	endings
	surroundings
	variables
	users
	capabilities
	inherits
	files
	detached
	descriptors
	labels
	terminals
	other_states
	[ "$who" = user ] || groups
	box delete -f "$tag-x"
	debian
done
finish_boxes
