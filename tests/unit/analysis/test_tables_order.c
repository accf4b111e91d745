/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of rows that passes write to tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/passes.h"
#include "analysis/waits/waits.h"
#include "tests/unit/util_db.h"

static const char *const kind = "lock";

static void add(struct gaspdb_table_writer *writer, const int64_t *keys)
{
	int64_t row[GASPDB_WAIT_COLUMNS] = { 0 };

	memcpy(row, keys, 2 * sizeof *keys);
	gaspdb_table_writer_add(writer, row);
}

/* Writes two rows.  Out of order, or with the same key, they are an error. */
static void check_order(sqlite3 *db, const int64_t rows[2][2], bool keyed,
			bool good)
{
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	struct gaspdb_table_writer *writer;
	char expected[80];

	gaspdb_run_open(&run, db, &err);
	writer =
		keyed ? gaspdb_table_writer_open_keyed(
				&run.tables, "collective_member", 2, 2, 0, NULL)
		      : gaspdb_table_writer_open(&run.tables, "wait",
						 GASPDB_WAIT_COLUMNS, 3, &kind);
	add(writer, rows[0]);
	add(writer, rows[1]);
	assert_int_equal(gaspdb_run_close(&run),
			 good ? GASPDB_OK : GASPDB_FAILED);
	snprintf(expected, sizeof expected,
		 "rows of table '%s' are not in the order of their keys",
		 keyed ? "collective_member" : "wait");
	assert_string_equal(err.msg, good ? "" : expected);
	db_exec(db, "DELETE FROM wait");
	db_exec(db, "DELETE FROM collective_member");
}

static void test_order(void **state)
{
	/* Keys; whether rows are in order by the first key, and by both. */
	static const struct {
		int64_t rows[2][2];
		bool by_one, by_two;
	} cases[] = { { { { 1, 2 }, { 2, 1 } }, true, true },
		      { { { 1, 2 }, { 1, 3 } }, false, true },
		      { { { 1, 2 }, { 1, 2 } }, false, false },
		      { { { 1, 2 }, { 1, 1 } }, false, false },
		      { { { 1, 2 }, { 0, 3 } }, false, false } };
	sqlite3 *db = db_new();

	(void)state;
	db_exec(db, "PRAGMA foreign_keys = OFF");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		check_order(db, cases[i].rows, false, cases[i].by_one);
		check_order(db, cases[i].rows, true, cases[i].by_two);
	}
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order) };

	return cmocka_run_group_tests_name("tables order", tests, NULL, NULL);
}
