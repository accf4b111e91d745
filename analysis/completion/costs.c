/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge, by call in the order of events, of waits, unknown waits, completions
 * and barrier calls. Table wait is in this order. Completions are sorted, but
 * only those whose completing call waited, may have waited, or is a barrier; in
 * most runs these are few.
 */
#include "analysis/completion/costs.h"

#include <stdlib.h>

#include "analysis/completion/barrier_drain.h"
#include "analysis/collectives/barriers.h"
#include "analysis/completion/rows.h"
#include "analysis/engine/scan.h"
#include "analysis/waits/unknown_waits.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/completion.h"

/* A row of `completed`. */
enum { BY, BEGUN, SHARE, N_COMPLETED };

/* Values of completion_waited. */
enum { WAITED, UNKNOWN, N_WAITED };

/* Values of barrier_total. */
enum {
	BARRIERS,
	OPERATION,
	COMPLETION,
	INTERVALS,
	INTERVAL,
	BACK_TO_BACK,
	BACK_TO_BACK_TIME,
	DRAIN,
	OWN_DRAIN,
	SPLIT,
	SLACK,
	N_VALUES
};

/* Size of the filter: a bit for each call, by its id modulo this number. False
   positives cost time only. */
enum { FILTER_BITS = 1 << 23 };

/* A call that completes transfers, or is part of a barrier. */
struct call {
	int64_t source, thread, duration_ns;
	bool unknown; /* the part of that which is waiting is unknown */
};

/* Rows of table wait to read ahead. */
enum { WAITS_AHEAD = 64 };

struct costs {
	struct gaspdb_run *run;
	uint8_t *filter; /* calls that waited, may have waited, or are part of a
			    barrier */
	bool has_puts;	 /* the run has puts */
	struct gaspdb_sorter completed;
	const int64_t *next_completed;
	struct gaspdb_barriers barriers;
	struct gaspdb_barrier_call barrier; /* the next; event NONE: none */
	struct gaspdb_barrier_drain drain;
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_table events;
	struct gaspdb_table waits;
	struct gaspdb_cursor next_wait;
	/* Lines whose transfers the current call completes; thread, source: its
	   share. */
	struct gaspdb_groups lines;
	bool any_puts;		     /* among them */
	struct gaspdb_groups waited; /* thread, source, completing source */
	struct gaspdb_groups totals; /* source, thread: barrier_total */
	uint32_t recent_waited, recent_total;
	struct gaspdb_part *parts;
	size_t parts_room;
};

/* --- completions ---------------------------------------------------------- */

static void mark(struct costs *c, int64_t event)
{
	const uint64_t bit = (uint64_t)event % FILTER_BITS;

	c->filter[bit / 8] |= (uint8_t)(1 << bit % 8);
}

static bool is_marked(const struct costs *c, int64_t event)
{
	const uint64_t bit = (uint64_t)event % FILTER_BITS;

	return c->filter[bit / 8] >> bit % 8 & 1;
}

static bool mark_wait(void *user, const int64_t *w)
{
	mark(user, w[GASPDB_WAIT_EVENT]);
	return true;
}

static void mark_calls(struct costs *c)
{
	struct gaspdb_barrier_call barrier;
	struct gaspdb_table waits;
	int64_t event;

	gaspdb_table_open(&waits, &c->run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&waits, mark_wait, c);
	gaspdb_table_close(&waits);
	while (gaspdb_barriers_next(&c->barriers, &barrier))
		mark(c, barrier.event);
	gaspdb_barriers_rewind(&c->barriers);
	while ((event = gaspdb_unknown_waits_next(&c->unknown_waits)) !=
	       GASPDB_NONE)
		mark(c, event);
	gaspdb_unknown_waits_rewind(&c->unknown_waits);
}

