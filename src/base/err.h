/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong, said once, where it is known; callers only pass it on. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

struct err {
	int errnum;
	char text[480];
};

/* Formats "<what>[: <text of errnum>]" into *e and returns -1. Never give it a value
 * that a policy could cut: names, rules and places only.
 */
int fail(struct err *e, int errnum, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts the place in front of an error that came from below, "config.json" say; returns -1. */
int fail_in(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What compilers and analysers cannot see from the call alone: the result is always -1. */
static inline int err_failed(int minus_one)
{
	(void)minus_one;
	return -1;
}
#define fail(...)    err_failed(fail(__VA_ARGS__))
#define fail_in(...) err_failed(fail_in(__VA_ARGS__))

#endif
