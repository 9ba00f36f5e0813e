// SPDX-License-Identifier: Apache-2.0
/* What a workload would try to get at what is not its own; linked statically, for roots with nothing in them. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static int told(const char *what, long result)
{
	printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
	return result < 0;
}

/* key-add session|user NAME VALUE */
static int key_add(char **args)
{
	long ring = !strcmp(args[0], "user") ? KEY_SPEC_USER_KEYRING : KEY_SPEC_SESSION_KEYRING;

	return syscall(SYS_add_key, "user", args[1], args[2], strlen(args[2]), ring) < 0;
}

/* key-read NAME: by a search from the session's keyring, to which the user's is linked first */
static int key_read(char **args)
{
	char text[256] = "";
	long key;

	syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_SESSION_KEYRING);
	key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", args[0], 0);
	if (key < 0)
		return told("search", key);
	if (syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof text - 1) < 0)
		return told("read", -1);
	puts(text);
	return 0;
}

static int abstract(const char *name, struct sockaddr_un *at, socklen_t *len)
{
	*at = (struct sockaddr_un){ .sun_family = AF_UNIX };
	strncpy(at->sun_path + 1, name, sizeof at->sun_path - 2);
	*len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

/* listen NAME: on an abstract socket, until killed */
static int listens(char **args)
{
	struct sockaddr_un at;
	socklen_t len;
	int fd = abstract(args[0], &at, &len);

	if (bind(fd, (struct sockaddr *)&at, len) || listen(fd, 8))
		return told("listen", -1);
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}

static int connects(char **args)
{
	struct sockaddr_un at;
	socklen_t len;
	int fd = abstract(args[0], &at, &len);

	return told("connect", connect(fd, (struct sockaddr *)&at, len));
}

/* reach ADDRESS PORT: is there a way to it, and who answers? Connecting a datagram socket sends nothing. */
static int reach(char **args)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)strtol(args[1], NULL, 10)) };
	int udp = socket(AF_INET, SOCK_DGRAM, 0), tcp = socket(AF_INET, SOCK_STREAM, 0);

	if (inet_pton(AF_INET, args[0], &to.sin_addr) != 1)
		return 2;
	if (told("way", connect(udp, (struct sockaddr *)&to, sizeof to)))
		return 1;
	return told("answer", connect(tcp, (struct sockaddr *)&to, sizeof to));
}

/* look PID: all ways into another process */
static int look(char **args)
{
	pid_t pid = (pid_t)strtol(args[0], NULL, 10);
	char byte;
	struct iovec here = { &byte, 1 }, there = { &byte, 1 };
	long pidfd = syscall(SYS_pidfd_open, pid, 0);

	told("ptrace", ptrace(PTRACE_SEIZE, pid, 0, 0));
	/* The address is ours; in the other, whatever is there: a fault means that it was let in. */
	told("process_vm_readv",
	     process_vm_readv(pid, &here, 1, &there, 1, 0) < 0 && errno != EFAULT ? -1 : 0);
	told("pidfd_getfd", pidfd < 0 ? -1 : syscall(SYS_pidfd_getfd, pidfd, 0, 0));
	return told("kill", kill(pid, 0));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(char **args);
		int n_args;
	} commands[] = {
		{ "key-add", key_add, 3 },  { "key-read", key_read, 1 }, { "listen", listens, 1 },
		{ "connect", connects, 1 }, { "look", look, 1 },         { "reach", reach, 2 },
	};
	size_t i;

	for (i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++)
		if (!strcmp(argv[1], commands[i].name) && argc == commands[i].n_args + 2)
			return commands[i].run(argv + 2);
	fputs("usage: probe COMMAND ARGUMENT...\n", stderr);
	return 2;
}
