/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles that are torn, cut, damaged or nonsense: what is good is kept, and
   every defect has its file and offset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "importer/inspect/inspect.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log_parts.h"
#include "tests/unit/util_profile.h"
#include "tests/unit/util_random.h"

enum { HEAD = 80, CELL = 128, BLOCK_HEAD = 48 };

/* Places in the payload. */
enum {
	USED = 4,
	SEQUENCE = 0,
	KIND = 4,
	PARENT = 8,
	SITE = 12,
	COUNT = 16,
	TOTAL = 24,
	CHILD = 32,
	LEAST = 40,
	MOST = 48,
	SQUARES = 56,
	OPEN = 72,
	CARRIED_TICKS = 104,
	FROM = 72
};

struct run {
	struct log *log;
	unsigned send, barrier, f;
	struct profile *profile;
	unsigned char *payload;
	size_t n;
};

/* f calls a barrier and a send: nodes 1, 2 and 3, and a cell of traffic. */
static struct run make(void)
{
	struct run r = { .log = log_rank(0, 1) };
	const unsigned op = log_op(r.log, "MPI_Send", "send", "communication",
				   "peer:u bytes:z", "");

	r.send = log_site(r.log, op, "a.c", 1);
	r.barrier = log_plain(r.log, "MPI_Barrier", "barrier",
			      "synchronization", 2);
	r.f = log_plain(r.log, "f", "function", "computation", 3);
	r.profile = profile_new(NULL);
	profile_start(r.profile, 100, r.f, NONE);
	profile_call(r.profile, 200, 300, r.barrier);
	profile_call(r.profile, 400, 600, r.barrier);
	profile_moves(r.profile, 700, 1000, r.send, 0, 0, 8);
	profile_end(r.profile, 1100, r.f, NONE);
	r.payload = profile_payload(r.profile, r.log, &r.n);
	return r;
}

static unsigned char *cell(struct run *r, unsigned number)
{
	return r->payload + HEAD + (number - 1) * CELL;
}

static void put(unsigned char *to, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = (unsigned char)(v >> 8 * i);
}

/* Imports the run, and inspects it: both must find the same losses. NULL: it
   has no calls. */
static sqlite3 *import(struct run *r, bool whole)
{
	char *folder = run_new();
	struct gaspdb_import_result result;
	struct gaspdb_inspection inspection;
	struct gaspdb_input_options options = { .path = folder };
	struct gaspdb_error err;
	sqlite3 *db;

	log_cells(r->log, 1100, r->payload, r->n, whole);
	if (whole)
		log_close(r->log);
	else
		log_kill(r->log, 64);
	run_add(folder, r->log);
	free(r->payload);
	profile_free(r->profile);
	db = run_import(folder, &result, &err);
	assert_int_equal(gaspdb_inspect(&inspection, &options, &err),
			 db ? GASPDB_OK : GASPDB_FAILED);
	if (db)
		assert_int_equal(inspection.n_defects,
				 db_int(db, "SELECT count(*) FROM quality "
					    "WHERE severity = 'loss'"));
	gaspdb_inspection_free(&inspection);
	run_remove(folder);
	return db;
}

static const char *paths(sqlite3 *db)
{
	return db_rows(db, "SELECT depth, operation, calls, total_ns, self_ns "
			   "FROM callpath JOIN place USING (source_id) "
			   "ORDER BY position");
}

static const char *losses(sqlite3 *db)
{
	return db_rows(db, "SELECT kind, detail, file IS NOT NULL AND offset > 0 "
			   "FROM quality WHERE severity = 'loss' ORDER BY id");
}

#define GOOD                              \
	"1|f|1|1000|400\n"                \
	"2|MPI_Barrier|2|300|300\n"       \
	"2|MPI_Send|1|300|300\n"

static void good(void **state)
{
	struct run r = make();
	sqlite3 *db = import(&r, true);

	(void)state;
	assert_string_equal(paths(db), GOOD);
	assert_string_equal(losses(db), "");
	assert_int_equal(db_int(db, "SELECT complete FROM thread WHERE id = 0"),
			 1);
	db_close(db);
}

/* A node that was being changed: its values are kept, and it is a note. */
static void torn(void **state)
{
	struct run r = make();
	sqlite3 *db;

	(void)state;
	put(cell(&r, 2) + SEQUENCE, 7, 4);
	put(cell(&r, 4) + SEQUENCE, 1, 4);
	db = import(&r, false);
	assert_string_equal(paths(db), GOOD);
	assert_string_equal(losses(db), "no end block|-|1\n");
	assert_string_equal(
		db_rows(db, "SELECT count, file, offset %% 128 FROM quality "
			    "WHERE kind = 'torn profile'"),
		"2|node-100-0.gasplog|0\n");
	db_close(db);
}

