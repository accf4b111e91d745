/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of calls and names of objects.  A library is compiled here from text
 * whose lines are known, loaded, and tells its own return addresses.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "util_db.h"
#include "util_log.h"

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

#define BUILD_ID "\1\2\3\4\5\6\7\10"

static char *run; /* and what is compiled, in a folder below */
static char library[300];

static void shell(const char *fmt, ...)
{
	char command[2000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof command, fmt, ap);
	va_end(ap);
	if (system(command))
		fail_msg("%s", command);
}

static int set_up(void **state)
{
	char path[300];

	(void)state;
	run = run_new();
	shell("mkdir -p %s.d/src", run);
	snprintf(library, sizeof library, "%s.d/library.so", run);
	snprintf(path, sizeof path, "%s.d/src", run);
	run_add_bytes(path, "program.c", program, sizeof program - 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	shell("rm -rf %s.d", run);
	run_remove(run);
	return 0;
}

static void compile(const char *compiler, const char *options)
{
	shell("cd %s.d && %s -O1 -fPIC -shared -Wl,--build-id=0x0102030405060708 "
	      "%s -o library.so src/program.c",
	      run, compiler, options);
}

/* Where the library's code returned to, and its data is; ELF addresses. */
struct addresses {
	uint64_t first, second, third, table, hidden, base;
	uint64_t in_first, in_second; /* the call in the function */
};

static uint64_t call_of(void *handle, const char *name)
{
	void *(*function)(void);

	*(void **)&function = dlsym(handle, name);
	assert_non_null(function);
	return (uintptr_t)function();
}

static struct addresses load(void)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	struct addresses a;
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
static void add_log(const struct addresses *a, uint64_t base, const char *path,
		    const char *build_id)
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

#define CALLS                                                                  \
	"SELECT function, file, line, location, b.name FROM event e JOIN "     \
	"place p USING (source_id) JOIN object b ON b.id = e.object ORDER BY " \
	"e.id"
#define DEFECTS "SELECT kind, severity, count, detail FROM quality"

static void remove_outputs(void)
{
	shell("rm -f %s/lines.tsv %s/db.sqlite", run, run);
}

static bool is_here(const char *command)
{
	char line[200];

	snprintf(line, sizeof line, "command -v %s >/dev/null", command);
	return !system(line);
}

/* The linker's plugin for -flto may not be there. */
static bool compiles(const char *compiler, const char *options)
{
	char line[500];

	snprintf(line, sizeof line,
		 "cd %s.d && echo 'int x;' >x.c && %s %s -shared -fPIC -o x.so "
		 "x.c 2>/dev/null",
		 run, compiler, options);
	return !system(line);
}

/* What each of them must give of the library that lies there. */
static void check_lines(const struct addresses *a, const char *what)
{
	sqlite3 *db;

	add_log(a, 0x7f0000000000, library, BUILD_ID);
	db = run_open(run);
	print_message("# %s\n", what);
	assert_string_equal(db_rows(db, CALLS),
			    "first|src/program.c|12|program.c:12|table\n"
			    "in|src/program.c|18|program.c:18|table+16\n"
			    "-|-|-|-|hidden\n");
	assert_string_equal(db_rows(db, DEFECTS), "");
	assert_int_equal(db_int(db, "SELECT offset FROM source "
				    "WHERE line = 12"),
			 (int64_t)a->first - 1);
	assert_string_equal(db_rows(db, "SELECT module FROM source "
					"WHERE line = 12"),
			    strcat(strcpy((char[310]){ 0 }, library), "\n"));
	db_close(db);
	remove_outputs();
}

/* Compilers, forms of debug information. */
static void lines(void **state)
{
	static const char *const compilers[] = { "gcc", "clang" };
	static const char *const options[] = {
		"-g",
		"-g1",
		"-gdwarf-4",
		"-gdwarf-5 -gz",
		"-g1 -gdwarf-4 -gz",
		"-g -gsplit-dwarf",
		"-gdwarf-4 -gsplit-dwarf",
		"-g -flto",
	};
	struct addresses a;

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; is_here(compilers[i]) &&
				   k < sizeof options / sizeof *options;
		     k++) {
			if (!compiles(compilers[i], options[k])) {
				print_message("# skipped: %s %s\n",
					      compilers[i], options[k]);
				continue;
			}
			compile(compilers[i], options[k]);
			a = load();
			check_lines(&a, options[k]);
		}
}

