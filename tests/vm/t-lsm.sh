#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What this kernel has of Landlock, and AppArmor's labels: the profiles are those of tests/vm/inside.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
as "$([ "$(id -u)" = 0 ] && echo root || echo user)"
id=$tag-l

# The versions of Landlock that Linux had, newest first.
abi=$(uname -r | awk -F. '{
	n = split("6.15 7,6.12 6,6.10 5,6.7 4,6.2 3,5.19 2,5.13 1", list, ",")
	for (i = 1; i <= n; i++) {
		split(list[i], v, /[. ]/)
		if ($1 > v[1] || ($1 == v[1] && $2 + 0 >= v[2])) { print v[3]; exit }
	}
}')

for mode in require best-effort; do
	with_policy "landlock: $mode"
	inside 'echo word >/proc/sys/kernel/domainname'
	expect_like 1 '' 'domainname: ' "landlock: $mode: a container runs, and cannot write where it has no business"
	tail -n 1 "$state/audit.jsonl" >out
	jq -e ".event == \"start\" and .landlock == $abi" out >/dev/null
	ok "the audit says version $abi, which is all that this kernel has" $?
	as "$who"
done

profile() { # NAME SCRIPT
	inside "$2" ".process.apparmorProfile = \"$1\""
}

profile credsbox-test 'cat /proc/self/attr/apparmor/current; cat /etc/group'
expect_like 1 '^credsbox-test \(enforce\)$' '/etc/group.: Permission denied' \
	"the program has the bundle's profile, which forbids a file"
inside 'cat /proc/self/attr/apparmor/current; cat /etc/group'
expect_like 0 '^root:' '' "without a profile the file can be read"
profile credsbox-absent 'true'
[ "$rc" -ne 0 ] && grep -q 'apparmor' err && [ ! -s out ]
ok "a profile that is not loaded is an error" $?
box state "$tag-inside"
refused 'does not exist' "which leaves no container"

bundle l '.process.args = ["/bin/sleep", "1000"] | .process.apparmorProfile = "credsbox-test"'
box run -d -b "$work/l" "$id"
box exec "$id" /bin/cat /proc/self/attr/apparmor/current
expect 0 "credsbox-test (enforce)" "" "a guest has the container's profile"
box exec --apparmor credsbox-other "$id" /bin/sh -c 'cat /proc/self/attr/apparmor/current /etc/group | head -n 2'
expect_like 0 '^credsbox-other \(enforce\)$' '' "or the one that exec names"
box exec --apparmor credsbox-absent "$id" /bin/true
[ "$rc" -eq 255 ] && grep -q apparmor err
ok "but it must be loaded" $?
box delete -f "$id"
finish_boxes
