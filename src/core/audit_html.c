// SPDX-License-Identifier: Apache-2.0
/* An audit as a page: tables and a chart, in one file that loads and runs nothing. */
#include "audit_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/str.h"
#include "audit_html.h"
#include "audit_table.h"
#include "../base/banned.h"

enum { PAGE_MAX = 32 * 1024 * 1024, ROWS_MAX = 200, RULES_SHOWN = 50 };

/* All that HTML gives a meaning to. */
void html_text(struct str *out, const char *text)
{
	struct arena a = { 0 };
	struct str safe;
	size_t i;

	str_init(&safe, &a, PAGE_MAX);
	audit_add_safe(&safe, text, 0);
	for (i = 0; i < safe.len; i++) {
		switch (safe.s[i]) {
		case '&': str_add(out, "&amp;"); break;
		case '<': str_add(out, "&lt;"); break;
		case '>': str_add(out, "&gt;"); break;
		case '"': str_add(out, "&quot;"); break;
		case '\'': str_add(out, "&#39;"); break;
		default: str_addc(out, safe.s[i]);
		}
	}
	arena_release(&a);
}

/* 1234567 -> 1,234,567 */
void html_number(struct str *out, uint64_t n)
{
	char digits[32];
	int len = snprintf(digits, sizeof digits, "%" PRIu64, n), i;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			str_addc(out, ',');
		str_addc(out, digits[i]);
	}
}

/* To the minute. */
static void add_time(struct str *out, const struct timespec *t)
{
	char text[CLOCK_TEXT];

	clock_text(t, false, text);
	str_printf(out, "<time datetime=\"%s\">%.10s %.5s</time>", text, text, text + 11);
}

/* The hash of the one style sheet is the only thing that the page's own policy lets in. */
static void add_hash(struct str *out, const char *style)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t d[HASH_SIZE + 1] = { 0 };
	unsigned bits;
	size_t i;

	hash_sha256(style, strlen(style), d);
	for (i = 0; i < HASH_SIZE; i += 3) {
		bits = (unsigned)d[i] << 16 | (unsigned)d[i + 1] << 8 |
		       d[i + 2 > HASH_SIZE ? HASH_SIZE : i + 2];
		str_addc(out, letters[bits >> 18]);
		str_addc(out, letters[bits >> 12 & 63]);
		str_addc(out, letters[bits >> 6 & 63]);
		str_addc(out, i + 3 > HASH_SIZE ? '=' : letters[bits & 63]);
	}
}

static void add_head(struct str *out)
{
	str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		     "style-src 'sha256-");
	add_hash(out, html_style);
	str_add(out, "'; base-uri 'none'; form-action 'none'\">\n"
		     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		     "<meta name=\"color-scheme\" content=\"light dark\">\n"
		     "<meta name=\"referrer\" content=\"no-referrer\">\n"
		     "<title>credsbox audit</title>\n<style>");
	str_add(out, html_style);
	str_add(out, "</style>\n</head>\n<body>\n<main>\n");
}

static void add_intro(struct str *out, const struct audit_report *r)
{
	str_add(out, "<header>\n<p class=\"brand\">credsbox audit</p>\n"
		     "<h1>What was kept from workloads</h1>\n<p class=\"sub\">");
	html_number(out, r->lines);
	str_printf(out, " record%s", r->lines == 1 ? "" : "s");
	if (r->lines) {
		str_add(out, " from ");
		add_time(out, &r->first);
		str_add(out, " to ");
		add_time(out, &r->last);
		str_add(out, " UTC");
	}
	if (r->source) {
		str_add(out, " in <code>");
		html_text(out, r->source);
		str_add(out, "</code>");
	}
	str_add(out, "</p>\n");
	if (r->chain) {
		str_printf(out, "<p class=\"chain %s\"><span class=\"dot\"></span>",
			   r->chain_is_whole ? "good" : "bad");
		html_text(out, r->chain);
		str_add(out, "</p>\n");
	}
	str_add(out, "</header>\n");
}

static void add_tile(struct str *out, const char *class, uint64_t n, const char *what,
		     const char *note)
{
	str_printf(out, "<div class=\"tile %s\"><b>", class);
	html_number(out, n);
	str_printf(out, "</b><span>%s</span><small>%s</small></div>\n", what, note);
}

static void add_tiles(struct str *out, const struct audit_report *r)
{
	str_add(out, "<section class=\"tiles\">\n");
	add_tile(out, "kept", r->fates[FATE_KEPT_OUT], "kept out",
		 "removed, replaced, masked or isolated");
	add_tile(out, "pass", r->fates[FATE_LET_PASS], "let pass", "on record all the same");
	add_tile(out, "refused", r->fates[FATE_REFUSED], "refused", "reasons not to start");
	add_tile(out, "", r->containers.n, "containers", "with a record of their own");
	add_tile(out, "", r->starts, "starts", "of containers and of programs in them");
	str_add(out, "</section>\n");
}

/* A length of a hundred, as an image: style attributes are not let in. */
static void add_bar(struct str *out, uint64_t n, uint64_t most)
{
	unsigned percent = most ? (unsigned)(n * 100 / most) : 0;

	str_printf(out,
		   "<td class=\"bar\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
		   "aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"8\"/>"
		   "<rect class=\"kept\" width=\"%u\" height=\"8\"/></svg></td>",
		   percent ? percent : 1);
}

static void add_cell(struct str *out, const char *class, const char *text)
{
	str_printf(out, "<td%s%s%s>", class ? " class=\"" : "", class ? class : "",
		   class ? "\"" : "");
	html_text(out, text ? text : "\xe2\x80\x93");
	str_add(out, "</td>");
}

