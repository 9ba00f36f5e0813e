// SPDX-License-Identifier: Apache-2.0
/* Policies: reading, layers, locks, which rule decides, annotations, showing, checking. */
#include <stdlib.h>
#include <string.h>

#include "../src/base/fd.h"
#include "../src/base/str.h"
#include "../src/base/yaml.h"
#include "../src/core/policy.h"
#include "tap.h"

static struct arena arena;
static struct err e;
static const struct policy_layer admin = { .name = "/etc/credsbox/policy.yaml" };
static const struct policy_layer user = { .name = "user.yaml" };

static int merge(struct policy *p, const char *text, const struct policy_layer *layer)
{
	const struct json *doc;

	e.text[0] = '\0';
	if (text[0] == '{' ? json_parse(&arena, text, strlen(text), &doc, &e)
			   : yaml_parse(&arena, text, strlen(text), &doc, &e))
		return -1;
	return policy_merge(&arena, p, doc, layer, &e);
}

static struct policy of(const char *text)
{
	struct policy p;

	policy_builtin(&arena, &p);
	if (merge(&p, text, &admin))
		diag("%s", e.text);
	return p;
}

static const char *error_of(const char *text)
{
	struct policy p;

	policy_builtin(&arena, &p);
	return merge(&p, text, &admin) ? e.text : "no error";
}

static const char *action_name(const struct policy_rule *r)
{
	static const char *const names[] = { [RULE_ALLOW] = "allow",
					     [RULE_ALLOW_FORCE] = "force",
					     [RULE_REMOVE] = "remove",
					     [RULE_DUMMY] = "dummy",
					     [RULE_MASK] = "mask" };

	return r ? names[r->action] : "none";
}

static const char *env(const struct policy *p, const char *name)
{
	return action_name(policy_env_rule(p, name));
}

static const char *path(const struct policy *p, const char *name)
{
	return action_name(policy_path_rule(p, name));
}

/* What policy_show() prints, without the comments: patterns are quoted, so none has " # " outside. */
static const char *settings(const struct policy *p)
{
	const char *s = policy_show(&arena, p);
	char *out = arena_alloc(&arena, strlen(s) + 1), *o = out;
	bool quoted = false;

	for (; *s; s++) {
		if (*s == '\\' && quoted)
			*o++ = *s++;
		else if (*s == '"')
			quoted = !quoted;
		else if (*s == '#' && !quoted) {
			s += strcspn(s, "\n");
			while (o > out && o[-1] == ' ')
				o--;
		}
		*o++ = *s;
	}
	return out;
}

static const char *warnings(const char *text)
{
	struct policy p = of(text);
	struct policy_warnings w = policy_check(&arena, &p, &admin);
	const char *all = "";
	size_t i;

	for (i = 0; i < w.n; i++)
		all = arena_printf(&arena, "%s%u:%u: %s\n", all, w.v[i].line, w.v[i].column,
				   w.v[i].text);
	return all;
}

