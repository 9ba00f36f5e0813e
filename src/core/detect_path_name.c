// SPDX-License-Identifier: Apache-2.0
/* What the name of a file tells, wherever it stands: keys, environments, secrets. */
#include "detect_paths.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

struct text {
	const char *s;
	size_t len;
};

/* A name in parts: "db-credentials.prod.json" has the words db, credentials and prod, and the
 * extension "json"; ".env" has no extension.
 */
enum { MOST_WORDS = 12 };
struct name {
	struct text all, stem, ext;
	struct text word[MOST_WORDS];
	unsigned n_words;
};

/* Longer than any word of a list. */
enum { LONGEST_WORD = 24 };

static bool is_listed(const char *word, size_t len, const char *list)
{
	const char *s;

	if (!len)
		return false;
	for (s = list; (s = strstr(s, word)); s++)
		if ((s == list || s[-1] == ' ') && (!s[len] || s[len] == ' '))
			return true;
	return false;
}

/* Lists have words with blanks between them, so that a name with a blank is in none. */
static bool text_in(struct text t, const char *list)
{
	char word[LONGEST_WORD + 1];

	if (t.len > LONGEST_WORD || memchr(t.s, ' ', t.len))
		return false;
	memcpy(word, t.s, t.len);
	word[t.len] = '\0';
	return strlen(word) == t.len && is_listed(word, t.len, list);
}

/* The same for lists in lower case, and a text of either. */
static bool word_in(struct text t, const char *list)
{
	char word[LONGEST_WORD];
	size_t i;

	if (t.len > LONGEST_WORD)
		return false;
	for (i = 0; i < t.len; i++)
		word[i] = to_lower(t.s[i]);
	return text_in((struct text){ word, t.len }, list);
}

static bool has_word(const struct name *n, const char *list)
{
	unsigned i;

	for (i = 0; i < n->n_words; i++)
		if (word_in(n->word[i], list))
			return true;
	return false;
}

static bool contains(struct text t, const char *part)
{
	size_t n = strlen(part), i;

	for (i = 0; i + n <= t.len; i++)
		if (text_is_nocase(t.s + i, n, part))
			return true;
	return false;
}

static bool starts(struct text t, const char *word)
{
	return text_starts_nocase(t.s, t.len, word);
}

static bool ends(struct text t, const char *word)
{
	return text_ends_nocase(t.s, t.len, word);
}

static struct text component(const struct folded *p, unsigned i)
{
	return (struct text){ folded_text(p, i), folded_len(p, i, i + 1) };
}

static bool has_component(const struct folded *p, unsigned from, unsigned to, const char *list)
{
	for (; from < to; from++)
		if (text_in(component(p, from), list))
			return true;
	return false;
}

/* Words end at anything but letters and digits, and where "initialAdminPassword" has capitals. */
static void split_words(struct name *n)
{
	const char *s = n->stem.s, *end = s + n->stem.len, *begin;

	n->n_words = 0;
	for (;;) {
		while (s < end && !is_alnum(*s))
			s++;
		if (s == end)
			break;
		for (begin = s++; s < end && is_alnum(*s); s++)
			if (is_upper(*s) && (is_lower(s[-1]) || (s + 1 < end && is_lower(s[1]))))
				break;
		if (n->n_words == MOST_WORDS)
			n->n_words--; /* the last one tells most */
		n->word[n->n_words++] = (struct text){ begin, (size_t)(s - begin) };
	}
}

static void split(struct text all, struct name *n)
{
	size_t dot = all.len;

	while (dot > 0 && all.s[dot - 1] != '.')
		dot--;
	n->all = n->stem = all;
	n->ext = (struct text){ all.s + all.len, 0 };
	if (dot > 1) {
		n->stem.len = dot - 1;
		n->ext = (struct text){ all.s + dot, all.len - dot };
	}
	split_words(n);
}

