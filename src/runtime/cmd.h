/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, and what they share. */
#ifndef RUNTIME_CMD_H
#define RUNTIME_CMD_H

#include <sys/resource.h>

#include "../base/err.h"
#include "../core/plan.h"

/* Exit codes beyond 0 and 1. */
enum { EXIT_STRIPPED = 3, EXIT_REFUSED = 125 };

/* Options before the command. */
struct global {
	const char *root;   /* of all containers' state; absolute */
	const char *policy; /* a file over those of the system and the user; NULL: none */
	bool systemd_cgroup, no_cgroup;
	bool named_root;    /* --root was given */
	struct rlimit core; /* the caller's; ours is lower */
	char *const *argv;  /* as they were given */
};

/* Each is called with its own name as argv[0] and returns the exit code. */
typedef int cmd_fn(const struct global *g, int argc, char **argv);
cmd_fn cmd_audit, cmd_create, cmd_delete, cmd_events, cmd_exec, cmd_features, cmd_filter, cmd_kill;
cmd_fn cmd_list, cmd_pause, cmd_plan, cmd_policy, cmd_ps, cmd_resume, cmd_run, cmd_scan, cmd_spec,
	cmd_start;
cmd_fn cmd_state, cmd_update, cmd_wrap;

/* Prints "credsbox: <command>: <what>" to standard error and returns 1. */
int cmd_fail(const char *command, const struct err *e);

/* Prints text to standard output; 0, or 1 with a message when it cannot be written. */
int cmd_print(const char *command, const char *text, size_t len);

/* Tells what is wrong with the command line, and where to read more; returns 1. The options before any
 * command have none: NULL.
 */
int cmd_usage(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same for what getopt_long() returned ':' or '?' for. */
int cmd_bad_option(const char *command, int c, char **argv);

/* Whether standard output is a terminal that shows colours. */
bool cmd_wants_colour(void);

/* All that leads to a plan, in one arena. */
struct job {
	struct arena arena;
	struct arena scratch; /* for what is not kept: the text, and what it was made from */
	const char *text;     /* of config.json, */
	const char *name;     /* what errors call it; NULL: that */
	size_t len;
	struct bundle bundle;
	struct policy policy;
	struct facts facts;
	struct plan plan;
	int n_fds;               /* descriptors beyond 0-2 that the program gets */
	const struct json *more; /* what the command line adds to the policy; NULL: nothing */
	bool records; /* what is cut goes on record: fingerprints are under the host's key */
};

/* job_policy - the effective policy, without a bundle's annotations; file may be NULL */
int job_policy(struct job *j, const char *file, struct err *e);

/* job_record - the plan's records, on the disk before anything starts */
int job_record(struct job *j, const char *id, const char *command, struct err *e);

/* job_plan - from the text of config.json in j->text to j->plan */
int job_plan(struct job *j, const char *bundle_dir, const char *policy_file, struct err *e);

/* job_forget - nothing that was cut is in our memory any more
 * Before the first process is made, which inherits all of it. The text is gone then, too.
 */
void job_forget(struct job *j);

void job_release(struct job *j);

#endif
