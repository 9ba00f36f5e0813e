// SPDX-License-Identifier: Apache-2.0
/* Plans: what goes of a process and its hooks, what stays, is replaced, recorded and refused. */
#include <stdio.h>
#include <stdlib.h>

#include "../src/core/explain.h"
#include "plan_case.h"

static void test_env(void)
{
	struct plan_case c;
	const struct cut *cut;

	case_make(&c, "'env':['PATH=/bin','DB_PASSWORD=kd83-Mwq2-zz','LANG=C','DB_PASSWORD=off']",
		  NULL, NULL);
	is(case_env(&c), "PATH=/bin LANG=C DB_PASSWORD=off",
	   "what is no credential stays, in its order");
	cut = case_cut(&c, "process.env[1]");
	is(cut->name, "DB_PASSWORD", "a cut has the name of its variable");
	is(cut_action_name(cut->action), "remove",
	   "a credential is removed unless a policy differs");
	is(cut_kind_name(cut->kind), "env", "a variable's cut is of kind env");
	like(cut->rule, "^env-name:", "a cut names the rule");
	is(cut->keep, "env: {allow: [DB_PASSWORD]}", "a cut by name says which line would keep it");
	cmp_ok((long long)cut->length, "==", 12, "a cut has the length of the value");
	ok(cut->at == c.bundle.process.env.v[1].at, "a cut knows its place in the bundle's tree");
	case_end(&c);

	case_make(&c,
		  "'env':['U=https://bob:kd83Mwq2zz@h/','U=plain','U=https://bob:kd83Mwq2zz@h/']",
		  NULL, NULL);
	is(case_env(&c), "U=plain", "every entry of a name is judged by its own value");
	is(case_cut(&c, "process.env[0]")->keep, "env: {allow: [{name: U, force: true}]}",
	   "a cut by value says that it takes force to keep it");
	ok(!memcmp(c.plan.cuts[0].fingerprint, c.plan.cuts[1].fingerprint, 8),
	   "equal values have equal fingerprints");
	case_end(&c);

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zzA','B_TOKEN=kd83Mwq2zzB']", NULL, NULL);
	ok(memcmp(c.plan.cuts[0].fingerprint, c.plan.cuts[1].fingerprint, 8),
	   "different values have different fingerprints");
	is(case_env(&c), "", "an environment of credentials only becomes empty");
	case_end(&c);

	case_make(&c, "'env':['https://bob:kd83Mwq2zz@h/?q=x']", NULL, NULL);
	unlike(explain_text(&c.arena, &c.plan, false), "kd83Mwq2zz",
	       "a credential that stands where a name should is not shown");
	case_end(&c);
}

static void test_same_value(void)
{
	struct plan_case c;

	case_make(&c,
		  "'env':['B=kd83Mwq2zz','A_TOKEN=kd83Mwq2zz','C=--seed kd83Mwq2zz -v',"
		  "'D=xkd83Mwq2zz','E=a:kd83Mwq2zz@b']",
		  NULL, NULL);
	is(case_env(&c), "D=xkd83Mwq2zz",
	   "a cut value is found wherever it stands as a whole word");
	is(case_cut(&c, "B")->rule, "same-value", "a value found again has a rule of its own");
	case_end(&c);

	case_make(&c, "'env':['DB_PASSWORD=postgres','DB_KIND=postgres','A=DB_PASSWORD']", NULL,
		  NULL);
	is(case_env(&c), "DB_KIND=postgres A=DB_PASSWORD",
	   "a plain word does not take its other mentions along");
	case_end(&c);

	case_make(&c, "'env':['A=/run/agent.sock','SSH_AUTH_SOCK=/run/agent.sock']", NULL, NULL);
	is(case_env(&c), "A=/run/agent.sock", "where a pointer points to is no secret");
	case_end(&c);

	case_make(&c, "'env':['DB_URL=postgres://u:kd83Mwq2zz@h/d','A=kd83Mwq2zz']", NULL, NULL);
	is(case_env(&c), "", "the password of a URL is found on its own");
	case_end(&c);

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz','B=kd83Mwq2zz']", NULL,
		  "env: {allow: [{name: A_TOKEN, force: true}]}");
	is(case_env(&c), "A_TOKEN=kd83Mwq2zz B=kd83Mwq2zz",
	   "a value that is forced to stay is not searched for");
	is(case_cuts(&c), "allow env process.env[0] A_TOKEN", "but it is on record");
	cmp_ok((long long)plan_stripped(&c.plan), "==", 0, "what is allowed is not stripped");
	case_end(&c);

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz','B=kd83Mwq2zz']", NULL,
		  "env: {allow: [{name: B, force: true}]}");
	is(case_env(&c), "B=kd83Mwq2zz", "force keeps a value that was cut elsewhere");
	case_end(&c);

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz','B=kd83Mwq2zz']", NULL, "env: {allow: [B]}");
	is(case_env(&c), "", "allowing a name does not");
	case_end(&c);

	case_make(&c, "'env':['A=kd83Mwq2zz','B=kd84Mwq2zz']",
		  "'annotations':{'x/token':'kd83Mwq2zz','x/u':'https://u:kd84Mwq2zz@h/'}", NULL);
	is(case_env(&c), "", "what is cut of an annotation is found in the environment");
	case_end(&c);

	case_make(&c, "'env':['A=kd83Mwq2zz'],'args':['--token=kd83Mwq2zz']", NULL, NULL);
	is(case_env(&c), "", "so is a credential in an argument, though that stays");
	case_end(&c);

	case_make(&c, "'env':['A=kd83Mwq2zz']",
		  "'mounts':[{'destination':'/m','type':'cifs','options':['password=kd83Mwq2zz']}]",
		  NULL);
	is(case_env(&c), "", "and one in the options of a mount");
	case_end(&c);
}