static void test_reading(void)
{
	struct policy p = of("");

	ok(p.mode == MODE_STRIP && p.env_values && !p.scan_deep && p.scan_max_files == 100000,
	   "an empty file changes nothing");
	p = of("mode: enforce\n"
	       "env: { allow: [A, {name: B, force: true}], remove: [C], dummy: [D], values: no }\n"
	       "paths: { allow: [/a], mask: ['**/b'] }\n"
	       "scan: { image: off, mounts: off, deep: yes, max_files: 10000000 }\n"
	       "args: refuse\n"
	       "namespaces: { user: always, network: bundle }\n"
	       "landlock: best-effort\n"
	       "seccomp: { profile: /p.json, floor: nested }\n"
	       "audit: { file: /a.jsonl, required: False }\n"
	       "annotations: { loosen: [credsbox.io/mode] }\n"
	       "locked: [mode]\n");
	ok(p.mode == MODE_ENFORCE, "mode is read");
	ok(p.env.n == 4 && !p.env_values, "the rules for variables are read");
	is(env(&p, "A"), "allow", "a name alone is a rule");
	is(env(&p, "B"), "force", "a rule can have force");
	is(env(&p, "C"), "remove", "env.remove is read");
	is(env(&p, "D"), "dummy", "env.dummy is read");
	is(path(&p, "/a"), "allow", "paths.allow is read");
	is(path(&p, "/x/b"), "mask", "paths.mask is read");
	ok(p.scan_image == SCAN_OFF && p.scan_mounts == SCAN_OFF && p.scan_deep &&
		   p.scan_max_files == 10000000,
	   "scan is read");
	ok(p.args == ARGS_REFUSE && p.user_ns == USERNS_ALWAYS && p.network == SHARING_BUNDLE &&
		   p.landlock == LANDLOCK_BEST_EFFORT,
	   "args, namespaces and landlock are read");
	is(p.seccomp_profile, "/p.json", "seccomp.profile is read");
	ok(p.seccomp_floor == FLOOR_NESTED, "seccomp.floor is read");
	is(p.audit_file, "/a.jsonl", "audit.file is read");
	ok(!p.env_values && !p.audit_required, "no and False are switches too");
	ok(p.loosen.n == 1 && p.locked_by[KEY_MODE] == &admin, "loosen and locked are read");
	p = of("{\"mode\": \"observe\", \"env\": {\"values\": false}}");
	ok(p.mode == MODE_OBSERVE && !p.env_values, "JSON is read as well");
}

static void test_errors(void)
{
	// clang-format off
	static const struct { const char *text, *error, *what; } cases[] = {
		{ "\n\nenv:\n  alow: [A]\n", "4:3: env.alow: unknown key (did you mean 'allow'?)", "an unknown key is an error, with the key that was meant" },
		{ "Mode: strip\n", "1:1: Mode: unknown key (did you mean 'mode'?)", "case matters in keys" },
		{ "lokced: []\n", "1:1: lokced: unknown key (did you mean 'locked'?)", "two letters swapped are found" },
		{ "whatever: 1\n", "1:1: whatever: unknown key (credsbox-policy(5) lists them)", "a key that is like none gets no guess" },
		{ "env.allow: [A]\n", "1:1: [\"env.allow\"]: unknown key (credsbox-policy(5) lists them)", "a dotted name is no key" },
		{ "env: { allow: [{nme: A}] }\n", "1:17: env.allow[0].nme: unknown key (did you mean 'name'?)", "rules have keys of their own" },
		{ "env: { remove: [{name: A, force: true}] }\n", "1:27: env.remove[0].force: unknown key (credsbox-policy(5) lists them)", "only an allow can have force" },
		{ "env: { allow: [{force: true}] }\n", "1:16: env.allow[0]: 'name' is missing", "a rule needs a name" },
		{ "paths: { mask: [{priority: 1}] }\n", "1:17: paths.mask[0]: 'path' is missing", "a rule for paths needs a path" },
		{ "env: { allow: [{name: A, force: 1}] }\n", "1:33: env.allow[0].force: expected false or true", "force is a switch" },
		{ "env: { allow: [{name: A, priority: 1000000}] }\n", "1:36: env.allow[0].priority: expected an integer from 0 to 999999", "priorities have a range" },
		{ "env: { allow: A }\n", "1:15: env.allow: expected an array, found a string", "a list is a list" },
		{ "env: { allow: [[A]] }\n", "1:16: env.allow[0]: expected a string, found an array", "a rule is a string or an object" },
		{ "env: { allow: [5] }\n", "1:16: env.allow[0]: expected a string, found a number", "a name is no number" },
		{ "env: { allow: [''] }\n", "1:16: env.allow[0]: empty", "a pattern is not empty" },
		{ "env: { allow: [\"a\\tb\"] }\n", "1:16: env.allow[0]: has a control character in it", "a pattern has no control characters" },
		{ "env: { allow: [\"a\\x85b\"] }\n", "1:16: env.allow[0]: has a control character in it", "nor those beyond ASCII" },
		{ "env:\n", "1:5: env: expected an object, found null", "a section is not null" },
		{ "env: []\n", "1:6: env: expected an object, found an array", "a section is no list" },
		{ "mode: Strip\n", "1:7: mode: expected observe, strip or enforce", "an unknown word is an error that lists the known ones" },
		{ "mode: on\n", "1:7: mode: expected observe, strip or enforce", "a word is no switch" },
		{ "landlock: false\n", "1:11: landlock: expected off, best-effort or require", "nor false" },
		{ "env: { values: 1 }\n", "1:16: env.values: expected off or on", "a switch is no number" },
		{ "scan: { max_files: 0 }\n", "1:20: scan.max_files: expected an integer from 1 to 10000000", "a scan has one file at least" },
		{ "scan: { max_files: 10000001 }\n", "1:20: scan.max_files: expected an integer from 1 to 10000000", "and a limit at most" },
		{ "scan: { max_files: 1e3 }\n", "1:20: scan.max_files: expected an integer from 1 to 10000000", "a count has no exponent" },
		{ "paths: { mask: [a/b] }\n", "1:17: paths.mask[0]: must begin with '/' or '**/'", "a path pattern is not relative" },
		{ "paths: { mask: ['**'] }\n", "1:17: paths.mask[0]: must begin with '/' or '**/'", "nor is it everything" },
		{ "paths: { allow: ['~/x'] }\n", "1:18: paths.allow[0]: homes are not filled in: write /home/*/... or **/...", "a tilde is an error with the remedy" },
		{ "paths: { allow: [{path: $HOME/x}] }\n", "1:25: paths.allow[0].path: homes are not filled in: write /home/*/... or **/...", "and so is $HOME" },
		{ "seccomp: { profile: ../x }\n", "1:21: seccomp.profile: expected default, strict, off or an absolute path without '.', '..' or '//'", "a profile is a name or an absolute path" },
		{ "audit: { file: audit.jsonl }\n", "1:16: audit.file: expected an absolute path without '.', '..' or '//'", "the audit's file has an absolute path" },
		{ "audit: { file: /a/../b }\n", "1:16: audit.file: expected an absolute path without '.', '..' or '//'", "without .." },
		{ "audit: { file: /a/ }\n", "1:16: audit.file: expected an absolute path without '.', '..' or '//'", "and is no directory" },
		{ "locked: mode\n", "1:9: locked: expected an array, found a string", "locked is a list" },
		{ "locked: [env.alow]\n", "1:10: locked[0]: unknown key (did you mean 'env.allow'?)", "only known keys are locked" },
		{ "locked: [envy]\n", "1:10: locked[0]: unknown key (did you mean 'env'?)", "or sections" },
		{ "[]\n", "1:1: expected an object, found an array", "a policy is no list" },
		{ "{\"mode\": 1}", "1:10: mode: expected observe, strip or enforce", "errors in JSON have a place too" },
	};
	// clang-format on
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		is(error_of(cases[i].text), cases[i].error, "%s", cases[i].what);
}

