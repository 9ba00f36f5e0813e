// SPDX-License-Identifier: Apache-2.0
/* Is this path a credential, or a directory that holds some? */
#include "detect.h"

#include <string.h>

#include "chars.h"
#include "detect_paths.h"
#include "glob.h"
#include "../base/banned.h"

/* No known path has more components than this. */
enum { DEEPEST_KNOWN = 8 };

/* The rule that matched most of a path; end is the component after what it matched. */
struct match {
	unsigned end;
	enum path_fate fate;
	const char *rule, *why;
	bool is_users; /* known below a home directory */
};

static enum verdict say(struct finding *f, enum verdict verdict, const char *rule, const char *why)
{
	*f = (struct finding){ .verdict = verdict, .rule = rule, .why = why };
	return verdict;
}

static enum verdict say_ancestor(struct finding *f, const char *rule, const char *why)
{
	say(f, VERDICT_CREDENTIAL, rule, why);
	f->is_ancestor = true;
	return f->verdict;
}

static bool component_is(const struct folded *p, unsigned i, const char *word)
{
	return i < p->count && text_is(folded_text(p, i), folded_len(p, i, i + 1), word);
}

/* False when it is longer than the kernel would take it. */
static bool fold(const char *path, size_t len, struct folded *p)
{
	const char *end = path + len, *slash;
	size_t used = 0, n;

	p->count = p->first = p->home = 0;
	p->is_rooted = len && *path == '/';
	p->at[0] = 0;
	for (; path < end; path = slash + 1) {
		slash = memchr(path, '/', (size_t)(end - path));
		if (!slash)
			slash = end;
		n = (size_t)(slash - path);
		if (!n || text_is(path, n, "."))
			continue;
		if (text_is(path, n, "..")) {
			if (p->count)
				used = p->at[--p->count];
			continue;
		}
		if (used + n + 1 > sizeof p->text)
			return false;
		memcpy(p->text + used, path, n);
		used += n;
		p->text[used++] = '/';
		p->at[++p->count] = (uint16_t)used;
	}
	p->text[used ? used - 1 : 0] = '\0';
	return true;
}

static bool is_process(const struct folded *p, unsigned i)
{
	size_t n, k;

	if (i >= p->count)
		return false;
	if (component_is(p, i, "self") || component_is(p, i, "thread-self"))
		return true;
	n = folded_len(p, i, i + 1);
	for (k = 0; k < n && is_digit(folded_text(p, i)[k]); k++)
		;
	return k == n;
}

/* Other names of the root and of /run, as often as they are put in front of each other. */
static void skip_aliases(struct folded *p)
{
	unsigned i;

	for (;;) {
		i = p->first;
		if (component_is(p, i, "var") && component_is(p, i + 1, "run")) {
			p->first = i + 1;
			return;
		}
		if (!component_is(p, i, "proc") || !is_process(p, i + 1))
			return;
		i += 2;
		if (component_is(p, i, "task") && is_process(p, i + 1))
			i += 2;
		if (!component_is(p, i, "root"))
			return;
		p->first = i + 1;
	}
}

/* "/home/CORP/alice", as winbind has it. */
static bool is_domain(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len && is_upper(s[i]); i++)
		;
	return len > 1 && i == len;
}

static void find_home(struct folded *p)
{
	unsigned i = p->first;

	if (!p->is_rooted) {
		if (p->count && (p->text[0] == '~' || component_is(p, 0, "$HOME") ||
				 component_is(p, 0, "${HOME}")))
			p->home = 1;
		return;
	}
	if (component_is(p, i, "root")) {
		p->home = i + 1;
		return;
	}
	if (component_is(p, i, "var") || component_is(p, i, "export"))
		i++;
	else if (component_is(p, i, "mnt") && component_is(p, i + 2, "Users"))
		i += 2;
	if (!(component_is(p, i, "home") || component_is(p, i, "Users")) || i + 2 > p->count)
		return;
	p->home = i + 2;
	if (i + 3 <= p->count && is_domain(folded_text(p, i + 1), folded_len(p, i + 1, i + 2)))
		p->home = i + 3;
}

static void offer(struct match *best, struct match m)
{
	if (m.end > best->end || (m.end == best->end && m.fate > best->fate))
		*best = m;
}

static void match_known(const struct folded *p, enum known_base base, unsigned from,
			struct match *best)
{
	unsigned to = from + DEEPEST_KNOWN < p->count ? from + DEEPEST_KNOWN : p->count;
	const struct known_path *k;