static void add_id(struct str *out, const char *id)
{
	char buf[AUDIT_SHORT_ID + 1];

	str_add(out, "<td class=\"mono\" title=\"");
	html_text(out, id);
	str_add(out, "\">");
	html_text(out, audit_short_id(id, buf));
	str_add(out, "</td>");
}

static void add_count(struct str *out, uint64_t n)
{
	str_add(out, "<td class=\"n\">");
	html_number(out, n);
	str_add(out, "</td>");
}

static void add_when(struct str *out, const struct timespec *t)
{
	str_add(out, "<td class=\"when\">");
	add_time(out, t);
	str_add(out, "</td>");
}

static void end_table(struct str *out, const struct tally *t, size_t shown)
{
	str_add(out, "</tbody>\n</table></div>\n");
	if (t->n > shown) {
		str_add(out, "<p class=\"more\">and ");
		html_number(out, t->n - shown);
		str_add(out, " more, with fewer items each</p>\n");
	}
	if (t->others)
		str_add(out, "<p class=\"more\">There are more than can be told apart here."
			     "</p>\n");
	str_add(out, "</section>\n");
}

static size_t shown_of(const struct tally *t, size_t max)
{
	return t->n < max ? t->n : max;
}

static void add_rules(struct str *out, const struct audit_report *r)
{
	struct tally_item **all = tally_sorted(&r->rules);
	size_t n = shown_of(&r->rules, RULES_SHOWN), i;

	str_add(out, "<section>\n<h2>By rule</h2>\n<div class=\"wrap\"><table>\n<thead><tr>"
		     "<th>Rule</th><th class=\"bar\"></th><th class=\"n\">Items</th>"
		     "<th class=\"n\">Share</th></tr></thead>\n<tbody>\n");
	for (i = 0; i < n; i++) {
		str_add(out, "<tr>");
		add_cell(out, "mono", all[i]->key);
		add_bar(out, all[i]->count, all[0]->count);
		add_count(out, all[i]->count);
		str_printf(out, "<td class=\"n\">%.1f %%</td></tr>\n",
			   100.0 * (double)all[i]->count / (double)r->cuts);
	}
	end_table(out, &r->rules, n);
}

static void add_containers(struct str *out, const struct audit_report *r)
{
	struct tally_item **all = tally_sorted(&r->containers);
	size_t n = shown_of(&r->containers, ROWS_MAX), i;
	const struct audit_by_container *c;

	str_add(out,
		"<section>\n<h2>By container</h2>\n<div class=\"wrap wide\"><table>\n<thead><tr>"
		"<th>Container</th><th>Name</th><th>Pod</th><th>Image</th>"
		"<th class=\"n\">Starts</th><th class=\"n\">Refused</th>"
		"<th class=\"n\">Items</th><th>Last seen</th></tr></thead>\n<tbody>\n");
	for (i = 0; i < n; i++) {
		c = (const void *)all[i];
		str_add(out, "<tr>");
		add_id(out, c->item.key);
		add_cell(out, NULL, c->name);
		add_cell(out, NULL, c->pod);
		add_cell(out, NULL, c->image);
		add_count(out, c->starts);
		add_count(out, c->refusals);
		add_count(out, c->item.count);
		add_when(out, &c->last);
		str_add(out, "</tr>\n");
	}
	end_table(out, &r->containers, n);
}

static void add_items(struct str *out, const struct audit_report *r)
{
	struct tally_item **all = tally_sorted(&r->items);
	size_t n = shown_of(&r->items, ROWS_MAX), i;
	const struct audit_by_item *item;

	str_add(out,
		"<section>\n<h2>What, and where</h2>\n<div class=\"wrap wide\"><table>\n<thead><tr>"
		"<th>Kind</th><th>Name</th><th>Rule</th><th>Action</th><th>First at</th>"
		"<th class=\"n\">Times</th><th>Last seen</th></tr></thead>\n<tbody>\n");
	for (i = 0; i < n; i++) {
		item = (const void *)all[i];
		str_add(out, "<tr>");
		add_cell(out, NULL, item->kind);
		add_cell(out, "mono", item->name);
		add_cell(out, "mono", item->rule);
		str_add(out, "<td><span class=\"tag\">");
		html_text(out, item->action);
		str_add(out, "</span></td>");
		add_cell(out, "mono dim", item->where);
		add_count(out, item->item.count);
		add_when(out, &item->last);
		str_add(out, "</tr>\n");
	}
	end_table(out, &r->items, n);
}

static void add_foot(struct str *out, const struct audit_report *r)
{
	str_add(out, "<footer>\n");
	if (r->broken) {
		str_add(out, "<p class=\"bad\">");
		html_number(out, r->broken);
		str_add(out, r->broken == 1 ? " line of the file is no record"
					    : " lines of the file are no records");
		str_add(out, ", and not counted.</p>\n");
	}
	if (r->since) {
		str_add(out, "<p>Only records since ");
		html_text(out, r->since);
		str_add(out, " are counted.</p>\n");
	}
	str_add(out, "<p>No value of a variable, file or argument is in the audit, nor here. "
		     "Times are UTC.");
	if (r->made) {
		str_add(out, " Made ");
		html_text(out, r->made);
		str_add(out, ".");
	}
	str_add(out, "</p>\n</footer>\n</main>\n</body>\n</html>\n");
}

const char *audit_report_html(struct arena *a, const struct audit_report *r, size_t *len)
{
	struct str out;

	str_init(&out, a, PAGE_MAX);
	add_head(&out);
	add_intro(&out, r);
	add_tiles(&out, r);
	html_chart(&out, r);
	if (r->cuts) {
		add_rules(&out, r);
		add_items(&out, r);
	}
	if (r->containers.n)
		add_containers(&out, r);
	add_foot(&out, r);
	*len = out.len;
	return out.overflow ? NULL : out.s;
}
