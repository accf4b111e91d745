/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Barriers and collectives: instances, waits, split phases, defects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

static const char waits_sql[] =
	"SELECT kind, thread_id, start_ns, end_ns, cause_thread_id, clamped, "
	"bound FROM wait ORDER BY thread_id, start_ns";

static int64_t member(sqlite3 *db, int thread, const char *type,
		      int64_t start_ns, int64_t end_ns, int64_t team,
		      int64_t sequence)
{
	int64_t event = db_event(db, thread, type, "c.c:7", start_ns, end_ns);

	db_collective(db, event, team, sequence);
	return event;
}

static void set_bytes(sqlite3 *db, int64_t event, int64_t sent,
		      int64_t received)
{
	db_exec(db, "UPDATE event SET bytes = %lld WHERE id = %lld",
		(long long)sent, (long long)event);
	db_arg(db, event, "bytes_received", received);
}

static void test_barrier(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 3, 1000), db), 3);

	(void)state;
	member(db, 0, "barrier", 10, 105, team, 0);
	member(db, 0, "barrier", 200, 320, team, 1);
	member(db, 1, "barrier", 100, 107, team, 0);
	member(db, 1, "barrier", 300, 330, team, 1);
	member(db, 2, "barrier", 40, 106, team, 0);
	member(db, 2, "barrier", 300, 310, team, 1);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|10|100|1|0|0\n"
			    "barrier|0|200|300|1|0|0\n"
			    "barrier|2|40|100|1|0|0\n");
	assert_string_equal(
		db_rows(db, "SELECT sequence, expected, seen, first_enter_ns, "
			    "last_enter_ns, first_leave_ns, last_leave_ns, "
			    "last_thread_id, wait_ns FROM collective"),
		"0|3|3|10|100|105|107|1|150\n"
		"1|3|3|200|300|310|330|1|100\n");
	assert_string_equal(
		db_rows(db,
			"SELECT late_thread_id, instances, members, wait_ns, "
			"longest_ns, spread_ns, operation_ns "
			"FROM collective_total"),
		"1|2|6|250|150|190|15\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM collective_member"),
			 6);
	assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
	db_close(db);
}

/* The worked example: A and B in two halves, C in one. */
static void test_split_phase(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 1000);
	db_event(db, 0, "notify", "u.upc:1", 0, 2);
	db_event(db, 0, "barrier_wait", "u.upc:2", 50, 70);
	db_event(db, 1, "notify", "u.upc:1", 60, 62);
	db_event(db, 1, "barrier_wait", "u.upc:2", 62, 64);
	db_event(db, 2, "barrier", "u.upc:3", 30, 66);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|50|60|1|0|0\n"
			    "notify drain|0|60|62|1|0|0\n"
			    "barrier|2|30|60|1|0|0\n"
			    "notify drain|2|60|62|1|0|0\n");
	assert_string_equal(db_rows(db, "SELECT expected, seen, last_enter_ns, "
					"last_thread_id, wait_ns "
					"FROM collective"),
			    "3|3|60|1|44\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM collective_member"),
			 5);
	db_close(db);
}

/* Killed while two notify and the third has not come: nobody waits. */
static void test_open_notify(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 1000);
	for (int thread = 0; thread < 2; thread++)
		db_exec(db, "UPDATE event SET open = 1 WHERE id = %lld",
			(long long)db_event(db, thread, "notify", "u.upc:1", 10,
					    1000));
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql), "");
	assert_string_equal(
		db_rows(db, "SELECT expected, seen, wait_ns FROM collective"),
		"3|2|0\n");
	db_close(db);
}

/* Without numbers the order of calls counts, if the calls overlap. */
static void test_unnumbered(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 1000);
	db_event(db, 0, "barrier", "u.upc:1", 10, 52);
	db_event(db, 0, "barrier", "u.upc:1", 100, 120);
	db_event(db, 0, "barrier", "u.upc:1", 200, 220);
	db_event(db, 1, "barrier", "u.upc:1", 50, 52);
	db_event(db, 1, "barrier", "u.upc:1", 190, 215);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|10|50|1|0|0\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, thread_id, count, detail "
			    "FROM quality ORDER BY 1, 2"),
		"incomplete collective|1|1|of all threads, from number "
		"2 on\n"
		"mismatched collective|-|1|calls that do not overlap "
		"in time, all threads, first at number 1\n");
	db_close(db);
}

/* Nobody leaves a barrier before all have entered: the clocks are wrong. */
static void test_clamped(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 2, 1000), db), 2);

	(void)state;
	db_apart(db);
	member(db, 0, "barrier", 10, 90, team, 0);
	member(db, 1, "barrier", 100, 130, team, 0);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|10|90|1|1|0\n");
	assert_string_equal(db_rows(db,
				    "SELECT kind, thread_id, count, time_ns "
				    "FROM quality"),
			    "clock contradiction|0|1|10\n");
	db_close(db);
}

