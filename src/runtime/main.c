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
#include "../base/str.h"
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
enum { COMMANDS = sizeof commands / sizeof commands[0], WORD_SHOWN = 64, TEXT_MAX = 64 * 1024 };

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

/* Behind an '=' or a letter may stand anything, a credential too. */
int cmd_bad_option(const char *command, int c, char **argv)
{
	const char *word = argv[optind > 1 ? optind - 1 : 1];
	struct arena a = { 0 };

	/* getopt_long() is still at the word of a bad letter, unless it was the last one in it; a
	 * long option without its argument has a letter too, but nothing behind it.
	 */
	if (optopt > ' ' && optopt < 0x7f && (argv[optind] || strncmp(word, "--", 2)))
		word = arena_printf(&a, "-%c", optopt);
	else
		word = arena_strndup(&a, word, strcspn(word, "="));
	word = printable(&a, word, WORD_SHOWN);
	if (c == ':')
		cmd_usage(command, "%s needs an argument", word);
	else
		cmd_usage(command, "unknown option '%s'", word);
	arena_release(&a);
	return 1;
}

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
	str_add(&s, "usage: credsbox COMMAND [OPTION...]\n\n"
		    "Runs AI agents and model-written code so that they never hold a real "
		    "credential.\n\n");
	for (i = 0; i < COMMANDS; i++)
		str_printf(&s, "  %-8s  %s\n", commands[i].name, commands[i].summary);
	str_add(&s, "\nOptions:\n  -h, --help     print this and exit\n"
		    "  -v, --version  print the version and exit\n\n"
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

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 1 || open_stdio() < 0)
		return EXIT_REFUSED;
	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v"))
		return version();
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return no_command(argv[1]);
}