/* Parents that come later, or are the node itself, would be circles. */
static void circle(void **state)
{
	struct run r = make();
	sqlite3 *db;

	(void)state;
	put(cell(&r, 1) + PARENT, 3, 4);
	put(cell(&r, 2) + PARENT, 2, 4);
	db = import(&r, true);
	assert_string_equal(paths(db), "1|f|1|1000|400\n"
				       "2|MPI_Send|1|300|300\n"
				       "1|MPI_Barrier|2|300|300\n");
	assert_string_equal(losses(db),
			    "damaged profile|a node of a profile that is made "
			    "before its parent|1\n"
			    "damaged profile|a node of a profile that is made "
			    "before its parent|1\n");
	assert_int_equal(db_int(db, "SELECT complete FROM thread WHERE id = 0"),
			 0);
	db_close(db);
}

static void no_parent(void **state)
{
	struct run r = make();
	sqlite3 *db;

	(void)state;
	put(cell(&r, 1) + KIND, 0, 4); /* free */
	db = import(&r, true);
	assert_string_equal(paths(db), "1|MPI_Barrier|2|300|300\n"
				       "1|MPI_Send|1|300|300\n");
	assert_string_equal(losses(db),
			    "damaged profile|a node of a profile whose parent "
			    "is not there|1\n"
			    "damaged profile|a node of a profile whose parent "
			    "is not there|1\n");
	db_close(db);
}

/* Calls at an undefined site keep their place in the tree of time. */
static void no_site(void **state)
{
	struct run r = make();
	sqlite3 *db;

	(void)state;
	put(cell(&r, 1) + SITE, 999, 4);
	db = import(&r, true);
	assert_string_equal(paths(db), "1|MPI_Barrier|2|300|300\n"
				       "1|MPI_Send|1|300|300\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, count, file IS NOT NULL, offset %% 128 "
			    "FROM quality WHERE severity = 'loss'"),
		"undefined site|1|1|0\n");
	assert_string_equal(db_rows(db, "SELECT category, time_ns FROM "
					"category_time ORDER BY 1"),
			    "communication|300\ncomputation|0\n"
			    "not recorded|400\nsynchronization|300\n");
	db_close(db);
}

/* Calls beyond the cells: their time is in that of what they were in. */
static void overflow(void **state)
{
	struct run r = make();
	sqlite3 *db;

	(void)state;
	put(cell(&r, 3) + SITE, 0, 4);
	put(cell(&r, 3) + PARENT, 0, 4);
	put(cell(&r, 1) + CHILD, 300, 8);
	db = import(&r, true);
	assert_string_equal(paths(db), "1|f|1|1000|700\n"
				       "2|MPI_Barrier|2|300|300\n");
	assert_string_equal(losses(db), "");
	assert_string_equal(db_rows(db, "SELECT count, time_ns FROM quality "
					"WHERE kind = 'full profile'"),
			    "1|300\n");
	assert_int_equal(db_int(db, "SELECT sum(time_ns) FROM category_time"),
			 1000);
	db_close(db);
}

struct absurd {
	unsigned at, bytes;
	uint64_t value;
	const char *detail;
};

/* Impossible numbers are cut to what is possible. */
static void absurd_numbers(void **state)
{
	static const struct absurd all[] = {
		{ COUNT, 8, UINT64_MAX, "impossible count" },
		{ TOTAL, 8, UINT64_MAX, "impossible time" },
		{ TOTAL, 8, UINT64_C(1) << 50, "more time than" },
		{ CHILD, 8, 1 << 20, "contradict" },
		{ LEAST, 8, 1 << 20, "contradict" },
		{ MOST, 8, 1 << 20, "contradict" },
		{ SQUARES, 8, UINT64_C(0x7ff8000000000000), "squares" },
		{ SQUARES, 8, UINT64_C(0xc000000000000000), "squares" },
		{ SQUARES, 8, UINT64_C(0x7ff0000000000000), "squares" },
		{ KIND, 4, 77, "unknown kind" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct run r = make();
		sqlite3 *db;

		put(cell(&r, 2) + all[i].at, all[i].value, all[i].bytes);
		db = import(&r, true);
		assert_int_equal(
			db_int(db,
			       "SELECT count(*) FROM quality WHERE kind = "
			       "'damaged profile' AND instr(detail, '%s') "
			       "AND offset %% 128 = 0",
			       all[i].detail),
			1);
		assert_int_equal(
			db_int(db, "SELECT sum(time_ns) FROM category_time"),
			1000);
		assert_int_equal(
			db_int(db, "SELECT count(*) FROM profile WHERE "
				   "variation < 0 OR self_ns < 0 OR calls < 1 "
				   "OR total_ns > 102000"),
			0);
		db_close(db);
	}
}

/* Blocks with impossible heads. */
static void absurd_heads(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		struct run r = make();
		sqlite3 *db;

		if (i == 0)
			put(r.payload + USED, 100000, 4);
		else if (i == 1)
			log_cells(r.log, 1100, r.payload, r.n, true); /* again */
		else
			r.n = HEAD + 2 * CELL + 5; /* the third is cut */
		db = import(&r, true);
		assert_int_equal(db_int(db, "SELECT count(*) FROM quality WHERE "
					    "kind = 'damaged profile'"),
				 1);
		assert_string_equal(paths(db),
				    i == 2 ? "1|f|1|1000|400\n"
					     "2|MPI_Barrier|2|300|300\n"
					   : GOOD);
		db_close(db);
	}
}

