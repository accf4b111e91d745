/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits for window locks. MPI_Win_lock may return before the lock is granted:
 * MPI then waits in an access, a flush or the unlock. Holds of one lock are
 * sorted by their ends. A hold that conflicts with the last one before it
 * waited for its end, in the call that was open then.
 *
 * Three steps: find the conflict of each hold, find the call that waited in
 * each conflict, then write the holds with these calls.
 */
#include "analysis/locks/window_locks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/engine/syncs.h"
#include "analysis/onesided/window_calls.h"
#include "analysis/locks/window_holds.h"
#include "common/sum.h"

/* A hold that waited for a conflicting one, which ended between SINCE and
   UNTIL. */
enum conflict_column {
	PROCESS,
	WINDOW,
	SINCE,
	HOLD, /* ordinal of the waiting hold */
	UNTIL,
	FROM, /* enter of its lock call */
	TARGET,
	CONFLICT_COLUMNS
};

/* A call that waited in a conflict. A call can wait in several conflicts; the
   last to end is first in this order. */
enum waiter_column {
	CALL,
	MINUS_END, /* negated end of the wait */
	OF_HOLD,   /* HOLD of the conflict */
	CALL_START,
	CALL_END,
	CALL_THREAD,
	CALL_SOURCE,
	IS_LAST, /* the last conflict of its call */
	WAITER_COLUMNS
};

/* A conflict, and the best candidate for its call so far. */
struct search {
	int64_t conflict[CONFLICT_COLUMNS];
	int64_t waiter[WAITER_COLUMNS]; /* CALL NONE: none */
};

struct locks {
	struct gaspdb_run *run;
	struct gaspdb_lock_uses *uses;
	struct gaspdb_syncs syncs;
	struct gaspdb_sorter calls, holds, unseen, conflicts, waiters,
		waiters_by_hold;
	struct search *searches;
	size_t n_searches, room;
	struct gaspdb_lock_history all, exclusive;
};

/* --- holds ---------------------------------------------------------------- */

/* Iterator over the holds, without repeated rows. */
struct holds {
	struct gaspdb_sorter *sorter;
	int64_t row[GASPDB_HOLD_COLUMNS]; /* EVENT NONE: none yet */
	int64_t number;			  /* ordinal */
	/* The last hold, and the last exclusive one, of this lock. */
	int64_t last[GASPDB_HOLD_COLUMNS], exclusive[GASPDB_HOLD_COLUMNS];
	bool new_lock;
};

static void walk_begin(struct holds *h, struct gaspdb_sorter *sorter)
{
	h->sorter = sorter;
	h->number = -1;
	h->row[GASPDB_HOLD_OBJECT] = GASPDB_NONE;
	h->row[GASPDB_HOLD_EVENT] = GASPDB_NONE;
}

static void save_last(struct holds *h)
{
	if (h->row[GASPDB_HOLD_EVENT] == GASPDB_NONE ||
	    h->row[GASPDB_HOLD_STATE] == GASPDB_WINDOW_LOCKING)
		return;
	memcpy(h->last, h->row, sizeof(h->last));
	if (h->row[GASPDB_HOLD_EXCLUSIVE])
		memcpy(h->exclusive, h->row, sizeof(h->exclusive));
}

static bool walk_next(struct holds *h)
{
	const int64_t *row;

	save_last(h);
	do
		row = gaspdb_sorter_next(h->sorter);
	while (row && row[GASPDB_HOLD_OBJECT] == h->row[GASPDB_HOLD_OBJECT] &&
	       row[GASPDB_HOLD_EVENT] == h->row[GASPDB_HOLD_EVENT]);
	if (!row)
		return false;
	h->new_lock = row[GASPDB_HOLD_OBJECT] != h->row[GASPDB_HOLD_OBJECT];
	if (h->new_lock)
		h->last[GASPDB_HOLD_EVENT] = h->exclusive[GASPDB_HOLD_EVENT] =
			GASPDB_NONE;
	memcpy(h->row, row, sizeof(h->row));
	h->number++;
	return true;
}

/* The last conflicting hold before the current one; NULL: none. */
static const int64_t *conflicting(const struct holds *h)
{
	const int64_t *other =
		h->row[GASPDB_HOLD_EXCLUSIVE] ? h->last : h->exclusive;

	return other[GASPDB_HOLD_EVENT] == GASPDB_NONE ? NULL : other;
}

