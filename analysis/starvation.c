/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All calls pass by in the order of time, so that it is known of every process
 * till when it is inside its runtime.  Of an access to one that is outside, it
 * matters when that enters next, up to the access's own end: as a thread's next
 * call begins after that, there is hardly more than one such access a thread
 * to be remembered.
 *
 * What a line takes while its targets are inside is only known when all have
 * passed: those that met one outside wait in a file till then.
 */
#include "analysis/starvation.h"

#include <stdlib.h>

#include "analysis/durations.h"
#include "analysis/groups.h"
#include "analysis/in_order.h"
#include "analysis/spool.h"
#include "sum.h"

/* Accesses of a line, inside and outside, that make a median. */
enum { MIN_ACCESSES = 30 };

enum { NOBODY = -1 };

struct process {
	int64_t first_ns, last_ns; /* first NONE: a log is missing */
	int64_t inside_until_ns, unknown_until_ns;
	int64_t pending; /* the first access that waits for its enter */
};

/* An access whose target is outside. */
struct outside {
	int64_t source, thread, target, start_ns, end_ns;
	int64_t next_ns; /* when the target entered its runtime, at the latest;
			    not known yet: the next free one */
	int64_t before, after; /* of its target's */
};

/* Values of starved_total. */
enum { STARVED, STARVED_TIME, STARVED_LONGEST, N_STARVED };

struct starvation {
	struct gaspdb_run *run;
	struct gaspdb_in_order order;
	struct process *processes; /* by first thread */
	int64_t *pending_of;	   /* by thread */
	int32_t *process_of;	   /* by thread; NOBODY: its log is missing */
	struct outside *pending;   /* all, and free ones */
	size_t n_pending, pending_room;
	int64_t free;
	struct gaspdb_timed_call *instant; /* accesses that begin now */
	size_t n_instant, instant_room;
	int64_t now_ns;
	sqlite3_stmt *gaps;
	int64_t gap_process, gap_since_ns, gap_until_ns; /* the next */
	struct gaspdb_durations durations; /* by line, outside or not */
	struct line {
		int64_t n[2]; /* inside, outside */
	} * lines;	      /* by source */
	struct gaspdb_spool *outside;
	int64_t n_outside;
};

/* As gaspdb_run_process, from less memory: this is asked for every call of
   every thread in turn. */
static int64_t process_of(const struct starvation *s, int64_t thread)
{
	return thread >= 0 && thread < s->run->n_threads &&
			       s->process_of[thread] != NOBODY
		       ? s->process_of[thread]
		       : GASPDB_NONE;
}

static uint32_t group_of(int64_t source, bool outside)
{
	return (uint32_t)source * 2 + outside;
}

/* --- those that wait ------------------------------------------------------ */

static void count(struct starvation *s, int64_t source, bool outside,
		  int64_t ns)
{
	s->lines[source].n[outside]++;
	gaspdb_durations_add(s->run, &s->durations, group_of(source, outside),
			     ns, 1);
}

static void wait_for_target(struct starvation *s,
			    const struct gaspdb_timed_call *c, int64_t target)
{
	struct process *p = &s->processes[target];
	int64_t at = s->free;

	if (at != NOBODY) {
		s->free = s->pending[at].next_ns;
	} else {
		if (!gaspdb_grow(s->run, &s->pending, s->n_pending,
				 &s->pending_room, sizeof *s->pending))
			return;
		at = (int64_t)s->n_pending++;
	}
	s->pending[at] = (struct outside){ .source = c->source,
					   .thread = c->thread,
					   .target = target,
					   .start_ns = c->start_ns,
					   .end_ns = c->end_ns,
					   .before = NOBODY,
					   .after = p->pending };
	if (p->pending != NOBODY)
		s->pending[p->pending].before = at;
	p->pending = at;
	s->pending_of[c->thread] = at;
}

/* It is known when the target entered, or that it did after the access. */
static void settle(struct starvation *s, int64_t at, int64_t next_ns)
{
	struct outside *o = &s->pending[at];

	if (o->before != NOBODY)
		s->pending[o->before].after = o->after;
	else
		s->processes[o->target].pending = o->after;
	if (o->after != NOBODY)
		s->pending[o->after].before = o->before;
	if (s->pending_of[o->thread] == at)
		s->pending_of[o->thread] = NOBODY;
	o->next_ns = next_ns;
	count(s, o->source, true, o->end_ns - o->start_ns);
	if (!s->outside)
		s->outside = gaspdb_spool_open(s->run);
	if (s->outside)
		gaspdb_spool_write(s->run, s->outside, o, sizeof *o);
	s->n_outside++;
	o->next_ns = s->free;
	s->free = at;
}

static void settle_all(struct starvation *s, int64_t target, int64_t next_ns)
{
	while (s->processes[target].pending != NOBODY)
		settle(s, s->processes[target].pending, next_ns);
}

/* --- in the order of time ------------------------------------------------- */

