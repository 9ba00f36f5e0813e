// SPDX-License-Identifier: Apache-2.0
/* Plans: which mounts, devices and namespaces the workload gets, and what is masked in them. */
#include "plan_case.h"

static void test_mounts(void)
{
	static const char mounts[] =
		"'mounts':[{'destination':'/proc','type':'proc','source':'proc'},"
		"{'destination':'/a','type':'bind','source':'/home/alice/.aws'},"
		"{'destination':'/run/secrets/x','type':'bind','source':'/srv/x'},"
		"{'destination':'/run/secrets','type':'tmpfs','source':'tmpfs'},"
		"{'destination':'/o','type':'overlay','source':'o','options':['lowerdir=/l:/root/"
		".ssh'"
		",'upperdir=/u','workdir=/w']},"
		"{'destination':'/c','type':'cifs','source':'//h/"
		"s','options':['password=kd83Mwq2zz']},"
		"{'destination':'/d','type':'fuse','source':'https://u:kd83Mwq2zz@h/'},"
		"{'destination':'/b','source':'/srv/b','options':['rbind']},"
		"{'destination':'/k','type':'bind','source':'/srv/link'}]";
	struct plan_case c;

	case_bundle(&c, NULL, mounts, NULL);
	c.facts.mounts[8].source = "/run/docker.sock";
	c.facts.mounts[8].type = FILE_SOCKET;
	case_plan(&c);
	is(case_mounts(&c), "/proc /run/secrets /b", "mounts that bring in no credential stay");
	like(case_cut(&c, "mounts[1]")->rule, "^path:", "a mount goes by its source");
	like(case_cut(&c, "mounts[2]")->rule, "^path:", "or by its destination");
	like(case_cut(&c, "mounts[4]")->rule, "^path:", "or by the layers of an overlay");
	ok(*case_cut(&c, "mounts[5].options[0]")->rule, "or by an option, which is named");
	ok(*case_cut(&c, "mounts[6]")->rule, "or by a source that is no path");
	like(case_cut(&c, "mounts[8]")->rule, "^path:", "or by what its source really is");
	is(case_cut(&c, "/a")->keep, "paths: {allow: [/home/alice/.aws]}",
	   "a cut mount says which line would keep it");
	case_end(&c);

	case_bundle(&c, NULL, mounts, "paths: {allow: ['/**']}");
	c.facts.mounts[8].rule = "path:engine-socket";
	case_plan(&c);
	is(case_mounts(&c), "/proc /a /run/secrets/x /run/secrets /o /b /k",
	   "what is allowed stays, but for secrets in options and sources");
	case_end(&c);

	case_bundle(&c, NULL, mounts, "paths: {mask: [/srv/b, /proc]}");
	c.facts.mounts[8].rule = "path:engine-socket";
	c.facts.mounts[8].why = "identity";
	case_plan(&c);
	is(case_mounts(&c), "/proc /run/secrets", "a bind of what a policy masks goes");
	is(case_cut(&c, "/b")->rule, "policy:paths.mask", "by the policy's rule");
	is(case_cut(&c, "/k")->rule, "path:engine-socket", "another goes by its identity");
	case_end(&c);
}

static const char home[] =
	"'mounts':[{'destination':'/home/alice','type':'bind','source':'/home/alice'},"
	"{'destination':'/home/alice/.aws','type':'%s','source':'/home/alice/.aws'}]";

static void plan_home(struct plan_case *c, const char *type, const char *policy)
{
	static struct found found[] = {
		{ "/home/alice/.netrc", "/home/alice/.netrc", FILE_REGULAR, "path:netrc", "w" },
		{ "/home/alice/.aws", "/home/alice/.aws", FILE_DIRECTORY, "path:aws", "w" },
	};
	static struct found root[] = {
		{ "/root/.netrc", "/root/.netrc", FILE_REGULAR, "path:netrc", "w" },
		{ "/home/alice/.pgpass", "/home/alice/.pgpass", FILE_REGULAR, "path:pg", "w" },
	};
	struct arena a = { 0 };
	char *copy = arena_strdup(&a, home), *percent = strchr(copy, '%');

	*percent = '\0';
	case_bundle(c, NULL, arena_printf(&a, "%s%s%s", copy, type, percent + 2), policy);
	c->facts.mounts[0].found = found;
	c->facts.mounts[0].n_found = 2;
	c->facts.root = root;
	c->facts.n_root = 2;
	case_plan(c);
	arena_release(&a);
}

