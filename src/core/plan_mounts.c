// SPDX-License-Identifier: Apache-2.0
/* Mounts, devices, and the credentials that were found below mounts and in the root. */
#include "plan_work.h"

#include <string.h>
#include <sys/mount.h>

#include "glob.h"
#include "mount_opts.h"
#include "pointer.h"
#include "../base/str.h"
#include "../base/banned.h"

enum { PATH_LONGEST = 4096, PATH_SHOWN = 128 };

struct reason {
	const char *rule, *why;
	const char *path;  /* that a policy could allow; NULL: none */
	const char *where; /* in the bundle; NULL: the mount */
};

static struct reason because(const char *rule, const char *why, const char *path)
{
	return (struct reason){ .rule = rule, .why = why, .path = path };
}

static bool is_allowed(struct plan_work *w, const char *path)
{
	const struct policy_rule *rule = path ? policy_path_rule(w->policy, path) : NULL;

	return rule && rule->action == RULE_ALLOW;
}

static bool judge_source(struct plan_work *w, const char *path, struct reason *r)
{
	struct judgement j;

	plan_judge_path(w->policy, path, &j);
	if (j.f.verdict == VERDICT_KEEP || j.action == ACTION_ALLOW)
		return false;
	/* What lies below an ancestor is masked one by one, if it is looked for. */
	if (j.f.is_ancestor && w->policy->scan_mounts != SCAN_OFF)
		return false;
	*r = because(j.f.rule, j.f.why, path);
	return true;
}

/* Where something is put says what it is, but for places that services keep their own data in. */
static bool judge_destination(struct plan_work *w, const struct mount *m, struct reason *r)
{
	static const char *const of_hosts[] = { "path:engine-state", "path:host", "path:raw-device",
						"path:proc",         "path:dump", "path:history" };
	struct judgement j;
	size_t i;

	plan_judge_path(w->policy, m->destination, &j);
	if (j.f.verdict == VERDICT_KEEP || j.action == ACTION_ALLOW || j.f.is_ancestor)
		return false;
	for (i = 0; i < sizeof of_hosts / sizeof of_hosts[0]; i++)
		if (!strncmp(j.f.rule, of_hosts[i], strlen(of_hosts[i])))
			return false;
	*r = because(j.f.rule, j.f.why, m->destination);
	return true;
}

/* The length up to a separator that has no backslash before it. */
static size_t part_len(const char *s, size_t len, char separator)
{
	size_t n;

	for (n = 0; n < len && s[n] != separator; n++)
		if (s[n] == '\\' && n + 1 < len)
			n++;
	return n;
}

static const char *unescaped(struct arena *a, const char *s, size_t len)
{
	char *copy = arena_strndup(a, s, len), *to = copy;
	const char *from;

	for (from = copy; *from; *to++ = *from++)
		if (*from == '\\' && from[1])
			from++;
	*to = '\0';
	return copy;
}

static bool is_layer_option(const char *name, size_t len)
{
	return !str_cmpn(name, len, "lowerdir") || !str_cmpn(name, len, "upperdir") ||
	       !str_cmpn(name, len, "workdir") || !str_cmpn(name, len, "lowerdir+") ||
	       !str_cmpn(name, len, "datadir+");
}

struct strings plan_layers(struct arena *a, const struct mount *m)
{
	struct strings dirs = { 0 };
	const char *s, *end, *equals;
	size_t i, n, len, at;

	for (i = 0; i < m->options.n; i++) {
		/* The kernel gets all of them as one text, so one entry may hold several. */
		end = m->options.v[i] + strlen(m->options.v[i]);
		for (s = m->options.v[i]; *s; s += n, s += *s == ',') {
			n = part_len(s, (size_t)(end - s), ',');
			equals = memchr(s, '=', n);
			if (!equals || !is_layer_option(s, (size_t)(equals - s)))
				continue;
			for (at = (size_t)(equals - s) + 1; at < n; at += len + 1) {
				len = part_len(s + at, n - at, ':');
				if (len)
					*arena_push(a, dirs.v, dirs.n) = unescaped(a, s + at, len);
			}
		}
	}
	return dirs;
}

/* The directories of an overlay bring in files as a bind does. */
static bool judge_layers(struct plan_work *w, const struct mount *m, const struct mount_facts *mf,
			 struct reason *r)
{
	struct strings dirs = { mf->layers, mf->n_layers };
	size_t i;

	if (!dirs.n)
		dirs = plan_layers(w->arena, m);
	for (i = 0; i < dirs.n; i++)
		if (dirs.v[i][0] == '/' && judge_source(w, dirs.v[i], r))
			return true;
	return false;
}

