#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The ways of a credential into a container that lead through strings of the bundle: its environment, arguments,
# names and annotations. Each with a canary, by run, create with start, and exec; and each without its protection.
# shellcheck source=tests/cli.sh disable=SC2016,SC2086,SC2154
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"
# shellcheck source=tests/channels.sh
. "$top_srcdir/tests/channels.sh"

# Each is a form in which the canary is a credential.
variables() {
	new_canary
	b64=$(printf 'token=%s' "$token" | base64 -w0)
	for each in "AWS_SECRET_ACCESS_KEY=$canary" "aws_secret_access_key=$canary" "npm_config__authToken=$canary" \
		"NPM_CONFIG__AUTH=$canary" "ConnectionStrings__Main=Server=x;Password=$canary" "GITHUB_TOKEN=$canary" \
		"PLAIN=$token" "PLAIN=https://user:$canary@example.com/" "HTTPS_PROXY=http://u:$canary@proxy:3128" \
		"https_proxy=http://u:$canary@proxy:3128" "PIP_INDEX_URL=https://u:$canary@pypi.example.com/simple" \
		"JDBC=jdbc:mysql://h/db?user=u&password=$canary" "DATABASE_URL=postgres://u:$canary@h/d" \
		"GIT_CONFIG_VALUE_0=Authorization: Basic $(printf 'x:%s' "$canary" | base64 -w0)" \
		"GIT_SSH_COMMAND=sshpass -p $canary ssh" "CURL=curl -u me:$canary https://x" "VAULT_TOKEN=$canary" \
		"OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer $canary" "KEY=-----BEGIN PRIVATE KEY-----\n$canary" \
		"BASH_FUNC_login%%=() { curl -H 'Authorization: Bearer $token'; }" "JAVA_OPTS=-Ddb.password=$canary" \
		"MYSQL_PWD=$canary" "PGPASSWORD=$canary" "REDISCLI_AUTH=$canary" "DOCKER_AUTH_CONFIG={\"auths\":{\"x\":{\"auth\":\"$canary\"}}}" \
		"AWS_CONTAINER_AUTHORIZATION_TOKEN=$canary" "ECS=/v2/credentials?token=$token"; do
		envs="$envs
$each"
	done
	filter=".process.env += $(printf '%s\n' "$envs" | grep . | jq -Rn '[inputs]')"
	want=$(printf '%s\n' "$envs" | grep -c .)
	channel "no variable of $want forms of a credential is there" "$filter"
	[ "$(jq -s 'map(select(.event == "cut" and .kind == "env")) | length' "$state/audit.jsonl")" -ge "$want" ]
	ok "$who: and each is on record" $?
	canary=$b64
	channel "nor is one in base64" ".process.env += [\"PLAIN=$b64\"]"
	envs=
	new_canary
	channel "of a name that is there twice neither is" \
		".process.env += [\"GH_TOKEN=harmless\", \"GH_TOKEN=$canary\", \"A=1\", \"gh_token=$canary\"]"
	channel "nor is the same value under another name" \
		".process.env += [\"GH_TOKEN=$canary\", \"COPY=$canary\", \"PART=x,$canary,y\", \"URL=http://h/$canary/x\"]"
	with_env
}
envs=

# Variables that lead to a credential, or let somebody else hand one out.
with_env() {
	new_canary
	for each in GIT_ASKPASS SSH_ASKPASS SSH_AUTH_SOCK KUBECONFIG GOOGLE_APPLICATION_CREDENTIALS AWS_WEB_IDENTITY_TOKEN_FILE \
		AWS_SHARED_CREDENTIALS_FILE AWS_CONTAINER_CREDENTIALS_FULL_URI AWS_CONTAINER_CREDENTIALS_RELATIVE_URI DOCKER_HOST \
		DOCKER_CONFIG DBUS_SESSION_BUS_ADDRESS XAUTHORITY CREDENTIALS_DIRECTORY GNUPGHOME VAULT_TOKEN_FILE PGPASSFILE NETRC \
		NPM_CONFIG_USERCONFIG CARGO_REGISTRIES_X_TOKEN; do
		envs="$envs $each=unix:///opt/$canary"
	done
	channel "nor is one that leads to a credential" ".process.env += $(printf '%s\n' $envs | jq -Rn '[inputs]')"
	envs=
}

