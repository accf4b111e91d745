/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lock contention, one lock at a time: its holds in the order of acquisition,
 * and the time that each acquisition waited for each earlier holder.
 *
 * A hold ends inside the releasing call, at the latest when the next
 * acquisition returns. The logs have no more precise time.
 */
#include "analysis/locks/locks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/groups.h"
#include "analysis/locks/pairs.h"
#include "analysis/locks/uses.h"
#include "analysis/engine/quality.h"
#include "analysis/rows/sorter.h"
#include "analysis/locks/window_locks.h"
#include "common/sum.h"

struct locks {
	struct gaspdb_run *run;
	struct gaspdb_unrecorded unrecorded;
	struct gaspdb_lock_uses uses;
	struct gaspdb_sorter calls;    /* all calls, by lock */
	struct gaspdb_sorter inferred; /* UNSEEN and STRAY rows (pairs.h) */
	struct gaspdb_sorter failed;   /* failed attempts and pending calls */
	struct gaspdb_sorter releases; /* by acquisition */
	const int64_t *next_call, *next_inferred;
	const int64_t *next_failed, *next_release;
	int64_t object; /* current lock */
	struct {
		struct gaspdb_lock_call by; /* event NONE: not recorded */
		int64_t key[GASPDB_LOCK_KEYS];
		int64_t attempts;   /* failed ones before it */
		int64_t between_ns; /* since the first of these, outside of
				       them */
		bool open;
	} use; /* the last acquisition of this lock */
	struct gaspdb_lock_history holds; /* the ones before it */
	struct gaspdb_groups attempts;	  /* by thread */
	struct gaspdb_quality_row overlaps, strays;
};

/* Values of `attempts`: failed attempts since the thread's last acquisition,
   end of the last one, and time between them. */
enum { FAILED, FAILED_END, BETWEEN, N_ATTEMPTS };

static int64_t *attempts_of(struct locks *l, const int64_t *row)
{
	return gaspdb_group(l->run, &l->attempts, &row[GASPDB_LOCK_THREAD]);
}

static struct gaspdb_lock_call call_of(const int64_t *row)
{
	return (struct gaspdb_lock_call){ row[GASPDB_LOCK_EVENT],
					  row[GASPDB_LOCK_SOURCE],
					  row[GASPDB_LOCK_THREAD],
					  row[GASPDB_LOCK_START],
					  row[GASPDB_LOCK_END] };
}

static bool is_before(const int64_t *a, const int64_t *b)
{
	size_t i = 0;

	while (i + 1 < GASPDB_LOCK_KEYS && a[i] == b[i])
		i++;
	return a[i] < b[i];
}

/* The first of the next call and the next inferred row. */
static const int64_t *next_row(struct locks *l)
{
	const bool inferred =
		l->next_inferred &&
		(!l->next_call || is_before(l->next_inferred, l->next_call));

	return inferred ? l->next_inferred : l->next_call;
}

static void advance(struct locks *l, const int64_t *row)
{
	if (row == l->next_inferred)
		l->next_inferred = gaspdb_sorter_next(&l->inferred);
	else
		l->next_call = gaspdb_sorter_next(&l->calls);
}

/* --- contention ----------------------------------------------------------- */

/* The contention of a call: its time until the end of the last hold, with the
   waits for the holders. *unknown_ns: later time of the call in which an
   unrecorded process may have held the lock. */
static int64_t attribute_contention(struct locks *l,
				    const struct gaspdb_lock_call *c,
				    int64_t *unknown_ns)
{
	const size_t n = l->holds.n;
	const struct gaspdb_hold *h =
		n ? gaspdb_lock_history_get(&l->holds, n - 1) : NULL;
	const int64_t free_ns = h ? h->end_ns : c->start_ns;
	const int64_t limit_ns =
		gaspdb_max(c->start_ns, gaspdb_min(free_ns, c->end_ns));
	const int64_t latest_ns = gaspdb_max(
		limit_ns, h ? gaspdb_min(h->latest_ns, c->end_ns) : limit_ns);

	*unknown_ns = latest_ns - limit_ns +
		      gaspdb_unrecorded_between(&l->unrecorded, GASPDB_NONE,
						latest_ns, c->end_ns);
	gaspdb_lock_uses_split(&l->uses, l->object, c, limit_ns, *unknown_ns,
			       &l->holds);
	return limit_ns - c->start_ns;
}