/* A trace of f and a barrier in it, killed in f, that goes on as a profile. */
static struct run make_rest(void)
{
	struct run r = { .log = log_rank(0, 1) };

	r.barrier = log_plain(r.log, "MPI_Barrier", "barrier",
			      "synchronization", 2);
	r.f = log_plain(r.log, "f", "function", "computation", 3);
	r.profile = profile_new(r.log);
	r.profile->is_function[r.f] = true;
	r.profile->cut_after = 3;
	profile_start(r.profile, 100, r.f, NONE);
	profile_call(r.profile, 200, 300, r.barrier);
	profile_call(r.profile, 400, 600, r.barrier);
	profile_end(r.profile, 1100, r.f, NONE);
	r.payload = profile_payload(r.profile, r.log, &r.n);
	return r;
}

static void rest(void **state)
{
	struct run r = make_rest();
	sqlite3 *db = import(&r, true);

	(void)state;
	assert_string_equal(paths(db), "1|f|1|1000|700\n"
				       "2|MPI_Barrier|2|300|300\n");
	assert_string_equal(losses(db), "");
	assert_string_equal(
		db_rows(db, "SELECT kind, start_ns, end_ns FROM gap"),
		"size limit|300|1000\n");
	assert_string_equal(db_rows(db,
				    "SELECT bytes > 0, time_ns FROM quality "
				    "WHERE kind = 'size limit'"),
			    "1|700\n");
	assert_string_equal(
		db_rows(db, "SELECT operation, start_ns, duration_ns, open "
			    "FROM event JOIN place USING (source_id)"),
		"f|0|300|1\nMPI_Barrier|100|100|0\n");
	db_close(db);
}

struct absurd_rest {
	unsigned cell, at; /* cell 0: the header */
	int64_t value;	   /* negative: time, less one */
	const char *detail;
	bool whole; /* the log has a profile from the start */
};

