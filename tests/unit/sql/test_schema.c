/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views that are added to a schema without CREATE VIEW: the same rows of
 * sqlite_schema as with it.  And what is taken for our schema, and sums.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "sql/sql.h"

static void run(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sqlite3_errmsg(db), sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sqlite3_errmsg(db), sql);
	return stmt;
}

static const char *text(sqlite3_stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt, column);
}

/* A file as an import leaves it, read again; path is a template. */
static sqlite3 *make_file(char *path)
{
	sqlite3 *db;

	close(mkstemp(path));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	run(db, "BEGIN");
	run(db, gaspdb_schema);
	assert_int_equal(gaspdb_views_add(db), SQLITE_OK);
	run(db, "COMMIT");
	sqlite3_close(db);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

static void test_views(void **state)
{
	static const char rows[] =
		"SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema "
		"WHERE type = 'view' ORDER BY rowid";
	char path[] = "/tmp/test_schema-XXXXXX";
	sqlite3 *ours = make_file(path), *theirs;
	sqlite3_stmt *a = prepare(ours, rows), *b;
	int n = 0;

	(void)state;
	/* SQLite makes the same of the same words. */
	assert_int_equal(sqlite3_open(":memory:", &theirs), SQLITE_OK);
	run(theirs, gaspdb_schema);
	run(theirs, gaspdb_views);
	b = prepare(theirs, rows);
	for (; sqlite3_step(a) == SQLITE_ROW; n++) {
		char sql[200];

		assert_int_equal(sqlite3_step(b), SQLITE_ROW);
		for (int i = 0; i < 5; i++)
			assert_string_equal(text(a, i), text(b, i));
		snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" LIMIT 0",
			 text(a, 1));
		sqlite3_finalize(prepare(ours, sql));
	}
	assert_int_equal(sqlite3_step(b), SQLITE_DONE);
	assert_in_range(n, 10, 1000);
	sqlite3_finalize(a);
	sqlite3_finalize(b);
	a = prepare(ours, "PRAGMA integrity_check");
	assert_int_equal(sqlite3_step(a), SQLITE_ROW);
	assert_string_equal(text(a, 0), "ok");
	sqlite3_finalize(a);
	sqlite3_close(theirs);
	sqlite3_close(ours);
	unlink(path);
}

static void test_ours(void **state)
{
	static const struct {
		const char *change;
		bool ours;
	} changes[] = {
		{ "", true },
		{ "CREATE TABLE more(a); CREATE VIEW also AS SELECT 1", true },
		{ "ALTER TABLE wait ADD COLUMN more INTEGER", false },
		{ "DROP TABLE wait", false },
		{ "DROP TABLE wait; CREATE VIEW wait AS SELECT 1 AS id",
		  false },
		{ "DROP VIEW place", false },
		{ "DROP VIEW place; CREATE VIEW place AS SELECT 1", false },
		{ "DROP VIEW messages", false },
		/* Nothing is read of it but by other programs. */
		{ "DELETE FROM analysis", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		char path[] = "/tmp/test_schema-XXXXXX";
		sqlite3 *db = make_file(path);

		run(db, changes[i].change);
		assert_int_equal(gaspdb_schema_is_ours(db), changes[i].ours);
		sqlite3_close(db);
		unlink(path);
	}
	/* Not a database. */
	assert_false(gaspdb_schema_is_ours(NULL));
}

/* --- other SQLites -------------------------------------------------------- */

/* The words that SQLite 3.26 does not know are in no statement that a file has,
   and each of them is noticed. */
static void test_dialect(void **state)
{
	static const struct {
		const char *sql;
		int version;
	} dialects[] = {
		{ "SELECT 'iif', \"strict\" -- MATERIALIZED", 26 },
		{ "CREATE TABLE strictly(filters, pows)", 26 },
		{ "SELECT sum(a) FILTER (WHERE b) FROM c", 30 },
		{ "CREATE TABLE a(b, c AS (b) VIRTUAL)", 31 },
		{ "SELECT iif(a, b, c)", 32 },
		{ "WITH a AS MATERIALIZED (SELECT 1) SELECT iif(1, 2, 3)", 35 },
		{ "SELECT sqrt(2)", 35 },
		{ "CREATE TABLE a(b ANY)", 37 },
		{ "CREATE TABLE a(b INTEGER) STRICT", 37 },
	};
	char path[] = "/tmp/test_schema-XXXXXX";
	sqlite3 *db = make_file(path);
	sqlite3_stmt *stmt = prepare(db, "SELECT name, sql FROM sqlite_schema "
					 "WHERE sql NOT NULL");
	int n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
		assert_int_equal(gaspdb_sql_min_version(dialects[i].sql),
				 dialects[i].version);
	for (; sqlite3_step(stmt) == SQLITE_ROW; n++)
		if (gaspdb_sql_min_version(text(stmt, 1)) != 26)
			fail_msg("'%s' is not for SQLite 3.26", text(stmt, 0));
	assert_in_range(n, 100, 1000);
	sqlite3_finalize(stmt);
	stmt = prepare(db, "SELECT count(*) FROM pragma_table_list WHERE "
			   "schema = 'main' AND strict");
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), 0);
	sqlite3_finalize(stmt);
	/* A generated column has no word of its own. */
	stmt = prepare(db, "SELECT count(*) FROM sqlite_schema t, "
			   "pragma_table_xinfo(t.name) c WHERE t.type = "
			   "'table' AND c.hidden");
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	unlink(path);
}

