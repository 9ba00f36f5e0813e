// SPDX-License-Identifier: Apache-2.0
/* Audit records: what stands in them, the chain of hashes, and that no value does. */
#include <stdlib.h>

#include "../src/base/str.h"
#include "../src/core/record.h"
#include "plan_case.h"

static const struct record_context ctx = { "2026-01-02T03:04:05Z", "c1", "run" };

static const struct json *line_of(struct plan_case *c, const char *lines, size_t number)
{
	const struct json *v;

	for (; number; number--)
		lines = strchr(lines, '\n') + 1;
	if (json_parse(&c->arena, lines, strcspn(lines, "\n"), &v, &c->err))
		bail_out("line %zu: %s", number, c->err.text);
	return v;
}

static const char *field(const struct json *line, const char *key)
{
	const struct json *v = json_get(line, key);

	return v ? v->text : "(none)";
}

static size_t count_lines(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static void test_cut(void)
{
	struct record_chain chain = { .seq = 5 };
	const struct json *line;
	struct plan_case c;
	const char *lines;
	size_t len;

	case_make(&c, "'env':['PATH=/bin','A_TOKEN=kd83Mwq2zz']",
		  "'mounts':[{'destination':'/a','type':'bind','source':'/home/alice/.aws'}]",
		  NULL);
	lines = record_lines(&c.arena, &c.plan, &ctx, &chain, &len);
	cmp_ok((long long)count_lines(lines), "==", 3,
	       "there is a line for each cut and for the start");
	cmp_ok((long long)len, "==", (long long)strlen(lines), "of the length that is told");
	line = line_of(&c, lines, 0);
	is(field(line, "time"), "2026-01-02T03:04:05Z", "a line has the time");
	is(field(line, "seq"), "5", "and its number");
	is(field(line, "event"), "cut", "and says that something was cut");
	is(field(line, "container"), "c1", "from which container");
	is(field(line, "kind"), "env", "of which kind");
	is(field(line, "where"), "process.env[1]", "where");
	is(field(line, "name"), "A_TOKEN", "under which name");
	like(field(line, "rule"), "^env-name:", "by which rule");
	is(field(line, "action"), "remove", "and what became of it");
	is(field(line, "length"), "10", "how long it was");
	like(field(line, "fingerprint"), "^[0-9a-f]{16}$", "and its fingerprint");
	is(field(line_of(&c, lines, 1), "fingerprint"), "(none)", "a mount has no fingerprint");
	is(field(line_of(&c, lines, 1), "length"), "(none)", "and no length");
	unlike(lines, "kd83Mwq2zz", "no line has the value");
	cmp_ok((long long)chain.seq, "==", 8, "the chain goes on with the next number");
	case_end(&c);
}

static void test_start(void)
{
	struct record_chain chain = { 0 };
	const struct json *line;
	struct plan_case c;

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz'],'user':{'uid':7,'gid':8}",
		  "'annotations':{'io.kubernetes.pod.name':'web-0','io.kubernetes.pod.namespace':"
		  "'shop','io.kubernetes.cri.container-name':'web','io.kubernetes.container.name':"
		  "'web1','io.kubernetes.cri-o.ImageName':'r.example/web:1'}",
		  NULL);
	c.facts.scan_incomplete = true;
	line = line_of(&c, record_lines(&c.arena, &c.plan, &ctx, &chain, NULL), 1);
	is(field(line, "event"), "start", "the last line is the start");
	is(field(line, "command"), "run", "by which command");
	is(field(line, "pod"), "web-0", "of which pod");
	is(field(line, "namespace"), "shop", "in which namespace");
	is(field(line, "name"), "web1", "under which name");
	is(field(line, "image"), "r.example/web:1", "from which image");
	is(field(line, "mode"), "strip", "in which mode");
	is(field(line, "cuts"), "1", "with how many cuts");
	is(field(line, "landlock"), "2", "with which protection");
	is(field(line, "landlockAsked"), "require", "asked for how");
	cmp_ok((long long)json_get(line, "landlockScopes")->count, "==", 0,
	       "a kernel that knows no scopes has none");
	is(field(line, "noNewPrivs"), "true", "whether it can gain privileges");
	is(field(line, "uid"), "7", "as which user");
	is(field(line, "gid"), "8", "of which group");
	is(field(line, "scanIncomplete"), "true", "and whether a scan ended early");
	is(json_get(line, "namespaces")->first->text, "pid", "and which namespaces are its own");
	case_end(&c);

	case_bundle(&c, NULL, "'linux':{'namespaces':[{'type':'network'}]}",
		    "namespaces: {pid: bundle, ipc: bundle}");
	c.facts.landlock_abi = 6;
	case_plan(&c);
	line = line_of(&c, record_lines(&c.arena, &c.plan, &ctx, &chain, NULL), c.plan.n_cuts);
	is(field(line, "landlock"), "6", "a newer kernel has more");
	cmp_ok((long long)json_get(line, "landlockScopes")->count, "==", 1,
	       "its own network needs no scope");
	is(json_get(line, "landlockScopes")->first->text, "signal", "processes it shares do");
	case_end(&c);

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz']", NULL, "mode: enforce");
	line = line_of(&c, record_lines(&c.arena, &c.plan, &ctx, &chain, NULL), 1);
	is(field(line, "event"), "refuse", "a start that is refused is on record as such");
	case_end(&c);
}

