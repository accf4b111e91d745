/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs on several hosts: from logs with readings to events in common time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collector/log/log_format.h"
#include "sql/sql.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_log_parts.h"

#define US     UINT64_C(1000)
#define MS     UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)
#define HOSTS  4
#define END_NS (20 * SECOND)
#define EVENTS 1000

/* Own time less true time: a line of each host, with a bend in its middle. */
static uint64_t own(int host, uint64_t ns)
{
	static const double ahead[HOSTS] = { 0, 3e6, 70e6, 12345 };
	static const double drift[HOSTS] = { 0, 40e-6, -25e-6, 1e-6 };
	const double bend = ns > END_NS / 2 ? (double)(ns - END_NS / 2) : 0;

	return ns +
	       (uint64_t)(int64_t)(ahead[host] + drift[host] * (double)ns +
				   (host ? 1e-6 * bend : 0)) +
	       SECOND;
}

static struct log *new_log(int host, double ticks_per_ns)
{
	char name[32];
	struct log *l;

	snprintf(name, sizeof name, "node%d", host);
	l = ticks_per_ns != 0 ? log_new_ticks(name, 10, 0, ticks_per_ns)
			      : log_new(name, 10, 0);
	log_meta(l, "host", name);
	snprintf(name, sizeof name, "%d", host);
	log_meta(l, "rank", name);
	log_meta(l, "ranks", "4");
	return l;
}

/* A reading at a true time, with these delays. */
static void reading(struct log *const *logs, int asker, int peer, uint64_t ns,
		    uint64_t there, uint64_t back)
{
	struct log *l = logs[asker], *p = logs[peer];

	log_numbers(l, GASPDB_RECORD_REMOTE_CLOCK, 5,
		    (uint64_t[]){
			    (uint64_t)peer, log_ticks(l, own(asker, ns)),
			    log_ticks(p, own(peer, ns + there)),
			    log_ticks(p, own(peer, ns + there + US)),
			    log_ticks(l, own(asker, ns + there + US + back)) });
}

/* Ten readings of each edge: 0-1, 0-2, 1-3. */
static void sample(struct log *const *logs, uint64_t ns)
{
	for (uint64_t i = 0; i < 10; i++) {
		reading(logs, 1, 0, ns + i * MS, 30 * US + 7 * i * US, 90 * US);
		reading(logs, 0, 2, ns + i * MS, 200 * US, 20 * US + i * US);
		reading(logs, 3, 1, ns + i * MS, 50 * US, 40 * US);
	}
}

static void make_logs(struct log **logs, double ticks_per_ns)
{
	unsigned site[HOSTS];

	for (int h = 0; h < HOSTS; h++) {
		logs[h] = new_log(h, ticks_per_ns);
		site[h] = log_plain(logs[h], "work", "user", "none", 1);
	}
	for (uint64_t i = 0; i <= EVENTS; i++) {
		const uint64_t ns = END_NS / EVENTS * i;

		for (int h = 0; h < HOSTS; h++) {
			if (i % 100 == 0)
				log_block_at(logs[h], own(h, ns),
					     (int64_t)(LOG_BASE + own(h, ns)));
			/* host 0 begins before all others */
			log_atomic(logs[h], own(h, ns + (h ? MS : 0)), site[h],
				   NONE);
		}
		if (i % 250 == 0)
			sample(logs, ns);
	}
}

static sqlite3 *import(struct log **logs)
{
	char *run = run_new();
	sqlite3 *db;

	for (int h = 0; h < HOSTS; h++) {
		log_close(logs[h]);
		run_add(run, logs[h]);
	}
	db = run_open(run);
	run_remove(run);
	return db;
}

/* No event's time is off by more than what is said. */
static void assert_aligned(sqlite3 *db)
{
	assert_int_equal(
		db_int(db,
		       "SELECT count(*) FROM event e JOIN thread t ON t.id = "
		       "e.thread_id WHERE abs(e.start_ns - ((e.id - "
		       "t.first_event) * %lld + (t.rank > 0) * 1000000)) > 8 + "
		       "(SELECT error_ns FROM host_clock c WHERE c.host = "
		       "t.host AND c.ns <= e.start_ns ORDER BY c.ns DESC "
		       "LIMIT 1)",
		       (long long)(END_NS / EVENTS)),
		0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 HOSTS * (EVENTS + 1));
}

