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

static long long days_of(long long year, unsigned month, unsigned day)
{
	long long y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400;
	unsigned of_era = (unsigned)(y - era * 400);
	unsigned of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * DAYS_OF_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
	       719468;
}

/* Exactly that many digits; -1: there are others. */
static int digits(const char **s, int count)
{
	int n = 0;

	while (count--) {
		if (**s < '0' || **s > '9')
			return -1;
		n = n * 10 + (*(*s)++ - '0');
	}
	return n;
}

static bool skip(const char **s, char c)
{
	if (**s != c)
		return false;
	++*s;
	return true;
}

static bool read_date(const char **s, long long *days)
{
	int year, month, day;
	struct date back;

	if ((year = digits(s, 4)) < 0 || !skip(s, '-') || (month = digits(s, 2)) < 1 ||
	    !skip(s, '-') || (day = digits(s, 2)) < 1 || month > 12)
		return false;
	*days = days_of(year, (unsigned)month, (unsigned)day);
	back = date_of(*days);
	return back.month == (unsigned)month && back.day == (unsigned)day;
}

/* "Z", "+02:00" */
static bool read_zone(const char **s, int *secs)
{
	int sign = **s == '-' ? -1 : 1, hours, minutes;

	*secs = 0;
	if (skip(s, 'Z') || skip(s, 'z'))
		return true;
	if ((!skip(s, '+') && !skip(s, '-')) || (hours = digits(s, 2)) < 0 || hours > 23 ||
	    !skip(s, ':') || (minutes = digits(s, 2)) < 0 || minutes > 59)
		return false;
	*secs = sign * (hours * 60 + minutes) * 60;
	return true;
}

static bool read_fraction(const char **s, long *nanos)
{
	long unit = 100 * 1000 * 1000;

	*nanos = 0;
	if (!skip(s, '.'))
		return true;
	if (**s < '0' || **s > '9')
		return false;
	for (; **s >= '0' && **s <= '9'; ++*s, unit /= 10)
		*nanos += unit * (**s - '0');
	return true;
}

bool clock_read(const char *s, struct timespec *t)
{
	long long days;
	int hour, minute, second, zone;

	*t = (struct timespec){ 0 };
	if (!read_date(&s, &days))
		return false;
	if (!*s) {
		t->tv_sec = days * DAY;
		return true;
	}
	if (!skip(&s, 'T') && !skip(&s, 't') && !skip(&s, ' '))
		return false;
	if ((hour = digits(&s, 2)) < 0 || hour > 23 || !skip(&s, ':') ||
	    (minute = digits(&s, 2)) < 0 || minute > 59 || !skip(&s, ':') ||
	    (second = digits(&s, 2)) < 0 || second > 60 || !read_fraction(&s, &t->tv_nsec) ||
	    !read_zone(&s, &zone) || *s)
		return false;
	t->tv_sec = days * DAY + hour * 3600 + minute * 60 + second - zone;
	return true;
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
