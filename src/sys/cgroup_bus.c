// SPDX-License-Identifier: Apache-2.0
/* Talking to systemd over D-Bus, through a libsystemd that is loaded only when it is asked for. */
#include "cgroup_bus.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cgroup_impl.h"
#include "../base/str.h"
#include "../base/banned.h"

#define MANAGER           "org.freedesktop.systemd1", "/org/freedesktop/systemd1"
#define MANAGER_INTERFACE "org.freedesktop.systemd1.Manager"

enum { JOB_MS = 30000, TEXT_SHOWN = 200 };

/* The library's types, as its stable interface has them: no header of it is needed to build. */
struct sd_bus;
struct sd_bus_message;
struct sd_bus_slot;
struct sd_bus_error {
	const char *name, *message;
	int need_free;
};
typedef int handler_fn(struct sd_bus_message *m, void *arg, struct sd_bus_error *e);

struct library {
	int (*open_system)(struct sd_bus **out);
	int (*open_user)(struct sd_bus **out);
	int (*new)(struct sd_bus **out);
	int (*set_address)(struct sd_bus *b, const char *address);
	int (*start)(struct sd_bus *b);
	struct sd_bus *(*flush_close_unref)(struct sd_bus *b);
	int (*new_method_call)(struct sd_bus *b, struct sd_bus_message **out, const char *to,
			       const char *path, const char *interface, const char *member);
	int (*append_basic)(struct sd_bus_message *m, char type, const void *p);
	int (*append_array)(struct sd_bus_message *m, char type, const void *p, size_t size);
	int (*open_container)(struct sd_bus_message *m, char type, const char *contents);
	int (*close_container)(struct sd_bus_message *m);
	int (*read_basic)(struct sd_bus_message *m, char type, void *p);
	struct sd_bus_message *(*unref)(struct sd_bus_message *m);
	int (*call)(struct sd_bus *b, struct sd_bus_message *m, uint64_t usec,
		    struct sd_bus_error *e, struct sd_bus_message **reply);
	void (*error_free)(struct sd_bus_error *e);
	int (*add_match)(struct sd_bus *b, struct sd_bus_slot **slot, const char *match,
			 handler_fn *handler, void *arg);
	int (*process)(struct sd_bus *b, struct sd_bus_message **m);
	int (*wait)(struct sd_bus *b, uint64_t usec);
	int (*enter_container)(struct sd_bus_message *m, char type, const char *contents);
};

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {
	{ "sd_bus_open_system", offsetof(struct library, open_system) },
	{ "sd_bus_open_user", offsetof(struct library, open_user) },
	{ "sd_bus_new", offsetof(struct library, new) },
	{ "sd_bus_set_address", offsetof(struct library, set_address) },
	{ "sd_bus_start", offsetof(struct library, start) },
	{ "sd_bus_flush_close_unref", offsetof(struct library, flush_close_unref) },
	{ "sd_bus_message_new_method_call", offsetof(struct library, new_method_call) },
	{ "sd_bus_message_append_basic", offsetof(struct library, append_basic) },
	{ "sd_bus_message_append_array", offsetof(struct library, append_array) },
	{ "sd_bus_message_open_container", offsetof(struct library, open_container) },
	{ "sd_bus_message_close_container", offsetof(struct library, close_container) },
	{ "sd_bus_message_read_basic", offsetof(struct library, read_basic) },
	{ "sd_bus_message_unref", offsetof(struct library, unref) },
	{ "sd_bus_call", offsetof(struct library, call) },
	{ "sd_bus_error_free", offsetof(struct library, error_free) },
	{ "sd_bus_add_match", offsetof(struct library, add_match) },
	{ "sd_bus_process", offsetof(struct library, process) },
	{ "sd_bus_wait", offsetof(struct library, wait) },
	{ "sd_bus_message_enter_container", offsetof(struct library, enter_container) },
};

/* Jobs may be done before the answer says which one is ours: all that end meanwhile are kept. */
enum { ENDED_MAX = 64, JOB_PATH_MAX = 128, RESULT_MAX = 32 };

struct ended {
	char job[JOB_PATH_MAX], result[RESULT_MAX];
};

