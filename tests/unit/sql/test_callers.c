/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and callers of waiting, of a run with call stacks: known by
   construction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

/*
 * Two threads, 0 to 1,000 us.  comm_sum() calls a barrier (a.c:9), and is
 * called by comm_norm() alone; that is called by solve() and check(), both by
 * main(). comm_norm() calls a barrier itself, too (a.c:20), for solve() only.
 *
 *   barrier by              thread 0    thread 1    who waits
 *   solve, norm, sum        [100,205]   [200,205]   0: 100
 *   solve, norm, sum        [300,405]   [400,405]   0: 100
 *   check, norm, sum        [500,535]   [530,535]   0: 30
 *   solve, norm, sum        [640,645]   [600,645]   1: 40
 *   solve, norm             [700,715]   [712,715]   0: 12
 *
 * Before the last barrier thread 0 computes for 55 us and thread 1 for 67, 6
 * more than the mean: more than a third of the wait, so that is an imbalance.
 * So is what comes before the others: 395 us and 585, 95 more than the mean,
 * for which thread 0 waits 230.
 */
enum { MAIN = 1, SOLVE, CHECK, SOLVE_NORM, CHECK_NORM, SOLVE_SUM, CHECK_SUM };
enum { IN_SOLVE = 8, IN_CHECK, IN_NORM }; /* paths of the barriers */
enum { STEP = 11 };

static const struct {
	int thread, path;
	int64_t start_us, end_us;
} calls[] = {
	{ 0, IN_SOLVE, 100, 205 }, { 0, IN_SOLVE, 300, 405 },
	{ 0, IN_CHECK, 500, 535 }, { 0, IN_SOLVE, 640, 645 },
	{ 0, IN_NORM, 700, 715 },  { 1, IN_SOLVE, 200, 205 },
	{ 1, IN_SOLVE, 400, 405 }, { 1, IN_CHECK, 530, 535 },
	{ 1, IN_SOLVE, 600, 645 }, { 1, IN_NORM, 712, 715 },
};

enum { N_CALLS = sizeof calls / sizeof *calls };

static void add_path(sqlite3 *db, int id, int parent, const char *source)
{
	db_exec(db,
		"INSERT INTO callpath SELECT %d, nullif(%d, 0), (%s), "
		"1 + coalesce((SELECT depth FROM callpath WHERE id = %d), 0), "
		"%d, %d, 2, 0, 0, 0, 0, 0, NULL, 0, 0, NULL, NULL, NULL, 0, 0",
		id, parent, source, parent, id, id);
}

static void add_frame(sqlite3 *db, int id, int parent, const char *function)
{
	char source[128];

	snprintf(source, sizeof source,
		 "SELECT id FROM source WHERE operation_id = 900 AND "
		 "function = '%s'",
		 function);
	add_path(db, id, parent, source);
}

static void add_stacks(sqlite3 *db)
{
	db_exec(db, "INSERT INTO operation VALUES(900, 'caller', 'CALLER', "
		    "'function', 'none', 'C', NULL)");
	db_exec(db,
		"INSERT INTO source(id, operation_id, file, line, function) "
		"VALUES(901, 900, 'a.c', 50, 'main'), "
		"(902, 900, 'a.c', 30, 'solve'), "
		"(903, 900, 'a.c', 40, 'check'), "
		"(904, 900, 'a.c', 18, 'comm_norm'), "
		"(905, 900, 'a.c', 7, 'comm_sum')");
	db_exec(db, "DELETE FROM callpath");
	add_frame(db, MAIN, 0, "main");
	add_frame(db, SOLVE, MAIN, "solve");
	add_frame(db, CHECK, MAIN, "check");
	add_frame(db, SOLVE_NORM, SOLVE, "comm_norm");
	add_frame(db, CHECK_NORM, CHECK, "comm_norm");
	add_frame(db, SOLVE_SUM, SOLVE_NORM, "comm_sum");
	add_frame(db, CHECK_SUM, CHECK_NORM, "comm_sum");
	add_path(db, IN_SOLVE, SOLVE_SUM,
		 "SELECT id FROM source WHERE line = 9");
	add_path(db, IN_CHECK, CHECK_SUM,
		 "SELECT id FROM source WHERE line = 9");
	add_path(db, IN_NORM, SOLVE_NORM,
		 "SELECT id FROM source WHERE line = 20");
	/* A user event in solve(), which is no caller. */
	db_exec(db, "INSERT INTO operation VALUES(910, 'step', 'USER', "
		    "'user', 'none', 'C', NULL)");
	db_exec(db, "INSERT INTO source(id, operation_id, file, line) "
		    "VALUES(911, 910, 'a.c', 33)");
	add_path(db, STEP, SOLVE, "911");
	db_exec(db, "UPDATE callpath SET parent_id = %d WHERE id = %d", STEP,
		SOLVE_NORM);
	for (int i = 0; i < N_CALLS; i++)
		db_exec(db, "INSERT INTO event_path VALUES(%d, %d)", i + 1,
			calls[i].path);
	db_exec(db,
		"INSERT INTO callpath_part SELECT e.thread_id, e.source_id, "
		"p.callpath_id, count(*), sum(e.duration_ns), "
		"sum(e.self_ns), min(e.duration_ns), max(e.duration_ns), "
		"NULL, 0, 0 FROM event e JOIN event_path p "
		"ON p.event_id = e.id GROUP BY 1, 2, 3");
}

