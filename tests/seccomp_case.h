/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of seccomp share: sections from text, and calls under a filter. */
#ifndef TESTS_SECCOMP_CASE_H
#define TESTS_SECCOMP_CASE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/sys/seccomp.h"
#include "tap.h"

/* The section in JSON, with single quotes for double ones; the reader's error bails out. */
static inline const struct seccomp *section(struct arena *a, const char *text)
{
	struct bundle *b = arena_alloc(a, sizeof *b);
	const struct json *top;
	struct err e = { 0 };
	char *doc, *p;

	doc = arena_printf(a, "{'ociVersion':'1.2.0','root':{'path':'r'},'linux':{'seccomp':%s}}",
			   text);
	for (p = doc; *p; p++)
		if (*p == '\'')
			*p = '"';
	if (json_parse(a, doc, strlen(doc), &top, &e) || bundle_read(a, top, b, &e))
		BAIL_OUT("%s in %s", e.text, text);
	return &b->lin.seccomp;
}

/* seccomp_build() without a cache; its error, or "". */
static inline const char *build(struct arena *a, const char *text, struct seccomp_program *p)
{
	struct err e = { 0 };

	return seccomp_build(a, section(a, text), NULL, p, &e) ? arena_strdup(a, e.text) : "";
}

/* Without what sanitizers do at an exit: the filter may not let them. */
static inline _Noreturn void leave(int code)
{
	for (;;)
		syscall(SYS_exit_group, code);
}

/* What fn returns in a process under the filter, 0 to 250; minus a signal that ended it. */
static inline int under(const struct seccomp_program *p, int (*fn)(const void *), const void *arg)
{
	int status, listener, pid = fork();
	struct err e;

	if (!pid) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || seccomp_install(p, &listener, &e))
			leave(254);
		leave(fn(arg));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		BAIL_OUT("cannot fork");
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

struct call {
	long nr, args[3];
};

/* errno of the call; 0: none */
static inline int do_call(const void *arg)
{
	const struct call *c = arg;

	return syscall(c->nr, c->args[0], c->args[1], c->args[2], 0, 0, 0) < 0 ? errno : 0;
}

#endif
