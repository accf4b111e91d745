/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks of open events: pairs, parents, self time, categories, with expected
   values by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

/* analyses.md, 13.1 */
static void categories(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned main_ = log_plain(l, "main", "function", "computation", 1);
	unsigned put = log_plain(l, "put", "put", "communication", 2);
	unsigned barrier =
		log_plain(l, "barrier", "barrier", "synchronization", 3);
	unsigned own = log_plain(l, "own put", "put", "communication", 4);
	unsigned malloc_ = log_plain(l, "malloc", "alloc", "allocation", 5);
	unsigned lock = log_plain(l, "lock", "lock", "synchronization", 6);
	unsigned u1 = log_plain(l, "u1", "user", "none", 7);
	unsigned u2 = log_plain(l, "u2", "user", "none", 8);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, main_, NONE);
	log_start(l, 5, u1, NONE);
	log_start(l, 10, put, NONE);
	log_start(l, 15, u2, NONE);
	log_end(l, 20, put, NONE);
	log_start(l, 30, barrier, NONE);
	log_call(l, 40, 45, own);
	log_end(l, 50, u1, NONE);
	log_end(l, 60, barrier, NONE);
	log_recording(l, false, 70);
	log_recording(l, true, 80);
	log_call(l, 85, 88, malloc_);
	log_end(l, 90, u2, NONE);
	log_start(l, 95, lock, NONE);
	log_end(l, 100, main_, NONE);
	log_close(l);
	db = run_one(l);

	assert_string_equal(
		db_rows(db, "SELECT category, time_ns FROM category_time "
			    "ORDER BY 1"),
		"allocation|3\ncommunication|10\ncomputation|42\n"
		"not recorded|10\nsynchronization|35\n");
	assert_string_equal(
		db_rows(db, "SELECT operation, start_ns, duration_ns, self_ns, "
			    "parent_id, nested, open FROM " NAMED_EVENTS " ORDER BY id"),
		"main|0|100|42|-|0|0\n"
		"u1|5|45|-|-|0|0\n"
		"put|10|10|10|1|0|0\n"
		"u2|15|75|-|-|0|0\n"
		"barrier|30|30|25|1|0|0\n"
		"own put|40|5|5|5|1|0\n"
		"malloc|85|3|3|1|0|0\n"
		"lock|95|5|5|1|0|1\n");
	assert_string_equal(db_rows(db, "SELECT kind, start_ns, end_ns "
					"FROM gap"),
			    "off|70|80\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, severity, thread_id, event_id, "
			    "count, time_ns FROM quality "
			    "WHERE kind = 'open event'"),
		"open event|note|0|8|1|5\n");
	assert_string_equal(db_rows(db, "SELECT first_ns, last_ns, complete, "
					"first_event, last_event FROM thread"),
			    "0|100|1|1|8\n");
	db_close(db);
}

/* START a, START b, END a, END b: neither contains the other. */
static void crossed_pairs(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned main_ = log_plain(l, "main", "function", "computation", 1);
	unsigned a = log_plain(l, "a", "get", "communication", 2);
	unsigned b = log_plain(l, "b", "lock", "synchronization", 3);
	unsigned c = log_plain(l, "c", "alloc", "allocation", 4);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, main_, NONE);
	log_start(l, 10, a, NONE);
	log_start(l, 20, b, NONE);
	log_end(l, 30, a, NONE);
	log_call(l, 35, 38, c); /* in b, which is the outermost now */
	log_end(l, 50, b, NONE);
	log_end(l, 60, main_, NONE);
	log_close(l);
	db = run_one(l);

	/* b was nested in a at its start, and has no parent but main. */
	assert_string_equal(db_rows(db,
				    "SELECT operation, duration_ns, self_ns, "
				    "parent_id, nested FROM " NAMED_EVENTS " ORDER BY id"),
			    "main|60|20|-|0\n"
			    "a|20|10|1|0\n"
			    "b|30|27|1|1\n"
			    "c|3|3|3|1\n");
	/* a 10 to 30, then b is the outermost to 50. */
	assert_string_equal(
		db_rows(db, "SELECT category, time_ns FROM category_time "
			    "ORDER BY 1"),
		"communication|20\ncomputation|20\nsynchronization|20\n");
	assert_string_equal(db_rows(db, "SELECT kind, count, event_id "
					"FROM quality"),
			    "crossed events|1|3\n");
	db_close(db);
}