/* The hold at a time, for which no later hold has been added; NULL: unknown. */
static const struct gaspdb_hold *holder_at(struct locks *l, int64_t at_ns)
{
	for (size_t n = l->holds.n; n > 0; n--) {
		const struct gaspdb_hold *h =
			gaspdb_lock_history_get(&l->holds, n - 1);

		if (!h || h->end_ns > at_ns)
			return h;
		if (h->taken_ns < at_ns)
			break;
	}
	return NULL;
}

/*
 * Waits of failed attempts that are folded into one event: for each hold during
 * the event, up to the end of that hold.
 */
static void attribute_attempts(struct locks *l,
			       const struct gaspdb_lock_call *c)
{
	struct gaspdb_lock_call part = *c;
	struct gaspdb_hold holder;
	const struct gaspdb_hold *h;
	size_t i = l->holds.n;

	while (i > 0 && (h = gaspdb_lock_history_get(&l->holds, i - 1)) &&
	       h->end_ns > c->start_ns)
		i--;
	for (; i < l->holds.n && part.start_ns < c->end_ns; i++) {
		h = gaspdb_lock_history_get(&l->holds, i);
		if (!h || h->taken_ns >= c->end_ns)
			break;
		holder = *h;
		part.end_ns = gaspdb_min(holder.end_ns, c->end_ns);
		if (part.end_ns <= part.start_ns)
			continue;
		if (holder.thread != c->thread) /* its own: no waiting */
			gaspdb_lock_uses_attempt(&l->uses, l->object, &part,
						 &holder);
		part.start_ns = part.end_ns;
	}
	part.end_ns = c->end_ns;
	if (part.start_ns < part.end_ns)
		gaspdb_lock_uses_attempt(&l->uses, l->object, &part, NULL);
}

static void attribute_failed(struct locks *l, const int64_t *row)
{
	const struct gaspdb_lock_call c = call_of(row);
	const struct gaspdb_hold *holder;
	int64_t unknown_ns;

	if (row[GASPDB_LOCK_KIND] == GASPDB_LOCK_PENDING) {
		attribute_contention(l, &c, &unknown_ns);
		return;
	}
	if (row[GASPDB_LOCK_ATTEMPTS] > 1) {
		attribute_attempts(l, &c);
		return;
	}
	holder = holder_at(l, c.start_ns);
	if (!holder || holder->thread != c.thread) /* its own: no waiting */
		gaspdb_lock_uses_attempt(&l->uses, l->object, &c, holder);
}

/* Is a failed call before the next acquisition, or the free, of the lock? */
static bool is_before_use(const int64_t *failed, const int64_t *next)
{
	const int64_t at_ns = failed[GASPDB_LOCK_EFFECT];

	return next[GASPDB_LOCK_KIND] == GASPDB_LOCK_FREE
		       ? at_ns <= next[GASPDB_LOCK_START]
		       : at_ns < next[GASPDB_LOCK_END];
}

/* Attribute failed calls before the next acquisition or free; NULL: all. */
static void attribute_failed_calls(struct locks *l, const int64_t *next)
{
	while (l->next_failed &&
	       l->next_failed[GASPDB_LOCK_OBJECT] == l->object &&
	       (!next || is_before_use(l->next_failed, next))) {
		attribute_failed(l, l->next_failed);
		l->next_failed = gaspdb_sorter_next(&l->failed);
	}
}

/* --- uses ----------------------------------------------------------------- */

/* The latest end of the current use. next: the acquisition after it, or the
   lock's free; NULL: none. */
static int64_t limit_of_use(const struct locks *l, const int64_t *next)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(l->run, l->use.by.thread);

	if (next)
		return next[next[GASPDB_LOCK_KIND] == GASPDB_LOCK_FREE
				    ? GASPDB_LOCK_START
				    : GASPDB_LOCK_END];
	return t && t->last_ns != GASPDB_NONE ? t->last_ns : l->use.by.end_ns;
}

/* End a hold without a recorded release. Its process may have released it in
   any of its unrecorded intervals: it ends at the first, at the latest at the
   last. */