/* Impossible beginnings; whatever is left is possible. */
static void absurd_rests(void **state)
{
	static const struct absurd_rest all[] = {
		{ 0, FROM, -1, "before the last event", false },
		{ 0, FROM, 1, "before the last event", false },
		{ 0, FROM, -200, "before the last event", false },
		{ 0, FROM, -5000, "after its last event", false },
		{ 0, FROM, INT64_MAX, "after its last event", false },
		{ 0, FROM, -400, "from the start", true },
		{ 2, OPEN, -250, "a call that began before it", false },
		{ 2, CARRIED_TICKS, 1 << 20, "contradict", false },
		{ 0, FROM, 0, "calls that began before it", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct run r = make_rest();
		const int64_t value = all[i].value;
		sqlite3 *db;

		if (all[i].whole)
			log_meta(r.log, "mode", "both");
		put((all[i].cell ? cell(&r, all[i].cell) : r.payload) +
			    all[i].at,
		    value < 0 ? log_ticks(r.log, (uint64_t)-value - 1)
			      : (uint64_t)value,
		    8);
		db = import(&r, true);
		assert_string_equal(
			db_rows(db, "SELECT DISTINCT kind, file IS NOT NULL "
				    "AND offset > 0 FROM quality "
				    "WHERE severity = 'loss'"),
			"damaged profile|1\n");
		if (!db_int(db,
			    "SELECT count(*) FROM quality WHERE instr(detail, '%s')",
			    all[i].detail))
			fail_msg("%s: %s", all[i].detail, losses(db));
		assert_int_equal(
			db_int(db,
			       "SELECT count(*) FROM profile WHERE calls < 1 "
			       "OR self_ns < 0 OR variation < 0 OR open < 0 "
			       "OR min_ns > max_ns OR total_ns < 0"),
			0);
		assert_int_equal(
			db_int(db, "SELECT sum(time_ns) - (SELECT last_ns - "
				   "first_ns FROM thread) FROM category_time"),
			0);
		db_close(db);
	}
}

/* Only the first block of a profile says when it began. */
static void rest_in_later_block(void **state)
{
	struct run r = make_rest();
	unsigned char *second = calloc(1, r.n);
	sqlite3 *db;

	(void)state;
	put(second, 1, 4);
	put(second + FROM, log_ticks(r.log, 300), 8);
	log_cells(r.log, 1100, second, r.n, true);
	free(second);
	db = import(&r, true);
	assert_string_equal(losses(db),
			    "damaged profile|a later block of a profile says "
			    "when it began|1\n");
	assert_string_equal(paths(db), "1|f|1|1000|700\n"
				       "2|MPI_Barrier|2|300|300\n");
	db_close(db);
}

/* Events that follow the profile's beginning: the log contradicts itself. */
static void events_after_rest(void **state)
{
	struct run r = make_rest();
	sqlite3 *db;

	(void)state;
	log_start(r.log, 700, r.barrier, NONE);
	log_end(r.log, 800, r.barrier, NONE);
	db = import(&r, true);
	assert_string_equal(losses(db),
			    "damaged profile|a profile that began before the "
			    "last event of its trace|1\n");
	assert_int_equal(db_int(db, "SELECT sum(time_ns) FROM category_time"),
			 1000);
	db_close(db);
}

/* A sealed block with a wrong checksum is lost as any other. */
static void spoiled(void **state)
{
	struct log *l = log_rank(0, 1);
	const unsigned f = log_plain(l, "f", "function", "computation", 3);
	struct profile *p = profile_new(l);
	char *folder = run_new();
	size_t block;
	sqlite3 *db;

	(void)state;
	profile_call(p, 0, 100, f);
	profile_write(p, l, true);
	block = l->block - 65536;
	profile_call(p, 200, 300, f);
	log_spoil(l, block);
	log_close(l);
	profile_free(p);
	run_add(folder, l);
	db = run_open(folder);
	assert_int_equal(db_int(db, "SELECT count(*) FROM quality "
				    "WHERE kind = 'damaged block'"),
			 1);
	/* The events are still there. */
	assert_int_equal(db_int(db, "SELECT calls FROM profile"), 2);
	db_close(db);
	run_remove(folder);
}

/* The sums of a run of one thread are possible. */
static void possible(sqlite3 *db)
{
	assert_int_equal(db_int(db, "SELECT count(*) FROM profile WHERE "
				    "variation < 0 OR self_ns < 0 OR calls < 1 "
				    "OR self_ns > total_ns + inner_ns"),
			 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM category_time WHERE "
				    "time_ns < 0"),
			 0);
	assert_int_equal(db_int(db,
				"SELECT coalesce(sum(time_ns), 0) - (SELECT "
				"coalesce(last_ns - first_ns, 0) FROM thread "
				"WHERE id = 0) FROM category_time "
				"WHERE thread_id = 0"),
			 0);
}

/* Noise in the profile that a trace goes on as. */
static void noise_in_rest(void **state)
{
	enum { RUNS = 150 };
	uint64_t random = 78;

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct run r = make_rest();
		const unsigned n = 1 + (unsigned)(random_next(&random) % 12);
		sqlite3 *db;

		for (unsigned k = 0; k < n; k++)
			r.payload[8 +
				  random_next(&random) % (HEAD + 3 * CELL)] =
				(unsigned char)random_next(&random);
		db = import(&r, i % 2);
		possible(db);
		db_close(db);
	}
}

/* Noise in cells of a killed log, and in the moments of its head: an import
   ends, and its sums are possible. */
static void noise(void **state)
{
	enum { RUNS = 150 };
	uint64_t random = 77;
	int n_empty = 0;

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct run r = make();
		const unsigned n = 1 + (unsigned)(random_next(&random) % 12);
		sqlite3 *db;

		for (unsigned k = 0; k < n; k++)
			r.payload[8 + random_next(&random) % (HEAD + 4 * CELL)] =
				(unsigned char)random_next(&random);
		db = import(&r, false);
		if (!db) {
			n_empty++;
			continue;
		}
		possible(db);
		db_close(db);
	}
	assert_in_range(n_empty, 0, RUNS / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good),
		cmocka_unit_test(torn),
		cmocka_unit_test(circle),
		cmocka_unit_test(no_parent),
		cmocka_unit_test(no_site),
		cmocka_unit_test(overflow),
		cmocka_unit_test(absurd_numbers),
		cmocka_unit_test(absurd_heads),
		cmocka_unit_test(rest),
		cmocka_unit_test(absurd_rests),
		cmocka_unit_test(rest_in_later_block),
		cmocka_unit_test(events_after_rest),
		cmocka_unit_test(noise_in_rest),
		cmocka_unit_test(spoiled),
		cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
