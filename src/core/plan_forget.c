// SPDX-License-Identifier: Apache-2.0
/* What was cut, out of the memory that the container's first process inherits. */
#include "plan.h"

#include <string.h>

#include "../base/banned.h"

/* The tree is constant to all that read it; nobody does any more where something was cut. */
static void wipe(const struct json *v)
{
	const struct json *child;
	char *text;

	memcpy(&text, &v->text, sizeof text); /* without its const */
	if (text)
		explicit_bzero(text, v->len);
	for (child = v->first; child; child = child->next)
		wipe(child);
}

static bool is_of_the_bundle(enum cut_kind k)
{
	switch (k) {
	case CUT_ENV:
	case CUT_MOUNT:
	case CUT_ARG:
	case CUT_ANNOTATION:
	case CUT_HOOK:
	case CUT_NAMESPACE: /* host names, too */
	case CUT_TEXT: return true;
	case CUT_PATH:
	case CUT_FD:
	case CUT_COUNT: break;
	}
	return false;
}

void plan_forget(const struct plan *p)
{
	const struct cut *c;
	size_t i;

	for (i = 0; i < p->n_cuts; i++) {
		c = &p->cuts[i];
		if (c->at && is_of_the_bundle(c->kind) &&
		    (c->action == ACTION_REMOVE || c->action == ACTION_DUMMY))
			wipe(c->at);
	}
}