static void end_unreleased(const struct locks *l, const int64_t *next,
			   struct gaspdb_hold *hold)
{
	const int64_t process = gaspdb_run_process(l->run, hold->thread);
	const int64_t limit_ns = limit_of_use(l, next);

	hold->end_ns = gaspdb_min(
		limit_ns, gaspdb_unrecorded_next(&l->unrecorded, process,
						 hold->taken_ns));
	hold->latest_ns =
		gaspdb_max(hold->end_ns,
			   gaspdb_unrecorded_last(&l->unrecorded, process,
						  next ? limit_ns : INT64_MAX));
}

/* Set the end of a hold; release NULL: none was recorded. */
static void find_end(const struct locks *l, const int64_t *release,
		     const int64_t *next, struct gaspdb_hold *hold)
{
	if (!release) {
		end_unreleased(l, next, hold);
		return;
	}
	hold->end_ns = release[GASPDB_RELEASE_END];
	if (next)
		hold->end_ns = gaspdb_min(
			hold->end_ns, gaspdb_max(release[GASPDB_RELEASE_START],
						 limit_of_use(l, next)));
	hold->latest_ns = hold->end_ns;
}

static void write_use(struct locks *l, int64_t release, int64_t end_ns)
{
	const struct gaspdb_lock_call *by = &l->use.by;
	int64_t unknown_ns;
	const int64_t contended_ns = attribute_contention(l, by, &unknown_ns);

	gaspdb_lock_uses_add(&l->uses, l->object,
			     &(struct gaspdb_lock_use){
				     .by = *by,
				     .taken_ns = by->end_ns,
				     .end_ns = end_ns,
				     .release = release,
				     .contended_ns = contended_ns,
				     .latency_ns = by->end_ns - by->start_ns -
						   contended_ns - unknown_ns,
				     .unknown_ns = unknown_ns,
				     .attempts = l->use.attempts,
				     .between_ns = l->use.between_ns });
}

/* The release of the current use; NULL: none was recorded. */
static const int64_t *release_of_use(const struct locks *l)
{
	return l->next_release && !memcmp(l->next_release, l->use.key,
					  sizeof l->use.key)
		       ? l->next_release
		       : NULL;
}

/* End the current use, at the latest with the next acquisition. A hold that
   lasts beyond that shows wrong clocks or an incomplete recording. */
static void end_use(struct locks *l, const int64_t *next)
{
	const struct gaspdb_lock_call *by = &l->use.by;
	const bool seen = by->event != GASPDB_NONE;
	const int64_t *release = release_of_use(l);
	const int64_t event =
		release ? release[GASPDB_RELEASE_BY] : GASPDB_NONE;
	struct gaspdb_hold hold = { .event = by->event,
				    .source = by->source,
				    .thread = by->thread,
				    .taken_ns = by->end_ns,
				    .earliest_ns =
					    seen ? by->end_ns : by->start_ns };

	find_end(l, release, next, &hold);
	if (next && next[GASPDB_LOCK_KIND] != GASPDB_LOCK_FREE &&
	    hold.end_ns > next[GASPDB_LOCK_END])
		gaspdb_quality_count(&l->overlaps, by->thread, event,
				     hold.end_ns - next[GASPDB_LOCK_END]);
	if (seen)
		write_use(l, event, hold.end_ns);
	gaspdb_lock_history_add(&l->holds, &hold);
	if (release)
		l->next_release = gaspdb_sorter_next(&l->releases);
}

/* End the use of the lock, with the failed calls during it. row: the next
   acquisition or free; NULL: none. */
static void finish_use(struct locks *l, const int64_t *row)
{
	if (l->use.open)
		end_use(l, row);
	attribute_failed_calls(l, row);
	l->use.open = false;
}

static void begin_use(struct locks *l, const int64_t *row)
{
	finish_use(l, row);
	l->use.open = true;
	memcpy(l->use.key, row, sizeof l->use.key);
	l->use.by = call_of(row);
	l->use.attempts = l->use.between_ns = 0;
}

