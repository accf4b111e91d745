/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of each lock in order of time; of each process the last use. */
#include "analysis/locks/pairs.h"

#include <string.h>

#include "analysis/rows/groups.h"
#include "common/sum.h"

/* Values of a process: the use that it has not given back (its event, 0: none;
   when it was had; when another one had the lock next, 0: none did yet), the
   one before it, and when it gave back the last. */
enum { USE, TAKEN, NEXT, BEFORE, BEFORE_TAKEN, GIVEN_BACK, N_PROCESS };

struct pairs {
	struct gaspdb_run *run;
	const struct gaspdb_unrecorded *absences;
	struct gaspdb_sorter *releases, *found;
	struct gaspdb_groups processes;
	int64_t taken_by, taken_ns; /* who had the lock last; NONE: nobody */
	int64_t freed_ns;	    /* another lock was there until then */
};

static void forget(struct pairs *p, int64_t freed_ns)
{
	gaspdb_groups_clear(&p->processes);
	p->taken_by = GASPDB_NONE;
	p->taken_ns = p->freed_ns = freed_ns;
}

/* From now on a process has it, which ends what the last one is known to. */
static void pass_on(struct pairs *p, int64_t process, int64_t at_ns)
{
	int64_t *last =
		p->taken_by != GASPDB_NONE && p->taken_by != process
			? gaspdb_group(p->run, &p->processes, &p->taken_by)
			: NULL;

	if (last && last[USE] && !last[NEXT])
		last[NEXT] = at_ns;
	p->taken_by = process;
	p->taken_ns = at_ns;
}

/* Another one had the lock before a call of its process did something to it,
   and it may have been given back unseen before that. */
static bool is_over(const struct pairs *p, int64_t process, const int64_t *own,
		    const int64_t *call)
{
	return own[USE] && own[NEXT] && own[NEXT] < call[GASPDB_LOCK_EFFECT] &&
	       gaspdb_unrecorded_between(p->absences, process, own[TAKEN],
					 own[NEXT]) > 0;
}

/* At the moment at which it takes a lock again a process may, by another
   thread, give back what it had. */
static void take(struct pairs *p, int64_t process, const int64_t *call)
{
	int64_t *own;

	pass_on(p, process, call[GASPDB_LOCK_EFFECT]);
	own = gaspdb_group(p->run, &p->processes, &process);
	if (!own)
		return;
	own[BEFORE] = is_over(p, process, own, call) ? 0 : own[USE];
	own[BEFORE_TAKEN] = own[TAKEN];
	own[USE] = call[GASPDB_LOCK_EVENT];
	own[TAKEN] = call[GASPDB_LOCK_EFFECT];
	own[NEXT] = 0;
}

static void release(struct pairs *p, int64_t object, int64_t taken_ns,
		    int64_t what, int64_t event, const int64_t *by)
{
	gaspdb_sorter_add(
		p->releases,
		(int64_t[]){ [GASPDB_LOCK_OBJECT] = object,
			     [GASPDB_LOCK_EFFECT] = taken_ns,
			     [GASPDB_LOCK_WHAT] = what,
			     [GASPDB_LOCK_EVENT] = event,
			     [GASPDB_RELEASE_BY] = by[GASPDB_LOCK_EVENT],
			     [GASPDB_RELEASE_START] = by[GASPDB_LOCK_START],
			     [GASPDB_RELEASE_END] = by[GASPDB_LOCK_END] });
}

