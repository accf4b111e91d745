/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of calls and names of objects. The test compiles a library from a text
 * with known lines, loads it, and asks it for its return addresses.
 * Long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_library.h"
#include "tests/unit/util_log.h"

static bool is_here(const char *command)
{
	char line[200];

	snprintf(line, sizeof line, "command -v %s >/dev/null", command);
	return !system(line);
}

/* Is a compiler with these options available? The linker plugin for -flto may
   be missing. */
static bool compiles(const char *compiler, const char *options)
{
	char line[500];

	snprintf(line, sizeof line,
		 "cd %s.d && echo 'int x;' >x.c && %s %s -shared -fPIC -o x.so "
		 "x.c 2>/dev/null",
		 run, compiler, options);
	return !system(line);
}

/* Asserts the lines of all calls of a library. */
static void check_lines(const struct library_addresses *a, const char *what)
{
	sqlite3 *db;

	library_add_log(a, 0x7f0000000000, library, BUILD_ID);
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
	library_remove_outputs();
}

/* Lines by compiler and form of debug information. */
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
	struct library_addresses a;

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
			library_compile(compilers[i], options[k]);
			a = library_load();
			check_lines(&a, options[k]);
		}
}

/* Separate debug information, found by name and checksum. */
static void separate(void **state)
{
	static const char *const places[] = { ".", ".debug" };
	struct library_addresses a;
	sqlite3 *db;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		library_compile("cc", "-g");
		a = library_load();
		library_shell(
			"cd %s.d && mkdir -p %s && objcopy --only-keep-debug "
			"library.so %s/library.debug && strip -g library.so && "
			"objcopy --add-gnu-debuglink=%s/library.debug library.so",
			run, places[i], places[i], places[i]);
		check_lines(&a, places[i]);
		/* A file of another library is not used. */
		library_shell(
			"cd %s.d && cp library.so keep && %s library.so src/"
			"program.c && objcopy --only-keep-debug library.so "
			"%s/library.debug && mv keep library.so",
			run,
			"cc -g -O1 -fPIC -shared -Wl,--build-id=0x08 -DX -o",
			places[i]);
		library_add_log(&a, 0x10000, library, BUILD_ID);
		db = run_open(run);
		assert_int_equal(db_int(db, "SELECT count(*) FROM source WHERE "
					    "file IS NOT NULL"),
				 0);
		assert_string_equal(db_rows(db, "SELECT function FROM source "
						"WHERE function IS NOT NULL"),
				    "first\nsecond\n");
		db_close(db);
		library_remove_outputs();
		library_shell("rm %s.d/%s/library.debug", run, places[i]);
	}
}

static void without_lines(void **state)
{
	char expected[1000];
	struct library_addresses a;
	sqlite3 *db;

	(void)state;
	library_compile("cc", "-g0");
	a = library_load();
	/* A symbol table, and only the one of the loader. */
	for (int stripped = 0; stripped < 2; stripped++) {
		if (stripped)
			library_shell("strip %s", library);
		library_add_log(&a, 0x10000, library, BUILD_ID);
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
		library_remove_outputs();
	}
}

/* Calls in a function without a name: offsets in the module, with and without
   the module itself after the run. */
static void nameless(void **state)
{
	struct gaspdb_error err = { 0 };
	char expected[300];
	struct library_addresses a;
	struct log *l;
	unsigned put;
	sqlite3 *db;

	(void)state;
	library_compile("cc", "-g0");
	a = library_load();
	library_shell("strip %s", library);
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
		library_remove_outputs();
	}
}

/* Names of C++ functions, demangled. */
static void demangled(void **state)
{
	struct library_addresses a;
	sqlite3 *db;

	(void)state;
	library_compile("cc", "-g0");
	a = library_load();
	library_shell(
		"objcopy --redefine-sym second=_ZN4heat4GridIdE6secondEv %s",
		library);
	library_add_log(&a, 0x10000, library, BUILD_ID);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT function FROM source "
					"WHERE function IS NOT NULL "
					"ORDER BY function"),
			    "first\nheat::Grid<double>::second\n");
	db_close(db);
	library_remove_outputs();
}

/* Lines resolved at the run's end, without the program afterwards. */
static void lines_of_the_run(void **state)
{
	struct gaspdb_error err = { 0 };
	struct library_addresses a;
	char path[300], line[500];
	int n = 0;
	sqlite3 *db;
	FILE *f;

	(void)state;
	library_compile("cc", "-g");
	a = library_load();
	library_add_log(&a, 0x30000, library, BUILD_ID);
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

	/* Its lines are used, with tabs; malformed ones are ignored. */
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
	library_remove_outputs();
}

/* Addresses of one line and operation: one source, with the library at another
   address in each process. */
static void one_line_many_addresses(void **state)
{
	struct library_addresses a;
	struct log *l;
	unsigned put, get, sites[4];
	sqlite3 *db;

	(void)state;
	library_compile("cc", "-g");
	a = library_load();
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
	library_remove_outputs();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(separate),
		cmocka_unit_test(without_lines),
		cmocka_unit_test(nameless),
		cmocka_unit_test(demangled),
		cmocka_unit_test(lines_of_the_run),
		cmocka_unit_test(one_line_many_addresses),
	};

	return cmocka_run_group_tests(tests, library_set_up, library_tear_down);
}