struct cg_bus {
	struct library lib;
	struct sd_bus *bus;
	struct ended ended[ENDED_MAX];
	size_t n_ended;
};

static int load(struct library *lib, struct err *e)
{
	void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL), *symbol;
	size_t i;

	if (!handle)
		return fail(e, 0,
			    "systemd cgroups asked for, but libsystemd.so.0 cannot be loaded "
			    "(install it, or go without --systemd-cgroup)");
	for (i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
		symbol = dlsym(handle, symbols[i].name);
		if (!symbol)
			return fail(e, 0, "systemd cgroups asked for, but libsystemd has no %s",
				    symbols[i].name);
		memcpy((char *)lib + symbols[i].offset, &symbol, sizeof symbol);
	}
	return 0;
}

/* JobRemoved: id, path, unit, result. A note that does not fit is not one of ours. */
static int on_job_removed(struct sd_bus_message *m, void *arg, struct sd_bus_error *error)
{
	const char *job, *unit, *result;
	struct cg_bus *b = arg;
	struct ended *slot;
	uint32_t id;

	(void)error;
	if (b->lib.read_basic(m, 'u', &id) < 0 || b->lib.read_basic(m, 'o', &job) < 0 ||
	    b->lib.read_basic(m, 's', &unit) < 0 || b->lib.read_basic(m, 's', &result) < 0)
		return 0;
	if (strlen(job) >= JOB_PATH_MAX || strlen(result) >= RESULT_MAX)
		return 0;
	slot = &b->ended[b->n_ended++ % ENDED_MAX];
	memcpy(slot->job, job, strlen(job) + 1);
	memcpy(slot->result, result, strlen(result) + 1);
	return 0;
}

static int connect_private(struct cg_bus *b)
{
	int rc = b->lib.new(&b->bus);

	if (rc >= 0)
		rc = b->lib.set_address(b->bus, "unix:path=/run/systemd/private");
	return rc < 0 ? rc : b->lib.start(b->bus);
}

/* Without a bus of the system, its manager can still be reached by root. */
int cg_bus_open(struct arena *a, bool user, struct cg_bus **out, struct err *e)
{
	struct cg_bus *b = arena_alloc(a, sizeof *b);
	struct stat st;
	int rc;

	*out = NULL;
	if (lstat("/run/systemd/system", &st) || !S_ISDIR(st.st_mode))
		return fail(
			e, 0,
			"systemd cgroups asked for, but systemd is not running on this host (go "
			"without --systemd-cgroup)");
	if (load(&b->lib, e))
		return -1;
	rc = user ? b->lib.open_user(&b->bus) : b->lib.open_system(&b->bus);
	if (rc < 0 && !user)
		rc = connect_private(b);
	if (rc >= 0)
		rc = b->lib.add_match(b->bus, NULL,
				      "type='signal',interface='" MANAGER_INTERFACE
				      "',member='JobRemoved'",
				      on_job_removed, b);
	if (rc < 0) {
		cg_bus_close(b);
		return fail(e, -rc, "systemd cgroups asked for, but there is no bus to %s%s",
			    user ? "the user's systemd" : "systemd",
			    user ? " (is XDG_RUNTIME_DIR set, and dbus-user-session there?)" : "");
	}
	*out = b;
	return 0;
}

void cg_bus_close(struct cg_bus *b)
{
	if (b && b->bus)
		b->bus = b->lib.flush_close_unref(b->bus);
}

/* What is put into a message, and whether all of it could be. */
struct message {
	const struct library *lib;
	struct sd_bus_message *m;
	int rc;
};

static struct message new_call(struct cg_bus *b, const char *member)
{
	struct message m = { .lib = &b->lib };

	m.rc = b->lib.new_method_call(b->bus, &m.m, MANAGER, MANAGER_INTERFACE, member);
	return m;
}

static void add(struct message *m, char type, const void *p)
{
	if (m->rc >= 0)
		m->rc = m->lib->append_basic(m->m, type, p);
}

static void open_in(struct message *m, char type, const char *contents)
{
	if (m->rc >= 0)
		m->rc = m->lib->open_container(m->m, type, contents);
}

