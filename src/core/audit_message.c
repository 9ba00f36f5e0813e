// SPDX-License-Identifier: Apache-2.0
/* A record as a message for the system's log. */
#include "audit_message.h"

#include <inttypes.h>
#include <string.h>

#include "audit_table.h"
#include "../base/banned.h"

/* LOG_AUTHPRIV; LOG_NOTICE, or LOG_WARNING for what is refused. */
enum { FACILITY = 10, NOTICE = 5, WARNING = 4, SHOWN = 160 };

static int priority(const struct audit_line *l)
{
	return !strcmp(l->event, "refuse") || !strcmp(l->event, "unsafe") ||
			       (l->action && !strcmp(l->action, "refuse"))
		       ? WARNING
		       : NOTICE;
}

/* "agent-1: env AWS_SECRET_ACCESS_KEY at process.env[3]: remove (env-name:aws)" */
static void add_words(struct str *out, const struct audit_line *l)
{
	audit_add_safe(out, l->container, SHOWN);
	str_add(out, ": ");
	audit_add_safe(out, audit_is_cut(l) ? l->kind : l->event, SHOWN);
	if (audit_is_cut(l)) {
		str_add(out, " ");
		audit_add_safe(out, l->name, SHOWN);
		str_add(out, " at ");
		audit_add_safe(out, l->where, SHOWN);
		str_add(out, ": ");
		audit_add_safe(out, l->action, SHOWN);
		str_add(out, " (");
		audit_add_safe(out, l->rule, SHOWN);
		str_add(out, ")");
	} else if (audit_is_start(l)) {
		str_printf(out, ": %s, mode %s, %" PRIu64 " item%s", l->command, l->mode, l->cuts,
			   l->cuts == 1 ? "" : "s");
	}
}

static void add_field(struct str *out, const char *key, const char *value)
{
	if (!value)
		return;
	str_printf(out, "%s=", key);
	audit_add_safe(out, value, 0);
	str_add(out, "\n");
}

void audit_journal_message(struct str *out, const struct audit_line *l, const char *text,
			   size_t len)
{
	str_add(out, "MESSAGE=");
	add_words(out, l);
	str_printf(out, "\nPRIORITY=%d\nSYSLOG_FACILITY=%d\nSYSLOG_IDENTIFIER=credsbox\n",
		   priority(l), FACILITY);
	str_printf(out, "CREDSBOX_SEQ=%" PRIu64 "\n", l->seq);
	add_field(out, "CREDSBOX_EVENT", l->event);
	add_field(out, "CREDSBOX_CONTAINER", l->container);
	add_field(out, "CREDSBOX_KIND", l->kind);
	add_field(out, "CREDSBOX_WHERE", l->where);
	add_field(out, "CREDSBOX_NAME", l->name);
	add_field(out, "CREDSBOX_RULE", l->rule);
	add_field(out, "CREDSBOX_ACTION", l->action);
	add_field(out, "CREDSBOX_COMMAND", l->command);
	add_field(out, "CREDSBOX_POD", l->pod);
	add_field(out, "CREDSBOX_IMAGE", l->image);
	add_field(out, "CREDSBOX_MODE", l->mode);
	str_add(out, "CREDSBOX_RECORD=");
	str_addn(out, text, len);
	str_add(out, "\n");
}

/* What is longer is cut by some receivers in the middle of a character. */
void audit_syslog_message(struct str *out, const struct audit_line *l, const char *time, int pid)
{
	size_t begin = out->len;

	str_printf(out, "<%d>%s credsbox[%d]: ", FACILITY << 3 | priority(l), time, pid);
	add_words(out, l);
	str_printf(out, " [%" PRIu64 "]", l->seq);
	if (out->len - begin <= SYSLOG_MAX)
		return;
	out->len = begin + SYSLOG_MAX;
	while (((unsigned char)out->s[out->len] & 0xc0) == 0x80)
		out->len--;
	out->s[out->len] = '\0';
}