/* The end of the conflicting hold; NONE: no such hold. */
static int64_t free_at(const struct holds *h)
{
	const int64_t *other = conflicting(h);

	return other ? gaspdb_min(other[GASPDB_HOLD_END],
				  h->row[GASPDB_HOLD_END])
		     : GASPDB_NONE;
}

/* Do the logs of both conflicting holds end in their unlocks? Then the order of
   the two is unknown. */
static bool both_unlocking(const struct holds *h)
{
	const int64_t *other = conflicting(h);

	return other && other[GASPDB_HOLD_STATE] == GASPDB_WINDOW_UNLOCKING &&
	       h->row[GASPDB_HOLD_STATE] == GASPDB_WINDOW_UNLOCKING;
}

static void find_conflicts(struct locks *l)
{
	struct holds h;

	walk_begin(&h, &l->holds);
	while (walk_next(&h)) {
		const int64_t until_ns = free_at(&h);

		if (until_ns <= h.row[GASPDB_HOLD_REQUESTED] ||
		    both_unlocking(&h))
			continue;
		gaspdb_sorter_add(
			&l->conflicts,
			(int64_t[]){ [PROCESS] = h.row[GASPDB_HOLD_PROCESS],
				     [WINDOW] = h.row[GASPDB_HOLD_WINDOW],
				     [SINCE] = conflicting(
					     &h)[GASPDB_HOLD_RELEASING],
				     [HOLD] = h.number,
				     [UNTIL] = until_ns,
				     [FROM] = h.row[GASPDB_HOLD_REQUESTED],
				     [TARGET] = h.row[GASPDB_HOLD_TARGET] });
	}
}

/* --- calls ---------------------------------------------------------------- */

static bool may_wait(const int64_t *call, const int64_t *conflict)
{
	switch ((enum gaspdb_window_kind)call[GASPDB_WINDOW_KIND]) {
	case GASPDB_WINDOW_LOCK:
	case GASPDB_WINDOW_UNLOCK:
	case GASPDB_WINDOW_SYNC:
		if (call[GASPDB_WINDOW_PEER] == GASPDB_NONE)
			break;
		/* fall through */
	case GASPDB_WINDOW_ACCESS:
		if (call[GASPDB_WINDOW_PEER] != conflict[TARGET])
			return false;
		break;
	default:
		return false;
	}
	return call[GASPDB_WINDOW_ENTER] >= conflict[FROM] &&
	       call[GASPDB_WINDOW_ENTER] <= conflict[UNTIL] &&
	       call[GASPDB_WINDOW_LEAVE] >= conflict[SINCE];
}

/* Compare a call with the candidate. Of the calls that were open between SINCE
   and UNTIL, the one with the longest wait is chosen. */
static void consider(struct search *s, const int64_t *call)
{
	const int64_t to_ns =
		gaspdb_min(s->conflict[UNTIL], call[GASPDB_WINDOW_LEAVE]);

	if (!may_wait(call, s->conflict) ||
	    to_ns - call[GASPDB_WINDOW_ENTER] <=
		    -s->waiter[MINUS_END] - s->waiter[CALL_START])
		return;
	s->waiter[CALL] = call[GASPDB_WINDOW_EVENT];
	s->waiter[MINUS_END] = -to_ns;
	s->waiter[CALL_START] = call[GASPDB_WINDOW_ENTER];
	s->waiter[CALL_END] = call[GASPDB_WINDOW_LEAVE];
	s->waiter[CALL_THREAD] = call[GASPDB_WINDOW_THREAD];
	s->waiter[CALL_SOURCE] = call[GASPDB_WINDOW_SOURCE];
}

static void add_search(struct locks *l, const int64_t *conflict)
{
	struct search *s;

	if (!gaspdb_grow(l->run, &l->searches, l->n_searches, &l->room,
			 sizeof(*l->searches)))
		return;
	s = &l->searches[l->n_searches++];
	memcpy(s->conflict, conflict, sizeof(s->conflict));
	memset(s->waiter, 0, sizeof(s->waiter));
	s->waiter[CALL] = GASPDB_NONE;
	s->waiter[OF_HOLD] = conflict[HOLD];
}

