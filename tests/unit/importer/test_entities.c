/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entities in logs that no collector writes: nothing is counted that is not
   there, and the time of a thread stays whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/limits.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_log_parts.h"

static struct log *l;
static unsigned entity, work, put;

static int begin(void **state)
{
	(void)state;
	l = log_rank(0, 1);
	entity = log_site(
		l, log_op(l, "begin", "entity", "none", "entity:u", "entity:u"),
		"a.c", 1);
	work = log_site(l,
			log_op(l, "run", "work", "none", "entity:u work:u",
			       "entity:u work:u"),
			"a.c", 2);
	put = log_site(
		l, log_op(l, "put", "work_put", "none", "entity:u work:u", ""),
		"a.c", 3);
	return 0;
}

/* From the first to the last of two events around everything. */
static sqlite3 *imported(void)
{
	sqlite3 *db;

	log_close(l);
	db = run_one(l);
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM thread t WHERE last_ns - "
				"first_ns <> (SELECT sum(self_ns) FROM "
				"entity_profile p WHERE p.thread_id = t.id)"),
			 0);
	return db;
}

static void mix_of_bytes(uint64_t id, const void *bytes, size_t n)
{
	size_t at = log_begin_record(l, 52);

	log_put_u(l, id);
	log_put_u(l, n);
	log_raw(l, bytes, n);
	log_end_record(l, at);
}

/* Parents that are not there, themselves, mixes, or too deep. */
static void parents(void **state)
{
	sqlite3 *db;

	(void)state;
	log_entity(l, 1, "k", "good", 0);
	log_entity(l, 2, "k", "of none", 77);
	log_entity(l, 3, "k", "of itself", 3);
	log_mix(l, 4, 1, (uint64_t[]){ 1 }, (uint64_t[]){ 1 });
	log_entity(l, 5, "k", "of a mix", 4);
	for (uint64_t i = 0; i < 100; i++)
		log_entity(l, 10 + i, "deep", "d", i ? 9 + i : 0);
	log_start(l, 10, entity, ARGS(1));
	log_start(l, 20, entity, ARGS(2));
	log_end(l, 30, entity, ARGS(2));
	log_end(l, 40, entity, ARGS(1));
	db = imported();
	assert_string_equal(db_rows(db, "SELECT name, self_ns FROM "
					"entity_total JOIN entity e ON "
					"e.id = entity_id WHERE whole"),
			    "good|30\n");
	assert_string_equal(db_rows(db,
				    "SELECT max(depth), count(*) FROM entity "
				    "WHERE kind = 'deep'"),
			    "64|64\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, count FROM quality ORDER BY kind"),
		"definitions left out|1\nunknown entity|1\n");
	db_close(db);
}

/* Mixes of nothing, of too many, of unknown ones, without weight, cut off. */
static void mixes(void **state)
{
	uint64_t part[70], weight[70];
	unsigned char endless[20];
	sqlite3 *db;

	(void)state;
	for (int i = 0; i < 70; i++)
		part[i] = weight[i] = 1;
	memset(endless, 0xff, sizeof endless);
	log_entity(l, 1, "k", "a", 0);
	log_entity(l, 2, "k", "b", 0);
	log_mix(l, 10, 0, part, weight);
	log_mix(l, 11, 65, part, weight);
	log_mix(l, 12, 1, (uint64_t[]){ 9 }, weight);
	log_mix(l, 13, 2, (uint64_t[]){ 1, 2 }, (uint64_t[]){ 0, 0 });
	log_mix(l, 14, 1, part, (uint64_t[]){ UINT64_MAX });
	mix_of_bytes(15, endless, sizeof endless);
	mix_of_bytes(16, "\1", 1);
	log_mix(l, 17, 64, part, weight); /* good: one entity, many times */
	log_mix(l, 18, 2, (uint64_t[]){ 1, 2 },
		(uint64_t[]){ (uint64_t)1 << 32, 1 });
	log_mix(l, 19, 1, (uint64_t[]){ 17 }, weight);
	for (uint64_t i = 10; i < 20; i++) {
		log_start(l, 100 * i, entity, ARGS((int64_t)i));
		log_end(l, 100 * i + 10, entity, ARGS((int64_t)i));
	}
	db = imported();
	assert_string_equal(db_rows(db, "SELECT name, self_ns, shared_ns, "
					"inclusive_ns, calls FROM entity_total "
					"JOIN entity e ON e.id = entity_id "
					"WHERE whole ORDER BY name"),
			    "a|20|20|20|65\nb|0|0|0|1\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, count FROM quality ORDER BY kind"),
		"unknown entity|8\n");
	db_close(db);
}

