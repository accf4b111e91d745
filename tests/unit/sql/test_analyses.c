/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analyses: headers that are true, orders that are total. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sql/sql.h"
#include "tests/unit/util_db.h"

static sqlite3_stmt *prepare(sqlite3 *db, const struct gaspdb_analysis *a)
{
	sqlite3_stmt *stmt;
	const char *tail;

	if (sqlite3_prepare_v2(db, a->sql, -1, &stmt, &tail) != SQLITE_OK)
		fail_msg("%s: %s", a->name, sqlite3_errmsg(db));
	if (tail[strspn(tail, " \n")])
		fail_msg("%s: more than one statement", a->name);
	return stmt;
}

static void test_headers(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++) {
		sqlite3_stmt *stmt = prepare(db, a);
		int n = 0;

		assert_true(sqlite3_stmt_readonly(stmt));
		while (a->columns[n].name) {
			if (n < sqlite3_column_count(stmt) &&
			    strcmp(sqlite3_column_name(stmt, n),
				   a->columns[n].name) != 0)
				fail_msg("%s: column %d is '%s'", a->name, n,
					 sqlite3_column_name(stmt, n));
			n++;
		}
		assert_int_equal(n, sqlite3_column_count(stmt));
		for (n = 0; a->params[n].name; n++) {
			char name[64] = ":";

			strcat(name, a->params[n].variable);
			assert_int_not_equal(
				sqlite3_bind_parameter_index(stmt, name), 0);
		}
		assert_int_equal(n, sqlite3_bind_parameter_count(stmt));
		sqlite3_finalize(stmt);
	}
	db_close(db);
}

/* Nothing divides by zero, and an empty run has no findings. */
static void test_empty(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_passes(db);
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		assert_string_equal(db_analysis(db, a->name, NULL, ""), "");
	db_close(db);
}

static void test_find(void **state)
{
	(void)state;
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++) {
		assert_ptr_equal(gaspdb_analysis_find(a->name), a);
		assert_true(strlen(a->doc) > 40);
	}
	assert_null(gaspdb_analysis_find("no-such"));
	assert_null(gaspdb_analysis_find(""));
}

/* Each is in a group that there is, and no heading stands alone. */
static void test_groups(void **state)
{
	int n = 0, members[20] = { 0 };

	(void)state;
	while (gaspdb_analysis_groups[n])
		n++;
	assert_in_range(n, 5, 20);
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++) {
		assert_in_range(a->group, 0, n - 1);
		members[a->group]++;
	}
	for (int i = 0; i < n; i++)
		assert_in_range(members[i], 2, 12);
}

/* Two entities of equal time, with an attribute, and work for each. */
static void add_entities(sqlite3 *db)
{
	db_exec(db, "INSERT INTO entity VALUES(1, NULL, 'face', 'a', NULL, 1, "
		    "1, 1, 0), (2, NULL, 'face', 'b', NULL, 1, 2, 2, 0)");
	db_exec(db, "INSERT INTO entity_attribute SELECT id, 'area', 0, id "
		    "FROM entity");
	db_exec(db, "INSERT INTO entity_profile SELECT NULL, t.id, e.id, 1, 1, "
		    "50, 50, 0, 5, 8 FROM thread t, entity e");
	db_exec(db,
		"INSERT INTO entity_total SELECT NULL, id, iif(whole, NULL, "
		"1), whole, 4, 4, 200, 200, 0, 20, 32, 50, 0 "
		"FROM entity, (SELECT 0 AS whole UNION SELECT 1)");
	db_exec(db, "INSERT INTO entity_bin SELECT t.id, 0, e.id, 10, 2 "
		    "FROM thread t, entity e");
	db_exec(db, "INSERT INTO entity_work_total SELECT NULL, e.id, 0, t.id, "
		    "2, 2, 30, 20, 15 FROM thread t, entity e");
}

static void add_accesses(sqlite3 *db, int i)
{
	int64_t event, other = (i + 1) % 4;

	for (int k = 0; k < 20 + i; k++) {
		event = db_event(db, i, i % 2 ? "get" : "put", "a.c:2",
				 600 + k * 10, 608 + k * 10);
		db_exec(db,
			"UPDATE event SET peer = %d, bytes = 8, object "
			"= %d WHERE id = %lld",
			(int)other, 8 * k, (long long)event);
	}
	for (int k = 0; k < 2; k++) { /* its own memory */
		event = db_event(db, i, "get", k ? "a.c:7" : "a.c:8",
				 900 + k * 10, 905 + k * 10);
		db_exec(db,
			"UPDATE event SET peer = %d, bytes = 8 "
			"WHERE id = %lld",
			i, (long long)event);
	}
	event = db_event(db, i, "put_nb", "a.c:9", 930, 932);
	db_exec(db,
		"UPDATE event SET peer = %d, bytes = 8 "
		"WHERE id = %lld",
		(int)other, (long long)event);
	db_event(db, i, "quiet", "a.c:10", 940, 950);
}

