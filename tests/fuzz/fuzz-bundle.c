// SPDX-License-Identifier: Apache-2.0
/* Any document at all, read as a bundle and as a process of `exec`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_env(const struct env *env)
{
	size_t i;

	for (i = 0; i < env->n; i++) {
		const struct env_entry *v = &env->v[i];

		check(v->name_len > 0 && strlen(v->name) == v->name_len);
		check(!strncmp(v->text, v->name, v->name_len) && v->value[-1] == '=');
		check(v->value == v->text + v->name_len + 1 && strlen(v->value) == v->value_len);
		check(v->at->text == v->text);
	}
}

static void check_bundle(const struct bundle *b)
{
	size_t i;

	check(b->oci_version && b->root.path && *b->root.path);
	check(!b->process.set || (b->process.args.n && b->process.cwd[0] == '/'));
	check_env(&b->process.env);
	for (i = 0; i < b->mounts.n; i++) {
		check(b->mounts.v[i].at && *b->mounts.v[i].destination);
		check(!b->mounts.v[i].uid_maps.n == !b->mounts.v[i].gid_maps.n);
	}
	for (i = 0; i < b->unknown.n; i++)
		check(*b->unknown.v[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	const struct json *top;
	struct process p;
	struct bundle b;

	if (!json_parse(&a, (const char *)data, size, &top, &e)) {
		if (!bundle_read(&a, top, &b, &e))
			check_bundle(&b);
		else
			check(*e.text);
		if (!bundle_read_process(&a, top, &p, &e))
			check_env(&p.env);
	}
	arena_release(&a);
	return 0;
}