static void test_neighbours(void)
{
	static const char env[] = "'env':['ACME_PASSWORD=hunter22','ACME_BOX=Zk39fjQ0pLm27xVbT1aQ',"
				  "'ACME_CLIENT_ID=Yk39fjQ0pLm27xVbT1aQ',"
				  "'OTHER_BOX=Xk39fjQ0pLm27xVbT1aQ','ACME_MODE=production']";
	struct plan_case c;

	case_make(&c, env, NULL, NULL);
	is(case_cuts(&c),
	   "remove env process.env[0] ACME_PASSWORD\nremove env process.env[1] ACME_BOX",
	   "what looks random beside a credential of its stem goes too, but no id");
	is(case_cut(&c, "ACME_BOX")->rule, "env-value:neighbour", "by a rule of its own");
	is(case_cut(&c, "ACME_BOX")->keep, "env: {allow: [ACME_BOX]}", "and the name can keep it");
	case_end(&c);

	case_make(&c, env, NULL, "env: {allow: [ACME_BOX]}");
	unlike(case_cuts(&c), "ACME_BOX", "a policy that allows the name keeps it");
	case_end(&c);
	case_make(&c, env, NULL, "env: {allow: [ACME_PASSWORD]}");
	unlike(case_cuts(&c), "ACME_BOX", "where no credential is cut, nothing is its neighbour");
	case_end(&c);
	case_make(&c, env, NULL, "env: {values: off}");
	unlike(case_cuts(&c), "ACME_BOX", "without values to be judged, nothing looks random");
	case_end(&c);
}

static void test_policy(void)
{
	struct plan_case c;

	case_make(&c, "'env':['CI_TOKEN=kd83Mwq2zz','CI_URL=https://b:kd84Mwq2zz@h/']", NULL,
		  "env: {allow: ['CI_*']}");
	is(case_cuts(&c), "remove env process.env[1] CI_URL",
	   "an allowed name stays, but not with a value that is a credential");
	case_end(&c);

	case_make(&c, "'env':['CI_TOKEN=kd83Mwq2zz','CI_URL=https://b:kd84Mwq2zz@h/']", NULL,
		  "env: {allow: ['CI_*'], values: off}");
	is(case_cuts(&c), "", "with values off, only names count");
	case_end(&c);

	case_make(&c, "'env':['PLAIN=x','EMPTY=']", NULL, "env: {remove: [PLAIN, EMPTY]}");
	is(case_env(&c), "", "what a policy removes goes, whatever it holds");
	is(case_cut(&c, "PLAIN")->rule, "policy:env.remove", "and the rule is the policy's");
	ok(!case_cut(&c, "PLAIN")->keep, "and no line of the same policy keeps it");
	case_end(&c);

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zzkd83Mwq2zzkd83','B=hello','E_TOKEN=']", NULL,
		  "env: {dummy: ['*']}");
	cmp_ok((long long)c.plan.n_env, "==", 3, "what is replaced stays, as something else");
	like(c.plan.env[0], "^A_TOKEN=[0-9A-Za-z]{24}$",
	     "a stand-in has the length of the original");
	unlike(c.plan.env[0], "kd83Mwq2zz", "and nothing of it");
	like(c.plan.env[1], "^B=[0-9A-Za-z]{24}$", "a short value gets a longer stand-in");
	is(c.plan.env[2], "E_TOKEN=", "an empty value needs none");
	is(case_cut(&c, "A_TOKEN")->instead, c.plan.env[0], "the cut has the whole new entry");
	case_end(&c);
}

