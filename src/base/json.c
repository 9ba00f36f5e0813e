// SPDX-License-Identifier: Apache-2.0
/* The strict JSON reader: yajl finds the tokens, what it lets pass is refused here. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "str.h"
#include "utf8.h"
#include "yajl_arena.h"
#include "banned.h"

/* Paths stand in front of error texts, which they must leave room for. */
enum { PATH_KEY_MAX = 64, PATH_MAX_LEN = 320 };

#define INVALID_CHARACTER "invalid character"
#define TRAILING          "text after the end of the document"

struct reader {
	struct arena *arena;
	struct err *err;
	yajl_handle yajl;
	const char *text;
	size_t len;
	bool at_end;    /* yajl has been told that nothing follows */
	size_t end;     /* where the last token ended */
	size_t counted; /* newlines up to here are in line, so that each byte is looked at once */
	size_t line_start;
	unsigned line;
	size_t values;
	size_t depth;
	struct json *open[JSON_MAX_DEPTH]; /* the objects and arrays around the next token */
	struct json *last[JSON_MAX_DEPTH]; /* the last child of each */
	struct json *top;
	const char *key; /* read, its value is yet to come */
	size_t key_start;
	const struct json **sorted; /* scratch space for the search of duplicate keys */
	size_t sorted_cap;
};

