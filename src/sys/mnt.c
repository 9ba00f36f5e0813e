// SPDX-License-Identifier: Apache-2.0
/* One mount: made detached, given its attributes, then put in its place by descriptor. */
#include "mnt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

enum { ST_NOSYMFOLLOW_FLAG = 0x2000, KEY_MOST = 64 }; /* the first from the kernel's statfs.h */

static bool repeats_a_value(const char *text, const struct mnt_fs *fs)
{
	const char *value;
	size_t i;

	if (fs->source && strcmp(fs->source, fs->type) && strstr(text, fs->source))
		return true;
	for (i = 0; i < fs->data.n; i++) {
		value = strchr(fs->data.v[i], '=');
		if (value && value[1] && strstr(text, value + 1))
			return true;
	}
	return false;
}

/* Fails with the last error that the kernel left in the context, "e tmpfs: Unknown parameter 'x'". */
static int fail_fs(int fs_fd, int errnum, const struct mnt_fs *fs, const char *what, struct err *e)
{
	char line[256], last[256] = "";
	ssize_t n;

	while ((n = read(fs_fd, line, sizeof line - 1)) > 0) {
		line[n] = '\0';
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == 'e' && line[1] == ' ')
			memcpy(last, line, sizeof last);
	}
	if (!last[0] || repeats_a_value(last, fs))
		return fail(e, errnum, "%s", what);
	return fail(e, errnum, "%s: %s", what, last + 2);
}

/* Names of options are words; what is not might be a value that lost its name. */
static bool is_word(const char *s)
{
	return !s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_+.:-")];
}

static int set_option(int fs_fd, const struct mnt_fs *fs, const char *option, struct err *e)
{
	const char *value = strchr(option, '=');
	size_t len = value ? (size_t)(value - option) : strlen(option);
	char key[KEY_MOST], what[KEY_MOST + 16];
	int ret;

	if (len >= sizeof key)
		return fail(e, EINVAL, "an option");
	memcpy(key, option, len);
	key[len] = '\0';
	ret = value ? fsconfig(fs_fd, FSCONFIG_SET_STRING, key, value + 1, 0)
		    : fsconfig(fs_fd, FSCONFIG_SET_FLAG, key, NULL, 0);
	if (!ret)
		return 0;
	if (!is_word(key))
		return fail(e, errno, "an option");
	snprintf(what, sizeof what, "option '%s'", key);
	return fail_fs(fs_fd, errno, fs, what, e);
}

static int set_options(int fs_fd, const struct mnt_fs *fs, struct err *e)
{
	size_t i;

	for (i = 0; i < fs->super.n; i++)
		if (set_option(fs_fd, fs, fs->super.v[i], e))
			return -1;
	for (i = 0; i < fs->data.n; i++)
		if (set_option(fs_fd, fs, fs->data.v[i], e))
			return -1;
	return 0;
}

bool mnt_is_long(const struct mnt_fs *fs)
{
	const char *value;
	size_t i;

	if (fs->source && strlen(fs->source) > MNT_VALUE_MOST)
		return true;
	for (i = 0; i < fs->data.n; i++) {
		value = strchr(fs->data.v[i], '=');
		if (value && strlen(value + 1) > MNT_VALUE_MOST)
			return true;
	}
	return false;
}

int mnt_fs(const struct mnt_fs *fs, struct err *e)
{
	autofd int fs_fd = fsopen(fs->type, FSOPEN_CLOEXEC);
	const char *source = fs->source && *fs->source ? fs->source : fs->type;
	int mnt;

	if (fs_fd < 0 && errno == ENODEV)
		return fail(e, errno, "unknown file system type");
	if (fs_fd < 0)
		return fail(e, errno, "fsopen");
	if (fsconfig(fs_fd, FSCONFIG_SET_STRING, "source", source, 0))
		return fail_fs(fs_fd, errno, fs, "source", e);
	if (set_options(fs_fd, fs, e))
		return -1;
	if (fsconfig(fs_fd, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		return fail_fs(fs_fd, errno, fs, "cannot create the file system", e);
	mnt = fsmount(fs_fd, FSMOUNT_CLOEXEC, (unsigned)fs->attr);
	return mnt < 0 ? fail_fs(fs_fd, errno, fs, "cannot mount the file system", e) : mnt;
}

int mnt_reconfigure(int mnt, const struct mnt_fs *fs, struct err *e)
{
	autofd int fs_fd = fspick(mnt, "", FSPICK_CLOEXEC | FSPICK_EMPTY_PATH);

	if (fs_fd < 0)
		return fail(e, errno, "fspick");
	if (set_options(fs_fd, fs, e))
		return -1;
	if (fsconfig(fs_fd, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0))
		return fail_fs(fs_fd, errno, fs, "cannot remount the file system", e);
	return 0;
}

int mnt_bind(int dir, const char *path, bool recursive)
{
	return open_tree(dir, path,
			 OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
				 (*path ? 0u : (unsigned)AT_EMPTY_PATH) |
				 (recursive ? (unsigned)AT_RECURSIVE : 0u));
}

int mnt_attach(int mnt, int place)
{
	return move_mount(mnt, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

static int set_attr(int mnt, bool recursive, const struct mount_attr *attr)
{
	struct mount_attr copy = *attr;

	return mount_setattr(mnt, "", AT_EMPTY_PATH | (recursive ? (unsigned)AT_RECURSIVE : 0u),
			     &copy, sizeof copy);
}

int mnt_set(int mnt, uint64_t set, uint64_t clear, bool recursive)
{
	if (!set && !clear)
		return 0;
	return set_attr(mnt, recursive, &(struct mount_attr){ .attr_set = set, .attr_clr = clear });
}

int mnt_propagate(int mnt, unsigned long how)
{
	return set_attr(mnt, how & MS_REC,
			&(struct mount_attr){ .propagation = how & ~(unsigned long)MS_REC });
}

int mnt_idmap(int mnt, int user_ns, bool recursive)
{
	return set_attr(mnt, recursive,
			&(struct mount_attr){ .attr_set = MOUNT_ATTR_IDMAP,
					      .userns_fd = (uint64_t)user_ns });
}

int mnt_attr(int fd, uint64_t *attr)
{
	static const struct {
		unsigned long st;
		uint64_t attr;
	} flags[] = {
		{ ST_RDONLY, MOUNT_ATTR_RDONLY },
		{ ST_NOSUID, MOUNT_ATTR_NOSUID },
		{ ST_NODEV, MOUNT_ATTR_NODEV },
		{ ST_NOEXEC, MOUNT_ATTR_NOEXEC },
		{ ST_NODIRATIME, MOUNT_ATTR_NODIRATIME },
		{ ST_NOSYMFOLLOW_FLAG, MOUNT_ATTR_NOSYMFOLLOW },
	};
	struct statfs fs;
	size_t i;

	if (fstatfs(fd, &fs))
		return -1;
	*attr = 0;
	for (i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if ((unsigned long)fs.f_flags & flags[i].st)
			*attr |= flags[i].attr;
	if ((unsigned long)fs.f_flags & ST_NOATIME)
		*attr |= MOUNT_ATTR_NOATIME;
	else if (!((unsigned long)fs.f_flags & ST_RELATIME))
		*attr |= MOUNT_ATTR_STRICTATIME;
	return 0;
}
