/* SPDX-License-Identifier: Apache-2.0 */
/* Is this name, value or path a credential, and by which rule? Linear, without allocation. */
#ifndef CORE_DETECT_H
#define CORE_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum verdict {
	VERDICT_KEEP,
	VERDICT_CREDENTIAL,
	VERDICT_POINTER, /* a path, socket or command that leads to a credential */
};

struct span {
	size_t off, len;
};
enum { DETECT_SPANS = 8 };

struct finding {
	enum verdict verdict;
	const char *rule; /* static: "env-name:aws", "env-value:url-userinfo", "path:ssh" */
	const char *why;  /* static, one line for people: "name of an AWS secret" */

	/* What of the value is secret, for a stand-in that keeps the rest ("https://user:" and
	 * "@host", a vendor's prefix). In order, without overlap; none: the whole value.
	 */
	struct span secret[DETECT_SPANS];
	unsigned n_secret;
	bool is_whole; /* there are parts, but none is listed: more than fit, or all of it counts */

	/* Paths: not a credential itself, but credentials are expected below it: a mount
	 * of it stays and what is below is masked.
	 */
	bool is_ancestor;
};

/* All return f->verdict and fill in *f whole. Texts need no terminating NUL. */
enum verdict detect_name(const char *name, size_t len, struct finding *f);
enum verdict detect_value(const char *value, size_t len, struct finding *f);

/* Only what is a credential by itself wherever it stands, keys and vendors' tokens, also in base64:
 * for programs and their documentation, which are full of "password = x" and of URLs that show how to
 * write one.
 */
enum verdict detect_strong(const char *text, size_t len, struct finding *f);

/* Name and value together: the value first, then the name unless the value's shape speaks against it (empty,
 * a switch, a small number, a URL without a password). A name that says "secret" over an
 * absolute path is a pointer. With judge_value false, values only speak against.
 */
enum verdict detect_env(const char *name, size_t name_len, const char *value, size_t value_len,
			bool judge_value, struct finding *f);

/* Did chance write this? Never enough by itself to call something a credential. */
bool detect_is_random(const char *value, size_t len);

/* An absolute path on the host (a mount's source) or in the container; "//", "/./" and "/../" are
 * folded as text. HOME of every user counts. The path need not exist.
 */
enum verdict detect_path(const char *path, size_t len, struct finding *f);

/* Paths worth looking for below a directory, so that a look costs by rules and not by files:
 * sorted by base, then by path with '/' before all other characters, so that a directory and what
 * is in it stand together.
 */
enum known_base {
	KNOWN_ROOT,    /* "etc/shadow": below the root of a file system */
	KNOWN_HOME,    /* ".aws/credentials": below any home directory */
	KNOWN_PROJECT, /* ".env": below any directory that people work in */
};
struct known_path {
	enum known_base base;
	const char *path;
	const char *rule, *why; /* as in struct finding */
};
const struct known_path *detect_known_paths(size_t *count);

#endif
