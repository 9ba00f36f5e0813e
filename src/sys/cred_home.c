// SPDX-License-Identifier: Apache-2.0
/* HOME out of the root's /etc/passwd, which whoever made the image wrote. */
#include "cred.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/fd.h"
#include "path.h"
#include "../base/banned.h"

enum {
	PASSWD_MOST = 1024 * 1024,
	FIELD_UID = 2,
	FIELD_HOME = 5,
	FIELD_COUNT = 7,
};

struct span {
	const char *s;
	size_t len;
};

/* Cuts a line at its colons; the number of fields. */
static size_t split(struct span line, struct span fields[FIELD_COUNT])
{
	const char *end = line.s + line.len, *colon;
	size_t n = 0;

	while (n < FIELD_COUNT) {
		colon = memchr(line.s, ':', (size_t)(end - line.s));
		fields[n].s = line.s;
		fields[n++].len = (size_t)((colon ? colon : end) - line.s);
		if (!colon)
			break;
		line.s = colon + 1;
	}
	return n;
}

const char *cred_home_in(struct arena *a, const char *text, size_t len, uint32_t uid)
{
	const char *end = text + len, *eol;
	struct span fields[FIELD_COUNT], home;
	uint64_t id;

	for (; text < end; text = eol + 1) {
		eol = memchr(text, '\n', (size_t)(end - text));
		if (!eol)
			eol = end;
		if (*text == '#') /* a comment, as C libraries have it */
			continue;
		if (split((struct span){ text, (size_t)(eol - text) }, fields) <= FIELD_HOME)
			continue;
		if (!parse_u64(fields[FIELD_UID].s, fields[FIELD_UID].len, &id) || id != uid)
			continue;
		home = fields[FIELD_HOME];
		if (!home.len || home.len >= PATH_MAX || *home.s != '/' ||
		    memchr(home.s, '\0', home.len))
			break;
		return arena_strndup(a, home.s, home.len);
	}
	return "/";
}

/* Looked at before it is opened: opening a device does things. And again afterwards, as it may
 * be another file by then; O_NONBLOCK is for a FIFO that came in between.
 */
static int open_passwd(int root)
{
	autofd int look = path_open(root, "/etc/passwd", O_PATH), fd = -1;
	struct stat st;

	if (look < 0 || fstat(look, &st) || !S_ISREG(st.st_mode))
		return -1;
	fd = path_open(root, "/etc/passwd", O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > PASSWD_MOST)
		return -1;
	return fd_steal(&fd);
}

const char *cred_home(struct arena *a, int root, uint32_t uid)
{
	autofd int fd = open_passwd(root);
	struct err ignored;
	const char *text;
	size_t len;

	if (fd < 0 || fd_read_all(a, fd, "/etc/passwd", PASSWD_MOST, &text, &len, &ignored))
		return "/";
	return cred_home_in(a, text, len, uid);
}
