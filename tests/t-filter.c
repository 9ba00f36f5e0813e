// SPDX-License-Identifier: Apache-2.0
/* The filter: cuts are taken out of the text, masks are put in, all else stays to the byte. */
#include "../src/core/filter.h"
#include "plan_case.h"

/* What becomes of a document; an error's text on an error. Single quotes stand for double ones. */
static const char *filtered(struct plan_case *c, const char *json, const char *policy)
{
	static struct arena texts;
	const char *out;
	size_t len;

	case_read(c, case_json(&texts, json), policy);
	case_plan(c);
	if (filter_text(&c->arena, &c->plan, c->text, c->len, &out, &len, &c->err))
		return c->err.text;
	if (strlen(out) != len)
		bail_out("the filter's length is not that of its text");
	return out;
}

#define HEAD     "{'ociVersion':'1.0.2','root':{'path':'r'},"
#define NET      ",'linux':{'namespaces':[{'type':'network'},{'type':'pid'},{'type':'ipc'}]}}"
#define ENV(env) HEAD "'process':{'cwd':'/','args':['x'],'env':" env "}" NET

static const struct {
	const char *before, *after, *sentence;
} env_cases[] = {
	{ "['A=1','B=2']", "['A=1','B=2']", "what is clean stays" },
	{ "['B_TOKEN=kd83Mwq2zz']", "[]", "an only item leaves an empty array" },
	{ "[ 'B_TOKEN=kd83Mwq2zz' ]", "[]", "without the blanks around it" },
	{ "['B_TOKEN=kd83Mwq2zz','A=1']", "['A=1']", "the first item goes with its comma" },
	{ "['A=1','B_TOKEN=kd83Mwq2zz']", "['A=1']", "so does the last" },
	{ "['A=1','B_TOKEN=kd83Mwq2zz','C=3']", "['A=1','C=3']", "and one between" },
	{ "['B_TOKEN=kd83Mwq2zz','A=1','C_TOKEN=kd84Mwq2zz']", "['A=1']", "and both ends" },
	{ "['B_TOKEN=kd83Mwq2zz','C_TOKEN=kd84Mwq2zz']", "[]", "and all" },
	{ "[\n\t'A=1',\n\t'B_TOKEN=kd83Mwq2zz',\n\t'C=3'\n]", "[\n\t'A=1',\n\t'C=3'\n]",
	  "the layout of lines stays" },
	{ "[\n\t'B_TOKEN=kd83Mwq2zz',\n\t'C=3'\n]", "[\n\t'C=3'\n]", "at the beginning too" },
	{ "[\n\t'A=1',\n\t'B_TOKEN=kd83Mwq2zz'\n]", "[\n\t'A=1'\n]", "and at the end" },
	{ "['A=\\u00e9\\/','B_TOKEN=kd83Mwq2zz']", "['A=\\u00e9\\/']",
	  "escapes stay as they are written" },
	{ "['B_TOKEN=kd83\\u004dwq2zz','A=kd83Mwq2zz']", "[]",
	  "however a value is escaped, it is the same value" },
};

static void test_env(void)
{
	struct arena a = { 0 };
	struct plan_case c;
	size_t i;

	for (i = 0; i < sizeof env_cases / sizeof env_cases[0]; i++) {
		char *before =
			arena_printf(&a, HEAD "'process':{'cwd':'/','args':['x'],'env':%s}" NET,
				     env_cases[i].before);
		char *after =
			arena_printf(&a, HEAD "'process':{'cwd':'/','args':['x'],'env':%s}" NET,
				     env_cases[i].after);

		is(filtered(&c, before, NULL), case_json(&a, after), "%s", env_cases[i].sentence);
		case_end(&c);
	}
	arena_release(&a);
}

static void test_replace(void)
{
	struct plan_case c;

	like(filtered(&c, ENV("['A_TOKEN=kd83Mwq2zzkd83Mwq2','B=1']"), "env: {dummy: [A_TOKEN]}"),
	     "\"env\":\\[\"A_TOKEN=[0-9A-Za-z]{18,}\",\"B=1\"\\]", "a stand-in takes the place");
	case_end(&c);
	like(filtered(&c, ENV("['A\\\\\\'_TOKEN=kd83Mwq2zzkd83Mwq2']"), "env: {dummy: ['*']}"),
	     "\"A\\\\\\\\\\\\\"_TOKEN=[0-9A-Za-z]{18,}\"", "what is written anew is escaped");
	case_end(&c);
	like(filtered(&c,
		      HEAD "'process':{'cwd':'/','args':['x','--token=kd83Mwq2zzkd83Mwq2']}" NET,
		      "args: dummy"),
	     "\"args\":\\[\"x\",\"--token=[0-9A-Za-z]{18,}\"\\]", "in arguments, too");
	case_end(&c);
}

