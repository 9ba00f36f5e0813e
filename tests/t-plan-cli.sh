#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox plan: what it prints, and with which exit code.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

# The command line.
run
expect_like 0 'credsbox \[OPTION...\] COMMAND' '' "without arguments there is help"
run --help
expect_like 0 '^  plan ' '' "--help lists the commands"
run --version
expect_like 0 '^credsbox version [0-9]' '' "--version tells the version"
run --nonsense
refused "^credsbox: unknown option '--nonsense' \(credsbox --help" "an unknown option in place of a command is refused"
run destroy
refused "^credsbox: no command 'destroy' \(credsbox --help lists them\)" "so is an unknown command"
for command in plan filter scan; do
	run $command --help
	expect_like 0 "^   credsbox $command " '' "$command --help prints how it is used"
	run $command -h
	expect_like 0 "^   credsbox $command " '' "$command -h does, too"
done
# shellcheck disable=SC2086 # the arguments of each case are words
while read -r words; do
	run $words
	refused "^credsbox: (plan|filter|scan): [^ ].* --help tells more\)$" "'$words' is refused"
done <<'LIST'
plan --nonsense
plan --nonsense=value
plan -x
plan -0x --env-file f
plan --bundle
plan -b
plan --format
plan --bundle plain --policy
plan --env-file
plan --paths-from
plan --format yaml
plan --format=JSON
plan -f jsonx
plan extra
plan . extra
plan -- extra
plan --bundle=a --env-file b
plan --bundle=a --paths-from b
plan --env-file a --paths-from b
plan --env-file a --env-file b
plan -0
plan --null --bundle .
plan --p x
filter --nonsense
filter --format json
filter -b
filter config.json
filter -0
scan
scan a b
scan --max-files 0 .
scan --max-files -1 .
scan --max-files 1e3 .
scan --max-files 99999999999999999999 .
scan --max-files
scan --format xml .
scan --nonsense .
LIST
run plan --secret-canary=hunter2canary
! grep -q hunter2canary err
ok "of an unknown option nothing behind the = is repeated" $?
run plan -xhunter2canary
! grep -q hunter2canary err
ok "of an unknown letter nothing but the letter" $?
run plan --format hunter2canary
! grep -q hunter2canary err
ok "and not the word that is no format" $?
run plan --null --env-file /dev/null -yz
expect_like 1 '' "'-y'" "the letter that is unknown is the one that is named"
printf 'x=\033[31m\n' >esc
run "$(printf '\033[31m')"
! grep -q "$(printf '\033')" err
ok "no control character of a command's name reaches a terminal" $?

odd=$(printf 'no\033[31mx\ny')
mkdir "$odd"
printf '{' >"$odd/config.json"
printf 'x\n' >"$odd/list"
while read -r words; do
	# shellcheck disable=SC2086 # the arguments of each case are words
	run $words "$odd$(case $words in *-file | *-from) echo /list ;; esac)"
	refused '^credsbox: ' "'$words' escapes the path in its error"
	! grep -q "$(printf '\033')" err
	ok "and no control character of it reaches a terminal" $?
	# shellcheck disable=SC2086
	run $words "$odd/missing"
	refused 'no.x1b\[31mx.x0ay/missing' "'$words' names a path that is missing, escaped"
done <<'LIST'
plan --env-file
plan --bundle
plan --bundle plain --policy
policy check
LIST
for words in 'scan' 'plan --paths-from' 'filter --bundle'; do
	# shellcheck disable=SC2086
	feed $words "$odd/missing" <plain/config.json
	refused 'no.x1b\[31mx.x0ay/missing' "'$words' names a path that is missing, escaped"
done

# Standard streams that are closed, full or not there.
for words in '--help' '--version' 'plan --help' 'plan --bundle plain' 'plan --env-file entries' \
	'policy show' 'scan plain'; do
	echo 'A=b' >entries
	: >out
	# shellcheck disable=SC2086 # the arguments of each case are words
	"$CREDSBOX" $words >&- 2>err </dev/null
	rc=$?
	case $words in
	'scan plain') # prints nothing, so that nothing is lost
		expect_like 0 '' '' "'$words' with a closed standard output is done all the same" ;;
	*)
		refused '^credsbox: .*standard output: cannot write: ' \
			"'$words' with a closed standard output is an error" ;;
	esac
	[ -w /dev/full ] || continue
	[ "$words" != 'scan plain' ] || continue
	# shellcheck disable=SC2086
	"$CREDSBOX" $words >/dev/full 2>err </dev/null
	rc=$?
	refused 'standard output: cannot write: no space left on device$' \
		"'$words' on a full device is an error"