by_exec() {
	new_canary
	bundle x '.process.args = ["/bin/sleep", "100"]'
	call run -d -b "$work/x" "$tag-x" </dev/null >out 2>err
	box exec --env "AWS_SECRET_ACCESS_KEY=$canary" --env "PLAIN=https://u:$canary@h/" --env "KEPT=1" "$tag-x" /bin/look
	looked && ! sees && grep -qx KEPT=1 out && ! grep -q "$canary" err
	ok "$who: exec --env brings none in" $?
	rm -f "$state/audit.jsonl"
	jq --arg e "GITHUB_TOKEN=$canary" '.process | .args = ["/bin/look"] | .env += [$e, "KEPT=1"]' x/config.json >process.json
	chmod 644 process.json
	box exec --process "$work/process.json" "$tag-x"
	looked && ! sees && grep -qx KEPT=1 out && on_record '.name == "GITHUB_TOKEN"'
	ok "$who: nor does exec --process, and it is on record" $?
	as_quietly 'mode: observe'
	box exec --env "AWS_SECRET_ACCESS_KEY=$canary" "$tag-x" /bin/look
	looked && sees
	ok "$who: a policy that observes lets it" $?
	as_quietly 'mode: enforce'
	box exec --env "AWS_SECRET_ACCESS_KEY=$canary" --env "GH_TOKEN=$canary" "$tag-x" /bin/look
	[ $rc -eq 125 ] && ! looked && [ "$(grep -c ': refused: process.env' err)" -eq 2 ] && ! grep -q "$canary" err
	ok "$who: one that enforces refuses it, and names both" $?
	as_quietly 'env: {dummy: [OPENAI_API_KEY]}'
	box exec --env "OPENAI_API_KEY=sk-proj-$canary$canary" "$tag-x" /bin/sh -c 'echo $OPENAI_API_KEY'
	[ $rc -eq 0 ] && ! sees && grep -q '^sk-proj-' out && on_record '.name == "OPENAI_API_KEY" and .action == "dummy"'
	ok "$who: one with a stand-in gives that" $?
	box delete -f "$tag-x"
	reset_policy
}

dummies() {
	new_canary
	default_policy='env: {dummy: [OPENAI_API_KEY, GITHUB_TOKEN]}'
	channel "a stand-in takes the place of a variable" \
		".process.env += [\"OPENAI_API_KEY=sk-proj-$canary$canary\", \"GITHUB_TOKEN=ghp_$canary\", \"COPY=ghp_$canary\"]"
	on_record '.name == "OPENAI_API_KEY" and .action == "dummy"'
	ok "$who: the record says so" $?
	reset_policy
	for k in 1 2; do
		inside 'echo $OPENAI_API_KEY $GITHUB_TOKEN' \
			".process.env += [\"OPENAI_API_KEY=sk-proj-$canary$canary\", \"GITHUB_TOKEN=ghp_$canary\"]"
		cp out dummy$k
	done
	! cmp -s dummy1 dummy2 && grep -qE '^sk-proj-[A-Za-z0-9_-]+ ghp_[A-Za-z0-9]+' dummy1
	ok "$who: it has the vendor's form, and is another one in each container" $?
	default_policy=
	reset_policy
}

# Bundles of engines that were fooled by an image.
poisoned() {
	new_canary
	for each in '"HOSTSECRET"' '"*"' '"=x"' '"AWS_*"'; do
		bundle p ".process.env += [$each] | .process.args = [\"/bin/look\"]"
		HOSTSECRET=$canary AWS_SECRET_ACCESS_KEY=$canary call run -b "$work/p" "$tag-p" >out 2>err </dev/null
		rc=$?
		! sees && ! grep -q "$canary" err && { [ $rc -ne 0 ] || looked; }
		ok "$who: $each in an environment is filled in from nowhere" $?
	done
	bundle p ".process.env += [\"FIRST=$canary\"] | .process.args = [\"/bin/look\"]"
	box run -b "$work/p" "$tag-p"
	sees
	ok "$who: what is no credential is there" $?
	bundle p2 '.process.args = ["/bin/look"]'
	call create -b "$work/p" "$tag-p" </dev/null >out 2>err
	box run -b "$work/p2" "$tag-p2"
	looked && ! sees
	ok "$who: but not in another container" $?
	box delete -f "$tag-p"
}

