/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each thread's own work, and the moments at which threads release each other,
 * for the replay: what a thread did and its calls' synchronizations pass by
 * side by side.
 */
#include "analysis/pop.h"

#include <stdlib.h>

#include "analysis/scan.h"
#include "analysis/table.h"
#include "analysis/waits.h"

typedef struct gaspdb_pop pop;
typedef struct gaspdb_pop_region region;

/* --- regions -------------------------------------------------------------- */

/*
 * Where a thread's calls of one line are: few, and near one end of its events.
 * NULL: it never ended.
 */
static const char ends_of_inits[] =
	"SELECT iif(open, NULL, start_ns + duration_ns) FROM event "
	"WHERE id BETWEEN ? AND ? AND source_id = ? AND nested = 0 "
	"ORDER BY id LIMIT ?";
static const char starts_of_finalizes[] =
	"SELECT -start_ns FROM event "
	"WHERE id BETWEEN ? AND ? AND source_id = ? AND nested = 0 "
	"ORDER BY id DESC LIMIT ?";

/* The greatest that find_sql finds of all lines of the type; NONE: none. */
static int64_t greatest(pop *p, const char *type, const char *find_sql)
{
	sqlite3_stmt *find = gaspdb_prepare(p->run, find_sql);
	sqlite3_stmt *lines = gaspdb_prepare(
		p->run,
		/* Lines and threads by hand: profile has many more rows. */
		"SELECT t.first_event, t.last_event, f.source_id, f.calls "
		"FROM operation o CROSS JOIN source s CROSS JOIN thread t "
		"CROSS JOIN profile f WHERE o.type = ? "
		"AND s.operation_id = o.id AND f.thread_id = t.id "
		"AND f.source_id = s.id AND f.nested = 0");
	int64_t found = GASPDB_NONE;

	if (lines)
		sqlite3_bind_text(lines, 1, type, -1, SQLITE_STATIC);
	while (gaspdb_row(p->run, lines)) {
		gaspdb_bind(p->run, find, 4,
			    (int64_t[]){ sqlite3_column_int64(lines, 0),
					 sqlite3_column_int64(lines, 1),
					 sqlite3_column_int64(lines, 2),
					 sqlite3_column_int64(lines, 3) });
		while (gaspdb_row(p->run, find)) {
			const int64_t ns = gaspdb_column(find, 0);

			if (ns > found) /* NONE is the least of all */
				found = ns;
		}
	}
	sqlite3_finalize(lines);
	sqlite3_finalize(find);
	return found;
}

static region whole_run(const pop *p)
{
	region r = { INT64_MAX, INT64_MIN };

	for (int64_t i = 0; i < p->run->n_threads; i++) {
		const struct gaspdb_run_thread *t =
			gaspdb_run_thread(p->run, i);

		if (!t || t->first_ns == GASPDB_NONE)
			continue;
		if (t->first_ns < r.start_ns)
			r.start_ns = t->first_ns;
		if (t->last_ns > r.end_ns)
			r.end_ns = t->last_ns;
	}
	return r.start_ns <= r.end_ns ? r : (region){ 0, 0 };
}

static void find_regions(pop *p)
{
	const region run = whole_run(p);
	region clip = run;
	const int64_t init_ns = greatest(p, "init", ends_of_inits);
	const int64_t finalize_ns =
		greatest(p, "finalize", starts_of_finalizes);

	if (init_ns != GASPDB_NONE)
		clip.start_ns = init_ns;
	if (finalize_ns != GASPDB_NONE)
		clip.end_ns = -finalize_ns;
	if (clip.end_ns < clip.start_ns)
		clip.end_ns = clip.start_ns;
	p->regions[GASPDB_REGION_CLIP] = clip;
	p->regions[GASPDB_REGION_RUN] = run;
}

/* --- synchronizations ----------------------------------------------------- */

enum message_column {
	MESSAGE_ID,
	MESSAGE_SEND_EVENT,
	MESSAGE_RECEIVE_EVENT,
	MESSAGE_UNCERTAIN = 13,
	MESSAGE_COLUMNS
};

/* While synchronizations are gathered. */
struct gather {
	pop *pop;
	struct gaspdb_table events;
	bool has_probes;
};

static bool add_message(void *user, const int64_t *m)
{
	pop *p = ((struct gather *)user)->pop;

	if (m[MESSAGE_RECEIVE_EVENT] != GASPDB_NONE && !m[MESSAGE_UNCERTAIN])
		gaspdb_syncs_pair(&p->syncs, GASPDB_SYNC_MESSAGE, m[MESSAGE_ID],
				  m[MESSAGE_SEND_EVENT],
				  m[MESSAGE_RECEIVE_EVENT]);
	return p->run->status == GASPDB_OK;
}

