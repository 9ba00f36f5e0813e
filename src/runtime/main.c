// SPDX-License-Identifier: Apache-2.0
/* The command table: dispatch and help come from it. */
#include "cmd.h"
#include "environ.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../base/str.h"
#include "../base/banned.h"

static const struct command {
	const char *name;
	cmd_fn *run;
	const char *summary;
	bool enters; /* makes namespaces or joins them: the caller's environment must not come along */
} commands[] = {
	{ "audit", cmd_audit, "show, verify or report what was kept from workloads", false },
	{ "create", cmd_create, "make a container from a bundle; start runs its program", true },
	{ "delete", cmd_delete, "remove a container", false },
	{ "events", cmd_events, "print a container's statistics and out-of-memory events", false },
	{ "exec", cmd_exec, "run another program in a container", true },
	{ "features", cmd_features, "print what this runtime can do, as JSON", false },
	{ "filter", cmd_filter, "take credentials out of a config.json", false },
	{ "kill", cmd_kill, "send a signal to a container", false },
	{ "list", cmd_list, "list containers", false },
	{ "pause", cmd_pause, "stop all processes of a container for a while", false },
	{ "plan", cmd_plan, "show what would be stripped from a bundle, and by which rule", false },
	{ "policy", cmd_policy, "show or check the policy", false },
	{ "ps", cmd_ps, "list a container's processes", false },
	{ "resume", cmd_resume, "let a paused container go on", false },
	{ "run", cmd_run, "make a container from a bundle and run its program", true },
	{ "scan", cmd_scan, "find credentials in a directory tree", false },
	{ "spec", cmd_spec, "write a config.json to begin with", false },
	{ "start", cmd_start, "run the program of a container that was created", true },
	{ "state", cmd_state, "print a container's state, as JSON", false },
	{ "update", cmd_update, "change a container's limits", false },
	/* Which asks for the environment before it overwrites it. */
	{ "wrap", cmd_wrap, "run a command of this host without its credentials", false },
};
enum { COMMANDS = sizeof commands / sizeof commands[0], WORD_SHOWN = 64, TEXT_MAX = 64 * 1024 };

/* Asked of every runtime, and left out here on purpose. */
static const char *const left_out[] = { "checkpoint", "restore" };

static int print(const char *option, struct arena *a, const struct str *s)
{
	int rc = cmd_print(option, s->s, s->len);

	arena_release(a);
	return rc;
}

static int help(void)
{
	struct arena a = { 0 };
	struct str s;
	size_t i;

	str_init(&s, &a, TEXT_MAX);
	str_add(&s, "NAME:\n   credsbox - run a program that holds no credential\n\n"
		    "USAGE:\n   credsbox [OPTION...] COMMAND [OPTION...] [ARGUMENT...]\n\n"
		    "Runs AI agents and model-written code so that they never hold a real "
		    "credential.\n\n");
	for (i = 0; i < COMMANDS; i++)
		str_printf(&s, "  %-8s  %s\n", commands[i].name, commands[i].summary);
	str_add(&s,
		"\nOptions:\n"
		"      --root DIR              where the state of containers is kept\n"
		"      --policy FILE           a policy over those of the system and the user\n"
		"      --log FILE              write errors there too\n"
		"      --log-format FORMAT     of that file: text (default) or json\n"
		"      --debug                 say more\n"
		"      --systemd-cgroup        let systemd make the control groups\n"
		"      --cgroup-manager NAME   cgroupfs (default), systemd or disabled\n"
		"      --rootless auto         for callers of other runtimes; makes no difference\n"
		"  -h, --help                  print this and exit\n"
		"  -v, --version               print the version and exit\n\n"
		"credsbox COMMAND --help tells more of a command; credsbox(1) tells "
		"everything.\n");
	return print("--help", &a, &s);
}

static int version(void)
{
	struct arena a = { 0 };
	struct str s;

	str_init(&s, &a, TEXT_MAX);
	str_printf(&s, "credsbox version %s\nspec: 1.3.0\n", VERSION);
	return print("--version", &a, &s);
}

static int no_command(const char *name)
{
	struct arena a = { 0 };
	size_t i;

	for (i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
		if (!strcmp(name, left_out[i]))
			return cmd_fail(
				name,
				&(struct err){ .text = "not offered: an image of the memory on a "
						       "disk would hold what must not be kept" });

	fprintf(stderr, "credsbox: no command '%s' (credsbox --help lists them)\n",
		printable(&a, name, WORD_SHOWN));
	arena_release(&a);
	return 1;
}

/* A caller who closed 0, 1 or 2 would otherwise find config.json open as its standard output.
 * What is opened in their place cannot be used: a result that nobody gets is an error.
 */
static int open_stdio(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return -1;
	return 0;
}

/* A core of ours would hold what is about to be cut. A limit of one byte keeps the kernel from piping it to a
 * program as well, which a limit of none does not.
 */
static void write_no_core(struct global *g)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CORE, &g->core))
		return;
	limit = g->core;
	limit.rlim_cur = limit.rlim_max ? 1 : 0;
	setrlimit(RLIMIT_CORE, &limit);
}

enum {
	OPT_DEBUG = 256,
	OPT_IGNORED,
	OPT_LOG,
	OPT_LOG_FORMAT,
	OPT_MANAGER,
	OPT_POLICY,
	OPT_ROOT,
	OPT_SYSTEMD
};

