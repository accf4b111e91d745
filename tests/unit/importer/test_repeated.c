/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions that later blocks repeat: whichever blocks are damaged, all
 * events of the others are read, with the same meaning as in the whole log.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

enum { BLOCKS = 10, BLOCK_NS = 1000 };

/* A log whose blocks each define something of each kind, and use this and all
   earlier definitions. */
struct made {
	struct log *l;
	size_t block[BLOCKS];
	unsigned site[BLOCKS], at[BLOCKS], text[BLOCKS];
};

static void define(struct made *m, unsigned i)
{
	struct log *l = m->l;
	static char name[3 * BLOCKS][20]; /* the log keeps layouts only */
	unsigned op;

	snprintf(name[i], sizeof *name, "call %u", i);
	snprintf(name[BLOCKS + i], sizeof *name, "file%u.c", i);
	snprintf(name[2 * BLOCKS + i], sizeof *name, "/none/%u", i);
	op = log_op(l, name[i], "put", "communication",
		    "object:p team:u text:s", "");
	m->site[i] = log_site(l, op, name[BLOCKS + i], i + 1);
	log_module(l, 0x10000 * (i + 1), 0x10000 * (i + 2), 0x10000 * (i + 1),
		   "", 0, name[2 * BLOCKS + i]);
	m->at[i] = log_site_pc(l, op, 0x10000 * (i + 1) + 0x11);
	log_segment(l, i + 1, 0x1000000 * (i + 1), 0x1000, "module",
		    name[2 * BLOCKS + i]);
	log_team(l, i + 1, i, i, 0, 1, i ? "split" : "world", "", 0);
	log_members(l, i + 1, 0, 0, 0, 1);
	m->text[i] = log_string(l, name[i]);
	log_meta(l, name[i], name[BLOCKS + i]);
}

static void use(struct made *m, unsigned in, unsigned i)
{
	const int64_t object = 0x1000000 * ((int64_t)i + 1) + 8 * in;
	const uint64_t t = BLOCK_NS * in + 10 * i;

	log_atomic(m->l, t + 1, m->site[i], ARGS(object, i + 1, m->text[i]));
	log_atomic(m->l, t + 2, m->at[i], ARGS(object, i + 1, m->text[i]));
}

static void make(struct made *m, bool repeats)
{
	m->l = log_rank(0, 1);
	log_meta(m->l, "not_seen", "calls");
	for (unsigned i = 0; i < BLOCKS; i++) {
		m->block[i] = m->l->block;
		define(m, i);
		for (unsigned before = 0; before <= i; before++)
			use(m, i, before);
		log_block(m->l, BLOCK_NS * (i + 1));
		if (repeats)
			log_repeat(m->l, i == 4 || i == BLOCKS - 1);
	}
	log_close(m->l);
}

static void damage(struct made *m, unsigned block)
{
	m->l->bytes[m->block[block] + 60] ^= 4;
}

/* Meanings of all events but those of two blocks, which are known by their
   objects. */
static char *meanings(sqlite3 *db, unsigned but, unsigned and)
{
	return strdup(db_rows(
		db,
		"SELECT o.name, s.file, s.line, s.module, "
		"s.offset, g.name, e.object & 4095, (SELECT t.ordinal || ' of "
		"' || coalesce(p.ordinal, '-') || (SELECT group_concat("
		"thread_id) FROM team_member m WHERE m.team_id = t.id) FROM "
		"event_arg a JOIN argument n ON n.id = a.argument_id JOIN team "
		"t ON t.id = a.value LEFT JOIN team p ON p.id = t.parent_id "
		"WHERE a.id >> 6 = e.id AND n.name = 'team'), (SELECT a.value "
		"FROM event_arg a JOIN argument n ON n.id = a.argument_id "
		"WHERE a.id >> 6 = e.id AND n.name = 'text') FROM event e "
		"JOIN source s ON s.id = e.source_id JOIN operation o ON o.id "
		"= s.operation_id LEFT JOIN segment g ON g.id = e.object >> 40 "
		"WHERE (e.object & 4095) / 8 NOT IN (%u, %u) ORDER BY e.id",
		but, and));
}

static void assert_recovered(sqlite3 *whole, struct made *m, unsigned first,
			     unsigned second)
{
	char *expected = meanings(whole, first, second), *found;
	sqlite3 *db = run_one(m->l);

	assert_int_equal(db_int(whole, "SELECT count(*) FROM event"),
			 BLOCKS * (BLOCKS + 1));
	found = meanings(db, first, second);
	assert_string_equal(found, expected);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 BLOCKS * (BLOCKS + 1) - 2 * (int)(first + 1) -
				 (second > first ? 2 * (int)(second + 1) : 0));
	assert_string_equal(db_rows(db, "SELECT DISTINCT kind FROM quality "
					"WHERE severity = 'loss'"),
			    "damaged block\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM team"), BLOCKS);
	free(expected);
	free(found);
	db_close(db);
}

