// SPDX-License-Identifier: Apache-2.0
/* Reading the audit: a line as a record, and whether it follows the line before. */
#include "audit_line.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "../base/clock.h"
#include "chars.h"
#include "fields.h"
#include "../base/banned.h"

static const char nothing_before[] =
	"0000000000000000000000000000000000000000000000000000000000000000";

#define TEXT(member, flags)                                                                     \
	{                                                                                       \
#member, JSON_STRING, field_string, offsetof(struct audit_line, member), flags, \
			NULL, NULL                                                              \
	}
#define NUMBER(member, flags)                                                                      \
	{                                                                                          \
#member, JSON_NUMBER, field_u64, offsetof(struct audit_line, member), flags, NULL, \
			NULL                                                                       \
	}
// clang-format off
static const struct field line_fields[] = {
	TEXT(time, FIELD_REQUIRED),
	NUMBER(seq, FIELD_REQUIRED),
	TEXT(event, FIELD_REQUIRED | FIELD_NONEMPTY),
	TEXT(container, FIELD_REQUIRED | FIELD_NONEMPTY),
	TEXT(kind, 0),
	TEXT(where, 0),
	TEXT(name, 0),
	TEXT(rule, 0),
	TEXT(action, 0),
	TEXT(command, 0),
	TEXT(pod, 0),
	TEXT(image, 0),
	TEXT(mode, 0),
	NUMBER(cuts, 0),
	TEXT(prev, FIELD_REQUIRED),
	{ 0 },
};
// clang-format on

bool audit_is_cut(const struct audit_line *l)
{
	return !strcmp(l->event, "cut");
}

bool audit_is_start(const struct audit_line *l)
{
	return !strcmp(l->event, "start") || !strcmp(l->event, "refuse");
}

static bool is_hash(const char *s)
{
	size_t n = 0;

	while (is_digit(s[n]) || (s[n] >= 'a' && s[n] <= 'f'))
		n++;
	return !s[n] && n == 2 * (size_t)HASH_SIZE;
}

static int check(struct audit_line *l, struct err *e)
{
	if (!clock_read(l->time, &l->at))
		return fail(e, 0, "time: not as RFC 3339 has it");
	if (!is_hash(l->prev))
		return fail(e, 0, "prev: not a SHA-256");
	if (audit_is_cut(l) && (!l->kind || !l->where || !l->name || !l->rule || !l->action))
		return fail(e, 0, "a cut without kind, where, name, rule or action");
	if (audit_is_start(l) && (!l->command || !l->mode))
		return fail(e, 0, "a start without command or mode");
	return 0;
}

int audit_line_read(struct arena *a, const char *text, size_t len, struct audit_line *l,
		    struct err *e)
{
	struct reader r = { .arena = a, .err = e };
	const struct json *doc;

	*l = (struct audit_line){ 0 };
	if (len >= RECORD_LINE_MAX)
		return fail(e, 0, "no record: longer than 64 KiB");
	if (json_parse(a, text, len, &doc, e) || fields_read(&r, doc, line_fields, l) ||
	    check(l, e))
		return fail_in(e, "no record");
	return 0;
}

static int compare(const struct audit_chain *c, const struct audit_line *l, struct err *e)
{
	bool is_first = !strcmp(l->prev, nothing_before);

	if (is_first != !l->seq)
		return fail(e, 0, "prev is %s, and seq is %" PRIu64,
			    is_first ? "that of a first line" : "not that of a first line", l->seq);
	if (!c->has_begun)
		return 0;
	if (is_first)
		return fail(e, 0, "a chain begins anew after line %" PRIu64 " of another",
			    c->seq - 1);
	if (l->seq != c->seq)
		return fail(e, 0,
			    "seq is %" PRIu64 ", expected %" PRIu64
			    ": lines are missing or were moved",
			    l->seq, c->seq);
	if (strcmp(l->prev, c->last) != 0)
		return fail(e, 0, "prev is not the hash of the line before: that one was changed");
	return 0;
}

int audit_chain_follow(struct audit_chain *c, const struct audit_line *l, const char *text,
		       size_t len, struct err *e)
{
	int rc = compare(c, l, e);
	uint8_t digest[HASH_SIZE];

	hash_sha256(text, len, digest);
	hash_hex(digest, sizeof digest, c->last);
	if (!c->has_begun)
		c->first = l->seq;
	c->has_begun = true;
	c->seq = l->seq + 1;
	return rc;
}

void audit_chain_lose(struct audit_chain *c)
{
	c->has_begun = false;
}
