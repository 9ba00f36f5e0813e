/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the well-formed character at s, at most len of them; 0 when there is none. */
size_t utf8_char(const char *s, size_t len);

/* Offset of the first byte that is not part of well-formed UTF-8; len when all is. */
size_t utf8_check(const char *s, size_t len);

/* The character at s, which utf8_char() found to be n bytes long. */
unsigned long utf8_code(const char *s, size_t n);

/* Characters that YAML takes for the end of a line or refuses, that terminals obey, and that turn the
 * direction of text, so that a line could read as another one.
 */
bool utf8_is_hidden(unsigned long c);

#endif
