/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs that contradict each other, and logs with implausible numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/limits.h"
#include "importer/inspect/inspect.h"
#include "tests/order/swap.h"
#include "tests/unit/util_damage.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

#define LOSSES                                                      \
	"SELECT kind, thread_id, file, offset, count, detail FROM " \
	"quality WHERE severity = 'loss' ORDER BY id"

/* A log of n calls. */
static struct log *log_calls(int rank, int ranks, int n)
{
	struct log *l = log_rank(rank, ranks);
	unsigned put = log_plain(l, "put", "put", "communication", 1);

	for (int i = 0; i < n; i++)
		log_call(l, 10 * (uint64_t)i, 10 * (uint64_t)i + 5, put);
	return l;
}

/* A log and truncated copies of it: the whole one is read, whatever its
   name. */
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

/* Logs of three ranks, of two blocks each; the first block of rank 1 is
   damaged. with_team: the second block has a team, and so the rank. */
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

/* A rank known from a team of the second block alone: the run has no further
   thread, and none is missing. */
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

/* An unknown rank: the row of the missing rank names the log that may be its
   own. */
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

/* A run of logs from machines of both byte orders. */
static void big_endian(void **state)
{
	struct log *l = log_calls(0, 2, 1), *other = log_calls(1, 2, 1);
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	log_close(l);
	log_close(other);
	assert_true(swap_log(other->bytes, other->n));
	assert_memory_equal(other->bytes + other->block, "KLBG", 4);
	run_add(run, l);
	run_add(run, other);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, complete, "
					"last_event FROM thread"),
			    "0|1|1\n1|1|2\n");
	assert_string_equal(db_rows(db, LOSSES), "");
	db_close(db);
	run_remove(run);
}

/* A million ranks, according to one log. */
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

/* A log of one call, with a META record at *at. */
static struct log *log_fact(unsigned pid, const char *key, const char *value,
			    size_t *at)
{
	struct log *l = log_new("node", pid, 0);

	*at = l->n;
	log_meta(l, key, value);
	log_call(l, 10, 20, log_plain(l, "f", "function", "computation", 1));
	log_close(l);
	return l;
}

/* Numbers out of range are reported, by an inspection of the run as well. */
static void strange_numbers(void **state)
{
	static const struct {
		const char *key, *value, *expected;
	} cases[] = {
		{ "rank", "1048575", NULL },
		{ "rank", "1048576", "rank '1048576' is none of 0 to 1048575" },
		{ "rank", "-1", "rank '-1' is none of 0 to 1048575" },
		{ "rank", "", "rank '' is none of 0 to 1048575" },
		{ "ranks", "99999999999999999999",
		  "ranks '99999999999999999999' is none of 0 to 1048576" },
		{ "threads", "1048577",
		  "threads '1048577' is none of 0 to 1048576" },
		{ "thread", "1048576",
		  "thread '1048576' is none of 0 to 1048575" },
		{ "process_start", "12345678901234567", NULL },
		{ "process_start", "-17",
		  "process_start '-17' is none of 0 to 999999999999999999" },
		{ "program_number", "1000000000000000000",
		  "program_number '1000000000000000000' is none of 0 to "
		  "999999999999999999" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *run = run_new(), rows[300] = "";
		struct gaspdb_input_options options = { .path = run };
		struct gaspdb_inspection inspection;
		struct gaspdb_error err;
		size_t at;
		sqlite3 *db;

		run_add(run, log_fact(100, cases[i].key, cases[i].value, &at));
		db = run_open(run);
		if (cases[i].expected)
			snprintf(rows, sizeof rows,
				 "0|node-100-0.gasplog|%zu|%s\n", at,
				 cases[i].expected);
		assert_string_equal(
			db_rows(db, "SELECT thread_id, file, offset, detail "
				    "FROM quality WHERE severity = 'loss' AND "
				    "kind = 'number out of range'"),
			rows);
		assert_int_equal(
			db_int(db,
			       "SELECT count(*) FROM event JOIN thread t "
			       "ON t.id = thread_id WHERE complete = %d",
			       !cases[i].expected),
			1);
		db_close(db);
		assert_int_equal(gaspdb_inspect(&inspection, &options, &err),
				 GASPDB_OK);
		if (cases[i].expected)
			assert_string_equal(inspection.defects[0].detail,
					    cases[i].expected);
		gaspdb_inspection_free(&inspection);
		run_remove(run);
	}
}

/* Programs that one process executed in turn have one rank; other processes
   have not. */
static void same_rank(void **state)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	char *run = run_new();
	sqlite3 *db;
	size_t at;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct log *l = log_rank(0, 1);

		log_meta(l, "process_start", "17");
		if (i)
			log_meta(l, "program_number", "1");
		log_call(l, 10 + 100 * (uint64_t)i, 20 + 100 * (uint64_t)i,
			 log_plain(l, "f", "function", "computation", 1));
		log_close(l);
		l->bytes[64 + 24] ^=
			(unsigned char)i; /* begun later: no copy */
		damage_reseal(l->bytes, l->n);
		run_add_bytes(run,
			      i ? "node-100-0-1.gasplog" : "node-100-0.gasplog",
			      l->bytes, l->n);
		log_free(l);
	}
	run_add(run, log_fact(200, "rank", "0", &at));
	run_add(run, log_fact(300, "rank", "1", &at));
	db = run_import(run, &result, &err);
	assert_non_null(db);
	assert_int_equal(result.losses, 0);
	assert_string_equal(db_rows(db, "SELECT rank, pid FROM thread"),
			    "0|100\n0|100\n0|200\n1|300\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, severity, file, detail FROM quality "
			    "WHERE severity <> 'note'"),
		"rank of several processes|warning|node-200-0.gasplog|"
		"rank 0 is that of 'node-100-0-1.gasplog', too\n");
	db_close(db);
	run_remove(run);
}