	for (; to > from; to--) {
		k = known_find(base, folded_text(p, from), folded_len(p, from, to));
		if (!k)
			continue;
		offer(best,
		      (struct match){ to, FATE_CREDENTIAL, k->rule, k->why, base == KNOWN_HOME });
		return;
	}
}

static void match_rule(const struct folded *p, unsigned from, const struct path_rule *r,
		       struct match *best)
{
	const char *pattern = r->pattern;
	size_t n;

	for (;; from++, pattern += n + 1) {
		n = strcspn(pattern, "/");
		if (from >= p->count || !glob_component(pattern, n, folded_text(p, from),
							folded_len(p, from, from + 1)))
			return;
		if (!pattern[n])
			break;
	}
	from++;
	if ((r->fate == FATE_SELF || r->fate == FATE_ANCESTOR) && from < p->count)
		return;
	offer(best, (struct match){ from, r->fate, r->rule, r->why, false });
}

/* Orders a component against the first component of a pattern. */
static int compare_first(const char *text, size_t len, const char *pattern)
{
	size_t n = strcspn(pattern, "/");
	int c = memcmp(text, pattern, len < n ? len : n);

	return c ? c : len < n ? -1 : len > n;
}

/* A file system that is mounted or unpacked below another one. */
static bool is_other_root(const struct folded *p, unsigned i)
{
	static const char *const names[] = { "rootfs", "merged", "diff", "hostfs", "sysroot" };
	size_t k;

	for (k = 0; k < sizeof names / sizeof names[0]; k++)
		if (component_is(p, i, names[k]))
			return true;
	return component_is(p, i, "host") && (i == p->first || component_is(p, i - 1, "run"));
}

/* Where the paths of a root begin: at the front, or in a file system below. */
static bool is_top(const struct folded *p, unsigned i)
{
	return i == p->first ? p->is_rooted : is_other_root(p, i - 1);
}

static bool applies(const struct folded *p, unsigned from, const struct path_rule *r)
{
	switch (r->scope) {
	case BELOW_ROOT:
		/* Of another file system, the directories themselves are not the host's. */
		return is_top(p, from) && (from == p->first || r->fate >= FATE_CREDENTIAL);
	case BELOW_HOME: return *folded_text(p, from) == '.' || from == p->home;
	case ANYWHERE: return true;
	}
	return false;
}

static void match_rules(const struct folded *p, unsigned from, struct match *best)
{
	const char *text = folded_text(p, from);
	size_t len = folded_len(p, from, from + 1), low = 0, high = n_path_rules, middle, i;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_first(text, len, path_rules[middle].pattern) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < n_path_rules && !compare_first(text, len, path_rules[low].pattern); low++)
		if (applies(p, from, &path_rules[low]))
			match_rule(p, from, &path_rules[low], best);
	for (i = 0; *text == '.' && i < n_path_wild; i++)
		match_rule(p, from, &path_wild[i], best);
}

static struct match match_all(const struct folded *p)
{
	struct match best = { 0 };
	unsigned i;

	for (i = p->first; i < p->count; i++) {
		if (i == p->home || *folded_text(p, i) == '.')
			match_known(p, KNOWN_HOME, i, &best);
		if (is_top(p, i))
			match_known(p, KNOWN_ROOT, i, &best);
		match_rules(p, i, &best);
	}
	return best;
}

/* What tools put beside their credentials. Not where people choose the names themselves. */
static bool is_side_directory(const struct folded *p, unsigned i, const char *rule)
{
	static const char *const personal[] = { "path:backup-sync",
						"path:gnupg",
						"path:keyring",
						"path:login-file",
						"path:password-manager",
						"path:private-key",
						"path:ssh",
						"path:vpn",
						"path:wallet" };
	static const char *const names[] = { "bin",           "cache",      "caches",
					     "cached",        "completion", "completions",
					     "crash-reports", "extensions", "http-cache",
					     "icons",         "log",        "logs",
					     "plugin-cache",  "plugins",    "schemas",
					     "snippets",      "templates",  "themes" };
	size_t k;

	for (k = 0; k < sizeof personal / sizeof personal[0]; k++)
		if (!strcmp(rule, personal[k]))
			return false;
	for (k = 0; k < sizeof names / sizeof names[0]; k++)
		if (component_is(p, i, names[k]))
			return true;
	return false;
}

