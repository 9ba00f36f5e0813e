// SPDX-License-Identifier: Apache-2.0
/* Any bytes as /etc/passwd: a home is an absolute path that stands in a line of its user. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/sys/cred.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* The first four bytes are the user; the text is a copy of its own, so that ASan sees its end. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	const char *home, *at, *end;
	char id[16], *text;
	uint32_t uid;

	if (size < sizeof uid)
		return 0;
	memcpy(&uid, data, sizeof uid);
	size -= sizeof uid;
	text = malloc(size + !size);
	if (!text)
		return 0;
	memcpy(text, data + sizeof uid, size);
	home = cred_home_in(&a, text, size, uid);
	check(*home == '/' && strlen(home) < PATH_MAX && !strchr(home, '\n') && !strchr(home, ':'));
	if (home[1]) {
		snprintf(id, sizeof id, ":%u:", uid);
		at = memmem(text, size, id, strlen(id));
		check(at != NULL);
		end = text + size;
		check(memmem(at, (size_t)(end - at), home, strlen(home)) != NULL);
	}
	free(text);
	arena_release(&a);
	return 0;
}
