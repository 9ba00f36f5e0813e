/* SPDX-License-Identifier: Apache-2.0 */
/* What Landlock is asked for; the numbers are the kernel's, newer than some of its headers. */
#ifndef CORE_LANDLOCK_RULES_H
#define CORE_LANDLOCK_RULES_H

#include <stddef.h>
#include <stdint.h>

enum {
	LL_EXECUTE = 1 << 0,
	LL_WRITE_FILE = 1 << 1,
	LL_READ_FILE = 1 << 2,
	LL_READ_DIR = 1 << 3,
	LL_REMOVE_DIR = 1 << 4,
	LL_REMOVE_FILE = 1 << 5,
	LL_MAKE_CHAR = 1 << 6,
	LL_MAKE_DIR = 1 << 7,
	LL_MAKE_REG = 1 << 8,
	LL_MAKE_SOCK = 1 << 9,
	LL_MAKE_FIFO = 1 << 10,
	LL_MAKE_BLOCK = 1 << 11,
	LL_MAKE_SYM = 1 << 12,
	LL_REFER = 1 << 13,     /* ABI 2 */
	LL_TRUNCATE = 1 << 14,  /* ABI 3 */
	LL_IOCTL_DEV = 1 << 15, /* ABI 5 */

	LL_READ = LL_READ_FILE | LL_READ_DIR,
	LL_WRITE = LL_WRITE_FILE | LL_REMOVE_DIR | LL_REMOVE_FILE | LL_MAKE_DIR | LL_MAKE_REG |
		   LL_MAKE_SOCK | LL_MAKE_FIFO | LL_MAKE_SYM | LL_REFER | LL_TRUNCATE,
	LL_DEVICE = LL_READ_FILE | LL_WRITE_FILE | LL_IOCTL_DEV,
	/* Of a file that is no directory the kernel takes only these. */
	LL_OF_FILES = LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV,

	LL_SCOPE_ABI = 6,
	LL_SCOPE_ABSTRACT = 1 << 0,
	LL_SCOPE_SIGNAL = 1 << 1,
};

struct landlock_rule {
	const char *path; /* in the container */
	uint32_t allow;   /* LL_* */
};

struct landlock_rules {
	int abi;         /* that is asked for; 0: none */
	uint32_t scoped; /* LL_SCOPE_* */
	struct landlock_rule *v;
	size_t n;
};

#endif
