/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that come by thread and go by slice of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/access/presence.h"
#include "analysis/engine/time_partition.h"
#include "tests/unit/util_db.h"

enum { THREADS = 3 };

static uint64_t seed = 7;

static uint64_t below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed * 0x2545f4914f6cdd1du >> 11) % n;
}

struct taken {
	const struct gaspdb_partitioned_call *calls; /* by thread, as added */
	int64_t n, next[THREADS];
	int64_t reached_ns, given, slices, most, of_slice;
};

/* Each thread's in the order in which they were added, each later than all of
   the slices before. */
static void take_call(struct taken *t, const struct gaspdb_partitioned_call *c)
{
	const struct gaspdb_partitioned_call *x;

	assert_in_range(c->thread, 0, THREADS - 1);
	assert_true(t->next[c->thread] < t->n);
	x = &t->calls[c->thread * t->n + t->next[c->thread]++];
	assert_true(x->start_ns == c->start_ns && x->end_ns == c->end_ns);
	assert_true(x->what == c->what && x->peer == c->peer);
	assert_true(c->start_ns > t->reached_ns);
	t->given++;
	t->of_slice++;
}

static void take_calls(void *user, struct gaspdb_partitioned *calls)
{
	struct gaspdb_partitioned_call c;

	while (gaspdb_partitioned_next(calls, &c))
		take_call(user, &c);
}

static void reached(void *user, int64_t at_ns)
{
	struct taken *t = user;

	assert_true(at_ns > t->reached_ns);
	for (int i = 0; i < THREADS; i++)
		if (t->next[i])
			assert_true(
				t->calls[i * t->n + t->next[i] - 1].start_ns <=
				at_ns);
	t->reached_ns = at_ns;
	t->slices++;
	if (t->of_slice > t->most)
		t->most = t->of_slice;
	t->of_slice = 0;
}

/* So many calls a thread, of which those from `dense` on follow at once.
   Returns the largest slice. */
static int64_t slice(struct gaspdb_run *run, int64_t n, int64_t dense,
		     int64_t from_ns, int64_t until_ns)
{
	struct gaspdb_partitioned_call *calls =
		calloc((size_t)(n * THREADS + 1), sizeof *calls);
	struct taken t = { .n = n };
	struct gaspdb_time_partition s;

	assert_non_null(calls);
	gaspdb_time_partition_open(&s, run, from_ns, until_ns, n * THREADS);
	for (int64_t i = 0; i < n * THREADS; i++) {
		struct gaspdb_partitioned_call *c = &calls[i];
		const int64_t step =
			(until_ns - from_ns) / (dense ? dense : 1) / 2;

		c->thread = (int32_t)(i / n);
		c->start_ns = i % n ? c[-1].start_ns : from_ns;
		if (i % n)
			c->start_ns +=
				i % n < dense
					? (int64_t)below((uint64_t)step + 1)
					: (int64_t)below(3);
		c->end_ns = c->start_ns + (int64_t)(below(1000) << below(40));
		c->what = (uint32_t)(below(3) << below(31));
		c->peer = (uint32_t)(below(3) << below(31));
		gaspdb_time_partition_add(&s, c->thread, c->start_ns, c->end_ns,
					  c->what, c->peer);
	}
	for (int again = 0; again < 2; again++) {
		t = (struct taken){ .n = n,
				    .calls = calls,
				    .reached_ns = INT64_MIN,
				    .most = t.most };
		gaspdb_time_partition_give(
			&s, &(struct gaspdb_time_partition_out){ &t, take_calls,
								 reached });
		assert_int_equal(t.given, n * THREADS);
	}
	gaspdb_time_partition_close(&s);
	free(calls);
	assert_int_equal(run->status, GASPDB_OK);
	return t.most;
}

static void test_slices(void **state)
{
	sqlite3 *db = db_new();
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;

	(void)state;
	gaspdb_run_open(&run, db, &err);
	slice(&run, 0, 0, 0, 0);
	slice(&run, 1, 1, 5, 5);
	slice(&run, 10, 10, -1000, 1000);
	assert_true(slice(&run, 100000, 100000, 0, 1000000000) < 1 << 17);
	/* Most begin within a small part of the time: that is cut up. */
	assert_true(slice(&run, 100000, 1000, 0, INT64_C(3) << 60) < 1 << 17);
	/* And those that begin at one moment cannot be. */
	assert_int_equal(slice(&run, 100000, 100000, 7, 7), 300000);
	/* Times outside of what was said. */
	slice(&run, 1000, 500, INT64_MIN + 1, INT64_MIN + 5);
	assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
	db_close(db);
}

/* What a look at all stays so far says. */
static struct gaspdb_presence_state
look(const struct gaspdb_presence_interval *stays, size_t n, int32_t process,
     int64_t at_ns)
{
	struct gaspdb_presence_state x = { INT64_MIN, INT64_MAX };

	for (size_t i = 0; i < n; i++) {
		if (stays[i].process != process)
			continue;
		if (stays[i].start_ns > at_ns)
			x.next_ns = gaspdb_min(x.next_ns, stays[i].start_ns);
		else
			x.until_ns = gaspdb_max(x.until_ns, stays[i].until_ns);
	}
	return x;
}

/* Slices of n stays, in order or not, whose starts have so many bits. */
static void stay(struct gaspdb_run *run, size_t n, int bits, bool in_order)
{
	enum { SLICES = 3 };
	struct gaspdb_presence_interval *all = calloc(SLICES * n, sizeof *all);
	const int64_t width = INT64_C(1) << bits;
	struct gaspdb_presence p;

	assert_non_null(all);
	gaspdb_presence_open(&p, run);
	for (size_t k = 0; k < SLICES; k++) {
		const int64_t from = (int64_t)k * width;
		int64_t start = from;

		for (size_t i = k * n; i < (k + 1) * n; i++) {
			const uint64_t left = (uint64_t)(from + width - start);

			start = in_order ? start + (int64_t)below(left / n + 1)
					 : from + (int64_t)below(
							  (uint64_t)width);
			all[i].process = in_order ? 1 : (int32_t)below(THREADS);
			all[i].start_ns = start;
			all[i].until_ns =
				start + (int64_t)below((uint64_t)width);
			assert_true(gaspdb_presence_make_room(&p, 1));
			gaspdb_presence_add(&p, all[i].process, start,
					    all[i].until_ns);
		}
		gaspdb_presence_index(&p);
		for (int i = 0; i < 200; i++) {
			const int32_t process = (int32_t)below(THREADS);
			const int64_t at =
				from + (int64_t)below((uint64_t)width);
			const struct gaspdb_presence_state x =
				gaspdb_presence_at(&p, process, at);
			const struct gaspdb_presence_state y =
				look(all, (k + 1) * n, process, at);

			assert_true(x.next_ns == y.next_ns);
			assert_true(x.until_ns == y.until_ns);
		}
		gaspdb_presence_next_slice(&p);
	}
	gaspdb_presence_close(&p);
	free(all);
}

static void test_presence(void **state)
{
	struct gaspdb_run run = { .n_threads = THREADS };

	(void)state;
	for (size_t n = 1; n < 200; n = n * 2 + 1)
		for (int bits = 0; bits < 60; bits += 6) {
			stay(&run, n, bits, true);
			stay(&run, n, bits, false);
		}
	assert_int_equal(run.status, GASPDB_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_presence),
	};

	return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