/* Text with a name, as options have it, or without one. */
static bool find_in_text(const char *name, size_t name_len, const char *text, struct finding *f)
{
	size_t len = strlen(text);

	if (name_len)
		detect_env(name, name_len, text, len, true, f);
	else
		detect_value(text, len, f);
	if (f->verdict != VERDICT_CREDENTIAL)
		return false;
	if (!f->n_secret)
		f->secret[f->n_secret++] = (struct span){ 0, len };
	return true;
}

static bool judge_text(struct plan_work *w, const char *name, size_t name_len, const char *text,
		       struct reason *r)
{
	struct finding f;

	if (!find_in_text(name, name_len, text, &f) && !plan_same_value(w, text, strlen(text), &f))
		return false;
	*r = because(f.rule, f.why, NULL);
	return true;
}

/* The length of an option's name, 0: it has no value; *value is what follows the '='. */
static size_t split_option(const char *option, const char **value)
{
	const char *equals = strchr(option, '=');

	*value = equals ? equals + 1 : NULL;
	return equals ? (size_t)(equals - option) : 0;
}

/* An option of cifs or ceph that names a file with a password, which the kernel's helper reads. */
static bool judge_credentials_file(struct plan_work *w, const char *option, size_t n,
				   const char *file, struct reason *r)
{
	bool is_known = !str_cmpn(option, n, "credentials") || !str_cmpn(option, n, "cred") ||
			!str_cmpn(option, n, "secretfile") || !str_cmpn(option, n, "passwd_file");

	if (!is_known || !*file || is_allowed(w, file))
		return false;
	*r = because("pointer", "an option names a file of credentials", file);
	return true;
}

/* A file system on a disk of the host holds all its files, whoever may read them there. */
static bool judge_disk(struct plan_work *w, const char *source, struct reason *r)
{
	char folded[PATH_LONGEST];
	struct finding f;

	if (!path_fold(source, folded, sizeof folded) || !path_below(folded, "/dev") ||
	    detect_path(folded, strlen(folded), &f) == VERDICT_KEEP || f.is_ancestor ||
	    is_allowed(w, folded))
		return false;
	source = arena_strdup(w->arena, folded);
	*r = because(f.rule, f.why, source);
	return true;
}

static bool judge_option(struct plan_work *w, const char *option, struct reason *r)
{
	const char *value;
	size_t n = split_option(option, &value);

	if (!n || is_layer_option(option, n))
		return false;
	return judge_credentials_file(w, option, n, value, r) || judge_text(w, option, n, value, r);
}

/* The kernel gets all of them as one text, so one entry may hold several. */
static struct strings joined_options(struct arena *a, const char *entry)
{
	const char *end = entry + strlen(entry);
	struct strings parts = { 0 };
	size_t n;

	for (; strchr(entry, ','); entry += n + (entry[n] == ',')) {
		n = part_len(entry, (size_t)(end - entry), ',');
		*arena_push(a, parts.v, parts.n) = arena_strndup(a, entry, n);
	}
	if (parts.n)
		*arena_push(a, parts.v, parts.n) = entry;
	return parts;
}

static bool judge_options(struct plan_work *w, const struct mount *m, struct reason *r)
{
	const struct json *all = json_get(m->at, "options"), *at = all ? all->first : NULL;
	struct strings parts;
	bool found;
	size_t i, k;

	for (i = 0; i < m->options.n; i++, at = at ? at->next : NULL) {
		found = judge_option(w, m->options.v[i], r);
		parts = joined_options(w->arena, m->options.v[i]);
		for (k = 0; k < parts.n && !found; k++)
			found = judge_option(w, parts.v[k], r);
		if (found) {
			r->where = at ? json_path(w->arena, at) : NULL;
			return true;
		}
	}
	return false;
}

static void remember_option(struct plan_work *w, const char *option)
{
	struct finding f;
	const char *value;
	size_t n = split_option(option, &value);

	if (n && find_in_text(option, n, value, &f))
		plan_remember(w, value, &f);
}

void plan_remember_mounts(struct plan_work *w)
{
	struct strings parts;
	struct finding f;
	size_t i, k, n;

	for (i = 0; i < w->b->mounts.n; i++) {
		const struct mount *m = &w->b->mounts.v[i];

		if (!m->is_bind && m->source && find_in_text(NULL, 0, m->source, &f))
			plan_remember(w, m->source, &f);
		for (k = 0; k < m->options.n; k++) {
			remember_option(w, m->options.v[k]);
			parts = joined_options(w->arena, m->options.v[k]);
			for (n = 0; n < parts.n; n++)
				remember_option(w, parts.v[n]);
		}
	}
}

