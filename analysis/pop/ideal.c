/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All moments of all threads in order of time; what is known of a
 * synchronization is kept from its first moment to its last.
 *
 * Of one time several moments may be, on several threads, each needing another.
 * They go in the order that they need, each thread's in its own; where none
 * can, because they need each other, the lowest thread's next goes without.
 */
#include "analysis/pop/ideal.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* A synchronization under way. */
struct sync {
	int64_t number, parts; /* moments still to come */
	int64_t clock_ns[GASPDB_REGIONS];
	uint32_t pending; /* releases of the current time still to come */
	uint32_t waiting; /* the first moment that waits for them */
	uint32_t next;	  /* among the free */
};

/* A moment of the current time. */
struct part {
	struct gaspdb_moment moment;
	uint32_t turn;
	uint32_t waiting; /* the next of those that wait for the same */
	bool listed;	  /* among them */
};

/* One thread's moments of the current time. */
struct turn {
	uint32_t next, end; /* in parts */
};

struct replay {
	struct gaspdb_run *run;
	struct gaspdb_sorter *moments;
	struct gaspdb_ideal_thread *threads;
	int64_t *done_ns; /* by thread: the work that its clocks contain */
	struct sync *syncs;
	size_t n_syncs, syncs_room;
	uint32_t free_sync;
	struct gaspdb_map index; /* of syncs, by their numbers */
	struct part *parts;
	size_t n_parts, parts_room;
	struct turn *turns;
	size_t n_turns, turns_room;
	uint32_t *ready; /* turns that may go on */
	size_t n_ready, ready_room;
};

/* Of equal times the lowest thread's come first, in its order: so they are
   added. */
enum { AT, THREAD_PARTS, SYNC, WORK, COLUMNS };

/* Threads are fewer, and parts a few for each. */
enum { PARTS_SHIFT = 30 };

/* Of SYNC, above the number: it releases. */
#define RELEASES_SHIFT 62

void gaspdb_moments_init(struct gaspdb_sorter *moments, struct gaspdb_run *run)
{
	gaspdb_sorter_init(moments, run, COLUMNS, 1);
}

void gaspdb_moments_add(struct gaspdb_sorter *moments,
			const struct gaspdb_moment *m)
{
	int64_t *row = gaspdb_sorter_new_row(moments);

	if (!row)
		return;
	row[AT] = m->at_ns;
	row[THREAD_PARTS] = m->thread | m->parts << PARTS_SHIFT;
	row[SYNC] = m->sync | (int64_t)m->releases << RELEASES_SHIFT;
	row[WORK] = m->work_ns;
}

/* --- synchronizations ----------------------------------------------------- */

static uint32_t new_sync(struct replay *r)
{
	uint32_t at = r->free_sync;

	if (at != NOBODY) {
		r->free_sync = r->syncs[at].next;
		return at;
	}
	if (r->n_syncs == NOBODY ||
	    !gaspdb_grow(r->run, &r->syncs, r->n_syncs, &r->syncs_room,
			 sizeof *r->syncs))
		return NOBODY;
	return (uint32_t)r->n_syncs++;
}

/* That of a moment; NULL after a failure. */
static struct sync *find_sync(struct replay *r, const struct gaspdb_moment *m)
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
	if (at == NOBODY)
		return NULL;
	r->syncs[at] = (struct sync){ .number = m->sync,
				      .parts = m->parts,
				      .waiting = NOBODY };
	gaspdb_map_fill(&r->index, slot, number, at);
	return &r->syncs[at];
}

/* One of its moments has passed. */
static void end_part(struct replay *r, struct sync *s)
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

/* The thread has worked until then. */
static void advance(struct replay *r, int64_t thread, int64_t work_ns)
{
	struct gaspdb_ideal_thread *t = &r->threads[thread];
	const int64_t before_ns = r->done_ns[thread];

	for (int i = 0; i < GASPDB_REGIONS; i++)
		t->clock_ns[i] += clamp(work_ns, t->from_ns[i], t->to_ns[i]) -
				  clamp(before_ns, t->from_ns[i], t->to_ns[i]);
	r->done_ns[thread] = work_ns;
}

/* Let what waits for it look again. */
static void wake(struct replay *r, struct sync *s)
{
	for (uint32_t i = s->waiting; i != NOBODY; i = r->parts[i].waiting)
		if (gaspdb_grow(r->run, &r->ready, r->n_ready, &r->ready_room,
				sizeof *r->ready))
			r->ready[r->n_ready++] = r->parts[i].turn;
	s->waiting = NOBODY;
}