static void test_pointers(void)
{
	static const char env[] =
		"'env':['KUBECONFIG=/a/one:/b/two','SSH_AUTH_SOCK=/run/s','A=/c']";
	static const char mounts[] =
		"'mounts':[{'destination':'/a/one','type':'bind','source':'/x/1'},"
		"{'destination':'/b/two','type':'bind','source':'/x/2'},"
		"{'destination':'/run/s','type':'bind','source':'/x/3'},"
		"{'destination':'/c','type':'bind','source':'/x/4'},"
		"{'destination':'/b','type':'tmpfs','source':'tmpfs'}]";
	struct plan_case c;

	case_make(&c, env, mounts, NULL);
	is(case_env(&c), "A=/c", "a variable that points to a credential goes");
	is(case_mounts(&c), "/c /b", "and so does each mount that it points to");
	is(case_cut(&c, "mounts[0]")->rule, "pointer", "by a rule that says so");
	is(case_cut(&c, "mounts[0]")->keep, "paths: {allow: [/x/1]}",
	   "and it says which line would keep it");
	case_end(&c);

	case_make(&c, env, mounts, "paths: {allow: [/x/1]}");
	is(case_mounts(&c), "/a/one /c /b", "which is true");
	case_end(&c);

	case_make(&c, env, mounts, "paths: {allow: [/a/one]}");
	is(case_mounts(&c), "/a/one /c /b", "the path in the container can be allowed too");
	case_end(&c);

	case_make(&c, env, mounts, "env: {allow: [{name: KUBECONFIG, force: true}]}");
	is(case_mounts(&c), "/a/one /b/two /c /b", "what an allowed pointer points to stays");
	case_end(&c);

	case_make(&c, "'env':['SSH_AUTH_SOCK=/run/s']",
		  "'mounts':[{'destination':'/run/s','type':'tmpfs','source':'tmpfs'}]", NULL);
	is(case_mounts(&c), "/run/s", "what is made anew for the container is no credential");
	case_end(&c);
}

static void test_hooks(void)
{
	static const char *const kinds[] = { "prestart",       "createRuntime", "createContainer",
					     "startContainer", "poststart",     "poststop" };
	struct plan_case c;
	size_t i;

	for (i = 0; i < 6; i++) {
		bool inside = i == HOOK_CREATE_CONTAINER || i == HOOK_START_CONTAINER;
		const char *top =
			"'hooks':{'%s':[{'path':'/bin/h','env':['A=1','B_TOKEN=kd83Mwq2zz'"
			"],'args':['h','--token=kd84Mwq2zz']}]}";
		struct arena a = { 0 };
		char *copy = arena_strdup(&a, top), *percent = strchr(copy, '%');

		*percent = '\0';
		case_make(&c, "'env':['C=kd83Mwq2zz','D=kd84Mwq2zz']",
			  arena_printf(&a, "%s%s%s", copy, kinds[i], percent + 2), NULL);
		cmp_ok((long long)c.plan.hooks[i][0].n_env, "==", inside ? 1 : 2, "%s: %s",
		       kinds[i],
		       inside ? "a hook that runs inside loses its credentials"
			      : "a hook that runs outside keeps its credentials");
		is(cut_action_name(case_cut(&c, "B_TOKEN")->action), inside ? "remove" : "record",
		   "%s: and that is on record", kinds[i]);
		is(cut_action_name(case_cut(&c, "--token")->action), "record",
		   "%s: its arguments are on record", kinds[i]);
		is(case_env(&c), "", "%s: and both are found in the workload's environment",
		   kinds[i]);
		arena_release(&a);
		case_end(&c);
	}
}