#define PROCESS(args, env) HEAD "'process':{'cwd':'/','args':" args ",'env':" env "}" NET

static const struct {
	const char *json, *policy, *secret, *sentence;
} again[] = {
	{ PROCESS("['x','--token','kd83Mwq2zz']",
		  "['DB_URL=postgres:WWWWWWWWWWWW//u:kd83Mwq2zz@h/TOKEN=kd83Mwq2zz']"),
	  "env: {dummy: [DB_URL]}", "//u:kd83Mwq2zz",
	  "a stand-in does not hold another secret that is known" },
	{ PROCESS("['x','--token','kd83Mwq2zz','--key','kd85Nwq3yy']",
		  "['DB_URL=postgres://u:kd83Mwq2zz@h/d?x=kd85Nwq3yy']"),
	  "env: {dummy: [DB_URL]}", "x=kd85Nwq3yy", "nor one that its own form does not show" },
	{ PROCESS("['x','--token','kd83Mwq2zz','-a=kd83Mwq2zz:x/kd83Mwq2zz']", "[]"), "args: dummy",
	  "kd83Mwq2zz", "a stand-in for an argument holds no secret twice" },
	{ PROCESS("['curl','-u','bob:+d83Mwq2zz','--api-key=Zk3mQ9invalid object keyxT2vLp']",
		  "[]"),
	  "args: dummy", "Mwq2zz", "an argument that is no sense gets a plain one" },
	{ PROCESS("['curl','-u','--password=kd83Mwq2zz:x','mysql','-pkd83Mwq2zz']", "[]"),
	  "args: dummy", "kd83Mwq2zz", "so do arguments that make sense of each other" },
};

/* Filtering is done once and for all, and leaves no secret in what is made. */
static void test_again(void)
{
	struct arena a = { 0 };
	struct plan_case c;
	const char *once;
	size_t i;

	for (i = 0; i < sizeof again / sizeof again[0]; i++) {
		once = arena_strdup(&a, filtered(&c, again[i].json, again[i].policy));
		ok(!strstr(once, again[i].secret), "%s", again[i].sentence);
		case_end(&c);
		is(filtered(&c, once, again[i].policy), once, "and it is not replaced again");
		case_end(&c);
	}
	arena_release(&a);
}

/* Pieces of arguments and values that mean something, together or by themselves. */
static const char *const pieces[] = {
	// clang-format off
	"kd83Mwq2zz", "kd85Nwq3yy", "--token", "--password", "--api-key=", "-u", "-p", "-D", "-",
	"=", "==", ":", "/", "//", "://", "@", "?", "&", " ", ",", ";", "|", "(", "%", "$", "_", ".",
	"https://", "postgres://u:", "unix://", "bob:", "curl", "mysql", "sshpass", "openssl",
	"pass:", "-pass", "redis-cli", "-a", "TOKEN=", "password=", "_TOKEN", "_FILE", "URL", "x",
	"Authorization: ", "Bearer ", "Basic ", "xoxb-12-34-", "glpat-", "sk-", "$6$salt$",
	"a2Q4M013cTJ6eg", "<password>", "</password>", "machine h login u password ", "export ",
	"/home/alice/.aws", "/run/x", "0123456789abcdef", "Zk3mQ9xT2vLpZk3mQ9xT2vLp",
	"eyJhbGciOiJIUzI1NiJ9.", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
	// clang-format on
};

/* xorshift: the same texts on every machine. */
static unsigned pick(uint64_t *state, unsigned below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned)(*state >> 33) % below;
}

