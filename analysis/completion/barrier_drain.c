/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sorts: durations by line give the medians, and calls by instance, those
 * with puts first, give the instances with pending puts on any member.
 */
#include "analysis/completion/barrier_drain.h"

enum { DURATION_SOURCE, DURATION_NS, DURATION_COLUMNS };
enum { INSTANCE, NO_PUTS, SOURCE, THREAD, OPERATION, FLAGS, CALL_COLUMNS };
enum { OPERATES = 1, COMPLETES = 2, BACK_TO_BACK = 4 };

/* Values of `medians`. */
enum { COUNT, MEDIAN };

/* An operation is long if it takes more than this many medians. */
enum { LONG_FACTOR = 3 };

void gaspdb_barrier_drain_open(struct gaspdb_barrier_drain *d,
			       struct gaspdb_run *run)
{
	d->run = run;
	gaspdb_sorter_init(&d->durations, run, DURATION_COLUMNS,
			   DURATION_COLUMNS);
	gaspdb_sorter_init(&d->calls, run, CALL_COLUMNS, NO_PUTS + 1);
	gaspdb_groups_init(&d->medians, 1, 2);
}

void gaspdb_barrier_drain_close(struct gaspdb_barrier_drain *d)
{
	gaspdb_sorter_fini(&d->durations);
	gaspdb_sorter_fini(&d->calls);
	gaspdb_groups_fini(&d->medians);
}

void gaspdb_barrier_drain_add(struct gaspdb_barrier_drain *d,
			      const struct gaspdb_drain_call *c)
{
	int64_t *values;

	gaspdb_sorter_add(
		&d->calls,
		(int64_t[]){ c->instance, !c->pending, c->source, c->thread,
			     c->operation_ns,
			     (c->operates ? OPERATES : 0) |
				     (c->completes ? COMPLETES : 0) |
				     (c->back_to_back ? BACK_TO_BACK : 0) });
	if (!c->operates)
		return;
	values = gaspdb_group(d->run, &d->medians, &c->source);
	if (values)
		values[COUNT]++;
	gaspdb_sorter_add(&d->durations,
			  (int64_t[]){ c->source, c->operation_ns });
}

static void find_medians(struct gaspdb_barrier_drain *d)
{
	int64_t source = GASPDB_NONE, n = 0;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&d->durations))) {
		int64_t *values =
			gaspdb_groups_find(&d->medians, &row[DURATION_SOURCE]);

		if (row[DURATION_SOURCE] != source)
			n = 0;
		source = row[DURATION_SOURCE];
		if (values && ++n == (values[COUNT] + 1) / 2)
			values[MEDIAN] = row[DURATION_NS];
	}
}

static bool is_long(const struct gaspdb_barrier_drain *d, const int64_t *row)
{
	const int64_t *values = gaspdb_groups_find(&d->medians, &row[SOURCE]);

	return values && row[FLAGS] & OPERATES &&
	       row[OPERATION] / LONG_FACTOR >= values[MEDIAN] &&
	       row[OPERATION] - LONG_FACTOR * values[MEDIAN] > 0;
}

void gaspdb_barrier_drain_find(struct gaspdb_barrier_drain *d,
			       gaspdb_drain_fn fn, void *user)
{
	int64_t instance = GASPDB_NONE; /* the last one with puts */
	const int64_t *row;

	find_medians(d);
	while ((row = gaspdb_sorter_next(&d->calls))) {
		if (!row[NO_PUTS])
			instance = row[INSTANCE];
		if (row[INSTANCE] == instance && is_long(d, row))
			fn(user,
			   &(struct gaspdb_drain_call){
				   .instance = instance,
				   .source = row[SOURCE],
				   .thread = row[THREAD],
				   .operation_ns = row[OPERATION],
				   .operates = true,
				   .pending = !row[NO_PUTS],
				   .completes = row[FLAGS] & COMPLETES,
				   .back_to_back = row[FLAGS] & BACK_TO_BACK });
	}
}
