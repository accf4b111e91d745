/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Throttling: a function that has had many calls in a thread, short on average,
 * is written no more.  Its further calls are counted and timed, in sums by
 * function and caller, which go to the log every few milliseconds while there
 * are events.  The caller is the innermost function that is written.
 *
 * Only functions are throttled: no other operation.  Messages, collectives and
 * locks are matched by their numbers, and user events have values.
 */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_THROTTLE_H
#define GASPDB_COLLECTOR_CORE_SELECTION_THROTTLE_H

#include "collector/base/compiler.h"
#include "collector/core/selection/throttle_limit.h"

struct gaspdb_context;
struct gaspdb_site;
struct gaspdb_function_frame;

/* From the environment at load time. */
extern struct gaspdb_throttle_limit gaspdb_throttle_limit GASPDB_HIDDEN;

/* Throttled calls of a function below one caller since the last record. Times
   in ticks. */
struct gaspdb_throttled {
	uint32_t site;	 /* gaspdb_site.id; 0: a free slot */
	uint32_t caller; /* the same; 0: none */
	uint64_t calls;
	uint64_t total; /* of calls that are in no other call of the function */
	uint64_t inner; /* of the others */
	uint64_t self;	/* less functions within; known only of calls without an
			   event within */
	uint64_t quiet; /* part of total: calls without an event within */
	uint64_t least, most; /* of one call */
};

/* The sums of a context. */
struct gaspdb_throttle {
	struct gaspdb_throttled *slots; /* open addressing */
	uint32_t size, used;		/* slots; size is a power of two */
	bool pending;			/* some are not in the log yet */
	bool emitting;
	uint64_t due; /* ticks: when they go to the log */
};

/* Throttles the function of a site that has had the limit's calls, if they were
   short; of one that is throttled, notes that a written call has ended. */
GASPDB_COLD void gaspdb_throttle_check(struct gaspdb_context *c,
				       struct gaspdb_site *site);

/* Adds a throttled call, which ends at ticks and has left the list of open
   functions.  c is busy. */
void gaspdb_throttle_add(struct gaspdb_context *c, struct gaspdb_site *site,
			 struct gaspdb_function_frame *frame, uint64_t ticks);

/* Logs the sums that are not in the log yet.  c is busy. */
GASPDB_COLD void gaspdb_throttle_emit(struct gaspdb_context *c);
/* The same if they are due. */
void gaspdb_throttle_emit_due(struct gaspdb_context *c, uint64_t ticks);

void gaspdb_throttle_free(struct gaspdb_context *c);

/* Reads the settings: a constructor, as gaspdb_process_load. */
void gaspdb_throttle_load(void);

#endif
