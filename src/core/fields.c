// SPDX-License-Identifier: Apache-2.0
/* Field tables: how an object of a value tree is read into a struct. */
#include "fields.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../base/str.h"
#include "chars.h"
#include "detect.h"
#include "../base/banned.h"

/* Longest key that an error quotes, and the longest table that it lists as a remedy. */
enum { QUOTE_MAX = 64, LISTED_MAX = 6 };

/* What words of the specification have at most, in length and digits, and a little more. */
enum { WORD_LONGEST = 44, WORD_DIGITS = 5 };

int fields_fail(struct reader *r, const struct json *v, const char *fmt, ...)
{
	const char *path = json_path(r->arena, v);
	char what[sizeof r->err->text];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);

	fail(r->err, 0, "%s%s%s", path, *path ? ": " : "", what);
	return r->by_line ? fail_in(r->err, "%u:%u", v->line, v->column) : -1;
}

int fields_expect(struct reader *r, const struct json *v, enum json_type type)
{
	if (v->type == type)
		return 0;
	return fields_fail(r, v, "expected %s, found %s", json_type_name(type),
			   json_type_name(v->type));
}

/* One letter of a key, without its case. Go's encoding/json, and so every runtime in Go, also takes
 * U+017F for an s and U+212A for a k.
 */
static char fold_letter(const char **s)
{
	const char *at = *s;

	if (!strncmp(at, "\xc5\xbf", 2)) {
		*s += 2;
		return 's';
	}
	if (!strncmp(at, "\xe2\x84\xaa", 3)) {
		*s += 3;
		return 'k';
	}
	++*s;
	return to_lower(*at);
}

static bool same_but_case(const char *a, const char *b)
{
	while (*a && *b)
		if (fold_letter(&a) != fold_letter(&b))
			return false;
	return !*a && !*b;
}

static int note_unknown(struct reader *r, const struct json *obj, const struct json *v,
			const struct field *table)
{
	const struct field *f;

	for (f = table; f->key; f++)
		if (same_but_case(v->key, f->key))
			return fields_fail(r, obj,
					   "unknown property '%s' differs from '%s' only in case; "
					   "other programs might obey it",
					   printable(r->arena, v->key, QUOTE_MAX), f->key);
	*arena_push(r->arena, r->unknown, r->n_unknown) = json_path(r->arena, v);
	return 0;
}

static int read_member(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	if (f->flags & FIELD_IGNORED || (f->flags & FIELD_OR_NULL && v->type == JSON_NULL))
		return 0;
	if (f->flags & FIELD_REFUSED)
		return fields_fail(r, v, "not supported: %s", f->why);
	if (fields_expect(r, v, f->type))
		return -1;
	if (f->flags & FIELD_NONEMPTY && !(v->type == JSON_STRING ? v->len : v->count))
		return fields_fail(r, v, "must not be empty");
	return f->read(r, v, f, (char *)out + f->offset);
}

static const struct field *find_field(const struct field *table, const char *key)
{
	const struct field *f;

	for (f = table; f->key; f++)
		if (f->key[0] == key[0] && !strcmp(f->key, key))
			return f;
	return NULL;
}

int fields_read(struct reader *r, const struct json *obj, const struct field *table, void *out)
{
	const struct json *v;
	const struct field *f;

	if (fields_expect(r, obj, JSON_OBJECT))
		return -1;
	for (v = obj->first; v; v = v->next) {
		f = find_field(table, v->key);
		if (f ? read_member(r, v, f, out) : note_unknown(r, obj, v, table))
			return -1;
	}
	for (f = table; f->key; f++)
		if (f->flags & FIELD_REQUIRED && !json_get(obj, f->key))
			return fields_fail(r, obj, "required property '%s' is missing", f->key);
	return 0;
}

int read_i64(struct reader *r, const struct json *v, const struct range *range, int64_t *out)
{
	static const struct range all = { INT64_MIN, INT64_MAX };
	int64_t n;

	if (!range)
		range = &all;
	if (fields_expect(r, v, JSON_NUMBER))
		return -1;
	if (!parse_i64(v->text, v->len, &n) || n < range->low || n > range->high)
		return fields_fail(r, v, "expected an integer from %" PRId64 " to %" PRId64,
				   range->low, range->high);
	*out = n;
	return 0;
}

int read_u64(struct reader *r, const struct json *v, uint64_t *out)
{
	if (fields_expect(r, v, JSON_NUMBER))
		return -1;
	if (!parse_u64(v->text, v->len, out))
		return fields_fail(r, v, "expected an integer from 0 to %" PRIu64, UINT64_MAX);
	return 0;
}

