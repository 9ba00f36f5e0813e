#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# credsbox audit: what show, verify and report say of audits that are whole, rotated, broken and hostile.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"
command -v python3 >/dev/null || skip_all "no python3 here"
zeros=$(printf '%064d' 0)

# link FILE [PREV SEQ]: lines without seq and prev become a chain; prints the last hash and the next number
cat >link.py <<'PY'
import hashlib, json, sys
prev, seq, out = sys.argv[2], int(sys.argv[3]), open(sys.argv[1], "wb")
for line in sys.stdin:
    d = json.loads(line)
    d = {"time": d.pop("time"), "seq": seq, **d, "prev": prev}
    text = json.dumps(d, ensure_ascii=False, separators=(",", ":")).encode()
    out.write(text + b"\n")
    prev, seq = hashlib.sha256(text).hexdigest(), seq + 1
print(prev, seq)
PY
link() {
	python3 link.py "$1" "${2:-$zeros}" "${3:-0}"
}

long=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
records() { # of one container: ID NAME POD DAY
	printf '{"time":"2026-11-%sT09:30:00.5Z","event":"cut","container":"%s","kind":"env","where":"process.env[3]","name":"AWS_SECRET_ACCESS_KEY","rule":"env-name:aws","action":"remove","length":40,"fingerprint":"5f0c6a1e9d3b7284"}\n' "$4" "$1"
	printf '{"time":"2026-11-%sT09:30:00.5Z","event":"cut","container":"%s","kind":"mount","where":"mounts[1]","name":"/root/.ssh","rule":"path:ssh","action":"mask"}\n' "$4" "$1"
	printf '{"time":"2026-11-%sT09:30:00.5Z","event":"start","container":"%s","command":"run","pod":"%s","name":"%s","mode":"strip","cuts":2,"landlock":7,"scanIncomplete":false,"namespaces":["user"]}\n' "$4" "$1" "$3" "$2"
}

{ records "$long" web shop-0 16; records agent-1 db shop-0 17; } | link a.jsonl >end
run audit verify a.jsonl
expect 0 "a.jsonl: 6 records, 0 to 5, each follows the one before" "" "a whole chain is whole"
run audit show --file a.jsonl
[ $rc -eq 0 ] && [ ! -s err ] && [ "$(wc -l <out)" -eq 7 ] &&
	sed -n 2p out | grep -qE '^2026-11-16 09:30:00  0123456789ab  env +AWS_SECRET_ACCESS_KEY +env-name:aws +remove +process\.env\[3\]$' &&
	sed -n 4p out | grep -qE '^2026-11-16 09:30:00  0123456789ab  start +web +run +strip +2 items$'
ok "show prints a table, with a head" $?
run audit show --file a.jsonl --format json
[ $rc -eq 0 ] && cmp -s out a.jsonl
ok "or the lines themselves" $?
chosen() { # COUNT SENTENCE OPTION...
	count=$1 sentence=$2
	shift 2
	run audit show --file a.jsonl -f json "$@"
	[ $rc -eq 0 ] && [ ! -s err ] && [ "$(wc -l <out)" -eq "$count" ]
	ok "$sentence" $?
}
chosen 3 "by id" --container agent-1
chosen 3 "by the beginning of an id" --container 0123
chosen 3 "by the engine's name" --container web
chosen 6 "by the pod's name, which several may have" --container shop-0
chosen 2 "by kind" --kind mount
chosen 2 "starts are one" --kind start
chosen 0 "of which there may be none" --kind fd
chosen 3 "by date" --since 2026-11-17
chosen 6 "by time, in any zone" --since 2026-11-16T10:30:00.5+01:00
chosen 3 "to the fraction of a second" --since 2026-11-16T09:30:00.6Z
chosen 1 "all of them at once" --since 2026-11-17 --kind env --container db
chosen 6 "by how long ago it was" --since 5000w
chosen 0 "which may be too short" --since 0s
run audit show --file a.jsonl --container x
refused '^credsbox: audit show: --container x: no record of such a container$' "a container that is not there is told"
run audit show --file a.jsonl --container ''
refused 'which\?' "as is an empty name"
{ records abc1 a p 16; records abc2 b p 17; } | link two.jsonl >end
run audit show --file two.jsonl --container abc
refused 'the beginning of several ids: abc1, abc2' "a beginning that several ids have is told"
run audit show --kind tokens
refused 'kind: env, mount' "a kind that is none is told"
run audit show --since yesterday
refused 'since: a date' "as is a time that is none"
run audit show --format csv
refused 'table or json' "and a format"
run audit show a.jsonl
refused 'too many arguments' "show takes no arguments"
run audit
refused 'show, verify or report' "a command is wanted"
run audit show --file none.jsonl
refused '^credsbox: audit show: none\.jsonl: no such file' "a file that is not there is told"
mkfifo fifo
for word in fifo . /dev/null; do
	run audit verify $word
	refused "$word: not a regular file" "no file: $word"