static const struct option options[] = {
	{ "cgroup-manager", required_argument, NULL, OPT_MANAGER },
	{ "criu", required_argument, NULL, OPT_IGNORED },
	{ "debug", optional_argument, NULL, OPT_DEBUG },
	{ "help", no_argument, NULL, 'h' },
	{ "log", required_argument, NULL, OPT_LOG },
	{ "log-format", required_argument, NULL, OPT_LOG_FORMAT },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "rootless", required_argument, NULL, OPT_IGNORED },
	{ "systemd-cgroup", optional_argument, NULL, OPT_SYSTEMD },
	{ "version", no_argument, NULL, 'v' },
	{ 0 },
};

struct main_args {
	struct global global;
	const char *log;
	bool json, debug, help, version;
};

static int read_manager(const char *word, struct global *g)
{
	g->systemd_cgroup = !strcmp(word, "systemd");
	g->no_cgroup = !strcmp(word, "disabled");
	if (!g->systemd_cgroup && !g->no_cgroup && strcmp(word, "cgroupfs"))
		return cmd_usage(NULL, "--cgroup-manager: cgroupfs, systemd or disabled");
	return 0;
}

/* Callers of runc may write --debug=true; nothing behind it means the same. */
static int read_switch(const char *option, const char *word, bool *on)
{
	*on = !word || !strcmp(word, "true");
	if (!*on && strcmp(word, "false"))
		return cmd_usage(NULL, "%s: true or false", option);
	return 0;
}

static int parse(int argc, char **argv, struct main_args *o)
{
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:hv", options, NULL)) != -1) {
		switch (c) {
		case OPT_DEBUG:
			if (read_switch("--debug", optarg, &o->debug))
				return 1;
			break;
		case OPT_IGNORED: break;
		case OPT_LOG: o->log = optarg; break;
		case OPT_LOG_FORMAT:
			o->json = !strcmp(optarg, "json");
			if (!o->json && strcmp(optarg, "text"))
				return cmd_usage(NULL, "--log-format: text or json");
			break;
		case OPT_MANAGER:
			if (read_manager(optarg, &o->global))
				return 1;
			break;
		case OPT_POLICY: o->global.policy = optarg; break;
		case OPT_ROOT:
			o->global.root = optarg;
			o->global.named_root = true;
			break;
		case OPT_SYSTEMD:
			if (read_switch("--systemd-cgroup", optarg, &o->global.systemd_cgroup))
				return 1;
			break;
		case 'h': o->help = true; break;
		case 'v': o->version = true; break;
		default: return cmd_bad_option(NULL, c, argv);
		}
	}
	return 0;
}

/* Root of a user namespace that an engine made for a person is that person. NULL: there is no such
 * place, and those who need one say so.
 */
static const char *default_root(struct arena *a)
{
	const char *runtime_dir = getenv("XDG_RUNTIME_DIR");
	bool is_person = geteuid() || getenv("_CONTAINERS_USERNS_CONFIGURED");

	if (is_person && runtime_dir && runtime_dir[0] == '/')
		return arena_printf(a, "%s/credsbox", runtime_dir);
	return geteuid() ? NULL : "/run/credsbox";
}

/* Absolute, because commands may change directories; "/" would make every directory a container. */
static int find_root(struct arena *a, struct global *g, struct err *e)
{
	char cwd[PATH_MAX];

	if (!g->root)
		g->root = default_root(a);
	if (!g->root)
		return 0;
	if (g->root[0] != '/') {
		if (!getcwd(cwd, sizeof cwd))
			return fail(e, errno, "--root: current directory");
		g->root = arena_printf(a, "%s/%s", cwd, g->root);
	}
	if (!g->root[strspn(g->root, "/")])
		return fail(e, 0, "--root: the root directory itself cannot be used");
	return 0;
}

static int dispatch(const struct global *g, int argc, char **argv)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[0], commands[i].name)) {
			if (commands[i].enters)
				environ_forget();
			return commands[i].run(g, argc, argv);
		}
	return no_command(argv[0]);
}

/* getopt_long() changes their order. */
static char **copy_of(struct arena *a, int argc, char **argv)
{
	char **copy = arena_array(a, (size_t)argc + 1, sizeof *copy);

	memcpy(copy, argv, (size_t)argc * sizeof *copy);
	return copy;
}

static int run(struct arena *a, int argc, char **argv)
{
	struct main_args o = { 0 };
	struct err e;

	write_no_core(&o.global);
	o.global.argv = copy_of(a, argc, argv);
	if (parse(argc, argv, &o))
		return 1;
	if (o.version)
		return version();
	if (o.help || optind == argc)
		return help();
	if (log_open(o.log, o.json, o.debug, &e) || find_root(a, &o.global, &e))
		return cmd_fail(argv[optind], &e);
	return dispatch(&o.global, argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	int rc;

	if (argc < 1 || open_stdio() < 0)
		return EXIT_REFUSED;

	/* Where it is ignored, children vanish with their exit codes, and their numbers go to others. */
	signal(SIGCHLD, SIG_DFL);

	/* Engines put options behind the id; that variable would make arguments of them. */
	unsetenv("POSIXLY_CORRECT");
	rc = run(&a, argc, argv);
	arena_release(&a);
	return rc;
}
