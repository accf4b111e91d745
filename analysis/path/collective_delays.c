/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delays of collectives. Threads are read one after another, so each instance
 * gets the times of its members one by one. They are sorted by instance, and
 * then each instance is computed alone.
 *
 * The excess of a line is the last thread's time there less the mean of the
 * other threads' times. The last thread's own waiting counts in full. Each wait
 * of the instance is distributed over these in proportion, up to their sum.
 */
#include "analysis/path/collective_delays.h"

#include <stdlib.h>

#include "analysis/engine/team_sets.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/path.h"

/*
 * A row of shares. NS: time of the last thread; negative: of another thread.
 * OTHERS: 1 in the first row of each other thread. A row with activity LAST
 * names the last thread, TO, and its line, FROM.
 */
enum { CAUSE, ACTIVITY, FROM, TO, NS, OTHERS, SHARE_COLUMNS };
enum { LAST = GASPDB_NOT_RECORDED + 1 };

/* Values of a team: index + 1 of its set in `times`; the last arrival, an
   instance and a thread. */
enum { SET, INSTANCE, THREAD, N_TEAM_VALUES };

/* A row of waits. */
enum { WAIT_CAUSE, WAIT_KIND, WAIT_NS, WAIT_COLUMNS };

void gaspdb_collective_delays_open(struct gaspdb_collective_delays *d,
				   struct gaspdb_run *run)
{
	*d = (struct gaspdb_collective_delays){ .run = run,
						.thread = GASPDB_NONE };
	gaspdb_arrivals_open(&d->arrivals, run);
	gaspdb_groups_init(&d->teams, 1, N_TEAM_VALUES);
	gaspdb_team_times_init(&d->times, run);
	gaspdb_sorter_init(&d->waits, run, WAIT_COLUMNS, 1);
	gaspdb_sorter_init(&d->shares, run, SHARE_COLUMNS, TO + 1);
}

void gaspdb_collective_delays_wait(struct gaspdb_collective_delays *d,
				   const struct gaspdb_collective_wait *w)
{
	gaspdb_sorter_add(&d->waits,
			  (int64_t[]){ w->cause_event, w->kind, w->ns });
	d->any = true;
}

/* --- teams ---------------------------------------------------------------- */

/* The index of a team's set; NONE: no set with waits. */
static int64_t set_of(const struct gaspdb_collective_delays *d, int64_t team)
{
	const int64_t *values = gaspdb_groups_find(&d->teams, &team);

	return values ? values[SET] - 1 : GASPDB_NONE;
}

/* Choose the sets with waits and the set of all threads: by number of the set,
   its index in `times` + 1; 0: not chosen. For free(). */
static int64_t *choose_sets(struct gaspdb_collective_delays *d,
			    const struct gaspdb_team_sets *sets)
{
	int64_t *numbers =
		gaspdb_zeroed(d->run, (size_t)sets->n, sizeof *numbers);
	sqlite3_stmt *stmt = gaspdb_prepare(d->run, gaspdb_sql_waiting_teams);
	int64_t n = 0;

	d->whole = sets->whole;
	if (numbers && d->whole != GASPDB_NONE)
		numbers[d->whole] = ++n;
	while (numbers && gaspdb_row(d->run, stmt)) {
		const int64_t set =
			gaspdb_team_set(sets, sqlite3_column_int64(stmt, 0));

		if (set != GASPDB_NONE && !numbers[set])
			numbers[set] = ++n;
	}
	sqlite3_finalize(stmt);
	d->whole = numbers && d->whole != GASPDB_NONE ? 0 : GASPDB_NONE;
	for (int64_t i = 0; i < n; i++)
		gaspdb_team_times_add_team(&d->times);
	return numbers;
}

