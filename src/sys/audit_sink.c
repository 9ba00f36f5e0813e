// SPDX-License-Identifier: Apache-2.0
/* Copies of records for the system's log: journald or syslog, by datagrams and without a library. */
#include "audit_sink.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../base/fd.h"
#include "../core/audit_message.h"
#include "../base/banned.h"

/* In milliseconds, for all records of one start: the program waits for it. */
enum { PATIENCE = 2000, MESSAGE_MAX = 4 * RECORD_LINE_MAX };

struct sink {
	const char *path, *key;
	int fd;
	long long until;
};

static long long now(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int open_sink(const struct policy *p, struct sink *s, struct err *e)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	bool journal = p->audit_also == ALSO_JOURNALD;

	s->path = journal ? "/run/systemd/journal/socket" : "/dev/log";
	s->key = journal ? "audit.also: journald" : "audit.also: syslog";
	s->until = now() + PATIENCE;
	s->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	snprintf(at.sun_path, sizeof at.sun_path, "%s", s->path);
	if (s->fd < 0 || connect(s->fd, (struct sockaddr *)&at, sizeof at))
		return fail(e, errno, "%s: %s", s->key, s->path);
	return 0;
}

static int send_one(struct sink *s, const char *text, size_t len, struct err *e)
{
	struct pollfd ready = { .fd = s->fd, .events = POLLOUT };
	long long left;

	while (send(s->fd, text, len, MSG_NOSIGNAL) < 0) {
		if (errno == EINTR)
			continue;
		left = s->until - now();
		if ((errno != EAGAIN && errno != ENOBUFS) || left <= 0)
			return fail(e, errno, "%s: %s: not all records could be sent", s->key,
				    s->path);
		poll(&ready, 1, (int)left < 50 ? (int)left : 50);
	}
	return 0;
}

/* The months of RFC 3164 are in English whatever the locale. */
static void local_time(char out[16])
{
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t t = time(NULL);
	struct tm tm = { 0 };

	localtime_r(&t, &tm);
	snprintf(out, 16, "%s %2u %02u:%02u:%02u", months[(unsigned)tm.tm_mon % 12],
		 (unsigned)tm.tm_mday % 100, (unsigned)tm.tm_hour % 100, (unsigned)tm.tm_min % 100,
		 (unsigned)tm.tm_sec % 100);
}

static int send_line(struct sink *s, bool journal, const char *text, size_t len, struct err *e)
{
	struct arena a = { 0 };
	struct audit_line l;
	struct str out;
	char time[16];
	int rc;

	str_init(&out, &a, MESSAGE_MAX);
	rc = audit_line_read(&a, text, len, &l, e);
	if (!rc && journal) {
		audit_journal_message(&out, &l, text, len);
	} else if (!rc) {
		local_time(time);
		audit_syslog_message(&out, &l, time, getpid());
	}
	rc = rc ? -1 : send_one(s, out.s, out.len, e);
	arena_release(&a);
	return rc;
}

int audit_sink_send(const struct policy *p, const struct ledger_text *lines, struct err *e)
{
	const char *text = lines->text, *end;
	struct sink s = { .fd = -1 };
	int rc;

	if (p->audit_also == ALSO_NONE || !text)
		return 0;
	rc = open_sink(p, &s, e);
	for (; !rc && *text; text = end + 1) {
		end = strchr(text, '\n');
		rc = send_line(&s, p->audit_also == ALSO_JOURNALD, text, (size_t)(end - text), e);
	}
	fd_cleanup(&s.fd);
	return rc;
}
