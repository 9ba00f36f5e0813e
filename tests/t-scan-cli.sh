#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox scan: what it finds in a tree, and that it shows no values.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

# found FILTER SENTENCE: of the sorted paths of the last run, which found something
found() {
	[ $rc -eq 3 ] && [ ! -s err ] && jq -es "map(.path) | sort | $1" out >/dev/null
	ok "$2" $?
}

# A home. The values are put together here, so that no scanner finds them in the tree.
secret=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')
mkdir -p ada/.aws ada/.ssh ada/project/src ada/.kube ada/.cache/x ada/.config/app
printf '[default]\naws_secret_access_key = %s\n' "$secret" >ada/.aws/credentials
printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n-----END OPENSSH PRIVATE KEY-----\n' \
	"$(echo "openssh-key-v1 $secret $secret $secret" | base64 -w 70)" >ada/.ssh/id_ed25519
cp ada/.ssh/id_ed25519 ada/project/src/notes
printf 'machine example.com login ada password %s\n' "$secret" >ada/.netrc
printf 'PASSWORD=%s\n' "$secret" >ada/project/.env
printf 'db = "postgres://app:%s@db.example.com/app"\n' "$secret" >ada/project/src/settings.toml
printf 'int main(void) { return 0; }\n' >ada/project/src/main.c
printf 'apiVersion: v1\n' >ada/.kube/config
printf '%s\n' "$secret" >ada/.cache/x/nothing
{ head -c 600 /dev/zero && printf 'postgres://app:%s@db.example.com/app' "$secret"; } \
	>ada/project/src/program
run scan ada --format json
found '. == ["ada/.aws", "ada/.kube/config", "ada/.netrc", "ada/.ssh", "ada/project/.env",
	"ada/project/src/notes", "ada/project/src/settings.toml"] or . == ["ada/.aws", "ada/.kube",
	"ada/.netrc", "ada/.ssh", "ada/project/.env", "ada/project/src/notes",
	"ada/project/src/settings.toml"]' "credentials are found by their paths and by what is in them"
expect_json 3 'all(.[]; keys == ["path", "rule", "why"]) and
	all(.[]; .rule | test("^(path|content):[a-z0-9-]+$"))' "with the members of the manual"
expect_json 3 'map(select(.path == "ada/project/src/settings.toml"))[0].rule ==
	"content:url-userinfo"' "content has rules of its own"
[ "$(wc -l <out)" -eq 7 ]
ok "each has a line" $?
cp out found.json
run scan ada
expect_like 3 '^ada/\.netrc  path:[a-z-]+: .' '' "as text, too"
[ "$(wc -l <out)" -eq 7 ]
ok "as many" $?
! grep -q "$secret" out found.json
ok "no value is shown" $?
for dir in ada/ ./ada "$work/ada" ada/project/..; do
	run scan "$dir" -f json
	[ $rc -eq 3 ] && jq -r .path out | sed "s|^${dir%/}/||" | sort >got &&
		jq -r .path found.json | sed 's|^ada/||' | sort | cmp -s - got
	ok "paths begin as the directory was given: ${dir#"$work/"}" $?
done
run scan --format json ada
cmp -s out found.json
ok "options may come first" $?
(cd ada && "$CREDSBOX" scan . -f json) >out 2>err
rc=$?
found 'index("./.netrc") != null and length == 7' "the current directory can be searched"
run scan ada/project/src
expect_like 3 '^ada/project/src/settings\.toml ' '' "what is below another directory is judged alike"
mkdir empty
run scan empty
expect 0 '' '' "nothing found prints nothing and gives 0"
run scan ada/.cache
expect 0 '' '' "and so does a tree without credentials"

# In programs and documents only what is a key by itself counts, whatever stands before it.
mkdir sources
key=ada/.ssh/id_ed25519
jwt="eyJ$(printf 'hbGciOiJIUzI1NiJ9').eyJ$(printf 'zdWIiOiIxIn0').$secret"
printf 'password = "%s"\nurl = "postgres://app:%s@h/"\n' "$secret" "$secret" >sources/weak.py
{ printf 'jwt = "%s"\n' "$jwt" && cat $key; } >sources/behind-jwt.py
printf '#!/bin/sh\ncurl -u a:%s h\necho %s | base64 -d\n' "$secret" "$(base64 -w 0 $key)" \
	>sources/encoded.sh
{ head -c 5000 /dev/zero | tr '\0' '#' && cat $key; } >sources/far.c
cp $key sources/plain.txt
run scan sources --format json
found '. == ["sources/behind-jwt.py", "sources/encoded.sh", "sources/far.c",
	"sources/plain.txt"]' "in programs, keys are found, and other signs are not counted"
