// SPDX-License-Identifier: Apache-2.0
/* Fuzzes the reader of cached filters: what it accepts must be whole, and end within itself. */
#include "../../src/sys/seccomp_work.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KEY_AT = 8, SUM_AT = KEY_AT + HASH_SIZE, N_AT = SUM_AT + HASH_SIZE, HEADER = N_AT + 8 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Follows every jump: all instructions come after those that lead to them, so one pass will do. */
static void check(struct arena *a, const struct seccomp_program *p)
{
	bool *reached = arena_array(a, p->n, sizeof *reached);
	size_t i;

	must(p->n && p->n <= BPF_MAXINSNS);
	reached[0] = true;
	for (i = 0; i < p->n; i++) {
		const struct sock_filter *f = &p->code[i];
		bool jumps = BPF_CLASS(f->code) == BPF_JMP, always = BPF_OP(f->code) == BPF_JA;
		size_t yes = i + 1 + (!jumps ? 0 : always ? f->k : f->jt);
		size_t no = jumps && !always ? i + 1 + f->jf : yes;

		if (!reached[i] || BPF_CLASS(f->code) == BPF_RET)
			continue;
		must(yes < p->n && no < p->n);
		reached[yes] = reached[no] = true;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t none[HASH_SIZE];
	const uint8_t *key = size >= HEADER ? data + KEY_AT : none;
	struct seccomp_program p = { 0 };
	uint32_t n = (uint32_t)(size / sizeof(struct sock_filter));
	struct arena a = { 0 };
	uint8_t *whole;

	if (seccomp_cache_parse(&a, data, size, key, &p))
		check(&a, &p);

	/* The same as instructions of a file that is right otherwise: no mutation finds the sum. */
	whole = arena_alloc(&a, HEADER + size);
	memcpy(whole, "cbseccmp", KEY_AT);
	hash_sha256(data, size, whole + SUM_AT);
	memcpy(whole + N_AT, &n, sizeof n);
	memcpy(whole + HEADER, data, size);
	p = (struct seccomp_program){ 0 };
	if (seccomp_cache_parse(&a, whole, HEADER + size, none, &p))
		check(&a, &p);
	arena_release(&a);
	return 0;
}
