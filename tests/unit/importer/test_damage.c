/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncated, damaged and invalid logs: intact parts are kept. */
/* Long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/limits.h"
#include "tests/unit/util_damage.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

/* Imports a run of the log's first n bytes. */
static sqlite3 *import_prefix(const char *run, const struct log *l, size_t n,
			      struct gaspdb_import_result *result,
			      struct gaspdb_error *err)
{
	run_add_bytes(run, "node-100-0.gasplog", l->bytes, n);
	return run_import(run, result, err);
}

/*
 * Truncation after any byte: all whole events before it are there; without an
 * end, open = 1.
 */
static void every_prefix(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned main_ = log_plain(l, "main", "function", "computation", 1);
	unsigned get = log_site(l,
				log_op(l, "get", "get", "communication",
				       "bytes:z to:p", "took:i"),
				"b.c", 2);
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	size_t starts[20], ends[20];
	int n_starts = 0, n_ends = 0;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	log_start(l, 0, main_, NONE);
	starts[n_starts++] = l->n;
	for (uint64_t i = 0; i < 4; i++) {
		log_start(l, 10 * i + 1, get, ARGS(300, 0x7fff0000));
		starts[n_starts++] = l->n;
		log_end(l, 10 * i + 4, get, ARGS(-1));
		ends[n_ends++] = l->n;
		if (i == 1)
			log_block(l, 15);
	}
	log_end(l, 50, main_, NONE);
	ends[n_ends++] = l->n;
	log_close(l);

	for (size_t n = 0; n <= l->n; n++) {
		int begun = 0, ended = 0;

		db = import_prefix(run, l, n, &result, &err);
		while (begun < n_starts && starts[begun] <= n)
			begun++;
		while (ended < n_ends && ends[ended] <= n)
			ended++;
		if (!begun) { /* no event */
			assert_null(db);
			assert_true(strlen(err.msg) > 0);
			continue;
		}
		assert_non_null(db);
		assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
				 begun);
		assert_int_equal(db_int(db, "SELECT sum(open) FROM event"),
				 begun - ended);
		assert_int_equal(db_int(db, "SELECT complete FROM thread"),
				 n == l->n);
		assert_int_equal(result.losses, n != l->n);
		assert_int_equal(db_int(db, "SELECT sum(time_ns) - (SELECT "
					    "last_ns - first_ns FROM thread) "
					    "FROM category_time"),
				 0);
		if (n < l->n)
			assert_string_equal(
				db_rows(db, "SELECT kind, severity FROM quality"
					    " WHERE kind != 'open event'"),
				"no end block|loss\n");
		db_close(db);
	}
	run_remove(run);
	log_free(l);
}

/* Numbers of events of a truncated log that began and ended before n. */
static void count_marks(const struct log *l, size_t n, int *begun, int *ended)
{
	*begun = *ended = 0;
	for (unsigned i = 0; i < l->n_marks; i++)
		if (l->mark[i].end <= n) {
			*begun += l->mark[i].kind != 1;
			*ended += l->mark[i].kind != 0;
		}
}

/* Is n an offset to test: an event's end, one byte before it, or one of a few
   others? */
static bool is_cut(const struct log *l, size_t n)
{
	for (unsigned i = 0; i < l->n_marks; i++)
		if (n + 1 == l->mark[i].end || n == l->mark[i].end)
			return true;
	return n % 50 == 0 || n + 5 > l->n;
}

/* Rows but for f, which lasts to the end, and for columns that a later
   completion sets. */
#define RICH_ROWS                                                          \
	"SELECT operation, start_ns, duration_ns, "                        \
	"iif(operation IN ('Irecv', 'Start'), NULL, bytes), "              \
	"iif(operation IN ('Irecv', 'Start'), NULL, peer), object, "       \
	"(SELECT group_concat(name || '=' || value) FROM call_argument a " \
	"WHERE a.event_id = call.id) FROM " NAMED_EVENTS                   \
	" WHERE operation <> 'f' AND "                                     \
	"NOT open ORDER BY id"

