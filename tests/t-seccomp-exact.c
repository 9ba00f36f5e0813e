// SPDX-License-Identifier: Apache-2.0
/* Tests of whole filters without the kernel: what they say to calls with arguments of all kinds. */
#include <stdio.h>

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <seccomp.h>

#include "../src/base/fd.h"
#include "../src/base/jsonw.h"
#include "../src/sys/seccomp_work.h"
#include "seccomp_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { DUP3_X86_64 = 292, DUP3_I386 = 330, SOCKETCALL = 102, X32_BIT = 0x40000000 };

/* The strictest of what holds; of equals the first. All rules are for the one call. */
static uint32_t expected(const struct seccomp *s, const uint64_t *args, bool wide)
{
	uint32_t best = seccomp_return(s->default_action, s->default_errno), value;
	bool found = false;
	size_t i;

	for (i = 0; i < s->n_rules; i++) {
		if (!rule_holds(&s->rules[i], args, wide))
			continue;
		value = seccomp_return(s->rules[i].action, s->rules[i].errno_ret);
		if (!found || (int32_t)(value & SECCOMP_RET_ACTION_FULL) <
				      (int32_t)(best & SECCOMP_RET_ACTION_FULL))
			best = value;
		found = true;
	}
	return best;
}

static uint32_t random_state;

static unsigned chance(unsigned n)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 16) % n;
}

/* Around the edges of halves and of signs. */
static uint64_t edge(void)
{
	static const uint64_t edges[] = { 0,
					  1,
					  2,
					  7,
					  8,
					  0xfff,
					  0x7fffffff,
					  0x80000000,
					  0xffffffff,
					  0x100000000,
					  0x100000001,
					  0x1ffffffff,
					  0x8000000000000000,
					  0xffffffff00000000,
					  0xffffffffffffffff };

	return edges[chance(COUNT(edges))];
}

enum { RULES = 8 };

/* Between one rule and RULES of them for dup3; one has conditions at least. */
static struct seccomp *random_section(struct arena *a)
{
	static const int actions[] = { SECCOMP_ALLOW, SECCOMP_ERRNO, SECCOMP_TRAP,
				       SECCOMP_KILL_PROCESS };
	static const int archs[] = { ARCH_X86_64, ARCH_X86, ARCH_X32 };
	static const char *const name = "dup3";
	struct seccomp *s = arena_alloc(a, sizeof *s);
	size_t i, j;

	s->set = true;
	s->default_action = actions[chance(COUNT(actions))];
	s->architectures = arena_array(a, COUNT(archs), sizeof(int));
	memcpy(s->architectures, archs, sizeof archs);
	s->n_architectures = COUNT(archs);
	s->n_rules = 1 + chance(RULES);
	s->rules = arena_array(a, s->n_rules, sizeof *s->rules);
	for (i = 0; i < s->n_rules; i++) {
		struct seccomp_rule *r = &s->rules[i];

		r->names = (struct strings){ arena_alloc(a, sizeof name), 1 };
		r->names.v[0] = name;
		r->action = actions[chance(COUNT(actions))];
		r->errno_ret = (struct opt_u32){ r->action == SECCOMP_ERRNO, 1 + chance(3) };
		r->n_args = i ? chance(5) : 1 + chance(4);
		r->args = arena_array(a, r->n_args, sizeof *r->args);
		for (j = 0; j < r->n_args; j++)
			r->args[j] = (struct seccomp_arg){ chance(4) ? (uint32_t)j
								     : chance(SECCOMP_ARGS),
							   edge(), edge(), (int)chance(7) };
	}
	return s;
}

