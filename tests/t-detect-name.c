// SPDX-License-Identifier: Apache-2.0
/* Tests of what names of variables say, alone and together with a value. */
#include "../src/core/detect_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const verdicts[] = { "false", "true", "pointer" };

static const char *judge(const char *name, struct finding *f)
{
	return verdicts[detect_name(name, strlen(name), f)];
}

static void test_words(void)
{
	size_t i, k, n = 0, unsorted = 0, misplaced = 0, vague = 0;
	const struct name_word *w;

	for (k = 0; k < NAME_LETTERS; k++) {
		n += name_letters[k].n;
		for (i = 0; i < name_letters[k].n; i++) {
			w = &name_letters[k].words[i];
			unsorted += i && strcmp(w[-1].text.s, w->text.s) >= 0;
			misplaced += (size_t)(w->text.s[0] - 'A') != k;
			vague += w->flags & (W_SECRET | W_FINAL | W_KEY | W_HOLDER) &&
				 w->group == NG_NONE;
		}
	}
	cmp_ok((long long)n, ">", 1000, "there are words");
	cmp_ok((long long)unsorted, "==", 0, "they are sorted, each there once");
	cmp_ok((long long)misplaced, "==", 0, "each is among those of its first letter");
	cmp_ok((long long)vague, "==", 0, "one that decides belongs to a group");
}

static void test_tables(void)
{
	size_t i, bad = 0;

	for (i = 1; i < n_name_knowns; i++)
		bad += strcmp(name_knowns[i - 1].text.s, name_knowns[i].text.s) >= 0;
	cmp_ok((long long)bad, "==", 0, "the known names are sorted, each there once");
	for (bad = 0, i = 1; i < n_name_glued; i++)
		bad += name_glued[i - 1].s[name_glued[i - 1].len - 1] >
		       name_glued[i].s[name_glued[i].len - 1];
	cmp_ok((long long)bad, "==", 0, "the glued words are sorted by their last letters");
	for (bad = 0, i = NG_NONE + 1; i < NG_COUNT; i++)
		bad += !name_groups[i].rule || !name_groups[i].why;
	cmp_ok((long long)bad, "==", 0, "every group has a rule and a reason");
}

static const struct name_word *entry(const char *text)
{
	size_t i, k;

	for (k = 0; k < NAME_LETTERS; k++)
		for (i = 0; i < name_letters[k].n; i++)
			if (!strcmp(name_letters[k].words[i].text.s, text))
				return &name_letters[k].words[i];
	return NULL;
}

/* A phrase is looked up from its right end: without W_JOINS there, the entry would be dead. */
static bool is_dead(const char *phrase)
{
	const char *s = strchr(phrase, '_');
	bool is_alive = !s;

	for (; s; s = strchr(s + 1, '_'))
		is_alive |= entry(s + 1) && entry(s + 1)->flags & W_JOINS;
	if (!is_alive)
		diag("dead phrase: %s", phrase);
	return !is_alive;
}

static void test_phrases(void)
{
	size_t i, k, dead = 0;

	for (k = 0; k < NAME_LETTERS; k++)
		for (i = 0; i < name_letters[k].n; i++)
			dead += is_dead(name_letters[k].words[i].text.s);
	cmp_ok((long long)dead, "==", 0, "every phrase of the table can be found");
	for (dead = 0, i = 0; i < n_name_glued; i++)
		dead += !entry(name_glued[i].s);
	cmp_ok((long long)dead, "==", 0, "every glued word is a word of the table");
}

static double ratio(unsigned part, unsigned rest)
{
	return part + rest ? (double)part / (part + rest) : 1;
}