done

# Rotation: the chain is followed from the oldest file that is left.
mkdir rot
cd rot || exit 1
records c1 a p 14 | python3 ../link.py audit.jsonl.2 "$zeros" 0 >end
# shellcheck disable=SC2046 # two words
records c2 a p 15 | python3 ../link.py audit.jsonl.1 $(cat end) >end2
# shellcheck disable=SC2046
records c3 a p 16 | python3 ../link.py audit.jsonl $(cat end2) >end3
cd .. || exit 1
run audit verify rot/audit.jsonl
expect 0 "rot/audit.jsonl: 9 records in 3 files, 0 to 8, each follows the one before" "" "verify follows a rotation"
run audit show --file rot/audit.jsonl -f json
[ "$(jq -r .seq out | tr '\n' ' ')" = "0 1 2 3 4 5 6 7 8 " ]
ok "so does show, oldest first" $?
rm rot/audit.jsonl.2
run audit verify rot/audit.jsonl
expect 0 "rot/audit.jsonl: 6 records in 2 files, 3 to 8, each follows the one before; those before are not here" "" \
	"what is gone from the beginning is told"
mv rot/audit.jsonl.1 rot/audit.jsonl.2
run audit verify rot/audit.jsonl
expect 0 "rot/audit.jsonl: 3 records, 6 to 8, each follows the one before; those before are not here" "" \
	"a gap among the files is one in the chain"
mv rot/audit.jsonl.2 rot/audit.jsonl.1
mv rot/audit.jsonl rot/kept
run audit verify rot/audit.jsonl
expect_like 0 'audit\.jsonl\.1: 3 records, 3 to 5' '' "a file that was just rotated is enough"
records c4 a p 17 | link rot/audit.jsonl >end
run audit verify rot/audit.jsonl
refused 'rot/audit\.jsonl: line 1: a chain begins anew after line 5 of another$' "a chain that begins anew is found"
cp rot/kept rot/audit.jsonl
: >rot/audit.jsonl
run audit verify rot/audit.jsonl
expect_like 0 ': 3 records in 2 files, 3 to 5' '' "an empty file is no break"