static const char *list_words(struct arena *a, const struct name *table)
{
	const struct name *n;
	struct str s;

	str_init(&s, a, 256);
	for (n = table; n->name; n++)
		str_printf(&s, "%s%s", n == table ? " (one of " : ", ", n->name);
	str_add(&s, ")");
	return n > table && n - table <= LISTED_MAX && !s.overflow ? s.s : "";
}

/* A misspelt word is worth quoting; what could be a secret that went astray is not. */
const char *fields_quoted(struct arena *a, const char *text)
{
	size_t len = strlen(text), digits = 0, i;
	struct finding f;

	for (i = 0; i < len; i++)
		digits += is_digit(text[i]);
	if (len > WORD_LONGEST || digits > WORD_DIGITS ||
	    detect_value(text, len, &f) != VERDICT_KEEP)
		return "";
	return arena_printf(a, " '%s'", printable(a, text, QUOTE_MAX));
}

int read_word(struct reader *r, const struct json *v, const struct name *table, const char *noun,
	      int *out)
{
	const struct name *found;

	if (fields_expect(r, v, JSON_STRING))
		return -1;
	found = name_find(table, v->text);
	if (!found)
		return fields_fail(r, v, "%s%s%s%s", strncmp(noun, "invalid ", 8) ? "unknown " : "",
				   noun, fields_quoted(r->arena, v->text),
				   list_words(r->arena, table));
	*out = found->value;
	return 0;
}

int read_word_set(struct reader *r, const struct json *v, const struct name *table,
		  const char *noun, unsigned *out)
{
	const struct json *item;
	int bits = 0;

	for (item = v->first; item; item = item->next) {
		if (read_word(r, item, table, noun, &bits))
			return -1;
		*out |= (unsigned)bits;
	}
	return 0;
}

int field_bool(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	(void)r;
	(void)f;
	*(bool *)out = !strcmp(v->text, "true");
	return 0;
}

int field_opt_bool(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct opt_bool *o = out;

	o->set = true;
	return field_bool(r, v, f, &o->v);
}

int field_string(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	(void)r;
	(void)f;
	*(const char **)out = v->text;
	return 0;
}

int field_strings(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct strings *s = out;
	const struct json *item;

	(void)f;
	*s = (struct strings){ .v = arena_array(r->arena, v->count, sizeof *s->v) };
	for (item = v->first; item; item = item->next) {
		if (fields_expect(r, item, JSON_STRING))
			return -1;
		s->v[s->n++] = item->text;
	}
	return 0;
}

int field_u32(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	static const struct range all = { 0, UINT32_MAX };
	int64_t n;

	if (read_i64(r, v, f->arg ? f->arg : &all, &n))
		return -1;
	*(uint32_t *)out = (uint32_t)n;
	return 0;
}

int field_opt_u32(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct opt_u32 *o = out;

	o->set = true;
	return field_u32(r, v, f, &o->v);
}

int field_int(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	static const struct range all = { INT_MIN, INT_MAX };
	int64_t n;

	if (read_i64(r, v, f->arg ? f->arg : &all, &n))
		return -1;
	*(int *)out = (int)n;
	return 0;
}

int field_i64(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	return read_i64(r, v, f->arg, out);
}

int field_opt_i64(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct opt_i64 *o = out;

	o->set = true;
	return read_i64(r, v, f->arg, &o->v);
}

int field_u64(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	(void)f;
	return read_u64(r, v, out);
}

int field_opt_u64(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	struct opt_u64 *o = out;
	int64_t n;

	o->set = true;
	if (!f->arg)
		return read_u64(r, v, &o->v);
	if (read_i64(r, v, f->arg, &n))
		return -1;
	o->v = (uint64_t)n;
	return 0;
}

int field_enum(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	return read_word(r, v, f->arg, f->why ? f->why : "value", out);
}

int field_object(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	return fields_read(r, v, f->arg, out);
}

int field_part(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	*(bool *)out = true;
	return fields_read(r, v, f->arg, out);
}

int field_list(struct reader *r, const struct json *v, const struct field *f, void *out)
{
	const struct list_of *of = f->arg;
	unsigned char *items, *at;
	const struct json *item;

	if (of->max && v->count > of->max)
		return fields_fail(r, v, "more than %zu entries", of->max);
	items = at = arena_array(r->arena, v->count, of->size);
	for (item = v->first; item; item = item->next, at += of->size) {
		if (fields_read(r, item, of->table, at))
			return -1;
		if (of->check && of->check(r, item, at))
			return -1;
	}
	/* Copied because the pointer's own type is not known here. */
	memcpy(out, &items, sizeof items);
	memcpy((char *)out + sizeof items, &v->count, sizeof v->count);
	return 0;
}