static void test_limits(void)
{
	struct policy p;
	struct str s;
	int i;

	is(error_of(arena_printf(&arena, "env: { allow: ['%01024d'] }\n", 0)), "no error",
	   "a pattern may have 1024 bytes");
	is(error_of(arena_printf(&arena, "env: { allow: ['%01025d'] }\n", 0)),
	   "1:16: env.allow[0]: longer than 1024 bytes", "and no more");
	str_init(&s, &arena, 64 * 1024);
	str_add(&s, "env: { allow: [");
	for (i = 0; i < 4096; i++)
		str_printf(&s, "A%d,", i);
	str_add(&s, "] }\n");
	policy_builtin(&arena, &p);
	ok(!merge(&p, s.s, &admin), "there may be 4096 rules");
	ok(merge(&p, "env: { remove: [B] }", &user), "and no more, from all layers");
	is(e.text, "1:17: env.remove[0]: more than 4096 rules in all", "which is an error");
	cmp_ok((long long)p.env.n, "==", 4096, "after which the policy is as it was");
	ok(!merge(&p, "paths: { mask: [/b] }", &user), "rules for paths are counted by themselves");
}

static void test_layers(void)
{
	struct policy p = of("mode: enforce\n"
			     "env: { allow: [A, S], remove: ['R*'] }\n"
			     "args: refuse\n"
			     "locked: [args, audit]\n"),
		      copy;

	copy = p;
	ok(!merge(&p, "mode: strip\nenv: { allow: [RX, B], remove: [S] }\n", &user),
	   "a higher layer may set what is not locked");
	ok(p.mode == MODE_STRIP && p.from[KEY_MODE] == &user, "a scalar is replaced");
	ok(p.from[KEY_ARGS] == &admin, "what it does not say stays");
	is(env(&p, "A"), "allow", "lists add to those below");
	is(env(&p, "B"), "allow", "so both are there");
	is(env(&p, "RX"), "allow", "a higher layer decides over a stronger rule");
	is(env(&p, "RY"), "remove", "where it has a rule that matches");
	is(env(&p, "S"), "remove", "in both directions");
	is(env(&copy, "RX"), "remove", "a copy made before does not change");
	ok(merge(&p, "mode: enforce\nargs: record\n", &user), "a locked key is not set again");
	is(e.text, "2:1: args: locked by /etc/credsbox/policy.yaml", "the error says by whom");
	ok(p.mode == MODE_STRIP, "and nothing of that file counts");
	ok(merge(&p, "audit: { required: true }\n", &user), "a section is locked with all in it");
	ok(!merge(&p, "locked: [args]\n", &user), "locking what is locked is fine");
	ok(p.locked_by[KEY_ARGS] == &admin, "and changes nothing");

	p = of("locked: [all]\n");
	is(merge(&p, "annotations: { loosen: [] }\n", &user) ? e.text : "",
	   "1:16: annotations.loosen: locked by /etc/credsbox/policy.yaml", "all locks everything");
	p = of("env: { remove: [X] }\nlocked: [env.remove]\n");
	ok(merge(&p, "env: { allow: [X] }\n", &user), "what is removed for good cannot be allowed");
	ok(merge(&p, "env: { dummy: [X] }\n", &user), "nor be replaced");
	ok(!merge(&p, "env: { values: on }\npaths: { allow: [/x] }\n", &user),
	   "other keys stay open");
	p = of("locked: [env.allow, paths.mask]\n");
	ok(!merge(&p, "env: { remove: [X] }\n", &user),
	   "with env.allow locked, more can be removed");
	ok(merge(&p, "paths: { allow: [/x] }\n", &user), "paths.mask locks paths.allow");
}