static bool add_completion(void *user, const int64_t *v)
{
	struct costs *c = user;
	const int64_t by = v[GASPDB_COMPLETION_COMPLETE_EVENT];

	if (by == GASPDB_NONE || v[GASPDB_COMPLETION_SHARE] <= 0 ||
	    !is_marked(c, by))
		return true;
	gaspdb_sorter_add(&c->completed,
			  (int64_t[]){ by, v[GASPDB_COMPLETION_EVENT],
				       v[GASPDB_COMPLETION_SHARE] });
	return c->run->status == GASPDB_OK;
}

static bool any_completed(struct costs *c)
{
	sqlite3_stmt *stmt = gaspdb_prepare(c->run, gaspdb_sql_any_completion);
	const bool any = gaspdb_row(c->run, stmt);

	sqlite3_finalize(stmt);
	return any;
}

static void collect(struct costs *c)
{
	struct gaspdb_table completion;

	if (!any_completed(c))
		return;
	c->filter = gaspdb_zeroed(c->run, FILTER_BITS / 8, 1);
	if (!c->filter)
		return;
	mark_calls(c);
	gaspdb_table_open(&completion, &c->run->tables, "completion",
			  GASPDB_COMPLETION_COLUMNS);
	gaspdb_table_scan(&completion, add_completion, c);
	gaspdb_table_close(&completion);
	free(c->filter);
}

static bool is_put(const struct costs *c, int64_t source)
{
	const struct gaspdb_run_source *s = gaspdb_run_source(c->run, source);

	return s &&
	       (s->type == GASPDB_TYPE_put || s->type == GASPDB_TYPE_put_nb);
}

/* Read the lines whose transfers a call completes, in the order of their begin,
   and their shares of its time. */
static void read_lines(struct costs *c, int64_t by)
{
	gaspdb_groups_clear(&c->lines);
	c->any_puts = false;
	for (; c->next_completed && c->next_completed[BY] == by;
	     c->next_completed = gaspdb_sorter_next(&c->completed)) {
		int64_t row[GASPDB_EVENT_COLUMNS], *share;

		if (!gaspdb_table_get(&c->events, c->next_completed[BEGUN],
				      GASPDB_EVENT_SOURCE + 1, row))
			continue;
		share = gaspdb_group(c->run, &c->lines,
				     (int64_t[]){ row[GASPDB_EVENT_THREAD],
						  row[GASPDB_EVENT_SOURCE] });
		if (share)
			gaspdb_add_to(share, c->next_completed[SHARE]);
		c->any_puts |= is_put(c, row[GASPDB_EVENT_SOURCE]);
	}
}

/* The waits in a call, ns. *unknown: set if they are lower bounds. */
static int64_t waited_in(struct costs *c, int64_t event, bool *unknown)
{
	int64_t sum = 0;
	const int64_t *w;

	while ((w = gaspdb_cursor_peek(&c->next_wait)) &&
	       w[GASPDB_WAIT_EVENT] <= event) {
		if (w[GASPDB_WAIT_EVENT] == event) {
			gaspdb_add_to(&sum, w[GASPDB_WAIT_END] -
						    w[GASPDB_WAIT_START]);
			*unknown |= w[GASPDB_WAIT_BOUND] != 0;
		}
		gaspdb_cursor_next(&c->next_wait);
	}
	return sum;
}

/* Add the waiting of a line's share of a call, part_ns. */
static void add_waiting(struct costs *c, const struct call *call,
			const int64_t *line, int64_t part_ns)
{
	const int64_t unknown_ns = call->unknown ? line[2] - part_ns : 0;
	int64_t *sums;

	if (!part_ns && !unknown_ns)
		return;
	sums = gaspdb_group_cached(
		c->run, &c->waited,
		(int64_t[]){ line[0], line[1], call->source },
		&c->recent_waited);
	if (!sums)
		return;
	gaspdb_add_to(&sums[WAITED], part_ns);
	gaspdb_add_to(&sums[UNKNOWN], unknown_ns);
}

/*
 * Divide a call's waiting between lines in proportion to their shares of its
 * time. The shares may sum to less than that, if the call has no recorded end.
 * Returns the time of other threads' shares that is no waiting.
 */