static void test_corpus(const char *file)
{
	const char *dir = getenv("srcdir");
	unsigned hits = 0, misses = 0, alarms = 0, found = 0, lost = 0, n = 0, swayed = 0;
	double precision, recall, pointers;
	char path[4096], line[512], *name;
	struct finding f;
	FILE *in;

	snprintf(path, sizeof path, "%s/tests/corpus/%s", dir ? dir : ".", file);
	in = fopen(path, "r");
	ok(in, "the corpus %s is there", file);
	while (in && fgets(line, sizeof line, in)) {
		const char *got;

		line[strcspn(line, "\n")] = '\0';
		name = strchr(line, '\t');
		if (!name)
			continue;
		*name++ = '\0';
		n++;
		got = judge(name, &f);
		swayed += detect_env(name, strlen(name), "x", 1, true, &f) !=
			  detect_name(name, strlen(name), &f);
		hits += !strcmp(line, "true") && !strcmp(got, "true");
		misses += !strcmp(line, "true") && strcmp(got, "true");
		alarms += !strcmp(line, "false") && strcmp(got, "false");
		found += !strcmp(line, "pointer") && !strcmp(got, "pointer");
		lost += !strcmp(line, "pointer") && strcmp(got, "pointer");
	}
	if (in)
		fclose(in);
	precision = ratio(hits, alarms);
	recall = ratio(hits, misses);
	pointers = ratio(found, lost);
	diag("names: precision %.3f recall %.3f pointers %.3f on %u of %s", precision, recall,
	     pointers, n, file);
	cmp_ok(n, ">", 500, "%s is large enough to measure by", file);
	cmp_ok(swayed, "==", 0, "a value that says nothing changes nothing on %s", file);
	ok(precision >= 0.98, "precision on %s is at least 0.98", file);
	ok(recall >= 0.98, "recall on %s is at least 0.98", file);
	ok(pointers >= 0.95, "at least 0.95 of the pointers of %s are found", file);
}

