// SPDX-License-Identifier: Apache-2.0
/* Name and value of a variable together: what each says, and who is believed. */
#include "detect.h"

#include <string.h>

#include "chars.h"
#include "detect_words.h"
#include "../base/banned.h"

enum {
	SMALL_NUMBER = 6,    /* digits of what counts as a setting rather than a secret */
	RANDOM_MIN = 20,     /* characters that chance needs to show */
	RANDOM_LOOK = 256,   /* what is longer is judged by its beginning */
	LINK_TOKEN_MIN = 16, /* of a part of a URL that could be a key to it */
	KEY_TEXT_MIN = 200,  /* no relative path is that long */
	HEADER_NAME_MAX = 40,
	SETTING_MAX = 40, /* bytes of the name of a setting in a connection string */
};

static const struct name_rule by_entropy = {
	"env-value:entropy", "random-looking, under a name that makes a credential likely"
};
static const struct name_rule by_pair = {
	"env-value:user-password", "user and password, under a name that makes them likely"
};

static bool is_one_of(const char *s, size_t len, const char *const *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (text_is_nocase(s, len, words[i]))
			return true;
	return false;
}

static bool is_all(const char *s, size_t len, bool (*is)(char c))
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!is(s[i]))
			return false;
	return true;
}

static bool is_empty(const char *s, size_t len)
{
	static const char *const words[] = { "", "\"\"", "''", "{}", "[]", "-" };

	while (len && is_space(*s)) {
		s++;
		len--;
	}
	while (len && is_space(s[len - 1]))
		len--;
	return len <= 2 && is_one_of(s, len, words, sizeof words / sizeof words[0]);
}

/* Answers to a question that the name must have been: no password is that bad. */
static bool is_switch(const char *s, size_t len)
{
	static const char *const words[] = {
		"true", "false", "yes",       "no",      "on",       "off",    "none",
		"null", "nil",   "undefined", "enabled", "disabled", "enable", "disable",
	};

	return is_one_of(s, len, words, sizeof words / sizeof words[0]);
}

/* Settings of things that share their name with credentials. Not for passwords and tokens: people
 * do use such words there.
 */
static bool is_setting(const char *s, size_t len)
{
	// clang-format off
	static const char *const words[] = {
		"accept", "accepted", "always", "anonymous", "any", "apache-2.0", "apikey",
		"auto", "basic", "bearer", "bsd-3-clause", "cert", "certificate", "commercial",
		"community", "cram-md5", "critical", "debug", "default", "digest", "enterprise",
		"error", "external", "fatal", "free", "gpl", "gssapi", "header", "iam", "include",
		"info", "internal", "jwt", "kerberos", "lax", "ldap", "local", "login", "md5",
		"mit", "mtls", "n", "negotiate", "never", "ntlm", "oauth", "oauth2", "oidc",
		"omit", "optional", "oss", "peer", "plain", "proprietary", "required",
		"same-origin", "saml", "scram", "scram-sha-256", "secure", "ssl", "standard",
		"starttls", "strict", "tls", "token", "trace", "trial", "trust", "verbose",
		"warn", "warning", "x509", "y",
	};
	// clang-format on

	return is_one_of(s, len, words, sizeof words / sizeof words[0]);
}

static bool is_small_number(const char *s, size_t len, enum name_group group)
{
	size_t most = SMALL_NUMBER;

	/* Nothing is as common among passwords as 123456; a bare 0 or 1 is a switch, though. */
	if (group == NG_PASSWORD || group == NG_PIN || group == NG_CODE)
		most = 1;
	if (len > 1 && *s == '-') {
		s++;
		len--;
	}
	return len && len <= most && is_all(s, len, is_digit);
}

static bool has_mixed_case(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (is_upper(s[i]))
			return true;
	return false;
}

/* An absolute path, or a URL of a file or socket. Base64 may begin with a slash as well, but it
 * hardly ever keeps to small letters or ends like a file.
 */
static bool is_path(const char *s, size_t len)
{
	static const char *const roots[] = { "Users", "Library", "app", "data", "dev",    "etc",
					     "home",  "mnt",     "opt", "proc", "root",   "run",
					     "srv",   "tmp",     "usr", "var",  "volumes" };
	const char *slash, *dot;
	size_t n, i;

	if (text_starts(s, len, "file:///") || text_starts(s, len, "unix:///") ||
	    text_starts(s, len, "~/"))
		return true;
	if (len < 2 || s[0] != '/' || memchr(s, '=', len) || memchr(s, '+', len))
		return false;
	for (i = 0; i < len; i++)
		if (!is_graph(s[i]) && s[i] != ' ')
			return false;
	if (!has_mixed_case(s, len))
		return true;
	slash = memchr(s + 1, '/', len - 1);
	n = slash ? (size_t)(slash - s) - 1 : len - 1;
	if (is_one_of(s + 1, n, roots, sizeof roots / sizeof roots[0]))
		return true;
	slash = memrchr(s, '/', len);
	dot = memrchr(slash, '.', len - (size_t)(slash - s));
	return dot && (size_t)(s + len - dot) <= 6;
}

