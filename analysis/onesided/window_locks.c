/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lock of a window need not be had when MPI_Win_lock returns: MPI may wait
 * for it in an access, a flush or the unlock.  Holds of one lock, that was
 * given back, come in the order of their ends; who conflicts with the last of
 * those before has waited for it, in the call that was open then.
 *
 * Three steps: for each hold the one that it may have had to wait for, which
 * makes a moment; for each moment the call; then the holds again, each with its
 * call.
 */
#include "analysis/onesided/window_locks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/engine/syncs.h"
#include "analysis/onesided/window_calls.h"
#include "analysis/onesided/window_holds.h"
#include "common/sum.h"

/* A hold, and when the one that was in its way ended. */
enum moment {
	PROCESS,
	WINDOW,
	SINCE, /* between this */
	HOLD,  /* its number in their order */
	UNTIL, /* and that */
	FROM,  /* enter of its lock call */
	TARGET,
	MOMENT_COLUMNS
};

/* The call that waited, in the order in which several holds have chosen it:
   the one that ended last has it. */
enum choice {
	CALL,
	LATER, /* - the end of the waiting */
	OF,    /* HOLD */
	CALL_START,
	CALL_END,
	CALL_THREAD,
	CALL_SOURCE,
	WAITS, /* it is the one of its call */
	CHOICE_COLUMNS
};

/* A moment, and the best call so far. */
struct search {
	int64_t moment[MOMENT_COLUMNS];
	int64_t choice[CHOICE_COLUMNS]; /* CALL NONE: none */
};

struct locks {
	struct gaspdb_run *run;
	struct gaspdb_lock_uses *uses;
	struct gaspdb_syncs syncs;
	struct gaspdb_sorter calls, holds, unseen, moments, choices, by_hold;
	struct search *searches;
	size_t n_searches, room;
	struct gaspdb_lock_history all, exclusive;
};

/* --- holds ---------------------------------------------------------------- */

/* Walk over the holds, each of them once. */
struct holds {
	struct gaspdb_sorter *sorter;
	int64_t row[GASPDB_HOLD_COLUMNS]; /* EVENT NONE: none yet */
	int64_t number;
	/* The last one of this lock: any, an exclusive one. */
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

static void keep_last(struct holds *h)
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

