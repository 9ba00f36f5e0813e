#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox filter: what it takes out, and that the rest stays as it was.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

# filter FILE ARGUMENT...: leaves out, err and rc
filter() {
	file=$1
	shift
	"$CREDSBOX" filter "$@" <"$file" >out 2>err
	rc=$?
}

# expect_file RC FILE SENTENCE: the output is that file, to the byte
expect_file() {
	[ "$rc" -eq "$1" ] && cmp -s out "$2"
	ok "$3" $?
	diff "$2" out | head -n 20 | sed 's/^/# /'
}

# again SENTENCE ARGUMENT...: what was filtered stays as it is
again() {
	sentence=$1
	shift
	cp out once
	filter once "$@"
	expect_file 0 once "$sentence"
}

# Odd but lawful, with nothing to strip.
mkdir rootfs
printf '\n {\t"root" : { "path":"rootfs" , "readonly":true},"ociVersion":"1.2.0" ,\r\n' >odd.json
cat >>odd.json <<'JSON'
   "x-unknown": { "big": 12345678901234567890123, "f": 1.50, "e": 1E+02, "minus": -0, "n": null,
"list":[ ], "object":{ }, "nested": [[[{"a":[1,2 , 3]}]]] },
 "process":{"cwd":"\/", "env": [ "P\u0041TH=\/bin", "UNI=\u00e9\ud83d\ude00é😀", "EMPTY=", "TAB=\t" ]
 , "args" :["/x","\"quoted\" \\ back\/slash"],
    "rlimits":[{"type":"RLIMIT_NOFILE","hard":1024,"soft":1024}], "oomScoreAdj": -500,
    "user":{"gid":0,"uid":0}},
"annotations":{"z":"1","a":"2","\u006d":"3"},
"linux":{"resources":{"memory":{"limit":9223372036854775807}},
    "maskedPaths":[],
    "namespaces":[{"type":"network"},{"type":"pid"},{"type":"ipc"}
]}}

JSON
filter odd.json
expect_file 0 odd.json "what has nothing to strip stays as it is, to the byte"
[ ! -s err ]
ok "and nothing is said" $?
jq -c '.linux.resources.memory.limit = 7' odd.json >dense.json
filter dense.json
expect_file 0 dense.json "so does one without blanks"
printf %s "$(cat odd.json)" >noend.json
filter noend.json
expect_file 0 noend.json "or without a last line break"

# Lines that are marked with a * go, and nothing else changes.
cat >marked <<'JSON'
 {"ociVersion" : "1.2.0","root":{"path":"rootfs"},
 "process": {"args":["/x" ,"-v"],"cwd":"/",
  "env":[
    "PATH=\/bin",
*    "AWS_SECRET_ACCESS_KEY=x7Kp2mQ9vR4tL8wZ3nB6yH1jD5fG0sAcE7uXiO2k",
    "MAX_TOKENS=1024",
*    "DB_\u0055RL=postgres:\/\/app:s3cr3tW0rd\u0021@db.example.com\/app",
*    "SSH_AUTH_SOCK=/run/agent.sock",
    "LAST=\u00e9"
  ]},
 "x-unknown":[1.50,1E+02,-0],
 "mounts":[
    {"destination":"/proc","type":"proc","source":"proc"},
*    {"options":["rbind"],"destination":"/root/.ssh",
*        "type":"bind","source":"/home/nobody-of-this-name/.ssh"},
    { "destination":"/tmp" , "type":"tmpfs","source":"tmpfs","options":["size=1024k"]}
 ],
 "annotations":{
*    "org.example/password" : "s3cr3tW0rd-of-an-annotation",
    "org.example/title":"a b\u006fx"
 },
 "linux":{"namespaces":[{"type":"network"},{"type":"pid"},{"type":"ipc"}],
  "resources":{"memory":{"limit":1048576}}}
}
JSON
sed 's/^\*//' marked >config.json
grep -v '^\*' marked >expected.json
filter config.json
expect_file 0 expected.json "what is stripped goes, and the rest stays, to the byte"
[ "$(cat err)" = "credsbox: filter: removes 3 env, 1 mount, 1 annotation" ]
ok "a line on standard error sums up" $?
! grep -q 's3cr3tW0rd\|x7Kp2mQ9' out err
ok "the values are gone" $?
again "filtered again, it stays as it is"
filter config.json --quiet
expect_like 0 . '' "--quiet says nothing"
filter config.json -q
expect_file 0 expected.json "and writes the same"
jq -c . config.json >dense.json
jq -c . expected.json >expected-dense.json
filter dense.json
jq -c . out >got.json
cmp -s got.json expected-dense.json
ok "a file without blanks is filtered alike" $?
jq --tab . config.json >tabs.json
jq --tab . expected.json >expected-tabs.json
filter tabs.json
expect_file 0 expected-tabs.json "and one with tabs"

