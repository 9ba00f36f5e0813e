/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-ins: what a workload gets in place of a credential when a policy says "dummy". */
#ifndef CORE_DUMMY_H
#define CORE_DUMMY_H

#include <stdint.h>

#include "../base/arena.h"
#include "detect.h"

/* dummy_make - a value of the same form with nothing of the secret in it
 * Replaces the spans of the finding (or all of the value). Keeps prefix, length and alphabet of each; one that is
 * too short to carry a mark becomes longer. Derived from seed and index alone, so that the
 * caller who keeps the seed can make it again.
 */
char *dummy_make(struct arena *a, const char *value, size_t len, const struct finding *f,
		 const uint8_t seed[32], uint64_t index);

/* Is every secret of the value such a stand-in? */
bool dummy_is(const char *value, size_t len, const struct finding *f);

#endif
