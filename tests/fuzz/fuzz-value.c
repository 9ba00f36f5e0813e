// SPDX-License-Identifier: Apache-2.0
/* Any value: what is found lies in it, in order, and is found by every look. */
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

static void check_finding(const struct finding *f, size_t size)
{
	size_t end = 0;
	unsigned i;

	check(f->verdict == VERDICT_KEEP || f->verdict == VERDICT_CREDENTIAL);
	check((f->verdict == VERDICT_CREDENTIAL) == (f->rule && f->why));
	check(f->n_secret <= DETECT_SPANS && !(f->is_whole && f->n_secret));
	check(f->verdict == VERDICT_CREDENTIAL || (!f->n_secret && !f->is_whole));
	for (i = 0; i < f->n_secret; i++) {
		check(f->secret[i].len > 0 && f->secret[i].off >= end);
		end = f->secret[i].off + f->secret[i].len;
		check(end <= size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A copy of the exact size and without a NUL, so that a byte read past the end is noticed. */
	char *value = malloc(size + !size);
	struct finding f, again;

	check(value != NULL);
	if (size)
		memcpy(value, data, size);
	check(detect_strong(value, size, &f) == f.verdict);
	check_finding(&f, size);
	check(detect_value(value, size, &f) == f.verdict);
	check_finding(&f, size);
	detect_value(value, size, &again);
	check(f.rule == again.rule && f.n_secret == again.n_secret &&
	      !memcmp(f.secret, again.secret, f.n_secret * sizeof f.secret[0]));
	free(value);
	return 0;
}
