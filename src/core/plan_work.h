/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of plan_make() share while a plan is being made. */
#ifndef CORE_PLAN_WORK_H
#define CORE_PLAN_WORK_H

#include "plan.h"

struct plan_work {
	struct arena *arena;
	const struct bundle *b;
	const struct policy *policy;
	const struct facts *facts;
	struct plan *plan;
	struct secrets secrets; /* cut values, to be found again elsewhere */
	uint64_t n_dummies;
	bool *mount_goes; /* one for each of the bundle's, whatever the mode lets become of it */
};

/* An item as the parts describe it; the mode of the policy decides what becomes of it. */
struct item {
	enum cut_kind kind;
	enum cut_action action;
	const struct json *at;
	const char *where; /* NULL: the path of at */
	const char *name;
	const char *rule, *why, *keep;
	const char *value; /* for length and fingerprint only; NULL: none */
	size_t length;
	const char *instead; /* whole stand-in, with ACTION_DUMMY */
};

/* Puts the item on the list of cuts and says what is to be done with it: ACTION_RECORD and
 * ACTION_REFUSE leave it as it is in the plan.
 */
enum cut_action plan_cut(struct plan_work *w, const struct item *item);

/* Does the text hold a secret that is known from elsewhere? Then *f is the finding of it. */
bool plan_same_value(const struct plan_work *w, const char *text, size_t len, struct finding *f);

/* Adds the secrets of a text to those that are searched for everywhere. */
void plan_remember(struct plan_work *w, const char *text, const struct finding *f);
void plan_remember_args(struct plan_work *w);   /* of all arguments and annotations */
void plan_remember_mounts(struct plan_work *w); /* of options and sources */

void plan_env(struct plan_work *w);    /* process.env and the hooks; fills w->secrets */
void plan_args(struct plan_work *w);   /* process.args, hooks' arguments, annotations */
void plan_mounts(struct plan_work *w); /* mounts, devices, what was found below them */
void plan_texts(struct plan_work *w);  /* host names, sysctls and other text; after the mounts */
void plan_kernel(struct plan_work *w); /* files of the kernel */
void plan_ids(struct plan_work *w);    /* of a new user namespace */
void plan_seccomp(struct plan_work *w);
void plan_landlock(struct plan_work *w);
void plan_caps(struct plan_work *w);
void plan_fds(struct plan_work *w);

/* Judges again what was kept of an environment, by what was cut of it. */
void plan_near(struct plan_work *w, const struct env *env, struct judgement *js);

#endif
