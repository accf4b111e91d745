/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What passes read and write large tables with: the sorter, in memory and in
 * parts; rows written as pages between two transactions of a connection, and
 * read from pages and by statements.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/passes.h"
#include "analysis/rows/sorter.h"
#include "sql/store/btree/page_reader.h"
#include "sql/store/table.h"
#include "analysis/waits/waits.h"
#include "common/interrupt.h"
#include "sql/sql.h"
#include "tests/unit/util_db.h"

static uint64_t seed = 7;

static uint64_t below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed * 0x2545f4914f6cdd1du >> 11) % n;
}

/* --- the sorter ----------------------------------------------------------- */

enum { COLUMNS = 4, KEYS = 2 }; /* two keys, the row's number, a check */

static int64_t check_of(const int64_t *row)
{
	return row[0] * 31 + row[1] * 7 + row[2];
}

/* Every row once, in order, equal ones in the order of their numbers. */
static void read_all(struct gaspdb_sorter *s, int64_t n)
{
	unsigned char *seen = calloc((size_t)n, 1);
	int64_t last[COLUMNS] = { INT64_MIN, INT64_MIN, -1, 0 };
	const int64_t *row;
	int64_t count = 0;

	assert_non_null(seen);
	for (; (row = gaspdb_sorter_next(s)); count++) {
		const int order = row[0] != last[0] ? (row[0] > last[0]) * 2 - 1
				  : row[1] != last[1]
					  ? (row[1] > last[1]) * 2 - 1
					  : (row[2] > last[2]) * 2 - 1;

		assert_int_equal(order, 1);
		assert_int_equal(row[3], check_of(row));
		assert_in_range(row[2], 0, n - 1);
		assert_int_equal(seen[row[2]]++, 0);
		memcpy(last, row, sizeof last);
	}
	assert_int_equal(count, n);
	assert_null(gaspdb_sorter_next(s));
	free(seen);
}

/* n rows as so many runs in order one after another; 0: in none. */
static void sort(struct gaspdb_run *run, int64_t n, int64_t runs)
{
	struct gaspdb_sorter s;

	gaspdb_sorter_init(&s, run, COLUMNS, KEYS);
	for (int64_t i = 0; i < n; i++) {
		int64_t row[COLUMNS] = { runs ? i % (n / runs + 1) / 3
					      : (int64_t)below(1000) - 500,
					 (int64_t)below(runs ? 1 : 100), i };

		row[3] = check_of(row);
		gaspdb_sorter_add(&s, row);
	}
	read_all(&s, n);
	for (int i = 0; i < 2; i++) {
		gaspdb_sorter_rewind(&s);
		if (i) /* from the middle too */
			for (int64_t k = 0; k < n / 2; k++)
				assert_non_null(gaspdb_sorter_next(&s));
		gaspdb_sorter_rewind(&s);
		read_all(&s, n);
	}
	gaspdb_sorter_fini(&s);
	assert_int_equal(run->status, GASPDB_OK);
}

static void test_sorter(void **state)
{
	static const int64_t sizes[] = { 0, 1, 2, 1000, 16384, 16385, 900000 };
	sqlite3 *db = db_new();
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;

	(void)state;
	gaspdb_run_open(&run, db, &err);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		sort(&run, sizes[i], 0);
		sort(&run, sizes[i], 1);
		sort(&run, sizes[i], 7);
	}
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

/* --- tables --------------------------------------------------------------- */

static const char *const texts[] = { "late sender", "barrier", "lock" };

static int64_t id_of(int64_t i)
{
	return 3 * i + 1; /* with gaps */
}

static void make_row(int64_t i, int64_t row[GASPDB_WAIT_COLUMNS])
{
	const int64_t values[GASPDB_WAIT_COLUMNS] = {
		id_of(i),    i % 5, i, i % 3, -i,   i << 40,
		GASPDB_NONE, i * i, 0, 1,     i % 2
	};

	memcpy(row, values, sizeof values);
}

struct reading {
	int64_t next, until;
};

static void check_columns(int64_t i, const int64_t *row, unsigned n)
{
	int64_t expected[GASPDB_WAIT_COLUMNS];

	make_row(i, expected);
	expected[3] = gaspdb_word(texts[i % 3]);
	assert_memory_equal(row, expected, n * sizeof *row);
}

static void check_row(int64_t i, const int64_t *row)
{
	check_columns(i, row, GASPDB_WAIT_COLUMNS);
}

static bool take_row(void *user, const int64_t *row)
{
	struct reading *r = user;

	check_row(r->next++, row);
	return r->next != r->until;
}