static void test_random(void)
{
	static const struct {
		uint32_t arch;
		int nr;
		bool wide;
	} calls[] = { { AUDIT_ARCH_X86_64, DUP3_X86_64, true },
		      { AUDIT_ARCH_I386, DUP3_I386, false },
		      { AUDIT_ARCH_X86_64, X32_BIT + DUP3_X86_64, false } };
	size_t i, j, k, wrong[COUNT(calls)] = { 0 }, refused = 0;
	struct seccomp_data d;
	struct err e;

	for (i = 0; i < 1000; i++) {
		struct arena a = { 0 };
		struct seccomp_program p = { 0 };
		struct seccomp *s;

		random_state = (uint32_t)i;
		s = random_section(&a);
		if (seccomp_compile(&a, s, &p, &e)) {
			refused++;
			continue;
		}
		for (j = 0; j < 300; j++) {
			for (k = 0; k < SECCOMP_ARGS; k++)
				d.args[k] = edge();
			for (k = 0; k < COUNT(calls); k++) {
				uint64_t args[SECCOMP_ARGS];

				memcpy(args, (const char *)&d + offsetof(struct seccomp_data, args),
				       sizeof args);
				d.arch = calls[k].arch;
				d.nr = calls[k].nr;
				wrong[k] += verdict(&p, &d) != expected(s, args, calls[k].wide);
			}
		}
		arena_release(&a);
	}
	cmp_ok(refused, "==", 0, "1000 sections compile");
	cmp_ok(wrong[0], "==", 0, "their filters do what they say to 64-bit calls");
	cmp_ok(wrong[1], "==", 0, "and to 32-bit calls, of which lower halves count");
	cmp_ok(wrong[2], "==", 0, "and to calls of x32");
}

#define ARCHS "'architectures':['SCMP_ARCH_X86_64','SCMP_ARCH_X86']"
#define SOCKET(action, op, value)                                                              \
	"{'names':['socket'],'action':'SCMP_ACT_" action "','args':[{'index':0,'value':" value \
	",'op':'SCMP_CMP_" op "'}]}"

static uint32_t call(const struct seccomp_program *p, uint32_t arch, int nr, uint64_t arg)
{
	struct seccomp_data d = { .nr = nr, .arch = arch, .args = { arg } };

	return verdict(p, &d);
}

static void test_precedence(struct arena *a)
{
	enum { SOCKET_NR = 41, BIND = 49, UNIX = 1, VSOCK = 40 };
	const uint32_t arch = AUDIT_ARCH_X86_64, eperm = SECCOMP_RET_ERRNO | EPERM;
	struct seccomp_program p;

	build(a,
	      "{'defaultAction':'SCMP_ACT_ERRNO','syscalls':[{'names':['socket','bind'],'action':"
	      "'SCMP_ACT_ALLOW'}," SOCKET("ERRNO", "EQ", "40") "]}",
	      &p);
	cmp_ok(call(&p, arch, SOCKET_NR, UNIX), "==", SECCOMP_RET_ALLOW,
	       "what a rule allows is allowed");
	cmp_ok(call(&p, arch, SOCKET_NR, VSOCK), "==", eperm,
	       "but for what another denies, though its action is the default");
	cmp_ok(call(&p, arch, BIND, VSOCK), "==", SECCOMP_RET_ALLOW,
	       "other calls of the rule stay allowed");
	build(a,
	      "{'defaultAction':'SCMP_ACT_ALLOW','syscalls':[" SOCKET("LOG", "GE", "0") "," SOCKET(
		      "KILL_PROCESS", "EQ", "40") "," SOCKET("ERRNO", "GE", "2") "]}",
	      &p);
	cmp_ok(call(&p, arch, SOCKET_NR, UNIX), "==", SECCOMP_RET_LOG,
	       "of one rule that holds it is that one");
	cmp_ok(call(&p, arch, SOCKET_NR, 3), "==", eperm, "of two it is the one that takes more");
	cmp_ok(call(&p, arch, SOCKET_NR, VSOCK), "==", SECCOMP_RET_KILL_PROCESS,
	       "of three it is the one that takes most");
}