done
"$CREDSBOX" plan --env-file - <&- >out 2>err
rc=$?
refused '^credsbox: plan: standard input: cannot read: ' "a closed standard input is an error"
"$CREDSBOX" plan --bundle plain --format json <&- >out 2>err
rc=$?
expect_json 0 '.[0].cuts == []' "unless it is not needed"
"$CREDSBOX" plan --bundle plain --format json 2>&- >out </dev/null
rc=$?
: >err
expect_json 0 '.[0].cuts == []' "a closed standard error changes nothing"
"$CREDSBOX" plan --bundle none 2>&- >out </dev/null
rc=$?
expect_like 1 '' '' "not even an exit code"
"$CREDSBOX" plan --bundle none <&- >&- 2>&-
rc=$?
expect_like 1 '' '' "nor does it when all three are closed"

# Bundles. The value of the password is put together here, so that no scanner finds it in the tree.
canary=cAnArY$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
mkdir -p box/rootfs/root/.aws
echo "aws_secret_access_key = $canary" >box/rootfs/root/.aws/credentials
jq -n --arg canary "$canary" '{ociVersion: "1.2.0", root: {path: "rootfs"},
	process: {args: ["/x", "--token=\($canary)"], cwd: "/", futureThing: 7,
		capabilities: {bounding: ["CAP_KILL", "CAP_FROM_TOMORROW", "\($canary)"]},
		env: ["PATH=/bin", "MAX_TOKENS=4096", "AWS_SECRET_ACCESS_KEY=\($canary)",
			"DB_URL=postgres://app:\($canary)@db.example.com/app", "COPY=\($canary)",
			"SSH_AUTH_SOCK=/run/agent.sock"]},
	mounts: [{destination: "/proc", type: "proc", source: "proc"},
		{destination: "/root/.ssh", type: "bind", source: "/home/u/.ssh", options: ["rbind"]}],
	hooks: {poststop: [{path: "/bin/\($canary)"}],
		startContainer: [{path: "/sbin/ldconfig"}]},
	annotations: {"org.example/password": $canary, "org.example/title": "a box"},
	linux: {namespaces: [{type: "pid"}, {type: "ipc"}, {type: "mount"}]}}' >box/config.json
run plan --bundle box --format json
cp out plan.json
expect_json 3 'length == 1 and .[0].version == 1' "a bundle with credentials gives 3 and one object"
expect_json 3 '.[0].cuts | length > 0 and all(.[]; (.kind and .where and .name and .rule and .action and
	.why) and ((keys - ["action", "keep", "kind", "name", "rule", "where", "why"]) == []))' \
	"each cut has its kind, place, name, rule, action and reason, and nothing else"
expect_json 3 '.[0].cuts | map({kind, where, name, rule, action}) | index({kind: "env",
	where: "process.env[2]", name: "AWS_SECRET_ACCESS_KEY", rule: "env-name:aws",
	action: "remove"}) == 0' "they are those of the manual"
expect_json 3 '[.[0].cuts[] | "\(.kind) \(.where) \(.name) \(.action)"] == [
	"env process.env[2] AWS_SECRET_ACCESS_KEY remove", "env process.env[3] DB_URL remove",
	"env process.env[4] COPY remove", "env process.env[5] SSH_AUTH_SOCK remove",
	"arg process.args[1] --token record",
	"annotation annotations[\"org.example/password\"] org.example/password remove",
	"mount mounts[1] /root/.ssh remove", "path root.path /root/.aws mask",
	"annotation process.capabilities.bounding[2] text record", "annotation hooks.poststop[0].path path record",
	"namespace linux.namespaces network isolate"]' "every channel is looked at, in order"
expect_json 3 '.[0] | .env == ["PATH", "MAX_TOKENS"] and .mounts == ["/proc"] and
	.masks == ["/root/.aws"] and .unknown == ["process.futureThing"] and .stripped == 10 and
	.mode == "strip" and .refused == false and .scanIncomplete == false' \
	"and so is what the workload gets"
