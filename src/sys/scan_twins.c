// SPDX-License-Identifier: Apache-2.0
/* Other names of files that were found: a mask over one name leaves them readable by the others. */
#include "scan_work.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/fd.h"
#include "../base/banned.h"

enum { PATH_LONGEST = 4096, DEPTH_MOST = 64 };

struct many_names {
	dev_t dev;
	ino_t ino;
	const char *rule;
};

void scan_note_names(struct scan *s, const struct stat *st, const char *rule)
{
	size_t i;

	if ((!S_ISREG(st->st_mode) && !S_ISSOCK(st->st_mode)) || st->st_nlink < 2)
		return;
	for (i = 0; i < s->n_many; i++)
		if (s->many[i].ino == st->st_ino && s->many[i].dev == st->st_dev)
			return;
	*(struct many_names *)arena_push(s->arena, s->many, s->n_many) =
		(struct many_names){ st->st_dev, st->st_ino, rule };
}

/* The listing has the number already: most files need not be looked at. */
static void compare(struct scan *s, const char *path, ino_t ino)
{
	struct stat st;
	size_t i;

	for (i = 0; i < s->n_many; i++) {
		autofd int fd = -1;

		if (s->many[i].ino != ino)
			continue;
		fd = scan_open(s, path, O_PATH | O_NOFOLLOW);
		if (fd >= 0 && !fstat(fd, &st) && st.st_dev == s->many[i].dev && st.st_ino == ino)
			scan_add(s, path, s->many[i].rule,
				 "it is the same file as one that is masked");
	}
}

static void walk(struct scan *s, const char *dir, int depth)
{
	DIR *d = scan_open_dir(s, dir, O_NOFOLLOW);
	char path[PATH_LONGEST];
	struct dirent *ent;

	while (d && (ent = readdir(d))) {
		if (!strcmp(ent->d_name, ".") || !strcmp(ent->d_name, ".."))
			continue;
		if (!s->budget || depth == DEPTH_MOST ||
		    !scan_join(path, sizeof path, dir, ent->d_name)) {
			s->incomplete = true;
			break;
		}
		s->budget--;
		if (ent->d_type == DT_DIR)
			walk(s, path, depth + 1);
		else if (ent->d_type == DT_REG || ent->d_type == DT_SOCK ||
			 ent->d_type == DT_UNKNOWN)
			compare(s, path, ent->d_ino);
	}
	if (d)
		closedir(d);
}

void scan_twins(struct scan *s)
{
	if (s->n_many)
		walk(s, "", 0);
}