/* "id_rsa.bak" and "secrets.yml~" are judged as what they are a copy of. */
static bool strip_copy_suffix(struct text *t)
{
	static const char *const suffixes[] = { "~",     ".bak", ".backup", ".old", ".orig",
						".save", ".swp", ".copy",   ".1" };
	size_t i, n;

	for (i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		n = strlen(suffixes[i]);
		if (t->len > n + 1 && ends(*t, suffixes[i])) {
			t->len -= n;
			return true;
		}
	}
	return false;
}

/* Something to copy and fill in, or encrypted so that it can be shared. */
static bool is_stand_in(const struct name *n)
{
	static const char words[] = "example examples sample samples template templates tmpl tpl "
				    "dist dummy fake mock placeholder schema sealed external "
				    "encrypted enc sops readme";
	static const char exts[] = "example sample template tmpl tpl dist default defaults "
				   "schema sealed encrypted enc sops vault gpg age j2 erb md";

	return has_word(n, words) || word_in(n->ext, exts);
}

/* Programs and texts about secrets are none. */
static bool is_code(const struct name *n)
{
	static const char exts[] =
		"py pyc pyi go js mjs cjs ts tsx jsx java class jar kt rb rs c h cc cpp hpp cs php "
		"pl pm lua ex exs erl scala clj hs el swift vue svelte md rst adoc html htm css "
		"scss svg png jpg gif ico pdf so a o dll exe sh bash zsh fish ps1 bat proto sql tf "
		"graphql map lock test spec service socket target desktop mo po xsd wsdl list";

	return word_in(n->ext, exts);
}

static bool is_public(const struct name *n)
{
	return has_word(n, "pub public pubkey publickey") || word_in(n->ext, "pub crt cer csr crl");
}

static bool is_env_file(const struct name *n)
{
	struct text t = n->all;

	if (is_code(n) || is_stand_in(n) || has_word(n, "default defaults"))
		return false;
	if (starts(t, ".env") && (t.len == 4 || !is_alnum(t.s[4]) || starts(t, ".envrc")))
		return true;
	return starts(t, ".dev.vars") || (t.len > 4 && text_ends(t.s, t.len, ".env"));
}

static bool is_ssh_key(struct text t)
{
	if (ends(t, ".pub"))
		return false;
	if (starts(t, "id_rsa") || starts(t, "id_dsa") || starts(t, "id_ecdsa") ||
	    starts(t, "id_ed25519") || starts(t, "id_xmss"))
		return true;
	if (starts(t, "ssh_host_") && ends(t, "_key"))
		return true;
	return ends(t, "_rsa") || ends(t, "_dsa") || ends(t, "_ecdsa") || ends(t, "_ed25519");
}

/* PEM files hold either half: their names have to tell. */
static bool is_pem_key(const struct name *n)
{
	if (is_public(n))
		return false;
	if (has_word(n, "key keys privkey priv private privatekey secret"))
		return true;
	if (contains(n->stem, "cert") || contains(n->stem, "chain") || contains(n->stem, "root") ||
	    contains(n->stem, "bundle"))
		return false;
	return !has_word(n, "ca crt csr intermediate dhparam dhparams dh dh2048 dh4096 trust");
}

static bool is_key_file(const struct name *n)
{
	static const char stores[] = "p12 pfx pkcs12 jks jceks bcfks bks keystore";
	static const char exts[] =
		"1pif 1pux agekey agilekeychain bek ccache credential credentials creds "
		"dockerconfigjson enpassdb fve htpasswd jwk kdb kdbx keychain keychain-db keyring "
		"keytab kirbi kubeconfig kwallet nk opvault ovpn p8 passwd password pk8 pkcs8 ppk "
		"priv privkey psafe3 psk publishsettings pvk rdg sec seckey secret secrets tblk "
		"tfstate tfvars token wallet";

	if (is_stand_in(n))
		return false;
	if (word_in(n->ext, stores))
		return !contains(n->stem, "trust") && !contains(n->stem, "cacerts");
	if (word_in(n->ext, "key"))
		return !is_public(n) && !has_word(n, "gpg archive release repo rpm apt") &&
		       !word_in(n->stem, "root trusted-key"); /* of DNSSEC, public */
	if (word_in(n->ext, "pem der"))
		return is_pem_key(n);
	if (word_in(n->ext, "asc gpg pgp"))
		return !is_public(n) && has_word(n, "private priv secret sec secring");
	return word_in(n->ext, exts) ? !is_public(n) : contains(n->all, ".tfstate.");
}