static void aligned(void **state)
{
	static const double ticks_per_ns[] = { 0, 2.5, .4 };
	struct log *logs[HOSTS];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		sqlite3 *db;

		make_logs(logs, ticks_per_ns[i]);
		db = import(logs);
		assert_aligned(db);
		assert_string_equal(
			db_rows(db, "SELECT name, readings FROM "
				    "host ORDER BY 1"),
			"node0|100\nnode1|100\nnode2|50\nnode3|50\n");
		assert_true(db_int(db,
				   "SELECT max(error_ns) < 200000 AND "
				   "max(error_ns) > 20000 FROM host_clock"));
		assert_int_equal(db_int(db, "SELECT max(abs(offset_ns)) + "
					    "max(error_ns) FROM host_clock "
					    "WHERE host = 'node0'"),
				 0);
		assert_int_equal(db_int(db, "SELECT count(*) FROM quality"), 0);
		db_close(db);
	}
}

/* --- messages and barriers ------------------------------------------------ */

#define ROUNDS 1000

struct sites {
	unsigned receive, send, wait, barrier;
};

static struct sites define_calls(struct log *l, int host)
{
	struct sites s;

	log_team(l, 1, 0, 0, host, HOSTS, "world", "", 0);
	if (host == 0)
		log_members(l, 1, 0, 0, 1, HOSTS);
	s.receive = log_site(
		l,
		log_op_of(l, "MPI", "MPI_Irecv", "receive_nb", "communication",
			  "posted_peer:i posted_tag:i limit:z team:u",
			  "request:u"),
		"a.c", 1);
	s.send = log_site(l,
			  log_op_of(l, "MPI", "MPI_Send", "send",
				    "communication",
				    "peer:i tag:i bytes:z team:u", ""),
			  "a.c", 2);
	s.wait = log_site(l,
			  log_op_of(l, "MPI", "MPI_Wait", "wait",
				    "synchronization", "requests:u", ""),
			  "a.c", 3);
	s.barrier =
		log_site(l,
			 log_op_of(l, "MPI", "MPI_Barrier", "barrier",
				   "synchronization", "team:u sequence:u", ""),
			 "a.c", 4);
	return s;
}

/* A round of a host at true times: it sends to the next one, whose receive of
   any message completes 6 us later; then a barrier of 10 us. Now and then host
   2 sends 5 ms late. */
static void add_round(struct log *l, const struct sites *s, int host, int i,
		      uint64_t ns)
{
	const int next = (host + 1) % HOSTS, before = (host + 3) % HOSTS;
	const uint64_t late = i % 100 == 50 ? 5 * MS : 0;
	const uint64_t send = ns + 10 * US + (host == 2 ? late : 0);
	const uint64_t wait = send + 3 * US;
	const uint64_t done = ns + 16 * US + (host >= 2 ? late : 0);

	log_start(l, own(host, ns), s->receive, ARGS(-1, -1, 100, 1));
	log_end(l, own(host, ns + US), s->receive, ARGS(i + 1));
	log_start(l, own(host, send), s->send, ARGS(next, i % 3, 8, 1));
	log_end(l, own(host, send + 2 * US), s->send, NONE);
	log_start(l, own(host, wait), s->wait, ARGS(1));
	log_complete(l, (uint64_t)i + 1, 0, 1, before, i % 3, 8, 0);
	log_end(l, own(host, done), s->wait, NONE);
	ns += late;
	log_start(l, own(host, ns + (uint64_t)(50 + host) * US), s->barrier,
		  ARGS(1, i));
	log_end(l, own(host, ns + 60 * US), s->barrier, NONE);
}

static sqlite3 *import_rounds(double ticks_per_ns, bool readings)
{
	struct log *logs[HOSTS];

	for (int h = 0; h < HOSTS; h++) {
		struct sites s;

		logs[h] = new_log(h, ticks_per_ns);
		s = define_calls(logs[h], h);
		for (int i = 0; i < ROUNDS; i++) {
			const uint64_t ns = END_NS / ROUNDS * (uint64_t)i;

			if (i % 100 == 0)
				log_block_at(logs[h], own(h, ns),
					     (int64_t)(LOG_BASE + own(h, ns)));
			add_round(logs[h], &s, h, i, ns);
		}
	}
	if (readings) {
		sample(logs, 5 * SECOND + MS);
		sample(logs, 15 * SECOND + MS);
	}
	return import(logs);
}

