// SPDX-License-Identifier: Apache-2.0
/* Names known as a whole or by their beginning, and what rules are called. */
#include "detect_words.h"

#include "../base/banned.h"

// clang-format off
#define TEXT(text) { (text), sizeof(text) - 1 }
#define LEADS(text, group, by) { TEXT(text), VERDICT_POINTER, NG_##group, false, { by } }
#define HOLDS(text, group, by) { TEXT(text), VERDICT_CREDENTIAL, NG_##group, false, { by } }
#define KEEP(text, group, is_hint) \
	{ TEXT(text), VERDICT_KEEP, NG_##group, (is_hint), { NULL, NULL } }
#define OF(text, rule, vendor) { TEXT(text), { "env-name:" rule, "the name is one of " vendor } }

#define BY_AUTH \
	"env-name:auth", "user and password of a service"
#define BY_AZURE \
	"env-name:azure", "an Azure credential"
#define BY_COOLIFY \
	"env-name:secret", "a secret that Coolify makes for a service"
#define BY_CLOUD_CONFIG \
	"env-name:pointer-cloud-config", "leads to a configuration that holds credentials"
#define BY_CONNECTION_URL \
	"env-name:connection-url", "a URL that customarily has a password in it"
#define BY_CONTAINER_ENGINE \
	"env-name:pointer-container-engine", "leads to a container engine and all its secrets"
#define BY_COSIGN \
	"env-name:pointer-cosign", "leads to a signing key"
#define BY_CREDENTIALS \
	"env-name:credentials", "a blob of credentials of all bound services"
#define BY_DATABASE \
	"env-name:pointer-database", "leads to database passwords or keys"
#define BY_DATADOG \
	"env-name:datadog", "endpoints of Datadog with their API keys"
#define BY_DISPLAY \
	"env-name:pointer-display", "leads to the cookie of a display"
#define BY_GIT \
	"env-name:pointer-git", "leads to a helper that hands out Git credentials"
#define BY_GITLAB \
	"env-name:gitlab", "a URL with a job token in it"
#define BY_GNUPG \
	"env-name:pointer-gnupg", "leads to GnuPG's keys or agent"
#define BY_HEADER \
	"env-name:header", "headers that authorise requests"
#define BY_IDENTITY_ENDPOINT \
	"env-name:pointer-identity-endpoint", "leads to an endpoint that hands out tokens"
#define BY_KERBEROS \
	"env-name:pointer-kerberos", "leads to Kerberos tickets or keys"
#define BY_KEY_FILE \
	"env-name:pointer-file", "leads to the file of a private key or token"
#define BY_KEYRING \
	"env-name:pointer-keyring", "leads to a session bus or keyring that hands out secrets"
#define BY_KUBECONFIG \
	"env-name:pointer-kubeconfig", "leads to a file of Kubernetes credentials"
#define BY_LICENSE \
	"env-name:license", "a serial number that stands for a licence"
#define BY_MINIO \
	"env-name:minio", "a URL with MinIO keys in it"
#define BY_PACKAGE_CONFIG \
	"env-name:pointer-package-config", "leads to a package manager's file with tokens"
#define BY_PLEX \
	"env-name:plex", "a claim token of Plex"
#define BY_REGISTRY \
	"env-name:pointer-registry", "leads to registry credentials"
#define BY_SALESFORCE \
	"env-name:salesforce", "a login URL of Salesforce"
#define BY_SERVICE \
	"env-name:key", "a key that signs tokens of a service"
#define BY_SESSION \
	"env-name:session", "an unlocked session of a password manager or account"
#define BY_SETTINGS \
	"env-name:credentials", "settings that have credentials in them"
#define BY_SIGNING \
	"env-name:key", "a key that signs code, with its certificate"
#define BY_SOCKET \
	"env-name:pointer-socket", "leads to a daemon that hands out credentials"
#define BY_SSH_AGENT \
	"env-name:pointer-ssh-agent", "leads to the socket of an SSH agent"
#define BY_TERRAFORM \
	"env-name:terraform", "a token of a Terraform registry"
#define BY_TOKEN \
	"env-name:token", "a token of a package index"
#define BY_VAULT \
	"env-name:vault", "a Vault token"

const struct name_rule name_groups[NG_COUNT] = {
	[NG_NONE] = { NULL, NULL },
	[NG_PASSWORD] = { "env-name:password", "the name says password" },
	[NG_TOKEN] = { "env-name:token", "the name says token" },
	[NG_SECRET] = { "env-name:secret", "the name says secret" },
	[NG_KEY] = { "env-name:key", "the name says key" },
	[NG_CREDENTIALS] = { "env-name:credentials", "the name says credentials" },
	[NG_URL] = { "env-name:connection-url", "such a URL customarily has a password in it" },
	[NG_WEBHOOK] = { "env-name:webhook", "the name says webhook" },
	[NG_HEADER] = { "env-name:header", "the name says headers that authorise requests" },
	[NG_COOKIE] = { "env-name:cookie", "the name says cookie" },
	[NG_SESSION] = { "env-name:session", "the name says session" },
	[NG_SALT] = { "env-name:salt", "the name says salt or pepper" },
	[NG_SEED] = { "env-name:seed", "the name says seed of keys" },
	[NG_PIN] = { "env-name:pin", "the name says PIN" },
	[NG_CODE] = { "env-name:code", "the name says a code that grants access" },
	[NG_LICENSE] = { "env-name:license", "the name says licence key" },
	[NG_SIGNATURE] = { "env-name:signature", "the name says a signature that grants access" },
	[NG_AUTH] = { "env-name:auth", "the name says user and password" },
	[NG_FILE] = { "env-name:pointer-file", "the name says where a credential is kept" },
	[NG_COMMAND] = { "env-name:pointer-command", "the name says what hands out a credential" },
	[NG_SOCKET] = { "env-name:pointer-socket", "the name says what hands out credentials" },
};

/* What the words of a name would get wrong; in the order of strcmp. */
const struct name_known name_knowns[] = {
	HOLDS("AGORA_APP_CERTIFICATE", KEY, BY_SERVICE),
	HOLDS("AIRFLOW__SECRETS__BACKEND_KWARGS", CREDENTIALS, BY_SETTINGS),
	HOLDS("APPLE_CERTIFICATE", KEY, BY_SIGNING),
	LEADS("ARGOCD_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	HOLDS("ARM_CLIENT_CERTIFICATE", SECRET, BY_AZURE),
	LEADS("ARM_CLIENT_CERTIFICATE_PATH", FILE, BY_CLOUD_CONFIG),
	HOLDS("ARTIFACTS_CREDENTIALPROVIDER_EXTERNAL_FEED_ENDPOINTS", SECRET, BY_AZURE),
	LEADS("AWS_CONFIG_FILE", FILE, BY_CLOUD_CONFIG),
	HOLDS("AZUREWEBJOBSSTORAGE", SECRET, BY_AZURE),
	LEADS("AZURE_CERTIFICATE_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("AZURE_CLIENT_CERTIFICATE_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("AZURE_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	KEEP("AZURE_TOKEN_CREDENTIALS", NONE, false),
	LEADS("BITWARDENCLI_APPDATA_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("BLUEMIX_HOME", FILE, BY_CLOUD_CONFIG),
	LEADS("BOTO_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("BOTO_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("BOUNDARY_RECOVERY_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("BUILDKIT_HOST", SOCKET, BY_CONTAINER_ENGINE),
	HOLDS("BUILD_CERTIFICATE_BASE64", KEY, BY_SIGNING),
	LEADS("BUNDLE_USER_CONFIG", FILE, BY_PACKAGE_CONFIG),
	HOLDS("BW_SESSION", SESSION, BY_SESSION),
	LEADS("CF_HOME", FILE, BY_CLOUD_CONFIG),
	HOLDS("CI_REPOSITORY_URL", URL, BY_GITLAB),
	LEADS("CLAUDE_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("CLEARML_CONFIG_FILE", FILE, BY_CLOUD_CONFIG),
	LEADS("CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", FILE, BY_CLOUD_CONFIG),
	LEADS("CLOUDSDK_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("COCKROACH_CERTS_DIR", FILE, BY_DATABASE),
	LEADS("CODEX_HOME", FILE, BY_CLOUD_CONFIG),
	HOLDS("COMPOSER_AUTH", AUTH, BY_AUTH),
	HOLDS("CONCOURSE_ADD_LOCAL_USER", AUTH, BY_AUTH),
	LEADS("CONCOURSE_SESSION_SIGNING_KEY", FILE, BY_KEY_FILE),
	LEADS("CONCOURSE_TSA_HOST_KEY", FILE, BY_KEY_FILE),
	LEADS("CONCOURSE_TSA_WORKER_PRIVATE_KEY", FILE, BY_KEY_FILE),
	LEADS("CONTAINERD_ADDRESS", SOCKET, BY_CONTAINER_ENGINE),
	LEADS("CONTAINER_HOST", SOCKET, BY_CONTAINER_ENGINE),
	LEADS("CONTAINER_RUNTIME_ENDPOINT", SOCKET, BY_CONTAINER_ENGINE),
	LEADS("CONTAINER_SSHKEY", SOCKET, BY_CONTAINER_ENGINE),
	LEADS("COSIGN_KEY", FILE, BY_COSIGN),
	HOLDS("CSC_LINK", KEY, BY_SIGNING),
	HOLDS("CURL_USER", AUTH, BY_AUTH),
	LEADS("DATABRICKS_CONFIG_FILE", FILE, BY_CLOUD_CONFIG),
	LEADS("DBT_PROFILES_DIR", FILE, BY_DATABASE),
	LEADS("DBUS_SESSION_BUS_ADDRESS", SOCKET, BY_KEYRING),
	HOLDS("DD_ADDITIONAL_ENDPOINTS", CREDENTIALS, BY_DATADOG),
	HOLDS("DD_APM_ADDITIONAL_ENDPOINTS", CREDENTIALS, BY_DATADOG),
	HOLDS("DD_LOGS_CONFIG_ADDITIONAL_ENDPOINTS", CREDENTIALS, BY_DATADOG),
	HOLDS("DD_PROCESS_CONFIG_ADDITIONAL_ENDPOINTS", CREDENTIALS, BY_DATADOG),
	KEEP("DESKTOP_SESSION", NONE, false),
	HOLDS("DIRECT_URL", URL, BY_CONNECTION_URL),
	LEADS("DOCKER_CERT_PATH", SOCKET, BY_CONTAINER_ENGINE),
	LEADS("DOCKER_CONFIG", FILE, BY_REGISTRY),
	KEEP("DOCKER_CUSTOM_HEADERS", HEADER, true),
	LEADS("DOCKER_HOST", SOCKET, BY_CONTAINER_ENGINE),
	LEADS("DOCTL_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("ETCDCTL_KEY", FILE, BY_KEY_FILE),
	HOLDS("ETCDCTL_USER", AUTH, BY_AUTH),
	LEADS("EXOSCALE_CONFIG", FILE, BY_CLOUD_CONFIG),
	HOLDS("FASTLANE_SESSION", SESSION, BY_SESSION),
	LEADS("FLYCTL_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("FLY_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	KEEP("GDMSESSION", NONE, false),
	LEADS("GH_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("GITEA__SECURITY__INTERNAL_TOKEN_URI", FILE, BY_KEY_FILE),
	LEADS("GITEA__SECURITY__SECRET_KEY_URI", FILE, BY_KEY_FILE),
	LEADS("GLAB_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("GNOME_KEYRING_CONTROL", SOCKET, BY_KEYRING),
	LEADS("GNUPGHOME", FILE, BY_GNUPG),
	LEADS("GOOGLE_API_CERTIFICATE_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("GPG_AGENT_INFO", FILE, BY_GNUPG),
	KEEP("GPG_KEY", NONE, false),
	KEEP("GPG_KEYS", NONE, false),
	HOLDS("GRAFANA_AUTH", AUTH, BY_AUTH),
	LEADS("HCLOUD_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("HELM_CONFIG_HOME", FILE, BY_REGISTRY),
	LEADS("HELM_REGISTRY_CONFIG", FILE, BY_REGISTRY),
	LEADS("HELM_REPOSITORY_CONFIG", FILE, BY_REGISTRY),
	LEADS("HUB_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("IBMCLOUD_HOME", FILE, BY_CLOUD_CONFIG),
	LEADS("ICEAUTHORITY", FILE, BY_DISPLAY),
	LEADS("IDENTITY_ENDPOINT", SOCKET, BY_IDENTITY_ENDPOINT),
	HOLDS("IDENTITY_HEADER", SECRET, BY_AZURE),
	LEADS("IMDS_ENDPOINT", SOCKET, BY_IDENTITY_ENDPOINT),
	KEEP("INIT_CWD", NONE, false),
	LEADS("JFROG_CLI_HOME_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("KAGGLE_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("KC_VAULT_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("KC_VAULT_FILE", FILE, BY_CLOUD_CONFIG),
	HOLDS("KEYBASE_SESSION", SESSION, BY_SESSION),
	KEEP("KONSOLE_DBUS_SESSION", NONE, false),
	LEADS("KOPIA_CONFIG_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("KRB5CCNAME", FILE, BY_KERBEROS),
	LEADS("KRB5_CLIENT_KTNAME", FILE, BY_KERBEROS),
	LEADS("KRB5_KTNAME", FILE, BY_KERBEROS),
	LEADS("KUBECONFIG", FILE, BY_KUBECONFIG),
	LEADS("LINODE_CLI_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("LPASS_HOME", FILE, BY_CLOUD_CONFIG),
	HOLDS("MAVEN_GPG_KEY", KEY, BY_SIGNING),
	LEADS("MC_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("MINIKUBE_HOME", FILE, BY_KUBECONFIG),
	HOLDS("MLFLOW_BACKEND_STORE_URI", URL, BY_CONNECTION_URL),
	HOLDS("MLFLOW_REGISTRY_STORE_URI", URL, BY_CONNECTION_URL),
	LEADS("MLFLOW_TRACKING_CLIENT_CERT_PATH", FILE, BY_KEY_FILE),
	HOLDS("MM_SQLSETTINGS_DATASOURCEREPLICAS", URL, BY_CONNECTION_URL),
	HOLDS("MM_SQLSETTINGS_DATASOURCESEARCHREPLICAS", URL, BY_CONNECTION_URL),
	LEADS("MODAL_CONFIG_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("MSI_ENDPOINT", SOCKET, BY_IDENTITY_ENDPOINT),
	LEADS("MYSQL_TEST_LOGIN_FILE", FILE, BY_DATABASE),
	KEEP("N8N_WEBHOOK_URL", WEBHOOK, true),
	LEADS("NATS_KEY", FILE, BY_KEY_FILE),
	LEADS("NATS_NKEY", FILE, BY_KEY_FILE),
	LEADS("NGROK_CONFIG", FILE, BY_CLOUD_CONFIG),
	KEEP("NOMAD_SECRETS_DIR", NONE, false),
	LEADS("NPM_CONFIG_GLOBALCONFIG", FILE, BY_PACKAGE_CONFIG),
	LEADS("NPM_CONFIG_USERCONFIG", FILE, BY_PACKAGE_CONFIG),
	HOLDS("NPM_CONFIG__AUTH", AUTH, BY_AUTH),
	LEADS("OCI_CLI_CONFIG_FILE", FILE, BY_CLOUD_CONFIG),
	LEADS("OCI_CONFIG_FILE", FILE, BY_CLOUD_CONFIG),
	KEEP("OLDPWD", NONE, false),
	LEADS("OMNICONFIG", FILE, BY_KUBECONFIG),
	LEADS("OP_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("OS_CLIENT_CONFIG_FILE", FILE, BY_CLOUD_CONFIG),
	HOLDS("PAPERLESS_SOCIALACCOUNT_PROVIDERS", CREDENTIALS, BY_SETTINGS),
	LEADS("PGSERVICEFILE", FILE, BY_DATABASE),
	LEADS("PGSSLKEY", FILE, BY_DATABASE),
	LEADS("PGSYSCONFDIR", FILE, BY_DATABASE),
	KEEP("PINENTRY_USER_DATA", NONE, false),
	LEADS("PIP_CONFIG_FILE", FILE, BY_PACKAGE_CONFIG),
	HOLDS("PLATFORM_RELATIONSHIPS", CREDENTIALS, BY_CREDENTIALS),
	HOLDS("PLEX_CLAIM", CODE, BY_PLEX),
	LEADS("POETRY_CONFIG_DIR", FILE, BY_PACKAGE_CONFIG),
	LEADS("PULUMI_HOME", FILE, BY_CLOUD_CONFIG),
	KEEP("PWD", NONE, false),
	LEADS("RCLONE_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("RCLONE_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	HOLDS("REDISCLI_AUTH", AUTH, BY_AUTH),
	HOLDS("RENOVATE_HOST_RULES", CREDENTIALS, BY_SETTINGS),
	LEADS("RESTIC_TLS_CLIENT_CERT", FILE, BY_KEY_FILE),
	HOLDS("RP_BOOTSTRAP_USER", AUTH, BY_AUTH),
	LEADS("SCW_CONFIG_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("SENTRY_PROPERTIES", FILE, BY_CLOUD_CONFIG),
	HOLDS("SFDX_AUTH_URL", URL, BY_SALESFORCE),
	LEADS("SNOWFLAKE_HOME", FILE, BY_CLOUD_CONFIG),
	LEADS("SPIFFE_ENDPOINT_SOCKET", SOCKET, BY_IDENTITY_ENDPOINT),
	HOLDS("SRC_HEADERS", HEADER, BY_HEADER),
	LEADS("SSH_AUTH_SOCK", SOCKET, BY_SSH_AGENT),
	KEEP("SSH_ORIGINAL_COMMAND", NONE, false),
	KEEP("SUDO_COMMAND", NONE, false),
	LEADS("SYSTEM_OIDCREQUESTURI", SOCKET, BY_IDENTITY_ENDPOINT),
	LEADS("TALOSCONFIG", FILE, BY_KUBECONFIG),
	LEADS("TD_CONFIG_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("TELEPORT_HOME", FILE, BY_CLOUD_CONFIG),
	HOLDS("TEMPORAL_CODEC_AUTH", HEADER, BY_HEADER),
	LEADS("TERRAFORM_CONFIG", FILE, BY_CLOUD_CONFIG),
	LEADS("TF_CLI_CONFIG_FILE", FILE, BY_CLOUD_CONFIG),
	LEADS("TNS_ADMIN", FILE, BY_DATABASE),
	HOLDS("TOOL_SERVER_CONNECTIONS", CREDENTIALS, BY_SETTINGS),
	HOLDS("TRACELOOP_HEADERS", HEADER, BY_HEADER),
	LEADS("TREASURE_DATA_CONFIG_PATH", FILE, BY_CLOUD_CONFIG),
	LEADS("TS_SOCKET", SOCKET, BY_SOCKET),
	LEADS("TUNNEL_ORIGIN_CERT", FILE, BY_KEY_FILE),
	HOLDS("UNITY_SERIAL", LICENSE, BY_LICENSE),
	LEADS("VAULT_AGENT_ADDR", SOCKET, BY_IDENTITY_ENDPOINT),
	HOLDS("VAULT_DEV_ROOT_TOKEN_ID", TOKEN, BY_VAULT),
	LEADS("VAULT_PROXY_ADDR", SOCKET, BY_IDENTITY_ENDPOINT),
	HOLDS("VCAP_SERVICES", CREDENTIALS, BY_CREDENTIALS),
	LEADS("VSCODE_GIT_ASKPASS_NODE", SOCKET, BY_GIT),
	LEADS("VSCODE_GIT_IPC_HANDLE", SOCKET, BY_GIT),
	HOLDS("VSS_NUGET_EXTERNAL_FEED_ENDPOINTS", SECRET, BY_AZURE),
	KEEP("WEBHOOK_URL", WEBHOOK, true),
	HOLDS("WIN_CSC_LINK", KEY, BY_SIGNING),
	LEADS("WMILL_CONFIG_DIR", FILE, BY_CLOUD_CONFIG),
	LEADS("WOODPECKER_SERVER_KEY", FILE, BY_KEY_FILE),
	LEADS("XAUTHORITY", FILE, BY_DISPLAY),
	KEEP("XDG_CURRENT_SESSION", NONE, false),
	HOLDS("YARN_NPM_AUTH_IDENT", AUTH, BY_AUTH),
};

const struct name_known name_prefixes[] = {
	HOLDS("TF_TOKEN_", TOKEN, BY_TERRAFORM),
	HOLDS("AIRFLOW_CONN_", URL, BY_CONNECTION_URL),
	HOLDS("CONNECTIONSTRINGS__", URL, BY_CONNECTION_URL),
	HOLDS("SQLCONNSTR_", URL, BY_CONNECTION_URL),
	HOLDS("MYSQLCONNSTR_", URL, BY_CONNECTION_URL),
	HOLDS("SQLAZURECONNSTR_", URL, BY_CONNECTION_URL),
	HOLDS("POSTGRESQLCONNSTR_", URL, BY_CONNECTION_URL),
	HOLDS("CUSTOMCONNSTR_", URL, BY_CONNECTION_URL),
	HOLDS("MC_HOST_", URL, BY_MINIO),
	HOLDS("OP_SESSION_", SESSION, BY_SESSION),
	HOLDS("POETRY_PYPI_TOKEN_", TOKEN, BY_TOKEN),
	HOLDS("SERVICE_BASE64_", SECRET, BY_COOLIFY),
	HOLDS("SERVICE_HEX_", SECRET, BY_COOLIFY),
	HOLDS("SERVICE_PASSWORD_64_", SECRET, BY_COOLIFY),
	HOLDS("SERVICE_REALBASE64_", SECRET, BY_COOLIFY),
	KEEP("GIT_CONFIG_VALUE_", HEADER, true),
	KEEP("GIT_CONFIG_PARAMETERS", HEADER, true),
};

const struct name_text name_clients[] = {
	TEXT("NEXT_PUBLIC_"), TEXT("EXPO_PUBLIC_"), TEXT("NUXT_PUBLIC_"), TEXT("VITE_"),
	TEXT("REACT_APP_"), TEXT("VUE_APP_"), TEXT("GATSBY_"), TEXT("PUBLIC_"), TEXT("NG_APP_"),
	TEXT("STORYBOOK_"), TEXT("PREACT_APP_"), TEXT("SNOWPACK_PUBLIC_"), TEXT("PARCEL_PUBLIC_"),
};

const struct name_vendor name_vendors[] = {
	OF("ALGOLIA_", "algolia", "Algolia"), OF("ALIBABA_", "alibaba", "Alibaba Cloud"),
	OF("ALICLOUD_", "alibaba", "Alibaba Cloud"), OF("ALIYUN_", "alibaba", "Alibaba Cloud"),
	OF("AMAZON_", "aws", "AWS"), OF("ANTHROPIC_", "anthropic", "Anthropic"),
	OF("ARM_", "azure", "Azure"), OF("ATLASSIAN_", "atlassian", "Atlassian"),
	OF("AUTH0_", "auth0", "Auth0"), OF("AWS_", "aws", "AWS"), OF("AZURE_", "azure", "Azure"),
	OF("BITBUCKET_", "atlassian", "Atlassian"), OF("BUILDKITE_", "buildkite", "Buildkite"),
	OF("BW_", "bitwarden", "Bitwarden"), OF("CARGO_", "cargo", "Cargo"),
	OF("CF_", "cloudflare", "Cloudflare"), OF("CIRCLE_", "circleci", "CircleCI"),
	OF("CI_", "gitlab", "GitLab"), OF("CLAUDE_", "anthropic", "Anthropic"),
	OF("CLOUDFLARE_", "cloudflare", "Cloudflare"), OF("COHERE_", "cohere", "Cohere"),
	OF("CONFLUENCE_", "atlassian", "Atlassian"), OF("DATADOG_", "datadog", "Datadog"),
	OF("DD_", "datadog", "Datadog"), OF("DEEPSEEK_", "deepseek", "DeepSeek"),
	OF("DIGITALOCEAN_", "digitalocean", "DigitalOcean"), OF("DISCORD_", "discord", "Discord"),
	OF("DOCKERHUB_", "docker", "Docker"), OF("DOCKER_", "docker", "Docker"),
	OF("DO_", "digitalocean", "DigitalOcean"), OF("DRONE_", "drone", "Drone"),
	OF("FACEBOOK_", "facebook", "Facebook"), OF("FIREBASE_", "google", "Google"),
	OF("GCE_", "google", "Google"), OF("GCLOUD_", "google", "Google"),
	OF("GCP_", "google", "Google"), OF("GCS_", "google", "Google"),
	OF("GEMINI_", "google", "Google"), OF("GH_", "github", "GitHub"),
	OF("GITHUB_", "github", "GitHub"), OF("GITLAB_", "gitlab", "GitLab"),
	OF("GL_", "gitlab", "GitLab"), OF("GOOGLE_", "google", "Google"),
	OF("GROQ_", "groq", "Groq"), OF("HCLOUD_", "hetzner", "Hetzner"),
	OF("HEROKU_", "heroku", "Heroku"), OF("HF_", "huggingface", "Hugging Face"),
	OF("HUAWEICLOUD_", "huawei", "Huawei Cloud"),
	OF("HUGGINGFACE_", "huggingface", "Hugging Face"),
	OF("HUGGING_FACE_", "huggingface", "Hugging Face"), OF("JIRA_", "atlassian", "Atlassian"),
	OF("LANGCHAIN_", "langchain", "LangChain"), OF("LANGFUSE_", "langfuse", "Langfuse"),
	OF("LANGSMITH_", "langchain", "LangChain"), OF("LINEAR_", "linear", "Linear"),
	OF("LINODE_", "linode", "Linode"), OF("MAILGUN_", "mailgun", "Mailgun"),
	OF("MISTRAL_", "mistral", "Mistral"), OF("NETLIFY_", "netlify", "Netlify"),
	OF("NEW_RELIC_", "newrelic", "New Relic"), OF("NOTION_", "notion", "Notion"),
	OF("NPM_", "npm", "npm"), OF("OCI_", "oracle", "Oracle Cloud"), OF("OKTA_", "okta", "Okta"),
	OF("OPENAI_", "openai", "OpenAI"), OF("OPENROUTER_", "openrouter", "OpenRouter"),
	OF("OP_", "1password", "1Password"), OF("OS_", "openstack", "OpenStack"),
	OF("OVH_", "ovh", "OVH"), OF("PAGERDUTY_", "pagerduty", "PagerDuty"),
	OF("PAYPAL_", "paypal", "PayPal"), OF("PYPI_", "pypi", "PyPI"),
	OF("REPLICATE_", "replicate", "Replicate"), OF("S3_", "s3", "S3"),
	OF("SCW_", "scaleway", "Scaleway"), OF("SENDGRID_", "sendgrid", "SendGrid"),
	OF("SENTRY_", "sentry", "Sentry"), OF("SHOPIFY_", "shopify", "Shopify"),
	OF("SLACK_", "slack", "Slack"), OF("SNYK_", "snyk", "Snyk"), OF("SONAR_", "sonar", "Sonar"),
	OF("SPOTIFY_", "spotify", "Spotify"), OF("STRIPE_", "stripe", "Stripe"),
	OF("SUPABASE_", "supabase", "Supabase"), OF("TELEGRAM_", "telegram", "Telegram"),
	OF("TENCENTCLOUD_", "tencent", "Tencent Cloud"), OF("TENCENT_", "tencent", "Tencent Cloud"),
	OF("TFE_", "terraform", "Terraform"), OF("TF_", "terraform", "Terraform"),
	OF("TS_", "tailscale", "Tailscale"), OF("TWILIO_", "twilio", "Twilio"),
	OF("TWINE_", "pypi", "PyPI"), OF("TWITTER_", "twitter", "Twitter"),
	OF("VAULT_", "vault", "Vault"), OF("VERCEL_", "vercel", "Vercel"),
	OF("WANDB_", "wandb", "Weights & Biases"), OF("XAI_", "xai", "xAI"),
};

/* In the order of their last letters. Those that name no credential come off only where the rest
 * names one.
 */
const struct name_text name_glued[] = {
	TEXT("BASE64"), TEXT("KEYTAB"), TEXT("CMD"), TEXT("COMMAND"), TEXT("ENABLED"), TEXT("ID"),
	TEXT("PASSWD"), TEXT("PASSWORD"), TEXT("PWD"), TEXT("COOKIE"), TEXT("FILE"),
	TEXT("KEYFILE"), TEXT("KEYSTORE"), TEXT("LOWERCASE"), TEXT("NAME"), TEXT("PASSCODE"),
	TEXT("PASSPHRASE"), TEXT("SIZE"), TEXT("TYPE"), TEXT("UPPERCASE"), TEXT("CONNECTIONSTRING"),
	TEXT("HASH"), TEXT("LENGTH"), TEXT("PATH"), TEXT("URI"), TEXT("PSK"), TEXT("CREDENTIAL"),
	TEXT("TTL"), TEXT("URL"), TEXT("DSN"), TEXT("EXPIRATION"), TEXT("LOCATION"),
	TEXT("ROTATION"), TEXT("TOKEN"), TEXT("VERSION"), TEXT("CONNSTR"), TEXT("DIR"),
	TEXT("HEADER"), TEXT("MANAGER"), TEXT("ALIAS"), TEXT("ASKPASS"), TEXT("CREDENTIALS"),
	TEXT("CREDS"), TEXT("EXPIRES"), TEXT("FILES"), TEXT("IDS"), TEXT("KEYS"), TEXT("PASS"),
	TEXT("PASSWORDS"), TEXT("SECRETS"), TEXT("COUNT"), TEXT("ENDPOINT"), TEXT("HOST"),
	TEXT("JWT"), TEXT("LIMIT"), TEXT("PASSWORT"), TEXT("PORT"), TEXT("RESET"), TEXT("SALT"),
	TEXT("SECRET"), TEXT("TIMEOUT"), TEXT("PW"), TEXT("PREFIX"), TEXT("ACCESSKEY"),
	TEXT("APIKEY"), TEXT("ENCRYPTIONKEY"), TEXT("EXPIRY"), TEXT("IDENTITY"), TEXT("KEY"),
	TEXT("POLICY"), TEXT("PRIVATEKEY"), TEXT("SECRETKEY"),
	TEXT("SSLKEY"),
};
// clang-format on

const size_t n_name_knowns = sizeof name_knowns / sizeof name_knowns[0];
const size_t n_name_prefixes = sizeof name_prefixes / sizeof name_prefixes[0];
const size_t n_name_clients = sizeof name_clients / sizeof name_clients[0];
const size_t n_name_vendors = sizeof name_vendors / sizeof name_vendors[0];
const size_t n_name_glued = sizeof name_glued / sizeof name_glued[0];
