/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What comes together here by the call it is about, in the order of events:
 * what it waited, or that nobody can tell; what it completed; and that it is
 * part of a barrier.
 * The waits are in that order already, as the pass before has written them.
 * Of completions only those are sorted whose completing call has waited, or may
 * have, or is a barrier's: in most runs few.
 */
#include "analysis/completion/costs.h"

#include <stdlib.h>

#include "analysis/completion/barrier_drain.h"
#include "analysis/completion/barriers.h"
#include "analysis/completion/rows.h"
#include "analysis/engine/scan.h"
#include "analysis/waits/unknown_waits.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/completion.h"

/* A row of `completed`. */
enum { BY, BEGUN, SHARE, N_COMPLETED };

/* Values of completion_waited. */
enum { WAITED, UNTOLD, N_WAITED };

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

/* Bits for calls by the lower part of their number: a million bytes, and exact
   for eight million calls in a row.  Of more some are looked at in vain. */
enum { FILTER_BITS = 1 << 23 };

/* One that completes something, or is a barrier's. */
struct call {
	int64_t source, thread, duration_ns;
	bool untold; /* how much of that is waiting */
};

/* Rows of table wait that are read at a time. */
enum { WAITS_AHEAD = 64 };

struct costs {
	struct gaspdb_run *run;
	uint8_t *filter; /* calls that have waited, or may have, or are a
			    barrier's */
	bool has_puts;	 /* that a barrier may complete */
	struct gaspdb_sorter completed;
	const int64_t *at; /* its next row */
	struct gaspdb_barriers barriers;
	struct gaspdb_barrier_call barrier; /* the next; event NONE: no more */
	struct gaspdb_barrier_drain drain;
	struct gaspdb_unknown_waits untold;
	struct gaspdb_table events;
	struct gaspdb_table waits;
	struct gaspdb_cursor next_wait;
	struct gaspdb_groups lines;  /* thread, source: share; of one call */
	bool any_puts;		     /* among them */
	struct gaspdb_groups waited; /* thread, source, completing source */
	struct gaspdb_groups totals; /* source, thread: as above */
	uint32_t recent_waited, recent_total;
	struct gaspdb_part *parts;
	size_t parts_room;
};

/* --- what is completed ---------------------------------------------------- */

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
	while ((event = gaspdb_unknown_waits_next(&c->untold)) != GASPDB_NONE)
		mark(c, event);
	gaspdb_unknown_waits_rewind(&c->untold);
}

static bool take_completion(void *user, const int64_t *v)
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

static void gather(struct costs *c)
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
	gaspdb_table_scan(&completion, take_completion, c);
	gaspdb_table_close(&completion);
	free(c->filter);
}

static bool is_put(const struct costs *c, int64_t source)
{
	const struct gaspdb_run_source *s = gaspdb_run_source(c->run, source);

	return s &&
	       (s->type == GASPDB_TYPE_put || s->type == GASPDB_TYPE_put_nb);
}

/* The lines whose operations a call completed, that which began first first,
   and their shares of it. */
static void read_lines(struct costs *c, int64_t by)
{
	gaspdb_groups_clear(&c->lines);
	c->any_puts = false;
	for (; c->at && c->at[BY] == by;
	     c->at = gaspdb_sorter_next(&c->completed)) {
		int64_t row[GASPDB_EVENT_COLUMNS], *share;

		if (!gaspdb_table_get(&c->events, c->at[BEGUN],
				      GASPDB_EVENT_SOURCE + 1, row))
			continue;
		share = gaspdb_group(c->run, &c->lines,
				     (int64_t[]){ row[GASPDB_EVENT_THREAD],
						  row[GASPDB_EVENT_SOURCE] });
		if (share)
			gaspdb_add_to(share, c->at[SHARE]);
		c->any_puts |= is_put(c, row[GASPDB_EVENT_SOURCE]);
	}
}