static void test_masks(void)
{
	struct plan_case c;

	plan_home(&c, "tmpfs", NULL);
	is(case_mounts(&c), "/home/alice /home/alice/.aws", "a home that is mounted stays");
	is(case_masks(&c), "/root/.netrc /home/alice/.netrc",
	   "what was found in it and in the image is masked, but not what other mounts hide");
	is(case_cut(&c, "/home/alice/.netrc")->where, "mounts[0]", "a mask names the mount");
	is(case_cut(&c, "/root/.netrc")->where, "root.path", "or the root");
	case_end(&c);

	plan_home(&c, "bind", NULL);
	is(case_mounts(&c), "/home/alice",
	   "a credential directory mounted over its own place goes");
	is(case_masks(&c), "/root/.netrc /home/alice/.netrc /home/alice/.aws/",
	   "and hides no more what is below");
	case_end(&c);

	plan_home(&c, "bind", "paths: {allow: ['**/.netrc']}");
	is(case_masks(&c), "/home/alice/.aws/", "what a policy allows is not masked");
	case_end(&c);

	plan_home(&c, "tmpfs", "scan: {image: off}");
	is(case_masks(&c), "/home/alice/.netrc", "without a scan of the image, nothing of it");
	case_end(&c);

	plan_home(&c, "tmpfs", "scan: {mounts: off}");
	is(case_mounts(&c), "/home/alice/.aws", "without a scan of mounts, a home goes as a whole");
	is(case_masks(&c), "/root/.netrc /home/alice/.pgpass", "and what it hid is masked");
	case_end(&c);

	plan_home(&c, "tmpfs", "mode: observe");
	is(case_masks(&c), "", "mode observe masks nothing");
	case_end(&c);

	plan_home(&c, "bind", "mode: enforce");
	is(case_cuts(&c),
	   "refuse path mounts[0] /home/alice\n"
	   "refuse mount mounts[1] /home/alice/.aws\n"
	   "refuse path root.path /root/.netrc\n"
	   "refuse path mounts[0] /home/alice/.netrc\n"
	   "refuse path mounts[0] /home/alice/.aws",
	   "mode enforce lists what is below a mount that would go");
	case_end(&c);
}

static const char *masks_with(struct plan_case *c, const char *top)
{
	static struct found root = { "/root/.netrc", "/root/.netrc", FILE_REGULAR, "path:netrc",
				     "w" };

	case_bundle(c, NULL, top, NULL);
	c->facts.root = &root;
	c->facts.n_root = 1;
	case_plan(c);
	return case_masks(c);
}

/* Each would switch off the mask if it were believed. */
static void test_no_hiding(void)
{
	static const char *const masked[] = { "/",          "//",   "a",          "",
					      ".",          "/.",   "root",       "..",
					      "/a/../root", "/roo", "/root/.netr" };
	static const char *const hiding[] = { "/root", "/root/", "/root/.netrc", "//root/.//" };
	static const char *const mounts[] = {
		"{'destination':'z','type':'tmpfs'}",
		"{'destination':'root','type':'tmpfs'}",
		"{'destination':'/','type':'tmpfs'}",
		"{'destination':'/.','type':'tmpfs'}",
		"{'destination':'/root','type':'tmpfs','options':['tmpcopyup']}",
		"{'destination':'/root','type':'tmpfs','options':['ro','remount']}",
	};
	struct plan_case c;
	struct arena a = { 0 };
	size_t i;

	for (i = 0; i < sizeof masked / sizeof masked[0]; i++) {
		is(masks_with(&c, arena_printf(&a, "'linux':{'maskedPaths':['%s']}", masked[i])),
		   "/root/.netrc", "a masked path '%s' hides nothing in /root", masked[i]);
		case_end(&c);
	}
	for (i = 0; i < sizeof hiding / sizeof hiding[0]; i++) {
		is(masks_with(&c, arena_printf(&a, "'linux':{'maskedPaths':['%s']}", hiding[i])),
		   "", "a masked path '%s' does", hiding[i]);
		case_end(&c);
	}
	for (i = 0; i < sizeof mounts / sizeof mounts[0]; i++) {
		is(masks_with(&c, arena_printf(&a, "'mounts':[%s]", mounts[i])), "/root/.netrc",
		   "nor does the mount %s", mounts[i]);
		case_end(&c);
	}
	is(masks_with(&c, "'mounts':[{'destination':'/root/','type':'tmpfs'}]"), "",
	   "a mount over it does");
	case_end(&c);
	arena_release(&a);
}

