#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the tests of channels share: source it after box.sh. A canary is put where a credential could get into a
# container; bin/look prints all that a workload can read; and channel says whether the canary is in it.
# shellcheck disable=SC2034,SC2046,SC2086,SC2154 # of cli.sh and box.sh; lists of words
: "${helpers:=$top_srcdir/tests}"

# new_canary: something random that nothing has seen, and a token of a vendor's form that holds it
new_canary() {
	canary=$(tr -dc a-f0-9 </proc/sys/kernel/random/uuid | head -c 20)
	token=glpat-$canary
}

# All that a program can read: its environment and that of others, names, mounts, and all files but large ones.
cat >"$work/base/bin/look" <<'END'
#!/bin/sh
exec 2>/dev/null
env
hostname
cat /proc/sys/kernel/domainname
for f in environ cmdline cgroup mountinfo attr/current; do
	cat /proc/[0-9]*/$f | tr '\0' '\n'
done
find / \( -path /proc -o -path /sys \) -prune -o -print
# Not what is just being written: it would never end.
find / \( -path /proc -o -path /sys -o -name looked \) -prune -o -type f -size -200k -exec cat {} +
find / \( -path /proc -o -path /sys \) -prune -o -type s -exec echo found-a-""socket {} \;
echo looked
END
chmod 755 "$work/base/bin/look"

sees() {
	grep -qaF "$canary" out
}

looked() {
	grep -qx looked out
}

# Called by channel for what it finds wrong; notes stands for the reasons.
wrong() {
	notes="$notes
# $who: $sentence: $*: exit code $rc
$(head -c 600 err | sed 's/^/# err: /')
$(grep -aF "$canary" out | tr -cd ' -~\n' | tail -n 3 | cut -c1-200 | sed 's/^/# out: /')"
}

# The places of mounts are in the root that all share, which others may not find there.
fresh() {
	rm -rf "$work/base/in" "$work/base/run" "$work/base/var" "$work/base/token" "$work/base/srv" "$work/base/work" "$work/base/part"
	mkdir "$work/base/in" "$work/base/run" "$work/base/var" "$work/base/token" "$work/base/srv" "$work/base/work" "$work/base/part"
	own_all "$work/base/in" "$work/base/run" "$work/base/var" "$work/base/srv"
	bundle channel "$1"
}

# channel SENTENCE FILTER [OFF]: with the policy as it is, the canary of a bundle that FILTER makes is not to be
# read by what `run` starts, nor by what `create` and `start` do, nor by `exec`, and it is in no message and not on
# record; with the lines of OFF in the policy it is read, or this test would be in vain.
channel() {
	sentence=$1 filter=$2 off=${3-mode: observe} notes=
	rm -f "$state/audit.jsonl"
	reset_policy
	fresh "$filter | .process.args = [\"/bin/look\"]"
	box run -b "$work/channel" "$tag-c"
	{ [ "$rc" -eq 0 ] && looked; } || wrong "run did not look"
	! sees || wrong "run sees it"
	! grep -qaF "$canary" err || wrong "run tells it"
	fresh "$filter | .process.args = [\"/bin/sh\", \"-c\", \"/bin/look; exec sleep 100\"]"
	call create -b "$work/channel" "$tag-c" >out 2>err </dev/null
	rc=$?
	call start "$tag-c" 2>>err </dev/null || rc=$?
	{ [ "$rc" -eq 0 ] && wait_for 10 looked; } || wrong "create and start did not look"
	! sees || wrong "create and start let it be seen"
	box exec "$tag-c" /bin/look
	{ [ "$rc" -eq 0 ] && looked; } || wrong "exec did not look"
	! sees || wrong "exec sees it"
	call state "$tag-c" >out 2>&1 </dev/null
	! sees || wrong "state tells it"
	! grep -rqaF "$canary" "$state/$tag-c/state" || wrong "the state file has it"
	box delete -f "$tag-c"
	! grep -qaF "$canary" "$state/audit.jsonl" || wrong "it is on record"
	grep -qF '"event":"cut"' "$state/audit.jsonl" || [ -n "$unrecorded" ] || wrong "nothing is on record"
	without_protection
	: >out
	: >err
	[ -z "$notes" ]
	ok "$who: $sentence" $?
	[ -z "$notes" ] || echo "$notes"
	unrecorded=
}
unrecorded=

# unrecorded channel ...: what is closed whatever a bundle says is on no record of it
unrecorded() {
	unrecorded=yes
	"$@"
}

without_protection() {
	[ "$off" != none ] || return 0
	printf 'audit: {file: %s/audit-off.jsonl}\n%s\n' "$state" "$off" >"$policy"
	fresh "$filter | .process.args = [\"/bin/look\"]"
	box run -b "$work/channel" "$tag-c"
	{ sees && looked; } || wrong "nothing is seen without protection either"
	reset_policy
}

as_quietly() { # YAML
	printf 'audit: {file: %s/audit.jsonl}\n%s\n' "$state" "$1" >"$policy"
}

reset_policy() {
	as_quietly "${default_policy-}"
}

# on_record FILTER: a line of the record is like that
on_record() {
	jq -es "any(.[]; $1)" "$state/audit.jsonl" >/dev/null
}

# bind SOURCE DESTINATION [OPTION...]: a jq filter that adds the mount
bind() {
	jq -nr --arg s "$1" --arg d "$2" --args \
		'".mounts += [{type: \"bind\", source: \($s | tojson), destination: \($d | tojson),
			options: ([\"rbind\"] + \($ARGS.positional | tojson))}]"' -- $(shift 2 && echo "$@")
}

# The host of these tests, where it can be had: /home, /run and /tmp of their own in a mount namespace of their own.
own_host() {
	[ -n "${CHANNELS_HOST-}" ]
}

begin_host() {
	own_host || return 0
	for dir in /home /run /tmp; do
		mount -t tmpfs -o mode=755 tmpfs $dir || exit 1
	done
	chmod 1777 /tmp
}

end_host() {
	own_host || return 0
	cd "$work" && umount -l /home /run /tmp
}

# put FILE [TEXT]: a file of the person's, with the canary in it
put() {
	mkdir -p "${1%/*}" && printf '%s\n' "${2-$canary}" >"$1" && own_all "${1%/*}"
}

own_all() {
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || chown -R $user_id:$user_id "$@"
}