static bool judge_mount(struct plan_work *w, const struct mount *m, const struct mount_facts *mf,
			struct reason *r)
{
	if (m->is_bind) {
		const char *source = mf->source ? mf->source : m->source;

		if (source && source[0] == '/' && judge_source(w, source, r))
			return true;
		if (mf->rule && !is_allowed(w, source)) {
			*r = because(mf->rule, mf->why, source);
			return true;
		}
		if (!is_allowed(w, source) && judge_destination(w, m, r))
			return true;
	} else if (m->source &&
		   (judge_disk(w, m->source, r) || judge_text(w, NULL, 0, m->source, r))) {
		return true;
	}
	return judge_layers(w, m, mf, r) || judge_options(w, m, r);
}

/* What the cut variables point to goes with them when it is a mount of its own, or has one in it. */
static bool is_pointed_at(const struct mount *m, const struct strings *paths)
{
	char point[PATH_LONGEST];
	size_t i;

	if (!paths->n || !path_fold(m->destination, point, sizeof point))
		return false;
	for (i = 0; i < paths->n; i++)
		if (pointer_below(point, paths->v[i]))
			return true;
	return false;
}

/* Memory that the host's processes share goes with the namespace of their other shared memory. */
static bool is_host_memory(const struct plan_work *w, const struct mount *m, const char *source)
{
	char folded[PATH_LONGEST];

	return m->is_bind && w->policy->ipc == SHARING_PRIVATE && source &&
	       path_fold(source, folded, sizeof folded) && path_below(folded, "/dev/shm");
}

static bool judge_shared(struct plan_work *w, const struct mount *m, const char *source,
			 const struct strings *pointed, struct reason *r)
{
	if (is_allowed(w, source) || is_allowed(w, m->destination))
		return false;
	*r = because("pointer", "a variable that was cut points to it", source);
	if ((m->is_bind || w->facts->mounts[m - w->b->mounts.v].n_layers) &&
	    is_pointed_at(m, pointed))
		return true;
	*r = because("mount:shared-memory", "the host's processes share memory in it", source);
	return is_host_memory(w, m, source);
}

/* Programs expect it, of whomever it is. */
static void add_own_memory(struct plan_work *w, const struct mount *m)
{
	static const char *const options[] = { "nosuid", "noexec", "nodev", "mode=1777",
					       "size=65536k" };
	struct mount *own = arena_alloc(w->arena, sizeof *own);
	size_t i;

	/* What is cut is wiped: this text must not be the bundle's. */
	*own = (struct mount){
		.destination = "/dev/shm", .type = "tmpfs", .source = "shm", .at = m->at
	};
	for (i = 0; i < sizeof options / sizeof options[0]; i++)
		*arena_push(w->arena, own->options.v, own->options.n) = options[i];
	w->plan->mounts[w->plan->n_mounts++] = own;
}

/* Returns whether the mount is not in the plan. */
static bool cut_mount(struct plan_work *w, size_t i, const struct strings *pointed)
{
	const struct mount *m = &w->b->mounts.v[i];
	const struct mount_facts *mf = &w->facts->mounts[i];
	const char *source = mf->source ? mf->source : m->source;
	struct reason r;

	if (!judge_mount(w, m, mf, &r) && !judge_shared(w, m, source, pointed, &r))
		return false;
	w->mount_goes[i] = true;
	return plan_cut(w, &(struct item){
				   .kind = CUT_MOUNT,
				   .action = ACTION_REMOVE,
				   .at = m->at,
				   .where = r.where,
				   .name = m->destination,
				   .rule = r.rule,
				   .why = r.why,
				   .keep = r.path ? arena_printf(w->arena, "paths: {allow: [%s]}",
								 printable(w->arena, r.path,
									   PATH_SHOWN))
						  : NULL,
			   }) == ACTION_REMOVE;
}

/* A runtime's mask or mount on "/" hides nothing, nor is it sure where one by a relative path or
 * by ".." ends up: such a directory would switch off masks that are needed.
 */
static bool hides(const char *dir, const char *path)
{
	char folded[PATH_LONGEST];

	return path_fold(dir, folded, sizeof folded) && folded[1] && !glob_path("**/../**", dir) &&
	       path_below(path, folded);
}

