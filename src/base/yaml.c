// SPDX-License-Identifier: Apache-2.0
/* Policy files: the plain part of YAML, read into the same tree as JSON. */
#include "yaml.h"

#include <errno.h>
#include <string.h>

#include <yaml.h>

#include "jsontree.h"
#include "utf8.h"
#include "banned.h"

/* The first is met by whoever writes a pattern without quotes. */
#define NO_ALIASES "aliases are not allowed (a text that begins with '*' needs quotes)"
#define NO_ANCHORS "anchors are not allowed (a text that begins with '&' needs quotes)"
#define NO_TAGS    "tags are not allowed (a text that begins with '!' needs quotes)"

struct reader {
	struct arena *arena;
	struct err *err;
	const char *text;
	size_t len;
	yaml_parser_t parser;
	struct json_tree tree;
	yaml_mark_t key_mark;
};

/* Columns are libyaml's, which counts characters. */
static int fail_at(struct reader *r, const yaml_mark_t *at, const struct json *v, const char *what)
{
	const char *path = v ? json_path(r->arena, v) : "";

	return fail(r->err, 0, "line %zu, column %zu: %s%s%s", at->line + 1, at->column + 1, path,
		    *path ? ": " : "", what);
}

static int fail_at_byte(struct reader *r, size_t offset, const char *what)
{
	yaml_mark_t at = { 0 };
	size_t i;

	for (i = 0; i < offset; i++) {
		if (r->text[i] == '\n') {
			at.line++;
			at.column = 0;
		} else if ((r->text[i] & 0xc0) != 0x80) {
			at.column++;
		}
	}
	return fail_at(r, &at, NULL, what);
}

static int fail_scan(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const char *while_doing = p->context ? p->context : "";

	if (strstr(while_doing, "scanning an alias"))
		return fail_at(r, &p->context_mark, NULL, NO_ALIASES);
	if (strstr(while_doing, "scanning an anchor"))
		return fail_at(r, &p->context_mark, NULL, NO_ANCHORS);
	if (strstr(while_doing, "a tag"))
		return fail_at(r, &p->context_mark, NULL, NO_TAGS);
	return fail_at(r, &p->problem_mark, NULL, p->problem);
}

/* libyaml's problems are fixed texts: they quote nothing of the input. */
static int fail_syntax(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;

	switch (p->error) {
	case YAML_MEMORY_ERROR: return fail(r->err, ENOMEM, "cannot read YAML");
	case YAML_READER_ERROR: return fail_at_byte(r, p->problem_offset, p->problem);
	case YAML_SCANNER_ERROR:
	case YAML_PARSER_ERROR: return fail_scan(r);
	case YAML_NO_ERROR:
	case YAML_COMPOSER_ERROR:
	case YAML_WRITER_ERROR:
	case YAML_EMITTER_ERROR: break;
	}
	return fail(r->err, 0, "malformed YAML");
}

static int parser_start(struct reader *r)
{
	if (!yaml_parser_initialize(&r->parser))
		return fail(r->err, ENOMEM, "cannot read YAML");
	yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r->parser, (const unsigned char *)r->text, r->len);
	return 0;
}

/* What no document of ours may have, or how much deeper (1, -1) the token leads. */
static const char *judge_token(yaml_token_type_t type, int *deeper)
{
	*deeper = 0;
	switch (type) {
	case YAML_VERSION_DIRECTIVE_TOKEN:
	case YAML_TAG_DIRECTIVE_TOKEN: return "directives are not allowed";
	case YAML_ALIAS_TOKEN: return NO_ALIASES;
	case YAML_ANCHOR_TOKEN: return NO_ANCHORS;
	case YAML_TAG_TOKEN: return NO_TAGS;
	case YAML_BLOCK_SEQUENCE_START_TOKEN:
	case YAML_BLOCK_MAPPING_START_TOKEN:
	case YAML_FLOW_SEQUENCE_START_TOKEN:
	case YAML_FLOW_MAPPING_START_TOKEN: *deeper = 1; break;
	case YAML_BLOCK_END_TOKEN:
	case YAML_FLOW_SEQUENCE_END_TOKEN:
	case YAML_FLOW_MAPPING_END_TOKEN: *deeper = -1; break;
	case YAML_NO_TOKEN:
	case YAML_STREAM_START_TOKEN:
	case YAML_STREAM_END_TOKEN:
	case YAML_DOCUMENT_START_TOKEN:
	case YAML_DOCUMENT_END_TOKEN:
	case YAML_BLOCK_ENTRY_TOKEN:
	case YAML_FLOW_ENTRY_TOKEN:
	case YAML_KEY_TOKEN:
	case YAML_VALUE_TOKEN:
	case YAML_SCALAR_TOKEN: break;
	}
	return NULL;
}

