// SPDX-License-Identifier: Apache-2.0
/* Tests of the bundle reader: what it refuses and in which words, and that words never leak. */
#include "../src/core/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/fd.h"
#include "../src/base/str.h"
#include "bundle_cases.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define SEEDS "tests/fuzz/seeds/bundle/"

static const char *load(struct arena *a, const char *name, size_t *len)
{
	const char *srcdir = getenv("srcdir"), *text = NULL;
	struct err e;

	if (file_read(a, arena_printf(a, "%s/%s", srcdir ? srcdir : ".", name), false,
		      JSON_MAX_SIZE, &text, len, &e))
		BAIL_OUT("%s", e.text);
	return text;
}

/* The error's text, or "" when all was read. */
static const char *read_text(struct arena *a, const char *text, size_t len, struct bundle *b)
{
	const struct json *top;
	struct err e = { 0 };

	*b = (struct bundle){ 0 };
	if (json_parse(a, text, len, &top, &e))
		return arena_printf(a, "json: %s", e.text);
	return bundle_read(a, top, b, &e) ? arena_strdup(a, e.text) : "";
}

static const char *document(struct arena *a, enum bundle_part part, const char *text)
{
	char *doc = NULL, *p;

#define SOUND "{'ociVersion':'1.2.0','root':{'path':'rootfs'},"
	switch (part) {
	case WHOLE: doc = arena_strdup(a, text); break;
	case TOP: doc = arena_printf(a, SOUND "%s}", text); break;
	case PROCESS:
		doc = arena_printf(a, SOUND "'process':{'args':['sh'],'cwd':'/',%s}}", text);
		break;
	case LINUX: doc = arena_printf(a, SOUND "'linux':{%s}}", text); break;
	case SECCOMP:
		doc = arena_printf(a,
				   SOUND
				   "'linux':{'seccomp':{'defaultAction':'SCMP_ACT_ERRNO',%s}}}",
				   text);
		break;
	case RESOURCES: doc = arena_printf(a, SOUND "'linux':{'resources':{%s}}}", text); break;
	}
	for (p = doc; (p = strchr(p, '\'')); p++)
		*p = '"';
	return doc;
}

static const char *read_case(struct arena *a, enum bundle_part part, const char *text,
			     struct bundle *b)
{
	const char *doc = document(a, part, text);

	return read_text(a, doc, strlen(doc), b);
}

static void test_cases(void)
{
	struct bundle b;
	size_t i;

	for (i = 0; i < COUNT(refused); i++) {
		struct arena a = { 0 };

		is(read_case(&a, refused[i].part, refused[i].text, &b), refused[i].error,
		   "%s is refused", refused[i].text);
		arena_release(&a);
	}
	for (i = 0; i < COUNT(accepted); i++) {
		struct arena a = { 0 };

		is(read_case(&a, accepted[i].part, accepted[i].text, &b), accepted[i].error,
		   "%s is accepted", accepted[i].text);
		arena_release(&a);
	}
}