static void test_deciding(void)
{
	struct policy p = of("env:\n"
			     "  allow: ['CI_*', {name: CI_KEY, force: true}, D, R]\n"
			     "  dummy: [D, RD, 'OPENAI_*']\n"
			     "  remove: [R, RD, 'CORP_*', {name: 'CORP_B*', priority: 2}]\n"
			     "paths:\n"
			     "  allow: [/home/*/x, '**/ok', {path: '/srv/**', priority: 1}]\n"
			     "  mask: ['/home/**']\n");

	ok(!policy_env_rule(&p, "PATH"), "no rule decides about most names");
	is(env(&p, "ci_home"), "allow", "names match in either case");
	is(env(&p, "CI_KEY"), "force", "force counts although a wider allow is there");
	is(env(&p, "D"), "dummy", "dummy goes before allow");
	is(env(&p, "R"), "remove", "remove goes before allow");
	is(env(&p, "RD"), "remove", "remove goes before dummy");
	is(path(&p, "/home/a/x"), "mask", "mask goes before allow");
	is(path(&p, "/home"), "mask", "** stands for no component too");
	is(path(&p, "/a/ok"), "allow", "**/ stands for any directory");
	is(path(&p, "/HOME/x"), "none", "case matters in paths");

	p = of("env:\n"
	       "  allow: [{name: CORP_DOCS, priority: 1}]\n"
	       "  remove: ['CORP_*', {name: '*_DOCS', priority: 2}]\n");
	is(env(&p, "CORP_DOCS"), "remove", "the highest priority decides");
	p = of("env:\n  allow: [{name: CORP_DOCS, priority: 1}]\n  remove: ['CORP_*']\n");
	is(env(&p, "CORP_DOCS"), "allow", "a priority makes an exception");
	is(env(&p, "CORP_X"), "remove", "and only that");
	ok(!merge(&p, "env: { remove: [corp_docs] }\n", &user), "a higher layer");
	is(env(&p, "CORP_DOCS"), "remove", "decides over priorities of lower ones");
}

