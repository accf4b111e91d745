/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events, and objects that processes share: rows with expected values by
   hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

/* --- events ----------------------------------------------------------------
 */

static void arguments(void **state)
{
	struct log *l = log_rank(0, 2);
	unsigned put = log_op(l, "put", "put", "communication",
			      "bytes:z peer:i where:p what:s half:d raw:u",
			      "bytes:z where:p state:i");
	unsigned site = log_site(l, put, "a.c", 1);
	unsigned text = log_string(l, "text");
	sqlite3 *db;

	(void)state;
	log_start(l, 0, site, ARGS(8, 1, 0x7000, text, -25, INT64_MAX));
	log_end(l, 5, site, ARGS(16, 0x10, -3));
	log_start(l, 6, site, ARGS(8, -1, 0x6ff0, 0, 10, 0));
	log_end(l, 7, site, ARGS(8, 0x20, 0));
	log_block(l, 8);			   /* differences start again */
	log_start(l, 8, site, ARGS(8, 7, 0x7000)); /* fewer than the layout has */
	log_end(l, 9, site, NONE);
	log_close(l);
	db = run_one(l);
	/* The size of the end counts; rank 7 does not exist in a world of 2. */
	assert_string_equal(db_rows(db, "SELECT bytes, peer FROM event "
					"ORDER BY id"),
			    "16|1\n8|-\n8|-\n");
	assert_string_equal(db_rows(db, "SELECT event_id, phase, name, value, "
					"typeof(value) FROM call_argument"),
			    "1|start|where|28672|integer\n"
			    "1|start|what|text|text\n"
			    "1|start|half|-2.5|real\n"
			    "1|start|raw|9223372036854775807|integer\n"
			    "1|end|where|16|integer\n"
			    "1|end|state|-3|integer\n"
			    "2|start|where|28656|integer\n"
			    "2|start|what|-|null\n"
			    "2|start|half|1.0|real\n"
			    "2|start|raw|0|integer\n"
			    "2|end|where|32|integer\n"
			    "2|end|state|0|integer\n"
			    "3|start|where|28672|integer\n");
	assert_string_equal(db_rows(db,
				    "SELECT min(id), max(id) FROM event_arg "
				    "WHERE id >> 6 = 2"),
			    "128|133\n");
	db_close(db);
}

/* ARGUMENT records, and more arguments than an event can have. */
static void further_arguments(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned a = log_plain(l, "a", "get", "communication", 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 2);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, a, NONE);
	log_argument(l, "extra", -7);
	log_start(l, 1, mark, NONE); /* the innermost now */
	for (int i = 0; i < 70; i++)
		log_argument(l, "many", i);
	log_end(l, 2, mark, NONE);
	log_end(l, 3, a, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT event_id, name, count(*), "
					"min(value), max(value) "
					"FROM call_argument GROUP BY 1, 2"),
			    "1|extra|1|-7|-7\n2|many|64|0|63\n");
	assert_string_equal(db_rows(db, "SELECT kind, count, event_id "
					"FROM quality"),
			    "arguments left out|6|2\n");
	db_close(db);
}

/* A line is one source for any number of sites and logs. */
static void sources(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned get = log_op(l, "get", "get", "communication", "", "");
		unsigned put = log_op(l, "put", "put", "communication", "", "");
		unsigned f = log_op_of(l, "C", "function", "function",
				       "computation", "signature:s", "");
		unsigned sites[] = { log_site(l, get, "a.c", 1),
				     log_site(l, get, "a.c", 1),
				     log_site(l, get, "a.c", 2),
				     log_site(l, put, "a.c", 2),
				     log_site(l, put, NULL, 0) };
		unsigned function = log_site(l, f, "a.c", 9);
		int64_t name = log_string(l, "int f(void)");

		for (uint64_t i = 0; i < 5; i++)
			log_call(l, 10 * i, 10 * i + 3, sites[i]);
		log_start(l, 60, function, ARGS(name));
		log_end(l, 61, function, NONE);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT o.name, file, line, function, calls, "
			    "threads FROM (SELECT source_id, sum(calls) AS "
			    "calls, count(*) AS threads FROM profile GROUP BY "
			    "1) JOIN source s ON s.id = source_id JOIN "
			    "operation o ON o.id = operation_id ORDER BY s.id"),
		"get|a.c|1|-|4|2\nget|a.c|2|-|2|2\nput|a.c|2|-|2|2\n"
		"put|-|-|-|2|2\nfunction|a.c|9|int f(void)|2|2\n");
	assert_string_equal(db_rows(db, "SELECT name, symbol, type, category, "
					"model FROM operation"),
			    "get|GASP_TEST_get|get|communication|MPI\n"
			    "put|GASP_TEST_put|put|communication|MPI\n"
			    "function|GASP_TEST_function|function|computation|"
			    "C\n");
	db_close(db);
	run_remove(run);
}

