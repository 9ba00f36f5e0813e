// SPDX-License-Identifier: Apache-2.0
/* The program's own file, out of the workload's reach. */
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../base/banned.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10U
#endif

enum { SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

static int copy(int from, int to)
{
	struct stat st;
	off_t at = 0;

	if (fstat(from, &st))
		return -1;
	while (at < st.st_size)
		if (sendfile(to, from, &at, (size_t)(st.st_size - at)) <= 0)
			return -1;
	return fcntl(to, F_ADD_SEALS, SEALS);
}

/* Kernels before 6.3 do not know that a file in memory may be one to execute: there each may be. */
static int make(void)
{
	int fd = memfd_create("credsbox", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);

	return fd < 0 && errno == EINVAL ? memfd_create("credsbox", MFD_CLOEXEC | MFD_ALLOW_SEALING)
					 : fd;
}

int seal_self(const struct global *g, struct err *e)
{
	autofd int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), fd = -1;

	if (self < 0)
		return fail(e, errno, "/proc/self/exe");
	if (fcntl(self, F_GET_SEALS) == SEALS) {
		prctl(PR_SET_NAME,
		      "credsbox"); /* the kernel calls it by the number of a descriptor */
		return 0;
	}
	fd = make();
	if (fd < 0 || copy(self, fd))
		return fail(e, errno, "cannot copy the program into memory");
	setrlimit(RLIMIT_CORE, &g->core);
	syscall(SYS_execveat, fd, "", g->argv, environ, AT_EMPTY_PATH);
	return fail(e, errno, "cannot go on as a copy of the program (see vm.memfd_noexec)");
}
