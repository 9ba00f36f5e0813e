#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a compiler does not check: the layers, the style, static analysis. Each check is a sentence
# that is true when nothing is printed by its function. Runs in the build directory.
# LINT_FAST=1 leaves the static analysers out.
# shellcheck disable=SC2016,SC2086,SC2317 # lists of words; functions that check() calls
set -u
LC_ALL=C
export LC_ALL
top=$(cd "${srcdir:-.}" && pwd) || exit 1
build=$(pwd)
: "${NM:=nm}" "${CC:=cc}"
MAX_FILE=650 MAX_FUNCTION=60 MAX_TEST=100
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 failed=0

# check SENTENCE FUNCTION
check() {
	n=$((n + 1))
	if "$2" >"$work/out" 2>&1 && ! [ -s "$work/out" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		head -n 100 "$work/out" | sed 's/^/# /'
		failed=1
	fi
}

# check_with TOOL PACKAGE SENTENCE FUNCTION
check_with() {
	if command -v "$1" >/dev/null; then
		check "$3" "$4"
	else
		n=$((n + 1))
		echo "ok $n - $3 # SKIP no $1 here (package $2)"
	fi
}

cd "$top" || exit 1
c_files=$(find src tests -name '*.c' | sort)
h_files=$(find src tests -name '*.h' | sort)
inc_files=$(find src tests -name '*.inc' | sort)
src_c=$(find src -name '*.c' | sort)
scripts=$(grep -lE '^#!/bin/(ba)?sh' .ci/* contrib/* tests/*.sh tests/fuzz/* tests/vm/* 2>/dev/null)

# What belongs to the tree: what git knows, or what a release has of it.
if [ -e .git ] && git ls-files >/dev/null 2>&1; then
	git ls-files
else
	find ./*.md configure.ac Makefile.am NEWS .ci contrib man seccomp-profiles src tests \
		-name .deps -prune -o -type f ! -name '*.log' -print 2>/dev/null
fi >"$work/tree"

defined() {
	"$NM" -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u
}

undefined() {
	"$NM" -u "$@" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u
}

# Pure functions of libc and what the compiler puts in. Nothing here may touch a file, the clock,
# the environment, the locale or the heap.
core_may_call='
	bcmp explicit_bzero memchr memcmp memcpy memmem memmove memrchr memset
	strchr strchrnul strcmp strcspn strlen strncmp strnlen strpbrk strrchr strspn strstr
	bsearch qsort snprintf vsnprintf
	__stack_chk_fail _GLOBAL_OFFSET_TABLE_
'

core_is_pure() {
	[ -s "$build/libcore.a" ] || echo "no libcore.a"
	{
		defined "$build/libcore.a"
		# The base reads and writes files, but not for the core.
		defined "$build/libbase.a" | grep -vE '^(fd|file)_'
		echo "$core_may_call" | tr -s '[:space:]' '\n'
	} | sort -u >"$work/known"
	undefined "$build/libcore.a" | sed -E 's/^__(.*)_chk$/\1/' | sort -u |
		comm -23 - "$work/known" | sed 's/^/src\/core needs /'
}

core_has_no_state() {
	objdump -t "$build/libcore.a" | awk '/file format/ { file = $1 }
		/ O / && $(NF - 2) ~ /^\.(data|bss|tbss|tdata)/ && $(NF - 2) !~ /^\.data\.rel\.ro/ {
			print file, $NF }'
}

layers_point_down() {
	undefined "$build/libbase.a" >"$work/base"
	defined "$build/libcore.a" "$build/libsys.a" | comm -12 - "$work/base" |
		sed 's/^/src\/base needs /'
	undefined "$build/libsys.a" >"$work/sys"
	defined "$build"/src/runtime/*.o | comm -12 - "$work/sys" | sed 's/^/src\/sys needs /'
	grep -nE '#include "\.\./(core|sys|runtime)/' src/base/*.[ch]
	grep -nE '#include "\.\./(sys|runtime)/' src/core/*.[ch]
	grep -nE '#include "\.\./runtime/' src/sys/*.[ch] 2>/dev/null
	return 0
}

program_is_hardened() {
	readelf -hldW "$build/credsbox" >"$work/elf" || return
	grep -q 'Type: *DYN' "$work/elf" || echo "not a position-independent executable"
	grep -q 'GNU_RELRO' "$work/elf" || echo "no RELRO"
	grep -qE 'BIND_NOW|FLAGS_1.*NOW' "$work/elf" || echo "symbols are bound late"
	grep -qE 'GNU_STACK .* RW ' "$work/elf" || echo "the stack is executable"
	"$NM" -D "$build/credsbox" | grep -q __stack_chk_fail || echo "no stack protector"
}

banned_comes_last() {
	for file in $src_c; do
		case $(grep '^ *#include.*\.h[">]' "$file" | tail -n 1) in
		*banned.h\"*) ;;
		*) echo "$file: the last include is not banned.h" ;;
		esac
	done
}

heap_is_the_arenas() {
	grep -nE '(^|[^_[:alnum:]])(malloc|calloc|realloc|reallocarray|strn?dup|v?asprintf|free) ?\(' \
		$src_c | grep -v '^src/base/arena\.c:'
	return 0
}

exit_is_mains() {
	grep -nE '(^|[^_[:alnum:]])(_?exit|_Exit|quick_exit|abort) ?\(' $src_c |
		grep -vE '^src/(base/arena|runtime/(init|launch|main)|sys/ns)\.c:'
	return 0
}

headers_stand_alone() {
	for file in $h_files; do
		echo "#include \"$file\"" |
			$CC -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I. -x c -
	done
}

spdx_is_there() {
	for file in configure.ac Makefile.am $c_files $h_files $inc_files $scripts man/*.[1-9]; do
		[ -f "$file" ] || continue
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$file"
	done
}

# Allowed to be longer, each with its reason: FILE or FILE:FUNCTION.
longer='
'

files_are_short() {
	for file in $c_files $h_files $inc_files $scripts Makefile.am configure.ac; do
		lines=$(wc -l <"$file")
		[ "$lines" -le $MAX_FILE ] || echo "$longer" | grep -q "^$file " ||
			echo "$file: $lines lines"
	done
}

# In this style a function's braces, and no others, stand alone in column 0. A test may be longer:
# it is a table and a loop.
functions_are_short() {
	awk -v src=$MAX_FUNCTION -v tests=$MAX_TEST '
		FNR == 1 { max = FILENAME ~ /^tests/ ? tests : src }
		/^[a-z_].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
		/^\{/ { start = FNR }
		/^\}/ && start {
			if (FNR - start - 1 > max)
				print FILENAME ":" name, FNR - start - 1, "lines"
			start = 0
		}' $c_files $h_files |
		while read -r where lines; do
			echo "$longer" | grep -q "^$where " || echo "$where: $lines"
		done
}

all_is_built() {
	for file in $c_files; do
		case $file in
		tests/fuzz/*.c | tests/t-*.c) name=${file%.c} ;;
		*) name=$file ;;
		esac
		grep -qE "(^|[[:space:]])$name([[:space:]]|\$)" Makefile.am || echo "$file"
	done
	for file in $h_files $inc_files tests/*.sh man/*.[1-9]; do
		[ -f "$file" ] || continue
		grep -qE "(^|[[:space:]])$file([[:space:]]|\$)" Makefile.am || echo "$file"
	done
}

no_loose_ends() {
	# tap.c speaks TAP, where TODO is a word.
	grep -nE '(^|[^_"[:alnum:]])(TODO|FIXME|XXX)([^_[:alnum:]]|$)' \
		$c_files $h_files $scripts Makefile.am configure.ac man/*.[1-9] 2>/dev/null |
		grep -vE '^tests/(tap\.[ch]|lint\.sh):'
	return 0
}

# The name of this very directory counts only if it is long enough to be nobody else's.
no_private_places() {
	case $top in
	/*/*) places="(^|[^.[:alnum:]_-])$(echo "$top" | sed 's/[^[:alnum:]/_-]/\\&/g')/" ;;
	*) return 0 ;;
	esac
	tr '\n' '\0' <"$work/tree" | xargs -0 grep -nIE "$places" 2>/dev/null
	return 0
}

