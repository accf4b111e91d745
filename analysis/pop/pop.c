/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input of the replay (ideal.h): each thread's own work, and the points at
 * which threads release each other. Events and synchronizations are merged in
 * the order of event ids.
 */
#include "analysis/pop/pop.h"

#include <stdlib.h>

#include "analysis/engine/syncs.h"
#include "analysis/pop/bins.h"
#include "analysis/pop/ideal.h"
#include "analysis/pop/work.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/pop.h"

typedef struct {
	int64_t start_ns, end_ns;
} region;

typedef struct {
	struct gaspdb_run *run;
	struct gaspdb_syncs syncs;
	struct gaspdb_sync next;    /* of syncs; event INT64_MAX: none */
	struct gaspdb_table events; /* open while waits are added to syncs */
	bool has_probes;
	region regions[GASPDB_REGIONS];
	/* Is the current time after their starts, and ends? */
	bool begun[GASPDB_REGIONS], ended[GASPDB_REGIONS];
	struct gaspdb_work_callbacks calls;
	struct gaspdb_work work;
	struct gaspdb_sorter points;
	struct gaspdb_ideal_thread *threads;
	int64_t (*computation_ns)[GASPDB_REGIONS]; /* by thread */
	struct gaspdb_pop_bins bins[GASPDB_REGIONS];
	int64_t next_thread;	      /* number of threads that ended */
	struct gaspdb_sync *released; /* those that release the current call */
	size_t n_released, released_room;
} pop;

/* --- regions -------------------------------------------------------------- */

