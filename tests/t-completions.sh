#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completions offer what --help prints: every command, and every option where its command is.
# shellcheck disable=SC2016 # scripts for other shells
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"
dir=$top_srcdir/contrib/completions
mkdir bin
ln -s "$CREDSBOX" bin/credsbox
PATH=$work/bin:$PATH
mkdir -p home/one

# What lines of --help begin with.
options() { # [COMMAND]
	credsbox ${1:+"$1"} --help | awk '/^ *-/ {
		gsub(/,/, " ")
		for (i = 1; i <= NF && $i ~ /^-/; i++)
			print $i
	}' | sort -u
}

commands() {
	credsbox --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p' | sort
}

in_bash() { # WORD...: what is offered for the last of them
	bash --norc -c '. "$0"; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _credsbox
		printf "%s\n" "${COMPREPLY[@]}"' "$dir/credsbox.bash" "$@"
}

in_fish() {
	fish --no-config -c 'source $argv[1]; complete -C (string join " " -- $argv[2..-1])' "$dir/credsbox.fish" "$@" |
		cut -f 1
}

# What decides there is _arguments, which is told of all that there is.
in_zsh() {
	zsh -f -c '
		_arguments() {
			[[ $1 = -C && $what = argument ]] || print -rl -- "${@:#-C}"
			[[ $1 != -C ]] || state=$what
			return 1
		}
		_describe() { print -rl -- ${(P)2} }
		compdef() { : }
		file=$1 what=argument; shift 2
		(( $# > 1 )) || what=command
		words=("$@")
		functions[run]=$(<$file)
		run' zsh "$dir/_credsbox" "$@" | sed -e 's/^\*//' -e 's/\[.*//' -e 's/:.*//'
}

# offers SHELL: the same commands and options as --help has
offers() {
	command -v "$1" >/dev/null || {
		skip "$1" "no $1 here"
		return
	}
	commands >want
	"in_$1" credsbox '' | grep -v '^-' | sort -u >out
	[ -s want ] && comm -23 want out >err && ! [ -s err ]
	ok "$1: all commands" $?
	: >missing
	for command in '' $(commands); do
		# shellcheck disable=SC2086 # a word or none
		options $command >want
		# shellcheck disable=SC2086
		"in_$1" credsbox $command - | sort -u >offered
		comm -23 want offered | sed "s/^/$1 ${command:-credsbox} lacks /" >>missing
		grep '^-' offered | grep -vxE -- '-h|--help' | comm -13 want - |
			while read -r option; do
				credsbox ${command:+"$command"} --help | grep -qwF -- "$option" ||
					echo "$1 ${command:-credsbox} has $option too much"
			done >>missing
	done
	mv missing out
	! [ -s out ]
	ok "$1: all options, and no others, where their commands are" $?
	options wrap >want
	[ "$(grep -c . want)" -ge 6 ]
	ok "$1: there is something to compare" $?
}

for shell in bash fish zsh; do
	offers $shell
done
if command -v bash >/dev/null; then
	in_bash credsbox policy '' >out
	grep -qx show out && grep -qx check out
	ok "bash: what a command can do" $?
	in_bash credsbox wrap --rw home/o >out
	grep -qx home/one out
	ok "bash: directories where they belong" $?
	in_bash credsbox plan -f j >out
	grep -qx json out
	ok "bash: words that an option takes" $?
	in_bash credsbox --root home/one wrap --ro home -- home/o >out
	grep -qx home/one out
	ok "bash: the arguments of a wrapped command" $?
fi
finish
