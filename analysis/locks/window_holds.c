/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweep over window calls for holds of locks. A lock of all targets is a hold
 * of every target. It becomes a row only for targets with a conflicting hold at
 * the same time: with 10,000 processes it would be 10,000 rows each.
 */
#include "analysis/locks/window_holds.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/groups.h"
#include "analysis/engine/quality.h"
#include "analysis/onesided/window_calls.h"
#include "common/sum.h"

/* Steps of the sweep over one lock's holds, in this order at one time. */
enum step {
	BEGIN,	   /* earliest end of the hold */
	UNLOCKING, /* enter of the unlock: it has the lock */
	RETURN	   /* return of the lock call: it has the lock, and may have
		      waited for it until now */
};

/* Active holds of the sweep. */
struct list {
	int64_t (*rows)[GASPDB_HOLD_COLUMNS];
	size_t n, room;
	size_t full; /* number of rows that triggers removal of ended ones */
};

struct holds {
	struct gaspdb_run *run;
	const struct gaspdb_unrecorded *unrecorded;
	struct gaspdb_sorter joins, steps, *out, *unseen;
	struct gaspdb_groups open_epochs; /* of one process and window; target:
					     the row */
	struct list lists[2];		  /* shared, exclusive */
	int64_t process, window;
	struct gaspdb_quality_row unknown;
};

static void list_add(struct holds *h, struct list *l, const int64_t *row)
{
	if (gaspdb_grow(h->run, &l->rows, l->n, &l->room, sizeof(*l->rows)))
		memcpy(l->rows[l->n++], row, sizeof(*l->rows));
}

static void list_remove(struct list *l, size_t i)
{
	memcpy(l->rows[i], l->rows[--l->n], sizeof(*l->rows));
}

/* --- epochs --------------------------------------------------------------- */

static void add_step(struct holds *h, const int64_t *hold, enum step step,
		     int64_t at_ns)
{
	int64_t row[GASPDB_HOLD_COLUMNS];

	memcpy(row, hold, sizeof(row));
	row[GASPDB_HOLD_TIME] = at_ns;
	row[GASPDB_HOLD_STEP] = step;
	gaspdb_sorter_add(&h->steps, row);
}

/* Add a hold of one target. Window and target make one number, above the
   objects of shared memory. */
static void add_hold(struct holds *h, const int64_t *epoch, int64_t target)
{
	int64_t row[GASPDB_HOLD_COLUMNS];

	memcpy(row, epoch, sizeof(row));
	row[GASPDB_HOLD_TARGET] = target;
	row[GASPDB_HOLD_OBJECT] =
		(int64_t)1 << 61 | row[GASPDB_HOLD_TEAM] << 32 | target;
	if (row[GASPDB_HOLD_STATE] == GASPDB_WINDOW_LOCKING) {
		row[GASPDB_HOLD_TIME] = INT64_MAX;
		row[GASPDB_HOLD_STEP] = BEGIN;
		gaspdb_sorter_add(h->out, row);
		return;
	}
	add_step(h, row, BEGIN, row[GASPDB_HOLD_RELEASING]);
	add_step(h, row, RETURN, row[GASPDB_HOLD_ACQUIRED]);
	if (row[GASPDB_HOLD_STATE] == GASPDB_WINDOW_RELEASED)
		add_step(h, row, UNLOCKING, row[GASPDB_HOLD_RELEASING]);
}

static void add_epoch(struct holds *h, int64_t *epoch)
{
	const bool all = epoch[GASPDB_HOLD_TARGET] == GASPDB_NONE;

	if (epoch[GASPDB_HOLD_TEAM] < 0 || epoch[GASPDB_HOLD_TEAM] >> 29) {
		gaspdb_quality_count(&h->unknown, epoch[GASPDB_HOLD_THREAD],
				     epoch[GASPDB_HOLD_EVENT],
				     epoch[GASPDB_HOLD_ACQUIRED] -
					     epoch[GASPDB_HOLD_REQUESTED]);
		return;
	}
	/* MPI_PROC_NULL: an exclusive lock without a target never waits. */
	if (all && epoch[GASPDB_HOLD_EXCLUSIVE])
		return;
	if (!all)
		add_hold(h, epoch, epoch[GASPDB_HOLD_TARGET]);
	if (!all && !epoch[GASPDB_HOLD_EXCLUSIVE])
		return;
	epoch[GASPDB_HOLD_OBJECT] = epoch[GASPDB_HOLD_TEAM];
	epoch[GASPDB_HOLD_TIME] = epoch[GASPDB_HOLD_REQUESTED];
	epoch[GASPDB_HOLD_STEP] = BEGIN;
	gaspdb_sorter_add(&h->joins, epoch);
}

