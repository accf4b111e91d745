/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the analyses say of runs whose figures are known by construction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

static void set(sqlite3 *db, int64_t event, int peer, int64_t object,
		int64_t bytes)
{
	db_exec(db,
		"UPDATE event SET peer = nullif(%d, -1), object = "
		"nullif(%lld, -1), bytes = nullif(%lld, -1) WHERE id = %lld",
		peer, (long long)object, (long long)bytes, (long long)event);
}

static void test_profile(void **state)
{
	sqlite3 *db = db_new();
	int64_t e;

	(void)state;
	db_threads(db, 2, 1000);
	db_event(db, 0, "function", "a.c:1", 0, 600);
	db_exec(db, "UPDATE event SET self_ns = 500 WHERE id = 1");
	set(db, db_event(db, 0, "put", "a.c:5", 10, 30), 1, -1, 100);
	set(db, db_event(db, 0, "put", "a.c:5", 40, 100), 1, -1, 300);
	e = db_event(db, 0, "put", "a.c:5", 110, 120);
	db_exec(db, "UPDATE event SET nested = 1 WHERE id = %lld",
		(long long)e);
	e = db_event(db, 0, "user", "a.c:2", 200, 300);
	db_exec(db, "UPDATE event SET self_ns = NULL WHERE id = %lld",
		(long long)e);
	set(db, db_event(db, 1, "put", "a.c:5", 0, 40), 0, -1, 200);
	e = db_event(db, 1, "barrier", "a.c:5", 500, 1000);
	db_exec(db, "UPDATE event SET open = 1 WHERE id = %lld", (long long)e);
	db_rollups(db);
	db_passes(db);
	assert_string_equal(
		db_analysis(
			db, "profile",
			"operation,location,threads,calls,total_ns,self_ns,"
			"share,mean_ns,min_ns,max_ns,deviation_ns,bytes,open",
			""),
		"function|a.c:1|1|1|600|500|25.0|600.0|600|600|0.0|-|0\n"
		"barrier|a.c:5|1|1|500|500|25.0|500.0|500|500|0.0|-|1\n"
		"put|a.c:5|2|3|120|120|6.0|40.0|20|60|16.3299316185545|600|0\n"
		"user|a.c:2|1|1|100|-|-|100.0|100|100|0.0|-|0\n");
	assert_string_equal(db_analysis(db, "profile",
					"operation,calls,self_ns",
					"thread=1 type=put"),
			    "put|1|40\n");
	assert_string_equal(
		db_analysis(db, "profile", "operation,total_ns", "nested=1"),
		"put|10\n");
	/* In the barrier one thread waited to its end for the other. */
	assert_string_equal(db_analysis(db, "operations",
					"operation,lines,threads,calls,self_ns,"
					"waiting_ns,bytes",
					"limit=3"),
			    "function|1|1|1|500|0|-\n"
			    "barrier|1|1|1|500|500|-\n"
			    "put|1|2|3|120|0|600\n");
	assert_string_equal(
		db_analysis(db, "hot-lines",
			    "location,operations,calls,self_ns,share,"
			    "max_thread,max_ns,bytes",
			    ""),
		"a.c:5|barrier, put|4|620|31.0|1|540|600\n"
		"a.c:1|function|1|500|25.0|0|500|-\n");
	db_close(db);
}

