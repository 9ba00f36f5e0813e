// SPDX-License-Identifier: Apache-2.0
/* Tests of the judgement of paths: figures on labelled lists, spellings, ancestors, lengths. */
#include "../src/core/detect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/core/detect_paths.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* From memory that ends where the path ends, so that a sanitizer sees a byte read too many. */
static struct finding judge_len(const char *path, size_t len)
{
	char *copy = malloc(len ? len : 1);
	struct finding f;

	if (!copy)
		BAIL_OUT("out of memory");
	memcpy(copy, path, len);
	if (detect_path(copy, len, &f) != f.verdict)
		BAIL_OUT("the verdict returned is not the one filled in");
	free(copy);
	return f;
}

static struct finding judge(const char *path)
{
	return judge_len(path, strlen(path));
}

static bool is_credential(const char *path)
{
	struct finding f = judge(path);

	return f.verdict == VERDICT_CREDENTIAL && f.rule && f.why && !f.is_ancestor;
}

static bool is_ancestor(const char *path)
{
	struct finding f = judge(path);

	return f.verdict == VERDICT_CREDENTIAL && f.rule && f.why && f.is_ancestor;
}

static bool is_kept(const char *path)
{
	struct finding f = judge(path);

	return f.verdict == VERDICT_KEEP && !f.rule && !f.is_ancestor;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void test_corpus(const char *name)
{
	const char *srcdir = getenv("srcdir");
	unsigned hits = 0, misses = 0, wrong = 0, n = 0;
	double precision, recall, took = 0;
	char file[4096], line[8192];
	FILE *in;

	snprintf(file, sizeof file, "%s/tests/corpus/%s", srcdir ? srcdir : ".", name);
	in = fopen(file, "r");
	if (!in)
		BAIL_OUT("cannot read %s", file);
	while (fgets(line, sizeof line, in)) {
		char *path = strchr(line, '\t');
		bool want = !strncmp(line, "true\t", 5), got;

		if (!path)
			BAIL_OUT("%s: a line without a tab", file);
		line[strcspn(line, "\n")] = '\0';
		path++;
		took -= seconds();
		got = judge(path).verdict == VERDICT_CREDENTIAL;
		took += seconds();
		hits += want && got;
		misses += want && !got;
		wrong += !want && got;
		n++;
		if (want != got)
			diag("%s: %s", got ? "wrong" : "missed", path);
	}
	fclose(in);
	precision = hits ? (double)hits / (hits + wrong) : 0;
	recall = hits ? (double)hits / (hits + misses) : 0;
	diag("paths: precision %.3f recall %.3f on %u of %s, %.2f us each", precision, recall, n,
	     name, n ? took * 1e6 / n : 0.0);
	ok(precision >= 0.98, "%s: at least 98 of 100 findings are right", name);
	ok(recall >= 0.97, "%s: at least 97 of 100 credentials are found", name);
}

static void test_spellings(void)
{
	static const char *const spellings[] = {
		"/home/alice/.aws/credentials",
		"/home/alice/.aws/credentials/",
		"/home/alice/.aws/credentials///",
		"//home//alice//.aws//credentials",
		"/./home/./alice/./.aws/./credentials",
		"/home/alice/.aws/./credentials/.",
		"/home/alice/.aws/cli/../credentials",
		"/home/bob/../alice/.aws/credentials",
		"/home/alice/project/../../alice/.aws/credentials",
		"/../home/alice/.aws/credentials",
		"/../../../../home/alice/.aws/credentials",
		"/usr/share/../../home/alice/.aws/credentials",
		"/proc/self/root/home/alice/.aws/credentials",
		"/proc/1/root/home/alice/.aws/credentials",
		"/proc/thread-self/root/home/alice/.aws/credentials",
		"/proc/12/task/34/root/home/alice/.aws/credentials",
		"/proc/1/root/proc/1/root/home/alice/.aws/credentials",
		"/proc//self/./root//home/alice/.aws/credentials",
		"/proc/1/cwd/home/alice/.aws/credentials",
		"/proc/self/fd/7/.aws/credentials",
		"/var/home/alice/.aws/credentials",
		"/export/home/alice/.aws/credentials",
		"/home/CORP/alice/.aws/credentials",
		"/Users/alice/.aws/credentials",
		"/mnt/c/Users/alice/.aws/credentials",
		"/root/.aws/credentials",
		"/host/home/alice/.aws/credentials",
		"/srv/backup/alice/.aws/credentials",
		"/var/lib/docker/overlay2/0a1b/merged/root/.aws/credentials",
		"/var/lib/docker/volumes/home/_data/.aws/credentials",
		"~/.aws/credentials",
		"~alice/.aws/credentials",
		"$HOME/.aws/credentials",
		"${HOME}/.aws/credentials",
		".aws/credentials",
		"../alice/.aws/credentials",
	};
	size_t i;

	for (i = 0; i < COUNT(spellings); i++)
		ok(is_credential(spellings[i]), "%s is a credential", spellings[i]);
}

/* As strcmp() would, with '/' before all other characters. */
static int path_order(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return (*a == '/' ? 1 : (unsigned char)*a * 2) - (*b == '/' ? 1 : (unsigned char)*b * 2);
}

static void test_known(void)
{
	static const char *const base[] = {
		[KNOWN_ROOT] = "/", [KNOWN_HOME] = "/home/alice/", [KNOWN_PROJECT] = "/srv/app/"
	};
	const struct known_path *k;
	size_t n, i, bad = 0, unsorted = 0;
	char path[4096];

	k = detect_known_paths(&n);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s%s", base[k[i].base], k[i].path);
		if (!is_credential(path) && ++bad)
			diag("known, but not found: %s", path);
		if (strpbrk(k[i].path, "*?") || k[i].path[0] == '/' || strstr(k[i].path, "//") ||
		    strncmp(k[i].rule, "path:", 5) || !*k[i].why)
			bad++;
		if (i &&
		    (k[i - 1].base > k[i].base ||
		     (k[i - 1].base == k[i].base && path_order(k[i - 1].path, k[i].path) >= 0))) {
			diag("out of order: %s", k[i].path);
			unsorted++;
		}
	}
	diag("paths: %zu known", n);
	cmp_ok((long long)bad, "==", 0, "every known path is a credential below its base");
	cmp_ok((long long)unsorted, "==", 0, "known paths are sorted, none twice");
}