static void test_show(void)
{
	static const char *const layers[][2] = {
		{ "", "" },
		{ "env: { remove: ['A*', B] }\n", "env: { allow: [AX, B, '*C'], dummy: [AD] }\n" },
		{ "env: { allow: [A, {name: F, force: on}] }\n",
		  "env: { allow: [F], remove: [A] }\n" },
		{ "env: { allow: [{name: A, priority: 7}, C], remove: ['*'] }\n",
		  "env: { dummy: [A, {name: B, priority: 5}] }\npaths: { mask: ['/a/**'] }\n" },
		{ "paths: { mask: ['**/x\"y\\z'] }\nlocked: [env.dummy, scan]\n",
		  "paths: { allow: ['/a # b', \"/\\u2028\\u202e\\ufeff\\u00e4\\U0001f600\"] }\n" },
		{ "seccomp: { profile: '/null' }\naudit: { file: '/a b: #c' }\n",
		  "annotations: { loosen: [credsbox.io/mode] }\nlocked: [all]\n" },
	};
	static const char *const names[] = { "A", "AX", "AD", "B", "C", "XC", "F", "Q" };
	static const char *const paths[] = { "/a", "/a/b", "/q/x\"y\\z", "/a # b" };
	struct policy p, again;
	const char *text;
	size_t i, n;
	bool same;

	for (i = 0; i < sizeof layers / sizeof *layers; i++) {
		policy_builtin(&arena, &p);
		ok(!merge(&p, layers[i][0], &admin) && !merge(&p, layers[i][1], &user),
		   "layers %zu are read", i);
		text = policy_show(&arena, &p);
		policy_builtin(&arena, &again);
		ok(!merge(&again, text, &user), "what is shown of them can be read");
		is(settings(&again), settings(&p), "as the same settings");
		same = true;
		for (n = 0; n < sizeof names / sizeof *names; n++)
			same &= !strcmp(env(&p, names[n]), env(&again, names[n]));
		for (n = 0; n < sizeof paths / sizeof *paths; n++)
			same &= !strcmp(path(&p, paths[n]), path(&again, paths[n]));
		ok(same, "that decide alike");
	}
	policy_builtin(&arena, &p);
	ok(strstr(policy_show(&arena, &p), "mode: strip                              # built-in\n"),
	   "a line says where it came from");
	p = of("\nenv:\n  remove:\n  - X\n");
	ok(strstr(policy_show(&arena, &p), "    - \"X\"                                # "
					   "/etc/credsbox/policy.yaml:4\n"),
	   "with the line in that file");
}

static const char *annotate(struct policy *p, const char *key, const char *value)
{
	struct pair pair = { .key = key, .value = value };
	struct pairs pairs = { &pair, 1 };

	return policy_annotate(&arena, p, &pairs, &e) ? e.text : "";
}

