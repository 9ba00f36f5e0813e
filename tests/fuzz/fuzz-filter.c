// SPDX-License-Identifier: Apache-2.0
/* Any bundle, filtered: the result is a bundle, and filtering it again changes nothing. */
#include "plan_input.h"

#include "../../src/core/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *once, *twice;
	struct input first, second;
	struct arena a = { 0 };
	struct policy policy;
	size_t len, again;
	struct err e;

	input_policy(&a, &policy, size);
	if (input_plan(&a, text, size, &policy, &first) &&
	    !filter_text(&a, &first.plan, text, size, &once, &len, &e)) {
		check(input_plan(&a, once, len, &policy, &second));
		check(!filter_text(&a, &second.plan, once, len, &twice, &again, &e));
		check(again == len && !memcmp(once, twice, len));
		if (policy.mode == MODE_OBSERVE)
			check(len == size && !memcmp(once, text, size));
	}
	arena_release(&a);
	return 0;
}