/* Ends at the same time: the events contain each other, without a crossing. */
static void ends_together(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned a = log_plain(l, "a", "function", "computation", 1);
	unsigned b = log_plain(l, "b", "function", "computation", 2);
	unsigned c = log_plain(l, "c", "function", "computation", 3);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, a, NONE);
	log_start(l, 1, b, NONE);
	log_start(l, 2, c, NONE);
	log_end(l, 9, a, NONE);
	log_end(l, 9, b, NONE);
	log_end(l, 9, c, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT operation, parent_id, self_ns "
					"FROM " NAMED_EVENTS " ORDER BY id"),
			    "a|-|1\nb|1|1\nc|2|7\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM quality"), 0);
	db_close(db);
}

/* Matching of ENDs: each belongs to the innermost open START of its
   operation. */
static void ends_find_their_starts(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned op = log_op(l, "f", "function", "computation", "", "");
	unsigned f10 = log_site(l, op, "a.c", 10);
	unsigned f20 = log_site(l, op, "a.c", 20);
	unsigned put = log_plain(l, "put", "put", "communication", 30);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, f10, NONE);
	log_start(l, 10, f10, NONE);
	log_start(l, 20, put, NONE);
	log_end(l, 25, put, NONE);
	log_end(l, 30, f20, NONE); /* the line of the return: the inner f */
	log_end(l, 50, f10, NONE);
	log_end(l, 60, put, NONE); /* has none */
	log_end(l, 70, f20, NONE); /* has none */
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT operation, location, start_ns, "
					"duration_ns, parent_id FROM " NAMED_EVENTS " "
					"ORDER BY id"),
			    "f|a.c:10|0|50|-\nf|a.c:10|10|20|1\n"
			    "put|a.c:30|20|5|2\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, count, file, offset > 112 FROM "
			    "quality ORDER BY offset"),
		"end without start|1|node-100-0.gasplog|1\n"
		"end without start|1|node-100-0.gasplog|1\n");
	assert_int_equal(db_int(db, "SELECT last_ns FROM thread"), 70);
	/* The total of a recursion is the outer call's; both calls count. */
	assert_string_equal(
		db_rows(db, "SELECT calls, total_ns, self_ns, min_ns, max_ns, "
			    "variation, bytes, f.open FROM profile f "
			    "JOIN place USING (source_id) "
			    "WHERE operation = 'f'"),
		"2|50|45|20|50|900.0|-|0\n");
	db_close(db);
}

/* A callback: a user function called by the runtime is user code again. */
static void callbacks(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned reduce = log_plain(l, "reduce", "reduce", "communication", 1);
	unsigned f = log_plain(l, "f", "function", "computation", 2);
	unsigned forall = log_plain(l, "forall", "forall", "computation", 3);
	unsigned lock = log_plain(l, "lock", "lock", "synchronization", 4);
	unsigned get = log_plain(l, "get", "get", "communication", 5);
	unsigned mark = log_plain(l, "mark", "user", "none", 6);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, reduce, NONE);
	log_start(l, 10, forall, NONE); /* the runtime's own loop */
	log_start(l, 15, f, NONE);
	log_start(l, 20, lock, NONE);
	log_call(l, 22, 26, get);
	log_atomic(l, 27, get, NONE);
	log_atomic(l, 27, mark, NONE);
	log_end(l, 30, lock, NONE);
	log_end(l, 40, f, NONE);
	log_end(l, 45, forall, NONE);
	log_end(l, 50, reduce, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db,
				    "SELECT operation, duration_ns, self_ns, "
				    "parent_id, nested FROM " NAMED_EVENTS " ORDER BY id"),
			    "reduce|50|15|-|0\n"
			    "forall|35|10|1|1\n"
			    "f|25|15|2|0\n"
			    "lock|10|6|3|0\n"
			    "get|4|4|4|1\n"
			    "get|0|0|4|1\n"
			    "mark|0|-|-|0\n");
	assert_string_equal(
		db_rows(db, "SELECT category, time_ns FROM category_time "
			    "ORDER BY 1"),
		"communication|25\ncomputation|15\nsynchronization|10\n");
	db_close(db);
}