expect_json 3 '.[0] | .hooks == [{kind: "startContainer", path: "/sbin/ldconfig"},
	{kind: "poststop", path: "(withheld)"}] and
	.unknownCapabilities == ["CAP_FROM_TOMORROW", "(withheld)"]' \
	"hooks and unknown capabilities are told"
expect_json 3 '.[0].namespaces | .pid == "new" and .network == "new" and .time == "shared" and
	length == 8' "the namespaces are told"
expect_json 3 '.[0].kernel | (.release | type) == "string" and (.landlock | type) == "number" and
	(.seccomp | type) == "boolean" and (.userNamespaces | type) == "boolean" and
	(.cgroup | IN("v1", "v2", "hybrid", "none"))' "and what the kernel has"
run plan --bundle box --format json
cmp -s out plan.json
ok "a plan without stand-ins is the same each time" $?
run plan --bundle box
expect_like 3 '^remove +env +process\.env\[2\] +AWS_SECRET_ACCESS_KEY +env-name:aws: .' '' \
	"the text has a line for each cut"
expect_like 3 '^ +to keep it: env: \{allow: \[AWS_SECRET_ACCESS_KEY\]\}$' '' \
	"with the policy that would keep it"
expect_like 3 '^unknown +process\.futureThing$' '' "it lists unknown properties"
expect_like 3 '^mode strip: removes 4 env, 1 mount, 1 annotation; masks 1 path; ' '' "and sums up"
! grep -q "$(printf '\033')" out
ok "off a terminal nothing is coloured" $?
! grep -q "$canary" plan.json out
ok "neither form has a value in it" $?
(cd box && "$CREDSBOX" plan -f json) >out 2>err
rc=$?
cmp -s out plan.json
ok "without --bundle it is the current directory" $?
for dir in box/ ./box "$work/box" box/rootfs/..; do
	run plan -b "$dir" --format=json
	cmp -s out plan.json
	ok "the bundle can be spelt $dir" $?
done
run plan --bundle plain
expect_like 0 '^mode strip: nothing to strip$' '' "a bundle without credentials gives 0"
run plan --bundle plain --format json
expect_json 0 '.[0].cuts == [] and .[0].stripped == 0' "in JSON, too"

# A terminal, where there is a way to have one.
# on_terminal VARIABLE=VALUE...: plans the box on a terminal of its own
on_terminal() {
	env -u NO_COLOR TERM=xterm "$@" script -qec "'$CREDSBOX' plan --bundle box" /dev/null \
		>out 2>err </dev/null
	rc=$?
}
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	on_terminal A=b
	[ $rc -eq 3 ] && grep -q "^$(printf '\033')\[31mremove *$(printf '\033')\[0m" out
	ok "on a terminal the action has a colour" $?
	sed "s/$(printf '\033')\[[0-9]*m//g" out | tr -d '\r' >plain.txt
	run plan --bundle box
	cmp -s out plain.txt
	ok "and nothing else is different" $?
	for word in NO_COLOR=1 TERM=dumb; do
		on_terminal $word
		[ $rc -eq 3 ] && ! grep -q "$(printf '\033')" out
		ok "with $word there is none" $?
	done
else
	skip "on a terminal the action has a colour" "no script(1) here"
fi

# Policies.
printf 'mode: observe\n' >observe.yaml
run plan --bundle box --policy observe.yaml --format json
expect_json 3 '.[0] | .mode == "observe" and (.env | length) == 6 and
	all(.cuts[]; .action == "record")' "a policy that observes takes nothing, and still gives 3"
printf 'mode: enforce\n' >enforce.yaml
run plan --bundle box --policy enforce.yaml --format json
expect_json 3 '.[0] | .mode == "enforce" and .refused and any(.cuts[]; .action == "refuse")' \
	"one that enforces refuses"
printf 'env: { dummy: [AWS_SECRET_ACCESS_KEY] }\nargs: dummy\n' >dummy.yaml
run plan --bundle box --policy dummy.yaml --format json
expect_json 3 '[.[0].cuts[] | select(.action == "dummy") | .name] ==
	["AWS_SECRET_ACCESS_KEY", "--token"]' "one with stand-ins says so"
