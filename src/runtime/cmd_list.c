// SPDX-License-Identifier: Apache-2.0
/* credsbox list: all containers of one state directory. */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "container.h"
#include "../base/banned.h"

static const char usage[] = "NAME:\n"
			    "   credsbox list - list containers\n"
			    "\n"
			    "USAGE:\n"
			    "   credsbox list [-q] [-f table|json]\n"
			    "\n"
			    "Lists the containers of the state directory (--root), sorted by their "
			    "ids; those too that\n"
			    "an interrupted command left behind.\n"
			    "\n"
			    "  -q, --quiet          ids only\n"
			    "  -f, --format FORMAT  table (default) or json\n";

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ "quiet", no_argument, NULL, 'q' },
	{ 0 },
};

enum { COLUMNS = 6, COLUMN_MIN = 12, COLUMN_GAP = 3, CELL_MAX = 4096, LIST_MAX = 256 << 20 };

struct row {
	const char *cells[COLUMNS];
	const char *json;
};

struct list {
	struct row *rows;
	size_t n;
};

static const char *const header[COLUMNS] = { "ID", "PID", "STATUS", "BUNDLE", "CREATED", "OWNER" };

static const char *cell(struct arena *a, const char *text)
{
	return text ? printable(a, text, CELL_MAX) : "";
}

/* A damaged one is listed with what is known of it: somebody has to remove it. */
static void add_row(struct arena *a, struct list *l, const struct container *c, bool json)
{
	pid_t pid = c->status == STATUS_STOPPED ? 0 : c->state.pid;
	const struct state *s = &c->state;
	struct row *r = arena_push(a, l->rows, l->n);

	if (json) {
		r->json = container_state_json(a, s, c->status, pid, false);
		return;
	}
	r->cells[0] = s->id;
	r->cells[1] = arena_printf(a, "%d", (int)pid);
	r->cells[2] = status_name(c->status);
	r->cells[3] = cell(a, s->bundle);
	r->cells[4] = cell(a, s->created);
	r->cells[5] = s->doc ? cell(a, container_owner(a, s->owner)) : "";
}

static void add_table(struct str *out, const struct list *l)
{
	int width[COLUMNS], len, c;
	const char *text;
	size_t i;

	for (c = 0; c < COLUMNS; c++) {
		width[c] = COLUMN_MIN;
		for (i = 0; i <= l->n; i++) {
			text = i ? l->rows[i - 1].cells[c] : header[c];
			len = (int)strlen(text) + COLUMN_GAP;
			width[c] = len > width[c] ? len : width[c];
		}
	}
	for (i = 0; i <= l->n; i++)
		for (c = 0; c < COLUMNS; c++) {
			text = i ? l->rows[i - 1].cells[c] : header[c];
			if (c < COLUMNS - 1)
				str_printf(out, "%-*s", width[c], text);
			else
				str_printf(out, "%s\n", text);
		}
}

static void add_json(struct str *out, const struct list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		str_add(out, i ? "," : "[");
		str_add(out, l->rows[i].json);
	}
	str_add(out, l->n ? "]\n" : "null\n");
}

static int list(struct arena *a, const struct global *g, bool quiet, bool json)
{
	autofd int root = -1;
	struct strings ids = { 0 };
	struct list l = { 0 };
	struct container c;
	struct str out;
	struct err e;
	size_t i;

	root = container_root(g, false, &e);
	if (root < 0 && (e.errnum != ENOENT || g->named_root))
		return cmd_fail("list", &e);
	if (root >= 0 && state_list(a, root, &ids, &e))
		return cmd_fail("list", &e);
	str_init(&out, a, LIST_MAX);
	for (i = 0; i < ids.n; i++) {
		if (quiet) {
			str_printf(&out, "%s\n", ids.v[i]);
			continue;
		}
		/* One that cannot be opened was deleted just now. */
		if (container_look(a, root, ids.v[i], &c, &e))
			continue;
		add_row(a, &l, &c, json);
		container_close(&c);
	}
	if (!quiet && json)
		add_json(&out, &l);
	else if (!quiet)
		add_table(&out, &l);
	return cmd_print("list", out.s, out.len);
}

int cmd_list(const struct global *g, int argc, char **argv)
{
	bool quiet = false, json = false;
	struct arena a = { 0 };
	int c, rc;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:hq", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			json = !strcmp(optarg, "json");
			if (!json && strcmp(optarg, "table"))
				return cmd_usage("list", "--format: table or json");
			break;
		case 'h': return cmd_print("list", usage, sizeof usage - 1);
		case 'q': quiet = true; break;
		default: return cmd_bad_option("list", c, argv);
		}
	}
	if (optind != argc)
		return cmd_usage("list", "no arguments are wanted");
	rc = list(&a, g, quiet, json);
	arena_release(&a);
	return rc;
}
