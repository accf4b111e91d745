/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barrier calls: the operation time of barriers, and the time since the last
 * one. The collectives pass adds instances, the costs pass reads the calls.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_BARRIERS_H
#define GASPDB_ANALYSIS_COLLECTIVES_BARRIERS_H

#include "analysis/collectives/waits.h"
#include "analysis/rows/shared_sorter.h"

/* Maximum time between back-to-back barriers of a team, on every member. */
enum { GASPDB_BACK_TO_BACK_NS = 5000 };

struct gaspdb_barriers {
	struct gaspdb_run *run;
	struct gaspdb_sorter *calls; /* the run's */
	struct gaspdb_groups last;   /* process: its part in the team's last
					barrier */
	int64_t team;
};

/* A member's call; a split barrier has two, notify and wait. */
struct gaspdb_barrier_call {
	int64_t event;
	int64_t instance; /* collective.id */
	int64_t source;	  /* line at which the member arrived */
	int64_t thread, duration_ns;
	int64_t operation_ns; /* from the last enter of a member, or this
				 call's, to the first leave */
	int64_t interval_ns;  /* since the member's last barrier; NONE: none, or
				 a second half */
	int64_t slack_ns;     /* second half: time since the first; else NONE */
	bool arrives;	      /* not a second half */
	bool operates;	      /* not a first half */
	bool slack_only;      /* a second half with only slack_ns known */
	bool back_to_back;    /* on all members */
};

void gaspdb_barriers_open(struct gaspdb_barriers *barriers,
			  struct gaspdb_run *run);
/* Add an instance. Those of a team are consecutive and in the order of their
   numbers. id: collective.id. */
void gaspdb_barriers_add(struct gaspdb_barriers *barriers, int64_t id,
			 const struct gaspdb_instance *instance);
/* Close; the added calls stay in the run. */
void gaspdb_barriers_close(struct gaspdb_barriers *barriers);

/* The next call, in the order of events; false: the end. */
bool gaspdb_barriers_next(struct gaspdb_barriers *barriers,
			  struct gaspdb_barrier_call *call);
/* Restart reading; remove all calls. */
void gaspdb_barriers_rewind(struct gaspdb_barriers *barriers);
void gaspdb_barriers_empty(struct gaspdb_barriers *barriers);

#endif
