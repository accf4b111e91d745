/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lock by lock: the holds in the order in which the lock was taken, the time
 * that each acquisition spent while others held it, and for which of them.
 *
 * A lock is given back somewhere within the releasing call, and not after the
 * next acquisition returned: that is all there is to know of a hold's end.
 */
#include "analysis/locks.h"

#include <string.h>

#include "analysis/groups.h"
#include "analysis/lock_calls.h"
#include "analysis/lock_uses.h"
#include "analysis/quality.h"
#include "analysis/sorter.h"
#include "analysis/window_locks.h"
#include "sum.h"

/* A row of failed: an attempt, or a pending call.  AT: a hold that is in its
   way has begun by then. */
enum { AT = GASPDB_LOCK_EFFECT };

/* A row of releases: the use of a lock that ends, and its last call. */
enum { USE, BY, BY_START, BY_END, RELEASE_COLUMNS };

struct locks {
	struct gaspdb_run run;
	struct gaspdb_lock_uses uses;
	struct gaspdb_sorter gathered; /* all calls, by lock */
	struct gaspdb_sorter failed;   /* attempts and pending ones */
	struct gaspdb_sorter releases; /* by use */
	const int64_t *next_failed, *next_release;
	int64_t object;
	struct {
		struct gaspdb_lock_call by; /* event NONE: there is none */
		int64_t id;
		int64_t attempts;   /* that failed before it */
		int64_t between_ns; /* since the first of them, outside */
	} use;			    /* the last of this lock, that has no end */
	struct gaspdb_lock_history holds; /* the uses before it */
	struct gaspdb_groups owners; /* a process's and a thread's values */
	int64_t overlaps, overlap_ns, overlap_thread, overlap_event;
	int64_t strays, stray_thread, stray_event;
};

/* Values of a process: the use that it has not given back, 0: none; the one
   that it had before, and until when.  Of a
   thread: failed attempts, the last one's end, and the time between them. */
enum {
	NOT_GIVEN_BACK,
	BEFORE,
	BEFORE_NS,
	FAILED,
	FAILED_END,
	BETWEEN,
	N_OWNER
};

static int64_t *owner(struct locks *l, int64_t id)
{
	return gaspdb_group(&l->run, &l->owners, &id);
}

/* At the moment at which it takes a lock again a process may, by another
   thread, give back what it had. */
static void hold(int64_t *process, int64_t use, int64_t at_ns)
{
	process[BEFORE] = process[NOT_GIVEN_BACK];
	process[BEFORE_NS] = at_ns;
	process[NOT_GIVEN_BACK] = use;
}

/* Which use ends with that; 0: the process has none. */
static int64_t let_go(int64_t *process, int64_t at_ns)
{
	int64_t *of = process[BEFORE] && process[BEFORE_NS] == at_ns
			      ? &process[BEFORE]
			      : &process[NOT_GIVEN_BACK];
	const int64_t use = *of;

	*of = 0;
	return use;
}

static int64_t *process_of(struct locks *l, const int64_t *row)
{
	return owner(l, gaspdb_run_process(&l->run, row[GASPDB_LOCK_THREAD]));
}

/* --- which call gives back what ------------------------------------------- */

static void add_failed(struct locks *l, const int64_t *row)
{
	int64_t failed[GASPDB_LOCK_COLUMNS];

	memcpy(failed, row, sizeof failed);
	failed[AT] = row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_PENDING
			     ? row[GASPDB_LOCK_END]
			     : row[GASPDB_LOCK_START];
	gaspdb_sorter_add(&l->failed, failed);
}