static void test_args(void)
{
	static const char args[] =
		"'args':['app','--api-key=kd83Mwq2zzkd83Mwq2zz','--password',"
		"'kd85-Mwq2-zz','--max-tokens=7','-v','https://u:kd86Mwq2zz@h/']";
	struct plan_case c;

	case_make(&c, args, NULL, NULL);
	is(case_cuts(&c),
	   "record arg process.args[1] --api-key\n"
	   "record arg process.args[3] --password\n"
	   "record arg process.args[6] argument 6",
	   "credentials in arguments are put on record by the word of their option");
	is(c.plan.args[1], "--api-key=kd83Mwq2zzkd83Mwq2zz", "and stay");
	ok(!c.plan.refused, "and refuse nothing");
	case_end(&c);

	case_make(&c, args, NULL, "args: refuse");
	ok(c.plan.refused, "args: refuse refuses");
	cmp_ok((long long)plan_stripped(&c.plan), "==", 3, "and counts what for");
	case_end(&c);

	case_make(&c, args, NULL, "args: dummy");
	like(c.plan.args[1], "^--api-key=[0-9A-Za-z]{20}$",
	     "a stand-in keeps the option before it");
	like(c.plan.args[3], "^[0-9A-Za-z-]+$", "a stand-in for an option's value is one argument");
	isnt(c.plan.args[3], "kd85-Mwq2-zz", "and another one");
	like(c.plan.args[6], "^https://u:[0-9A-Za-z]+@h/$", "a stand-in keeps the URL around it");
	is(c.plan.args[5], "-v", "the other arguments stay");
	cmp_ok((long long)c.plan.n_args, "==", 7, "as many as there were");
	case_end(&c);

	case_make(&c, "'args':['curl','-v','-u','bob:kd83Mwq2zz','-o','a:b','https://h/']", NULL,
		  "args: dummy");
	is(case_cuts(&c), "dummy arg process.args[3] argument 3",
	   "what a short option is for follows from the program");
	like(c.plan.args[3], "^bob:[0-9A-Za-z]{24}$", "and its stand-in keeps the rest");
	case_end(&c);

	case_make(&c, "'args':['/usr/bin/env','mysql','-pkd83 Mwq2;zz','-p','db']", NULL, NULL);
	is(case_cuts(&c), "record arg process.args[2] argument 2",
	   "also where it is the argument of another");
	case_end(&c);

	case_make(&c,
		  "'env':['A_TOKEN=kd83Mwq2zz=='],'args':['kd83Mwq2zz==','-x','a kd83Mwq2zz==']",
		  NULL, NULL);
	is(case_cut(&c, "process.args[0]")->rule, "same-value",
	   "a variable's value is found in the arguments");
	is(case_cut(&c, "process.args[0]")->name, "argument 0",
	   "padding does not make an option of a secret");
	unlike(explain_json(&c.arena, &c.plan), "kd83Mwq2zz", "and it is not shown");
	case_end(&c);

	case_make(&c, "'args':['DfCWPAGyDfPffe7PWVrp==']", NULL, NULL);
	is(case_cuts(&c), "", "nor of any other text");
	case_end(&c);

	case_make(&c,
		  "'env':['A_TOKEN=kd83Mwq2zz'],'args':['kd83Mwq2zz=x','--kd83Mwq2zz=kd83Mwq2zz']",
		  NULL, NULL);
	unlike(explain_json(&c.arena, &c.plan), "kd83Mwq2zz",
	       "a secret in the place of an option's word is not shown");
	case_end(&c);
}

static void test_annotations(void)
{
	struct plan_case c;

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz']",
		  "'annotations':{'io.x/name':'web','io.x/api-token':'kd84Mwq2zz','io.x/y':"
		  "'{\\'a\\':\\'kd83Mwq2zz\\'}','io.x/z':'kd85'}",
		  NULL);
	is(case_cuts(&c),
	   "remove env process.env[0] A_TOKEN\n"
	   "remove annotation annotations[\"io.x/api-token\"] io.x/api-token\n"
	   "remove annotation annotations[\"io.x/y\"] io.x/y",
	   "annotations go by their name, by their value and by a value cut elsewhere");
	cmp_ok((long long)c.plan.n_annotations, "==", 2, "the others stay");
	case_end(&c);

	case_make(&c, NULL, "'annotations':{'https://u:kd83Mwq2zz@h/token':'kd84Mwq2zz'}", NULL);
	unlike(explain_text(&c.arena, &c.plan, false), "kd83Mwq2zz",
	       "a credential in an annotation's key is not shown");
	case_end(&c);
}

