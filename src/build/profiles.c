// SPDX-License-Identifier: Apache-2.0
/* For the build alone: the profiles of seccomp-profiles/ as programs for the kernel, in C.
 *
 *   profiles DIRECTORY >compiled.c
 *
 * What the format cannot say is added: calls of another architecture, and those that are newer than
 * the profile, seem to be missing. All architectures are in one file, and the compiler chooses.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <seccomp.h>

#include "../base/fd.h"
#include "../sys/seccomp_work.h"
#include "../base/banned.h"

/* Whatever libseccomp knows: what is newer than the last call here is newer than the profiles. */
enum { LAST_CALL = 470, CALLS = LAST_CALL + 1, MISSING = SECCOMP_RET_ERRNO | ENOSYS };

/* Calls that are younger than the libraries in use; but for two these have one number everywhere. */
static const struct {
	const char *name;
	int nr;
	enum seccomp_arch only; /* ARCH_COUNT: all */
} newer[] = {
	{ "riscv_hwprobe", 258, ARCH_RISCV64 },
	{ "uretprobe", 335, ARCH_X86_64 },
	{ "uprobe", 336, ARCH_X86_64 },
	{ "cachestat", 451, ARCH_COUNT },
	{ "fchmodat2", 452, ARCH_COUNT },
	{ "map_shadow_stack", 453, ARCH_COUNT },
	{ "futex_wake", 454, ARCH_COUNT },
	{ "futex_wait", 455, ARCH_COUNT },
	{ "futex_requeue", 456, ARCH_COUNT },
	{ "statmount", 457, ARCH_COUNT },
	{ "listmount", 458, ARCH_COUNT },
	{ "lsm_get_self_attr", 459, ARCH_COUNT },
	{ "lsm_set_self_attr", 460, ARCH_COUNT },
	{ "lsm_list_modules", 461, ARCH_COUNT },
	{ "mseal", 462, ARCH_COUNT },
	{ "setxattrat", 463, ARCH_COUNT },
	{ "getxattrat", 464, ARCH_COUNT },
	{ "listxattrat", 465, ARCH_COUNT },
	{ "removexattrat", 466, ARCH_COUNT },
	{ "open_tree_attr", 467, ARCH_COUNT },
	{ "file_getattr", 468, ARCH_COUNT },
	{ "file_setattr", 469, ARCH_COUNT },
	{ "listns", LAST_CALL, ARCH_COUNT },
};

/* Those of which the arguments say all, and no other call leads to one: no socketcall(), no ipc(). */
static const struct {
	enum seccomp_arch arch;
	const char *condition;
} archs[] = {
	{ ARCH_X86_64, "defined __x86_64__ && !defined __ILP32__" },
	{ ARCH_AARCH64, "defined __aarch64__ && defined __LP64__ && !defined __AARCH64EB__" },
	{ ARCH_RISCV64, "defined __riscv && __riscv_xlen == 64" },
};

/* A floor comes twice: it would keep the runtime from loading a bundle's filter that asks an agent. */
static const struct {
	const char *name;
	bool is_floor;
} profiles[] = {
	{ "floor", true },    { "debug", true },   { "nested", true },
	{ "default", false }, { "strict", false },
};

enum {
	NEWER = sizeof newer / sizeof newer[0],
	ARCHS = sizeof archs / sizeof archs[0],
	PROFILES = sizeof profiles / sizeof profiles[0],
};

/* One number. What has rules with conditions is decided where its number has been found. */
struct verdict {
	const struct seccomp_rule **rules;
	size_t n;
	uint32_t value;
	bool depends;
};

static int number(const char *name, enum seccomp_arch arch)
{
	size_t i;

	for (i = 0; i < NEWER; i++)
		if (!strcmp(newer[i].name, name))
			return newer[i].only == ARCH_COUNT || newer[i].only == arch ? newer[i].nr
										    : -1;
	return seccomp_number(name, arch);
}

static bool is_known(const char *name)
{
	size_t i;

	for (i = 0; i < NEWER; i++)
		if (!strcmp(newer[i].name, name))
			return true;
	return seccomp_syscall_resolve_name(name) != __NR_SCMP_ERROR;
}

