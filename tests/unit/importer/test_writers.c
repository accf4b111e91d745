/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writers of large tables: imports by pages and by SQLite's inserts give the
 * same rows in every table. Long calls, late completions of receives and late
 * arguments write out of order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sql/store/parts.h"
#include "sql/sql.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_random.h"

/* --- comparing ------------------------------------------------------------ */

static char pages[300], inserts[300];

static void import(const char *run, const char *output, bool by_inserts)
{
	const struct gaspdb_make_options options = {
		.import.run = run,
		.output = output,
		.force = true,
		.by_inserts = by_inserts,
	};
	struct gaspdb_made made;
	struct gaspdb_error err = { 0 };

	if (gaspdb_make(&options, &made, &err))
		fail_msg("%s", err.msg);
}

static sqlite3 *open_both(void)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(pages, &db), SQLITE_OK);
	assert_string_equal(db_rows(db, "PRAGMA integrity_check"), "ok\n");
	db_exec(db, "ATTACH '%s' AS i", inserts);
	return db;
}

static void compare_table(sqlite3 *db, const char *table)
{
	const int64_t n = db_int(db, "SELECT count(*) FROM main.%s", table);

	assert_int_equal(n, db_int(db, "SELECT count(*) FROM i.%s", table));
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM (SELECT * FROM main.%s "
				"INTERSECT SELECT * FROM i.%s)",
				table, table),
			 db_int(db,
				"SELECT count(*) FROM (SELECT DISTINCT * "
				"FROM i.%s)",
				table));
}