/* The host's processes: what they hold in memory, environment and descriptors is theirs. */
static bool is_process_data(const struct folded *p)
{
	static const char *const harmless[] = { "attr",   "cgroup", "comm",      "gid_map",
						"limits", "mounts", "mountinfo", "mountstats",
						"net",    "ns",     "sched",     "setgroups",
						"stat",   "statm",  "status",    "uid_map",
						"wchan" };
	unsigned i = p->first;
	size_t k;

	if (!p->is_rooted || !component_is(p, i, "proc"))
		return false;
	if (i + 1 == p->count)
		return true;
	if (!is_process(p, i + 1))
		return false;
	for (k = 0; k < sizeof harmless / sizeof harmless[0]; k++)
		if (component_is(p, i + 2, harmless[k]))
			return false;
	return true;
}

static bool holds_known(const struct folded *p)
{
	if (p->is_rooted && p->first < p->count &&
	    known_below(KNOWN_ROOT, folded_text(p, p->first), folded_len(p, p->first, p->count)))
		return true;
	return p->home && p->home < p->count &&
	       known_below(KNOWN_HOME, folded_text(p, p->home), folded_len(p, p->home, p->count));
}

static enum verdict judge(const struct folded *p, struct finding *f)
{
	struct match m = match_all(p);
	const char *name = folded_text(p, p->count - 1);
	size_t len = folded_len(p, p->count - 1, p->count);

	if (m.is_users && is_side_directory(p, m.end, m.rule))
		m.fate = FATE_OPEN;
	switch (m.fate) {
	case FATE_KEEP: return VERDICT_KEEP;
	case FATE_CREDENTIAL:
		if (m.end < p->count && path_name_is_public(name, len))
			return VERDICT_KEEP;
		return say(f, VERDICT_CREDENTIAL, m.rule, m.why);
	case FATE_STRICT:
	case FATE_SELF: return say(f, VERDICT_CREDENTIAL, m.rule, m.why);
	case FATE_ANCESTOR: return say_ancestor(f, m.rule, m.why);
	case FATE_NONE:
	case FATE_OPEN: break;
	}
	if (p->home == p->count)
		return say_ancestor(f, "path:home", "a home directory, full of credentials");
	if (path_name_judge(p, f))
		return f->verdict;
	if (m.end < p->count && holds_known(p))
		return say_ancestor(f, "path:holds-credentials",
				    "credentials are expected below it");
	return VERDICT_KEEP;
}

/* Where "~/.tool" is with programs, or people, that keep to the XDG base directories. Below a home
 * only; a component that has a dot itself has not been moved. False when the path is elsewhere.
 */
static bool undo_move(const struct folded *p, struct folded *q)
{
	unsigned i = p->home;
	size_t before, len;
	char text[PATH_MAX + 2];

	if (!i || i >= p->count)
		return false;
	if (component_is(p, i, ".local") &&
	    (component_is(p, i + 1, "share") || component_is(p, i + 1, "state")))
		i += 2;
	else if (component_is(p, i, ".config"))
		i++;
	else
		return false;
	if (i >= p->count || *folded_text(p, i) == '.')
		return false;
	before = p->at[p->home];
	len = folded_len(p, i, p->count);
	text[0] = '/';
	memcpy(text + 1, p->text, before);
	text[before + 1] = '.';
	memcpy(text + before + 2, folded_text(p, i), len);
	if (!fold(text + !p->is_rooted, before + 1 + len + p->is_rooted, q))
		return false;
	q->first = p->first;
	q->home = p->home;
	return true;
}

static enum verdict judge_moved(const struct folded *p, struct finding *f)
{
	struct folded q;

	/* What is known where it stands has not been moved. */
	if (undo_move(p, &q) && match_all(p).fate == FATE_NONE &&
	    judge(&q, f) == VERDICT_CREDENTIAL && !f->is_ancestor)
		return f->verdict;
	*f = (struct finding){ .verdict = VERDICT_KEEP };
	return VERDICT_KEEP;
}

enum verdict detect_path(const char *path, size_t len, struct finding *f)
{
	struct folded p;

	*f = (struct finding){ .verdict = VERDICT_KEEP };
	if (!fold(path, len, &p))
		return say(f, VERDICT_CREDENTIAL, "path:too-long",
			   "longer than any path can be; it cannot be judged");
	skip_aliases(&p);
	find_home(&p);
	if (p.first == p.count) {
		if (!p.is_rooted)
			return VERDICT_KEEP;
		return say_ancestor(f, "path:host-root", "the root of the file system");
	}
	if (is_process_data(&p))
		return say(f, VERDICT_CREDENTIAL, "path:host-process",
			   "environment, memory and files of the host's processes");
	if (judge(&p, f) == VERDICT_KEEP)
		return judge_moved(&p, f);
	return f->verdict;
}
