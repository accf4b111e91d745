/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time and work by entity: one scan of events, thread after thread, in runs
 * that have entities.  The cost of a piece of time is proportional to the open
 * entities, whose number the import limits.
 */
#include "analysis/entities/entities.h"

#include "analysis/engine/scan.h"
#include "analysis/entities/hand_overs.h"
#include "analysis/entities/timeline.h"
#include "sql/passes/entities.h"

struct entities {
	struct gaspdb_run *run;
	struct gaspdb_timeline timeline;
	struct gaspdb_hand_overs work;
	int64_t next; /* threads below are begun */
	bool open;    /* the last of them has a timeline */
};

/* Ends the current thread, and begins those up to one. */
static void enter_thread(struct entities *e, int64_t thread)
{
	while (e->next <= thread && e->run->status == GASPDB_OK) {
		if (e->open)
			gaspdb_timeline_end(&e->timeline);
		e->open = e->next < e->run->n_threads &&
			  e->run->threads[e->next].first_ns != GASPDB_NONE;
		if (e->open)
			gaspdb_timeline_begin(&e->timeline, e->next);
		e->next++;
	}
}

static void take(void *user, const struct gaspdb_event *event)
{
	struct entities *e = user;
	const enum gaspdb_type type = gaspdb_source_type(e->run, event->source);

	if (event->thread >= e->next)
		enter_thread(e, event->thread);
	if (!e->open)
		return;
	switch (type) {
	case GASPDB_TYPE_work:
		gaspdb_hand_overs_add(&e->work, event, false);
		/* fall through */
	case GASPDB_TYPE_entity:
		gaspdb_timeline_entity(&e->timeline, event);
		break;
	case GASPDB_TYPE_work_put:
		gaspdb_hand_overs_add(&e->work, event, true);
		gaspdb_timeline_put(&e->timeline, event);
		break;
	default:
		if (event->self_ns != GASPDB_NONE) /* no overlay */
			gaspdb_timeline_call(&e->timeline, event);
	}
}

enum gaspdb_status gaspdb_pass_entities(struct gaspdb_run *run)
{
	static const enum gaspdb_type types[] = { GASPDB_TYPE_entity,
						  GASPDB_TYPE_work,
						  GASPDB_TYPE_work_put };
	struct entities e = { .run = run };

	if (!gaspdb_run_has(run, types, 3))
		return run->status;
	gaspdb_timeline_open(&e.timeline, run);
	gaspdb_hand_overs_open(&e.work, run);
	gaspdb_scan_events(run, take, &e);
	enter_thread(&e, run->n_threads);
	gaspdb_timeline_close(&e.timeline); /* no statement is open after it */
	gaspdb_hand_overs_close(&e.work);
	gaspdb_exec(run, gaspdb_sql_entity_totals);
	return run->status;
}