	keep_last(h);
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

/* The last conflicting one before; NULL: none. */
static const int64_t *before(const struct holds *h)
{
	const int64_t *other =
		h->row[GASPDB_HOLD_EXCLUSIVE] ? h->last : h->exclusive;

	return other[GASPDB_HOLD_EVENT] == GASPDB_NONE ? NULL : other;
}

/* When that was given back; NONE: there is none. */
static int64_t free_at(const struct holds *h)
{
	const int64_t *other = before(h);

	return other ? gaspdb_min(other[GASPDB_HOLD_END],
				  h->row[GASPDB_HOLD_END])
		     : GASPDB_NONE;
}

/* Of those that were in their unlocks when their logs ended nobody knows who
   waited there for whom. */
static bool both_hang(const struct holds *h)
{
	const int64_t *other = before(h);

	return other && other[GASPDB_HOLD_STATE] == GASPDB_WINDOW_UNLOCKING &&
	       h->row[GASPDB_HOLD_STATE] == GASPDB_WINDOW_UNLOCKING;
}

static void find_moments(struct locks *l)
{
	struct holds h;

	walk_begin(&h, &l->holds);
	while (walk_next(&h)) {
		const int64_t until_ns = free_at(&h);

		if (until_ns <= h.row[GASPDB_HOLD_FROM] || both_hang(&h))
			continue;
		gaspdb_sorter_add(
			&l->moments,
			(int64_t[]){ [PROCESS] = h.row[GASPDB_HOLD_PROCESS],
				     [WINDOW] = h.row[GASPDB_HOLD_WINDOW],
				     [SINCE] =
					     before(&h)[GASPDB_HOLD_RELEASING],
				     [HOLD] = h.number,
				     [UNTIL] = until_ns,
				     [FROM] = h.row[GASPDB_HOLD_FROM],
				     [TARGET] = h.row[GASPDB_HOLD_TARGET] });
	}
}

/* --- calls ---------------------------------------------------------------- */

static bool may_wait(const int64_t *call, const int64_t *moment)
{
	switch ((enum gaspdb_window_what)call[GASPDB_WINDOW_WHAT]) {
	case GASPDB_WINDOW_LOCK:
	case GASPDB_WINDOW_UNLOCK:
	case GASPDB_WINDOW_SYNC:
		if (call[GASPDB_WINDOW_PEER] == GASPDB_NONE)
			break;
		/* fall through */
	case GASPDB_WINDOW_ACCESS:
		if (call[GASPDB_WINDOW_PEER] != moment[TARGET])
			return false;
		break;
	default:
		return false;
	}
	return call[GASPDB_WINDOW_AT] >= moment[FROM] &&
	       call[GASPDB_WINDOW_AT] <= moment[UNTIL] &&
	       call[GASPDB_WINDOW_END] >= moment[SINCE];
}

/* The lock was given back at some time between: of the calls that were open
   then, the one that had waited longest is the one that waited. */
static void consider(struct search *s, const int64_t *call)
{
	const int64_t to_ns =
		gaspdb_min(s->moment[UNTIL], call[GASPDB_WINDOW_END]);

	if (!may_wait(call, s->moment) ||
	    to_ns - call[GASPDB_WINDOW_AT] <=
		    -s->choice[LATER] - s->choice[CALL_START])
		return;
	s->choice[CALL] = call[GASPDB_WINDOW_EVENT];
	s->choice[LATER] = -to_ns;
	s->choice[CALL_START] = call[GASPDB_WINDOW_AT];
	s->choice[CALL_END] = call[GASPDB_WINDOW_END];
	s->choice[CALL_THREAD] = call[GASPDB_WINDOW_THREAD];
	s->choice[CALL_SOURCE] = call[GASPDB_WINDOW_SOURCE];
}

static void add_search(struct locks *l, const int64_t *moment)
{
	struct search *s;

	if (!gaspdb_grow(l->run, &l->searches, l->n_searches, &l->room,
			 sizeof(*l->searches)))
		return;
	s = &l->searches[l->n_searches++];
	memcpy(s->moment, moment, sizeof(s->moment));
	memset(s->choice, 0, sizeof(s->choice));
	s->choice[CALL] = GASPDB_NONE;
	s->choice[OF] = moment[HOLD];
}

/* Those whose time is over; at_ns NONE: all. */
static void end_searches(struct locks *l, int64_t at_ns)
{
	for (size_t i = 0; i < l->n_searches;) {
		struct search *s = &l->searches[i];

		if (at_ns != GASPDB_NONE && s->moment[UNTIL] >= at_ns) {
			i++;
			continue;
		}
		if (s->choice[CALL] != GASPDB_NONE)
			gaspdb_sorter_add(&l->choices, s->choice);
		*s = l->searches[--l->n_searches];
	}
}

static int compare(const int64_t *call, const int64_t *moment)
{
	if (call[GASPDB_WINDOW_PROCESS] != moment[PROCESS])
		return call[GASPDB_WINDOW_PROCESS] < moment[PROCESS] ? -1 : 1;
	return (call[GASPDB_WINDOW_NUMBER] > moment[WINDOW]) -
	       (call[GASPDB_WINDOW_NUMBER] < moment[WINDOW]);
}

/* Calls and moments of each process and window, in order of time. */
static void find_calls(struct locks *l)
{
	int64_t process = GASPDB_NONE, window = GASPDB_NONE;
	const int64_t *call, *moment = gaspdb_sorter_next(&l->moments);

	gaspdb_sorter_rewind(&l->calls);
	while ((call = gaspdb_sorter_next(&l->calls))) {
		const bool same = call[GASPDB_WINDOW_PROCESS] == process &&
				  call[GASPDB_WINDOW_NUMBER] == window;

		end_searches(l, same ? call[GASPDB_WINDOW_AT] : GASPDB_NONE);
		process = call[GASPDB_WINDOW_PROCESS];
		window = call[GASPDB_WINDOW_NUMBER];
		while (moment && (compare(call, moment) > 0 ||
				  (!compare(call, moment) &&
				   moment[SINCE] <= call[GASPDB_WINDOW_END]))) {
			if (!compare(call, moment))
				add_search(l, moment);
			moment = gaspdb_sorter_next(&l->moments);
		}
		for (size_t i = 0; i < l->n_searches; i++)
			consider(&l->searches[i], call);
	}
	end_searches(l, GASPDB_NONE);
}

/* A call of several targets waits once: until the last of them is free. */
static void share_calls(struct locks *l)
{
	int64_t last = GASPDB_NONE;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&l->choices))) {
		int64_t choice[CHOICE_COLUMNS];

		memcpy(choice, row, sizeof(choice));
		choice[WAITS] = row[CALL] != last;
		last = row[CALL];
		choice[CALL] = row[OF];
		choice[OF] = row[CALL];
		gaspdb_sorter_add(&l->by_hold, choice);
	}
}

/* --- uses ----------------------------------------------------------------- */

static int64_t not_recorded(const struct locks *l, int64_t from_ns,
			    int64_t until_ns)
{
	return gaspdb_unrecorded_between(l->uses->unrecorded, GASPDB_NONE,
					 from_ns, until_ns);
}