/* Largest error of the hosts' clocks in the run, without its ends. */
static int64_t largest_error(sqlite3 *db)
{
	return db_int(db, "SELECT max(error_ns) FROM host_clock WHERE ns "
			  "BETWEEN 1000000000 AND 19000000000");
}

/* Calls that all hosts begin at one time begin within the error said. */
static void assert_calls_aligned(sqlite3 *db)
{
	assert_int_equal(
		db_int(db,
		       "SELECT count(*) FROM event e JOIN thread t ON t.id = "
		       "e.thread_id JOIN source s ON s.id = e.source_id JOIN "
		       "event z ON z.id = e.id - t.first_event + (SELECT "
		       "first_event FROM thread WHERE id = 0) WHERE s.line = 1 "
		       "AND abs(e.start_ns - z.start_ns) > (SELECT error_ns "
		       "FROM host_clock c WHERE c.host = t.host AND c.ns <= "
		       "e.start_ns + 10 ORDER BY c.ns DESC LIMIT 1)"),
		0);
}

/* Waits between hosts have the error of both; or less, by host_pair. */
static void assert_errors(sqlite3 *db, const char *compared)
{
	assert_int_equal(
		db_int(db,
		       "SELECT count(*) FROM wait w WHERE error_ns %s "
		       "(SELECT sum(error_ns) FROM (SELECT (SELECT error_ns "
		       "FROM host_clock c WHERE c.host = t.host AND c.ns <= "
		       "w.end_ns ORDER BY c.ns DESC LIMIT 1) AS error_ns FROM "
		       "thread t WHERE t.id IN (w.thread_id, "
		       "w.cause_thread_id)))",
		       compared),
		0);
}

/* Late senders of 5 ms are found. */
static void assert_waits(sqlite3 *db)
{
	assert_int_equal(db_int(db, "SELECT count(*) FROM wait WHERE "
				    "below_error <> (end_ns - start_ns <= "
				    "error_ns)"),
			 0);
	assert_int_equal(
		db_int(db, "SELECT sum(waits) FROM wait_total WHERE kind = "
			   "'late sender' AND NOT below_error AND thread_id = "
			   "3 AND cause_thread_id = 2 AND abs(time_ns - "
			   "49970000) <= error_ns AND error_ns > 0"),
		10);
	assert_true(atoll(db_analysis(db, "waits", "error_ns",
				      "min_wait=49000000")) > 0);
	assert_int_equal(gaspdb_views_make_temporary(db, true), SQLITE_OK);
	assert_true(atoll(db_analysis(db, "worst", "error_ns",
				      "min_share=0 limit=1")) > 0);
}

/* No effect comes before its cause, and nothing is left out. */
static void assert_order(sqlite3 *db)
{
	assert_int_equal(db_int(db, "SELECT count(*) FROM message"),
			 HOSTS * ROUNDS);
	assert_int_equal(db_int(db, "SELECT count(*) FROM message WHERE "
				    "received_ns < sent_ns"),
			 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM collective WHERE "
				    "first_leave_ns < last_enter_ns"),
			 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM wait WHERE clamped"),
			 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM quality WHERE kind "
				    "LIKE 'clock%%'"),
			 0);
}

static void messages(void **state)
{
	static const double ticks_per_ns[] = { 0, 2.5, .4 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		sqlite3 *db = import_rounds(ticks_per_ns[i], true);

		assert_order(db);
		assert_true(largest_error(db) < 15000);
		assert_calls_aligned(db);
		assert_errors(db, "IS NOT");
		assert_waits(db);
		db_close(db);
	}
}

/* The same logs without readings, as older collectors wrote them: wall clocks
   are 3 and 70 ms off, and are found out. */
