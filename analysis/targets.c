/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses of all threads pass by in the order of their targets and times, with
 * what the target did then.  What a line takes while its targets are inside the
 * runtime is only known when all have passed: those that met one outside wait
 * in a file till then.
 */
#include "analysis/targets.h"

#include <stdlib.h>

#include "analysis/deliveries.h"
#include "analysis/durations.h"
#include "analysis/hand_made.h"
#include "analysis/presence.h"
#include "analysis/scan.h"
#include "analysis/spool.h"
#include "sum.h"

/* Accesses of a line, inside and outside, that make a median. */
enum { MIN_ACCESSES = 30 };

/* A row of `accesses`. */
enum { TARGET, START, EVENT, SOURCE, THREAD, DURATION, N_COLUMNS, N_KEYS = 3 };

/* One whose target was outside. */
struct outside {
	int64_t source, thread, target, start_ns, end_ns, next_ns;
};

/* Values of starved_total. */
enum { STARVED, STARVED_TIME, STARVED_LONGEST, N_STARVED };
/* Of delivery_total. */
enum { WAITS, SLOW, SLOW_TIME, SLOW_LONGEST, N_DELIVERED };

struct targets {
	struct gaspdb_run run;
	struct gaspdb_sorter accesses;
	struct gaspdb_sorter *delivered;
	struct gaspdb_hand_made hand;
	struct gaspdb_durations durations; /* by line, outside or not; last:
					      of puts */
	struct gaspdb_line {
		int64_t n[2];		 /* inside, outside */
	} * lines;			 /* by source */
	struct gaspdb_groups line_times; /* source, thread: ns */
	struct gaspdb_spool *outside;
	int64_t n_outside;
	int64_t thread, process;
};

static uint32_t group_of(int64_t source, bool outside)
{
	return (uint32_t)source * 2 + outside;
}

static uint32_t put_group(const struct targets *t)
{
	return (uint32_t)t->run.n_sources * 2;
}

/* --- all accesses --------------------------------------------------------- */

static bool is_blocking(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_get || type == GASPDB_TYPE_put ||
	       type == GASPDB_TYPE_atomic || type == GASPDB_TYPE_atomic_fetch;
}

static void add_access(struct targets *t, const struct gaspdb_event *e,
		       enum gaspdb_type type)
{
	const int64_t target = gaspdb_run_process(&t->run, e->peer);
	const struct gaspdb_access a = { .event = e->id,
					 .source = e->source,
					 .thread = e->thread,
					 .peer = target,
					 .bytes = e->bytes != GASPDB_NONE
							  ? e->bytes
							  : 0,
					 .duration_ns = e->duration_ns };
	int64_t *line_ns;

	if (target == GASPDB_NONE || target == t->process || e->open)
		return;
	gaspdb_sorter_add(&t->accesses,
			  (int64_t[]){ target, e->start_ns, e->id, e->source,
				       e->thread, e->duration_ns });
	line_ns = gaspdb_group(&t->run, &t->line_times,
			       (int64_t[]){ e->source, e->thread });
	if (line_ns)
		gaspdb_add_to(line_ns, e->duration_ns);
	if (type == GASPDB_TYPE_put)
		gaspdb_durations_add(&t->run, &t->durations, put_group(t),
				     e->duration_ns, 1);
	if (type == GASPDB_TYPE_put || type == GASPDB_TYPE_get)
		gaspdb_hand_made_add(&t->hand, &a, e->start_ns);
}

static void take_event(void *user, const struct gaspdb_event *e)
{
	struct targets *t = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(&t->run, e->source);

	if (e->thread != t->thread) {
		gaspdb_hand_made_separate(&t->hand);
		t->thread = e->thread;
		t->process = gaspdb_run_process(&t->run, e->thread);
	}
	if (!source)
		return;
	if (gaspdb_source_separates(source))
		gaspdb_hand_made_separate(&t->hand);
	else if (is_blocking(source->type))
		add_access(t, e, source->type);
}

/* --- what their targets did ----------------------------------------------- */

