// SPDX-License-Identifier: Apache-2.0
/* The time of day as text: always UTC. gmtime_r() would read TZ and /etc/localtime for nothing. */
#include "clock.h"

#include <stdio.h>

#include "banned.h"

enum { DAY = 24 * 60 * 60, DAYS_OF_400_YEARS = 146097 };

struct date {
	long long year;
	unsigned month, day;
};

/* Years are counted from 1 March of the year 0: the day that leap years add is then the last. */
static struct date date_of(long long days_since_1970)
{
	long long days = days_since_1970 + 719468, era, y;
	unsigned of_era, of_year, m;

	era = (days >= 0 ? days : days - (DAYS_OF_400_YEARS - 1)) / DAYS_OF_400_YEARS;
	of_era = (unsigned)(days - era * DAYS_OF_400_YEARS);
	y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (unsigned)(365 * y + y / 4 - y / 100);
	m = (5 * of_year + 2) / 153;
	return (struct date){ .year = y + era * 400 + (m >= 10),
			      .month = m < 10 ? m + 3 : m - 9,
			      .day = of_year - (153 * m + 2) / 5 + 1 };
}

const char *clock_text(const struct timespec *t, bool nanos, char out[CLOCK_TEXT])
{
	long long days = t->tv_sec / DAY;
	int secs = (int)(t->tv_sec % DAY), n;
	struct date d;

	if (secs < 0) {
		secs += DAY;
		days--;
	}
	d = date_of(days);
	n = snprintf(out, CLOCK_TEXT, "%04lld-%02u-%02uT%02d:%02d:%02d", d.year, d.month, d.day,
		     secs / 3600, secs / 60 % 60, secs % 60);
	if (nanos)
		snprintf(out + n, CLOCK_TEXT - (size_t)n, ".%09ldZ", t->tv_nsec);
	else
		snprintf(out + n, CLOCK_TEXT - (size_t)n, "Z");
	return out;
}

const char *clock_now(bool nanos, char out[CLOCK_TEXT])
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_REALTIME, &t);
	return clock_text(&t, nanos, out);
}
