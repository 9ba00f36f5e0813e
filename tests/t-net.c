// SPDX-License-Identifier: Apache-2.0
/* The network namespace: loopback, and devices moved into it, all in namespaces of the test's own. */
#include <net/if.h>
#include <stdint.h>
#include <sys/resource.h>

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>

#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>

#include "../src/sys/net.h"
#include "cred_child.h"

/* In the child, which has a network namespace of its own for "the host". */
static struct nl_sock *host, *inside;
static int ns = -1; /* the container's network namespace */

static bool enter_private(void)
{
	if (geteuid() && !enter_user_ns())
		return false;
	return !unshare(CLONE_NEWNET);
}

static struct nl_sock *connect_here(void)
{
	struct nl_sock *s = nl_socket_alloc();

	return s && !nl_connect(s, NETLINK_ROUTE) ? s : NULL;
}

/* The child begins in "the host" and is there again afterwards. */
static int begin(struct last_words *w)
{
	int back;

	if (!enter_private())
		return fail(&w->e, errno, "test: no network namespace");
	host = connect_here();
	back = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (!host || back < 0 || unshare(CLONE_NEWNET))
		return fail(&w->e, errno, "test: no second network namespace");
	ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	inside = connect_here();
	if (ns < 0 || !inside || setns(back, CLONE_NEWNET))
		return fail(&w->e, errno, "test: no way back");
	close(back);
	return 0;
}

static bool add_pair(struct nl_sock *s, const char *a, const char *b)
{
	struct rtnl_link *l = rtnl_link_veth_alloc();
	int rc;

	rtnl_link_set_name(l, a);
	rtnl_link_set_name(rtnl_link_veth_get_peer(l), b);
	rc = rtnl_link_add(s, l, NLM_F_CREATE | NLM_F_EXCL);
	rtnl_link_veth_release(l);
	return !rc;
}

static int index_of(struct nl_sock *s, const char *name)
{
	struct rtnl_link *l = NULL;
	int i = 0;

	if (!rtnl_link_get_kernel(s, 0, name, &l))
		i = rtnl_link_get_ifindex(l);
	rtnl_link_put(l);
	return i;
}

static bool is_up(struct nl_sock *s, const char *name)
{
	struct rtnl_link *l = NULL;
	bool up = !rtnl_link_get_kernel(s, 0, name, &l) && rtnl_link_get_flags(l) & IFF_UP;

	rtnl_link_put(l);
	return up;
}

static bool add_addr(const char *device, const char *text, int family, unsigned flags, int scope,
		     unsigned lifetime)
{
	struct rtnl_addr *a = rtnl_addr_alloc();
	struct nl_addr *local = NULL;
	int rc;

	nl_addr_parse(text, family, &local);
	rtnl_addr_set_ifindex(a, index_of(host, device));
	rtnl_addr_set_local(a, local);
	rtnl_addr_set_scope(a, scope);
	rtnl_addr_set_flags(a, flags);
	if (lifetime) {
		rtnl_addr_set_valid_lifetime(a, lifetime);
		rtnl_addr_set_preferred_lifetime(a, lifetime);
	}
	rc = rtnl_addr_add(host, a, 0);
	nl_addr_put(local);
	rtnl_addr_put(a);
	return !rc;
}

/* The addresses of a device inside: "10.1.2.3/24 fd00::1/64", link-local ones left out. */
static void list_addrs(const char *device, char *out, size_t size)
{
	int index = index_of(inside, device);
	struct nl_cache *cache = NULL;
	struct nl_object *o;
	char text[64];
	size_t n = 0;

	*out = '\0';
	if (rtnl_addr_alloc_cache(inside, &cache))
		return;
	for (o = nl_cache_get_first(cache); o; o = nl_cache_get_next(o)) {
		struct rtnl_addr *a = (struct rtnl_addr *)o;

		if (rtnl_addr_get_ifindex(a) != index || rtnl_addr_get_scope(a))
			continue;
		n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "",
				      nl_addr2str(rtnl_addr_get_local(a), text, sizeof text));
		if (rtnl_addr_get_flags(a) & IFA_F_NOPREFIXROUTE)
			n += (size_t)snprintf(out + n, size - n, "(noprefixroute)");
	}
	nl_cache_free(cache);
}

static int move_them(struct last_words *w, struct net_device *v, size_t n)
{
	struct linux_conf l = { .net_devices = v, .n_net_devices = n };

	return net_move_devices(&l, ns, &w->e);
}

static int run_loopback(struct last_words *w, const void *arg)
{
	(void)arg;
	if (!enter_private())
		return fail(&w->e, errno, "test: no network namespace");
	host = connect_here();
	w->number[0] = is_up(host, "lo");
	if (net_loopback_up(&w->e))
		return -1;
	w->number[1] = is_up(host, "lo");
	return net_loopback_up(&w->e);
}

