// SPDX-License-Identifier: Apache-2.0
/* Formats whose prefix begins with a small letter from g to o. */
#include "value_check.h"
#include "value_formats_tables.h"
#include "../base/banned.h"

// clang-format off

/* Routable tokens with and without a version, and those of a fixed length from before. */
#define GITLAB(prefix, name, why)                                           \
	F(prefix, "w20~300.k2.k9", check_gitlab, "gitlab-" name, why),      \
	F(prefix, "w20~300.k9", NULL, "gitlab-" name, why),                 \
	F(prefix, "w20~80", NULL, "gitlab-" name, why)

/* The known length has a checksum; newer and longer tokens are taken as they are. */
#define GITHUB(prefix, name, why)                                           \
	F(prefix, "b36", check_github, name, why),                          \
	F(prefix, "v37+", check_mixed, name, why)

static const struct value_format rows[] = {
	F("gcntfy-", "w70+", NULL, "gc-notify", "a GC Notify API key"),
	GITHUB("gho_", "github-oauth", "a GitHub OAuth token"),
	GITHUB("ghp_", "github-pat", "a GitHub personal access token"),
	F("ghr_", "b76", check_github, "github-refresh", "a GitHub refresh token"),
	GITHUB("ghr_", "github-refresh", "a GitHub refresh token"),
	GITHUB("ghs_", "github-server", "a GitHub server-to-server token"),
	GITHUB("ghu_", "github-user", "a GitHub user-to-server token"),
	F("github_pat_", "v60~100", check_mixed, "github-fine-grained", "a fine-grained GitHub token"),
	F("gitpod_pat_", "p30+", check_mixed, "gitpod", "a Gitpod access token"),
	GITLAB("glagent-", "agent", "a GitLab agent token"),
	F("glcbt-", "b1~5_w20", NULL, "gitlab-job", "a GitLab job token"),
	GITLAB("glcbt-", "job", "a GitLab job token"),
	GITLAB("gldt-", "deploy", "a GitLab deploy token"),
	GITLAB("glffct-", "feature-flag", "a GitLab feature flag client token"),
	GITLAB("glft-", "feed", "a GitLab feed token"),
	GITLAB("glimt-", "incoming-mail", "a GitLab incoming mail token"),
	GITLAB("gloas-", "oauth-secret", "a GitLab OAuth application secret"),
	GITLAB("glpat-", "pat", "a GitLab personal access token"),
	GITLAB("glptt-", "trigger", "a GitLab pipeline trigger token"),
	GITLAB("glrt-", "runner", "a GitLab runner token"),
	GITLAB("glrtr-", "runner-registration", "a GitLab runner registration token"),
	GITLAB("glsoat-", "scim", "a GitLab SCIM token"),
	GITLAB("glwt-", "workspace", "a GitLab workspace token"),
	F("glc_", "W40+", NULL, "grafana-cloud", "a Grafana Cloud token"),
	F("glsa_", "b32_X8", check_grafana, "grafana", "a Grafana service account token"),
	F("gsk_", "b40~64", NULL, "groq", "a Groq API key"),

	F("hawk.", "w20.w20", NULL, "stackhawk", "a StackHawk API key"),
	F("hb_", "x28~40", NULL, "hyperbrowser", "a Hyperbrowser API key"),
	F("hbp_", "b30~44", check_mixed, "honeybadger", "a Honeybadger API key"),
	F("hc", "l1'ik_'b50~64", check_digits, "honeycomb", "a Honeycomb ingest key"),
	F("hc", "l1'mk_'b20~64", check_digits, "honeycomb", "a Honeycomb management key"),
	F("hf_", "b30~40", check_letters, "huggingface", "a Hugging Face access token"),
	F("hf_oauth_", "p40+", NULL, "huggingface", "a Hugging Face OAuth token"),
	F("hskey-", "w40+", check_mixed, "headscale", "a Headscale key"),
	F("hvb.", "w60+", NULL, "vault-batch", "a Vault batch token"),
	F("hvr.", "w24+", check_mixed, "vault-recovery", "a Vault recovery token"),
	F("hvs.", "w24+", check_mixed, "vault", "a Vault service token"),

	F("ico-", "b32", check_mixed, "infracost", "an Infracost API key"),
	F("ion_", "b42", check_digits, "ionic", "an Ionic access token"),

	F("jina_", "w50~72", check_mixed, "jina", "a Jina API key"),

	F("k_", "b36~44", check_mixed, "mailsac", "a Mailsac API key"),
	F("key-", "k32", check_digits, "mailgun", "a Mailgun API key"),
	F("key-", "b64", check_mixed, "salesblink", "a SalesBlink API key"),
	F("key_", "x128", NULL, "runway", "a Runway API key"),
	F("key_", "x28", NULL, "retell", "a Retell API key"),
	F("key_", "x64", NULL, "cursor", "a Cursor API key"),
	F("kubeconfig-", "w4~40:k54", NULL, "rancher", "a Rancher kubeconfig token"),

	F("lin_api_", "b32~48", NULL, "linear", "a Linear API key"),
	F("lin_oauth_", "b32~80", NULL, "linear", "a Linear OAuth token"),
	F("lin_wh_", "b32~80", NULL, "linear", "a Linear webhook secret"),
	F("lip_", "v16~60", check_mixed, "lichess", "a Lichess access token"),
	F("live_", "x35", NULL, "lob", "a Lob API key"),
	F("live_", "b27~39", check_mixed, "live-key", "an API key of Mollie, Column or Chargebee"),
	F("live_", "W40~42", check_digits, "gocardless", "a GoCardless access token"),
	F("llx-", "b40~64", check_mixed, "llamacloud", "a LlamaCloud API key"),
	F("lma_", "W40+", check_mixed, "logicmonitor", "a LogicMonitor access key"),
	F("lmb_", "W40+", check_mixed, "logicmonitor", "a LogicMonitor bearer token"),
	F("ls-", "b8-b4-b4-b4-b8~12", check_mixed, "localstack", "a LocalStack auth token"),
	F("ls__", "x32", NULL, "langsmith", "a LangSmith API key"),
	F("lsv2_pt_", "X32_X10", NULL, "langsmith", "a LangSmith personal token"),
	F("lsv2_sk_", "X32_X10", NULL, "langsmith", "a LangSmith service key"),

	F("m0-", "b40", check_mixed, "mem0", "a Mem0 API key"),
	F("mdb_sa_sk_", "w36~48", NULL, "mongodb-atlas", "a MongoDB Atlas service account secret"),
	F("md-", "w22", check_mixed, "mandrill", "a Mandrill API key"),
	F("mercury_production_", "w40+", check_mixed, "mercury", "a Mercury API token"),
	F("mergify_application_key_", "w40+", NULL, "mergify", "a Mergify application key"),
	F("mlsn.", "b30~100", NULL, "mailersend", "a MailerSend API token"),

	F("n8n_api_", "b40+", check_digits, "n8n", "an n8n API key"),
	F("na1.", "B40~120", check_mixed, "fullstory", "a FullStory API key"),
	F("napi_", "b40~80", check_digits, "neon", "a Neon API key"),
	F("nbp_", "b36~44", check_mixed, "netbird", "a NetBird access token"),
	F("nbt_", "b12.b40", NULL, "netbox", "a NetBox API token"),
	F("nf-eyJ", "p60+", NULL, "northflank", "a Northflank API token"),
	F("nfb_", "b30~44", check_mixed, "netlify", "a Netlify build token"),
	F("nfc_", "b30~44", check_mixed, "netlify", "a Netlify CLI token"),
	F("nfo_", "b30~44", check_mixed, "netlify", "a Netlify OAuth token"),
	F("nfp_", "b30~44", check_mixed, "netlify", "a Netlify access token"),
	F("nfu_", "b30~44", check_mixed, "netlify", "a Netlify user token"),
	F("npg_", "b10~40", check_mixed, "neon-password", "a password of a Neon database"),
	GITHUB("npm_", "npm", "an npm access token"),
	F("nsec1", "k58", NULL, "nostr", "a Nostr secret key"),
	F("ntn_", "b40~54", check_digits, "notion", "a Notion integration token"),
	F("nvapi-", "w50~80", NULL, "nvidia", "an NVIDIA API key"),
	F("nyk_v0_", "b40~80", NULL, "nylas", "a Nylas API key"),

	F("o.", "b32", check_mixed, "pushbullet", "a Pushbullet access token"),
	F("oauth:", "k30", check_digits, "twitch", "a Twitch OAuth token"),
	F("odt_", "b32+", check_mixed, "dependency-track", "a Dependency-Track API key"),
	F("ol_api_", "b36~40", NULL, "outline", "an Outline API key"),
	F("ops_eyJ", "W80+", NULL, "onepassword", "a 1Password service account token"),
	F("ory_apikey_", "w30+", NULL, "ory", "an Ory API key"),
	F("ory_at_", "p30+", NULL, "ory", "an Ory access token"),
	F("ory_pat_", "w28+", NULL, "ory", "an Ory personal access token"),
	F("ory_rt_", "p30+", NULL, "ory", "an Ory refresh token"),
	F("ory_st_", "w28+", NULL, "ory", "an Ory session token"),
	F("os_v2_app_", "T80~120", NULL, "onesignal", "a OneSignal API key"),
	F("os_v2_org_", "T80~120", NULL, "onesignal", "a OneSignal organisation key"),
	F("ovsxat_", "U", NULL, "openvsx", "an Open VSX access token"),
	F("oy2", "k43", check_digits, "nuget", "a NuGet API key"),
};
// clang-format on

const struct value_table value_formats_d = { rows, sizeof rows / sizeof *rows };
