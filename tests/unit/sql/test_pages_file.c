/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that pages are written to: of another kind, full, and very large. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sql/store/btree/page_writer.h"
#include "tests/unit/util_db.h"

static char folder[] = "/tmp/test_pages_file-XXXXXX";
static char path[64];
static uint8_t blob[1 << 18];

/* A new file with what the SQL makes. */
static void create(const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	unlink(path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
	sqlite3_close(db);
}

static sqlite3 *open_db(void)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

static struct gaspdb_pages *open_pages(void)
{
	struct gaspdb_pages *pages;
	struct gaspdb_error err = { 0 };

	if (gaspdb_pages_open(&pages, path, 0, &err))
		fail_msg("%s", err.msg);
	return pages;
}

/* Table t, of two columns. */
static struct gaspdb_page_table *table(struct gaspdb_pages *pages)
{
	sqlite3 *db = open_db();
	const int64_t root = db_int(db, "SELECT rootpage FROM sqlite_schema "
					"WHERE name = 't'");
	const struct gaspdb_columns columns = gaspdb_columns_any(2);

	db_close(db);
	return gaspdb_pages_table(pages, (uint32_t)root, &columns, 0);
}

/* Row i: its number, and a quarter of a MiB. */
static void append(struct gaspdb_page_table *t, int64_t i)
{
	const struct gaspdb_value row[2] = {
		{ 0 }, { .is = GASPDB_IS_BLOB, .blob = blob, .n = sizeof blob }
	};

	assert_true(gaspdb_pages_append(t, i, row));
}

static void refused(const char *message)
{
	struct gaspdb_error err = { 0 };
	struct gaspdb_pages *pages;

	assert_int_equal(gaspdb_pages_open(&pages, path, 0, &err),
			 GASPDB_FAILED);
	assert_null(pages);
	assert_non_null(strstr(err.msg, path));
	assert_non_null(strstr(err.msg, message));
}

static void other_formats(void **state)
{
	FILE *f;

	(void)state;
	create("PRAGMA journal_mode = WAL; CREATE TABLE t(a)");
	refused("is not of a format to extend");
	create("PRAGMA auto_vacuum = FULL; CREATE TABLE t(a)");
	refused("is not of a format to extend");
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("something else", f);
	fclose(f);
	refused("is not an SQLite database");
	unlink(path);
	refused("No such file or directory");
}

/* No room: told once, with the file's name; nothing hangs. */
static void file_too_large(void **state)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct rlimit limit = { 3 << 20, RLIM_INFINITY };
	struct gaspdb_error err = { 0 };
	struct gaspdb_pages *pages;
	struct gaspdb_page_table *t;

	(void)state;
	create("CREATE TABLE t(a INTEGER PRIMARY KEY, b)");
	pages = open_pages();
	t = table(pages);
	setrlimit(RLIMIT_FSIZE, &limit);
	for (int i = 1; i <= 100; i++)
		append(t, i);
	assert_int_equal(gaspdb_pages_finish(pages, &err), GASPDB_FAILED);
	setrlimit(RLIMIT_FSIZE, &unlimited);
	assert_non_null(strstr(err.msg, path));
	assert_non_null(strstr(err.msg, "File too large"));
	gaspdb_pages_close(pages);
}

/* --- the header ----------------------------------------------------------- */

static uint32_t at(const uint8_t *header, int offset, int bytes)
{
	uint32_t v = 0;

	for (int i = 0; i < bytes; i++)
		v = v << 8 | header[offset + i];
	return v;
}

/* The file's first bytes, and its size. */
static off_t read_header(uint8_t *header)
{
	FILE *f = fopen(path, "rb");
	struct stat st;

	assert_non_null(f);
	assert_int_equal(fread(header, 1, 100, f), 100);
	assert_int_equal(fstat(fileno(f), &st), 0);
	fclose(f);
	return st.st_size;
}