# Programs' own arguments cannot be taken: they are on record, replaced or refused.
arguments() {
	new_canary
	bundle a ".process.args = [\"/bin/look\", \"--api-key=$token\"]"
	rm -f "$state/audit.jsonl"
	box run -b "$work/a" "$tag-a"
	looked && sees && on_record '.kind == "arg" and .where == "process.args[1]" and .action == "record"' &&
		! grep -q "$canary" "$state/audit.jsonl" err
	ok "$who: a credential among the arguments is on record" $?
	as_quietly 'args: dummy'
	box run -b "$work/a" "$tag-a"
	looked && ! sees
	ok "$who: or replaced" $?
	as_quietly 'args: refuse'
	box run -b "$work/a" "$tag-a"
	[ $rc -eq 125 ] && ! sees && ! grep -q "$canary" err
	ok "$who: or refused" $?
	reset_policy
}

names() {
	new_canary
	channel "a host name that is a credential is another" ".hostname = \"$token\""
	channel "so is a domain name" ".domainname = \"$token\""
	channel "and one that is a sysctl" ".linux.sysctl = {\"kernel.domainname\": \"$token\"}"
	channel "a host name with a secret of the environment in it, too" ".hostname = \"$canary\" | .process.env += [\"GH_TOKEN=$canary\"]"
	inside 'hostname' '.hostname = "plain"'
	expect 0 plain "" "$who: a plain one stays"
}