static void take_access(struct targets *t, struct gaspdb_presence *presence,
			const int64_t *row)
{
	int64_t next_ns;
	const enum gaspdb_presence_state state =
		gaspdb_presence_at(presence, row[START], &next_ns);
	const bool outside = state == GASPDB_PRESENCE_OUTSIDE;
	struct outside o;

	if (state == GASPDB_PRESENCE_UNKNOWN)
		return;
	t->lines[row[SOURCE]].n[outside]++;
	gaspdb_durations_add(&t->run, &t->durations,
			     group_of(row[SOURCE], outside), row[DURATION], 1);
	if (!outside)
		return;
	o = (struct outside){ .source = row[SOURCE],
			      .thread = row[THREAD],
			      .target = row[TARGET],
			      .start_ns = row[START],
			      .end_ns = gaspdb_plus(row[START], row[DURATION]),
			      .next_ns = next_ns };
	if (!t->outside)
		t->outside = gaspdb_spool_open(&t->run);
	if (t->outside)
		gaspdb_spool_write(&t->run, t->outside, &o, sizeof o);
	t->n_outside++;
}

static void walk_targets(struct targets *t)
{
	struct gaspdb_presence presence;
	int64_t target = GASPDB_NONE;
	const int64_t *row;

	gaspdb_presence_open(&presence, &t->run);
	while (t->lines && (row = gaspdb_sorter_next(&t->accesses))) {
		if (row[TARGET] != target) {
			target = row[TARGET];
			gaspdb_presence_of(&presence, target);
		}
		take_access(t, &presence, row);
	}
	gaspdb_presence_close(&presence);
}

/* --- who starved ---------------------------------------------------------- */

/* The line's median with targets inside; NONE: others do not take twice it. */
static int64_t median_inside(const struct targets *t, int64_t source)
{
	int64_t inside_ns, outside_ns;

	if (t->lines[source].n[0] < MIN_ACCESSES ||
	    t->lines[source].n[1] < MIN_ACCESSES)
		return GASPDB_NONE;
	inside_ns = gaspdb_durations_of(&t->durations, group_of(source, false))
			    .median_ns;
	outside_ns = gaspdb_durations_of(&t->durations, group_of(source, true))
			     .median_ns;
	return outside_ns >= gaspdb_plus(inside_ns, inside_ns) ? inside_ns
							       : GASPDB_NONE;
}

static void add_starved(struct targets *t, struct gaspdb_groups *starved,
			const struct outside *o)
{
	const int64_t median_ns = median_inside(t, o->source);
	const int64_t ns =
		(o->next_ns < o->end_ns ? o->next_ns : o->end_ns) - o->start_ns;
	int64_t *v;

	if (median_ns == GASPDB_NONE ||
	    o->end_ns - o->next_ns >= gaspdb_plus(median_ns, median_ns) ||
	    ns <= 0)
		return;
	v = gaspdb_group(&t->run, starved,
			 (int64_t[]){ o->source, o->thread, o->target });
	if (!v)
		return;
	v[STARVED]++;
	gaspdb_add_to(&v[STARVED_TIME], ns);
	if (ns > v[STARVED_LONGEST])
		v[STARVED_LONGEST] = ns;
}

static void write_starved(struct targets *t)
{
	struct gaspdb_groups starved;
	sqlite3_stmt *insert = gaspdb_prepare(
		&t->run, "INSERT INTO starved_total(source_id, thread_id, "
			 "peer, accesses, time_ns, longest_ns, line_ns) "
			 "VALUES(?, ?, ?, ?, ?, ?, ?)");
	struct outside o;

	gaspdb_groups_init(&starved, 3, N_STARVED);
	if (t->outside)
		gaspdb_spool_rewind(&t->run, t->outside);
	for (int64_t i = 0; i < t->n_outside; i++) {
		if (!gaspdb_spool_read(&t->run, t->outside, &o, sizeof o))
			break;
		add_starved(t, &starved, &o);
	}
	gaspdb_groups_sort(&starved);
	for (size_t i = 0; i < starved.n; i++) {
		const int64_t *row = gaspdb_groups_row(&starved, i);
		const int64_t *line_ns =
			gaspdb_group(&t->run, &t->line_times, row);

		gaspdb_write(&t->run, insert, 7,
			     (int64_t[]){ row[0], row[1], row[2], row[3],
					  row[4], row[5],
					  line_ns ? *line_ns : 0 },
			     NULL);
	}
	sqlite3_finalize(insert);
	gaspdb_groups_fini(&starved);
}

