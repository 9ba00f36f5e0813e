// SPDX-License-Identifier: Apache-2.0
/* Going through an audit, line by line: what the commands that read it share. */
#include "audit_walk.h"

#include <inttypes.h>

#include "../base/banned.h"

enum { TOLD = 10, RELEASE_EVERY = 256 };

int audit_walk_open(struct audit_walk *w, const char *policy, const char *file, struct err *e)
{
	struct job j = { 0 };
	int rc = 0;

	if (!file) {
		rc = job_policy(&j, policy, e);
		file = rc ? NULL : j.policy.audit_file;
	}
	rc = rc || audit_open(&w->arena, file, &w->files, e) ? -1 : 0;
	audit_select_init(&w->select, &w->arena);
	arena_release(&j.arena);
	return rc;
}

void audit_walk_close(struct audit_walk *w)
{
	audit_close(&w->files);
	arena_release(&w->lines);
	arena_release(&w->arena);
}

static void tell(struct audit_walk *w, bool is_told, const struct audit_text *t, struct err *e)
{
	if (!is_told)
		return;
	if (++w->broken > TOLD)
		return;
	fail_in(e, "%s: line %" PRIu64, t->source->shown, t->number);
	cmd_fail(w->command, e);
}

int audit_walk_next(struct audit_walk *w, bool is_told, struct audit_text *t, struct audit_line *l,
		    struct err *e)
{
	struct err why;
	int got;

	for (;;) {
		/* Each line takes a little: it is given back for many at once. */
		if (++w->unreleased % RELEASE_EVERY == 0)
			arena_release(&w->lines);
		got = audit_next(&w->files, t, e);
		if (got == AUDIT_END || got < 0)
			return got;
		if (got == AUDIT_HALF) {
			w->halves++;
			continue;
		}
		if (got == AUDIT_TOO_LONG)
			fail(&why, 0, "no record: longer than 64 KiB");
		else if (!audit_line_read(&w->lines, t->text, t->len, l, &why))
			return 1;
		tell(w, is_told, t, &why);
		if (w->stops)
			return AUDIT_END;
	}
}

int audit_walk_settle(struct audit_walk *w, struct err *e)
{
	struct audit_line l;
	struct audit_text t;
	int rc;

	if (!w->select.container)
		return 0;
	while ((rc = audit_walk_next(w, false, &t, &l, e)) > 0)
		audit_select_learn(&w->select, &w->arena, &l);
	if (rc)
		return -1;
	audit_rewind(&w->files);
	return audit_select_settle(&w->select, &w->arena, e);
}

int audit_walk_end(const struct audit_walk *w)
{
	struct err e;

	if (!w->broken)
		return 0;
	fail(&e, 0, "%" PRIu64 " line%s %s no record%s (credsbox audit verify tells more)",
	     w->broken, w->broken == 1 ? "" : "s", w->broken == 1 ? "is" : "are",
	     w->broken == 1 ? "" : "s");
	return cmd_fail(w->command, &e);
}

int audit_bad_since(const char *command)
{
	return cmd_usage(command, "--since: a date (2026-11-18), a time (2026-11-18T09:30:00Z) or "
				  "how long ago (90m, 1h, 2d, 1w)");
}
