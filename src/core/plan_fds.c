// SPDX-License-Identifier: Apache-2.0
/* Descriptors of the caller: which are closed, and which of those that stay lead out of the container. */
#include "plan_work.h"

#include "../base/banned.h"

static const char *type_name(enum file_type t)
{
	switch (t) {
	case FILE_REGULAR: return "file";
	case FILE_DIRECTORY: return "directory";
	case FILE_SOCKET: return "socket";
	case FILE_DEVICE: return "device";
	case FILE_FIFO: return "pipe";
	case FILE_MISSING:
	case FILE_OTHER: break;
	}
	return "other";
}

static void cut(struct plan_work *w, const struct fd_fact *f, enum cut_action action,
		const char *rule, const char *why)
{
	plan_cut(w, &(struct item){
			    .kind = CUT_FD,
			    .action = action,
			    .where = arena_printf(w->arena, "descriptor %d", f->fd),
			    .name = type_name(f->type),
			    .rule = rule,
			    .why = why,
		    });
}

void plan_fds(struct plan_work *w)
{
	size_t i;

	for (i = 0; i < w->facts->n_fds; i++) {
		const struct fd_fact *f = &w->facts->fds[i];

		if (!f->is_asked_for)
			cut(w, f, ACTION_REMOVE, "fd:inherited", "the caller left it open");
		else if (f->type == FILE_DIRECTORY || f->type == FILE_DEVICE)
			cut(w, f, ACTION_RECORD, "fd:preserved", "it leads out of the container");
	}
}
