// SPDX-License-Identifier: Apache-2.0
/* Command lines with a password among their arguments. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { WORD_LONGEST = 64 };

static const char rule[] = "env-value:command-line";
static const char why[] = "a command line with a password";

/* Options that take a secret, by the program that has them. */
static const struct {
	const char *program, *option;
	enum { NEXT_WORD, NEXT_AFTER_COLON, SAME_WORD } where;
} known[] = {
	{ "curl", "-u", NEXT_AFTER_COLON },
	{ "curl", "--user", NEXT_AFTER_COLON },
	{ "curl", "--proxy-user", NEXT_AFTER_COLON },
	{ "curl", "-U", NEXT_AFTER_COLON },
	{ "sshpass", "-p", NEXT_WORD },
	{ "sshpass", "-p", SAME_WORD },
	{ "mysql", "-p", SAME_WORD },
	{ "mysqldump", "-p", SAME_WORD },
	{ "mysqladmin", "-p", SAME_WORD },
	{ "mariadb", "-p", SAME_WORD },
	{ "mariadb-dump", "-p", SAME_WORD },
	{ "redis-cli", "-a", NEXT_WORD },
	{ "docker", "-p", NEXT_WORD },
	{ "podman", "-p", NEXT_WORD },
	{ "mongosh", "-p", NEXT_WORD },
	{ "mongo", "-p", NEXT_WORD },
	{ "mongodump", "-p", NEXT_WORD },
	{ "ldapsearch", "-w", NEXT_WORD },
	{ "ldapadd", "-w", NEXT_WORD },
	{ "ldapmodify", "-w", NEXT_WORD },
	{ "az", "-p", NEXT_WORD },
	{ "smbclient", "-U", NEXT_AFTER_COLON },
	{ "htpasswd", "-b", NEXT_WORD },
	{ "sqlcmd", "-P", NEXT_WORD },
	{ "bcp", "-P", NEXT_WORD },
	{ "7z", "-p", SAME_WORD },
	{ "zip", "-P", NEXT_WORD },
	{ "unzip", "-P", NEXT_WORD },
	{ "openssl", "-passin", NEXT_AFTER_COLON },
	{ "openssl", "-passout", NEXT_AFTER_COLON },
	{ "wget", "--password", NEXT_WORD },
	{ "http", "-a", NEXT_AFTER_COLON },
};

static bool is_known_program(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		if (text_is(s, len, known[i].program))
			return true;
	return false;
}

struct word {
	const char *s;
	size_t off, len;
};

static bool next_word(const char *s, size_t len, size_t *at, struct word *w)
{
	while (*at < len && (is_space(s[*at]) || memchr("\"'|;&()", s[*at], 7)))
		++*at;
	w->off = *at;
	w->s = s + *at;
	while (*at < len && !is_space(s[*at]) && !memchr("\"'|;&()", s[*at], 7))
		++*at;
	w->len = *at - w->off;
	return w->len > 0;
}

static void judge_word(const struct word *w, size_t skip, struct finding *f)
{
	if (w->len > skip && w->len - skip >= 3 && !value_is_template(w->s + skip, w->len - skip) &&
	    !value_is_reference(w->s + skip, w->len - skip) && w->s[skip] != '-')
		value_found(f, w->off + skip, w->len - skip, rule, why);
}

/* "--password SECRET", "--api-key SECRET": by the name of the option, whatever the program. */
static void judge_option(const struct word *option, const struct word *next, struct finding *f)
{
	struct finding name;

	if (option->len < 4 || option->len > WORD_LONGEST ||
	    !text_starts(option->s, option->len, "--") || memchr(option->s, '=', option->len) ||
	    !next->len || next->s[0] == '-' || next->s[0] == '/' || next->len < 6)
		return;
	if (detect_name(option->s + 2, option->len - 2, &name) == VERDICT_CREDENTIAL &&
	    !value_is_placeholder(next->s, next->len))
		judge_word(next, 0, f);
}

static void judge_known(const char *program, size_t program_len, const struct word *w,
			const struct word *next, struct finding *f)
{
	const char *colon;
	size_t i, n;

	for (i = 0; i < sizeof known / sizeof known[0]; i++) {
		n = strlen(known[i].option);
		if (!text_is(program, program_len, known[i].program) ||
		    !text_starts(w->s, w->len, known[i].option))
			continue;
		switch (known[i].where) {
		case SAME_WORD:
			if (w->len > n && w->s[n] != '=')
				judge_word(w, n, f);
			break;
		case NEXT_WORD:
			if (w->len == n && next->len && !memchr(next->s, ':', next->len))
				judge_word(next, 0, f);
			break;
		case NEXT_AFTER_COLON:
			colon = w->len == n && next->len ? memchr(next->s, ':', next->len) : NULL;
			if (colon)
				judge_word(next, (size_t)(colon - next->s) + 1, f);
			break;
		}
	}
}

bool value_command(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	struct word program = { 0 }, w = { 0 }, next = { 0 };
	size_t at = 0, n;

	if (!next_word(s, len, &at, &w))
		return false;
	for (; w.len; w = next) {
		if (!next_word(s, len, &at, &next))
			next.len = 0;
		if (w.s[0] != '-') {
			/* The program is the last part of its path; known ones replace others. */
			n = w.len;
			while (n && w.s[n - 1] != '/')
				n--;
			if (!program.len || is_known_program(w.s + n, w.len - n))
				program = (struct word){ w.s + n, w.off + n, w.len - n };
			continue;
		}
		judge_known(program.s, program.len, &w, &next, f);
		judge_option(&w, &next, f);
	}
	return f->verdict != before;
}
