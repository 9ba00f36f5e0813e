#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Many at once on one container: exactly one wins, the others are told why, and nothing is left.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
id=$tag-r

# together N FILE ARGUMENT...: so many at once; FILE.N.rc and FILE.N.err are what became of each
together() {
	many=$1 file=$2 k=0
	shift 2
	rm -f "$file".*
	while [ $k -lt "$many" ]; do
		k=$((k + 1))
		(
			call "$@" >"$file.$k.out" 2>"$file.$k.err" </dev/null
			echo $? >"$file.$k.rc"
		) &
	done
	wait
}

# won FILE: how many ended well
won() {
	cat "$1".*.rc | grep -cx 0
}

# lost FILE REGEX: all others said this, in one line
lost() {
	for each in "$1".*.rc; do
		[ "$(cat "$each")" = 0 ] && continue
		if [ "$(wc -l <"${each%rc}err")" -ne 1 ] || ! grep -qE -- "$2" "${each%rc}err"; then
			cp "${each%rc}err" err
			rc=$(cat "$each")
			return 1
		fi
	done
}

creates() {
	bundle one ".process.args = [\"/bin/sh\", \"-c\", \"echo begun >>/tmp/begun; sleep 60; : $tag\"] |
		.mounts += [{destination: \"/tmp\", type: \"bind\", source: \"$own/tmp\", options: [\"rbind\", \"rw\"]}]"
	rm -rf "$own/tmp"
	mkdir -m 777 "$own/tmp"
	together 50 create create -b "$work/one" "$id"
	[ "$(won create)" -eq 1 ]
	ok "$who: of 50 creates of one id one wins" $?
	lost create '^credsbox: create: container with given ID already exists$'
	ok "$who: the others say that it exists" $?
	is_status "$id" created
	ok "$who: the winner's container is whole" $?
	call list -q >out 2>err </dev/null
	says "$id" "and is the only one"
	[ "$(leftovers | grep -c " create -b")" -eq 1 ]
	ok "$who: there is one process" $?
}

starts() {
	together 8 start start "$id"
	[ "$(won start)" -eq 1 ]
	ok "$who: of 8 starts one wins" $?
	lost start '^credsbox: start: cannot start an already running container$'
	ok "$who: the others say that it runs" $?
	wait_for 5 test -s "$own/tmp/begun"
	[ "$(wc -l <"$own/tmp/begun")" -eq 1 ]
	ok "$who: the program was begun once" $?
}

deletes() {
	together 8 delete delete "$id"
	[ "$(won delete)" -eq 0 ] && lost delete 'cannot delete container .* that is not stopped: running'
	ok "$who: nobody deletes what runs" $?
	box kill "$id" KILL
	wait_for 5 is_status "$id" stopped
	together 8 delete delete "$id"
	[ "$(won delete)" -eq 1 ]
	ok "$who: of 8 deletes one wins" $?
	lost delete '^credsbox: delete: container does not exist$'
	ok "$who: the others find nothing" $?
	nothing_of "$id" "it is gone"
	call run -d -b "$work/one" "$id" >out 2>err </dev/null
	together 8 delete delete --force "$id"
	[ "$(won delete)" -eq 8 ] && ! cat delete.*.err | grep -q .
	ok "$who: of 8 forced deletes of what runs all end well" $?
	nothing_of "$id" "it is gone then, too"
}

# loop N ARGUMENT...: again and again; what is said goes to a file, which a container may keep open
loop() {
	times=$1
	shift
	while [ "$times" -gt 0 ]; do
		times=$((times - 1))
		call "$@" >>said 2>&1 </dev/null
		[ $? -lt 126 ] || [ "$1" = exec ] || [ "$1" = run ] || echo "exit code of $1" >>said
	done
}

# All of what may rightly be said in the middle of it all; never that a state is damaged.
expected='^credsbox: (create|run|start|state|kill|exec|delete|pause|resume|list): (
|container does not exist$
|container with given ID already exists$
|container not running$|container not paused$
|cannot start (an already running|a container that has stopped)
|cannot exec in a (stopped|paused) container
|the container is still being created$|[^ ]*: the container is being created$
|cannot delete container .* not stopped
|(the container.s first|the) process (died|is gone)
|cannot join the container.s namespaces
|cannot make the container.s first process
|cgroup: .*(not empty|no such device|no such file|cannot enter|would not die)
|exec failed
)|^[ {}"]|^ID |^cbx|^null$|^$'
expected=$(printf %s "$expected" | tr -d '\n')

melee() {
	bundle short ".process.args = [\"/bin/sh\", \"-c\", \": $tag\"]"
	: >said
	loop 15 create -b "$work/one" "$id" &
	loop 15 create -b "$work/short" "$id" &
	loop 15 run -b "$work/short" "$id" &
	loop 20 delete --force "$id" &
	loop 20 delete "$id" &
	loop 30 state "$id" &
	loop 30 start "$id" &
	loop 20 kill "$id" KILL &
	loop 15 exec "$id" /bin/true &
	loop 10 list &
	wait
	grep -vE "$expected" said >out
	: >err
	[ ! -s out ]
	ok "$who: creates, runs, starts, execs, kills and deletes of one id at once say nothing strange" $?
	box delete --force "$id"
	[ $rc -eq 0 ] && [ ! -s err ] && wait_for 5 nothing_left
	ok "$who: and one forced delete leaves nothing of it" $?
	leftovers | sed 's/^/# /'
}

nothing_left() {
	[ -z "$(leftovers)" ]
}

# Its number goes to another process, who has nothing to fear from that.
number_reused() {
	call run -d -b "$work/one" "$id" >out 2>err </dev/null
	box kill "$id" KILL
	wait_for 5 is_status "$id" stopped
	sleep 60 &
	stranger=$!
	[ "$who" = root ] || [ "$(id -u)" != 0 ] || {
		kill $stranger
		setpriv --reuid=54321 --regid=54321 --clear-groups sleep 60 &
		stranger=$!
	}
	sed "s/^[0-9]*/$stranger/" "$state/$id/pid" >pid && cat pid >"$state/$id/pid"
	is_status "$id" stopped
	ok "$who: a container whose number another process has is stopped" $?
	box kill "$id" KILL
	fails 'container not running' "it is not killed"
	box exec "$id" /bin/true
	expect_like 255 '' 'cannot exec in a stopped container' "$who: nor joined"
	box delete --force "$id"
	[ $rc -eq 0 ] && kill -0 $stranger
	ok "$who: delete --force removes the container, and the other process lives" $?
	kill $stranger
	nothing_of "$id" "nothing is left of it"
}

# Several at once, each with its own id.
crowd() {
	k=0
	while [ $k -lt 12 ]; do
		k=$((k + 1))
		(
			call run -b "$work/short" "$id-$k" >"crowd.$k.out" 2>"crowd.$k.err" </dev/null
			echo $? >"crowd.$k.rc"
		) &
	done
	wait
	[ "$(won crowd)" -eq 12 ] && ! cat crowd.*.err | grep -q .
	ok "$who: 12 containers at once do not disturb each other" $?
	[ "$(jq -s 'map(.seq) | length == (unique | length)' "$state/audit.jsonl")" = true ]
	ok "$who: each line of the audit has its own number" $?
}

for person in $(everyone); do
	as "$person"
	creates
	starts
	deletes
	melee
	number_reused
	crowd
done
finish_boxes