# What cannot be filtered.
# bad REGEX SENTENCE: the file bad.json is refused
bad() {
	filter bad.json
	refused "^credsbox: filter: $1" "$2"
}
: >bad.json
bad 'config\.json: .' "nothing at all is an error"
printf '%s' "$(head -n 5 config.json)" >bad.json
bad 'config\.json: line 5, ' "so is a text that was cut off"
printf '{"mode":"strip"}' >bad.json
bad "config\.json: required property '(ociVersion|root)' is missing" "so is something else"
{ cat config.json && echo '{}'; } >bad.json
bad 'config\.json: line [0-9]*, .' "trailing data"
sed 's/1048576/-0/' config.json >bad.json
bad 'config\.json: linux\.resources\.memory\.limit: expected an integer' "a number that is none"
sed 's/1048576/1e6/' config.json >bad.json
bad 'config\.json: linux\.resources\.memory\.limit: expected an integer' "or is spelt as another"
head -c 5000000 /dev/zero | tr '\0' ' ' >bad.json
bad 'standard input: larger than 4194304 bytes$' "a text that is too large"
head -c 5000000 /dev/zero | tr '\0' ' ' | cat >in
"$CREDSBOX" filter >out 2>err <<STDIN
$(cat in)x
STDIN
rc=$?
refused 'larger than 4194304 bytes$' "whatever it comes from"
"$CREDSBOX" filter <&- >out 2>err
rc=$?
refused '^credsbox: filter: standard input: cannot read: ' "a closed standard input"
"$CREDSBOX" filter <rootfs >out 2>err
rc=$?
refused '^credsbox: filter: standard input: cannot read: is a directory$' "a directory"
: >out
"$CREDSBOX" filter <config.json >&- 2>err
rc=$?
refused '^credsbox: filter: standard output: cannot write: ' "a closed standard output"
if [ -w /dev/full ]; then
	"$CREDSBOX" filter <config.json >/dev/full 2>err
	rc=$?
	refused 'standard output: cannot write: no space left on device$' "a full one"
fi
filter config.json --bundle nowhere
refused '^credsbox: filter: nowhere: no such file or directory$' "a bundle that is not there"
filter config.json --policy none.yaml
refused '^credsbox: filter: none\.yaml: no such file or directory$' "a policy that is not there"

# Modes.
printf 'mode: observe\n' >observe.yaml
filter config.json --policy observe.yaml
expect_file 0 config.json "a policy that observes changes nothing"
grep -q '^credsbox: filter: records 3 env, 1 mount, 1 annotation$' err
ok "but says what it saw" $?
printf 'mode: enforce\n' >enforce.yaml
filter config.json --policy enforce.yaml
expect_like 125 '' '^credsbox: filter: refused: process\.env\[1\]: AWS_SECRET_ACCESS_KEY \(env-name:aws\)$' \
	"one that enforces refuses with 125 and writes nothing"
