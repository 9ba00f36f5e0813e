/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of seccomp share; for seccomp*.c and their tests alone. */
#ifndef SYS_SECCOMP_WORK_H
#define SYS_SECCOMP_WORK_H

#include "../base/hash.h"
#include "seccomp.h"

/* seccomp_compile - the section as a program for the kernel, made by libseccomp */
int seccomp_compile(struct arena *a, const struct seccomp *s, struct seccomp_program *p,
		    struct err *e);

uint32_t seccomp_native(void); /* the architecture that is always in a program */

/* A program in the making. What does not fit is counted, but not there. */
struct seccomp_code {
	struct sock_filter *v; /* room for BPF_MAXINSNS */
	unsigned n;
};

static inline void seccomp_emit(struct seccomp_code *c, unsigned op, unsigned char jt,
				unsigned char jf, uint32_t k)
{
	if (c->n < BPF_MAXINSNS)
		c->v[c->n] = (struct sock_filter){ (unsigned short)op, jt, jf, k };
	c->n++;
}

enum { SECCOMP_ARGS = 6 };

uint32_t seccomp_return(int action, struct opt_u32 data); /* SECCOMP_RET_*, with its data */
bool seccomp_is_stricter(uint32_t a, uint32_t b);         /* of such values, as the kernel has it */
int seccomp_number(const char *name, enum seccomp_arch arch); /* negative: it has no such call */

/* seccomp_decide - what a call meets about which there are these rules, and what it meets otherwise
 * The number is known by now; nothing goes on to what follows. -1: there are too many instructions.
 */
int seccomp_decide(struct arena *a, struct seccomp_code *c, enum seccomp_arch arch,
		   const struct seccomp_rule *const *rules, size_t n, uint32_t otherwise);

/* seccomp_exact - decide all calls of an architecture for which there is a rule with conditions
 * A call that is none of them goes on to what follows. -1: there are too many instructions.
 */
int seccomp_exact(struct arena *a, const struct seccomp *s, enum seccomp_arch arch,
		  struct seccomp_code *c);

/* seccomp_key - what a program is found by: all that it is made from
 * release is the kernel's. Where the agent is, and what it is told, is no part of it. False: too
 * much to have a key.
 */
bool seccomp_key(struct arena *a, const struct seccomp *s, const char *release,
		 uint8_t key[HASH_SIZE]);

/* seccomp_cache_parse - the content of a cache file; false when it is not, byte for byte, what
 * seccomp_cache_put() wrote for that key
 */
bool seccomp_cache_parse(struct arena *a, const void *data, size_t len,
			 const uint8_t key[HASH_SIZE], struct seccomp_program *p);

/* Whether the program was found. Whatever is not right is as good as not there. */
bool seccomp_cache_get(struct arena *a, const char *dir, const uint8_t key[HASH_SIZE],
		       struct seccomp_program *p);

/* Makes the directory when only that is missing. That it cannot be written is nobody's concern. */
void seccomp_cache_put(struct arena *a, const char *dir, const uint8_t key[HASH_SIZE],
		       const struct seccomp_program *p);

/* What was compiled with the program; ends with one that has no name. */
struct seccomp_shipped {
	const char *name;
	bool listens;
	const struct sock_filter *code;
	size_t n;
};
extern const struct seccomp_shipped seccomp_shipped[];

#endif