/* Debug information in a file of its own, found by name and checksum. */
static void separate(void **state)
{
	static const char *const places[] = { ".", ".debug" };
	struct addresses a;
	sqlite3 *db;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		compile("cc", "-g");
		a = load();
		shell("cd %s.d && mkdir -p %s && objcopy --only-keep-debug "
		      "library.so %s/library.debug && strip -g library.so && "
		      "objcopy --add-gnu-debuglink=%s/library.debug library.so",
		      run, places[i], places[i], places[i]);
		check_lines(&a, places[i]);
		/* Another one does not belong to it. */
		shell("cd %s.d && cp library.so keep && %s library.so src/"
		      "program.c && objcopy --only-keep-debug library.so "
		      "%s/library.debug && mv keep library.so",
		      run, "cc -g -O1 -fPIC -shared -Wl,--build-id=0x08 -DX -o",
		      places[i]);
		add_log(&a, 0x10000, library, BUILD_ID);
		db = run_open(run);
		assert_int_equal(db_int(db, "SELECT count(*) FROM source WHERE "
					    "file IS NOT NULL"),
				 0);
		assert_string_equal(db_rows(db, "SELECT function FROM source "
						"WHERE function IS NOT NULL"),
				    "first\nsecond\n");
		db_close(db);
		remove_outputs();
		shell("rm %s.d/%s/library.debug", run, places[i]);
	}
}