/* Operations with types, categories and codes that the log alone defines. */
static void unknown_operations(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned op =
		log_op(l, "teleport", "teleport", "magic", "bytes:z x:Q", "");
	unsigned site = log_site(l, op, "a.c", 1);
	unsigned put = log_plain(l, "put", "put", "communication", 2);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, site, ARGS(5, 6));
	log_call(l, 2, 5, put);
	log_end(l, 10, site, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT operation, bytes, nested "
					"FROM " NAMED_EVENTS " ORDER BY id"),
			    "teleport|5|0\nput|-|1\n");
	assert_string_equal(db_rows(db, "SELECT category, time_ns "
					"FROM category_time"),
			    "computation|0\nmagic|10\n");
	assert_int_equal(db_int(db, "SELECT value FROM event_arg"), 6);
	db_close(db);
}

/* --- roll-ups --------------------------------------------------------------
 */

static void traffic(void **state)
{
	struct log *l = log_rank(0, 3);
	unsigned get = log_site(
		l,
		log_op(l, "get", "get", "communication", "peer:i bytes:z", ""),
		"a.c", 1);
	unsigned atomic = log_site(
		l, log_op(l, "add", "atomic", "communication", "peer:i", ""),
		"a.c", 2);
	unsigned copy = log_site(
		l,
		log_op_of(l, "UPC", "upc_memcpy", "copy", "communication",
			  "target:p target_thread:i source:p source_thread:i "
			  "bytes:z",
			  ""),
		"a.c", 3);
	unsigned upc_get =
		log_site(l,
			 log_op_of(l, "UPC", "read", "get", "communication",
				   "source:p source_thread:i "
				   "bytes:z",
				   ""),
			 "a.c", 4);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, get, ARGS(1, 100));
	log_end(l, 10, get, NONE);
	log_start(l, 20, get, ARGS(1, 50));
	log_start(l, 21, get, ARGS(2, 9)); /* nested in the runtime: not counted */
	log_end(l, 22, get, NONE);
	log_end(l, 25, get, NONE);
	log_start(l, 30, get, ARGS(-1, 7));
	log_end(l, 31, get, NONE);
	log_start(l, 40, atomic, ARGS(2));
	log_end(l, 44, atomic, NONE);
	log_start(l, 50, copy, ARGS(0, 1, 0, 2, 64));
	log_end(l, 55, copy, NONE);
	log_start(l, 60, upc_get, ARGS(0, 2, 8));
	log_end(l, 66, upc_get, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT location, peer, direction, from_bytes, "
			    "operations, bytes, time_ns FROM traffic "
			    "JOIN place USING (source_id) "
			    "ORDER BY 1, 2, 3, 4"),
		"a.c:1|1|get|32|1|50|5\n"
		"a.c:1|1|get|64|1|100|10\n"
		"a.c:2|2|atomic|0|1|0|4\n"
		"a.c:3|1|put|64|1|64|2\n"
		"a.c:3|2|get|64|1|64|3\n"
		"a.c:4|2|get|8|1|8|6\n");
	assert_string_equal(
		db_rows(db, "SELECT nested, calls, total_ns, self_ns, min_ns, "
			    "max_ns, variation, bytes FROM profile p "
			    "JOIN place USING (source_id) "
			    "WHERE location = 'a.c:1' ORDER BY 1"),
		"0|3|16|15|1|10|122.0|157\n1|1|1|1|1|1|0.0|9\n");
	db_close(db);
}

/* --- what processes share --------------------------------------------------
 */