static void compare_tables(sqlite3 *db)
{
	sqlite3_stmt *stmt;

	assert_int_equal(sqlite3_prepare_v2(db,
					    "SELECT name FROM sqlite_schema "
					    "WHERE type = 'table'",
					    -1, &stmt, NULL),
			 SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		compare_table(db, (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

/* Imports the run both ways, compares, and removes it. Returns the first
   database. */
static sqlite3 *compare(char *run)
{
	sqlite3 *db;

	snprintf(pages, sizeof pages, "%s/pages.db", run);
	snprintf(inserts, sizeof inserts, "%s/inserts.db", run);
	import(run, pages, false);
	import(run, inserts, true);
	db = open_both();
	compare_tables(db);
	run_remove(run);
	return db;
}

/* --- runs by a generator -------------------------------------------------- */

static uint64_t seed;

static uint64_t below(uint64_t n)
{
	return random_next(&seed) % n;
}

struct sites {
	unsigned function, get, send, receive, wait, mark, text;
};

static void define(struct log *l, struct sites *s)
{
	s->function = log_site(
		l, log_op(l, "f", "function", "computation", "n:i", "result:i"),
		"a.c", 1);
	s->get = log_site(l,
			  log_op(l, "get", "get", "communication",
				 "bytes:z peer:i where:p",
				 "what:s half:d state:i"),
			  "a.c", 2);
	s->send = log_site(l,
			   log_op(l, "send", "send_nb", "communication",
				  "bytes:z peer:i tag:i", "request:u"),
			   "a.c", 3);
	s->receive = log_site(
		l,
		log_op(l, "receive", "receive_nb", "communication",
		       "limit:z posted_peer:i posted_tag:i", "request:u"),
		"a.c", 4);
	s->wait = log_site(l,
			   log_op(l, "wait", "wait", "synchronization", "", ""),
			   "a.c", 5);
	s->mark = log_plain(l, "mark", "user", "none", 6);
	s->text = log_string(l, "a text");
}

/* Begins a block from time to time, because of their largest size. */
static void block_now_and_then(struct log *l, int i, uint64_t t)
{
	if (i % 3000 == 2999)
		log_block(l, t);
}

/* Writes a record without effect between a call's start and its end (the
   cancelling of a request), or none. */
static bool apart;

static void between(struct log *l)
{
	if (apart)
		log_numbers(l, 19, 1, (const uint64_t[]){ 1 });
}

/* A log of random nested functions, with accesses, marks, and messages to the
   other rank that complete at random times. */
static struct log *make_log(int rank, int steps)
{
	struct log *l = log_rank(rank, 2);
	struct sites s;
	unsigned open = 0, posted = 0, completed = 0;
	uint64_t t = 0;

	define(l, &s);
	log_start(l, t++, s.function, ARGS(-1)); /* the last to end */
	for (int i = 0; i < steps; i++, t += below(1000)) {
		switch (below(9)) {
		case 0:
		case 1:
			log_start(l, t, s.function, ARGS((int64_t)below(300)));
			open++;
			break;
		case 2:
		case 3:
			if (open && below(50)) {
				log_end(l, t, s.function, ARGS(i));
				open--;
			}
			break;
		case 4:
			log_atomic(l, t, s.mark, NONE);
			break;
		case 5:
			posted++;
			log_start(l, t, s.receive, ARGS(1 << 20, !rank, -1));
			between(l);
			log_end(l, t + 1, s.receive, ARGS(posted));
			break;
		case 6:
			if (completed == posted || below(3) == 0)
				break;
			log_start(l, t, s.wait, NONE);
			log_complete(l, ++completed, 0, 1, !rank, 7,
				     below(1000), 0);
			log_end(l, t + 2, s.wait, NONE);
			break;
		default:
			log_start(l, t, s.get,
				  ARGS((int64_t)below(1 << 20), !rank,
				       0x7000 + (int64_t)below(64)));
			between(l);
			log_end(l, t + 3, s.get,
				ARGS(below(4) ? 0 : s.text, i, -i));
		}
		block_now_and_then(l, i, t);
	}
	for (; open > 0 && below(10); open--)
		log_end(l, t++, s.function, ARGS(0));
	log_close(l);
	return l;
}

static char *make_run(uint64_t n, int steps)
{
	char *run = run_new();

	seed = n * 0x9e3779b97f4a7c15u + 1;
	for (int rank = 0; rank < 2; rank++)
		run_add(run, make_log(rank, steps));
	return run;
}

/* Pairs of a start and an end right after it, which are replayed at once: rows
   as of others. */
static void pairs(void **state)
{
	(void)state;
	for (uint64_t n = 1; n <= 3; n++) {
		char *run = make_run(n, 20000), *other;
		sqlite3 *db;

		apart = true;
		other = make_run(n, 20000);
		apart = false;
		snprintf(pages, sizeof pages, "%s/pages.db", run);
		snprintf(inserts, sizeof inserts, "%s/pages.db", other);
		import(run, pages, false);
		import(other, inserts, false);
		db = open_both();
		/* Facts about the files themselves. */
		for (int i = 0; i < 2; i++)
			db_exec(db,
				"DELETE FROM %s.meta WHERE key IN ('run_name', "
				"'run_directory', 'log_bytes'); "
				"UPDATE %s.quality SET offset = NULL",
				i ? "i" : "main", i ? "i" : "main");
		compare_tables(db);
		db_close(db);
		run_remove(run);
		run_remove(other);
	}
}

static void random_runs(void **state)
{
	(void)state;
	for (uint64_t n = 1; n <= 6; n++) {
		sqlite3 *db;

		print_message("# seed %llu\n", (unsigned long long)n);
		db = compare(make_run(n, n % 3 ? 2000 : 40000));
		assert_true(db_int(db, "SELECT count(*) FROM event_arg") >
			    2000);
		db_close(db);
	}
}

/* Nested calls that each end after more events than the window holds. */
static void deep(void **state)
{
	const int depth = 30000;
	char *run = run_new();
	struct log *l = log_rank(0, 1);
	struct sites s;
	sqlite3 *db;

	(void)state;
	define(l, &s);
	for (int i = 0; i < depth; i++) {
		log_start(l, (uint64_t)i, s.function, ARGS(i));
		block_now_and_then(l, i, (uint64_t)i);
	}
	for (int i = depth; i-- > 0;) {
		log_end(l, (uint64_t)(2 * depth - i), s.function, ARGS(-i));
		block_now_and_then(l, i, (uint64_t)(2 * depth - i));
	}
	log_close(l);
	run_add(run, l);
	db = compare(run);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event e WHERE "
				    "parent_id IS iif(id = 1, NULL, id - 1) "
				    "AND start_ns = id - 1 AND duration_ns = "
				    "60000 - 2 * (id - 1)"),
			 depth);
	/* n: of the START, result: of the END. */
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM event_arg WHERE value = "
				"iif(id & 1, -1, 1) * ((id >> 6) - 1)"),
			 2 * depth);
	db_close(db);
}

