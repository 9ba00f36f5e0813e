/* SPDX-License-Identifier: Apache-2.0 */
/* What callers and people are told: errors on standard error and in the log, the rest where asked for. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

#include "err.h"

/* log_open - where lines go from now on
 * path NULL: there is no file. The file is appended to; engines read it as a whole, so with json it
 * gets nothing but errors unless debug is set.
 */
int log_open(const char *path, bool json, bool debug, struct err *e);

/* "credsbox: <command>: <text>" on standard error, and a line in the log; once for each failure. */
void log_error(const char *command, const char *text);

/* To the log if there is one, else to standard error. Never give them a value that could be a
 * credential.
 */
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
