/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads pass by one after the other, so each instance gets its members'
 * times one by one: those of the last to arrive, and the others'.  They are
 * sorted by instance, and then each instance is done with alone.
 *
 * Of an instance with n others, a line's excess is what the last spent there,
 * less the others' mean; all its own waiting counts in full.  Each waiter's
 * time is given to the excesses and that waiting as far as these reach.
 */
#include "analysis/path/collective_delays.h"

#include <stdlib.h>

#include "analysis/engine/team_sets.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/path.h"

/*
 * A row of shares.  NS: the last thread's own, or, below 0, another's.  OTHERS:
 * with it the times of one more other are known.  Doing LAST: the last thread's
 * are, and that is thread TO, at line FROM.
 */
enum { CAUSE, DOING, FROM, TO, NS, OTHERS, SHARE_COLUMNS };
enum { LAST = GASPDB_NOT_RECORDED + 1 };

/* Values of a team: the number of its set + 1; the last instance that a thread
   arrived at, and that thread. */
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

/* The number of a team's set; NONE: it does not matter. */
static int64_t set_of(const struct gaspdb_collective_delays *d, int64_t team)
{
	const int64_t *values = gaspdb_groups_find(&d->teams, &team);

	return values ? values[SET] - 1 : GASPDB_NONE;
}

/* Sets that have waits, by number: their numbers here + 1; and the whole. */
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
		gaspdb_team_times_team(&d->times);
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

/* The next arrival that matters. */
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

/* The next cut that matters. */
static void read_cut(struct gaspdb_collective_delays *d)
{
	do {
		if (!gaspdb_arrivals_next_cut(&d->arrivals, &d->cut))
			d->cut.thread = INT64_MAX;
	} while (d->cut.thread != INT64_MAX &&
		 set_of(d, d->cut.team) == GASPDB_NONE);
}

void gaspdb_collective_delays_begin(struct gaspdb_collective_delays *d,
				    struct gaspdb_recent_time *spent)
{
	d->spent = spent;
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
	gaspdb_team_times_start(&d->times);
}

static void cut(struct gaspdb_collective_delays *d, size_t set)
{
	gaspdb_recent_time_emit(d->spent);
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

/* line: doing, from, to; other: it is the first of one more other. */
static void add_share(struct gaspdb_collective_delays *d, int64_t cause,
		      const int64_t *line, int64_t ns, bool other)
{
	gaspdb_sorter_add(&d->shares, (int64_t[]){ cause, line[0], line[1],
						   line[2], ns, other });
}

static const int64_t nothing[] = { GASPDB_NOT_RECORDED, GASPDB_NONE,
				   GASPDB_NONE };

/* Hand what the thread did since the last synchronization to an instance, at
   which it arrives from that line. */
static void deliver(struct gaspdb_collective_delays *d, size_t set,
		    int64_t cause, int64_t source)
{
	const size_t since =
		d->whole == GASPDB_NONE
			? set
			: gaspdb_team_times_later(&d->times, set,
						  (size_t)d->whole);
	const size_t n = gaspdb_team_times_lines(&d->times, since);
	const bool last = cause >= d->first_event && cause <= d->last_event;
	bool told = last;

	if (last)
		add_share(d, cause, (int64_t[]){ LAST, source, d->thread }, 0,
			  false);
	for (size_t i = 0; i < n; i++) {
		int64_t ns;
		const int64_t *line =
			gaspdb_team_times_line(&d->times, since, i, &ns);

		if (ns <= 0 || (line[0] == GASPDB_WAITING && !last))
			continue;
		add_share(d, cause, line, last ? ns : -ns, !told);
		told = true;
	}
	if (!told)
		add_share(d, cause, nothing, 0, true);
}

/* When it arrived is known: not of a second half whose first is missing. */
static bool arrival_known(const struct gaspdb_collective_delays *d,
			  const struct gaspdb_piece *p)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(d->run, p->from);

	return !source || source->type != GASPDB_TYPE_barrier_wait;
}

/* The second half of a split phase arrives nowhere. */
static bool arrives_at(struct gaspdb_collective_delays *d, int64_t instance)
{
	int64_t *team = d->team;
	const bool again =
		team[INSTANCE] == instance && team[THREAD] == d->thread;

	team[INSTANCE] = instance;
	team[THREAD] = d->thread;
	return !again;
}

