/* SPDX-License-Identifier: Apache-2.0 */
/* The network namespace: loopback, and devices moved into it. */
#ifndef SYS_NET_H
#define SYS_NET_H

#include <sys/types.h>

#include "../core/bundle.h"

int net_loopback_up(struct err *e);

/* net_move_devices - linux.netDevices
 * In the runtime: moves each into the network namespace behind ns (an open descriptor), renames it
 * (a clash is an error, %d counts), restores its permanent global addresses and sets it up.
 */
int net_move_devices(const struct linux_conf *l, int ns, struct err *e);

#endif
