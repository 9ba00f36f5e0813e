// SPDX-License-Identifier: Apache-2.0
/* The command line of exec. */
#include "exec.h"

#include <getopt.h>
#include <string.h>

#include "../base/banned.h"

enum {
	OPT_APPARMOR = 256,
	OPT_CGROUP,
	OPT_CONSOLE,
	OPT_CWD,
	OPT_IGNORE_PAUSED,
	OPT_LABEL,
	OPT_NO_NEW_PRIVS,
	OPT_PIDFD,
	OPT_PID_FILE,
	OPT_PRESERVE,
};

static const struct option options[] = {
	{ "additional-gids", required_argument, NULL, 'g' },
	{ "apparmor", required_argument, NULL, OPT_APPARMOR },
	{ "cap", required_argument, NULL, 'c' },
	{ "cgroup", required_argument, NULL, OPT_CGROUP },
	{ "console-socket", required_argument, NULL, OPT_CONSOLE },
	{ "cwd", required_argument, NULL, OPT_CWD },
	{ "detach", no_argument, NULL, 'd' },
	{ "env", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, 'h' },
	{ "ignore-paused", no_argument, NULL, OPT_IGNORE_PAUSED },
	{ "no-new-privs", no_argument, NULL, OPT_NO_NEW_PRIVS },
	{ "pid-file", required_argument, NULL, OPT_PID_FILE },
	{ "pidfd-socket", required_argument, NULL, OPT_PIDFD },
	{ "preserve-fds", required_argument, NULL, OPT_PRESERVE },
	{ "process", required_argument, NULL, 'p' },
	{ "process-label", required_argument, NULL, OPT_LABEL },
	{ "tty", no_argument, NULL, 't' },
	{ "user", required_argument, NULL, 'u' },
	{ 0 },
};

/* Digits only: "1e1", "+1" and " 1" have made people root before. */
static bool read_id(const char *text, size_t len, uint32_t *id)
{
	uint64_t n;

	if (!parse_u64(text, len, &n) || n >= UINT32_MAX)
		return false;
	*id = (uint32_t)n;
	return true;
}

static int take_user(const char *text, struct exec_args *o)
{
	size_t len = strcspn(text, ":");

	o->has_user = true;
	o->has_group = text[len] == ':';
	if (!read_id(text, len, &o->uid) ||
	    (o->has_group && !read_id(text + len + 1, strlen(text + len + 1), &o->gid)))
		return cmd_usage("exec", "--user: UID[:GID], numbers below 4294967295");
	return 0;
}

static int take_groups(struct arena *a, const char *text, struct exec_args *o)
{
	const char *end;
	uint32_t id;

	for (;; text = end + 1) {
		end = text + strcspn(text, ",");
		if (!read_id(text, (size_t)(end - text), &id))
			return cmd_usage("exec", "--additional-gids: numbers below 4294967295");
		*(uint32_t *)arena_push(a, o->groups, o->n_groups) = id;
		if (!*end)
			return 0;
	}
}

static int take_cap(const char *text, struct exec_args *o)
{
	const struct name *cap = name_find(names_capabilities, text);

	if (!cap)
		return cmd_usage("exec", "--cap: CAP_NET_RAW, say; this is none");
	o->caps |= UINT64_C(1) << cap->value;
	return 0;
}

static int add(struct arena *a, struct strings *s, const char *text)
{
	*(const char **)arena_push(a, s->v, s->n) = text;
	return 0;
}

static int take_env(struct arena *a, const char *text, struct exec_args *o)
{
	const char *eq = strchr(text, '=');

	if (!eq || eq == text)
		return cmd_usage("exec", "--env: NAME=VALUE");
	return add(a, &o->env, text);
}

static int take(struct arena *a, int c, char **argv, struct exec_args *o)
{
	switch (c) {
	case 'c': return take_cap(optarg, o);
	case 'd': o->launch.detach = true; return 0;
	case 'e': return take_env(a, optarg, o);
	case 'g': return take_groups(a, optarg, o);
	case 'h': o->help = true; return 0;
	case 'p': o->process = optarg; return 0;
	case 't': o->tty = true; return 0;
	case 'u': return take_user(optarg, o);
	case OPT_APPARMOR: o->apparmor = optarg; return 0;
	case OPT_CGROUP: return add(a, &o->cgroups, optarg);
	case OPT_CONSOLE: o->launch.console_socket = optarg; return 0;
	case OPT_CWD: o->cwd = optarg; return 0;
	case OPT_IGNORE_PAUSED: o->ignore_paused = true; return 0;
	case OPT_LABEL: o->label = optarg; return 0;
	case OPT_NO_NEW_PRIVS: o->no_new_privs = true; return 0;
	case OPT_PIDFD: o->launch.pidfd_socket = optarg; return 0;
	case OPT_PID_FILE: o->launch.pid_file = optarg; return 0;
	case OPT_PRESERVE: return launch_count("exec", optarg, &o->launch.preserve_fds);
	default: return cmd_bad_option("exec", c, argv);
	}
}

int exec_parse(struct arena *a, int argc, char **argv, struct exec_args *o)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:c:de:g:hp:tu:", options, NULL)) != -1)
		if (take(a, c, argv, o))
			return 1;
	if (o->help)
		return 0;
	if (optind == argc)
		return cmd_usage("exec", "in which container?");
	o->launch.id = argv[optind++];
	o->args = argv + optind;
	o->n_args = (size_t)(argc - optind);
	if (!o->process && !o->n_args)
		return cmd_usage("exec", "which program? (or --process FILE)");
	return 0;
}
