// SPDX-License-Identifier: Apache-2.0
/* The chart of the audit's page, and the style of both. */
#include "audit_html.h"

#include <inttypes.h>
#include <stdio.h>

#include "../base/clock.h"
#include "../base/banned.h"

/* In units of the image. */
enum { WIDTH = 1040, HEIGHT = 260, LEFT = 56, RIGHT = 8, TOP = 12, BOTTOM = 30, TICKS = 5 };

const char html_style[] =
	":root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b2430;--dim:#5d6b7c;"
	"--line:#e1e6ec;--kept:#2563b8;--pass:#c8881a;--refused:#c0392b;--good:#1f8a4c;"
	"--tag:#e9eff8}"
	"@media(prefers-color-scheme:dark){:root{--bg:#10151c;--card:#18202a;--ink:#e6ebf1;"
	"--dim:#94a3b5;--line:#2a3542;--kept:#5b9bf0;--pass:#e0ab4a;--refused:#ef6a5b;"
	"--good:#4cc27f;--tag:#22303f}}"
	"*{box-sizing:border-box}"
	"body{margin:0;background:var(--bg);color:var(--ink);"
	"font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\","
	"sans-serif}"
	"main{max-width:1120px;margin:0 auto;padding:40px 24px 56px}"
	"h1{font-size:30px;line-height:1.2;margin:0 0 8px;letter-spacing:-.01em}"
	"h2{font-size:17px;margin:0 0 12px}"
	".brand{margin:0 0 6px;color:var(--kept);font-weight:600;font-size:13px;"
	"letter-spacing:.04em}"
	".sub{margin:0;color:var(--dim);overflow-wrap:anywhere}"
	"code,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\","
	"monospace;font-size:13px}"
	".chain{margin:10px 0 0;font-size:14px;overflow-wrap:anywhere}"
	".dot{display:inline-block;width:9px;height:9px;border-radius:50%;margin-right:8px}"
	".good .dot{background:var(--good)}.bad .dot{background:var(--refused)}"
	".bad{color:var(--refused)}"
	"section{background:var(--card);border:1px solid var(--line);border-radius:10px;"
	"padding:20px 22px;margin-top:20px}"
	".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:14px;"
	"background:none;border:0;padding:0;margin-top:26px}"
	".tile{background:var(--card);border:1px solid var(--line);border-radius:10px;"
	"padding:16px 18px;border-top:3px solid var(--line)}"
	".tile.kept{border-top-color:var(--kept)}.tile.pass{border-top-color:var(--pass)}"
	".tile.refused{border-top-color:var(--refused)}"
	".tile b{display:block;font-size:28px;line-height:1.15;font-variant-numeric:tabular-nums}"
	".tile span{display:block;font-weight:600}"
	".tile small{display:block;color:var(--dim);font-size:12.5px;line-height:1.35;"
	"margin-top:2px}"
	".legend{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 10px;padding:0;"
	"list-style:none;color:var(--dim);font-size:13px}"
	".legend svg{width:11px;height:11px;margin-right:7px}"
	".chart{display:block;width:100%;height:auto}"
	".chart text{fill:var(--dim);font-size:12px}"
	".chart line{stroke:var(--line);stroke-width:1}"
	"rect.kept{fill:var(--kept)}rect.pass{fill:var(--pass)}rect.refused{fill:var(--refused)}"
	"rect.track{fill:var(--line)}"
	".wrap{overflow-x:auto}.wide table,.chart{min-width:680px}"
	"table{border-collapse:collapse;width:100%;font-size:14px}"
	"th{text-align:left;color:var(--dim);font-weight:600;font-size:12.5px;"
	"border-bottom:1px solid var(--line);padding:6px 12px 6px 0;white-space:nowrap}"
	"td{border-bottom:1px solid var(--line);padding:7px 12px 7px 0;vertical-align:top;"
	"overflow-wrap:anywhere;unicode-bidi:isolate}"
	"tr:last-child td{border-bottom:0}"
	"td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
	"td.n+td.when,th.n+th{padding-left:10px}"
	"td.bar{width:38%;vertical-align:middle}td.bar svg{display:block;width:100%;height:8px}"
	"td.when{white-space:nowrap;color:var(--dim);font-variant-numeric:tabular-nums}"
	".dim{color:var(--dim)}"
	".tag{background:var(--tag);border-radius:5px;padding:1px 7px;font-size:13px;"
	"white-space:nowrap}"
	".more,footer{color:var(--dim);font-size:13px}.more{margin:10px 0 0}"
	"footer{margin-top:26px}footer p{margin:0 0 4px}"
	"@media print{body{background:#fff}section,.tile{break-inside:avoid}}";

static const char *const classes[FATE_COUNT] = { "kept", "pass", "refused" };
static const char *const names[FATE_COUNT] = { "kept out", "let pass", "refused" };

static uint64_t sum(const uint64_t v[FATE_COUNT])
{
	return v[FATE_KEPT_OUT] + v[FATE_LET_PASS] + v[FATE_REFUSED];
}

/* 1, 2 or 5 with zeros behind it, of which at most TICKS reach the highest. */
static uint64_t step_for(uint64_t most)
{
	static const unsigned firsts[] = { 1, 2, 5 };
	uint64_t power = 1;
	size_t i;

	for (;; power *= 10)
		for (i = 0; i < 3; i++)
			if (power * firsts[i] * TICKS >= most || power > UINT64_MAX / 100)
				return power * firsts[i];
}

