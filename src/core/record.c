// SPDX-License-Identifier: Apache-2.0
/* A plan as audit records: JSON lines, each with the hash of the line before it. */
#include "record.h"

#include <string.h>

#include "../base/jsonw.h"
#include "../base/str.h"
#include "../base/banned.h"

enum { LINES_MAX = 64 * 1024 * 1024, NAME_MAX_SHOWN = 253, TEXT_MAX_SHOWN = 1024 };

/* At worst each byte is escaped by six, of a cut's three texts or a start's four names. */
_Static_assert(6 * (3 * TEXT_MAX_SHOWN + 4 * NAME_MAX_SHOWN + 1024) < RECORD_LINE_MAX,
	       "a line has an end");

/* What podman, CRI-O and containerd call a container, by the annotations they set. */
static const struct {
	const char *key, *field;
} engine_names[] = {
	{ "io.kubernetes.pod.name", "pod" },
	{ "io.kubernetes.cri.sandbox-name", "pod" },
	{ "io.kubernetes.pod.namespace", "namespace" },
	{ "io.kubernetes.cri.sandbox-namespace", "namespace" },
	{ "io.kubernetes.container.name", "name" },
	{ "io.kubernetes.cri.container-name", "name" },
	{ "io.kubernetes.cri-o.ContainerName", "name" },
	{ "io.podman.annotations.name", "name" },
	{ "io.kubernetes.cri-o.ImageName", "image" },
	{ "io.kubernetes.cri.image-name", "image" },
	{ "org.opencontainers.image.ref.name", "image" },
};

/* Modes that change nothing leave it among the annotations. */
static bool is_cut(const struct plan *p, const struct pair *annotation)
{
	size_t i;

	for (i = 0; i < p->n_cuts; i++)
		if (p->cuts[i].at == annotation->at)
			return true;
	return false;
}

static void add_engine_names(struct jsonw *w, const struct plan *p)
{
	const char *last = "";
	struct finding f;
	size_t k, i;

	for (k = 0; k < sizeof engine_names / sizeof engine_names[0]; k++)
		for (i = 0; i < p->n_annotations && strcmp(last, engine_names[k].field); i++) {
			const struct pair *a = p->annotations[i];
			size_t len = strlen(a->value);

			if (strcmp(a->key, engine_names[k].key) || len > NAME_MAX_SHOWN ||
			    detect_value(a->value, len, &f) != VERDICT_KEEP || is_cut(p, a))
				continue;
			last = engine_names[k].field;
			jsonw_kv(w, last, a->value);
		}
}

/* What is longer already has its end cut off where it comes from: this holds whatever that does. */
static void add_text(struct jsonw *w, const char *key, const char *text)
{
	jsonw_key(w, key);
	jsonw_stringn(w, text, strnlen(text, TEXT_MAX_SHOWN));
}

static void line_begin(struct jsonw *w, const struct record_context *ctx,
		       const struct record_chain *chain, const char *event)
{
	jsonw_restart(w);
	jsonw_object(w);
	jsonw_kv(w, "time", ctx->time);
	jsonw_kv_int(w, "seq", (int64_t)chain->seq);
	jsonw_kv(w, "event", event);
	add_text(w, "container", ctx->id);
}

static void line_end(struct str *out, struct jsonw *w, struct record_chain *chain)
{
	char hex[2 * HASH_SIZE + 1];
	const char *line;
	size_t len;

	hash_hex(chain->last, sizeof chain->last, hex);
	jsonw_kv(w, "prev", hex);
	jsonw_end(w);
	line = jsonw_text(w, &len);
	hash_sha256(line, len, chain->last);
	chain->seq++;
	str_addn(out, line, len);
	str_add(out, "\n");
}