# What a hook that runs inside is given, and what is in its reach.
hooks() {
	default_policy=$1
	mkdir -p "$own/hook"
	rm -f "$own/hook/"*
	chmod 777 "$own/hook"
	bundle h "$2 | .mounts += [{type: \"bind\", source: \"$own/hook\", destination: \"/tmp\", options: [\"rbind\"]}]
		| .hooks.startContainer = [{path: \"/bin/sh\", args: [\"sh\", \"-c\", \"cat >/tmp/state; /bin/look >/tmp/looked\"], env: [\"PATH=/bin\", \"GH_TOKEN=$canary\"]}]
		| .process.args = [\"/bin/true\"]"
	reset_policy
	rm -f "$state/audit.jsonl"
	AWS_SECRET_ACCESS_KEY=$canary call run -b "$work/h" "$tag-h" >out 2>err </dev/null
	rc=$?
	cat "$own/hook/state" "$own/hook/looked" >out
	default_policy=
	reset_policy
}

annotations() {
	new_canary
	all=".annotations = {\"com.example/api-token\": \"$canary\", \"plain\": \"$token\", \"example.com/$token\": \"x\", \"kept\": \"yes\"}"
	hooks "" "$all"
	[ $rc -eq 0 ] && looked && ! sees && grep -q '"kept":"yes"' out
	ok "$who: annotations with credentials are kept from hooks that run inside, and so is their environment" $?
	[ "$(jq -s 'map(select(.kind == "annotation")) | length' "$state/audit.jsonl")" -eq 3 ] && ! grep -q "$canary" "$state/audit.jsonl"
	ok "$who: which is on record" $?
	hooks 'mode: observe' "$all"
	[ $rc -eq 0 ] && looked && sees
	ok "$who: unless a policy only observes" $?
	channel "nothing inside sees them, and nor does state" "$all" none
	# Those of other runtimes mean nothing here.
	bundle a '.annotations = {"run.oci.keep_original_groups": "1", "run.oci.handler": "krun", "run.oci.hooks.stdout": "/tmp/x",
		"krun.ram_mib": "1", "org.criu.config": "/etc/criu", "org.systemd.property.ExecStopPost": "/bin/false",
		"run.oci.mount_context_type": "context", "run.oci.systemd.subgroup": "x", "run.oci.seccomp.plugins": "x",
		"run.oci.seccomp.receiver": "/tmp/y", "run.oci.delegate-cgroup": "../..", "module.wasm.image/variant": "compat"}
		| .process.args = ["/bin/sh", "-c", "id; grep -c . /proc/1/status"]'
	box run -b "$work/a" "$tag-a"
	cp out with
	bundle a '.process.args = ["/bin/sh", "-c", "id; grep -c . /proc/1/status"]'
	box run -b "$work/a" "$tag-a"
	[ $rc -eq 0 ] && cmp -s out with
	ok "$who: annotations of other runtimes change nothing" $?
}

# What would reach the host.
knobs() {
	for each in kernel.core_pattern kernel.modprobe kernel.sysrq vm.overcommit_memory fs.suid_dumpable kernel.hostname \
		net/../kernel/core_pattern 'kernel.domainname+x' kernel.shm_rmid_forced/../core_pattern; do
		inside true ".linux.sysctl = {\"$each\": \"0\"}"
		[ $rc -eq 1 ] && grep -q 'linux[.]sysctl' err
		ok "$who: the sysctl $each is refused" $?
	done
	as_quietly 'namespaces: {network: bundle}'
	inside true '.linux.sysctl = {"net.ipv4.ip_forward": "0"} | .linux.namespaces |= map(select(.type != "network")) | .mounts |= map(select(.type != "sysfs"))'
	[ $rc -eq 1 ] && grep -q 'linux[.]sysctl' err
	ok "$who: so is one of the host's network" $?
	reset_policy
	inside 'cat /proc/sys/net/ipv4/ip_default_ttl' '.linux.sysctl = {"net.ipv4.ip_default_ttl": "77"}'
	[ $rc -eq 0 ] && grep -qx 77 out
	ok "$who: one of the container's own is set" $?
}

# Every string of a bundle that has all that there is, one after the other, and every key.
leaves() {
	new_canary
	mkdir -p leaf/rootfs
	seed=leaf/seed
	# jq would round the largest of numbers.
	sed 's/18446744073709551615/1/' "$top_srcdir/tests/fuzz/seeds/bundle/every-field.json" >$seed
	jq -c 'paths(type == "string" and . != "")' "$seed" >leaf/paths
	bad=0 refusals=0 found=0
	while read -r path; do
		jq --argjson p "$path" --arg t "$token" 'setpath($p; $t)' "$seed" >leaf/config.json
		"$CREDSBOX" plan --policy "$policy" --format json -b leaf >out 2>err </dev/null
		rc=$?
		# A text in which the token could be is not read by anybody, or it is on record with its place.
		if sees || grep -qF "$canary" err; then
			bad=$((bad + 1))
			echo "# it is told for $path: $(head -c 300 err)"
		elif [ $rc -eq 1 ] && [ -s err ]; then
			refusals=$((refusals + 1))
		elif jq -e --argjson p "$path" '($p | map(if type == "number" then "[\(.)]"
			elif test("^[A-Za-z0-9_]+$") then ".\(.)" else "[\"\(.)\"]" end) | add | ltrimstr(".")) as $w
			| any(.cuts[].where; . as $at | $w == $at or ($w | startswith($at + ".")))' out >/dev/null; then
			found=$((found + 1))
		else
			bad=$((bad + 1))
			echo "# neither refused nor on record: $path"
		fi
	done <leaf/paths
	n_paths=$(wc -l <leaf/paths)
	: >out
	: >err
	[ "$bad" -eq 0 ] && [ "$n_paths" -gt 60 ] && [ "$found" -gt 30 ]
	ok "a token in each of $n_paths strings is refused ($refusals) or on record with its place ($found)" $?
	jq -c 'paths | select(.[-1] | type == "string")' "$seed" >leaf/paths
	bad=0
	while read -r path; do
		jq --argjson p "$path" --arg t "$token" 'getpath($p) as $v | delpaths([$p]) | setpath($p[:-1] + [$t]; $v)' "$seed" >leaf/config.json
		"$CREDSBOX" plan --policy "$policy" --format json -b leaf >out 2>err </dev/null
		rc=$?
		if sees || grep -qF "$canary" err; then
			bad=$((bad + 1))
			echo "# it is told for the key $path: $(head -c 300 err)"
		elif [ $rc -ne 1 ] && ! jq -e 'any(.cuts[]; .where | contains("["))' out >/dev/null; then
			bad=$((bad + 1))
			echo "# a key neither refused nor on record: $path"
		fi
	done <leaf/paths
	: >out
	: >err
	[ "$bad" -eq 0 ]
	ok "so is one in each of $(wc -l <leaf/paths) keys" $?
	jq --arg t "$token" '.linux.cgroupsPath = "/" + $t' plain/config.json >leaf/config.json
	as_quietly 'mode: enforce'
	"$CREDSBOX" plan --policy "$policy" -b leaf >out 2>err </dev/null
	grep -q 'cgroupsPath' out && ! sees
	ok "a policy that enforces refuses for it" $?
	reset_policy
}

