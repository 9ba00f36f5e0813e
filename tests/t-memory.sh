#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was cut is in no memory within the workload's reach: not in that of a container that waits for its
# start, not in that of a program that comes in, and the caller's environment not in the runtime's own.
# shellcheck source=tests/cli.sh disable=SC2016 # scripts for other shells
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
command -v python3 >/dev/null || skip_all "no python3 here, to look through memory"
! nm "$work/program" 2>/dev/null | grep -q __asan_init ||
	skip_all "a sanitizer keeps what is freed, and maps more than can be looked through"
[ "$(id -u)" = 0 ] || skip_all "only root sees the memory of a process that hides it"

# search PID WORD...: which of the words its memory holds, as they are or in base64
cat >search.py <<'PY'
import base64, re, sys
pid, words = sys.argv[1], sys.argv[2:]
found = set()
with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
    for line in maps:
        low, high = (int(x, 16) for x in re.match(r"(\w+)-(\w+)", line).groups())
        if " r" not in line or "[v" in line:
            continue
        try:
            mem.seek(low)
            text = mem.read(high - low)
        except (OSError, ValueError, OverflowError):
            continue
        for word in words:
            if word.encode() in text or base64.b64encode(word.encode())[:-4] in text:
                found.add(word)
print("\n".join(sorted(found)))
PY

# A word for each way in, so that one that is found says which.
word() {
	printf 'wOrD%s%s%s' "$1" "$$" "$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')"
}

pid_of() {
	call state "$1" </dev/null 2>/dev/null | jq .pid
}

waiting() {
	name=$(word name) value=$(word value) url=$(word url) b64=$(word b64) escaped=$(word escaped)
	hook=$(word hook) note=$(word note) arg=$(word arg) option=$(word option) stays=$(word stays)
	short=pW1x$(od -An -N1 -tx1 /dev/urandom | tr -d ' \n')
	with_policy 'args: dummy
env: {dummy: [OPENAI_API_KEY]}'
	dummied=sk-proj-$(word dummied)
	bundle wait ".process.args = [\"/bin/sh\", \"-c\", \"sleep 60\", \"--api-key=$arg\"]
		| .process.env += [\"AWS_SECRET_ACCESS_KEY=$name\", \"OPENAI_API_KEY=$dummied\",
			\"DB=postgres://ada:$url@db/x\", \"PASSWORD=$short\", \"PLAIN=$stays\",
			\"B64_PASSWORD=$(printf %s "$b64" | base64)\", \"GITHUB_TOKEN=ghp_$value\"]
		| .annotations = {\"org.example/api-token\": \"$note\"}
		| .hooks = {startContainer: [{path: \"/bin/true\", env: [\"SECRET_TOKEN=$hook\"]}]}
		| .mounts += [{destination: \"/share\", type: \"cifs\", source: \"//h/s\",
			options: [\"password=$option\"]}]"
	# A letter of it as an escape: the parser takes such strings apart elsewhere.
	sed "s/\"PLAIN=/\"ESCAPED_TOKEN=\\\\u0077$escaped\", &/" "$work/wait/config.json" >c
	cat c >"$work/wait/config.json"
	CALLER_TOKEN=$(word caller)
	CALLER_TOKEN=$CALLER_TOKEN call create -b "$work/wait" "$tag-w" >out 2>err </dev/null
	rc=$?
	expect 0 "" "" "$who: a container is made of what holds secrets in all places"
	pid=$(pid_of "$tag-w")
	python3 search.py "$pid" "$name" "$value" "$url" "$b64" "$escaped" "$hook" "$note" "$arg" \
		"$option" "$short" "$dummied" "$CALLER_TOKEN" >out
	[ "$(cat out)" = "" ]
	ok "$who: while it waits, its memory holds none of them" $?
	python3 search.py "$pid" "$stays" >out
	[ "$(cat out)" = "$stays" ]
	ok "$who: what stays is found in it by the same search" $?
	box delete -f "$tag-w"
}

# Under a policy that only observes, all of it goes to the program: so the search can find it.
observed() {
	as "$who"
	with_policy 'mode: observe'
	jq '.mounts |= map(select(.type != "cifs"))' "$work/wait/config.json" >c
	cat c >"$work/wait/config.json"
	box create -b "$work/wait" "$tag-w"
	python3 search.py "$(pid_of "$tag-w")" "$name" "$value" >out
	[ "$(sort out)" = "$(printf '%s\n' "$name" "$value" | sort)" ]
	ok "$who: under a policy that only observes they are found" $?
	box delete -f "$tag-w"
	as "$who"
}

# A hook of the engine's side stops the runtime where all is parsed and the first process is there.
runtime() {
	secret=$(word runtime)
	bundle hooked ".process.args = [\"/bin/true\"] | .hooks = {createRuntime: [{path: \"/bin/sh\",
		args: [\"sh\", \"-c\", \"echo \$PPID >$own/parent; while [ ! -e $own/on ]; do sleep 0.1; done\"]}]}"
	rm -f "$own/on" "$own/parent"
	CALLER_TOKEN=$secret call run -b "$work/hooked" "$tag-r" >out 2>err </dev/null &
	wait_for 20 test -s "$own/parent"
	parent=$(cat "$own/parent")
	tr -d '\0' <"/proc/$parent/environ" >out
	[ ! -s out ]
	ok "$who: the environment of the runtime is empty to those who look" $?
	python3 search.py "$parent" "$secret" >out
	[ "$(cat out)" = "" ]
	ok "$who: and its memory does not hold what the caller had" $?
	: >"$own/on"
	wait
	rm -f "$own/on" "$own/parent"
}

for person in $(everyone); do
	as "$person"
	waiting
	observed
	runtime
done
finish_boxes
