// SPDX-License-Identifier: Apache-2.0
/* Any bytes as a list of CPUs: what is read, written out and read again is the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/names.h"

enum { BITS = 256, LONGS = BITS / (8 * sizeof(long)) };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned long bits[LONGS + 1], again[LONGS];
	char text[BITS * 4 + 1] = "", *list = malloc(size + 1);
	size_t i, n = 0;

	if (!list)
		return 0;
	memcpy(list, data, size);
	list[size] = '\0';
	bits[LONGS] = 42;
	if (parse_list(list, bits, BITS)) {
		for (i = 0; i < BITS; i++)
			if (bits[i / (8 * sizeof(long))] >> i % (8 * sizeof(long)) & 1)
				n += (size_t)snprintf(text + n, sizeof text - n, "%s%zu",
						      n ? "," : "", i);
		check(n && parse_list(text, again, BITS));
		check(!memcmp(bits, again, sizeof again));
		check(!list[strspn(list, "0123456789,- ")]);
	}
	check(bits[LONGS] == 42);
	free(list);
	return 0;
}
