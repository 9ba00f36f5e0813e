#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox policy: what it prints, and with which exit code. $CREDSBOX is the program.
set -u
: "${CREDSBOX:=./credsbox}" "${srcdir:=.}"
srcdir=$(cd "$srcdir" && pwd) || exit 1
case $CREDSBOX in
/*) ;;
*) CREDSBOX=$(pwd)/$CREDSBOX ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Nobody's own policy may have a say here.
HOME=$work/home XDG_CONFIG_HOME=$work/home/.config
export HOME XDG_CONFIG_HOME
n=0

# run ARGUMENT...: leaves out, err and rc
run() {
	"$CREDSBOX" "$@" >out 2>err </dev/null
	rc=$?
}

ok() { # SENTENCE STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# out: /' out
		sed 's/^/# err: /' err
		echo "# exit code $rc"
	fi
}

# expect RC OUT ERR SENTENCE: all that the last run left, word for word
expect() {
	[ "$rc" -eq "$1" ] && [ "$(cat out)" = "$2" ] && [ "$(cat err)" = "$3" ]
	ok "$4" $?
}

# expect_like RC OUT-REGEX ERR-REGEX SENTENCE: one line of each matches; an empty one: no output
expect_like() {
	[ "$rc" -eq "$1" ] &&
		if [ -n "$2" ]; then grep -qE -- "$2" out; else ! [ -s out ]; fi &&
		if [ -n "$3" ]; then grep -qE -- "$3" err; else ! [ -s err ]; fi
	ok "$4" $?
}

run policy
expect_like 1 '' '^credsbox: policy: .*--help' "policy alone is an error that says where help is"
run policy destroy
expect_like 1 '' '^credsbox: policy: ' "so is another word"
for words in '' show check; do
	# shellcheck disable=SC2086 # no word at all is one of the cases
	run policy $words --help
	expect_like 0 '^   credsbox policy' '' "policy $words --help prints how it is used"
done
run policy check -h
expect_like 0 '^   credsbox policy check FILE' '' "-h is the same"

run policy check
expect_like 1 '' '^credsbox: policy check: which file\?' "check needs a file"
run policy check --nonsense
expect_like 1 '' "^credsbox: policy check: unknown option '--nonsense'" "check has few options"
for name in default strict observe example; do
	run policy check "$srcdir/contrib/policies/$name.yaml"
	expect 0 "$srcdir/contrib/policies/$name.yaml: ok" '' "the policy '$name' is sound"
done

printf 'mode: strip\nenv:\n  allow: []\n\n\n\n  alow: [A]\n' >p.yaml
run policy check ./p.yaml
expect 1 '' "credsbox: policy check: ./p.yaml:7:3: env.alow: unknown key (did you mean 'allow'?)" \
	"an error has its place, and the key that was meant"
printf 'env:\n  remove: [B, A, A]\npaths:\n  mask: [/a/]\n' >w.yaml
run policy check w.yaml
expect 0 "w.yaml:2:18: warning: env: said twice, also in line 2
w.yaml:4:10: warning: paths: '/a/' ends with '/': for what is below it, add '**'
w.yaml: ok" '' "warnings have their place, and are no errors"
run policy check w.yaml p.yaml none.yaml "$srcdir/contrib/policies/strict.yaml"
expect_like 1 '/strict.yaml: ok$' '^credsbox: policy check: p.yaml:7:3: ' \
	"of several files all are checked"
[ "$(wc -l <err)" -eq 2 ] && grep -q '^credsbox: policy check: none.yaml: no such file' err
ok "each that is wrong has one line" $?
printf 'env:\n  allow: ["hunter2\\x01"]\nargs: hunter2\n' >p.yaml
run policy check p.yaml
expect_like 1 '' '^credsbox: policy check: p.yaml:2:11: env.allow\[0\]: has a control' \
	"a bad pattern is told by its place"
! grep -q hunter2 err
ok "and not by its text" $?
printf 'a: [b' >p.yaml
run policy check p.yaml
expect_like 1 '' '^credsbox: policy check: p.yaml:[0-9]+:[0-9]+: ' "malformed YAML has its place"
printf '{"mode": "strip", "mode": "strip"}' >p.json
run policy check p.json
expect 1 '' "credsbox: policy check: p.json:1:19: mode: duplicate key" "and so has malformed JSON"
run policy check .
expect 1 '' "credsbox: policy check: .: is a directory" "a directory is no policy"
run policy check -
expect_like 1 '' "standard input" "nor is standard input"

run policy show --policy
expect_like 1 '' '^credsbox: policy show: --policy: which file\?' "--policy needs a file"
run policy show extra
expect_like 1 '' '^credsbox: policy show: too many arguments' "show takes no arguments"
run policy show --policy none.yaml
expect 1 '' "credsbox: policy show: none.yaml: no such file or directory" "that file must exist"
run policy show
cp out shown.yaml
expect_like 0 '^mode: (observe|strip|enforce) +# .' '' "show says where each line came from"
run policy check shown.yaml
expect_like 0 '^shown.yaml: ok$' '' "what it prints is a policy"

if grep '#' shown.yaml | grep -qv '# built-in$'; then
	echo "ok $((n + 1)) - layers are shown # SKIP this machine has policies of its own"
	echo "ok $((n + 2)) - what is shown gives the same policy # SKIP likewise"
	n=$((n + 2))
else
	printf 'mode: enforce\nenv:\n  allow:\n  - { name: X, force: on }\n' >p.yaml
	run policy show --policy p.yaml
	grep -q '^mode: enforce  *# p.yaml:1$' out &&
		grep -q '^    - { name: "X", force: true }  *# p.yaml:4$' out &&
		grep -q '^args: record  *# built-in$' out
	ok "layers are shown" $?
	sed 's/ *#.*//' out >first
	cp out p.yaml
	run policy show --policy p.yaml
	sed 's/ *#.*//' out | cmp -s - first
	ok "what is shown gives the same policy" $?
fi

if [ -w /dev/full ]; then
	"$CREDSBOX" policy show >/dev/full 2>err
	rc=$?
	: >out
	expect_like 1 '' 'no space left on device' "output that cannot be written is an error"
fi
echo "1..$n"