/*
 * Truncation of a log with requests, persistent ones, locks, probes, teams,
 * gaps and repeated definitions. Events that ended before the end are as in the
 * whole log, with all arguments.
 */
static void every_rich_prefix(void **state)
{
	struct log *l = damage_rich_log(0);
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	char *run = run_new(), *whole;
	sqlite3 *db = import_prefix(run, l, l->n, &result, &err);

	(void)state;
	assert_non_null(db);
	assert_in_range(l->n_marks, 80, LOG_MARKS - 1);
	whole = strdup(db_rows(db, RICH_ROWS));
	db_close(db);
	for (size_t n = 0, events = 0; n < l->n; n++) {
		int begun, ended;
		const char *rows;

		if (!is_cut(l, n))
			continue;
		count_marks(l, n, &begun, &ended);
		db = import_prefix(run, l, n, &result, &err);
		if (!begun) {
			assert_null(db);
			continue;
		}
		assert_non_null(db);
		assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
				 begun);
		assert_int_equal(db_int(db, "SELECT sum(open) FROM event"),
				 begun - ended);
		assert_int_equal(db_int(db, "SELECT complete FROM thread WHERE "
					    "id = 0"),
				 0);
		rows = db_rows(db, RICH_ROWS);
		if (strncmp(rows, whole, strlen(rows)) != 0)
			fail_msg("cut at %d: %s\nof\n%s", (int)n, rows, whole);
		for (events = 0; *rows; rows++)
			events += *rows == '\n';
		/* f ends last, in the last block. */
		assert_true((int)events == ended || (int)events == ended - 1);
		db_close(db);
	}
	free(whole);
	run_remove(run);
	log_free(l);
}

/* A damaged block: calls of the runtime end there, user functions continue. */
static void damaged_block(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned main_ = log_plain(l, "main", "function", "computation", 1);
	unsigned recv = log_plain(l, "recv", "receive", "communication", 2);
	unsigned get = log_plain(l, "get", "get", "communication", 3);
	size_t damaged;
	sqlite3 *db;

	(void)state;
	log_start(l, 0, main_, NONE);
	log_call(l, 10, 15, get);
	log_start(l, 20, recv, NONE);
	log_block(l, 40);
	damaged = l->block;
	log_end(l, 40, recv, NONE); /* lost */
	log_call(l, 50, 55, get);   /* lost */
	log_start(l, 60, recv, NONE);
	log_block(l, 70);
	log_end(l, 75, recv, NONE); /* its start was lost */
	log_call(l, 80, 85, get);
	log_end(l, 100, main_, NONE);
	log_close(l);
	l->bytes[damaged + 50] ^= 8;
	db = run_one(l);
	assert_string_equal(
		db_rows(db,
			"SELECT operation, start_ns, duration_ns, self_ns, "
			"parent_id, open FROM " NAMED_EVENTS " ORDER BY id"),
		"main|0|100|40|-|0\nget|10|5|5|1|0\nrecv|20|0|0|1|1\n"
		"get|80|5|5|1|0\n");
	assert_string_equal(db_rows(db, "SELECT kind, start_ns, end_ns "
					"FROM gap"),
			    "damage|20|70\n");
	assert_string_equal(db_rows(db, "SELECT category, time_ns "
					"FROM category_time"),
			    "communication|10\ncomputation|40\n"
			    "not recorded|50\n");
	assert_string_equal(
		db_rows(db,
			"SELECT kind, severity, count, file, offset = %d, "
			"detail LIKE 'wrong checksum; %%%% bytes skipped' "
			"FROM quality ORDER BY kind",
			(int)damaged),
		"damaged block|loss|1|node-100-0.gasplog|1|1\n"
		"end without start|note|1|node-100-0.gasplog|0|-\n"
		"open event|note|1|-|-|-\n");
	assert_int_equal(db_int(db, "SELECT complete FROM thread"), 0);
	db_close(db);
}

/* Definitions lost with a damaged block, and not repeated: their events are
   counted. */