static void check_header(int page_bytes, bool freed)
{
	struct gaspdb_error err = { 0 };
	struct gaspdb_pages *pages;
	struct gaspdb_page_table *t;
	uint8_t before[100], h[100];
	char sql[300];
	off_t size;

	snprintf(sql, sizeof sql,
		 "PRAGMA page_size = %d; PRAGMA user_version = 7;"
		 "PRAGMA application_id = 9; CREATE TABLE t(a, b); %s",
		 page_bytes,
		 freed ? "CREATE TABLE u(a); INSERT INTO u VALUES("
			 "zeroblob(200000)); DROP TABLE u"
		       : "");
	create(sql);
	read_header(before);
	pages = open_pages();
	t = table(pages);
	for (int i = 1; i <= 10; i++)
		append(t, i);
	assert_int_equal(gaspdb_pages_finish(pages, &err), GASPDB_OK);
	gaspdb_pages_close(pages);
	size = read_header(h);
	/* Who had read the file before must see that it has changed. */
	assert_int_equal(at(h, 24, 4), at(before, 24, 4) + 1);
	assert_int_equal(at(h, 92, 4), at(h, 24, 4));
	assert_int_equal(at(h, 28, 4), size / page_bytes);
	assert_int_equal(size % page_bytes, 0);
	assert_int_equal(at(h, 16, 2), page_bytes == 65536 ? 1 : page_bytes);
	assert_int_equal(at(h, 18, 2), 0x0101); /* no WAL */
	assert_int_equal(at(h, 20, 4), 0x00402020);
	assert_int_equal(at(h, 36, 4) > 0, freed);
	assert_int_equal(at(h, 44, 4), 4);
	assert_int_equal(at(h, 56, 4), 1); /* UTF-8 */
	assert_int_equal(at(h, 60, 4), 7);
	assert_int_equal(at(h, 68, 4), 9);
	/* All else is SQLite's: the freelist, the schema's cookie. */
	assert_memory_equal(h, before, 24);
	assert_memory_equal(h + 32, before + 32, 92 - 32);
	assert_int_equal(at(h, 96, 4), SQLITE_VERSION_NUMBER);
}

static void headers(void **state)
{
	(void)state;
	for (int page_bytes = 512; page_bytes <= 65536; page_bytes *= 2) {
		check_header(page_bytes, false);
		check_header(page_bytes, true);
	}
}

/* --- far from the file's begin -------------------------------------------- */

/* So many pages of nothing behind what is there: a hole. */
static void stretch(uint32_t n_pages, uint32_t page_bytes)
{
	const uint8_t be[4] = { (uint8_t)(n_pages >> 24),
				(uint8_t)(n_pages >> 16),
				(uint8_t)(n_pages >> 8), (uint8_t)n_pages };
	FILE *f = fopen(path, "r+b");

	assert_non_null(f);
	assert_int_equal(fseek(f, 28, SEEK_SET), 0);
	assert_int_equal(fwrite(be, 1, 4, f), 4);
	fclose(f);
	assert_int_equal(truncate(path, (off_t)n_pages * page_bytes), 0);
}

/* Every byte of the file's page is 0. */
static void nothing_at(off_t offset, uint32_t page_bytes)
{
	FILE *f = fopen(path, "rb");
	uint8_t *page = malloc(page_bytes);

	assert_non_null(f);
	assert_int_equal(fseeko(f, offset, SEEK_SET), 0);
	assert_int_equal(fread(page, 1, page_bytes, f), page_bytes);
	for (uint32_t i = 0; i < page_bytes; i++)
		assert_int_equal(page[i], 0);
	free(page);
	fclose(f);
}

/* integrity_check finds that so many pages are not used, and nothing else. */
static void check_unused(sqlite3 *db, int64_t pages)
{
	db_exec(db, "CREATE TEMP TABLE wrong AS SELECT replace("
		    "group_concat(integrity_check, char(10)) || char(10), "
		    "'*** in database main ***' || char(10), '') AS lines "
		    "FROM pragma_integrity_check(10000000, 'main')");
	assert_int_equal(db_int(db, "SELECT (length(lines) - length(replace("
				    "lines, 'never used' || char(10), ''))) / "
				    "11 FROM wrong"),
			 pages);
	assert_int_equal(db_int(db, "SELECT length(lines) - length(replace("
				    "lines, char(10), '')) FROM wrong"),
			 pages);
}

