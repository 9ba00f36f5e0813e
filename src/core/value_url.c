// SPDX-License-Identifier: Apache-2.0
/* URLs: passwords before the '@', secrets among the parameters, addresses that are secret. */
#include "value.h"

#include <string.h>

#include "chars.h"
#include "../base/banned.h"

enum { TOKEN_SHORTEST = 20, PARAMETER_SHORTEST = 3, ADDRESS_SHORTEST = 9 };

struct url {
	const char *s;
	size_t scheme, host_start; /* host_start is behind the '@', if there is one */
	size_t authority, authority_end, end;
};

enum {
	ENDS_URL = 1 << 0,
	ENDS_AUTHORITY = 1 << 1,
	ENDS_PARAMETER = 1 << 2,
	ENDS_PATH = 1 << 3, /* where parameters begin */
	OF_SCHEME = 1 << 4,
	MAY_BEGIN_NEXT = 1 << 5,
};

// clang-format off
static const unsigned char roles[256] = {
	['\t' ... '\r'] = ENDS_URL, [' '] = ENDS_URL, ['"'] = ENDS_URL, ['\''] = ENDS_URL,
	['<'] = ENDS_URL, ['>'] = ENDS_URL, ['`'] = ENDS_URL, ['\\'] = ENDS_URL,
	['/'] = ENDS_AUTHORITY, ['?'] = ENDS_AUTHORITY | ENDS_PATH,
	['#'] = ENDS_AUTHORITY | ENDS_PATH | ENDS_PARAMETER,
	['&'] = ENDS_PATH | ENDS_PARAMETER, [';'] = ENDS_PATH | ENDS_PARAMETER, [','] = ENDS_PARAMETER,
	['a' ... 'z'] = OF_SCHEME, ['A' ... 'Z'] = OF_SCHEME, ['0' ... '9'] = OF_SCHEME,
	[':'] = MAY_BEGIN_NEXT, ['+'] = OF_SCHEME, ['-'] = OF_SCHEME, ['.'] = OF_SCHEME, ['_'] = OF_SCHEME,
};
// clang-format on

static bool plays(char c, int role)
{
	return roles[(unsigned char)c] & role;
}

/* The first byte of the role from the place on, or the end. */
static size_t find_role(const char *s, size_t at, size_t end, int role)
{
	while (at < end && !plays(s[at], role))
		at++;
	return at;
}

/* "redis://:a/b@host:1": a '/' that should have been escaped. What stands before it is no port, so
 * that an '@' with a host behind it can only end a password.
 */
static bool is_cut_password(const struct url *u, const char *colon, const char *at)
{
	const char *authority_end = u->s + u->authority_end, *end = u->s + u->end, *p = colon + 1;

	while (p < authority_end && is_digit(*p))
		p++;
	if (p == authority_end || u->s[u->authority] == '[')
		return false;
	for (p = at + 1; p < end && (is_alnum(*p) || *p == '-'); p++)
		;
	return p > at + 1 && p < end && memchr(".:/", *p, 3);
}

static void find_userinfo(struct url *u)
{
	const char *a = u->s + u->authority, *at, *colon;

	at = memrchr(a, '@', u->authority_end - u->authority);
	colon = at ? NULL : memrchr(a, ':', u->authority_end - u->authority);
	if (colon) {
		at = memchr(colon, '@', u->end - (size_t)(colon - u->s));
		if (at && !is_cut_password(u, colon, at))
			at = NULL;
	}
	u->host_start = at ? (size_t)(at - u->s) + 1 : u->authority;
	if (u->authority_end < u->host_start)
		u->authority_end = u->host_start;
	u->authority_end = find_role(u->s, u->authority_end, u->end, ENDS_AUTHORITY);
}

/* The bounds of the URL whose authority begins at the given place; where the next one begins, this one
 * ends, so that each byte is looked at for one URL only. Placeholders in angle brackets end it
 * early, which is what they should do.
 */
static struct url bounds(const char *s, size_t len, size_t colon, size_t authority)
{
	struct url u = { .s = s, .scheme = colon, .authority = authority };

	while (u.scheme > 0 && colon - u.scheme < 32 && plays(s[u.scheme - 1], OF_SCHEME))
		u.scheme--;
	u.end = find_role(s, authority, len, ENDS_URL | MAY_BEGIN_NEXT);
	while (u.end < len && s[u.end] == ':' && !text_starts(s + u.end, len - u.end, "://"))
		u.end = find_role(s, u.end + 1, len, ENDS_URL | MAY_BEGIN_NEXT);
	u.authority_end = find_role(s, authority, u.end, ENDS_AUTHORITY);
	find_userinfo(&u);
	return u;
}

/* A token in the place of the user's name. Hexadecimal ones are Sentry's public keys. */
static bool is_token_user(const char *s, size_t len)
{
	bool digit = false, letter = false;
	size_t i;

	for (i = 0; i < len && is_hex(s[i]); i++)
		;
	if (len < TOKEN_SHORTEST || i == len)
		return false;
	for (i = 0; i < len; i++) {
		if (!is_alnum(s[i]) && s[i] != '_' && s[i] != '-')
			return false;
		digit |= is_digit(s[i]);
		letter |= is_upper(s[i]);
	}
	return digit && letter;
}