static void test_names(void)
{
	static const char *const modes[] = { "mode: observe", "mode: strip", "mode: enforce" };
	struct record_chain chain = { 0 };
	struct plan_case c;
	size_t i;

	for (i = 0; i < 3; i++) {
		case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz']",
			  "'annotations':{'io.kubernetes.pod.name':'kd83Mwq2zz',"
			  "'io.kubernetes.container.name':'https://u:kd84Mwq2zz@h/'}",
			  modes[i]);
		unlike(record_lines(&c.arena, &c.plan, &ctx, &chain, NULL), "kd8[34]Mwq2zz",
		       "an engine's name that is a credential is left out, %s", modes[i]);
		case_end(&c);
	}
}

static void test_chain(void)
{
	struct record_chain chain = { 0 };
	struct plan_case c;
	const char *lines, *more;
	char hex[2 * HASH_SIZE + 1];
	uint8_t digest[HASH_SIZE];
	size_t i;

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz','B_TOKEN=kd84Mwq2zz']", NULL, NULL);
	lines = record_lines(&c.arena, &c.plan, &ctx, &chain, NULL);
	more = record_lines(&c.arena, &c.plan, &ctx, &chain, NULL);
	lines = arena_printf(&c.arena, "%s%s", lines, more);
	hash_hex((const uint8_t[HASH_SIZE]){ 0 }, HASH_SIZE, hex);
	for (i = 0; i < 6; i++) {
		const struct json *line = line_of(&c, lines, 0);

		is(field(line, "prev"), hex, "line %zu has the hash of the line before it", i);
		cmp_ok((long long)strtoll(field(line, "seq"), NULL, 10), "==", (long long)i,
		       "and its number");
		hash_sha256(lines, strcspn(lines, "\n"), digest);
		hash_hex(digest, HASH_SIZE, hex);
		lines += strcspn(lines, "\n") + 1;
	}
	is(lines, "", "and that is all");
	ok(!memcmp(chain.last, digest, HASH_SIZE), "the chain ends with the hash of the last line");
	case_end(&c);
}

static void test_escapes(void)
{
	struct record_chain chain = { 0 };
	struct plan_case c;
	const char *lines;

	case_make(&c, "'env':['A\\n\\u001b[31m_TOKEN=kd83Mwq2zz']", NULL, NULL);
	lines = record_lines(&c.arena, &c.plan, &ctx, &chain, NULL);
	cmp_ok((long long)count_lines(lines), "==", 2, "a line break in a name makes no line");
	ok(!strchr(lines, '\033'), "and a terminal's escape does not get through");
	case_end(&c);
}

/* As many cuts as a bundle may have, under names that are as long as can be, all to be escaped. */
static void test_bounds(void)
{
	enum { VARIABLES = 32000 };
	struct record_chain chain = { 0 };
	struct plan_case c;
	struct str env;
	const char *lines, *end;
	size_t i, longest = 0, len;
	char name[129];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	str_init(&env, &(struct arena){ 0 }, 1 << 24);
	str_add(&env, "'env':[");
	for (i = 0; i < VARIABLES; i++)
		str_printf(&env, "%s'%.60s\\u001b%zu_TOKEN=kd83Mwq2zz'", i ? "," : "", name, i);
	str_add(&env, "]");
	case_make(&c, env.s, NULL, NULL);
	for (i = 0; i < c.plan.n_cuts; i++) {
		memset(c.plan.cuts[i].fingerprint, 1, 8);
		if (i == 7)
			c.plan.cuts[i].where = c.plan.cuts[i].rule = env.s;
	}
	lines = record_lines(&c.arena, &c.plan, &ctx, &chain, &len);
	for (; *lines; lines = end + 1) {
		end = strchr(lines, '\n');
		if ((size_t)(end + 1 - lines) > longest)
			longest = (size_t)(end + 1 - lines);
	}
	cmp_ok((long long)c.plan.n_cuts, "==", VARIABLES, "(so many are cut)");
	ok(longest <= RECORD_LINE_MAX && longest > 1024, "no line is longer than its bound: %zu",
	   longest);
	cmp_ok((long long)len, "<", VARIABLES * 1024LL, "nor all of them than that allows");
	c.plan.cuts = arena_array(&c.arena, 100000, sizeof *c.plan.cuts);
	for (c.plan.n_cuts = 0; c.plan.n_cuts < 100000; c.plan.n_cuts++)
		c.plan.cuts[c.plan.n_cuts].name = c.plan.cuts[c.plan.n_cuts].where =
			c.plan.cuts[c.plan.n_cuts].rule = env.s;
	ok(!record_lines(&c.arena, &c.plan, &ctx, &chain, &len),
	   "more than can be held are none, and not some of them");
	arena_release(env.arena);
	case_end(&c);
}

int main(void)
{
	test_cut();
	test_start();
	test_names();
	test_chain();
	test_escapes();
	test_bounds();
	done_testing();
}
