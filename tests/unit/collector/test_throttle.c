/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throttled functions: the limit as text, and what an import makes of records:
   figures by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/core/selection/throttle_limit.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

#define THROTTLED 44

static void limits(void **state)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t calls, ns;
	} cases[] = {
		{ "100", true, 100, 10000 },
		{ "100,5", true, 100, 5000 },
		{ "100,5us", true, 100, 5000 },
		{ "100,700ns", true, 100, 700 },
		{ "100,2ms", true, 100, 2000000 },
		{ "1,3s", true, 1, UINT64_C(3000000000) },
		{ "0", true, UINT64_MAX, 10000 },
		{ "0,1ms", true, UINT64_MAX, 1000000 },
		{ "off", true, UINT64_MAX, 10000 },
		{ "", false, 0, 0 },
		{ "on", false, 0, 0 },
		{ "-1", false, 0, 0 },
		{ "100,", false, 0, 0 },
		{ "100,us", false, 0, 0 },
		{ "100,5h", false, 0, 0 },
		{ "100us", false, 0, 0 },
		{ "100,5us,", false, 0, 0 },
		{ "18446744073709551616", false, 0, 0 },
		{ "1,18446744073709551615s", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gaspdb_throttle_limit l = { 7, 7 };
		const bool good = gaspdb_throttle_parse(cases[i].text, &l);

		if (good != cases[i].good)
			fail_msg("'%s' is%s taken", cases[i].text,
				 good ? "" : " not");
		assert_int_equal(l.calls, good ? cases[i].calls : 7);
		assert_int_equal(l.ns, good ? cases[i].ns : 7);
	}
}

/* main at line 1, f at 2 and g at 3, all of one operation. */
static void define(struct log *l, unsigned site[3])
{
	const unsigned op =
		log_op(l, "function", "function", "computation", "", "");

	for (unsigned i = 0; i < 3; i++)
		site[i] = log_site(l, op, "a.c", i + 1);
}

/*
 * In main's 10,000 ns: two written calls of f of 10 and 30 ns; five throttled
 * ones of 60 ns, of which one, of 12, has 4 in an event; and three of g, of 30
 * ns, and 6 ns of two in others of g.
 */
static void sums(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned site[3];
	sqlite3 *db;

	(void)state;
	define(l, site);
	log_start(l, 0, site[0], NONE);
	log_call(l, 100, 110, site[1]);
	log_call(l, 200, 230, site[1]);
	log_numbers(l, THROTTLED, 9,
		    (uint64_t[]){ site[1], site[0], 2, 20, 0, 20, 20, 8, 12 });
	log_numbers(l, THROTTLED, 9,
		    (uint64_t[]){ site[1], site[0], 3, 40, 0, 28, 28, 12, 16 });
	log_numbers(l, THROTTLED, 9,
		    (uint64_t[]){ site[2], site[0], 5, 30, 6, 30, 30, 3, 20 });
	log_end(l, 10000, site[0], NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT line, calls, total_ns, inner_ns, self_ns, "
			    "again_ns, min_ns, max_ns, raw_events, open FROM "
			    "profile JOIN source ON source.id = source_id "
			    "ORDER BY line"),
		"1|1|10000|0|9882|0|10000|10000|2|0\n"
		"2|7|100|0|88|100|8|30|4|0\n"
		"3|5|30|6|30|30|3|20|0|0\n");
	assert_string_equal(
		db_rows(db, "SELECT line, calls, c.total_ns, c.self_ns, depth, "
			    "computation_ns FROM callpath c JOIN source ON "
			    "source.id = source_id ORDER BY line"),
		"1|1|10000|9882|1|10000\n"
		"2|7|100|88|2|88\n"
		"3|5|30|30|2|30\n");
	assert_string_equal(
		db_rows(db, "SELECT s.line, c.line, calls, total_ns, inner_ns, "
			    "self_ns FROM throttled JOIN source s ON s.id = "
			    "source_id JOIN source c ON c.id = caller_id "
			    "ORDER BY 1"),
		"2|1|5|60|0|48\n3|1|5|30|6|30\n");
	assert_string_equal(db_rows(db, "SELECT kind, severity, count, "
					"time_ns FROM quality ORDER BY id"),
			    "throttled function|note|5|60\n"
			    "throttled function|note|5|36\n");
	assert_string_equal(db_rows(db, "SELECT sum(calls), sum(total_ns), "
					"sum(self_ns) FROM source_bin"),
			    "13|10130|10000\n");
	assert_string_equal(
		db_rows(db, "SELECT calls, total_ns, inner_ns, self_ns "
			    "FROM profile_total WHERE grouping = 'operation'"),
		"13|10000|136|10000\n");
	assert_string_equal(db_rows(db, "SELECT threads, calls, total_ns, "
					"computation_ns FROM region "
					"ORDER BY source_id"),
			    "1|1|10000|10000\n1|7|100|88\n1|5|30|30\n");
	db_close(db);
}

/* Two paths of f, of which the throttled calls belong to the second; without
   a caller they are outermost. */
static void callers(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned site[3];
	sqlite3 *db;

	(void)state;
	define(l, site);
	log_start(l, 0, site[0], NONE);
	log_call(l, 100, 110, site[1]);
	log_start(l, 200, site[2], NONE);
	log_call(l, 300, 320, site[1]);
	log_numbers(l, THROTTLED, 9,
		    (uint64_t[]){ site[1], site[2], 4, 44, 0, 44, 44, 11, 11 });
	log_end(l, 600, site[2], NONE);
	log_end(l, 1000, site[0], NONE);
	log_numbers(l, THROTTLED, 9,
		    (uint64_t[]){ site[1], 0, 1, 7, 0, 7, 7, 7, 7 });
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT s.line, u.line, c.calls, c.total_ns, "
			    "c.self_ns FROM callpath c JOIN source s ON s.id = "
			    "c.source_id LEFT JOIN callpath p ON p.id = "
			    "c.parent_id LEFT JOIN source u ON u.id = "
			    "p.source_id ORDER BY 1, 2"),
		"1|-|1|1000|590\n"
		"2|-|1|7|7\n"
		"2|1|1|10|10\n"
		"2|3|5|64|64\n"
		"3|1|1|400|336\n");
	assert_string_equal(db_rows(db, "SELECT calls, total_ns, again_ns FROM "
					"profile JOIN source ON source.id = "
					"source_id WHERE line = 2"),
			    "7|81|74\n");
	db_close(db);
}

/* Of a function that is not defined they are unknown; absurd numbers stop at
   the end of their range. */
static void absurd(void **state)
{
	struct log *l = log_rank(0, 1);
	const uint64_t most = UINT64_MAX;
	unsigned site[3];
	sqlite3 *db;

	(void)state;
	define(l, site);
	log_call(l, 0, 10, site[0]);
	log_numbers(l, THROTTLED, 9,
		    (uint64_t[]){ 99, site[0], 4, 44, 0, 44, 44, 11, 11 });
	for (int i = 0; i < 3; i++)
		log_numbers(l, THROTTLED, 9,
			    (uint64_t[]){ site[1], site[0], most, most, most,
					  most, most, most, most });
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, "SELECT kind, count = 1 << 48, time_ns = 6 << 48 "
			    "FROM quality WHERE kind <> 'no end block' "
			    "ORDER BY id"),
		"undefined site|0|-\nthrottled function|1|1\n");
	assert_string_equal(db_rows(db, "SELECT sum(calls) = 1 + (3 << 48) "
					"FROM profile"),
			    "1\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits),
		cmocka_unit_test(sums),
		cmocka_unit_test(callers),
		cmocka_unit_test(absurd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
