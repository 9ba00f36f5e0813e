#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# When a layer is not there although it was made, nothing starts: each of them is left out in turn.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
! nm "$work/program" 2>/dev/null | grep -q __asan_init ||
	skip_all "a sanitizer cannot have another library loaded before it"
# shellcheck disable=SC2086 # words
${CC:-cc} -shared -fPIC -w -o "$work/shim.so" "$top_srcdir/tests/shim.c" -ldl 2>err ||
	skip_all "the library that leaves layers out cannot be built: $(head -n 1 err)"
mv "$work/program" "$work/real"
# The library goes into the program, and not into what changes the user before it.
cat >"$work/program" <<END
#!/bin/sh
[ ! -e "$work/layer" ] || export LD_PRELOAD="$work/shim.so" SHIM="\$(cat "$work/layer")"
exec "$work/real" "\$@"
END
chmod 755 "$work/shim.so" "$work/program"

# without LAYER COMMAND...: with that one left out
without() {
	layer=$1
	shift
	echo "$layer" >"$work/layer"
	call "$@" </dev/null >out 2>err 9<"$work/base/etc"
	rc=$?
	rm "$work/layer"
}

refused() { # TEXT
	[ "$rc" -eq 125 ] && [ ! -s out ] && grep -q "self-check: $1" err && [ "$(wc -l <err)" -eq 1 ]
	ok "$who: $what without $layer" $?
	tail -n 1 "$state/audit.jsonl" | jq -e --arg text "$1" --arg command "$command" \
		'select(.event == "unsafe" and .command == $command and (.what | test("self-check: " + $text)))' >out
	ok "$who: which is on record" $?
}

# layers COMMAND...: each layer, and what is said when it is not there
layers() {
	without nothing "$@"
	[ "$rc" -eq 0 ] && [ "$(cat out)" = "$ran" ]
	ok "$who: $what with all of them" $?
	after
	while read -r layer text; do
		[ -n "$layer" ] || continue
		[ "$layer" != ids ] || [ "$who" = root ] || continue
		without "$layer" "$@"
		refused "$text"
		after
	done <<-END
		$more
		no_new_privs no_new_privs is not set
		thread there is more than one thread
		capabilities .*capabilities
		ids the ids are not those of the plan
		descriptors a descriptor would stay open
		landlock Landlock does not hold
	END
}

after() {
	:
}
late='keyring the session keyring is the caller
root the root is the host
floor the seccomp floor does not hold'

for person in $(everyone); do
	as "$person"
	bundle echo ".process.args = [\"/bin/echo\", \"runs\"] $([ "$who" = user ] ||
		echo '| .process.user = {uid: 1000, gid: 1000}')"
	command=run more=$late ran=runs what="run does nothing"
	layers run -b "$work/echo" "$tag-e"
	nothing_of "$tag-e" "which leaves nothing"
	bundle sleeps '.process.args = ["/bin/sleep", "100"]'
	box run -d -b "$work/sleeps" "$tag-s"
	command=exec what="exec does nothing"
	if [ "$who" = user ]; then
		layers exec "$tag-s" /bin/echo runs
	else
		layers exec -u 1000:1000 "$tag-s" /bin/echo runs
	fi
	is_status "$tag-s" running
	ok "$who: which leaves the container as it was" $?
	box delete -f "$tag-s"
	command=create more="" ran="" what="create makes nothing"
	after() {
		call delete -f "$tag-c" >/dev/null 2>&1 </dev/null
	}
	layers create -b "$work/echo" "$tag-c"
	after() {
		:
	}
	# The last look is that of start.
	for layer in keyring root floor; do
		without $layer create -b "$work/echo" "$tag-c"
		expect 0 "" "" "$who: a container can be created without $layer"
		box start "$tag-c"
		command=start what="start does nothing"
		refused "the "
		box delete -f "$tag-c"
	done
done
finish_boxes