static void load_teams(struct gaspdb_collective_delays *d)
{
	struct gaspdb_team_sets sets;
	int64_t *numbers;

	gaspdb_team_sets_load(&sets, d->run);
	numbers = choose_sets(d, &sets);
	for (size_t i = 0; numbers && i < sets.teams.n; i++) {
		const int64_t *team = gaspdb_groups_row(&sets.teams, i);
		int64_t *values;

		if (!numbers[team[1]])
			continue;
		values = gaspdb_group(d->run, &d->teams, team);
		if (!values)
			break;
		values[SET] = numbers[team[1]];
		values[INSTANCE] = values[THREAD] = GASPDB_NONE;
	}
	free(numbers);
	gaspdb_team_sets_free(&sets);
}

/* Read the next arrival in a team with waits. */
static void read_arrival(struct gaspdb_collective_delays *d)
{
	do {
		if (!gaspdb_arrivals_next(&d->arrivals, &d->next)) {
			d->next.event = GASPDB_NONE;
			return;
		}
		d->team = gaspdb_groups_find(&d->teams, &d->next.team);
	} while (!d->team);
}

/* Read the next cut of a team with waits. */
static void read_cut(struct gaspdb_collective_delays *d)
{
	do {
		if (!gaspdb_arrivals_next_cut(&d->arrivals, &d->cut))
			d->cut.thread = INT64_MAX;
	} while (d->cut.thread != INT64_MAX &&
		 set_of(d, d->cut.team) == GASPDB_NONE);
}

void gaspdb_collective_delays_begin(struct gaspdb_collective_delays *d,
				    struct gaspdb_recent_time *recent)
{
	d->recent = recent;
	if (!d->any)
		return;
	load_teams(d);
	read_arrival(d);
	read_cut(d);
}

/* --- times ---------------------------------------------------------------- */

static void start_thread(struct gaspdb_collective_delays *d, int64_t thread)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(d->run, thread);

	d->thread = thread;
	d->first_event = t ? t->first_event : GASPDB_NONE;
	d->last_event = t ? t->last_event : GASPDB_NONE;
	gaspdb_team_times_start_thread(&d->times);
}

static void cut(struct gaspdb_collective_delays *d, size_t set)
{
	gaspdb_recent_time_emit(d->recent);
	gaspdb_team_times_cut(&d->times, set,
			      d->whole == GASPDB_NONE ? SIZE_MAX
						      : (size_t)d->whole);
}

int64_t gaspdb_collective_delays_at(struct gaspdb_collective_delays *d,
				    int64_t thread, int64_t at_ns)
{
	if (!d->any)
		return INT64_MAX;
	if (thread != d->thread)
		start_thread(d, thread);
	for (; d->cut.thread < thread ||
	       (d->cut.thread == thread && d->cut.at_ns <= at_ns);
	     read_cut(d))
		if (d->cut.thread == thread)
			cut(d, (size_t)set_of(d, d->cut.team));
	return d->cut.thread == thread ? d->cut.at_ns : INT64_MAX;
}

/* Add a row of shares. line: activity, from, to; other: see OTHERS. */
static void add_share(struct gaspdb_collective_delays *d, int64_t cause,
		      const int64_t *line, int64_t ns, bool other)
{
	gaspdb_sorter_add(&d->shares, (int64_t[]){ cause, line[0], line[1],
						   line[2], ns, other });
}

static const int64_t no_line[] = { GASPDB_NOT_RECORDED, GASPDB_NONE,
				   GASPDB_NONE };

/* Add the thread's activity since the last synchronization to the shares of an
   instance. source: line of the arrival. */
static void add_shares(struct gaspdb_collective_delays *d, size_t set,
		       int64_t cause, int64_t source)
{
	const size_t since =
		d->whole == GASPDB_NONE
			? set
			: gaspdb_team_times_later(&d->times, set,
						  (size_t)d->whole);
	const size_t n = gaspdb_team_times_lines(&d->times, since);
	const bool last = cause >= d->first_event && cause <= d->last_event;
	bool counted = last;

	if (last)
		add_share(d, cause, (int64_t[]){ LAST, source, d->thread }, 0,
			  false);
	for (size_t i = 0; i < n; i++) {
		int64_t ns;
		const int64_t *line =
			gaspdb_team_times_line(&d->times, since, i, &ns);

		if (ns <= 0 || (line[0] == GASPDB_WAITING && !last))
			continue;
		add_share(d, cause, line, last ? ns : -ns, !counted);
		counted = true;
	}
	if (!counted)
		add_share(d, cause, no_line, 0, true);
}

