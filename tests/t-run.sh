#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox run, as root and as an ordinary user: the program, its exit code, what it sees.
# shellcheck source=tests/cli.sh disable=SC2016
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

for person in $(everyone); do
	as "$person"
	inside 'echo hello; echo there >&2; exit 7'
	expect 7 hello there "$who: output, errors and the exit code are the program's"
	bundle sleeper '.process.args = ["/bin/sleep", "60"]'
	(
		wait_for 10 is_status "$tag-sleeper" running
		call kill "$tag-sleeper" KILL
	) &
	box run -b "$work/sleeper" "$tag-sleeper"
	wait
	expect 137 "" "" "$who: a signal gives 128 and its number"
	inside 'echo $$'
	expect 0 1 "" "$who: the program is process 1"
	inside 'id -u; id -g'
	expect 0 "0
0" "" "$who: it is root of the container"
	inside 'cat /proc/self/status' '.'
	expect_like 0 '^NoNewPrivs:.1' '' "$who: it gets no new privileges"
	inside 'hostname' '.hostname = "box"'
	expect 0 box "" "$who: the host name is the bundle's"
	inside 'ls /proc/self/fd | wc -l'
	expect 0 4 "" "$who: it has three descriptors, and the one that ls opens"
	inside 'env | sort' '.process.env = ["PATH=/bin", "A=1", "A=2", "AWS_SECRET_ACCESS_KEY=abc"]'
	grep -qx A=2 out && ! grep -q A=1 out && ! grep -q AWS out
	ok "$who: of a variable that is there twice the last counts, and a credential is gone" $?

	bundle other '.process.args = ["/bin/echo", "other"]'
	mv "$work/other/config.json" "$work/other/other.json"
	box run --bundle "$work/other" --config other.json "$tag-other"
	expect 0 other "" "$who: the bundle's configuration may have another name"
	box run -b "$work/other" -f "$work/other/other.json" "$tag-other"
	expect 0 other "" "$who: and an absolute path"
	echo '{}' >"$work/other/other.json"
	box run -b "$work/other" -f other.json "$tag-other"
	expect 1 "" "credsbox: run: other.json: required property 'ociVersion' is missing" "$who: which errors tell"

	printf 'mode: enforce\naudit: {file: %s/audit.jsonl}\n' "$state" >"$policy"
	inside 'echo started' '.process.env += ["AWS_SECRET_ACCESS_KEY=abc", "OPENAI_API_KEY=def"]'
	[ "$rc" -eq 125 ] && [ ! -s out ] && [ "$(grep -c ': refused: process.env' err)" -eq 2 ]
	ok "$who: a policy that enforces refuses, and names every item" $?
	tail -n 1 "$state/audit.jsonl" |
		jq -e '.event == "refuse" and .mode == "enforce" and .cuts >= 2' >/dev/null
	ok "$who: the refusal is on record" $?
done
finish_boxes