static void test_missing_members(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 3, 1000), db), 3);
	int64_t event;

	(void)state;
	member(db, 0, "barrier", 10, 105, team, 0);
	event = member(db, 0, "barrier", 500, 1000, team, 1);
	db_exec(db, "UPDATE event SET open = 1 WHERE id = %lld",
		(long long)event);
	member(db, 1, "barrier", 100, 107, team, 0);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|10|100|1|0|1\n"
			    "barrier|0|500|1000|-|0|1\n");
	assert_string_equal(db_rows(db, "SELECT kind, thread_id, count "
					"FROM quality ORDER BY thread_id"),
			    "incomplete collective|1|1\n"
			    "incomplete collective|2|2\n");
	db_close(db);
}

static void test_mismatch(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 2, 1000), db), 2);
	int64_t event;

	(void)state;
	member(db, 0, "barrier", 10, 50, team, 0);
	event = member(db, 0, "broadcast", 60, 100, team, 1);
	db_arg(db, event, "root", 0);
	event = db_event(db, 0, "barrier", "c.c:7", 110, 200);
	db_collective(db, event, 99, 0); /* of a team nobody knows */
	member(db, 1, "all_to_all", 40, 52, team, 0);
	event = member(db, 1, "broadcast", 90, 100, team, 1);
	db_arg(db, event, "root", 1);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql), "");
	assert_string_equal(
		db_rows(db, "SELECT kind, count, detail FROM quality"),
		"mismatched collective|1|different operations, world, first "
		"at number 0\n"
		"mismatched collective|1|different roots, world, first at "
		"number 1\n"
		"mismatched collective|1|a team that no log describes, team "
		"99, first at number 0\n");
	db_close(db);
}

static void test_named_barriers(void **state)
{
	sqlite3 *db = db_new();
	int64_t event;

	(void)state;
	db_threads(db, 2, 1000);
	for (int thread = 0; thread < 2; thread++) {
		event = db_event(db, thread, "barrier", "u.upc:1",
				 thread ? 40 : 10, 60);
		db_arg(db, event, "named", 1);
		db_arg(db, event, "expression", 3 + thread);
		event = db_event(db, thread, "barrier", "u.upc:2",
				 thread ? 90 : 70, 100);
		db_arg(db, event, "named", thread);
		db_arg(db, event, "expression", 3 + thread);
	}
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|70|90|1|0|0\n");
	assert_string_equal(
		db_rows(db, "SELECT count, detail FROM quality"),
		"1|barriers with different names, all threads, first at "
		"number 0\n");
	db_close(db);
}

/* The root is late; a member that receives nothing does not wait. */
static void test_broadcast(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 4, 1000), db), 4);

	(void)state;
	db_apart(db);
	for (int thread = 0; thread < 4; thread++) {
		static const int start[] = { 10, 20, 70, 30 };
		static const int end[] = { 90, 60, 80, 95 };
		int64_t event = member(db, thread, "broadcast", start[thread],
				       end[thread], team, 0);

		db_arg(db, event, "root", 2);
		set_bytes(db, event, thread == 2 ? 100 : 0,
			  thread == 2 || thread == 3 ? 0 : 100);
	}
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late broadcast|0|10|70|2|0|0\n"
			    "late broadcast|1|20|60|2|1|0\n");
	assert_int_equal(db_int(db, "SELECT root FROM collective"), 2);
	assert_string_equal(db_rows(db, "SELECT thread_id, from_bytes, "
					"operations, bytes FROM size_total"),
			    "0|0|1|0\n1|0|1|0\n2|64|1|100\n3|0|1|0\n");
	db_close(db);
}

/* The root waits until the first of those that send something. */
static void test_reduce(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 4, 1000), db), 4);

	(void)state;
	for (int thread = 0; thread < 4; thread++) {
		static const int start[] = { 10, 20, 50, 60 };
		int64_t event = member(db, thread, "reduce", start[thread], 90,
				       team, 0);

		db_arg(db, event, "root", 0);
		set_bytes(db, event, thread == 1 ? 0 : 8, thread ? 0 : 8);
	}
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "early reduce|0|10|50|2|0|0\n");
	db_close(db);
}

/* A member of 0 bytes is waited for by nobody, and waits for nobody. */
static void test_all_to_all(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 4, 1000), db), 4);

	(void)state;
	for (int thread = 0; thread < 4; thread++) {
		static const int start[] = { 10, 90, 60, 20 };
		int64_t event = member(db, thread, "all_to_all", start[thread],
				       100, team, 0);

		set_bytes(db, event, thread == 1 ? 0 : 8, thread == 3 ? 0 : 8);
	}
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "all-to-all|0|10|60|2|0|0\n");
	db_close(db);
}