static void lost_definitions(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned get = log_plain(l, "get", "get", "communication", 1);
	unsigned late;
	size_t damaged;
	sqlite3 *db;

	(void)state;
	log_call(l, 0, 5, get);
	log_block(l, 10);
	damaged = l->block;
	late = log_plain(l, "get", "get", "communication", 2);
	log_call(l, 10, 15, late);
	log_block(l, 20);
	log_call(l, 20, 25, late);
	log_call(l, 30, 35, get);
	log_close(l);
	l->bytes[damaged + 20] ^= 8; /* its number */
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT operation, start_ns FROM " NAMED_EVENTS " "
			    "ORDER BY id"),
		"get|0\nget|30\n");
	assert_string_equal(db_rows(db, "SELECT kind, count, "
					"detail IS NULL FROM quality "
					"ORDER BY kind"),
			    "damaged block|1|0\nundefined site|2|1\n");
	db_close(db);
}

/* A block with fewer lost events than a block before it. */
static void fewer_lost(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned get = log_plain(l, "get", "get", "communication", 1);
	sqlite3 *db;

	(void)state;
	log_call(l, 10, 15, get);
	l->lost = 100;
	log_block(l, 20);
	l->lost = 50;
	log_block(l, 30);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT kind, count FROM quality"),
			    "lost events|100\n");
	db_close(db);
}

/* A damaged file header: the log is read all the same. */
static void damaged_header(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned get = log_plain(l, "get", "get", "communication", 1);

		log_call(l, 10, 15, get);
		log_close(l);
		if (rank) {
			l->bytes[18] ^= 1; /* run */
			l->bytes[56] ^= 1; /* clock */
		}
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, first_ns, last_ns, "
					"complete FROM thread"),
			    "0|0|5|1\n1|0|5|0\n");
	assert_string_equal(db_rows(db, "SELECT kind, file, offset, detail "
					"FROM quality"),
			    "damaged block|node-101-0.gasplog|60|"
			    "its header has a wrong checksum\n");
	db_close(db);
	run_remove(run);
}

/* Imports a log without a host but in its file name, and checks the row of its
   thread. */
static void assert_named(const char *name, unsigned pid, unsigned ordinal,
			 size_t damaged, const char *expected)
{
	struct log *l = log_new("unused", pid, ordinal);
	unsigned get = log_plain(l, "get", "get", "communication", 1);
	char *run = run_new();
	sqlite3 *db;

	log_call(l, 10, 15, get);
	log_close(l);
	if (damaged)
		l->bytes[damaged] ^= 64;
	run_add_bytes(run, name, l->bytes, l->n);
	log_free(l);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT host, pid, number FROM thread"),
			    expected);
	db_close(db);
	run_remove(run);
}

/* File names of logs: hosts with dashes and numbers, and a further number. */
static void names_of_logs(void **state)
{
	enum { PID = 40, ORDINAL = 48 };

	(void)state;
	assert_named("node-12-7-3.gasplog", 7, 3, 0, "node-12|7|3\n");
	assert_named("node-12-7-3.gasplog", 12, 7, 0, "node|12|7\n");
	assert_named("node-12-7-3-1.gasplog", 7, 3, 0, "node-12|7|3\n");
	assert_named("node-12-7-3.gasplog", 7, 3, PID, "node-12|7|3\n");
	assert_named("node-12-7-3.gasplog", 7, 3, ORDINAL, "node-12|7|3\n");
	assert_named("node-12-7-3.gasplog", 12, 7, PID, "node|12|7\n");
	assert_named("node-12-7-3.gasplog", 12, 7, ORDINAL, "node|12|7\n");
	assert_named("12-7-0.gasplog", 7, 0, 0, "12|7|0\n");
	assert_named("12-7-0.gasplog", 7, 0, PID, "12|7|0\n");
	assert_named("-7-0.gasplog", 7, 0, 0, "unknown|7|0\n");
}

