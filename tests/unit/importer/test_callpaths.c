/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree's limits: what lies beyond them is folded, and nothing lost. */
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
 * f calls itself 200 times deep, a start and an end a ns: the k-th call from
 * outside lasts 399 - 2 (k - 1) ns, 2 of them its own, the innermost 1.
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
	/* 73 calls: the outermost lasts 145 ns, all of them their own. */
	assert_string_equal(db_rows(db, "SELECT calls, total_ns, self_ns, "
					"min_ns, max_ns FROM callpath "
					"WHERE depth = 128"),
			    "73|145|145|1|145\n");
	snprintf(expected, sizeof expected, "deep call path|%d\n",
		 DEPTH - GASPDB_PATH_DEPTH_MAX);
	assert_string_equal(db_rows(db, "SELECT kind, count FROM quality"),
			    expected);
	db_close(db);
}

/* Below the deepest level there is one path a line, whoever calls. */
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
 * Each of 600 lines calls all of them: 601 paths a line, and 262,144 are
 * allowed.  436 lines get theirs, one its own and 107 of the calls in it; the
 * other calls count as outermost ones, for which there is always a path.
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
	/* Each line was called by each once, and once from outside. */
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM (SELECT source_id FROM "
				"callpath GROUP BY 1 HAVING sum(calls) = 601)"),
			 LINES);
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion),
		cmocka_unit_test(deep_calls),
		cmocka_unit_test(many_paths),
	};

	return cmocka_run_group_tests_name("callpaths", tests, NULL, NULL);
}
