/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lock by lock: the holds in the order in which the lock was taken, the time
 * that each acquisition spent while others held it, and for which of them.
 *
 * A lock is given back somewhere within the releasing call, and not after the
 * next acquisition returned: that is all there is to know of a hold's end.
 */
#include "analysis/locks/locks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/groups.h"
#include "analysis/locks/pairs.h"
#include "analysis/locks/uses.h"
#include "analysis/engine/quality.h"
#include "analysis/rows/sorter.h"
#include "analysis/onesided/window_locks.h"
#include "common/sum.h"

struct locks {
	struct gaspdb_run *run;
	struct gaspdb_unrecorded absences;
	struct gaspdb_lock_uses uses;
	struct gaspdb_sorter gathered; /* all calls, by lock */
	struct gaspdb_sorter found;    /* what else there is in their order */
	struct gaspdb_sorter failed;   /* of these attempts, pending ones */
	struct gaspdb_sorter releases; /* by use */
	const int64_t *next_gathered, *next_found;
	const int64_t *next_failed, *next_release;
	int64_t object;
	struct {
		struct gaspdb_lock_call by; /* event NONE: it was not seen */
		int64_t key[GASPDB_LOCK_KEYS];
		int64_t attempts;   /* that failed before it */
		int64_t between_ns; /* since the first of them, outside */
		bool is;
	} use; /* the last of this lock, that has no end */
	struct gaspdb_lock_history holds; /* the uses before it */
	struct gaspdb_groups threads;
	int64_t overlaps, overlap_ns, overlap_thread, overlap_event;
	int64_t strays, stray_thread, stray_event;
};

/* Values of a thread: failed attempts, the last one's end, and the time between
   them. */
enum { FAILED, FAILED_END, BETWEEN, N_THREAD };

static int64_t *thread_of(struct locks *l, const int64_t *row)
{
	return gaspdb_group(l->run, &l->threads, &row[GASPDB_LOCK_THREAD]);
}

static bool is_before(const int64_t *a, const int64_t *b)
{
	size_t i = 0;

	while (i + 1 < GASPDB_LOCK_KEYS && a[i] == b[i])
		i++;
	return a[i] < b[i];
}

/* The next of all calls and of what was found, in order. */
static const int64_t *next_row(struct locks *l)
{
	const bool found =
		l->next_found && (!l->next_gathered ||
				  is_before(l->next_found, l->next_gathered));

	return found ? l->next_found : l->next_gathered;
}

static void drop_row(struct locks *l, const int64_t *row)
{
	if (row == l->next_found)
		l->next_found = gaspdb_sorter_next(&l->found);
	else
		l->next_gathered = gaspdb_sorter_next(&l->gathered);
}

/* --- contention ----------------------------------------------------------- */

/* Waiting from a call's enter to the last hold's end, if that is later: its
   length.  After that, while others were not recorded, nobody knows. */
static int64_t contend(struct locks *l, const struct gaspdb_lock_call *c,
		       int64_t *untold_ns)
{
	const size_t n = l->holds.n;
	const struct gaspdb_hold *h =
		n ? gaspdb_lock_history_get(&l->holds, n - 1) : NULL;
	const int64_t free_ns = h ? h->end_ns : c->start_ns;
	const int64_t limit_ns =
		gaspdb_max(c->start_ns, gaspdb_min(free_ns, c->end_ns));
	const int64_t kept_ns = gaspdb_max(
		limit_ns, h ? gaspdb_min(h->until_ns, c->end_ns) : limit_ns);

	*untold_ns = kept_ns - limit_ns +
		     gaspdb_unrecorded_between(&l->absences, GASPDB_NONE,
					       kept_ns, c->end_ns);
	gaspdb_lock_uses_cut(&l->uses, l->object, c, limit_ns, *untold_ns,
			     &l->holds);
	return limit_ns - c->start_ns;
}

/* Who has it at that time, when no later one has begun; NULL: nobody known. */
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
 * Attempts that are one event, as long as all of them: they wait for each who
 * had the lock meanwhile, up to the end of that hold.
 */
static void fail_together(struct locks *l, const struct gaspdb_lock_call *c)
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