printf 'env: { allow: [ssh_*] }\npaths: { allow: ["**/.aws"] }\n' >allow.yaml
run plan --bundle box --policy allow.yaml --format json
expect_json 3 '.[0] | (.env | index("SSH_AUTH_SOCK")) and .masks == []' \
	"one that allows is obeyed"
run plan --bundle box --policy none.yaml
refused '^credsbox: plan: none\.yaml: no such file or directory$' "one that is missing is an error"
printf 'mode: strip\nmood: x\n' >typo.yaml
run plan --bundle box --policy typo.yaml
refused '^credsbox: plan: typo\.yaml:2:1: mood: unknown key' "so is one with an error"
jq '.annotations["credsbox.io/mode"] = "observe"' box/config.json >loose.json
mkdir loose && mv loose.json loose/config.json
run plan --bundle loose
refused '^credsbox: plan: config\.json: annotations\["credsbox.io/mode"\]: ' \
	"an annotation that loosens is an error"

# What is no config.json.
# bad SENTENCE REGEX: bad/config.json is refused, and soon
bad() {
	began=$(date +%s)
	run plan --bundle bad
	[ $(($(date +%s) - began)) -lt 5 ] || rc=99
	refused "^credsbox: plan: $2" "$1"
	rm -rf bad/config.json
}
run plan --bundle nowhere
refused '^credsbox: plan: nowhere/config\.json: no such file or directory$' \
	"a directory that is missing is an error"
mkdir bad
bad "a config.json that is missing is an error" 'bad/config\.json: no such file or directory$'
mkdir bad/config.json
bad "so is a directory" 'bad/config\.json: is a directory$'
ln -s config.json bad/config.json
bad "a link to itself" 'bad/config\.json: too many levels of symbolic links$'
mkfifo bad/config.json
bad "a pipe that nobody writes to" 'bad/config\.json: not a regular file$'
ln -s /dev/zero bad/config.json
bad "a device without end" 'bad/config\.json: not a regular file$'
truncate -s 1T bad/config.json 2>/dev/null || truncate -s 1G bad/config.json
bad "a file of a terabyte" 'bad/config\.json: larger than 4194304 bytes$'
truncate -s 4194304 bad/config.json
bad "four mebibytes of nothing" 'config\.json: .'
: >bad/config.json
bad "an empty file" 'config\.json: .'
printf '{"ociVersion":"1.2.0","root":{"path":"r"},"process":{"args":["/x"],"cwd":"/"}' \
	>bad/config.json
bad "a file that was cut off" 'config\.json: line 1, '
printf '{"ociVersion":"1.2.0","root":{"path":"r"},\n"root":{"path":"r"}}' >bad/config.json
bad "one with a key twice" 'config\.json: line 2, .*root: duplicate key'
printf '{"ociVersion":"1.2.0","Root":{"path":"r"}}' >bad/config.json
bad "one with a key in the wrong case" "config\.json: .*'Root' differs from 'root' only in case"
jq '.process.env[1] = "hunter2canary"' box/config.json >bad/config.json
run plan --bundle bad
refused "^credsbox: plan: config\.json: process\.env\[1\]: no '='" "an entry without = has its place"
! grep -q hunter2canary err
ok "and not its text" $?

# Variables from a list.
cat >list <<'LIST'
PATH=/bin

# A comment=hunter2
AWS_SECRET_ACCESS_KEY=x7Kp2mQ9vR4tL8wZ3nB6yH1jD5fG0sAcE7uXiO2k
EMPTY=
MAX_TOKENS=4096
SSH_AUTH_SOCK=/run/agent.sock
DB_URL=postgres://app:s3cr3tW0rd@db.example.com/app
GREETING=a = b = c
LIST
verdicts='[{"name":"PATH","verdict":"keep","rule":null,"action":"keep"},
	{"name":"AWS_SECRET_ACCESS_KEY","verdict":"credential","rule":"env-name:aws","action":"remove"},
	{"name":"EMPTY","verdict":"keep","rule":null,"action":"keep"},
	{"name":"MAX_TOKENS","verdict":"keep","rule":null,"action":"keep"},
	{"name":"SSH_AUTH_SOCK","verdict":"pointer","rule":"env-name:pointer-ssh-agent",
		"action":"remove"},
	{"name":"DB_URL","verdict":"credential","rule":"env-value:url-userinfo","action":"remove"},
	{"name":"GREETING","verdict":"keep","rule":null,"action":"keep"}]'