static void judge_userinfo(const struct url *u, struct finding *f)
{
	const char *info = u->s + u->authority;
	size_t len, user, off;
	const char *colon;

	/* An image with its digest is none: docker://nginx:1.25@sha256:... */
	if (u->host_start == u->authority || *info == '[' ||
	    text_starts(u->s + u->host_start, u->authority_end - u->host_start, "sha256:"))
		return;
	len = u->host_start - 1 - u->authority;
	colon = memchr(info, ':', len);
	user = colon ? (size_t)(colon - info) : len;
	if (!colon || text_is(colon + 1, len - user - 1, "x-oauth-basic")) {
		if (is_token_user(info, user))
			value_found(f, u->authority, user, "env-value:url-token",
				    "a URL with a token as the user's name");
		return;
	}
	off = user + 1;
	while (off < len && info[off] == ':')
		off++;
	if (off < len && !value_is_template(info + off, len - off))
		value_found(f, u->authority + off, len - off, "env-value:url-userinfo",
			    "a URL with a password");
}

/* Parameters whose values are secrets, and how long such a value is at the least; sorted. */
static const struct {
	const char *name;
	size_t shortest;
} parameters[] = {
	{ "access_key", 16 },
	{ "access_token", 12 },
	{ "accesskey", 16 },
	{ "api-key", 12 },
	{ "api_key", 12 },
	{ "api_token", 12 },
	{ "apikey", 12 },
	{ "auth", 20 },
	{ "auth_token", 12 },
	{ "authtoken", 12 },
	{ "client_secret", 8 },
	{ "code", 40 },
	{ "hapikey", 12 },
	{ "id_token", 20 },
	{ "jwt", 20 },
	{ "key", 20 },
	{ "pass", 4 },
	{ "passphrase", 4 },
	{ "passwd", 4 },
	{ "password", 3 },
	{ "private_token", 12 },
	{ "psw", 4 },
	{ "pwd", 3 },
	{ "refresh_token", 12 },
	{ "secret", 12 },
	{ "secret_key", 12 },
	{ "session_token", 20 },
	{ "sig", 20 },
	{ "signature", 20 },
	{ "sslpassword", 3 },
	{ "token", 12 },
	{ "x-amz-security-token", 20 },
	{ "x-amz-signature", 20 },
	{ "x-goog-signature", 20 },
};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static void judge_parameter(const struct url *u, size_t from, size_t end, struct finding *f)
{
	const char *equals = memchr(u->s + from, '=', end - from);
	const char first = to_lower(u->s[from]);
	size_t i, name, value;

	if (!equals)
		return;
	value = (size_t)(equals - u->s) + 1;
	name = value - 1 - from;
	if (end - value < PARAMETER_SHORTEST)
		return;
	for (i = 0; i < PARAMETERS && parameters[i].name[0] <= first; i++)
		if (parameters[i].name[0] == first &&
		    text_is_nocase(u->s + from, name, parameters[i].name))
			break;
	if (i == PARAMETERS || parameters[i].name[0] != first ||
	    end - value < parameters[i].shortest || value_is_template(u->s + value, end - value) ||
	    value_is_placeholder(u->s + value, end - value))
		return;
	value_found(f, value, end - value, "env-value:url-parameter",
		    "a URL with a secret among its parameters");
}

static void judge_parameters(const struct url *u, struct finding *f)
{
	size_t i, end;

	i = find_role(u->s, u->authority_end, u->end, ENDS_PATH);
	for (i++; i < u->end; i = end + 1) {
		end = find_role(u->s, i, u->end, ENDS_PARAMETER);
		judge_parameter(u, i, end, f);
	}
}

/* Who knows the address may post there: the part behind the path is the secret. */
static const struct {
	const char *host, *path;
	size_t shortest;
} webhooks[] = {
	{ "hooks.slack.com", "/services/", 20 },
	{ "hooks.slack.com", "/workflows/", 20 },
	{ "hooks.slack.com", "/triggers/", 20 },
	{ "hooks.slack-gov.com", "/services/", 20 },
	{ "discord.com", "/api/webhooks/", 40 },
	{ "discordapp.com", "/api/webhooks/", 40 },
	{ "webhook.office.com", "/webhookb2/", 40 },
	{ "outlook.office.com", "/webhook/", 40 },
	{ "outlook.office365.com", "/webhook/", 40 },
	{ "hooks.zapier.com", "/hooks/catch/", 8 },
	{ "hooks.zapier.com", "/hooks/standard/", 8 },
	{ "make.com", "/", 24 },
	{ "integromat.com", "/", 24 },
	{ "maker.ifttt.com", "/trigger/", 24 },
	{ "open.feishu.cn", "/open-apis/bot/", 20 },
	{ "open.larksuite.com", "/open-apis/bot/", 20 },
	{ "api.telegram.org", "/bot", 30 },
	{ "hooks.airtable.com", "/", 24 },
	{ "webhooks.amplify.amazonaws.com", "/", 12 },
	{ "alert.victorops.com", "/integrations/", 24 },
	{ "events.pagerduty.com", "/integration/", 24 },
	{ "app.opsgenie.com", "/v1/json/", 20 },
	{ "hooks.nabu.casa", "/", 20 },
	{ "api.pushcut.io", "/", 16 },
	{ "webhook.site", "/", 30 },
	{ "hc-ping.com", "/", 20 },
	{ "pipedream.net", "/", 64 },
	{ "tines.com", "/webhook/", 24 },
	{ "collection.sumologic.com", "/receiver/v1/http/", 40 },
	{ "http-intake.logs.datadoghq.com", "/v1/input/", 24 },
	{ "loggly.com", "/inputs/", 30 },
	{ "uptime.betterstack.com", "/api/v1/heartbeat/", 16 },
	{ "cronitor.link", "/p/", 20 },
	{ "anaconda.org", "/t/", 16 },
	{ "infura.io", "/v3/", 32 },
	{ "infura.io", "/ws/v3/", 32 },
	{ "alchemy.com", "/v2/", 24 },
	{ "quiknode.pro", "/", 32 },
	{ "", "/hooks/", 24 }, /* Mattermost and its like, on any host */
};