/* End the searches whose conflict ended before at_ns; NONE: all. */
static void end_searches(struct locks *l, int64_t at_ns)
{
	for (size_t i = 0; i < l->n_searches;) {
		struct search *s = &l->searches[i];

		if (at_ns != GASPDB_NONE && s->conflict[UNTIL] >= at_ns) {
			i++;
			continue;
		}
		if (s->waiter[CALL] != GASPDB_NONE)
			gaspdb_sorter_add(&l->waiters, s->waiter);
		*s = l->searches[--l->n_searches];
	}
}

static int compare(const int64_t *call, const int64_t *conflict)
{
	if (call[GASPDB_WINDOW_PROCESS] != conflict[PROCESS])
		return call[GASPDB_WINDOW_PROCESS] < conflict[PROCESS] ? -1 : 1;
	return (call[GASPDB_WINDOW_NUMBER] > conflict[WINDOW]) -
	       (call[GASPDB_WINDOW_NUMBER] < conflict[WINDOW]);
}

/* Merge calls and conflicts of each process and window in the order of time. */
static void find_waiters(struct locks *l)
{
	int64_t process = GASPDB_NONE, window = GASPDB_NONE;
	const int64_t *call, *conflict = gaspdb_sorter_next(&l->conflicts);

	gaspdb_sorter_rewind(&l->calls);
	while ((call = gaspdb_sorter_next(&l->calls))) {
		const bool same = call[GASPDB_WINDOW_PROCESS] == process &&
				  call[GASPDB_WINDOW_NUMBER] == window;

		end_searches(l, same ? call[GASPDB_WINDOW_ENTER] : GASPDB_NONE);
		process = call[GASPDB_WINDOW_PROCESS];
		window = call[GASPDB_WINDOW_NUMBER];
		while (conflict &&
		       (compare(call, conflict) > 0 ||
			(!compare(call, conflict) &&
			 conflict[SINCE] <= call[GASPDB_WINDOW_LEAVE]))) {
			if (!compare(call, conflict))
				add_search(l, conflict);
			conflict = gaspdb_sorter_next(&l->conflicts);
		}
		for (size_t i = 0; i < l->n_searches; i++)
			consider(&l->searches[i], call);
	}
	end_searches(l, GASPDB_NONE);
}

/* A call on several targets has one wait, until the last of them is free. */
static void choose_last_hold(struct locks *l)
{
	int64_t last = GASPDB_NONE;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&l->waiters))) {
		int64_t waiter[WAITER_COLUMNS];

		memcpy(waiter, row, sizeof(waiter));
		waiter[IS_LAST] = row[CALL] != last;
		last = row[CALL];
		waiter[CALL] = row[OF_HOLD];
		waiter[OF_HOLD] = row[CALL];
		gaspdb_sorter_add(&l->waiters_by_hold, waiter);
	}
}

/* --- uses ----------------------------------------------------------------- */

static int64_t unrecorded_ns(const struct locks *l, int64_t from_ns,
			     int64_t until_ns)
{
	return gaspdb_unrecorded_between(l->uses->unrecorded, GASPDB_NONE,
					 from_ns, until_ns);
}

/* Write the wait of a hold; returns the event of the call that waited. */
static int64_t write_wait(struct locks *l, const int64_t *hold,
			  const int64_t *waiter, struct gaspdb_lock_use *use)
{
	const int64_t end_ns = -waiter[MINUS_END];
	const struct gaspdb_lock_call call = { .event = waiter[OF_HOLD],
					       .source = waiter[CALL_SOURCE],
					       .thread = waiter[CALL_THREAD],
					       .start_ns = waiter[CALL_START],
					       .end_ns = waiter[CALL_END] };

	if (waiter[IS_LAST]) {
		use->contended_ns = end_ns - call.start_ns;
		gaspdb_lock_uses_split(
			l->uses, hold[GASPDB_HOLD_OBJECT], &call, end_ns,
			unrecorded_ns(l, end_ns, call.end_ns),
			hold[GASPDB_HOLD_EXCLUSIVE] ? &l->all : &l->exclusive);
	}
	return call.event;
}

/* Set the rest of the lock call, which is no known wait: latency while all
   processes were recorded, unknown while one was not. */
static void set_latency(struct locks *l, struct gaspdb_lock_use *use,
			int64_t waiting_call)
{
	const bool waited = waiting_call == use->by.event;
	const int64_t from_ns =
		use->by.start_ns + (waited ? use->contended_ns : 0);

	use->unknown_ns = unrecorded_ns(l, from_ns, use->by.end_ns);
	use->latency_ns = use->by.end_ns - from_ns - use->unknown_ns;
	if (!waited || !use->contended_ns)
		gaspdb_lock_uses_unknown(l->uses, &use->by, use->unknown_ns);
}