/* Some mounts bring along what lies below them. */
static bool is_see_through(const struct mount *m)
{
	size_t i;

	for (i = 0; i < m->options.n; i++)
		if (!strcmp(m->options.v[i], "remount") || !strcmp(m->options.v[i], "tmpcopyup"))
			return true;
	return false;
}

/* Something else lies over it, from a later mount that stays, or the bundle masks it itself. */
static bool is_hidden(struct plan_work *w, const char *path, size_t later)
{
	const struct strings *masked = &w->b->lin.masked_paths;
	const struct mounts *ms = &w->b->mounts;
	size_t i;

	for (i = 0; i < masked->n; i++)
		if (hides(masked->v[i], path))
			return true;
	for (i = later; i < ms->n; i++)
		if (!w->mount_goes[i] && !is_see_through(&ms->v[i]) &&
		    hides(ms->v[i].destination, path))
			return true;
	return false;
}

/* A relative destination counts from the root; folded, a mask is known again in a filtered bundle. */
static const char *place_inside(struct plan_work *w, const char *path)
{
	char folded[PATH_LONGEST];

	if (*path != '/')
		path = arena_printf(w->arena, "/%s", path);
	return path_fold(path, folded, sizeof folded) ? arena_strdup(w->arena, folded) : path;
}

static void mask_found(struct plan_work *w, const struct found *found, size_t n, size_t later,
		       const char *where)
{
	const struct policy_rule *rule;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct found *f = &found[i];
		const char *inside = place_inside(w, f->inside);

		rule = policy_path_rule(w->policy, f->path);
		if (!rule)
			rule = policy_path_rule(w->policy, inside);
		if ((rule && rule->action == RULE_ALLOW) || is_hidden(w, inside, later))
			continue;
		if (plan_cut(w,
			     &(struct item){
				     .kind = CUT_PATH,
				     .action = ACTION_MASK,
				     .where = where,
				     .name = inside,
				     .rule = f->rule,
				     .why = f->why,
				     .keep = arena_printf(w->arena, "paths: {allow: [%s]}",
							  printable(w->arena, f->path, PATH_SHOWN)),
			     }) == ACTION_MASK)
			*(struct plan_mask *)arena_push(w->arena, w->plan->masks,
							w->plan->n_masks) =
				(struct plan_mask){ inside, f->type == FILE_DIRECTORY };
	}
}

static bool has_mount_below(const struct plan_work *w, const char *path)
{
	const struct mounts *ms = &w->b->mounts;
	size_t i;

	for (i = 0; i < ms->n; i++)
		if (!w->mount_goes[i] && path_below(ms->v[i].destination, path))
			return true;
	return false;
}

/* What the host has mounted below the root is no part of the image. A mount of the bundle that goes into it
 * would go with it: then it is on record and stays.
 */
static void mask_below_root(struct plan_work *w)
{
	const struct facts *f = w->facts;
	struct plan *p = w->plan;
	size_t i;

	for (i = 0; i < f->n_below_root; i++) {
		const struct found *m = &f->below_root[i];
		bool stays = has_mount_below(w, m->inside);

		if (is_allowed(w, m->path) || is_allowed(w, m->inside) ||
		    is_hidden(w, m->inside, 0))
			continue;
		if (plan_cut(w, &(struct item){
					.kind = CUT_PATH,
					.action = stays ? ACTION_RECORD : ACTION_MASK,
					.where = "root.path",
					.name = m->inside,
					.rule = m->rule,
					.why = m->why,
					.keep = arena_printf(w->arena, "paths: {allow: [%s]}",
							     printable(w->arena, m->inside,
								       PATH_SHOWN)),
				}) == ACTION_MASK)
			*(struct plan_mask *)arena_push(w->arena, p->masks, p->n_masks) =
				(struct plan_mask){ m->inside, m->type == FILE_DIRECTORY };
	}
}

static bool is_writable(struct plan_work *w, const struct mount *m)
{
	struct mount_opts o;
	struct err ignored;

	return mount_opts_read(w->arena, m, &o, &ignored) ||
	       !((o.attr_set | o.rec_set) & MOUNT_ATTR_RDONLY);
}

/* What is not there cannot be masked, and a place for a mask made on the host would change the home that is
 * to be protected: somebody has to know.
 */