/* A late completion of a receive: its bytes belong to the post. */
static void late_completion(void **state)
{
	const int between = 50000;
	char *run = run_new();
	struct log *l = log_rank(0, 1);
	struct sites s;
	sqlite3 *db;
	uint64_t t = 0;

	(void)state;
	define(l, &s);
	for (unsigned i = 1; i <= 3; i++) {
		log_start(l, t++, s.receive, ARGS(100, 0, -1));
		log_end(l, t++, s.receive, ARGS(i));
	}
	for (int i = 0; i < between; i++) {
		log_atomic(l, t++, s.mark, NONE);
		block_now_and_then(l, i, t);
	}
	log_start(l, t++, s.wait, NONE);
	log_complete(l, 3, 0, 1, 0, 7, 33, 0);
	log_complete(l, 1, 1, 1, 0, 7, 11, 0);
	log_end(l, t++, s.wait, NONE);
	log_close(l);
	run_add(run, l);
	db = compare(run);
	assert_string_equal(db_rows(db, "SELECT id, bytes, peer FROM event "
					"WHERE id <= 3"),
			    "1|11|0\n2|-|-\n3|33|0\n");
	assert_string_equal(
		db_rows(db, "SELECT id, post_event_id, complete_event_id, "
			    "bytes, state FROM p2p"),
		"1|1|50004|11|complete\n2|2|-|-|open\n3|3|50004|33|complete\n");
	db_close(db);
}

/*
 * Many threads with few events each, for costs of threads times lines. META
 * records come in any order, and repeated.
 */
static void many_threads(void **state)
{
	const int ranks = 300;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	seed = 99;
	for (int rank = 0; rank < ranks; rank++) {
		struct log *l = log_rank(rank, ranks);
		unsigned sites[100];
		uint64_t t = 0;

		log_meta(l, "zone", "z");
		log_meta(l, "a", "first");
		log_meta(l, "b", "");
		log_meta(l, "a", "second");
		for (unsigned i = 0; i < 100; i++)
			sites[i] = log_site(l,
					    log_op(l, i % 2 ? "get" : "put",
						   i % 2 ? "get" : "put",
						   "communication",
						   "bytes:z peer:i", ""),
					    "a.c", i + 1);
		for (int i = 0; i < 200; i++, t += 10) {
			const unsigned site = sites[(unsigned)(i * 7) % 100];

			log_start(l, t, site,
				  ARGS((int64_t)below(9),
				       (int64_t)below((uint64_t)ranks)));
			log_end(l, t + 1 + below(9), site, NONE);
		}
		log_close(l);
		run_add(run, l);
	}
	db = compare(run);
	assert_string_equal(db_rows(db,
				    "SELECT (SELECT count(*) FROM profile), "
				    "(SELECT sum(calls) FROM profile), "
				    "(SELECT sum(calls) FROM callpath_total), "
				    "(SELECT sum(operations) FROM traffic), "
				    "(SELECT sum(calls) FROM access_pair)"),
			    "30000|60000|60000|60000|60000\n");
	/* Found by their keys. */
	assert_string_equal(db_rows(db,
				    "SELECT count(*), sum(calls) FROM profile "
				    "WHERE thread_id = 299"),
			    "100|200\n");
	assert_string_equal(
		db_rows(db, "SELECT key, value, count(*) FROM thread_meta "
			    "WHERE key IN ('a', 'b', 'zone') GROUP BY 1, 2"),
		"a|first|300\nb||300\nzone|z|300\n");
	assert_string_equal(
		db_rows(db, "SELECT threads, calls FROM profile_total "
			    "WHERE grouping = 'operation' ORDER BY source_id"),
		"300|30000\n300|30000\n");
	db_close(db);
}

