// SPDX-License-Identifier: Apache-2.0
/* Any bytes as the lines of an audit: read, chained, chosen, and shown in every form, without a control character. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/base/utf8.h"
#include "../../src/core/audit_report.h"
#include "../../src/core/audit_select.h"
#include "../../src/core/audit_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* One line, all of it visible. */
static void check_row(const struct str *s)
{
	size_t i, n;

	check(s->len && s->s[s->len - 1] == '\n');
	for (i = 0; i + 1 < s->len; i += n) {
		n = utf8_char(s->s + i, s->len - i);
		check(n && !utf8_is_hidden(utf8_code(s->s + i, n)));
	}
}

static void show(struct arena *a, const struct audit_line *l, const char *text, size_t len)
{
	struct str s;
	const struct json *again;
	struct err e;

	str_init(&s, a, 1 << 24);
	audit_table_row(&s, l, 0);
	check_row(&s);
	s.len = 0;
	audit_table_row(&s, l, 80);
	check_row(&s);
	s.len = 0;
	audit_json_row(&s, text, len);
	if (!memchr(text, '\t', len) && !memchr(text, '\r', len)) {
		check_row(&s);
		check(!json_parse(a, s.s, s.len - 1, &again, &e));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end, *html;
	struct audit_select s = { .container = "c1" };
	struct audit_chain chain = { 0 };
	struct arena a = { 0 };
	struct audit_report r;
	struct audit_line l;
	struct err e;
	size_t len;

	audit_report_init(&r, &a);
	audit_select_init(&s, &a);
	for (; size; size -= len + 1, text += len + 1) {
		end = memchr(text, '\n', size);
		if (!end)
			break;
		len = (size_t)(end - text);
		if (audit_line_read(&a, text, len, &l, &e)) {
			check(e.text[0] && !strchr(e.text, '\n'));
			audit_chain_lose(&chain);
			continue;
		}
		audit_chain_follow(&chain, &l, text, len, &e);
		audit_select_learn(&s, &a, &l);
		audit_select_takes(&s, &l);
		audit_report_add(&r, &l);
		show(&a, &l, text, len);
	}
	audit_select_settle(&s, &a, &e);
	html = audit_report_html(&a, &r, &len);
	check(html && strlen(html) == len && !strstr(html, "<script") && !strstr(html, "<img"));
	arena_release(&a);
	return 0;
}