static void fail(struct locks *l, const int64_t *row)
{
	const struct gaspdb_lock_call c = { row[GASPDB_LOCK_EVENT],
					    row[GASPDB_LOCK_SOURCE],
					    row[GASPDB_LOCK_THREAD],
					    row[GASPDB_LOCK_START],
					    row[GASPDB_LOCK_END] };
	const struct gaspdb_hold *holder;
	int64_t untold_ns;

	if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_PENDING) {
		contend(l, &c, &untold_ns);
		return;
	}
	if (row[GASPDB_LOCK_ATTEMPTS] > 1) {
		fail_together(l, &c);
		return;
	}
	holder = holder_at(l, c.start_ns);
	if (!holder || holder->thread != c.thread) /* its own: no waiting */
		gaspdb_lock_uses_attempt(&l->uses, l->object, &c, holder);
}

/* Does the next hold, or freeing, not matter to a call that began in vain? */
static bool is_over(const int64_t *failed, const int64_t *next)
{
	const int64_t at_ns = failed[GASPDB_LOCK_EFFECT];

	return next[GASPDB_LOCK_WHAT] == GASPDB_LOCK_FREE
		       ? at_ns <= next[GASPDB_LOCK_START]
		       : at_ns < next[GASPDB_LOCK_END];
}

/* Those that the next one, if there is one, does not matter to. */
static void failed_calls(struct locks *l, const int64_t *next)
{
	while (l->next_failed &&
	       l->next_failed[GASPDB_LOCK_OBJECT] == l->object &&
	       (!next || is_over(l->next_failed, next))) {
		fail(l, l->next_failed);
		l->next_failed = gaspdb_sorter_next(&l->failed);
	}
}

/* --- uses ----------------------------------------------------------------- */

/* When the last use is over at the latest; next: the acquisition after it, or
   the lock's freeing, NULL: none. */
static int64_t limit_of_use(const struct locks *l, const int64_t *next)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(l->run, l->use.by.thread);

	if (next)
		return next[next[GASPDB_LOCK_WHAT] == GASPDB_LOCK_FREE
				    ? GASPDB_LOCK_START
				    : GASPDB_LOCK_END];
	return t && t->last_ns != GASPDB_NONE ? t->last_ns : l->use.by.end_ns;
}

/* No recorded call gave it back: while its process was not recorded one may
   have; from then on nobody knows. */
static void end_unreleased(const struct locks *l, const int64_t *next,
			   struct gaspdb_hold *hold)
{
	const int64_t process = gaspdb_run_process(l->run, hold->thread);
	const int64_t limit_ns = limit_of_use(l, next);

	hold->end_ns = gaspdb_min(
		limit_ns,
		gaspdb_unrecorded_next(&l->absences, process, hold->taken_ns));
	hold->until_ns =
		gaspdb_max(hold->end_ns,
			   gaspdb_unrecorded_last(&l->absences, process,
						  next ? limit_ns : INT64_MAX));
}

/* release NULL: never. */
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
	hold->until_ns = hold->end_ns;
}

/* Where the next one had it already, the clocks or the recording are wrong. */
static void add_overlap(struct locks *l, int64_t ns, int64_t release)
{
	if (ns <= 0)
		return;
	if (!l->overlaps++) {
		l->overlap_thread = l->use.by.thread;
		l->overlap_event = release;
	}
	gaspdb_add_to(&l->overlap_ns, ns);
}

static void write_use(struct locks *l, int64_t release, int64_t end_ns)
{
	const struct gaspdb_lock_call *by = &l->use.by;
	int64_t untold_ns;
	const int64_t contended_ns = contend(l, by, &untold_ns);

	gaspdb_lock_uses_add(&l->uses, l->object,
			     &(struct gaspdb_lock_use){
				     .by = *by,
				     .taken_ns = by->end_ns,
				     .end_ns = end_ns,
				     .release = release,
				     .contended_ns = contended_ns,
				     .latency_ns = by->end_ns - by->start_ns -
						   contended_ns - untold_ns,
				     .untold_ns = untold_ns,
				     .attempts = l->use.attempts,
				     .between_ns = l->use.between_ns });
}

/* The call that gave the last use back; NULL: none did. */
static const int64_t *release_of_use(const struct locks *l)
{
	return l->next_release && !memcmp(l->next_release, l->use.key,
					  sizeof l->use.key)
		       ? l->next_release
		       : NULL;
}

