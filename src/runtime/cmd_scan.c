// SPDX-License-Identifier: Apache-2.0
/* credsbox scan: credentials in a directory tree, an image's root or a home. */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/jsonw.h"
#include "../base/str.h"
#include "../core/names.h"
#include "../sys/scan.h"
#include "../base/banned.h"

static const char usage[] =
	"NAME:\n"
	"   credsbox scan - find credentials in a directory tree\n"
	"\n"
	"USAGE:\n"
	"   credsbox scan [--image] [--max-files N] [--policy FILE] [--format text|json] DIR\n"
	"\n"
	"Lists the files below DIR that hold credentials, by their paths and by the beginnings of\n"
	"their contents. Values are never shown.\n"
	"\n"
	"      --image        DIR is the root of a file system (found out by itself when it has "
	"etc\n"
	"                     and usr)\n"
	"      --max-files N  look at N files and directories at most (default: scan.max_files)\n"
	"      --policy FILE  a policy over those of the system and the user\n"
	"  -f, --format FORMAT  text (default) or json, one object a line\n"
	"\n"
	"Exit code: 0 nothing found, 3 something found, 1 error or not all could be looked at.\n";

enum {
	OPT_IMAGE = 256,
	OPT_MAX_FILES,
	OPT_POLICY,
	PATH_LONGEST = 4096,
	PATH_SHOWN = 200,
	PROGRESS_STEP = 1024
};

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ "image", no_argument, NULL, OPT_IMAGE },
	{ "max-files", required_argument, NULL, OPT_MAX_FILES },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ 0 },
};

struct scan_args {
	const char *dir, *policy;
	uint64_t max_files;
	bool image, json, help;
};

static int parse(int argc, char **argv, struct scan_args *o)
{
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:h", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			o->json = !strcmp(optarg, "json");
			if (!o->json && strcmp(optarg, "text"))
				return cmd_usage("scan", "--format: text or json");
			break;
		case OPT_IMAGE: o->image = true; break;
		case OPT_MAX_FILES:
			if (!parse_u64(optarg, strlen(optarg), &o->max_files) || !o->max_files)
				return cmd_usage("scan", "--max-files: a whole number from 1");
			break;
		case OPT_POLICY: o->policy = optarg; break;
		case 'h': o->help = true; return 0;
		default: return cmd_bad_option("scan", c, argv);
		}
	}
	if (optind + 1 != argc)
		return cmd_usage("scan", "one directory is wanted");
	o->dir = argv[optind];
	return 0;
}

static void show_progress(size_t seen)
{
	if (seen % PROGRESS_STEP == 0)
		fprintf(stderr, "\rcredsbox: scan: %zu files", seen);
}

static bool is_allowed(const struct policy *p, const struct found *f)
{
	const struct policy_rule *rule = policy_path_rule(p, f->path);

	return rule && rule->action == RULE_ALLOW;
}

static void add_line(struct str *out, struct jsonw *w, const struct found *f, const char *path,
		     bool json)
{
	if (!json) {
		str_add_printable(out, path, PATH_LONGEST);
		str_printf(out, "  %s: %s\n", f->rule, f->why);
		return;
	}
	jsonw_restart(w);
	jsonw_object(w);
	jsonw_kv(w, "path", path);
	jsonw_kv(w, "rule", f->rule);
	jsonw_kv(w, "why", f->why);
	jsonw_end(w);
	str_add(out, jsonw_text(w, NULL));
	str_add(out, "\n");
}

static int report(struct job *j, const struct scan *s, const struct scan_args *o)
{
	struct jsonw *w = jsonw_new(&j->arena, false);
	struct str out;
	size_t i, n = 0;

	str_init(&out, &j->arena, (size_t)1 << 30);
	for (i = 0; i < s->n_found; i++) {
		if (is_allowed(&j->policy, &s->found[i]))
			continue;
		add_line(&out, w, &s->found[i], s->found[i].inside, o->json);
		n++;
	}
	if (s->progress && s->seen >= PROGRESS_STEP)
		fprintf(stderr, "\r\033[K");
	if (cmd_print("scan", out.s, out.len))
		return 1;
	if (s->incomplete)
		return cmd_fail("scan",
				&(struct err){ .text = "not all of it could be looked at: a "
						       "limit (--max-files, or 64 levels), "
						       "or permissions" });
	return n ? EXIT_STRIPPED : 0;
}

static int scan(struct job *j, const struct scan_args *o)
{
	char real[PATH_LONGEST];
	autofd int fd = open(o->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct scan s = { .arena = &j->arena, .fd = fd, .policy = &j->policy };
	struct err e;

	if (fd < 0 || !realpath(o->dir, real)) {
		fail(&e, errno, "%s", printable(&j->arena, o->dir, PATH_SHOWN));
		return cmd_fail("scan", &e);
	}
	if (job_policy(j, o->policy, &e))
		return cmd_fail("scan", &e);
	s.is_image = o->image || scan_is_root_tree(fd);
	s.host = s.is_image ? "/" : real;
	s.inside = o->dir;
	s.budget = o->max_files ? o->max_files : j->policy.scan_max_files;
	if (isatty(STDERR_FILENO))
		s.progress = show_progress;
	scan_deep(&s);
	scan_finish(&s);
	return report(j, &s, o);
}

int cmd_scan(const struct global *g, int argc, char **argv)
{
	struct scan_args o = { .policy = g->policy };
	struct job j = { 0 };
	int rc = parse(argc, argv, &o);

	if (rc)
		return rc;
	if (o.help)
		return cmd_print("scan", usage, sizeof usage - 1);
	rc = scan(&j, &o);
	arena_release(&j.arena);
	return rc;
}