static bool is_history(struct text t)
{
	static const char shells[] =
		"bash_history zsh_history fish_history sh_history ksh_history psql_history "
		"mysql_history python_history sqlite_history consolehost_history.txt "
		"node_repl_history mongosh_repl_history cqlsh_history";

	if (word_in(t, shells))
		return true;
	return t.len && t.s[0] == '.' &&
	       (contains(t, "_history") || ends(t, "history") || ends(t, "_hist"));
}

/* Where programs keep their own files, and people do not choose the names. */
static bool is_in_program_data(const struct folded *p)
{
	return p->home && p->home + 1 < p->count && *folded_text(p, p->home) == '.' &&
	       !has_component(p, p->home, p->count - 1,
			      "bundle completions extensions lib plugins themes");
}

static bool is_program_history(const struct folded *p, const struct name *n)
{
	return is_in_program_data(p) && ends(n->stem, "history") &&
	       (!n->ext.len || word_in(n->ext, "txt db sqlite sqlite3 json jsonl"));
}

static bool is_program_login(const struct folded *p, const struct name *n)
{
	static const char stems[] = "accounts auth cookies logins oauth oauth2 tokens";
	static const char exts[] =
		"conf cfg ini json toml yaml yml xml txt db sqlite sqlite3 dat lwp";

	return is_in_program_data(p) && word_in(n->stem, stems) &&
	       (!n->ext.len || word_in(n->ext, exts));
}

/* "relay_passwd" in the directory of a service; other directories have programs' names in them. */
static bool is_service_password(const struct folded *p, const struct name *n)
{
	static const char others[] =
		"apparmor.d bash_completion.d cron.d cron.daily default init.d "
		"logrotate.d rc.d selinux skel sysconfig xinetd.d";
	static const char words[] =
		"passwd passwds password passwords passwdfile htpasswd htdigest pwfile";

	if (!p->is_rooted || p->count < p->first + 3 || !text_in(component(p, p->first), "etc") ||
	    text_in(component(p, p->first + 1), others))
		return false;
	return n->n_words && word_in(n->word[n->n_words - 1], words) &&
	       (!n->ext.len || word_in(n->ext, "conf cf client db lmdb map txt users"));
}

static const char data_exts[] = "txt json yml yaml toml ini cfg conf config cnf properties xml csv "
				"env tfvars plist dat db hcl pickle b64 bin json5 jsonc xls xlsx "
				"ods doc docx odt rtf";

/* What may follow "secrets" or go with "password" without making it something else. */
static const char neutral[] = "prod production stage staging dev devel development test testing qa "
			      "uat local live ci docker k8s aws gcp azure backup bak old new file "
			      "key keys data app db";

static bool all_neutral(const struct name *n, unsigned from)
{
	for (; from < n->n_words; from++)
		if (!word_in(n->word[from], neutral) && !is_digit(n->word[from].s[0]))
			return false;
	return true;
}

static bool pair_at(const struct name *n, unsigned i, const char *first, const char *second)
{
	return i + 1 < n->n_words && word_in(n->word[i], first) && word_in(n->word[i + 1], second);
}

static bool is_google_file(const struct name *n)
{
	unsigned i;

	if (!word_in(n->ext, "json"))
		return false;
	if (has_word(n, "serviceaccount adminsdk sa"))
		return true;
	for (i = 0; i < n->n_words; i++)
		if (pair_at(n, i, "service", "account") ||
		    pair_at(n, i, "client", "secret secrets"))
			return true;
	return false;
}

