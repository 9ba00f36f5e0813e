/* SPDX-License-Identifier: Apache-2.0 */
/* For the files of the format tables alone: how a row is written. */
#ifndef CORE_VALUE_FORMATS_TABLES_H
#define CORE_VALUE_FORMATS_TABLES_H

#include "value_formats.h"

#define F(prefix, shape, check, name, why)                   \
	{                                                    \
		prefix, shape, check, "env-value:" name, why \
	}

/* In the order of the first bytes of their prefixes; no byte is in two of them. */
extern const struct value_table value_formats_a; /* signs, digits, A to F */
extern const struct value_table value_formats_b; /* G to Z */
extern const struct value_table value_formats_c; /* a to f */
extern const struct value_table value_formats_d; /* g to o */
extern const struct value_table value_formats_e; /* p to r */
extern const struct value_table value_formats_f; /* s to z */

#endif
