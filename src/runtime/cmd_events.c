// SPDX-License-Identifier: Apache-2.0
/* credsbox events: what a container uses, and when it has no memory left, as lines of JSON. */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../base/fd.h"
#include "container.h"
#include "units.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox events - show what a container uses, and when its memory is out\n"
	"\n"
	"USAGE:\n"
	"   credsbox events [OPTION...] ID\n"
	"\n"
	"Prints a line of JSON every five seconds, and one whenever the kernel finds no memory for "
	"the\n"
	"container, until the container ends.\n"
	"\n"
	"      --interval DURATION  another time between two lines: 1s, 100ms, 1m30s\n"
	"      --stats              one line, then end\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "interval", required_argument, NULL, 'i' },
	{ "stats", no_argument, NULL, 's' },
	{ 0 },
};

enum { NS_PER_S = 1000000000 };

struct events_args {
	const char *id;
	int64_t interval; /* nanoseconds */
	bool stats, help;
};

static int parse(int argc, char **argv, struct events_args *o)
{
	int c;

	optind = 0; /* anew, and words may stand before options */
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (c) {
		case 'h': o->help = true; return 0;
		case 's': o->stats = true; break;
		case 'i':
			if (!parse_duration(optarg, &o->interval))
				return cmd_usage("events", "invalid value for interval");
			if (!o->interval)
				return cmd_usage("events",
						 "duration interval must be greater than 0");
			break;
		default: return cmd_bad_option("events", c, argv);
		}
	}
	if (optind + 1 != argc)
		return cmd_usage("events", "one container is wanted");
	o->id = argv[optind];
	return 0;
}

/* The arena is the line's alone: this may go on for months. */
static int print_line(const struct container *c, const char *type, struct err *e)
{
	struct arena a = { 0 };
	struct jsonw *w = jsonw_new(&a, false);
	const char *text;
	int rc = 0;

	jsonw_object(w);
	jsonw_kv(w, "type", type);
	jsonw_kv(w, "id", c->state.id);
	if (!strcmp(type, "stats")) {
		jsonw_key(w, "data");
		rc = cgroup_stats(&a, &c->cgroup, w, e);
	}
	if (!rc) {
		jsonw_end(w);
		text = arena_printf(&a, "%s\n", jsonw_text(w, NULL));
		rc = fd_write_all(STDOUT_FILENO, "standard output", text, strlen(text), e);
	}
	arena_release(&a);
	return rc;
}

static int print_oom(const struct container *c, struct cgroup_oom *oom, struct err *e)
{
	struct arena a = { 0 };
	uint64_t n = cgroup_oom_read(&a, oom);
	int rc = 0;

	while (!rc && n--)
		rc = print_line(c, "oom", e);
	arena_release(&a);
	return rc;
}

static int start_timer(int64_t ns, struct err *e)
{
	struct timespec t = { ns / NS_PER_S, ns % NS_PER_S };
	struct itimerspec every = { t, t };
	autofd int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	if (fd < 0 || timerfd_settime(fd, 0, &every, NULL))
		return fail(e, errno, "cannot make a timer");
	return fd_steal(&fd);
}

enum { WAIT_END, WAIT_TIMER, WAIT_OOM, WAITS };

/* A notice that came before the end is told before the end is obeyed. */
static int watch(const struct container *c, int end, int timer, struct cgroup_oom *oom,
		 struct err *e)
{
	struct pollfd fds[WAITS] = {
		[WAIT_END] = { end, POLLIN, 0 },
		[WAIT_TIMER] = { timer, POLLIN, 0 },
		[WAIT_OOM] = { oom->fd, POLLIN, 0 },
	};
	struct err gone;
	uint64_t ticks;

	for (;;) {
		if (poll(fds, WAITS, -1) < 0) {
			if (errno == EINTR)
				continue;
			return fail(e, errno, "cannot wait");
		}
		if (fds[WAIT_OOM].revents && print_oom(c, oom, e))
			return -1;
		if (fds[WAIT_END].revents)
			return 0;
		if (!fds[WAIT_TIMER].revents || read(timer, &ticks, sizeof ticks) < 0)
			continue;
		/* The container may end at this moment; then its cgroup is no more. */
		if (print_line(c, "stats", &gone) && gone.errnum != ENOENT &&
		    gone.errnum != ENODEV) {
			*e = gone;
			return -1;
		}
	}
}

static int follow(struct arena *a, const struct container *c, const struct events_args *o,
		  struct err *e)
{
	struct cgroup_oom oom = { .fd = -1 };
	autofd int end = -1, timer = -1;
	int rc;

	end = state_pidfd(&c->state);
	if (end < 0)
		return fail(e, 0, "container with id %s is not running", c->state.id);
	timer = start_timer(o->interval, e);
	if (timer < 0 || cgroup_oom_open(a, &c->cgroup, &oom, e))
		return -1;
	rc = watch(c, end, timer, &oom, e);
	fd_cleanup(&oom.fd);
	return rc;
}

static int show(struct arena *a, const struct container *c, const struct events_args *o,
		struct err *e)
{
	if (c->status == STATUS_STOPPED)
		return fail(e, 0, "container with id %s is not running", c->state.id);
	if (!c->has_cgroup)
		return fail(e, 0, "the container's cgroup is not known");
	return o->stats ? print_line(c, "stats", e) : follow(a, c, o, e);
}

int cmd_events(const struct global *g, int argc, char **argv)
{
	struct events_args o = { .interval = 5ll * NS_PER_S };
	struct arena a = { 0 };
	struct container c;
	struct err e;
	int rc;

	if (parse(argc, argv, &o))
		return 1;
	if (o.help)
		return cmd_print("events", usage, sizeof usage - 1);
	rc = container_find(&a, g, o.id, &c, &e);
	if (!rc) {
		rc = show(&a, &c, &o, &e);
		container_close(&c);
	}
	if (rc)
		rc = cmd_fail("events", &e);
	arena_release(&a);
	return rc;
}
