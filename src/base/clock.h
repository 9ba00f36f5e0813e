/* SPDX-License-Identifier: Apache-2.0 */
/* The time of day as text. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <time.h>

enum { CLOCK_TEXT = 48 }; /* bytes that any time fits into */

/* "2026-11-18T06:26:51Z", or with nanos "2026-11-18T06:26:51.123456789Z"; returns out. */
const char *clock_text(const struct timespec *t, bool nanos, char out[CLOCK_TEXT]);
const char *clock_now(bool nanos, char out[CLOCK_TEXT]);

/* A time of RFC 3339, or a date alone, whose day begins in UTC; false: it is neither. */
bool clock_read(const char *text, struct timespec *t);

#endif