static void test_tightening(void)
{
	// clang-format off
	static const struct { const char *key, *loose, *tight; enum policy_key is; const char *shown; } words[] = {
		{ "credsbox.io/mode", "mode: observe", "enforce", KEY_MODE, "enforce" },
		{ "credsbox.io/args", "args: record", "refuse", KEY_ARGS, "refuse" },
		{ "credsbox.io/landlock", "landlock: off", "best-effort", KEY_LANDLOCK, "best-effort" },
		{ "credsbox.io/network", "namespaces: {network: bundle}", "private", KEY_NS_NETWORK, "private" },
		{ "credsbox.io/user-namespace", "namespaces: {user: bundle}", "auto", KEY_NS_USER, "auto" },
		{ "credsbox.io/user-namespace", "namespaces: {user: auto}", "always", KEY_NS_USER, "always" },
		{ "credsbox.io/values", "env: {values: off}", "on", KEY_ENV_VALUES, "on" },
		{ "credsbox.io/seccomp-floor", "seccomp: {floor: off}", "nested", KEY_SECCOMP_FLOOR, "nested" },
		{ "credsbox.io/seccomp-floor", "seccomp: {floor: nested}", "debug", KEY_SECCOMP_FLOOR, "debug" },
		{ "credsbox.io/seccomp-floor", "seccomp: {floor: debug}", "on", KEY_SECCOMP_FLOOR, "on" },
		{ "credsbox.io/scan-deep", "scan: {deep: off}", "on", KEY_SCAN_DEEP, "on" },
	};
	// clang-format on
	struct policy p;
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++) {
		p = of(arena_printf(&arena, "%s\nlocked: [all]\n", words[i].loose));
		is(annotate(&p, words[i].key, words[i].tight), "", "%s may tighten what is locked",
		   words[i].key);
		is(policy_word(&p, words[i].is), words[i].shown, "and it does");
	}
	p = of("env: { allow: ['A*'], remove: [AR] }\npaths: { allow: ['/a/**'] }\nlocked: "
	       "[all]\n");
	is(annotate(&p, "credsbox.io/env-remove", " AX ,B*"), "", "env-remove is a list");
	is(env(&p, "AX"), "remove", "that goes over an allow");
	is(env(&p, "BX"), "remove", "with all its patterns");
	is(annotate(&p, "credsbox.io/env-dummy", "AD,AR"), "", "so is env-dummy");
	is(env(&p, "AD"), "dummy", "that goes over an allow");
	is(env(&p, "AR"), "remove", "and not over a remove");
	is(annotate(&p, "credsbox.io/paths-mask", "/a/b,**/c"), "", "so is paths-mask");
	is(path(&p, "/a/b"), "mask", "that goes over an allow");
	is(annotate(&p, "example.com/mode", "observe"), "", "annotations of others are not ours");
}

static void test_loosening(void)
{
	struct policy p = of("");
	struct pair two[] = { { .key = "credsbox.io/mode", .value = "enforce" },
			      { .key = "credsbox.io/args", .value = "hunter2" } };
	struct pairs both = { two, 2 };

	is(annotate(&p, "credsbox.io/mode", "observe"),
	   "annotations[\"credsbox.io/mode\"]: 'observe' would loosen the policy (it is 'strip'); "
	   "the administrator can permit it with annotations.loosen",
	   "an annotation may not loosen");
	is(annotate(&p, "credsbox.io/mode", "strip"), "", "saying what is so anyway is fine");
	is(annotate(&p, "credsbox.io/mode", "hunter2"),
	   "annotations[\"credsbox.io/mode\"]: expected observe, strip or enforce",
	   "an unknown word is an error that does not repeat it");
	is(annotate(&p, "credsbox.io/allow-env", "X"),
	   "annotations[\"credsbox.io/allow-env\"]: this would loosen the policy; "
	   "the administrator can permit it with annotations.loosen",
	   "allow-env is not for every bundle");
	like(annotate(&p, "credsbox.io/allow-path", "/x"), "would loosen", "nor is allow-path");
	like(annotate(&p, "credsbox.io/seccomp-floor", "debug"),
	     "'debug' would loosen the policy \\(it is 'on'\\)", "nor is a floor for debuggers");
	is(annotate(&p, "credsbox.io/moed", "strip"),
	   "annotations[\"credsbox.io/moed\"]: unknown annotation of credsbox (known are "
	   "allow-env, "
	   "allow-path, args, env-dummy, env-remove, ipc, landlock, mode, network, paths-mask, "
	   "pid, scan-deep, "
	   "seccomp-floor, user-namespace, values)",
	   "an unknown annotation of ours is an error");
	is(annotate(&p, "credsbox.io/env-remove", "A,,B"),
	   "annotations[\"credsbox.io/env-remove\"]: pattern: empty", "a list has no holes");
	is(annotate(&p, "credsbox.io/paths-mask", "hunter2"),
	   "annotations[\"credsbox.io/paths-mask\"]: pattern: must begin with '/' or '**/'",
	   "patterns are held to the rules of files");
	ok(policy_annotate(&arena, &p, &both, &e) && p.mode == MODE_STRIP && !p.env.n,
	   "after an error the policy is as it was");

	p = of("annotations: { loosen: [credsbox.io/mode, credsbox.io/allow-env] }\n"
	       "env: { remove: [X] }\nmode: enforce\n");
	is(annotate(&p, "credsbox.io/mode", "observe"), "", "unless it is permitted");
	ok(p.mode == MODE_OBSERVE, "then it counts");
	is(annotate(&p, "credsbox.io/allow-env", "X"), "", "allow-env can be permitted");
	is(env(&p, "X"), "allow", "and is the highest layer then");
	like(annotate(&p, "credsbox.io/args", "record"), "^$", "other keys are not affected");
	like(annotate(&p, "credsbox.io/allow-path", "/x"), "would loosen", "by what is permitted");
	p = of("annotations: { loosen: [credsbox.io/mode, credsbox.io/allow-env] }\n"
	       "locked: [mode, env.remove]\n");
	is(annotate(&p, "credsbox.io/mode", "observe"),
	   "annotations[\"credsbox.io/mode\"]: 'observe' would loosen the policy (it is 'strip'), "
	   "and mode is locked by /etc/credsbox/policy.yaml",
	   "what is locked is not loosened even so");
	like(annotate(&p, "credsbox.io/allow-env", "X"), "env.allow is locked by", "nor are lists");
}

