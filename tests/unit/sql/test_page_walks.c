/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks along a table whose pages lie between those of others, alone and many
 * side by side: every row is the one that was written, whatever is read ahead
 * or has to make room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sql/store/btree/page_reader.h"

enum { ROWS = 60000, COLUMNS = 3, WALKS_MAX = 500 };

static char path[] = "/tmp/test_page_walks-XXXXXX";
static sqlite3 *db;

static void must(int code)
{
	if (code != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
}

/* What row id has in its second column. */
static int64_t value_of(int64_t id)
{
	return (int64_t)((uint64_t)id * 0x9e3779b97f4a7c15u);
}

static void insert(const char *table, int64_t id)
{
	char sql[160];

	sqlite3_snprintf(
		sizeof sql, sql, "INSERT INTO %s VALUES(%lld, %lld, %lld)",
		table, (long long)id, (long long)value_of(id), (long long)-id);
	must(sqlite3_exec(db, sql, NULL, NULL, NULL));
}

/* Of u the ids are even, so as to be sought. */
static int make_tables(void **state)
{
	(void)state;
	close(mkstemp(path));
	must(sqlite3_open(path, &db));
	must(gaspdb_pages_allow(db));
	must(sqlite3_exec(db,
			  "PRAGMA page_size = 1024; PRAGMA journal_mode = OFF;"
			  "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b);"
			  "CREATE TABLE u(id INTEGER PRIMARY KEY, a, b);"
			  "CREATE TABLE v(id INTEGER PRIMARY KEY, a, b); BEGIN",
			  NULL, NULL, NULL));
	/* Pages of t next to each other, then two, then six between them. */
	for (int64_t id = 1; id <= ROWS; id++) {
		insert("t", id);
		if (id > ROWS / 3)
			insert("u", 2 * id);
		for (int64_t i = 0; id > ROWS / 3 * 2 && i < 5; i++)
			insert("v", 5 * id + i);
	}
	must(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
	return 0;
}

static int drop_tables(void **state)
{
	(void)state;
	sqlite3_close(db);
	return unlink(path);
}

static struct gaspdb_page_reader *open_table(const char *name)
{
	struct gaspdb_page_reader *r =
		gaspdb_page_reader_open(db, name, COLUMNS, NULL, NULL);

	assert_non_null(r);
	return r;
}

static void is_row(const int64_t *row, int64_t id)
{
	assert_int_equal(row[0], id);
	assert_int_equal(row[1], value_of(id));
	assert_int_equal(row[2], -id);
}

/* --- side by side --------------------------------------------------------- */

/* The first row in [from, until). */
static void read_one(struct gaspdb_page_reader *r, int64_t from, int64_t until,
		     int64_t id)
{
	int64_t row[COLUMNS];
	size_t got;

	assert_true(
		gaspdb_page_reader_read(r, from, until, COLUMNS, 1, row, &got));
	assert_int_equal(got, 1);
	is_row(row, id);
}

static void walks_get(int64_t walks)
{
	struct gaspdb_page_reader *r = open_table("t");
	const int64_t each = ROWS / walks;

	for (int64_t i = 1; i <= each; i++)
		for (int64_t w = 0; w < walks; w++)
			read_one(r, w * each + i, w * each + i + 1,
				 w * each + i);
	gaspdb_page_reader_close(r);
}

static void walks_seek(int64_t walks)
{
	struct gaspdb_page_reader *r = open_table("u");
	const int64_t first = ROWS / 3, each = (ROWS - first) / walks;

	for (int64_t i = 1; i <= each; i++)
		for (int64_t w = 0; w < walks; w++) {
			const int64_t id = 2 * (first + w * each + i);

			read_one(r, id - 1, INT64_MAX, id);
		}
	gaspdb_page_reader_close(r);
}

static void side_by_side(void **state)
{
	static const int64_t walks[] = { 1, 2, 7, 40, WALKS_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
		walks_get(walks[i]);
		walks_seek(walks[i]);
	}
}

/* --- ranges --------------------------------------------------------------- */

/* Rows [from, until) of t, so many at a time; others in between if seed, of
   pages that take the places of these. */
static void read_range(struct gaspdb_page_reader *r, int64_t from,
		       int64_t until, size_t room, uint64_t seed)
{
	int64_t rows[64 * COLUMNS];
	size_t got = room;

	while (got == room) {
		assert_true(gaspdb_page_reader_read(r, from, until, COLUMNS,
						    room, rows, &got));
		for (size_t i = 0; i < got; i++)
			is_row(rows + i * COLUMNS, from++);
		for (int i = 0; seed && i < 40; i++) {
			int64_t id;

			seed = seed * 6364136223846793005u + 1;
			id = 1 + (int64_t)(seed >> 33) % ROWS;
			read_one(r, id, id + 1, id);
		}
	}
	assert_int_equal(from, until);
}

static void ranges(void **state)
{
	struct gaspdb_page_reader *r = open_table("t");
	int64_t row[COLUMNS];
	size_t got;

	(void)state;
	read_range(r, 1, ROWS + 1, 64, 0);
	read_range(r, 1, ROWS + 1, 50, 1);
	/* In pieces, of four walks in turn. */
	for (int64_t from = 1; from < ROWS / 4; from += 100)
		for (int64_t w = 0; w < 4; w++)
			read_range(r, w * ROWS / 4 + from,
				   w * ROWS / 4 + from + 100, 33, 0);
	/* Of nothing. */
	assert_true(gaspdb_page_reader_read(r, ROWS + 1, INT64_MAX, COLUMNS, 1,
					    row, &got));
	assert_int_equal(got, 0);
	assert_true(gaspdb_page_reader_read(r, 7, 7, COLUMNS, 1, row, &got));
	assert_int_equal(got, 0);
	gaspdb_page_reader_close(r);
}

/* Rows that were deleted leave ids, and whole leaves' ends, of nothing. */
static void deleted(void **state)
{
	struct gaspdb_page_reader *r;
	int64_t row[COLUMNS];
	size_t got;

	(void)state;
	must(sqlite3_exec(db,
			  "CREATE TABLE w(id INTEGER PRIMARY KEY, a, b);"
			  "INSERT INTO w SELECT * FROM t;"
			  "DELETE FROM w WHERE id % 1000 BETWEEN 1 AND 997",
			  NULL, NULL, NULL));
	r = open_table("w");
	for (int64_t id = 1; id < ROWS; id++) {
		const int64_t rest = id % 1000;

		read_one(r, id, INT64_MAX,
			 rest && rest < 998 ? id - rest + 998 : id);
		assert_true(gaspdb_page_reader_read(r, id, id + 1, COLUMNS, 1,
						    row, &got));
		assert_int_equal(got, !rest || rest > 997);
	}
	gaspdb_page_reader_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(ranges),
		cmocka_unit_test(deleted),
	};

	return cmocka_run_group_tests(tests, make_tables, drop_tables);
}
