#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A random value is put into every place that there is, and looked for in all that is printed.
# shellcheck source=tests/cli.sh
. "${top_srcdir:-.}/tests/cli.sh"

canary=cAnArY$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
url="postgres://app:$canary@db.example.com/app"
leaks=$work/leaks
: >"$leaks"

# leaked WHAT FILE...: notes it when the canary is in one of the files
leaked() {
	what=$1
	shift
	! grep -q "$canary" "$@" || echo "$what" >>"$leaks"
}

# no_leaks SENTENCE
no_leaks() {
	cp "$leaks" out
	: >err
	[ ! -s "$leaks" ]
	ok "$1" $?
	: >"$leaks"
}

# plan_both: both forms of box/config.json, into out and err
plan_both() {
	"$CREDSBOX" plan --bundle box >out 2>err </dev/null
	"$CREDSBOX" plan --bundle box --format json >>out 2>>err </dev/null
}

# Every string of a configuration that has every field, one after the other. The places of mounts
# and the programs of hooks are names and may be shown, unless they look like credentials.
# jq would spoil large numbers.
mkdir -p box/rootfs
sed -E 's/[0-9]{16,}/4096/' "$top_srcdir/tests/fuzz/seeds/bundle/every-field.json" | jq . >every.json
cp every.json box/config.json
run plan --bundle box
[ $rc -ne 1 ]
ok "the configuration with every field is read" $?
jq -c --arg canary "$canary" '. as $top | paths(type == "string") as $p |
	($top | getpath($p)) as $old |
	[($p | map(tostring) | join(".")), ($top | setpath($p;
		if $p | index("env") then ($old | sub("=.*"; "=")) + $canary
		elif $old[:1] == "/" then "/" + $canary
		elif $old | test("^[a-z]+=") then ($old | sub("=.*"; "=")) + $canary
		else $canary end))]' every.json >variants
count=0
while IFS= read -r line; do
	count=$((count + 1))
	where=${line#'["'}
	where=${where%%'"'*}
	printf '%s' "$line" | cut -d , -f 2- | sed 's/]$//' >box/config.json
	"$CREDSBOX" filter --bundle box <box/config.json >filtered 2>err
	leaked "filter, $where" err
	plan_both
	leaked "plan: error, $where" err
	case $where in
	mounts.*.destination | hooks.*.path | linux.devices.*.path) ;;
	*) leaked "plan, $where" out ;;
	esac
done <variants
[ $count -gt 100 ]
ok "there are more than a hundred strings to try" $?
no_leaks "a random value in place of any string is in no plan and in no error"

jq -c --arg url "$url" '. as $top | paths(type == "string") as $p |
	($top | getpath($p)) as $old |
	[($p | map(tostring) | join(".")), ($top | setpath($p;
		if $p | index("env") then ($old | sub("=.*"; "=")) + $url else $url end))]' \
	every.json >variants
while IFS= read -r line; do
	where=${line#'["'}
	where=${where%%'"'*}
	printf '%s' "$line" | cut -d , -f 2- | sed 's/]$//' >box/config.json
	"$CREDSBOX" filter --bundle box <box/config.json >filtered 2>err
	leaked "filter, $where" err
	case $where in
	process.env.* | annotations.* | hooks.createContainer.*.env.* | hooks.startContainer.*.env.*)
		leaked "filter: output, $where" filtered ;;
	esac
	plan_both
	leaked "plan, $where" out err
done <variants
no_leaks "nor is a URL with a password, which the filter takes out of variables and annotations"

# Variables of many names, each with a value of its own, in the process and in hooks.
names='PATH HOME LANG EDITOR MAX_TOKENS TOKENIZERS_PARALLELISM KEYBOARD_LAYOUT COPY NOTE X
AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GITHUB_TOKEN GITLAB_PRIVATE_TOKEN NPM_TOKEN
OPENAI_API_KEY ANTHROPIC_API_KEY HF_TOKEN DATABASE_URL REDIS_URL PGPASSWORD MYSQL_PWD DB_PASSWORD
SECRET_KEY_BASE DJANGO_SECRET_KEY JWT_SECRET SLACK_BOT_TOKEN STRIPE_SECRET_KEY VAULT_TOKEN
GOOGLE_APPLICATION_CREDENTIALS SSH_AUTH_SOCK KUBECONFIG DOCKER_HOST NPM_CONFIG__AUTH HTTPS_PROXY
AZURE_CLIENT_SECRET TWILIO_AUTH_TOKEN passwd my.api.key lower_case_token Passphrase'
: >list
i=0
for name in $names; do
	i=$((i + 1))
	case $((i % 3)) in
	0) echo "$name=$canary-$i" ;;
	1) echo "$name=https://ada:$canary-$i@example.com/" ;;
	2) echo "$name={\"password\": \"$canary-$i\"}" ;;
	esac