/*
 * Rows from 2 MiB before an offset to 8 MiB behind it; read by SQLite.
 * integrity_check must find nothing but the hole's pages, and of these must not
 * count the one that SQLite never uses.
 */
static void write_across(uint64_t offset, uint32_t page_bytes, bool threads)
{
	const uint32_t from = (uint32_t)((offset - (2 << 20)) / page_bytes);
	struct gaspdb_error err = { 0 };
	struct gaspdb_pages *pages;
	struct gaspdb_page_table *t;
	char sql[100];
	struct stat st;
	int64_t used;
	sqlite3 *db;

	snprintf(sql, sizeof sql,
		 "PRAGMA page_size = %u; CREATE TABLE t(a INTEGER PRIMARY KEY, "
		 "b)",
		 page_bytes);
	create(sql);
	db = open_db();
	used = db_int(db, "PRAGMA page_count");
	db_close(db);
	stretch(from, page_bytes);
	pages = open_pages();
	if (threads)
		gaspdb_pages_thread(pages);
	t = table(pages);
	for (int64_t i = 1; i <= 40; i++) {
		blob[0] = (uint8_t)i;
		append(t, i);
	}
	assert_int_equal(gaspdb_pages_finish(pages, &err), GASPDB_OK);
	gaspdb_pages_close(pages);
	assert_int_equal(stat(path, &st), 0);
	assert_in_range(st.st_size, offset + (7 << 20), offset + (12 << 20));
	assert_in_range(st.st_blocks * 512, 1, 16 << 20);
	if (offset == 1 << 30)
		nothing_at(1 << 30, page_bytes);
	db = open_db();
	check_unused(db, from - used - (offset > 1 << 30));
	for (int64_t i = 1; i <= 40; i++) {
		sqlite3_stmt *stmt;

		blob[0] = (uint8_t)i;
		sqlite3_prepare_v2(db, "SELECT b FROM t WHERE a = ?", -1, &stmt,
				   NULL);
		sqlite3_bind_int64(stmt, 1, i);
		assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
		assert_int_equal(sqlite3_column_bytes(stmt, 0), sizeof blob);
		assert_memory_equal(sqlite3_column_blob(stmt, 0), blob,
				    sizeof blob);
		sqlite3_finalize(stmt);
	}
	db_close(db);
}

/* The lock byte where it always is. */
static void lock_byte(void **state)
{
	(void)state;
	write_across(1 << 30, 65536, false);
	write_across(1 << 30, 65536, true);
	write_across(1 << 30, 4096, true);
}

/* Where offsets no longer fit 31, and 32, bits. */
static void beyond_4_gib(void **state)
{
	(void)state;
	write_across((uint64_t)1 << 31, 65536, false);
	write_across((uint64_t)1 << 32, 65536, false);
	write_across((uint64_t)1 << 32, 65536, true);
}

/*
 * Files beyond 4 GiB without a hole; on request, for it takes a while:
 * GASPDB_TEST_LARGE=1.
 */
static void large_file(void **state)
{
	const int64_t rows = 20000; /* 5 GiB */
	struct gaspdb_error err = { 0 };
	struct gaspdb_pages *pages;
	struct gaspdb_page_table *t;
	struct stat st;
	sqlite3 *db;

	(void)state;
	create("PRAGMA page_size = 65536;"
	       "CREATE TABLE t(a INTEGER PRIMARY KEY, b)");
	pages = open_pages();
	t = table(pages);
	for (int64_t i = 1; i <= rows; i++)
		append(t, i);
	assert_int_equal(gaspdb_pages_finish(pages, &err), GASPDB_OK);
	gaspdb_pages_close(pages);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > (off_t)1 << 32);
	db = open_db();
	assert_string_equal(db_rows(db, "PRAGMA integrity_check"), "ok\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM t"), rows);
	assert_int_equal(db_int(db, "SELECT sum(length(b)) FROM t"),
			 rows * (int64_t)sizeof blob);
	db_close(db);
}