static void test_integers(void)
{
	/* Which of the five kinds of number take it. */
	static const struct {
		const char *text;
		bool id, u32, i64, limit, u64;
	} cases[] = {
		{ "-9223372036854775809", 0, 0, 0, 0, 0 },
		{ "-9223372036854775808", 0, 0, 1, 0, 0 },
		{ "-2", 0, 0, 1, 0, 0 },
		{ "-1", 0, 0, 1, 1, 0 },
		{ "-0", 0, 0, 0, 0, 0 },
		{ "0", 1, 1, 1, 1, 1 },
		{ "4294967294", 1, 1, 1, 1, 1 },
		{ "4294967295", 0, 1, 1, 1, 1 },
		{ "4294967296", 0, 0, 1, 1, 1 },
		{ "9223372036854775807", 0, 0, 1, 1, 1 },
		{ "9223372036854775808", 0, 0, 0, 0, 1 },
		{ "10000000000000000000", 0, 0, 0, 0, 1 },
		{ "18446744073709551615", 0, 0, 0, 0, 1 },
		{ "18446744073709551616", 0, 0, 0, 0, 0 },
		{ "99999999999999999999", 0, 0, 0, 0, 0 },
		{ "184467440737095516160", 0, 0, 0, 0, 0 },
		{ "1.0", 0, 0, 0, 0, 0 },
		{ "0.0", 0, 0, 0, 0, 0 },
		{ "1e3", 0, 0, 0, 0, 0 },
		{ "1E0", 0, 0, 0, 0, 0 },
		{ "01", 0, 0, 0, 0, 0 },
		{ "+1", 0, 0, 0, 0, 0 },
		{ "0x1", 0, 0, 0, 0, 0 },
		{ "'1'", 0, 0, 0, 0, 0 },
		{ "true", 0, 0, 0, 0, 0 },
		{ "null", 0, 0, 0, 0, 0 },
	};
	static const struct {
		enum bundle_part part;
		const char *before, *after, *what;
	} kinds[] = {
		{ PROCESS, "'user':{'uid':", "}", "a user id" },
		{ RESOURCES, "'network':{'classID':", "}", "a number of 32 bits" },
		{ LINUX, "'timeOffsets':{'monotonic':{'secs':", "}}", "a signed number" },
		{ RESOURCES, "'memory':{'limit':", "}", "a limit" },
		{ RESOURCES, "'cpu':{'shares':", "}", "a number of 64 bits" },
	};
	struct bundle b;
	size_t i, k;

	for (i = 0; i < COUNT(cases); i++) {
		const bool takes[] = { cases[i].id, cases[i].u32, cases[i].i64, cases[i].limit,
				       cases[i].u64 };

		for (k = 0; k < COUNT(kinds); k++) {
			struct arena a = { 0 };
			const char *text = arena_printf(&a, "%s%s%s", kinds[k].before,
							cases[i].text, kinds[k].after);

			ok(!*read_case(&a, kinds[k].part, text, &b) == takes[k], "%s is %s%s",
			   cases[i].text, takes[k] ? "" : "not ", kinds[k].what);
			arena_release(&a);
		}
	}
}

/* {'env':["A=1","A=1",...]} and the like, n times. */
static const char *repeat(struct arena *a, const char *before, const char *item, size_t n)
{
	struct str s;

	str_init(&s, a, JSON_MAX_SIZE);
	str_add(&s, before);
	while (n--)
		str_printf(&s, "%s%s", item, n ? "," : "");
	str_add(&s, "]");
	return s.s;
}

static void test_limits(void)
{
	struct arena a = { 0 };
	struct bundle b;

	is(read_case(&a, PROCESS, repeat(&a, "'env':[", "'A=1'", 32768), &b), "",
	   "32768 variables are read");
	cmp_ok((long long)b.process.env.n, "==", 32768, "all of them");
	is(read_case(&a, PROCESS, repeat(&a, "'env':[", "'A=1'", 32769), &b),
	   "process.env: more than 32768 entries", "32769 variables are refused");
	is(read_case(&a, TOP, repeat(&a, "'mounts':[", "{'destination':'/m'}", 4096), &b), "",
	   "4096 mounts are read");
	is(read_case(&a, TOP, repeat(&a, "'mounts':[", "{'destination':'/m'}", 4097), &b),
	   "mounts: more than 4096 entries", "4097 mounts are refused");
	is(read_case(&a, PROCESS, repeat(&a, "'capabilities':{},'x':[],'env':[],'y':[", "1", 60000),
		     &b),
	   "", "a long list below an unknown property is read over");
	cmp_ok((long long)b.unknown.n, "==", 2, "and is one unknown property");
	arena_release(&a);
}

static void test_versions(void)
{
	ok(oci_version_before("1.0.2-dev", 3) && oci_version_before("1.2.1", 3) &&
		   oci_version_before("1.2.0+dev", 3),
	   "what was said before 1.3 is told");
	ok(!oci_version_before("1.3.0", 3) && !oci_version_before("1.3.0-rc.1", 3) &&
		   !oci_version_before("1.10.0", 3) && !oci_version_before(NULL, 3),
	   "from what was said then, and from nothing");
}

