/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a container: one directory, two small files, a socket; status is derived.
 *
 *   ROOT/ID/state       JSON, written before anything is made; nothing of what was cut is in it
 *   ROOT/ID/pid         "PID START-TIME\n", written when the first process is there
 *   ROOT/ID/start.sock  the first process listens on it until it is started
 *
 * Whoever changes a container holds a lock (flock) on its directory.
 */
#ifndef SYS_STATE_H
#define SYS_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../base/json.h"
#include "../core/bundle.h"

enum status { STATUS_CREATING, STATUS_CREATED, STATUS_RUNNING, STATUS_PAUSED, STATUS_STOPPED };

struct state {
	int root;               /* the directory of all containers */
	int dir;                /* this one's */
	const char *id;
	const struct json *doc; /* the file "state"; NULL: none, or none that can be read */
	const char *bundle, *rootfs, *created, *oci_version;
	uint32_t owner;
	struct pairs annotations;
	pid_t pid;              /* 0: none */
	uint64_t start_time;    /* of that process, field 22 of /proc/PID/stat */
};

/* NULL when it may be used: letters, digits, _ + . - ; "." and ".." may not; at most 1024 bytes. */
const char *state_bad_id(const char *id);

/* The directory of all containers, made (0700) when make is set; must be the caller's own and nobody else's to write. */
int state_root(const char *path, bool make, struct err *e);

/* A new one, locked; "container with given ID already exists". */
int state_make(int root, const char *id, struct state *s, struct err *e);
int state_save(struct state *s, const char *text, size_t len, struct err *e);
int state_save_pid(struct state *s, pid_t pid, struct err *e);

/* An existing one: "container does not exist". A damaged file is an error unless any_state. */
int state_load(struct arena *a, int root, const char *id, bool any_state, struct state *s,
	       struct err *e);
int state_lock(struct state *s, struct err *e); /* waits; afterwards pid is read again */

enum status state_status(const struct state *s); /* all but paused, which the cgroup knows */
const char *status_name(enum status s);

/* The first process, or -1 with errno ESRCH when it is gone: never another one with its number. */
int state_pidfd(const struct state *s);

int state_remove(struct state *s, struct err *e); /* the directory and all in it */

int state_list(struct arena *a, int root, struct strings *ids, struct err *e); /* sorted */

/* "2026-11-18T06:26:51.123456789Z" */
const char *state_now(struct arena *a);

#endif