static void acquire(struct locks *l, const int64_t *row)
{
	int64_t *thread;

	begin_use(l, row);
	thread = attempts_of(l, row);
	if (thread && thread[FAILED]) {
		gaspdb_add_to(&thread[BETWEEN],
			      row[GASPDB_LOCK_START] - thread[FAILED_END]);
		l->use.attempts = thread[FAILED];
		l->use.between_ns = thread[BETWEEN];
		thread[FAILED] = thread[BETWEEN] = 0;
	}
}

static void acquire_unseen(struct locks *l, const int64_t *row)
{
	begin_use(l, row);
	l->use.by.event = l->use.by.source = GASPDB_NONE;
}

static void fail_attempt(struct locks *l, const int64_t *row)
{
	int64_t *thread = attempts_of(l, row);

	if (!thread)
		return;
	if (thread[FAILED])
		gaspdb_add_to(&thread[BETWEEN],
			      row[GASPDB_LOCK_START] - thread[FAILED_END]);
	gaspdb_add_to(&thread[FAILED], row[GASPDB_LOCK_ATTEMPTS]);
	thread[FAILED_END] = row[GASPDB_LOCK_END];
}

/* End the lock at its free, or after its last call (row NULL). UPC may allocate
   its pointer again for another lock, whose waits are not for these holds. */
static void end_lock(struct locks *l, const int64_t *row)
{
	finish_use(l, row);
	gaspdb_lock_history_clear(&l->holds);
	gaspdb_groups_clear(&l->attempts);
}

static void process_call(struct locks *l, const int64_t *row)
{
	switch (row[GASPDB_LOCK_KIND]) {
	case GASPDB_LOCK_ACQUIRE:
		acquire(l, row);
		break;
	case GASPDB_LOCK_UNSEEN:
		acquire_unseen(l, row);
		break;
	case GASPDB_LOCK_STRAY:
		gaspdb_quality_count(&l->strays, row[GASPDB_LOCK_THREAD],
				     row[GASPDB_LOCK_EVENT], 0);
		break;
	case GASPDB_LOCK_FAILED_ATTEMPT:
		fail_attempt(l, row);
		break;
	case GASPDB_LOCK_FREE:
		end_lock(l, row);
		break;
	}
}

static void write_quality(struct locks *l)
{
	if (l->overlaps.count)
		gaspdb_quality_add(l->run, &l->overlaps,
				   "taken by another thread before it was "
				   "given back");
	if (l->strays.count)
		gaspdb_quality_add(l->run, &l->strays,
				   "given back by a process that had not "
				   "taken it");
}

static void begin_lock(struct locks *l, int64_t object)
{
	l->object = object;
	l->overlaps = l->strays =
		(struct gaspdb_quality_row){ .kind = GASPDB_QUALITY_LOCK_ORDER,
					     .bytes = GASPDB_NONE };
	l->strays.time_ns = GASPDB_NONE;
}

static void finish_lock(struct locks *l)
{
	end_lock(l, NULL);
	write_quality(l);
}

/* --- reading -------------------------------------------------------------- */

/* Calls for one lock that never ended: at most one a thread. */
struct pending {
	int64_t (*call)[GASPDB_LOCK_COLUMNS];
	size_t n, room;
};

/* A folded event is sorted by the end of its last attempt: all holds during it
   are known then. */
static void add_attempt(struct locks *l, const int64_t *row)
{
	int64_t call[GASPDB_LOCK_COLUMNS];

	memcpy(call, row, sizeof call);
	if (call[GASPDB_LOCK_ATTEMPTS] > 1)
		call[GASPDB_LOCK_EFFECT] = call[GASPDB_LOCK_END];
	gaspdb_sorter_add(&l->failed, call);
}

/* End the pending calls when the lock is freed, or at the end of their logs. */
static void end_pending(struct locks *l, struct pending *p, int64_t freed_ns)
{
	for (size_t i = 0; i < p->n; i++) {
		int64_t *call = p->call[i];

		call[GASPDB_LOCK_EFFECT] =
			gaspdb_min(call[GASPDB_LOCK_END], freed_ns);
		gaspdb_sorter_add(&l->failed, call);
	}
	p->n = 0;
}

