// SPDX-License-Identifier: Apache-2.0
/* Command lines with a password among their arguments, where only the program tells. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { SECRET_SHORTEST = 3 };

/* Where the secret is: the word behind the option, the rest of the option's own word, or either. */
enum place { NEXT, GLUED, EITHER };

/* Short options that take a secret, by the program, or by the subcommand that has them. Behind a
 * mark: "user:secret", "user%secret". Long ones say what they are by name.
 */
static const struct option {
	const char *program, *option;
	enum place place;
	char mark;
} options[] = {
	// clang-format off
	{ "7z", "-p", GLUED, 0 },	     { "7za", "-p", GLUED, 0 },
	{ "bcp", "-P", EITHER, 0 },	     { "beeline", "-p", NEXT, 0 },
	{ "buildah", "--creds", NEXT, ':' }, { "cqlsh", "-p", NEXT, 0 },
	{ "crane", "-p", NEXT, 0 },	     { "curl", "--proxy-user", NEXT, ':' },
	{ "curl", "--user", NEXT, ':' },     { "curl", "-U", EITHER, ':' },
	{ "curl", "-u", EITHER, ':' },	     { "curl", "--oauth2-bearer", NEXT, 0 },
	{ "erl", "-setcookie", NEXT, 0 },    { "elixir", "--cookie", NEXT, 0 },
	{ "http", "-a", NEXT, ':' },	     { "https", "-a", NEXT, ':' },
	{ "ipmitool", "-P", NEXT, 0 },	     { "keytool", "-storepass", NEXT, 0 },
	{ "keytool", "-keypass", NEXT, 0 },  { "jarsigner", "-storepass", NEXT, 0 },
	{ "ldapadd", "-w", NEXT, 0 },	     { "ldapmodify", "-w", NEXT, 0 },
	{ "ldapdelete", "-w", NEXT, 0 },     { "ldappasswd", "-w", NEXT, 0 },
	{ "ldappasswd", "-s", NEXT, 0 },     { "ldapsearch", "-w", NEXT, 0 },
	{ "ldapwhoami", "-w", NEXT, 0 },     { "lftp", "-u", NEXT, ',' },
	{ "login", "-p", NEXT, 0 },	     { "mariadb", "-p", GLUED, 0 },
	{ "mariadb-dump", "-p", GLUED, 0 },  { "mongo", "-p", NEXT, 0 },
	{ "mongodump", "-p", NEXT, 0 },	     { "mongorestore", "-p", NEXT, 0 },
	{ "mongosh", "-p", NEXT, 0 },	     { "mosquitto_pub", "-P", NEXT, 0 },
	{ "mosquitto_sub", "-P", NEXT, 0 },  { "mysql", "-p", GLUED, 0 },
	{ "mysqladmin", "-p", GLUED, 0 },    { "mysqldump", "-p", GLUED, 0 },
	{ "mysqlimport", "-p", GLUED, 0 },   { "ncftpput", "-p", NEXT, 0 },
	{ "openssl", "-k", NEXT, 0 },	     { "openssl", "-pass", NEXT, ':' },
	{ "openssl", "-passin", NEXT, ':' }, { "openssl", "-passout", NEXT, ':' },
	{ "osql", "-P", EITHER, 0 },	     { "p4", "-P", NEXT, 0 },
	{ "rdesktop", "-p", NEXT, 0 },	     { "redis-cli", "-a", NEXT, 0 },
	{ "skopeo", "--creds", NEXT, ':' },  { "skopeo", "--dest-creds", NEXT, ':' },
	{ "skopeo", "--src-creds", NEXT, ':' }, { "smbclient", "-U", EITHER, '%' },
	{ "snmpget", "-c", NEXT, 0 },	     { "snmpwalk", "-c", NEXT, 0 },
	{ "snmpget", "-A", NEXT, 0 },	     { "snmpget", "-X", NEXT, 0 },
	{ "snmpset", "-A", NEXT, 0 },	     { "snmpset", "-X", NEXT, 0 },
	{ "snmpwalk", "-A", NEXT, 0 },	     { "snmpwalk", "-X", NEXT, 0 },
	{ "sqlcmd", "-P", EITHER, 0 },	     { "ssh-keygen", "-N", NEXT, 0 },
	{ "ssh-keygen", "-P", NEXT, 0 },     { "sshpass", "-p", EITHER, 0 },
	{ "twine", "-p", NEXT, 0 },	     { "unrar", "-p", GLUED, 0 },
	{ "unzip", "-P", EITHER, 0 },	     { "valkey-cli", "-a", NEXT, 0 },
	{ "wget", "--password", NEXT, 0 },   { "xfreerdp", "/p:", GLUED, 0 },
	{ "zip", "-P", EITHER, 0 },
	// clang-format on
};

/* Programs whose secret is the last of so many arguments that are no options. */
static const struct positional {
	const char *program, *first;
	unsigned count;
} positionals[] = {
	{ "mc", "alias", 6 },     { "htpasswd", "-nb", 2 }, { "htpasswd", "-b", 3 },
	{ "htpasswd", "-bc", 3 }, { "htpasswd", "-cb", 3 },
};

/* Oracle's take user/secret@database as an argument. */
static const char *const oracle_programs[] = { "sqlplus", "sqlldr", "expdp", "impdp" };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct word {
	const char *s;
	size_t off, len;
};

struct command {
	struct word program, first; /* first: the argument after the program */
	unsigned count;             /* of arguments that are no options, the program not counted */
};

static bool is_word(const struct word *w, const char *word)
{
	return w->len && w->s[0] == word[0] && text_is(w->s, w->len, word);
}

