/* SPDX-License-Identifier: Apache-2.0 */
/* Variables or paths from a file, judged one by one without a bundle. */
#ifndef RUNTIME_JUDGE_LIST_H
#define RUNTIME_JUDGE_LIST_H

#include "cmd.h"

struct list {
	const char *file, *policy;
	bool is_paths, is_null_separated, json;
};

/* Prints a line for each entry, in order; returns the exit code of `plan`. */
int judge_list(struct job *j, const struct list *l);

#endif