/* A key of what? "sort-key.json" is none. */
static bool is_named_key(const struct name *n)
{
	static const char kinds[] =
		"access account admin api auth aws client cloud deploy encryption firebase gcp gcs "
		"host jwt master private recovery root rsa sa secret server service signing ssh "
		"ssl tls unseal";
	unsigned last = n->n_words - 1;

	if (word_in(n->word[last], "apikey apikeys authkey privatekey secretkey accesskey "
				   "masterkey"))
		return true;
	if (n->n_words == 1)
		return word_in(n->word[0], "key") && word_in(n->ext, "json txt b64 bin");
	return pair_at(n, last - 1, kinds, "key keys");
}

/* "SessionTokenCache.dat", "cookie_jar" */
static bool is_token_store(const struct name *n)
{
	unsigned i;

	for (i = 0; i + 1 < n->n_words; i++)
		if (pair_at(n, i, "token tokens credential credentials", "cache store db") ||
		    pair_at(n, i, "cookie cookies", "jar"))
			return true;
	return false;
}

/* "PrivateKey" and "[token]" are directories of web programs. */
static bool is_identifier(const struct name *n)
{
	size_t i;

	for (i = 0; i < n->all.len; i++)
		if (is_upper(n->all.s[i]) || n->all.s[i] == '[')
			return !n->ext.len;
	return false;
}

static bool is_secret_by_words(const struct name *n)
{
	static const char strong[] = "secret secrets credential credentials creds cred passphrase";
	static const char pass[] = "password passwords passwd pwd pass";
	static const char owners[] =
		"admin borg database db grafana initial keystore kubeadmin ldap mail master mongo "
		"mysql pg postgres rabbitmq redis restic root smtp sudo user vault";
	unsigned last = n->n_words ? n->n_words - 1 : 0;
	bool has_ext = n->ext.len > 0;

	if (!n->n_words || is_code(n) || is_stand_in(n) || is_identifier(n))
		return false;
	/* "pub-credentials.json" is Dart's, whose registry is called pub */
	if (is_public(n) && !word_in(n->word[last], strong))
		return false;
	if (contains(n->all, "kubeconfig"))
		return true;
	if (has_ext && !word_in(n->ext, data_exts))
		return false;
	if (is_google_file(n) || is_named_key(n))
		return true;
	if (word_in(n->word[last], strong) || (word_in(n->word[0], strong) && all_neutral(n, 1)))
		return true;
	if (word_in(n->word[last], "token accesstoken apitoken authtoken") || is_token_store(n))
		return true;
	if (!has_ext)
		return last > 0 && word_in(n->word[last], pass) &&
		       word_in(n->word[last - 1], owners);
	if (!last)
		return word_in(n->word[0], "password passwords passwd");
	return word_in(n->word[last], pass) || (word_in(n->word[0], pass) && all_neutral(n, 1));
}

/* In programs and their texts, directories and files are named after what they deal with. A
 * directory of sources may also be where somebody works, and has files of secrets then.
 */
static bool is_about_secrets(const struct folded *p, const struct name *n)
{
	static const char texts[] =
		"__fixtures__ components controllers doc docs examples fixtures generated i18n "
		"lang locales man pages routes samples templates test-fixtures testdata views "
		"workflows";
	static const char sources[] = "src internal pkg vendor cmd include test tests __tests__ "
				      "spec specs packages modules";
	unsigned from = p->home ? p->home + 1 : p->first, to = p->count - 1;

	return has_component(p, from, to, texts) ||
	       (!n->ext.len && has_component(p, from, to, sources));
}

static bool is_in_secrets(const struct folded *p)
{
	return has_component(p, p->home ? p->home : p->first, p->count,
			     "secrets credentials creds private-keys passwords");
}

static bool is_wireguard(struct text t)
{
	return t.len > 7 && text_starts(t.s, t.len, "wg") && text_ends(t.s, t.len, ".conf") &&
	       is_digit(t.s[2]);
}

static bool is_openstack_rc(struct text t)
{
	return ends(t, "-openrc.sh") || ends(t, "-openrc") || starts(t, "keystonerc");
}

