/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and durations as people write them on command lines. */
#ifndef RUNTIME_UNITS_H
#define RUNTIME_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* "-1", "67108864", "50M", "1.5GiB", "64 kb": bytes, units of 1024. */
bool parse_size(const char *text, int64_t *bytes);

/* "1s", "100ms", "1m30s", "1.5h": nanoseconds. */
bool parse_duration(const char *text, int64_t *ns);

#endif
