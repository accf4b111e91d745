/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What barriers themselves take, and how soon one follows the other: told here
 * when an instance is known whole, and read when all waiting is settled.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_BARRIERS_H
#define GASPDB_ANALYSIS_COMPLETION_BARRIERS_H

#include "analysis/collectives/waits.h"
#include "analysis/rows/shared_sorter.h"

/* Two barriers of a team with less than this between them on every member. */
enum { GASPDB_BACK_TO_BACK_NS = 5000 };

struct gaspdb_barriers {
	struct gaspdb_run *run;
	struct gaspdb_sorter *calls; /* the run's */
	struct gaspdb_groups before; /* process: its part in the team's barrier
					before this one */
	int64_t team;
};

/* A member's call, one of the two of a split phase. */
struct gaspdb_barrier_call {
	int64_t event;
	int64_t instance; /* collective.id */
	int64_t source;	  /* line at which the member arrived */
	int64_t thread, duration_ns;
	int64_t operation_ns; /* from when all were there, and it was in this
				 call, to when the first left */
	int64_t interval_ns;  /* since the member's last barrier; NONE: this is
				 the first, or a second half */
	int64_t slack_ns;     /* of a second half: since the first; else NONE */
	bool arrives;	      /* it is not the second half */
	bool operates;	      /* it is not the first half */
	bool slack_only;      /* it is a second half of which no more is known
			       */
	bool back_to_back;    /* on all members */
};

void gaspdb_barriers_open(struct gaspdb_barriers *barriers,
			  struct gaspdb_run *run);
/* The instances of a team follow each other in the order of their numbers; id:
   collective.id. */
void gaspdb_barriers_add(struct gaspdb_barriers *barriers, int64_t id,
			 const struct gaspdb_instance *instance);
/* What was told stays. */
void gaspdb_barriers_close(struct gaspdb_barriers *barriers);

/* For who only reads: all calls, in the order of events; false: no more. */
bool gaspdb_barriers_next(struct gaspdb_barriers *barriers,
			  struct gaspdb_barrier_call *call);
/* Read them again. */
void gaspdb_barriers_rewind(struct gaspdb_barriers *barriers);
void gaspdb_barriers_empty(struct gaspdb_barriers *barriers);

#endif