/* Is the time of arrival known? It is not for the second half of a split phase
   whose first half is missing. */
static bool arrival_known(const struct gaspdb_collective_delays *d,
			  const struct gaspdb_activity_piece *p)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(d->run, p->from);

	return !source || source->type != GASPDB_TYPE_barrier_wait;
}

/* Is it the thread's first call of an instance? A second half of a split phase
   is not. */
static bool is_first_call(struct gaspdb_collective_delays *d, int64_t instance)
{
	int64_t *team = d->team;
	const bool first =
		team[INSTANCE] != instance || team[THREAD] != d->thread;

	team[INSTANCE] = instance;
	team[THREAD] = d->thread;
	return first;
}

/* Add the arrival at the instances that a call belongs to. */
static void arrive(struct gaspdb_collective_delays *d,
		   const struct gaspdb_activity_piece *p)
{
	const struct gaspdb_arrival_call *a = &d->next;

	for (; a->event != GASPDB_NONE && a->event <= p->event;
	     read_arrival(d)) {
		const size_t set = (size_t)(d->team[SET] - 1);

		if (a->event != p->event)
			continue;
		gaspdb_recent_time_emit(d->recent);
		if (is_first_call(d, a->instance)) {
			if (a->cause != GASPDB_NONE && arrival_known(d, p))
				add_shares(d, set, a->cause, p->from);
			if (a->synchronizes)
				gaspdb_team_times_clear(&d->times, set);
		}
		if (a->synchronizes)
			gaspdb_team_times_exclude_call(&d->times, set,
						       a->event);
	}
}

void gaspdb_collective_delays_add_time(
	struct gaspdb_collective_delays *d,
	const struct gaspdb_recent_time_line *line)
{
	const int64_t ns = gaspdb_plus(line->ns[GASPDB_BESIDE_PATH],
				       line->ns[GASPDB_ON_PATH]);

	if (line->kind != GASPDB_NOT_RECORDED && ns > 0)
		gaspdb_team_times_add(&d->times, line->kind, line->from,
				      line->to, ns);
}

void gaspdb_collective_delays_add(struct gaspdb_collective_delays *d,
				  const struct gaspdb_activity_piece *p)
{
	if (!d->any || p->event == GASPDB_NONE)
		return;
	arrive(d, p);
	if (p->end_ns > p->start_ns)
		gaspdb_team_times_add_call(&d->times, p->event, p->kind,
					   p->from, p->to,
					   p->end_ns - p->start_ns);
}

/* --- shares --------------------------------------------------------------- */

/* The time of an instance's threads at a line. */
struct line {
	int64_t kind, from, to;
	int64_t own_ns, others_ns; /* the last thread's, the others' */
};

/* An instance: the sums of its rows of shares. */
struct instance {
	struct gaspdb_run *run;
	int64_t cause;
	int64_t thread, source; /* of the last thread; NONE: times unknown */
	int64_t others;		/* number of other threads with known times */
	struct line *lines;
	size_t n, room;
};

static double excess(const struct instance *in, const struct line *line)
{
	const double own_ns = (double)line->own_ns;
	double mean = 0;

	if (line->kind != GASPDB_WAITING && !in->others)
		return 0; /* nothing to compare with */
	if (line->kind != GASPDB_WAITING)
		mean = (double)line->others_ns / (double)in->others;
	return own_ns > mean ? own_ns - mean : 0;
}

