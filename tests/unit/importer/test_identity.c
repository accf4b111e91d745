/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Identity of logs: impossible or changing claims, logs of processes killed
 * while they created them, and the number of threads of the run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/log/log_format.h"
#include "common/limits.h"
#include "importer/inspect/inspect.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

#define WINDOW (256 << 10) /* first size of a file */

static void is_whole(sqlite3 *db)
{
	assert_string_equal(db_rows(db, "PRAGMA integrity_check"), "ok\n");
	assert_string_equal(db_rows(db, "PRAGMA foreign_key_check"), "");
}

static void call(struct log *l)
{
	log_call(l, 10, 20, log_plain(l, "f", "function", "computation", 1));
}

/* Imports a log of rank 0 of 2 with a META record in a later block, in the
   middle or the last one. */
static sqlite3 *say_later(const char *key, const char *value, bool last)
{
	struct log *l = log_rank(0, 2);

	log_meta(l, "thread", "0");
	log_meta(l, "host", "node");
	log_meta(l, "job", "a");
	log_meta(l, "process_start", "7");
	call(l);
	log_block(l, 30);
	log_meta(l, key, value);
	if (!last)
		log_block(l, 40);
	log_close(l);
	return run_one(l);
}

/* A changed identity: the first value holds. */
static void changed_identity(void **state)
{
	static const struct {
		const char *key, *value, *first;
	} cases[] = {
		{ "thread", "Z", "0" },
		{ "thread", "5", "0" },
		{ "thread", "", "0" },
		{ "rank", "1", "0" },
		{ "rank", "-1", "0" },
		{ "ranks", "999999999999", "2" },
		{ "ranks", "3", "2" },
		{ "host", "other", "node" },
		{ "job", "b", "a" },
		{ "process_start", "Z", "7" },
		{ "thread", "9223372036854775808", "0" },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		const size_t k = i / 2;
		char expected[200];
		sqlite3 *db =
			say_later(cases[k].key, cases[k].value, i % 2 == 0);

		is_whole(db);
		assert_string_equal(
			db_rows(db, "SELECT id, rank, number, host, complete "
				    "FROM thread"),
			"0|0|0|node|0\n1|1|0|-|0\n");
		snprintf(expected, sizeof expected,
			 "contradictory definition|0|%s '%s', which was "
			 "'%s'\n",
			 cases[k].key, cases[k].value, cases[k].first);
		assert_string_equal(
			db_rows(db, "SELECT kind, thread_id, detail FROM "
				    "quality WHERE severity = 'loss' "
				    "AND kind <> 'missing log'"),
			expected);
		db_close(db);
	}
}

/* A second model in the META records, without events: the first holds. */
static void changed_model(void **state)
{
	sqlite3 *db = say_later("model", "UPC", false);

	(void)state;
	assert_string_equal(db_rows(db, "SELECT model, complete FROM thread "
					"WHERE id = 0"),
			    "MPI|1\n");
	assert_string_equal(db_rows(db, "SELECT detail FROM quality WHERE "
					"kind = 'several models'"),
			    "MPI, and UPC\n");
	db_close(db);
}

/* --- teams ---------------------------------------------------------------- */

