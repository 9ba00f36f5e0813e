// SPDX-License-Identifier: Apache-2.0
/* The command table: dispatch and help come from it. */
#include "cmd.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "plan", cmd_plan, "show what would be stripped from a bundle, and by which rule" },
	{ "filter", cmd_filter, "take credentials out of a config.json" },
	{ "scan", cmd_scan, "find credentials in a directory tree" },
	{ "policy", cmd_policy, "show or check the policy" },
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

int cmd_fail(const char *command, const struct err *e)
{
	fprintf(stderr, "credsbox: %s: %s\n", command, e->text);
	return 1;
}

int cmd_print(const char *command, const char *text, size_t len)
{
	struct err e;

	return fd_write_all(STDOUT_FILENO, "standard output", text, len, &e) ? cmd_fail(command, &e)
									     : 0;
}

int cmd_usage(const char *command, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "credsbox: %s: ", command);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, " (credsbox %s --help tells more)\n", command);
	return 1;
}

/* Behind an '=' may stand anything, a credential too. */
int cmd_bad_option(const char *command, char **argv)
{
	const char *word = argv[optind > 1 ? optind - 1 : 1];

	return cmd_usage(command, "unknown option, or one without its argument: '%.*s'",
			 (int)strcspn(word, "="), word);
}

static int help(void)
{
	size_t i;

	printf("usage: credsbox COMMAND [OPTION...]\n\n"
	       "Runs AI agents and model-written code so that they never hold a real "
	       "credential.\n\n");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-8s  %s\n", commands[i].name, commands[i].summary);
	printf("\nOptions:\n  -h, --help     print this and exit\n"
	       "  -v, --version  print the version and exit\n\n"
	       "credsbox COMMAND --help tells more of a command; credsbox(1) tells everything.\n");
	return fflush(stdout) ? 1 : 0;
}

/* A caller who closed 0, 1 or 2 would otherwise find config.json open as its standard output. */
static int open_stdio(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
	return fd;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 1 || open_stdio() < 0)
		return EXIT_REFUSED;
	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v")) {
		printf("credsbox version %s\nspec: 1.3.0\n", VERSION);
		return fflush(stdout) ? 1 : 0;
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "credsbox: no command '%.64s' (credsbox --help lists them)\n", argv[1]);
	return 1;
}
