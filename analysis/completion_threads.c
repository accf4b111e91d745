/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nearly all processes have one thread; a few can be merged by looking at them
 * all.
 */
#include "analysis/completion_threads.h"

#include <stdlib.h>
#include <string.h>

/* The columns of event_arg and p2p that are looked at. */
enum { ARG_ARGUMENT = 2, ARG_VALUE = 3, ARG_COLUMNS = 4 };
enum {
	P2P_THREAD = 1,
	P2P_POST = 3,
	P2P_COMPLETE = 4,
	P2P_BYTES = 8,
	P2P_REQUEST = 14,
	P2P_STATE = 16,
	P2P_COLUMNS = 18
};

void gaspdb_walk_open(struct gaspdb_walk *w, struct gaspdb_run *run,
		      const struct gaspdb_completion_rules *rules,
		      struct gaspdb_open_transfers *open)
{
	sqlite3_stmt *stmt;

	*w = (struct gaspdb_walk){ .run = run, .rules = rules, .open = open };
	gaspdb_table_open(&w->events, run, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_open(&w->arguments, run, "event_arg", ARG_COLUMNS);
	gaspdb_table_open(&w->p2p, run, "p2p", P2P_COLUMNS);
	w->gaps = gaspdb_prepare(run, "SELECT thread_id, start_ns, end_ns, "
				      "kind = 'tool' FROM gap "
				      "ORDER BY 1, 2, 3");
	w->has_gap = gaspdb_row(run, w->gaps);
	stmt = gaspdb_prepare(run, "SELECT coalesce(max(id), 0) FROM p2p");
	if (gaspdb_row(run, stmt))
		w->max_p2p = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
}

void gaspdb_walk_close(struct gaspdb_walk *w)
{
	for (size_t i = 0; i < w->n_made; i++) {
		gaspdb_computing_fini(&w->threads[i].computing);
		free(w->threads[i].alarms);
	}
	free(w->threads);
	free(w->silent);
	free(w->unrecorded);
	sqlite3_finalize(w->gaps);
	gaspdb_table_close(&w->events);
	gaspdb_table_close(&w->arguments);
	gaspdb_table_close(&w->p2p);
}

/* --- gaps ----------------------------------------------------------------- */

static void add_interval(struct gaspdb_walk *w, struct gaspdb_interval **to,
			 size_t *n, size_t *room)
{
	if (gaspdb_grow(w->run, to, *n, room, sizeof(**to)))
		(*to)[(*n)++] = (struct gaspdb_interval){
			sqlite3_column_int64(w->gaps, 1),
			sqlite3_column_int64(w->gaps, 2)
		};
}

/* Those of the thread: pointers are set when the process's are all there. */
static void read_gaps(struct gaspdb_walk *w, struct gaspdb_walk_thread *t)
{
	t->computing.n_gaps = w->n_silent;
	t->n_gaps = w->n_unrecorded;
	t->last_gap_ns = INT64_MIN;
	while (w->has_gap && sqlite3_column_int64(w->gaps, 0) <= t->id) {
		if (sqlite3_column_int64(w->gaps, 0) == t->id) {
			add_interval(w, &w->silent, &w->n_silent,
				     &w->silent_room);
			if (!sqlite3_column_int(w->gaps, 3)) {
				const int64_t end_ns =
					sqlite3_column_int64(w->gaps, 2);

				add_interval(w, &w->unrecorded,
					     &w->n_unrecorded,
					     &w->unrecorded_room);
				if (end_ns > t->last_gap_ns)
					t->last_gap_ns = end_ns;
			}
		}
		w->has_gap = gaspdb_row(w->run, w->gaps);
	}
	t->computing.n_gaps = w->n_silent - t->computing.n_gaps;
	t->n_gaps = w->n_unrecorded - t->n_gaps;
}

/* --- a process ------------------------------------------------------------ */

/* The row of p2p from that id on; ids of rows that never came are left out. */
static int64_t find_row(struct gaspdb_walk *w, int64_t id, int64_t *row)
{
	while (id <= w->max_p2p &&
	       !gaspdb_table_get(&w->p2p, id, P2P_COLUMNS, row) &&
	       w->run->status == GASPDB_OK)
		id++;
	return id;
}

/* The first row of p2p of the thread or a later one: they are in order. */
static int64_t first_p2p(struct gaspdb_walk *w, int64_t thread)
{
	int64_t low = 1, high = w->max_p2p + 1, row[P2P_COLUMNS];

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		const int64_t at = find_row(w, middle, row);

		if (at <= w->max_p2p && row[P2P_THREAD] < thread)
			low = at + 1;
		else
			high = middle;
	}
	return low;
}