/* A team of two, with an impossible definition in one log. */
static void absurd_teams(void **state)
{
	static const struct {
		int64_t rank;
		uint64_t size;
		const char *expected, *members;
	} cases[] = {
		{ INT64_MAX, 2,
		  "rank 9223372036854775807 of team 1 is none of -2097152 to "
		  "2097151\n",
		  "1|1\n" },
		{ INT64_MIN + 1, 2,
		  "rank -9223372036854775807 of team 1 is none of -2097152 to "
		  "2097151\n",
		  "1|1\n" },
		{ 1 << 21, 2,
		  "rank 2097152 of team 1 is none of -2097152 to 2097151\n",
		  "1|1\n" },
		{ 0, UINT64_MAX,
		  "size 18446744073709551615 of team 1 is none of 0 to "
		  "1048576\n",
		  "0|0\n1|1\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *run = run_new();
		sqlite3 *db;

		for (int rank = 0; rank < 2; rank++) {
			struct log *l = log_rank(rank, 2);
			unsigned barrier;

			log_team(l, 1, 0, 0, rank ? 1 : cases[i].rank,
				 rank ? 2 : cases[i].size, "world", "", 0);
			barrier = log_site(l,
					   log_op(l, "B", "barrier",
						  "synchronization",
						  "team:u sequence:u", ""),
					   "a.c", 1);
			log_start(l, 10, barrier, ARGS(1, 0));
			log_end(l, 20, barrier, NONE);
			log_close(l);
			run_add(run, l);
		}
		db = run_open(run);
		is_whole(db);
		assert_string_equal(
			db_rows(db, "SELECT detail FROM quality WHERE kind = "
				    "'number out of range'"),
			cases[i].expected);
		assert_string_equal(db_rows(db, "SELECT rank, thread_id FROM "
						"team_member ORDER BY 1"),
				    cases[i].members);
		assert_int_equal(db_int(db, "SELECT seen FROM collective"), 2);
		db_close(db);
		run_remove(run);
	}
}

/* More teams than a log may define: further ones are left out, and counted. */
static void many_teams(void **state)
{
	struct log *l = log_rank(0, 1);
	sqlite3 *db;

	(void)state;
	call(l);
	for (uint64_t i = 1; i <= GASPDB_LOG_TEAMS_MAX + 100; i++) {
		if (l->n - l->block > 60000)
			log_block(l, 30);
		log_team(l, i, 0, i, 0, 1, "dup", "", 0);
	}
	log_close(l);
	db = run_one(l);
	assert_int_equal(db_int(db, "SELECT count(*) FROM team"),
			 GASPDB_LOG_TEAMS_MAX);
	assert_string_equal(db_rows(db, "SELECT thread_id, count FROM quality "
					"WHERE kind = 'teams left out'"),
			    "0|100\n");
	db_close(db);
}

/* Definitions of a kind beyond the limit. */
enum { MORE = 50 };

static void full(struct log *l)
{
	if (l->n - l->block > 60000)
		log_block(l, 30);
}

static sqlite3 *close_one(struct log *l)
{
	log_close(l);
	return run_one(l);
}

static const char left_out[] = "SELECT detail, count FROM quality WHERE kind = "
			       "'definitions left out'";

static void many_operations(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned char record[64] = { 2 << 2 | 3, 12 };
	sqlite3 *db;

	(void)state;
	call(l);
	for (unsigned i = 2; i <= GASPDB_LOG_OPERATIONS_MAX + MORE; i++) {
		full(l);
		/* id in three bytes, no tag, two names, no other text */
		record[2] = (unsigned char)(i | 128);
		record[3] = (unsigned char)(i >> 7 | 128);
		record[4] = (unsigned char)(i >> 14);
		record[5] = 0;
		memset(record + 6, 0, 8);
		log_raw(l, record, 14);
	}
	db = close_one(l);
	assert_string_equal(db_rows(db, left_out), "operations|50\n");
	db_close(db);
}

static void many_facts(void **state)
{
	struct log *l = log_rank(0, 1);
	char key[32];
	sqlite3 *db;

	(void)state;
	call(l); /* there are three facts */
	for (unsigned i = 3; i < GASPDB_FACTS_MAX + MORE; i++) {
		full(l);
		snprintf(key, sizeof key, "key %u", i);
		log_meta(l, key, "x");
	}
	db = close_one(l);
	assert_int_equal(db_int(db, "SELECT count(*) FROM thread_meta WHERE "
				    "key GLOB 'key *'"),
			 GASPDB_FACTS_MAX - 3);
	assert_string_equal(db_rows(db, left_out), "facts|50\n");
	db_close(db);
}

/* --- logs that are being made --------------------------------------------- */

/* States of a log that collector/log/log_writer.c creates, as a kill may leave
   it. */
enum half_made {
	EMPTY,
	ZEROS,	       /* space is allocated */
	PART_HEADER,   /* some fields of the header */
	NO_CHECKSUM,   /* all of it but the checksum, */
	PART_CHECKSUM, /* or but the rest of this */
	HEADER,	       /* and no block */
	HEADER_ALONE,  /* written through a buffer */
	NO_MAGIC,      /* a block's header without its magic */
	NO_RECORD,     /* an empty block */
	BUFFERED,      /* the same, written through a buffer */
	PART_RECORD,   /* an unfinished record */
	HALF_MADES
};

static void add_half_made(const char *run, enum half_made how, unsigned pid)
{
	struct log *l = log_new("node", pid, 0);
	unsigned char *bytes = calloc(1, WINDOW);
	size_t n = WINDOW;
	char name[64];

	assert_non_null(bytes);
	if (how == PART_HEADER)
		memcpy(bytes, l->bytes, 24);
	if (how == NO_CHECKSUM)
		memcpy(bytes, l->bytes, 60);
	if (how == PART_CHECKSUM)
		memcpy(bytes, l->bytes, 62);
	if (how == HEADER || how == HEADER_ALONE)
		memcpy(bytes, l->bytes, 64);
	if (how >= NO_MAGIC)
		memcpy(bytes, l->bytes, 64 + 48);
	if (how == NO_MAGIC)
		memset(bytes + 64, 0, 4);
	if (how == PART_RECORD)
		memcpy(bytes + 112, "\x17\x08\x04", 3);
	n = how == EMPTY	  ? 0
	    : how == HEADER_ALONE ? 64
	    : how == BUFFERED	  ? 112
				  : WINDOW;
	snprintf(name, sizeof name, "node-%u-0.gasplog", pid);
	run_add_bytes(run, name, bytes, n);
	free(bytes);
	log_free(l);
}

static void add_rank(const char *run, int rank, int ranks)
{
	struct log *l = log_rank(rank, ranks);

	call(l);
	log_close(l);
	run_add(run, l);
}

/* Rank 1 of 3 is killed in such a state: its log has no events. */
static void half_made(void **state)
{
	(void)state;
	for (int how = 0; how < HALF_MADES; how++) {
		char *run = run_new();
		struct gaspdb_input_options options = { .path = run };
		struct gaspdb_inspection inspection;
		struct gaspdb_error err;
		sqlite3 *db;

		add_rank(run, 0, 3);
		add_half_made(run, (enum half_made)how, 101);
		add_rank(run, 2, 3);
		db = run_open(run);
		is_whole(db);
		assert_string_equal(
			db_rows(db, "SELECT rank, pid, complete, first_ns IS "
				    "NULL, first_event FROM thread"),
			"0|100|1|0|1\n1|101|0|1|-\n2|102|1|0|2\n");
		assert_string_equal(db_rows(db, "SELECT kind, thread_id, file "
						"FROM quality WHERE severity "
						"= 'loss'"),
				    "no end block|1|node-101-0.gasplog\n");
		assert_string_equal(
			db_rows(db, "SELECT detail FROM quality WHERE kind = "
				    "'inferred rank'"),
			"rank 1, the only one without a log\n");
		db_close(db);
		assert_int_equal(gaspdb_inspect(&inspection, &options, &err),
				 GASPDB_OK);
		assert_int_equal(inspection.n_threads, 3);
		assert_int_equal(inspection.n_defects, 1);
		gaspdb_inspection_free(&inspection);
		run_remove(run);
	}
}

/* Other beginnings of a log are damage. */
static void damaged_beginnings(void **state)
{
	(void)state;
	for (int how = 0; how < 4; how++) {
		struct log *l = log_new("node", 101, 0);
		char *run = run_new();
		sqlite3 *db;

		log_meta(l, "rank", "1");
		call(l);
		log_close(l);
		if (how == 0) /* a lost header */
			memset(l->bytes, 0, 64);
		if (how == 1)
			l->bytes[60] ^= 1;
		if (how == 2) /* only a wrong header */
			memset(l->bytes + 64, 0, l->n - 64);
		if (how == 2)
			l->bytes[20] ^= 1;
		if (how == 3)
			l->bytes[0] = 'x';
		add_rank(run, 0, 2);
		run_add(run, l);
		db = run_open(run);
		assert_int_equal(
			db_int(db, "SELECT count(*) FROM quality WHERE kind "
				   "IN ('damaged block', 'unreadable log')"),
			1);
		db_close(db);
		run_remove(run);
	}
}

/* --- how many threads ----------------------------------------------------- */

/* Two of four ranks are killed: their ranks are unknown, the number of four is
   not. */
static void several_half_made(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	add_rank(run, 0, 4);
	add_half_made(run, EMPTY, 201);
	add_rank(run, 2, 4);
	add_half_made(run, NO_RECORD, 202);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, pid, complete FROM "
					"thread"),
			    "0|100|1\n1|201|0\n2|102|1\n3|202|0\n");
	assert_string_equal(
		db_rows(db, "SELECT file, detail FROM quality WHERE kind = "
			    "'inferred rank' ORDER BY 1"),
		"node-201-0.gasplog|rank 1; 2 ranks and 2 such logs may "
		"belong together otherwise\n"
		"node-202-0.gasplog|rank 3; 2 ranks and 2 such logs may "
		"belong together otherwise\n");
	db_close(db);
	run_remove(run);
}