static void write_lines(struct targets *t)
{
	sqlite3_stmt *insert = gaspdb_prepare(
		&t->run, "INSERT INTO target_line(source_id, inside, "
			 "inside_median_ns, outside, outside_median_ns) "
			 "VALUES(?, ?, ?, ?, ?)");

	for (int64_t i = 0; i < t->run.n_sources; i++) {
		int64_t row[] = { i, 0, GASPDB_NONE, 0, GASPDB_NONE };

		for (int k = 0; k < 2; k++) {
			row[1 + 2 * k] = t->lines[i].n[k];
			if (t->lines[i].n[k])
				row[2 + 2 * k] =
					gaspdb_durations_of(&t->durations,
							    group_of(i, k))
						.median_ns;
		}
		if (row[1] || row[3])
			gaspdb_write(&t->run, insert, 5, row, NULL);
	}
	sqlite3_finalize(insert);
}

/* --- signals -------------------------------------------------------------- */

static void add_delivery(struct targets *t, struct gaspdb_groups *sums,
			 const int64_t *call, int64_t ns, int64_t median_ns)
{
	int64_t *v = gaspdb_group(&t->run, sums,
				  (int64_t[]){ call[GASPDB_EVENT_SOURCE],
					       call[GASPDB_EVENT_THREAD] });

	if (!v)
		return;
	v[WAITS]++;
	if (median_ns <= 0 || ns / 3 < median_ns || ns <= 3 * median_ns)
		return;
	v[SLOW]++;
	gaspdb_add_to(&v[SLOW_TIME], ns);
	if (ns > v[SLOW_LONGEST])
		v[SLOW_LONGEST] = ns;
}

static void write_deliveries(struct targets *t)
{
	const int64_t median_ns =
		gaspdb_durations_of(&t->durations, put_group(t)).median_ns;
	struct gaspdb_groups sums;
	struct gaspdb_table events;
	const int64_t *row;

	gaspdb_groups_init(&sums, 2, N_DELIVERED);
	gaspdb_table_open(&events, &t->run, "event", GASPDB_EVENT_COLUMNS);
	while (t->delivered && (row = gaspdb_sorter_next(t->delivered))) {
		int64_t call[GASPDB_EVENT_COLUMNS];

		if (gaspdb_table_get(&events, row[GASPDB_DELIVERY_EVENT],
				     GASPDB_EVENT_SOURCE + 1, call))
			add_delivery(t, &sums, call, row[GASPDB_DELIVERY_NS],
				     median_ns);
	}
	gaspdb_table_close(&events);
	gaspdb_groups_write(&t->run, &sums,
			    "INSERT INTO delivery_total(source_id, thread_id, "
			    "waits, slow, slow_ns, longest_ns) "
			    "VALUES(?, ?, ?, ?, ?, ?)");
	gaspdb_groups_fini(&sums);
	if (t->delivered)
		gaspdb_sorter_empty(t->delivered);
}

/* --- the pass ------------------------------------------------------------- */

static void analyse(struct targets *t)
{
	t->lines = gaspdb_zeroed(&t->run, (size_t)t->run.n_sources + 1,
				 sizeof *t->lines);
	t->delivered = gaspdb_deliveries(&t->run);
	gaspdb_sorter_init(&t->accesses, &t->run, N_COLUMNS, N_KEYS);
	gaspdb_durations_init(&t->durations);
	gaspdb_groups_init(&t->line_times, 2, 1);
	gaspdb_hand_made_open(&t->hand, &t->run);
	gaspdb_scan_events(&t->run, take_event, t);
	walk_targets(t);
	gaspdb_durations_sort(&t->run, &t->durations);
	if (t->lines) {
		write_lines(t);
		write_starved(t);
	}
	write_deliveries(t);
	gaspdb_hand_made_close(&t->hand, &t->line_times);
	gaspdb_sorter_fini(&t->accesses);
	gaspdb_durations_fini(&t->durations);
	gaspdb_groups_fini(&t->line_times);
	gaspdb_spool_close(t->outside);
	free(t->lines);
}

enum gaspdb_status gaspdb_pass_targets(sqlite3 *db, struct gaspdb_error *err)
{
	static const enum gaspdb_type types[] = { GASPDB_TYPE_get,
						  GASPDB_TYPE_put,
						  GASPDB_TYPE_atomic,
						  GASPDB_TYPE_atomic_fetch };
	struct targets t = { .thread = GASPDB_NONE };

	gaspdb_run_open(&t.run, db, err);
	if (gaspdb_run_has(&t.run, types, sizeof types / sizeof *types))
		analyse(&t);
	return gaspdb_run_close(&t.run);
}