# Versions of clang-format disagree; the tree follows the one of Debian 12.
clang_format=clang-format-14
form_is_ours() {
	"$clang_format" --dry-run --Werror $c_files $h_files
}

cppcheck_is_content() {
	# It does not know _Noreturn; what it says of uninitialised variables is wrong for literals, for
	# pointers to functions and for loops, and both compilers do that better.
	cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr \
		'-D_Noreturn=__attribute__((noreturn))' --suppress=uninitvar --suppress=legacyUninitvar \
		--enable=warning,performance,portability -j "$(nproc)" $c_files
}

# Of src only: tests run under the sanitizers, and trust what they set up. A quarter of the usual
# depth is what keeps it to a minute.
tidy_is_content() {
	echo "$src_c" | xargs -P "$(nproc)" -n 1 sh -c '
		clang-tidy --quiet "$2" -- -std=gnu11 -D_GNU_SOURCE -DVERSION=\"0\" \
			-DSYSCONFDIR=\"/etc\" -I/usr/include/libnl3 \
			-Xclang -analyzer-config -Xclang max-nodes=50000 >"$1/tidy.$$" 2>&1 ||
			grep -v "warnings* .*generated" "$1/tidy.$$"' tidy "$work"
}

scripts_are_sound() {
	shellcheck $scripts
}

manuals_are_sound() {
	for file in man/*.[1-9]; do
		[ ! -f "$file" ] || mandoc -T lint -W warning "$file"
	done
}

check "the core calls nothing but itself, the base and pure functions of libc" core_is_pure
check "the core has no variable that changes" core_has_no_state
check "no layer uses one above it" layers_point_down
check "the program is position-independent, bound at once, with guarded stacks" program_is_hardened
check "every file of src includes banned.h as the last header" banned_comes_last
check "only the arena takes memory from the heap" heap_is_the_arenas
check "only main, the arena and those who fork end a process" exit_is_mains
check "every header compiles by itself" headers_stand_alone
check "every file says its licence" spdx_is_there
check "no file is longer than $MAX_FILE lines" files_are_short
check "no function is longer than $MAX_FUNCTION lines, no test than $MAX_TEST" functions_are_short
check "every file is known to Makefile.am" all_is_built
check "there are no loose ends" no_loose_ends
check "no file names a place that only its author has" no_private_places
check_with "$clang_format" clang-format "clang-format would change nothing" form_is_ours
check_with shellcheck shellcheck "shellcheck finds nothing in the scripts" scripts_are_sound
check_with mandoc mandoc "mandoc finds nothing in the manual pages" manuals_are_sound
if [ -z "${LINT_FAST:-}" ]; then
	check_with cppcheck cppcheck "cppcheck finds nothing" cppcheck_is_content
	check_with clang-tidy clang-tidy "clang-tidy finds nothing in src" tidy_is_content
fi
echo "1..$n"
exit $failed
