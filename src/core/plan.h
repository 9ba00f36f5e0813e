/* SPDX-License-Identifier: Apache-2.0 */
/* The decision: bundle + policy + facts -> plan. Nothing is decided anywhere else. */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include "bundle.h"
#include "detect.h"
#include "facts.h"
#include "landlock_rules.h"
#include "policy.h"
#include "secrets.h"

enum cut_kind {
	CUT_ENV,
	CUT_MOUNT,
	CUT_PATH,
	CUT_ARG,
	CUT_ANNOTATION,
	CUT_FD,
	CUT_HOOK,
	CUT_NAMESPACE,
	/* Another string of the bundle; to those who read it, of the kind of annotations. */
	CUT_TEXT,
	CUT_COUNT
};

enum cut_action {
	ACTION_REMOVE,  /* it is not in the plan */
	ACTION_DUMMY,   /* a stand-in is in its place */
	ACTION_MASK,    /* something empty lies over it */
	ACTION_ISOLATE, /* a namespace of the workload's own in place of a shared one */
	ACTION_RECORD,  /* it stays, and that is on record */
	ACTION_ALLOW,   /* it stays because a policy forces it, and that is on record */
	ACTION_REFUSE,  /* nothing is started because of it */
};

/* One item kept from the workload, or on record. There is no member for a value. */
struct cut {
	enum cut_kind kind;
	enum cut_action action;
	const char *where; /* "process.env[3]" */
	const char *name;  /* of the variable, mount point, annotation ...; fit for printing */
	const char *rule;  /* "env-name:aws" */
	const char *why;
	const char *keep;       /* the line of policy that would keep it; NULL: none can */
	size_t length;          /* of the value; 0: it has none */
	uint8_t fingerprint[8]; /* HMAC of the value under the host's key; all zero: none */
	const struct json *at;  /* the value in the bundle's tree, for the filter; NULL: none */
	const char *instead;    /* what the filter writes in its place: a whole stand-in entry */
};

struct plan_mask {
	const char *path;
	bool is_dir;
};

/* Whose system call filter it is, above the floor. */
enum plan_profile { PROFILE_NONE, PROFILE_BUNDLE, PROFILE_DEFAULT, PROFILE_STRICT, PROFILE_FILE };

struct plan_hook {
	const struct hook *hook;
	const char **env;
	size_t n_env;
};

struct plan {
	const struct bundle *bundle;
	const struct policy *policy;
	const struct facts *facts;
	const char **env;
	size_t n_env;
	const char **args;
	size_t n_args;
	const struct mount **mounts;
	size_t n_mounts;
	const struct device **devices;
	size_t n_devices;
	struct plan_mask *masks; /* beyond the bundle's own masked paths */
	size_t n_masks;
	struct strings kernel_masks; /* files of the kernel that tell of others; not in the cuts */
	bool private_mounts;         /* what the host mounts later is not seen, unless asked for */
	struct plan_hook *hooks[HOOK_COUNT];
	size_t n_hooks[HOOK_COUNT];
	const struct pair **annotations; /* that hooks and state may show */
	size_t n_annotations;
	const char *hostname, *domainname; /* NULL: none */
	struct pairs sysctl;
	struct ns ns[NS_COUNT];
	struct id_maps uid_maps, gid_maps; /* of a new user namespace */
	bool deny_setgroups; /* the kernel asks that of those who map only themselves */
	struct landlock_rules landlock;
	bool cgroup_readonly; /* whatever the bundle says: it would see more groups than its own */
	enum policy_floor floor;
	enum plan_profile profile;
	const struct seccomp *seccomp; /* of a bundle or a file; what is compiled in has a name */
	bool no_new_privs;             /* always, unless the policy only observes */
	struct capabilities caps;
	uint64_t caps_denied; /* bits: that nobody in the container gets */
	struct cut *cuts;
	size_t n_cuts;
	const char *lacks;      /* what is required and not to be had here; NULL: nothing */
	const char *unsafe;     /* what the last look found missing, when it did; NULL: nothing */
	bool refused;           /* mode enforce, or args: refuse, and there is a reason */
	struct secrets secrets; /* what was cut, to withhold it; never to be printed */
};

/* Pure: the same arguments give the same plan. The bundle's annotations are already in the policy. */
int plan_make(struct arena *a, const struct bundle *b, const struct policy *p,
	      const struct facts *f, struct plan *plan, struct err *e);

/* plan_forget - overwrites what was cut in the bundle's tree
 * For when the plan is about to be carried out: of the bundle, only what the plan has may be read after that.
 */
void plan_forget(const struct plan *p);

/* How many cuts take an item of the bundle from the workload or would refuse it: what exit code 3 tells. */
size_t plan_stripped(const struct plan *p);

/* Takes these from all sets; what joins a container gets no more than it. */
void plan_deny_caps(struct plan *p, uint64_t denied);

/* Those that the bundle gives and the workload does not get, bits. */
uint64_t plan_caps_withheld(const struct plan *p);

/* What policy and detection together say of one variable or path; the mode is left out of it. */
struct judgement {
	struct finding f;       /* its verdict is what counts */
	enum cut_action action; /* unless it is kept; ACTION_ALLOW: found, but forced */
	bool is_settled;        /* a policy allows the name, or it is a stand-in */
};

/* The name must end with a NUL; detect_env()'s rules apply to the rest. */
void plan_judge_env(const struct policy *p, const char *name, const char *value, size_t len,
		    struct judgement *j);
void plan_judge_path(const struct policy *p, const char *path, struct judgement *j);

/* A name as it may be shown: escaped, cut, and withheld when it looks like a credential itself or
 * holds a value that was cut. NULL: nothing was.
 */
const char *plan_name(struct arena *a, const struct secrets *s, const char *name, size_t len);
bool plan_may_show(const struct secrets *s, const char *name, size_t len);

/* The directories that an overlay brings in, as its options have them: lowerdir=/a:/b, upperdir=/c. */
struct strings plan_layers(struct arena *a, const struct mount *m);

/* ACTION_RECORD when the policy only observes, ACTION_REFUSE when it enforces. */
enum cut_action plan_action(const struct policy *p, enum cut_action asked);

extern const struct name plan_profiles[];
const char *plan_profile_name(enum plan_profile p);
const char *cut_kind_name(enum cut_kind k);
const char *cut_action_name(enum cut_action a);

#endif
