// SPDX-License-Identifier: Apache-2.0
/* credsbox features: what this runtime can do, as the specification has it. */
#include "cmd.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jsonw.h"
#include "../core/policy_keys.h"
#include "../sys/seccomp.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox features - show what this runtime can do\n"
	"\n"
	"USAGE:\n"
	"   credsbox features\n"
	"\n"
	"Prints the features document of the OCI runtime specification: versions, hooks, mount\n"
	"options, namespaces, capabilities, cgroups, seccomp, and annotations that change what is\n"
	"stripped. But for seccomp's supportedFlags, which the kernel decides, it is the same on\n"
	"every machine.\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_sorted(struct jsonw *w, const char *key, const char **names, size_t n)
{
	size_t i;

	if (n)
		qsort(names, n, sizeof *names, by_name);
	jsonw_key(w, key);
	jsonw_array(w);
	for (i = 0; i < n; i++)
		jsonw_string(w, names[i]);
	jsonw_end(w);
}

/* The names of a table, sorted; those alone that wanted() says yes to. */
static void write_names(struct arena *a, struct jsonw *w, const char *key, const struct name *table,
			bool (*wanted)(int value))
{
	const char **names = NULL;
	size_t n = 0;

	for (; table->name; table++)
		if (!wanted || wanted(table->value))
			*arena_push(a, names, n) = table->name;
	write_sorted(w, key, names, n);
}

static void write_mount_options(struct arena *a, struct jsonw *w)
{
	const struct mount_option *o;
	const char **names = NULL;
	size_t n = 0;

	for (o = mount_options; o->name; o++)
		*arena_push(a, names, n) = o->name;
	write_sorted(w, "mountOptions", names, n);
}

/* In the order of their lives, which is not that of the alphabet. */
static void write_hooks(struct jsonw *w)
{
	const struct name *n;

	jsonw_key(w, "hooks");
	jsonw_array(w);
	for (n = names_hooks; n->name; n++)
		jsonw_string(w, n->name);
	jsonw_end(w);
}

static void write_enabled(struct jsonw *w, const char *key, bool enabled)
{
	jsonw_key(w, key);
	jsonw_object(w);
	jsonw_kv_bool(w, "enabled", enabled);
	jsonw_end(w);
}

static bool has_flag(int flag)
{
	return seccomp_has_flag((unsigned)flag);
}

static bool has_arch(int arch)
{
	return seccomp_has_arch((enum seccomp_arch)arch);
}

static void write_seccomp(struct arena *a, struct jsonw *w)
{
	jsonw_key(w, "seccomp");
	jsonw_object(w);
	jsonw_kv_bool(w, "enabled", true);
	write_names(a, w, "actions", names_seccomp_actions, NULL);
	write_names(a, w, "operators", names_seccomp_ops, NULL);
	write_names(a, w, "archs", names_seccomp_archs, has_arch);
	write_names(a, w, "knownFlags", names_seccomp_flags, NULL);
	write_names(a, w, "supportedFlags", names_seccomp_flags, has_flag);
	jsonw_end(w);
}

static void write_linux(struct arena *a, struct jsonw *w)
{
	static const char *const cgroup[] = { "v1", "v2", "systemd", "systemdUser", "rdma" };
	size_t i;

	jsonw_key(w, "linux");
	jsonw_object(w);
	write_names(a, w, "namespaces", names_namespaces, NULL);
	write_names(a, w, "capabilities", names_capabilities, NULL);
	jsonw_key(w, "cgroup");
	jsonw_object(w);
	for (i = 0; i < sizeof cgroup / sizeof *cgroup; i++)
		jsonw_kv_bool(w, cgroup[i], true);
	jsonw_end(w);
	write_seccomp(a, w);
	write_enabled(w, "apparmor", true);
	write_enabled(w, "selinux", true);
	write_enabled(w, "intelRdt", false);
	jsonw_key(w, "memoryPolicy");
	jsonw_object(w);
	write_names(a, w, "modes", names_memory_modes, NULL);
	write_names(a, w, "flags", names_memory_flags, NULL);
	jsonw_end(w);
	jsonw_key(w, "mountExtensions");
	jsonw_object(w);
	write_enabled(w, "idmap", true);
	jsonw_end(w);
	write_enabled(w, "netDevices", true);
	jsonw_end(w);
}

/* What lets a bundle change what is stripped; an engine may ask before it passes these on. */
static void write_unsafe(struct arena *a, struct jsonw *w)
{
	const struct annotation_info *i;

	jsonw_key(w, "potentiallyUnsafeConfigAnnotations");
	jsonw_array(w);
	for (i = policy_annotations; i->name; i++)
		jsonw_string(w, arena_printf(a, POLICY_ANNOTATION_PREFIX "%s", i->name));
	jsonw_end(w);
}

static const char *features(struct arena *a)
{
	struct jsonw *w = jsonw_new(a, true);

	jsonw_object(w);
	jsonw_kv(w, "ociVersionMin", "1.0.0");
	jsonw_kv(w, "ociVersionMax", "1.3.0");
	write_hooks(w);
	write_mount_options(a, w);
	write_linux(a, w);
	jsonw_key(w, "annotations");
	jsonw_object(w);
	jsonw_kv(w, POLICY_ANNOTATION_PREFIX "version", VERSION);
	jsonw_kv(w, "io.github.seccomp.libseccomp.version", seccomp_library(a));
	jsonw_kv(w, "org.opencontainers.runc.checkpoint.enabled", "false");
	jsonw_end(w);
	write_unsafe(a, w);
	jsonw_end(w);
	return arena_printf(a, "%s\n", jsonw_text(w, NULL));
}

int cmd_features(const struct global *g, int argc, char **argv)
{
	struct arena a = { 0 };
	const char *text;
	int c, rc;

	(void)g;
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (c == 'h')
			return cmd_print("features", usage, sizeof usage - 1);
		return cmd_bad_option("features", c, argv);
	}
	if (optind < argc)
		return cmd_usage("features", "too many arguments");
	text = features(&a);
	rc = cmd_print("features", text, strlen(text));
	arena_release(&a);
	return rc;
}
