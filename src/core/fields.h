/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables: how an object of a value tree is read into a struct. */
#ifndef CORE_FIELDS_H
#define CORE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/json.h"
#include "names.h"

struct opt_bool {
	bool set, v;
};
struct opt_i64 {
	bool set;
	int64_t v;
};
struct opt_u64 {
	bool set;
	uint64_t v;
};
struct opt_u32 {
	bool set;
	uint32_t v;
};

struct strings {
	const char **v;
	size_t n;
};

/* What a reading function is given besides the value. */
struct reader {
	struct arena *arena;
	struct err *err;
	const char **unknown; /* paths of properties that no table knows */
	size_t n_unknown;
	bool by_line; /* policy files: errors begin with "line:column: ", not with the path alone */
};

/* A value of the field's type goes to *out, the member at the field's offset. Members that a struct
 * has beside it are within reach of a function that is given offset 0.
 */
struct field;
typedef int field_fn(struct reader *r, const struct json *v, const struct field *f, void *out);

enum {
	FIELD_REQUIRED = 1, /* its absence is an error */
	FIELD_REFUSED = 2,  /* known, but not carried out here: its presence is an error */
	FIELD_NONEMPTY = 4, /* an array or string must not be empty */
	FIELD_IGNORED = 8,  /* known and of no meaning on Linux: read over, not listed as unknown */
	FIELD_OR_NULL = 16, /* null is as good as absent: where nothing is ever edited */
};

struct field {
	const char *key;
	enum json_type type;
	field_fn *read; /* NULL with FIELD_REFUSED and FIELD_IGNORED */
	size_t offset;  /* of the member of the struct that is read into */
	unsigned flags;
	const void *arg; /* for the reading function: a table, a range, a list of names */
	const char *why; /* for FIELD_REFUSED: what is missing and what to do;
			    for field_enum: what its words are called, "namespace" */
};

/* Reads an object by a table that ends with a NULL key. A property that is null is an error without
 * FIELD_OR_NULL, as any wrong type is: "process.env[1]: expected a string, found a number". A key that
 * is unknown but equals a known one up to case is refused: another parser would obey it. Other unknown
 * keys go to r->unknown.
 */
int fields_read(struct reader *r, const struct json *obj, const struct field *table, void *out);

/* " 'word'" for a message, or nothing where that could be a secret which went astray. */
const char *fields_quoted(struct arena *a, const char *text);

/* An error at a value of the tree; returns -1. Never put the value's text into it unless the
 * field cannot hold a credential (a type, an action, an option name).
 */
int fields_fail(struct reader *r, const struct json *v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* For items of arrays and members of maps: 0 when the value is of that type. */
int fields_expect(struct reader *r, const struct json *v, enum json_type type);

/* Reading functions of general use; .arg says what each takes. */
field_fn field_bool;     /* bool */
field_fn field_opt_bool; /* struct opt_bool */
field_fn field_string;   /* const char * */
field_fn field_strings;  /* struct strings */
field_fn field_u32;      /* uint32_t;       arg: const struct range *, or NULL for all */
field_fn field_opt_u32;  /* struct opt_u32; likewise */
field_fn field_int;      /* int;            likewise */
field_fn field_i64;      /* int64_t;        likewise */
field_fn field_opt_i64;  /* struct opt_i64; likewise */
field_fn field_u64;      /* uint64_t */
field_fn field_opt_u64;  /* struct opt_u64; arg: likewise */
field_fn field_enum;     /* int;            arg: const struct name * that ends with a NULL */
field_fn field_object;   /* struct by value; arg: const struct field * */
field_fn field_part;     /* the same for a struct whose first member is "bool set": it is set */
field_fn field_list;     /* pointer to structs, followed by a size_t; arg: const struct list_of * */

struct range {
	int64_t low, high;
};

/* An array of objects, read into an array of structs. */
struct list_of {
	const struct field *table;
	size_t size; /* of the struct */
	size_t max;  /* most items; 0: as many as the document may have */
	int (*check)(struct reader *r, const struct json *v, void *item); /* or NULL */
};

/* Integers only: no fraction, no exponent, no sign where the range has none, no leading zero, no -0.
 * A range of NULL is all that the type can hold.
 */
int read_i64(struct reader *r, const struct json *v, const struct range *range, int64_t *out);
int read_u64(struct reader *r, const struct json *v, uint64_t *out);

/* A word out of a table; noun is what such words are called. The error quotes what is unknown; it says
 * "unknown" of it, unless the noun itself begins with "invalid".
 */
int read_word(struct reader *r, const struct json *v, const struct name *table, const char *noun,
	      int *out);

/* An array of such words, their values or-ed together. */
int read_word_set(struct reader *r, const struct json *v, const struct name *table,
		  const char *noun, unsigned *out);

#endif