static void test_imbalance(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 4, 100);
	db_exec(db, "INSERT INTO thread(id, rank, number, complete) "
		    "VALUES(4, 4, 0, 0)"); /* unknown, not 0 */
	for (int i = 0; i < 4; i++)
		db_exec(db,
			"INSERT INTO category_time VALUES(%d, 'computation', "
			"%d), (%d, 'communication', %d)",
			i, i == 2 ? 100 : 60, i, i == 2 ? 0 : 40);
	set(db, db_event(db, 1, "put", "a.c:1", 0, 8), 0, -1, 30);
	db_rollups(db);
	db_passes(db);
	/*
	 * Computation: average 70, 100 (100 - 70) / 100 4 / 3 = 40 %.
	 * Communication: average 30, 25 % 4 / 3.
	 */
	assert_string_equal(
		db_analysis(db, "load-imbalance", NULL, ""),
		"computation|280|70.0|100|2|60|0|30.0|40.0|0.428571428571429|"
		"10.0|17.3205080756888|time\n"
		"communication|120|30.0|40|0|0|2|10.0|33.3333333333333|"
		"0.333333333333333|30.0|17.3205080756888|time\n");
	/* Three threads have no row: they count as 0. */
	assert_string_equal(
		db_analysis(db, "load-imbalance",
			    "what,total,average,max_thread,minimum,min_thread,"
			    "imbalance_pct,factor",
			    "by=line quantity=bytes"),
		"put a.c:1|30|7.5|1|0|0|100.0|3.0\n");
	assert_string_equal(db_analysis(db, "load-imbalance",
					"what,maximum,imbalance_pct",
					"by=operation"),
			    "put|8|100.0\n");
	/* 8 on thread 1: average 2, 6^2 + 3 x 2^2 = 48 = 4 x 12. */
	assert_string_equal(
		db_analysis(db, "load-imbalance", NULL, "by=line"),
		"put a.c:1|8|2.0|8|1|0|0|6.0|100.0|3.0|2.0|3.46410161513775|"
		"time\n");
	assert_string_equal(
		db_analysis(db, "load-imbalance", "what,total,max_thread",
			    "by=category quantity=calls"),
		"communication|1|1\n");
	assert_string_equal(
		db_analysis(db, "load-imbalance", "what,total,max_thread",
			    "by=line quantity=calls"),
		"put a.c:1|1|1\n");
	assert_string_equal(
		db_analysis(db, "load-imbalance", "what", "by=event"), "");
	assert_string_equal(db_analysis(db, "categories",
					"thread,total_ns,computation_ns,"
					"communication_ns,not_recorded_ns",
					""),
			    "0|100|60|40|0\n1|100|60|40|0\n"
			    "2|100|100|0|0\n3|100|60|40|0\n");
	assert_string_equal(
		db_analysis(db, "threads", "thread,total_ns,events,whole", ""),
		"0|100|0|1\n1|100|1|1\n2|100|0|1\n3|100|0|1\n"
		"4|-|0|0\n");
	db_close(db);
}

static void test_imbalance_of_one(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 1, 100);
	db_exec(db, "INSERT INTO category_time VALUES(0, 'computation', 100)");
	db_passes(db);
	assert_string_equal(db_analysis(db, "load-imbalance",
					"imbalance,imbalance_pct,factor", ""),
			    "0.0|0.0|0.0\n");
	db_close(db);
}

