#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox spec: the config.json that it writes, and that it overwrites none.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

# has FILTER SENTENCE: jq says true of the config.json that was written
has() {
	jq -e "$1" config.json >/dev/null
	ok "$2" $?
}

run spec --help
expect_like 0 '^ +credsbox spec - ' '' "--help prints how it is used"
run spec --nonsense
refused "^credsbox: spec: unknown option '--nonsense'" "an unknown option is refused"
run spec --bundle
refused '^credsbox: spec: --bundle needs an argument' "so is one without its argument"
run spec more
refused '^credsbox: spec: too many arguments' "so is an argument"
run spec --bundle nowhere
refused '^credsbox: spec: nowhere: no such file or directory$' "so is a bundle that is not there"
[ ! -e config.json ]
ok "nothing is written then" $?

run spec
expect 0 '' '' "it writes a file and says nothing"
cp config.json plain.json
has 'keys == ["hostname", "linux", "mounts", "ociVersion", "process", "root"]' "with all parts"
has '.ociVersion == "1.3.0" and .hostname == "credsbox"' "with version and host name"
has '.root == {path: "rootfs", readonly: true}' "with a read-only root"
has '.process | .terminal and .noNewPrivileges and .args == ["sh"] and .cwd == "/" and
	.user == {uid: 0, gid: 0} and .rlimits == [{type: "RLIMIT_NOFILE", hard: 1024, soft: 1024}]' \
	"with a shell on a terminal"
has '.process.capabilities | keys == ["bounding", "effective", "permitted"] and
	all(. == ["CAP_AUDIT_WRITE", "CAP_KILL", "CAP_NET_BIND_SERVICE"])' "with three capabilities"
has '[.mounts[].destination] == ["/proc", "/dev", "/dev/pts", "/dev/shm", "/dev/mqueue", "/sys",
	"/sys/fs/cgroup"]' "with seven mounts"
has '.linux.resources == {devices: [{allow: false, access: "rwm"}]}' "with no device allowed"
has '[.linux.namespaces[].type] - ["cgroup"] == ["pid", "network", "ipc", "uts", "mount"]' \
	"with the usual namespaces"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
	has '.linux.namespaces | any(.type == "cgroup")' "with one for cgroups, which are v2 here"
else
	has '.linux.namespaces | any(.type == "cgroup") | not' "without one for cgroups, which are not v2"
fi
has '(.linux.maskedPaths | length == 10) and (.linux.readonlyPaths | length == 5)' "with masks"

echo mine >config.json
run spec
expect 1 '' 'credsbox: spec: File config.json exists. Remove it first' "it overwrites no file"
[ "$(cat config.json)" = mine ]
ok "the file stays as it is" $?
rm config.json
ln -s elsewhere config.json
run spec
expect 1 '' 'credsbox: spec: File config.json exists. Remove it first' "nor through a dangling link"
[ ! -e elsewhere ]
ok "where that leads, nothing is made" $?
rm config.json

mkdir box
run spec --bundle box
expect 0 '' '' "--bundle DIR writes there"
cmp -s box/config.json plain.json
ok "the same" $?
rm box/config.json
run spec -b box
[ "$rc" -eq 0 ] && cmp -s box/config.json plain.json
ok "so does -b DIR" $?
rm box/config.json
run spec --bundle=box
[ "$rc" -eq 0 ] && cmp -s box/config.json plain.json
ok "so does --bundle=DIR" $?

run spec --rootless
expect 0 '' '' "--rootless writes a file, too"
has '[.linux.namespaces[].type] - ["cgroup"] == ["pid", "ipc", "uts", "mount", "user"]' \
	"with a user namespace instead of one for the network"
has ".linux | .uidMappings == [{containerID: 0, hostID: $(id -u), size: 1}] and
	.gidMappings == [{containerID: 0, hostID: $(id -g), size: 1}]" "that maps the caller alone"
has '.linux | has("resources") | not' "without resources"
has '.mounts | any(.destination == "/sys" and .type == "none" and .source == "/sys" and
	.options == ["rbind", "nosuid", "noexec", "nodev", "ro"])' "with the host's /sys, read-only"
has '.mounts | all((.options // []) | all(startswith("gid=") or startswith("uid=") | not))' \
	"without groups that are not mapped"
mv config.json rootless.json

# runc's own, where it is.
# same FILE RUNC-OPTION...: ours is runc's, but for what is known to differ
same() {
	file=$1
	shift
	rm -rf peer
	mkdir peer
	runc spec --bundle peer "$@" &&
		jq -S 'del(.ociVersion, .hostname, .process.capabilities.ambient)' peer/config.json >theirs &&
		jq -S 'del(.ociVersion, .hostname)' "$file" >ours && cmp -s ours theirs
}
if command -v runc >/dev/null; then
	same plain.json >out 2>err
	ok "runc spec writes the same, but for version and host name" $?
	same rootless.json --rootless >out 2>err
	ok "runc spec --rootless does, too" $?
else
	skip "runc spec writes the same" "no runc here"
	skip "runc spec --rootless does, too" "no runc here"
fi

# It is a bundle that we can read ourselves.
for file in plain rootless; do
	mkdir -p $file.box/rootfs
	cp $file.json $file.box/config.json
	run plan --bundle $file.box
	[ "$rc" -eq 0 ] || [ "$rc" -eq 3 ]
	ok "credsbox can plan with it: $file" $?
done

if [ "$(id -u)" = 0 ] && can_be_ordinary; then
	mkdir closed
	ordinary spec --bundle closed
	refused '^credsbox: spec: config.json: cannot make it: permission denied$' \
		"a directory that cannot be written into is an error"
else
	skip "a directory that cannot be written into is an error" "not root"
fi
if command -v prlimit >/dev/null; then
	mkdir full
	(
		trap '' XFSZ # the write fails, the program goes on
		prlimit --fsize=100 "$CREDSBOX" spec --bundle full >out 2>err </dev/null
	)
	rc=$?
	[ "$rc" -eq 1 ] && [ ! -e full/config.json ]
	ok "what could not be written whole is not left" $?
else
	skip "what could not be written whole is not left" "no prlimit here"
fi
finish
