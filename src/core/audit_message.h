/* SPDX-License-Identifier: Apache-2.0 */
/* A record as a message for the system's log. */
#ifndef CORE_AUDIT_MESSAGE_H
#define CORE_AUDIT_MESSAGE_H

#include "../base/str.h"
#include "audit_line.h"

enum { SYSLOG_MAX = 1024 }; /* bytes, by RFC 3164 */

/* journald's native protocol: a line NAME=VALUE for each member that the record has, the record itself as it stands,
 * and MESSAGE for people.
 */
void audit_journal_message(struct str *out, const struct audit_line *l, const char *text,
			   size_t len);

/* RFC 3164, as syslog(3) writes it; time is "Nov 18 09:30:00", local. */
void audit_syslog_message(struct str *out, const struct audit_line *l, const char *time, int pid);

#endif