run plan --env-file list --format json
cp out judged
expect_json 3 ". == $verdicts" "each variable has a verdict, in order, comments and blanks left out"
[ "$(wc -l <out)" -eq 7 ] && ! grep -v '^{"name":"[A-Z_]*","verdict":"[a-z]*","rule":.*}$' out
ok "and a line of its own" $?
feed plan --env-file - --format json <list
cmp -s out judged
ok "- is standard input" $?
run plan --env-file /proc/self/fd/0 -f json
expect 0 '' '' "a list may be empty"
mkfifo pipe
cat list >pipe &
run plan --env-file pipe --format json
cmp -s out judged
ok "a list may be a pipe" $?
wait
printf %s "$(cat list)" >in
feed plan --env-file - --format json <in
cmp -s out judged
ok "the last line needs no end" $?
grep -v '^#' list | tr '\n' '\0' >in
feed plan -0 --env-file - --format json <in
cmp -s out judged
ok "with -0 entries end with NULs" $?
printf 'A=1\0#B=2\0KEY=-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg
-----END PRIVATE KEY-----\n\0C=3' >in
feed plan -0 --env-file - -f json <in
expect_json 3 'map(.name) == ["A", "#B", "KEY", "C"] and .[2].verdict == "credential"' \
	"values may then have several lines, and # begins a name"
run plan --env-file list
expect_like 3 '^remove +AWS_SECRET_ACCESS_KEY +env-name:aws: ' '' "as text there is a line for each"
expect_like 3 '^keep +PATH$' '' "with what stays"
! grep -qE 's3cr3tW0rd|x7Kp2mQ9|hunter2' out judged
ok "no value is shown" $?
printf 'A=1\nB=2\n' >in
feed plan --env-file - <in
expect 0 'keep     A
keep     B' '' "nothing found gives 0"
printf 'A=1\n\nC\nD\n' >in
feed plan --env-file - <in
refused "^credsbox: plan: standard input: line 3: no '=' in it \(values of several lines need -0\)$" \
	"a line without = is told by its number"
printf 'A=1\0C\0' >in
feed plan -0 --env-file - <in
refused "^credsbox: plan: standard input: entry 2: no '=' in it$" \
	"with -0 the message does not ask for it"
printf 'A=1\n=x\n' >in
feed plan --env-file - <in
refused "line 2: no name before the '='$" "so is one without a name"
printf 'A=1\0B\0' >in
feed plan -0 --env-file - <in
refused "entry 2: no '='" "with -0 it is the number of the entry"
printf 'A=1\nhunter2canary\n' >in
feed plan --env-file - <in
! grep -q hunter2canary err
ok "its text is not repeated" $?
printf 'A=1\0B=2\0' >in
feed plan --env-file - <in
refused "it has NULs \(use -0 for NUL-separated entries\)$" "NULs without -0 are an error"
env -i A=b PASSWORD=S0mething-Long "$CREDSBOX" plan -0 --env-file /proc/self/environ -f json \
	>out 2>err
rc=$?
expect_json 3 'map([.name, .verdict]) == [["A", "keep"], ["PASSWORD", "credential"]]' \
	"/proc/self/environ can be judged"
printf 'env: { allow: [SSH_*], remove: [PATH], dummy: [GREETING] }\n' >list.yaml
run plan --env-file list --policy list.yaml --format json
expect_json 3 'map(.action) == ["remove", "remove", "keep", "keep", "keep", "remove", "dummy"] and
	.[0].rule == "policy:env.remove" and .[6].rule == "policy:env.dummy"' "a policy has its say"
printf 'env: { allow: [{ name: DB_URL, force: on }] }\n' >list.yaml
printf 'DB_URL=postgres://app:s3cr3tW0rd@db.example.com/app\n' >in
feed plan --env-file - --policy list.yaml --format json <in
expect_json 0 '.[0] | .verdict == "credential" and .action == "allow"' \
	"what is forced to stay is told, and does not count"