/* A sentence each; the rule is looked at where one is given. */
static void test_names(void)
{
	static const struct {
		const char *name, *verdict, *rule, *sentence;
	} cases[] = {
		{ "AWS_SECRET_ACCESS_KEY", "true", "env-name:aws", "a vendor names the rule" },
		{ "DB_PASSWORD", "true", "env-name:password", "else the kind of credential does" },
		{ "PGPASSWORD", "true", "env-name:password", "glued words are taken apart" },
		{ "MINIO_SECRETKEY", "true", NULL, "so are glued keys" },
		{ "BORG_PASSCOMMAND", "pointer", "env-name:pointer-command",
		  "a glued command is a pointer" },
		{ "KEYTIMEOUT", "false", NULL, "a glued property is none" },
		{ "npm_config__authToken", "true", NULL, "capitals within begin words" },
		{ "ConnectionStrings__Default", "true", "env-name:connection-url",
		  "the names of .NET are read" },
		{ "APIKey", "true", NULL, "a capital after capitals begins a word" },
		{ "spring.datasource.password", "true", NULL, "dots separate words" },
		{ "registry-token", "true", NULL, "so do dashes" },
		{ "TOKEN2", "true", NULL, "a number at the end of a word changes nothing" },
		{ "API_KEY_1", "true", NULL, "nor does one of its own" },
		{ "TOKENIZERS_PARALLELISM", "false", NULL, "words within words don't count" },
		{ "KEYBOARD_LAYOUT", "false", NULL, "a keyboard is no key" },
		{ "MONKEY", "false", NULL, "nor is a monkey" },
		{ "MAX_TOKENS", "false", NULL, "a number of tokens is none" },
		{ "API_TOKENS", "true", NULL, "several tokens of an API are" },
		{ "TOKEN_TTL", "false", NULL, "how long a token lives is no secret" },
		{ "RESET_PASSWORD_TOKEN", "true", NULL, "the last word that names one decides" },
		{ "RESET_PASSWORD", "false", NULL, "a verb before a password is a setting" },
		{ "MYSQL_ALLOW_EMPTY_PASSWORD", "false", NULL, "what may be is a setting" },
		{ "SORT_KEY", "false", NULL, "a key of data is none" },
		{ "SCOUT_KEY", "true", "env-name:key", "a key of whatever may be one" },
		{ "PUBLIC_KEY", "false", NULL, "a public key is for everybody" },
		{ "NEXT_PUBLIC_MAPS_KEY", "false", NULL, "so is what browsers get" },
		{ "NEXT_PUBLIC_DB_PASSWORD", "true", NULL, "a password is never for everybody" },
		{ "SECRET_NAME", "false", NULL, "the name of a secret is none" },
		{ "AWS_ACCESS_KEY_ID", "true", "env-name:aws", "the id of a pair belongs to it" },
		{ "KMS_KEY_ID", "false", NULL, "other ids of keys are names" },
		{ "REDIS_URL", "true", "env-name:connection-url", "URLs of stores have passwords" },
		{ "POSTGRES_URL_NON_POOLING", "true", NULL, "whatever comes after URL" },
		{ "UPSTASH_REDIS_REST_URL", "false", NULL, "unless another thing is meant" },
		{ "SENTRY_DSN", "false", NULL, "the DSN of Sentry is public" },
		{ "MAILER_DSN", "true", NULL, "the DSN of a mailer isn't" },
		{ "KUBECONFIG", "pointer", "env-name:pointer-kubeconfig", "a kubeconfig is one" },
		{ "SSH_AUTH_SOCK", "pointer", "env-name:pointer-ssh-agent", "an agent is one" },
		{ "GPG_TTY", "false", NULL, "a terminal is none" },
		{ "DOCKER_HOST", "pointer", NULL, "an engine is a pointer to all secrets" },
		{ "REDIS_PASSWORD_FILE", "pointer", "env-name:pointer-file", "files are pointers" },
		{ "REDIS_TLS_KEY_FILE_PASS", "true", NULL, "the password of a file is one" },
		{ "SSL_CERT_FILE", "false", NULL, "certificates are public" },
		{ "N8N_SSL_KEY", "pointer", NULL, "keys of TLS are given by path" },
		{ "ANDROID_KEYSTORE_BASE64", "true", NULL, "a key store as text is no pointer" },
		{ "BUNDLE_GEMS__EXAMPLE__COM", "true", NULL, "Bundler's hosts have passwords" },
		{ "PWD", "false", NULL, "the working directory is no password" },
		{ "KEY_FOR_PLUGIN", "true", NULL, "whom a key is for doesn't matter" },
		{ "CONNECT_KEY_CONVERTER", "false", NULL, "a converter of keys is a setting" },
		{ "JWT_SECRET_IS_BASE64", "false", NULL, "what a secret is like is one as well" },
		{ "AUTH_TOKEN_CERT", "false", NULL, "a certificate for tokens is public" },
		{ "COMPUTER_USE_API_KEY", "true", NULL, "the use of a computer is a product" },
		{ "API_KEY_READ_ONLY", "true", NULL, "a key for reading is a key" },
		{ "LOG_PASSWORD_MASKING", "false", NULL, "what is done with passwords is none" },
		{ "REVIEW_SECRET_REDACTION", "false", NULL, "whatever it is" },
		{ "APP_TOKEN_CACHING", "false", NULL, "nor are tokens that are kept" },
		{ "API_KEY_STAGING", "true", NULL, "where a key is used says nothing against it" },
		{ "MASK_API_KEYS", "false", NULL, "hiding keys is a setting" },
		{ "AGORA_APP_CERTIFICATE", "true", "env-name:key", "some certificates are keys" },
		{ "UNITY_SERIAL", "true", "env-name:license", "some numbers are licences" },
		{ "BASIC_AUTH_USER_INFO", "true", "env-name:auth",
		  "user info of basic auth is one" },
		{ "DATABASE_URL_FILE", "pointer", NULL, "a connection URL may be in a file" },
		{ "MONGO_URL_PRIVATE", "true", NULL, "a URL of a private network is one" },
		{ "DRUPAL_HASH_SALT", "true", NULL, "the salt of a hash is a salt" },
		{ "LDAP_BIND_PW", "true", NULL, "PW at the end is a password" },
		{ "PW_SLOWMO", "false", NULL, "at the beginning it isn't" },
		{ "KEY_FILE_CONTENTS", "true", NULL, "what is in a file is no pointer to it" },
		{ "SSL_ALT_KEY_PATH", "pointer", NULL, "the alternative key of TLS isn't Alt" },
		{ "AGENT_JOB_API_SOCKET", "pointer", "env-name:pointer-socket", "so are sockets" },
		{ "ANDROID_KEYSTORE_URL", "pointer", NULL, "a key store may be fetched" },
		{ "CODEX_HOME", "pointer", "env-name:pointer-cloud-config",
		  "some programs keep tokens in their configuration" },
		{ "JAVA_HOME", "false", NULL, "most don't" },
		{ "SERVICE_HEX_32_RELAY", "true", "env-name:secret", "Coolify makes secrets" },
		{ "", "false", NULL, "no name says nothing" },
		{ "___", "false", NULL, "separators say nothing" },
		{ "=", "false", NULL, "nor do other bytes" },
	};
	struct finding f;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		is(judge(cases[i].name, &f), cases[i].verdict, "%s: %s", cases[i].name,
		   cases[i].sentence);
		if (cases[i].rule)
			is(f.rule ? f.rule : "", cases[i].rule, "%s: its rule says so",
			   cases[i].name);
		ok(!f.rule == (f.verdict == VERDICT_KEEP) && !f.why == !f.rule,
		   "%s: a rule and a reason if and only if there is a finding", cases[i].name);
	}
}

