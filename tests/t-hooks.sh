#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Hooks, as root and as an ordinary user: when, where and with what each kind runs, and what a failure does.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

kinds='prestart createRuntime createContainer startContainer poststart poststop'

# Says what it sees into a file of its name. The same file for hooks outside and inside.
cat >"$work/base/bin/hook" <<'EOF'
#!/bin/sh
# hook DIR KIND [exit CODE|sleep|quiet]
cd_was=$(pwd)
cat >"$1/$2.state"
echo "$2" >>"$1/order"
for n in cgroup ipc mnt net pid uts user; do echo "$n $(readlink /proc/self/ns/$n)"; done >"$1/$2.ns"
env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD= | sort >"$1/$2.env"
{
	echo "cwd $cd_was"
	echo "zero $0"
	echo "fds $(ls /proc/self/fd | tr -d '\n')"
	[ ! -e /bin/hook ] || echo "in the root"
	[ -t 0 ] || echo "no terminal"
} >"$1/$2.see"
case ${3-} in
exit)
	echo "why it failed" >&2
	exit "$4"
	;;
sleep) sleep 100 ;;
esac
EOF
chmod 755 "$work/base/bin/hook"
cp "$work/base/bin/hook" "$work/hook"

# hooks FILTER: a bundle with one hook of each kind; hooks inside see the directory as /log
hooks() {
	rm -rf "${own:?}/log"
	mkdir "$own/log"
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown $user_id:$user_id "$own/log"
	filter=.
	for kind in $kinds; do
		path=$work/hook dir=$own/log
		[ "$kind" != startContainer ] || path=/bin/hook dir=/log
		filter="$filter | .hooks.$kind = [{path: \"$path\", args: [\"name-$kind\", \"$dir\", \"$kind\"],
			env: [\"PATH=/bin:/usr/bin\", \"KIND=$kind\"]}]"
	done
	bundle h "$filter | .mounts += [{destination: \"/log\", type: \"bind\", source: \"$own/log\", options: [\"bind\"]}]
		| .process.args = [\"/bin/sh\", \"-c\", \"echo program >>/log/order; readlink /proc/self/ns/mnt >/log/mnt\"]
		| .process.env += [\"IMAGE=1\", \"LD_PRELOAD=/evil.so\"] | .annotations = {note: \"x\"} | ${1:-.}"
	[ -e "$work/base/log" ] || mkdir "$work/base/log"
}

ran() { # KIND...
	[ "$(tr '\n' ' ' <"$own/log/order" 2>/dev/null)" = "${*:+$* }" ]
}

all_kinds() {
	hooks
	CANARY=1 call create -b "$work/h" "$tag-h" >out 2>err </dev/null
	rc=$?
	[ $rc -eq 0 ] && ran prestart createRuntime createContainer
	ok "$who: create runs prestart, createRuntime and createContainer hooks, in this order" $?
	CANARY=1 call start "$tag-h" >out 2>err </dev/null
	wait_for 5 is_status "$tag-h" stopped
	grep -qx poststart "$own/log/order" && [ "$(grep -v poststart "$own/log/order" | tail -n 2 | tr '\n' ' ')" = "startContainer program " ]
	ok "$who: start runs startContainer hooks, the program and poststart hooks" $?
	pid=$(jq .pid "$own/log/prestart.state")
	CANARY=1 call delete "$tag-h" >out 2>err </dev/null
	[ "$(tail -n 1 "$own/log/order")" = poststop ]
	ok "$who: delete runs poststop hooks" $?
	for each in prestart=created createRuntime=created createContainer=created startContainer=created \
		poststart=running poststop=stopped; do
		kind=${each%=*}
		jq -e ".id == \"$tag-h\" and .status == \"${each#*=}\" and .bundle == \"$work/h\"
			and .annotations == {note: \"x\"} and (.ociVersion | test(\"^1[.]\"))" "$own/log/$kind.state" >/dev/null
		told=$?
		cp "$own/log/$kind.state" out
		ok "$who: a $kind hook gets the state, which says ${each#*=}" $told
		[ "$(cat "$own/log/$kind.env")" = "KIND=$kind
PATH=/bin:/usr/bin" ]
		ok "$who: a $kind hook has its own variables only, none of the caller's or the program's" $?
		grep -qx 'fds 0123' "$own/log/$kind.see" && grep -qx 'no terminal' "$own/log/$kind.see"
		ok "$who: a $kind hook has three descriptors" $?
	done
	jq -es 'all(. == .) and (map(.pid) | unique | length) == 1 and .[0].pid > 0' "$own/log/prestart.state" \
		"$own/log/createRuntime.state" "$own/log/poststart.state" >/dev/null && [ "$pid" -gt 1 ]
	ok "$who: hooks outside are told the process id of the host" $?
	jq -es 'map(.pid) == [1, 1]' "$own/log/createContainer.state" "$own/log/startContainer.state" >/dev/null
	ok "$who: hooks inside are told that of the container" $?
	jq -e '.pid == 0 or .pid == null' "$own/log/poststop.state" >/dev/null
	ok "$who: after the end there is none" $?
}

places() {
	for kind in prestart createRuntime poststart poststop; do
		[ "$(awk '$1 == "mnt" {print $2}' "$own/log/$kind.ns")" = "$(readlink /proc/self/ns/mnt)" ] &&
			[ "$(awk '$1 == "pid" {print $2}' "$own/log/$kind.ns")" = "$(readlink /proc/self/ns/pid)" ] &&
			grep -qx "cwd $work/h" "$own/log/$kind.see"
		ok "$who: a $kind hook runs in the runtime's namespaces, in the bundle" $?
	done
	for kind in createContainer startContainer; do
		[ "$(awk '$1 == "mnt" {print $2}' "$own/log/$kind.ns")" = "$(cat "$own/log/mnt")" ]
		ok "$who: a $kind hook runs in the container's namespaces" $?
	done
	! grep -q 'in the root' "$own/log/createContainer.see" && grep -q 'in the root' "$own/log/startContainer.see"
	ok "$who: a createContainer hook still sees the host's files, a startContainer hook the container's" $?
	grep -qx 'cwd /' "$own/log/startContainer.see"
	ok "$who: a startContainer hook runs in the root of the container" $?
	hooks 'del(.hooks[]) | .hooks.startContainer = [{path: "/bin/hook", args: ["x", "/log", "startContainer"]}]'
	box run -b "$work/h" "$tag-h"
	grep -qx IMAGE=1 "$own/log/startContainer.env"
	ok "$who: without variables of its own, a startContainer hook has the program's" $?
	grep -qx HOME=/root "$own/log/startContainer.env"
	ok "$who: HOME among them, which the bundle need not name" $?
	hooks 'del(.hooks[]) | .hooks.createRuntime = [{path: "/bin/sh", args: ["other name", "-c", "echo $0 >'"$own"'/log/zero", "argument"]},
		{path: "'"$work/hook"'", args: ["x", "'"$own"'/log", "two"], env: ["PATH=/bin"]},
		{path: "'"$work/hook"'", args: ["x", "'"$own"'/log", "three"], env: ["PATH=/bin"]}]'
	box run -b "$work/h" "$tag-h"
	ran two three program
	ok "$who: hooks of a kind run in their order" $?
}

failures() {
	for each in prestart createRuntime createContainer startContainer; do
		path=$work/hook dir=$own/log
		[ $each != startContainer ] || path=/bin/hook dir=/log
		hooks "del(.hooks[]) | .hooks.$each = [{path: \"$path\", args: [\"x\", \"$dir\", \"one\"], env: [\"PATH=/bin\"]},
			{path: \"$path\", args: [\"x\", \"$dir\", \"two\", \"exit\", \"3\"], env: [\"PATH=/bin\"]},
			{path: \"$path\", args: [\"x\", \"$dir\", \"three\"], env: [\"PATH=/bin\"]}]"
		box run -b "$work/h" "$tag-h"
		[ $rc -eq 1 ] && [ "$(tail -n 1 err)" = "credsbox: run: error running $each hook #1: exit status 3" ]
		ok "$who: a $each hook that fails is named with its number" $?
		grep -qx 'why it failed' err
		ok "$who: what it said is on standard error" $?
		ran one two
		ok "$who: neither the next $each hook nor the program runs" $?
		nothing_of "$tag-h" "and nothing is left"
	done
	hooks "del(.hooks[]) | .hooks.poststart = [{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"one\", \"exit\", \"3\"], env: [\"PATH=/bin\"]}]
		| .process.args = [\"/bin/sleep\", \"100\"]"
	box run -d -b "$work/h" "$tag-h"
	expect_like 1 '' 'error running poststart hook #0: exit status 3' "$who: a poststart hook that fails ends the container"
	nothing_of "$tag-h" "and nothing is left of it"
	hooks "del(.hooks[]) | .hooks.poststart = [{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"one\", \"exit\", \"3\"], env: [\"PATH=/bin\"]}]
		| .process.args = [\"/bin/sleep\", \"100\"]"
	box create -b "$work/h" "$tag-h"
	box start "$tag-h"
	expect_like 1 '' '^credsbox: start: error running poststart hook #0: exit status 3' "$who: also from start"
	wait_for 5 is_status "$tag-h" stopped
	ok "$who: the container is stopped then" $?
	box delete "$tag-h"
	hooks "del(.hooks[]) | .ociVersion = \"1.2.1\" | .process.args = [\"/bin/true\"] | .hooks.poststart = [
		{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"one\", \"exit\", \"3\"], env: [\"PATH=/bin\"]},
		{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"two\"], env: [\"PATH=/bin\"]}]"
	box run -b "$work/h" "$tag-h"
	expect_like 0 '' 'error running poststart hook #0: exit status 3 .hook 1 of 2.' \
		"$who: a bundle of before 1.3 only has it warned of, as its specification says"
	ran one two
	ok "$who: and the next one runs" $?
	box create -b "$work/h" "$tag-h"
	box start "$tag-h"
	expect_like 0 '' 'error running poststart hook #0' "$who: start does the same"
	wait_for 5 is_status "$tag-h" stopped
	box delete "$tag-h"
	hooks "del(.hooks[]) | .hooks.poststop = [{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"one\", \"exit\", \"3\"], env: [\"PATH=/bin\"]},
		{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"two\"], env: [\"PATH=/bin\"]}]"
	box run --keep -b "$work/h" "$tag-h"
	box delete "$tag-h"
	[ $rc -eq 0 ] && grep -q 'level=warning msg="error running poststop hook #0: exit status 3' err
	ok "$who: a poststop hook that fails is a warning" $?
	ran program one two
	ok "$who: the next one still runs" $?
	nothing_of "$tag-h" "and the container goes"
	hooks "del(.hooks[]) | .hooks.prestart = [{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"one\", \"sleep\"], env: [\"PATH=/bin\"], timeout: 1}]"
	box run -b "$work/h" "$tag-h"
	expect_like 1 '' 'error running prestart hook #0: hook ran past specified timeout' "$who: a hook that takes too long is ended"
	hooks 'del(.hooks[]) | .hooks.prestart = [{path: "/no/such/hook"}]'
	box run -b "$work/h" "$tag-h"
	fails 'error running prestart hook #0: .*no such file or directory' "a hook that is not there is a failure"
	hooks 'del(.hooks[]) | .hooks.prestart = [{path: "bin/true"}]'
	box run -b "$work/h" "$tag-h"
	fails 'hooks[.]prestart\[0\][.]path' "a hook's path must be absolute"
	hooks 'del(.hooks[]) | .hooks.prestart = [{path: "/bin/true", timeout: 0}]'
	box run -b "$work/h" "$tag-h"
	fails 'hooks[.]prestart\[0\][.]timeout' "a timeout must be more than nothing"
	hooks 'del(.hooks[]) | .hooks.prestart = [{path: "/bin/sh", args: ["sh", "-c", "kill -9 $$"]}]'
	box run -b "$work/h" "$tag-h"
	fails 'error running prestart hook #0: signal: killed' "a hook that is killed is a failure"
	hooks 'del(.hooks[]) | .hooks.prestart = [{path: "/bin/sh", args: ["sh", "-c", "exec <&-; exit 0"]}]'
	box run -b "$work/h" "$tag-h"
	[ $rc -eq 0 ] && ran program
	ok "$who: a hook need not read its input" $?
}

# What hooks prepared is to be undone by hooks, also when the container is never there.
undone() {
	stop="{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"poststop\"], env: [\"PATH=/bin\"]}"
	for each in prestart createRuntime createContainer startContainer poststart; do
		path=$work/hook dir=$own/log
		[ $each != startContainer ] || path=/bin/hook dir=/log
		hooks "del(.hooks[]) | .process.args = [\"/bin/sleep\", \"100\"] | .hooks.poststop = [$stop]
			| .hooks.$each = [{path: \"$path\", args: [\"x\", \"$dir\", \"$each\", \"exit\", \"3\"], env: [\"PATH=/bin\"]}]"
		box run -b "$work/h" "$tag-h"
		[ $rc -eq 1 ] && ran $each poststop
		ok "$who: poststop hooks run after a $each hook that fails" $?
		jq -e '.status == "stopped" and .pid == 0' "$own/log/poststop.state" >/dev/null
		ok "$who: they are told that it has stopped" $?
		nothing_of "$tag-h" "and nothing is left"
		case $each in
		startContainer | poststart) continue ;;
		esac
		: >"$own/log/order"
		box create -b "$work/h" "$tag-h"
		[ $rc -eq 1 ] && ran $each poststop
		ok "$who: also when it is create that fails" $?
	done
	hooks "del(.hooks[]) | .process.args = [\"/no/such/program\"] | .hooks.poststop = [$stop, $stop]
		| .hooks.prestart = [{path: \"$work/hook\", args: [\"x\", \"$own/log\", \"prestart\"], env: [\"PATH=/bin\"]}]"
	box create -b "$work/h" "$tag-h"
	[ $rc -eq 1 ] && ran prestart poststop poststop
	ok "$who: and when something else fails after hooks have run" $?
	hooks "del(.hooks[]) | .root.path = \"$work/no-root\" | .hooks.poststop = [$stop]"
	box create -b "$work/h" "$tag-h"
	[ $rc -eq 1 ] && ran
	ok "$who: but not when nothing was begun" $?
}

# A credential does not reach a hook that runs inside, nor the state that it is given.
strips() {
	hooks 'del(.hooks[]) | .hooks.startContainer = [{path: "/bin/hook", args: ["x", "/log", "startContainer"],
		env: ["PATH=/bin", "AWS_SECRET_ACCESS_KEY=abc", "KEPT=1"]}]'
	box run -b "$work/h" "$tag-h"
	[ "$(cat "$own/log/startContainer.env")" = "KEPT=1
PATH=/bin" ]
	ok "$who: a hook inside gets no credential" $?
}

for person in $(everyone); do
	as "$person"
	all_kinds
	places
	failures
	undone
	strips
done
finish_boxes