static void killed_process(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned get = log_plain(l, "get", "get", "communication", 1);
	sqlite3 *db;

	(void)state;
	log_call(l, 0, 5, get);
	log_start(l, 10, get, NONE);
	log_kill(l, 4096);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT start_ns, duration_ns, open "
					"FROM event ORDER BY id"),
			    "0|5|0\n10|0|1\n");
	assert_string_equal(db_rows(db, "SELECT kind, detail FROM quality "
					"WHERE severity = 'loss'"),
			    "no end block|-\n");
	db_close(db);
}

/* Numbers too large for a table: they become the largest one. */
static void absurd_numbers(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned get = log_plain(l, "get", "get", "communication", 1);
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db;

	(void)state;
	log_segment(l, 1, 0x1000, UINT64_MAX / 2 + 1, "heap", "heap");
	log_team(l, 1, 0, UINT64_MAX, 0, UINT64_MAX, "world", "W", 0);
	log_call(l, 0, 5, get);
	for (int i = 0; i < 2 * GASPDB_QUALITY_MAX; i++)
		log_lost(l, UINT64_MAX / 2 + 1 + (uint64_t)i % 2, "disk");
	log_lost(l, UINT64_MAX, "disk");
	log_numbers(l, 36, 2, (uint64_t[]){ 1, UINT64_MAX });
	log_numbers(l, 39, 2, (uint64_t[]){ 1, UINT64_MAX });
	log_close(l);
	char *run = run_new();
	run_add(run, l);
	db = run_import(run, &result, &err);
	if (!db)
		fail_msg("%s", err.msg);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"), 1);
	assert_string_equal(db_rows(db, "SELECT bytes > 0 FROM segment"),
			    "1\n");
	assert_string_equal(db_rows(db, "SELECT min(size) > 0 FROM team"),
			    "1\n");
	assert_string_equal(
		db_rows(db,
			"SELECT count(*), min(count) > 0, typeof(sum(count)) "
			"FROM quality WHERE kind = 'lost events'"),
		"1001|1|integer\n");
	db_close(db);
	run_remove(run);
}

/* Lists of members: descending, with gaps, beyond the last rank, and
   invalid. */
static void listed_members(void **state)
{
	struct log *l = log_rank(0, 40);
	unsigned get = log_plain(l, "get", "get", "communication", 1);
	sqlite3 *db;

	(void)state;
	for (unsigned t = 1; t <= 7; t++)
		log_team(l, t, 0, t, 0, 40, "split", "", 0);
	log_members(l, 1, 1, 39, -13, 100);
	log_members(l, 2, 1, 5, 17, UINT64_MAX);
	log_members(l, 3, 1, 7, 0, 1000);
	log_members(l, 4, 1, 1, INT64_MIN, 2);
	log_members(l, 5, 1, 39, INT64_MAX, 2);
	log_members(l, 6, 1, 40, -1, 2);
	log_members(l, 6, 2, -1, 1, 2);
	log_members(l, 7, 1, 3, 1, 0);
	log_call(l, 0, 5, get);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT team_id, group_concat(rank || '=' || "
			    "thread_id, ' ') FROM (SELECT * FROM team_member "
			    "ORDER BY 1, 2) WHERE rank > 0 GROUP BY 1"),
		"1|1=39 2=26 3=13 4=0\n2|1=5 2=22 3=39\n3|1=7\n4|1=1\n"
		"5|1=39\n");
	db_close(db);
}

/* Many members without a log, listed in few bytes. */
static void many_missing_members(void **state)
{
	struct log *l = log_rank(0, GASPDB_RANKS_MAX);
	unsigned barrier =
		log_site(l,
			 log_op(l, "MPI_Barrier", "barrier", "synchronization",
				"team:u sequence:u", ""),
			 "a.c", 1);
	sqlite3 *db;

	(void)state;
	for (unsigned t = 1; t <= 40; t++) {
		log_team(l, t, 0, t, 0, GASPDB_RANKS_MAX, "split", "", 0);
		log_members(l, t, 0, 0, 1, GASPDB_RANKS_MAX);
		log_start(l, 10 * t, barrier, ARGS(t, 1));
		log_end(l, 10 * t + 5, barrier, NONE);
	}
	log_close(l);
	db = run_one(l);
	assert_int_equal(db_int(db, "SELECT count(*) FROM team_member"),
			 GASPDB_MEMBERS_MISSING_MAX + 40);
	assert_string_equal(
		db_rows(db, "SELECT count(*), max(iif(detail = 'further ones', "
			    "count, 0)) > 200000 FROM quality "
			    "WHERE kind = 'incomplete collective'"),
		"1001|1\n");
	db_close(db);
}