static void test_host_name(void)
{
	struct plan_case c;

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz']", "'hostname':'kd83Mwq2zz','domainname':'x.y'",
		  NULL);
	is(case_cuts(&c),
	   "remove env process.env[0] A_TOKEN\n"
	   "dummy namespace hostname uts",
	   "a host name that is a credential is replaced");
	is(c.plan.hostname, "withheld", "by a plain word");
	is(c.plan.domainname, "x.y", "and a domain name that is none stays");
	cmp_ok((long long)plan_stripped(&c.plan), "==", 2, "and counts as any other on record");
	case_end(&c);

	case_make(&c, NULL, "'linux':{}", "mode: observe");
	is(case_cuts(&c),
	   "record namespace linux.namespaces network\n"
	   "record namespace linux.namespaces pid\n"
	   "record namespace linux.namespaces ipc",
	   "mode observe puts the host's network on record");
	cmp_ok((long long)plan_stripped(&c.plan), "==", 0, "which takes nothing from the bundle");
	case_end(&c);

	case_make(&c, "'env':['A_TOKEN=kd83Mwq2zz']", "'domainname':'kd83Mwq2zz'", "mode: enforce");
	is(cut_action_name(case_cut(&c, "uts")->action), "refuse",
	   "but for mode enforce, which refuses it");
	cmp_ok((long long)plan_stripped(&c.plan), "==", 2, "and counts it");
	case_end(&c);
}

static void test_modes(void)
{
	static const char process[] =
		"'env':['A_TOKEN=kd83Mwq2zz','B=1'],'args':['x','--token=kd84Mwq2zz"
		"']";
	static const char top[] =
		"'mounts':[{'destination':'/a','type':'bind','source':'/home/alice/.aws'}],"
		"'annotations':{'x/token':'kd85Mwq2zz'}";
	struct plan_case c;

	case_make(&c, process, top, "mode: observe");
	is(case_env(&c), "A_TOKEN=kd83Mwq2zz B=1", "mode observe keeps variables");
	is(case_mounts(&c), "/a", "and mounts");
	cmp_ok((long long)c.plan.n_annotations, "==", 1, "and annotations");
	cmp_ok((long long)plan_stripped(&c.plan), "==", 4, "and says what would go");
	ok(!c.plan.refused, "and refuses nothing");
	case_end(&c);

	case_make(&c, process, top, "mode: enforce");
	is(case_cuts(&c),
	   "refuse env process.env[0] A_TOKEN\n"
	   "refuse arg process.args[1] --token\n"
	   "refuse annotation annotations[\"x/token\"] x/token\n"
	   "refuse mount mounts[0] /a",
	   "mode enforce lists all that it refuses");
	ok(c.plan.refused, "and refuses");
	case_end(&c);

	case_make(&c, "'env':['B=1']", NULL, "mode: enforce");
	ok(!c.plan.refused, "mode enforce refuses nothing that is clean");
	case_end(&c);
}

static void test_errors(void)
{
	struct plan_case c;

	case_bundle(&c, NULL, "'mounts':[{'destination':'/a'}]", NULL);
	c.facts.n_mounts = 0;
	ok(plan_make(&c.arena, &c.bundle, &c.policy, &c.facts, &c.plan, &c.err) == -1,
	   "facts of other mounts are an error");
	is(c.err.text, "facts: 0 mounts where the bundle has 1", "that says so");
	c.facts.n_mounts = 1;
	c.facts.landlock_abi = 0;
	case_plan(&c);
	like(c.plan.lacks, "^landlock: .*best-effort",
	     "a kernel without Landlock lacks what the policy requires, with the remedy");
	case_policy(&c, "landlock: best-effort");
	case_plan(&c);
	ok(!c.plan.lacks && !c.plan.landlock.abi, "best-effort goes on without it");
	c.facts.landlock_abi = 99;
	case_plan(&c);
	cmp_ok(c.plan.landlock.abi, "==", 7, "of a newer one, what is known is asked for");
	case_end(&c);
	case_bundle(&c, NULL, "'linux':{'intelRdt':{'closID':'a'}}", NULL);
	case_plan(&c);
	like(c.plan.lacks ? c.plan.lacks : "", "^linux\\.intelRdt: .*remove it",
	     "what is known and not carried out is told before a start would fail");
	case_end(&c);
}