/* The first m rows, or all n; with a thread's help as without. */
static void scan_all(struct gaspdb_run *run, int64_t n, int64_t m)
{
	struct gaspdb_table table;
	struct reading r = { 0, m };

	gaspdb_table_open(&table, &run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&table, take_row, &r);
	assert_int_equal(r.next, m < n ? m : n);
	gaspdb_table_close(&table);
	assert_int_equal(run->status, GASPDB_OK);
}

static void scan_parts(struct gaspdb_run *run, int64_t n)
{
	static const int64_t ends[] = { 1,    4095, 4096, 4097,	    8191,
					8192, 8193, 9999, INT64_MAX };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		scan_all(run, n, ends[i]);
	scan_all(run, n, n);
	scan_all(run, n, n + 1);
}

/* Between ids that are of no row, so many rows ahead. */
static void read_range(struct gaspdb_table *table, int64_t i, int64_t until,
		       size_t room)
{
	struct gaspdb_cursor rows;
	const int64_t *row;

	gaspdb_cursor_open(&rows, table, room);
	gaspdb_cursor_range(&rows, id_of(i) - 1, id_of(until) - 1);
	for (; (row = gaspdb_cursor_next(&rows)); i++)
		check_row(i, row);
	assert_int_equal(i, until);
	gaspdb_cursor_close(&rows);
}

/* As many as there is room for. */
static void read_columns(struct gaspdb_table *table, int64_t n,
			 unsigned columns)
{
	enum { ROOM = 777 };
	const int64_t first = (int64_t)below((uint64_t)n);
	const size_t there = n - first < ROOM ? (size_t)(n - first) : ROOM;
	int64_t *rows = malloc(there * columns * sizeof *rows);

	assert_non_null(rows);
	assert_int_equal(
		gaspdb_table_read(table, id_of(first), INT64_MAX, columns,
				  there, rows),
		there);
	for (size_t i = 0; i < there; i++)
		check_columns(first + (int64_t)i, rows + i * columns, columns);
	free(rows);
}

static void read_ahead(struct gaspdb_table *table, int64_t n)
{
	int64_t row[2 * GASPDB_WAIT_COLUMNS];

	for (size_t room = 1; room < 10000; room *= 7) {
		read_range(table, 0, n, room);
		read_range(table, n / 3, n / 2, room);
		read_range(table, n / 3, n / 3, room);
	}
	for (unsigned columns = 1; columns <= GASPDB_WAIT_COLUMNS; columns++)
		read_columns(table, n, columns);
	assert_int_equal(gaspdb_table_read(table, id_of(n - 1), INT64_MAX,
					   GASPDB_WAIT_COLUMNS, 2, row),
			 1);
	assert_int_equal(
		gaspdb_table_read(table, id_of(n), INT64_MAX,
				  GASPDB_WAIT_COLUMNS, 2, row),
		0);
}

/* In order, rows left out or read again; then anywhere. */
static void seek_rows(struct gaspdb_table *table, int64_t n)
{
	struct gaspdb_cursor cursor;

	gaspdb_cursor_open(&cursor, table, 1 + below(100));
	for (int64_t i = 0; i < n; i += (int64_t)below(below(9) ? 3 : 500)) {
		gaspdb_cursor_seek(&cursor, id_of(i) - (int64_t)below(2));
		check_row(i, gaspdb_cursor_peek(&cursor));
		for (int64_t k = i + (int64_t)below(3); i < k && i < n; i++)
			check_row(i, gaspdb_cursor_next(&cursor));
	}
	for (int k = 0; k < 1000; k++) {
		const int64_t i = (int64_t)below((uint64_t)n);

		gaspdb_cursor_seek(&cursor, id_of(i));
		check_row(i, gaspdb_cursor_next(&cursor));
	}
	for (int k = 0; k < 2; k++) {
		gaspdb_cursor_seek(&cursor, id_of(n));
		assert_null(gaspdb_cursor_next(&cursor));
		gaspdb_cursor_seek(&cursor, id_of(n - 1));
		check_row(n - 1, gaspdb_cursor_next(&cursor));
		assert_null(gaspdb_cursor_next(&cursor));
		gaspdb_cursor_seek(&cursor, INT64_MIN);
		check_row(0, gaspdb_cursor_next(&cursor));
	}
	gaspdb_cursor_close(&cursor);
}

