/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of seccomp share; for seccomp*.c alone. */
#ifndef SYS_SECCOMP_WORK_H
#define SYS_SECCOMP_WORK_H

#include "seccomp.h"

/* seccomp_compile - the section as a program for the kernel, made by libseccomp */
int seccomp_compile(struct arena *a, const struct seccomp *s, struct seccomp_program *p,
		    struct err *e);

#endif
