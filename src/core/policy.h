/* SPDX-License-Identifier: Apache-2.0 */
/* What is stripped and how: the built-in rules, adjusted by policy files. */
#ifndef CORE_POLICY_H
#define CORE_POLICY_H

#include "bundle.h"

enum policy_mode { MODE_OBSERVE, MODE_STRIP, MODE_ENFORCE };
enum policy_rule_action { RULE_ALLOW, RULE_ALLOW_FORCE, RULE_REMOVE, RULE_DUMMY, RULE_MASK };
enum policy_scan { SCAN_OFF, SCAN_KNOWN };
enum policy_args { ARGS_RECORD, ARGS_DUMMY, ARGS_REFUSE };
enum policy_user_ns { USERNS_AUTO, USERNS_ALWAYS, USERNS_BUNDLE };
/* Whether a namespace that the bundle would share with the host is one of its own. */
enum policy_sharing { SHARING_PRIVATE, SHARING_BUNDLE };
enum policy_also { ALSO_NONE, ALSO_SYSLOG, ALSO_JOURNALD };
enum policy_floor { FLOOR_ON, FLOOR_DEBUG, FLOOR_NESTED, FLOOR_OFF };
enum policy_landlock { LANDLOCK_REQUIRE, LANDLOCK_BEST_EFFORT, LANDLOCK_OFF };

enum {
	POLICY_MAX_SIZE = 1024 * 1024, /* of a file */
	POLICY_MAX_RULES = 4096,   /* of one kind, from all layers: each variable meets them all */
	POLICY_MAX_PATTERN = 1024, /* bytes; also of the other texts of a policy */
	POLICY_MAX_PRIORITY = 999999,
	POLICY_MAX_FILES = 10 * 1000 * 1000,
};

#define POLICY_ANNOTATION_PREFIX "credsbox.io/"

/* Every key of a policy file, in the order in which `policy show` prints them. */
enum policy_key {
	KEY_MODE,
	KEY_ENV_ALLOW,
	KEY_ENV_REMOVE,
	KEY_ENV_DUMMY,
	KEY_ENV_VALUES,
	KEY_PATHS_ALLOW,
	KEY_PATHS_MASK,
	KEY_SCAN_IMAGE,
	KEY_SCAN_MOUNTS,
	KEY_SCAN_DEEP,
	KEY_SCAN_MAX_FILES,
	KEY_ARGS,
	KEY_NS_USER,
	KEY_NS_NETWORK,
	KEY_NS_PID,
	KEY_NS_IPC,
	KEY_LANDLOCK,
	KEY_SECCOMP_PROFILE,
	KEY_SECCOMP_FLOOR,
	KEY_AUDIT_FILE,
	KEY_AUDIT_REQUIRED,
	KEY_AUDIT_ALSO,
	KEY_ANNOTATIONS_LOOSEN,
	KEY_COUNT
};

/* One file, or "built-in", or "annotations". */
struct policy_layer {
	const char *name;
};

struct policy_rule {
	const char *pattern; /* of annotations.loosen: the key of an annotation */
	enum policy_rule_action action;
	const struct policy_layer *layer;
	unsigned line, column;
	uint64_t level;     /* by layer, and in one layer by priority: the highest decides */
	bool only_tightens; /* an annotation's: decides only where it takes more than the others */
};

/* In order of layers, lowest first. */
struct policy_rules {
	struct policy_rule *v;
	size_t n;
};

struct policy {
	enum policy_mode mode;
	struct policy_rules env, paths;
	bool env_values;
	enum policy_scan scan_image, scan_mounts;
	bool scan_deep;
	uint32_t scan_max_files;
	enum policy_args args;
	enum policy_user_ns user_ns;
	enum policy_sharing network, pid, ipc;
	enum policy_landlock landlock;
	const char *seccomp_profile; /* a name, or the absolute path of a file */
	enum policy_floor seccomp_floor;
	const char *audit_file;
	bool audit_required;
	enum policy_also audit_also; /* who gets copies of the records */
	struct policy_rules loosen;  /* annotation keys that may loosen */

	uint64_t next_level;                             /* of the rules of the next layer */
	const struct policy_layer *from[KEY_COUNT];      /* who set it last */
	unsigned from_line[KEY_COUNT];                   /* where in that file; 0: no file */
	const struct policy_layer *locked_by[KEY_COUNT]; /* NULL: anyone may set it */
};

void policy_builtin(struct arena *a, struct policy *p);

/* policy_merge - put one file's settings over what is there
 * Scalars replace, lists add. Setting a key that a lower layer locked is an error, as is everything
 * that the file says and no key has; errors begin with "line:column: key: ". After an error the
 * policy is as it was. The layer must live as long as the policy.
 */
int policy_merge(struct arena *a, struct policy *p, const struct json *doc,
		 const struct policy_layer *layer, struct err *e);

/* policy_annotate - the bundle's own wishes, credsbox.io/...
 * They may only tighten, except for the keys in p->loosen; what would loosen a locked key is
 * refused all the same. An annotation that asks for more is an error, and so is one of ours that
 * is unknown. After an error the policy is as it was.
 */
int policy_annotate(struct arena *a, struct policy *p, const struct pairs *annotations,
		    struct err *e);

/* The rule that decides, or NULL: the highest layer with a match; in it the highest priority; then
 * remove, then dummy, then allow with force, then allow (paths: mask, then allow).
 */
const struct policy_rule *policy_env_rule(const struct policy *p, const char *name);
const struct policy_rule *policy_path_rule(const struct policy *p, const char *path);

/* The path that a pattern names, be it with "/" and two stars for all that is below it; false: it has
 * other wildcards, or the buffer is too short. Only such a path can be looked up without a walk.
 */
bool policy_literal_path(const char *pattern, char *buf, size_t size);

/* Warnings about what one layer says in vain, rules that can never decide above all. */
struct policy_warning {
	unsigned line, column;
	const char *text;
};
struct policy_warnings {
	struct policy_warning *v;
	size_t n;
};
struct policy_warnings policy_check(struct arena *a, const struct policy *p,
				    const struct policy_layer *of);

/* policy_show - the effective policy as a policy file
 * Each setting has where it came from as a comment. Read back over the built-in policy it decides
 * as this one does, annotations aside: rules of higher layers get priorities where they need them.
 */
const char *policy_show(struct arena *a, const struct policy *p);

/* "env.allow"; and the word for what a key is set to ("strip", "on"), NULL when it takes no words. */
const char *policy_key_name(struct arena *a, enum policy_key key);
const char *policy_word(const struct policy *p, enum policy_key key);
const char *policy_mode_name(enum policy_mode m);
const char *policy_floor_name(enum policy_floor f);

#endif
