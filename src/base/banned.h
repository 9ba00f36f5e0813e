/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that lose track of lengths or of errors; included by every file of src. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#undef sprintf /* with FORTIFY, a macro in clang's eyes */
#undef vsprintf
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok
#pragma GCC poison atoi atol atoll atof strtod scanf sscanf system popen tmpnam mktemp

#endif
