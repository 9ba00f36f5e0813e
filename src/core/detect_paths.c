// SPDX-License-Identifier: Apache-2.0
/* The paths that are known to be credentials, without wildcards. */
#include "detect_paths.h"

#include <string.h>

#include "detect_path_groups.h"
#include "../base/banned.h"

// clang-format off

#define R(path, ...) { KNOWN_ROOT, path, __VA_ARGS__ }
#define H(path, ...) { KNOWN_HOME, path, __VA_ARGS__ }
#define P(path, ...) { KNOWN_PROJECT, path, __VA_ARGS__ }

/* Sorted by base, then by path with '/' before all other characters. A directory stands for all
 * that is in it; of a project, only files are listed.
 */
static const struct known_path known[] = {
#include "detect_paths_root.inc"
#include "detect_paths_home.inc"

	P(".aws/credentials", PROJECT), P(".boto", PROJECT), P(".chef/knife.rb", PROJECT),
	P(".clasprc.json", PROJECT), P(".credentials", PROJECT),
	P(".dbeaver/credentials-config.json", PROJECT), P(".dbeaver-data-sources.xml", PROJECT),
	P(".dev.vars", ENV), P(".dev.vars.local", ENV), P(".docker/config.json", PROJECT),
	P(".dockercfg", PROJECT), P(".dockerconfigjson", PROJECT), P(".dvc/config.local", PROJECT),
	P(".env", ENV), P(".env.backup", ENV), P(".env.bak", ENV), P(".env.ci", ENV),
	P(".env.db", ENV), P(".env.dev", ENV), P(".env.development", ENV),
	P(".env.development.local", ENV), P(".env.docker", ENV), P(".env.keys", ENV),
	P(".env.local", ENV), P(".env.me", ENV), P(".env.old", ENV), P(".env.private", ENV),
	P(".env.prod", ENV), P(".env.production", ENV), P(".env.production.local", ENV),
	P(".env.save", ENV), P(".env.secret", ENV), P(".env.secrets", ENV), P(".env.stage", ENV),
	P(".env.staging", ENV), P(".env.test", ENV), P(".env.test.local", ENV), P(".envrc", ENV),
	P(".envrc.local", ENV), P(".envrc.private", ENV), P(".esmtprc", PROJECT),
	P(".flyrc", PROJECT), P(".ftpconfig", PROJECT), P(".ftppass", PROJECT),
	P(".git-credentials", PROJECT), P(".htdigest", PROJECT), P(".htpasswd", PROJECT),
	P(".idea/WebServers.xml", PROJECT), P(".idea/dataSources.local.xml", PROJECT),
	P(".idea/deployment.xml", PROJECT), P(".idea/webServers.xml", PROJECT),
	P(".kubeconfig", PROJECT), P(".luarocks/upload_config.lua", PROJECT), P(".my.cnf", PROJECT),
	P(".netrc", PROJECT), P(".npmrc", PROJECT), P(".pgpass", PROJECT), P(".powenv", ENV),
	P(".prod.vars", ENV), P(".pypirc", PROJECT), P(".remote-sync.json", PROJECT),
	P(".runner", PROJECT), P(".runtimeconfig.json", PROJECT), P(".s3cfg", PROJECT),
	P(".secret", PROJECT), P(".secrets", PROJECT), P(".secrets.mkey", PROJECT),
	P(".sentryclirc", PROJECT), P(".storage/auth", PROJECT),
	P(".storage/auth_provider.homeassistant", PROJECT),
	P(".storage/core.config_entries", PROJECT), P(".terraform/terraform.tfstate", PROJECT),
	P(".tinyb", PROJECT), P(".vault-token", PROJECT), P(".vault_pass", PROJECT),
	P(".vscode/sftp.json", PROJECT), P("AdGuardHome.yaml", PROJECT),
	P("Autounattend.xml", PROJECT), P("AzureRMContext.json", PROJECT),
	P("AzureRmContext.json", PROJECT), P("FileZilla.xml", PROJECT),
	P("Kernel/Config.pm", PROJECT), P("LocalSettings.php", PROJECT), P("Login Data", BROWSER),
	P("Login Data For Account", BROWSER), P("NTDS.dit", PROJECT), P("RDCMan.settings", PROJECT),
	P("RT_SiteConfig.pm", PROJECT), P("S.gpg-agent", AGENT), P("S.gpg-agent.browser", AGENT),
	P("S.gpg-agent.extra", AGENT), P("S.gpg-agent.ssh", AGENT), P("S.scdaemon", AGENT),
	P("TokenCache.dat", PROJECT), P("Unattend.xml", PROJECT), P("WinSCP.ini", PROJECT),
	P("accessTokens.json", PROJECT), P("access_tokens.db", PROJECT),
	P("access_tokens.json", PROJECT), P("acme.json", PROJECT), P("adc.json", PROJECT),
	P("admin-openrc.sh", PROJECT), P("admin.conf", PROJECT), P("admin.kubeconfig", PROJECT),
	P("age.key", KEY), P("agent.sock", AGENT), P("airflow.cfg", PROJECT),
	P("alertmanager.yml", PROJECT), P("anaconda-ks.cfg", PROJECT),
	P("app/config/local.php", PROJECT), P("app/config/parameters.php", PROJECT),
	P("app/config/parameters.yml", PROJECT), P("app/etc/env.php", PROJECT),
	P("app/etc/local.xml", PROJECT), P("app.env", ENV),
	P("application/config/database.php", PROJECT), P("application-users.properties", PROJECT),
	P("application_default_credentials.json", PROJECT), P("appsettings.Local.json", PROJECT),
	P("appsettings.Production.json", PROJECT), P("appsettings.Secrets.json", PROJECT),
	P("appsettings.Staging.json", PROJECT), P("appsettings.secrets.json", PROJECT),
	P("auth.json", PROJECT), P("autounattend.xml", PROJECT), P("azureProfile.json", PROJECT),
	P("balena-engine.sock", ENGINE_SOCKET), P("bamboo.cfg.xml", PROJECT),
	P("bash/bash_history", HISTORY), P("bash/history", HISTORY),
	P("bitbucket.properties", PROJECT), P("bitcoin.conf", PROJECT),
	P("bootstrap/cache/config.php", PROJECT), P("bootstrap-kubelet.conf", PROJECT),
	P("buildAgent.properties", PROJECT), P("buildkitd.sock", ENGINE_SOCKET),
	P("ca-key.pem", KEY), P("ca.key", KEY), P("chap-secrets", PROJECT),
	P("cipher.aes", PROJECT), P("client-key.pem", KEY), P("client.key", KEY),
	P("client_secret.json", PROJECT), P("client_secrets.json", PROJECT),
	P("cluster-keys.json", PROJECT), P("common/config/main-local.php", PROJECT),
	P("common_site_config.json", PROJECT), P("conf/passwd", PROJECT),
	P("config/app_local.php", PROJECT), P("config/autoload/local.php", PROJECT),
	P("config/config.ini.php", PROJECT), P("config/config.php", PROJECT),
	P("config/config_db.php", PROJECT), P("config/credentials/development.key", PROJECT),
	P("config/credentials/production.key", PROJECT),
	P("config/credentials/staging.key", PROJECT), P("config/credentials/test.key", PROJECT),
	P("config/database.yml", PROJECT), P("config/dev.secret.exs", PROJECT),
	P("config/initializers/carrierwave.rb", PROJECT),
	P("config/initializers/omniauth.rb", PROJECT),
	P("config/initializers/secret_token.rb", PROJECT), P("config/master.key", PROJECT),
	P("config/mongoid.yml", PROJECT), P("config/parameters.yaml", PROJECT),
	P("config/parameters.yml", PROJECT), P("config/prod.secret.exs", PROJECT),
	P("config/secrets.yml", PROJECT), P("config/secrets.yml.key", PROJECT),
	P("config/settings.inc.php", PROJECT), P("config/system/settings.php", PROJECT),
	P("config.inc.php", PROJECT), P("config.production.json", PROJECT),
	P("config_override.php", PROJECT), P("configuration.php", PROJECT),
	P("confluence.cfg.xml", PROJECT), P("connectionStrings.config", PROJECT),
	P("connections.toml", PROJECT), P("containerd.sock", ENGINE_SOCKET),
	P("cookies.sqlite", BROWSER), P("cookies.txt", PROJECT), P("cosign.key", KEY),
	P("credentials", PROJECT), P("credentials.csv", PROJECT), P("credentials.db", PROJECT),
	P("credentials.ini", PROJECT), P("credentials.json", PROJECT),
	P("credentials.properties", PROJECT), P("credentials.tfrc.json", PROJECT),
	P("credentials.toml", PROJECT), P("credentials.xml", PROJECT),
	P("credentials.yaml", PROJECT), P("credentials.yml", PROJECT), P("creds.json", PROJECT),
	P("cri-dockerd.sock", ENGINE_SOCKET), P("crio.sock", ENGINE_SOCKET),
	P("crowd.cfg.xml", PROJECT), P("cruise-config.xml", PROJECT),
	P("crypto_keyfile.bin", PROJECT), P("custom/conf/app.ini", PROJECT),
	P("cwallet.sso", PROJECT), P("database.yml", PROJECT), P("databrickscfg", PROJECT),
	P("dbconfig.xml", PROJECT), P("dbms/auth", PROJECT), P("ddclient.conf", PROJECT),
	P("debian.cnf", PROJECT), P("debug.keystore", KEY), P("deploy-key", PROJECT),
	P("deploy_key", PROJECT), P("deployment-config.json", PROJECT), P("dev.env", ENV),
	P("docker.env", ENV), P("docker.sock", ENGINE_SOCKET), P("dockershim.sock", ENGINE_SOCKET),
	P("etc/gshadow", HOST), P("etc/gshadow-", HOST), P("etc/secure.config", PROJECT),
	P("etc/shadow", HOST), P("etc/shadow-", HOST), P("eucarc", PROJECT),
	P("filezilla.xml", PROJECT), P("firebase-tools.json", PROJECT),
	P("flows_cred.json", PROJECT), P("frakti.sock", ENGINE_SOCKET), P("ftpd.passwd", PROJECT),
	P("ftpsync.settings", PROJECT), P("gcp-key.json", PROJECT),
	P("gitea/conf/app.ini", PROJECT), P("gitlab-secrets.json", PROJECT),
	P("gnome-keyring-ssh", AGENT), P("gogs/conf/app.ini", PROJECT),
	P("google-credentials.json", PROJECT), P("grafana.ini", PROJECT), P("heroku.json", PROJECT),
	P("host_key", KEY), P("hostapd.conf", PROJECT), P("htpasswd.users", PROJECT),
	P("hubspot.config.yml", PROJECT), P("hudson.util.Secret", PROJECT), P("hue.ini", PROJECT),
	P("icecast.xml", PROJECT), P("id_dsa", KEY), P("id_ecdsa", KEY), P("id_ecdsa_sk", KEY),
	P("id_ed25519", KEY), P("id_ed25519_sk", KEY), P("id_rsa", KEY),
	P("initialAdminPassword", PROJECT), P("internal_users.yml", PROJECT),
	P("ipsec.secrets", PROJECT),
	P("jenkins.plugins.publish_over_ssh.BapSshPublisherPlugin.xml", PROJECT),
	P("jetty-realm.properties", PROJECT), P("jwt-private.pem", KEY), P("jwt.key", KEY),
	P("k3s.yaml", PROJECT), P("kcpassword", PROJECT), P("key.json", PROJECT), P("key.pem", KEY),
	P("key.properties", PROJECT), P("key3.db", BROWSER), P("key4.db", BROWSER),
	P("keyfile", PROJECT), P("keystonerc_admin", PROJECT), P("keystore.jks", KEY),
	P("keystore.p12", KEY), P("keystore.properties", PROJECT), P("knife.rb", PROJECT),
	P("known_tokens.csv", PROJECT), P("krb5.keytab", PROJECT), P("kubeadmin-password", PROJECT),
	P("kubeconfig", PROJECT), P("kubeconfig.yaml", PROJECT), P("kubeconfig.yml", PROJECT),
	P("kubelet.conf", PROJECT), P("l2tp-secrets", PROJECT), P("lemmy.hjson", PROJECT),
	P("libvirt-sock", ENGINE_SOCKET), P("local.env", ENV), P("local.settings.json", PROJECT),
	P("local_settings.py", PROJECT), P("login-identity-providers.xml", PROJECT),
	P("logins.json", BROWSER), P("mailcow.conf", PROJECT), P("master.key", PROJECT),
	P("mgmt-users.properties", PROJECT), P("mongoid.yml", PROJECT),
	P("msal_token_cache.bin", PROJECT), P("msal_token_cache.json", PROJECT),
	P("murmur.ini", PROJECT), P("nifi.properties", PROJECT), P("novarc", PROJECT),
	P("ntds.dit", PROJECT), P("nzbget.conf", PROJECT), P("oauth_creds.json", PROJECT),
	P("odoo-server.conf", PROJECT), P("odoo.conf", PROJECT), P("openerp-server.conf", PROJECT),
	P("openrc", PROJECT), P("openrc.sh", PROJECT), P("ormconfig.json", PROJECT),
	P("otr.private_key", PROJECT), P("pap-secrets", PROJECT), P("parameters.yml", PROJECT),
	P("password.txt", PROJECT), P("passwords.txt", PROJECT),
	P("peertube/config/production.yaml", PROJECT), P("pgadmin4.db", PROJECT),
	P("pip.conf", PROJECT), P("podman.sock", ENGINE_SOCKET), P("preseed.cfg", PROJECT),
	P("private.key", KEY), P("private.pem", KEY), P("private_key", KEY),
	P("private_key.pem", KEY), P("privatekey.pem", KEY), P("privkey.pem", KEY),
	P("prod.env", ENV), P("production.env", ENV), P("proftpdpasswd", PROJECT),
	P("prometheus/web.yml", PROJECT), P("psk.txt", PROJECT), P("pull-secret", PROJECT),
	P("pull-secret.json", PROJECT), P("pull-secret.txt", PROJECT),
	P("quay-pull-secret.json", PROJECT), P("rclone.conf", PROJECT),
	P("recentservers.xml", PROJECT), P("release.keystore", KEY), P("rke2.yaml", PROJECT),
	P("rktlet.sock", ENGINE_SOCKET), P("rndc.key", PROJECT), P("robomongo.json", PROJECT),
	P("rootCA-key.pem", KEY), P("sabnzbd.ini", PROJECT), P("sasl_passwd", PROJECT),
	P("secret.asc", PROJECT), P("secret.json", PROJECT), P("secret.txt", PROJECT),
	P("secret.yaml", PROJECT), P("secret.yml", PROJECT), P("secretRing.gpg", PROJECT),
	P("secret_token.rb", PROJECT), P("secrets", PROJECT), P("secrets.env", ENV),
	P("secrets.ini", PROJECT), P("secrets.json", PROJECT), P("secrets.ldb", PROJECT),
	P("secrets.tfvars", PROJECT), P("secrets.toml", PROJECT), P("secrets.txt", PROJECT),
	P("secrets.yaml", PROJECT), P("secrets.yml", PROJECT), P("secring.gpg", PROJECT),
	P("sentry.conf.py", PROJECT), P("sentry.properties", PROJECT), P("server-key.pem", KEY),
	P("server.key", KEY), P("service-account.json", PROJECT),
	P("serviceAccountKey.json", PROJECT), P("service_account.json", PROJECT),
	P("service_principal_entries.bin", PROJECT), P("service_principal_entries.json", PROJECT),
	P("serviceaccount.json", PROJECT), P("session_signing_key", KEY),
	P("settings_local.py", PROJECT), P("sftp-config.json", PROJECT), P("shiro.ini", PROJECT),
	P("signing.key", KEY), P("signing.properties", PROJECT), P("signing_key", KEY),
	P("signons.sqlite", BROWSER), P("site_config.json", PROJECT), P("sitemanager.xml", PROJECT),
	P("sites/default/dbconfig.php", PROJECT), P("sites/default/settings.local.php", PROJECT),
	P("sites/default/settings.php", PROJECT), P("smbpasswd", PROJECT), P("snyk.json", PROJECT),
	P("ssh-agent.sock", AGENT), P("ssh-agent.socket", AGENT), P("ssh-auth.sock", AGENT),
	P("ssh_auth_sock", AGENT), P("ssh_host_ecdsa_key", KEY), P("ssh_host_ed25519_key", KEY),
	P("ssh_host_rsa_key", KEY), P("ssl.key", KEY), P("sslkeylog.log", PROJECT),
	P("sslkeys.log", PROJECT), P("sssd.conf", PROJECT), P("staging.env", ENV),
	P("state.vscdb", PROJECT), P("state.vscdb.backup", PROJECT),
	P("storage/oauth-private.key", PROJECT), P("superset_config.py", PROJECT),
	P("sysprep.inf", PROJECT), P("sysprep.xml", PROJECT), P("talosconfig", PROJECT),
	P("terraform.tfstate", PROJECT), P("terraform.tfstate.backup", PROJECT),
	P("terraform.tfvars", PROJECT), P("terraform.tfvars.json", PROJECT), P("tls.key", KEY),
	P("token.json", PROJECT), P("token.pickle", PROJECT), P("token.txt", PROJECT),
	P("tomcat-users.xml", PROJECT), P("trytond.conf", PROJECT), P("tsa_host_key", KEY),
	P("typo3conf/LocalConfiguration.php", PROJECT), P("unattend.txt", PROJECT),
	P("unattend.xml", PROJECT), P("unattended.xml", PROJECT), P("unseal_keys.json", PROJECT),
	P("users.auth.php", PROJECT), P("vault-keys.json", PROJECT), P("ventrilo_srv.ini", PROJECT),
	P("wallet.dat", PROJECT), P("wcx_ftp.ini", PROJECT), P("web-config.yml", PROJECT),
	P("webserver_config.py", PROJECT), P("wg0.conf", PROJECT), P("winscp.ini", PROJECT),
	P("worker_key", KEY), P("wp-config-local.php", PROJECT), P("wp-config.php", PROJECT),
	P("wpa_supplicant.conf", PROJECT), P("ws_ftp.ini", PROJECT), P("yubikey-agent.sock", AGENT),
	P("zabbix_server.conf", PROJECT), P("zsh/history", HISTORY), P("zsh/zsh_history", HISTORY),
};
// clang-format on

