/* SPDX-License-Identifier: Apache-2.0 */
/* What vendors build into their tokens against typing errors; all take the whole token. */
#ifndef CORE_VALUE_CHECK_H
#define CORE_VALUE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint32_t check_crc32(const char *s, size_t len);

/* Each is false only for a token of a known length whose checksum is wrong: lengths that
 * a vendor introduces later are taken for good.
 */
bool check_github(const char *token, size_t len);  /* ghp_ and its sisters; npm_ likewise */
bool check_gitlab(const char *token, size_t len);  /* routable tokens: "...01.<length><crc>" */
bool check_grafana(const char *token, size_t len); /* glsa_<32>_<crc> */
bool check_age(const char *token, size_t len);     /* bech32 */

/* No checksums: what else the vendor's tokens have in common. */
bool check_mixed(const char *token, size_t len);   /* capital, small letter and digit */
bool check_digits(const char *token, size_t len);  /* at least one */
bool check_letters(const char *token, size_t len); /* capital and small letter */
bool check_nkey(const char *token, size_t len);
bool check_discord(const char *token, size_t len);     /* the first part is a number in base64 */
bool check_base64_json(const char *token, size_t len); /* {"x":"<32 letters and digits>... */
bool check_aws_secret(const char *token, size_t len);  /* 40 characters of random base64 */

#endif
