#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the tests of containers share: source it after cli.sh. It makes a root of busybox, bundles of it,
# and calls the program as root or as an ordinary user; finish_boxes looks for what is left.
# shellcheck disable=SC2034,SC2154 # work and rc are those of cli.sh
[ -z "${CHECK_FAST-}" ] || skip_all "without tests of containers, as CHECK_FAST asks for"
command -v busybox >/dev/null || skip_all "no busybox here (package busybox-static)"
busybox=$(command -v busybox)
# A name that nothing else on this machine has: of containers, groups and directories.
tag=cbx$$
user_id=54321
chmod 755 "$work"
mkdir -p "$work/base/bin" "$work/base/etc" "$work/base/tmp" "$work/base/proc" "$work/base/sys" \
	"$work/base/dev" "$work/base/root" "$work/base/home/ada" "$work/state" "$work/state-user"
chmod 1777 "$work/base/tmp"
cp "$busybox" "$work/base/bin/busybox"
# Its own shell has ln inside: to start another program hundreds of times takes long.
# shellcheck disable=SC2016 # it is that shell's script
(cd "$work/base/bin" && "$busybox" sh -c '"$0" --list | while read -r name; do
	[ -e "$name" ] || ln -s busybox "$name"
done' "$busybox")
printf 'root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000:Ada:/home/ada:/bin/sh\n' \
	>"$work/base/etc/passwd"
printf 'root:x:0:\nada:x:1000:\n' >"$work/base/etc/group"
cp "$CREDSBOX" "$work/program" 2>/dev/null
chmod 755 "$work/program"
chmod 700 "$work/state" "$work/state-user"
[ "$(id -u)" != 0 ] || chown "$user_id:$user_id" "$work/state-user"

# as root | as user: who the next calls are
as() {
	who=$1
	if [ "$who" = root ]; then
		state=$work/state
	else
		state=$work/state-user
	fi
	printf 'audit: {file: %s/audit.jsonl}\n' "$state" >"$work/policy-$who.yaml"
	policy=$work/policy-$who.yaml
	chmod 644 "$policy"
	# A directory of their own.
	own=$work/own-$who
	mkdir -p "$own"
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown $user_id:$user_id "$own"
	echo "# as $who"
}

# with_policy YAML: one more section, until the next `as`
with_policy() {
	printf '%s\n' "$1" >>"$policy"
}

# The people that can be had here: root makes the ordinary one, who cannot make root.
everyone() {
	if [ "$(id -u)" = 0 ]; then
		echo "${BOX_PEOPLE:-root user}"
	else
		echo user
	fi
}

# call ARGUMENT...: the program as it is now, with our own standard input and output
call() {
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		setpriv --reuid=$user_id --regid=$user_id --clear-groups \
			"$work/program" --root "$state" --policy "$policy" "$@"
	else
		"$work/program" --root "$state" --policy "$policy" "$@"
	fi
}

# box ARGUMENT...: leaves out, err and rc
box() {
	call "$@" >out 2>err </dev/null
	rc=$?
}

# bundle NAME [JQ-FILTER]: a directory of that name with config.json, of a program that does nothing;
# its root is its own copy with own_root, otherwise one that all share
bundle() {
	rm -rf "${work:?}/$1"
	mkdir -p "$work/$1"
	# shellcheck disable=SC2046 # a word or none
	(cd "$work/$1" && "$work/program" spec $([ "$who" = root ] || echo --rootless)) || return
	jq ".process.terminal = false | .process.args = [\"/bin/true\"]
		| .root = {path: \"$work/base\", readonly: true}
		| (if .linux.uidMappings then
			.linux.uidMappings[0].hostID = $([ "$who" = root ] && echo 0 || user_number) |
			.linux.gidMappings[0].hostID = $([ "$who" = root ] && echo 0 || user_number)
		else . end) | ${2:-.}" "$work/$1/config.json" >"$work/$1/c" &&
		mv "$work/$1/c" "$work/$1/config.json"
	chmod -R a+rX "$work/$1"
}

user_number() {
	if [ "$(id -u)" = 0 ]; then
		echo $user_id
	else
		id -u
	fi
}

# own_root NAME: the bundle gets a root of its own, which it may write to
own_root() {
	cp -a "$work/base" "$work/$1/rootfs"
	jq '.root = {path: "rootfs", readonly: false}' "$work/$1/config.json" >"$work/$1/c" &&
		mv "$work/$1/c" "$work/$1/config.json"
	chmod a+r "$work/$1/config.json"
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown -R $user_id:$user_id "$work/$1/rootfs"
}

# inside SCRIPT: run it in a bundle that is made for it; leaves out, err and rc
inside() {
	bundle inside "${2:-.} | .process.args = [\"/bin/sh\", \"-c\", $(printf %s "$1" | jq -Rs .)]"
	box run -b "$work/inside" "$tag-inside"
}

# says LINE SENTENCE: what was printed has this line
says() {
	grep -qxF -- "$1" out
	ok "$who: $2" $?
}

# says_like REGEX SENTENCE
says_like() {
	grep -qE -- "$1" out
	ok "$who: $2" $?
}

# fails REGEX SENTENCE: exit code 1, nothing printed, one line on standard error that matches
fails() {
	refused "$1" "$who: $2"
}

# nothing_of ID SENTENCE: no state, no control group
nothing_of() {
	[ ! -e "$state/$1" ] && [ -z "$(find /sys/fs/cgroup -maxdepth 4 -name "*$1*" 2>/dev/null)" ]
	ok "$who: $2" $?
}

# debian_root: a root of this system's own files in $work/debian, with bash, and python3 if it is here; what is
# too much to copy is in $debian_mounts, for a bundle's mounts
debian_root() {
	debian_mounts='[]'
	mkdir -p "$work/debian/etc" "$work/debian/tmp" "$work/debian/proc" "$work/debian/sys" \
		"$work/debian/dev" "$work/debian/root" "$work/debian/usr/bin" "$work/debian/usr/lib" || return
	for dir in bin lib lib64; do
		if [ -h "/$dir" ]; then
			mkdir -p "$work/debian/usr/$dir" && ln -s "usr/$dir" "$work/debian/$dir"
		else
			mkdir -p "$work/debian/$dir"
		fi
	done
	cp "$work/base/etc/passwd" "$work/base/etc/group" "$work/debian/etc/"
	for name in bash sh cat ls id env stat sleep true python3; do
		file=$(command -v "/usr/bin/$name" || command -v "/bin/$name") || continue
		mkdir -p "$work/debian${file%/*}" && cp -L "$file" "$work/debian$file" || return
		ldd "$file" 2>/dev/null | grep -o '/[^ ]*' | while read -r lib; do
			mkdir -p "$work/debian${lib%/*}" && cp -L "$lib" "$work/debian$lib"
		done
	done
	for dir in /usr/lib/python3.*; do
		[ ! -d "$dir" ] || debian_mounts=$(printf %s "$debian_mounts" | jq -c --arg d "$dir" \
			'. + [{destination: $d, source: $d, type: "bind", options: ["rbind", "ro"]}]')
	done
}

# status ID: what state says of it, or "gone"
status() {
	call state "$1" 2>/dev/null </dev/null | jq -r .status 2>/dev/null || echo gone
}

# wait_for SECONDS COMMAND...: until it is true
wait_for() {
	tries=$(($1 * 20))
	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.05
	done
}

is_status() { # ID STATUS
	[ "$(status "$1")" = "$2" ]
}

# What there is on the machine that a container could leave.
leftovers() {
	find "$work/state" "$work/state-user" -mindepth 1 -maxdepth 1 -name "$tag*" 2>/dev/null
	find /sys/fs/cgroup -maxdepth 4 -name "*$tag*" 2>/dev/null
	grep -F "$work" /proc/self/mountinfo
	grep -lF "$tag" /proc/[0-9]*/cmdline 2>/dev/null | grep -v "^/proc/$$/" | while read -r file; do
		{ tr '\0' ' ' <"$file"; } 2>/dev/null | grep -F "$tag" | grep -vF 'grep '
	done
}

finish_boxes() {
	leftovers >out
	: >err
	rc=0
	[ ! -s out ]
	ok "nothing is left: no state, control group, mount or process" $?
	finish
}
