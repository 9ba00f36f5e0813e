// SPDX-License-Identifier: Apache-2.0
/* Writing JSON: yajl_gen knows the syntax, here text is made safe to print. */
#include "jsonw.h"

#include <assert.h>
#include <string.h>

#include <yajl/yajl_gen.h>

#include "str.h"
#include "utf8.h"
#include "yajl_arena.h"
#include "banned.h"

enum { DEPTH_MAX = 64 };

struct jsonw {
	struct arena *arena;
	struct str out;
	yajl_gen gen;
	bool pretty;
	size_t depth;
	struct {
		bool is_object;
		size_t brace,
			inside; /* length of the output behind the brace, and with what yajl adds */
	} open[DEPTH_MAX];
};

/* yajl leaves DEL and the C1 control characters as they are; terminals obey some of them. Being
 * legal only within strings, they can be escaped wherever they turn up in the output.
 */
static void print(void *ctx, const char *text, size_t len)
{
	struct jsonw *w = ctx;
	size_t from = 0, i, n;

	for (i = 0; i < len; i += n) {
		unsigned char c = (unsigned char)text[i];
		bool is_c1 = c == 0xc2 && i + 1 < len && (unsigned char)text[i + 1] < 0xa0;

		n = is_c1 ? 2 : 1;
		if (c != 0x7f && !is_c1)
			continue;
		str_addn(&w->out, text + from, i - from);
		str_printf(&w->out, "\\u%04x", (unsigned char)text[i + n - 1]);
		from = i + n;
	}
	str_addn(&w->out, text + from, len - from);
}

struct jsonw *jsonw_new(struct arena *a, bool pretty)
{
	struct jsonw *w = arena_alloc(a, sizeof *w);
	yajl_alloc_funcs memory = yajl_arena_funcs(a);

	w->arena = a;
	w->pretty = pretty;
	str_init(&w->out, a, (size_t)-1 / 4);
	w->gen = yajl_gen_alloc(&memory);
	yajl_gen_config(w->gen, yajl_gen_print_callback, print, w);
	yajl_gen_config(w->gen, yajl_gen_beautify, pretty ? 1 : 0);
	yajl_gen_config(w->gen, yajl_gen_indent_string, "  ");
	return w;
}

/* A key without a value, or an end too many, is a mistake of the program, not of its input. */
static void check(yajl_gen_status st)
{
	assert(st == yajl_gen_status_ok);
	(void)st;
}

static void start(struct jsonw *w, bool is_object)
{
	assert(w->depth < DEPTH_MAX);
	check(is_object ? yajl_gen_map_open(w->gen) : yajl_gen_array_open(w->gen));
	w->open[w->depth].is_object = is_object;
	w->open[w->depth].inside = w->out.len;
	w->open[w->depth].brace = w->out.len - (w->pretty ? 1 : 0);
	w->depth++;
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
	bool is_object, is_empty;

	assert(w->depth);
	w->depth--;
	is_object = w->open[w->depth].is_object;
	is_empty = w->out.len == w->open[w->depth].inside;
	check(is_object ? yajl_gen_map_close(w->gen) : yajl_gen_array_close(w->gen));

	/* yajl gives emptiness two lines of its own. */
	if (is_empty) {
		w->out.len = w->open[w->depth].brace;
		str_add(&w->out, is_object ? "}" : "]");
	}
}

static const char *replace_bad(struct jsonw *w, const char *s, size_t *len)
{
	struct str clean;
	size_t i, n;

	str_init(&clean, w->arena, *len * 3);
	for (i = 0; i < *len; i += n ? n : 1) {
		n = utf8_char(s + i, *len - i);
		if (n)
			str_addn(&clean, s + i, n);
		else
			str_add(&clean, "\xef\xbf\xbd");
	}
	*len = clean.len;
	return clean.s;
}

void jsonw_stringn(struct jsonw *w, const char *s, size_t len)
{
	if (utf8_check(s, len) < len)
		s = replace_bad(w, s, &len);
	check(yajl_gen_string(w->gen, (const unsigned char *)s, len));
}

void jsonw_string(struct jsonw *w, const char *s)
{
	jsonw_stringn(w, s, strlen(s));
}

void jsonw_key(struct jsonw *w, const char *key)
{
	jsonw_string(w, key);
}

void jsonw_int(struct jsonw *w, int64_t n)
{
	check(yajl_gen_integer(w->gen, n));
}

void jsonw_bool(struct jsonw *w, bool b)
{
	check(yajl_gen_bool(w->gen, b));
}

void jsonw_null(struct jsonw *w)
{
	check(yajl_gen_null(w->gen));
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
	struct str *out = &w->out;

	assert(!w->depth);
	if (out->len && out->s[out->len - 1] == '\n')
		out->s[--out->len] = '\0';
	if (len)
		*len = out->len;
	return out->s;
}

void jsonw_restart(struct jsonw *w)
{
	yajl_gen_reset(w->gen, NULL);
	w->depth = 0;
	w->out.len = 0;
	w->out.s[0] = '\0';
}
