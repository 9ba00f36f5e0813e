#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ordinary programs under the floor and each profile: this system's own, in a root of its files.
# shellcheck source=tests/cli.sh disable=SC2016,SC2154
. "${top_srcdir:-.}/tests/cli.sh"
# shellcheck source=tests/box.sh
. "$top_srcdir/tests/box.sh"

# /usr as it is, read-only; /bin and its kin as the system has them.
mkdir -p "$work/host/etc" "$work/host/tmp" "$work/host/proc" "$work/host/sys" "$work/host/dev" \
	"$work/host/usr" || exit 1
mounts='[{destination: "/usr", source: "/usr", type: "bind", options: ["rbind", "ro"]},
	{destination: "/tmp", source: "tmpfs", type: "tmpfs", options: ["mode=1777"]}]'
for dir in bin sbin lib lib32 lib64; do
	if [ -h "/$dir" ]; then
		ln -s "$(readlink "/$dir")" "$work/host/$dir"
	elif [ -d "/$dir" ]; then
		mkdir "$work/host/$dir"
		mounts="$mounts + [{destination: \"/$dir\", source: \"/$dir\", type: \"bind\", options: [\"rbind\", \"ro\"]}]"
	fi
done
cp "$work/base/etc/passwd" "$work/base/etc/group" "$work/host/etc/"
cp /etc/ld.so.cache "$work/host/etc/" 2>/dev/null
[ ! -d /etc/alternatives ] || cp -a /etc/alternatives "$work/host/etc/"
chmod -R a+rX "$work/host"

# runs PROGRAM SENTENCE: the shell script on standard input does it, and prints "well"
runs() {
	program=$1 sentence=$2
	script=$(cat)
	if ! PATH=/usr/bin:/bin command -v "$program" >/dev/null; then
		skip "$who, $what: $sentence" "no $program here"
		return
	fi
	bundle tried ".root = {path: \"$work/host\", readonly: true} | .mounts += ($mounts)
		| .process.cwd = \"/tmp\" | .process.env = [\"PATH=/usr/bin:/bin\", \"HOME=/tmp\", \"LC_ALL=C\"] | $filter
		| .process.args = [\"timeout\", \"100\", \"/bin/sh\", \"-c\", $(printf %s "$script" | jq -Rs .)]"
	box run -b "$work/tried" "$tag-tried"
	[ "$rc" -eq 0 ] && [ "$(tail -n 1 out)" = well ]
	ok "$who, $what: $sentence" $?
}

programs() {
	runs bash "bash runs pipes, substitutions and background jobs" <<-'END'
		exec bash -c 'set -e; diff <(seq 3 | sort -r | sort) <(seq 3); sleep 0.1 & wait $!
			mkfifo p; echo well >p & read -r a <p; trap "echo $a" EXIT; kill -0 $$'
	END
	runs python3 "python3 runs threads, processes and asyncio" <<-'END'
		cat >t.py <<'PY'
		import asyncio, multiprocessing, os, socket, sqlite3, subprocess, tempfile, threading
		def square(n):
		    return n * n
		async def talk():
		    async def serve(r, w):
		        w.write(await r.readline())
		        w.close()
		    server = await asyncio.start_server(serve, "127.0.0.1", 0)
		    r, w = await asyncio.open_connection(*server.sockets[0].getsockname())
		    w.write(b"hello\n")
		    assert await r.readline() == b"hello\n"
		    p = await asyncio.create_subprocess_exec("true")
		    assert await p.wait() == 0
		    w.close()
		if __name__ == "__main__":
		    threads = [threading.Thread(target=square, args=(n,)) for n in range(8)]
		    [t.start() for t in threads] and [t.join() for t in threads]
		    with multiprocessing.Pool(2) as pool:
		        assert pool.map(square, range(4)) == [0, 1, 4, 9]
		    with multiprocessing.get_context("spawn").Pool(1) as pool:
		        assert pool.map(square, [5]) == [25]
		    with multiprocessing.Manager() as m:
		        m.list([1]).append(2)
		    asyncio.run(talk())
		    assert subprocess.run(["sh", "-c", "exit 3"]).returncode == 3
		    with tempfile.TemporaryDirectory() as d:
		        sqlite3.connect(d + "/x").execute("create table t (a)")
		    socket.getaddrinfo("127.0.0.1", 80)
		    os.mkfifo("fifo")
		    print("well")
		PY
		exec python3 t.py
	END
	runs node "node runs a server, workers and children" <<-'END'
		cat >t.js <<'JS'
		const http = require("http"), { Worker } = require("worker_threads"), fs = require("fs");
		const { execFileSync } = require("child_process");
		const server = http.createServer((q, r) => r.end("hello")).listen(0, "127.0.0.1", () => {
			http.get({ port: server.address().port, host: "127.0.0.1" }, (r) => r.on("data", (d) => {
				if (String(d) !== "hello" || String(execFileSync("echo", ["x"])) !== "x\n") process.exit(1);
				fs.watch("/tmp").close();
				const w = new Worker("require('worker_threads').parentPort.postMessage(6 * 7)", { eval: true });
				w.on("message", (m) => { server.close(); if (m === 42) console.log("well"); });
			}));
		});
		JS
		exec node t.js
	END
	runs git "git commits, clones and packs" <<-'END'
		set -e
		git init -q a && cd a && git config user.email a@b && git config user.name a
		echo x >f && git add f && git commit -q -m x && cd .. && git clone -q a b
		git clone -q --no-local a c && cd b && git gc -q && git fsck --no-progress && git log --format=%s | grep -q x
		echo well
	END
	runs gcc "gcc and make build a program with threads" <<-'END'
		set -e
		cat >t.c <<'C'
		#include <pthread.h>
		#include <stdio.h>
		static void *f(void *p) { return p; }
		int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); puts("well"); return 0; }
		C
		printf 'a b t: %%: ; cp t.c $@.c && gcc -O2 -pthread $@.c -o $@-out\n' >Makefile
		if command -v make >/dev/null; then make -s -j3 a b; fi
		gcc -pipe -O2 -pthread t.c -o t-out && mkdir -p x && mv t-out x/ && exec x/t-out
	END
	runs perl "perl forks, and talks over sockets" <<-'END'
		exec perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) or die $!;
			if (!fork) { syswrite(B, "well\n"); exit } sysread(A, $x, 5); wait; open(P, "-|", "cat", "/etc/passwd") or die;
			@l = <P>; die unless @l > 1; print $x'
	END
}

for person in $(everyone); do
	for what in default strict; do
		as "$person"
		with_policy "seccomp: {profile: $what}"
		filter='del(.linux.seccomp)'
		programs
	done
	as "$person"
	what='unconfined by its engine, with all capabilities'
	filter='del(.linux.seccomp) | .process.capabilities |= map_values(["CAP_CHOWN", "CAP_SYS_ADMIN", "CAP_NET_ADMIN",
		"CAP_SYS_PTRACE", "CAP_KILL", "CAP_SETUID", "CAP_SETGID"]) | .linux.maskedPaths = [] | .linux.readonlyPaths = []'
	programs
done

# What the strict profile is for: the same tests see it deny something.
as "$(everyone | tr ' ' '\n' | head -n 1)"
with_policy 'seccomp: {profile: strict}'
what=strict filter='del(.linux.seccomp)'
runs perl "and System V's shared memory is not there" <<-'END'
	exec perl -MIPC::SysV=IPC_PRIVATE,S_IRUSR -e 'print defined(shmget(IPC_PRIVATE, 100, 0600)) ? "there\n" : "well\n"'
END
finish_boxes
