// SPDX-License-Identifier: Apache-2.0
/* libtap's interface, as far as our tests use it, for machines that have no libtap. */
#include "tap.h"

#ifndef HAVE_LIBTAP

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* plan() and skip() take their text or none, which a checked format would not allow. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static int planned = NO_PLAN, done, failed;
static char todo_text[128];

void tap_plan(int count, const char *fmt, ...)
{
	va_list ap;

	planned = count;
	if (count == SKIP_ALL) {
		printf("1..0 # SKIP ");
		va_start(ap, fmt);
		vprintf(fmt, ap);
		va_end(ap);
		printf("\n");
		exit(0);
	}
	if (count >= 0)
		printf("1..%d\n", count);
}

static int report(const char *file, int line, bool test, const char *fmt, va_list ap)
{
	printf("%sok %d - ", test ? "" : "not ", ++done);
	vprintf(fmt, ap);
	if (todo_text[0])
		printf(" # TODO %s", todo_text);
	printf("\n");
	if (!test) {
		failed += !todo_text[0];
		diag("failed at %s line %d", file, line);
	}
	fflush(stdout);
	return test;
}

int tap_ok_at(const char *file, int line, bool test, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(file, line, test, fmt, ap);
	va_end(ap);
	return test;
}

int tap_is_at(const char *file, int line, const char *got, const char *want, bool equal,
	      const char *fmt, ...)
{
	bool same = got && want ? !strcmp(got, want) : got == want;
	va_list ap;

	va_start(ap, fmt);
	report(file, line, same == equal, fmt, ap);
	va_end(ap);
	if (same != equal) {
		diag("     got: %s", got ? got : "(null)");
		diag("expected: %s%s", equal ? "" : "anything but ", want ? want : "(null)");
	}
	return same == equal;
}

int tap_like_at(const char *file, int line, bool match, const char *got, const char *regex,
		const char *fmt, ...)
{
	regex_t re;
	va_list ap;
	bool hit;

	if (regcomp(&re, regex, REG_EXTENDED | REG_NOSUB))
		tap_bail_out("bad regular expression '%s'", regex);
	hit = got && !regexec(&re, got, 0, NULL, 0);
	regfree(&re);

	va_start(ap, fmt);
	report(file, line, hit == match, fmt, ap);
	va_end(ap);
	if (hit != match)
		diag("     got: %s\n%s match: %s", got ? got : "(null)",
		     match ? "should" : "shouldn't", regex);
	return hit == match;
}

int tap_cmp_at(const char *file, int line, long long a, const char *op, long long b,
	       const char *fmt, ...)
{
	va_list ap;
	bool test = !strcmp(op, "==")   ? a == b
		    : !strcmp(op, "!=") ? a != b
		    : !strcmp(op, "<")  ? a < b
		    : !strcmp(op, "<=") ? a <= b
		    : !strcmp(op, ">")  ? a > b
		    : !strcmp(op, ">=") ? a >= b
					: false;

	va_start(ap, fmt);
	report(file, line, test, fmt, ap);
	va_end(ap);
	if (!test)
		diag("%lld %s %lld does not hold", a, op, b);
	return test;
}

int diag(const char *fmt, ...)
{
	char text[4096], *line, *rest = text;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	while ((line = strsep(&rest, "\n")))
		printf("# %s\n", line);
	return 0;
}

void tap_skip(int count, const char *fmt, ...)
{
	char why[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	while (count-- > 0)
		printf("ok %d # SKIP %s\n", ++done, why);
}

void tap_todo(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(todo_text, sizeof todo_text, fmt, ap);
	va_end(ap);
}

void tap_end_todo(void)
{
	todo_text[0] = '\0';
}

void tap_bail_out(const char *fmt, ...)
{
	va_list ap;

	printf("Bail out! ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	exit(255);
}

int tap_exit_status(void)
{
	if (planned == NO_PLAN)
		printf("1..%d\n", done);
	else if (planned != done)
		diag("planned %d tests but ran %d", planned, done);
	return failed || (planned != NO_PLAN && planned != done);
}

#endif
