// SPDX-License-Identifier: Apache-2.0
/* Formats whose prefix begins with a capital from G on. */
#include "value_check.h"
#include "value_formats_tables.h"
#include "../base/banned.h"

// clang-format off
static const struct value_format rows[] = {
	F("GK", "x24", NULL, "garage", "the id of a Garage access key"),
	F("GOCSPX-", "w20~40", NULL, "google-oauth-secret", "a Google OAuth client secret"),
	F("GOOG", "K20", check_digits, "gcs-hmac", "the id of a Google storage HMAC key"),
	F("GOOG1E", "K40~60", check_digits, "gcs-hmac", "the id of a Google storage HMAC key"),
	F("GR1348941", "w20~40", NULL, "gitlab-runner-registration", "a GitLab runner registration token"),

	F("HRKU-", "U", NULL, "heroku", "a Heroku API key"),
	F("HRKU-", "w36~80", NULL, "heroku", "a Heroku API key"),

	F("IGQ", "W80+", check_mixed, "instagram", "an Instagram access token"),
	F("IGAA", "W80+", check_mixed, "instagram", "an Instagram access token"),
	F("IQoJb3JpZ2lu", "W80+", NULL, "aws-session", "an AWS session token"),

	F("JDC_", "K20~40", check_digits, "jdcloud", "a JD Cloud access key"),

	F("K00", "d1B27", check_mixed, "backblaze", "a Backblaze B2 application key"),
	F("K10", "x64::l2~12:b8+", NULL, "k3s", "a k3s cluster token"),
	F("K10", "x64::b6.b16", NULL, "k3s", "a k3s bootstrap token"),
	F("KEY", "X32_b22", NULL, "telnyx", "a Telnyx API key"),
	F("KEY", "w55", check_mixed, "telnyx", "a Telnyx API key"),

	F("LIVE_API_KEY:", "x32:x32", NULL, "circle", "a Circle API key"),
	F("LTAI", "b12~24", check_mixed, "alibaba", "an Alibaba Cloud access key id"),

	/* Discord's bots: the first part is the bot's number, which begins with 1 to 9. */
	F("M", "w22~27.w6~7.w25~40", check_discord, "discord", "a Discord bot token"),
	F("MLY|", "d15~17|x32", NULL, "mapillary", "a Mapillary access token"),
	F("Mid-server-", "w10~40", check_mixed, "midtrans", "a Midtrans server key"),

	F("N", "w22~27.w6~7.w25~40", check_discord, "discord", "a Discord bot token"),
	F("NF-", "b32", check_mixed, "nightfall", "a Nightfall API key"),
	F("NRAA-", "x27", NULL, "newrelic", "a New Relic admin key"),
	F("NRAK-", "b24~32", check_digits, "newrelic", "a New Relic user key"),
	F("NRBR-", "x19", NULL, "newrelic", "a New Relic browser key"),
	F("NRII-", "w30~34", check_mixed, "newrelic", "a New Relic insert key"),
	F("NRIQ-", "w30~34", check_mixed, "newrelic", "a New Relic query key"),
	F("NRJS-", "x19", NULL, "newrelic", "a New Relic browser key"),
	F("NRRA-", "x42", NULL, "newrelic", "a New Relic REST API key"),
	F("NRSP-", "w30~50", check_digits, "newrelic", "a New Relic private location key"),

	F("O", "w22~27.w6~7.w25~40", check_discord, "discord", "a Discord bot token"),

	F("PMAK-", "b24-b34", check_digits, "postman", "a Postman API key"),
	F("PMAT-", "K24~32", check_digits, "postman", "a Postman collection key"),
	F("PRD-", "x8~12-x4-x4-x4-x4~12", NULL, "ebay", "an eBay certificate id"),
	F("PVEAPIToken=", "p1~32@p1~32!p1~40=U", NULL, "proxmox", "a Proxmox VE API token"),

	F("RGAPI-", "U", NULL, "riot", "a Riot Games API key"),
	F("RWRTY0Iy", "B140~160", NULL, "minisign", "a minisign secret key"),
	F("R_", "x32", NULL, "bitly", "a Bitly API key"),
	F("S", "t55", check_nkey, "stellar-seed", "a secret seed of Stellar"),
	F("SA", "t56", check_nkey, "nats-seed", "a seed of a NATS account"),

	F("SB-Mid-server-", "w10~40", check_mixed, "midtrans", "a Midtrans sandbox server key"),
	F("SBX-", "x8~12-x4-x4-x4-x4~12", NULL, "ebay", "an eBay sandbox certificate id"),
	F("SCW", "K17", NULL, "scaleway", "a Scaleway access key"),
	F("SG.", "w16~32.w32~64", check_digits, "sendgrid", "a SendGrid API key"),
	F("SG.", "e60~75", check_digits, "sendgrid", "a SendGrid API key"),
	F("SK", "X32", NULL, "twilio", "a Twilio API key"),
	F("SO", "t56", check_nkey, "nats-seed", "a seed of a NATS operator"),
	F("STS.", "b16~64", check_mixed, "alibaba-sts", "an Alibaba Cloud temporary key id"),
	F("SU", "t56", check_nkey, "nats-seed", "a seed of a NATS user"),
	F("SWMKEY-1-", "B40~50", check_mixed, "docker-swarm", "a Docker Swarm unlock key"),
	F("SWMTKN-1-", "k40~60-k20~30", NULL, "docker-swarm", "a Docker Swarm join token"),

	F("TEST_API_KEY:", "x32:x32", NULL, "circle", "a Circle test API key"),
	F("TEST-", "d10~20-d6-x32-d6~12", NULL, "mercadopago", "a Mercado Pago test token"),

	F("VF.", "u2.X24.b16", NULL, "voiceflow", "a Voiceflow API key"),
	F("VF.", "X24.b16", NULL, "voiceflow", "a Voiceflow API key"),

	F("YCA", "w22", check_mixed, "yandex-static", "the id of a Yandex Cloud static key"),
	F("YC", "w38", check_mixed, "yandex-static", "a Yandex Cloud static key"),
};
// clang-format on

const struct value_table value_formats_b = { rows, sizeof rows / sizeof *rows };