sed -n 's/^credsbox: filter: refused: \([^ ]*\): .*/\1/p' err | tr '\n' ' ' >where
[ "$(cat where)" = 'process.env[1] process.env[3] process.env[4] annotations["org.example/password"] mounts[1] ' ]
ok "every item is named" $?
[ "$(wc -l <err)" -eq 5 ] && ! grep -q 's3cr3tW0rd\|x7Kp2mQ9' err
ok "by its place and name alone" $?
filter expected.json --policy enforce.yaml
expect_file 0 expected.json "what has nothing to strip is let through"
sed 's/"-v"/"--password=s3cr3tW0rd-in-an-argument"/' expected.json >args.json
filter args.json
expect_file 0 args.json "arguments stay"
grep -q '^credsbox: filter: records 1 arg$' err
ok "on record" $?
printf 'args: refuse\n' >refuse.yaml
filter args.json --policy refuse.yaml
expect_like 125 '' '^credsbox: filter: refused: process\.args\[1\]: --password ' \
	"unless the policy refuses them"
printf 'args: dummy\n' >dummy.yaml
filter args.json --policy dummy.yaml
jq -e '.process.args[1] | test("^--password=[A-Za-z0-9-]+$") and (contains("s3cr3t") | not)' \
	out >/dev/null
ok "or replaces them" $?
again "a stand-in in an argument is kept" --policy dummy.yaml

# Stand-ins.
half=$(od -An -N10 -tx1 /dev/urandom | tr -d ' \n')
token=sk-${half}T3BlbkFJ$half
jq --arg token "$token" '.process.env += ["OPENAI_API_KEY=\($token)",
	"PROXY=http://ada:\($token)@proxy.example.com:8080/x", "NOTE=see \($token)"]' \
	expected.json >config2.json
printf 'env: { dummy: [OPENAI_API_KEY, PROXY] }\n' >dummy.yaml
filter config2.json --policy dummy.yaml
jq -e '.process.env | map(select(test("^OPENAI_API_KEY=sk-[0-9A-Za-z]{48}$"))) | length == 1' \
	out >/dev/null
ok "a stand-in has the form of what it stands for" $?
jq -e '.process.env | map(select(test("^PROXY=http://ada:[^@]+@proxy\\.example\\.com:8080/x$"))) |
	length == 1' out >/dev/null
ok "in a URL only the password is replaced" $?
! grep -q "$token" out err
ok "the token is nowhere in it" $?
cp out first
again "stand-ins are kept when it is filtered again" --policy dummy.yaml
again "and known without the policy that made them"
filter config2.json --policy dummy.yaml
! cmp -s out first
ok "each run makes new ones" $?

# What is added.
jq 'del(.linux.namespaces)' expected.json >host.json
filter host.json
jq -e '.linux.namespaces == [{type: "network"}, {type: "pid"}, {type: "ipc"}]' out >/dev/null && jq -S . host.json >a &&
	jq -S 'del(.linux.namespaces)' out | cmp -s - a
ok "a bundle that shares the host's network gets its own" $?
again "once"
jq 'del(.linux)' expected.json >host.json
filter host.json
jq -e '.linux == {namespaces: [{type: "network"}, {type: "pid"}, {type: "ipc"}]}' out >/dev/null
ok "even without a linux section" $?
jq '.linux.namespaces = [{type: "network", path: "/proc/1/ns/net"}, {type: "pid"}, {type: "ipc"}]' expected.json >host.json
filter host.json
expect_file 0 host.json "one that joins another's stays as it is"
printf 'namespaces: { network: bundle, pid: bundle, ipc: bundle }\n' >network.yaml
jq 'del(.linux)' expected.json >host.json
filter host.json --policy network.yaml
expect_file 0 host.json "and so does every one, if the policy says so"

# An image with credentials in it.
mkdir -p image/etc image/root/.aws image/root/.ssh image/home/ada/.kube image/home/bob/.docker \
	image/work image/usr/bin image/opt/app
echo secret >image/root/.aws/credentials
echo secret >image/root/.ssh/id_ed25519
echo secret >image/home/ada/.kube/config
echo secret >image/home/ada/.netrc
echo secret >image/home/bob/.docker/config.json
echo TOKEN=secret >image/work/.env
echo nothing >image/root/notes.txt
echo 'root:*:19000:0:99999:7:::' >image/etc/shadow
: >image/home/bob/.netrc
jq '.root.path = "image" | .process.cwd = "/work" | .process.env += ["KUBECONFIG=/opt/app/k"]' \
	expected.json >image.json