static void read_table(struct gaspdb_run *run, int64_t n)
{
	struct gaspdb_table table;
	struct gaspdb_cursor cursor;
	struct reading all = { 0, -1 }, some = { 0, 1 + n / 4 };
	int64_t row[GASPDB_WAIT_COLUMNS];

	gaspdb_table_open(&table, &run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&table, take_row, &all);
	assert_int_equal(all.next, n);
	gaspdb_table_scan(&table, take_row, &some);
	assert_int_equal(some.next, some.until);
	read_ahead(&table, n);
	for (int k = 0; k < 1000; k++) {
		const int64_t i = (int64_t)below((uint64_t)n);

		assert_true(gaspdb_table_get(&table, id_of(i),
					     GASPDB_WAIT_COLUMNS, row));
		check_row(i, row);
		assert_false(gaspdb_table_get(&table, id_of(i) + 1,
					      GASPDB_WAIT_COLUMNS, row));
	}
	assert_false(gaspdb_table_get(&table, 0, GASPDB_WAIT_COLUMNS, row));
	assert_false(
		gaspdb_table_get(&table, id_of(n), GASPDB_WAIT_COLUMNS, row));
	gaspdb_cursor_open(&cursor, &table, 1 + below(100));
	for (int64_t i = 0; i < n; i++) {
		const int64_t *ahead = gaspdb_cursor_ahead(&cursor);
		const int64_t *next = gaspdb_cursor_peek(&cursor);

		assert_true(!ahead || ahead == next);
		assert_ptr_equal(gaspdb_cursor_next(&cursor), next);
		check_row(i, next);
	}
	assert_null(gaspdb_cursor_peek(&cursor));
	assert_null(gaspdb_cursor_next(&cursor));
	for (int64_t i = 0; i < n; i += below(10) ? 1 : (int64_t)below(500)) {
		gaspdb_cursor_range(&cursor, id_of(i) - 1, INT64_MAX);
		check_row(i, gaspdb_cursor_next(&cursor));
	}
	gaspdb_cursor_close(&cursor);
	seek_rows(&table, n);
	gaspdb_table_close(&table);
}

/* What SQL sees, and what a scan does: the same. */
static void check_tables(struct gaspdb_run *run, sqlite3 *db, int64_t n)
{
	assert_int_equal(db_int(db, "SELECT count(*) FROM wait"), n);
	assert_int_equal(
		db_int(db, "SELECT count(*) FROM wait WHERE event_id = "
			   "(id - 1) / 3 AND thread_id = event_id %% 5 AND "
			   "start_ns = -event_id AND end_ns = "
			   "event_id << 40 AND cause_thread_id IS NULL "
			   "AND kind = CASE event_id %% 3 WHEN 0 THEN "
			   "'late sender' WHEN 1 THEN 'barrier' ELSE "
			   "'lock' END AND bound = event_id %% 2"),
		n);
	assert_int_equal(db_int(db, "SELECT count(*) FROM collective_member "
				    "WHERE event_id = collective_id * 2"),
			 n);
	scan_parts(run, n);
	read_table(run, n);
}

static void write_tables(sqlite3 *db, int64_t n)
{
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	struct gaspdb_table_writer *wait, *member;
	int64_t row[GASPDB_WAIT_COLUMNS];

	gaspdb_run_open(&run, db, &err);
	wait = gaspdb_table_writer_open(&run.tables, "wait", GASPDB_WAIT_COLUMNS, 3,
					texts);
	member = gaspdb_table_writer_open_keyed(&run.tables, "collective_member", 2, 2,
						0, NULL);
	for (int64_t i = 0; i < n; i++) {
		make_row(i, row);
		gaspdb_table_writer_add(wait, row);
		gaspdb_table_writer_add(member, (int64_t[]){ i, 2 * i });
		/* SQLite takes pages of the file meanwhile. */
		if (i % 100 == 0)
			gaspdb_exec(&run, "INSERT INTO gap(thread_id, kind, "
					  "start_ns, end_ns) VALUES(0, 'off', "
					  "1, 2)");
	}
	if (gaspdb_run_close(&run))
		fail_msg("%s", err.msg);
}

static void write_and_read(sqlite3 *db, int64_t n)
{
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;

	/* The connection knows the tables, empty, and other rows. */
	assert_int_equal(db_int(db, "SELECT count(*) FROM wait"), 0);
	write_tables(db, n);
	gaspdb_run_open(&run, db, &err);
	check_tables(&run, db, n);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	assert_int_equal(db_int(db, "SELECT count(*) FROM gap"),
			 (n + 99) / 100);
	db_exec(db, "INSERT INTO gap(thread_id, kind, start_ns, end_ns) "
		    "VALUES(0, 'off', 1, 2)");
}

/* A database in a file, as an import has it; path is a template. */
static sqlite3 *open_file(char *path)
{
	sqlite3 *db;

	close(mkstemp(path));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	db_exec(db, "PRAGMA journal_mode = OFF");
	db_exec(db, "BEGIN");
	db_strict_schema(db);
	assert_int_equal(gaspdb_pages_allow(db), SQLITE_OK);
	return db;
}

