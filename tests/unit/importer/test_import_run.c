/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run directories: threads, facts, files. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

/* --- threads ---------------------------------------------------------------
 */

static void missing_ranks(void **state)
{
	char *run = run_new();
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db;

	(void)state;
	for (int rank = 2; rank >= 0; rank -= 2) {
		struct log *l = log_rank(rank, 4);
		unsigned at = log_site(
			l,
			log_op(l, "put", "put", "communication", "peer:i", ""),
			"a.c", 1);

		log_start(l, 10 + (uint64_t)rank, at, ARGS(3 - rank));
		log_end(l, 20, at, NONE);
		log_close(l);
		run_add(run, l);
	}
	db = run_import(run, &result, &err);
	assert_non_null(db);
	assert_string_equal(db_rows(db, "SELECT id, rank, number, pid, model, "
					"first_ns, last_ns, complete, "
					"first_event, last_event "
					"FROM thread"),
			    "0|0|0|100|MPI|0|10|1|1|1\n"
			    "1|1|0|-|-|-|-|0|-|-\n"
			    "2|2|0|102|MPI|2|10|1|2|2\n"
			    "3|3|0|-|-|-|-|0|-|-\n");
	assert_string_equal(db_rows(db, "SELECT peer FROM event ORDER BY id"),
			    "3\n1\n");
	assert_string_equal(db_rows(db, "SELECT kind, severity, thread_id, "
					"detail FROM quality"),
			    "missing log|loss|1|rank 1\n"
			    "missing log|loss|3|rank 3\n");
	assert_int_equal(result.threads, 4);
	assert_int_equal(result.threads_missing, 2);
	assert_int_equal(result.losses, 2);
	assert_int_equal(db_int(db, "SELECT value FROM meta "
				    "WHERE key = 'threads_missing'"),
			 2);
	db_close(db);
	run_remove(run);
}

/* Threads of processes: peers are first threads; a thread without a rank has
   that of its process. */
static void threads(void **state)
{
	char *run = run_new();
	struct log *l;
	unsigned at;
	sqlite3 *db;

	(void)state;
	for (int rank = 1; rank >= 0; rank--)
		for (unsigned number = 0; number < 2; number++) {
			l = log_new("node", 500 - (unsigned)rank, number);
			if (number == 0) {
				log_meta(l, "rank", rank ? "1" : "0");
				log_meta(l, "ranks", "2");
			}
			at = log_site(l,
				      log_op(l, "put", "put", "communication",
					     "peer:i", ""),
				      "a.c", 1);
			log_start(l, number, at, ARGS(1));
			log_end(l, 5, at, NONE);
			log_close(l);
			run_add(run, l);
		}
	l = log_new("node", 9, 0); /* without a rank: the last */
	at = log_plain(l, "main", "function", "computation", 1);
	log_call(l, 0, 1, at);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT id, rank, number, pid, tid, host, file "
			    "FROM thread"),
		"0|0|0|500|500|node|node-500-0.gasplog\n"
		"1|0|1|500|501|node|node-500-1.gasplog\n"
		"2|1|0|499|499|node|node-499-0.gasplog\n"
		"3|1|1|499|500|node|node-499-1.gasplog\n"
		"4|-|0|9|9|node|node-9-0.gasplog\n");
	assert_string_equal(db_rows(db, "SELECT thread_id, peer FROM event "
					"WHERE peer IS NOT NULL ORDER BY id"),
			    "0|2\n1|2\n2|2\n3|2\n");
	db_close(db);
	run_remove(run);
}

static void add_numbered(const char *run, unsigned pid, unsigned number)
{
	struct log *l = log_new("node", pid, number);

	log_call(l, 0, 1, log_plain(l, "f", "function", "computation", 1));
	log_close(l);
	run_add(run, l);
}

/* Missing logs of threads, whose numbers in a process count from 0: each is
   reported, unless its reason already is. */
static void missing_numbers(void **state)
{
	static const unsigned numbers[] = { 2, 3, 7, 9 };
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		add_numbered(run, 5, numbers[i]);
	add_numbered(run, 6, 0);
	add_numbered(run, 6, 1);
	add_numbered(run, 6, 4294967295u);
	run_add_bytes(run, "node-5-1-28.failed", "", 0);
	run_add_bytes(run, "node-5-4.gasplog", "", 0);
	run_add_bytes(run, "node-5-8.gasplog.gz", "", 0);
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT kind, count, detail FROM quality "
			    "WHERE kind = 'missing log' ORDER BY id"),
		"missing log|1|numbers 0 to 1 of process 5, which has later "
		"ones\n"
		"missing log|2|numbers 5 to 6 of process 5, which has later "
		"ones\n"
		"missing log|4294967293|numbers 2 to 4294967294 of process 6, "
		"which has later ones\n");
	db_close(db);
	run_remove(run);
}