/* End an epoch without a recorded unlock, at the latest at end_ns. */
static void end_unreleased(struct holds *h, int64_t *epoch, int64_t end_ns,
			   enum gaspdb_window_state state)
{
	epoch[GASPDB_HOLD_RELEASING] = epoch[GASPDB_HOLD_ACQUIRED];
	epoch[GASPDB_HOLD_END] = end_ns;
	if (state == GASPDB_WINDOW_UNRELEASED)
		epoch[GASPDB_HOLD_END] = gaspdb_min(
			end_ns,
			gaspdb_unrecorded_next(h->unrecorded, h->process,
					       epoch[GASPDB_HOLD_ACQUIRED]));
	epoch[GASPDB_HOLD_UNLOCK] = GASPDB_NONE;
	epoch[GASPDB_HOLD_STATE] = state;
	add_epoch(h, epoch);
	epoch[GASPDB_HOLD_EVENT] = 0;
}

static void begin(struct holds *h, const int64_t *call)
{
	int64_t *epoch = gaspdb_group(h->run, &h->open_epochs,
				      &call[GASPDB_WINDOW_PEER]);

	if (!epoch)
		return;
	if (epoch[GASPDB_HOLD_EVENT])
		end_unreleased(h, epoch, call[GASPDB_WINDOW_ENTER],
			       GASPDB_WINDOW_UNRELEASED);
	epoch[GASPDB_HOLD_EVENT] = call[GASPDB_WINDOW_EVENT];
	epoch[GASPDB_HOLD_REQUESTED] = call[GASPDB_WINDOW_ENTER];
	epoch[GASPDB_HOLD_ACQUIRED] = call[GASPDB_WINDOW_LEAVE];
	epoch[GASPDB_HOLD_THREAD] = call[GASPDB_WINDOW_THREAD];
	epoch[GASPDB_HOLD_SOURCE] = call[GASPDB_WINDOW_SOURCE];
	epoch[GASPDB_HOLD_EXCLUSIVE] = call[GASPDB_WINDOW_EXCLUSIVE];
	epoch[GASPDB_HOLD_PROCESS] = h->process;
	epoch[GASPDB_HOLD_WINDOW] = h->window;
	epoch[GASPDB_HOLD_TEAM] = call[GASPDB_WINDOW_TEAM];
	epoch[GASPDB_HOLD_TARGET] = call[GASPDB_WINDOW_PEER];
	if (call[GASPDB_WINDOW_OPEN])
		end_unreleased(h, epoch, call[GASPDB_WINDOW_LEAVE],
			       GASPDB_WINDOW_LOCKING);
}

/* Add an unlock without a lock call since the epoch `before`. The lock call was
   in an unrecorded interval, so the process held the lock at its end. */
static void end_unseen(struct holds *h, const int64_t *before,
		       const int64_t *call)
{
	const int64_t had_ns = gaspdb_unrecorded_last(
		h->unrecorded, h->process, call[GASPDB_WINDOW_ENTER]);

	if (had_ns > (before ? before[GASPDB_HOLD_END] : INT64_MIN))
		gaspdb_sorter_add(h->unseen,
				  (int64_t[]){ GASPDB_NONE, had_ns,
					       call[GASPDB_WINDOW_LEAVE] });
}

