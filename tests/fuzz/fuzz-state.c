// SPDX-License-Identifier: Apache-2.0
/* Fuzzes what is read of a container: its state file, its pid file, a line of /proc. */
#include "../../src/runtime/container.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* What was believed can be told again, to hooks say, and still is a document. */
static void check_told(struct arena *a, const struct state *s)
{
	const char *text = container_state_json(a, s, STATUS_STOPPED, 0, false);
	const struct json *doc = NULL;
	struct err e = { 0 };

	must(!json_parse(a, text, strlen(text), &doc, &e));
	must(!strcmp(json_get(doc, "id")->text, s->id));
	must(!strcmp(json_get(doc, "bundle")->text, s->bundle));
	must(!json_get(doc, "annotations") == !s->annotations.n);
}

static void check_hooks(struct arena *a, const struct state *s, enum hook_kind kind)
{
	struct plan_hook *hooks = NULL;
	struct err e = { 0 };
	size_t n = 0, i;

	if (container_hooks(a, s, kind, &hooks, &n, &e)) {
		must(*e.text && !strchr(e.text, '\n'));
		return;
	}
	for (i = 0; i < n; i++) {
		must(hooks[i].hook->path[0] == '/');
		must(hooks[i].env && !hooks[i].env[hooks[i].n_env]);
	}
}

static void fuzz_doc(struct arena *a, const char *text, size_t len)
{
	struct state s = { .root = -1, .dir = -1, .id = "c" };
	struct err e = { 0 };
	struct cgroup cg;

	if (state_parse(a, text, len, &s, &e)) {
		must(*e.text && !s.doc && !s.bundle);
		return;
	}
	must(s.doc && s.bundle && s.rootfs && s.created && s.oci_version);
	check_told(a, &s);
	check_hooks(a, &s, HOOK_POSTSTART);
	check_hooks(a, &s, HOOK_POSTSTOP);
	container_has_namespace(&s, NS_PID);
	if (json_get(s.doc, "cgroup"))
		cgroup_read(a, json_get(s.doc, "cgroup"), &cg, &e);
}

static void fuzz_pid(const char *text, size_t len)
{
	char again[64];
	uint64_t start;
	pid_t pid;
	int n;

	if (!state_parse_pid(text, len, &pid, &start))
		return;
	n = snprintf(again, sizeof again, "%d %llu\n", (int)pid, (unsigned long long)start);
	must(pid > 0 && len == (size_t)n && !memcmp(text, again, len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);
	struct process_stat st;
	struct arena a = { 0 };

	must(text != NULL);
	if (size)
		memcpy(text, data, size);
	fuzz_doc(&a, text, size);
	fuzz_pid(text, size);
	if (process_stat_parse(text, size, &st))
		must(memchr(text, ')', size) != NULL);
	arena_release(&a);
	free(text);
	return 0;
}