/* Each waits for those before it in the team; its order is not the threads'. */
static void test_scan(void **state)
{
	sqlite3 *db = db_new();
	int64_t team;

	(void)state;
	db_threads(db, 3, 1000);
	team = db_team(db, 0);
	db_exec(db, "UPDATE team SET size = 3");
	db_exec(db, "INSERT INTO team_member VALUES(1, 0, 2), (1, 1, 0), "
		    "(1, 2, 1)");
	member(db, 0, "scan", 50, 100, team, 0);
	member(db, 1, "scan", 10, 100, team, 0);
	member(db, 2, "scan", 30, 100, team, 0);
	db_passes(db);
	/* In team order: 2 (30), 0 (50), 1 (10). */
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "early scan|1|10|50|0|0|0\n");
	db_close(db);
}

/* The waiting of a non-blocking barrier lies in the call that completes it, be
   that a test. */
static void test_non_blocking(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 3, 1000), db), 3);
	int64_t post, done;

	(void)state;
	post = member(db, 0, "barrier", 10, 12, team, 0);
	done = db_event(db, 0, "wait", "c.c:9", 40, 105);
	db_exec(db,
		"INSERT INTO collective_request VALUES(%lld, 1, %lld, 0, NULL, NULL)",
		(long long)post, (long long)done);
	post = member(db, 1, "barrier", 100, 102, team, 0);
	done = db_event(db, 1, "wait", "c.c:9", 103, 106);
	db_exec(db,
		"INSERT INTO collective_request VALUES(%lld, 1, %lld, 0, NULL, NULL)",
		(long long)post, (long long)done);
	post = member(db, 2, "barrier", 20, 22, team, 0);
	done = db_event(db, 2, "test", "c.c:9", 30, 110);
	db_exec(db,
		"INSERT INTO collective_request VALUES(%lld, 1, %lld, 0, NULL, NULL)",
		(long long)post, (long long)done);
	post = member(db, 2, "barrier", 200, 202, team, 1);
	db_exec(db,
		"INSERT INTO collective_request VALUES(%lld, 1, NULL, 0, NULL, NULL)",
		(long long)post);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|40|100|1|0|0\n"
			    "barrier|2|30|100|1|0|0\n");
	assert_string_equal(db_rows(db,
				    "SELECT kind, thread_id, event_id, count "
				    "FROM quality ORDER BY id"),
			    "request never completed|2|7|1\n"
			    "incomplete collective|0|-|1\n"
			    "incomplete collective|1|-|1\n");
	db_close(db);
}

/* What may synchronize does where nobody left before all had arrived. */
static void test_perhaps(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 2, 1000), db), 2);

	(void)state;
	member(db, 0, "team", 10, 60, team, 0);
	member(db, 0, "window_sync", 100, 140, team, 1);
	member(db, 1, "team", 50, 62, team, 0);
	member(db, 1, "window_sync", 150, 160, team, 1);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|10|50|1|0|0\n");
	assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
	db_close(db);
}

/* Two MPI_Comm_spawn made a world of two each, whose members nobody knows. */
static void test_spawned(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 4, 1000), db), 2);

	(void)state;
	db_exec(db, "DELETE FROM team_member");
	member(db, 0, "barrier", 10, 60, team, 0);
	member(db, 1, "barrier", 50, 60, team, 0);
	member(db, 2, "finalize", 20, 99, team, 0);
	member(db, 3, "finalize", 55, 99, team, 0);
	member(db, 0, "finalize", 100, 140, team, 1);
	member(db, 1, "finalize", 130, 140, team, 1);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|0|100|130|1|0|0\n");
	assert_string_equal(db_rows(db, "SELECT rule FROM collective"),
			    "unknown\nall\n");
	assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
	db_close(db);
}

/* Teams do not mix, one of one never waits, and neither do unknown blocks. */
static void test_no_waits(void **state)
{
	sqlite3 *db = db_new();
	int64_t world = db_team((db_threads(db, 2, 1000), db), 2);
	int64_t self = db_team(db, 1);
	int64_t event;

	(void)state;
	member(db, 0, "barrier", 10, 60, self, 0);
	member(db, 0, "barrier", 70, 90, world, 0);
	event = db_call(db, 0, "mpi_alltoallv", "exchange", "c.c:8", 100, 200);
	db_collective(db, event, world, 1);
	member(db, 1, "barrier", 70, 90, world, 0);
	event = db_call(db, 1, "mpi_alltoallv", "exchange", "c.c:8", 150, 200);
	db_collective(db, event, world, 1);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql), "");
	assert_string_equal(db_rows(db, "SELECT team_id, sequence, seen "
					"FROM collective ORDER BY 1, 2"),
			    "1|0|2\n1|1|2\n2|0|1\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_split_phase),
		cmocka_unit_test(test_open_notify),
		cmocka_unit_test(test_unnumbered),
		cmocka_unit_test(test_clamped),
		cmocka_unit_test(test_missing_members),
		cmocka_unit_test(test_mismatch),
		cmocka_unit_test(test_named_barriers),
		cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_reduce),
		cmocka_unit_test(test_all_to_all),
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_non_blocking),
		cmocka_unit_test(test_perhaps),
		cmocka_unit_test(test_spawned),
		cmocka_unit_test(test_no_waits),
	};

	return cmocka_run_group_tests_name("collectives", tests, NULL, NULL);
}
