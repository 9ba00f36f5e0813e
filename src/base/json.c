// SPDX-License-Identifier: Apache-2.0
/* The strict JSON reader: yajl finds the tokens, what it lets pass is refused here. */
#include "json.h"

#include <string.h>

#include <yajl/yajl_parse.h>

#include "jsontree.h"
#include "utf8.h"
#include "yajl_arena.h"
#include "banned.h"

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
	struct json_tree tree;
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

/* For an error between values: names the member or item to come, else what is around it. A key
 * counts as one only when its colon is there: with { for [, values stand in the place of keys.
 */
static int fail_here(struct reader *r, size_t offset, const char *what)
{
	const struct json *around = json_tree_around(&r->tree);
	struct json next = { .parent = around, .key = r->tree.key };
	size_t i = skip_blanks(r, r->end);
	char separator = i < r->len ? r->text[i] : '\0';
	bool has_name;

	if (!around)
		return fail_at(r, offset, NULL, what);
	next.index = around->count;
	if (around->type == JSON_ARRAY)
		has_name = !around->count || separator == ',';
	else
		has_name = next.key && separator == ':';
	return fail_at(r, offset, has_name ? &next : around, what);
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

static struct json *new_value(struct reader *r, enum json_type type)
{
	struct json *v = arena_alloc(r->arena, sizeof *v);
	const char *wrong;

	if (take_token(r, &v->start))
		return NULL;
	v->type = type;
	v->end = r->end;
	set_place(r, v);
	wrong = json_tree_add(&r->tree, v);
	if (wrong) {
		fail_at(r, v->start, v, wrong);
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
	struct json *v = new_value(r, type);

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

	if (take_token(r, &r->tree.key_start) ||
	    check_escapes(r, r->tree.key_start, r->end, json_tree_around(&r->tree)))
		return 0;
	r->tree.key = arena_strndup(r->arena, (const char *)text, len);
	return 1;
}

static int on_start_map(void *r)
{
	return new_value(r, JSON_OBJECT) != NULL;
}

static int on_start_array(void *r)
{
	return new_value(r, JSON_ARRAY) != NULL;
}

static int on_close(void *ctx)
{
	struct reader *r = ctx;
	struct json *v = json_tree_around(&r->tree);
	const struct json *twice;
	size_t start;

	if (take_token(r, &start))
		return 0;
	v->end = r->end;
	twice = json_tree_close(&r->tree);
	if (!twice)
		return 1;
	fail_at(r, twice->key_start, twice, "duplicate key");
	return 0;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_start_map,
	.yajl_map_key = on_key,
	.yajl_end_map = on_close,
	.yajl_start_array = on_start_array,
	.yajl_end_array = on_close,
};

/* yajl's words, and ours; where it can say exactly which byte of a token it means, at_byte. */
static const struct {
	const char *theirs, *ours;
	bool at_byte;
} complaints[] = {
	// clang-format off
	{ "trailing garbage", TRAILING, false },
	{ "probable comment", "comments are not allowed", true },
	{ "after array element", "expected ',' or ']'", false },
	{ "after key and value", "expected ',' or '}'", false },
	{ "separated by a colon", "expected ':'", false },
	{ "invalid object key", "expected a key in double quotes", false },
	{ "unallowed token", "expected a value", false },
	{ "required after the exponent", "number without a digit after its exponent", false },
	{ "required after the decimal", "number without a digit after its decimal point", false },
	{ "required after the minus", "number without a digit after its minus sign", false },
	{ "invalid string in json", "unknown word", false },
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

	if (r->at_end && (!r->tree.top || r->tree.depth))
		return fail_here(r, r->len, "unexpected end of text");
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
	/* yajl takes strings with escapes apart in buffers of its own. */
	struct arena scratch = { 0 };
	yajl_alloc_funcs memory = yajl_arena_funcs(&scratch);
	struct reader r = {
		.arena = a, .err = e, .text = text, .len = len, .line = 1, .tree = { .arena = a }
	};
	int failed;

	if (len > JSON_MAX_SIZE)
		return fail(e, 0, "larger than %d bytes", JSON_MAX_SIZE);
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		return fail_at(&r, 0, NULL, "byte order mark");
	r.yajl = yajl_alloc(&callbacks, &memory, &r);
	failed = parse(&r);
	arena_release(&scratch);
	if (!failed)
		*out = r.tree.top;
	return failed;
}