static void end(struct holds *h, const int64_t *call)
{
	int64_t *epoch =
		gaspdb_groups_find(&h->open_epochs, &call[GASPDB_WINDOW_PEER]);

	if (!epoch || !epoch[GASPDB_HOLD_EVENT]) {
		end_unseen(h, epoch, call);
		return;
	}
	epoch[GASPDB_HOLD_RELEASING] = call[GASPDB_WINDOW_ENTER];
	epoch[GASPDB_HOLD_END] = call[GASPDB_WINDOW_LEAVE];
	epoch[GASPDB_HOLD_UNLOCK] = call[GASPDB_WINDOW_EVENT];
	epoch[GASPDB_HOLD_STATE] = call[GASPDB_WINDOW_OPEN]
					   ? GASPDB_WINDOW_UNLOCKING
					   : GASPDB_WINDOW_RELEASED;
	add_epoch(h, epoch);
	epoch[GASPDB_HOLD_EVENT] = 0;
}

static void finish_window(struct holds *h)
{
	for (size_t i = 0; i < h->open_epochs.n; i++) {
		int64_t *epoch = gaspdb_groups_row(&h->open_epochs, i) + 1;
		const struct gaspdb_run_thread *t =
			epoch[GASPDB_HOLD_EVENT]
				? gaspdb_run_thread(h->run,
						    epoch[GASPDB_HOLD_THREAD])
				: NULL;

		if (t)
			end_unreleased(h, epoch, t->last_ns,
				       GASPDB_WINDOW_UNRELEASED);
	}
	gaspdb_groups_clear(&h->open_epochs);
}

static void find_epochs(struct holds *h, struct gaspdb_sorter *calls)
{
	const int64_t *call;

	while ((call = gaspdb_sorter_next(calls))) {
		if (call[GASPDB_WINDOW_PROCESS] != h->process ||
		    call[GASPDB_WINDOW_NUMBER] != h->window) {
			finish_window(h);
			h->process = call[GASPDB_WINDOW_PROCESS];
			h->window = call[GASPDB_WINDOW_NUMBER];
		}
		if (call[GASPDB_WINDOW_KIND] == GASPDB_WINDOW_LOCK)
			begin(h, call);
		else if (call[GASPDB_WINDOW_KIND] == GASPDB_WINDOW_UNLOCK)
			end(h, call);
	}
	finish_window(h);
}

/* --- locks of all targets ------------------------------------------------- */

/* Interval join, in the order of time, of a window's epochs of all targets and
   its exclusive ones. */
static void join(struct holds *h, const int64_t *epoch)
{
	const bool all = !epoch[GASPDB_HOLD_EXCLUSIVE];
	struct list *others = &h->lists[all];

	for (size_t i = 0; i < others->n;) {
		const int64_t *other = others->rows[i];

		if (other[GASPDB_HOLD_END] < epoch[GASPDB_HOLD_REQUESTED]) {
			list_remove(others, i);
			continue;
		}
		add_hold(h, all ? epoch : other,
			 (all ? other : epoch)[GASPDB_HOLD_TARGET]);
		i++;
	}
}

static void remove_ended(struct list *l, int64_t at_ns)
{
	if (l->n < l->full)
		return;
	for (size_t i = 0; i < l->n;)
		if (l->rows[i][GASPDB_HOLD_END] < at_ns)
			list_remove(l, i);
		else
			i++;
	l->full = 2 * l->n + 64;
}

static void join_all(struct holds *h)
{
	int64_t window = GASPDB_NONE;
	const int64_t *epoch;

	while ((epoch = gaspdb_sorter_next(&h->joins))) {
		struct list *own = &h->lists[epoch[GASPDB_HOLD_EXCLUSIVE]];

		if (epoch[GASPDB_HOLD_OBJECT] != window)
			h->lists[0].n = h->lists[1].n = 0;
		window = epoch[GASPDB_HOLD_OBJECT];
		join(h, epoch);
		remove_ended(own, epoch[GASPDB_HOLD_REQUESTED]);
		list_add(h, own, epoch);
	}
	h->lists[0].n = h->lists[1].n = 0;
}

/* --- ends ----------------------------------------------------------------- */

static void emit_hold(struct holds *h, struct list *l, size_t i)
{
	int64_t *row = l->rows[i];

	row[GASPDB_HOLD_TIME] = row[GASPDB_HOLD_END];
	row[GASPDB_HOLD_STEP] = BEGIN;
	gaspdb_sorter_add(h->out, row);
	list_remove(l, i);
}

