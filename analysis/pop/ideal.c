/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes the points of all threads in the order of time. A synchronization
 * is in memory from its first point to its last.
 *
 * Points at one time may depend on each other. They are processed in an order
 * that respects these dependencies and each thread's order. In a cycle of
 * dependencies the next point of the lowest thread is processed first.
 */
#include "analysis/pop/ideal.h"

#include <stdlib.h>
#include <string.h>

#define NO_INDEX UINT32_MAX

/* An open synchronization. */
struct sync {
	int64_t number;
	int64_t parts;			  /* points to come */
	int64_t clock_ns[GASPDB_REGIONS]; /* latest of its releases */
	uint32_t pending;	/* releases to come at the current time */
	uint32_t first_waiting; /* list of points that wait for them */
	uint32_t next;		/* in the free list */
};

/* A point at the current time. */
struct queued {
	struct gaspdb_sync_point point;
	uint32_t thread;       /* index in active */
	uint32_t next_waiting; /* in the list of its synchronization */
	bool listed;	       /* in that list */
};

/* A thread's points at the current time. */
struct thread_queue {
	uint32_t next, end; /* in queue */
};

struct replay {
	struct gaspdb_run *run;
	struct gaspdb_sorter *points;
	struct gaspdb_ideal_thread *threads;
	int64_t *done_ns; /* by thread: work included in its clocks */
	struct sync *syncs;
	size_t n_syncs, syncs_room;
	uint32_t free_sync;
	struct gaspdb_map index; /* of syncs, by their numbers */
	struct queued *queue;
	size_t n_queued, queue_room;
	struct thread_queue *active;
	size_t n_active, active_room;
	uint32_t *ready; /* indices in active of threads that can continue */
	size_t n_ready, ready_room;
};

/* A row. The sorter is stable, so points of equal time stay in the order of
   threads, and in each thread's order. */
enum { TIME, THREAD_POINTS, SYNC, WORK, COLUMNS };

/* Bits of a thread's id; the number of points is above it. */
enum { POINTS_SHIFT = 30 };

/* Bit of SYNC above the number: the point releases. */
#define RELEASES_SHIFT 62

void gaspdb_sync_points_init(struct gaspdb_sorter *points,
			     struct gaspdb_run *run)
{
	gaspdb_sorter_init(points, run, COLUMNS, 1);
}

void gaspdb_sync_points_add(struct gaspdb_sorter *points,
			    const struct gaspdb_sync_point *m)
{
	int64_t *row = gaspdb_sorter_new_row(points);

	if (!row)
		return;
	row[TIME] = m->at_ns;
	row[THREAD_POINTS] = m->thread | m->parts << POINTS_SHIFT;
	row[SYNC] = m->sync | (int64_t)m->releases << RELEASES_SHIFT;
	row[WORK] = m->work_ns;
}

/* --- synchronizations ----------------------------------------------------- */

static uint32_t new_sync(struct replay *r)
{
	uint32_t at = r->free_sync;

	if (at != NO_INDEX) {
		r->free_sync = r->syncs[at].next;
		return at;
	}
	if (r->n_syncs == NO_INDEX ||
	    !gaspdb_grow(r->run, &r->syncs, r->n_syncs, &r->syncs_room,
			 sizeof *r->syncs))
		return NO_INDEX;
	return (uint32_t)r->n_syncs++;
}

/* The synchronization of a point, new or open; NULL after a failure. */
static struct sync *find_sync(struct replay *r,
			      const struct gaspdb_sync_point *m)
{
	const uint64_t number = (uint64_t)m->sync;
	struct gaspdb_map_slot *slot;
	uint32_t at;

	if (!gaspdb_map_grow(r->run, &r->index))
		return NULL;
	slot = gaspdb_map_item(&r->index, number, NULL, NULL, NULL);
	if (slot->value != GASPDB_ABSENT)
		return &r->syncs[slot->value];
	at = new_sync(r);
	if (at == NO_INDEX)
		return NULL;
	r->syncs[at] = (struct sync){ .number = m->sync,
				      .parts = m->parts,
				      .first_waiting = NO_INDEX };
	gaspdb_map_fill(&r->index, slot, number, at);
	return &r->syncs[at];
}

/* Count a processed point; the last one frees the synchronization. */
static void end_point(struct replay *r, struct sync *s)
{
	if (--s->parts > 0)
		return;
	gaspdb_map_remove(&r->index, (uint64_t)s->number);
	s->next = r->free_sync;
	r->free_sync = (uint32_t)(s - r->syncs);
}

/* --- clocks --------------------------------------------------------------- */

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* Advance a thread's clocks to its work so far. */
static void advance(struct replay *r, int64_t thread, int64_t work_ns)
{
	struct gaspdb_ideal_thread *t = &r->threads[thread];
	const int64_t before_ns = r->done_ns[thread];

	for (int i = 0; i < GASPDB_REGIONS; i++)
		t->clock_ns[i] += clamp(work_ns, t->from_ns[i], t->to_ns[i]) -
				  clamp(before_ns, t->from_ns[i], t->to_ns[i]);
	r->done_ns[thread] = work_ns;
}

