// SPDX-License-Identifier: Apache-2.0
/* Formats whose prefix begins with a sign, a digit or a capital up to F. */
#include "value_check.h"
#include "value_formats_tables.h"
#include "../base/banned.h"

// clang-format off
static const struct value_format rows[] = {
	F("$aact_", "w20+", NULL, "asaas", "an Asaas API key"),

	F("0.", "U.b28~32:B20~24q0~2", NULL, "bitwarden", "a Bitwarden Secrets Manager access token"),
	F("0x4AAAA", "w26~32", check_mixed, "cloudflare-turnstile", "a Cloudflare Turnstile secret key"),
	F("00", "b13!p60+", NULL, "salesforce", "a Salesforce access token"),
	F("00", "b16!p60+", NULL, "salesforce", "a Salesforce access token"),
	F("00", "e40", check_mixed, "okta", "an Okta API token"),
	F("11", "x32", NULL, "jenkins", "a Jenkins API token"),
	F("1//0", "w30+", NULL, "google-refresh", "a Google OAuth refresh token"),
	F("1/", "d13~17:x32", NULL, "asana", "an Asana personal access token"),
	F("1000.", "x32.x32", NULL, "zoho", "a Zoho OAuth token"),
	F("2", "b26_d1b20", check_mixed, "ngrok", "an ngrok authtoken"),
	F("2/", "d13~17/d13~17:x32", NULL, "asana", "an Asana personal access token"),
	F("4b1d", "b38", check_mixed, "clickhouse", "a ClickHouse Cloud API secret"),
	F("5Aep861", "p40+", NULL, "salesforce-refresh", "a Salesforce refresh token"),

	F("A3-", "K6-K11-K5-K5-K5", check_digits, "onepassword-secret-key", "a 1Password secret key"),
	F("A3-", "K6-K6-K5-K5-K5-K5", check_digits, "onepassword-secret-key", "a 1Password secret key"),
	F("AAAAAAAAAAAAAAAAAAAAA", "c60+", check_mixed, "twitter-bearer", "a Twitter bearer token"),
	F("A3T", "K17", check_digits, "aws-key-id", "an AWS access key id"),
	F("AAEAAWVsYXN0aWMv", "W20+", NULL, "elastic-service", "an Elasticsearch service token"),
	F("ABIA", "K16", check_digits, "aws-key-id", "an AWS STS service bearer id"),
	F("ABSK", "B80+", NULL, "aws-bedrock", "an Amazon Bedrock API key"),
	F("ACCA", "K16", check_digits, "aws-key-id", "an AWS context-specific key id"),
	F("AGE-SECRET-KEY-1", "K58", check_age, "age", "an age secret key"),
	F("AGE-SECRET-KEY-PQ-1", "K50+", NULL, "age", "a post-quantum age secret key"),
	F("AIK_CI_", "b20~64", NULL, "aikido", "an Aikido CI token"),
	F("AIK_SECRET_", "b40~80", NULL, "aikido", "an Aikido client secret"),
	F("AIza", "w35", NULL, "google-api-key", "a Google API key"),
	F("AK1", "B50~55", check_mixed, "ecostruxure", "an EcoStruxure IT API key"),
	F("AKC", "b64~90", check_mixed, "artifactory", "an Artifactory API key"),
	F("AKIA", "K16", check_digits, "aws-key-id", "an AWS access key id"),
	F("AKID", "b28~40", check_mixed, "tencent", "a Tencent Cloud secret id"),
	F("AKLT", "b30~60", check_mixed, "volcengine", "a Volcengine access key id"),
	F("AKTP", "b30~60", check_mixed, "volcengine", "a Volcengine temporary key id"),
	F("ALTAK", "b18~26", check_mixed, "baidu", "a Baidu Cloud access key"),
	F("API-", "K25~33", check_digits, "octopus", "an Octopus Deploy API key"),
	F("APP_USR-", "d10~20-d6-x32-d6~12", NULL, "mercadopago", "a Mercado Pago access token"),
	F("AQE", "b1'hmf'W60+", NULL, "adyen", "an Adyen API key"),
	F("AQF", "b1'hmf'W60+", NULL, "adyen", "an Adyen API key"),
	F("AQ.Ab8RN6", "w30+", NULL, "google-auth-key", "a Google authorization key"),
	F("AQVN", "w34~40", check_mixed, "yandex", "a Yandex Cloud API key"),
	F("AQoDYXdz", "W80+", NULL, "aws-session", "an AWS session token"),
	F("ASIA", "K16", check_digits, "aws-key-id", "a temporary AWS access key id"),
	F("ATATT3", "W100+", NULL, "atlassian", "an Atlassian API token"),
	F("ATBB", "b28~40", check_mixed, "bitbucket", "a Bitbucket app password"),
	F("ATCTT3", "W80+", NULL, "bitbucket", "a Bitbucket access token"),
	F("ATOAT", "W60+", check_mixed, "atlassian-oauth", "an Atlassian OAuth secret"),
	F("ATSTT3", "W80+", NULL, "atlassian", "an Atlassian service token"),
	F("ATTA", "X60~80", NULL, "trello", "a Trello token"),
	F("Atza|", "W80+", NULL, "amazon-lwa", "a Login with Amazon access token"),
	F("Atzr|", "W80+", NULL, "amazon-lwa", "a Login with Amazon refresh token"),
	F("AVNS_", "w16~30", check_mixed, "aiven", "a password of an Aiven service"),
	F("AstraCS:", "w20+:x64", NULL, "datastax", "a DataStax Astra token"),
	F("AstraCS:", "p20+", NULL, "datastax", "a DataStax Astra token"),
	F("AgEIcHlwaS5vcmc", "w50+", NULL, "pypi", "a PyPI upload token without its prefix"),

	F("BBFF-", "b28~40", NULL, "ubidots", "an Ubidots token"),
	F("BBUS-", "b28~40", NULL, "ubidots", "an Ubidots token"),
	F("BSA", "w24~40", check_mixed, "brave-search", "a Brave Search API key"),

	F("CAIS", "W50+", check_mixed, "alibaba-sts", "an Alibaba Cloud security token"),
	F("CCDB1_", "b22_b40", NULL, "cockroach", "a CockroachDB Cloud API key"),
	F("CCIPAT_", "b16~30_b32~48", NULL, "circleci", "a CircleCI personal token"),
	F("CCIPRJ_", "b16~30_b32~48", NULL, "circleci", "a CircleCI project token"),
	F("CFPAT-", "w40~64", NULL, "contentful", "a Contentful personal access token"),
	F("CG-", "b24", check_mixed, "coingecko", "a CoinGecko API key"),
	F("CLOJARS_", "b60", NULL, "clojars", "a Clojars deploy token"),

	F("DDRCM_", "w30~80", check_digits, "datadog", "a Datadog remote configuration key"),
	F("DO00", "K16", check_digits, "digitalocean-spaces", "a DigitalOcean Spaces key id"),
	F("DO801", "K15", NULL, "digitalocean-spaces", "a DigitalOcean Spaces key id"),

	F("EAAA", "W22~62", check_mixed, "square", "a Square access token"),
	F("EAA", "b80+", check_mixed, "facebook", "a Facebook access token"),
	F("ES_", "x32", NULL, "hcaptcha", "an hCaptcha secret"),
	F("EXO", "b24~30", check_digits, "exoscale", "an Exoscale API key"),
	F("EZAK", "b54", NULL, "easypost", "an EasyPost API key"),
	F("EZTK", "b54", NULL, "easypost", "an EasyPost test API key"),

	F("FLWSECK-", "w20~64", NULL, "flutterwave", "a Flutterwave secret key"),
	F("FLWSECK_TEST-", "w12~64", NULL, "flutterwave", "a Flutterwave test secret key"),
	F("FQoGZXIvYXdz", "W80+", NULL, "aws-session", "an AWS session token"),
	F("FwoGZXIvYXdz", "W80+", NULL, "aws-session", "an AWS session token"),
	F("FlyV1 ", "W50+", check_mixed, "fly", "a Fly.io access token"),
};
// clang-format on

const struct value_table value_formats_a = { rows, sizeof rows / sizeof *rows };
