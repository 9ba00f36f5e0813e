/* SPDX-License-Identifier: Apache-2.0 */
/* A plan applied to the text of config.json, for runtimes that know nothing of it. */
#ifndef CORE_FILTER_H
#define CORE_FILTER_H

#include "plan.h"

/* filter_text - the source with the plan's cuts taken out and its masks put in
 * Everything else stays as it is, to the byte: blanks, order, the spelling of numbers. A plan that refuses
 * is an error. The bundle must have been read from this very text.
 */
int filter_text(struct arena *a, const struct plan *p, const char *source, size_t len,
		const char **out, size_t *out_len, struct err *e);

#endif
