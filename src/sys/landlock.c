// SPDX-License-Identifier: Apache-2.0
/* Landlock: the last restriction of the file system before the workload. */
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

/* As the newest kernel takes it; an older one gets as much of it as it knows. */
struct ruleset {
	uint64_t fs, net, scoped;
};

/* What each version has in all. Network rules are not asked for: the network namespace is what keeps a
 * workload in, and its own loopback must work.
 */
static uint64_t handled(int abi)
{
	uint64_t all = (LL_REFER << 1) - 1;

	if (abi < 2)
		all &= ~(uint64_t)LL_REFER;
	if (abi >= 3)
		all |= LL_TRUNCATE;
	if (abi >= 5)
		all |= LL_IOCTL_DEV;
	return all;
}

static size_t size_for(int abi)
{
	if (abi >= 6)
		return sizeof(struct ruleset);
	return abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
}

/* The kernel's audit would hear of the look that we take ourselves whether the rules hold, and of what sandboxes
 * inside the container refuse to their own. What the workload is refused is not told by default either: it could
 * flood the log.
 */
static const unsigned quiet = 1 << 0 | 1 << 2; /* LOG_SAME_EXEC_OFF, LOG_SUBDOMAINS_OFF */

static int add_rule(int ruleset, uint64_t fs, const struct landlock_rule *rule, struct err *e)
{
	struct landlock_path_beneath_attr beneath = { .allowed_access = rule->allow & fs };
	autofd int fd = open(rule->path, O_PATH | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP))
		return 0;
	if (fd < 0 || fstat(fd, &st))
		return fail(e, errno, "landlock: %s", rule->path);
	if (!S_ISDIR(st.st_mode))
		beneath.allowed_access &= LL_OF_FILES;
	beneath.parent_fd = fd;
	if (beneath.allowed_access &&
	    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0))
		return fail(e, errno, "landlock: %s: cannot add the rule", rule->path);
	return 0;
}

int landlock_apply(const struct landlock_rules *r, struct err *e)
{
	struct ruleset set = { .fs = handled(r->abi), .scoped = r->scoped };
	autofd int fd = -1;
	size_t i;

	if (!r->abi)
		return 0;
	fd = (int)syscall(SYS_landlock_create_ruleset, &set, size_for(r->abi), 0);
	if (fd < 0)
		return fail(e, errno, "landlock: cannot make a set of rules");
	for (i = 0; i < r->n; i++)
		if (add_rule(fd, set.fs, &r->v[i], e))
			return -1;
	if (syscall(SYS_landlock_restrict_self, fd, r->abi >= 7 ? quiet : 0))
		return fail(e, errno, "landlock: cannot restrict the process");
	return 0;
}
