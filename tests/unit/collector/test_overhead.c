/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What recording cost, masks and size limits: figures by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

static const char threads[] =
	"SELECT thread_id, raw_events, event_cost_ns, events_ns, tool_ns, "
	"overhead_ns, total_ns, overhead_pct FROM overhead";

/* Ten puts of 50 ns, and a function with three more, a mark and a phase. */
static struct log *storm(int rank, int ranks)
{
	struct log *l = log_rank(rank, ranks);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	unsigned work = log_plain(l, "work", "function", "computation", 2);
	unsigned mark = log_plain(l, "mark", "user", "none", 3);
	unsigned phase = log_plain(l, "phase", "user", "none", 4);

	for (uint64_t i = 0; i < 10; i++)
		log_call(l, 100 * i, 100 * i + 50, put);
	log_start(l, 2000, work, NONE);
	for (uint64_t i = 0; i < 3; i++)
		log_call(l, 2010 + 100 * i, 2060 + 100 * i, put);
	log_atomic(l, 2400, mark, NONE);
	log_call(l, 2500, 2600, phase);
	log_end(l, 3000, work, NONE);
	log_tool(l, 3100, 3600);
	log_clock(l, 4000, LOG_BASE + 4000, LOG_REAL + 4000, 1);
	return l;
}

/*
 * 31 raw events at 40 ns.  A put has 40 of its 50 ns inside, and leaves as
 * much around it.  In the function: its own two halves, a whole for each put,
 * the mark's, and the phase's two: 7 of 850 ns.
 */
static void known_cost(void **state)
{
	struct log *l = storm(0, 1);
	sqlite3 *db;

	(void)state;
	log_meta(l, "event_cost_ticks", "40");
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "%s", threads),
			    "0|31|40.0|1240|500|1740|4000|43.5\n");
	assert_string_equal(db_rows(db,
				    "SELECT operation, raw_events, recorded "
				    "FROM profile NATURAL JOIN place "
				    "ORDER BY source_id"),
			    "put|26|13.0\nwork|2|7.0\nmark|1|-\nphase|2|-\n");
	assert_string_equal(db_analysis(db, "overhead-lines", NULL, ""),
			    "put|a.c:1|13|26|1040|650|520|80.0|16.25\n"
			    "work|a.c:2|1|2|80|850|280|32.9411764705882|21.25\n"
			    "phase|a.c:4|1|2|80|-|-|-|-\n"
			    "mark|a.c:3|1|1|40|-|-|-|-\n");
	assert_string_equal(db_analysis(db, "overhead-lines", "operation",
					"least=50 of_run=16"),
			    "put\n");
	assert_string_equal(db_analysis(db, "overhead-lines", "operation",
					"least=50 of_run=17"),
			    "");
	db_close(db);
}

/* Of 2.5 ticks a ns. */
static void cost_in_ticks(void **state)
{
	struct log *l = log_new_ticks("node", 1, 0, 2.5);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	sqlite3 *db;

	(void)state;
	log_meta(l, "event_cost_ticks", "81.25");
	log_call(l, 0, 50, put);
	log_block_at(l, 1000000000, LOG_BASE + 1000000000);
	log_call(l, 1000000000, 1000000100, put);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT round(event_cost_ns, 6), events_ns, "
			    "overhead_ns FROM overhead"),
		"32.5|130|130\n");
	db_close(db);
}

/* Not known is not zero. */
static void unknown_cost(void **state)
{
	static const char *const costs[] = {
		NULL,  "",    "0",
		"-3",  "4x",  "0x40",
		"1e3", "nan", "99999999999999999999"
	};
	sqlite3 *db;

	(void)state;
	for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
		struct log *l = storm(0, 1);

		if (costs[i])
			log_meta(l, "event_cost_ticks", costs[i]);
		log_close(l);
		db = run_one(l);
		assert_string_equal(db_rows(db, "%s", threads),
				    "0|31|-|-|500|-|4000|-\n");
		assert_string_equal(db_analysis(db, "overhead-lines", NULL, ""),
				    "");
		assert_string_equal(db_analysis(db, "overhead",
						"raw_events,overhead_ns,share",
						""),
				    "31|-|-\n");
		db_close(db);
	}
}

/* A missing log's cost is not known either, and the others' is. */
static void of_several(void **state)
{
	static const char *const costs[] = { "10", NULL, "30" };
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 3; rank++) {
		struct log *l = storm(rank, 4);

		if (costs[rank])
			log_meta(l, "event_cost_ticks", costs[rank]);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(
		db_analysis(db, "overhead", "thread,overhead_ns,share", ""),
		"2|1430|35.75\n0|810|20.25\n1|-|-\n");
	/* 26 puts at 10 and 30 ns; of the time of all threads with logs. */
	assert_string_equal(
		db_analysis(db, "overhead-lines",
			    "operation,calls,cost_ns,self_ns,inside_ns,share",
			    "limit=1"),
		"put|26|1040|1300|520|40.0\n");
	db_close(db);
	run_remove(run);
}