/* A lock belongs to a process: any thread of it may give it back. */
static void pair_call(struct locks *l, const int64_t *row, int64_t *use)
{
	int64_t *owner = NULL, ended;

	if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_FREE) {
		gaspdb_groups_clear(&l->owners);
		return;
	}
	if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_ATTEMPT ||
	    row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_PENDING)
		add_failed(l, row);
	else
		owner = process_of(l, row);
	if (!owner)
		return;
	if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_ACQUIRE) {
		hold(owner, ++*use, row[GASPDB_LOCK_EFFECT]);
		return;
	}
	ended = let_go(owner, row[GASPDB_LOCK_EFFECT]);
	if (ended)
		gaspdb_sorter_add(
			&l->releases,
			(int64_t[]){ [USE] = ended,
				     [BY] = row[GASPDB_LOCK_EVENT],
				     [BY_START] = row[GASPDB_LOCK_START],
				     [BY_END] = row[GASPDB_LOCK_END] });
}

static void pair_calls(struct locks *l)
{
	int64_t object = GASPDB_NONE, use = 0;
	const int64_t *row;

	gaspdb_sorter_init(&l->failed, &l->run, GASPDB_LOCK_COLUMNS, AT + 1);
	gaspdb_sorter_init(&l->releases, &l->run, RELEASE_COLUMNS, 1);
	while ((row = gaspdb_sorter_next(&l->gathered))) {
		if (row[GASPDB_LOCK_OBJECT] == GASPDB_NONE)
			continue;
		if (row[GASPDB_LOCK_OBJECT] != object)
			gaspdb_groups_clear(&l->owners);
		object = row[GASPDB_LOCK_OBJECT];
		pair_call(l, row, &use);
	}
	gaspdb_groups_clear(&l->owners);
	gaspdb_sorter_rewind(&l->gathered);
	l->next_failed = gaspdb_sorter_next(&l->failed);
	l->next_release = gaspdb_sorter_next(&l->releases);
}

/* --- contention ----------------------------------------------------------- */

/* Waiting from a call's enter to the last hold's end, if that is later: its
   length. */
static int64_t contend(struct locks *l, const struct gaspdb_lock_call *c)
{
	const size_t n = l->holds.n;
	const struct gaspdb_hold *h =
		n ? gaspdb_lock_history_get(&l->holds, n - 1) : NULL;
	const int64_t limit_ns =
		h ? gaspdb_min(h->end_ns, c->end_ns) : c->start_ns;

	if (limit_ns <= c->start_ns)
		return 0;
	gaspdb_lock_uses_cut(&l->uses, l->object, c, limit_ns, &l->holds);
	return limit_ns - c->start_ns;
}

static void fail(struct locks *l, const int64_t *row)
{
	const struct gaspdb_lock_call c = { row[GASPDB_LOCK_EVENT],
					    row[GASPDB_LOCK_SOURCE],
					    row[GASPDB_LOCK_THREAD],
					    row[GASPDB_LOCK_START],
					    row[GASPDB_LOCK_END] };
	const struct gaspdb_hold *last =
		l->holds.n ? gaspdb_lock_history_get(&l->holds, l->holds.n - 1)
			   : NULL;

	if (last && last->end_ns <= c.start_ns)
		last = NULL;
	if (row[GASPDB_LOCK_WHAT] == GASPDB_LOCK_PENDING)
		contend(l, &c);
	else if (!last || last->thread != c.thread) /* its own: no waiting */
		gaspdb_lock_uses_wait(&l->uses, l->object, &c,
				      GASPDB_WAIT_LOCK_ATTEMPT, c.start_ns,
				      c.end_ns, last);
}

/* Those that the next hold, if there is one, does not matter to. */
static void failed_calls(struct locks *l, const int64_t *next)
{
	while (l->next_failed &&
	       l->next_failed[GASPDB_LOCK_OBJECT] == l->object &&
	       (!next || l->next_failed[AT] < next[GASPDB_LOCK_END])) {
		fail(l, l->next_failed);
		l->next_failed = gaspdb_sorter_next(&l->failed);
	}
}

/* --- uses ----------------------------------------------------------------- */

/* release: NULL: never; next: the acquisition after it, or the lock's freeing,
   NULL: none. */
