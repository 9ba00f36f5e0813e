// SPDX-License-Identifier: Apache-2.0
/* The one matcher of names and paths. */
#include "glob.h"

#include <stddef.h>
#include <string.h>

#include "../base/banned.h"

static char fold(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* On a mismatch only the last star can be of use again: what an earlier one matched is settled. */
bool glob_name(const char *p, const char *s)
{
	const char *star = NULL, *from = NULL;

	while (*s) {
		if (*p == '*') {
			star = p++;
			from = s;
		} else if (*p == '?' || fold(*p) == fold(*s)) {
			p++;
			s++;
		} else if (star) {
			p = star + 1;
			s = ++from;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

static size_t component(const char *s)
{
	return strcspn(s, "/");
}

bool glob_component(const char *p, size_t p_len, const char *s, size_t s_len)
{
	const char *p_end = p + p_len, *s_end = s + s_len, *star = NULL, *from = NULL;

	while (s < s_end) {
		if (p < p_end && *p == '*') {
			star = p++;
			from = s;
		} else if (p < p_end && (*p == '?' || *p == *s)) {
			p++;
			s++;
		} else if (star) {
			p = star + 1;
			s = ++from;
		} else {
			return false;
		}
	}
	while (p < p_end && *p == '*')
		p++;
	return p == p_end;
}

static bool is_any_depth(const char *p, size_t len)
{
	return len == 2 && p[0] == '*' && p[1] == '*';
}

/* The same scheme one level up: components for characters, "**" for the star. */
bool glob_path(const char *p, const char *s)
{
	const char *star = NULL, *from = NULL;
	size_t p_len, s_len;

	for (;;) {
		p += strspn(p, "/");
		s += strspn(s, "/");
		p_len = component(p);
		s_len = component(s);
		if (is_any_depth(p, p_len)) {
			p += p_len;
			star = p;
			from = s;
			continue;
		}
		if (!p_len && !s_len)
			return true;
		if (p_len && s_len && glob_component(p, p_len, s, s_len)) {
			p += p_len;
			s += s_len;
			continue;
		}
		if (!star || !*from)
			return false;
		from += component(from);
		from += strspn(from, "/");
		p = star;
		s = from;
	}
}

/* A star of the narrow pattern can only be matched by a star of the wide one. Since '*' is an ordinary
 * character to the matcher's text, matching the patterns says just that, but for '?': in the narrow
 * one it stands for more than itself, in the wide one it does not stand for a '*'.
 */
static bool is_comparable(const char *wide, size_t wide_len, const char *narrow, size_t narrow_len)
{
	return !memchr(narrow, '?', narrow_len) &&
	       !(memchr(wide, '?', wide_len) && memchr(narrow, '*', narrow_len));
}

bool glob_covers(const char *wide, const char *narrow)
{
	return !strcmp(wide, narrow) ||
	       (is_comparable(wide, strlen(wide), narrow, strlen(narrow)) &&
		glob_name(wide, narrow));
}

static bool component_covers(const char *w, size_t w_len, const char *n, size_t n_len)
{
	if (w_len == n_len && !memcmp(w, n, n_len))
		return true;
	return !is_any_depth(n, n_len) && is_comparable(w, w_len, n, n_len) &&
	       glob_component(w, w_len, n, n_len);
}

/* glob_path() with the narrow pattern as its text, whose "**" only a "**" covers. */
bool glob_covers_path(const char *w, const char *n)
{
	const char *star = NULL, *from = NULL;
	size_t w_len, n_len;

	for (;;) {
		w += strspn(w, "/");
		n += strspn(n, "/");
		w_len = component(w);
		n_len = component(n);
		if (is_any_depth(w, w_len)) {
			w += w_len;
			star = w;
			from = n;
			continue;
		}
		if (!w_len && !n_len)
			return true;
		if (w_len && n_len && component_covers(w, w_len, n, n_len)) {
			w += w_len;
			n += n_len;
			continue;
		}
		if (!star || !*from)
			return false;
		from += component(from);
		from += strspn(from, "/");
		w = star;
		n = from;
	}
}

bool path_fold(const char *path, char *buf, size_t size)
{
	size_t len, n = 0;

	if (path[0] != '/' || size < 2)
		return false;
	for (path += strspn(path, "/"); *path; path += len, path += strspn(path, "/")) {
		len = component(path);
		if (len == 1 && path[0] == '.')
			continue;
		if (len == 2 && path[0] == '.' && path[1] == '.') {
			while (n && buf[--n] != '/')
				;
			continue;
		}
		if (n + 1 + len >= size)
			return false;
		buf[n++] = '/';
		memmove(buf + n, path, len);
		n += len;
	}
	if (!n)
		buf[n++] = '/';
	buf[n] = '\0';
	return true;
}

const char *path_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	if (n && dir[n - 1] == '/')
		n--;
	if (strncmp(path, dir, n) || (path[n] && path[n] != '/'))
		return NULL;
	return path + n + (path[n] == '/');
}
