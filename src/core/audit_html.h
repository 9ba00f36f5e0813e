/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the audit's page: its style, its chart, and how text gets into it. */
#ifndef CORE_AUDIT_HTML_H
#define CORE_AUDIT_HTML_H

#include "../base/str.h"
#include "audit_report.h"

extern const char html_style[];

void html_text(struct str *out, const char *text); /* escaped */
void html_number(struct str *out, uint64_t n);     /* 1,234 */
void html_chart(struct str *out, const struct audit_report *r);

#endif
