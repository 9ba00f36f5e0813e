#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A random value is put into every place that there is, and looked for in all that is printed.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

canary=cAnArY$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
url="postgres://app:$canary@db.example.com/app"
leaks=$work/leaks
: >"$leaks"

# leaked WHAT FILE...: notes it when the canary is in one of the files
leaked() {
	what=$1
	shift
	! grep -q "$canary" "$@" || echo "$what" >>"$leaks"
}

# no_leaks SENTENCE
no_leaks() {
	cp "$leaks" out
	: >err
	[ ! -s "$leaks" ]
	ok "$1" $?
	: >"$leaks"
}

# plan_both: both forms of box/config.json, into out and err
plan_both() {
	"$CREDSBOX" plan --bundle box >out 2>err </dev/null
	"$CREDSBOX" plan --bundle box --format json >>out 2>>err </dev/null
}

# Every string of a configuration that has every field, one after the other. The places of mounts
# and the programs of hooks are names and may be shown, unless they look like credentials.
# jq would spoil large numbers.
mkdir -p box/rootfs
sed -E 's/[0-9]{16,}/4096/' "$top_srcdir/tests/fuzz/seeds/bundle/every-field.json" | jq . >every.json
cp every.json box/config.json
run plan --bundle box
[ $rc -ne 1 ]
ok "the configuration with every field is read" $?
jq -c --arg canary "$canary" '. as $top | paths(type == "string") as $p |
	($top | getpath($p)) as $old |
	[($p | map(tostring) | join(".")), ($top | setpath($p;
		if $p | index("env") then ($old | sub("=.*"; "=")) + $canary
		elif $old[:1] == "/" then "/" + $canary
		elif $old | test("^[a-z]+=") then ($old | sub("=.*"; "=")) + $canary
		else $canary end))]' every.json >variants
count=0
while IFS= read -r line; do
	count=$((count + 1))
	where=${line#'["'}
	where=${where%%'"'*}
	printf '%s' "$line" | cut -d , -f 2- | sed 's/]$//' >box/config.json
	"$CREDSBOX" filter --bundle box <box/config.json >filtered 2>err
	leaked "filter, $where" err
	plan_both
	leaked "plan: error, $where" err
	case $where in
	mounts.*.destination | hooks.*.path | linux.devices.*.path) ;;
	*) leaked "plan, $where" out ;;
	esac
done <variants
[ $count -gt 100 ]
ok "there are more than a hundred strings to try" $?
no_leaks "a random value in place of any string is in no plan and in no error"

jq -c --arg url "$url" '. as $top | paths(type == "string") as $p |
	($top | getpath($p)) as $old |
	[($p | map(tostring) | join(".")), ($top | setpath($p;
		if $p | index("env") then ($old | sub("=.*"; "=")) + $url else $url end))]' \
	every.json >variants
while IFS= read -r line; do
	where=${line#'["'}
	where=${where%%'"'*}
	printf '%s' "$line" | cut -d , -f 2- | sed 's/]$//' >box/config.json
	"$CREDSBOX" filter --bundle box <box/config.json >filtered 2>err
	leaked "filter, $where" err
	case $where in
	process.env.* | annotations.* | hooks.createContainer.*.env.* | hooks.startContainer.*.env.*)
		leaked "filter: output, $where" filtered ;;
	esac
	plan_both
	leaked "plan, $where" out err
done <variants
no_leaks "nor is a URL with a password, which the filter takes out of variables and annotations"

finish