static void test_leniency(void)
{
	struct arena a = { 0 };
	struct bundle b;
	struct str caps;
	int i;

	is(read_case(&a, LINUX, "'intelRdt':{'enableCMT':true,'enableMBM':false}", &b), "",
	   "the switches of version 1.2 are read");
	ok(b.lin.intel_rdt.enable_monitoring.set && b.lin.intel_rdt.enable_monitoring.v,
	   "either of them asks for monitoring");
	is(read_case(&a, LINUX, "'intelRdt':{'enableCMT':false}", &b), "",
	   "one that is off is read");
	ok(!b.lin.intel_rdt.enable_monitoring.set, "and asks for nothing");

	is(read_case(&a, TOP, "'process':{'args':['sh'],'cwd':'/'}", &b), "",
	   "a process without a user is read");
	ok(!b.process.user.uid && !b.process.user.gid && !b.process.user.umask.set,
	   "and is root's, as in other runtimes");
	is(read_case(&a, TOP, "'annotations':{}", &b), "", "a bundle without a process is read");
	ok(!b.process.set && !b.lin.set && !b.hostname && !b.lin.masked_at,
	   "and what it lacks is not set");

	str_init(&caps, &a, 65536);
	str_add(&caps, "'capabilities':{'bounding':['CAP_KILL'");
	for (i = 0; i < 1000; i++)
		str_printf(&caps, ",'CAP_X%d'", i);
	str_add(&caps, ",'CAP_BPF']}");
	is(read_case(&a, PROCESS, caps.s, &b), "", "a thousand unknown capabilities are no error");
	ok(b.process.caps.unknown.n == 64 &&
		   b.process.caps.sets[CAPS_BOUNDING] == (UINT64_C(1) << 39 | 1 << 5),
	   "the first 64 are listed, the known ones among them are read");
	arena_release(&a);
}

static void test_seeds(void)
{
	static const char *const names[] = { "buildkit", "containerd",   "crio",
					     "docker",   "every-field",  "minimal",
					     "podman",   "runc-default", "runc-rootless" };
	struct bundle b;
	size_t i, len;

	for (i = 0; i < COUNT(names); i++) {
		struct arena a = { 0 };
		const char *text = load(&a, arena_printf(&a, SEEDS "%s.json", names[i]), &len);

		is(read_text(&a, text, len, &b), "", "the configuration %s is read", names[i]);
		cmp_ok((long long)b.unknown.n, "==", strcmp(names[i], "buildkit") ? 0 : 2,
		       "and its unknown properties are counted");
		if (b.unknown.n) {
			is(b.unknown.v[0], "linux.unknownThing", "by path");
			is(b.unknown.v[1], "futureTop", "without what is below them");
		}
		arena_release(&a);
	}
}

static void test_exec_process(void)
{
	struct arena a = { 0 };
	struct process p = { 0 };
	const struct json *top;
	struct err e = { 0 };
	const char *text;
	size_t len;

	text = load(&a, SEEDS "exec-process.json", &len);
	ok(!json_parse(&a, text, len, &top, &e) && !bundle_read_process(&a, top, &p, &e),
	   "a process of exec is read");
	ok(p.set && p.user.uid == 1000 && p.args.n == 2 && !strcmp(p.cwd, "/tmp"),
	   "as it would be in a bundle");
	ok(p.caps.unknown.n == 1 && !strcmp(p.caps.unknown.v[0], "CAP_NEW_IN_2040"),
	   "its unknown capability is listed");
	text = "{\"args\":[\"sh\"],\"cwd\":\"/\",\"env\":[\"NOPE\"]}";
	ok(!json_parse(&a, text, strlen(text), &top, &e) && bundle_read_process(&a, top, &p, &e),
	   "a process of exec is checked");
	is(e.text, "env[0]: no '=' in the entry (write NAME=VALUE)", "its paths are its own");
	arena_release(&a);
}

/* Enumerations: their errors quote the word. Nothing else may. */
static const char *const quoting[] = {
	"process.rlimits[].type",          "process.scheduler.policy",
	"process.scheduler.flags[]",       "process.ioPriority.class",
	"linux.namespaces[].type",         "linux.devices[].type",
	"linux.resources.devices[].type",  "linux.memoryPolicy.mode",
	"linux.memoryPolicy.flags[]",      "linux.seccomp.defaultAction",
	"linux.seccomp.architectures[]",   "linux.seccomp.flags[]",
	"linux.seccomp.syscalls[].action", "linux.seccomp.syscalls[].args[].op",
	"linux.rootfsPropagation",         "linux.personality.domain",
};

static bool may_quote(struct arena *a, const char *path)
{
	struct str without_numbers;
	bool inside = false;
	size_t i;

	str_init(&without_numbers, a, 1024);
	for (; *path; path++) {
		inside = inside && *path != ']';
		if (!inside)
			str_addn(&without_numbers, path, 1);
		inside = inside || *path == '[';
	}
	for (i = 0; i < COUNT(quoting); i++)
		if (!strcmp(without_numbers.s, quoting[i]))
			return true;
	return false;
}