static void test_judge(void)
{
	struct plan_case c;
	struct judgement j;

	case_bundle(&c, NULL, NULL, "paths: {allow: [/home/*/.aws], mask: ['**/notes.txt']}");
	plan_judge_path(&c.policy, "/home/alice/.aws", &j);
	ok(j.f.verdict == VERDICT_CREDENTIAL && j.action == ACTION_ALLOW,
	   "an allowed path is found, and allowed");
	plan_judge_path(&c.policy, "/srv/notes.txt", &j);
	ok(j.f.verdict == VERDICT_CREDENTIAL && j.action == ACTION_REMOVE,
	   "a path that a policy masks is one to remove");
	plan_judge_path(&c.policy, "/srv/data", &j);
	ok(j.f.verdict == VERDICT_KEEP, "any other path stays");
	plan_judge_path(&c.policy, "/home/alice", &j);
	ok(j.f.is_ancestor && j.action == ACTION_MASK, "a home is masked below");
	plan_judge_env(&c.policy, "A_TOKEN", "", 0, &j);
	ok(j.f.verdict == VERDICT_KEEP, "an empty token is none");
	plan_judge_env(&c.policy, "A_TOKEN", "kd83Mwq2zz", 10, &j);
	ok(j.f.verdict == VERDICT_CREDENTIAL && j.action == ACTION_REMOVE, "any other is one");
	case_end(&c);
}

/* The value of a password, and the same as a name of something that stays. */
static void test_names(void)
{
	static const struct {
		const char *env, *top, *what;
	} cases[] = {
		{ "'S3cr3tValueXyz99=on'", NULL, "a variable" },
		{ "'APP_S3cr3tValueXyz99=on'", NULL, "part of a variable" },
		{ "'A=1'", "'mounts':[{'destination':'/S3cr3tValueXyz99','type':'tmpfs'}]",
		  "a mount point" },
		{ "'A=1'",
		  "'mounts':[{'destination':'/a','type':'bind','source':'/S3cr3tValueXyz99/.aws'}]",
		  "the source of a mount, in what would keep it" },
		{ "'A=1'", "'annotations':{'a.b/S3cr3tValueXyz99':'S3cr3tValueXyz99'}",
		  "an annotation that is cut" },
		{ "'A=1'", "'S3cr3tValueXyz99':1", "an unknown property" },
		{ "'A=1'", "'annotations':{},'mounts':[],'x.S3cr3tValueXyz99':1", "a part of one" },
		{ "'A=1'", "'hooks':{'poststop':[{'path':'/x/S3cr3tValueXyz99'}]}", "a hook" },
	};
	struct plan_case c;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char process[256];

		snprintf(process, sizeof process, "'env':['DB_PASSWORD=S3cr3tValueXyz99',%s]",
			 cases[i].env);
		case_make(&c, process, cases[i].top, NULL);
		unlike(explain_text(&c.arena, &c.plan, false), "S3cr3tValueXyz99",
		       "text does not show a cut value that is the name of %s", cases[i].what);
		unlike(explain_json(&c.arena, &c.plan), "S3cr3tValueXyz99",
		       "JSON does not show a cut value that is the name of %s", cases[i].what);
		case_end(&c);
	}
}

static void test_purity(void)
{
	static const char process[] =
		"'env':['A_TOKEN=kd83Mwq2zzkd83Mwq2zz','B=kd83Mwq2zzkd83Mwq2zz'],"
		"'args':['--token=kd84Mwq2zzkd83Mwq2zz']";
	struct plan_case c;
	const char *before, *env;

	case_make(&c, process, NULL, "env: {dummy: [A_TOKEN]}\nargs: dummy");
	before = explain_json(&c.arena, &c.plan);
	env = case_env(&c);
	case_plan(&c);
	is(explain_json(&c.arena, &c.plan), before, "the same arguments give the same plan");
	is(case_env(&c), env, "with the same stand-ins");
	c.facts.seed[0]++;
	case_plan(&c);
	isnt(case_env(&c), env, "another container gets other ones");
	case_end(&c);
}