static void test_pointers(void)
{
	static const char *const same[] = { "/run/x/sock",      "/var/run/x/sock",
					    "/run//x/./sock",   "/run/x/sock/",
					    "/run/y/../x/sock", "/var/run/../run/x//sock" };
	static const struct {
		const char *path;
		bool stays;
	} roots[] = {
		{ "/a.sock", false }, { "/kc", false }, { "/auth", false }, { "/workspace", true },
		{ "/data", true },    { "/etc", true }, { "/usr/x", true },
	};
	struct plan_case c;
	struct arena a = { 0 };
	size_t i, k;

	for (i = 0; i < sizeof same / sizeof same[0]; i++) {
		for (k = 0; k < sizeof same / sizeof same[0]; k++) {
			case_make(&c, arena_printf(&a, "'env':['SSH_AUTH_SOCK=%s']", same[i]),
				  arena_printf(&a,
					       "'mounts':[{'destination':'%s','type':'bind',"
					       "'source':'/srv/s'}]",
					       same[k]),
				  NULL);
			is(case_cut(&c, "mounts[0]")->rule, "pointer",
			   "a variable with %s points to a mount on %s", same[i], same[k]);
			case_end(&c);
		}
	}
	for (i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		case_make(&c, arena_printf(&a, "'env':['SSH_AUTH_SOCK=%s']", roots[i].path),
			  arena_printf(&a,
				       "'mounts':[{'destination':'%s','type':'bind',"
				       "'source':'/srv/s'}]",
				       roots[i].path),
			  NULL);
		is(case_mounts(&c), roots[i].stays ? roots[i].path : "", "%s %s", roots[i].path,
		   roots[i].stays ? "holds too much to go with a variable"
				  : "goes with the variable that points to it");
		case_end(&c);
	}
	for (i = 0; i < 2; i++) {
		case_make(&c, NULL,
			  arena_printf(
				  &a,
				  "'hooks':{'%s':[{'path':'/h','env':['SSH_AUTH_SOCK=/srv/a']}]},"
				  "'mounts':[{'destination':'/srv/a','type':'bind',"
				  "'source':'/srv/s'}]",
				  i ? "poststop" : "startContainer"),
			  NULL);
		is(case_mounts(&c), i ? "/srv/a" : "",
		   "a hook's variable points to a mount if it runs inside");
		case_end(&c);
	}
	arena_release(&a);
}

/* From the working directory, which does not go itself. */
static void test_relative_pointers(void)
{
	static const struct {
		const char *value, *stays;
	} cases[] = {
		{ "conf/kc", "/srv/w" },           { "./conf/kc", "/srv/w" },
		{ "../w/conf/kc", "/srv/w" },      { ".", "/srv/w /srv/w/conf/kc" },
		{ "..", "/srv/w /srv/w/conf/kc" }, { "kc", "/srv/w /srv/w/conf/kc" },
		{ "./", "/srv/w /srv/w/conf/kc" },
	};
	struct plan_case c;
	struct arena a = { 0 };
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		case_read(&c,
			  case_json(&a, arena_printf(&a,
						     "{'ociVersion':'1.0.2','root':{'path':'r'},"
						     "'process':{'cwd':'/srv//w/','args':['sh'],"
						     "'env':['KUBECONFIG=%s']},'mounts':["
						     "{'destination':'/srv/w','type':'bind',"
						     "'source':'/x/1'},"
						     "{'destination':'/srv/w/conf/kc',"
						     "'type':'bind','source':'/x/2'}]}",
						     cases[i].value)),
			  NULL);
		case_plan(&c);
		is(case_mounts(&c), cases[i].stays, "KUBECONFIG=%s", cases[i].value);
		case_end(&c);
	}
	arena_release(&a);
}

static void test_below_pointers(void)
{
	static const char mounts[] =
		"'mounts':[{'destination':'/srv/conf/gpg/sub','type':'bind','source':'/srv/a'},"
		"{'destination':'/srv/conf/gpg/x/y','type':'bind','source':'/srv/b'},"
		"{'destination':'/srv/conf/gpgs','type':'bind','source':'/srv/c'},"
		"{'destination':'/srv/conf','type':'bind','source':'/srv/d'},"
		"{'destination':'/srv/conf/gpg/t','type':'tmpfs','source':'tmpfs'}]";
	struct plan_case c;

	case_make(&c, "'env':['GNUPGHOME=/srv/conf/gpg']", mounts, NULL);
	is(case_mounts(&c), "/srv/conf/gpgs /srv/conf /srv/conf/gpg/t",
	   "what is mounted below a directory that a variable points to goes");
	is(case_cut(&c, "mounts[1]")->rule, "pointer", "by the pointer");
	case_end(&c);
	case_make(&c, "'env':['GNUPGHOME=/srv/conf/gpg']", mounts, "paths: {allow: [/srv/a]}");
	is(case_mounts(&c), "/srv/conf/gpg/sub /srv/conf/gpgs /srv/conf /srv/conf/gpg/t",
	   "unless it is allowed");
	case_end(&c);
}

