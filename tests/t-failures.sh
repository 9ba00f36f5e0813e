#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# System calls that fail while a container is made: a line that says why and nothing left, or a container that
# lacks nothing. Some points, all of them with CREDSBOX_FULL=1.
# shellcheck source=tests/cli.sh disable=SC2086 # lists of words
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
! is_sanitized || skip_all "the system calls would be those of the sanitizers, too"
: "${helpers:=$top_srcdir/tests}"
strike=$helpers/helper-strike
[ -x "$strike" ] || skip_all "no helper-strike here (make check builds it)"
[ "$(id -u)" = 0 ] || skip_all "processes of other users are to be traced: needs root"
"$strike" -e 5 3 /bin/true >/dev/null 2>&1
[ $? -ne 77 ] || skip_all "processes cannot be traced here"
# Who is traced cannot look for leaks itself.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
as root
id=$tag-f
strikes=40

# What the program finds: its layers, without what is different each time, and without what is only a kindness.
script="cat /proc/self/status | grep -e Cap -e NoNew -e Seccomp: -e Groups -e Uid -e Gid
awk '{print \$5, \$6, \$9}' /proc/self/mountinfo | sort
cut -d: -f3 /proc/self/cgroup; env | sort; ulimit -n; hostname; ls /proc/self/fd; ls -l /dev | grep -c ^c
cat /masked /secret/token 2>&1; echo x 2>&1 >/etc/passwd; ls /proc/keys; head -c 1 /proc/keys | wc -c
cat /proc/self/oom_score_adj; ls -d /proc/1/ns/* | wc -l; cat /proc/self/uid_map; pwd; umask; : $tag"
mkdir -p "$work/base/secret"
echo masked >"$work/base/masked"
echo token >"$work/base/secret/token"
bundle looks ".process.args = [\"/bin/sh\", \"-c\", $(printf %s "$script" | jq -Rs .)] |
	.process.env += [\"AWS_SECRET_ACCESS_KEY=$tag\", \"PLAIN=1\", \"HOME=/root\"] | .hostname = \"box\" | .process.cwd = \"/tmp\" |
	.process.oomScoreAdj = 100 | .process.rlimits = [{type: \"RLIMIT_NOFILE\", soft: 100, hard: 100}] |
	.linux.maskedPaths += [\"/masked\", \"/secret\"] | .process.user.umask = 63 |
	.linux.seccomp = {defaultAction: \"SCMP_ACT_ALLOW\", syscalls: [{names: [\"acct\"], action: \"SCMP_ACT_ERRNO\"}]}"

struck() { # N ERRNO SIDE ARGUMENT...
	at=$1 error=$2 side=$3
	shift 3
	"$strike" $side -e "$error" -o "$work/log" "$at" \
		"$work/program" --root "$state" --policy "$policy" "$@" >out 2>err </dev/null
	rc=$?
}

complain() { # SENTENCE
	echo "# at $point, errno $error: $1 (exit code $rc, $(cat "$work/log")): $(head -c 300 err)"
	bad=$((bad + 1))
}

nothing_left() {
	[ -z "$(leftovers)" ]
}

check_failed() {
	if [ "$(wc -l <err)" -ne 1 ] || ! grep -q '^credsbox: ' err; then
		complain "not one line that says why"
	fi
	# Without memory it ends where it stands: delete is for that.
	! grep -q 'out of memory' err || call delete -f "$id" </dev/null
	wait_for 5 nothing_left && return
	complain "something is left"
	leftovers | sed 's/^/# /'
	call delete -f "$id" </dev/null
}

# one N ERRNO SIDE
one() {
	point=$1
	struck "$1" "$2" "$3" run -b "$work/looks" "$id"
	if grep -q '^struck' "$work/log" && [ $rc -ne 0 ]; then
		[ ! -s out ] || cmp -s out whole || complain "a program ran that lacked something"
		check_failed
		return
	fi
	cmp -s out whole || {
		complain "the program lacks something"
		diff out whole | sed 's/^/# /' | head -n 5
	}
	# What fails while it cleans up is told, and is there for delete.
	! grep -q 'level=warning msg="run: ' err || call delete -f "$id" </dev/null
	wait_for 5 nothing_left || {
		complain "something is left of what went well"
		call delete -f "$id" </dev/null
	}
}

# all_of SIDE SENTENCE
all_of() {
	bad=0
	struck 0 5 "$1" run -b "$work/looks" "$id"
	cp out whole
	total=$(awk '{print $2}' "$work/log")
	# What happens before main() is not ours.
	first=1 last=$total
	[ -n "$1" ] || first=$start
	step=1
	[ -n "${CREDSBOX_FULL:-}" ] || step=$(((last - first) / strikes))
	here=$first
	while [ $here -le $last ]; do
		# EIO, ENOMEM, EMFILE
		case $((here % 3)) in
		0) next=5 ;;
		1) next=12 ;;
		*) next=24 ;;
		esac
		one $here $next "$1"
		here=$((here + step))
	done
	: >out
	: >err
	[ $bad -eq 0 ] && [ $((last - first)) -gt 50 ]
	ok "$2 ($((last - first)) points, every $step)" $?
}

# Calls of the loader, of which a program without a command has little else.
"$strike" -o "$work/log" 0 "$work/program" --version >/dev/null
start=$(awk '{print $2}' "$work/log")
box run -b "$work/looks" "$id"
[ $rc -eq 0 ] && grep -q '^NoNewPrivs:.1' out && grep -q '^Seccomp:.2' out && ! grep -qx -e token -e masked -e 'AWS.*' out
ok "a program finds all of its layers" $?
all_of "" "what fails in the runtime is told, and leaves nothing"
all_of -c "what fails in the container's first process is told, and leaves nothing"
finish_boxes