/* *untold: it may be more. */
static int64_t waited_in(struct costs *c, int64_t event, bool *untold)
{
	int64_t sum = 0;
	const int64_t *w;

	while ((w = gaspdb_cursor_peek(&c->next_wait)) &&
	       w[GASPDB_WAIT_EVENT] <= event) {
		if (w[GASPDB_WAIT_EVENT] == event) {
			gaspdb_add_to(&sum, w[GASPDB_WAIT_END] -
						    w[GASPDB_WAIT_START]);
			*untold |= w[GASPDB_WAIT_BOUND] != 0;
		}
		gaspdb_cursor_next(&c->next_wait);
	}
	return sum;
}

/* What a call completed for a line took so much, of which it waited part_ns. */
static void add_waiting(struct costs *c, const struct call *call,
			const int64_t *line, int64_t part_ns)
{
	const int64_t untold_ns = call->untold ? line[2] - part_ns : 0;
	int64_t *sums;

	if (!part_ns && !untold_ns)
		return;
	sums = gaspdb_group_cached(
		c->run, &c->waited,
		(int64_t[]){ line[0], line[1], call->source },
		&c->recent_waited);
	if (!sums)
		return;
	gaspdb_add_to(&sums[WAITED], part_ns);
	gaspdb_add_to(&sums[UNTOLD], untold_ns);
}

/*
 * The call's waiting is shared out as its time was: the lines' shares of it may
 * be less than all, if its end was not seen.  Returns what is no waiting of the
 * shares of other threads' operations.
 */
static int64_t share_waiting(struct costs *c, const struct call *call,
			     int64_t waited_ns)
{
	const int64_t duration_ns = call->duration_ns;
	int64_t shares_ns = 0, others_ns = 0;

	if (!c->lines.n)
		return 0; /* as of most barriers */
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

/* own_ns: of the call's time what is neither waiting nor others' operations. */
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
	if (!c->lines.n) /* else that is its cost */
		gaspdb_add_to(&v[BACK_TO_BACK_TIME], own_ns);
}

/* Its operation was drain: that of other members' puts, or of what the call
   itself completed and is charged with. */
static void take_drain(void *user, const struct gaspdb_drain_call *call)
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

/* --- all together --------------------------------------------------------- */

static int64_t next_event(const struct costs *c)
{
	const int64_t completed = c->at ? c->at[BY] : INT64_MAX;
	const int64_t barrier =
		c->barrier.event != GASPDB_NONE ? c->barrier.event : INT64_MAX;

	return completed < barrier ? completed : barrier;
}

/* Of a barrier that completes nothing all is known that is asked for.  Others
   mostly lie near to what they complete, so that their page is at hand. */
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

static void take_event(struct costs *c, int64_t event)
{
	const bool is_barrier = event == c->barrier.event;
	bool untold = gaspdb_unknown_waits_contain(&c->untold, event);
	int64_t waited_ns = waited_in(c, event, &untold), own_ns;
	struct call call;

	read_lines(c, event);
	if (find_call(c, event, &call)) {
		call.untold = untold;
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

static void walk(struct costs *c)
{
	int64_t event;

	c->at = gaspdb_sorter_next(&c->completed);
	next_barrier(c);
	while ((event = next_event(c)) != INT64_MAX &&
	       c->run->status == GASPDB_OK)
		take_event(c, event);
	gaspdb_barrier_drain_find(&c->drain, take_drain, c);
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
	gaspdb_unknown_waits_open(&c.untold, run);
	gaspdb_sorter_init(&c.completed, run, N_COMPLETED, 2);
	gaspdb_groups_init(&c.lines, 2, 1);
	gaspdb_groups_init(&c.waited, 3, N_WAITED);
	gaspdb_groups_init(&c.totals, 2, N_VALUES);
	gaspdb_table_open(&c.events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_table_open(&c.waits, &run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_cursor_open(&c.next_wait, &c.waits, WAITS_AHEAD);
	gather(&c);
	walk(&c);
	gaspdb_barriers_empty(&c.barriers);
	gaspdb_barriers_close(&c.barriers);
	gaspdb_barrier_drain_close(&c.drain);
	gaspdb_unknown_waits_empty(&c.untold);
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