static int fail_at(struct reader *r, size_t offset, const struct json *v, const char *what)
{
	const char *path = v ? json_path(r->arena, v) : "";
	size_t line = 1, line_start = 0, i;

	for (i = 0; i < offset; i++) {
		if (r->text[i] != '\n')
			continue;
		line++;
		line_start = i + 1;
	}
	return fail(r->err, 0, "line %zu, column %zu: %s%s%s", line, offset - line_start + 1, path,
		    *path ? ": " : "", what);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blanks(const struct reader *r, size_t i)
{
	while (i < r->len && is_blank(r->text[i]))
		i++;
	return i;
}

/* For an error between values: names the member or item to come, else what is around it. */
static int fail_here(struct reader *r, size_t offset, const char *what)
{
	struct json next = { .key = r->key };
	size_t i = skip_blanks(r, r->end);

	if (!r->depth)
		return fail_at(r, offset, NULL, what);
	next.parent = r->open[r->depth - 1];
	next.index = next.parent->count;
	if (r->key ||
	    (next.parent->type == JSON_ARRAY && (!next.index || (i < r->len && r->text[i] == ','))))
		return fail_at(r, offset, &next, what);
	return fail_at(r, offset, next.parent, what);
}

/* Only white space, commas and colons have no callback: the token begins behind them. What yajl
 * takes for white space and RFC 8259 does not, vertical tab and form feed, stands there then.
 */
static int take_token(struct reader *r, size_t *start)
{
	size_t i = r->end;

	while (i < r->len && (is_blank(r->text[i]) || r->text[i] == ',' || r->text[i] == ':'))
		i++;
	*start = i;
	if (i < r->len && (r->text[i] == '\v' || r->text[i] == '\f'))
		return fail_here(r, i, INVALID_CHARACTER);
	r->end = r->at_end ? r->len : yajl_get_bytes_consumed(r->yajl);
	return 0;
}

static void set_place(struct reader *r, struct json *v)
{
	const char *nl;

	while ((nl = memchr(r->text + r->counted, '\n', v->start - r->counted))) {
		r->line++;
		r->counted = r->line_start = (size_t)(nl + 1 - r->text);
	}
	r->counted = v->start;
	v->line = r->line;
	v->column = (unsigned)(v->start - r->line_start) + 1;
}

/* Links a value into the tree. Its path is known from then on, so limits are checked here. */
static struct json *add_value(struct reader *r, enum json_type type)
{
	struct json *v = arena_alloc(r->arena, sizeof *v), *around, *prev;

	if (take_token(r, &v->start))
		return NULL;
	v->end = r->end;
	v->type = type;
	set_place(r, v);
	if (!r->depth) {
		r->top = v;
	} else {
		around = r->open[r->depth - 1];
		prev = r->last[r->depth - 1];
		v->parent = around;
		v->key = r->key;
		v->key_start = r->key_start;
		v->index = around->count++;
		if (prev)
			prev->next = v;
		else
			around->first = v;
		r->last[r->depth - 1] = v;
	}
	r->key = NULL;
	if (++r->values > JSON_MAX_VALUES) {
		fail_at(r, v->start, v, "too many values (limit 65536)");
		return NULL;
	}
	return v;
}

static unsigned hex4(const char *s)
{
	unsigned n = 0, i;

	for (i = 0; i < 4; i++)
		n = n << 4 | (unsigned)(s[i] <= '9' ? s[i] - '0' : (s[i] & ~0x20) - 'A' + 10);
	return n;
}

/* yajl has found every \u to have four digits, but turns a lone surrogate into '?'. */
static int check_escapes(struct reader *r, size_t start, size_t end, const struct json *v)
{
	const char *s = r->text, *found;
	size_t i = start;
	unsigned c;

	while ((found = memchr(s + i, '\\', end - i))) {
		i = (size_t)(found - s);
		if (s[i + 1] != 'u') {
			i += 2;
			continue;
		}
		c = hex4(s + i + 2);
		if (!c)
			return fail_at(r, i, v, "NUL in a string");
		if (c >= 0xd800 && c <= 0xdbff && end - i > 12 && s[i + 6] == '\\' &&
		    s[i + 7] == 'u' && (hex4(s + i + 8) & ~0x3ffu) == 0xdc00)
			i += 6;
		else if (c >= 0xd800 && c <= 0xdfff)
			return fail_at(r, i, v, "lone surrogate in a string");
		i += 6;
	}
	return 0;
}

static int on_scalar(struct reader *r, enum json_type type, const char *text, size_t len)
{
	struct json *v = add_value(r, type);

	if (!v)
		return 0;
	if (type == JSON_STRING && check_escapes(r, v->start, v->end, v))
		return 0;
	v->text = arena_strndup(r->arena, text, len);
	v->len = len;
	return 1;
}

static int on_null(void *r)
{
	return on_scalar(r, JSON_NULL, "null", 4);
}

static int on_boolean(void *r, int is_true)
{
	return on_scalar(r, JSON_BOOL, is_true ? "true" : "false", is_true ? 4 : 5);
}

static int on_number(void *r, const char *text, size_t len)
{
	return on_scalar(r, JSON_NUMBER, text, len);
}

static int on_string(void *r, const unsigned char *text, size_t len)
{
	return on_scalar(r, JSON_STRING, (const char *)text, len);
}

static int on_key(void *ctx, const unsigned char *text, size_t len)
{
	struct reader *r = ctx;

	if (take_token(r, &r->key_start) ||
	    check_escapes(r, r->key_start, r->end, r->open[r->depth - 1]))
		return 0;
	r->key = arena_strndup(r->arena, (const char *)text, len);
	return 1;
}

static int on_open(struct reader *r, enum json_type type)
{
	struct json *v = add_value(r, type);

	if (!v)
		return 0;
	if (r->depth == JSON_MAX_DEPTH) {
		fail_at(r, v->start, v, "nested too deeply (limit 32)");
		return 0;
	}
	r->open[r->depth] = v;
	r->last[r->depth] = NULL;
	r->depth++;
	return 1;
}

static int on_close(struct reader *r)
{
	size_t start;

	if (take_token(r, &start))
		return 0;
	r->open[--r->depth]->end = r->end;
	return 1;
}

static int on_start_map(void *r)
{
	return on_open(r, JSON_OBJECT);
}

static int on_start_array(void *r)
{
	return on_open(r, JSON_ARRAY);
}

static int by_key(const void *one, const void *two)
{
	const struct json *a = *(const struct json *const *)one;
	const struct json *b = *(const struct json *const *)two;
	int c = strcmp(a->key, b->key);

	return c ? c : a->index < b->index ? -1 : 1;
}

/* Sorted, because comparing each key with each would let 60,000 of them take minutes. */
static const struct json *find_duplicate(struct reader *r, const struct json *obj)
{
	const struct json *v, *found = NULL;
	size_t i = 0;

	if (obj->count > r->sorted_cap) {
		r->sorted_cap = obj->count * 2;
		r->sorted = arena_array(r->arena, r->sorted_cap, sizeof *r->sorted);
	}
	for (v = obj->first; v; v = v->next)
		r->sorted[i++] = v;
	qsort(r->sorted, obj->count, sizeof *r->sorted, by_key);
	for (i = 1; i < obj->count; i++) {
		v = r->sorted[i];
		if (!strcmp(r->sorted[i - 1]->key, v->key) && (!found || v->index < found->index))
			found = v;
	}
	return found;
}

static int on_end_map(void *ctx)
{
	struct reader *r = ctx;
	const struct json *obj = r->open[r->depth - 1], *twice;

	twice = obj->count > 1 ? find_duplicate(r, obj) : NULL;
	if (twice) {
		fail_at(r, twice->key_start, twice, "duplicate key");
		return 0;
	}
	return on_close(r);
}

static int on_end_array(void *r)
{
	return on_close(r);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_start_map,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end_map,
	.yajl_start_array = on_start_array,
	.yajl_end_array = on_end_array,
};

/* yajl's words, and ours; where it can say exactly which byte of a token it means, at_byte. */
static const struct {
	const char *theirs, *ours;
	bool at_byte;
} complaints[] = {
	// clang-format off
	{ "premature EOF", "unexpected end of text", true },
	{ "trailing garbage", TRAILING, false },
	{ "probable comment", "comments are not allowed", false },
	{ "after array element", "expected ',' or ']'", false },
	{ "after key and value", "expected ',' or '}'", false },
	{ "separated by a colon", "expected ':'", false },
	{ "invalid object key", "expected a key in double quotes", false },
	{ "unallowed token", "expected a value", false },
	{ "required after the exponent", "number without a digit after its exponent", false },
	{ "required after the decimal", "number without a digit after its decimal point", false },
	{ "required after the minus", "number without a digit after its minus sign", false },
	{ "occurs before a character", "invalid escape in a string", true },
	{ "(non-hex)", "\\u without four hexadecimal digits", true },
	{ "inside string", "control character in a string", true },
	// clang-format on
};

/* At most one comma or colon stands between the last token and the one that is wrong. */
static size_t wrong_token(const struct reader *r, size_t consumed)
{
	size_t i = skip_blanks(r, r->end);

	if (i + 1 < consumed && (r->text[i] == ',' || r->text[i] == ':'))
		i = skip_blanks(r, i + 1);
	return i;
}

/* yajl's own text is not passed on: that it quotes nothing is no promise of its. */
static int fail_syntax(struct reader *r)
{
	size_t consumed = r->at_end ? r->len : yajl_get_bytes_consumed(r->yajl), i;
	const char *said = (const char *)yajl_get_error(r->yajl, 0, NULL, 0);

	for (i = 0; said && i < sizeof complaints / sizeof *complaints; i++)
		if (strstr(said, complaints[i].theirs))
			return fail_here(
				r, complaints[i].at_byte ? consumed : wrong_token(r, consumed),
				complaints[i].ours);
	return fail_here(r, wrong_token(r, consumed), INVALID_CHARACTER);
}

/* Feeds yajl what is sound, so that an error before the first bad byte comes first. */
static int parse(struct reader *r)
{
	const unsigned char *bytes = (const unsigned char *)r->text;
	const char *nul = memchr(r->text, '\0', r->len);
	size_t good = nul ? (size_t)(nul - r->text) : r->len, checked;
	yajl_status st;

	checked = utf8_check(r->text, good);
	st = yajl_parse(r->yajl, bytes, checked);
	if (st == yajl_status_ok && checked < good)
		return fail_here(r, checked, "invalid UTF-8");
	if (st == yajl_status_ok && nul)
		return fail_here(r, good, "NUL byte");
	if (st == yajl_status_ok) {
		r->at_end = true;
		st = yajl_complete_parse(r->yajl);
	}
	if (st == yajl_status_client_canceled)
		return -1;
	if (st != yajl_status_ok)
		return fail_syntax(r);

	/* yajl does not mind an unfinished string behind the document. */
	if (skip_blanks(r, r->end) < r->len)
		return fail_at(r, skip_blanks(r, r->end), NULL, TRAILING);
	return 0;
}

int json_parse(struct arena *a, const char *text, size_t len, const struct json **out,
	       struct err *e)
{
	yajl_alloc_funcs memory = yajl_arena_funcs(a);
	struct reader r = { .arena = a, .err = e, .text = text, .len = len, .line = 1 };

	if (len > JSON_MAX_SIZE)
		return fail(e, 0, "larger than %d bytes", JSON_MAX_SIZE);
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		return fail_at(&r, 0, NULL, "byte order mark");
	r.yajl = yajl_alloc(&callbacks, &memory, &r);
	if (parse(&r))
		return -1;
	*out = r.top;
	return 0;
}

const struct json *json_get(const struct json *obj, const char *key)
{
	const struct json *v;

	if (!obj || obj->type != JSON_OBJECT)
		return NULL;
	for (v = obj->first; v; v = v->next)
		if (!strcmp(v->key, key))
			return v;
	return NULL;
}

static bool is_plain_key(const char *key)
{
	size_t n = strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");

	return n && n <= PATH_KEY_MAX && !key[n];
}

static void add_step(struct str *s, const struct json *v)
{
	if (!v->key) {
		str_printf(s, "[%zu]", v->index);
	} else if (is_plain_key(v->key)) {
		str_add(s, s->len ? "." : "");
		str_add(s, v->key);
	} else {
		str_add(s, "[\"");
		str_add_printable(s, v->key, PATH_KEY_MAX);
		str_add(s, "\"]");
	}
}

const char *json_path(struct arena *a, const struct json *v)
{
	const struct json *steps[JSON_MAX_DEPTH + 1];
	const char *tail;
	struct str s;
	size_t n = 0;

	for (; v->parent && n < sizeof steps / sizeof *steps; v = v->parent)
		steps[n++] = v;
	str_init(&s, a, 16 * 1024);
	while (n)
		add_step(&s, steps[--n]);
	if (s.len <= PATH_MAX_LEN)
		return s.s;

	/* The end says more than the beginning; it starts with a whole character. */
	tail = s.s + s.len - PATH_MAX_LEN;
	while ((*tail & 0xc0) == 0x80)
		tail++;
	return arena_printf(a, "...%s", tail);
}

const char *json_type_name(enum json_type t)
{
	switch (t) {
	case JSON_NULL: return "null";
	case JSON_BOOL: return "a boolean";
	case JSON_NUMBER: return "a number";
	case JSON_STRING: return "a string";
	case JSON_ARRAY: return "an array";
	case JSON_OBJECT: return "an object";
	}
	return "nothing";
}
