// SPDX-License-Identifier: Apache-2.0
/* The paths that a pointer variable names: KUBECONFIG=a:b, DOCKER_HOST=unix:///run/x. */
#include "pointer.h"

#include <string.h>

#include "detect.h"
#include "../base/banned.h"

static bool is_vital(const char *path)
{
	static const char *const vital[] = { "/bin",   "/boot",  "/dev",          "/lib",
					     "/lib32", "/lib64", "/proc",         "/sbin",
					     "/sys",   "/usr",   "/etc/ssl/certs" };
	size_t i, n;

	if (!strchr(path + 1, '/'))
		return true;
	for (i = 0; i < sizeof vital / sizeof vital[0]; i++) {
		n = strlen(vital[i]);
		if (!strncmp(path, vital[i], n) && (!path[n] || path[n] == '/'))
			return true;
	}
	return false;
}

bool pointer_next(const char **rest, char *buf, size_t size)
{
	static const char separators[] = ":,;= \t\n\"'";
	const char *s = *rest;
	struct finding f;
	size_t n;

	for (; *s; s += n) {
		s += strspn(s, separators);
		n = strcspn(s, separators);
		/* "unix:///run/x": the empty authority leaves "///run/x". */
		while (n > 1 && s[0] == '/' && s[1] == '/') {
			s++;
			n--;
		}
		if (s[0] != '/' || n >= size)
			continue;
		memcpy(buf, s, n);
		buf[n] = '\0';
		if (is_vital(buf))
			continue;
		if (strpbrk(*rest, " \t") && detect_path(buf, n, &f) == VERDICT_KEEP)
			continue;
		*rest = s + n;
		return true;
	}
	*rest = s;
	return false;
}