static void without_readings(void **state)
{
	static const double ticks_per_ns[] = { 0, 2.5, .4 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		sqlite3 *db = import_rounds(ticks_per_ns[i], false);

		assert_order(db);
		assert_calls_aligned(db);
		assert_errors(db, ">");
		assert_waits(db);
		assert_true(largest_error(db) < 60000);
		assert_string_equal(db_rows(db,
					    "SELECT name, readings, drift_ppm, "
					    "wall_error_ns / 1000000 FROM host "
					    "ORDER BY 1"),
				    "node0|0|-|0\nnode1|0|-|3\nnode2|0|-|69\n"
				    "node3|0|-|0\n");
		assert_string_equal(
			db_rows(db, "SELECT kind, sum(count) FROM quality "
				    "WHERE kind <> 'below clock error' GROUP "
				    "BY 1 ORDER BY 1"),
			"several hosts|1\nwall clock moved|3\n");
		db_close(db);
	}
}

/* --- barriers alone ------------------------------------------------------- */

/* Barriers that the last host enters 1 us before the first one leaves; these
   two are others each time.  The readings alone say less than that. */
static void add_barriers(struct log *l, int host)
{
	const struct sites s = define_calls(l, host);

	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t ns = END_NS / ROUNDS * (uint64_t)i;
		const uint64_t in = host == i % HOSTS ? 100 : 60 + 10 * (uint64_t)host;
		const uint64_t out = host == i / HOSTS % HOSTS
					     ? 101
					     : 110 + 10 * (uint64_t)host;

		if (i % 100 == 0)
			log_block_at(l, own(host, ns),
				     (int64_t)(LOG_BASE + own(host, ns)));
		log_start(l, own(host, ns + in * US), s.barrier, ARGS(1, i));
		log_end(l, own(host, ns + out * US), s.barrier, NONE);
	}
}

/* All hosts of each are in order, those too that were neither the last nor the
   first by the readings. */
static void barriers(void **state)
{
	struct log *logs[HOSTS];
	sqlite3 *db;

	(void)state;
	for (int h = 0; h < HOSTS; h++) {
		logs[h] = new_log(h, 0);
		add_barriers(logs[h], h);
	}
	sample(logs, 5 * SECOND + MS);
	sample(logs, 15 * SECOND + MS);
	db = import(logs);
	assert_int_equal(db_int(db, "SELECT count(*) FROM collective"), ROUNDS);
	assert_int_equal(db_int(db, "SELECT count(*) FROM collective WHERE "
				    "first_leave_ns < last_enter_ns"),
			 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM quality WHERE kind "
				    "LIKE 'clock%%'"),
			 0);
	assert_true(largest_error(db) < 15000);
	db_close(db);
}

/* --- readings that cannot be used ----------------------------------------- */

/* Readings of extreme numbers, of ranks that are not there, of the own host,
   and in an impossible order, beside good ones. */
static void hostile_readings(void **state)
{
	static const uint64_t extremes[] = {
		0, 1, UINT64_MAX, INT64_MAX, UINT64_C(1) << 63, LOG_BASE
	};
	struct log *logs[HOSTS];
	sqlite3 *db;

	(void)state;
	make_logs(logs, 0);
	for (unsigned i = 0; i < 6 * 6 * 6 * 6; i++)
		log_numbers(logs[i % HOSTS], GASPDB_RECORD_REMOTE_CLOCK, 5,
			    (uint64_t[]){ i % 7 == 0 ? extremes[i % 6] : i % 4,
					  extremes[i % 6], extremes[i / 6 % 6],
					  extremes[i / 36 % 6],
					  extremes[i / 216] });
	for (uint64_t i = 0; i < 100; i++) /* returned before it was sent */
		log_numbers(logs[0], GASPDB_RECORD_REMOTE_CLOCK, 5,
			    (uint64_t[]){ 1, LOG_BASE + own(0, SECOND) + 9,
					  LOG_BASE + own(1, SECOND),
					  LOG_BASE + own(1, SECOND),
					  LOG_BASE + own(0, SECOND) });
	db = import(logs);
	assert_aligned(db);
	assert_true(db_int(db, "SELECT sum(count) FROM quality WHERE kind = "
			       "'unusable clock reading'") > 1000);
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aligned),
		cmocka_unit_test(messages),
		cmocka_unit_test(without_readings),
		cmocka_unit_test(barriers),
		cmocka_unit_test(hostile_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