static sqlite3 *import_whole(bool repeats)
{
	struct made m;

	make(&m, repeats);
	return run_one(m.l);
}

static void each_block(void **state)
{
	sqlite3 *whole = import_whole(true);

	(void)state;
	for (unsigned i = 0; i < BLOCKS; i++) {
		struct made m;

		make(&m, true);
		damage(&m, i);
		assert_recovered(whole, &m, i, i);
	}
	db_close(whole);
}

/* Two damaged blocks, of which the second alone repeats the definitions of the
   first, until all are repeated: later blocks are searched for them. */
static void each_two_blocks(void **state)
{
	sqlite3 *whole = import_whole(true);

	(void)state;
	for (unsigned i = 0; i + 1 < BLOCKS; i++) {
		struct made m;

		make(&m, true);
		damage(&m, i);
		damage(&m, i + 1);
		assert_recovered(whole, &m, i, i + 1);
	}
	db_close(whole);
}

static char *all_of(sqlite3 *db)
{
	char *events = meanings(db, BLOCKS, BLOCKS), *all;
	char *facts =
		strdup(db_rows(db, "SELECT * FROM thread_meta ORDER BY key"));
	char *teams = strdup(db_rows(db, "SELECT t.*, m.* FROM team t JOIN "
					 "team_member m ON m.team_id = t.id"));

	assert_true(asprintf(&all, "%s%s%s%s", events, facts, teams,
			     db_rows(db, "SELECT kind, count, detail FROM "
					 "quality ORDER BY kind, detail")) > 0);
	free(events);
	free(facts);
	free(teams);
	return all;
}

/* Repeated definitions change nothing. */
static void undamaged(void **state)
{
	sqlite3 *once = import_whole(false), *twice = import_whole(true);
	char *expected = all_of(once), *found = all_of(twice);

	(void)state;
	assert_string_equal(found, expected);
	assert_non_null(strstr(found, "calls not seen|1|calls\n"));
	free(expected);
	free(found);
	db_close(once);
	db_close(twice);
}

/* Contradictory definitions: the first holds. */
static void contradictions(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned first = log_op(l, "first", "put", "communication", "", "");
	unsigned site = log_site(l, first, "a.c", 1), other;
	sqlite3 *db;

	(void)state;
	l->n_ops = l->n_sites = l->n_strings = 0; /* ids begin again */
	other = log_op(l, "other", "put", "communication", "", "");
	assert_int_equal(log_site(l, other, "b.c", 2), site);
	log_atomic(l, 1, site, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db,
				    "SELECT o.name, s.file, s.line "
				    "FROM source s JOIN operation o ON o.id = "
				    "s.operation_id"),
			    "first|a.c|1\n");
	db_close(db);
}

/* A library in the place of another one: repeated in order, the modules are
   those of each call's time. */
static void modules_in_turn(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned op = log_op(l, "put", "put", "communication", "", "");
	sqlite3 *db;

	(void)state;
	log_module(l, 0x1000, 0x3000, 0x1000, "", 0, "/none/old");
	log_atomic(l, 1, log_site_pc(l, op, 0x1101), NONE);
	log_block(l, 10);
	log_repeat(l, true);
	log_module(l, 0x1000, 0x2000, 0x1000, "", 0, "/none/new");
	log_atomic(l, 11, log_site_pc(l, op, 0x1201), NONE);
	log_block(l, 20);
	log_repeat(l, true);
	log_atomic(l, 21, log_site_pc(l, op, 0x1301), NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT s.module FROM event e JOIN "
					"source s ON s.id = e.source_id "
					"ORDER BY e.id"),
			    "/none/old\n/none/new\n/none/new\n");
	db_close(db);
}

/* A list of members with its parts out of order. */
static void members_out_of_order(void **state)
{
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 6; rank++) {
		struct log *l = log_rank(rank, 6);
		unsigned put = log_plain(l, "put", "put", "communication", 1);

		log_call(l, 1, 2, put);
		if (rank == 0) {
			log_team(l, 1, 0, 0, 0, 6, "world", "", 0);
			log_members(l, 1, 4, 4, 1, 2);
			log_members(l, 1, 0, 0, 1, 2);
			log_members(l, 1, 4, 5, -1, 2);
			log_members(l, 1, 2, 2, 1, 2);
			log_members(l, 1, 2, 5, -1, 2);
		}
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT rank, thread_id FROM "
					"team_member ORDER BY rank"),
			    "0|0\n1|1\n2|2\n3|3\n4|4\n5|5\n");
	db_close(db);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_block),
		cmocka_unit_test(each_two_blocks),
		cmocka_unit_test(undamaged),
		cmocka_unit_test(contradictions),
		cmocka_unit_test(modules_in_turn),
		cmocka_unit_test(members_out_of_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