static void test_traffic(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 1000);
	db_exec(db, "UPDATE thread SET host = iif(id < 2, 'a', 'b')");
	set(db, db_event(db, 0, "put", "a.c:1", 0, 10), 1, 0, 100);
	set(db, db_event(db, 0, "put", "a.c:1", 10, 40), 1, 0, 200);
	set(db, db_event(db, 0, "get", "a.c:2", 40, 45), 2, 0, 50);
	set(db, db_event(db, 0, "get", "a.c:2", 50, 52), 0, 0, 8);
	set(db, db_event(db, 2, "atomic_fetch", "a.c:3", 0, 7), 1, 0, 8);
	set(db, db_event(db, 2, "put_nb", "a.c:4", 10, 11), 1, 0, 1000);
	db_rollups(db);
	db_passes(db);
	assert_string_equal(
		db_analysis(
			db, "comm-matrix",
			"initiator,owner,operations,bytes,mean_bytes,time_ns,"
			"gets,puts,atomics,sends,put_bytes",
			""),
		"2|1|2|1008|504.0|8|0|1|1|0|1000\n"
		"0|1|2|300|150.0|40|0|2|0|0|300\n"
		"0|2|1|50|50.0|5|1|0|0|0|0\n"
		"0|0|1|8|8.0|2|1|0|0|0|0\n");
	assert_string_equal(db_analysis(db, "comm-matrix",
					"initiator,owner,bytes",
					"by_host=1 direction=put"),
			    "b|a|1000\na|a|300\n");
	/* 200 and 100 bytes are of other powers of two; 512 <= 1000. */
	assert_string_equal(db_analysis(db, "comm-matrix",
					"initiator,owner,operations,bytes",
					"min_bytes=64 below_bytes=512"),
			    "0|1|2|300\n");
	assert_string_equal(db_analysis(db, "comm-matrix",
					"initiator,owner,operations,bytes",
					"below_bytes=128"),
			    "0|1|1|100\n0|2|1|50\n0|0|1|8\n2|1|1|8\n");
	assert_string_equal(
		db_analysis(db, "get-put",
			    "operation,location,affinity,calls,bytes,total_ns,"
			    "median_ns,p95_ns,bandwidth",
			    ""),
		"put|a.c:1|remote|2|300|40|10|30|7500000000.0\n"
		"atomic_fetch|a.c:3|remote|1|8|7|7|7|1142857142.85714\n"
		"get|a.c:2|remote|1|50|5|5|5|10000000000.0\n"
		"get|a.c:2|local|1|8|2|2|2|4000000000.0\n");
	/* A fetching atomic is a get, too. */
	assert_string_equal(
		db_analysis(db, "get-put", "type,affinity,strict", "type=get"),
		"atomic_fetch|remote|-\nget|remote|-\nget|local|-\n");
	assert_string_equal(db_analysis(db, "get-put-pairs",
					"location,thread,peer,calls,max_ns",
					"peer=1"),
			    "a.c:1|0|1|2|30\na.c:3|2|1|1|7\n");
	assert_string_equal(
		db_analysis(db, "message-sizes", NULL, "direction=put"),
		"put|64|127|1|33.3333333333333|100|7.69230769230769|1\n"
		"put|128|255|1|33.3333333333333|200|15.3846153846154|1\n"
		"put|512|1023|1|33.3333333333333|1000|76.9230769230769|1\n");
	db_close(db);
}

/* The worked example of locks: threads A to E. */
static void test_locks(void **state)
{
	static const int calls[][3] = { { 0, 0, 1 },	 { 0, 100, 150 },
					{ 1, 10, 148 },	 { 1, 200, 205 },
					{ 2, 20, 210 },	 { 2, 220, 222 },
					{ 3, 30, 250 },	 { 3, 260, 261 },
					{ 4, 300, 301 }, { 4, 310, 311 } };
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 5, 400);
	db_exec(db, "INSERT INTO segment VALUES(1, 'module', 'prog', 4096)");
	db_exec(db,
		"INSERT INTO object VALUES((1 << 40) + 16, 1, 16, 'mutex')");
	for (int i = 0; i < 10; i++)
		set(db,
		    db_event(db, calls[i][0], i % 2 ? "unlock" : "lock",
			     i % 2 ? "l.c:9" : "l.c:7", calls[i][1],
			     calls[i][2]),
		    -1, (1LL << 40) + 16, -1);
	db_passes(db);
	assert_string_equal(
		db_analysis(
			db, "lock-contention",
			"lock,location,acquisitions,contended,wait_ns,"
			"longest_wait_ns,latency_ns,failed_attempts,hold_ns,"
			"mean_hold_ns,longest_hold_ns,longest_holder,fairness",
			""),
		"mutex|l.c:7|5|60.0|515|192|35|0|237|47.4|147|0|1.0\n");
	assert_string_equal(db_analysis(db, "lock-holders",
					"waiter,holder,location,waits,wait_ns",
					""),
			    "1|0|l.c:7|1|138\n"
			    "2|0|l.c:7|1|128\n"
			    "3|0|l.c:7|1|118\n"
			    "2|1|l.c:7|1|57\n"
			    "3|1|l.c:7|1|57\n"
			    "3|2|l.c:7|1|12\n");
	assert_string_equal(
		db_analysis(db, "worst",
			    "kind,lost_ns,share,cases,longest_ns,thread,"
			    "thread_share,location,waiting_location,reason",
			    "min_share=0"),
		"lock|510|25.5|6|138|0|75.2941176470588|l.c:7|l.c:7|computation "
		"after l.c:7, before the next :9\n"
		"lock hand-over|5|0.25|1|5|-|-|l.c:7|l.c:7|-\n");
	assert_string_equal(
		db_analysis(
			db, "waits",
			"kind,location,cause_location,waits,wait_ns,mean_ns,"
			"threads,cause_thread,cause_share",
			""),
		"lock|l.c:7|l.c:7|6|510|85.0|3|0|75.2941176470588\n"
		"lock hand-over|l.c:7|-|1|5|5.0|1|-|-\n");
	assert_string_equal(
		db_analysis(db, "waits", "kind,wait_ns", "thread=2 cause=1"),
		"lock|57\n");
	db_close(db);
}

