#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Landlock in containers: what it takes, what it leaves, and when it is off.
# shellcheck source=tests/cli.sh disable=SC2016,SC2154
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

# The policy says how; probes are things that the other layers allow.
with() { # YAML
	printf 'audit: {file: %s/audit.jsonl}\n%s\n' "$state" "$1" >"$policy"
}

rw='.mounts += [{destination: "/w", type: "tmpfs", source: "tmpfs", options: ["rw"]},
	{destination: "/r", type: "tmpfs", source: "tmpfs", options: ["ro"]}]'

for person in $(everyone); do
	as "$person"
	bundle locked "$rw"
	own_root locked
	jq --arg s 'mknod /w/pipe p && echo made; mkdir /w/d && mv /w/pipe /w/d/pipe && echo moved
		echo x >/w/f && cat /w/f; echo x >/dev/null && echo null; echo y >/dev/shm/x && echo shm
		ls /proc/self >/dev/null && echo proc; /bin/true && echo ran' \
		'.process.args = ["/bin/sh", "-c", $s]' locked/config.json >c && mv c locked/config.json
	box run -b "$work/locked" "$tag-locked"
	expect 0 "made
moved
x
null
shm
proc
ran" "" "$who: files can be made, moved, read, written and run"
	tail -n 1 "$state/audit.jsonl" | jq -e '.event == "start" and .landlock > 0' >/dev/null
	ok "$who: the record says that it is on" $?

	# In a user namespace nobody makes devices anyway.
	if [ "$who" = root ]; then
		mknod='.process.capabilities |= map_values(. + ["CAP_MKNOD"])'
		with 'namespaces: {user: bundle}'
		inside 'mknod /w/node c 1 3' "$rw | $mknod"
		expect_like 1 '' 'Permission denied' "$who: no device can be made"
		with 'landlock: off
namespaces: {user: bundle}'
		inside 'mknod /w/node c 1 3' "$rw | $mknod"
		expect 0 "" "" "$who: which nothing else forbids"
	fi
	as "$person"

	bundle sleeper '.process.args = ["/bin/sleep", "60"] | .root.readonly = true'
	call run -d -b "$work/sleeper" "$tag-sleeper" </dev/null >/dev/null 2>err
	box exec "$tag-sleeper" /bin/sh -c 'echo x >/dev/shm/y && cat /dev/shm/y
		grep -c . /proc/1/environ 2>/dev/null || echo hidden'
	expect_like 0 '^x$' '' "$who: exec may write where the container may"
	grep -qx hidden out
	ok "$who: what runs beside it is another domain" $?
	box delete -f "$tag-sleeper"

	inside 'grep NoNewPrivs /proc/self/status' '.process.noNewPrivileges = false'
	expect_like 0 '^NoNewPrivs:.1$' '' "$who: it brings no_new_privs, whatever the bundle says"
	with 'landlock: off'
	inside 'touch /etc/x 2>&1; grep NoNewPrivs /proc/self/status' '.process.noNewPrivileges = false'
	expect_like 0 '^NoNewPrivs:.1$' '' "$who: a policy can turn Landlock off, and no more than that"
	tail -n 1 "$state/audit.jsonl" | jq -e '.landlock == 0' >/dev/null
	ok "$who: and the record says so" $?
	with 'mode: observe'
	inside 'grep NoNewPrivs /proc/self/status' '.process.noNewPrivileges = false'
	expect_like 0 '^NoNewPrivs:.0$' '' "$who: a policy that observes changes nothing"
done
finish_boxes
