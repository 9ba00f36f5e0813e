/* SPDX-License-Identifier: Apache-2.0 */
/* config.json of runtime-spec 1.3, Linux, as a struct that nobody changes after it is read. */
#ifndef CORE_BUNDLE_H
#define CORE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fields.h"

struct pair {
	const char *key, *value;
	const struct json *at;
};
struct pairs {
	struct pair *v;
	size_t n;
};

/* Every list that the plan decides on keeps the values' place in the tree ("at"), for messages
 * and for the filter's edits.
 */
struct env_entry {
	const char *name;  /* up to the first '='; a string of its own */
	const char *value; /* what follows it; value + value_len is the end of the entry */
	size_t name_len, value_len;
	const char *text; /* the whole entry */
	const struct json *at;
};
struct env {
	struct env_entry *v;
	size_t n;
};

struct arg {
	const char *text;
	const struct json *at;
};
struct args {
	struct arg *v;
	size_t n;
};

enum ns_type {
	NS_USER,
	NS_PID,
	NS_NETWORK,
	NS_MOUNT,
	NS_IPC,
	NS_UTS,
	NS_CGROUP,
	NS_TIME,
	NS_COUNT
};

struct ns {
	bool listed;
	const char *path;
}; /* path NULL: a new one */

struct id_map {
	uint32_t container_id, host_id, size;
};
struct id_maps {
	struct id_map *v;
	size_t n;
};

struct mount {
	const char *destination, *type, *source;
	struct strings options;
	struct id_maps uid_maps, gid_maps;
	bool is_bind; /* bind or rbind among the options, or type "bind" */
	const struct json *at;
};
struct mounts {
	struct mount *v;
	size_t n;
};

enum hook_kind {
	HOOK_PRESTART,
	HOOK_CREATE_RUNTIME,
	HOOK_CREATE_CONTAINER,
	HOOK_START_CONTAINER,
	HOOK_POSTSTART,
	HOOK_POSTSTOP,
	HOOK_COUNT
};

struct hook {
	const char *path;
	struct args args;
	struct env env;
	struct opt_u32 timeout;
	const struct json *at;
};
struct hooks {
	struct hook *v;
	size_t n;
};

struct user {
	uint32_t uid, gid;
	struct opt_u32 umask;
	uint32_t *groups;
	size_t n_groups;
};

enum cap_set {
	CAPS_BOUNDING,
	CAPS_EFFECTIVE,
	CAPS_INHERITABLE,
	CAPS_PERMITTED,
	CAPS_AMBIENT,
	CAPS_COUNT
};
struct capabilities {
	bool set;
	uint64_t sets[CAPS_COUNT]; /* bit n is capability number n */
	struct strings unknown;    /* names that this version does not know: warned of */
};

struct resource_limit {
	int resource;
	uint64_t soft, hard;
};

struct scheduler {
	bool set;
	int policy;
	struct opt_i64 nice, priority;
	uint64_t flags;
	struct opt_u64 runtime, deadline, period;
};

struct io_priority {
	bool set;
	int class;
	int priority;
};

struct process {
	bool set, terminal;
	uint32_t console_height, console_width;
	struct user user;
	struct args args;
	struct env env;
	const char *cwd;
	struct capabilities caps;
	struct resource_limit *rlimits;
	size_t n_rlimits;
	bool no_new_privileges;
	struct opt_i64 oom_score_adj;
	const char *apparmor_profile, *selinux_label;
	struct scheduler scheduler;
	struct io_priority io_priority;
	const char *cpu_affinity_initial, *cpu_affinity_final;
};

struct device {
	char type; /* c b u p */
	const char *path;
	int64_t major, minor;
	struct opt_u32 mode, uid, gid; /* mode as written: engines leave file type bits in it */
	const struct json *at;
};

struct device_rule {
	bool allow;
	char type;                   /* a b c; a when none is given */
	struct opt_i64 major, minor; /* not set, or -1: all */
	const char *access;          /* of r, w, m; NULL: not given */
};
struct block_weight {
	int64_t major, minor;
	struct opt_u32 weight, leaf_weight;
};
struct block_throttle {
	int64_t major, minor;
	uint64_t rate;
};
struct block_throttles {
	struct block_throttle *v;
	size_t n;
};
struct hugepage_limit {
	const char *page_size;
	uint64_t limit;
};
struct net_priority {
	const char *name;
	uint32_t priority;
};
struct rdma_limit {
	const char *device;
	struct opt_u32 hca_handles, hca_objects;
};