static void test_barriers(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 3, 1000), db), 3);

	(void)state;
	/* Thread 2 computes longer twice, thread 0 once. */
	for (int thread = 0; thread < 3; thread++) {
		static const int arrive[3][3] = { { 100, 100, 200 },
						  { 300, 300, 400 },
						  { 550, 500, 500 } };
		static const int leave[3] = { 210, 405, 560 };

		for (int k = 0; k < 3; k++)
			db_collective(db,
				      db_event(db, thread, "barrier", "b.c:8",
					       arrive[k][thread], leave[k]),
				      team, k);
	}
	db_passes(db);
	/* Waits: 2 x 100, 2 x 100, 2 x 50; what the second and the third take
	   themselves: 3 x 5, 3 x 10. */
	assert_string_equal(
		db_analysis(db, "barrier-wait",
			    "operation,location,team,instances,wait_ns,mean_ns,"
			    "longest_ns,operation_ns,late_thread,late_share,"
			    "late_instances,pattern,reason",
			    ""),
		"barrier|b.c:8|world|3|500|166.666666666667|200|25|2|80.0|2|"
		"always|computation before b.c:8\n");
	assert_string_equal(db_analysis(db, "collectives",
					"type,location,size,instances,complete,"
					"wait_ns,spread_ns,late_thread,"
					"late_share,late_instances",
					""),
			    "barrier|b.c:8|3|3|100.0|500|250|2|80.0|2\n");
	assert_string_equal(
		db_analysis(db, "worst",
			    "kind,lost_ns,share,on_path_ns,on_path_share,cases,"
			    "thread,thread_share,location,reason,reason_share",
			    "min_share=1"),
		"imbalance|500|16.6666666666667|250|25.0|-|2|80.0|b.c:8|"
		"computation from one b.c:8 to the next|100.0\n"
		"back-to-back barriers|45|1.5|25|2.5|6|0|33.3333333333333|"
		"b.c:8|rank 0: 2 of 3 come right after another one|-\n"
		"barrier|500|16.6666666666667|250|25.0|6|2|80.0|b.c:8|"
		"computation before b.c:8|50.0\n");
	/* 2 x 100 on thread 2, 50 on thread 0. */
	assert_string_equal(db_analysis(db, "worst", "kind", "min_share=25"),
			    "imbalance\nbarrier\n");
	assert_string_equal(db_analysis(db, "worst", "kind", "min_share=26"),
			    "");
	db_close(db);
}

