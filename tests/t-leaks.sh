#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Memory and descriptors: what the commands still hold when they end. Valgrind looks at those that only
# look; old ones do not know the system calls that the others need. Those are for the sanitizers' build, whose every
# call looks for leaks, and for whoever lists the descriptors of a process that is about to end.
# shellcheck source=tests/cli.sh disable=SC2086 # lists of words
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
: "${helpers:=$top_srcdir/tests}"
strike=$helpers/helper-strike
as "$(everyone | cut -d' ' -f1)"
id=$tag-l
has_sanitizer=no
if nm "$work/program" 2>/dev/null | grep -q __asan_init; then has_sanitizer=yes; fi

bundle sleeps ".process.args = [\"/bin/sh\", \"-c\", \"sleep 60; : $tag\"] | .hooks =
	{createRuntime: [{path: \"/bin/true\"}], poststart: [{path: \"/bin/true\"}], poststop: [{path: \"/bin/true\"}]}"
bundle ends '.process.args = ["/bin/true"]'
bundle fails '.process.args = ["/nowhere"]'
bundle late '.process.args = ["/etc/passwd"] | .hooks = {startContainer: [{path: "/bin/false"}]}'
bundle damaged '.process.cwd = 1'

# Each line is a command of a life; the number in front is how it ends.
lives() {
	cat <<-END
		0 create -b $work/sleeps $id
		0 start $id
		1 start $id
		0 state $id
		0 list
		0 list -f json
		0 ps $id
		0 exec $id /bin/true
		0 exec -d $id /bin/true
		255 exec $id /nowhere
		1 delete $id
		0 kill $id KILL
		0 delete -f $id
		0 delete -f $id
		0 run -b $work/ends $id
		0 run -d -b $work/sleeps $id
		1 create -b $work/sleeps $id
		0 delete -f $id
		1 create -b $work/fails $id
		1 run -b $work/late $id
		1 run -b $work/damaged $id
		1 state $id
		0 features
	END
}

# through COMMAND...: all of lives; each goes through it, and then look_at says whether all is well
through() {
	bad=0
	lives >lines
	while read -r code line <&9; do
		"$@" "$work/program" --root "$state" --policy "$policy" $line >out 2>err </dev/null
		rc=$?
		if [ $rc -ne "$code" ] || ! look_at; then
			bad=$((bad + 1))
			echo "# $line: exit code $rc"
			head -n 20 err found 2>/dev/null | sed 's/^/# /'
		fi
	done 9<lines
	: >out
	: >err
}

look_at() {
	! grep -q -e Sanitizer -e 'runtime error' err
}
through env
[ $bad -eq 0 ]
ok "all commands end as they should, with nothing to say for a sanitizer (built with one: $has_sanitizer)" $?

look_at() {
	[ ! -s found ]
}
if [ ! -x "$strike" ]; then
	skip "no command has a descriptor open when it ends" "no helper-strike here (make check builds it)"
elif ! "$strike" 0 /bin/true >/dev/null 2>&1; then
	skip "no command has a descriptor open when it ends" "processes cannot be traced here"
else
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
	export ASAN_OPTIONS
	through "$strike" -f found 0
	[ $bad -eq 0 ]
	ok "no command has a descriptor of its own open when it ends" $?
fi

look_at() {
	cat vg.* 2>/dev/null | grep -E 'lost|reachable|Invalid|uninit' >found
	rm -f vg.*
	[ ! -s found ]
}
if ! command -v valgrind >/dev/null; then
	skip "valgrind finds nothing" "no valgrind here"
elif [ $has_sanitizer = yes ]; then
	skip "valgrind finds nothing" "the sanitizers look for the same"
else
	call create -b "$work/sleeps" "$id" >/dev/null 2>&1 </dev/null
	lives() {
		cat <<-END
			0 state $id
			0 list
			0 list -f json
			0 ps $id
			1 delete $id-x
			0 delete -f $id-x
			1 start $id-x
			255 exec $id-x true
			1 create -b $work/damaged $id-x
			1 frobnicate
		END
	}
	through valgrind -q --leak-check=full --show-leak-kinds=all --track-fds=no --log-file="$work/vg.%p"
	call delete -f "$id" </dev/null
	[ $bad -eq 0 ]
	ok "valgrind finds nothing" $?
fi

# The same life again and again: nothing grows.
box run -b "$work/ends" "$id"
before=$(awk -v u="$(id -u)" '$1 == u ":" {print $3}' /proc/key-users)
k=0
while [ $k -lt 30 ]; do
	k=$((k + 1))
	box run -b "$work/ends" "$id"
done
few_keys() {
	[ "$(awk -v u="$(id -u)" '$1 == u ":" {print $3}' /proc/key-users | cut -d/ -f1)" -le $((${before%/*} + 5)) ]
}
wait_for 10 few_keys
ok "30 containers leave no keys behind" $?
finish_boxes
