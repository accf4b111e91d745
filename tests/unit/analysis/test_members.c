/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Members of collectives, gathered in chunks and merged: each once, whole, and
 * in order, whatever the order in which a thread's numbers come.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/collectives/calls/members.h"
#include "tests/unit/util_db.h"

enum { MEMBERS_MAX = 60000 };

static uint64_t seed = 11;

static uint64_t below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed * 0x2545f4914f6cdd1du >> 11) % n;
}

/* Now and then anything, else something small, or nothing. */
static int64_t value(void)
{
	switch (below(8)) {
	case 0:
		return (int64_t)(below(UINT64_MAX) << 11 ^ below(UINT64_MAX));
	case 1:
		return GASPDB_NONE;
	default:
		return (int64_t)below(3);
	}
}

/* What a run is like: threads, teams, and how many of 100 calls have a number
   out of order. */
struct shape {
	int64_t threads, teams, calls;
	uint64_t odd;
};

static void fill(struct gaspdb_member *m)
{
	int64_t values[sizeof *m / sizeof(int64_t)];
	const struct gaspdb_member given = *m;

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		values[i] = value();
	memcpy(m, values, sizeof values);
	m->team = given.team;
	m->sequence = given.sequence;
	m->thread = given.thread;
	m->event = given.event;
}

static size_t make(const struct shape *s, struct gaspdb_member *members)
{
	int64_t *next = calloc((size_t)s->teams, sizeof *next);
	size_t n = 0;

	assert_non_null(next);
	for (int64_t thread = 0; thread < s->threads; thread++) {
		memset(next, 0, (size_t)s->teams * sizeof *next);
		for (int64_t i = 0; i < s->calls; i++, n++) {
			const int64_t team = (int64_t)below((uint64_t)s->teams);

			assert_true(n < MEMBERS_MAX);
			members[n] = (struct gaspdb_member){
				.team = team,
				.sequence = below(100) < s->odd ? value()
								: next[team],
				.thread = thread,
				.event = (int64_t)n
			};
			/* Members come to a team at different times. */
			next[team] += 1 + (below(50) == 0);
			fill(&members[n]);
		}
	}
	free(next);
	return n;
}

static int in_order(const void *a, const void *b)
{
	const struct gaspdb_member *x = a, *y = b;

	if (x->team != y->team)
		return x->team < y->team ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

static void check(const struct shape *s, struct gaspdb_member *members)
{
	sqlite3 *db = db_new();
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	struct gaspdb_members merged;
	const size_t n = make(s, members);

	gaspdb_run_open(&run, db, &err);
	gaspdb_members_init(&merged, &run);
	for (size_t i = 0; i < n; i++)
		gaspdb_members_add(&merged, &members[i]);
	qsort(members, n, sizeof *members, in_order);
	for (size_t i = 0; i < n; i++) {
		const struct gaspdb_member *m = gaspdb_members_next(&merged);

		assert_non_null(m);
		assert_memory_equal(m, &members[i], sizeof *m);
	}
	assert_null(gaspdb_members_next(&merged));
	assert_null(gaspdb_members_next(&merged));
	gaspdb_members_fini(&merged);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

/* From both ends of a team's numbers in turns: few chunks are open at once. */
static void test_memory(void **state)
{
	enum { CALLS = 20000 };
	sqlite3 *db = db_new();
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;
	struct gaspdb_members merged;
	size_t most = 0;

	(void)state;
	gaspdb_run_open(&run, db, &err);
	gaspdb_members_init(&merged, &run);
	for (int64_t thread = 0; thread < 2; thread++)
		for (int64_t i = 0; i < CALLS; i++)
			gaspdb_members_add(
				&merged,
				&(struct gaspdb_member){
					.sequence =
						i % 2 ? CALLS - i / 2 : i / 2,
					.thread = thread,
					.event = thread * CALLS + i });
	for (size_t i = 0; i < 2 * CALLS; i++) {
		assert_non_null(gaspdb_members_next(&merged));
		most = merged.n_open > most ? merged.n_open : most;
	}
	assert_in_range(most, 1, 128);
	gaspdb_members_fini(&merged);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

static void test_members(void **state)
{
	/* With many teams not all of a thread's fit in memory at once. */
	static const struct shape shapes[] = {
		{ 1, 1, 0, 0 },	    { 1, 1, 1, 0 },	 { 4, 1, 10000, 0 },
		{ 4, 3, 10000, 0 }, { 300, 5, 100, 0 },	 { 2, 400, 20000, 0 },
		{ 3, 2, 5000, 2 },  { 3, 400, 5000, 2 }, { 2, 2, 3000, 100 },
	};
	struct gaspdb_member *members = calloc(MEMBERS_MAX, sizeof *members);

	(void)state;
	assert_non_null(members);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		check(&shapes[i], members);
	free(members);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_members),
					    cmocka_unit_test(test_memory) };

	return cmocka_run_group_tests_name("members", tests, NULL, NULL);
}
