/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of the tree of call paths: calls beyond them are folded, none is
   lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/limits.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

/*
 * A function f that calls itself 200 times, with a start and an end each ns:
 * call k from outside lasts 399 - 2 (k - 1) ns, 2 of them self time, of the
 * innermost 1.
 */
static void recursion(void **state)
{
	enum { DEPTH = 200 };
	struct log *l = log_rank(0, 1);
	unsigned f = log_plain(l, "f", "function", "computation", 1);
	uint64_t t = 0;
	sqlite3 *db;
	char expected[64];

	(void)state;
	for (int i = 0; i < DEPTH; i++)
		log_start(l, t++, f, NONE);
	for (int i = 0; i < DEPTH; i++)
		log_end(l, t++, f, NONE);
	log_close(l);
	db = run_one(l);

	assert_int_equal(db_int(db, "SELECT count(*) FROM callpath"),
			 GASPDB_PATH_DEPTH_MAX);
	assert_string_equal(db_rows(db, "SELECT calls, total_ns, self_ns FROM "
					"callpath WHERE depth = 127"),
			    "1|147|2\n");
	/* 73 calls: the outermost lasts 145 ns, all of it self time. */
	assert_string_equal(db_rows(db, "SELECT calls, total_ns, self_ns, "
					"min_ns, max_ns FROM callpath "
					"WHERE depth = 128"),
			    "73|145|145|1|145\n");
	snprintf(expected, sizeof expected, "deep call path|%d\n",
		 DEPTH - GASPDB_PATH_DEPTH_MAX);
	assert_string_equal(db_rows(db, "SELECT kind, count FROM quality"),
			    expected);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event_path"), 0);
	db_close(db);
}

/* Calls below the deepest level: one path for each line, from any caller. */
static void deep_calls(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned f = log_plain(l, "f", "function", "computation", 1);
	unsigned put = log_plain(l, "put", "put", "communication", 2);
	uint64_t t = 0;
	sqlite3 *db;

	(void)state;
	for (int i = 0; i < 130; i++)
		log_start(l, t++, f, NONE);
	log_call(l, t, t + 10, put); /* by the 130th f */
	t += 10;
	for (int i = 0; i < 3; i++)
		log_end(l, t++, f, NONE);
	log_call(l, t, t + 5, put); /* by the 127th */
	t += 5;
	for (int i = 0; i < 127; i++)
		log_end(l, t++, f, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT operation, calls, total_ns, self_ns "
			    "FROM callpath JOIN place USING (source_id) "
			    "WHERE depth = 128 ORDER BY 1"),
		"f|3|15|5\nput|2|15|15\n");
	db_close(db);
}

/*
 * Calls of 600 lines from each of them: 601 paths for each line, of 262,144 in
 * all. 436 lines have all of theirs, one its own and 107 of the calls inside
 * it; further calls count as outermost ones, which always have a path.
 */
static void many_paths(void **state)
{
	enum { LINES = 600, WHOLE = 436, REST = 107 };
	struct log *l = log_rank(0, 1);
	unsigned site[LINES];
	uint64_t t = 0;
	sqlite3 *db;
	char expected[128];

	(void)state;
	assert_int_equal(WHOLE * (LINES + 1) + 1 + REST, GASPDB_PATHS_MAX);
	for (unsigned i = 0; i < LINES; i++)
		site[i] = log_plain(l, "f", "function", "computation", i + 1);
	for (int i = 0; i < LINES; i++) {
		log_block(l, t);
		log_start(l, t++, site[i], NONE);
		for (int k = 0; k < LINES; k++, t++)
			log_call(l, t, t + 1, site[k]);
		log_end(l, t++, site[i], NONE);
	}
	log_close(l);
	db = run_one(l);
	assert_int_equal(db_int(db, "SELECT count(*) FROM callpath"),
			 GASPDB_PATHS_MAX + LINES - WHOLE - 1);
	snprintf(expected, sizeof expected, "call path left out|%d\n",
		 LINES - REST + (LINES - WHOLE - 1) * LINES);
	assert_string_equal(db_rows(db, "SELECT kind, count FROM quality"),
			    expected);
	/* Each line has a call from each line, and one from outside. */
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM (SELECT source_id FROM "
				"callpath GROUP BY 1 HAVING sum(calls) = 601)"),
			 LINES);
	db_close(db);
}

/* User events are above what began while they were open, also below a call that
   they outlast, and have no self time. */
