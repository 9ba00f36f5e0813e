// SPDX-License-Identifier: Apache-2.0
/* Any lines as the options of a mount: each goes to one place, and the kernel can take what comes out. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

#include "../../src/core/mount_opts.h"
#include "../../src/core/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* A bit cannot be set and cleared at once; the field of access times must be cleared to be set. */
static void check_attr(uint64_t set, uint64_t clear)
{
	const uint64_t atime = MOUNT_ATTR__ATIME;

	check(!(set & clear & ~atime));
	check(!(clear & atime) || (clear & atime) == atime);
	check(!(set & atime) || (clear & atime) == atime);
	check((set & atime) == 0 || (set & atime) == MOUNT_ATTR_NOATIME ||
	      (set & atime) == MOUNT_ATTR_STRICTATIME);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct mount m = { .destination = "/", .type = "tmpfs" };
	const char *text = arena_strndup(&a, (const char *)data, size), *s;
	size_t i, n, unknown = 0, out = 0;
	struct mount_opts o;
	struct err e;

	for (s = text; *s; s += n, s += *s == '\n') {
		n = strcspn(s, "\n");
		*arena_push(&a, m.options.v, m.options.n) = arena_strndup(&a, s, n);
		if (!mount_option_find(m.options.v[m.options.n - 1]))
			unknown += n;
	}
	m.is_bind = size && data[0] == 'b';
	if (!mount_opts_read(&a, &m, &o, &e)) {
		check_attr(o.attr_set, o.attr_clear);
		check_attr(o.rec_set, o.rec_clear);
		check(o.n_propagation <= 4);
		check(!m.is_bind || (o.flags & MS_BIND));
		for (i = 0; i < o.super.n; i++)
			check(mount_option_find(o.super.v[i])->of_super);
		for (i = 0; i < o.data.n; i++) {
			check(*o.data.v[i]);
			out += strlen(o.data.v[i]);
		}
		check(out <= unknown);
	} else {
		check(e.text[0] && strlen(e.text) < sizeof e.text);
	}
	arena_release(&a);
	return 0;
}