/* The last use ends, at the latest with the next acquisition. */
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
				    .since_ns =
					    seen ? by->end_ns : by->start_ns };

	find_end(l, release, next, &hold);
	if (next && next[GASPDB_LOCK_WHAT] != GASPDB_LOCK_FREE)
		add_overlap(l, hold.end_ns - next[GASPDB_LOCK_END], event);
	if (seen)
		write_use(l, event, hold.end_ns);
	gaspdb_lock_history_add(&l->holds, &hold);
	if (release)
		l->next_release = gaspdb_sorter_next(&l->releases);
}

/* Whatever it is that begins: what was before it is known. */
static void begin_use(struct locks *l, const int64_t *row)
{
	if (l->use.is)
		end_use(l, row);
	failed_calls(l, row);
	l->use.is = true;
	memcpy(l->use.key, row, sizeof l->use.key);
	l->use.by = (struct gaspdb_lock_call){ row[GASPDB_LOCK_EVENT],
					       row[GASPDB_LOCK_SOURCE],
					       row[GASPDB_LOCK_THREAD],
					       row[GASPDB_LOCK_START],
					       row[GASPDB_LOCK_END] };
	l->use.attempts = l->use.between_ns = 0;
}

static void take(struct locks *l, const int64_t *row)
{
	int64_t *thread;

	begin_use(l, row);
	thread = thread_of(l, row);
	if (thread && thread[FAILED]) {
		gaspdb_add_to(&thread[BETWEEN],
			      row[GASPDB_LOCK_START] - thread[FAILED_END]);
		l->use.attempts = thread[FAILED];
		l->use.between_ns = thread[BETWEEN];
		thread[FAILED] = thread[BETWEEN] = 0;
	}
}

static void take_unseen(struct locks *l, const int64_t *row)
{
	begin_use(l, row);
	l->use.by.event = l->use.by.source = GASPDB_NONE;
}

static void stray(struct locks *l, const int64_t *row)
{
	if (l->strays++)
		return;
	l->stray_thread = row[GASPDB_LOCK_THREAD];
	l->stray_event = row[GASPDB_LOCK_EVENT];
}

static void try_in_vain(struct locks *l, const int64_t *row)
{
	int64_t *thread = thread_of(l, row);

	if (!thread)
		return;
	if (thread[FAILED])
		gaspdb_add_to(&thread[BETWEEN],
			      row[GASPDB_LOCK_START] - thread[FAILED_END]);
	gaspdb_add_to(&thread[FAILED], row[GASPDB_LOCK_ATTEMPTS]);
	thread[FAILED_END] = row[GASPDB_LOCK_END];
}

/* UPC's pointers come back for other locks: nobody waits for who held this. */
static void free_lock(struct locks *l, const int64_t *row)
{
	if (l->use.is)
		end_use(l, row);
	failed_calls(l, row);
	l->use.is = false;
	gaspdb_lock_history_clear(&l->holds);
	gaspdb_groups_clear(&l->threads);
}

static void take_call(struct locks *l, const int64_t *row)
{
	switch (row[GASPDB_LOCK_WHAT]) {
	case GASPDB_LOCK_ACQUIRE:
		take(l, row);
		break;
	case GASPDB_LOCK_UNSEEN:
		take_unseen(l, row);
		break;
	case GASPDB_LOCK_STRAY:
		stray(l, row);
		break;
	case GASPDB_LOCK_ATTEMPT:
		try_in_vain(l, row);
		break;
	case GASPDB_LOCK_FREE:
		free_lock(l, row);
		break;
	}
}

static void tell_order(struct locks *l)
{
	if (l->overlaps)
		gaspdb_quality_add(l->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_QUALITY_LOCK_ORDER,
					   .thread = l->overlap_thread,
					   .event = l->overlap_event,
					   .count = l->overlaps,
					   .bytes = GASPDB_NONE,
					   .time_ns = l->overlap_ns },
				   "taken by another thread before it was "
				   "given back");
	if (l->strays)
		gaspdb_quality_add(l->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_QUALITY_LOCK_ORDER,
					   .thread = l->stray_thread,
					   .event = l->stray_event,
					   .count = l->strays,
					   .bytes = GASPDB_NONE,
					   .time_ns = GASPDB_NONE },
				   "given back by a process that had not "
				   "taken it");
}

static void finish_lock(struct locks *l)
{
	if (l->use.is)
		end_use(l, NULL);
	failed_calls(l, NULL);
	tell_order(l);
	l->use.is = false;
	gaspdb_lock_history_clear(&l->holds);
	gaspdb_groups_clear(&l->threads);
	l->overlaps = l->overlap_ns = l->strays = 0;
}