static int64_t share_waiting(struct costs *c, const struct call *call,
			     int64_t waited_ns)
{
	const int64_t duration_ns = call->duration_ns;
	int64_t shares_ns = 0, others_ns = 0;

	if (!c->lines.n)
		return 0; /* most barriers */
	for (size_t i = 0; i < c->lines.n; i++) {
		if (!gaspdb_grow(c->run, &c->parts, i, &c->parts_room,
				 sizeof *c->parts))
			return 0;
		c->parts[i].weight = gaspdb_groups_row(&c->lines, i)[2];
		gaspdb_add_to(&shares_ns, c->parts[i].weight);
	}
	if (duration_ns > 0 && shares_ns < duration_ns)
		waited_ns =
			(int64_t)((gaspdb_wide)(uint64_t)waited_ns *
				  (uint64_t)shares_ns / (uint64_t)duration_ns);
	gaspdb_share_out(waited_ns, c->parts, c->lines.n);
	for (size_t i = 0; i < c->lines.n; i++) {
		const int64_t *line = gaspdb_groups_row(&c->lines, i);

		if (line[0] != call->thread)
			others_ns += line[2] - c->parts[i].part;
		add_waiting(c, call, line, c->parts[i].part);
	}
	return others_ns;
}

/* --- barriers ------------------------------------------------------------- */

static void next_barrier(struct costs *c)
{
	if (!gaspdb_barriers_next(&c->barriers, &c->barrier))
		c->barrier.event = GASPDB_NONE;
}

/* Add the current barrier call. own_ns: its time without waiting, and without
   completing other threads' transfers. */
static void add_barrier(struct costs *c, int64_t own_ns)
{
	const struct gaspdb_barrier_call *b = &c->barrier;
	const int64_t operation_ns =
		b->operation_ns < own_ns ? b->operation_ns : own_ns;
	int64_t *v = gaspdb_group_cached(c->run, &c->totals,
					 (int64_t[]){ b->source, b->thread },
					 &c->recent_total);

	if (!v)
		return;
	if (b->slack_ns != GASPDB_NONE) {
		v[SPLIT]++;
		gaspdb_add_to(&v[SLACK], b->slack_ns);
	}
	if (b->slack_only)
		return;
	v[BARRIERS] += b->arrives;
	gaspdb_add_to(&v[OPERATION], operation_ns);
	gaspdb_add_to(&v[COMPLETION], own_ns - operation_ns);
	if (c->has_puts)
		gaspdb_barrier_drain_add(
			&c->drain, &(struct gaspdb_drain_call){
					   .instance = b->instance,
					   .source = b->source,
					   .thread = b->thread,
					   .operation_ns = operation_ns,
					   .operates = b->operates,
					   .pending = c->any_puts,
					   .completes = c->lines.n > 0,
					   .back_to_back = b->back_to_back });
	if (b->interval_ns != GASPDB_NONE) {
		v[INTERVALS]++;
		gaspdb_add_to(&v[INTERVAL], b->interval_ns);
	}
	if (!b->back_to_back)
		return;
	v[BACK_TO_BACK] += b->arrives;
	if (!c->lines.n) /* otherwise it completes transfers */
		gaspdb_add_to(&v[BACK_TO_BACK_TIME], own_ns);
}

/* Move a call's operation to drain: it completed puts of other members, or its
   own transfers. */
static void move_to_drain(void *user, const struct gaspdb_drain_call *call)
{
	struct costs *c = user;
	int64_t *v = gaspdb_group(c->run, &c->totals,
				  (int64_t[]){ call->source, call->thread });

	if (!v)
		return;
	v[OPERATION] -= call->operation_ns;
	gaspdb_add_to(&v[DRAIN], call->operation_ns);
	if (call->completes)
		gaspdb_add_to(&v[OWN_DRAIN], call->operation_ns);
	else if (call->back_to_back)
		v[BACK_TO_BACK_TIME] -= call->operation_ns;
}

/* --- the pass ------------------------------------------------------------- */