/* What the look-up in the table of patterns relies on. */
static void test_rules(void)
{
	size_t i, bad = 0;

	for (i = 0; i < n_path_rules; i++) {
		const struct path_rule *r = &path_rules[i], *last = i ? r - 1 : r;
		size_t n = strcspn(r->pattern, "/"), m = strcspn(last->pattern, "/");
		int order = memcmp(last->pattern, r->pattern, m < n ? m : n);

		bad += order > 0 || (!order && m > n);
		bad += memchr(r->pattern, '*', n) != NULL;
		bad += (r->fate == FATE_KEEP || r->fate == FATE_OPEN) != !r->rule;
	}
	for (i = 0; i < n_path_wild; i++)
		bad += path_wild[i].pattern[0] != '.' || path_wild[i].scope != BELOW_HOME;
	cmp_ok((long long)bad, "==", 0, "patterns are sorted by their first components");
}

static void test_ancestors(void)
{
	static const char *const above[] = {
		"/",
		"//",
		"/.",
		"/..",
		"/proc/1/root",
		"/etc",
		"/etc/",
		"/root",
		"/home",
		"/home/alice",
		"/run",
		"/var",
		"/var/lib",
		"/var/run",
		"/run/user",
		"/run/user/1000",
		"/var/home/alice",
		"/etc/ssh",
		"/home/alice/.config",
		"/home/alice/.local/share",
		"/proc/1/root/home/alice",
		"/home/alice/.codex",
	};
	static const char *const whole[] = {
		"/home/alice/.ssh",
		"/home/alice/.gnupg",
		"/home/alice/.aws",
		"/root/.kube",
		"/proc",
		"/dev",
		"/run/secrets",
		"/var/lib/docker",
		"/proc/1",
		"/etc/wireguard",
	};
	size_t i;

	for (i = 0; i < COUNT(above); i++)
		ok(is_ancestor(above[i]), "%s stays, what is below is masked", above[i]);
	for (i = 0; i < COUNT(whole); i++)
		ok(is_credential(whole[i]), "%s goes as a whole", whole[i]);
}

