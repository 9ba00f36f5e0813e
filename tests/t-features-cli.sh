#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox features: the document, as the specification's schema has it.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

run features --help
expect_like 0 '^ +credsbox features - ' '' "--help prints how it is used"
run features --nonsense
refused "^credsbox: features: unknown option '--nonsense'" "an unknown option is refused"
run features more
refused '^credsbox: features: too many arguments' "so is an argument"

run features
expect_json 0 'length == 1' "it prints one JSON document and nothing else"
jq . out >first
run features
jq . out | cmp -s - first
ok "which is the same the next time" $?

# What the schema says, in the words of jq.
expect_json 0 '.[0] | .ociVersionMin == "1.0.0" and .ociVersionMax == "1.3.0"' \
	"versions 1.0.0 to 1.3.0 are accepted"
expect_json 0 '.[0] | keys - ["annotations", "hooks", "linux", "mountOptions", "ociVersionMax",
	"ociVersionMin", "potentiallyUnsafeConfigAnnotations"] == []' "the top has no other keys"
expect_json 0 '.[0].linux | keys - ["apparmor", "capabilities", "cgroup", "intelRdt",
	"memoryPolicy", "mountExtensions", "namespaces", "netDevices", "seccomp", "selinux"] == []' \
	"linux has no other keys"
expect_json 0 '[.[0] | .hooks, .mountOptions, .potentiallyUnsafeConfigAnnotations, .linux.namespaces,
	.linux.capabilities, .linux.memoryPolicy.modes, .linux.memoryPolicy.flags,
	(.linux.seccomp | .actions, .operators, .archs, .knownFlags, .supportedFlags)] |
	all(type == "array" and length > 0 and all(type == "string") and length == (unique | length))' \
	"every list is one of strings, not empty, and without repetitions"
expect_json 0 '.[0].annotations | length > 0 and all(type == "string")' "annotations are strings"

# The content.
expect_json 0 '.[0].hooks == ["prestart", "createRuntime", "createContainer", "startContainer",
	"poststart", "poststop"]' "all hooks are there, in their order"
expect_json 0 '.[0].mountOptions | . == sort and (["bind", "rbind", "ro", "rro", "idmap", "ridmap",
	"nosymfollow", "rprivate", "tmpcopyup", "remount", "lazytime"] - . == [])' \
	"mount options are sorted, and the newer ones are among them"
expect_json 0 '.[0].mountOptions | any(test("=|size|mode")) | not' \
	"options of file systems are not"
expect_json 0 '.[0].linux.namespaces | sort == ["cgroup", "ipc", "mount", "network", "pid", "time",
	"user", "uts"]' "all namespaces are there"
expect_json 0 '.[0].linux.capabilities | length == 41 and all(test("^CAP_[A-Z_]+$"))' \
	"all capabilities are there"
expect_json 0 '.[0].linux.cgroup == {v1: true, v2: true, systemd: true, systemdUser: true,
	rdma: true}' "all kinds of cgroups are"
expect_json 0 '.[0].linux.seccomp | .enabled and (.actions | length == 9 and index("SCMP_ACT_NOTIFY")) and
	(.operators | length == 7) and (["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"] - .archs == [])' \
	"seccomp has all actions and operators"
expect_json 0 '.[0].linux.seccomp | (.knownFlags | length == 4) and (.supportedFlags - .knownFlags == []) and
	(.supportedFlags | index("SECCOMP_FILTER_FLAG_LOG"))' \
	"flags that the kernel supports are among those that are known"
expect_json 0 '.[0].linux | .apparmor.enabled and .selinux.enabled and .mountExtensions.idmap.enabled and
	.netDevices.enabled and .intelRdt == {enabled: false}' "what is not carried out is not enabled"
expect_json 0 '.[0].linux.memoryPolicy | (.modes | index("MPOL_BIND")) and (.flags |
	index("MPOL_F_STATIC_NODES"))' "memory policies are there"
expect_json 0 '.[0].annotations | ."org.opencontainers.runc.checkpoint.enabled" == "false" and
	(."io.github.seccomp.libseccomp.version" | test("^2\\.[0-9]+\\.[0-9]+$")) and
	(."credsbox.io/version" | test("^[0-9]"))' "annotations tell versions, and that there is no checkpoint"
expect_json 0 '.[0].potentiallyUnsafeConfigAnnotations | all(startswith("credsbox.io/")) and
	(["credsbox.io/allow-env", "credsbox.io/mode"] - . == [])' \
	"annotations that change what is stripped are named as unsafe"
finish
