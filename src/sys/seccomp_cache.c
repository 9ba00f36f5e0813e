// SPDX-License-Identifier: Apache-2.0
/* Compiled filters, kept in files whose names tell all that they were made from. */
#include "seccomp_work.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

#include "../base/fd.h"
#include "../base/str.h"
#include "../base/banned.h"

enum {
	COMPILER = 3, /* one more whenever seccomp_compile.c makes other programs than before */
	KEY_TEXT_MAX = 16 * 1024 * 1024, /* more than a bundle may have */
	NAME_LEN = 2 * HASH_SIZE,
	FILES_MAX = 64, /* more profiles than a machine uses; each is some kilobytes */
};

struct cache_header {
	char magic[8];
	uint8_t key[HASH_SIZE]; /* a file under another's name is none */
	uint8_t sum[HASH_SIZE]; /* of the instructions */
	uint32_t n;
	uint32_t zero;
};

static const char magic[8] = "cbseccmp";

static void key_args(struct str *t, const struct seccomp_rule *rule)
{
	size_t i;

	for (i = 0; i < rule->n_args; i++)
		str_printf(t, "arg %u %d %llu %llu\n", rule->args[i].index, rule->args[i].op,
			   (unsigned long long)rule->args[i].value,
			   (unsigned long long)rule->args[i].value_two);
}

/* Every text is preceded by its length, so that two sections never give the same. */
bool seccomp_key(struct arena *a, const struct seccomp *s, const char *release,
		 uint8_t key[HASH_SIZE])
{
	struct str t;
	size_t i, j;

	str_init(&t, a, KEY_TEXT_MAX);
	str_printf(&t, "compiler %d credsbox %s libseccomp %s %x kernel %zu:%s\n", COMPILER,
		   VERSION, seccomp_library(a), seccomp_native(), strlen(release), release);
	str_printf(&t, "default %d %d %u\n", s->default_action, s->default_errno.set,
		   s->default_errno.v);
	for (i = 0; i < s->n_architectures; i++)
		str_printf(&t, "arch %d\n", s->architectures[i]);
	for (i = 0; i < s->n_rules; i++) {
		const struct seccomp_rule *rule = &s->rules[i];

		str_printf(&t, "rule %d %d %u\n", rule->action, rule->errno_ret.set,
			   rule->errno_ret.v);
		for (j = 0; j < rule->names.n; j++)
			str_printf(&t, "name %zu:%s\n", strlen(rule->names.v[j]), rule->names.v[j]);
		key_args(&t, rule);
	}
	hash_sha256(t.s, t.len, key);
	return !t.overflow;
}

/* The instructions that libseccomp and we make; the kernel knows more. */
static bool is_sound(const struct sock_filter *code, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct sock_filter *f = &code[i];
		size_t left = n - i - 1; /* instructions that follow */

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (f->k % 4 || f->k >= sizeof(struct seccomp_data))
				return false;
			break;
		case BPF_ALU | BPF_AND | BPF_K:
		case BPF_RET | BPF_K: break;
		case BPF_JMP | BPF_JA:
			if (f->k >= left)
				return false;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
		case BPF_JMP | BPF_JGT | BPF_K:
		case BPF_JMP | BPF_JGE | BPF_K:
		case BPF_JMP | BPF_JSET | BPF_K:
			if (f->jt >= left || f->jf >= left)
				return false;
			break;
		default: return false;
		}
	}
	return n && code[n - 1].code == (BPF_RET | BPF_K);
}

bool seccomp_cache_parse(struct arena *a, const void *data, size_t len,
			 const uint8_t key[HASH_SIZE], struct seccomp_program *p)
{
	const char *code = (const char *)data + sizeof(struct cache_header);
	struct cache_header h;
	uint8_t sum[HASH_SIZE];
	struct sock_filter *copy;

	if (len < sizeof h)
		return false;
	memcpy(&h, data, sizeof h);
	len -= sizeof h;
	if (memcmp(h.magic, magic, sizeof magic) || memcmp(h.key, key, HASH_SIZE) || h.zero ||
	    !h.n || h.n > BPF_MAXINSNS || len != h.n * sizeof *copy)
		return false;
	hash_sha256(code, len, sum);
	copy = arena_alloc(a, len);
	memcpy(copy, code, len);
	if (memcmp(sum, h.sum, HASH_SIZE) || !is_sound(copy, h.n))
		return false;
	p->code = copy;
	p->n = (unsigned short)h.n;
	return true;
}