/* A log whose only block exceeds the largest size of a block: the times of its
   thread are unknown. */
static void long_block(void **state)
{
	struct log *l = log_rank(0, 2);
	unsigned f = log_plain(l, "f", "function", "computation", 1);
	char *run = run_new(), rows[200];
	size_t n;
	sqlite3 *db;

	(void)state;
	for (uint64_t t = 0; l->n - l->block <= 65536; t += 10)
		log_call(l, t, t + 5, f);
	n = l->n - l->block;
	log_close(l);
	run_add(run, l);
	l = log_calls(1, 2, 1);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	snprintf(rows, sizeof rows,
		 "a block of %zu bytes, more than 65536; %zu bytes skipped\n",
		 n, n);
	assert_string_equal(db_rows(db, "SELECT detail FROM quality WHERE kind "
					"= 'damaged block' AND offset = 64"),
			    rows);
	assert_string_equal(db_rows(db, "SELECT t.id, first_ns, last_ns FROM "
					"thread t WHERE id NOT IN (SELECT "
					"thread_id FROM category_time)"),
			    "0|-|-\n2|-|-\n");
	db_close(db);
	run_remove(run);
}

/* A change of the second log while the first one is read. */
struct change {
	char path[400];
	const struct log *to;
};

static void change_second(void *user, const char *phase, uint64_t done,
			  uint64_t total)
{
	const struct change *c = user;
	FILE *f;

	(void)done;
	(void)total;
	if (strcmp(phase, "reading logs"))
		return;
	f = fopen(c->path, "w");
	assert_int_equal(fwrite(c->to->bytes, 1, c->to->n, f), c->to->n);
	fclose(f);
}

/* A log that grows during its import, and a log that another one replaces. */
static void changing_logs(void **state)
{
	static const struct {
		int pid; /* of the new log; 101: the same log, longer */
		const char *rows;
	} cases[] = {
		{ 101, "0|0|25|3\n1|0|25|3\n" },
		{ 102, "0|0|25|3\n1|-|-|0\n" },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct log *first = log_calls(0, 2, 3), *early, *late;
		char *run = run_new(), output[400];
		struct change change;
		struct gaspdb_make_options options = {
			.import = { .run = run, .jobs = 1 },
			.output = output,
			.progress = change_second,
			.user = &change
		};
		struct gaspdb_made made;
		struct gaspdb_error err;
		sqlite3 *db;

		early = log_new("node", 101, 0);
		log_meta(early, "rank", "1");
		late = log_new("node", (unsigned)cases[i].pid, 0);
		log_meta(late, "rank", "1");
		for (uint64_t k = 0; k < 3; k++)
			log_call(late, 10 * k, 10 * k + 5,
				 log_plain(late, "put", "put", "communication",
					   1));
		log_kill(early, 0);
		log_close(late);
		log_close(first);
		run_add(run, first);
		run_add(run, early);
		snprintf(change.path, sizeof change.path,
			 "%s/node-101-0.gasplog", run);
		change.to = late;
		snprintf(output, sizeof output, "%s/out.db", run);
		assert_int_equal(gaspdb_make(&options, &made, &err), GASPDB_OK);
		assert_int_equal(made.import.losses > 0, i);
		assert_int_equal(sqlite3_open(output, &db), SQLITE_OK);
		assert_string_equal(
			db_rows(db,
				"SELECT t.id, first_ns, last_ns, count(e.id) "
				"FROM thread t LEFT JOIN event e "
				"ON e.thread_id = t.id GROUP BY 1"),
			cases[i].rows);
		db_close(db);
		log_free(late);
		run_remove(run);
	}
}

/* An unknown call without a damaged block: another reason is reported. */
static void no_definition(void **state)
{
	struct log *l = log_calls(0, 1, 1);
	sqlite3 *db;

	(void)state;
	log_call(l, 20, 30, LOG_SITES - 1);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT kind, count, detail FROM quality "
			    "WHERE severity = 'loss'"),
		"undefined site|2|nothing before them defines where they are, "
		"though no block is damaged\n");
	db_close(db);
}

/* Facts about the program, which are no loss. */
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
		cmocka_unit_test(strange_numbers),
		cmocka_unit_test(same_rank),
		cmocka_unit_test(long_block),
		cmocka_unit_test(changing_logs),
		cmocka_unit_test(no_definition),
		cmocka_unit_test(much_but_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
