// SPDX-License-Identifier: Apache-2.0
/* Writing JSON, with its text made safe to print. */
#include "jsonw.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "str.h"
#include "utf8.h"
#include "banned.h"

enum { DEPTH_MAX = 64 };

struct jsonw {
	struct arena *arena;
	struct str out;
	bool pretty;
	bool has_key;  /* of the value to come */
	bool has_item; /* before the next one in the innermost object or array */
	size_t depth;
	bool is_object[DEPTH_MAX];
};

struct jsonw *jsonw_new(struct arena *a, bool pretty)
{
	struct jsonw *w = arena_alloc(a, sizeof *w);

	w->arena = a;
	w->pretty = pretty;
	str_init(&w->out, a, (size_t)-1 / 4);
	return w;
}

static void break_line(struct jsonw *w)
{
	size_t i;

	if (!w->pretty)
		return;
	str_addc(&w->out, '\n');
	for (i = 0; i < w->depth; i++)
		str_addn(&w->out, "  ", 2);
}

/* What stands before an item. A value without its key, or a second document, is a mistake of the
 * program, not of its input.
 */
static void begin_item(struct jsonw *w, bool is_key)
{
	bool is_in_object = w->depth && w->is_object[w->depth - 1];

	assert(is_key ? is_in_object && !w->has_key : is_in_object == w->has_key);
	assert(w->depth || !w->has_item);
	if (!w->has_key && w->depth) {
		if (w->has_item)
			str_addc(&w->out, ',');
		break_line(w);
	}
	w->has_key = is_key;
	w->has_item = true;
}

static void start(struct jsonw *w, bool is_object)
{
	assert(w->depth < DEPTH_MAX);
	begin_item(w, false);
	str_addc(&w->out, is_object ? '{' : '[');
	w->is_object[w->depth++] = is_object;
	w->has_item = false;
}

void jsonw_object(struct jsonw *w)
{
	start(w, true);
}

void jsonw_array(struct jsonw *w)
{
	start(w, false);
}

void jsonw_end(struct jsonw *w)
{
	assert(w->depth && !w->has_key);
	w->depth--;
	if (w->has_item)
		break_line(w);
	str_addc(&w->out, w->is_object[w->depth] ? '}' : ']');
	w->has_item = true;
}

/* How many bytes go out as they are, without a closer look. */
static size_t plain_length(const char *s, size_t len)
{
	static const bool is_plain[256] = { [' ' ... '!'] = true,
					    ['#' ... '['] = true,
					    [']' ... '~'] = true };
	size_t i;

	for (i = 0; i < len && is_plain[(unsigned char)s[i]]; i++)
		;
	return i;
}

static void add_escape(struct jsonw *w, unsigned char c)
{
	static const char names[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
	const char *name = memchr(names, c, sizeof names - 1);

	if (name)
		str_addn(&w->out, (char[]){ '\\', letters[name - names] }, 2);
	else
		str_printf(&w->out, c < 0x20 ? "\\u%04X" : "\\u%04x", c);
}

/* A character that may not be plain; says how many bytes it has. DEL and the C1 control characters
 * would be legal, but terminals obey some of them.
 */
static size_t add_special(struct jsonw *w, const char *s, size_t len)
{
	size_t n = utf8_char(s, len);
	unsigned char c = (unsigned char)s[0];

	if (!n) {
		str_add(&w->out, "\xef\xbf\xbd");
		return 1;
	}
	if (n == 1)
		add_escape(w, c);
	else if (c == 0xc2 && (unsigned char)s[1] < 0xa0)
		add_escape(w, (unsigned char)s[1]);
	else
		str_addn(&w->out, s, n);
	return n;
}

static void add_text(struct jsonw *w, const char *s, size_t len)
{
	size_t i = plain_length(s, len), n;
	char *out = str_extend(&w->out, i + 1);

	if (!out)
		return;
	out[0] = '"';
	memcpy(out + 1, s, i);
	for (; i < len; i += n) {
		n = plain_length(s + i, len - i);
		if (n)
			str_addn(&w->out, s + i, n);
		else
			n = add_special(w, s + i, len - i);
	}
	str_addc(&w->out, '"');
}

void jsonw_stringn(struct jsonw *w, const char *s, size_t len)
{
	begin_item(w, false);
	add_text(w, s, len);
}

void jsonw_string(struct jsonw *w, const char *s)
{
	jsonw_stringn(w, s, strlen(s));
}

void jsonw_key(struct jsonw *w, const char *key)
{
	begin_item(w, true);
	add_text(w, key, strlen(key));
	str_addc(&w->out, ':');
	if (w->pretty)
		str_addc(&w->out, ' ');
}

void jsonw_int(struct jsonw *w, int64_t n)
{
	begin_item(w, false);
	str_printf(&w->out, "%" PRId64, n);
}

void jsonw_bool(struct jsonw *w, bool b)
{
	begin_item(w, false);
	str_add(&w->out, b ? "true" : "false");
}

void jsonw_raw(struct jsonw *w, const char *json, size_t len)
{
	begin_item(w, false);
	str_addn(&w->out, json, len);
}

void jsonw_null(struct jsonw *w)
{
	begin_item(w, false);
	str_add(&w->out, "null");
}

void jsonw_kv(struct jsonw *w, const char *key, const char *value)
{
	jsonw_key(w, key);
	jsonw_string(w, value);
}

void jsonw_kv_int(struct jsonw *w, const char *key, int64_t n)
{
	jsonw_key(w, key);
	jsonw_int(w, n);
}

void jsonw_kv_bool(struct jsonw *w, const char *key, bool b)
{
	jsonw_key(w, key);
	jsonw_bool(w, b);
}

const char *jsonw_text(struct jsonw *w, size_t *len)
{
	assert(!w->depth);
	if (len)
		*len = w->out.len;
	return w->out.s;
}

void jsonw_restart(struct jsonw *w)
{
	w->depth = 0;
	w->has_key = w->has_item = false;
	w->out.len = 0;
	w->out.s[0] = '\0';
}
