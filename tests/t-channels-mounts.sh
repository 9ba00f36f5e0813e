#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The ways of a credential into a container that lead through files: mounts, images, sockets, /proc and /sys. Each
# with a canary, by run, create with start, and exec; and each without its protection.
# shellcheck source=tests/cli.sh disable=SC2016,SC2046,SC2086,SC2154
if [ "$(id -u)" = 0 ] && [ -z "${CHANNELS_HOST-}" ] && unshare -m true 2>/dev/null; then
	CHANNELS_HOST=yes TMPDIR=/var/tmp exec unshare -m --propagation private sh "$0"
fi
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
# shellcheck source=tests/channels.sh
. "$top_srcdir/tests/channels.sh"

unmask=$work/base/bin/unmask
if [ -x "$helpers/helper-unmask" ]; then
	cp "$helpers/helper-unmask" "$unmask"
	ldd "$unmask" 2>/dev/null | grep -o '/[^ ]*' | while read -r lib; do
		mkdir -p "$work/base${lib%/*}" && cp -L "$lib" "$work/base$lib"
	done
fi
mkdir -p "$work/base/mnt"

# In place of the tester's own home, which is nobody's business.
new_home() {
	home=$own/home/alice
	own_host && home=/home/alice-$who
	rm -rf "${home:?}"
	mkdir -p "$home"
	own_all "${home%/*}"
}

