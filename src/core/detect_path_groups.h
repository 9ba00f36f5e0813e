/* SPDX-License-Identifier: Apache-2.0 */
/* Rule and reason of each group of paths, as the last columns of the tables. */
#ifndef CORE_DETECT_PATH_GROUPS_H
#define CORE_DETECT_PATH_GROUPS_H

// clang-format off
#define AGENT         "path:agent-socket", "an agent that uses keys or hands out passwords"
#define AI            "path:ai-tool", "login or API keys of an AI tool"
#define AWS           "path:aws", "credentials of AWS or of an S3 tool"
#define AZURE         "path:azure", "credentials or tokens of Azure"
#define BROWSER       "path:browser", "saved passwords, cookies and sessions of a browser"
#define CHAT          "path:chat", "sessions and passwords of a chat program"
#define CI            "path:ci", "credentials of a CI server or runner"
#define CLOUD         "path:cloud-cli", "login of a cloud or hosting tool"
#define CLOUD_INIT    "path:cloud-init", "data that a machine was set up with, passwords among it"
#define DATABASE      "path:database", "passwords of a database client or server"
#define EDITOR        "path:editor", "secrets kept by an editor or development tool"
#define ENGINE        "path:engine-state", "state of a container engine, with secrets of containers"
#define ENGINE_SOCKET "path:engine-socket", "a socket that controls the host or its containers"
#define ENV           "path:env-file", "environment of a project, secrets among it"
#define FLATPAK       "path:app-data", "data of a program that keeps logins"
#define GCP           "path:gcp", "credentials of Google Cloud or of another Google service"
#define GIT           "path:git", "login to a code host"
#define GNUPG         "path:gnupg", "secret keys of GnuPG, age or the like"
#define HACK          "path:security-tool", "keys or found passwords of a security tool"
#define HISTORY       "path:history", "a history: secrets typed or copied"
#define HOLDS         "path:holds-credentials", "credentials are expected below it"
#define HOME          "path:home", "home directories, full of credentials"
#define HOST          "path:host-secret", "a secret of the host or of one of its services"
#define IAC           "path:iac", "tokens, keys or state of an infrastructure tool"
#define JUPYTER       "path:notebook", "tokens or password hashes of a notebook server"
#define KERBEROS      "path:kerberos", "keys or passwords of Kerberos or a directory service"
#define KEY           "path:private-key", "a private key by its name"
#define KEYRING       "path:keyring", "a keyring, or the key to an encrypted directory"
#define KUBE          "path:kube", "credentials of a Kubernetes cluster"
#define LOGIN         "path:login-file", "a file of logins or passwords"
#define MAIL          "path:mail", "passwords or keys for mail"
#define MEDIA         "path:media", "login of a media or games program"
#define PACKAGE       "path:package-registry", "login to a package registry"
#define PASSWORDS     "path:password-manager", "data of a password manager or authenticator"
#define PROC          "path:host-memory", "memory, processes or disks of the host"
#define PROJECT       "path:project-secret", "a secrets file of a project or service by its name"
#define REGISTRY      "path:registry-auth", "logins to container registries"
#define REMOTE        "path:remote-desktop", "passwords or keys of a remote desktop"
#define SECRETS       "path:secrets-mount", "a place that secrets are mounted at"
#define SSH           "path:ssh", "SSH private keys"
#define SYNC          "path:backup-sync", "logins or keys of a backup or file synchronisation tool"
#define TLS           "path:private-key", "private keys of certificates"
#define VAULT         "path:vault", "a token or password that opens a vault"
#define VPN           "path:vpn", "keys or passwords of a VPN"
#define WALLET        "path:wallet", "keys of a cryptocurrency wallet"
#define X11           "path:x11-cookie", "opens the display: keyboard, screen and clipboard"

/* Exceptions need none: STAYS for what everybody may read, PLUMBING for what engines mount. */
#define STAYS         NULL, NULL
#define PLUMBING      NULL, NULL
// clang-format on

#endif