enum { N_KNOWN = sizeof known / sizeof known[0] };

const struct known_path *detect_known_paths(size_t *count)
{
	*count = N_KNOWN;
	return known;
}

/* '/' comes before everything else, so that a directory and what is in it stand together. */
static int compare(const char *text, size_t len, const char *path)
{
	size_t i;
	int a, b;

	for (i = 0; i < len && path[i] && path[i] == text[i]; i++)
		;
	a = i == len ? 0 : text[i] == '/' ? 1 : (unsigned char)text[i] + 2;
	b = !path[i] ? 0 : path[i] == '/' ? 1 : (unsigned char)path[i] + 2;
	return a - b;
}

/* Index of the first row that is not before the text. */
static size_t lower_bound(enum known_base base, const char *text, size_t len)
{
	size_t low = 0, high = N_KNOWN, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (known[middle].base < base ||
		    (known[middle].base == base && compare(text, len, known[middle].path) > 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct known_path *known_find(enum known_base base, const char *text, size_t len)
{
	size_t i = lower_bound(base, text, len);

	if (i == N_KNOWN || known[i].base != base || compare(text, len, known[i].path))
		return NULL;
	return &known[i];
}

bool known_below(enum known_base base, const char *text, size_t len)
{
	size_t i = lower_bound(base, text, len);

	i += i < N_KNOWN && known[i].base == base && !compare(text, len, known[i].path);
	return i < N_KNOWN && known[i].base == base && strlen(known[i].path) > len &&
	       !memcmp(known[i].path, text, len) && known[i].path[len] == '/';
}