/* Ours alone: nobody else has put a file here, or could. */
static bool is_private(int fd, mode_t type, mode_t mode)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == type && st.st_uid == geteuid() &&
	       (st.st_mode & 07777) == mode && (type == S_IFDIR || st.st_nlink == 1);
}

static int open_dir(const char *dir, bool make)
{
	bool made = make && !mkdir(dir, 0700);
	autofd int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	/* The mode again: a umask may have taken of it. */
	if (fd < 0 || (made && fchmod(fd, 0700)) || !is_private(fd, S_IFDIR, 0700))
		return -1;
	return fd_steal(&fd);
}

bool seccomp_cache_get(struct arena *a, const char *dir, const uint8_t key[HASH_SIZE],
		       struct seccomp_program *p)
{
	autofd int dir_fd = open_dir(dir, false), fd = -1;
	char name[NAME_LEN + 1];
	const char *data;
	struct err e;
	size_t len;

	if (dir_fd < 0)
		return false;
	hash_hex(key, HASH_SIZE, name);
	fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && is_private(fd, S_IFREG, 0600) &&
	       !fd_read_all(a, fd, name,
			    sizeof(struct cache_header) + BPF_MAXINSNS * sizeof *p->code, &data,
			    &len, &e) &&
	       seccomp_cache_parse(a, data, len, key, p);
}

/* Sections come from bundles, and each leaves a file: the oldest goes when there are too many. */
static void make_room(int dir_fd)
{
	int again = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	char oldest[NAME_LEN + 1] = "";
	struct timespec oldest_time = { 0 };
	struct dirent *entry;
	struct stat st;
	size_t n = 0;

	if (!d) {
		fd_cleanup(&again);
		return;
	}
	while ((entry = readdir(d))) {
		size_t len = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || len > NAME_LEN ||
		    fstatat(dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		n++;
		if (!*oldest || st.st_mtim.tv_sec < oldest_time.tv_sec ||
		    (st.st_mtim.tv_sec == oldest_time.tv_sec &&
		     st.st_mtim.tv_nsec < oldest_time.tv_nsec)) {
			memcpy(oldest, entry->d_name, len + 1);
			oldest_time = st.st_mtim;
		}
	}
	closedir(d);
	if (n >= FILES_MAX)
		(void)unlinkat(dir_fd, oldest, 0);
}

static int write_file(int dir_fd, const char *name, const struct cache_header *h,
		      const struct seccomp_program *p)
{
	autofd int fd =
		openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct err e;

	return fd < 0 || fchmod(fd, 0600) ||
			       fd_write_all(fd, name, (const char *)h, sizeof *h, &e) ||
			       fd_write_all(fd, name, (const char *)p->code, p->n * sizeof *p->code,
					    &e)
		       ? -1
		       : 0;
}

void seccomp_cache_put(struct arena *a, const char *dir, const uint8_t key[HASH_SIZE],
		       const struct seccomp_program *p)
{
	autofd int dir_fd = open_dir(dir, true);
	struct cache_header h = { .n = p->n };
	char name[NAME_LEN + 1];
	const char *draft;
	uint64_t number;

	if (dir_fd < 0 || getrandom(&number, sizeof number, 0) != sizeof number)
		return;
	memcpy(h.magic, magic, sizeof magic);
	memcpy(h.key, key, HASH_SIZE);
	hash_sha256(p->code, p->n * sizeof *p->code, h.sum);
	hash_hex(key, HASH_SIZE, name);
	draft = arena_printf(a, "draft-%016llx", (unsigned long long)number);
	make_room(dir_fd);
	if (write_file(dir_fd, draft, &h, p) || renameat(dir_fd, draft, dir_fd, name))
		(void)unlinkat(dir_fd, draft, 0);
}
