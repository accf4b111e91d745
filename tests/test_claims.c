/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs that do not fit together, and logs that claim much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "importer/limits.h"
#include "util_db.h"
#include "util_log.h"

#define LOSSES                                                      \
	"SELECT kind, thread_id, file, offset, count, detail FROM " \
	"quality WHERE severity = 'loss' ORDER BY id"

/* A log of N calls. */
static struct log *log_calls(int rank, int ranks, int n)
{
	struct log *l = log_rank(rank, ranks);
	unsigned put = log_plain(l, "put", "put", "communication", 1);

	for (int i = 0; i < n; i++)
		log_call(l, 10 * (uint64_t)i, 10 * (uint64_t)i + 5, put);
	return l;
}

/* Of a log and its cut copies the whole one is read, whatever it is called. */
static void copies(void **state)
{
	struct log *l = log_calls(0, 1, 20);
	char *run = run_new(), rows[500];
	size_t n;
	sqlite3 *db;

	(void)state;
	log_close(l);
	n = l->n;
	run_add_bytes(run, "a.gasplog", l->bytes, n / 2);
	run_add_bytes(run, "b.gasplog", l->bytes, n - 10);
	run_add_bytes(run, "node-100-0.gasplog.bak.gasplog", l->bytes, n);
	log_free(l);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, file, complete, "
					"last_event FROM thread"),
			    "0|node-100-0.gasplog.bak.gasplog|1|20\n");
	snprintf(rows, sizeof rows,
		 "duplicate log|a.gasplog|a copy of 'b.gasplog', which was "
		 "read|%d\n"
		 "duplicate log|b.gasplog|a copy of "
		 "'node-100-0.gasplog.bak.gasplog', which was read|%d\n",
		 (int)(n / 2), (int)(n - 10));
	assert_string_equal(db_rows(db, "SELECT kind, file, detail, bytes "
					"FROM quality WHERE severity = 'loss' "
					"ORDER BY id"),
			    rows);
	db_close(db);
	run_remove(run);
}

/* Three ranks' logs of two blocks; of rank 1 the first is damaged.  A team in
   the second may tell the rank. */
static void add_three(const char *run, bool with_team)
{
	for (int rank = 0; rank < 3; rank++) {
		struct log *l = log_calls(rank, 3, 2);
		unsigned get;

		log_block(l, 100);
		get = log_plain(l, "get", "get", "communication", 2);
		if (with_team)
			log_team(l, 1, 0, 0, 0, 1, "self", "SELF", rank);
		log_call(l, 100, 105, get);
		log_close(l);
		if (rank == 1)
			l->bytes[64 + 50] ^= 1;
		run_add(run, l);
	}
}

/* The first block, with the rank, is damaged; a team in the second tells it.
   There is no other thread then, and none is missing. */
static void rank_of_team(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	add_three(run, true);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, complete, last_event - "
					"first_event + 1 FROM thread"),
			    "0|1|3\n1|0|1\n2|1|3\n");
	db_close(db);
	run_remove(run);
}

/* Nothing tells it: the missing rank's row says what may be its log. */
static void lost_rank(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	add_three(run, false);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, complete, file FROM "
					"thread"),
			    "0|1|node-100-0.gasplog\n1|0|-\n"
			    "2|1|node-102-0.gasplog\n"
			    "-|0|node-101-0.gasplog\n");
	assert_string_equal(
		db_rows(db, "SELECT detail FROM quality WHERE kind = "
			    "'missing log'"),
		"rank 1; perhaps 'node-101-0.gasplog' is its, which lost its "
		"rank\n");
	db_close(db);
	run_remove(run);
}

static void big_endian(void **state)
{
	struct log *l = log_calls(0, 2, 1), *other = log_calls(1, 2, 1);
	char *run = run_new();
	uint32_t crc = ~0u;
	sqlite3 *db;

	(void)state;
	log_close(l);
	log_close(other);
	/* Only what tells: the version, and the checksum. */
	other->bytes[8] = 0;
	other->bytes[9] = 1;
	for (int i = 0; i < 60; i++) {
		crc ^= other->bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	for (int i = 0; i < 4; i++)
		other->bytes[60 + i] = (unsigned char)(~crc >> (24 - 8 * i));
	run_add(run, l);
	run_add(run, other);
	db = run_open(run);
	assert_string_equal(db_rows(db, LOSSES),
			    "unreadable log|-|node-101-0.gasplog|0|1|a "
			    "big-endian log; logs are little-endian\n"
			    "missing log|1|-|-|1|rank 1\n");
	db_close(db);
	run_remove(run);
}

/* A million ranks by one log's word. */
static void million_ranks(void **state)
{
	struct log *l = log_calls(7, GASPDB_RANKS_MAX, 3);
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	log_close(l);
	run_add(run, l);
	db = run_import(run, &result, &err);
	assert_non_null(db);
	assert_int_equal(result.threads_missing, GASPDB_RANKS_MAX - 1);
	assert_int_equal(db_int(db, "SELECT count(*) FROM thread"),
			 GASPDB_MISSING_MAX + 1);
	assert_int_equal(db_int(db, "SELECT sum(count) FROM quality WHERE "
				    "kind = 'missing log'"),
			 GASPDB_RANKS_MAX - 1);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"), 3);
	db_close(db);
	run_remove(run);
}

/* Facts about the program: nothing is lost. */
static void much_but_valid(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned f = log_plain(l, "f", "function", "computation", 1);
	char *run = run_new(), text[40];
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	uint64_t t = 0;
	sqlite3 *db;

	(void)state;
	for (int i = 0; i < 1000000; i++) {
		snprintf(text, sizeof text, "text %d", i);
		log_string(l, text);
		if (i % 2000 == 1999)
			log_block(l, t);
	}
	for (int i = 0; i < 10; i++)
		log_end(l, t++, f, NONE);
	for (int i = 0; i < 100000; i++) {
		log_start(l, t++, f, NONE);
		if (i % 5000 == 4999)
			log_block(l, t);
	}
	for (int i = 0; i < 99990; i++) {
		log_end(l, t++, f, NONE);
		if (i % 5000 == 4999)
			log_block(l, t);
	}
	log_close(l);
	run_add(run, l);
	db = run_import(run, &result, &err);
	assert_non_null(db);
	assert_int_equal(result.losses, 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"), 100000);
	assert_string_equal(db_rows(db, "SELECT kind, sum(count) FROM quality "
					"GROUP BY kind"),
			    "deep call path|99872\nend without start|10\n"
			    "open event|10\n");
	db_close(db);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies),
		cmocka_unit_test(rank_of_team),
		cmocka_unit_test(lost_rank),
		cmocka_unit_test(big_endian),
		cmocka_unit_test(million_ranks),
		cmocka_unit_test(much_but_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
