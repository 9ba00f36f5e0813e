// SPDX-License-Identifier: Apache-2.0
/* Sizes and durations on command lines. */
#include "tap.h"

#include <stddef.h>
#include <stdint.h>

#include "../src/runtime/units.h"

static const struct {
	const char *text;
	int64_t value; /* -2: not one */
} sizes[] = {
	{ "0", 0 },
	{ "-1", -1 },
	{ "67108864", 67108864 },
	{ "50M", 52428800 },
	{ "50m", 52428800 },
	{ "50MB", 52428800 },
	{ "50MiB", 52428800 },
	{ "50 mb", 52428800 },
	{ "1.5g", 1610612736 },
	{ "64k", 65536 },
	{ "2T", 2199023255552 },
	{ "1b", 1 },
	{ "9223372036854775807", INT64_MAX },
	{ "9223372036854775808", -2 },
	{ "8388608T", -2 },
	{ "-2", -2 },
	{ "-50M", -2 },
	{ "", -2 },
	{ "M", -2 },
	{ "1.", -2 },
	{ ".5M", -2 },
	{ "50X", -2 },
	{ "50MM", -2 },
	{ "50M ", -2 },
	{ " 50M", -2 },
	{ "1e3", -2 },
	{ "0x10", -2 },
}, durations[] = {
	{ "1s", 1000000000 },
	{ "100ms", 100000000 },
	{ "1m30s", 90000000000 },
	{ "1.5h", 5400000000000 },
	{ "10us", 10000 },
	{ "7ns", 7 },
	{ "0", 0 },
	{ "0s", 0 },
	{ "1", -2 },
	{ "", -2 },
	{ "s", -2 },
	{ "1y", -2 },
	{ "-1s", -2 },
	{ "1s ", -2 },
	{ "99999999h", -2 },
	{ "2562047h2562047h", -2 },
};

int main(void)
{
	int64_t n;
	size_t i;

	plan(NO_PLAN);
	for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		cmp_ok(parse_size(sizes[i].text, &n) ? n : -2, "==", sizes[i].value,
		       "'%s' as a size", sizes[i].text);
	for (i = 0; i < sizeof durations / sizeof durations[0]; i++)
		cmp_ok(parse_duration(durations[i].text, &n) ? n : -2, "==", durations[i].value,
		       "'%s' as a duration", durations[i].text);
	done_testing();
}
