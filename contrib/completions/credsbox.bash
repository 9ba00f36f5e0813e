# SPDX-License-Identifier: Apache-2.0
# Completion for bash. What there is to complete is read from what `credsbox [COMMAND] --help` prints.

# _credsbox_options [COMMAND]: a line of each option: its spellings, and what it takes behind "="
_credsbox_options() {
	credsbox ${1:+"$1"} --help 2>/dev/null | awk '/^ *-/ {
		sub(/^ +/, "")
		if (match($0, /  +/))
			$0 = substr($0, 1, RSTART - 1)
		argument = ""
		spellings = ""
		for (i = 1; i <= NF; i++) {
			sub(/,$/, "", $i)
			if ($i ~ /^-/)
				spellings = spellings " " $i
			else
				argument = $i
		}
		print substr(spellings, 2) "=" argument
	}'
}

# _credsbox_argument OPTION [COMMAND]: what it takes, DIR or FILE; nothing: nothing
_credsbox_argument() {
	_credsbox_options "${2-}" | awk -F = -v option="$1" '
		index(" " $1 " ", " " option " ") { print $2 }'
}

_credsbox_complete() { # WORD-LIST
	# shellcheck disable=SC2207 # words have no blanks
	COMPREPLY=($(compgen -W "$1" -- "${COMP_WORDS[COMP_CWORD]}"))
}

_credsbox_paths() { # -d or -f
	local path
	compopt -o filenames
	COMPREPLY=()
	while IFS= read -r path; do
		COMPREPLY+=("$path")
	done < <(compgen "$1" -- "${COMP_WORDS[COMP_CWORD]}")
}

_credsbox_value() { # ARGUMENT
	case $1 in
	DIR) _credsbox_paths -d ;;
	FILE | PATH) _credsbox_paths -f ;;
	*'|'*) _credsbox_complete "${1//|/ }" ;;
	FORMAT) _credsbox_complete "text json table" ;;
	NAME) _credsbox_complete "$(compgen -e)" ;;
	*) COMPREPLY=() ;;
	esac
}

_credsbox() {
	local i=1 word command='' argument words
	COMPREPLY=()

	while [ $i -lt "$COMP_CWORD" ] && [ -z "$command" ]; do
		word=${COMP_WORDS[i]}
		case $word in
		-*) [ -z "$(_credsbox_argument "$word")" ] || i=$((i + 1)) ;;
		*) command=$word ;;
		esac
		i=$((i + 1))
	done

	# Behind wrap's own options comes a command of its own.
	while [ "$command" = wrap ] && [ $i -lt "$COMP_CWORD" ]; do
		word=${COMP_WORDS[i]}
		case $word in
		--) i=$((i + 1)) ;;
		-*)
			[ -z "$(_credsbox_argument "$word" wrap)" ] || i=$((i + 1))
			i=$((i + 1))
			continue
			;;
		esac
		if declare -F _command_offset >/dev/null; then
			_command_offset $i
		else
			_credsbox_paths -f
		fi
		return
	done

	word=${COMP_WORDS[COMP_CWORD - 1]}
	argument=$(_credsbox_argument "$word" "$command")
	if [ -n "$argument" ]; then
		_credsbox_value "$argument"
		return
	fi
	case ${COMP_WORDS[COMP_CWORD]} in
	-*)
		words=$(_credsbox_options "$command" | cut -d = -f 1)
		_credsbox_complete "$words --help"
		return
		;;
	esac
	case $command in
	'') _credsbox_complete "$(credsbox --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p')" ;;
	wrap) _credsbox_complete "$(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")" ;;
	scan) _credsbox_paths -d ;;
	*)
		words=$(credsbox "$command" --help 2>/dev/null |
			sed -n "s/^.*credsbox $command \([a-z][a-z]*\)\( .*\)*\$/\1/p")
		if [ -n "$words" ] && [ "$word" = "$command" ]; then
			_credsbox_complete "$words"
		elif [ -n "$words" ]; then
			_credsbox_paths -f
		else
			_credsbox_complete "$(credsbox list -q 2>/dev/null)"
		fi
		;;
	esac
}
complete -F _credsbox credsbox