/* The thread arrives at the instances that this call belongs to. */
static void arrive(struct gaspdb_collective_delays *d,
		   const struct gaspdb_piece *p)
{
	const struct gaspdb_arrival_call *a = &d->next;

	for (; a->event != GASPDB_NONE && a->event <= p->event;
	     read_arrival(d)) {
		const size_t set = (size_t)(d->team[SET] - 1);

		if (a->event != p->event)
			continue;
		gaspdb_recent_time_emit(d->spent);
		if (arrives_at(d, a->instance)) {
			if (a->cause != GASPDB_NONE && arrival_known(d, p))
				deliver(d, set, a->cause, p->from);
			if (a->synchronizes)
				gaspdb_team_times_clear(&d->times, set);
		}
		if (a->synchronizes)
			gaspdb_team_times_leave_out(&d->times, set, a->event);
	}
}

void gaspdb_collective_delays_spent(struct gaspdb_collective_delays *d,
				    const struct gaspdb_recent_time_line *line)
{
	const int64_t ns = gaspdb_plus(line->ns[GASPDB_BESIDE_PATH],
				       line->ns[GASPDB_ON_PATH]);

	if (line->doing != GASPDB_NOT_RECORDED && ns > 0)
		gaspdb_team_times_spend(&d->times, line->doing, line->from,
					line->to, ns);
}

void gaspdb_collective_delays_add(struct gaspdb_collective_delays *d,
				  const struct gaspdb_piece *p)
{
	if (!d->any || p->event == GASPDB_NONE)
		return;
	arrive(d, p);
	if (p->end_ns > p->start_ns)
		gaspdb_team_times_call(&d->times, p->event, p->doing, p->from,
				       p->to, p->end_ns - p->start_ns);
}

/* --- shares --------------------------------------------------------------- */

/* What an instance's threads did at a line. */
struct line {
	int64_t doing, from, to;
	int64_t own_ns, others_ns; /* the last thread's, the others' */
};

/* The rows of shares of one instance, equal ones added up, and its waits. */
struct instance {
	struct gaspdb_run *run;
	int64_t cause;
	int64_t thread, source; /* of the last; NONE: its times are not known */
	int64_t others;		/* whose times are known */
	struct line *lines;
	size_t n, room;
};

static double excess(const struct instance *in, const struct line *line)
{
	const double own_ns = (double)line->own_ns;
	double mean = 0;

	if (line->doing != GASPDB_WAITING && !in->others)
		return 0; /* longer than whom? */
	if (line->doing != GASPDB_WAITING)
		mean = (double)line->others_ns / (double)in->others;
	return own_ns > mean ? own_ns - mean : 0;
}

/* That of a row; NULL after a failure.  They are sorted. */
static struct line *line_of(struct instance *in, const int64_t *row)
{
	struct line *line = in->n ? &in->lines[in->n - 1] : NULL;

	if (line && line->doing == row[DOING] && line->from == row[FROM] &&
	    line->to == row[TO])
		return line;
	if (!gaspdb_grow(in->run, &in->lines, in->n, &in->room,
			 sizeof *in->lines))
		return NULL;
	line = &in->lines[in->n++];
	*line = (struct line){ row[DOING], row[FROM], row[TO], 0, 0 };
	return line;
}

static void add_row(struct instance *in, const int64_t *row)
{
	struct line *line;

	in->others += row[OTHERS];
	if (row[DOING] == LAST) {
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

/* How often the waiters' time is that which can be explained.  *wait: the next
   of the sorted, one of the instance's. */
static double factor_of(struct gaspdb_collective_delays *d,
			const struct instance *in, double reach,
			const int64_t **wait)
{
	double factor = 0;

	for (; *wait && (*wait)[WAIT_CAUSE] == in->cause;
	     *wait = gaspdb_sorter_next(&d->waits)) {
		const double ns = (double)(*wait)[WAIT_NS];

		if (reach > 0)
			factor += ns < reach ? ns / reach : 1;
	}
	return factor;
}

/* An instance may have no waits left: others of their calls were longer. */
static void finish_instance(struct gaspdb_collective_delays *d,
			    const struct instance *in, const int64_t **wait,
			    gaspdb_delay_share_fn fn, void *user)
{
	struct gaspdb_delay_share share;
	double reach = 0, factor;

	while (*wait && (*wait)[WAIT_CAUSE] < in->cause)
		*wait = gaspdb_sorter_next(&d->waits);
	if (!*wait || (*wait)[WAIT_CAUSE] != in->cause ||
	    in->thread == GASPDB_NONE)
		return;
	share = (struct gaspdb_delay_share){ .kind = (*wait)[WAIT_KIND],
					     .thread = in->thread,
					     .source = in->source };
	for (size_t i = 0; i < in->n; i++)
		reach += excess(in, &in->lines[i]);
	factor = factor_of(d, in, reach, wait);
	for (size_t i = 0; i < in->n; i++) {
		const struct line *line = &in->lines[i];

		share.doing = (enum gaspdb_doing)line->doing;
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