/* Pieces of a thread: its events without gaps and overlaps, in order of
   time. */
static void pieces(void **state)
{
	const int n[] = { 5000, 1, 0, 1024 };
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 4; rank++) {
		struct log *l = log_rank(rank, 4);
		unsigned site = log_plain(l, "mark", "user", "none", 6);

		for (int i = 0; i < n[rank]; i++) {
			log_atomic(l, (uint64_t)(10 * i), site, NONE);
			block_now_and_then(l, i, (uint64_t)(10 * i));
		}
		log_close(l);
		run_add(run, l);
	}
	db = compare(run);
	assert_string_equal(db_rows(db, "SELECT * FROM event_piece"),
			    "0|0|10230|1|1024\n0|10240|20470|1025|2048\n"
			    "0|20480|30710|2049|3072\n0|30720|40950|3073|4096\n"
			    "0|40960|49990|4097|5000\n1|0|0|5001|5001\n"
			    "3|0|10230|5002|6025\n");
	assert_string_equal(
		db_rows(db, "SELECT min(event_id), max(event_id) FROM events "
			    "WHERE event_id BETWEEN (SELECT first_event FROM "
			    "event_piece WHERE thread_id = 0 AND start_ns < "
			    "20460 ORDER BY start_ns DESC LIMIT 1) AND (SELECT "
			    "last_event FROM event_piece WHERE thread_id = 0 "
			    "AND start_ns <= 20480 ORDER BY start_ns DESC "
			    "LIMIT 1) AND start_s BETWEEN 20460e-9 AND 20480e-9"),
		"2047|2049\n");
	db_close(db);
}

/* --- what pages need to know ---------------------------------------------- */

/* Keys: columns of the schema, with their types. */
static void keys(void **state)
{
	char expected[1024];
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	db_strict_schema(db);
	for (int i = 0; i < GASPDB_N_INSERTS; i++) {
		const struct gaspdb_store_table *t = &gaspdb_store_tables[i];
		const bool keyed = t->by > 0;

		if (t->by == GASPDB_BY_SQL)
			continue;
		snprintf(expected, sizeof expected, "%s\n", t->columns);
		assert_string_equal(
			db_rows(db,
				"SELECT group_concat(name, ', ') FROM "
				"pragma_table_info('%s')",
				t->table),
			expected);
		assert_int_equal(
			keyed ? t->by : 1,
			db_int(db,
			       "SELECT count(*) FILTER (WHERE pk = cid + 1) "
			       "FROM pragma_table_info('%s') WHERE pk > 0",
			       t->table));
		assert_int_equal(keyed ? t->by : 1,
				 db_int(db,
					"SELECT count(nullif(pk, 0)) FROM "
					"pragma_table_info('%s')",
					t->table));
		assert_int_equal(keyed,
				 db_int(db,
					"SELECT wr FROM pragma_table_list "
					"WHERE name = '%s'",
					t->table));
	}
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_runs),
		cmocka_unit_test(pairs),
		cmocka_unit_test(deep),
		cmocka_unit_test(late_completion),
		cmocka_unit_test(many_threads),
		cmocka_unit_test(pieces),
		cmocka_unit_test(keys),
	};

	return cmocka_run_group_tests_name("writers", tests, NULL, NULL);
}