/* 32-bit programs make sockets with socketcall(SYS_SOCKET, pointer to the arguments). */
static void test_socketcall(struct arena *a)
{
	enum { SOCKET_NR = 359, SYS_SOCKET = 1, SYS_BIND = 2 };
	const uint32_t arch = AUDIT_ARCH_I386, eperm = SECCOMP_RET_ERRNO | EPERM;
	struct seccomp_program p;

	build(a,
	      "{'defaultAction':'SCMP_ACT_ALLOW'," ARCHS
	      ",'syscalls':[" SOCKET("ERRNO", "EQ", "40") "]}",
	      &p);
	cmp_ok(call(&p, arch, SOCKET_NR, 40), "==", eperm,
	       "a family that is denied is denied to 32-bit programs");
	cmp_ok(call(&p, arch, SOCKET_NR, 1), "==", SECCOMP_RET_ALLOW, "others are not");
	cmp_ok(call(&p, arch, SOCKETCALL, SYS_SOCKET), "==", eperm,
	       "where it cannot be seen, all are");
	cmp_ok(call(&p, arch, SOCKETCALL, SYS_BIND), "==", SECCOMP_RET_ALLOW,
	       "but no other call is");

	build(a,
	      "{'defaultAction':'SCMP_ACT_ERRNO'," ARCHS ",'syscalls':[{'names':['bind'],'action':"
	      "'SCMP_ACT_ALLOW'}," SOCKET("ALLOW", "EQ", "1") "]}",
	      &p);
	cmp_ok(call(&p, arch, SOCKET_NR, 1), "==", SECCOMP_RET_ALLOW,
	       "a family that is allowed is allowed");
	cmp_ok(call(&p, arch, SOCKETCALL, SYS_SOCKET), "==", eperm,
	       "where it cannot be seen, none is");
	cmp_ok(call(&p, arch, SOCKETCALL, SYS_BIND), "==", SECCOMP_RET_ALLOW,
	       "a call that is allowed is allowed either way");
}

/* Our numbers are those that libseccomp has for the name when it is asked the other way round. */
static void test_numbers(void)
{
	static const struct {
		enum seccomp_arch arch;
		int first;
	} archs[] = { { ARCH_X86, 0 },     { ARCH_S390, 0 },     { ARCH_S390X, 0 },
		      { ARCH_PPC, 0 },     { ARCH_PPC64, 0 },    { ARCH_PPC64LE, 0 },
		      { ARCH_MIPS, 4000 }, { ARCH_MIPSEL, 4000 } };
	size_t i, wrong = 0, missing = 0;
	int nr;

	for (i = 0; i < COUNT(archs); i++)
		for (nr = archs[i].first; nr < archs[i].first + 512; nr++) {
			char *name = seccomp_syscall_resolve_num_arch(
				seccomp_arch_token(archs[i].arch), nr);
			int ours = name ? seccomp_number(name, archs[i].arch) : nr;

			missing += ours < 0;
			wrong += ours >= 0 && ours != nr;
			free(name);
		}
	cmp_ok(wrong, "==", 0, "no call has a wrong number");
	cmp_ok(missing, "==", 0, "and none is without");
}

static void test_limits(struct arena *a)
{
	char *rules = arena_strdup(a, ""), *names = arena_strdup(a, "'dup3'");
	struct seccomp_program p;
	size_t i;

	for (i = 0; i < 1000; i++)
		rules = arena_printf(a, "%s%s{'index':0,'op':'SCMP_CMP_EQ','value':%zu}", rules,
				     i ? "," : "", i);
	for (i = 0; i < 1000; i++)
		names = arena_printf(a, "%s,'dup3'", names);
	like(build(a,
		   arena_printf(a,
				"{'defaultAction':'SCMP_ACT_ERRNO','syscalls':[{'names':['dup3'],"
				"'action':'SCMP_ACT_ALLOW','args':[%s]}]}",
				rules),
		   &p),
	     "^linux.seccomp: the filter has more than 4096 instructions",
	     "a filter that is too long is refused");
	like(build(a,
		   arena_printf(a,
				"{'defaultAction':'SCMP_ACT_ERRNO','syscalls':[{'names':[%s],"
				"'action':'SCMP_ACT_ALLOW','args':[%s]}]}",
				names, rules),
		   &p),
	     "^linux.seccomp: the filter has more than 4096 instructions",
	     "so is one that would be a million");
	is(build(a,
		 arena_printf(a,
			      "{'defaultAction':'SCMP_ACT_ERRNO','syscalls':[{'names':[%s],"
			      "'action':'SCMP_ACT_ALLOW'}]}",
			      names),
		 &p),
	   "", "a name a thousand times is the same as once");
}