static bool found(struct finding *f, const char *rule, const char *why)
{
	*f = (struct finding){ .verdict = VERDICT_CREDENTIAL, .rule = rule, .why = why };
	return true;
}

static bool judge_known(const struct folded *p, const struct name *n, struct finding *f)
{
	unsigned from = p->count > p->first + 3 ? p->count - 3 : p->first;
	size_t cut = folded_len(p, p->count - 1, p->count) - n->all.len;
	const struct known_path *k;

	for (; from < p->count; from++) {
		k = known_find(KNOWN_PROJECT, folded_text(p, from),
			       folded_len(p, from, p->count) - cut);
		if (k && (n->all.s[0] == '.' || !is_about_secrets(p, n)))
			return found(f, k->rule, k->why);
	}
	return false;
}

static bool judge_name(const struct folded *p, const struct name *n, struct finding *f)
{
	struct text t = n->all;

	if (judge_known(p, n, f))
		return true;
	if (is_env_file(n))
		return found(f, "path:env-file", "environment of a project, secrets among it");
	if (is_ssh_key(t))
		return found(f, "path:ssh", "an SSH private key by its name");
	if (is_key_file(n))
		return found(f, "path:private-key", "keys or passwords by the kind of file");
	if (is_history(t) || is_program_history(p, n))
		return found(f, "path:history", "a history: secrets typed or copied");
	if (text_starts(t.s, t.len, "S.gpg-agent"))
		return found(f, "path:agent-socket", "an agent that uses keys");
	if (starts(t, "krb5cc_"))
		return found(f, "path:kerberos", "tickets of Kerberos");
	if (is_wireguard(t) || is_openstack_rc(t))
		return found(f, "path:project-secret", "a file of keys or passwords by its name");
	if (is_about_secrets(p, n))
		return false;
	if (is_in_secrets(p) && !is_code(n) && !is_stand_in(n) && !is_public(n))
		return found(f, "path:project-secret", "in a directory of secrets");
	if (is_secret_by_words(n))
		return found(f, "path:project-secret", "a file of secrets by its name");
	if (is_program_login(p, n))
		return found(f, "path:login-file", "logins of a program by the name of the file");
	if (is_service_password(p, n))
		return found(f, "path:host-secret", "passwords of a service by the name");
	return false;
}

bool path_name_judge(const struct folded *p, struct finding *f)
{
	struct text t = component(p, p->count - 1);
	struct name n;

	if (p->count > p->first + 1 && text_in(component(p, p->count - 2), "bin sbin libexec"))
		return false;
	split(t, &n);
	if (judge_name(p, &n, f))
		return true;
	if (!strip_copy_suffix(&t))
		return false;
	split(t, &n);
	return judge_name(p, &n, f);
}

/* "publickey", "server_public.key"; people's own names ("public") do not tell enough. */
static bool is_public_key(const struct name *n)
{
	unsigned last = n->n_words ? n->n_words - 1 : 0;

	if (!n->n_words || has_word(n, "private priv secret"))
		return false;
	if (!n->ext.len || word_in(n->ext, "key pem der txt asc"))
		if (word_in(n->word[last], "publickey pubkey") ||
		    (last && pair_at(n, last - 1, "public", "key keys")))
			return true;
	return word_in(n->ext, "key pem der") && word_in(n->word[last], "public pub");
}

bool path_name_is_public(const char *s, size_t len)
{
	static const char pems[] = "cert chain fullchain ca cacert ca-cert ca-bundle";
	struct text t = { s, len };
	struct name n;

	split(t, &n);
	if (word_in(n.ext, "pub crt cer csr crl") || starts(t, "readme"))
		return true;
	if (starts(t, "known_hosts") || starts(t, "authorized_keys"))
		return true;
	if (is_public_key(&n))
		return true;
	if (!word_in(n.ext, "pem"))
		return false;
	while (n.stem.len && is_digit(n.stem.s[n.stem.len - 1]))
		n.stem.len--;
	return word_in(n.stem, pems) || ends(n.stem, "-cert");
}