static bool is_host(const char *host, size_t len, const char *known)
{
	size_t n = strlen(known);

	return len >= n && text_is_nocase(host + len - n, n, known) &&
	       (!n || len == n || host[len - n - 1] == '.');
}

/* ".../T00000000/B00000000/XXXXXXXX" */
static bool ends_dull(const char *path, size_t len)
{
	const char *slash = memrchr(path, '/', len), *last = slash ? slash + 1 : path;
	size_t n = len - (size_t)(last - path);

	return n >= 8 && (value_is_template(last, n) || value_is_dull(last, n));
}

static void judge_address(const struct url *u, struct finding *f)
{
	const char *path = u->s + u->authority_end;
	size_t i, n, left = u->end - u->authority_end, host = u->authority_end - u->host_start;
	const char *query = memchr(path, '?', left);

	if (left < ADDRESS_SHORTEST)
		return;
	if (query)
		left = (size_t)(query - path);
	for (i = 0; i < sizeof webhooks / sizeof webhooks[0]; i++) {
		/* Most paths are too short or differ in their first letter: no need to look at the
		 * host.
		 */
		if (left < webhooks[i].shortest ||
		    (webhooks[i].path[1] && webhooks[i].path[1] != path[1]))
			continue;
		n = strlen(webhooks[i].path);
		if (!is_host(u->s + u->host_start, host, webhooks[i].host) ||
		    !text_starts(path, left, webhooks[i].path) || left - n < webhooks[i].shortest ||
		    value_is_placeholder(path + n, left - n) || memchr(path, '{', left) ||
		    ends_dull(path, left) ||
		    (!*webhooks[i].host && !value_is_random(path + n, left - n)))
			continue;
		value_found(f, u->authority_end + n, left - n, "env-value:webhook-url",
			    "a webhook's address, which is its own password");
		return;
	}
}

/* Proxies' share links: the user part, or all of the rest in base64, is the secret. */
static void judge_share_link(const struct url *u, size_t colon, struct finding *f)
{
	static const char *const schemes[] = { "hysteria", "hysteria2", "ss",    "ssr",
					       "trojan",   "tuic",      "vless", "vmess" };
	size_t i, len, end = u->host_start > u->authority ? u->host_start - 1 : u->authority_end;

	len = end - u->authority;
	if (len < 8 || (u->host_start == u->authority && len < 40))
		return;
	for (i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
		if (text_is_nocase(u->s + u->scheme, colon - u->scheme, schemes[i]))
			break;
	if (i < sizeof schemes / sizeof schemes[0] && !value_is_template(u->s + u->authority, len))
		value_found(f, u->authority, len, "env-value:proxy-link",
			    "a proxy's share link with its password");
}

/* Where the next "://" is, or in JSON ":\\/\\/"; sets what follows it. */
static bool find_mark(const char *s, size_t len, size_t *at, size_t *authority)
{
	const char *hit;

	while (len - *at > 3 && (hit = memchr(s + *at, ':', len - *at - 3))) {
		*at = (size_t)(hit - s);
		if (hit[1] == '/' && hit[2] == '/') {
			*authority = *at + 3;
			return true;
		}
		if (len - *at > 5 && !memcmp(hit + 1, "\\/\\/", 4)) {
			*authority = *at + 5;
			return true;
		}
		++*at;
	}
	return false;
}

bool value_url(const char *s, size_t len, struct finding *f)
{
	enum verdict before = f->verdict;
	size_t at = 0, authority;
	struct url u;

	while (find_mark(s, len, &at, &authority)) {
		u = bounds(s, len, at, authority);
		if (u.scheme < at) {
			judge_userinfo(&u, f);
			judge_parameters(&u, f);
			judge_address(&u, f);
			judge_share_link(&u, at, f);
		}
		at = u.end > authority ? u.end : authority;
	}
	return f->verdict != before;
}
