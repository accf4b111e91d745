/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library of known lines: text, compiled and loaded. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_library.h"
#include "tests/unit/util_log.h"

static const char program[] =
	"#define NOINLINE __attribute__((noinline))\n" /* 1 */
	"long table[8] = { 1 };\n"		       /* 2 */
	"static long hidden = 7;\n"		       /* 3 */
	"NOINLINE void *here(void)\n"		       /* 4 */
	"{\n"					       /* 5 */
	"	__asm__ volatile(\"\");\n"	       /* 6 */
	"	return __builtin_return_address(0);\n" /* 7 */
	"}\n"					       /* 8 */
	"NOINLINE void *first(void)\n"		       /* 9 */
	"{\n"					       /* 10 */
	"	void *p =\n"			       /* 11 */
	"		here();\n"		       /* 12 */
	"	__asm__ volatile(\"\");\n"	       /* 13 */
	"	return p;\n"			       /* 14 */
	"}\n"					       /* 15 */
	"static inline __attribute__((always_inline)) void *in(void)\n"
	"{\n"				   /* 17 */
	"	void *p = here();\n"	   /* 18 */
	"	__asm__ volatile(\"\");\n" /* 19 */
	"	return p;\n"		   /* 20 */
	"}\n"				   /* 21 */
	"NOINLINE void *second(void)\n"	   /* 22 */
	"{\n"				   /* 23 */
	"	return in();\n"		   /* 24 */
	"}\n"				   /* 25 */
	"void *hidden_at(void)\n"	   /* 26 */
	"{\n"				   /* 27 */
	"	return &hidden;\n"	   /* 28 */
	"}\n"
	"NOINLINE static void *silent(void)\n" /* 30 */
	"{\n"
	"	void *p = here();\n"
	"	__asm__ volatile(\"\");\n"
	"	return p;\n"
	"}\n"
	"void *third(void)\n"
	"{\n"
	"	void *p = silent();\n"
	"	__asm__ volatile(\"\");\n"
	"	return p;\n"
	"}\n";

char *run;
char library[300];

void library_shell(const char *fmt, ...)
{
	char command[2000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof command, fmt, ap);
	va_end(ap);
	if (system(command))
		fail_msg("%s", command);
}

int library_set_up(void **state)
{
	char path[300];

	(void)state;
	run = run_new();
	library_shell("mkdir -p %s.d/src", run);
	snprintf(library, sizeof library, "%s.d/library.so", run);
	snprintf(path, sizeof path, "%s.d/src", run);
	run_add_bytes(path, "program.c", program, sizeof program - 1);
	return 0;
}

int library_tear_down(void **state)
{
	(void)state;
	library_shell("rm -rf %s.d", run);
	run_remove(run);
	return 0;
}

void library_compile(const char *compiler, const char *options)
{
	library_shell(
		"cd %s.d && %s -O1 -fPIC -shared -Wl,--build-id=0x0102030405060708 "
		"%s -o library.so src/program.c",
		run, compiler, options);
}

static uint64_t call_of(void *handle, const char *name)
{
	void *(*function)(void);

	*(void **)&function = dlsym(handle, name);
	assert_non_null(function);
	return (uintptr_t)function();
}

struct library_addresses library_load(void)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	struct library_addresses a;
	Dl_info info;

	if (!handle)
		fail_msg("%s", dlerror());
	a.table = (uintptr_t)dlsym(handle, "table");
	assert_true(dladdr(dlsym(handle, "here"), &info));
	a.base = (uintptr_t)info.dli_fbase;
	a.first = call_of(handle, "first") - a.base;
	a.second = call_of(handle, "second") - a.base;
	a.third = call_of(handle, "third") - a.base;
	a.in_first = a.first - 1 + a.base - (uintptr_t)dlsym(handle, "first");
	a.in_second =
		a.second - 1 + a.base - (uintptr_t)dlsym(handle, "second");
	a.hidden = call_of(handle, "hidden_at") - a.base;
	a.table -= a.base;
	dlclose(handle);
	return a;
}

/* A log of a process that has the library at this place. */
void library_add_log(const struct library_addresses *a, uint64_t base,
		     const char *path, const char *build_id)
{
	struct log *l = log_rank(0, 1);
	unsigned put = log_op(l, "put", "put", "communication", "object:p", "");
	unsigned first, second, outside;

	log_module(l, base, base + 0x100000, base, build_id, 8, path);
	log_segment(l, 1, base, 0x100000, "module", "library.so");
	first = log_site_pc(l, put, base + a->first);
	second = log_site_pc(l, put, base + a->second);
	outside = log_site_pc(l, put, 0x1235);
	log_start(l, 0, first, ARGS((int64_t)(base + a->table)));
	log_end(l, 1, first, NONE);
	log_start(l, 2, second, ARGS((int64_t)(base + a->table + 16)));
	log_end(l, 3, second, NONE);
	log_start(l, 4, outside, ARGS((int64_t)(base + a->hidden)));
	log_end(l, 5, outside, NONE);
	log_close(l);
	run_add(run, l);
}

void library_remove_outputs(void)
{
	library_shell("rm -f %s/lines.tsv %s/db.sqlite", run, run);
}