/* Its waiting; returns the call that ended with the lock. */
static int64_t write_wait(struct locks *l, const int64_t *hold,
			  const int64_t *choice, struct gaspdb_lock_use *use)
{
	const int64_t end_ns = -choice[LATER];
	const struct gaspdb_lock_call call = { .event = choice[OF],
					       .source = choice[CALL_SOURCE],
					       .thread = choice[CALL_THREAD],
					       .start_ns = choice[CALL_START],
					       .end_ns = choice[CALL_END] };

	if (choice[WAITS]) {
		use->contended_ns = end_ns - call.start_ns;
		gaspdb_lock_uses_split(
			l->uses, hold[GASPDB_HOLD_OBJECT], &call, end_ns,
			not_recorded(l, end_ns, call.end_ns),
			hold[GASPDB_HOLD_EXCLUSIVE] ? &l->all : &l->exclusive);
	}
	return call.event;
}

/* Of the lock call what is no waiting: while all were recorded, and while one
   was not, which may have held the lock. */
static void share_latency(struct locks *l, struct gaspdb_lock_use *use,
			  int64_t waiting_call)
{
	const bool waited = waiting_call == use->by.event;
	const int64_t from_ns =
		use->by.start_ns + (waited ? use->contended_ns : 0);

	use->unknown_ns = not_recorded(l, from_ns, use->by.end_ns);
	use->latency_ns = use->by.end_ns - from_ns - use->unknown_ns;
	if (!waited || !use->contended_ns)
		gaspdb_lock_uses_unknown(l->uses, &use->by, use->unknown_ns);
}

/* choice NULL: it did not wait. */
static void take_hold(struct locks *l, const struct holds *h,
		      const int64_t *choice)
{
	const int64_t *row = h->row, *other = before(h);
	struct gaspdb_lock_use use = {
		.by = { row[GASPDB_HOLD_EVENT], row[GASPDB_HOLD_SOURCE],
			row[GASPDB_HOLD_THREAD], row[GASPDB_HOLD_FROM],
			row[GASPDB_HOLD_TAKEN] },
		.taken_ns = gaspdb_max(row[GASPDB_HOLD_TAKEN], free_at(h)),
		.end_ns = row[GASPDB_HOLD_END],
		.release = row[GASPDB_HOLD_UNLOCK]
	};
	const int64_t call =
		choice ? write_wait(l, row, choice, &use) : use.by.event;
	struct gaspdb_hold hold = { use.by.event, use.by.source, use.by.thread,
				    use.taken_ns, use.end_ns,	 use.taken_ns,
				    use.end_ns };
	int64_t id;

	if (row[GASPDB_HOLD_STATE] == GASPDB_WINDOW_LOCKING)
		return;
	share_latency(l, &use, call);
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
	const int64_t *choice = gaspdb_sorter_next(&l->by_hold);
	struct holds h;

	gaspdb_sorter_rewind(&l->holds);
	walk_begin(&h, &l->holds);
	while (walk_next(&h)) {
		const bool waited = choice && choice[CALL] == h.number;

		if (h.new_lock) {
			gaspdb_lock_history_clear(&l->all);
			gaspdb_lock_history_clear(&l->exclusive);
		}
		take_hold(l, &h, waited ? choice : NULL);
		if (waited)
			choice = gaspdb_sorter_next(&l->by_hold);
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
	gaspdb_window_holds(run, uses->unrecorded, &l.calls, &l.holds, &l.unseen);
	gaspdb_unrecorded_open(&unrecorded, run, 0, &l.unseen);
	uses->unrecorded = &unrecorded;
	gaspdb_sorter_init(&l.moments, run, MOMENT_COLUMNS, HOLD + 1);
	gaspdb_sorter_init(&l.choices, run, CHOICE_COLUMNS, OF + 1);
	gaspdb_sorter_init(&l.by_hold, run, CHOICE_COLUMNS, CALL + 1);
	find_moments(&l);
	find_calls(&l);
	share_calls(&l);
	write_uses(&l);
	gaspdb_sorter_fini(&l.calls);
	gaspdb_sorter_fini(&l.holds);
	gaspdb_sorter_fini(&l.unseen);
	gaspdb_sorter_fini(&l.moments);
	gaspdb_sorter_fini(&l.choices);
	gaspdb_sorter_fini(&l.by_hold);
	gaspdb_lock_history_free(&l.all);
	gaspdb_lock_history_free(&l.exclusive);
	uses->unrecorded = recorded;
	gaspdb_unrecorded_close(&unrecorded);
	free(l.searches);
}