static int64_t end_of_use(const struct locks *l, const int64_t *release,
			  const int64_t *next)
{
	const struct gaspdb_lock_call *by = &l->use.by;
	const struct gaspdb_run_thread *t;

	if (next && next[GASPDB_LOCK_WHAT] == GASPDB_LOCK_FREE)
		return release ? gaspdb_min(release[BY_END],
					    gaspdb_max(release[BY_START],
						       next[GASPDB_LOCK_START]))
			       : next[GASPDB_LOCK_START];
	if (next)
		return release ? gaspdb_min(release[BY_END],
					    gaspdb_max(release[BY_START],
						       next[GASPDB_LOCK_END]))
			       : next[GASPDB_LOCK_END];
	if (release)
		return release[BY_END];
	t = gaspdb_run_thread(&l->run, by->thread);
	return t && t->last_ns != GASPDB_NONE ? t->last_ns : by->end_ns;
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
	const int64_t contended_ns = contend(l, by);

	gaspdb_lock_uses_add(
		&l->uses, l->object,
		&(struct gaspdb_lock_use){
			.by = *by,
			.taken_ns = by->end_ns,
			.end_ns = end_ns,
			.release = release,
			.contended_ns = contended_ns,
			.latency_ns = by->end_ns - by->start_ns - contended_ns,
			.attempts = l->use.attempts,
			.between_ns = l->use.between_ns });
}

/* The last use ends, at the latest with the next acquisition. */
static void end_use(struct locks *l, const int64_t *next)
{
	const struct gaspdb_lock_call *by = &l->use.by;
	const int64_t *release =
		l->next_release && l->next_release[USE] == l->use.id
			? l->next_release
			: NULL;
	const int64_t end_ns = end_of_use(l, release, next);
	const int64_t event = release ? release[BY] : GASPDB_NONE;

	if (next && next[GASPDB_LOCK_WHAT] == GASPDB_LOCK_ACQUIRE)
		add_overlap(l, end_ns - next[GASPDB_LOCK_END], event);
	write_use(l, event, end_ns);
	gaspdb_lock_history_add(&l->holds,
				&(struct gaspdb_hold){ by->event, by->source,
						       by->thread, by->end_ns,
						       end_ns });
	if (release)
		l->next_release = gaspdb_sorter_next(&l->releases);
}

static void take(struct locks *l, const int64_t *row)
{
	int64_t *thread, *process;

	if (l->use.by.event != GASPDB_NONE)
		end_use(l, row);
	failed_calls(l, row);
	l->use.by = (struct gaspdb_lock_call){ row[GASPDB_LOCK_EVENT],
					       row[GASPDB_LOCK_SOURCE],
					       row[GASPDB_LOCK_THREAD],
					       row[GASPDB_LOCK_START],
					       row[GASPDB_LOCK_END] };
	l->use.id++;
	l->use.attempts = l->use.between_ns = 0;
	thread = owner(l, row[GASPDB_LOCK_THREAD]);
	if (thread && thread[FAILED]) {
		gaspdb_add_to(&thread[BETWEEN],
			      row[GASPDB_LOCK_START] - thread[FAILED_END]);
		l->use.attempts = thread[FAILED];
		l->use.between_ns = thread[BETWEEN];
		thread[FAILED] = thread[BETWEEN] = 0;
	}
	process = process_of(l, row);
	if (process)
		hold(process, l->use.id, row[GASPDB_LOCK_EFFECT]);
}

static void give_back(struct locks *l, const int64_t *row)
{
	int64_t *process = process_of(l, row);

	if (process && !let_go(process, row[GASPDB_LOCK_EFFECT]) &&
	    !l->strays++) {
		l->stray_thread = row[GASPDB_LOCK_THREAD];
		l->stray_event = row[GASPDB_LOCK_EVENT];
	}
}