/* CRC-32C, bit by bit. */
static uint64_t checksum_of(const char *path)
{
	FILE *f = fopen(path, "r");
	uint32_t crc = UINT32_MAX;

	assert_non_null(f);
	for (int c; (c = getc(f)) != EOF;) {
		crc ^= (uint32_t)c;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	fclose(f);
	return (uint32_t)~crc | (uint64_t)1 << 32;
}

static uint64_t ns_of(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A call of a library without build-id: its line, or 0 and why. */
static void check_file(const struct addresses *a,
		       const struct log_module_file *file, int64_t line,
		       const char *why)
{
	char expected[1000] = "";
	struct log *l = log_rank(0, 1);
	unsigned put = log_op(l, "put", "put", "communication", "", "");
	sqlite3 *db;

	log_module_of_file(l, 0x40000, 0x50000, "", 0, library, file);
	log_call(l, 0, 5, log_site_in(l, put, 0x40000 + a->first, file->id));
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_int_equal(db_int(db, "SELECT ifnull(line, 0) FROM source"),
			 line);
	if (!line)
		snprintf(expected, sizeof expected,
			 "no line information|note|1|%s: %s\n", library, why);
	assert_string_equal(db_rows(db, DEFECTS), expected);
	db_close(db);
	remove_outputs();
}

/* Without a build-id a file is the one that ran by its bytes, or if it was not
   touched since. */
static void no_build_id(void **state)
{
	static const char changed[] =
		"it is not the file that ran: it has no build-id, and was "
		"changed or replaced since";
	static const char unknown[] =
		"it has no build-id, and which file of that name ran is not "
		"known";
	struct log_module_file ran = { .id = 1 }, by_inode;
	struct addresses a;
	struct stat st;

	(void)state;
	compile("cc", "-g -Wl,--build-id=none");
	a = load();
	check_file(&a, &ran, 0, unknown);
	assert_int_equal(stat(library, &st), 0);
	by_inode = ran = (struct log_module_file){
		.id = 1,
		.size = (uint64_t)st.st_size,
		.checksum = checksum_of(library),
		.inode = st.st_ino,
		.modified = ns_of(st.st_mtim),
		.changed = ns_of(st.st_ctim),
	};
	by_inode.checksum = 0;
	check_file(&a, &ran, 12, "");
	check_file(&a, &by_inode, 12, "");
	/* A copy with its time. */
	shell("cd %s.d && cp -p library.so copy && mv copy library.so", run);
	check_file(&a, &ran, 12, "");
	check_file(&a, &by_inode, 0, changed);
	/* Another build, of the same size and time. */
	shell("cd %s.d && touch -r library.so time && sed -i '1i\\ ' "
	      "src/program.c",
	      run);
	compile("cc", "-g -Wl,--build-id=none");
	shell("cd %s.d && touch -r time library.so && sed -i 1d src/program.c",
	      run);
	check_file(&a, &ran, 0, changed);
	check_file(&a, &by_inode, 0, changed);
	/* One that has a build-id. */
	compile("cc", "-g");
	check_file(&a, &ran, 0,
		   "it is not the file that ran: its build-id differs");
}

/* One after the other at one address: each call is its own module's, in
   whatever order the log says things again. */
static void one_after_the_other(void **state)
{
	struct log_module_file first = { .id = 1 }, second = { .id = 2 };
	struct addresses a;
	struct log *l;
	unsigned put, get, in_first, in_second;
	sqlite3 *db;

	(void)state;
	compile("cc", "-g");
	a = load();
	l = log_rank(0, 1);
	put = log_op(l, "put", "put", "communication", "", "");
	get = log_op(l, "get", "get", "communication", "", "");
	for (int again = 0; again < 3; again++) {
		if (again)
			log_block(l, 100 * (uint64_t)again);
		log_module_of_file(l, 0x40000, 0x50000, BUILD_ID, 8, library,
				   &first);
		log_module_of_file(l, 0x40000, 0x60000, "\1", 1, "/none/b.so",
				   &second);
	}
	in_first = log_site_in(l, put, 0x40000 + a.first, 1);
	in_second = log_site_in(l, get, 0x40000 + a.first, 2);
	log_call(l, 300, 305, in_second);
	log_call(l, 310, 315, in_first);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(
		db_rows(db,
			"SELECT o.name, line, replace(module, '%s', 'it') "
			"FROM source s JOIN operation o ON o.id = "
			"operation_id ORDER BY o.name",
			library),
		"get|-|/none/b.so\nput|12|it\n");
	db_close(db);
	remove_outputs();
}

static void without_lines(void **state)
{
	char expected[1000];
	struct addresses a;
	sqlite3 *db;

	(void)state;
	compile("cc", "-g0");
	a = load();
	/* With a symbol table, and only with what the loader needs. */
	for (int stripped = 0; stripped < 2; stripped++) {
		if (stripped)
			shell("strip %s", library);
		add_log(&a, 0x10000, library, BUILD_ID);
		db = run_open(run);
		snprintf(expected, sizeof expected,
			 "first|-|-|first+0x%llx|table\n"
			 "second|-|-|second+0x%llx|table+16\n-|-|-|-|%s\n",
			 (unsigned long long)a.in_first,
			 (unsigned long long)a.in_second,
			 stripped ? "" : "hidden");
		if (stripped)
			snprintf(expected + strlen(expected) - 1, 100,
				 "library.so+0x%llx\n",
				 (unsigned long long)a.hidden);
		assert_string_equal(db_rows(db, CALLS), expected);
		snprintf(expected, sizeof expected,
			 "no line information|note|2|%s: it has no debug "
			 "information\n",
			 library);
		assert_string_equal(db_rows(db, DEFECTS), expected);
		db_close(db);
		remove_outputs();
	}
}

/* Of a function without a name: where in the module; and all this as the run
   left it, without the module. */
static void nameless(void **state)
{
	struct gaspdb_error err = { 0 };
	char expected[300];
	struct addresses a;
	struct log *l;
	unsigned put;
	sqlite3 *db;

	(void)state;
	compile("cc", "-g0");
	a = load();
	shell("strip %s", library);
	for (int gone = 0; gone < 2; gone++) {
		l = log_rank(0, 1);
		put = log_op(l, "put", "put", "communication", "", "");
		log_module(l, 0x40000, 0x50000, 0x40000, BUILD_ID, 8, library);
		log_call(l, 0, 5, log_site_pc(l, put, 0x40000 + a.first));
		log_call(l, 6, 9, log_site_pc(l, put, 0x40000 + a.third));
		log_close(l);
		run_add(run, l);
		if (gone) {
			assert_int_equal(gaspdb_resolve_lines(run, &err),
					 GASPDB_OK);
			unlink(library);
		}
		db = run_open(run);
		snprintf(expected, sizeof expected,
			 "first+0x%llx\nlibrary.so+0x%llx\n",
			 (unsigned long long)a.in_first,
			 (unsigned long long)a.third - 1);
		assert_string_equal(db_rows(db, "SELECT location FROM place "
						"ORDER BY source_id"),
				    expected);
		db_close(db);
		remove_outputs();
	}
}

/* C++'s functions are called what its programmers call them. */
static void demangled(void **state)
{
	struct addresses a;
	sqlite3 *db;

	(void)state;
	compile("cc", "-g0");
	a = load();
	shell("objcopy --redefine-sym second=_ZN4heat4GridIdE6secondEv %s",
	      library);
	add_log(&a, 0x10000, library, BUILD_ID);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT function FROM source "
					"WHERE function IS NOT NULL "
					"ORDER BY function"),
			    "first\nheat::Grid<double>::second\n");
	db_close(db);
	remove_outputs();
}