static sqlite3 *make_run(bool stacks)
{
	sqlite3 *db = db_new();

	db_threads(db, 2, 1000000);
	for (int i = 0; i < N_CALLS; i++)
		db_event(db, calls[i].thread, "barrier",
			 calls[i].path == IN_NORM ? "a.c:20" : "a.c:9",
			 1000 * calls[i].start_us, 1000 * calls[i].end_us);
	db_exec(db, "UPDATE source SET function = "
		    "iif(line = 9, 'comm_sum', 'comm_norm')");
	db_rollups(db);
	if (stacks)
		add_stacks(db);
	db_passes(db);
	return db;
}

/* Waiting by path, thread and line. */
static void test_waits(void **state)
{
	sqlite3 *db = make_run(true);

	(void)state;
	assert_string_equal(
		db_rows(db,
			"SELECT w.callpath_id, w.thread_id, w.kind, s.line, "
			"w.waits, w.time_ns, w.lost_ns FROM callpath_wait w "
			"JOIN source s ON s.id = w.source_id ORDER BY 1, 2"),
		"8|0|barrier|9|2|200000|200000\n"
		"8|1|barrier|9|1|40000|40000\n"
		"9|0|barrier|9|1|30000|30000\n"
		"10|0|barrier|20|1|12000|12000\n");
	db_close(db);
}

/* A line's callers are those where its paths differ: not comm_norm().  Of its
   270 us solve() has 240. */
static void test_callers(void **state)
{
	sqlite3 *db = make_run(true);

	(void)state;
	assert_string_equal(
		db_rows(db, "SELECT c.kind, s.line, q.line, c.caller, "
			    "c.caller_ns, c.time_ns FROM wait_caller c "
			    "JOIN source s ON s.id = c.source_id "
			    "JOIN source q ON q.id = c.waiting_source_id"),
		"barrier|9|9|solve|240000|270000\n");
	assert_string_equal(
		db_analysis(db, "worst",
			    "kind,lost_ns,thread,location,waiting_location,"
			    "function,waiting_function,caller,caller_share",
			    "min_share=0"),
		"imbalance|270000|1|a.c:9|a.c:9|comm_sum|comm_sum|solve|"
		"88.8888888888889\n"
		"imbalance|12000|1|a.c:20|a.c:20|comm_norm|comm_norm|-|-\n"
		"barrier|270000|1|a.c:9|a.c:9|comm_sum|comm_sum|solve|"
		"88.8888888888889\n"
		"barrier|12000|1|a.c:20|a.c:20|comm_norm|comm_norm|-|-\n");
	db_close(db);
}

/* Calls, self time and waiting of a caller are of the calls in itself. */
static void test_hot_lines(void **state)
{
	static const char columns[] =
		"location,function,operations,calls,self_ns,waiting_ns,"
		"max_thread,max_ns";
	sqlite3 *db = make_run(true);

	(void)state;
	assert_string_equal(db_analysis(db, "hot-lines", columns, "by=caller"),
			    "a.c:7|comm_sum|barrier|8|310000|270000|0|250000\n"
			    "a.c:18|comm_norm|barrier|2|18000|12000|0|15000\n");
	assert_string_equal(
		db_analysis(db, "hot-lines", columns, "by=caller thread=1"),
		"a.c:7|comm_sum|barrier|4|60000|40000|1|60000\n"
		"a.c:18|comm_norm|barrier|1|3000|0|1|3000\n");
	assert_string_equal(db_analysis(db, "hot-lines",
					"location,calls,self_ns,waiting_ns",
					""),
			    "a.c:9|8|310000|270000\na.c:20|2|18000|12000\n");
	db_close(db);
}

/* The deeper caller is not asked where the place is above it: of a call in a
   library the line is in the program. */
static void test_library(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 1000000);
	for (int i = 0; i < N_CALLS; i++)
		db_event(db, calls[i].thread, "barrier",
			 calls[i].path == IN_NORM ? "a.c:20" : "a.c:9",
			 1000 * calls[i].start_us, 1000 * calls[i].end_us);
	db_exec(db, "UPDATE source SET function = 'main'");
	db_rollups(db);
	add_stacks(db);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT * FROM wait_caller"), "");
	assert_string_equal(db_analysis(db, "worst",
					"location,waiting_function,caller",
					"limit=1"),
			    "a.c:9|main|-\n");
	db_close(db);
}

static void test_no_stacks(void **state)
{
	sqlite3 *db = make_run(false);

	(void)state;
	assert_string_equal(
		db_rows(db, "SELECT (SELECT count(*) FROM callpath_wait), "
			    "(SELECT count(*) FROM wait_caller)"),
		"0|0\n");
	assert_string_equal(
		db_analysis(db, "worst",
			    "kind,lost_ns,function,waiting_function,caller,"
			    "caller_share",
			    "limit=1"),
		"imbalance|270000|-|-|-|-\n");
	assert_string_equal(db_analysis(db, "hot-lines", NULL, "by=caller"),
			    "");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_hot_lines),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_no_stacks),
	};

	return cmocka_run_group_tests_name("callers", tests, NULL, NULL);
}