/* Tool time: self time of the caller, but in the category of a runtime event
   around it. */
static void tool_time(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned main_ = log_plain(l, "main", "function", "computation", 1);
	unsigned put = log_plain(l, "put", "put", "communication", 2);
	sqlite3 *db;

	(void)state;
	log_tool(l, 0, 4);
	log_start(l, 10, main_, NONE);
	log_start(l, 20, put, NONE);
	log_block(l, 30);
	log_tool(l, 25, 30);
	log_end(l, 40, put, NONE);
	log_tool(l, 50, 53);
	log_recording(l, false, 60);
	log_tool(l, 70, 75); /* not recorded comes first */
	log_recording(l, true, 80);
	log_end(l, 90, main_, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT category, time_ns FROM category_time "
			    "ORDER BY 1"),
		"communication|20\ncomputation|43\nnot recorded|20\ntool|7\n");
	assert_string_equal(db_rows(db, "SELECT operation, duration_ns, "
					"self_ns FROM " NAMED_EVENTS " ORDER BY id"),
			    "main|80|37\nput|20|15\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, start_ns, end_ns FROM gap "
			    "ORDER BY start_ns"),
		"tool|0|4\ntool|25|30\ntool|50|53\noff|60|80\ntool|70|75\n");
	db_close(db);
}

/* A clock going backwards: time stands still, and still adds up. */
static void time_backwards(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned a = log_plain(l, "a", "get", "communication", 1);
	sqlite3 *db;

	(void)state;
	log_start(l, 100, a, NONE);
	log_end(l, 140, a, NONE);
	log_start(l, 120, a, NONE); /* 20 before */
	log_end(l, 130, a, NONE);
	log_block(l, 110);
	log_start(l, 150, a, NONE);
	log_end(l, 160, a, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT start_ns, duration_ns "
					"FROM event ORDER BY id"),
			    "0|40\n40|0\n50|10\n");
	assert_string_equal(db_rows(db, "SELECT kind, count, time_ns "
					"FROM quality"),
			    "time going backwards|2|20\n");
	assert_int_equal(db_int(db, "SELECT sum(time_ns) FROM category_time"),
			 60);
	db_close(db);
}

/* More open events than the limit: none is mistaken for another. */
static void deep_stack(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned f = log_plain(l, "f", "function", "computation", 1);
	unsigned g = log_plain(l, "g", "function", "computation", 2);
	const unsigned held = 1 << 18, beyond = 5;
	unsigned n = 0;
	sqlite3 *db;

	(void)state;
	for (; n < held + beyond; n++) {
		if (n % 10000 == 9999)
			log_block(l, n);
		log_start(l, n, f, NONE);
	}
	log_call(l, n, n + 1, g);
	for (unsigned i = 0; i < held + beyond; i++) {
		if (i % 10000 == 9999)
			log_block(l, n + 1 + i);
		log_end(l, n + 1 + i, f, NONE);
	}
	log_close(l);
	db = run_one(l);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"), held);
	assert_string_equal(db_rows(db, "SELECT kind, count FROM quality"),
			    "deep stack|6\ndeep call path|262016\n");
	/* The k-th start from outside ends with the k-th end from the last. */
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM event WHERE start_ns + "
				"duration_ns != %u - start_ns OR open",
				n + 1 + held + beyond - 1),
			 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event "
				    "WHERE parent_id IS NOT id - 1 "
				    "AND id > 1"),
			 0);
	db_close(db);
}

/*
 * Calls of f nested in the runtime, or of others, then a user function with
 * many calls of f that are not nested, or records that all calls of the runtime
 * were left. Returns the import's processor time in s.
 */