static const char *nonsense(struct arena *a, uint64_t *state, const char *const *names, unsigned n)
{
	const char *all = "";
	unsigned i, k;

	for (i = pick(state, 6); i; i--) {
		all = arena_printf(a, "%s,'%s", all, n ? names[pick(state, n)] : "");
		for (k = pick(state, 6) + 1; k; k--)
			all = arena_printf(a, "%s%s", all,
					   pieces[pick(state, sizeof pieces / sizeof *pieces)]);
		all = arena_printf(a, "%s'", all);
	}
	return all;
}

static void test_nonsense(void)
{
	static const char *const names[] = { "A_TOKEN=", "DB_URL=", "ACME_BOX=",     "ACME_SECRET=",
					     "B=",       "B_URL=",  "SSH_AUTH_SOCK=" };
	static const char policy[] = "env: {dummy: ['*TOKEN*', '*URL*']}\nargs: dummy\n";
	uint64_t state = 0x9e3779b97f4a7c15;
	unsigned i, broken = 0, refused = 0;
	struct arena a = { 0 };
	struct plan_case c;

	for (i = 0; i < 2000; i++) {
		const char *args = nonsense(&a, &state, NULL, 0);
		const char *env = nonsense(&a, &state, names, sizeof names / sizeof *names);
		const char *once = filtered(
			&c, arena_printf(&a, PROCESS("['x'%s]", "['C=1'%s]"), args, env), policy);

		once = arena_strdup(&a, once);
		case_end(&c);
		if (*once != '{') {
			refused++;
			continue;
		}
		broken += strcmp(filtered(&c, once, policy), once) != 0;
		case_end(&c);
	}
	cmp_ok(broken, "==", 0, "what is put together of pieces is filtered once and for all, too");
	cmp_ok(refused, "==", 0, "and never refused");
	arena_release(&a);
}

static void test_members(void)
{
	static struct arena a;
	struct plan_case c;

	is(filtered(&c,
		    HEAD "'process':{'cwd':'/','args':['x']},'annotations':{'a':'1','x/token':"
			 "'kd83Mwq2zz', 'b' : '2'}" NET,
		    NULL),
	   case_json(&a, HEAD "'process':{'cwd':'/','args':['x']},'annotations':{'a':'1', 'b' : "
			      "'2'}" NET),
	   "an annotation goes with its key");
	case_end(&c);
	is(filtered(
		   &c,
		   HEAD
		   "'process':{'cwd':'/','args':['x']},'annotations':{ 'x/token':'kd83Mwq2zz'}" NET,
		   NULL),
	   case_json(&a, HEAD "'process':{'cwd':'/','args':['x']},'annotations':{}" NET),
	   "an only one leaves an empty object");
	case_end(&c);
	is(filtered(&c,
		    HEAD "'process':{'cwd':'/','args':['x']},'mounts':[{'destination':'/a','type':"
			 "'bind','source':'/home/alice/.aws'},{'destination':'/b'}]" NET,
		    NULL),
	   case_json(&a,
		     HEAD "'process':{'cwd':'/','args':['x']},'mounts':[{'destination':'/b'}]" NET),
	   "a mount goes whole");
	case_end(&c);
	is(filtered(&c,
		    HEAD
		    "'process':{'cwd':'/','args':['x']},'hooks':{'startContainer':[{'path':'/h',"
		    "'env':['A_TOKEN=kd83Mwq2zz','B=1']}],'prestart':[{'path':'/h','env':["
		    "'A_TOKEN=kd84Mwq2zz']}]}" NET,
		    NULL),
	   case_json(&a,
		     HEAD "'process':{'cwd':'/','args':['x']},'hooks':{'startContainer':[{'path':"
			  "'/h','env':['B=1']}],'prestart':[{'path':'/h','env':["
			  "'A_TOKEN=kd84Mwq2zz']}]}" NET),
	   "hooks inside lose credentials, those outside keep them");
	case_end(&c);
	is(filtered(&c,
		    HEAD
		    "'process':{'cwd':'/','args':['x']},'linux':{'devices':[{'path':'/dev/sda',"
		    "'type':'b','major':8,'minor':0}],'namespaces':[{'type':'network'},{'type':'"
		    "pid'},{'type':'ipc'}]}}",
		    NULL),
	   case_json(&a,
		     HEAD "'process':{'cwd':'/','args':['x']},'linux':{'devices':[],'namespaces'"
			  ":[{'type':'network'},{'type':'pid'},{'type':'ipc'}]}}"),
	   "a raw device goes");
	case_end(&c);
	arena_release(&a);
}