static void user_events(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned a = log_plain(l, "a", "user", "none", 1),
		 f = log_plain(l, "f", "function", "computation", 2),
		 b = log_plain(l, "b", "user", "none", 3),
		 put = log_plain(l, "put", "put", "communication", 4),
		 c = log_plain(l, "c", "user", "none", 5);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, a, NONE);
	log_start(l, 10, f, NONE);
	log_start(l, 20, b, NONE);
	log_call(l, 30, 40, put);
	log_end(l, 50, b, NONE);
	log_end(l, 60, f, NONE);
	log_call(l, 70, 80, put);
	log_end(l, 100, a, NONE);

	log_start(l, 110, f, NONE);
	log_start(l, 120, c, NONE);
	log_end(l, 130, f, NONE);
	log_call(l, 140, 145, put);
	log_end(l, 150, c, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT depth, operation, calls, total_ns, self_ns "
			    "FROM callpath JOIN place USING(source_id) "
			    "ORDER BY position"),
		"1|a|1|100|0\n"
		"2|f|1|50|40\n"
		"3|b|1|30|0\n"
		"4|put|1|10|10\n"
		"2|put|1|10|10\n"
		"1|f|1|20|20\n"
		"2|c|1|30|0\n"
		"3|put|1|5|5\n");
	db_close(db);
}

enum { SITE_PC = 4, FRAME = 12 };

static void frame(struct log *l, uint64_t id, uint64_t address, uint64_t caller)
{
	log_numbers(l, FRAME, 4, (uint64_t[]){ id, address, 0, caller });
}

/* A site at an address, with a call stack. */
static unsigned site_in(struct log *l, unsigned id, unsigned op,
			uint64_t address, uint64_t in)
{
	log_numbers(l, SITE_PC, 5, (uint64_t[]){ id, op, address, 0, in });
	return id;
}

/* Functions above a call, with the sums of the calls. */
static void call_stacks(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned put = log_op(l, "put", "put", "communication", "", ""), deep,
		 flat;
	sqlite3 *db;

	(void)state;
	frame(l, 1, 0x1000, 0);
	frame(l, 2, 0x2000, 1);
	frame(l, 3, 0x3000, 2);
	frame(l, 4, 0x2100, 1);
	deep = site_in(l, 50, put, 0x3000, 3);
	flat = site_in(l, 51, put, 0x2100, 4);
	log_call(l, 0, 10, deep);
	log_call(l, 20, 25, flat);
	log_call(l, 30, 44, deep);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT c.depth, o.name, s.offset + 1, c.calls, "
			    "c.total_ns, c.self_ns, c.min_ns, c.max_ns "
			    "FROM callpath c JOIN source s ON s.id = "
			    "c.source_id JOIN operation o ON o.id = "
			    "s.operation_id ORDER BY c.position"),
		"1|caller|4096|3|29|0|5|14\n"
		"2|caller|8192|2|24|0|10|14\n"
		"3|caller|12288|2|24|0|10|14\n"
		"4|put|12288|2|24|24|10|14\n"
		"2|caller|8448|1|5|0|5|5\n"
		"3|put|8448|1|5|5|5|5\n");
	assert_string_equal(
		db_rows(db, "SELECT e.event_id, c.position FROM event_path e "
			    "JOIN callpath c ON c.id = e.callpath_id"),
		"1|4\n2|6\n3|4\n");
	assert_string_equal(db_rows(db, "SELECT kind FROM quality"), "");
	db_close(db);
}

/* Invalid frames: a caller is defined before its frames, and an id once. */
static void wrong_frames(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned put = log_op(l, "put", "put", "communication", "", ""), site;
	sqlite3 *db;

	(void)state;
	frame(l, 2, 0x2000, 3); /* malformed: a later caller */
	frame(l, 3, 0x3000, 3); /* malformed: itself */
	frame(l, 4, 0x4000, 1); /* unknown caller: outermost */
	frame(l, 4, 0x4000, 1); /* repeated */
	frame(l, 4, 0x4444, 1); /* contradicts */
	site = site_in(l, 50, put, 0x4000, 4);
	log_call(l, 0, 10, site);
	site = site_in(l, 51, put, 0x5000, 9); /* no such frame */
	log_call(l, 20, 25, site);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT c.depth, s.offset + 1, c.calls "
			    "FROM callpath c JOIN source s ON s.id = "
			    "c.source_id ORDER BY c.position"),
		"1|16384|1\n2|16384|1\n1|20480|1\n");
	assert_string_equal(db_rows(db, "SELECT kind, count FROM quality "
					"ORDER BY kind"),
			    "contradictory definition|1\ndamaged block|1\n"
			    "damaged block|1\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion),
		cmocka_unit_test(deep_calls),
		cmocka_unit_test(many_paths),
		cmocka_unit_test(user_events),
		cmocka_unit_test(call_stacks),
		cmocka_unit_test(wrong_frames),
	};

	return cmocka_run_group_tests_name("callpaths", tests, NULL, NULL);
}