/* What the run had is not what lies there now: no lines, and why. */
static void other_file(void **state)
{
	static const struct {
		const char *path, *build_id, *why;
	} cases[] = {
		{ NULL, "\1\2\3\4\5\6\7\11",
		  "it is not the file that ran: its build-id differs" },
		{ "/nonexistent", BUILD_ID,
		  "it cannot be opened: No such file or directory" },
		{ "/dev/zero", BUILD_ID,
		  "it cannot be opened: Invalid argument" },
		{ "/etc/passwd", BUILD_ID, "it is not an ELF file" },
	};
	char expected[1000];
	struct addresses a;
	sqlite3 *db;

	(void)state;
	compile("cc", "-g");
	a = load();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *path = cases[i].path ? cases[i].path : library;

		add_log(&a, 0x20000, path, cases[i].build_id);
		db = run_open(run);
		assert_int_equal(db_int(db, "SELECT count(*) FROM source WHERE "
					    "file IS NOT NULL OR function IS "
					    "NOT NULL"),
				 0);
		assert_int_equal(db_int(db, "SELECT count(*) FROM source"), 3);
		snprintf(expected, sizeof expected,
			 "no line information|note|2|%s: %s\n", path,
			 cases[i].why);
		assert_string_equal(db_rows(db, DEFECTS), expected);
		snprintf(expected, sizeof expected, "library.so+0x%llx\n",
			 (unsigned long long)a.table);
		assert_string_equal(
			db_rows(db,
				"SELECT name FROM object ORDER BY offset "
				"LIMIT 1 OFFSET %d",
				a.hidden < a.table),
			expected);
		db_close(db);
		remove_outputs();
	}
}

/* Resolved when the run ends, lines need no program afterwards. */
static void lines_of_the_run(void **state)
{
	struct gaspdb_error err = { 0 };
	struct addresses a;
	char path[300], line[500];
	int n = 0;
	sqlite3 *db;
	FILE *f;

	(void)state;
	compile("cc", "-g");
	a = load();
	add_log(&a, 0x30000, library, BUILD_ID);
	assert_int_equal(gaspdb_resolve_lines(run, &err), GASPDB_OK);
	snprintf(path, sizeof path, "%s/lines.tsv", run);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		char expected[200];

		snprintf(expected, sizeof expected,
			 "0102030405060708\t%llx\tfirst\tsrc/program.c\t12\t",
			 (unsigned long long)a.first - 1);
		n += line[0] != '#';
		if (n == 1)
			assert_memory_equal(line, expected, strlen(expected));
	}
	fclose(f);
	assert_int_equal(n, 2);

	unlink(library);
	db = run_open(run);
	assert_int_equal(db_int(db, "SELECT sum(line) FROM source"), 12 + 18);
	assert_string_equal(db_rows(db, DEFECTS), "");
	db_close(db);

	/* It is believed, tabs and all; what makes no sense is passed over. */
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f,
		"# comment\nnonsense\n\n\t\t\t\t\n"
		"0102030405060708\t%llx\tf\\tg\tb\\\\c.c\t77\t3\n",
		(unsigned long long)a.first - 1);
	fclose(f);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT function, file, line, column "
					"FROM source WHERE line IS NOT NULL"),
			    "f\tg|b\\c.c|77|3\n");
	db_close(db);
	remove_outputs();
}

/* Addresses of one line and operation are one source, and the library may lie
   elsewhere in each process. */
static void one_line_many_addresses(void **state)
{
	struct addresses a;
	struct log *l;
	unsigned put, get, sites[4];
	sqlite3 *db;

	(void)state;
	compile("cc", "-g");
	a = load();
	l = log_rank(0, 1);
	log_module(l, 0x40000, 0x50000, 0x40000, BUILD_ID, 8, library);
	log_module(l, 0x90000, 0xa0000, 0x90000, BUILD_ID, 8, library);
	put = log_op(l, "put", "put", "communication", "", "");
	get = log_op(l, "get", "get", "communication", "", "");
	sites[0] = log_site_pc(l, put, 0x40000 + a.first);
	sites[1] = log_site_pc(l, put, 0x90000 + a.first);
	sites[2] = log_site_pc(l, put, 0x40000 + a.first - 1);
	sites[3] = log_site_pc(l, get, 0x40000 + a.first);
	for (unsigned i = 0; i < 4; i++)
		log_call(l, 10 * i, 10 * i + 5, sites[i]);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT name, line, offset IS NULL, calls FROM "
			    "source s JOIN operation o ON o.id = operation_id "
			    "JOIN profile ON source_id = s.id"),
		"put|12|1|3\nget|12|0|1\n");
	db_close(db);
	remove_outputs();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(separate),
		cmocka_unit_test(no_build_id),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(without_lines),
		cmocka_unit_test(nameless),
		cmocka_unit_test(demangled),
		cmocka_unit_test(other_file),
		cmocka_unit_test(lines_of_the_run),
		cmocka_unit_test(one_line_many_addresses),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
