// SPDX-License-Identifier: Apache-2.0
/* The caller's environment: what credsbox itself goes by is kept, the rest is overwritten where it lies. */
#include "environ.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "../base/banned.h"

/* Where files are, who called, how to print; and where systemd's bus is. None of these is a credential. */
static const char *const ours[] = {
	"DBUS_SESSION_BUS_ADDRESS",
	"DBUS_SYSTEM_BUS_ADDRESS",
	"HOME",
	"LISTEN_FDS",
	"LISTEN_PID",
	"NO_COLOR",
	"PATH",
	"TERM",
	"XDG_CONFIG_HOME",
	"XDG_RUNTIME_DIR",
	"XDG_STATE_HOME",
	"_CONTAINERS_USERNS_CONFIGURED",
};
enum { OURS = sizeof ours / sizeof ours[0] };

static bool is_ours(const char *entry)
{
	size_t len = strcspn(entry, "="), i;

	for (i = 0; i < OURS; i++)
		if (strlen(ours[i]) == len && !memcmp(ours[i], entry, len))
			return true;
	return false;
}

/* A copy, for /proc shows the place where all of them lay, and that is to be empty. What does not fit is longer than
 * any path, and as good as not set.
 */
static char *copy(const char *entry)
{
	static char room[32 * 1024];
	static size_t used;
	size_t size = strlen(entry) + 1;

	if (size > sizeof room - used)
		return NULL;
	used += size;
	return memcpy(room + used - size, entry, size);
}

void environ_forget(void)
{
	static char *kept[OURS + 1];
	char **entry, *ours_now;
	size_t n = 0;

	for (entry = environ; entry && *entry; entry++) {
		ours_now = n < OURS && is_ours(*entry) ? copy(*entry) : NULL;
		explicit_bzero(*entry, strlen(*entry));
		if (ours_now)
			kept[n++] = ours_now;
	}
	kept[n] = NULL;
	environ = kept;
}

void environ_wipe(void)
{
	char **entry;

	for (entry = environ; entry && *entry; entry++)
		explicit_bzero(*entry, strlen(*entry));
	environ = NULL;
}
