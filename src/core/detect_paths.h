/* SPDX-License-Identifier: Apache-2.0 */
/* What paths are judged by: tables of known ones, patterns with exceptions, and rules for names. */
#ifndef CORE_DETECT_PATHS_H
#define CORE_DETECT_PATHS_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detect.h"

/* A path cut into components, without "//", "/./" and "/../". */
struct folded {
	char text[PATH_MAX];           /* "home/alice/.aws": no slash at either end */
	uint16_t at[PATH_MAX / 2 + 1]; /* where each component begins; one more, past the end */
	unsigned count;
	unsigned first; /* what is before it stands for the root: "proc/1/root" */
	unsigned home;  /* the component after a home directory; 0: not in one */
	bool is_rooted; /* began with a slash */
};

static inline const char *folded_text(const struct folded *f, unsigned i)
{
	return f->text + f->at[i];
}

/* Length of the components from the first up to, but without, the second. */
static inline size_t folded_len(const struct folded *f, unsigned from, unsigned to)
{
	return (size_t)f->at[to] - f->at[from] - 1;
}

/* From lowest to highest: of two that match equally much of a path, the higher one decides. */
enum path_fate {
	FATE_NONE,
	FATE_OPEN,       /* stays; what is below is judged by name */
	FATE_ANCESTOR,   /* only this very path: credentials are below it */
	FATE_SELF,       /* only this very path is a credential */
	FATE_CREDENTIAL, /* with all below it, public halves of keys excepted */
	FATE_STRICT,     /* the same without exception: others chose the names below */
	FATE_KEEP,       /* stays, and so does what is below, whatever its name */
};

enum path_scope { BELOW_ROOT, BELOW_HOME, ANYWHERE };

/* Patterns, '*' within a component, sorted by their first component; those of path_wild have a '*'
 * in the first, and are tried where a component begins with a dot.
 */
struct path_rule {
	enum path_scope scope;
	const char *pattern;
	enum path_fate fate;
	const char *rule, *why;
};
extern const struct path_rule path_rules[], path_wild[];
extern const size_t n_path_rules, n_path_wild;

/* The known path that the text is, or NULL. */
const struct known_path *known_find(enum known_base base, const char *text, size_t len);

/* Is there a known path below the text? */
bool known_below(enum known_base base, const char *text, size_t len);

/* Fills in f when the last components say by their names that it is a credential. */
bool path_name_judge(const struct folded *path, struct finding *f);

/* A public half or a certificate, to be kept even among credentials. */
bool path_name_is_public(const char *name, size_t len);

#endif
