// SPDX-License-Identifier: Apache-2.0
/* Numbers of calls that some architectures have twice: by themselves, and through socketcall() or
 * ipc(). libseccomp knows them, but does not tell.
 */
#include "seccomp_work.h"

#include <string.h>

#include <seccomp.h>

#include "../base/banned.h"

/* The names that it tells no number of have ones from -100 downwards. */
enum { MULTIPLEXED_FIRST = -100, MULTIPLEXED_LAST = -299, MIPS_O32 = 4000 };

// clang-format off
static const struct {
	const char *name;
	short x86, s390, ppc, mips; /* 0: only through the other call */
} direct[] = {
	{ "accept", 0, 0, 330, 168 },
	{ "accept4", 364, 364, 344, 334 },
	{ "bind", 361, 361, 327, 169 },
	{ "connect", 362, 362, 328, 170 },
	{ "getpeername", 368, 368, 332, 171 },
	{ "getsockname", 367, 367, 331, 172 },
	{ "getsockopt", 365, 365, 340, 173 },
	{ "listen", 363, 363, 329, 174 },
	{ "recv", 0, 0, 336, 175 },
	{ "recvfrom", 371, 371, 337, 176 },
	{ "recvmmsg", 337, 357, 343, 335 },
	{ "recvmsg", 372, 372, 342, 177 },
	{ "send", 0, 0, 334, 178 },
	{ "sendmmsg", 345, 358, 349, 343 },
	{ "sendmsg", 370, 370, 341, 179 },
	{ "sendto", 369, 369, 335, 180 },
	{ "setsockopt", 366, 366, 339, 181 },
	{ "shutdown", 373, 373, 338, 182 },
	{ "socket", 359, 359, 326, 183 },
	{ "socketpair", 360, 360, 333, 184 },
	{ "msgctl", 402, 402, 402, 402 },
	{ "msgget", 399, 399, 399, 399 },
	{ "msgrcv", 401, 401, 401, 401 },
	{ "msgsnd", 400, 400, 400, 400 },
	{ "semctl", 394, 394, 394, 394 },
	{ "semget", 393, 393, 393, 393 },
	{ "shmat", 397, 397, 397, 397 },
	{ "shmctl", 396, 396, 396, 396 },
	{ "shmdt", 398, 398, 398, 398 },
	{ "shmget", 395, 395, 395, 395 },
};
// clang-format on
enum { DIRECT = sizeof direct / sizeof *direct, SEMTIMEDOP = 392 };

static int direct_number(size_t i, enum seccomp_arch arch)
{
	if (arch == ARCH_X86)
		return direct[i].x86;
	if (arch == ARCH_S390 || arch == ARCH_S390X)
		return direct[i].s390;
	if (arch == ARCH_PPC || arch == ARCH_PPC64 || arch == ARCH_PPC64LE)
		return direct[i].ppc;
	if ((arch == ARCH_MIPS || arch == ARCH_MIPSEL) && direct[i].mips)
		return direct[i].mips + MIPS_O32;
	return 0;
}

int seccomp_number(const char *name, enum seccomp_arch arch)
{
	int nr = seccomp_syscall_resolve_name_arch(seccomp_arch_token(arch), name);
	size_t i;

	if (nr > MULTIPLEXED_FIRST || nr < MULTIPLEXED_LAST)
		return nr;
	if (!strcmp(name, "semtimedop") &&
	    (arch == ARCH_S390X || arch == ARCH_PPC64 || arch == ARCH_PPC64LE))
		return SEMTIMEDOP;
	for (i = 0; i < DIRECT; i++)
		if (!strcmp(name, direct[i].name) && direct_number(i, arch))
			return direct_number(i, arch);
	return nr;
}
