// SPDX-License-Identifier: Apache-2.0
/* What went wrong, said once, where it is known; callers only pass it on. */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "banned.h"

#undef fail
#undef fail_in

int fail(struct err *e, int errnum, const char *fmt, ...)
{
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	va_end(ap);

	e->errnum = errnum;
	if (errnum) {
		len = strlen(e->text);
		snprintf(e->text + len, sizeof e->text - len, ": %s", strerror(errnum));
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
