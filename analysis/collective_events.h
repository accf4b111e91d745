/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls that make up collective operations, sorted into instances: what
 * the matching of collectives starts from.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVE_EVENTS_H
#define GASPDB_ANALYSIS_COLLECTIVE_EVENTS_H

#include "analysis/sorter.h"

/* What one thread did in one instance.  NONE: not known. */
struct gaspdb_member {
	int64_t team, sequence, thread;
	int64_t event, source; /* the call that it arrived by */
	int64_t enter_ns;      /* NONE: of a second half without a first */
	int64_t wait_event;    /* the call in which it waits: the same, the
				  second half of a split phase, the call that
				  completes a request */
	int64_t wait_enter_ns;
	int64_t leave_ns;	 /* of wait_event; NONE if it did not */
	int64_t open_until_ns;	 /* it never left: its thread's last moment */
	int64_t notify_leave_ns; /* split phase: of the first half */
	int64_t root;		 /* world rank */
	int64_t bytes, bytes_received;
	int64_t name;	   /* of a named barrier, else NONE */
	int64_t completed; /* 1: in a call that does not wait */
	int64_t sync;	   /* UPC: an enum gaspdb_upc_sync */
	int64_t parts;	   /* UPC, where not every thread need have a part:
			      how many have one, the first of them the one that
			      `first` names; else NONE */
	int64_t first;
	int64_t others;	     /* how often the thread had communicated when it
				arrived, and had not been recorded; NONE: of
				its calls some are masked */
	int64_t others_done; /* ... when it entered wait_event */
};

/*
 * Every call, into the sorter: by team, sequence, thread, event.  Runtimes that
 * number no collectives (GASP) get a team of their own, and the numbers from
 * the order of calls: returns that team, NONE if there is none.
 */
int64_t gaspdb_collective_events_gather(struct gaspdb_run *run,
					struct gaspdb_sorter *members);

/* For gaspdb_sorter_init(). */
enum {
	GASPDB_MEMBER_COLUMNS = sizeof(struct gaspdb_member) / sizeof(int64_t),
	GASPDB_MEMBER_KEYS = 4
};

#endif