static void test_pages(void **state)
{
	static const int64_t sizes[] = { 1, 100, 100000 };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char path[] = "/tmp/gaspdb-tables-XXXXXX";
		sqlite3 *db = open_file(path);

		write_and_read(db, sizes[i]);
		db_exec(db, "COMMIT");
		sqlite3_close(db);
		assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
		assert_string_equal(db_rows(db, "PRAGMA integrity_check"),
				    "ok\n");
		assert_int_equal(db_int(db, "SELECT count(*) FROM wait"),
				 sizes[i]);
		sqlite3_close(db);
		unlink(path);
	}
}

/* --- calls of the system that do only part of it -------------------------- */

static atomic_uint torn; /* calls so far, and one; 0: they are whole */

/* Every third is ended by a signal, the others do half. */
static bool tear(size_t *n)
{
	if (torn && torn++ % 3 == 0) {
		errno = EINTR;
		return true;
	}
	if (torn && *n > 1)
		*n /= 2;
	return false;
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	return tear(&n) ? -1 : syscall(SYS_pread64, fd, to, n, at);
}

ssize_t write(int fd, const void *from, size_t n)
{
	return tear(&n) ? -1 : syscall(SYS_write, fd, from, n);
}

static int64_t offset_of_leaf(sqlite3 *db, int64_t i)
{
	return db_int(db,
		      "SELECT pgoffset FROM dbstat WHERE name = 'wait' AND "
		      "pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET %d",
		      (int)i);
}

/* A page that is none: the rows before it are given, and the run fails. */
static void test_bad_page(void **state)
{
	char path[] = "/tmp/gaspdb-tables-XXXXXX";
	sqlite3 *db = open_file(path);
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	struct gaspdb_table table;
	struct reading r = { 0, -1 };
	int fd;

	(void)state;
	write_tables(db, 20000);
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, "?", 1, (off_t)offset_of_leaf(db, 99)), 1);
	close(fd);
	gaspdb_run_open(&run, db, &err);
	gaspdb_table_open(&table, &run.tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&table, take_row, &r);
	gaspdb_table_close(&table);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_FAILED);
	assert_string_equal(err.msg, "table 'wait' cannot be read");
	assert_in_range(r.next, 4097, 19999);
	sqlite3_close(db);
	unlink(path);
}

/* Neither pages nor temporary files take that for damage. */
static void test_torn(void **state)
{
	char path[] = "/tmp/gaspdb-tables-XXXXXX";
	sqlite3 *db = open_file(path);
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;

	(void)state;
	torn = 1;
	write_and_read(db, 5000);
	gaspdb_run_open(&run, db, &err);
	sort(&run, 200000, false);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	assert_true(torn > 1000);
	torn = 0;
	sqlite3_close(db);
	unlink(path);
}

static void test_statements(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_exec(db, "PRAGMA foreign_keys = OFF");
	write_and_read(db, 2000);
	db_close(db);
}

/* A signal ends reading and sorting, and so every pass. */
static void test_interrupt(void **state)
{
	sqlite3 *db = db_new();
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	struct gaspdb_sorter s;

	(void)state;
	db_threads(db, 1, 1000);
	db_event(db, 0, "get", "a.c:1", 0, 10);
	gaspdb_run_open(&run, db, &err);
	gaspdb_sorter_init(&s, &run, 1, 1);
	gaspdb_sorter_add(&s, (int64_t[]){ 7 });
	assert_non_null(gaspdb_sorter_next(&s));
	gaspdb_interrupted = SIGINT;
	assert_null(gaspdb_sorter_next(&s));
	gaspdb_sorter_fini(&s);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_FAILED);
	assert_string_equal(err.msg, "interrupted");
	assert_int_equal(gaspdb_run_passes(db, NULL, &err),
			 GASPDB_FAILED);
	gaspdb_interrupted = 0;
	db_close(db);
}

/* It comes when the rows are all there. */
static void test_interrupted_writing(void **state)
{
	char path[] = "/tmp/gaspdb-tables-XXXXXX";
	sqlite3 *db = open_file(path);
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	struct gaspdb_table_writer *wait, *member;
	int64_t row[GASPDB_WAIT_COLUMNS];

	(void)state;
	gaspdb_run_open(&run, db, &err);
	wait = gaspdb_table_writer_open(&run.tables, "wait", GASPDB_WAIT_COLUMNS, 3,
					texts);
	member = gaspdb_table_writer_open_keyed(&run.tables, "collective_member", 2, 2,
						0, NULL);
	for (int64_t i = 0; i < 10000; i++) {
		make_row(i, row);
		gaspdb_table_writer_add(wait, row);
		gaspdb_table_writer_add(member, row);
	}
	gaspdb_interrupted = SIGTERM;
	assert_int_equal(gaspdb_run_close(&run), GASPDB_FAILED);
	gaspdb_interrupted = 0;
	assert_string_equal(err.msg, "interrupted");
	sqlite3_close(db);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sorter),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_bad_page),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_statements),
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_interrupted_writing),
	};

	return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