static void test_exceptions(void)
{
	ok(is_kept("/home/alice/.ssh/id_rsa.pub"), "the public half of an SSH key stays");
	ok(is_kept("/home/alice/.ssh/config"), "the configuration of ssh stays");
	ok(is_kept("/root/.ssh/known_hosts"), "keys of known hosts stay");
	ok(is_kept("/etc/kubernetes/pki/ca.crt"), "the certificate of a cluster stays");
	ok(is_credential("/etc/kubernetes/pki/ca.key"), "its key goes");
	ok(is_kept("/etc/letsencrypt/live/a.org/fullchain.pem"), "a chain of certificates stays");
	ok(is_credential("/etc/letsencrypt/live/a.org/privkey.pem"), "its private key goes");
	ok(is_kept("/run/secrets/kubernetes.io/serviceaccount/ca.crt"),
	   "the certificate beside a service account's token stays");
	ok(is_credential("/run/secrets/ca.crt"), "other secrets go, whatever their names");
	ok(is_kept("/srv/app/.env.example"), "an example of an environment stays");
	ok(is_credential("/srv/app/.env.local"), "an environment goes");
	ok(is_kept("/srv/app/config/credentials.yml.enc"), "what is encrypted for sharing stays");
	ok(is_kept("/srv/app"), "the directory of a project stays");
	ok(is_kept("/srv/app/.env/lib/python3.11/os.py"), "a virtual environment is no env file");
	ok(is_kept("/home/alice/.kube/cache/discovery"), "a cache beside credentials stays");
	ok(is_credential("/srv/app/secrets.yml~"), "a copy is judged as the original");
	ok(is_kept("/srv/app/internal/secrets/store.go"), "code about secrets stays");
	ok(is_credential("/home/alice/.kube/cache/oidc-login/0a1b"), "tokens in a cache go");
	ok(is_credential("/home/alice/.password-store/cache/bank.gpg"),
	   "a password goes, whatever its name");
	ok(is_credential("/home/alice/secrets/mail"), "what is in a directory of secrets goes");
	ok(is_kept("/srv/rootfs/usr/share/doc/curl/key.pem"), "an unpacked system's files stay");
	ok(is_credential("/srv/rootfs/etc/shadow"), "an unpacked system's passwords go");
	ok(is_kept("/etc/passwd"), "accounts without passwords stay");
	ok(is_kept("/etc/wireguard/publickey"), "the public half of a VPN's key stays");
	ok(is_credential("/etc/wireguard/privatekey"), "its private half goes");
	ok(is_credential("/home/alice/.password-store/public"), "a directory of passwords goes");
	ok(is_kept("/home/alice/.docker/contexts/meta"), "where engines are is no secret");
	ok(is_credential("/home/alice/.docker/contexts/tls"), "the keys to them are");
	ok(is_kept("/usr/bin/passwd"), "programs stay");
}

/* Names that tell only where programs keep their own files. */
static void test_programs(void)
{
	ok(is_credential("/home/alice/.local/share/newshell/history.txt"),
	   "the history of an unknown program goes");
	ok(is_kept("/home/alice/novel/history.txt"), "a text about history stays");
	ok(is_kept("/home/alice/.oh-my-zsh/plugins/history"), "a plugin for histories stays");
	ok(is_credential("/home/alice/.config/newtool/tokens.json"),
	   "tokens of an unknown program go");
	ok(is_kept("/srv/app/tokens.json"), "tokens of a design stay");
	ok(is_kept("/var/lib/kubelet/config.yaml"), "the settings of a kubelet stay");
	ok(is_kept("/var/lib/kubelet/cpu_manager_state"), "so does what it notes of processors");
	ok(is_credential("/var/lib/kubelet/config.json"), "its registries' passwords go");
	ok(is_credential("/etc/tailscale/authkey"), "a key to join with goes");
	ok(is_credential("/etc/ngrok/authtoken"), "so does a token, in one word");
	ok(is_credential("/srv/app/ts-auth-key.txt"), "or in two");
	ok(is_kept("/srv/app/src/authkey.go"), "code about one stays");
	ok(is_credential("/home/alice/.local/share/dart/pub-credentials.json"),
	   "credentials of a registry named pub go");
	ok(is_credential("/srv/data/SessionTokenCache.dat"), "a cache of tokens goes");
	ok(is_credential("/home/alice/.config/aws/credentials") &&
		   is_credential("/home/alice/.local/share/gnupg/secring.gpg") &&
		   is_credential("~/.config/netrc"),
	   "what was moved into an XDG directory goes as it would from the home");
	ok(is_kept("/home/alice/.config/ssh/config"), "and stays as it would there");
	ok(is_kept("/home/alice/.config/gcloud/configurations/config_default"),
	   "what is known to stay where it stands is not taken as moved");
	ok(is_kept("/srv/app/.config/aws"), "outside of a home nothing is taken as moved");
	ok(is_credential("/etc/newd/relay_passwd"), "passwords of an unknown service go");
	ok(is_kept("/etc/pam.d/passwd") && is_kept("/etc/cron.daily/passwd"),
	   "settings and jobs of passwd stay");
}

