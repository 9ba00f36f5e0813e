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

# What is no tree.
run scan none
refused '^credsbox: scan: none: No such file or directory$' "a directory must be there"
run scan ada/.netrc
refused '^credsbox: scan: ada/\.netrc: Not a directory$' "and be one"
run scan ''
refused '^credsbox: scan: ' "and have a name"
run scan ada --policy none.yaml
refused '^credsbox: scan: none\.yaml: No such file or directory$' "a policy must be there"

# Policies.
printf 'paths: { allow: ["**/.aws", "**/settings.toml"], mask: ["**/main.c"] }\n' >paths.yaml
run scan ada --policy paths.yaml --format json
found 'index("ada/.aws") == null and index("ada/project/src/settings.toml") == null and
	index("ada/project/src/main.c") != null and index("ada/.netrc") != null' \
	"paths that a policy allows are left out, those that it masks are listed"

finish