static int set_up(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof blob; i++)
		blob[i] = (uint8_t)(i * 7);
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/pages.db", folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

/* --- what columns may hold ------------------------------------------------ */

/* Row 1 of such a table, as SQLite inserts it and as a page: both take it, or
   neither. */
static void try_row(const char *columns, bool keyed,
		    const struct gaspdb_value *values, unsigned n, bool good)
{
	struct gaspdb_columns holds;
	struct gaspdb_page_table *t;
	struct gaspdb_error err = { 0 };
	struct gaspdb_pages *pages;
	char sql[200];
	int64_t root;
	sqlite3 *db;

	snprintf(sql, sizeof sql, "CREATE TABLE t(%s) STRICT%s", columns,
		 keyed ? ", WITHOUT ROWID" : "");
	create(sql);
	db = open_db();
	assert_true(gaspdb_columns_of(db, "t", keyed, &holds));
	assert_int_equal(holds.n, n);
	root = db_int(db,
		      "SELECT rootpage FROM sqlite_schema WHERE name = 't'");
	db_close(db);
	pages = open_pages();
	t = keyed ? gaspdb_pages_keyed(pages, (uint32_t)root, &holds)
		  : gaspdb_pages_table(pages, (uint32_t)root, &holds, 0);
	assert_true(gaspdb_pages_append(t, 1, values));
	assert_int_equal(gaspdb_pages_finish(pages, &err),
			 good ? GASPDB_OK : GASPDB_FAILED);
	gaspdb_pages_close(pages);
	if (!good)
		assert_non_null(strstr(err.msg, "table 't'"));
	if (!good)
		return;
	db = open_db();
	assert_string_equal(db_rows(db, "PRAGMA integrity_check"), "ok\n");
	db_close(db);
}

static void columns_hold(void **state)
{
	static char long_text[20000];
	const struct gaspdb_value null = { .is = GASPDB_IS_NULL },
				  one = gaspdb_int(1), half = gaspdb_real(0.5),
				  text = gaspdb_str("x"),
				  longer = { .is = GASPDB_IS_TEXT,
					     .text = long_text,
					     .n = sizeof long_text };
	const struct {
		const char *type;
		struct gaspdb_value value;
		bool good;
	} cases[] = {
		{ "INTEGER NOT NULL", one, true },
		{ "INTEGER NOT NULL", null, false },
		{ "INTEGER NOT NULL", text, false },
		{ "INTEGER NOT NULL", half, false },
		{ "INTEGER", null, true },
		{ "TEXT NOT NULL", null, false },
		{ "TEXT NOT NULL", one, false },
		{ "TEXT NOT NULL", text, true },
		{ "TEXT NOT NULL", longer, true },
		{ "INTEGER", longer, false },
		{ "REAL", half, true },
		{ "REAL NOT NULL", null, false },
		{ "REAL", text, false },
		{ "ANY", text, true },
		{ "ANY", null, true },
		{ "ANY NOT NULL", null, false },
	};

	(void)state;
	memset(long_text, 'x', sizeof long_text);
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		const bool keyed = i % 2;
		const struct gaspdb_value row[3] = { one, cases[i / 2].value,
						     one };
		char columns[100];

		snprintf(columns, sizeof columns,
			 "id INTEGER PRIMARY KEY, v %s, w INTEGER NOT NULL",
			 cases[i / 2].type);
		try_row(columns, keyed, row, 3, cases[i / 2].good);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_hold),
		cmocka_unit_test(other_formats),
		cmocka_unit_test(file_too_large),
		cmocka_unit_test(headers),
		cmocka_unit_test(lock_byte),
		cmocka_unit_test(beyond_4_gib),
	};
	const struct CMUnitTest large[] = { cmocka_unit_test(large_file) };

	if (getenv("GASPDB_TEST_LARGE"))
		return cmocka_run_group_tests(large, set_up, tear_down);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