done >list
jq -Rn --arg canary "$canary" '[inputs] as $env | {ociVersion: "1.2.0", root: {path: "rootfs"},
	process: {args: ["/x", "--password=\($canary)-a1", "-H", "Authorization: Bearer \($canary)-a2"],
		cwd: "/", env: $env},
	hooks: {createContainer: [{path: "/h", env: $env}], poststop: [{path: "/h", env: $env}]},
	mounts: [{destination: "/m", type: "cifs", source: "//h/s",
		options: ["username=ada", "password=\($canary)-o1"]}],
	hostname: "\($canary)-h1",
	annotations: {"org.example/token": "\($canary)-t1", "title": "see \($canary)-2"}}' \
	<list >box/config.json
plan_both
leaked "plan" out err
run plan --bundle box --format json
jq -e '[.cuts[] | select(.kind == "env")] | length >= 30' out >/dev/null
ok "most of the variables are cut" $?
jq -r '.cuts[] | select(.action == "remove" and .kind == "env") | .where' out |
	sed 's/[^0-9]//g' >removed
"$CREDSBOX" filter --bundle box <box/config.json >filtered 2>err
leaked "filter" err
jq '[.process.env, .hooks.createContainer]' filtered >rest
while read -r i; do
	i=$((i + 1))
	! grep -qE "$canary-${i}[^0-9]" rest || echo "filter left variable $i" >>"$leaks"
done <removed
jq '[.mounts, .annotations]' filtered >rest
leaked "filter left an option or an annotation" rest
no_leaks "whatever a variable is called, no output has the value of one that is cut"
for word in observe enforce; do
	printf 'mode: %s\n' $word >mode.yaml
	"$CREDSBOX" plan --bundle box --policy mode.yaml >out 2>err
	"$CREDSBOX" plan --bundle box --policy mode.yaml -f json >>out 2>>err
	leaked "plan, $word" out err
	"$CREDSBOX" filter --bundle box --policy mode.yaml <box/config.json >filtered 2>err
	leaked "filter, $word" err
done
leaked "a refused filter" filtered
printf 'env: { dummy: ["*"] }\nargs: dummy\n' >dummy.yaml
"$CREDSBOX" plan --bundle box --policy dummy.yaml >out 2>err
"$CREDSBOX" filter --bundle box --policy dummy.yaml <box/config.json >filtered 2>>err
jq '[.process, .mounts, .annotations, .hooks.createContainer]' filtered >rest
leaked "stand-ins" out err rest
no_leaks "nor has any other mode, nor a stand-in"

# Lists.
for format in text json; do
	run plan --env-file list --format $format
	leaked "list, $format" out err
	tr '\n' '\0' <list >in
	feed plan -0 --env-file - --format $format <in
	leaked "NULs, $format" out err
done
printf 'A=b\n%s\n' "$canary" >in
feed plan --env-file - <in
leaked "a line without =" out err
printf 'A=b\n=%s\n' "$canary" >in
feed plan --env-file - <in
leaked "a line without a name" out err
printf 'A=%s\0B=c\n' "$canary" >in
feed plan --env-file - <in
leaked "NULs in lines" out err
feed plan -0 --env-file - <in
leaked "lines in NULs" out err
printf -- '-----BEGIN PRIVATE KEY-----\n%s=\n-----END PRIVATE KEY-----\n' "$canary" >in
feed plan --env-file - <in
leaked "a key that is taken for lines" out err
no_leaks "no list of variables shows a value, be it well-formed or not"

