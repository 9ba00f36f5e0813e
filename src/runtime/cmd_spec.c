// SPDX-License-Identifier: Apache-2.0
/* credsbox spec: a config.json to begin with. */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox spec - write a config.json to begin with\n"
	"\n"
	"USAGE:\n"
	"   credsbox spec [--bundle DIR] [--rootless]\n"
	"\n"
	"Writes config.json for a shell on the terminal, with its root in rootfs. There must be "
	"no\n"
	"config.json yet.\n"
	"\n"
	"  -b, --bundle DIR  where it is written (default: the current directory)\n"
	"      --rootless    with a user namespace in which the caller is root, for callers who "
	"are\n"
	"                    not root themselves\n";

static const struct option options[] = {
	{ "bundle", required_argument, NULL, 'b' },
	{ "help", no_argument, NULL, 'h' },
	{ "rootless", no_argument, NULL, 'r' },
	{ 0 },
};

enum { SPEC_MAX = 16 * 1024, DIR_SHOWN = 200 };

// clang-format off
#define CAPABILITIES "[\"CAP_AUDIT_WRITE\", \"CAP_KILL\", \"CAP_NET_BIND_SERVICE\"]"

static const char process_part[] =
	"{\n"
	"\t\"ociVersion\": \"1.3.0\",\n"
	"\t\"process\": {\n"
	"\t\t\"terminal\": true,\n"
	"\t\t\"user\": { \"uid\": 0, \"gid\": 0 },\n"
	"\t\t\"args\": [\"sh\"],\n"
	"\t\t\"env\": [\n"
	"\t\t\t\"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\",\n"
	"\t\t\t\"TERM=xterm\"\n"
	"\t\t],\n"
	"\t\t\"cwd\": \"/\",\n"
	"\t\t\"capabilities\": {\n"
	"\t\t\t\"bounding\": " CAPABILITIES ",\n"
	"\t\t\t\"effective\": " CAPABILITIES ",\n"
	"\t\t\t\"permitted\": " CAPABILITIES "\n"
	"\t\t},\n"
	"\t\t\"rlimits\": [\n"
	"\t\t\t{ \"type\": \"RLIMIT_NOFILE\", \"hard\": 1024, \"soft\": 1024 }\n"
	"\t\t],\n"
	"\t\t\"noNewPrivileges\": true\n"
	"\t},\n"
	"\t\"root\": { \"path\": \"rootfs\", \"readonly\": true },\n"
	"\t\"hostname\": \"credsbox\",\n";

static const char masks_part[] =
	"\t\t\"maskedPaths\": [\n"
	"\t\t\t\"/proc/acpi\",\n"
	"\t\t\t\"/proc/asound\",\n"
	"\t\t\t\"/proc/kcore\",\n"
	"\t\t\t\"/proc/keys\",\n"
	"\t\t\t\"/proc/latency_stats\",\n"
	"\t\t\t\"/proc/timer_list\",\n"
	"\t\t\t\"/proc/timer_stats\",\n"
	"\t\t\t\"/proc/sched_debug\",\n"
	"\t\t\t\"/sys/firmware\",\n"
	"\t\t\t\"/proc/scsi\"\n"
	"\t\t],\n"
	"\t\t\"readonlyPaths\": [\n"
	"\t\t\t\"/proc/bus\",\n"
	"\t\t\t\"/proc/fs\",\n"
	"\t\t\t\"/proc/irq\",\n"
	"\t\t\t\"/proc/sys\",\n"
	"\t\t\t\"/proc/sysrq-trigger\"\n"
	"\t\t]\n"
	"\t}\n"
	"}\n";

static const struct { const char *destination, *type, *source, *options; } mounts[] = {
	{ "/proc", "proc", "proc", NULL },
	{ "/dev", "tmpfs", "tmpfs", "\"nosuid\", \"strictatime\", \"mode=755\", \"size=65536k\"" },
	{ "/dev/pts", "devpts", "devpts", "\"nosuid\", \"noexec\", \"newinstance\", \"ptmxmode=0666\", \"mode=0620\", \"gid=5\"" },
	{ "/dev/shm", "tmpfs", "shm", "\"nosuid\", \"noexec\", \"nodev\", \"mode=1777\", \"size=65536k\"" },
	{ "/dev/mqueue", "mqueue", "mqueue", "\"nosuid\", \"noexec\", \"nodev\"" },
	{ "/sys", "sysfs", "sysfs", "\"nosuid\", \"noexec\", \"nodev\", \"ro\"" },
	{ "/sys/fs/cgroup", "cgroup", "cgroup", "\"nosuid\", \"noexec\", \"nodev\", \"relatime\", \"ro\"" },
};
enum { MOUNTS = sizeof mounts / sizeof *mounts, AT_PTS = 2, AT_SYS = 5 };