static void test_check(void)
{
	// clang-format off
	static const struct { const char *text, *warning, *what; } cases[] = {
		{ "env: {allow: [AWS_SECRET_ACCESS_KEY], remove: ['CORP_*'], dummy: [GITHUB_TOKEN]}", "", "there is nothing to say of sound rules" },
		{ "env: {remove: [A, B, A]}", "1:22: env: said twice, also in line 1\n", "a rule that is there twice" },
		{ "env: {remove: [A, a]}", "1:19: env: 'a' can never decide: 'A' (remove, line 1) covers it\n", "in either case of letters" },
		{ "env: {remove: [A_B, 'A_*']}", "1:16: env: 'A_B' can never decide: 'A_*' (remove, line 1) covers it\n", "a rule that a wider one covers" },
		{ "env: {allow: [A_TOKEN],\n remove: ['A_*']}", "1:15: env: 'A_TOKEN' can never decide: 'A_*' (remove, line 2) covers it\n", "an allow under a remove" },
		{ "env: {dummy: [A_TOKEN],\n allow: ['A_*']}", "", "a dummy under an allow decides" },
		{ "env: {allow: [{name: A_TOKEN, priority: 1}], remove: ['A_*']}", "", "so does an exception" },
		{ "env: {allow: [{name: A_TOKEN, force: true}, '*_TOKEN']}", "", "and one by force" },
		{ "env: {remove: ['A=*']}", "1:16: env: 'A=*' can never match: no variable has '=' in its name\n", "a name that no variable has" },
		{ "env: {allow: [TOKENIZERS_PARALLELISM]}", "1:15: env.allow: 'TOKENIZERS_PARALLELISM' changes nothing: such a name is kept anyway\n", "an allow of what is kept anyway" },
		{ "env: {allow: [{name: TOKENIZERS_X, priority: 1}], remove: ['TOKENIZERS_*']}", "", "unless a rule takes it" },
		{ "env: {allow: [{name: '*', force: on}]}", "1:15: env.allow: '*' with force keeps every credential\n", "an allow of everything" },
		{ "paths: {mask: ['/a/*', /a/b/c]}\nscan: {deep: on}", "", "a star stays within its component" },
		{ "paths: {mask: ['/a/**', /a/b/c]}", "1:25: paths: '/a/b/c' can never decide: '/a/**' (mask, line 1) covers it\n", "two stars do not" },
		{ "paths: {mask: ['/a/*', '/a/**']}\nscan: {deep: on}", "1:16: paths: '/a/*' can never decide: '/a/**' (mask, line 1) covers it\n", "and cover one" },
		{ "paths: {mask: [/a//b]}", "1:16: paths: '/a//b' has '//' in it: it is read as '/'\n", "two slashes" },
		{ "paths: {mask: [/a/./b]}", "1:16: paths: '/a/./b' can never match: paths are resolved, without '.' and '..'\n", "a dot" },
		{ "paths: {mask: [/a/..]}", "1:16: paths: '/a/..' can never match: paths are resolved, without '.' and '..'\n", "two dots" },
		{ "paths: {mask: [/a/]}", "1:16: paths: '/a/' ends with '/': for what is below it, add '**'\n", "a slash at the end" },
		{ "paths: {mask: ['/a/b**']}\nscan: {deep: on}", "1:16: paths: '/a/b**': '**' within a component is like '*'\n", "two stars that are but one" },
		{ "paths: {mask: ['**/.envrc']}", "1:16: paths.mask: '**/.envrc' has wildcards: below most directories it is found only with scan.deep, which is off\n", "a mask that only a walk finds" },
		{ "paths: {mask: [/a/b, '/a/c/**', '/srv/*/x']}", "1:33: paths.mask: '/srv/*/x' has wildcards: below most directories it is found only with scan.deep, which is off\n", "but not one that is looked up" },
		{ "paths: {mask: ['**/.envrc']}\nscan: {deep: on}", "", "nor one when there is a walk" },
		{ "paths: {allow: ['**/.envrc']}", "", "nor an allow" },
		{ "annotations: {loosen: [credsbox.io/moed]}", "1:24: annotations.loosen: 'credsbox.io/moed' is no annotation of credsbox\n", "an unknown annotation" },
		{ "annotations: {loosen: [mode]}", "1:24: annotations.loosen: 'mode' is no annotation of credsbox\n", "one without its prefix" },
		{ "annotations: {loosen: [credsbox.io/env-remove]}", "1:24: annotations.loosen: 'credsbox.io/env-remove' can only tighten, and always may\n", "one that cannot loosen" },
		{ "annotations: {loosen: [credsbox.io/mode]}\nlocked: [mode]", "1:24: annotations.loosen: 'credsbox.io/mode' can never loosen: mode is locked\n", "one whose key is locked" },
		{ "annotations: {loosen: [credsbox.io/mode, credsbox.io/mode]}", "1:42: annotations.loosen: said twice, also in line 1\n", "one that is there twice" },
		{ "paths: {mask: [/b/]}\nenv: {remove: ['=']}", "1:16: paths: '/b/' ends with '/': for what is below it, add '**'\n2:16: env: '=' can never match: no variable has '=' in its name\n", "warnings come in the order of the file" },
	};
	// clang-format on
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		is(warnings(cases[i].text), cases[i].warning, "check: %s", cases[i].what);
}

