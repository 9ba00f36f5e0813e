/* SPDX-License-Identifier: Apache-2.0 */
/* From a bundle to a container: what the runtime and the container's first process share.
 *
 *   the runtime                              the first process (child.c)
 *   plan, state, cgroup, sources
 *   clone ---------------------------------> waits
 *   id maps, devices of the network
 *   MAPPED --------------------------------> its steps, one by one
 *   the record is on the disk
 *   <------------------------------ MOUNTED  (only when there are hooks)
 *   hooks of the host's side, HOOKED ------> the root is entered
 *   <-------------------------------- READY  waits for GO: from `run`, or from `start` over start.sock
 *   <------------------ end of connection    the program runs
 */
#ifndef RUNTIME_LAUNCH_H
#define RUNTIME_LAUNCH_H

#include "../sys/cgroup.h"
#include "../sys/ns.h"
#include "../sys/rootfs.h"
#include "../sys/seccomp.h"
#include "../sys/state.h"
#include "cmd.h"

/* What the command line says of create, run and exec. */
struct launch_args {
	const char *id, *bundle, *config, *pid_file, *console_socket, *pidfd_socket;
	uint32_t preserve_fds;
	bool no_new_keyring, detach, keep, no_subreaper, help;
	bool keeps_files; /* the terminal takes the place of terminals only */
	bool has_init;    /* a process of ours looks after the program: it is not the first */
};

struct launch {
	const struct global *global;
	const struct launch_args *args;
	const char *command; /* "create", "run", "exec" */
	/* What overwrites the caller's arguments and variables when nothing is read from them any more; NULL: nothing. */
	void (*forget)(const void *of);
	const void *forgets;
	struct job job;
	const char *bundle, *root; /* absolute */
	struct state state;
	struct cgroup cgroup;
	struct rootfs rootfs;
	struct seccomp_program floor, seccomp;
	struct ns_clone clone;

	/* What the child is to become; exec fills it from the container's state. */
	const struct process *process;
	const struct seccomp *seccomp_conf;
	const char **env; /* as planned; envp is what the program gets */
	size_t n_env;
	const char *program; /* as found by the child */
	const char *shown;   /* the command, fit for an error */
	char **argv, **envp;
	struct landlock_rules landlock;
	uint64_t
		host_root; /* the number of the host's root mount, and of the caller's session keyring */
	long host_keyring;
	bool can_set_groups, chdir_late, no_new_privs;
	bool is_unsafe;               /* a layer is not there, although it was made */
	bool goes_on;                 /* this process says GO itself: run, exec */
	bool made_state, made_cgroup; /* to be undone */
	bool is_recorded;             /* before that no hook has run, and none is to run */
	int exit_code;                /* after a failure */

	int proc;         /* the host's /proc, for the child's own files in it */
	int offsets;      /* of its clocks, in the child; -1: there are none to set */
	int sync;         /* the end of each side */
	int listener;     /* start.sock, in the child; -1: GO comes over sync */
	int console;      /* where the terminal's master goes; -1: there is none */
	int console_here; /* the other end of it, when that is us */
	int master;       /* the terminal's master, of `run` in the foreground; or -1 */
	int terminal;     /* the slave, in the child */
	int signals;      /* that want the runtime to end while a container is made; or -1 */
	int n_fds;        /* that the program gets beyond 0-2, */
	int listen_fds;   /* and how many of them by systemd's protocol */
};

/* launch_container - all of `create`, and of `run` up to GO
 * On failure nothing of it is left. sync is then the runtime's end; clone.pid and clone.pidfd are the first process.
 */
int launch_container(struct launch *l, struct err *e);

void launch_init(struct launch *l);
void launch_close(struct launch *l); /* all that is open in the runtime */
int launch_check_console(const struct launch *l, struct err *e); /* does --console-socket fit? */
int launch_refuse(struct launch *l, struct err *e); /* when the plan says so; names every item */
bool launch_may_set_groups(void); /* in a user namespace the kernel may forbid it for good */
int launch_seccomp(struct launch *l, struct err *e); /* the plan's filters, ready to be loaded */
int launch_console(struct launch *l, struct err *e); /* where the terminal's other end goes */
int launch_clone(struct launch *l, int (*child)(struct launch *), struct err *e);
void launch_end_by(int sig); /* a handler, for the child: as if the signal had killed it */
int launch_report(struct launch *l, struct err *e); /* --pid-file, --pidfd-socket */

/* Until the other side says something, or patience (in milliseconds, -1: none is needed) is at its end; -1:
 * somebody wants us to end. What is written to the terminal is passed on meanwhile: hooks would wait for ever.
 */
int launch_wait(const struct launch *l, int sock, int patience, struct err *e);
void launch_drain(const struct launch *l); /* what is still in the terminal when they have failed */

/* The listener that comes next goes to the agent that the bundle names. */
int launch_listener(struct launch *l, int sock, pid_t pid, struct err *e);

/* launch_go - tell it to start the program, and wait until it has; a seccomp listener is handed over on the way */
int launch_go(struct launch *l, int sock, pid_t pid, struct err *e);

/* After a failure. Where the first process found itself unsafe, that goes on record. */
int launch_exit_code(struct launch *l, const struct err *e);

/* launch_run - all of `run`: from the bundle to the end of its program, if it is not detached
 * The exit code; -1 when the program was not started. What was made is gone then, unless it is to be kept.
 */
int launch_run(struct launch *l, struct err *e);

/* launch_undo - kill it and remove what was made, with poststop hooks if it came to a process */
void launch_undo(struct launch *l);

/* The first process, from its first instruction to the program; it returns only to fail. */
int child_main(struct launch *l);
/* The same for what exec brings into a container. */
int child_exec(struct launch *l);

/* The order of the child's steps, for a test of it. */
const char *const *child_steps(size_t *n);

/* The state file: all that later commands need, and nothing that was cut. */
const char *save_text(struct launch *l, size_t *len);

/* The command lines of create and run; 0 goes on. */
int launch_parse(int argc, char **argv, struct launch_args *o);
int launch_count(const char *command, const char *text, uint32_t *n); /* --preserve-fds */

/* launch_poststart - up to version 1.2 of the specification one that fails is warned of; since then it is an error */
int launch_poststart(const char *oci_version, const struct plan_hook *hooks, size_t n,
		     const char *state, const char *cwd, struct err *e);

/* launch_poststop - after a failure: of hooks that ran before it, these undo what they did */
void launch_poststop(struct launch *l);

/* launch_waits_for_hooks - does the first process wait before the first hook?
 * For those of the runtime's side, which run meanwhile; for its own, because the record must be there.
 */
bool launch_waits_for_hooks(const struct plan *p);

/* Hooks of the runtime's side: prestart, createRuntime, poststart. */
int launch_hooks(struct launch *l, enum hook_kind kind, enum status status, struct err *e);

#endif