/* An engine's own profile, for a container without further capabilities. */
static void copy_rule(struct jsonw *w, const char *text, const struct json *rule)
{
	static const char *const keys[] = { "names", "action", "args", "errnoRet" };
	const struct json *v, *unless = json_get(json_get(rule, "includes"), "caps");
	const struct json *arches = json_get(json_get(rule, "includes"), "arches"), *arch;
	bool here = !arches || !arches->count;
	size_t i;

	for (arch = here ? NULL : arches->first; arch; arch = arch->next)
		here |= !strcmp(arch->text, "amd64");
	if (!here || (unless && unless->count))
		return;
	jsonw_object(w);
	for (i = 0; i < COUNT(keys); i++) {
		v = json_get(rule, keys[i]);
		if (!v || v->type == JSON_NULL)
			continue;
		jsonw_key(w, keys[i]);
		jsonw_raw(w, text + v->start, v->end - v->start);
	}
	jsonw_end(w);
}

static const char *engine_profile(struct arena *a)
{
	static const char archs[] = "[\"SCMP_ARCH_X86_64\",\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\"]";
	const struct json *top, *rule;
	struct jsonw *w = jsonw_new(a, false);
	const char *text;
	struct err e;
	size_t len;

	if (file_read(a, "/usr/share/containers/seccomp.json", false, JSON_MAX_SIZE, &text, &len,
		      &e) ||
	    json_parse(a, text, len, &top, &e))
		return NULL;
	jsonw_object(w);
	jsonw_kv(w, "defaultAction", "SCMP_ACT_ERRNO");
	jsonw_key(w, "architectures");
	jsonw_raw(w, archs, strlen(archs));
	jsonw_key(w, "syscalls");
	jsonw_array(w);
	for (rule = json_get(top, "syscalls")->first; rule; rule = rule->next)
		copy_rule(w, text, rule);
	jsonw_end(w);
	jsonw_end(w);
	return jsonw_text(w, NULL);
}

static void test_engine(struct arena *a)
{
	enum { READ = 0, CLONE = 56, PERSONALITY = 135, KEXEC = 246 };
	const uint32_t arch = AUDIT_ARCH_X86_64, deny = SECCOMP_RET_ERRNO;
	const char *text = engine_profile(a);
	struct seccomp_program p = { 0 };

	skip(!text, 7, "no profile of podman's here");
	is(build(a, text, &p), "", "podman's profile compiles");
	diag("it has %u instructions", p.n);
	cmp_ok(call(&p, arch, READ, 0), "==", SECCOMP_RET_ALLOW, "it allows read");
	cmp_ok(call(&p, arch, KEXEC, 0) & SECCOMP_RET_ACTION_FULL, "==", deny,
	       "it denies kexec_load");
	cmp_ok(call(&p, arch, CLONE, 0x11), "==", SECCOMP_RET_ALLOW, "it allows a process");
	cmp_ok(call(&p, arch, PERSONALITY, 8), "==", SECCOMP_RET_ALLOW, "it allows PER_LINUX32");
	cmp_ok(call(&p, arch, PERSONALITY, 4) & SECCOMP_RET_ACTION_FULL, "==", deny,
	       "it denies others");
	cmp_ok(call(&p, arch, 1000, 0), "==", SECCOMP_RET_ERRNO | ENOSYS, "it knows no call 1000");
	end_skip;
}

int main(void)
{
	struct arena a = { 0 };

	plan(NO_PLAN);
	test_random();
	test_precedence(&a);
	test_socketcall(&a);
	test_numbers();
	test_limits(&a);
	test_engine(&a);
	arena_release(&a);
	done_testing();
}
