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

static bool match_component(const char *p, size_t p_len, const char *s, size_t s_len)
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
		if (p_len == 2 && p[0] == '*' && p[1] == '*') {
			p += p_len;
			star = p;
			from = s;
			continue;
		}
		if (!p_len && !s_len)
			return true;
		if (p_len && s_len && match_component(p, p_len, s, s_len)) {
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

bool glob_covers(const char *wide, const char *narrow)
{
	/* A star of the narrow pattern can only be matched by a star of the wide one; since '*'
	 * is an ordinary character to match here, glob_name() of the patterns says just that,
	 * but for '?', which stands for more than the character '?'.
	 */
	return strchr(narrow, '?') ? !strcmp(wide, narrow) : glob_name(wide, narrow);
}
