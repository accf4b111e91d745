/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for a word that another process writes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

enum { WORD = 4096 };

static void access_event(sqlite3 *db, int thread, const char *name,
			 const char *type, int64_t start_ns, int64_t end_ns,
			 int peer, int64_t object, int64_t bytes)
{
	int64_t event =
		db_call(db, thread, name, type, "s.c:1", start_ns, end_ns);

	db_exec(db,
		"UPDATE event SET peer = nullif(%d, -1), object = %lld, "
		"bytes = %lld WHERE id = %lld",
		peer, (long long)object, (long long)bytes, (long long)event);
}

static void wait_for(sqlite3 *db, int thread, int64_t start_ns, int64_t end_ns,
		     int64_t object)
{
	access_event(db, thread, "wait_until", "wait_until", start_ns, end_ns,
		     -1, object, 0);
}

static const char waits_sql[] =
	"SELECT kind, thread_id, start_ns, end_ns, cause_thread_id, cause_ns, "
	"bound FROM wait ORDER BY event_id";

/* The last write that began before the wait ended is what it waited for. */
static void test_last_write(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 3, 1000);
	wait_for(db, 0, 100, 200, WORD);
	wait_for(db, 0, 300, 310, WORD);
	wait_for(db, 0, 400, 500, WORD);
	access_event(db, 1, "p", "put", 50, 60, 0, WORD, 8);
	access_event(db, 1, "p", "put", 190, 199, 0, WORD, 8);
	access_event(db, 1, "p", "put", 290, 299, 2, WORD, 8); /* elsewhere */
	access_event(db, 2, "add", "atomic", 150, 160, 0, WORD, 8);
	access_event(db, 2, "put_nb", "put_nb", 450, 451, 0, WORD - 96, 104);
	access_event(db, 2, "p", "put", 501, 502, 0, WORD, 8); /* too late */
	db_passes(db);
	/* The second wait found the word changed already. */
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late signal|0|100|190|1|190|0\n"
			    "late signal|0|400|450|2|450|0\n");
	db_close(db);
}

/* Writes beside the word, reads, and words of others change nothing. */
static void test_unknown(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 1000);
	wait_for(db, 0, 100, 200, WORD);
	access_event(db, 1, "p", "put", 110, 111, 0, WORD + 1, 8);
	access_event(db, 1, "p", "put", 120, 121, 0, WORD - 8, 8);
	access_event(db, 1, "p", "put", 130, 131, 1, WORD, 8);
	access_event(db, 1, "long_fetch", "atomic_fetch", 140, 141, 0, WORD, 8);
	access_event(db, 1, "get", "get", 150, 151, 0, WORD, 8);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late signal|0|100|200|-|-|1\n");
	db_close(db);
}

/* Whatever thread of the process waits, it waits for the process's word. */
static void test_threads_of_a_process(void **state)
{
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 1000);
	db_exec(db, "INSERT INTO thread(id, rank, number, first_ns, last_ns, "
		    "complete) VALUES(2, 1, 1, 0, 1000, 1)");
	access_event(db, 0, "swap", "atomic_fetch", 150, 160, 1, WORD, 8);
	wait_for(db, 2, 100, 170, WORD);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late signal|2|100|150|0|150|0\n");
	assert_string_equal(
		db_analysis(db, "worst",
			    "kind,lost_ns,thread,operation,waiting_operation",
			    "min_share=0"),
		"late signal|50|0|swap|wait_until\n");
	db_close(db);
}

/*
 * Word i is waited for from 10 i to 10 i + 9.  At 10 i + 2 all words are
 * written, at 10 i + 4 this one if it is even, else what is beside it.
 */
static void add_many(sqlite3 *db, int words)
{
	int64_t wait, put;

	wait_for(db, 0, 0, 1, WORD);
	access_event(db, 1, "p", "put", 0, 1, 0, WORD, 8);
	wait = db_int(db, "SELECT source_id FROM event WHERE thread_id = 0");
	put = db_int(db, "SELECT source_id FROM event WHERE thread_id = 1");
	db_exec(db,
		"DELETE FROM event; CREATE TEMP TABLE n AS WITH n(i) AS "
		"(VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
		"SELECT i FROM n",
		words);
	db_exec(db,
		"INSERT INTO " DB_EVENT
		"SELECT i, 0, %d, NULL, 10 * i, 9, 9, 0, "
		"NULL, %d + 16 * i, 0, 0 FROM n",
		(int)wait, WORD);
	db_exec(db,
		"INSERT INTO " DB_EVENT
		"SELECT %d + 2 * i + alone, 1, %d, NULL, "
		"10 * i + 2 + 2 * alone, 1, 1, iif(alone, 8, %d), 0, "
		"%d + iif(alone, 16 * i + i %% 2 * 8, 16), 0, 0 "
		"FROM n, (SELECT 0 AS alone UNION ALL SELECT 1)",
		words, (int)put, 16 * words, WORD);
}