static void objects(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned lock = log_op(l, "lock", "lock", "synchronization",
				       "object:p", "");
		unsigned flag = log_op(l, "wait", "wait_until",
				       "synchronization", "object:p", "");
		unsigned at = log_site(l, lock, "a.c", 1);
		unsigned at_flag = log_site(l, flag, "a.c", 2);
		/* The same segments at other addresses, in another order. */
		int64_t heap = rank ? 0x10000 : 0x50000;
		int64_t data = rank ? 0x90000 : 0x20000;

		if (rank) {
			log_segment(l, 1, (uint64_t)data, 0x100, "module",
				    "prog");
			log_segment(l, 2, (uint64_t)heap, 0x2000, "heap",
				    "heap");
		} else {
			log_segment(l, 1, (uint64_t)heap, 0x1000, "heap",
				    "heap");
			log_segment(l, 2, (uint64_t)data, 0x100, "module",
				    "prog");
		}
		log_start(l, 0, at, ARGS(heap + 0x40));
		log_end(l, 1, at, NONE);
		log_start(l, 2, at, ARGS(data + 0x8));
		log_end(l, 3, at, NONE);
		log_start(l, 4, at_flag, ARGS(data + 0x100)); /* beyond it */
		log_end(l, 5, at_flag, NONE);
		log_start(l, 6, at_flag, ARGS(0)); /* nothing */
		log_end(l, 7, at_flag, NONE);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT * FROM segment ORDER BY id"),
			    "1|heap|heap|8192\n2|module|prog|256\n");
	assert_string_equal(
		db_rows(db, "SELECT thread_id, object >> 40, object & "
			    "0xffffffffff, name FROM event e LEFT JOIN object "
			    "o ON o.id = object ORDER BY e.id"),
		"0|1|64|heap+0x40\n0|2|8|prog+0x8\n0|-|-|-\n0|-|-|-\n"
		"1|1|64|heap+0x40\n1|2|8|prog+0x8\n1|-|-|-\n1|-|-|-\n");
	assert_string_equal(
		db_rows(db, "SELECT thread_id, count, event_id, detail "
			    "FROM quality WHERE kind = 'unknown object' "
			    "AND detail LIKE 'flags%%'"),
		"0|1|3|flags and targets\n1|1|7|flags and targets\n");
	db_close(db);
	run_remove(run);
}

/* UPC's pointers-to-shared, equal on all threads without a segment. */
static void upc_locks(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned lock = log_op_of(l, "UPC", "upc_lock", "lock",
					  "synchronization", "object:p", "");
		unsigned at = log_site(l, lock, "a.c", 1);

		for (uint64_t i = 0; i < 2; i++) {
			log_start(l, 2 * i, at,
				  ARGS(rank == (int)i ? 0x123400000000beef
						      : 0x55));
			log_end(l, 2 * i + 1, at, NONE);
		}
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT thread_id, name FROM event e JOIN object o "
			    "ON o.id = object ORDER BY e.id"),
		"0|0x123400000000beef\n0|0x55\n1|0x55\n1|0x123400000000beef\n");
	assert_int_equal(db_int(db, "SELECT count(DISTINCT object) FROM event"),
			 2);
	db_close(db);
	run_remove(run);
}

/* Pointers-to-shared: by their bytes, of any number; by their address in the
   part of a thread. */
static void upc_pointers(void **state)
{
	char *run = run_new();
	struct log *l = log_rank(0, 1);
	unsigned wide =
		log_op_of(l, "UPC", "upc_lock", "lock", "synchronization",
			  "object:p object_high:p", "");
	unsigned owned =
		log_op_of(l, "UPC", "upc_lock", "lock", "synchronization",
			  "object:p object_thread:i", "");
	unsigned at[] = { log_site(l, wide, "a.c", 1),
			  log_site(l, owned, "a.c", 2) };
	static const uint64_t pointers[][3] = { { 0, 0x10, 0 }, { 0, 0x10, 1 },
						{ 0, 0, 1 },	{ 0, 0x10, 0 },
						{ 0, 0, 0 },	{ 1, 0x10, 0 },
						{ 1, 0x10, 1 }, { 1, 0x10, 0 },
						{ 1, 0, 1 } };
	sqlite3 *db;

	(void)state;
	for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
		log_start(l, 2 * i, at[pointers[i][0]],
			  ARGS(pointers[i][1], pointers[i][2]));
		log_end(l, 2 * i + 1, at[pointers[i][0]], NONE);
	}
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT e.id, name FROM event e LEFT JOIN object o "
			    "ON o.id = object ORDER BY e.id"),
		"1|0x10\n2|0x10000000000000010\n"
		"3|0x10000000000000000\n4|0x10\n5|-\n"
		"6|0x10 of thread 0\n7|0x10 of thread 1\n"
		"8|0x10 of thread 0\n9|-\n");
	assert_int_equal(db_int(db, "SELECT count(DISTINCT object) FROM event"),
			 5);
	db_close(db);
	run_remove(run);
}

