/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan of each lock's calls in the order of time, with the last use of each
   process. */
#include "analysis/locks/pairs.h"

#include <string.h>

#include "analysis/rows/groups.h"
#include "common/sum.h"

/* Values of a process. Events are 0 where there is none. */
enum {
	USE,	     /* acquisition without a release so far */
	SINCE,	     /* its time */
	NEXT_HOLDER, /* time of another process's next acquisition; 0: none */
	PREVIOUS,    /* the use before it, if that was not released */
	PREVIOUS_SINCE, /* its time */
	LAST_RELEASE,	/* time */
	N_PROCESS
};

struct pairs {
	struct gaspdb_run *run;
	const struct gaspdb_unrecorded *unrecorded;
	struct gaspdb_sorter *releases, *inferred;
	struct gaspdb_groups processes;
	int64_t holder, holder_ns; /* last process to acquire the lock, and
				      when; NONE: none */
	int64_t freed_ns; /* when another lock with this object was freed */
};

static void reset(struct pairs *p, int64_t freed_ns)
{
	gaspdb_groups_clear(&p->processes);
	p->holder = GASPDB_NONE;
	p->holder_ns = p->freed_ns = freed_ns;
}

/* A process acquires the lock: note the time with the process before it. */
static void set_holder(struct pairs *p, int64_t process, int64_t at_ns)
{
	int64_t *last =
		p->holder != GASPDB_NONE && p->holder != process
			? gaspdb_group(p->run, &p->processes, &p->holder)
			: NULL;

	if (last && last[USE] && !last[NEXT_HOLDER])
		last[NEXT_HOLDER] = at_ns;
	p->holder = process;
	p->holder_ns = at_ns;
}

/* Did a process release its use unseen? Another process acquired the lock
   before this call, and an unrecorded interval lies before that. */
static bool released_unseen(const struct pairs *p, int64_t process,
			    const int64_t *own, const int64_t *call)
{
	return own[USE] && own[NEXT_HOLDER] &&
	       own[NEXT_HOLDER] < call[GASPDB_LOCK_EFFECT] &&
	       gaspdb_unrecorded_between(p->unrecorded, process, own[SINCE],
					 own[NEXT_HOLDER]) > 0;
}

/* Begin a use. The one before it may still be released by another thread of the
   process at the same time. */
static void acquire(struct pairs *p, int64_t process, const int64_t *call)
{
	int64_t *own;

	set_holder(p, process, call[GASPDB_LOCK_EFFECT]);
	own = gaspdb_group(p->run, &p->processes, &process);
	if (!own)
		return;
	own[PREVIOUS] = released_unseen(p, process, own, call) ? 0 : own[USE];
	own[PREVIOUS_SINCE] = own[SINCE];
	own[USE] = call[GASPDB_LOCK_EVENT];
	own[SINCE] = call[GASPDB_LOCK_EFFECT];
	own[NEXT_HOLDER] = 0;
}

static void add_release(struct pairs *p, int64_t object, int64_t taken_ns,
			int64_t what, int64_t event, const int64_t *by)
{
	gaspdb_sorter_add(
		p->releases,
		(int64_t[]){ [GASPDB_LOCK_OBJECT] = object,
			     [GASPDB_LOCK_EFFECT] = taken_ns,
			     [GASPDB_LOCK_KIND] = what,
			     [GASPDB_LOCK_EVENT] = event,
			     [GASPDB_RELEASE_BY] = by[GASPDB_LOCK_EVENT],
			     [GASPDB_RELEASE_START] = by[GASPDB_LOCK_START],
			     [GASPDB_RELEASE_END] = by[GASPDB_LOCK_END] });
}