/* refuse_features - go through the tokens once, before libyaml's parser does
 * The events do not tell everything (the tag "!" is gone by then), and the parser needs time
 * quadratic in the number of directives and in the depth: neither gets that far.
 */
static int refuse_features(struct reader *r)
{
	yaml_token_t token = { 0 };
	const char *wrong = NULL;
	int depth = 0, deeper;

	do {
		yaml_token_delete(&token);
		if (!yaml_parser_scan(&r->parser, &token))
			return fail_syntax(r);
		wrong = judge_token(token.type, &deeper);
		depth += deeper;
		if (!wrong && depth > JSON_MAX_DEPTH)
			wrong = "nested too deeply (limit 32)";
	} while (!wrong && token.type != YAML_STREAM_END_TOKEN);
	if (wrong)
		fail_at(r, &token.start_mark, NULL, wrong);
	yaml_token_delete(&token);
	return wrong ? -1 : 0;
}

static size_t digits(const char **s)
{
	size_t n = strspn(*s, "0123456789");

	*s += n;
	return n;
}

/* Only numbers as JSON writes them: 010, 0x10, +1, .5 and .inf are strings. */
static bool is_number(const char *s)
{
	s += *s == '-';
	if (*s == '0')
		s++;
	else if (!digits(&s))
		return false;
	if (*s == '.' && (s++, !digits(&s)))
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '-' || *s == '+';
		if (!digits(&s))
			return false;
	}
	return !*s;
}

static enum json_type scalar_type(const yaml_event_t *ev, const char *s)
{
	if (ev->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		return JSON_STRING;
	if (!*s || !strcmp(s, "~") || !strcmp(s, "null"))
		return JSON_NULL;
	if (!strcmp(s, "true") || !strcmp(s, "false"))
		return JSON_BOOL;
	return is_number(s) ? JSON_NUMBER : JSON_STRING;
}

static struct json *new_value(struct reader *r, const yaml_event_t *ev, enum json_type type)
{
	struct json *v = arena_alloc(r->arena, sizeof *v);
	const char *wrong;