run plan --env-file list --policy enforce.yaml --format json
expect_json 3 '.[1].action == "refuse"' "the mode of the policy shows in the action"

# Paths from a list; none of them exists.
cat >paths <<'LIST'
/home/nobody-of-this-name/.aws/credentials

/root/.ssh/id_ed25519
/srv/people/ada/.netrc
/var/run/docker.sock
/home/u//.//kube/../.kube/config
/usr/share/doc/aws/credentials.txt
/home/u/notes.txt
/home/u
#notes.txt
project/.env
LIST
run plan --paths-from paths --format json
cp out judged
expect_json 3 'map(.verdict) == ["credential", "credential", "credential", "credential",
	"credential", "keep", "keep", "credential", "keep", "credential"]' \
	"each path has a verdict, in order, whoever's home it is in"
expect_json 3 'all(.[]; keys == ["action", "path", "rule", "verdict"]) and
	all(.[]; (.verdict == "keep") == (.rule == null and .action == "keep")) and
	.[0].rule == "path:aws" and .[0].action == "remove" and .[7].action == "mask"' \
	"and the members of the manual"
expect_json 3 '.[4].path == "/home/u//.//kube/../.kube/config" and .[9].path == "project/.env"' \
	"paths are shown as they were given"
tr '\n' '\0' <paths >in
feed plan -0 --paths-from - --format json <in
cmp -s out judged
ok "with -0 paths end with NULs" $?
printf '/tmp/a\nb\0/home/u/\n/.netrc\0' >in
feed plan -0 --paths-from - --format json <in
expect_json 3 'map(.path) == ["/tmp/a\nb", "/home/u/\n/.netrc"]' "and may have line breaks"
run plan --paths-from paths
expect_like 3 '^remove +/root/\.ssh/id_ed25519 +path:ssh: ' '' "as text there is a line for each"
expect_like 3 '^keep +/home/u/notes\.txt$' '' "with what stays"
printf '/tmp/\033[31mred\001\302\233\377\n' >in
feed plan --paths-from - <in
expect 0 'keep     /tmp/\x1b[31mred\x01\xc2\x9b\xff' '' "control characters do not reach a terminal"
feed plan --paths-from - --format json <in
expect_json 0 '.[0].path | startswith("/tmp/\u001b[31mred\u0001\u009b")' "JSON escapes them"
! LC_ALL=C grep -q "$(printf '[\001\033\377]')" out
ok "there, too" $?
mkdir -p home/.aws gone
cd home || exit 1
printf '.aws/credentials\n' >../in
feed plan --paths-from - --format json <../in
mv out err ..
cd .. || exit 1
expect_json 3 '.[0].verdict == "credential"' "a relative path begins in the current directory"
(cd gone && rmdir ../gone && "$CREDSBOX" plan --paths-from -) <in >out 2>err
rc=$?
refused '^credsbox: plan: standard input: line 1: a relative path, and no current directory' \
	"which must be there"
printf 'paths: { allow: ["**/.aws/*"], mask: ["**/notes.txt"] }\n' >list.yaml
run plan --paths-from paths --policy list.yaml --format json
expect_json 3 '.[0].action == "allow" and .[6].action == "remove" and
	.[6].rule == "policy:paths.mask"' "a policy has its say"
printf '/tmp\0/home\0' >in
feed plan --paths-from - <in
refused 'it has NULs' "NULs without -0 are an error"

# Lists that are none.
for option in --env-file --paths-from; do
	run plan $option none
	refused '^credsbox: plan: none: no such file or directory$' "$option: a list must be there"
	run plan $option home
	refused '^credsbox: plan: home: is a directory$' "$option: it is no directory"
	truncate -s 1G large
	run plan $option large
	refused '^credsbox: plan: large: larger than 67108864 bytes$' "$option: it has a limit"
	rm -f large
	run plan -0 $option /dev/zero
	refused '^credsbox: plan: /dev/zero: larger than 67108864 bytes$' "$option: whatever it is"
done