# Whatever is in a name, a line of the record is a line, and it is JSON.
hostile_names() {
	rm -f "$state/audit.jsonl"
	new_canary
	bundle n ".process.args = [\"/bin/true\"] | .process.env += [\"A\\n{\\\"event\\\":\\\"start\\\"}_TOKEN=$canary\", \"B\\u001b[31m_SECRET=$canary\",
		\"C\\u0001\\u007f\\u0085\\u2028_TOKEN=$canary\", \"D\\\"\\\\_PASSWORD=$canary\", \"\\u202eE_TOKEN=$canary\", (\"F\" * 70000) + \"_TOKEN=$canary\"]"
	box run -b "$work/n" "$tag-n"
	cp "$state/audit.jsonl" record
	[ $rc -eq 0 ] && [ "$(jq -s 'map(select(.kind == "env")) | length' record)" -eq 6 ] &&
		[ "$(jq -c . record | wc -l)" -eq "$(wc -l <record)" ] && ! grep -q "$canary" record err &&
		! tr -d '\n' <record | LC_ALL=C grep -q '[[:cntrl:]]' && [ "$(awk '{ if (length > m) m = length } END { print m }' record)" -lt 4096 ]
	ok "$who: hostile names of variables are one line of JSON each on record" $?
	[ "$(jq -s 'map(select(.event == "start")) | length' record)" -eq 1 ]
	ok "$who: and nothing but a start is one" $?
	printf '{"ociVersion":"1.2.0","root":{"path":"%s","readonly":true},"process":{"user":{"uid":0,"gid":0},"args":["/bin/true"],"cwd":"/","env":["X\377\376_TOKEN=%s"]},"linux":{"namespaces":[{"type":"mount"}]}}' \
		"$work/base" "$canary" >"$work/n/config.json"
	box run -b "$work/n" "$tag-n"
	[ $rc -eq 1 ] && ! grep -q "$canary" err && [ "$(jq -c . "$state/audit.jsonl" | wc -l)" -eq "$(wc -l <"$state/audit.jsonl")" ]
	ok "$who: what is no UTF-8 is refused" $?
}