/* --- chance -----------------------------------------------------------------
 */

static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Flips some bits; checksums are right again unless the seed is a multiple of
   3. */
static void flip_bits(struct log *l, uint64_t seed, uint64_t *x)
{
	uint64_t flips = 1 + next_random(x) % 12;

	while (flips-- > 0) {
		size_t at = next_random(x) % l->n;

		if (seed % 3 && at < 64) /* not the file's header */
			at += 64;
		l->bytes[at] ^= (unsigned char)(1 << next_random(x) % 8);
	}
	if (seed % 3)
		damage_reseal(l->bytes, l->n);
}

/* What holds for every damage. */
static void check_damaged(sqlite3 *db)
{
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM thread t WHERE "
				"first_ns IS NOT NULL AND last_ns - "
				"first_ns != (SELECT sum(time_ns) FROM "
				"category_time c WHERE c.thread_id = t.id)"),
			 0);
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM thread t WHERE "
				"last_ns - first_ns != (SELECT sum(self_ns) "
				"FROM entity_profile p "
				"WHERE p.thread_id = t.id)"),
			 0);
	assert_string_equal(db_rows(db, "PRAGMA foreign_key_check"), "");
	assert_int_equal(db_int(db, "SELECT count(*) FROM event e JOIN "
				    "event p ON p.id = e.parent_id "
				    "WHERE e.start_ns < p.start_ns OR "
				    "e.start_ns + e.duration_ns > "
				    "p.start_ns + p.duration_ns"),
			 0);
	/* The other logs are unaffected. */
	assert_int_equal(db_int(db, "SELECT count(*) FROM event e JOIN "
				    "thread t ON t.id = e.thread_id "
				    "WHERE file != "
				    "'node-100-0.gasplog'"),
			 2 * 62);
}

/* Random damage, with and without right checksums: the import succeeds or gives
   a reason, and times add up. */
static void random_damage(void **state)
{
	struct log *logs[3] = { damage_rich_log(0), damage_rich_log(1),
				damage_rich_log(2) };
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	const char *seeds = getenv("SEEDS");
	uint64_t first = 1, last = seeds ? strtoull(seeds, NULL, 10) : 200;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 1; rank < 3; rank++) {
		char name[40];

		snprintf(name, sizeof name, "node-%d-0.gasplog", 100 + rank);
		run_add_bytes(run, name, logs[rank]->bytes, logs[rank]->n);
	}
	for (uint64_t seed = first; seed <= last; seed++) {
		struct log damaged = *logs[0];
		uint64_t x = seed * 0x9e3779b97f4a7c15u;

		damaged.bytes = malloc(damaged.n);
		memcpy(damaged.bytes, logs[0]->bytes, damaged.n);
		flip_bits(&damaged, seed, &x);
		print_message("# seed %d\n", (int)seed);
		db = import_prefix(run, &damaged,
				   seed % 5 ? damaged.n
					    : next_random(&x) % damaged.n,
				   &result, &err);
		free(damaged.bytes);
		if (!db)
			fail_msg("seed %d: %s", (int)seed, err.msg);
		check_damaged(db);
		db_close(db);
	}
	run_remove(run);
	for (int rank = 0; rank < 3; rank++)
		log_free(logs[rank]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(every_rich_prefix),
		cmocka_unit_test(damaged_block),
		cmocka_unit_test(lost_definitions),
		cmocka_unit_test(fewer_lost),
		cmocka_unit_test(damaged_header),
		cmocka_unit_test(names_of_logs),
		cmocka_unit_test(killed_process),
		cmocka_unit_test(absurd_numbers),
		cmocka_unit_test(listed_members),
		cmocka_unit_test(many_missing_members),
		cmocka_unit_test(random_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