/* Without any right over the network namespace that it is in. */
static int run_loopback_denied(struct last_words *w, const void *arg)
{
	(void)arg;
	if (!geteuid() && (unshare(CLONE_NEWNET) || setresuid(NOBODY, NOBODY, NOBODY)))
		return fail(&w->e, errno, "test: cannot become another user");
	return net_loopback_up(&w->e);
}

static int run_loopback_no_fd(struct last_words *w, const void *arg)
{
	static const struct rlimit none = { 3, 3 };

	(void)arg;
	setrlimit(RLIMIT_NOFILE, &none);
	return net_loopback_up(&w->e);
}

static void test_loopback(void)
{
	is(in_child(run_loopback, NULL), "", "the loopback device can be set up, and twice");
	cmp_ok(words->number[0], "==", 0, "it was down in the new namespace");
	cmp_ok(words->number[1], "==", 1, "and is up afterwards");
	is(in_child(run_loopback_denied, NULL),
	   "loopback: cannot be set up: operation not permitted",
	   "without the right to it, that is an error");
	is(in_child(run_loopback_no_fd, NULL),
	   "loopback: netlink: cannot connect: too many open files",
	   "without a descriptor left, that is said");
}

static int run_move(struct last_words *w, const void *arg)
{
	struct net_device d[] = { { "cbx0", "eth0" }, { "cbx2", "cbx2" } };

	(void)arg;
	if (begin(w))
		return -1;
	if (!add_pair(host, "cbx0", "cbx1") || !add_pair(host, "cbx2", "cbx3") ||
	    !add_addr("cbx0", "10.1.2.3/24", AF_INET, 0, RT_SCOPE_UNIVERSE, 0) ||
	    !add_addr("cbx0", "10.1.2.4/24", AF_INET, IFA_F_NOPREFIXROUTE, RT_SCOPE_UNIVERSE, 0) ||
	    !add_addr("cbx0", "10.9.9.9/32", AF_INET, 0, RT_SCOPE_LINK, 0) ||
	    !add_addr("cbx0", "10.8.8.8/32", AF_INET, 0, RT_SCOPE_UNIVERSE, 600) ||
	    !add_addr("cbx0", "fd00:1::2/64", AF_INET6, IFA_F_NODAD, RT_SCOPE_UNIVERSE, 0))
		return fail(&w->e, 0, "test: cannot make devices");
	if (move_them(w, d, 2))
		return -1;
	w->number[0] = index_of(host, "cbx0") || index_of(host, "eth0") || index_of(host, "cbx2");
	w->number[1] = is_up(inside, "eth0");
	w->number[2] = is_up(inside, "cbx2");
	w->number[3] = index_of(host, "cbx1") && index_of(host, "cbx3");
	w->number[4] = !index_of(inside, "cbx1") && !index_of(inside, "cbx0");
	list_addrs("eth0", w->text, sizeof w->text);
	return 0;
}

static void test_move(void)
{
	is(in_child(run_move, NULL), "", "two devices are moved");
	cmp_ok(words->number[0], "==", 0, "they are gone from the host");
	cmp_ok(words->number[1], "==", 1, "the first is up under its new name");
	cmp_ok(words->number[2], "==", 1, "the second is up under its own name");
	cmp_ok(words->number[3], "==", 1, "their peers stay");
	cmp_ok(words->number[4], "==", 1, "nothing else has come");
	is(words->text, "10.1.2.3/24 10.1.2.4/24(noprefixroute) fd00:1::2/64",
	   "permanent global addresses are kept, with their flags, and no others");
}

static bool remove_device(struct nl_sock *s, const char *name)
{
	struct rtnl_link *l = NULL;
	bool done = !rtnl_link_get_kernel(s, 0, name, &l) && !rtnl_link_delete(s, l);

	rtnl_link_put(l);
	return done;
}

/* Both namespaces count their devices alike, so the numbers are taken inside; and what the kernel
 * would give next there is not the next after the highest.
 */
static int run_pattern(struct last_words *w, const void *arg)
{
	struct net_device d[] = { { "cbx0", "eth%d" }, { "cbx1", "eth%d" } };

	(void)arg;
	if (begin(w))
		return -1;
	if (!add_pair(host, "cbx0", "cbx1") || !add_pair(inside, "eth0", "other") ||
	    !add_pair(inside, "gone0", "gone1") || !remove_device(inside, "gone0") ||
	    !add_addr("cbx1", "10.1.2.3/24", AF_INET, 0, RT_SCOPE_UNIVERSE, 0))
		return fail(&w->e, 0, "test: cannot make devices");
	w->number[0] = index_of(host, "cbx0") == index_of(inside, "eth0") ||
		       index_of(host, "cbx0") == index_of(inside, "other");
	if (move_them(w, d, 2))
		return -1;
	w->number[1] = is_up(inside, "eth1") && is_up(inside, "eth2");
	w->number[2] = is_up(inside, "eth0") || is_up(inside, "other");
	list_addrs("eth2", w->text, sizeof w->text);
	return 0;
}