static void test_texts(void)
{
	static const char process[] =
		"'env':['A_TOKEN=kd83Mwq2zz'],'apparmorProfile':'box-a','selinuxLabel':"
		"'u:r:t:kd83Mwq2zz'";
	static const char top[] =
		"'linux':{'namespaces':[{'type':'network'},{'type':'pid'},{'type':'ipc'}],"
		"'cgroupsPath':'/box/kd83Mwq2zz',"
		"'mountLabel':'u:r:t','sysctl':{'kernel.domainname':'kd83Mwq2zz','net.x':'1'},"
		"'seccomp':{'defaultAction':'SCMP_ACT_ALLOW','listenerPath':'/run/l',"
		"'listenerMetadata':'id=kd83Mwq2zz'}}";
	struct plan_case c;

	case_make(&c, process, top, NULL);
	is(case_cuts(&c),
	   "remove env process.env[0] A_TOKEN\n"
	   "remove annotation linux.sysctl[\"kernel.domainname\"] kernel.domainname\n"
	   "record annotation process.selinuxLabel selinuxLabel\n"
	   "record annotation linux.cgroupsPath cgroupsPath\n"
	   "record annotation linux.seccomp.listenerMetadata listenerMetadata",
	   "a known value in a label or a path is on record, and one in a sysctl goes");
	case_end(&c);
	case_make(&c, process, top, "mode: enforce");
	ok(c.plan.refused && case_cut(&c, "cgroupsPath")->action == ACTION_REFUSE,
	   "and refused where a policy enforces");
	case_end(&c);
}

/* The floor and the profile of a bundle with or without a filter. */
static const char *filters(const char *policy, bool has_filter)
{
	struct plan_case c;
	static char text[64];

	case_make(&c, NULL,
		  has_filter ? "'linux':{'seccomp':{'defaultAction':'SCMP_ACT_ALLOW'}}" : NULL,
		  policy);
	snprintf(text, sizeof text, "%s %s%s%s", policy_floor_name(c.plan.floor),
		 plan_profile_name(c.plan.profile), c.plan.no_new_privs ? "" : " (may gain)",
		 has_filter == !c.plan.seccomp ? " (?)" : "");
	case_end(&c);
	return text;
}

static void test_filters(void)
{
	static const struct seccomp file = { .set = true };
	struct plan_case c;

	is(filters(NULL, true), "on bundle", "a bundle's filter goes over the floor");
	is(filters(NULL, false), "on default", "one without gets the default");
	is(filters("seccomp: {profile: strict, floor: nested}", false), "nested strict",
	   "or what the policy says");
	is(filters("seccomp: {profile: strict}", true), "on bundle",
	   "a profile does not replace a bundle's own");
	is(filters("seccomp: {profile: off}", false), "on none", "which may be nothing");
	is(filters("seccomp: {floor: off}", true), "off bundle", "the floor can be left out");
	is(filters("mode: observe\nseccomp: {profile: strict}", false), "off none (may gain)",
	   "who observes adds nothing");
	case_bundle(&c, NULL, NULL, "seccomp: {profile: /x.json}");
	c.facts.profile = &file;
	case_plan(&c);
	ok(c.plan.profile == PROFILE_FILE && c.plan.seccomp == &file, "a file is a profile");
	c.facts.has_seccomp = false;
	case_plan(&c);
	like(c.plan.lacks, "^seccomp: the kernel has none .*floor: off",
	     "a kernel without filters lacks something");
	case_policy(&c, "mode: observe");
	case_plan(&c);
	ok(!c.plan.lacks, "unless none is asked for");
	case_end(&c);
}

int main(void)
{
	test_env();
	test_same_value();
	test_neighbours();
	test_policy();
	test_pointers();
	test_hooks();
	test_args();
	test_annotations();
	test_host_name();
	test_modes();
	test_errors();
	test_judge();
	test_filters();
	test_names();
	test_purity();
	test_texts();
	done_testing();
}
