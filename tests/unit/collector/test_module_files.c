/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file is a module's, and which module a call is from. */
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

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_library.h"
#include "tests/unit/util_log.h"

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
static void check_file(const struct library_addresses *a,
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
	library_remove_outputs();
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
	struct library_addresses a;
	struct stat st;

	(void)state;
	library_compile("cc", "-g -Wl,--build-id=none");
	a = library_load();
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
	library_shell("cd %s.d && cp -p library.so copy && mv copy library.so",
		      run);
	check_file(&a, &ran, 12, "");
	check_file(&a, &by_inode, 0, changed);
	/* Another build, of the same size and time. */
	library_shell("cd %s.d && touch -r library.so time && sed -i '1i\\ ' "
		      "src/program.c",
		      run);
	library_compile("cc", "-g -Wl,--build-id=none");
	library_shell(
		"cd %s.d && touch -r time library.so && sed -i 1d src/program.c",
		run);
	check_file(&a, &ran, 0, changed);
	check_file(&a, &by_inode, 0, changed);
	/* One that has a build-id. */
	library_compile("cc", "-g");
	check_file(&a, &ran, 0,
		   "it is not the file that ran: its build-id differs");
}

/* One after the other at one address: each call is its own module's, in
   whatever order the log says things again. */
static void one_after_the_other(void **state)
{
	struct log_module_file first = { .id = 1 }, second = { .id = 2 };
	struct library_addresses a;
	struct log *l;
	unsigned put, get, in_first, in_second;
	sqlite3 *db;

	(void)state;
	library_compile("cc", "-g");
	a = library_load();
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
	library_remove_outputs();
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
	struct library_addresses a;
	sqlite3 *db;

	(void)state;
	library_compile("cc", "-g");
	a = library_load();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *path = cases[i].path ? cases[i].path : library;

		library_add_log(&a, 0x20000, path, cases[i].build_id);
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
		library_remove_outputs();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_build_id),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(other_file),
	};

	return cmocka_run_group_tests(tests, library_set_up, library_tear_down);
}