static const char *replace(struct arena *a, const char *text, size_t len, size_t start, size_t end,
			   const char *by, size_t *new_len)
{
	struct str s;

	str_init(&s, a, JSON_MAX_SIZE);
	str_addn(&s, text, start);
	str_add(&s, by);
	str_addn(&s, text + end, len - end);
	*new_len = s.len;
	return s.s;
}

/* Walks a tree in the order of the document. */
static const struct json *next_value(const struct json *v)
{
	if (v->first)
		return v->first;
	while (v && !v->next)
		v = v->parent;
	return v ? v->next : NULL;
}

#define X50    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define CANARY "CANARY7353131"

static void test_canaries(void)
{
	static const char *const canaries[] = {
		"\"" CANARY "\"",           "\"=" CANARY "\"",
		"\"/" CANARY "\"",          "\"" CANARY "\\n\"",
		"73531317353131",           "-7353131",
		"{\"key\":\"" CANARY "\"}", "[\"" CANARY "\"]",
		"\"" CANARY X50 X50 "\"",   "\"MISSPELT\"",
	};
	struct arena tree = { 0 };
	const struct json *top, *v;
	size_t i, len, new_len, leaves = 0, words = 0, quoted = 0;
	struct err e = { 0 };
	struct bundle b;
	const char *text = load(&tree, SEEDS "every-field.json", &len);

	if (json_parse(&tree, text, len, &top, &e))
		BAIL_OUT("%s", e.text);
	for (v = top; v; v = next_value(v)) {
		const char *path = json_path(&tree, v), *error;
		bool silent = true;

		if (v->type == JSON_OBJECT || v->type == JSON_ARRAY)
			continue;
		leaves++;
		words += may_quote(&tree, path);
		for (i = 0; i < COUNT(canaries); i++) {
			struct arena a = { 0 };
			const char *doc;

			doc = replace(&a, text, len, v->start, v->end, canaries[i], &new_len);
			error = read_text(&a, doc, new_len, &b);
			silent = silent && !strstr(error, "7353131");
			quoted += strstr(error, "'MISSPELT'") != NULL;
			if (!strncmp(error, "json:", 5))
				BAIL_OUT("the test's own document is broken: %s", error);
			arena_release(&a);
		}
		ok(silent, "no error of %s shows a value", path);
	}
	cmp_ok((long long)leaves, ">", 200, "every kind of leaf was replaced");
	cmp_ok((long long)quoted, "==", (long long)words,
	       "exactly the enumerations quote a misspelt word");
	arena_release(&tree);
}

/* Below these, keys are names that bundles choose, or belong to other systems. */
static bool has_free_keys(const char *path)
{
	static const char *const maps[] = { "annotations", "linux.sysctl",
					    "linux.resources.unified", "linux.resources.rdma",
					    "linux.netDevices" };
	static const char *const others[] = { "windows", "solaris", "freebsd", "zos", "vm" };
	size_t i;

	for (i = 0; i < COUNT(maps); i++)
		if (!strcmp(path, maps[i]))
			return true;
	for (i = 0; i < COUNT(others); i++)
		if (!strncmp(path, others[i], strlen(others[i])))
			return true;
	return false;
}

static void test_case_variants(void)
{
	struct arena tree = { 0 };
	const struct json *top, *v;
	size_t len, new_len, count = 0;
	struct err e = { 0 };
	struct bundle b;
	const char *text = load(&tree, SEEDS "every-field.json", &len);

	if (json_parse(&tree, text, len, &top, &e))
		BAIL_OUT("%s", e.text);
	for (v = top; v; v = next_value(v)) {
		struct arena a = { 0 };
		char letter[2] = "";
		const char *doc;

		if (!v->key || has_free_keys(json_path(&tree, v->parent)))
			continue;
		count++;
		letter[0] = (char)(v->key[0] ^ 0x20);
		doc = replace(&a, text, len, v->key_start + 1, v->key_start + 2, letter, &new_len);
		like(read_text(&a, doc, new_len, &b),
		     strcmp(json_path(&a, v->parent), "linux.timeOffsets")
			     ? "unknown property '.*' differs from '.*' only in case"
			     : "unknown clock",
		     "%s in another case is refused", json_path(&tree, v));
		arena_release(&a);
	}
	cmp_ok((long long)count, ">", 250, "every key of the specification was tried");
	arena_release(&tree);
}

int main(void)
{
	plan(NO_PLAN);
	test_cases();
	test_integers();
	test_limits();
	test_versions();
	test_leniency();
	test_seeds();
	test_exec_process();
	test_canaries();
	test_case_variants();
	done_testing();
}