static void teams(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 4; rank++) {
		struct log *l = log_rank(rank, 4);
		unsigned op = log_op(l, "barrier", "barrier", "synchronization",
				     "team:u sequence:u", "");
		unsigned create = log_op(l, "split", "team", "runtime",
					 "team:u", "created:u");
		unsigned at = log_site(l, op, "a.c", 1);
		unsigned at_split = log_site(l, create, "a.c", 2);
		unsigned id = 5u + (unsigned)rank; /* an id for each rank */

		log_team(l, 1, 0, 0, rank, 4, "world", "WORLD", 0);
		if (rank == 0)
			log_members(l, 1, 0, 0, 1, 4);
		log_start(l, 0, at_split, ARGS(1));
		/* Even and odd ranks, in descending order. */
		log_team(l, id, 1, 0, 1 - rank / 2, 2, "split", "",
			 2 + rank % 2);
		if (rank >= 2)
			log_members(l, id, 0, rank, -2, 2);
		log_end(l, 1, at_split, ARGS(id));
		log_start(l, 2, at, ARGS(id, 0));
		log_end(l, 3, at, NONE);
		log_start(l, 4, at, ARGS(77, 0)); /* undefined */
		log_end(l, 5, at, NONE);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	/* A pass adds a team, for calls without one. */
	assert_string_equal(db_rows(db, "SELECT * FROM team WHERE id <= 3"),
			    "1|-|0|world|WORLD|4|0\n2|1|0|split|-|2|0\n"
			    "3|1|0|split|-|2|0\n");
	assert_string_equal(db_rows(db, "SELECT team_id, rank, thread_id "
					"FROM team_member WHERE team_id <= 3"),
			    "1|0|0\n1|1|1\n1|2|2\n1|3|3\n"
			    "2|0|2\n2|1|0\n3|0|3\n3|1|1\n");
	assert_string_equal(
		db_rows(db, "SELECT event_id, name, value FROM call_argument "
			    "WHERE event_id <= 3 AND name != 'sequence'"),
		"1|team|1\n1|created|2\n2|team|2\n3|team|-\n");
	db_close(db);
	run_remove(run);
}

/* Neighbours of a team: repeated by rank 0, none of rank 1, an unknown rank of
   rank 2, without a team of rank 3. */
static void team_sources(void **state)
{
	static const int64_t others[] = { 3, 1, 2, 1 }, beyond[] = { 0, 4 };
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 4; rank++) {
		struct log *l = log_rank(rank, 4);
		unsigned op = log_op(l, "f", "function", "computation", "", "");
		unsigned at = log_site(l, op, "a.c", 1);

		log_team(l, 1, 0, 0, rank, 4, "world", "WORLD", 0);
		if (rank == 0)
			log_members(l, 1, 0, 0, 1, 4);
		log_sources(l, rank == 3 ? 7 : 1, rank == 2 ? beyond : others,
			    rank == 1 ? 0 : 2);
		if (rank == 0)
			log_sources(l, 1, others, 4);
		log_start(l, 0, at, NONE);
		log_end(l, 1, at, NONE);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT team_id, thread_id, first, n "
					"FROM team_source"),
			    "1|0|1|1\n1|0|3|1\n1|1|0|0\n");
	db_close(db);
	run_remove(run);
}

/* A team without the log of rank 0, which has the list of members: each rank
   adds itself. */
static void team_without_first(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 1; rank < 3; rank++) {
		struct log *l = log_rank(rank, 3);
		unsigned at = log_plain(l, "barrier", "barrier",
					"synchronization", 1);

		log_team(l, 1, 0, 0, rank, 3, "world", "", 0);
		log_call(l, 0, 1, at);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT * FROM team_member "
					"WHERE team_id = 1"),
			    "1|1|1\n1|2|2\n");
	db_close(db);
	run_remove(run);
}

/* Saturation of sums at 2^63 - 1: 200 threads at one line for 6 x 10^16 ns
   each, 12 x 10^18 together. */
static void long_threads(void **state)
{
	const int ranks = 200;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < ranks; rank++) {
		struct log *l = log_rank(rank, ranks);
		unsigned at = log_plain(l, "wait", "unknown", "communication",
					1);

		log_call(l, 0, 60000000000000000, at);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT grouping, calls, total_ns, self_ns, max_ns "
			    "FROM profile_total ORDER BY 1"),
		"call|200|9223372036854775807|9223372036854775807|"
		"60000000000000000\n"
		"line|200|9223372036854775807|9223372036854775807|"
		"60000000000000000\n"
		"operation|200|9223372036854775807|9223372036854775807|"
		"60000000000000000\n");
	assert_string_equal(
		db_rows(db, "SELECT total, maximum, minimum FROM spread "
			    "WHERE grouping = 'call' AND quantity = 'time'"),
		"9223372036854775807|60000000000000000|60000000000000000\n");
	db_close(db);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments),
		cmocka_unit_test(further_arguments),
		cmocka_unit_test(sources),
		cmocka_unit_test(unknown_operations),
		cmocka_unit_test(traffic),
		cmocka_unit_test(objects),
		cmocka_unit_test(upc_locks),
		cmocka_unit_test(upc_pointers),
		cmocka_unit_test(teams),
		cmocka_unit_test(team_sources),
		cmocka_unit_test(team_without_first),
		cmocka_unit_test(long_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
