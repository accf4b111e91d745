/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The opening of streams: cursors of threads with sends or receives, markers,
   and processes. */
#include "analysis/messages/streams_parts.h"

#include <stdlib.h>

#include "common/lower_bound.h"
#include "sql/passes/messages.h"

/* --- cursors -------------------------------------------------------------- */

/* Add a row to its thread's cursor; false: rows are not in the order of threads
   and posts, or a failure. */
static bool add_row(void *user, const int64_t *v)
{
	struct streams *s = user;
	struct cursor *last =
		s->n_cursors ? &s->cursors[s->n_cursors - 1] : NULL;

	if (last && last->thread == v[GASPDB_P2P_THREAD] &&
	    s->last_ns <= v[GASPDB_P2P_POSTED]) {
		last->last = v[GASPDB_P2P_ID];
	} else if (last && last->thread >= v[GASPDB_P2P_THREAD]) {
		s->unordered = true;
	} else if (gaspdb_grow(s->run, &s->cursors, s->n_cursors,
			       &s->cursors_room, sizeof *s->cursors)) {
		s->cursors[s->n_cursors++] =
			(struct cursor){ .process = gaspdb_run_process(
						 s->run, v[GASPDB_P2P_THREAD]),
					 .thread = v[GASPDB_P2P_THREAD],
					 .id = v[GASPDB_P2P_ID],
					 .last = v[GASPDB_P2P_ID],
					 .at_ns = v[GASPDB_P2P_POSTED] };
	}
	s->last_ns = v[GASPDB_P2P_POSTED];
	return !s->unordered && s->run->status == GASPDB_OK;
}

static void read_all(struct streams *s, const char *table)
{
	s->n_cursors = 0;
	s->unordered = false;
	gaspdb_table_open(&s->p2p, &s->run->tables, table, GASPDB_P2P_COLUMNS);
	gaspdb_table_scan(&s->p2p, add_row, s);
	s->last_ns = 0;
}

void gaspdb_streams_open_cursors(struct streams *s)
{
	read_all(s, "p2p");
	if (!s->unordered)
		return;
	gaspdb_table_close(&s->p2p);
	gaspdb_exec(s->run, gaspdb_sql_ordered_p2p);
	read_all(s, "temp.gaspdb_p2p");
}

/* --- markers -------------------------------------------------------------- */

static bool any_row(struct streams *s, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(s->run, sql);
	const bool any = gaspdb_row(s->run, stmt);

	sqlite3_finalize(stmt);
	return any;
}

/* Create the table of markers; false: there are none. */
static bool create_markers(struct streams *s)
{
	const enum gaspdb_type probes[] = { GASPDB_TYPE_probe,
					    GASPDB_TYPE_probe_nb };
	const bool damaged = any_row(s, gaspdb_sql_any_damage);

	if (!damaged && !gaspdb_run_has(s->run, probes, 2) &&
	    !any_row(s, gaspdb_sql_any_passed))
		return false;
	gaspdb_streams_lost(s, damaged);
	gaspdb_exec(s->run, gaspdb_sql_markers_make);
	return true;
}

static struct process *add_process(struct streams *s, int64_t id)
{
	struct process *p;

	if (!gaspdb_grow(s->run, &s->heap, s->n_heap, &s->heap_room,
			 sizeof *s->heap))
		return NULL;
	p = &s->heap[s->n_heap++];
	*p = (struct process){ .id = id,
			       .at_ns = INT64_MIN,
			       .last_marker = -1 };
	return p;
}

/* A process by binary search in the heap, which is in the order of ids; NULL:
   not there. */
static struct process *find_process(struct streams *s, int64_t id)
{
	size_t at;

	GASPDB_LOWER_BOUND(at, s->n_heap, i, s->heap[i].id < id);
	return at < s->n_heap && s->heap[at].id == id ? &s->heap[at] : NULL;
}

static int by_process(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void load_markers(struct streams *s)
{
	const size_t known = s->n_heap;
	sqlite3_stmt *stmt;

	if (!create_markers(s))
		return;
	gaspdb_table_open(&s->markers, &s->run->tables, "temp.gaspdb_marker",
			  M_COLUMNS);
	stmt = gaspdb_prepare(s->run, gaspdb_sql_marker_ranges);
	while (gaspdb_row(s->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);
		const size_t n = s->n_heap;
		struct process *p;

		s->n_heap = known; /* the part in order */
		p = find_process(s, id);
		s->n_heap = n;
		if (!p)
			p = add_process(s, id);
		if (!p)
			break;
		p->marker = sqlite3_column_int64(stmt, 1);
		p->last_marker = sqlite3_column_int64(stmt, 2);
	}
	sqlite3_finalize(stmt);
	if (s->n_heap)
		qsort(s->heap, s->n_heap, sizeof *s->heap, by_process);
}

/* --- processes ------------------------------------------------------------ */

static int by_process_and_thread(const void *a, const void *b)
{
	const struct cursor *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

void gaspdb_streams_open_processes(struct streams *s)
{
	struct process *p = NULL;

	if (s->n_cursors)
		qsort(s->cursors, s->n_cursors, sizeof *s->cursors,
		      by_process_and_thread);
	for (size_t i = 0; i < s->n_cursors; i++) {
		const struct cursor *c = &s->cursors[i];

		if (c->process == GASPDB_NONE)
			continue;
		if (!p || p->id != c->process) {
			p = add_process(s, c->process);
			if (!p)
				return;
			p->first = i;
			p->at_ns = c->at_ns;
		}
		if (c->at_ns < p->at_ns)
			p->at_ns = c->at_ns;
		p->n++;
	}
	load_markers(s);
	for (size_t i = 0; i < s->n_heap; i++)
		if (s->heap[i].marker <= s->heap[i].last_marker)
			s->heap[i].at_ns = INT64_MIN;
}