static void test_env(void)
{
	static const struct {
		const char *name, *value, *verdict, *rule, *sentence;
	} cases[] = {
		{ "DB_PASSWORD", "x", "true", "env-name:password", "a short password is one" },
		{ "DB_PASSWORD", "admin", "true", NULL, "so is a word" },
		{ "DB_PASSWORD", "123456", "true", NULL, "so is a number" },
		{ "DB_PASSWORD", "", "false", NULL, "an empty one isn't" },
		{ "DB_PASSWORD", " ", "false", NULL, "nor is a blank" },
		{ "DB_PASSWORD", "False", "false", NULL, "nor is a switch" },
		{ "DB_PASSWORD", "/run/secrets/db", "pointer", "env-name:pointer-file",
		  "a path under the name of a secret is a pointer" },
		{ "JWT_SECRET", "/Zm9vL2Jhcg+aB3dE5fG7hI9/jK==", "true", NULL,
		  "base64 that begins with a slash is no path" },
		{ "API_TOKEN", "3600", "false", NULL, "a small number is a setting" },
		{ "LOGIN_PIN", "4711", "true", "env-name:pin", "unless it is a PIN" },
		{ "NOMAD_LICENSE", "accept", "false", NULL, "accepting a licence is a setting" },
		{ "REDIS_AUTH", "none", "false", NULL, "a mode is a setting" },
		{ "REDIS_URL", "redis://cache:6379/0", "false", NULL,
		  "a URL without a password is none" },
		{ "REDIS_URL", "redis://:pw@cache:6379/0", "true", NULL, "one with it is" },
		{ "REDIS_URL", "x", "true", NULL, "of what is no URL the name is believed" },
		{ "REDIS_URL", "cache:6379", "false", NULL, "a host and a port are harmless" },
		{ "DATABASE_URL", "sqlite:////data/app.db", "false", NULL, "a file is none" },
		{ "DB_CONNECTION_STRING", "Server=db;User Id=sa;Pwd=abc", "true", NULL,
		  "passwords of connection strings are found" },
		{ "DB_CONNECTION_STRING", "Server=db;Trusted_Connection=yes", "false", NULL,
		  "connection strings without one stay" },
		{ "ALERT_WEBHOOK_URL", "https://n8n.example.org/", "false", NULL,
		  "a URL that anybody could guess stays" },
		{ "ALERT_WEBHOOK_URL", "https://chat.example.org/hooks/k3j5h2g9f8d7s6a4qw", "true",
		  NULL, "one that nobody could goes" },
		{ "SLACK_WEBHOOK", "x", "true", NULL, "what is no URL goes as well" },
		{ "REMOTE_AUTH_HEADER", "x", "true", "env-name:header", "headers go" },
		{ "REMOTE_AUTH_HEADER", "X-Forwarded-User", "false", NULL,
		  "the name of a header is none" },
		{ "KUBECONFIG", "/home/a/.kube/config", "pointer", NULL, "a pointer is one" },
		{ "KUBECONFIG", "", "false", NULL, "unless it is empty" },
		{ "DOCKER_HOST", "tcp://10.0.0.1:2375", "pointer", NULL, "over TCP as well" },
		{ "REDIS_PASSWORD_FILE", "secret.txt", "pointer", NULL, "relative ones as well" },
		{ "N8N_SSL_KEY", "/certs/tls.key", "pointer", NULL, "the path of a key" },
		{ "N8N_SSL_KEY", "certs/tls.key", "pointer", NULL, "relative or not" },
		{ "SERVICE_SESSION", "hG7dK2mQ9xW4vT6zR1bN", "true", "env-value:entropy",
		  "a random-looking value tips a vague name" },
		{ "SW_AGENT_AUTHENTICATION", "hG7dK2mQ9xW4vT6zR1bN", "true", "env-value:entropy",
		  "so does one under a name that says authentication" },
		{ "SW_AGENT_AUTHENTICATION", "required", "false", NULL,
		  "of which there are kinds" },
		{ "PASSWORD_AUTHENTICATION", "yes", "false", NULL, "and switches" },
		{ "BUILD_LABEL", "hG7dK2mQ9xW4vT6zR1bN", "false", NULL, "but not another" },
		{ "XDG_SESSION", "2f1c0d9e8b7a6f5e4d3c2b1a09f8e7d6", "false", NULL,
		  "a digest is not random" },
		{ "MP_UI_AUTH", "admin:s3same", "true", "env-value:user-password",
		  "user and password tip a name that says auth" },
		{ "MP_SMTP_AUTH", "login", "false", NULL, "a mode doesn't" },
		{ "MYSQL_RANDOM_ROOT_PASSWORD", "yes", "false", NULL, "a setting stays" },
		{ "RANDOM_PASSWORD", "hG7dK2mQ9xW4vT6zR1bN", "true", "env-value:entropy",
		  "what looked like a setting may hold one" },
		{ "HOME", "/root", "false", NULL, "other paths are nobody's business" },
	};
	struct finding f;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		const char *n = cases[i].name, *v = cases[i].value;

		is(verdicts[detect_env(n, strlen(n), v, strlen(v), true, &f)], cases[i].verdict,
		   "%s: %s", n, cases[i].sentence);
		if (cases[i].rule)
			is(f.rule ? f.rule : "", cases[i].rule, "%s: the rule says so", n);
	}
}