echo secret >image/opt/app/k
# masked FILTER SENTENCE: of the sorted paths that were added to linux.maskedPaths
masked() {
	jq -e "(.linux.maskedPaths // []) | sort | $1" out >/dev/null
	ok "$2" $?
	jq -c .linux.maskedPaths out >got
}
filter image.json
masked '. == ["/home/ada/.kube", "/home/ada/.netrc", "/home/bob/.docker", "/opt/app/k", "/root/.aws",
	"/root/.ssh", "/work/.env"] or . == ["/home/ada/.kube/config", "/home/ada/.netrc",
	"/home/bob/.docker/config.json", "/opt/app/k", "/root/.aws", "/root/.ssh", "/work/.env"]' \
	"credentials in the image are masked: in every home, the working directory, by variables"
again "masks are added once"
mkdir elsewhere
printf 'scan: { image: off }\n' >no-image.yaml
(cd elsewhere && "$CREDSBOX" filter --bundle .. <../image.json) >out 2>err
rc=$?
expect_file 0 once "--bundle says where a relative root begins"
jq --arg work "$work" '.root.path = "\($work)/image"' image.json >absolute.json
filter absolute.json --bundle elsewhere
jq .linux.maskedPaths out >got && jq .linux.maskedPaths once | cmp -s - got
ok "an absolute one needs none" $?
jq '.linux.maskedPaths = ["/root", "/proc/kcore"]' image.json >masks.json
filter masks.json
masked 'index("/root") and index("/home/ada/.netrc") and (map(select(startswith("/root/"))) == [])' \
	"what the bundle masks already is left to it"
printf 'scan: { image: off }\n' >noscan.yaml
filter image.json --policy noscan.yaml
masked '. == []' "a policy can leave the image alone"
printf 'paths: { allow: ["/root/.aws"], mask: ["**/notes.txt"] }\n' >paths.yaml
filter image.json --policy paths.yaml
masked 'index("/root/.aws") == null and index("/root/.ssh") != null' "or allow a path"

# A mount that is cut no longer lies over what the image has there.
jq '.mounts += [{destination: "/root/.aws", type: "bind", source: "/home/nobody-of-this-name/.aws",
	options: ["rbind"]}]' image.json >cover.json
filter cover.json
masked 'index("/root/.aws") != null' "what a cut mount would have covered is masked"
again "and filtered again, it stays as it is"
jq '.mounts += [{destination: "/root", type: "tmpfs", source: "tmpfs"}]' image.json >cover.json
filter cover.json
masked 'map(select(startswith("/root"))) == []' "what a kept one covers needs no mask"

# Bind mounts of a real tree: a home and a project.
mkdir -p tree/ada/.aws tree/ada/.ssh tree/ada/.config/gh tree/ada/project/src
echo secret >tree/ada/.aws/credentials
echo secret >tree/ada/.ssh/id_ed25519
echo secret >tree/ada/.config/gh/hosts.yml
echo secret >tree/ada/.netrc
echo TOKEN=secret >tree/ada/project/.env
echo nothing >tree/ada/project/src/main.c
# bound SOURCE DESTINATION: filters a bundle with that bind
bound() {
	jq --arg source "$1" --arg destination "$2" '.mounts += [{destination: $destination,
		type: "bind", source: $source, options: ["rbind"]}]' expected.json >bind.json
	filter bind.json
}
# is_cut SENTENCE / stays SENTENCE: of that mount
is_cut() {
	[ $rc -eq 0 ] && jq -e '.mounts | length == 2' out >/dev/null
	ok "$1" $?
}
stays() {
	[ $rc -eq 0 ] && jq -e '.mounts | length == 3' out >/dev/null
	ok "$1" $?
}
bound "$work/tree/ada" /home/ada
masked 'map(select(startswith("/home/ada/.aws") or startswith("/home/ada/.ssh") or
	startswith("/home/ada/.config/gh") or . == "/home/ada/.netrc")) == . and length == 4' \
	"of a home that is mounted, credentials are masked"
