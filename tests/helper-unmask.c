// SPDX-License-Identifier: Apache-2.0
/* What a hostile workload tries to see what lies under a mask; and sockets, for others to be found.
 *
 *   helper-unmask show PATH FILE HANDLE   tries everything on the mask at PATH, prints what FILE then holds
 *   helper-unmask handle PATH             the handle of a file, for the above
 *   helper-unmask socket PATH...          makes sockets of these names
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DETACH = 2, MOVE = 8192, BIND = 4096, REMOUNT = 32 };

static char parent[4096];
static const char *mask, *name;

/* What can be read there now, and after which attempt. */
static void show(const char *attempt, int dir, const char *file)
{
	char buf[4096];
	int fd = openat(dir, file, O_RDONLY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof buf - 1);

	if (n > 0) {
		buf[n] = '\0';
		printf("%s: %s\n", attempt, buf);
	}
	if (fd >= 0)
		close(fd);
}

static void outcome(const char *attempt, long ret)
{
	printf("%s: %s\n", attempt, ret < 0 ? strerror(errno) : "done");
	fflush(stdout);
}

static long do_mount(const char *from, const char *to, const char *type, unsigned long flags)
{
	return syscall(SYS_mount, from, to, type, flags, NULL);
}

static void try_copies(const char *file)
{
	int tree = (int)syscall(SYS_open_tree, AT_FDCWD, parent, OPEN_TREE_CLONE);

	outcome("open_tree", tree);
	if (tree >= 0)
		show("open_tree", tree, name);
	outcome("move_mount", syscall(SYS_move_mount, tree, "", AT_FDCWD, "/tmp", 4));
	show("move_mount", AT_FDCWD, file);
	outcome("bind", do_mount(parent, "/tmp", NULL, BIND));
}

static void try_mounts(const char *file)
{
	struct mount_attr attr = { .attr_clr = MOUNT_ATTR_RDONLY };
	char copy[4200];

	outcome("remount", do_mount(NULL, mask, NULL, REMOUNT | BIND));
	outcome("mount_setattr", syscall(SYS_mount_setattr, AT_FDCWD, mask, 0, &attr, sizeof attr));
	try_copies(file);
	snprintf(copy, sizeof copy, "/tmp/%s", name);
	show("bind", AT_FDCWD, copy);
	outcome("move", do_mount(mask, "/mnt", NULL, MOVE));
	show("move", AT_FDCWD, file);
	outcome("umount", syscall(SYS_umount2, mask, 0));
	show("umount", AT_FDCWD, file);
	outcome("umount detached", syscall(SYS_umount2, mask, DETACH));
	show("umount detached", AT_FDCWD, file);
	outcome("umount of its parent", syscall(SYS_umount2, parent, DETACH));
	show("umount of its parent", AT_FDCWD, file);
}

static void try_links(const char *file)
{
	char path[4200];

	show("plainly", AT_FDCWD, file);
	snprintf(path, sizeof path, "/proc/self/root%s", file);
	show("by /proc/self/root", AT_FDCWD, path);
	snprintf(path, sizeof path, "/proc/1/root%s", file);
	show("by /proc/1/root", AT_FDCWD, path);
	outcome("link", link(file, "/tmp/linked"));
	show("link", AT_FDCWD, "/tmp/linked");
	outcome("rename", rename(mask, "/tmp/renamed"));
	show("rename", AT_FDCWD, "/tmp/renamed");
}

static void try_handle(const char *hex)
{
	struct file_handle *h = calloc(1, sizeof *h + MAX_HANDLE_SZ);
	int dir = open(parent, O_RDONLY | O_DIRECTORY), fd;
	char buf[4096];
	unsigned byte;
	ssize_t n;

	if (!h || sscanf(hex, "%d:", &h->handle_type) != 1)
		return;
	for (hex = strchr(hex, ':') + 1; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		h->f_handle[h->handle_bytes++] = (unsigned char)byte;
	fd = open_by_handle_at(dir, h, O_RDONLY);
	outcome("open_by_handle_at", fd);
	n = fd < 0 ? -1 : read(fd, buf, sizeof buf - 1);
	if (n > 0)
		printf("open_by_handle_at: %.*s\n", (int)n, buf);
	free(h);
}

/* A mask goes with what it is on. */
static void try_parent(void)
{
	char path[4200];

	outcome("rename of its parent", rename(parent, "/tmp/parent"));
	snprintf(path, sizeof path, "/tmp/parent/%s", name);
	show("rename of its parent", AT_FDCWD, path);
	outcome("rename back", rename("/tmp/parent", parent));
}

static void try_all(const char *file, const char *handle)
{
	try_links(file);
	try_handle(handle);
	fflush(stdout);
	if (!fork()) {
		outcome("unshare", unshare(CLONE_NEWUSER | CLONE_NEWNS));
		try_mounts(file);
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	try_mounts(file);
	try_parent();
}

static int print_handle(const char *path)
{
	struct file_handle *h = calloc(1, sizeof *h + MAX_HANDLE_SZ);
	unsigned i;
	int mount;

	h->handle_bytes = MAX_HANDLE_SZ;
	if (name_to_handle_at(AT_FDCWD, path, h, &mount, 0))
		return 1;
	printf("%d:", h->handle_type);
	for (i = 0; i < h->handle_bytes; i++)
		printf("%02x", h->f_handle[i]);
	puts("");
	free(h);
	return 0;
}

static int make_socket(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	return fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at);
}

int main(int argc, char **argv)
{
	int i, bad = 0;

	if (argc > 2 && !strcmp(argv[1], "socket")) {
		for (i = 2; i < argc; i++)
			bad |= make_socket(argv[i]);
		return bad;
	}
	if (argc == 3 && !strcmp(argv[1], "handle"))
		return print_handle(argv[2]);
	if (argc != 5 || strcmp(argv[1], "show") != 0)
		return 2;
	mask = argv[2];
	snprintf(parent, sizeof parent, "%s", mask);
	dirname(parent);
	name = strrchr(mask, '/') + 1;
	try_all(argv[3], argv[4]);
	return 0;
}
