// SPDX-License-Identifier: Apache-2.0
/* Secrets as the text of XML elements; those in attributes are pairs like others. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { NAME_LONGEST = 96, TAG_LONGEST = 256 };

static bool is_tag_char(char c)
{
	return is_name_char(c) || c == ':';
}

/* <property name="x">, <entry key="x">; false: there is no such attribute. */
static bool kind_of_attribute(const char *tag, size_t len, enum value_key *kind)
{
	static const char *const attributes[] = { " name=", " key=" };
	const char *name, *end;
	size_t i;

	*kind = VALUE_KEY_NONE;
	for (i = 0; i < 2; i++) {
		name = memmem(tag, len, attributes[i], strlen(attributes[i]));
		if (!name)
			continue;
		name += strlen(attributes[i]) + 1;
		end = name < tag + len ? memchr(name, name[-1], len - (size_t)(name - tag)) : NULL;
		if (end)
			*kind = value_key(name, (size_t)(end - name));
		return true;
	}
	return false;
}

/* What an element is about: an attribute says, else its own name without the prefix of its
 * namespace.
 */
static enum value_key kind_of_tag(const char *tag, size_t len)
{
	enum value_key kind;
	const char *name;
	size_t n;

	if (kind_of_attribute(tag, len, &kind))
		return kind;
	for (n = 0; n < len && is_tag_char(tag[n]); n++)
		;
	name = memrchr(tag, ':', n);
	if (name) {
		n -= (size_t)(name + 1 - tag);
		tag = name + 1;
	}
	return n && n <= NAME_LONGEST ? value_key(tag, n) : VALUE_KEY_NONE;
}

struct element {
	size_t tag, tag_len, text, text_len; /* the tag without its brackets */
	bool has_elements;                   /* within it, or it is not closed */
};

/* The element that opens at the '<'; false when there is none. */
static bool read_element(const char *s, size_t at, size_t len, struct element *e)
{
	size_t left = len - at < TAG_LONGEST ? len - at : TAG_LONGEST;
	const char *close = memchr(s + at, '>', left), *next;

	if (!close || at + 1 >= len || !is_alpha(s[at + 1]) || close[-1] == '/')
		return false;
	e->tag = at + 1;
	e->text = (size_t)(close - s) + 1;
	e->tag_len = e->text - 1 - e->tag;
	next = memchr(s + e->text, '<', len - e->text);
	e->has_elements = !next || next + 1 >= s + len || next[1] != '/';
	e->text_len = next ? (size_t)(next - s) - e->text : 0;
	return true;
}

bool value_xml(const char *s, size_t len, struct finding *f)
{
	enum value_key kind, named = VALUE_KEY_NONE;
	enum verdict before = f->verdict;
	struct element e;
	const char *hit;
	size_t at = 0;

	for (; at < len && (hit = memchr(s + at, '<', len - at)); at++) {
		at = (size_t)(hit - s);
		if (!read_element(s, at, len, &e))
			continue;
		/* <setting name="ApiToken"><value>x</value></setting> */
		if (e.has_elements) {
			kind_of_attribute(s + e.tag, e.tag_len, &named);
			continue;
		}
		kind = named ? named : kind_of_tag(s + e.tag, e.tag_len);
		named = VALUE_KEY_NONE;
		/* Apple's lists: <key>Password</key><string>x</string> */
		if (text_is(s + e.tag, e.tag_len, "key"))
			named = value_key(s + e.text, e.text_len);
		else if (kind && value_fits(kind, s + e.text, e.text_len, true) &&
			 !value_is_found(f, e.text, e.text_len))
			value_found(f, e.text, e.text_len, "env-value:named-secret",
				    "a text with a secret and its name");
	}
	return f->verdict != before;
}
