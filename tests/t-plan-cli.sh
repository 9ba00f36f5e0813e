#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox plan: what it prints, and with which exit code.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

# The command line.
run
expect_like 0 '^usage: credsbox COMMAND' '' "without arguments there is help"
run --help
expect_like 0 '^  plan ' '' "--help lists the commands"
run --version
expect_like 0 '^credsbox version [0-9]' '' "--version tells the version"
run --nonsense
refused "^credsbox: no command '--nonsense'" "an unknown option in place of a command is refused"
run destroy
refused "^credsbox: no command 'destroy' \(credsbox --help lists them\)" "so is an unknown command"
for command in plan filter scan; do
	run $command --help
	expect_like 0 "^usage: credsbox $command " '' "$command --help prints how it is used"
	run $command -h
	expect_like 0 "^usage: credsbox $command " '' "$command -h does, too"
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
plan --policy
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
	refused 'standard output: cannot write: No space left on device$' \
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

finish