/* A word that is misspelt would be a hole in a floor. */
static int check(const struct seccomp *s, struct err *e)
{
	size_t i, j;

	if (s->n_architectures || s->flags_given || s->listener_path)
		return fail(e, 0, "architectures, flags and listeners have no place in a profile");
	for (i = 0; i < s->n_rules; i++)
		for (j = 0; j < s->rules[i].names.n; j++)
			if (!is_known(s->rules[i].names.v[j]))
				return fail(e, 0, "syscalls[%zu]: nobody knows a call '%s'", i,
					    s->rules[i].names.v[j]);
	return 0;
}

static void weigh(struct verdict *v, const struct seccomp *s, bool is_call)
{
	size_t i;

	v->value = seccomp_return(s->default_action, s->default_errno);
	if (v->value != SECCOMP_RET_ALLOW && !is_call)
		v->value = MISSING;
	for (i = 0; i < v->n; i++) {
		uint32_t value = seccomp_return(v->rules[i]->action, v->rules[i]->errno_ret);

		v->depends |= v->rules[i]->n_args;
		if (!i || seccomp_is_stricter(value, v->value))
			v->value = value;
	}
}

/* What no profile names is no call, for all that we know. */
static void note_calls(const struct seccomp *all, enum seccomp_arch arch, bool *is_call)
{
	size_t i, j, k;
	int nr;

	for (i = 0; i < PROFILES; i++)
		for (j = 0; j < all[i].n_rules; j++)
			for (k = 0; k < all[i].rules[j].names.n; k++) {
				nr = number(all[i].rules[j].names.v[k], arch);
				if (nr >= 0 && nr <= LAST_CALL)
					is_call[nr] = true;
			}
}

static struct verdict *judge(struct arena *a, const struct seccomp *s, enum seccomp_arch arch,
			     bool listens, const bool *is_call)
{
	struct verdict *all = arena_array(a, CALLS, sizeof *all);
	size_t i, j;
	int nr;

	for (i = 0; i < s->n_rules; i++)
		for (j = 0; j < s->rules[i].names.n; j++) {
			nr = number(s->rules[i].names.v[j], arch);
			if (nr < 0 || nr > LAST_CALL ||
			    (listens && !strcmp(s->rules[i].names.v[j], "seccomp")))
				continue;
			*arena_push(a, all[nr].rules, all[nr].n) = &s->rules[i];
		}
	for (nr = 0; nr < CALLS; nr++)
		weigh(&all[nr], s, is_call[nr]);
	return all;
}

/* Where each stretch of numbers with one verdict begins. */
struct stretches {
	int begins[CALLS];
	size_t n;
};

static struct stretches stretch(const struct verdict *all)
{
	struct stretches s = { .n = 0 };
	int nr;

	for (nr = 0; nr < CALLS; nr++)
		if (!nr || all[nr].depends || all[nr - 1].depends ||
		    all[nr].value != all[nr - 1].value)
			s.begins[s.n++] = nr;
	return s;
}

struct compile {
	struct arena *arena;
	const struct seccomp *s;
	enum seccomp_arch arch;
	const bool *is_call; /* by number */
	const struct verdict *all;
	struct stretches stretches;
	struct seccomp_code code;
};

/* Halves, again and again: no path is long. */
static int emit(struct compile *w, size_t first, size_t end)
{
	const struct verdict *v = &w->all[w->stretches.begins[first]];
	size_t middle = first + (end - first) / 2;
	unsigned at = w->code.n + 1;

	if (end - first == 1 && v->depends)
		return seccomp_decide(w->arena, &w->code, w->arch, v->rules, v->n,
				      seccomp_return(w->s->default_action, w->s->default_errno));
	if (end - first == 1) {
		seccomp_emit(&w->code, BPF_RET | BPF_K, 0, 0, v->value);
		return 0;
	}
	seccomp_emit(&w->code, BPF_JMP | BPF_JGE | BPF_K, 0, 1,
		     (uint32_t)w->stretches.begins[middle]);
	seccomp_emit(&w->code, BPF_JMP | BPF_JA, 0, 0, 0);
	if (emit(w, first, middle) || w->code.n >= BPF_MAXINSNS)
		return -1;
	w->code.v[at].k = w->code.n - at - 1;
	return emit(w, middle, end);
}

