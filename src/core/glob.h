/* SPDX-License-Identifier: Apache-2.0 */
/* The one matcher of names and paths. */
#ifndef CORE_GLOB_H
#define CORE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Names: '*' any run of characters, '?' any one. ASCII letters match in either case. */
bool glob_name(const char *pattern, const char *name);

/* Paths: '*' and '?' stay within one component; a component that is "**" stands for any number of
 * them, none included. Case matters. Both cost at most length of pattern times length of text.
 */
bool glob_path(const char *pattern, const char *path);

/* One component of each, by length: no slashes in either, "**" is as good as '*'. */
bool glob_component(const char *pattern, size_t pattern_len, const char *name, size_t name_len);

/* Does everything that the narrow pattern matches match the wide one too? May say no wrongly,
 * never yes: it is for warnings about rules that can never decide anything. The first is for
 * names, the second for paths.
 */
bool glob_covers(const char *wide, const char *narrow);
bool glob_covers_path(const char *wide, const char *narrow);

/* Folds "//", "/./", "/../" and slashes at the end, as text. False: it is not absolute, or too long.
 * The result may take the place of the text.
 */
bool path_fold(const char *path, char *buf, size_t size);

/* The rest of the path below a directory, without a slash before it ("": the directory itself);
 * NULL: it is elsewhere. Both are as path_fold() leaves them.
 */
const char *path_below(const char *path, const char *dir);

#endif