struct resources {
	struct device_rule *devices;
	size_t n_devices;
	struct {
		struct opt_i64 limit, reservation, swap, kernel, kernel_tcp;
		struct opt_u64 swappiness;
		struct opt_bool disable_oom_killer, use_hierarchy, check_before_update;
	} memory;
	struct {
		struct opt_u64 shares, period, realtime_period, burst;
		struct opt_i64 quota, realtime_runtime, idle;
		const char *cpus, *mems;
	} cpu;
	struct {
		struct opt_u32 weight, leaf_weight;
		struct block_weight *devices;
		size_t n_devices;
		struct block_throttles read_bps, write_bps, read_iops, write_iops;
	} block_io;
	struct opt_i64 pids_limit;
	struct hugepage_limit *hugepages;
	size_t n_hugepages;
	struct opt_u32 net_class_id;
	struct net_priority *net_priorities;
	size_t n_net_priorities;
	struct rdma_limit *rdma;
	size_t n_rdma;
	struct pairs unified;
};

struct seccomp_arg {
	uint32_t index;
	uint64_t value, value_two;
	int op; /* enum seccomp_op */
};
struct seccomp_rule {
	struct strings names;
	int action; /* enum seccomp_action */
	struct opt_u32 errno_ret;
	struct seccomp_arg *args;
	size_t n_args;
};
struct seccomp {
	bool set;
	int default_action; /* enum seccomp_action */
	struct opt_u32 default_errno;
	int *architectures; /* enum seccomp_arch */
	size_t n_architectures;
	unsigned flags;   /* SECCOMP_FILTER_FLAG_* */
	bool flags_given; /* an empty list is not the same as none */
	const char *listener_path, *listener_metadata;
	struct seccomp_rule *rules;
	size_t n_rules;
};

struct time_offset {
	bool set;
	int64_t secs;
	uint32_t nanosecs;
};
struct net_device {
	const char *host_name, *name; /* the name inside, the same unless one is given */
};

struct intel_rdt {
	bool set;
	const char *clos_id, *l3_cache_schema, *mem_bw_schema;
	struct strings schemata;
	struct opt_bool enable_monitoring;
};

struct memory_policy {
	bool set;
	int mode;
	const char *nodes;
	unsigned flags;
};

struct linux_conf {
	bool set;
	struct ns ns[NS_COUNT];
	struct id_maps uid_maps, gid_maps;
	struct device *devices;
	size_t n_devices;
	struct net_device *net_devices;
	size_t n_net_devices;
	const char *cgroups_path;
	struct resources resources;
	struct intel_rdt intel_rdt;
	struct memory_policy memory_policy;
	struct pairs sysctl;
	struct seccomp seccomp;
	int rootfs_propagation; /* MS_SHARED ..., MS_REC with them; 0: not given */
	struct strings masked_paths, readonly_paths;
	const struct json *masked_at; /* the array itself; NULL when there is none */
	const char *mount_label;
	struct {
		bool set;
		int domain;
	} personality;
	struct time_offset monotonic, boottime;
	const struct json *at;
};

struct bundle {
	const struct json *top;
	const char *oci_version;
	struct {
		const char *path;
		bool readonly;
	} root;
	struct mounts mounts;
	struct process process;
	const char *hostname, *domainname;
	const struct json *hostname_at, *domainname_at;
	struct hooks hooks[HOOK_COUNT];
	struct pairs annotations;
	struct linux_conf lin;
	struct strings unknown; /* paths of properties that are not in the specification */
};

/* bundle_read - the whole document, checked; every error names the place, never a value */
int bundle_read(struct arena *a, const struct json *top, struct bundle *b, struct err *e);

/* The process object alone, as `exec --process` has it. */
int bundle_read_process(struct arena *a, const struct json *top, struct process *p, struct err *e);

/* linux.resources alone, as `update --resources` has it. */
int bundle_read_resources(struct arena *a, const struct json *top, struct resources *res,
			  struct err *e);

/* linux.seccomp alone, as a profile has it; with what is unknown in it, it would say something else. */
int bundle_read_seccomp(struct arena *a, const struct json *top, struct seccomp *s, struct err *e);

/* Whether ociVersion, which bundle_read() has checked, is of before 1.MINOR. */
bool oci_version_before(const char *version, unsigned minor);

const char *ns_name(enum ns_type t);
const char *hook_name(enum hook_kind k);

#endif
