// SPDX-License-Identifier: Apache-2.0
/* The mounts of this namespace, out of mountinfo. */
#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../core/glob.h"
#include "../base/banned.h"

enum { SIZE_MOST = 64 * 1024 * 1024, NAMES_MOST = 8 };

/* The kernel writes blanks, line ends and backslashes as "\040". */
static const char *unescape(char *text)
{
	char *to = text;
	const char *from;

	for (from = text; *from; from++) {
		if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
		    from[2] <= '7' && from[3] >= '0' && from[3] <= '7') {
			*to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0');
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	return text;
}

static char *next_word(char **rest)
{
	char *word = *rest;
	size_t n = strcspn(word, " ");

	*rest = word + n + (word[n] == ' ');
	word[n] = '\0';
	return word;
}

/* "36 35 98:0 /root /point rw,noatime master:1 - ext4 /dev/sda1 rw" */
static bool parse_line(char *line, struct mounted *m)
{
	char *type = strstr(line, " - ");
	uint64_t id;
	char *word;

	if (!type)
		return false;
	type += 3;
	word = next_word(&line);
	if (!parse_u64(word, strlen(word), &id) || id > UINT32_MAX)
		return false;
	m->id = (unsigned)id;
	next_word(&line);
	m->dev = next_word(&line);
	m->root = unescape(next_word(&line));
	m->point = unescape(next_word(&line));
	m->type = next_word(&type);
	return m->point[0] == '/';
}

void mounts_parse(struct arena *a, const char *text, struct mounts_here *all)
{
	char *rest = arena_strdup(a, text);
	struct mounted m;
	size_t n;

	*all = (struct mounts_here){ 0 };
	while (*rest) {
		char *line = rest;

		n = strcspn(line, "\n");
		rest += n + (line[n] == '\n');
		line[n] = '\0';
		if (parse_line(line, &m))
			*(struct mounted *)arena_push(a, all->v, all->n) = m;
	}
}

int mounts_read(struct arena *a, struct mounts_here *all, struct err *e)
{
	const char *text;
	size_t len;

	if (file_read(a, "/proc/self/mountinfo", true, SIZE_MOST, &text, &len, e))
		return -1;
	mounts_parse(a, text, all);
	return 0;
}

const struct mounted *mounts_of(const struct mounts_here *all, int fd)
{
	struct statx st;
	size_t i;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &st) || !(st.stx_mask & STATX_MNT_ID))
		return NULL;
	for (i = 0; i < all->n; i++)
		if (all->v[i].id == st.stx_mnt_id)
			return &all->v[i];
	return NULL;
}

static const char *below(struct arena *a, const char *dir, const char *rest)
{
	return arena_printf(a, "%s%s%s", dir[1] || !*rest ? dir : "", *rest ? "/" : "", rest);
}

struct strings mounts_names(struct arena *a, const struct mounts_here *all, const struct mounted *m,
			    const char *path)
{
	struct strings names = { 0 };
	const char *rest = path_below(path, m->point), *within;
	size_t i;

	if (!rest)
		return names;
	within = below(a, m->root, rest);
	/* Its first place may be seen nowhere here, as the home of which a container gets a part. */
	if (m->root[1] && m->root[0] == '/')
		*arena_push(a, names.v, names.n) = within;
	for (i = 0; i < all->n && names.n < NAMES_MOST; i++) {
		const struct mounted *other = &all->v[i];

		if (other == m || strcmp(other->dev, m->dev) != 0)
			continue;
		rest = path_below(within, other->root);
		if (rest)
			*arena_push(a, names.v, names.n) = below(a, other->point, rest);
	}
	return names;
}