static void try_in_vain(struct locks *l, const int64_t *row)
{
	int64_t *thread = owner(l, row[GASPDB_LOCK_THREAD]);

	if (!thread)
		return;
	if (thread[FAILED]++)
		gaspdb_add_to(&thread[BETWEEN],
			      row[GASPDB_LOCK_START] - thread[FAILED_END]);
	thread[FAILED_END] = row[GASPDB_LOCK_END];
}

/* UPC's pointers come back for other locks: nobody waits for who held this. */
static void free_lock(struct locks *l, const int64_t *row)
{
	if (l->use.by.event != GASPDB_NONE)
		end_use(l, row);
	failed_calls(l, row);
	l->use.by.event = GASPDB_NONE;
	gaspdb_lock_history_clear(&l->holds);
	gaspdb_groups_clear(&l->owners);
}

static void take_call(struct locks *l, const int64_t *row)
{
	switch (row[GASPDB_LOCK_WHAT]) {
	case GASPDB_LOCK_ACQUIRE:
		take(l, row);
		break;
	case GASPDB_LOCK_RELEASE:
		give_back(l, row);
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
		gaspdb_quality_add(&l->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_DEFECT_LOCK_ORDER,
					   .thread = l->overlap_thread,
					   .event = l->overlap_event,
					   .count = l->overlaps,
					   .bytes = GASPDB_NONE,
					   .time_ns = l->overlap_ns },
				   "taken by another thread before it was "
				   "given back");
	if (l->strays)
		gaspdb_quality_add(&l->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_DEFECT_LOCK_ORDER,
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
	if (l->use.by.event != GASPDB_NONE)
		end_use(l, NULL);
	failed_calls(l, NULL);
	tell_order(l);
	l->use.by.event = GASPDB_NONE;
	gaspdb_lock_history_clear(&l->holds);
	gaspdb_groups_clear(&l->owners);
	l->overlaps = l->overlap_ns = l->strays = 0;
}

/* --- reading -------------------------------------------------------------- */

static void read_calls(struct locks *l)
{
	struct gaspdb_quality_row unknown = {
		.kind = GASPDB_DEFECT_OBJECT_UNKNOWN,
		.bytes = GASPDB_NONE,
		.time_ns = 0
	};
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&l->gathered))) {
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
		gaspdb_quality_add(&l->run, &unknown,
				   "calls of locks: their waits are not known");
}

static void analyse(struct locks *l)
{
	gaspdb_groups_init(&l->owners, 1, N_OWNER);
	gaspdb_lock_calls_gather(&l->run, &l->gathered);
	pair_calls(l);
	read_calls(l);
	gaspdb_sorter_fini(&l->gathered);
	gaspdb_sorter_fini(&l->failed);
	gaspdb_sorter_fini(&l->releases);
	gaspdb_lock_history_free(&l->holds);
	gaspdb_groups_fini(&l->owners);
}

enum gaspdb_status gaspdb_pass_locks(sqlite3 *db, struct gaspdb_error *err)
{
	static const enum gaspdb_type types[] = { GASPDB_TYPE_lock,
						  GASPDB_TYPE_lock_attempt,
						  GASPDB_TYPE_unlock },
				      window = GASPDB_TYPE_window_lock;
	struct locks l = { .object = GASPDB_NONE,
			   .use.by.event = GASPDB_NONE,
			   .holds.run = &l.run };
	bool locks, windows;

	gaspdb_run_open(&l.run, db, err);
	locks = gaspdb_run_has(&l.run, types, 3);
	windows = gaspdb_run_has(&l.run, &window, 1);
	if (!locks && !windows)
		return gaspdb_run_close(&l.run);
	gaspdb_lock_uses_open(&l.uses, &l.run);
	if (locks)
		analyse(&l);
	if (windows)
		gaspdb_window_locks(&l.run, &l.uses);
	gaspdb_lock_uses_close(&l.uses);
	return gaspdb_run_close(&l.run);
}