static void add_lock(sqlite3 *db, int i)
{
	int64_t t = 100 * i, event;

	event = db_event(db, i, "lock", "a.c:3", 1000 + t, 2000 + 2 * t);
	db_exec(db, "UPDATE event SET object = 77 WHERE id = %lld",
		(long long)event);
	event = db_event(db, i, "unlock", "a.c:4", 2100 + 2 * t, 2110 + 2 * t);
	db_exec(db, "UPDATE event SET object = 77 WHERE id = %lld",
		(long long)event);
}

static void add_message(sqlite3 *db, int i)
{
	int64_t t = 100 * i, event;

	event = db_event(db, i, i ? "send" : "receive", "a.c:5", 3000 + 3 * t,
			 4000);
	db_exec(db,
		"INSERT INTO p2p(thread_id, direction, post_event_id, "
		"complete_event_id, team_id, peer, tag, bytes, "
		"posted_ns, completed_ns, state, error) "
		"VALUES(%d, '%s', %lld, %lld, 1, %d, 5, 100, %lld, "
		"4000, 'complete', 0)",
		i, i ? "send" : "receive", (long long)event, (long long)event,
		i ? 0 : 3, (long long)(3000 + 3 * t));
}

static void add_thread(sqlite3 *db, int i, int64_t team)
{
	int64_t t = 100 * i;

	db_collective(db, db_event(db, i, "barrier", "a.c:1", t, 500), team, 0);
	add_accesses(db, i);
	add_lock(db, i);
	add_message(db, i);
	db_collective(db,
		      db_event(db, i, "all_to_all", "a.c:6", 5000 - t, 6000),
		      team, 1);
	db_collective(db, db_event(db, i, "barrier", "a.c:1", 7000, 7001), team,
		      2);
	db_exec(db,
		"INSERT INTO category_time VALUES(%d, 'computation', "
		"%d), (%d, 'communication', %d)",
		i, 1000 * i, i, 20000 - 1000 * i);
}

/* What the importer adds up besides db_rollups(). */
static void add_sums(sqlite3 *db)
{
	db_exec(db, "INSERT INTO cache_total SELECT id, (SELECT max(id) FROM "
		    "source), 'miss', 3, 24, 192, 0 FROM thread");
	db_exec(db, "INSERT INTO meta VALUES('bin_ns', 16), "
		    "('thread_bin_ns', 64), ('source_bin_ns', 32)");
	db_exec(db, "INSERT INTO source_bin SELECT id, 0, 0, 1, 9, 8, 7 "
		    "FROM source");
	db_exec(db, "INSERT INTO bin VALUES(0, 'computation', 64)");
	db_exec(db, "INSERT INTO thread_bin SELECT id, 0, 'computation', 16 "
		    "FROM thread");
	db_exec(db, "INSERT INTO region SELECT id, id, 2, 3, 40, 30, 1, 20, "
		    "15, 0 FROM source");
	db_exec(db, "INSERT INTO recording SELECT id, 50 + id, 0, 1.5 * id, 7 "
		    "FROM thread");
}

static void add_user_values(sqlite3 *db)
{
	db_exec(db, "INSERT INTO operation VALUES(1000, 'step', 'USER', "
		    "'user', 'none', 'C', 'residual %%g')");
	db_exec(db, "INSERT INTO argument VALUES(1000, 1000, 'start', "
		    "'arg1', 'd'), (1001, 1000, 'start', 'arg2', 'i')");
	db_exec(db, "INSERT INTO user_argument VALUES(1000, 'residual')");
	db_exec(db, "INSERT INTO user_value SELECT (SELECT max(id) FROM "
		    "source), a.id, t.id, 2, 1, 1, 3, 3, 1.5, 0.5, 1, 2 "
		    "FROM thread t, argument a WHERE a.id >= 1000");
}