static int64_t p2p(sqlite3 *db, int64_t event, const char *direction, int peer,
		   int tag, int bytes, const char *state)
{
	db_exec(db,
		"INSERT INTO p2p(thread_id, direction, post_event_id, "
		"complete_event_id, team_id, peer, tag, bytes, posted_ns, "
		"state, error) SELECT thread_id, '%s', id, id, 1, %d, %d, %d, "
		"start_ns, '%s', 0 FROM event WHERE id = %lld",
		direction, peer, tag, bytes, state, (long long)event);
	return event;
}

static void test_messages(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_team((db_threads(db, 2, 1000), db), 2);
	p2p(db, db_event(db, 0, "send", "m.c:1", 50, 60), "send", 1, 1, 100,
	    "complete");
	p2p(db, db_event(db, 0, "send", "m.c:1", 70, 80), "send", 1, 1, 300,
	    "complete");
	p2p(db, db_event(db, 0, "send", "m.c:2", 90, 95), "send", 1, 2, 100,
	    "complete");
	p2p(db, db_event(db, 0, "send", "m.c:3", 96, 97), "send", 1, 3, 7,
	    "cancelled");
	p2p(db, db_event(db, 1, "receive", "m.c:8", 10, 65), "receive", 0, 1,
	    100, "complete");
	p2p(db, db_event(db, 1, "receive", "m.c:8", 75, 85), "receive", 0, 1,
	    300, "complete");
	db_passes(db);
	assert_string_equal(
		db_analysis(
			db, "messages",
			"send_location,receive_location,messages,pairs,bytes,"
			"mean_bytes,min_bytes,max_bytes,late_sender_ns,"
			"late_receiver_ns,uncertain",
			""),
		"m.c:1|m.c:8|2|1|400|200.0|100|300|40|5|0\n");
	assert_string_equal(db_analysis(db, "matching", NULL, ""),
			    "send|4|2|66.6666666666667|500|80.0|1|0|1|0|0|0\n"
			    "receive|2|2|100.0|400|100.0|0|0|0|0|0|0\n");
	assert_string_equal(db_analysis(db, "unmatched", NULL, ""),
			    "unmatched send|0|90|send|m.c:2|100|1|2|to rank 1, "
			    "tag 2|3\n");
	assert_string_equal(db_analysis(db, "quality",
					"severity,kind,cases,threads,bytes",
					""),
			    "note|cancelled|1|1|7\n"
			    "note|unmatched send|1|1|100\n");
	assert_string_equal(
		db_analysis(
			db, "worst",
			"kind,lost_ns,thread,location,waiting_location,reason",
			"min_share=0"),
		"imbalance|40|0|m.c:1|m.c:8|computation before m.c:1\n"
		"late receiver|5|1|m.c:8|m.c:1|computation from one m.c:8 to "
		"the next\n"
		"late sender|40|0|m.c:1|m.c:8|computation before m.c:1\n");
	db_close(db);
}

static void test_fine_grained(void **state)
{
	sqlite3 *db = db_new();
	int64_t t = 0;

	(void)state;
	db_threads(db, 4, 200000);
	for (int i = 0; i < 64; i++) {
		int64_t duration = i % 4 ? 2000 : 100;

		set(db, db_event(db, 0, "get", "f.c:5", t, t + duration), i % 4,
		    i / 4 * 8, 8);
		t += duration;
	}
	db_passes(db);
	assert_string_equal(
		db_analysis(db, "fine-grained", NULL, ""),
		"get|f.c:5|contiguous|1|48|8.0|96000|90000|1|0|one get of the "
		"whole (memget, getmem)\n");
	assert_string_equal(
		db_analysis(
			db, "worst",
			"kind,lost_ns,share,cases,longest_ns,saving_ns,thread,"
			"thread_share,operation,location,reason",
			""),
		"fine-grained get|96000|12.0|48|-|90000|0|100.0|get|f.c:5|48 "
		"accesses of 8 B on average, up to 3 peers at a time, "
		"contiguous\n");
	db_close(db);
}

