// SPDX-License-Identifier: Apache-2.0
/* What commands say, and how. */
#include "cmd.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/log.h"
#include "../base/str.h"
#include "../base/banned.h"

enum { WORD_SHOWN = 64, TEXT_MAX = 1024, TAIL_MAX = 64 };

int cmd_fail(const char *command, const struct err *e)
{
	log_error(command, e->text);
	return 1;
}

int cmd_print(const char *command, const char *text, size_t len)
{
	struct err e;

	return fd_write_all(STDOUT_FILENO, "standard output", text, len, &e) ? cmd_fail(command, &e)
									     : 0;
}

/* Before the log is open the words of the main program are wrong, and there is no command yet. */
int cmd_usage(const char *command, const char *fmt, ...)
{
	const char *name = command ? command : "", *space = command ? " " : "";
	char text[TEXT_MAX + TAIL_MAX];
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	vsnprintf(text, TEXT_MAX, fmt, ap);
	va_end(ap);
	len = strlen(text);
	snprintf(text + len, sizeof text - len, " (credsbox %s%s--help tells more)", name, space);
	if (command)
		log_error(command, text);
	else
		fprintf(stderr, "credsbox: %s\n", text);
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

bool cmd_wants_colour(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && term && strcmp(term, "dumb");
}