/* --- reading -------------------------------------------------------------- */

/* Calls that never ended, of one lock: as many as threads at most. */
struct pending {
	int64_t (*call)[GASPDB_LOCK_COLUMNS];
	size_t n, room;
};

/* A folded event is looked at when its last attempt ends: by then all holds
   during it are known. */
static void add_attempt(struct locks *l, const int64_t *row)
{
	int64_t call[GASPDB_LOCK_COLUMNS];

	memcpy(call, row, sizeof call);
	if (call[GASPDB_LOCK_ATTEMPTS] > 1)
		call[GASPDB_LOCK_EFFECT] = call[GASPDB_LOCK_END];
	gaspdb_sorter_add(&l->failed, call);
}

/* They wait until the lock is freed, or their logs end. */
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

static void find_failed(struct locks *l)
{
	struct pending pending = { 0 };
	int64_t object = GASPDB_NONE;
	const int64_t *row;

	gaspdb_sorter_init(&l->failed, l->run, GASPDB_LOCK_COLUMNS,
			   GASPDB_LOCK_KEYS);
	while ((row = gaspdb_sorter_next(&l->gathered))) {
		if (row[GASPDB_LOCK_OBJECT] != object)
			end_pending(l, &pending, INT64_MAX);
		object = row[GASPDB_LOCK_OBJECT];
		if (object == GASPDB_NONE)
			continue;
		if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_FREE)
			end_pending(l, &pending, row[GASPDB_LOCK_EFFECT]);
		else if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_ATTEMPT)
			add_attempt(l, row);
		else if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_PENDING &&
			 gaspdb_grow(l->run, &pending.call, pending.n,
				     &pending.room, sizeof *pending.call))
			memcpy(pending.call[pending.n++], row,
			       sizeof *pending.call);
	}
	end_pending(l, &pending, INT64_MAX);
	free(pending.call);
	gaspdb_sorter_rewind(&l->gathered);
}

static void read_rows(struct locks *l)
{
	struct gaspdb_quality_row unknown = {
		.kind = GASPDB_QUALITY_OBJECT_UNKNOWN,
		.bytes = GASPDB_NONE,
		.time_ns = 0
	};
	const int64_t *row;

	for (; (row = next_row(l)); drop_row(l, row)) {
		if (row[GASPDB_LOCK_OBJECT] == GASPDB_NONE) {
			if (!unknown.count++) {
				unknown.event = row[GASPDB_LOCK_EVENT];
				unknown.thread = row[GASPDB_LOCK_THREAD];
			}
			gaspdb_add_to(&unknown.time_ns,
				      row[GASPDB_LOCK_END] -
					      row[GASPDB_LOCK_START]);
			continue;
		}
		if (row[GASPDB_LOCK_OBJECT] != l->object)
			finish_lock(l);
		l->object = row[GASPDB_LOCK_OBJECT];
		take_call(l, row);
	}
	finish_lock(l);
	if (unknown.count)
		gaspdb_quality_add(l->run, &unknown,
				   "calls of locks: their waits are not known");
}

static void analyse(struct locks *l)
{
	gaspdb_groups_init(&l->threads, 1, N_THREAD);
	gaspdb_lock_calls_gather(l->run, &l->gathered);
	find_failed(l);
	gaspdb_lock_pairs_find(l->run, &l->absences, &l->gathered, &l->releases,
			       &l->found);
	l->next_gathered = gaspdb_sorter_next(&l->gathered);
	l->next_found = gaspdb_sorter_next(&l->found);
	l->next_failed = gaspdb_sorter_next(&l->failed);
	l->next_release = gaspdb_sorter_next(&l->releases);
	read_rows(l);
	gaspdb_sorter_fini(&l->gathered);
	gaspdb_sorter_fini(&l->found);
	gaspdb_sorter_fini(&l->failed);
	gaspdb_sorter_fini(&l->releases);
	gaspdb_lock_history_free(&l->holds);
	gaspdb_groups_fini(&l->threads);
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
	gaspdb_unrecorded_open(&l.absences, run, 0, NULL);
	gaspdb_lock_uses_open(&l.uses, run, &l.absences);
	if (locks)
		analyse(&l);
	if (windows)
		gaspdb_window_locks(run, &l.uses);
	gaspdb_lock_uses_close(&l.uses);
	gaspdb_unrecorded_close(&l.absences);
	return run->status;
}
