// SPDX-License-Identifier: Apache-2.0
/* The network namespace: loopback, and devices moved into it. */
#include "net.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>

#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>

#include "../base/fd.h"
#include "../base/banned.h"

/* The kernel gives it to the loopback device of every network namespace. */
enum { LOOPBACK_INDEX = 1 };

static void socket_cleanup(struct nl_sock **s)
{
	nl_socket_free(*s);
}
#define autosocket __attribute__((cleanup(socket_cleanup)))

static void cache_cleanup(struct nl_cache **c)
{
	if (*c)
		nl_cache_free(*c);
}
#define autocache __attribute__((cleanup(cache_cleanup)))

static void link_cleanup(struct rtnl_link **l)
{
	rtnl_link_put(*l);
}
#define autolink __attribute__((cleanup(link_cleanup)))

static void addr_cleanup(struct rtnl_addr **a)
{
	rtnl_addr_put(*a);
}
#define autoaddr __attribute__((cleanup(addr_cleanup)))

/* libnl has numbers and words of its own; the kernel's are the ones that people know. */
static int nl_errno(int code)
{
	switch (code < 0 ? -code : code) {
	case NLE_NOMEM: return ENOMEM;
	case NLE_EXIST: return EEXIST;
	case NLE_PERM:
	case NLE_NOACCESS: return EPERM;
	case NLE_NODEV:
	case NLE_OBJ_NOTFOUND: return ENODEV;
	case NLE_BUSY: return EBUSY;
	case NLE_INVAL: return EINVAL;
	case NLE_OPNOTSUPP: return EOPNOTSUPP;
	case NLE_RANGE: return ERANGE;
	case NLE_NOADDR: return EADDRNOTAVAIL;
	}
	return EIO;
}

static int open_socket(struct nl_sock **s, struct err *e)
{
	int rc;

	*s = nl_socket_alloc();
	if (!*s)
		return fail(e, ENOMEM, "netlink");
	errno = 0;
	rc = nl_connect(*s, NETLINK_ROUTE);
	if (rc < 0)
		return fail(e, errno ? errno : nl_errno(rc), "netlink: cannot connect");
	return 0;
}

/* A change of the device of that number; the attributes are added by the caller. */
static struct nl_msg *link_message(int index, unsigned flags)
{
	struct ifinfomsg info = {
		.ifi_family = AF_UNSPEC,
		.ifi_index = index,
		.ifi_flags = flags,
		.ifi_change = flags,
	};
	struct nl_msg *m = nlmsg_alloc_simple(RTM_NEWLINK, 0);

	if (m && nlmsg_append(m, &info, sizeof info, NLMSG_ALIGNTO) < 0) {
		nlmsg_free(m);
		return NULL;
	}
	return m;
}

static int set_up(struct nl_sock *s, int index)
{
	struct nl_msg *m = link_message(index, IFF_UP);

	return m ? nl_send_sync(s, m) : -NLE_NOMEM; /* which frees it */
}

int net_loopback_up(struct err *e)
{
	autosocket struct nl_sock *s = NULL;
	int rc;

	if (open_socket(&s, e))
		return fail_in(e, "loopback");
	rc = set_up(s, LOOPBACK_INDEX);
	if (rc < 0)
		return fail(e, nl_errno(rc), "loopback: cannot be set up");
	return 0;
}

/* A socket belongs to the namespace that it was made in, wherever its owner goes afterwards. */
static int open_socket_in(struct nl_sock *here, int ns, struct nl_sock **there, struct err *e)
{
	autofd int back = ioctl(nl_socket_get_fd(here), SIOCGSKNS);
	int rc;

	if (back < 0)
		return fail(e, errno, "cannot open one's own network namespace");
	if (setns(ns, CLONE_NEWNET))
		return fail(e, errno, "cannot enter the container's network namespace");
	rc = open_socket(there, e);
	if (setns(back, CLONE_NEWNET))
		return fail(e, errno, "cannot leave the container's network namespace");
	return rc;
}

/* The number that the device will have there: its own, or one that is free. */
static int choose_index(struct nl_cache *there, int index)
{
	autolink struct rtnl_link *taken = rtnl_link_get(there, index);
	struct nl_object *o;
	int high = 0, i;

	if (!taken)
		return index;
	for (o = nl_cache_get_first(there); o; o = nl_cache_get_next(o)) {
		i = rtnl_link_get_ifindex((struct rtnl_link *)o);
		if (i > high)
			high = i;
	}
	return high + 1;
}

/* All in one message: the kernel takes the device down, moves it, and then renames it. */
static int move(struct nl_sock *here, int index, int ns, int new_index, const char *name)
{
	struct nl_msg *m = link_message(index, 0);

	if (!m)
		return -NLE_NOMEM;
	if (nla_put_u32(m, IFLA_NET_NS_FD, (uint32_t)ns) < 0 ||
	    nla_put_s32(m, IFLA_NEW_IFINDEX, new_index) < 0 ||
	    nla_put_string(m, IFLA_IFNAME, name) < 0) {
		nlmsg_free(m);
		return -NLE_MSGSIZE;
	}
	return nl_send_sync(here, m);
}