static void close_in(struct message *m)
{
	if (m->rc >= 0)
		m->rc = m->lib->close_container(m->m);
}

static void add_array(struct message *m, char type, const void *p, size_t size)
{
	if (m->rc >= 0)
		m->rc = m->lib->append_array(m->m, type, p, size);
}

static void add_devices(struct message *m, const struct cg_prop *p)
{
	size_t i;

	open_in(m, 'a', "(ss)");
	for (i = 0; i < p->n; i++) {
		open_in(m, 'r', "ss");
		add(m, 's', p->devices[i].path);
		add(m, 's', p->devices[i].access);
		close_in(m);
	}
	close_in(m);
}

static void add_value(struct message *m, const struct cg_prop *p)
{
	static const struct {
		char type;
		const char *signature;
	} signatures[] = { { 's', "s" },  { 't', "t" },  { 'b', "b" },
			   { 'y', "ay" }, { 'u', "au" }, { 'd', "a(ss)" } };
	const uint32_t small = (uint32_t)p->number;
	const int truth = p->number != 0;
	size_t i = 0;

	while (signatures[i].type != p->type)
		i++;
	open_in(m, 'v', signatures[i].signature);
	switch (p->type) {
	case 's': add(m, 's', p->text); break;
	case 't': add(m, 't', &p->number); break;
	case 'b': add(m, 'b', &truth); break;
	case 'y': add_array(m, 'y', p->bytes, p->n); break;
	case 'u': add_array(m, 'u', &small, sizeof small); break;
	default: add_devices(m, p); break;
	}
	close_in(m);
}

static void add_props(struct message *m, const struct cg_props *props)
{
	size_t i;

	open_in(m, 'a', "(sv)");
	for (i = 0; i < props->n; i++) {
		open_in(m, 'r', "sv");
		add(m, 's', props->v[i].name);
		add_value(m, &props->v[i]);
		close_in(m);
	}
	close_in(m);
}

/* Sends it, and lets go of it. The name of what went wrong is copied for callers that care. */
static int send_call(struct cg_bus *b, struct message *m, const char *what, char *name,
		     size_t name_size, struct sd_bus_message **reply, struct err *e)
{
	struct sd_bus_error error = { 0 };
	struct arena a = { 0 };
	size_t len;

	name[0] = '\0';
	if (m->rc >= 0)
		m->rc = b->lib.call(b->bus, m->m, (uint64_t)JOB_MS * 1000, &error, reply);
	if (m->m)
		b->lib.unref(m->m);
	if (m->rc >= 0)
		return 0;
	if (error.name) {
		len = strnlen(error.name, name_size - 1);
		memcpy(name, error.name, len);
		name[len] = '\0';
	}
	if (error.message)
		fail(e, 0, "systemd: %s: %s", what, printable(&a, error.message, TEXT_SHOWN));
	else
		fail(e, -m->rc, "systemd: %s", what);
	e->errnum = -m->rc;
	b->lib.error_free(&error);
	arena_release(&a);
	return -1;
}

static int wait_for_job(struct cg_bus *b, const char *job, const char *unit, const char **result,
			struct err *e)
{
	int64_t until = cg_now_ms() + JOB_MS, left;
	size_t i;
	int rc;

	for (;;) {
		for (i = 0; i < b->n_ended && i < ENDED_MAX; i++)
			if (!strcmp(b->ended[i].job, job)) {
				*result = b->ended[i].result;
				return 0;
			}
		rc = b->lib.process(b->bus, NULL);
		if (rc > 0)
			continue;
		left = until - cg_now_ms();
		if (rc < 0 || left <= 0)
			return fail(e, rc < 0 ? -rc : ETIMEDOUT, "systemd: waiting for %s", unit);
		rc = b->lib.wait(b->bus, (uint64_t)left * 1000);
		if (rc < 0 && rc != -EINTR)
			return fail(e, -rc, "systemd: waiting for %s", unit);
	}
}

