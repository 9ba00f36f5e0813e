#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox(1) and what the program says of itself: every command and option of the one is in the other.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"
page=$top_srcdir/man/credsbox.1

# part PAGE TITLE: the lines below ".Ss TITLE" or ".Sh TITLE", to the next heading; ".Ss a, b" is of both
part() {
	awk -v title="$2" '
		/^\.S[sh] / {
			n = split(substr($0, 5), names, /, */)
			inside = 0
			for (i = 1; i <= n; i++)
				inside = inside || names[i] == title
			next
		}
		inside' "$1"
}

# macros LINES: the options of mdoc, "Fl b , -bundle", as one types them, one a line
macros() {
	awk '/^\.(It|Op)? ?(Op )?Fl / {
		for (i = 1; i <= NF; i++) {
			if ($i == "Ar" || $i == "Cm" || $i == "Ns")
				break
			if ($i ~ /^-?[a-zA-Z0-9][a-z0-9-]*$/ && $i !~ /^[A-Z][a-z]$/)
				print "-" $i
		}
	}' | sort -u
}

# usage: the same of what --help prints, where options begin lines; those of its first lines too
usage() {
	awk '/^ *-/ || /^ +credsbox / {
		gsub(/[][|]/, " ")
		gsub(/,/, " ")
		begins = /^ *-/
		for (i = 1; i <= NF; i++)
			if ($i ~ /^-(-[a-z0-9][a-z0-9-]*|[a-zA-Z0-9])$/)
				print $i
			else if (begins)
				break
	}' | grep -vxE -- '-h|--help|-v|--version' | sort -u
}

commands() { # PAGE or -: those of the page, or of the program
	if [ "$1" = - ]; then
		run --help
		sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p' out | sort
	else
		sed -n '/^\.Sh COMMANDS/,/^\.Sh /s/^\.Ss //p' "$1" | tr -d ' ' | tr ',' '\n' | sort -u
	fi
}

# missing PAGE: all that is in the program and not in the page, one a line
missing() {
	commands - >theirs
	commands "$1" | comm -23 theirs - | sed 's/^/command /'
	run --help
	usage <out >theirs
	part "$1" OPTIONS | macros | comm -23 theirs - | sed 's/^/option /'
	for command in $(commands -); do
		run "$command" --help
		usage <out >theirs
		part "$1" "$command" | macros | comm -23 theirs - | sed "s/^/option $command /"
	done
}

# foreign PAGE: the reverse. What the program takes and keeps to itself is no lie: it is tried.
foreign() {
	commands - >theirs
	commands "$1" | comm -13 theirs - | sed 's/^/command /'
	for option in $(part "$1" OPTIONS | macros); do
		run "$option"
		! grep -q "unknown option" err || echo "option $option"
	done
	for command in $(commands -); do
		run "$command" --help
		usage <out >theirs
		part "$1" "$command" | macros | grep -vxE -- '-h|--help' | comm -13 theirs - |
			while read -r option; do
				run "$command" "$option"
				! grep -q "unknown option" err || echo "option $command $option"
			done
	done
}

commands - >list
[ "$(wc -l <list)" -ge 19 ] && grep -qx run list && grep -qx plan list
ok "the program lists its commands" $?
run exec --help
usage <out >list
[ "$(wc -l <list)" -ge 24 ] && grep -qx -- --process-label list && grep -qx -- -u list
ok "options are found in what --help prints" $?

missing "$page" >found
mv found out
[ ! -s out ]
ok "credsbox(1) has every command and every option, each where its command is" $?
foreign "$page" >found
mv found out
[ ! -s out ]
ok "credsbox(1) has no command and no option that the program does not have" $?

for command in $(commands -); do
	part "$page" SYNOPSIS | awk '/^\.Nm/ { nm = 1; next } nm { print; nm = 0 }' |
		grep -qE "^\.Cm $command( |$)" || echo "$command"
done >found
mv found out
[ ! -s out ]
ok "every command is in the synopsis" $?
for command in checkpoint restore; do
	run "$command" x
	expect_like 1 '' 'not offered' "$command is not offered"
	part "$page" "NOT OFFERED" | grep -qE "^\.It .*Cm $command( |$)"
	ok "and credsbox(1) says so of $command" $?
done

# The test itself: one that finds nothing wrong with any page would be worth nothing.
grep -v -- '-process-label' "$page" >short
missing short >found
mv found out
[ "$(cat out)" = "option exec --process-label" ]
ok "an option that is missing in the page is found" $?
sed 's/^\.Ss kill$/.Ss slay/' "$page" >short
{ missing short; foreign short; } >found
mv found out
grep -qx 'command kill' out && grep -qx 'command slay' out && grep -qx 'option kill --all' out
ok "a command that is missing, or is none, is found" $?
sed 's/^\.Ss state$/&\n.Bl -tag -width Ds\n.It Fl -colour\n.El/' "$page" >short
foreign short >found
mv found out
[ "$(cat out)" = "option state --colour" ]
ok "an option that the program does not have is found" $?
finish