static void classify(struct starvation *s, const struct gaspdb_timed_call *c)
{
	const int64_t target = process_of(s, c->peer);
	const struct process *p = &s->processes[target];

	if (p->first_ns == GASPDB_NONE || c->start_ns < p->first_ns ||
	    c->start_ns >= p->last_ns || c->start_ns < p->unknown_until_ns)
		return;
	if (c->start_ns < p->inside_until_ns)
		count(s, c->source, false, c->end_ns - c->start_ns);
	else
		wait_for_target(s, c, target);
}

/* All calls of a moment are known before the accesses that begin then. */
static void go_to(struct starvation *s, int64_t at_ns)
{
	if (at_ns == s->now_ns)
		return;
	for (size_t i = 0; i < s->n_instant; i++)
		classify(s, &s->instant[i]);
	s->n_instant = 0;
	s->now_ns = at_ns;
}

static void next_gap(struct starvation *s)
{
	s->gap_process = GASPDB_NONE;
	if (!gaspdb_row(s->run, s->gaps))
		return;
	s->gap_process =
		gaspdb_run_process(s->run, sqlite3_column_int64(s->gaps, 0));
	s->gap_since_ns = sqlite3_column_int64(s->gaps, 1);
	s->gap_until_ns = sqlite3_column_int64(s->gaps, 2);
}

/* Nobody knows whether a process entered its runtime meanwhile. */
static void take_gaps(struct starvation *s, int64_t up_to_ns)
{
	while (s->gap_process != GASPDB_NONE && s->gap_since_ns <= up_to_ns) {
		struct process *p = &s->processes[s->gap_process];

		go_to(s, s->gap_since_ns);
		settle_all(s, s->gap_process, s->gap_since_ns);
		if (s->gap_until_ns > p->unknown_until_ns)
			p->unknown_until_ns = s->gap_until_ns;
		next_gap(s);
	}
}

/* The thread's last access is over. */
static void end_access(struct starvation *s, int64_t thread, int64_t at_ns)
{
	const int64_t at = s->pending_of[thread];
	const struct outside *o;
	int64_t last_ns;

	if (at == NOBODY)
		return;
	o = &s->pending[at];
	last_ns = s->processes[o->target].last_ns;
	if (o->end_ns <= at_ns)
		settle(s, at, o->end_ns < last_ns ? o->end_ns : last_ns);
}

static bool is_access(const struct starvation *s,
		      const struct gaspdb_timed_call *c, int64_t process)
{
	const int64_t target = process_of(s, c->peer);

	return target != GASPDB_NONE && target != process && !c->open &&
	       gaspdb_run_source(s->run, c->source)->blocking_access;
}

static void take_call(struct starvation *s, const struct gaspdb_timed_call *c)
{
	const int64_t process = process_of(s, c->thread);
	struct process *p = &s->processes[process];

	take_gaps(s, c->start_ns);
	go_to(s, c->start_ns);
	end_access(s, c->thread, c->start_ns);
	settle_all(s, process, c->start_ns);
	if (c->end_ns > p->inside_until_ns)
		p->inside_until_ns = c->end_ns;
	if (is_access(s, c, process) &&
	    gaspdb_grow(s->run, &s->instant, s->n_instant, &s->instant_room,
			sizeof *s->instant))
		s->instant[s->n_instant++] = *c;
}

static void load_processes(struct starvation *s)
{
	for (int64_t i = 0; i < s->run->n_threads; i++) {
		const struct gaspdb_run_thread *t = &s->run->threads[i];
		struct process *p;

		s->pending_of[i] = NOBODY;
		s->process_of[i] = (int32_t)t->process;
		if (t->process < 0)
			continue;
		p = &s->processes[t->process];
		if (t->process == i)
			*p = (struct process){ .first_ns = INT64_MAX,
					       .last_ns = INT64_MIN,
					       .inside_until_ns = INT64_MIN,
					       .unknown_until_ns = INT64_MIN,
					       .pending = NOBODY };
		if (t->first_ns < p->first_ns)
			p->first_ns = t->first_ns; /* NONE is the least */
		if (t->last_ns != GASPDB_NONE && t->last_ns > p->last_ns)
			p->last_ns = t->last_ns;
	}
}

static void walk(struct starvation *s)
{
	const struct gaspdb_timed_call *call;

	s->gaps = gaspdb_prepare(s->run, "SELECT thread_id, start_ns, end_ns "
					 "FROM gap WHERE kind <> 'tool' "
					 "ORDER BY start_ns, thread_id");
	s->now_ns = INT64_MIN;
	s->free = NOBODY;
	load_processes(s);
	next_gap(s);
	gaspdb_in_order_open(&s->order, s->run);
	while (s->run->status == GASPDB_OK &&
	       (call = gaspdb_in_order_next(&s->order)))
		take_call(s, call);
	take_gaps(s, INT64_MAX);
	go_to(s, INT64_MAX);
	for (int64_t i = 0; i < s->run->n_threads; i++)
		if (s->run->threads[i].process == i)
			settle_all(s, i, s->processes[i].last_ns);
	gaspdb_in_order_close(&s->order);
	sqlite3_finalize(s->gaps);
}

