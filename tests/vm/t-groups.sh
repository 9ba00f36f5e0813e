#!/bin/sh
. "${top_srcdir:-.}/tests/cli.sh"
. "$top_srcdir/tests/box.sh"
as "$([ "$(id -u)" = 0 ] && echo root || echo user)"
inside 'cat /proc/self/cgroup; echo hi'
expect_like 0 '0::/$' '' "see"
finish_boxes