/* Write the row of a hold; waiter NULL: it did not wait. */
static void process_hold(struct locks *l, const struct holds *h,
			 const int64_t *waiter)
{
	const int64_t *row = h->row, *other = conflicting(h);
	struct gaspdb_lock_use use = {
		.by = { row[GASPDB_HOLD_EVENT], row[GASPDB_HOLD_SOURCE],
			row[GASPDB_HOLD_THREAD], row[GASPDB_HOLD_REQUESTED],
			row[GASPDB_HOLD_ACQUIRED] },
		.taken_ns = gaspdb_max(row[GASPDB_HOLD_ACQUIRED], free_at(h)),
		.end_ns = row[GASPDB_HOLD_END],
		.release = row[GASPDB_HOLD_UNLOCK]
	};
	const int64_t call =
		waiter ? write_wait(l, row, waiter, &use) : use.by.event;
	struct gaspdb_hold hold = { use.by.event, use.by.source, use.by.thread,
				    use.taken_ns, use.end_ns,	 use.taken_ns,
				    use.end_ns };
	int64_t id;

	if (row[GASPDB_HOLD_STATE] == GASPDB_WINDOW_LOCKING)
		return;
	set_latency(l, &use, call);
	id = gaspdb_lock_uses_add(l->uses, row[GASPDB_HOLD_OBJECT], &use);
	if (other && other[GASPDB_HOLD_UNLOCK] != GASPDB_NONE)
		gaspdb_syncs_pair(&l->syncs, GASPDB_SYNC_LOCK, id,
				  other[GASPDB_HOLD_UNLOCK], call);
	gaspdb_lock_history_add(&l->all, &hold);
	if (row[GASPDB_HOLD_EXCLUSIVE])
		gaspdb_lock_history_add(&l->exclusive, &hold);
}

static void write_uses(struct locks *l)
{
	const int64_t *waiter = gaspdb_sorter_next(&l->waiters_by_hold);
	struct holds h;

	gaspdb_sorter_rewind(&l->holds);
	walk_begin(&h, &l->holds);
	while (walk_next(&h)) {
		const bool waited = waiter && waiter[CALL] == h.number;

		if (h.new_lock) {
			gaspdb_lock_history_clear(&l->all);
			gaspdb_lock_history_clear(&l->exclusive);
		}
		process_hold(l, &h, waited ? waiter : NULL);
		if (waited)
			waiter = gaspdb_sorter_next(&l->waiters_by_hold);
	}
}

void gaspdb_window_locks(struct gaspdb_run *run, struct gaspdb_lock_uses *uses)
{
	struct locks l = {
		.run = run, .uses = uses, .all.run = run, .exclusive.run = run
	};
	const struct gaspdb_unrecorded *recorded = uses->unrecorded;
	struct gaspdb_unrecorded unrecorded; /* and unseen holds */

	gaspdb_syncs_open(&l.syncs, run);
	gaspdb_window_calls_gather(run, &l.calls);
	gaspdb_window_holds(run, uses->unrecorded, &l.calls, &l.holds,
			    &l.unseen);
	gaspdb_unrecorded_open(&unrecorded, run, 0, &l.unseen);
	uses->unrecorded = &unrecorded;
	gaspdb_sorter_init(&l.conflicts, run, CONFLICT_COLUMNS, HOLD + 1);
	gaspdb_sorter_init(&l.waiters, run, WAITER_COLUMNS, OF_HOLD + 1);
	gaspdb_sorter_init(&l.waiters_by_hold, run, WAITER_COLUMNS, CALL + 1);
	find_conflicts(&l);
	find_waiters(&l);
	choose_last_hold(&l);
	write_uses(&l);
	gaspdb_sorter_fini(&l.calls);
	gaspdb_sorter_fini(&l.holds);
	gaspdb_sorter_fini(&l.unseen);
	gaspdb_sorter_fini(&l.conflicts);
	gaspdb_sorter_fini(&l.waiters);
	gaspdb_sorter_fini(&l.waiters_by_hold);
	gaspdb_lock_history_free(&l.all);
	gaspdb_lock_history_free(&l.exclusive);
	uses->unrecorded = recorded;
	gaspdb_unrecorded_close(&unrecorded);
	free(l.searches);
}