static bool is_kept(struct rtnl_addr *a, int index)
{
	return rtnl_addr_get_ifindex(a) == index && rtnl_addr_get_scope(a) == RT_SCOPE_UNIVERSE &&
	       rtnl_addr_get_flags(a) & IFA_F_PERMANENT;
}

/* The same address for another device; the label is left out, as it has the old name in it. */
static struct rtnl_addr *copy_addr(struct rtnl_addr *from, int index)
{
	const unsigned kept = IFA_F_NODAD | IFA_F_NOPREFIXROUTE | IFA_F_MANAGETEMPADDR;
	struct rtnl_addr *a = rtnl_addr_alloc();

	if (!a)
		return NULL;
	rtnl_addr_set_ifindex(a, index);
	rtnl_addr_set_family(a, rtnl_addr_get_family(from));
	rtnl_addr_set_scope(a, RT_SCOPE_UNIVERSE);
	rtnl_addr_set_flags(a, rtnl_addr_get_flags(from) & kept);
	if (rtnl_addr_set_local(a, rtnl_addr_get_local(from)) < 0 ||
	    (rtnl_addr_get_peer(from) && rtnl_addr_set_peer(a, rtnl_addr_get_peer(from)) < 0) ||
	    (rtnl_addr_get_broadcast(from) &&
	     rtnl_addr_set_broadcast(a, rtnl_addr_get_broadcast(from)) < 0)) {
		rtnl_addr_put(a);
		return NULL;
	}
	return a;
}

static int restore_addrs(struct nl_sock *there, struct nl_cache *addrs, int index, int new_index)
{
	struct nl_object *o;
	int rc = 0;

	for (o = nl_cache_get_first(addrs); o && rc >= 0; o = nl_cache_get_next(o)) {
		autoaddr struct rtnl_addr *a = NULL;

		if (!is_kept((struct rtnl_addr *)o, index))
			continue;
		a = copy_addr((struct rtnl_addr *)o, new_index);
		rc = a ? rtnl_addr_add(there, a, NLM_F_EXCL) : -NLE_NOMEM;
	}
	return rc;
}

/* What the kernel would find out after the move only. */
static int check_name(struct nl_cache *links, const char *name, struct err *e)
{
	autolink struct rtnl_link *taken = NULL;
	const char *percent = strchr(name, '%');

	if (percent && (percent[1] != 'd' || strchr(percent + 1, '%')))
		return fail(e, 0, "'%s' is no name for it (one %%d may be in it)", name);
	if (percent)
		return 0; /* the kernel finds a number that is free */
	taken = rtnl_link_get_by_name(links, name);
	if (taken)
		return fail(e, 0, "'%s' is there already (give another name, or one with %%d)",
			    name);
	return 0;
}

static int move_device(struct nl_sock *here, struct nl_sock *there, int ns,
		       const struct net_device *d, struct err *e)
{
	autocache struct nl_cache *addrs = NULL, *links = NULL;
	autolink struct rtnl_link *link = NULL;
	int index, new_index, rc;

	rc = rtnl_link_get_kernel(here, 0, d->host_name, &link);
	if (rc < 0)
		return fail(e, nl_errno(rc), "cannot be found");
	index = rtnl_link_get_ifindex(link);
	rc = rtnl_addr_alloc_cache(here, &addrs);
	if (rc >= 0)
		rc = rtnl_link_alloc_cache(there, AF_UNSPEC, &links);
	if (rc < 0)
		return fail(e, nl_errno(rc), "cannot list addresses and devices");
	if (check_name(links, d->name, e))
		return -1;
	new_index = choose_index(links, index);
	rc = move(here, index, ns, new_index, d->name);
	if (rc < 0)
		return fail(e, nl_errno(rc), "cannot be moved");
	rc = restore_addrs(there, addrs, index, new_index);
	if (rc < 0)
		return fail(e, nl_errno(rc), "cannot keep its addresses");
	rc = set_up(there, new_index);
	if (rc < 0)
		return fail(e, nl_errno(rc), "cannot be set up");
	return 0;
}

int net_move_devices(const struct linux_conf *l, int ns, struct err *e)
{
	autosocket struct nl_sock *here = NULL, *there = NULL;
	size_t i;

	if (!l->n_net_devices)
		return 0;
	if (open_socket(&here, e) || open_socket_in(here, ns, &there, e))
		return fail_in(e, "linux.netDevices");
	for (i = 0; i < l->n_net_devices; i++)
		if (move_device(here, there, ns, &l->net_devices[i], e))
			return fail_in(e, "linux.netDevices.%s", l->net_devices[i].host_name);
	return 0;
}