/* All ranks have a log: the unfinished log of a forked child has none. */
static void more_than_ranks(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	add_rank(run, 0, 2);
	add_rank(run, 1, 2);
	add_half_made(run, ZEROS, 300);
	db = run_open(run);
	assert_int_equal(db_int(db, "SELECT count(*) FROM thread"), 2);
	assert_string_equal(db_rows(db, "SELECT kind, thread_id, file FROM "
					"quality WHERE severity = 'loss'"),
			    "no end block|-|node-300-0.gasplog\n");
	db_close(db);
	run_remove(run);
}

/* A process of the job killed before it knows its rank, and others without a
   rank. */
static void without_rank(void **state)
{
	static const struct {
		const char *key, *value, *threads;
	} cases[] = {
		{ "job", "a", "0|0\n1|0\n" },
		{ "job", "b", "0|0\n1|0\n-|0\n" },
		{ "forked_from", "100", "0|0\n1|0\n-|0\n" },
		{ "program", "/bin/other", "0|0\n1|0\n-|0\n" },
		{ "not_seen",
		  "this process was started by MPI_Comm_spawn, as rank 0 of 1",
		  "0|0\n1|0\n-|0\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct log *l = log_rank(0, 2);
		char *run = run_new();
		sqlite3 *db;

		log_meta(l, "job", "a");
		log_meta(l, "program", "/bin/it");
		call(l);
		log_close(l);
		run_add(run, l);
		l = log_new("node", 101, 0);
		log_meta(l, cases[i].key, cases[i].value);
		if (i > 1)
			log_meta(l, "job", "a");
		call(l);
		log_kill(l, 64);
		run_add(run, l);
		db = run_open(run);
		assert_string_equal(db_rows(db, "SELECT rank, number FROM "
						"thread"),
				    cases[i].threads);
		db_close(db);
		run_remove(run);
	}
}

/* An unfinished log of a thread, with a whole first log of its process. */
static void half_made_thread(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	add_rank(run, 0, 1);
	run_add_bytes(run, "node-100-1.gasplog", "", 0);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, number, pid, complete "
					"FROM thread"),
			    "0|0|100|1\n0|1|100|0\n");
	db_close(db);
	run_remove(run);
}

