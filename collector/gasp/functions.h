/* SPDX-License-Identifier: BSD-2-Clause */
/* Open functions and statements of a thread: those that the compiler's hooks
   have entered, innermost last. */
#ifndef GASPDB_COLLECTOR_GASP_FUNCTIONS_H
#define GASPDB_COLLECTOR_GASP_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct gaspdb_op_state;
struct gaspdb_site;

/* A marked range of statements, as cli/plugin/calls.cc lays it out in the
   program. */
struct gaspdb_statement {
	const char *name, *function, *file;
	uint64_t line;
};

/* Its hooks, which the plugin's code calls.  caller: the return address of the
   calling function. */
void gaspdb_statement_start(const struct gaspdb_statement *s,
			    const void *caller);
void gaspdb_statement_end(const struct gaspdb_statement *s);
/* Ends a statement of the calling function, if a longjmp has left it open. */
void gaspdb_statement_left(const struct gaspdb_statement *s);

struct gaspdb_function_frame {
	const void *function; /* or struct gaspdb_statement */
	const void *caller;   /* return address of the function, or of the
				 statement's */
	uintptr_t depth;	  /* of the hook that entered it */
	uint64_t line;		  /* of a statement; 0: a function */
	struct gaspdb_site *site; /* NULL: to be looked up again */
	uint64_t start;		  /* ticks */
	uint32_t written; /* gaspdb_site.id of the innermost function from here
			     on down that is written; 0: none */
	bool throttled;	  /* throttle.h; others do not have the rest: */
	const unsigned char *at; /* the log's end when it began */
	uint64_t inner;		 /* ticks of throttled functions called by it */
};

struct gaspdb_functions {
	struct gaspdb_function_frame *frames; /* [0] is none's; NULL: not made */
	uint32_t n, room;		      /* open ones; of frames[] */
	uintptr_t depth;		      /* of the innermost; 0: none */
	bool prepared; /* the cost is logged, and no operation is masked */
	struct gaspdb_op_state *op; /* of functions; NULL: not looked up */
};

/* How deep the stack is at a frame: larger is deeper. */
static inline uintptr_t gaspdb_depth_of(uintptr_t frame)
{
	return 0 - frame;
}

#endif
