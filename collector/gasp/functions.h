/* SPDX-License-Identifier: BSD-2-Clause */
/* Open functions of a thread: those that the hooks of -finstrument-functions
   have entered, innermost last. */
#ifndef GASPDB_COLLECTOR_GASP_FUNCTIONS_H
#define GASPDB_COLLECTOR_GASP_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct gaspdb_site;

struct gaspdb_function_frame {
	const void *function, *caller;
	uintptr_t depth;	  /* of the hook that entered it */
	struct gaspdb_site *site; /* NULL: to be looked up again */
	uint64_t start;		  /* ticks */
	uint32_t written; /* gaspdb_site.id of the innermost function from here
			     on down that is written; 0: none */
	bool throttled;	  /* throttle.h; others do not have the rest: */
	const unsigned char *at; /* the log's end when it began */
	uint64_t inner;		 /* ticks of throttled functions called by it */
};

struct gaspdb_functions {
	struct gaspdb_function_frame
		*frames;  /* [0] is none's; NULL: not made */
	uint32_t n, room; /* open ones; of frames[] */
	uintptr_t depth;  /* of the innermost; 0: none */
	bool prepared;	  /* the cost is logged, and no operation is masked */
};

/* How deep the stack is at a frame: larger is deeper. */
static inline uintptr_t gaspdb_depth_of(uintptr_t frame)
{
	return 0 - frame;
}

#endif