/* The answer to a call that makes a job is the job's path. */
static int finish_job(struct arena *a, struct cg_bus *b, struct sd_bus_message *reply,
		      const char *unit, const char **result, struct err *e)
{
	const char *job = NULL;
	int rc = b->lib.read_basic(reply, 'o', &job);

	job = rc >= 0 ? arena_strdup(a, job) : NULL;
	b->lib.unref(reply);
	if (!job)
		return fail(e, -rc, "systemd: %s: no job", unit);
	return wait_for_job(b, job, unit, result, e);
}

static void reset_failed(struct cg_bus *b, const char *unit)
{
	struct message m = new_call(b, "ResetFailedUnit");
	struct sd_bus_message *reply = NULL;
	struct err ignored;
	char name[64];

	add(&m, 's', unit);
	if (send_call(b, &m, unit, name, sizeof name, &reply, &ignored) == 0)
		b->lib.unref(reply);
}

static int start_once(struct arena *a, struct cg_bus *b, const char *unit,
		      const struct cg_props *props, char *name, size_t name_size, struct err *e)
{
	struct message m = new_call(b, "StartTransientUnit");
	struct sd_bus_message *reply = NULL;
	const char *result;

	add(&m, 's', unit);
	add(&m, 's', "replace");
	add_props(&m, props);
	open_in(&m, 'a', "(sa(sv))");
	close_in(&m);
	if (send_call(b, &m, unit, name, name_size, &reply, e) ||
	    finish_job(a, b, reply, unit, &result, e))
		return -1;
	if (strcmp(result, "done"))
		return fail(e, 0, "systemd: %s: starting it was %s", unit, result);
	return 0;
}

int cg_bus_start(struct arena *a, struct cg_bus *b, const char *unit, const struct cg_props *props,
		 struct err *e)
{
	char name[64] = "";

	if (start_once(a, b, unit, props, name, sizeof name, e) == 0)
		return 0;
	/* It may be what is left of one that failed: systemd forgets it when told to. */
	if (strcmp(name, "org.freedesktop.systemd1.UnitExists"))
		return -1;
	reset_failed(b, unit);
	return start_once(a, b, unit, props, name, sizeof name, e);
}

int cg_bus_stop(struct arena *a, struct cg_bus *b, const char *unit, struct err *e)
{
	struct message m = new_call(b, "StopUnit");
	struct sd_bus_message *reply = NULL;
	const char *result;
	char name[64];
	int rc;

	add(&m, 's', unit);
	add(&m, 's', "replace");
	rc = send_call(b, &m, unit, name, sizeof name, &reply, e);
	if (rc && !strcmp(name, "org.freedesktop.systemd1.NoSuchUnit"))
		return 0;
	if (!rc)
		rc = finish_job(a, b, reply, unit, &result, e);
	reset_failed(b, unit);
	return rc;
}

int cg_bus_set(struct cg_bus *b, const char *unit, const struct cg_props *props, struct err *e)
{
	struct message m = new_call(b, "SetUnitProperties");
	struct sd_bus_message *reply = NULL;
	const int runtime = 1;
	char name[64];

	add(&m, 's', unit);
	add(&m, 'b', &runtime);
	add_props(&m, props);
	if (send_call(b, &m, unit, name, sizeof name, &reply, e))
		return -1;
	b->lib.unref(reply);
	return 0;
}

int cg_bus_manager(struct arena *a, struct cg_bus *b, const char *name, const char **value,
		   struct err *e)
{
	struct sd_bus_message *reply = NULL;
	struct message m = { .lib = &b->lib };
	const char *text = NULL;
	char error_name[64];
	int rc;

	m.rc = b->lib.new_method_call(b->bus, &m.m, MANAGER, "org.freedesktop.DBus.Properties",
				      "Get");
	add(&m, 's', MANAGER_INTERFACE);
	add(&m, 's', name);
	if (send_call(b, &m, name, error_name, sizeof error_name, &reply, e))
		return -1;
	rc = b->lib.enter_container(reply, 'v', "s");
	if (rc >= 0)
		rc = b->lib.read_basic(reply, 's', &text);
	if (rc >= 0)
		*value = arena_strdup(a, text);
	b->lib.unref(reply);
	return rc < 0 ? fail(e, -rc, "systemd: %s", name) : 0;
}