/* The maximum of find_sql over all lines of a type; NONE: none. */
static int64_t max_of_calls(pop *p, const char *type, const char *find_sql)
{
	sqlite3_stmt *find = gaspdb_prepare(p->run, find_sql);
	sqlite3_stmt *lines = gaspdb_prepare(p->run, gaspdb_sql_calls_of_type);
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

			if (ns > found) /* NONE is the minimum */
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
	const int64_t init_ns =
		max_of_calls(p, "init", gaspdb_sql_ends_of_inits);
	const int64_t finalize_ns =
		max_of_calls(p, "finalize", gaspdb_sql_starts_of_finalizes);

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

static bool is_probe(pop *p, int64_t event)
{
	const struct gaspdb_run_source *source = NULL;
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (p->has_probes &&
	    gaspdb_table_get(&p->events, event, GASPDB_EVENT_SOURCE + 1, row))
		source = gaspdb_run_source(p->run, row[GASPDB_EVENT_SOURCE]);
	return source && (source->type == GASPDB_TYPE_probe ||
			  source->type == GASPDB_TYPE_probe_nb);
}

/*
 * Add the synchronization of a wait of a send for its receiver, of a probe, or
 * between two calls on a window. Such calls synchronize only if they wait.
 */
static bool add_wait(void *user, const int64_t *w)
{
	pop *p = user;
	const enum gaspdb_wait_kind kind =
		gaspdb_wait_kind_of(w[GASPDB_WAIT_KIND]);
	const bool window = kind == GASPDB_WAIT_LATE_POST ||
			    kind == GASPDB_WAIT_EARLY_WAIT ||
			    kind == GASPDB_WAIT_LATE_COMPLETE;

	if (w[GASPDB_WAIT_CAUSE] > w[GASPDB_WAIT_END])
		return true; /* a failed test, which ended before the cause */
	if ((window && w[GASPDB_WAIT_CAUSE_EVENT] != GASPDB_NONE) ||
	    kind == GASPDB_WAIT_LATE_RECEIVER ||
	    (kind == GASPDB_WAIT_LATE_SENDER &&
	     is_probe(p, w[GASPDB_WAIT_EVENT])))
		gaspdb_syncs_pair(&p->syncs, GASPDB_SYNC_WAIT,
				  w[GASPDB_WAIT_ID], w[GASPDB_WAIT_CAUSE_EVENT],
				  w[GASPDB_WAIT_EVENT]);
	return p->run->status == GASPDB_OK;
}

/* Has the run a wait of a kind that add_wait() uses? */
static bool any_wait(pop *p)
{
	sqlite3_stmt *stmt = gaspdb_prepare(p->run, gaspdb_sql_any_pair_wait);
	bool any;

	gaspdb_bind(p->run, stmt, 1, (int64_t[]){ p->has_probes });
	any = gaspdb_row(p->run, stmt);
	sqlite3_finalize(stmt);
	return any;
}

static void add_waits(pop *p)
{
	struct gaspdb_table waits;

	if (!any_wait(p))
		return;
	gaspdb_table_open(&p->events, &p->run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_table_open(&waits, &p->run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&waits, add_wait, p);
	gaspdb_table_close(&waits);
	gaspdb_table_close(&p->events);
}

/* Add a synchronization from each release of a lock to the next acquisition.
   Uses of a lock are in the order of acquisition. */
static void add_locks(pop *p)
{
	sqlite3_stmt *stmt = gaspdb_prepare(p->run, gaspdb_sql_lock_uses);
	int64_t object = GASPDB_NONE, released_by = GASPDB_NONE;

	while (gaspdb_row(p->run, stmt)) {
		if (sqlite3_column_int64(stmt, 1) == object &&
		    released_by != GASPDB_NONE)
			gaspdb_syncs_pair(&p->syncs, GASPDB_SYNC_LOCK,
					  sqlite3_column_int64(stmt, 0),
					  released_by,
					  sqlite3_column_int64(stmt, 2));
		object = sqlite3_column_int64(stmt, 1);
		released_by = gaspdb_column(stmt, 3);
	}
	sqlite3_finalize(stmt);
}

static void read_sync(pop *p)
{
	if (!gaspdb_syncs_next(&p->syncs, &p->next))
		p->next.event = INT64_MAX;
}

/* --- points --------------------------------------------------------------- */

/* Add a synchronization point at the thread's current time and work. */
static void add_point(pop *p, const struct gaspdb_sync *s, bool releases)
{
	const struct gaspdb_work *w = &p->work;

	gaspdb_sync_points_add(
		&p->points, &(struct gaspdb_sync_point){
				    .at_ns = w->at_ns,
				    .thread = w->thread,
				    .work_ns = p->threads[w->thread].work_ns +
					       w->pending.computation_ns +
					       w->pending.other_ns,
				    .sync = s->number,
				    .parts = s->parts,
				    .releases = releases });
}

/* Process the synchronizations of a call at its enter. Those of nested calls
   are skipped. */
static inline void enter(pop *p, int64_t event)
{
	for (; p->next.event <= event; read_sync(p)) {
		if (p->next.event < event)
			continue;
		if (p->next.roles & GASPDB_SYNC_RELEASES)
			add_point(p, &p->next, true);
		if (p->next.roles & GASPDB_SYNC_RELEASED &&
		    gaspdb_grow(p->run, &p->released, p->n_released,
				&p->released_room, sizeof *p->released))
			p->released[p->n_released++] = p->next;
	}
}

static inline void leave(pop *p)
{
	for (size_t i = 0; i < p->n_released; i++)
		add_point(p, &p->released[i], false);
	p->n_released = 0;
}

/* Process a plain call that synchronizes. This and the next are not inline, so
   that take() needs no stack frame. */
static __attribute__((noinline)) void
process_plain_sync(pop *p, const struct gaspdb_event *e)
{
	enter(p, e->id);
	gaspdb_work_leave_plain(&p->work, e);
	leave(p);
}

static __attribute__((noinline)) void process_any(pop *p,
						  const struct gaspdb_event *e)
{
	const struct gaspdb_run_source *source = gaspdb_work_enter(&p->work, e);

	if (!source)
		return;
	enter(p, e->id);
	gaspdb_work_leave(&p->work, e, source);
	leave(p);
}

static void take(void *user, const struct gaspdb_event *e)
{
	pop *p = user;

	if (!gaspdb_work_enter_plain(&p->work, e))
		process_any(p, e);
	else if (p->next.event <= e->id)
		process_plain_sync(p, e);
	else
		gaspdb_work_leave_plain(&p->work, e);
}

/* --- sums ----------------------------------------------------------------- */

/* End the threads before one. */
static void end_threads(pop *p, int64_t thread)
{
	for (; p->next_thread < thread; p->next_thread++) {
		const struct gaspdb_run_thread *t =
			gaspdb_run_thread(p->run, p->next_thread);

		for (int i = 0; i < GASPDB_REGIONS; i++)
			if (t && t->first_ns != GASPDB_NONE)
				gaspdb_pop_bins_thread(&p->bins[i],
						       p->next_thread);
	}
}

/* The next start or end of a region, or of a bin. */
static int64_t boundary(void *user, int64_t thread, int64_t at_ns)
{
	pop *p = user;
	int64_t until_ns = INT64_MAX;

	end_threads(p, thread);
	for (int i = 0; i < GASPDB_REGIONS; i++) {
		const region *r = &p->regions[i];

		p->begun[i] = at_ns >= r->start_ns;
		p->ended[i] = at_ns >= r->end_ns;
		if (!p->begun[i])
			until_ns = gaspdb_min(until_ns, r->start_ns);
		else if (!p->ended[i])
			until_ns = gaspdb_min(
				until_ns,
				gaspdb_pop_bins_at(&p->bins[i], at_ns));
	}
	return until_ns;
}

static void add_work(void *user, int64_t thread,
		     const struct gaspdb_work_sums *sums)
{
	pop *p = user;
	struct gaspdb_ideal_thread *t = &p->threads[thread];
	const int64_t work_ns = sums->computation_ns + sums->other_ns;

	t->work_ns += work_ns;
	for (int i = 0; i < GASPDB_REGIONS; i++) {
		if (p->ended[i])
			continue;
		t->to_ns[i] += work_ns;
		if (!p->begun[i]) {
			t->from_ns[i] += work_ns;
			continue;
		}
		p->computation_ns[thread][i] += sums->computation_ns;
		gaspdb_pop_bins_add(&p->bins[i], sums->computation_ns);
	}
}

/* --- results -------------------------------------------------------------- */

/* The column `whole` of a region; it orders the keys like the regions. */
static bool is_whole(int i)
{
	return i == GASPDB_REGION_RUN;
}

static void write_regions(pop *p)
{
	struct gaspdb_table_writer *rows = gaspdb_table_writer_open(
		&p->run->tables, GASPDB_TABLE(pop), 0, NULL);

	for (int i = 0; rows && i < GASPDB_REGIONS; i++) {
		const region *r = &p->regions[i];
		int64_t ideal_ns = 0;

		for (int64_t t = 0; t < p->run->n_threads; t++)
			if (p->threads[t].clock_ns[i] > ideal_ns)
				ideal_ns = p->threads[t].clock_ns[i];
		gaspdb_table_writer_add(
			rows, (int64_t[GASPDB_POP_COLUMNS]){
				      [GASPDB_POP_WHOLE] = is_whole(i),
				      [GASPDB_POP_START] = r->start_ns,
				      [GASPDB_POP_END] = r->end_ns,
				      [GASPDB_POP_IDEAL] = ideal_ns });
		gaspdb_pop_bins_write(&p->bins[i], p->run, is_whole(i));
	}
}

static void write_threads(pop *p)
{
	struct gaspdb_table_writer *rows = gaspdb_table_writer_open_keyed(
		&p->run->tables, GASPDB_KEYED_TABLE(pop_thread), 0, NULL);

	for (int i = 0; rows && i < GASPDB_REGIONS; i++)
		for (int64_t t = 0; t < p->run->n_threads; t++) {
			const struct gaspdb_run_thread *thread =
				gaspdb_run_thread(p->run, t);

			if (thread && thread->first_ns != GASPDB_NONE)
				gaspdb_table_writer_add(
					rows,
					(int64_t[GASPDB_POP_THREAD_COLUMNS]){
						[GASPDB_POP_THREAD_WHOLE] =
							is_whole(i),
						[GASPDB_POP_THREAD_THREAD] = t,
						[GASPDB_POP_THREAD_COMPUTATION] =
							p->computation_ns[t][i],
						[GASPDB_POP_THREAD_IDEAL] =
							p->threads[t]
								.clock_ns[i] });
		}
}

/* --- the pass ------------------------------------------------------------- */

static void begin(pop *p)
{
	add_waits(p);
	add_locks(p);
	read_sync(p);
	find_regions(p);
	for (int i = 0; i < GASPDB_REGIONS; i++)
		gaspdb_pop_bins_init(&p->bins[i], p->regions[i].start_ns,
				     p->regions[i].end_ns);
	p->calls = (struct gaspdb_work_callbacks){ p, add_work, boundary };
	gaspdb_work_open(&p->work, p->run, &p->calls);
}

static void free_pop(pop *p)
{
	gaspdb_syncs_empty(&p->syncs);
	gaspdb_sorter_fini(&p->points);
	free(p->threads);
	free(p->computation_ns);
	free(p->released);
	free(p);
}

static void *open_pop(struct gaspdb_run *run)
{
	static const enum gaspdb_type probes[] = { GASPDB_TYPE_probe,
						   GASPDB_TYPE_probe_nb };
	const size_t n = (size_t)run->n_threads;
	pop *p = gaspdb_zeroed(run, 1, sizeof *p);

	if (!p)
		return NULL;
	p->run = run;
	gaspdb_syncs_open(&p->syncs, run);
	gaspdb_sync_points_init(&p->points, run);
	p->threads = gaspdb_zeroed(run, n, sizeof *p->threads);
	p->computation_ns = gaspdb_zeroed(run, n, sizeof *p->computation_ns);
	p->has_probes = gaspdb_run_has(run, probes, 2);
	if (!p->threads || !p->computation_ns) {
		free_pop(p);
		return NULL;
	}
	begin(p);
	return p;
}

static void close_pop(void *user)
{
	pop *p = user;

	gaspdb_work_close(&p->work);
	end_threads(p, p->run->n_threads);
	gaspdb_ideal_replay(p->run, &p->points, p->threads);
	write_regions(p);
	write_threads(p);
	free_pop(p);
}

const struct gaspdb_event_pass gaspdb_pop = { open_pop, take, close_pop };
