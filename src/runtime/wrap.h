/* SPDX-License-Identifier: Apache-2.0 */
/* A bundle for a command of this host: what of the host it sees, and what it may write. */
#ifndef RUNTIME_WRAP_H
#define RUNTIME_WRAP_H

#include <sys/types.h>

#include "../base/err.h"
#include "../core/bundle.h"

/* A directory or file that the command sees where it is; canonical. */
struct wrap_tree {
	const char *path;
	bool writable;
	bool is_asked_for; /* on the command line */
};

struct wrap {
	char **args;             /* ends with NULL */
	struct strings env;      /* of the command, before anything is taken from it */
	const char *cwd;         /* canonical */
	const char *home;        /* the same; NULL: there is none that could be shown */
	const char *other_home;  /* that the system knows, when HOME is another; or NULL */
	const char *runtime_dir; /* $XDG_RUNTIME_DIR; NULL: none */
	struct wrap_tree *trees;
	size_t n_trees;
	bool terminal;
	mode_t umask;
};

/* wrap_tree_add - one more of them; what was said of the same path before is forgotten */
void wrap_tree_add(struct arena *a, struct wrap *w, const struct wrap_tree *tree);

/* Is the path one that the box has for itself: /tmp, /run, /proc, or something in those of the kernel? */
bool wrap_is_private(const char *path);

/* Is it below one that is empty in there, as /home is, unless it is shown? */
bool wrap_covers(const char *path);

/* Did somebody name this very tree, by --rw or --ro? */
bool wrap_has_tree(const struct wrap *w, const char *path);

/* wrap_keeps_readonly - why the current directory is not made writable unless somebody asks for it; NULL: it is */
const char *wrap_keeps_readonly(const struct wrap *w);

/* wrap_bundle - config.json of it, as the readers of bundles take it */
int wrap_bundle(struct arena *a, const struct wrap *w, const char **text, size_t *len,
		struct err *e);

#endif