static enum verdict env(const char *name, const char *value, bool judge_value, struct finding *f)
{
	return detect_env(name, strlen(name), value, strlen(value), judge_value, f);
}

static void test_env_rules(void)
{
	static const char url[] = "https://alice:s3same-street@git.example.org/x";
	struct finding f;

	env("UPSTREAM", url, true, &f);
	like(f.rule ? f.rule : "", "^env-value:", "a value that is a credential names the rule");
	cmp_ok(f.n_secret, ">", 0, "and says which part is secret");
	env("GITHUB_TOKEN", url, true, &f);
	is(f.rule, "env-name:github", "a vendor's name comes before it");
	cmp_ok(f.n_secret, ">", 0, "without losing the part");
	env("DB_PASSWORD", url, true, &f);
	cmp_ok(f.n_secret, "==", 0, "all of what is called a password is secret");
	cmp_ok(env("UPSTREAM", url, false, &f), "==", VERDICT_KEEP,
	       "values that are not to be judged only speak against");
	cmp_ok(env("SERVICE_SESSION", "hG7dK2mQ9xW4vT6zR1bN", false, &f), "==", VERDICT_KEEP,
	       "nor do they tip a vague name then");
	cmp_ok(env("DB_PASSWORD", "no", false, &f), "==", VERDICT_KEEP, "against, they do");
}

static long microseconds(const struct timespec *a, const struct timespec *b)
{
	return (b->tv_sec - a->tv_sec) * 1000000L + (b->tv_nsec - a->tv_nsec) / 1000;
}

static void test_cost(void)
{
	static const char *const names[] = {
		"KUBERNETES_SERVICE_PORT_HTTPS",
		"MY_APPLICATION_DATABASE_PASSWORD_PRODUCTION",
		"PATH",
		"OTEL_EXPORTER_OTLP_TRACES_HEADERS_OF_THE_SERVICE_WITH_A_RATHER_LONG_NAME",
		"npm_config_user_agent",
		"LC_ALL",
		"PGPASSWORD",
		"GITHUB_REPOSITORY_OWNER_ID"
	};
	static char big[128 * 1024];
	struct timespec a, b;
	struct finding f;
	long us;
	int i;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (i = 0; i < 10000; i++)
		judge(names[i % (int)COUNT(names)], &f);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	us = microseconds(&a, &b);
	diag("names: 10000 in %ld.%03ld ms", us / 1000, us % 1000);
	cmp_ok(us, "<", 50000, "10,000 names take less than 50 ms");

	for (i = 0; i < (int)sizeof big; i++)
		big[i] = "PASSWORD_KEY"[i % 12];
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	cmp_ok(detect_name(big, sizeof big, &f), "!=", VERDICT_KEEP, "a huge name is read");
	detect_env("DATABASE_URL", 12, big, sizeof big, false, &f);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	cmp_ok(microseconds(&a, &b), "<", 100000, "in no time, as is a huge value");
}

int main(void)
{
	plan(NO_PLAN);
	test_words();
	test_tables();
	test_phrases();
	test_corpus("names.tsv");
	test_corpus("names-more.tsv");
	test_names();
	test_env();
	test_env_rules();
	test_cost();
	done_testing();
}
