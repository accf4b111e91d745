/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread's calls pass by in the order of their starts.  Those that are over
 * are dropped; then the first that is left covers the moment if any of its
 * thread does, or else is the one that comes next, though calls may overlap.
 */
#include "analysis/presence.h"

#include <stdlib.h>

#include "analysis/scan.h"

static void next_gap(struct gaspdb_presence *p)
{
	p->gap_process = GASPDB_NONE;
	if (!gaspdb_row(p->run, p->gaps))
		return;
	p->gap_process = sqlite3_column_int64(p->gaps, 0);
	p->gap_since_ns = sqlite3_column_int64(p->gaps, 1);
	p->gap_until_ns = sqlite3_column_int64(p->gaps, 2);
}

void gaspdb_presence_open(struct gaspdb_presence *p, struct gaspdb_run *run)
{
	*p = (struct gaspdb_presence){ .run = run };
	p->gaps = gaspdb_prepare(
		run, "WITH process AS (SELECT id, CASE WHEN rank IS NULL "
		     "  THEN id ELSE min(id) OVER (PARTITION BY rank) END "
		     "  AS first FROM thread) "
		     "SELECT p.first, g.start_ns, g.end_ns FROM gap g "
		     "JOIN process p ON p.id = g.thread_id "
		     "WHERE g.kind <> 'tool' ORDER BY 1, 2, 3");
	next_gap(p);
}

/* --- threads -------------------------------------------------------------- */

static void next_call(struct gaspdb_presence *p,
		      struct gaspdb_presence_thread *t)
{
	const int64_t *e;

	t->since_ns = t->until_ns = INT64_MAX;
	while ((e = gaspdb_cursor_seek(&t->events, t->id)) &&
	       e[GASPDB_EVENT_ID] <= t->last_id) {
		const struct gaspdb_run_source *source =
			gaspdb_run_source(p->run, e[GASPDB_EVENT_SOURCE]);

		t->id = e[GASPDB_EVENT_ID] + 1;
		if (e[GASPDB_EVENT_NESTED] || !source || !source->call)
			continue;
		t->since_ns = e[GASPDB_EVENT_START];
		t->until_ns = t->since_ns + e[GASPDB_EVENT_DURATION];
		return;
	}
}

static void add_thread(struct gaspdb_presence *p,
		       const struct gaspdb_run_thread *thread)
{
	struct gaspdb_presence_thread *t;

	if (thread->first_event == GASPDB_NONE ||
	    !gaspdb_grow(p->run, &p->threads, p->n, &p->room,
			 sizeof *p->threads))
		return;
	t = &p->threads[p->n];
	if (p->n++ == p->n_open) {
		gaspdb_cursor_open(&t->events, p->run, "event",
				   GASPDB_EVENT_COLUMNS);
		p->n_open++;
	}
	t->id = thread->first_event;
	t->last_id = thread->last_event;
	next_call(p, t);
}

/* A process's threads follow each other. */
void gaspdb_presence_of(struct gaspdb_presence *p, int64_t process)
{
	const struct gaspdb_run_thread *t;
	bool known = true;

	p->process = process;
	p->n = 0;
	p->first_ns = INT64_MAX;
	p->last_ns = INT64_MIN;
	p->inside_until_ns = p->outside_until_ns = INT64_MIN;
	for (int64_t i = process;
	     (t = gaspdb_run_thread(p->run, i)) && t->process == process; i++) {
		known &= t->first_ns != GASPDB_NONE;
		if (t->first_ns < p->first_ns)
			p->first_ns = t->first_ns;
		if (t->last_ns != GASPDB_NONE && t->last_ns > p->last_ns)
			p->last_ns = t->last_ns;
		add_thread(p, t);
	}
	if (!known)
		p->first_ns = GASPDB_NONE;
	while (p->gap_process != GASPDB_NONE && p->gap_process < process)
		next_gap(p);
}

/* --- answers -------------------------------------------------------------- */

/* Was it recorded?  Till when, at most, is it known to be? */
static bool is_known(struct gaspdb_presence *p, int64_t at_ns,
		     int64_t *until_ns)
{
	if (p->first_ns == GASPDB_NONE || at_ns < p->first_ns ||
	    at_ns >= p->last_ns)
		return false;
	while (p->gap_process == p->process && p->gap_until_ns <= at_ns)
		next_gap(p);
	*until_ns = p->last_ns;
	if (p->gap_process != p->process)
		return true;
	if (p->gap_since_ns < *until_ns)
		*until_ns = p->gap_since_ns;
	return p->gap_since_ns > at_ns;
}

static void look(struct gaspdb_presence *p, int64_t at_ns)
{
	p->outside_until_ns = INT64_MAX;
	for (size_t i = 0; i < p->n; i++) {
		struct gaspdb_presence_thread *t = &p->threads[i];

		while (t->until_ns <= at_ns && t->since_ns != INT64_MAX)
			next_call(p, t);
		if (t->since_ns <= at_ns && t->until_ns > p->inside_until_ns)
			p->inside_until_ns = t->until_ns;
		if (t->since_ns < p->outside_until_ns)
			p->outside_until_ns = t->since_ns;
	}
}

enum gaspdb_presence_state gaspdb_presence_at(struct gaspdb_presence *p,
					      int64_t at_ns, int64_t *next_ns)
{
	int64_t known_until_ns;

	if (!is_known(p, at_ns, &known_until_ns))
		return GASPDB_PRESENCE_UNKNOWN;
	if (at_ns >= p->inside_until_ns && at_ns >= p->outside_until_ns)
		look(p, at_ns);
	if (at_ns < p->inside_until_ns)
		return GASPDB_PRESENCE_INSIDE;
	*next_ns = p->outside_until_ns < known_until_ns ? p->outside_until_ns
							: known_until_ns;
	return GASPDB_PRESENCE_OUTSIDE;
}

void gaspdb_presence_close(struct gaspdb_presence *p)
{
	for (size_t i = 0; i < p->n_open; i++)
		gaspdb_cursor_close(&p->threads[i].events);
	free(p->threads);
	sqlite3_finalize(p->gaps);
}