/* --- messages ------------------------------------------------------------- */

static char last_line[1024];

static void store_line(const char *text)
{
	snprintf(last_line, sizeof last_line, "%s", text);
}

/* Messages name members of a run by the word of their model. */
static void words_of_models(void **state)
{
	static const struct {
		const char *model, *word;
	} cases[] = { { "MPI", "rank" },
		      { "OpenSHMEM", "PE" },
		      { "UPC", "thread" },
		      { "another", "rank" },
		      { NULL, "rank" } };
	const struct gaspdb_defect d = { .file = "a.gasplog",
					 .offset = 64,
					 .detail = "wrong checksum" };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gaspdb_diagnostics diagnostics = { 0 };
		char expected[200];

		gaspdb_diagnostics_add(&diagnostics,
				       GASPDB_QUALITY_BLOCK_DAMAGED, 3,
				       cases[i].model, &d);
		gaspdb_diagnostics_each(&diagnostics, store_line);
		gaspdb_diagnostics_free(&diagnostics);
		snprintf(expected, sizeof expected,
			 "a.gasplog (%s 3): damaged block at byte 64: wrong "
			 "checksum",
			 cases[i].word);
		assert_string_equal(last_line, expected);
	}
}

/* Members of a run by inspection: number, rank and model. */
static void members_alone(void **state)
{
	char *run = run_new();
	const struct gaspdb_input_options options = { .path = run };
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;

	(void)state;
	add_rank(run, 0, 3);
	add_rank(run, 1, 3);
	assert_int_equal(gaspdb_inspect_members(&inspection, &options, &err),
			 GASPDB_OK);
	assert_int_equal(inspection.n_threads, 3);
	for (int64_t i = 0; i < 3; i++)
		assert_int_equal(inspection.threads[i].rank, i);
	assert_string_equal(inspection.threads[0].model, "MPI");
	assert_string_equal(inspection.threads[1].model, "MPI");
	assert_null(inspection.threads[2].model);
	assert_null(inspection.threads[2].file);
	assert_int_equal(inspection.threads[0].events, 0);
	assert_int_equal(inspection.n_defects, 1); /* the missing log */
	gaspdb_inspection_free(&inspection);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_identity),
		cmocka_unit_test(changed_model),
		cmocka_unit_test(absurd_teams),
		cmocka_unit_test(many_teams),
		cmocka_unit_test(many_operations),
		cmocka_unit_test(many_facts),
		cmocka_unit_test(half_made),
		cmocka_unit_test(damaged_beginnings),
		cmocka_unit_test(several_half_made),
		cmocka_unit_test(more_than_ranks),
		cmocka_unit_test(without_rank),
		cmocka_unit_test(half_made_thread),
		cmocka_unit_test(words_of_models),
		cmocka_unit_test(members_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