static struct gaspdb_walk_thread *make_thread(struct gaspdb_walk *w)
{
	struct gaspdb_walk_thread *t;

	if (w->n_threads < w->n_made)
		return &w->threads[w->n_threads++];
	if (!gaspdb_grow(w->run, &w->threads, w->n_made, &w->threads_room,
			 sizeof(*w->threads)))
		return NULL;
	w->n_made++;
	t = &w->threads[w->n_threads++];
	memset(t, 0, sizeof(*t));
	return t;
}

static void read_event(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
		       int64_t id)
{
	t->has_event = id <= t->last_event &&
		       gaspdb_table_get(&w->events, id, GASPDB_EVENT_COLUMNS,
					t->event);
}

static void begin_thread(struct gaspdb_walk *w, int64_t id)
{
	const struct gaspdb_run_thread *of = gaspdb_run_thread(w->run, id);
	struct gaspdb_walk_thread *t;

	if (!of || of->first_ns == GASPDB_NONE)
		return;
	t = make_thread(w);
	if (!t)
		return;
	t->id = id;
	t->last_event = of->last_event;
	t->last_ns = of->last_ns;
	t->n_alarms = 0;
	read_gaps(w, t);
	t->has_event = false;
	if (of->first_event == GASPDB_NONE)
		return; /* it may have gaps */
	t->p2p = first_p2p(w, id);
	read_event(w, t, of->first_event);
}

void gaspdb_walk_process(struct gaspdb_walk *w, int64_t first, int64_t last)
{
	size_t silent = 0, unrecorded = 0;

	w->n_threads = w->n_silent = w->n_unrecorded = 0;
	for (int64_t id = first; id <= last; id++)
		begin_thread(w, id);
	for (size_t i = 0; i < w->n_threads; i++) {
		struct gaspdb_walk_thread *t = &w->threads[i];
		const struct gaspdb_run_thread *of =
			gaspdb_run_thread(w->run, t->id);
		const size_t n = t->computing.n_gaps;

		gaspdb_computing_begin(&t->computing, of->first_ns,
				       n ? w->silent + silent : NULL, n);
		t->gaps = t->n_gaps ? w->unrecorded + unrecorded : NULL;
		silent += n;
		unrecorded += t->n_gaps;
	}
}

struct gaspdb_walk_thread *gaspdb_walk_thread(struct gaspdb_walk *w, int64_t id)
{
	for (size_t i = 0; i < w->n_threads; i++)
		if (w->threads[i].id == id)
			return &w->threads[i];
	return NULL;
}

/* --- in order of time ----------------------------------------------------- */

struct gaspdb_walk_thread *
gaspdb_walk_next(struct gaspdb_walk *w, const struct gaspdb_interval **gap)
{
	struct gaspdb_walk_thread *next = NULL;
	int64_t ns = INT64_MAX;

	*gap = NULL;
	for (size_t i = 0; i < w->n_threads; i++) {
		struct gaspdb_walk_thread *t = &w->threads[i];

		if (t->has_event &&
		    (!next || t->event[GASPDB_EVENT_START] < ns ||
		     (*gap && t->event[GASPDB_EVENT_START] == ns))) {
			next = t;
			ns = t->event[GASPDB_EVENT_START];
			*gap = NULL;
		}
		if (t->n_gaps && (!next || t->gaps->start_ns < ns)) {
			next = t;
			ns = t->gaps->start_ns;
			*gap = t->gaps;
		}
	}
	if (*gap) {
		next->gaps++;
		next->n_gaps--;
	} else if (next) {
		gaspdb_walk_computed(w, next, ns);
	}
	return w->run->status == GASPDB_OK ? next : NULL;
}