expect_json 3 'map(.rule) | unique == ["content:pem-private-key"]' "by the rule of the key"

# What is no tree.
run scan none
refused '^credsbox: scan: none: no such file or directory$' "a directory must be there"
run scan ada/.netrc
refused '^credsbox: scan: ada/\.netrc: not a directory$' "and be one"
run scan ''
refused '^credsbox: scan: ' "and have a name"
run scan ada --policy none.yaml
refused '^credsbox: scan: none\.yaml: no such file or directory$' "a policy must be there"

# Policies.
printf 'paths: { allow: ["**/.aws", "**/settings.toml"], mask: ["**/main.c"] }\n' >paths.yaml
run scan ada --policy paths.yaml --format json
found 'index("ada/.aws") == null and index("ada/project/src/settings.toml") == null and
	index("ada/project/src/main.c") != null and index("ada/.netrc") != null' \
	"paths that a policy allows are left out, those that it masks are listed"

# The root of a system.
mkdir -p image/etc image/usr image/root image/home/bob/.ssh image/home/eve/.aws image/var/lib
echo 'root:x:0:0:root:/root:/bin/sh' >image/etc/passwd
printf 'root:*:19000:0:99999:7:::\ndaemon:!:19000:0:99999:7:::\nbin:!!:19000::::::\n' >image/etc/shadow
printf 'root:*::\nshadow:!::\n' >image/etc/gshadow
: >image/root/.netrc
run scan image
expect 0 '' '' "locked accounts and empty files of an image are nothing"
# shellcheck disable=SC2016 # the dollars are those of a hash
printf 'root:$6$%s$%s%s:19000:0:99999:7:::\n' "$(echo "$secret" | cut -c 1-16)" "$secret" "$secret" |
	cut -c 1-200 >image/etc/shadow
run scan image --format json
found '. == ["image/etc/shadow"]' "a password in /etc/shadow is found"
! grep -q "$(echo "$secret" | cut -c 1-16)" out
ok "and not shown" $?
echo "$secret" >image/home/bob/.ssh/id_rsa
echo "$secret" >image/root/.netrc
run scan image --format json
found '. == ["image/etc/shadow", "image/home/bob/.ssh", "image/root/.netrc"] or
	. == ["image/etc/shadow", "image/home/bob/.ssh/id_rsa", "image/root/.netrc"]' \
	"every home of the image is looked at"
mv image/usr usr
run scan image --format json
found 'index("image/etc/shadow") != null' "what looks like no image is judged by its own path"
run scan --image image --format json
found 'index("image/etc/shadow") != null and length == 3' "unless --image says that it is one"
mkdir image/usr