stays "and the rest is there"
again "masks below mounts are added once"
bound "$work/tree/ada/project" /work
masked '. == ["/work/.env"]' "so they are in a project"
bound "$work/tree/ada/project/src" /src
masked '. == []' "a directory without credentials is left alone"
stays "as a whole"
bound tree/ada /home/ada
masked 'length == 4' "a source may be relative to the bundle"
for source in .aws .aws/ .aws/. .ssh/../.aws .//.aws .aws/credentials .ssh .ssh/id_ed25519 .netrc \
	project/.env; do
	bound "$work/tree/ada/$source" /mnt
	is_cut "a mount of $source is cut"
done
bound "$work/tree/ada/.config/gh" /mnt
masked '. == ["/mnt/hosts.yml"]' "of a directory with one such file only that is masked"
bound "/proc/self/root$work/tree/ada/.aws" /mnt
is_cut "so it is by way of /proc/self/root"
bound "tree/ada/.aws" /mnt
is_cut "and by a relative path"
ln -s ada/.aws tree/innocent
ln -s innocent tree/more-innocent
ln -s "$work/tree/ada/.netrc" tree/notes.txt
bound "$work/tree/innocent" /mnt
is_cut "a link to it is cut"
bound "$work/tree/more-innocent" /mnt
is_cut "so is a link to a link"
bound tree/notes.txt /mnt/notes.txt
is_cut "or one to a file"
bound "$work/tree/none" /root/.aws/credentials
is_cut "a source that is not there is judged by its destination"
bound "$work/tree/ada/project/src" /root/.ssh
is_cut "and so is one that is"
bound "$work/tree/none" /mnt
stays "what is neither is left to the runtime"

# Overlays, as podman makes them of -v SOURCE:DESTINATION:O.
# layered OPTIONS DESTINATION: filters a bundle with that overlay
layered() {
	jq --arg options "$1" --arg destination "$2" '.mounts += [{destination: $destination,
		type: "overlay", source: "overlay", options: ($options | split(" "))}]' \
		expected.json >bind.json
	filter bind.json
}
mkdir -p tree/upper tree/workdir
layered "lowerdir=$work/tree/ada upperdir=$work/tree/upper workdir=$work/tree/workdir" /home/ada
masked 'length == 4 and all(.[]; startswith("/home/ada/."))' \
	"in the layers of an overlay credentials are masked"
stays "and the rest is there"
again "masks of an overlay are added once"
layered "lowerdir=tree/upper:tree/ada/project,upperdir=tree/workdir" /work/
masked '. == ["/work/.env"]' "every layer counts, a relative one from the bundle, options in one, too"
layered "ro lowerdir=tree/upper:$work/tree/innocent" /mnt
is_cut "an overlay with a link to credentials is cut"
layered "lowerdir=tree/upper:tree/ada/.aws" /mnt
is_cut "and one of a relative path to them"
layered "lowerdir=tree/upper:tree/none" /mnt
stays "one with a layer that is not there is left to the runtime"

# Files and sockets under other names. What they are the same as is where the system keeps it, so
# this needs a /etc and a /run of our own.
cat >identity.sh <<'SCRIPT'
mount -t tmpfs tmpfs /run && mkdir /run/x && mount --bind tree /mnt || exit 77
python=$(command -v python3 || command -v perl) || exit 77
case $python in
*perl*) perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0]))' \
	/run/docker.sock ;;
*) python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' \
	/run/docker.sock ;;
esac
ln /run/docker.sock /run/x/renamed || exit 77
echo 'not a secret by its looks' >/run/x/plain
"$CREDSBOX" filter <identity.json
SCRIPT
jq '.mounts += [{destination: "/a", type: "bind", source: "/run/x/renamed", options: ["rbind"]},
	{destination: "/b", type: "bind", source: "/run/x/plain", options: ["rbind"]}]' \
	expected.json >identity.json