# Malformed JSON around it. Each line is one text; \b becomes a control character, \377 no UTF-8.
head='{"ociVersion":"1.2.0","root":{"path":"rootfs"},"process":{"cwd":"/","args":["/x"],"env":['
cat >malformed <<'LIST'
"TOKEN=CANARY
"TOKEN=CANARY"
"TOKEN=CANARY"]
"TOKEN=CANARY"]}
"TOKEN=CANARY"]}}}
"TOKEN=CANARY"]}} trailing
"TOKEN=CANARY"]}}{"TOKEN":"CANARY"}
"TOKEN=CANARY"]}} "CANARY"
"TOKEN=CANARY" "CANARY"]}}
"TOKEN=CANARY",]}}
TOKEN=CANARY]}}
CANARY]}}
'TOKEN=CANARY']}}
"TOKEN=\CANARY"]}}
"TOKEN=CANARY\"]}}
"TOKEN=CANARY\u12"]}}
"TOKEN=CANARY\ud800"]}}
"TOKEN=CANARY\u0000"]}}
"TOKEN=CANARY\b"]}}
"TOKEN=CANARY\377"]}}
"TOKEN=CANARY\303"]}}
/* CANARY */ "A=b"]}}
// CANARY
"A=b"], "user":{"uid":CANARY}}}
"A=b"], "user":{"uid":"CANARY"}}}
"A=b"], "user":CANARY}}
"A=b"], "user":["CANARY"]}}
"A=b"], "terminal":"CANARY"}}
"A=b"], "env":["TOKEN=CANARY"]}}
"TOKEN=CANARY"], "Env":["TOKEN=CANARY"]}}
"CANARY"]}}
"=CANARY"]}}
["TOKEN=CANARY"]]}}
{"TOKEN":"CANARY"}]}}
"A=b"], "rlimits":["CANARY"]}}
"A=b"], "rlimits":"CANARY"}}
"A=b"]}, "annotations":["CANARY"]}
"A=b"]}, "annotations":{"a":{"b":"CANARY"}}}
"A=b"]}, "annotations":{"credsbox.io/mode":"CANARY"}}
"A=b"]}, "annotations":{"credsbox.io/args":"CANARY"}}
"A=b"]}, "annotations":{"credsbox.io/paths-mask":"CANARY"}}
"A=b"]}, "linux":{"namespaces":["CANARY"]}}
"A=b"]}, "linux":{"sysctl":{"a":["CANARY"]}}}
"A=b"]}, "hooks":{"poststop":[{"path":"CANARY"}]}}
"A=b"]}, "hooks":{"poststop":[{"path":"/h","timeout":"CANARY"}]}}
"A=b"]}, "mounts":[{"destination":"/d","options":"CANARY"}]}
"A=b"]}, "mounts":[{"destination":7,"source":"CANARY"}]}
"A=b"]}, "root":"CANARY"}
LIST
count=0 refusals=0
while IFS= read -r line; do
	count=$((count + 1))
	{
		printf '%s' "$head"
		printf '%s\n' "$line" | sed "s/CANARY/$canary/g" | sed 's/\\b/\x01/; s/\\377/\xff/; s/\\303/\xc3/'
	} >box/config.json
	run plan --bundle box
	[ $rc -ne 1 ] || refusals=$((refusals + 1))
	leaked "plan, JSON: $line" out err
	"$CREDSBOX" filter --bundle box <box/config.json >out 2>err
	leaked "filter, JSON: $line" out err
	run policy check box/config.json
	leaked "policy check, JSON: $line" out err
done <malformed
[ $refusals -eq $count ]
ok "$count malformed configurations are refused" $?
no_leaks "and no error repeats what was in them"