/* Changes the run of a log, with a right checksum of the header. */
static void be_of_another_run(struct log *l)
{
	uint32_t crc = ~0u;

	l->bytes[16] ^= 1;
	for (int i = 0; i < 60; i++) {
		crc ^= l->bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	for (int i = 0; i < 4; i++)
		l->bytes[60 + i] = (unsigned char)(~crc >> 8 * i);
}

static void other_runs_and_foreign_files(void **state)
{
	char *run = run_new();
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 3; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned at = log_plain(l, "put", "put", "communication", 1);

		log_call(l, 0, 1, at);
		log_close(l);
		if (rank == 2)
			be_of_another_run(l);
		run_add(run, l);
	}
	run_add_bytes(run, "a-1-0.gasplog", "", 0);
	run_add_bytes(run, "b-1-0.gasplog", "what is this", 12);
	run_add_bytes(run, "notes.txt", "not looked at", 13);
	db = run_import(run, &result, &err);
	assert_non_null(db);
	assert_int_equal(result.losses, 3);
	assert_string_equal(
		db_rows(db, "SELECT kind, severity, thread_id, file, offset, "
			    "detail FROM quality ORDER BY file"),
		"no end block|loss|-|a-1-0.gasplog|0|its process was "
		"killed while the log was being made; it is of no rank\n"
		"unreadable log|loss|-|b-1-0.gasplog|0|not a gaspdb log\n"
		"log of another run|loss|-|node-102-0.gasplog|16|-\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM thread"), 2);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"), 2);
	db_close(db);
	run_remove(run);
}

/* A log of another run, which is read first: nothing of it belongs to this
   run. */
static void first_log_of_another_run(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 3; rank++) {
		struct log *l = log_rank(rank, 3);
		unsigned at = log_plain(l, "put", "put", "communication", 1);

		log_call(l, 0, 1, at);
		log_close(l);
		if (rank == 0)
			be_of_another_run(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT kind, thread_id, file FROM quality "
			    "ORDER BY kind"),
		"log of another run|-|node-100-0.gasplog\nmissing log|0|-\n");
	assert_string_equal(db_rows(db, "SELECT id, rank, pid FROM thread"),
			    "0|0|-\n1|1|101\n2|2|102\n");
	db_close(db);
	run_remove(run);
}

/* --- facts -----------------------------------------------------------------
 */

static void facts(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned init = log_plain(l, "MPI_Init", "init", "runtime", 1);
	unsigned get = log_plain(l, "get", "get", "communication", 2);
	char ticks[32];
	int64_t bytes;
	sqlite3 *db;

	(void)state;
	log_clock(l, 0, LOG_BASE, LOG_REAL + 500, 30);
	log_meta(l, "program", "/bin/prog");
	log_meta(l, "runtime", "Some MPI");
	snprintf(ticks, sizeof ticks, "%u", LOG_BASE + 40);
	log_meta(l, "init_ticks", ticks);
	log_meta(l, "not_seen", "calls of Fortran");
	log_call(l, 10, 40, init);
	log_call(l, 50, 60, get);
	log_numbers(l, 36, 2, (uint64_t[]){ 2, 9 }); /* nested puts */
	log_lost(l, 3, "disk full");
	log_lost(l, 2, "interrupted");
	log_numbers(l, 55, 1, (uint64_t[]){ 1 }); /* unknown kind */
	log_numbers(l, 55, 1, (uint64_t[]){ 1 });
	log_start(l, 70, LOG_SITES - 1, ARGS(1, 2, 3)); /* undefined site */
	log_end(l, 75, LOG_SITES - 1, NONE);
	l->lost = 6; /* one more than reported */
	log_block(l, 80);
	log_clock(l, 90, LOG_BASE + 90, LOG_REAL + 590, 40);
	log_close(l);
	bytes = (int64_t)l->n;
	db = run_one(l);
	assert_int_equal(db_int(db, "SELECT value FROM meta "
				    "WHERE key = 'log_bytes'"),
			 bytes);
	assert_string_equal(
		db_rows(db, "SELECT key, value FROM meta WHERE key NOT LIKE "
			    "'run%%' AND key NOT IN ('gaspdb_version', "
			    "'log_bytes') ORDER BY 1"),
		"bin_ns|1\nduration_ns|90\nevents|2\nhosts|1\n"
		"log_files|1\nprocesses|1\n"
		"program|/bin/prog\nraw_events|6\nschema_version|2\n"
		"source_bin_ns|8\n"
		"start_real_ns|1700000000000000500\n"
		"start_time|2023-11-14T22:13:20Z\nthread_bin_ns|4\n"
		"threads|1\n"
		"threads_missing|0\n");
	assert_string_equal(db_rows(db, "SELECT key, value FROM thread_meta"),
			    "init_ns|40\nprogram|/bin/prog\nranks|1\n"
			    "runtime|Some MPI\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, count, detail FROM quality "
			    "ORDER BY kind, count"),
		"calls not seen|1|calls of Fortran\n"
		"lost events|1|-\n"
		"lost events|2|interrupted\n"
		"lost events|3|disk full\n"
		"nested calls|9|get\n"
		"undefined site|2|nothing before them defines where they "
		"are, though no block is damaged\n"
		"unknown record|2|kind 55\n");
	assert_string_equal(db_rows(db, "SELECT first_ns, last_ns, complete "
					"FROM thread"),
			    "0|90|0\n");
	assert_int_equal(db_int(db, "SELECT sum(time_ns) FROM category_time"),
			 90);
	db_close(db);
}

