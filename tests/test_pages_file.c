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

#include "sql/page_writer.h"
#include "util_db.h"

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

	db_close(db);
	return gaspdb_pages_table(pages, (uint32_t)root, 2, 0);
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

/*
 * The lock byte where it always is, and files beyond 4 GiB; on request, for it
 * takes a while: GASPDB_TEST_LARGE=1.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_formats),
		cmocka_unit_test(file_too_large),
	};
	const struct CMUnitTest large[] = { cmocka_unit_test(large_file) };

	if (getenv("GASPDB_TEST_LARGE"))
		return cmocka_run_group_tests(large, set_up, tear_down);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
