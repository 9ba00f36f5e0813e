/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of records for the system's log: journald or syslog. */
#ifndef SYS_AUDIT_SINK_H
#define SYS_AUDIT_SINK_H

#include "../core/policy.h"
#include "ledger.h"

/* audit_sink_send - one message for each record, where the policy wants them
 * Never waits long: what is not taken in two seconds is not sent, and that is an error.
 */
int audit_sink_send(const struct policy *p, const struct ledger_text *lines, struct err *e);

#endif