static void note_writable_home(struct plan_work *w, size_t i)
{
	const struct mount *m = &w->b->mounts.v[i];
	const char *source = w->facts->mounts[i].source;
	struct judgement j;

	if (!m->is_bind || !source || w->facts->mounts[i].type != FILE_DIRECTORY)
		return;
	plan_judge_path(w->policy, source, &j);
	if (j.f.verdict == VERDICT_KEEP || j.action == ACTION_ALLOW || !j.f.is_ancestor ||
	    strcmp(j.f.rule, "path:home") != 0 || !is_writable(w, m))
		return;
	plan_cut(w, &(struct item){
			    .kind = CUT_PATH,
			    .action = ACTION_RECORD,
			    .at = m->at,
			    .name = place_inside(w, m->destination),
			    .rule = "path:writable-home",
			    .why = "credential files that are not there yet can be made in it",
			    .keep = arena_printf(w->arena, "paths: {allow: [%s]}",
						 printable(w->arena, source, PATH_SHOWN)),
		    });
}

/* Who enforces wants to know that there is nothing, and not that nothing was found. */
static void note_incomplete(struct plan_work *w)
{
	if (w->facts->scan_incomplete)
		plan_cut(w, &(struct item){
				    .kind = CUT_PATH,
				    .action = ACTION_RECORD,
				    .where = "scan",
				    .name = "(what was not looked at)",
				    .rule = "scan:incomplete",
				    .why = "the scan could not look everywhere (scan.max_files, or "
					   "a directory that the caller cannot read)",
			    });
}

/* A raw disk holds every file of the host, whoever may read them. */
static void plan_devices(struct plan_work *w)
{
	const struct linux_conf *l = &w->b->lin;
	struct plan *p = w->plan;
	size_t i;

	p->devices = arena_array(w->arena, l->n_devices, sizeof *p->devices);
	for (i = 0; i < l->n_devices; i++) {
		const struct device *d = &l->devices[i];
		bool memory = (d->type == 'c' || d->type == 'u') && d->major == 1 &&
			      (d->minor == 1 || d->minor == 2 || d->minor == 4);
		const struct policy_rule *rule = policy_path_rule(w->policy, d->path);

		if ((d->type == 'b' || memory) && !(rule && rule->action == RULE_ALLOW) &&
		    plan_cut(w,
			     &(struct item){
				     .kind = CUT_PATH,
				     .action = ACTION_REMOVE,
				     .at = d->at,
				     .name = d->path,
				     .rule = "path:raw-device",
				     .why = "it gives the contents of a whole disk or of memory",
				     .keep = arena_printf(w->arena, "paths: {allow: [%s]}",
							  printable(w->arena, d->path, PATH_SHOWN)),
			     }) == ACTION_REMOVE)
			continue;
		p->devices[p->n_devices++] = d;
	}
}

/* Where the root is the host's own, what is not mounted once more is still in it. */
static void mask_source(struct plan_work *w, size_t i)
{
	const struct mount_facts *mf = &w->facts->mounts[i];
	struct plan *p = w->plan;

	if (w->b->root.path && !strcmp(w->b->root.path, "/") && w->b->mounts.v[i].is_bind &&
	    mf->source)
		*(struct plan_mask *)arena_push(w->arena, p->masks, p->n_masks) =
			(struct plan_mask){ mf->source, mf->type == FILE_DIRECTORY };
}

void plan_mounts(struct plan_work *w)
{
	const struct mounts *ms = &w->b->mounts;
	const struct strings pointed = pointer_paths(w->arena, w->b, w->policy);
	struct plan *p = w->plan;
	size_t i;

	p->mounts = arena_array(w->arena, ms->n, sizeof *p->mounts);
	w->mount_goes = arena_array(w->arena, ms->n, sizeof *w->mount_goes);
	for (i = 0; i < ms->n; i++)
		if (!cut_mount(w, i, &pointed)) {
			p->mounts[p->n_mounts++] = &ms->v[i];
			if (!w->mount_goes[i])
				note_writable_home(w, i);
		} else {
			mask_source(w, i);
			if (is_host_memory(w, &ms->v[i], w->facts->mounts[i].source) &&
			    !strcmp(ms->v[i].destination, "/dev/shm"))
				add_own_memory(w, &ms->v[i]);
		}
	plan_devices(w);
	if (w->policy->scan_image != SCAN_OFF)
		mask_found(w, w->facts->root, w->facts->n_root, 0, "root.path");
	for (i = 0; i < ms->n && w->policy->scan_mounts != SCAN_OFF; i++)
		if (!w->mount_goes[i])
			mask_found(w, w->facts->mounts[i].found, w->facts->mounts[i].n_found, i + 1,
				   arena_printf(w->arena, "mounts[%zu]", i));
	mask_below_root(w);
	note_incomplete(w);
	p->private_mounts = w->policy->mode != MODE_OBSERVE;
}