# Without privileges.
if can_be_ordinary; then
	chmod -R a+rX box plain
	ordinary plan --bundle plain
	expect_like 0 '^mode strip: nothing to strip$' '' "an ordinary user can plan"
	ordinary plan --bundle box --format json
	expect_json 3 '[.[0].cuts[] | select(.kind != "namespace") | .where] ==
		["process.env[2]", "process.env[3]", "process.env[4]", "process.env[5]",
		"process.args[1]", "annotations[\"org.example/password\"]", "mounts[1]", "root.path",
		"process.capabilities.bounding[2]", "hooks.poststop[0].path"] and
		.[0].namespaces.user == "new"' "and gets the same cuts, and a user namespace"
	cp box/config.json bad/config.json
	chmod 0 bad/config.json
	ordinary plan --bundle bad
	refused '^credsbox: plan: bad/config\.json: permission denied$' \
		"a config.json that cannot be read is an error"
	chmod 0 list
	ordinary plan --env-file list
	refused '^credsbox: plan: list: permission denied$' "so is a list"
	chmod 644 list
	mkdir -p home/.config/credsbox
	printf 'env: { remove: [PATH] }\n' >home/.config/credsbox/policy.yaml
	[ "$(id -u)" != 0 ] || chown -R 65534:65534 home
	chmod -R go-w home
	ordinary plan --env-file list --format json
	expect_json 3 '.[0].rule == "policy:env.remove"' "the user's own policy counts"
	run plan --env-file list --format json
	if [ "$(id -u)" = 0 ]; then
		expect_json 3 '.[0].verdict == "keep"' "and root has none"
	fi
	rm -r home/.config
else
	skip "an ordinary user can plan" "no setpriv(1) here"
fi

# Size. The limits are wide, for slow machines and for sanitizers.
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "VARIABLE_%05d=%084d\n", i, i }' >list
began=$(date +%s)
run plan --env-file list --format json
expect_json 0 'length == 10000 and .[9999].name == "VARIABLE_09999"' "10,000 variables are judged"
[ $(($(date +%s) - began)) -lt 10 ]
ok "soon" $?
jq -Rn '{ociVersion: "1.2.0", root: {path: "rootfs"}, linux: {namespaces: [{type: "network"}, {type: "pid"}, {type: "ipc"}]},
	process: {args: ["/x"], cwd: "/", env: [inputs]}}' <list >plain/config.json
began=$(date +%s)
run plan --bundle plain --format json
expect_json 0 '.[0].env | length == 10000' "a bundle with 10,000 variables is planned"
[ $(($(date +%s) - began)) -lt 10 ]
ok "as soon" $?

# The manual is true.
manual=$top_srcdir/man/credsbox.1
for command in plan filter scan 'policy show' 'policy check'; do
	# shellcheck disable=SC2086 # a command of two words is two
	"$CREDSBOX" $command --help | grep -oE -- '(^| )--?[a-z0-9-]+' | tr -d ' ' | sort -u >options
	: >out
	while read -r option; do
		grep -qE "^\.(It|Op) Fl (. , )?-?${option#-}( |$)|^\.(It|Op|Fl).* ${option#-}( |$)" \
			"$manual" || echo "$option" >>out
	done <options
	[ -s options ] && [ ! -s out ]
	ok "every option of $command is in the manual" $?
done
cat >in <<'LIST'
DB_URL=postgres://app:s3cr3tW0rd@db.example.com/app
SSH_AUTH_SOCK=/run/agent.sock
LANG=C
LIST
feed plan --env-file - --format json <in
grep '^{"name"' "$manual" | cmp -s - out
ok "its example of variables is what is printed" $?
grep '^{"path":"/' "$manual" | jq -r .path >in
feed plan --paths-from - --format json <in
grep '^{"path":"/' "$manual" | cmp -s - out
ok "so is that of paths" $?
mkdir -p rootfs/root
echo x >rootfs/root/.netrc
run scan --format json rootfs
grep '^{"path":"rootfs' "$manual" | cmp -s - out
ok "and that of a scan" $?
sed -n '/^{"version":1/,/^\.Ed/p' "$manual" | grep -v '^\.' >example
jq -c 'keys' example >a
run plan --bundle box --format json
jq -c 'keys' out | cmp -s - a
ok "the example of a plan has the members of a plan" $?
jq -c '.cuts[0]' out >a
jq -c '.cuts[0] | .where = "process.env[2]"' example | cmp -s - a
ok "and a cut as it is printed" $?

finish