static void add_cut(struct jsonw *w, const struct cut *c)
{
	static const uint8_t none[sizeof c->fingerprint];
	char hex[2 * sizeof c->fingerprint + 1];

	jsonw_kv(w, "kind", cut_kind_name(c->kind));
	add_text(w, "where", c->where);
	add_text(w, "name", c->name);
	add_text(w, "rule", c->rule);
	jsonw_kv(w, "action", cut_action_name(c->action));
	if (!memcmp(c->fingerprint, none, sizeof none))
		return;
	hash_hex(c->fingerprint, sizeof c->fingerprint, hex);
	jsonw_kv_int(w, "length", (int64_t)c->length);
	jsonw_kv(w, "fingerprint", hex);
}

static void add_withheld(struct jsonw *w, const struct plan *p)
{
	uint64_t withheld = plan_caps_withheld(p);
	const struct name *cap;

	if (!withheld)
		return;
	jsonw_key(w, "capabilitiesWithheld");
	jsonw_array(w);
	for (cap = names_capabilities; cap->name; cap++)
		if (withheld & UINT64_C(1) << cap->value)
			jsonw_string(w, cap->name);
	jsonw_end(w);
}

static void add_scopes(struct jsonw *w, const struct landlock_rules *r)
{
	uint32_t scoped = r->abi < LL_SCOPE_ABI ? 0 : r->scoped;

	jsonw_key(w, "landlockScopes");
	jsonw_array(w);
	if (scoped & LL_SCOPE_ABSTRACT)
		jsonw_string(w, "abstract-unix-socket");
	if (scoped & LL_SCOPE_SIGNAL)
		jsonw_string(w, "signal");
	jsonw_end(w);
}

/* What the program is held by: all of it is in force before it runs, or it does not run. */
static void add_protections(struct jsonw *w, const struct plan *p)
{
	const struct user *user = &p->bundle->process.user;

	jsonw_kv_int(w, "uid", user->uid);
	jsonw_kv_int(w, "gid", user->gid);
	jsonw_kv_bool(w, "noNewPrivs", p->no_new_privs);
	jsonw_kv(w, "landlockAsked", policy_word(p->policy, KEY_LANDLOCK));
	jsonw_kv_int(w, "landlock", p->landlock.abi);
	add_scopes(w, &p->landlock);
}

static void add_start(struct jsonw *w, const struct plan *p, const struct record_context *ctx)
{
	size_t k;

	jsonw_kv(w, "command", ctx->command);
	add_engine_names(w, p);
	jsonw_kv(w, "mode", policy_mode_name(p->policy->mode));
	jsonw_kv_int(w, "cuts", (int64_t)p->n_cuts);
	add_protections(w, p);
	jsonw_key(w, "seccomp");
	jsonw_object(w);
	jsonw_kv(w, "floor", policy_floor_name(p->floor));
	jsonw_kv(w, "profile", plan_profile_name(p->profile));
	jsonw_end(w);
	jsonw_kv_bool(w, "scanIncomplete", p->facts->scan_incomplete);
	jsonw_key(w, "namespaces");
	jsonw_array(w);
	for (k = 0; k < NS_COUNT; k++)
		if (p->ns[k].listed)
			jsonw_string(w, ns_name((enum ns_type)k));
	jsonw_end(w);
	add_withheld(w, p);
}

const char *record_lines(struct arena *a, const struct plan *p, const struct record_context *ctx,
			 struct record_chain *chain, size_t *len)
{
	struct jsonw *w = jsonw_new(a, false);
	struct str out;
	size_t i;

	str_init(&out, a, LINES_MAX);
	if (p->unsafe) {
		line_begin(w, ctx, chain, "unsafe");
		jsonw_kv(w, "command", ctx->command);
		jsonw_kv(w, "what", p->unsafe);
		line_end(&out, w, chain);
		if (len)
			*len = out.len;
		return out.s;
	}
	for (i = 0; i < p->n_cuts; i++) {
		line_begin(w, ctx, chain, "cut");
		add_cut(w, &p->cuts[i]);
		line_end(&out, w, chain);
	}
	line_begin(w, ctx, chain, p->refused ? "refuse" : "start");
	add_start(w, p, ctx);
	line_end(&out, w, chain);
	if (len)
		*len = out.len;
	return out.overflow ? NULL : out.s;
}