static bool is_probe(struct gather *g, int64_t event)
{
	const struct gaspdb_run_source *source = NULL;
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (g->has_probes &&
	    gaspdb_table_get(&g->events, event, GASPDB_EVENT_SOURCE + 1, row))
		source = gaspdb_run_source(g->pop->run,
					   row[GASPDB_EVENT_SOURCE]);
	return source && source->type == GASPDB_TYPE_probe;
}

/*
 * A send is only known to need its receiver, and a probe its message, where it
 * waited.
 */
static bool add_wait(void *user, const int64_t *w)
{
	struct gather *g = user;
	pop *p = g->pop;
	const enum gaspdb_wait_kind kind =
		gaspdb_wait_kind_of(w[GASPDB_WAIT_KIND]);

	if (kind == GASPDB_WAIT_LATE_RECEIVER ||
	    (kind == GASPDB_WAIT_LATE_SENDER &&
	     is_probe(g, w[GASPDB_WAIT_EVENT])))
		gaspdb_syncs_pair(&p->syncs, GASPDB_SYNC_WAIT,
				  w[GASPDB_WAIT_ID], w[GASPDB_WAIT_CAUSE_EVENT],
				  w[GASPDB_WAIT_EVENT]);
	return p->run->status == GASPDB_OK;
}

/* Each hold of a lock comes after the one before was given back. */
static void add_locks(pop *p)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		p->run, "SELECT id, released_by, acquire_event_id FROM "
			"  (SELECT id, acquire_event_id, "
			"    lag(release_event_id) OVER (PARTITION BY object "
			"      ORDER BY acquired_ns, acquire_event_id) "
			"      AS released_by FROM lock_use) "
			"WHERE released_by IS NOT NULL");

	while (gaspdb_row(p->run, stmt))
		gaspdb_syncs_pair(&p->syncs, GASPDB_SYNC_LOCK,
				  sqlite3_column_int64(stmt, 0),
				  sqlite3_column_int64(stmt, 1),
				  sqlite3_column_int64(stmt, 2));
	sqlite3_finalize(stmt);
}

static void add_table(struct gather *g, const char *name, unsigned columns,
		      gaspdb_row_fn fn)
{
	struct gaspdb_table table;

	gaspdb_table_open(&table, g->pop->run, name, columns);
	gaspdb_table_scan(&table, INT64_MIN, fn, g);
	gaspdb_table_close(&table);
}

static void add_syncs(pop *p)
{
	const enum gaspdb_type probe = GASPDB_TYPE_probe;
	struct gather g = { .pop = p,
			    .has_probes = gaspdb_run_has(p->run, &probe, 1) };

	gaspdb_table_open(&g.events, p->run, "event", GASPDB_EVENT_COLUMNS);
	add_table(&g, "message", MESSAGE_COLUMNS, add_message);
	add_table(&g, "wait", GASPDB_WAIT_COLUMNS, add_wait);
	gaspdb_table_close(&g.events);
	add_locks(p);
}

static void read_sync(pop *p)
{
	p->more = gaspdb_syncs_next(&p->syncs, &p->next);
}

/* --- moments -------------------------------------------------------------- */

static void add_moment(pop *p, const struct gaspdb_sync *s, int64_t at_ns,
		       bool releases)
{
	gaspdb_moments_add(&p->moments,
			   &(struct gaspdb_moment){
				   .at_ns = at_ns,
				   .thread = p->thread,
				   .work_ns = p->threads[p->thread].work_ns,
				   .sync = s->number,
				   .parts = s->parts,
				   .releases = releases });
}

static void leave_call(pop *p)
{
	for (size_t i = 0; i < p->n_released; i++)
		add_moment(p, &p->released[i], p->leave_ns, false);
	p->n_released = 0;
	p->event = GASPDB_NONE;
}

/* What belongs to calls in other calls, which are in no piece, is left out. */
static void enter_call(pop *p, const struct gaspdb_piece *piece)
{
	p->event = piece->event;
	for (; p->more && p->next.event <= p->event; read_sync(p)) {
		if (p->next.event < p->event)
			continue;
		if (p->next.roles & GASPDB_SYNC_RELEASES)
			add_moment(p, &p->next, piece->start_ns, true);
		if (p->next.roles & GASPDB_SYNC_RELEASED &&
		    gaspdb_grow(p->run, &p->released, p->n_released,
				&p->released_room, sizeof *p->released))
			p->released[p->n_released++] = p->next;
	}
}

/* Time that a network of no cost would take as well. */
static bool is_work(const pop *p, const struct gaspdb_piece *piece)
{
	const struct gaspdb_run_source *source;

	if (piece->doing != GASPDB_CALLING)
		return piece->doing != GASPDB_WAITING;
	source = gaspdb_run_source(p->run, piece->from);
	return source && source->allocates;
}

/* How much of a piece lies before that moment. */
static int64_t length_before(const struct gaspdb_piece *piece, int64_t ns)
{
	if (ns > piece->end_ns)
		ns = piece->end_ns;
	return ns > piece->start_ns ? ns - piece->start_ns : 0;
}

