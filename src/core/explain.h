/* SPDX-License-Identifier: Apache-2.0 */
/* A plan for people to read and for programs to parse; never with a value in it. */
#ifndef CORE_EXPLAIN_H
#define CORE_EXPLAIN_H

#include "plan.h"

const char *explain_text(struct arena *a, const struct plan *p, bool colour);
const char *explain_json(struct arena *a, const struct plan *p);

/* "removes 3 env and 1 mount, masks 2 paths": what happens, in one line. */
const char *explain_summary(struct arena *a, const struct plan *p);

#endif