static int64_t next_event(const struct costs *c)
{
	const int64_t completed =
		c->next_completed ? c->next_completed[BY] : INT64_MAX;
	const int64_t barrier =
		c->barrier.event != GASPDB_NONE ? c->barrier.event : INT64_MAX;

	return completed < barrier ? completed : barrier;
}

/* Find a call. A barrier without transfers is complete in its row; other calls
   are near the transfers they complete, so their page is cached. */
static bool find_call(struct costs *c, int64_t event, struct call *call)
{
	const struct gaspdb_barrier_call *b = &c->barrier;
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (event == b->event && !c->lines.n) {
		*call = (struct call){ b->source, b->thread, b->duration_ns,
				       false };
		return true;
	}
	if (!gaspdb_table_get(&c->events, event, GASPDB_EVENT_DURATION + 1,
			      row))
		return false;
	*call = (struct call){ row[GASPDB_EVENT_SOURCE],
			       row[GASPDB_EVENT_THREAD],
			       row[GASPDB_EVENT_DURATION], false };
	return true;
}

static void process_event(struct costs *c, int64_t event)
{
	const bool is_barrier = event == c->barrier.event;
	bool unknown = gaspdb_unknown_waits_contain(&c->unknown_waits, event);
	int64_t waited_ns = waited_in(c, event, &unknown), own_ns;
	struct call call;

	read_lines(c, event);
	if (find_call(c, event, &call)) {
		call.unknown = unknown;
		own_ns = call.duration_ns;
		if (waited_ns > own_ns)
			waited_ns = own_ns;
		own_ns -= waited_ns + share_waiting(c, &call, waited_ns);
		if (is_barrier)
			add_barrier(c, own_ns > 0 ? own_ns : 0);
	}
	if (is_barrier)
		next_barrier(c);
}

static void process_calls(struct costs *c)
{
	int64_t event;

	c->next_completed = gaspdb_sorter_next(&c->completed);
	next_barrier(c);
	while ((event = next_event(c)) != INT64_MAX &&
	       c->run->status == GASPDB_OK)
		process_event(c, event);
	gaspdb_barrier_drain_find(&c->drain, move_to_drain, c);
	gaspdb_groups_write(c->run, &c->waited,
			    GASPDB_INSERT_INTO_completion_waited);
	gaspdb_groups_write(c->run, &c->totals,
			    GASPDB_INSERT_INTO_barrier_total);
}

enum gaspdb_status gaspdb_pass_costs(struct gaspdb_run *run)
{
	static const enum gaspdb_type puts[] = { GASPDB_TYPE_put,
						 GASPDB_TYPE_put_nb };
	struct costs c = { .run = run };

	c.has_puts = gaspdb_run_has(run, puts, 2);
	gaspdb_barriers_open(&c.barriers, run);
	gaspdb_barrier_drain_open(&c.drain, run);
	gaspdb_unknown_waits_open(&c.unknown_waits, run);
	gaspdb_sorter_init(&c.completed, run, N_COMPLETED, 2);
	gaspdb_groups_init(&c.lines, 2, 1);
	gaspdb_groups_init(&c.waited, 3, N_WAITED);
	gaspdb_groups_init(&c.totals, 2, N_VALUES);
	gaspdb_table_open(&c.events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_table_open(&c.waits, &run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_cursor_open(&c.next_wait, &c.waits, WAITS_AHEAD);
	collect(&c);
	process_calls(&c);
	gaspdb_barriers_empty(&c.barriers);
	gaspdb_barriers_close(&c.barriers);
	gaspdb_barrier_drain_close(&c.drain);
	gaspdb_unknown_waits_empty(&c.unknown_waits);
	gaspdb_sorter_fini(&c.completed);
	gaspdb_groups_fini(&c.lines);
	gaspdb_groups_fini(&c.waited);
	gaspdb_groups_fini(&c.totals);
	gaspdb_table_close(&c.events);
	gaspdb_cursor_close(&c.next_wait);
	gaspdb_table_close(&c.waits);
	free(c.parts);
	return run->status;
}