static const struct {
	const char *before, *after, *sentence;
} added[] = {
	{ "",
	  ",'linux':{'maskedPaths':['/root/"
	  ".netrc'],'namespaces':[{'type':'network'},{'type':'pid'},{'type':'ipc'}]}",
	  "without \"linux\" it is made" },
	{ ",'linux':{}",
	  ",'linux':{'maskedPaths':['/root/"
	  ".netrc'],'namespaces':[{'type':'network'},{'type':'pid'},{'type':'ipc'}]}",
	  "into an empty one the members are put" },
	{ ",'linux':{'cgroupsPath':'/x'}",
	  ",'linux':{'cgroupsPath':'/x','maskedPaths':['/root/"
	  ".netrc'],'namespaces':[{'type':'network'},{'type':'pid'},{'type':'ipc'}"
	  "]}",
	  "into another they are put at the end" },
	{ ",'linux':{'maskedPaths':['/a'],'namespaces':[{'type':'pid'}]}",
	  ",'linux':{'maskedPaths':['/a','/root/"
	  ".netrc'],'namespaces':[{'type':'pid'},{'type':'network'},{'type':'ipc'"
	  "}]}",
	  "to the arrays that are there, items are added" },
	{ ",'linux':{'maskedPaths':[],'namespaces':[]}",
	  ",'linux':{'maskedPaths':['/root/"
	  ".netrc'],'namespaces':[{'type':'network'},{'type':'pid'},{'type':'ipc'}]}",
	  "to empty ones as well" },
};

static void test_added(void)
{
	static struct found root[] = { { "/root/.netrc", "/root/.netrc", FILE_REGULAR, "r", "w" } };
	const char *head = HEAD "'process':{'cwd':'/','args':['x']}";
	struct arena a = { 0 };
	struct plan_case c;
	const char *out;
	size_t i, len;

	for (i = 0; i < sizeof added / sizeof added[0]; i++) {
		case_read(&c, case_json(&a, arena_printf(&a, "%s%s}", head, added[i].before)),
			  NULL);
		c.facts.root = root;
		c.facts.n_root = 1;
		case_plan(&c);
		if (filter_text(&c.arena, &c.plan, c.text, c.len, &out, &len, &c.err))
			out = c.err.text;
		is(out, case_json(&a, arena_printf(&a, "%s%s}", head, added[i].after)), "%s",
		   added[i].sentence);
		case_end(&c);
	}
	arena_release(&a);
}

static void test_untouched(void)
{
	static const char odd[] =
		" {'ociVersion' : '1.0.2' ,\n 'x-unknown':[1.50e+3,-0,{}],'root':{'path':'r'},"
		"'process':{'cwd':'/','args':['x'],'env':['A_TOKEN=kd83Mwq2zz' , 'B=1' ] }" NET
		"\n\n";
	static const char left[] =
		" {'ociVersion' : '1.0.2' ,\n 'x-unknown':[1.50e+3,-0,{}],'root':{'path':'r'},"
		"'process':{'cwd':'/','args':['x'],'env':['B=1' ] }" NET "\n\n";
	static struct arena a;
	struct plan_case c;

	is(filtered(&c, odd, NULL), case_json(&a, left),
	   "numbers, blanks, order and unknown members stay as they are");
	case_end(&c);
	is(filtered(&c, odd, "mode: observe"), case_json(&a, odd), "mode observe changes nothing");
	case_end(&c);
	is(filtered(&c, odd, "mode: enforce"), "refused by the policy: 1 item would be stripped",
	   "mode enforce is an error");
	case_end(&c);
	is(filtered(&c, ENV("['B=1']"), "mode: enforce"), case_json(&a, ENV("['B=1']")),
	   "but not for what is clean");
	case_end(&c);
	is(filtered(&c, HEAD "'process':{'cwd':'/','args':['x','--token=kd83Mwq2zz']}" NET,
		    "args: refuse"),
	   "refused by the policy: 1 item would be stripped", "args: refuse is an error");
	case_end(&c);
	arena_release(&a);
}

int main(void)
{
	test_env();
	test_replace();
	test_again();
	test_nonsense();
	test_members();
	test_added();
	test_untouched();
	done_testing();
}