/* What is given back was taken by no call that is known. */
static void release_unseen(struct pairs *p, int64_t process,
			   int64_t given_back_ns, const int64_t *call)
{
	const int64_t free_ns =
		gaspdb_max(given_back_ns, gaspdb_max(p->freed_ns, p->taken_ns));
	const int64_t had_ns = gaspdb_unrecorded_last(p->absences, process,
						      call[GASPDB_LOCK_START]);
	int64_t row[GASPDB_LOCK_COLUMNS];

	memcpy(row, call, sizeof row);
	if (had_ns <= given_back_ns || had_ns <= p->freed_ns ||
	    had_ns < p->taken_ns) {
		row[GASPDB_LOCK_WHAT] = GASPDB_LOCK_STRAY;
		gaspdb_sorter_add(p->found, row);
		return;
	}
	/* Another one has it from the same moment on. */
	if (had_ns == p->taken_ns && had_ns == call[GASPDB_LOCK_START])
		return;
	pass_on(p, process, had_ns);
	row[GASPDB_LOCK_WHAT] = GASPDB_LOCK_UNSEEN;
	row[GASPDB_LOCK_START] = gaspdb_min(
		had_ns, gaspdb_unrecorded_next(p->absences, process, free_ns));
	row[GASPDB_LOCK_EFFECT] = row[GASPDB_LOCK_END] = had_ns;
	gaspdb_sorter_add(p->found, row);
	release(p, call[GASPDB_LOCK_OBJECT], had_ns, GASPDB_LOCK_UNSEEN,
		call[GASPDB_LOCK_EVENT], call);
}

/* Of a thread that at one moment gave the lock back, and then took it. */
static bool is_later(const struct pairs *p, int64_t use, const int64_t *call)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(p->run, call[GASPDB_LOCK_THREAD]);

	return t && use > call[GASPDB_LOCK_EVENT] && use <= t->last_event;
}

static void give_back(struct pairs *p, int64_t process, const int64_t *call)
{
	const int64_t at_ns = call[GASPDB_LOCK_EFFECT];
	int64_t *own = gaspdb_group(p->run, &p->processes, &process);
	int64_t given_back_ns;

	if (!own)
		return;
	given_back_ns = own[GIVEN_BACK];
	own[GIVEN_BACK] = at_ns;
	if (own[BEFORE] && own[TAKEN] == at_ns) {
		release(p, call[GASPDB_LOCK_OBJECT], own[BEFORE_TAKEN],
			GASPDB_LOCK_ACQUIRE, own[BEFORE], call);
		own[BEFORE] = 0;
		return;
	}
	if (is_later(p, own[USE], call))
		return;
	if (is_over(p, process, own, call))
		own[USE] = 0;
	if (own[USE])
		release(p, call[GASPDB_LOCK_OBJECT], own[TAKEN],
			GASPDB_LOCK_ACQUIRE, own[USE], call);
	else
		release_unseen(p, process, given_back_ns, call);
	own = gaspdb_group(p->run, &p->processes, &process);
	if (own)
		own[USE] = 0;
}

static void pair(struct pairs *p, const int64_t *call)
{
	const int64_t process =
		gaspdb_run_process(p->run, call[GASPDB_LOCK_THREAD]);

	switch (call[GASPDB_LOCK_WHAT]) {
	case GASPDB_LOCK_ACQUIRE:
		take(p, process, call);
		break;
	case GASPDB_LOCK_RELEASE:
		give_back(p, process, call);
		break;
	case GASPDB_LOCK_FREE:
		forget(p, call[GASPDB_LOCK_EFFECT]);
		break;
	}
}

void gaspdb_lock_pairs_find(struct gaspdb_run *run,
			    const struct gaspdb_unrecorded *absences,
			    struct gaspdb_sorter *calls,
			    struct gaspdb_sorter *releases,
			    struct gaspdb_sorter *found)
{
	struct pairs p = { .run = run,
			   .absences = absences,
			   .releases = releases,
			   .found = found };
	int64_t object = GASPDB_NONE;
	const int64_t *call;

	gaspdb_groups_init(&p.processes, 1, N_PROCESS);
	gaspdb_sorter_init(releases, run, GASPDB_RELEASE_COLUMNS,
			   GASPDB_LOCK_KEYS);
	gaspdb_sorter_init(found, run, GASPDB_LOCK_COLUMNS, GASPDB_LOCK_KEYS);
	while ((call = gaspdb_sorter_next(calls))) {
		if (call[GASPDB_LOCK_OBJECT] == GASPDB_NONE)
			continue;
		if (call[GASPDB_LOCK_OBJECT] != object)
			forget(&p, INT64_MIN);
		object = call[GASPDB_LOCK_OBJECT];
		pair(&p, call);
	}
	gaspdb_groups_fini(&p.processes);
	gaspdb_sorter_rewind(calls);
}
