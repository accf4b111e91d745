/* SPDX-License-Identifier: BSD-2-Clause */
/* The stack of a thread's open functions and statements: which of them a hook
   means. Its context is busy, or the thread's own. */
#ifndef GASPDB_COLLECTOR_GASP_OPEN_FUNCTIONS_H
#define GASPDB_COLLECTOR_GASP_OPEN_FUNCTIONS_H

#include "collector/base/compiler.h"
#include "collector/gasp/functions.h"

/* Depth of a function that was left while recording was off. */
#define GASPDB_FUNCTION_ENDED UINTPTR_MAX

static inline struct gaspdb_function_frame *
gaspdb_functions_innermost(const struct gaspdb_functions *f)
{
	return &f->frames[f->n];
}

static inline void gaspdb_functions_set_depth(struct gaspdb_functions *f)
{
	f->depth = f->n ? gaspdb_functions_innermost(f)->depth : 0;
}

/* Makes room for deeper functions; false: no memory, or too deep. */
GASPDB_COLD bool gaspdb_functions_grow(struct gaspdb_functions *f);

/* Whether the innermost function was left, now that the stack is at depth. */
bool gaspdb_functions_has_left(const struct gaspdb_functions *f,
			       uintptr_t depth);

/* The open frame that an exit with the stack at depth ends; 0: none. */
uint32_t gaspdb_functions_find_exit(const struct gaspdb_functions *f,
				    const void *function, uintptr_t depth);

/* The open frame of a function or statement at a depth, if it is the innermost
   depth; 0: none. */
static inline uint32_t
gaspdb_functions_find_open(const struct gaspdb_functions *f,
			   const void *function, uintptr_t depth)
{
	uint32_t i = f->n;

	while (i > 0 && f->frames[i].depth == depth &&
	       f->frames[i].function != function)
		i--;
	return i > 0 && f->frames[i].depth == depth ? i : 0;
}

/* Whether a function, or a statement, is not entered from the innermost
   function: at the same depth an inlined function has the same caller, and no
   statement is in itself.  statement: NULL: a function. */
static inline bool gaspdb_functions_replaces(const struct gaspdb_functions *f,
					     const void *caller,
					     uintptr_t depth,
					     const void *statement)
{
	return f->depth == depth &&
	       (gaspdb_functions_innermost(f)->caller != caller ||
		(statement && gaspdb_functions_find_open(f, statement, depth)));
}

#endif