# Whatever is done to a line is found, there or in the line after it, and nothing else is.
cp a.jsonl whole
broken() { # SED LINE WHY SENTENCE
	sed "$1" whole >a.jsonl
	run audit verify a.jsonl
	refused "^credsbox: audit verify: a\\.jsonl: line $2: $3" "$4"
}
broken '3s/strip/STRIP/' 4 'prev is not the hash of the line before: that one was changed$' "a changed line is found"
broken '3d' 3 'seq is 3, expected 2: lines are missing or were moved$' "a missing line is"
broken '2{h;d};3{G}' 2 'seq is 2, expected 1' "lines in another order are"
broken '3p' 4 'seq is 2, expected 3' "a line that is there twice is"
broken '4s/^/x/' 4 'no record: line 1, column 1: ' "a line that is no record is"
broken '4s/.*//' 4 'no record' "an empty line is"
broken '2s/"seq":1/"seq":7/' 2 'seq is 7' "a changed number is"
broken '1s/"prev":"0000/"prev":"1000/' 1 'prev is not that of a first line' "a changed beginning is"
cp whole a.jsonl
head -c 70000 /dev/zero | tr '\0' x >>a.jsonl
echo >>a.jsonl
run audit verify a.jsonl
refused 'line 7: no record: longer than 64 KiB$' "a line without an end is"
cp whole a.jsonl
printf '{"time":"2026' >>a.jsonl
run audit verify a.jsonl
expect_like 0 ': 6 records.*; half a line at an end' '' "half a line of a writer that was killed is none"
for at in $(seq 0 97 "$(wc -c <whole)"); do
	python3 -c 'import sys; d = bytearray(open("whole", "rb").read()); d[int(sys.argv[1])] ^= 1
open("a.jsonl", "wb").write(d)' "$at"
	"$CREDSBOX" audit verify a.jsonl >out 2>err && [ "$at" -lt $(($(head -n 5 whole | wc -c))) ] && echo "$at"
done >missed
cp missed out
[ ! -s missed ]
ok "a bit that is changed anywhere but in the last line is found" $?
head -c 300000 /dev/urandom >noise
run audit verify noise
[ $rc -eq 1 ] && [ "$(wc -l <err)" -eq 1 ]
ok "noise is no audit" $?
{ sed -n 1,2p whole; echo rubbish; sed -n '3,$p' whole; head -c 100000 /dev/zero | tr '\0' '\n'; } >a.jsonl
run audit show --file a.jsonl
[ $rc -eq 1 ] && [ "$(wc -l <out)" -eq 7 ] && [ "$(wc -l <err)" -eq 11 ] &&
	grep -q '^credsbox: audit show: a\.jsonl: line 3: no record' err && grep -q '100001 lines are no records' err
ok "show leaves out what is no record, says which it was, and ends" $?

