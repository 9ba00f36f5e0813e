// SPDX-License-Identifier: Apache-2.0
/* Control groups that systemd makes: a scope for each container, in a slice. */
#include "cgroup_systemd.h"

#include <errno.h>
#include <string.h>

#include "cgroup_find.h"
#include "cgroup_impl.h"
#include "cgroup_v2.h"
#include "../base/str.h"
#include "../core/chars.h"
#include "../base/banned.h"

enum { NAME_SHOWN = 100, UNIT_MAX = 255 };

static bool is_slice(const char *name)
{
	return text_ends(name, strlen(name), ".slice");
}

static int bad_slice(struct arena *a, const char *slice, struct err *e)
{
	return fail(e, 0, "linux.cgroupsPath: invalid slice name: %s",
		    printable(a, slice, NAME_SHOWN));
}

/* systemd writes the tree of slices with dashes: what stands before one is the slice above. */
int cg_slice_path(struct arena *a, const char *slice, const char **path, struct err *e)
{
	size_t len = strlen(slice), i;
	struct str s;

	if (!is_slice(slice) || len == strlen(".slice") || strchr(slice, '/'))
		return bad_slice(a, slice, e);
	*path = "/";
	if (!strcmp(slice, "-.slice"))
		return 0;
	len -= strlen(".slice");
	str_init(&s, a, 4096);
	for (i = 0; i <= len; i++) {
		if (i < len && slice[i] != '-')
			continue;
		if (!i || slice[i - 1] == '-')
			return bad_slice(a, slice, e);
		str_printf(&s, "/%.*s.slice", (int)i, slice);
	}
	if (s.overflow)
		return bad_slice(a, slice, e);
	*path = s.s;
	return 0;
}

/* What systemd takes in the name of a unit. */
static bool is_unit_text(const char *text)
{
	for (; *text; text++)
		if (!is_alnum(*text) && !strchr(":-_.\\@", *text))
			return false;
	return true;
}

/* An id may have a plus sign, which systemd writes as "\x2b". */
static const char *escape(struct arena *a, const char *id)
{
	struct str s;

	str_init(&s, a, UNIT_MAX * 4);
	for (; *id; id++)
		if (*id == '+')
			str_add(&s, "\\x2b");
		else
			str_addn(&s, id, 1);
	return s.s;
}

int cg_unit_names(struct arena *a, const struct cgroup_wish *w, bool user, const char **slice,
		  const char **unit, struct err *e)
{
	char *rest = arena_strdup(a, w->path ? w->path : ""), *parts[3];
	const char *path;

	*slice = user ? "user.slice" : "system.slice";
	*unit = arena_printf(a, "credsbox-%s.scope", escape(a, w->id));
	if (*rest) {
		parts[0] = strsep(&rest, ":");
		parts[1] = strsep(&rest, ":");
		parts[2] = strsep(&rest, ":");
		if (!parts[2] || rest || !*parts[2])
			return fail(e, 0,
				    "linux.cgroupsPath: expected cgroupsPath to be of format "
				    "\"slice:prefix:name\" for systemd cgroups");
		if (is_slice(parts[2]))
			return fail(e, 0, "linux.cgroupsPath: a container cannot be a slice");
		if (*parts[0])
			*slice = parts[0];
		*unit = *parts[1] ? arena_printf(a, "%s-%s.scope", parts[1], parts[2])
				  : arena_printf(a, "%s.scope", parts[2]);
	}
	if (!is_unit_text(*unit) || !is_unit_text(*slice) || strlen(*unit) > UNIT_MAX)
		return fail(e, 0, "linux.cgroupsPath: not the name of a unit of systemd");
	return cg_slice_path(a, *slice, &path, e);
}

/* Below the manager's own cgroup, which is the root for the system's as a rule. */
int cg_systemd_find(struct arena *a, const struct cgroup_wish *w, struct cgroup *cg,
		    const char **path, struct err *e)
{
	const char *slice_path, *top = NULL;
	struct cg_bus *bus;
	int rc;

	if (cg_unit_names(a, w, cg->unprivileged, &cg->slice, &cg->unit, e) ||
	    cg_slice_path(a, cg->slice, &slice_path, e) ||
	    cg_bus_open(a, cg->unprivileged, &bus, e))
		return -1;
	rc = cg_bus_manager(a, bus, "ControlGroup", &top, e);
	cg_bus_close(bus);
	if (rc)
		return -1;
	*path = cg_clean(a, arena_printf(a, "%s/%s/%s", top, slice_path, cg->unit));
	cg->systemd = true;
	return 0;
}

static unsigned version_of(struct arena *a, struct cg_bus *bus)
{
	const char *text;
	struct err e;
	uint64_t n;

	/* "252.39-1~deb12u1", "v255" */
	if (cg_bus_manager(a, bus, "Version", &text, &e))
		return 0;
	text += *text == 'v';
	return parse_u64(text, strspn(text, "0123456789"), &n) && n < 10000 ? (unsigned)n : 0;
}