static void add_label(struct str *out, int64_t at, int64_t width, unsigned x, const char *anchor)
{
	const struct timespec t = { .tv_sec = at };
	char text[CLOCK_TEXT];

	clock_text(&t, false, text);
	str_printf(out, "<text x=\"%u\" y=\"%d\" text-anchor=\"%s\">", x, HEIGHT - 8, anchor);
	if (width < 86400)
		str_printf(out, "%.5s %.5s", text + 5, text + 11);
	else
		str_printf(out, "%.10s", text);
	str_add(out, "</text>");
}

struct chart {
	struct str *out;
	const struct audit_times *times;
	size_t first, n; /* of the buckets, from the first that has something to the last */
	uint64_t top;    /* of the scale */
};

static unsigned x_of(const struct chart *c, size_t i)
{
	return (unsigned)(LEFT + (WIDTH - LEFT - RIGHT) * i / (c->n ? c->n : 1));
}

static unsigned height_of(const struct chart *c, uint64_t n)
{
	return (unsigned)((double)n * (HEIGHT - TOP - BOTTOM) / (double)c->top);
}

static void add_scale(const struct chart *c, uint64_t step)
{
	uint64_t n;
	unsigned y;

	for (n = 0; n <= c->top; n += step) {
		y = HEIGHT - BOTTOM - height_of(c, n);
		str_printf(c->out, "<line x1=\"%d\" x2=\"%d\" y1=\"%u\" y2=\"%u\"/>", LEFT,
			   WIDTH - RIGHT, y, y);
		str_printf(c->out, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">", LEFT - 8, y + 4);
		html_number(c->out, n);
		str_add(c->out, "</text>\n");
	}
}

/* One bar, with what it stands for as its title. */
static void add_bucket(const struct chart *c, size_t i)
{
	const uint64_t *v = c->times->v[c->first + i];
	int64_t width = audit_times_width(c->times);
	const struct timespec t = { .tv_sec = c->times->start + (int64_t)(c->first + i) * width };
	unsigned x = x_of(c, i), wide = x_of(c, i + 1) - x, y = HEIGHT - BOTTOM, h, f;
	char text[CLOCK_TEXT];

	if (!sum(v))
		return;
	clock_text(&t, false, text);
	str_printf(c->out, "<g><title>%.10s %.5s:", text, text + 11);
	for (f = 0; f < FATE_COUNT; f++)
		if (v[f])
			str_printf(c->out, " %" PRIu64 " %s", v[f], names[f]);
	str_add(c->out, "</title>");
	for (f = 0; f < FATE_COUNT; f++) {
		h = height_of(c, v[f]);
		h = v[f] && !h ? 1 : h;
		y -= h;
		if (h)
			str_printf(c->out,
				   "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" "
				   "height=\"%u\"/>",
				   classes[f], x + 1, y,
				   wide > 60  ? 58
				   : wide > 3 ? wide - 2
					      : 1,
				   h);
	}
	str_add(c->out, "</g>\n");
}

static void find_span(struct chart *c)
{
	size_t i, last = 0;
	uint64_t most = 0, n;

	c->first = AUDIT_BUCKETS;
	for (i = 0; i < AUDIT_BUCKETS; i++) {
		n = sum(c->times->v[i]);
		if (!n)
			continue;
		if (c->first == AUDIT_BUCKETS)
			c->first = i;
		last = i;
		most = n > most ? n : most;
	}
	c->n = last - c->first + 1;
	/* Few bars are as narrow as many. */
	c->n = c->n < 12 ? 12 : c->n;
	if (c->first + c->n > AUDIT_BUCKETS)
		c->first = AUDIT_BUCKETS - c->n;
	c->top = (most + step_for(most) - 1) / step_for(most) * step_for(most);
}

static void add_legend(struct str *out)
{
	int f;

	str_add(out, "<ul class=\"legend\">");
	for (f = 0; f < FATE_COUNT; f++)
		str_printf(out,
			   "<li><svg viewBox=\"0 0 11 11\" aria-hidden=\"true\"><rect class=\"%s\" "
			   "width=\"11\" height=\"11\" rx=\"2\"/></svg>%s</li>",
			   classes[f], names[f]);
	str_add(out, "</ul>\n");
}

void html_chart(struct str *out, const struct audit_report *r)
{
	struct chart c = { .out = out, .times = &r->times };
	int64_t width = audit_times_width(&r->times), start;
	size_t i;

	if (!r->cuts || !r->times.has_begun)
		return;
	find_span(&c);
	start = r->times.start + (int64_t)c.first * width;
	str_add(out, "<section>\n<h2>Over time</h2>\n");
	add_legend(out);
	str_printf(out,
		   "<div class=\"wrap\"><svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" "
		   "aria-label=\"Items over time\">\n",
		   WIDTH, HEIGHT);
	add_scale(&c, step_for(c.top));
	for (i = 0; i < c.n; i++)
		add_bucket(&c, i);
	for (i = 0; i <= 4; i++)
		add_label(out, start + (int64_t)(i * c.n / 4) * width, width, x_of(&c, i * c.n / 4),
			  !i       ? "start"
			  : i == 4 ? "end"
				   : "middle");
	str_add(out, "</svg></div>\n</section>\n");
}
