/* SPDX-License-Identifier: BSD-2-Clause */
/* Open functions of a thread: those that the hooks of -finstrument-functions
   have entered, innermost last. */
#ifndef GASPDB_COLLECTOR_GASP_FUNCTIONS_H
#define GASPDB_COLLECTOR_GASP_FUNCTIONS_H

#include <stdint.h>

struct gaspdb_op_state;

struct gaspdb_function_frame {
	const void *function, *caller;
	uintptr_t depth; /* of the hook that entered it */
};

struct gaspdb_functions {
	struct gaspdb_function_frame *frames; /* [0] is none's; NULL: not made */
	uint32_t n, room;		      /* open ones; of frames[] */
	uintptr_t depth;		      /* of the innermost; 0: none */
	struct gaspdb_op_state *op; /* the operation; NULL: not looked up */
};

/* How deep the stack is at a frame: larger is deeper. */
static inline uintptr_t gaspdb_depth_of(uintptr_t frame)
{
	return 0 - frame;
}

#endif