static void test_options(void)
{
	static const struct {
		const char *options, *where, *sentence;
	} cases[] = {
		{ "'ro','password=kd83Mwq2zz'", "mounts[0].options[1]", "a password" },
		{ "'ro,password=kd83Mwq2zz,user=x'", "mounts[0].options[0]", "one between others" },
		{ "'rw','user=x,pass=kd83Mwq2zz'", "mounts[0].options[1]", "one behind others" },
		{ "'name=admin,secret=a2Q4M013cTJ6eg==,noatime'", "mounts[0].options[0]",
		  "a secret of ceph" },
		{ "'vers=3.0,credentials=/etc/c'", "mounts[0].options[0]",
		  "a file of credentials" },
		{ "'name=admin,secretfile=/etc/c'", "mounts[0].options[0]", "one of ceph" },
		{ "'vers=3.0,sec=krb5,addr=10.0.0.1'", "", "nothing" },
		{ "'trans=virtio,version=9p2000.L,access=client'", "", "nothing of 9p either" },
		{ "'fd=7,rootmode=40000,user_id=0,group_id=0'", "", "nor of fuse" },
		{ "'context=\\'system_u:object_r:x:s0:c1,c2\\'','size=65536k'", "",
		  "nor a label with a comma" },
	};
	struct arena a = { 0 };
	struct plan_case c;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		case_make(&c, NULL,
			  arena_printf(&a,
				       "'mounts':[{'destination':'/c','type':'cifs',"
				       "'source':'//h/s','options':[%s]}]",
				       cases[i].options),
			  NULL);
		is(case_cut(&c, "/c")->where, cases[i].where, "among options, %s is found",
		   cases[i].sentence);
		case_end(&c);
	}
	case_make(&c, "'env':['NOTE=kd83Mwq2zz']",
		  "'mounts':[{'destination':'/c','type':'cifs','source':'//h/s',"
		  "'options':['ro,password=kd83Mwq2zz,user=x']}]",
		  NULL);
	is(case_env(&c), "", "and is known from there elsewhere");
	case_end(&c);
	arena_release(&a);
}

static void test_devices(void)
{
	static const char devices[] =
		"'linux':{'devices':[{'path':'/dev/sda','type':'b','major':8,'minor':0},"
		"{'path':'/dev/fuse','type':'c','major':10,'minor':229},"
		"{'path':'/dev/mem','type':'c','major':1,'minor':1},"
		"{'path':'/dev/null','type':'c','major':1,'minor':3}]}";
	struct plan_case c;

	case_make(&c, NULL, devices, "namespaces: {network: bundle, pid: bundle, ipc: bundle}");
	is(case_cuts(&c),
	   "remove path linux.devices[0] /dev/sda\n"
	   "remove path linux.devices[2] /dev/mem",
	   "raw disks and memory go");
	cmp_ok((long long)c.plan.n_devices, "==", 2, "other devices stay");
	case_end(&c);

	case_make(&c, NULL, devices, "paths: {allow: [/dev/sda, /dev/mem]}");
	cmp_ok((long long)c.plan.n_devices, "==", 4, "and raw ones that a policy allows");
	case_end(&c);
}

static void test_disks(void)
{
	static const char mounts[] =
		"'mounts':[{'destination':'/a','type':'ext4','source':'/dev/sda1'},"
		"{'destination':'/b','type':'xfs','source':'/dev/../dev/nvme0n1p2'},"
		"{'destination':'/c','type':'cifs','source':'//h/s','options':['credentials=/etc/"
		"c']},"
		"{'destination':'/d','type':'cifs','source':'//h/s','options':['cred=/etc/c']},"
		"{'destination':'/e','type':'cifs','source':'//h/s','options':['credits=/etc/c']},"
		"{'destination':'/f','type':'tmpfs','source':'tmpfs'}]";
	struct plan_case c;

	case_make(&c, NULL, mounts, NULL);
	is(case_mounts(&c), "/e /f", "file systems on disks go, and those with credentials files");
	is(case_cut(&c, "/a")->keep, "paths: {allow: [/dev/sda1]}", "which can be allowed");
	case_end(&c);

	case_make(&c, NULL, mounts, "paths: {allow: ['/dev/**', /etc/c]}");
	is(case_mounts(&c), "/a /b /c /d /e /f", "and are then kept");
	case_end(&c);
}