/* Small accesses make a thread late: its barrier says so. */
static void test_because(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 2, 5000), db), 2);

	(void)state;
	for (int i = 0; i < 20; i++)
		set(db, db_event(db, 0, "get", "f.c:5", i * 100, i * 100 + 90),
		    1, i * 8, 8);
	db_collective(db, db_event(db, 0, "barrier", "f.c:9", 2000, 2010), team,
		      0);
	db_collective(db, db_event(db, 1, "barrier", "f.c:9", 200, 2010), team,
		      0);
	db_passes(db);
	assert_string_equal(
		db_analysis(db, "worst", "kind,lost_ns,thread,reason,because",
			    ""),
		"barrier|1800|0|get at f.c:5|fine-grained get\n"
		"fine-grained get|1800|0|20 accesses of 8 B on average, up to 1 "
		"peer at a time, contiguous|-\n");
	db_close(db);
}

/*
 * Thread 0 comes last to a barrier, at 600, and the path never leaves it.  It
 * computes 990 of 1,000; the mean is 790, thread 1 having waited [200,600].
 */
static void test_path(void **state)
{
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 2, 1000), db), 2);

	(void)state;
	db_collective(db, db_event(db, 0, "barrier", "p.c:1", 600, 610), team,
		      0);
	db_collective(db, db_event(db, 1, "barrier", "p.c:1", 200, 610), team,
		      0);
	db_passes(db);
	assert_string_equal(
		db_analysis(db, "critical-path",
			    "what,time_ns,share,mean_ns,imbalance_ns", ""),
		"computation before p.c:1|600|60.0|400.0|200.0\n"
		"computation after p.c:1|390|39.0|390.0|0.0\n"
		"barrier at p.c:1|10|1.0|10.0|0.0\n");
	assert_string_equal(db_analysis(db, "critical-path",
					"what,time_ns,mean_ns,imbalance_ns",
					"by=category"),
			    "computation|990|790.0|200.0\n"
			    "synchronization|10|10.0|0.0\n");
	assert_string_equal(db_rows(db, "SELECT kind, thread_id, time_ns "
					"FROM path_wait"),
			    "barrier|0|400\n");
	db_close(db);
}

/* The same with an init [0,100] and a finalize [900,1000]: T is 800, or all. */
static void test_pop(void **state)
{
	static const char *const columns = "efficiency,percent,part_ns,of_ns";
	sqlite3 *db = db_new();
	int64_t team = db_team((db_threads(db, 2, 1000), db), 2);

	(void)state;
	for (int i = 0; i < 2; i++) {
		db_event(db, i, "init", "p.c:1", 0, 100 - i);
		db_collective(db,
			      db_event(db, i, "barrier", "p.c:2",
				       i ? 200 : 600, 620),
			      team, 0);
		db_event(db, i, "finalize", "p.c:3", 900 + i, 1000);
	}
	db_rollups(db);
	db_passes(db);
	assert_string_equal(db_analysis(db, "pop", columns, ""),
			    "parallel|72.5|580.0|800.0\n"
			    "load balance|74.3589743589744|580.0|780.0\n"
			    "communication|97.5|780.0|800.0\n"
			    "serialization|100.0|780.0|780.0\n"
			    "transfer|97.5|780.0|800.0\n");
	assert_string_equal(db_analysis(db, "pop", columns, "whole=1"),
			    "parallel|58.1|581.0|1000.0\n"
			    "load balance|74.4871794871795|581.0|780.0\n"
			    "communication|78.0|780.0|1000.0\n"
			    "serialization|99.8719590268886|780.0|781.0\n"
			    "transfer|78.1|781.0|1000.0\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_pop),
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_imbalance),
		cmocka_unit_test(test_imbalance_of_one),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_locks),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_fine_grained),
		cmocka_unit_test(test_because),
	};

	return cmocka_run_group_tests_name("analysis values", tests, NULL,
					   NULL);
}
