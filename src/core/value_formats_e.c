// SPDX-License-Identifier: Apache-2.0
/* Formats whose prefix begins with a small letter from p to r. */
#include "value_check.h"
#include "value_formats_tables.h"
#include "../base/banned.h"

// clang-format off
static const struct value_format rows[] = {
	F("p.eyJ", "w20~500.w20~60", NULL, "tinybird", "a Tinybird token"),
	F("p8e-", "w30~36", check_digits, "adobe", "an Adobe client secret"),
	F("pa-", "w40~50", check_mixed, "voyage", "a Voyage AI API key"),
	F("pat-", "l2d1-U", NULL, "hubspot", "a HubSpot private app token"),
	F("pat-", "l2d1-b8-b4-b4-b4-b12", check_digits, "hubspot", "a HubSpot private app token"),
	F("pat.", "w22.b24.b20", NULL, "harness", "a Harness personal access token"),
	F("pat", "b14.b62~66", check_digits, "airtable", "an Airtable personal access token"),
	F("pcsk_", "b5~6_b56~72", NULL, "pinecone", "a Pinecone API key"),
	F("pdl_live_apikey_", "v40~64", NULL, "paddle", "a Paddle API key"),
	F("pdl_sdbx_apikey_", "v40~64", NULL, "paddle", "a Paddle sandbox API key"),
	F("pdl_ntfset_", "v40~72", NULL, "paddle", "a Paddle webhook secret"),
	F("persona_production_", "w20~80", check_digits, "persona", "a Persona API key"),
	F("persona_sandbox_", "w20~80", check_digits, "persona", "a Persona sandbox API key"),
	F("phs_", "w40~50", check_mixed, "posthog", "a PostHog feature flags key"),
	F("phx_", "w40~50", check_mixed, "posthog", "a PostHog personal API key"),
	F("pina_", "w20+", check_digits, "pinterest", "a Pinterest access token"),
	F("pk_", "d6~10_b32", NULL, "clickup", "a ClickUp API token"),
	F("pk_", "b34", check_digits, "klaviyo", "a Klaviyo private API key"),
	F("pk_prod_", "K28", NULL, "courier", "a Courier API key"),
	F("pnb_", "b36", check_mixed, "prefect", "a Prefect service account key"),
	F("pnu_", "b36", check_mixed, "prefect", "a Prefect API key"),
	F("polar_at_", "w20~100", check_digits, "polar", "a Polar access token"),
	F("polar_cs_", "w20~100", check_digits, "polar", "a Polar client secret"),
	F("polar_oat_", "w20~100", check_digits, "polar", "a Polar organisation token"),
	F("polar_pat_", "w20~100", check_digits, "polar", "a Polar personal token"),
	F("polar_rt_", "w20~100", check_digits, "polar", "a Polar refresh token"),
	F("polar_whs_", "w20~100", check_digits, "polar", "a Polar webhook secret"),
	F("pplx-", "b32~64", NULL, "perplexity", "a Perplexity API key"),
	F("prod:", "w5~60|W40+", check_mixed, "convex", "a Convex deploy key"),
	F("prf_", "w20~80", check_mixed, "proof", "a Proof API key"),
	F("prj_live_sk_", "x40", NULL, "radar", "a Radar secret key"),
	F("prj_test_sk_", "x40", NULL, "radar", "a Radar test secret key"),
	F("pscale_app_secret_", "e30~72", NULL, "planetscale", "a PlanetScale application secret"),
	F("pscale_oauth_", "e30~72", NULL, "planetscale", "a PlanetScale OAuth token"),
	F("pscale_pw_", "e30~72", NULL, "planetscale", "a PlanetScale password"),
	F("pscale_tkn_", "e30~72", NULL, "planetscale", "a PlanetScale service token"),
	F("ptr_", "W40~50", check_mixed, "portainer", "a Portainer access token"),
	F("pul-", "k40", check_digits, "pulumi", "a Pulumi access token"),
	F("pylf_v", "d1_l2_b40~50", NULL, "logfire", "a Logfire token"),
	F("pypi-AgE", "w50+", NULL, "pypi", "a PyPI upload token"),

	F("r8_", "w37", NULL, "replicate", "a Replicate API token"),
	F("ramp_sec_", "b40~56", NULL, "ramp", "a Ramp client secret"),
	F("rca_", "x64", NULL, "raycast", "a Raycast access token"),
	F("rdme_", "k70", NULL, "readme", "a ReadMe API key"),
	F("re_", "b6~10_b20~32", check_mixed, "resend", "a Resend API key"),
	F("retool_", "b24~48", check_digits, "retool", "a Retool access token"),
	F("rk_live_", "b12+", check_digits, "stripe-restricted", "a Stripe restricted key"),
	F("rk_prod_", "b12+", check_digits, "stripe-restricted", "a Stripe restricted key"),
	F("rk_test_", "b12+", check_digits, "stripe-restricted", "a Stripe restricted test key"),
	F("rnd_", "b26~36", check_mixed, "render", "a Render API key"),
	F("rootly_", "x64", NULL, "rootly", "a Rootly API key"),
	F("rpa_", "b28~50", check_digits, "runpod", "a RunPod API key"),
	F("rps_", "b28~50", check_digits, "runpod", "a RunPod storage secret"),
	F("rubygems_", "x42~52", NULL, "rubygems", "a RubyGems API key"),
	F("rzp_live_", "b14~40", check_letters, "razorpay", "a Razorpay key"),
	F("rzp_test_", "b14~40", check_letters, "razorpay", "a Razorpay test key"),
};
// clang-format on

const struct value_table value_formats_e = { rows, sizeof rows / sizeof *rows };