static void test_namespaces(void)
{
	static const char all_new[] =
		"'linux':{'namespaces':[{'type':'pid'},{'type':'network'},{'type':'mount'},"
		"{'type':'ipc'},{'type':'uts'}]}";
	struct plan_case c;

	case_make(&c, NULL, "'linux':{'namespaces':[{'type':'pid'},{'type':'ipc'}]}", NULL);
	is(case_cuts(&c), "isolate namespace linux.namespaces network",
	   "a bundle without a network namespace gets one");
	ok(c.plan.ns[NS_NETWORK].listed && !c.plan.ns[NS_NETWORK].path, "of its own");
	ok(!c.plan.ns[NS_USER].listed, "but no user namespace while it shares others");
	cmp_ok((long long)plan_stripped(&c.plan), "==", 0, "which strips nothing");
	case_end(&c);

	case_make(&c, NULL, "'linux':{'namespaces':[{'type':'pid'},{'type':'ipc'}]}",
		  "mode: enforce");
	ok(!c.plan.refused, "and is no reason to refuse");
	case_end(&c);

	case_make(&c, NULL, "'linux':{'namespaces':[{'type':'network','path':'/run/netns/x'}]}",
		  NULL);
	is(c.plan.ns[NS_NETWORK].path, "/run/netns/x",
	   "a namespace that the engine made is joined");
	case_end(&c);

	case_make(&c, NULL, "'linux':{}",
		  "namespaces: {network: bundle, pid: bundle, ipc: bundle, user: always}");
	ok(!c.plan.ns[NS_NETWORK].listed, "network: bundle leaves the network as it is");
	ok(c.plan.ns[NS_USER].listed, "user: always makes a user namespace");
	case_end(&c);

	case_make(&c, NULL, all_new, NULL);
	ok(c.plan.ns[NS_USER].listed, "user: auto makes one where all others are new");
	case_end(&c);

	case_make(&c, NULL, all_new, "namespaces: {user: bundle}");
	ok(!c.plan.ns[NS_USER].listed, "user: bundle makes none");
	case_end(&c);

	case_bundle(&c, NULL, NULL, NULL);
	c.facts.uid = 1000;
	case_plan(&c);
	ok(c.plan.ns[NS_USER].listed, "user: auto makes one for who is not root");
	case_end(&c);

	case_make(&c, NULL, "'linux':{}", "mode: observe");
	ok(!c.plan.ns[NS_NETWORK].listed, "mode observe isolates nothing");
	is(case_cuts(&c),
	   "record namespace linux.namespaces network\n"
	   "record namespace linux.namespaces pid\n"
	   "record namespace linux.namespaces ipc",
	   "but says what it would");
	case_end(&c);
}

/* What is not mounted once more is still in such a root. */
static void test_root_of_host(void)
{
	static const char text[] =
		"{'ociVersion':'1.2.0','root':{'path':'%s'},'process':{'args':['/x'],'cwd':'/'},"
		"'mounts':[{'destination':'/x','type':'bind','source':'/home/alice/.aws'}],"
		"'linux':{'namespaces':[{'type':'network'}]}}";
	static const struct {
		const char *root, *policy, *masks, *what;
	} cases[] = {
		{ "/", NULL, "/home/alice/.aws/", "a bind that goes is masked where it came from" },
		{ "/", "mode: observe", "", "but not when it stays" },
		{ "rootfs", NULL, "", "nor where the root is another" },
	};
	struct plan_case c;
	struct arena a = { 0 };
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *percent = strchr(text, '%');

		case_read(&c,
			  case_json(&a, arena_printf(&a, "%.*s%s%s", (int)(percent - text), text,
						     cases[i].root, percent + 2)),
			  cases[i].policy);
		case_plan(&c);
		is(case_masks(&c), cases[i].masks, "a root of the host: %s", cases[i].what);
		case_end(&c);
	}
	arena_release(&a);
}

int main(void)
{
	test_mounts();
	test_masks();
	test_no_hiding();
	test_pointers();
	test_relative_pointers();
	test_below_pointers();
	test_options();
	test_devices();
	test_disks();
	test_namespaces();
	test_root_of_host();
	done_testing();
}
