/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One walk over all events for collectives made by hand, and for the put that
 * deliveries of signals are measured by; another, in the order of time, for
 * accesses that starve.
 */
#include "analysis/targets.h"

#include "analysis/deliveries.h"
#include "analysis/durations.h"
#include "analysis/hand_made.h"
#include "analysis/scan.h"
#include "analysis/starvation.h"
#include "analysis/table.h"
#include "sum.h"

/* Values of delivery_total. */
enum { WAITS, SLOW, SLOW_TIME, SLOW_LONGEST, N_DELIVERED };

struct targets {
	struct gaspdb_run run;
	struct gaspdb_sorter *delivered;
	struct gaspdb_hand_made hand;
	struct gaspdb_durations puts; /* all are group 0 */
	int64_t thread, process;
};

static void take_access(struct targets *t, const struct gaspdb_event *e,
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

	if (target == GASPDB_NONE || target == t->process || e->open)
		return;
	if (type == GASPDB_TYPE_put)
		gaspdb_durations_add(&t->run, &t->puts, 0, e->duration_ns, 1);
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
	else if (source->blocking_access && (source->type == GASPDB_TYPE_get ||
					     source->type == GASPDB_TYPE_put))
		take_access(t, e, source->type);
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
	if (median_ns <= 0 || ns <= gaspdb_times(3, median_ns))
		return;
	v[SLOW]++;
	gaspdb_add_to(&v[SLOW_TIME], ns);
	if (ns > v[SLOW_LONGEST])
		v[SLOW_LONGEST] = ns;
}

static void write_deliveries(struct targets *t)
{
	struct gaspdb_groups sums;
	struct gaspdb_table events;
	const int64_t *row;
	int64_t median_ns;

	gaspdb_durations_sort(&t->run, &t->puts);
	median_ns = gaspdb_durations_of(&t->puts, 0).median_ns;
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

/* What all blocking accesses to others' memory take at the lines that were
   found: few, if any. */
static const char line_times[] =
	"CREATE TEMP TABLE gaspdb_line AS "
	"SELECT a.source_id, a.thread_id, sum(a.time_ns) AS ns "
	"FROM access_pair a JOIN thread t ON t.id = a.thread_id "
	"JOIN thread o ON o.id = a.peer "
	"WHERE a.peer <> a.thread_id "
	"AND (o.rank IS NULL OR t.rank IS NULL OR o.rank <> t.rank) "
	"AND (a.source_id, a.thread_id) IN ("
	"  SELECT source_id, thread_id FROM starved_total UNION "
	"  SELECT source_id, thread_id FROM hand_made_total) GROUP BY 1, 2;"
	"CREATE INDEX temp.gaspdb_line_key "
	"ON gaspdb_line(source_id, thread_id);"
	"UPDATE starved_total SET line_ns = coalesce((SELECT ns "
	"  FROM temp.gaspdb_line l WHERE l.source_id = starved_total.source_id "
	"  AND l.thread_id = starved_total.thread_id), 0);"
	"UPDATE hand_made_total SET line_ns = coalesce((SELECT ns "
	"  FROM temp.gaspdb_line l "
	"  WHERE l.source_id = hand_made_total.source_id "
	"  AND l.thread_id = hand_made_total.thread_id), 0);"
	"DROP TABLE temp.gaspdb_line";

static void analyse(struct targets *t)
{
	static const enum gaspdb_type wait_until = GASPDB_TYPE_wait_until;
	bool alone, any;

	t->delivered = gaspdb_deliveries(&t->run);
	gaspdb_durations_init(&t->puts);
	gaspdb_hand_made_open(&t->hand, &t->run);
	alone = t->hand.peers <= 0;
	if (t->hand.peers >= GASPDB_HAND_MADE_MIN_PEERS ||
	    gaspdb_run_has(&t->run, &wait_until, 1))
		gaspdb_scan_events(&t->run, take_event, t);
	write_deliveries(t);
	gaspdb_durations_fini(&t->puts);
	any = gaspdb_hand_made_close(&t->hand);
	any |= !alone && gaspdb_starvation_find(&t->run);
	if (any)
		gaspdb_exec(&t->run, line_times);
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