/* Threads before that one are over. */
static void end_threads(pop *p, int64_t thread)
{
	for (; p->binned < thread; p->binned++) {
		const struct gaspdb_run_thread *t =
			gaspdb_run_thread(p->run, p->binned);

		for (int i = 0; i < GASPDB_REGIONS; i++)
			if (t && t->first_ns != GASPDB_NONE)
				gaspdb_pop_bins_thread(&p->bins[i], p->binned);
	}
}

static void add_piece(pop *p, const struct gaspdb_piece *piece)
{
	struct gaspdb_ideal_thread *t = &p->threads[piece->thread];
	const bool work = is_work(p, piece);

	if (p->event != piece->event || p->thread != piece->thread)
		leave_call(p);
	if (p->thread != piece->thread)
		end_threads(p, piece->thread);
	p->thread = piece->thread;
	if (piece->event != GASPDB_NONE && p->event == GASPDB_NONE)
		enter_call(p, piece);
	p->leave_ns = piece->end_ns;
	for (int i = 0; i < GASPDB_REGIONS; i++) {
		const region *r = &p->regions[i];
		const int64_t from_ns = length_before(piece, r->start_ns);
		const int64_t to_ns = length_before(piece, r->end_ns);

		if (piece->doing == GASPDB_COMPUTING) {
			p->computation_ns[piece->thread][i] += to_ns - from_ns;
			gaspdb_pop_bins_add(&p->bins[i], piece->start_ns,
					    piece->end_ns);
		}
		if (!work)
			continue;
		t->from_ns[i] += from_ns;
		t->to_ns[i] += to_ns;
	}
	if (work)
		t->work_ns += piece->end_ns - piece->start_ns;
}

void gaspdb_pop_add(pop *p, const struct gaspdb_piece *pieces, size_t n)
{
	if (!p->threads || !p->computation_ns)
		return;
	for (size_t i = 0; i < n; i++)
		add_piece(p, &pieces[i]);
}

/* --- results -------------------------------------------------------------- */

static void write_threads(pop *p, enum gaspdb_region i, bool whole)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		p->run, "INSERT INTO pop_thread(whole, thread_id, "
			"computation_ns, ideal_ns) VALUES(?, ?, ?, ?)");

	for (int64_t t = 0; t < p->run->n_threads; t++) {
		const struct gaspdb_run_thread *thread =
			gaspdb_run_thread(p->run, t);

		if (thread && thread->first_ns != GASPDB_NONE)
			gaspdb_write(p->run, stmt, 4,
				     (int64_t[]){ whole, t,
						  p->computation_ns[t][i],
						  p->threads[t].clock_ns[i] },
				     NULL);
	}
	sqlite3_finalize(stmt);
}

static void write_region(pop *p, enum gaspdb_region i)
{
	const region *r = &p->regions[i];
	const bool whole = i == GASPDB_REGION_RUN;
	int64_t ideal_ns = 0;
	sqlite3_stmt *stmt = gaspdb_prepare(
		p->run, "INSERT INTO pop(whole, start_ns, end_ns, ideal_ns) "
			"VALUES(?, ?, ?, ?)");

	for (int64_t t = 0; t < p->run->n_threads; t++)
		if (p->threads[t].clock_ns[i] > ideal_ns)
			ideal_ns = p->threads[t].clock_ns[i];
	gaspdb_write(p->run, stmt, 4,
		     (int64_t[]){ whole, r->start_ns, r->end_ns, ideal_ns },
		     NULL);
	sqlite3_finalize(stmt);
	write_threads(p, i, whole);
	gaspdb_pop_bins_write(&p->bins[i], p->run, whole);
}

void gaspdb_pop_open(pop *p, struct gaspdb_run *run)
{
	const size_t n = (size_t)run->n_threads;

	*p = (pop){ .run = run, .thread = GASPDB_NONE, .event = GASPDB_NONE };
	gaspdb_syncs_open(&p->syncs, run);
	gaspdb_moments_init(&p->moments, run);
	p->threads = gaspdb_zeroed(run, n, sizeof *p->threads);
	p->computation_ns = gaspdb_zeroed(run, n, sizeof *p->computation_ns);
	find_regions(p);
	for (int i = 0; i < GASPDB_REGIONS; i++)
		gaspdb_pop_bins_init(&p->bins[i], p->regions[i].start_ns,
				     p->regions[i].end_ns);
	add_syncs(p);
	read_sync(p);
}

void gaspdb_pop_close(pop *p)
{
	if (p->threads && p->computation_ns) {
		leave_call(p);
		end_threads(p, p->run->n_threads);
		gaspdb_ideal_replay(p->run, &p->moments, p->threads);
		for (int i = 0; i < GASPDB_REGIONS; i++)
			write_region(p, (enum gaspdb_region)i);
	}
	gaspdb_syncs_empty(&p->syncs);
	gaspdb_sorter_fini(&p->moments);
	free(p->threads);
	free(p->computation_ns);
	free(p->released);
}