/* Where only one id is mapped there is no group 5, and whoever does not own the network may not mount sysfs. */
static const char rootless_pts[] = "\"nosuid\", \"noexec\", \"newinstance\", \"ptmxmode=0666\", \"mode=0620\"";
static const char rootless_sys[] = "\"rbind\", \"nosuid\", \"noexec\", \"nodev\", \"ro\"";
// clang-format on

static void add_mounts(struct str *s, bool rootless)
{
	size_t i;

	str_add(s, "\t\"mounts\": [\n");
	for (i = 0; i < MOUNTS; i++) {
		bool bind = rootless && i == AT_SYS;
		const char *text = mounts[i].options;

		if (rootless && i == AT_PTS)
			text = rootless_pts;
		if (bind)
			text = rootless_sys;
		str_printf(s,
			   "\t\t{\n\t\t\t\"destination\": \"%s\",\n\t\t\t\"type\": \"%s\",\n"
			   "\t\t\t\"source\": \"%s\"",
			   mounts[i].destination, bind ? "none" : mounts[i].type,
			   bind ? "/sys" : mounts[i].source);
		if (text)
			str_printf(s, ",\n\t\t\t\"options\": [%s]", text);
		str_printf(s, "\n\t\t}%s\n", i + 1 < MOUNTS ? "," : "");
	}
	str_add(s, "\t],\n");
}

static void add_linux(struct str *s, bool rootless)
{
	static const char map[] =
		"\t\t\"%s\": [{ \"containerID\": 0, \"hostID\": %u, \"size\": 1 }],\n";
	bool v2 = !access("/sys/fs/cgroup/cgroup.controllers", F_OK);

	str_add(s, "\t\"linux\": {\n");
	if (rootless) {
		str_printf(s, map, "uidMappings", geteuid());
		str_printf(s, map, "gidMappings", getegid());
	} else {
		str_add(s,
			"\t\t\"resources\": {\n\t\t\t\"devices\": [{ \"allow\": false, \"access\": "
			"\"rwm\" }]\n\t\t},\n");
	}
	str_printf(s,
		   "\t\t\"namespaces\": [\n\t\t\t{ \"type\": \"pid\" },\n%s"
		   "\t\t\t{ \"type\": \"ipc\" },\n\t\t\t{ \"type\": \"uts\" },\n"
		   "\t\t\t{ \"type\": \"mount\" }%s%s\n\t\t],\n",
		   rootless ? "" : "\t\t\t{ \"type\": \"network\" },\n",
		   v2 ? ",\n\t\t\t{ \"type\": \"cgroup\" }" : "",
		   rootless ? ",\n\t\t\t{ \"type\": \"user\" }" : "");
}

static int write_spec(int dir, const struct str *s, struct err *e)
{
	static const char name[] = "config.json";
	autofd int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0 && errno == EEXIST)
		return fail(e, 0, "File %s exists. Remove it first", name); /* runc's words */
	if (fd < 0)
		return fail(e, errno, "%s: cannot make it", name);
	if (!fd_write_all(fd, name, s->s, s->len, e))
		return 0;
	(void)unlinkat(dir, name, 0);
	return -1;
}

static int spec(struct arena *a, const char *bundle, bool rootless, struct err *e)
{
	autofd int dir = open(bundle, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct str s;

	if (dir < 0)
		return fail(e, errno, "%s", printable(a, bundle, DIR_SHOWN));
	str_init(&s, a, SPEC_MAX);
	str_add(&s, process_part);
	add_mounts(&s, rootless);
	add_linux(&s, rootless);
	str_add(&s, masks_part);
	return write_spec(dir, &s, e);
}

int cmd_spec(const struct global *g, int argc, char **argv)
{
	const char *bundle = ".";
	bool rootless = false;
	struct arena a = { 0 };
	struct err e;
	int c, rc;

	(void)g;
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":b:h", options, NULL)) != -1) {
		switch (c) {
		case 'b': bundle = optarg; break;
		case 'r': rootless = true; break;
		case 'h': return cmd_print("spec", usage, sizeof usage - 1);
		default: return cmd_bad_option("spec", c, argv);
		}
	}
	if (optind < argc)
		return cmd_usage("spec", "too many arguments");
	rc = spec(&a, bundle, rootless, &e) ? cmd_fail("spec", &e) : 0;
	arena_release(&a);
	return rc;
}
