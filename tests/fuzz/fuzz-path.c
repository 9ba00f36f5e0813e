// SPDX-License-Identifier: Apache-2.0
/* Any bytes as a path: judged the same however they are spelled, and only by known rules. */
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

static struct finding judge(const char *path, size_t len)
{
	struct finding f;

	check(detect_path(path, len, &f) == f.verdict);
	check(f.verdict != VERDICT_POINTER && !f.n_secret);
	if (f.verdict == VERDICT_KEEP)
		check(!f.rule && !f.why && !f.is_ancestor);
	else
		check(!strncmp(f.rule, "path:", 5) && *f.why);
	return f;
}

/* The same path with every slash written as "/.//". */
static size_t respell(const uint8_t *data, size_t size, char *out)
{
	size_t i, n = 0;

	for (i = 0; i < size; i++) {
		out[n++] = (char)data[i];
		if (data[i] == '/') {
			memcpy(out + n, ".//", 3);
			n += 3;
		}
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *other = malloc(4 * size + 1);
	struct finding f = judge((const char *)data, size), g;

	if (!other)
		return 0;
	g = judge(other, respell(data, size, other));
	check(f.verdict == g.verdict && f.rule == g.rule && f.is_ancestor == g.is_ancestor);
	free(other);
	return 0;
}
