// SPDX-License-Identifier: Apache-2.0
/* An existing container, as the commands find it. */
#include "container.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/jsonw.h"
#include "../core/names.h"
#include "../base/banned.h"

enum { PASSWD_MAX = 1024 * 1024, STATUS_MAX = 64 * 1024 };

int container_root(const struct global *g, bool make, struct err *e)
{
	if (!g->root)
		return fail(e, 0, "no state directory (set XDG_RUNTIME_DIR, or give --root)");
	return state_root(g->root, make, e);
}

static int open_one(const struct global *g, const char *id, struct container *c, struct err *e)
{
	const char *bad = state_bad_id(id);

	*c = (struct container){ .root = -1, .state.dir = -1 };
	if (bad)
		return fail(e, 0, "%s", bad);
	c->root = container_root(g, false, e);
	if (c->root < 0 && e->errnum == ENOENT) {
		fail(e, 0, "container does not exist");
		e->errnum = ENOENT;
	}
	return c->root < 0 ? -1 : state_open(c->root, id, &c->state, e);
}

/* A cgroup that cannot be read is an error only to those who need it. */
static void look(struct arena *a, struct container *c)
{
	const struct json *cg = json_get(c->state.doc, "cgroup");
	struct err ignored;

	c->has_cgroup = cg && !cgroup_read(a, cg, &c->cgroup, &ignored);
	c->status = container_status(a, c);
}

int container_find(struct arena *a, const struct global *g, const char *id, struct container *c,
		   struct err *e)
{
	if (open_one(g, id, c, e) || state_read(a, &c->state, false, e)) {
		container_close(c);
		return -1;
	}
	look(a, c);
	return 0;
}

int container_look(struct arena *a, int root, const char *id, struct container *c, struct err *e)
{
	*c = (struct container){ .root = -1 };
	if (state_load(a, root, id, true, &c->state, e))
		return -1;
	look(a, c);
	return 0;
}

int container_take(struct arena *a, const struct global *g, const char *id, bool any_state,
		   struct container *c, struct err *e)
{
	if (open_one(g, id, c, e) || state_lock(&c->state, e) ||
	    state_read(a, &c->state, any_state, e)) {
		container_close(c);
		return -1;
	}
	look(a, c);
	return 0;
}

void container_close(struct container *c)
{
	state_close(&c->state);
	fd_cleanup(&c->root);
}

enum status container_status(struct arena *a, struct container *c)
{
	enum status st = state_status(&c->state);

	if ((st == STATUS_CREATED || st == STATUS_RUNNING) && c->has_cgroup &&
	    cgroup_is_frozen(a, &c->cgroup))
		return STATUS_PAUSED;
	return st;
}

bool container_has_namespace(const struct state *s, enum ns_type t)
{
	const struct json *list = json_get(s->doc, "namespaces"), *v;

	if (!list || list->type != JSON_ARRAY)
		return false;
	for (v = list->first; v; v = v->next)
		if (v->type == JSON_STRING && !strcmp(v->text, ns_name(t)))
			return true;
	return false;
}

/* The last of the numbers that it has, from our namespace inwards: "NSpid:\t4711\t1". */
bool container_is_first(struct arena *a, const struct state *s)
{
	const char *text, *line;
	struct err ignored;
	size_t len;

	if (file_read(a, arena_printf(a, "/proc/%d/status", (int)s->pid), false, STATUS_MAX, &text,
		      &len, &ignored))
		return false;
	line = strstr(text, "\nNSpid:");
	if (!line)
		return false;
	len = strcspn(line + 1, "\n");
	return len >= 2 && !memcmp(line + 1 + len - 2, "\t1", 2);
}

/* NULL-ended, for whoever passes it to execve(). */
static int read_strings(struct arena *a, const struct json *v, const char ***out, size_t *n,
			struct err *e)
{
	const struct json *item;

	*out = NULL;
	*n = 0;
	if (v && v->type != JSON_ARRAY)
		return fail(e, 0, "expected an array");
	for (item = v ? v->first : NULL; item; item = item->next) {
		if (item->type != JSON_STRING)
			return fail(e, 0, "expected strings");
		*arena_push(a, *out, *n) = item->text;
	}
	*arena_push(a, *out, *n) = NULL;
	--*n;
	return 0;
}