static bool is_uuid_or_digest(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_hex(s[i]) && s[i] != '-' && s[i] != ':')
			return false;
	return true;
}

static int kind_of(char c)
{
	return is_lower(c) ? 1 : is_upper(c) ? 2 : is_digit(c) ? 3 : 0;
}

/* Did chance write this? One word of letters and digits, in which small ones, capitals and digits
 * take turns as they don't in what people write.
 */
bool detect_is_random(const char *s, size_t len)
{
	unsigned turns = 0, seen = 0;
	bool used[128] = { false };
	unsigned distinct = 0;
	int last = 0, kind;
	size_t i;

	if (len < RANDOM_MIN)
		return false;
	if (len > RANDOM_LOOK)
		len = RANDOM_LOOK;
	if (is_uuid_or_digest(s, len))
		return false;
	for (i = 0; i < len; i++) {
		if (!is_graph(s[i]))
			return false;
		distinct += !used[(unsigned char)s[i]];
		used[(unsigned char)s[i]] = true;
		kind = kind_of(s[i]);
		if (!kind)
			continue;
		turns += last && kind != last;
		seen |= 1U << kind;
		last = kind;
	}
	return seen & 1U << 3 && seen != 1U << 3 && distinct >= 10 && turns * 4 >= len &&
	       !memmem(s, len, "://", 3) && !is_path(s, len);
}

static bool has_random_part(const char *s, size_t len)
{
	static const char separators[] = "/:;,=&?@ \t\"'";
	size_t i, start = 0;

	for (i = 0; i <= len; i++) {
		if (i < len && s[i] && !strchr(separators, s[i]))
			continue;
		if (detect_is_random(s + start, i - start))
			return true;
		start = i + 1;
	}
	return false;
}

/* A setting of that name: password=x, "pwd": "x", SharedAccessKey=x. */
static bool sets(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word), i, j;

	for (i = 0; i + n < len; i++) {
		if (!text_is_nocase(s + i, n, word))
			continue;
		for (j = i + n; j < len && j < i + SETTING_MAX && is_alnum(s[j]); j++)
			;
		if (j < len && (s[j] == '=' || s[j] == '"' || text_starts(s + j, len - j, ": ")))
			return true;
	}
	return false;
}

static bool sets_a_secret(const char *s, size_t len)
{
	return sets(s, len, "pass") || sets(s, len, "pwd") || sets(s, len, "secret") ||
	       sets(s, len, "token") || sets(s, len, "key") || sets(s, len, "sig");
}

/* Is there a secret in this connection string? What precedes '@' is user and password; a user
 * alone is none, unless it looks like a token.
 */
static bool connects_with_secret(const char *s, size_t len)
{
	const char *scheme = memmem(s, len, "://", 3), *at, *colon;
	const char *user = scheme ? scheme + 3 : s;
	size_t rest = len - (size_t)(user - s);

	at = memrchr(user, '@', rest);
	if (at) {
		colon = memchr(user, ':', (size_t)(at - user));
		if (colon ? colon + 1 < at : !scheme && memchr(user, '/', (size_t)(at - user)))
			return true;
		if (detect_is_random(user, (size_t)(at - user)))
			return true;
	}
	return sets_a_secret(s, len) || has_random_part(s, len);
}

/* A webhook's URL is a credential by a part of it that nobody could guess. */
static bool links_with_secret(const char *s, size_t len)
{
	const char *scheme = memmem(s, len, "://", 3);
	size_t i = scheme ? (size_t)(scheme - s) + 3 : 0, n = 0;
	bool has_digit = false;

	for (; i < len && s[i] != '/'; i++)
		if (s[i] == '@')
			return true;
	for (; i < len; i++) {
		if (!is_alnum(s[i]) && s[i] != '-' && s[i] != '_') {
			n = 0;
			has_digit = false;
			continue;
		}
		n++;
		has_digit |= is_digit(s[i]);
		if (n >= LINK_TOKEN_MIN && has_digit)
			return true;
	}
	return sets_a_secret(s, len);
}

/* "X-Api-Key": where to look for a credential, not one. */
static bool is_header_name(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_alpha(s[i]) && s[i] != '-')
			return false;
	return len <= HEADER_NAME_MAX &&
	       (memchr(s, '-', len) || text_is_nocase(s, len, "authorization"));
}

/* host:port, or the name of a driver */
static bool is_plain_address(const char *s, size_t len)
{
	static const char *const drivers[] = { "cache",    "database", "django-db", "mariadb",
					       "memory",   "mongodb",  "mysql",     "pgsql",
					       "postgres", "redis",    "rpc",       "sqlite",
					       "sqlite3",  "sync",     ":memory:",  "postgresql" };
	const char *colon = memrchr(s, ':', len);
	size_t i, host = colon ? (size_t)(colon - s) : 0;

	if (is_one_of(s, len, drivers, sizeof drivers / sizeof drivers[0]))
		return true;
	for (i = 0; i < host; i++)
		if (!is_alnum(s[i]) && s[i] != '.' && s[i] != '-')
			return false;
	return host && host + 1 < len && is_all(colon + 1, len - host - 1, is_digit);
}