/* Does a step show that a hold is over, because a conflicting hold has the
   lock? */
static bool ends_hold(const int64_t *hold, const int64_t *step)
{
	if (!gaspdb_holds_conflict(hold, step) ||
	    hold[GASPDB_HOLD_EVENT] == step[GASPDB_HOLD_EVENT])
		return false;
	if (hold[GASPDB_HOLD_STATE] == GASPDB_WINDOW_UNRELEASED)
		return step[GASPDB_HOLD_STEP] == UNLOCKING;
	return step[GASPDB_HOLD_STEP] == RETURN &&
	       step[GASPDB_HOLD_REQUESTED] <= hold[GASPDB_HOLD_RELEASING];
}

static void end_holds(struct holds *h, struct list *l, const int64_t *step)
{
	const int64_t at_ns = step[GASPDB_HOLD_TIME];

	for (size_t i = 0; i < l->n;) {
		int64_t *hold = l->rows[i];

		if (hold[GASPDB_HOLD_END] > at_ns && ends_hold(hold, step))
			hold[GASPDB_HOLD_END] = at_ns;
		if (hold[GASPDB_HOLD_END] <= at_ns)
			emit_hold(h, l, i);
		else
			i++;
	}
	l->full = 2 * l->n + 64;
}

static void finish_lock(struct holds *h)
{
	for (int i = 0; i < 2; i++)
		while (h->lists[i].n > 0)
			emit_hold(h, &h->lists[i], h->lists[i].n - 1);
}

static void process_step(struct holds *h, const int64_t *step)
{
	const bool exclusive = step[GASPDB_HOLD_EXCLUSIVE];

	if (step[GASPDB_HOLD_STEP] == BEGIN) {
		struct list *l = &h->lists[exclusive];

		if (l->n >= l->full)
			end_holds(h, l, step);
		list_add(h, l, step);
		return;
	}
	end_holds(h, &h->lists[1], step);
	if (exclusive)
		end_holds(h, &h->lists[0], step);
}

static void find_ends(struct holds *h)
{
	int64_t object = GASPDB_NONE;
	const int64_t *step;

	while ((step = gaspdb_sorter_next(&h->steps))) {
		if (step[GASPDB_HOLD_OBJECT] != object)
			finish_lock(h);
		object = step[GASPDB_HOLD_OBJECT];
		process_step(h, step);
	}
	finish_lock(h);
}

void gaspdb_window_holds(struct gaspdb_run *run,
			 const struct gaspdb_unrecorded *unrecorded,
			 struct gaspdb_sorter *calls,
			 struct gaspdb_sorter *holds,
			 struct gaspdb_sorter *unseen)
{
	struct holds h = { .run = run,
			   .unrecorded = unrecorded,
			   .unseen = unseen,
			   .out = holds,
			   .process = GASPDB_NONE,
			   .unknown = { .kind = GASPDB_QUALITY_OBJECT_UNKNOWN,
					.bytes = GASPDB_NONE } };

	gaspdb_sorter_init(holds, run, GASPDB_HOLD_COLUMNS,
			   GASPDB_HOLD_EVENT + 1);
	gaspdb_sorter_init(unseen, run, GASPDB_UNRECORDED_COLUMNS,
			   GASPDB_UNRECORDED_COLUMNS);
	gaspdb_sorter_init(&h.steps, run, GASPDB_HOLD_COLUMNS,
			   GASPDB_HOLD_EVENT + 1);
	gaspdb_sorter_init(&h.joins, run, GASPDB_HOLD_COLUMNS,
			   GASPDB_HOLD_EVENT + 1);
	gaspdb_groups_init(&h.open_epochs, 1, GASPDB_HOLD_COLUMNS);
	find_epochs(&h, calls);
	join_all(&h);
	gaspdb_sorter_fini(&h.joins);
	find_ends(&h);
	gaspdb_sorter_fini(&h.steps);
	gaspdb_groups_fini(&h.open_epochs);
	free(h.lists[0].rows);
	free(h.lists[1].rows);
	if (h.unknown.count)
		gaspdb_quality_add(run, &h.unknown,
				   "locks of windows that are not known");
}
