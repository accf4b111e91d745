/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for a word that another process writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util_db.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_write),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_threads_of_a_process),
	};

	return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
