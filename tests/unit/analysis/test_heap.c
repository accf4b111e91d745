/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private memory that was counted by line, known by construction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

/*
 * Two processes, 0 to 1,000 ns: threads 0 and 2 are one. Events of the same
 * lines do not count besides.
 *
 *   m.c:1, process 0: 10 blocks of 100 bytes until 100, 300, 520, 760 each, 50
 *          until 950, none freed: 1,000 to 5,000 bytes
 *   m.c:2, process 1: 6 blocks of 700 bytes until 200, one freed; two failed.
 *          A log that is written at the same moment has less.
 */
static void add_samples(sqlite3 *db)
{
	static const struct {
		int thread, ns, source, blocks, bytes, frees, live, peak,
			largest, failed, unknown, uncounted;
	} s[] = {
		{ 0, 100, 1, 10, 1000, 0, 1000, 1000, 100, 0, 0, 0 },
		{ 0, 100, 0, 0, 0, 0, 1000, 1500, 0, 0, 0, 0 },
		{ 2, 300, 1, 20, 2000, 0, 2000, 2000, 100, 0, 0, 0 },
		{ 0, 520, 1, 30, 3000, 0, 3000, 3000, 100, 0, 0, 0 },
		{ 2, 760, 1, 40, 4000, 0, 4000, 4000, 100, 0, 0, 0 },
		{ 0, 950, 1, 50, 5000, 0, 5000, 5000, 100, 0, 0, 0 },
		{ 0, 950, 0, 0, 0, 0, 5000, 6000, 0, 0, 3, 0 },
		{ 1, 200, 2, 6, 700, 1, 500, 700, 200, 2, 0, 0 },
		{ 1, 210, 2, 4, 400, 0, 400, 400, 200, 2, 0, 0 },
		{ 1, 200, 0, 0, 0, 0, 500, 700, 0, 0, 0, 0 },
		{ 1, 900, 0, 0, 0, 0, 500, 700, 0, 0, 0, 2 },
	};

	for (size_t i = 0; i < sizeof s / sizeof *s; i++)
		db_exec(db,
			"INSERT INTO memory_sample VALUES(%d, %d, "
			"(SELECT id FROM source WHERE line = %d), %d, %d, %d, "
			"%d, %d, %d, %d, %d, %d)",
			s[i].thread, s[i].ns, s[i].source, s[i].blocks,
			s[i].bytes, s[i].frees, s[i].live, s[i].peak,
			s[i].largest, s[i].failed, s[i].unknown,
			s[i].uncounted);
}

static sqlite3 *make(void)
{
	sqlite3 *db = db_new();

	db_threads(db, 3, 1000);
	db_exec(db, "UPDATE thread SET rank = NULL, host = 'node', "
		    "pid = iif(id = 1, 8, 7)");
	db_arg(db, db_call(db, 0, "malloc", "alloc", "m.c:1", 10, 20),
	       "address", 64);
	db_arg(db, db_call(db, 1, "malloc", "alloc", "m.c:2", 10, 20),
	       "address", 64);
	add_samples(db);
	return db;
}

static void test_lines(void **state)
{
	sqlite3 *db = make();

	(void)state;
	db_passes(db);
	assert_string_equal(
		db_rows(db, "SELECT s.line, thread_id, shared, blocks, bytes, "
			    "largest_bytes, peak_bytes, failed, unseen, "
			    "leaked, leaked_bytes, leaked_event_id, frees, "
			    "unknown_frees, grows FROM memory_line "
			    "JOIN source s ON s.id = source_id ORDER BY 1"),
		"1|0|0|50|5000|100|5000|0|0|50|5000|-|0|0|1\n"
		"2|1|0|6|700|200|700|2|0|5|500|-|1|0|0\n");
	assert_string_equal(
		db_rows(db, "SELECT thread_id, s.line, shared, peak_bytes, "
			    "peak_ns, end_bytes FROM memory_peak "
			    "LEFT JOIN source s ON s.id = source_id "
			    "ORDER BY 2, 1"),
		"-|-|0|6500|950|5500\n"
		"0|-|0|6000|950|5000\n"
		"1|-|0|700|200|500\n"
		"-|1|0|5000|950|5000\n"
		"-|2|0|700|200|500\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, thread_id, count FROM quality"),
		"uncounted memory|1|2\n");
	assert_string_equal(
		db_analysis(db, "leaks",
			    "location,threads,most_thread,most_rank,"
			    "most_blocks,most_bytes,growing",
			    ""),
		"m.c:1|1|0|-|50|5000|1\n"
		"m.c:2|1|1|-|5|500|0\n");
	db_close(db);
}

/* Memory that is there when the runtime has started does not grow. */
static void test_window(void **state)
{
	sqlite3 *db = make();

	(void)state;
	/* Quarters from 520 on: 625, 730, 835. */
	db_exec(db, "INSERT INTO thread_meta VALUES(0, 'init_ns', '520'), "
		    "(0, 'finalize_ns', '940')");
	db_passes(db);
	assert_int_equal(
		db_int(db, "SELECT grows FROM memory_line WHERE thread_id = 0"),
		0);
	db_close(db);
}

/* Bins of 250 ns. */
static void test_over_time(void **state)
{
	sqlite3 *db = make();

	(void)state;
	db_passes(db);
	assert_string_equal(db_analysis(db, "memory-over-time", NULL, "bins=4"),
			    "0|250|-|-|1500|-|-|-|-\n"
			    "250|500|-|-|1500|-|-|-|-\n"
			    "500|750|-|-|1500|-|-|-|-\n"
			    "750|1000|-|-|5500|-|-|-|-\n"
			    "0|250|m.c:1|malloc|1000|10|1000|0|40000000.0\n"
			    "250|500|m.c:1|malloc|2000|10|1000|0|40000000.0\n"
			    "500|750|m.c:1|malloc|3000|10|1000|0|40000000.0\n"
			    "750|1000|m.c:1|malloc|5000|20|2000|0|80000000.0\n"
			    "0|250|m.c:2|malloc|500|6|700|1|24000000.0\n"
			    "250|500|m.c:2|malloc|500|0|0|0|0.0\n"
			    "500|750|m.c:2|malloc|500|0|0|0|0.0\n"
			    "750|1000|m.c:2|malloc|500|0|0|0|0.0\n");
	assert_string_equal(db_analysis(db, "memory-over-time",
					"end_ns,location,live_bytes",
					"bins=1 lines=1 thread=2"),
			    "1000|-|5000\n"
			    "1000|m.c:1|5000\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_over_time),
	};

	return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