static double time_of_deep(bool same, bool left)
{
	enum { DEPTH = 30000, CALLS = 60000, LEFT = 40 };
	struct log *l = log_rank(0, 1);
	unsigned f = log_plain(l, "f", "barrier", "synchronization", 1);
	unsigned g = log_plain(l, "g", "barrier", "synchronization", 2);
	unsigned user = log_plain(l, "user", "function", "computation", 3);
	unsigned t = 0;
	clock_t before;
	sqlite3 *db;

	log_start(l, t++, f, NONE);
	for (unsigned i = 0; i < DEPTH; i++) {
		if (t % 4000 == 0)
			log_block(l, t);
		log_start(l, t++, left ? user : same ? f : g, NONE);
	}
	log_start(l, t++, user, NONE);
	for (unsigned i = 0; i < CALLS; i++) {
		if (t % 4000 < 2)
			log_block(l, t);
		if (left && same)
			log_numbers(l, LEFT, 1, (uint64_t[]){ LOG_BASE + t });
		log_call(l, t, t + 1, f);
		t += 2;
	}
	log_close(l);
	before = clock();
	db = run_one(l);
	before = clock() - before;
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 2 + DEPTH + CALLS);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event WHERE nested"),
			 left ? 0 : DEPTH);
	db_close(db);
	return (double)before / CLOCKS_PER_SEC;
}

/* The cost of an event does not depend on the number of open ones. */
static void deep_beneath(void **state)
{
	(void)state;
	for (int left = 0; left < 2; left++) {
		const double easy = time_of_deep(false, left);

		assert_true(time_of_deep(true, left) < 3 * easy + 0.1);
	}
}

/*
 * Calls of two categories, one inside the other, that end in the order of their
 * starts below many that stay open: each end changes the category of all of
 * these. Returns the import's processor time in s.
 */
static double time_of_crossings(bool alike)
{
	enum { CROSSED = 1000, ABOVE = 60000 };
	static const char *const names[] = { "barrier", "put" };
	static const char *const categories[] = { "synchronization",
						  "communication" };
	struct log *l = log_rank(0, 1);
	unsigned crossed[CROSSED];
	unsigned above = log_plain(l, "above", "put", "communication", 9999);
	unsigned t = 0;
	clock_t before;
	sqlite3 *db;

	for (unsigned i = 0; i < CROSSED; i++) {
		char name[16];

		if (i % 200 == 0)
			log_block(l, 0);
		snprintf(name, sizeof name, "c%u", i);
		crossed[i] = log_plain(l, name, names[i % 2 && !alike],
				       categories[i % 2 && !alike], i);
	}
	for (unsigned i = 0; i < CROSSED + ABOVE; i++) {
		if (t % 4000 == 0)
			log_block(l, t);
		log_start(l, t++, i < CROSSED ? crossed[i] : above, NONE);
	}
	for (unsigned i = 0; i < CROSSED; i++) {
		if (t % 4000 == 0)
			log_block(l, t);
		log_end(l, t++, crossed[i], NONE);
	}
	log_close(l);
	before = clock();
	db = run_one(l);
	before = clock() - before;
	/* From the first call on, all time belongs to the outermost open one:
	   after half of the ends that is a put. */
	assert_int_equal(
		db_int(db,
		       "SELECT ifnull(sum(time_ns), 0) "
		       "FROM category_time WHERE category = 'communication'"),
		alike ? 0 : CROSSED / 2);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 CROSSED + ABOVE);
	db_close(db);
	return (double)before / CLOCKS_PER_SEC;
}

static void crossed_beneath(void **state)
{
	const double easy = time_of_crossings(true);

	(void)state;
	assert_true(time_of_crossings(false) < 3 * easy + 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(categories),
		cmocka_unit_test(crossed_pairs),
		cmocka_unit_test(ends_together),
		cmocka_unit_test(ends_find_their_starts),
		cmocka_unit_test(callbacks),
		cmocka_unit_test(tool_time),
		cmocka_unit_test(time_backwards),
		cmocka_unit_test(deep_stack),
		cmocka_unit_test(deep_beneath),
		cmocka_unit_test(crossed_beneath),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
