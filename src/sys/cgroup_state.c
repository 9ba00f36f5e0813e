// SPDX-License-Identifier: Apache-2.0
/* Control groups: how they stand in a container's state file. */
#include "cgroup.h"

#include <string.h>

#include "../base/banned.h"

static const struct name modes[] = {
	{ "none", CGROUP_NONE }, { "v1", CGROUP_V1 }, { "hybrid", CGROUP_HYBRID },
	{ "v2", CGROUP_V2 },     { NULL, 0 },
};

void cgroup_write(struct jsonw *w, const struct cgroup *cg)
{
	size_t i;

	jsonw_object(w);
	jsonw_kv(w, "mode", name_of(modes, cg->mode));
	jsonw_kv_bool(w, "systemd", cg->systemd);
	jsonw_kv_bool(w, "unprivileged", cg->unprivileged);
	if (cg->unit)
		jsonw_kv(w, "unit", cg->unit);
	if (cg->slice)
		jsonw_kv(w, "slice", cg->slice);
	jsonw_key(w, "dirs");
	jsonw_array(w);
	for (i = 0; i < cg->n_dirs; i++) {
		jsonw_object(w);
		jsonw_kv(w, "controllers", cg->dirs[i].controllers);
		jsonw_kv(w, "mount", cg->dirs[i].mount);
		jsonw_kv(w, "path", cg->dirs[i].path);
		jsonw_end(w);
	}
	jsonw_end(w);
	jsonw_end(w);
}

static const char *get_text(const struct json *obj, const char *key)
{
	const struct json *v = json_get(obj, key);

	return v && v->type == JSON_STRING ? v->text : NULL;
}

static bool get_bool(const struct json *obj, const char *key)
{
	const struct json *v = json_get(obj, key);

	return v && v->type == JSON_BOOL && !strcmp(v->text, "true");
}

/* A damaged file must not make us kill or remove anything above a container. */
static bool is_below(const char *path)
{
	return path && path[0] == '/' && path[1] && !strstr(path, "/../") && !strstr(path, "//") &&
	       !(strlen(path) >= 3 && !strcmp(path + strlen(path) - 3, "/.."));
}

static int read_dirs(const struct json *list, struct cgroup *cg, struct err *e)
{
	const struct json *v;
	struct cgroup_dir *d;

	if (!list || list->type != JSON_ARRAY || list->count > CGROUP_CONTROLLERS)
		return fail(e, 0, "state: cgroup.dirs: damaged");
	for (v = list->first; v; v = v->next) {
		d = &cg->dirs[cg->n_dirs++];
		d->controllers = get_text(v, "controllers");
		d->mount = get_text(v, "mount");
		d->path = get_text(v, "path");
		if (!d->controllers || !is_below(d->mount) || !is_below(d->path))
			return fail(e, 0, "state: cgroup.dirs[%zu]: damaged", v->index);
	}
	return 0;
}

int cgroup_read(struct arena *a, const struct json *obj, struct cgroup *cg, struct err *e)
{
	const char *mode = get_text(obj, "mode");
	const struct name *m = mode ? name_find(modes, mode) : NULL;
	size_t i;

	(void)a;
	*cg = (struct cgroup){ .mode = CGROUP_NONE };
	for (i = 0; i < CGROUP_CONTROLLERS; i++)
		cg->fds[i] = -1;
	if (!m)
		return fail(e, 0, "state: cgroup: damaged");
	cg->mode = (enum cgroup_mode)m->value;
	cg->systemd = get_bool(obj, "systemd");
	cg->unprivileged = get_bool(obj, "unprivileged");
	cg->unit = get_text(obj, "unit");
	cg->slice = get_text(obj, "slice");
	if (cg->systemd && !cg->unit)
		return fail(e, 0, "state: cgroup.unit: damaged");
	return read_dirs(json_get(obj, "dirs"), cg, e);
}