/* Process a release without a recorded acquisition. */
static void release_unseen(struct pairs *p, int64_t process,
			   int64_t last_release_ns, const int64_t *call)
{
	const int64_t free_ns = gaspdb_max(
		last_release_ns, gaspdb_max(p->freed_ns, p->holder_ns));
	const int64_t held_ns = gaspdb_unrecorded_last(p->unrecorded, process,
						       call[GASPDB_LOCK_START]);
	int64_t row[GASPDB_LOCK_COLUMNS];

	memcpy(row, call, sizeof row);
	if (held_ns <= last_release_ns || held_ns <= p->freed_ns ||
	    held_ns < p->holder_ns) {
		row[GASPDB_LOCK_KIND] = GASPDB_LOCK_STRAY;
		gaspdb_sorter_add(p->inferred, row);
		return;
	}
	/* Another process acquires it at the same time. */
	if (held_ns == p->holder_ns && held_ns == call[GASPDB_LOCK_START])
		return;
	set_holder(p, process, held_ns);
	row[GASPDB_LOCK_KIND] = GASPDB_LOCK_UNSEEN;
	row[GASPDB_LOCK_START] =
		gaspdb_min(held_ns, gaspdb_unrecorded_next(p->unrecorded,
							   process, free_ns));
	row[GASPDB_LOCK_EFFECT] = row[GASPDB_LOCK_END] = held_ns;
	gaspdb_sorter_add(p->inferred, row);
	add_release(p, call[GASPDB_LOCK_OBJECT], held_ns, GASPDB_LOCK_UNSEEN,
		    call[GASPDB_LOCK_EVENT], call);
}

/* Did the same thread make this acquisition after the release, at one time? */
static bool is_acquired_later(const struct pairs *p, int64_t use,
			      const int64_t *call)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(p->run, call[GASPDB_LOCK_THREAD]);

	return t && use > call[GASPDB_LOCK_EVENT] && use <= t->last_event;
}

static void release_call(struct pairs *p, int64_t process, const int64_t *call)
{
	const int64_t at_ns = call[GASPDB_LOCK_EFFECT];
	int64_t *own = gaspdb_group(p->run, &p->processes, &process);
	int64_t last_release_ns;

	if (!own)
		return;
	last_release_ns = own[LAST_RELEASE];
	own[LAST_RELEASE] = at_ns;
	if (own[PREVIOUS] && own[SINCE] == at_ns) {
		add_release(p, call[GASPDB_LOCK_OBJECT], own[PREVIOUS_SINCE],
			    GASPDB_LOCK_ACQUIRE, own[PREVIOUS], call);
		own[PREVIOUS] = 0;
		return;
	}
	if (is_acquired_later(p, own[USE], call))
		return;
	if (released_unseen(p, process, own, call))
		own[USE] = 0;
	if (own[USE])
		add_release(p, call[GASPDB_LOCK_OBJECT], own[SINCE],
			    GASPDB_LOCK_ACQUIRE, own[USE], call);
	else
		release_unseen(p, process, last_release_ns, call);
	own = gaspdb_group(p->run, &p->processes, &process);
	if (own)
		own[USE] = 0;
}

static void pair(struct pairs *p, const int64_t *call)
{
	const int64_t process =
		gaspdb_run_process(p->run, call[GASPDB_LOCK_THREAD]);

	switch (call[GASPDB_LOCK_KIND]) {
	case GASPDB_LOCK_ACQUIRE:
		acquire(p, process, call);
		break;
	case GASPDB_LOCK_RELEASE:
		release_call(p, process, call);
		break;
	case GASPDB_LOCK_FREE:
		reset(p, call[GASPDB_LOCK_EFFECT]);
		break;
	}
}

void gaspdb_lock_pairs_find(struct gaspdb_run *run,
			    const struct gaspdb_unrecorded *unrecorded,
			    struct gaspdb_sorter *calls,
			    struct gaspdb_sorter *releases,
			    struct gaspdb_sorter *inferred)
{
	struct pairs p = { .run = run,
			   .unrecorded = unrecorded,
			   .releases = releases,
			   .inferred = inferred };
	int64_t object = GASPDB_NONE;
	const int64_t *call;

	gaspdb_groups_init(&p.processes, 1, N_PROCESS);
	gaspdb_sorter_init(releases, run, GASPDB_RELEASE_COLUMNS,
			   GASPDB_LOCK_KEYS);
	gaspdb_sorter_init(inferred, run, GASPDB_LOCK_COLUMNS,
			   GASPDB_LOCK_KEYS);
	while ((call = gaspdb_sorter_next(calls))) {
		if (call[GASPDB_LOCK_OBJECT] == GASPDB_NONE)
			continue;
		if (call[GASPDB_LOCK_OBJECT] != object)
			reset(&p, INT64_MIN);
		object = call[GASPDB_LOCK_OBJECT];
		pair(&p, call);
	}
	gaspdb_groups_fini(&p.processes);
	gaspdb_sorter_rewind(calls);
}