static int read_hook(struct arena *a, const struct json *v, struct plan_hook *out, struct err *e)
{
	struct hook *h = arena_alloc(a, sizeof *h);
	const struct json *path = json_get(v, "path"), *timeout = json_get(v, "timeout");
	const char **args;
	uint64_t secs = 0;
	size_t i, n;

	if (!path || path->type != JSON_STRING || path->text[0] != '/')
		return fail(e, 0, "path: expected an absolute path");
	if (timeout && (timeout->type != JSON_NUMBER ||
			!parse_u64(timeout->text, timeout->len, &secs) || secs > UINT32_MAX))
		return fail(e, 0, "timeout: expected a number");
	if (read_strings(a, json_get(v, "args"), &args, &n, e))
		return fail_in(e, "args");
	if (read_strings(a, json_get(v, "env"), &out->env, &out->n_env, e))
		return fail_in(e, "env");
	h->path = path->text;
	h->timeout = (struct opt_u32){ .set = timeout, .v = (uint32_t)secs };
	h->at = v;
	for (i = 0; i < n; i++)
		*arena_push(a, h->args.v, h->args.n) = (struct arg){ .text = args[i] };
	out->hook = h;
	return 0;
}

int container_hooks(struct arena *a, const struct state *s, enum hook_kind kind,
		    struct plan_hook **hooks, size_t *n, struct err *e)
{
	const struct json *list = json_get(json_get(s->doc, "hooks"), hook_name(kind)), *v;
	struct plan_hook *h;

	*hooks = NULL;
	*n = 0;
	if (list && list->type != JSON_ARRAY)
		return fail(e, 0, "state: hooks.%s: expected an array", hook_name(kind));
	for (v = list ? list->first : NULL; v; v = v->next) {
		h = arena_push(a, *hooks, *n);
		if (read_hook(a, v, h, e))
			return fail_in(e, "state: hooks.%s[%zu]", hook_name(kind), v->index);
	}
	return 0;
}

static bool field_is(const char *s, size_t len, uint32_t want)
{
	uint64_t n;

	return parse_u64(s, len, &n) && n == want;
}

/* The file alone: getpwuid() would load whatever nsswitch.conf names. */
const char *container_owner(struct arena *a, uint32_t uid)
{
	const char *text = "", *line, *end, *name_end, *id;
	struct err ignored;
	size_t len = 0;

	if (file_read(a, "/etc/passwd", false, PASSWD_MAX, &text, &len, &ignored))
		return arena_printf(a, "%u", uid);
	for (line = text; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		name_end = memchr(line, ':', (size_t)(end - line));
		id = name_end ? memchr(name_end + 1, ':', (size_t)(end - name_end - 1)) : NULL;
		if (id && name_end > line && field_is(id + 1, strcspn(id + 1, ":\n"), uid))
			return arena_strndup(a, line, (size_t)(name_end - line));
	}
	return arena_printf(a, "%u", uid);
}

const char *container_state_json(struct arena *a, const struct state *s, enum status status,
				 pid_t pid, bool pretty)
{
	struct jsonw *w = jsonw_new(a, pretty);
	size_t i;

	jsonw_object(w);
	jsonw_kv(w, "ociVersion", s->oci_version ? s->oci_version : "");
	jsonw_kv(w, "id", s->id);
	jsonw_kv_int(w, "pid", pid);
	jsonw_kv(w, "status", status_name(status));
	jsonw_kv(w, "bundle", s->bundle ? s->bundle : "");
	jsonw_kv(w, "rootfs", s->rootfs ? s->rootfs : "");
	jsonw_kv(w, "created", s->created ? s->created : "");
	if (s->annotations.n) {
		jsonw_key(w, "annotations");
		jsonw_object(w);
		for (i = 0; i < s->annotations.n; i++)
			jsonw_kv(w, s->annotations.v[i].key, s->annotations.v[i].value);
		jsonw_end(w);
	}
	jsonw_kv(w, "owner", s->bundle ? container_owner(a, s->owner) : "");
	jsonw_end(w);
	return jsonw_text(w, NULL);
}
