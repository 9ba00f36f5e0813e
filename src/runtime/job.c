// SPDX-License-Identifier: Apache-2.0
/* From the text of a bundle to its plan: the steps that all commands begin with. */
#include "cmd.h"

#include <string.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../sys/audit_sink.h"
#include "../sys/facts.h"
#include "../sys/ledger.h"
#include "../sys/policy_load.h"
#include "../base/banned.h"

int job_policy(struct job *j, const char *file, struct err *e)
{
	return policy_load(&j->arena, file, &j->policy, e);
}

int job_record(struct job *j, const char *id, const char *command, struct err *e)
{
	struct ledger_text lines;
	struct err unsent;
	int rc = ledger_append(&j->arena, &j->plan, id, command, &lines, e);

	/* The administrator said that it may be missing. */
	if (rc > 0)
		log_warn("%s", e->text);
	/* The file is the record. A copy is none: who takes a message does not say that it is kept. */
	if (rc >= 0 && audit_sink_send(&j->policy, &lines, &unsent))
		log_warn("%s", unsent.text);
	return rc < 0 ? -1 : 0;
}

static int fail_in_bundle(const struct job *j, struct err *e)
{
	return fail_in(e, "%s", j->name ? j->name : "config.json");
}

/* What a bundle without a filter of its own gets, if that is a file of the administrator's. */
static int read_profile(struct job *j, struct err *e)
{
	const char *path = j->policy.seccomp_profile;
	struct seccomp *s;
	const struct json *top;
	size_t len;

	if (path[0] != '/' || j->bundle.lin.seccomp.set || j->policy.mode == MODE_OBSERVE)
		return 0;
	s = arena_alloc(&j->arena, sizeof *s);
	if (file_read(&j->arena, path, false, JSON_MAX_SIZE, &j->facts.profile_text, &len, e) ||
	    json_parse(&j->arena, j->facts.profile_text, len, &top, e) ||
	    bundle_read_seccomp(&j->arena, top, s, e))
		return fail_in(e, "seccomp.profile");
	j->facts.profile = s;
	j->facts.profile_at = top;
	return 0;
}

static int add_policy(struct job *j, struct err *e)
{
	static const struct policy_layer layer = { "the command line" };

	if (!j->more || !policy_merge(&j->arena, &j->policy, j->more, &layer, e))
		return 0;
	return fail_in(e, "%s", layer.name);
}

int job_plan(struct job *j, const char *bundle_dir, const char *policy_file, struct err *e)
{
	const struct json *top;

	if (json_parse(&j->arena, j->text, j->len, &top, e) ||
	    bundle_read(&j->arena, top, &j->bundle, e))
		return fail_in_bundle(j, e);
	if (job_policy(j, policy_file, e) || add_policy(j, e))
		return -1;
	if (policy_annotate(&j->arena, &j->policy, &j->bundle.annotations, e))
		return fail_in_bundle(j, e);
	if (facts_gather(&j->arena, &j->bundle, &j->policy, bundle_dir, &j->facts, e) ||
	    read_profile(j, e) ||
	    (j->records && (facts_fds(&j->arena, j->n_fds, &j->facts, e) ||
			    ledger_facts(&j->policy, &j->facts, e))))
		return -1;
	return plan_make(&j->arena, &j->bundle, &j->policy, &j->facts, &j->plan, e);
}

/* Functions that looked at values have left parts of them below us on the stack. */
static __attribute__((noinline)) void wipe_stack(void)
{
	char room[96 * 1024];

	explicit_bzero(room, sizeof room);
}

void job_forget(struct job *j)
{
	plan_forget(&j->plan);
	arena_release(&j->scratch);
	j->text = NULL;
	j->len = 0;
	wipe_stack();
}

void job_release(struct job *j)
{
	arena_release(&j->scratch);
	arena_release(&j->arena);
}
