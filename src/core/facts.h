/* SPDX-License-Identifier: Apache-2.0 */
/* What the outside world contributes to a plan; gathered by src/sys, or by a test. */
#ifndef CORE_FACTS_H
#define CORE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bundle.h"

enum file_type {
	FILE_MISSING,
	FILE_REGULAR,
	FILE_DIRECTORY,
	FILE_SOCKET,
	FILE_DEVICE,
	FILE_FIFO,
	FILE_OTHER
};

/* A credential that is there, below a mount or below the root file system. */
struct found {
	const char *path;   /* on the host, canonical, what the path rules judge */
	const char *inside; /* the same file as the workload would see it */
	enum file_type type;
	const char *rule, *why;
};

struct mount_facts {
	/* Of a bind: the source's canonical path; NULL: it is no bind, or could not be opened. */
	const char *source;
	enum file_type type;
	/* The source is a credential by its identity (device and inode) or by its content; NULL: no. */
	const char *rule, *why;
	/* Of an overlay: canonical paths of its directories, or what the options say of those that
	 * could not be opened.
	 */
	const char **layers;
	size_t n_layers;
	struct found *found;
	size_t n_found;
};

/* A descriptor beyond 0-2 that the caller left open. */
struct fd_fact {
	int fd;
	enum file_type type;
	bool is_asked_for; /* by LISTEN_FDS or --preserve-fds */
};

struct facts {
	uint32_t uid, gid;         /* the caller's, effective */
	struct id_maps uids, gids; /* that there are in the caller's user namespace */
	const char *kernel;        /* release */
	int landlock_abi;          /* 0: none */
	bool has_seccomp, has_user_ns;
	const char *cgroup; /* "v1", "hybrid", "v2", "none" */

	struct mount_facts *mounts; /* one for each mount of the bundle, in order */
	size_t n_mounts;
	struct found *root; /* in the root file system */
	size_t n_root;
	struct fd_fact *fds; /* in order of their numbers; only where something is started */
	size_t n_fds;
	struct found *below_root; /* what the host has mounted below it */
	size_t n_below_root;
	bool scan_incomplete; /* a walk ended at its budget, or something could not be opened */

	const struct seccomp
		*profile; /* of the file that is the policy's profile; NULL: not read */
	const struct json *profile_at; /* the same as text: a span of it */
	const char *profile_text;

	uint8_t seed[32]; /* of this container's stand-ins; random */
	uint8_t key[32];  /* of this host's fingerprints */
};

#endif
