/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a container: one directory, two small files, a socket; status is derived.
 *
 *   ROOT/ID/state       JSON, written before anything is made; nothing of what was cut is in it
 *   ROOT/ID/pid         "PID START-TIME\n", when the first process is ready; pid.new before that
 *   ROOT/ID/start.sock  the first process listens on it until it is started
 *
 * Whoever changes a container holds a lock (flock) on its directory. A child of clone() shares the
 * lock until it closes the descriptor, so the first process must do that at once.
 */
#ifndef SYS_STATE_H
#define SYS_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../base/json.h"
#include "../core/bundle.h"

enum { STATE_VERSION = 1, STATE_ID_MAX = 255 };

enum status { STATUS_CREATING, STATUS_CREATED, STATUS_RUNNING, STATUS_PAUSED, STATUS_STOPPED };

struct state {
	int root; /* the directory of all containers; the caller's */
	int dir;  /* this one's; state_close() closes it */
	const char *id;
	bool locked;            /* by us */
	const struct json *doc; /* the file "state"; NULL: none, or none that can be trusted */
	const char *bundle, *rootfs, *created, *oci_version; /* NULL without doc */
	uint32_t owner;
	struct pairs annotations;
	pid_t pid;           /* 0: none */
	bool ready;          /* that process is: `create` was done with it */
	uint64_t start_time; /* of that process, field 22 of /proc/PID/stat */
};

/* NULL when it may be used: letters, digits, _ + . - and no - in front; "." and ".." may not; at
 * most 255 bytes, which is what a file name may have.
 */
const char *state_bad_id(const char *id);

/* The directory of all containers, made (0700) when make is set; must be the caller's own and
 * nobody else's to write. errnum is ENOENT when there is none.
 */
int state_root(const char *path, bool make, struct err *e);

/* A new one, locked; "container with given ID already exists". */
int state_make(int root, const char *id, struct state *s, struct err *e);
int state_save(struct state *s, const char *text, size_t len, struct err *e);

/* state_note_pid - the first process is there, but is still being made: status stays creating
 * state_save_pid() says that it is ready; it may be called without the other.
 */
int state_note_pid(struct state *s, pid_t pid, struct err *e);
int state_save_pid(struct state *s, pid_t pid, struct err *e);

/* An existing one: "container does not exist" (errnum ENOENT). A damaged file is an error unless
 * any_state. state_load() is open and read in one; whoever is going to change a container opens,
 * locks, and reads what is there then.
 */
int state_load(struct arena *a, int root, const char *id, bool any_state, struct state *s,
	       struct err *e);
int state_open(int root, const char *id, struct state *s, struct err *e);
int state_lock(struct state *s, struct err *e); /* waits; afterwards pid is read again */
int state_read(struct arena *a, struct state *s, bool any_state, struct err *e);
void state_unlock(struct state *s);
void state_close(struct state *s); /* unlocks, too */

/* All but paused, which the cgroup knows. Brings pid up to date. */
enum status state_status(struct state *s);
const char *status_name(enum status s);

/* The first process, or -1 with errno ESRCH when it is gone: never another one with its number. */
int state_pidfd(const struct state *s);

/* The socket of `start`, SOCK_SEQPACKET: the listening end, and a connection to it (-1 and errno;
 * nobody listens any more: ECONNREFUSED or ENOENT). state_status() connects as well and leaves
 * without a word: the first process must take that for nothing, and accept again.
 */
int state_listen(const struct state *s, struct err *e);
int state_connect(const struct state *s);
void state_unlisten(const struct state *s); /* the program was started: the socket's name goes */

int state_remove(struct state *s, struct err *e); /* the directory and all in it; under its lock */

int state_list(struct arena *a, int root, struct strings *ids, struct err *e); /* sorted */

/* "2026-11-18T06:26:51.123456789Z" */
const char *state_now(struct arena *a);

/* The three texts that state is read from. */
int state_parse(struct arena *a, const char *text, size_t len, struct state *s, struct err *e);
bool state_parse_pid(const char *text, size_t len, pid_t *pid, uint64_t *start_time);

struct process_stat {
	char state;
	uint64_t threads, start_time;
};
bool process_stat_parse(const char *text, size_t len, struct process_stat *st);
bool process_stat(pid_t pid, struct process_stat *st); /* /proc/PID/stat; false: there is none */

#endif