	v->type = type;
	v->line = (unsigned)ev->start_mark.line + 1;
	v->column = (unsigned)ev->start_mark.column + 1;
	if (r->tree.key) {
		v->key_line = (unsigned)r->key_mark.line + 1;
		v->key_column = (unsigned)r->key_mark.column + 1;
	}
	wrong = json_tree_add(&r->tree, v);
	if (wrong) {
		fail_at(r, &ev->start_mark, v, wrong);
		return NULL;
	}
	return v;
}

static bool wants_key(const struct reader *r)
{
	const struct json *around = json_tree_around(&r->tree);

	return around && around->type == JSON_OBJECT && !r->tree.key;
}

static int on_key(struct reader *r, const yaml_event_t *ev, const char *s, size_t len)
{
	const struct json *around = json_tree_around(&r->tree);

	if (memchr(s, '\0', len))
		return fail_at(r, &ev->start_mark, around, "NUL in a key");
	if (scalar_type(ev, s) != JSON_STRING)
		return fail_at(r, &ev->start_mark, around, "key is no string (put it in quotes)");
	if (!strcmp(s, "<<"))
		return fail_at(r, &ev->start_mark, around, "merge keys are not allowed");
	r->tree.key = arena_strndup(r->arena, s, len);
	r->key_mark = ev->start_mark;
	return 0;
}

static int on_scalar(struct reader *r, const yaml_event_t *ev)
{
	const char *s = (const char *)ev->data.scalar.value;
	size_t len = ev->data.scalar.length;
	struct json *v;

	if (wants_key(r))
		return on_key(r, ev, s, len);
	v = new_value(r, ev, scalar_type(ev, s));
	if (!v)
		return -1;
	if (memchr(s, '\0', len))
		return fail_at(r, &ev->start_mark, v, "NUL in a string");
	v->text = arena_strndup(r->arena, s, len);
	v->len = len;
	return 0;
}

static int on_start(struct reader *r, const yaml_event_t *ev, enum json_type type)
{
	if (wants_key(r))
		return fail_at(r, &ev->start_mark, json_tree_around(&r->tree), "key is no string");
	return new_value(r, ev, type) ? 0 : -1;
}

static int on_end(struct reader *r)
{
	const struct json *twice = json_tree_close(&r->tree);
	yaml_mark_t at = { 0 };

	if (!twice)
		return 0;
	at.line = twice->key_line - 1;
	at.column = twice->key_column - 1;
	return fail_at(r, &at, twice, "duplicate key");
}

static int on_event(struct reader *r, const yaml_event_t *ev)
{
	switch (ev->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (!r->tree.top)
			return 0;
		return fail_at(r, &ev->start_mark, NULL, "more than one document");
	case YAML_ALIAS_EVENT: return fail_at(r, &ev->start_mark, NULL, NO_ALIASES);
	case YAML_SCALAR_EVENT: return on_scalar(r, ev);
	case YAML_SEQUENCE_START_EVENT: return on_start(r, ev, JSON_ARRAY);
	case YAML_MAPPING_START_EVENT: return on_start(r, ev, JSON_OBJECT);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT: return on_end(r);
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT: break;
	}
	return 0;
}

static int read_events(struct reader *r)
{
	bool is_last = false;
	yaml_event_t ev;
	int failed;

	while (!is_last) {
		if (!yaml_parser_parse(&r->parser, &ev))
			return fail_syntax(r);
		is_last = ev.type == YAML_STREAM_END_EVENT;
		failed = on_event(r, &ev);
		yaml_event_delete(&ev);
		if (failed)
			return -1;
	}
	return 0;
}

static int with_parser(struct reader *r, int (*pass)(struct reader *))
{
	int ret;

	if (parser_start(r))
		return -1;
	ret = pass(r);
	yaml_parser_delete(&r->parser);
	return ret;
}

/* libyaml would take a byte order mark, and stop at a NUL in places. */
static int check_bytes(struct reader *r)
{
	const char *nul = memchr(r->text, '\0', r->len);
	size_t good;

	if (r->len > JSON_MAX_SIZE)
		return fail(r->err, 0, "larger than %d bytes", JSON_MAX_SIZE);
	if (r->len >= 3 && !memcmp(r->text, "\xef\xbb\xbf", 3))
		return fail_at_byte(r, 0, "byte order mark");
	good = utf8_check(r->text, nul ? (size_t)(nul - r->text) : r->len);
	if (good == r->len)
		return 0;
	return fail_at_byte(r, good, r->text + good == nul ? "NUL byte" : "invalid UTF-8");
}

int yaml_parse(struct arena *a, const char *text, size_t len, const struct json **out,
	       struct err *e)
{
	struct reader r = { .arena = a, .err = e, .text = text, .len = len, .tree.arena = a };
	struct json *top;

	if (check_bytes(&r) || with_parser(&r, refuse_features) || with_parser(&r, read_events))
		return -1;
	top = r.tree.top;
	if (!top)
		top = arena_alloc(a, sizeof *top);
	if (!top->line || (top->type == JSON_NULL && !top->len))
		*top = (struct json){ .type = JSON_OBJECT, .line = 1, .column = 1 };
	*out = top;
	return 0;
}