void gaspdb_walk_pass(struct gaspdb_walk *w, struct gaspdb_walk_thread *t)
{
	read_event(w, t, t->event[GASPDB_EVENT_ID] + 1);
}

/* --- computation ---------------------------------------------------------- */

static void ring(struct gaspdb_walk *w, struct gaspdb_walk_thread *t)
{
	const struct gaspdb_alarm a = t->alarms[--t->n_alarms];
	struct gaspdb_transfer *x = &w->open->transfer[a.transfer];
	const int64_t computed_ns = gaspdb_computing_to(&t->computing, a.ns);

	if (x->serial != a.serial)
		return; /* it is over */
	if (!a.data_end)
		x->computed_ns = computed_ns;
	else if (a.ns == x->data_end_ns)
		x->data_computed_ns = computed_ns;
}

int64_t gaspdb_walk_computed(struct gaspdb_walk *w,
			     struct gaspdb_walk_thread *t, int64_t ns)
{
	/* A thread that is over computes no more. */
	if (ns > t->last_ns)
		ns = t->last_ns;
	while (t->n_alarms && t->alarms[t->n_alarms - 1].ns <= ns)
		ring(w, t);
	return gaspdb_computing_to(&t->computing, ns);
}

void gaspdb_walk_alarm(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
		       const struct gaspdb_alarm *alarm)
{
	size_t i = t->n_alarms;

	if (!gaspdb_grow(w->run, &t->alarms, t->n_alarms, &t->alarms_room,
			 sizeof(*t->alarms)))
		return;
	for (; i > 0 && t->alarms[i - 1].ns < alarm->ns; i--)
		t->alarms[i] = t->alarms[i - 1];
	t->alarms[i] = *alarm;
	t->n_alarms++;
}

/* --- what belongs to an event --------------------------------------------- */

void gaspdb_walk_arguments(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			   const struct gaspdb_completion_rule *rule,
			   int64_t *values)
{
	int64_t row[ARG_COLUMNS], at = t->event[GASPDB_EVENT_ID] * 64;

	for (int i = 0; i < GASPDB_N_TRANSFER_ARGUMENTS; i++)
		values[i] = GASPDB_NONE;
	if (!rule->looked_at)
		return;
	for (const int64_t end = at + 64;
	     at < end && gaspdb_table_get(&w->arguments, at, ARG_COLUMNS, row);
	     at++) {
		const int64_t id = row[ARG_ARGUMENT];

		if (id >= 0 && id < w->rules->n_arguments &&
		    w->rules->argument[id] != GASPDB_ARG_OTHER)
			values[w->rules->argument[id]] = row[ARG_VALUE];
	}
}

bool gaspdb_walk_posted(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			struct gaspdb_posted_request *posted)
{
	const int64_t event = t->event[GASPDB_EVENT_ID];
	int64_t row[P2P_COLUMNS];

	for (; (t->p2p = find_row(w, t->p2p, row)) <= w->max_p2p; t->p2p++) {
		if (row[P2P_THREAD] != t->id || row[P2P_POST] > event)
			return false;
		if (row[P2P_POST] < event || row[P2P_REQUEST] == GASPDB_NONE)
			continue;
		*posted = (struct gaspdb_posted_request){
			.request = row[P2P_REQUEST],
			.event = event,
			.complete_event = row[P2P_COMPLETE],
			.bytes = row[P2P_BYTES] > 0 ? row[P2P_BYTES] : 0,
			.transfers = row[P2P_STATE] != gaspdb_word("null") &&
				     row[P2P_STATE] != gaspdb_word("cancelled")
		};
		t->p2p++;
		return true;
	}
	return false;
}