static bool needs_version(const struct resources *r)
{
	return r->cpu.idle.set || r->unified.n;
}

static int start_scope(struct arena *a, const struct cgroup *cg, struct resources *r, pid_t pid,
		       struct err *e)
{
	struct cg_props props = { 0 };
	struct cg_bus *bus;
	int rc;

	if (cg_bus_open(a, cg->unprivileged, &bus, e))
		return -1;
	cg_scope_props(a, cg, cg->wish.id, pid, &props);
	rc = cg_limit_props(a, cg->mode, needs_version(r) ? version_of(a, bus) : 0, r, &props, e);
	if (!rc && !cg->unprivileged)
		rc = cg_device_props(a, r, &props, e);
	if (!rc)
		rc = cg_bus_start(a, bus, cg->unit, &props, e);
	cg_bus_close(bus);
	return rc;
}

/* systemd joins the controllers that it knows and has a use for: v1's others are joined here. */
static int join_rest(struct arena *a, const struct cgroup *cg, const struct resources *r, pid_t pid,
		     struct err *e)
{
	const struct cgroup_dir *d;
	size_t i, made;

	for (i = 0; i < cg->n_dirs; i++) {
		d = &cg->dirs[i];
		if (!*d->controllers) {
			if (cg->mode == CGROUP_V2 &&
			    cg_v2_prepare(a, d, cg_has_domain_limits(r), e))
				return -1;
			continue;
		}
		if (!strcmp(d->controllers, "name=systemd"))
			continue;
		if (cg_mkdir(a, d, &made, e) ||
		    (cg_list_has(d->controllers, ',', "cpuset") && cg_v1_fill_cpuset(a, d, r, e)) ||
		    cg_add_to(a, d, pid, e)) {
			if (cg->unprivileged)
				continue;
			return -1;
		}
	}
	return 0;
}

int cg_systemd_add(struct arena *a, const struct cgroup *cg, pid_t pid, struct err *e)
{
	struct resources r = { 0 };

	if (cg->wish.resources)
		r = *cg->wish.resources;
	if (cg_check_unified(cg, &r, e) || start_scope(a, cg, &r, pid, e))
		return -1;
	return join_rest(a, cg, &r, pid, e) || cg_apply(a, cg, &r, true, e) ? -1 : 0;
}

/* Quota and period are one to systemd: the one that is not given is what it is now. */
static void complete_quota(struct arena *a, const struct cgroup *cg, struct resources *r)
{
	const struct cgroup_dir *v1 = cg_dir(cg, "cpu"), *v2 = cg_dir(cg, "");
	const char *quota = NULL, *period = NULL;
	struct err e;

	if (!r->cpu.quota.v == !r->cpu.period.v)
		return;
	if (v1) {
		if (cg_read(a, v1, "cpu.cfs_quota_us", &quota, &e) ||
		    cg_read(a, v1, "cpu.cfs_period_us", &period, &e))
			return;
	} else {
		if (!v2 || cg_read(a, v2, "cpu.max", &quota, &e) || !(period = strchr(quota, ' ')))
			return;
		quota = arena_strndup(a, quota, (size_t)(period++ - quota));
	}
	if (!r->cpu.quota.v && !parse_i64(quota, strlen(quota), &r->cpu.quota.v))
		r->cpu.quota.v = -1;
	if (!r->cpu.period.v)
		parse_u64(period, strlen(period), &r->cpu.period.v);
}

int cg_systemd_update(struct arena *a, const struct cgroup *cg, const struct resources *limits,
		      struct err *e)
{
	struct resources r = *limits;
	struct cg_props props = { 0 };
	struct cg_bus *bus;
	int rc;

	/* Before systemd obeys: a limit below what is used now kills. */
	if (cg->mode == CGROUP_V2 && cg->n_dirs && cg_v2_check_memory(a, &cg->dirs[0], &r, e))
		return -1;
	complete_quota(a, cg, &r);
	if (cg_bus_open(a, cg->unprivileged, &bus, e))
		return -1;
	rc = cg_limit_props(a, cg->mode, needs_version(&r) ? version_of(a, bus) : 0, &r, &props, e);
	if (!rc && props.n)
		rc = cg_bus_set(bus, cg->unit, &props, e);
	cg_bus_close(bus);
	return rc ? -1 : cg_apply(a, cg, &r, false, e);
}

int cg_systemd_stop(struct arena *a, const struct cgroup *cg, struct err *e)
{
	struct cg_bus *bus;
	int rc;

	if (cg_bus_open(a, cg->unprivileged, &bus, e))
		return -1;
	rc = cg_bus_stop(a, bus, cg->unit, e);
	cg_bus_close(bus);
	return rc;
}