/* Make the threads that wait for a synchronization ready. */
static void wake(struct replay *r, struct sync *s)
{
	for (uint32_t i = s->first_waiting; i != NO_INDEX;
	     i = r->queue[i].next_waiting)
		if (gaspdb_grow(r->run, &r->ready, r->n_ready, &r->ready_room,
				sizeof *r->ready))
			r->ready[r->n_ready++] = r->queue[i].thread;
	s->first_waiting = NO_INDEX;
}

static void apply(struct replay *r, const struct gaspdb_sync_point *m,
		  struct sync *s)
{
	struct gaspdb_ideal_thread *t = &r->threads[m->thread];

	advance(r, m->thread, m->work_ns);
	for (int i = 0; i < GASPDB_REGIONS; i++) {
		int64_t *to = m->releases ? &s->clock_ns[i] : &t->clock_ns[i];
		const int64_t from =
			m->releases ? t->clock_ns[i] : s->clock_ns[i];

		if (from > *to)
			*to = from;
	}
	if (m->releases && --s->pending == 0)
		wake(r, s);
	end_point(r, s);
}

/* --- one time ------------------------------------------------------------- */

/* Process a thread's points up to one with pending releases; force: also the
   first such one. */
static void run_thread(struct replay *r, struct thread_queue *t, bool force)
{
	while (t->next < t->end && r->run->status == GASPDB_OK) {
		struct queued *p = &r->queue[t->next];
		struct sync *s = find_sync(r, &p->point);

		if (!s)
			return;
		if (!p->point.releases && s->pending && !force) {
			if (!p->listed) {
				p->next_waiting = s->first_waiting;
				s->first_waiting = t->next;
			}
			p->listed = true;
			return;
		}
		force = false;
		apply(r, &p->point, s);
		t->next++;
	}
}

static void replay_time(struct replay *r)
{
	size_t first = 0;

	for (size_t i = 0; i < r->n_active; i++)
		run_thread(r, &r->active[i], false);
	while (first < r->n_active && r->run->status == GASPDB_OK) {
		if (r->n_ready) {
			run_thread(r, &r->active[r->ready[--r->n_ready]],
				   false);
			continue;
		}
		while (first < r->n_active &&
		       r->active[first].next == r->active[first].end)
			first++;
		if (first < r->n_active)
			run_thread(r, &r->active[first], true);
	}
}

static bool next_point(struct replay *r, struct gaspdb_sync_point *m)
{
	const int64_t *row = gaspdb_sorter_next(r->points);

	if (row)
		*m = (struct gaspdb_sync_point){
			.at_ns = row[TIME],
			.thread = row[THREAD_POINTS] &
				  (((int64_t)1 << POINTS_SHIFT) - 1),
			.sync = row[SYNC] & ~((int64_t)1 << RELEASES_SHIFT),
			.work_ns = row[WORK],
			.parts = row[THREAD_POINTS] >> POINTS_SHIFT,
			.releases = row[SYNC] >> RELEASES_SHIFT
		};
	return row != NULL;
}

/* Process the only point of its time, which has no pending releases. */
static void replay_single(struct replay *r, const struct gaspdb_sync_point *m)
{
	struct sync *s = find_sync(r, m);

	if (!s)
		return;
	s->pending += m->releases;
	apply(r, m, s);
}

static void enqueue(struct replay *r, const struct gaspdb_sync_point *m)
{
	struct sync *s = find_sync(r, m);

	if (!s || r->n_queued == NO_INDEX ||
	    !gaspdb_grow(r->run, &r->queue, r->n_queued, &r->queue_room,
			 sizeof *r->queue))
		return;
	s->pending += m->releases;
	if (!r->n_queued ||
	    r->queue[r->n_queued - 1].point.thread != m->thread) {
		if (!gaspdb_grow(r->run, &r->active, r->n_active,
				 &r->active_room, sizeof *r->active))
			return;
		r->active[r->n_active++] =
			(struct thread_queue){ (uint32_t)r->n_queued,
					       (uint32_t)r->n_queued };
	}
	r->queue[r->n_queued++] =
		(struct queued){ .point = *m,
				 .thread = (uint32_t)r->n_active - 1 };
	r->active[r->n_active - 1].end++;
}

static void replay_all(struct replay *r)
{
	struct gaspdb_sync_point next, now;
	bool more = next_point(r, &next);

	while (more) {
		now = next;
		more = next_point(r, &next);
		if (!more || next.at_ns != now.at_ns) {
			replay_single(r, &now);
			continue;
		}
		r->n_queued = r->n_active = r->n_ready = 0;
		enqueue(r, &now);
		for (; more && next.at_ns == now.at_ns;
		     more = next_point(r, &next))
			enqueue(r, &next);
		replay_time(r);
	}
	for (int64_t i = 0; i < r->run->n_threads; i++)
		advance(r, i, r->threads[i].work_ns);
}

void gaspdb_ideal_replay(struct gaspdb_run *run, struct gaspdb_sorter *points,
			 struct gaspdb_ideal_thread *threads)
{
	struct replay r = { .run = run,
			    .points = points,
			    .threads = threads,
			    .free_sync = NO_INDEX };

	r.done_ns =
		gaspdb_zeroed(run, (size_t)run->n_threads, sizeof *r.done_ns);
	if (r.done_ns)
		replay_all(&r);
	free(r.done_ns);
	free(r.syncs);
	gaspdb_map_free(&r.index);
	free(r.queue);
	free(r.active);
	free(r.ready);
}