/* As many rows as writes, not that times the words that each covers. */
static void test_many_words(void **state)
{
	enum { WORDS = 100000 };
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct rlimit limit = { 64 << 20, RLIM_INFINITY };
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 20 * WORDS);
	add_many(db, WORDS);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	db_passes(db);
	setrlimit(RLIMIT_FSIZE, &unlimited);
	assert_string_equal(db_rows(db,
				    "SELECT event_id %% 2, end_ns - start_ns, "
				    "cause_ns - start_ns, count(*) FROM wait "
				    "GROUP BY 1, 2, 3"),
			    "0|4|4|50000\n"
			    "1|2|2|50000\n");
	db_close(db);
}

/*
 * Of an array of words of 16 bytes each word is waited for alone, in no time,
 * so that it is cut into many pieces.  Then, from 10 k to 10 k + 9, all of it
 * is waited for, or, every other two, its first and its last word.  A word of
 * it is written at 10 k + 3, and at 10 k + 5, if k is odd, the first or the
 * last.
 */
static void add_arrays(sqlite3 *db, int words, int arrays)
{
	int64_t event, wait, put, array;

	wait_for(db, 0, 0, 1, WORD);
	access_event(db, 0, "wait_all", "wait_until", 0, 1, -1, WORD, 0);
	event = db_int(db, "SELECT max(id) FROM event");
	db_arg(db, event, "element_bytes", 0);
	db_arg(db, event, "elements", 0);
	db_arg(db, event, "left_out", 0);
	db_arg(db, event, "index", 0);
	access_event(db, 1, "p", "put", 0, 1, 0, WORD, 8);
	wait = db_int(db, "SELECT min(source_id) FROM event");
	array = db_int(db, "SELECT source_id FROM event WHERE id = %lld",
		       (long long)event);
	put = db_int(db, "SELECT source_id FROM event WHERE thread_id = 1");
	db_exec(db,
		"DELETE FROM event_arg; DELETE FROM event;"
		"CREATE TEMP TABLE n AS WITH n(i) AS "
		"(VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
		"SELECT i FROM n",
		words);
	db_exec(db,
		"INSERT INTO " DB_EVENT
		"SELECT i, 0, %d, NULL, i, 0, 0, 0, NULL, "
		"%d + 16 * (i - 1), 0, 0 FROM n",
		(int)wait, WORD);
	db_exec(db,
		"INSERT INTO " DB_EVENT
		"SELECT %d + i, 0, %d, NULL, 10 * (%d + i), "
		"9, 9, 0, NULL, %d, 0, 0 FROM n WHERE i <= %d",
		words, (int)array, words, WORD, arrays);
	db_exec(db,
		"INSERT INTO event_arg SELECT (%d + i) * 64 + at, "
		"(SELECT id FROM argument a WHERE a.name = f.name), "
		"CASE WHEN of THEN iif(i %% 4 < 2, 0, v) ELSE v END "
		"FROM n, (SELECT 0 AS at, 'element_bytes' AS name, 16 AS v, "
		"  0 AS of UNION ALL VALUES(1, 'elements', %d, 0), "
		"  (2, 'left_out', %d, 1), (3, 'index', 0, 0), "
		"  (4, 'index', %d, 0)) f WHERE i <= %d",
		words, words, words - 2, words - 1, arrays);
	db_exec(db,
		"INSERT INTO " DB_EVENT
		"SELECT %d + 2 * i + edge, 1, %d, NULL, "
		"10 * (%d + i) + 3 + 2 * edge, 1, 1, 8, 0, "
		"%d + 16 * iif(edge, i / 2 %% 2 * %d, 1 + i * 97 %% %d), 0, 0 "
		"FROM n, (SELECT 0 AS edge UNION ALL SELECT 1) "
		"WHERE i <= %d AND (edge = 0 OR i %% 2)",
		words + arrays, (int)put, words, WORD, words - 1, words - 2,
		arrays);
}

/* Each of these waits is for words of many parts. */
static void test_many_arrays(void **state)
{
	enum { WORDS = 150000, ARRAYS = 1000 };
	sqlite3 *db = db_new();

	(void)state;
	db_threads(db, 2, 20 * WORDS);
	add_arrays(db, WORDS, ARRAYS);
	db_passes(db);
	assert_string_equal(db_rows(db,
				    "SELECT end_ns - start_ns, "
				    "cause_ns - start_ns, bound, count(*), "
				    "sum(event_id %% 4 < 2) FROM wait "
				    "WHERE end_ns > start_ns GROUP BY 1, 2, 3"),
			    "3|3|0|250|250\n"
			    "5|5|0|500|250\n");
	/* All have come at last but where it had been seen. */
	assert_string_equal(db_rows(db, "SELECT sum(waits) FROM delivery_total "
					"JOIN place USING(source_id) "
					"WHERE operation = 'wait_all'"),
			    "750\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_write),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_threads_of_a_process),
		cmocka_unit_test(test_many_words),
		cmocka_unit_test(test_many_arrays),
	};

	return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
