// SPDX-License-Identifier: Apache-2.0
/* Records of an audit as a table for people. */
#include "audit_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/utf8.h"
#include "../base/banned.h"

enum { COLUMNS = 7, GAP = 2, WHERE_SHARE = 30, NAME_SHARE = 40, LONG_ID = 64 };

/* In order: time, container, kind, name, rule, action, where. */
struct widths {
	unsigned v[COLUMNS];
	bool cut;
};

static struct widths widths_for(unsigned width)
{
	struct widths w = { .v = { 19, AUDIT_SHORT_ID, 10, 26, 20, 7, 0 }, .cut = width };
	unsigned fixed = 19 + AUDIT_SHORT_ID + 10 + 7 + (COLUMNS - 1) * GAP, rest;

	if (!width)
		return w;
	rest = width > fixed + 36 ? width - fixed : 36;
	w.v[3] = rest * NAME_SHARE / 100;
	w.v[6] = rest * WHERE_SHARE / 100;
	w.v[4] = rest - w.v[3] - w.v[6];
	return w;
}

/* One character, made safe, into a buffer; the columns that it takes. Wide ones count as one: lines may then be
 * longer, and are never less safe.
 */
static unsigned one_safe(const char *s, size_t n, char buf[16])
{
	unsigned long c = n ? utf8_code(s, n) : 0;

	if (n && !utf8_is_hidden(c)) {
		memcpy(buf, s, n);
		buf[n] = '\0';
		return 1;
	}
	if (n)
		return (unsigned)snprintf(buf, 16, "\\u{%lx}", c);
	return (unsigned)snprintf(buf, 16, "\\x%02x", (unsigned char)*s);
}

unsigned audit_add_safe(struct str *out, const char *text, unsigned max)
{
	size_t len = strlen(text), i, n;
	unsigned columns = 0, more;
	char buf[16];

	for (i = 0; i < len; i += n ? n : 1) {
		n = utf8_char(text + i, len - i);
		more = one_safe(text + i, n, buf);
		if (max && columns + more + (i + (n ? n : 1) < len) > max) {
			str_add(out, "\xe2\x80\xa6");
			return columns + 1;
		}
		str_add(out, buf);
		columns += more;
	}
	return columns;
}

static void add_cell(struct str *out, const struct widths *w, unsigned column, const char *text)
{
	unsigned columns = audit_add_safe(out, text, w->cut ? w->v[column] : 0);

	if (column + 1 == COLUMNS) {
		str_add(out, "\n");
		return;
	}
	/* One that is longer than its column moves the others, and ends with a gap all the same. */
	for (; columns < w->v[column]; columns++)
		str_addc(out, ' ');
	str_add(out, "  ");
}

static void add_row(struct str *out, unsigned width, const char *const cells[COLUMNS])
{
	struct widths w = widths_for(width);
	unsigned i;

	for (i = 0; i < COLUMNS; i++)
		add_cell(out, &w, i, cells[i] ? cells[i] : "-");
}

void audit_table_head(struct str *out, unsigned width)
{
	static const char *const head[COLUMNS] = { "TIME", "CONTAINER", "KIND", "NAME",
						   "RULE", "ACTION",    "WHERE" };

	add_row(out, width, head);
}

const char *audit_short_id(const char *id, char buf[AUDIT_SHORT_ID + 1])
{
	if (strlen(id) != LONG_ID || id[strspn(id, "0123456789abcdef")])
		return id;
	snprintf(buf, AUDIT_SHORT_ID + 1, "%.*s", AUDIT_SHORT_ID, id);
	return buf;
}

void audit_table_row(struct str *out, const struct audit_line *l, unsigned width)
{
	char time[20] = "", id[AUDIT_SHORT_ID + 1], cuts[48];
	const char *cells[COLUMNS] = { time,    audit_short_id(l->container, id),
				       l->kind, l->name,
				       l->rule, l->action,
				       l->where };

	snprintf(time, sizeof time, "%.19s", l->time);
	time[10] = ' ';
	if (!audit_is_cut(l)) {
		snprintf(cuts, sizeof cuts, "%" PRIu64 " item%s", l->cuts, l->cuts == 1 ? "" : "s");
		cells[2] = l->event;
		cells[3] = l->name ? l->name : l->pod ? l->pod : l->image;
		cells[4] = l->command;
		cells[5] = l->mode;
		cells[6] = audit_is_start(l) ? cuts : NULL;
	}
	add_row(out, width, cells);
}

void audit_json_row(struct str *out, const char *text, size_t len)
{
	size_t i, n;
	unsigned long c;

	for (i = 0; i < len; i += n) {
		n = utf8_char(text + i, len - i);
		c = n ? utf8_code(text + i, n) : 0;
		if (n && !utf8_is_hidden(c))
			str_addn(out, text + i, n);
		else if (n)
			str_printf(out, "\\u%04lx", c);
		n = n ? n : 1;
	}
	str_add(out, "\n");
}