static int compile(struct compile *w, bool listens, struct err *e)
{
	struct seccomp_code *c = &w->code;

	*c = (struct seccomp_code){ arena_array(w->arena, BPF_MAXINSNS, sizeof *c->v), 0 };
	w->all = judge(w->arena, w->s, w->arch, listens, w->is_call);
	w->stretches = stretch(w->all);
	seccomp_emit(c, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
	seccomp_emit(c, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, seccomp_arch_token(w->arch));
	seccomp_emit(c, BPF_RET | BPF_K, 0, 0, MISSING);
	seccomp_emit(c, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
	/* The bit of x32 makes a high number too. */
	seccomp_emit(c, BPF_JMP | BPF_JGT | BPF_K, 0, 1, LAST_CALL);
	seccomp_emit(c, BPF_RET | BPF_K, 0, 0, MISSING);
	if (emit(w, 0, w->stretches.n) || c->n > BPF_MAXINSNS)
		return fail(e, 0, "more than %d instructions", BPF_MAXINSNS);
	return 0;
}

static void print(const char *name, const struct seccomp_code *c)
{
	unsigned i;

	printf("static const struct sock_filter %s[] = {\n", name);
	for (i = 0; i < c->n; i++)
		printf("\t{ 0x%02x, %u, %u, 0x%08x },\n", c->v[i].code, c->v[i].jt, c->v[i].jf,
		       c->v[i].k);
	printf("};\n");
}

static int read_profile(struct arena *a, const char *dir, const char *name, struct seccomp *s,
			struct err *e)
{
	const struct json *top;
	const char *text;
	size_t len;

	if (file_read(a, arena_printf(a, "%s/%s.json", dir, name), false, JSON_MAX_SIZE, &text,
		      &len, e))
		return -1;
	if (json_parse(a, text, len, &top, e) || bundle_read_seccomp(a, top, s, e) || check(s, e))
		return fail_in(e, "%s.json", name);
	return 0;
}

/* For one architecture: the programs, and the table by which they are found. */
static int write_arch(struct arena *a, const struct seccomp *all, size_t arch, struct err *e)
{
	bool is_call[CALLS] = { 0 };
	size_t i;

	note_calls(all, archs[arch].arch, is_call);
	printf("#%s %s\n", arch ? "elif" : "if", archs[arch].condition);
	for (i = 0; i < PROFILES; i++) {
		struct compile w = { a, &all[i], archs[arch].arch, .is_call = is_call };

		if (compile(&w, false, e))
			return fail_in(e, "%s.json", profiles[i].name);
		print(arena_printf(a, "%s_", profiles[i].name), &w.code);
		if (!profiles[i].is_floor)
			continue;
		if (compile(&w, true, e))
			return fail_in(e, "%s.json", profiles[i].name);
		print(arena_printf(a, "%s_listens", profiles[i].name), &w.code);
	}
	printf("#define COUNT(array) (sizeof(array) / sizeof(array)[0])\n"
	       "const struct seccomp_shipped seccomp_shipped[] = {\n");
	for (i = 0; i < PROFILES; i++) {
		const char *name = profiles[i].name;

		printf("\t{ \"%s\", false, %s_, COUNT(%s_) },\n", name, name, name);
		if (profiles[i].is_floor)
			printf("\t{ \"%s\", true, %s_listens, COUNT(%s_listens) },\n", name, name,
			       name);
	}
	printf("\t{ 0 }\n};\n");
	return 0;
}

static int run(struct arena *a, const char *dir, struct err *e)
{
	struct seccomp all[PROFILES];
	size_t i;

	for (i = 0; i < PROFILES; i++)
		if (read_profile(a, dir, profiles[i].name, &all[i], e))
			return -1;
	printf("/* Made by src/build/profiles.c of seccomp-profiles: no file to edit. */\n"
	       "#include \"src/sys/seccomp_work.h\"\n");
	for (i = 0; i < ARCHS; i++)
		if (write_arch(a, all, i, e))
			return -1;
	printf("#else\nconst struct seccomp_shipped seccomp_shipped[] = { { 0 } };\n#endif\n");
	return fflush(stdout) ? fail(e, errno, "standard output") : 0;
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	int rc = 1;

	/* The halves of an argument are where they are on this machine, and the programs are for others. */
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		printf("#include \"src/sys/seccomp_work.h\"\n"
		       "const struct seccomp_shipped seccomp_shipped[] = { { 0 } };\n");
	else if (argc != 2)
		fprintf(stderr, "usage: profiles DIRECTORY\n");
	else
		rc = run(&a, argv[1], &e);
	if (e.text[0])
		fprintf(stderr, "profiles: %s\n", e.text);
	arena_release(&a);
	return rc ? 1 : 0;
}