export CREDSBOX
if [ "$(id -u)" = 0 ]; then
	unshare -m sh identity.sh >out 2>err
	rc=$?
else
	unshare -rm sh identity.sh >out 2>err
	rc=$?
fi
if [ $rc -eq 0 ]; then
	jq -e '.mounts | map(.destination) == ["/proc", "/tmp", "/b"]' out >/dev/null
	ok "the engine's socket is known under another name" $?
else
	skip "the engine's socket is known under another name" "no namespace to try it in"
fi
printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAA
-----END OPENSSH PRIVATE KEY-----\n' >tree/ada/.ssh/id_ed25519
ln tree/ada/.ssh/id_ed25519 tree/ada/project/src/logo.png
bound "$work/tree/ada/project/src/logo.png" /srv/logo.png
is_cut "a hard link to a key is known by what is in it"
cp tree/ada/.ssh/id_ed25519 tree/ada/project/src/copy.txt
bound tree/ada/project/src/copy.txt /srv/copy.txt
is_cut "and so is a copy"
{ cat tree/ada/.ssh/id_ed25519 && head -c 100000 /dev/zero | tr '\0' '\n'; } >tree/long.txt
bound tree/long.txt /srv/long.txt
is_cut "a long file is known by its beginning"
printf 'scan: { mounts: off }\n' >no-mounts.yaml
filter bind.json --policy no-mounts.yaml
stays "unless mounts are not to be looked into"
bound tree/ada/project/src/main.c /srv/main.c
stays "while other files stay"
mkfifo tree/pipe
bound tree/pipe /srv/pipe
stays "a pipe is not waited for"

# Odd trees.
ln -s loop tree/loop
bound tree/loop /srv/loop
stays "a link to itself is left to the runtime"
grep -q 'warning: the scan could not look everywhere' err
ok "and it is said that nobody knows what is there" $?
mkdir -p tree/odd
ln -s ../odd tree/odd/again
ln -s /etc/shadow tree/odd/.netrc
ln -s . tree/odd/.aws
bound tree/odd /work
[ $rc -eq 0 ] && jq -e '(.linux.maskedPaths // []) | all(.[]; startswith("/work"))' out >/dev/null
ok "links in a mounted tree do not lead out of it" $?
again "and filtered again, it stays as it is"
printf 'scan: { deep: on, max_files: 1000 }\n' >deep.yaml
printf 'password = "c0rrect-h0rse-b4ttery"\nurl = "postgres://app:s3cr3tW0rd@db.example.com/app"\n' \
	>tree/ada/project/src/settings.toml
jq --arg source "$work/tree/ada/project" '.mounts += [{destination: "/work", type: "bind",
	source: $source, options: ["rbind"]}]' expected.json >bind.json
filter bind.json --policy deep.yaml
masked 'index("/work/.env") != null and index("/work/src/settings.toml") != null and
	index("/work/src/copy.txt") != null and index("/work/src/main.c") == null' \
	"a deep scan finds credentials by what is in the files"

# Another system's root.
mkdir -p tree/disk/etc tree/disk/usr tree/disk/root/.aws tree/disk/home/bob/.ssh
echo secret >tree/disk/etc/passwd
echo 'root:secret:1::::::' >tree/disk/etc/shadow
echo secret >tree/disk/root/.aws/credentials
echo secret >tree/disk/home/bob/.ssh/id_rsa
bound tree/disk /mnt
masked 'any(startswith("/mnt/root/.aws")) and any(startswith("/mnt/home/bob/.ssh")) and
	index("/mnt/etc/shadow") != null' "of another root file system, all homes count, and /etc"
again "once"

# What a policy names is found in places that nobody would look into.
mkdir -p rootfs/opt/some/where tree/ada/project/src/deep/er
echo x >rootfs/opt/some/where/blob
echo x >tree/ada/project/src/deep/er/blob
echo x >tree/ada/project/top.blob
# names PATTERN: filters a bundle with a project at /work
names() {
	printf 'paths: { mask: ["%s"] }\n' "$1" >mask.yaml
	jq '.mounts += [{destination: "/work", type: "bind", source: "tree/ada/project"}]' \
		expected.json >bind.json
	filter bind.json --policy mask.yaml
}
for pattern in /opt/some/where/blob '/opt/some/where/blob/**'; do
	names "$pattern"
	masked 'index("/opt/some/where/blob") != null' "the image's $pattern is masked"
