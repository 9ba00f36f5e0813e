// SPDX-License-Identifier: Apache-2.0
/* Mount options that the runtime understands itself, and what each asks of the kernel. */
#include "names.h"

#include <string.h>
#include <sys/mount.h>

#include "../base/banned.h"

/* Of access times there is one setting, whatever the options are called: each replaces the last. Without
 * any, and where an option only takes one away, relatime holds: it is the kernel's default.
 */
enum { ATIME_FLAGS = MS_NOATIME | MS_RELATIME | MS_STRICTATIME };

// clang-format off
const struct mount_option mount_options[] = {
	{ .name = "defaults" },
	{ "ro", .set = MS_RDONLY, .attr_set = MOUNT_ATTR_RDONLY, .of_super = true },
	{ "rw", .clear = MS_RDONLY, .attr_clear = MOUNT_ATTR_RDONLY, .of_super = true },
	{ "nosuid", .set = MS_NOSUID, .attr_set = MOUNT_ATTR_NOSUID },
	{ "suid", .clear = MS_NOSUID, .attr_clear = MOUNT_ATTR_NOSUID },
	{ "nodev", .set = MS_NODEV, .attr_set = MOUNT_ATTR_NODEV },
	{ "dev", .clear = MS_NODEV, .attr_clear = MOUNT_ATTR_NODEV },
	{ "noexec", .set = MS_NOEXEC, .attr_set = MOUNT_ATTR_NOEXEC },
	{ "exec", .clear = MS_NOEXEC, .attr_clear = MOUNT_ATTR_NOEXEC },
	{ "nodiratime", .set = MS_NODIRATIME, .attr_set = MOUNT_ATTR_NODIRATIME },
	{ "diratime", .clear = MS_NODIRATIME, .attr_clear = MOUNT_ATTR_NODIRATIME },
	{ "nosymfollow", .set = MS_NOSYMFOLLOW, .attr_set = MOUNT_ATTR_NOSYMFOLLOW },
	{ "symfollow", .clear = MS_NOSYMFOLLOW, .attr_clear = MOUNT_ATTR_NOSYMFOLLOW },
	{ "noatime", .set = MS_NOATIME, .clear = ATIME_FLAGS, .attr_set = MOUNT_ATTR_NOATIME, .attr_clear = MOUNT_ATTR__ATIME },
	{ "atime", .clear = MS_NOATIME, .attr_clear = MOUNT_ATTR__ATIME },
	{ "relatime", .set = MS_RELATIME, .clear = ATIME_FLAGS, .attr_clear = MOUNT_ATTR__ATIME },
	{ "norelatime", .clear = MS_RELATIME, .attr_clear = MOUNT_ATTR__ATIME },
	{ "strictatime", .set = MS_STRICTATIME, .clear = ATIME_FLAGS, .attr_set = MOUNT_ATTR_STRICTATIME, .attr_clear = MOUNT_ATTR__ATIME },
	{ "nostrictatime", .clear = MS_STRICTATIME, .attr_clear = MOUNT_ATTR__ATIME },

	{ "sync", .set = MS_SYNCHRONOUS, .of_super = true },
	{ "async", .clear = MS_SYNCHRONOUS, .of_super = true },
	{ "dirsync", .set = MS_DIRSYNC, .of_super = true },
	{ "lazytime", .set = MS_LAZYTIME, .of_super = true },
	{ "nolazytime", .clear = MS_LAZYTIME, .of_super = true },
	{ "mand", .set = MS_MANDLOCK, .of_super = true },
	{ "nomand", .clear = MS_MANDLOCK, .of_super = true },
	{ "iversion", .set = MS_I_VERSION },
	{ "noiversion", .clear = MS_I_VERSION },
	{ "silent", .set = MS_SILENT },
	{ "loud", .clear = MS_SILENT },

	{ "rro", .attr_set = MOUNT_ATTR_RDONLY, .recursive = true },
	{ "rrw", .attr_clear = MOUNT_ATTR_RDONLY, .recursive = true },
	{ "rnosuid", .attr_set = MOUNT_ATTR_NOSUID, .recursive = true },
	{ "rsuid", .attr_clear = MOUNT_ATTR_NOSUID, .recursive = true },
	{ "rnodev", .attr_set = MOUNT_ATTR_NODEV, .recursive = true },
	{ "rdev", .attr_clear = MOUNT_ATTR_NODEV, .recursive = true },
	{ "rnoexec", .attr_set = MOUNT_ATTR_NOEXEC, .recursive = true },
	{ "rexec", .attr_clear = MOUNT_ATTR_NOEXEC, .recursive = true },
	{ "rnodiratime", .attr_set = MOUNT_ATTR_NODIRATIME, .recursive = true },
	{ "rdiratime", .attr_clear = MOUNT_ATTR_NODIRATIME, .recursive = true },
	{ "rnosymfollow", .attr_set = MOUNT_ATTR_NOSYMFOLLOW, .recursive = true },
	{ "rsymfollow", .attr_clear = MOUNT_ATTR_NOSYMFOLLOW, .recursive = true },
	{ "rnoatime", .attr_set = MOUNT_ATTR_NOATIME, .attr_clear = MOUNT_ATTR__ATIME, .recursive = true },
	{ "ratime", .attr_clear = MOUNT_ATTR__ATIME, .recursive = true },
	{ "rrelatime", .attr_clear = MOUNT_ATTR__ATIME, .recursive = true },
	{ "rnorelatime", .attr_clear = MOUNT_ATTR__ATIME, .recursive = true },
	{ "rstrictatime", .attr_set = MOUNT_ATTR_STRICTATIME, .attr_clear = MOUNT_ATTR__ATIME, .recursive = true },
	{ "rnostrictatime", .attr_clear = MOUNT_ATTR__ATIME, .recursive = true },

	{ "shared", .propagation = MS_SHARED },
	{ "rshared", .propagation = MS_SHARED | MS_REC },
	{ "slave", .propagation = MS_SLAVE },
	{ "rslave", .propagation = MS_SLAVE | MS_REC },
	{ "private", .propagation = MS_PRIVATE },
	{ "rprivate", .propagation = MS_PRIVATE | MS_REC },
	{ "unbindable", .propagation = MS_UNBINDABLE },
	{ "runbindable", .propagation = MS_UNBINDABLE | MS_REC },

	{ "bind", .set = MS_BIND },
	{ "rbind", .set = MS_BIND | MS_REC },
	{ "remount", .set = MS_REMOUNT },
	{ "idmap", .special = MOUNT_IDMAP },
	{ "ridmap", .special = MOUNT_IDMAP, .recursive = true },
	{ "tmpcopyup", .special = MOUNT_TMPCOPYUP },
	{ .name = NULL }
};
// clang-format on

const struct mount_option *mount_option_find(const char *name)
{
	const struct mount_option *o;

	for (o = mount_options; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}