/* The line of a row, of rows in order; NULL: a failure. */
static struct line *line_of(struct instance *in, const int64_t *row)
{
	struct line *line = in->n ? &in->lines[in->n - 1] : NULL;

	if (line && line->kind == row[ACTIVITY] && line->from == row[FROM] &&
	    line->to == row[TO])
		return line;
	if (!gaspdb_grow(in->run, &in->lines, in->n, &in->room,
			 sizeof *in->lines))
		return NULL;
	line = &in->lines[in->n++];
	*line = (struct line){ row[ACTIVITY], row[FROM], row[TO], 0, 0 };
	return line;
}

static void add_row(struct instance *in, const int64_t *row)
{
	struct line *line;

	in->others += row[OTHERS];
	if (row[ACTIVITY] == LAST) {
		in->thread = row[TO];
		in->source = row[FROM];
		return;
	}
	line = line_of(in, row);
	if (line && row[NS] > 0)
		gaspdb_add_to(&line->own_ns, row[NS]);
	else if (line)
		gaspdb_add_to(&line->others_ns, -row[NS]);
}

/* The sum over the instance's waits of the fraction of the total excess that
   each uses up. *wait: the first wait of the instance; advanced to the next
   instance's. */
static double factor_of(struct gaspdb_collective_delays *d,
			const struct instance *in, double total,
			const int64_t **wait)
{
	double factor = 0;

	for (; *wait && (*wait)[WAIT_CAUSE] == in->cause;
	     *wait = gaspdb_sorter_next(&d->waits)) {
		const double ns = (double)(*wait)[WAIT_NS];

		if (total > 0)
			factor += ns < total ? ns / total : 1;
	}
	return factor;
}

/* Distribute the waits of an instance. It may have none: longer waits of the
   same calls replaced them. */
static void finish_instance(struct gaspdb_collective_delays *d,
			    const struct instance *in, const int64_t **wait,
			    gaspdb_delay_share_fn fn, void *user)
{
	struct gaspdb_delay_share share;
	double total = 0, factor;

	while (*wait && (*wait)[WAIT_CAUSE] < in->cause)
		*wait = gaspdb_sorter_next(&d->waits);
	if (!*wait || (*wait)[WAIT_CAUSE] != in->cause ||
	    in->thread == GASPDB_NONE)
		return;
	share = (struct gaspdb_delay_share){ .kind = (*wait)[WAIT_KIND],
					     .thread = in->thread,
					     .source = in->source };
	for (size_t i = 0; i < in->n; i++)
		total += excess(in, &in->lines[i]);
	factor = factor_of(d, in, total, wait);
	for (size_t i = 0; i < in->n; i++) {
		const struct line *line = &in->lines[i];

		share.activity = (enum gaspdb_activity_kind)line->kind;
		share.from = line->from;
		share.to = line->to;
		share.ns = factor * excess(in, line);
		if (share.ns > 0)
			fn(user, &share);
	}
}

void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *d,
				     gaspdb_delay_share_fn fn, void *user)
{
	struct instance in = { .run = d->run, .cause = GASPDB_NONE };
	const int64_t *wait, *row;

	if (!d->any)
		return;
	wait = gaspdb_sorter_next(&d->waits);
	while ((row = gaspdb_sorter_next(&d->shares))) {
		if (row[CAUSE] != in.cause) {
			finish_instance(d, &in, &wait, fn, user);
			in.cause = row[CAUSE];
			in.thread = in.source = GASPDB_NONE;
			in.n = 0;
			in.others = 0;
		}
		add_row(&in, row);
	}
	finish_instance(d, &in, &wait, fn, user);
	free(in.lines);
}

void gaspdb_collective_delays_close(struct gaspdb_collective_delays *d)
{
	gaspdb_team_times_fini(&d->times);
	gaspdb_groups_fini(&d->teams);
	gaspdb_sorter_fini(&d->waits);
	gaspdb_sorter_fini(&d->shares);
	gaspdb_arrivals_empty(&d->arrivals);
}
