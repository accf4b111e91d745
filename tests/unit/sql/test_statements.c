/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statements of sql/passes/ fit the schema. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "sql/columns.h"
#include "sql/sql.h"
#include "sql/statements.h"

static bool is_definition(const char *sql)
{
	sql += strspn(sql, "\n");
	return !strncmp(sql, "CREATE", 6) || !strncmp(sql, "DROP", 4);
}

/* Prepares all that is in sql.  What makes or drops tables is run, too: later
   statements of the file need that.  Returns how many statements there are. */
static int prepare_all(sqlite3 *db, const struct gaspdb_statement *s)
{
	const char *rest = s->sql;
	sqlite3_stmt *stmt;
	int n = 0;

	while (*rest) {
		if (sqlite3_prepare_v2(db, rest, -1, &stmt, &rest) != SQLITE_OK)
			fail_msg("%s: %s: %s", s->file, s->name,
				 sqlite3_errmsg(db));
		n += stmt != NULL;
		if (stmt && is_definition(sqlite3_sql(stmt)) &&
		    sqlite3_step(stmt) != SQLITE_DONE)
			fail_msg("%s: %s: %s", s->file, s->name,
				 sqlite3_errmsg(db));
		sqlite3_finalize(stmt);
	}
	return n;
}

static void test_prepare(void **state)
{
	sqlite3 *db;
	int n = 0;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, gaspdb_schema, NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(gaspdb_views_make_temporary(db, true), SQLITE_OK);
	for (const struct gaspdb_statement *s = gaspdb_statements; s->name; s++)
		n += prepare_all(db, s);
	assert_in_range(n, 100, 1000);
	/* What they made they have dropped: views alone are left. */
	assert_int_equal(
		sqlite3_exec(db,
			     "CREATE TEMP TABLE none(n CHECK(n = 0)); "
			     "INSERT INTO none SELECT count(*) FROM "
			     "sqlite_temp_master WHERE type IN ('table', "
			     "'index') AND name <> 'none'",
			     NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
}

static const struct gaspdb_statement *find(const char *name)
{
	const struct gaspdb_statement *s = gaspdb_statements;

	while (s->name && strcmp(s->name, name) != 0)
		s++;
	return s;
}

/* Comments are left out, fragments stand for their texts. */
static void test_texts(void **state)
{
	(void)state;
	assert_string_equal(find("any_wait")->sql,
			    "SELECT 1 FROM wait LIMIT 1");
	assert_string_equal(find("any_wait")->file, "sql/passes/access.sql");
	assert_string_equal(
		find("any_full_log")->sql,
		"SELECT 1 FROM thread t JOIN thread_meta m ON m.thread_id = "
		"t.id\nWHERE m.key = 'end' AND (m.value = 'size limit' OR "
		"m.value GLOB 'recording stopped: *') AND t.last_ns IS NOT "
		"NULL\n  AND NOT EXISTS (SELECT 1 FROM thread_meta p WHERE "
		"p.thread_id = t.id AND p.key = 'profile_from_ns')");
	assert_string_equal(
		find("posted_requests")->sql,
		"SELECT complete_event_id, unseen, (SELECT x.value FROM "
		"event_arg x JOIN argument a ON a.id = x.argument_id\n"
		"  WHERE x.id BETWEEN r.made_event_id * 64 AND "
		"r.made_event_id * 64 + 63 AND a.name = 'bytes') FROM "
		"collective_request r WHERE post_event_id = ?");
	assert_null(find("nosuch")->name);
}

/* Each column has its parameter, at its place. */
static void test_insert(void **state)
{
	(void)state;
	assert_string_equal(GASPDB_INSERT_INTO_wait_unserved,
			    "INSERT INTO wait_unserved(wait_id, time_ns) "
			    "VALUES(?1, ?2)");
	assert_int_equal(GASPDB_N_KEYS_size_total, 3);
	assert_int_equal(GASPDB_SIZE_TOTAL_COLUMNS,
			 GASPDB_N_COLUMNS_size_total);
	assert_int_equal(GASPDB_SIZE_TOTAL_FROM_BYTES, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_prepare),
					    cmocka_unit_test(test_texts),
					    cmocka_unit_test(test_insert) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
