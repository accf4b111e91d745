/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk of the critical path. Its time only decreases, so the waits are read
 * once, the latest end first. Of the waits read so far, only those that start
 * before the current time are kept: for each thread at most as many as the
 * depth of its calls.
 */
#include "analysis/path/walk.h"

#include <stdlib.h>

#include "common/sum.h"

struct wait {
	int64_t id, thread, start_ns, end_ns, cause_thread;
};

/* The waits of a thread at which the path may still leave it. */
struct waits {
	struct wait *list;
	size_t n, room;
};

struct walk {
	struct gaspdb_run *run;
	struct gaspdb_sorter *unread;
	gaspdb_path_fn fn;
	void *user;
	struct waits *open; /* by thread */
	struct wait next;   /* the next unread wait, if more */
	bool more;
	int64_t thread, t_ns;	  /* current position */
	int64_t start_ns, end_ns; /* of the run */
};

/* The sorter is ascending; complements of the times give descending order. */
void gaspdb_path_waits_init(struct gaspdb_sorter *waits, struct gaspdb_run *run)
{
	gaspdb_sorter_init(waits, run, 5, 3);
}

void gaspdb_path_waits_add(struct gaspdb_sorter *waits, int64_t id,
			   int64_t thread, int64_t start_ns, int64_t end_ns,
			   int64_t cause_thread)
{
	gaspdb_sorter_add(waits, (int64_t[]){ ~end_ns, ~start_ns, ~id, thread,
					      cause_thread });
}

static bool has_log(const struct walk *k, int64_t thread)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(k->run, thread);

	return t && t->first_ns != GASPDB_NONE;
}

static void read_next(struct walk *k)
{
	const int64_t *row;

	do
		row = gaspdb_sorter_next(k->unread);
	while (row && !has_log(k, row[3]));
	k->more = row != NULL;
	if (row)
		k->next = (struct wait){ ~row[2], row[3], ~row[1], ~row[0],
					 row[4] };
}

/* Keep the next wait unless the path has passed its start; drop such waits of
   its thread. */
static void keep_next(struct walk *k)
{
	const int64_t limit_ns = gaspdb_min(k->t_ns, k->next.end_ns);
	struct waits *w = &k->open[k->next.thread];
	size_t kept = 0;

	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].start_ns < limit_ns)
			w->list[kept++] = w->list[i];
	w->n = kept;
	if (k->next.start_ns < limit_ns &&
	    gaspdb_grow(k->run, &w->list, w->n, &w->room, sizeof *w->list))
		w->list[w->n++] = k->next;
	read_next(k);
}

/* Remove the open wait of the current thread that started last. */
static bool take_open(struct walk *k, struct wait *found)
{
	struct waits *w = &k->open[k->thread];
	size_t best = w->n;

	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].start_ns < k->t_ns &&
		    (best == w->n ||
		     w->list[i].start_ns > w->list[best].start_ns ||
		     (w->list[i].start_ns == w->list[best].start_ns &&
		      w->list[i].id > w->list[best].id)))
			best = i;
	if (best == w->n)
		return false;
	*found = w->list[best];
	w->list[best] = w->list[--w->n];
	return true;
}

/* Remove the wait at which the path leaves the current thread; false: none.
   Waits that ended before the thread's start stay unread: the path may continue
   on another thread from there. */
static bool take_wait(struct walk *k, struct wait *found)
{
	const int64_t first_ns = k->run->threads[k->thread].first_ns;

	while (k->more && k->next.end_ns >= k->t_ns)
		keep_next(k);
	if (take_open(k, found))
		return true;
	while (k->more && k->next.end_ns > first_ns &&
	       k->next.thread != k->thread)
		keep_next(k);
	if (!k->more || k->next.end_ns <= first_ns)
		return false;
	*found = k->next;
	read_next(k);
	return true;
}

static void emit(struct walk *k, enum gaspdb_path_kind kind, int64_t start_ns,
		 int64_t end_ns, int64_t wait)
{
	if (start_ns < end_ns)
		k->fn(k->user,
		      &(struct gaspdb_path_segment){ .thread = k->thread,
						     .kind = kind,
						     .start_ns = start_ns,
						     .end_ns = end_ns,
						     .wait = wait });
}

/* Move back to start_ns on the current thread, which may have ended before
   t_ns. */
static void run_back(struct walk *k, int64_t start_ns, int64_t wait)
{
	const int64_t last_ns = k->run->threads[k->thread].last_ns;
	const int64_t ended_ns =
		gaspdb_max(start_ns, gaspdb_min(last_ns, k->t_ns));

	emit(k, GASPDB_PATH_ENDED, ended_ns, k->t_ns,
	     ended_ns == start_ns ? wait : GASPDB_NONE);
	emit(k, GASPDB_PATH_RUNNING, start_ns, ended_ns, wait);
	k->t_ns = start_ns;
}

/* Move to the end of a wait, and on to its cause or through it. */
static void leave_by(struct walk *k, const struct wait *w)
{
	run_back(k, gaspdb_min(w->end_ns, k->t_ns), w->id);
	if (has_log(k, w->cause_thread)) {
		k->thread = w->cause_thread;
		return;
	}
	emit(k, GASPDB_PATH_WAITING, w->start_ns, k->t_ns, w->id);
	k->t_ns = w->start_ns;
}

/* At the start of a thread, move to the first thread of its process, which
   created it, if that started earlier; false: it did not. */
static bool go_to_creator(struct walk *k)
{
	const int64_t creator = gaspdb_run_process(k->run, k->thread);

	if (creator == k->thread || !has_log(k, creator) ||
	    k->run->threads[creator].first_ns >= k->t_ns)
		return false;
	k->thread = creator;
	return true;
}

static void walk_back(struct walk *k)
{
	struct wait w;

	while (k->t_ns > k->start_ns && k->run->status == GASPDB_OK) {
		if (take_wait(k, &w)) {
			leave_by(k, &w);
			continue;
		}
		run_back(k,
			 gaspdb_min(k->run->threads[k->thread].first_ns,
				    k->t_ns),
			 GASPDB_NONE);
		if (go_to_creator(k))
			continue;
		emit(k, GASPDB_PATH_NOT_STARTED, k->start_ns, k->t_ns,
		     GASPDB_NONE);
		k->t_ns = k->start_ns;
	}
}

/* Find the run's start and end, and the thread that ended last. */
static void find_ends(struct walk *k)
{
	k->thread = GASPDB_NONE;
	for (int64_t i = 0; i < k->run->n_threads; i++) {
		const struct gaspdb_run_thread *t = &k->run->threads[i];

		if (!has_log(k, i))
			continue;
		if (k->thread == GASPDB_NONE || t->first_ns < k->start_ns)
			k->start_ns = t->first_ns;
		if (k->thread == GASPDB_NONE || t->last_ns > k->end_ns) {
			k->end_ns = t->last_ns;
			k->thread = i;
		}
	}
	k->t_ns = k->end_ns;
}

void gaspdb_path_walk(struct gaspdb_run *run, struct gaspdb_sorter *waits,
		      gaspdb_path_fn fn, void *user)
{
	struct walk k = { .run = run, .unread = waits, .fn = fn, .user = user };

	k.open = gaspdb_zeroed(run, (size_t)run->n_threads, sizeof *k.open);
	find_ends(&k);
	read_next(&k);
	if (k.open && k.thread != GASPDB_NONE)
		walk_back(&k);
	for (int64_t i = 0; k.open && i < run->n_threads; i++)
		free(k.open[i].list);
	free(k.open);
}