/* --- who starved ---------------------------------------------------------- */

/* The line's median with targets inside; NONE: others do not take twice it. */
static int64_t median_inside(const struct starvation *s, int64_t source)
{
	int64_t inside_ns, outside_ns;

	if (s->lines[source].n[0] < MIN_ACCESSES ||
	    s->lines[source].n[1] < MIN_ACCESSES)
		return GASPDB_NONE;
	inside_ns = gaspdb_durations_of(&s->durations, group_of(source, false))
			    .median_ns;
	outside_ns = gaspdb_durations_of(&s->durations, group_of(source, true))
			     .median_ns;
	return outside_ns >= gaspdb_plus(inside_ns, inside_ns) ? inside_ns
							       : GASPDB_NONE;
}

static void add_starved(struct starvation *s, struct gaspdb_groups *starved,
			const struct outside *o, int64_t median_ns)
{
	const int64_t ns =
		(o->next_ns < o->end_ns ? o->next_ns : o->end_ns) - o->start_ns;
	int64_t *v;

	if (median_ns == GASPDB_NONE || ns <= 0 ||
	    o->end_ns - o->next_ns >= gaspdb_plus(median_ns, median_ns))
		return;
	v = gaspdb_group(s->run, starved,
			 (int64_t[]){ o->source, o->thread, o->target });
	if (!v)
		return;
	v[STARVED]++;
	gaspdb_add_to(&v[STARVED_TIME], ns);
	if (ns > v[STARVED_LONGEST])
		v[STARVED_LONGEST] = ns;
}

static bool write_starved(struct starvation *s)
{
	int64_t *medians = gaspdb_zeroed(s->run, (size_t)s->run->n_sources + 1,
					 sizeof *medians);
	struct gaspdb_groups starved;
	struct outside o;
	bool any;

	for (int64_t i = 0; medians && i < s->run->n_sources; i++)
		medians[i] = median_inside(s, i);
	gaspdb_groups_init(&starved, 3, N_STARVED);
	if (s->outside)
		gaspdb_spool_rewind(s->run, s->outside);
	for (int64_t i = 0; medians && i < s->n_outside; i++) {
		if (!gaspdb_spool_read(s->run, s->outside, &o, sizeof o))
			break;
		add_starved(s, &starved, &o, medians[o.source]);
	}
	any = starved.n > 0;
	gaspdb_groups_write(s->run, &starved,
			    "INSERT INTO starved_total(source_id, thread_id, "
			    "peer, accesses, time_ns, longest_ns, line_ns) "
			    "VALUES(?, ?, ?, ?, ?, ?, 0)");
	gaspdb_groups_fini(&starved);
	free(medians);
	return any;
}

static void write_lines(struct starvation *s)
{
	sqlite3_stmt *insert = gaspdb_prepare(
		s->run, "INSERT INTO target_line(source_id, inside, "
			"inside_median_ns, outside, outside_median_ns) "
			"VALUES(?, ?, ?, ?, ?)");

	for (int64_t i = 0; i < s->run->n_sources; i++) {
		int64_t row[] = { i, 0, GASPDB_NONE, 0, GASPDB_NONE };

		for (int k = 0; k < 2; k++) {
			row[1 + 2 * k] = s->lines[i].n[k];
			if (s->lines[i].n[k])
				row[2 + 2 * k] =
					gaspdb_durations_of(&s->durations,
							    group_of(i, k))
						.median_ns;
		}
		if (row[1] || row[3])
			gaspdb_write(s->run, insert, 5, row, NULL);
	}
	sqlite3_finalize(insert);
}

bool gaspdb_starvation_find(struct gaspdb_run *run)
{
	const size_t threads = (size_t)run->n_threads + 1;
	struct starvation s = { .run = run };
	bool any = false;

	gaspdb_durations_init(&s.durations);
	s.lines =
		gaspdb_zeroed(run, (size_t)run->n_sources + 1, sizeof *s.lines);
	s.processes = gaspdb_zeroed(run, threads, sizeof *s.processes);
	s.pending_of = gaspdb_zeroed(run, threads, sizeof *s.pending_of);
	s.process_of = gaspdb_zeroed(run, threads, sizeof *s.process_of);
	if (s.lines && s.processes && s.pending_of && s.process_of) {
		walk(&s);
		gaspdb_durations_sort(run, &s.durations);
		write_lines(&s);
		any = write_starved(&s);
	}
	gaspdb_durations_fini(&s.durations);
	gaspdb_spool_close(s.outside);
	free(s.lines);
	free(s.processes);
	free(s.pending_of);
	free(s.process_of);
	free(s.pending);
	free(s.instant);
	return any;
}
