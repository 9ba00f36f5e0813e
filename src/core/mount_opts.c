// SPDX-License-Identifier: Apache-2.0
/* A mount's options, sorted by the kernel interface that takes each. */
#include "mount_opts.h"

#include <string.h>
#include <sys/mount.h>

#include "names.h"
#include "../base/banned.h"

static const size_t max_propagation = sizeof((struct mount_opts){ 0 }).propagation /
				      sizeof((struct mount_opts){ 0 }).propagation[0];

/* A later option takes back what an earlier one asked for. Settings of access times are a number
 * and not bits: the kernel wants the whole field among those to clear when it is set.
 */
static void add_attr(uint64_t *set, uint64_t *clear, const struct mount_option *o)
{
	*set = (*set & ~o->attr_clear) | o->attr_set;
	*clear = (*clear | o->attr_clear) & ~(o->attr_set & ~(uint64_t)MOUNT_ATTR__ATIME);
}

static int add_known(struct arena *a, const struct mount_option *o, struct mount_opts *out,
		     struct err *e)
{
	out->flags = (out->flags & ~o->clear) | o->set;
	if (o->recursive)
		add_attr(&out->rec_set, &out->rec_clear, o);
	else
		add_attr(&out->attr_set, &out->attr_clear, o);
	if (o->of_super)
		*arena_push(a, out->super.v, out->super.n) = o->name;
	if (o->propagation) {
		if (out->n_propagation == max_propagation)
			return fail(e, 0, "more than %zu kinds of propagation", max_propagation);
		out->propagation[out->n_propagation++] = o->propagation;
	}
	switch (o->special) {
	case MOUNT_PLAIN: break;
	case MOUNT_TMPCOPYUP: out->tmpcopyup = true; break;
	case MOUNT_IDMAP:
		out->idmap = true;
		out->idmap_recursive = o->recursive;
		break;
	}
	return 0;
}

/* Up to a comma that is neither quoted, as in labels, nor behind a backslash, as in paths. */
static size_t piece_len(const char *s)
{
	bool quoted = false;
	size_t n;

	for (n = 0; s[n] && (s[n] != ',' || quoted); n++) {
		if (s[n] == '"')
			quoted = !quoted;
		else if (s[n] == '\\' && s[n + 1])
			n++;
	}
	return n;
}

/* mount(2) gets all options as one text, so that an entry may hold several of them. */
static void add_data(struct arena *a, const char *s, struct mount_opts *out)
{
	size_t n;

	for (; *s; s += n, s += *s == ',') {
		n = piece_len(s);
		if (n)
			*arena_push(a, out->data.v, out->data.n) = arena_strndup(a, s, n);
	}
}

int mount_opts_read(struct arena *a, const struct mount *m, struct mount_opts *o, struct err *e)
{
	const struct mount_option *known;
	size_t i;

	*o = (struct mount_opts){ .flags = m->is_bind ? MS_BIND : 0 };
	for (i = 0; i < m->options.n; i++) {
		known = mount_option_find(m->options.v[i]);
		if (!known && !strncmp(m->options.v[i], "idmap=", 6))
			return fail(
				e, 0,
				"option 'idmap' takes no value (give uidMappings, gidMappings)");
		if (!known)
			add_data(a, m->options.v[i], o);
		else if (add_known(a, known, o, e))
			return -1;
	}
	o->idmap |= m->uid_maps.n != 0;
	return 0;
}
