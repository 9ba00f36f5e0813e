#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Filters that are older than the system calls this runtime is made of: profiles answer what they do not know
# with EPERM, and without no_new_privs a filter is loaded long before the program runs.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

as root
[ "$(id -u)" = 0 ] || skip_all "without no_new_privs a filter needs root"
# Only what observes lets a bundle do without no_new_privs.
printf 'mode: observe\nlandlock: off\nnamespaces: {user: bundle, network: bundle}\n' >>"$policy"
old='.process.noNewPrivileges = false
	| .linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{action: "SCMP_ACT_ERRNO", errnoRet: 1, names:
		["clone3", "close_range", "faccessat2", "landlock_add_rule", "landlock_create_ruleset",
		"landlock_restrict_self", "mount_setattr", "move_mount", "openat2", "open_tree", "pidfd_getfd",
		"pidfd_open", "pidfd_send_signal"]}]}'

inside 'echo hello' "$old"
expect 0 hello "" "run works with a filter that knows no openat2(2)"
inside 'pwd' "$old | .process.cwd = \"/tmp\""
expect 0 /tmp "" "with a working directory"
bundle private "$old | .process.args = [\"/bin/pwd\"] | .process.cwd = \"/home/ada\"
	| .process.user = {uid: 1000, gid: 1000}"
own_root private
chmod 700 "$work/private/rootfs/home/ada"
chown 1000:1000 "$work/private/rootfs/home/ada"
box run -b "$work/private" "$tag-private"
expect 0 /home/ada "" "with one that only the user can enter"
inside 'echo "$A"' "$old | .process.env += [\"A=b\"] | .process.args[0] = \"sh\""
expect 0 b "" "with a program that is looked for"

bundle sleeper "$old | .process.args = [\"/bin/sleep\", \"60\"]"
box create -b "$work/sleeper" "$tag-sleeper"
expect 0 "" "" "create works"
box start "$tag-sleeper"
expect 0 "" "" "start works"
box exec "$tag-sleeper" sh -c 'echo hello'
expect 0 hello "" "exec works"
box exec --cwd /tmp --user 1000:1000 "$tag-sleeper" pwd
expect 0 /tmp "" "exec works as another user, in another directory"
box delete --force "$tag-sleeper"
expect 0 "" "" "and delete"
finish_boxes
