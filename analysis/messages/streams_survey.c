/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to pass by: threads with sends or receives, and what stands
   between these. */
#include <stdlib.h>

#include "analysis/messages/streams_parts.h"

/* --- what stands in the table --------------------------------------------- */

/* Rows go by thread, then by the time of the post; else false. */
static bool note_row(void *user, const int64_t *v)
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

/* Rows whose order is not that of their posts: a call that posts has called
   back the program, which posted before it. */
static const char ordered_copy[] =
	"CREATE TEMP TABLE gaspdb_p2p AS SELECT row_number() OVER "
	"(ORDER BY thread_id, posted_ns, id) AS id, thread_id, direction, "
	"post_event_id, complete_event_id, team_id, peer, tag, bytes, "
	"posted_peer, posted_tag, limit_bytes, posted_ns, completed_ns, "
	"request, number, state, error FROM p2p;"
	"CREATE UNIQUE INDEX temp.gaspdb_p2p_id ON gaspdb_p2p(id)";

static void read_all(struct streams *s, const char *table)
{
	s->n_cursors = 0;
	s->unordered = false;
	gaspdb_table_open(&s->p2p, &s->run->tables, table, GASPDB_P2P_COLUMNS);
	gaspdb_table_scan(&s->p2p, note_row, s);
	s->last_ns = 0;
}

void gaspdb_streams_survey(struct streams *s)
{
	read_all(s, "p2p");
	if (!s->unordered)
		return;
	gaspdb_table_close(&s->p2p);
	gaspdb_exec(s->run, ordered_copy);
	read_all(s, "temp.gaspdb_p2p");
}

/* --- markers -------------------------------------------------------------- */

#define ARGUMENT(name)                                              \
	"(SELECT x.value FROM event_arg x JOIN argument a "         \
	"ON a.id = x.argument_id WHERE x.id BETWEEN e.id * 64 AND " \
	"e.id * 64 + 63 AND a.name = '" name "')"

/* What passed while recording was off, and what was lost, stands before what
   came afterwards. */
static const char make_markers[] =
	"CREATE TEMP TABLE gaspdb_marker(id INTEGER PRIMARY KEY, process, at, "
	"  event, kind, team, sender, receiver, tag, count, thread, source, "
	"  until, guessed);"
	"WITH process AS (SELECT id, " PROCESS_OF_THREAD
	" AS first FROM thread) "
	"INSERT INTO temp.gaspdb_marker "
	"SELECT NULL, * FROM ("
	"SELECT c.first, q.ns, NULL, 0, q.team_id, c.first, q.peer, q.tag, "
	"  q.sends, q.thread_id, NULL, NULL, 0 "
	"FROM passed q JOIN process c ON c.id = q.thread_id "
	"WHERE q.sends > 0 AND q.peer IS NOT NULL "
	"UNION ALL "
	"SELECT c.first, q.ns, NULL, 1, q.team_id, q.peer, c.first, q.tag, "
	"  q.receives, q.thread_id, NULL, NULL, 0 "
	"FROM passed q JOIN process c ON c.id = q.thread_id "
	"WHERE q.receives > 0 AND q.peer IS NOT NULL "
	"UNION ALL "
	"SELECT c.first, e.start_ns, e.id, 2, " ARGUMENT(
		"team") ", e.peer, "
			"  c.first, coalesce(" ARGUMENT("receive_tag") ", " ARGUMENT(
				"tag") ") "
				       "  AS label, 0, e.thread_id, e.source_id, e.start_ns + e.duration_ns, 0 "
				       "FROM event e JOIN process c ON c.id = e.thread_id "
				       "WHERE e.nested = 0 AND e.open = 0 AND e.peer IS NOT NULL "
				       "  AND e.source_id IN (SELECT s.id FROM source s JOIN operation o "
				       "    ON o.id = s.operation_id WHERE o.type IN ('probe', 'probe_nb')) "
				       "  AND label IS NOT NULL "
				       "UNION ALL "
				       "SELECT process, at, NULL, kind, team, sender, receiver, tag, count, thread, "
				       "  NULL, NULL, 1 FROM temp.gaspdb_lost) ORDER BY 2, 3, 4, 5;"
				       "DROP TABLE temp.gaspdb_lost";

static bool any_row(struct streams *s, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(s->run, sql);
	const bool any = gaspdb_row(s->run, stmt);

	sqlite3_finalize(stmt);
	return any;
}

/* false: there are none. */
static bool make_table(struct streams *s)
{
	const enum gaspdb_type probes[] = { GASPDB_TYPE_probe,
					    GASPDB_TYPE_probe_nb };
	const bool damaged =
		any_row(s, "SELECT 1 FROM gap WHERE kind = 'damage' LIMIT 1");

	if (!damaged && !gaspdb_run_has(s->run, probes, 2) &&
	    !any_row(s, "SELECT 1 FROM passed LIMIT 1"))
		return false;
	gaspdb_streams_lost(s, damaged);
	gaspdb_exec(s->run, make_markers);
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

/* Processes are in the order of their ids. */
static struct process *find_process(struct streams *s, int64_t id)
{
	for (size_t low = 0, high = s->n_heap; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (s->heap[middle].id == id)
			return &s->heap[middle];
		if (s->heap[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
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

	if (!make_table(s))
		return;
	gaspdb_table_open(&s->markers, &s->run->tables, MARKERS, M_COLUMNS);
	stmt = gaspdb_prepare(s->run,
			      "SELECT process, min(id), max(id) FROM " MARKERS
			      " GROUP BY process");
	while (gaspdb_row(s->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);
		const size_t n = s->n_heap;
		struct process *p;

		s->n_heap = known; /* those that are in order */
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

void gaspdb_streams_load(struct streams *s)
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