static void test_plumbing(void)
{
	ok(is_kept("/run/containers/storage/overlay-containers/4f/userdata/resolv.conf"),
	   "what podman mounts into every container stays");
	ok(is_kept("/run/user/1000/containers/overlay-containers/4f/userdata/hosts"),
	   "also for a podman without root");
	ok(is_credential("/run/containers/storage/overlay-containers/4f/userdata/secrets/x"),
	   "secrets of podman go");
	ok(is_credential("/run/containers/storage/overlay-containers/4f/userdata/run/secrets"),
	   "and so does their directory");
	ok(is_kept("/var/lib/docker/containers/4f/hosts"), "what docker mounts stays");
	ok(is_credential("/var/lib/docker/containers/4f/config.v2.json"),
	   "what docker knows of a container goes");
	ok(is_kept("/var/lib/docker/volumes/db/_data"), "a volume stays");
	ok(is_credential("/var/lib/docker/volumes/db/_data/id_rsa"), "a key in a volume goes");
	ok(is_kept("/var/lib/kubelet/pods/5a/etc-hosts"), "what kubelet mounts stays");
	ok(is_kept("/var/lib/kubelet/pods/5a/volumes/kubernetes.io~configmap/web"),
	   "a config map stays");
	ok(is_credential("/var/lib/kubelet/pods/5a/volumes/kubernetes.io~secret/web"),
	   "a secret of a pod goes");
	ok(is_credential(
		   "/var/lib/kubelet/pods/5a/volumes/kubernetes.io~projected/kube-api-access-x"),
	   "the token of a pod goes");
	ok(is_kept("/run/containerd/io.containerd.grpc.v1.cri/sandboxes/4f/shm"),
	   "what containerd mounts stays");
	ok(is_credential("/run/containerd/containerd.sock"), "its socket goes");
	ok(is_kept("/proc/sys/net") && is_kept("/proc/42/ns/net"), "parts of /proc stay");
	ok(is_credential("/proc/42/environ"), "the environment of a process goes");
	ok(is_kept("/dev/shm") && is_credential("/dev/sda1"), "shared memory stays, disks go");
}

static void check_long(const char *unit, const char *tail, bool is_long, const char *what)
{
	enum { LENGTH = 65536 };
	static char path[LENGTH + 64];
	size_t len = 0, n = strlen(unit);
	double start = seconds();
	struct finding f;

	while (len + n + strlen(tail) < LENGTH) {
		memcpy(path + len, unit, n);
		len += n;
	}
	memcpy(path + len, tail, strlen(tail));
	len += strlen(tail);
	f = judge_len(path, len);
	ok(f.verdict == VERDICT_CREDENTIAL && !strcmp(f.rule, "path:too-long") == is_long,
	   "64 KiB: %s", what);
	ok(seconds() - start < 1, "64 KiB: judged in no time (%.3f ms)", (seconds() - start) * 1e3);
}

static void test_lengths(void)
{
	char path[4200] = "/";
	double start;
	size_t i;

	check_long("/", "/etc/shadow", false, "slashes fold");
	check_long("/.", "/etc/shadow", false, "dots fold");
	check_long("/x/..", "/etc/shadow", false, "ways there and back fold");
	check_long("/proc/1/root/..", "/etc/shadow", true, "ways down do not fold");
	check_long("/a", "/etc/shadow", true, "many components are too long");
	check_long("/.config", "", true, "many known components are too long");
	check_long("x", "", true, "one component is too long");

	ok(is_kept(""), "an empty path is none");
	ok(judge_len("\0\0/\0", 4).verdict == VERDICT_KEEP, "NULs are bytes like others");
	ok(judge_len("/etc/shadow\0/x", 14).verdict == VERDICT_KEEP, "also at the end of a name");
	ok(judge_len("/etc\0", 5).verdict == VERDICT_KEEP, "and of a directory");
	ok(judge_len("/etc/shadow/x", 11).verdict == VERDICT_CREDENTIAL, "the length counts");
	ok(judge_len("/etc/shadowy", 12).verdict == VERDICT_KEEP, "a prefix of a name is no match");
	ok(judge_len("/etc/shado", 10).verdict == VERDICT_KEEP, "nor is a part of it");

	for (i = 1; i + 8 < 4096; i += 8)
		memcpy(path + i, ".config/", 8);
	start = seconds();
	judge_len(path, 4095);
	diag("paths: the longest, made of known parts, in %.3f ms", (seconds() - start) * 1e3);
	memset(path + 1, 'a', sizeof path - 2);
	ok(judge_len(path, 4096).verdict == VERDICT_KEEP, "4095 bytes after the slash are judged");
	ok(judge_len(path, 4097).verdict == VERDICT_CREDENTIAL, "4096 bytes after it are too long");
}

int main(void)
{
	plan(NO_PLAN);
	test_corpus("paths.tsv");
	test_corpus("paths-more.tsv");
	test_spellings();
	test_known();
	test_rules();
	test_ancestors();
	test_exceptions();
	test_programs();
	test_plumbing();
	test_lengths();
	done_testing();
}