static void pass(struct replay *r, const struct gaspdb_moment *m,
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
	end_part(r, s);
}

/* --- one time ------------------------------------------------------------- */

/* A thread's moments, until one that needs what is still to come. */
static void go_on(struct replay *r, struct turn *turn, bool force)
{
	while (turn->next < turn->end && r->run->status == GASPDB_OK) {
		struct part *p = &r->parts[turn->next];
		struct sync *s = find_sync(r, &p->moment);

		if (!s)
			return;
		if (!p->moment.releases && s->pending && !force) {
			if (!p->listed) {
				p->waiting = s->waiting;
				s->waiting = turn->next;
			}
			p->listed = true;
			return;
		}
		force = false;
		pass(r, &p->moment, s);
		turn->next++;
	}
}

static void play_time(struct replay *r)
{
	size_t first = 0;

	for (size_t i = 0; i < r->n_turns; i++)
		go_on(r, &r->turns[i], false);
	while (first < r->n_turns && r->run->status == GASPDB_OK) {
		if (r->n_ready) {
			go_on(r, &r->turns[r->ready[--r->n_ready]], false);
			continue;
		}
		while (first < r->n_turns &&
		       r->turns[first].next == r->turns[first].end)
			first++;
		if (first < r->n_turns)
			go_on(r, &r->turns[first], true);
	}
}

static bool next_moment(struct replay *r, struct gaspdb_moment *m)
{
	const int64_t *row = gaspdb_sorter_next(r->moments);

	if (row)
		*m = (struct gaspdb_moment){
			.at_ns = row[AT],
			.thread = row[THREAD_PARTS] &
				  (((int64_t)1 << PARTS_SHIFT) - 1),
			.sync = row[SYNC] & ~((int64_t)1 << RELEASES_SHIFT),
			.work_ns = row[WORK],
			.parts = row[THREAD_PARTS] >> PARTS_SHIFT,
			.releases = row[SYNC] >> RELEASES_SHIFT
		};
	return row != NULL;
}

/* The only moment of its time: nothing that it needs is still to come. */
static void play_one(struct replay *r, const struct gaspdb_moment *m)
{
	struct sync *s = find_sync(r, m);

	if (!s)
		return;
	s->pending += m->releases;
	pass(r, m, s);
}

static void add_part(struct replay *r, const struct gaspdb_moment *m)
{
	struct sync *s = find_sync(r, m);

	if (!s || r->n_parts == NOBODY ||
	    !gaspdb_grow(r->run, &r->parts, r->n_parts, &r->parts_room,
			 sizeof *r->parts))
		return;
	s->pending += m->releases;
	if (!r->n_parts ||
	    r->parts[r->n_parts - 1].moment.thread != m->thread) {
		if (!gaspdb_grow(r->run, &r->turns, r->n_turns, &r->turns_room,
				 sizeof *r->turns))
			return;
		r->turns[r->n_turns++] = (struct turn){ (uint32_t)r->n_parts,
							(uint32_t)r->n_parts };
	}
	r->parts[r->n_parts++] =
		(struct part){ .moment = *m, .turn = (uint32_t)r->n_turns - 1 };
	r->turns[r->n_turns - 1].end++;
}

static void play(struct replay *r)
{
	struct gaspdb_moment next, now;
	bool more = next_moment(r, &next);

	while (more) {
		now = next;
		more = next_moment(r, &next);
		if (!more || next.at_ns != now.at_ns) {
			play_one(r, &now);
			continue;
		}
		r->n_parts = r->n_turns = r->n_ready = 0;
		add_part(r, &now);
		for (; more && next.at_ns == now.at_ns;
		     more = next_moment(r, &next))
			add_part(r, &next);
		play_time(r);
	}
	for (int64_t i = 0; i < r->run->n_threads; i++)
		advance(r, i, r->threads[i].work_ns);
}

void gaspdb_ideal_replay(struct gaspdb_run *run, struct gaspdb_sorter *moments,
			 struct gaspdb_ideal_thread *threads)
{
	struct replay r = { .run = run,
			    .moments = moments,
			    .threads = threads,
			    .free_sync = NOBODY };

	r.done_ns =
		gaspdb_zeroed(run, (size_t)run->n_threads, sizeof *r.done_ns);
	if (r.done_ns)
		play(&r);
	free(r.done_ns);
	free(r.syncs);
	gaspdb_map_free(&r.index);
	free(r.parts);
	free(r.turns);
	free(r.ready);
}