/* Rows that the passes do not make of these events. */
static void add_results(sqlite3 *db)
{
	db_exec(db, "UPDATE thread SET last_ns = (SELECT max(start_ns + "
		    "duration_ns) FROM event WHERE thread_id = thread.id)");
	db_exec(db, "INSERT INTO quality(kind, severity, thread_id, event_id, "
		    "count) SELECT 'open event', 'note', thread_id, id, 1 FROM "
		    "event WHERE nested = 0");
	db_exec(db, "INSERT INTO wait(thread_id, event_id, kind, start_ns, "
		    "end_ns, cause_thread_id, clamped, bound, wrong_order, "
		    "below_error) SELECT thread_id, id, 'late sender', "
		    "start_ns, start_ns + duration_ns, 1 - thread_id, 0, 1, 0, "
		    "0 FROM event e WHERE nested = 0 AND thread_id < 2 AND "
		    "start_ns + duration_ns = (SELECT last_ns FROM thread t "
		    "WHERE t.id = e.thread_id)");
	db_exec(db, "INSERT INTO hand_made_total SELECT (SELECT max(id) FROM "
		    "source), id, 1, 3, 24, 30, 60, 30 FROM thread");
	db_exec(db, "INSERT INTO starved_total SELECT (SELECT max(id) FROM "
		    "source), id, 3 - id, 40, 400, 20, 800 FROM thread");
	db_exec(db, "INSERT OR REPLACE INTO target_line SELECT max(id), 30, "
		    "4, 40, 8, 0 FROM source");
	db_exec(db, "INSERT INTO file_use SELECT (SELECT max(id) FROM team), "
		    "(SELECT max(id) FROM source), id, 3, 50 + id, 24, 10 "
		    "FROM thread");
	db_exec(db, "INSERT OR REPLACE INTO delivery_total SELECT (SELECT "
		    "max(id) FROM source), id, 3, 2, 50, 30 FROM thread");
}

/*
 * A run with something for everything: four threads on two hosts that put, get,
 * lock, send, and meet at barriers, each a little differently.
 */
static sqlite3 *small_run(void)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 4, 20000), db), 4);

	db_exec(db, "UPDATE thread SET host = 'h' || (id / 2)");
	for (int i = 0; i < 4; i++)
		add_thread(db, i, team);
	for (int i = 0; i < 4; i++)
		db_exec(db,
			"UPDATE event SET bytes = 100, object = (1 << 62) + 64 "
			"WHERE id = %lld",
			(long long)db_event(db, i, "alloc", "a.c:7", 8000,
					    8010));
	add_sums(db);
	db_rollups(db);
	/* The private memory of each, in all and at two lines. */
	db_exec(db, "INSERT INTO memory_sample WITH line(source_id) AS "
		    "(VALUES (NULL), (1), (2)), moment(ns) AS "
		    "(VALUES (1000), (15000)) "
		    "SELECT id, ns, source_id, ns / 100, ns, 5, ns - 50, ns, "
		    "100, 0, 0, 0 FROM thread, moment, line");
	db_passes(db);
	add_results(db);
	add_user_values(db);
	add_entities(db);
	return db;
}

static void check_types(sqlite3 *db, const struct gaspdb_analysis *a)
{
	sqlite3_stmt *stmt = prepare(db, a);

	for (int i = 0; a->params[i].name; i++) {
		char name[64] = ":";
		int at;

		strcat(name, a->params[i].variable);
		at = sqlite3_bind_parameter_index(stmt, name);
		if (a->params[i].value && strcmp(a->params[i].type, "TEXT"))
			sqlite3_bind_int64(stmt, at, atoi(a->params[i].value));
		else
			sqlite3_bind_text(stmt, at, a->params[i].value, -1,
					  SQLITE_STATIC);
	}
	while (sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; a->columns[i].name; i++) {
			int type = sqlite3_column_type(stmt, i);
			const char *declared = a->columns[i].type;

			if (type != SQLITE_NULL &&
			    type != (!strcmp(declared, "TEXT") ? SQLITE_TEXT
				     : !strcmp(declared, "REAL")
					     ? SQLITE_FLOAT
					     : SQLITE_INTEGER))
				fail_msg("%s: column '%s' is not %s", a->name,
					 a->columns[i].name, declared);
		}
	sqlite3_finalize(stmt);
}

/*
 * Rows come in the same order whichever way SQLite walks its tables, and are
 * of the types that the headers say.
 */
static void test_order_is_total(void **state)
{
	sqlite3 *db = small_run();

	(void)state;
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++) {
		char *forward, *backward;

		db_exec(db, "PRAGMA reverse_unordered_selects = 0");
		forward = strdup(db_analysis(db, a->name, NULL, ""));
		db_exec(db, "PRAGMA reverse_unordered_selects = 1");
		backward = strdup(db_analysis(db, a->name, NULL, ""));
		assert_string_equal(forward, backward);
		if (!*forward && strcmp(a->name, "unmatched") != 0)
			fail_msg("%s has no rows to look at", a->name);
		free(forward);
		free(backward);
		check_types(db, a);
	}
	db_close(db);
}

/* Running an analysis twice as the report does, with limits. */
static void test_limits(void **state)
{
	sqlite3 *db = small_run();

	(void)state;
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		for (const struct gaspdb_analysis_param *p = a->params; p->name;
		     p++)
			if (strcmp(p->name, "limit") == 0) {
				const char *rows = db_analysis(db, a->name,
							       NULL, "limit=1");
				const char *end = strchr(rows, '\n');

				assert_true(!end || !end[1]);
			}
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_order_is_total),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests_name("analyses", tests, NULL, NULL);
}
