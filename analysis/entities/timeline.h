/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One thread's time, from its first moment to its last, in pieces: each has one
 * innermost call and one innermost entity, is recorded or not, and is waited
 * through or not.  Calls and entities are those begun last of the open ones;
 * they may cross.
 */
#ifndef GASPDB_ANALYSIS_ENTITIES_TIMELINE_H
#define GASPDB_ANALYSIS_ENTITIES_TIMELINE_H

#include "analysis/entities/covers.h"
#include "analysis/entities/shares.h"
#include "analysis/entities/sums.h"

/* Something open. */
struct gaspdb_open_call {
	int64_t event, source, end_ns;
	int64_t entity; /* of calls: unused */
};

struct gaspdb_open_calls {
	struct gaspdb_open_call *at;
	size_t n, room;
};

struct gaspdb_timeline {
	struct gaspdb_run *run;
	struct gaspdb_shares shares;
	struct gaspdb_entity_sums sums;
	struct gaspdb_cover gaps, waits;
	int64_t thread, now_ns;
	struct gaspdb_open_calls calls, entities;
	/* By entity: time counted of the current piece, and its number. */
	struct gaspdb_counted {
		uint64_t piece;
		int64_t ns;
	} * counted;
	uint64_t piece;
};

void gaspdb_timeline_open(struct gaspdb_timeline *t, struct gaspdb_run *run);
void gaspdb_timeline_close(struct gaspdb_timeline *t);

/* Begins a thread; and ends it. */
void gaspdb_timeline_begin(struct gaspdb_timeline *t, int64_t thread);
void gaspdb_timeline_end(struct gaspdb_timeline *t);

struct gaspdb_event;

/* The thread's next event: a call of the runtime or the program; work for
   entity event->object, or its hand-over. */
void gaspdb_timeline_call(struct gaspdb_timeline *t,
			  const struct gaspdb_event *event);
void gaspdb_timeline_entity(struct gaspdb_timeline *t,
			    const struct gaspdb_event *event);
void gaspdb_timeline_put(struct gaspdb_timeline *t,
			 const struct gaspdb_event *event);

#endif