static bool is_separator(char c)
{
	return is_space(c) || (c && strchr("|;&()", c));
}

static bool next_word(const char *s, size_t len, size_t *at, struct word *w)
{
	while (*at < len && is_separator(s[*at]))
		++*at;
	w->off = *at;
	w->s = s + *at;
	while (*at < len && !is_separator(s[*at]))
		++*at;
	w->len = *at - w->off;
	return w->len > 0;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* The rest of the word behind skip bytes, without its quotes. */
static struct word rest_of(const struct word *w, size_t skip)
{
	struct word rest = { w->s + skip, w->off + skip, w->len - skip };

	while (rest.len && is_quote(rest.s[0])) {
		rest.s++;
		rest.off++;
		rest.len--;
	}
	while (rest.len && is_quote(rest.s[rest.len - 1]))
		rest.len--;
	return rest;
}

static void judge_secret(struct word w, char mark, struct finding *f)
{
	const char *at = mark ? memchr(w.s, mark, w.len) : NULL;

	if (mark && !at)
		return;
	if (at)
		w = rest_of(&w, (size_t)(at - w.s) + 1);
	if (w.len < SECRET_SHORTEST || w.s[0] == '-' || w.s[0] == '<' ||
	    text_is(w.s, w.len, "public") || value_is_template(w.s, w.len) ||
	    value_is_reference(w.s, w.len) || memchr(w.s, '$', w.len) ||
	    value_is_found(f, w.off, w.len))
		return;
	value_found(f, w.off, w.len, "env-value:command-line", "a command line with a password");
}

static void judge_option(const struct command *c, const struct word *w, const struct word *next,
			 struct finding *f)
{
	size_t i, n;

	for (i = 0; i < COUNT(options); i++) {
		const struct option *o = &options[i];

		if (!is_word(&c->program, o->program) || !text_starts(w->s, w->len, o->option))
			continue;
		n = strlen(o->option);
		if (w->len == n && o->place != GLUED && next->len)
			judge_secret(rest_of(next, 0), o->mark, f);
		else if (w->len > n && o->place != NEXT && w->s[n] != '=')
			judge_secret(rest_of(w, n), o->mark, f);
	}
}

static void judge_oracle(const struct word *w, struct finding *f)
{
	const char *slash = memchr(w->s, '/', w->len);
	const char *at = memrchr(w->s, '@', w->len);
	struct word secret;

	if (!slash || slash == w->s || (at && at < slash))
		return;
	secret = rest_of(w, (size_t)(slash - w->s) + 1);
	if (at)
		secret.len = (size_t)(at - secret.s);
	judge_secret(secret, 0, f);
}

static void judge_argument(struct command *c, const struct word *w, struct finding *f)
{
	size_t i;

	c->count++;
	for (i = 0; i < COUNT(positionals); i++)
		if (is_word(&c->program, positionals[i].program) &&
		    is_word(&c->first, positionals[i].first) && c->count == positionals[i].count)
			judge_secret(rest_of(w, 0), 0, f);
	for (i = 0; i < COUNT(oracle_programs); i++)
		if (c->count == 1 && is_word(&c->program, oracle_programs[i]))
			judge_oracle(w, f);
}

static bool is_known(const struct word *w)
{
	size_t i;

	for (i = 0; i < COUNT(options); i++)
		if (is_word(w, options[i].program))
			return true;
	for (i = 0; i < COUNT(positionals); i++)
		if (is_word(w, positionals[i].program))
			return true;
	for (i = 0; i < COUNT(oracle_programs); i++)
		if (is_word(w, oracle_programs[i]))
			return true;
	return false;
}

/* The program is the last part of its path; others than known ones are no matter: "sudo mysql". */
static bool note_program(struct command *c, const struct word *w)
{
	struct word name = rest_of(w, 0);
	const char *slash = memrchr(name.s, '/', name.len);

	if (slash)
		name = rest_of(&name, (size_t)(slash - name.s) + 1);
	if (!is_known(&name))
		return false;
	*c = (struct command){ .program = name };
	return true;
}

/* echo SECRET | docker login --password-stdin; echo user:SECRET | chpasswd */
static void judge_echo(const char *s, size_t len, struct finding *f)
{
	static const char *const readers[] = { "--password-stdin", "chpasswd", "sudo -S",
					       "passwd --stdin" };
	const char *pipe = memchr(s, '|', len), *echo = pipe ? memmem(s, len, "echo ", 5) : NULL;
	size_t at, i;
	struct word w;

	pipe = echo ? memchr(echo, '|', len - (size_t)(echo - s)) : NULL;
	if (!pipe)
		return;
	at = (size_t)(echo - s) + 5;
	do
		if (!next_word(s, (size_t)(pipe - s), &at, &w))
			return;
	while (w.s[0] == '-');
	for (i = 0; i < COUNT(readers); i++)
		if (memmem(pipe, len - (size_t)(pipe - s), readers[i], strlen(readers[i])))
			judge_secret(rest_of(&w, 0), i == 1 ? ':' : 0, f);
}

bool value_command(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	struct word w = { 0 }, next = { 0 };
	struct command c = { 0 };
	size_t at = 0;

	judge_echo(s, len, f);
	next_word(s, len, &at, &w);
	for (; w.len; w = next) {
		if (!next_word(s, len, &at, &next))
			next.len = 0;
		if (w.s[0] != '-' && note_program(&c, &w))
			c.first = rest_of(&next, 0);
		else if (!c.program.len)
			continue;
		else if (w.s[0] == '-' || w.s[0] == '/')
			judge_option(&c, &w, &next, f);
		else
			judge_argument(&c, &w, f);
	}
	return f->verdict != before;
}