/* What has the form of an address shows whether there is a secret in it; of anything else, the
 * name is believed.
 */
static bool is_harmless_address(const char *s, size_t len, bool is_link)
{
	if (memmem(s, len, "://", 3))
		return is_link ? !links_with_secret(s, len) : !connects_with_secret(s, len);
	if (is_path(s, len) || is_plain_address(s, len))
		return true;
	if (memchr(s, '=', len) || text_starts(s, len, "sqlite:") || text_starts(s, len, "jdbc:"))
		return !connects_with_secret(s, len);
	return false;
}

/* Does the shape of the value say that it is no credential, whatever the name says? */
static bool is_vetoed(const struct name_sense *sense, const char *s, size_t len)
{
	enum name_group g = sense->group;

	if (is_switch(s, len) || is_small_number(s, len, g))
		return true;
	if (g == NG_URL || g == NG_WEBHOOK)
		return is_harmless_address(s, len, g == NG_WEBHOOK) ||
		       (sense->is_weak && is_setting(s, len));
	if (g == NG_HEADER)
		return is_header_name(s, len);
	if (sense->is_weak || g == NG_CREDENTIALS || g == NG_COOKIE || g == NG_AUTH)
		return is_setting(s, len);
	return false;
}

/* "user:password" or, as Neo4j has it, "user/password". */
static bool is_user_password(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len && (is_alnum(s[i]) || strchr("._-", s[i])); i++)
		;
	if (i == 0 || i + 2 > len || (s[i] != ':' && s[i] != '/'))
		return false;
	return s[i + 1] != '/' && !is_all(s + i + 1, len - i - 1, is_digit) &&
	       is_all(s + i + 1, len - i - 1, is_graph);
}

/* The key itself where a path to it is the custom. */
static bool is_key_text(const char *s, size_t len)
{
	return !is_path(s, len) &&
	       (len > KEY_TEXT_MIN || memchr(s, '\n', len) || detect_is_random(s, len));
}

static enum verdict found(struct finding *f, enum verdict v, const struct name_rule *as)
{
	*f = (struct finding){ .verdict = v, .rule = as->rule, .why = as->why };
	return v;
}

static enum verdict keep(struct finding *f)
{
	*f = (struct finding){ .verdict = VERDICT_KEEP };
	return VERDICT_KEEP;
}

/* Is what the value scan left out of its spans too long and wild to be a prefix or a host? */
static bool leaves_secret(const struct finding *f, const char *s, size_t len)
{
	size_t i, from = 0;

	for (i = 0; i < f->n_secret; i++) {
		if (has_random_part(s + from, f->secret[i].off - from))
			return true;
		from = f->secret[i].off + f->secret[i].len;
	}
	return has_random_part(s + from, len - from);
}

/* The value is a credential by itself. A name that says so too gives the rule if it says whose it
 * is, and all of the value is secret if the name speaks of all of it.
 */
static enum verdict agree(const struct name_sense *sense, const char *s, size_t len,
			  struct finding *f)
{
	bool is_all_found =
		!strcmp(f->rule, "env-value:jwt"); /* its header looks random, but is not */

	if (sense->verdict != VERDICT_CREDENTIAL)
		return f->verdict;
	if (sense->is_known) {
		f->rule = sense->as.rule;
		f->why = sense->as.why;
	}
	if (sense->group == NG_PASSWORD || sense->group == NG_SALT || sense->group == NG_SEED ||
	    (!is_all_found && leaves_secret(f, s, len))) {
		f->n_secret = 0;
		f->is_whole = true;
		memset(f->secret, 0, sizeof f->secret);
	}
	return f->verdict;
}

enum verdict detect_env(const char *name, size_t name_len, const char *value, size_t value_len,
			bool judge_value, struct finding *f)
{
	struct name_sense sense;

	name_judge(name, name_len, &sense);
	if (judge_value && detect_value(value, value_len, f) != VERDICT_KEEP)
		return agree(&sense, value, value_len, f);
	if (is_empty(value, value_len))
		return keep(f);
	switch (sense.verdict) {
	case VERDICT_KEEP:
		if (!judge_value || !sense.is_hint)
			return keep(f);
		if (detect_is_random(value, value_len))
			return found(f, VERDICT_CREDENTIAL, &by_entropy);
		if (sense.group == NG_AUTH && is_user_password(value, value_len))
			return found(f, VERDICT_CREDENTIAL, &by_pair);
		return keep(f);
	case VERDICT_POINTER:
		if (sense.is_path_or_text && is_key_text(value, value_len))
			return found(f, VERDICT_CREDENTIAL, &name_groups[NG_KEY]);
		if (sense.is_path_or_text && is_switch(value, value_len))
			return keep(f);
		return found(f, VERDICT_POINTER, &sense.as);
	case VERDICT_CREDENTIAL:
		if (is_vetoed(&sense, value, value_len))
			return keep(f);
		if (is_path(value, value_len))
			return found(f, VERDICT_POINTER, &name_groups[NG_FILE]);
		return found(f, VERDICT_CREDENTIAL, &sense.as);
	}
	return keep(f);
}