/* Each column of a view stands on a line of its own, with what it means. */
static void test_described(void **state)
{
	char path[] = "/tmp/test_schema-XXXXXX";
	sqlite3 *db = make_file(path);
	sqlite3_stmt *stmt = prepare(
		db, "SELECT v.name, c.name, v.sql, '\n  ' || c.name FROM "
		    "sqlite_schema v, pragma_table_info(v.name) c WHERE "
		    "v.type = 'view'");
	int n = 0;

	(void)state;
	for (; sqlite3_step(stmt) == SQLITE_ROW; n++) {
		const char *name = text(stmt, 3), *line = text(stmt, 2);
		const size_t length = strlen(name);
		size_t blank;

		do
			line = strstr(line + 1, name);
		while (line && !strchr(", ", line[length]));
		if (!line)
			fail_msg("%s.%s has no line", text(stmt, 0),
				 text(stmt, 1));
		line += length;
		blank = strspn(line, ", ");
		if (!blank || strncmp(line + blank, "-- ", 3) != 0 ||
		    strcspn(line + blank + 3, "\n") < 5)
			fail_msg("%s.%s is not described", text(stmt, 0),
				 text(stmt, 1));
	}
	assert_in_range(n, 150, 1000);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	unlink(path);
}

/* Only integers, reals and texts, and columns that hold any value as it is. */
static void test_types(void **state)
{
	char path[] = "/tmp/test_schema-XXXXXX";
	sqlite3 *db = make_file(path);
	sqlite3_stmt *stmt = prepare(
		db, "SELECT group_concat(x) FROM (SELECT t.name || '.' || "
		    "c.name || ' ' || c.type AS x FROM sqlite_schema t, "
		    "pragma_table_info(t.name) c WHERE t.type = 'table' AND "
		    "c.type NOT IN ('INTEGER', 'REAL', 'TEXT') ORDER BY 1)");

	(void)state;
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_string_equal(text(stmt, 0),
			    "entity_attribute.value ,event_arg.value ,"
			    "meta.value ");
	sqlite3_finalize(stmt);
	run(db, "INSERT INTO meta VALUES('key', '007')");
	stmt = prepare(db, "SELECT value || typeof(value) FROM meta");
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_string_equal(text(stmt, 0), "007text");
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	unlink(path);
}

/* Each analysis has a row, whose SQL reads what the file has. */
static void test_analyses(void **state)
{
	char path[] = "/tmp/test_schema-XXXXXX";
	sqlite3 *db = make_file(path);
	sqlite3_stmt *rows = prepare(db, "SELECT name, sql, help, summary FROM "
					 "analysis ORDER BY name");
	int left = 0;

	(void)state;
	while (gaspdb_analyses[left].name)
		left++;
	for (; sqlite3_step(rows) == SQLITE_ROW; left--) {
		const struct gaspdb_analysis *a =
			gaspdb_analysis_find(text(rows, 0));
		sqlite3_stmt *stmt;
		int n = 0;

		assert_non_null(a);
		assert_string_equal(text(rows, 3), a->summary);
		assert_memory_equal(text(rows, 2), a->doc, strlen(a->doc));
		stmt = prepare(db, text(rows, 1));
		assert_int_equal(sqlite3_bind_parameter_count(stmt), 0);
		for (; a->columns[n].name; n++)
			assert_string_equal(sqlite3_column_name(stmt, n),
					    a->columns[n].name);
		assert_int_equal(sqlite3_column_count(stmt), n);
		sqlite3_finalize(stmt);
	}
	assert_int_equal(left, 0);
	sqlite3_finalize(rows);
	sqlite3_close(db);
	unlink(path);
}

/* --- sums ----------------------------------------------------------------- */

/* A table t of an integer or a real each row, and what a query says of it. */
static void check_sum(sqlite3 *db, const char *rows, const char *query,
		      const char *sum)
{
	char *sql = sqlite3_mprintf("WITH t(x) AS (%s) %s", rows, query);
	sqlite3_stmt *stmt = prepare(db, sql);

	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	if (sum)
		assert_string_equal(text(stmt, 0), sum);
	else
		assert_null(text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
}

static void test_sum(void **state)
{
	static const char most[] = "VALUES(9223372036854775807), (5), (-7)",
			  least[] = "VALUES(-9223372036854775807 - 1), (-1)",
			  mixed[] = "VALUES(1), (0.5), (NULL)",
			  sum[] = "SELECT sum(x) FROM t";
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(gaspdb_sum_function(db), SQLITE_OK);
	check_sum(db, most, sum, "9223372036854775805");
	check_sum(db, most, "SELECT sum(x) FROM t WHERE x > 0",
		  "9223372036854775807");
	check_sum(db, least, sum, "-9223372036854775807");
	check_sum(db, mixed, sum, "1.5");
	check_sum(db, mixed, "SELECT sum(x) FROM t WHERE x = 1", "1");
	check_sum(db, mixed, "SELECT sum(x) FROM t WHERE x IS NULL", NULL);
	/* What leaves a window takes its part with it. */
	check_sum(db, most,
		  "SELECT group_concat(s) FROM (SELECT sum(x) OVER (ROWS 1 "
		  "PRECEDING) AS s FROM t)",
		  "9223372036854775807,9223372036854775807,-2");
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_ours),
		cmocka_unit_test(test_dialect),
		cmocka_unit_test(test_described),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_analyses),
		cmocka_unit_test(test_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