/* Two meanings of one id; ids that are none. */
static void contradictions(void **state)
{
	sqlite3 *db;

	(void)state;
	log_entity(l, 1, "k", "a", 0);
	log_entity(l, 1, "k", "b", 0);
	log_mix(l, 1, 1, (uint64_t[]){ 1 }, (uint64_t[]){ 1 });
	log_entity(l, 0, "k", "none", 0);
	log_entity(l, (uint64_t)1 << 40, "k", "large", 0);
	log_attribute(l, 1, "key", 'x', "1");
	log_attribute(l, 5, "key", 'i', "1");
	log_attribute(l, 1, "key", 'd', "nan");
	log_start(l, 10, entity, ARGS(1));
	log_end(l, 40, entity, ARGS(1));
	db = imported();
	assert_string_equal(db_rows(db, "SELECT id, name FROM entity"),
			    "1|a\n");
	assert_string_equal(db_rows(db, "SELECT key, value, typeof(value) "
					"FROM entity_attribute"),
			    "key|NaN|text\n");
	assert_string_equal(db_rows(db, "SELECT kind, sum(count) FROM quality "
					"GROUP BY kind"),
			    "contradictory definition|2\ndamaged block|2\n");
	db_close(db);
}

/* More begins than a thread may have open; then ends of all, and more. */
static void many_open(void **state)
{
	const int64_t n = GASPDB_ENTITIES_OPEN_MAX + 50;
	sqlite3 *db;

	(void)state;
	for (int64_t i = 0; i < n; i++) {
		char name[16];

		snprintf(name, sizeof name, "e%d", (int)i);
		log_entity(l, (uint64_t)i + 1, "k", name, 0);
	}
	for (int64_t i = 0; i < n; i++)
		log_start(l, 10 + (uint64_t)i, entity, ARGS(i + 1));
	for (int64_t i = 0; i < n; i++)
		log_end(l, 1000 + (uint64_t)i, entity, ARGS(i + 1));
	log_end(l, 5000, entity, ARGS(1));
	db = imported();
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 GASPDB_ENTITIES_OPEN_MAX);
	assert_string_equal(db_rows(db, "SELECT kind, sum(count) FROM quality "
					"GROUP BY kind ORDER BY kind"),
			    "deep stack|50\nend without start|1\n");
	db_close(db);
}

/* Numbers of work that are none, or were given twice. */
static void work_numbers(void **state)
{
	sqlite3 *db;

	(void)state;
	log_entity(l, 1, "k", "a", 0);
	log_atomic(l, 10, put, ARGS(1, 0));
	log_atomic(l, 20, put, ARGS(1, 7));
	log_atomic(l, 30, put, ARGS(1, 7));
	log_atomic(l, 40, put, ARGS(9, 8));
	log_start(l, 50, work, ARGS(1, 7));
	log_end(l, 60, work, ARGS(1, 7));
	log_start(l, 70, work, ARGS(1, -1));
	log_end(l, 80, work, ARGS(1, -1));
	log_start(l, 90, work, ARGS(9, 8));
	log_end(l, 99, work, ARGS(9, 8));
	log_end(l, 100, work, ARGS(1, 7));
	db = imported();
	assert_string_equal(
		db_rows(db, "SELECT entity_id, put_ns - first_ns, queued_ns, "
			    "run_ns FROM entity_work, thread ORDER BY 2, 3"),
		"1|-|-|10\n1|10|30|10\n-|30|50|9\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(parents, begin),
		cmocka_unit_test_setup(mixes, begin),
		cmocka_unit_test_setup(contradictions, begin),
		cmocka_unit_test_setup(many_open, begin),
		cmocka_unit_test_setup(work_numbers, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
