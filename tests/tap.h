/* SPDX-License-Identifier: Apache-2.0 */
/* libtap's interface, as far as our tests use it, for machines that have no libtap. */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#ifdef HAVE_LIBTAP
#include <tap.h>
#undef fail /* ours is in err.h */
#else

#include <stdbool.h>

#define NO_PLAN (-1)

#define ok(test, ...)           tap_ok_at(__FILE__, __LINE__, !!(test), "" __VA_ARGS__)
#define pass(...)               ok(1, "" __VA_ARGS__)
#define is(got, want, ...)      tap_is_at(__FILE__, __LINE__, got, want, true, "" __VA_ARGS__)
#define isnt(got, want, ...)    tap_is_at(__FILE__, __LINE__, got, want, false, "" __VA_ARGS__)
#define like(got, regex, ...)   tap_like_at(__FILE__, __LINE__, true, got, regex, "" __VA_ARGS__)
#define unlike(got, regex, ...) tap_like_at(__FILE__, __LINE__, false, got, regex, "" __VA_ARGS__)
#define cmp_ok(a, op, b, ...)   tap_cmp_at(__FILE__, __LINE__, a, op, b, "" __VA_ARGS__)
#define done_testing()          return tap_exit_status()
#define plan(...)               tap_plan(__VA_ARGS__, "")
#define skip(test, ...)                            \
	do {                                       \
		if (test) {                        \
			tap_skip(__VA_ARGS__, ""); \
			break;                     \
		}
#define end_skip \
	}        \
	while (0)
#define todo(...)     tap_todo("" __VA_ARGS__)
#define end_todo      tap_end_todo()
#define BAIL_OUT(...) tap_bail_out("" __VA_ARGS__)
#define bail_out(...) tap_bail_out("" __VA_ARGS__)
#define SKIP_ALL      (-2)

void tap_plan(int count, const char *fmt, ...);
int tap_exit_status(void);
int tap_ok_at(const char *file, int line, bool test, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int tap_is_at(const char *file, int line, const char *got, const char *want, bool equal,
	      const char *fmt, ...) __attribute__((format(printf, 6, 7)));
int tap_like_at(const char *file, int line, bool match, const char *got, const char *regex,
		const char *fmt, ...) __attribute__((format(printf, 6, 7)));
int tap_cmp_at(const char *file, int line, long long a, const char *op, long long b,
	       const char *fmt, ...) __attribute__((format(printf, 6, 7)));
int diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tap_skip(int count, const char *fmt, ...);
void tap_todo(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tap_end_todo(void);
_Noreturn void tap_bail_out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
#endif