static void find_failed_calls(struct locks *l)
{
	struct pending pending = { 0 };
	int64_t object = GASPDB_NONE;
	const int64_t *row;

	gaspdb_sorter_init(&l->failed, l->run, GASPDB_LOCK_COLUMNS,
			   GASPDB_LOCK_KEYS);
	while ((row = gaspdb_sorter_next(&l->calls))) {
		if (row[GASPDB_LOCK_OBJECT] != object)
			end_pending(l, &pending, INT64_MAX);
		object = row[GASPDB_LOCK_OBJECT];
		if (object == GASPDB_NONE)
			continue;
		if (row[GASPDB_LOCK_KIND] == GASPDB_LOCK_FREE)
			end_pending(l, &pending, row[GASPDB_LOCK_EFFECT]);
		else if (row[GASPDB_LOCK_KIND] == GASPDB_LOCK_FAILED_ATTEMPT)
			add_attempt(l, row);
		else if (row[GASPDB_LOCK_KIND] == GASPDB_LOCK_PENDING &&
			 gaspdb_grow(l->run, &pending.call, pending.n,
				     &pending.room, sizeof *pending.call))
			memcpy(pending.call[pending.n++], row,
			       sizeof *pending.call);
	}
	end_pending(l, &pending, INT64_MAX);
	free(pending.call);
	gaspdb_sorter_rewind(&l->calls);
}

static void read_rows(struct locks *l)
{
	struct gaspdb_quality_row unknown = {
		.kind = GASPDB_QUALITY_OBJECT_UNKNOWN,
		.bytes = GASPDB_NONE,
		.time_ns = 0
	};
	const int64_t *row;

	for (; (row = next_row(l)); advance(l, row)) {
		if (row[GASPDB_LOCK_OBJECT] == GASPDB_NONE) {
			gaspdb_quality_count(&unknown, row[GASPDB_LOCK_THREAD],
					     row[GASPDB_LOCK_EVENT],
					     row[GASPDB_LOCK_END] -
						     row[GASPDB_LOCK_START]);
			continue;
		}
		if (row[GASPDB_LOCK_OBJECT] != l->object) {
			finish_lock(l);
			begin_lock(l, row[GASPDB_LOCK_OBJECT]);
		}
		process_call(l, row);
	}
	finish_lock(l);
	if (unknown.count)
		gaspdb_quality_add(l->run, &unknown,
				   "calls of locks: their waits are not known");
}

static void analyse(struct locks *l)
{
	gaspdb_groups_init(&l->attempts, 1, N_ATTEMPTS);
	gaspdb_lock_calls_gather(l->run, &l->calls);
	find_failed_calls(l);
	gaspdb_lock_pairs_find(l->run, &l->unrecorded, &l->calls, &l->releases,
			       &l->inferred);
	l->next_call = gaspdb_sorter_next(&l->calls);
	l->next_inferred = gaspdb_sorter_next(&l->inferred);
	l->next_failed = gaspdb_sorter_next(&l->failed);
	l->next_release = gaspdb_sorter_next(&l->releases);
	read_rows(l);
	gaspdb_sorter_fini(&l->calls);
	gaspdb_sorter_fini(&l->inferred);
	gaspdb_sorter_fini(&l->failed);
	gaspdb_sorter_fini(&l->releases);
	gaspdb_lock_history_free(&l->holds);
	gaspdb_groups_fini(&l->attempts);
}

enum gaspdb_status gaspdb_pass_locks(struct gaspdb_run *run)
{
	static const enum gaspdb_type types[] = { GASPDB_TYPE_lock,
						  GASPDB_TYPE_lock_attempt,
						  GASPDB_TYPE_unlock },
				      window = GASPDB_TYPE_window_lock;
	struct locks l = { .run = run,
			   .object = GASPDB_NONE,
			   .holds.run = run };
	bool locks, windows;

	locks = gaspdb_run_has(run, types, 3);
	windows = gaspdb_run_has(run, &window, 1);
	if (!locks && !windows)
		return run->status;
	gaspdb_unrecorded_open(&l.unrecorded, run, 0, NULL);
	gaspdb_lock_uses_open(&l.uses, run, &l.unrecorded);
	if (locks)
		analyse(&l);
	if (windows)
		gaspdb_window_locks(run, &l.uses);
	gaspdb_lock_uses_close(&l.uses);
	gaspdb_unrecorded_close(&l.unrecorded);
	return run->status;
}
