// SPDX-License-Identifier: Apache-2.0
/* credsbox kill: a signal to a container's first process, or to all of them. */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/names.h"
#include "container.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox kill - send a signal to a container\n"
	"\n"
	"USAGE:\n"
	"   credsbox kill [-a] ID [SIGNAL]\n"
	"\n"
	"Sends the signal (TERM unless one is given; a name or a number) to the first process of "
	"the\n"
	"container. KILL goes to all its processes when it has no pid namespace of its own.\n"
	"\n"
	"  -a, --all            to all processes of the container\n"
	"  -s, --signal SIGNAL  the same as SIGNAL behind the id\n";

static const struct option options[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "help", no_argument, NULL, 'h' },
	{ "signal", required_argument, NULL, 's' },
	{ 0 },
};

enum { WORD_SHOWN = 32 };

struct kill_args {
	const char *id, *word;
	int signal;
	bool all, help;
};

static int not_running(struct err *e)
{
	return fail(e, 0, "container not running");
}

/* To every process that is in it now; *n is how many there were. */
static int signal_group(struct arena *a, const struct container *c, int sig, size_t *n,
			struct err *e)
{
	pid_t *pids;

	*n = 0;
	if (!c->has_cgroup || !c->cgroup.n_dirs)
		return 0;
	if (cgroup_pids(a, &c->cgroup, &pids, n, e))
		return -1;
	return *n && sig ? cgroup_kill(a, &c->cgroup, sig, e) : 0;
}

static int signal_first(struct arena *a, const struct container *c, int sig, struct err *e)
{
	autofd int fd = state_pidfd(&c->state);
	struct err ignored;

	if (fd < 0 || pidfd_send_signal(fd, sig, NULL, 0))
		return errno == ESRCH ? not_running(e) : fail(e, errno, "cannot send the signal");
	/* With cgroup v1, who is frozen does not even die. */
	if (sig == SIGKILL && c->status == STATUS_PAUSED)
		cgroup_freeze(a, &c->cgroup, false, &ignored);
	return 0;
}

/* The kernel kills all others of a pid namespace with its first process, and only then. */
static bool dies_alone(struct arena *a, const struct container *c)
{
	return !container_has_namespace(&c->state, NS_PID) || !container_is_first(a, &c->state);
}

static int send(struct arena *a, const struct container *c, const struct kill_args *o,
		struct err *e)
{
	bool lives = c->status != STATUS_STOPPED && c->state.pid;
	bool all = o->all || (o->signal == SIGKILL && (!lives || dies_alone(a, c)));
	size_t n = 0;

	/* One that is being made may be in a group that is not its own yet. */
	if (c->status == STATUS_CREATING)
		return not_running(e);
	if (all && signal_group(a, c, o->signal, &n, e))
		return -1;
	if (n || (o->all && !lives))
		return 0;
	return lives ? signal_first(a, c, o->signal, e) : not_running(e);
}

static int parse(int argc, char **argv, struct kill_args *o)
{
	struct arena a = { 0 };
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":ahs:", options, NULL)) != -1) {
		switch (c) {
		case 'a': o->all = true; break;
		case 'h': o->help = true; return 0;
		case 's': o->word = optarg; break;
		default: return cmd_bad_option("kill", c, argv);
		}
	}
	if (optind == argc || optind + 2 < argc || (optind + 2 == argc && o->word))
		return cmd_usage("kill", "a container and at most one signal are wanted");
	o->id = argv[optind];
	if (optind + 2 == argc)
		o->word = argv[optind + 1];
	if (!o->word)
		o->word = "TERM";
	o->signal = !strcmp(o->word, "0") ? 0 : signal_number(o->word);
	if (o->signal >= 0)
		return 0;
	cmd_usage("kill", "unknown signal '%s'", printable(&a, o->word, WORD_SHOWN));
	arena_release(&a);
	return 1;
}

int cmd_kill(const struct global *g, int argc, char **argv)
{
	struct kill_args o = { 0 };
	struct arena a = { 0 };
	struct container c;
	struct err e;
	int rc;

	if (parse(argc, argv, &o))
		return 1;
	if (o.help)
		return cmd_print("kill", usage, sizeof usage - 1);
	rc = container_find(&a, g, o.id, &c, &e);
	if (!rc) {
		rc = send(&a, &c, &o, &e);
		container_close(&c);
	}
	if (rc)
		rc = cmd_fail("kill", &e);
	arena_release(&a);
	return rc;
}