# Limits.
run scan ada --max-files 3
[ $rc -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^credsbox: scan: .*--max-files' err
ok "a scan that ends at its limit says so, and is an error" $?
run scan ada --max-files 3 --format json
[ $rc -eq 1 ] && jq -es 'length <= 3' out >/dev/null
ok "what was found until then is listed" $?
run scan ada --max-files 18446744073709551615
expect_like 3 . '' "the limit may be large"
printf 'scan: { max_files: 3 }\n' >few.yaml
run scan ada --policy few.yaml
[ $rc -eq 1 ] && grep -q 'max-files' err
ok "a policy can set it" $?
run scan ada --policy few.yaml --max-files 1000
expect_like 3 . '' "and the option goes over it"
deep=deep
mkdir deep
for level in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	deep=$deep/$level/a/b/c/d
	mkdir -p $deep
done
echo "$secret" >$deep/.netrc
run scan deep
[ $rc -eq 1 ] && [ "$(wc -l <err)" -eq 1 ]
ok "so does a tree that is too deep" $?

# Links, pipes, sockets, devices.
mkdir -p odd/a odd/b
ln -s ../a odd/b/to-a
ln -s ../b odd/a/to-b
ln -s loop odd/loop
ln -s . odd/self
ln -s / odd/root
ln -s "$work/ada/.netrc" odd/out.txt
ln -s nowhere odd/dangling
mkfifo odd/pipe
began=$(date +%s)
run scan odd
expect 0 '' '' "links are not followed, loops and pipes are not waited for"
[ $(($(date +%s) - began)) -lt 5 ]
ok "and that soon" $?
ln -s ../../ada/.aws odd/b/.aws
ln -s pipe odd/.netrc
run scan odd
[ $rc -ne 1 ]
ok "a link with the name of a credential does not lead out of the tree" $?
! grep -q 'ada/' out
ok "nor is what is outside named" $?
printf 'x' >"odd/$(printf 'a\nb\033[31m')"
printf '%s' "$secret" >"odd/$(printf 'c\n\033[31m.env')"
mkdir "odd/$(printf 'd\033')"
printf '%s' "$secret" >"odd/$(printf 'd\033')/.netrc"
run scan odd
[ $rc -eq 3 ] && ! grep -q "$(printf '\033')" out && grep -q 'd\\x1b/\.netrc' out
ok "no control character of a name reaches a terminal" $?
run scan odd --format json
[ $rc -eq 3 ] && jq -es 'any(.[]; .path == "odd/d\u001b/.netrc")' out >/dev/null
ok "in JSON they are escaped" $?

# File systems that are the kernel's, as below the root of a running system.
cat >system.sh <<'SCRIPT'
mkdir -p system/proc system/sys system/home && mount -t proc proc system/proc &&
	mount -t sysfs sysfs system/sys && mount -t tmpfs tmpfs system/home &&
	mkdir system/home/ada && echo x >system/home/ada/.netrc || exit 77
"$CREDSBOX" scan --image system
SCRIPT
export CREDSBOX
apart() {
	if [ "$(id -u)" = 0 ]; then
		unshare -mpf "$@"
	else
		unshare -rnmpf "$@"
	fi
}
rc=77
if apart true 2>/dev/null; then
	apart sh system.sh >out 2>err
	rc=$?
fi
if [ $rc -eq 77 ]; then
	skip "what the kernel makes up is not searched, other mounts are" "no namespace to try it in"
else
	[ $rc -eq 3 ] && [ "$(cut -d ' ' -f 1 out)" = system/home/ada/.netrc ]
	ok "what the kernel makes up is not searched, other mounts are" $?
fi

# Rights.
if can_be_ordinary; then
	chmod -R a+rX ada
	chmod a+rx "$work"
	ordinary scan ada --format json
	found 'length == 7' "an ordinary user can scan"
	mkdir -p closed/in
	echo x >closed/in/file
	echo "$secret" >closed/.netrc
	chmod 0 closed/in
	ordinary scan closed --format json
	[ $rc -eq 1 ] && grep -q '^credsbox: scan: .*permissions' err &&
		jq -es 'map(.path) == ["closed/.netrc"]' out >/dev/null
	ok "a directory that cannot be read makes it an error" $?
	chmod 755 closed/in
	chmod 0 closed/in/file
	ordinary scan closed --format json
	[ $rc -eq 1 ] && grep -q 'permissions' err
	ok "and so does a file" $?
	chmod 0 closed
	ordinary scan closed
	[ $rc -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
	ok "or the whole tree" $?
	chmod 755 closed
	chmod 644 closed/in/file
else
	skip "an ordinary user can scan" "no setpriv(1) here"
fi

# Size.
mkdir many
awk 'BEGIN { for (i = 0; i < 5000; i++) { f = "many/file" i ".txt"; print "nothing to see, number " i >f;
	close(f) } }'
echo "$secret" >many/.netrc
began=$(date +%s)
run scan many --format json
found '. == ["many/.netrc"]' "5,000 files are searched"
[ $(($(date +%s) - began)) -lt 20 ]
ok "in time" $?
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	script -qec "'$CREDSBOX' scan many >/dev/null" /dev/null >out 2>err </dev/null
	grep -q "credsbox: scan: [0-9]* files" out && tail -c 6 out | grep -q "$(printf '\033')\[K"
	ok "on a terminal a line tells the progress, and is taken away" $?
else
	skip "on a terminal a line tells the progress, and is taken away" "no script(1) here"
fi
if [ -w /dev/full ]; then
	"$CREDSBOX" scan ada >/dev/full 2>err
	rc=$?
	: >out
	refused 'standard output: cannot write: no space left on device$' "a full device is an error"
fi
: >out
"$CREDSBOX" scan ada >&- 2>err
rc=$?
refused 'standard output: cannot write: ' "a closed standard output is an error"

finish