static void test_pattern(void)
{
	is(in_child(run_pattern, NULL), "", "names with %%d are counted");
	cmp_ok(words->number[0], "==", 1, "the device's number was taken inside");
	cmp_ok(words->number[1], "==", 1, "they have the next free names, and are up");
	cmp_ok(words->number[2], "==", 0, "the devices that were there are left alone");
	is(words->text, "10.1.2.3/24", "the address goes to the device that had it");
}

struct refused {
	struct net_device device;
	bool no_right;
	const char *error;
};

static int run_refused(struct last_words *w, const void *arg)
{
	const struct refused *r = arg;
	struct net_device d = r->device;
	int rc;

	if (begin(w))
		return -1;
	if (!add_pair(host, "cbx0", "cbx1") || !add_pair(inside, "eth0", "cbx0"))
		return fail(&w->e, 0, "test: cannot make devices");
	if (r->no_right && setresuid(NOBODY, NOBODY, NOBODY))
		return fail(&w->e, errno, "test: cannot become another user");
	rc = move_them(w, &d, 1);
	w->number[0] = index_of(host, "cbx0") > 0 && index_of(host, "lo") == 1;
	return rc;
}

static void test_refused(void)
{
	static const struct refused cases[] = {
		{ { "nope0", "eth7" },
		  false,
		  "linux.netDevices.nope0: cannot be found: no such device" },
		{ { "cbx0", "eth0" },
		  false,
		  "linux.netDevices.cbx0: 'eth0' is there already (give another name, or one with "
		  "%d)" },
		{ { "cbx0", "cbx0" },
		  false,
		  "linux.netDevices.cbx0: 'cbx0' is there already (give another name, or one with "
		  "%d)" },
		{ { "lo", "lo7" },
		  false,
		  "linux.netDevices.lo: cannot be moved: invalid argument" },
		{ { "cbx0", "eth%s" },
		  false,
		  "linux.netDevices.cbx0: 'eth%s' is no name for it (one %d may be in it)" },
		{ { "cbx0", "e%dh%d" },
		  false,
		  "linux.netDevices.cbx0: 'e%dh%d' is no name for it (one %d may be in it)" },
		{ { "cbx0", "eth1" },
		  true,
		  "linux.netDevices: cannot open one's own network namespace: operation not "
		  "permitted" },
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cases[i].no_right && geteuid())
			continue;
		is(in_child(run_refused, &cases[i]), cases[i].error, "refused: %s", cases[i].error);
		cmp_ok(words->number[0], "==", 1, "and the device is where it was");
	}
}

/* A clash inside with the host's name of it does not matter when it gets another. */
static int run_old_name_taken(struct last_words *w, const void *arg)
{
	struct net_device d = { "cbx0", "eth9" };

	(void)arg;
	if (begin(w))
		return -1;
	if (!add_pair(host, "cbx0", "cbx1") || !add_pair(inside, "cbx0", "other"))
		return fail(&w->e, 0, "test: cannot make devices");
	if (move_them(w, &d, 1))
		return -1;
	w->number[0] = is_up(inside, "eth9") && !is_up(inside, "cbx0");
	return 0;
}

static int run_nothing(struct last_words *w, const void *arg)
{
	(void)arg;
	return move_them(w, NULL, 0);
}

static int run_no_namespace(struct last_words *w, const void *arg)
{
	struct net_device d = { "cbx0", "eth9" };

	(void)arg;
	if (begin(w))
		return -1;
	ns = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
	return move_them(w, &d, 1);
}

static int probe(struct last_words *w, const void *arg)
{
	(void)arg;
	return begin(w) || !add_pair(host, "cbx0", "cbx1") ? -1 : 0;
}

int main(void)
{
	plan(NO_PLAN);
	is(in_child(run_nothing, NULL), "", "no devices need no rights");
	in_child(probe, NULL);
	skip(words->rc, 1, "no network namespaces, or no virtual devices");
	test_loopback();
	test_move();
	test_pattern();
	test_refused();
	is(in_child(run_old_name_taken, NULL), "", "the host's name of it may be taken inside");
	cmp_ok(words->number[0], "==", 1, "when it gets another there");
	is(in_child(run_no_namespace, NULL),
	   "linux.netDevices: cannot enter the container's network namespace: invalid argument",
	   "what is no network namespace is refused");
	end_skip;
	done_testing();
}
