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

#include "sql/store/btree/cached_pages.h"
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
		gaspdb_page_reader_open(db, name, COLUMNS);

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

static void walks_get(int64_t walks)
{
	struct gaspdb_page_reader *r = open_table("t");
	const int64_t each = ROWS / walks;
	int64_t row[COLUMNS];
	bool bad = false;

	for (int64_t i = 1; i <= each; i++)
		for (int64_t w = 0; w < walks; w++) {
			assert_true(gaspdb_page_reader_get(r, w * each + i,
							   COLUMNS, row, &bad));
			is_row(row, w * each + i);
		}
	assert_false(bad);
	gaspdb_page_reader_close(r);
}

static void walks_seek(int64_t walks)
{
	static struct gaspdb_page_place places[WALKS_MAX];
	struct gaspdb_page_reader *r = open_table("u");
	const int64_t first = ROWS / 3, each = (ROWS - first) / walks;
	int64_t row[COLUMNS];
	bool bad = false;

	for (int64_t w = 0; w < walks; w++)
		places[w] = (struct gaspdb_page_place){ 0 };
	for (int64_t i = 1; i <= each; i++)
		for (int64_t w = 0; w < walks; w++) {
			const int64_t id = 2 * (first + w * each + i);

			assert_true(gaspdb_page_reader_seek(
				r, &places[w], id - 1, INT64_MAX, COLUMNS, row,
				&bad));
			is_row(row, id);
		}
	assert_false(bad);
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

/* --- scans ---------------------------------------------------------------- */

struct scan {
	struct gaspdb_page_reader *r;
	int64_t next, until;
	uint64_t seed; /* 0: nothing but the scan */
};

/* Other rows by the same reader, of pages that take the places of others. */
static bool take_row(void *user, const int64_t *values)
{
	struct scan *s = user;
	int64_t row[COLUMNS];
	bool bad = false;

	is_row(values, s->next);
	for (int i = 0; s->seed && s->next % 50 == 0 && i < 40; i++) {
		s->seed = s->seed * 6364136223846793005u + 1;
		gaspdb_page_reader_get(s->r,
				       1 + (int64_t)(s->seed >> 33) % ROWS,
				       COLUMNS, row, &bad);
	}
	assert_false(bad);
	return ++s->next < s->until;
}

static void scans(void **state)
{
	struct scan s = { .next = 1, .until = INT64_MAX };

	(void)state;
	s.r = open_table("t");
	for (int times = 0; times < 2; times++) {
		s.next = 1;
		assert_true(
			gaspdb_page_reader_scan(s.r, INT64_MIN, take_row, &s));
		assert_int_equal(s.next, ROWS + 1);
		s.seed = 1;
	}
	/* In pieces, of four walks in turn. */
	for (int64_t from = 1; from < ROWS / 4; from += 100)
		for (int64_t w = 0; w < 4; w++) {
			s.next = w * ROWS / 4 + from;
			s.until = s.next + 100;
			assert_true(gaspdb_page_reader_scan(s.r, s.next,
							    take_row, &s));
			assert_int_equal(s.next, s.until);
		}
	gaspdb_page_reader_close(s.r);
}

/* --- pages ---------------------------------------------------------------- */

/* Of the n pages that were asked for in a walk the first ones are there. */
static void reads_ahead(void **state)
{
	static const uint32_t near[] = { 10, 11, 14, 15 },
			      far[] = { 20, 24, 25, 26 };
	struct gaspdb_cached_pages kept = { .ahead = 0 };
	struct gaspdb_page_file file;
	const struct gaspdb_cached_page *p;

	(void)state;
	assert_true(gaspdb_page_file_open(&file, path));
	for (int times = 0; times < 2; times++) { /* 2 pages, then 4 */
		p = gaspdb_cached_walk(&kept, &file, near + times * 2,
				       4 - (unsigned)times * 2);
		assert_int_equal(p->number, near[times * 2]);
		assert_true(gaspdb_cached_has(&kept, near[times * 2 + 1]));
	}
	p = gaspdb_cached_walk(&kept, &file, far, 4);
	assert_int_equal(p->number, far[0]);
	assert_false(gaspdb_cached_has(&kept, far[1]));
	p = gaspdb_cached_walk(&kept, &file, far + 1, 3);
	assert_int_equal(p->number, far[1]);
	assert_true(gaspdb_cached_has(&kept, far[3]));
	for (int i = 0; i < 4; i++) {
		uint8_t bytes[1024];

		assert_true(gaspdb_page_file_read(&file, near[i], bytes));
		assert_memory_equal(
			gaspdb_cached_get(&kept, &file, near[i])->bytes, bytes,
			sizeof bytes);
	}
	assert_null(gaspdb_cached_get(&kept, &file, UINT32_MAX));
	gaspdb_cached_free(&kept);
	gaspdb_page_file_close(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(scans),
		cmocka_unit_test(reads_ahead),
	};

	return cmocka_run_group_tests(tests, make_tables, drop_tables);
}