# Errors tell names and places.
errors() {
	new_canary
	bad=0
	for each in ".process.env += [\"$token\"]" ".process.env += [1, \"X=$token\"]" ".process.cwd = \"$token\"" \
		".process.user.uid = \"$token\"" ".root.path = \"/$token\"" ".mounts += [{destination: \"/x\", type: \"$token\", source: \"x\"}]" \
		".mounts += [{destination: \"/x\", type: \"tmpfs\", source: \"x\", options: [\"token=$token\"]}]" \
		".linux.namespaces += [{type: \"$token\"}]" ".process.rlimits = [{type: \"$token\", hard: 1, soft: 1}]" \
		".linux.sysctl = {\"net.ipv4.ip_forward\": \"$token\"}" \
		".linux.rootfsPropagation = \"$token\"" ".annotations = {\"credsbox.io/mode\": \"$token\"}" \
		".linux.seccomp = {defaultAction: \"$token\"}" ".ociVersion = \"$token\"" \
		".linux.cgroupsPath = \"../$token\"" ".process.apparmorProfile = \"$token\"" ".linux.mountLabel = \"$token\"" \
		".process.args = [\"$token\"]" ".process.env += [\"AWS_SECRET_ACCESS_KEY=$canary\"] | .process.args = [\"/nowhere\"]"; do
		bundle e "$each"
		rm -f log
		box --debug --log "$work/log" run -b "$work/e" "$tag-e"
		# What the caller itself named as the program or a path has to be told.
		case $each in *.process.args\ =\ \[\"glpat*|*.root.path*|*cwd*) continue ;; esac
		! grep -qF "$canary" err log 2>/dev/null || { bad=$((bad + 1)); echo "# $each: $(grep -hF "$canary" err log | head -n 1 | cut -c1-300)"; }
	done
	[ $bad -eq 0 ]
	ok "$who: no error and no log tells a value" $?
}

# The agent of a filter that notifies is the caller's or root's, and gets no more than a hook does.
listener() {
	[ "$(id -u)" = 0 ] && [ "$who" = user ] && [ -x /usr/bin/python3 ] || return 0
	new_canary
	rm -f "$own/agent"
	cat >agent.py <<-'END'
		import socket, sys
		s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
		s.bind(sys.argv[1])
		s.listen()
		s.settimeout(20)
		try:
		    c = s.accept()[0]
		    print(c.recv(65536).decode())
		except OSError as e:
		    print(e)
	END
	chmod 777 "$own"
	for user in 65534 $user_id; do
		setpriv --reuid=$user --regid=$user --clear-groups /usr/bin/python3 agent.py "$own/agent" >heard 2>&1 &
		agent=$!
		wait_for 10 test -S "$own/agent"
		chmod 777 "$own/agent"
		bundle l ".linux.seccomp = {defaultAction: \"SCMP_ACT_ALLOW\", listenerPath: \"$own/agent\", listenerMetadata: \"kept\",
			syscalls: [{names: [\"mkdirat\"], action: \"SCMP_ACT_NOTIFY\"}]} | .process.args = [\"/bin/true\"]
			| .annotations = {\"x/api-token\": \"$canary\"} | .process.env += [\"GH_TOKEN=$canary\"]"
		box run -b "$work/l" "$tag-l"
		if [ $user = 65534 ]; then
			[ $rc -ne 0 ] && grep -q 'listens there' err && ! grep -q '"state"' heard
			ok "$who: a stranger's agent is refused" $?
		else
			wait $agent
			[ $rc -eq 0 ] && grep -q '"metadata":"kept"' heard && ! grep -q "$canary" heard
			ok "$who: one's own is told nothing of a credential" $?
		fi
		kill $agent 2>/dev/null
		wait $agent 2>/dev/null
		rm -f "$own/agent"
	done
}

enforces() {
	new_canary
	put "$own/run-secrets/x"
	bundle f ".process.env += [\"GH_TOKEN=$canary\", \"PLAIN=$token\"] | .process.args = [\"/bin/look\", \"--token=$token\"] | .hostname = \"$token\"
		| .annotations = {\"x/password\": \"$canary\"} | .linux.cgroupsPath = \"/$token\"
		| .mounts += [{type: \"bind\", source: \"$own/run-secrets\", destination: \"/run/secrets\", options: [\"rbind\"]}]"
	as_quietly 'mode: enforce'
	unlisted=
	box run -b "$work/f" "$tag-f"
	[ $rc -eq 125 ] && ! looked && ! grep -q "$canary" err &&
		for place in 'process[.]env\[[0-9]*\]: GH_TOKEN' 'process[.]env\[[0-9]*\]: PLAIN' 'process[.]args\[1\]' hostname 'annotations' \
			'linux[.]cgroupsPath' 'mounts\[[0-9]*\]: /run/secrets'; do
			grep -qE "refused: $place" err || { echo "# not listed: $place"; unlisted=yes; }
		done && [ -z "$unlisted" ]
	ok "$who: a policy that enforces lists all that it refuses for" $?
	nothing_of "$tag-f" "and leaves nothing"
	as_quietly 'mode: observe'
	bundle f ".process.env += [\"GH_TOKEN=$canary\"] | .hostname = \"$token\" | .process.args = [\"/bin/look\"]
		| .mounts += [{type: \"bind\", source: \"$own/run-secrets\", destination: \"/run/secrets\", options: [\"rbind\"]}]"
	box run -b "$work/f" "$tag-f"
	[ $rc -eq 0 ] && grep -qx "GH_TOKEN=$canary" out && grep -qx "$token" out && grep -q '^/run/secrets/x' out
	ok "$who: one that observes leaves all as it is" $?
	reset_policy
}

rootless_leaves=
for person in $(everyone); do
	as "$person"
	[ -n "$rootless_leaves" ] || [ -n "${CHANNELS-}" ] || leaves
	rootless_leaves=yes
	for each in ${CHANNELS:-variables by_exec dummies poisoned arguments names annotations knobs hostile_names errors listener enforces}; do
		"$each"
	done
done
finish_boxes