static void recording_switched(void **state)
{
	struct log *l = log_rank(0, 2);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	sqlite3 *db;

	(void)state;
	log_team(l, 3, 0, 0, 0, 2, "world", "", 0);
	log_call(l, 0, 5, put);
	log_recording(l, false, 10);
	log_recording(l, false, 12); /* again */
	log_recording(l, true, 30);
	log_passed(l, 3, 1, 7, 2, 4);
	log_call(l, 40, 45, put);
	log_passed(l, 3, 1, 8, 0, 1); /* record after the call */
	log_recording(l, false, 50);  /* until the end */
	log_clock(l, 80, LOG_BASE + 80, LOG_REAL + 80, 1);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT kind, start_ns, end_ns "
					"FROM gap"),
			    "off|10|30\noff|50|80\n");
	assert_string_equal(db_rows(db, "SELECT * FROM passed"),
			    "0|30|1|1|7|2|4\n0|30|1|1|8|0|1\n");
	assert_string_equal(db_rows(db, "SELECT category, time_ns "
					"FROM category_time"),
			    "communication|10\ncomputation|20\n"
			    "not recorded|50\n");
	db_close(db);
}

/* --- the file --------------------------------------------------------------
 */

static void empty_recordings(void **state)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	struct log *l = log_rank(0, 1);
	char *run = run_new();
	unsigned init;
	sqlite3 *db;

	(void)state;
	assert_null(run_import(run, &result, &err));
	assert_non_null(strstr(err.msg, "holds no logs (*.gasplog)"));

	log_meta(l, "not_seen", "this program's calls are Fortran's");
	log_close(l);
	run_add(run, l);
	assert_null(run_import(run, &result, &err));
	assert_string_equal(result.empty_reason,
			    "this program's calls are Fortran's");
	assert_non_null(strstr(err.msg, "holds no events: this program's"));
	run_remove(run);

	/* Its one block is damaged. */
	run = run_new();
	l = log_rank(0, 1);
	log_call(l, 0, 9, log_plain(l, "f", "function", "computation", 1));
	log_close(l);
	l->bytes[64 + 60] ^= 1;
	run_add(run, l);
	assert_null(run_import(run, &result, &err));
	assert_non_null(strstr(err.msg, "holds no events: node-100-0.gasplog: "
					"damaged block at byte 64: "));
	run_remove(run);

	run = run_new();
	l = log_rank(0, 1);
	log_meta(l, "not_seen", "Fortran");
	init = log_plain(l, "MPI_Init", "init", "runtime", 1);
	log_call(l, 0, 9, init);
	log_close(l);
	run_add(run, l);
	db = run_import(run, &result, &err);
	assert_non_null(db); /* an empty database, with a reason */
	assert_string_equal(result.empty_reason, "Fortran");
	db_close(db);
	run_remove(run);
}

/* As many logs as of a large machine: each is open only while it is read. */
static void many_logs(void **state)
{
	const int ranks = 1500;
	struct rlimit few = { 30, 30 }, old;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < ranks; rank++) {
		struct log *l = log_rank(rank, ranks);
		unsigned put = log_site(l,
					log_op(l, "put", "put", "communication",
					       "peer:i bytes:z", ""),
					"a.c", 1);

		log_start(l, (uint64_t)rank, put,
			  ARGS((rank * 7) % ranks, rank));
		log_end(l, (uint64_t)rank + 5, put, NONE);
		log_close(l);
		run_add(run, l);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	db = run_open(run);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_string_equal(
		db_rows(db, "SELECT count(*), sum(complete), sum(last_ns - "
			    "first_ns), min(id = rank), min(id = first_event - "
			    "1) FROM thread"),
		"1500|1500|7500|1|1\n");
	assert_string_equal(db_rows(db,
				    "SELECT count(*), sum(bytes), min(peer = "
				    "(thread_id * 7) %% 1500), min(start_ns = "
				    "thread_id) FROM event"),
			    "1500|1124250|1|1\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM quality"), 0);
	db_close(db);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_ranks),
		cmocka_unit_test(threads),
		cmocka_unit_test(missing_numbers),
		cmocka_unit_test(other_runs_and_foreign_files),
		cmocka_unit_test(first_log_of_another_run),
		cmocka_unit_test(facts),
		cmocka_unit_test(recording_switched),
		cmocka_unit_test(empty_recordings),
		cmocka_unit_test(many_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