static const char *shipped(const char *name)
{
	const char *dir = getenv("srcdir"), *text = "";
	size_t len;

	if (file_read(&arena, arena_printf(&arena, "%s/contrib/policies/%s", dir ? dir : ".", name),
		      false, POLICY_MAX_SIZE, &text, &len, &e))
		diag("%s", e.text);
	return text;
}

static void test_shipped(void)
{
	static const char *const names[] = { "default.yaml", "strict.yaml", "observe.yaml",
					     "example.yaml" };
	struct policy builtin, p;
	int k;
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		is(error_of(shipped(names[i])), "no error", "%s can be read", names[i]);
		is(warnings(shipped(names[i])), "", "without a warning");
	}
	policy_builtin(&arena, &builtin);
	p = of(shipped("default.yaml"));
	is(settings(&p), settings(&builtin), "default.yaml is the built-in policy");
	for (k = 0; k < KEY_COUNT && p.from[k] == &admin; k++)
		;
	cmp_ok(k, "==", KEY_COUNT, "and has every key");
	p = of(shipped("example.yaml"));
	for (k = 0; k < KEY_COUNT && p.from[k] == &admin; k++)
		;
	cmp_ok(k, "==", KEY_COUNT, "so has example.yaml");
	p = of(shipped("strict.yaml"));
	ok(p.mode == MODE_ENFORCE && p.args == ARGS_REFUSE && p.user_ns == USERNS_ALWAYS &&
		   p.scan_deep && p.locked_by[KEY_ANNOTATIONS_LOOSEN],
	   "strict.yaml is strict, and locked");
	p = of(shipped("observe.yaml"));
	ok(p.mode == MODE_OBSERVE && p.audit_required, "observe.yaml observes, and records");
}

int main(void)
{
	plan(NO_PLAN);
	test_reading();
	test_errors();
	test_limits();
	test_layers();
	test_deciding();
	test_show();
	test_tightening();
	test_loosening();
	test_check();
	test_shipped();
	arena_release(&arena);
	done_testing();
}