static void masked(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	unsigned get = log_op(l, "get", "get", "communication", "", "");
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	log_meta(l, "except", "get*,*poll*");
	log_call(l, 0, 10, put);
	log_numbers(l, 39, 2, (uint64_t[]){ get, 70 });
	log_numbers(l, 39, 2, (uint64_t[]){ 50, 7 }); /* undefined */
	log_close(l);
	run_add(run, l);
	db = run_import(run, &result, &err);
	assert_non_null(db);
	assert_int_equal(result.losses, 0);
	assert_string_equal(db_rows(db, "SELECT kind, severity, thread_id, "
					"count, detail FROM quality"),
			    "masked events|note|0|70|get\n"
			    "masked events|note|0|7|-\n");
	assert_string_equal(db_rows(db, "SELECT raw_events, masked "
					"FROM overhead"),
			    "2|77\n");
	assert_string_equal(db_rows(db, "SELECT value FROM thread_meta "
					"WHERE key = 'except'"),
			    "get*,*poll*\n");
	db_close(db);
	run_remove(run);
}

/* Absurd counts stop at the end of their range. */
static void masked_absurdly(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	sqlite3 *db;

	(void)state;
	log_call(l, 0, 10, put);
	for (int i = 0; i < 3; i++)
		log_numbers(l, 39, 2, (uint64_t[]){ 1, UINT64_C(1) << 63 });
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT masked = 3 << 48, (SELECT "
					"sum(count) = 3 << 48 FROM quality) "
					"FROM recording"),
			    "1|1\n");
	db_close(db);
}

/* Recording of rank 0 stops at 60, in a call; rank 1 goes on until 200. */
static void size_limit(void **state)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned send =
			log_site(l,
				 log_op(l, "send", "send", "communication",
					"team:i peer:i tag:i bytes:z", ""),
				 "a.c", 1);
		unsigned receive = log_site(
			l,
			log_op(l, "receive", "receive", "communication",
			       "team:i peer:i tag:i limit:z", ""),
			"a.c", 2);

		log_team(l, 1, 0, 0, rank, 2, "world", "", 0);
		log_members(l, 1, 0, 0, 1, 2);
		if (rank == 0) {
			log_start(l, 0, receive, ARGS(1, 1, 7, 8));
			log_end(l, 20, receive, NONE);
			log_start(l, 50, receive, ARGS(1, 1, 7, 8));
			log_recording(l, false, 60);
			log_meta(l, "end", "size limit");
		} else {
			for (uint64_t t = 0; t < 4; t++) {
				log_start(l, 50 * t, send, ARGS(1, 0, 7, 8));
				log_end(l, 50 * t + 10, send, NONE);
			}
			log_clock(l, 200, LOG_BASE + 200, LOG_REAL + 200, 1);
		}
		log_close(l);
		run_add(run, l);
	}
	db = run_import(run, &result, &err);
	assert_non_null(db);
	assert_int_equal(result.losses, 0);
	assert_string_equal(db_rows(db, "SELECT last_ns, complete FROM thread"),
			    "200|1\n200|1\n");
	assert_string_equal(db_rows(db, "SELECT thread_id, kind, start_ns, "
					"end_ns FROM gap"),
			    "0|size limit|60|200\n");
	assert_string_equal(db_rows(db, "SELECT thread_id, category, time_ns "
					"FROM category_time ORDER BY 1, 2"),
			    "0|communication|30\n0|computation|30\n"
			    "0|not recorded|140\n1|communication|40\n"
			    "1|computation|160\n");
	assert_string_equal(db_rows(db, "SELECT start_ns, duration_ns, open "
					"FROM event WHERE thread_id = 0"),
			    "0|20|0\n50|10|1\n");
	assert_string_equal(db_rows(db, "SELECT severity, thread_id, file, "
					"time_ns FROM quality WHERE kind = "
					"'size limit'"),
			    "warning|0|node-100-0.gasplog|140\n");
	/* Whether the open receive got the second is not known. */
	assert_string_equal(db_rows(db, "SELECT direction, outcome, operations "
					"FROM p2p_total WHERE thread_id = 1"),
			    "send|matched|1\nsend|not recorded|3\n");
	assert_string_equal(db_rows(db, "SELECT DISTINCT kind FROM quality "
					"ORDER BY kind"),
			    "open event\npartner not recorded\n"
			    "size limit\n");
	db_close(db);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_cost),
		cmocka_unit_test(cost_in_ticks),
		cmocka_unit_test(unknown_cost),
		cmocka_unit_test(of_several),
		cmocka_unit_test(masked),
		cmocka_unit_test(masked_absurdly),
		cmocka_unit_test(size_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