# spell FILE-OR-DIRECTORY: jq filters that mount it by as many names as there are
spell() {
	path=$1 dir=${1%/*} base=${1##*/}
	k=0 process=$$
	[ "$who" = root ] || process=self
	rm -rf "$odd"
	mkdir -p "$odd/deep/er" "$odd/real"
	ln -s "$path" "$odd/link"
	ln -s link "$odd/link2"
	ln -s link2 "$odd/link3"
	ln -s "$dir" "$odd/dir"
	ln -s "$odd/dir" "$odd/dir2"
	ln -s / "$odd/top"
	ln -s ../../link3 "$odd/deep/er/up"
	ln -s "/proc/self/root$path" "$odd/magic"
	rest=${path#/}
	for s in "$path" "/$path" "//$path" "$(echo "$path" | sed 's|/|//|g')" "$(echo "$path" | sed 's|/|/./|g')" \
		"$(echo "$path" | sed 's|/|///|g')" "/.$path" "/..$path" "/../..$path" "/tmp/..$path" "/./../$rest" \
		"$dir/../${dir##*/}/$base" "$dir/./$base" "$odd/../${odd##*/}/link" "$odd/link" "$odd/link2" "$odd/link3" \
		"$odd/dir/$base" "$odd/dir2/$base" "$odd/dir2//$base" "$odd/top/$rest" "$odd/top/$odd/top/$rest" \
		"$odd/deep/er/up" "$odd/deep/../link" "$odd/magic" "/proc/self/root$path" "/proc/$process/root$path" \
		"/proc/thread-self/root$path" "/proc/self/root/proc/self/root$path" "/proc/self/task/../root$path" \
		"$(realpath --relative-to="$work/channel" "$path")" "./$(realpath --relative-to="$work/channel" "$path")" \
		"../channel/$(realpath --relative-to="$work/channel" "$path")" "/proc/self/fd/../root$path"; do
		k=$((k + 1))
		printf '%s | ' "$(bind "$s" "/in/$k")"
	done
}

spellings() {
	new_canary
	odd=$own/odd
	new_home
	mkdir -p "$work/channel"
	put "$home/.aws/credentials"
	all=$(spell "$home/.aws/credentials")
	k=$(echo "$all" | grep -o '/in/' | wc -l)
	channel "a file of credentials is not mounted under any of $k spellings" "$all ."
	[ "$k" -ge 30 ] && [ "$(jq -s 'map(select(.kind == "mount")) | length' "$state/audit.jsonl")" -ge $((2 * k)) ]
	ok "$who: and each of them is on record" $?
	channel "nor is their directory" "$(spell "$home/.aws") ."
	rm -rf "$odd"
	own_host || return 0
	ln "$home/.aws/credentials" "$home/innocent"
	channel "nor a file that is one by a hard link" "$(bind "$home/innocent" /in/x)"
}

# Only root can make mounts that a container is to find.
renamed_mounts() {
	own_host || return 0
	new_canary
	new_home
	put "$home/.aws/credentials"
	put "$home/.ssh/id_ed25519"
	put "$home/notes" harmless
	mkdir -p "$own/data/sub" "$own/data/person" "$own/data/disk" "$own/elsewhere" "$own/data/plain"
	echo plain >"$own/data/file"
	touch "$own/data/single"
	mount --bind "$home/.aws" "$own/elsewhere"
	channel "a directory of credentials that is mounted elsewhere on the host is not mounted from there" \
		"$(bind "$own/elsewhere" /in/x)"
	umount "$own/elsewhere"
	mount --bind "$home" "$own/elsewhere"
	channel "in a home that is mounted elsewhere on the host, credentials are masked" "$(bind "$own/elsewhere" /in/x)"
	umount "$own/elsewhere"
	mount --bind "$home/.aws" "$own/data/sub"
	channel "credentials that are mounted below an allowed directory are masked" "$(bind "$own/data" /in/x)"
	channel "and nothing is read by the directory's parent" "$(bind "$own" /in/x)"
	umount "$own/data/sub"
	mount --bind "$home" "$own/data/person"
	channel "so are those of a home that is mounted below it" "$(bind "$own/data" /in/x)"
	umount "$own/data/person"
	mount --bind "$home/.ssh/id_ed25519" "$own/data/single"
	channel "and a single file" "$(bind "$own/data" /in/x)"
	umount "$own/data/single"
	mount -t tmpfs tmpfs "$own/data/disk"
	put "$own/data/disk/.aws/credentials"
	channel "and those on a file system that is mounted below it" "$(bind "$own/data" /in/x)"
	umount "$own/data/disk"
}

# What the host mounts while the container runs; $3 is a policy or nothing
later() { # OPTION ROOT-PROPAGATION YAML
	as_quietly "$3"
	bundle later "$(bind "$own/shared/dir" /in/x "$1") | .process.args = [\"/bin/sleep\", \"100\"] ${2:+| .linux.rootfsPropagation = \"$2\"}"
	call run -d -b "$work/later" "$tag-l" </dev/null >out 2>err
	mount --bind "$home/.aws" "$own/shared/dir/sub"
	box exec "$tag-l" /bin/look
	umount "$own/shared/dir/sub"
	call delete -f "$tag-l" </dev/null
	reset_policy
}

added_later() {
	own_host || return 0
	new_canary
	new_home
	put "$home/.aws/credentials"
	mkdir -p "$own/shared"
	mount -t tmpfs tmpfs "$own/shared"
	mount --make-shared "$own/shared"
	mkdir -p "$own/shared/dir/sub"
	own_all "$own/shared"
	later rw "" ""
	looked && ! sees
	ok "$who: what the host mounts later does not come into a container" $?
	later rslave rslave ""
	looked && sees
	ok "$who: but where a bundle says that it is to" $?
	later rw "" "mode: observe"
	looked && sees
	ok "$who: or a policy leaves it as it is" $?
	umount "$own/shared"
}

overlays() {
	new_canary
	new_home
	put "$home/.aws/credentials"
	mkdir -p "$own/lower" "$own/upper" "$own/work" "$own/merged"
	own_all "$own"
	off='mode: observe'
	# On the file system of some machines there is no overlay; then it cannot be shown that it would be seen.
	unshare -Urm mount -t overlay -o "lowerdir=$own/lower:$own/upper" o "$own/merged" 2>/dev/null || off=none
	for each in "lowerdir=$home/.aws:$own/lower" "lowerdir=$own/lower:$home/.aws/" "lowerdir=$own/lower::$home/.aws" \
		"lowerdir=$own/lower:$home:$own/upper" "lowerdir=$own/lower,upperdir=$home/.aws,workdir=$own/work" \
		"ro,lowerdir=$own/lower:$home//./.aws"; do
		channel "an overlay brings in no credentials by ${each%%=*} $(echo "$each" | cut -c1-9 | cksum | cut -c1-3)" \
			".mounts += [{type: \"overlay\", source: \"overlay\", destination: \"/in/x\", options: [\"$each\"]}]" \
			"$([ "$each" = "lowerdir=$own/lower::$home/.aws" ] && echo none || echo "$off")"
		off=none
	done
}

sockets() {
	[ -x "$unmask" ] || return 0
	unmask_host=$helpers_copy
	new_canary
	dir=$own/run
	own_host && dir=/run
	rm -rf "$own/run"
	set -- "$dir/user/1000/bus" "$dir/user/1000/gnupg/S.gpg-agent" "$dir/user/1000/keyring/ssh" \
		"$dir/user/1000/keyring/control" "$dir/user/1000/podman/podman.sock" "$dir/user/1000/docker.sock" \
		"$dir/user/1000/ssh-agent.socket" "$dir/docker.sock" "$dir/podman/podman.sock" \
		"$dir/containerd/containerd.sock" "$dir/crio/crio.sock" "$dir/buildkit/buildkitd.sock" "$dir/dbus/system_bus_socket"
	for s in "$@"; do
		mkdir -p "${s%/*}"
		own_host || case $s in */dbus/*) continue ;; esac
		"$unmask_host" socket "$s"
	done
	mkdir -p "$dir/innocent"
	ln "$dir/docker.sock" "$dir/innocent/x"
	own_all "$dir"
	canary=found-a-socket
	if own_host; then
		channel "no socket of an engine, agent or bus is in a directory of the host that is mounted" "$(bind $dir /in/x)"
		channel "nor in a person's" "$(bind $dir/user/1000 /in/x)"
		k=0 all=
		for s in "$@"; do
			k=$((k + 1))
			all="$all$(bind "$s" "/in/$k") | "
		done
		channel "nor is any mounted by itself" "$all ."
		channel "nor by a hard link" "$(bind "$dir/innocent/x" /in/x)"
		mkdir -p /tmp/ssh-abcdef
		"$unmask_host" socket /tmp/ssh-abcdef/agent.123 "$own/agent.sock"
		own_all /tmp/ssh-abcdef
		channel "nor is an agent's in /tmp" "$(bind /tmp /in/x)"
		rm -rf /tmp/ssh-abcdef
	fi
	mkdir -p "$own/project"
	"$unmask_host" socket "$own/project/agent.sock"
	own_all "$own/project"
	channel "nor an agent's in a project" "$(bind "$own/project" /in/x)"
	rm -rf "$own/project" "${dir:?}"/*
}

# What engines put into containers, wherever they take it from.
secrets() {
	new_canary
	put "$own/plain"
	put "$own/plaindir/name"
	for each in /run/secrets/db /var/run/secrets/db /run/credentials/unit/db; do
		channel "a secret of an engine is not mounted at $each" "$(bind "$own/plain" $each)"
	done
	for each in /run/secrets /var/run/secrets /run/credentials /var/run/secrets/kubernetes.io/serviceaccount \
		/run/secrets/kubernetes.io/serviceaccount /var/run/secrets/eks.amazonaws.com/serviceaccount \
		/var/run/secrets/azure/tokens /run/./secrets /run//secrets/ /var/../run/secrets; do
		channel "a directory of secrets is not mounted at $each" "$(bind "$own/plaindir" $each)"
	done
	put "$own/pods/kubelet/pods/1/volumes/kubernetes.io~projected/token-1/token"
	put "$own/pods/kubelet/pods/1/volumes/kubernetes.io~secret/x/key"
	channel "a service account's token is not mounted wherever it goes" \
		"$(bind "$own/pods/kubelet/pods/1/volumes/kubernetes.io~projected/token-1" /token)"
	channel "nor is a secret of Kubernetes" "$(bind "$own/pods/kubelet/pods/1/volumes/kubernetes.io~secret/x" /etc/x)"
	put "$own/containers/overlay-containers/abc/userdata/secrets/x"
	channel "nor a secret of podman" "$(bind "$own/containers/overlay-containers/abc/userdata/secrets" /srv/x)"
	put "$own/jwt" "$(printf '{"alg":"RS256","kid":"%s"}' "$canary" | base64 -w0 | tr -d =).$(printf '{"sub":"system:serviceaccount:a:b"}' |
		base64 -w0 | tr -d =).$(head -c 64 /dev/urandom | base64 -w0 | tr -d '=+/')"
	canary=$(cut -c1-40 "$own/jwt")
	channel "nor a token that is one by what is in the file" "$(bind "$own/jwt" /srv/x)"
}

image() {
	new_canary
	for each in root/.aws/credentials root/.netrc root/.npmrc root/.git-credentials root/.docker/config.json \
		root/.ssh/id_rsa root/.kube/config root/.config/gh/hosts.yml root/.config/gcloud/credentials.db run/secrets/x \
		home/ada/.aws/credentials home/ada/.netrc var/run/secrets/y etc/ssl/private/server.key app/.env; do
		mkdir -p "$work/image/${each%/*}"
		echo "$canary $each" >"$work/image/$each"
	done
	cp -a "$work/base/." "$work/image/"
	own_all "$work/image"
	channel "credentials in an image are masked" ".root.path = \"$work/image\" | .process.cwd = \"/app\""
	bundle channel ".root.path = \"$work/image\" | .process.args = [\"/bin/sh\", \"-c\",
		\"wc -c </root/.netrc; ls -A /root/.ssh | wc -l; echo x >/root/.netrc; echo x >/root/.ssh/x; grep -c /root/.netrc /proc/mounts\"]"
	box run -b "$work/channel" "$tag-c"
	[ "$(head -n 1 out)" = 0 ]
	ok "$who: with files that are empty" $?
	rm -rf "$work/image"
}

# What is not named after what it is, in a project that somebody works on.
projects() {
	new_canary
	rm -rf "$own/project"
	put "$own/project/main.c" harmless
	put "$own/project/.git/config" "[http \"https://git.example.com\"]
	extraheader = AUTHORIZATION: basic $(printf 'x:%s' "$canary" | base64 -w0)"
	here=$canary
	canary=$(printf 'x:%s' "$canary" | base64 -w0)
	channel "a header of .git/config is masked" "$(bind "$own/project" /work)"
	canary=$here
	put "$own/project/.git/config" "[remote \"origin\"]
	url = https://user:$canary@git.example.com/x.git"
	channel "so is a password in a URL of it" "$(bind "$own/project" /work)"
	default_policy='scan: {deep: on}'
	channel "also where it is not at the top, if all is looked through" "$(bind "$own" /work)" ""
	default_policy=
	rm -rf "$own/project"
	for each in .env .env.production .npmrc .pypirc terraform.tfstate terraform.tfstate.backup .netrc id_rsa key.pem.key .envrc \
		.aws/credentials .git-credentials server.key .docker/config.json; do
		put "$own/project/$each"
	done
	channel "files of credentials in a project are masked" "$(bind "$own/project" /work)"
	rm -rf "$own/project"
	put "$own/project/a/b/c/settings.txt" "token = $token"
	default_policy='scan: {deep: on}'
	channel "with scan.deep so are those that are known by what is in them" "$(bind "$own/project" /work)" ""
	default_policy=
	put "$own/project/.env"
	ln "$own/project/.env" "$own/project/a/b/innocent"
	rm "$own/project/a/b/c/settings.txt"
	channel "a masked file has no other name in the mount" "$(bind "$own/project" /work)"
	channel "nor is it seen by a second mount of a part of it" "$(bind "$own/project" /work) | $(bind "$own/project/a" /part)"
	rm -rf "$own/project"
}

budget() {
	new_canary
	rm -rf "$own/project"
	for each in 1 2 3 4 5 6 7 8 9; do put "$own/project/dir$each/file" harmless; done
	as_quietly 'scan: {deep: on, max_files: 5}'
	bundle channel "$(bind "$own/project" /work) | .process.args = [\"/bin/true\"]"
	box run -b "$work/channel" "$tag-c"
	[ $rc -eq 0 ] && on_record '.scanIncomplete == true'
	ok "$who: a scan that could not look everywhere is on record" $?
	as_quietly 'scan: {deep: on, max_files: 5}
mode: enforce'
	box run -b "$work/channel" "$tag-c"
	[ $rc -eq 125 ] && grep -q 'scan' err
	ok "$who: and refused by a policy that enforces" $?
	as_quietly 'scan: {deep: on}
mode: enforce'
	box run -b "$work/channel" "$tag-c"
	[ $rc -eq 0 ]
	ok "$who: which lets a scan pass that did" $?
	reset_policy
	rm -rf "$own/project"
}

below_root() {
	own_host || return 0
	new_canary
	bundle below .
	own_root below
	mkdir "$work/below/rootfs/x" "$work/below/rootfs/x/y"
	mount -t tmpfs tmpfs "$work/below/rootfs/x"
	echo "$canary" >"$work/below/rootfs/x/file"
	own_all "$work/below/rootfs/x"
	channel "what the host mounts below the root of a bundle is not seen" ".root = {path: \"$work/below/rootfs\"}"
	on_record '.name == "/x" and .action == "mask"'
	ok "$who: and is on record" $?
	bundle below2 ".root = {path: \"$work/below/rootfs\"} | $(bind "$work/base/etc" /x) | .process.args = [\"/bin/cat\", \"/x/group\"]"
	box run -b "$work/below2" "$tag-c"
	[ $rc -eq 0 ] && grep -q '^root' out
	ok "$who: a mount of the bundle in its place is" $?
	as_quietly "paths: {allow: [/x]}"
	bundle below2 ".root = {path: \"$work/below/rootfs\"} | .process.args = [\"/bin/cat\", \"/x/file\"]"
	box run -b "$work/below2" "$tag-c"
	[ $rc -eq 0 ] && sees
	ok "$who: and a policy can allow it" $?
	reset_policy
	umount "$work/below/rootfs/x"
}

# A path that is to be protected and is not there yet.
absent() {
	own_host || return 0
	new_canary
	new_home
	bundle channel "$(bind "$home" /home/ada) | .process.args = [\"/bin/true\"]"
	rm -f "$state/audit.jsonl"
	box run -b "$work/channel" "$tag-c"
	[ $rc -eq 0 ] && on_record '.name == "/home/ada" and .rule == "path:writable-home" and .action == "record"'
	ok "$who: that a workload could put credentials into a home is on record" $?
	[ -z "$(ls -A "$home")" ]
	ok "$who: and nothing is made there to keep it from that" $?
	bundle channel "$(bind "$home" /home/ada ro) | .process.args = [\"/bin/true\"]"
	rm -f "$state/audit.jsonl"
	box run -b "$work/channel" "$tag-c"
	[ $rc -eq 0 ] && ! on_record '.rule == "path:writable-home"'
	ok "$who: but for one that is read-only" $?
}

# topology YAML [FILTER [CAPABILITIES]]: what a workload gets at that tries all it can
topology() {
	as_quietly "$1"
	bundle topology ". | ${2:-.} | .linux.maskedPaths += [\"/root/dir\"]
		| .process.capabilities |= map_values(. + ${3:-[\"CAP_SYS_ADMIN\", \"CAP_DAC_READ_SEARCH\"]})
		| .process.args = [\"/bin/sh\", \"-c\", \"unmask show /root/.netrc /root/.netrc \$(cat /handle); unmask show /root/dir /root/dir/file 1:00; echo looked\"]"
	own_root topology
	mkdir "$work/topology/rootfs/root/dir"
	echo "$canary" >"$work/topology/rootfs/root/.netrc"
	echo "$canary" >"$work/topology/rootfs/root/dir/file"
	own_all "$work/topology/rootfs/root"
	"$helpers_copy" handle "$work/topology/rootfs/root/.netrc" >"$work/topology/rootfs/handle"
	box run -b "$work/topology" "$tag-t"
}

frozen() {
	[ -x "$unmask" ] || return 0
	new_canary
	topology ""
	[ $rc -eq 0 ] && looked && ! sees
	ok "$who: a mask stays, whatever a workload with CAP_SYS_ADMIN tries" $?
	topology 'seccomp: {floor: off, profile: off}' 'del(.linux.seccomp)'
	[ $rc -eq 0 ] && looked && ! sees
	ok "$who: also without seccomp" $?
	grep -E ': done' out | grep -vE '^(open_tree|unshare|mount_setattr|rename of its parent|rename back): ' >err
	[ ! -s err ]
	ok "$who: and no mount is moved, copied to a place or taken away" $?
	topology 'landlock: off
seccomp: {floor: off, profile: off}'
	looked && sees && grep -qx 'umount: done' out
	ok "$who: without Landlock it does not" $?
	if [ "$who" = root ]; then
		# CAP_DAC_READ_SEARCH over the host's own file systems opens every file of them.
		topology 'namespaces: {user: bundle}' . '["CAP_SYS_ADMIN"]'
		[ $rc -eq 0 ] && looked && ! sees
		ok "$who: nor does it go for a root that has no user namespace" $?
	fi
	reset_policy
}

# What of the kernel's own files tells of others, whether or not the bundle masks it.
kernel_files() {
	new_canary
	files='/proc/keys /proc/key-users /proc/kcore /proc/kallsyms /proc/timer_list /proc/sched_debug /proc/cmdline /proc/config.gz /proc/kmsg /proc/latency_stats'
	for each in "" 'mode: observe' 'paths: {allow: [/proc/cmdline]}'; do
		as_quietly "$each"
		inside "for f in $files; do [ -e \$f ] || continue; case \$(stat -c %t:%T \$f) in 1:3) ;; *) echo \$f open ;; esac; done
			for d in firmware kernel/debug kernel/tracing kernel/security; do find /sys/\$d -mindepth 1 2>/dev/null; done
			cat /proc/uptime /proc/cpuinfo /proc/meminfo /proc/self/status >/dev/null && echo looked" \
			'.linux.maskedPaths = [] | .linux.readonlyPaths = []'
		case $each in
		"")
			[ $rc -eq 0 ] && [ "$(cat out)" = looked ]
			ok "$who: files of the kernel that tell are masked though the bundle does not ask for it" $?
			;;
		mode*)
			looked && grep -q '/proc/keys open' out && grep -q '/proc/cmdline open' out
			ok "$who: not so with a policy that observes" $?
			;;
		*)
			[ $rc -eq 0 ] && [ "$(head -n 1 out)" = '/proc/cmdline open' ] && [ "$(wc -l <out)" -eq 2 ]
			ok "$who: one that a policy allows is not" $?
			;;
		esac
	done
	reset_policy
}

# What processes beside it share.
shared_with_others() {
	new_canary
	touch "$own/$canary"
	tail -f "$own/$canary" &
	victim=$!
	off='namespaces: {pid: bundle, user: bundle}'
	# A user namespace may not mount the host's processes.
	[ "$who" = root ] || off=none
	channel "command lines of the host's processes are not seen without a pid namespace in the bundle either" \
		'.linux.namespaces |= map(select(.type != "pid"))' "$off"
	kill $victim
	wait $victim 2>/dev/null
	name=/dev/shm/$tag
	echo "$canary" >"$name"
	chmod 644 "$name"
	channel "the host's /dev/shm is not mounted" "$(bind /dev/shm /dev/shm)"
	channel "nor elsewhere" "$(bind /dev/shm /in/x)"
	rm -f "$name"
	own_host || return 0
	ipc=$(ipcmk -M 64 | grep -o '[0-9]*$')
	canary="^ *-?[0-9]+ +$ipc "
	for each in "" 'namespaces: {ipc: bundle}'; do
		as_quietly "$each"
		inside 'cat /proc/sysvipc/shm; echo looked' '.linux.namespaces |= map(select(.type != "ipc")) | .mounts |= map(select(.type != "mqueue"))'
		case $each in
		"")
			looked && ! grep -qE "$canary" out
			ok "$who: shared memory of the host is not seen without an ipc namespace in the bundle either" $?
			;;
		*)
			looked && grep -qE "$canary" out
			ok "$who: but where a policy leaves it at that" $?
			;;
		esac
	done
	ipcrm -m "$ipc"
	reset_policy
}

helpers_copy=$work/unmask
[ ! -x "$unmask" ] || cp "$unmask" "$helpers_copy"
begin_host
for person in $(everyone); do
	as "$person"
	for each in ${CHANNELS:-spellings renamed_mounts added_later overlays sockets secrets image projects budget below_root absent frozen kernel_files shared_with_others}; do
		"$each"
	done
done
end_host
finish_boxes