# The same for policies in YAML; of some only the place is wrong.
cat >malformed <<'LIST'
CANARY
mode: CANARY
mode: [CANARY]
mode: "CANARY
mode: 'CANARY
mode: "\qCANARY"
mode: &CANARY strip
mode: *CANARY
mode: !CANARY strip
mode: !<CANARY> strip
mode: strip CANARY: x
%CANARY
%TAG ! CANARY
--- strip\n--- CANARY
mode: |CANARY
mode: >CANARY\n  x
mode: strip\n\tCANARY
mode: strip\n CANARY
env: CANARY
env: [CANARY]
env: { allow: CANARY }
env: { allow: [[CANARY]] }
env: { allow: [{ name: [CANARY] }] }
env: { allow: [{ name: A, force: CANARY }] }
env: { allow: [{ name: A, priority: CANARY }] }
env: { allow: ["CANARY\\x01"] }
env: { remove: [CANARY
env: { values: CANARY }
paths: { mask: [CANARY] }
paths: { allow: [~/CANARY] }
scan: { max_files: CANARY }
scan: { image: CANARY }
args: CANARY
landlock: CANARY
namespaces: { user: CANARY }
seccomp: { profile: CANARY/../x }
seccomp: { floor: CANARY }
audit: { file: CANARY }
audit: { file: /CANARY/../x }
audit: { required: CANARY }
locked: [CANARY]
locked: CANARY
{"mode": "CANARY"}
{"mode": "strip", CANARY}
{"mode": CANARY}
{"env": {"remove": ["CANARY}
LIST
count=0 refusals=0
while IFS= read -r line; do
	count=$((count + 1))
	printf '%s\n' "$line" | sed "s/CANARY/$canary/g; s/\\\\n/\n/g; s/\\\\t/\t/g; s/\\\\x01/\x01/" >policy.yaml
	run policy check policy.yaml
	[ $rc -ne 1 ] || refusals=$((refusals + 1))
	[ $rc -eq 1 ] || echo "accepted: $line" >>"$leaks"
	leaked "policy check, YAML: $line" out err
	run plan --bundle plain --policy policy.yaml
	leaked "plan, YAML: $line" out err
done <malformed
[ $refusals -eq $count ]
ok "$count malformed policies are refused" $?
no_leaks "and no error repeats what was in them, either"

# Lines of an audit that are no records, and one that is between them.
zeros=$(printf '%064d' 0)
cat >malformed <<'LIST'
CANARY
"CANARY"
["CANARY"]
{"CANARY
{"time":"CANARY"}
{"time":CANARY}
{"time":["CANARY"]}
{"time":"2026-11-18T09:30:00Z","seq":"CANARY"}
{"time":"2026-11-18T09:30:00Z","seq":0,"event":["CANARY"]}
{"time":"2026-11-18T09:30:00Z","seq":0,"event":"cut","container":"c","name":"CANARY","prev":"ZEROS"}
{"time":"2026-11-18T09:30:00Z","seq":0,"event":"start","container":"c","command":{"x":"CANARY"},"prev":"ZEROS"}
{"time":"2026-11-18T09:30:00Z","seq":0,"event":"x","container":"c","prev":"CANARY"}
{"time":"CANARY","seq":0,"event":"x","container":"c","prev":"ZEROS"}
{"time":"2026-11-18T09:30:00Z","seq":0,"event":"x","container":"c","prev":"ZEROS"} CANARY
LIST
sed "s/CANARY/$canary/g; s/ZEROS/$zeros/" malformed >broken.jsonl
good="{\"time\":\"2026-11-18T09:30:00Z\",\"seq\":0,\"event\":\"x\",\"container\":\"c\",\"value\":\"$canary\",\"prev\":\"$zeros\"}"
echo "$good" >>broken.jsonl
run audit show --file broken.jsonl
[ $rc -eq 1 ] && [ "$(wc -l <out)" -eq 2 ]
ok "lines that are no records are left out of a table" $?
leaked "audit show" out err
run audit report --file broken.jsonl
leaked "audit report" out err
cp out page.html
grep -q '</html>' page.html && grep -q '14 lines of the file are no records' page.html
ok "and of a page" $?
while IFS= read -r line; do
	printf '%s\n' "$line" | sed "s/CANARY/$canary/g; s/ZEROS/$zeros/" >broken.jsonl
	run audit verify broken.jsonl
	[ $rc -eq 1 ] || echo "accepted: $line" >>"$leaks"
	leaked "audit verify: $line" out err
done <malformed
no_leaks "what they hold is in no error, nor is a member that nobody knows in a table or a page"

# Trees: by name and by content, whole and cut short.
mkdir -p tree/.aws tree/src tree/etc tree/usr
printf '[default]\naws_secret_access_key = %s\n' "$canary" >tree/.aws/credentials
printf 'machine h login a password %s\n' "$canary" >tree/.netrc
printf 'url = "%s"\n' "$url" >tree/src/settings.toml
printf 'PASSWORD=%s\n' "$canary" >tree/src/.env
printf '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\n%s\\n%s"}\n' \
	"$canary" '-----END PRIVATE KEY-----\n' >tree/src/account.json
printf 'root:x:0:0::/root:/bin/sh\n' >tree/etc/passwd
# shellcheck disable=SC2016 # the dollars are those of a hash
printf 'root:$6$saltsalt$%s:19000:0:99999:7:::\n' "$canary" >tree/etc/shadow
for words in 'scan tree' 'scan tree --format json' 'scan tree --image' 'scan tree --max-files 2' \
	'scan tree/src' 'scan tree/src --format json'; do
	# shellcheck disable=SC2086 # the arguments of each case are words
	run $words
	leaked "$words" out err
done
jq --arg tree "$work/tree" '.root.path = $tree | .mounts += [{destination: "/w", type: "bind",
	source: $tree}, {destination: "/f", type: "bind", source: "\($tree)/src/settings.toml"},
	{destination: "/g", type: "bind", source: "\($tree)/.netrc"}]' plain/config.json \
	>box/config.json
for word in on off; do
	printf 'scan: { deep: %s }\n' $word >deep.yaml
	"$CREDSBOX" plan --bundle box --policy deep.yaml >out 2>err
	"$CREDSBOX" plan --bundle box --policy deep.yaml -f json >>out 2>>err
	"$CREDSBOX" filter --bundle box --policy deep.yaml <box/config.json >>out 2>>err
	leaked "mounts of files, deep: $word" out err
done
no_leaks "no output has what is in a file"
run scan tree/src --format json
jq -es 'length == 3' out >/dev/null
ok "though all of them are found" $?

finish