done
for pattern in "$work/tree/ada/project/src/deep/er/blob" /work/src/deep/er/blob; do
	names "$pattern"
	masked 'index("/work/src/deep/er/blob") != null' "so is a mount's, by ${pattern#"$work"}"
	again "once"
done
names '/work/src/**'
masked 'index("/work/src") != null' "or a whole directory"
names '**/*.blob'
masked 'index("/work/top.blob") != null and index("/work/src/deep/er/blob") == null' \
	"wildcards count in directories that are looked into"
printf 'paths: { mask: ["**/blob"] }\nscan: { deep: on }\n' >mask.yaml
filter bind.json --policy mask.yaml
masked 'index("/work/src/deep/er/blob") != null and index("/opt/some/where/blob") != null' \
	"and with a deep scan everywhere"
rm -r rootfs/opt

# A root that is not where the bundle says.
mkdir elsewhere
(cd elsewhere && "$CREDSBOX" filter <../odd.json >../out 2>../err)
rc=$?
expect_like 0 . 'warning: the scan could not look everywhere' "a missing root is told"
filter odd.json --bundle elsewhere --policy no-image.yaml
expect_like 0 . '' "unless nobody would look there"
cp odd.json elsewhere/config.json
run plan --bundle elsewhere
expect_like 0 '^warning +the scan could not look everywhere' '' "a plan is made without it, too"

# Without privileges, and within a limit.
printf 'scan: { max_files: 2 }\n' >few.yaml
mkdir tree/many
touch tree/many/a tree/many/b tree/many/c tree/many/d
bound tree/many /srv/many
[ $rc -eq 0 ] && [ ! -s err ]
ok "a directory of some files is looked at" $?
filter bind.json --policy few.yaml --quiet
expect_like 0 . '^credsbox: filter: warning: the scan could not look everywhere' \
	"a limit that was not enough is told, quietly or not"
printf 'scan: { max_files: 6 }\n' >some.yaml
filter bind.json --policy some.yaml
expect_like 0 . '' "one that is enough for a mount is not"
jq '.mounts += [.mounts[-1] | .destination = "/srv/more"]' bind.json >two.json
filter two.json --policy some.yaml
expect_like 0 . 'warning: the scan could not look everywhere' "but all mounts share it"
if can_be_ordinary; then
	chmod -R a+rX .
	mkdir -p private/image/root/.aws private/image/etc
	echo secret >private/image/root/.aws/credentials
	echo secret >private/image/etc/shadow
	chmod 700 private/image/root
	chmod 600 private/image/etc/shadow
	[ "$(id -u)" = 0 ] || chmod 0 private/image/root private/image/etc/shadow
	jq '.root.path = "image"' expected.json >private/config.json
	ordinary plan --bundle private --format json
	[ $rc -eq 3 ] && jq -e '.scanIncomplete and .masks == ["/etc/shadow"]' out >/dev/null
	ok "what cannot be read is told, and a file that may hold passwords is masked unread" $?
	echo nothing >private/image/etc/closed
	chmod 0 private/image/etc/closed
	jq --arg source "$work/private/image/etc/closed" '.root.path = "/" | .mounts = [{type: "bind",
		destination: "/srv/x", source: $source}]' expected.json >closed.json
	mkdir -p closed/empty && chmod 755 closed closed/empty
	jq '.root.path = "empty"' closed.json >closed/config.json
	ordinary plan --bundle closed --format json
	jq -e .scanIncomplete out >/dev/null
	ok "so is a single file that cannot be read" $?
	ordinary plan --bundle private
	expect_like 3 '^warning +the scan could not look everywhere' '' "in text, too"
else
	skip "what cannot be read is told" "no setpriv(1) here"
fi

finish
