# SPDX-License-Identifier: Apache-2.0
# Completion for fish. What there is to complete is read from what `credsbox [COMMAND] --help` prints.

set -g __credsbox_commands (credsbox --help 2>/dev/null | string replace -rf '^  ([a-z]+) +([a-z].*)' '$1\t$2')

# The command that has been typed: the first word that is the name of one.
function __credsbox_command
    set -l commands (string replace -r '\t.*' '' -- $__credsbox_commands)
    for word in (commandline -opc)[2..-1]
        if contains -- $word $commands
            echo $word
            return
        end
    end
    return 1
end

function __credsbox_is
    test "$(__credsbox_command)" = "$argv[1]"
end

# Options of a command, or those before any.
function __credsbox_add_options
    for line in (credsbox $argv[1] --help 2>/dev/null)
        set -l option (string match -r '^ *(-[^ ,]+(?:, -[^ ,]+)*) ?([^ ]*)(.*)$' -- $line)
        test (count $option) -ge 2; or continue
        set -l words -d (string trim -- "$option[4]")
        test -n "$option[3]"; and set -a words -r
        for spelling in (string split ', ' -- $option[2])
            switch $spelling
                case '--*'
                    set -a words -l (string sub -s 3 -- $spelling)
                case '*'
                    set -a words -s (string sub -s 2 -- $spelling)
            end
        end
        complete -c credsbox -n "__credsbox_is '$argv[1]'" $words
    end
    complete -c credsbox -n "__credsbox_is '$argv[1]'" -l help -d 'tell more'
end

function __credsbox_arguments
    set -l command (__credsbox_command); or return
    set -l words (credsbox $command --help 2>/dev/null | string replace -rf '^.*credsbox '$command' ([a-z]+)( .*)?$' '$1')
    if test -n "$words"
        printf '%s\n' $words
    else
        credsbox list -q 2>/dev/null
    end
end

__credsbox_add_options
for line in $__credsbox_commands
    __credsbox_add_options (string split -f 1 \t -- $line)
end
complete -c credsbox -n 'not __credsbox_command' -f -a '$__credsbox_commands'
complete -c credsbox -n '__credsbox_command; and not __credsbox_is wrap' -a '(__credsbox_arguments)'
complete -c credsbox -n '__credsbox_is wrap' -a '(__fish_complete_subcommand --fcs-skip=2)'