# Names are somebody else's.
records "$long" 'x\u001b[2Jy\u202ez<script>alert(1)</script>\u009b&\"' shop 16 | link hostile.jsonl >end
run audit show --file hostile.jsonl
# shellcheck disable=SC1003
[ $rc -eq 0 ] && ! LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177]')" out && grep -qF 'x\u{1b}[2Jy\u{202e}z' out
ok "no name moves a cursor" $?
run audit show --file hostile.jsonl -f json
[ $rc -eq 0 ] && ! LC_ALL=C grep -q "$(printf '[\177\302\342]')" out &&
	[ "$(jq -c .name out | tail -n 1)" = "$(jq -c .name hostile.jsonl | tail -n 1)" ]
ok "nor in JSON, which means the same" $?

# The page: a strict reader of HTML finds no tag, attribute or address that could load or run anything.
cat >page.py <<'PY'
import base64, hashlib, html.parser, sys
allowed = {"html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "div", "p", "h1",
           "h2", "b", "span", "small", "code", "time", "ul", "li", "svg", "rect", "line", "text", "g", "table",
           "thead", "tbody", "tr", "th", "td"}
void = {"meta"}
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack, self.data, self.style, self.csp = [], "", "", ""
    def handle_starttag(self, tag, attrs):
        assert tag in allowed, tag
        for key, value in attrs:
            assert not key.startswith("on") and key not in ("style", "src", "href", "srcdoc"), key
            if key == "content" and "default-src" in value:
                self.csp = value
        if tag not in void:
            self.stack.append(tag)
    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.stack.pop()
    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, tag
    def handle_data(self, data):
        if self.stack and self.stack[-1] == "style":
            self.style += data
        else:
            self.data += data
page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
assert not page.stack, page.stack
digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
assert page.csp == "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'" % digest, page.csp
assert "url(" not in page.style and "@import" not in page.style
for word in sys.argv[2:]:
    assert word in page.data, word
PY
cp whole a.jsonl
run audit report --file a.jsonl
cp out page.html
[ $rc -eq 0 ] && [ ! -s err ] && python3 page.py page.html AWS_SECRET_ACCESS_KEY env-name:aws shop-0 agent-1 "6 records" \
	"The chain is whole" 2>err
ok "the page is well-formed, loads nothing, and has what was cut" $?
run audit report --file hostile.jsonl
cp out hostile.html
[ $rc -eq 0 ] && python3 page.py hostile.html 'z<script>alert(1)</script>\u{9b}&"' 2>err
ok "a hostile name is text in it" $?
sed '3s/strip/STRIP/' whole >broken.jsonl
run audit report --file broken.jsonl
cp out page.html
python3 page.py page.html "The chain is broken: broken.jsonl: line 4: prev is not the hash" 2>err
ok "it says where the chain is broken" $?
: >empty.jsonl
run audit report --file empty.jsonl
cp out page.html
[ $rc -eq 0 ] && python3 page.py page.html "0 records" 2>err
ok "of nothing there is a page, too" $?
rm -f page.html
run audit report --file a.jsonl --since 2026-11-17 --container db -o page.html
[ $rc -eq 0 ] && [ ! -s out ] && [ "$(stat -c %a page.html)" = 600 ] &&
	python3 page.py page.html "3 records" "Only records since 2026-11-17T00:00:00Z" 2>err
ok "it may be of a part, and goes to a file that is its owner's" $?
run audit report --file a.jsonl --output a.jsonl
refused 'that is the audit$' "but not into the audit"
cmp -s a.jsonl whole
ok "which stays as it is" $?
run audit report --file a.jsonl --output /nonexistent/page.html
refused 'no such file' "a place that is not there is told"

# In a browser, where there is one.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
render() { # PAGE IMAGE OPTION...
	page=$1 image=$2
	shift 2
	HOME=$work/home timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage \
		--user-data-dir="$work/browser" "$@" --screenshot="$work/$image" --window-size=1200,1600 \
		"file://$work/$page" >browser.log 2>&1
}
if [ -z "$browser" ]; then
	skip "a browser shows the page as it is meant" "no chromium here"
	[ -z "${CHECK_BROWSER:-}" ] || { false; ok "CHECK_BROWSER wants one" $?; }
elif is_sanitized; then
	skip "a browser shows the page as it is meant" "once is enough"
else
	render hostile.html light.png
	cp browser.log err
	[ -s light.png ] && ! grep -qiE 'content security policy|refused to' browser.log
	ok "a browser shows the page, and its policy refuses nothing that is in it" $?
	render hostile.html dark.png --blink-settings=preferredColorScheme=0
	[ -s dark.png ] && ! cmp -s light.png dark.png
	ok "it is dark where people want that" $?
fi
rm -f page.html

# Large ones take seconds and no memory.
if is_sanitized; then
	skip "20 MB are read with little memory" "sanitizers need it themselves"
else
	i=0
	while [ $i -lt 20000 ]; do
		i=$((i + 1))
		echo "$i"
	done | awk -v q='"' '{ printf "{\"time\":\"2026-11-18T09:30:00Z\",\"event\":\"cut\",\"container\":\"c%d\",\"kind\":\"env\",\"where\":\"process.env[3]\",\"name\":\"N%d_%0800d\",\"rule\":\"env-name:aws\",\"action\":\"remove\"}\n", $1 % 5000, $1 % 100, 7 }' |
		link large.jsonl >end
	# shellcheck disable=SC3045 # every sh here has it
	(ulimit -v 100000 && "$CREDSBOX" audit verify large.jsonl && "$CREDSBOX" audit show --file large.jsonl --container c77 |
		tail -n +2 | wc -l && "$CREDSBOX" audit report --file large.jsonl -o large.html) >out 2>err
	rc=$?
	expect 0 "large.jsonl: 20000 records, 0 to 19999, each follows the one before
4" "" "20 MB are read with little memory"
fi
finish
