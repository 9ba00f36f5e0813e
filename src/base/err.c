// SPDX-License-Identifier: Apache-2.0
/* What went wrong, said once, where it is known; callers only pass it on. */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "banned.h"

#undef fail
#undef fail_in

/* As part of a sentence: engines look for "no such file or directory", in that spelling. */
static const char *error_text(int errnum, char *buf, size_t size)
{
	snprintf(buf, size, "%s", strerror(errnum));
	if (buf[0] >= 'A' && buf[0] <= 'Z' && buf[1] >= 'a' && buf[1] <= 'z')
		buf[0] = (char)(buf[0] - 'A' + 'a');
	return buf;
}

int fail(struct err *e, int errnum, const char *fmt, ...)
{
	va_list ap;
	char why[128];
	size_t len;

	va_start(ap, fmt);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	va_end(ap);

	e->errnum = errnum;
	if (errnum) {
		len = strlen(e->text);
		snprintf(e->text + len, sizeof e->text - len, ": %s",
			 error_text(errnum, why, sizeof why));
	}
	return -1;
}

int fail_in(struct err *e, const char *fmt, ...)
{
	char what[sizeof e->text];
	va_list ap;
	size_t len;

	memcpy(what, e->text, sizeof what);
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	va_end(ap);
	len = strlen(e->text);
	snprintf(e->text + len, sizeof e->text - len, ": %s", what);
	return -1;
}
