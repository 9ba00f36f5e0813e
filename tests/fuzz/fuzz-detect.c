// SPDX-License-Identifier: Apache-2.0
/* Any name and value ("NAME=value"), and the value as a path: findings are whole and repeatable. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/detect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* A finding says by which rule and why, and its parts lie in the text, in order. */
static void check_finding(enum verdict v, const struct finding *f, size_t len)
{
	size_t i, end = 0;

	check(v == f->verdict && !f->rule == !f->why);
	check((v == VERDICT_KEEP && !f->is_ancestor) || (f->rule && *f->rule && *f->why));
	check(f->n_secret <= DETECT_SPANS && (v == VERDICT_CREDENTIAL || !f->n_secret));
	for (i = 0; i < f->n_secret; i++) {
		check(f->secret[i].off >= end && f->secret[i].len > 0);
		end = f->secret[i].off + f->secret[i].len;
		check(end <= len);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Copies of their exact sizes, so that a byte read past the end is noticed. */
	const uint8_t *eq = size ? memchr(data, '=', size) : NULL;
	size_t n = eq ? (size_t)(eq - data) : 0, len = eq ? size - n - 1 : size;
	char *name = malloc(n + !n), *value = malloc(len + !len);
	struct finding f, again;
	enum verdict v;

	check(name && value);
	memcpy(name, data, n);
	if (len)
		memcpy(value, data + size - len, len);
	check_finding(detect_name(name, n, &f), &f, n);
	v = detect_value(value, len, &f);
	check_finding(v, &f, len);
	if (v == VERDICT_CREDENTIAL)
		check(detect_env(name, n, value, len, true, &again) == VERDICT_CREDENTIAL);
	check_finding(detect_env(name, n, value, len, false, &f), &f, len);
	check_finding(detect_env(name, n, value, len, true, &f), &f, len);
	detect_env(name, n, value, len, true, &again);
	check(f.verdict == again.verdict && f.rule == again.rule && f.n_secret == again.n_secret);
	check_finding(detect_path(value, len, &f), &f, len);
	free(name);
	free(value);
	return 0;
}
